//! Facts as rows of the index.

use std::borrow::Cow;
use std::sync::Arc;

use query_graph::{
    EXTRACTOR, FileEntry, FileFacts, FileSymbols, Joins, RootDatabase, file_facts, file_symbols, module_separator,
};
use rift_base::{FileUnits, NamePath, SymbolUnit};
use xxhash_rust::xxh3::Xxh3;

/// One file with the facts that its rows are made of.
pub(crate) struct Feed {
    pub(crate) entry: FileEntry,
    text: Arc<str>,
    version: u64,
    facts: Option<(Arc<FileFacts>, Arc<FileSymbols>)>,
}

impl Feed {
    /// Reads the facts of `entry`, for an index that holds `chunk_max` bytes of text in a row.
    pub(crate) fn new(db: &RootDatabase, entry: FileEntry, chunk_max: usize) -> Self {
        let version = version(&entry, chunk_max);
        let facts = entry.placed(db).map(|placed| (file_facts(db, placed.revision(db)), file_symbols(db, placed)));
        let searched = entry.source().is_some_and(|source| source.policy.indexes_text());
        let text = if searched { entry.text().unwrap_or_default() } else { Arc::default() };
        Self { entry, text, version, facts }
    }

    /// The file's rows; absent when nothing of it is searched.
    pub(crate) fn units(&self) -> Option<FileUnits<'_>> {
        let source = self.entry.source()?;
        let symbols = self.facts.as_ref().map(|(facts, symbols)| symbol_units(facts, symbols)).unwrap_or_default();
        if !source.policy.indexes_text() && symbols.is_empty() {
            return None;
        }
        Some(FileUnits {
            path: &self.entry.path,
            language: self.entry.language.as_ref(),
            text: &self.text,
            version: self.version,
            generated: source.kind.is_generated(),
            symbols,
        })
    }
}

/// A change of what rows are made of, beside what the engine's schema and the extractor tell, gets another number.
const ROWS: &[u8] = b"rows 3";

/// The bound on a row's text, where a file of `size` raw bytes may pass it: smaller files have the same rows under each. UTF-16
/// grows by half at most when it is decoded.
fn chunks_by(size: u64, chunk_max: usize) -> usize {
    if size.saturating_mul(2) > chunk_max as u64 { chunk_max } else { 0 }
}

/// A digest of everything that the rows of `entry` are made of. It takes no facts, so a start knows without any which
/// rows of an earlier process are current.
pub(crate) fn version(entry: &FileEntry, chunk_max: usize) -> u64 {
    let mut hash = Xxh3::new();
    let mut part = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(ROWS);
    part(EXTRACTOR.as_bytes());
    if let Some(source) = entry.source() {
        part(&(chunks_by(source.size, chunk_max) as u64).to_le_bytes());
        part(source.digest.as_bytes());
        part(&[source.kind.is_generated(), source.policy.indexes_text(), source.policy.parses()].map(u8::from));
    }
    if let Some(place) = &entry.place {
        part(place.parsed_as.as_ref().map_or("", |language| language.as_str()).as_bytes());
        part(place.module.linked.to_string().as_bytes());
        part(place.module.file_local.to_string().as_bytes());
    }
    hash.digest()
}

/// One row per symbol of the file: its primary declaration's names and signature. Documentation may stand on any of its
/// declarations (a header's prototype has it, the definition does not): the first that has some counts.
fn symbol_units<'a>(facts: &'a FileFacts, symbols: &'a FileSymbols) -> Vec<SymbolUnit<'a>> {
    let Some(language) = &symbols.language else { return Vec::new() };
    let separator = module_separator(language);
    let unit = |group: query_graph::SymbolGroup| {
        let declaration = facts.outline.get(group.primary)?;
        let path = symbols.path(declaration);
        let documented = group.declarations.iter().find_map(|id| facts.outline.get(*id)?.documentation.as_ref());
        Some(SymbolUnit {
            ordinal: group.primary.0,
            name: declaration.path.name(),
            key: Cow::Owned(symbol_key(language.as_str(), &path)),
            qualified: Cow::Owned(path.display(separator)),
            signature: &declaration.signature,
            documentation: documented.map_or("", |d| &d.text),
            kind: declaration.kind,
            facets: declaration.facets,
            joins: declaration.joins != Joins::Alone,
        })
    };
    symbols.groups().filter_map(unit).collect()
}

/// The key that rows and look-ups of one logical path share.
pub(crate) fn symbol_key(language: &str, path: &NamePath) -> String {
    format!("{language}/{path}")
}
