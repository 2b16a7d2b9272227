//! Types as they are written: what they denote and which values they promise.

use tree_sitter::Node;

use super::{Java, child_of, children};
use crate::binding::{Defined, Raw, Role, Walker as _};
use crate::facts::DeclId;

impl<'t> Java<'_, 't> {
    /// A value of the type that `node` spells, an array of it when `dimensions` stand behind the variable's name.
    pub(super) fn promised(&mut self, node: Node<'t>, dimensions: bool) -> Raw {
        let mut denoted = self.denoted(node, Role::Type, None);
        if dimensions {
            denoted = self.binder.made_of(vec![denoted]);
        }
        self.binder.value(denoted)
    }

    /// The type that `node` spells. Its last name is used as `role` says, with that many arguments.
    pub(super) fn denoted(&mut self, node: Node<'t>, role: Role, arguments: Option<u8>) -> Raw {
        self.deeper(|java| java.denoted_here(node, role, arguments)).unwrap_or_else(|| self.unknown())
    }

    fn denoted_here(&mut self, node: Node<'t>, role: Role, arguments: Option<u8>) -> Raw {
        match node.kind() {
            "type_identifier" | "identifier" => {
                let term = self.binder.name(self.binder.str(node), node.start_byte());
                self.binder.refer_at(term, role, crate::text::range(node), arguments);
                term
            }
            "scoped_type_identifier" | "scoped_identifier" => {
                let parts = children(node);
                let Some((last, before)) = parts.split_last() else { return self.unknown() };
                let mut of = None;
                for part in before {
                    if part.kind().ends_with("annotation") {
                        self.annotation(*part);
                    } else {
                        of = Some(self.denoted(*part, Role::Type, None));
                    }
                }
                let of = of.unwrap_or_else(|| self.unknown());
                let member = self.binder.member(of, self.binder.str(*last));
                self.binder.refer_at(member, role, crate::text::range(*last), arguments);
                member
            }
            "generic_type" => {
                let mut of = self.unknown();
                let mut given = Vec::new();
                for part in children(node) {
                    match part.kind() {
                        "type_arguments" => given = self.type_arguments(part),
                        _ => of = self.denoted(part, role, arguments),
                    }
                }
                self.binder.applied(of, given)
            }
            "array_type" => {
                let Some(element) = node.child_by_field_name("element") else { return self.unknown() };
                let element = self.denoted(element, role, arguments);
                self.binder.made_of(vec![element])
            }
            "annotated_type" => {
                let mut out = self.unknown();
                for part in children(node) {
                    if part.kind().ends_with("annotation") {
                        self.annotation(part);
                    } else {
                        out = self.denoted(part, role, arguments);
                    }
                }
                out
            }
            "wildcard" => self.wildcard(node),
            "integral_type" | "floating_point_type" | "boolean_type" | "void_type" => self.unknown(),
            _ => {
                let parts = children(node).into_iter().map(|part| self.denoted(part, role, None)).collect();
                self.known(parts)
            }
        }
    }

    /// `<A, B>`; nothing for `<>`.
    pub(super) fn type_arguments(&mut self, node: Node<'t>) -> Vec<Raw> {
        children(node).into_iter().map(|part| self.denoted(part, Role::Type, None)).collect()
    }

    /// `? extends T` promises a `T`; what `? super T` yields is not told.
    fn wildcard(&mut self, node: Node<'t>) -> Raw {
        let lower = child_of(node, "super").is_some();
        let mut bound = self.unknown();
        for part in children(node) {
            match part.kind() {
                "super" => {}
                kind if kind.ends_with("annotation") => self.annotation(part),
                _ => bound = self.denoted(part, Role::Type, None),
            }
        }
        if lower { self.unknown() } else { bound }
    }

    /// Binds the type parameters of `node` in the current scope. A parameter of the type `of` stands for what its
    /// values are applied to; else, and one of a method, for its bound.
    pub(super) fn type_parameters(&mut self, node: Node<'t>, of: Option<DeclId>) {
        let Some(list) = node.child_by_field_name("type_parameters") else { return };
        for (at, parameter) in children(list).into_iter().enumerate() {
            let mut name = None;
            let mut bounds = Vec::new();
            for part in children(parameter) {
                match part.kind() {
                    "type_identifier" | "identifier" => name = Some(part),
                    "type_bound" => {
                        bounds.extend(children(part).into_iter().map(|bound| self.denoted(bound, Role::Type, None)));
                    }
                    _ => self.annotation(part),
                }
            }
            let mut stands = self.known(bounds);
            if let (Some(of), Ok(at)) = (of, i8::try_from(at)) {
                let this = self.binder.this(of);
                let given = self.binder.inner(this, at);
                stands = self.binder.first(vec![given, stands]);
            }
            if let Some(name) = name {
                // Bounds may name parameters before and after.
                self.define_value(name, stands, list.start_byte());
            }
        }
    }

    /// `name` is a local whose values `value` tells.
    pub(super) fn define_value(&mut self, name: Node<'t>, value: Raw, at: usize) {
        let what = if self.binder.is_unknown(value) { Defined::Opaque } else { Defined::Value(value) };
        self.binder.define(self.binder.str(name), what, at);
    }

    /// The types that a list of `node` names, each used as `role` says.
    pub(super) fn listed(&mut self, node: Node<'t>, role: Role) -> Vec<Raw> {
        let types = child_of(node, "type_list").unwrap_or(node);
        children(types).into_iter().map(|named| self.denoted(named, role, None)).collect()
    }
}
