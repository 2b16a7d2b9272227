//! Types as written, and their normal form for telling overloads apart.

use tree_sitter::Node;

use super::declarators::{Declarator, is_const};
use crate::engine::Walk;
use crate::text::{range, squeeze};

/// Bytes of the longest type kept as written.
const TYPE_MAX: usize = 1024;

/// What a declaration's specifiers say: the words that are not part of its type, and the type.
#[derive(Default)]
pub(super) struct Specifiers<'t> {
    /// Storage classes, function specifiers and qualifiers that count as modifiers, in source order.
    pub(super) modifiers: Vec<&'t str>,
    /// The type node.
    pub(super) kind: Option<Node<'t>>,
    /// The type with its qualifiers, as written; a type's own body is left out.
    pub(super) text: String,
    /// Whether the type is `const` or `constexpr` before any pointer.
    pub(super) constant: bool,
    /// Whether an attribute deprecates.
    pub(super) deprecated: bool,
}

impl Specifiers<'_> {
    pub(super) fn has(&self, word: &str) -> bool {
        self.modifiers.contains(&word)
    }
}

/// Reads the specifiers of a declaration, a parameter, a function definition.
pub(super) fn specifiers<'t>(walk: &Walk<'t>, node: Node<'t>) -> Specifiers<'t> {
    let mut out = Specifiers::default();
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return out;
    }
    loop {
        let child = cursor.node();
        match (cursor.field_name(), child.kind()) {
            (Some("declarator"), _) | (_, ";") => break,
            (Some("type"), kind) => {
                out.kind = Some(child);
                let end = match kind {
                    "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
                        child.child_by_field_name("body").map_or(child.end_byte(), |b| b.start_byte())
                    }
                    _ => child.end_byte(),
                };
                push(&mut out.text, walk.text.get(child.start_byte()..end).unwrap_or(""));
            }
            (_, "type_qualifier") => {
                let word = walk.str(child);
                if matches!(word, "constexpr" | "constinit" | "consteval" | "const" | "_Noreturn") {
                    out.modifiers.push(word);
                }
                out.constant |= is_const(child);
                if !matches!(word, "constexpr" | "constinit" | "consteval" | "mutable" | "_Noreturn" | "__extension__")
                {
                    push(&mut out.text, word);
                }
                if word == "mutable" {
                    out.modifiers.push(word);
                }
            }
            (
                _,
                "storage_class_specifier" | "virtual" | "virtual_function_specifier" | "explicit_function_specifier",
            ) => {
                out.modifiers.push(walk.str(child));
            }
            (_, "attribute_declaration" | "attribute_specifier" | "ms_declspec_modifier") => {
                out.deprecated |= walk.str(child).contains("deprecated");
            }
            _ => {}
        }
        if !cursor.goto_next_sibling() {
            break;
        }
    }
    out.text = squeeze(&out.text);
    out
}

fn push(out: &mut String, word: &str) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}

/// The type of a variable, a field or a parameter as written: `const char *[10]`, `void (*)(int)`.
pub(super) fn value_type(walk: &Walk<'_>, specifiers: &Specifiers<'_>, declarator: Option<&Declarator<'_>>) -> String {
    let Some(d) = declarator else { return specifiers.text.clone() };
    let before = walk.text.get(d.whole.start_byte()..d.name.start_byte()).unwrap_or("");
    let after = walk.text.get(d.name.end_byte()..d.whole.end_byte()).unwrap_or("");
    joined(specifiers, d.whole, before, after)
}

/// The result type of a function as written; absent for constructors and the like.
pub(super) fn result_type(walk: &Walk<'_>, specifiers: &Specifiers<'_>, d: &Declarator<'_>) -> Option<String> {
    let function = d.function?;
    let mut cursor = function.walk();
    let trailing = function.named_children(&mut cursor).find(|c| c.kind() == "trailing_return_type");
    if let Some(trailing) = trailing {
        return Some(squeeze(walk.str(trailing).trim_start_matches("->")));
    }
    specifiers.kind?;
    let before = walk.text.get(d.whole.start_byte()..function.start_byte()).unwrap_or("");
    let after = walk.text.get(function.end_byte()..d.whole.end_byte()).unwrap_or("");
    Some(joined(specifiers, d.whole, before, after))
}

fn joined(specifiers: &Specifiers<'_>, whole: Node<'_>, before: &str, after: &str) -> String {
    let declared = squeeze(&format!("{}{}", before.trim(), after.trim()));
    let mut out = specifiers.text.clone();
    let touches = specifiers.kind.is_some_and(|k| k.end_byte() == whole.start_byte());
    if !out.is_empty() && !declared.is_empty() && !touches && !declared.starts_with('[') {
        out.push(' ');
    }
    out.push_str(&declared);
    super::items::clip(out, TYPE_MAX)
}

/// A parameter's type in the form that overloads are told apart by.
pub(super) fn normal(walk: &Walk<'_>, specifiers: &Specifiers<'_>, declarator: Option<&Declarator<'_>>) -> String {
    let declared = declarator.map_or(String::new(), |d| {
        let before = walk.text.get(d.whole.start_byte()..d.name.start_byte()).unwrap_or("");
        let after = walk.text.get(d.name.end_byte()..d.whole.end_byte()).unwrap_or("");
        let after = if after.trim_start().starts_with('[') { "*" } else { after };
        format!("{before} {after}")
    });
    normal_text(&format!("{} {declared}", specifiers.text))
}

/// The normal form of a type without a name: white space, the keywords of elaborated types and a `const` of the value
/// itself dropped.
pub(super) fn normal_text(text: &str) -> String {
    let mut out = String::new();
    let by_value = !text.contains(['*', '&', '(', '<']);
    for word in spaced(text).split_whitespace() {
        let dropped = matches!(word, "struct" | "class" | "enum" | "union" | "typename" | "register")
            || (word == "const" && by_value);
        if dropped {
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if out.ends_with(is_word) && word.starts_with(is_word) {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// `text` with every sign apart from the words around it.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        let sign = !(c.is_alphanumeric() || c == '_' || c.is_whitespace());
        if sign {
            out.push(' ');
        }
        out.push(c);
        if sign {
            out.push(' ');
        }
    }
    out
}

/// Text of `node` on one line.
pub(super) fn line(walk: &Walk<'_>, node: Node<'_>) -> String {
    squeeze(range(node).of(walk.text))
}
