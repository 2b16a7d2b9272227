//! Use declarations and `extern crate`: which names they bind, and to what.

use tree_sitter::Node;

use super::{Rust, children};
use crate::binding::{Defined, Raw, Role, Space, Walker as _};

impl<'t> Rust<'_, 't> {
    /// `use tree;`
    pub(super) fn use_declaration(&mut self, node: Node<'t>) {
        let Some(tree) = node.child_by_field_name("argument") else { return };
        let exported = node.child(0).is_some_and(|child| child.kind() == "visibility_modifier");
        let import = Import {
            at: self.block_start.unwrap_or(node.start_byte()),
            role: if exported { Role::Export } else { Role::Import },
        };
        self.use_tree(tree, None, import);
    }

    /// The tree `node` behind the path `prefix`.
    fn use_tree(&mut self, node: Node<'t>, prefix: Option<Raw>, import: Import) {
        let go = |rust: &mut Self| rust.use_tree_here(node, prefix, import);
        self.deeper(go);
    }

    fn use_tree_here(&mut self, node: Node<'t>, prefix: Option<Raw>, import: Import) {
        match node.kind() {
            "use_list" => children(node).into_iter().for_each(|inner| self.use_tree(inner, prefix, import)),
            "scoped_use_list" => {
                let path = node.child_by_field_name("path");
                let prefix = path.map(|path| self.use_path(path, prefix, import, Role::Import)).or(prefix);
                if let Some(list) = node.child_by_field_name("list") {
                    self.use_tree(list, prefix, import);
                }
            }
            "use_wildcard" => {
                let of = match node.named_child(0) {
                    Some(path) => self.use_path(path, prefix, import, Role::Import),
                    None => prefix.unwrap_or_else(|| self.unknown()),
                };
                let within = self.modules.last().copied().flatten();
                // A private glob's names are visible to the modules inside, like any private name.
                self.binder.wildcard(within, of, true);
            }
            "use_as_clause" => {
                let (Some(path), Some(alias)) = (node.child_by_field_name("path"), node.child_by_field_name("alias"))
                else {
                    return;
                };
                let means = self.use_path(path, prefix, import, import.role);
                self.bind_import(alias, means, import);
            }
            "self" if prefix.is_some() => {
                // `a::{self}` binds `a`, which was told as the last segment of the prefix.
                let before = node.parent().and_then(|list| list.parent()).and_then(|p| p.child_by_field_name("path"));
                let name = before.map(|path| path.child_by_field_name("name").unwrap_or(path));
                if let (Some(name), Some(means)) = (name, prefix) {
                    self.bind_import(name, means, import);
                }
            }
            "identifier" | "scoped_identifier" => {
                let means = self.use_path(node, prefix, import, import.role);
                self.bind_import(node.child_by_field_name("name").unwrap_or(node), means, import);
            }
            _ => {}
        }
    }

    /// What the path `node` behind `prefix` means.
    fn use_path(&mut self, node: Node<'t>, prefix: Option<Raw>, import: Import, role: Role) -> Raw {
        match (node.kind(), prefix) {
            ("self", Some(prefix)) => prefix,
            ("identifier" | "super", Some(prefix)) => {
                let member = self.binder.member(prefix, self.binder.str(node));
                self.binder.refer(member, role, node);
                member
            }
            ("identifier", None) => {
                let term = self.binder.name_among(Space::Import, self.binder.str(node), import.at);
                self.binder.refer(term, role, node);
                term
            }
            ("scoped_identifier", _) => {
                let path = node.child_by_field_name("path");
                let above = self.binder.str(node).ends_with("super");
                let (Some(path), Some(name), false) = (path, node.child_by_field_name("name"), above) else {
                    return self.path(node, Space::Import, role);
                };
                let of = self.deeper(|rust| rust.use_path(path, prefix, import, Role::Import));
                let Some(of) = of else { return self.unknown() };
                let member = self.binder.member(of, self.binder.str(name));
                self.binder.refer(member, role, name);
                member
            }
            _ => self.path(node, Space::Import, role),
        }
    }

    fn bind_import(&mut self, name: Node<'t>, means: Raw, import: Import) {
        let text = self.binder.str(name);
        if matches!(text, "_" | "crate" | "super" | "self") {
            return;
        }
        self.binder.define(text, Defined::Alias(means), import.at);
        // A renaming or a re-export is a declaration, which stands for what it names.
        if let Some(alias) = self.binder.declared_at(name) {
            self.binder.holds(alias, means);
        }
    }

    /// `extern crate name as alias;`
    pub(super) fn extern_crate(&mut self, node: Node<'t>) {
        let import = Import { at: self.block_start.unwrap_or(node.start_byte()), role: Role::Import };
        let Some(name) = node.child_by_field_name("name") else { return };
        let means = match self.binder.str(name) {
            "self" => self.binder.module("crate"),
            text => {
                let term = self.binder.name_among(Space::Import, text, import.at);
                self.binder.refer(term, Role::Import, name);
                term
            }
        };
        self.bind_import(node.child_by_field_name("alias").unwrap_or(name), means, import);
    }
}

