//! Whether a `.h` file is C++: a scan for tokens that C does not have.

/// Words that no C header uses as names, whatever follows.
const CPP_WORDS: &[&str] = &[
    "constexpr",
    "consteval",
    "constinit",
    "nullptr",
    "static_cast",
    "reinterpret_cast",
    "dynamic_cast",
    "const_cast",
    "decltype",
    "noexcept",
    "mutable",
    "co_await",
    "co_return",
    "co_yield",
    "static_assert",
];

/// Whether `text`, the text of a header, holds tokens that only C++ has. What stands between `#ifdef __cplusplus` and
/// its `#else` or `#endif` says nothing: C headers guard their `extern "C"` by it.
pub(crate) fn is_cpp(text: &str) -> bool {
    let mut scan = Scan { bytes: text.as_bytes(), at: 0, line_start: true, guards: Vec::new(), hidden: 0 };
    let mut before = Token::Start;
    while let Some(token) = scan.next() {
        if scan.hidden == 0 && scan.tells(text, before, token) {
            return true;
        }
        before = token;
    }
    false
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Start,
    Word(usize, usize),
    Sign(u8),
    /// `::`
    Scope,
    Literal,
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    line_start: bool,
    /// Open conditional groups: whether the branch being read is for C++ only.
    guards: Vec<bool>,
    hidden: usize,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Option<Token> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            match byte {
                b'\n' => {
                    self.line_start = true;
                    self.at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\r' | b'\\' => {
                    self.at += 1;
                    continue;
                }
                b'/' if self.peek(1) == b'/' => {
                    self.line();
                    continue;
                }
                b'/' if self.peek(1) == b'*' => {
                    self.comment();
                    continue;
                }
                b'#' if self.line_start => {
                    self.directive();
                    continue;
                }
                _ => {}
            }
            self.line_start = false;
            let start = self.at;
            self.at += 1;
            return Some(match byte {
                b'"' | b'\'' => {
                    self.literal(byte);
                    Token::Literal
                }
                b':' if self.peek(0) == b':' => {
                    self.at += 1;
                    Token::Scope
                }
                b if is_word(b) => {
                    while is_word(self.peek(0)) || b.is_ascii_digit() && self.peek(0) == b'\'' {
                        self.at += 1;
                    }
                    Token::Word(start, self.at)
                }
                other => Token::Sign(other),
            });
        }
    }

    fn line(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }

    fn comment(&mut self) {
        let rest = self.bytes.get(self.at + 2..).unwrap_or(&[]);
        self.at += 2 + rest.windows(2).position(|w| w == b"*/").map_or(rest.len(), |i| i + 2);
    }

    fn literal(&mut self, quote: u8) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => return,
                b'\\' => self.at += 2,
                b if b == quote => {
                    self.at += 1;
                    return;
                }
                _ => self.at += 1,
            }
        }
    }

    fn directive(&mut self) {
        let start = self.at;
        loop {
            let line = self.at;
            self.line();
            let end = self.bytes.get(line..self.at).unwrap_or(&[]);
            if !end.strip_suffix(b"\r").unwrap_or(end).ends_with(b"\\") || self.at >= self.bytes.len() {
                break;
            }
            self.at += 1;
        }
        let text = self.bytes.get(start + 1..self.at).unwrap_or(&[]);
        let line: Vec<u8> =
            text.iter().copied().filter(|b| !matches!(b, b' ' | b'\t' | b'(' | b')')).take(32).collect();
        let tests = line.starts_with(b"ifdef__cplusplus") || line.starts_with(b"ifdefined__cplusplus");
        if line.starts_with(b"if") {
            self.guards.push(tests);
            self.hidden += usize::from(tests);
        } else if line.starts_with(b"el") || line.starts_with(b"endif") {
            let guarded = self.guards.pop().unwrap_or(false);
            self.hidden -= usize::from(guarded);
            if line.starts_with(b"el") {
                self.guards.push(false);
            }
        }
    }

    /// The first byte behind white space.
    fn ahead(&self) -> u8 {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        rest.iter().copied().find(|b| !b.is_ascii_whitespace()).unwrap_or(0)
    }

    /// Whether `token` cannot stand in C where it stands.
    fn tells(&self, text: &str, before: Token, token: Token) -> bool {
        let (start, end) = match token {
            Token::Word(start, end) => (start, end),
            // Objective-C has no `::` either.
            Token::Scope => return true,
            _ => return false,
        };
        let Some(word) = text.get(start..end) else { return false };
        let next = self.ahead();
        let names = is_word(next) && !next.is_ascii_digit();
        let at_start = match before {
            Token::Start | Token::Sign(b';' | b'{' | b'}' | b'>' | b')' | b':') => true,
            Token::Word(..) | Token::Literal => self.begins_line(start),
            _ => false,
        };
        match word {
            "class" => names && before != Token::Sign(b'@') && at_start,
            "namespace" => (names || next == b'{') && at_start,
            "template" => next == b'<' && at_start,
            "using" => names && at_start,
            "typename" | "virtual" | "explicit" => names && before != Token::Sign(b'@'),
            "friend" => names && at_start,
            "public" | "private" | "protected" => next == b':' && before != Token::Sign(b'@') && at_start,
            "operator" => matches!(next, b'=' | b'(' | b'[' | b'<' | b'>' | b'+' | b'-' | b'!' | b'*' | b'/'),
            // C11 and C23 have these too, but not as C++ spells a declaration with them.
            "static_assert" | "constexpr" | "nullptr" => word == "constexpr" && names && at_start,
            _ => CPP_WORDS.contains(&word) && !matches!(next, b';' | b',' | b')' | b'='),
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        let line = self.bytes.get(..at).unwrap_or(&[]);
        line.iter().rev().take_while(|b| **b != b'\n').all(u8::is_ascii_whitespace)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::is_cpp;

    #[test]
    fn cpp_headers() {
        for text in [
            "class Foo;\n",
            "#pragma once\nnamespace a { int f(); }\n",
            "namespace ROCKSDB_NAMESPACE {\n}\n",
            "template <typename T> T f(T);\n",
            "using Ptr = int*;\n",
            "struct A {\n public:\n  int a;\n};\n",
            "std::string f();\n",
            "struct A { virtual void f() = 0; };\n",
            "constexpr int kA = 1;\n",
            "struct A { bool operator==(const A& o) const; };\n",
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f();\n#ifdef __cplusplus\n}\n#endif\nclass Late {};\n",
            "#import <Foundation/Foundation.h>\n@interface A : NSObject\n- (std::string)name;\n@end\n",
        ] {
            assert!(is_cpp(text), "{text}");
        }
    }

    #[test]
    fn c_headers() {
        for text in [
            "",
            "int f(void);\n",
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n",
            "#if defined(__cplusplus)\nnamespace a { class B; }\n#endif\nint f(void);\n",
            "/* class Foo; std::string */\n// namespace x {\nint f(void);\n",
            "const char *s = \"std::string class A;\";\n",
            "#define NS std::string\nint f(void);\n",
            "struct s { int class; int new; int private; };\nint template;\n",
            "int this, namespace, using;\nvoid f(int class, int virtual);\n",
            "@class Foo;\n@interface Bar : Foo\n@private\n  int a;\n@public\n  int b;\n@end\n",
            "enum { A, B };\nint x = a ? b : c;\n",
            "/* one class\n * template <x> */ typedef struct a a;\n",
        ] {
            assert!(!is_cpp(text), "{text}");
        }
    }
}
