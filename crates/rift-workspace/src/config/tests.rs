//! Expected values are those of the configuration reference, written out here, not read from the schema.

use std::fs;
use std::time::Duration;

use rift_base::{Language, LanguageConfig};

use super::*;

/// A key, what it accepts and what it refuses. `bad` holds a part of the message.
struct Case {
    key: &'static str,
    good: &'static [&'static str],
    bad: &'static [(&'static str, &'static str)],
    served: bool,
}

/// The TOML that states one key: `a.b.c = value`, with what the key's table needs beside it.
fn state(key: &str, value: &str) -> String {
    let companion = match key {
        key if key.starts_with("lsp.x.") && !key.ends_with(".command") && !key.ends_with(".embedded") => {
            "lsp.x.command = \"x\"\n"
        }
        "server.port_range.min" => "server.port_range.max = 65535\n",
        "server.port_range.max" => "server.port_range.min = 1024\n",
        "languages.vue.enabled" | "languages.vue.exclude" => "languages.vue.include = [\"**/*.vue\"]\n",
        "languages.rust.lsp" => "lsp.x.command = \"x\"\n",
        _ => "",
    };
    format!("{companion}{key} = {value}\n")
}

fn problems(text: &str) -> Vec<ConfigProblem> {
    match parse_config(text) {
        Ok(_) => Vec::new(),
        Err(ConfigError::Invalid(problems)) => problems,
        Err(other) => panic!("{other}"),
    }
}

fn check(cases: &[Case]) {
    for case in cases {
        for value in case.good {
            let text = state(case.key, value);
            let found = problems(&text);
            let wrong: Vec<_> = found.iter().filter(|p| !p.not_served).collect();
            assert!(wrong.is_empty(), "{text}{wrong:?}");
            assert_eq!(found.is_empty(), case.served, "{text}{found:?}");
        }
        for (value, part) in case.bad {
            let text = state(case.key, value);
            let found = problems(&text);
            let named = found.iter().filter(|p| !p.not_served).find(|p| p.key.starts_with(case.key));
            let problem = named.unwrap_or_else(|| panic!("{text}not refused: {found:?}"));
            assert!(problem.problem.contains(part), "{text}{part:?} not in {problem}");
            assert_eq!(problem.line, text.lines().count(), "{text}{problem}");
        }
    }
}

const fn case(
    key: &'static str,
    good: &'static [&'static str],
    bad: &'static [(&'static str, &'static str)],
    served: bool,
) -> Case {
    Case { key, good, bad, served }
}

const BOOL: &[(&str, &str)] = &[("1", "an integer where a boolean"), ("\"true\"", "a string where a boolean")];
const PATTERNS: &[(&str, &str)] = &[
    ("\"**\"", "a string where a list"),
    ("[1]", "an integer where a string"),
    ("[\"\"]", "empty"),
    ("[\"/a\"]", "absolute"),
    ("['a\\b']", "backslash"),
    ("[\"a\\tb\"]", "control_character"),
    ("[\"../a\"]", "dot_segment"),
    ("[\"[a\"]", "syntax"),
];

