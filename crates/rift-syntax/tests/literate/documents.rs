//! The cases of `testdata/documents`: the blocks of one document, read off its text.

use std::fmt::Write as _;

use rift_base::{ByteRange, DocumentFormat, ProjectPath, line_of};
use rift_syntax::{Block, BlockKind, Bounds, Markup, document, spans};

use crate::case::{Case, CaseFile};
use crate::{dump, repository, updating};

fn dumped(case: &Case) -> String {
    let path = ProjectPath::new(&case.name).expect("a path");
    let format = DocumentFormat::of(&path).unwrap_or_else(|| panic!("{}: no documentation", case.name));
    let found = document(&case.source, format, &Bounds::default());
    let mut out = String::new();
    for block in &found.blocks {
        let path = found.heading_path(block).join(" > ");
        let path = if path.is_empty() { "-" } else { &path };
        let _ = writeln!(out, "{path} | {}", shown(&case.source, block));
        if block.kind == BlockKind::Code {
            continue;
        }
        for span in spans(block.text(&case.source)) {
            let _ = match span {
                Markup::Code { text, .. } => writeln!(out, "  code: {text}"),
                Markup::Link { target, .. } => writeln!(out, "  link: {target}"),
            };
        }
    }
    if let Some(failure) = found.failure {
        let _ = writeln!(out, "failure: {}", failure.word());
    }
    out
}

/// `<kind> <language> <lines> "<first line>" .. "<last line>"` of the bytes in the file; what they say behind `=` where
/// that is another text.
fn shown(source: &str, block: &Block) -> String {
    let range: ByteRange = block.range();
    let ends = |text: &str| match (text.lines().next(), text.lines().last()) {
        (Some(first), Some(last)) if text.lines().count() > 1 => format!("\"{first}\" .. \"{last}\""),
        _ => format!("\"{text}\""),
    };
    let (first, last) = (line_of(source, range.start as usize), line_of(source, range.end as usize - 1));
    let lines = if first == last { first.to_string() } else { format!("{first}..{last}") };
    let kind = match block.kind {
        BlockKind::Prose => "prose",
        BlockKind::Code => "code",
    };
    let language = block.language.as_deref().map(|language| format!(" {language}")).unwrap_or_default();
    let text = block.text.as_deref().map(|text| format!(" = {}", ends(text))).unwrap_or_default();
    format!("{kind}{language} {lines} {}{text}", ends(range.of(source)))
}

#[test]
fn document_cases() {
    let root = repository().join("testdata/documents");
    let mut paths: Vec<_> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut ran, mut wrong) = (0, String::new());
    for path in paths {
        let mut file = CaseFile::read(&root, path);
        let actual: Vec<String> = file.cases.iter().map(dumped).collect();
        for (case, actual) in file.cases.iter().zip(&actual) {
            ran += 1;
            let expected = case.expected.as_deref().unwrap_or("");
            if expected != actual {
                let _ = writeln!(wrong, "\n{}:{}: {}", file.label, case.line, case.heading);
                wrong.push_str(&dump::diff(expected, actual));
            }
        }
        if updating() {
            file.rewrite(&actual);
        }
    }
    assert!(ran >= 8, "{ran} cases");
    assert!(updating() || wrong.is_empty(), "(- expected, + found):\n{wrong}");
}
