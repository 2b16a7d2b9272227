//! Module scopes: free names, what modules hold under a name, and what wildcard imports bring.

use std::sync::Arc;

use rift_base::Facet;

use crate::db::Db;
use crate::inputs::File;

use super::evaluate::{Denoted, Evaluator};
use super::languages::{Layout, Lookup};
use super::modules::{ModuleRef, PackageName, file_layout, package_file};
use super::names::{DeclKey, NameIn, declared, named, wildcards};

impl Evaluator<'_> {
    /// A name that no scope of `file` binds.
    pub(super) fn free(&mut self, file: File, name: &Arc<str>, within: &rift_base::NamePath) -> Vec<Denoted> {
        let db = self.db;
        let Some(layout) = file_layout(db, file) else { return Vec::new() };
        if layout.implicit_members {
            let mut path = within.clone();
            while !path.is_empty() {
                let ancestors = self.ancestors(DeclKey::new(db, file, path.clone()));
                for of in ancestors.iter() {
                    let mut found = self.first_member(std::slice::from_ref(of), name);
                    // The name of a type alone never means its constructor.
                    found.retain(|found| !self.is_constructor(found));
                    if !found.is_empty() {
                        return found;
                    }
                }
                path = rift_base::NamePath::parse(path.container()).unwrap_or_default();
            }
        }
        let lookup = Lookup::new(db, file);
        for package in (layout.package)(&lookup) {
            let found = self.package_member(file, package, name);
            if !found.is_empty() {
                return found;
            }
        }
        let scopes = [within, &rift_base::NamePath::default()];
        for scope in scopes.into_iter().filter(|_| layout.wildcards_bind) {
            let found = self.starred(DeclKey::new(db, file, scope.clone()), name, false, &mut Vec::new());
            if !found.is_empty() {
                return found;
            }
        }
        (layout.free)(&lookup, name).into_iter().map(Denoted::Module).collect()
    }

    pub(super) fn is_constructor(&self, denoted: &Denoted) -> bool {
        let Denoted::Symbol(decl, _) = denoted else { return false };
        declared(self.db, *decl).is_some_and(|what| what.facets.has(Facet::Constructor) && !what.is_type())
    }

    /// What a package itself declares under `name`, as `asker` sees it: no wildcard and no module in it counts.
    pub(super) fn package_member(&mut self, asker: File, package: ModuleRef, name: &Arc<str>) -> Vec<Denoted> {
        let files = self.files_with(asker, package, name, false);
        let scope = |file: &File| DeclKey::new(self.db, *file, rift_base::NamePath::default());
        let scopes: Vec<DeclKey> = files.iter().map(scope).collect();
        let named_in = |of: &DeclKey| (of.file(self.db), named(self.db, NameIn::new(self.db, *of, name.clone())));
        let found: Vec<_> = scopes.iter().map(named_in).collect();
        found
            .iter()
            .flat_map(|(file, found)| found.iter().map(|one| self.meaning(*file, one)).collect::<Vec<_>>())
            .flatten()
            .collect()
    }

    /// The files of `module` that have `name`, as `asker` sees them: from outside when it imports the module.
    pub(super) fn files_with(&self, asker: File, module: ModuleRef, name: &Arc<str>, imported: bool) -> Vec<File> {
        let db = self.db;
        match module {
            ModuleRef::File(file) => vec![file],
            ModuleRef::Package(directory) => {
                let found = package_file(db, PackageName::new(db, directory, name.clone()));
                let lookup = Lookup::new(db, asker);
                let seen = |file: &&File| {
                    file_layout(db, **file).is_some_and(|layout| (layout.part_of_package)(&lookup, **file, imported))
                };
                found.iter().filter(seen).copied().collect()
            }
        }
    }

    /// What the wildcard imports of `scope` bring under `name`; only those that others see when `exported`.
    pub(super) fn starred(
        &mut self,
        scope: DeclKey,
        name: &Arc<str>,
        exported: bool,
        seen: &mut Vec<DeclKey>,
    ) -> Vec<Denoted> {
        if seen.contains(&scope) || seen.len() >= self.limits.depth {
            return Vec::new();
        }
        seen.push(scope);
        let file = scope.file(self.db);
        let mut out = Vec::new();
        for star in wildcards(self.db, scope).iter().filter(|star| star.exported || !exported) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            for of in self.with(None, |this| this.evaluate(file, &star.of)) {
                out.extend(match of {
                    Denoted::Module(module) => self.module_member(module, name, true, seen),
                    Denoted::Symbol(decl, _) => self.starred_symbol(decl, name, seen),
                    _ => Vec::new(),
                });
            }
        }
        out
    }

    /// What a wildcard import of `decl`, a type or a module, takes under `name`: also when the module has a file of its own.
    pub(super) fn starred_symbol(&mut self, decl: DeclKey, name: &Arc<str>, seen: &mut Vec<DeclKey>) -> Vec<Denoted> {
        let found = self.scope_member(decl, name, true, seen);
        let Some(what) = declared(self.db, decl).filter(|what| found.is_empty() && !what.is_type()) else {
            return found;
        };
        let mut out = Vec::new();
        for held in self.held(decl, &what, &Arc::default()) {
            out.extend(match held {
                Denoted::Module(module) => self.module_member(module, name, true, seen),
                Denoted::Symbol(inner, _) if inner != decl => self.scope_member(inner, name, true, seen),
                _ => Vec::new(),
            });
        }
        out
    }

    /// What a module holds under `name`: its own names, then those that its wildcards bring, then the modules in it. Only what a
    /// wildcard import takes when `by_star`.
    pub(super) fn module_member(
        &mut self,
        module: ModuleRef,
        name: &Arc<str>,
        by_star: bool,
        seen: &mut Vec<DeclKey>,
    ) -> Vec<Denoted> {
        self.deeper(|this| this.module_member_here(module, name, by_star, seen))
    }

    pub(super) fn module_member_here(
        &mut self,
        module: ModuleRef,
        name: &Arc<str>,
        by_star: bool,
        seen: &mut Vec<DeclKey>,
    ) -> Vec<Denoted> {
        let db = self.db;
        let Some(asker) = self.asker() else { return Vec::new() };
        let files = self.files_with(asker, module, name, true);
        let mut out = Vec::new();
        for file in &files {
            let scope = DeclKey::new(db, *file, rift_base::NamePath::default());
            out.extend(self.scope_member(scope, name, by_star, seen));
        }
        if out.is_empty() && !by_star {
            let layout = match module {
                ModuleRef::File(file) => file_layout(db, file).map(|layout| (layout, file)),
                ModuleRef::Package(directory) => {
                    layout_of_package(db, directory).or_else(|| file_layout(db, asker).map(|layout| (layout, asker)))
                }
            };
            if let Some((layout, file)) = layout {
                let found = (layout.submodule)(&Lookup::new(db, file), module, name);
                out.extend(found.into_iter().map(Denoted::Module));
            }
        }
        out
    }

    /// What the module scope `scope` holds under `name`.
    pub(super) fn scope_member(
        &mut self,
        scope: DeclKey,
        name: &Arc<str>,
        by_star: bool,
        seen: &mut Vec<DeclKey>,
    ) -> Vec<Denoted> {
        let db = self.db;
        let file = scope.file(db);
        let found = named(db, NameIn::new(db, scope, name.clone()));
        let mut out = Vec::new();
        for meaning in found.iter().filter(|meaning| meaning.starred || !by_star) {
            out.extend(self.meaning(file, meaning));
        }
        let not_starred = || file_layout(db, file).and_then(|layout| layout.not_starred);
        if out.is_empty() && not_starred() != Some(&**name) {
            out = self.starred(scope, name, true, seen);
        }
        out
    }
}

/// The layout of a package by its first file in a bound language, and that file.
fn layout_of_package(db: &dyn Db, directory: crate::inputs::Directory) -> Option<(&'static Layout, File)> {
    let files = directory.files(db);
    files.iter().find_map(|file| Some((file_layout(db, *file)?, *file)))
}
