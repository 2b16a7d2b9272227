//! How names are bound in Rust: items are visible in their whole module or block, variables from their `let` on; types,
//! values and macros have spaces of their own; modules are closed but for macros (The Rust Reference, "Names").

mod attributes;
mod calls;
mod expressions;
mod items;
mod macros;
mod paths;
mod patterns;
mod standard;
mod types;
mod uses;

use std::collections::HashMap;

use tree_sitter::Node;

use crate::binding::{Binder, Defined, Lexical, Raw, ScopeId, Walker, children};
use crate::facts::DeclId;
use crate::languages::BindingProvider;

pub(super) const PROVIDER: BindingProvider =
    BindingProvider { lexical: Lexical { ordered: true, members_in_scope: false, modules_closed: true }, walk };

/// The walk of one file.
struct Rust<'b, 't> {
    binder: &'b mut Binder<'t>,
    /// The file's own scope.
    file: ScopeId,
    /// What `Self` is.
    own_type: Option<OwnType<'t>>,
    /// What `self` is.
    receiver: Option<Raw>,
    /// The modules declared in this file around the walk, outermost first; one that is no declaration is absent.
    modules: Vec<Option<DeclId>>,
    /// The declaration, a module or a function, that the items being walked belong to.
    container: Option<DeclId>,
    /// Members that impl blocks of this file give to types of other files, by the type's last name. They have no
    /// container in the outline.
    extensions: HashMap<&'t str, Vec<(&'t str, DeclId)>>,
    /// Where the block being hoisted begins; items and imports are visible from there on. Absent in modules.
    block_start: Option<usize>,
    /// Whether the imports in the macro call that is walked were told while hoisting.
    imports_told: bool,
    /// The trait of the last `<A as T>` that was walked.
    as_trait: Option<Raw>,
}

/// The type that an impl block, a trait or a type's own item is about.
#[derive(Clone, Copy)]
struct OwnType<'t> {
    term: Raw,
    /// Its declaration, when this file declares it.
    decl: Option<DeclId>,
    /// Its last name.
    name: &'t str,
}

fn walk<'t>(binder: &mut Binder<'t>, root: Node<'t>) {
    let file = binder.scope();
    let mut rust = Rust {
        binder,
        file,
        own_type: None,
        receiver: None,
        modules: Vec::new(),
        container: None,
        extensions: HashMap::new(),
        block_start: None,
        imports_told: false,
        as_trait: None,
    };
    rust.hoist(root);
    rust.items(root);
    // Private names are visible to the modules inside, whose `use super::*` takes them.
    rust.binder.export_all(|_| true);
}

impl<'t> Walker<'t> for Rust<'_, 't> {
    fn binder(&mut self) -> &mut Binder<'t> {
        self.binder
    }
}

impl<'t> Rust<'_, 't> {
    /// The local variable `name` holds `value` from byte `at` on.
    fn local(&mut self, name: Node<'t>, value: Raw, at: usize) {
        let what = if self.binder.is_unknown(value) { Defined::Opaque } else { Defined::Value(value) };
        self.binder.define(self.binder.str(name), what, at);
    }

    /// A type that the language or its library has, by a name that nothing else is found under.
    fn builtin(&mut self, name: &'static str) -> Raw {
        self.binder.name_in(name, self.file)
    }

    /// An optional, a result or an iterator of `inside`: what has one type argument for [`Binder::inner`] to find.
    fn wrapped(&mut self, inside: Raw) -> Raw {
        if self.binder.is_unknown(inside) {
            return inside;
        }
        let head = self.builtin("Option");
        let applied = self.binder.applied(head, vec![inside]);
        self.binder.value(applied)
    }

    /// The tuple type of `parts`.
    fn tuple(&mut self, parts: Vec<Raw>) -> Raw {
        if parts.iter().all(|part| self.binder.is_unknown(*part)) {
            return self.unknown();
        }
        let head = self.builtin("()");
        self.binder.applied(head, parts)
    }

    /// A tuple of values.
    fn tuple_value(&mut self, parts: Vec<Raw>) -> Raw {
        let tuple = self.tuple(parts);
        self.binder.value(tuple)
    }
}

/// The name of the field number `at` of a tuple, for the numbers that occur.
fn digits(at: usize) -> Option<&'static str> {
    const DIGITS: [&str; 16] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];
    DIGITS.get(at).copied()
}
