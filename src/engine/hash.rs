//! A hash function whose values are written to files, so they never change.

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

#[cfg(test)]
mod tests {
    use super::Fnv;

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
}
