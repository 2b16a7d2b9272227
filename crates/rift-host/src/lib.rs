//! The host: it owns the database and the index, has the one writer, prepares behind the answers and hands out views.
//!
//! A [`View`] is what a request reads: an immutable tree, an index snapshot and a configuration, captured together. It
//! holds no database handle; each fact is taken under a short lease.
#![allow(clippy::disallowed_methods)]

mod accepted;
mod behind;
mod cache;
mod change;
mod clock;
mod committer;
mod debug;
mod early;
mod embedder;
mod error;
mod filler;
mod folder;
mod follow;
mod forced;
mod freshness;
mod gate;
mod host;
mod hubs;
mod lane;
mod passages;
mod patterns;
mod prepare;
mod publication;
mod record_log;
mod references;
mod renew;
mod resolve;
mod signal;
mod stale;
mod stamps;
mod status;
mod stores;
mod texts;
mod toolchains;
mod trees;
mod units;
mod vectors;
mod view;
mod views;

pub use cache::default_cache_base;
pub use clock::Clock;
pub use debug::{
    DebugError, IndexState, LanguageShare, Phase, PhaseWork, QueryReport, TakenGraph, TracedQuery, ViewRow, ViewsState,
    phases,
};
pub use error::{HostError, HostErrorClass};
pub use forced::{FORCED_BYTES_MAX, ForceError};
pub use freshness::{Faults, Following};
pub use host::{Host, HostOptions, find_root, stated_root};
pub use hubs::ReferenceCounts;
pub use patterns::{PatternFiles, PatternProgress};
pub use publication::{Preparation, Publication};
pub use references::{Derivation, Outgoing, Overriding, ReferenceError, Role, Target, Usage, targets};
pub use resolve::{Identity, Member, ResolvedSymbol, SymbolKey};
pub use stale::Stale;
pub use status::HostStatus;
pub use stores::Kept;
pub use vectors::{Ranker, VectorProgress, Vectors};
pub use view::{View, ViewError};
pub use views::{VIEW_BYTES_MAX, VIEW_LIFETIME, VIEWS_MAX};

/// Facts as tools read them.
pub mod facts {
    pub use query_graph::{
        Block, BlockKind, Callable, ChainNode, Content, DeclId, DeclPosition, Declaration, DirectoryManifest,
        DirectorySummary, Document, DocumentFailure, Documentation, EntryPoint, FileEntry, FileFacts, FileSymbols,
        Heading, Joins, LanguageCount, Markup, Note, Noted, Outline, Parameter, Problem, SymbolGroup, module_separator,
        spans,
    };
}

/// What files state about packages, as tools read it.
pub mod packages {
    pub use query_graph::{
        DeclaredPackage, DependencyFile, DependencyFiles, PackageSource, PinnedPackage, RuntimeSelector,
        StandardLibrary, StatedDependencies, StatedFiles,
    };
}

/// Rankings as tools read them.
pub mod index {
    pub use rift_index::*;
}

/// What the database tells of itself.
pub mod queries {
    pub use query_graph::{Branch, Counted, Explanation, Outcome, Report, Row, Totals};
}

/// Path globs as tools read them.
pub use rift_workspace::{PathPatterns, PatternError};

/// Where a workspace begins.
pub use rift_workspace::Root;
/// How the tree is watched.
pub use rift_workspace::{ScanReason, WatchKind, WatchStatus};
