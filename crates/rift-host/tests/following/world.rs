//! A tree on disk with the host that follows it, and everything that tools can see of a view.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rift_base::{Deadline, ProjectPath};
use rift_host::facts::{DirectorySummary, FileEntry};
use rift_host::index::{ParsedQuery, Pattern, Selection};
use rift_host::{Host, HostError, HostOptions, SymbolKey, View, stated_root};
use tempfile::TempDir;

/// However loaded the machine is, a host that keeps up has caught up by then.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

/// A tree and its host.
pub(crate) struct World {
    pub(crate) root: PathBuf,
    pub(crate) host: Host,
    _cache: TempDir,
    _folder: Option<TempDir>,
}

impl World {
    /// A host over a tree of `files`.
    pub(crate) fn new(files: &[(&str, &str)], options: HostOptions) -> Self {
        Self::over(tree(files), options)
    }

    /// A host over the tree in `folder`.
    pub(crate) fn over(folder: TempDir, options: HostOptions) -> Self {
        let root = folder.path().join("w");
        Self { _folder: Some(folder), ..Self::at(&root, options) }
    }

    /// A further host over a tree.
    pub(crate) fn at(root: &Path, options: HostOptions) -> Self {
        let world = Self::opened(root, options);
        world.host.prepare_in_background();
        let prepared = world.host.wait_prepared(&Deadline::within(PATIENCE), |_| ());
        prepared.expect("in time").expect("prepares");
        world
    }

    /// A host that has not begun to prepare.
    pub(crate) fn opened(root: &Path, options: HostOptions) -> Self {
        let cache = tempfile::tempdir().expect("temp");
        let options = HostOptions { cache_base: Some(cache.path().to_owned()), threads: 2, ..options };
        let host = Host::open(stated_root(root).expect("exists"), &options).expect("opens");
        Self { root: root.to_owned(), host, _cache: cache, _folder: None }
    }

    pub(crate) fn full(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        write(&self.root, path, text);
    }

    /// Where trees stand that were moved out.
    pub(crate) fn outside(&self) -> PathBuf {
        self.root.with_file_name("outside")
    }

    /// The tree as it stands, complete and not behind. An answer that says that it is behind is asked for again.
    #[track_caller]
    pub(crate) fn settled(&self) -> View {
        let end = Instant::now() + PATIENCE;
        loop {
            let view = self.host.capture(&Deadline::within(PATIENCE)).expect("served");
            if view.stale().is_none() && view.preparation().is_none() {
                return view;
            }
            assert!(Instant::now() < end, "still behind: {:?}", view.stale());
        }
    }

    /// What a host that knows nothing of the past says of the same tree. It looks for patterns in every file.
    pub(crate) fn fresh(&self) -> Facts {
        let view = World::at(&self.root, HostOptions::default()).settled();
        let matches = PATTERNS.iter().map(|pattern| ((*pattern).to_owned(), scanned(&view, pattern))).collect();
        Facts { matches, ..Facts::of(&view) }
    }

    /// Waits until every file has rows for patterns.
    #[track_caller]
    pub(crate) fn filled(&self) {
        let end = Instant::now() + PATIENCE;
        loop {
            let progress = self.host.current().expect("served").pattern_progress();
            if progress.prepared == progress.total {
                return;
            }
            assert!(Instant::now() < end, "{progress:?}");
            std::thread::yield_now();
        }
    }

    /// Holds the host against a fresh one.
    #[track_caller]
    pub(crate) fn check(&self) -> Facts {
        let facts = Facts::of(&self.settled());
        assert_eq!(facts, self.fresh());
        facts
    }

    /// The failure that reads are refused with.
    #[track_caller]
    pub(crate) fn refusal(&self) -> Arc<HostError> {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.host.capture(&Deadline::within(PATIENCE)) {
                Err(error) => return error,
                Ok(view) => assert!(view.preparation().is_some() || view.stale().is_some(), "served"),
            }
            assert!(Instant::now() < end, "never refused");
        }
    }
}

/// A folder whose `w` holds `files`.
pub(crate) fn tree(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("temp");
    let root = folder.path().join("w");
    std::fs::create_dir(&root).expect("creates");
    files.iter().for_each(|(path, text)| write(&root, path, text));
    folder
}

pub(crate) fn write(root: &Path, path: &str, text: &str) {
    let full = root.join(path);
    std::fs::create_dir_all(full.parent().expect("below the root")).expect("creates");
    std::fs::write(full, text).expect("writes");
}

/// Runs git in `directory`, without any configuration of the machine's or the user's.
#[track_caller]
pub(crate) fn git(directory: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(directory)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"])
        .args(["-c", "gc.auto=0", "-c", "advice.detachedHead=false"])
        .args(arguments)
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Commits everything in `directory` on a new branch.
pub(crate) fn commit(directory: &Path, branch: &str) {
    git(directory, &["checkout", "-q", "-b", branch]);
    git(directory, &["add", "-A", "."]);
    git(directory, &["commit", "-q", "--allow-empty", "-m", branch]);
}

/// Everything that tools can see of a view, without identities of one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) digest: String,
    pub(crate) config: String,
    /// Path, digest, language and size of each file.
    pub(crate) files: Vec<(String, String, String, u64)>,
    /// Each file's declarations by their logical paths, with what the path resolves to.
    pub(crate) symbols: Vec<String>,
    /// Each document's blocks with the headings above them.
    pub(crate) documents: Vec<String>,
    /// The hits of a few queries, in order.
    pub(crate) hits: Vec<(String, Vec<String>)>,
    /// The matches of a few patterns, in the files that are selected for them.
    pub(crate) matches: Vec<(String, Vec<String>)>,
    pub(crate) summary: DirectorySummary,
    pub(crate) omitted: Vec<String>,
}

