//! gitignore(5) over a tree: a chain of matchers, one for each directory with rules, that ends where the
//! repository begins. The matching of one file of rules is the `ignore` crate's.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rift_base::Presence;

use crate::read::open;

/// The largest rules file in bytes.
pub(crate) const RULES_BYTES_MAX: u64 = 4 << 20;

/// The rules that hold in a directory. A nearer directory's rules come first; `info/exclude` comes last.
#[derive(Debug)]
pub(crate) struct IgnoreRules {
    matcher: Gitignore,
    /// Bytes of the directory's project path, with its closing `/`.
    prefix: usize,
    outer: Option<Arc<IgnoreRules>>,
}

impl IgnoreRules {
    /// Reads a rules file. `directory` is the project path that its patterns start from, empty for the
    /// root. Gives `outer` when the file is missing or empty. Problems, one text each, are appended.
    pub(crate) fn read(
        file: &Path,
        directory: &str,
        outer: Option<Arc<IgnoreRules>>,
        problems: &mut Vec<String>,
    ) -> Option<Arc<IgnoreRules>> {
        let Some(bytes) = read_rules(file, problems) else { return outer };
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let mut builder = GitignoreBuilder::new("");
        for (index, line) in text.split(|b| *b == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let Ok(line) = std::str::from_utf8(line) else {
                problems.push(format!("line {} is not UTF-8", index + 1));
                continue;
            };
            if let Err(error) = builder.add_line(None, line) {
                problems.push(format!("line {}: {error}", index + 1));
            }
        }
        match builder.build() {
            Ok(matcher) if matcher.is_empty() => outer,
            Ok(matcher) => {
                let prefix = if directory.is_empty() { 0 } else { directory.len() + 1 };
                Some(Arc::new(IgnoreRules { matcher, prefix, outer }))
            }
            Err(error) => {
                problems.push(error.to_string());
                outer
            }
        }
    }

    /// Whether the rules hide `path`, given that they hide none of the directories above it.
    pub(crate) fn hides(&self, path: &str, is_dir: bool) -> bool {
        let mut rules = Some(self);
        while let Some(current) = rules {
            match current.matcher.matched(Path::new(path.get(current.prefix..).unwrap_or(path)), is_dir) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => rules = current.outer.as_deref(),
            }
        }
        false
    }
}

/// The bytes of a rules file; none when there is nothing to read. Like git, no link is followed.
fn read_rules(file: &Path, problems: &mut Vec<String>) -> Option<Vec<u8>> {
    let opened = match open(file) {
        Ok(opened) => opened,
        Err(Presence::Unavailable(reason)) => {
            problems.push(reason.to_string());
            return None;
        }
        Err(_) => return None,
    };
    if !opened.metadata().is_ok_and(|m| m.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    if let Err(error) = opened.take(RULES_BYTES_MAX + 1).read_to_end(&mut bytes) {
        problems.push(crate::read::describe(&error));
        return None;
    }
    if bytes.len() as u64 > RULES_BYTES_MAX {
        problems.push(format!("larger than {RULES_BYTES_MAX} bytes, so none of its rules holds"));
        return None;
    }
    Some(bytes)
}
