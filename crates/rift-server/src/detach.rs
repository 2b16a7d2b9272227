//! Starting a server that outlives its starter.

use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use rift_host::Root;

use crate::election::Election;
use crate::folder::{Folder, FolderError};
use crate::identity::executable;

/// The most of a failed server's last words that are quoted, in bytes.
const LAST_WORDS_MAX: usize = 1000;

/// A server that was started and may not serve yet.
pub(crate) struct Starting {
    ended: Receiver<String>,
    folder: Folder,
}

/// Starts a server for `root` that holds the election from its first moment on. It leaves this process's session by itself.
pub(crate) fn start(folder: &Folder, root: &Root, election: Election) -> Result<Starting, FolderError> {
    let failed = |error: std::io::Error| FolderError::new(&root.path, error);
    let stderr = folder.create_stderr()?;
    let mut command = Command::new(executable().map_err(failed)?);
    command.args(["server", "start", "--foreground", "--elected", "--root"]).arg(&root.path);
    command.current_dir(&root.path).stdin(election.hand_over()).stdout(Stdio::null()).stderr(stderr);
    let mut child = command.spawn().map_err(failed)?;
    // The command holds the lock's file too.
    drop(command);
    let (sender, ended) = channel();
    // A child that ends before its starter would stay in the system's table until somebody asks for its status.
    let waiting = std::thread::Builder::new().name("reaper".to_owned()).stack_size(64 << 10).spawn(move || {
        let status = child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let _ = sender.send(status);
    });
    waiting.map_err(failed)?;
    Ok(Starting { ended, folder: folder.clone() })
}

impl Starting {
    /// Whether the server has ended, and what it said last.
    pub(crate) fn ended(&self) -> Option<String> {
        let status = self.ended.try_recv().ok()?;
        let said = std::fs::read(self.folder.stderr()).unwrap_or_default();
        let said = String::from_utf8_lossy(&said[said.len().saturating_sub(LAST_WORDS_MAX)..]).trim().to_owned();
        let last = said.lines().last().unwrap_or("nothing on standard error");
        Some(format!("{status}, {}", last.trim_start_matches("rift: ")))
    }
}
