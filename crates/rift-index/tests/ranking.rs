//! Who is ranked first, and why: every expectation follows from the rule named beside it.

#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use rift_base::{Facet, RankingConfig};
use rift_index::{
    IndexOptions, MatchedFields, ParsedQuery, QUERY_TERMS_MAX, RANKED_UNITS_MAX, Searcher, Selection, Target,
};

fn ranked(searcher: &Searcher, query: &str, selection: &Selection<'_>) -> rift_index::Ranked {
    let query = ParsedQuery::parse(query, QUERY_TERMS_MAX);
    searcher.rank(&query, selection, &RankingConfig::default()).unwrap()
}

#[test]
fn bm25_of_one_term_by_hand() {
    let searcher = build(&[file("a", "zeta eta"), file("b", "one two three four")]);
    let found = rankings(&searcher, "zeta").lexical;
    assert_eq!(shown(&found), ["a"]);
    // Two rows with content, one with the term: idf = ln(1 + (2 - 1 + 0.5) / (1 + 0.5)) = ln 2. Two words, on
    // average three: K = 1.2 (1 - 0.75 + 0.75 * 2 / 3) = 0.9. Score = ln 2 * 2.2 * 1 / (1 + 0.9).
    assert!((found[0].score - std::f64::consts::LN_2 * 2.2 / 1.9).abs() < 1e-5, "{}", found[0].score);
}

#[test]
fn rows_with_every_term_come_before_rows_with_any() {
    let filler = "filler words to make it long ".repeat(40);
    let searcher = build(&[
        file("both.txt", &format!("alpha {filler} beta")),
        file("one.txt", "alpha alpha alpha alpha"),
        file("other.txt", "beta"),
        file("none.txt", "gamma"),
    ]);
    let found = lexical(&searcher, "alpha beta");
    assert_eq!(found[0], "both.txt", "longest and with the lowest score, yet the only one with both");
    assert_eq!(found.len(), 3);
    assert!(!found.contains(&"none.txt".to_owned()));
}

#[test]
fn a_term_may_be_covered_by_any_field() {
    let searcher = build(&[
        file("x.py", "").with("m.load", "def load(path)", "Reads the settings."),
        file("y.py", "").with("m.settings", "settings = 1", "").with("m.loads", "def loads()", ""),
    ]);
    // Only m.load holds both: one in its name, one in its documentation.
    assert_eq!(lexical(&searcher, "load settings")[0], "x.py#0");
}

#[test]
fn phrases_survive_in_both_passes() {
    let searcher = build(&[
        file("all.txt", "the user name and zeta"),
        file("camel.txt", "call getUserName here"),
        file("phrase.txt", "a user name"),
        file("reversed.txt", "name user"),
        file("apart.txt", "user and name"),
        file("term.txt", "zeta"),
    ]);
    let mut found = lexical(&searcher, "\"user name\" zeta");
    assert_eq!(found[0], "all.txt", "the only one with the phrase and the term");
    found.sort();
    assert_eq!(found, ["all.txt", "camel.txt", "phrase.txt", "term.txt"], "broken phrases match in neither pass");
    assert_eq!(lexical(&searcher, "\"name user\""), ["reversed.txt"]);
}

#[test]
fn phrases_repeat_and_reach_over_words() {
    let searcher =
        build(&[file("a.txt", "to be or not to be"), file("b.txt", "to not be or to"), file("c.txt", "not_to be")]);
    assert_eq!(lexical(&searcher, "\"not to be\"").len(), 2);
    assert_eq!(lexical(&searcher, "\"to be or not to be\""), ["a.txt"]);
    assert_eq!(lexical(&searcher, "\"be be\""), Vec::<String>::new());
}

