//! Binding facts in few bytes: what a memo holds while nobody reads them. Encoded by postcard, compressed by LZ4.

use std::sync::Arc;

use rift_base::ByteRange;
use serde::{Deserialize, Serialize};

use super::facts::{BindingFacts, Surface, Uses};
use crate::packed::{compress, decompress};

/// A file's binding facts in few bytes. Equal facts have equal bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedBinding {
    /// [`BindingFacts::surface`].
    pub surface: Arc<[u8]>,
    /// [`BindingFacts::uses`].
    pub uses: Arc<[u8]>,
    /// [`BindingFacts::sites`].
    pub sites: Arc<[u8]>,
}

/// What is stored of packed binding facts.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    surface: &'a [u8],
    uses: &'a [u8],
    sites: &'a [u8],
}

impl PackedBinding {
    /// Packs `facts`.
    pub fn pack(facts: &BindingFacts) -> Self {
        let mut before = 0u32;
        let steps: Vec<(i32, u32)> = facts
            .sites
            .iter()
            .map(|site| {
                let step = site.start.wrapping_sub(before).cast_signed();
                before = site.start;
                (step, site.end.saturating_sub(site.start))
            })
            .collect();
        let packed = |bytes: Result<Vec<u8>, postcard::Error>| compress(&bytes.unwrap_or_default());
        Self {
            surface: packed(postcard::to_stdvec(&*facts.surface)),
            uses: packed(postcard::to_stdvec(&*facts.uses)),
            sites: packed(postcard::to_stdvec(&steps)),
        }
    }

    /// Unpacks what [`PackedBinding::surface`] holds.
    pub fn unpack_surface(bytes: &[u8]) -> Surface {
        // Bytes that this process packed unpack; anything else would be an empty surface.
        postcard::from_bytes(&decompress(bytes)).unwrap_or_default()
    }

    /// Unpacks what [`PackedBinding::uses`] holds.
    pub fn unpack_uses(bytes: &[u8]) -> Uses {
        postcard::from_bytes(&decompress(bytes)).unwrap_or_default()
    }

    /// Unpacks what [`PackedBinding::sites`] holds.
    pub fn unpack_sites(bytes: &[u8]) -> Vec<ByteRange> {
        let steps: Vec<(i32, u32)> = postcard::from_bytes(&decompress(bytes)).unwrap_or_default();
        let mut before = 0u32;
        steps
            .into_iter()
            .map(|(step, length)| {
                before = before.wrapping_add_signed(step);
                ByteRange { start: before, end: before.saturating_add(length) }
            })
            .collect()
    }

    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        self.surface.len() + self.uses.len() + self.sites.len()
    }

    /// One run of bytes, to be stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { surface, uses, sites } = self;
        postcard::to_stdvec(&Stored { surface, uses, sites }).unwrap_or_default()
    }

    /// Reads what [`PackedBinding::to_bytes`] of the same [`EXTRACTOR`](crate::EXTRACTOR) wrote; absent for other bytes
    /// where that shows.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let Stored { surface, uses, sites } = postcard::from_bytes(bytes).ok()?;
        Some(Self { surface: surface.into(), uses: uses.into(), sites: sites.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, extract_bound};
    use rift_base::Language;

    #[test]
    fn packing_loses_nothing() {
        let text = "from a import b\nclass C(b):\n    def f(self) -> 'C':\n        return self.f().f()\nx = C()\n";
        let language = Language::new("python").expect("valid");
        let (_, found) = extract_bound(text, &language, &Bounds::default()).expect("served");
        let found = found.expect("Python is bound");
        assert!(found.uses.references.len() > 3 && !found.surface.declared.is_empty());
        let packed = PackedBinding::pack(&found);
        assert_eq!(PackedBinding::unpack_surface(&packed.surface), *found.surface);
        assert_eq!(PackedBinding::unpack_uses(&packed.uses), *found.uses);
        assert_eq!(PackedBinding::unpack_sites(&packed.sites), *found.sites);
        let bytes = packed.to_bytes();
        assert_eq!(PackedBinding::from_bytes(&bytes), Some(packed));
        assert_eq!(PackedBinding::from_bytes(&bytes[..bytes.len() - 1]), None);
    }
}
