//! Expressions: which names they use, and what they yield.

use tree_sitter::Node;

use super::lambdas::Call;
use super::{Enclosing, Java, child_of, children};
use crate::binding::{Defined, Raw, Role, ScopeKind, Walker as _};
use crate::text::range;

impl<'t> Java<'_, 't> {
    /// Walks `node`; what it yields.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|java| java.expression_here(node)).unwrap_or_else(|| self.unknown())
    }

    /// What `node` yields, if it is there.
    pub(super) fn maybe(&mut self, node: Option<Node<'t>>) -> Raw {
        match node {
            Some(node) => self.expression(node),
            None => self.unknown(),
        }
    }

    fn expression_here(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "identifier" => self.variable(node, Role::Read),
            "field_access" => self.field_access(node, Role::Read),
            "method_invocation" => self.invocation(node),
            "object_creation_expression" => self.creation(node),
            "this" => self.this(),
            "parenthesized_expression" => self.maybe(node.named_child(0)),
            "assignment_expression" => self.assignment(node),
            "update_expression" => {
                if let Some(operand) = node.named_child(0) {
                    self.target(operand);
                }
                self.unknown()
            }
            "array_access" => {
                let (array, index) = (node.child_by_field_name("array"), node.child_by_field_name("index"));
                let array = self.maybe(array);
                self.maybe(index);
                self.binder.inner(array, -1)
            }
            "array_creation_expression" => self.array_creation(node),
            "cast_expression" => self.cast(node),
            "ternary_expression" => {
                let mut yielded = Vec::new();
                for (field, counts) in [("condition", false), ("consequence", true), ("alternative", true)] {
                    if let Some(part) = node.child_by_field_name(field) {
                        let value = self.expression(part);
                        yielded.extend(counts.then_some(value));
                    }
                }
                self.known(yielded)
            }
            "instanceof_expression" => self.instance_of(node),
            "switch_expression" => self.switch(node),
            "lambda_expression" => self.lambda(node, &[]),
            "method_reference" => self.method_reference(node),
            "class_literal" => {
                if let Some(named) = node.named_child(0) {
                    self.denoted(named, Role::Type, None);
                }
                self.unknown()
            }
            "block" => {
                self.statement(node);
                self.unknown()
            }
            "annotation" | "marker_annotation" => {
                self.annotation(node);
                self.unknown()
            }
            _ => {
                children(node).into_iter().for_each(|child| {
                    self.expression(child);
                });
                self.unknown()
            }
        }
    }

    /// A simple name that stands where an expression may: a variable, a type or a package (6.5.2).
    fn variable(&mut self, node: Node<'t>, role: Role) -> Raw {
        let term = self.binder.name(self.binder.str(node), node.start_byte());
        self.binder.refer(term, role, node);
        term
    }

    /// `object.name`, `Outer.this`.
    fn field_access(&mut self, node: Node<'t>, role: Role) -> Raw {
        let (Some(object), Some(field)) = (node.child_by_field_name("object"), node.child_by_field_name("field"))
        else {
            return self.unknown();
        };
        if field.kind() == "this" {
            return self.outer_this(object);
        }
        let receiver = self.receiver(node, object);
        let member = self.binder.member(receiver, self.binder.str(field));
        self.binder.refer(member, role, field);
        member
    }

    /// The receiver `object` of `node`, which may be `super` or `Outer.super`.
    fn receiver(&mut self, node: Node<'t>, object: Node<'t>) -> Raw {
        if object.kind() == "super" {
            return self.super_value();
        }
        if child_of(node, "super").is_none() {
            return self.expression(object);
        }
        // `Outer.super` is that of an enclosing type, `Interface.super` the interface itself (15.11.2, 15.12.1).
        let text = self.binder.str(object);
        let around = self.types.iter().rev().find(|around| around.name == text).and_then(|around| around.decl);
        let denoted = self.expression(object);
        match around {
            Some(around) => self.binder.super_of(around),
            None => self.binder.value(denoted),
        }
    }

    fn this(&mut self) -> Raw {
        match self.types.last() {
            Some(Enclosing { decl: Some(decl), .. }) => self.binder.this(*decl),
            Some(Enclosing { base: Some(base), .. }) => self.binder.value(*base),
            _ => self.unknown(),
        }
    }

    fn outer_this(&mut self, object: Node<'t>) -> Raw {
        let denoted = self.expression(object);
        let text = self.binder.str(object);
        let around = self.types.iter().rev().find(|around| around.name == text).and_then(|around| around.decl);
        match around {
            Some(around) => self.binder.this(around),
            None => self.binder.value(denoted),
        }
    }

    pub(super) fn super_value(&mut self) -> Raw {
        match self.types.last() {
            Some(Enclosing { decl: Some(decl), .. }) => self.binder.super_of(*decl),
            Some(Enclosing { base: Some(base), .. }) => self.binder.value(*base),
            _ => self.unknown(),
        }
    }

    /// `name(…)`, `object.name(…)`.
    fn invocation(&mut self, node: Node<'t>) -> Raw {
        let Some(name) = node.child_by_field_name("name") else { return self.unknown() };
        let mut receiver = None;
        let method = match node.child_by_field_name("object") {
            Some(object) => {
                let of = self.receiver(node, object);
                receiver = Some(of);
                self.binder.member(of, self.binder.str(name))
            }
            None => self.method(name),
        };
        if let Some(given) = node.child_by_field_name("type_arguments") {
            self.type_arguments(given);
        }
        let call = Call { callee: method, receiver, name: self.binder.str(name) };
        let (count, first) = match node.child_by_field_name("arguments") {
            Some(list) => self.arguments(list, &call),
            None => (0, self.unknown()),
        };
        self.binder.refer_at(method, Role::Call, range(name), Some(count));
        let yielded = self.binder.call(method);
        match self.handed_on(&call, first, node.child_by_field_name("arguments")) {
            Some(made) => self.binder.first(vec![yielded, made]),
            None => yielded,
        }
    }

    /// The method that a simple name means: methods are no local names, so it is looked up among the members of the types
    /// around it (15.12.1). Those that an anonymous class inherits come before those of the types around that.
    fn method(&mut self, name: Node<'t>) -> Raw {
        let text = self.binder.str(name);
        let mut inherited = Vec::new();
        for around in self.types.iter().rev() {
            if around.decl.is_some() || around.own.contains(&text) {
                let mut terms: Vec<Raw> = Vec::new();
                for base in inherited {
                    let value = self.binder.value(base);
                    terms.push(self.binder.member(value, text));
                }
                terms.push(self.binder.name_in(text, around.scope));
                return self.binder.first(terms);
            }
            inherited.extend(around.base);
        }
        self.binder.name_in(text, self.binder.scope())
    }

    /// Walks the arguments of a call; how many there are, 255 at most, and what the first yields, a function when called.
    pub(super) fn arguments(&mut self, list: Node<'t>, call: &Call<'t>) -> (u8, Raw) {
        let given = children(list);
        let mut first = None;
        for (at, argument) in given.iter().enumerate() {
            let yielded = match argument.kind() {
                "lambda_expression" => {
                    let values = self.lambda_values(call, at, *argument);
                    self.lambda(*argument, &values)
                }
                _ => self.expression(*argument),
            };
            first.get_or_insert(yielded);
        }
        (u8::try_from(given.len()).unwrap_or(u8::MAX), first.unwrap_or_else(|| self.unknown()))
    }

    /// `new T(…)`, `outer.new T(…)`, with the body of an anonymous class.
    fn creation(&mut self, node: Node<'t>) -> Raw {
        let mut outer = None;
        for part in children(node) {
            match part.kind() {
                "argument_list" | "class_body" | "type_arguments" => {}
                kind if kind.ends_with("annotation") => self.annotation(part),
                _ if node.child_by_field_name("type") == Some(part) => {}
                _ => outer = Some(self.expression(part)),
            }
        }
        let list = node.child_by_field_name("arguments");
        let count = list.map_or(0, |list| u8::try_from(children(list).len()).unwrap_or(u8::MAX));
        let stated = node.child_by_field_name("type");
        let denoted = match (stated, outer) {
            // The type is a member of the class of the value before `new` (15.9.1).
            (Some(stated), Some(outer)) if stated.kind() == "type_identifier" => {
                let member = self.binder.member(outer, self.binder.str(stated));
                self.binder.refer_at(member, Role::Call, range(stated), Some(count));
                member
            }
            (Some(stated), _) => self.denoted(stated, Role::Call, Some(count)),
            (None, _) => self.unknown(),
        };
        let call = Call { callee: denoted, receiver: None, name: "" };
        list.map(|list| self.arguments(list, &call));
        if let Some(body) = child_of(node, "class_body") {
            self.anonymous(body, denoted);
        }
        self.binder.value(denoted)
    }

    /// The body of an anonymous class. Its members are no symbols, but they hide what is outside.
    fn anonymous(&mut self, body: Node<'t>, base: Raw) {
        let scope = self.binder.enter(ScopeKind::Type, None);
        let mut own = Vec::new();
        for member in children(body) {
            let mut cursor = member.walk();
            let declarators: Vec<Node<'t>> = member.children_by_field_name("declarator", &mut cursor).collect();
            for name in declarators.iter().chain([&member]).filter_map(|named| named.child_by_field_name("name")) {
                own.push(self.binder.str(name));
            }
        }
        let base = (!self.binder.is_unknown(base)).then_some(base);
        self.types.push(Enclosing { decl: None, name: "", scope, base, own });
        for member in children(body) {
            match member.kind() {
                "field_declaration" => self.anonymous_fields(member),
                "method_declaration" => {
                    if let Some(name) = member.child_by_field_name("name") {
                        self.binder.define(self.binder.str(name), Defined::Opaque, name.start_byte());
                    }
                    self.callable(member);
                }
                _ => self.statement(member),
            }
        }
        self.types.pop();
        self.binder.leave();
    }

    fn anonymous_fields(&mut self, node: Node<'t>) {
        self.modifiers(node);
        let value = match node.child_by_field_name("type") {
            Some(stated) => self.promised(stated, false),
            None => self.unknown(),
        };
        let mut cursor = node.walk();
        let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in declarators {
            if let Some(given) = declarator.child_by_field_name("value") {
                self.expression(given);
            }
            if let Some(name) = declarator.child_by_field_name("name") {
                self.define_value(name, value, name.start_byte());
            }
        }
    }

    fn assignment(&mut self, node: Node<'t>) -> Raw {
        if let Some(left) = node.child_by_field_name("left") {
            self.target(left);
        }
        match node.child_by_field_name("right") {
            Some(right) => self.expression(right),
            None => self.unknown(),
        }
    }

    /// What is assigned to.
    fn target(&mut self, node: Node<'t>) {
        match node.kind() {
            "identifier" => self.variable(node, Role::Write),
            "field_access" => self.field_access(node, Role::Write),
            _ => self.expression(node),
        };
    }

    fn array_creation(&mut self, node: Node<'t>) -> Raw {
        let element = match node.child_by_field_name("type") {
            Some(stated) => self.denoted(stated, Role::Type, None),
            None => self.unknown(),
        };
        for part in children(node) {
            if matches!(part.kind(), "dimensions_expr" | "array_initializer") {
                children(part).into_iter().for_each(|inner| {
                    self.expression(inner);
                });
            }
        }
        let array = self.binder.made_of(vec![element]);
        self.binder.value(array)
    }

    /// `(A & B) value` is any of the types.
    fn cast(&mut self, node: Node<'t>) -> Raw {
        let mut cursor = node.walk();
        let types: Vec<Node<'t>> = node.children_by_field_name("type", &mut cursor).collect();
        let promised: Vec<Raw> =
            types.into_iter().filter(Node::is_named).map(|stated| self.promised(stated, false)).collect();
        if let Some(value) = node.child_by_field_name("value") {
            self.expression(value);
        }
        self.known(promised)
    }
}
