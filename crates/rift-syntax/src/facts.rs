//! What extraction finds in one file.

use std::sync::Arc;

use rift_base::{ByteRange, Facets, NamePath};
use serde::{Deserialize, Serialize};

use crate::documents::Document;

/// Everything extraction knows about one file. Offsets stand apart from the outline, so that typing above a
/// declaration leaves the outline equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFacts {
    /// What is declared.
    pub outline: Arc<Outline>,
    /// Where: one entry per declaration, same order.
    pub positions: Arc<Vec<DeclPosition>>,
    /// The blocks of a Markdown file; empty for every other.
    pub document: Arc<Document>,
}

/// The declarations of one file in source order, containers before their members.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outline {
    /// The declarations; [`DeclId`] indexes them.
    pub declarations: Vec<Declaration>,
    /// The package that the text itself states (`package a.b;` in Java, `package a` in Go).
    pub package: Option<NamePath>,
    /// What kept facts out of this outline.
    pub problems: Vec<Problem>,
}

/// A declaration's number in its file's [`Outline`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeclId(pub u32);

/// A kind, in the provider's word. There are few, and each lives as long as the program.
pub type KindWord = &'static str;

/// One declaration, without offsets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declaration {
    /// The provider's kind word (`function`, `struct`, …).
    #[serde(deserialize_with = "crate::packed::kind")]
    pub kind: KindWord,
    /// Logical path inside the file: containers, then the name.
    pub path: NamePath,
    /// The declaration it belongs to, when that one stands in this file.
    pub container: Option<DeclId>,
    /// Facets.
    pub facets: Facets,
    /// Visibility in the language's own words (`pub(crate)`, `protected`, `export`).
    pub visibility: Option<Box<str>>,
    /// Modifiers in source order (`async`, `static`, `const`).
    pub modifiers: Vec<Box<str>>,
    /// The item up to its body on one line, without documentation and attributes.
    pub signature: Box<str>,
    /// Parameters and results, for callables.
    pub callable: Option<Box<Callable>>,
    /// The type as written, for fields, constants and variables.
    pub value_type: Option<Box<str>>,
    /// Attached documentation.
    pub documentation: Option<Documentation>,
    /// How it joins other declarations of the same path into one symbol.
    pub joins: Joins,
    /// Whether the name is invisible to other files by linkage (C and C++ `static`, anonymous namespaces).
    pub file_local: bool,
}

/// Parameters and results as written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Callable {
    /// `self`, a Go receiver, `this`.
    pub receiver: Option<Parameter>,
    /// In source order.
    pub parameters: Vec<Parameter>,
    /// Result types; none when the source states none.
    pub returns: Vec<Box<str>>,
}

/// One parameter as written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Parameter {
    /// Absent for unnamed and destructured parameters.
    pub name: Option<Box<str>>,
    /// The type.
    pub annotation: Option<Box<str>>,
    /// The default value's source text.
    pub default: Option<Box<str>>,
    /// May be left out by a caller.
    pub optional: bool,
    /// Takes any number of arguments.
    pub variadic: bool,
}

/// Attached documentation with its comment markers stripped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Documentation {
    /// Whether the language's documentation is Markdown; plain text otherwise.
    pub markdown: bool,
    /// The text; lines joined by `\n`.
    pub text: Box<str>,
}

/// How declarations that share a path form symbols. Declarations join when their tags are equal and the rule of their
/// variant allows it; whatever does not join is a symbol of its own and is told apart by an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Joins {
    /// Never joins.
    Alone,
    /// A body: joins any number of [`Joins::Declaration`] of its tag, and no other definition.
    Definition(u64),
    /// A statement without a body (a prototype, an overload stub).
    Declaration(u64),
    /// Open parts of one thing (a namespace, a merged interface, a getter beside its setter).
    Part(u64),
}

/// Something that kept facts out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Problem {
    /// The text does not parse without error; what could be recovered is there.
    BrokenSyntax,
    /// Parsing was stopped: more parser steps than [`crate::Bounds::steps_per_byte`] allows. No facts.
    ParserSteps,
    /// More syntax nodes than [`crate::Bounds::nodes`]. Facts up to there.
    Nodes,
    /// Deeper nesting than [`crate::Bounds::depth`], or names nested to a path of more than 4,096 bytes. What lies
    /// deeper is left out.
    Depth,
    /// More declarations than [`crate::Bounds::declarations`]. Facts up to there.
    Declarations,
}

impl Problem {
    /// What the file lacks because of it, for people; none for broken syntax, of which everything that can be recovered
    /// is there.
    pub fn lack(self) -> Option<&'static str> {
        match self {
            Problem::BrokenSyntax => None,
            Problem::ParserSteps => Some("its declarations are missing: parsing took more steps than its size allows"),
            Problem::Nodes => Some("part of its declarations is missing: it has too many syntax nodes"),
            Problem::Depth => Some("part of its declarations may be missing: it is nested too deep"),
            Problem::Declarations => Some("part of its declarations is missing: it has too many"),
        }
    }
}

/// Where one declaration stands, in bytes of the decoded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeclPosition {
    /// With attached documentation and attributes.
    pub declaration: ByteRange,
    /// The bare item.
    pub item: ByteRange,
    /// The name; empty at the item's start when the source spells none.
    pub name: ByteRange,
    /// The body; empty at the item's end without one.
    pub body: ByteRange,
}

impl Outline {
    /// The declaration numbered `id`.
    pub fn get(&self, id: DeclId) -> Option<&Declaration> {
        self.declarations.get(id.0 as usize)
    }

    /// All declarations with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (DeclId, &Declaration)> {
        self.declarations.iter().enumerate().map(|(i, d)| (DeclId(i as u32), d))
    }

    /// Bytes on the heap, for memory reports.
    pub fn heap_size(&self) -> usize {
        self.declarations.iter().map(Declaration::heap_size).sum::<usize>()
            + self.declarations.capacity() * size_of::<Declaration>()
            + self.problems.capacity() * size_of::<Problem>()
    }
}

impl Declaration {
    fn heap_size(&self) -> usize {
        let parameter = |p: &Parameter| {
            size_of::<Parameter>()
                + [&p.name, &p.annotation, &p.default].iter().map(|t| t.as_ref().map_or(0, |t| t.len())).sum::<usize>()
        };
        let callable = |c: &Callable| {
            size_of::<Callable>()
                + c.receiver.iter().chain(&c.parameters).map(parameter).sum::<usize>()
                + c.returns.iter().map(|r| r.len() + size_of::<Box<str>>()).sum::<usize>()
        };
        self.path.heap_size()
            + self.signature.len()
            + self.visibility.as_ref().map_or(0, |v| v.len())
            + self.value_type.as_ref().map_or(0, |v| v.len())
            + self.documentation.as_ref().map_or(0, |d| d.text.len())
            + self.modifiers.iter().map(|m| m.len() + size_of::<Box<str>>()).sum::<usize>()
            + self.callable.as_deref().map_or(0, callable)
    }
}
