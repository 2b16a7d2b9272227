//! Systems without a queue of events: there is never one to drain.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use rift_base::ProjectPath;

use super::wake::{Events, Wake};
use super::{Moved, ScanReason};

/// A queue that cannot be had.
pub(super) enum Queue {}

/// No system without a queue bounds its watches.
pub(super) fn watches_max() -> Option<u64> {
    None
}

impl Queue {
    pub(super) fn open(_: &Wake) -> Result<Self, ScanReason> {
        Err(ScanReason::Unsupported)
    }

    pub(super) fn handle(&self) -> Events {
        match *self {}
    }

    pub(super) fn directories(&self) -> u64 {
        match *self {}
    }

    pub(super) fn watch(&mut self, _: &ProjectPath, _: &Path) -> Result<(), ScanReason> {
        match *self {}
    }

    pub(super) fn watch_rules(&mut self, _: &ProjectPath, _: &Path) -> Result<(), ScanReason> {
        match *self {}
    }

    pub(super) fn forget(&mut self, _: &ProjectPath, _: impl Fn(&ProjectPath) -> bool) {
        match *self {}
    }

    pub(super) fn drain(
        &mut self,
        _: &Path,
        _: &mut Moved,
        _: &mut BTreeMap<ProjectPath, Instant>,
    ) -> Result<(), ScanReason> {
        match *self {}
    }
}
