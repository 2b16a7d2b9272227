//! Where a host stands, for people.

use std::sync::Arc;

use rift_workspace::WatchStatus;

use crate::error::HostError;
use crate::host::Shared;
use crate::publication::Preparation;

/// A host's state at one moment.
#[derive(Debug, Clone)]
pub struct HostStatus {
    /// How the tree is watched.
    pub watch: WatchStatus,
    /// How far preparation has got; absent once it is complete.
    pub preparation: Option<Preparation>,
    /// The number of the newest publication.
    pub generation: u64,
    /// Files of the newest publication.
    pub files: u64,
    /// Paths that discovery could not catalog, each with its reason, in path order.
    pub omitted: Arc<[String]>,
    /// Why the last attempt to prepare or to keep up failed, while it stands.
    pub failure: Option<String>,
    /// Views that are kept.
    pub views: u64,
    /// Bytes that only they keep, as estimated.
    pub view_bytes: u64,
}

impl HostStatus {
    pub(crate) fn new(shared: &Shared, preparation: Option<Preparation>, failure: Option<&HostError>) -> Self {
        let current = shared.current();
        let (views, view_bytes) = shared.views.size();
        Self {
            watch: shared.freshness.watcher.status(),
            preparation: preparation.or(current.preparation),
            generation: current.generation,
            files: current.tree.total,
            omitted: current.omitted.clone(),
            failure: failure.map(ToString::to_string),
            views,
            view_bytes,
        }
    }
}
