//! The configuration that a checked `rift.toml` states, and the other way round.

use std::fmt::Write as _;

use rift_base::{
    BindingConfig, Config, ConfiguredPackage, DependenciesConfig, EmbeddingConfig, Language, LargeFiles, LogsConfig,
    PackageSelector, RankingConfig, Resolution, SearchConfig, ServerConfig, SourceConfig, VectorConfig,
};
use toml::de::{DeTable, DeValue};

use super::check::{integer, join, number};
use super::units::{parse_duration, parse_size, show_duration, show_size};

/// A table, or the absence of one, from which stated values overwrite defaults.
#[derive(Clone, Copy)]
struct Stated<'a, 'i>(Option<&'a DeTable<'i>>);

impl<'a, 'i> Stated<'a, 'i> {
    fn value(self, key: &str) -> Option<&'a DeValue<'i>> {
        Some(self.0?.get(key)?.get_ref())
    }

    fn table(self, key: &str) -> Self {
        Self(self.value(key).and_then(DeValue::as_table))
    }

    fn text(self, key: &str) -> Option<&'a str> {
        self.value(key)?.as_str()
    }

    fn boolean(self, key: &str, into: &mut bool) {
        *into = self.value(key).and_then(DeValue::as_bool).unwrap_or(*into);
    }

    fn unsigned(self, key: &str) -> Option<u64> {
        u64::try_from(integer(self.value(key)?.as_integer()?)?).ok()
    }

    fn integer(self, key: &str, into: &mut u64) {
        *into = self.unsigned(key).unwrap_or(*into);
    }

    fn number(self, key: &str, into: &mut f64) {
        *into = self.value(key).and_then(number).unwrap_or(*into);
    }

    fn size(self, key: &str, into: &mut u64) {
        *into = self.text(key).and_then(parse_size).unwrap_or(*into);
    }

    fn duration(self, key: &str, into: &mut std::time::Duration) {
        *into = self.text(key).and_then(parse_duration).unwrap_or(*into);
    }

    fn strings(self, key: &str) -> Option<Vec<String>> {
        let items = self.value(key)?.as_array()?;
        Some(items.iter().filter_map(|item| item.get_ref().as_str()).map(str::to_owned).collect())
    }

    fn list(self, key: &str, into: &mut Vec<String>) {
        if let Some(items) = self.strings(key) {
            *into = items;
        }
    }
}

/// The configuration of a file that has no problem.
pub(super) fn build(file: &DeTable<'_>) -> Config {
    let mut config = Config::default();
    let file = Stated(Some(file));
    source(&mut config.source, file.table("source"));
    for (name, _) in file.table("languages").0.into_iter().flatten() {
        let Some(language) = Language::new(name.get_ref()) else { continue };
        let stated = file.table("languages").table(name.get_ref());
        let entry = config.languages.entry(language).or_default();
        stated.boolean("enabled", &mut entry.enabled);
        entry.include = stated.strings("include");
        stated.list("exclude", &mut entry.exclude);
    }
    file.table("providers").table("syntax").size("max_file", &mut config.syntax.max_file);
    binding(&mut config.binding, file.table("providers").table("binding"));
    search(&mut config.search, file.table("search"));
    server(&mut config.server, file.table("server"));
    logs(&mut config.logs, file.table("logs"));
    dependencies(&mut config.dependencies, file.table("dependencies"));
    config
}

fn source(source: &mut SourceConfig, stated: Stated<'_, '_>) {
    stated.list("include", &mut source.include);
    stated.list("exclude", &mut source.exclude);
    stated.list("force_include", &mut source.force_include);
    stated.boolean("respect_gitignore", &mut source.respect_gitignore);
    stated.integer("files", &mut source.files);
    stated.size("workspace_size", &mut source.workspace_size);
}

fn binding(binding: &mut BindingConfig, stated: Stated<'_, '_>) {
    stated.boolean("enabled", &mut binding.enabled);
    stated.integer("max_unit_scopes", &mut binding.max_unit_scopes);
    stated.integer("max_unit_definitions", &mut binding.max_unit_definitions);
    stated.integer("max_unit_references", &mut binding.max_unit_references);
    stated.integer("max_unit_links", &mut binding.max_unit_links);
    stated.integer("max_reference_work", &mut binding.max_reference_work);
    stated.integer("max_path_depth", &mut binding.max_path_depth);
    stated.integer("max_reference_targets", &mut binding.max_reference_targets);
}

