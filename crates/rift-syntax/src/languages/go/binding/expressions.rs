//! Expressions: which names they use, and what they yield.

use tree_sitter::Node;

use super::{Go, children};
use crate::binding::{Raw, Role, ScopeKind, Walker as _};

impl<'t> Go<'_, 't> {
    /// Walks `node`; what it yields.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|go| go.expression_here(node)).unwrap_or_else(|| self.unknown())
    }

    fn expression_here(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "identifier" => self.variable(node, Role::Read),
            "selector_expression" => self.selector(node, Role::Read),
            "call_expression" => self.call(node),
            "parenthesized_expression" | "variadic_argument" | "literal_element" => match node.named_child(0) {
                Some(inner) => self.expression(inner),
                None => self.unknown(),
            },
            "unary_expression" => self.unary(node),
            "index_expression" => {
                let (operand, index) = (node.child_by_field_name("operand"), node.child_by_field_name("index"));
                let operand = self.maybe(operand);
                self.maybe(index);
                self.binder.inner(operand, -1)
            }
            "slice_expression" => {
                let mut out = None;
                for part in children(node) {
                    let value = self.expression(part);
                    out.get_or_insert(value);
                }
                out.unwrap_or_else(|| self.unknown())
            }
            "type_assertion_expression" => {
                self.maybe(node.child_by_field_name("operand"));
                match node.child_by_field_name("type") {
                    Some(stated) => self.promised(stated),
                    None => self.unknown(),
                }
            }
            "type_conversion_expression" => {
                let value = node.child_by_field_name("type").map(|stated| match stated.kind() {
                    // `f[T](x)`: the call of a generic function looks the same.
                    "generic_type" => {
                        let called = self.named(stated, None, Role::Call);
                        self.binder.call(called)
                    }
                    _ => self.promised(stated),
                });
                self.maybe(node.child_by_field_name("operand"));
                value.unwrap_or_else(|| self.unknown())
            }
            "type_instantiation_expression" => {
                let mut of = None;
                for part in children(node) {
                    let denoted = self.denoted(part, None);
                    of.get_or_insert(denoted);
                }
                of.unwrap_or_else(|| self.unknown())
            }
            "composite_literal" => self.composite(node),
            "func_literal" => self.closure(node),
            kind if kind.ends_with("_type") => self.denoted(node, None),
            "type_identifier" | "type_elem" => self.denoted(node, None),
            _ => {
                children(node).into_iter().for_each(|child| {
                    self.expression(child);
                });
                self.unknown()
            }
        }
    }

    fn maybe(&mut self, node: Option<Node<'t>>) -> Raw {
        match node {
            Some(node) => self.expression(node),
            None => self.unknown(),
        }
    }

    pub(super) fn variable(&mut self, node: Node<'t>, role: Role) -> Raw {
        let text = self.binder.str(node);
        if text == "_" {
            return self.unknown();
        }
        let term = self.binder.name(text, node.start_byte());
        self.binder.refer(term, role, node);
        term
    }

    /// `operand.field`: of a package, a value, or a type (a method expression).
    pub(super) fn selector(&mut self, node: Node<'t>, role: Role) -> Raw {
        let (Some(operand), Some(field)) = (node.child_by_field_name("operand"), node.child_by_field_name("field"))
        else {
            return self.unknown();
        };
        let operand = self.expression(operand);
        let member = self.binder.member(operand, self.binder.str(field));
        self.binder.refer(member, role, field);
        member
    }

    /// `&x` and `*x` are transparent, `<-x` is an element.
    fn unary(&mut self, node: Node<'t>) -> Raw {
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.binder.str(operator));
        let value = self.maybe(node.child_by_field_name("operand"));
        match operator {
            "&" | "*" => value,
            "<-" => self.binder.inner(value, -1),
            _ => self.unknown(),
        }
    }

    fn call(&mut self, node: Node<'t>) -> Raw {
        let Some(function) = node.child_by_field_name("function") else { return self.unknown() };
        let list: Vec<Node<'t>> = node.child_by_field_name("arguments").into_iter().flat_map(children).collect();
        let name = self.binder.str(function);
        let builtin = function.kind() == "identifier" && matches!(name, "new" | "make" | "append" | "min" | "max");
        let called = match function.kind() {
            "identifier" => self.variable(function, Role::Call),
            "selector_expression" => self.selector(function, Role::Call),
            // `f[T](x)`, or a function among others.
            "index_expression" => {
                let operand = self.maybe(function.child_by_field_name("operand"));
                if function.child_by_field_name("operand").is_some_and(is_name) {
                    self.binder.last_reference_is(Role::Call, None);
                }
                self.maybe(function.child_by_field_name("index"));
                let element = self.binder.inner(operand, -1);
                self.binder.either(vec![operand, element])
            }
            _ => self.expression(function),
        };
        if let Some(given) = node.child_by_field_name("type_arguments") {
            self.type_arguments(given);
        }
        let mut first = None;
        for argument in list {
            let is_type = builtin && first.is_none() && matches!(name, "new" | "make");
            let value = if is_type { self.promised(argument) } else { self.expression(argument) };
            first.get_or_insert(value);
        }
        match first {
            // Builtins that yield a value of their first argument's type, as long as the name is theirs.
            Some(first) if builtin => first,
            _ => self.binder.call(called),
        }
    }

    /// `T{…}`.
    fn composite(&mut self, node: Node<'t>) -> Raw {
        let Some(stated) = node.child_by_field_name("type") else { return self.unknown() };
        let mut elements = None;
        let denoted = match stated.kind() {
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                self.maybe(stated.child_by_field_name("length"));
                let element = stated.child_by_field_name("element").map(|element| self.denoted(element, None));
                elements = element;
                let index = self.unknown();
                let element = element.unwrap_or(index);
                self.binder.made_of(vec![index, element])
            }
            "map_type" => {
                let key = stated.child_by_field_name("key").map(|key| self.denoted(key, None));
                elements = stated.child_by_field_name("value").map(|value| self.denoted(value, None));
                let nothing = self.unknown();
                self.binder.made_of(vec![key.unwrap_or(nothing), elements.unwrap_or(nothing)])
            }
            _ => self.named(stated, None, Role::Call),
        };
        let fields =
            (!matches!(stated.kind(), "slice_type" | "array_type" | "implicit_length_array_type" | "map_type"))
                .then_some(denoted);
        if let Some(body) = node.child_by_field_name("body") {
            self.literal(body, fields, elements);
        }
        self.binder.value(denoted)
    }

    /// The braces of a literal: of a struct whose type `fields` is, or of elements of the type `elements`, whose own type is
    /// left out where they are literals again.
    fn literal(&mut self, node: Node<'t>, fields: Option<Raw>, elements: Option<Raw>) {
        self.deeper(|go| {
            for element in children(node) {
                if element.kind() != "keyed_element" {
                    go.element_value(element, elements);
                    continue;
                }
                if let Some(key) = element.child_by_field_name("key") {
                    go.key(key, fields);
                }
                if let Some(value) = element.child_by_field_name("value") {
                    go.element_value(value, elements);
                }
            }
        });
    }

    fn element_value(&mut self, node: Node<'t>, of: Option<Raw>) {
        let inner = if node.kind() == "literal_element" { node.named_child(0).unwrap_or(node) } else { node };
        if inner.kind() == "literal_value" {
            self.literal(inner, of, None);
        } else {
            self.expression(inner);
        }
    }

    /// The key of a struct's literal is a field; elsewhere it is an expression.
    fn key(&mut self, node: Node<'t>, fields: Option<Raw>) {
        let inner = if node.kind() == "literal_element" { node.named_child(0).unwrap_or(node) } else { node };
        match fields {
            Some(of) if inner.kind() == "identifier" => {
                if !self.binder.is_unknown(of) {
                    let field = self.binder.member(of, self.binder.str(inner));
                    self.binder.refer(field, Role::Write, inner);
                }
            }
            _ => self.element_value(node, None),
        }
    }

    /// A function literal; a value of its type.
    fn closure(&mut self, node: Node<'t>) -> Raw {
        self.binder.enter(ScopeKind::Callable, None);
        let yielded = self.signature(node, true);
        if let Some(body) = node.child_by_field_name("body") {
            self.statements(body);
        }
        self.binder.leave();
        let function = self.binder.made_of(vec![yielded]);
        self.binder.value(function)
    }
}

/// Whether the last reference that walking `node` tells is the whole node's.
fn is_name(node: Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "selector_expression")
}
