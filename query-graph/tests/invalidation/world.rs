//! A small workspace in a database, the steps that happen to it and every question that a host asks of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph::{
    Change, Content, Counters, Db as _, DependencyFiles, DirectoryManifest, DirectorySummary, Document, FileEntry,
    FileFacts, FileSymbols, Ground, Note, Noted, QueryCount, RootDatabase, Source, StoredText, directory_manifest,
    directory_summary, documentation, facts, file_facts, file_symbols, outline, positions,
};
use rift_base::{Config, Digest, DocumentFormat, IndexPolicy, Language, ProjectPath, SourceKind};
use rift_testkit::{Fixture, FixtureFile, Step, assert_ran};
use rift_workspace::LanguageMap;

/// A database and the ground it stands on.
pub(crate) struct World {
    pub(crate) db: RootDatabase,
    pub(crate) ground: Ground,
}

/// Content as a host reads it from disk. The one place of these tests that makes a [`Source`].
pub(crate) fn source(text: &str, policy: IndexPolicy) -> Content {
    Content::Source(Arc::new(Source {
        digest: Digest::of(text.as_bytes()),
        text: StoredText::new(text),
        size: text.len() as u64,
        kind: SourceKind::Authored,
        policy,
    }))
}

pub(crate) fn path(path: &str) -> ProjectPath {
    ProjectPath::new(path).expect("a valid path")
}

pub(crate) fn write(file: &str, text: &str) -> Change {
    Change { path: path(file), content: source(text, IndexPolicy::FULL) }
}

pub(crate) fn delete(file: &str) -> Change {
    Change { path: path(file), content: Content::Absent }
}

fn change(step: &Step) -> Change {
    match step {
        Step::Edit(FixtureFile { path, text, .. }) => write(path, text),
        Step::Delete(path) => delete(path),
    }
}

impl World {
    /// An empty workspace called `ws`.
    pub(crate) fn empty() -> Self {
        let mut db = RootDatabase::new().binding();
        let config = Config::default();
        let languages = LanguageMap::new(&config).expect("the default languages");
        let ground = Ground::new(&mut db, "ws", Arc::new(config), Arc::new(languages));
        Self { db, ground }
    }

    /// The first state of `fixture`, asked about once.
    pub(crate) fn new(fixture: &Fixture) -> Self {
        let mut world = Self::empty();
        world.apply(fixture.files.iter().map(|file| write(&file.path, &file.text)).collect());
        world.ask();
        world
    }

    /// Applies `changes` as one edit, as the host's writer does. Answers how many inputs changed.
    pub(crate) fn apply(&mut self, changes: Vec<Change>) -> usize {
        let changed = self.ground.apply(&mut self.db, changes).len();
        self.ground.settle(&mut self.db);
        changed
    }

    /// Replays one step of a fixture.
    pub(crate) fn step(&mut self, step: &Step) {
        self.apply(vec![change(step)]);
    }

    /// Turns the language on or off in the configuration.
    pub(crate) fn enable(&mut self, language: &str, enabled: bool) {
        let mut config = Config::default();
        if !enabled {
            let stated = rift_base::LanguageConfig { enabled, ..Default::default() };
            config.languages.insert(Language::new(language).expect("a valid identity"), stated);
        }
        let languages = LanguageMap::new(&config).expect("valid languages");
        self.ground.configure(&mut self.db, Arc::new(config), Arc::new(languages));
        self.ground.settle(&mut self.db);
    }

    /// The tree.
    pub(crate) fn manifest(&self) -> Arc<DirectoryManifest> {
        directory_manifest(&self.db, self.ground.root(&self.db))
    }

    /// Asks everything a host asks, of every file.
    pub(crate) fn ask(&self) -> Answers {
        let root = self.ground.root(&self.db);
        let manifest = directory_manifest(&self.db, root);
        let mut files = BTreeMap::new();
        manifest.walk(&mut |entry| {
            files.insert(entry.path.clone(), self.file(entry));
        });
        assert_eq!(files.len() as u64, manifest.total);
        let summary = directory_summary(&self.db, root);
        Answers { digest: manifest.digest, files, summary: Sums::of(&summary) }
    }

