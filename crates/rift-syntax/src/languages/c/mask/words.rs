//! Which words are keywords, and which look like macros.

use super::Mask;
use super::tokens::{Kind, Token};

/// What is masked wherever it stands: macros between the pieces of a string (`"%" PRIu64 "\n"`), the star of a type
/// that `va_arg` is given, comments inside the replacement text of a macro.
pub(super) fn everywhere(tokens: &[Token], mask: &mut Mask<'_>) {
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Literal => {
                let apart = |a: &Token, b: &Token| a.end < b.start;
                let is_macro = |t: &&Token| t.kind == Kind::Word && is_macro_like_or_format(t.text(mask.text));
                let behind = tokens.get(i + 1).filter(is_macro).filter(|t| apart(token, t)).copied();
                let before = i.checked_sub(1).and_then(|b| tokens.get(b)).filter(is_macro).filter(|t| apart(t, token));
                let before = before.filter(|_| i >= 2 && matches!(tokens[i - 2].kind, Kind::Sign(_))).copied();
                for piece in behind.into_iter().chain(before) {
                    mask.blank(piece.start as usize, piece.end as usize);
                }
            }
            Kind::Word if token.text(mask.text) == "va_arg" => {
                let star = (i + 1..tokens.len().min(i + 12)).find(|k| {
                    let (a, b) = (tokens[*k].kind, tokens.get(k + 1).map(|t| t.kind));
                    a == Kind::Sign(b'*') && b == Some(Kind::Sign(b')'))
                });
                if let Some(star) = star {
                    mask.blank(tokens[star].start as usize, tokens[star].end as usize);
                }
            }
            // Attributes stand in many places, and the grammars know few of them. One that deprecates is kept.
            Kind::Word if matches!(token.text(mask.text), "__attribute__" | "__attribute") => {
                attribute(tokens, i, mask)
            }
            Kind::Directive => comments(token, mask),
            // An operator for an argument: `STEP(a, +, b)`.
            Kind::Sign(b'+' | b'-' | b'^' | b'|' | b'/') => {
                let before = i.checked_sub(1).map(|b| tokens[b].kind);
                let behind = tokens.get(i + 1).map(|t| t.kind);
                if before == Some(Kind::Sign(b',')) && matches!(behind, Some(Kind::Sign(b',' | b')'))) {
                    mask.put(token.start as usize, b"0");
                }
            }
            _ => {}
        }
    }
}

/// Tokens that one attribute may take.
const ATTRIBUTE_MAX: usize = 200;

fn attribute(tokens: &[Token], at: usize, mask: &mut Mask<'_>) {
    let mut depth = 0usize;
    for token in tokens.iter().skip(at + 1).take(ATTRIBUTE_MAX) {
        match token.kind {
            Kind::Sign(b'(') => depth += 1,
            Kind::Sign(b')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let (start, end) = (tokens[at].start as usize, token.end as usize);
            if mask.text.get(start..end).is_some_and(|text| !text.contains("deprecated")) {
                mask.blank(start, end);
            }
            return;
        }
    }
}

fn is_macro_like_or_format(word: &str) -> bool {
    is_macro_like(word) || ["PRI", "SCN", "ROCKSDB_PRI"].iter().any(|start| word.starts_with(start))
}

/// The grammar ends a macro's replacement text at a block comment, wherever its line ends.
fn comments(directive: &Token, mask: &mut Mask<'_>) {
    let text = mask.text;
    let mut rest = directive.text(text);
    let mut at = directive.start as usize;
    while let Some(open) = rest.find("/*") {
        let Some(length) = rest[open..].find("*/") else { return };
        let end = open + length + 2;
        if rest[end..].trim_matches(['\\', '\r', '\n', ' ', '\t']).is_empty() {
            return;
        }
        let mut line_start = at + open;
        for line in rest[open..end].split_inclusive('\n') {
            // Line splices stay, as the macro goes on behind them.
            let kept = line.trim_end_matches(['\n', '\r']).trim_end_matches('\\');
            mask.blank(line_start, line_start + kept.len());
            line_start += line.len();
        }
        rest = &rest[end..];
        at += end;
    }
}

/// Words that stand in front of a declaration without being its type.
pub(super) fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "volatile"
            | "static"
            | "inline"
            | "virtual"
            | "explicit"
            | "constexpr"
            | "consteval"
            | "constinit"
            | "register"
            | "thread_local"
            | "_Thread_local"
            | "__thread"
            | "friend"
            | "mutable"
            | "typename"
            | "extern"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "_Noreturn"
            | "_Atomic"
            | "__inline"
            | "__inline__"
            | "__forceinline"
            | "__extension__"
            | "export"
            | "noreturn"
    )
}

