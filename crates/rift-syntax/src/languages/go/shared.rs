//! What several names of one line share: `a, b int` in a `var` declaration or a struct.

use tree_sitter::Node;

use super::{comments, scope, usable};
use crate::engine::{Draft, Visit, Walk};
use crate::facts::DeclId;
use crate::text::{clip, squeeze};

/// Names of one line that get its documentation; further ones go without, so that a line's text is not kept thousands
/// of times.
const DOCUMENTED: usize = 16;

/// Longest type, in bytes, that each of several names keeps.
pub(super) const SHARED_TYPE: usize = 256;

pub(super) struct Shared {
    /// The type as written, with the star of an embedded pointer.
    pub(super) definition: Option<String>,
    alone: bool,
}

/// The usable names of a line.
pub(super) fn names<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name("name", &mut cursor).filter(|n| n.is_named() && usable(walk, *n)).collect()
}

impl Shared {
    pub(super) fn read(walk: &Walk<'_>, node: Node<'_>, names: &[Node<'_>]) -> Self {
        let alone = names.len() == 1;
        let definition = node.child_by_field_name("type").map(|d| squeeze(walk.str(d)));
        let definition = if alone { definition } else { definition.map(|d| clip(d, SHARED_TYPE)) };
        Self { definition, alone }
    }

    /// `name Type`.
    pub(super) fn signature(&self, name: &str) -> String {
        match &self.definition {
            Some(definition) => format!("{name} {definition}"),
            None => name.to_owned(),
        }
    }

    /// Attaches the comments of the line to the draft of its name number `at`.
    pub(super) fn document<'t>(&self, walk: &Walk<'t>, node: Node<'t>, at: usize, draft: &mut Draft<'_>) {
        if at < DOCUMENTED {
            comments::attach(walk, node, draft);
        }
    }

    /// How to go on after the line: the fields of an unnamed struct belong to the line's only name.
    pub(super) fn inside(&self, walk: &Walk<'_>, last: Option<DeclId>) -> Visit {
        match last {
            Some(id) if self.alone => Visit::Enter(walk.scope_of(id, scope::TYPE)),
            _ => Visit::Skip,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_not_kept_for_each_of_many_names() {
        let names: Vec<String> = (0..100).map(|n| format!("n{n}")).collect();
        let text = format!("package a\n// d\nvar {} int\n", names.join(", "));
        let language = rift_base::Language::new("go").unwrap();
        let facts = crate::extract(&text, &language, &crate::Bounds::default()).unwrap();
        let named = facts.outline.declarations.iter().filter(|d| d.path.name().starts_with('n'));
        let documented: Vec<bool> = named.map(|d| d.documentation.is_some()).collect();
        assert_eq!(documented.len(), 100);
        assert!(documented[..DOCUMENTED].iter().all(|d| *d) && documented[DOCUMENTED..].iter().all(|d| !*d));
    }
}
