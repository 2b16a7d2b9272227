//! Functions: definitions, parameters, and the class that an out-of-class definition belongs to.

use tree_sitter::Node;

use super::super::declarators::{Declarator, declarator};
use super::expressions::Scope;
use super::shapes::Shape;
use super::{Class, Family, last_name};
use crate::binding::{Defined, Raw, Role, ScopeId, ScopeKind, Walker as _};
use crate::facts::DeclId;

/// What the walk goes back to behind an out-of-class definition.
pub(super) struct Outside {
    scope: ScopeId,
    class: Option<Class>,
    home: ScopeId,
}

impl<'t> Family<'_, 't> {
    /// A function with a body, or with `= default`.
    pub(super) fn function(&mut self, node: Node<'t>) -> Raw {
        let Some(d) = node.child_by_field_name("declarator").and_then(declarator).filter(|d| d.function.is_some())
        else {
            self.each(node);
            return self.unknown();
        };
        let name = last_name(d.name);
        let decl = self.binder.declared_at(name).or_else(|| self.made_by_macro(node));
        let Some(decl) = decl else { return self.undeclared(node, &d) };
        if self.binder.declared_at(name).is_none() {
            return self.test(node, &d, decl);
        }
        if d.name == name {
            self.declare(name, decl);
        }
        self.binder.own(decl);
        let returned = node.child_by_field_name("type").map(|kind| self.promised(kind));
        let outside = self.enter_member(d.name, decl);
        self.body(node, &d, Some(decl), returned);
        self.leave_member(outside);
        self.binder.disown();
        self.unknown()
    }

    /// Parameters, initializers and body of the function at `node`.
    fn body(&mut self, node: Node<'t>, d: &Declarator<'t>, decl: Option<DeclId>, returned: Option<Raw>) {
        let (locals, tags, local) = (self.locals.len(), self.local_tags.len(), self.local);
        self.binder.enter(ScopeKind::Callable, None);
        // An out-of-class definition is walked in the scope of its class, outside that of its template parameters.
        for parameter in self.parameters.clone() {
            self.binder.define(parameter, Defined::Opaque, 0);
        }
        if let Some(function) = d.function {
            self.parameters_and_result(function, decl, returned);
        }
        self.local = true;
        for child in self.children(node) {
            match child.kind() {
                "field_initializer_list" => self.field_initializers(child),
                // The outermost block of a function is where its parameters are.
                "compound_statement" => self.each(child),
                "try_statement" | "declaration" | "requires_clause" => {
                    self.walk(child);
                }
                _ => {}
            }
        }
        self.binder.leave();
        self.local = local;
        self.locals.truncate(locals);
        self.local_tags.truncate(tags);
    }

    /// A function's parameters and result, without a body.
    pub(super) fn signature(&mut self, function: Node<'t>, decl: Option<DeclId>, returned: Option<Raw>) {
        let locals = self.locals.len();
        self.binder.enter(ScopeKind::Callable, None);
        self.parameters_and_result(function, decl, returned);
        self.binder.leave();
        self.locals.truncate(locals);
    }

    fn parameters_and_result(&mut self, function: Node<'t>, decl: Option<DeclId>, returned: Option<Raw>) {
        let mut returned = returned;
        for child in self.children(function) {
            match child.kind() {
                "parameter_list" => {
                    // An old style definition lists names alone.
                    for parameter in self.children(child).into_iter().filter(|p| p.kind() != "identifier") {
                        self.walk(parameter);
                    }
                }
                "trailing_return_type" => {
                    for kind in self.children(child) {
                        returned = Some(self.promised(kind));
                    }
                }
                // Parameters of an old style definition.
                "declaration" => {
                    let local = std::mem::replace(&mut self.local, true);
                    self.walk(child);
                    self.local = local;
                }
                "noexcept" | "requires_clause" | "throw_specifier" => {
                    self.walk(child);
                }
                _ => {}
            }
        }
        if let (Some(decl), Some(value)) = (decl, returned) {
            self.binder.holds(decl, value);
        }
    }

    /// A parameter; its default is looked up outside the function.
    pub(super) fn parameter(&mut self, node: Node<'t>) -> Raw {
        let nothing = self.unknown();
        let kind = node.child_by_field_name("type");
        let typed = kind.map(|kind| (self.promised(kind), self.type_shape(kind)));
        if let Some(default) = node.child_by_field_name("default_value") {
            self.walk(default);
        }
        let Some(written) = node.child_by_field_name("declarator") else { return nothing };
        let Some(d) = declarator(written) else {
            self.declarator_types(written);
            return nothing;
        };
        let calls = self.parameter_parts(d.whole, d.name);
        let (value, shape) = typed.filter(|_| !calls).unwrap_or((nothing, Shape::Unknown));
        if d.name.kind() == "identifier" {
            let shape = self.declared_shape(&d, shape);
            self.declare_local(d.name, value, shape);
        }
        nothing
    }

    /// Walks what a parameter's declarator holds beside its name; whether the parameter is a function.
    fn parameter_parts(&mut self, whole: Node<'t>, name: Node<'t>) -> bool {
        let mut function = false;
        let mut here = Some(whole).filter(|whole| *whole != name);
        while let Some(node) = here.take() {
            function |= node.kind() == "function_declarator";
            for child in self.children(node) {
                match child.kind() {
                    "parameter_list" => self.prototype(child),
                    kind if kind.ends_with("declarator") => here = Some(child),
                    _ if child == name => {}
                    _ => {
                        self.walk(child);
                    }
                }
            }
        }
        function
    }

    /// Goes into the class, or the namespace, that `name` is qualified by. Nothing changes for a plain name.
    pub(super) fn enter_member(&mut self, name: Node<'t>, decl: DeclId) -> Option<Outside> {
        if name.kind() != "qualified_identifier" {
            return None;
        }
        let (of, _) = self.qualifier(name);
        let outside = Outside { scope: self.binder.scope(), class: self.class, home: self.home };
        let facts = self.binder.facts;
        let path = facts.outline.get(decl).map_or("", |declaration| declaration.path.container());
        match (self.classes.get(path), of) {
            (Some((class, scope)), _) => {
                self.class = Some(Class::Here(*class));
                self.home = *scope;
                self.binder.switch(*scope);
            }
            (None, Scope::Of(term)) => {
                // The class stands in another file: names are looked up in it by way of the definition.
                self.binder.enter(ScopeKind::Type, Some(decl));
                self.binder.base(decl, term);
                self.class = Some(Class::Named(term));
            }
            _ => {}
        }
        Some(outside)
    }

    /// Ends what [`Family::enter_member`] began.
    pub(super) fn leave_member(&mut self, outside: Option<Outside>) {
        if let Some(outside) = outside {
            self.binder.switch(outside.scope);
            self.class = outside.class;
            self.home = outside.home;
        }
    }

    /// A function that no declaration stands for: a macro's call with a block, or one inside a function.
    fn undeclared(&mut self, node: Node<'t>, d: &Declarator<'t>) -> Raw {
        if let Some(kind) = node.child_by_field_name("type") {
            self.walk(kind);
        }
        if d.name.kind() == "identifier" {
            let term = self.binder.name(self.binder.str(d.name), d.name.start_byte());
            self.binder.refer(term, Role::Call, d.name);
        }
        self.body(node, d, None, None);
        self.unknown()
    }

    /// The function with the body of `node`, whose name a macro makes.
    fn made_by_macro(&mut self, node: Node<'t>) -> Option<DeclId> {
        let body = node.child_by_field_name("body")?;
        let facts = self.binder.facts;
        let bodies = self.bodies.get_or_insert_with(|| {
            let positions = facts.positions.iter().enumerate();
            positions.map(|(at, position)| (position.body.start, DeclId(at as u32))).collect()
        });
        bodies.get(&(body.start_byte() as u32)).copied()
    }

    /// `TEST_F(Fixture, Name) { … }`: the body sees the fixture's members.
    fn test(&mut self, node: Node<'t>, d: &Declarator<'t>, decl: DeclId) -> Raw {
        self.binder.own(decl);
        let word = self.binder.str(d.name);
        let term = self.binder.name(word, d.name.start_byte());
        self.binder.refer(term, Role::Call, d.name);
        let list = d.function.and_then(|f| f.child_by_field_name("parameters"));
        let first = list.and_then(|list| self.children(list).into_iter().next());
        let fixture = first.filter(|_| matches!(word, "TEST_F" | "TEST_P" | "TYPED_TEST" | "TYPED_TEST_P"));
        if let Some(fixture) = fixture.and_then(|parameter| parameter.child_by_field_name("type")) {
            let class = self.denoted(fixture, Role::Type);
            self.binder.enter(ScopeKind::Type, Some(decl));
            self.binder.base(decl, class);
            let outer = self.class.replace(Class::Named(class));
            self.test_body(node);
            self.class = outer;
            self.binder.leave();
        } else {
            // A suite may be called like a class, and frameworks differ in whether it is that.
            let suite = first.filter(|_| word == "TEST").and_then(|parameter| parameter.child_by_field_name("type"));
            let unproven = std::mem::replace(&mut self.binder.unproven, true);
            suite.into_iter().for_each(|suite| {
                self.denoted(suite, Role::Type);
            });
            self.binder.unproven = unproven;
            self.test_body(node);
        }
        self.binder.disown();
        self.unknown()
    }

    fn test_body(&mut self, node: Node<'t>) {
        let local = std::mem::replace(&mut self.local, true);
        if let Some(body) = node.child_by_field_name("body") {
            self.walk(body);
        }
        self.local = local;
    }
}
