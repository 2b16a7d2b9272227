//! Every tracked query is documented, listed and counted: its doc comment, its entry in [`QUERIES`], its size function
//! and its row in docs/queries.md are held together here.
#![allow(clippy::disallowed_methods, reason = "this test reads sources")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use query_graph::{
    Change, Content, Db as _, Ground, Key, QUERIES, Report, RootDatabase, Source, StoredText, directory_manifest,
    directory_summary,
};
use rift_base::{Config, Digest, IndexPolicy, ProjectPath, SourceKind};
use rift_workspace::LanguageMap;

/// One tracked function as its source spells it.
#[derive(Debug)]
struct Tracked {
    /// The first sentence of its doc comment.
    purpose: String,
    /// The function behind `heap_size =`.
    size: Option<String>,
    /// The type of the key.
    key: String,
    /// Text from the signature to the closing brace.
    body: String,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<String> {
    let read = |path: &Path| std::fs::read_to_string(path).expect("a source file");
    let mut folders = vec![folder().join("src")];
    let mut out = Vec::new();
    while let Some(here) = folders.pop() {
        for path in std::fs::read_dir(here).expect("the sources").map(|entry| entry.expect("an entry").path()) {
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "rs" => out.push(read(&path)),
                _ => {}
            }
        }
    }
    out
}

/// Every function below a `#[query` attribute, by name. Nothing is tracked but by that: it alone counts.
fn tracked() -> BTreeMap<String, Tracked> {
    let mut out = BTreeMap::new();
    for source in sources() {
        assert!(!source.contains("#[salsa::tracked"), "a query is declared by #[query(…)]");
        let lines: Vec<&str> = source.lines().collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("#[query")) {
            let signature = (at..lines.len()).find(|n| lines[*n].contains("fn ")).expect("a function below");
            let end = (signature..lines.len()).find(|n| lines[*n] == "}").expect("the function's end");
            let (name, rest) = lines[signature].split_once("fn ").and_then(|(_, l)| l.split_once('(')).expect("a name");
            let key = rest.split_once(", ").and_then(|(_, l)| l.split_once(": ")).expect("a key").1;
            let attribute = lines[at..signature].concat();
            let size = attribute.split_once("heap_size = ").and_then(|(_, size)| size.split([',', ')']).next());
            let found = Tracked {
                purpose: purpose(&lines[..at]),
                size: size.map(str::to_owned),
                key: key.split([')', ',']).next().unwrap_or_default().to_owned(),
                body: lines[signature + 1..end].join("\n"),
            };
            assert!(line.ends_with(']'), "an attribute on one line: {line}");
            assert!(out.insert(name.to_owned(), found).is_none(), "two queries called {name}");
        }
    }
    out
}

/// The first sentence of the doc comment that ends `lines`.
fn purpose(lines: &[&str]) -> String {
    let above = lines.iter().rev().map_while(|line| line.strip_prefix("///"));
    let mut words: Vec<&str> = above.map(str::trim).collect();
    words.reverse();
    let text = words.join(" ");
    text.split_inclusive(". ").next().unwrap_or_default().trim_end().to_owned()
}

/// The queries that `body` asks, plain functions that ask for it included.
fn asked(body: &str, queries: &BTreeMap<String, Tracked>) -> BTreeSet<String> {
    let calls = |name: &str| {
        body.match_indices(&format!("{name}(db")).any(|(at, _)| {
            let before = body[..at].chars().next_back();
            before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '.')
        })
    };
    let mut out: BTreeSet<String> = queries.keys().filter(|name| calls(name)).cloned().collect();
    let through: [(&str, &[&str]); 7] = [
        ("file_facts", &["facts"]),
        ("file_outline", &["outline"]),
        ("file_surface", &["surface"]),
        ("file_layout", &["claimed_language"]),
        (
            "Lookup::new",
            &[
                "file_at",
                "directory_at",
                "package",
                "npm_member",
                "npm_package",
                "typescript_config",
                "named",
                "crates_in_code",
                "headers_named",
                "include_folders",
                "java_package",
                "manifest",
            ],
        ),
        (
            "Evaluator::new",
            &[
                "java_package",
                "stated_package",
                "named",
                "declared",
                "wildcards",
                "package_file",
                "resolved_imports",
                "crates_in_code",
                "extending",
                "extended",
                "included",
                "scope_names",
            ],
        ),
        ("library_of", &["file_at", "manifest"]),
    ];
    for (_, queries) in through.into_iter().filter(|(function, _)| calls(function)) {
        out.extend(queries.iter().map(|query| (*query).to_owned()));
    }
    out
}

