//! A survey of a workspace: what discovery, reading and the index rules make of each file, counted. It reads every file
//! and parses none, and leaves nothing behind.

use std::collections::BTreeMap;
use std::path::Path;

use rift_base::{Config, GeneratedReason, Language, Presence, SyntaxPolicy, TextPolicy, Unavailable};

use crate::discover::{CatalogError, Discovery, FileEntry, OmissionReason, RuleProblem, discover};
use crate::git::Checkout;
use crate::indexing::IndexRules;
use crate::languages::LanguageMap;
use crate::read::Reader;

/// The most names that one reason lists.
pub const SURVEY_NAMES_MAX: usize = 5;

/// What a workspace consists of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// Visible files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Directories that were looked into: as many watches does a watcher need.
    pub directories: u64,
    /// Files that are parsed.
    pub parsed: u64,
    /// Files whose text is searched.
    pub searched: u64,
    /// Visible files by language; without one behind none.
    pub languages: BTreeMap<Option<Language>, LanguageSurvey>,
    /// What is left out of catalog, parsing or search, by reason.
    pub left_out: BTreeMap<LeftOutReason, LeftOutFiles>,
    /// The ignore files that hold, below the root where they lie there, in byte order.
    pub ignore_sources: Vec<String>,
    /// Rules in them that do not hold.
    pub rule_problems: Vec<RuleProblem>,
}

/// The files of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LanguageSurvey {
    /// Visible files.
    pub files: u64,
    /// Of them, files that are parsed.
    pub parsed: u64,
}

/// Files under one reason.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftOutFiles {
    /// All of them.
    pub count: u64,
    /// The first in path order, at most [`SURVEY_NAMES_MAX`]. Binary files that were never opened have no name here.
    pub names: Vec<String>,
}

/// Why something is left out: of the catalog (no text), of parsing, or of search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOutReason {
    /// Binary, by name or by content.
    Binary,
    /// Not valid UTF-8 or UTF-16, or with a NUL byte in what should be text.
    Encoding,
    /// Past the bound on the bytes of one file.
    TooLarge,
    /// It cannot be read or listed, or changed all the while.
    Unreadable,
    /// Its name cannot be an identity.
    Name,
    /// A pipe, a socket, a device, or a link in a file's place.
    NotRegular,
    /// A linked worktree.
    LinkedWorktree,
    /// A build directory.
    BuildDirectory,
    /// Searched, not parsed: past `providers.syntax.max_file`.
    LargeUnparsed,
    /// Searched, not parsed: minified, a source map or a lockfile.
    GeneratedUnparsed,
    /// Not searched: past `search.text.max_chunk`.
    LargeUnsearched,
    /// Not searched: listed by `search.text.excluded_lockfiles`.
    LockfileUnsearched,
    /// Neither: without a language, and not selected by `search.text.include`.
    NotSelected,
}

impl LeftOutReason {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            LeftOutReason::Binary => "binary",
            LeftOutReason::Encoding => "encoding",
            LeftOutReason::TooLarge => "too_large",
            LeftOutReason::Unreadable => "unreadable",
            LeftOutReason::Name => "name",
            LeftOutReason::NotRegular => "not_regular",
            LeftOutReason::LinkedWorktree => "linked_worktree",
            LeftOutReason::BuildDirectory => "build_directory",
            LeftOutReason::LargeUnparsed => "large_unparsed",
            LeftOutReason::GeneratedUnparsed => "generated_unparsed",
            LeftOutReason::LargeUnsearched => "large_unsearched",
            LeftOutReason::LockfileUnsearched => "lockfile_unsearched",
            LeftOutReason::NotSelected => "not_selected",
        }
    }

    /// What it means, for people.
    pub fn describe(self) -> &'static str {
        match self {
            LeftOutReason::Binary => "binary",
            LeftOutReason::Encoding => "neither UTF-8 nor UTF-16",
            LeftOutReason::TooLarge => "past the bytes of one file",
            LeftOutReason::Unreadable => "unreadable",
            LeftOutReason::Name => "a name that cannot be an identity",
            LeftOutReason::NotRegular => "no regular file",
            LeftOutReason::LinkedWorktree => "linked worktree",
            LeftOutReason::BuildDirectory => "build directory",
            LeftOutReason::LargeUnparsed => "not parsed: past providers.syntax.max_file",
            LeftOutReason::GeneratedUnparsed => "not parsed: minified, source map or lockfile",
            LeftOutReason::LargeUnsearched => "not searched: past search.text.max_chunk",
            LeftOutReason::LockfileUnsearched => "not searched: excluded lockfile",
            LeftOutReason::NotSelected => "not searched: not selected by search.text.include",
        }
    }

    fn of_text(reason: &Unavailable) -> Self {
        match reason {
            Unavailable::Binary => LeftOutReason::Binary,
            Unavailable::NulByte | Unavailable::NotUtf8 { .. } | Unavailable::NotUtf16 => LeftOutReason::Encoding,
            Unavailable::TooLarge { .. } => LeftOutReason::TooLarge,
            Unavailable::Symlink | Unavailable::NotRegular => LeftOutReason::NotRegular,
            Unavailable::Changing | Unavailable::Unreadable(_) => LeftOutReason::Unreadable,
        }
    }

    fn of_omission(reason: &OmissionReason) -> Self {
        match reason {
            OmissionReason::Name => LeftOutReason::Name,
            OmissionReason::NotRegular => LeftOutReason::NotRegular,
            OmissionReason::LinkedWorktree => LeftOutReason::LinkedWorktree,
            OmissionReason::BuildDirectory => LeftOutReason::BuildDirectory,
            OmissionReason::Unreadable(_) => LeftOutReason::Unreadable,
        }
    }
}

