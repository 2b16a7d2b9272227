//! Which words are keywords, and which look like macros.

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
pub(super) fn is_macro_like(word: &str) -> bool {
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
    let upper = name.to_ascii_uppercase();
    WORDS.iter().any(|word| upper.contains(word))
}