/// Words that are a type, or part of one.
pub(super) fn is_builtin(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "bool"
            | "_Bool"
            | "wchar_t"
            | "char8_t"
            | "char16_t"
            | "char32_t"
            | "auto"
    )
}

/// Words that begin a statement which masking leaves alone.
pub(super) fn is_opaque(word: &str) -> bool {
    matches!(
        word,
        "using"
            | "static_assert"
            | "_Static_assert"
            | "asm"
            | "__asm"
            | "__asm__"
            | "return"
            | "if"
            | "for"
            | "while"
            | "switch"
            | "do"
            | "goto"
            | "case"
            | "default"
            | "else"
            | "requires"
            | "concept"
            | "import"
            | "module"
            | "break"
            | "continue"
            | "try"
            | "throw"
    )
}

/// Words that take an argument in brackets and belong to the declaration around them.
pub(super) fn takes_brackets(word: &str) -> bool {
    matches!(
        word,
        "alignas"
            | "_Alignas"
            | "__attribute__"
            | "__attribute"
            | "__declspec"
            | "decltype"
            | "__typeof__"
            | "typeof"
            | "explicit"
            | "noexcept"
            | "throw"
            | "requires"
            | "asm"
            | "__asm__"
            | "__asm"
    )
}

/// Words of the language behind a parameter list.
pub(super) fn is_suffix(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "volatile"
            | "noexcept"
            | "override"
            | "final"
            | "throw"
            | "try"
            | "requires"
            | "__attribute__"
            | "__attribute"
            | "asm"
            | "__asm__"
            | "__asm"
            | "mutable"
            | "restrict"
    )
}

/// Spelled as macros are: upper case letters, digits and underscores.
pub(in crate::languages::c) fn is_macro_like(word: &str) -> bool {
    word.len() > 1 && word.bytes().any(|b| b.is_ascii_uppercase()) && !word.bytes().any(|b| b.is_ascii_lowercase())
}

/// Calling conventions stand behind the type: `HANDLE WINAPI f(void)`.
pub(super) fn is_convention(word: &str) -> bool {
    matches!(word, "WINAPI" | "APIENTRY" | "CALLBACK" | "PASCAL" | "CDECL" | "STDCALL" | "FASTCALL" | "VECTORCALL")
        || ["_CALL", "_CDECL", "_STDCALL", "_CALLBACK", "_CALLCONV", "CALLTYPE"].iter().any(|end| word.ends_with(end))
}

/// Whether a macro call on a line of its own qualifies the declaration below it, by the words that such macros are
/// named with; any other call stands for declarations of its own.
pub(in crate::languages::c) fn is_attribute_macro(name: &str) -> bool {
    const WORDS: [&str; 20] = [
        "DEPRECAT",
        "ATTR",
        "EXPORT",
        "_API",
        "NODISCARD",
        "AVAILAB",
        "ALIGN",
        "UNUSED",
        "VISIB",
        "NONNULL",
        "PRINTF",
        "FORMAT",
        "WARN",
        "INLINE",
        "SECTION",
        "NORETURN",
        "NO_SANITIZE",
        "REQUIRES",
        "MALLOC",
        "HIDDEN",
    ];
    const DECLARERS: [&str; 6] = ["DECLARE", "DEFINE", "IMPLEMENT", "INSTANTIATE", "REGISTER", "GENERATE"];
    let upper = name.to_ascii_uppercase();
    !DECLARERS.iter().any(|word| upper.contains(word)) && WORDS.iter().any(|word| upper.contains(word))
}
