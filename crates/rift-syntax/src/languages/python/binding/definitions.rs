//! Definitions: classes and functions with their decorators, what a call yields, and what a method's receiver is.

use rift_base::Facet;
use tree_sitter::Node;

use super::{Method, Python, children};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};
use crate::facts::DeclId;

/// Most `return`s of one callable without a return type that are taken for what a call yields.
const RESULTS_MAX: usize = 4;

impl<'t> Python<'_, 't> {
    pub(super) fn decorated(&mut self, node: Node<'t>) {
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

    pub(super) fn class(&mut self, node: Node<'t>) {
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

    pub(super) fn function(&mut self, node: Node<'t>) {
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
        let around = (std::mem::take(&mut self.results), std::mem::take(&mut self.yields));
        if let Some(body) = node.child_by_field_name("body") {
            self.block(body);
        }
        let (results, yields) =
            (std::mem::replace(&mut self.results, around.0), std::mem::replace(&mut self.yields, around.1));
        self.binder.end_branch(before);
        self.binder.leave();
        if let Some(decl) = decl.filter(|_| node.child_by_field_name("return_type").is_none()) {
            let yielded = self.inferred(results, yields);
            self.binder.holds(decl, yielded);
        }
        self.method = outer;
        decl.into_iter().for_each(|_| self.binder.disown());
    }

    /// Whether a returned value is the receiver, or made on the spot by what is spelled like a class. Other values are not
    /// followed: what a call yields would change with every edit of a body, and with it the bindings of all who call it.
    pub(super) fn is_made_here(&self, value: Node<'t>) -> bool {
        match value.kind() {
            "identifier" => self.method.is_some_and(|method| method.receiver == self.binder.str(value)),
            "call" => value.child_by_field_name("function").is_some_and(|function| {
                let name = self.binder.str(function).rsplit('.').next().unwrap_or("");
                let is_receiver = self.method.is_some_and(|method| method.of_class && method.receiver == name);
                is_receiver || name.trim_start_matches('_').starts_with(char::is_uppercase)
            }),
            _ => false,
        }
    }

    /// What the `return`s of a callable without a return type say together, when there are few; of a generator, something
    /// that hands out what it yields.
    fn inferred(&mut self, results: Vec<Raw>, yields: Vec<Raw>) -> Raw {
        let is_generator = !yields.is_empty();
        let mut found = if is_generator { yields } else { results };
        found.retain(|term| !self.binder.is_unknown(*term));
        found.sort_unstable();
        found.dedup();
        let found = if found.len() > RESULTS_MAX { self.unknown() } else { self.binder.either(found) };
        if is_generator { self.binder.made_of(vec![found]) } else { found }
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
        let says = |word: &str| declaration.modifiers.iter().any(|modifier| **modifier == *word);
        if !outline.get(class)?.facets.has(Facet::Type) || says("staticmethod") {
            return None;
        }
        let receiver = declaration.callable.as_ref()?.receiver.as_ref()?.name.as_deref()?;
        let of_class = says("classmethod") || matches!(&*declaration.path.name(), "__new__" | "__init_subclass__");
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
