//! Words of code and prose.
//!
//! A word is a run of letters, digits and underscores without its outer underscores. It is split into parts
//! as [`rift_base::split_identifier`] does. A word of several parts yields itself and its parts: the parts at
//! consecutive positions, the word at its first part's, so that the phrase `user name` is found in
//! `getUserName` and `user_name` is found as spelled. Fields that hold names yield the parts alone. All tokens
//! are lowercase.

use std::sync::LazyLock;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};

/// The longest word or part in bytes that becomes a token. Longer ones are data (hashes, encoded blobs), which
/// nobody asks for and which would swell the term dictionary; they keep their position.
pub(crate) const TOKEN_MAX: usize = 80;

/// Finds the words of a text and their parts, one after another.
#[derive(Clone, Default)]
pub(crate) struct Splitter {
    /// The parts of the word found last, as byte ranges of the text.
    pub(crate) parts: Vec<(usize, usize)>,
}

impl Splitter {
    /// The next word at or behind byte `from`, as a byte range; its parts are in `self.parts`, at least one.
    pub(crate) fn next(&mut self, text: &str, from: usize) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let mut at = from;
        loop {
            let start = word_start(text, bytes, at)?;
            let (end, ascii) = word_end(text, bytes, start);
            self.parts.clear();
            if ascii {
                self.split_ascii(bytes, start, end);
            } else {
                self.split_unicode(text, start, end);
            }
            if let (Some(first), Some(last)) = (self.parts.first(), self.parts.last()) {
                return Some((first.0, last.1));
            }
            at = end;
        }
    }

    fn split_ascii(&mut self, bytes: &[u8], start: usize, end: usize) {
        let mut part = start;
        for at in start..end {
            let byte = bytes[at];
            if byte == b'_' {
                if part < at {
                    self.parts.push((part, at));
                }
                part = at + 1;
            } else if byte.is_ascii_uppercase() && part < at {
                let before = bytes[at - 1];
                let next_lower = bytes.get(at + 1).is_some_and(|b| at + 1 < end && b.is_ascii_lowercase());
                if !before.is_ascii_uppercase() || next_lower {
                    self.parts.push((part, at));
                    part = at;
                }
            }
        }
        if part < end {
            self.parts.push((part, end));
        }
    }

    fn split_unicode(&mut self, text: &str, start: usize, end: usize) {
        let base = text.as_ptr() as usize;
        for part in rift_base::split_identifier(&text[start..end]) {
            let from = part.as_ptr() as usize - base;
            self.parts.push((from, from + part.len()));
        }
    }
}

/// Whether `c` belongs to words.
pub(crate) fn is_word(c: char) -> bool {
    c == '_' || is_letter_or_digit(c)
}

/// [`char::is_alphanumeric`], from a table where it would search: translations are full of such letters.
fn is_letter_or_digit(c: char) -> bool {
    /// One bit for each character of the basic plane.
    static BASIC_PLANE: LazyLock<Box<[u64]>> = LazyLock::new(|| {
        let is_one = |code: u32| char::from_u32(code).is_some_and(char::is_alphanumeric);
        (0..1024).map(|word| (0..64).fold(0, |bits, bit| bits | u64::from(is_one(word * 64 + bit)) << bit)).collect()
    });
    let code = c as usize;
    match BASIC_PLANE.get(code / 64) {
        Some(word) => word >> (code % 64) & 1 == 1,
        None => c.is_alphanumeric(),
    }
}

fn word_start(text: &str, bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() {
            if byte == b'_' || byte.is_ascii_alphanumeric() {
                return Some(at);
            }
            at += 1;
        } else {
            let c = text[at..].chars().next()?;
            if is_letter_or_digit(c) {
                return Some(at);
            }
            at += c.len_utf8();
        }
    }
    None
}

/// Where the word at `start` ends, and whether it is ASCII throughout.
fn word_end(text: &str, bytes: &[u8], start: usize) -> (usize, bool) {
    let mut at = start;
    let mut ascii = true;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() {
            if byte != b'_' && !byte.is_ascii_alphanumeric() {
                break;
            }
            at += 1;
        } else {
            let Some(c) = text[at..].chars().next() else { break };
            if !is_letter_or_digit(c) {
                break;
            }
            ascii = false;
            at += c.len_utf8();
        }
    }
    (at, ascii)
}

