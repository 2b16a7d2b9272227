//! Items: what they bind, and what the text says about their types.

use rift_base::Facet;
use tree_sitter::Node;

use super::{OwnType, Rust, children, digits};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};
use crate::facts::DeclId;

impl<'t> Rust<'_, 't> {
    /// Defines the items and imports directly inside `node`: all of them are visible in all of it.
    pub(super) fn hoist(&mut self, node: Node<'t>) {
        let go = |rust: &mut Self| children(node).into_iter().for_each(|child| rust.hoist_item(child));
        self.deeper(go);
    }

    fn hoist_item(&mut self, node: Node<'t>) {
        match node.kind() {
            "use_declaration" => self.use_declaration(node),
            "extern_crate_declaration" => self.extern_crate(node),
            "impl_item" => self.note_extensions(node),
            "foreign_mod_item" | "ERROR" => {
                node.child_by_field_name("body").or(Some(node)).into_iter().for_each(|body| self.hoist(body));
            }
            // The name of an item whose head alone parses.
            "identifier" | "type_identifier" => {
                if let Some(decl) = self.binder.declared_at(node) {
                    self.binder.define(self.binder.str(node), Defined::Decl(decl), 0);
                }
            }
            "macro_invocation" => self.hoist_macro(node),
            "expression_statement" => {
                let call = node.named_child(0).filter(|call| call.kind() == "macro_invocation");
                call.into_iter().for_each(|call| self.hoist_macro(call));
            }
            kind if is_item(kind) => {
                if let Some(name) = node.child_by_field_name("name")
                    && let Some(decl) = self.binder.declared_at(name)
                {
                    self.binder.define(self.binder.str(name), Defined::Decl(decl), 0);
                }
            }
            _ => {}
        }
    }

    /// Remembers the members of an impl block for a type that this file does not declare.
    fn note_extensions(&mut self, node: Node<'t>) {
        let (Some(of), Some(body)) = (node.child_by_field_name("type"), node.child_by_field_name("body")) else {
            return;
        };
        if self.declared_type(of).is_some() {
            return;
        }
        let mut members = Vec::new();
        for member in children(body) {
            let name = member.child_by_field_name("name");
            if let Some((name, decl)) = name.and_then(|name| Some((name, self.binder.declared_at(name)?))) {
                members.push((self.binder.str(name), decl));
            }
        }
        let key = self.last_name(of);
        self.extensions.entry(key).or_default().extend(members);
    }

    /// The last name of the type that `node` spells, else all of it.
    fn last_name(&self, node: Node<'t>) -> &'t str {
        let mut node = node;
        while let Some(inner) = match node.kind() {
            "generic_type" => node.child_by_field_name("type"),
            "scoped_type_identifier" => node.child_by_field_name("name"),
            _ => None,
        } {
            node = inner;
        }
        self.binder.str(node)
    }

    /// The declaration of this file that the type of an impl block is: by the path that its members have, see
    /// [`super::super`].
    fn declared_type(&mut self, node: Node<'t>) -> Option<DeclId> {
        let found = match node.kind() {
            "generic_type" => return self.declared_type(node.child_by_field_name("type")?),
            "type_identifier" => self.binder.declared_in(self.container, self.binder.str(node)),
            "scoped_type_identifier" => {
                let mut container = self.container;
                let text = self.binder.str(node);
                for name in text.split("::") {
                    container = Some(self.binder.declared_in(container, name.trim())?);
                }
                container
            }
            _ => None,
        };
        found.filter(|decl| self.binder.facts.outline.get(*decl).is_some_and(|d| d.facets.has(Facet::Type)))
    }

    /// Walks the items of `node`.
    pub(super) fn items(&mut self, node: Node<'t>) {
        let go = |rust: &mut Self| {
            let mut attributes = Vec::new();
            for child in children(node) {
                match child.kind() {
                    "attribute_item" => attributes.push(child),
                    "line_comment" | "block_comment" => {}
                    _ => {
                        rust.item(child, &attributes);
                        attributes.clear();
                    }
                }
            }
        };
        self.deeper(go);
    }

    /// Walks the item `node` behind `attributes`.
    pub(super) fn item(&mut self, node: Node<'t>, attributes: &[Node<'t>]) {
        let decl = node.child_by_field_name("name").and_then(|name| self.binder.declared_at(name));
        match node.kind() {
            // Told while hoisting.
            "use_declaration" | "extern_crate_declaration" => return,
            "foreign_mod_item" | "ERROR" => {
                return node.child_by_field_name("body").or(Some(node)).into_iter().for_each(|body| self.items(body));
            }
            "impl_item" => return self.implementation(node, attributes),
            "identifier" | "type_identifier" if self.binder.declared_at(node).is_some() => return,
            kind if !is_item(kind) => {
                self.imports_told = true;
                self.expression(node);
                self.imports_told = false;
                return;
            }
            _ => {}
        }
        decl.into_iter().for_each(|decl| self.binder.own(decl));
        self.attributes(attributes, decl);
        match node.kind() {
            "function_item" | "function_signature_item" => self.function(node, decl),
            "struct_item" | "union_item" | "enum_item" => self.structure(node, decl),
            "trait_item" => self.trait_item(node, decl),
            "const_item" | "static_item" => self.constant(node, decl),
            "type_item" | "associated_type" => self.alias(node, decl),
            "mod_item" => self.module(node, decl, attributes),
            _ => self.macro_rules(node),
        }
        decl.into_iter().for_each(|_| self.binder.disown());
    }

    fn module(&mut self, node: Node<'t>, decl: Option<DeclId>, attributes: &[Node<'t>]) {
        let stated = decl.and_then(|decl| self.module_attributes(decl, attributes));
        let Some(body) = node.child_by_field_name("body") else {
            // A module inside a module of this file lies in a directory that the file's layout does not tell alone.
            let name = node.child_by_field_name("name").filter(|_| self.modules.is_empty());
            let file = stated.or(name.map(|name| self.binder.str(name)));
            if let (Some(decl), Some(file)) = (decl, file) {
                let module = self.binder.module(file);
                self.binder.holds(decl, module);
            }
            return;
        };
        let (own_type, receiver) = (self.own_type.take(), self.receiver.take());
        let (container, block) = (self.container, self.block_start.take());
        self.container = decl;
        self.modules.push(decl);
        self.binder.enter(ScopeKind::Module, decl);
        self.hoist(body);
        self.items(body);
        self.binder.leave();
        self.modules.pop();
        (self.own_type, self.receiver, self.container, self.block_start) = (own_type, receiver, container, block);
    }

    fn function(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        self.binder.enter(ScopeKind::Callable, None);
        self.generics(node);
        let (receiver, container) = (self.receiver.take(), self.container);
        let parameters = node.child_by_field_name("parameters").into_iter().flat_map(children);
        for parameter in parameters {
            match parameter.kind() {
                "self_parameter" => self.receiver = Some(self.own_value()),
                "parameter" => self.parameter(parameter),
                _ => {}
            }
        }
        if let Some(returned) = node.child_by_field_name("return_type") {
            let value = self.promised(returned);
            decl.into_iter().for_each(|decl| self.binder.holds(decl, value));
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.container = decl;
            self.block(body);
        }
        (self.receiver, self.container) = (receiver, container);
        self.binder.leave();
    }

    /// What `self` is in a method.
    fn own_value(&mut self) -> Raw {
        match self.own_type {
            Some(OwnType { decl: Some(decl), .. }) => self.binder.this(decl),
            Some(OwnType { term, .. }) => self.binder.value(term),
            None => self.unknown(),
        }
    }

    fn parameter(&mut self, node: Node<'t>) {
        let value = match node.child_by_field_name("type") {
            Some(annotation) => self.promised(annotation),
            None => self.unknown(),
        };
        match node.child_by_field_name("pattern") {
            Some(pattern) if pattern.kind() == "self" => self.receiver = Some(self.own_value()),
            Some(pattern) => self.pattern(pattern, value, node.start_byte()),
            None => {}
        }
    }

    /// Defines the type parameters of `node`: each stands for its bounds.
    fn generics(&mut self, node: Node<'t>) {
        let clauses = children(node).into_iter().filter(|child| child.kind() == "where_clause").flat_map(children);
        let clauses: Vec<Node<'t>> = clauses.collect();
        let parameters: Vec<Node<'t>> =
            node.child_by_field_name("type_parameters").into_iter().flat_map(children).collect();
        let start = node.start_byte();
        let mut bounds: Vec<(Node<'t>, Vec<Raw>)> = Vec::new();
        // All are visible in each other's bounds.
        for parameter in &parameters {
            let Some(name) = parameter.child_by_field_name("name") else { continue };
            match parameter.kind() {
                "type_parameter" => {
                    let nothing = self.unknown();
                    self.binder.define(self.binder.str(name), Defined::Parameter(nothing), start);
                    bounds.push((name, Vec::new()));
                }
                "const_parameter" => {
                    let value = parameter.child_by_field_name("type").map(|annotation| self.promised(annotation));
                    let value = value.unwrap_or_else(|| self.unknown());
                    self.local(name, value, start);
                }
                _ => {}
            }
        }
        let written = parameters.iter().map(|parameter| (parameter.child_by_field_name("name"), *parameter));
        let clauses = clauses.into_iter().map(|clause| (clause.child_by_field_name("left"), clause));
        for (subject, bounded) in written.chain(clauses) {
            if let Some(default) = bounded.child_by_field_name("default_type") {
                self.denoted(default);
            }
            let Some(subject) = subject else { continue };
            if bounded.kind() == "where_predicate" {
                self.denoted(subject);
            }
            let told = bounded.child_by_field_name("bounds").map(|bounds| self.denoted(bounds));
            let text = self.binder.str(subject);
            let parameter = bounds.iter_mut().find(|(name, _)| self.binder.str(*name) == text);
            if let (Some((_, all)), Some(told)) = (parameter, told) {
                all.push(told);
            }
        }
        for (name, all) in bounds {
            let means = self.known(all);
            self.binder.define(self.binder.str(name), Defined::Parameter(means), start);
        }
    }

    fn structure(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        self.binder.enter(ScopeKind::Block, None);
        self.generics(node);
        let own = self.enter_type(node, decl);
        if let Some(body) = node.child_by_field_name("body") {
            self.fields(body, decl);
        }
        self.own_type = own;
        self.binder.leave();
    }

    /// Makes `decl` what `Self` is; what it was before.
    fn enter_type(&mut self, node: Node<'t>, decl: Option<DeclId>) -> Option<OwnType<'t>> {
        let own = decl.map(|decl| OwnType {
            term: self.binder.decl(decl),
            decl: Some(decl),
            name: node.child_by_field_name("name").map_or("", |name| self.binder.str(name)),
        });
        std::mem::replace(&mut self.own_type, own)
    }

    /// The fields, or the variants, of `of` in `body`.
    fn fields(&mut self, body: Node<'t>, of: Option<DeclId>) {
        let mut count = 0;
        let mut attributes = Vec::new();
        for part in children(body) {
            let decl = part.child_by_field_name("name").and_then(|name| self.binder.declared_at(name));
            match part.kind() {
                "attribute_item" => {
                    attributes.push(part);
                    continue;
                }
                "line_comment" | "block_comment" | "visibility_modifier" => continue,
                "field_declaration" => {
                    decl.into_iter().for_each(|decl| self.binder.own(decl));
                    if let Some(annotation) = part.child_by_field_name("type") {
                        let value = self.promised(annotation);
                        decl.into_iter().for_each(|decl| self.binder.holds(decl, value));
                    }
                    decl.into_iter().for_each(|_| self.binder.disown());
                }
                "enum_variant" => self.variant(part, decl, of),
                _ => {
                    let value = self.promised(part);
                    // A field without a name is no declaration, but has one for who looks into a value: its number.
                    if let (Some(of), Some(name), false) = (of, digits(count), self.binder.is_unknown(value)) {
                        self.binder.export(Some(of), name, value, false);
                    }
                    count += 1;
                }
            }
            attributes.clear();
        }
    }

    fn variant(&mut self, node: Node<'t>, decl: Option<DeclId>, of: Option<DeclId>) {
        decl.into_iter().for_each(|decl| self.binder.own(decl));
        if let (Some(decl), Some(of)) = (decl, of) {
            let of = self.binder.decl(of);
            let value = self.binder.value(of);
            self.binder.holds(decl, value);
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.fields(body, decl);
        }
        if let Some(value) = node.child_by_field_name("value") {
            self.expression(value);
        }
        decl.into_iter().for_each(|_| self.binder.disown());
    }

    fn trait_item(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        self.binder.enter(ScopeKind::Block, None);
        self.generics(node);
        for bound in node.child_by_field_name("bounds").into_iter().flat_map(children) {
            let base = self.denoted_as(bound, Role::Extends);
            decl.into_iter().for_each(|decl| self.binder.base(decl, base));
        }
        let own = self.enter_type(node, decl);
        if let Some(body) = node.child_by_field_name("body") {
            self.items(body);
        }
        self.own_type = own;
        self.binder.leave();
    }

    /// `impl Trait for Type`: the trait is a base of the type when this file declares the type.
    fn implementation(&mut self, node: Node<'t>, attributes: &[Node<'t>]) {
        let Some(of) = node.child_by_field_name("type") else { return };
        let decl = self.declared_type(of);
        decl.into_iter().for_each(|decl| self.binder.own(decl));
        self.attributes(attributes, None);
        self.binder.enter(ScopeKind::Block, None);
        self.generics(node);
        let implemented = node.child_by_field_name("trait").map(|base| self.denoted_as(base, Role::Implements));
        let negative = children_of(node).any(|child| child.kind() == "!");
        if let (Some(decl), Some(implemented), false) = (decl, implemented, negative) {
            self.binder.base(decl, implemented);
        }
        let denoted = self.denoted(of);
        let term = decl.map_or(denoted, |decl| self.binder.decl(decl));
        let name = self.last_name(of);
        let is_path = matches!(of.kind(), "type_identifier" | "scoped_type_identifier" | "generic_type");
        if decl.is_none() && is_path && !negative {
            let body = node.child_by_field_name("body");
            let mut names = body.into_iter().flat_map(children).filter_map(|m| m.child_by_field_name("name"));
            let member = names.find_map(|name| self.binder.declared_at(name));
            if member.is_some() || implemented.is_some() {
                self.binder.extends(denoted, name, member, implemented);
            }
        }
        let own = self.own_type.replace(OwnType { term, decl, name });
        decl.into_iter().for_each(|_| self.binder.disown());
        if let Some(body) = node.child_by_field_name("body") {
            implemented.filter(|_| !negative).into_iter().for_each(|of| self.note_trait(body, of));
            self.items(body);
        }
        self.own_type = own;
        self.binder.leave();
    }

    /// Remembers of each function and constant in the `body` of an impl block which trait it is for: it is what tells those of
    /// one name in several blocks apart.
    fn note_trait(&mut self, body: Node<'t>, of: Raw) {
        let members =
            children(body).into_iter().filter(|member| matches!(member.kind(), "function_item" | "const_item"));
        for name in members.filter_map(|member| member.child_by_field_name("name")) {
            if let Some(decl) = self.binder.declared_at(name) {
                self.binder.base(decl, of);
            }
        }
    }

    fn constant(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        if let Some(annotation) = node.child_by_field_name("type") {
            let value = self.promised(annotation);
            decl.into_iter().for_each(|decl| self.binder.holds(decl, value));
        }
        if let Some(value) = node.child_by_field_name("value") {
            self.expression(value);
        }
    }

    /// A type alias or associated type: what it stands for. One of a trait extends its bounds.
    fn alias(&mut self, node: Node<'t>, decl: Option<DeclId>) {
        self.binder.enter(ScopeKind::Block, None);
        self.generics(node);
        for bound in node.child_by_field_name("bounds").into_iter().flat_map(children) {
            let bound = self.denoted(bound);
            decl.into_iter().for_each(|decl| self.binder.base(decl, bound));
        }
        let stands_for = node.child_by_field_name("type").map(|of| self.denoted(of));
        if let (Some(decl), Some(of)) = (decl, stands_for) {
            self.binder.holds(decl, of);
        }
        self.binder.leave();
    }
}

/// All children of `node`, tokens included.
fn children_of<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    (0..node.child_count()).filter_map(move |at| node.child(at))
}

/// Whether a node of `kind` is an item with a name.
pub(super) fn is_item(kind: &str) -> bool {
    matches!(
        kind,
        "function_item"
            | "function_signature_item"
            | "struct_item"
            | "union_item"
            | "enum_item"
            | "trait_item"
            | "const_item"
            | "static_item"
            | "type_item"
            | "associated_type"
            | "mod_item"
            | "macro_definition"
    )
}

/// Whether a node of `kind` is an item of any kind.
pub(super) fn stands_as_item(kind: &str) -> bool {
    is_item(kind) || matches!(kind, "use_declaration" | "extern_crate_declaration" | "impl_item" | "foreign_mod_item")
}
