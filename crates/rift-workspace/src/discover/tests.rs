//! Real trees in temporary directories. Where git is there, it is asked what it would list.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::*;

mod against_git;
#[cfg(unix)]
mod unix;

/// A tree that goes away with the test.
struct Tree {
    root: PathBuf,
    _temp: tempfile::TempDir,
}

impl Tree {
    /// Makes files; a path that ends in `/` is a directory. Content follows the first `=`.
    fn new(files: &[&str]) -> Self {
        let temp = tempfile::tempdir().expect("temp");
        let root = temp.path().canonicalize().expect("exists");
        let tree = Self { root, _temp: temp };
        files.iter().for_each(|file| tree.add(file));
        tree
    }

    fn add(&self, file: &str) {
        let (path, content) = file.split_once('=').unwrap_or((file, ""));
        let full = self.root.join(path);
        if path.ends_with('/') {
            return fs::create_dir_all(full).expect("directory");
        }
        fs::create_dir_all(full.parent().expect("below the root")).expect("directory");
        fs::write(full, content).expect("file");
    }

    fn discover(&self, config: &Config) -> Result<Discovery, CatalogError> {
        let languages = LanguageMap::new(config).expect("patterns");
        let found = discover(&self.root, config, &languages, 4);
        assert_eq!(found, discover(&self.root, config, &languages, 1), "the number of threads shows");
        found
    }

    fn paths(&self, config: &Config) -> Vec<String> {
        let found = self.discover(config).expect("inside every bound");
        found.files.iter().map(|f| f.path.as_str().to_owned()).collect()
    }

