//! `docs/languages.md`: which case shows a kind or a facet of a language.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rift_base::{Facet, KNOWN_LANGUAGES, Language};
use rift_syntax::FileFacts;

use crate::case::{Case, CaseFile};

/// The first case, in order of files and headings, for each kind and facet of each language.
#[derive(Default)]
pub(crate) struct Coverage {
    kinds: BTreeMap<(String, &'static str), String>,
    facets: BTreeMap<(String, Facet), String>,
}

impl Coverage {
    pub(crate) fn add(&mut self, language: &Language, file: &CaseFile, case: &Case, facts: &FileFacts) {
        let link =
            format!("[{}: {}](../testdata/syntax/{}#{})", file.label, case.heading, file.label, anchor(&case.heading));
        for (_, declaration) in facts.outline.iter() {
            self.kinds.entry((language.to_string(), declaration.kind)).or_insert_with(|| link.clone());
            for facet in declaration.facets.iter() {
                self.facets.entry((language.to_string(), facet)).or_insert_with(|| link.clone());
            }
        }
    }

    pub(crate) fn render(&self) -> String {
        let mut out = String::from(
            "# Languages\n\nWhat extraction declares, by language: each kind and each facet with the first literate case that shows it.\n\
             Generated from `testdata/syntax` by `UPDATE=1 cargo test -p rift-syntax --test literate`; a test fails when it is stale.\n",
        );
        for known in KNOWN_LANGUAGES {
            let mine = |language: &String| language == known.identity;
            let kinds = self.kinds.iter().filter(|((l, _), _)| mine(l)).map(|((_, k), link)| (*k, link));
            let facets = self.facets.iter().filter(|((l, _), _)| mine(l)).map(|((_, f), link)| (f.wire(), link));
            let _ = write!(out, "\n## {}\n\n", known.identity);
            let claims: Vec<String> = known.include().iter().map(|g| format!("`{g}`")).collect();
            let _ = writeln!(out, "Files: {}\n", claims.join(", "));
            table(&mut out, "kind", kinds);
            out.push('\n');
            table(&mut out, "facet", facets);
        }
        out
    }
}

fn table<'a>(out: &mut String, title: &str, rows: impl Iterator<Item = (&'a str, &'a String)>) {
    let _ = writeln!(out, "| {title} | shown by |\n|---|---|");
    for (word, link) in rows {
        let _ = writeln!(out, "| {word} | {} |", link.replace('|', "\\|"));
    }
}

/// The fragment that code hosts give a heading: lower case, spaces as hyphens, punctuation dropped.
fn anchor(heading: &str) -> String {
    let keep = |c: char| c.is_alphanumeric() || c == '-' || c == '_' || c == ' ';
    heading.to_lowercase().chars().filter(|c| keep(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}
