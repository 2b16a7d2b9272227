//! JSX: an element calls its component. Names in lower case are elements of the host (React, "JSX In Depth"); a member,
//! however it is spelled, is a component.

use tree_sitter::Node;

use super::{JavaScript, children};
use crate::binding::{Raw, Role};

impl<'t> JavaScript<'_, 't> {
    pub(super) fn jsx(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "jsx_element" => {
                for part in children(node) {
                    match part.kind() {
                        "jsx_opening_element" => self.tag(part, Role::Call),
                        "jsx_closing_element" => self.tag(part, Role::Read),
                        _ => self.expressions(Some(part)),
                    }
                }
            }
            _ => self.tag(node, Role::Call),
        }
        self.unknown()
    }

    /// A tag with its attributes.
    fn tag(&mut self, node: Node<'t>, role: Role) {
        let name = node.child_by_field_name("name");
        if let Some(name) = name.filter(|name| !self.is_intrinsic(*name)) {
            self.reference(name, role);
        }
        for part in children(node).into_iter().filter(|part| Some(*part) != name) {
            match part.kind() {
                // The first child is the attribute's own name.
                "jsx_attribute" => self.expressions(children(part).into_iter().skip(1)),
                _ => self.expressions(Some(part)),
            }
        }
    }

    fn is_intrinsic(&self, name: Node<'t>) -> bool {
        let text = self.binder.str(name);
        match name.kind() {
            "identifier" => text.starts_with(|first: char| first.is_lowercase()) || text.contains('-'),
            "jsx_namespace_name" => true,
            _ => false,
        }
    }
}
