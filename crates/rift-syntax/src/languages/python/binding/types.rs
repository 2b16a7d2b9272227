//! Annotations: which values they promise.

use tree_sitter::Node;

use super::{Python, children};
use crate::binding::{Raw, Role, Walker as _};

/// Generic forms of the module `typing` that stand for no class: a value made with one is a type.
const FORMS: &[&str] = &["Annotated", "Callable", "ClassVar", "Optional", "Type", "Union"];

impl<'t> Python<'_, 't> {
    /// A value of the type that `node` spells. `Optional[T]` and `T | None` promise a `T`, `type[T]` the class itself.
    pub(super) fn promised(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|python| python.promised_here(node)).unwrap_or_else(|| self.unknown())
    }

    fn promised_here(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "type" | "parenthesized_expression" => match node.named_child(0) {
                Some(inner) => self.promised(inner),
                None => self.unknown(),
            },
            "none" => self.unknown(),
            "binary_operator" | "union_type" => {
                let parts: Vec<Raw> = children(node).into_iter().map(|part| self.promised(part)).collect();
                self.known(parts)
            }
            "string" => self.quoted(node, true),
            "subscript" | "generic_type" => self.parametrized(node, true),
            // As the receiver's own members see it: a method of a base yields a value of what it is called on.
            "identifier" if self.binder.str(node) == "Self" && self.method.is_some() => self.itself(),
            _ => {
                let denoted = self.denoted(node);
                self.binder.value(denoted)
            }
        }
    }

    fn itself(&mut self) -> Raw {
        match self.method {
            Some(method) => self.binder.this(method.class),
            None => self.unknown(),
        }
    }

    /// Whether an assigned value is a type by its form: `Union[...]`, `Optional[...]` and the like.
    pub(super) fn is_form(&self, node: Node<'t>) -> bool {
        let of = node.child_by_field_name("value").filter(|_| node.kind() == "subscript");
        of.is_some_and(|of| FORMS.contains(&self.binder.str(of).rsplit('.').next().unwrap_or("")))
    }

    /// The type that `node` spells.
    pub(super) fn denoted(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|python| python.denoted_here(node)).unwrap_or_else(|| self.unknown())
    }

    fn denoted_here(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "type" | "parenthesized_expression" => match node.named_child(0) {
                Some(inner) => self.denoted(inner),
                None => self.unknown(),
            },
            "identifier" => {
                let text = self.binder.str(node);
                if text == "Self"
                    && let Some(method) = self.method
                {
                    return self.binder.decl(method.class);
                }
                let term = self.binder.name(text, node.start_byte());
                self.binder.refer(term, Role::Type, node);
                term
            }
            "attribute" | "member_type" => {
                let (object, name) = match node.kind() {
                    "attribute" => (node.child_by_field_name("object"), node.child_by_field_name("attribute")),
                    _ => (node.named_child(0), node.named_child(1)),
                };
                let (Some(object), Some(name)) = (object, name) else { return self.unknown() };
                let object = self.denoted(object);
                let member = self.binder.member(object, self.binder.str(name));
                self.binder.refer(member, Role::Type, name);
                member
            }
            "subscript" | "generic_type" => self.parametrized(node, false),
            "string" => self.quoted(node, false),
            "none" | "ellipsis" | "integer" => self.unknown(),
            _ => {
                let parts: Vec<Raw> = children(node).into_iter().map(|part| self.denoted(part)).collect();
                self.known(parts)
            }
        }
    }

    /// `of[arguments]`; a value of it when `promised`.
    fn parametrized(&mut self, node: Node<'t>, promised: bool) -> Raw {
        let mut parts = children(node).into_iter();
        let Some(of) = parts.next() else { return self.unknown() };
        let word = self.binder.str(of).rsplit('.').next().unwrap_or("");
        // `tuple[T, ...]` holds as many as there are.
        let arguments: Vec<Node<'t>> = parts
            .flat_map(|part| if part.kind() == "type_parameter" { children(part) } else { vec![part] })
            .filter(|part| self.binder.str(*part) != "...")
            .collect();
        let of = self.denoted(of);
        match word {
            "Literal" => self.unknown(),
            "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "ReadOnly" => {
                let mut types: Vec<Raw> = Vec::new();
                for argument in arguments.into_iter().take(1) {
                    types.push(if promised { self.promised(argument) } else { self.denoted(argument) });
                }
                self.known(types)
            }
            "Optional" | "Union" => {
                let mut types: Vec<Raw> = Vec::new();
                for argument in arguments {
                    types.push(if promised { self.promised(argument) } else { self.denoted(argument) });
                }
                self.known(types)
            }
            "Type" | "type" if promised => {
                let types: Vec<Raw> = arguments.into_iter().map(|argument| self.denoted(argument)).collect();
                self.known(types)
            }
            _ => {
                let arguments = arguments.into_iter().map(|argument| self.denoted(argument)).collect();
                let applied = self.binder.applied(of, arguments);
                if promised { self.binder.value(applied) } else { applied }
            }
        }
    }
}
