//! Releases of installed toolchains, each asked once.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use query_graph::StandardLibrary;
use rift_base::Resolution;
use rift_workspace::installed_release;

use crate::view::View;

/// What a toolchain answered, or why it did not.
type Answer = Result<String, String>;

/// Answers by library and the time that was allowed for them.
#[derive(Default)]
pub(crate) struct Toolchains(Mutex<BTreeMap<(StandardLibrary, Duration), Option<Answer>>>);

impl View {
    /// The release that the installed toolchain of `library` has; none under `[dependencies] resolution = "static"`, and for a
    /// library whose toolchain is not asked. The first call runs the toolchain, at most for `[dependencies] command_timeout` and
    /// never so long that no time to answer is left.
    ///
    /// # Errors
    /// Why it could not be had, for people.
    pub fn installed_release(&self, library: StandardLibrary) -> Option<Result<String, String>> {
        let dependencies = &self.config().dependencies;
        if dependencies.resolution == Resolution::Static {
            return None;
        }
        let allowed = dependencies.command_timeout;
        // One asks, others wait for what it hears.
        let mut answers = self.shared.toolchains.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers.get(&(library, allowed)) {
            return known.clone();
        }
        let timeout = self.deadline.remaining().map_or(allowed, |left| allowed.min(left / 2));
        let answer = installed_release(library, timeout);
        // A request that had less time than the configuration allows has not heard the last word.
        if timeout == allowed || answer.as_ref().is_none_or(Result::is_ok) {
            answers.insert((library, allowed), answer.clone());
        }
        answer
    }
}
