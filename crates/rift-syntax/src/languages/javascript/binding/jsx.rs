//! JSX: an element calls its component. Names in lower case are elements of the host (React, "JSX In Depth"); a member,
//! however it is spelled, is a component.

use tree_sitter::Node;

use super::{JavaScript, children};
use crate::binding::{Raw, Role, Walker as _};

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
        let component = name.filter(|name| !self.is_intrinsic(*name)).map(|name| self.reference(name, role));
        let properties = component.map(|component| self.binder.parameter(component, 0));
        for part in children(node).into_iter().filter(|part| Some(*part) != name) {
            match part.kind() {
                "jsx_attribute" => self.attribute(part, properties),
                _ => self.expressions(Some(part)),
            }
        }
    }

    /// An attribute: a use of the component's property of that name.
    fn attribute(&mut self, node: Node<'t>, properties: Option<Raw>) {
        let parts = children(node);
        let Some((name, value)) = parts.split_first() else { return };
        let property = properties.filter(|_| name.kind() == "property_identifier");
        let property = property.map(|properties| self.binder.member(properties, self.binder.str(*name)));
        if let Some(property) = property {
            self.binder.refer(property, Role::Write, *name);
        }
        for value in value {
            self.expression(*value);
            let inner = if value.kind() == "jsx_expression" { value.named_child(0) } else { None };
            if let (Some(property), Some(inner)) = (property, inner) {
                self.expect(inner, property);
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
