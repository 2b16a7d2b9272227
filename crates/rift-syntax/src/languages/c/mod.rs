//! C and C++.

use std::sync::OnceLock;

use super::{Definition, Through};
use crate::engine::Visit;

pub(crate) static C: Definition = Definition {
    identity: "c",
    grammar: || tree_sitter_c::LANGUAGE.into(),
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

pub(crate) static CPP: Definition = Definition {
    identity: "cpp",
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
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

/// Whether a header's text holds C++-only tokens.
pub(crate) fn is_cpp(_text: &str) -> bool {
    false
}
