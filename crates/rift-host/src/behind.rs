//! Threads whose work is done behind the answers.

use std::thread::{Builder, JoinHandle};

/// Starts a thread that yields to those that answer requests; none where the system refuses one.
pub(crate) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let run = || {
        rift_workspace::yield_to_others();
        run();
    };
    Builder::new().name(name.to_owned()).spawn(run).ok()
}
