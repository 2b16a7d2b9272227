//! Type arguments: what the type parameters in a member's type stand for, seen from the value that it is a member of, and
//! what containers hand out.

use std::sync::Arc;

use rift_base::Facet;

use crate::inputs::File;

use super::evaluate::{Denoted, Evaluator};
use super::languages::Yield;
use super::modules::file_layout;
use super::names::{DeclKey, Declared, declared};
use super::tree::Tree;

/// A term, the file it is read in, and what the type parameters in it stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) file: File,
    pub(super) tree: Arc<Tree>,
    pub(super) given: Option<Arc<Given>>,
}

/// What the type parameters of one type stand for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) of: DeclKey,
    pub(super) arguments: Arc<[Term]>,
}

impl Evaluator<'_> {
    /// What a method of a library's container yields, called on what `receiver` yields.
    pub(super) fn library(&mut self, file: File, receiver: &Arc<Tree>, of: Yield) -> Vec<Denoted> {
        let mut out = Vec::new();
        for value in self.evaluate(file, receiver) {
            for value in self.value_held(value).into_iter().filter(|value| matches!(value, Denoted::Opaque(_))) {
                out.extend(match of {
                    Yield::Same => vec![value],
                    Yield::Argument(at) => self.argument(value, at),
                });
            }
        }
        out
    }

    /// The values that `of` stands for: what a variable holds, else itself.
    fn value_held(&mut self, of: Denoted) -> Vec<Denoted> {
        let Denoted::Symbol(decl, arguments) = &of else { return vec![of] };
        match declared(self.db, *decl) {
            Some(what) if !what.is_type() && (what.value.is_some() || !what.facets.has(Facet::Callable)) => {
                self.held(*decl, &what, arguments)
            }
            _ => Vec::new(),
        }
    }

    /// A value of the type argument number `at` of what `of` is a value of.
    pub(super) fn inner(&mut self, file: File, of: &Arc<Tree>, at: i8) -> Vec<Denoted> {
        let found = self.evaluate(file, of);
        if matches!(**of, Tree::This(_)) {
            // A type parameter: what the type extends says nothing of it.
            return self.argument_of(found, at);
        }
        found.into_iter().flat_map(|of| self.argument(of, at)).collect()
    }

    pub(super) fn argument(&mut self, of: Denoted, at: i8) -> Vec<Denoted> {
        let applied = self.applied(of);
        self.argument_of(applied, at)
    }

    /// Values of the type argument number `at` of each of `applied`.
    fn argument_of(&mut self, applied: Vec<Denoted>, at: i8) -> Vec<Denoted> {
        let mut out = Vec::new();
        for denoted in applied {
            let (Denoted::Instance(_, arguments) | Denoted::Opaque(arguments) | Denoted::Symbol(_, arguments)) =
                denoted
            else {
                continue;
            };
            let number = match at {
                0.. => usize::from(at.unsigned_abs()),
                _ => match arguments.len().checked_sub(usize::from(at.unsigned_abs())) {
                    Some(number) => number,
                    None => continue,
                },
            };
            if let Some(argument) = arguments.get(number).cloned() {
                let types = self.with(argument.given, |this| this.evaluate(argument.file, &argument.tree));
                out.extend(types.into_iter().flat_map(|of| self.value_of(of)).collect::<Vec<_>>());
            }
        }
        out
    }

    /// Runs `go` where type parameters stand for what is `given`.
    pub(super) fn with<T>(&mut self, given: Option<Arc<Given>>, go: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.given, given);
        let out = go(self);
        self.given = before;
        out
    }

    /// What carries the type arguments of `of`: itself, the values of a variable, or, of a type without arguments of its own,
    /// what it stands for and what it extends.
    fn applied(&mut self, of: Denoted) -> Vec<Denoted> {
        self.deeper(|this| {
            let (Denoted::Symbol(decl, arguments) | Denoted::Instance(decl, arguments)) = &of else { return vec![of] };
            let (decl, arguments) = (*decl, arguments.clone());
            let Some(what) = declared(this.db, decl) else { return vec![of] };
            if what.is_type() && !arguments.is_empty() {
                return vec![of];
            }
            let held = match what.facets.has(Facet::Callable) && what.value.is_none() {
                true => Vec::new(),
                false => this.held(decl, &what, &arguments),
            };
            let mut out: Vec<Denoted> = held.into_iter().flat_map(|held| this.applied(held)).collect();
            let extends = file_layout(this.db, decl.file(this.db)).is_some_and(|layout| layout.extends_containers);
            for base in what.bases.iter().filter(|_| extends) {
                let bases = this.with(None, |this| this.evaluate(decl.file(this.db), base));
                out.extend(bases.into_iter().flat_map(|base| this.applied(base)).collect::<Vec<_>>());
            }
            if out.is_empty() && what.is_type() { vec![of] } else { out }
        })
    }

    /// `member`, found in a value of the type `of` with `arguments`: with the arguments of the type that declares it.
    pub(super) fn member_given(&mut self, member: Denoted, of: DeclKey, arguments: &Arc<[Term]>) -> Denoted {
        let Denoted::Symbol(decl, own) = &member else { return member };
        let stated = |what: &Declared| what.value.iter().chain(&what.yields).any(|value| value.is_generic());
        let generic = |what: &Declared| !what.is_type() && stated(what);
        if !own.is_empty() || !declared(self.db, *decl).is_some_and(|what| generic(&what)) {
            return member;
        }
        let Some(owner) = self.owner(*decl) else { return member };
        let given = self.arguments_of(owner, of, arguments, 0);
        Denoted::Symbol(*decl, given.unwrap_or_default())
    }

    /// The arguments of the base `owner` of the type `of` with `arguments`.
    fn arguments_of(
        &mut self,
        owner: DeclKey,
        of: DeclKey,
        arguments: &Arc<[Term]>,
        depth: usize,
    ) -> Option<Arc<[Term]>> {
        if owner == of {
            return Some(arguments.clone());
        }
        let what = declared(self.db, of).filter(|_| depth < self.limits.depth && self.left > 0)?;
        self.left -= 1;
        let given = Arc::new(Given { of, arguments: arguments.clone() });
        for base in &what.bases {
            let bases = self.with(Some(given.clone()), |this| this.evaluate(of.file(this.db), base));
            for base in bases {
                if let Denoted::Symbol(base, arguments) = base
                    && base != of
                    && let Some(found) = self.arguments_of(owner, base, &arguments, depth + 1)
                {
                    return Some(found);
                }
            }
        }
        None
    }

    /// The declaration that `decl` is declared in.
    pub(super) fn owner(&self, decl: DeclKey) -> Option<DeclKey> {
        let path = rift_base::NamePath::parse(decl.path(self.db).container()).ok()?;
        (!path.is_empty()).then(|| DeclKey::new(self.db, decl.file(self.db), path))
    }
}