#[test]
fn names_are_split_on_case_and_separators() {
    let searcher = build(&[
        file("a.py", "").with("m.getUserName", "def getUserName()", ""),
        file("b.py", "").with("m.get_user", "def get_user()", "").with("m.user_names", "", ""),
    ]);
    for query in ["get user name", "get_user_name", "GetUserName", "getUserName", "GET_USER_NAME"] {
        assert_eq!(lexical(&searcher, query)[0], "a.py#0", "{query}");
        assert_eq!(identifier(&searcher, query)[0], "a.py#0", "{query}");
    }
}

#[test]
fn names_weigh_more_than_documentation_and_content() {
    let searcher = build(&[
        file("doc.py", "").with("m.other", "def other()", "Will connect the socket."),
        file("name.py", "").with("m.connect", "def connect()", ""),
        file("text.txt", "please connect"),
    ]);
    assert_eq!(lexical(&searcher, "connect"), ["name.py#0", "doc.py#0", "text.txt"]);
}

#[test]
fn identifiers_by_tier() {
    let searcher = build(&[
        file("a.py", "").with("m.user_load_all", "", ""), // holds the words
        file("b.py", "").with("m.loadUserById", "", ""),  // begins alike
        file("c.py", "").with("m.load_user", "", ""),     // equal but for case and separators
        file("d.py", "").with("m.loadUser", "", ""),      // as spelled
        file("e.py", "").with("m.unrelated", "", ""),
    ]);
    assert_eq!(identifier(&searcher, "loadUser"), ["d.py#0", "c.py#0", "b.py#0", "a.py#0"]);
    assert_eq!(identifier(&searcher, "load_user")[..2], ["c.py#0", "d.py#0"]);
}

#[test]
fn an_identifier_inside_a_question() {
    let searcher = build(&[
        file("a.rs", "").with("m.get", "fn get()", "").with("m.set", "fn set()", ""),
        file("z.rs", "").with("m.encode_path", "fn encode_path()", ""),
    ]);
    let question = "where does encode_path get its escape set";
    assert_eq!(identifier(&searcher, question)[0], "z.rs#0");
    assert_eq!(show(&ranked(&searcher, question, &Selection::default()).hits[0].row), "z.rs#0");
}

#[test]
fn misspelled_names() {
    let searcher = build(&[file("a.py", "").with("m.get_queryset", "", ""), file("b.py", "").with("m.query", "", "")]);
    // A swap, a missing character, two wrong ones.
    for query in ["get_qureyset", "get_quryset", "get_qwerysed"] {
        assert_eq!(identifier(&searcher, query)[0], "a.py#0", "{query}");
    }
    assert_eq!(identifier(&searcher, "gat_qwerysed").len(), 0, "three edits are too many");
    assert_eq!(identifier(&searcher, "qeury"), ["b.py#0"]);
    // What exists is not taken for a misspelling of another name.
    let searcher = build(&[file("a.py", "").with("m.walk", "", "").with("m.talk", "", "")]);
    assert_eq!(identifier(&searcher, "walk"), ["a.py#0"]);
}

#[test]
fn definitions_first_then_shorter_names() {
    let searcher = build(&[
        file("a.py", "").with_facets("m.C.session", "session = 1", "", &[Facet::Member, Facet::Value]),
        file("b.py", "").with_facets("m.session", "class session", "", &[Facet::Type]),
        file("c.py", "").with_facets("m.f.session", "session", "", &[Facet::Parameter]),
        file("d.py", "").with("m.session_store", "", "").with("m.session_id", "", ""),
    ]);
    let found = identifier(&searcher, "session");
    assert_eq!(found, ["b.py#0", "a.py#0", "c.py#0", "d.py#1", "d.py#0"]);
}

#[test]
fn qualifiers_choose_among_equal_names() {
    let searcher = build(&[file("a.py", "").with("m.Alpha.save", "", "").with("m.Beta.save", "", "")]);
    assert_eq!(identifier(&searcher, "Beta.save"), ["a.py#1", "a.py#0"]);
    assert_eq!(identifier(&searcher, "Alpha::save"), ["a.py#0", "a.py#1"]);
}

