//! What a character is to words: from tables, since translations are full of letters for which the standard library searches.

use std::sync::OnceLock;

/// A set of properties of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class(u8);

impl Class {
    const WORD: u8 = 1;
    const UPPER: u8 = 2;
    const LOWER: u8 = 4;
    const FOLDS: u8 = 8;
    const UNDERSCORE: u8 = 16;
    /// What stands before the first character.
    pub(crate) const NONE: Self = Self(0);

    /// The properties of an ASCII character.
    #[inline]
    pub(crate) fn of_ascii(byte: u8) -> Self {
        const TABLE: [Class; 128] = {
            let mut table = [Class::NONE; 128];
            let mut byte = 0;
            while byte < 128 {
                table[byte as usize] = Class(match byte {
                    b'a'..=b'z' => Class::WORD | Class::LOWER,
                    b'A'..=b'Z' => Class::WORD | Class::UPPER | Class::FOLDS,
                    b'0'..=b'9' => Class::WORD,
                    b'_' => Class::UNDERSCORE,
                    _ => 0,
                });
                byte += 1;
            }
            table
        };
        TABLE[usize::from(byte & 0x7f)]
    }

    /// The properties of `c`.
    #[inline]
    pub(crate) fn of(c: char) -> Self {
        /// The basic plane, a page of 256 characters where one was met.
        static PAGES: [OnceLock<Box<[Class; 256]>>; 256] = [const { OnceLock::new() }; 256];
        let code = c as usize;
        match PAGES.get(code >> 8) {
            Some(page) => page.get_or_init(|| Box::new(Self::page(code >> 8)))[code & 0xff],
            None => Self::searched(c),
        }
    }

    fn page(number: usize) -> [Self; 256] {
        std::array::from_fn(|low| char::from_u32((number << 8 | low) as u32).map_or(Self::NONE, Self::searched))
    }

    fn searched(c: char) -> Self {
        let bit = |holds: bool, bit: u8| if holds { bit } else { 0 };
        Self(
            bit(c.is_alphanumeric(), Self::WORD)
                | bit(c.is_uppercase(), Self::UPPER)
                | bit(c.is_lowercase(), Self::LOWER)
                | bit(!c.to_lowercase().eq([c]), Self::FOLDS)
                | bit(c == '_', Self::UNDERSCORE),
        )
    }

    /// Whether it belongs to words: letters, digits and underscores do.
    pub(crate) fn is_word(self) -> bool {
        self.0 & (Self::WORD | Self::UNDERSCORE) != 0
    }

    /// [`char::is_alphanumeric`].
    pub(crate) fn is_letter_or_digit(self) -> bool {
        self.0 & Self::WORD != 0
    }

    /// [`char::is_uppercase`].
    pub(crate) fn is_upper(self) -> bool {
        self.0 & Self::UPPER != 0
    }

    /// [`char::is_lowercase`].
    pub(crate) fn is_lower(self) -> bool {
        self.0 & Self::LOWER != 0
    }

    /// Whether [`char::to_lowercase`] yields something else.
    pub(crate) fn folds(self) -> bool {
        self.0 & Self::FOLDS != 0
    }
}

/// Appends `text` in lowercase, character by character.
pub(crate) fn push_lowercase(out: &mut String, text: &str) {
    if text.is_ascii() {
        let from = out.len();
        out.push_str(text);
        out[from..].make_ascii_lowercase();
        return;
    }
    let mut copied = 0;
    for (at, c) in text.char_indices() {
        if Class::of(c).folds() {
            out.push_str(&text[copied..at]);
            out.extend(c.to_lowercase());
            copied = at + c.len_utf8();
        }
    }
    out.push_str(&text[copied..]);
}

/// `text` in lowercase.
pub(crate) fn lowercase(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_lowercase(&mut out, text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_the_standard_library() {
        for c in (0..=0x2ffff).filter_map(char::from_u32) {
            let class = Class::of(c);
            assert_eq!(class.is_letter_or_digit(), c.is_alphanumeric(), "{c:?}");
            assert_eq!(class.is_upper(), c.is_uppercase(), "{c:?}");
            assert_eq!(class.is_lower(), c.is_lowercase(), "{c:?}");
            assert_eq!(class.is_word(), c.is_alphanumeric() || c == '_', "{c:?}");
            assert!(u8::try_from(c).map_or(true, |byte| !byte.is_ascii() || Class::of_ascii(byte) == class), "{c:?}");
            assert_eq!(lowercase(&c.to_string()), c.to_lowercase().to_string(), "{c:?}");
        }
    }

    #[test]
    fn what_does_not_fold_is_kept() {
        assert_eq!(lowercase("aÄöİb straẞe Ǆ"), "aäöi\u{307}b straße ǆ");
    }
}
