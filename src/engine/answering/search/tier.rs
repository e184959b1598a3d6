//! The tiers of matches, by how exactly a name matches a query.

use super::{matching::is_plain, names::NameTable};
use apidisc_base::language::QualifiedName;

/// The exactness of a match between a name and a query, ignoring case. Tiers are declared from the least to the most
/// exact; every name of a tier precedes all names of less exact tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchTier {
    /// The letters of every word occur in order; of several words, each is in the name whole or abbreviated.
    Letters,
    /// Every word is the beginning of a word of the label: `client get` in `HttpClient.get_all`.
    Words,
    /// The simple name begins with the last part of the query.
    Prefix,
    /// The simple name is the last part of the query, and the parts before it are parts of the full name, in order.
    LastPart,
    /// The label is the query, and names a public definition of the library. A function that nothing calls is left out:
    /// the most used of the members with its name is meant.
    Name,
}

/// The parts of a query, by which the tier of a name is determined.
pub(super) struct QueryParts<'q> {
    words: &'q str,
    /// The parts between white space and the separators of qualified names; empty if the query uses nucleo's syntax.
    parts: Vec<&'q str>,
}

impl<'q> QueryParts<'q> {
    pub(super) fn new(words: &'q str) -> Self {
        let separates = |c: char| c.is_whitespace() || QualifiedName::SEPARATORS.contains(&c);
        let parts =
            if is_plain(words) { words.split(separates).filter(|part| !part.is_empty()).collect() } else { vec![] };
        Self { words, parts }
    }

    /// The tier of a name that matches.
    pub(super) fn tier(&self, names: &NameTable, row: u32) -> MatchTier {
        let Some((last, containers)) = self.parts.split_last() else { return MatchTier::Letters };
        let [label, parameter] = names.label_parts(row);
        let is_named = names.is_public_source(row) && !names.is_uncalled_function(row);
        if is_named && label.eq_ignore_ascii_case(self.words.as_bytes()) {
            return MatchTier::Name;
        }
        let simple_name = names.simple_name(row).as_bytes();
        let begins = simple_name.get(..last.len()).is_some_and(|start| start.eq_ignore_ascii_case(last.as_bytes()));
        if begins && has_containers(names, row, containers) {
            // Definitions that begin with the word come before parameters of that name, unless a container is named.
            let is_exact = simple_name.len() == last.len() && (parameter.is_empty() || !containers.is_empty());
            return if is_exact { MatchTier::LastPart } else { MatchTier::Prefix };
        }
        let begins_word = |word: &&str| [label, parameter].iter().any(|text| begins_a_word(text, word.as_bytes()));
        if self.parts.iter().all(begins_word) { MatchTier::Words } else { MatchTier::Letters }
    }

    /// True if the part of the query before the last one names the class or module directly around the name.
    pub(super) fn names_parent(&self, names: &NameTable, row: u32) -> bool {
        let [.., parent, _] = self.parts[..] else { return false };
        containers(names, row).next_back().is_some_and(|part| part.eq_ignore_ascii_case(parent))
    }

    /// True if the query has several parts, of which the last is the simple name of the row.
    pub(super) fn ends_in_name(&self, names: &NameTable, row: u32) -> bool {
        self.parts.len() > 1 && self.parts.last().is_some_and(|last| names.simple_name(row).eq_ignore_ascii_case(last))
    }
}

/// The parts of the full name before the simple name, in order.
fn containers(names: &NameTable, row: u32) -> impl DoubleEndedIterator<Item = &str> {
    let [label, parameter] = names.label_parts(row);
    let label = std::str::from_utf8(label).unwrap_or_default();
    let label = if parameter.is_empty() { &label[..label.len() - names.simple_name(row).len()] } else { label };
    let texts = [names.prefix(row), label].into_iter();
    texts.flat_map(|text| text.split(QualifiedName::SEPARATORS)).filter(|part| !part.is_empty())
}

/// True if the parts of the full name before the simple name contain `containers`, in order.
fn has_containers(names: &NameTable, row: u32, containers: &[&str]) -> bool {
    let mut parts = self::containers(names, row);
    containers.iter().all(|container| parts.any(|part| part.eq_ignore_ascii_case(container)))
}

/// True if `word` is the beginning of a word of `text`, ignoring case.
fn begins_a_word(text: &[u8], word: &[u8]) -> bool {
    (0..text.len().saturating_sub(word.len().max(1) - 1))
        .any(|at| begins_word(text, at) && text[at..at + word.len()].eq_ignore_ascii_case(word))
}

/// True if a word of `text` begins at this position: words begin after every character that is no letter or digit, with
/// every capital letter after a small one, and with the last one of several capital letters before a small one
/// (`HTTPServer`).
pub(super) fn begins_word(text: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| text[before]) else { return true };
    let is_small = |byte: &u8| byte.is_ascii_lowercase();
    !before.is_ascii_alphanumeric()
        || text[at].is_ascii_uppercase() && (is_small(&before) || text.get(at + 1).is_some_and(is_small))
}

#[cfg(test)]
mod tests {
    use super::begins_a_word;

    #[test]
    fn words_begin_after_signs_and_with_capitals() {
        let begins = |text: &str, word: &str| begins_a_word(text.as_bytes(), word.as_bytes());
        for word in ["http", "Client", "client", "get", "all", "g"] {
            assert!(begins("HttpClient.get_all", word), "{word}");
        }
        assert!(begins("HTTPServer", "server") && !begins("HTTPServer", "p"));
        for word in ["lient", "et", "ll", "get_all_of_them", "x"] {
            assert!(!begins("HttpClient.get_all", word), "{word}");
        }
        assert!(!begins("", "a"));
    }
}
