//! Texts in memory: compressed while nobody reads them.

use std::sync::Arc;

/// Texts below this many bytes are kept as they are.
const PACK_MIN: usize = 512;
/// A packed text begins with its length.
const LENGTH_BYTES: usize = size_of::<u32>();

/// A text that is held compressed (LZ4) and read whole. Unpacking takes about half a microsecond a kilobyte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredText(Form);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    Plain(Arc<str>),
    Packed(Arc<[u8]>),
}

impl StoredText {
    /// Stores `text`.
    pub fn new(text: &str) -> Self {
        if text.len() >= PACK_MIN {
            let packed = lz4_flex::compress_prepend_size(text.as_bytes());
            if packed.len() < text.len() {
                return Self(Form::Packed(packed.into()));
            }
        }
        Self(Form::Plain(text.into()))
    }

    /// The text.
    pub fn get(&self) -> Arc<str> {
        match &self.0 {
            Form::Plain(text) => text.clone(),
            Form::Packed(packed) => {
                // What this process packed unpacks to the same text.
                let bytes = lz4_flex::decompress_size_prepended(packed).unwrap_or_default();
                std::str::from_utf8(&bytes).unwrap_or_default().into()
            }
        }
    }

    /// The text's bytes, unpacked into `room` where they are packed. Cheaper than [`StoredText::get`]: nothing is allocated but
    /// for a text that is larger than all before.
    pub fn read<'t>(&'t self, room: &'t mut Vec<u8>) -> &'t [u8] {
        match &self.0 {
            Form::Plain(text) => text.as_bytes(),
            Form::Packed(packed) => {
                let (length, packed) = (self.length(), packed.get(LENGTH_BYTES..).unwrap_or_default());
                if room.len() < length {
                    room.resize(length, 0);
                }
                let room = &mut room[..length];
                // What this process packed unpacks to the same text.
                let read = lz4_flex::block::decompress_into(packed, room).unwrap_or_default();
                &room[..read]
            }
        }
    }

    /// Bytes of the text.
    pub fn length(&self) -> usize {
        match &self.0 {
            Form::Plain(text) => text.len(),
            Form::Packed(packed) => {
                packed.first_chunk::<LENGTH_BYTES>().map_or(0, |length| u32::from_le_bytes(*length) as usize)
            }
        }
    }

    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        match &self.0 {
            Form::Plain(text) => text.len(),
            Form::Packed(packed) => packed.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_whole() {
        for text in ["", "é", &"fn f() {}\n".repeat(500), &(0..2000u32).map(|i| format!("{i:x}")).collect::<String>()]
        {
            let stored = StoredText::new(text);
            assert_eq!(&*stored.get(), text);
            let mut room = b"what was read before".to_vec();
            assert_eq!((stored.read(&mut room), stored.length()), (text.as_bytes(), text.len()));
            assert!(stored.heap_size() <= text.len());
        }
    }
}
