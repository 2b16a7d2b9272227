//! Imports (Java language specification, 7.5): of a type, of a static member, and of all of a package or type.

use tree_sitter::Node;

use super::{Java, child_of, children};
use crate::binding::{Defined, Raw, Role, Walker as _};

impl<'t> Java<'_, 't> {
    pub(super) fn import(&mut self, node: Node<'t>) {
        let Some(name) = children(node).into_iter().find(|child| child.kind().ends_with("identifier")) else { return };
        let is_static = (0..node.child_count()).any(|at| node.child(at).is_some_and(|c| c.kind() == "static"));
        if child_of(node, "asterisk").is_some() {
            let of = if is_static { self.imported(name) } else { self.package(name) };
            self.binder.wildcard(None, of, false);
            return;
        }
        let means = self.imported(name);
        let last = name.child_by_field_name("name").unwrap_or(name);
        self.binder.define(self.binder.str(last), Defined::Alias(means), last.start_byte());
    }

    /// What the name of an import denotes. By convention (6.1) the names of packages start with a lower-case letter and
    /// those of types do not; which of both a name is, its last part apart, the text does not say otherwise.
    fn imported(&mut self, node: Node<'t>) -> Raw {
        let (Some(scope), Some(name)) = (node.child_by_field_name("scope"), node.child_by_field_name("name")) else {
            let term = self.binder.name(self.binder.str(node), node.start_byte());
            self.binder.refer(term, Role::Import, node);
            return term;
        };
        let of = self.package(scope);
        let member = self.binder.member(of, self.binder.str(name));
        self.binder.refer(member, Role::Import, name);
        member
    }

    /// The package or type that qualifies what is imported.
    fn package(&mut self, node: Node<'t>) -> Raw {
        let last = node.child_by_field_name("name").unwrap_or(node);
        let is_type = self.binder.str(last).starts_with(char::is_uppercase);
        let qualified = node.child_by_field_name("scope").is_some();
        match is_type && qualified {
            true => self.deeper(|java| java.imported(node)).unwrap_or_else(|| self.unknown()),
            false => self.binder.module(self.binder.str(node)),
        }
    }
}
