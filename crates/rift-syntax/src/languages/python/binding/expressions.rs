//! Expressions: which names they use, and what they yield.

use tree_sitter::Node;

use super::{Python, children};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};

impl<'t> Python<'_, 't> {
    /// Walks `node`; what it yields.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|python| python.expression_here(node)).unwrap_or_else(|| self.unknown())
    }

    fn expression_here(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "identifier" => {
                let term = self.binder.name(self.binder.str(node), node.start_byte());
                self.binder.refer(term, Role::Read, node);
                term
            }
            "attribute" => self.attribute(node, Role::Read),
            "call" => self.call(node),
            "await" | "parenthesized_expression" => match node.named_child(0) {
                Some(inner) => self.expression(inner),
                None => self.unknown(),
            },
            "subscript" => self.subscript(node),
            "conditional_expression" => {
                let parts = children(node);
                let terms: Vec<Raw> = parts.into_iter().map(|part| self.expression(part)).collect();
                match terms.as_slice() {
                    [then, _, otherwise] => self.known(vec![*then, *otherwise]),
                    _ => self.unknown(),
                }
            }
            "boolean_operator" => {
                let terms: Vec<Raw> = children(node).into_iter().map(|part| self.expression(part)).collect();
                self.known(terms)
            }
            "named_expression" => self.named_expression(node),
            "lambda" => self.lambda(node),
            "list_comprehension" | "set_comprehension" | "dictionary_comprehension" | "generator_expression" => {
                self.comprehension(node)
            }
            "keyword_argument" => match node.child_by_field_name("value") {
                Some(value) => self.expression(value),
                None => self.unknown(),
            },
            "list" | "set" => self.elements(node),
            "tuple" | "expression_list" => {
                let parts = children(node).into_iter().map(|part| self.expression(part)).collect();
                self.binder.made_of(parts)
            }
            "dictionary" => self.dictionary(node),
            "yield" => {
                let stated = node.named_child(0);
                let value = stated.map(|value| self.expression(value));
                let told = value.filter(|_| stated.is_some_and(|stated| self.is_made_here(stated)));
                let told = told.unwrap_or_else(|| self.unknown());
                self.yields.push(told);
                self.unknown()
            }
            "comment" => self.unknown(),
            _ => {
                for child in children(node) {
                    self.expression(child);
                }
                self.unknown()
            }
        }
    }

    /// `object.name`.
    pub(super) fn attribute(&mut self, node: Node<'t>, role: Role) -> Raw {
        let (Some(object), Some(name)) = (node.child_by_field_name("object"), node.child_by_field_name("attribute"))
        else {
            return self.unknown();
        };
        let object = self.expression(object);
        let member = self.binder.member(object, self.binder.str(name));
        self.binder.refer(member, role, name);
        member
    }

    fn call(&mut self, node: Node<'t>) -> Raw {
        let (Some(function), Some(arguments)) =
            (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
        else {
            return self.unknown();
        };
        let name = self.binder.str(function);
        let yielded = match function.kind() {
            "identifier" if name == "super" => match self.method {
                Some(method) => self.binder.super_of(method.class),
                None => self.unknown(),
            },
            "identifier" | "attribute" => {
                let term = self.expression(function);
                self.binder.last_reference_is(Role::Call, None);
                self.binder.call(term)
            }
            _ => {
                let term = self.expression(function);
                self.binder.call(term)
            }
        };
        // A generator may stand without parentheses of its own.
        let given = if arguments.kind() == "generator_expression" { vec![arguments] } else { children(arguments) };
        let cast = matches!(name, "cast" | "typing.cast") && given.len() == 2;
        let mut promised = None;
        let mut values = Vec::new();
        for (at, argument) in given.into_iter().enumerate() {
            if cast && at == 0 {
                promised = Some(self.promised(argument));
            } else {
                values.push(self.expression(argument));
            }
        }
        promised.unwrap_or_else(|| self.builtin(function, yielded, &values))
    }

    fn subscript(&mut self, node: Node<'t>) -> Raw {
        let Some(value) = node.child_by_field_name("value") else { return self.unknown() };
        let of = self.expression(value);
        let mut is_slice = false;
        for part in children(node).into_iter().skip(1) {
            is_slice |= part.kind() == "slice";
            self.expression(part);
        }
        if is_slice { of } else { self.item(of) }
    }

    /// `(name := value)` binds in the nearest scope that is no comprehension.
    fn named_expression(&mut self, node: Node<'t>) -> Raw {
        let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value")) else {
            return self.unknown();
        };
        let value = self.expression(value);
        self.assign(name, value);
        value
    }

    fn lambda(&mut self, node: Node<'t>) -> Raw {
        let parameters = node.child_by_field_name("parameters");
        for parameter in parameters.into_iter().flat_map(children) {
            if let Some(value) = parameter.child_by_field_name("value") {
                self.expression(value);
            }
        }
        self.binder.enter(ScopeKind::Callable, None);
        for parameter in parameters.into_iter().flat_map(children) {
            let name = match parameter.kind() {
                "identifier" => Some(parameter),
                "default_parameter" => parameter.child_by_field_name("name"),
                _ => parameter.named_child(0),
            };
            if let Some(name) = name.filter(|name| name.kind() == "identifier") {
                self.binder.define(self.binder.str(name), Defined::Opaque, name.start_byte());
            }
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.expression(body);
        }
        self.binder.leave();
        self.unknown()
    }

    /// The first source is evaluated outside the comprehension's scope (Language Reference, 6.2.4).
    fn comprehension(&mut self, node: Node<'t>) -> Raw {
        let clauses: Vec<Node<'t>> =
            children(node).into_iter().filter(|c| matches!(c.kind(), "for_in_clause" | "if_clause")).collect();
        let first = clauses.first().and_then(|clause| clause.child_by_field_name("right"));
        let source = first.map(|first| self.expression(first));
        self.binder.enter(ScopeKind::Callable, None);
        for (at, clause) in clauses.into_iter().enumerate() {
            if clause.kind() == "if_clause" {
                children(clause).into_iter().for_each(|part| {
                    self.expression(part);
                });
                continue;
            }
            let source = match source {
                Some(source) if at == 0 => source,
                _ => match clause.child_by_field_name("right") {
                    Some(right) => self.expression(right),
                    None => self.unknown(),
                },
            };
            let element = self.element(source);
            if let Some(left) = clause.child_by_field_name("left") {
                self.bind_target(left, element);
            }
        }
        let made = match node.child_by_field_name("body") {
            Some(pair) if pair.kind() == "pair" => {
                children(pair).into_iter().map(|part| self.expression(part)).collect()
            }
            Some(body) => vec![self.expression(body)],
            None => Vec::new(),
        };
        self.binder.leave();
        self.binder.made_of(made)
    }
}
