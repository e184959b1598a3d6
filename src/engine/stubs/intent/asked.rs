//! The members and parameters of a scope that an intent names.

use std::{collections::BTreeMap, sync::Arc};

use arcstr::ArcStr;

use super::{
    candidates::{Candidate, CandidateReader, Target, fields_of_types, members_of_types},
    given::Given,
    passed_to::PassedTo,
    words::IntentWords,
};
use crate::exports::declaring;
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, ParameterSet};
use apidisc_indexing::index::{Definition, Index, Scope};
use apidisc_tokens::Tokenizer;

/// The share of a budget that the named members and parameters may use.
const SHARE_OF_BUDGET: f64 = 0.4;
/// The budget for the named members and parameters of a stub without a budget, in tokens.
const TOKENS_WITHOUT_BUDGET: usize = 400;
/// The greatest number of named members and parameters.
const MAX_NAMED: usize = 24;
/// A member or parameter is named if its relevance is at least this part of the greatest one.
pub(super) const LEAST_SHARE_OF_BEST: f32 = 0.35;
/// The least relevance of a named member or parameter: that of a name whose only word nearly all names have.
pub(super) const LEAST_RELEVANCE: f32 = 0.7;
/// A scope with fewer names counts as one with this number: else every word of a small scope would count as frequent.
const LEAST_NAMES: usize = 8;
/// The number of most relevant parameters whose words count for their definition.
const COVERING_PARAMETERS: usize = 4;
/// How well a word of the intent occurs in a definition that occurs in a parameter alone.
const WORDS_OF_PARAMETERS: f32 = 0.6;
/// The share that a word of the intent adds which a better definition has already.
const SHARE_OF_A_REPEATED_WORD: f32 = 0.2;
/// The greatest number of named keys of one parameter.
const MAX_KEYS: usize = 3;
/// The greatest number of keys of an object that are all named.
const FEW_KEYS: usize = 3;
/// The tokens that a member takes besides its names.
const TOKENS_OF_A_MEMBER: usize = 8;
/// The tokens that a parameter takes besides its name.
const TOKENS_OF_A_PARAMETER: usize = 2;

/// The members and parameters of a scope that an intent names: a stub of the scope shows them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Asked {
    /// The intent, if there is one; it may name nothing. A stub then says how the values of parameters are made.
    pub(crate) intent: Option<Arc<IntentWords>>,
    named: BTreeMap<DefinitionId, AskedDefinition>,
    /// What calls of the named definitions give to the code around them, if the scope is a definition.
    given: BTreeMap<DefinitionId, Vec<GivenMembers>>,
    /// Where a program takes the instances of the scope, if it is a class, or its results, if it is a function.
    passed_to: Option<(DefinitionId, PassedTo)>,
}

/// What a call gives to the code around it, with the members that an intent names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GivenMembers {
    pub(crate) given: Given,
    /// The members of the class that the intent names, the most relevant one first.
    pub(crate) named: Vec<DefinitionId>,
}

/// What an intent names of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AskedDefinition {
    /// The place of the definition among those that the intent names, from 0 for the best one.
    pub(crate) rank: usize,
    /// True if the intent names the definition itself, so that it is shown.
    pub(crate) is_named: bool,
    /// The named parameters, by position. They are shown where the definition is.
    pub parameters: ParameterSet,
    /// The named keys of the objects that parameters take, by the position of the parameter, where the keys are no
    /// parameters of their own. Only [`Asked::parameters`] finds them.
    pub keys: BTreeMap<usize, Vec<ArcStr>>,
    /// The named keywords that `**kwargs` passes on, by their positions in
    /// [`Signature::passed_on`](apidisc_facts::program::Signature::passed_on).
    pub passed_on: ParameterSet,
}

/// A definition with its parameters.
struct Group {
    id: DefinitionId,
    /// The definition itself; `None` if it is shown anyway.
    member: Option<Candidate>,
    parameters: Vec<Candidate>,
}

