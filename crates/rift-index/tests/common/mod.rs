//! Small corpora written by hand, and questions about them.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

pub mod random;

use std::borrow::Cow;

use rift_base::{Facet, Facets, FileUnits, ProjectPath, SymbolUnit};
use rift_index::{Hit, Index, IndexOptions, ParsedQuery, QUERY_TERMS_MAX, Rankings, Row, Searcher, Selection};

/// A declaration: qualified name with dots, signature, documentation, facets.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    pub qualified: String,
    pub signature: String,
    pub documentation: String,
    pub facets: Facets,
}

/// A file with its text and declarations.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    pub path: ProjectPath,
    pub text: String,
    pub generated: bool,
    pub symbols: Vec<Declared>,
}

pub fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).unwrap()
}

pub fn file(at: &str, text: &str) -> Source {
    Source { path: path(at), text: text.to_owned(), generated: false, symbols: Vec::new() }
}

impl Source {
    /// With one more declaration, a callable.
    pub fn with(self, qualified: &str, signature: &str, documentation: &str) -> Self {
        self.with_facets(qualified, signature, documentation, &[Facet::Callable])
    }

    pub fn with_facets(mut self, qualified: &str, signature: &str, documentation: &str, facets: &[Facet]) -> Self {
        self.symbols.push(Declared {
            qualified: qualified.to_owned(),
            signature: signature.to_owned(),
            documentation: documentation.to_owned(),
            facets: Facets::of(facets),
        });
        self
    }

    pub fn generated(mut self) -> Self {
        self.generated = true;
        self
    }

    pub fn units(&self) -> FileUnits<'_> {
        let symbols = (0..).zip(&self.symbols).map(|(ordinal, symbol)| SymbolUnit {
            ordinal,
            name: Cow::Borrowed(symbol.qualified.rsplit('.').next().unwrap()),
            key: Cow::Owned(key(&symbol.qualified)),
            qualified: Cow::Borrowed(&symbol.qualified),
            signature: &symbol.signature,
            documentation: &symbol.documentation,
            kind: "function",
            facets: symbol.facets,
            joins: false,
        });
        FileUnits {
            path: &self.path,
            language: None,
            text: &self.text,
            version: 0,
            generated: self.generated,
            symbols: symbols.collect(),
        }
    }
}

pub fn key(qualified: &str) -> String {
    format!("python/{}", qualified.replace('.', "/"))
}

pub fn options() -> IndexOptions {
    IndexOptions { threads: 1, thread_memory: 15_000_000, ..IndexOptions::default() }
}

pub fn build_with(sources: &[Source], options: IndexOptions) -> (Index, Searcher) {
    let mut index = Index::in_memory(options).unwrap();
    let bulk = index.bulk().unwrap();
    for source in sources {
        bulk.add(&source.units()).unwrap();
    }
    let searcher = bulk.finish("built").unwrap();
    (index, searcher)
}

pub fn build(sources: &[Source]) -> Searcher {
    build_with(sources, options()).1
}

pub fn rankings(searcher: &Searcher, query: &str) -> Rankings {
    searcher.rankings(&ParsedQuery::parse(query, QUERY_TERMS_MAX), &Selection::default()).unwrap()
}

/// `path` for a file, `path#ordinal` for a declaration.
pub fn show(row: &Row) -> String {
    match row {
        Row::File { path } => path.to_string(),
        Row::Symbol { path, ordinal, .. } => format!("{path}#{ordinal}"),
    }
}

pub fn shown(hits: &[Hit]) -> Vec<String> {
    hits.iter().map(|hit| show(&hit.row)).collect()
}

/// The full-text ranking, as shown rows.
pub fn lexical(searcher: &Searcher, query: &str) -> Vec<String> {
    shown(&rankings(searcher, query).lexical)
}

/// The identifier ranking, as shown rows.
pub fn identifier(searcher: &Searcher, query: &str) -> Vec<String> {
    shown(&rankings(searcher, query).identifier)
}
