//! The workspace on disk: where it begins, what its `rift.toml` says, which files it has, what they hold,
//! and which of it the index takes. Everything that reads the project's files is here; nothing here
//! parses source.

#![allow(clippy::disallowed_methods, reason = "this crate is where files are read")]

mod binary;
mod compilation;
mod config;
mod dependencies;
mod discover;
mod ecmascript;
mod git;
mod ignore_rules;
mod indexing;
mod kind;
mod languages;
mod manifest;
mod pattern;
mod priority;
mod read;
mod root;
mod stamp;
mod survey;
mod toolchains;
mod watch;

pub use binary::is_binary_name;
pub use compilation::{COMPILE_COMMANDS, CompileCommand, compile_commands};
pub use config::{
    CONFIG_BYTES_MAX, CONFIG_PROBLEMS_MAX, ConfigEditError, ConfigEntry, ConfigError, ConfigProblem, EditProblem,
    Edited, LoadedConfig, config_to_toml, get_config, load_config, load_config_file, parse_config, set_config,
    unset_config, validate_config,
};
pub use dependencies::{
    DEPENDENCY_FILE_BYTES_MAX, DEPENDENCY_FILE_PACKAGES_MAX, DeclaredPackage, DependencyFile, PackageSource,
    PinnedPackage, RuntimeSelector, StandardLibrary, StatedDependencies, parse_dependencies,
};
pub use discover::{
    CatalogError, Discovery, FileEntry, Omission, OmissionReason, Outside, RuleProblem, check_bounds, discover,
    discover_watched, find_outside, look_again,
};
pub use ecmascript::{
    MODULE_RULES_MAX, ModuleRules, NpmPackage, TypeScriptConfig, parse_npm_package, parse_pnpm_workspace,
    parse_typescript_config,
};
pub use indexing::IndexRules;
pub use kind::source_kind;
pub use languages::{LanguageConflict, LanguageEntry, LanguageMap, LanguagePatternError};
pub use manifest::{
    CargoManifest, CargoTarget, CargoTargetKind, MANIFEST_NAMES, Manifest, is_manifest_name, parse_manifest,
};
pub use pattern::{PATTERN_BYTES_MAX, PathPatterns, PatternError, PatternViolation};
pub use priority::yield_to_others;
pub use read::{Encoding, FILE_BYTES_MAX, FileContent, Reader, read_file};
pub use root::{CONFIG_FILE, Root, RootError, RootReason, find_root, stated_root};
pub use stamp::FileStamp;
pub use survey::{
    LanguageSurvey, LeftOutFiles, LeftOutReason, SURVEY_NAMES_MAX, Survey, SurveyError, folder_sizes, survey,
};
pub use toolchains::installed_release;
pub use watch::{Moved, ScanReason, WRITER_PATIENCE, WatchKind, WatchMode, WatchStatus, Watcher};
