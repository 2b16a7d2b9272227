//! Words of code and prose.
//!
//! A word is a run of letters, digits and underscores without its outer underscores. It is split into parts
//! as [`rift_base::split_identifier`] does. A word of several parts yields itself and its parts: the parts at
//! consecutive positions, the word at its first part's, so that the phrase `user name` is found in
//! `getUserName` and `user_name` is found as spelled. Fields that hold names yield the parts alone. All tokens
//! are lowercase.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};

use crate::letters::{Class, push_lowercase};

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
        let mut at = from;
        loop {
            at = skip_to_word(text, at)?;
            at = self.split(text, at);
            if let (Some(first), Some(last)) = (self.parts.first(), self.parts.last()) {
                return Some((first.0, last.1));
            }
        }
    }

    /// Splits the word at `start` into `self.parts`, as [`rift_base::split_identifier`] does; where it ends.
    fn split(&mut self, text: &str, start: usize) -> usize {
        self.parts.clear();
        let (mut at, mut part, mut before) = (start, start, Class::NONE);
        while let Some((class, bytes)) = class_at(text, at) {
            if !class.is_letter_or_digit() {
                if !class.is_word() {
                    break;
                }
                if part < at {
                    self.parts.push((part, at));
                }
                part = at + 1;
            } else if class.is_upper() && part < at {
                let is_followed_by_lower = || class_at(text, at + bytes).is_some_and(|(class, _)| class.is_lower());
                if !before.is_upper() || is_followed_by_lower() {
                    self.parts.push((part, at));
                    part = at;
                }
            }
            before = class;
            at += bytes;
        }
        if part < at {
            self.parts.push((part, at));
        }
        at
    }
}

fn skip_to_word(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let (class, bytes) = class_at(text, at)?;
        if class.is_word() {
            return Some(at);
        }
        at += bytes;
    }
}

/// The class of the character at byte `at`, and its bytes.
#[inline]
fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if byte.is_ascii() {
        return Some((Class::of_ascii(byte), 1));
    }
    let c = text[at..].chars().next()?;
    Some((Class::of(c), c.len_utf8()))
}

/// A name without separators and case: `getUserName`, `get_user_name` and `GET-USER-NAME` are the same.
/// A name without any letter or digit folds to itself.
pub(crate) fn fold(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars().filter(|c| Class::of(*c).is_letter_or_digit()) {
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
    fn folded_names() {
        for name in ["getUserName", "get_user_name", "GET-USER-NAME", "getusername"] {
            assert_eq!(fold(name), "getusername");
        }
        assert_eq!(fold("+="), "+=");
    }

    proptest! {
        // The splitter is a rewrite of split_identifier for speed.
        #[test]
        fn parts_equal_split_identifier(word in "[a-zA-Z0-9_äÖßǅıЖю語]{1,12}") {
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
