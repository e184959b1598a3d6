//! The sources that an answer names, and whether the model has read them.

use std::collections::{BTreeMap, BTreeSet};

use apidisc::openapi::ApiIndex;
use serde::{Deserialize, Serialize};

use crate::memory::{Memory, MemoryEntry};

/// The mark behind a source that was not read.
const NOT_READ: &str = " (not read)";
/// The longest source in a citation, in bytes.
const MAX_LENGTH: usize = 400;
/// The beginnings of the part of a chunk's id that follows the path of the file.
const CHUNK_PARTS: [&str; 7] = ["info", "tags", "servers", "security", "paths/", "webhooks/", "components/"];

/// A source that an answer names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The source as the answer writes it: `path:line`, `path:first-last`, or the id of a chunk of an API document.
    pub source: String,
    /// The place of the source, `path:line` or `path:first-last`; `None` for the id of a chunk that does not exist.
    pub place: Option<String>,
    /// True if a result that the model received contains the source.
    pub was_read: bool,
}

/// The answer with a mark behind every source that no result of the memory contains, and the sources of the answer,
/// each once. `documents` are the API documents that results are about.
pub(super) fn checked(answer: &str, memory: &Memory, documents: &ApiIndex) -> (String, Vec<Citation>) {
    let delivered = Delivered::of(memory);
    let mut checked = String::with_capacity(answer.len());
    let mut citations: Vec<Citation> = Vec::new();
    let mut rest = answer;
    while let Some(start) = rest.find('[') {
        let Some(length) = rest[start..].find(']') else { break };
        let inside = &rest[start + 1..start + length];
        checked += &rest[..=start + length];
        rest = &rest[start + length + 1..];
        let Some(citation) = delivered.citation(inside.trim(), documents) else { continue };
        if !citation.was_read {
            checked += NOT_READ;
        }
        if citations.iter().all(|other| other.source != citation.source) {
            citations.push(citation);
        }
    }
    (checked + rest, citations)
}

/// `src/a.py:12` or `src/a.py:12-20` as a path with its first and last line.
fn lines_of_file(text: &str) -> Option<(&str, u32, u32)> {
    let (path, lines) = text.rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let is_path = !path.is_empty() && text.len() <= MAX_LENGTH && !path.contains(char::is_whitespace);
    is_path.then_some(())?;
    Some((path, first.parse().ok()?, last.parse().ok()?))
}

/// True for a text in the form of the id of a chunk: `api/shop.yml:paths/orders/post`.
fn is_chunk_id(text: &str) -> bool {
    let has_part = |(file, part): (&str, &str)| {
        !file.is_empty()
            && CHUNK_PARTS.iter().any(|known| part == *known || known.ends_with('/') && part.starts_with(known))
    };
    text.len() <= MAX_LENGTH && !text.contains(char::is_whitespace) && text.split_once(':').is_some_and(has_part)
}

/// The lines and chunks that the results of a memory show or name.
struct Delivered<'m> {
    /// The lines by the path of their file.
    lines: BTreeMap<&'m str, BTreeSet<u32>>,
    /// The ids of chunks, and other texts in their form.
    chunks: BTreeSet<&'m str>,
}

impl<'m> Delivered<'m> {
    fn of(memory: &'m Memory) -> Self {
        let mut delivered = Self { lines: BTreeMap::new(), chunks: BTreeSet::new() };
        for entry in memory.entries(None) {
            match entry {
                MemoryEntry::Environment { content, .. } => delivered.add(content),
                // The results in a request are the context that was found for it; the words above them are the user's.
                MemoryEntry::User { content } => {
                    delivered.add(content.split_once("<tool_result").map_or("", |(_, results)| results));
                }
                MemoryEntry::Assistant { .. } | MemoryEntry::System { .. } => {}
            }
        }
        delivered
    }

    /// Adds the sources of a text: ids of chunks, `src/a.py:12`, and the numbered lines below
    /// `src/a.py, lines 10 to 20 of 99`.
    fn add(&mut self, text: &'m str) {
        for line in text.lines() {
            if let Some((path, numbers)) = line.split_once(", lines ") {
                let numbers: Vec<u32> = numbers.split(' ').filter_map(|word| word.parse().ok()).collect();
                if let [first, last, ..] = numbers[..] {
                    self.add_lines(path.trim_start_matches("# "), first, last);
                }
            }
            for word in line.split(|c: char| c.is_whitespace() || "()[]`,;\"'".contains(c)) {
                let word = word.trim_end_matches('.');
                if let Some((path, first, last)) = lines_of_file(word) {
                    self.add_lines(path, first, last);
                } else if is_chunk_id(word) {
                    self.chunks.insert(word);
                }
            }
        }
    }