#[test]
fn tests_and_generated_files_rank_lower() {
    let searcher =
        build(&[file("a/tests/thing.py", "parse"), file("b.py", "parse").generated(), file("c.py", "parse")]);
    assert_eq!(lexical(&searcher, "parse"), ["c.py", "a/tests/thing.py", "b.py"]);
}

#[test]
fn ties_end_in_path_and_ordinal() {
    let source = |at: &str| file(at, "same").with("m.same", "same", "same").with("m.same", "same", "same");
    let searcher = build(&[source("c"), source("a"), source("b")]);
    let found = lexical(&searcher, "same");
    assert_eq!(found[..6], ["a#0", "a#1", "b#0", "b#1", "c#0", "c#1"]);
    assert_eq!(found[6..], ["a", "b", "c"]);
    assert_eq!(identifier(&searcher, "same"), ["a#0", "a#1", "b#0", "b#1", "c#0", "c#1"]);
}

#[test]
fn chunks_of_a_file_are_one_hit() {
    let text = format!("alpha first\n{}beta last\n", "filler line of text\n".repeat(20));
    let sources = [file("long.txt", &text), file("short.txt", "alpha"), file("tiny.txt", "beta beta beta")];
    let searcher = build_with(&sources, IndexOptions { chunk_max: 64, ..options() }).1;
    assert!(searcher.statistics().unwrap().rows > 6, "the long file has several rows");
    let found = lexical(&searcher, "alpha beta");
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], "long.txt", "its chunks together hold both terms");
}

#[test]
fn matched_fields() {
    let searcher = build(&[
        file("src/token.py", "token").with("m.Token.check", "def check(token)", "Checks."),
        file("other.py", "").with("m.other", "def other()", "See token."),
    ]);
    let hits = ranked(&searcher, "token", &Selection::default()).hits;
    let matched = |row: &str| hits.iter().find(|hit| show(&hit.row) == row).unwrap().matched;
    assert_eq!(matched("src/token.py"), MatchedFields::CONTENT.union(MatchedFields::PATH));
    assert_eq!(matched("src/token.py#0"), MatchedFields::NAME.union(MatchedFields::SIGNATURE));
    assert_eq!(matched("other.py#0"), MatchedFields::DOCUMENTATION);
}

#[test]
fn more_than_the_bound_is_said() {
    let sources: Vec<Source> = (0..=RANKED_UNITS_MAX).map(|i| file(&format!("f{i:04}.txt"), "common")).collect();
    let all = build(&sources);
    let found = rankings(&all, "common");
    assert!(found.lexical_truncated);
    assert_eq!(found.lexical.len(), RANKED_UNITS_MAX);
    assert_eq!(shown(&found.lexical)[999], "f0999.txt");
    let exactly = build(&sources[1..]);
    assert!(!rankings(&exactly, "common").lexical_truncated);
}

#[test]
fn selection_narrows_before_ranking() {
    let mut sources: Vec<Source> =
        (0..1100).map(|i| file(&format!("many/f{i:04}.txt"), "needle needle").with("m.needle", "", "")).collect();
    let filler = "hay ".repeat(500);
    sources.push(file("only/here.txt", &format!("needle {filler}")).with("m.hay_needle_hay", "", ""));
    let searcher = build(&sources);
    let all = ranked(&searcher, "needle", &Selection::default());
    assert!(all.lexical_truncated && all.hits.iter().all(|hit| hit.row.path().as_str() != "only/here.txt"));

    let only = searcher.select(|path| path.as_str().starts_with("only/"));
    let found = ranked(&searcher, "needle", &Selection { paths: Some(&only), target: Target::All });
    let mut rows = shown(&found.hits);
    rows.sort();
    assert_eq!(rows, ["only/here.txt", "only/here.txt#0"]);
    assert!(!found.lexical_truncated);
    for (target, expected) in [(Target::Files, "only/here.txt"), (Target::Symbols, "only/here.txt#0")] {
        let found = ranked(&searcher, "needle", &Selection { paths: Some(&only), target });
        assert_eq!(shown(&found.hits), [expected]);
    }
    let none = searcher.select(|_| false);
    assert!(ranked(&searcher, "needle", &Selection { paths: Some(&none), target: Target::All }).hits.is_empty());
}

