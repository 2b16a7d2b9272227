//! What search ranks: one file and its declarations, as borrowed text.

use std::borrow::Cow;

use crate::{Facets, Language, ProjectPath};

/// Everything the index holds about one file. Rows of a file are replaced together.
#[derive(Debug, Clone)]
pub struct FileUnits<'a> {
    /// The file.
    pub path: &'a ProjectPath,
    /// Its language; absent when no provider claims it.
    pub language: Option<&'a Language>,
    /// Its decoded text, held once, in the file's own row. Empty when the text is excluded from search.
    pub text: &'a str,
    /// A digest of everything that the rows are made of, so that kept rows are known to be current. A file whose version
    /// is equal has equal rows.
    pub version: u64,
    /// Whether a rule calls the file generated or minified.
    pub generated: bool,
    /// Its declarations, one row each, in source order.
    pub symbols: Vec<SymbolUnit<'a>>,
}

/// One declaration's searchable text. Its body stays in the file's row.
#[derive(Debug, Clone)]
pub struct SymbolUnit<'a> {
    /// The declaration's number within the file's facts.
    pub ordinal: u32,
    /// The short name, decoded.
    pub name: Cow<'a, str>,
    /// `<language>/<logical path>`, encoded as an identity spells it, without occurrence: the key that
    /// [`FileUnits`] of all files with a declaration of that symbol share.
    pub key: Cow<'a, str>,
    /// The qualified name in the language's own spelling, for matching words of containers and modules.
    pub qualified: Cow<'a, str>,
    /// The signature's display.
    pub signature: &'a str,
    /// Attached documentation without its markers; empty without any.
    pub documentation: &'a str,
    /// The provider's kind word.
    pub kind: &'static str,
    /// The declaration's facets.
    pub facets: Facets,
    /// Whether declarations of other files may be of the same symbol. One that never joins is a symbol of its own, whoever
    /// shares its key.
    pub joins: bool,
}

/// Splits an identifier into its words at separators and at changes of case, keeping digits with the word
/// before them: `getUserName2` → `get`, `User`, `Name2`; `HTTPServer_old` → `HTTP`, `Server`, `old`.
pub fn split_identifier(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        if rest.is_empty() {
            return None;
        }
        let end = word_end(rest);
        let (word, tail) = rest.split_at(end);
        rest = tail;
        Some(word)
    })
}

fn word_end(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let mut previous: Option<char> = None;
    while let Some((at, c)) = chars.next() {
        if !c.is_alphanumeric() {
            return at;
        }
        if let Some(before) = previous {
            let next_lower = chars.peek().is_some_and(|(_, n)| n.is_lowercase());
            let starts_word = c.is_uppercase() && (!before.is_uppercase() || next_lower);
            if starts_word {
                return at;
            }
        }
        previous = Some(c);
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let split = |text| split_identifier(text).collect::<Vec<_>>();
        assert_eq!(split("getUserName2"), ["get", "User", "Name2"]);
        assert_eq!(split("HTTPServer_old"), ["HTTP", "Server", "old"]);
        assert_eq!(split("__init__"), ["init"]);
        assert_eq!(split("std::fs::read-to"), ["std", "fs", "read", "to"]);
        assert_eq!(split("ÄÖÜber"), ["ÄÖ", "Über"]);
        assert_eq!(split("_"), Vec::<&str>::new());
    }
}
