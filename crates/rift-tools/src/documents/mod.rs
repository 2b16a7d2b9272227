//! Documentation: blocks as answers name them, and what they refer to. All of it is read at the time of the question from the
//! facts of the documents that it reaches.

mod attached;
mod context;
mod links;
mod references;

use rift_base::{ByteRange, Digest, DigestBuilder, DocumentFormat, ProjectPath};
use rift_host::View;
use rift_host::facts::{BlockKind, Document};
use rift_protocol::limits::DOCUMENTATION_WARNINGS_MAX;
use rift_protocol::{
    DocumentationKind, DocumentationSource, DocumentationStage, DocumentationWarning, Failure, ReadWarning,
};

pub(crate) use attached::attached_range;
pub(crate) use context::context;
pub(crate) use links::links;
pub(crate) use references::references;

/// Whether `path` is documentation.
pub(crate) fn is_document(path: &ProjectPath) -> bool {
    DocumentFormat::of(path).is_some()
}

/// The identity of block `at` of the document at `path`: a digest of the document, the headings above the block, and its place
/// among the blocks directly under them. An edit elsewhere leaves it alone.
pub(crate) fn block_identity(path: &ProjectPath, document: &Document, at: usize) -> String {
    let mut digest = DigestBuilder::default().part(b"project").part(path.as_str().as_bytes());
    if let Some(block) = document.blocks.get(at) {
        for heading in document.heading_path(block) {
            digest.add(heading.as_bytes());
        }
    }
    digest.part(&(document.place(at) as u64).to_le_bytes()).finish().hex()
}

/// The identity of the comment that is attached to the symbol of this identity or place.
pub(crate) fn comment_identity(path: &ProjectPath, symbol: &str, number: u32) -> String {
    let digest = DigestBuilder::default().part(b"comment").part(path.as_str().as_bytes()).part(symbol.as_bytes());
    digest.part(&number.to_le_bytes()).finish().hex()
}

/// The block of `document` that holds byte `at`.
pub(crate) fn block_around(document: &Document, at: usize) -> Option<usize> {
    document.blocks.iter().position(|block| block.range().contains(at))
}

/// The digest of the tree behind every answer about documentation.
pub(crate) fn revision(view: &View) -> Result<rift_protocol::Digest, Failure> {
    let digest: Digest = view.tree().digest;
    rift_protocol::Digest::parse(&digest.short()).map_err(|v| Failure::internal("documentation", v.word()))
}

/// The wire word of a kind.
pub(crate) fn kind(kind: BlockKind) -> DocumentationKind {
    match kind {
        BlockKind::Prose => DocumentationKind::Prose,
        BlockKind::Code => DocumentationKind::Code,
    }
}

/// What documents that were read lack, at most [`DOCUMENTATION_WARNINGS_MAX`] of them, in path order.
#[derive(Default)]
pub(crate) struct Lacks(Vec<DocumentationWarning>);

impl Lacks {
    /// Notes what `document`, at `path`, lacks.
    pub(crate) fn note(&mut self, path: &ProjectPath, document: &Document) {
        let label = match document.failure {
            Some(failure) => failure.word(),
            None if document.omitted > 0 => "blocks_max",
            None => return,
        };
        self.0.push(DocumentationWarning {
            source: DocumentationSource::Project { path: path.clone() },
            stage: DocumentationStage::Extract,
            failure: label.to_owned(),
            omitted: document.omitted.into(),
        });
    }

    pub(crate) fn warnings(mut self) -> impl Iterator<Item = ReadWarning> {
        self.0.sort_by(|a, b| place(a).cmp(&place(b)));
        self.0.into_iter().take(DOCUMENTATION_WARNINGS_MAX).map(|warning| ReadWarning::Documentation { warning })
    }
}

fn place(warning: &DocumentationWarning) -> Option<&ProjectPath> {
    match &warning.source {
        DocumentationSource::Project { path } => Some(path),
        _ => None,
    }
}

/// `inside`, a part of a block's text, as bytes of the file. A notebook's text is spelled otherwise: there it is the block.
pub(crate) fn in_file(block: ByteRange, spelled: bool, inside: ByteRange) -> ByteRange {
    match spelled {
        true => ByteRange { start: block.start + inside.start, end: block.start + inside.end },
        false => block,
    }
}
