//! The preprocessor: includes, macros, conditions, and what is masked from the parser.

use rift_base::ByteRange;
use tree_sitter::Node;

use super::Family;
use crate::binding::{Defined, Raw, Role, Walker as _};
use crate::facts::DeclId;

impl<'t> Family<'_, 't> {
    /// `#include "path"`; angle brackets stay with the path, as they are looked for elsewhere.
    pub(super) fn include(&mut self, node: Node<'t>) -> Raw {
        let nothing = self.unknown();
        let Some(path) = node.child_by_field_name("path") else { return nothing };
        let text = self.binder.str(path);
        let specifier = match path.kind() {
            "string_literal" => text.trim_matches('"'),
            "system_lib_string" => text,
            _ => {
                self.walk(path);
                return nothing;
            }
        };
        if !specifier.is_empty() {
            let module = self.binder.module(specifier);
            self.binder.wildcard(None, module, true);
        }
        nothing
    }

    /// `#define`: the names in the replacement text are uses wherever the macro is, so here they prove nothing.
    pub(super) fn define(&mut self, node: Node<'t>) -> Raw {
        let nothing = self.unknown();
        let Some(name) = node.child_by_field_name("name") else { return nothing };
        let decl = self.binder.declared_at(name);
        if let Some(decl) = decl {
            self.binder.define_in(self.file, self.binder.str(name), Defined::Decl(decl), super::EVERYWHERE);
            self.binder.own(decl);
        }
        if let Some(value) = node.child_by_field_name("value") {
            let parameters = node.child_by_field_name("parameters").map(|list| self.children(list));
            let parameters: Vec<&str> =
                parameters.unwrap_or_default().into_iter().map(|parameter| self.binder.str(parameter)).collect();
            let unproven = std::mem::replace(&mut self.binder.unproven, true);
            self.words(value.start_byte(), value.end_byte(), &parameters);
            self.binder.unproven = unproven;
        }
        decl.into_iter().for_each(|_| self.binder.disown());
        nothing
    }

    /// `#if`, `#ifdef` and their like, with what they hold.
    pub(super) fn conditional(&mut self, node: Node<'t>) -> Raw {
        let condition = node.child_by_field_name("name").or_else(|| node.child_by_field_name("condition"));
        for child in self.children(node) {
            if Some(child) != condition {
                self.walk(child);
            } else if child.kind() == "identifier" {
                self.macro_name(child);
            } else {
                self.in_condition(child);
            }
        }
        self.unknown()
    }

    /// The names in a condition are macros.
    fn in_condition(&mut self, node: Node<'t>) {
        let go = |family: &mut Self| {
            for child in family.children(node) {
                match child.kind() {
                    "identifier" => family.macro_name(child),
                    _ => family.in_condition(child),
                }
            }
        };
        self.deeper(go);
    }

    fn macro_name(&mut self, name: Node<'t>) {
        self.word(crate::text::range(name), Role::Read);
    }

    pub(super) fn defined(&mut self, node: Node<'t>) -> Raw {
        self.in_condition(node);
        self.unknown()
    }

    /// `#undef name`.
    pub(super) fn directive(&mut self, node: Node<'t>) -> Raw {
        let directive = node.child_by_field_name("directive").map_or("", |d| self.binder.str(d));
        if directive.trim_start_matches('#').trim() == "undef"
            && let Some(argument) = node.child_by_field_name("argument")
        {
            self.words(argument.start_byte(), argument.end_byte(), &[]);
        }
        self.unknown()
    }

    /// Names what was masked from the parser: macros in front of declarations, calls of macros that stand for
    /// declarations, branches of conditional compilation. Nothing says what they are part of.
    pub(super) fn masked(&mut self) {
        let (text, parsed) = (self.binder.text.as_bytes(), self.binder.parsed.as_bytes());
        if self.binder.text.as_ptr() == self.binder.parsed.as_ptr() {
            return;
        }
        self.binder.unproven = true;
        let mut at = 0;
        while let Some(skipped) = first_difference(&text[at..], &parsed[at..]) {
            let start = at + skipped;
            let mut end = start;
            // Blanks between masked words are equal in both.
            while end < text.len() && (text[end] != parsed[end] || text[end] == b' ' && parsed[end] == b' ') {
                end += 1;
            }
            let first = text[start..end].iter().position(|b| *b == b'#').is_none();
            if first && parsed[start] == b' ' {
                let owner = self.innermost(start as u32);
                owner.into_iter().for_each(|owner| self.binder.own(owner));
                // In a branch that is masked, the declaration itself may stand once more.
                let facts = self.binder.facts;
                let own =
                    owner.and_then(|owner| facts.positions.get(owner.0 as usize)).map(|p| p.name.of(self.binder.text));
                self.words(start, end, own.as_slice());
                owner.into_iter().for_each(|_| self.binder.disown());
            }
            at = end;
        }
        self.binder.unproven = false;
    }

    /// The last declaration that covers byte `at`, the innermost as containers come first.
    fn innermost(&self, at: u32) -> Option<DeclId> {
        let positions = &self.binder.facts.positions;
        let covers = |p: &crate::facts::DeclPosition| p.declaration.start <= at && at < p.declaration.end;
        positions.iter().rposition(covers).map(|found| DeclId(found as u32))
    }

    /// The names in `start..end` of the text: qualified ones with their qualifiers, members of nothing known left out.
    fn words(&mut self, start: usize, end: usize, parameters: &[&str]) {
        let text = self.binder.text;
        let bytes = text.as_bytes();
        let mut at = start;
        let mut of: Option<Raw> = None;
        while at < end {
            let byte = bytes[at];
            if byte.is_ascii_alphabetic() || byte == b'_' {
                let length = bytes[at..end].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
                let site = ByteRange::new(at, at + length);
                of = self.spelled(site, of, parameters);
                at += length;
            } else if byte.is_ascii_digit() {
                at += bytes[at..end].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'.').count();
                of = None;
            } else if byte == b'"' || byte == b'\'' {
                at += literal(&bytes[at..end]);
                of = None;
            } else if bytes[at..end].starts_with(b"//") {
                at += bytes[at..end].iter().position(|b| *b == b'\n').unwrap_or(end - at);
            } else if bytes[at..end].starts_with(b"/*") {
                let length = text.get(at..end).and_then(|rest| rest.find("*/")).map_or(end - at, |found| found + 2);
                at += length;
            } else {
                // A qualifier holds over `::` alone.
                if !(byte.is_ascii_whitespace() || byte == b':') {
                    of = None;
                }
                at += 1;
            }
        }
    }

    /// Refers to the word at `site`; what may qualify the next one.
    fn spelled(&mut self, site: ByteRange, of: Option<Raw>, parameters: &[&str]) -> Option<Raw> {
        let text = self.binder.text;
        let word = site.of(text);
        let before = text.get(..site.start as usize).unwrap_or("").trim_end();
        let pasted = before.ends_with('#') && !before.ends_with("\n#");
        let is_member = before.ends_with("->") || before.ends_with('.') && !before.ends_with("...");
        if is_keyword(word) || parameters.contains(&word) || is_member || pasted {
            return None;
        }
        let behind = text.get(site.end as usize..).unwrap_or("").trim_start_matches([' ', '\t']);
        if behind.starts_with("##") {
            return None;
        }
        let role = if behind.starts_with('(') { Role::Call } else { Role::Read };
        let qualified = before.ends_with("::");
        let term = match of {
            Some(of) if qualified => self.binder.member(of, word),
            _ => self.binder.name_in(word, self.file),
        };
        self.binder.refer_at(term, role, site, None);
        behind.starts_with("::").then_some(term)
    }
}

