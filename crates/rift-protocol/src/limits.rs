//! The bounds that requests and answers keep. Bounds that `rift.toml` sets are not here.

/// The largest integer that travels: 2^53 - 1, exact in every JSON reader.
pub const INTEGER_MAX: u64 = 9_007_199_254_740_991;
/// Characters of a free text member, unless it states its own bound.
pub const FREE_TEXT_MAX: usize = 4096;

/// Hits of one search page when the request states no `limit`.
pub const SEARCH_LIMIT_DEFAULT: u64 = 20;
/// The most hits of one search page.
pub const SEARCH_LIMIT_MAX: u64 = 10_000;
/// The most units the full-text ranking takes for one request.
pub const RANKED_UNITS_MAX: u64 = 1_000;
/// The most candidates one search ranks, and the most hits it orders and pages.
pub const RESULTS_MAX: u64 = 1_000;
/// File rows, from the best one, whose hits are answered as declarations.
pub const CONTENT_ROWS_READ: usize = 20;
/// The most terms and quoted phrases of one query.
pub const QUERY_TERMS_MAX: u64 = 64;
/// Characters of `pattern`.
pub const PATTERN_MAX: usize = 1_024;
/// Globs of one `paths` list.
pub const PATH_PATTERNS_MAX: usize = 512;
/// Files outside the index that `paths.force_include` may reach.
pub const FORCE_INCLUDE_MAX: u64 = 256;
/// Entries of `packages`.
pub const PACKAGES_MAX: usize = 64;
/// Characters of a package manager or runtime name.
pub const MANAGER_MAX: usize = 128;
/// Characters of a package name, registry or version.
pub const PACKAGE_TEXT_MAX: usize = 4096;
/// The deepest walk of a traversal.
pub const TRAVERSAL_DEPTH_MAX: u64 = 2;
/// Symbols that a traversal visits one step away.
pub const WALK_DEPTH_ONE_MAX: u64 = 1_000;
/// Symbols that a traversal visits in all.
pub const WALK_VISITED_MAX: u64 = 2_000;

/// Declarations of one get_symbol answer when the request states no `declaration_limit`.
pub const DECLARATION_LIMIT_DEFAULT: u64 = 5;
/// The most declarations of one get_symbol answer.
pub const DECLARATION_LIMIT_MAX: u64 = 10_000;
/// Characters of `declaration_cursor`.
pub const CURSOR_MAX: usize = 4096;
/// The most alternatives a missing symbol names.
pub const ALTERNATIVES_MAX: usize = 3;
/// Characters of one declaration's source.
pub const DECLARATION_SOURCE_MAX: usize = 67_108_864;
/// Bytes that the excerpts of one `nodes` answer hold together.
pub const NODES_SOURCE_MAX: u64 = 67_108_864;

/// Documents, best first, whose blocks one search or read looks at, and attached comments beside them.
pub const DOCUMENTS_READ_MAX: u64 = 200;
/// Bytes of documents that one search or read looks at; the document that reaches them is still read.
pub const DOCUMENT_BYTES_READ_MAX: u64 = 16 << 20;
/// References and links of one documentation hit, and blocks that answer for one symbol.
pub const REFERENCES_MAX: usize = 32;
/// `documentation` warnings of one answer.
pub const DOCUMENTATION_WARNINGS_MAX: usize = 8;

/// Bytes of any `rift://` identity, encoded and decoded.
pub const IDENTITY_MAX: usize = 8192;
/// Bytes of a revision spelling.
pub const REVISION_MAX: usize = 128;

/// Files that one warning names.
pub const WARNING_FILES_MAX: usize = 8;
/// `source_unavailable` warnings of one answer that name their file; one more counts the rest.
pub const SOURCE_UNAVAILABLE_MAX: usize = 8;
/// Package warnings of one answer, together.
pub const PACKAGE_WARNINGS_MAX: usize = 8;

/// Languages of the map.
pub const MAP_LANGUAGES_MAX: usize = 128;
/// Modules of one list of the map.
pub const MAP_MODULES_MAX: usize = 1_000;
/// Levels of the map's module tree.
pub const MAP_MODULE_DEPTH: usize = 3;
/// Hubs of the map.
pub const MAP_HUBS_MAX: usize = 20;
/// Entry points of the map.
pub const MAP_ENTRY_POINTS_MAX: usize = 50;
/// Documentation files of the map.
pub const MAP_DOCS_MAX: usize = 100;
/// Module pairs of the map.
pub const MAP_RELATIONSHIPS_MAX: usize = 100;

/// Entries of the dependency context of one read.
pub const CONTEXT_ENTRIES_MAX: usize = 20_000;

/// Source units of one workspace page.
pub const WORKSPACE_PAGE_UNITS: usize = 1_000;
/// Languages of one workspace page.
pub const WORKSPACE_LANGUAGES_MAX: usize = 64;
/// Patterns of one list of a workspace language.
pub const WORKSPACE_PATTERNS_MAX: usize = 64;

/// Bytes of a commit hit's message.
pub const COMMIT_MESSAGE_MAX: usize = 4096;
/// Paths of a commit hit.
pub const COMMIT_PATHS_MAX: usize = 32;

/// Characters of a failure's message.
pub const ERROR_MESSAGE_MAX: usize = 4096;
/// Diagnostics of a failure.
pub const ERROR_DIAGNOSTICS_MAX: usize = 64;
/// Links of a failure's chain of causes.
pub const ERROR_CAUSES_MAX: usize = 8;

/// Bytes of one answer's compact text.
pub const TEXT_MAX: usize = 1 << 20;
