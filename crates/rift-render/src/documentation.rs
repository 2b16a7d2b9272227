//! Documentation hits.

use rift_protocol::{SearchHit, SymbolId};

use crate::search::{place, ranking, score};
use crate::text::Item;

pub(crate) fn hit(item: &mut Item<'_>, hit: &SearchHit, heading_path: &[String], symbol: Option<&SymbolId>) {
    let heading = heading_path.join(" > ");
    item.line(if heading.is_empty() { "documentation" } else { &heading });
    let mut facts = place(hit);
    facts.add(score(hit));
    facts.add(ranking(hit));
    item.line_if(facts.line());
    item.line_if(symbol.map(SymbolId::as_str));
    item.copied_apart(hit.source.as_deref().unwrap_or_default());
}
