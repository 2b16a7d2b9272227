//! docs/architecture.md against the manifests and the sources: the crate table's edges both ways, floors, dependencies,
//! and which crates may touch what.
#![allow(clippy::disallowed_methods, reason = "these tests read manifests and sources")]

mod edges;
mod rooms;
mod workspace;
