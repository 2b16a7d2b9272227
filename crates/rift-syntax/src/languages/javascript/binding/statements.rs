//! Statements: which scopes they open, and which of their parts may not run.

use tree_sitter::Node;

use super::patterns::Bind;
use super::{Export, JavaScript, children};
use crate::binding::{ScopeKind, Walker as _};

/// Declarations whose names belong to the block that they stand in.
const BLOCK_SCOPED: &[&str] = &[
    "lexical_declaration",
    "using_declaration",
    "class_declaration",
    "abstract_class_declaration",
    "function_declaration",
    "generator_function_declaration",
    "enum_declaration",
    "interface_declaration",
    "type_alias_declaration",
];

impl<'t> JavaScript<'_, 't> {
    /// Walks all statements in `node`, in the current scope.
    pub(super) fn statements(&mut self, node: Node<'t>) {
        let go = |javascript: &mut Self| children(node).into_iter().for_each(|child| javascript.statement(child));
        self.deeper(go);
    }

    pub(super) fn statement(&mut self, node: Node<'t>) {
        self.deeper(|javascript| javascript.statement_here(node));
    }

    fn statement_here(&mut self, node: Node<'t>) {
        match node.kind() {
            "expression_statement" => self.statements(node),
            "import_statement" => self.import(node),
            "export_statement" => self.export(node),
            "statement_block" => self.block(node),
            "if_statement" => {
                self.part(node, "condition");
                self.branch(node, "consequence");
                self.branch(node, "alternative");
            }
            "for_statement" => self.for_statement(node),
            "for_in_statement" => self.for_in_statement(node),
            "while_statement" | "do_statement" | "with_statement" => {
                self.part(node, "condition");
                self.part(node, "object");
                self.branch(node, "body");
            }
            "switch_statement" => {
                self.part(node, "value");
                node.child_by_field_name("body").into_iter().for_each(|body| self.block(body));
            }
            "switch_case" | "switch_default" => self.branched(|javascript| javascript.statements(node)),
            "try_statement" => {
                self.branch(node, "body");
                self.branch(node, "handler");
                node.child_by_field_name("finalizer").into_iter().for_each(|part| self.statements(part));
            }
            "catch_clause" => self.catch_clause(node),
            "return_statement" => self.returned(node),
            "else_clause" | "ERROR" => self.statements(node),
            "labeled_statement" => node.child_by_field_name("body").into_iter().for_each(|body| self.statement(body)),
            "break_statement" | "continue_statement" | "empty_statement" | "debugger_statement" | "hash_bang_line"
            | "comment" => {}
            _ => {
                if !self.declaration(node, Export::No) {
                    self.expression(node);
                }
            }
        }
    }

    /// A declaration, exported as `export` says; whether `node` is one.
    pub(super) fn declaration(&mut self, node: Node<'t>, export: Export) -> bool {
        match node.kind() {
            "variable_declaration" | "lexical_declaration" | "using_declaration" => self.variables(node, export),
            "function_declaration" | "generator_function_declaration" | "function_signature" => {
                self.function_declaration(node, export);
            }
            "class_declaration" | "abstract_class_declaration" => self.class_declaration(node, export),
            "interface_declaration" => self.interface(node, export),
            "type_alias_declaration" => self.type_alias(node, export),
            "enum_declaration" => self.enumeration(node, export),
            "module" | "internal_module" => self.namespace(node, export),
            "ambient_declaration" => self.ambient(node, export),
            "import_alias" => self.import_alias(node, export),
            _ => return false,
        }
        true
    }

    /// Walks the part `field` of a statement: an expression or a statement.
    fn part(&mut self, node: Node<'t>, field: &str) {
        node.child_by_field_name(field).into_iter().for_each(|part| self.statement(part));
    }

    fn branch(&mut self, node: Node<'t>, field: &str) {
        if let Some(part) = node.child_by_field_name(field) {
            self.branched(|javascript| javascript.statement(part));
        }
    }

    /// A block; it is a scope when it declares something of its own.
    fn block(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor);
        let declares = parts.any(|part| BLOCK_SCOPED.contains(&part.kind()) || part.kind().starts_with("switch_"));
        if declares {
            self.scoped(|javascript| javascript.statements(node));
        } else {
            self.statements(node);
        }
    }

    /// Runs `go` in a block's scope.
    pub(super) fn scoped<T>(&mut self, go: impl FnOnce(&mut Self) -> T) -> T {
        self.binder.enter(ScopeKind::Block, None);
        let out = go(self);
        self.binder.leave();
        out
    }

    fn for_statement(&mut self, node: Node<'t>) {
        self.scoped(|javascript| {
            javascript.part(node, "initializer");
            javascript.part(node, "condition");
            javascript.branch(node, "body");
            javascript.part(node, "increment");
        });
    }

    /// `for (const left of right)`: each element of an iterable. `for … in` yields names, of which nothing is known.
    fn for_in_statement(&mut self, node: Node<'t>) {
        let Some(right) = node.child_by_field_name("right") else { return };
        let source = self.expression(right);
        let of_elements = node.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "of");
        let element = if of_elements { self.binder.inner(source, -1) } else { self.unknown() };
        let word = node.child_by_field_name("kind").map(|kind| kind.kind());
        self.scoped(|javascript| {
            if let Some(left) = node.child_by_field_name("left") {
                let bind = match word {
                    Some("var") => Bind::Var,
                    Some(_) => Bind::Block,
                    None => Bind::Assign,
                };
                let pairs = left.kind() == "array_pattern" && of_elements;
                if pairs {
                    javascript.entries(left, source, bind);
                } else {
                    javascript.bind(left, element, bind);
                }
            }
            javascript.branch(node, "body");
        });
    }

    fn catch_clause(&mut self, node: Node<'t>) {
        self.scoped(|javascript| {
            if let Some(annotation) = node.child_by_field_name("type") {
                javascript.promised(annotation);
            }
            if let Some(parameter) = node.child_by_field_name("parameter") {
                let nothing = javascript.unknown();
                javascript.bind(parameter, nothing, Bind::Block);
            }
            node.child_by_field_name("body").into_iter().for_each(|body| javascript.statements(body));
        });
    }

    fn returned(&mut self, node: Node<'t>) {
        for value in children(node) {
            let term = self.expression(value);
            self.results.push(term);
            self.returned_value(value);
        }
    }
}
