//! `rift://map`: a codebase at a glance.

use std::sync::Arc;

use rift_base::{Deadline, ProjectPath};
use rift_host::facts::DirectorySummary;
use rift_host::{Host, View};
use rift_protocol::limits::{MAP_DOCS_MAX, MAP_ENTRY_POINTS_MAX, MAP_LANGUAGES_MAX, MAP_MODULE_DEPTH, MAP_MODULES_MAX};
use rift_protocol::{Digest, Failure, LanguageCount, ModuleSummary, Pagination, SymbolId, WorkspaceMap};

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
        hubs: Vec::new(),
        entry_points: entry_points(&view)?,
        docs: summary.docs.iter().take(MAP_DOCS_MAX).cloned().collect(),
        module_relationships: Vec::new(),
        packages: packages.entries(),
        recommendations: Vec::new(),
        pagination: Pagination { page_index: 0, total_pages: 1 },
        warnings,
    })
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
