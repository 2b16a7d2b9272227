//! Binding facts: what the names in one file can mean, as far as its own text says.
//!
//! A language walks its tree once and tells a [`Binder`] about scopes, definitions, imports and references. Lexical
//! scoping is settled here, with the file: names that a local scope binds are replaced by what the text says about
//! their values. What is left are [`Term`]s over the file's declarations, its imports and free names, which
//! query-graph evaluates across files. Local variables and parameters are no symbols, so references to them are not
//! kept.

mod binder;
mod display;
mod facts;
mod packed;
mod scopes;
mod settle;
mod walker;

pub(crate) use binder::{Binder, Defined, Lexical, Raw, ScopeKind, Space};
pub use display::describe;
pub use facts::*;
pub use packed::PackedBinding;
pub(crate) use scopes::ScopeId;
pub(crate) use walker::{Walker, children, children_but_extras};
