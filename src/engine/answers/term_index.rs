//! The inverted index of symbols: BM25F over name, containers, parameters and documentation.
//!
//! The weighted frequency of a term in a symbol is the sum over the fields of `weight × frequency / length norm`
//! (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields, 2004). It is computed when the
//! index is made; a search adds `idf × frequency / (K1 + frequency)` for each of its terms.

use rustc_hash::FxHashMap;

use super::terms::{is_stop_word, singular, words};
use crate::{
    index::{Definition, Index},
    language::QualifiedName,
    program::DefinitionId,
};

/// The saturation of term frequencies.
const K1: f32 = 1.2;
/// The score of a match by prefix, relative to a match of the whole term.
const PREFIX_SHARE: f32 = 0.4;
/// The fewest letters of a term that also matches by prefix.
const SHORTEST_PREFIX: usize = 3;
/// The greatest number of terms that a prefix stands for.
const MOST_EXPANSIONS: usize = 200;

/// The parameters of BM25F for a field of a symbol: its weight, and how much its length reduces the frequencies (`b`).
struct Field {
    weight: f32,
    b: f32,
}

const NAME: usize = 0;
const CONTAINERS: usize = 1;
const PARAMETERS: usize = 2;
const DOCUMENTATION: usize = 3;
const FIELDS: [Field; 4] = [
    Field { weight: 6.0, b: 0.5 },
    Field { weight: 1.5, b: 0.5 },
    Field { weight: 1.0, b: 0.75 },
    Field { weight: 2.0, b: 0.75 },
];

/// The terms of symbols.
#[derive(Debug, Default)]
pub(super) struct TermIndex {
    /// All terms, sorted.
    terms: Vec<Box<str>>,
    /// For each term, the end of its postings.
    ends: Vec<u32>,
    /// The position of a symbol, and the weighted frequency of the term in it.
    postings: Vec<(u32, f32)>,
    symbols: usize,
}

impl TermIndex {
    /// The terms of `symbols`, each of which is identified by its position in the list.
    pub(super) fn new(index: &Index, symbols: &[DefinitionId]) -> Self {
        let texts: Vec<[Vec<String>; 4]> = symbols.iter().map(|id| fields(index.definition(*id))).collect();
        let mut average = [0.0_f32; 4];
        for fields in &texts {
            for (sum, field) in average.iter_mut().zip(fields) {
                *sum += field.len() as f32 / symbols.len() as f32;
            }
        }
        let mut table: FxHashMap<&str, Vec<(u32, f32)>> = FxHashMap::default();
        for (at, fields) in texts.iter().enumerate() {
            for ((field, spec), average) in fields.iter().zip(&FIELDS).zip(average) {
                let norm = 1.0 - spec.b + spec.b * field.len() as f32 / average.max(1.0);
                for term in field {
                    let postings = table.entry(term).or_default();
                    let value = spec.weight / norm;
                    match postings.last_mut() {
                        Some((last, frequency)) if *last == at as u32 => *frequency += value,
                        _ => postings.push((at as u32, value)),
                    }
                }
            }
        }
        let mut table: Vec<_> = table.into_iter().collect();
        table.sort_unstable_by_key(|(term, _)| *term);
        let mut made = Self { symbols: symbols.len(), ..Self::default() };
        for (term, postings) in table {
            made.terms.push(term.into());
            made.postings.extend(postings);
            made.ends.push(made.postings.len() as u32);
        }
        made
    }

    /// The scores of all symbols that have at least one term of a query, by position. Symbols without one have none.
    pub(super) fn scores(&self, query: &str) -> FxHashMap<u32, f32> {
        let mut scores: FxHashMap<u32, f32> = FxHashMap::default();
        let all: Vec<String> = words(query).collect();
        let said: Vec<&String> = all.iter().filter(|word| !is_stop_word(word)).collect();
        // A query of stop words alone is a search for these words.
        let terms: Vec<&str> = if said.is_empty() {
            all.iter().map(|word| singular(word)).collect()
        } else {
            said.into_iter().map(|word| singular(word)).collect()
        };
        let count = terms.len() as f32;
        let mut matched: FxHashMap<u32, f32> = FxHashMap::default();
        for term in terms {
            // For each symbol, only the best match counts: that of the term itself, or of a term that begins with it.
            let mut best: FxHashMap<u32, f32> = FxHashMap::default();
            let start = self.terms.partition_point(|other| **other < *term);
            let is_expanded = term.chars().count() >= SHORTEST_PREFIX;
            let found = self.terms[start..].iter().take(MOST_EXPANSIONS).enumerate();
            for (at, other) in found.take_while(|(_, other)| other.starts_with(term)) {
                let is_whole = other.len() == term.len();
                if !is_whole && !is_expanded {
                    break;
                }
                let share = if is_whole { 1.0 } else { PREFIX_SHARE };
                let postings = self.postings_of(start + at);
                let idf =
                    (1.0 + (self.symbols as f32 - postings.len() as f32 + 0.5) / (postings.len() as f32 + 0.5)).ln();
                for (symbol, frequency) in postings {
                    let score = share * idf * frequency / (K1 + frequency);
                    let slot = best.entry(*symbol).or_default();
                    *slot = slot.max(score);
                }
            }
            for (symbol, score) in best {
                *scores.entry(symbol).or_default() += score;
                *matched.entry(symbol).or_default() += 1.0;
            }
        }
        // A symbol with all terms is a better match than a symbol with one rare term.
        for (symbol, score) in &mut scores {
            *score *= matched[symbol] / count;
        }
        scores
    }

    fn postings_of(&self, term: usize) -> &[(u32, f32)] {
        let start = term.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.postings[start as usize..self.ends[term] as usize]
    }
}

/// The terms of each field of a definition.
fn fields(definition: &Definition) -> [Vec<String>; 4] {
    let terms = |text: &str| words(text).map(|word| singular(&word).to_owned()).collect::<Vec<_>>();
    let mut fields: [Vec<String>; 4] = Default::default();
    let (container, public_name) = QualifiedName::new(&definition.alias, definition.language).container_and_name();
    fields[NAME] = terms(&definition.name);
    if public_name != definition.name {
        fields[NAME].extend(terms(public_name));
    }
    fields[CONTAINERS] = terms(container);
    let parameters = definition.signature.iter().flat_map(|signature| &signature.parameters);
    fields[PARAMETERS] = parameters.flat_map(|parameter| terms(&parameter.name)).collect();
    let said = |text: &str| terms(text).into_iter().filter(|word| !is_stop_word(word)).collect::<Vec<_>>();
    fields[DOCUMENTATION] = definition.summary.iter().flat_map(|summary| said(summary)).collect();
    fields
}
