//! What every language's walk does alike.

use tree_sitter::Node;

use super::binder::{Binder, DEPTH_MAX, Raw};

/// The walk of one file in one language.
pub(crate) trait Walker<'t> {
    /// What the walk tells.
    fn binder(&mut self) -> &mut Binder<'t>;

    /// Runs `go` one level deeper; nothing past [`DEPTH_MAX`].
    fn deeper<T>(&mut self, go: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.binder().depth >= DEPTH_MAX {
            return None;
        }
        self.binder().depth += 1;
        let out = go(self);
        self.binder().depth -= 1;
        Some(out)
    }

    /// Nothing that binding can use.
    fn unknown(&mut self) -> Raw {
        self.binder().unknown()
    }

    /// Any of `parts` of which the text says something.
    fn known(&mut self, mut parts: Vec<Raw>) -> Raw {
        let binder = self.binder();
        parts.retain(|part| !binder.is_unknown(*part));
        binder.either(parts)
    }
}

/// The named children of `node`, comments among them.
pub(crate) fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The named children of `node` that are no comments, where the grammar has these as extras.
pub(crate) fn children_but_extras<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}
