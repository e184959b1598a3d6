//! What documents show: the sections that match an intent best raise the symbols that their code calls and their text
//! names.

use rustc_hash::FxHashMap;

use super::{Corpus, entries::CorpusEntry};

/// The number of sections that raise symbols.
const MAX_SECTIONS: usize = 8;
/// The number of symbols of a section that it raises: those that it shows most often.
const MAX_SYMBOLS: usize = 5;
/// A symbol is raised by a share of the match of its section. The share is 1 for the first symbol, 1 / (1 + this) for
/// the second one, 1 / (1 + 2 × this) for the third one.
const LOSS_BY_PLACE: f64 = 0.25;

/// For each symbol that the best sections show, how much they raise it: for one section at most 1. `sections` are the
/// sections that match, each with its match, in any order.
pub(super) fn shown_symbols(corpus: &Corpus, mut sections: Vec<(u32, f64)>) -> FxHashMap<u32, f64> {
    sections.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    sections.truncate(MAX_SECTIONS);
    let best = sections.first().map_or(1.0, |(_, best)| *best);
    let mut shown: FxHashMap<u32, f64> = FxHashMap::default();
    let symbols = corpus.symbols().symbols();
    for (entry, matched) in sections {
        let CorpusEntry::Section(at) = corpus.entry(entry) else { continue };
        let Some(section) = corpus.sections.get(at as usize) else { continue };
        for (id, place) in section.symbols.iter().take(MAX_SYMBOLS).zip(0_u8..) {
            // The symbols of a table are sorted.
            let Ok(symbol) = symbols.binary_search(id) else { continue };
            let symbol = symbol as u32;
            let specificity = f64::from(corpus.static_scores.of(symbol).specificity);
            *shown.entry(symbol).or_default() +=
                specificity * matched / best / (1.0 + LOSS_BY_PLACE * f64::from(place));
        }
    }
    shown
}