/// Surveys the workspace at `root`, which should be canonical, under a valid configuration, with up to `threads` threads.
/// The result does not depend on their number. Refuses what discovery refuses.
pub fn survey(root: &Path, config: &Config, threads: usize) -> Result<Survey, SurveyError> {
    let languages = LanguageMap::new(config).map_err(|e| SurveyError::Rules(e.to_string()))?;
    let rules = IndexRules::new(config).map_err(|e| SurveyError::Rules(e.to_string()))?;
    let discovery = discover(root, config, &languages, threads)?;
    let mut survey = Survey {
        files: discovery.files.len() as u64,
        bytes: discovery.bytes,
        directories: discovery.directories.len() as u64,
        ignore_sources: if config.source.respect_gitignore { ignore_sources(root, &discovery) } else { Vec::new() },
        rule_problems: discovery.rule_problems.clone(),
        ..Survey::default()
    };
    if discovery.binary_files > 0 {
        survey.left_out.entry(LeftOutReason::Binary).or_default().count += discovery.binary_files;
    }
    for omission in &discovery.omitted {
        survey.leave_out(LeftOutReason::of_omission(&omission.reason), &omission.path);
    }
    let share = discovery.files.len().div_ceil(threads.max(1)).max(1);
    let parts: Vec<Survey> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            discovery.files.chunks(share).map(|files| scope.spawn(|| part(root, files, &rules))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_default()).collect()
    });
    parts.into_iter().for_each(|part| survey.add(part));
    Ok(survey)
}

/// Why there is no survey.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SurveyError {
    /// The tree cannot be cataloged.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The configuration's patterns do not compile.
    #[error("{0}")]
    Rules(String),
}

/// The survey of some files alone.
fn part(root: &Path, files: &[FileEntry], rules: &IndexRules) -> Survey {
    let mut survey = Survey::default();
    let mut reader = Reader::new(root);
    for file in files {
        let path = file.path.as_str();
        let content = reader.read(&file.path, file.language.is_some());
        if let Presence::Unavailable(reason) = &content.presence {
            survey.leave_out(LeftOutReason::of_text(reason), path);
        }
        let language = survey.languages.entry(file.language.clone()).or_default();
        language.files += 1;
        if content.presence != Presence::Text {
            continue;
        }
        let (_, policy) = rules.decide(path, content.stamp.size, &content.text, file.language.as_ref());
        if policy.parses() {
            language.parsed += 1;
            survey.parsed += 1;
        }
        survey.searched += u64::from(policy.indexes_text());
        match policy.syntax {
            SyntaxPolicy::TooLarge => survey.leave_out(LeftOutReason::LargeUnparsed, path),
            // A lockfile that is left out of search says so there.
            SyntaxPolicy::NotAuthored(GeneratedReason::Lockfile) if policy.text == TextPolicy::Lockfile => {}
            SyntaxPolicy::NotAuthored(_) => survey.leave_out(LeftOutReason::GeneratedUnparsed, path),
            SyntaxPolicy::Parse | SyntaxPolicy::NoLanguage => {}
        }
        match policy.text {
            TextPolicy::TooLarge => survey.leave_out(LeftOutReason::LargeUnsearched, path),
            TextPolicy::Lockfile => survey.leave_out(LeftOutReason::LockfileUnsearched, path),
            TextPolicy::NotSelected => survey.leave_out(LeftOutReason::NotSelected, path),
            TextPolicy::Index => {}
        }
    }
    survey
}

impl Survey {
    fn leave_out(&mut self, reason: LeftOutReason, name: &str) {
        let files = self.left_out.entry(reason).or_default();
        files.count += 1;
        files.names.push(name.to_owned());
        files.settle();
    }

    fn add(&mut self, part: Survey) {
        self.parsed += part.parsed;
        self.searched += part.searched;
        for (language, counts) in part.languages {
            let into = self.languages.entry(language).or_default();
            into.files += counts.files;
            into.parsed += counts.parsed;
        }
        for (reason, files) in part.left_out {
            let into = self.left_out.entry(reason).or_default();
            into.count += files.count;
            into.names.extend(files.names);
            into.settle();
        }
    }
}

impl LeftOutFiles {
    fn settle(&mut self) {
        self.names.sort_unstable();
        self.names.truncate(SURVEY_NAMES_MAX);
    }
}