fn search(search: &mut SearchConfig, stated: Stated<'_, '_>) {
    stated.integer("symbol_alternatives_work", &mut search.symbol_alternatives_work);
    stated.integer("symbol_alternatives_lowercase_work", &mut search.symbol_alternatives_lowercase_work);
    stated.size("pattern_compiled_size", &mut search.pattern_compiled_size);
    stated.integer("pattern_candidate_rows", &mut search.pattern_candidate_rows);
    stated.size("pattern_verified_size", &mut search.pattern_verified_size);
    stated.integer("pattern_matches_per_file", &mut search.pattern_matches_per_file);
    let text = stated.table("text");
    text.list("include", &mut search.text_include);
    text.size("max_chunk", &mut search.text_max_chunk);
    if let Some(word) = text.text("large_files") {
        search.large_files = if word == "skip" { LargeFiles::Skip } else { LargeFiles::Split };
    }
    text.list("excluded_lockfiles", &mut search.excluded_lockfiles);
    stated.table("lexical").integer("units_max", &mut search.units_max);
    let (ranking, into): (_, &mut RankingConfig) = (stated.table("ranking"), &mut search.ranking);
    ranking.number("identifier_weight", &mut into.identifier_weight);
    ranking.number("lexical_weight", &mut into.lexical_weight);
    ranking.number("vector_weight", &mut into.vector_weight);
    ranking.integer("fusion_k", &mut into.fusion_k);
    vector(&mut search.vector, stated.table("vector"));
}

fn vector(vector: &mut VectorConfig, stated: Stated<'_, '_>) {
    stated.boolean("disabled", &mut vector.disabled);
    stated.integer("candidates", &mut vector.candidates);
    stated.integer("candidates_per_file", &mut vector.candidates_per_file);
    stated.integer("max_vectors", &mut vector.max_vectors);
    let embedding = stated.table("embedding");
    vector.embedding = embedding.text("model").map(|model| {
        let mut config = EmbeddingConfig { model: model.to_owned(), max_tokens: EmbeddingConfig::MAX_TOKENS };
        embedding.integer("max_tokens", &mut config.max_tokens);
        config
    });
}

fn vector_sections(vector: &VectorConfig) -> Vec<(String, Vec<(&'static str, String)>)> {
    let own = vec![
        ("disabled", vector.disabled.to_string()),
        ("candidates", vector.candidates.to_string()),
        ("candidates_per_file", vector.candidates_per_file.to_string()),
        ("max_vectors", vector.max_vectors.to_string()),
    ];
    let embedding = vector.embedding.as_ref().map(|embedding| {
        let keys = vec![
            ("kind", quoted("directory")),
            ("model", quoted(&embedding.model)),
            ("max_tokens", embedding.max_tokens.to_string()),
        ];
        ("search.vector.embedding".to_owned(), keys)
    });
    std::iter::once(("search.vector".to_owned(), own)).chain(embedding).collect()
}

fn server(server: &mut ServerConfig, stated: Stated<'_, '_>) {
    let port = |stated: Stated<'_, '_>, key: &str| stated.unsigned(key).and_then(|port| u16::try_from(port).ok());
    stated.integer("num_workers", &mut server.num_workers);
    stated.duration("worker_queue_timeout", &mut server.worker_queue_timeout);
    stated.duration("idle_timeout", &mut server.idle_timeout);
    stated.duration("readiness_timeout", &mut server.readiness_timeout);
    server.port = port(stated, "port");
    let range = stated.table("port_range");
    if let (Some(min), Some(max)) = (port(range, "min"), port(range, "max")) {
        server.port_range = (min, max);
    }
    stated.duration("validation_interval", &mut server.validation_interval);
    stated.duration("version_control_timeout", &mut server.version_control_timeout);
}

fn logs(logs: &mut LogsConfig, stated: Stated<'_, '_>) {
    stated.integer("retention_records", &mut logs.retention_records);
    stated.integer("page_records", &mut logs.page_records);
    if let Some(capture) = stated.text("capture") {
        logs.capture = capture.to_owned();
    }
}

fn dependencies(dependencies: &mut DependenciesConfig, stated: Stated<'_, '_>) {
    if let Some(word) = stated.text("resolution") {
        dependencies.resolution = if word == "static" { Resolution::Static } else { Resolution::Auto };
    }
    stated.duration("command_timeout", &mut dependencies.command_timeout);
    let tables = stated.value("packages").and_then(DeValue::as_array).into_iter().flatten();
    for package in tables.map(|package| Stated(package.get_ref().as_table())) {
        let text = |key: &str| package.text(key).map(str::to_owned);
        let version = text("version").map(PackageSelector::Version);
        let selector = version.or_else(|| text("requirement").map(PackageSelector::Requirement));
        if let (Some(manager), Some(name), Some(selector)) = (text("manager"), text("name"), selector) {
            dependencies.packages.push(ConfiguredPackage { manager, name, selector });
        }
    }
}

fn dependencies_keys(dependencies: &DependenciesConfig) -> Vec<(&'static str, String)> {
    let packages = dependencies.packages.iter().map(|package| {
        let (key, value) = match &package.selector {
            PackageSelector::Version(version) => ("version", version),
            PackageSelector::Requirement(requirement) => ("requirement", requirement),
        };
        let (manager, name) = (quoted(&package.manager), quoted(&package.name));
        format!("{{ manager = {manager}, name = {name}, {key} = {} }}", quoted(value))
    });
    vec![
        ("resolution", quoted(dependencies.resolution.word())),
        ("packages", format!("[{}]", packages.collect::<Vec<_>>().join(", "))),
        ("command_timeout", quoted(&show_duration(dependencies.command_timeout))),
    ]
}

/// A string in TOML's basic form.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
    format!("[{}]", items.join(", "))
}

