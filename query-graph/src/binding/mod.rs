//! Binding: what the names in one file refer to, across files. Terms are facts of one file (rift-syntax); here they are
//! evaluated, following imports through the module layout of the language and members through the types that the text
//! states. Queries read narrow projections of other files (`named`, `declared`, `wildcards`, `resolved_imports`), which
//! do not call each other: what is cyclic in a program is walked in plain code with a bound, never by queries.

mod evaluate;
mod facts;
mod languages;
mod lookup;
mod modules;
mod names;
mod refer;

mod tree;

pub use facts::{binding_facts, file_sites, file_uses, surface, uses};
pub use lookup::{PathKey, directory_at, file_at};
pub use modules::{ModuleRef, PackageName, package_file, package_names, resolved_imports};
pub use names::{DeclKey, Declared, Meaning, NameIn, Star, What, declared, named, wildcards};
pub use refer::{Bindings, Bound, Derivation, bindings};
pub use tree::Tree;