#[test]
fn served_tables() {
    check(&[
        case("source.include", &["[]", "[\"src/**\", \"é b/*.rs\"]"], PATTERNS, true),
        case("source.exclude", &["[]", "[\"src/**\"]"], PATTERNS, true),
        case("source.force_include", &["[]", "[\"src/**\"]"], PATTERNS, true),
        case("source.respect_gitignore", &["true", "false"], BOOL, true),
        case(
            "source.files",
            &["100000", "1000", "5000000", "1_000", "0x400"],
            &[
                ("999", "999 is out of range; allowed: 1000 to 5000000"),
                ("5000001", "out of range"),
                ("-1", "-1 is out of range"),
                ("99999999999999999999999999999999999999999999", "out of range"),
                ("\"1000\"", "a string where an integer"),
                ("1000.0", "a float where an integer"),
            ],
            true,
        ),
        case(
            "source.workspace_size",
            &["\"512mb\"", "\"16mb\"", "\"64gb\"", "\"16777216b\""],
            &[
                ("\"16777215b\"", "\"16777215b\" is out of range; allowed: \"16mb\" to \"64gb\""),
                ("\"65gb\"", "out of range"),
                ("\"512\"", "is not a size (b, kb, mb, gb or tb); allowed: \"16mb\" to \"64gb\""),
                ("\"512MB\"", "is not a size"),
                ("\"30s\"", "is not a size"),
                ("512", "an integer where a size in quotes"),
            ],
            true,
        ),
        case("languages.rust.enabled", &["true", "false"], BOOL, true),
        case("languages.rust.include", &["[]", "[\"**/*.rs\"]"], PATTERNS, true),
        case("languages.rust.exclude", &["[]", "[\"gen/**\"]"], PATTERNS, true),
        case("languages.\"typescript:tsx\".enabled", &["false"], BOOL, true),
        case("languages.vue.include", &["[\"**/*.vue\"]"], PATTERNS, true),
        case("languages.vue.exclude", &["[\"x/**\"]"], PATTERNS, true),
        case(
            "providers.syntax.max_file",
            &["\"4mb\"", "\"64kb\"", "\"64mb\""],
            &[
                ("\"63kb\"", "allowed: \"64kb\" to \"64mb\""),
                ("\"65mb\"", "out of range"),
                ("\"1m\"", "is not a size"),
                ("1", "an integer"),
            ],
            true,
        ),
        case(
            "search.symbol_alternatives_work",
            &["20000000", "1000"],
            &[("0", "out of range"), ("\"1\"", "a string")],
            true,
        ),
        case(
            "search.symbol_alternatives_lowercase_work",
            &["4", "1"],
            &[("0", "out of range"), ("true", "a boolean")],
            true,
        ),
        case("search.text.include", &["[\"**\"]", "[]"], PATTERNS, true),
        case(
            "search.text.max_chunk",
            &["\"1mb\"", "\"1kb\"", "\"16mb\""],
            &[
                ("\"1023b\"", "allowed: \"1kb\" to \"16mb\""),
                ("\"17mb\"", "out of range"),
                ("\"1s\"", "is not a size"),
                ("[]", "a list"),
            ],
            true,
        ),
        case(
            "search.text.large_files",
            &["\"split\"", "\"skip\""],
            &[("\"drop\"", "allowed: \"split\", \"skip\""), ("false", "a boolean where a string")],
            true,
        ),
        case(
            "search.text.excluded_lockfiles",
            &["[]", "[\"Cargo.lock\", \"my.lock\"]"],
            &[
                ("[\"a/Cargo.lock\"]", "is no file name"),
                ("[\"\"]", "is no file name"),
                ("[1]", "an integer"),
                ("\"x\"", "a string"),
            ],
            true,
        ),
        case(
            "search.lexical.units_max",
            &["1000000", "1000", "50000000"],
            &[("999", "allowed: 1000 to 50000000"), ("50000001", "out of range"), ("1.5", "a float")],
            true,
        ),
        case(
            "search.ranking.identifier_weight",
            &["0.35", "0", "0.0", "1", "1.0"],
            &[
                ("1.01", "1.01 is out of range; allowed: 0 to 1"),
                ("-0.1", "out of range"),
                ("nan", "out of range"),
                ("inf", "out of range"),
                ("2", "out of range"),
                ("\"0.5\"", "a string where a number"),
            ],
            true,
        ),
        case(
            "search.ranking.lexical_weight",
            &["0.35", "0.0", "1.0"],
            &[("1.1", "out of range"), ("-1", "out of range"), ("true", "a boolean")],
            true,
        ),
        case(
            "search.ranking.vector_weight",
            &["0.30", "0.0", "1.0"],
            &[("1.1", "out of range"), ("-1", "out of range"), ("true", "a boolean")],
            true,
        ),
        case(
            "search.ranking.fusion_k",
            &["60", "1", "1000"],
            &[("0", "allowed: 1 to 1000"), ("1001", "out of range"), ("6.0", "a float")],
            true,
        ),
        case("search.vector.disabled", &["true"], BOOL, true),
        case("global.enabled", &["false"], BOOL, true),
        case("server.num_workers", &["4", "1", "64"], &[("0", "out of range"), ("65", "out of range")], true),
        case(
            "server.worker_queue_timeout",
            &["\"30s\"", "\"1ms\"", "\"1h\""],
            &[("\"0ms\"", "out of range"), ("\"2h\"", "out of range")],
            true,
        ),
        case(
            "server.idle_timeout",
            &["\"30m\"", "\"1s\"", "\"1d\""],
            &[("\"1ms\"", "out of range"), ("\"2d\"", "out of range")],
            true,
        ),
        case("server.readiness_timeout", &["\"30s\"", "\"1h\""], &[("\"2h\"", "out of range")], true),
        case("server.port", &["1024", "65535"], &[("1023", "out of range"), ("65536", "out of range")], true),
        case("server.port_range.min", &["12000", "1024", "65535"], &[("1023", "out of range")], true),
        case("server.port_range.max", &["13000", "1024", "65535"], &[("65536", "out of range")], true),
        case("server.validation_interval", &["\"5m\"", "\"1s\"", "\"1d\""], &[("\"2d\"", "out of range")], true),
        case("server.version_control_timeout", &["\"5s\""], &[("5", "an integer")], true),
        case(
            "logs.retention_records",
            &["50000", "100", "1000000"],
            &[("99", "out of range"), ("1000001", "out of range")],
            true,
        ),
        case("logs.page_records", &["500", "1", "5000"], &[("0", "out of range"), ("5001", "out of range")], true),
        case(
            "logs.capture",
            &["\"rift=info\"", "\"debug\"", "\"rift_host::lane=trace, off,tantivy=WARN\""],
            &[
                ("1", "an integer"),
                ("\"\"", "0 bytes"),
                ("\"rift=loud\"", "\"rift=loud\" is no directive"),
                ("\"rift=info,\"", "\"\" is no directive"),
                ("\"=info\"", "\"=info\" is no directive"),
                ("\"rift[span]=info\"", "is no directive"),
            ],
            true,
        ),
    ]);
}

