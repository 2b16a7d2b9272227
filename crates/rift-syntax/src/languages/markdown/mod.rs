//! Markdown.

use std::sync::OnceLock;

use super::{Definition, Through};
use crate::engine::Visit;

pub(crate) static MARKDOWN: Definition = Definition {
    identity: "markdown",
    grammar: || tree_sitter_md::LANGUAGE.into(),
    separator: " > ",
    visits: &[],
    through: Through::Only(&[]),
    leading: &[],
    visit: |_, _| Visit::Skip,
    whole_file: None,
    node_facets: |_| &[],
    regions: &[],
    plan: OnceLock::new(),
};
