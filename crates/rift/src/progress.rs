//! The progress bar of a first index, at a terminal.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rift_host::Preparation;

/// A bar on standard error; nothing when that is no terminal.
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    pub(crate) fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("indexing {bar:30} {pos}/{len} files") {
            bar.set_style(style);
        }
        Self(Some(bar))
    }

    pub(crate) fn show(&self, preparation: Preparation) {
        if let (Some(bar), Some(total)) = (&self.0, preparation.total) {
            bar.set_length(total);
            bar.set_position(preparation.prepared);
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
