//! How the value of a parameter is made whose type is a class or interface, for a reader with an intent: with the
//! class, with a class that inherits it, or by a function or constant that gives one.

use super::{PricedTree, values::Value};
use crate::{
    exports::{alternatives, declaring, is_marker, type_named},
    intent::arguments_of_function,
    makers::Makers,
    subclasses::{Subclasses, can_be_made},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::Definition;
use rustc_hash::FxHashSet;

/// The greatest number of classes, functions and constants that give a value.
const MAX_GIVING: usize = 3;
/// The greatest number of classes that are named although the intent names none of them.
const FEW_CLASSES: usize = 2;
/// A definition is named if its relevance is at least this part of the greatest one.
const LEAST_SHARE_OF_BEST: f32 = 0.5;
/// One that has the same words as a better one is named if its relevance is at least this part of the greatest one.
const SHARE_OF_ALIKE: f32 = 0.85;
/// How much a definition gains by ten times as many calls.
const RELEVANCE_OF_USE: f32 = 0.1;
/// What a word of the intent counts that a better definition has already.
const WEIGHT_OF_A_REPEATED_WORD: f32 = 0.3;
/// The least relevance of a named definition: about one word of the intent in its name or those of its parameters.
const LEAST_RELEVANCE: f32 = 0.9;
/// The same for a parameter that an intent does not name: two words.
const LEAST_RELEVANCE_OF_UNLIKELY: f32 = 1.6;

impl PricedTree {
    /// What gives a value for a parameter: the first class of its type that code can make a value with, and what an
    /// intent names among the other classes of the type, those that inherit one of the type, and the functions and
    /// constants that give one. Of few classes each is named. If the parameter is not `is_likely` to be passed, only
    /// what the intent names clearly.
    pub(super) fn made_for(&self, definition: &Definition, position: usize, is_likely: bool) -> Vec<Value> {
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let Some(annotation) = parameter.and_then(|parameter| parameter.type_text()) else {
            return Vec::new();
        };
        if annotation.starts_with('{') {
            // The keys of an object have values of their own.
            return Vec::new();
        }
        let declaring = declaring(&self.index, definition, position);
        // What a callback receives is no value that a call passes.
        let is_value = |part: &&str| arguments_of_function(definition.language, part).is_none();
        let is_separator = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$');
        let words = alternatives(annotation).filter(is_value).flat_map(|part| part.split(is_separator));
        let names: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let types: Vec<DefinitionId> = names.iter().filter_map(|name| self.type_of(declaring, name)).collect();
        let mut classes: Vec<DefinitionId> = types.iter().copied().filter(|id| can_be_made(&self.index, *id)).collect();
        if let Some(intent) = &self.overrides.intent {
            let relevance = |id: &DefinitionId| intent.relevance(&self.index.definition(*id).name);
            classes.shared_sort_by(|a, b| relevance(b).total_cmp(&relevance(a)));
        }
        let first = classes.first().copied();
        let subclasses = self.subclasses.get_or_init(|| Subclasses::new(&self.index));
        classes.extend(types.iter().flat_map(|ty| subclasses.of(*ty)));
        let makers = self.makers.get_or_init(|| Makers::new(&self.index));
        let takes_it = |id: &DefinitionId| {
            let signature = self.index.definition(*id).signature.as_deref();
            let mut parameters = signature.into_iter().flat_map(|signature| &signature.parameters);
            parameters.any(|other| parameter.is_some_and(|parameter| parameter.name == other.name))
        };
        // A function that takes what it returns only changes the value.
        let makers = names.iter().flat_map(|name| makers.of(&self.index, declaring, name));
        let makers: Vec<DefinitionId> = makers.filter(|maker| !takes_it(maker)).collect();
        let calls = |id: DefinitionId| self.index.definition(id).usage.total_calls;
        let calls_of_makers: u32 = makers.iter().map(|id| calls(*id)).sum();
        // Code that calls functions for the instances of a class seldom calls the class.
        if first.is_some_and(|class| calls(class) < calls_of_makers) {
            classes.retain(|class| Some(*class) != first);
        }
        let first = first.filter(|class| classes.contains(class));
        let mut seen = FxHashSet::default();
        classes.retain(|id| seen.insert(*id));
        let is_few = classes.len() <= FEW_CLASSES && is_likely;
        let is_other = |id: &DefinitionId| self.index.definition(*id).fqn != definition.fqn;
        let others: Vec<DefinitionId> = classes.iter().copied().chain(makers).filter(is_other).collect();
        let first = first.filter(|_| is_likely);
        let mut giving: Vec<DefinitionId> = first.into_iter().chain(self.most_relevant_of(others, is_likely)).collect();
        giving.extend(classes.into_iter().filter(|_| is_few));
        let mut seen = FxHashSet::default();
        giving.retain(|id| seen.insert(*id));
        giving.truncate(MAX_GIVING);
        giving.into_iter().map(|id| Value { text: self.made(id, ""), named: Some(id) }).collect()
    }

    /// The public class or interface that a name in a text of a definition means.
    fn type_of(&self, definition: &Definition, name: &str) -> Option<DefinitionId> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let ty = type_named(&self.index, definition, name).or_else(|| self.only_class(last))?;
        let is_type = matches!(self.index.definition(ty).kind, DefinitionKind::Class | DefinitionKind::Interface);
        (is_type && self.index.definition(ty).is_public && !is_marker(&self.index, ty)).then_some(ty)
    }

    /// The definitions that an intent names: the most relevant one, then those that have most of its other words.
    /// `is_likely` says whether one word of the intent is enough.
    fn most_relevant_of(&self, ids: Vec<DefinitionId>, is_likely: bool) -> Vec<DefinitionId> {
        let Some(intent) = &self.overrides.intent else { return Vec::new() };
        let least = if is_likely { LEAST_RELEVANCE } else { LEAST_RELEVANCE_OF_UNLIKELY };
        let words = |id: DefinitionId| {
            let definition = self.index.definition(id);
            // Of two that the intent names as well, the one that code uses more is probably meant.
            let by_use = 1.0 + RELEVANCE_OF_USE * f32::log10(1.0 + definition.usage.total_calls as f32);
            intent.in_declaration(definition).into_iter().map(|share| share * by_use).collect::<Vec<f32>>()
        };
        let mut left: Vec<(Vec<f32>, DefinitionId)> = ids.into_iter().map(|id| (words(id), id)).collect();
        left.retain(|(words, _)| words.iter().sum::<f32>() >= least);
        let mut weights: Vec<f32> = left.first().map(|(words, _)| vec![1.0; words.len()]).unwrap_or_default();
        let (mut best, mut chosen) = (0.0, Vec::new());
        while chosen.len() < MAX_GIVING {
            let new = |words: &[f32]| words.iter().zip(&weights).map(|(share, weight)| share * weight).sum::<f32>();
            let ranked = left.iter().enumerate().map(|(at, (words, _))| (new(words), at));
            let Some((relevance, at)) = ranked.reduce(|best, other| if other.0 > best.0 { other } else { best }) else {
                break;
            };
            let (words, id) = left.remove(at);
            let is_like_best = words.iter().sum::<f32>() >= SHARE_OF_ALIKE * best;
            if relevance < LEAST_SHARE_OF_BEST * best && !is_like_best {
                break;
            }
            best = f32::max(best, relevance);
            for (weight, share) in weights.iter_mut().zip(words) {
                *weight *= 1.0 - share.min(1.0) * (1.0 - WEIGHT_OF_A_REPEATED_WORD);
            }
            chosen.push(id);
        }
        chosen
    }
}
