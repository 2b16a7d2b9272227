//! From logical paths to symbols and back: which declarations of which files form one symbol, and which occurrence tells
//! symbols of one path apart. The rules are those of facts.md sections 0.13 and 2.1 of the specification.

use std::sync::Arc;

use query_graph::{DeclId, FileEntry, FileFacts, FileSymbols, Joins, SymbolGroup};
use rift_base::{Digest, NamePath};
use rift_index::Searcher;

use crate::units::symbol_key;
use crate::view::View;

/// A logical path in one language, without occurrence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SymbolKey {
    /// The language segment of an identity.
    pub language: String,
    /// The path behind it.
    pub path: NamePath,
}

/// One symbol: declarations of one or several files.
#[derive(Debug, Clone)]
pub struct ResolvedSymbol {
    /// What tells it from other symbols of its path: the number among those of the anchor's file, from 1, and the
    /// digest of that file. Absent when the path is its own.
    pub occurrence: Option<(u32, Digest)>,
    /// Its parts by file, in path order; the anchor's first.
    pub members: Vec<Member>,
}

/// The declarations of one file that belong to a symbol.
#[derive(Debug, Clone)]
pub struct Member {
    /// The file.
    pub entry: FileEntry,
    /// Its facts.
    pub facts: Arc<FileFacts>,
    /// Its symbols.
    pub symbols: Arc<FileSymbols>,
    /// The primary declaration of the group among them.
    pub primary: DeclId,
}

impl Member {
    /// The declarations.
    pub fn group(&self) -> Option<SymbolGroup> {
        self.symbols.group(self.primary)
    }

    fn joins(&self) -> Joins {
        self.facts.outline.get(self.primary).map_or(Joins::Alone, |d| d.joins)
    }
}

impl ResolvedSymbol {
    /// The part that stands for the symbol.
    pub fn anchor(&self) -> Option<&Member> {
        self.members.first()
    }
}

/// A key and what tells its symbol from others of the key.
pub type Identity = (SymbolKey, Option<(u32, Digest)>);

impl View {
    /// The symbols that share `key`, in order of their anchors' paths and positions.
    pub fn resolve(&self, key: &SymbolKey) -> Arc<Vec<ResolvedSymbol>> {
        let text = symbol_key(&key.language, &key.path);
        if let Some(known) = self.publication.resolved.get(&text) {
            return known;
        }
        let symbols = Arc::new(join(self.members(key, &text)));
        self.publication.resolved.put(text, symbols.clone());
        symbols
    }

    /// The key of declaration `id` of `entry` and the occurrence that its symbol needs; absent when `entry` has no such
    /// declaration.
    pub fn identity(&self, entry: &FileEntry, id: DeclId) -> Option<Identity> {
        let (key, primary) = self.key_of(entry, id)?;
        let resolved = self.resolve(&key);
        let holds = |s: &&ResolvedSymbol| s.members.iter().any(|m| m.entry.path == entry.path && m.primary == primary);
        let occurrence = match resolved.iter().find(holds) {
            Some(symbol) => symbol.occurrence,
            // The index does not hold the file: what the file alone says.
            None => self.symbols(entry).and_then(|symbols| {
                let number = symbols.group(primary)?.occurrence;
                Some((number, entry.digest()?)).filter(|(number, _)| *number > 0)
            }),
        };
        Some((key, occurrence))
    }

    fn key_of(&self, entry: &FileEntry, id: DeclId) -> Option<(SymbolKey, DeclId)> {
        let facts = self.facts(entry)?;
        let symbols = self.symbols(entry)?;
        let language = symbols.language.as_ref()?.as_str().to_owned();
        let key = SymbolKey { language, path: symbols.path(facts.outline.get(id)?) };
        Some((key, symbols.primary(id)))
    }

    /// The groups of all files whose path is `key`, in path and source order.
    fn members(&self, key: &SymbolKey, text: &str) -> Vec<Member> {
        let mut out = Vec::new();
        for (path, ordinals) in self.searcher().files_with_key(Searcher::key(text)) {
            let Some(entry) = self.entry(&path) else { continue };
            let (Some(facts), Some(symbols)) = (self.facts(entry), self.symbols(entry)) else { continue };
            if symbols.language.as_ref().is_none_or(|l| l.as_str() != key.language) {
                continue;
            }
            // Two keys may share a hash: the path itself decides.
            let matching =
                |group: &SymbolGroup| facts.outline.get(group.primary).is_some_and(|d| symbols.path(d) == key.path);
            for ordinal in ordinals {
                if let Some(group) = symbols.group(DeclId(ordinal)).filter(matching) {
                    out.push(Member {
                        entry: entry.clone(),
                        facts: facts.clone(),
                        symbols: symbols.clone(),
                        primary: group.primary,
                    });
                }
            }
        }
        out
    }
}

/// Joins the groups of all files that share a path into symbols and numbers those that are not alone.
fn join(members: Vec<Member>) -> Vec<ResolvedSymbol> {
    let mut symbols: Vec<Vec<Member>> = Vec::new();
    let mut joinable: Vec<(u64, bool, Vec<Member>)> = Vec::new();
    for member in members {
        let (tag, part) = match member.joins() {
            Joins::Alone => {
                symbols.push(vec![member]);
                continue;
            }
            Joins::Definition(tag) | Joins::Declaration(tag) => (tag, false),
            Joins::Part(tag) => (tag, true),
        };
        match joinable.iter_mut().find(|(t, p, _)| *t == tag && *p == part) {
            Some((_, _, group)) => group.push(member),
            None => joinable.push((tag, part, vec![member])),
        }
    }
    for (_, part, group) in joinable {
        let defines = |m: &Member| matches!(m.joins(), Joins::Definition(_));
        if part || group.iter().filter(|m| defines(m)).count() <= 1 {
            symbols.push(group);
            continue;
        }
        // Several bodies under one path and tag: which of them a statement elsewhere means cannot be told.
        let (bodies, statements): (Vec<_>, Vec<_>) = group.into_iter().partition(defines);
        symbols.extend(bodies.into_iter().map(|body| vec![body]));
        if !statements.is_empty() {
            symbols.push(statements);
        }
    }
    for members in &mut symbols {
        let anchor = members.iter().position(|m| matches!(m.joins(), Joins::Definition(_))).unwrap_or(0);
        members[..=anchor].rotate_right(1);
    }
    symbols.sort_by(|a, b| place(a).cmp(&place(b)));
    number(symbols)
}

fn place(members: &[Member]) -> Option<(&rift_base::ProjectPath, DeclId)> {
    members.first().map(|m| (&m.entry.path, m.primary))
}

fn number(symbols: Vec<Vec<Member>>) -> Vec<ResolvedSymbol> {
    let alone = symbols.len() == 1;
    let mut out: Vec<ResolvedSymbol> = Vec::with_capacity(symbols.len());
    let mut last: Option<(rift_base::ProjectPath, u32)> = None;
    for members in symbols {
        let Some(anchor) = members.first() else { continue };
        let n = match &last {
            Some((path, n)) if *path == anchor.entry.path => n + 1,
            _ => 1,
        };
        last = Some((anchor.entry.path.clone(), n));
        let occurrence = anchor.entry.digest().filter(|_| !alone).map(|digest| (n, digest));
        out.push(ResolvedSymbol { occurrence, members });
    }
    out
}
