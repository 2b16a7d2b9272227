//! Files that one request reads beside the index (`paths.force_include`): found by glob, read, given facts by the database's
//! own query, and indexed in memory beside the captured rows. What comes out is a view like any other: a tree with these files
//! in it, a searcher that ranks as an index of all of it does, and an identity of its own, so that later reads and pages can
//! name it.

use std::collections::BTreeSet;
use std::sync::Arc;

use query_graph::{Content, FileEntry, Source, entry_outside, manifests_above};
use rift_base::{Deadline, DigestBuilder, Interrupt, ProjectPath, TextPolicy, Unavailable};
use rift_index::IndexError;
use rift_workspace::{IndexRules, LanguageMap, Moved, PathPatterns, Reader, find_outside, look_again};

use crate::host::Host;
use crate::lane::content;
use crate::publication::{Publication, Resolved};
use crate::units::Feed;
use crate::view::View;

/// Bytes of text that one request reads beside the index; files past it, in path order, have none.
pub const FORCED_BYTES_MAX: u64 = 32 << 20;

/// The files that a view has beside the index.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Forced {
    globs: Vec<String>,
    /// In path order.
    paths: Vec<ProjectPath>,
}

/// Why a view cannot be had with the files that a request names.
#[derive(Debug)]
pub enum ForceError {
    /// They are more than the request may read.
    TooMany {
        /// As many.
        required: u64,
    },
    /// The request was taken back, or its time is over.
    Interrupted(Interrupt),
    /// They could not be indexed.
    Index(IndexError),
    /// The accepted configuration's patterns, which were compiled before, do not compile.
    Configuration,
}

impl Host {
    /// `view` with the files that `globs` match and that its index does not hold, at most `most`. Files come as they are on
    /// disk now. A view that was made so for the same globs comes back as it is.
    ///
    /// # Errors
    /// See [`ForceError`].
    pub fn force(&self, view: &View, globs: &[&str], most: usize, deadline: &Deadline) -> Result<View, ForceError> {
        if view.publication.forced.as_ref().is_some_and(|forced| forced.globs == globs) {
            return Ok(view.clone());
        }
        let config = view.config();
        let languages = LanguageMap::new(config).map_err(|_| ForceError::Configuration)?;
        let rules = IndexRules::new(config).map_err(|_| ForceError::Configuration)?;
        let patterns = PathPatterns::new(globs).map_err(|_| ForceError::Configuration)?;
        let paths = self.outside(view, &patterns, &languages, most, deadline)?;
        let mut reader = Reader::new(&self.root().path);
        let mut entries: Vec<FileEntry> = Vec::with_capacity(paths.len());
        let mut left = FORCED_BYTES_MAX;
        for path in paths {
            deadline.check().map_err(ForceError::Interrupted)?;
            let (content, _) = content(&mut reader, &languages, &rules, &path);
            let Some(content) = searched(content, &mut left) else { continue };
            let claimed = languages.language(path.as_str()).ok().flatten().cloned();
            let manifests = manifests_above(view.tree(), &path);
            entries.push(
                view.lease(|db| entry_outside(db, path.clone(), content.clone(), claimed.clone(), manifests.clone())),
            );
        }
        view.beside(globs, entries).map_err(ForceError::Index)
    }

    /// The files that `patterns` match and that the index of `view` does not hold.
    fn outside(
        &self,
        view: &View,
        patterns: &PathPatterns,
        languages: &LanguageMap,
        most: usize,
        deadline: &Deadline,
    ) -> Result<Vec<ProjectPath>, ForceError> {
        let root = &self.root().path;
        // What is left out of the index for its content cannot be had by asking again.
        let known = |path: &ProjectPath| {
            view.entry(path).is_some_and(|entry| entry.source().is_none_or(|source| source.policy.indexes_text()))
        };
        let preparing = view.preparation().is_some();
        // While files are still prepared, those that will be in the index are among what is found.
        let keep = if preparing { usize::MAX } else { most };
        let found = find_outside(root, patterns, languages, &known, keep, deadline).map_err(ForceError::Interrupted)?;
        let (mut paths, mut count) = (found.files, found.count);
        if preparing {
            let moved = Moved { files: paths.iter().cloned().collect(), ..Moved::default() };
            let visible = look_again(root, view.config(), languages, None, &moved, &|_| false);
            let visible: BTreeSet<ProjectPath> =
                visible.map_err(|_| ForceError::Configuration)?.files.into_iter().map(|file| file.path).collect();
            paths.retain(|path| !visible.contains(path));
            count = paths.len() as u64;
        }
        if count > most as u64 {
            return Err(ForceError::TooMany { required: count });
        }
        Ok(paths)
    }
}

