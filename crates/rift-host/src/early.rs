//! Reading one file before its turn, while the workspace is being prepared.

use std::collections::BTreeSet;
use std::sync::Arc;

use query_graph::{Content, FileEntry, PlacedManifest, entry_outside};
use rift_base::ProjectPath;
use rift_workspace::{
    IndexRules, LanguageMap, MANIFEST_NAMES, Moved, Reader, is_manifest_name, look_again, parse_manifest,
};

use crate::host::Host;
use crate::lane::content;
use crate::view::View;

impl Host {
    /// The file at `path` as it is on disk, when it is visible under the configuration of `view`, and `view` is of an
    /// incomplete preparation that has not come to it. Its facts are made when they are asked for; it is placed by the manifests
    /// above it as they are on disk. It advances no preparation.
    pub fn read_early(&self, view: &View, path: &ProjectPath) -> Option<FileEntry> {
        view.preparation()?;
        let (root, config) = (&self.root().path, view.config());
        let languages = LanguageMap::new(config).ok()?;
        let rules = IndexRules::new(config).ok()?;
        let mut wanted = BTreeSet::from([path.clone()]);
        let mut above = path.parent();
        while let Some(directory) = above {
            wanted.extend(MANIFEST_NAMES.iter().filter_map(|name| directory.join(name).ok()));
            above = directory.parent();
        }
        let moved = Moved { files: wanted, ..Moved::default() };
        // Sorted by path, so that a manifest nearer to the file comes behind one further away.
        let found = look_again(root, config, &languages, None, &moved, &|_| false).ok()?.files;
        let mut reader = Reader::new(root);
        let mut manifests: Vec<PlacedManifest> = Vec::new();
        for manifest in found.iter().filter(|file| is_manifest_name(file.path.file_name())) {
            let (Content::Source(source), _) = content(&mut reader, &languages, &rules, &manifest.path) else {
                continue;
            };
            let parsed = parse_manifest(manifest.path.as_str(), &source.text.get());
            manifests.extend(
                parsed
                    .zip(manifest.path.parent())
                    .map(|(manifest, directory)| PlacedManifest { directory, manifest: Arc::new(manifest) }),
            );
        }
        manifests.sort_by_key(|placed| placed.directory.segments().count());
        let file = found.into_iter().find(|file| file.path == *path)?;
        let (content, _) = content(&mut reader, &languages, &rules, path);
        if content == Content::Absent {
            return None;
        }
        let language = file.language;
        Some(view.lease(|db| entry_outside(db, path.clone(), content.clone(), language.clone(), manifests.clone())))
    }

    /// `view` with the file at `path` in it ([`Host::read_early`]), to be asked as if the preparation had come to it.
    pub fn view_early(&self, view: &View, path: &ProjectPath) -> Option<View> {
        let entry = self.read_early(view, path)?;
        view.beside(&[], vec![entry]).ok()
    }
}
