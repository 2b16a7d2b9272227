//! Texts that are refused, and what is said of them.

use super::*;

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
            "[search.vector.embedding]\nmodel = \"m\"\n",
            "rift.toml:1:1: search.vector.embedding.kind: missing, and its default \"hf\" is not served by this version of rift; state \"directory\"",
        ),
        (
            "[search.vector.embedding]\nkind = \"directory\"\n",
            "rift.toml:1:1: search.vector.embedding.model: missing; state the model's directory",
        ),
        (
            "[search.vector.embedding]\nkind = \"hf\"\n",
            "rift.toml:2:8: search.vector.embedding.kind = \"hf\": not served by this version of rift; remove it",
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
