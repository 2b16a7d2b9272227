//! Initializers: which fields they name, and what they yield.

use tree_sitter::Node;

use super::Family;
use super::shapes::Shape;
use crate::binding::{Raw, Role, Walker as _};

impl<'t> Family<'_, 't> {
    /// The initializer of what is declared to hold `declared`; what it yields.
    pub(super) fn initializer(&mut self, value: Node<'t>, declared: Option<Raw>, shape: Shape) -> Raw {
        let nothing = self.unknown();
        match value.kind() {
            "initializer_list" => {
                self.initializer_list(value, declared.unwrap_or(nothing), shape);
                nothing
            }
            "argument_list" => {
                self.each(value);
                nothing
            }
            _ => self.walk(value),
        }
    }

    /// `{ .field = value, [index] = value, value }` of what holds `of`.
    pub(super) fn initializer_list(&mut self, list: Node<'t>, of: Raw, shape: Shape) {
        let go = |family: &mut Self| {
            for entry in family.children(list) {
                match entry.kind() {
                    "initializer_pair" => family.designated(entry, of),
                    "initializer_list" => {
                        let element = family.list_element(of, shape);
                        family.initializer_list(entry, element, Shape::Unknown);
                    }
                    _ => {
                        family.walk(entry);
                    }
                }
            }
        };
        self.deeper(go);
    }

    /// What a list inside a list initializes: an element. The field at its place is not looked for.
    fn list_element(&mut self, of: Raw, shape: Shape) -> Raw {
        match shape {
            Shape::Pointer => of,
            Shape::Applied => self.binder.inner(of, -1),
            _ => self.unknown(),
        }
    }

    fn designated(&mut self, entry: Node<'t>, of: Raw) {
        let mut target = of;
        let mut last = None;
        for designator in self.fields(entry, "designator") {
            let name = match designator.kind() {
                "field_designator" => designator.named_child(0),
                "field_identifier" => Some(designator),
                _ => {
                    self.each(designator);
                    None
                }
            };
            if let Some(name) = name {
                target = self.binder.member(target, self.binder.str(name));
                self.binder.refer(target, Role::Write, name);
                last = Some(name);
            }
        }
        let Some(value) = entry.child_by_field_name("value") else { return };
        match value.kind() {
            "initializer_list" => {
                // Of an array of arrays or structures, every list inside is one of its elements.
                let shape = if last.is_none() { Shape::Unknown } else { Shape::Pointer };
                self.initializer_list(value, target, shape);
            }
            _ => {
                self.walk(value);
            }
        }
    }

    /// `: base(a), field(b)` of a constructor. `bases` are those that the class names, when it stands in this file.
    pub(super) fn field_initializers(&mut self, list: Node<'t>) {
        for entry in self.children(list) {
            let mut parts = self.children(entry).into_iter();
            let Some(name) = parts.next() else { continue };
            let values: Vec<Node<'t>> = parts.collect();
            let count = values.first().map_or(0, |list| self.count(*list));
            let constructs = name.kind() != "field_identifier" || self.is_type_name(name);
            let role = if constructs { Role::Call } else { Role::Write };
            let term = self.named(name, role, Some(count).filter(|_| constructs));
            for value in values {
                match value.kind() {
                    "initializer_list" => self.initializer_list(value, term, Shape::Unknown),
                    _ => {
                        self.walk(value);
                    }
                }
            }
        }
    }

    /// Whether an initializer's bare name is that of a base or of the class itself, by the custom that fields begin with
    /// a small letter or carry a mark (`m_`, `_`).
    fn is_type_name(&self, name: Node<'t>) -> bool {
        let text = self.binder.str(name);
        text.starts_with(|c: char| c.is_ascii_uppercase()) && !text.ends_with('_')
    }
}