/// The words of a cell in code font.
fn code(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_query_is_documented_listed_and_measured() {
    let tracked = tracked();
    assert!(tracked.len() > 10, "{tracked:?}");
    for (name, query) in &tracked {
        assert!(!query.purpose.is_empty(), "{name} has no doc comment");
        assert!(query.size.is_some(), "{name} has no heap_size");
    }
    let listed: Vec<(String, String)> =
        QUERIES.iter().map(|(name, key)| ((*name).to_owned(), format!("{key:?}"))).collect();
    let key = |query: &Tracked| match query.key.as_str() {
        "FileRevision" => "Revision".to_owned(),
        "PlacedFile" => "Placed".to_owned(),
        "PathKey" => "Path".to_owned(),
        "DeclKey" => "Decl".to_owned(),
        "NameIn" => "Name".to_owned(),
        other => other.to_owned(),
    };
    let spelled: Vec<(String, String)> = tracked.iter().map(|(name, query)| (name.clone(), key(query))).collect();
    assert_eq!(listed, spelled, "QUERIES, in byte order");
}

#[test]
fn every_query_has_its_row() {
    let page = std::fs::read_to_string(folder().join("../docs/queries.md")).expect("docs/queries.md");
    let rows = rift_testkit::table(&page, &["Query", "Key", "Reads", "Shields", "Size function"]);
    let tracked = tracked();
    let named: BTreeSet<String> = rows.iter().flat_map(|row| code(&row["Query"])).collect();
    assert_eq!(named, tracked.keys().cloned().collect(), "rows and queries");
    assert_eq!(rows.len(), tracked.len(), "one row a query");
    for row in &rows {
        let name = code(&row["Query"]).pop_first().expect("a name");
        let query = &tracked[&name];
        let key = QUERIES.iter().find(|(listed, _)| *listed == name).map(|(_, key)| format!("{key:?}"));
        assert_eq!(Some(&row["Key"]), key.as_ref(), "the key of {name}");
        assert_eq!(code(&row["Reads"]), asked(&query.body, &tracked), "what {name} reads");
        assert_eq!(code(&row["Size function"]).pop_first(), query.size, "the size function of {name}");
        assert!(!row["Shields"].is_empty(), "what {name} shields");
    }
}

/// A database with one file of every kind that a query looks at.
fn filled() -> RootDatabase {
    filled_ground().0
}

fn filled_ground() -> (RootDatabase, Ground) {
    let mut db = RootDatabase::new();
    let config = Config::default();
    let languages = LanguageMap::new(&config).expect("the default languages");
    let mut ground = Ground::new(&mut db, "ws", Arc::new(config), Arc::new(languages));
    let change = |(path, text): (&str, &str)| Change {
        path: ProjectPath::new(path).expect("a valid path"),
        content: Content::Source(Arc::new(Source {
            digest: Digest::of(text.as_bytes()),
            text: StoredText::new(text),
            size: text.len() as u64,
            kind: SourceKind::Authored,
            policy: IndexPolicy::FULL,
        })),
    };
    let lock = ("Cargo.lock", "version = 4\n");
    let python = "from base import *\nimport ns\n\nclass A(B):\n    def f(self): self.g()\n\nns.m.f()\n";
    let files = [
        lock,
        ("go.mod", "module m\n"),
        ("p/a.go", "package p\n\nfunc F() {}\n"),
        ("p/b.md", "# Title\n"),
        ("r/A.java", "package r;\n\nclass A { B b; }\n"),
        ("q/a.py", python),
        ("q/base.py", "class B:\n    def g(self): ...\n"),
        ("q/ns/m.py", "def f(): ...\n"),
        ("c/a.h", "int f(void);\n"),
        ("c/a.c", "#include <a.h>\nint g(void) { return f(); }\n"),
        ("js/package.json", r#"{"name": "root", "workspaces": ["packages/*"]}"#),
        ("js/tsconfig.json", r#"{"compilerOptions": {"baseUrl": "."}}"#),
        ("js/packages/ui/package.json", r#"{"name": "ui", "main": "./index.js"}"#),
        ("js/packages/ui/index.js", "export function f() {}\n"),
        ("js/a.ts", "import { f } from 'ui';\nf();\n"),
        ("r/Cargo.toml", "[package]\nname = \"r\"\n"),
        ("r/src/more.rs", "impl super::S {\n    fn go(&self) {}\n}\n"),
        ("r/src/main.rs", "struct S;\n\nfn main(s: S) {\n    r::run();\n    s.go();\n}\n"),
    ];
    let files = ground.apply(&mut db, files.into_iter().map(change).collect());
    ground.settle(&mut db);
    let root = ground.root(&db);
    directory_manifest(&db, root);
    directory_summary(&db, root);
    for file in files {
        query_graph::outline(&db, file);
        query_graph::positions(&db, file);
        query_graph::bindings(&db, file);
        query_graph::aliases(&db, file);
        query_graph::overrides(&db, file);
        if let Some(placed) = query_graph::placed(&db, file) {
            query_graph::file_symbols(&db, placed);
            query_graph::documentation(&db, placed.revision(&db));
        }
    }
    (db, ground)
}

/// What salsa itself says: every query has memos in a small workspace, and each of them a size.
#[test]
fn the_memory_report_knows_every_query() {
    let report = <dyn salsa::Database>::memory_usage(&mut filled());
    let expected: BTreeSet<&str> = QUERIES.iter().map(|(name, _)| *name).collect();
    let named: BTreeSet<&str> = report.queries.keys().map(|name| name.rsplit("::").next().unwrap_or(name)).collect();
    assert_eq!(named, expected, "queries with memos");
    let unmeasured = report.queries.iter().filter(|(_, info)| info.heap_size_of_fields().is_none());
    let unmeasured: Vec<&str> = unmeasured.map(|(name, _)| *name).collect();
    assert_eq!(unmeasured, [""; 0], "queries without heap size");
    let structs = report.structs.iter().filter(|info| info.heap_size_of_fields().is_none() && info.count() > 0);
    assert_eq!(structs.map(|info| info.debug_name()).collect::<Vec<_>>(), [""; 0], "inputs and keys without heap size");
}

/// What `rift debug queries` says a query, a key or an input is for is what its source says.
#[test]
fn purposes_are_the_doc_comments() {
    let report = Report::of(filled().counters());
    let tracked = tracked();
    let said: BTreeMap<&str, &str> = report.queries.iter().map(|row| (row.name, row.purpose)).collect();
    let written: BTreeMap<&str, &str> =
        tracked.iter().map(|(name, query)| (name.as_str(), query.purpose.as_str())).collect();
    assert_eq!(said, written);
    let sources = sources();
    for row in report.inputs.iter().chain(&report.interned) {
        let found = sources.iter().find_map(|source| {
            let lines: Vec<&str> = source.lines().collect();
            let at = lines.iter().position(|line| *line == format!("pub struct {} {{", row.name))?;
            let start = (0..at).rev().find(|n| lines[*n].starts_with("#[salsa::"))?;
            Some(purpose(&lines[..start]))
        });
        assert_eq!(found.as_deref(), Some(row.purpose), "{}", row.name);
    }
}

/// The sums that are kept as memos are made are those that salsa finds when it looks at every memo; only headers and edges are
/// estimated.
#[test]
fn own_accounting_is_what_salsa_reports() {
    let mut db = filled();
    let own = Report::of(db.counters());
    let exact = own.clone().exactly(&mut db);
    assert!(exact.exact && !own.exact);
    for (own, exact) in [(&own.queries, &exact.queries), (&own.inputs, &exact.inputs), (&own.interned, &exact.interned)]
    {
        assert!(!own.is_empty());
        for (own, exact) in own.iter().zip(exact) {
            assert_eq!((own.name, own.memos, own.heap), (exact.name, exact.memos, exact.heap));
            assert!(own.memos > 0, "{}", own.name);
            assert!(own.own <= exact.own && own.own > 0, "{}: {} of {}", own.name, own.own, exact.own);
        }
    }
}

/// Every query can be asked by name: what `rift debug query` prints.
#[test]
fn every_query_is_asked_by_name() {
    let (db, ground) = filled_ground();
    let key = |key: &Key| match key {
        Key::Directory => "/",
        Key::File | Key::Revision | Key::Placed | Key::Path | Key::Decl => "/q/a.py",
        Key::Name => "/q/base.py . B",
        Key::PackageName => "/ . ui",
    };
    for (name, kind) in QUERIES {
        let node = query_graph::parse_node(&db, &ground, name, key(kind)).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert_eq!((node.name(), node.key(&db)), (*name, key(kind).to_owned()));
        let value = node.value(&db).unwrap_or_else(|| panic!("{name} has no value"));
        assert!(!value.is_empty() && !value.contains("(Id("), "{name}: {value}");
    }
    let unknown = query_graph::parse_node(&db, &ground, "nothing", "/q/a.py");
    assert_eq!(unknown, Err(query_graph::AskError::Query));
    let absent = query_graph::parse_node(&db, &ground, "outline", "/q/gone.py");
    assert_eq!(absent, Err(query_graph::AskError::Absent));
}
