//! Which files are ranked first by what all of their rows say, and why: every expectation follows from the rule named
//! beside it.

#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use rift_base::{Facet, RankingConfig};
use rift_index::{ParsedQuery, QUERY_TERMS_MAX, Searcher, Selection, Target};

fn files_of(searcher: &Searcher, query: &str, config: &RankingConfig) -> Vec<String> {
    let query = ParsedQuery::parse(query, QUERY_TERMS_MAX);
    let ranked = searcher.rank(&query, &Selection::default(), config).unwrap();
    let scores: Vec<f32> = ranked.files.iter().map(|file| file.score()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    ranked.files.iter().map(|file| file.path.to_string()).collect()
}

fn files(searcher: &Searcher, query: &str) -> Vec<String> {
    files_of(searcher, query, &RankingConfig::default())
}

#[test]
fn a_definition_stands_before_what_mentions_the_name() {
    let searcher = build(&[
        file("app.py", "Router Router Router Router Router"),
        file("zoo.py", "class Router: pass").with_facets("m.Router", "class Router", "", &[Facet::Type]),
    ]);
    assert_eq!(files(&searcher, "Router"), ["zoo.py", "app.py"]);
}

#[test]
fn a_name_that_is_all_of_the_query_is_found_wherever_it_is_declared() {
    let searcher = build(&[
        file("forms/models.py", "edit only edit only the first edit of all").with_facets(
            "forms.edit_only",
            "def edit_only()",
            "",
            &[Facet::Callable],
        ),
        file("tests/edits.py", "def first_edit_only(): pass").with_facets(
            "tests.first_edit_only",
            "def first_edit_only()",
            "",
            &[Facet::Callable, Facet::Test],
        ),
    ]);
    assert_eq!(files(&searcher, "first_edit_only")[0], "tests/edits.py");
    assert_eq!(files(&searcher, "firstEditOnly")[0], "tests/edits.py");
    // In a question, what a file is counts as it does elsewhere.
    assert_eq!(files(&searcher, "edit only")[0], "forms/models.py");
}

#[test]
fn the_path_says_what_a_file_is_about() {
    let text = "holds a lock and waits";
    let searcher = build(&[file("io/wait.rs", text), file("sync/mutex.rs", text), file("sync/mutex/mod.rs", text)]);
    assert_eq!(files(&searcher, "mutex lock")[2], "io/wait.rs");
    // A file that stands for its folder is named as the folder is.
    assert_eq!(files(&searcher, "mutex lock")[..2], ["sync/mutex.rs", "sync/mutex/mod.rs"]);
}

#[test]
fn words_count_in_all_their_forms() {
    let searcher = build(&[
        file("a.py", "the router matches"),
        file("b.py", "unrelated words here"),
        file("c.py", "validate an input"),
    ]);
    assert_eq!(files(&searcher, "routing"), ["a.py"]);
    assert_eq!(files(&searcher, "validation of inputs"), ["c.py"]);
}

#[test]
fn words_that_hold_a_question_together_say_nothing() {
    let searcher = build(&[file("a.py", "how is it that this is what it is"), file("b.py", "the cache is cleared")]);
    assert_eq!(files(&searcher, "how is it that this cache is cleared")[0], "b.py");
    // Unless there is nothing else.
    assert_eq!(files(&searcher, "how that")[0], "a.py");
}

#[test]
fn what_a_file_is_counts_unless_it_is_asked_for() {
    let text = "parse the header";
    let searcher = build(&[
        file("README.md", text),
        file("a/tests/header.py", text),
        file("compat/header.py", text),
        file("examples/header.py", text),
        file("made/header.py", text).generated(),
        file("z/header.py", text),
    ]);
    assert_eq!(files(&searcher, "parse the header")[0], "z/header.py");
    assert_eq!(files(&searcher, "test that parses the header")[0], "a/tests/header.py");
    assert_eq!(files(&searcher, "example that parses the header")[0], "examples/header.py");
    assert_eq!(files(&searcher, "legacy header")[0], "compat/header.py");
    assert_eq!(files(&searcher, "readme header")[0], "README.md");
}

#[test]
fn earlier_versions_give_way_to_later_ones() {
    let text = "parse a value";
    let searcher = build(&[
        file("lib/v3/parse.ts", text),
        file("lib/v4/parse.ts", text),
        file("pkg/v1/fields.py", text),
        file("pkg/fields.py", text),
        file("api/v1/only.py", text),
    ]);
    let found = files(&searcher, "parse a value");
    let at = |path: &str| found.iter().position(|found| found == path).unwrap();
    assert!(at("lib/v4/parse.ts") < at("lib/v3/parse.ts"), "{found:?}");
    assert!(at("pkg/fields.py") < at("pkg/v1/fields.py"), "{found:?}");
    // No other version is there.
    assert!(at("api/v1/only.py") < at("pkg/v1/fields.py"), "{found:?}");
    let asked = files(&searcher, "parse a value in v3");
    assert_eq!(asked[0], "lib/v3/parse.ts", "{asked:?}");
}

#[test]
fn the_configuration_weighs_names_against_texts() {
    let searcher = build(&[
        file("named.py", "something else").with_facets("m.Cache", "class Cache", "", &[Facet::Type]),
        file("told.py", "cache cache cache cache cache cache"),
    ]);
    let by = |identifier_weight, lexical_weight| {
        let config = RankingConfig { identifier_weight, lexical_weight, ..RankingConfig::default() };
        files_of(&searcher, "Cache", &config)
    };
    assert_eq!(by(0.35, 0.35), ["named.py", "told.py"]);
    assert_eq!(by(1.0, 0.0), ["named.py", "told.py"]);
    assert_eq!(by(0.0, 1.0), ["told.py", "named.py"]);
}

#[test]
fn paths_narrow_and_kinds_do_not() {
    let searcher = build(&[file("a.py", "word").with("m.word", "", ""), file("b.py", "word").with("m.word", "", "")]);
    let chosen = searcher.select(|path| path.as_str() == "b.py");
    let query = ParsedQuery::parse("word", QUERY_TERMS_MAX);
    for target in [Target::All, Target::Files, Target::Symbols] {
        let selection = Selection { paths: Some(&chosen), target };
        let ranked = searcher.rank(&query, &selection, &RankingConfig::default()).unwrap();
        assert_eq!(ranked.files.len(), 1, "{target:?}");
        assert!(ranked.files[0].names.spelled > 0.0, "declarations speak for their file though files are asked for");
    }
}