/// Where two texts of equal length first differ.
fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    const CHUNK: usize = 64;
    let (pairs, mut at) = (a.chunks(CHUNK).zip(b.chunks(CHUNK)), 0);
    for (left, right) in pairs {
        if left != right {
            return left.iter().zip(right).position(|(x, y)| x != y).map(|found| at + found);
        }
        at += left.len();
    }
    None
}

/// The length of the literal that `bytes` starts with.
fn literal(bytes: &[u8]) -> usize {
    let quote = bytes[0];
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Words that name nothing.
fn is_keyword(word: &str) -> bool {
    const WORDS: [&str; 86] = [
        "alignas",
        "alignof",
        "asm",
        "auto",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "const_cast",
        "constexpr",
        "continue",
        "decltype",
        "default",
        "define",
        "defined",
        "delete",
        "do",
        "double",
        "dynamic_cast",
        "elif",
        "else",
        "endif",
        "enum",
        "explicit",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "ifdef",
        "ifndef",
        "include",
        "inline",
        "int",
        "long",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "nullptr",
        "operator",
        "override",
        "pragma",
        "private",
        "protected",
        "public",
        "register",
        "reinterpret_cast",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "static_assert",
        "static_cast",
        "struct",
        "switch",
        "template",
        "this",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "typeof",
        "undef",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "wchar_t",
        "while",
        "__VA_ARGS__",
        "__VA_OPT__",
        "__attribute__",
        "__attribute",
        "__declspec",
        "__func__",
    ];
    WORDS.contains(&word)
}
