//! Sets of small numbers.

/// A set of numbers below a bound, one bit each. The empty set takes no memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// An empty set that holds numbers below `bound` without growing.
    pub(crate) fn below(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(crate) fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.0.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_inserted() {
        let mut bits = Bits::below(65);
        assert_eq!(bits.memory(), 16);
        for number in [0, 63, 64, 300] {
            bits.insert(number);
        }
        let held: Vec<usize> = (0..400).filter(|number| bits.has(*number)).collect();
        assert_eq!(held, [0, 63, 64, 300]);
        assert!(!Bits::default().has(0));
    }
}
