//! The order of symbols for a query: exact names first, then by words and use.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::{SymbolTable, symbol_terms};
use crate::terms;
use apidisc_base::{language::QualifiedName, sort::SharedSort as _};
use apidisc_facts::{
    program::{DefinitionId, DefinitionKind},
    source::Origin,
};
use apidisc_indexing::index::{Definition, Index};

/// The amount by which the factor for use grows with each doubling of the number of uses.
const WEIGHT_OF_USE: f64 = 0.06;
/// The longest query that may be a name, in bytes.
const MAX_NAME_BYTES: usize = 1_000;

/// A symbol with its score from 0 to 1, relative to the best symbol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RankedSymbol {
    pub(super) id: DefinitionId,
    pub(super) score: f64,
}

/// The exactness of a match between a name and a query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Exactness {
    /// Only words of the name or of other fields match.
    Words,
    /// The whole name matches in any case and with any separators: `http server` for `HTTPServer`, `session` for
    /// `Session`.
    Folded,
    /// The whole name or its last parts match exactly, and the query can only be a name: it has a capital, a `_` or a
    /// separator.
    Exact,
}

/// All symbols that `is_wanted` accepts and that match the query, best first. Every symbol matches `*`.
pub(super) fn ranked(table: &SymbolTable, query: &str, is_wanted: impl Fn(DefinitionId) -> bool) -> Vec<RankedSymbol> {
    let query = query.trim();
    if query.is_empty() || query == "*" {
        let wanted = table.symbols().iter().filter(|id| is_wanted(**id));
        return in_order(table, wanted.map(|&id| (Exactness::Words, prior(table, id), id)).collect());
    }
    let scores = symbol_terms::scores(table.terms(), query);
    let folded = terms::folded(query);
    let mut found = Vec::new();
    for (at, &id) in table.symbols().iter().enumerate() {
        let words = Some(scores[at]).filter(|score| *score > 0.0);
        let definition = table.index().definition(id);
        let exactness = exactness(definition, query, &folded);
        if (words.is_none() && exactness == Exactness::Words) || !is_wanted(id) {
            continue;
        }
        found.push((exactness, f64::from(words.unwrap_or_default()) * prior(table, id), id));
    }
    // If the query is the name of a symbol, symbols that only share words with it are left out. If that name has no
    // container in the query, the symbols whose names contain it as a whole stay, such as `HttpServerConfig` for
    // `HttpServer`; it must then be a name of the library itself.
    let is_qualified = query.contains(QualifiedName::SEPARATORS);
    let is_named = |id| is_qualified || origin(table.index(), id) == Origin::Src;
    if found.iter().any(|(exactness, _, id)| *exactness == Exactness::Exact && is_named(*id)) {
        let contains_it = |id| !is_qualified && terms::folded(&table.index().definition(id).name).contains(&folded);
        found.retain(|(exactness, _, id)| *exactness == Exactness::Exact || contains_it(*id));
    }
    in_order(table, found)
}

/// Sorts the symbols by exactness, then by score, calls and reads, other uses, and FQN, and makes their scores relative
/// to the best one.
fn in_order(table: &SymbolTable, mut found: Vec<(Exactness, f64, DefinitionId)>) -> Vec<RankedSymbol> {
    let index = table.index();
    // Counting the other uses of a definition takes a pass over them, so each count is made once.
    let other_uses: FxHashMap<DefinitionId, u32> =
        found.iter().map(|(_, _, id)| (*id, index.total_other_uses(*id))).collect();
    found.shared_sort_by(|a, b| {
        let uses = |id| index.definition(id).usage.uses();
        let by_score = b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal);
        let by_use = || uses(b.2).cmp(&uses(a.2));
        b.0.cmp(&a.0)
            .then(by_score)
            .then_with(by_use)
            .then_with(|| other_uses[&b.2].cmp(&other_uses[&a.2]))
            .then_with(|| index.definition(a.2).fqn.cmp(&index.definition(b.2).fqn))
    });
    let greatest = found.iter().map(|(_, score, _)| *score).fold(f64::MIN_POSITIVE, f64::max);
    let absolute = |exactness: Exactness, score: f64| score / greatest + f64::from(exactness as u8);
    let best = found.first().map_or(1.0, |(exactness, score, _)| absolute(*exactness, *score));
    let ranked = |(exactness, score, id)| RankedSymbol { id, score: absolute(exactness, score) / best };
    found.into_iter().map(ranked).collect()
}

/// The factor of a symbol's score that does not depend on the query. It is greatest for functions, classes and types
/// that are public, defined in the library, and much used.
fn prior(table: &SymbolTable, id: DefinitionId) -> f64 {
    let index = table.index();
    let definition = index.definition(id);
    let file = index.files.get(definition.place.file.index());
    let of_origin = match origin(index, id) {
        Origin::Src if file.is_some_and(|file| file.is_auxiliary) => 0.6,
        Origin::Src => 1.0,
        Origin::Examples | Origin::Docs => 0.4,
        Origin::Tests => 0.3,
    };
    let of_kind = if definition.kind.is_callable() || is_type(definition.kind) { 1.0 } else { 0.7 };
    let of_publicity = if definition.is_public { 1.0 } else { 0.6 };
    let of_use = 1.0 + WEIGHT_OF_USE * f64::from(1 + definition.usage.uses()).log2();
    of_origin * of_kind * of_publicity * of_use
}

/// The origin of the file that defines a symbol.
fn origin(index: &Index, id: DefinitionId) -> Origin {
    index.files.get(index.definition(id).place.file.index()).map_or(Origin::Src, |file| file.origin)
}

fn is_type(kind: DefinitionKind) -> bool {
    use DefinitionKind::{Enum, Interface, Namespace, TypeAlias};
    matches!(kind, Enum | Interface | Namespace | TypeAlias)
}

fn exactness(definition: &Definition, query: &str, folded_query: &str) -> Exactness {
    if query.len() > MAX_NAME_BYTES || query.contains(' ') && folded_query.is_empty() {
        return Exactness::Words;
    }
    let mut names = [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases);
    let is_name = query.contains(|c: char| c.is_uppercase() || c == '_' || QualifiedName::SEPARATORS.contains(&c));
    if is_name && names.any(|name| QualifiedName::new(name, definition.language).ends_with(query)) {
        return Exactness::Exact;
    }
    let (_, public_name) = QualifiedName::new(&definition.alias, definition.language).container_and_name();
    if !folded_query.is_empty()
        && [&definition.name, public_name].iter().any(|name| terms::folded(name) == folded_query)
    {
        return Exactness::Folded;
    }
    Exactness::Words
}
