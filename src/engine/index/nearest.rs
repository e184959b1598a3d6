//! What a misspelt name may have meant.

use compact_str::CompactString;

/// That many names are offered.
const OFFERED: usize = 5;

/// What stands between the parts of names.
pub(super) const SEPARATORS: [char; 3] = ['.', '/', '#'];

/// The names nearest to `wanted`, best first: equal but for case, then few typing errors, then those that hold
/// its letters in order; ties by calls, then by name. As many last parts are compared as `wanted` has.
pub(super) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = (&'a CompactString, u32)>) -> Vec<CompactString> {
    let parts = wanted.split(SEPARATORS).count();
    let wanted = wanted.to_lowercase();
    let last = wanted.rsplit(SEPARATORS).next().unwrap_or_default();
    let mut rated: Vec<_> = names
        .filter_map(|(name, calls)| {
            let lower = name.to_lowercase();
            let tail = tail(&lower, parts);
            let own = lower.rsplit(SEPARATORS).next().unwrap_or_default();
            let rating = rate(&wanted, tail).into_iter().chain(rate(last, own).map(|rating| rating + 1)).min()?;
            Some((rating, std::cmp::Reverse(calls), name))
        })
        .collect();
    rated.sort();
    rated.dedup_by(|a, b| a.2 == b.2);
    rated.into_iter().take(OFFERED).map(|(.., name)| name.clone()).collect()
}

/// The last `parts` parts of a name.
fn tail(name: &str, parts: usize) -> &str {
    let start = name.rmatch_indices(SEPARATORS).nth(parts - 1).map_or(0, |(at, _)| at + 1);
    &name[start..]
}

/// How far `name` is from `wanted`, where it is near at all.
fn rate(wanted: &str, name: &str) -> Option<usize> {
    if wanted.is_empty() || wanted.len() > 200 || name.len() > 200 {
        return None;
    }
    let distance = distance(wanted, name);
    if distance <= (wanted.chars().count() / 3).max(1) {
        return Some(distance * 2);
    }
    // `LlmAg` for `LlmAgent`, `lagent` for `LlmAgent`: worse than typing errors, better the shorter the name.
    let mut letters = name.chars();
    let is_within = wanted.chars().all(|letter| letters.any(|l| l == letter));
    (is_within && wanted.len() > 2).then(|| 50 + name.len() - wanted.len())
}

/// Insertions, deletions, replacements and swaps of neighbours that make one word of the other.
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

    fn offered(wanted: &str, names: &[&str]) -> Vec<String> {
        let names: Vec<CompactString> = names.iter().map(|&name| name.into()).collect();
        nearest(wanted, names.iter().map(|name| (name, 1))).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn case_then_typing_errors_then_letters_in_order() {
        let names = ["a.LlmAgent", "a.LlmAgents", "a.LoopAgent", "a.Runner"];
        assert_eq!(offered("llmagent", &names), ["a.LlmAgent", "a.LlmAgents"]);
        assert_eq!(offered("LmlAgent", &names)[0], "a.LlmAgent");
        assert_eq!(offered("run", &names), ["a.Runner"]);
        assert_eq!(offered("b.LlmAgent", &names)[0], "a.LlmAgent");
        assert!(offered("Zebra", &names).is_empty());
        let names = ["packages/math/src/point#pointFrom", "packages/http/src/client#Client.get"];
        assert_eq!(offered("pointForm", &names), ["packages/math/src/point#pointFrom"]);
        assert_eq!(offered("Cleint.get", &names), ["packages/http/src/client#Client.get"]);
        assert_eq!(offered("src/piont", &["packages/math/src/point"]), ["packages/math/src/point"]);
    }

    #[test]
    fn a_swap_of_neighbours_is_one_error() {
        assert_eq!((distance("agent", "agnet"), distance("", "ab"), distance("abc", "abc")), (1, 2, 0));
    }
}
