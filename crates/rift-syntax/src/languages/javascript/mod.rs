//! JavaScript, TypeScript and TSX.

use std::sync::OnceLock;

use super::{Definition, Through};
use crate::engine::Visit;

pub(crate) static JAVASCRIPT: Definition = Definition {
    identity: "javascript",
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    separator: ".",
    visits: &[],
    through: Through::Only(&[]),
    leading: &[],
    visit: |_, _| Visit::Skip,
    whole_file: None,
    node_facets: |_| &[],
    regions: &[],
    plan: OnceLock::new(),
};

pub(crate) static TYPESCRIPT: Definition = Definition {
    identity: "typescript",
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    separator: ".",
    visits: &[],
    through: Through::Only(&[]),
    leading: &[],
    visit: |_, _| Visit::Skip,
    whole_file: None,
    node_facets: |_| &[],
    regions: &[],
    plan: OnceLock::new(),
};

pub(crate) static TSX: Definition = Definition {
    identity: "typescript:tsx",
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    separator: ".",
    visits: &[],
    through: Through::Only(&[]),
    leading: &[],
    visit: |_, _| Visit::Skip,
    whole_file: None,
    node_facets: |_| &[],
    regions: &[],
    plan: OnceLock::new(),
};