#[test]
fn a_selection_holds_for_later_searchers() {
    let (mut index, before) = build_with(&[file("b.txt", "word"), file("c.txt", "word")], options());
    let chosen = before.select(|path| path.as_str() == "c.txt");
    let added = file("a.txt", "word");
    let after = index.apply(&[rift_index::IndexDelta::Replace(added.units())], "").unwrap();
    let found = ranked(&after, "word", &Selection { paths: Some(&chosen), target: Target::All });
    assert_eq!(shown(&found.hits), ["c.txt"], "by path, though the ranks of paths have moved");
}

#[test]
fn queries_without_words_find_nothing() {
    let searcher = build(&[file("a.txt", "text").with("m.text", "", "")]);
    for query in ["", "  ", "\"\"", "+ - ( )", "_"] {
        let found = ranked(&searcher, query, &Selection::default());
        assert!(found.hits.is_empty() && !found.narrowed, "{query:?}");
    }
    let empty = build(&[]);
    assert!(ranked(&empty, "text", &Selection::default()).hits.is_empty());
}

#[test]
fn fused_scores_are_reciprocal_ranks() {
    let searcher = build(&[file("a.py", "").with("m.apple", "", "")]);
    // First in both rankings, each with half of the weight that answered: 0.5 / 61 twice.
    let hits = ranked(&searcher, "apple", &Selection::default()).hits;
    assert_eq!(shown(&hits), ["a.py#0"]);
    assert!((hits[0].score - 1.0 / 61.0).abs() < 1e-12);
}

#[test]
fn one_word_of_many_is_no_name() {
    let searcher = build(&[
        file("a.py", "").with("m.cut", "def cut(text)", "Shortens an identifier of the database to a given length."),
        file("b.py", "").with("m.identifier", "def identifier()", ""),
        file("c.py", "").with("m.identifier_length", "def identifier_length()", ""),
    ]);
    let question = "shortens an identifier to a given length";
    // Of the four words that are no stop words, one name holds one and another holds two.
    assert_eq!(identifier(&searcher, question), ["c.py#0"]);
    assert_eq!(identifier(&searcher, "identifier given"), ["b.py#0", "c.py#0"], "one of two words is half of them");
    let hits =
        ranked(&searcher, "shortens an identifier of the database to a given length", &Selection::default()).hits;
    assert_eq!(show(&hits[0].row), "a.py#0", "all words stand in its documentation");
}

#[test]
fn what_qualifies_a_name_counts_with_it() {
    let searcher = build(&[
        file("a.js", "").with("m.Frustum.intersectsSphere", "intersectsSphere(sphere)", ""),
        file("b.js", "").with("m.Line.intersectsFrustum", "intersectsFrustum(frustum)", ""),
    ]);
    assert_eq!(identifier(&searcher, "whether a frustum intersects some sphere by test"), ["a.js#0"]);
}

#[test]
fn copies_made_by_tools_come_after_their_sources() {
    let copy = |at: &str| file(at, "").with("m.Vector", "class Vector", "A vector.");
    let searcher = build(&[
        copy("build/all.js"),
        copy("dist/esm/vector.d.ts"),
        copy("lib/vector.js").generated(),
        copy("build/vector.rs"),
        copy("src/vector.js"),
    ]);
    let order = ["build/vector.rs#0", "src/vector.js#0", "build/all.js#0", "dist/esm/vector.d.ts#0", "lib/vector.js#0"];
    assert_eq!(identifier(&searcher, "Vector"), order);
    assert_eq!(lexical(&searcher, "Vector")[..5], order);
}

