//! The registry of syntax providers: one folder and one line here per language.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use rift_base::{Language, ProjectPath};
use tree_sitter::Node;

use crate::binding::{Binder, Lexical};
use crate::engine::{Visit, Walk};
pub(crate) use data::{json, yaml};
pub(crate) use markdown::MARKDOWN;

mod c;
mod data;
mod go;
mod java;
mod javascript;
pub(crate) mod markdown;
mod python;
mod rust;

/// How one language is read.
pub(crate) struct Definition {
    /// The language identity, as in [`rift_base::KNOWN_LANGUAGES`].
    pub(crate) identity: &'static str,
    /// The grammar.
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// What joins names when people read them (`::`, `.`).
    pub(crate) separator: &'static str,
    /// Node kinds that [`Definition::visit`] wants to see; `ERROR` stands for broken source.
    pub(crate) visits: &'static [&'static str],
    /// Node kinds to walk through without a visit.
    pub(crate) through: Through,
    /// Comments and attributes that may belong to the declaration behind them.
    pub(crate) leading: &'static [&'static str],
    /// Reads one node of the kinds in [`Definition::visits`].
    pub(crate) visit: for<'t> fn(&mut Walk<'t>, Node<'t>) -> Visit,
    /// Reads the whole file by itself instead, for formats whose nesting is not the tree's.
    pub(crate) whole_file: Option<for<'t> fn(&mut Walk<'t>, Node<'t>)>,
    /// Facets of a grammar node that its kind's suffix does not give.
    pub(crate) node_facets: fn(&str) -> &'static [&'static str],
    /// Fields of a grammar node that are its regions, beside `name` and `body`: (field, role).
    pub(crate) regions: &'static [(&'static str, &'static str)],
    /// How names are bound; absent for formats that refer to nothing.
    pub(crate) binding: Option<BindingProvider>,
    /// Prepared tables of node kinds.
    pub(crate) plan: OnceLock<Plan>,
}

/// How the names of one language are bound.
pub(crate) struct BindingProvider {
    /// How names are looked up in scopes.
    pub(crate) lexical: Lexical,
    /// Walks the whole tree and tells the binder what it finds.
    pub(crate) walk: for<'t> fn(&mut Binder<'t>, Node<'t>),
}

/// Which unvisited nodes the walk goes through.
pub(crate) enum Through {
    /// These alone.
    Only(&'static [&'static str]),
    /// Every named node but these.
    AllBut(&'static [&'static str]),
}

const VISIT: u8 = 1;
const PASS: u8 = 2;
const LEAD: u8 = 4;

/// One byte of flags per node kind.
pub(crate) struct Plan {
    kinds: Vec<u8>,
    /// Of ERROR nodes, whose id lies far past the table: broken source is walked through.
    error: u8,
}

impl Plan {
    pub(crate) fn visits(&self, kind: u16) -> bool {
        self.flags(kind) & VISIT != 0
    }

    pub(crate) fn passes(&self, kind: u16) -> bool {
        self.flags(kind) & PASS != 0
    }

    pub(crate) fn leads(&self, kind: u16) -> bool {
        self.flags(kind) & LEAD != 0
    }

    fn flags(&self, kind: u16) -> u8 {
        self.kinds.get(kind as usize).copied().unwrap_or(self.error)
    }
}

impl Definition {
    pub(crate) fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| {
            let grammar = (self.grammar)();
            let flags = |id: u16| {
                let Some(kind) = grammar.node_kind_for_id(id) else { return 0 };
                if !grammar.node_kind_is_named(id) {
                    return 0;
                }
                let passes = match self.through {
                    Through::Only(kinds) => kinds.contains(&kind),
                    Through::AllBut(kinds) => !kinds.contains(&kind),
                };
                let leads = self.leading.contains(&kind);
                u8::from(self.visits.contains(&kind)) * VISIT
                    + u8::from(passes && !leads) * PASS
                    + u8::from(leads) * LEAD
            };
            Plan {
                kinds: (0..grammar.node_kind_count() as u16).map(flags).collect(),
                error: PASS + u8::from(self.visits.contains(&"ERROR")) * VISIT,
            }
        })
    }
}

static DEFINITIONS: &[&Definition] = &[
    &c::C,
    &c::CPP,
    &go::GO,
    &java::JAVA,
    &javascript::JAVASCRIPT,
    &javascript::TYPESCRIPT,
    &javascript::TSX,
    &data::json::JSON,
    &data::toml::TOML,
    &data::yaml::YAML,
    &MARKDOWN,
    &python::PYTHON,
    &rust::RUST,
];

/// The definition that serves `language`.
pub(crate) fn definition(language: &Language) -> Option<&'static Definition> {
    DEFINITIONS.iter().copied().find(|d| d.identity == language.as_str())
}

/// `text` as the parser of its language should see it: as long, with the same line ends.
pub(crate) fn prepared<'t>(definition: &Definition, text: &'t str) -> Cow<'t, str> {
    match definition.identity {
        "c" => c::masked(text, false),
        "cpp" => c::masked(text, true),
        _ => Cow::Borrowed(text),
    }
}

/// The language that a text is in, given the one its path claims: a `.h` file is C++ when its text holds C++-only
/// tokens. Everything else is what its path says.
pub fn effective_language(path: &ProjectPath, claimed: &Language, text: impl FnOnce() -> Arc<str>) -> Language {
    if claimed.as_str() == "c" && path.extension().is_some_and(|e| e.eq_ignore_ascii_case("h")) && c::is_cpp(&text()) {
        return Language::new("cpp").unwrap_or_else(|| claimed.clone());
    }
    claimed.clone()
}

/// How else to read a text that `definition` does not parse without error: another definition of the same language,
/// and the text, of equal length, that its grammar is to see. Absent when there is no other way.
pub(crate) fn second_reading<'a>(
    definition: &'static Definition,
    text: &'a str,
) -> Option<(&'static Definition, Cow<'a, str>)> {
    match definition.identity {
        "javascript" | "typescript" | "typescript:tsx" => javascript::second_reading(definition, text),
        _ => None,
    }
}

/// What joins the names of a qualified name when people read it: `::` or `.`.
pub fn module_separator(language: &Language) -> &'static str {
    definition(language).map_or(".", |d| d.separator)
}
