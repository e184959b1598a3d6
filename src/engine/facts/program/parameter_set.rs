//! A bit set of parameter positions.

use smallvec::SmallVec;

use apidisc_base::packed::{PackReader, PackWriter, Packed};

/// A set of positions in one signature, of any length, as a bit set.
///
/// The last word is never zero, so equal sets have equal representations.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterSet(SmallVec<[u64; 2]>);

impl ParameterSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// The positions from 0 to `len - 1`.
    pub fn full(len: usize) -> Self {
        (0..len).collect()
    }

    /// True if `position` is in the set.
    pub fn contains(&self, position: usize) -> bool {
        self.0.get(position / 64).is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    /// Adds `position`.
    pub fn insert(&mut self, position: usize) {
        let word = position / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (position % 64);
    }

    /// Removes `position`.
    pub fn remove(&mut self, position: usize) {
        if let Some(word) = self.0.get_mut(position / 64) {
            *word &= !(1 << (position % 64));
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// True if every position of this set is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().enumerate().all(|(i, word)| word & !other.0.get(i).copied().unwrap_or(0) == 0)
    }

    /// The positions of this set that are not in `other`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.iter().filter(|&position| !other.contains(position)).collect()
    }

    /// Adds every position of `other`.
    pub fn extend_with(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// True for the empty set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The positions in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| bits(word).map(move |bit| i * 64 + bit))
    }
}

/// The positions of the bits that are set in a word, in ascending order.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

impl FromIterator<usize> for ParameterSet {
    fn from_iter<I: IntoIterator<Item = usize>>(positions: I) -> Self {
        let mut set = Self::new();
        for position in positions {
            set.insert(position);
        }
        set
    }
}

impl Packed for ParameterSet {
    fn pack(&self, to: &mut PackWriter) {
        self.0.pack(to);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        let words = SmallVec::<[u64; 2]>::unpack(from)?;
        (words.last() != Some(&0)).then_some(Self(words))
    }
}
