//! Patterns over texts: what ripgrep's rules say of lines, and that no text with a match is passed over by its trigrams.
//!
//! Faults that these tests catch: crossing the ends of optional parts as if they were always there (`concat` in `plan.rs`),
//! taking the copies of a repetition that may be more for all there is, and counting line feeds among trigrams.

use proptest::prelude::*;
use rift_base::ProjectPath;
use rift_index::{Extractor, Pattern, PatternError, RecentRow, TrigramQuery, TrigramRow, Trigrams};

/// The matches as `line:start-end`.
fn matches(pattern: &str, text: &str) -> Vec<String> {
    let pattern = Pattern::new(pattern, 1 << 20).expect("a pattern");
    let found = pattern.search().matches(text.as_bytes(), usize::MAX);
    assert!(!found.is_cut);
    found.found.iter().map(|m| format!("{}:{}-{}", m.line, m.range.start, m.range.end)).collect()
}

#[test]
fn lines_are_ripgreps() {
    // Each as `rg --json` answers it.
    for (pattern, text, expected) in [
        ("b", "abc\nb\n", &["1:1-2", "2:4-5"][..]),
        ("^b", "abc\nb", &["2:4-5"]),
        ("c$", "abc\r\nc\n", &["2:5-6"]),
        (r"c\r$", "abc\r\nc\n", &["1:2-4"]),
        (r"c\s+c", "c c\nc\nc\n", &["1:0-3"]),
        (r"[^a]+", "ab\ncd", &["1:1-2", "2:3-5"]),
        ("(?s)b.c", "b\nc bxc", &["2:4-7"]),
        (r"b\nc", "a\nb\nc\nb\nc", &["2:2-5", "4:6-9"]),
        (r"b\n[^x]*c", "b\nac\nc", &["1:0-4"]),
        (r"(,|\n)c", "a,c\nc", &["1:1-3", "1:3-5"]),
        (r"\{\n\s*\}", "f {\n\n}\ng {\n}\n", &["4:9-12"]),
        ("(?i)straße", "STRASSE STRAẞE", &["1:8-16"]),
        ("(?i)kelvin", "\u{212A}elvin KELVIN", &["1:0-8", "1:9-15"]),
        (r"\bé\w", "été é", &["1:0-3"]),
        ("^$", "a\n\nb\n", &["2:2-2"]),
        ("x*", "ax\n", &["1:0-0", "1:1-2"]),
        ("$", "ab", &[]),
        (r"(?x) b \x20 c # of two", "ab c", &["1:1-4"]),
        ("", "a\nb\n", &["1:0-0", "1:1-1", "2:2-2", "2:3-3"]),
    ] {
        assert_eq!(matches(pattern, text), expected, "{pattern:?} in {text:?}");
    }
}

#[test]
fn the_lines_of_a_match() {
    let pattern = Pattern::new(r"b\nc", 1 << 20).expect("a pattern");
    let found = pattern.search().matches(b"a\nxb\ncx\nd", 9).found;
    assert_eq!((found[0].lines.clone(), found[0].line), (2..7, 2));
    let pattern = Pattern::new("c", 1 << 20).expect("a pattern");
    let found = pattern.search().matches(b"a\nbcd\nc", 9).found;
    assert_eq!(found.iter().map(|m| m.lines.clone()).collect::<Vec<_>>(), [2..5, 6..7]);
}

#[test]
fn matches_are_cut_where_asked() {
    let pattern = Pattern::new("a", 1 << 20).expect("a pattern");
    let cut = pattern.search().matches(b"aa\na", 2);
    assert_eq!((cut.found.len(), cut.is_cut), (2, true));
    let whole = pattern.search().matches(b"aa\na", 3);
    assert_eq!((whole.found.len(), whole.is_cut), (3, false));
}

#[test]
fn refusals() {
    let of = |pattern: &str| Pattern::new(pattern, 64 << 10).expect_err("refused");
    let syntax = |message: &str, at| PatternError::Syntax { message: message.to_owned(), at };
    assert_eq!(of("a(b"), syntax("unclosed group", 1));
    assert_eq!(of("(?=a)"), syntax("look-around, including look-ahead and look-behind, is not supported", 0));
    assert_eq!(of(r"\w{100}{100}"), PatternError::TooLarge);
    assert_eq!(of(r"[\n]"), PatternError::OnlyLineFeeds);
}

