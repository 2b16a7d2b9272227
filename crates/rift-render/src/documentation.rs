//! Documentation hits, and the blocks that refer to a symbol.

use rift_protocol::{DocumentationContext, SearchHit, SymbolId};

use crate::location::location;
use crate::search::{Layout, place, ranking, score};
use crate::source;
use crate::text::{Facts, Item, Text};

pub(crate) fn hit(item: &mut Item<'_>, hit: &SearchHit, heading_path: &[String], symbol: Option<&SymbolId>) {
    let heading = heading_path.join(" > ");
    item.line(if heading.is_empty() { "documentation" } else { &heading });
    let mut facts = place(hit, Layout::Item);
    facts.add(score(hit));
    facts.add(ranking(hit));
    source::omission(&mut facts, hit);
    item.line_if(facts.line());
    item.line_if(symbol.map(SymbolId::as_str));
    source::write(item, hit, true);
}

/// The blocks that refer to a symbol: heading path, location and evidence, excerpt. A context without blocks is not written.
pub(crate) fn context(text: &mut Text, context: &DocumentationContext) {
    if context.blocks.is_empty() {
        return;
    }
    text.line(0, "documentation:");
    for found in &context.blocks {
        let heading = found.block.heading_path.join(" > ");
        text.line(1, if heading.is_empty() { "documentation" } else { &heading });
        let mut facts = Facts::default();
        facts.add(location(Some(&found.block.path), None, Some(found.block.line)).unwrap_or_default());
        facts.add(found.reference.evidence.word().replace('_', " "));
        text.line(2, &facts.line().unwrap_or_default());
        text.copied(2, &found.source.text);
    }
}
