//! Patterns: the names that they bind, and the fields, variants and constants that they name.

use tree_sitter::Node;

use super::{Rust, children, digits};
use crate::binding::{Raw, Role, Space, Walker as _};

impl<'t> Rust<'_, 't> {
    /// Binds the names of `pattern`, which is matched with `value`; they are visible from byte `at` on.
    pub(super) fn pattern(&mut self, pattern: Node<'t>, value: Raw, at: usize) {
        let go = |rust: &mut Self| rust.pattern_here(pattern, value, at);
        self.deeper(go);
    }

    fn pattern_here(&mut self, node: Node<'t>, value: Raw, at: usize) {
        match node.kind() {
            "identifier" => self.name_pattern(node, value, at),
            "mut_pattern" | "ref_pattern" | "reference_pattern" | "or_pattern" | "captured_pattern" => {
                for inner in children(node) {
                    if inner.kind() != "mutable_specifier" {
                        self.pattern(inner, value, at);
                    }
                }
            }
            "tuple_pattern" => self.elements(children(node), at, |rust, i| rust.binder.inner(value, i)),
            "slice_pattern" => self.elements(children(node), at, |rust, _| rust.binder.inner(value, -1)),
            "tuple_struct_pattern" => self.tuple_struct_pattern(node, value, at),
            "struct_pattern" => self.struct_pattern(node, at),
            "scoped_identifier" => {
                self.path(node, Space::Values, Role::Read);
            }
            "generic_pattern" => children(node).into_iter().for_each(|part| match part.kind() {
                "type_arguments" => children(part).into_iter().for_each(|argument| {
                    self.denoted(argument);
                }),
                _ => self.pattern(part, value, at),
            }),
            "macro_invocation" => {
                self.macro_invocation(node);
            }
            "range_pattern" => children(node).into_iter().for_each(|end| {
                self.expression(end);
            }),
            "const_block" | "block" => {
                self.expression(node);
            }
            _ => {}
        }
    }

    /// A name alone is a constant, a unit struct or a unit variant when one is in scope, else it binds. Without types, the
    /// case of its first letter tells (the compiler warns of others: `non_snake_case`, `non_upper_case_globals`).
    fn name_pattern(&mut self, node: Node<'t>, value: Raw, at: usize) {
        let text = self.binder.str(node);
        if text.starts_with(char::is_uppercase) {
            let term = self.binder.name_among(Space::Values, text, node.start_byte());
            self.binder.refer(term, Role::Read, node);
        } else {
            self.local(node, value, at);
        }
    }

    /// Binds `parts` to what `of` gives for their number; what follows `..` has no number.
    fn elements(&mut self, parts: Vec<Node<'t>>, at: usize, of: impl Fn(&mut Self, i8) -> Raw) {
        let mut counted = true;
        for (i, part) in parts.into_iter().enumerate() {
            counted &= part.kind() != "remaining_field_pattern";
            let value = match i8::try_from(i) {
                Ok(i) if counted => of(self, i),
                _ => self.unknown(),
            };
            self.pattern(part, value, at);
        }
    }

    fn tuple_struct_pattern(&mut self, node: Node<'t>, value: Raw, at: usize) {
        let Some(head) = node.child_by_field_name("type") else { return };
        let parts: Vec<Node<'t>> = children(node).into_iter().filter(|part| part.id() != head.id()).collect();
        let word = self.binder.str(head).rsplit("::").next().unwrap_or("");
        let term = match head.kind() {
            "generic_type" => self.denoted_as(head, Role::Read),
            _ => self.path(head, Space::Values, Role::Read),
        };
        match word {
            "Some" | "Ok" | "Ready" | "Break" => self.elements(parts, at, |rust, _| rust.binder.inner(value, 0)),
            "Err" => self.elements(parts, at, |rust, _| rust.binder.inner(value, 1)),
            _ => self.elements(parts, at, |rust, i| match digits(i as usize) {
                Some(name) => rust.binder.member(term, name),
                None => rust.unknown(),
            }),
        }
    }

    /// The names of fields refer to the fields of the type that the pattern names.
    fn struct_pattern(&mut self, node: Node<'t>, at: usize) {
        let Some(head) = node.child_by_field_name("type") else { return };
        let of = self.denoted_as(head, Role::Read);
        for part in children(node) {
            let Some(name) = part.child_by_field_name("name").filter(|_| part.kind() == "field_pattern") else {
                continue;
            };
            let field = self.binder.member(of, self.binder.str(name));
            self.binder.refer(field, Role::Read, name);
            match part.child_by_field_name("pattern") {
                Some(inner) => self.pattern(inner, field, at),
                None => self.local(name, field, at),
            }
        }
    }
}
