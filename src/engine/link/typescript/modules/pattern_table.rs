//! Tables of patterns with at most one `*`: `paths` of a `tsconfig.json`, `exports` and `imports` of a `package.json`,
//! the names of ambient modules.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::path::MAX_PATH_LENGTH;
use apidisc_base::sort::SharedSort as _;

/// Patterns, each with a value.
#[derive(Debug)]
pub(in crate::typescript) struct PatternTable<T> {
    exact: FxHashMap<CompactString, T>,
    /// For each text before a star: the texts after it, with the values.
    starred: FxHashMap<CompactString, Vec<(CompactString, T)>>,
    /// The lengths in bytes of the texts before stars, the longest first.
    lengths: Vec<usize>,
}

impl<T> Default for PatternTable<T> {
    fn default() -> Self {
        Self { exact: FxHashMap::default(), starred: FxHashMap::default(), lengths: Vec::new() }
    }
}

impl<T> FromIterator<(CompactString, T)> for PatternTable<T> {
    /// If a pattern without a star occurs several times, the last one counts, as in JSON.
    fn from_iter<I: IntoIterator<Item = (CompactString, T)>>(entries: I) -> Self {
        let mut patterns = Self::default();
        for (pattern, value) in entries {
            match pattern.split_once('*') {
                None => drop(patterns.exact.insert(pattern, value)),
                Some((before, after)) => {
                    let same_prefix = patterns.starred.entry(CompactString::from(before)).or_default();
                    same_prefix.push((CompactString::from(after), value));
                }
            }
        }
        patterns.lengths = patterns.starred.keys().map(CompactString::len).collect();
        patterns.lengths.shared_sort_by(|a, b| b.cmp(a));
        patterns.lengths.dedup();
        patterns
    }
}

impl<T> PatternTable<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.starred.is_empty()
    }

    /// The matches of a name: for each pattern that matches, the text that its star matches (empty without a star), and
    /// its value. The pattern without a star comes first, then those with the longest text before the star, as in
    /// TypeScript and Node.js.
    pub(in crate::typescript) fn matching<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, &'a T)> {
        let exact = self.exact.get(name).map(|value| ("", value));
        let lengths = self.lengths.iter().filter(|&&length| name.is_char_boundary(length));
        let starred = lengths.flat_map(|&length| {
            let (before, rest) = name.split_at(length);
            let same_prefix = self.starred.get(before).map_or(&[][..], Vec::as_slice);
            same_prefix.iter().filter_map(|(after, value)| Some((rest.strip_suffix(after.as_str())?, value)))
        });
        exact.into_iter().chain(starred)
    }

    /// The patterns without a star, in no particular order.
    pub(super) fn exact(&self) -> impl Iterator<Item = (&CompactString, &T)> {
        self.exact.iter()
    }

    /// The patterns with a star, in no particular order: the text before the star, the text after it, and the value.
    pub(super) fn starred(&self) -> impl Iterator<Item = (&str, &str, &T)> {
        self.starred.iter().flat_map(|(before, same)| {
            let before = before.as_str();
            same.iter().map(move |(after, value)| (before, after.as_str(), value))
        })
    }
}

/// Replaces the stars of a target with the text that the star matched. `None` if the result is too long for a path.
pub(super) fn substitute_star(target: &str, star: &str) -> Option<CompactString> {
    let stars = target.matches('*').count();
    (target.len().saturating_add(stars.saturating_mul(star.len())) <= MAX_PATH_LENGTH)
        .then(|| CompactString::from(target.replace('*', star)))
}
