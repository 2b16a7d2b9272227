//! Expressions: which names they use, and what they yield.

use rift_base::ByteRange;
use tree_sitter::Node;

use super::Family;
use super::shapes::Shape;
use crate::binding::{Raw, Role, Walker as _};
use crate::text::range;

impl<'t> Family<'_, 't> {
    /// An expression or any other node without a case of its own.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "this" => self.this(),
            "parenthesized_expression" | "parameter_pack_expansion" | "extension_expression" => self.last(node),
            "comma_expression" => self.last(node),
            "pointer_expression" => self.pointer(node),
            "subscript_expression" => self.subscript(node),
            "assignment_expression" => self.assignment(node),
            "update_expression" => {
                let value = self.last(node);
                if node.child_by_field_name("argument").is_some_and(is_place) {
                    self.binder.last_reference_is(Role::Write, None);
                }
                value
            }
            "cast_expression" => {
                let promised = node.child_by_field_name("type").map(|kind| self.promised(kind));
                if let Some(value) = node.child_by_field_name("value") {
                    self.walk(value);
                }
                promised.unwrap_or_else(|| self.unknown())
            }
            "compound_literal_expression" => self.compound_literal(node),
            "new_expression" => self.new_expression(node),
            "conditional_expression" => {
                let parts: Vec<Raw> = self.children(node).into_iter().map(|part| self.walk(part)).collect();
                let results = parts.get(1..).unwrap_or(&[]).to_vec();
                self.known(results)
            }
            "binary_expression" => self.binary(node),
            "co_await_expression" => {
                let task = self.last(node);
                self.binder.inner(task, -1)
            }
            "initializer_list" => {
                let nothing = self.unknown();
                self.initializer_list(node, nothing, Shape::Unknown);
                nothing
            }
            "offsetof_expression" => self.offset_of(node),
            "requires_expression" => {
                self.in_block(|family| family.each(node));
                self.unknown()
            }
            "gnu_asm_input_operand" | "gnu_asm_output_operand" => match node.child_by_field_name("value") {
                Some(value) => self.walk(value),
                None => self.unknown(),
            },
            "gnu_asm_goto_list" | "operator_name" | "destructor_name" | "literal_suffix" | "preproc_arg"
            | "field_identifier" | "field_designator" => self.unknown(),
            _ => {
                self.each(node);
                self.unknown()
            }
        }
    }

    /// Walks the children of `node`; what the last one yields.
    fn last(&mut self, node: Node<'t>) -> Raw {
        let mut value = self.unknown();
        for child in self.children(node) {
            value = self.walk(child);
        }
        value
    }

    /// A name or a member in `role`, with its qualifiers and type arguments; what it denotes.
    pub(super) fn named(&mut self, node: Node<'t>, role: Role, arguments: Option<u8>) -> Raw {
        match node.kind() {
            "field_expression" => self.member(node, role, arguments),
            "qualified_identifier" => {
                let (of, name) = self.qualifier(node);
                self.name_of(of, name, role, arguments)
            }
            _ => self.name_of(Scope::Here, node, role, arguments),
        }
    }

    /// The name `node` of `of`, which may have type arguments.
    fn name_of(&mut self, of: Scope, node: Node<'t>, role: Role, arguments: Option<u8>) -> Raw {
        let (name, types) = match node.kind() {
            "template_function" | "template_type" | "template_method" => {
                (node.child_by_field_name("name"), node.child_by_field_name("arguments"))
            }
            "dependent_name" => match node.named_child(0) {
                Some(inner) => return self.name_of(of, inner, role, arguments),
                None => return self.unknown(),
            },
            "operator_name" | "operator_cast" | "destructor_name" | "pointer_type_declarator" => {
                return self.unknown();
            }
            _ => (Some(node), None),
        };
        let Some(name) = name else { return self.unknown() };
        let term = self.looked_up(of, name);
        self.binder.refer_at(term, role, range(name), arguments);
        if let Scope::Of(of) = of
            && let Some(element) = self.element_type(name, of)
        {
            return element;
        }
        match types {
            Some(types) => self.applied(term, self.binder.str(name), Some(types)),
            None => term,
        }
    }

    fn looked_up(&mut self, of: Scope, name: Node<'t>) -> Raw {
        let text = self.binder.str(name);
        match of {
            Scope::Here => self.binder.name(text, name.start_byte()),
            Scope::Global => self.binder.name_in(text, self.file),
            Scope::Of(of) => self.binder.member(of, text),
        }
    }

    /// The qualifiers of `node`: what they denote, and the name behind them.
    pub(super) fn qualifier(&mut self, node: Node<'t>) -> (Scope, Node<'t>) {
        let mut of = Scope::Here;
        let mut here = node;
        while here.kind() == "qualified_identifier" {
            of = match here.child_by_field_name("scope") {
                // `::name`
                None => Scope::Global,
                Some(scope) if scope.kind() == "decltype" => {
                    self.walk(scope);
                    Scope::Of(self.unknown())
                }
                Some(scope) => {
                    let told = self.binder.told();
                    let term = self.name_of(of, scope, Role::Read, None);
                    self.binder.past_fields(told);
                    Scope::Of(term)
                }
            };
            let Some(name) = here.child_by_field_name("name") else { break };
            here = name;
        }
        (of, here)
    }

    /// `of.name` and `of->name`.
    fn member(&mut self, node: Node<'t>, role: Role, arguments: Option<u8>) -> Raw {
        let (Some(argument), Some(field)) = (node.child_by_field_name("argument"), node.child_by_field_name("field"))
        else {
            return self.last(node);
        };
        let of = self.walk(argument);
        let of = match node.child_by_field_name("operator") {
            Some(operator) if operator.kind() == "->" => {
                let shape = self.shape(argument);
                self.pointed(of, shape)
            }
            _ => of,
        };
        if field.kind() == "qualified_identifier" {
            return self.named(field, role, arguments);
        }
        let member = self.name_of(Scope::Of(of), field, role, arguments);
        match (self.cpp, self.binder.str(field)) {
            // Of a pair, or of what an iterator of a map points to.
            (true, "first") => {
                let first = self.binder.inner(of, 0);
                self.known(vec![member, first])
            }
            (true, "second") => {
                let second = self.binder.inner(of, 1);
                self.known(vec![member, second, of])
            }
            _ => member,
        }
    }

    /// `*p` and `&v`.
    fn pointer(&mut self, node: Node<'t>) -> Raw {
        let Some(argument) = node.child_by_field_name("argument") else { return self.last(node) };
        let value = self.walk(argument);
        match node.child_by_field_name("operator") {
            Some(operator) if operator.kind() == "*" => {
                let shape = self.shape(argument);
                self.pointed(value, shape)
            }
            _ => value,
        }
    }

    fn subscript(&mut self, node: Node<'t>) -> Raw {
        let Some(argument) = node.child_by_field_name("argument") else { return self.last(node) };
        let of = self.walk(argument);
        for index in self.children(node).into_iter().filter(|child| *child != argument) {
            self.walk(index);
        }
        let shape = self.shape(argument);
        self.element(of, shape)
    }

    fn assignment(&mut self, node: Node<'t>) -> Raw {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return self.last(node);
        };
        let value = match is_place(left) {
            true => self.named(left, Role::Write, None),
            false => self.walk(left),
        };
        match right.kind() {
            "initializer_list" => self.initializer_list(right, value, Shape::Unknown),
            _ => {
                self.walk(right);
            }
        }
        value
    }

    /// A chain of operators is walked without going deeper, however long it is.
    fn binary(&mut self, node: Node<'t>) -> Raw {
        let mut rights = Vec::new();
        let mut left = node;
        while left.kind() == "binary_expression" {
            rights.extend(left.child_by_field_name("right"));
            let Some(next) = left.child_by_field_name("left") else { break };
            left = next;
        }
        let shape = self.shape(left);
        let mut value = if left.kind() == "binary_expression" { self.unknown() } else { self.walk(left) };
        for right in rights.into_iter().rev() {
            let other = self.walk(right);
            // A pointer moved on is a pointer of its kind.
            let moves = right.prev_sibling().is_some_and(|sign| matches!(sign.kind(), "+" | "-"));
            value = match moves && (!self.cpp || shape == Shape::Pointer) {
                true => self.known(vec![value, other]),
                false => self.unknown(),
            };
        }
        value
    }

    fn compound_literal(&mut self, node: Node<'t>) -> Raw {
        let Some(kind) = node.child_by_field_name("type") else { return self.last(node) };
        let given = node.child_by_field_name("value");
        let value = match kind.kind() {
            // `(type){…}`
            "type_descriptor" => self.promised(kind),
            _ => {
                let arguments = given.map(|list| self.count(list));
                let denoted = self.named(kind, Role::Call, arguments.filter(|_| self.cpp));
                self.binder.call(denoted)
            }
        };
        if let Some(list) = given {
            let shape = self.type_shape(kind);
            self.initializer_list(list, value, shape);
        }
        value
    }

    /// `new T(arguments)`.
    fn new_expression(&mut self, node: Node<'t>) -> Raw {
        let arguments = node.child_by_field_name("arguments");
        let count = arguments.map_or(0, |list| self.count(list));
        let mut value = self.unknown();
        for child in self.children(node) {
            if Some(child) != node.child_by_field_name("type") {
                self.walk(child);
                continue;
            }
            let denoted = match child.kind() {
                "type_identifier" | "qualified_identifier" | "template_type" => {
                    self.named(child, Role::Call, Some(count))
                }
                _ => self.denoted(child, Role::Type),
            };
            value = self.binder.call(denoted);
        }
        value
    }

    /// `offsetof(type, member)`.
    fn offset_of(&mut self, node: Node<'t>) -> Raw {
        let value = node.child_by_field_name("type").map(|kind| self.promised(kind));
        if let (Some(value), Some(name)) = (value, node.child_by_field_name("member")) {
            let member = self.binder.member(value, self.binder.str(name));
            self.binder.refer(member, Role::Read, name);
        }
        self.unknown()
    }

    /// The number of arguments in `list`.
    pub(super) fn count(&mut self, list: Node<'t>) -> u8 {
        self.children(list).len().min(usize::from(u8::MAX)) as u8
    }

    /// Names of the word at `site` of the text, which is no node's.
    pub(super) fn word(&mut self, site: ByteRange, role: Role) {
        let term = self.binder.name_in(site.of(self.binder.text), self.file);
        self.binder.refer_at(term, role, site, None);
    }
}

/// Where a name is looked up.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    /// From the scope of the use on.
    Here,
    /// In the file's scope.
    Global,
    /// Among the members of this.
    Of(Raw),
}

/// Whether an assignment to `node` writes what it names last.
fn is_place(node: Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "field_expression" | "qualified_identifier")
}