    fn add_lines(&mut self, path: &'m str, first: u32, last: u32) {
        if last.saturating_sub(first) < 100_000 {
            self.lines.entry(path).or_default().extend(first..=last);
        }
    }

    /// The source that the text between two brackets names; `None` if the text is no reference to a source.
    fn citation(&self, text: &str, documents: &ApiIndex) -> Option<Citation> {
        let source = text.to_owned();
        if let Some((path, first, last)) = lines_of_file(text) {
            let was_read = self.lines.get(path).is_some_and(|lines| lines.contains(&first) && lines.contains(&last));
            return Some(Citation { place: Some(source.clone()), source, was_read });
        }
        is_chunk_id(text).then(|| {
            let place = documents.place(text);
            // A result also repeats the ids that it did not find.
            let was_read = place.is_some() && self.chunks.contains(text);
            Citation { source, place, was_read }
        })
    }
}

#[cfg(test)]
mod tests {
    use apidisc::{openapi::ApiIndex, source::Source};

    use super::*;
    use crate::memory::ToolCall;

    fn result(memory: &mut Memory, tool: &str, content: &str) {
        let call = ToolCall::new(tool, serde_json::Value::Null);
        memory.add(MemoryEntry::Environment { call, content: content.to_owned() });
    }

    fn read(citations: &[Citation]) -> Vec<(&str, bool)> {
        citations.iter().map(|citation| (citation.source.as_str(), citation.was_read)).collect()
    }

    #[test]
    fn only_places_that_were_read_are_sources() {
        let mut memory = Memory::new();
        let question = "How, as in src/asked.py:7?\n<tool_result tool=\"research\">\n## Client.get (src/client.py:12)";
        memory.add(MemoryEntry::User { content: question.to_owned() });
        result(&mut memory, "get_symbol_source", "src/b.py, lines 3 to 5 of 90\n3 def f():");
        memory.add(MemoryEntry::Assistant { content: "see src/made_up.py:1".to_owned(), calls: Vec::new() });
        let answer = "Get it [src/client.py:12], then f [src/b.py:4-5], not [src/b.py:6] nor [src/made_up.py:1] nor \
                      [src/asked.py:7]. `x[0]` and [a: b] and [link](http://a.b:80) are no places. [src/b.py:6]";
        let (checked, citations) = checked(answer, &memory, &ApiIndex::default());
        let expected = "Get it [src/client.py:12], then f [src/b.py:4-5], not [src/b.py:6] (not read) nor \
                        [src/made_up.py:1] (not read) nor [src/asked.py:7] (not read). `x[0]` and [a: b] and \
                        [link](http://a.b:80) are no places. [src/b.py:6] (not read)";
        assert_eq!(checked, expected);
        let expected = [
            ("src/client.py:12", true),
            ("src/b.py:4-5", true),
            ("src/b.py:6", false),
            ("src/made_up.py:1", false),
            ("src/asked.py:7", false),
        ];
        assert_eq!(read(&citations), expected);
    }

    #[test]
    fn chunks_that_were_read_are_sources() {
        let document = "openapi: 3.0.0\ninfo: { title: Shop, version: '1' }\npaths:\n  /orders:\n    get: { responses: {} \
                        }\n    post: { responses: {} }\n";
        let files = [("api.yml".to_owned(), document.as_bytes().to_vec().into())].into_iter().collect();
        let documents = ApiIndex::read(&Source::Memory { name: "m".to_owned(), files }).unwrap();
        let mut memory = Memory::new();
        let found = "1 chunks, 9 tokens of content\nno chunk has the id `api.yml:paths/orders/put`; the nearest: …\n# \
                     api.yml:paths/orders/post api.yml:6\n{}";
        result(&mut memory, "get_chunks", found);
        let answer = "Post it [api.yml:paths/orders/post], do not list [api.yml:paths/orders/get] or put \
                      [api.yml:paths/orders/put]. [api.yml:anything] is no id.";
        let (checked, citations) = checked(answer, &memory, &documents);
        let expected = "Post it [api.yml:paths/orders/post], do not list [api.yml:paths/orders/get] (not read) or put \
                        [api.yml:paths/orders/put] (not read). [api.yml:anything] is no id.";
        assert_eq!(checked, expected);
        let expected = [
            ("api.yml:paths/orders/post", true),
            ("api.yml:paths/orders/get", false),
            ("api.yml:paths/orders/put", false),
        ];
        assert_eq!(read(&citations), expected);
        let places: Vec<Option<&str>> = citations.iter().map(|citation| citation.place.as_deref()).collect();
        assert_eq!(places, [Some("api.yml:6"), Some("api.yml:5"), None]);
    }
}