/// What `pattern` asks of the trigrams of a text, spelled.
fn plan(pattern: &str) -> String {
    fn spell(query: &TrigramQuery) -> String {
        let join = |parts: Vec<String>, by: &str| match parts.len() {
            1 => parts.concat(),
            _ => format!("({})", parts.join(by)),
        };
        match query {
            TrigramQuery::All => "all".to_owned(),
            TrigramQuery::None => "none".to_owned(),
            TrigramQuery::And(trigrams, parts) => {
                let own = trigrams.iter().map(|t| String::from_utf8_lossy(&t.to_be_bytes()[1..]).into_owned());
                join(own.chain(parts.iter().map(spell)).collect(), " ")
            }
            TrigramQuery::Or(parts) => join(parts.iter().map(spell).collect(), "|"),
        }
    }
    spell(Pattern::new(pattern, 1 << 20).expect("a pattern").query())
}

#[test]
fn plans_ask_for_what_every_match_holds() {
    for (pattern, expected) in [
        ("abcd", "(abc bcd)"),
        ("ab", "all"),
        ("abc|xyz", "(abc|xyz)"),
        ("abc|x", "all"),
        (r"fn \w+\(self", "((se elf fn  sel)"),
        ("[0-9a-f]{40}", "all"),
        ("ab[cd]e", "((abc bce)|(abd bde))"),
        ("abc.*xyz", "(abc xyz)"),
        ("(abc)?def", "def"),
        ("(abc)+", "abc"),
        (r"abc\ndef", "(abc def)"),
        ("[^a]bc", "all"),
        (r"\babc\b", "abc"),
    ] {
        assert_eq!(plan(pattern), expected, "{pattern}");
    }
    assert_eq!(plan("(?i)abk").matches('|').count(), 11, "twelve spellings, the Kelvin sign's among them");
}

/// Patterns over a small alphabet, so that they match often.
fn pattern() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[abkK]{1,4}",
        2 => Just("[ab]".to_owned()),
        1 => Just("[^a]".to_owned()),
        1 => Just(".".to_owned()),
        1 => Just(r"\n".to_owned()),
        1 => Just(r"\s".to_owned()),
        1 => Just("é".to_owned()),
        1 => Just("[a-z]".to_owned()),
        1 => Just(r"\b".to_owned()),
        1 => Just("^".to_owned()),
        1 => Just("$".to_owned()),
    ];
    piece.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            4 => proptest::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            2 => proptest::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("(?:{})", parts.join("|"))),
            1 => inner.clone().prop_map(|part| format!("(?:{part})?")),
            1 => inner.clone().prop_map(|part| format!("(?:{part})*")),
            1 => inner.clone().prop_map(|part| format!("(?:{part})+")),
            1 => (inner.clone(), 0u32..6, 0u32..3).prop_map(|(part, n, m)| format!("(?:{part}){{{n},{}}}", n + m)),
            1 => (inner.clone(), 1u32..6).prop_map(|(part, n)| format!("(?:{part}){{{n}}}")),
            2 => inner.prop_map(|part| format!("(?i:{part})")),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => "[abkK]{1,6}", 1 => Just("\n".to_owned()), 1 => Just("\r\n".to_owned()), 1 => Just("é".to_owned()),
        1 => Just("\u{212A}".to_owned()), 1 => Just(" ".to_owned()), 1 => Just("ſ".to_owned()),
    ];
    proptest::collection::vec(word, 0..12).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn no_text_with_a_match_is_passed_over(pattern in pattern(), texts in proptest::collection::vec(text(), 1..6)) {
        // A large repetition of repetitions is refused, which is tested elsewhere.
        let Ok(pattern) = Pattern::new(&pattern, 1 << 20) else { return Ok(()) };
        let mut extractor = Extractor::default();
        let row = |n: usize| TrigramRow { path: ProjectPath::new(&n.to_string()).expect("a path"), content: n as u128 };
        let rows = texts.iter().enumerate().map(|(n, text)| RecentRow::new(row(n), text, &mut extractor)).collect();
        let candidates: Vec<u128> =
            Trigrams::default().with_recent(rows).candidates(pattern.query()).iter().map(|row| row.content).collect();
        let mut search = pattern.search();
        for (n, text) in texts.iter().enumerate() {
            let found = search.matches(text.as_bytes(), 1).found;
            prop_assert!(found.is_empty() || candidates.contains(&(n as u128)), "{pattern:?} in {text:?}");
        }
    }
}
