//! What holds for every answer: copied text can be recovered, the bound is kept, blank lines stand inside items only.

use proptest::prelude::*;
use rift_base::{Language, ProjectPath};
use rift_protocol::limits::TEXT_MAX;
use rift_protocol::{
    CapturedView, CapturedViewId, FoundSource, GetSourceResult, Hit, MatchedField, Pagination, ReadWarning,
    SearchAnswer, SearchHit, SearchResult, Signature, SourceExcerpt, SourceSpan, SourceUnitId, Symbol, SymbolId,
    TextRange,
};

const UNIT: &str = "rift://source/project/a.rs";

fn view() -> CapturedView {
    let id = CapturedViewId::parse(&"0a".repeat(32)).expect("64 digits");
    CapturedView { id, expires_at: "2026-09-22T14:03:00Z".to_owned() }
}

fn hit(symbol: bool, source: Option<String>) -> SearchHit {
    let rust = Language::new("rust").expect("a language");
    let hit = if symbol {
        let mut symbol = Symbol::new(rust.clone(), "f", "function");
        symbol.id = Some(SymbolId::parse("rift://symbol/local/rust/p/f").expect("canonical"));
        symbol.signatures = vec![Signature::new(rust, "fn f()")];
        Hit::Symbol { symbol: Box::new(symbol) }
    } else {
        Hit::File { size: 1, languages: Vec::new() }
    };
    SearchHit {
        source,
        line: Some(1),
        range: Some(TextRange { start: 0, end: 1 }),
        path: Some(ProjectPath::new("a.rs").expect("a path")),
        matched_by: vec![MatchedField::Name],
        ..SearchHit::new(hit)
    }
}

fn page(results: Vec<SearchHit>, total_pages: u64, warnings: Vec<ReadWarning>) -> SearchAnswer {
    let pagination = Pagination { page_index: 0, total_pages };
    SearchAnswer::Found(SearchResult { results, pagination, view: view(), warnings })
}

/// Lines that trip a careless writer: blank, indented, carriage returns, markers, titles.
fn source() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just(String::new()),
        Just("\r".to_owned()),
        Just("[2] a.rs:1".to_owned()),
        Just("1 warning".to_owned()),
        "[ \t]{0,4}",
        "[ \ta-z·:\"\\\\\u{1b}é]{0,12}\r?",
        "\\PC{0,12}",
    ];
    proptest::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n"))
}

/// Strips `level` tabs from each line that is not empty.
fn recovered(lines: &[&str], level: usize) -> String {
    let indent = "\t".repeat(level);
    let strip =
        |line: &&str| if line.is_empty() { "" } else { line.strip_prefix(&indent).expect("indented") }.to_owned();
    lines.iter().map(strip).collect::<Vec<_>>().join("\n")
}

/// A text without the line ends after its last line that holds anything.
fn ended(text: &str) -> &str {
    text.trim_end_matches(['\n', '\r'])
}