/// Words that the texts of the tests hold.
const QUERIES: &[&str] = &["alpha", "beta gamma", "\"delta word\"", "Widget", "render", "where is alpha kept", "guide"];

/// Patterns over the same texts.
const PATTERNS: &[&str] = &[
    "alpha",
    r"beta\W+gamma",
    "(?i)WIDGET",
    r"pub fn \w+",
    r"word\.$",
    "appended|market",
    "[a-z]{8}",
    r"^def (alpha|render)",
    r"\{\n",
    r"class \w+:\n +def",
];

impl Facts {
    pub(crate) fn of(view: &View) -> Self {
        let (mut files, mut symbols, mut documents) = (Vec::new(), Vec::new(), Vec::new());
        view.tree().walk(&mut |entry| {
            let digest = entry.digest().map(|digest| digest.hex()).unwrap_or_default();
            let language = entry.language.as_ref().map(|l| l.as_str().to_owned()).unwrap_or_default();
            files.push((entry.path.to_string(), digest, language, entry.size()));
            let document = view.document(entry).unwrap_or_default();
            for block in &document.blocks {
                documents.push(format!("{} {:?} {block:?}", entry.path, document.heading_path(block)));
            }
            let (Some(facts), Some(own)) = (view.facts(entry), view.symbols(entry)) else { return };
            for (id, declaration) in facts.outline.iter() {
                let path = own.path(declaration);
                let language = own.language.as_ref().map(|l| l.as_str().to_owned()).unwrap_or_default();
                let resolved = view.resolve(&SymbolKey { language, path: path.clone() });
                let members: Vec<String> = resolved
                    .iter()
                    .map(|symbol| {
                        let members = symbol.members.iter().map(|m| format!("{}#{}", m.entry.path, m.primary.0));
                        format!("{:?} {}", symbol.occurrence, members.collect::<Vec<_>>().join(","))
                    })
                    .collect();
                symbols.push(format!("{} {} {path}: {}", entry.path, id.0, members.join("; ")));
            }
        });
        let hits = QUERIES.iter().map(|query| ((*query).to_owned(), hits(view, query))).collect();
        Self {
            digest: view.tree().digest.hex(),
            config: view.publication().config_digest.hex(),
            files,
            symbols,
            documents,
            hits,
            matches: PATTERNS.iter().map(|pattern| ((*pattern).to_owned(), matches(view, pattern))).collect(),
            summary: view.summary().clone(),
            omitted: view.publication().omitted.to_vec(),
        }
    }

    /// Whether there is anything to compare.
    pub(crate) fn says_something(&self) -> bool {
        !self.files.is_empty() && !self.symbols.is_empty() && self.hits.iter().any(|(_, hits)| !hits.is_empty())
    }
}

/// The rows that `query` finds, best first.
pub(crate) fn hits(view: &View, query: &str) -> Vec<String> {
    let parsed = ParsedQuery::parse(query, 64);
    let ranked = view.searcher().rank(&parsed, &Selection::default(), &view.config().search.ranking).expect("readable");
    ranked.hits.iter().map(|hit| format!("{:?} {:?}", hit.row, hit.matched)).collect()
}

fn found(entry: &FileEntry, pattern: &Pattern) -> Vec<String> {
    let mut room = Vec::new();
    let text = entry.searched_text().expect("it is searched");
    let matches = pattern.search().matches(text.read(&mut room), usize::MAX).found;
    matches.iter().map(|found| format!("{}:{} {:?}", entry.path, found.line, found.range)).collect()
}

/// The matches of `pattern` in the files that are selected for it.
pub(crate) fn matches(view: &View, pattern: &str) -> Vec<String> {
    let pattern = Pattern::new(pattern, 1 << 20).expect("a pattern");
    let files = view.pattern_files(pattern.query(), &|_| true);
    let mut files: Vec<&FileEntry> = files.selected.into_iter().chain(files.lacking).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.into_iter().flat_map(|entry| found(entry, &pattern)).collect()
}

/// The matches of `pattern` in all files.
pub(crate) fn scanned(view: &View, pattern: &str) -> Vec<String> {
    let pattern = Pattern::new(pattern, 1 << 20).expect("a pattern");
    let mut out = Vec::new();
    view.tree().walk(&mut |entry| {
        if entry.searched_text().is_some() {
            out.extend(found(entry, &pattern));
        }
    });
    out
}

/// The text of the file at `path` in `view`.
pub(crate) fn text(view: &View, path: &str) -> Option<String> {
    let entry = view.entry(&ProjectPath::new(path).expect("a path"))?;
    view.text(entry).map(|text| text.to_string())
}