    fn file(&self, entry: &FileEntry) -> FileAnswers {
        let db = &self.db;
        let file = self.ground.file(&entry.path).expect("an entry has an input");
        let known = entry.placed(db).map(|placed| {
            assert_eq!(query_graph::placed(db, file), Some(placed), "an entry finds the file's own place");
            let revision = placed.revision(db);
            let packed = facts(db, revision);
            assert_eq!(outline(db, file).as_ref(), Some(&packed.packed.outline));
            assert_eq!(positions(db, file).as_ref(), Some(&packed.packed.positions));
            let unpacked = packed.packed.unpack();
            assert_eq!(*file_facts(db, revision), unpacked, "what is kept unpacked is what is packed");
            // Documents alone are asked for their blocks, as tools do it.
            let document = DocumentFormat::of(&entry.path).map(|_| documentation(db, revision)).unwrap_or_default();
            if unpacked.document.blocks.len() + unpacked.document.headings.len() > 0 {
                assert_eq!(document, unpacked.document, "the blocks of Markdown are those of its facts");
            }
            (unpacked, file_symbols(db, placed), document)
        });
        FileAnswers { digest: entry.digest(), language: entry.language.clone(), known }
    }

    /// What `work` and the questions after it executed.
    pub(crate) fn executed(&mut self, work: impl FnOnce(&mut Self)) -> Vec<String> {
        self.db.counters().start_log();
        work(self);
        self.ask();
        self.db.counters().take_log(&self.db)
    }

    /// What `work` counted, by query.
    pub(crate) fn counted(&mut self, work: impl FnOnce(&mut Self)) -> BTreeMap<String, QueryCount> {
        let counters: Counters = self.db.counters().clone();
        counters.take();
        work(self);
        counters.take()
    }
}

/// Answers as values that two databases can be compared by: no keys of salsa's.
#[derive(Debug, PartialEq)]
pub(crate) struct Answers {
    pub(crate) digest: Digest,
    pub(crate) files: BTreeMap<ProjectPath, FileAnswers>,
    pub(crate) summary: Sums,
}

#[derive(Debug, PartialEq)]
pub(crate) struct FileAnswers {
    pub(crate) digest: Option<Digest>,
    pub(crate) language: Option<Language>,
    /// Facts, symbols and blocks; absent without text.
    pub(crate) known: Option<(FileFacts, Arc<FileSymbols>, Arc<Document>)>,
}

/// [`DirectorySummary`] with its entry points by declaration number.
#[derive(Debug, PartialEq)]
pub(crate) struct Sums {
    pub(crate) files: u64,
    pub(crate) symbols: u64,
    languages: Vec<(Language, u64, u64)>,
    pub(crate) entry_points: Vec<(ProjectPath, u32)>,
    docs: Vec<ProjectPath>,
    pub(crate) notes: BTreeMap<Note, Noted>,
    pub(crate) dependencies: DependencyFiles,
    directories: Vec<(ProjectPath, Sums)>,
}

impl Sums {
    fn of(summary: &DirectorySummary) -> Self {
        Self {
            files: summary.files,
            symbols: summary.symbols,
            languages: summary.languages.iter().map(|(l, count)| (l.clone(), count.files, count.symbols)).collect(),
            entry_points: summary.entry_points.iter().map(|e| (e.path.clone(), e.declaration.0)).collect(),
            docs: summary.docs.clone(),
            notes: summary.notes.clone(),
            dependencies: summary.dependencies.clone(),
            directories: summary.directories.iter().map(|(path, below)| (path.clone(), Self::of(below))).collect(),
        }
    }
}

impl Answers {
    /// The logical paths of the symbols of `file`, in source order.
    pub(crate) fn symbols(&self, file: &str) -> Vec<String> {
        let (facts, symbols, _) = self.files[&path(file)].known.as_ref().expect("a file with text");
        let primary = symbols.groups().filter_map(|group| facts.outline.get(group.primary));
        primary.map(|declaration| symbols.path(declaration).to_string()).collect()
    }
}

/// Replays the steps of `fixture` and holds what they and the questions after them executed against `expected`, one
/// query a line. The last step is the one that is looked at; those before it lead up to it.
pub(crate) fn check(fixture: &str, expected: &str) {
    let fixture = Fixture::parse(fixture);
    let mut world = World::new(&fixture);
    let (last, before) = fixture.steps.split_last().expect("a fixture with a step");
    for step in before {
        world.step(step);
        world.ask();
    }
    let executed = world.executed(|world| world.step(last));
    assert_ran(&executed, expected);
    assert_eq!(world.executed(|_| ()), [""; 0], "a second equal question executes nothing");
}
