//! Reading one file before its turn, while the workspace is being prepared.

use std::collections::BTreeSet;

use query_graph::{Content, FileEntry};
use rift_base::ProjectPath;
use rift_workspace::{IndexRules, LanguageMap, Moved, Reader, look_again};

use crate::host::Host;
use crate::lane::content;
use crate::view::View;

impl Host {
    /// The file at `path` as it is on disk, when it is visible under the configuration of `view`, and `view` is of an
    /// incomplete preparation that has not come to it. It has text and no facts, and advances no preparation.
    pub fn read_early(&self, view: &View, path: &ProjectPath) -> Option<FileEntry> {
        view.preparation()?;
        let (root, config) = (&self.root().path, view.config());
        let languages = LanguageMap::new(config).ok()?;
        let rules = IndexRules::new(config).ok()?;
        let moved = Moved { files: BTreeSet::from([path.clone()]), ..Moved::default() };
        let found = look_again(root, config, &languages, None, &moved, &|_| false).ok()?;
        let file = found.files.into_iter().next()?;
        let (content, _) = content(&mut Reader::new(root), &languages, &rules, path);
        let entry = FileEntry { path: file.path, content, language: file.language, place: None };
        (entry.content != Content::Absent).then_some(entry)
    }
}