/// Use declarations of which only the tokens are there, inside a macro call such as `cfg_if!`.
impl<'t> Rust<'_, 't> {
    /// `use tokens;`
    pub(super) fn token_use(&mut self, tokens: &[Node<'t>], exported: bool) {
        let Some(first) = tokens.first() else { return };
        let role = if exported { Role::Export } else { Role::Import };
        let before = std::mem::replace(&mut self.binder.unproven, true);
        self.token_tree(tokens, None, Import { at: first.start_byte(), role });
        self.binder.unproven = before;
    }

    /// One tree behind `prefix`, of which the name that `self` stands for is known.
    fn token_tree(&mut self, tokens: &[Node<'t>], prefix: Option<(Node<'t>, Raw)>, import: Import) {
        let go = |rust: &mut Self| rust.token_tree_here(tokens, prefix, import);
        self.deeper(go);
    }

    fn token_tree_here(&mut self, tokens: &[Node<'t>], prefix: Option<(Node<'t>, Raw)>, import: Import) {
        let mut here = prefix;
        let mut above = 0;
        for (at, token) in tokens.iter().enumerate() {
            let text = self.binder.str(*token);
            let last = !tokens.iter().skip(at + 1).any(|later| later.kind() == "::");
            let term = match (token.kind(), here) {
                ("crate", None) => self.binder.module("crate"),
                ("self", None) => self.above(0),
                ("super", _) => {
                    above += 1;
                    self.above(above)
                }
                ("identifier", _) => {
                    let term = match here {
                        Some((_, of)) => self.binder.member(of, text),
                        None => self.binder.name_among(Space::Import, text, import.at),
                    };
                    let role = if last { import.role } else { Role::Import };
                    self.binder.refer(term, role, *token);
                    term
                }
                ("as", Some((_, means))) => {
                    if let Some(alias) = tokens.get(at + 1) {
                        self.bind_import(*alias, means, import);
                    }
                    return;
                }
                ("*", Some((_, of))) => {
                    self.binder.wildcard(self.modules.last().copied().flatten(), of, true);
                    return;
                }
                ("token_tree", _) => {
                    let mut cursor = token.walk();
                    let inside: Vec<Node<'t>> = token.children(&mut cursor).collect();
                    let inside = inside.get(1..inside.len().saturating_sub(1)).unwrap_or(&[]);
                    inside.split(|t| t.kind() == ",").for_each(|part| self.token_tree(part, here, import));
                    return;
                }
                _ => continue,
            };
            here = Some((*token, term));
        }
        if let Some((name, means)) = here.filter(|_| !tokens.is_empty()) {
            self.bind_import(name, means, import);
        }
    }
}

/// One use declaration.
#[derive(Clone, Copy)]
struct Import {
    /// From where on its names are visible; tells it apart from others, too.
    at: usize,
    /// How it uses the names that it binds.
    role: Role,
}
