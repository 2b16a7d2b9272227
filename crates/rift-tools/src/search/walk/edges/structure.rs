//! What declarations say of each other by where they stand: a type contains its members, and a member overrides an inherited
//! one. Followed when asked for.

use std::collections::BTreeMap;

use rift_host::facts::{DeclId, FileEntry};
use rift_host::{Derivation as Known, Member, Overriding, ResolvedSymbol, SymbolKey, View, targets};
use rift_protocol::{RelationshipFacet, SymbolId};

use super::{Draft, Found, WalkError, note, symbol_at, symbol_of};
use crate::symbol::symbol_id;

type Drafts = BTreeMap<SymbolId, Draft>;

/// What contains `symbol`, and what overrides it.
pub(super) fn incoming(
    view: &View,
    symbol: &ResolvedSymbol,
    wanted: &[RelationshipFacet],
    drafts: &mut Drafts,
) -> Result<(), WalkError> {
    if wanted.contains(&RelationshipFacet::Contains) {
        for member in &symbol.members {
            if let Some(container) = container(view, member)? {
                note(drafts, view, container, contained(member, member.primary));
            }
        }
    }
    if wanted.contains(&RelationshipFacet::Overrides) {
        for (path, found) in view.overriding(&targets(symbol))? {
            let Some(entry) = view.entry(&path) else { continue };
            for one in found {
                if let Some(neighbour) = symbol_at(view, entry, one.decl)? {
                    note(drafts, view, neighbour, overridden(view, entry, &one));
                }
            }
        }
    }
    Ok(())
}

/// What `symbol` contains, and what it overrides.
pub(super) fn outgoing(
    view: &View,
    symbol: &ResolvedSymbol,
    wanted: &[RelationshipFacet],
    drafts: &mut Drafts,
) -> Result<(), WalkError> {
    for member in &symbol.members {
        let is_own = |id: DeclId| member.symbols.primary(id) == member.primary;
        if wanted.contains(&RelationshipFacet::Contains) {
            let inner = member.facts.outline.iter().filter(|(_, inner)| inner.container.is_some_and(is_own));
            for (id, _) in inner {
                if let Some(neighbour) = symbol_at(view, &member.entry, id)? {
                    note(drafts, view, neighbour, contained(member, id));
                }
            }
        }
        if wanted.contains(&RelationshipFacet::Overrides) {
            let found = view.overridden(&member.entry.path)?;
            for one in found.into_iter().filter(|one| is_own(one.decl)) {
                if let Some(neighbour) = symbol_of(view, &one.target)? {
                    note(drafts, view, neighbour, overridden(view, &member.entry, &one));
                }
            }
        }
    }
    Ok(())
}

/// The symbol around `member`: its container in the file, else the symbol of the path above its own, as for a method that
/// stands in another file than its type.
fn container(view: &View, member: &Member) -> Result<Option<(SymbolId, ResolvedSymbol)>, WalkError> {
    let declaration = member.facts.outline.get(member.primary);
    if let Some(id) = declaration.and_then(|declaration| declaration.container) {
        return symbol_at(view, &member.entry, id);
    }
    let is_member = declaration.is_some_and(|declaration| declaration.facets.has(rift_base::Facet::Member));
    let Some((key, _)) = view.identity(&member.entry, member.primary).filter(|_| is_member) else { return Ok(None) };
    let Ok(above) = rift_base::NamePath::parse(key.path.container()) else { return Ok(None) };
    let key = SymbolKey { path: above, ..key };
    let resolved = view.resolve(&key);
    let [one] = &resolved[..] else { return Ok(None) };
    Ok(symbol_id(&key, one.occurrence).map(|id| (id, one.clone())))
}

/// The name of `id`, which stands inside its container.
fn contained(member: &Member, id: DeclId) -> Found<'_> {
    Found {
        entry: &member.entry,
        site: member.facts.positions.get(id.0 as usize).map(|position| position.name),
        facets: vec![RelationshipFacet::Contains],
        derivation: Known::Syntax,
        among: 1,
    }
}

/// The name of the member that overrides.
fn overridden<'v>(view: &View, entry: &'v FileEntry, one: &Overriding) -> Found<'v> {
    let facts = view.facts(entry);
    let position = facts.as_ref().and_then(|facts| facts.positions.get(one.decl.0 as usize));
    Found {
        entry,
        site: position.map(|position| position.name),
        facets: vec![RelationshipFacet::Overrides],
        derivation: one.derivation,
        among: one.among,
    }
}
