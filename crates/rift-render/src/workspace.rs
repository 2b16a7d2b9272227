//! The workspace resource.

use rift_protocol::{LanguageSummary, WorkspaceResourcePage};

use crate::search::page;
use crate::text::{Facts, Text, digest, value};
use crate::warning;

pub(crate) fn resource(text: &mut Text, answer: &WorkspaceResourcePage) {
    let revision = digest(answer.configuration_revision.as_str());
    text.line(0, &format!("workspace {revision}{}", page(answer.pagination)));
    if !answer.languages.is_empty() {
        text.line(0, "languages:");
    }
    for entry in &answer.languages {
        language(text, entry);
    }
    if !answer.source.is_empty() {
        text.line(0, "source:");
    }
    for entry in &answer.source {
        let mut facts = Facts::default();
        facts.add(value(entry.path.as_str()));
        facts.add(entry.language.as_ref().map(ToString::to_string).unwrap_or_default());
        facts.add(digest(entry.digest.as_str()));
        text.line(1, &facts.line().unwrap_or_default());
    }
    warning::section(text, &answer.warnings);
}

/// A language identity is written bare, with the `:` of its dialect.
fn language(text: &mut Text, entry: &LanguageSummary) {
    let mut facts = Facts::default();
    facts.add(entry.language.as_str());
    facts.add_if(!entry.enabled, "disabled");
    facts.add_if(entry.syntax, "syntax");
    facts.add_if(entry.execution, "execution");
    if let Some(lsp) = &entry.lsp {
        facts.add(format!("lsp {} {}", lsp.process, lsp.state.word()));
    }
    text.line(1, &facts.line().unwrap_or_default());
    for (name, patterns) in [("include", &entry.include), ("exclude", &entry.exclude)] {
        if !patterns.is_empty() {
            text.line(2, &format!("{name} {}", patterns.join(", ")));
        }
    }
}
