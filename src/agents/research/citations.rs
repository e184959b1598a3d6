//! The places in an answer, and whether they were read.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::memory::{Entry, Memory};

/// The mark behind a place that was not read.
const NOT_READ: &str = " (not read)";
/// The longest path in a citation, in bytes.
const MAX_PATH: usize = 400;

/// A place that an answer names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// `path:line`
    pub place: String,
    /// True if a result that the model received contains the place.
    pub was_read: bool,
}

/// The answer with a mark behind every place that no result of the memory contains, and the places of the answer.
pub(super) fn checked(answer: &str, memory: &Memory) -> (String, Vec<Citation>) {
    let read = ReadPlaces::of(memory);
    let mut checked = String::with_capacity(answer.len());
    let mut citations: Vec<Citation> = Vec::new();
    let mut rest = answer;
    while let Some(start) = rest.find('[') {
        let Some(length) = rest[start..].find(']') else { break };
        let inside = &rest[start + 1..start + length];
        checked += &rest[..=start + length];
        rest = &rest[start + length + 1..];
        let Some((path, first, last)) = place(inside) else { continue };
        let was_read = read.has(path, first, last);
        if !was_read {
            checked += NOT_READ;
        }
        let place = inside.trim().to_owned();
        if citations.iter().all(|citation| citation.place != place) {
            citations.push(Citation { place, was_read });
        }
    }
    (checked + rest, citations)
}

/// `src/a.py:12` or `src/a.py:12-20` as a path with its first and last line.
fn place(text: &str) -> Option<(&str, u32, u32)> {
    let (path, lines) = text.trim().rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let is_path = !path.is_empty() && path.len() <= MAX_PATH && !path.contains(char::is_whitespace);
    is_path.then_some(())?;
    Some((path, first.parse().ok()?, last.parse().ok()?))
}

/// The lines that results have shown or named, by path.
struct ReadPlaces<'m> {
    lines: BTreeMap<&'m str, BTreeSet<u32>>,
}

impl<'m> ReadPlaces<'m> {
    fn of(memory: &'m Memory) -> Self {
        let mut read = Self { lines: BTreeMap::new() };
        for entry in memory.entries(None) {
            // The request contains the context that was found for it.
            if let Entry::Environment { content, .. } | Entry::User { content } = entry {
                read.add(content);
            }
        }
        read
    }

    /// Adds the places of a text: `src/a.py:12`, and the numbered lines below `src/a.py, lines 10 to 20 of 99`.
    fn add(&mut self, text: &'m str) {
        for line in text.lines() {
            if let Some((path, numbers)) = line.split_once(", lines ") {
                let numbers: Vec<u32> = numbers.split(' ').filter_map(|word| word.parse().ok()).collect();
                if let [first, last, ..] = numbers[..]
                    && last.saturating_sub(first) < 100_000
                {
                    self.lines.entry(path.trim_start_matches("# ")).or_default().extend(first..=last);
                }
            }
            for word in line.split(|c: char| c.is_whitespace() || "()[]`,;\"'".contains(c)) {
                if let Some((path, first, last)) = place(word.trim_end_matches('.'))
                    && last.saturating_sub(first) < 100_000
                {
                    self.lines.entry(path).or_default().extend(first..=last);
                }
            }
        }
    }

    fn has(&self, path: &str, first: u32, last: u32) -> bool {
        self.lines.get(path).is_some_and(|lines| lines.contains(&first) && lines.contains(&last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::ToolCall;

    #[test]
    fn only_places_that_were_read_are_sources() {
        let mut memory = Memory::new();
        memory.add(Entry::User { content: "How?\n## Client.get (src/client.py:12)".to_owned() });
        let call = ToolCall::new("get_symbol_source", serde_json::Value::Null);
        memory.add(Entry::Environment { call, content: "src/b.py, lines 3 to 5 of 90\n3 def f():".to_owned() });
        memory.add(Entry::Assistant { content: "see src/made_up.py:1".to_owned(), calls: Vec::new() });
        let answer = "Get it [src/client.py:12], then f [src/b.py:4-5], not [src/b.py:6] nor [src/made_up.py:1]. \
                      `x[0]` and [a: b] and [link](http://a.b:80) are no places. [src/b.py:6]";
        let (checked, citations) = checked(answer, &memory);
        let expected = "Get it [src/client.py:12], then f [src/b.py:4-5], not [src/b.py:6] (not read) nor \
                        [src/made_up.py:1] (not read). `x[0]` and [a: b] and [link](http://a.b:80) are no places. \
                        [src/b.py:6] (not read)";
        assert_eq!(checked, expected);
        let read: Vec<(&str, bool)> =
            citations.iter().map(|citation| (citation.place.as_str(), citation.was_read)).collect();
        let expected =
            [("src/client.py:12", true), ("src/b.py:4-5", true), ("src/b.py:6", false), ("src/made_up.py:1", false)];
        assert_eq!(read, expected);
    }
}
