//! The configuration's types: what `rift.toml` may say, with the defaults of each table. Reading and
//! validating the file is rift-workspace's work.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::Language;

/// A validated configuration. [`Config::default`] is an absent `rift.toml`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// `[source]`.
    pub source: SourceConfig,
    /// `[languages.<identity>]`, by identity: only the entries that the file states.
    pub languages: BTreeMap<Language, LanguageConfig>,
    /// `[providers.syntax]`.
    pub syntax: SyntaxConfig,
    /// `[providers.binding]`.
    pub binding: BindingConfig,
    /// `[search]` and its subtables.
    pub search: SearchConfig,
    /// `[server]`.
    pub server: ServerConfig,
    /// `[logs]`.
    pub logs: LogsConfig,
    /// `[dependencies]`.
    pub dependencies: DependenciesConfig,
}

/// `[source]`: what belongs to the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceConfig {
    /// Globs a file must match to be visible; none means every file.
    pub include: Vec<String>,
    /// Globs that drop a file.
    pub exclude: Vec<String>,
    /// Globs that keep a file past .gitignore and past `include`.
    pub force_include: Vec<String>,
    /// Whether the workspace's .gitignore files hide files.
    pub respect_gitignore: bool,
    /// The most files the catalog holds.
    pub files: u64,
    /// The most bytes the catalog holds.
    pub workspace_size: u64,
}

impl Default for SourceConfig {
    fn default() -> Self {
        Self {
            include: Vec::new(),
            exclude: Vec::new(),
            force_include: Vec::new(),
            respect_gitignore: true,
            files: 100_000,
            workspace_size: 512 << 20,
        }
    }
}

/// `[languages.<identity>]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageConfig {
    /// `false` turns the provider off for the matched paths; they stay searchable text.
    pub enabled: bool,
    /// Globs in place of the provider's own; absent keeps those.
    pub include: Option<Vec<String>>,
    /// Globs of paths the entry does not claim.
    pub exclude: Vec<String>,
}

impl Default for LanguageConfig {
    fn default() -> Self {
        Self { enabled: true, include: None, exclude: Vec::new() }
    }
}

/// `[providers.syntax]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxConfig {
    /// Bytes past which a file is searchable text but not parsed.
    pub max_file: u64,
}

impl Default for SyntaxConfig {
    fn default() -> Self {
        Self { max_file: 4 << 20 }
    }
}

/// `[providers.binding]`: what finding out who refers to what may cost. A file past a bound on units has no bindings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BindingConfig {
    /// `false` leaves everything unbound.
    pub enabled: bool,
    /// Scopes of one file.
    pub max_unit_scopes: u64,
    /// Names that the scopes of one file bind.
    pub max_unit_definitions: u64,
    /// References of one file.
    pub max_unit_references: u64,
    /// Imports and exports of one file.
    pub max_unit_links: u64,
    /// Steps that placing one reference may take.
    pub max_reference_work: u64,
    /// Names that may lead from one to the next on the way to a declaration.
    pub max_path_depth: u64,
    /// Declarations that one name may mean.
    pub max_reference_targets: u64,
}

impl Default for BindingConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            max_unit_scopes: 4_096,
            max_unit_definitions: 16_384,
            max_unit_references: 65_536,
            max_unit_links: 4_096,
            max_reference_work: 4_096,
            max_path_depth: 64,
            max_reference_targets: 64,
        }
    }
}

/// What becomes of files past `[search.text] max_chunk`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LargeFiles {
    /// Their text is indexed in several chunks.
    #[default]
    Split,
    /// Their text is left out, and answers say so.
    Skip,
}

/// `[search]` with `[search.text]`, `[search.lexical]`, `[search.ranking]` and `[search.vector]`.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchConfig {
    /// Work units that finding the closest names of a missing symbol may spend.
    pub symbol_alternatives_work: u64,
    /// Work units that lower-casing one byte costs there.
    pub symbol_alternatives_lowercase_work: u64,
    /// Bytes that a pattern's matcher may compile to.
    pub pattern_compiled_size: u64,
    /// Files that the trigram index may select for one pattern.
    pub pattern_candidate_rows: u64,
    /// Bytes of text that one pattern may be looked for in.
    pub pattern_verified_size: u64,
    /// Matches of a pattern that one file contributes.
    pub pattern_matches_per_file: u64,
    /// `[search.text] include`.
    pub text_include: Vec<String>,
    /// `[search.text] max_chunk`, in bytes.
    pub text_max_chunk: u64,
    /// `[search.text] large_files`.
    pub large_files: LargeFiles,
    /// `[search.text] excluded_lockfiles`: file names.
    pub excluded_lockfiles: Vec<String>,
    /// `[search.lexical] units_max`.
    pub units_max: u64,
    /// `[search.ranking]`.
    pub ranking: RankingConfig,
    /// `[search.vector]`.
    pub vector: VectorConfig,
}