proptest! {
    #[test]
    fn removing_the_indent_recovers_the_source(sources in proptest::collection::vec((any::<bool>(), source()), 1..4)) {
        let hits = sources.iter().map(|(symbol, source)| hit(*symbol, Some(source.clone()))).collect();
        let text = rift_render::search(&page(hits, 1, Vec::new())).expect("small");
        let lines: Vec<&str> = text.split('\n').collect();
        let level = if sources.len() > 1 { 2 } else { 1 };
        let mut at = 1;
        for (index, (symbol, source)) in sources.iter().enumerate() {
            let head = if level == 2 { format!("\t[{}] ", index + 1) } else { "\t".to_owned() };
            prop_assert!(lines[at].starts_with(&head), "{:?} in {text:?}", lines[at]);
            at += if *symbol { 3 } else { 1 };
            if ended(source).is_empty() {
                continue;
            }
            if *symbol {
                prop_assert_eq!(lines[at], "");
                at += 1;
            }
            let count = ended(source).split('\n').count();
            let text = recovered(&lines[at..at + count], level);
            prop_assert_eq!(ended(&text), ended(source));
            at += count;
        }
        prop_assert_eq!(at, lines.len(), "{:?}", text);
    }

    #[test]
    fn a_unit_is_recovered_from_its_text(source in source()) {
        let span = SourceSpan { unit: SourceUnitId::parse(UNIT).expect("canonical"), range: TextRange { start: 0, end: 9 } };
        let answer = GetSourceResult::Found(FoundSource {
            source: SourceExcerpt { span, text: source.clone() },
            source_complete: true,
            view: view(),
            warnings: Vec::new(),
        });
        let text = rift_render::get_source(&answer).expect("small");
        let lines: Vec<&str> = text.split('\n').collect();
        prop_assert_eq!(lines[0], format!("{UNIT}:0..9"));
        prop_assert!(lines[lines.len() - 1].starts_with("view 0a0a"));
        let text = recovered(&lines[1..lines.len() - 1], 1);
        prop_assert_eq!(ended(&text), ended(&source));
    }

    #[test]
    fn blank_lines_stand_inside_items_only(
        sources in proptest::collection::vec((any::<bool>(), proptest::option::of(source())), 0..4),
        pages in 1u64..3,
        detail in proptest::option::of("\\PC{0,20}"),
    ) {
        let hits: Vec<_> = sources.iter().map(|(symbol, source)| hit(*symbol, source.clone())).collect();
        let count = hits.len();
        let warnings = detail.into_iter().map(|detail| ReadWarning::DocumentationUnavailable { detail }).collect();
        let text = rift_render::search(&page(hits, pages, warnings)).expect("small");
        let lines: Vec<&str> = text.split('\n').collect();
        let further = if count > 1 { "\t\t" } else { "\t" };
        prop_assert!(!lines[0].is_empty() && !text.ends_with('\n'));
        for (i, pair) in lines.windows(2).enumerate() {
            if pair[1].is_empty() {
                prop_assert!(pair[0].is_empty() || pair[0].starts_with('\t'), "line {i} of {text:?}");
            }
            if pair[0].is_empty() {
                prop_assert!(pair[1].is_empty() || pair[1].starts_with(further), "line {i} of {text:?}");
            }
        }
        // Every line at column 0 is a title or the view line.
        let titles = lines.iter().filter(|line| !line.is_empty() && !line.starts_with('\t'));
        for title in titles {
            let known = title.starts_with(|c: char| c.is_ascii_digit()) || title.starts_with("view ");
            prop_assert!(known, "{title:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_text_passes_the_bound(line in "[a-z]{0,3}\n", repeat in 100_000usize..400_000, hits in 1usize..3) {
        let source = line.repeat(repeat);
        let answer = page((0..hits).map(|_| hit(true, Some(source.clone()))).collect(), 1, Vec::new());
        match rift_render::search(&answer) {
            Ok(text) => prop_assert!(text.len() <= TEXT_MAX),
            Err(failure) => {
                let limit = failure.data.limit.expect("evidence");
                prop_assert_eq!((limit.field.as_str(), limit.limit), ("text", TEXT_MAX as u64));
                // The evidence is the whole text's size: at least the sources' with an indent on each line.
                let kept = source.trim_end_matches('\n').len();
                prop_assert!(limit.required > TEXT_MAX as u64 && limit.required >= (hits * kept) as u64);
            }
        }
    }
}

#[test]
fn one_megabyte_is_the_bound() {
    let refused =
        |bytes: usize| rift_render::search(&page(vec![hit(false, Some("x".repeat(bytes)))], 1, Vec::new())).is_err();
    // "1 result", the location line and the indent of the source, with their line feeds.
    let around = "1 result\n\ta.rs:1 · name\n\t".len();
    assert!(!refused(TEXT_MAX - around));
    assert!(refused(TEXT_MAX - around + 1));
}
