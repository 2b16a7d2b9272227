//! Paths: `a::b`, `crate::a`, `Self::A`, `<T as Trait>::a`.

use tree_sitter::Node;

use super::Rust;
use crate::binding::{Raw, Role, Space, Walker as _};

/// How a module of this file's module path is spelled for the resolver, by the number of `super`.
const ABOVE: [&str; 9] = [
    "self",
    "super",
    "super::super",
    "super::super::super",
    "super::super::super::super",
    "super::super::super::super::super",
    "super::super::super::super::super::super",
    "super::super::super::super::super::super::super",
    "super::super::super::super::super::super::super::super",
];

impl<'t> Rust<'_, 't> {
    /// The path `node`, whose last segment is of `space` and used as `role` says.
    pub(super) fn path(&mut self, node: Node<'t>, space: Space, role: Role) -> Raw {
        self.qualified(node, space, role).1
    }

    /// What qualifies the last segment of the path `node`, and what the path means.
    pub(super) fn qualified(&mut self, node: Node<'t>, space: Space, role: Role) -> (Option<Raw>, Raw) {
        let go = |rust: &mut Self| rust.qualified_here(node, space, role);
        match self.deeper(go) {
            Some(found) => found,
            None => (None, self.unknown()),
        }
    }

    fn qualified_here(&mut self, node: Node<'t>, space: Space, role: Role) -> (Option<Raw>, Raw) {
        if !matches!(node.kind(), "scoped_identifier" | "scoped_type_identifier") {
            return (None, self.segment(node, space, role));
        }
        if let Some(count) = self.supers(node) {
            return (None, self.above(count));
        }
        let Some(name) = node.child_by_field_name("name") else { return (None, self.unknown()) };
        let Some(path) = node.child_by_field_name("path") else {
            // `::name` is a crate, whatever the scope binds.
            let term = self.binder.module(self.binder.str(node));
            self.binder.refer(term, role, name);
            return (None, term);
        };
        self.as_trait = None;
        let mut of = self.qualifier(path, if space == Space::Import { space } else { Space::Types });
        // `<A as T>::f` is what `A` has of `T`, else what `T` itself declares.
        if let Some(alias) = self.as_trait.take().filter(|_| space == Space::Values) {
            of = self.binder.either(vec![of, alias]);
        }
        let text = self.binder.str(name);
        let extension = if self.binder.str(path) == "Self" { self.extension(text) } else { None };
        let member = extension.unwrap_or_else(|| self.binder.member(of, text));
        self.binder.refer_past_fields(member, role, name);
        (Some(of), member)
    }

    /// What stands before `::`.
    fn qualifier(&mut self, node: Node<'t>, space: Space) -> Raw {
        match node.kind() {
            "generic_type" | "bracketed_type" => self.denoted(node),
            _ => {
                let role = if space == Space::Import { Role::Import } else { Role::Read };
                self.path(node, space, role)
            }
        }
    }

    /// A path of one segment.
    fn segment(&mut self, node: Node<'t>, space: Space, role: Role) -> Raw {
        let text = self.binder.str(node);
        match (node.kind(), text) {
            ("crate", _) | (_, "$crate") => self.binder.module("crate"),
            ("super", _) => self.above(1),
            ("self", _) => self.above(0),
            ("metavariable", _) => self.unknown(),
            (_, "Self") => self.self_type(),
            (_, _) if text.is_empty() => self.unknown(),
            _ => {
                let term = self.binder.name_among(space, text, node.start_byte());
                self.binder.refer(term, role, node);
                term
            }
        }
    }

    /// What `Self` denotes.
    pub(super) fn self_type(&mut self) -> Raw {
        match self.own_type {
            Some(own) => own.term,
            None => self.unknown(),
        }
    }

    /// The number of `super`s that the path `node` consists of, `self::` before them aside.
    fn supers(&self, node: Node<'t>) -> Option<usize> {
        let text = self.binder.str(node);
        if !text.ends_with("super") {
            return None;
        }
        let parts = text.split("::").map(str::trim);
        let mut count = 0;
        for (at, part) in parts.enumerate() {
            match part {
                "super" => count += 1,
                "self" if at == 0 => {}
                _ => return None,
            }
        }
        Some(count)
    }

    /// The module `count` levels above the one that is being walked.
    pub(super) fn above(&mut self, count: usize) -> Raw {
        match self.modules.len().checked_sub(count) {
            Some(0) => self.binder.module("self"),
            Some(depth) => match self.modules.get(depth - 1).copied().flatten() {
                Some(module) => self.binder.decl(module),
                None => self.unknown(),
            },
            None => match ABOVE.get(count - self.modules.len()) {
                Some(specifier) => self.binder.module(specifier),
                None => self.unknown(),
            },
        }
    }

    /// The member `name` that an impl block of this file gives to the type of another file that `Self` is.
    pub(super) fn extension(&mut self, name: &'t str) -> Option<Raw> {
        let own = self.own_type.filter(|own| own.decl.is_none())?;
        let members = self.extensions.get(own.name)?;
        let found: Vec<_> = members.iter().filter(|(member, _)| *member == name).map(|(_, decl)| *decl).collect();
        if found.is_empty() {
            return None;
        }
        let terms = found.into_iter().map(|decl| self.binder.decl(decl)).collect();
        Some(self.binder.either(terms))
    }
}