#[test]
fn tables_without_a_feature_are_checked_then_refused() {
    check(&[
        case("search.vector.disabled", &["false"], BOOL, false),
        case("global.enabled", &["true"], BOOL, false),
        case("global.endpoint", &["\"https://example.com\""], &[("1", "an integer")], false),
        case(
            "languages.rust.lsp",
            &["\"x\"", "{ command = \"x\" }"],
            &[
                ("\"y\"", "names no [lsp.y] table"),
                ("1", "where a string or a table"),
                ("{}", "needs command or embedded"),
                ("{ command = \"x\", y = 1 }", "unknown key"),
            ],
            false,
        ),
        case(
            "lsp.x.command",
            &["\"a\"", "[\"a\", \"b c\"]"],
            &[
                ("\"a b\"", "whitespace"),
                ("\"/a\"", "is no program"),
                ("[]", "0 items are out of range"),
                ("[1]", "an integer"),
                ("1", "an integer"),
            ],
            false,
        ),
        case("lsp.x.embedded", &["\"ty\""], &[("\"other\"", "allowed: \"ty\"")], false),
        case(
            "lsp.x.environment",
            &["{}", "{ A = \"1\" }"],
            &[("{ A = 1 }", "an integer where a string"), ("[]", "a list")],
            false,
        ),
        case("lsp.x.initialization_options", &["{ a = [1] }"], &[("1", "an integer where a table")], false),
        case(
            "lsp.x.startup_timeout",
            &["\"30s\"", "\"1s\"", "\"10m\""],
            &[
                ("\"999ms\"", "allowed: \"1s\" to \"10m\""),
                ("\"11m\"", "out of range"),
                ("\"1kb\"", "is not a duration (ms, s, m, h or d)"),
                ("30", "an integer where a duration in quotes"),
            ],
            false,
        ),
        case("lsp.x.request_timeout", &["\"1m\""], &[("\"0s\"", "out of range"), ("\"1h\"", "out of range")], false),
        case(
            "lsp.x.settle_delay",
            &["\"500ms\"", "\"10ms\"", "\"1m\""],
            &[("\"9ms\"", "out of range"), ("\"2m\"", "out of range")],
            false,
        ),
        case(
            "lsp.x.output_limit",
            &["\"4kb\"", "\"1kb\"", "\"8mb\""],
            &[("\"1b\"", "out of range"), ("\"9mb\"", "out of range")],
            false,
        ),
        case("lsp.x.retry.attempts", &["8", "1", "64"], &[("0", "out of range"), ("65", "out of range")], false),
        case(
            "lsp.x.retry.delay",
            &["\"250ms\"", "\"1ms\"", "\"1m\""],
            &[("\"0ms\"", "out of range"), ("\"2m\"", "out of range")],
            false,
        ),
        case("lsp.x.retry.delay_limit", &["\"2s\"", "\"10m\""], &[("\"11m\"", "out of range")], false),
        case("lsp.x.restart.attempts", &["3", "0", "16"], &[("17", "out of range")], false),
        case("lsp.x.restart.window", &["\"5m\"", "\"1s\"", "\"1d\""], &[("\"2d\"", "out of range")], false),
        case("providers.history.enabled", &["true"], BOOL, false),
        case(
            "providers.history.max_revisions",
            &["500", "1", "100000"],
            &[("0", "out of range"), ("100001", "out of range")],
            false,
        ),
        case("providers.history.strategy", &["\"full\"", "\"selective\""], &[("\"x\"", "is not allowed")], false),
        case("providers.binding.enabled", &["true"], BOOL, true),
        case("providers.binding.max_unit_scopes", &["4096", "40960"], &[("40961", "out of range")], true),
        case("providers.binding.max_unit_definitions", &["16384", "163840"], &[("163841", "out of range")], true),
        case("providers.binding.max_unit_references", &["65536", "655360"], &[("655361", "out of range")], true),
        case("providers.binding.max_unit_links", &["4096", "40960"], &[("40961", "out of range")], true),
        case("providers.binding.max_graph_nodes", &["2000000", "20000000"], &[("20000001", "out of range")], false),
        case("providers.binding.max_graph_links", &["500000", "5000000"], &[("5000001", "out of range")], false),
        case("providers.binding.max_reference_work", &["4096", "409600"], &[("409601", "out of range")], true),
        case("providers.binding.max_path_depth", &["64", "640"], &[("641", "out of range")], true),
        case("providers.binding.max_reference_targets", &["64", "256"], &[("257", "out of range")], true),
        case(
            "providers.binding.max_publication_work",
            &["50000000", "5000000000"],
            &[("5000000001", "out of range")],
            false,
        ),
        case("search.pool_slots", &["4", "1", "16"], &[("0", "out of range"), ("17", "out of range")], false),
        case(
            "search.busy_timeout",
            &["\"5s\"", "\"100ms\"", "\"30s\""],
            &[("\"99ms\"", "out of range"), ("\"31s\"", "out of range")],
            false,
        ),
        case("search.journal_size_limit", &["\"64mb\""], &[("64", "an integer")], false),
        case(
            "search.pattern_compiled_size",
            &["\"1mb\"", "\"64kb\"", "\"64mb\""],
            &[("\"1kb\"", "out of range"), ("\"65mb\"", "out of range")],
            true,
        ),
        case(
            "search.pattern_candidate_rows",
            &["10000", "100", "1000000"],
            &[("99", "out of range"), ("1000001", "out of range")],
            true,
        ),
        case(
            "search.pattern_verified_size",
            &["\"256mb\"", "\"1mb\"", "\"4gb\""],
            &[("\"1kb\"", "out of range"), ("\"5gb\"", "out of range")],
            true,
        ),
        case(
            "search.pattern_matches_per_file",
            &["1000", "1", "100000"],
            &[("0", "out of range"), ("100001", "out of range")],
            true,
        ),
        case("search.lexical.transaction_units", &["5000"], &[("0", "out of range")], false),
        case("search.lexical.transaction_size", &["\"16mb\""], &[("\"16m\"", "is not a size")], false),
        case("search.lexical.mmap_size", &["\"256mb\"", "\"0b\""], &[("0", "an integer")], false),
        case(
            "search.vector.candidates",
            &["200", "1", "1000"],
            &[("0", "out of range"), ("1001", "out of range")],
            false,
        ),
        case(
            "search.vector.candidates_per_file",
            &["3", "1", "64"],
            &[("0", "out of range"), ("65", "out of range")],
            false,
        ),
        case(
            "search.vector.max_vectors",
            &["200000", "1000", "1000000"],
            &[("999", "out of range"), ("1000001", "out of range")],
            false,
        ),
        case(
            "search.vector.embedding.kind",
            &["\"hf\"", "\"directory\"", "\"openai_compatible\""],
            &[("\"x\"", "is not allowed")],
            false,
        ),
        case(
            "search.vector.embedding.model",
            &["\"minishlab/potion-retrieval-32M\""],
            &[("\"\"", "allowed: 1 to 128 bytes")],
            false,
        ),
        case(
            "search.vector.embedding.download_timeout",
            &["\"5m\"", "\"10s\"", "\"1h\""],
            &[("\"9s\"", "out of range"), ("\"2h\"", "out of range")],
            false,
        ),
        case(
            "search.vector.embedding.max_tokens",
            &["256", "32", "512"],
            &[("31", "out of range"), ("513", "out of range")],
            false,
        ),
        case(
            "search.vector.embedding.dimensions",
            &["1", "16384"],
            &[("0", "out of range"), ("16385", "out of range")],
            false,
        ),
        case("dependencies.resolution", &["\"auto\"", "\"static\""], &[("\"x\"", "is not allowed")], true),
        case(
            "dependencies.packages",
            &["[]", "[{ manager = \"npm\", name = \"a\", version = \"1\" }]"],
            &[
                ("[{ manager = \"npm\", name = \"a\" }]", "exactly one of version and requirement"),
                ("[{ name = \"a\", version = \"1\" }]", "missing"),
                ("{}", "a table where a list of tables"),
            ],
            true,
        ),
        case("dependencies.command_timeout", &["\"2m\"", "\"1s\"", "\"1h\""], &[("\"2h\"", "out of range")], true),
        case(
            "mcp.extra",
            &["{}", "{ other = \"../other\" }"],
            &[("{ Other = \"x\" }", "must match"), ("{ local = \"x\" }", "reserved"), ("{ a = 1 }", "an integer")],
            false,
        ),
        case(
            "local.docs",
            &["{ root = \"docs\" }", "{ include = [\"docs/**\"] }"],
            &[("{ root = \"../x\" }", "dot_segment"), ("{ x = 1 }", "unknown key")],
            false,
        ),
        case("documentation.include", &["[\"docs/**\"]"], PATTERNS, false),
        case(
            "hooks",
            &["[]", "[{ type = \"command\", id = \"a\", kind = \"test\", program = \"make\" }]"],
            &[
                ("[{ type = \"command\", id = \"a\", kind = \"test\", program = \"/bin/make\" }]", "absolute"),
                ("[{}]", "missing"),
                ("1", "an integer"),
            ],
            false,
        ),
        case("execution.allow", &["[\"python\"]"], &[("[\"Python\"]", "no language identity")], false),
        case(
            "execution.max_code",
            &["\"16kb\"", "\"1b\"", "\"32kb\""],
            &[("\"0b\"", "out of range"), ("\"33kb\"", "out of range")],
            false,
        ),
        case("execution.max_timeout", &["\"30s\"", "\"1ms\"", "\"1d\""], &[("\"2d\"", "out of range")], false),
        case("execution.max_output", &["\"8kb\"", "\"0b\"", "\"16kb\""], &[("\"17kb\"", "out of range")], false),
        case("execution.max_concurrent", &["2", "1", "64"], &[("0", "out of range"), ("65", "out of range")], false),
    ]);
}

