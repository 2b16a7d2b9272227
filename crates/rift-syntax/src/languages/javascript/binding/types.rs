//! Types: what they denote, and what a value of them is.

use tree_sitter::Node;

use super::{JavaScript, children, content};
use crate::binding::{Defined, PARAMETERS, Raw, Role, Walker as _};

/// Types whose values have the members of their first argument.
const TRANSPARENT: &[&str] =
    &["$ReadOnly", "Awaited", "DeepReadonly", "NonNullable", "Omit", "Partial", "Pick", "Readonly", "Required"];

impl<'t> JavaScript<'_, 't> {
    /// A value of the type that `node` spells. `T | null` promises a `T`, `typeof x` what `x` is.
    pub(super) fn promised(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|javascript| javascript.promised_here(node)).unwrap_or_else(|| self.unknown())
    }

    fn promised_here(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "type_annotation"
            | "parenthesized_type"
            | "readonly_type"
            | "optional_type"
            | "opting_type_annotation"
            | "adding_type_annotation"
            | "omitting_type_annotation"
            | "flow_maybe_type" => match node.named_child(0) {
                Some(inner) => self.promised(inner),
                None => self.unknown(),
            },
            "union_type" | "intersection_type" => {
                let parts: Vec<Raw> = children(node).into_iter().map(|part| self.promised(part)).collect();
                self.known(parts)
            }
            "type_query" => match children(node).first() {
                Some(of) => self.expression(*of),
                None => self.unknown(),
            },
            "this_type" => self.this.unwrap_or_else(|| self.unknown()),
            "lookup_type" => self.looked_up(node),
            "generic_type" => self.generic(node, true),
            "type_predicate_annotation" | "asserts_annotation" => {
                self.types(children(node));
                self.unknown()
            }
            _ => {
                let denoted = self.denoted(node);
                self.binder.value(denoted)
            }
        }
    }

    /// The type that `node` spells.
    pub(super) fn denoted(&mut self, node: Node<'t>) -> Raw {
        self.denoted_as(node, Role::Type)
    }

    /// Walks types of which only the names in them count.
    pub(super) fn types(&mut self, nodes: impl IntoIterator<Item = Node<'t>>) {
        for node in nodes {
            self.denoted(node);
        }
    }

    /// As [`Self::denoted`], for a type whose name stands there as `role`.
    pub(super) fn denoted_as(&mut self, node: Node<'t>, role: Role) -> Raw {
        self.deeper(|javascript| javascript.denoted_here(node, role)).unwrap_or_else(|| self.unknown())
    }

    fn denoted_here(&mut self, node: Node<'t>, role: Role) -> Raw {
        match node.kind() {
            "type_identifier" | "identifier" => {
                let term = self.binder.name(self.binder.str(node), node.start_byte());
                self.binder.refer(term, role, node);
                term
            }
            "nested_type_identifier" | "nested_identifier" | "member_expression" => self.qualified(node, role),
            "call_expression" => self.imported_type(node),
            "generic_type" => match role {
                Role::Type => self.generic(node, false),
                _ => self.applied_base(node, role),
            },
            "array_type" => {
                let elements = children(node).into_iter().map(|part| self.denoted(part)).collect();
                self.list_of(elements)
            }
            "tuple_type" => {
                let elements = children(node).into_iter().map(|part| self.tuple_element(part)).collect();
                self.list_of(elements)
            }
            "type_annotation" | "parenthesized_type" | "readonly_type" | "optional_type" | "rest_type"
            | "constraint" | "default_type" | "flow_maybe_type" => match node.named_child(0) {
                Some(inner) => self.denoted(inner),
                None => self.unknown(),
            },
            "union_type" | "intersection_type" => {
                let parts: Vec<Raw> = children(node).into_iter().map(|part| self.denoted(part)).collect();
                self.known(parts)
            }
            "this_type" => match self.class {
                Some(class) => self.binder.decl(class),
                None => self.unknown(),
            },
            "object_type" | "interface_body" => {
                self.signatures(node);
                self.unknown()
            }
            "function_type" | "constructor_type" => {
                let yielded = self.callable(node, &[]);
                self.function_of(yielded)
            }
            "type_query" | "lookup_type" => {
                self.promised(node);
                self.unknown()
            }
            "conditional_type" => self.conditional(node),
            "infer_type" => {
                if let Some(name) = node.named_child(0) {
                    self.binder.define(self.binder.str(name), Defined::Opaque, super::HOISTED);
                }
                self.unknown()
            }
            "type_predicate" => {
                self.types(node.child_by_field_name("type"));
                self.unknown()
            }
            "index_signature" | "mapped_type_clause" => self.scoped(|javascript| javascript.mapped(node)),
            "predefined_type" | "literal_type" | "existential_type" | "string" | "number" => self.unknown(),
            _ => {
                self.types(children(node));
                self.unknown()
            }
        }
    }

    /// The type of a function with the parameters that were walked last: made of what it takes and, last, what it yields.
    fn function_of(&mut self, yielded: Raw) -> Raw {
        let mut parts = std::mem::take(&mut self.parameters);
        let nothing = self.unknown();
        parts.resize(PARAMETERS.len(), nothing);
        parts.push(yielded);
        self.binder.made_of(parts)
    }

    /// `a.b.C`: each name is a use; the last one as `role`.
    pub(super) fn qualified(&mut self, node: Node<'t>, role: Role) -> Raw {
        let object = node.child_by_field_name("module").or_else(|| node.child_by_field_name("object"));
        let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("property"));
        let (Some(object), Some(name)) = (object, name) else { return self.denoted_as(node, role) };
        let of = self.deeper(|javascript| match object.kind() {
            "call_expression" => javascript.imported_type(object),
            "identifier" => javascript.denoted_as(object, Role::Read),
            _ => javascript.qualified(object, Role::Read),
        });
        let of = of.unwrap_or_else(|| self.unknown());
        let member = self.binder.member(of, self.binder.str(name));
        self.binder.refer(member, role, name);
        member
    }

    /// `import("m")` in a type.
    fn imported_type(&mut self, node: Node<'t>) -> Raw {
        let is_import = node.child_by_field_name("function").is_some_and(|function| function.kind() == "import");
        let first = node.child_by_field_name("arguments").and_then(|arguments| arguments.named_child(0));
        match first.filter(|_| is_import).and_then(|literal| self.specified(literal)) {
            Some(module) => module,
            None => self.unknown(),
        }
    }

    fn list_of(&mut self, elements: Vec<Raw>) -> Raw {
        let array = self.binder.name_in("Array", crate::binding::ScopeId::FILE);
        self.binder.applied(array, elements)
    }

    fn tuple_element(&mut self, node: Node<'t>) -> Raw {
        match node.child_by_field_name("type") {
            Some(annotation) => self.denoted(annotation),
            None => self.denoted(node),
        }
    }

    /// `Name<arguments>`; a value of it when `promised`.
    fn generic(&mut self, node: Node<'t>, promised: bool) -> Raw {
        let Some(name) = node.child_by_field_name("name") else { return self.unknown() };
        let word = self.binder.str(name);
        let arguments: Vec<Node<'t>> =
            node.child_by_field_name("type_arguments").into_iter().flat_map(children).collect();
        let of = self.denoted(name);
        if let (Some(inner), true) = (of_function(node, "ReturnType", word), promised) {
            let function = self.expression(inner);
            return self.binder.call(function);
        }
        if let (Some(inner), true) = (of_function(node, "InstanceType", word), promised) {
            let class = self.expression(inner);
            return self.binder.value(class);
        }
        let (terms, first): (Vec<Raw>, Option<Raw>) = if TRANSPARENT.contains(&word) {
            let first =
                arguments.first().map(|first| if promised { self.promised(*first) } else { self.denoted(*first) });
            (arguments.iter().skip(1).map(|argument| self.denoted(*argument)).collect(), first)
        } else {
            (arguments.iter().map(|argument| self.denoted(*argument)).collect(), None)
        };
        match first {
            Some(first) if word == "Awaited" && promised => self.awaited(first),
            Some(first) => first,
            None => {
                let applied = self.binder.applied(of, terms);
                if promised { self.binder.value(applied) } else { applied }
            }
        }
    }

    /// A base with type arguments.
    fn applied_base(&mut self, node: Node<'t>, role: Role) -> Raw {
        let Some(name) = node.child_by_field_name("name") else { return self.unknown() };
        let of = self.denoted_as(name, role);
        let arguments = node.child_by_field_name("type_arguments").into_iter().flat_map(children);
        let arguments = arguments.map(|argument| self.denoted(argument)).collect();
        self.binder.applied(of, arguments)
    }

    /// `T["key"]` is the member `key` of a `T`, `T[number]` an element.
    fn looked_up(&mut self, node: Node<'t>) -> Raw {
        let parts = children(node);
        let [of, index] = parts.as_slice() else { return self.unknown() };
        let value = self.promised(*of);
        let literal = index.named_child(0).filter(|literal| literal.kind() == "string");
        match literal.and_then(content) {
            Some(key) if self.is_known(value) => {
                let member = self.binder.member(value, self.binder.str(key));
                self.binder.refer(member, Role::Read, key);
                member
            }
            _ => {
                self.denoted(*index);
                let is_number = self.binder.str(*index) == "number";
                if is_number { self.binder.inner(value, -1) } else { self.unknown() }
            }
        }
    }

    /// `A extends B ? C : D`; what `infer` names in `B` is seen in `C`.
    fn conditional(&mut self, node: Node<'t>) -> Raw {
        self.scoped(|javascript| {
            for field in ["left", "right", "consequence", "alternative"] {
                javascript.types(node.child_by_field_name(field));
            }
        });
        self.unknown()
    }

    /// `[Key in T]: V`, `[key: T]: V`.
    fn mapped(&mut self, node: Node<'t>) -> Raw {
        let name = node.child_by_field_name("name");
        if let Some(name) = name {
            self.binder.define(self.binder.str(name), Defined::Opaque, super::HOISTED);
        }
        for part in children(node).into_iter().filter(|part| Some(*part) != name) {
            if part.kind() == "mapped_type_clause" {
                self.mapped(part);
            } else {
                self.denoted(part);
            }
        }
        self.unknown()
    }
}

/// `x` of `Word<typeof x>`, when `word` is that word.
fn of_function<'t>(node: Node<'t>, wanted: &str, word: &str) -> Option<Node<'t>> {
    let query = node.child_by_field_name("type_arguments")?.named_child(0)?;
    (wanted == word && query.kind() == "type_query").then(|| query.named_child(0))?
}
