//! Digests, view ids, revision spellings and globs.

use std::sync::Arc;

use crate::Violation;
use crate::limits::{FREE_TEXT_MAX, REVISION_MAX};
use crate::text::{is_hex, string_form};

/// The first 8 lowercase hexadecimal digits of a SHA-256 digest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(Arc<str>);

impl Digest {
    /// Takes 8 lowercase hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        if is_hex(text, 8) { Ok(Self(text.into())) } else { Err(Violation::Hex) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<rift_base::Digest> for Digest {
    fn from(digest: rift_base::Digest) -> Self {
        Self(digest.short().into())
    }
}

string_form!(Digest, min 8, max 8, pattern "^[0-9a-f]{8}$");

/// The id of a captured view: 64 lowercase hexadecimal digits. The first 16 are those of the digest of the view's
/// workspace context, so that a view of another workspace is told apart from one that has expired.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CapturedViewId(Arc<str>);

impl CapturedViewId {
    /// Digits that belong to the workspace context.
    pub const CONTEXT_DIGITS: usize = 16;

    /// The id of a view of `context` whose content has the digest `content`.
    pub fn new(context: &rift_base::Digest, content: &rift_base::Digest) -> Self {
        let mut text = context.hex();
        text.truncate(Self::CONTEXT_DIGITS);
        text.push_str(&content.hex()[Self::CONTEXT_DIGITS..]);
        Self(text.into())
    }

    /// Takes 64 lowercase hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        if is_hex(text, 64) { Ok(Self(text.into())) } else { Err(Violation::Hex) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the view was captured from the workspace context with the digest `context`.
    pub fn is_of(&self, context: &rift_base::Digest) -> bool {
        self.0[..Self::CONTEXT_DIGITS] == context.hex()[..Self::CONTEXT_DIGITS]
    }
}

string_form!(CapturedViewId, min 64, max 64, pattern "^[0-9a-f]{64}$");

/// A git revision spelled as git spells it: a branch, a tag or a commit id, with `~N` and `^N` behind it.
/// At most 128 bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RevisionId(Arc<str>);

impl RevisionId {
    /// Takes a spelling. Whether a repository knows it is not asked here.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        let named = |b: &u8| b.is_ascii_alphanumeric() || b"._/-".contains(b);
        if text.is_empty() {
            return Err(Violation::Empty);
        }
        if text.len() > REVISION_MAX {
            return Err(Violation::TooLong);
        }
        if !text.bytes().all(|b| named(&b) || b"~^".contains(&b)) {
            return Err(Violation::CharsetForbidden);
        }
        let base = text.bytes().take_while(named).count();
        let suffix = &text.as_bytes()[base..];
        if base == 0 || !suffix.iter().all(|b| b.is_ascii_digit() || b"~^".contains(b)) {
            return Err(Violation::AncestryInvalid);
        }
        Ok(Self(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

string_form!(RevisionId, min 1, max REVISION_MAX, pattern "^[A-Za-z0-9._/-]+(?:[~^][0-9]*)*$");

/// A glob over project paths: `*` and `?` stay within a segment, `**` crosses segments, `[…]` is a class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathPattern(Arc<str>);

impl PathPattern {
    /// Takes a glob. Its glob syntax is checked by whoever compiles it.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        if text.is_empty() {
            return Err(Violation::Empty);
        }
        if text.len() > FREE_TEXT_MAX {
            return Err(Violation::TooLong);
        }
        if text.starts_with('/') {
            return Err(Violation::Absolute);
        }
        if text.contains('\\') {
            return Err(Violation::Backslash);
        }
        if text.chars().any(char::is_control) {
            return Err(Violation::ControlCharacter);
        }
        if text.split('/').any(|segment| segment == "." || segment == "..") {
            return Err(Violation::DotSegment);
        }
        Ok(Self(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

string_form!(PathPattern, min 1, max FREE_TEXT_MAX, pattern "^[^/\\\\][^\\\\]*$");
