//! Documentation that refers to a symbol.

use rift_base::{ByteRange, Deadline, line_of};
use rift_host::View;
use rift_host::facts::{BlockKind, Document, FileEntry};
use rift_host::index::{ParsedQuery, Row, Selection, Target};
use rift_protocol::limits::{DOCUMENT_BYTES_READ_MAX, DOCUMENTS_READ_MAX, QUERY_TERMS_MAX, REFERENCES_MAX};
use rift_protocol::{
    DocumentationBlock, DocumentationContext, DocumentationReference, Failure, ReadWarning, ReferencedBlock,
    SourceExcerpt, SourceSpan, SourceUnitId, Symbol,
};

use super::{Lacks, block_identity, is_document, kind, references::named, revision};
use crate::context::{check, index_failure};

/// Bytes of one excerpt, and its lines.
const EXCERPT_BYTES_MAX: usize = 800;
const EXCERPT_LINES_MAX: usize = 10;

/// The blocks that refer to `symbol`, with what qualifies the answer. Candidates are the documents that hold the symbol's name; each
/// reference in them is resolved.
pub(crate) fn context(
    view: &View,
    symbol: &Symbol,
    deadline: &Deadline,
) -> Result<(DocumentationContext, Vec<ReadWarning>), Failure> {
    let documents = view.searcher().select(is_document);
    let query = ParsedQuery::parse(&format!("\"{}\"", symbol.name.replace('"', " ")), QUERY_TERMS_MAX as usize);
    let selection = Selection { paths: Some(&documents), target: Target::Files };
    let ranked = view.searcher().rank(&query, &selection, &view.config().search.ranking).map_err(index_failure)?;
    let (mut blocks, mut lacks, mut bytes) = (Vec::new(), Lacks::default(), 0);
    let mut truncated = ranked.hits.len() as u64 > DOCUMENTS_READ_MAX;
    for hit in ranked.hits.into_iter().take(DOCUMENTS_READ_MAX as usize) {
        check(deadline)?;
        let Row::File { path } = hit.row else { continue };
        let Some(entry) = view.entry(&path) else { continue };
        truncated |= bytes >= DOCUMENT_BYTES_READ_MAX;
        if bytes >= DOCUMENT_BYTES_READ_MAX {
            break;
        }
        bytes += entry.size();
        let document = view.document(entry).unwrap_or_default();
        lacks.note(&path, &document);
        blocks.extend(referring(view, entry, &document, symbol)?);
    }
    blocks.sort_by(|a, b| {
        let key =
            |found: &ReferencedBlock| (found.reference.evidence, found.block.path.clone(), found.block.range.start);
        key(a).cmp(&key(b))
    });
    truncated |= blocks.len() > REFERENCES_MAX;
    blocks.truncate(REFERENCES_MAX);
    let mut warnings: Vec<ReadWarning> = lacks.warnings().collect();
    if truncated {
        warnings.push(ReadWarning::ResultsTruncated { results_max: REFERENCES_MAX as u64 });
    }
    Ok((DocumentationContext { documentation_revision: revision(view)?, blocks }, warnings))
}

fn referring(
    view: &View,
    entry: &FileEntry,
    document: &Document,
    symbol: &Symbol,
) -> Result<Vec<ReferencedBlock>, Failure> {
    let mut out = Vec::new();
    let Some(text) = view.text(entry) else { return Ok(out) };
    for (at, block) in document.blocks.iter().enumerate() {
        let own = block.text(&text);
        if block.kind != BlockKind::Prose || !own.contains(&symbol.name) {
            continue;
        }
        let found = named(view, own, block.range(), block.text.is_none(), Some(&symbol.name))?;
        let Some(reference) = found.into_iter().find(|reference| Some(&reference.target) == symbol.id.as_ref()) else {
            continue;
        };
        let source = match block.text {
            None => excerpt(entry, &text, block.range(), &reference)?,
            Some(_) => whole(entry, block.range(), own)?,
        };
        let block = DocumentationBlock {
            identity: block_identity(&entry.path, document, at),
            kind: kind(block.kind),
            heading_path: document.heading_path(block),
            path: entry.path.clone(),
            range: block.range().into(),
            line: line_of(&text, block.range().start as usize),
        };
        out.push(ReferencedBlock { block, reference, source });
    }
    Ok(out)
}

/// The lines of `block` around `reference`, within the bounds of an excerpt.
fn excerpt(
    entry: &FileEntry,
    text: &str,
    block: ByteRange,
    reference: &DocumentationReference,
) -> Result<SourceExcerpt, Failure> {
    let range = lines_around(text, block, reference.range.start as usize);
    Ok(SourceExcerpt { span: span(entry, range)?, text: range.of(text).to_owned() })
}

/// The first lines of a block whose file spells it otherwise.
fn whole(entry: &FileEntry, block: ByteRange, text: &str) -> Result<SourceExcerpt, Failure> {
    let range = lines_around(text, ByteRange::new(0, text.len()), 0);
    Ok(SourceExcerpt { span: span(entry, block)?, text: range.of(text).to_owned() })
}

fn span(entry: &FileEntry, range: ByteRange) -> Result<SourceSpan, Failure> {
    let unit = SourceUnitId::project(&entry.path).map_err(|v| Failure::internal("documentation", v.word()))?;
    Ok(SourceSpan { unit, range: range.into() })
}

/// The line of `at` with as many of those around it, within `block`, as an excerpt holds: whole lines, unless that one is too long.
fn lines_around(text: &str, block: ByteRange, at: usize) -> ByteRange {
    let (first, end) = (block.start as usize, block.end as usize);
    let line_start = |at: usize| text[first..at].rfind('\n').map_or(first, |feed| first + feed + 1);
    let line_end = |at: usize| text[at..end].find('\n').map_or(end, |feed| at + feed);
    let at = at.clamp(first, end);
    let (mut from, mut to) = (line_start(at), line_end(at));
    if to - from > EXCERPT_BYTES_MAX {
        return ByteRange::new(from, text.floor_char_boundary(from + EXCERPT_BYTES_MAX));
    }
    for _ in 1..EXCERPT_LINES_MAX {
        let before = (from > first).then(|| line_start(from - 1));
        let after = (to < end).then(|| line_end(to + 1));
        let fits = |from: usize, to: usize| to - from <= EXCERPT_BYTES_MAX;
        // What follows says more than what comes before.
        match (after.filter(|after| fits(from, *after)), before.filter(|before| fits(*before, to))) {
            (Some(after), _) => to = after,
            (None, Some(before)) => from = before,
            (None, None) => break,
        }
    }
    ByteRange::new(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_lines_of_their_block() {
        let text = format!("out\n{}\nlast `x`\n{}out\n", "w".repeat(790), "line\n".repeat(4));
        let block = ByteRange::new(4, text.len() - 5);
        let at = text.find('`').expect("there");
        assert_eq!(lines_around(&text, block, at).of(&text), "last `x`\nline\nline\nline\nline");
        let wide = "é".repeat(900);
        assert_eq!(lines_around(&wide, ByteRange::new(0, wide.len()), 0).end, 800);
        let many = "a\n".repeat(40);
        assert_eq!(lines_around(&many, ByteRange::new(0, 80), 0).of(&many).lines().count(), EXCERPT_LINES_MAX);
    }
}
