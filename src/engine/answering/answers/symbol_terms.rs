//! The words of symbols as [`search_symbols`](super::search_symbols()) compares them: those of names, containers,
//! parameters and summaries, in the singular.

use crate::terms::{Alternative, DocumentTermsBuilder, Field, TermIndex, is_stop_word, query_words, singular, words};
use apidisc_base::language::QualifiedName;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::{Definition, Index};

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

/// The words of `symbols`, each of which is identified by its position in the list.
pub(super) fn term_index(index: &Index, symbols: &[DefinitionId]) -> TermIndex {
    let mut builder = DocumentTermsBuilder::new(FIELDS);
    for id in symbols {
        builder.begin();
        add_fields(&mut builder, index.definition(*id));
    }
    TermIndex::new(&builder.finish())
}

fn add_fields(builder: &mut DocumentTermsBuilder<4>, definition: &Definition) {
    let mut add = |field, text: &str| words(text).for_each(|word| builder.add(field, singular(&word)));
    definition.last_names().for_each(|name| add(NAME, name));
    add(CONTAINERS, QualifiedName::new(&definition.alias, definition.language).container_and_name().0);
    let parameters = definition.signature.iter().flat_map(|signature| &signature.parameters);
    parameters.for_each(|parameter| add(PARAMETERS, &parameter.name));
    for word in definition.summary.iter().flat_map(|summary| words(summary)) {
        let term = singular(&word);
        if !is_stop_word(term) {
            builder.add(DOCUMENTATION, term);
        }
    }
}

/// The scores of all symbols, by position; 0 for a symbol that has no word of the query.
pub(super) fn scores(terms: &TermIndex, query: &str) -> Vec<f32> {
    let said = query_words(query);
    let sought: Vec<[Alternative<'_>; 1]> =
        said.iter().map(|word| [Alternative { term: singular(word), share: 1.0, is_prefix: true }]).collect();
    let matches = terms.matches(sought.iter().map(<[_; 1]>::as_slice));
    // A symbol with all terms is a better match than a symbol with one rare term.
    let count = said.len() as f32;
    matches.scores.iter().zip(&matches.matched).map(|(score, matched)| score * (*matched as f32 / count)).collect()
}
