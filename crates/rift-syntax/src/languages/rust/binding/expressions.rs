//! Expressions and blocks: which names they use, and what they yield.

use tree_sitter::Node;

use super::items::stands_as_item;
use super::{Rust, children};
use crate::binding::{Raw, Role, ScopeKind, Space, Walker as _};

impl<'t> Rust<'_, 't> {
    /// Walks `node`; what it yields.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|rust| rust.expression_here(node)).unwrap_or_else(|| self.unknown())
    }

    fn expression_here(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "identifier" | "scoped_identifier" => self.path(node, Space::Values, Role::Read),
            "self" => self.receiver.unwrap_or_else(|| self.unknown()),
            "field_expression" => self.field(node, Role::Read),
            "call_expression" => self.call(node),
            "generic_function" => {
                let term = match node.child_by_field_name("function") {
                    Some(function) => self.expression(function),
                    None => self.unknown(),
                };
                self.turbofish(Some(node));
                term
            }
            "macro_invocation" => self.macro_invocation(node),
            "reference_expression"
            | "parenthesized_expression"
            | "await_expression"
            | "expression_statement"
            | "unsafe_block"
            | "async_block"
            | "gen_block"
            | "try_block"
            | "const_block"
            | "else_clause"
            | "match_pattern" => self.last_of(node),
            "unary_expression" => {
                let value = self.last_of(node);
                if self.binder.str(node).starts_with('*') { value } else { self.unknown() }
            }
            "try_expression" => {
                let value = self.last_of(node);
                if node.named_child(0).is_some_and(|of| self.is_lock(of)) { value } else { self.binder.inner(value, 0) }
            }
            "index_expression" => self.index(node),
            "assignment_expression" | "compound_assignment_expr" => self.assignment(node),
            "type_cast_expression" => {
                node.child_by_field_name("value").into_iter().for_each(|value| {
                    self.expression(value);
                });
                match node.child_by_field_name("type") {
                    Some(of) => self.promised(of),
                    None => self.unknown(),
                }
            }
            "struct_expression" => self.construct(node),
            "tuple_expression" => {
                let parts = children(node).into_iter().map(|part| self.expression(part)).collect();
                self.tuple_value(parts)
            }
            "array_expression" => self.array(node),
            "block" => self.block(node),
            "if_expression" => self.if_expression(node),
            "let_condition" => self.let_condition(node),
            "match_expression" => self.match_expression(node),
            "while_expression" => self.while_expression(node),
            "for_expression" => self.for_expression(node),
            "closure_expression" => self.closure(node, None),
            "let_declaration" => self.let_declaration(node),
            "string_literal"
            | "raw_string_literal"
            | "integer_literal"
            | "float_literal"
            | "boolean_literal"
            | "char_literal"
            | "label"
            | "lifetime"
            | "line_comment"
            | "block_comment"
            | "attribute_item"
            | "inner_attribute_item"
            | "empty_statement"
            | "token_tree" => self.unknown(),
            kind if stands_as_item(kind) => {
                self.item(node, &[]);
                self.unknown()
            }
            _ => {
                self.last_of(node);
                self.unknown()
            }
        }
    }

    /// Walks the parts of `node`; what the last yields.
    fn last_of(&mut self, node: Node<'t>) -> Raw {
        let mut last = self.unknown();
        for part in children(node) {
            if !matches!(part.kind(), "mutable_specifier" | "line_comment" | "block_comment" | "attribute_item") {
                last = self.expression(part);
            }
        }
        last
    }

    /// `value.field`.
    pub(super) fn field(&mut self, node: Node<'t>, role: Role) -> Raw {
        let (Some(object), Some(name)) = (node.child_by_field_name("value"), node.child_by_field_name("field")) else {
            return self.unknown();
        };
        let value = self.expression(object);
        let text = self.binder.str(name);
        let member = self.member_of(object, value, text);
        if name.kind() != "integer_literal" {
            self.binder.refer(member, role, name);
            return member;
        }
        // A tuple's part, or the field of a tuple struct, which is no declaration.
        match text.parse::<i8>() {
            Ok(at) => {
                let part = self.binder.inner(value, at);
                self.known(vec![member, part])
            }
            Err(_) => self.unknown(),
        }
    }

    fn index(&mut self, node: Node<'t>) -> Raw {
        let mut parts = children(node).into_iter();
        let of = match parts.next() {
            Some(of) => self.expression(of),
            None => self.unknown(),
        };
        let mut is_slice = false;
        for part in parts {
            is_slice |= part.kind() == "range_expression";
            self.expression(part);
        }
        if is_slice {
            return of;
        }
        let parts = vec![self.binder.inner(of, 1), self.binder.inner(of, -1)];
        self.known(parts)
    }

    fn assignment(&mut self, node: Node<'t>) -> Raw {
        if let Some(right) = node.child_by_field_name("right") {
            self.expression(right);
        }
        match node.child_by_field_name("left") {
            Some(left) if left.kind() == "field_expression" => {
                self.field(left, Role::Write);
            }
            Some(left) if matches!(left.kind(), "identifier" | "scoped_identifier") => {
                self.path(left, Space::Values, Role::Write);
            }
            Some(left) => {
                self.expression(left);
            }
            None => {}
        }
        self.unknown()
    }

    fn array(&mut self, node: Node<'t>) -> Raw {
        let parts: Vec<Raw> = children(node).into_iter().map(|part| self.expression(part)).collect();
        match parts.first() {
            Some(first) if !self.binder.is_unknown(*first) => {
                let list = self.builtin("[]");
                let applied = self.binder.applied(list, vec![*first]);
                self.binder.value(applied)
            }
            _ => self.unknown(),
        }
    }

    /// A block: items are visible in all of it, variables from their `let` on.
    pub(super) fn block(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|rust| rust.block_here(node)).unwrap_or_else(|| self.unknown())
    }

    fn block_here(&mut self, node: Node<'t>) -> Raw {
        let parts = children(node);
        let has_items = parts.iter().any(|part| stands_as_item(part.kind()));
        let scoped = has_items || parts.iter().any(|part| part.kind() == "let_declaration");
        if scoped {
            self.binder.enter(ScopeKind::Block, None);
        }
        if has_items {
            let outer = self.block_start.replace(node.start_byte());
            self.hoist(node);
            self.block_start = outer;
        }
        let mut value = self.unknown();
        let mut attributes = Vec::new();
        for part in parts {
            match part.kind() {
                "attribute_item" => {
                    attributes.push(part);
                    continue;
                }
                "line_comment" | "block_comment" | "label" => continue,
                kind if stands_as_item(kind) => {
                    self.item(part, &attributes);
                    value = self.unknown();
                }
                kind => {
                    value = self.expression(part);
                    if kind == "expression_statement" && self.binder.str(part).ends_with(';') {
                        value = self.unknown();
                    }
                }
            }
            attributes.clear();
        }
        if scoped {
            self.binder.leave();
        }
        value
    }

    fn let_declaration(&mut self, node: Node<'t>) -> Raw {
        let annotation = node.child_by_field_name("type").map(|of| self.promised(of));
        let value = node.child_by_field_name("value").map(|value| self.expression(value));
        if let Some(otherwise) = node.child_by_field_name("alternative") {
            self.expression(otherwise);
        }
        let known = annotation.filter(|term| !self.binder.is_unknown(*term)).or(value);
        let value = known.unwrap_or_else(|| self.unknown());
        if let Some(pattern) = node.child_by_field_name("pattern") {
            // Its own initializer does not see it.
            self.pattern(pattern, value, node.end_byte());
        }
        self.unknown()
    }

    /// `let pattern = value` as a condition: binds for what follows in the scope that the condition's expression entered.
    fn let_condition(&mut self, node: Node<'t>) -> Raw {
        let value = match node.child_by_field_name("value") {
            Some(value) => self.expression(value),
            None => self.unknown(),
        };
        if let Some(pattern) = node.child_by_field_name("pattern") {
            self.pattern(pattern, value, node.end_byte());
        }
        self.unknown()
    }

    fn if_expression(&mut self, node: Node<'t>) -> Raw {
        self.binder.enter(ScopeKind::Block, None);
        if let Some(condition) = node.child_by_field_name("condition") {
            self.expression(condition);
        }
        let then = node.child_by_field_name("consequence").map(|then| self.expression(then));
        self.binder.leave();
        let otherwise = node.child_by_field_name("alternative").map(|otherwise| self.expression(otherwise));
        self.known(then.into_iter().chain(otherwise).collect())
    }

    fn while_expression(&mut self, node: Node<'t>) -> Raw {
        self.binder.enter(ScopeKind::Block, None);
        for part in ["condition", "body"] {
            node.child_by_field_name(part).into_iter().for_each(|part| {
                self.expression(part);
            });
        }
        self.binder.leave();
        self.unknown()
    }

    fn match_expression(&mut self, node: Node<'t>) -> Raw {
        let value = match node.child_by_field_name("value") {
            Some(value) => self.expression(value),
            None => self.unknown(),
        };
        let arms: Vec<Node<'t>> = node.child_by_field_name("body").into_iter().flat_map(children).collect();
        let mut yielded = Vec::new();
        for arm in arms.into_iter().filter(|arm| arm.kind() == "match_arm") {
            self.binder.enter(ScopeKind::Block, None);
            if let Some(pattern) = arm.child_by_field_name("pattern") {
                let condition = pattern.child_by_field_name("condition");
                let shown = children(pattern).into_iter().find(|part| Some(part.id()) != condition.map(|c| c.id()));
                shown.into_iter().for_each(|shown| self.pattern(shown, value, pattern.start_byte()));
                condition.into_iter().for_each(|condition| {
                    self.expression(condition);
                });
            }
            if let Some(body) = arm.child_by_field_name("value") {
                yielded.push(self.expression(body));
            }
            self.binder.leave();
        }
        self.known(yielded)
    }
}
