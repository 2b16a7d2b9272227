//! The stamps of every visible file, as they were when it was read.

use std::collections::BTreeMap;

use rift_base::ProjectPath;
use rift_workspace::FileStamp;

/// Stamps by path.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    by_path: BTreeMap<ProjectPath, FileStamp>,
    bytes: u64,
}

impl Stamps {
    pub(crate) fn get(&self, path: &ProjectPath) -> Option<&FileStamp> {
        self.by_path.get(path)
    }

    pub(crate) fn insert(&mut self, path: ProjectPath, stamp: FileStamp) {
        self.bytes += stamp.size;
        if let Some(old) = self.by_path.insert(path, stamp) {
            self.bytes -= old.size;
        }
    }

    pub(crate) fn remove(&mut self, path: &ProjectPath) {
        if let Some(old) = self.by_path.remove(path) {
            self.bytes -= old.size;
        }
    }

    /// Files.
    pub(crate) fn len(&self) -> u64 {
        self.by_path.len() as u64
    }

    /// Their bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The files below `directory`, which may be a file's own path.
    pub(crate) fn below<'a>(&'a self, directory: &'a ProjectPath) -> impl Iterator<Item = &'a ProjectPath> {
        // Between a directory and what is below it stand names such as `a-b` beside `a`: they share its letters.
        let range = self.by_path.range(directory.clone()..).map(|(path, _)| path);
        range
            .take_while(|path| path.as_str().starts_with(directory.as_str()))
            .filter(|path| path.strip_prefix(directory).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_the_directory_alone() {
        let path = |text: &str| ProjectPath::new(text).expect("a path");
        let mut stamps = Stamps::default();
        for (name, size) in [("a", 1), ("a-b/c", 2), ("a/b", 4), ("a/b/c", 8), ("ab", 16)] {
            stamps.insert(path(name), FileStamp { size, ..FileStamp::default() });
        }
        let below = |text| stamps.below(&path(text)).map(ProjectPath::to_string).collect::<Vec<_>>();
        assert_eq!(below("a"), ["a", "a/b", "a/b/c"]);
        assert_eq!(below("").len(), 5);
        assert_eq!(below("b"), [""; 0]);
        assert_eq!((stamps.len(), stamps.bytes()), (5, 31));
        stamps.insert(path("a"), FileStamp { size: 100, ..FileStamp::default() });
        stamps.remove(&path("ab"));
        assert_eq!((stamps.len(), stamps.bytes()), (4, 114));
    }
}
