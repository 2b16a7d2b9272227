//! Functions: parameters, and what a call yields.

use tree_sitter::Node;

use super::jsdoc::Described;
use super::patterns::Bind;
use super::{Export, HOISTED, JavaScript, children, has_token};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};
use crate::facts::DeclId;

/// Most `return`s of one callable without a return type that are taken for what a call yields.
const RESULTS_MAX: usize = 4;

impl<'t> JavaScript<'_, 't> {
    pub(super) fn function_declaration(&mut self, node: Node<'t>, export: Export) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let decl = self.introduce(name, export);
        let this = self.this.take();
        self.this = decl.and_then(|decl| self.constructed(decl));
        let yielded = self.owned(decl, |javascript| javascript.callable(node, &[]));
        if let Some(decl) = decl {
            self.binder.holds(decl, yielded);
            self.takes(decl);
            if let Some(made) = self.constructed(decl) {
                self.binder.holds(decl, made);
            }
        }
        self.this = this;
    }

    /// What `new` of the function `decl` makes, when its prototype has been given members.
    pub(super) fn constructed(&mut self, decl: DeclId) -> Option<Raw> {
        let declaration = self.binder.facts.outline.get(decl)?;
        let constructs = declaration.kind == "function" && declaration.facets.has(rift_base::Facet::Constructible);
        constructs.then(|| self.binder.this(decl))
    }

    /// A function expression, which is the value of `decl`; what calling it yields. An arrow function has the `this` of
    /// what is around it, any other one that the text does not tell.
    pub(super) fn function(&mut self, node: Node<'t>, decl: Option<DeclId>, given: &[Raw]) -> Raw {
        if node.kind() == "arrow_function" {
            return self.callable(node, given);
        }
        let made = decl.and_then(|decl| self.constructed(decl));
        let this = std::mem::replace(&mut self.this, made);
        let yielded = match node.child_by_field_name("name") {
            // Its own name is visible inside it alone.
            Some(name) => self.scoped(|javascript| {
                let text = javascript.binder.str(name);
                let what = match decl {
                    Some(decl) => Defined::Decl(decl),
                    None => Defined::Opaque,
                };
                javascript.binder.define(text, what, HOISTED);
                javascript.callable(node, given)
            }),
            None => self.callable(node, given),
        };
        self.this = this;
        yielded
    }

    /// Anything with parameters; what a call yields. `given` are the values that the parameters get where no annotation
    /// says more.
    pub(super) fn callable(&mut self, node: Node<'t>, given: &[Raw]) -> Raw {
        self.deeper(|javascript| javascript.callable_here(node, given)).unwrap_or_else(|| self.unknown())
    }

    fn callable_here(&mut self, node: Node<'t>, given: &[Raw]) -> Raw {
        let described = std::mem::take(&mut self.described);
        let scope = self.binder.enter(ScopeKind::Callable, None);
        let variables = std::mem::replace(&mut self.variables, scope);
        let results = std::mem::take(&mut self.results);
        let this = self.this;
        let mut taken = Vec::new();
        self.type_parameters(node);
        if let Some(single) = node.child_by_field_name("parameter") {
            let value = given.first().copied().unwrap_or_else(|| self.unknown());
            self.bind(single, value, Bind::Block);
        }
        for parameter in node.child_by_field_name("parameters").into_iter().flat_map(children) {
            let value = self.parameter(parameter, given.get(taken.len()).copied(), &described);
            // No argument is given for `this`.
            if parameter.child_by_field_name("pattern").is_none_or(|pattern| pattern.kind() != "this") {
                taken.push(value);
            }
        }
        let returned = node.child_by_field_name("return_type").or_else(|| node.child_by_field_name("type"));
        let declared = returned.map(|returned| self.promised(returned));
        let expected = declared.map(|declared| match has_token(node, "async") {
            true => self.binder.inner(declared, 0),
            false => declared,
        });
        let returns = std::mem::replace(&mut self.returns, expected);
        if let Some(body) = node.child_by_field_name("body") {
            self.branched(|javascript| javascript.body(body));
        }
        let found = std::mem::replace(&mut self.results, results);
        let yielded = match declared.or(described.result) {
            Some(declared) => declared,
            None if has_token(node, "*") => self.unknown(),
            None => self.inferred(found),
        };
        self.this = this;
        self.variables = variables;
        self.returns = returns;
        self.parameters = taken;
        self.binder.leave();
        yielded
    }

    fn body(&mut self, body: Node<'t>) {
        if body.kind() == "statement_block" {
            self.statements(body);
        } else {
            let value = self.expression(body);
            self.results.push(value);
            self.returned_value(body);
        }
    }

    /// The value `node` is what the callable around it returns.
    pub(super) fn returned_value(&mut self, node: Node<'t>) {
        if let Some(expected) = self.returns {
            self.expect(node, expected);
        }
    }

    /// What the `return`s of a callable say together, when there are few.
    fn inferred(&mut self, mut found: Vec<Raw>) -> Raw {
        found.retain(|term| !self.binder.is_unknown(*term));
        found.sort_unstable();
        found.dedup();
        if found.len() > RESULTS_MAX { self.unknown() } else { self.binder.either(found) }
    }

    /// One parameter. One that is a property of the class, too, is that property.
    fn parameter(&mut self, node: Node<'t>, given: Option<Raw>, described: &Described<'t>) -> Raw {
        let (pattern, annotation, default) = match node.kind() {
            "required_parameter" | "optional_parameter" => {
                self.decorators(node);
                let default = node.child_by_field_name("value");
                (node.child_by_field_name("pattern"), node.child_by_field_name("type"), default)
            }
            "assignment_pattern" => (node.child_by_field_name("left"), None, node.child_by_field_name("right")),
            "ERROR" => return self.unknown(),
            _ => (Some(node), None, None),
        };
        let promised = annotation.map(|annotation| self.promised(annotation));
        if let (Some(promised), Some(default)) = (promised, default) {
            self.expect(default, promised);
        }
        let default = default.map(|default| self.expression(default));
        let name = pattern.filter(|pattern| pattern.kind() == "identifier").map(|name| self.binder.str(name));
        let by_name = |(other, value): &(&'t str, Raw)| (Some(*other) == name).then_some(*value);
        let given = described.parameters.iter().find_map(by_name).or(given);
        let parts = match promised.filter(|promised| self.is_known(*promised)) {
            Some(promised) => vec![promised],
            None => [given, default].into_iter().flatten().collect(),
        };
        let value = self.known(parts);
        match pattern {
            Some(pattern) if pattern.kind() == "this" => self.this = promised,
            Some(pattern) => self.bind_typed(pattern, value, annotation, Bind::Block),
            None => {}
        }
        value
    }

    /// `decl` takes what the callable walked last does.
    pub(super) fn takes(&mut self, decl: DeclId) {
        for (at, value) in std::mem::take(&mut self.parameters).into_iter().enumerate() {
            self.binder.takes(decl, at, value);
        }
    }

    /// Walks the decorators directly in `node`.
    pub(super) fn decorators(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let decorators: Vec<Node<'t>> = node.children(&mut cursor).filter(|n| n.kind() == "decorator").collect();
        decorators.into_iter().for_each(|decorator| self.decorator(decorator));
    }

    /// `@name` or `@name(arguments)`.
    pub(super) fn decorator(&mut self, node: Node<'t>) {
        for child in children(node) {
            self.reference(child, Role::Decorate);
        }
    }

    /// Defines type parameters: each stands for what it is constrained to.
    pub(super) fn type_parameters(&mut self, node: Node<'t>) {
        let Some(list) = node.child_by_field_name("type_parameters") else { return };
        for parameter in children(list) {
            let Some(name) = parameter.child_by_field_name("name") else { continue };
            let constraint = parameter.child_by_field_name("constraint").and_then(|part| part.named_child(0));
            let constraint = constraint.map(|constraint| self.denoted(constraint));
            if let Some(default) = parameter.child_by_field_name("value").and_then(|part| part.named_child(0)) {
                self.denoted(default);
            }
            let what = match constraint.filter(|constraint| self.is_known(*constraint)) {
                Some(constraint) => Defined::Value(constraint),
                None => Defined::Opaque,
            };
            self.binder.define(self.binder.str(name), what, HOISTED);
        }
    }
}