impl Group {
    fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.member.iter().chain(&self.parameters)
    }

    /// What the intent may name of the group, with the words that this covers.
    fn ranked(self, rarity: &[f32]) -> RankedGroup {
        let mut ranked: Vec<(f32, Candidate)> =
            self.parameters.into_iter().map(|parameter| (parameter.relevance(rarity), parameter)).collect();
        ranked.shared_sort_by(|(x, a), (y, b)| y.total_cmp(x).then(a.target.cmp(&b.target)));
        let best = ranked.first().map_or(0.0, |(relevance, _)| *relevance);
        ranked.retain(|(relevance, _)| *relevance >= (LEAST_SHARE_OF_BEST * best).max(LEAST_RELEVANCE));
        let weight = if self.member.is_some() { WORDS_OF_PARAMETERS } else { 1.0 };
        let mut words = self.member.as_ref().map_or_else(|| vec![0.0; rarity.len()], |member| member.words.clone());
        for (_, parameter) in ranked.iter().take(COVERING_PARAMETERS) {
            for (most, share) in words.iter_mut().zip(&parameter.words) {
                *most = f32::max(*most, weight * share);
            }
        }
        let parameters = ranked.into_iter().map(|(_, parameter)| parameter.target);
        let targets = self.member.map(|member| member.target).into_iter().chain(parameters).collect();
        RankedGroup { id: self.id, targets, words }
    }
}

/// What an intent may name of a definition.
struct RankedGroup {
    id: DefinitionId,
    /// The definition, unless it is shown anyway, and parameters of it, the most relevant ones first.
    targets: Vec<Target>,
    /// How well each word of the intent occurs in the definition and its most relevant parameters.
    words: Vec<f32>,
}

impl RankedGroup {
    /// How much the group adds to the words of the intent that are covered already.
    fn gain(&self, covered: &[f32], rarity: &[f32]) -> f32 {
        let words = self.words.iter().zip(covered).zip(rarity);
        let gain = |((own, covered), rarity): ((&f32, &f32), &f32)| {
            rarity * ((own - covered).max(0.0) + SHARE_OF_A_REPEATED_WORD * own.min(*covered))
        };
        words.map(gain).sum()
    }
}

impl Asked {
    /// The members and parameters of a scope that an intent names, the most relevant ones as far as a share of
    /// `max_tokens` goes.
    pub fn new(
        index: &Index,
        scope: Scope,
        intent: &IntentWords,
        max_tokens: Option<usize>,
        tokenizer: &Tokenizer,
    ) -> Self {
        let requested = match scope {
            Scope::Definition(id) => Some(id),
            Scope::Module(_) | Scope::Repository => None,
        };
        let definitions = definitions_within(index, scope);
        let (mut asked, rarity) = Self::among(index, &definitions, requested, intent, max_tokens, tokenizer);
        if let Some(requested) = requested.filter(|_| asked.intent.is_some()) {
            let mut reader = CandidateReader::new(index, intent);
            let named = asked.named.keys().copied().chain([requested]);
            let given = named.map(|id| (id, reader.given(id, &rarity)));
            asked.given = given.filter(|(_, given)| !given.is_empty()).collect();
            asked.passed_to = reader.passed_to(requested).map(|passed_to| (requested, passed_to));
        }
        asked
    }

    /// What an intent names of the parameters of one definition, without those of its members: `None` if it names none.
    pub fn parameters(
        index: &Index,
        id: DefinitionId,
        intent: &IntentWords,
        max_tokens: usize,
        tokenizer: &Tokenizer,
    ) -> Option<AskedDefinition> {
        let (mut asked, _) = Self::among(index, &[id], Some(id), intent, Some(max_tokens), tokenizer);
        let keys = named_keys(index, id, intent);
        let mut named = asked.named.remove(&id);
        if !keys.is_empty() {
            let named = named.get_or_insert_default();
            for position in keys.keys() {
                named.parameters.insert(*position);
            }
            named.keys = keys;
        }
        named
    }

    /// What an intent names among definitions, without what their calls give, and how rare each word of the intent is.
    fn among(
        index: &Index,
        definitions: &[DefinitionId],
        requested: Option<DefinitionId>,
        intent: &IntentWords,
        max_tokens: Option<usize>,
        tokenizer: &Tokenizer,
    ) -> (Self, Vec<f32>) {
        if intent.is_empty() {
            return (Self::default(), Vec::new());
        }
        let mut reader = CandidateReader::new(index, intent);
        let mut groups = Vec::new();
        for &id in definitions {
            let parameters = reader.parameters(id);
            let may_be_named = requested != Some(id) && !is_field_of_a_parameter(index, id);
            let member = may_be_named.then(|| reader.member(id));
            let member = member.filter(|member| member.occurs() || !parameters.is_empty());
            if member.is_some() || !parameters.is_empty() {
                groups.push(Group { id, member, parameters });
            }
        }
        let rarity = rarity(&groups, intent.len(), reader.names);
        let ranked = ranked_targets(groups, &rarity);
        let share = |max_tokens: usize| (max_tokens as f64 * SHARE_OF_BUDGET) as usize;
        let mut left = max_tokens.map_or(TOKENS_WITHOUT_BUDGET, share);
        let mut asked = Self { intent: Some(Arc::new(intent.clone())), ..Self::default() };
        for (id, position) in ranked {
            let definition = index.definition(id);
            let tokens = estimated_tokens(definition, position, tokenizer);
            if tokens > left {
                continue;
            }
            left -= tokens;
            let declared = definition.signature.as_ref().map_or(0, |signature| signature.parameters.len());
            let rank = asked.named.len();
            let entry = asked.named.entry(id).or_insert_with(|| AskedDefinition { rank, ..AskedDefinition::default() });
            match position.map(|position| (position, position.checked_sub(declared))) {
                Some((_, Some(keyword))) => entry.passed_on.insert(keyword),
                Some((position, None)) => entry.parameters.insert(position),
                None => entry.is_named = true,
            }
        }
        (asked, rarity)
    }

