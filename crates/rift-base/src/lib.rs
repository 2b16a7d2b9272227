//! Plain values that every floor of the house shares: project paths, digests, languages, byte
//! ranges, logical names, facets, deadlines, configuration and the units that search ranks.
//!
//! Nothing here reads a file, a socket or an environment variable.

mod config;
mod deadline;
mod digest;
mod document;
mod facet;
mod language;
mod name;
pub mod parallel;
mod path;
mod range;
mod source;
mod unit;
mod wire;

pub use config::*;
pub use deadline::{Deadline, Interrupt, OnCancel};
pub use digest::{Digest, DigestBuilder};
pub use document::DocumentFormat;
pub use facet::{Facet, Facets};
pub use language::{KNOWN_LANGUAGES, KnownLanguage, Language};
pub use name::{NameError, NamePath, NamePathBuf, escape_segment, unescape_segment};
pub use path::{PathError, ProjectPath};
pub use range::{ByteRange, LineIndex, line_of};
pub use source::{GeneratedReason, IndexPolicy, Presence, SourceKind, SyntaxPolicy, TextPolicy, Unavailable};
pub use unit::{FileUnits, SymbolUnit, split_identifier};
