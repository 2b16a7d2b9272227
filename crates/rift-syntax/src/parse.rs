//! Bounded parsing.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::facts::Problem;
use crate::languages::{Definition, second_reading, yaml};

/// What one file may cost. All bounds are counts of work, never time: a fact may not depend on the machine. The bound
/// on bytes is the caller's (`[providers.syntax] max_file`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Parser work allowed per byte of text, on top of a fixed allowance for small files. One unit is a hundredth of a
    /// progress report (one report per hundred parser operations); after the first syntax error a report counts
    /// eightfold, as recovery tries many ways at once. Real code takes 1 to 2 units a byte.
    pub steps_per_byte: u32,
    /// Syntax nodes walked.
    pub nodes: u32,
    /// Nesting depth walked.
    pub depth: u32,
    /// Declarations kept.
    pub declarations: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { steps_per_byte: 16, nodes: 4_000_000, depth: 2_000, declarations: 65_536 }
    }
}

/// Units of parser work that any file may use, whatever its size.
const STEPS_FLOOR: u64 = 100_000;

/// Units of one progress report, before and after the first syntax error.
const REPORT: u64 = 100;
const REPORT_IN_RECOVERY: u64 = 800;

/// The text is handed to the parser in pieces of this size, so that reading can be counted: a token that reaches to
/// the end of the text and is tried at every position is work that no operation count shows.
const PIECE: usize = 4096;

/// Units of reading one piece again.
const READ_AGAIN: u64 = 100;

thread_local! {
    /// By the address of the definition.
    static PARSERS: RefCell<HashMap<usize, Parser>> = RefCell::default();
}

/// Parses `text`, once more where [`second_reading`] knows a way to understand more of it; the tree with less damage,
/// and the definition whose grammar made it.
pub(crate) fn parse_best(
    definition: &'static Definition,
    text: &str,
    bounds: &Bounds,
) -> Result<(Tree, &'static Definition), Problem> {
    let tree = parse(definition, text, bounds)?;
    if tree.root_node().has_error()
        && let Some((other, rewritten)) = second_reading(definition, text)
        && let Ok(again) = parse(other, &rewritten, bounds)
        && damage(&again) < damage(&tree)
    {
        return Ok((again, other));
    }
    Ok((tree, definition))
}

/// Bytes that lie in errors, and one for each error and each missing token.
fn damage(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut sum = 0;
    loop {
        let node = cursor.node();
        let is_damage = node.is_error() || node.is_missing();
        if is_damage {
            sum += 1 + node.end_byte() - node.start_byte();
        }
        if !is_damage && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return sum;
            }
        }
    }
}

/// Parses `text`. A parser is kept per thread and definition.
fn parse(definition: &'static Definition, text: &str, bounds: &Bounds) -> Result<Tree, Problem> {
    if definition.identity == "yaml" && yaml::nests_too_deep(text) {
        return Err(Problem::Depth);
    }
    PARSERS.with_borrow_mut(|parsers| {
        let parser = parsers.entry(std::ptr::from_ref(definition).addr()).or_insert_with(|| {
            let mut parser = Parser::new();
            let grammar = (definition.grammar)();
            // Fails only for a grammar of another ABI, which every test of that language would show.
            let loaded = parser.set_language(&grammar);
            debug_assert!(loaded.is_ok(), "{}: {loaded:?}", definition.identity);
            parser
        });
        let allowed = STEPS_FLOOR + text.len() as u64 * u64::from(bounds.steps_per_byte);
        let spent = Cell::new(0u64);
        let spend = |units: u64| spent.set(spent.get() + units);
        let mut furthest = 0;
        let bytes = text.as_bytes();
        let mut read = |offset: usize, _| {
            if offset < furthest {
                spend(READ_AGAIN);
            }
            furthest = furthest.max(offset);
            bytes.get(offset..bytes.len().min(offset + PIECE)).unwrap_or(&[])
        };
        let mut progress = |state: &ParseState| {
            spend(if state.has_error() { REPORT_IN_RECOVERY } else { REPORT });
            if spent.get() > allowed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree.ok_or(Problem::ParserSteps)
    })
}
