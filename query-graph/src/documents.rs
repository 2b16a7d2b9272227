//! Documentation: the blocks of one revision of a document.

use std::sync::Arc;

use query_graph_macros::query;
use rift_base::DocumentFormat;
use rift_syntax::{Bounds, Document, document};

use crate::db::Db;
use crate::syntax::{FileRevision, facts};

/// The blocks of one revision, by its path's format; none for a path that is no documentation. Markdown's come from the one parse
/// behind the facts; other formats are read when somebody asks.
#[query(returns(clone), heap_size = documentation_heap)]
pub fn documentation(db: &dyn Db, revision: FileRevision) -> Arc<Document> {
    let Some(format) = DocumentFormat::of(revision.path(db)) else { return Arc::default() };
    let parsed = format == DocumentFormat::Markdown
        && revision.language(db).as_ref().is_some_and(|language| language.as_str() == "markdown");
    if parsed {
        return Arc::new(facts(db, revision).packed.unpack_document());
    }
    Arc::new(document(&revision.source(db).text.get(), format, &Bounds::default()))
}

fn documentation_heap(document: &Arc<Document>) -> usize {
    size_of::<Document>() + document.heap_size()
}
