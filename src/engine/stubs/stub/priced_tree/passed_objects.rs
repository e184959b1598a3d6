//! The objects and dicts that calls pass for a parameter, for a reader with an intent: their keys, with the strings
//! that are a choice. Variables, lists and spreads are followed to the literals behind them.

use std::{borrow::Cow, cmp::Reverse};

use compact_str::CompactString;
use indexmap::IndexMap;

use super::{PricedTree, value_texts::is_string};
use crate::stub::{text::sanitized, wording::HIDDEN_SIGN};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{Argument, ArgumentKind, BoundParameter, Parameter};
use apidisc_indexing::{index::Definition, usage::canonical_literal};

/// The least number of objects with a key which a stub names, if a definition has more than [`FEW_CALLS`]. A key of one
/// object is mostly data.
const MIN_OBJECTS: u32 = 2;
/// The part of the calls that pass a parameter which have to pass an object with a known key, as a divisor.
const LEAST_SHARE_OF_OBJECTS: u32 = 4;
/// A definition with at most this number of calls has every key named, also a key of a single object.
const FEW_CALLS: u32 = 3;
/// The greatest length of the keys of a parameter, in bytes.
const MAX_TEXT: usize = 90;
/// The greatest length of the keys with their strings, in bytes.
const MAX_TEXT_WITH_STRINGS: usize = 120;
/// The greatest number of strings of one key.
const MAX_STRINGS: usize = 4;
/// More different strings than these are free text, not a choice.
const MOST_CHOICES: usize = 12;
/// The greatest number of keywords that spreads pass.
const MAX_KEYWORDS: usize = 8;

/// The objects that calls pass for one parameter.
#[derive(Default)]
struct PassedObjects<'t> {
    /// The calls that pass an object with a known key.
    calls: u32,
    /// Those of them that pass it as an element of a list.
    lists: u32,
    keys: IndexMap<&'t str, PassedKeyUses<'t>>,
}

/// A key of the objects.
#[derive(Default)]
struct PassedKeyUses<'t> {
    /// The number of objects that have it.
    objects: u32,
    /// The strings that it has, each with the number of objects.
    strings: IndexMap<&'t str, u32>,
}

impl PassedObjects<'_> {
    /// True if the objects are alike: most have a key in common, as options have, and data seldom. `count` is the
    /// number of calls that pass the parameter.
    fn have_a_shape(&self, count: u32) -> bool {
        let most = self.keys.values().map(|uses| uses.objects).max().unwrap_or(0);
        let is_common = self.calls <= 1 || most >= MIN_OBJECTS && most.saturating_mul(2) >= self.calls;
        is_common && self.calls.saturating_mul(LEAST_SHARE_OF_OBJECTS) >= count
    }
}

