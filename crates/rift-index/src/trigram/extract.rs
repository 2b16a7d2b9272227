//! The trigrams of a text.

/// Three bytes of a text, the first one highest.
pub(crate) type Trigram = u32;

/// How many different trigrams there can be.
const TRIGRAMS: usize = 1 << 24;

/// Gathers the different trigrams of one text after another. Holds a bit for each trigram there can be, 2 MB, so that a
/// repeated one costs a look at a bit.
pub struct Extractor {
    seen: Box<[u64]>,
    found: Vec<Trigram>,
}

impl std::fmt::Debug for Extractor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Extractor").finish_non_exhaustive()
    }
}

impl Default for Extractor {
    fn default() -> Self {
        Self { seen: vec![0; TRIGRAMS / 64].into(), found: Vec::new() }
    }
}

impl Extractor {
    /// The different trigrams of `text` that hold no line feed, in the order of their first occurrence: no match crosses a
    /// line but by a line feed of the pattern itself, which is looked for around it.
    pub fn trigrams(&mut self, text: &[u8]) -> &[Trigram] {
        self.found.clear();
        for line in text.split(|byte| *byte == b'\n') {
            let Some((start, rest)) = line.split_first_chunk::<2>() else { continue };
            let mut trigram = u32::from(start[0]) << 8 | u32::from(start[1]);
            for byte in rest {
                trigram = (trigram << 8 | u32::from(*byte)) & (TRIGRAMS as u32 - 1);
                let (word, bit) = (trigram as usize / 64, 1 << (trigram % 64));
                if self.seen[word] & bit == 0 {
                    self.seen[word] |= bit;
                    self.found.push(trigram);
                }
            }
        }
        for trigram in &self.found {
            self.seen[*trigram as usize / 64] = 0;
        }
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        let mut extractor = Extractor::default();
        extractor.trigrams(b"leaves nothing behind");
        let spell = |t: &Trigram| String::from_utf8_lossy(&t.to_be_bytes()[1..]).into_owned();
        extractor.trigrams(text.as_bytes()).iter().map(spell).collect()
    }

    #[test]
    fn each_once_and_none_across_lines() {
        assert_eq!(of("abcabcd"), ["abc", "bca", "cab", "bcd"]);
        assert_eq!(of("ab\ncd\r\nefg"), ["cd\r", "efg"]);
        assert_eq!(of("ab"), Vec::<String>::new());
        assert_eq!(of("é1").len(), 1);
    }
}
