//! Statements: what they bind, and in which scope.

use tree_sitter::Node;

use super::{Go, all, children};
use crate::binding::{ScopeKind, Walker as _};

impl<'t> Go<'_, 't> {
    /// Walks all statements of `node` in the current scope.
    pub(super) fn statements(&mut self, node: Node<'t>) {
        self.deeper(|go| children(node).into_iter().for_each(|child| go.statement(child)));
    }

    fn statement(&mut self, node: Node<'t>) {
        self.deeper(|go| go.statement_here(node));
    }

    fn scoped(&mut self, go: impl FnOnce(&mut Self)) {
        self.binder.enter(ScopeKind::Block, None);
        go(self);
        self.binder.leave();
    }

    fn statement_here(&mut self, node: Node<'t>) {
        match node.kind() {
            "package_clause"
            | "break_statement"
            | "continue_statement"
            | "goto_statement"
            | "empty_statement"
            | "fallthrough_statement"
            | "label_name" => {}
            "import_declaration" => self.import(node),
            "function_declaration" | "method_declaration" => self.function(node),
            "const_declaration" | "var_declaration" => self.group(node),
            "type_declaration" | "statement_list" | "labeled_statement" | "ERROR" => self.statements(node),
            "type_spec" | "type_alias" => self.type_declaration(node),
            "block"
            | "if_statement"
            | "expression_switch_statement"
            | "select_statement"
            | "expression_case"
            | "default_case" => self.scoped(|go| go.statements(node)),
            "for_statement" => self.scoped(|go| go.for_statement(node)),
            "for_clause"
            | "expression_statement"
            | "return_statement"
            | "expression_list"
            | "go_statement"
            | "defer_statement"
            | "send_statement" => self.statements(node),
            "type_switch_statement" => self.scoped(|go| go.type_switch(node)),
            "communication_case" => self.scoped(|go| go.statements(node)),
            "receive_statement" => self.short_declaration(node),
            "short_var_declaration" => self.short_declaration(node),
            "assignment_statement" => self.assignment(node),
            "inc_statement" | "dec_statement" => {
                children(node).into_iter().for_each(|operand| self.target(operand));
            }
            _ => {
                self.expression(node);
            }
        }
    }

    fn assignment(&mut self, node: Node<'t>) {
        if let Some(right) = node.child_by_field_name("right") {
            self.values(right);
        }
        for left in node.child_by_field_name("left").into_iter().flat_map(children) {
            self.target(left);
        }
    }

    /// `a, b := x, y`, also where a channel is received from; with `=` nothing is declared.
    fn short_declaration(&mut self, node: Node<'t>) {
        let right = node.child_by_field_name("right");
        let values = right.map(|right| self.values(right)).unwrap_or_default();
        let left: Vec<Node<'t>> = node.child_by_field_name("left").into_iter().flat_map(children).collect();
        let declares = node.kind() == "short_var_declaration" || self.has_token(node, ":=");
        for (at, name) in left.iter().enumerate() {
            if declares && name.kind() == "identifier" {
                let value = self.value_at(&values, at, left.len(), right);
                self.define_value(*name, value, node.end_byte());
            } else {
                self.target(*name);
            }
        }
    }

    fn has_token(&self, node: Node<'t>, token: &str) -> bool {
        (0..node.child_count()).any(|at| node.child(at).is_some_and(|child| child.kind() == token))
    }

    fn for_statement(&mut self, node: Node<'t>) {
        for child in children(node) {
            if child.kind() == "range_clause" {
                self.range(child);
            } else {
                self.statement(child);
            }
        }
    }

    /// `for i, x := range xs`: the index and the elements of what is ranged over; of a function, what the function takes that
    /// it is given (The Go Programming Language Specification, "For statements with range clause").
    fn range(&mut self, node: Node<'t>) {
        let source = match node.child_by_field_name("right") {
            Some(right) => self.expression(right),
            None => self.unknown(),
        };
        let declares = self.has_token(node, ":=");
        let yields = self.binder.parameter(source, 0);
        for (at, name) in node.child_by_field_name("left").into_iter().flat_map(children).enumerate() {
            if declares && name.kind() == "identifier" {
                let (taken, held) =
                    (self.binder.parameter(yields, at), self.binder.inner(source, if at == 0 { 0 } else { -1 }));
                let value = self.binder.first(vec![taken, held]);
                self.define_value(name, value, node.end_byte());
            } else {
                self.target(name);
            }
        }
    }

    /// `switch x := v.(type)`: in a case of one type, `x` is of that type.
    fn type_switch(&mut self, node: Node<'t>) {
        if let Some(initializer) = node.child_by_field_name("initializer") {
            self.statement(initializer);
        }
        let value = match node.child_by_field_name("value") {
            Some(value) => self.expression(value),
            None => self.unknown(),
        };
        let alias = node.child_by_field_name("alias").and_then(|alias| alias.named_child(0));
        for case in children(node) {
            if !matches!(case.kind(), "type_case" | "default_case") {
                continue;
            }
            self.scoped(|go| {
                let stated = all(case, "type");
                let denoted: Vec<_> = stated.iter().map(|stated| go.denoted(*stated, None)).collect();
                let here = match denoted.as_slice() {
                    [one] => go.binder.value(*one),
                    _ => value,
                };
                if let Some(alias) = alias {
                    go.define_value(alias, here, case.start_byte());
                }
                for part in children(case).into_iter().filter(|part| !stated.contains(part)) {
                    go.statement(part);
                }
            });
        }
    }
}
