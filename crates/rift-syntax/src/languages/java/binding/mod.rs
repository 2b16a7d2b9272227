//! How names are bound in Java: blocks are scopes whose variables are visible from their declaration on, members of a type
//! and of the types around it are visible without a receiver, inherited ones too (Java language specification, 6.3 to 6.5).

mod declarations;
mod expressions;
mod imports;
mod lambdas;
mod patterns;
mod statements;
mod types;

use tree_sitter::Node;

use crate::binding::{Binder, Lexical, Raw, ScopeId, Walker, children_but_extras as children};
use crate::facts::DeclId;
use crate::languages::BindingProvider;

pub(super) const PROVIDER: BindingProvider =
    BindingProvider { lexical: Lexical { ordered: true, members_in_scope: true, modules_closed: false }, walk };

/// The walk of one file.
struct Java<'b, 't> {
    binder: &'b mut Binder<'t>,
    /// The types around what is being walked, the innermost last.
    types: Vec<Enclosing<'t>>,
    /// What the lambda that is being walked returns.
    results: Vec<Raw>,
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
    let mut java = Java { binder, types: Vec::new(), results: Vec::new() };
    java.statements(root);
}

impl<'t> Walker<'t> for Java<'_, 't> {
    fn binder(&mut self) -> &mut Binder<'t> {
        self.binder
    }
}

/// The first child of `node` that is a `kind`.
fn child_of<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() == kind)
}
