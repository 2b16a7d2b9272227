//! One case's project in a database.

use std::fmt::Write as _;
use std::sync::Arc;

use query_graph::{
    Change, Content, Derivation, File, Ground, RootDatabase, Source, StoredText, bindings, file_facts, file_sites,
    file_uses, revision,
};
use rift_base::{Config, Digest, IndexPolicy, ProjectPath, SourceKind};
use rift_workspace::LanguageMap;

pub(crate) struct Project {
    db: RootDatabase,
    files: Vec<(File, String)>,
}

impl Project {
    pub(crate) fn new(files: &[(String, String)]) -> Self {
        let mut db = RootDatabase::new().binding();
        let config = Config::default();
        let languages = LanguageMap::new(&config).unwrap();
        let mut ground = Ground::new(&mut db, "ws", Arc::new(config), Arc::new(languages));
        let change = |(path, text): &(String, String)| Change {
            path: ProjectPath::new(path).unwrap(),
            content: Content::Source(Arc::new(Source {
                digest: Digest::of(text.as_bytes()),
                text: StoredText::new(text),
                size: text.len() as u64,
                kind: SourceKind::Authored,
                policy: IndexPolicy::FULL,
            })),
        };
        ground.apply(&mut db, files.iter().map(change).collect());
        ground.settle(&mut db);
        let input = |path: &str| ground.file(&ProjectPath::new(path).unwrap()).unwrap();
        let files = files.iter().map(|(path, text)| (input(path), text.clone())).collect();
        Self { db, files }
    }

    /// The suffix of the symbol whose primary declaration is number `nth` of those of `path` in `file`, as its identity has it.
    fn occurrence(&self, file: File, path: &rift_base::NamePath, nth: u32) -> String {
        let db = &self.db;
        let facts = file_facts(db, revision(db, file).unwrap());
        let symbols = query_graph::file_symbols(db, query_graph::placed(db, file).unwrap());
        let mut named = facts.outline.iter().filter(|(_, declaration)| declaration.path == *path);
        let Some((id, _)) = named.nth(nth as usize) else { return String::new() };
        match symbols.group(id).map_or(0, |group| group.occurrence) {
            0 => String::new(),
            n => format!("~{n}"),
        }
    }

    /// A line for each reference: `path:line:column name role owner = target, target`; `~` before targets that are not
    /// proven, `-` in place of none.
    pub(crate) fn describe(&self) -> String {
        let db = &self.db;
        let mut out = String::new();
        for (file, text) in &self.files {
            let Some(revision) = revision(db, *file) else { continue };
            let (Some(uses), Some(sites)) = (file_uses(db, revision), file_sites(db, revision)) else { continue };
            let facts = file_facts(db, revision);
            let found = bindings(db, *file);
            for (number, (reference, site)) in uses.references.iter().zip(sites).enumerate() {
                let before = &text[..site.start as usize];
                let line = before.matches('\n').count() + 1;
                let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
                let owner = reference.owner.and_then(|owner| facts.outline.get(owner));
                let owner = owner.map_or("-".to_owned(), |owner| owner.path.to_string());
                let rows = found.bound.iter().filter(|bound| bound.reference as usize == number);
                let mut targets = Vec::new();
                for bound in rows {
                    let referent = found.targets[bound.target as usize];
                    let decl = referent.decl;
                    let sure = if bound.derivation == Derivation::Syntax { "" } else { "~" };
                    let same = decl.file(db) == *file;
                    let place = if same { String::new() } else { format!("{}:", decl.file(db).path(db)) };
                    let nth = self.occurrence(decl.file(db), decl.path(db), referent.nth);
                    targets.push(format!("{sure}{place}{}{nth}", decl.path(db)));
                }
                targets.sort();
                let targets = if targets.is_empty() { "-".to_owned() } else { targets.join(", ") };
                let role = format!("{:?}", reference.role).to_lowercase();
                let (path, name) = (file.path(db), site.of(text));
                let _ = writeln!(out, "{path}:{line}:{column} {name} {role} {owner} = {targets}");
            }
        }
        out
    }
}
