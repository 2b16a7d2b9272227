//! What a file states is what holds.

use std::time::Duration;

use rift_base::{Language, LanguageConfig};

use super::*;

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
        candidates = 50
        candidates_per_file = 2
        max_vectors = 5000
        [search.vector.embedding]
        kind = "directory"
        model = "../static model"
        max_tokens = 64
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
    let vector = &search.vector;
    assert_eq!((vector.candidates, vector.candidates_per_file, vector.max_vectors), (50, 2, 5000));
    assert_eq!((vector.disabled, vector.wanted()), (true, None));
    let embedding = vector.embedding.clone().expect("a model");
    assert_eq!((embedding.model.as_str(), embedding.max_tokens), ("../static model", 64));
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
