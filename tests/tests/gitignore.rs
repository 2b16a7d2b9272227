//! Which files are visible: the workspace's own ignore files, and what is never shown. The expected lists follow
//! gitignore(5), and were checked with `git ls-files --others --exclude-standard`.

use rift_tests::{Client, Project};

use crate::support::catalog;

#[track_caller]
fn check(files: &[(&str, &str)], visible: &[&str]) {
    let project = Project::with(files.iter().copied());
    let mut client = Client::start(&project);
    client.prepared();
    assert_eq!(catalog(&mut client), visible);
}

#[test]
fn a_folder_is_re_included_below_a_pattern() {
    check(
        &[
            (".gitignore", "plug/*\n!plug/app\n"),
            ("plug/app/main.rs", ""),
            ("plug/other/main.rs", ""),
            ("plug/loose.rs", ""),
            ("src/plug/kept.rs", ""),
        ],
        &[".gitignore", "plug/app/main.rs", "src/plug/kept.rs"],
    );
}

#[test]
fn nothing_is_re_included_below_an_excluded_folder() {
    check(
        &[(".gitignore", "plug/\n!plug/app/main.rs\n"), ("plug/app/main.rs", ""), ("kept.rs", "")],
        &[".gitignore", "kept.rs"],
    );
}

#[test]
fn a_leading_slash_anchors() {
    check(
        &[(".gitignore", "/Library/\n"), ("Library/gone.rs", ""), ("src/Library/kept.rs", ""), ("Library.rs", "")],
        &[".gitignore", "Library.rs", "src/Library/kept.rs"],
    );
}

#[test]
fn all_but_one_kind_of_file() {
    check(
        &[(".gitignore", "*\n!*.rs\n"), ("main.rs", ""), ("notes.txt", ""), ("src/inside.rs", "")],
        // `*` excludes the folder `src` too, and what an excluded folder holds is not looked at.
        &["main.rs"],
    );
    check(
        &[(".gitignore", "*\n!*/\n!*.rs\n"), ("main.rs", ""), ("notes.txt", ""), ("src/inside.rs", "")],
        &["main.rs", "src/inside.rs"],
    );
}

#[test]
fn a_nested_file_speaks_for_its_folder() {
    check(
        &[
            (".gitignore", "*.log\n"),
            ("a.log", ""),
            ("keep/.gitignore", "!*.log\n/only-here\n"),
            ("keep/b.log", ""),
            ("keep/only-here", ""),
            ("keep/deep/only-here", ""),
        ],
        &[".gitignore", "keep/.gitignore", "keep/b.log", "keep/deep/only-here"],
    );
}

#[test]
fn byte_order_marks_and_line_ends_of_an_ignore_file() {
    check(
        &[(".gitignore", "\u{feff}*.tmp\r\nout/\r\n"), ("a.tmp", ""), ("out/b.rs", ""), ("c.rs", "")],
        &[".gitignore", "c.rs"],
    );
}

#[test]
fn the_repository_s_exclude_file_counts() {
    check(&[(".git/info/exclude", "secret.rs\n"), ("secret.rs", ""), ("open.rs", "")], &["open.rs"]);
}

#[test]
fn hidden_folders_are_visible_and_three_never_are() {
    check(
        &[
            (".github/workflows/ci.yml", "on: push\n"),
            (".git/config.rs", ""),
            (".rift/db.rs", ""),
            ("target/debug/build.rs", ""),
            ("a/.git/inside.rs", ""),
            ("a/target/inside.rs", ""),
            ("a/kept.rs", ""),
        ],
        &[".github/workflows/ci.yml", "a/kept.rs"],
    );
}

#[test]
fn a_linked_worktree_is_left_out_and_a_submodule_is_walked() {
    check(
        &[
            ("src/lib.rs", ""),
            (".git/worktrees/side/HEAD", "ref: refs/heads/side\n"),
            (".git/worktrees/side/commondir", "../..\n"),
            ("side/.git", "gitdir: ../.git/worktrees/side\n"),
            ("side/src/lib.rs", ""),
            (".git/modules/sub/HEAD", "ref: refs/heads/main\n"),
            ("sub/.git", "gitdir: ../.git/modules/sub\n"),
            ("sub/lib.rs", ""),
        ],
        &["src/lib.rs", "sub/lib.rs"],
    );
}

#[test]
fn the_source_table_selects() {
    check(
        &[
            (
                "rift.toml",
                "[source]\ninclude = [\"src/**\"]\nexclude = [\"**/gen/**\"]\nforce_include = [\"build/keep.rs\"]\n",
            ),
            (".gitignore", "/build/\n"),
            ("build/keep.rs", ""),
            ("build/drop.rs", ""),
            ("src/a.rs", ""),
            ("src/gen/b.rs", ""),
            ("other/c.rs", ""),
        ],
        &["build/keep.rs", "src/a.rs"],
    );
    check(
        &[("rift.toml", "[source]\nrespect_gitignore = false\n"), (".gitignore", "a.rs\n"), ("a.rs", "")],
        &[".gitignore", "a.rs", "rift.toml"],
    );
}
