//! What a running server says of itself at `/api/status`.

use serde::{Deserialize, Serialize};

/// A server's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// Files prepared so far; absent once preparation has ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub prepared: Option<u64>,
    /// Files to prepare, once they are counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub total: Option<u64>,
    /// What refuses reads, an invalid `rift.toml` for one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refusal: Option<String>,
    /// How it learns of changes; absent while it refuses the workspace.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub watcher: Option<WatcherStatus>,
    /// How long a proxy waits for one answer, in milliseconds.
    pub forward_budget_ms: u64,
}

/// How a server learns of changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatcherStatus {
    /// `inotify`, or `scan` where the tree is looked at before each read instead.
    pub kind: String,
    /// Why the tree is looked at instead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// Directories watched.
    pub directories: u64,
    /// How often events were lost, and everything was looked at.
    pub overflows: u64,
}

impl Status {
    /// Whether the index is still being built.
    pub fn is_preparing(&self) -> bool {
        self.prepared.is_some()
    }
}
