//! Containers: what literals of them hold, what iteration, indexing and entering hand out, and the builtins that pass their
//! elements on (The Python Language Reference, 3.3 "Special method names"; The Python Standard Library, "Built-in Functions").

use tree_sitter::Node;

use super::{Python, children};
use crate::binding::{Raw, Walker as _};

/// Most elements of one literal that are told apart.
const ELEMENTS_MAX: usize = 4;

impl<'t> Python<'_, 't> {
    /// One element of what iterating over `of` hands out: of what its `__iter__` yields, else of what it is made of.
    pub(super) fn element(&mut self, of: Raw) -> Raw {
        let iterator = self.special(of, "__iter__");
        let (handed, held) = (self.binder.inner(iterator, -1), self.binder.inner(of, -1));
        self.binder.first(vec![handed, held])
    }

    /// `of[index]`: what its `__getitem__` yields, else one of what it is made of.
    pub(super) fn item(&mut self, of: Raw) -> Raw {
        let (found, held) = (self.special(of, "__getitem__"), self.binder.inner(of, -1));
        self.binder.first(vec![found, held])
    }

    /// What `with of as name` binds: what its `__enter__` yields, else what a generator that is made a manager yields.
    pub(super) fn entered(&mut self, of: Raw) -> Raw {
        let (entered, yielded) = (self.special(of, "__enter__"), self.binder.inner(of, -1));
        self.binder.first(vec![entered, yielded])
    }

    /// Part number `at` of what is unpacked: that of a tuple, else an element.
    pub(super) fn part(&mut self, of: Raw, at: usize) -> Raw {
        let part = match i8::try_from(at) {
            Ok(at) => self.binder.inner(of, at),
            Err(_) => self.unknown(),
        };
        let element = self.element(of);
        self.binder.first(vec![part, element])
    }

    fn special(&mut self, of: Raw, name: &'static str) -> Raw {
        if self.binder.is_unknown(of) {
            return of;
        }
        let method = self.binder.member(of, name);
        self.binder.call(method)
    }

    /// A list or set literal.
    pub(super) fn elements(&mut self, node: Node<'t>) -> Raw {
        let parts = children(node).into_iter().map(|part| self.expression(part)).collect();
        let element = self.few(parts);
        self.binder.made_of(vec![element])
    }

    /// A dictionary literal.
    pub(super) fn dictionary(&mut self, node: Node<'t>) -> Raw {
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for part in children(node) {
            match (part.kind(), part.child_by_field_name("key"), part.child_by_field_name("value")) {
                ("pair", Some(key), Some(value)) => {
                    keys.push(self.expression(key));
                    values.push(self.expression(value));
                }
                _ => {
                    self.expression(part);
                }
            }
        }
        let (key, value) = (self.few(keys), self.few(values));
        self.binder.made_of(vec![key, value])
    }

    fn few(&mut self, mut parts: Vec<Raw>) -> Raw {
        parts.retain(|part| !self.binder.is_unknown(*part));
        parts.sort_unstable();
        parts.dedup();
        if parts.len() > ELEMENTS_MAX { self.unknown() } else { self.binder.either(parts) }
    }

    /// What calling `function` with `values` yields: what its declaration says (`yielded`), else what the language's own
    /// function or method of that name makes of containers.
    pub(super) fn builtin(&mut self, function: Node<'t>, yielded: Raw, values: &[Raw]) -> Raw {
        let made = match function.kind() {
            "identifier" => self.builtin_function(self.binder.str(function), values),
            "attribute" => self.builtin_method(yielded, function),
            _ => None,
        };
        match made {
            Some(made) => self.binder.first(vec![yielded, made]),
            None => yielded,
        }
    }

    fn builtin_function(&mut self, name: &str, values: &[Raw]) -> Option<Raw> {
        let first = *values.first()?;
        let made = match name {
            "enumerate" => {
                let (number, element) = (self.unknown(), self.element(first));
                self.binder.made_of(vec![number, element])
            }
            "zip" => {
                let parts = values.iter().map(|value| self.element(*value)).collect();
                self.binder.made_of(parts)
            }
            "list" | "set" | "tuple" | "frozenset" | "sorted" | "reversed" | "iter" => self.element(first),
            "filter" => {
                let of = *values.get(1)?;
                self.element(of)
            }
            "next" | "min" | "max" if values.len() == 1 => return Some(self.element(first)),
            _ => return None,
        };
        Some(self.binder.made_of(vec![made]))
    }

    fn builtin_method(&mut self, yielded: Raw, function: Node<'t>) -> Option<Raw> {
        let name = self.binder.str(function.child_by_field_name("attribute")?);
        if !matches!(name, "items" | "keys") {
            return None;
        }
        let of = self.binder.callee(yielded).and_then(|callee| self.binder.receiver(callee))?;
        let key = self.binder.inner(of, 0);
        if name == "keys" {
            return Some(self.binder.made_of(vec![key]));
        }
        let value = self.binder.inner(of, -1);
        let pair = self.binder.made_of(vec![key, value]);
        Some(self.binder.made_of(vec![pair]))
    }
}
