//! Members: what a value, a type or a declaration holds under a name.

use std::sync::Arc;

use rift_base::Facet;
use rift_syntax::PARAMETERS;

use crate::db::Db;
use crate::inputs::File;

use super::arguments::Term;
use super::evaluate::{Denoted, Evaluator};
use super::modules::{ModuleRef, file_layout};
use super::names::{DeclKey, Declared, Meaning, NameIn, What, declared, named};

impl Evaluator<'_> {
    /// What `receiver` holds under `name`.
    pub(super) fn member(&mut self, receiver: Denoted, name: &Arc<str>) -> Vec<Denoted> {
        self.deeper(|this| this.member_here(receiver, name))
    }

    pub(super) fn member_here(&mut self, receiver: Denoted, name: &Arc<str>) -> Vec<Denoted> {
        match receiver {
            Denoted::Module(module) => self.module_member(module, name, false, &mut Vec::new()),
            Denoted::Opaque(ref arguments) => {
                // A function's type, which is made of what it takes and yields.
                let is_function = arguments.len() == PARAMETERS.len() + 1;
                match PARAMETERS.iter().position(|parameter| **parameter == **name).and_then(|at| i8::try_from(at).ok())
                {
                    Some(at) if is_function => self.argument(receiver, at),
                    _ => Vec::new(),
                }
            }
            Denoted::Space(file, path) => self.space_member(file, &path, name),
            Denoted::Instance(of, arguments) => {
                let ancestors = self.ancestors(of);
                let found = self.first_member(&ancestors, name);
                found.into_iter().map(|member| self.member_given(member, of, &arguments)).collect()
            }
            Denoted::Symbol(decl, arguments) => self.symbol_member(decl, name, &arguments),
        }
    }

    /// What `receivers` hold under `name`. Modules come by precedence: the first that declares the name.
    pub(super) fn member_of_any(&mut self, receivers: Vec<Denoted>, name: &Arc<str>) -> Vec<Denoted> {
        let mut out = Vec::new();
        let mut declared = false;
        for receiver in receivers {
            let is_module = matches!(receiver, Denoted::Module(_));
            if is_module && declared {
                continue;
            }
            let found = self.member(receiver, name);
            if is_module && found.iter().any(|found| !matches!(found, Denoted::Module(_))) {
                declared = true;
                out.retain(|found| !matches!(found, Denoted::Module(_)));
            }
            out.extend(found);
        }
        out
    }

    /// What a declaration holds under `name`: a type its members and inherited ones, a module its names, also those in a file
    /// of its own; anything else what its value holds.
    pub(super) fn symbol_member(&mut self, decl: DeclKey, name: &Arc<str>, arguments: &Arc<[Term]>) -> Vec<Denoted> {
        let Some(what) = declared(self.db, decl) else { return Vec::new() };
        if what.is_type() {
            let ancestors = self.ancestors(decl);
            return self.first_member(&ancestors, name);
        }
        // A variant that extends its type is seen as a value of that.
        let is_scope = what.facets.has(Facet::Variant) && what.bases.is_empty();
        if what.facets.has(Facet::Namespace) || is_scope {
            let found = self.scope_member(decl, name, false, &mut Vec::new());
            if !found.is_empty() {
                return found;
            }
        }
        // A function has none of the members of what it yields, unless a field has its name. What a value is declared as comes
        // before what it is.
        let only_callable = what.facets.has(Facet::Callable) && what.value.is_none();
        let is_function = only_callable && !what.facets.has(Facet::Property);
        let held = if is_function { Vec::new() } else { self.held(decl, &what, arguments) };
        let found: Vec<_> = held.into_iter().flat_map(|value| self.member(value, name)).collect();
        if found.is_empty() { self.own_member(decl, &what, name) } else { found }
    }

    /// What a value that is declared with members of its own, an object literal or a function that was given some, holds under
    /// `name`. What else is declared inside a function is none of its members.
    pub(super) fn own_member(&mut self, decl: DeclKey, what: &Declared, name: &Arc<str>) -> Vec<Denoted> {
        if !what.facets.has(Facet::MemberContainer) && !PARAMETERS.contains(&&**name) {
            return Vec::new();
        }
        let is_member = |db: &dyn Db, denoted: &Denoted| match denoted {
            Denoted::Symbol(member, _) => declared(db, *member).is_some_and(|what| what.facets.has(Facet::Member)),
            _ => true,
        };
        let mut found = self.first_member(&[decl], name);
        found.retain(|denoted| is_member(self.db, denoted));
        found
    }

    /// What constructs those of `called` that are types: what each holds under `name`, its own or inherited.
    pub(super) fn constructors(&mut self, called: &[DeclKey], name: &str) -> Vec<DeclKey> {
        let mut out = Vec::new();
        for of in called.iter().filter(|of| declared(self.db, **of).is_some_and(|what| what.is_type())) {
            let ancestors = self.ancestors(*of);
            for denoted in self.declared_member(&ancestors, &name.into()) {
                if let Denoted::Symbol(constructor, _) = denoted
                    && !out.contains(&constructor)
                {
                    out.push(constructor);
                }
            }
        }
        out
    }

    /// What the first of `types` that declares `name` holds under it, else what other files give the first of them.
    pub(super) fn first_member(&mut self, types: &[DeclKey], name: &Arc<str>) -> Vec<Denoted> {
        let found = self.declared_member(types, name);
        match types.first() {
            Some(of) if found.is_empty() => self.extension_member(*of, name),
            _ => found,
        }
    }

    /// What the first of `types` that declares `name` holds under it.
    pub(super) fn declared_member(&mut self, types: &[DeclKey], name: &Arc<str>) -> Vec<Denoted> {
        let db = self.db;
        for of in types {
            if self.left == 0 {
                return Vec::new();
            }
            self.left -= 1;
            let found = named(db, NameIn::new(db, *of, name.clone()));
            let file = of.file(db);
            if found.is_empty() {
                let apart = self.member_apart(*of, name);
                if apart.is_empty() {
                    continue;
                }
                return apart;
            }
            return found.iter().flat_map(|meaning| self.meaning(file, meaning)).collect();
        }
        Vec::new()
    }

    /// The member `name` of the type `of` that another file of its package declares.
    pub(super) fn member_apart(&mut self, of: DeclKey, name: &Arc<str>) -> Vec<Denoted> {
        let db = self.db;
        let file = of.file(db);
        if !file_layout(db, file).is_some_and(|layout| layout.members_apart) {
            return Vec::new();
        }
        let path: Arc<str> = of.path(db).child(name).as_str().into();
        self.package_member(file, ModuleRef::Package(file.directory(db)), &path)
    }

    pub(super) fn meaning(&mut self, file: File, meaning: &Meaning) -> Vec<Denoted> {
        match &meaning.what {
            What::Decl(path) => vec![Denoted::symbol(DeclKey::new(self.db, file, path.clone()))],
            What::Term(term) => self.with(None, |this| this.evaluate(file, term)),
        }
    }
}