    /// The definitions of which calls give something to the code around them, each with what they give.
    pub(crate) fn given(&self) -> impl Iterator<Item = (DefinitionId, &[GivenMembers])> {
        self.given.iter().map(|(id, given)| (*id, &**given))
    }

    /// The requested definition, with the parameter that takes its instances or results.
    pub(crate) fn passed_to(&self) -> Option<(DefinitionId, &PassedTo)> {
        self.passed_to.as_ref().map(|(id, passed_to)| (*id, passed_to))
    }

    /// The definitions, each with what the intent names of it.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (DefinitionId, &AskedDefinition)> {
        self.named.iter().map(|(id, asked)| (*id, asked))
    }
}

/// The keys of the objects that parameters of TypeScript take which an intent names, by the position of the parameter,
/// where the keys are no parameters of their own.
fn named_keys(index: &Index, id: DefinitionId, intent: &IntentWords) -> BTreeMap<usize, Vec<ArcStr>> {
    let definition = index.definition(id);
    let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
    let mut named = BTreeMap::new();
    for (position, parameter) in parameters.iter().enumerate() {
        let has_parameters = parameters.iter().any(|other| other.object.map(usize::from) == Some(position));
        let Some(ty) = parameter.type_text().filter(|_| definition.language == Language::TypeScript && !has_parameters)
        else {
            continue;
        };
        let fields = fields_of_types(index, declaring(index, definition, position), ty);
        let mut keys: Vec<(f32, &str)> = fields.into_iter().map(|key| (intent.relevance(key), key)).collect();
        keys.retain(|(relevance, _)| *relevance >= LEAST_RELEVANCE);
        keys.shared_sort_by(|(x, a), (y, b)| y.total_cmp(x).then(a.cmp(b)));
        let keys: Vec<ArcStr> = keys.into_iter().take(MAX_KEYS).map(|(_, key)| key.into()).collect();
        if !keys.is_empty() {
            named.insert(position, keys);
        }
    }
    named
}

/// The keys of the object that an optional parameter of TypeScript takes, with `?` for an optional key, if they are few
/// and no parameters of their own. Empty for anything else.
pub fn few_keys(index: &Index, id: DefinitionId, position: usize) -> Vec<String> {
    let definition = index.definition(id);
    let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
    let has_parameters = parameters.iter().any(|other| other.object.map(usize::from) == Some(position));
    let is_options = |parameter: &&Parameter| !parameter.required && !parameter.is_variadic();
    let parameter = parameters.get(position).filter(is_options);
    let Some(ty) = parameter.and_then(|parameter| parameter.type_text()) else { return Vec::new() };
    if definition.language != Language::TypeScript || has_parameters {
        return Vec::new();
    }
    let members = members_of_types(index, declaring(index, definition, position), ty);
    let members: Vec<&Definition> = members.into_iter().map(|id| index.definition(id)).collect();
    let is_data = |member: &&Definition| member.kind == DefinitionKind::Attribute;
    if members.len() > FEW_KEYS || !members.iter().all(is_data) {
        return Vec::new();
    }
    let mark = |member: &Definition| if member.modifiers.is_optional { "?" } else { "" };
    members.into_iter().map(|member| format!("{}{}", member.name, mark(member))).collect()
}