/// Lockfile names that `[search.text] excluded_lockfiles` lists by default.
pub const DEFAULT_LOCKFILES: &[&str] =
    &["Cargo.lock", "package-lock.json", "bun.lock", "uv.lock", "yarn.lock", "pnpm-lock.yaml", "poetry.lock"];

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            symbol_alternatives_work: 20_000_000,
            symbol_alternatives_lowercase_work: 4,
            pattern_compiled_size: 1 << 20,
            pattern_candidate_rows: 10_000,
            pattern_verified_size: 256 << 20,
            pattern_matches_per_file: 1_000,
            text_include: vec!["**".to_owned()],
            text_max_chunk: 1 << 20,
            large_files: LargeFiles::Split,
            excluded_lockfiles: DEFAULT_LOCKFILES.iter().map(|s| (*s).to_owned()).collect(),
            units_max: 1_000_000,
            ranking: RankingConfig::default(),
            vector: VectorConfig::default(),
        }
    }
}

/// `[search.ranking]`: how rankings are fused by reciprocal rank, `Σ w / (k + rank)` over ranks from 1
/// (Cormack, Clarke and Büttcher, SIGIR 2009).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankingConfig {
    /// Weight of the identifier ranking.
    pub identifier_weight: f64,
    /// Weight of the full-text ranking.
    pub lexical_weight: f64,
    /// Weight of the vector ranking.
    pub vector_weight: f64,
    /// The `k` of the formula.
    pub fusion_k: u64,
}

impl Default for RankingConfig {
    fn default() -> Self {
        Self { identifier_weight: 0.35, lexical_weight: 0.35, vector_weight: 0.30, fusion_k: 60 }
    }
}

/// `[search.vector]`: a third ranking, by the nearness of embeddings. Without a model there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorConfig {
    /// Turns the ranking off, whatever model is stated.
    pub disabled: bool,
    /// The most rows that the ranking holds.
    pub candidates: u64,
    /// The most rows of one file among them.
    pub candidates_per_file: u64,
    /// The most vectors of a workspace; one with more has no such ranking.
    pub max_vectors: u64,
    /// `[search.vector.embedding]`: the model; none is ever chosen by default.
    pub embedding: Option<EmbeddingConfig>,
}

impl Default for VectorConfig {
    fn default() -> Self {
        Self { disabled: false, candidates: 200, candidates_per_file: 3, max_vectors: 200_000, embedding: None }
    }
}

impl VectorConfig {
    /// The model to rank with; absent when there is to be no ranking.
    pub fn wanted(&self) -> Option<&EmbeddingConfig> {
        self.embedding.as_ref().filter(|_| !self.disabled)
    }
}

/// `[search.vector.embedding]`, of the kind `directory`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingConfig {
    /// The directory with `config.json`, `tokenizer.json` and `model.safetensors`; relative to the root.
    pub model: String,
    /// The tokens of a text that are embedded.
    pub max_tokens: u64,
}

impl EmbeddingConfig {
    /// The default of `max_tokens`.
    pub const MAX_TOKENS: u64 = 256;
}

/// `[server]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerConfig {
    /// Requests that run at once.
    pub num_workers: u64,
    /// How long a request may wait for a worker.
    pub worker_queue_timeout: Duration,
    /// How long an idle server lives.
    pub idle_timeout: Duration,
    /// How long a read may wait for a publication.
    pub readiness_timeout: Duration,
    /// A fixed port; excludes a stated `port_range`.
    pub port: Option<u16>,
    /// Ports to choose from, both ends included.
    pub port_range: (u16, u16),
    /// How often the publication is validated without an event.
    pub validation_interval: Duration,
    /// How long to wait for git's `index.lock`.
    pub version_control_timeout: Duration,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            num_workers: 4,
            worker_queue_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(30 * 60),
            readiness_timeout: Duration::from_secs(30),
            port: None,
            port_range: (12000, 13000),
            validation_interval: Duration::from_secs(5 * 60),
            version_control_timeout: Duration::from_secs(5),
        }
    }
}

/// `[logs]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogsConfig {
    /// Records kept.
    pub retention_records: u64,
    /// Records of one page.
    pub page_records: u64,
    /// What is recorded, in `RUST_LOG` syntax.
    pub capture: String,
}

impl Default for LogsConfig {
    fn default() -> Self {
        Self {
            retention_records: 50_000,
            page_records: 500,
            capture: "rift=info,rift_mcp=info,rift_server=info,rift_index=warn".to_owned(),
        }
    }
}

/// Where what no file states about a toolchain comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resolution {
    /// The toolchains that are installed are asked for their releases.
    #[default]
    Auto,
    /// Files alone are read; no program is run.
    Static,
}

impl Resolution {
    /// The word in `rift.toml`.
    pub fn word(self) -> &'static str {
        match self {
            Resolution::Auto => "auto",
            Resolution::Static => "static",
        }
    }
}

/// A package that `[dependencies] packages` states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredPackage {
    /// The package manager.
    pub manager: String,
    /// The name.
    pub name: String,
    /// The exact version, or a requirement.
    pub selector: PackageSelector,
}

/// Which release of a package is meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PackageSelector {
    /// Any that this requirement admits, in the manager's syntax.
    Requirement(String),
    /// Exactly this one.
    Version(String),
}

/// `[dependencies]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependenciesConfig {
    /// Whether programs may be run.
    pub resolution: Resolution,
    /// Packages that take the place of what files state of them, or join it.
    pub packages: Vec<ConfiguredPackage>,
    /// How long one such program may take.
    pub command_timeout: Duration,
}

impl Default for DependenciesConfig {
    fn default() -> Self {
        Self { resolution: Resolution::Auto, packages: Vec::new(), command_timeout: Duration::from_secs(2 * 60) }
    }
}