    /// Runs git in a directory of the tree, without any configuration of the machine's or the user's.
    fn git(&self, directory: &str, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .current_dir(self.root.join(directory))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("HOME", &self.root)
            .env_remove("XDG_CONFIG_HOME")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"])
            .args(["-c", "init.defaultBranch=main", "-c", "core.quotePath=false"])
            .args(arguments)
            .output()
            .expect("git is installed");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// What git would list, in byte order.
    fn git_paths(&self) -> Vec<String> {
        let listed = self.git("", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let mut paths: Vec<_> = listed.split('\0').filter(|p| !p.is_empty()).map(str::to_owned).collect();
        paths.sort();
        paths
    }
}

fn source(change: impl FnOnce(&mut SourceConfig)) -> Config {
    let mut config = Config::default();
    change(&mut config.source);
    config
}

fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(|s| (*s).to_owned()).collect()
}

/// The visible paths of a tree are these, with and without a repository, and git agrees.
fn check(files: &[&str], expected: &[&str]) {
    let tree = Tree::new(files);
    assert_eq!(tree.paths(&Config::default()), expected, "without .git");
    tree.git("", &["init", "-q"]);
    assert_eq!(tree.paths(&Config::default()), expected, "with .git");
    assert_eq!(tree.git_paths(), expected, "git's own listing");
}

#[test]
fn ignore_files() {
    // Re-included paths.
    check(
        &[".gitignore=plug/*\n!plug/app\n", "plug/app/a.rs", "plug/b/b.rs", "plug/c.rs", "d.rs"],
        &[".gitignore", "d.rs", "plug/app/a.rs"],
    );
    // Anchored folders.
    check(&[".gitignore=/Library/\n", "Library/a", "sub/Library/a"], &[".gitignore", "sub/Library/a"]);
    // A whitelist.
    check(
        &[".gitignore=*\n!*.rs\n!*/\n!.gitignore\n", "a.rs", "a.txt", "x/y/b.rs", "x/y/b.txt"],
        &[".gitignore", "a.rs", "x/y/b.rs"],
    );
    check(&[".gitignore=*\n!*.rs\n", "a.rs", "x/b.rs"], &["a.rs"]);
    // Nested rules win over outer ones; nothing comes back below a hidden directory.
    check(
        &[
            ".gitignore=*.log\nout/\n",
            "a.log",
            "x/.gitignore=!a.log\n*.tmp\n",
            "x/a.log",
            "x/b.log",
            "x/y/a.log",
            "x/a.tmp",
            "a.tmp",
            "out/.gitignore=!*\n",
            "out/a",
        ],
        &[".gitignore", "a.tmp", "x/.gitignore", "x/a.log", "x/y/a.log"],
    );
    // CRLF, a byte order mark, names with spaces, percent signs and letters outside ASCII.
    check(
        &[
            ".gitignore=\u{feff}gone.rs\r\n/a b/\r\nd\u{e9}j\u{e0}/*.x\r\n100%.txt\r\n\r\n# c\r\n",
            "gone.rs",
            "a b/c",
            "a c/d e.rs",
            "d\u{e9}j\u{e0}/a.x",
            "d\u{e9}j\u{e0}/\u{e9}.rs",
            "100%.txt",
            "99%.txt",
        ],
        &[".gitignore", "99%.txt", "a c/d e.rs", "d\u{e9}j\u{e0}/\u{e9}.rs"],
    );
    // Escapes, trailing spaces, double stars.
    check(
        &[
            ".gitignore=\\#a\n\\!b\nc   \nd\\ \n**/foo/*.o2\nbar/**\na/**/z\n",
            "#a",
            "!b",
            "c",
            "d ",
            "x/foo/a.o2",
            "foo/a.o2",
            "bar/x/y",
            "a/z",
            "a/b/c/z",
            "a/zz",
        ],
        &[".gitignore", "a/zz"],
    );
    // Hidden folders are visible; .git, .rift, target never.
    check(
        &[
            ".gitignore=target/\n.rift/\n",
            ".github/workflows/ci.yml",
            ".rift/db",
            "sub/.rift/db",
            "target/debug/a.rs",
            "sub/target/a.rs",
            "src/target=a file",
        ],
        &[".github/workflows/ci.yml", ".gitignore", "src/target"],
    );
}

#[test]
fn never_visible_even_when_forced() {
    let tree = Tree::new(&[
        ".git/config",
        "x/.git/HEAD",
        ".rift/db.rs",
        "x/.rift",
        "target/a.rs",
        "x/target/b.rs",
        "x/a.rs",
        "y/target",
    ]);
    let config = source(|s| (s.force_include, s.respect_gitignore) = (strings(&["**"]), false));
    let found = tree.discover(&config).expect("inside every bound");
    let paths: Vec<_> = found.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["x/a.rs", "y/target"]);
    let omitted: Vec<_> = found.omitted.iter().map(|o| (o.path.as_str(), &o.reason)).collect();
    assert_eq!(omitted, [("target", &OmissionReason::BuildDirectory), ("x/target", &OmissionReason::BuildDirectory)]);
    let directories: Vec<_> = found.directories.iter().map(ProjectPath::as_str).collect();
    assert_eq!(directories, ["", "x", "y"]);
}

#[test]
fn other_tools_rules_and_outer_rules_are_not_read() {
    let tree = Tree::new(&[".gitignore=*.rs\n", "in/.ignore=*\n", "in/.rgignore=*\n", "in/.fdignore=*\n", "in/a.rs"]);
    let config = Config::default();
    let inner = discover(&tree.root.join("in"), &config, &LanguageMap::new(&config).expect("patterns"), 2)
        .expect("inside every bound");
    let paths: Vec<_> = inner.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, [".fdignore", ".ignore", ".rgignore", "a.rs"]);
}