#[test]
fn every_value_arrives() {
    let text = r#"
        [source]
        include = ["src/**"]
        exclude = ["src/gen/**"]
        force_include = ["src/gen/keep.rs"]
        respect_gitignore = false
        files = 2000
        workspace_size = "1gb"
        [languages.rust]
        enabled = false
        [languages."vue:ts"]
        include = ["**/*.vue"]
        exclude = ["x/**"]
        [providers.syntax]
        max_file = "1mb"
        [search]
        symbol_alternatives_work = 5000
        symbol_alternatives_lowercase_work = 7
        [search.text]
        include = ["docs/**"]
        max_chunk = "2kb"
        large_files = "skip"
        excluded_lockfiles = ["a.lock"]
        [search.lexical]
        units_max = 3000
        [search.ranking]
        identifier_weight = 0.5
        lexical_weight = 1
        vector_weight = 0.0
        fusion_k = 10
        [search.vector]
        disabled = true
        [global]
        enabled = false
    "#;
    let config = parse_config(text).expect("valid");
    let strings = |items: &[&str]| items.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        config.source,
        rift_base::SourceConfig {
            include: strings(&["src/**"]),
            exclude: strings(&["src/gen/**"]),
            force_include: strings(&["src/gen/keep.rs"]),
            respect_gitignore: false,
            files: 2000,
            workspace_size: 1 << 30,
        }
    );
    let entry = |name: &str| config.languages[&Language::new(name).expect("identity")].clone();
    assert_eq!(entry("rust"), LanguageConfig { enabled: false, ..Default::default() });
    let vue = LanguageConfig { enabled: true, include: Some(strings(&["**/*.vue"])), exclude: strings(&["x/**"]) };
    assert_eq!(entry("vue:ts"), vue);
    assert_eq!((config.languages.len(), config.syntax.max_file), (2, 1 << 20));
    let search = &config.search;
    assert_eq!((search.symbol_alternatives_work, search.symbol_alternatives_lowercase_work), (5000, 7));
    assert_eq!((&search.text_include, search.text_max_chunk), (&strings(&["docs/**"]), 2048));
    assert_eq!((search.large_files, &search.excluded_lockfiles), (rift_base::LargeFiles::Skip, &strings(&["a.lock"])));
    assert_eq!((search.units_max, search.ranking.fusion_k), (3000, 10));
    let ranking = search.ranking;
    assert_eq!((ranking.identifier_weight, ranking.lexical_weight, ranking.vector_weight), (0.5, 1.0, 0.0));
    // What is printed is what was read.
    assert_eq!(parse_config(&config_to_toml(&config)).expect("valid"), config);
}

