//! Imports: `import a.b as c`, `from ..a import b as c`, `from a import *`.

use tree_sitter::Node;

use super::{Python, children};
use crate::binding::{Defined, Raw, Role};

impl<'t> Python<'_, 't> {
    /// `import a.b` binds `a`; `import a.b as c` binds `c` to the module `a.b`.
    pub(super) fn import(&mut self, node: Node<'t>) {
        for import in children(node) {
            match import.kind() {
                "aliased_import" => {
                    let (Some(name), Some(alias)) =
                        (import.child_by_field_name("name"), import.child_by_field_name("alias"))
                    else {
                        continue;
                    };
                    let module = self.binder.module(self.binder.str(name));
                    self.bind(alias, module);
                }
                "dotted_name" => {
                    let Some(first) = import.named_child(0) else { continue };
                    let module = self.binder.module(self.binder.str(first));
                    self.bind(first, module);
                }
                _ => {}
            }
        }
    }

    /// `from module import names`.
    pub(super) fn import_from(&mut self, node: Node<'t>) {
        let Some(from) = node.child_by_field_name("module_name") else { return };
        let module = self.binder.module(self.binder.str(from));
        let mut cursor = node.walk();
        let names: Vec<Node<'t>> = node.children_by_field_name("name", &mut cursor).collect();
        for import in names {
            let (name, alias) = match import.kind() {
                "aliased_import" => (import.child_by_field_name("name"), import.child_by_field_name("alias")),
                _ => (Some(import), None),
            };
            let Some(name) = name.filter(|name| !name.byte_range().is_empty()) else { continue };
            let target = self.binder.member(module, self.binder.str(name));
            self.binder.refer(target, Role::Import, name);
            self.bind(alias.unwrap_or(name), target);
        }
        if children(node).iter().any(|child| child.kind() == "wildcard_import") {
            self.binder.wildcard(None, module, true);
        }
    }

    fn bind(&mut self, name: Node<'t>, means: Raw) {
        let text = self.binder.str(name);
        self.binder.define(text, Defined::Alias(means), name.start_byte());
    }
}
