//! The query database. Every fact that an answer is made of is a memoized query here: what the catalog holds, what one
//! file declares, where it belongs, what a directory sums up to. docs/queries.md has a row for each.
//!
//! Facts of one file are keyed by its revision ([`FileRevision`]), which never changes, so their memos are never
//! invalidated; queries keyed by a [`File`] or a [`Directory`] follow the tree. No IO, no threads, and no clock but the one that counters
//! time runs with, which no fact sees.
#![allow(missing_docs, reason = "salsa's macros generate accessors that carry no documentation")]

mod about;
mod ask;
mod binding;
mod catalog;
mod counters;
mod db;
mod dependencies;
mod documents;
mod explain;
mod ground;
mod inputs;
mod kept;
mod outside;
mod place;
mod probe;
mod purposes;
mod queries;
mod recorded;
mod report;
mod stored;
mod summary;
mod symbols;
mod syntax;
mod unpacked;

pub use ask::{AskError, parse_node};
pub use binding::{
    Alias, Bindings, Bound, DeclKey, Declared, Derivation, Extended, Meaning, ModuleRef, NameIn, Override, PackageName,
    PathKey, Referent, ScopeNames, Star, Takes, Tree, Variant, What, aliases, binding_facts, bindings, crates_in_code,
    declared, directory_at, extended, extending, extensions_below, file_at, file_sites, file_uses, headers_below,
    headers_named, include_folders, included, includes, named, npm_member, npm_package, npm_workspace, overrides,
    package_file, package_names, resolved_imports, scope_names, surface, typescript_config, uses, wildcards,
};
pub use catalog::{
    DirectoryManifest, EntryPlace, FileEntry, claimed_language, directory_manifest, file_entry, revision,
};
pub use counters::{Counters, GENERATIONS_MAX, Mark, QueryCount};
pub use db::{Db, RootDatabase};
pub use dependencies::{DEPENDENCY_FILES_MAX, DependencyFiles, StatedFiles, stated_dependencies};
pub use documents::documentation;
pub use explain::{Branch, Counted, Explanation, Outcome, explained};
pub use ground::{Change, Ground};
pub use inputs::{Below, Content, Directory, File, LeftOut, Source, Workspace, root};
pub use kept::{FactKey, FactStore, FactWork, REVISION_OVERHEAD, RevisionFacts};
pub use outside::entry_outside;
pub use place::{Module, PackageContext, PlacedManifest, manifest, manifests_above, module, package, stated_package};
pub use probe::{Edge, Node, Totals};
pub use queries::{Key, QUERIES};
pub use recorded::{Recorded, end_recording, start_recording};
pub use report::{Report, Row};
pub use rift_syntax::{
    Block, BlockKind, Bounds, Callable, ChainNode, DeclId, DeclPosition, Declaration, Document, DocumentFailure,
    Documentation, EXTRACTOR, FileFacts, Heading, Joins, Markup, Outline, Parameter, ParsedFile, Problem, Role,
    module_separator, spans,
};
pub use rift_workspace::{
    DeclaredPackage, DependencyFile, PackageSource, PinnedPackage, RuntimeSelector, StandardLibrary, StatedDependencies,
};
pub use stored::StoredText;
pub use summary::{
    DOCS_MAX, DirectorySummary, ENTRY_POINTS_MAX, EntryPoint, FileSummary, LanguageCount, NOTED_MAX, Note, Noted,
    directory_summary, file_summary,
};
pub use symbols::{FileSymbols, PlacedFile, SymbolGroup, file_symbols, outline, placed, positions};
pub use syntax::{FileRevision, SourceText, facts, file_facts, file_positions, parse_tree};
