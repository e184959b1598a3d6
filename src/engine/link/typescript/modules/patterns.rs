//! Tables of names with a `*` in them: `paths` of a `tsconfig.json`, `exports` and `imports` of a `package.json`.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::path::LONGEST_PATH;

/// A table of patterns, each with a value.
#[derive(Debug)]
pub(super) struct Patterns<T> {
    exact: FxHashMap<CompactString, T>,
    /// What stands before the star, to what stands after it.
    starred: FxHashMap<CompactString, Vec<(CompactString, T)>>,
    /// The lengths of what stands before stars, the longest first.
    lengths: Vec<usize>,
}

impl<T> Default for Patterns<T> {
    fn default() -> Self {
        Self { exact: FxHashMap::default(), starred: FxHashMap::default(), lengths: Vec::new() }
    }
}

impl<T> FromIterator<(CompactString, T)> for Patterns<T> {
    /// Of two equal patterns the last one counts, as in JSON.
    fn from_iter<I: IntoIterator<Item = (CompactString, T)>>(entries: I) -> Self {
        let mut patterns = Self::default();
        for (pattern, value) in entries {
            match pattern.split_once('*') {
                None => drop(patterns.exact.insert(pattern, value)),
                Some((before, after)) => {
                    let same = patterns.starred.entry(CompactString::from(before)).or_default();
                    same.push((CompactString::from(after), value));
                }
            }
        }
        patterns.lengths = patterns.starred.keys().map(CompactString::len).collect();
        patterns.lengths.sort_unstable_by(|a, b| b.cmp(a));
        patterns.lengths.dedup();
        patterns
    }
}

impl<T> Patterns<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.starred.is_empty()
    }

    /// The values of all patterns that a name fits, the closest first, with what the star stands for.
    pub(super) fn matching<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, &'a T)> {
        let exact = self.exact.get(name).map(|value| ("", value));
        let lengths = self.lengths.iter().filter(|&&length| name.is_char_boundary(length));
        let starred = lengths.flat_map(|&length| {
            let (before, rest) = name.split_at(length);
            let same = self.starred.get(before).map_or(&[][..], Vec::as_slice);
            same.iter().filter_map(|(after, value)| Some((rest.strip_suffix(after.as_str())?, value)))
        });
        exact.into_iter().chain(starred)
    }

    /// The patterns without a star, in no order.
    pub(super) fn exact(&self) -> impl Iterator<Item = (&CompactString, &T)> {
        self.exact.iter()
    }

    /// The patterns with a star, in no order: what stands before it, after it, and the value.
    pub(super) fn starred(&self) -> impl Iterator<Item = (&str, &str, &T)> {
        self.starred.iter().flat_map(|(before, same)| {
            let before = before.as_str();
            same.iter().map(move |(after, value)| (before, after.as_str(), value))
        })
    }
}

/// A target with what the star stands for put in; none where that is no path any more.
pub(super) fn fill(target: &str, star: &str) -> Option<CompactString> {
    let stars = target.matches('*').count();
    (target.len().saturating_add(stars.saturating_mul(star.len())) <= LONGEST_PATH)
        .then(|| CompactString::from(target.replace('*', star)))
}
