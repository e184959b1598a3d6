//! What results offer upon which code chains methods: `makeQuery().where(...).limit(...)`, for a reader with an intent.

use std::cmp::Reverse;

use super::{PricedTree, values::ParameterValues};
use crate::{
    exports::{own_types, split_types, type_named},
    intent::members_given,
    stub::{display, text::sanitized, wording::HIDDEN_SIGN},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::Definition;

/// The least number of methods of a fluent class or interface that give their object again.
const MIN_FLUENT_METHODS: usize = 2;
/// The length of the methods, in bytes, behind which no further one is written.
const MAX_TEXT: usize = 90;
/// The least relevance of a named method: one word of the intent in its name.
const LEAST_RELEVANCE: f32 = 0.7;

impl PricedTree {
    /// What the functions offer that make the values of required parameters, if code chains methods upon their results:
    /// `bake() returns Cake: ice(), cut(), ...`.
    pub(super) fn results_of_makers(
        &self,
        definition: &Definition,
        of_parameters: &[(usize, ParameterValues)],
    ) -> Option<ParameterValues> {
        let signature = definition.signature.as_ref().filter(|_| self.overrides.has_intent())?;
        let required =
            of_parameters.iter().filter(|(at, _)| signature.parameters.get(*at).is_some_and(|it| it.required));
        let mut named = required.flat_map(|(_, values)| &values.named);
        let (maker, class) = named.find_map(|id| Some((*id, self.fluent_result(*id)?)))?;
        let methods = self.chained_methods(class);
        let maker = sanitized(&display::written_name(&self.index, maker));
        let class = sanitized(&display::written_name(&self.index, class));
        let text = format!("{maker}() returns {class}: {methods}");
        Some(self.with_relevance(ParameterValues { text, is_given: true, ..ParameterValues::default() }))
    }

    /// The fluent class or interface that a function returns.
    fn fluent_result(&self, id: DefinitionId) -> Option<DefinitionId> {
        let function = self.index.definition(id);
        let signature = function.signature.as_ref().filter(|_| function.kind == DefinitionKind::Function)?;
        let declared = function.overloads.first().unwrap_or(signature);
        let returns = declared.returns.as_deref().or(declared.inferred_returns.as_deref())?;
        let mut types = split_types(returns, '&').filter_map(|part| {
            let name = own_types(part.trim()).next()?;
            type_named(&self.index, function, name)
        });
        types.find(|ty| self.is_fluent(*ty))
    }

    /// True for a class or interface of which code calls methods that give their object again.
    pub(super) fn is_fluent(&self, class: DefinitionId) -> bool {
        let methods = self.fluent_methods(class);
        let uses = |id: &DefinitionId| self.index.definition(*id).ranking_uses();
        methods.len() >= MIN_FLUENT_METHODS && methods.iter().any(|id| uses(id) > 0)
    }

    /// The methods of a class or interface that give their object again.
    fn fluent_methods(&self, class: DefinitionId) -> Vec<DefinitionId> {
        let name = &self.index.definition(class).name;
        let gives_object = |id: &DefinitionId| {
            let signature = self.index.definition(*id).signature.as_ref();
            let returns = signature.and_then(|signature| signature.returns.as_deref());
            returns.is_some_and(|returns| {
                let ty = own_types(returns).next().unwrap_or_default();
                matches!(ty, "this" | "Self") || ty.trim_matches('"') == name.as_str()
            })
        };
        members_given(&self.index, class).filter(gives_object).collect()
    }

    /// The methods that give their object again: those that an intent names, then the most used ones.
    fn chained_methods(&self, class: DefinitionId) -> String {
        let relevance = |id: DefinitionId| {
            let intent = self.overrides.intent.as_ref();
            intent.map_or(0.0, |intent| intent.relevance(&self.index.definition(id).name))
        };
        let methods = self.fluent_methods(class);
        let rank = |id: &DefinitionId| {
            let relevance = relevance(*id);
            let relevance = if relevance < LEAST_RELEVANCE { 0 } else { (relevance * 100.0) as u32 };
            (Reverse(relevance), Reverse(self.index.definition(*id).ranking_uses()), *id)
        };
        let mut ranked = methods;
        ranked.shared_sort_by_key(rank);
        let (mut texts, mut length, count) = (Vec::new(), 0, ranked.len());
        for id in ranked {
            let text = self.member_given(id);
            length += text.len() + ", ".len();
            if !texts.is_empty() && length > MAX_TEXT {
                break;
            }
            texts.push(text);
        }
        texts.extend((texts.len() < count).then(|| HIDDEN_SIGN.to_owned()));
        texts.join(", ")
    }
}
