//! Types as they are written. What has no name of its own is told by its parts, the index first: a slice or array is made of
//! an index that is no symbol and its elements, a map of keys and values, a channel of its elements, a function of what it
//! yields.

use rift_base::Facet;
use tree_sitter::Node;

use super::{Go, all, children};
use crate::binding::{PARAMETERS, Raw, Role, Walker as _};
use crate::facts::DeclId;

impl<'t> Go<'_, 't> {
    /// A value of the type that `node` spells.
    pub(super) fn promised(&mut self, node: Node<'t>) -> Raw {
        let denoted = self.denoted(node, None);
        self.binder.value(denoted)
    }

    /// The type that `node` spells. `holder` is the declaration that the fields of an unnamed struct belong to.
    pub(super) fn denoted(&mut self, node: Node<'t>, holder: Option<DeclId>) -> Raw {
        self.named(node, holder, Role::Type)
    }

    /// [`Go::denoted`]; its name is used as `role` says.
    pub(super) fn named(&mut self, node: Node<'t>, holder: Option<DeclId>, role: Role) -> Raw {
        self.deeper(|go| go.named_here(node, holder, role)).unwrap_or_else(|| self.unknown())
    }

    fn named_here(&mut self, node: Node<'t>, holder: Option<DeclId>, role: Role) -> Raw {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "type_identifier" | "identifier" => {
                let term = self.binder.name(self.binder.str(node), node.start_byte());
                self.binder.refer(term, role, node);
                term
            }
            "qualified_type" => {
                let (Some(package), Some(name)) = (field("package"), field("name")) else { return self.unknown() };
                let of = self.binder.name(self.binder.str(package), package.start_byte());
                let member = self.binder.member(of, self.binder.str(name));
                self.binder.refer(member, role, name);
                member
            }
            "generic_type" => {
                let Some(of) = field("type") else { return self.unknown() };
                let of = self.named(of, None, role);
                let given = field("type_arguments").map(|given| self.type_arguments(given)).unwrap_or_default();
                self.binder.applied(of, given)
            }
            "pointer_type" | "parenthesized_type" => match node.named_child(0) {
                Some(inner) => self.named(inner, holder, role),
                None => self.unknown(),
            },
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                if let Some(length) = field("length") {
                    self.expression(length);
                }
                let index = self.unknown();
                let element = self.element(field("element"), holder);
                self.binder.made_of(vec![index, element])
            }
            "map_type" => {
                let key = self.element(field("key"), None);
                let value = self.element(field("value"), holder);
                self.binder.made_of(vec![key, value])
            }
            "channel_type" => {
                let element = self.element(field("value"), holder);
                self.binder.made_of(vec![element])
            }
            "function_type" => self.function_type(node),
            "struct_type" => {
                self.fields(node, holder);
                match holder {
                    Some(holder) => self.binder.this(holder),
                    None => self.unknown(),
                }
            }
            "interface_type" => {
                self.interface(node, holder);
                self.unknown()
            }
            "type_elem" | "type_constraint" => {
                let parts = children(node);
                let terms: Vec<Raw> = parts.iter().map(|part| self.named(*part, None, role)).collect();
                // A union says nothing about methods.
                if let [one] = terms.as_slice() { *one } else { self.unknown() }
            }
            _ => {
                children(node).into_iter().for_each(|part| {
                    self.denoted(part, None);
                });
                self.unknown()
            }
        }
    }

    fn element(&mut self, node: Option<Node<'t>>, holder: Option<DeclId>) -> Raw {
        match node {
            Some(node) => self.denoted(node, holder),
            None => self.unknown(),
        }
    }

    pub(super) fn type_arguments(&mut self, node: Node<'t>) -> Vec<Raw> {
        children(node).into_iter().map(|given| self.denoted(given, None)).collect()
    }

    /// A function's type is made of what it takes and, last, of what a call yields.
    fn function_type(&mut self, node: Node<'t>) -> Raw {
        let yielded = self.signature(node, false);
        let mut parts = std::mem::take(&mut self.taken);
        let nothing = self.unknown();
        parts.resize(PARAMETERS.len(), nothing);
        parts.push(yielded);
        self.binder.made_of(parts)
    }

    /// Walks parameters and results, which are bound in the current scope when `binds`; the type of what
    /// a call yields, which is made of several results. The types of the parameters are left in `taken`.
    pub(super) fn signature(&mut self, node: Node<'t>, binds: bool) -> Raw {
        let taken = match node.child_by_field_name("parameters") {
            Some(parameters) => self.parameters(parameters, binds),
            None => Vec::new(),
        };
        let results = match node.child_by_field_name("result") {
            Some(result) if result.kind() == "parameter_list" => self.parameters(result, binds),
            Some(result) => vec![self.denoted(result, None)],
            None => Vec::new(),
        };
        self.taken = taken;
        match results.as_slice() {
            [one] => *one,
            _ => self.binder.made_of(results),
        }
    }

    /// The types of the parameters of a list, one for each name.
    pub(super) fn parameters(&mut self, list: Node<'t>, binds: bool) -> Vec<Raw> {
        let mut out = Vec::new();
        for parameter in children(list) {
            let Some(stated) = parameter.child_by_field_name("type") else { continue };
            let mut denoted = self.denoted(stated, None);
            if parameter.kind() == "variadic_parameter_declaration" {
                let index = self.unknown();
                denoted = self.binder.made_of(vec![index, denoted]);
            }
            let names = all(parameter, "name");
            out.extend(std::iter::repeat_n(denoted, names.len().max(1)));
            if binds {
                let value = self.binder.value(denoted);
                // The scope of a parameter is the body: its type may have its name.
                names.into_iter().for_each(|name| self.define_value(name, value, list.end_byte()));
            }
        }
        out
    }

    /// The fields of a struct: those of an embedded type are promoted.
    fn fields(&mut self, node: Node<'t>, holder: Option<DeclId>) {
        let list = children(node).into_iter().find(|child| child.kind() == "field_declaration_list");
        for line in list.into_iter().flat_map(children).filter(|line| line.kind() == "field_declaration") {
            let Some(stated) = line.child_by_field_name("type") else { continue };
            let names = all(line, "name");
            let decls: Vec<DeclId> = match names.is_empty() {
                true => type_name(stated).and_then(|name| self.binder.declared_at(name)).into_iter().collect(),
                false => names.iter().filter_map(|name| self.binder.declared_at(*name)).collect(),
            };
            let only = decls.first().copied().filter(|_| decls.len() == 1);
            only.into_iter().for_each(|only| self.binder.own(only));
            let role = if names.is_empty() { Role::Extends } else { Role::Type };
            let denoted = self.named(stated, only, role);
            only.into_iter().for_each(|_| self.binder.disown());
            let value = self.binder.value(denoted);
            decls.into_iter().for_each(|decl| self.binder.holds(decl, value));
            if let Some(holder) = holder.filter(|_| names.is_empty()) {
                self.binder.base(holder, denoted);
            }
        }
    }

    /// The methods of an interface, and the interfaces that it embeds.
    fn interface(&mut self, node: Node<'t>, holder: Option<DeclId>) {
        for part in children(node) {
            if part.kind() == "method_elem" {
                let decl = part.child_by_field_name("name").and_then(|name| self.binder.declared_at(name));
                decl.into_iter().for_each(|decl| self.binder.own(decl));
                let yielded = self.signature(part, false);
                self.yields(decl, yielded);
                decl.into_iter().for_each(|_| self.binder.disown());
                continue;
            }
            let is_one = children(part).len() == 1;
            let role = if is_one { Role::Extends } else { Role::Type };
            let denoted = self.named(part, None, role);
            holder.into_iter().for_each(|holder| self.binder.base(holder, denoted));
        }
    }

    /// A call of `decl` yields a value of the type `yielded`.
    pub(super) fn yields(&mut self, decl: Option<DeclId>, yielded: Raw) {
        let value = self.binder.value(yielded);
        decl.into_iter().for_each(|decl| self.binder.holds(decl, value));
    }

    /// Binds type parameters in the current scope: those of the type `of` stand for what its values are applied to; else, and
    /// those of a function, for their constraint.
    pub(super) fn type_parameters(&mut self, node: Node<'t>, of: Option<DeclId>) {
        let Some(list) = node.child_by_field_name("type_parameters") else { return };
        let mut at = 0i8;
        for parameter in children(list) {
            let mut stands = match parameter.child_by_field_name("type") {
                Some(constraint) => self.denoted(constraint, None),
                None => self.unknown(),
            };
            if let Some(constraint) = parameter.child_by_field_name("type")
                && matches!(self.binder.str(constraint), "any" | "comparable" | "interface{}")
            {
                stands = self.unknown();
            }
            for name in all(parameter, "name") {
                let stands = match of {
                    Some(of) => {
                        let this = self.binder.this(of);
                        let given = self.binder.inner(this, at);
                        self.binder.first(vec![given, stands])
                    }
                    None => stands,
                };
                self.define_value(name, stands, list.start_byte());
                at = at.saturating_add(1);
            }
        }
    }

    /// The type whose declaration `node` is.
    pub(super) fn type_declaration(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let decl = self.binder.declared_at(name);
        if let Some(decl) = decl {
            self.declare(name, decl);
            self.binder.own(decl);
        }
        let top = std::mem::replace(&mut self.top, false);
        self.binder.enter(crate::binding::ScopeKind::Block, None);
        self.type_parameters(node, decl);
        if let Some(stated) = node.child_by_field_name("type") {
            let denoted = self.named(stated, decl, Role::Type);
            let has_members = matches!(stated.kind(), "struct_type" | "interface_type");
            if let Some(decl) = decl.filter(|_| !has_members) {
                let is_alias = self.binder.facts.outline.get(decl).is_some_and(|d| d.facets.has(Facet::Alias));
                match stated.kind() {
                    // Fields are those of the type that it is made from.
                    "type_identifier" | "qualified_type" | "generic_type" if !is_alias => {
                        self.binder.base(decl, denoted);
                    }
                    _ => self.binder.holds(decl, denoted),
                }
            }
        }
        self.binder.leave();
        self.top = top;
        decl.into_iter().for_each(|_| self.binder.disown());
    }
}

/// The name that an embedded field has: that of its type, without package and type arguments.
fn type_name(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        node = match node.kind() {
            "type_identifier" => return Some(node),
            "qualified_type" => node.child_by_field_name("name")?,
            "generic_type" => node.child_by_field_name("type")?,
            "pointer_type" | "parenthesized_type" => node.named_child(0)?,
            _ => return None,
        };
    }
}
