//! Bounded parsing.

use std::cell::RefCell;
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
    /// progress report, and one report stands for a hundred parser operations. While the parser recovers from an
    /// error, a report costs more the longer that lasts. Real code takes 1 to 2 units a byte.
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
        Self { steps_per_byte: 8, nodes: 4_000_000, depth: 2_000, declarations: 65_536 }
    }
}

/// Units of parser work that any file may use, whatever its size.
const STEPS_FLOOR: u64 = 2_000_000;

/// Units of one progress report.
const REPORT: u64 = 100;

/// While the parser recovers from an error, an operation goes through what its stacks gathered since: measured on
/// random text, its cost grows with the distance. A report then costs one more unit per so many bytes since the last
/// report without an error.
const RECOVERY_BYTES: u64 = 2;

/// Brackets left open at the end of a text, or `<` within one statement, past which it is not parsed: recovery goes
/// through pairs of open constructs in one operation, which no report can stop. Balanced nesting has no bound.
const OPEN_MAX: usize = 2_000;

/// Whether `text` leaves more than [`OPEN_MAX`] brackets open. Brackets in strings and comments count like others.
fn leaves_too_much_open(text: &str) -> bool {
    /// So many bytes are counted in a byte, which vector instructions do many of at once.
    const COUNTED: usize = 255;
    let opening = |byte: &u8| u8::from(matches!(byte, b'(' | b'[' | b'{' | b'<'));
    let openings = |bytes: &[u8]| usize::from(bytes.iter().map(opening).sum::<u8>());
    // Few texts have so many at all.
    if text.as_bytes().chunks(COUNTED).map(openings).sum::<usize>() <= OPEN_MAX {
        return false;
    }
    let (mut open, mut angles) = (0usize, 0usize);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            b'<' => {
                angles += 1;
                if angles > OPEN_MAX {
                    return true;
                }
            }
            b'>' => angles = angles.saturating_sub(1),
            _ => {}
        }
        if matches!(byte, b';' | b'{' | b'}' | b'\n') {
            angles = 0;
        }
    }
    open > OPEN_MAX
}

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
    if leaves_too_much_open(text) {
        return Err(Problem::ParserSteps);
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
        let (mut spent, mut sound) = (0u64, 0u64);
        let mut progress = |state: &ParseState| {
            spent += REPORT;
            let at = state.current_byte_offset() as u64;
            if state.has_error() {
                spent += at.saturating_sub(sound) / RECOVERY_BYTES;
            } else {
                sound = at;
            }
            if spent > allowed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let bytes = text.as_bytes();
        let mut read = |offset: usize, _| bytes.get(offset..).unwrap_or(&[]);
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree.ok_or(Problem::ParserSteps)
    })
}
