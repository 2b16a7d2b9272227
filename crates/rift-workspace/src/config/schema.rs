//! Every table and key of `rift.toml`: what it may hold, and whether this version serves it.
//!
//! A key whose feature does not exist yet is described like the others, so that a mistake in it is named for what it is;
//! a file that states it is then refused, because it would have no effect in silence.

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) served: Served,
    pub(super) required: bool,
}

/// Whether this version does something with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Served {
    Yes,
    No,
    /// Only this value: the one that says what is the case anyway.
    Only(bool),
}

/// What a value may be. Bounds include both ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    Bool,
    Integer(u64, u64),
    Number(f64, f64),
    /// A size with its unit; bounds in bytes.
    Size(u64, u64),
    /// A duration with its unit; bounds in milliseconds.
    Duration(u64, u64),
    /// A string of 1 to so many bytes.
    Text(usize),
    /// What is recorded, in the syntax of `RUST_LOG`; at most so many bytes.
    Filter(usize),
    Choice(&'static [&'static str]),
    /// A path below the root; the empty one is the root.
    Path,
    /// At most so many items.
    List(usize, Item),
    /// A JSON object: any table.
    Object,
    Table(&'static [Key]),
    /// At most so many tables, each under a name of the user's.
    Entries(usize, Name, &'static [Key]),
    /// An array of at most so many tables.
    Tables(usize, &'static [Key]),
    /// At most so many strings, each under a name of the user's.
    Strings(usize, Name),
    /// A program: a string without whitespace, or a list of a program and at most 64 arguments.
    Command,
    /// The name of an `[lsp.<process>]` table, or such a table.
    Process,
}

/// What an item of a list may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Pattern,
    FileName,
    Language,
    /// A string of at most so many bytes.
    Text(usize),
}

/// What a name of the user's may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Language,
    /// `[a-z][a-z0-9_-]*`, and none of `local`, `global`, `all`.
    Registration,
    /// An environment variable's.
    Variable,
}

/// The most arguments a command has.
pub(super) const ARGUMENTS_MAX: usize = 64;
/// The most bytes a program or an argument has.
pub(super) const ARGUMENT_BYTES_MAX: usize = 4096;

/// The most bytes that the path of a model has.
const MODEL_BYTES_MAX: usize = 4096;

const KB: u64 = 1 << 10;
const MB: u64 = 1 << 20;
const GB: u64 = 1 << 30;
const S: u64 = 1000;
const M: u64 = 60 * S;
const H: u64 = 60 * M;
const D: u64 = 24 * H;

const fn key(name: &'static str, shape: Shape) -> Key {
    Key { name, shape, served: Served::Yes, required: false }
}

const fn unserved(name: &'static str, shape: Shape) -> Key {
    Key { name, shape, served: Served::No, required: false }
}

const fn required(name: &'static str, shape: Shape) -> Key {
    Key { name, shape, served: Served::Yes, required: true }
}

use Shape::{
    Bool, Choice, Command, Duration, Entries, Filter, Integer, List, Number, Object, Path, Process, Size, Strings,
    Table, Tables, Text,
};

/// The file.
pub(super) const FILE: &[Key] = &[
    key("source", Table(SOURCE)),
    key("languages", Entries(64, Name::Language, LANGUAGE)),
    unserved("lsp", Entries(16, Name::Language, LSP)),
    key("providers", Table(PROVIDERS)),
    key("search", Table(SEARCH)),
    key("server", Table(SERVER)),
    key("logs", Table(LOGS)),
    key("dependencies", Table(DEPENDENCIES)),
    key("global", Table(GLOBAL)),
    unserved("mcp", Table(&[key("extra", Strings(1024, Name::Registration))])),
    unserved("local", Entries(64, Name::Registration, PROFILE)),
    unserved("documentation", Table(DOCUMENTATION)),
    unserved("hooks", Tables(32, HOOK)),
    unserved("execution", Table(EXECUTION)),
];

const SOURCE: &[Key] = &[
    key("include", List(512, Item::Pattern)),
    key("exclude", List(512, Item::Pattern)),
    key("force_include", List(512, Item::Pattern)),
    key("respect_gitignore", Bool),
    key("files", Integer(1000, 5_000_000)),
    key("workspace_size", Size(16 * MB, 64 * GB)),
];

