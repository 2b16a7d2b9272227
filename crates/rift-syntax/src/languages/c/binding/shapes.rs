//! The form of a value as its declaration spells it. Terms see through pointers and smart pointers, so that `p->m()`
//! needs no case of its own; what an index or a star yields depends on the form.

use tree_sitter::Node;

use super::Family;
use crate::binding::{Raw, Walker as _};

/// What is known of the form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// The text here does not tell.
    Unknown,
    /// A pointer or an array: what it points to is what its term tells.
    Pointer,
    /// A smart pointer or an optional: its term tells of what it holds.
    Smart,
    /// A value of a class, which may be a container.
    Value,
    /// A value of a class with type arguments.
    Applied,
}

/// Templates that stand for one value of their first argument, which `->` and `*` give.
pub(super) fn is_smart(name: &str) -> bool {
    matches!(
        name,
        "unique_ptr"
            | "shared_ptr"
            | "weak_ptr"
            | "optional"
            | "reference_wrapper"
            | "intrusive_ptr"
            | "observer_ptr"
            | "not_null"
            | "scoped_refptr"
            | "raw_ptr"
            | "atomic"
            | "auto_ptr"
            | "scoped_ptr"
    )
}

/// How many of a container's type arguments are of its elements; the others are policies (allocators, comparisons).
pub(super) fn element_arguments(name: &str) -> usize {
    match name {
        "map" | "multimap" | "unordered_map" | "unordered_multimap" | "flat_map" => 2,
        "vector" | "deque" | "list" | "forward_list" | "set" | "multiset" | "unordered_set" | "unordered_multiset"
        | "array" | "span" | "initializer_list" | "queue" | "stack" | "priority_queue" => 1,
        _ => usize::MAX,
    }
}

impl<'t> Family<'_, 't> {
    /// The form of the value of `node`, where it is a local variable.
    pub(super) fn shape(&mut self, node: Node<'t>) -> Shape {
        match node.kind() {
            "identifier" => {
                let name = self.binder.str(node);
                let found = self.locals.iter().rev().find(|(local, _)| *local == name);
                found.map_or(Shape::Unknown, |(_, shape)| *shape)
            }
            "parenthesized_expression" => match node.named_child(0) {
                Some(inner) => self.shape(inner),
                None => Shape::Unknown,
            },
            "this" => Shape::Pointer,
            "pointer_expression" if self.binder.str(node).starts_with('&') => Shape::Pointer,
            _ => Shape::Unknown,
        }
    }

    /// What the elements of `of` are: `of[i]`, or an element in a loop.
    pub(super) fn element(&mut self, of: Raw, shape: Shape) -> Raw {
        if !self.cpp {
            return of;
        }
        match shape {
            Shape::Pointer => of,
            Shape::Value | Shape::Applied | Shape::Smart => self.binder.inner(of, -1),
            Shape::Unknown => {
                let inner = self.binder.inner(of, -1);
                self.known(vec![of, inner])
            }
        }
    }

    /// What `of->` reaches into.
    pub(super) fn pointed(&mut self, of: Raw, shape: Shape) -> Raw {
        match shape {
            // Such a class overloads `->`, and what it points to is by custom its first argument.
            Shape::Applied => self.binder.inner(of, 0),
            _ => of,
        }
    }
}
