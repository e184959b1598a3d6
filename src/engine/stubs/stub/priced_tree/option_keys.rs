//! The keys of the objects that parameters of TypeScript take, for a reader with an intent: the required ones, then
//! those that the intent names. With a key stand the strings that it may be, the constants of its type, and the
//! required keys of an object in the object.

use std::cmp::Reverse;

use super::{
    PricedTree,
    key_texts::{LONGEST_STRINGS, TextKey, chosen_keys, keys_of_first_branch, keys_of_object, object_in},
    made_values::{aliased_types, is_of_member},
};
use crate::stub::{argument_text, display, text::sanitized, wording::HIDDEN_SIGN};
use crate::{
    exports::{classes_in, declaring, own_types, type_named},
    intent::members_given,
    literals::literals,
    makers::Makers,
};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, ELIDED_OBJECT};
use apidisc_indexing::{index::Definition, usage::canonical_literal};

/// The greatest number of keys of options.
const MAX_KEYS: usize = 8;
/// The greatest number of keys if nothing says which string selects them.
const FEW_KEYS: usize = 3;
/// The greatest number of keys of an object in an object that are all written.
const FEW_INNER_KEYS: usize = 4;
/// The greatest number of names between an annotation and the type with the keys.
const MAX_NAMES: usize = 2;
/// The longest type of options that is written as it stands, in bytes.
const LONGEST_TYPE: usize = 80;
/// The greatest number of constants of the type of a key.
const MAX_CONSTANTS: usize = 2;
/// The greatest number of constants of a type that are looked at.
const MAX_READ_CONSTANTS: usize = 64;
/// The greatest number of members of an enum behind a key.
const MAX_MEMBERS: usize = 3;
/// How much the name of what selects the keys counts beside words in the keys.
const RELEVANCE_OF_A_CHOICE: f32 = 2.0;
/// How much all calls that pass a choice count beside one word in its keys.
const RELEVANCE_OF_CALLS: f32 = 0.5;
/// The greatest number of keys in a short text.
const SHORT_KEYS: usize = 6;
/// The longest value of a key that is written for each key that has it, in bytes.
const SHORT_VALUE: usize = 20;
/// The least relevance of a choice of which many keys are said: one word.
const LEAST_RELEVANCE: f32 = 1.0;
/// The greatest number of other choices that are named.
const MAX_OTHERS: usize = 3;
/// The greatest number of keys whose words count for a choice.
const MAX_NAMED_KEYS: usize = 5;

/// One key, or the keys of an object, with the constants and enums in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyText {
    pub(super) text: String,
    /// A shorter text: the first keys of an object, with constants alone. Empty if there is none.
    pub(super) short: String,
    pub(super) named: Vec<DefinitionId>,
}

impl KeyText {
    fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// `{ enabled, seconds? }`; `None` without a key. A long value is written once.
    fn object(keys: &[Self]) -> Option<Self> {
        let mut texts: Vec<&str> = Vec::with_capacity(keys.len());
        let mut values: Vec<&str> = Vec::new();
        for key in keys {
            let (name, value) = key.text.split_once(": ").unwrap_or((&key.text, ""));
            let is_repeated = value.len() > SHORT_VALUE && values.contains(&value);
            values.push(value);
            texts.push(if is_repeated { name } else { &key.text });
        }
        let text = format!("{{ {} }}", texts.join(", "));
        let mut names: Vec<&str> = texts.iter().map(|text| shortened(text)).collect();
        if names.len() > SHORT_KEYS {
            names.truncate(SHORT_KEYS);
            names.push(HIDDEN_SIGN);
        }
        let short = format!("{{ {} }}", names.join(", "));
        let named = keys.iter().flat_map(|key| key.named.iter().copied()).collect();
        (!keys.is_empty()).then_some(Self { text, short, named })
    }
}