/// Appends `text` in lowercase.
pub(crate) fn push_lowercase(out: &mut String, text: &str) {
    if text.is_ascii() {
        let from = out.len();
        out.push_str(text);
        out[from..].make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

/// `text` in lowercase.
pub(crate) fn lowercase(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_lowercase(&mut out, text);
    out
}

/// A name without separators and case: `getUserName`, `get_user_name` and `GET-USER-NAME` are the same.
/// A name without any letter or digit folds to itself.
pub(crate) fn fold(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars().filter(|c| c.is_alphanumeric()) {
        if c.is_ascii() { out.push(c.to_ascii_lowercase()) } else { out.extend(c.to_lowercase()) }
    }
    if out.is_empty() { name.to_owned() } else { out }
}

/// The tokenizer that tantivy calls.
#[derive(Clone, Default)]
pub(crate) struct CodeTokenizer {
    /// Whether words of several parts are tokens as well.
    compounds: bool,
    splitter: Splitter,
    token: Token,
}

impl CodeTokenizer {
    /// The name under which the schema refers to the one that yields words and their parts. A change of the
    /// tokens it yields needs a new name, so that an index built by the old one is refused.
    pub(crate) const COMPOUNDS: &'static str = "rift-compounds-1";
    /// The same for the one that yields parts alone.
    pub(crate) const PARTS: &'static str = "rift-parts-1";

    /// Makes both known to an index.
    pub(crate) fn register(tokenizers: &TokenizerManager) {
        tokenizers.register(Self::COMPOUNDS, Self { compounds: true, ..Self::default() });
        tokenizers.register(Self::PARTS, Self::default());
    }
}

impl Tokenizer for CodeTokenizer {
    type TokenStream<'a> = CodeTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> CodeTokenStream<'a> {
        self.token.reset();
        self.splitter.parts.clear();
        CodeTokenStream {
            text,
            compounds: self.compounds,
            at: 0,
            position: 0,
            next: 0,
            splitter: &mut self.splitter,
            token: &mut self.token,
        }
    }
}

/// The tokens of one text.
pub(crate) struct CodeTokenStream<'a> {
    text: &'a str,
    compounds: bool,
    /// Where the search for the next word starts.
    at: usize,
    /// The position of the next part.
    position: usize,
    /// The number of the next part of the current word.
    next: usize,
    splitter: &'a mut Splitter,
    token: &'a mut Token,
}

impl CodeTokenStream<'_> {
    fn set(&mut self, start: usize, end: usize) {
        self.token.offset_from = start;
        self.token.offset_to = end;
        self.token.position = self.position;
        self.token.text.clear();
        push_lowercase(&mut self.token.text, &self.text[start..end]);
    }
}

impl TokenStream for CodeTokenStream<'_> {
    fn advance(&mut self) -> bool {
        loop {
            if let Some(&(start, end)) = self.splitter.parts.get(self.next) {
                self.next += 1;
                let fits = end - start <= TOKEN_MAX;
                if fits {
                    self.set(start, end);
                }
                self.position += 1;
                if fits {
                    return true;
                }
                continue;
            }
            let Some((start, end)) = self.splitter.next(self.text, self.at) else { return false };
            self.at = end;
            self.next = 0;
            if self.compounds && self.splitter.parts.len() > 1 && end - start <= TOKEN_MAX {
                self.set(start, end);
                return true;
            }
        }
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<(usize, String)> {
        let mut tokenizer = CodeTokenizer { compounds: true, ..CodeTokenizer::default() };
        let mut stream = tokenizer.token_stream(text);
        let mut out = Vec::new();
        while stream.advance() {
            out.push((stream.token().position, stream.token().text.clone()));
        }
        out
    }

    #[test]
    fn words_and_parts() {
        let check = |text: &str, expected: &[(usize, &str)]| {
            let expected: Vec<_> = expected.iter().map(|(p, t)| (*p, (*t).to_owned())).collect();
            assert_eq!(tokens(text), expected, "{text:?}");
        };
        check("a getUserName(b)", &[(0, "a"), (1, "getusername"), (1, "get"), (2, "user"), (3, "name"), (4, "b")]);
        check("__init__ _x", &[(0, "init"), (1, "x")]);
        check("HTTPServer_old", &[(0, "httpserver_old"), (0, "http"), (1, "server"), (2, "old")]);
        check("ÄÖÜber straße", &[(0, "äöüber"), (0, "äö"), (1, "über"), (2, "straße")]);
        check("--__--", &[]);
        // A word that is too long keeps its position.
        check(&format!("a {} b", "x".repeat(81)), &[(0, "a"), (2, "b")]);
    }

    #[test]
    fn letters_and_digits_are_those_of_the_standard_library() {
        for c in (0..=0x2ffff).filter_map(char::from_u32) {
            assert_eq!(is_letter_or_digit(c), c.is_alphanumeric(), "{c:?}");
        }
    }

    #[test]
    fn folded_names() {
        for name in ["getUserName", "get_user_name", "GET-USER-NAME", "getusername"] {
            assert_eq!(fold(name), "getusername");
        }
        assert_eq!(fold("+="), "+=");
    }

    proptest! {
        // The ASCII path is a rewrite of split_identifier for speed.
        #[test]
        fn ascii_parts_equal_split_identifier(word in "[a-zA-Z0-9_]{1,12}") {
            let mut splitter = Splitter::default();
            let found = splitter.next(&word, 0);
            let parts: Vec<&str> = if found.is_some() {
                splitter.parts.iter().map(|&(a, b)| &word[a..b]).collect()
            } else {
                Vec::new()
            };
            prop_assert_eq!(parts, rift_base::split_identifier(&word).collect::<Vec<_>>());
        }

        #[test]
        fn any_text_is_split_on_char_borders(text in "\\PC{0,40}") {
            for (_, token) in tokens(&text) {
                prop_assert!(!token.is_empty());
            }
        }
    }
}
