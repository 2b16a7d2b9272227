//! Object literals: their members, and `this` in their methods.

use tree_sitter::Node;

use super::{ITSELF, JavaScript, children};
use crate::binding::{Raw, Role, Walker as _};
use crate::facts::DeclId;

impl<'t> JavaScript<'_, 't> {
    /// An object literal; `exported` when its members are what the module exports.
    pub(super) fn object(&mut self, node: Node<'t>, exported: bool) -> Raw {
        for part in children(node) {
            match part.kind() {
                "pair" => self.pair(part, exported),
                "method_definition" => self.object_method(part, exported),
                "shorthand_property_identifier" => {
                    let term = self.binder.name(self.binder.str(part), part.start_byte());
                    self.binder.refer(term, if exported { Role::Export } else { Role::Read }, part);
                    self.tell(part, self.binder.declared_at(part), term, exported);
                }
                "spread_element" => {
                    for inner in children(part) {
                        let of = self.expression(inner);
                        if exported && self.is_known(of) {
                            self.binder.wildcard(None, of, true);
                        }
                    }
                }
                _ => self.expressions(Some(part)),
            }
        }
        self.unknown()
    }

    fn pair(&mut self, node: Node<'t>, exported: bool) {
        let (Some(key), Some(value)) = (node.child_by_field_name("key"), node.child_by_field_name("value")) else {
            return;
        };
        self.computed(key);
        let decl = self.binder.declared_at(key);
        let this = self.this;
        let own = decl.filter(|decl| !self.is_alias(*decl));
        let term = self.owned(own, |javascript| match value.kind() {
            "function_expression" | "generator_function" => {
                javascript.this = javascript.holder(decl, exported);
                javascript.method_value(value, decl)
            }
            "identifier" if exported => javascript.reference(value, Role::Export),
            _ => javascript.initial(value, decl),
        });
        self.this = this;
        self.tell(key, decl, term, exported);
    }

    fn object_method(&mut self, node: Node<'t>, exported: bool) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.computed(name);
        let decl = self.binder.declared_at(name);
        let this = self.this;
        self.this = self.holder(decl, exported);
        self.owned(decl, |javascript| javascript.method(node, decl));
        self.this = this;
        let nothing = self.unknown();
        self.tell(name, decl, nothing, exported);
    }

    /// The object that has `decl` as a member; the module, for what it exports.
    fn holder(&mut self, decl: Option<DeclId>, exported: bool) -> Option<Raw> {
        if exported {
            return Some(self.binder.module(ITSELF));
        }
        let container = self.binder.facts.outline.get(decl?)?.container?;
        Some(self.binder.decl(container))
    }

    /// The member `decl` under `key` holds `value`.
    fn tell(&mut self, key: Node<'t>, decl: Option<DeclId>, value: Raw, exported: bool) {
        if exported {
            if let Some(name) = self.key(key) {
                self.export_key(name, decl, value);
            }
        } else if let Some(decl) = decl {
            self.binder.holds(decl, value);
        }
    }
}