fn server_keys(server: &ServerConfig) -> Vec<(&'static str, String)> {
    let duration = |duration| quoted(&show_duration(duration));
    let port = match server.port {
        Some(port) => ("port", port.to_string()),
        None => ("port_range", format!("{{ min = {}, max = {} }}", server.port_range.0, server.port_range.1)),
    };
    vec![
        ("num_workers", server.num_workers.to_string()),
        ("worker_queue_timeout", duration(server.worker_queue_timeout)),
        ("idle_timeout", duration(server.idle_timeout)),
        ("readiness_timeout", duration(server.readiness_timeout)),
        port,
        ("validation_interval", duration(server.validation_interval)),
        ("version_control_timeout", duration(server.version_control_timeout)),
    ]
}

/// The `rift.toml` that states every served key of a configuration. Parsing it gives the configuration back,
/// as far as it was valid.
pub fn config_to_toml(config: &Config) -> String {
    let (source, search, ranking) = (&config.source, &config.search, &config.search.ranking);
    let large_files = if search.large_files == LargeFiles::Skip { "skip" } else { "split" };
    let mut sections = vec![(
        "source".to_owned(),
        vec![
            ("include", list(&source.include)),
            ("exclude", list(&source.exclude)),
            ("force_include", list(&source.force_include)),
            ("respect_gitignore", source.respect_gitignore.to_string()),
            ("files", source.files.to_string()),
            ("workspace_size", quoted(&show_size(source.workspace_size))),
        ],
    )];
    for (language, entry) in &config.languages {
        let mut keys = vec![("enabled", entry.enabled.to_string())];
        keys.extend(entry.include.as_ref().map(|include| ("include", list(include))));
        keys.push(("exclude", list(&entry.exclude)));
        sections.push((join("languages", language.as_str()), keys));
    }
    sections.push(("providers.syntax".to_owned(), vec![("max_file", quoted(&show_size(config.syntax.max_file)))]));
    sections.push(("providers.binding".to_owned(), binding_keys(&config.binding)));
    sections.push((
        "search".to_owned(),
        vec![
            ("pattern_compiled_size", quoted(&show_size(search.pattern_compiled_size))),
            ("pattern_candidate_rows", search.pattern_candidate_rows.to_string()),
            ("pattern_verified_size", quoted(&show_size(search.pattern_verified_size))),
            ("pattern_matches_per_file", search.pattern_matches_per_file.to_string()),
            ("symbol_alternatives_work", search.symbol_alternatives_work.to_string()),
            ("symbol_alternatives_lowercase_work", search.symbol_alternatives_lowercase_work.to_string()),
        ],
    ));
    sections.push((
        "search.text".to_owned(),
        vec![
            ("include", list(&search.text_include)),
            ("max_chunk", quoted(&show_size(search.text_max_chunk))),
            ("large_files", quoted(large_files)),
            ("excluded_lockfiles", list(&search.excluded_lockfiles)),
        ],
    ));
    sections.push(("search.lexical".to_owned(), vec![("units_max", search.units_max.to_string())]));
    sections.push((
        "search.ranking".to_owned(),
        vec![
            ("identifier_weight", format!("{:?}", ranking.identifier_weight)),
            ("lexical_weight", format!("{:?}", ranking.lexical_weight)),
            ("vector_weight", format!("{:?}", ranking.vector_weight)),
            ("fusion_k", ranking.fusion_k.to_string()),
        ],
    ));
    sections.extend(vector_sections(&search.vector));
    sections.push(("server".to_owned(), server_keys(&config.server)));
    sections.push((
        "logs".to_owned(),
        vec![
            ("retention_records", config.logs.retention_records.to_string()),
            ("page_records", config.logs.page_records.to_string()),
            ("capture", quoted(&config.logs.capture)),
        ],
    ));
    sections.push(("dependencies".to_owned(), dependencies_keys(&config.dependencies)));
    sections.push(("global".to_owned(), vec![("enabled", "false".to_owned())]));

    let mut out = String::new();
    for (name, keys) in sections {
        let _ = writeln!(out, "{}[{name}]", if out.is_empty() { "" } else { "\n" });
        for (key, value) in keys {
            let _ = writeln!(out, "{key} = {value}");
        }
    }
    out
}

fn binding_keys(binding: &BindingConfig) -> Vec<(&'static str, String)> {
    vec![
        ("enabled", binding.enabled.to_string()),
        ("max_unit_scopes", binding.max_unit_scopes.to_string()),
        ("max_unit_definitions", binding.max_unit_definitions.to_string()),
        ("max_unit_references", binding.max_unit_references.to_string()),
        ("max_unit_links", binding.max_unit_links.to_string()),
        ("max_reference_work", binding.max_reference_work.to_string()),
        ("max_path_depth", binding.max_path_depth.to_string()),
        ("max_reference_targets", binding.max_reference_targets.to_string()),
    ]
}
