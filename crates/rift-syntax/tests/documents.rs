//! What holds for every document, whatever its text.

use proptest::prelude::*;
use rift_base::DocumentFormat;
use rift_syntax::{BlockKind, Bounds, Document, Markup, document, spans};

const FORMATS: [DocumentFormat; 5] = [
    DocumentFormat::Markdown,
    DocumentFormat::Mdx,
    DocumentFormat::RestructuredText,
    DocumentFormat::Text,
    DocumentFormat::Notebook,
];

fn holds(text: &str, format: DocumentFormat) -> Document {
    let found = document(text, format, &Bounds::default());
    assert_eq!(found, document(text, format, &Bounds::default()), "equal input, equal blocks");
    let mut end = 0;
    for block in &found.blocks {
        let range = block.range();
        let (start, stop) = (range.start as usize, range.end as usize);
        assert!(end <= start && start < stop && stop <= text.len(), "{range:?} behind {end} of {text:?}");
        assert!(text.is_char_boundary(start) && text.is_char_boundary(stop), "{range:?} of {text:?}");
        assert!(!block.text(text).trim().is_empty());
        let own = block.text(text);
        for span in spans(own) {
            let (Markup::Code { text: marked, range } | Markup::Link { target: marked, range }) = span;
            assert!(range.of(own).contains(marked) && !marked.is_empty(), "{marked:?} at {range:?} of {own:?}");
        }
        assert!(block.heading.is_none_or(|at| (at as usize) < found.headings.len()));
        end = stop;
    }
    for (at, heading) in found.headings.iter().enumerate() {
        assert!(heading.parent.is_none_or(|parent| (parent as usize) < at), "headings stand under earlier ones");
    }
    found
}

/// Lines that documents are made of, and lines that trip a careless reader.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("# Heading"),
        Just("## Heading"),
        Just("====="),
        Just("-----"),
        Just(".. code-block:: python"),
        Just(".. note::"),
        Just("..  [1] é"),
        Just("::"),
        Just("Words with `code`, [a link](b.md) and ``é``::"),
        Just("   indented é"),
        Just("    "),
        Just("```rust"),
        Just("~~~"),
        Just("```"),
        Just("- item :func:`~a.b`"),
        Just("import x from 'é'"),
        Just("<Tag>"),
        Just(">>> f()"),
        Just("---"),
        Just("| a | b |"),
        Just("\r"),
        Just(""),
        Just("{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"# \\u00e9\\n\", \"`x` \\\"y\\\"\"]},"),
        Just("{\"cell_type\": \"code\", \"source\": \"f()\\ud83d\\ude00\"}]}"),
    ];
    proptest::collection::vec(line, 0..24).prop_map(|lines| lines.join("\n"))
}

/// `text` as JSON spells it in one of many ways: `choices` says how each character is written.
fn spelled(text: &str, choices: &[u8]) -> Vec<String> {
    let spell = |(at, c): (usize, char)| match (c, choices.get(at % choices.len().max(1)).copied().unwrap_or(0) % 3) {
        ('"', _) => "\\\"".to_owned(),
        ('\\', _) => "\\\\".to_owned(),
        ('\n', 0) => "\\n".to_owned(),
        (c, 0) if c >= ' ' => c.to_string(),
        (c, _) => c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    };
    text.chars().enumerate().map(spell).collect()
}

proptest! {
    #[test]
    fn blocks_lie_in_their_documents(text in text(), format in 0usize..FORMATS.len()) {
        holds(&text, FORMATS[format]);
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,200}", format in 0usize..FORMATS.len()) {
        holds(&text, FORMATS[format]);
    }

    /// The range of a cell's block is what spells it, however that is.
    #[test]
    fn cells_are_found_in_their_json(
        code in "[ -~é😀\n]{1,60}",
        choices in proptest::collection::vec(any::<u8>(), 1..8),
    ) {
        prop_assume!(!code.trim().is_empty());
        let units = spelled(&code, &choices);
        let notebook = format!("{{\"cells\": [{{\"cell_type\": \"code\", \"source\": \"{}\"}}]}}", units.concat());
        let found = holds(&notebook, DocumentFormat::Notebook);
        prop_assert_eq!(found.blocks.len(), 1, "{}", notebook);
        let block = &found.blocks[0];
        prop_assert_eq!(block.kind, BlockKind::Code);
        // From the first line that holds something to the last character that is no white space.
        let blank: usize = code.split_inclusive('\n').take_while(|line| line.trim().is_empty()).map(str::len).sum();
        let kept = &code[blank..code.trim_end().len()];
        prop_assert_eq!(block.text(&notebook), kept);
        let before = code[..blank].chars().count();
        let expected = units[before..before + kept.chars().count()].concat();
        prop_assert_eq!(block.range().of(&notebook), expected);
    }
}

/// A long document costs time in proportion to its length: marks that never close, lines without end.
#[test]
fn hostile_documents_end() {
    for (unit, format) in [
        ("`", DocumentFormat::RestructuredText),
        ("[", DocumentFormat::Markdown),
        ("`a ``b ", DocumentFormat::Text),
        ("Title\n=====\n", DocumentFormat::RestructuredText),
        ("# a\n", DocumentFormat::Mdx),
        (".. a::\n\n", DocumentFormat::Text),
        ("  x::\n\n", DocumentFormat::Text),
    ] {
        let text = unit.repeat(400_000 / unit.len());
        let found = document(&text, format, &Bounds::default());
        for block in &found.blocks {
            let _ = spans(block.text(&text));
        }
    }
}

#[test]
fn a_document_past_the_bound_says_so() {
    let found = document(&"word\n".repeat(900_000), DocumentFormat::Text, &Bounds::default());
    assert_eq!((found.blocks.len(), found.failure.map(|failure| failure.word())), (0, Some("source_bytes_max")));
}
