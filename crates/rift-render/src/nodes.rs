//! `nodes`: from the outermost node to the innermost, then the innermost one's source.

use rift_protocol::{Node, NodeFacet, NodesResult, SymbolId};

use crate::location::range;
use crate::text::{Facts, Item, Text, counted, further_level, value};
use crate::warning;

pub(crate) fn answer(text: &mut Text, result: &NodesResult) {
    let count = result.nodes.len();
    text.line(0, &counted(count, "node"));
    for (index, node) in result.nodes.iter().enumerate() {
        let lines = result.source.get(index).map_or(0, |excerpt| excerpt.text.lines().count());
        let mut item = Item::new(text, index, count);
        write(&mut item, node, lines);
    }
    // The excerpts stand in the order of the nodes, so the innermost node's is the last one.
    if let Some(excerpt) = count.checked_sub(1).and_then(|last| result.source.get(last)) {
        text.copied_apart(further_level(count), &excerpt.text);
    }
    warning::section(text, &result.warnings);
}

fn write(item: &mut Item<'_>, node: &Node, lines: usize) {
    let mut facts = Facts::default();
    facts.add(value(&node.kind));
    facts.add_if(lines > 1, &counted(lines, "line"));
    facts.add_if(node.facets.contains(&NodeFacet::Generated), "generated");
    facts.add_if(node.facets.contains(&NodeFacet::Test), "test");
    item.line_if(facts.line());
    item.line(node.id.as_str());
    item.line_if(node.symbol.as_ref().map(SymbolId::as_str));
    let mut regions = Facts::default();
    for region in &node.regions {
        regions.add(format!("{} {}", region.role.word(), range(region.range)));
    }
    item.line_if(regions.line());
}
