//! Syntax: what one file's text says by itself. [`extract`] parses, walks the tree once, drops it and returns
//! [`FileFacts`]; [`ParsedFile`] keeps a tree for the few questions that need one.
//!
//! One folder per language under `languages/`; adding a language is adding a folder, its line in
//! `languages/mod.rs` and its line in [`rift_base::KNOWN_LANGUAGES`]. No IO, no clock: a fact depends on the text,
//! the language and the bounds alone.

mod binding;
mod documents;
mod engine;
mod facts;
mod languages;
mod packed;
mod parse;
mod parsed;
mod text;

/// A digest of what decides the facts of a text beside its language and bounds: the sources of this crate and of
/// rift-base, and the versions of the grammars. Facts that are stored under another one are not this build's.
pub const EXTRACTOR: &str = env!("RIFT_EXTRACTOR");

pub use binding::{
    BindingFacts, DeclTerms, Entry, NameId, PARAMETERS, PackedBinding, Reference, Role, Surface, Term, TermId, Terms,
    UnitCounts, Uses, Wildcard, describe,
};
pub use documents::{Block, BlockKind, Document, DocumentFailure, Heading, Markup, document, spans};
pub use engine::{extract, extract_bound};
pub use facts::*;
pub use languages::{effective_language, module_separator};
pub use packed::{PackedFacts, PackedOutline};
pub use parse::Bounds;
pub use parsed::{ChainNode, ParsedFile};
