//! `search`: hits as items, and those of a walk as trees.

use rift_protocol::{Hit, MatchedField, Pagination, SearchAnswer, SearchHit, SearchResult, Symbol, SymbolChange};

use crate::location::{location, range};
use crate::symbol::{declaration, exceptions, summary};
use crate::text::{Facts, Item, SEPARATOR, Text, counted, value};
use crate::tree::Forest;
use crate::view::{captured, unavailable};
use crate::{commit, documentation, source, warning};

pub(crate) fn answer(text: &mut Text, answer: &SearchAnswer) {
    match answer {
        SearchAnswer::Found(result) => found(text, result),
        SearchAnswer::Unavailable(answer) => {
            unavailable(text, answer.reason, None);
            captured(text, answer.view.as_ref());
            warning::section(text, &answer.warnings);
        }
    }
}

fn found(text: &mut Text, result: &SearchResult) {
    let title = counted(result.results.len(), "result");
    text.line(0, &(title + &page(result.pagination)));
    let forest = Forest::of(&result.results);
    for (index, hit) in forest.items.iter().enumerate() {
        let mut item = Item::new(text, index, forest.items.len());
        match &hit.hit {
            Hit::Symbol { symbol } => symbol_hit(&mut item, hit, symbol, Layout::Item),
            Hit::File { .. } => file_hit(&mut item, hit),
            Hit::Documentation { heading_path, symbol, .. } => {
                documentation::hit(&mut item, hit, heading_path, symbol.as_ref());
            }
            Hit::Commit {} => commit::hit(&mut item, hit),
        }
        item.finish();
    }
    forest.write(text);
    // The next page is asked for by this view, so that both are pages of one selection.
    if result.pagination.total_pages > 1 {
        captured(text, Some(&result.view));
    }
    warning::section(text, &result.warnings);
}

/// ` · page P/T`, when there is more than one page or the requested one lies past the last.
pub(crate) fn page(pagination: Pagination) -> String {
    let Pagination { page_index, total_pages } = pagination;
    if total_pages > 1 || page_index >= total_pages.max(1) {
        format!("{SEPARATOR}page {}/{total_pages}", page_index.saturating_add(1))
    } else {
        String::new()
    }
}

/// Where the lines of a hit stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// In an item, without words before them.
    Item,
    /// In a tree: `in` before the location, `at` before the identity, and the tree itself says that a walk matched.
    Tree {
        /// Whether `by` stands before the declaration.
        by: bool,
    },
}

/// The location and the names of the matched fields.
pub(crate) fn place(hit: &SearchHit, layout: Layout) -> Facts {
    let mut facts = Facts::default();
    let location = location(hit.path.as_ref(), hit.unit.as_ref(), hit.line);
    let shown = |field: &&MatchedField| layout == Layout::Item || **field != MatchedField::Relationship;
    let fields: Vec<&str> = hit.matched_by.iter().filter(shown).map(|field| field.word()).collect();
    match (location, layout) {
        (Some(location), Layout::Tree { .. }) => facts.add(format!("in {location}")),
        (location, _) => facts.add(location.unwrap_or_default()),
    }
    facts.add(fields.join(", "));
    facts
}

/// The score, when the request asked for it.
pub(crate) fn score(hit: &SearchHit) -> String {
    hit.score.map(|score| format!("score {score}")).unwrap_or_default()
}

/// Where the hit stands in the rankings that its score is made of.
pub(crate) fn ranking(hit: &SearchHit) -> String {
    let ranks: Vec<String> = hit.ranking.iter().map(|of| format!("{} {}", of.name, of.rank)).collect();
    if ranks.is_empty() { String::new() } else { format!("ranked {}", ranks.join(", ")) }
}

/// The lines of a symbol hit.
pub(crate) fn symbol_hit(item: &mut Item<'_>, hit: &SearchHit, symbol: &Symbol, layout: Layout) {
    let by = if layout == (Layout::Tree { by: true }) { "by " } else { "" };
    item.line_if(declaration(symbol).map(|declaration| format!("{by}{declaration}")));
    let mut facts = place(hit, layout);
    facts.add(score(hit));
    facts.add(ranking(hit));
    exceptions(&mut facts, symbol);
    source::omission(&mut facts, hit);
    item.line_if(facts.line());
    match (&symbol.id, layout) {
        (Some(id), Layout::Item) => item.line(id.as_str()),
        (Some(id), Layout::Tree { .. }) => item.line(&format!("at {id}")),
        (None, _) => item.line_if(hit.range.map(range)),
    }
    item.line_if(summary(&symbol.documentation));
    item.line_if(hit.change.as_ref().map(|change| change_line(hit, change)));
    source::write(item, hit, true);
}

/// The kind of a change, and the paths that the location does not show.
fn change_line(hit: &SearchHit, change: &SymbolChange) -> String {
    let mut facts = Facts::default();
    facts.add(change.kind.word().replace('_', " "));
    match (&change.base_path, &change.head_path) {
        (Some(base), Some(head)) if base != head => {
            facts.add(format!("{} → {}", value(base.as_str()), value(head.as_str())));
        }
        (Some(only), None) | (None, Some(only)) if hit.path.as_ref() != Some(only) => facts.add(value(only.as_str())),
        _ => {}
    }
    facts.line().unwrap_or_default()
}

fn file_hit(item: &mut Item<'_>, hit: &SearchHit) {
    let mut facts = place(hit, Layout::Item);
    facts.add(score(hit));
    facts.add(ranking(hit));
    source::omission(&mut facts, hit);
    item.line_if(facts.line());
    source::write(item, hit, false);
}
