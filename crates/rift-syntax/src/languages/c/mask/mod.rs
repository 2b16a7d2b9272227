//! Masking: the grammars know no macros, so what macros and conditional compilation put where the language has no place
//! for it is overwritten with blanks before the parser sees the text. The length and every line stay, so that all
//! offsets hold for the original text, which is what facts are read from.
//!
//! Three steps: [`tokens`] cuts the text, [`conditionals`] decides for each `#if` group whether the grammar can take it
//! as it stands, [`statements`] walks declarations and finds the words that can only be macros: in `A B c;` one of A
//! and B is no type.

mod calls;
mod classes;
mod conditionals;
mod objective_c;
mod parameters;
mod statements;
mod tokens;
mod words;

use std::borrow::Cow;

pub(super) use words::{is_attribute_macro, is_macro_like};

/// `text` as the parser should see it: as many bytes, with the same line feeds.
pub(crate) fn masked(text: &str, cpp: bool) -> Cow<'_, str> {
    let mut tokens = tokens::tokens(text);
    let mut mask = Mask { text, out: None };
    if text.contains('@') || text.contains("_ENUM(") || text.contains("_OPTIONS(") {
        objective_c::resolve(&mut tokens, &mut mask);
    }
    conditionals::resolve(&mut tokens, &mut mask, cpp);
    words::everywhere(&tokens, &mut mask);
    statements::scan(&tokens, &mut mask, cpp);
    match mask.out.map(String::from_utf8) {
        Some(Ok(out)) => Cow::Owned(out),
        _ => Cow::Borrowed(text),
    }
}

/// The text and what has been overwritten in it.
pub(super) struct Mask<'a> {
    pub(super) text: &'a str,
    out: Option<Vec<u8>>,
}

impl Mask<'_> {
    fn bytes(&mut self) -> &mut Vec<u8> {
        self.out.get_or_insert_with(|| self.text.as_bytes().to_vec())
    }

    /// Overwrites `start..end` with blanks, line ends excepted.
    fn blank(&mut self, start: usize, end: usize) {
        if let Some(bytes) = self.bytes().get_mut(start..end) {
            bytes.iter_mut().filter(|b| !matches!(**b, b'\n' | b'\r')).for_each(|b| *b = b' ');
        }
    }

    /// Writes `bytes` at `start`.
    fn put(&mut self, start: usize, bytes: &[u8]) {
        if let Some(place) = self.bytes().get_mut(start..start + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    /// Makes one identifier of `start..end`: `STACK_OF(X509)` becomes `STACK_OF_X509_`.
    fn join(&mut self, start: usize, end: usize) {
        if self.text.get(start..end).is_none_or(|t| t.contains('\n')) {
            return;
        }
        if let Some(bytes) = self.bytes().get_mut(start..end) {
            // Letters beyond ASCII stay whole: no byte of one may become a character of its own.
            bytes.iter_mut().filter(|b| b.is_ascii() && !b.is_ascii_alphanumeric()).for_each(|b| *b = b'_');
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, cpp: bool, expected: &str) {
        assert_eq!(masked(text, cpp), expected);
    }

    #[test]
    fn macros_in_front() {
        check("EXPORT_API void f();", true, "           void f();");
        check("class EXPORT Foo : public Bar {};", true, "class        Foo : public Bar {};");
        check("static ossl_inline int f(void) {}", false, "static             int f(void) {}");
        check("BIGNUM *f(void);", false, "BIGNUM *f(void);");
        check("HANDLE WINAPI f(void);", false, "HANDLE        f(void);");
        check("struct foo bar;", false, "struct foo bar;");
        check("std::string EXPORT f();", true, "std::string        f();");
    }

    #[test]
    fn macro_calls() {
        check("DECLARE_IT(X)\nint f(void);", false, "             \nint f(void);");
        check("DEPRECATED(\"x\") int f(void);", false, "                int f(void);");
        check("STACK_OF(X) *f(void);", false, "STACK_OF_X_ *f(void);");
        check("int f() GUARDED_BY(mu);", true, "int f()               ;");
        check("int f(UNUSED int a);", true, "int f(       int a);");
    }

    #[test]
    fn conditionals() {
        check("#if 0\nint dead;\n#endif\n", false, "     \n         \n      \n");
        check("#ifdef A\nint a;\n#endif\n", false, "#ifdef A\nint a;\n#endif\n");
        check("int f(int a\n#ifdef A\n, int b\n#endif\n);", false, "int f(int a\n        \n, int b\n      \n);");
        check(
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n#ifdef __cplusplus\n}\n#endif\n",
            false,
            "                  \n            \n      \nint a;\n                  \n \n      \n",
        );
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "class ",
            "struct ",
            "enum ",
            "EXPORT ",
            "f",
            "(",
            ")",
            "{",
            "}",
            "<",
            ">",
            ";",
            "*",
            "&",
            ":",
            "::",
            "=",
            ",",
            "\n",
            "#if A\n",
            "#else\n",
            "#endif\n",
            "#define X \\\n",
            "template",
            "typedef ",
            "namespace ",
            "operator",
            "~",
            "[[",
            "]]",
            "\"",
            "'",
            "/*",
            "*/",
            "//",
            "R\"(",
            "é",
            "@interface ",
            "@end",
            "NS_ENUM(",
            "__attribute__",
            "^",
            "va_arg",
            "\\",
            "1",
        ])
    }

    proptest! {
        #[test]
        fn length_and_lines_stay(pieces in prop::collection::vec(piece(), 0..60), cpp: bool) {
            let text = pieces.concat();
            let out = masked(&text, cpp);
            prop_assert_eq!(out.len(), text.len());
            let lines = |t: &str| t.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i).collect::<Vec<_>>();
            prop_assert_eq!(lines(&out), lines(&text));
            for (i, _) in out.char_indices() {
                prop_assert!(text.is_char_boundary(i) || out.as_bytes()[i] == b' ');
            }
        }
    }
}
