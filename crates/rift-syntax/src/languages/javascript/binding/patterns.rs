//! Patterns: the names that they bind, and to what; assignments.

use tree_sitter::Node;

use super::{Export, HOISTED, JavaScript, children};
use crate::binding::{Defined, Raw, Role, ScopeId, Walker as _};
use crate::facts::DeclId;

/// What a pattern does with the names in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bind {
    /// Declares them in the function around (`var`).
    Var,
    /// Declares them in the current scope: `let`, `const`, parameters.
    Block,
    /// As the last, with the export that the statement gives.
    Exported(Export),
    /// They stand for members of a module (`const { a } = require("m")`).
    Alias,
    /// Assigns to what they mean already.
    Assign,
}

impl<'t> JavaScript<'_, 't> {
    /// Binds the names of `pattern` to the parts of `value`.
    pub(super) fn bind(&mut self, pattern: Node<'t>, value: Raw, bind: Bind) {
        self.deeper(|javascript| javascript.bind_here(pattern, value, bind));
    }

    fn bind_here(&mut self, pattern: Node<'t>, value: Raw, bind: Bind) {
        match pattern.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => self.bind_name(pattern, value, bind),
            "object_pattern" => children(pattern).into_iter().for_each(|part| self.property(part, value, bind)),
            "array_pattern" => self.elements(pattern, value, bind),
            "assignment_pattern" | "object_assignment_pattern" => {
                let default = pattern.child_by_field_name("right").map(|right| self.expression(right));
                let value = self.known([Some(value), default].into_iter().flatten().collect());
                if let Some(left) = pattern.child_by_field_name("left") {
                    self.bind(left, value, bind);
                }
            }
            // What is left of an object or a list has its members and elements still.
            "rest_pattern" | "parenthesized_expression" | "non_null_expression" => {
                if let Some(inner) = pattern.named_child(0) {
                    self.bind(inner, value, bind);
                }
            }
            "member_expression" => self.assign_member(pattern, value),
            "undefined" => {}
            _ => {
                self.expression(pattern);
            }
        }
    }

    /// One part of an object pattern: each key is a use of the member of that name.
    fn property(&mut self, part: Node<'t>, value: Raw, bind: Bind) {
        match part.kind() {
            "shorthand_property_identifier_pattern" => {
                let member = self.keyed(part, value, bind);
                self.bind(part, member, bind);
            }
            "object_assignment_pattern" => {
                let Some(left) = part.child_by_field_name("left") else { return };
                let member = self.keyed(left, value, bind);
                self.bind(part, member, bind);
            }
            "pair_pattern" => {
                let (Some(key), Some(inner)) = (part.child_by_field_name("key"), part.child_by_field_name("value"))
                else {
                    return;
                };
                let member = self.keyed(key, value, bind);
                self.bind(inner, member, bind);
            }
            _ => self.bind(part, value, bind),
        }
    }

    /// The member of `value` that `key` names.
    fn keyed(&mut self, key: Node<'t>, value: Raw, bind: Bind) -> Raw {
        let Some(name) = self.key(key) else {
            self.expression(key);
            return self.unknown();
        };
        if !self.is_known(value) {
            return value;
        }
        let member = self.binder.member(value, name);
        let role = if bind == Bind::Alias { Role::Import } else { Role::Read };
        self.binder.refer(member, role, key);
        member
    }

    /// `[a, , b]`: elements of a tuple have types of their own, those of a list the same.
    fn elements(&mut self, pattern: Node<'t>, value: Raw, bind: Bind) {
        for (at, part) in positions(pattern) {
            let element = match part.kind() {
                "rest_pattern" => value,
                _ => self.binder.inner(value, at),
            };
            self.bind(part, element, bind);
        }
    }

    /// `for (const [key, value] of source)`: entries of a map, or elements that are tuples.
    pub(super) fn entries(&mut self, pattern: Node<'t>, source: Raw, bind: Bind) {
        let element = self.binder.inner(source, -1);
        for (at, part) in positions(pattern) {
            let of_map = self.binder.inner(source, at);
            let of_tuple = self.binder.inner(element, at);
            let value = self.known(vec![of_map, of_tuple]);
            self.bind(part, value, bind);
        }
    }

    fn bind_name(&mut self, name: Node<'t>, value: Raw, bind: Bind) {
        let text = self.binder.str(name);
        match bind {
            Bind::Assign => self.assign(name, value),
            Bind::Alias => match self.binder.declared_at(name) {
                Some(decl) => self.bind_declared(name, decl, value, Export::No),
                None => self.binder.define(text, Defined::Alias(value), HOISTED),
            },
            Bind::Var | Bind::Block | Bind::Exported(_) => {
                let export = if let Bind::Exported(export) = bind { export } else { Export::No };
                let scope = self.scope_for(bind);
                let outer = self.binder.switch(scope);
                match self.binder.declared_at(name) {
                    Some(decl) => self.bind_declared(name, decl, value, export),
                    None => {
                        let known = self.is_known(value);
                        let what = if known { Defined::Value(value) } else { Defined::Opaque };
                        self.binder.define(text, what, name.start_byte());
                    }
                }
                self.binder.switch(outer);
            }
        }
    }

    /// The scope in which `bind` declares.
    pub(super) fn scope_for(&self, bind: Bind) -> ScopeId {
        if bind == Bind::Var { self.variables } else { self.binder.scope() }
    }

    fn bind_declared(&mut self, name: Node<'t>, decl: DeclId, value: Raw, export: Export) {
        self.introduce(name, export);
        self.binder.holds(decl, value);
    }

    /// `name = value`.
    fn assign(&mut self, name: Node<'t>, value: Raw) {
        let text = self.binder.str(name);
        let term = self.binder.name(text, name.start_byte());
        self.binder.refer(term, Role::Write, name);
        let bound = self.binder.binding_of(text);
        let decl = match bound {
            Some((_, decl)) => decl,
            // A variable of the module that stands further down.
            None => self.binder.declared_in(None, text),
        };
        match (decl, bound) {
            (Some(decl), _) if self.takes_values(decl) => self.binder.holds(decl, value),
            (None, Some((scope, _))) if self.is_known(value) && !self.annotated.contains(&(scope, text)) => {
                self.binder.define_in(scope, text, Defined::Value(value), name.start_byte());
            }
            _ => {}
        }
    }

    /// Whether what is assigned to `decl` tells its type: a variable or field without an annotation.
    pub(super) fn takes_values(&self, decl: DeclId) -> bool {
        let declaration = self.binder.facts.outline.get(decl);
        declaration.is_some_and(|d| matches!(d.kind, "variable" | "constant" | "property") && d.value_type.is_none())
    }

    /// `object.name = value`.
    pub(super) fn assign_member(&mut self, target: Node<'t>, value: Raw) {
        let (Some(object), Some(name)) = (target.child_by_field_name("object"), target.child_by_field_name("property"))
        else {
            return;
        };
        let text = self.binder.str(name);
        if object.kind() == "this"
            && self.this.is_some()
            && let Some(class) = self.class
            && let Some(field) = self.binder.declared_in(Some(class), text)
        {
            if self.takes_values(field) {
                self.binder.holds(field, value);
            }
            if self.binder.declared_at(name).is_some() {
                return;
            }
        }
        self.reference(target, Role::Write);
    }
}

/// The parts of an array pattern with their positions.
fn positions(pattern: Node<'_>) -> Vec<(i8, Node<'_>)> {
    let mut cursor = pattern.walk();
    let mut at = 0i8;
    let mut out = Vec::new();
    for part in pattern.children(&mut cursor) {
        match part.kind() {
            "," => at = at.saturating_add(1),
            "comment" => {}
            _ if part.is_named() => out.push((at, part)),
            _ => {}
        }
    }
    out
}
