//! How the value of a parameter is made whose type is a class or interface, for a reader with an intent: with the
//! class, with a class that inherits it, or by a function or constant that gives one.

use std::cmp::Reverse;

use super::{PricedTree, value_texts::Value};
use crate::stub::{display, text::sanitized};
use crate::{
    exports::{alternatives, declaring, is_marker, own_types, type_named},
    intent::{arguments_of_function, members_given},
    makers::Makers,
    subclasses::{Subclasses, can_be_made},
};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter};
use apidisc_indexing::index::{Definition, Index};
use rustc_hash::FxHashSet;

/// The greatest number of classes, functions and constants that give a value.
const MAX_GIVING: usize = 3;
/// The texts in the types of what belongs to a value of a named type instead of the value:
/// `Parameters<Store["read"]>[0]`.
const OF_MEMBERS: [&str; 6] = ["Parameters<", "ReturnType<", "keyof ", "typeof ", "['", "[\""];
/// The greatest number of functions and constants that are named although the intent names none of them.
const MAX_USUAL: usize = 2;
/// The greatest number of aliases that are followed from an annotation to a type.
const MAX_ALIASES: usize = 2;
/// The greatest number of types of one level of aliases.
const MAX_ALIASED: usize = 8;
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
        let Some((parameter, annotation)) = parameter.and_then(|parameter| Some((parameter, parameter.type_text()?)))
        else {
            return Vec::new();
        };
        let declaring = declaring(&self.index, definition, position);
        let names = names_of_types(definition.language, annotation);
        let types: Vec<DefinitionId> = names.iter().filter_map(|name| self.type_of(declaring, name)).collect();
        let makers = self.makers_for(declaring, parameter, annotation, &names);
        let calls = |id: DefinitionId| self.index.definition(id).usage.total_calls;
        let calls_of_makers: u32 = makers.iter().map(|id| calls(*id)).sum();
        let mut own: Vec<DefinitionId> = types.iter().copied().filter(|id| can_be_made(&self.index, *id)).collect();
        own.shared_sort_by(|a, b| self.relevance_of_name(*b).total_cmp(&self.relevance_of_name(*a)));
        // Code that calls functions for the instances of a class seldom calls the class.
        let is_unused = |class: &DefinitionId| calls(*class) < calls_of_makers;
        let first = own.first().copied().filter(|class| !is_unused(class));
        let unused = own.first().copied().filter(is_unused);
        let subclasses = self.subclasses.get_or_init(|| Subclasses::new(&self.index));
        let inherited = types.iter().flat_map(|ty| subclasses.of(*ty)).copied();
        let classes = unique(own.iter().copied().chain(inherited).filter(|class| Some(*class) != unused));
        let is_other = |id: &DefinitionId| self.index.definition(*id).fqn != definition.fqn;
        let takes_data = types.iter().all(|ty| self.is_object_of_data(*ty));
        let is_usual = |id: &DefinitionId| {
            !is_of_member(annotation)
                && match self.index.definition(*id).kind {
                    DefinitionKind::Function => !takes_data,
                    kind => kind == DefinitionKind::Constant,
                }
        };
        let usual = self.most_used(makers.iter().copied().filter(|id| is_likely && is_usual(id) && is_other(id)));
        let others: Vec<DefinitionId> = classes.iter().copied().chain(makers).filter(is_other).collect();
        let relevant = self.most_relevant_of(others, is_likely);
        let few = classes.iter().copied().filter(|_| is_likely && classes.len() <= FEW_CLASSES);
        // One that the intent names may be named by chance, so the most used ones stand beside it.
        let (best, others) = relevant.split_at(relevant.len().min(1));
        let usual = usual.into_iter().filter(|id| !best.contains(id)).take(MAX_USUAL);
        let most = MAX_GIVING + usize::from(usual.clone().next().is_some());
        let giving = first.filter(|_| is_likely).into_iter().chain(best.iter().copied()).chain(usual);
        let giving = unique(giving.chain(others.iter().copied()).chain(few));
        let giving: Vec<DefinitionId> = giving.into_iter().take(most).collect();
        // Functions beside each other often take the same options.
        let options: Vec<Vec<&str>> = giving.iter().map(|id| options(&self.index, *id)).collect();
        let has_keys = |at: usize| options[at].is_empty() || !options[..at].contains(&options[at]);
        let text = |at: usize| self.made_with(giving[at], "", has_keys(at));
        (0..giving.len()).map(|at| Value::new(text(at), Some(giving[at]))).collect()
    }

    /// The classes that a call may pass for a Python parameter that is annotated with `type[Base]`: `Base` and its
    /// subclasses. Those that an intent names come first, then the most used ones.
    pub(super) fn classes_for(&self, definition: &Definition, position: usize) -> Vec<Value> {
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let annotation = parameter.and_then(|parameter| parameter.type_text()).unwrap_or_default();
        if definition.language != Language::Python || !takes_class(annotation) {
            return Vec::new();
        }
        let declaring = declaring(&self.index, definition, position);
        let names = names_of_types(definition.language, annotation);
        let types: Vec<DefinitionId> = names.iter().filter_map(|name| self.type_of(declaring, name)).collect();
        let subclasses = self.subclasses.get_or_init(|| Subclasses::new(&self.index));
        let inherited = types.iter().flat_map(|ty| subclasses.of(*ty)).copied();
        let mut classes = unique(types.iter().copied().chain(inherited));
        classes.retain(|id| can_be_made(&self.index, *id));
        classes.shared_sort_by(|a, b| {
            let uses = |id: &DefinitionId| Reverse(self.index.definition(*id).ranking_uses());
            let by_relevance = self.relevance_of_name(*b).total_cmp(&self.relevance_of_name(*a));
            by_relevance.then(uses(a).cmp(&uses(b))).then(a.cmp(b))
        });
        let name = |id: &DefinitionId| sanitized(&display::written_name(&self.index, *id));
        classes.iter().map(|id| Value::new(name(id), Some(*id))).collect()
    }

    /// True if code writes the values of a parameter as objects: see [`Self::is_object_of_data`].
    pub(super) fn takes_data(&self, definition: &Definition, position: usize) -> bool {
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let annotation = parameter.and_then(|parameter| parameter.type_text()).unwrap_or_default();
        let declaring = declaring(&self.index, definition, position);
        let names = names_of_types(definition.language, annotation).into_iter();
        names.filter_map(|name| self.type_of(declaring, name)).all(|ty| self.is_object_of_data(ty))
    }

    /// True for an interface of which code writes the values as objects: none of its required members is a method.
    fn is_object_of_data(&self, ty: DefinitionId) -> bool {
        let is_method = |id: DefinitionId| {
            let member = self.index.definition(id);
            member.signature.is_some() && !member.modifiers.is_optional
        };
        self.index.definition(ty).kind == DefinitionKind::Interface && !members_given(&self.index, ty).any(is_method)
    }

    /// The functions and constants that most code uses.
    fn most_used(&self, makers: impl Iterator<Item = DefinitionId>) -> Vec<DefinitionId> {
        let uses = |id: &DefinitionId| self.index.definition(*id).ranking_uses();
        let mut used: Vec<DefinitionId> = makers.filter(|id| uses(id) > 0).collect();
        used.shared_sort_by(|a, b| uses(b).cmp(&uses(a)).then(a.cmp(b)));
        used.truncate(MAX_USUAL + 1);
        used
    }

    /// The functions that return a value of one of the types that an annotation names, also through aliases, and the
    /// constants that hold one.
    fn makers_for(
        &self,
        declaring: &Definition,
        parameter: &Parameter,
        annotation: &str,
        names: &[&str],
    ) -> Vec<DefinitionId> {
        // A function that takes what it returns only changes the value.
        let takes_it = |id: &DefinitionId| {
            let signature = self.index.definition(*id).signature.as_deref();
            let mut parameters = signature.into_iter().flat_map(|signature| &signature.parameters);
            parameters.any(|other| other.name == parameter.name)
        };
        let makers = self.makers.get_or_init(|| Makers::new(&self.index));
        let of_aliases = aliased_types(&self.index, declaring, annotation);
        let names = names.iter().map(|name| (declaring, *name)).chain(of_aliases);
        let makers = names.flat_map(|(definition, name)| makers.of(&self.index, definition, name));
        unique(makers.filter(|maker| !takes_it(maker)))
    }

    /// How many words of an intent the name of a definition has.
    fn relevance_of_name(&self, id: DefinitionId) -> f32 {
        self.overrides.intent.as_ref().map_or(0.0, |intent| intent.relevance(&self.index.definition(id).name))
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

/// True for the annotation of a parameter of Python whose values are classes.
pub(super) fn takes_class(annotation: &str) -> bool {
    let is_word_before = |at: usize| annotation[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    ["type[", "Type["].iter().any(|name| annotation.match_indices(name).any(|(at, _)| !is_word_before(at)))
}

/// The names of the types in an annotation of which a call may pass a value. Types in the signature of a callback and
/// in an object type are left out: other values have these types.
fn names_of_types(language: Language, annotation: &str) -> Vec<&str> {
    if annotation.starts_with('{') {
        return Vec::new();
    }
    let is_value = |part: &&str| arguments_of_function(language, part).is_none();
    let is_separator = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$');
    let words = alternatives(annotation).filter(is_value).flat_map(|part| part.split(is_separator));
    words.filter(|word| !word.is_empty()).collect()
}

/// True for the type of what belongs to a value of a named type: of a parameter of its method, for example.
pub(super) fn is_of_member(annotation: &str) -> bool {
    OF_MEMBERS.iter().any(|text| annotation.contains(text))
}

/// The types for which the aliases in an annotation of TypeScript stand, each with the alias that names it.
pub(super) fn aliased_types<'i>(
    index: &'i Index,
    definition: &'i Definition,
    annotation: &'i str,
) -> Vec<(&'i Definition, &'i str)> {
    let mut found: Vec<(&Definition, &str)> = Vec::new();
    let mut level = vec![(definition, annotation)];
    for _ in 0..MAX_ALIASES {
        let names = level.iter().flat_map(|(at, text)| own_types(text).map(|name| (*at, name)));
        let aliases = names.filter_map(|(at, name)| Some(index.definition(type_named(index, at, name)?)));
        let is_alias = |ty: &&Definition| ty.kind == DefinitionKind::TypeAlias && ty.language == Language::TypeScript;
        let aliases: Vec<&Definition> = aliases.filter(is_alias).take(MAX_ALIASED).collect();
        level = aliases.into_iter().filter_map(|alias| Some((alias, alias.annotation.as_deref()?))).collect();
        found.extend(
            level.iter().flat_map(|(alias, text)| own_types(text).map(|name| (*alias, name))).take(MAX_ALIASED),
        );
    }
    found
}

/// The types of the optional parameters of a function or class.
fn options(index: &Index, id: DefinitionId) -> Vec<&str> {
    let parameters = index.definition(id).signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
    let own = parameters.iter().filter(|parameter| parameter.object.is_none() && !parameter.required);
    own.filter_map(|parameter| parameter.type_text()).collect()
}

/// Each id once, in the order of its first place.
fn unique(ids: impl Iterator<Item = DefinitionId>) -> Vec<DefinitionId> {
    let mut seen = FxHashSet::default();
    ids.filter(|id| seen.insert(*id)).collect()
}
