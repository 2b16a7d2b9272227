//! Excerpts against expectations read off their texts.

use super::*;

fn terms(query: &str) -> Terms {
    Terms::new(&ParsedQuery::parse(query, 64))
}

/// The position of what starts with `item` and ends with the text, with a body from its first `{`.
fn declaration(text: &str, whole: &str, item: &str) -> DeclPosition {
    let start = text.find(whole).expect("holds it");
    let item = text.find(item).expect("holds it");
    let body = item + text[item..].find('{').expect("has a body");
    let end = text.trim_end().len();
    DeclPosition {
        declaration: ByteRange::new(start, end),
        item: ByteRange::new(item, end),
        name: ByteRange::new(item, item),
        body: ByteRange::new(body, end),
    }
}

/// An excerpt as `line: text` of each part, with what it says it leaves out.
fn shown(text: &str, snippet: &Snippet) -> (String, u64) {
    let mut rest = snippet.source.as_str();
    let mut out = String::new();
    for (at, part) in snippet.parts.iter().enumerate() {
        let bytes = ByteRange::new(part.range.start as usize, part.range.end as usize).of(text);
        let joint = if at > 0 { "\n" } else { "" };
        rest = rest.strip_prefix(joint).and_then(|rest| rest.strip_prefix(bytes)).expect("source is its parts");
        assert_eq!(part.line, line_of(text, part.range.start as usize));
        out += &format!("{}: {bytes}\n", part.line);
    }
    if !snippet.parts.is_empty() {
        assert_eq!(rest, "");
    } else {
        out = snippet.source.clone();
    }
    (out, snippet.omitted)
}

/// A function of 40 lines: `step(1);` to `step(38);`, with the lines of `at` in place of theirs.
fn long(at: &[(usize, &str)]) -> String {
    let mut out = "use x;\n\n/// Runs.\n/// For long.\n#[inline]\nfn run(\n    pace: u32,\n) {\n".to_owned();
    for n in 1..=38 {
        let line = at.iter().find(|(line, _)| *line == n).map_or(format!("step({n});"), |(_, text)| (*text).to_owned());
        out += &format!("    {line}\n");
    }
    out + "}\n"
}

#[test]
fn a_short_declaration_is_shown_whole_and_lists_no_parts() {
    let text = "// a\n  /// Adds.\n  fn add(a: u8) -> u8 {\n    a + 1\n  }\n";
    let snippet = of_declaration(text, &declaration(text, "/// Adds", "fn add"), &terms("one"));
    assert_eq!(shown(text, &snippet), ("/// Adds.\n  fn add(a: u8) -> u8 {\n    a + 1\n  }".to_owned(), 0));
}

#[test]
fn of_a_long_one_the_head_and_the_lines_that_match() {
    let text = long(&[(10, "retry(delay);"), (20, "log(delay);"), (22, "retry();"), (30, "jitter(retry, delay);")]);
    let position = declaration(&text, "/// Runs", "fn run");
    let (lines, omitted) =
        shown(&text, &of_declaration(&text, &position, &terms("where is the retry delay with jitter")));
    let head = "#[inline]\nfn run(\n    pace: u32,\n) {\n";
    // All three words stand in line 30; of those that add none, line 10 holds two, 20 and 22 one.
    let fill = "    step(1);\n    step(2);";
    assert_eq!(lines, format!("5: {head}{fill}\n18:     retry(delay);\n38:     jitter(retry, delay);\n"));
    // Two lines of documentation, 38 steps and the end, without what is shown of them.
    assert_eq!(omitted, 2 + 38 + 1 - 4);
}

#[test]
fn without_a_match_the_body_follows_the_head() {
    let text = long(&[]);
    let position = declaration(&text, "/// Runs", "fn run");
    let (lines, omitted) = shown(&text, &of_declaration(&text, &position, &terms("absent")));
    let steps: String = (1..=4).map(|n| format!("    step({n});\n")).collect();
    assert_eq!(lines, format!("5: #[inline]\nfn run(\n    pace: u32,\n) {{\n{steps}"));
    assert_eq!(omitted, 2 + 34 + 1);
}

