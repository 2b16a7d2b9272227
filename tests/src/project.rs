//! Projects in temporary folders: copies of `testdata/projects`, or files laid by the test.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A workspace in a temporary folder, beside a home folder that nothing else uses.
pub struct Project {
    folder: TempDir,
}

impl Project {
    /// An empty workspace. A `.git` folder marks its root, as a clone's does.
    pub fn empty() -> Self {
        let project = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        std::fs::create_dir_all(project.root().join(".git")).expect("the workspace's folder");
        std::fs::create_dir_all(project.home()).expect("the home folder");
        project
    }

    /// A copy of `testdata/projects/NAME`.
    pub fn copy_of(name: &str) -> Self {
        let project = Self::empty();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/projects").join(name);
        copy(&source, &project.root());
        project
    }

    /// A workspace that holds `files`, as (path, content).
    pub fn with<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let project = Self::empty();
        for (path, content) in files {
            project.write(path, content);
        }
        project
    }

    /// Writes one file, with its folders.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the file's folder");
        std::fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// The text of one file.
    pub fn read(&self, path: &str) -> String {
        let path = self.root().join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The workspace's root.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    /// The home folder.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The variables that decide where a program keeps what it stores, all pointing into the home folder.
    pub(crate) fn home_variables(&self) -> [(&'static str, PathBuf); 5] {
        let home = self.home();
        [
            ("XDG_CACHE_HOME", home.join("cache")),
            ("XDG_CONFIG_HOME", home.join("config")),
            ("XDG_DATA_HOME", home.join("data")),
            ("XDG_STATE_HOME", home.join("state")),
            ("HOME", home),
        ]
    }
}

impl Drop for Project {
    /// No server outlives its project.
    fn drop(&mut self) {
        self.end_server();
    }
}

/// Copies a folder with all that it holds but what a server keeps in `.rift`. Links stay links.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder of the copy");
    let entries = std::fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    for entry in entries.map(|entry| entry.expect("an entry of the project")) {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().expect("the entry's kind");
        if kind.is_symlink() {
            let leads = std::fs::read_link(&source).expect("the link leads somewhere");
            std::os::unix::fs::symlink(leads, &target).expect("a link of the copy");
        } else if !kind.is_dir() {
            std::fs::copy(&source, &target).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
        } else if entry.file_name() != ".rift" {
            copy(&source, &target);
        }
    }
}
