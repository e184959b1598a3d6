//! Hash functions whose values are written to files, so they never change.

use crate::packed::{PackReader, PackWriter, Packed};

/// 128 bits of a BLAKE3 hash. Files with equal contents have equal hashes, and nobody can construct two files with
/// equal hashes and different contents, although the files may come from anybody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; ContentHash::BYTES]);

impl ContentHash {
    /// The size of a hash.
    pub const BYTES: usize = 16;

    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::shortened(&blake3::hash(bytes))
    }

    /// The hash of a list of parts. Lists of which only the boundaries between parts differ have different hashes.
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self::shortened(&hasher.finalize())
    }

    /// The hash with these bytes.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// The bytes of the hash.
    pub fn bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    /// The first 64 bits of the hash. They suffice to see that a file has changed, not to identify a file among many.
    pub fn short(&self) -> u64 {
        self.0.first_chunk().map_or(0, |half| u64::from_be_bytes(*half))
    }

    fn shortened(hash: &blake3::Hash) -> Self {
        let mut bytes = [0; Self::BYTES];
        bytes.copy_from_slice(&hash.as_bytes()[..Self::BYTES]);
        Self(bytes)
    }
}

/// In hexadecimal.
impl std::fmt::Display for ContentHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A 64-bit FNV-1a hasher (Fowler, Noll, Vo) over a sequence of strings.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a string and the byte `0xff`, which no UTF-8 text contains. So `a`, `bc` and `ab`, `c` differ.
    pub fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// The hash of the strings added so far.
    pub fn value(self) -> u64 {
        self.0
    }
}

impl Packed for ContentHash {
    fn pack(&self, to: &mut PackWriter) {
        to.raw(&self.0);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        from.raw(Self::BYTES)?.try_into().ok().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::{ContentHash, Fnv};

    #[test]
    fn values_never_change() {
        let hash = |parts: &[&str]| {
            let mut hash = Fnv::default();
            for part in parts {
                hash.add(part);
            }
            hash.value()
        };
        assert_eq!(hash(&[]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(&["src/a.py"]), 0x7f97_8f06_9fd9_c687);
        assert_ne!(hash(&["a", "bc"]), hash(&["ab", "c"]));
    }

    #[test]
    fn hashes_of_contents_never_change() {
        // The first half of the test vector of BLAKE3 for no bytes.
        assert_eq!(ContentHash::of(b"").to_string(), "af1349b9f5f9a1a6a0404dea36dcc949");
        let parts = |parts: &[&[u8]]| ContentHash::of_parts(parts);
        assert_ne!(parts(&[b"a", b"bc"]), parts(&[b"ab", b"c"]));
        assert_eq!(ContentHash::from_bytes(*parts(&[b"a"]).bytes()), parts(&[b"a"]));
    }
}
