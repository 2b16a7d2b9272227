//! Classes, structures, unions and enumerations. In C their tags are names apart from all others, and belong to the file
//! or the block around, wherever they stand.

use rift_base::Facet;
use tree_sitter::Node;

use super::{Class, Family, last_name};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};
use crate::facts::DeclId;

impl<'t> Family<'_, 't> {
    /// Finds the tags of a C file.
    pub(super) fn gather_tags(&mut self) {
        let facts = self.binder.facts;
        let text = self.binder.text;
        for ((id, declaration), position) in facts.outline.iter().zip(facts.positions.iter()) {
            let mut around = declaration.container.and_then(|container| facts.outline.get(container));
            while around.is_some_and(|outer| outer.facets.has(Facet::Type)) {
                around = around.and_then(|outer| outer.container).and_then(|container| facts.outline.get(container));
            }
            // Those of a function are seen from their block alone.
            if matches!(declaration.kind, "struct" | "union" | "enum") && around.is_none() {
                self.tags.entry(position.name.of(text)).or_default().push(id);
            }
        }
    }

    /// `struct name`, with or without a body. A type without a name is `owner`, what is declared of it. What it denotes;
    /// `role` is that of its name.
    pub(super) fn specifier(&mut self, node: Node<'t>, role: Role, owner: Option<DeclId>) -> Raw {
        let name = node.child_by_field_name("name");
        let decl = name.and_then(|name| self.binder.declared_at(last_name(name)));
        let Some(body) = node.child_by_field_name("body") else {
            return match (name, decl) {
                (Some(name), Some(decl)) => {
                    self.declare_type(name, decl);
                    self.binder.decl(decl)
                }
                (Some(name), None) => self.elaborated(name, role),
                (None, _) => self.unknown(),
            };
        };
        if let (Some(name), Some(decl)) = (name, decl) {
            self.declare_type(name, decl);
        }
        let owner = decl.or(owner);
        owner.into_iter().for_each(|owner| self.binder.own(owner));
        match node.kind() {
            "enum_specifier" => self.enumeration(node, body, owner),
            _ => self.members(node, body, owner),
        }
        owner.into_iter().for_each(|_| self.binder.disown());
        match owner {
            Some(owner) => self.binder.decl(owner),
            None => self.unknown(),
        }
    }

    /// Binds the name of a type.
    fn declare_type(&mut self, name: Node<'t>, decl: DeclId) {
        let last = last_name(name);
        let text = self.binder.str(last);
        if self.local {
            self.local_tags.push((text, decl));
        }
        match (self.cpp, self.local) {
            // The specialisation of a template is found by way of the template.
            (true, _) if name.kind() == "template_type" => {
                self.denoted(name, Role::Type);
            }
            (true, _) if name == last => self.declare(name, decl),
            (false, false) => {
                let means = self.binder.decl(decl);
                self.binder.export(None, text, means, true);
            }
            _ => {}
        }
    }

    /// A type named with its keyword, which no variable of that name hides.
    fn elaborated(&mut self, name: Node<'t>, role: Role) -> Raw {
        if !matches!(name.kind(), "type_identifier" | "identifier") {
            return self.named(name, role, None);
        }
        let text = self.binder.str(name);
        let local = self.local_tags.iter().rev().find(|(tag, _)| *tag == text).map(|(_, decl)| *decl);
        let term = match (local, self.cpp) {
            (Some(decl), _) => self.binder.decl(decl),
            (None, true) => self.binder.name_in(text, self.home),
            (None, false) => match self.tags.get(text) {
                Some(decls) => {
                    let terms = decls.iter().map(|decl| self.binder.decl(*decl)).collect();
                    self.binder.either(terms)
                }
                None => self.binder.free(text, None),
            },
        };
        self.binder.refer(term, role, name);
        term
    }

    /// Bases and members of a class.
    fn members(&mut self, node: Node<'t>, body: Node<'t>, decl: Option<DeclId>) {
        for child in self.children(node) {
            if child.kind() == "base_class_clause" {
                self.bases(child, decl);
            }
        }
        let Some(decl) = decl.filter(|_| self.cpp) else {
            // C has no scope of members, and members of a class without a name belong to what is around it.
            self.each(body);
            return;
        };
        let scope = self.binder.scope();
        let (home, class, local) = (self.home, self.class, self.local);
        let own = self.binder.enter(ScopeKind::Type, Some(decl));
        let facts = self.binder.facts;
        if let Some(declaration) = facts.outline.get(decl) {
            self.classes.insert(declaration.path.as_str(), (decl, own));
        }
        (self.home, self.class, self.local) = (own, Some(Class::Here(decl)), false);
        let parameters = std::mem::take(&mut self.parameters);
        self.each(body);
        self.parameters = parameters;
        (self.home, self.class, self.local) = (home, class, local);
        self.binder.switch(scope);
    }

    fn bases(&mut self, clause: Node<'t>, decl: Option<DeclId>) {
        for base in self.children(clause) {
            if matches!(base.kind(), "type_identifier" | "qualified_identifier" | "template_type") {
                let term = self.denoted(base, Role::Extends);
                if let Some(decl) = decl {
                    self.binder.base(decl, term);
                }
            }
        }
    }

    /// The enumerators of an enumeration. Without `class` they are names of what is around it, too.
    fn enumeration(&mut self, node: Node<'t>, body: Node<'t>, decl: Option<DeclId>) {
        if let Some(base) = node.child_by_field_name("base") {
            self.denoted(base, Role::Type);
        }
        let scoped = node.children(&mut self.cursor).any(|child| matches!(child.kind(), "class" | "struct"));
        let around = if self.local { self.binder.scope() } else { self.home };
        let scope = self.binder.enter(ScopeKind::Type, decl);
        let class = match self.class {
            Some(Class::Here(class)) if !self.local => Some(class),
            _ => None,
        };
        for child in self.children(body) {
            let name = child.child_by_field_name("name").filter(|_| child.kind() == "enumerator");
            let Some(name) = name else {
                self.walk(child);
                continue;
            };
            if let Some(own) = self.binder.declared_at(name) {
                let text = self.binder.str(name);
                let bound = if scoped { scope } else { around };
                self.binder.define_in(bound, text, Defined::Decl(own), super::EVERYWHERE);
                if let (false, Some(class)) = (scoped, class) {
                    let means = self.binder.decl(own);
                    self.binder.export(Some(class), text, means, true);
                }
            }
            if let Some(value) = child.child_by_field_name("value") {
                self.walk(value);
            }
        }
        self.binder.leave();
    }
}
