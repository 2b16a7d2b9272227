//! Symbol identities.

use std::num::NonZeroU32;
use std::sync::Arc;

use rift_base::{Language, NamePath};

use super::{Owner, check_length, name_violation};
use crate::Violation;
use crate::limits::IDENTITY_MAX;
use crate::text::string_form;

const PREFIX: &str = "rift://symbol/";
const REVISION: &str = "?rev=";

/// One of several declarations that share a logical path, told apart by number. The number counts within one
/// immutable source, whose SHA-256 digest stands with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Occurrence {
    /// The number, from 1, in source order.
    pub number: NonZeroU32,
    /// The digest of the source that the number counts in.
    pub revision: rift_base::Digest,
}

/// A symbol's canonical identity: `rift://symbol/<owner>/<language>/<name>{/<name>}[~<n>?rev=<64 hex>]`.
///
/// The names are the logical path (package, modules, containers, name), not the file's path; each is
/// percent-encoded by [`rift_base::escape_segment`]. At most 8192 bytes. Ordered by bytes; cloning shares the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId {
    text: Arc<str>,
    /// Where the language, the path and the suffix begin in `text`.
    language: u16,
    path: u16,
    suffix: u16,
}

impl SymbolId {
    /// The identity of `path` in the primary project.
    pub fn local(language: &Language, path: &NamePath) -> Result<Self, Violation> {
        Self::new(&Owner::PRIMARY, language, path, None)
    }

    /// Puts an identity together. `Length` when it would be past the bound, `QualifiedPath` for an empty path,
    /// `Owner` for a part that the owner's grammar does not allow.
    pub fn new(
        owner: &Owner,
        language: &Language,
        path: &NamePath,
        occurrence: Option<Occurrence>,
    ) -> Result<Self, Violation> {
        if path.is_empty() {
            return Err(Violation::QualifiedPath);
        }
        owner.check()?;
        let mut text = format!("{PREFIX}{owner}/{language}/{path}");
        let suffix = text.len();
        if let Some(Occurrence { number, revision }) = occurrence {
            text = format!("{text}~{number}{REVISION}{}", revision.hex());
        }
        Self::assemble(&text, suffix - path.as_str().len() - language.as_str().len() - 1, language, suffix)
    }

    /// The identity with `occurrence` in place of its own.
    pub fn with_occurrence(&self, occurrence: Occurrence) -> Result<Self, Violation> {
        let Occurrence { number, revision } = occurrence;
        let head = &self.text[..usize::from(self.suffix)];
        let text = format!("{head}~{number}{REVISION}{}", revision.hex());
        check_length(&text, PREFIX.len())?;
        Ok(Self { text: text.into(), ..*self })
    }

    /// Parses the canonical spelling.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        check_length(text, PREFIX.len())?;
        let rest = text.strip_prefix(PREFIX).ok_or(Violation::Structure)?;
        let (head, suffix) = split_suffix(rest)?;
        let (_, after_owner) = Owner::split(head)?;
        let (language, path) = after_owner.split_once('/').ok_or(Violation::Structure)?;
        let language_at = PREFIX.len() + head.len() - after_owner.len();
        let language = Language::new(language).ok_or(Violation::Language)?;
        NamePath::parse(path).map_err(|e| name_violation(e, Violation::QualifiedPath))?;
        if let Some((number, revision)) = suffix {
            occurrence(number, revision)?;
        }
        Self::assemble(text, language_at, &language, PREFIX.len() + head.len())
    }

    fn assemble(text: &str, language_at: usize, language: &Language, suffix: usize) -> Result<Self, Violation> {
        check_length(text, PREFIX.len())?;
        let at = |offset: usize| u16::try_from(offset).map_err(|_| Violation::Length);
        Ok(Self {
            text: text.into(),
            language: at(language_at)?,
            path: at(language_at + language.as_str().len() + 1)?,
            suffix: at(suffix)?,
        })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The owner as spelled.
    pub fn owner_str(&self) -> &str {
        &self.text[PREFIX.len()..usize::from(self.language) - 1]
    }

    /// The owner.
    pub fn owner(&self) -> Owner {
        // A parsed identity's owner parses: the fallback is never taken.
        Owner::split(&self.text[PREFIX.len()..]).map_or(Owner::PRIMARY, |(owner, _)| owner)
    }

    /// Whether the symbol belongs to a project, not to a package or a runtime.
    pub fn is_local(&self) -> bool {
        matches!(self.owner(), Owner::Local { .. })
    }

    /// The language as spelled.
    pub fn language_str(&self) -> &str {
        &self.text[usize::from(self.language)..usize::from(self.path) - 1]
    }

    /// The language; absent never, for a parsed identity.
    pub fn language(&self) -> Option<Language> {
        Language::new(self.language_str())
    }

    /// The logical path in its encoded form.
    pub fn path_str(&self) -> &str {
        &self.text[usize::from(self.path)..usize::from(self.suffix)]
    }

    /// The logical path.
    pub fn path(&self) -> NamePath {
        NamePath::parse(self.path_str()).unwrap_or_default()
    }

    /// `<language>/<logical path>`, without owner and occurrence.
    pub fn key(&self) -> &str {
        &self.text[usize::from(self.language)..usize::from(self.suffix)]
    }

    /// The occurrence, when the logical path alone does not name one declaration.
    pub fn occurrence(&self) -> Option<Occurrence> {
        let (number, revision) = self.text[usize::from(self.suffix)..].strip_prefix('~')?.split_once(REVISION)?;
        occurrence(number, revision).ok()
    }
}

/// The number and the revision of an occurrence suffix, unchecked.
type Suffix<'a> = (&'a str, &'a str);

/// Splits the occurrence suffix off from the right. `~` and `?` stand in no name unescaped.
fn split_suffix(text: &str) -> Result<(&str, Option<Suffix<'_>>), Violation> {
    let Some((head, revision)) = text.split_once('?') else {
        let name = text.rsplit('/').next().unwrap_or("");
        return if name.contains('~') { Err(Violation::Occurrence) } else { Ok((text, None)) };
    };
    let revision = revision.strip_prefix(&REVISION[1..]).ok_or(Violation::Revision)?;
    let name_at = head.rfind('/').map_or(0, |slash| slash + 1);
    let tilde = head[name_at..].rfind('~').ok_or(Violation::Occurrence)? + name_at;
    Ok((&head[..tilde], Some((&head[tilde + 1..], revision))))
}

fn occurrence(number: &str, revision: &str) -> Result<Occurrence, Violation> {
    let canonical = !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit());
    let number = number.parse().ok().filter(|_| canonical).ok_or(Violation::Occurrence)?;
    let revision = rift_base::Digest::parse(revision).ok_or(Violation::Revision)?;
    Ok(Occurrence { number, revision })
}

string_form!(SymbolId, min 20, max IDENTITY_MAX, pattern
    "^rift://symbol/[^/?#~]+(?:/[^/?#~]+){2,}(?:~[1-9][0-9]*\\?rev=[0-9a-f]{64})?$");
