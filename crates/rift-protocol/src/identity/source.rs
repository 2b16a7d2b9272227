//! Identities of files, source units and syntax nodes.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use rift_base::{ByteRange, Language, ProjectPath, unescape_segment};

use super::owner::PackageManager;
use super::{Owner, check_length, name_violation};
use crate::Violation;
use crate::limits::IDENTITY_MAX;
use crate::text::{is_hex, string_form};

const FILE: &str = "rift://file/";
const SOURCE: &str = "rift://source/";
const PROJECT: &str = "project/";
const NODE: &str = "rift://node/";

/// Percent-encodes a path: ASCII letters and digits and `/ ! $ & ' ( ) * + , ; = : @ - . _ ~` stay, but for the
/// bytes of `also`.
fn escape_path(path: &str, also: &[u8]) -> String {
    let plain = |b: u8| (b.is_ascii_alphanumeric() || b"/!$&'()*+,;=:@-._~".contains(&b)) && !also.contains(&b);
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if plain(byte) {
            out.push(byte as char);
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Decodes a path and refuses every other spelling than the one that [`escape_path`] prints.
fn unescape_path<'a>(text: &'a str, also: &[u8]) -> Result<Cow<'a, str>, Violation> {
    let decoded = unescape_segment(text).map_err(|e| name_violation(e, Violation::Path))?;
    if escape_path(&decoded, also) == text { Ok(decoded) } else { Err(Violation::Noncanonical) }
}

/// A file path that every platform takes as relative: no drive letter, not the root.
fn file_path(text: &str) -> Result<ProjectPath, Violation> {
    let drive = text.as_bytes().get(1) == Some(&b':') && text.starts_with(|c: char| c.is_ascii_alphabetic());
    if drive || text.is_empty() {
        return Err(Violation::Path);
    }
    ProjectPath::new(text).map_err(|_| Violation::Path)
}

/// A project file: `rift://file/<percent-encoded project path>`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(Arc<str>);

impl FileId {
    /// The identity of `path`; refused for the root, for a path that reads as a drive letter's, and past the bound.
    pub fn new(path: &ProjectPath) -> Result<Self, Violation> {
        Self::parse(&format!("{FILE}{}", escape_path(path.as_str(), b"")))
    }

    /// Parses the canonical spelling.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        check_length(text, FILE.len() + 1)?;
        let path = text.strip_prefix(FILE).ok_or(Violation::Structure)?;
        file_path(&unescape_path(path, b"")?)?;
        Ok(Self(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The file's path.
    pub fn path(&self) -> ProjectPath {
        let path = unescape_segment(&self.0[FILE.len()..]).unwrap_or_default();
        ProjectPath::new(&path).unwrap_or(ProjectPath::root())
    }
}

string_form!(FileId, min 13, max IDENTITY_MAX, pattern "^rift://file/[^/?#][^?#]*$");

/// What a [`SourceUnitId`] addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceUnit {
    /// A file of the project that the view names.
    Project(ProjectPath),
    /// A file of a released package or a runtime.
    Released(Owner, ProjectPath),
    /// A unit of another resolver, by its key.
    Other {
        /// The resolver.
        resolver: String,
        /// The key, decoded.
        key: String,
    },
}

/// A physical source unit: `rift://source/project/<path>` for a project's file; a released package's or runtime's
/// owner, or a resolver, stands in place of `project` otherwise.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceUnitId(Arc<str>);

impl SourceUnitId {
    /// The identity of the project file `path`; refused as [`FileId::new`] refuses.
    pub fn project(path: &ProjectPath) -> Result<Self, Violation> {
        Self::parse(&format!("{SOURCE}{PROJECT}{}", escape_path(path.as_str(), b"")))
    }

    /// The identity of `path` in a released package or runtime; refused for a local owner.
    pub fn released(owner: &Owner, path: &ProjectPath) -> Result<Self, Violation> {
        if matches!(owner, Owner::Local { .. }) {
            return Err(Violation::Owner);
        }
        Self::parse(&format!("{SOURCE}{owner}/{}", escape_path(path.as_str(), b"")))
    }