#[test]
fn words_of_questions_choose_no_line() {
    let text = long(&[(30, "how_is_the(with, of);")]);
    let position = declaration(&text, "/// Runs", "fn run");
    let lines = shown(&text, &of_declaration(&text, &position, &terms("how is the pace of it with this"))).0;
    assert!(!lines.contains("how_is_the"), "{lines}");
}

#[test]
fn one_line_between_two_is_not_left_out() {
    let text = long(&[(10, "alpha();"), (12, "beta();")]);
    let position = declaration(&text, "/// Runs", "fn run");
    let lines = shown(&text, &of_declaration(&text, &position, &terms("alpha beta"))).0;
    assert!(lines.ends_with("18:     alpha();\n    step(11);\n    beta();\n"), "{lines}");
}

#[test]
fn bounds_hold_and_a_long_line_is_cut_around_its_match() {
    let wide = format!("{}needle {}", "é ".repeat(300), "x".repeat(5_000));
    let texts = [
        long(&[(10, &wide)]),
        format!("fn run() {{\n{}\n}}\n", wide),
        format!("fn run() {{\n{}}}\n", "    needle needle thread;\n".repeat(500)),
        format!("fn run() {{{}}}", "a needle ".repeat(5_000)),
    ];
    for text in texts {
        let item = text.find("fn run").expect("there");
        let position = declaration(&text, &text[item..item + 6], "fn run");
        let snippet = of_declaration(&text, &position, &terms("needle thread"));
        let (lines, omitted) = shown(&text, &snippet);
        assert!(lines.contains("needle") && omitted > 0, "{lines}");
        assert!(snippet.source.len() <= BYTES_MAX, "{}", snippet.source.len());
        assert!(snippet.source.lines().count() <= LINES_MAX + MATCHES_MAX);
        assert!(snippet.source.lines().all(|line| line.len() <= LINE_BYTES_MAX));
    }
}

#[test]
fn a_line_of_a_file_stands_in_its_declaration() {
    let text = long(&[(10, "retry(delay);")]);
    let position = declaration(&text, "/// Runs", "fn run");
    let at = text.find("retry").expect("there");
    let range = super::super::content::line_around(&text, at);
    let (lines, omitted) = shown(&text, &of_file(&text, range, true, &[position], &terms("retry")));
    assert_eq!((lines.as_str(), omitted), ("5: #[inline]\nfn run(\n    pace: u32,\n18:     retry(delay);\n", 0));
    // Outside every declaration its neighbours stand by it.
    let plain = "one\ntwo\nthe retry\nfour\nfive\n";
    let range = super::super::content::line_around(plain, 8);
    let (lines, omitted) = shown(plain, &of_file(plain, range, true, &[], &terms("retry")));
    assert_eq!((lines.as_str(), omitted), ("2: two\nthe retry\nfour\n", 0));
}

#[test]
fn a_file_found_by_its_path_shows_what_it_declares() {
    let text = "// Licence.\n\nclass A {\n  int a;\n}\nclass B {}\n";
    let at = |start: &str, end: &str| {
        let (start, end) = (text.find(start).expect("there"), text.find(end).expect("there") + end.len());
        let range = ByteRange::new(start, end);
        DeclPosition { declaration: range, item: range, name: range, body: range }
    };
    let positions = [at("class A", "}\n"), at("int a", ";"), at("class B", "{}")];
    let range = ByteRange::new(0, 11);
    let (lines, omitted) = shown(text, &of_file(text, range, false, &positions, &terms("absent")));
    assert_eq!((lines.as_str(), omitted), ("3: class A {\n  int a;\n}\nclass B {}\n", 0));
    let (lines, _) = shown("\n\na\n\nb\n", &of_file("\n\na\n\nb\n", ByteRange::new(0, 0), false, &[], &terms("x")));
    assert_eq!(lines, "3: a\n\nb\n");
    assert_eq!(of_file("", ByteRange::new(0, 0), false, &[], &terms("x")).source, "");
}
