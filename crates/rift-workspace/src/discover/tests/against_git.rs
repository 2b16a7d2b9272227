//! Random trees with random rules, listed by git as well.

use std::fs;
use std::path::Path;

use super::*;

/// A small deterministic generator (xorshift), so that a failure can be run again.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

#[test]
fn random_trees_agree_with_git() {
    const NAMES: [&str; 6] = ["a", "b", "c d", "\u{e9}", ".h", "ab"];
    const RULES: [&str; 24] = [
        "a", "/a", "a/", "/b/", "*", "!*", "!a", "!/b", "a/*", "!a/b", "**/b", "b/**", "a/**/b", "*b", "?", "[ab]",
        "[!a]", "!*/", ".h", "c\\ d", "/*/a", "!\u{e9}", "# a", "ab/",
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut shown, mut hidden) = (0, 0);
    for round in 0..60 {
        let mut files = std::collections::BTreeSet::new();
        for _ in 0..25 {
            let depth = 1 + random.below(4);
            let path: Vec<&str> = (0..depth).map(|_| random.pick(&NAMES)).collect();
            files.insert(path.join("/") + ".f");
        }
        let tree = Tree::new(&files.iter().map(String::as_str).collect::<Vec<_>>());
        // Files end in `.f` so that none takes a directory's name; make some that do not.
        for _ in 0..6 {
            let full = tree.root.join(random.pick(&NAMES)).join(random.pick(&NAMES));
            if full.parent().is_some_and(Path::is_dir) && !full.exists() {
                fs::write(full, "").expect("write");
            }
        }
        let mut rules = String::new();
        for directory in ["", "a", "b", "a/b"] {
            if !tree.root.join(directory).is_dir() {
                continue;
            }
            let lines: Vec<&str> = (0..1 + random.below(4)).map(|_| random.pick(&RULES)).collect();
            rules.push_str(&format!("{directory}: {lines:?}\n"));
            fs::write(tree.root.join(directory).join(".gitignore"), lines.join("\n")).expect("write");
        }
        tree.git("", &["init", "-q"]);
        let (ours, gits) = (tree.paths(&Config::default()), tree.git_paths());
        assert_eq!(ours, gits, "round {round}\n{rules}");
        shown += ours.len();
        hidden += files.len().saturating_sub(ours.len());
    }
    assert!(shown > 200 && hidden > 200, "nothing was compared: {shown} shown, {hidden} hidden");
}