/// The ignore files of the directories that were looked into.
fn ignore_sources(root: &Path, discovery: &Discovery) -> Vec<String> {
    let mut found = Vec::new();
    for directory in &discovery.directories {
        let full = root.join(directory.as_str());
        let mut take = |path: &Path| {
            if std::fs::symlink_metadata(path).is_ok_and(|m| m.is_file()) {
                found.push(path.strip_prefix(root).unwrap_or(path).display().to_string());
            }
        };
        take(&full.join(".gitignore"));
        if let Some(checkout) = Checkout::of(&full) {
            take(&checkout.exclude);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The bytes of a folder's entries, the largest first; what lies below an entry counts with it. Links are not followed.
/// Nothing for a folder that does not exist.
pub fn folder_sizes(folder: &Path) -> Vec<(String, u64)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut sizes: Vec<(String, u64)> = entries
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), size(&entry.path())))
        .collect();
    sizes.sort_unstable_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
    sizes
}

fn size(path: &Path) -> u64 {
    let mut total = 0;
    let mut waiting = vec![path.to_owned()];
    while let Some(path) = waiting.pop() {
        let Ok(metadata) = std::fs::symlink_metadata(&path) else { continue };
        if metadata.is_file() {
            total += metadata.len();
        } else if metadata.is_dir()
            && let Ok(entries) = std::fs::read_dir(&path)
        {
            waiting.extend(entries.flatten().map(|entry| entry.path()));
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_file_is_counted_once_with_its_reason() {
        let temp = tempfile::tempdir().expect("temp");
        let root = temp.path().canonicalize().expect("there");
        let write = |path: &str, bytes: &[u8]| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, bytes).expect("write");
        };
        write("src/a.rs", b"fn a() {}\n");
        write("src/big.rs", &vec![b' '; 70 << 10]);
        write("src/latin.py", b"\xe9");
        write("justfile", b"all:\n");
        write("logo.png", b"\x89PNG");
        write("data", b"a\0b");
        write("Cargo.lock", b"# lock\n");
        write("a.min.js", b"x\n");
        write("target/x.rs", b"fn x() {}\n");
        write("sub/.gitignore", b"hidden\n\xff\n");
        write("sub/hidden", b"");
        write(".git/info/exclude", b"/private\n");
        write("private", b"");
        for i in 0..7 {
            write(&format!("latin/{i}.py"), b"\xe9");
        }
        let mut config = Config::default();
        config.syntax.max_file = 64 << 10;
        let found = survey(&root, &config, 1).expect("surveyed");
        let groups: Vec<(&str, u64, String)> =
            found.left_out.iter().map(|(r, f)| (r.word(), f.count, f.names.join(" "))).collect();
        let expected = [
            ("binary", 2, "data"),
            ("encoding", 9, "latin/0.py latin/1.py latin/2.py latin/3.py latin/4.py"),
            ("build_directory", 1, "target"),
            ("large_unparsed", 1, "src/big.rs"),
            ("generated_unparsed", 1, "a.min.js"),
            ("lockfile_unsearched", 1, "Cargo.lock"),
        ];
        assert_eq!(groups, expected.map(|(reason, count, names)| (reason, count, names.to_owned())));
        // By hand: a.rs, big.rs, 8 Python files, justfile, data, Cargo.lock, a.min.js, sub/.gitignore.
        assert_eq!((found.files, found.parsed, found.directories), (15, 1, 4));
        // Of them a.rs, big.rs, justfile and a.min.js have a text that is searched.
        assert_eq!(found.searched, 4);
        let languages: Vec<(String, u64, u64)> = found
            .languages
            .iter()
            .map(|(l, c)| (l.as_ref().map_or_else(String::new, ToString::to_string), c.files, c.parsed))
            .collect();
        let expected = [("", 3, 0), ("javascript", 1, 0), ("python", 8, 0), ("rust", 2, 1), ("toml", 1, 0)];
        assert_eq!(languages, expected.map(|(l, f, p)| (l.to_owned(), f, p)));
        assert_eq!(found.ignore_sources, [".git/info/exclude", "sub/.gitignore"]);
        assert_eq!((found.rule_problems.len(), found.rule_problems[0].file.as_str()), (1, "sub/.gitignore"));
        for threads in 2..5 {
            assert_eq!(survey(&root, &config, threads).expect("surveyed"), found, "{threads}");
        }
    }

    #[test]
    fn sizes_are_summed_and_links_are_not_followed() {
        let temp = tempfile::tempdir().expect("temp");
        fs::create_dir_all(temp.path().join("logs/deep")).expect("folders");
        fs::write(temp.path().join("logs/a"), [0; 30]).expect("write");
        fs::write(temp.path().join("logs/deep/b"), [0; 12]).expect("write");
        fs::write(temp.path().join("server.json"), [0; 7]).expect("write");
        #[cfg(unix)]
        std::os::unix::fs::symlink("/", temp.path().join("logs/root")).expect("link");
        let expected = [("logs".to_owned(), 42), ("server.json".to_owned(), 7)];
        assert_eq!(folder_sizes(temp.path()), expected);
        assert_eq!(folder_sizes(&temp.path().join("nothing")), []);
    }
}