#[test]
fn the_server_and_its_log_are_read() {
    let text = "[server]\nnum_workers = 2\nidle_timeout = \"1h\"\nport_range = { min = 2000, max = 2001 }\n\
                [logs]\npage_records = 7\ncapture = \"x=info\"\n";
    let config = parse_config(text).expect("valid");
    assert_eq!((config.server.num_workers, config.server.idle_timeout), (2, Duration::from_secs(3600)));
    assert_eq!((config.server.port_range, config.server.port), ((2000, 2001), None));
    assert_eq!((config.logs.page_records, config.logs.capture.as_str()), (7, "x=info"));
    let fixed = parse_config("server.port = 4711\n").expect("valid");
    for config in [config, fixed] {
        assert_eq!(parse_config(&config_to_toml(&config)).expect("valid"), config);
    }
}

#[test]
fn the_default_printed_is_the_default() {
    let text = config_to_toml(&Config::default());
    assert!(text.contains("[source]\n") && text.contains("workspace_size = \"512mb\"\n"), "{text}");
    assert_eq!(parse_config(&text).expect("valid"), Config::default());
    assert_eq!(parse_config("").expect("valid"), Config::default());
}

#[test]
fn places_and_messages() {
    for (text, expected) in [
        ("[source]\nfiles = 10\n", "rift.toml:2:9: source.files: value 10 is out of range; allowed: 1000 to 5000000"),
        (
            "\u{feff}[source]\r\n\tfile = 1\r\n",
            "rift.toml:2:2: source.file: unknown key; the keys here are include, exclude, force_include, respect_gitignore, files, workspace_size",
        ),
        (
            "[sauce]\n",
            "rift.toml:1:2: sauce: unknown key; the keys here are source, languages, lsp, providers, search, server, logs, dependencies, global, mcp, local, documentation, hooks, execution",
        ),
        (
            "a = 'é'\n",
            "rift.toml:1:1: a: unknown key; the keys here are source, languages, lsp, providers, search, server, logs, dependencies, global, mcp, local, documentation, hooks, execution",
        ),
        (
            "[execution]\nmax_concurrent = 4\n",
            "rift.toml:1:2: execution: not served by this version of rift; remove it",
        ),
        ("source = 1", "rift.toml:1:10: source: an integer where a table is expected"),
        (
            "[languages.\"typescript:tsx\"]\ninclude = [\"a\", \"/b\"]",
            "rift.toml:2:17: languages.\"typescript:tsx\".include[1]: value \"/b\" is no path pattern (absolute)",
        ),
        (
            "[languages.zig]\n",
            "rift.toml:1:12: languages.zig: this version has no syntax provider for it, so it needs an include list with at least one pattern",
        ),
        (
            "[languages.zig]\ninclude = []\n",
            "rift.toml:1:12: languages.zig: this version has no syntax provider for it, so it needs an include list with at least one pattern",
        ),
        (
            "[languages.Zig]\ninclude = [\"a\"]\n",
            "rift.toml:1:12: languages.Zig: no identity: lowercase `name` or `name:dialect`",
        ),
        (
            "[search.ranking]\nidentifier_weight = 0\nlexical_weight = 0\nvector_weight = 0.0\n",
            "rift.toml:1:1: search.ranking: identifier_weight, lexical_weight and vector_weight are all 0; at least one must be above 0",
        ),
        (
            "[search.ranking]\nidentifier_weight = 0\nlexical_weight = 0\n",
            "rift.toml:1:1: search.ranking.vector_weight as the only weight above 0: not served by this version of rift; remove it",
        ),
    ] {
        let shown = parse_config(text).expect_err(text).to_string();
        assert_eq!(shown, expected, "{text}");
    }
}