impl PricedTree {
    /// The keys of an object that a parameter of TypeScript takes: `{ enabled, seconds? }`. `None` if the properties
    /// are parameters of their own, which a stub shows.
    pub(super) fn keys_of_options(&self, definition: &Definition, position: usize) -> Option<KeyText> {
        let signature = definition.signature.as_ref().filter(|_| definition.language == Language::TypeScript)?;
        let is_property = |object: Option<u16>| object.map(usize::from) == Some(position);
        if signature.parameters.iter().any(|parameter| is_property(parameter.object)) {
            return None;
        }
        let annotation = signature.parameters.get(position)?.type_text().filter(|text| !is_of_member(text))?;
        let choices = chosen_keys(annotation);
        if !choices.is_empty() {
            return self.keys_of_choice(definition, position, &choices);
        }
        let is_written = annotation.starts_with('{') && !annotation.ends_with("; }");
        if is_written && annotation.len() <= LONGEST_TYPE && !annotation.contains(ELIDED_OBJECT) {
            return Some(KeyText::new(sanitized(annotation)));
        }
        if let Some(object) = object_in(annotation) {
            return KeyText::object(&self.keys_in(definition, keys_of_object(object), MAX_KEYS));
        }
        let definition = declaring(&self.index, definition, position);
        // The values of a record are the second argument.
        let values = annotation.strip_prefix("Record<").and_then(|record| record.split_once(','));
        let annotation = values.map_or(annotation, |(_, values)| values.trim_end_matches('>'));
        let types = own_types(annotation).filter_map(|name| type_named(&self.index, definition, name));
        types.into_iter().find_map(|ty| KeyText::object(&self.keys_of(ty, MAX_NAMES)))
    }

    /// The keys that one string of several selects: the string that the intent names by its name or keys, else the one
    /// that most calls pass: `{ size?, folds? } for "wide", not for "plain"`. If no word selects one, few keys.
    fn keys_of_choice(&self, definition: &Definition, position: usize, choices: &[(&str, &str)]) -> Option<KeyText> {
        let passed = self.passed_choices(definition, position, choices);
        let all: u32 = passed.iter().sum();
        let score = |at: usize| {
            let (name, object) = choices[at];
            let mut of_keys: Vec<f32> =
                keys_of_object(object).iter().map(|key| self.relevance_of(key.name)).filter(|it| *it > 0.0).collect();
            of_keys.shared_sort_by(|a, b| b.total_cmp(a));
            let of_keys: f32 = of_keys.into_iter().take(MAX_NAMED_KEYS).sum();
            let of_calls = RELEVANCE_OF_CALLS * passed[at] as f32 / all.max(1) as f32;
            RELEVANCE_OF_A_CHOICE * self.relevance_of(name) + of_keys + of_calls
        };
        let mut ranked: Vec<(f32, usize)> = (0..choices.len()).map(|at| (score(at), at)).collect();
        ranked.shared_sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let (best, at) = *ranked.first()?;
        let (name, object) = choices[at];
        let most = if best >= LEAST_RELEVANCE { MAX_KEYS } else { FEW_KEYS };
        let keys = KeyText::object(&self.keys_in(definition, keys_of_object(object), most))?;
        let others: Vec<&str> = ranked[1..].iter().take(MAX_OTHERS).map(|(_, at)| choices[*at].0).collect();
        let (name, others) = (sanitized(name), sanitized(&others.join(", ")));
        let text = format!("{} for {name}, not for {others}", keys.text);
        Some(KeyText { text, short: format!("{} for {name}", keys.short), ..keys })
    }

    /// The number of calls that pass each of some strings for a parameter of the same object.
    fn passed_choices(&self, definition: &Definition, position: usize, choices: &[(&str, &str)]) -> Vec<u32> {
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let object = parameters[position].object;
        let siblings = (0..parameters.len()).filter(|at| *at != position && parameters[*at].object == object);
        let mut found = siblings.map(|at| {
            let passed = self.passed_values(definition, at);
            let calls = |name: &str| {
                let name = canonical_literal(name);
                passed.iter().find(|(value, _)| *value == name).map_or(0, |(_, calls)| *calls)
            };
            choices.iter().map(|(name, _)| calls(name)).collect::<Vec<u32>>()
        });
        found.find(|calls| calls.iter().any(|calls| *calls > 0)).unwrap_or_else(|| vec![0; choices.len()])
    }

