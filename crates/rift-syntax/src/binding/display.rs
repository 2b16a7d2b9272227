//! Binding facts as text, for tests and for people who look into the database.

use std::fmt::Write as _;

use super::facts::*;
use crate::facts::{DeclId, FileFacts};

/// Deepest term that is spelled out.
const SHOWN_DEPTH: usize = 24;

/// `found`, a line each: what others see (`name = term`, `name* = term` when a wildcard takes it, `* = term` for a wildcard,
/// `path: bases | value`, `+ type: base | member` for an extension), then the references of `text` as `line:column name role owner = term`.
pub fn describe(text: &str, facts: &FileFacts, found: &BindingFacts) -> String {
    let mut out = String::new();
    let path = |decl: Option<DeclId>| match decl.and_then(|decl| facts.outline.get(decl)) {
        Some(declaration) => declaration.path.to_string(),
        None => "-".to_owned(),
    };
    let surface = &found.surface;
    let spell = |terms: &Terms, term: TermId| spelled(facts, terms, term, 0);
    let place = |within: Option<DeclId>| within.map_or(String::new(), |_| format!("{} . ", path(within)));
    for entry in &surface.entries {
        let star = if entry.starred { "*" } else { "" };
        let name = surface.terms.name(entry.name);
        let _ = writeln!(out, "{}{name}{star} = {}", place(entry.within), spell(&surface.terms, entry.means));
    }
    for wildcard in &surface.wildcards {
        let exported = if wildcard.exported { "**" } else { "*" };
        let _ = writeln!(out, "{}{exported} = {}", place(wildcard.within), spell(&surface.terms, wildcard.of));
    }
    for declared in &surface.declared {
        let bases: Vec<String> = declared.bases.iter().map(|base| spell(&surface.terms, *base)).collect();
        let value = declared.value.map_or(String::new(), |value| spell(&surface.terms, value));
        let _ = writeln!(out, "{}: {} | {value}", path(Some(declared.decl)), bases.join(", "));
    }
    for extension in &surface.extensions {
        let of = spell(&surface.terms, extension.of);
        let base = extension.base.map_or(String::new(), |base| spell(&surface.terms, base));
        let _ = writeln!(out, "+ {of}: {base} | {}", path(extension.member));
    }
    for (reference, site) in found.uses.references.iter().zip(found.sites.iter()) {
        let before = text.get(..site.start as usize).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
        let role = format!("{:?}", reference.role).to_lowercase();
        let arguments = reference.arguments.map_or(String::new(), |n| format!("/{n}"));
        let unproven = if reference.unproven { "?" } else { "" };
        let term = spell(&found.uses.terms, reference.term);
        let (name, owner) = (site.of(text), path(reference.owner));
        let _ = writeln!(out, "{line}:{column} {name} {role}{arguments}{unproven} {owner} = {term}");
    }
    out
}

fn spelled(facts: &FileFacts, terms: &Terms, term: TermId, depth: usize) -> String {
    if depth > SHOWN_DEPTH {
        return "…".to_owned();
    }
    let inner = |term: TermId| spelled(facts, terms, term, depth + 1);
    let list = |items: &[TermId]| items.iter().map(|item| inner(*item)).collect::<Vec<_>>();
    let path = |decl: DeclId| facts.outline.get(decl).map_or(String::new(), |d| d.path.to_string());
    match terms.get(term) {
        Term::Unknown => "?".to_owned(),
        Term::Module(name) => format!("module({})", terms.name(*name)),
        Term::Decl(decl) => path(*decl),
        Term::Free { name, within: None } => format!("free({})", terms.name(*name)),
        Term::Free { name, within: Some(decl) } => format!("free({} in {})", terms.name(*name), path(*decl)),
        Term::This(decl) => format!("this({})", path(*decl)),
        Term::Super(decl) => format!("super({})", path(*decl)),
        Term::Member { of, name } => format!("{}.{}", inner(*of), terms.name(*name)),
        Term::Call(of) => format!("{}()", inner(*of)),
        Term::Value(of) => format!("value({})", inner(*of)),
        Term::Applied { of, arguments } => format!("{}[{}]", inner(*of), list(arguments).join(", ")),
        Term::Inner { of, at } => format!("{}#{at}", inner(*of)),
        Term::First(terms) => format!("({})", list(terms).join(" else ")),
        Term::Either(any) => format!("({})", list(any).join(" or ")),
    }
}