#[test]
fn every_problem_is_named_in_order() {
    let found = problems(
        "[source]\nfiles = 1\nnope = 2\n[server]\nport = 1\nport_range = { min = 3000, max = 2000 }\n[global]\nenabled = true\n",
    );
    let keys: Vec<_> = found.iter().map(|p| (p.line, p.key.as_str(), p.not_served)).collect();
    assert_eq!(
        keys,
        [
            (2, "source.files", false),
            (3, "source.nope", false),
            (5, "server.port", false),
            (6, "server.port_range", false),
            (6, "server.port_range", false),
            (8, "global.enabled = true", true),
        ]
    );
    let many: String = (0..200).map(|i| format!("k{i} = 1\n")).collect();
    assert_eq!(problems(&many).len(), CONFIG_PROBLEMS_MAX);
}

#[test]
fn counts_are_bounded() {
    let list = |n: usize| format!("[{}]", vec!["\"a\""; n].join(", "));
    for (key, max) in
        [("source.include", 512), ("source.exclude", 512), ("languages.rust.include", 64), ("search.text.include", 64)]
    {
        assert_eq!(problems(&format!("{key} = {}", list(max))), [], "{key}");
        let found = problems(&format!("{key} = {}", list(max + 1)));
        assert!(
            found[0].problem.contains(&format!("{} entries are out of range; allowed: 0 to {max}", max + 1)),
            "{found:?}"
        );
    }
    let languages = |n: usize| (0..n).map(|i| format!("[languages.l{i}]\ninclude = [\"{i}\"]\n")).collect::<String>();
    assert_eq!(problems(&languages(64)), []);
    assert_eq!(problems(&languages(65))[0].key, "languages");
}

