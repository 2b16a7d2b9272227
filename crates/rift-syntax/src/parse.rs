//! Bounded parsing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::facts::Problem;
use crate::languages::{Definition, yaml};

/// What one file may cost. All bounds are counts of work, never time: a fact may not depend on the machine. The bound
/// on bytes is the caller's (`[providers.syntax] max_file`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Parser progress reports (one per hundred parser operations) allowed per byte of text, on top of a fixed
    /// allowance for small files.
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
        Self { steps_per_byte: 1, nodes: 4_000_000, depth: 2_000, declarations: 65_536 }
    }
}

/// Progress reports that any file may use, whatever its size.
const STEPS_FLOOR: u64 = 10_000;

thread_local! {
    static PARSERS: RefCell<HashMap<&'static str, Parser>> = RefCell::default();
}

/// Parses `text`. A parser is kept per thread and language.
pub(crate) fn parse(definition: &Definition, text: &str, bounds: &Bounds) -> Result<Tree, Problem> {
    if definition.identity == "yaml" && yaml::nests_too_deep(text) {
        return Err(Problem::Depth);
    }
    PARSERS.with_borrow_mut(|parsers| {
        let parser = parsers.entry(definition.identity).or_insert_with(|| {
            let mut parser = Parser::new();
            let grammar = (definition.grammar)();
            // Fails only for a grammar of another ABI, which every test of that language would show.
            let loaded = parser.set_language(&grammar);
            debug_assert!(loaded.is_ok(), "{}: {loaded:?}", definition.identity);
            parser
        });
        let allowed = STEPS_FLOOR + text.len() as u64 * u64::from(bounds.steps_per_byte);
        let mut steps = 0u64;
        let mut progress = |_: &ParseState| {
            steps += 1;
            if steps > allowed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(&mut |offset, _| bytes.get(offset..).unwrap_or(&[]), None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree.ok_or(Problem::ParserSteps)
    })
}
