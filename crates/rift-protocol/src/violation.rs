//! Why a text is not what its member asks for.

use std::fmt;

/// The word that names what is wrong with a value. It travels in a failure's message, behind the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Violation {
    /// Outside the length bounds of an identity.
    Length,
    /// Not built from the parts that the identity needs.
    Structure,
    /// The owner is not one of the forms.
    Owner,
    /// Not a language identity.
    Language,
    /// A logical name is empty, `.`, `..` or holds a control character.
    QualifiedPath,
    /// A file path that no project holds.
    Path,
    /// A percent escape is malformed or does not decode to UTF-8.
    Encoding,
    /// Not the one spelling of what it names.
    Noncanonical,
    /// The occurrence number is malformed or stands without its revision.
    Occurrence,
    /// The revision of an occurrence is malformed or stands without its number.
    Revision,
    /// The byte range is malformed.
    Range,
    /// The witness is not 8 lowercase hexadecimal digits.
    Witness,
    /// Nothing given.
    Empty,
    /// Past its length bound.
    TooLong,
    /// Holds a character that may not stand there.
    CharsetForbidden,
    /// `~` or `^` stand where no ancestry suffix can.
    AncestryInvalid,
    /// Starts with `/`.
    Absolute,
    /// Holds a backslash.
    Backslash,
    /// Holds a control character.
    ControlCharacter,
    /// Holds `.` or `..` as a segment.
    DotSegment,
    /// Not one of the known words.
    UnknownValue,
    /// Not the documented number of lowercase hexadecimal digits.
    Hex,
}

impl Violation {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            Violation::Length => "length",
            Violation::Structure => "structure",
            Violation::Owner => "owner",
            Violation::Language => "language",
            Violation::QualifiedPath => "qualified_path",
            Violation::Path => "path",
            Violation::Encoding => "encoding",
            Violation::Noncanonical => "noncanonical",
            Violation::Occurrence => "occurrence",
            Violation::Revision => "revision",
            Violation::Range => "range",
            Violation::Witness => "witness",
            Violation::Empty => "empty",
            Violation::TooLong => "too_long",
            Violation::CharsetForbidden => "charset_forbidden",
            Violation::AncestryInvalid => "ancestry_invalid",
            Violation::Absolute => "absolute",
            Violation::Backslash => "backslash",
            Violation::ControlCharacter => "control_character",
            Violation::DotSegment => "dot_segment",
            Violation::UnknownValue => "unknown_value",
            Violation::Hex => "hex",
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl std::error::Error for Violation {}
