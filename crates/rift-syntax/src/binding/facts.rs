//! What binding finds in one file.

use std::sync::Arc;

use rift_base::ByteRange;
use serde::{Deserialize, Serialize};

use crate::facts::DeclId;

/// What the names in one file can mean. Split by who reads it: other files read the surface alone, so that an edit
/// inside a body leaves them alone; sites stand apart from the uses, so that typing above a function leaves those equal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BindingFacts {
    /// What other files can see.
    pub surface: Arc<Surface>,
    /// What this file refers to.
    pub uses: Arc<Uses>,
    /// Where: the name of each reference of [`Uses::references`], same order.
    pub sites: Arc<Vec<ByteRange>>,
}

/// A name's number in its [`Terms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NameId(pub u32);

/// A term's number in its [`Terms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TermId(pub u32);

/// What the text says about the meaning of an expression or a type. A term denotes declarations and modules (what a name
/// refers to) or values of a type (what an expression yields).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Term {
    /// The text says nothing that binding can use.
    Unknown,
    /// The module that this specifier names, as the source spells it, leading dots included.
    Module(NameId),
    /// A declaration of this file.
    Decl(DeclId),
    /// A name that no scope of this file binds, met inside the type or module `within`: an inherited member, a name of a
    /// wildcard import, of the package, of an included file; or a builtin.
    Free {
        /// The name.
        name: NameId,
        /// The innermost type or module declared around it; absent at the file's own level.
        within: Option<DeclId>,
    },
    /// A value of this type, as its own members see it (`self`, `this`).
    This(DeclId),
    /// The bases of this type, as its own members see them (`super`).
    Super(DeclId),
    /// What `of` holds under `name`.
    Member {
        /// The receiver, or the module or type that qualifies the name.
        of: TermId,
        /// The name.
        name: NameId,
    },
    /// What calling `0` yields: a value of the type, or what the callable returns.
    Call(TermId),
    /// A value of the type that `0` denotes (an annotation).
    Value(TermId),
    /// The type `of` with type arguments.
    Applied {
        /// The generic type.
        of: TermId,
        /// Its arguments in source order.
        arguments: Vec<TermId>,
    },
    /// A value of the type argument number `at` of the type that `of` is a value of: an element, the content of an
    /// optional. Counts from the end when negative: -1 is the last.
    Inner {
        /// A value of an applied type.
        of: TermId,
        /// Which argument.
        at: i8,
    },
    /// Any of these: the text leaves several.
    Either(Vec<TermId>),
    /// The first of these that denotes anything: the language looks in one place after the other.
    First(Vec<TermId>),
}

/// Terms and the names in them. A term names only terms before it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Terms {
    /// The names, each once.
    pub names: Vec<Box<str>>,
    /// The terms, each once.
    pub terms: Vec<Term>,
}

impl Terms {
    /// The spelling of `id`.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id.0 as usize).map_or("", |name| name)
    }

    /// The term numbered `id`.
    pub fn get(&self, id: TermId) -> &Term {
        self.terms.get(id.0 as usize).unwrap_or(&Term::Unknown)
    }

    /// The specifiers of all modules that the terms name, in byte order.
    pub fn modules(&self) -> Vec<&str> {
        let specifier = |term: &Term| match term {
            Term::Module(name) => Some(self.name(*name)),
            _ => None,
        };
        let mut out: Vec<&str> = self.terms.iter().filter_map(specifier).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    fn heap_size(&self) -> usize {
        let inner = |term: &Term| match term {
            Term::Applied { arguments, .. } | Term::Either(arguments) | Term::First(arguments) => {
                arguments.capacity() * size_of::<TermId>()
            }
            _ => 0,
        };
        self.names.iter().map(|name| name.len() + size_of::<Box<str>>()).sum::<usize>()
            + self.terms.capacity() * size_of::<Term>()
            + self.terms.iter().map(inner).sum::<usize>()
    }
}

/// The names under which a callable, or a type by its constructor, holds what its first parameters take, beside what others can
/// name of it: no source can spell them. Values that the text writes in place, as arguments or as a component's properties,
/// are typed by them.
pub const PARAMETERS: [&str; 4] = ["parameter 1", "parameter 2", "parameter 3", "parameter 4"];

/// What other files can see of a file, beside its outline.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Surface {
    /// The terms that the rest refers to.
    pub terms: Terms,
    /// The names of module scopes, sorted by module, name and meaning. A name can have several meanings.
    pub entries: Vec<Entry>,
    /// Wildcard imports of module scopes, in source order.
    pub wildcards: Vec<Wildcard>,
    /// What the text says about types and values of declarations, by declaration.
    pub declared: Vec<DeclTerms>,
    /// What this file adds to types that it does not declare (Rust's impl blocks), in source order.
    pub extensions: Vec<Extension>,
}

/// Members and bases that a file gives to a type of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extension {
    /// The type.
    pub of: TermId,
    /// Its last name as spelled here.
    pub name: NameId,
    /// One of the members; the others have the same path but for the last name. Absent without any.
    pub member: Option<DeclId>,
    /// What the type implements by it.
    pub base: Option<TermId>,
}

