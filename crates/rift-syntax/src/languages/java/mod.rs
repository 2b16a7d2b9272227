//! Java.

use std::sync::OnceLock;

use super::{Definition, Through};
use crate::engine::Visit;

pub(crate) static JAVA: Definition = Definition {
    identity: "java",
    grammar: || tree_sitter_java::LANGUAGE.into(),
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
