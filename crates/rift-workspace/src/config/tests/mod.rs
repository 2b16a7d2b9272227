//! Expected values are those of the configuration reference, written out here, not read from the schema.

mod files;
mod served;
mod texts;
mod unserved;
mod values;

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
        "search.vector.embedding.model" => "search.vector.embedding.kind = \"directory\"\n",
        "search.vector.embedding.kind" => "search.vector.embedding.model = \"m\"\n",
        "search.vector.embedding.max_tokens"
        | "search.vector.embedding.download_timeout"
        | "search.vector.embedding.dimensions" => {
            "search.vector.embedding.kind = \"directory\"\nsearch.vector.embedding.model = \"m\"\n"
        }
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
