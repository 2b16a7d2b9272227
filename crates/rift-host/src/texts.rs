//! Texts read last, unpacked: a page of hits reads the same few files again and again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use query_graph::FileEntry;
use rift_base::Digest;

/// Bytes of unpacked text that are kept.
const BYTES_MAX: usize = 8 << 20;

/// Least recently read texts go first.
#[derive(Default)]
pub(crate) struct Texts(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    texts: VecDeque<(Digest, Arc<str>)>,
    bytes: usize,
}

impl Texts {
    /// The text of `entry`.
    pub(crate) fn get(&self, entry: &FileEntry) -> Option<Arc<str>> {
        let digest = entry.source()?.digest;
        {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(at) = kept.texts.iter().rposition(|(known, _)| *known == digest) {
                let hit = kept.texts.remove(at)?;
                let text = hit.1.clone();
                kept.texts.push_back(hit);
                return Some(text);
            }
        }
        // Unpacked outside the lock.
        let text = entry.text()?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += text.len();
        kept.texts.push_back((digest, text.clone()));
        while kept.bytes > BYTES_MAX && kept.texts.len() > 1 {
            let Some((_, oldest)) = kept.texts.pop_front() else { break };
            kept.bytes -= oldest.len();
        }
        Some(text)
    }
}
