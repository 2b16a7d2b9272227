//! Evaluates terms: from what the text says to the declarations that it means. Explicit names come before wildcards,
//! members are looked for in a type before its bases, equal candidates all stay, and what cannot be placed gives nothing.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::inputs::File;

use super::arguments::{Given, Term};
use super::extensions::TypeExtension;
use super::inclusion::ScopeNames;
use super::modules::{ModuleRef, file_layout, resolved_imports};
use super::names::DeclKey;
use super::textual::Visible;
use super::tree::Tree;

/// What a term denotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Denoted {
    /// A module.
    Module(ModuleRef),
    /// A declaration itself: a type with arguments where they are written, a member with those of its type.
    Symbol(DeclKey, Arc<[Term]>),
    /// A value of a type.
    Instance(DeclKey, Arc<[Term]>),
    /// A type that is declared nowhere here, or a value of it: what its arguments say is all that is known.
    Opaque(Arc<[Term]>),
    /// A namespace that continues in other files, as this file sees it.
    Space(File, rift_base::NamePath),
}

impl Denoted {
    /// A declaration without type arguments.
    pub(super) fn symbol(decl: DeclKey) -> Self {
        Denoted::Symbol(decl, Arc::default())
    }
}

/// What evaluation may cost. See `[providers.binding]`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Steps for one reference (`max_reference_work`).
    pub(super) work: u32,
    /// Terms that lead from one to the next (`max_path_depth`).
    pub(super) depth: usize,
    /// Meanings of one term that are followed (`max_reference_targets`).
    pub(super) targets: usize,
}

/// Evaluates the terms of one file, and of the files that they lead to.
pub(super) struct Evaluator<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) limits: Limits,
    /// Steps left for the reference at hand.
    pub(super) left: u32,
    /// Terms being evaluated, by where they lie: what comes back to one of them says nothing more.
    pub(super) open: Vec<(File, usize, usize)>,
    /// What the type parameters in the term at hand stand for.
    pub(super) given: Option<Arc<Given>>,
    /// Steps that are open around the one at hand, those that evaluate no term included.
    depth: usize,
    /// How often a cycle or a bound cut evaluation short.
    cuts: u32,
    /// What terms denote, by where they lie; the term is kept so that it stays there.
    known: FxHashMap<(File, usize), (Arc<Tree>, Vec<Denoted>)>,
    pub(super) ancestors: FxHashMap<DeclKey, Arc<[DeclKey]>>,
    /// What other files give to types.
    pub(super) extensions: FxHashMap<DeclKey, Arc<[TypeExtension]>>,
    /// Whether a file includes others as text.
    pub(super) textual: FxHashMap<File, bool>,
    /// What files bind, by file, and by the file that includes them.
    pub(super) names: FxHashMap<File, Arc<ScopeNames>>,
    pub(super) visible: FxHashMap<File, Visible>,
    /// Files that may bind a name, by the file that includes them and the hash of the name.
    pub(super) binders: FxHashMap<(File, u32), Arc<[File]>>,
    /// The file whose references are evaluated.
    pub(super) home: Option<File>,
}

impl<'db> Evaluator<'db> {
    pub(super) fn new(db: &'db dyn Db, limits: Limits) -> Self {
        Self {
            db,
            limits,
            left: limits.work,
            open: Vec::new(),
            given: None,
            depth: 0,
            cuts: 0,
            known: FxHashMap::default(),
            ancestors: FxHashMap::default(),
            textual: FxHashMap::default(),
            names: FxHashMap::default(),
            visible: FxHashMap::default(),
            binders: FxHashMap::default(),
            extensions: FxHashMap::default(),
            home: None,
        }
    }

    /// Evaluates on behalf of `home`.
    pub(super) fn bounded(db: &'db dyn Db, limits: Limits, home: File) -> Self {
        Self { home: Some(home), ..Self::new(db, limits) }
    }

    /// Grants the work of one reference anew.
    pub(super) fn restart(&mut self) {
        self.left = self.limits.work;
    }

    /// The declarations that `tree`, read in `file`, refers to. Absent when that takes more work than is allowed.
    pub(super) fn refer(&mut self, file: File, tree: &Arc<Tree>) -> Option<Vec<DeclKey>> {
        self.left = self.limits.work;
        self.home = Some(file);
        let denoted = self.evaluate(file, tree);
        let mut out: Vec<DeclKey> = denoted
            .into_iter()
            .filter_map(|denoted| match denoted {
                Denoted::Symbol(decl, _) => Some(decl),
                Denoted::Space(file, path) => self.part_of(file, &path),
                _ => None,
            })
            .collect();
        out.sort_unstable();
        out.dedup();
        (self.left > 0).then_some(out)
    }

