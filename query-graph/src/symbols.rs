//! Symbols of one file: declarations joined into symbols, each with its logical path in the workspace.

use std::collections::HashMap;
use std::sync::Arc;

use query_graph_macros::query;
use rift_base::{Language, NamePath};
use rift_syntax::{DeclId, Declaration, Joins, Outline, PackedOutline};

use crate::catalog::revision;
use crate::db::{Db, shared};
use crate::inputs::File;
use crate::place::{Module, module};
use crate::probe::{Subject, intern};
use crate::queries::subject;
use crate::syntax::{FileRevision, facts, file_facts};

/// The outline of the revision that a path holds now. Reads the revision; shields its readers from edits that leave
/// every declaration equal (bodies, comments, moved lines).
#[query(returns(clone), heap_size = shared)]
pub fn outline(db: &dyn Db, file: File) -> Option<PackedOutline> {
    Some(facts(db, revision(db, file)?).packed.outline)
}

/// The positions of the revision that a path holds now, same order as its outline.
#[query(returns(clone), heap_size = shared)]
pub fn positions(db: &dyn Db, file: File) -> Option<Arc<[u8]>> {
    Some(facts(db, revision(db, file)?).packed.positions)
}

/// A revision with its place among the workspace's modules: the key of what identities are made of.
#[salsa::interned(constructor = interned, unsafe(no_lifetime), revisions = usize::MAX, debug, heap_size = placed_heap)]
#[derive(PartialOrd, Ord)]
pub struct PlacedFile {
    /// The revision.
    #[returns(copy)]
    pub revision: FileRevision,
    /// Where its declarations belong.
    pub module: Module,
}

impl PlacedFile {
    /// `revision` at its place.
    pub fn new(db: &dyn Db, revision: FileRevision, module: Module) -> Self {
        const KEY: Subject = subject("PlacedFile");
        let weigh = |key: Self| placed_heap(&(key.revision(db), key.module(db).clone()));
        intern(db, KEY, size_of::<(FileRevision, Module)>(), || Self::interned(db, revision, module), weigh)
    }
}

fn placed_heap((_, module): &(FileRevision, Module)) -> usize {
    module.linked.heap_size() + module.file_local.heap_size()
}

/// The placed revision that a path holds now. Reads the revision and the module; a renamed package gives another
/// place and leaves the revision's facts alone.
#[query(returns(copy), heap_size = shared)]
pub fn placed(db: &dyn Db, file: File) -> Option<PlacedFile> {
    let revision = revision(db, file)?;
    Some(PlacedFile::new(db, revision, module(db, file)))
}

/// The symbols of one placed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSymbols {
    /// The language segment of their identities; absent for a file that is not parsed, which has no symbols.
    pub language: Option<Language>,
    /// Where they belong.
    pub module: Module,
    /// How many symbols there are.
    pub count: u32,
    /// How many declarations there are.
    declarations: u32,
    /// The symbols that have several declarations or an occurrence, by primary declaration. All others are one
    /// declaration each.
    groups: Box<[SymbolGroup]>,
    /// For each declaration of those that is not primary: the primary one. Sorted.
    joined: Box<[(DeclId, DeclId)]>,
}

/// The declarations of one file that form one symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolGroup {
    /// The declaration that stands for the symbol: its definition, or its first.
    pub primary: DeclId,
    /// All declarations in source order.
    pub declarations: Box<[DeclId]>,
    /// Number among the groups of this file that share the path, from 1; 0 when it has the path for itself.
    pub occurrence: u32,
}

impl FileSymbols {
    /// The logical path of `declaration` in the workspace, without occurrence.
    pub fn path(&self, declaration: &Declaration) -> NamePath {
        declaration.path.below(if declaration.file_local { &self.module.file_local } else { &self.module.linked })
    }

    /// The primary declaration of the symbol that `id` belongs to.
    pub fn primary(&self, id: DeclId) -> DeclId {
        match self.joined.binary_search_by_key(&id, |(member, _)| *member) {
            Ok(at) => self.joined.get(at).map_or(id, |(_, primary)| *primary),
            Err(_) => id,
        }
    }

    /// The group that `id` belongs to; absent past the last declaration.
    pub fn group(&self, id: DeclId) -> Option<SymbolGroup> {
        if id.0 >= self.declarations {
            return None;
        }
        let primary = self.primary(id);
        Some(match self.groups.binary_search_by_key(&primary, |group| group.primary) {
            Ok(at) => self.groups.get(at)?.clone(),
            Err(_) => SymbolGroup { primary, declarations: [primary].into(), occurrence: 0 },
        })
    }