#[test]
fn what_is_not_toml() {
    for (text, line) in [("[source\n", 1), ("a = \n", 1), ("[source]\nfiles = 1000\nfiles = 1000\n", 3), ("\u{0}", 1)] {
        let found = problems(text);
        assert_eq!((found.len(), found[0].line, found[0].key.as_str()), (1, line, ""), "{text:?} {found:?}");
        assert!(found[0].problem.starts_with("not TOML: "), "{found:?}");
    }
    // Deep nesting is refused, not a stack overflow.
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(!problems(&deep).is_empty());
    let dotted = format!("{} = 1", vec!["a"; 130_000].join("."));
    assert!(!problems(&dotted).is_empty());
}

#[test]
fn files() {
    let temp = tempfile::tempdir().expect("temp");
    let root = temp.path();
    let file = root.join(CONFIG_FILE);
    let load = || load_config(root);

    let absent = load().expect("defaults");
    assert_eq!(absent, LoadedConfig { config: Config::default(), digest: Digest::of(b""), exists: false });
    fs::write(&file, "[source]\nfiles = 1000\n").expect("write");
    let loaded = load().expect("valid");
    // sha256sum of these bytes.
    assert_eq!((loaded.config.source.files, loaded.exists), (1000, true));
    assert_eq!(loaded.digest.hex(), "2d269f57b65eecd51bb3b64ea95f0e817b5b2c0b63201e67c9dafa01ef335fe8");
    fs::write(&file, b"a = '\xff'").expect("write");
    assert_eq!(load(), Err(ConfigError::NotUtf8 { offset: 5 }));
    let mut padded = vec![b'#'; CONFIG_BYTES_MAX as usize];
    fs::write(&file, &padded).expect("write");
    assert!(load().is_ok());
    padded.push(b'#');
    fs::write(&file, &padded).expect("write");
    assert_eq!(load(), Err(ConfigError::TooLarge));
    fs::remove_file(&file).expect("remove");
    fs::create_dir(&file).expect("dir");
    assert!(matches!(load(), Err(ConfigError::Unreadable(_))));
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let temp = tempfile::tempdir().expect("temp");
    fs::write(temp.path().join("real.toml"), "").expect("write");
    std::os::unix::fs::symlink("real.toml", temp.path().join(CONFIG_FILE)).expect("link");
    let error = load_config(temp.path()).expect_err("a link");
    assert!(error.to_string().contains("symbolic link"), "{error}");
}