    /// Parses the canonical spelling.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        check_length(text, SOURCE.len() + 3)?;
        Self::read(text)?;
        Ok(Self(text.into()))
    }

    fn read(text: &str) -> Result<SourceUnit, Violation> {
        let rest = text.strip_prefix(SOURCE).ok_or(Violation::Structure)?;
        let (first, key) = rest.split_once('/').ok_or(Violation::Structure)?;
        if first == "project" {
            return Ok(SourceUnit::Project(file_path(&unescape_path(key, b"")?)?));
        }
        if first == "stdlib" || PackageManager::from_word(first).is_some() {
            let (owner, path) = Owner::split(rest)?;
            return Ok(SourceUnit::Released(owner, file_path(&unescape_path(path, b"")?)?));
        }
        let resolver = first.len() <= 128
            && first.starts_with(|c: char| c.is_ascii_lowercase())
            && first.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_.-".contains(&b));
        if !resolver {
            return Err(Violation::Owner);
        }
        let path = file_path(&unescape_path(key, b"")?)?;
        Ok(SourceUnit::Other { resolver: first.to_owned(), key: path.as_str().to_owned() })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is addressed.
    pub fn unit(&self) -> SourceUnit {
        Self::read(&self.0).unwrap_or(SourceUnit::Project(ProjectPath::root()))
    }

    /// The project file; absent for released and other units.
    pub fn project_path(&self) -> Option<ProjectPath> {
        match self.unit() {
            SourceUnit::Project(path) => Some(path),
            _ => None,
        }
    }
}

string_form!(SourceUnitId, min 17, max IDENTITY_MAX, pattern "^rift://source/[a-z][a-z0-9_.-]*/[^?#]+$");

/// A syntax node: `rift://node/<language>/<path>@<start>-<end>#<witness>`. The witness is the first 8 digits of the
/// SHA-256 digest of the node's bytes, so that an address from before an edit is told from a current one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(Arc<str>);

impl NodeId {
    /// The identity of the node that covers `range` of `path`, whose bytes there are `bytes`.
    pub fn new(language: &Language, path: &ProjectPath, range: ByteRange, bytes: &[u8]) -> Result<Self, Violation> {
        let path = escape_path(path.as_str(), b"@");
        let witness = rift_base::Digest::of(bytes).short();
        Self::parse(&format!("{NODE}{language}/{path}@{}-{}#{witness}", range.start, range.end))
    }

    /// Parses the canonical spelling.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        check_length(text, 27)?;
        Self::read(text)?;
        Ok(Self(text.into()))
    }

    fn read(text: &str) -> Result<(Language, ProjectPath, ByteRange, &str), Violation> {
        let rest = text.strip_prefix(NODE).ok_or(Violation::Structure)?;
        let (language, rest) = rest.split_once('/').ok_or(Violation::Structure)?;
        let (rest, witness) = rest.rsplit_once('#').ok_or(Violation::Structure)?;
        let (path, range) = rest.rsplit_once('@').ok_or(Violation::Structure)?;
        let (start, end) = range.split_once('-').ok_or(Violation::Range)?;
        let language = Language::new(language).ok_or(Violation::Language)?;
        let path = file_path(&unescape_path(path, b"@")?)?;
        let (start, end) = (offset(start)?, offset(end)?);
        if start > end {
            return Err(Violation::Range);
        }
        if !is_hex(witness, 8) {
            return Err(Violation::Witness);
        }
        Ok((language, path, ByteRange { start, end }, witness))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language, the file, the bytes covered and the witness.
    pub fn parts(&self) -> Option<(Language, ProjectPath, ByteRange, &str)> {
        Self::read(&self.0).ok()
    }
}

fn offset(text: &str) -> Result<u32, Violation> {
    let canonical = text == "0" || !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| canonical).ok_or(Violation::Range)
}

string_form!(NodeId, min 27, max IDENTITY_MAX, pattern
    "^rift://node/[^/?#@]+/[^?#@]+@[0-9]+-[0-9]+#[0-9a-f]{8}$");
