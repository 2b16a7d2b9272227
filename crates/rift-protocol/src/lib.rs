//! What travels between Rift and its callers: requests, answers, warnings, errors and identities, as plain serde data
//! with JSON schemas. The only logic here parses and prints identities and checks the form of requests.
//!
//! Enum values are snake_case on the wire, objects refuse unknown members, and an absent member is left out rather
//! than null. Integers are unsigned and at most 2^53 - 1. Offsets count UTF-8 bytes from 0; lines count from 1.

mod common;
mod documentation;
mod error;
mod failure;
mod get_source;
mod get_symbol;
mod identity;
pub mod limits;
mod map;
mod nodes;
mod relation;
mod request;
pub mod schema;
mod search;
mod search_result;
mod symbol;
mod text;
mod violation;
mod warning;
mod workspace;

#[cfg(test)]
mod tests;

pub use common::{CapturedView, Pagination, SourceExcerpt, SourceSpan, TextRange, UnavailableReason};
pub use documentation::*;
pub use error::*;
pub use failure::Failure;
pub use get_source::*;
pub use get_symbol::*;
pub use identity::*;
pub use map::*;
pub use nodes::*;
pub use relation::*;
pub use request::Request;
pub use search::*;
pub use search_result::*;
pub use symbol::*;
pub use violation::Violation;
pub use warning::*;
pub use workspace::*;