const LANGUAGE: &[Key] = &[
    key("enabled", Bool),
    key("include", List(64, Item::Pattern)),
    key("exclude", List(64, Item::Pattern)),
    unserved("lsp", Process),
];

pub(super) const LSP: &[Key] = &[
    key("command", Command),
    key("embedded", Choice(&["ty"])),
    key("environment", Strings(64, Name::Variable)),
    key("initialization_options", Object),
    key("startup_timeout", Duration(S, 10 * M)),
    key("request_timeout", Duration(S, 10 * M)),
    key("settle_delay", Duration(10, M)),
    key("output_limit", Size(KB, 8 * MB)),
    key(
        "retry",
        Table(&[
            key("attempts", Integer(1, 64)),
            key("delay", Duration(1, M)),
            key("delay_limit", Duration(1, 10 * M)),
        ]),
    ),
    key("restart", Table(&[key("attempts", Integer(0, 16)), key("window", Duration(S, D))])),
];

const PROVIDERS: &[Key] = &[
    key("syntax", Table(&[key("max_file", Size(64 * KB, 64 * MB))])),
    unserved("history", Table(HISTORY)),
    key("binding", Table(BINDING)),
];

const HISTORY: &[Key] = &[
    key("enabled", Bool),
    key("max_revisions", Integer(1, 100_000)),
    key("strategy", Choice(&["full", "selective"])),
    key("releases", List(64, Item::Text(256))),
];

const BINDING: &[Key] = &[
    key("enabled", Bool),
    key("max_unit_scopes", Integer(1, 40_960)),
    key("max_unit_definitions", Integer(1, 163_840)),
    key("max_unit_references", Integer(1, 655_360)),
    key("max_unit_links", Integer(1, 40_960)),
    unserved("max_graph_nodes", Integer(1, 20_000_000)),
    unserved("max_graph_links", Integer(1, 5_000_000)),
    key("max_reference_work", Integer(1, 409_600)),
    key("max_path_depth", Integer(1, 640)),
    key("max_reference_targets", Integer(1, 256)),
    unserved("max_publication_work", Integer(1, 5_000_000_000)),
];

const SEARCH: &[Key] = &[
    unserved("pool_slots", Integer(1, 16)),
    unserved("busy_timeout", Duration(100, 30 * S)),
    unserved("journal_size_limit", Size(MB, 16 * GB)),
    key("pattern_compiled_size", Size(64 * KB, 64 * MB)),
    key("pattern_candidate_rows", Integer(100, 1_000_000)),
    key("pattern_verified_size", Size(MB, 4 * GB)),
    key("pattern_matches_per_file", Integer(1, 100_000)),
    key("symbol_alternatives_work", Integer(1000, 10_000_000_000)),
    key("symbol_alternatives_lowercase_work", Integer(1, 1000)),
    key("text", Table(TEXT)),
    key("lexical", Table(LEXICAL)),
    key("ranking", Table(RANKING)),
    key("vector", Table(VECTOR)),
];

const TEXT: &[Key] = &[
    key("include", List(64, Item::Pattern)),
    key("max_chunk", Size(KB, 16 * MB)),
    key("large_files", Choice(&["split", "skip"])),
    key("excluded_lockfiles", List(64, Item::FileName)),
];

const LEXICAL: &[Key] = &[
    key("units_max", Integer(1000, 50_000_000)),
    unserved("transaction_units", Integer(1, 1_000_000)),
    unserved("transaction_size", Size(64 * KB, GB)),
    unserved("mmap_size", Size(0, 64 * GB)),
];

const RANKING: &[Key] = &[
    key("identifier_weight", Number(0.0, 1.0)),
    key("lexical_weight", Number(0.0, 1.0)),
    key("vector_weight", Number(0.0, 1.0)),
    key("fusion_k", Integer(1, 1000)),
];

const VECTOR: &[Key] = &[
    key("disabled", Bool),
    key("candidates", Integer(1, 1000)),
    key("candidates_per_file", Integer(1, 64)),
    key("max_vectors", Integer(1000, 1_000_000)),
    key("embedding", Table(EMBEDDING)),
];