/// For each definition, the share of the words of an intent that its declaration has, with all of its parameters: each
/// word counts by its rarity among the definitions.
pub fn covered(index: &Index, definitions: &[DefinitionId], intent: &IntentWords) -> Vec<f32> {
    let mut reader = CandidateReader::new(index, intent);
    let groups: Vec<Vec<f32>> = definitions.iter().map(|&id| reader.words_of_declaration(id)).collect();
    let rarity: Vec<f32> = (0..intent.len())
        .map(|at| {
            let with_word = groups.iter().filter(|words| words[at] > 0.0).count();
            if with_word == 0 { 0.0 } else { (1.0 + groups.len().max(LEAST_NAMES) as f32 / with_word as f32).ln() }
        })
        .collect();
    let all = rarity.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    let share = |words: &Vec<f32>| words.iter().zip(&rarity).map(|(share, rarity)| share * rarity).sum::<f32>() / all;
    groups.iter().map(share).collect()
}

/// The public definitions of a scope: those that it offers, their members, and what they inherit.
fn definitions_within(index: &Index, scope: Scope) -> Vec<DefinitionId> {
    let mut found = index.members(scope);
    let mut next = 0;
    while next < found.len() {
        let id = found[next];
        next += 1;
        let is_member = |member: &DefinitionId| {
            let definition = index.definition(*member);
            definition.is_public && !definition.name.starts_with("__")
        };
        found.extend(index.members_of(id).filter(is_member));
        if matches!(scope, Scope::Definition(requested) if requested == id) {
            found.extend(index.members_of_public_bases(id).into_iter().filter(is_member));
        }
    }
    found
}

/// True for an attribute that keeps the parameter of its name of the constructor: callers pass the parameter.
fn is_field_of_a_parameter(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    let class = definition.parent.filter(|_| definition.kind == DefinitionKind::Attribute);
    let signature = class.and_then(|class| index.definition(class).signature.as_ref());
    signature.is_some_and(|signature| signature.parameters.iter().any(|parameter| parameter.name == definition.name))
}

/// How rare each word of the intent is among the members and parameters, of which there are `names`.
fn rarity(groups: &[Group], words: usize, names: usize) -> Vec<f32> {
    let names = names.max(LEAST_NAMES) as f32;
    let candidates = || groups.iter().flat_map(Group::candidates);
    let with_word = |at: usize| candidates().filter(|candidate| candidate.words[at] > 0.0).count();
    let rarity = |at: usize| (1.0 + names / (1.0 + with_word(at) as f32)).ln();
    (0..words).map(rarity).collect()
}

/// What an intent names, best first: the definition whose texts have the most words of the intent with its parameters,
/// then the one that has the most of the other words, and so on.
fn ranked_targets(groups: Vec<Group>, rarity: &[f32]) -> Vec<Target> {
    let mut groups: Vec<RankedGroup> = groups.into_iter().map(|group| group.ranked(rarity)).collect();
    let mut ranked = Vec::new();
    let mut covered = vec![0.0; rarity.len()];
    let mut least = LEAST_RELEVANCE;
    while ranked.len() < MAX_NAMED {
        let gains = groups.iter().map(|group| group.gain(&covered, rarity));
        let best = gains.enumerate().max_by(|(a, x), (b, y)| x.total_cmp(y).then(groups[*b].id.cmp(&groups[*a].id)));
        let Some((at, gain)) = best.filter(|(_, gain)| *gain >= least) else { break };
        least = least.max(LEAST_SHARE_OF_BEST * gain);
        let group = groups.swap_remove(at);
        for (covered, own) in covered.iter_mut().zip(&group.words) {
            *covered = f32::max(*covered, *own);
        }
        ranked.extend(group.targets);
    }
    ranked.truncate(MAX_NAMED);
    ranked
}

/// About the tokens that a member or a parameter takes in a stub.
fn estimated_tokens(definition: &Definition, position: Option<usize>, tokenizer: &Tokenizer) -> usize {
    let signature = definition.signature.as_deref();
    let name = |at: usize| {
        let signature = signature?;
        let passed_on = || signature.passed_on.get(at.checked_sub(signature.parameters.len())?);
        signature.parameters.get(at).map(|parameter| &parameter.name).or_else(passed_on).map(ArcStr::as_str)
    };
    let tokens = |name: &str| tokenizer.count_line(name) + TOKENS_OF_A_PARAMETER;
    if let Some(at) = position {
        return name(at).map_or(0, tokens);
    }
    let positions = 0..signature.map_or(0, |signature| signature.parameters.len());
    let required = positions.filter(|&at| signature.is_some_and(|s| s.is_always_required(at)));
    let required: usize = required.filter_map(name).map(tokens).sum();
    tokenizer.count_line(&definition.name) + TOKENS_OF_A_MEMBER + required
}
