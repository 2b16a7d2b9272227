//! Interfaces, type aliases, enums and namespaces.

use rift_base::Facet;
use tree_sitter::Node;

use super::{Export, HOISTED, JavaScript, children, has_token};
use crate::binding::{Defined, Raw, Role, ScopeKind};
use crate::facts::DeclId;
use crate::languages::javascript::types::dotted;

impl<'t> JavaScript<'_, 't> {
    pub(super) fn interface(&mut self, node: Node<'t>, export: Export) {
        let decl = node.child_by_field_name("name").and_then(|name| self.introduce(name, export));
        let class = std::mem::replace(&mut self.class, decl);
        self.owned(decl, |javascript| {
            javascript.scoped(|javascript| {
                javascript.type_parameters(node);
                for child in children(node) {
                    match child.kind() {
                        "extends_type_clause" => javascript.bases(child, decl, Role::Extends),
                        "interface_body" | "object_type" => javascript.signatures(child),
                        _ => {}
                    }
                }
            });
        });
        self.class = class;
    }

    /// The members of an interface or an object type.
    pub(super) fn signatures(&mut self, body: Node<'t>) {
        for member in children(body) {
            let name = member.child_by_field_name("name");
            let decl = name.and_then(|name| self.binder.declared_at(name));
            self.owned(decl, |javascript| {
                name.into_iter().for_each(|name| javascript.computed(name));
                match member.kind() {
                    "property_signature" => {
                        let promised = member.child_by_field_name("type").map(|of| javascript.promised(of));
                        if let (Some(decl), Some(promised)) = (decl, promised) {
                            javascript.binder.holds(decl, promised);
                        }
                    }
                    "method_signature" => javascript.method(member, decl),
                    "call_signature" | "construct_signature" => drop(javascript.callable(member, &[])),
                    _ => javascript.types(Some(member)),
                }
            });
        }
    }

    pub(super) fn type_alias(&mut self, node: Node<'t>, export: Export) {
        let decl = node.child_by_field_name("name").and_then(|name| self.introduce(name, export));
        self.owned(decl, |javascript| {
            javascript.scoped(|javascript| {
                javascript.type_parameters(node);
                let Some(value) = node.child_by_field_name("value") else { return };
                let denoted = javascript.aliased(value);
                let Some(decl) = decl else { return };
                // With members of its own it is a type, and what it is an intersection with are its bases.
                let has_members = |d: &crate::facts::Declaration| d.facets.has(Facet::MemberContainer);
                match javascript.binder.facts.outline.get(decl).is_some_and(has_members) {
                    true => javascript.binder.base(decl, denoted),
                    false => javascript.binder.holds(decl, denoted),
                }
            });
        });
    }

    /// What an alias stands for: a type, or what a value has that the type is read off (`typeof x`, `T["key"]`).
    fn aliased(&mut self, value: Node<'t>) -> Raw {
        let word = value.child_by_field_name("name").map_or("", |name| self.binder.str(name));
        match value.kind() {
            "type_query" | "lookup_type" => self.promised(value),
            "generic_type" if matches!(word, "Awaited" | "InstanceType" | "ReturnType") => self.promised(value),
            _ => self.denoted(value),
        }
    }

    /// An enum. Its members see each other by name.
    pub(super) fn enumeration(&mut self, node: Node<'t>, export: Export) {
        let decl = node.child_by_field_name("name").and_then(|name| self.introduce(name, export));
        self.owned(decl, |javascript| {
            javascript.binder.enter(ScopeKind::Type, decl);
            for member in node.child_by_field_name("body").into_iter().flat_map(children) {
                let name =
                    if member.kind() == "enum_assignment" { member.child_by_field_name("name") } else { Some(member) };
                let Some(name) = name.filter(|name| !name.is_error()) else { continue };
                let own = javascript.binder.declared_at(name);
                if let (Some(own), Some(text)) = (own, javascript.key(name)) {
                    javascript.binder.define(text, Defined::Decl(own), HOISTED);
                }
                if let Some(value) = member.child_by_field_name("value") {
                    javascript.owned(own, |javascript| javascript.expression(value));
                }
            }
            javascript.binder.leave();
        });
    }

    /// `namespace A.B {}`, `module A {}`, `declare module "x" {}`.
    pub(super) fn namespace(&mut self, node: Node<'t>, export: Export) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let outer = (self.within, self.ambient, self.binder.scope());
        self.ambient |= node.parent().is_some_and(|parent| parent.kind() == "ambient_declaration");
        let mut decls = Vec::new();
        for (at, name) in dotted(name).into_iter().enumerate() {
            // `A.B` shows `B` outside as an `export` would.
            let export = if at == 0 { export } else { Export::Named };
            let decl = match name.kind() {
                "string" => self.binder.declared_at(name),
                _ => self.introduce(name, export),
            };
            decl.into_iter().for_each(|decl| self.binder.own(decl));
            decls.push(decl);
            self.enter_namespace(decl);
        }
        if let Some(body) = node.child_by_field_name("body") {
            let variables = std::mem::replace(&mut self.variables, self.binder.scope());
            self.statements(body);
            self.variables = variables;
        }
        decls.into_iter().flatten().for_each(|_| self.binder.disown());
        self.binder.switch(outer.2);
        (self.within, self.ambient) = (outer.0, outer.1);
    }

    /// Goes on in the scope of the namespace `decl`, which its other parts have named, too.
    fn enter_namespace(&mut self, decl: Option<DeclId>) {
        let path = decl.and_then(|decl| self.binder.facts.outline.get(decl)).map(|d| d.path.to_string());
        let known = self.namespaces.iter().find(|(other, _)| path.as_ref() == Some(other)).map(|(_, scope)| *scope);
        match (known, path) {
            (Some(scope), _) => drop(self.binder.switch(scope)),
            (None, path) => {
                let scope = self.binder.enter(ScopeKind::Module, decl);
                path.into_iter().for_each(|path| self.namespaces.push((path, scope)));
            }
        }
        self.within = decl;
    }

    /// `declare …`. What `declare global {}` declares is visible everywhere, so in this file, too.
    pub(super) fn ambient(&mut self, node: Node<'t>, export: Export) {
        if !has_token(node, "global") {
            for child in children(node) {
                if !self.declaration(child, export) {
                    self.statement(child);
                }
            }
            return;
        }
        let mut cursor = node.walk();
        let word = node.children(&mut cursor).find(|child| child.kind() == "global");
        let decl = word.and_then(|word| self.binder.declared_at(word));
        let within = std::mem::replace(&mut self.within, decl);
        let ambient = std::mem::replace(&mut self.ambient, true);
        self.owned(decl, |javascript| {
            let blocks = children(node).into_iter().filter(|child| child.kind() == "statement_block");
            blocks.for_each(|block| javascript.statements(block));
        });
        (self.within, self.ambient) = (within, ambient);
    }
}
