//! Values: what a declaration holds, what calling it yields, and what a value of a type is.

use std::sync::Arc;

use rift_base::Facet;
use rift_syntax::PARAMETERS;

use super::arguments::{Given, Term};
use super::evaluate::{Denoted, Evaluator};
use super::modules::file_layout;
use super::names::{DeclKey, Declared, declared};
use super::tree::Tree;

impl Evaluator<'_> {
    /// What calling `callee` yields.
    pub(super) fn called(&mut self, callee: Denoted) -> Vec<Denoted> {
        self.deeper(|this| this.called_here(callee))
    }

    pub(super) fn called_here(&mut self, callee: Denoted) -> Vec<Denoted> {
        let (decl, arguments) = match callee {
            Denoted::Symbol(decl, arguments) => (decl, arguments),
            // A value of a function's type, which is made of what it yields.
            Denoted::Instance(..) | Denoted::Opaque(_) => return self.argument(callee, -1),
            Denoted::Module(_) | Denoted::Space(..) => return Vec::new(),
        };
        let Some(what) = declared(self.db, decl) else { return Vec::new() };
        if what.is_type() {
            return vec![Denoted::Instance(decl, arguments)];
        }
        if what.facets.has(Facet::Alias) {
            let types = self.held(decl, &what, &Arc::default());
            return types.into_iter().flat_map(|of| self.called(of)).collect();
        }
        if what.facets.has(Facet::Variant) {
            return self.owner_value(decl);
        }
        if let Some(yields) = &what.yields {
            return self.stated(decl, yields, &arguments);
        }
        let held = self.held(decl, &what, &arguments);
        let accesses = what.facets.has(Facet::Property);
        let yielded = |this: &mut Self, value: Denoted| match value {
            // What an accessor of that name yields, unless that is a function.
            Denoted::Opaque(ref parts) if accesses && parts.len() != PARAMETERS.len() + 1 => vec![value],
            Denoted::Instance(..) if accesses => vec![value],
            // A variable or field that holds a callable or a type itself.
            _ => this.called(value),
        };
        match what.facets.has(Facet::Callable) {
            true => held,
            false => held.into_iter().flat_map(|value| yielded(self, value)).collect(),
        }
    }

    /// Whether a method yields what it is called on (`return this`), whatever the type that declares it.
    pub(super) fn yields_itself(&self, callee: &Denoted) -> bool {
        let Denoted::Symbol(decl, _) = callee else { return false };
        let what = declared(self.db, *decl);
        let container = decl.path(self.db).container();
        what.is_some_and(|what| {
            let is_own = |value: &Tree| matches!(value, Tree::This(of) if of.as_str() == container);
            what.facets.has(Facet::Callable) && what.yields.as_deref().is_some_and(is_own)
        })
    }

    /// A value of the type that `of` is.
    pub(super) fn value_of(&mut self, of: Denoted) -> Vec<Denoted> {
        self.deeper(|this| this.value_here(of))
    }

    pub(super) fn value_here(&mut self, of: Denoted) -> Vec<Denoted> {
        match of {
            Denoted::Symbol(decl, arguments) => {
                let Some(what) = declared(self.db, decl) else { return Vec::new() };
                if what.is_type() {
                    return vec![Denoted::Instance(decl, arguments)];
                }
                if what.facets.has(Facet::Alias) {
                    let types = self.held(decl, &what, &Arc::default());
                    let values: Vec<_> = types.into_iter().flat_map(|of| self.stood_for(of)).collect();
                    return values.into_iter().map(|value| filled(value, &arguments)).collect();
                }
                self.named_types(decl, &what)
            }
            Denoted::Opaque(arguments) => vec![Denoted::Opaque(arguments)],
            // A promise that is a value already: what an alias of a value stands for.
            Denoted::Instance(..) => vec![of],
            Denoted::Module(_) | Denoted::Space(..) => Vec::new(),
        }
    }

    /// Values of the types that the variable `decl` holds: in languages where assigning a type to a name makes an alias.
    fn named_types(&mut self, decl: DeclKey, what: &Declared) -> Vec<Denoted> {
        let assigned = file_layout(self.db, decl.file(self.db)).is_some_and(|layout| layout.assigned_types);
        if !assigned || what.facets.has(Facet::Callable) {
            return Vec::new();
        }
        let mut held = self.held(decl, what, &Arc::default());
        held.retain(|of| matches!(of, Denoted::Symbol(..) | Denoted::Opaque(_)));
        held.into_iter().flat_map(|of| self.value_of(of)).collect()
    }

    /// A value of what an alias stands for, which may be the type of a value (`typeof x`).
    pub(super) fn stood_for(&mut self, of: Denoted) -> Vec<Denoted> {
        if let Denoted::Symbol(decl, _) = of
            && declared(self.db, decl).is_some_and(|what| !what.is_type() && !what.facets.has(Facet::Alias))
        {
            return vec![of];
        }
        self.value_of(of)
    }

    /// What `decl`, which is `what`, holds, yields or stands for.
    /// `arguments` are those of the type that it is a member of.
    pub(super) fn held(&mut self, decl: DeclKey, what: &Declared, arguments: &Arc<[Term]>) -> Vec<Denoted> {
        match what.value.as_ref().or(what.yields.as_ref()) {
            Some(value) => self.stated(decl, value, arguments),
            None if what.facets.has(Facet::Variant) => self.owner_value(decl),
            None => Vec::new(),
        }
    }

    /// What `value`, stated of `decl`, denotes when the type around that has these `arguments`.
    pub(super) fn stated(&mut self, decl: DeclKey, value: &Arc<Tree>, arguments: &Arc<[Term]>) -> Vec<Denoted> {
        let of = self.owner(decl).filter(|_| !arguments.is_empty() && value.is_generic());
        let given = of.map(|of| Arc::new(Given { of, arguments: arguments.clone() }));
        self.with(given, |this| this.evaluate(decl.file(this.db), value))
    }

    /// A value of the type that `decl` is declared in.
    pub(super) fn owner_value(&mut self, decl: DeclKey) -> Vec<Denoted> {
        match self.owner(decl).filter(|owner| declared(self.db, *owner).is_some_and(|owner| owner.is_type())) {
            Some(owner) => vec![Denoted::Instance(owner, Arc::default())],
            None => Vec::new(),
        }
    }
}

/// `value` of what an alias stands for, with `given` in place of the type arguments that the alias leaves open: its own
/// parameters, when there are as many.
fn filled(value: Denoted, given: &[Term]) -> Denoted {
    let (Denoted::Instance(_, arguments) | Denoted::Opaque(arguments)) = &value else { return value };
    let open = |term: &&Term| matches!(*term.tree, Tree::Unknown);
    if given.is_empty() || arguments.iter().filter(open).count() != given.len() {
        return value;
    }
    let mut given = given.iter();
    let fill = |term: &Term| if open(&term) { given.next().unwrap_or(term).clone() } else { term.clone() };
    let arguments: Arc<[Term]> = arguments.iter().map(fill).collect();
    match value {
        Denoted::Instance(of, _) => Denoted::Instance(of, arguments),
        _ => Denoted::Opaque(arguments),
    }
}