/// Of the kinds, `directory` is served alone, and it must be stated (`rules.rs`): the others fetch something.
const EMBEDDING: &[Key] = &[
    key("kind", Choice(&["hf", "directory", "openai_compatible"])),
    key("model", Text(MODEL_BYTES_MAX)),
    unserved("download_timeout", Duration(10 * S, H)),
    unserved("download_attempts", Integer(1, 10)),
    unserved("batch_inputs", Integer(1, 2048)),
    key("max_tokens", Integer(32, 512)),
    unserved("endpoint", Text(2048)),
    unserved("revision", Text(128)),
    unserved("dimensions", Integer(1, 16_384)),
    unserved("api_key_env", Text(256)),
    unserved("request_timeout", Duration(S, 5 * M)),
    unserved("attempts", Integer(1, 10)),
    unserved("max_in_flight", Integer(1, 32)),
];

const SERVER: &[Key] = &[
    key("num_workers", Integer(1, 64)),
    key("worker_queue_timeout", Duration(1, H)),
    key("idle_timeout", Duration(S, D)),
    key("readiness_timeout", Duration(S, H)),
    key("port", Integer(1024, 65_535)),
    key("port_range", Table(&[required("min", Integer(1024, 65_535)), required("max", Integer(1024, 65_535))])),
    key("validation_interval", Duration(S, D)),
    key("version_control_timeout", Duration(1, H)),
];

const LOGS: &[Key] = &[
    key("retention_records", Integer(100, 1_000_000)),
    key("page_records", Integer(1, 5000)),
    key("capture", Filter(4096)),
];

const DEPENDENCIES: &[Key] = &[
    key("resolution", Choice(&["auto", "static"])),
    key("packages", Tables(20_000, PACKAGE)),
    key("command_timeout", Duration(S, H)),
];

const PACKAGE: &[Key] = &[
    required("manager", Text(128)),
    required("name", Text(4096)),
    key("version", Text(4096)),
    key("requirement", Text(4096)),
];

const GLOBAL: &[Key] = &[
    Key { name: "enabled", shape: Bool, served: Served::Only(false), required: false },
    unserved("endpoint", Text(2048)),
    unserved("api_key_env", Text(256)),
    unserved("request_timeout", Duration(S, 5 * M)),
    unserved("attempts", Integer(1, 10)),
];

const PROFILE: &[Key] = &[
    key("root", Path),
    key("include", List(512, Item::Pattern)),
    key("exclude", List(512, Item::Pattern)),
    key("languages", Entries(64, Name::Language, LANGUAGE)),
];

const DOCUMENTATION: &[Key] = &[key("include", List(512, Item::Pattern)), key("exclude", List(512, Item::Pattern))];

const HOOK: &[Key] = &[
    required("type", Choice(&["command"])),
    required("id", Text(64)),
    required("kind", Choice(&["test", "lint", "build", "other"])),
    required("program", Text(ARGUMENT_BYTES_MAX)),
    key("arguments", List(ARGUMENTS_MAX, Item::Text(ARGUMENT_BYTES_MAX))),
    key("changed_paths", Choice(&["none", "append"])),
    key("working_directory", Path),
    key("environment", Strings(64, Name::Variable)),
    key("timeout", Duration(1, H)),
    key("output_limit", Size(256, 4 * KB)),
    key(
        "guarantees",
        Tables(16, &[required("kind", Text(128)), required("scope", Text(4096)), key("detail", Text(4096))]),
    ),
    key("determinism", Choice(&["deterministic", "best_effort"])),
    key("include", List(64, Item::Pattern)),
    key("exclude", List(64, Item::Pattern)),
    key("mode", Choice(&["transform", "validation"])),
    key("writes", List(64, Item::Pattern)),
    key("severity", Choice(&["warning", "error"])),
];

const EXECUTION: &[Key] = &[
    key("allow", List(64, Item::Language)),
    key("max_code", Size(1, 32 * KB)),
    key("max_timeout", Duration(1, D)),
    key("max_output", Size(0, 16 * KB)),
    key("max_concurrent", Integer(1, 64)),
];
