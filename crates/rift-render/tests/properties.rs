//! What holds for every answer: copied text can be recovered, the bound is kept, blank lines stand inside items only,
//! and the trees of a walk say its paths.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rift_base::{Language, ProjectPath};
use rift_protocol::limits::TEXT_MAX;
use rift_protocol::{
    CapturedView, CapturedViewId, Derivation, FoundSource, GetSourceResult, GraphHop, Hit, MatchedField, Pagination,
    ReadWarning, Relationship, RelationshipFacet, SearchAnswer, SearchHit, SearchResult, Signature, SourceExcerpt,
    SourceSpan, SourceUnitId, Symbol, SymbolId, TextRange, TraversalDirection,
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

/// One hop of a walk: the symbol that it reaches, whether it is incoming, its facets, whether it is a guess.
type Step = (u8, bool, Vec<RelationshipFacet>, bool);

/// Few symbols, so that paths cross and meet.
fn step() -> impl Strategy<Value = Step> {
    use RelationshipFacet::{AnnotatedBy, Calls, HasType, MixesIn, References};
    let facet = proptest::sample::select(vec![Calls, References, HasType, AnnotatedBy, MixesIn]);
    (0u8..4, any::<bool>(), proptest::collection::vec(facet, 1..3), any::<bool>())
}

fn symbol(number: u8) -> SymbolId {
    SymbolId::parse(&format!("rift://symbol/local/rust/p/s{number}")).expect("canonical")
}

fn path(start: u8, steps: &[Step]) -> Vec<GraphHop> {
    let mut at = start;
    let mut hops = Vec::new();
    for (reached, incoming, facets, guess) in steps {
        let (from, to) = if *incoming { (*reached, at) } else { (at, *reached) };
        let relationship = Relationship {
            from: symbol(from),
            kind: "x".to_owned(),
            facets: facets.clone(),
            to: symbol(to),
            evidence: Vec::new(),
            derivation: if *guess { Derivation::Heuristic } else { Derivation::Syntax },
            confidence: None,
            extensions: BTreeMap::new(),
        };
        let direction = if *incoming { TraversalDirection::Incoming } else { TraversalDirection::Outgoing };
        hops.push(GraphHop { relationship, direction });
        at = *reached;
    }
    hops
}

/// Hit `number` of an answer, in a file of its own: what the walk reached by `steps`, or without any the symbol `start`.
fn numbered(number: usize, start: u8, steps: &[Step]) -> SearchHit {
    let mut hit = hit(true, None);
    if let Hit::Symbol { symbol: found } = &mut hit.hit {
        found.id = Some(symbol(steps.last().map_or(start, |step| step.0)));
    }
    let file = ProjectPath::new(&format!("h{number}.rs")).expect("a path");
    SearchHit { path: Some(file), traversal_path: path(start, steps), ..hit }
}

/// From the root to a hit: how each symbol was reached, and its identity.
type Chain = Vec<(String, String)>;

/// What a path says, in the words of the text.
fn chain(start: u8, steps: &[Step]) -> Chain {
    let mut chain = vec![(String::new(), symbol(start).to_string())];
    for (reached, incoming, facets, guess) in steps {
        let phrase = |facet: &RelationshipFacet| match incoming {
            true => facet.inverse().to_owned(),
            false => facet.word().replace('_', " "),
        };
        let phrases = facets.iter().map(phrase).collect::<Vec<_>>().join(", ");
        chain.push((format!("{}{phrases}", if *guess { "probably " } else { "" }), symbol(*reached).to_string()));
    }
    chain
}

/// Reads trees back from their text.
#[derive(Default)]
struct Reader {
    /// Where each hit was found: by its number, from its root.
    found: BTreeMap<usize, Vec<Chain>>,
    roots: usize,
    branches: usize,
    chain: Chain,
}

impl Reader {
    /// Reads a root or a branch: the lines between two blank lines.
    fn block(&mut self, lines: &[&str]) {
        let level = |line: &str| line.len() - line.trim_start_matches('\t').len();
        let head = lines[0].trim_start_matches('\t');
        let (depth, mut relation, rest) = match head.strip_prefix("↳ ") {
            Some(relation) => (level(lines[0]) - 1, relation.to_owned(), &lines[1..]),
            None => (0, String::new(), lines),
        };
        let further = if depth > 0 { 2 + depth } else { 1 };
        assert!(rest.iter().all(|line| level(line) == further), "{lines:?}");
        let rest: Vec<&str> = rest.iter().map(|line| line.trim_start_matches('\t')).collect();
        if rest[0].starts_with("by ") {
            relation = relation.split(", ").map(|phrase| format!("{phrase} by")).collect::<Vec<_>>().join(", ");
        }
        assert!(depth <= self.chain.len(), "{lines:?} without the branch above");
        self.chain.truncate(depth);
        if depth > 0 {
            self.branches += 1
        } else {
            self.roots += 1
        }
        let id = rest.iter().find_map(|line| line.strip_prefix("at ")).expect("an identity");
        self.chain.push((relation, id.to_owned()));
        if let Some(place) = rest.iter().find_map(|line| line.strip_prefix("in ")) {
            self.found.entry(number(place).expect("a location")).or_default().push(self.chain.clone());
        }
    }
}

/// The number of the hit whose location line this is.
fn number(line: &str) -> Option<usize> {
    line.strip_prefix('h')?.split_once(".rs:1")?.0.parse().ok()
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
    fn removing_the_indent_recovers_the_source_of_a_branch(
        steps in proptest::collection::vec(step(), 1..4),
        source in source(),
    ) {
        let hit = SearchHit { source: Some(source.clone()), ..numbered(0, 0, &steps) };
        let text = rift_render::search(&page(vec![hit], 1, Vec::new())).expect("small");
        let lines: Vec<&str> = text.split('\n').collect();
        // Title, root, three lines for each branch between, then blank, head, declaration, location, identity.
        let above = 2 + 3 * (steps.len() - 1) + 5;
        let source = ended(&source);
        if source.is_empty() {
            prop_assert_eq!(lines.len(), above);
        } else {
            prop_assert_eq!(lines[above], "");
            let text = recovered(&lines[above + 1..], 2 + steps.len());
            prop_assert_eq!(ended(&text), source);
        }
    }

    /// Caught here: a branch under another parent, a hop that shares no branch or too many, a hit lost or written twice.
    #[test]
    fn trees_say_the_paths_of_the_walk(
        pool in proptest::collection::vec(step(), 3),
        walks in proptest::collection::vec((0u8..3, proptest::collection::vec(0usize..3, 0..4)), 1..12),
    ) {
        let steps_of = |picks: &Vec<usize>| picks.iter().map(|pick| pool[*pick].clone()).collect::<Vec<Step>>();
        let walks: Vec<(u8, Vec<Step>)> = walks.iter().map(|(start, picks)| (*start, steps_of(picks))).collect();
        let hits = walks.iter().enumerate().map(|(number, (start, steps))| numbered(number, *start, steps));
        let text = rift_render::search(&page(hits.collect(), 1, Vec::new())).expect("small");
        let lines: Vec<&str> = text.split('\n').collect();

        let walked: Vec<Chain> = walks.iter().filter(|w| !w.1.is_empty()).map(|w| chain(w.0, &w.1)).collect();
        let mut roots: BTreeMap<String, bool> = walked.iter().map(|chain| (chain[0].1.clone(), false)).collect();
        let root_count = roots.len();
        let mut expected = BTreeMap::new();
        let mut items = Vec::new();
        for (number, (start, steps)) in walks.iter().enumerate() {
            let chain = chain(*start, steps);
            let free = roots.get_mut(&chain[0].1).filter(|taken| steps.is_empty() && !**taken);
            match free {
                Some(taken) => *taken = true,
                None if steps.is_empty() => {
                    items.push(number);
                    continue;
                }
                None => {}
            }
            expected.insert(number, vec![chain]);
        }

        prop_assert_eq!(lines[0], if walks.len() == 1 { "1 result".to_owned() } else { format!("{} results", walks.len()) });
        let mut blocks = lines[1..].split(|line| line.is_empty());
        if !items.is_empty() {
            let block = blocks.next().expect("the items");
            let found: Vec<usize> = block.iter().filter_map(|line| number(line.trim_start_matches('\t'))).collect();
            let markers = block.iter().filter(|line| line.starts_with("\t[")).count();
            prop_assert_eq!(markers, if items.len() > 1 { items.len() } else { 0 });
            prop_assert_eq!(found, items);
        }
        let mut reader = Reader::default();
        blocks.for_each(|block| reader.block(block));
        prop_assert_eq!(reader.found, expected);
        let distinct: BTreeSet<&Chain> = walked.iter().collect();
        let branches: BTreeSet<&[(String, String)]> =
            walked.iter().flat_map(|chain| (2..=chain.len()).map(move |to| &chain[..to])).collect();
        prop_assert_eq!(reader.roots, root_count);
        // A second hit of one path has a branch of its own.
        prop_assert_eq!(reader.branches, branches.len() + walked.len() - distinct.len());
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
    fn no_text_passes_the_bound(
        line in "[a-z]{0,3}\n",
        repeat in 100_000usize..400_000,
        hits in 1usize..3,
        steps in proptest::collection::vec(step(), 0..3),
    ) {
        let source = line.repeat(repeat);
        let one = || SearchHit { traversal_path: path(0, &steps), ..hit(true, Some(source.clone())) };
        let answer = page((0..hits).map(|_| one()).collect(), 1, Vec::new());
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
