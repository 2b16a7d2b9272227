//! The warnings section.

use std::collections::BTreeSet;

use rift_protocol::{
    Availability, DocumentationSource, FileId, Framework, PackageContextEntry, PackageIdentity, ReadWarning,
};

use crate::text::{SEPARATOR, Text, counted, digest, value};

/// One entry of the section.
enum Entry<'a> {
    Line(String),
    /// `framework_context_unresolved` of every file with the same framework and detail.
    Framework(Framework, &'a str, BTreeSet<&'a FileId>),
}

/// Writes the section; nothing without warnings. Equal lines appear once.
pub(crate) fn section(text: &mut Text, warnings: &[ReadWarning]) {
    let entries = entries(warnings);
    if entries.is_empty() {
        return;
    }
    text.line(0, &counted(entries.len(), "warning"));
    for entry in entries {
        match entry {
            Entry::Line(line) => text.line(1, &line),
            Entry::Framework(framework, detail, files) => {
                let fields = [("framework", framework.word().to_owned())];
                text.line(1, &line("framework_context_unresolved", &fields, Some(detail)));
                text.line(2, "files:");
                files.into_iter().for_each(|file| text.line(3, file.as_str()));
            }
        }
    }
}

fn entries(warnings: &[ReadWarning]) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut seen = BTreeSet::new();
    for warning in warnings {
        if let ReadWarning::FrameworkContextUnresolved { unit, framework, detail } = warning {
            let group = entries.iter_mut().find_map(|entry| match entry {
                Entry::Framework(f, d, files) if f == framework && d == detail => Some(files),
                _ => None,
            });
            match group {
                Some(files) => {
                    files.insert(unit);
                }
                None => entries.push(Entry::Framework(*framework, detail, BTreeSet::from([unit]))),
            }
            continue;
        }
        let (fields, detail) = payload(warning);
        let line = line(warning.code(), &fields, detail);
        if seen.insert(line.clone()) {
            entries.push(Entry::Line(line));
        }
    }
    entries
}

