//! Numbers for random scripts: the same ones for the same seed.

/// SplitMix64, after Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`. `RIFT_SEED`, a number, gives other sequences for all seeds.
    pub fn seeded(seed: u64) -> Self {
        let others = std::env::var("RIFT_SEED").ok().and_then(|seed| seed.parse::<u64>().ok()).unwrap_or(0);
        Self(seed.wrapping_add(others << 32))
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % bound as u64) as usize
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