/// What is searched of a file that a request names: all of its text, while there is room.
fn searched(content: Content, left: &mut u64) -> Option<Content> {
    match content {
        Content::Source(source) => {
            if source.size > *left {
                let reason = Unavailable::TooLarge { size: source.size, limit: *left };
                let left_out = query_graph::LeftOut { digest: Some(source.digest), size: source.size, reason };
                return Some(Content::LeftOut(Arc::new(left_out)));
            }
            *left -= source.size;
            let mut source = Source::clone(&source);
            source.policy.text = TextPolicy::Index;
            Some(Content::Source(Arc::new(source)))
        }
        Content::LeftOut(left_out) => Some(Content::LeftOut(left_out)),
        Content::Absent => None,
    }
}

impl View {
    /// The files that this view has beside its index ([`Host::force`]), in path order.
    pub fn forced(&self) -> impl Iterator<Item = &FileEntry> {
        let paths = self.publication.forced.iter().flat_map(|forced| &forced.paths);
        paths.filter_map(|path| self.entry(path))
    }

    /// Whether `path` is one of them.
    pub fn is_forced(&self, path: &ProjectPath) -> bool {
        self.publication.forced.as_ref().is_some_and(|forced| forced.paths.binary_search(path).is_ok())
    }

    /// This view with `entries`, in path order, beside what it has.
    pub(crate) fn beside(&self, globs: &[&str], entries: Vec<FileEntry>) -> Result<View, IndexError> {
        let before = &self.publication;
        let mut id = DigestBuilder::default().part(b"files beside a view").part(before.view_id.as_bytes());
        globs.iter().for_each(|glob| id.add(glob.as_bytes()));
        for entry in &entries {
            id.add(entry.path.as_str().as_bytes());
            id.add(entry.digest().map(|digest| digest.hex()).unwrap_or_default().as_bytes());
        }
        let view_id = format!("{}{}", &before.view_id[..16], &id.finish().hex()[..48]);
        let publication = match self.shared.views.get(&view_id) {
            Some(known) => known,
            None => Arc::new(self.publication_beside(globs, entries, view_id)?),
        };
        Ok(View { publication, ..self.clone() })
    }

    fn publication_beside(
        &self,
        globs: &[&str],
        entries: Vec<FileEntry>,
        view_id: String,
    ) -> Result<Publication, IndexError> {
        let before = &self.publication;
        let chunk_max = usize::try_from(before.config.search.text_max_chunk).unwrap_or(usize::MAX);
        let feeds: Vec<Feed> =
            entries.iter().map(|entry| self.lease(|db| Feed::new(db, entry.clone(), chunk_max))).collect();
        let units: Vec<_> = feeds.iter().filter_map(Feed::units).collect();
        let searcher = before.searcher.with(&units, chunk_max)?;
        let forced = Forced {
            globs: globs.iter().map(|glob| (*glob).to_owned()).collect(),
            paths: entries.iter().map(|entry| entry.path.clone()).collect(),
        };
        Ok(Publication {
            tree: Arc::new(before.tree.with_files(&entries)),
            view_id,
            resolved: Arc::new(Resolved::default()),
            rows: before.rows.beside(&forced.paths),
            forced: Some(Arc::new(forced)),
            ..before.with_searcher(searcher)
        })
    }
}