    /// All groups in order of their primary declarations.
    pub fn groups(&self) -> impl Iterator<Item = SymbolGroup> {
        (0..self.declarations).map(DeclId).filter(|id| self.primary(*id) == *id).filter_map(|id| self.group(id))
    }
}

/// The symbols of one placed file: which declarations join, and which need an occurrence. Reads the revision's facts
/// and its module.
#[query(returns(clone), heap_size = symbols_heap)]
pub fn file_symbols(db: &dyn Db, placed: PlacedFile) -> Arc<FileSymbols> {
    let revision = placed.revision(db);
    let facts = file_facts(db, revision);
    let groups = group(facts.outline.iter());
    let mut joined: Vec<(DeclId, DeclId)> = Vec::new();
    for group in &groups {
        joined.extend(group.declarations.iter().filter(|id| **id != group.primary).map(|id| (*id, group.primary)));
    }
    joined.sort_unstable();
    let count = groups.len() as u32;
    let mut kept: Vec<SymbolGroup> =
        groups.into_iter().filter(|g| g.declarations.len() > 1 || g.occurrence > 0).collect();
    kept.sort_by_key(|group| group.primary);
    Arc::new(FileSymbols {
        language: revision.language(db).clone(),
        module: placed.module(db).clone(),
        count,
        declarations: facts.outline.declarations.len() as u32,
        groups: kept.into(),
        joined: joined.into(),
    })
}

fn symbols_heap(symbols: &Arc<FileSymbols>) -> usize {
    size_of::<FileSymbols>()
        + symbols.groups.len() * size_of::<SymbolGroup>()
        + symbols.groups.iter().map(|g| g.declarations.len() * size_of::<DeclId>()).sum::<usize>()
        + symbols.joined.len() * size_of::<(DeclId, DeclId)>()
}

/// How many symbols the declarations of one outline form.
pub(crate) fn count_symbols(outline: &Outline) -> u32 {
    group(outline.iter()).len() as u32
}

/// The symbols that the declarations `of` one path form.
pub(crate) fn groups_at(outline: &Outline, of: &[DeclId]) -> Vec<SymbolGroup> {
    group(of.iter().filter_map(|id| Some((*id, outline.get(*id)?))))
}

/// Joins declarations of one outline, in source order, by path and [`Joins`] rule.
fn group<'o>(declarations: impl Iterator<Item = (DeclId, &'o Declaration)>) -> Vec<SymbolGroup> {
    struct Draft {
        declarations: Vec<DeclId>,
        definition: Option<DeclId>,
    }
    let (count, _) = declarations.size_hint();
    let mut drafts: Vec<Draft> = Vec::with_capacity(count);
    let mut by_path: HashMap<(&NamePath, bool), Vec<u32>> = HashMap::with_capacity(count);
    let mut by_tag: HashMap<(&NamePath, bool, u64, bool), u32> = HashMap::new();
    for (id, declaration) in declarations {
        let (tag, part, defines) = match declaration.joins {
            Joins::Alone => (None, false, true),
            Joins::Definition(tag) => (Some(tag), false, true),
            Joins::Declaration(tag) => (Some(tag), false, false),
            Joins::Part(tag) => (Some(tag), true, false),
        };
        let key = tag.map(|tag| (&declaration.path, declaration.file_local, tag, part));
        let joined = key
            .and_then(|key| by_tag.get(&key).copied())
            .filter(|group| !defines || drafts.get(*group as usize).is_some_and(|draft| draft.definition.is_none()));
        let group = joined.unwrap_or(drafts.len() as u32);
        if joined.is_none() {
            drafts.push(Draft { declarations: Vec::new(), definition: None });
            by_path.entry((&declaration.path, declaration.file_local)).or_default().push(group);
            if let Some(key) = key {
                by_tag.insert(key, group);
            }
        }
        if let Some(draft) = drafts.get_mut(group as usize) {
            draft.declarations.push(id);
            if defines {
                draft.definition = Some(id);
            }
        }
    }
    let mut groups: Vec<SymbolGroup> = drafts
        .into_iter()
        .map(|draft| SymbolGroup {
            primary: draft.definition.or(draft.declarations.first().copied()).unwrap_or(DeclId(0)),
            declarations: draft.declarations.into(),
            occurrence: 0,
        })
        .collect();
    for same in by_path.values().filter(|same| same.len() > 1) {
        for (n, group) in same.iter().enumerate() {
            if let Some(group) = groups.get_mut(*group as usize) {
                group.occurrence = n as u32 + 1;
            }
        }
    }
    groups
}
