//! Types: what they denote. References, boxes and other pointers are transparent: their values have the members of what
//! they point to (The Rust Reference, "Method call expressions").

use tree_sitter::Node;

use super::{Rust, children};
use crate::binding::{Raw, Role, Space, Walker as _};

/// Types whose values have the members of their first type argument.
const TRANSPARENT: [&str; 26] = [
    "Arc",
    "ArcMutexGuard",
    "Box",
    "CachePadded",
    "Cow",
    "Deref",
    "DerefMut",
    "Future",
    "IntoFuture",
    "Lazy",
    "LazyCell",
    "LazyLock",
    "ManuallyDrop",
    "MappedMutexGuard",
    "MutexGuard",
    "NonNull",
    "OwnedMutexGuard",
    "Pin",
    "Rc",
    "Ref",
    "RefCell",
    "RefMut",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "UniqueArc",
    "Weak",
];

/// Futures in boxes: their last type argument is what awaiting yields.
const FUTURES: [&str; 2] = ["BoxFuture", "LocalBoxFuture"];

/// Maps: keys and values are their first two type arguments.
const MAPS: [&str; 8] =
    ["AHashMap", "BTreeMap", "DashMap", "FxHashMap", "FxIndexMap", "HashMap", "IndexMap", "LinkedHashMap"];

/// Associated types that tell what the values of a trait hold.
const ELEMENTS: [&str; 4] = ["Item", "Output", "Target", "IntoFuture"];

/// What primitive types denote as arguments of others: no type that has members here, but one that is known, which a type
/// parameter is not.
const PRIMITIVE: &str = "primitive";

impl<'t> Rust<'_, 't> {
    /// A value of the type that `node` spells.
    pub(super) fn promised(&mut self, node: Node<'t>) -> Raw {
        let denoted = self.denoted(node);
        if denoted == self.builtin(PRIMITIVE) {
            return self.unknown();
        }
        self.binder.value(denoted)
    }

    /// The type that `node` spells.
    pub(super) fn denoted(&mut self, node: Node<'t>) -> Raw {
        self.denoted_as(node, Role::Type)
    }

    /// The type that `node` spells, whose name is used as `role` says.
    pub(super) fn denoted_as(&mut self, node: Node<'t>, role: Role) -> Raw {
        self.deeper(|rust| rust.denoted_here(node, role)).unwrap_or_else(|| self.unknown())
    }

    fn denoted_here(&mut self, node: Node<'t>, role: Role) -> Raw {
        match node.kind() {
            "type_identifier" | "identifier" | "scoped_type_identifier" | "scoped_identifier" => {
                self.path(node, Space::Types, role)
            }
            "generic_type" | "generic_type_with_turbofish" => self.applied(node, role),
            "reference_type" | "pointer_type" => self.field_type(node, "type", role),
            "abstract_type" | "dynamic_type" => self.field_type(node, "trait", role),
            "higher_ranked_trait_bound" => self.field_type(node, "type", role),
            "qualified_type" => {
                let alias = node.child_by_field_name("alias").map(|alias| self.denoted(alias));
                let of = self.field_type(node, "type", role);
                self.as_trait = alias;
                if self.binder.is_unknown(of) { alias.unwrap_or(of) } else { of }
            }
            "array_type" => {
                let element = self.field_type(node, "element", Role::Type);
                if let Some(length) = node.child_by_field_name("length") {
                    self.expression(length);
                }
                let list = self.builtin("[]");
                self.binder.applied(list, vec![element])
            }
            "tuple_type" => {
                let parts = children(node).into_iter().map(|part| self.denoted(part)).collect();
                self.tuple(parts)
            }
            "bounded_type" | "bracketed_type" | "trait_bounds" => {
                let parts = children(node).into_iter().map(|part| self.denoted_as(part, role)).collect();
                self.known(parts)
            }
            "function_type" => self.function_type(node, role),
            "parameter" => self.field_type(node, "type", Role::Type),
            "macro_invocation" => self.macro_invocation(node),
            "primitive_type" => self.builtin(PRIMITIVE),
            "unit_type" | "never_type" | "lifetime" | "metavariable" | "for_lifetimes" | "line_comment"
            | "block_comment" => self.unknown(),
            _ => {
                for part in children(node) {
                    self.denoted(part);
                }
                self.unknown()
            }
        }
    }

    fn field_type(&mut self, node: Node<'t>, field: &str, role: Role) -> Raw {
        match node.child_by_field_name(field) {
            Some(inner) => self.denoted_as(inner, role),
            None => self.unknown(),
        }
    }

    /// `fn(A) -> B`, `Fn(A) -> B`: binding does not follow calls of values.
    fn function_type(&mut self, node: Node<'t>, role: Role) -> Raw {
        self.field_type(node, "trait", role);
        for parameter in node.child_by_field_name("parameters").into_iter().flat_map(children) {
            self.denoted(parameter);
        }
        self.field_type(node, "return_type", Role::Type);
        self.unknown()
    }

    /// `of<arguments>`.
    fn applied(&mut self, node: Node<'t>, role: Role) -> Raw {
        let Some(head) = node.child_by_field_name("type") else { return self.unknown() };
        let word = self.binder.str(head).rsplit("::").next().unwrap_or("").trim();
        let of = self.denoted_as(head, role);
        let mut arguments = self.type_arguments(node, of);
        if self.is_foreign(word) {
            if TRANSPARENT.contains(&word) && !arguments.is_empty() {
                return arguments[0];
            }
            if FUTURES.contains(&word) {
                return arguments.pop().unwrap_or_else(|| self.unknown());
            }
            if MAPS.contains(&word) && arguments.len() >= 2 {
                // An element of a map is a pair: put last, where the elements of other collections are.
                arguments.truncate(2);
                let pair = self.tuple(arguments.clone());
                arguments.push(pair);
            }
        }
        self.binder.applied(of, arguments)
    }

    /// Whether a type called `word` is not one that this file declares.
    pub(super) fn is_foreign(&mut self, word: &'t str) -> bool {
        self.binder.declared_in(None, word).is_none()
    }

    /// The type arguments of `node`, lifetimes left out; the types bound to what an iterator, future or pointer holds are
    /// among them.
    pub(super) fn type_arguments(&mut self, node: Node<'t>, of: Raw) -> Vec<Raw> {
        let mut out = Vec::new();
        for argument in node.child_by_field_name("type_arguments").into_iter().flat_map(children) {
            match argument.kind() {
                "lifetime" | "line_comment" | "block_comment" => {}
                "type_binding" => {
                    let Some(name) = argument.child_by_field_name("name") else { continue };
                    let text = self.binder.str(name);
                    let member = self.binder.member(of, text);
                    self.binder.refer(member, Role::Type, name);
                    let bound = self.field_type(argument, "type", Role::Type);
                    if ELEMENTS.contains(&text) {
                        out.push(bound);
                    }
                }
                kind if kind.ends_with("literal") || kind == "block" => {
                    self.expression(argument);
                    out.push(self.unknown());
                }
                // A constant looks like a type here.
                "type_identifier" if !self.binder.str(argument).contains(char::is_lowercase) => {
                    out.push(self.path(argument, Space::Any, Role::Type));
                }
                _ => out.push(self.denoted(argument)),
            }
        }
        out
    }
}

/// Whether the values of `word` have the members of its type argument.
pub(super) fn is_transparent(word: &str) -> bool {
    TRANSPARENT.contains(&word)
}
