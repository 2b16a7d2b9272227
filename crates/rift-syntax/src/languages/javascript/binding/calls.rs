//! Calls and constructions.

use tree_sitter::Node;

use super::{JavaScript, children};
use crate::binding::{PARAMETERS, Raw, Role, Walker as _};

/// Methods of lists and the like that give their callback an element first.
const OVER_ELEMENTS: &[&str] =
    &["every", "filter", "find", "findIndex", "findLast", "flatMap", "forEach", "map", "some", "sort", "toSorted"];

/// Methods that yield an element of what they are called on: of an array, a map.
const ELEMENT_OF: &[&str] = &["at", "find", "findLast", "get", "pop", "shift"];

/// Methods that yield something with the same elements as what they are called on.
const SAME_ELEMENTS: &[&str] =
    &["concat", "entries", "filter", "reverse", "slice", "sort", "splice", "toReversed", "toSorted", "values"];

/// Functions of `Object` and `Array` that yield their first argument, or something with its elements.
const FIRST_ARGUMENT: &[&str] =
    &["Array.from", "Object.assign", "Object.entries", "Object.freeze", "Object.seal", "Object.values"];

impl<'t> JavaScript<'_, 't> {
    pub(super) fn call(&mut self, node: Node<'t>) -> Raw {
        if let Some(module) = self.required(node) {
            return module;
        }
        let Some(function) = node.child_by_field_name("function") else { return self.unknown() };
        let arguments = node.child_by_field_name("arguments");
        match function.kind() {
            "import" => return self.dynamic_import(arguments),
            "super" => {
                let base = self.base_value();
                let constructor = self.binder.member(base, "constructor");
                if self.is_known(base) {
                    self.binder.refer(constructor, Role::Call, function);
                }
                self.arguments(arguments, &[], base);
                return self.unknown();
            }
            _ => {}
        }
        let callee = self.reference(function, Role::Call);
        if let Some(types) = node.child_by_field_name("type_arguments") {
            self.expression(types);
        }
        let yielded = self.binder.call(callee);
        let Some((receiver, name)) = self.receiver_of(callee, function) else {
            self.arguments(arguments, &[], callee);
            return yielded;
        };
        let given: Vec<Raw> = match name {
            "then" => {
                let object = function.child_by_field_name("object").unwrap_or(function);
                vec![self.awaited_of(object, receiver)]
            }
            "sort" | "toSorted" => vec![self.binder.inner(receiver, -1); 2],
            _ if OVER_ELEMENTS.contains(&name) => vec![self.binder.inner(receiver, -1)],
            _ => Vec::new(),
        };
        let first = self.arguments(arguments, &given, callee);
        if FIRST_ARGUMENT.contains(&self.binder.str(function)) {
            return first;
        }
        let mut parts = vec![yielded];
        if ELEMENT_OF.contains(&name) {
            parts.push(self.binder.inner(receiver, -1));
        }
        if SAME_ELEMENTS.contains(&name) {
            parts.push(receiver);
        }
        self.known(parts)
    }

    /// What a method is called on, and the method's name.
    fn receiver_of(&mut self, callee: Raw, function: Node<'t>) -> Option<(Raw, &'t str)> {
        if function.kind() != "member_expression" {
            return None;
        }
        let name = function.child_by_field_name("property")?;
        Some((self.binder.receiver(callee)?, self.binder.str(name)))
    }

    /// Walks the arguments of `callee`; what the first yields. Functions among them get the values `given`, else those that
    /// the type of the parameter says.
    fn arguments(&mut self, list: Option<Node<'t>>, given: &[Raw], callee: Raw) -> Raw {
        let mut first = None;
        for (at, argument) in list.into_iter().flat_map(children).enumerate() {
            let term = match argument.kind() {
                "arrow_function" | "function_expression" => {
                    let expected = match given.is_empty() {
                        true => self.expected_of(callee, at),
                        false => given.to_vec(),
                    };
                    self.branched(|javascript| javascript.function(argument, None, &expected));
                    self.unknown()
                }
                _ => self.expression(argument),
            };
            if argument.kind() == "object" {
                let expected = self.binder.parameter(callee, at);
                self.expect(argument, expected);
            }
            first.get_or_insert(term);
        }
        first.unwrap_or_else(|| self.unknown())
    }

    /// What a function gets that is given to `callee` as its argument number `at`.
    fn expected_of(&mut self, callee: Raw, at: usize) -> Vec<Raw> {
        let expected = self.binder.parameter(callee, at);
        if !self.is_known(expected) {
            return Vec::new();
        }
        (0i8..).take(PARAMETERS.len()).map(|number| self.binder.inner(expected, number)).collect()
    }

    /// `import("m")` yields the module; that a promise is around it changes nothing about `await` and `then`.
    fn dynamic_import(&mut self, arguments: Option<Node<'t>>) -> Raw {
        let mut module = None;
        for argument in arguments.into_iter().flat_map(children) {
            match self.specified(argument) {
                Some(found) => module = Some(found),
                None => self.expressions(Some(argument)),
            }
        }
        module.unwrap_or_else(|| self.unknown())
    }

    /// `new Type<T>(arguments)`.
    pub(super) fn construction(&mut self, node: Node<'t>) -> Raw {
        let Some(constructor) = node.child_by_field_name("constructor") else { return self.unknown() };
        let of = self.reference(constructor, Role::Call);
        let types = node.child_by_field_name("type_arguments").into_iter().flat_map(children);
        let types: Vec<Raw> = types.map(|argument| self.denoted(argument)).collect();
        self.arguments(node.child_by_field_name("arguments"), &[], of);
        if types.is_empty() {
            return self.binder.call(of);
        }
        let applied = self.binder.applied(of, types);
        self.binder.value(applied)
    }
}
