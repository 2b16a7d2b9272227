//! What is known about a file before it is parsed: whether its text is there, who wrote it, and what
//! of it the index takes.

use std::fmt;

/// Whether a path of the catalog has text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Presence {
    /// Its decoded text is known.
    Text,
    /// Nothing is at the path.
    Absent,
    /// Something is there whose text the index cannot hold.
    Unavailable(Unavailable),
}

impl Presence {
    /// Why the file is left out, when it is.
    pub fn unavailable(&self) -> Option<&Unavailable> {
        match self {
            Presence::Unavailable(reason) => Some(reason),
            _ => None,
        }
    }
}

/// Why a file's text is not held. `Display` is the prose of `source_unavailable`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unavailable {
    /// A NUL byte within the first 8,000 bytes of a file that no language claims (git's rule for
    /// binary files), or a file name whose extension stands for a binary format.
    Binary,
    /// A NUL byte in what should be text.
    NulByte,
    /// Not valid UTF-8 from this byte on, and no byte order mark says otherwise.
    NotUtf8 {
        /// Offset of the first bad byte in the raw file.
        offset: u64,
    },
    /// A UTF-16 byte order mark, but unpaired surrogates or an odd byte count behind it.
    NotUtf16,
    /// More bytes than one file may have.
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The bound in bytes.
        limit: u64,
    },
    /// A symbolic link, or reached through one.
    Symlink,
    /// A pipe, socket, device or directory.
    NotRegular,
    /// It kept changing while it was read.
    Changing,
    /// The system refused to read it, in its own words.
    Unreadable(String),
}

impl Unavailable {
    /// Whether answers name the file. Binary files are no source: they are counted, not named.
    pub fn is_named(&self) -> bool {
        !matches!(self, Unavailable::Binary)
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::Binary => f.write_str("a binary file"),
            Unavailable::NulByte => f.write_str("holds a NUL byte"),
            Unavailable::NotUtf8 { offset } => write!(f, "not valid UTF-8 at byte {offset}"),
            Unavailable::NotUtf16 => f.write_str("not valid UTF-16 after its byte order mark"),
            Unavailable::TooLarge { size, limit } => {
                write!(f, "holds {size} bytes, past the per-file bound of {limit}")
            }
            Unavailable::Symlink => f.write_str("a symbolic link, or reached through one"),
            Unavailable::NotRegular => f.write_str("not a regular file"),
            Unavailable::Changing => f.write_str("kept changing while it was read"),
            Unavailable::Unreadable(error) => write!(f, "unreadable: {error}"),
        }
    }
}

/// Who wrote a file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceKind {
    /// A person, as far as the rules can tell.
    Authored,
    /// A tool.
    Generated(GeneratedReason),
}

impl SourceKind {
    /// Whether a tool wrote it.
    pub fn is_generated(self) -> bool {
        self != SourceKind::Authored
    }
}

/// The rule that told a generated file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GeneratedReason {
    /// A marker such as `Code generated … DO NOT EDIT.` in the comments that open the file.
    Header,
    /// A script or declaration file that a compiler wrote beside its source map.
    Compiled,
    /// A minified or bundled script or style sheet.
    Minified,
    /// A source map.
    SourceMap,
    /// A package manager's lock file.
    Lockfile,
}

/// What of a file the index takes. The two halves are independent: a file whose text is left out can
/// still be parsed, and the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IndexPolicy {
    /// Whether its declarations are extracted.
    pub syntax: SyntaxPolicy,
    /// Whether its text is searched.
    pub text: TextPolicy,
}

impl IndexPolicy {
    /// Everything.
    pub const FULL: IndexPolicy = IndexPolicy { syntax: SyntaxPolicy::Parse, text: TextPolicy::Index };

    /// Whether the file is parsed.
    pub fn parses(self) -> bool {
        self.syntax == SyntaxPolicy::Parse
    }

    /// Whether the file's text is searched.
    pub fn indexes_text(self) -> bool {
        self.text == TextPolicy::Index
    }
}

/// Whether a file's declarations are extracted, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SyntaxPolicy {
    /// They are, when its language has a syntax provider.
    Parse,
    /// No enabled language claims it.
    NoLanguage,
    /// Past `[providers.syntax] max_file`: `large_file_unparsed`.
    TooLarge,
    /// A minified file, a source map or a lock file: its symbols are nobody's.
    NotAuthored(GeneratedReason),
}

/// Whether a file's text is searched, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextPolicy {
    /// It is.
    Index,
    /// Past `[search.text] max_chunk` under `large_files = "skip"`: `large_file_skipped`.
    TooLarge,
    /// Listed by `[search.text] excluded_lockfiles`: `lockfile_excluded`.
    Lockfile,
    /// Neither a language nor `[search.text] include` selects it.
    NotSelected,
}
