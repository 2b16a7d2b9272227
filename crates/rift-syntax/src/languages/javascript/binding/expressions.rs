//! Expressions: which names they use, and what they yield.

use tree_sitter::Node;

use super::{JavaScript, children, content};
use crate::binding::{Raw, Role, Walker as _};
use crate::facts::DeclId;
use crate::languages::javascript::variables::unwrap;

impl<'t> JavaScript<'_, 't> {
    /// Walks `node`; what it yields.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|javascript| javascript.expression_here(node)).unwrap_or_else(|| self.unknown())
    }

    /// Walks expressions of which only the names in them count.
    pub(super) fn expressions(&mut self, nodes: impl IntoIterator<Item = Node<'t>>) {
        for node in nodes {
            self.expression(node);
        }
    }

    fn expression_here(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "identifier" | "member_expression" | "subscript_expression" | "nested_identifier" => {
                self.reference(node, Role::Read)
            }
            "this" => self.this.unwrap_or_else(|| self.unknown()),
            "super" => self.base_value(),
            "call_expression" => self.call(node),
            "new_expression" => self.construction(node),
            "await_expression" => match node.named_child(0) {
                Some(inner) => {
                    let promise = self.expression(inner);
                    self.awaited_of(inner, promise)
                }
                None => self.unknown(),
            },
            "parenthesized_expression" | "non_null_expression" | "sequence_expression" => {
                let terms: Vec<Raw> = children(node).into_iter().map(|part| self.expression(part)).collect();
                terms.last().copied().unwrap_or_else(|| self.unknown())
            }
            "as_expression" | "satisfies_expression" | "type_assertion" => self.cast(node, None),
            "ternary_expression" => self.ternary(node),
            "binary_expression" => self.binary(node),
            "assignment_expression" => self.assignment(node),
            "augmented_assignment_expression" => self.augmented(node),
            "update_expression" => {
                if let Some(argument) = node.child_by_field_name("argument") {
                    self.reference(argument, Role::Write);
                }
                self.unknown()
            }
            "arrow_function" | "function_expression" | "generator_function" => {
                self.branched(|javascript| javascript.function(node, None, &[]));
                self.unknown()
            }
            "class" => {
                self.class(node, None);
                self.unknown()
            }
            "object" => self.object(node, false),
            "jsx_element" | "jsx_self_closing_element" => self.jsx(node),
            "instantiation_expression" => {
                let terms: Vec<Raw> = children(node).into_iter().map(|part| self.expression(part)).collect();
                terms.first().copied().unwrap_or_else(|| self.unknown())
            }
            "type_arguments" | "type_annotation" => {
                self.types(children(node));
                self.unknown()
            }
            "string"
            | "number"
            | "regex"
            | "true"
            | "false"
            | "null"
            | "undefined"
            | "comment"
            | "meta_property"
            | "import"
            | "statement_identifier" => self.unknown(),
            // Whatever else has expressions or statements in it.
            _ => {
                children(node).into_iter().for_each(|child| self.statement(child));
                self.unknown()
            }
        }
    }

    /// A use of a name or member as `role`; any other expression is walked.
    pub(super) fn reference(&mut self, node: Node<'t>, role: Role) -> Raw {
        self.deeper(|javascript| javascript.reference_here(node, role)).unwrap_or_else(|| self.unknown())
    }

    fn reference_here(&mut self, node: Node<'t>, role: Role) -> Raw {
        match node.kind() {
            "identifier" | "type_identifier" => {
                if let Some(itself) = self.own_exports(node) {
                    return itself;
                }
                let term = self.binder.name(self.binder.str(node), node.start_byte());
                self.binder.refer(term, role, node);
                term
            }
            "member_expression" | "nested_identifier" => self.member_access(node, role),
            "subscript_expression" => self.subscript(node, role),
            "parenthesized_expression" | "non_null_expression" if node.named_child_count() == 1 => {
                match node.named_child(0) {
                    Some(inner) => self.reference(inner, role),
                    None => self.unknown(),
                }
            }
            _ => self.expression(node),
        }
    }

    fn member_access(&mut self, node: Node<'t>, role: Role) -> Raw {
        let (Some(object), Some(name)) = (node.child_by_field_name("object"), node.child_by_field_name("property"))
        else {
            return self.unknown();
        };
        if let Some(itself) = self.own_exports(node) {
            return itself;
        }
        let text = self.binder.str(name);
        if text == "prototype" {
            return self.prototype(object);
        }
        let of = self.expression(object);
        let member = self.binder.member(of, text);
        self.binder.refer(member, role, name);
        member
    }

    /// `object["name"]` is `object.name`; any other index yields an element.
    fn subscript(&mut self, node: Node<'t>, role: Role) -> Raw {
        let (Some(object), Some(index)) = (node.child_by_field_name("object"), node.child_by_field_name("index"))
        else {
            return self.unknown();
        };
        let of = self.expression(object);
        if let Some(name) = Some(index).filter(|index| index.kind() == "string").and_then(content) {
            let member = self.binder.member(of, self.binder.str(name));
            self.binder.refer(member, role, name);
            return member;
        }
        self.expression(index);
        self.binder.inner(of, -1)
    }

    /// What awaiting `promise` yields: its content, or the value itself when it is no promise.
    pub(super) fn awaited(&mut self, promise: Raw) -> Raw {
        let content = self.binder.inner(promise, 0);
        self.known(vec![content, promise])
    }

    /// As [`Self::awaited`] of the expression `node`, which yields `promise`: a dynamic import is its module.
    pub(super) fn awaited_of(&mut self, node: Node<'t>, promise: Raw) -> Raw {
        let function = unwrap(node).child_by_field_name("function");
        let imports = function.is_some_and(|function| function.kind() == "import");
        if imports { promise } else { self.awaited(promise) }
    }

    /// `value as T`, `<T>value`: what the type promises. `value satisfies T` and `value as const` stay what they are.
    pub(super) fn cast(&mut self, node: Node<'t>, decl: Option<DeclId>) -> Raw {
        let parts = children(node);
        let (value, of) = match (node.kind(), parts.as_slice()) {
            ("type_assertion", [arguments, value]) => (*value, arguments.named_child(0)),
            (_, [value, rest @ ..]) => (*value, rest.first().copied()),
            _ => return self.unknown(),
        };
        let given = self.initial(value, decl);
        let promised = of.map(|of| self.promised(of));
        if let Some(promised) = promised {
            self.expect(value, promised);
        }
        match promised {
            Some(promised) if node.kind() != "satisfies_expression" || !self.is_known(given) => promised,
            _ => given,
        }
    }

    fn ternary(&mut self, node: Node<'t>) -> Raw {
        if let Some(condition) = node.child_by_field_name("condition") {
            self.expression(condition);
        }
        let mut parts = Vec::with_capacity(2);
        for field in ["consequence", "alternative"] {
            if let Some(part) = node.child_by_field_name(field) {
                parts.push(self.branched(|javascript| javascript.expression(part)));
            }
        }
        self.known(parts)
    }

    /// `a || b` and `a ?? b` are one of the two, `a && b` is of use as `b` alone.
    fn binary(&mut self, node: Node<'t>) -> Raw {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return self.unknown();
        };
        let operator = node.child_by_field_name("operator").map_or("", |operator| operator.kind());
        let left = self.expression(left);
        let right = self.branched(|javascript| javascript.expression(right));
        match operator {
            "||" | "??" => self.known(vec![left, right]),
            "&&" => right,
            _ => self.unknown(),
        }
    }

    /// `left += right`; `left ??= right` and its like assign a value.
    fn augmented(&mut self, node: Node<'t>) -> Raw {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return self.unknown();
        };
        let value = self.expression(right);
        let operator = node.child_by_field_name("operator").map_or("", |operator| operator.kind());
        if matches!(operator, "??=" | "||=" | "&&=") {
            self.branched(|javascript| javascript.bind(left, value, super::patterns::Bind::Assign));
        } else {
            self.reference(left, Role::Write);
        }
        value
    }

    /// The bases of the class around, as `super` sees them.
    pub(super) fn base_value(&mut self) -> Raw {
        match self.class {
            Some(class) => self.binder.super_of(class),
            None => self.unknown(),
        }
    }
}
