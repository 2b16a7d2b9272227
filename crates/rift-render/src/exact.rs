//! `get_symbol` and `get_source`: one object, or why there is none.

use rift_protocol::{
    FoundSource, FoundSymbol, GetSourceResult, GetSymbolResult, MissingSymbol, SymbolDeclaration, SymbolOrigin,
};

use crate::location::{location, range};
use crate::symbol::{declaration, exceptions, origin};
use crate::text::{Facts, Text};
use crate::view::{captured, unavailable};
use crate::{documentation, warning};

pub(crate) fn symbol(text: &mut Text, result: &GetSymbolResult) {
    let warnings = match result {
        GetSymbolResult::Found(found) => {
            found_symbol(text, found);
            captured(text, Some(&found.view));
            &found.warnings
        }
        GetSymbolResult::Missing(missing) => {
            missing_symbol(text, missing);
            captured(text, Some(&missing.view));
            &missing.warnings
        }
        GetSymbolResult::Unavailable(answer) => {
            unavailable(text, answer.reason, Some(answer.id.as_str()));
            captured(text, answer.view.as_ref());
            &answer.warnings
        }
    };
    warning::section(text, warnings);
}

fn found_symbol(text: &mut Text, found: &FoundSymbol) {
    let symbol = &found.symbol;
    let title = declaration(symbol).unwrap_or_else(|| format!("{} {}", symbol.kind, symbol.name));
    text.line(0, &title);
    if let Some(id) = &symbol.id {
        text.line(1, id.as_str());
    }
    let mut facts = Facts::default();
    exceptions(&mut facts, symbol);
    if let Some(line) = facts.line() {
        text.line(1, &line);
    }
    let texts = symbol.documentation.iter().map(|d| d.text.as_str()).filter(|text| !text.trim().is_empty());
    for (index, attached) in texts.enumerate() {
        match index {
            0 => text.copied(1, attached),
            _ => text.copied_apart(1, attached),
        }
    }
    if let Some(context) = &found.documentation {
        documentation::context(text, context);
    }
    if !found.declarations.is_empty() {
        text.line(0, "declarations:");
    }
    let usual = symbol.origin.as_ref().unwrap_or(&SymbolOrigin::PROJECT);
    for entry in &found.declarations {
        declared(text, entry, usual);
    }
    if let Some(cursor) = &found.declaration_cursor {
        text.line(0, &format!("declaration_cursor {cursor}"));
    }
}

/// One declaration. Its origin is written where it is another than the symbol's `usual` one.
fn declared(text: &mut Text, entry: &SymbolDeclaration, usual: &SymbolOrigin) {
    let mut facts = Facts::default();
    facts.add(location(entry.path.as_ref(), entry.unit.as_ref(), Some(entry.line)).unwrap_or_default());
    facts.add(range(entry.range));
    if entry.origin != *usual {
        origin(&mut facts, &entry.origin);
    }
    facts.add_if(entry.source.is_some() && !entry.source_complete, "source truncated");
    text.line(1, &facts.line().unwrap_or_default());
    if let Some(node) = &entry.node {
        text.line(2, node.as_str());
    }
    text.copied(2, entry.source.as_deref().unwrap_or_default());
}

fn missing_symbol(text: &mut Text, missing: &MissingSymbol) {
    let miss = &missing.symbol_not_found;
    text.line(0, "error: symbol_not_found");
    text.line(1, miss.id.as_str());
    if let Some(detail) = &miss.detail {
        text.line(1, detail);
    }
    if !miss.alternatives.is_empty() {
        text.line(0, "closest matches:");
    }
    for alternative in &miss.alternatives {
        text.line(1, alternative.id.as_str());
    }
}

pub(crate) fn source(text: &mut Text, result: &GetSourceResult) {
    let warnings = match result {
        GetSourceResult::Found(found) => {
            found_source(text, found);
            &found.warnings
        }
        GetSourceResult::Missing(missing) => {
            text.line(0, "error: source_not_found");
            text.line(1, missing.unit.as_str());
            captured(text, Some(&missing.view));
            &missing.warnings
        }
        GetSourceResult::Unavailable(answer) => {
            unavailable(text, answer.reason, Some(answer.unit.as_str()));
            captured(text, answer.view.as_ref());
            &answer.warnings
        }
    };
    warning::section(text, warnings);
}

fn found_source(text: &mut Text, found: &FoundSource) {
    let span = &found.source.span;
    text.line(0, &format!("{}:{}", span.unit, range(span.range)));
    text.copied(1, &found.source.text);
    captured(text, Some(&found.view));
}
