//! A small workspace, hosts over it, and everything they answer.

#![allow(dead_code, unreachable_pub, clippy::disallowed_methods, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rift_base::{Deadline, ProjectPath};
use rift_host::index::{ParsedQuery, QUERY_TERMS_MAX, Selection};
use rift_host::{Following, Host, HostOptions, View, stated_root};

/// A deadline that a loaded machine keeps.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Workspace {
    pub folder: tempfile::TempDir,
    pub cache: tempfile::TempDir,
}

impl Workspace {
    pub fn new() -> Self {
        let workspace = Self { folder: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
        workspace.write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n");
        workspace.write("src/lib.rs", "//! The shop.\npub mod cart;\npub fn open_shop() {}\n");
        workspace
            .write("src/cart.rs", "/// Holds what is bought.\npub struct Cart;\nimpl Cart { pub fn add(&self) {} }\n");
        workspace.write("java/a/Till.java", "package a.b;\npublic class Till { void ring() {} }\n");
        workspace.write("web/view.py", "def show_cart():\n    \"\"\"Shows the cart.\"\"\"\n    return 1\n");
        workspace.write("c/shop.h", "class Shelf { void fill(); };\n");
        workspace.write("docs/guide.md", "# Guide\n\nHow to open the shop.\n");
        workspace.write("Cargo.lock", "# no declarations\n");
        workspace.write("main.go", "package main\n\nfunc main() {}\n");
        workspace
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn store(&self, name: &str) -> PathBuf {
        self.root().join(".rift").join(name)
    }

    /// A prepared host.
    pub fn host(&self) -> Host {
        let options = HostOptions {
            cache_base: Some(self.cache.path().to_owned()),
            threads: 2,
            following: Following::Told,
            ..HostOptions::default()
        };
        let host = Host::open(stated_root(&self.root()).unwrap(), &options).unwrap();
        host.prepare_in_background();
        host.wait_prepared(&Deadline::within(PATIENCE), |_| {}).unwrap().unwrap();
        host
    }
}

/// What a view answers: its tree, its sums, its rows, and the rankings of some words.
#[derive(Debug, PartialEq)]
pub struct Answers {
    id: String,
    summary: String,
    paths: Vec<ProjectPath>,
    rankings: Vec<rift_host::index::Rankings>,
    outlines: Vec<String>,
}

const WORDS: &[&str] =
    &["shop", "cart", "add", "show_cart", "Till ring", "\"open the shop\"", "shelf", "main", "renamed"];

pub fn answers(view: &View) -> Answers {
    let searcher = view.searcher();
    let rank =
        |text: &&str| searcher.rankings(&ParsedQuery::parse(text, QUERY_TERMS_MAX), &Selection::default()).unwrap();
    let mut outlines = Vec::new();
    view.tree().walk(&mut |entry| {
        let symbols = view.symbols(entry).map(|s| (s.count, s.module.clone()));
        outlines.push(format!("{} {:?} {symbols:?}", entry.path, view.facts(entry)));
    });
    // Entry points name the interned place, whose number is the process's own.
    let summary = view.summary();
    let points: Vec<_> = summary.entry_points.iter().map(|p| (&p.path, p.declaration)).collect();
    let sums = (summary.files, summary.symbols, &summary.languages, points, &summary.docs, &summary.notes);
    Answers {
        id: view.id().to_owned(),
        summary: format!("{sums:?}"),
        paths: searcher.paths().to_vec(),
        rankings: WORDS.iter().map(rank).collect(),
        outlines,
    }
}

/// The answers of a host, which must say something.
pub fn ask(host: &Host) -> Answers {
    let view = host.current().unwrap();
    assert!(view.preparation().is_none());
    let answers = answers(&view);
    assert!(answers.rankings.iter().filter(|r| !r.lexical.is_empty()).count() >= 6, "{answers:?}");
    answers
}

/// The answers of a host without stores of an earlier process.
pub fn fresh(workspace: &Workspace) -> Answers {
    let copy = Workspace { folder: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
    copy_folder(&workspace.root(), &copy.root(), &|name| name != ".rift");
    let host = copy.host();
    assert!(host.fact_work().extracted() > host.fact_work().restored(), "only equal contents are found");
    ask(&host)
}

pub fn copy_folder(from: &Path, to: &Path, wanted: &dyn Fn(&str) -> bool) {
    // What is copied may come and go meanwhile.
    let Ok(entries) = fs::read_dir(from) else { return };
    fs::create_dir_all(to).unwrap();
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !wanted(name.to_str().unwrap()) {
            continue;
        }
        let target = to.join(&name);
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => copy_folder(&entry.path(), &target, wanted),
            _ => drop(fs::copy(entry.path(), &target)),
        }
    }
}

/// Answers without the view's identity, which names the folder.
pub fn same(left: &Answers, right: &Answers) {
    assert_eq!(left.summary, right.summary);
    assert_eq!(left.paths, right.paths);
    assert_eq!(left.outlines, right.outlines);
    assert_eq!(left.rankings, right.rankings);
}