    /// The members of an interface or object type: the required ones, then those that an intent names.
    /// Of an alias without members, those of the first type in it that has some, over at most `names` names.
    fn keys_of(&self, ty: DefinitionId, names: usize) -> Vec<KeyText> {
        let kind = self.index.definition(ty).kind;
        if !matches!(kind, DefinitionKind::Interface | DefinitionKind::TypeAlias) {
            return Vec::new();
        }
        let definition = self.index.definition(ty);
        let text = definition.annotation.as_deref().unwrap_or_default();
        // The members of a conditional type belong to one of its branches, and a long type may be one.
        let may_be_conditional = text.contains(" extends ") || text.is_empty() && names < MAX_NAMES;
        if kind == DefinitionKind::TypeAlias && may_be_conditional {
            return self.keys_in(definition, keys_of_first_branch(text), MAX_KEYS);
        }
        if definition.members.is_empty() {
            // `type Source = Options | Options[]`. If a function comes first, code passes a function.
            let Some(names) = names.checked_sub(1) else { return Vec::new() };
            let types = own_types(text).filter_map(|name| type_named(&self.index, definition, name));
            let objects = types.take_while(|ty| !self.is_function_type(*ty));
            return objects.map(|ty| self.keys_of(ty, names)).find(|keys| !keys.is_empty()).unwrap_or_default();
        }
        let members = self.ranked_members(ty);
        let hides = members.len() > MAX_KEYS;
        let is_few = members.len() <= FEW_KEYS;
        let mut keys: Vec<KeyText> = members.into_iter().take(MAX_KEYS).map(|id| self.key(id, is_few)).collect();
        keys.extend(hides.then(|| KeyText::new(HIDDEN_SIGN.to_owned())));
        keys
    }

    /// The members of a type: the required ones, then those that an intent names, then the most used ones.
    fn ranked_members(&self, ty: DefinitionId) -> Vec<DefinitionId> {
        let is_optional = |id: &DefinitionId| self.index.definition(*id).modifiers.is_optional;
        let relevance = |id: &DefinitionId| self.relevance_of(&self.index.definition(*id).name);
        let mut members: Vec<DefinitionId> = members_given(&self.index, ty).collect();
        members.shared_sort_by(|a, b| {
            let uses = |id: &DefinitionId| Reverse(self.index.definition(*id).ranking_uses());
            let by_relevance = relevance(b).total_cmp(&relevance(a));
            is_optional(a).cmp(&is_optional(b)).then(by_relevance).then(uses(a).cmp(&uses(b))).then(a.cmp(b))
        });
        members
    }

    /// The first keys in a text of a definition: the required ones, then those that an intent names.
    fn keys_in(&self, definition: &Definition, mut keys: Vec<TextKey<'_>>, most: usize) -> Vec<KeyText> {
        let rank = |key: &TextKey<'_>| (!key.is_required(), Reverse((self.relevance_of(key.name) * 100.0) as u32));
        keys.shared_sort_by_key(rank);
        let hides = keys.len() > most;
        let mut texts: Vec<KeyText> = keys.into_iter().take(most).map(|key| self.key_in(definition, key)).collect();
        texts.extend(hides.then(|| KeyText::new(HIDDEN_SIGN.to_owned())));
        texts
    }

    /// `seconds?`, `run(job)`, `retry?: { rounds, pause? }`, `clock?: UTC_CLOCK`
    fn key_in(&self, definition: &Definition, key: TextKey<'_>) -> KeyText {
        let name = key.name;
        if let Some(parameters) = key.parameters() {
            return KeyText::new(sanitized(&format!("{name}({parameters})")));
        }
        if key.is_choice() {
            return KeyText::new(sanitized(&format!("{name}: {}", key.ty)));
        }
        let inner = key.object().map(|object| {
            let keys: Vec<(bool, &str)> =
                keys_of_object(object).into_iter().map(|key| (key.is_required(), key.name)).collect();
            KeyText::new(self.needed(&keys))
        });
        let inner = inner.filter(|inner| !inner.text.is_empty());
        let constants = key.type_name().and_then(|name| self.constants_of(definition, name));
        let inner = inner.filter(|_| constants.is_none() || self.relevance_of(name) > 0.0);
        with_value(name, either(constants, inner))
    }

