//! Binding facts of one revision, and their projections by path.

use std::sync::Arc;

use query_graph_macros::query;
use rift_base::ByteRange;
use rift_syntax::{Bounds, PackedBinding, PackedOutline, Surface, Uses, extract_bound};

use crate::catalog::revision;
use crate::db::{Db, shared};
use crate::inputs::File;
use crate::kept::FactKey;
use crate::symbols::outline;
use crate::syntax::{FileRevision, facts};
use crate::unpacked::{Bytes, PathOutline};

/// What the names in one revision can mean, packed. Reads the revision and its facts, whose parse may have given it; takes it
/// from the store otherwise, or parses once more. Absent in a language that nothing binds.
#[query(returns(clone), heap_size = binding_heap)]
pub fn binding_facts(db: &dyn Db, revision: FileRevision) -> Option<PackedBinding> {
    if let Some(known) = facts(db, revision).binding {
        return Some(known);
    }
    let (language, source, bounds) = (revision.language(db).as_ref()?, revision.source(db), Bounds::default());
    let key = FactKey::binding(&source.digest, language, &bounds);
    let stored = db.fact_store().and_then(|store| store.get(&key));
    if let Some(kept) = stored.and_then(|bytes| PackedBinding::from_bytes(&bytes)) {
        return Some(kept);
    }
    let (_, found) = extract_bound(&source.text.get(), language, &bounds)?;
    let packed = PackedBinding::pack(&found?);
    if let Some(store) = db.fact_store() {
        store.put(&key, packed.to_bytes());
    }
    Some(packed)
}

fn binding_heap(binding: &Option<PackedBinding>) -> usize {
    binding.as_ref().map_or(0, PackedBinding::heap_size)
}

/// What other files can see of the revision that a path holds now, beside its outline. Shields them from edits inside
/// bodies.
#[query(returns(clone), heap_size = shared)]
pub fn surface(db: &dyn Db, file: File) -> Option<Arc<[u8]>> {
    Some(binding_facts(db, revision(db, file)?)?.surface)
}

/// What the revision that a path holds now refers to. Shields its bindings from edits that move lines alone.
#[query(returns(clone), heap_size = shared)]
pub fn uses(db: &dyn Db, file: File) -> Option<Arc<[u8]>> {
    Some(binding_facts(db, revision(db, file)?)?.uses)
}

/// [`surface`], unpacked. The last ones read are kept.
pub(crate) fn file_surface(db: &dyn Db, file: File) -> Option<Arc<Surface>> {
    let packed = surface(db, file)?;
    Some(db.unpacked().surfaces.get_or(Bytes(packed), |bytes| PackedBinding::unpack_surface(&bytes.0)))
}

/// The outline that a path holds now, unpacked; for queries that an edit inside a body must not reach.
pub(super) fn file_outline(db: &dyn Db, file: File) -> Option<Arc<PathOutline>> {
    let packed = outline(db, file)?;
    let bytes = Bytes(packed.bytes().clone());
    Some(db.unpacked().outlines.get_or(bytes, |bytes| PathOutline::new(PackedOutline::unpack_bytes(&bytes.0))))
}

/// The uses of one revision.
pub fn file_uses(db: &dyn Db, revision: FileRevision) -> Option<Uses> {
    Some(PackedBinding::unpack_uses(&binding_facts(db, revision)?.uses))
}

/// Where the references of one revision stand, in the order of its uses.
pub fn file_sites(db: &dyn Db, revision: FileRevision) -> Option<Vec<ByteRange>> {
    Some(PackedBinding::unpack_sites(&binding_facts(db, revision)?.sites))
}
