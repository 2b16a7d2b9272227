//! Which symbols the prose of a block names. A name resolves when the workspace declares exactly one symbol that it can
//! mean; anything else stays a word.

use std::collections::BTreeSet;

use rift_base::ByteRange;
use rift_host::View;
use rift_host::facts::{Block, DeclId, Markup, spans};
use rift_protocol::limits::REFERENCES_MAX;
use rift_protocol::{DocumentationReference, Failure, ReferenceEvidence, SymbolId};

use super::in_file;
use crate::context::index_failure;
use crate::symbol::symbol_id;

/// Declarations of one name that are looked at; a name with more is ambiguous.
const NAMED_MAX: usize = 256;
/// Names of one authored path.
const SEGMENTS_MAX: usize = 8;

/// What an authored name means.
pub(crate) enum Meaning {
    /// One symbol.
    Symbol(SymbolId, ReferenceEvidence),
    /// Nothing that the workspace declares.
    Nothing,
    /// Several symbols.
    Ambiguous,
}

/// The symbols that `block`, of a document that holds `text`, names: each once, by its strongest reference, in the order of the text,
/// at most [`REFERENCES_MAX`].
pub(crate) fn references(view: &View, block: &Block, text: &str) -> Result<Vec<DocumentationReference>, Failure> {
    named(view, block.text(text), block.range(), block.text.is_none(), None)
}

/// The symbols that the marks of `text` name, which is spelled at `place` of its file; only `wanted`, a short name, when it is
/// given.
pub(crate) fn named(
    view: &View,
    text: &str,
    place: ByteRange,
    spelled: bool,
    wanted: Option<&str>,
) -> Result<Vec<DocumentationReference>, Failure> {
    let mut list: Vec<DocumentationReference> = Vec::new();
    for span in spans(text) {
        let (authored, range, linked) = match span {
            Markup::Code { text, range } => (text, range, false),
            Markup::Link { target, range } => (target, range, true),
        };
        let Some(names) = names(authored) else { continue };
        if linked && names.len() < 2 || wanted.is_some_and(|wanted| names.last() != Some(&wanted)) {
            continue;
        }
        let Meaning::Symbol(target, evidence) = meaning(view, &names)? else { continue };
        let evidence = if linked { ReferenceEvidence::AuthoredLink } else { evidence };
        match list.iter_mut().find(|known| known.target == target) {
            Some(known) if known.evidence <= evidence => {}
            known => {
                let range = in_file(place, spelled, range).into();
                let reference = DocumentationReference { target, range, authored: authored.to_owned(), evidence };
                match known {
                    Some(known) => *known = reference,
                    None => list.push(reference),
                }
            }
        }
        if list.len() >= REFERENCES_MAX {
            break;
        }
    }
    Ok(list)
}

/// The names of an authored path: `a::b`, `a.b`, `a#b`, `a->b`, with or without arguments behind it. Absent for text that is
/// no such path.
pub(crate) fn names(authored: &str) -> Option<Vec<&str>> {
    let text = authored.trim().trim_start_matches(['&', '@', '*']);
    let text = match text.split_once('(') {
        Some((name, rest)) if rest.ends_with(')') => name,
        Some(_) => return None,
        None => text.trim_end_matches('!'),
    };
    let mut out = Vec::new();
    let mut rest = text;
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
        let (name, tail) = rest.split_at(end);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || out.len() == SEGMENTS_MAX {
            return None;
        }
        out.push(name);
        if tail.is_empty() {
            return Some(out);
        }
        rest = ["::", "->", ".", "#"].iter().find_map(|separator| tail.strip_prefix(separator))?;
    }
}

/// What a path of names means: the one symbol whose logical path ends with it, or, for a single name, that has it.
pub(crate) fn meaning(view: &View, names: &[&str]) -> Result<Meaning, Failure> {
    let names: Vec<&str> =
        names.iter().copied().skip_while(|name| matches!(*name, "crate" | "self" | "super")).collect();
    let Some(last) = names.last() else { return Ok(Meaning::Nothing) };
    let Some(rows) = view.searcher().named(last, NAMED_MAX).map_err(index_failure)? else {
        return Ok(Meaning::Ambiguous);
    };
    let mut found: BTreeSet<SymbolId> = BTreeSet::new();
    for row in rows {
        let Some(entry) = view.entry(&row.path).filter(|entry| !super::is_document(&entry.path)) else { continue };
        let Some((key, occurrence)) = view.identity(entry, DeclId(row.ordinal)) else {
            continue;
        };
        let written = key.path.names().rev().zip(names.iter().rev()).filter(|(name, wanted)| name == **wanted).count();
        if written == names.len() {
            found.extend(symbol_id(&key, occurrence));
        }
        if found.len() > 1 {
            return Ok(Meaning::Ambiguous);
        }
    }
    let evidence = if names.len() > 1 { ReferenceEvidence::QualifiedName } else { ReferenceEvidence::UniqueName };
    Ok(found.pop_first().map_or(Meaning::Nothing, |id| Meaning::Symbol(id, evidence)))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn authored_names() {
        for (text, expected) in [
            ("load_config", Some(vec!["load_config"])),
            ("crate::config::load_config()", Some(vec!["crate", "config", "load_config"])),
            ("django.urls.resolve(path, urlconf)", Some(vec!["django", "urls", "resolve"])),
            ("Foo#bar", Some(vec!["Foo", "bar"])),
            ("vec!", Some(vec!["vec"])),
            ("@decorator", Some(vec!["decorator"])),
            ("a b", None),
            ("--flag", None),
            ("src/config.rs", None),
            ("1.0", None),
            ("f(", None),
            ("", None),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }
}
