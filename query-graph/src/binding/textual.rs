//! Names in languages whose files include others as text: a name is looked for in the file and in everything that it
//! includes, namespaces are open and continue in every file, and what one file declares another one defines.

use std::sync::Arc;

use rift_base::{Facet, NamePath};

use crate::inputs::File;

use super::evaluate::{Denoted, Evaluator};
use super::inclusion::{ScopeNames, included, scope_hash, scope_names};
use super::modules::file_layout;
use super::names::{DeclKey, Meaning, NameIn, What, declared, named, wildcards};
use super::tree::Tree;

/// The files that one file sees, with which names they bind.
pub(super) type Visible = Arc<[(File, Arc<ScopeNames>)]>;

impl Evaluator<'_> {
    /// Whether `file` is in such a language.
    pub(super) fn is_textual(&mut self, file: File) -> bool {
        let db = self.db;
        *self.textual.entry(file).or_insert_with(|| file_layout(db, file).is_some_and(|layout| layout.textual))
    }

    /// The declaration at `path` of `file`: where it is defined, when the file only says that it is somewhere.
    pub(super) fn text_decl(&mut self, file: File, path: &NamePath) -> Vec<Denoted> {
        let own = DeclKey::new(self.db, file, path.clone());
        let Some(what) = declared(self.db, own) else { return vec![Denoted::symbol(own)] };
        if what.facets.has(Facet::Namespace) {
            return vec![Denoted::Space(file, path.clone())];
        }
        let found = if what.defines { Vec::new() } else { self.definitions(file, path) };
        match found.is_empty() {
            true => vec![Denoted::symbol(own)],
            false => found.into_iter().map(Denoted::symbol).collect(),
        }
    }

    /// A name that no scope of `file` binds, met inside `within`: members of the classes around and of their bases, then the
    /// namespaces around, the innermost first ([basic.lookup.unqual]).
    pub(super) fn text_free(&mut self, file: File, name: &Arc<str>, within: &NamePath) -> Vec<Denoted> {
        let found = self.free_from(file, name, within);
        match self.home {
            // A header may use what its includer has included before it.
            Some(root) if found.is_empty() && root != file => self.free_from(root, name, within),
            _ => found,
        }
    }

    fn free_from(&mut self, file: File, name: &Arc<str>, within: &NamePath) -> Vec<Denoted> {
        let mut path = within.clone();
        loop {
            if !path.is_empty() {
                let own = DeclKey::new(self.db, file, path.clone());
                let class = match declared(self.db, own) {
                    Some(what) => Some(own).filter(|_| what.is_type() || !what.bases.is_empty()),
                    None => {
                        let (db, found) = (self.db, self.definitions(file, &path));
                        found.into_iter().find(|key| declared(db, *key).is_some_and(|what| what.is_type()))
                    }
                };
                let found = class.map(|class| self.class_member(class, name)).unwrap_or_default();
                if !found.is_empty() {
                    return found;
                }
            }
            let found = self.space_member(file, &path, name);
            if !found.is_empty() || path.is_empty() {
                return found;
            }
            path = NamePath::parse(path.container()).unwrap_or_default();
        }
    }

    /// What a member of `class` means by `name`: a member of it or of its bases. The name of a class is a member of itself
    /// ([class.pre]), before its constructors.
    fn class_member(&mut self, class: DeclKey, name: &Arc<str>) -> Vec<Denoted> {
        for here in self.ancestors(class).iter() {
            let is_class = || declared(self.db, *here).is_some_and(|what| what.is_type());
            if here.path(self.db).name() == **name && is_class() {
                return vec![Denoted::symbol(*here)];
            }
            let found = self.first_member(&[*here], name);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// What the namespace `space` holds under `name`, as `file` sees it.
    pub(super) fn space_member(&mut self, file: File, space: &NamePath, name: &Arc<str>) -> Vec<Denoted> {
        self.in_space(file, space, name, &mut Vec::new())
    }

    fn in_space(&mut self, file: File, space: &NamePath, name: &Arc<str>, seen: &mut Vec<NamePath>) -> Vec<Denoted> {
        if seen.contains(space) || seen.len() >= self.limits.depth {
            return Vec::new();
        }
        seen.push(space.clone());
        let mut found = Vec::new();
        for binder in self.binders(file, scope_hash(space, name)).iter() {
            if self.left == 0 {
                return found;
            }
            self.left -= 1;
            let scope = DeclKey::new(self.db, *binder, space.clone());
            for meaning in named(self.db, NameIn::new(self.db, scope, name.clone())).iter() {
                found.extend(self.text_meaning(file, *binder, meaning));
            }
        }
        self.drop_declarations(&mut found);
        if !found.is_empty() {
            return found;
        }
        for binder in self.binders(file, scope_hash(space, "*")).iter() {
            let stars = wildcards(self.db, DeclKey::new(self.db, *binder, space.clone()));
            for star in stars.iter().filter(|star| !matches!(*star.of, Tree::Module(_))) {
                if self.left == 0 {
                    return found;
                }
                self.left -= 1;
                for of in self.evaluate(*binder, &star.of) {
                    found.extend(match of {
                        // Named there, and continued in whatever this file includes.
                        Denoted::Space(_, path) => self.in_space(file, &path, name, seen),
                        of => self.member(of, name),
                    });
                }
            }
        }
        found
    }

    fn text_meaning(&mut self, file: File, binder: File, meaning: &Meaning) -> Vec<Denoted> {
        let found = match &meaning.what {
            What::Decl(path) => {
                let decl = DeclKey::new(self.db, binder, path.clone());
                match declared(self.db, decl).is_some_and(|what| what.facets.has(Facet::Namespace)) {
                    true => vec![Denoted::Space(file, path.clone())],
                    false => vec![Denoted::symbol(decl)],
                }
            }
            What::Term(term) => self.evaluate(binder, term),
        };
        let seen_from_here = |denoted| match denoted {
            Denoted::Space(_, path) => Denoted::Space(file, path),
            other => other,
        };
        found.into_iter().map(seen_from_here).collect()
    }

    /// Drops those declarations whose definition is found, too.
    fn drop_declarations(&mut self, found: &mut Vec<Denoted>) {
        let db = self.db;
        let defines = |denoted: &Denoted| match denoted {
            Denoted::Symbol(decl, _) => declared(db, *decl).is_some_and(|what| what.defines),
            _ => false,
        };
        if found.len() < 2 {
            return;
        }
        let defined: Vec<NamePath> = found
            .iter()
            .filter(|denoted| defines(denoted))
            .filter_map(|denoted| match denoted {
                Denoted::Symbol(decl, _) => Some(decl.path(db).clone()),
                _ => None,
            })
            .collect();
        found.retain(|denoted| match denoted {
            Denoted::Symbol(decl, _) => !defined.contains(decl.path(db)) || defines(denoted),
            _ => true,
        });
    }

    /// The definitions of `path` in what `file` includes.
    fn definitions(&mut self, file: File, path: &NamePath) -> Vec<DeclKey> {
        let db = self.db;
        let container = NamePath::parse(path.container()).unwrap_or_default();
        let binders = self.binders(file, scope_hash(&container, &path.name()));
        let keys = binders.iter().map(|binder| DeclKey::new(db, *binder, path.clone()));
        keys.filter(|key| declared(db, *key).is_some_and(|what| what.defines)).collect()
    }

    /// The definition of a type that its file only declares, as the file being bound sees it.
    pub(super) fn complete(&mut self, of: DeclKey) -> DeclKey {
        let file = of.file(self.db);
        if !self.is_textual(file) || declared(self.db, of).is_none_or(|what| what.defines || !what.is_type()) {
            return of;
        }
        let root = self.home.unwrap_or(file);
        self.definitions(root, of.path(self.db)).into_iter().next().unwrap_or(of)
    }

    /// The part of a namespace that stands for it.
    pub(super) fn part_of(&mut self, file: File, space: &NamePath) -> Option<DeclKey> {
        let db = self.db;
        let container = NamePath::parse(space.container()).unwrap_or_default();
        let binders = self.binders(file, scope_hash(&container, &space.name()));
        let mut keys = binders.iter().map(|binder| DeclKey::new(db, *binder, space.clone()));
        keys.find(|key| declared(db, *key).is_some())
    }

    /// The files, of `file` and what it includes, that may bind what hashes so.
    fn binders(&mut self, file: File, hash: u32) -> Arc<[File]> {
        if let Some(known) = self.binders.get(&(file, hash)) {
            return known.clone();
        }
        let visible = self.visible(file);
        let found: Arc<[File]> =
            visible.iter().filter(|(_, names)| names.may_bind(hash)).map(|(file, _)| *file).collect();
        self.binders.insert((file, hash), found.clone());
        found
    }

    fn visible(&mut self, file: File) -> Visible {
        if let Some(known) = self.visible.get(&file) {
            return known.clone();
        }
        let (db, names) = (self.db, &mut self.names);
        let mut table = |file: File| names.entry(file).or_insert_with(|| scope_names(db, file)).clone();
        let made: Visible = included(db, file).iter().map(|file| (*file, table(*file))).collect();
        self.visible.insert(file, made.clone());
        made
    }
}
