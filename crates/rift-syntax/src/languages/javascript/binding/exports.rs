//! `export` statements.

use tree_sitter::Node;

use super::{Export, JavaScript, WHOLE, children, has_token};
use crate::binding::{Raw, Role};
use crate::languages::javascript::parts::is_default;
use crate::languages::javascript::variables::unwrap;

impl<'t> JavaScript<'_, 't> {
    pub(super) fn export(&mut self, node: Node<'t>) {
        let declaration = node.child_by_field_name("declaration");
        let named = declaration.and_then(|declaration| declaration.child_by_field_name("name"));
        let owner = named.and_then(|name| self.binder.declared_at(name));
        self.owned(owner, |javascript| javascript.decorators(node));
        if let Some(declaration) = declaration {
            let export = if is_default(node) { Export::Default } else { Export::Named };
            if !self.declaration(declaration, export) {
                self.statement(declaration);
            }
            return;
        }
        if let Some(value) = node.child_by_field_name("value") {
            return self.export_default(node, value);
        }
        let module = self.source(node);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "*" => module.into_iter().for_each(|module| self.binder.wildcard(self.within, module, true)),
                "namespace_export" => self.export_namespace(child, module),
                "export_clause" => {
                    children(child).into_iter().for_each(|specifier| self.export_specifier(specifier, module));
                }
                "=" | "string" | "comment" | "decorator" => {}
                // `export = value`.
                _ if child.is_named() && has_token(node, "=") => {
                    let value = self.reference(child, Role::Export);
                    self.set_whole(value, true);
                }
                _ => {}
            }
        }
    }

    /// `export default value`.
    fn export_default(&mut self, node: Node<'t>, value: Node<'t>) {
        if unwrap(value).kind() == "identifier" {
            let term = self.reference(value, Role::Export);
            return self.binder.export(self.within, "default", term, false);
        }
        let mut cursor = node.walk();
        let word = node.children(&mut cursor).find(|child| child.kind() == "default");
        let decl = word.and_then(|word| self.binder.declared_at(word));
        let given = self.owned(decl, |javascript| javascript.initial(value, decl));
        match decl {
            Some(decl) => {
                self.binder.holds(decl, given);
                let term = self.binder.decl(decl);
                self.binder.export(self.within, "default", term, false);
            }
            None => self.binder.export(self.within, "default", given, false),
        }
    }

    /// `export * as name from "m"`.
    fn export_namespace(&mut self, node: Node<'t>, module: Option<Raw>) {
        let (Some(name), Some(module)) = (node.named_child(0), module) else { return };
        let Some(text) = self.key(name) else { return };
        self.named_export(name, text, module);
    }

    /// `name as alias` in an export clause, of this module or of another.
    fn export_specifier(&mut self, node: Node<'t>, module: Option<Raw>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let Some(text) = self.key(name) else { return };
        let target = match module {
            Some(module) => self.of_module(module, text, Role::Export, name),
            None => {
                let term = self.binder.name(text, name.start_byte());
                self.binder.refer(term, Role::Export, name);
                term
            }
        };
        let alias = node.child_by_field_name("alias").unwrap_or(name);
        let Some(exported) = self.key(alias) else { return };
        self.named_export(alias, exported, target);
    }

    /// Exports `target` under the name at `alias`, which may be declared as a name of its own.
    fn named_export(&mut self, alias: Node<'t>, exported: &'t str, target: Raw) {
        if let Some(decl) = self.binder.declared_at(alias) {
            self.binder.holds(decl, target);
        }
        self.binder.export(self.within, exported, target, exported != "default");
    }

    /// `module.exports = value`, `export = value`: what `require` yields, and what a default import takes. When the value
    /// has `names`, they are names of the module, too.
    pub(super) fn set_whole(&mut self, value: Raw, names: bool) {
        if !self.is_known(value) {
            return;
        }
        self.exports_whole = true;
        self.binder.export(self.within, WHOLE, value, false);
        self.binder.export(self.within, "default", value, false);
        if names {
            self.binder.wildcard(self.within, value, true);
        }
    }
}