    pub(super) fn evaluate(&mut self, file: File, tree: &Arc<Tree>) -> Vec<Denoted> {
        let key = (file, Arc::as_ptr(tree).addr());
        if self.given.is_none()
            && let Some((_, known)) = self.known.get(&key)
        {
            return known.clone();
        }
        let here = (key.0, key.1, self.given.as_ref().map_or(0, |given| Arc::as_ptr(given).addr()));
        if self.open.contains(&here) {
            self.cuts += 1;
            return Vec::new();
        }
        let cuts = self.cuts;
        self.open.push(here);
        let mut found = self.deeper(|this| this.step(file, tree));
        self.open.pop();
        dedup(&mut found);
        found.truncate(self.limits.targets);
        // What a cycle or a bound cut short inside another term is not its meaning elsewhere.
        if self.given.is_none() && (self.open.is_empty() || !found.is_empty() || self.cuts == cuts) {
            self.known.insert(key, (tree.clone(), found.clone()));
        }
        found
    }

    /// The file whose term is being evaluated.
    pub(super) fn asker(&self) -> Option<File> {
        self.open.last().map(|(file, ..)| *file)
    }

    fn step(&mut self, file: File, tree: &Arc<Tree>) -> Vec<Denoted> {
        let db = self.db;
        match &**tree {
            Tree::Unknown => Vec::new(),
            Tree::Module(specifier) => {
                let found = resolved_imports(db, file);
                found.get(specifier).into_iter().flatten().map(|module| Denoted::Module(*module)).collect()
            }
            Tree::Decl(path) if self.is_textual(file) => self.text_decl(file, path),
            Tree::Decl(path) => vec![Denoted::symbol(DeclKey::new(db, file, path.clone()))],
            Tree::Free(name, within) if self.is_textual(file) => self.text_free(file, name, within),
            Tree::Free(name, within) => self.free(file, name, within),
            Tree::This(path) => {
                let this = DeclKey::new(db, file, path.clone());
                let given = self.given.as_ref().filter(|given| given.of == this);
                vec![Denoted::Instance(this, given.map(|given| given.arguments.clone()).unwrap_or_default())]
            }
            Tree::Super(path) => {
                let of = DeclKey::new(db, file, path.clone());
                self.bases(of).into_iter().map(|base| Denoted::Instance(base, Arc::default())).collect()
            }
            Tree::Member(of, name) => match &**of {
                Tree::Super(path) => {
                    let ancestors = self.ancestors(DeclKey::new(db, file, path.clone()));
                    self.first_member(ancestors.get(1..).unwrap_or(&[]), name)
                }
                _ => {
                    let receivers = self.evaluate(file, of);
                    self.member_of_any(receivers, name)
                }
            },
            Tree::Call(of) => {
                if let Tree::Member(receiver, name) = &**of
                    && let Some(of) = file_layout(db, file).and_then(|layout| (layout.library)(name))
                {
                    let found = self.library(file, receiver, of);
                    if !found.is_empty() {
                        return found;
                    }
                }
                let callees = self.evaluate(file, of);
                let yielded = |this: &mut Self, callee: Denoted| match &**of {
                    Tree::Member(receiver, _) if this.yields_itself(&callee) => this.evaluate(file, receiver),
                    _ => this.called(callee),
                };
                callees.into_iter().flat_map(|callee| yielded(self, callee)).collect()
            }
            Tree::Value(of) => {
                let types = self.evaluate(file, of);
                types.into_iter().flat_map(|of| self.value_of(of)).collect()
            }
            Tree::Applied(of, arguments) => {
                let term = |tree: &Arc<Tree>| Term { file, tree: tree.clone(), given: self.given.clone() };
                let arguments: Arc<[Term]> = arguments.iter().map(term).collect();
                let types = self.evaluate(file, of);
                if types.is_empty() {
                    return vec![Denoted::Opaque(arguments)];
                }
                let apply = |denoted| match denoted {
                    Denoted::Symbol(decl, _) => Denoted::Symbol(decl, arguments.clone()),
                    other => other,
                };
                types.into_iter().map(apply).collect()
            }
            Tree::Inner(of, at) => self.inner(file, of, *at),
            Tree::First(terms) => {
                let mut found = Vec::new();
                for term in terms.iter() {
                    found = self.evaluate(file, term);
                    if !found.is_empty() {
                        break;
                    }
                }
                found
            }
            Tree::Either(any) => any.iter().flat_map(|one| self.evaluate(file, one)).collect(),
        }
    }

    /// Runs `go` one step deeper, unless that is deeper than is allowed.
    pub(super) fn deeper(&mut self, go: impl FnOnce(&mut Self) -> Vec<Denoted>) -> Vec<Denoted> {
        if self.left == 0 || self.depth >= self.limits.depth {
            self.cuts += 1;
            return Vec::new();
        }
        self.left -= 1;
        self.depth += 1;
        let found = go(self);
        self.depth -= 1;
        found
    }
}

/// Drops repeated meanings, whose first places stay.
fn dedup(found: &mut Vec<Denoted>) {
    let mut at = 0;
    while at < found.len() {
        if found[..at].contains(&found[at]) {
            found.remove(at);
        } else {
            at += 1;
        }
    }
}
