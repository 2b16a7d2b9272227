//! Lambdas: captures, parameters, body.

use tree_sitter::Node;

use super::Family;
use super::shapes::Shape;
use crate::binding::{Raw, ScopeKind, Walker as _};

impl<'t> Family<'_, 't> {
    pub(super) fn lambda(&mut self, node: Node<'t>) -> Raw {
        let (locals, tags, local) = (self.locals.len(), self.local_tags.len(), self.local);
        let captures = node.child_by_field_name("captures").map(|list| self.children(list)).unwrap_or_default();
        let mut bound = Vec::new();
        for capture in captures {
            match capture.kind() {
                // `[name = value]` is looked up outside, and bound inside.
                "lambda_capture_initializer" => {
                    let value = capture.child_by_field_name("right").map(|right| self.walk(right));
                    bound.extend(capture.child_by_field_name("left").zip(value));
                }
                "lambda_default_capture" => {}
                _ => {
                    self.walk(capture);
                }
            }
        }
        self.binder.enter(ScopeKind::Callable, None);
        for (name, value) in bound {
            self.declare_local(name, value, Shape::Unknown);
        }
        if let Some(list) = node.child_by_field_name("template_parameters") {
            self.template_parameters(list);
        }
        if let Some(function) = node.child_by_field_name("declarator") {
            for child in self.children(function) {
                match child.kind() {
                    "parameter_list" => self.each(child),
                    _ => {
                        self.walk(child);
                    }
                }
            }
        }
        self.local = true;
        if let Some(body) = node.child_by_field_name("body") {
            self.each(body);
        }
        self.binder.leave();
        self.local = local;
        self.locals.truncate(locals);
        self.local_tags.truncate(tags);
        self.unknown()
    }
}
