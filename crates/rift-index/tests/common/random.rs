//! Random changes of a few files, and questions that show every difference between two indexes.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use rift_base::{Facet, ProjectPath};
use rift_index::{IndexDelta, IndexOptions, NameWork, ParsedQuery, QUERY_TERMS_MAX, Searcher, Selection, Target};

use super::*;

/// Words that texts and names are made of.
pub const WORDS: &[&str] =
    &["alpha", "beta", "gamma", "loadUser", "user", "load_user", "get", "name", "encode_path", "Über", "path"];
pub const PATHS: &[&str] = &["a.py", "b/c.py", "b/d.py", "tests/e.py", "z.md"];
const QUERIES: &[&str] = &[
    "alpha",
    "alpha beta gamma",
    "\"load user\" alpha",
    "loadUser",
    "where does encode_path get its name",
    "\"alpha beta\"",
    "lodaUser",
    "über user",
    "b path",
];

fn words(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), count).prop_map(|words| words.join(" "))
}

pub fn source() -> impl Strategy<Value = Source> {
    let symbol = (prop::sample::select(WORDS), prop::sample::select(WORDS), words(0..4), words(0..4), any::<bool>());
    (prop::sample::select(PATHS), words(0..30), prop::collection::vec(symbol, 0..4), any::<bool>()).prop_map(
        |(path, text, symbols, generated)| {
            let mut source = file(path, &text);
            for (container, name, signature, documentation, is_type) in symbols {
                let facets: &[Facet] = if is_type { &[Facet::Type] } else { &[Facet::Member] };
                source = source.with_facets(&format!("{container}.{name}"), &signature, &documentation, facets);
            }
            if generated { source.generated() } else { source }
        },
    )
}

/// A change of one file.
#[derive(Debug, Clone)]
pub enum Step {
    Replace(Source),
    Remove(&'static str),
}

/// Batches of steps.
pub fn steps() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let step = prop_oneof![
        4 => source().prop_map(Step::Replace),
        1 => prop::sample::select(PATHS).prop_map(Step::Remove),
    ];
    prop::collection::vec(prop::collection::vec(step, 1..4), 1..7)
}

/// Chunks of 40 bytes, so that most files have several.
pub fn small_chunks(threads: usize) -> IndexOptions {
    IndexOptions { threads, chunk_max: 40, ..options() }
}

/// Holds the answers to many questions against each other, and counts the hits.
pub fn assert_same_answers(left: &Searcher, right: &Searcher) -> Result<usize, TestCaseError> {
    let mut hits = 0;
    prop_assert_eq!(left.paths(), right.paths());
    let chosen = (left.select(|p| p.as_str().starts_with('b')), right.select(|p| p.as_str().starts_with('b')));
    for query in QUERIES {
        let query = ParsedQuery::parse(query, QUERY_TERMS_MAX);
        let found = left.rankings(&query, &Selection::default()).unwrap();
        hits += found.lexical.len() + found.identifier.len();
        // Equal to the bit, scores included.
        prop_assert_eq!(found, right.rankings(&query, &Selection::default()).unwrap());
        let config = rift_base::RankingConfig::default();
        let ranked = left.rank(&query, &Selection::default(), &config).unwrap();
        prop_assert_eq!(ranked, right.rank(&query, &Selection::default(), &config).unwrap());
        for target in [Target::All, Target::Symbols, Target::Files] {
            let left = left.rankings(&query, &Selection { paths: Some(&chosen.0), target }).unwrap();
            prop_assert_eq!(left, right.rankings(&query, &Selection { paths: Some(&chosen.1), target }).unwrap());
        }
    }
    for name in ["lodeUser", "alpha.gte", "user.load_usr", "nothing like it"] {
        for budget in [200, 100_000] {
            let work = NameWork { budget, lowercase: 4 };
            prop_assert_eq!(left.names_near(name, 3, work).unwrap(), right.names_near(name, 3, work).unwrap());
        }
    }
    for container in WORDS {
        for name in WORDS {
            let hash = Searcher::key(&key(&format!("{container}.{name}")));
            let files = left.files_with_key(hash);
            prop_assert_eq!(left.key_files(hash), files.len());
            prop_assert_eq!(files, right.files_with_key(hash));
        }
    }
    Ok(hits)
}

/// The files that steps leave.
#[derive(Debug, Default, Clone)]
pub struct Files(pub BTreeMap<String, Source>);

impl Files {
    /// Takes the steps, and gives them to `use_delta` as one delta.
    pub fn step(&mut self, steps: &[Step], use_delta: impl FnOnce(&[IndexDelta<'_>])) {
        let paths: Vec<ProjectPath> = PATHS.iter().map(|p| path(p)).collect();
        let mut delta = Vec::new();
        for step in steps {
            match step {
                Step::Replace(source) => {
                    self.0.insert(source.path.to_string(), source.clone());
                    delta.push(IndexDelta::Replace(source.units()));
                }
                Step::Remove(gone) => {
                    self.0.remove(*gone);
                    delta.push(IndexDelta::Remove(paths.iter().find(|p| p.as_str() == *gone).unwrap()));
                }
            }
        }
        use_delta(&delta);
    }

    /// An index that is built from them at once.
    pub fn fresh(&self) -> Searcher {
        let sources: Vec<Source> = self.0.values().cloned().collect();
        build_with(&sources, small_chunks(1)).1
    }

    /// Whether a question must have hits.
    pub fn has_words(&self) -> bool {
        self.0.values().any(|f| f.text.contains("alpha") || f.text.contains("user"))
    }
}