#[test]
fn source_table_order() {
    let tree = Tree::new(&[
        ".gitignore=gen/\n*.log\n",
        "gen/a.rs",
        "gen/deep/b.rs",
        "gen/.gitignore=*\n",
        "src/a.rs",
        "src/b.md",
        "docs/c.md",
        "a.log",
        "vendor/x.rs",
    ]);
    for (config, expected) in [
        (source(|_| {}), &[".gitignore", "docs/c.md", "src/a.rs", "src/b.md", "vendor/x.rs"][..]),
        (source(|s| s.exclude = strings(&["vendor/**", "**/*.md"])), &[".gitignore", "src/a.rs"]),
        (source(|s| s.include = strings(&["src/**"])), &["src/a.rs", "src/b.md"]),
        (source(|s| s.include = strings(&["**/*.md"])), &["docs/c.md", "src/b.md"]),
        // Past .gitignore and past include, but not past exclude.
        (
            source(|s| (s.include, s.force_include) = (strings(&["docs/*"]), strings(&["gen/**/*.rs", "a.log"]))),
            &["a.log", "docs/c.md", "gen/a.rs", "gen/deep/b.rs"],
        ),
        (
            source(|s| (s.exclude, s.force_include) = (strings(&["gen/deep/*"]), strings(&["gen/**"]))),
            &[".gitignore", "docs/c.md", "gen/.gitignore", "gen/a.rs", "src/a.rs", "src/b.md", "vendor/x.rs"],
        ),
        (
            source(|s| s.respect_gitignore = false),
            &[
                ".gitignore",
                "a.log",
                "docs/c.md",
                "gen/.gitignore",
                "gen/a.rs",
                "gen/deep/b.rs",
                "src/a.rs",
                "src/b.md",
                "vendor/x.rs",
            ],
        ),
        (source(|s| s.exclude = strings(&["**"])), &[]),
    ] {
        assert_eq!(tree.paths(&config), expected, "{:?}", config.source);
    }
}

#[test]
fn forcing_one_file_shows_nothing_else_of_a_hidden_directory() {
    let tree = Tree::new(&[".gitignore=out/\n", "out/keep.rs", "out/drop.rs", "out/in/keep.rs", "out/in/drop.rs"]);
    let config = source(|s| s.force_include = strings(&["out/**/keep.rs"]));
    assert_eq!(tree.paths(&config), [".gitignore", "out/in/keep.rs", "out/keep.rs"]);
}

#[test]
fn bounds_refuse_naming_the_key() {
    let names: Vec<String> = (0..1005).map(|i| format!("d{}/f{i}.rs=0123456789", i % 7)).collect();
    let tree = Tree::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    tree.add("picture.png=not counted");
    let refusal = tree.discover(&source(|s| s.files = 1000)).expect_err("too many files");
    assert_eq!(refusal, CatalogError::LimitExceeded { key: "source.files", limit: 1000, required: 1005 });
    assert!(refusal.to_string().contains("source.files"), "{refusal}");
    let refusal = tree.discover(&source(|s| s.workspace_size = 10_049)).expect_err("too many bytes");
    assert_eq!(refusal, CatalogError::LimitExceeded { key: "source.workspace_size", limit: 10_049, required: 10_050 });
    let found =
        tree.discover(&source(|s| (s.files, s.workspace_size) = (1005, 10_050))).expect("exactly at the bounds");
    assert_eq!((found.files.len(), found.bytes, found.binary_files), (1005, 10_050, 1));
    assert!(found.files.is_sorted_by(|a, b| a.path < b.path));
    assert!(found.files.iter().all(|f| f.stamp.size == 10 && f.stamp.mtime > 0));
}

#[test]
fn languages_and_their_conflicts() {
    let tree = Tree::new(&["a.rs", "b.test.js", "c.test.js", "d.png", "e.vue"]);
    let mut config = Config::default();
    let include =
        |pattern: &str| rift_base::LanguageConfig { include: Some(strings(&[pattern])), ..Default::default() };
    config.languages.insert(Language::new("vue").expect("identity"), include("*.vue"));
    // A language that claims a picture makes it source.
    config.languages.insert(Language::new("picture").expect("identity"), include("*.png"));
    let found = tree.discover(&config).expect("no conflict");
    let languages: Vec<_> = found.files.iter().map(|f| f.language.as_ref().map(Language::as_str)).collect();
    assert_eq!(languages, [Some("rust"), Some("javascript"), Some("javascript"), Some("picture"), Some("vue")]);
    config.languages.insert(Language::new("jest").expect("identity"), include("*.test.js"));
    let Err(CatalogError::Language(conflict)) = tree.discover(&config) else { panic!("a conflict") };
    assert_eq!(
        (conflict.path.as_str(), conflict.first.as_str(), conflict.second.as_str()),
        ("b.test.js", "javascript", "jest")
    );
}

