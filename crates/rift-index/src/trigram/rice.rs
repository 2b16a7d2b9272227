//! Ascending lists of small numbers as bits: Golomb-Rice codes of the gaps (Rice and Plaunt, "Adaptive variable-length
//! coding for efficient compression of spacecraft television data", 1971).
//!
//! The parameter follows from how many numbers there are below which bound, so nothing but the bits is stored. A list that
//! holds half of all numbers takes a bit for each of them, like a bitmap; one number of a thousand takes about eleven bits.

/// The bits that are written as they are, for `count` numbers below `bound`: about the binary logarithm of 0.69 times the
/// mean gap, which is best for gaps of a memoryless source.
fn parameter(count: usize, bound: usize) -> u32 {
    (bound * 69 / 100 / count.max(1)).max(1).ilog2()
}

/// Appends `numbers`, which ascend and lie below `bound`, to `out`, in whole bytes.
pub(super) fn encode(numbers: &[u32], bound: usize, out: &mut Vec<u8>) {
    let k = parameter(numbers.len(), bound);
    let (mut buffer, mut used) = (0u64, 0u32);
    let mut put = |value: u64, bits: u32, out: &mut Vec<u8>| {
        buffer |= value << used;
        used += bits;
        while used >= 8 {
            out.push(buffer as u8);
            buffer >>= 8;
            used -= 8;
        }
        if bits == 0 && used > 0 {
            out.push(buffer as u8);
        }
    };
    let mut next = 0;
    for number in numbers {
        let gap = number - next;
        next = number + 1;
        let mut zeros = gap >> k;
        while zeros >= 32 {
            put(0, 32, out);
            zeros -= 32;
        }
        put(1 << zeros, zeros + 1, out);
        if k > 0 {
            put(u64::from(gap) & ((1 << k) - 1), k, out);
        }
    }
    put(0, 0, out);
}

/// Appends the `count` numbers below `bound` that [`encode`] wrote to `bytes` to `out`; fewer when the bytes are not of its
/// making.
pub(super) fn decode(bytes: &[u8], count: usize, bound: usize, out: &mut Vec<u32>) {
    let k = parameter(count, bound);
    let mut bits = Bits { bytes, buffer: 0, held: 0 };
    let mut next = 0u64;
    for _ in 0..count {
        let Some(zeros) = bits.zeros() else { return };
        let Some(rest) = bits.take(k) else { return };
        let number = next + (zeros << k | rest);
        if number >= bound as u64 {
            return;
        }
        out.push(number as u32);
        next = number + 1;
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    buffer: u64,
    held: u32,
}

impl Bits<'_> {
    fn fill(&mut self) {
        if let Some((eight, _)) = self.bytes.split_first_chunk::<8>() {
            let whole = (63 - self.held) / 8;
            self.buffer |= u64::from_le_bytes(*eight) << self.held;
            self.held += whole * 8;
            // Bits of a byte that is taken up again are not held yet.
            self.buffer &= u64::MAX >> (64 - self.held).min(63);
            self.bytes = &self.bytes[whole as usize..];
            return;
        }
        while self.held <= 56
            && let Some((byte, rest)) = self.bytes.split_first()
        {
            self.buffer |= u64::from(*byte) << self.held;
            self.held += 8;
            self.bytes = rest;
        }
    }

    /// The zeros before the next one, both taken.
    fn zeros(&mut self) -> Option<u64> {
        let mut zeros = 0;
        loop {
            if self.held < 40 {
                self.fill();
            }
            if self.buffer != 0 {
                let here = self.buffer.trailing_zeros();
                // Two steps: a shift by all 64 bits is none.
                self.buffer = self.buffer >> here >> 1;
                self.held -= here + 1;
                return Some(zeros + u64::from(here));
            }
            if self.held == 0 {
                return None;
            }
            zeros += u64::from(self.held);
            self.held = 0;
        }
    }

    fn take(&mut self, bits: u32) -> Option<u64> {
        if self.held < bits {
            self.fill();
        }
        if self.held < bits {
            return None;
        }
        let value = self.buffer & ((1 << bits) - 1);
        self.buffer >>= bits;
        self.held -= bits;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_come_back(numbers in proptest::collection::btree_set(0u32..70_000, 0..400), room in 1u32..100) {
            let numbers: Vec<u32> = numbers.into_iter().collect();
            let bound = numbers.last().map_or(0, |last| last + room) as usize;
            let mut bytes = Vec::new();
            encode(&numbers, bound, &mut bytes);
            let mut back = Vec::new();
            decode(&bytes, numbers.len(), bound, &mut back);
            prop_assert_eq!(back, numbers);
        }

        #[test]
        fn any_bytes_decode_below_the_bound(bytes: Vec<u8>, count in 0usize..1000, bound in 0usize..5000) {
            let mut numbers = Vec::new();
            decode(&bytes, count, bound, &mut numbers);
            prop_assert!(numbers.len() <= count && numbers.iter().all(|n| (*n as usize) < bound));
        }
    }

    #[test]
    fn dense_lists_are_no_longer_than_bitmaps() {
        let numbers: Vec<u32> = (0..8_000).filter(|n| n % 2 == 0).collect();
        let mut bytes = Vec::new();
        encode(&numbers, 8_000, &mut bytes);
        assert!(bytes.len() <= 1_000 + 1, "{}", bytes.len());
    }
}