type Fields = Vec<(&'static str, String)>;

fn line(code: &str, fields: &[(&'static str, String)], detail: Option<&str>) -> String {
    let mut line = code.to_owned();
    for (name, text) in fields {
        line.push_str(SEPARATOR);
        line.push_str(name);
        line.push(' ');
        line.push_str(&value(text));
    }
    if let Some(detail) = detail {
        line.push_str(": ");
        line.push_str(&value(detail));
    }
    line
}

/// A warning's fields in declared order, and its detail.
fn payload(warning: &ReadWarning) -> (Fields, Option<&str>) {
    use ReadWarning as W;
    match warning {
        W::FrameworkContextUnresolved { unit, framework, detail } => {
            (vec![("unit", unit.to_string()), ("framework", framework.word().to_owned())], Some(detail))
        }
        W::SymbolNotFound { name, alternatives, detail } => {
            let mut fields = vec![("name", name.clone())];
            fields.extend(list("alternatives", alternatives.iter().map(|a| a.id.as_str())));
            (fields, detail.as_deref())
        }
        W::Documentation { warning } => {
            let source = match &warning.source {
                DocumentationSource::Project { path } => path.to_string(),
                DocumentationSource::Package { unit } => unit.to_string(),
            };
            let stage = warning.stage.word().to_owned();
            let omitted = warning.omitted.to_string();
            let failure = warning.failure.clone();
            (vec![("source", source), ("stage", stage), ("failure", failure), ("omitted", omitted)], None)
        }
        W::StaleIndex { index_tree_revision, captured_tree_revision, detail } => {
            let index = digest(index_tree_revision.as_str()).to_owned();
            let captured = digest(captured_tree_revision.as_str()).to_owned();
            (vec![("index_tree_revision", index), ("captured_tree_revision", captured)], Some(detail))
        }
        W::DocumentationUnavailable { detail }
        | W::VectorRankingUnavailable { detail }
        | W::LexicalRankingUnavailable { detail } => (Vec::new(), Some(detail)),
        W::PatternMatchesTruncated { matches_per_file, files } => {
            let mut fields = vec![("matches_per_file", matches_per_file.to_string())];
            fields.extend(list("files", files.iter().map(FileId::as_str)));
            (fields, None)
        }
        W::SourceUnavailable { unit, detail } => (option("unit", unit.as_ref()), Some(detail)),
        W::LargeFileUnparsed { files, detail } | W::LockfileExcluded { files, detail } => {
            (list("files", files.iter().map(FileId::as_str)).into_iter().collect(), Some(detail))
        }
        W::SymbolDisagreement { symbol, providers, detail } => {
            let mut fields = vec![("symbol", symbol.to_string())];
            fields.extend(list("providers", providers.iter().map(String::as_str)));
            (fields, Some(detail))
        }
        W::RelationshipCoverageMissing { facets, detail } => {
            (list("facets", facets.iter().map(|f| f.word())).into_iter().collect(), Some(detail))
        }
        W::EngineAnalysisUnavailable { language, detail } => (option("language", language.as_ref()), Some(detail)),
        W::EngineReadinessUnconfirmed { processes, detail } => {
            (list("processes", processes.iter().map(String::as_str)).into_iter().collect(), Some(detail))
        }
        other => counts(other).unwrap_or_else(|| packages(other)),
    }
}

/// The warnings whose fields are counts.
fn counts(warning: &ReadWarning) -> Option<(Fields, Option<&str>)> {
    use ReadWarning as W;
    let one = |name, count: &u64| vec![(name, count.to_string())];
    Some(match warning {
        W::VectorIndexPreparing { prepared, total, ready_in, detail } => {
            let fields =
                vec![("prepared", prepared.to_string()), ("total", total.to_string()), ("ready_in", ready_in.clone())];
            (fields, Some(detail))
        }
        W::LocalIndexPreparing { prepared, total, ready_in, detail } => {
            let mut fields = one("prepared", prepared);
            fields.extend(option("total", total.as_ref()));
            fields.extend(option("ready_in", ready_in.as_ref()));
            (fields, Some(detail))
        }
        W::PatternIndexPreparing { prepared, total, detail } => {
            (vec![("prepared", prepared.to_string()), ("total", total.to_string())], Some(detail))
        }
        W::HistoryStoreFilling { analyzed, total, detail } => {
            (vec![("analyzed", analyzed.to_string()), ("total", total.to_string())], Some(detail))
        }
        W::QueryNarrowed { terms_max } => (one("terms_max", terms_max), None),
        W::LexicalRankingTruncated { matches_max } => (one("matches_max", matches_max), None),
        W::ResultsTruncated { results_max } => (one("results_max", results_max), None),
        W::LargeFileSkipped { skipped, detail } => (one("skipped", skipped), Some(detail)),
        W::TraversalTruncated { visited, detail } => (one("visited", visited), Some(detail)),
        W::CalleesDropped { callees, detail } => (one("callees", callees), Some(detail)),
        W::ChangeTruncated { paths_max, detail } => (one("paths_max", paths_max), Some(detail)),
        _ => return None,
    })
}

/// The warnings about packages.
fn packages(warning: &ReadWarning) -> (Fields, Option<&str>) {
    use ReadWarning as W;
    match warning {
        W::GlobalApiUnavailable { failure_class }
        | W::GlobalPublicationIncompatible { failure_class }
        | W::GlobalResponseInvalid { failure_class } => {
            (vec![("failure_class", failure_class.word().to_owned())], None)
        }
        W::GlobalPageWarning { warning_code, detail } => {
            (vec![("warning_code", warning_code.word().to_owned())], detail.as_deref())
        }
        W::PackageAbsent { package } => (vec![("package", identity(package))], None),
        W::PackageRequirementAbsent { entry } => (vec![("entry", context(entry))], None),
        W::PackageSubstituted { entry, package } => {
            (vec![("entry", context(entry)), ("package", identity(package))], None)
        }
        W::PackageUnavailable { entry, reason } => (vec![("entry", context(entry)), ("reason", reason.clone())], None),
        W::PackageContextDegraded { resolver, reason } => {
            (vec![("resolver", resolver.clone()), ("reason", reason.clone())], None)
        }
        // `global_access_disabled` has no payload; every other warning is read before.
        _ => (Vec::new(), None),
    }
}

fn option(name: &'static str, value: Option<&impl ToString>) -> Fields {
    value.map(|value| (name, value.to_string())).into_iter().collect()
}

fn list<'a>(name: &'static str, items: impl Iterator<Item = &'a str>) -> Option<(&'static str, String)> {
    let joined = items.collect::<Vec<_>>().join(", ");
    (!joined.is_empty()).then_some((name, joined))
}

fn identity(package: &PackageIdentity) -> String {
    format!("{}@{} ({})", package.name, package.version, package.manager)
}

fn context(entry: &PackageContextEntry) -> String {
    let selector = match (&entry.version, &entry.requirement) {
        (Some(version), _) => format!("{}@{version}", entry.name),
        (None, Some(requirement)) => format!("{} {requirement}", entry.name),
        (None, None) => entry.name.clone(),
    };
    match entry.availability {
        Availability::Canonical => format!("{selector} ({})", entry.manager),
        other => format!("{selector} ({}, {})", entry.manager, other.word()),
    }
}
