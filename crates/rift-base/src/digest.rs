//! SHA-256 digests.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A SHA-256 digest (FIPS 180-4). Two values are equal exactly when all 32 bytes are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// All 64 lowercase hexadecimal digits.
    pub fn hex(&self) -> String {
        self.0.iter().fold(String::with_capacity(64), |mut out, byte| {
            use fmt::Write as _;
            let _ = write!(out, "{byte:02x}");
            out
        })
    }

    /// The first 8 digits: the form that travels as `Digest`.
    pub fn short(&self) -> String {
        let mut hex = self.hex();
        hex.truncate(8);
        hex
    }

    /// Parses 64 lowercase hexadecimal digits.
    pub fn parse(hex: &str) -> Option<Self> {
        let bytes = hex.as_bytes();
        if bytes.len() != 64 || !bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let mut out = [0; 32];
        for (slot, pair) in out.iter_mut().zip(bytes.chunks(2)) {
            *slot = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(out))
    }

    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

/// Hashes several parts, each framed by its length, so that no two lists of parts collide by
/// running into each other.
#[derive(Default, Clone)]
pub struct DigestBuilder(Sha256);

impl DigestBuilder {
    /// Adds one part.
    pub fn part(mut self, bytes: &[u8]) -> Self {
        self.add(bytes);
        self
    }

    /// Adds one part in place.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// The digest of all parts so far.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answer_and_round_trip() {
        // FIPS 180-4 example: SHA-256("abc").
        let digest = Digest::of(b"abc");
        assert_eq!(digest.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(digest.short(), "ba7816bf");
        assert_eq!(Digest::parse(&digest.hex()), Some(digest));
        assert_eq!(Digest::parse(&digest.hex().to_uppercase()), None);
        assert_eq!(Digest::parse("ba78"), None);
    }

    #[test]
    fn parts_do_not_run_together() {
        let a = DigestBuilder::default().part(b"ab").part(b"c").finish();
        let b = DigestBuilder::default().part(b"a").part(b"bc").finish();
        assert_ne!(a, b);
    }
}
