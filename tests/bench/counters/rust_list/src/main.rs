//! Lists the declarations of Rust files with `syn`: `path kind name line`, joined by tabs.
//!
//! `rust-list FOLDER <PATHS`: PATHS, one a line on standard input, are relative to FOLDER. Declared are items, local ones
//! too, named fields, variants, the items of traits and impl blocks, the names that a `use` with a visibility passes on, and
//! those that any `use` renames to; what stands inside a macro call is not seen, and `_` declares nothing. A file that does
//! not parse is named on standard error.

use std::io::{BufRead, Write};

use syn::visit::{self, Visit};
use syn::{Ident, ItemUse, UseTree, Visibility};

struct Lister<'a, W: Write> {
    path: &'a str,
    out: W,
}

impl<W: Write> Lister<'_, W> {
    fn add(&mut self, kind: &str, name: &Ident) {
        if name != "_" {
            let line = name.span().start().line;
            writeln!(self.out, "{}\t{kind}\t{name}\t{line}", self.path).expect("stdout takes the list");
        }
    }

    /// The new names that a `use` gives.
    fn renames(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.renames(&path.tree),
            UseTree::Rename(rename) => self.add("use_alias", &rename.rename),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.renames(item)),
            _ => {}
        }
    }

    /// The names that a `use` binds; `self` stands for the path's last segment.
    fn names(&mut self, tree: &UseTree, last: Option<&Ident>) {
        match tree {
            UseTree::Path(path) => self.names(&path.tree, Some(&path.ident)),
            UseTree::Name(name) if name.ident == "self" => {
                last.into_iter().for_each(|name| self.add("use_alias", name))
            }
            UseTree::Name(name) => self.add("use_alias", &name.ident),
            UseTree::Rename(rename) => self.add("use_alias", &rename.rename),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.names(item, last)),
            _ => {}
        }
    }
}

macro_rules! declares {
    ($($method:ident($node:ty) = $kind:literal . $($name:ident).+;)*) => {
        $(fn $method(&mut self, node: &'ast $node) {
            self.add($kind, &node.$($name).+);
            visit::$method(self, node);
        })*
    };
}

impl<'ast, W: Write> Visit<'ast> for Lister<'_, W> {
    declares! {
        visit_item_const(syn::ItemConst) = "constant".ident;
        visit_item_enum(syn::ItemEnum) = "enum".ident;
        visit_item_fn(syn::ItemFn) = "function".sig.ident;
        visit_item_mod(syn::ItemMod) = "module".ident;
        visit_item_static(syn::ItemStatic) = "static".ident;
        visit_item_struct(syn::ItemStruct) = "struct".ident;
        visit_item_trait(syn::ItemTrait) = "trait".ident;
        visit_item_trait_alias(syn::ItemTraitAlias) = "trait".ident;
        visit_item_type(syn::ItemType) = "type_alias".ident;
        visit_item_union(syn::ItemUnion) = "struct".ident;
        visit_foreign_item_fn(syn::ForeignItemFn) = "function".sig.ident;
        visit_foreign_item_static(syn::ForeignItemStatic) = "static".ident;
        visit_foreign_item_type(syn::ForeignItemType) = "type_alias".ident;
        visit_impl_item_const(syn::ImplItemConst) = "constant".ident;
        visit_impl_item_fn(syn::ImplItemFn) = "method".sig.ident;
        visit_impl_item_type(syn::ImplItemType) = "associated_type".ident;
        visit_trait_item_const(syn::TraitItemConst) = "constant".ident;
        visit_trait_item_fn(syn::TraitItemFn) = "method".sig.ident;
        visit_trait_item_type(syn::TraitItemType) = "associated_type".ident;
        visit_variant(syn::Variant) = "variant".ident;
    }

    fn visit_field(&mut self, node: &'ast syn::Field) {
        if let Some(name) = &node.ident {
            self.add("field", name);
        }
        visit::visit_field(self, node);
    }

    fn visit_item_macro(&mut self, node: &'ast syn::ItemMacro) {
        if let Some(name) = &node.ident {
            self.add("macro", name);
        }
    }

    fn visit_item_use(&mut self, node: &'ast ItemUse) {
        match node.vis {
            Visibility::Inherited => self.renames(&node.tree),
            _ => self.names(&node.tree, None),
        }
    }
}

fn main() {
    let folder = std::env::args_os().nth(1).expect("usage: rust-list FOLDER");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in std::io::stdin().lock().lines() {
        let path = path.expect("standard input holds paths");
        let text =
            std::fs::read_to_string(std::path::Path::new(&folder).join(&path)).map_err(|error| error.to_string());
        match text.and_then(|text| syn::parse_file(&text).map_err(|error| error.to_string())) {
            Ok(file) => Lister { path: &path, out: &mut out }.visit_file(&file),
            Err(problem) => eprintln!("{path}: {problem}"),
        }
    }
}
