//! Patterns of `instanceof` and `switch` (Java language specification, 14.30), and `switch` itself.

use tree_sitter::Node;

use super::{Java, children};
use crate::binding::{Raw, Role, ScopeKind, Walker as _};

impl<'t> Java<'_, 't> {
    pub(super) fn instance_of(&mut self, node: Node<'t>) -> Raw {
        if let Some(left) = node.child_by_field_name("left") {
            self.expression(left);
        }
        let value = node.child_by_field_name("right").map(|stated| self.promised(stated, false));
        if let (Some(name), Some(value)) = (node.child_by_field_name("name"), value) {
            self.define_value(name, value, name.start_byte());
        }
        if let Some(pattern) = node.child_by_field_name("pattern") {
            self.pattern(pattern);
        }
        self.unknown()
    }

    /// `T name`, or `T(pattern, …)`.
    fn pattern(&mut self, node: Node<'t>) {
        self.deeper(|java| java.pattern_here(node));
    }

    fn pattern_here(&mut self, node: Node<'t>) {
        match node.kind() {
            "type_pattern" | "record_pattern_component" => {
                let parts: Vec<Node<'t>> = children(node).into_iter().filter(|p| p.kind() != "modifiers").collect();
                let [stated, name] = parts.as_slice() else { return };
                let value = match self.binder.str(*stated) {
                    "var" => self.unknown(),
                    _ => self.promised(*stated, false),
                };
                self.define_value(*name, value, name.start_byte());
            }
            "record_pattern" => {
                for part in children(node) {
                    match part.kind() {
                        "record_pattern_body" => children(part).into_iter().for_each(|inner| self.pattern(inner)),
                        _ => {
                            self.denoted(part, Role::Type, None);
                        }
                    }
                }
            }
            _ => children(node).into_iter().for_each(|part| self.pattern(part)),
        }
    }

    /// A `switch`, statement or expression; what its rules yield.
    pub(super) fn switch(&mut self, node: Node<'t>) -> Raw {
        let selector = match node.child_by_field_name("condition") {
            Some(condition) => self.expression(condition),
            None => self.unknown(),
        };
        self.binder.enter(ScopeKind::Block, None);
        let mut yielded = Vec::new();
        for group in node.child_by_field_name("body").into_iter().flat_map(children) {
            let is_rule = group.kind() == "switch_rule";
            // The groups of the old form share the block's variables.
            if is_rule {
                self.binder.enter(ScopeKind::Block, None);
            }
            for part in children(group) {
                match part.kind() {
                    "switch_label" => self.label(part, selector),
                    "expression_statement" if is_rule => {
                        if let Some(value) = part.named_child(0) {
                            yielded.push(self.expression(value));
                        }
                    }
                    _ => self.statement(part),
                }
            }
            if is_rule {
                self.binder.leave();
            }
        }
        self.binder.leave();
        self.known(yielded)
    }

    /// A simple name in a label is a constant of the selector's enum, or one that is in scope.
    fn label(&mut self, node: Node<'t>, selector: Raw) {
        for part in children(node) {
            match part.kind() {
                "identifier" => {
                    let text = self.binder.str(part);
                    let in_scope = self.binder.name(text, part.start_byte());
                    let mut terms = Vec::new();
                    if !self.binder.is_unknown(selector) {
                        terms.push(self.binder.member(selector, text));
                    }
                    terms.push(in_scope);
                    let term = self.binder.first(terms);
                    self.binder.refer(term, Role::Read, part);
                }
                "pattern" | "type_pattern" | "record_pattern" => self.pattern(part),
                "guard" => children(part).into_iter().for_each(|condition| {
                    self.expression(condition);
                }),
                _ => {
                    self.expression(part);
                }
            }
        }
    }
}
