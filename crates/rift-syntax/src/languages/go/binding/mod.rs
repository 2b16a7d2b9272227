//! How names are bound in Go: blocks are scopes whose variables are visible from behind their declaration on; what a file
//! declares at its top is the package's, whose files share a scope, its imports are its own (Go specification,
//! "Declarations and scope"). Pointers are transparent: what a `*T` holds is what a `T` holds.

mod declarations;
mod expressions;
mod imports;
mod statements;
mod types;

use tree_sitter::Node;

use crate::binding::{Binder, Defined, Lexical, Raw, Walker, children_but_extras as children};
use crate::languages::BindingProvider;

pub(super) const PROVIDER: BindingProvider =
    BindingProvider { lexical: Lexical { ordered: true, members_in_scope: false, modules_closed: false }, walk };

/// The walk of one file.
struct Go<'b, 't> {
    binder: &'b mut Binder<'t>,
    /// Whether the walk is at the file's own level.
    top: bool,
    /// The types of the parameters of the signature that was walked last.
    taken: Vec<Raw>,
}

fn walk<'t>(binder: &mut Binder<'t>, root: Node<'t>) {
    let mut go = Go { binder, top: true, taken: Vec::new() };
    go.statements(root);
}

impl<'t> Walker<'t> for Go<'_, 't> {
    fn binder(&mut self) -> &mut Binder<'t> {
        self.binder
    }
}

impl<'t> Go<'_, 't> {
    /// `name` is a local variable whose values `value` tells, from byte `at` on.
    fn define_value(&mut self, name: Node<'t>, value: Raw, at: usize) {
        let text = self.binder.str(name);
        if text != "_" {
            let what = if self.binder.is_unknown(value) { Defined::Opaque } else { Defined::Value(value) };
            self.binder.define(text, what, at);
        }
    }
}

/// The named children of `node` in its field `field`.
fn all<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(field, &mut cursor).filter(Node::is_named).collect()
}
