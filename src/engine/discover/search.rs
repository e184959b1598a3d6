//! `discover`: the results for an intent, by the rules of a request.

use super::{
    Corpus, Discover, Discovered, Found, FoundKind, MAX_RESULTS, Meta, Wanted, Weights,
    corpus::Entry,
    intent::Intent,
    ranking::{Ranked, ranked},
    sections::Section,
};
use crate::{
    answers::{AnswerError, in_range, symbol_hash},
    program::DefinitionId,
};

/// The symbols, recipes and sections of documents that serve an intent, best first.
///
/// # Errors
/// [`AnswerError`] for an empty intent, and for a limit or a least score out of range.
pub fn discover(corpus: &Corpus, request: &Discover) -> Result<Discovered, AnswerError> {
    let limit = in_range("limit", request.limit, 1, MAX_RESULTS)?;
    if request.intent.trim().is_empty() {
        return Err(AnswerError::WrongFields("the intent is empty; say in words what is to be done"));
    }
    let min_score = request.filter.min_score;
    if !(0.0..=1.0).contains(&min_score) {
        return Err(AnswerError::WrongFields("min_score is a share from 0 to 1"));
    }
    let mut found = ranked(corpus, &Intent::new(&request.intent), &Weights::default());
    found.retain(|ranked| ranked.score() >= min_score && is_wanted(corpus, ranked, request.filter.kind));
    let total_found = found.len();
    let results: Vec<Found> = found.iter().take(limit).map(|ranked| shown(corpus, ranked)).collect();
    let meta = Meta {
        query: request.intent.clone(),
        filter_type: request.filter.kind,
        total_found,
        returned_count: results.len(),
        symbols_count: total_found,
        ..Meta::default()
    };
    Ok(Discovered { results, meta })
}

/// The symbols that match an intent, best first, by weights that an evaluation sets. Each result is a symbol and, if it
/// stands for the symbols of a class, those that match as well.
pub fn rank_symbols(corpus: &Corpus, intent: &str, weights: &Weights) -> Vec<Vec<DefinitionId>> {
    let symbol = |entry: u32| corpus.symbols().symbols().get(entry as usize).copied();
    let ids = |ranked: Ranked| [vec![ranked.entry], ranked.members].concat().into_iter().filter_map(symbol).collect();
    let found = ranked(corpus, &Intent::new(intent), weights).into_iter().map(ids);
    found.filter(|ids: &Vec<DefinitionId>| !ids.is_empty()).collect()
}

fn is_wanted(corpus: &Corpus, ranked: &Ranked, wanted: Wanted) -> bool {
    match corpus.entries[ranked.entry as usize] {
        Entry::Symbol(_) => matches!(wanted, Wanted::All | Wanted::Symbol),
        Entry::Section(_) => matches!(wanted, Wanted::All | Wanted::Doc),
    }
}

fn shown(corpus: &Corpus, ranked: &Ranked) -> Found {
    match corpus.entries[ranked.entry as usize] {
        Entry::Symbol(id) => symbol(corpus, ranked, id),
        Entry::Section(at) => section(corpus, ranked, &corpus.sections[at as usize]),
    }
}

fn symbol(corpus: &Corpus, ranked: &Ranked, id: DefinitionId) -> Found {
    let table = corpus.symbols();
    let index = table.index();
    let definition = index.definition(id);
    let file = index.files.get(definition.place.file.index());
    let member = |entry: &u32| table.name_of(table.symbols()[*entry as usize]).to_string();
    Found {
        kind: FoundKind::Symbol,
        id: symbol_hash(&definition.fqn),
        name: table.name_of(id).to_string(),
        description: definition.summary.as_ref().map(ToString::to_string).unwrap_or_default(),
        score: ranked.score(),
        semantic_score: ranked.semantic,
        score_parts: ranked.parts,
        symbol_kind: Some(definition.kind.word()),
        path: file.map(|file| file.path.to_string()),
        line: Some(definition.place.line),
        server_id: None,
        input_schema: None,
        code_snippet: definition.typical_call.as_ref().map(ToString::to_string),
        success_rate: None,
        usage_count: Some(definition.usage.uses()),
        symbols: ranked.members.iter().map(member).collect(),
        related: Vec::new(),
    }
}

fn section(corpus: &Corpus, ranked: &Ranked, section: &Section) -> Found {
    Found {
        kind: FoundKind::Doc,
        id: format!("{}:{}", section.path, section.line),
        name: section.heading.clone(),
        description: section.text.lines().find(|line| !line.is_empty()).unwrap_or_default().to_owned(),
        score: ranked.score(),
        semantic_score: ranked.semantic,
        score_parts: ranked.parts,
        symbol_kind: None,
        path: Some(section.path.clone()),
        line: Some(section.line),
        server_id: None,
        input_schema: None,
        code_snippet: None,
        success_rate: None,
        usage_count: None,
        symbols: section.symbols.iter().map(|id| corpus.symbols().name_of(*id).to_string()).collect(),
        related: Vec::new(),
    }
}
