//! JSDoc: types and links in the documentation of a declaration (<https://jsdoc.app>; TypeScript, "JSDoc Reference"). They are
//! uses of what they name, and where no annotation stands they tell types.

use rift_base::ByteRange;

use super::JavaScript;
use crate::binding::{Raw, Role, ScopeId, Walker as _};
use crate::facts::DeclId;
use crate::text::split_outside;

/// Tags whose braces hold a type.
const TYPED: &[&str] = &[
    "arg",
    "argument",
    "augments",
    "enum",
    "extends",
    "implements",
    "param",
    "prop",
    "property",
    "return",
    "returns",
    "satisfies",
    "this",
    "throws",
    "type",
    "typedef",
    "yields",
];

/// Names of types that are declared nowhere.
const PRIMITIVE: &[&str] = &[
    "any",
    "bigint",
    "boolean",
    "never",
    "null",
    "number",
    "object",
    "string",
    "symbol",
    "undefined",
    "unknown",
    "void",
];

/// Deepest nesting of a type that is read.
const DEPTH: usize = 8;

/// What the documentation of a declaration says about types.
#[derive(Default)]
pub(super) struct Described<'t> {
    /// Values of parameters, by name.
    pub(super) parameters: Vec<(&'t str, Raw)>,
    /// What a call yields.
    pub(super) result: Option<Raw>,
    /// What the declaration holds.
    pub(super) of: Option<Raw>,
}

