//! What only a Unix file system can hold.

use super::*;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};

#[test]
fn links_are_neither_followed_nor_listed() {
    let tree = Tree::new(&["src/a.rs", "src/deep/b.rs"]);
    let outside = Tree::new(&["secret.rs"]);
    symlink("..", tree.root.join("src/ancestor")).expect("link");
    symlink(".", tree.root.join("src/self")).expect("link");
    symlink("a.rs", tree.root.join("src/alias.rs")).expect("link");
    symlink(&outside.root, tree.root.join("outside")).expect("link");
    symlink("nowhere", tree.root.join("dangling.rs")).expect("link");
    let config = source(|s| s.force_include = strings(&["**"]));
    assert_eq!(tree.paths(&config), ["src/a.rs", "src/deep/b.rs"]);
    // Nor does a link serve as a file of rules.
    fs::write(outside.root.join("rules"), "*\n").expect("write");
    symlink(outside.root.join("rules"), tree.root.join(".gitignore")).expect("link");
    let found = tree.discover(&Config::default()).expect("inside every bound");
    assert_eq!(found.files.len(), 2);
    assert_eq!(found.rule_problems.len(), 1);
    assert_eq!(found.rule_problems[0].file, ".gitignore");
}

#[test]
fn odd_names_and_odd_files_are_reported() {
    let tree = Tree::new(&["a.rs", "back\\slash.rs", "new\nline/x.rs", "hid\nden.log", ".gitignore=*.log\n"]);
    fs::write(tree.root.join(std::ffi::OsStr::from_bytes(b"bad\xff.rs")), "").expect("write");
    let pipe = tree.root.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let socket = std::os::unix::net::UnixListener::bind(tree.root.join("socket")).expect("bind");
    let found = tree.discover(&Config::default()).expect("inside every bound");
    drop(socket);
    let paths: Vec<_> = found.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, [".gitignore", "a.rs"]);
    let omitted: Vec<_> = found.omitted.iter().map(|o| (o.path.as_str(), &o.reason)).collect();
    assert_eq!(
        omitted,
        [
            ("back\\slash.rs", &OmissionReason::Name),
            ("bad\u{fffd}.rs", &OmissionReason::Name),
            ("new\nline", &OmissionReason::Name),
            ("pipe", &OmissionReason::NotRegular),
            ("socket", &OmissionReason::NotRegular),
        ]
    );
}

#[test]
fn what_cannot_be_listed_is_reported() {
    let tree = Tree::new(&["a.rs", "closed/b.rs", "shut/.gitignore=*\n", "shut/c.rs"]);
    let mode =
        |path: &str, mode| fs::set_permissions(tree.root.join(path), fs::Permissions::from_mode(mode)).expect("chmod");
    mode("closed", 0o000);
    mode("shut/.gitignore", 0o000);
    let bites = fs::read_dir(tree.root.join("closed")).is_err();
    let found = tree.discover(&Config::default());
    mode("closed", 0o755);
    mode("shut/.gitignore", 0o644);
    let found = found.expect("not fatal");
    let paths: Vec<_> = found.files.iter().map(|f| f.path.as_str()).collect();
    if bites {
        assert_eq!(paths, ["a.rs", "shut/.gitignore", "shut/c.rs"]);
        let reason = OmissionReason::Unreadable("permission denied".to_owned());
        assert_eq!(found.omitted, [Omission { path: "closed".to_owned(), reason }]);
        assert_eq!(found.rule_problems.len(), 1);
    } else {
        // Permissions do not hold the superuser back.
        assert_eq!((paths, found.omitted.len()), (vec!["a.rs", "closed/b.rs"], 0));
    }
}

#[test]
fn rules_that_do_not_hold_are_reported() {
    let tree = Tree::new(&["a.rs", "b.rs", "x/c.rs"]);
    fs::write(tree.root.join(".gitignore"), b"\xff\xfe\n{a\nb.rs\n").expect("write");
    let found = tree.discover(&Config::default()).expect("not fatal");
    let paths: Vec<_> = found.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, [".gitignore", "a.rs", "x/c.rs"]);
    let problems: Vec<_> = found.rule_problems.iter().map(|p| (p.file.as_str(), p.problem.as_str())).collect();
    assert_eq!(problems[0], (".gitignore", "line 1 is not UTF-8"));
    assert!(problems[1].1.starts_with("line 2: "), "{problems:?}");
    assert_eq!(problems.len(), 2);
}

#[test]
fn deep_trees() {
    let tree = Tree::new(&[]);
    let deep = vec!["d"; 600].join("/");
    tree.add(&format!("{deep}/a.rs"));
    assert_eq!(tree.paths(&Config::default()), [format!("{deep}/a.rs")]);
}

#[test]
fn what_is_asked_for_by_name_is_found_behind_every_rule_but_the_last() {
    let files = [
        "a.log",
        "src/b.log",
        "build/c.log",
        ".git/d.log",
        ".rift/e.log",
        "target/f.log",
        "src/g.rs",
        "deep/x/h.log",
        ".gitignore=*.log\nbuild/\n",
        "pic.png",
    ];
    let tree = Tree::new(&files);
    let outside = Tree::new(&["secret.log"]);
    symlink(&outside.root, tree.root.join("linked")).expect("link");
    symlink(outside.root.join("secret.log"), tree.root.join("alias.log")).expect("link");
    let languages = LanguageMap::new(&Config::default()).expect("patterns");
    let find = |globs: &[&str], most: usize| {
        let globs = PathPatterns::new(globs).expect("globs");
        let known = |path: &ProjectPath| path.as_str() == "a.log";
        find_outside(&tree.root, &globs, &languages, &known, most, &rift_base::Deadline::never()).expect("no deadline")
    };
    let paths = |found: &Outside| found.files.iter().map(|path| path.as_str().to_owned()).collect::<Vec<_>>();
    let all = find(&["**/*.log", "pic.png"], 10);
    assert_eq!((paths(&all), all.count), (strings(&["build/c.log", "deep/x/h.log", "src/b.log"]), 3));
    let some = find(&["**"], 2);
    assert_eq!((some.files.len(), some.count), (2, 5), "files of the index that are not known count too");
    assert_eq!(find(&["build/**"], 10).count, 1);
    let over = rift_base::Deadline::never();
    over.cancel();
    let globs = PathPatterns::new(&["**"]).expect("globs");
    assert!(find_outside(&tree.root, &globs, &languages, &|_| false, 10, &over).is_err());
}
