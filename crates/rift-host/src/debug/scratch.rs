//! A database beside the host's. Salsa has no fork, so what an edit would do is found by filling another database with the same
//! inputs and doing it there.

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph::{
    AskError, Change, Content, Counters, Db as _, Explanation, FactKey, FactStore, File, Ground, Node, Recorded,
    Report, RootDatabase, Source, StoredText, aliases, bindings, directory_manifest, directory_summary, end_recording,
    explained, parse_node, start_recording,
};
use rift_base::{Digest, ProjectPath};
use rift_workspace::{IndexRules, LanguageMap};

use super::DebugError;
use crate::error::HostError;
use crate::gate::Gate;
use crate::host::{Host, Shared};
use crate::lane::{analyse, each_file};
use crate::stores::KeptFacts;

/// Reads the host's facts and adds none.
struct ReadOnly(Arc<KeptFacts>);

impl FactStore for ReadOnly {
    fn get(&self, key: &FactKey) -> Option<Vec<u8>> {
        self.0.get(key)
    }

    fn put(&self, _: &FactKey, _: Vec<u8>) {}
}

/// A database with the files of one publication.
pub(super) struct Scratch {
    gate: Gate,
    ground: Ground,
    files: Vec<File>,
    threads: usize,
    rules: Arc<IndexRules>,
    languages: Arc<LanguageMap>,
}

/// One memo, as it was found in a database that was just filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedQuery {
    /// The query.
    pub query: &'static str,
    /// Its key.
    pub key: String,
    /// Its value, as indented text.
    pub value: String,
    /// What it read: names, `Input.field` for an input, and keys; in that order.
    pub reads: Vec<(String, String)>,
    /// Who read it.
    pub readers: Vec<(String, String)>,
}

/// The edges that were taken, and what the queries at their ends did for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenGraph {
    /// From a query to another or to `Input.field`: how many memos of the one read how many of the other, in pairs.
    pub edges: BTreeMap<(String, String), u64>,
    /// What filling the database counted.
    pub report: Report,
}

impl Host {
    /// A database with the files that are published now.
    pub(super) fn scratch(&self) -> Result<Scratch, HostError> {
        Scratch::new(&self.shared, false)
    }

    /// The same, which recorded who read what; everything was asked.
    pub(super) fn recording_scratch(&self) -> Result<Scratch, HostError> {
        let scratch = Scratch::new(&self.shared, true)?;
        scratch.ask_all()?;
        Ok(scratch)
    }
}

impl Scratch {
    fn new(shared: &Shared, is_recording: bool) -> Result<Self, HostError> {
        let store: Arc<dyn FactStore> = Arc::new(ReadOnly(shared.facts.clone()));
        let mut db = RootDatabase::with_store(Some(store)).binding();
        if is_recording {
            start_recording(&db);
        }
        let (current, ground, threads, rules, languages) = {
            let lane = shared.lane();
            let ground = Ground::new(&mut db, &lane.name, lane.config.clone(), lane.languages.clone());
            (shared.current(), ground, lane.threads, lane.rules.clone(), lane.languages.clone())
        };
        let mut changes = Vec::new();
        current.tree.walk(&mut |entry| {
            changes.push(Change { path: entry.path.clone(), content: entry.content.clone() });
        });
        let mut scratch = Self { gate: Gate::new(db), ground, files: Vec::new(), threads, rules, languages };
        scratch.files = scratch.set(changes)?;
        Ok(scratch)
    }

    /// Does what the host's writer does with a change.
    fn set(&mut self, changes: Vec<Change>) -> Result<Vec<File>, HostError> {
        let changed = self.gate.write(|db| self.ground.apply(db, changes));
        analyse(&self.gate, &changed, self.threads, &|_, _| Ok(()))?;
        self.gate.write(|db| self.ground.settle(db));
        let root = self.gate.read(|db| self.ground.root(db));
        self.gate.read(|db| (directory_manifest(db, root), directory_summary(db, root)));
        Ok(changed)
    }

    /// Asks what a server asks behind its answers: the bindings of every file.
    pub(super) fn ask_all(&self) -> Result<(), HostError> {
        each_file(&self.gate, &self.files, self.threads, &|db, file| {
            ask(db, file);
            Ok(())
        })
    }

    /// What `text` in the file at `path` makes run, on one thread, in the order of a server: the publication, then bindings.
    pub(super) fn explain(mut self, path: &ProjectPath, text: &str) -> Explanation {
        let language = self.languages.language(path.as_str()).ok().flatten();
        let size = text.len() as u64;
        let (kind, policy) = self.rules.decide(path.as_str(), size, text, language);
        let (digest, text) = (Digest::of(text.as_bytes()), StoredText::new(text));
        let content = Content::Source(Arc::new(Source { digest, text, size, kind, policy }));
        let mut db = self.gate.into_inner();
        let (ground, files) = (&mut self.ground, &mut self.files);
        explained(&mut db, |db| {
            let changed = ground.apply(db, vec![Change { path: path.clone(), content }]);
            for file in &changed {
                query_graph::file_summary(db, *file);
                query_graph::file_entry(db, *file);
            }
            ground.settle(db);
            let root = ground.root(db);
            directory_manifest(db, root);
            directory_summary(db, root);
            files.extend(changed.iter().filter(|file| !files.contains(file)).copied().collect::<Vec<_>>());
            files.iter().for_each(|file| ask(db, *file));
        })
    }

    /// The memo of `query` for `key`.
    pub(super) fn trace(self, query: &str, key: &str) -> Result<TracedQuery, DebugError> {
        let db = self.gate.into_inner();
        let node = parse_node(&db, &self.ground, query, key).map_err(|error| match error {
            AskError::Query => DebugError::Query(query.to_owned()),
            AskError::Form(form) => DebugError::Key { query: query.to_owned(), key: key.to_owned(), form },
            AskError::Absent => DebugError::Absent(key.to_owned()),
        })?;
        let value = node.value(&db).unwrap_or_default();
        let recorded: Recorded = end_recording(&db);
        let named = |nodes: &mut dyn Iterator<Item = Node>| {
            let mut named: Vec<(String, String)> = nodes.map(|node| (node.label(), node.key(&db))).collect();
            named.sort_unstable();
            named.dedup();
            named
        };
        Ok(TracedQuery {
            query: node.name(),
            key: node.key(&db),
            value,
            reads: named(&mut recorded.read_by(node)),
            readers: named(&mut recorded.readers_of(node)),
        })
    }

    /// The edges that were taken so far.
    pub(super) fn graph(self) -> TakenGraph {
        let db = self.gate.into_inner();
        let recorded = end_recording(&db);
        let counters: &Counters = db.counters();
        TakenGraph { edges: recorded.between_queries(), report: Report::of(counters) }
    }
}

fn ask(db: &RootDatabase, file: File) {
    bindings(db, file);
    aliases(db, file);
}