impl<'t> JavaScript<'_, 't> {
    /// Reads the documentation of `decl`.
    pub(super) fn describe(&mut self, decl: DeclId) -> Described<'t> {
        let mut out = Described::default();
        let Some(position) = self.binder.facts.positions.get(decl.0 as usize) else { return out };
        let (start, end) = (position.declaration.start as usize, position.item.start as usize);
        let start = self.documented_from(start);
        let Some(before) = self.binder.text.get(start..end).filter(|text| text.contains("/**")) else { return out };
        let mut at = 0;
        while let Some(found) = before[at..].find("/**") {
            let from = at + found + 3;
            let to = before[from..].find("*/").map_or(before.len(), |length| from + length);
            self.describe_block(start + from, start + to, &mut out);
            at = to;
        }
        out
    }

    /// Where the documentation of what starts at `start` does: blank lines may part them.
    fn documented_from(&self, start: usize) -> usize {
        let before = self.binder.text.get(..start).unwrap_or("").trim_end();
        let comment = if before.ends_with("*/") { before.rfind("/*") } else { None };
        comment.filter(|at| before[*at..].starts_with("/**")).unwrap_or(start)
    }

    fn describe_block(&mut self, start: usize, end: usize, out: &mut Described<'t>) {
        let text = self.binder.text;
        let mut at = start;
        while let Some(found) = text.get(at..end).and_then(|rest| rest.find('@')) {
            let word = at + found + 1;
            let rest = &text[word..end];
            let tag = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())];
            at = word + tag.len();
            let spaces = text[at..end].len() - text[at..end].trim_start_matches([' ', '\t']).len();
            let next = at + spaces;
            if matches!(tag, "link" | "linkcode" | "linkplain") {
                at = self.link(next, end);
            } else if TYPED.contains(&tag) && text[next..end].starts_with('{') {
                let Some(length) = braces(&text[next..end]) else { continue };
                let denoted = self.documented(next + 1, next + length - 1, 0);
                at = next + length;
                self.tell_described(tag, denoted, at, end, out);
            }
        }
    }

    fn tell_described(&mut self, tag: &str, denoted: Raw, at: usize, end: usize, out: &mut Described<'t>) {
        let value = self.binder.value(denoted);
        if !self.is_known(value) {
            return;
        }
        match tag {
            "return" | "returns" => out.result = Some(value),
            "type" => out.of = Some(value),
            "param" | "arg" | "argument" => {
                let text = self.binder.text;
                let rest = text[at..end].trim_start().trim_start_matches('[');
                let length = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
                // `options.name` describes a part of a parameter.
                if length > 0 && !rest[length..].starts_with(['.', '[']) {
                    out.parameters.push((&rest[..length], value));
                }
            }
            _ => {}
        }
    }

    /// `Name`, `Name.member` or `Name#member` behind a `@link`; where it ends.
    fn link(&mut self, start: usize, end: usize) -> usize {
        let rest = &self.binder.text[start..end];
        let length = rest.find(|c: char| !is_name(c) && c != '.' && c != '#').unwrap_or(rest.len());
        if !rest[length..].starts_with(['/', ':']) {
            self.chain(start, start + length, Role::Read);
        }
        start + length
    }

    /// The names of a dotted chain, each a use; what the last one denotes.
    fn chain(&mut self, start: usize, end: usize, role: Role) -> Raw {
        let text = self.binder.text;
        let mut term = None;
        let mut at = start;
        for name in text[start..end].split(['.', '#', '~']) {
            let site = ByteRange::new(at, at + name.len());
            at += name.len() + 1;
            if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            let here = match term {
                None => self.binder.name_in(name, self.binder.scope()),
                // A member of what a class makes, or of the class.
                Some(of) => self.binder.member(of, name),
            };
            self.binder.refer_at(here, role, site, None);
            term = Some(here);
        }
        term.unwrap_or_else(|| self.unknown())
    }

    /// The type that stands between two offsets.
    fn documented(&mut self, mut start: usize, mut end: usize, depth: usize) -> Raw {
        let text = self.binder.text;
        while end > start && text[start..end].starts_with([' ', '\t', '\n', '\r', '*', '?', '!', '.']) {
            start += 1;
        }
        while end > start && text[start..end].ends_with([' ', '\t', '\n', '\r', '=', '?', '!']) {
            end -= 1;
        }
        let whole = &text[start..end];
        if depth > DEPTH || whole.is_empty() {
            return self.unknown();
        }
        let parts = split(whole, b'|');
        if parts.len() > 1 {
            let terms = parts.into_iter().map(|(from, to)| self.documented(start + from, start + to, depth + 1));
            let terms = terms.collect();
            return self.known(terms);
        }
        if let Some(element) = whole.strip_suffix("[]") {
            let element = self.documented(start, start + element.len(), depth + 1);
            return self.listed(vec![element]);
        }
        if whole.starts_with('(') && whole.ends_with(')') {
            return self.documented(start + 1, end - 1, depth + 1);
        }
        if let Some(rest) = whole.strip_prefix("import(") {
            return self.imported_by(rest, start + "import(".len());
        }
        let name = whole.find(|c: char| !is_name(c) && c != '.').unwrap_or(whole.len());
        let (bare, rest) = (whole[..name].trim_end_matches('.'), &whole[name..]);
        if bare.is_empty() || PRIMITIVE.contains(&bare) || rest.starts_with(['(', ':', ' ', '{']) {
            return self.unknown();
        }
        let of = self.chain(start, start + bare.len(), Role::Type);
        let Some(arguments) = rest.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else { return of };
        let at = start + name + 1;
        let arguments = split(arguments, b',');
        let arguments =
            arguments.into_iter().map(|(from, to)| self.documented(at + from, at + to, depth + 1)).collect();
        self.binder.applied(of, arguments)
    }

    /// `"m").Name` behind `import(`.
    fn imported_by(&mut self, rest: &'t str, start: usize) -> Raw {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let Some((specifier, tail)) = quote.and_then(|quote| rest[1..].split_once(quote)) else {
            return self.unknown();
        };
        let module = self.binder.module(specifier);
        let Some(name) = tail.strip_prefix(").").filter(|name| !name.is_empty() && name.chars().all(is_name)) else {
            return module;
        };
        let at = start + rest.len() - name.len();
        let member = self.binder.member(module, name);
        self.binder.refer_at(member, Role::Type, ByteRange::new(at, at + name.len()), None);
        member
    }

    fn listed(&mut self, elements: Vec<Raw>) -> Raw {
        let array = self.binder.name_in("Array", ScopeId::FILE);
        self.binder.applied(array, elements)
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Length of the braces that `text` starts with, when they close.
fn braces(text: &str) -> Option<usize> {
    let mut open = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' if open == 1 => return Some(at + 1),
            b'}' => open -= 1,
            _ => {}
        }
    }
    None
}

/// The parts of a type between `mark`s that stand in no brackets.
fn split(text: &str, mark: u8) -> Vec<(usize, usize)> {
    split_outside(text, mark, ("<({[", ">)}]"))
}
