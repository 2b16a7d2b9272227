//! Lexical scopes: which definitions of one file a name can mean. The nearest scope shadows; inside one scope, order and
//! branches decide which definitions can be meant.

use std::collections::HashMap;

use super::binder::{Binder, Defined, RawName, ScopeKind};
use crate::facts::DeclId;

/// A scope's number in its file; 0 is the file's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ScopeId(pub(super) u32);

/// One scope.
pub(super) struct Scope {
    pub(super) parent: Option<ScopeId>,
    pub(super) kind: ScopeKind,
    /// The module or type whose body this is.
    pub(super) decl: Option<DeclId>,
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
        Self { parent, kind, decl, names: HashMap::new(), order: Vec::new() }
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
    /// What `name` means at byte `at` of `scope`, inside `branch`.
    pub(super) fn look_up(&self, name: RawName, scope: ScopeId, branch: u32, at: u32) -> Found {
        let mut here = Some(scope);
        let mut within = None;
        let mut from_callable = false;
        let mut skip_to_file = false;
        while let Some(id) = here {
            let Some(scope) = self.scopes.get(id.0 as usize) else { break };
            let is_file = scope.parent.is_none();
            if within.is_none() && matches!(scope.kind, ScopeKind::Type | ScopeKind::Module) {
                within = scope.decl;
            }
            let hidden = scope.kind == ScopeKind::Type && from_callable && !self.lexical.members_in_scope;
            let found = if hidden || (skip_to_file && !is_file) { None } else { scope.names.get(&name) };
            if let Some(found) = found {
                let candidates = self.candidates(scope, found, branch, at, from_callable);
                match candidates.as_slice() {
                    [] => {}
                    [Defined::File, ..] => skip_to_file = true,
                    [Defined::Enclosing, ..] => {}
                    _ => return Found::Here(candidates),
                }
            }
            from_callable |= scope.kind == ScopeKind::Callable;
            if self.lexical.modules_closed && scope.kind == ScopeKind::Module {
                break;
            }
            here = scope.parent;
        }
        Found::Free(within)
    }

    /// Those definitions of one scope that can be meant.
    fn candidates(
        &self,
        scope: &Scope,
        found: &[Definition],
        branch: u32,
        at: u32,
        from_callable: bool,
    ) -> Vec<Defined> {
        let local = matches!(scope.kind, ScopeKind::Callable | ScopeKind::Block);
        let mut out = Vec::new();
        if self.lexical.ordered && local {
            // Items are visible in their whole block; variables from where they are defined on.
            let last = found.iter().rev().find(|d| d.at <= at || matches!(d.what, Defined::Decl(_)));
            out.extend(last.map(|d| d.what));
            return out;
        }
        let before = found.iter().filter(|d| d.at <= at).count();
        if from_callable && !local || before == 0 {
            // Runs later, or in an order that the text does not tell.
            out.extend(found.iter().map(|d| d.what));
        } else {
            for definition in found[..].iter().filter(|d| d.at <= at).rev() {
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
