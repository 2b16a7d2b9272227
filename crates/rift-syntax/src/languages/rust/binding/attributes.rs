//! Attributes: what decorates an item, and where a module's file lies.

use tree_sitter::Node;

use super::{Rust, children};
use crate::binding::{Raw, Role, Space};
use crate::facts::DeclId;

/// Attributes of the language (The Rust Reference, "Built-in attributes index") and of its tools: no names that a scope
/// could bind.
const BUILT_IN: [&str; 57] = [
    "allow",
    "automatically_derived",
    "bench",
    "cfg",
    "cfg_attr",
    "clippy",
    "cold",
    "coverage",
    "crate_name",
    "crate_type",
    "debugger_visualizer",
    "default",
    "deny",
    "deprecated",
    "derive",
    "diagnostic",
    "doc",
    "expect",
    "export_name",
    "feature",
    "forbid",
    "global_allocator",
    "ignore",
    "inline",
    "instruction_set",
    "link",
    "link_name",
    "link_ordinal",
    "link_section",
    "macro_export",
    "macro_use",
    "miri",
    "must_use",
    "naked",
    "no_builtins",
    "no_implicit_prelude",
    "no_link",
    "no_main",
    "no_mangle",
    "no_std",
    "non_exhaustive",
    "panic_handler",
    "path",
    "proc_macro",
    "proc_macro_attribute",
    "proc_macro_derive",
    "recursion_limit",
    "repr",
    "rustfmt",
    "should_panic",
    "target_feature",
    "test",
    "track_caller",
    "type_length_limit",
    "unstable",
    "used",
    "warn",
];

impl<'t> Rust<'_, 't> {
    /// Walks the attributes of an item; of the item `decl`, when it is a declaration.
    pub(super) fn attributes(&mut self, attributes: &[Node<'t>], decl: Option<DeclId>) {
        for item in attributes {
            let Some(attribute) = item.named_child(0).filter(|child| child.kind() == "attribute") else { continue };
            let Some(path) = attribute.named_child(0) else { continue };
            let arguments = attribute.child_by_field_name("arguments");
            match self.binder.str(path) {
                "derive" => arguments.into_iter().for_each(|list| self.derived(list)),
                "proc_macro_derive" => self.derive_macro(arguments, decl),
                name if BUILT_IN.contains(&name.split("::").next().unwrap_or("").trim()) => {}
                _ => {
                    self.path(path, Space::Macros, Role::Decorate);
                }
            }
        }
    }

    /// The paths in `derive(a, b::c)`.
    fn derived(&mut self, list: Node<'t>) {
        let mut of: Option<Raw> = None;
        let mut cursor = list.walk();
        let tokens: Vec<Node<'t>> = list.children(&mut cursor).collect();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind() {
                "identifier" => {
                    let text = self.binder.str(*token);
                    let last = tokens.get(at + 1).is_none_or(|next| next.kind() != "::");
                    let (space, role) = if last { (Space::Macros, Role::Decorate) } else { (Space::Types, Role::Read) };
                    let term = match of {
                        Some(of) => self.binder.member(of, text),
                        None => self.binder.name_among(space, text, token.start_byte()),
                    };
                    self.binder.refer(term, role, *token);
                    of = Some(term);
                }
                "crate" => of = Some(self.binder.module("crate")),
                "::" => {}
                _ => of = None,
            }
        }
    }

    /// `#[proc_macro_derive(Name)]` gives the module a macro under a name that no item has.
    fn derive_macro(&mut self, arguments: Option<Node<'t>>, decl: Option<DeclId>) {
        let name = arguments.and_then(|list| list.named_child(0)).filter(|name| name.kind() == "identifier");
        if let (Some(name), Some(decl)) = (name, decl) {
            let term = self.binder.decl(decl);
            self.binder.export(self.modules.last().copied().flatten(), self.binder.str(name), term, true);
        }
    }

    /// `#[path = "…"]` says which file a module is; `#[macro_use]` that its macros are visible behind it.
    pub(super) fn module_attributes(&mut self, decl: DeclId, attributes: &[Node<'t>]) -> Option<&'t str> {
        let mut file = None;
        for item in attributes {
            let Some(attribute) = item.named_child(0) else { continue };
            let name = attribute.named_child(0).map_or("", |path| self.binder.str(path));
            let value = attribute.child_by_field_name("value");
            let content = value.and_then(|value| children(value).into_iter().find(|c| c.kind() == "string_content"));
            if let ("path", Some(content)) = (name, content) {
                file = Some(self.binder.str(content));
            }
            if name == "macro_use" {
                let module = self.binder.decl(decl);
                self.binder.wildcard(self.modules.last().copied().flatten(), module, true);
            }
        }
        file
    }
}
