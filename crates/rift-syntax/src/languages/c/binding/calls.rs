//! Calls. What a call of the standard library yields is told here, as far as it depends on its arguments alone: the
//! library itself is rarely part of a workspace.

use tree_sitter::Node;

use super::shapes::Shape;
use super::{Family, last_name};
use crate::binding::{Raw, Role, Walker as _};

/// Methods of containers, and of iterators, that yield an element or an iterator to one.
const ELEMENTS: [&str; 24] = [
    "at",
    "back",
    "begin",
    "cbegin",
    "cend",
    "crbegin",
    "data",
    "emplace",
    "emplace_back",
    "emplace_front",
    "end",
    "equal_range",
    "extract",
    "find",
    "front",
    "insert",
    "insert_or_assign",
    "lower_bound",
    "rbegin",
    "rend",
    "top",
    "try_emplace",
    "upper_bound",
    "erase",
];

/// Methods of smart pointers and optionals that yield what they hold.
const HELD: [&str; 5] = ["get", "lock", "release", "value", "value_or"];

/// Functions that yield their first argument.
const SAME: [&str; 14] = [
    "addressof",
    "advance",
    "as_const",
    "clamp",
    "cref",
    "exchange",
    "forward",
    "launder",
    "max",
    "min",
    "move",
    "next",
    "prev",
    "ref",
];

/// Functions that yield an element of their first argument, or an iterator to one.
const ELEMENT_OF: [&str; 9] =
    ["begin", "end", "cbegin", "rbegin", "data", "find_if", "max_element", "min_element", "lower_bound"];

impl<'t> Family<'_, 't> {
    pub(super) fn call(&mut self, node: Node<'t>) -> Raw {
        let Some(function) = node.child_by_field_name("function") else {
            self.each(node);
            return self.unknown();
        };
        let given = match node.child_by_field_name("arguments") {
            Some(list) => self.children(list),
            None => Vec::new(),
        };
        if let Some(kind) = cast_to(function, self.binder.text) {
            let value = self.promised(kind);
            given.into_iter().for_each(|argument| {
                self.walk(argument);
            });
            return value;
        }
        let callee = callee(function);
        let count = Some(given.len().min(usize::from(u8::MAX)) as u8).filter(|_| self.cpp);
        let term = match callee.kind() {
            "identifier" | "qualified_identifier" | "template_function" | "field_expression" => {
                self.named(callee, Role::Call, count)
            }
            _ => self.walk(callee),
        };
        let first = given.first().copied();
        let mut of = None;
        for argument in given {
            let value = self.walk(argument);
            of = of.or(Some(value));
        }
        let yielded = self.binder.call(term);
        if !self.cpp {
            return yielded;
        }
        let known = match callee.kind() {
            "field_expression" => self.held(callee),
            "identifier" | "qualified_identifier" | "template_function" => self.library(callee, term, first, of),
            _ => None,
        };
        match known {
            Some(known) => self.known(vec![yielded, known]),
            None => yielded,
        }
    }

    /// What the method `callee` of a container or a smart pointer yields.
    fn held(&mut self, callee: Node<'t>) -> Option<Raw> {
        let (argument, field) = (callee.child_by_field_name("argument")?, callee.child_by_field_name("field")?);
        let name = self.binder.str(field);
        let (elements, held) = (ELEMENTS.contains(&name), HELD.contains(&name));
        if !elements && !held {
            return None;
        }
        let of = self.value_of(argument)?;
        let shape = self.shape(argument);
        match (elements, shape) {
            (true, Shape::Smart) => None,
            (true, _) => Some(self.binder.inner(of, -1)),
            (false, Shape::Smart | Shape::Unknown) => Some(of),
            (false, _) => None,
        }
    }

    /// The term of an expression that has been walked, where it is short enough to be read again.
    fn value_of(&mut self, node: Node<'t>) -> Option<Raw> {
        match node.kind() {
            "identifier" => Some(self.binder.name(self.binder.str(node), node.start_byte())),
            "this" => Some(self.this()),
            "field_expression" => {
                let of = self.value_of(node.child_by_field_name("argument")?)?;
                let field = node.child_by_field_name("field").filter(|f| f.kind() == "field_identifier")?;
                Some(self.binder.member(of, self.binder.str(field)))
            }
            _ => None,
        }
    }

    /// What the function `callee` of the standard library yields, called with `first`, whose value is `of`.
    fn library(&mut self, callee: Node<'t>, term: Raw, first: Option<Node<'t>>, of: Option<Raw>) -> Option<Raw> {
        let name = self.binder.str(last_name(callee));
        if let Some(kind) = self.binder.argument(term, 0).filter(|kind| !self.binder.is_unknown(*kind)) {
            let makes = name.starts_with("make_") || name.ends_with("_cast") || name == "get" || name == "get_if";
            return makes.then(|| self.binder.value(kind));
        }
        let of = of?;
        if callee.kind() == "identifier" && !matches!(name, "move" | "forward") {
            return None;
        }
        if SAME.contains(&name) {
            return Some(of);
        }
        if ELEMENT_OF.contains(&name) {
            let shape = first.map_or(Shape::Unknown, |first| self.shape(first));
            return Some(if shape == Shape::Pointer { of } else { self.binder.inner(of, -1) });
        }
        if name == "get" {
            let types = last_template(callee)?.child_by_field_name("arguments")?;
            let at: i8 = self.binder.str(types.named_child(0)?).parse().ok()?;
            return Some(self.binder.inner(of, at));
        }
        None
    }
}

/// The type that a named cast of the language makes: `static_cast<T>(…)`.
fn cast_to<'t>(function: Node<'t>, text: &str) -> Option<Node<'t>> {
    if function.kind() != "template_function" {
        return None;
    }
    let name = crate::text::range(function.child_by_field_name("name")?).of(text);
    let casts = matches!(name, "static_cast" | "dynamic_cast" | "const_cast" | "reinterpret_cast");
    function.child_by_field_name("arguments").filter(|_| casts)?.named_child(0)
}

/// What is called: `(*f)(…)` and `(f)(…)` call `f`.
fn callee(function: Node<'_>) -> Node<'_> {
    let mut node = function;
    loop {
        let inner = match node.kind() {
            "parenthesized_expression" => node.named_child(0),
            "pointer_expression" => node.child_by_field_name("argument"),
            _ => None,
        };
        match inner {
            Some(inner) if inner.kind() != "comment" => node = inner,
            _ => return node,
        }
    }
}

/// The template at the end of a qualified name.
fn last_template(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    while node.kind() == "qualified_identifier" {
        node = node.child_by_field_name("name")?;
    }
    (node.kind() == "template_function").then_some(node)
}