    /// `seconds?`, `run(job)`, `mode?: 'a' | 'b'`, `lead?: { content, ... }`, `clock?: UTC_CLOCK`
    ///
    /// What a key takes is said of a required one, of one that the intent names, and of one of few.
    fn key(&self, id: DefinitionId, is_one_of_few: bool) -> KeyText {
        let member = self.index.definition(id);
        let mark = if member.modifiers.is_optional { "?" } else { "" };
        let arguments = member.signature.as_ref().map(|signature| {
            let own = signature.parameters.iter().filter(|parameter| parameter.object.is_none());
            let texts: Vec<String> = own.map(|parameter| argument_text(parameter, member.language)).collect();
            format!("({})", texts.join(", "))
        });
        let annotation = member.annotation.as_deref().filter(|_| arguments.is_none());
        let name = format!("{}{mark}{}", member.name, arguments.unwrap_or_default());
        let value = annotation.and_then(|annotation| {
            let strings = self.shortened_choice(literals(&self.index, member, annotation));
            let object = || {
                let keys = self.keys_in(member, keys_of_object(object_in(annotation)?), MAX_KEYS);
                KeyText::object(&keys)
            };
            let is_said = is_one_of_few || mark.is_empty() || self.relevance_of(&member.name) > 0.0;
            let others = || if is_said { self.values_of_key(member, annotation) } else { None };
            strings.map(KeyText::new).or_else(object).or_else(others)
        });
        with_value(&name, value)
    }

    /// What a key takes by the names in its type: members of an enum, constants, and an object of which a value needs a
    /// key: `UTC_CLOCK | { content, ... }`.
    fn values_of_key(&self, member: &Definition, annotation: &str) -> Option<KeyText> {
        let members = self.members_behind(member, annotation);
        if members.is_some() {
            return members;
        }
        let own = own_types(annotation).map(|name| (member, name));
        let mut types = own.chain(aliased_types(&self.index, member, annotation));
        let constants = types.find_map(|(place, name)| self.constants_of(place, name));
        either(constants, self.needed_keys(member, annotation))
    }

    /// The members of an enum that a key takes: `Mode.FAST | Mode.SLOW | ...`.
    fn members_behind(&self, member: &Definition, annotation: &str) -> Option<KeyText> {
        let id = classes_in(&self.index, member, annotation).find(|id| self.index.is_enum(*id))?;
        let members = self.members_of(id);
        let hides = members.len() > MAX_MEMBERS;
        let mut texts: Vec<String> = members.into_iter().take(MAX_MEMBERS).map(|value| value.text).collect();
        texts.extend(hides.then(|| HIDDEN_SIGN.to_owned()));
        (!texts.is_empty()).then(|| KeyText { text: texts.join(" | "), named: vec![id], ..KeyText::default() })
    }

    /// The keys of the object that a key takes, if a value needs one of them: `{ content, ... }`.
    fn needed_keys(&self, member: &Definition, annotation: &str) -> Option<KeyText> {
        let own = own_types(annotation).map(|name| (member, name));
        let named = own.chain(aliased_types(&self.index, member, annotation));
        let ty = named.into_iter().filter_map(|(place, name)| type_named(&self.index, place, name)).find(|ty| {
            let kind = self.index.definition(*ty).kind;
            let is_object = matches!(kind, DefinitionKind::Interface | DefinitionKind::TypeAlias);
            is_object && !self.is_function_type(*ty) && !self.index.definition(*ty).members.is_empty()
        })?;
        let members = self.ranked_members(ty).into_iter().map(|id| self.index.definition(id));
        let names: Vec<(bool, String)> = members
            .map(|key| {
                let is_optional = key.modifiers.is_optional;
                (!is_optional, format!("{}{}", key.name, if is_optional { "?" } else { "" }))
            })
            .collect();
        let is_needed = names.iter().any(|(is_required, _)| *is_required);
        let names: Vec<(bool, &str)> = names.iter().map(|(is_required, name)| (*is_required, name.as_str())).collect();
        is_needed.then(|| KeyText::new(sanitized(&self.needed(&names))))
    }

