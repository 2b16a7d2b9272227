//! Conditions that qualify answers: preparation, a tree that moved on, and files that give less than they could.

use rift_base::{ProjectPath, TextPolicy};
use rift_host::View;
use rift_host::facts::{Content, FileEntry, Note, Noted};
use rift_protocol::limits::{FREE_TEXT_MAX, SOURCE_UNAVAILABLE_MAX, WARNING_FILES_MAX};
use rift_protocol::{Digest, FileId, ReadWarning};

/// Where the selection stands: its preparation while that is incomplete, and by what it is behind the tree.
pub(crate) fn standing(view: &View) -> Vec<ReadWarning> {
    preparing(view).into_iter().chain(stale(view)).collect()
}

fn stale(view: &View) -> Option<ReadWarning> {
    let stale = view.stale()?;
    Some(ReadWarning::StaleIndex {
        index_tree_revision: Digest::parse(&stale.index.short()).ok()?,
        captured_tree_revision: Digest::parse(&stale.captured.short()).ok()?,
        detail: stale.detail.chars().take(FREE_TEXT_MAX).collect(),
    })
}

fn preparing(view: &View) -> Option<ReadWarning> {
    let preparation = view.preparation()?;
    let detail = match preparation.total {
        Some(total) => format!(
            "{} of {total} files are prepared; what is not prepared yet is missing from this answer",
            preparation.prepared
        ),
        None => "files are still being discovered; what is not prepared yet is missing from this answer".to_owned(),
    };
    Some(ReadWarning::LocalIndexPreparing {
        prepared: preparation.prepared,
        total: preparation.total,
        ready_in: None,
        detail,
    })
}

/// Which files a request reaches; absent for all.
pub(crate) type Reaches<'a> = Option<&'a dyn Fn(&ProjectPath) -> bool>;

/// Files that the selection left out, of those that `reaches` accepts.
pub(crate) fn source_unavailable(view: &View, reaches: Reaches<'_>) -> Vec<ReadWarning> {
    let left_out = noted(view, Note::Unavailable, reaches);
    let mut out: Vec<ReadWarning> = left_out
        .files
        .iter()
        .take(SOURCE_UNAVAILABLE_MAX)
        .map(|(path, detail)| ReadWarning::SourceUnavailable {
            unit: FileId::new(path).ok(),
            detail: detail.to_string(),
        })
        .collect();
    let rest = left_out.count - out.len() as u64;
    let unnamed = view.publication().omitted.len() as u64;
    if rest + unnamed > 0 {
        let mut parts = Vec::new();
        if rest > 0 {
            parts.push(format!("{rest} more files are left out"));
        }
        if let Some(first) = view.publication().omitted.first() {
            parts.push(format!("{unnamed} paths cannot be cataloged, the first is {first}"));
        }
        out.push(ReadWarning::SourceUnavailable { unit: None, detail: parts.join("; ") });
    }
    out
}

/// Files that are searched and not parsed.
pub(crate) fn large_unparsed(view: &View, reaches: Reaches<'_>) -> Option<ReadWarning> {
    let large = noted(view, Note::LargeUnparsed, reaches);
    (large.count > 0).then(|| ReadWarning::LargeFileUnparsed {
        files: ids(&large),
        detail: format!(
            "{} past the [providers.syntax] key max_file: text is searched, declarations are missing",
            files(large.count)
        ),
    })
}

/// Files whose text is not searched because of its size.
pub(crate) fn large_skipped(view: &View, reaches: Reaches<'_>) -> Option<ReadWarning> {
    let large = noted(view, Note::LargeSkipped, reaches);
    (large.count > 0).then(|| ReadWarning::LargeFileSkipped {
        skipped: large.count,
        detail: format!("{} past the [search.text] key max_chunk, under large_files = \"skip\"", files(large.count)),
    })
}

/// Lockfiles that a request's own globs select and that are kept out of search.
pub(crate) fn lockfile_excluded(view: &View, selects: Reaches<'_>) -> Option<ReadWarning> {
    let locks = noted(view, Note::Lockfile, selects);
    (locks.count > 0).then(|| ReadWarning::LockfileExcluded {
        files: ids(&locks),
        detail: format!("{} kept out of search by the [search.text] key excluded_lockfiles", files(locks.count)),
    })
}

fn files(count: u64) -> String {
    if count == 1 { "1 file is".to_owned() } else { format!("{count} files are") }
}

fn ids(noted: &Noted) -> Vec<FileId> {
    noted.files.iter().take(WARNING_FILES_MAX).filter_map(|(path, _)| FileId::new(path).ok()).collect()
}

/// The files under `note` that `reaches` accepts. The tree's sums name the first few; only when a request narrows and
/// there are more, the tree is walked.
fn noted(view: &View, note: Note, reaches: Reaches<'_>) -> Noted {
    let none = Noted::default();
    let all = view.summary().notes.get(&note).unwrap_or(&none);
    if reaches.is_none() && view.forced().next().is_none() {
        return all.clone();
    }
    let reaches = reaches.unwrap_or(&|_| true);
    if all.count == all.files.len() as u64 {
        // What a request names beside the index is read anew, whatever the sums say of it.
        let kept = all.files.iter().filter(|(path, _)| reaches(path) && !view.is_forced(path)).cloned();
        let forced = view.forced().filter(|entry| reaches(&entry.path));
        let forced = forced.filter_map(|entry| Some((entry.path.clone(), detail(view, entry, note)?.into())));
        let mut files: Vec<_> = kept.chain(forced).collect();
        files.sort();
        return Noted { count: files.len() as u64, files };
    }
    let mut out = Noted::default();
    view.tree().walk(&mut |entry| {
        if let Some(detail) = detail(view, entry, note).filter(|_| reaches(&entry.path)) {
            out.count += 1;
            if out.files.len() < SOURCE_UNAVAILABLE_MAX {
                out.files.push((entry.path.clone(), detail.into()));
            }
        }
    });
    out
}

/// What `note` says of `entry`, when it applies.
fn detail(view: &View, entry: &FileEntry, note: Note) -> Option<String> {
    match (&entry.content, note) {
        (Content::LeftOut(left_out), Note::Unavailable) => {
            left_out.reason.is_named().then(|| left_out.reason.to_string())
        }
        (Content::Source(source), Note::LargeUnparsed) => {
            (source.policy.syntax == rift_base::SyntaxPolicy::TooLarge).then(String::new)
        }
        (Content::Source(source), Note::LargeSkipped) => (source.policy.text == TextPolicy::TooLarge).then(String::new),
        (Content::Source(source), Note::Lockfile) => (source.policy.text == TextPolicy::Lockfile).then(String::new),
        (Content::Source(source), Note::Unavailable) if source.policy.parses() => {
            let facts = view.facts(entry)?;
            facts.outline.problems.iter().find_map(|p| p.lack()).map(str::to_owned)
        }
        _ => None,
    }
}
