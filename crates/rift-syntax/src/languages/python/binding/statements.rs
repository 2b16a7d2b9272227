//! Statements: what they bind, and in which scope.

use rift_base::Facet;
use tree_sitter::Node;

use super::{Method, Python, children};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};
use crate::facts::DeclId;

impl<'t> Python<'_, 't> {
    /// Walks all statements of `node`.
    pub(super) fn block(&mut self, node: Node<'t>) {
        let go = |python: &mut Self| children(node).into_iter().for_each(|child| python.statement(child));
        self.deeper(go);
    }

    fn statement(&mut self, node: Node<'t>) {
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
        let annotation = node.child_by_field_name("type").map(|annotation| self.promised(annotation));
        let value = node.child_by_field_name("right").map(|right| match right.kind() {
            "assignment" => self.assignment(right),
            _ => self.expression(right),
        });
        owner.into_iter().for_each(|_| self.binder.disown());
        if let (Some(left), Some(right)) = (left, node.child_by_field_name("right"))
            && self.binder.str(left) == "__all__"
        {
            self.list_all(right);
        }
        let known = annotation.filter(|term| !self.binder.is_unknown(*term)).or(value);
        let value = known.unwrap_or_else(|| self.unknown());
        if let Some(left) = left {
            self.bind_target(left, value);
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

    /// `__all__ = [...]` lists what a wildcard import takes.
    fn list_all(&mut self, right: Node<'t>) {
        let mut names = self.all.take().unwrap_or_default();
        for item in children(right) {
            let content = children(item).into_iter().find(|c| c.kind() == "string_content");
            names.extend(content.map(|content| self.binder.str(content)));
        }
        self.all = Some(names);
    }

    /// Binds the names of an assignment's left side to `value`.
    pub(super) fn bind_target(&mut self, target: Node<'t>, value: Raw) {
        match target.kind() {
            "identifier" => self.assign(target, value),
            "attribute" => self.assign_attribute(target, value),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" | "tuple" | "list"
            | "expression_list" => {
                let nothing = self.unknown();
                children(target).into_iter().for_each(|inner| self.bind_target(inner, nothing));
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
        let element = self.binder.inner(source, -1);
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

    /// `with value as name`. A project's context manager returns itself more often than not, but nothing says so.
    fn with_item(&mut self, node: Node<'t>) {
        let Some(value) = node.child_by_field_name("value") else { return };
        if value.kind() != "as_pattern" {
            self.expression(value);
            return;
        }
        if let Some(manager) = value.named_child(0) {
            self.expression(manager);
        }
        if let Some(alias) = value.child_by_field_name("alias").and_then(|alias| alias.named_child(0)) {
            let nothing = self.unknown();
            self.bind_target(alias, nothing);
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

    fn decorated(&mut self, node: Node<'t>) {
        for child in children(node) {
            if child.kind() == "decorator" {
                let owner = node.child_by_field_name("definition").and_then(|d| d.child_by_field_name("name"));
                let owner = owner.and_then(|name| self.binder.declared_at(name));
                self.decorator(child, owner);
            } else {
                self.statement(child);
            }
        }
    }

    /// A decorator belongs to what it decorates.
    fn decorator(&mut self, node: Node<'t>, owner: Option<DeclId>) {
        owner.into_iter().for_each(|owner| self.binder.own(owner));
        for child in children(node) {
            self.expression(child);
            if matches!(child.kind(), "identifier" | "attribute") {
                self.binder.last_reference_is(Role::Decorate, None);
            }
        }
        owner.into_iter().for_each(|_| self.binder.disown());
    }

    fn class(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let decl = self.binder.declared_at(name);
        if let Some(decl) = decl {
            self.binder.define(self.binder.str(name), Defined::Decl(decl), name.start_byte());
            self.binder.own(decl);
        }
        for base in node.child_by_field_name("superclasses").into_iter().flat_map(children) {
            let is_base = !matches!(base.kind(), "keyword_argument" | "comment");
            let term = if is_base { self.denoted(base) } else { self.expression(base) };
            if matches!(base.kind(), "identifier" | "attribute") {
                self.binder.last_reference_is(Role::Extends, None);
            }
            if let Some(decl) = decl.filter(|_| is_base) {
                self.binder.base(decl, term);
            }
        }
        self.binder.enter(ScopeKind::Type, decl);
        let outer = self.method.take();
        if let Some(body) = node.child_by_field_name("body") {
            self.block(body);
        }
        self.method = outer;
        self.binder.leave();
        decl.into_iter().for_each(|_| self.binder.disown());
    }

    fn function(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let decl = self.binder.declared_at(name);
        if let Some(decl) = decl {
            self.binder.define(self.binder.str(name), Defined::Decl(decl), name.start_byte());
            self.binder.own(decl);
        }
        let method = decl.and_then(|decl| self.method_of(decl));
        let outer = self.method;
        if method.is_some() {
            self.method = method;
        }
        let parameters: Vec<Node<'t>> = node.child_by_field_name("parameters").into_iter().flat_map(children).collect();
        let values: Vec<Raw> = parameters.iter().map(|parameter| self.parameter_value(*parameter)).collect();
        if let Some(returned) = node.child_by_field_name("return_type") {
            let value = self.promised(returned);
            decl.into_iter().for_each(|decl| self.binder.holds(decl, value));
        }
        self.binder.enter(ScopeKind::Callable, None);
        for (at, (parameter, value)) in parameters.into_iter().zip(values).enumerate() {
            let value = match method {
                Some(method) if at == 0 && self.binder.is_unknown(value) => match method.of_class {
                    true => self.binder.decl(method.class),
                    false => self.binder.this(method.class),
                },
                _ => value,
            };
            if let Some(name) = parameter_name(parameter) {
                let what = if self.binder.is_unknown(value) { Defined::Opaque } else { Defined::Value(value) };
                self.binder.define(self.binder.str(name), what, name.start_byte());
            }
        }
        let before = self.binder.branch();
        if let Some(body) = node.child_by_field_name("body") {
            self.block(body);
        }
        self.binder.end_branch(before);
        self.binder.leave();
        self.method = outer;
        decl.into_iter().for_each(|_| self.binder.disown());
    }

    /// What the annotation of `parameter` promises; walks its default, too.
    fn parameter_value(&mut self, parameter: Node<'t>) -> Raw {
        if let Some(value) = parameter.child_by_field_name("value") {
            self.expression(value);
        }
        let annotation = parameter.child_by_field_name("type").map(|annotation| self.promised(annotation));
        match annotation {
            // `*args: T` and `**kwargs: T` hold many.
            Some(annotation) if parameter.named_child(0).is_some_and(|n| !n.kind().contains("splat")) => annotation,
            _ => self.unknown(),
        }
    }

    /// The class that `decl` is a method of, with its receiver.
    fn method_of(&mut self, decl: DeclId) -> Option<Method<'t>> {
        let outline = &self.binder.facts.outline;
        let declaration = outline.get(decl)?;
        let class = declaration.container?;
        if !outline.get(class)?.facets.has(Facet::Type) || declaration.facets.has(Facet::Static) {
            return None;
        }
        let receiver = declaration.callable.as_ref()?.receiver.as_ref()?.name.as_deref()?;
        let of_class = receiver == "cls" || matches!(&*declaration.path.name(), "__new__" | "__init_subclass__");
        Some(Method { class, receiver, of_class })
    }
}

/// The name that `parameter` binds.
fn parameter_name(parameter: Node<'_>) -> Option<Node<'_>> {
    let mut node = parameter.child_by_field_name("name").unwrap_or(parameter);
    while node.kind() != "identifier" {
        node = node.named_child(0)?;
    }
    Some(node)
}
