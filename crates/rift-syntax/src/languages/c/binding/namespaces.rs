//! Namespaces, what is brought into them, and templates.

use tree_sitter::Node;

use super::{Class, Family, last_name};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};
use crate::facts::DeclId;

impl<'t> Family<'_, 't> {
    /// A namespace, or the part of one that stands here: all parts of a file share one scope.
    pub(super) fn namespace(&mut self, node: Node<'t>) -> Raw {
        let Some(body) = node.child_by_field_name("body") else { return self.unknown() };
        let names = node.child_by_field_name("name").map(|name| self.namespace_names(name)).unwrap_or_default();
        let inline = node.children(&mut self.cursor).any(|child| child.kind() == "inline");
        let (scope, home, around, outer) = (self.binder.scope(), self.home, self.around, self.namespace);
        let mut owned = 0;
        for (at, name) in names.iter().enumerate() {
            let decl = self.binder.declared_at(*name);
            self.open(*name, decl, inline && at + 1 == names.len());
            if let Some(decl) = decl {
                self.binder.own(decl);
                owned += 1;
            }
        }
        // What has no name is seen as if it stood around.
        self.each(body);
        (0..owned).for_each(|_| self.binder.disown());
        self.binder.switch(scope);
        (self.home, self.around, self.namespace) = (home, around, outer);
        self.unknown()
    }

    /// The names of `a::b::c`, outermost first.
    fn namespace_names(&mut self, name: Node<'t>) -> Vec<Node<'t>> {
        match name.kind() {
            "nested_namespace_specifier" => {
                let mut out = Vec::new();
                let mut here = Some(name);
                while let Some(node) = here.take() {
                    for child in self.children(node) {
                        match child.kind() {
                            "nested_namespace_specifier" => here = Some(child),
                            _ => out.push(child),
                        }
                    }
                }
                out
            }
            _ => vec![name],
        }
    }

    /// Goes into the namespace `name` of the current one.
    fn open(&mut self, name: Node<'t>, decl: Option<DeclId>, inline: bool) {
        let text = self.binder.str(name);
        let around = self.home;
        self.binder.switch(around);
        let (scope, first) = match self.namespaces.get(&(around, text)) {
            Some(known) => *known,
            None => {
                let scope = self.binder.enter(ScopeKind::Module, decl);
                self.namespaces.insert((around, text), (scope, decl));
                if let Some(decl) = decl {
                    self.binder.define_in(around, text, Defined::Decl(decl), super::EVERYWHERE);
                    if inline {
                        let inner = self.binder.decl(decl);
                        self.binder.wildcard(self.namespace, inner, true);
                    }
                }
                (scope, decl)
            }
        };
        self.binder.switch(scope);
        (self.home, self.around) = (scope, scope);
        self.namespace = first.or(self.namespace);
    }

    /// `namespace name = a::b;`
    pub(super) fn namespace_alias(&mut self, node: Node<'t>) -> Raw {
        let Some(name) = node.child_by_field_name("name") else { return self.unknown() };
        let target = self.children(node).into_iter().rfind(|child| *child != name);
        let Some(target) = target else { return self.unknown() };
        let mut of: Option<Raw> = None;
        for part in self.namespace_names(target) {
            let text = self.binder.str(part);
            let term = match of {
                Some(of) => self.binder.member(of, text),
                None => self.binder.name(text, part.start_byte()),
            };
            self.binder.refer(term, Role::Read, part);
            of = Some(term);
        }
        if let Some(of) = of {
            let scope = if self.local { self.binder.scope() } else { self.home };
            self.binder.define_in(scope, self.binder.str(name), Defined::Alias(of), name.start_byte());
        }
        self.unknown()
    }

    /// `using namespace a;`, `using a::b;`, `using enum a;`
    pub(super) fn using(&mut self, node: Node<'t>) -> Raw {
        let Some(name) = self.children(node).into_iter().next_back() else { return self.unknown() };
        let of_all = node.children(&mut self.cursor).any(|child| matches!(child.kind(), "namespace" | "enum"));
        let term = self.named(name, Role::Import, None);
        if of_all {
            // Told of the namespace around, also where it stands in a function.
            self.binder.wildcard(self.namespace, term, true);
        } else if name.kind() == "qualified_identifier" && !names_constructors(name, self.binder.text) {
            let last = last_name(name);
            let scope = if self.local { self.binder.scope() } else { self.home };
            let text = self.binder.str(last);
            self.binder.define_in(scope, text, Defined::Alias(term), last.start_byte());
            if let Some(Class::Here(class)) = self.class.filter(|_| !self.local) {
                self.bring_in(class, text, term);
            }
        }
        self.unknown()
    }

    /// A member of a base that `class` brings in stands beside its own of that name.
    fn bring_in(&mut self, class: DeclId, name: &'t str, term: Raw) {
        self.binder.export(Some(class), name, term, true);
        if let Some(own) = self.binder.declared_in(Some(class), name) {
            let own = self.binder.decl(own);
            self.binder.export(Some(class), name, own, true);
        }
    }

    /// `template <parameters> declaration`.
    pub(super) fn template(&mut self, node: Node<'t>) -> Raw {
        let before = self.parameters.len();
        self.in_block(|family| {
            for child in family.children(node) {
                match child.kind() {
                    "template_parameter_list" => family.template_parameters(child),
                    _ => {
                        family.walk(child);
                    }
                }
            }
        });
        self.parameters.truncate(before);
        self.unknown()
    }

    /// Binds the parameters of a template: what they stand for is not known.
    pub(super) fn template_parameters(&mut self, list: Node<'t>) {
        for parameter in self.children(list) {
            let name = match parameter.kind() {
                "type_parameter_declaration" | "variadic_type_parameter_declaration" => parameter.named_child(0),
                "optional_type_parameter_declaration" => {
                    if let Some(default) = parameter.child_by_field_name("default_type") {
                        self.denoted(default, Role::Type);
                    }
                    parameter.child_by_field_name("name")
                }
                "template_template_parameter_declaration" => {
                    let inner = self.children(parameter).into_iter().next_back();
                    inner.and_then(|inner| inner.child_by_field_name("name").or_else(|| inner.named_child(0)))
                }
                _ => {
                    self.walk(parameter);
                    let declared = parameter.child_by_field_name("declarator");
                    declared.and_then(super::super::declarators::declarator).map(|d| d.name)
                }
            };
            if let Some(name) = name.filter(|name| name.kind().ends_with("identifier")) {
                let text = self.binder.str(name);
                self.binder.define(text, Defined::Opaque, name.start_byte());
                self.parameters.push(text);
            }
        }
    }

    /// `concept name = constraint;`
    pub(super) fn concept(&mut self, node: Node<'t>) -> Raw {
        let name = node.child_by_field_name("name");
        let decl = name.and_then(|name| self.binder.declared_at(name));
        if let (Some(name), Some(decl)) = (name, decl) {
            self.declare(name, decl);
            self.binder.own(decl);
        }
        for child in self.children(node) {
            if Some(child) != name {
                self.walk(child);
            }
        }
        decl.into_iter().for_each(|_| self.binder.disown());
        self.unknown()
    }

    /// `friend class T;` and `friend void f();`: a friend is no member.
    pub(super) fn friend(&mut self, node: Node<'t>) -> Raw {
        let home = std::mem::replace(&mut self.home, self.around);
        for child in self.children(node) {
            match child.kind() {
                "type_identifier" | "qualified_identifier" | "template_type" => {
                    self.denoted(child, Role::Type);
                }
                _ => {
                    self.walk(child);
                }
            }
        }
        self.home = home;
        self.unknown()
    }
}

/// Whether `using a::b::b` takes constructors in, which have no name to bind.
fn names_constructors(name: Node<'_>, text: &str) -> bool {
    let mut node = name;
    let mut around = None;
    while node.kind() == "qualified_identifier" {
        around = node.child_by_field_name("scope");
        let Some(inner) = node.child_by_field_name("name") else { return false };
        node = inner;
    }
    let spelled = |node: Node<'_>| crate::text::range(last_name(node)).of(text).to_owned();
    around.is_some_and(|around| spelled(around) == spelled(node))
}
