//! What stands where: the walk's one switch over kinds of nodes, and statements.

use tree_sitter::Node;

use super::Family;
use super::shapes::Shape;
use crate::binding::{Raw, Role, ScopeKind, Walker as _};

impl<'t> Family<'_, 't> {
    /// Walks `node`, whatever it is; what it yields.
    pub(super) fn walk(&mut self, node: Node<'t>) -> Raw {
        self.deeper(|family| family.walk_here(node)).unwrap_or_else(|| self.unknown())
    }

    fn walk_here(&mut self, node: Node<'t>) -> Raw {
        match node.kind() {
            "identifier" | "qualified_identifier" | "template_function" | "field_expression" => {
                self.named(node, Role::Read, None)
            }
            "call_expression" => self.call(node),
            "number_literal"
            | "string_literal"
            | "char_literal"
            | "raw_string_literal"
            | "primitive_type"
            | "true"
            | "false"
            | "null"
            | "comment"
            | "goto_statement"
            | "break_statement"
            | "continue_statement"
            | "attribute_declaration"
            | "attribute_specifier"
            | "access_specifier"
            | "storage_class_specifier"
            | "statement_identifier"
            | "type_qualifier"
            | "auto" => self.unknown(),
            "compound_statement" => self.block(node),
            "declaration" | "field_declaration" => self.declaration(node),
            "for_range_loop" => self.for_range(node),
            "if_statement" | "while_statement" | "for_statement" | "switch_statement" | "catch_clause" => {
                self.scoped(node)
            }
            "else_clause" => self.alternatives(node),
            "function_definition" => self.function(node),
            "lambda_expression" => self.lambda(node),
            "template_declaration" => self.template(node),
            "namespace_definition" => self.namespace(node),
            "namespace_alias_definition" => self.namespace_alias(node),
            "using_declaration" => self.using(node),
            "alias_declaration" => self.alias(node),
            "type_definition" => self.type_definition(node),
            "concept_definition" => self.concept(node),
            "friend_declaration" => self.friend(node),
            "preproc_include" => self.include(node),
            "preproc_def" | "preproc_function_def" => self.define(node),
            "preproc_if" | "preproc_ifdef" | "preproc_elif" | "preproc_elifdef" => self.conditional(node),
            "preproc_call" => self.directive(node),
            "preproc_defined" => self.defined(node),
            "parameter_declaration" | "optional_parameter_declaration" | "variadic_parameter_declaration" => {
                self.parameter(node)
            }
            "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
                self.specifier(node, Role::Type, None)
            }
            "type_identifier" | "template_type" | "dependent_type" | "namespace_identifier" => {
                self.denoted(node, Role::Type)
            }
            "type_descriptor" => self.promised(node),
            _ => self.expression(node),
        }
    }

    /// A block with its own names.
    pub(super) fn block(&mut self, node: Node<'t>) -> Raw {
        self.in_block(|family| family.each(node));
        self.unknown()
    }

    /// Runs `go` in a scope of its own.
    pub(super) fn in_block(&mut self, go: impl FnOnce(&mut Self)) {
        let (locals, tags) = (self.locals.len(), self.local_tags.len());
        self.binder.enter(ScopeKind::Block, None);
        go(self);
        self.binder.leave();
        self.locals.truncate(locals);
        self.local_tags.truncate(tags);
    }

    /// A statement whose head binds names for its parts.
    fn scoped(&mut self, node: Node<'t>) -> Raw {
        self.in_block(|family| {
            family.alternatives(node);
        });
        self.unknown()
    }

    /// The parts of `node`; a chain of `else if` is walked without going deeper, however long it is.
    fn alternatives(&mut self, node: Node<'t>) -> Raw {
        let mut here = Some(node);
        while let Some(node) = here.take() {
            for child in self.children(node) {
                match child.kind() {
                    "else_clause" => here = Some(child),
                    "if_statement" if node.kind() == "else_clause" => here = Some(child),
                    _ => {
                        self.walk(child);
                    }
                }
            }
        }
        self.unknown()
    }

    /// `for (declaration : range) body`.
    fn for_range(&mut self, node: Node<'t>) -> Raw {
        self.in_block(|family| {
            if let Some(first) = node.child_by_field_name("initializer") {
                family.walk(first);
            }
            let (mut of, mut shape) = (family.unknown(), Shape::Unknown);
            if let Some(right) = node.child_by_field_name("right") {
                shape = family.shape(right);
                of = family.walk(right);
            }
            let typed = node.child_by_field_name("type").map(|t| (family.promised(t), family.type_shape(t)));
            if let Some(declarator) = node.child_by_field_name("declarator") {
                // An array is told apart from a container by its declaration alone; a container it is elsewhere.
                let element = match shape {
                    Shape::Pointer => of,
                    _ => family.binder.inner(of, -1),
                };
                family.loop_variable(declarator, typed, element, of);
            }
            if let Some(body) = node.child_by_field_name("body") {
                family.walk(body);
            }
        });
        self.unknown()
    }

    /// Binds the variable, or the variables, of a loop over `of`.
    fn loop_variable(&mut self, declarator: Node<'t>, typed: Option<(Raw, Shape)>, element: Raw, of: Raw) {
        let name = super::super::declarators::declarator(declarator);
        match name {
            Some(d) => {
                let (value, shape) = match typed {
                    Some((value, shape)) if !self.binder.is_unknown(value) => (value, shape),
                    _ => (element, Shape::Unknown),
                };
                let shape = self.declared_shape(&d, shape);
                self.declare_local(d.name, value, shape);
            }
            None => self.structured(declarator, Some(of), element),
        }
    }
}
