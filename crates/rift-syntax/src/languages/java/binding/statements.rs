//! Statements: what they bind, and in which scope.

use tree_sitter::Node;

use super::lambdas::Call;
use super::{Java, children};
use crate::binding::{Raw, Role, ScopeKind, Walker as _};

impl<'t> Java<'_, 't> {
    /// Walks all statements of `node` in the current scope.
    pub(super) fn statements(&mut self, node: Node<'t>) {
        self.deeper(|java| children(node).into_iter().for_each(|child| java.statement(child)));
    }

    /// Walks `node` in a scope of its own.
    fn scoped(&mut self, go: impl FnOnce(&mut Self)) {
        self.binder.enter(ScopeKind::Block, None);
        go(self);
        self.binder.leave();
    }

    pub(super) fn statement(&mut self, node: Node<'t>) {
        self.deeper(|java| java.statement_here(node));
    }

    fn statement_here(&mut self, node: Node<'t>) {
        match node.kind() {
            "import_declaration" => self.import(node),
            "package_declaration" => self.modifiers(node),
            "module_declaration" | "break_statement" | "continue_statement" => {}
            "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration" => self.type_declaration(node),
            "method_declaration" => self.callable(node),
            "local_variable_declaration" => self.local(node),
            "block" => self.scoped(|java| java.statements(node)),
            "labeled_statement" => {
                children(node).into_iter().skip(1).for_each(|child| self.statement(child));
            }
            "for_statement" | "while_statement" | "synchronized_statement" | "do_statement" => {
                self.scoped(|java| java.statements(node));
            }
            "return_statement" => {
                let value = node.named_child(0).map(|value| self.expression(value));
                self.results.extend(value);
            }
            "enhanced_for_statement" => self.scoped(|java| java.enhanced_for(node)),
            "try_with_resources_statement" | "try_statement" => self.try_statement(node),
            "catch_clause" => self.scoped(|java| java.catch(node)),
            "explicit_constructor_invocation" => self.explicit_constructor(node),
            // The variables of a condition's patterns are visible behind the statement where that makes sense (6.3.2.2).
            "if_statement"
            | "finally_clause"
            | "expression_statement"
            | "throw_statement"
            | "yield_statement"
            | "assert_statement"
            | "static_initializer"
            | "ERROR" => self.statements(node),
            _ => {
                self.expression(node);
            }
        }
    }

    /// `T a = x, b[] = y;`
    fn local(&mut self, node: Node<'t>) {
        self.modifiers(node);
        let stated = node.child_by_field_name("type").filter(|stated| self.binder.str(*stated) != "var");
        let denoted = stated.map(|stated| self.denoted(stated, Role::Type, None));
        let mut cursor = node.walk();
        let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in declarators {
            let given = declarator.child_by_field_name("value").map(|value| self.initial(value, denoted));
            let value = match denoted {
                Some(denoted) if declarator.child_by_field_name("dimensions").is_some() => {
                    let array = self.binder.made_of(vec![denoted]);
                    self.binder.value(array)
                }
                Some(denoted) => self.binder.value(denoted),
                None => given.unwrap_or_else(|| self.unknown()),
            };
            if let Some(name) = declarator.child_by_field_name("name") {
                self.define_value(name, value, name.start_byte());
            }
        }
    }

    /// `for (T x : xs)`
    fn enhanced_for(&mut self, node: Node<'t>) {
        self.modifiers(node);
        let source = match node.child_by_field_name("value") {
            Some(value) => self.expression(value),
            None => self.unknown(),
        };
        let stated = node.child_by_field_name("type").filter(|stated| self.binder.str(*stated) != "var");
        let element = match stated {
            Some(stated) => self.promised(stated, node.child_by_field_name("dimensions").is_some()),
            None => self.binder.inner(source, -1),
        };
        if let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) {
            // The variable is not visible in what is iterated.
            self.define_value(name, element, body.start_byte());
            self.statement(body);
        }
    }

    fn try_statement(&mut self, node: Node<'t>) {
        self.scoped(|java| {
            for resource in node.child_by_field_name("resources").into_iter().flat_map(children) {
                java.resource(resource);
            }
            if let Some(body) = node.child_by_field_name("body") {
                java.statement(body);
            }
        });
        for child in children(node) {
            if matches!(child.kind(), "catch_clause" | "finally_clause") {
                self.statement(child);
            }
        }
    }

    /// `T name = value`, or a variable that stands alone.
    fn resource(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else {
            return self.statements(node);
        };
        self.modifiers(node);
        let stated = node.child_by_field_name("type").filter(|stated| self.binder.str(*stated) != "var");
        let promised = stated.map(|stated| self.promised(stated, false));
        let given = node.child_by_field_name("value").map(|value| self.expression(value));
        let value = promised.or(given).unwrap_or_else(|| self.unknown());
        self.define_value(name, value, name.start_byte());
    }

    fn catch(&mut self, node: Node<'t>) {
        for parameter in children(node).into_iter().filter(|child| child.kind() == "catch_formal_parameter") {
            self.modifiers(parameter);
            let mut caught: Vec<Raw> = Vec::new();
            for types in children(parameter).into_iter().filter(|child| child.kind() == "catch_type") {
                caught.extend(children(types).into_iter().map(|one| self.promised(one, false)).collect::<Vec<_>>());
            }
            let value = self.known(caught);
            if let Some(name) = parameter.child_by_field_name("name") {
                self.define_value(name, value, name.start_byte());
            }
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.statement(body);
        }
    }

    /// `this(…)` and `super(…)` of a constructor.
    fn explicit_constructor(&mut self, node: Node<'t>) {
        if let Some(object) = node.child_by_field_name("object") {
            self.expression(object);
        }
        let Some(constructor) = node.child_by_field_name("constructor") else { return };
        let called = match (self.types.last(), constructor.kind()) {
            (Some(around), "this") => around.decl.map(|decl| self.binder.decl(decl)),
            (Some(around), _) => around.base,
            (None, _) => None,
        };
        let callee = called.unwrap_or_else(|| self.unknown());
        let list = node.child_by_field_name("arguments");
        let arguments = list.map_or(0, |list| self.arguments(list, &Call { callee, receiver: None, name: "" }).0);
        if let Some(called) = called {
            self.binder.refer_at(called, Role::Call, crate::text::range(constructor), Some(arguments));
        }
    }
}
