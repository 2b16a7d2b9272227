//! Tests that macros declare: GoogleTest (`TEST`, `TEST_F`, `TEST_P`, `TYPED_TEST`, `TYPED_TEST_P`) and Catch2 or doctest
//! (`TEST_CASE`, `SCENARIO`, `TEST_CASE_METHOD`, `TEMPLATE_TEST_CASE`).

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use super::declarators::{Declarator, Spelled};
use super::items::{Item, draft, signature};
use super::types::Specifiers;
use super::{CLASS, HIDDEN, WHAT};
use crate::engine::Walk;
use crate::facts::{DeclId, Joins};

/// Macros whose arguments are a suite and a test's name.
const SUITE_AND_NAME: &[&str] = &["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "FRIEND_TEST"];

/// Macros whose string argument is a test's name.
const NAMED_BY_STRING: &[&str] =
    &["TEST_CASE", "SCENARIO", "TEST_CASE_METHOD", "TEMPLATE_TEST_CASE", "TEST_CASE_FIXTURE", "SCENARIO_METHOD"];

/// Whether `word` is a macro whose call and block are a test.
pub(super) fn is_test_macro(word: &str) -> bool {
    SUITE_AND_NAME.contains(&word) || NAMED_BY_STRING.contains(&word)
}

/// Declares the test that a macro call with a block is.
pub(super) fn test<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    item: &Item,
    d: &Declarator<'t>,
    specifiers: &Specifiers<'t>,
) -> Option<DeclId> {
    let word = walk.str(d.name);
    if specifiers.kind.is_some() || walk.scope.tag & WHAT == CLASS || !is_test_macro(word) {
        return None;
    }
    let parameters = d.function?.child_by_field_name("parameters")?;
    let arguments = walk.str(parameters);
    let inner = arguments.strip_prefix('(')?.strip_suffix(')')?;
    let (qualifier, name) = if SUITE_AND_NAME.contains(&word) {
        let (suite, name) = inner.split_once(',')?;
        (vec![suite.trim().to_owned()], name.trim())
    } else {
        (Vec::new(), inner.split('"').nth(1)?)
    };
    let at = inner.rfind(name)?;
    let start = parameters.start_byte() + 1 + at;
    let spelled = Spelled { qualifier, name: name.to_owned(), node: d.name, arguments: false };
    let mut draft = draft("function", node, item, spelled);
    draft.name_range = ByteRange::new(start, start + name.len());
    draft.facets = draft.facets.union(Facets::of(&[Facet::Value, Facet::Callable, Facet::Test]));
    draft.file_local = walk.scope.tag & HIDDEN != 0;
    let body = node.child_by_field_name("body")?;
    draft.body = ByteRange::new(body.start_byte(), body.end_byte());
    draft.signature = signature(walk.text, item.range.start as usize, body.start_byte());
    draft.joins = Joins::Alone;
    Some(walk.declare(draft))
}
