//! Projects as real repositories, and copies of them.

use std::process::Command;

use crate::Project;
use crate::project::copy;

impl Project {
    /// Runs `git ARGUMENTS` in a folder of the project, without any configuration of the machine's or the user's.
    #[track_caller]
    pub fn git(&self, folder: &str, arguments: &[&str]) {
        let mut git = Command::new("git");
        for (name, path) in self.home_variables() {
            git.env(name, path);
        }
        git.current_dir(self.root().join(folder)).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        git.args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"]);
        let output = git.args(["-c", "gc.auto=0"]).args(arguments).output().expect("git is installed");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Commits everything that the repository in `folder` does not ignore, on a new branch.
    #[track_caller]
    pub fn commit(&self, folder: &str, branch: &str) {
        self.git(folder, &["checkout", "-q", "-b", branch]);
        self.git(folder, &["add", "-A", "."]);
        self.git(folder, &["commit", "-q", "--allow-empty", "-m", branch]);
    }

    /// The same tree in another place, under the same folder name, without anything that a server left in it.
    pub fn copied(&self) -> Self {
        let other = Self::empty();
        copy(&self.root(), &other.root());
        other
    }
}