#[test]
fn a_type_stands_before_its_constructors() {
    let new = [Facet::Callable, Facet::Constructor];
    let searcher = build(&[file("a.java", "")
        .with_facets("p.HashMap.HashMap", "HashMap()", "", &new)
        .with_facets("p.HashMap", "class HashMap", "", &[Facet::Type])
        .with_facets("p.HashMap.HashMap", "HashMap(int size)", "", &new)]);
    assert_eq!(identifier(&searcher, "HashMap"), ["a.java#1", "a.java#0", "a.java#2"]);
    assert_eq!(identifier(&searcher, "resizing a hash map table when it is full"), ["a.java#1"]);
}

#[test]
fn the_spelled_name_leads_full_text() {
    let searcher = build(&[
        file("shortcuts.py", "").with("shortcuts.get_or_404", "def get_or_404()", ""),
        file("x/get_or_404/page.py", "").with("x.get_or_404.page.GetOr404Page", "class GetOr404Page", ""),
    ]);
    assert_eq!(lexical(&searcher, "getOr404"), ["shortcuts.py#0", "x/get_or_404/page.py#0", "x/get_or_404/page.py"]);
}

#[test]
fn names_beside_the_one_that_is_meant_are_left_out() {
    let searcher = build(&[
        file("a.rs", "").with("m.FuzzyTermQuery", "struct FuzzyTermQuery", ""),
        file("b.rs", "").with("m.TermQuery", "struct TermQuery", ""),
    ]);
    assert_eq!(identifier(&searcher, "FuzyTermQuery"), ["a.rs#0"]);
    assert_eq!(identifier(&searcher, "FuzyTermQuery and its use as a term query"), ["a.rs#0", "b.rs#0"]);
    let hits = ranked(&searcher, "FuzyTermQuery", &Selection::default()).hits;
    assert_eq!(show(&hits[0].row), "a.rs#0");
}

#[test]
fn other_forms_add_to_a_score_and_cover_no_term() {
    let searcher = build(&[
        file("a.ts", "").with("Cron.parse", "function parse(cron)", "Parses a cron expression."),
        file("b.ts", "").with("Cron.next", "function next(cron)", "The next date of a cron expression."),
        file("c.ts", "how a cron expression is parsed, told at some length and in passing"),
    ]);
    let found = lexical(&searcher, "how is a cron expression parsed");
    assert_eq!(found[0], "c.ts", "the only one with every term");
    assert_eq!(found[1..3], ["a.ts#0", "b.ts#0"], "a form of one more word");
}

#[test]
fn stop_words_in_names_are_no_hint() {
    let searcher = build(&[
        file("a.c", "").with("evp_is_a", "int evp_is_a(int where)", ""),
        file("b.c", "").with("match_host", "int match_host()", "Matches a wildcard."),
    ]);
    assert_eq!(lexical(&searcher, "where is a wildcard used")[0], "b.c#0");
}

#[test]
fn parts_of_one_word_are_no_names_of_their_own() {
    let searcher = build(&[
        file("a.py", "").with("m.get_object_or_404", "", ""),
        file("b.py", "").with("m.get_object", "", ""),
        file("c.py", "").with("m.GetObjectOr404Page", "", "").with("m.other_or404_object_get", "", ""),
    ]);
    let query = "getObjectOr404";
    assert_eq!(identifier(&searcher, query), ["a.py#0", "c.py#0", "c.py#1"]);
    // Digits are a word of their own in one spelling only, which does not make the name another.
    assert_eq!(show(&ranked(&searcher, query, &Selection::default()).hits[0].row), "a.py#0");
}

#[test]
fn a_part_of_a_question_names_definitions_alone() {
    let field = [Facet::Member, Facet::Value];
    let searcher = build(&[
        file("a.go", "").with_facets("p.Config.StopSignal", "StopSignal string", "", &field),
        file("b.go", "").with("p.Container.stopSignal", "func stopSignal()", ""),
    ]);
    assert_eq!(identifier(&searcher, "stop signal"), ["b.go#0", "a.go#0"]);
    assert_eq!(identifier(&searcher, "where does the daemon send a stop signal before it kills anything"), ["b.go#0"]);
}