    /// The keys of an object in an object, each with whether it is required: the required ones and those that an intent
    /// names, or all of few. Empty without a key.
    fn needed(&self, keys: &[(bool, &str)]) -> String {
        let is_few = keys.len() <= FEW_INNER_KEYS;
        let shown = keys.iter().filter(|(is_required, name)| is_few || *is_required || self.relevance_of(name) > 0.0);
        let mut names: Vec<&str> = shown.map(|(_, name)| *name).take(MAX_KEYS).collect();
        names.extend((names.len() < keys.len()).then_some(HIDDEN_SIGN));
        if names.is_empty() { String::new() } else { format!("{{ {} }}", names.join(", ")) }
    }

    /// The constants of the library that hold a value of a named type: those that the intent names, then the most used
    /// ones, then the shortest.
    fn constants_of(&self, definition: &Definition, name: &str) -> Option<KeyText> {
        let makers = self.makers.get_or_init(|| Makers::new(&self.index));
        let constants = makers.of(&self.index, definition, name).filter(|id| {
            let constant = self.index.definition(*id);
            constant.kind == DefinitionKind::Constant && constant.signature.is_none()
        });
        let mut ranked: Vec<(Reverse<u32>, Reverse<u32>, usize, DefinitionId)> = constants
            .take(MAX_READ_CONSTANTS)
            .map(|id| {
                let constant = self.index.definition(id);
                let relevance = (self.relevance_of(&constant.name) * 100.0) as u32;
                (Reverse(relevance), Reverse(constant.ranking_uses()), constant.name.len(), id)
            })
            .collect();
        ranked.shared_sort_by_key(|rank| *rank);
        let named: Vec<DefinitionId> = ranked.into_iter().take(MAX_CONSTANTS).map(|(.., id)| id).collect();
        let names: Vec<String> = named.iter().map(|id| sanitized(&display::written_name(&self.index, *id))).collect();
        (!named.is_empty()).then(|| KeyText { text: names.join(" | "), named, ..KeyText::default() })
    }

    /// True for the name of a function type.
    fn is_function_type(&self, ty: DefinitionId) -> bool {
        let ty = self.index.definition(ty);
        ty.signature.is_some() || ty.annotation.as_deref().is_some_and(|text| text.contains("=>"))
    }

    /// How many words of an intent a name has.
    fn relevance_of(&self, name: &str) -> f32 {
        self.overrides.intent.as_ref().map_or(0.0, |intent| intent.relevance(name))
    }

    /// Strings in a short text, those that an intent names first: `'a' | 'b' | ...`. `None` without a string.
    fn shortened_choice(&self, mut strings: Vec<&str>) -> Option<String> {
        if let Some(intent) = &self.overrides.intent {
            strings.shared_sort_by(|a, b| intent.relevance(b).total_cmp(&intent.relevance(a)));
        }
        let mut text = String::new();
        for string in strings {
            if !text.is_empty() && text.len() + string.len() > LONGEST_STRINGS {
                text.extend([" | ", HIDDEN_SIGN]);
                break;
            }
            text.extend([if text.is_empty() { "" } else { " | " }, string]);
        }
        (!text.is_empty()).then_some(text)
    }
}

/// A key with the first constant that it takes: `lead?: UTC_CLOCK` of `lead?: UTC_CLOCK | { content, ... }`.
fn shortened(key: &str) -> &str {
    let Some((name, value)) = key.split_once(": ") else { return key };
    let first = value.split(" | ").next().unwrap_or(value);
    let is_constant =
        first.len() <= SHORT_VALUE && first.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    if is_constant { &key[..name.len() + ": ".len() + first.len()] } else { name }
}

/// What a key takes: constants, or an object with these keys.
fn either(constants: Option<KeyText>, keys: Option<KeyText>) -> Option<KeyText> {
    match (constants, keys) {
        (Some(constants), Some(keys)) => {
            Some(KeyText { text: format!("{} | {}", constants.text, keys.text), ..constants })
        }
        (constants, keys) => constants.or(keys),
    }
}

/// A key with the text of its value.
fn with_value(name: &str, value: Option<KeyText>) -> KeyText {
    match value {
        Some(value) => KeyText { text: sanitized(&format!("{name}: {}", value.text)), ..value },
        None => KeyText::new(sanitized(name)),
    }
}
