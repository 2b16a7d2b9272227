//! The server behind a project: looked at and ended from outside, through what it leaves in `.rift`.

use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;

use crate::Project;

/// How long a test waits for a process to come or go before it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

/// Waits until `met` answers, or fails naming `what`.
#[track_caller]
pub fn eventually<T>(what: &str, mut met: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = met() {
            return value;
        }
        assert!(start.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal to a process that may be gone.
pub fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}

/// Stops a process where it stands, and waits until it does.
#[track_caller]
pub fn stand_still(pid: u32) {
    signal(pid, Signal::STOP);
    eventually("the process stands still", || state_of(pid).is_none_or(|state| state == 'T').then_some(()));
}

/// The state of a process, as Linux tells it: `T` is stopped, `Z` has ended.
fn state_of(pid: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(')').next()?.trim_start().chars().next()
}

/// Whether a process runs. One that has ended and whose parent has not asked for its status does not.
pub fn is_running(pid: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X'])),
        Err(_) if PathBuf::from("/proc/self").exists() => false,
        Err(_) => i32::try_from(pid).ok().and_then(Pid::from_raw).is_some_and(|pid| test_kill_process(pid).is_ok()),
    }
}

impl Project {
    /// A file of `.rift`.
    pub fn state(&self, name: &str) -> PathBuf {
        self.root().join(".rift").join(name)
    }

    /// What `.rift/server.json` states, if it is JSON.
    pub fn stated_server(&self) -> Option<Value> {
        serde_json::from_slice(&std::fs::read(self.state("server.json")).ok()?).ok()
    }

    /// Whether some process holds the election.
    pub fn is_elected(&self) -> bool {
        File::open(self.state("server.lock"))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The statement of the serving server, once there is one.
    pub fn server(&self) -> Value {
        eventually("a server is stated", || self.stated_server().filter(|_| self.is_elected()))
    }

    /// The process of the serving server, once there is one.
    pub fn server_pid(&self) -> u32 {
        self.server()["pid"].as_u64().and_then(|pid| u32::try_from(pid).ok()).expect("a pid")
    }

    /// Ends whatever serves, at once, and waits until it is gone.
    #[track_caller]
    pub fn kill_server(&self) {
        assert!(self.end_server(), "the server cannot be killed");
    }

    /// The same, for clearing up: answers whether it is gone.
    pub(crate) fn end_server(&self) -> bool {
        let start = Instant::now();
        while self.is_elected() {
            if start.elapsed() > PATIENCE {
                return false;
            }
            let pid = self.stated_server().and_then(|stated| u32::try_from(stated["pid"].as_u64()?).ok());
            if let Some(pid) = pid.filter(|pid| *pid != std::process::id()) {
                signal(pid, Signal::KILL);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }

    /// The processes that serve this project or are about to, by their command lines.
    pub fn server_processes(&self) -> Vec<u32> {
        let root = self.root();
        let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
        let pids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let serves = |pid: &u32| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
            words.contains(&b"--foreground".as_slice()) && words.contains(&root.as_os_str().as_encoded_bytes())
        };
        pids.filter(serves).filter(|pid| is_running(*pid)).collect()
    }
}
