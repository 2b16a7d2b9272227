//! `rift://map`: a codebase at a glance.

use std::collections::BTreeMap;
use std::sync::Arc;

use rift_base::{Deadline, ProjectPath};
use rift_host::facts::DirectorySummary;
use rift_host::{Host, ReferenceCounts, View};
use rift_protocol::limits::{
    MAP_DOCS_MAX, MAP_ENTRY_POINTS_MAX, MAP_HUBS_MAX, MAP_LANGUAGES_MAX, MAP_MODULE_DEPTH, MAP_MODULES_MAX,
    MAP_RELATIONSHIPS_MAX,
};
use rift_protocol::{
    Digest, Failure, Hub, LanguageCount, ModuleRelationship, ModuleSummary, Pagination, ReadWarning, RelationshipFacet,
    SymbolId, WorkspaceMap,
};

use crate::context::{check, current};
use crate::packages;
use crate::symbol::identity;
use crate::warnings::{source_unavailable, standing};

/// Reads the map of the newest publication. Everything in it comes from that one publication.
pub fn map(host: &Host, deadline: &Deadline) -> Result<WorkspaceMap, Failure> {
    let view = current(host, deadline)?;
    check(deadline)?;
    let summary = view.summary();
    let languages = summary.languages.iter().take(MAP_LANGUAGES_MAX);
    let mut warnings = standing(&view);
    warnings.extend(source_unavailable(&view, None));
    let counts = host.reference_counts(&view, deadline);
    warnings.extend(uncounted(&view, counts.as_deref()).filter(|_| host.counts_references()));
    let packages = packages::context(&view);
    warnings.extend(packages.degraded());
    Ok(WorkspaceMap {
        revision: Digest::parse(&view.tree().digest.short()).map_err(|v| Failure::internal("map", v.word()))?,
        languages: languages
            .map(|(language, count)| LanguageCount {
                language: language.clone(),
                files: count.files,
                symbols: count.symbols,
            })
            .collect(),
        modules: modules(&summary.directories, MAP_MODULE_DEPTH),
        hubs: counts.as_deref().map(|counts| hubs(&view, counts)).unwrap_or_default(),
        entry_points: entry_points(&view)?,
        docs: summary.docs.iter().take(MAP_DOCS_MAX).cloned().collect(),
        module_relationships: counts.as_deref().map(relationships).unwrap_or_default(),
        packages: packages.entries(),
        recommendations: Vec::new(),
        pagination: Pagination { page_index: 0, total_pages: 1 },
        warnings,
    })
}

/// Says that references are not counted, or not those of this very tree.
fn uncounted(view: &View, counts: Option<&ReferenceCounts>) -> Option<ReadWarning> {
    let detail = match counts {
        Some(counts) if counts.tree == view.tree().digest => return None,
        Some(_) => {
            "hubs and module_relationships count the references of an earlier state of the tree; \
                    they are being counted again"
        }
        None => "hubs and module_relationships are missing: references are not counted yet",
    };
    Some(ReadWarning::RelationshipCoverageMissing {
        facets: vec![RelationshipFacet::References],
        detail: detail.to_owned(),
    })
}

/// The symbols that most refer to, by count, then identity.
fn hubs(view: &View, counts: &ReferenceCounts) -> Vec<Hub> {
    let mut found: BTreeMap<SymbolId, (String, u64)> = BTreeMap::new();
    for (target, count) in &counts.targets {
        let Some(entry) = view.entry(&target.path) else { continue };
        let Some(facts) = view.facts(entry) else { continue };
        let mut named = facts.outline.iter().filter(|(_, declaration)| declaration.path == target.name);
        let Some((id, declaration)) = named.nth(target.nth as usize) else { continue };
        if let Some(symbol) = identity(view, entry, id) {
            found.entry(symbol).or_insert_with(|| (declaration.kind.to_owned(), 0)).1 += count;
        }
    }
    let hub = |(symbol, (kind, references)): (SymbolId, (String, u64))| Hub { symbol, kind, references };
    let mut hubs: Vec<Hub> = found.into_iter().map(hub).collect();
    // Stable: equal counts stay in order of identity.
    hubs.sort_by_key(|hub| std::cmp::Reverse(hub.references));
    hubs.truncate(MAP_HUBS_MAX);
    hubs
}

/// The modules between which most references go.
fn relationships(counts: &ReferenceCounts) -> Vec<ModuleRelationship> {
    let pairs = counts.folders.iter().take(MAP_RELATIONSHIPS_MAX);
    pairs
        .map(|((from, to), references)| ModuleRelationship {
            from: from.clone(),
            to: to.clone(),
            references: *references,
        })
        .collect()
}

/// The folders of one level, `depth` levels deep. Counts include everything below, so deeper folders are in them.
fn modules(directories: &[(ProjectPath, Arc<DirectorySummary>)], depth: usize) -> Vec<ModuleSummary> {
    if depth == 0 {
        return Vec::new();
    }
    let module = |(path, sums): &(ProjectPath, Arc<DirectorySummary>)| ModuleSummary {
        path: path.clone(),
        files: sums.files,
        symbols: sums.symbols,
        children: modules(&sums.directories, depth - 1),
    };
    directories.iter().take(MAP_MODULES_MAX).map(module).collect()
}

/// Where execution starts, by path, then identity.
fn entry_points(view: &View) -> Result<Vec<SymbolId>, Failure> {
    let mut found: Vec<(ProjectPath, SymbolId)> = Vec::new();
    for point in &view.summary().entry_points {
        let Some(entry) = view.entry(&point.path) else { continue };
        if let Some(id) = identity(view, entry, point.declaration) {
            found.push((point.path.clone(), id));
        }
    }
    found.sort();
    found.truncate(MAP_ENTRY_POINTS_MAX);
    Ok(found.into_iter().map(|(_, id)| id).collect())
}
