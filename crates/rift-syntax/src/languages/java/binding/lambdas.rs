//! Lambdas and method references: what their parameters are by the method that they are given to, and what that makes of
//! their results (Java language specification, 15.27 and 15.13; `java.util.stream`, `java.util.Optional`, `java.util.Map`).

use rift_base::Facet;
use tree_sitter::Node;

use super::{Java, children};
use crate::binding::{Defined, PARAMETERS, Raw, Role, ScopeKind, Walker as _};
use crate::facts::DeclId;

/// Methods of the library that give a lambda the elements of what they are called on.
const OVER_ELEMENTS: &[&str] = &[
    "allMatch",
    "anyMatch",
    "dropWhile",
    "filter",
    "flatMap",
    "flatMapToInt",
    "forEach",
    "forEachOrdered",
    "ifPresent",
    "ifPresentOrElse",
    "map",
    "mapMulti",
    "mapToDouble",
    "mapToInt",
    "mapToLong",
    "mapToObj",
    "max",
    "min",
    "noneMatch",
    "peek",
    "reduce",
    "removeIf",
    "replaceAll",
    "sort",
    "sorted",
    "takeWhile",
    "thenAccept",
    "thenApply",
    "thenCompose",
    "whenComplete",
];

/// Methods of the library's maps that give a lambda a key and a value, or a key alone.
const OVER_ENTRIES: &[&str] = &["compute", "computeIfAbsent", "computeIfPresent", "forEach", "merge", "replaceAll"];

/// Methods that make a container of what a function yields.
const MAPPING: &[&str] = &["map", "mapToObj", "thenApply"];

/// Collectors that keep the elements as they are.
const KEEPING: &[&str] = &["toList(", "toSet(", "toUnmodifiableList(", "toUnmodifiableSet("];

/// A call whose arguments are walked.
pub(super) struct Call<'t> {
    /// The method, or the type that is constructed.
    pub(super) callee: Raw,
    /// What the method is called on.
    pub(super) receiver: Option<Raw>,
    /// The method's name.
    pub(super) name: &'t str,
}

