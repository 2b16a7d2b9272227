//! How names are bound in Python: functions and comprehensions have scopes, class bodies are invisible to the functions in
//! them, blocks have none (The Python Language Reference, 4.2 "Naming and binding").

mod containers;
mod definitions;
mod expressions;
mod imports;
mod quoted;
mod statements;
mod types;

use tree_sitter::Node;

use crate::binding::{Binder, Lexical, Raw, Walker, children};
use crate::facts::DeclId;
use crate::languages::BindingProvider;

pub(super) const PROVIDER: BindingProvider =
    BindingProvider { lexical: Lexical { ordered: false, members_in_scope: false, modules_closed: false }, walk };

/// The walk of one file.
struct Python<'b, 't> {
    binder: &'b mut Binder<'t>,
    /// The class whose method is being walked, and its first parameter's name.
    method: Option<Method<'t>>,
    /// The names of `__all__`, when the module lists them.
    all: Option<Vec<&'t str>>,
    /// What the callable that is being walked returns, and what it yields.
    results: Vec<Raw>,
    yields: Vec<Raw>,
}

#[derive(Clone, Copy)]
struct Method<'t> {
    class: DeclId,
    receiver: &'t str,
    /// Whether the first parameter is the class and not a value of it.
    of_class: bool,
}

fn walk<'t>(binder: &mut Binder<'t>, root: Node<'t>) {
    let mut python = Python { binder, method: None, all: None, results: Vec::new(), yields: Vec::new() };
    python.block(root);
    let all = python.all.take();
    binder.export_all(|name| match &all {
        Some(all) => all.contains(&name),
        None => !name.starts_with('_'),
    });
}

impl<'t> Walker<'t> for Python<'_, 't> {
    fn binder(&mut self) -> &mut Binder<'t> {
        self.binder
    }
}
