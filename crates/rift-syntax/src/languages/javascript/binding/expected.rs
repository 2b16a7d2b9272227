//! Literals where the text states their type: each key of an object literal is a use of the member of that type.

use tree_sitter::Node;

use super::{JavaScript, children, name_site};
use crate::binding::{Raw, Role, Walker as _};

impl<'t> JavaScript<'_, 't> {
    /// The value `node`, already walked as an expression, is `expected`.
    pub(super) fn expect(&mut self, node: Node<'t>, expected: Raw) {
        if self.is_known(expected) {
            self.deeper(|javascript| javascript.expect_here(node, expected));
        }
    }

    fn expect_here(&mut self, node: Node<'t>, expected: Raw) {
        match node.kind() {
            "object" => children(node).into_iter().for_each(|part| self.expect_member(part, expected)),
            "array" => {
                let element = self.binder.inner(expected, -1);
                children(node).into_iter().for_each(|part| self.expect(part, element));
            }
            "parenthesized_expression" => {
                node.named_child(0).into_iter().for_each(|inner| self.expect(inner, expected));
            }
            "ternary_expression" => {
                for field in ["consequence", "alternative"] {
                    node.child_by_field_name(field).into_iter().for_each(|part| self.expect(part, expected));
                }
            }
            _ => {}
        }
    }

    fn expect_member(&mut self, part: Node<'t>, expected: Raw) {
        let key = match part.kind() {
            "pair" => part.child_by_field_name("key"),
            "method_definition" => part.child_by_field_name("name"),
            "shorthand_property_identifier" => Some(part),
            _ => None,
        };
        let Some(key) = key else { return };
        let Some(name) = self.key(key) else { return };
        let member = self.binder.member(expected, name);
        self.binder.refer(member, Role::Write, name_site(key));
        part.child_by_field_name("value").into_iter().for_each(|value| self.expect(value, member));
    }
}
