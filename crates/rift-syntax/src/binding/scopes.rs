//! Lexical scopes: which definitions of one file a name can mean. The nearest scope shadows; inside one scope, order and
//! branches decide which definitions can be meant.

use std::collections::HashMap;

use rift_base::Facet;

use super::binder::{Binder, Defined, RawName, ScopeKind, Space};
use crate::facts::DeclId;

/// A scope's number in its file; 0 is the file's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ScopeId(pub(super) u32);

impl ScopeId {
    /// The file's own scope.
    pub(crate) const FILE: Self = Self(0);
}

/// One scope.
pub(super) struct Scope {
    pub(super) parent: Option<ScopeId>,
    pub(super) kind: ScopeKind,
    /// The module or type whose body this is.
    pub(super) decl: Option<DeclId>,
    /// Whether the type inherits members, which its own text does not tell.
    pub(super) inherits: bool,
    /// In the order in which they were told, which is that of the source.
    names: HashMap<RawName, Vec<Definition>>,
    order: Vec<RawName>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Definition {
    what: Defined,
    at: u32,
    branch: u32,
}

/// What a name means by lexical scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// One of these.
    Here(Vec<Defined>),
    /// No scope of the file binds it: the innermost type or module around the use.
    Free(Option<DeclId>),
}

impl Scope {
    pub(super) fn new(parent: Option<ScopeId>, kind: ScopeKind, decl: Option<DeclId>) -> Self {
        Self { parent, kind, decl, inherits: false, names: HashMap::new(), order: Vec::new() }
    }

    pub(super) fn define(&mut self, name: RawName, what: Defined, at: u32, branch: u32) {
        let definitions = self.names.entry(name).or_default();
        if definitions.is_empty() {
            self.order.push(name);
        }
        let new = Definition { what, at, branch };
        // A name declared once and assigned again and again is one definition.
        if !definitions.iter().any(|d| d.what == what && matches!(what, Defined::Decl(_))) {
            definitions.push(new);
        }
    }

    /// Everything that `name` can mean here.
    pub(super) fn of(&self, name: RawName) -> impl Iterator<Item = Defined> {
        self.names.get(&name).into_iter().flatten().map(|definition| definition.what)
    }

    /// Every name with everything that it can mean, in the order of the source.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (RawName, Defined)> {
        self.order.iter().flat_map(|name| {
            let found = self.names.get(name).map_or(&[][..], |found| found);
            found.iter().map(|definition| (*name, definition.what))
        })
    }
}

impl Binder<'_> {
    /// What `name` of `space` means at byte `at` of `scope`, inside `branch`.
    pub(super) fn look_up(&self, name: RawName, scope: ScopeId, branch: u32, at: u32, space: Space) -> Found {
        let mut here = Some(scope);
        let mut within = None;
        let mut from_callable = false;
        let mut skip_to_file = false;
        let mut inherited = false;
        let mut outside_module = false;
        while let Some(id) = here {
            let Some(scope) = self.scopes.get(id.0 as usize) else { break };
            let is_file = scope.parent.is_none();
            if within.is_none() && matches!(scope.kind, ScopeKind::Type | ScopeKind::Module) {
                within = scope.decl;
            }
            let hidden = scope.kind == ScopeKind::Type && from_callable && !self.lexical.members_in_scope;
            let found = if hidden || (skip_to_file && !is_file) { None } else { scope.names.get(&name) };
            if let Some(found) = found {
                let fits =
                    |d: &Definition| self.fits(d, space, at) && (!outside_module || matches!(d.what, Defined::Decl(_)));
                let candidates = self.candidates(scope, found, branch, at, from_callable, fits);
                match candidates.as_slice() {
                    [] => {}
                    [Defined::File, ..] => skip_to_file = true,
                    [Defined::Enclosing, ..] => {}
                    // A member of an outer type, unless a type in between inherits one of that name.
                    _ if inherited && scope.kind == ScopeKind::Type => return Found::Free(within),
                    _ => return Found::Here(candidates),
                }
            }
            from_callable |= scope.kind == ScopeKind::Callable;
            inherited |= scope.inherits && self.lexical.members_in_scope;
            if self.lexical.modules_closed && scope.kind == ScopeKind::Module {
                if space != Space::Macros {
                    break;
                }
                outside_module = true;
            }
            here = scope.parent;
        }
        Found::Free(within)
    }

    /// Whether `definition` is one of `space`.
    fn fits(&self, definition: &Definition, space: Space, at: u32) -> bool {
        let decl = match (definition.what, space) {
            (_, Space::Any) => return true,
            (Defined::Alias(_), Space::Import) => return definition.at != at,
            (Defined::Alias(_) | Defined::Enclosing | Defined::File, _) => return true,
            (Defined::Value(_) | Defined::Opaque, _) => return space == Space::Values,
            (Defined::Parameter(_), _) => return space == Space::Types,
            (Defined::Decl(_), Space::Import) => return true,
            (Defined::Decl(decl), _) => decl,
        };
        let Some(declaration) = self.facts.outline.get(decl) else { return false };
        let has = |facet| declaration.facets.has(facet);
        match space {
            Space::Macros => has(Facet::Macro),
            Space::Types => has(Facet::Type) || has(Facet::Namespace),
            // The name of a struct is its constructor's too.
            _ => has(Facet::Value) || has(Facet::Callable) || has(Facet::Constructible),
        }
    }

    /// Those definitions of one scope that can be meant.
    fn candidates(
        &self,
        scope: &Scope,
        found: &[Definition],
        branch: u32,
        at: u32,
        from_callable: bool,
        fits: impl Fn(&Definition) -> bool,
    ) -> Vec<Defined> {
        let local = matches!(scope.kind, ScopeKind::Callable | ScopeKind::Block);
        let mut out = Vec::new();
        if self.lexical.ordered && local {
            // Items are visible in their whole block; variables from where they are defined on.
            let seen = |d: &&Definition| fits(d) && (d.at <= at || matches!(d.what, Defined::Decl(_)));
            out.extend(found.iter().rev().find(seen).map(|d| d.what));
            return out;
        }
        if self.lexical.ordered {
            out.extend(found.iter().filter(|d| fits(d)).map(|d| d.what));
            return out;
        }
        let before = found.iter().filter(|d| fits(d) && d.at <= at).count();
        if from_callable && !local || before == 0 {
            // Runs later, or in an order that the text does not tell.
            out.extend(found.iter().filter(|d| fits(d)).map(|d| d.what));
        } else {
            for definition in found[..].iter().filter(|d| fits(d) && d.at <= at).rev() {
                out.push(definition.what);
                if self.encloses(definition.branch, branch) {
                    break;
                }
            }
        }
        out.reverse();
        out.dedup();
        out
    }

    /// Whether `outer` is `inner` or one of the branches around it.
    fn encloses(&self, outer: u32, inner: u32) -> bool {
        let mut here = inner;
        loop {
            if here == outer {
                return true;
            }
            match self.branches.get(here as usize) {
                Some(parent) if *parent != here => here = *parent,
                _ => return false,
            }
        }
    }
}