impl PricedTree {
    /// The keys of the objects that calls pass for a parameter: those that an intent names first, then the most passed
    /// ones: `{"host": ..., "mode": "fast" | "slow"}`, `[{ type: "input", name }]`. A key of one object alone is left
    /// out, unless an intent names the key or the parameter, or there are few calls. `None` without a key.
    pub(super) fn keys_passed(&self, definition: &Definition, position: usize, is_asked: bool) -> Option<String> {
        if !self.overrides.has_intent() || has_properties(definition, position) {
            return None;
        }
        let objects = self.objects(definition, |argument| {
            argument.kind != ArgumentKind::DoubleStar && argument.bound == BoundParameter::Parameter(position as u16)
        });
        let count = definition.usage.parameters.get(position).map_or(0, |usage| usage.count);
        if !objects.have_a_shape(count) {
            return None;
        }
        let is_few = is_asked || definition.usage.total_calls <= FEW_CALLS;
        let mut keys: Vec<(f32, &str, &PassedKeyUses<'_>)> =
            objects.keys.iter().map(|(name, uses)| (self.relevance_of_key(name, uses), *name, uses)).collect();
        keys.retain(|(relevance, _, uses)| is_few || *relevance > 0.0 || uses.objects >= MIN_OBJECTS);
        keys.shared_sort_by(|a, b| b.0.total_cmp(&a.0).then(b.2.objects.cmp(&a.2.objects)));
        let all = objects.keys.len();
        let mut length = 0;
        keys.retain(|(_, name, _)| {
            length += name.len() + ", ".len();
            length <= MAX_TEXT
        });
        let is_python = definition.language == Language::Python;
        let mut texts: Vec<String> = Vec::with_capacity(keys.len());
        // The names of keys say more than strings, which get what is left.
        for (_, name, uses) in &keys {
            let strings = self.choice(uses, is_few).filter(|strings| length + strings.len() <= MAX_TEXT_WITH_STRINGS);
            length += strings.as_ref().map_or(0, String::len);
            texts.push(match (is_python, strings) {
                (true, strings) => format!("\"{name}\": {}", strings.as_deref().unwrap_or(HIDDEN_SIGN)),
                (false, None) => (*name).to_owned(),
                (false, Some(strings)) => format!("{name}: {strings}"),
            });
        }
        if texts.is_empty() {
            return None;
        }
        texts.extend((texts.len() < all).then(|| HIDDEN_SIGN.to_owned()));
        let space = if is_python { "" } else { " " };
        let object = format!("{{{space}{}{space}}}", texts.join(", "));
        let is_list = objects.lists.saturating_mul(2) > objects.calls;
        Some(if is_list { format!("[{object}]") } else { object })
    }

    /// The strings that calls pass under a key, if these look like a fixed set of choices: first those that an intent
    /// names, then the most passed ones. A string of a single object is taken for data, unless there are few calls.
    fn choice(&self, uses: &PassedKeyUses<'_>, is_few: bool) -> Option<String> {
        let relevance = |text: &str| self.overrides.intent.as_ref().map_or(0.0, |intent| intent.relevance(text));
        let mut strings: Vec<(f32, u32, &str)> =
            uses.strings.iter().map(|(text, count)| (relevance(text), *count, *text)).collect();
        let is_choice = strings.len() <= MOST_CHOICES;
        let count = strings.len();
        strings.retain(|(relevance, count, _)| *relevance > 0.0 || is_choice && (is_few || *count >= MIN_OBJECTS));
        strings.shared_sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        // Other values of the key may be no strings.
        let of_strings: u32 = uses.strings.values().sum();
        let is_part = strings.len() < count || of_strings < uses.objects;
        let is_cut = strings.len() > MAX_STRINGS || is_part && !strings.is_empty();
        let mut texts: Vec<&str> = strings.into_iter().take(MAX_STRINGS).map(|(.., text)| text).collect();
        texts.extend(is_cut.then_some(HIDDEN_SIGN));
        (!texts.is_empty()).then(|| texts.join(" | "))
    }

    fn relevance_of_key(&self, name: &str, uses: &PassedKeyUses<'_>) -> f32 {
        let Some(intent) = &self.overrides.intent else { return 0.0 };
        uses.strings.keys().map(|text| intent.relevance(text)).fold(intent.relevance(name), f32::max)
    }

    /// The values that callers pass for a parameter, with the number of calls. For a reader with an intent also strings
    /// in the objects that calls spread or hold in a variable.
    pub(super) fn passed_values<'t>(
        &'t self,
        definition: &'t Definition,
        position: usize,
    ) -> Cow<'t, [(CompactString, u32)]> {
        let values = definition.usage.parameters.get(position).map_or(&[][..], |usage| &usage.values);
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let Some(parameter) = parameter.filter(|_| self.overrides.has_intent()) else { return Cow::Borrowed(values) };
        let objects = match (definition.language, parameter.object) {
            (Language::Python, _) => self.objects(definition, |argument| argument.kind == ArgumentKind::DoubleStar),
            (_, Some(object)) => self.objects(definition, |argument| {
                argument.keys.is_none() && argument.bound == BoundParameter::Parameter(object)
            }),
            (_, None) => return Cow::Borrowed(values),
        };
        let Some(uses) = objects.keys.get(parameter.name.as_str()) else { return Cow::Borrowed(values) };
        let mut all = values.to_vec();
        for (text, count) in &uses.strings {
            let text = canonical_literal(text);
            match all.iter_mut().find(|(known, _)| *known == text) {
                Some((_, known)) => *known += count,
                None => all.push((text, *count)),
            }
        }
        all.shared_sort_by_key(|(_, count)| Reverse(*count));
        Cow::Owned(all)
    }

    /// The keys that spreads pass to `**kwargs`, the most passed ones first: `host=, port=`. Empty without a key.
    pub(super) fn spread_keywords(&self, definition: &Definition) -> String {
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let objects = self.objects(definition, |argument| argument.kind == ArgumentKind::DoubleStar);
        let is_own = |name: &str| parameters.iter().any(|parameter: &Parameter| parameter.name == name);
        let mut keys: Vec<(u32, &str)> = objects.keys.iter().map(|(name, uses)| (uses.objects, *name)).collect();
        let is_few = definition.usage.total_calls <= FEW_CALLS;
        keys.retain(|(objects, name)| !is_own(name) && (is_few || *objects >= MIN_OBJECTS));
        keys.shared_sort_by_key(|(objects, _)| Reverse(*objects));
        let names = keys.into_iter().take(MAX_KEYWORDS).map(|(_, name)| format!("{}=", sanitized(name)));
        names.collect::<Vec<_>>().join(", ")
    }

    /// The objects of the arguments of all counted calls for which `is_meant`.
    fn objects<'t>(&'t self, definition: &Definition, is_meant: impl Fn(&Argument) -> bool) -> PassedObjects<'t> {
        let calls = &self.index.calls;
        let mut objects = PassedObjects::default();
        for &call in &definition.usage.calls {
            let arguments = calls.arguments(calls.site(call));
            let passed = calls.passed_keys(call);
            let (mut is_passed, mut is_list) = (false, false);
            let mut add = |name: &'t str, value: Option<&'t str>, count: u16| {
                let uses = objects.keys.entry(name).or_default();
                uses.objects += u32::from(count);
                if let Some(value) = value.filter(|value| is_string(value)) {
                    *uses.strings.entry(value).or_default() += u32::from(count);
                }
            };
            for (at, argument) in arguments.iter().enumerate().filter(|(_, argument)| is_meant(argument)) {
                if let Some(passed) = passed.iter().find(|keys| usize::from(keys.argument) == at) {
                    for key in &passed.keys {
                        add(&key.name, key.value.as_deref(), key.objects);
                    }
                    (is_passed, is_list) = (true, is_list || passed.of_elements);
                } else if let Some(keys) = &argument.keys {
                    for key in keys.iter().filter(|key| !key.hides_name()) {
                        add(&key.name, key.value.as_deref(), 1);
                    }
                    is_passed |= !keys.is_empty();
                }
            }
            objects.calls += u32::from(is_passed);
            objects.lists += u32::from(is_list);
        }
        objects
    }
}

/// True for an object whose properties are parameters of their own.
fn has_properties(definition: &Definition, position: usize) -> bool {
    let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
    parameters.iter().any(|parameter| parameter.object.map(usize::from) == Some(position))
}
