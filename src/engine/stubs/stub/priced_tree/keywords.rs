//! The keywords that `**kwargs` takes, as a text: those that it passes on to other functions, and the keys of a
//! `TypedDict`.

use arcstr::ArcStr;
use rustc_hash::FxHashSet;

use super::{PricedTree, values::ParameterValues};
use crate::exports::class_named;
use crate::stub::text::sanitized;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::Definition;

/// The greatest number of keywords in the text.
const MAX_KEYWORDS: usize = 8;

impl PricedTree {
    /// The keywords that `**kwargs` takes and no counted call passes: those that an intent names, and for a function
    /// that declares no other name the first ones.
    pub(super) fn passed_on(&self, id: DefinitionId, definition: &Definition) -> ParameterValues {
        let Some(signature) = &definition.signature else { return ParameterValues::default() };
        let overrides = self.overrides.of(id);
        let is_counted = |at: usize| definition.usage.parameters.get(at).is_some_and(|usage| usage.count > 0);
        let is_keyword = |at: &usize| signature.receiver_of_keyword(*at).is_some();
        let uncounted = (0..signature.parameters.len()).filter(is_keyword).filter(|at| !is_counted(*at));
        let uncounted = uncounted.map(|at| {
            (&signature.parameters[at].name, overrides.is_some_and(|overrides| overrides.asked.contains(at)))
        });
        let passed_on = signature
            .passed_on
            .iter()
            .enumerate()
            .map(|(at, name)| (name, overrides.is_some_and(|overrides| overrides.asked_passed_on.contains(at))));
        let keys = self.uncounted_keys(definition);
        let relevance = |name: &str| self.overrides.intent.as_ref().map_or(0.0, |intent| intent.relevance(name));
        let keys = keys.iter().map(|name| (name, relevance(name) > 0.0));
        let named = uncounted.chain(passed_on).chain(keys);
        let (asked, others): (Vec<_>, Vec<_>) = named.partition(|(_, is_asked)| *is_asked);
        let declares_none =
            (0..signature.parameters.len()).all(|at| signature.parameters[at].is_variadic() || is_keyword(&at));
        let says_others = declares_none || self.is_requested_with_few_parameters(id, definition);
        let others = others.into_iter().filter(|_| says_others && self.overrides.has_intent());
        let is_asked = !asked.is_empty();
        let left = MAX_KEYWORDS.saturating_sub(asked.len());
        let names = asked.into_iter().chain(others.take(left)).map(|(name, _)| format!("{}=", sanitized(name)));
        ParameterValues { text: names.collect::<Vec<_>>().join(", "), is_asked, ..ParameterValues::default() }
    }

    /// The keys of the `TypedDict` whose keys are the keywords of a function, as in `**options: Unpack[Options]`, as
    /// far as no counted call passes them. Empty without an intent.
    fn uncounted_keys(&self, definition: &Definition) -> Vec<ArcStr> {
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let unpacked = parameters.iter().find_map(|parameter| {
            let (_, class) = parameter.annotation.as_deref()?.split_once("Unpack[")?;
            let name = class.split(']').next()?;
            class_named(&self.index, definition, name).or_else(|| self.only_class(name))
        });
        let Some(class) = unpacked.filter(|_| self.overrides.has_intent()) else { return Vec::new() };
        let of_class = self.index.definition(class).signature.iter().flat_map(|signature| &signature.parameters);
        let members = self.index.members_of(class).map(|id| &self.index.definition(id).name);
        let mut names: Vec<ArcStr> = of_class.map(|parameter| &parameter.name).chain(members).cloned().collect();
        names.retain(|name| !name.starts_with('_') && parameters.iter().all(|parameter| parameter.name != *name));
        let mut seen = FxHashSet::default();
        names.retain(|name| seen.insert(name.clone()));
        names
    }
}
