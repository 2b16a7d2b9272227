//! Types: what they denote, and which values they promise. Pointers, references and smart pointers are seen through.

use tree_sitter::Node;

use super::shapes::{Shape, element_arguments, is_smart};
use super::{Family, last_name};
use crate::binding::{Raw, Role, Walker as _};

/// Members of containers that stand for their elements.
const ELEMENT_TYPES: [&str; 8] = [
    "value_type",
    "iterator",
    "const_iterator",
    "reverse_iterator",
    "reference",
    "const_reference",
    "pointer",
    "mapped_type",
];

impl<'t> Family<'_, 't> {
    /// A value of the type that `node` spells.
    pub(super) fn promised(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "decltype" => {
                let mut value = self.unknown();
                for child in self.children(node) {
                    value = self.walk(child);
                }
                value
            }
            "type_descriptor" => {
                let value = node.child_by_field_name("type").map(|kind| self.promised(kind));
                match node.child_by_field_name("declarator") {
                    // A function's type, or a pointer to one: a value of it is none of its result.
                    Some(declarator) if self.declarator_types(declarator) => self.unknown(),
                    _ => value.unwrap_or_else(|| self.unknown()),
                }
            }
            _ => {
                let denoted = self.denoted(node, Role::Type);
                self.binder.value(denoted)
            }
        }
    }

    /// The type that `node` spells; `role` is that of its own name.
    pub(super) fn denoted(&mut self, node: Node<'t>, role: Role) -> Raw {
        self.deeper(|family| family.denoted_here(node, role)).unwrap_or_else(|| self.unknown())
    }

    fn denoted_here(&mut self, node: Node<'t>, role: Role) -> Raw {
        match node.kind() {
            "type_identifier" | "identifier" | "namespace_identifier" | "field_identifier" => {
                let term = self.binder.name(self.binder.str(node), node.start_byte());
                self.binder.refer(term, role, node);
                term
            }
            "qualified_identifier" | "template_type" | "template_function" => self.named(node, role, None),
            "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
                self.specifier(node, role, None)
            }
            "type_descriptor" => {
                let denoted = node.child_by_field_name("type").map(|kind| self.denoted(kind, role));
                match node.child_by_field_name("declarator") {
                    Some(declarator) if self.declarator_types(declarator) => self.unknown(),
                    _ => denoted.unwrap_or_else(|| self.unknown()),
                }
            }
            "dependent_type" => match node.named_child(0) {
                Some(inner) => self.denoted(inner, role),
                None => self.unknown(),
            },
            "primitive_type" | "auto" => self.unknown(),
            "macro_type_specifier" => {
                if let Some(name) = node.child_by_field_name("name") {
                    let term = self.binder.name(self.binder.str(name), name.start_byte());
                    self.binder.refer(term, Role::Call, name);
                }
                if let Some(inner) = node.child_by_field_name("type") {
                    self.denoted(inner, role);
                }
                self.unknown()
            }
            _ => {
                self.each(node);
                self.unknown()
            }
        }
    }

    /// `name<arguments>`, where `of` is what the name denotes.
    pub(super) fn applied(&mut self, of: Raw, name: &str, arguments: Option<Node<'t>>) -> Raw {
        let mut given = Vec::new();
        for argument in arguments.map(|list| self.children(list)).unwrap_or_default() {
            let term = match argument.kind() {
                "type_descriptor" => self.denoted(argument, Role::Type),
                _ => {
                    self.walk(argument);
                    self.unknown()
                }
            };
            given.push(term);
        }
        if is_smart(name)
            && let Some(first) = given.first()
        {
            return *first;
        }
        given.truncate(element_arguments(name));
        self.binder.applied(of, given)
    }

    /// What `name` denotes inside the applied type `of`, where it stands for its elements: `std::vector<T>::iterator`.
    pub(super) fn element_type(&mut self, name: Node<'t>, of: Raw) -> Option<Raw> {
        let of = self.binder.argument(of, -1)?;
        ELEMENT_TYPES.contains(&self.binder.str(name)).then_some(of)
    }

    /// Walks the types in a declarator without a name: parameters, sizes of arrays. Whether it is a function's.
    pub(super) fn declarator_types(&mut self, declarator: Node<'t>) -> bool {
        let mut here = Some(declarator);
        let mut function = false;
        while let Some(node) = here.take() {
            function |= node.kind() == "abstract_function_declarator";
            for child in self.children(node) {
                match child.kind() {
                    kind if kind.ends_with("declarator") => here = Some(child),
                    "parameter_list" => self.prototype(child),
                    _ => {
                        self.walk(child);
                    }
                }
            }
        }
        function
    }

    /// The form of the values of the type `node`, before any declarator.
    pub(super) fn type_shape(&mut self, node: Node<'t>) -> Shape {
        match node.kind() {
            "type_descriptor" => {
                let pointer = node.child_by_field_name("declarator").is_some_and(|d| is_pointer(d.kind()));
                match node.child_by_field_name("type") {
                    Some(_) if pointer => Shape::Pointer,
                    Some(kind) => self.type_shape(kind),
                    None => Shape::Unknown,
                }
            }
            "template_type" => match is_smart(self.binder.str(last_name(node))) {
                true => Shape::Smart,
                false => Shape::Applied,
            },
            "qualified_identifier" => match node.child_by_field_name("name") {
                Some(name) => self.type_shape(name),
                None => Shape::Unknown,
            },
            "type_identifier" => Shape::Value,
            _ => Shape::Unknown,
        }
    }
}

/// Whether a declarator of this kind makes a pointer or an array.
pub(super) fn is_pointer(kind: &str) -> bool {
    matches!(
        kind,
        "pointer_declarator" | "array_declarator" | "abstract_pointer_declarator" | "abstract_array_declarator"
    )
}
