//! Statements: what they bind, and in which scope.

use tree_sitter::Node;

use super::{Python, children};
use crate::binding::{Defined, Raw, Role, ScopeId, Walker as _};
use crate::facts::DeclId;

impl<'t> Python<'_, 't> {
    /// Walks all statements of `node`.
    pub(super) fn block(&mut self, node: Node<'t>) {
        let go = |python: &mut Self| children(node).into_iter().for_each(|child| python.statement(child));
        self.deeper(go);
    }

    pub(super) fn statement(&mut self, node: Node<'t>) {
        match node.kind() {
            "expression_statement" => children(node).into_iter().for_each(|child| self.simple(child)),
            "import_statement" => self.import(node),
            "import_from_statement" => self.import_from(node),
            "decorated_definition" => self.decorated(node),
            "function_definition" => self.function(node),
            "class_definition" => self.class(node),
            "global_statement" => self.redirect(node, Defined::File),
            "nonlocal_statement" => self.redirect(node, Defined::Enclosing),
            "if_statement"
            | "elif_clause"
            | "else_clause"
            | "while_statement"
            | "try_statement"
            | "except_clause"
            | "except_group_clause"
            | "finally_clause"
            | "match_statement"
            | "case_clause" => self.branching(node),
            "for_statement" => self.for_statement(node),
            "with_statement" => self.with_statement(node),
            "type_alias_statement" => self.type_alias(node),
            "return_statement" => {
                let stated = node.named_child(0);
                let value = stated.map(|value| self.expression(value));
                self.results.extend(value.filter(|_| stated.is_some_and(|stated| self.is_made_here(stated))));
            }
            "delete_statement" | "comment" => {}
            "block" | "ERROR" => self.block(node),
            _ => {
                self.expression(node);
            }
        }
    }

    /// What stands where an expression statement may: an assignment, or an expression.
    fn simple(&mut self, node: Node<'t>) {
        match node.kind() {
            "assignment" => {
                self.assignment(node);
            }
            "augmented_assignment" => {
                if let Some(left) = node.child_by_field_name("left") {
                    self.expression(left);
                }
                if let Some(right) = node.child_by_field_name("right") {
                    self.expression(right);
                }
            }
            _ => {
                self.expression(node);
            }
        }
    }

    /// `left: annotation = right`, which may be an assignment itself; the value.
    fn assignment(&mut self, node: Node<'t>) -> Raw {
        let left = node.child_by_field_name("left");
        let owner = left.and_then(|left| self.assigned_decl(left));
        owner.into_iter().for_each(|owner| self.binder.own(owner));
        let stated = node.child_by_field_name("type");
        let is_alias = stated.is_some_and(|stated| self.binder.str(stated).ends_with("TypeAlias"));
        let annotation = stated.map(|annotation| self.promised(annotation));
        let value = node.child_by_field_name("right").map(|right| match right.kind() {
            "assignment" => self.assignment(right),
            _ if is_alias || self.is_form(right) => self.denoted(right),
            _ => self.expression(right),
        });
        owner.into_iter().for_each(|_| self.binder.disown());
        let known = annotation.filter(|term| !is_alias && !self.binder.is_unknown(*term)).or(value);
        let value = known.unwrap_or_else(|| self.unknown());
        if let Some(left) = left {
            self.bind_target(left, value);
        }
        if let (Some(left), Some(right)) = (left, node.child_by_field_name("right"))
            && self.binder.str(left) == "__all__"
        {
            self.list_all(right);
        }
        value
    }

    /// The variable or field that `left` alone names: what its annotation and its value refer to is its own.
    fn assigned_decl(&self, left: Node<'t>) -> Option<DeclId> {
        match left.kind() {
            "identifier" => self.binder.declared_at(left).or_else(|| self.binder.defined_decl(self.binder.str(left))),
            _ => None,
        }
    }

    /// `__all__ = [...]` lists what a wildcard import takes; each name in it is a use.
    fn list_all(&mut self, right: Node<'t>) {
        let mut names = self.all.take().unwrap_or_default();
        let owner = self.binder.defined_decl("__all__");
        owner.into_iter().for_each(|owner| self.binder.own(owner));
        for item in children(right) {
            let content = children(item).into_iter().find(|c| c.kind() == "string_content");
            let Some(content) = content else { continue };
            let name = self.binder.str(content);
            let listed = self.binder.name_in(name, ScopeId::FILE);
            self.binder.refer(listed, Role::Export, content);
            names.push(name);
        }
        owner.into_iter().for_each(|_| self.binder.disown());
        self.all = Some(names);
    }

    /// Binds the names of an assignment's left side to `value`.
    pub(super) fn bind_target(&mut self, target: Node<'t>, value: Raw) {
        match target.kind() {
            "identifier" => self.assign(target, value),
            "attribute" => self.assign_attribute(target, value),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" | "expression_list" => {
                for (at, inner) in children(target).into_iter().enumerate() {
                    match inner.named_child(0).filter(|_| inner.kind() == "list_splat_pattern") {
                        Some(rest) => {
                            let element = self.element(value);
                            let many = self.binder.made_of(vec![element]);
                            self.bind_target(rest, many);
                        }
                        None => {
                            let part = self.part(value, at);
                            self.bind_target(inner, part);
                        }
                    }
                }
            }
            _ => {
                self.expression(target);
            }
        }
    }

    /// `name = value`.
    pub(super) fn assign(&mut self, name: Node<'t>, value: Raw) {
        let text = self.binder.str(name);
        let declared = self.binder.declared_at(name).or_else(|| self.binder.defined_decl(text));
        match declared {
            Some(decl) => {
                self.binder.define(text, Defined::Decl(decl), name.start_byte());
                self.binder.holds(decl, value);
                if self.binder.declared_at(name).is_none() {
                    let term = self.binder.decl(decl);
                    self.binder.refer(term, Role::Write, name);
                }
            }
            None => {
                let redirected = self.binder.is_redirected(text);
                if redirected {
                    let term = self.binder.name(text, name.start_byte());
                    self.binder.refer(term, Role::Write, name);
                } else {
                    let what = if self.binder.is_unknown(value) { Defined::Opaque } else { Defined::Value(value) };
                    self.binder.define(text, what, name.start_byte());
                }
            }
        }
    }

    /// `object.name = value`: a field of the class when the object is the method's own.
    fn assign_attribute(&mut self, target: Node<'t>, value: Raw) {
        let (Some(object), Some(name)) =
            (target.child_by_field_name("object"), target.child_by_field_name("attribute"))
        else {
            return;
        };
        let own = self.method.filter(|m| object.kind() == "identifier" && self.binder.str(object) == m.receiver);
        let text = self.binder.str(name);
        let field = own.and_then(|method| self.binder.declared_in(Some(method.class), text));
        match field {
            Some(field) => {
                self.binder.holds(field, value);
                if self.binder.declared_at(name).is_none() {
                    let term = self.binder.decl(field);
                    self.binder.refer(term, Role::Write, name);
                }
            }
            None => {
                self.attribute(target, Role::Write);
            }
        }
    }

    fn redirect(&mut self, node: Node<'t>, what: Defined) {
        for name in children(node) {
            self.binder.define(self.binder.str(name), what, name.start_byte());
        }
    }

    /// A statement whose parts may not run: each block is a branch.
    fn branching(&mut self, node: Node<'t>) {
        for child in children(node) {
            match child.kind() {
                "block"
                | "else_clause"
                | "elif_clause"
                | "except_clause"
                | "except_group_clause"
                | "finally_clause"
                | "case_clause" => {
                    let before = self.binder.branch();
                    self.statement(child);
                    self.binder.end_branch(before);
                }
                "as_pattern" if node.kind().starts_with("except") => self.caught(child),
                "case_pattern" => self.pattern(child),
                "comment" => {}
                _ => {
                    self.expression(child);
                }
            }
        }
    }

    /// `except types as name`.
    fn caught(&mut self, node: Node<'t>) {
        let Some(types) = node.named_child(0) else { return };
        let value = match types.kind() {
            "tuple" => {
                let parts: Vec<Raw> = children(types).into_iter().map(|part| self.caught_type(part)).collect();
                self.known(parts)
            }
            _ => self.caught_type(types),
        };
        if let Some(alias) = node.child_by_field_name("alias").and_then(|alias| alias.named_child(0)) {
            self.bind_target(alias, value);
        }
    }

    fn caught_type(&mut self, node: Node<'t>) -> Raw {
        let term = self.expression(node);
        self.binder.value(term)
    }

    /// The names that a pattern captures; the classes that it names.
    fn pattern(&mut self, node: Node<'t>) {
        let go = |python: &mut Self| match node.kind() {
            "identifier" => python.binder.define(python.binder.str(node), Defined::Opaque, node.start_byte()),
            "dotted_name" => {
                let parts = children(node);
                if let [name] = parts.as_slice() {
                    python.binder.define(python.binder.str(*name), Defined::Opaque, name.start_byte());
                } else {
                    python.dotted(&parts);
                }
            }
            "class_pattern" => {
                for (at, child) in children(node).into_iter().enumerate() {
                    match at {
                        0 => {
                            python.dotted(&children(child));
                        }
                        _ => python.pattern(child),
                    }
                }
            }
            "keyword_pattern" => children(node).into_iter().skip(1).for_each(|child| python.pattern(child)),
            _ => children(node).into_iter().for_each(|child| python.pattern(child)),
        };
        self.deeper(go);
    }

    fn dotted(&mut self, names: &[Node<'t>]) -> Raw {
        let mut term = None;
        for name in names {
            let text = self.binder.str(*name);
            let here = match term {
                None => self.binder.name(text, name.start_byte()),
                Some(of) => self.binder.member(of, text),
            };
            self.binder.refer(here, Role::Type, *name);
            term = Some(here);
        }
        term.unwrap_or_else(|| self.unknown())
    }

    fn for_statement(&mut self, node: Node<'t>) {
        let source = match node.child_by_field_name("right") {
            Some(right) => self.expression(right),
            None => self.unknown(),
        };
        let element = self.element(source);
        if let Some(left) = node.child_by_field_name("left") {
            self.bind_target(left, element);
        }
        for part in ["body", "alternative"] {
            if let Some(part) = node.child_by_field_name(part) {
                let before = self.binder.branch();
                self.statement(part);
                self.binder.end_branch(before);
            }
        }
    }

    fn with_statement(&mut self, node: Node<'t>) {
        for child in children(node) {
            match child.kind() {
                "with_clause" => children(child).into_iter().for_each(|item| self.with_item(item)),
                _ => self.statement(child),
            }
        }
    }

    /// `with value as name`: what entering the manager yields; of a generator that is made one, what it yields.
    fn with_item(&mut self, node: Node<'t>) {
        let Some(value) = node.child_by_field_name("value") else { return };
        if value.kind() != "as_pattern" {
            self.expression(value);
            return;
        }
        let manager = match value.named_child(0) {
            Some(manager) => self.expression(manager),
            None => self.unknown(),
        };
        if let Some(alias) = value.child_by_field_name("alias").and_then(|alias| alias.named_child(0)) {
            let entered = self.entered(manager);
            self.bind_target(alias, entered);
        }
    }

    fn type_alias(&mut self, node: Node<'t>) {
        let right = node.child_by_field_name("right").map(|right| self.denoted(right));
        let left = node.child_by_field_name("left").and_then(|left| left.named_child(0));
        let Some(left) = left else { return };
        let name = if left.kind() == "identifier" { Some(left) } else { left.named_child(0) };
        if let (Some(name), Some(right)) = (name, right) {
            self.assign(name, right);
        }
    }
}
