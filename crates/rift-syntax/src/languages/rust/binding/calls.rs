//! Calls: of functions, constructors and methods, and what they yield.

use tree_sitter::Node;

use super::standard::{self, Elements};
use super::types::is_transparent;
use super::{Rust, children};
use crate::binding::{Raw, Role, ScopeKind, Space, Walker as _};

impl<'t> Rust<'_, 't> {
    /// `function(arguments)`.
    pub(super) fn call(&mut self, node: Node<'t>) -> Raw {
        let Some(called) = node.child_by_field_name("function") else { return self.unknown() };
        let arguments: Vec<Node<'t>> = node.child_by_field_name("arguments").into_iter().flat_map(children).collect();
        let (function, turbofish) = match called.kind() {
            "generic_function" => (called.child_by_field_name("function").unwrap_or(called), Some(called)),
            _ => (called, None),
        };
        match function.kind() {
            "field_expression" => self.method_call(function, turbofish, &arguments),
            "identifier" | "scoped_identifier" => self.path_call(function, turbofish, &arguments),
            _ => {
                let term = self.expression(called);
                self.arguments(&arguments);
                self.binder.call(term)
            }
        }
    }

    /// Walks `arguments`; what they yield.
    fn arguments(&mut self, arguments: &[Node<'t>]) -> Vec<Raw> {
        let given = arguments.iter().filter(|argument| !matches!(argument.kind(), "attribute_item" | "line_comment"));
        given.map(|argument| self.expression(*argument)).collect()
    }

    /// The type arguments of `node`, `…::<A, B>`.
    pub(super) fn turbofish(&mut self, node: Option<Node<'t>>) -> Vec<Raw> {
        let nothing = self.unknown();
        node.map_or(Vec::new(), |node| self.type_arguments(node, nothing))
    }

    fn path_call(&mut self, function: Node<'t>, turbofish: Option<Node<'t>>, arguments: &[Node<'t>]) -> Raw {
        let (of, term) = self.qualified(function, Space::Values, Role::Call);
        let types = self.turbofish(turbofish);
        let given = self.arguments(arguments);
        let first = given.first().copied().unwrap_or_else(|| self.unknown());
        let text = self.binder.str(function);
        let mut segments = text.rsplit("::");
        let (name, qualifier) = (segments.next().unwrap_or(""), segments.next().unwrap_or(""));
        let qualifier = qualifier.split('<').next().unwrap_or("").trim();
        let points = matches!(name, "new" | "from" | "pin" | "clone" | "downgrade" | "leak" | "make_mut");
        if points && is_transparent(qualifier) && self.is_foreign(qualifier) {
            return first;
        }
        let called = self.binder.call(term);
        let standard = match (qualifier, name) {
            ("", "Some" | "Ok") => return self.wrapped(first),
            ("", "Err") => {
                let head = self.builtin("Result");
                let parts = vec![self.unknown(), first];
                let applied = self.binder.applied(head, parts);
                return self.binder.value(applied);
            }
            ("mem" | "ptr", "take" | "replace" | "read") => return first,
            ("Mutex" | "RwLock" | "OnceLock" | "OnceCell" | "Cell", "new") => self.wrapped(first),
            ("tokio" | "task" | "thread", "spawn" | "spawn_blocking") => self.wrapped(first),
            (_, "from_str" | "from_slice" | "from_value" | "from_reader") if !types.is_empty() => {
                let value = self.binder.value(types[0]);
                self.wrapped(value)
            }
            // The conversions and defaults of the standard traits give the type that they are asked of.
            (_, "default" | "from" | "from_iter") if of.is_some() => self.qualified_value(of),
            (_, "try_from" | "from_str") if of.is_some() => {
                let value = self.qualified_value(of);
                self.wrapped(value)
            }
            _ => return called,
        };
        self.known(vec![called, standard])
    }

    fn qualified_value(&mut self, of: Option<Raw>) -> Raw {
        match of {
            Some(of) => self.binder.value(of),
            None => self.unknown(),
        }
    }

    /// `receiver.name(arguments)`.
    fn method_call(&mut self, function: Node<'t>, turbofish: Option<Node<'t>>, arguments: &[Node<'t>]) -> Raw {
        let (Some(object), Some(name)) = (function.child_by_field_name("value"), function.child_by_field_name("field"))
        else {
            return self.unknown();
        };
        let receiver = self.expression(object);
        let text = self.binder.str(name);
        let member = self.member_of(object, receiver, text);
        self.binder.refer(member, Role::Call, name);
        let types = self.turbofish(turbofish);
        // Its own members are all that `self` has: the library's wrappers are never the type of a project's impl.
        let is_self = self.receiver == Some(receiver);
        let element = match standard::takes_elements(text).filter(|_| !is_self) {
            Some(elements) => Some((elements, self.binder.inner(receiver, 0))),
            None => None,
        };
        let mut last = self.unknown();
        for argument in arguments.iter().filter(|a| !matches!(a.kind(), "attribute_item" | "line_comment")) {
            last = match (argument.kind(), element) {
                ("closure_expression", Some((elements, value))) => self.closure(*argument, Some((elements, value))),
                _ => self.expression(*argument),
            };
        }
        if matches!(text, "unwrap" | "expect" | "unwrap_or_else") && self.is_lock(object) {
            return receiver;
        }
        let called = self.binder.call(member);
        if let ("parse" | "downcast_ref" | "downcast_mut" | "downcast" | "try_into", [of, ..]) =
            (text, types.as_slice())
        {
            let value = self.binder.value(*of);
            return self.wrapped(value);
        }
        let Some(found) = standard::method(text).filter(|_| !is_self) else { return called };
        let yielded = self.yielded(found.yields, receiver, last);
        if found.certain { yielded } else { self.known(vec![called, yielded]) }
    }

    /// The member `name` of `receiver`, which `object` spells.
    pub(super) fn member_of(&mut self, object: Node<'t>, receiver: Raw, name: &'t str) -> Raw {
        let extension = if object.kind() == "self" { self.extension(name) } else { None };
        extension.unwrap_or_else(|| self.binder.member(receiver, name))
    }

    /// Whether `node` is `lock.lock()` or the like, whose result a guard is unwrapped from.
    pub(super) fn is_lock(&self, node: Node<'t>) -> bool {
        let function = node.child_by_field_name("function").filter(|_| node.kind() == "call_expression");
        let name = function.and_then(|function| function.child_by_field_name("field"));
        let plain = node.child_by_field_name("arguments").is_some_and(|list| list.named_child_count() == 0);
        plain && name.is_some_and(|name| standard::locks(self.binder.str(name)))
    }

    /// A closure, whose parameters may be elements of something; what its body yields.
    pub(super) fn closure(&mut self, node: Node<'t>, element: Option<(Elements, Raw)>) -> Raw {
        self.binder.enter(ScopeKind::Callable, None);
        let parameters: Vec<Node<'t>> = node.child_by_field_name("parameters").into_iter().flat_map(children).collect();
        let count = parameters.len();
        for (at, parameter) in parameters.into_iter().enumerate() {
            let value = match element {
                Some((elements, value)) if elements == Elements::All || at + 1 == count => value,
                _ => self.unknown(),
            };
            let (pattern, value) = match parameter.kind() {
                "parameter" => {
                    let annotation = parameter.child_by_field_name("type").map(|of| self.promised(of));
                    (parameter.child_by_field_name("pattern"), annotation.unwrap_or(value))
                }
                _ => (Some(parameter), value),
            };
            pattern.into_iter().for_each(|pattern| self.pattern(pattern, value, parameter.start_byte()));
        }
        let returned = node.child_by_field_name("return_type").map(|of| self.promised(of));
        let body = node.child_by_field_name("body").map(|body| self.expression(body));
        self.binder.leave();
        returned.or(body).unwrap_or_else(|| self.unknown())
    }

    /// `Type { field: value, … }`: a construction; the names of fields refer to the fields of the type.
    pub(super) fn construct(&mut self, node: Node<'t>) -> Raw {
        let Some(name) = node.child_by_field_name("name") else { return self.unknown() };
        let of = self.denoted_as(name, Role::Call);
        for part in node.child_by_field_name("body").into_iter().flat_map(children) {
            match part.kind() {
                "field_initializer" => {
                    if let Some(field) = part.child_by_field_name("field") {
                        let member = self.binder.member(of, self.binder.str(field));
                        self.binder.refer(member, Role::Write, field);
                    }
                    part.child_by_field_name("value").into_iter().for_each(|value| {
                        self.expression(value);
                    });
                }
                "shorthand_field_initializer" => {
                    let Some(field) = children(part).into_iter().find(|c| c.kind() == "identifier") else { continue };
                    let text = self.binder.str(field);
                    let member = self.binder.member(of, text);
                    self.binder.refer(member, Role::Write, field);
                    let value = self.binder.name_among(Space::Values, text, field.start_byte());
                    self.binder.refer(value, Role::Read, field);
                }
                "base_field_initializer" => {
                    children(part).into_iter().for_each(|base| {
                        self.expression(base);
                    });
                }
                _ => {}
            }
        }
        self.binder.call(of)
    }

    /// Binds the loop variable of `for pattern in value`.
    pub(super) fn for_expression(&mut self, node: Node<'t>) -> Raw {
        let value = match node.child_by_field_name("value") {
            Some(value) => self.expression(value),
            None => self.unknown(),
        };
        self.binder.enter(ScopeKind::Block, None);
        let element = self.binder.inner(value, -1);
        if let Some(pattern) = node.child_by_field_name("pattern") {
            self.pattern(pattern, element, pattern.start_byte());
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.expression(body);
        }
        self.binder.leave();
        self.unknown()
    }
}
