//! Suggestions for a misspelt name.

use compact_str::CompactString;

use apidisc_base::language::QualifiedName;

/// The number of suggestions.
const MAX_SUGGESTIONS: usize = 5;
/// Longer names, in bytes, are not compared: the distance takes quadratic time.
const MAX_NAME_BYTES: usize = 200;
/// The penalty of a name that only contains the letters in order. In practice it is larger than the penalty of any name
/// with few typing errors.
const SUBSEQUENCE_PENALTY: usize = 50;

/// The names nearest to `wanted`, best first: names that differ in case only, then names with few typing errors, then
/// names that contain its letters in order. Ties by uses, then by name.
///
/// `names` are names with their numbers of uses. Only the last parts of a name are compared, as many as `wanted` has.
pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = (&'a str, u32)>) -> Vec<CompactString> {
    let parts = wanted.split(QualifiedName::SEPARATORS).count();
    let wanted = wanted.to_lowercase();
    let last = wanted.rsplit(QualifiedName::SEPARATORS).next().unwrap_or_default();
    let mut ranked: Vec<_> = names
        .filter_map(|(name, uses)| {
            let lower = name.to_lowercase();
            let tail = tail(&lower, parts);
            let name_last = lower.rsplit(QualifiedName::SEPARATORS).next().unwrap_or_default();
            let by_last_part = (parts > 1).then(|| penalty(last, name_last)).flatten().map(|penalty| penalty + 1);
            let penalty = penalty(&wanted, tail).into_iter().chain(by_last_part).min()?;
            Some((penalty, std::cmp::Reverse(uses), name))
        })
        .collect();
    ranked.sort();
    ranked.dedup_by(|a, b| a.2 == b.2);
    ranked.into_iter().take(MAX_SUGGESTIONS).map(|(.., name)| name.into()).collect()
}

/// The last `parts` parts of a name.
fn tail(name: &str, parts: usize) -> &str {
    let start = name.rmatch_indices(QualifiedName::SEPARATORS).nth(parts - 1).map_or(0, |(at, _)| at + 1);
    &name[start..]
}

/// The rank of `name` as a suggestion for `wanted`, the best being 0; `None` if `name` is not near.
fn penalty(wanted: &str, name: &str) -> Option<usize> {
    if wanted.is_empty() || wanted.len() > MAX_NAME_BYTES || name.len() > MAX_NAME_BYTES {
        return None;
    }
    let length = wanted.chars().count();
    let limit = (length / 3).max(1);
    // The distance is at least the difference of the lengths.
    if length.abs_diff(name.chars().count()) <= limit {
        let distance = distance(wanted, name);
        if distance <= limit {
            return Some(distance * 2);
        }
    }
    // `LlmAg` or `lagent` for `LlmAgent`. Shorter names are better.
    let mut letters = name.chars();
    let is_subsequence = wanted.chars().all(|letter| letters.any(|l| l == letter));
    (is_subsequence && wanted.len() > 2).then(|| SUBSEQUENCE_PENALTY + name.len() - wanted.len())
}

/// The optimal string alignment distance (restricted Damerau-Levenshtein): the number of insertions, deletions,
/// replacements and swaps of neighbours that turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggestions(wanted: &str, names: &[&str]) -> Vec<String> {
        nearest(wanted, names.iter().map(|&name| (name, 1))).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn case_then_typing_errors_then_letters_in_order() {
        let names = ["a.LlmAgent", "a.LlmAgents", "a.LoopAgent", "a.Runner"];
        assert_eq!(suggestions("llmagent", &names), ["a.LlmAgent", "a.LlmAgents"]);
        assert_eq!(suggestions("LmlAgent", &names)[0], "a.LlmAgent");
        assert_eq!(suggestions("run", &names), ["a.Runner"]);
        assert_eq!(suggestions("b.LlmAgent", &names)[0], "a.LlmAgent");
        assert!(suggestions("Zebra", &names).is_empty());
        let names = ["packages/math/src/point#pointFrom", "packages/http/src/client#Client.get"];
        assert_eq!(suggestions("pointForm", &names), ["packages/math/src/point#pointFrom"]);
        assert_eq!(suggestions("Cleint.get", &names), ["packages/http/src/client#Client.get"]);
        assert_eq!(suggestions("src/piont", &["packages/math/src/point"]), ["packages/math/src/point"]);
    }

    #[test]
    fn a_swap_of_neighbours_is_one_error() {
        assert_eq!((distance("agent", "agnet"), distance("", "ab"), distance("abc", "abc")), (1, 2, 0));
    }
}
