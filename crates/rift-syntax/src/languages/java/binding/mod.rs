//! How names are bound in Java: blocks are scopes whose variables are visible from their declaration on, members of a type
//! and of the types around it are visible without a receiver, inherited ones too (Java language specification, 6.3 to 6.5).

mod declarations;
mod expressions;
mod imports;
mod patterns;
mod statements;
mod types;

use tree_sitter::Node;

use crate::binding::{Binder, DEPTH_MAX, Lexical, Raw, ScopeId};
use crate::facts::DeclId;
use crate::languages::BindingProvider;

pub(super) const PROVIDER: BindingProvider =
    BindingProvider { lexical: Lexical { ordered: true, members_in_scope: true, modules_closed: false }, walk };

/// The walk of one file.
struct Java<'b, 't> {
    binder: &'b mut Binder<'t>,
    /// The types around what is being walked, the innermost last.
    types: Vec<Enclosing<'t>>,
}

/// A type whose body is being walked.
struct Enclosing<'t> {
    /// Its declaration; an anonymous class has none.
    decl: Option<DeclId>,
    name: &'t str,
    /// The scope of its members.
    scope: ScopeId,
    /// The type that it extends, or the only one that an anonymous class has.
    base: Option<Raw>,
    /// The methods that an anonymous class declares, which are no symbols.
    own: Vec<&'t str>,
}

fn walk<'t>(binder: &mut Binder<'t>, root: Node<'t>) {
    let mut java = Java { binder, types: Vec::new() };
    java.statements(root);
}

impl<'t> Java<'_, 't> {
    /// Runs `go` one level deeper; nothing past the bound.
    fn deeper<T>(&mut self, go: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.binder.depth >= DEPTH_MAX {
            return None;
        }
        self.binder.depth += 1;
        let out = go(self);
        self.binder.depth -= 1;
        Some(out)
    }

    fn unknown(&mut self) -> Raw {
        self.binder.unknown()
    }

    /// Any of `parts` of which the text says something.
    fn known(&mut self, parts: Vec<Raw>) -> Raw {
        let parts = parts.into_iter().filter(|part| !self.binder.is_unknown(*part)).collect();
        self.binder.either(parts)
    }
}

/// The named children of `node` that are no comments.
fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

/// The first child of `node` that is a `kind`.
fn child_of<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() == kind)
}
