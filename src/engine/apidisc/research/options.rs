//! Results that are properties of options → the functions that take the options: nobody calls a property, and a reader
//! of a context writes the call that passes it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::found::{Found, is_of_api};
use apidisc_answering::{answers::Context, discover::Corpus};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::Index;

/// The greatest number of names of types between a function and the type that declares a property:
/// `WorkOptions` of `work(options: WorkOptions)` may extend the type.
const MAX_NAMES: usize = 3;

/// Replaces each property of an interface or object type by the most used function of the API that takes it as a
/// property of a parameter, and joins the results of one function, at the place of the best one. A property that no
/// such function takes stays.
pub(super) fn as_functions(context: &Context<'_>, corpus: &Corpus, symbols: Vec<Found>) -> Vec<Found> {
    let index = context.symbols.index();
    let option = |symbol: &Found| context.symbols.known(&symbol.id).filter(|id| is_property_of_a_type(index, *id));
    let options: Vec<Option<DefinitionId>> = symbols.iter().map(option).collect();
    let takers = Takers::new(index, corpus, options.iter().copied().flatten());
    let mut places: FxHashMap<DefinitionId, usize> = FxHashMap::default();
    let mut found: Vec<Found> = Vec::new();
    for (symbol, option) in symbols.into_iter().zip(options) {
        let Some(id) = context.symbols.known(&symbol.id) else {
            found.push(symbol);
            continue;
        };
        let taker = option.and_then(|option| takers.of(option));
        let id = taker.map_or(id, |(taker, _)| taker);
        let symbol = match taker {
            Some((taker, position)) => symbol.replaced_by(context, taker, position),
            None => symbol,
        };
        if let Some(&place) = places.get(&id) {
            let best: &mut Found = &mut found[place];
            best.relevance = best.relevance.max(symbol.relevance);
            best.options.extend(symbol.options);
        } else {
            places.insert(id, found.len());
            found.push(symbol);
        }
    }
    found
}

/// True for a property of an interface or object type.
fn is_property_of_a_type(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    let is_value = matches!(definition.kind, DefinitionKind::Attribute | DefinitionKind::Property);
    let parent = definition.parent.filter(|_| is_value).map(|parent| index.definition(parent).kind);
    matches!(parent, Some(DefinitionKind::Interface | DefinitionKind::TypeAlias))
}

/// The functions that take properties.
struct Takers<'i> {
    index: &'i Index,
    /// By name: the functions of the API with a parameter that has such a property, with the position of the property.
    by_name: FxHashMap<&'i str, Vec<(DefinitionId, usize)>>,
}

impl<'i> Takers<'i> {
    fn new(index: &'i Index, corpus: &Corpus, properties: impl Iterator<Item = DefinitionId>) -> Self {
        let mut by_name: FxHashMap<&str, Vec<(DefinitionId, usize)>> =
            properties.map(|id| (index.definition(id).name.as_str(), Vec::new())).collect();
        let has_properties = !by_name.is_empty();
        for (id, definition) in index.definitions_with_ids().filter(|_| has_properties) {
            let Some(signature) = definition.signature.as_deref() else { continue };
            if !definition.kind.is_callable() || !is_of_api(index, id) || corpus.is_inner(id) {
                continue;
            }
            for (position, parameter) in signature.parameters.iter().enumerate() {
                if parameter.object.is_some()
                    && let Some(takers) = by_name.get_mut(parameter.name.as_str())
                {
                    takers.push((id, position));
                }
            }
        }
        Self { index, by_name }
    }

    /// The most used function that takes a property, with the position of the property; of equally used ones the first.
    fn of(&self, property: DefinitionId) -> Option<(DefinitionId, usize)> {
        let definition = self.index.definition(property);
        let ty = definition.parent?;
        let takers = self.by_name.get(definition.name.as_str())?.iter().copied();
        let uses = |id: DefinitionId| self.index.definition(id).ranking_uses();
        let taking = takers.filter(|(taker, _)| self.names(*taker, ty));
        taking.reduce(|best, other| if uses(other.0) > uses(best.0) { other } else { best })
    }

    /// True if a definition names a type, itself or over a few names of types.
    fn names(&self, id: DefinitionId, ty: DefinitionId) -> bool {
        let mut seen = FxHashSet::default();
        let mut level = vec![id];
        for _ in 0..=MAX_NAMES {
            let named = level.iter().flat_map(|id| {
                let definition = self.index.definition(*id);
                definition.type_names.iter().filter_map(|(_, id)| *id).chain(definition.ancestors.iter().copied())
            });
            let next: Vec<DefinitionId> = named.filter(|id| seen.insert(*id)).collect();
            if next.contains(&ty) {
                return true;
            }
            level = next;
        }
        false
    }
}
