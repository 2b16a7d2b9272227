//! Forward references: types in quotes (PEP 484), as far as they are dotted names, unions and generic types of such.

use rift_base::ByteRange;
use tree_sitter::Node;

use super::{Python, children};
use crate::binding::{Raw, Role, Walker as _};
use crate::text::split_outside;

/// Deepest nesting of a quoted type that is read.
const DEPTH: usize = 8;

impl<'t> Python<'_, 't> {
    /// The type in the quotes of `node`; a value of it when `promised`.
    pub(super) fn quoted(&mut self, node: Node<'t>, promised: bool) -> Raw {
        match children(node).into_iter().find(|child| child.kind() == "string_content") {
            Some(content) => self.quoted_type(content.start_byte(), content.end_byte(), promised, 0),
            None => self.unknown(),
        }
    }

    /// The type that stands between two offsets.
    fn quoted_type(&mut self, mut start: usize, mut end: usize, promised: bool, depth: usize) -> Raw {
        let text = self.binder.text;
        start += text[start..end].len() - text[start..end].trim_start().len();
        end = start + text[start..end].trim_end().len();
        let whole = &text[start..end];
        if depth > DEPTH || matches!(whole, "" | "None" | "...") {
            return self.unknown();
        }
        let parts = split(whole, b'|');
        if parts.len() > 1 {
            let read = |(from, to): (usize, usize)| self.quoted_type(start + from, start + to, promised, depth + 1);
            let terms = parts.into_iter().map(read).collect();
            return self.known(terms);
        }
        let Some((name, rest)) = whole.split_once('[') else { return self.quoted_name(whole, start, promised) };
        let (Some(rest), word) = (rest.strip_suffix(']'), name.rsplit('.').next().unwrap_or("")) else {
            return self.unknown();
        };
        let of = self.quoted_name(name, start, false);
        let inner = start + name.len() + 1;
        let either = matches!(word, "Optional" | "Union" | "Annotated" | "Final" | "ClassVar");
        let class = matches!(word, "Type" | "type");
        if word == "Literal" {
            return self.unknown();
        }
        let mut arguments = Vec::new();
        for (from, to) in split(rest, b',') {
            arguments.push(self.quoted_type(inner + from, inner + to, promised && either, depth + 1));
        }
        if either || (class && promised) {
            return self.known(arguments);
        }
        let applied = self.binder.applied(of, arguments);
        if promised { self.binder.value(applied) } else { applied }
    }

    /// The dotted name `text` that stands in quotes at byte `start`.
    fn quoted_name(&mut self, text: &'t str, mut start: usize, promised: bool) -> Raw {
        let part = |part: &str| !part.is_empty() && part.chars().all(|c| c == '_' || c.is_alphanumeric());
        if !text.split('.').all(part) || text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.unknown();
        }
        if text == "Self"
            && let Some(method) = self.method
        {
            return if promised { self.binder.this(method.class) } else { self.binder.decl(method.class) };
        }
        let mut term = None;
        for name in text.split('.') {
            let here = match term {
                // A name in quotes may be bound further down.
                None => self.binder.name_in(name, self.binder.scope()),
                Some(of) => self.binder.member(of, name),
            };
            let site = ByteRange::new(start, start + name.len());
            self.binder.refer_at(here, Role::Type, site, None);
            start += name.len() + 1;
            term = Some(here);
        }
        let term = term.unwrap_or_else(|| self.unknown());
        if promised { self.binder.value(term) } else { term }
    }
}

/// The parts of a type between `mark`s that stand in no brackets.
fn split(text: &str, mark: u8) -> Vec<(usize, usize)> {
    split_outside(text, mark, ("[", "]"))
}
