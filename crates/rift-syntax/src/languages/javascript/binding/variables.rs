//! Variables, and what an initial value makes of its declaration.

use tree_sitter::Node;

use super::patterns::Bind;
use super::{Export, HOISTED, JavaScript, children, name_site};
use crate::binding::{Defined, Raw, Role, Walker as _};
use crate::facts::DeclId;
use crate::languages::javascript::callables::is_function;
use crate::languages::javascript::variables::unwrap;

/// Types of components, whose first argument is the type of the first parameter (React).
const COMPONENTS: &[&str] = &["FC", "FunctionComponent", "SFC", "VFC"];

impl<'t> JavaScript<'_, 't> {
    /// `const`, `let`, `var` or `using`.
    pub(super) fn variables(&mut self, node: Node<'t>, export: Export) {
        let bind = match node.kind() {
            "variable_declaration" if export == Export::No && !self.ambient => Bind::Var,
            _ => Bind::Exported(export),
        };
        for declarator in children(node) {
            if declarator.kind() == "variable_declarator" {
                self.declarator(declarator, bind);
            }
        }
    }

    fn declarator(&mut self, node: Node<'t>, bind: Bind) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let annotation = node.child_by_field_name("type");
        let value = node.child_by_field_name("value");
        if let Some(module) = value.and_then(|value| self.required(value)) {
            return self.bind_module(name, module, annotation);
        }
        let decl = (name.kind() == "identifier").then(|| self.binder.declared_at(name)).flatten();
        self.parameters.clear();
        let (promised, given) = self.owned(decl, |javascript| {
            let promised = annotation.map(|annotation| javascript.promised(annotation)).or(javascript.described.of);
            let given = annotation.map_or_else(Vec::new, |annotation| javascript.given_by(annotation));
            (promised, value.map(|value| javascript.initial_given(value, decl, &given)))
        });
        if let (Some(promised), Some(value)) = (promised, value) {
            self.expect(value, promised);
        }
        // A component may be wrapped: `memo((props: Props) => …)`.
        if let Some(decl) = decl.filter(|_| self.binder.str(name).starts_with(char::is_uppercase)) {
            self.takes(decl);
        }
        // What a function is annotated as is not what a call of it yields.
        let known = promised.filter(|promised| self.is_known(*promised) && !value.is_some_and(is_function_value));
        let term = known.or(given).unwrap_or_else(|| self.unknown());
        self.bind_typed(name, term, annotation, bind);
    }

    /// `const name = require("m")` is an import.
    fn bind_module(&mut self, name: Node<'t>, module: Raw, annotation: Option<Node<'t>>) {
        self.types(annotation);
        self.bind(name, module, Bind::Alias);
    }

    /// Walks the initial value of `decl`. A function tells what calling `decl` yields, a class and an object have members;
    /// these yield nothing else.
    pub(super) fn initial(&mut self, value: Node<'t>, decl: Option<DeclId>) -> Raw {
        self.initial_given(value, decl, &[])
    }

    /// As [`Self::initial`]; a function's parameters are `given` values.
    fn initial_given(&mut self, value: Node<'t>, decl: Option<DeclId>, given: &[Raw]) -> Raw {
        let go = |javascript: &mut Self| javascript.initial_here(value, decl, given);
        self.deeper(go).unwrap_or_else(|| self.unknown())
    }

    fn initial_here(&mut self, value: Node<'t>, decl: Option<DeclId>, given: &[Raw]) -> Raw {
        match value.kind() {
            "arrow_function" | "function_expression" | "generator_function" => {
                let yielded = self.function(value, decl, given);
                if let Some(decl) = decl {
                    self.binder.holds(decl, yielded);
                    self.takes(decl);
                }
                self.unknown()
            }
            "class" => {
                self.class(value, decl);
                self.unknown()
            }
            "parenthesized_expression" | "non_null_expression" => match value.named_child(0) {
                Some(inner) => self.initial_given(inner, decl, given),
                None => self.unknown(),
            },
            "as_expression" | "satisfies_expression" | "type_assertion" => self.cast(value, decl),
            _ => self.expression(value),
        }
    }

    /// What a type promises about the parameters of a function of it: a function type, or a component by its properties.
    fn given_by(&mut self, annotation: Node<'t>) -> Vec<Raw> {
        let Some(of) = annotation.named_child(0) else { return Vec::new() };
        match of.kind() {
            "function_type" => {
                let parameters = of.child_by_field_name("parameters").into_iter().flat_map(children);
                let types = parameters.map(|parameter| parameter.child_by_field_name("type"));
                let promised = |of: Option<Node<'t>>| match of {
                    Some(of) => self.promised(of),
                    None => self.unknown(),
                };
                types.map(promised).collect()
            }
            "generic_type" => {
                let word = of.child_by_field_name("name").map_or("", |name| self.binder.str(name));
                let first = of.child_by_field_name("type_arguments").and_then(|arguments| arguments.named_child(0));
                let is_component = COMPONENTS.contains(&word.rsplit('.').next().unwrap_or(word));
                first.filter(|_| is_component).map(|first| self.promised(first)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Binds a name or a pattern that may have an annotation. An object type written in place tells what the parts of a
    /// pattern are: `({ user }: { user: User })`.
    pub(super) fn bind_typed(&mut self, pattern: Node<'t>, value: Raw, annotation: Option<Node<'t>>, bind: Bind) {
        let shape = annotation.and_then(|annotation| annotation.named_child(0));
        let shape = shape.filter(|shape| shape.kind() == "object_type" && pattern.kind() == "object_pattern");
        let Some(shape) = shape else {
            self.bind(pattern, value, bind);
            if annotation.is_some() && pattern.kind() == "identifier" {
                let scope = self.scope_for(bind);
                self.annotated.insert((scope, self.binder.str(pattern)));
            }
            return;
        };
        for part in children(pattern) {
            let (key, inner) = match part.kind() {
                "shorthand_property_identifier_pattern" => (Some(part), Some(part)),
                "object_assignment_pattern" => (part.child_by_field_name("left"), Some(part)),
                "pair_pattern" => (part.child_by_field_name("key"), part.child_by_field_name("value")),
                _ => (None, Some(part)),
            };
            let promised = key.and_then(|key| self.key(key)).map(|key| self.promised_in(shape, key));
            let term = promised.unwrap_or_else(|| self.unknown());
            inner.into_iter().for_each(|inner| self.bind(inner, term, bind));
        }
    }

    /// What the object type `shape` promises as its member `key`.
    fn promised_in(&mut self, shape: Node<'t>, key: &str) -> Raw {
        let names = |member: &Node<'t>| {
            member.kind() == "property_signature"
                && member.child_by_field_name("name").is_some_and(|name| self.key(name) == Some(key))
        };
        let member = children(shape).into_iter().find(names);
        match member.and_then(|member| member.child_by_field_name("type")) {
            Some(annotation) => self.promised(annotation),
            None => self.unknown(),
        }
    }

    /// Defines a name that stands for what `term` denotes.
    pub(super) fn alias(&mut self, name: Node<'t>, term: Raw) {
        self.binder.define(self.binder.str(name), Defined::Alias(term), HOISTED);
    }

    /// The member `name` of the module, used there by an import or an export.
    pub(super) fn of_module(&mut self, module: Raw, name: &'t str, role: Role, site: Node<'t>) -> Raw {
        let member = self.binder.member(module, name);
        self.binder.refer(member, role, name_site(site));
        member
    }
}

fn is_function_value(value: Node<'_>) -> bool {
    is_function(unwrap(value))
}
