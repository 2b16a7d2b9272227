//! What a symbol's lines say, in hits and in exact reads.

use rift_base::Facet;
use rift_protocol::{Documentation, OriginLocation, SourceKind, Symbol, SymbolOrigin};

use crate::text::{Facts, value};

/// The first signature's display, behind the visibility when it does not begin with that word.
pub(crate) fn declaration(symbol: &Symbol) -> Option<String> {
    let display = symbol.signatures.first()?.display.as_str();
    match symbol.visibility.as_deref() {
        Some(visibility) if !visibility.is_empty() && !begins_with_word(display, visibility) => {
            Some(format!("{visibility} {display}"))
        }
        _ => Some(display.to_owned()),
    }
    .filter(|line| !line.trim().is_empty())
}

fn begins_with_word(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Adds the facts of a symbol that are not in their normal state.
pub(crate) fn exceptions(facts: &mut Facts, symbol: &Symbol) {
    if let Some(origin) = &symbol.origin {
        self::origin(facts, origin);
    }
    facts.add_if(symbol.facets.contains(&Facet::Deprecated), "deprecated");
    facts.add_if(symbol.facets.contains(&Facet::Test), "test");
    facts.add_if(symbol.document_local, "document local");
}

/// Adds an origin that is not a project's authored declaration.
pub(crate) fn origin(facts: &mut Facts, origin: &SymbolOrigin) {
    let mut words = Vec::new();
    if let Some(location) = origin.location.filter(|location| *location != OriginLocation::Project) {
        words.push(location.word().to_owned());
    }
    if let Some(package) = &origin.package {
        words.push(format!("{}@{}", package.name, package.version));
    } else if let Some(runtime) = &origin.runtime {
        words.push(format!("{}@{}", runtime.runtime, runtime.version));
    }
    facts.add(value(&words.join(" ")));
    facts.add_if(origin.source_kind != SourceKind::Authored, origin.source_kind.word());
}

/// The first line of the first documentation text that holds more than whitespace.
pub(crate) fn summary(documentation: &[Documentation]) -> Option<&str> {
    documentation.first()?.text.lines().map(str::trim).find(|line| !line.is_empty())
}
