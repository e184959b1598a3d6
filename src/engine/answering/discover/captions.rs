//! What documents say of symbols: captions and descriptions. A caption is a paragraph above code; it describes what the
//! call of a symbol in that code does. A description is the text of a page about one symbol.

use rustc_hash::{FxHashMap, FxHashSet};

use apidisc_facts::program::DefinitionId;

/// The longest caption, in bytes. Of a longer paragraph the end is kept, since the last sentence introduces the code.
const LONGEST_CAPTION: usize = 400;
/// The greatest number of captions of one symbol.
const MAX_CAPTIONS: usize = 12;
/// The longest description, in bytes.
const LONGEST_DESCRIPTION: usize = 1_500;
/// The greatest number of descriptions of one symbol.
const MAX_DESCRIPTIONS: usize = 3;

/// Paragraphs of documents by the symbols that the code below them calls, and descriptions of symbols.
#[derive(Debug, Default)]
pub(super) struct Captions {
    texts: Vec<String>,
    /// For each symbol, the positions of its captions in `texts`.
    of_symbols: FxHashMap<DefinitionId, Vec<usize>>,
    descriptions: FxHashMap<DefinitionId, Vec<String>>,
}

impl Captions {
    /// Adds a paragraph for each of some symbols.
    pub(super) fn add(&mut self, paragraph: &str, symbols: impl Iterator<Item = DefinitionId>) {
        let at = self.texts.len();
        let mut seen = FxHashSet::default();
        for symbol in symbols.filter(|symbol| seen.insert(*symbol)) {
            let captions = self.of_symbols.entry(symbol).or_default();
            if captions.len() < MAX_CAPTIONS {
                captions.push(at);
            }
        }
        if !seen.is_empty() {
            let start = paragraph.len().saturating_sub(LONGEST_CAPTION);
            self.texts.push(paragraph[paragraph.ceil_char_boundary(start)..].to_owned());
        }
    }

    /// Adds the description of a symbol.
    pub(super) fn describe(&mut self, symbol: DefinitionId, text: &str) {
        let descriptions = self.descriptions.entry(symbol).or_default();
        if descriptions.len() < MAX_DESCRIPTIONS {
            descriptions.push(text[..text.floor_char_boundary(LONGEST_DESCRIPTION)].to_owned());
        }
    }

    /// The texts that pages of documentation have about a symbol, in the order of the documents.
    pub(super) fn descriptions(&self, symbol: DefinitionId) -> &[String] {
        self.descriptions.get(&symbol).map_or(&[], Vec::as_slice)
    }

    /// The captions of a symbol, in the order of the documents.
    pub(super) fn of(&self, symbol: DefinitionId) -> impl Iterator<Item = &str> {
        let positions = self.of_symbols.get(&symbol).map_or(&[][..], Vec::as_slice);
        positions.iter().map(|at| self.texts[*at].as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::{Captions, LONGEST_CAPTION, LONGEST_DESCRIPTION, MAX_CAPTIONS};
    use apidisc_facts::program::DefinitionId;

    #[test]
    fn a_symbol_has_the_ends_of_its_first_paragraphs() {
        let (one, other) = (DefinitionId::new(1), DefinitionId::new(2));
        let mut captions = Captions::default();
        captions.add("Nobody.", [].into_iter());
        captions.add(&format!("{}Upload it:", "é".repeat(LONGEST_CAPTION)), [one, one, other].into_iter());
        for _ in 0..MAX_CAPTIONS {
            captions.add("Again:", [one].into_iter());
        }
        let of_one: Vec<&str> = captions.of(one).collect();
        assert_eq!((of_one.len(), of_one[1]), (MAX_CAPTIONS, "Again:"));
        assert!(of_one[0].ends_with("éUpload it:") && of_one[0].len() <= LONGEST_CAPTION);
        assert_eq!(captions.of(other).count(), 1);
        captions.describe(other, &"é".repeat(LONGEST_DESCRIPTION));
        assert_eq!((captions.descriptions(one).len(), captions.descriptions(other).len()), (0, 1));
        assert!(captions.descriptions(other)[0].len() <= LONGEST_DESCRIPTION);
    }
}