#[test]
fn missing_root() {
    let tree = Tree::new(&[]);
    let config = Config::default();
    let gone = discover(&tree.root.join("gone"), &config, &LanguageMap::new(&config).expect("patterns"), 2);
    assert!(matches!(gone, Err(CatalogError::Root { .. })), "{gone:?}");
    assert_eq!(tree.discover(&config).expect("an empty root").directories, [ProjectPath::root()]);
}

#[test]
fn worktrees_submodules_and_info_exclude() {
    let tree = Tree::new(&[
        "lib/l.rs",
        "lib/.gitignore=*.tmp\n",
        "lib/a.tmp",
        "main/m.rs",
        "main/secret.rs",
        "main/.gitignore=*.def\n",
    ]);
    for repository in ["lib", "main"] {
        tree.git(repository, &["init", "-q"]);
        tree.git(repository, &["add", "."]);
        tree.git(repository, &["commit", "-qm", "x"]);
    }
    let lib = tree.root.join("lib").display().to_string();
    tree.git("main", &["submodule", "--quiet", "add", &lib, "sub"]);
    tree.git("main", &["commit", "-qm", "sub"]);
    tree.git("main", &["worktree", "add", "-q", "trees/inner", "-b", "inner"]);
    tree.git("main", &["worktree", "add", "-q", "../outside", "-b", "outside"]);
    // A linked worktree of another repository is left out as well.
    tree.git("lib", &["worktree", "add", "-q", "../main/of-lib", "-b", "elsewhere"]);
    // The outer repository's rules stop at the submodule; its own hold, and so does its info/exclude.
    tree.add("main/sub/kept.def");
    tree.add("main/sub/hidden.tmp");
    tree.add("main/sub/private.rs");
    tree.add("main/gone.def");
    fs::create_dir_all(tree.root.join("main/.git/info")).expect("directory");
    fs::write(tree.root.join("main/.git/info/exclude"), "secret.rs\n").expect("write");
    fs::create_dir_all(tree.root.join("main/.git/modules/sub/info")).expect("directory");
    fs::write(tree.root.join("main/.git/modules/sub/info/exclude"), "private.rs\n").expect("write");

    let at = |directory: &str| {
        let config = Config::default();
        let root = tree.root.join(directory);
        discover(&root, &config, &LanguageMap::new(&config).expect("patterns"), 2).expect("inside every bound")
    };
    let paths = |found: &Discovery| found.files.iter().map(|f| f.path.as_str().to_owned()).collect::<Vec<_>>();
    let main = at("main");
    assert_eq!(paths(&main), [".gitignore", ".gitmodules", "m.rs", "sub/.gitignore", "sub/kept.def", "sub/l.rs"]);
    let omitted: Vec<_> = main.omitted.iter().map(|o| (o.path.as_str(), &o.reason)).collect();
    assert_eq!(
        omitted,
        [("of-lib", &OmissionReason::LinkedWorktree), ("trees/inner", &OmissionReason::LinkedWorktree)]
    );
    // A linked worktree as the root is walked, by the exclude file that it shares with its repository.
    tree.add("outside/new.rs");
    assert!(tree.root.join("outside/.git").is_file());
    assert_eq!(paths(&at("outside")), [".gitignore", ".gitmodules", "m.rs", "new.rs"]);
    // Its repository is gone: the path still tells what it was.
    fs::remove_dir_all(tree.root.join("lib")).expect("remove");
    assert_eq!(at("main").omitted.len(), 2);
}
