//! Python.

use std::sync::OnceLock;

use super::{Definition, Through};
use crate::engine::Visit;

pub(crate) static PYTHON: Definition = Definition {
    identity: "python",
    grammar: || tree_sitter_python::LANGUAGE.into(),
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