/// One name of a module scope, as other files ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// The module or namespace declared in this file that holds the name; absent for the file's own.
    pub within: Option<DeclId>,
    /// The name that others use.
    pub name: NameId,
    /// What it means.
    pub means: TermId,
    /// Whether a wildcard import takes it.
    pub starred: bool,
}

/// All names of another scope, brought into a module scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wildcard {
    /// The module or namespace that imports; absent for the file's own.
    pub within: Option<DeclId>,
    /// The module or type whose names are meant.
    pub of: TermId,
    /// Whether other files find the names in this module too.
    pub exported: bool,
}

/// What the text says about one declaration, beside its outline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclTerms {
    /// The declaration.
    pub decl: DeclId,
    /// The types that it extends or implements, in source order; of a function or constant the trait that its
    /// block implements.
    pub bases: Vec<TermId>,
    /// For a callable, what a call yields; for a variable, field or property, the values that it holds; for an alias, what
    /// it stands for.
    pub value: Option<TermId>,
}

/// What a file refers to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Uses {
    /// The terms of the references.
    pub terms: Terms,
    /// The references in source order of their sites.
    pub references: Vec<Reference>,
    /// How much there is.
    pub counts: UnitCounts,
}

/// One use of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// What is referred to: a name or a member.
    pub term: TermId,
    /// How.
    pub role: Role,
    /// The innermost callable that the use stands in, else the innermost declaration; absent at the file's own level.
    pub owner: Option<DeclId>,
    /// Arguments of the call, where the language tells overloads apart by their number.
    pub arguments: Option<u8>,
    /// Whether the text leaves open that this is a use at all: it stands in the body of a macro.
    pub unproven: bool,
    /// Whether the form of the use rules fields out: a path (`A::name`), a method reference, a qualifier of C++. The field and
    /// the method of one name are two symbols.
    pub not_field: bool,
}

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    /// Called, or constructed.
    Call,
    /// Its value is read.
    Read,
    /// It is assigned.
    Write,
    /// It stands in a type.
    Type,
    /// It is imported.
    Import,
    /// It is exported again.
    Export,
    /// It is the base of a type.
    Extends,
    /// It is an interface or trait that a type implements.
    Implements,
    /// It decorates or annotates a declaration.
    Decorate,
    /// It is a macro that is expanded, in languages where macros have names of their own.
    Expand,
}

/// How much binding found in one file: what `[providers.binding]` bounds. Past the largest bounds that a configuration
/// can set ([`UnitCounts::MOST`]), the facts are left out and the counts alone stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct UnitCounts {
    /// Scopes.
    pub scopes: u32,
    /// Names that scopes bind.
    pub definitions: u32,
    /// References, those to local variables not counted.
    pub references: u32,
    /// Imports, exports and wildcards.
    pub links: u32,
}

impl UnitCounts {
    /// The upper bounds of the keys `max_unit_scopes`, `max_unit_definitions`, `max_unit_references` and `max_unit_links`.
    pub const MOST: Self = Self { scopes: 40_960, definitions: 163_840, references: 655_360, links: 40_960 };

    /// Whether every count is within `bounds`.
    pub fn within(&self, bounds: &Self) -> bool {
        self.scopes <= bounds.scopes
            && self.definitions <= bounds.definitions
            && self.references <= bounds.references
            && self.links <= bounds.links
    }
}

impl Surface {
    /// Bytes on the heap, for memory reports.
    pub fn heap_size(&self) -> usize {
        self.terms.heap_size()
            + self.entries.capacity() * size_of::<Entry>()
            + self.wildcards.capacity() * size_of::<Wildcard>()
            + self.declared.capacity() * size_of::<DeclTerms>()
            + self.extensions.capacity() * size_of::<Extension>()
            + self.declared.iter().map(|d| d.bases.capacity() * size_of::<TermId>()).sum::<usize>()
    }

    /// What the module scope `within` holds under `name`.
    pub fn entries(&self, within: Option<DeclId>, name: &str) -> &[Entry] {
        let key = |entry: &Entry| (entry.within, self.terms.name(entry.name));
        let start = self.entries.partition_point(|entry| key(entry) < (within, name));
        let rest = self.entries.get(start..).unwrap_or(&[]);
        let end = rest.partition_point(|entry| key(entry) == (within, name));
        rest.get(..end).unwrap_or(&[])
    }

    /// What the text says about `decl`.
    pub fn declared(&self, decl: DeclId) -> Option<&DeclTerms> {
        self.declared.binary_search_by_key(&decl, |d| d.decl).ok().and_then(|at| self.declared.get(at))
    }
}

impl Uses {
    /// Bytes on the heap, for memory reports.
    pub fn heap_size(&self) -> usize {
        self.terms.heap_size() + self.references.capacity() * size_of::<Reference>()
    }
}
