//! `rift://workspace`: the accepted configuration and the source catalog, by pages.

use rift_base::{Deadline, KNOWN_LANGUAGES, Language};
use rift_host::{Host, View};
use rift_protocol::limits::{WORKSPACE_LANGUAGES_MAX, WORKSPACE_PAGE_UNITS};
use rift_protocol::{Digest, Failure, LanguageSummary, Pagination, SourceUnitEntry, WorkspaceResourcePage};

use crate::context::{check, current};
use crate::warnings::{source_unavailable, standing};

/// Reads page `page_index` of the newest publication's catalog. A page past the end has no units.
pub fn workspace(host: &Host, page_index: u64, deadline: &Deadline) -> Result<WorkspaceResourcePage, Failure> {
    let view = current(host, deadline)?;
    check(deadline)?;
    let page = WORKSPACE_PAGE_UNITS as u64;
    let first = page_index.saturating_mul(page);
    let mut at = 0u64;
    let mut source = Vec::new();
    view.tree().walk(&mut |entry| {
        let Some(digest) = entry.digest() else { return };
        if at >= first
            && at < first.saturating_add(page)
            && let Ok(digest) = Digest::parse(&digest.short())
        {
            source.push(SourceUnitEntry { path: entry.path.clone(), digest, language: entry.language.clone() });
        }
        at += 1;
    });
    let mut warnings = standing(&view);
    warnings.extend(source_unavailable(&view, None));
    Ok(WorkspaceResourcePage {
        configuration_revision: Digest::parse(&view.publication().config_digest.short())
            .map_err(|v| Failure::internal("workspace", v.word()))?,
        languages: languages(&view),
        source,
        pagination: Pagination { page_index, total_pages: at.div_ceil(page).max(1) },
        warnings,
    })
}

/// The effective language entries by identity: those with a provider, and those that the configuration adds.
fn languages(view: &View) -> Vec<LanguageSummary> {
    let configured = &view.config().languages;
    let known = KNOWN_LANGUAGES.iter().filter_map(|known| Some((Language::new(known.identity)?, Some(known))));
    let added = configured.keys().filter(|l| KNOWN_LANGUAGES.iter().all(|k| k.identity != l.as_str()));
    let mut all: Vec<_> = known.chain(added.map(|language| (language.clone(), None))).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.truncate(WORKSPACE_LANGUAGES_MAX);
    let summary = |(language, known): (Language, Option<&rift_base::KnownLanguage>)| {
        let entry = configured.get(&language);
        let own = || known.map(|k| k.include()).unwrap_or_default();
        let enabled = entry.is_none_or(|e| e.enabled);
        LanguageSummary {
            include: entry.and_then(|e| e.include.clone()).unwrap_or_else(own),
            exclude: entry.map(|e| e.exclude.clone()).unwrap_or_default(),
            enabled,
            execution: false,
            syntax: enabled && known.is_some(),
            lsp: None,
            language,
        }
    };
    all.into_iter().map(summary).collect()
}
