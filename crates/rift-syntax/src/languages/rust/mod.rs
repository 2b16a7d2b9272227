//! Rust.

use std::sync::OnceLock;

use super::{Definition, Through};
use crate::engine::Visit;

pub(crate) static RUST: Definition = Definition {
    identity: "rust",
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    separator: "::",
    visits: &[],
    through: Through::Only(&[]),
    leading: &[],
    visit: |_, _| Visit::Skip,
    whole_file: None,
    node_facets: |_| &[],
    regions: &[],
    plan: OnceLock::new(),
};
