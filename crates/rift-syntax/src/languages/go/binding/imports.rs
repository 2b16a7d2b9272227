//! Imports: `import "a/b"`, with another name, with a dot, or blank.

use rift_base::ByteRange;
use tree_sitter::Node;

use super::{Go, children};
use crate::binding::{Defined, Role, Walker as _};

impl<'t> Go<'_, 't> {
    pub(super) fn import(&mut self, node: Node<'t>) {
        for child in children(node) {
            match child.kind() {
                "import_spec" => self.import_spec(child),
                _ => {
                    self.deeper(|go| go.import(child));
                }
            }
        }
    }

    fn import_spec(&mut self, node: Node<'t>) {
        let Some(quoted) = node.child_by_field_name("path") else { return };
        let path = self.binder.str(quoted).trim_matches(['"', '`']);
        if path.is_empty() {
            return;
        }
        let module = self.binder.module(path);
        let start = quoted.start_byte() + 1;
        self.binder.refer_at(module, Role::Import, ByteRange::new(start, start + path.len()), None);
        match node.child_by_field_name("name") {
            Some(name) if name.kind() == "dot" => self.binder.wildcard(None, module, false),
            Some(name) if name.kind() == "blank_identifier" => {}
            Some(name) => self.binder.define(self.binder.str(name), Defined::Alias(module), name.start_byte()),
            None => self.binder.define(package_name(path), Defined::Alias(module), node.start_byte()),
        }
    }
}

/// The name that the package at `path` has by convention: the last element that is no major version (`a/b/v2`), without
/// the version of gopkg.in (`yaml.v3`). Where its files state another one, the layout rules find it.
fn package_name(path: &str) -> &str {
    let mut elements = path.rsplit('/');
    let last = elements.next().unwrap_or(path);
    let is_version = |element: &str| {
        element.strip_prefix('v').is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && digits != "0" && digits != "1"
        })
    };
    let named = if is_version(last) { elements.next().unwrap_or(last) } else { last };
    match named.rsplit_once('.') {
        Some((name, version)) if is_version(version) || version == "v0" || version == "v1" => name,
        _ => named,
    }
}