impl<'t> Java<'_, 't> {
    /// The values of a lambda's parameters, when it is argument number `at` of `call`: what the method of the parameter's
    /// interface takes, else what the library's method of that name hands out.
    pub(super) fn lambda_values(&mut self, call: &Call<'t>, at: usize, lambda: Node<'t>) -> Vec<Raw> {
        let count = parameter_count(lambda);
        let stated = self.binder.parameter(call.callee, at);
        let stated = self.functional(stated, count);
        let mut values = Vec::with_capacity(count);
        for (number, stated) in stated.into_iter().enumerate() {
            let handed = self.handed(call, number, count);
            values.push(self.binder.first(vec![stated, handed]));
        }
        values
    }

    /// What a function of the type that `of` is a value of takes: an interface of the project tells it by its one method, one
    /// of the library by its type arguments.
    pub(super) fn functional(&mut self, of: Raw, count: usize) -> Vec<Raw> {
        let mut values = Vec::with_capacity(count);
        for (number, at) in (0..count).zip(0i8..) {
            let (taken, argument) = (self.binder.parameter(of, number), self.binder.inner(of, at));
            values.push(self.binder.first(vec![taken, argument]));
        }
        values
    }

    /// What a variable is given whose type is `denoted`.
    pub(super) fn initial(&mut self, value: Node<'t>, denoted: Option<Raw>) -> Raw {
        if value.kind() != "lambda_expression" {
            return self.expression(value);
        }
        let stated = match denoted {
            Some(denoted) => self.binder.value(denoted),
            None => self.unknown(),
        };
        let values = self.functional(stated, parameter_count(value));
        self.lambda(value, &values)
    }

    /// What the library's method hands to parameter `number` of `count`.
    fn handed(&mut self, call: &Call<'t>, number: usize, count: usize) -> Raw {
        let Some(receiver) = call.receiver else { return self.unknown() };
        let at = match (count, call.name) {
            (1, "computeIfAbsent") => 0,
            (2, name) if OVER_ENTRIES.contains(&name) => {
                if number == 0 {
                    0
                } else {
                    -1
                }
            }
            (_, name) if OVER_ELEMENTS.contains(&name) => -1,
            _ => return self.unknown(),
        };
        self.binder.inner(receiver, at)
    }

    /// What the library's method of that name yields, where its arguments or its receiver say it.
    pub(super) fn handed_on(&mut self, call: &Call<'t>, first: Raw, list: Option<Node<'t>>) -> Option<Raw> {
        let receiver = call.receiver?;
        let keeps = |java: &Self| {
            let collector = list.and_then(|list| list.named_child(0)).map_or("", |first| java.binder.str(first));
            KEEPING.iter().any(|word| collector.trim_start_matches("Collectors.").starts_with(word))
        };
        match call.name {
            name if MAPPING.contains(&name) => Some(self.binder.made_of(vec![first])),
            "flatMap" | "thenCompose" => Some(first),
            "collect" if keeps(self) => Some(receiver),
            "entrySet" => Some(self.binder.made_of(vec![receiver])),
            "keySet" => {
                let key = self.binder.inner(receiver, 0);
                Some(self.binder.made_of(vec![key]))
            }
            _ => None,
        }
    }

    /// A lambda whose parameters without a type have these `values`; what calling it yields.
    pub(super) fn lambda(&mut self, node: Node<'t>, values: &[Raw]) -> Raw {
        self.binder.enter(ScopeKind::Callable, None);
        if let Some(parameters) = node.child_by_field_name("parameters") {
            let names = match parameters.kind() {
                "formal_parameters" => {
                    self.parameters(parameters);
                    Vec::new()
                }
                "identifier" => vec![parameters],
                _ => children(parameters),
            };
            for (at, name) in names.into_iter().enumerate() {
                match values.get(at).filter(|value| !self.binder.is_unknown(**value)) {
                    Some(value) => self.define_value(name, *value, name.start_byte()),
                    None => self.binder.define(self.binder.str(name), Defined::Opaque, name.start_byte()),
                }
            }
        }
        let around = std::mem::take(&mut self.results);
        let mut yielded = self.unknown();
        if let Some(body) = node.child_by_field_name("body") {
            yielded = self.expression(body);
        }
        let results = std::mem::replace(&mut self.results, around);
        self.binder.leave();
        if self.binder.is_unknown(yielded) { self.known(results) } else { yielded }
    }

    /// `A::name`, `value::name`, `super::name`, `A::new`; what calling it yields.
    pub(super) fn method_reference(&mut self, node: Node<'t>) -> Raw {
        let mut parts = children(node);
        let named = parts.pop_if(|last| last.kind() == "identifier" && last.start_byte() > node.start_byte());
        let constructs = named.is_none();
        let mut receiver = self.unknown();
        for (at, part) in parts.into_iter().enumerate() {
            receiver = match part.kind() {
                "super" => self.super_value(),
                "type_arguments" => {
                    self.type_arguments(part);
                    receiver
                }
                "identifier" if constructs && at == 0 => self.denoted(part, Role::Call, None),
                kind if kind.contains("type") => {
                    let role = if constructs { Role::Call } else { Role::Type };
                    self.denoted(part, role, None)
                }
                _ => self.expression(part),
            };
        }
        let Some(name) = named else { return self.binder.value(receiver) };
        let member = self.binder.member(receiver, self.binder.str(name));
        self.binder.refer(member, Role::Read, name);
        self.binder.call(member)
    }

    /// The callable `decl` takes these values; its type does, when it constructs that or is the one method of an interface
    /// that has no body.
    pub(super) fn takes(&mut self, node: Node<'t>, decl: DeclId, values: &[Raw]) {
        let outline = &self.binder.facts.outline;
        let Some(declaration) = outline.get(decl) else { return };
        let is_abstract =
            |method: &Node<'t>| method.kind() == "method_declaration" && method.child_by_field_name("body").is_none();
        let alone = || {
            let body = node.parent().filter(|body| body.kind() == "interface_body");
            body.is_some_and(|body| children(body).iter().filter(|method| is_abstract(method)).count() == 1)
        };
        let stands_for_type = declaration.facets.has(Facet::Constructor) || is_abstract(&node) && alone();
        let of = declaration.container.filter(|_| stands_for_type);
        for (at, value) in values.iter().enumerate().take(PARAMETERS.len()) {
            self.binder.takes(decl, at, *value);
            of.into_iter().for_each(|of| self.binder.takes(of, at, *value));
        }
    }
}

fn parameter_count(lambda: Node<'_>) -> usize {
    lambda.child_by_field_name("parameters").map_or(0, |parameters| match parameters.kind() {
        "identifier" => 1,
        _ => children(parameters).len(),
    })
}
