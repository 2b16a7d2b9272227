//! Binding: what the names in one file refer to, across files. Terms are facts of one file (rift-syntax); here they are
//! evaluated, following imports through the module layout of the language and members through the types that the text
//! states. Queries read narrow projections of other files (`named`, `declared`, `wildcards`, `resolved_imports`), which
//! do not call each other: what is cyclic in a program is walked in plain code with a bound, never by queries.

mod ancestry;
mod arguments;
mod crates;
mod evaluate;
mod extensions;
mod facts;
mod inclusion;
mod languages;
mod lookup;
mod members;
mod module_scopes;
mod modules;
mod names;
mod npm;
mod overriding;
mod refer;
mod textual;
mod tree;
mod values;
mod variants;

pub use crates::crates_in_code;
pub use extensions::{Extended, extended, extending, extensions_below};
pub(crate) use facts::file_surface;
pub use facts::{binding_facts, file_sites, file_uses, surface, uses};
pub use inclusion::{ScopeNames, headers_below, headers_named, included, includes, scope_names};
pub use languages::c::include_folders;
pub(crate) use languages::java::{java_directory, java_package, java_packages};
pub use lookup::{PathKey, directory_at, file_at};
pub use modules::{ModuleRef, PackageName, package_file, package_names, resolved_imports};
pub use names::{DeclKey, Declared, Meaning, NameIn, Star, What, declared, named, wildcards};
pub use npm::{npm_member, npm_package, npm_workspace, typescript_config};
pub use overriding::{Override, overrides};
pub use refer::{Alias, Bindings, Bound, Derivation, Referent, aliases, bindings};
pub use tree::Tree;
pub use variants::{Takes, Variant};
