//! What documents show: the sections that match an intent best raise the symbols that their code calls and their text
//! names, and the symbols that match best raise the sections that show them.

use rustc_hash::FxHashMap;

use super::{Corpus, entries::CorpusEntry};

/// The number of sections that raise symbols.
const MAX_SECTIONS: usize = 8;
/// The number of sections that symbols may raise: those that match best.
const MAX_RAISED_SECTIONS: usize = 60;
/// The number of symbols that raise sections.
const MAX_RAISING_SYMBOLS: usize = 8;
/// The number of symbols of a section that it raises: those that it shows most often.
const MAX_SYMBOLS: usize = 5;
/// A symbol is raised by a share of the match of its section. The share is 1 for the first symbol, 1 / (1 + this) for
/// the second one, 1 / (1 + 2 × this) for the third one.
const LOSS_BY_PLACE: f64 = 0.25;

/// For each symbol that the best sections show, how much they raise it: for one section at most 1. `sections` are the
/// sections that match, each with its match, in any order.
pub(super) fn shown_symbols(corpus: &Corpus, mut sections: Vec<(u32, f64)>) -> FxHashMap<u32, f64> {
    keep_best(&mut sections, MAX_SECTIONS);
    let best = sections.first().map_or(1.0, |(_, best)| *best);
    let mut shown: FxHashMap<u32, f64> = FxHashMap::default();
    for (entry, matched) in sections {
        for (symbol, share) in symbols_of(corpus, entry) {
            *shown.entry(symbol).or_default() += share * matched / best;
        }
    }
    shown
}

/// For each section that shows one of the best symbols, how much these raise it: one symbol at most by 1. `symbols` and
/// `sections` are those that match, each with its match, in any order; the best of them are left.
pub(super) fn sections_that_show(
    corpus: &Corpus,
    symbols: &mut Vec<(u32, f64)>,
    sections: &mut Vec<(u32, f64)>,
) -> FxHashMap<u32, f64> {
    keep_best(symbols, MAX_RAISING_SYMBOLS);
    keep_best(sections, MAX_RAISED_SECTIONS);
    let best = symbols.first().map_or(1.0, |(_, best)| *best);
    let matches: FxHashMap<u32, f64> = symbols.iter().copied().collect();
    let raised = |entry: u32| {
        symbols_of(corpus, entry).filter_map(|(symbol, share)| Some(share * matches.get(&symbol)? / best)).sum::<f64>()
    };
    sections.iter().map(|(entry, _)| (*entry, raised(*entry))).filter(|(_, raised)| *raised > 0.0).collect()
}

/// Keeps the first `most` of some entries by their matches, best first.
fn keep_best(entries: &mut Vec<(u32, f64)>, most: usize) {
    let compare = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if most < entries.len() {
        entries.select_nth_unstable_by(most, compare);
        entries.truncate(most);
    }
    entries.sort_unstable_by(compare);
}

/// The first symbols of a section, each with the share of a match that the section and the symbol give each other.
fn symbols_of(corpus: &Corpus, entry: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
    let section = match corpus.entry(entry) {
        CorpusEntry::Section(at) => corpus.sections.get(at as usize),
        CorpusEntry::Symbol(_) | CorpusEntry::Recipe(_) => None,
    };
    let symbols = section.map(|section| section.symbols).unwrap_or_default();
    symbols.into_iter().take(MAX_SYMBOLS).zip(0_u8..).filter_map(|(id, place)| {
        // The symbols of a table are sorted.
        let symbol = corpus.symbols().symbols().binary_search(&id).ok()? as u32;
        let specificity = f64::from(corpus.static_scores.of(symbol).specificity);
        Some((symbol, specificity / (1.0 + LOSS_BY_PLACE * f64::from(place))))
    })
}
