//! What the types of parameters allow, for a reader with an intent: the members of an enum, strings, and the keys of
//! options.

use std::cmp::Reverse;

use super::{PricedTree, value_texts::Value};
use crate::stub::{argument_text, display, text::sanitized, wording::HIDDEN_SIGN};
use crate::{
    exports::{alternatives, classes_in, declaring, own_types, type_named},
    intent::members_given,
    literals::{literals, literals_among},
};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, ELIDED_OBJECT};
use apidisc_indexing::{index::Definition, usage::canonical_literal};
use compact_str::CompactString;

/// The greatest number of keys of options.
const MAX_MEMBERS: usize = 8;
/// The greatest number of members of an enum or of strings that are looked at.
const MAX_CHOICES: usize = 64;
/// The greatest number of names between an annotation and the type with the keys.
const MAX_NAMES: usize = 2;
/// The longest list of strings that a key allows which is written behind the key, in bytes.
const LONGEST_STRINGS: usize = 40;
/// The longest type of options that is written as it stands, in bytes.
const LONGEST_TYPE: usize = 80;

impl PricedTree {
    /// All values of a parameter whose type is an enum, takes a class, or consists of strings. Of a parameter that an
    /// intent names also the strings of a type that allows other values, too. What the intent names comes first, then
    /// what most callers pass: `passed` has the number of calls.
    pub(super) fn allowed_values(
        &self,
        definition: &Definition,
        position: usize,
        is_asked: bool,
        passed: &[(CompactString, u32)],
    ) -> Vec<Value> {
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let Some(annotation) = parameter.and_then(|parameter| parameter.type_text()) else {
            return Vec::new();
        };
        let definition = declaring(&self.index, definition, position);
        let members = self.members_of_enum(definition, annotation);
        if !members.is_empty() {
            return members;
        }
        let classes = self.classes_for(definition, position);
        if !classes.is_empty() {
            return classes;
        }
        let mut strings = literals(&self.index, definition, annotation);
        if strings.is_empty() && is_asked {
            strings = literals_among(&self.index, definition, annotation);
        }
        let calls = |text: &str| {
            let text = canonical_literal(text);
            passed.iter().find(|(value, _)| *value == text).map_or(0, |(_, calls)| *calls)
        };
        strings.shared_sort_by_key(|text| Reverse(calls(text)));
        self.most_relevant(strings.into_iter().map(|text| Value::unnamed(sanitized(text))).collect())
    }

    /// The strings of a type that allows other values, too.
    pub(super) fn strings_among(&self, definition: &Definition, position: usize) -> Vec<Value> {
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let annotation = parameter.and_then(|parameter| parameter.type_text()).unwrap_or_default();
        let declaring = declaring(&self.index, definition, position);
        let strings = literals_among(&self.index, declaring, annotation).into_iter();
        self.most_relevant(strings.map(|text| Value::unnamed(sanitized(text))).collect())
    }

    /// The first values, those that an intent names before the others.
    fn most_relevant(&self, mut values: Vec<Value>) -> Vec<Value> {
        self.put_named_first(&mut values);
        values.truncate(MAX_CHOICES);
        values
    }

    /// The members of the enum in an annotation, with its name.
    fn members_of_enum(&self, definition: &Definition, annotation: &str) -> Vec<Value> {
        let Some(id) = classes_in(&self.index, definition, annotation).find(|id| self.index.is_enum(*id)) else {
            return Vec::new();
        };
        let name = display::written_name(&self.index, id);
        let members = self.index.definition(id).members.iter().map(|member| self.index.definition(*member));
        // An annotated attribute of an enum of Python is no member.
        let is_member = |member: &&Definition| {
            let may_be = member.language == Language::TypeScript || member.annotation.is_none();
            may_be && member.kind == DefinitionKind::Attribute && !member.name.starts_with('_')
        };
        let members = members.filter(is_member);
        let texts = members.map(|member| sanitized(&format!("{name}.{}", member.name)));
        self.most_relevant(texts.map(|text| Value { text, named: Some(id) }).collect())
    }

    /// The keys of an object that a parameter of TypeScript takes: `{ enabled, seconds? }`. `None` if the properties
    /// are parameters of their own, which a stub shows.
    pub(super) fn keys_of_options(&self, definition: &Definition, position: usize) -> Option<String> {
        let signature = definition.signature.as_ref().filter(|_| definition.language == Language::TypeScript)?;
        let is_property = |object: Option<u16>| object.map(usize::from) == Some(position);
        if signature.parameters.iter().any(|parameter| is_property(parameter.object)) {
            return None;
        }
        let annotation = signature.parameters.get(position)?.type_text()?;
        let is_written = annotation.starts_with('{') && !annotation.ends_with("; }");
        if is_written && annotation.len() <= LONGEST_TYPE && !annotation.contains(ELIDED_OBJECT) {
            return Some(sanitized(annotation));
        }
        if let Some(object) = object_in(annotation) {
            let keys = self.asked_first(keys_of_object(object, true));
            return (!keys.is_empty()).then(|| format!("{{ {} }}", keys.join(", ")));
        }
        let definition = declaring(&self.index, definition, position);
        // The values of a record are the second argument.
        let values = annotation.strip_prefix("Record<").and_then(|record| record.split_once(','));
        let annotation = values.map_or(annotation, |(_, values)| values.trim_end_matches('>'));
        let types = own_types(annotation).filter_map(|name| type_named(&self.index, definition, name));
        let keys = types.into_iter().map(|ty| self.keys_of(ty, MAX_NAMES));
        keys.into_iter().find(|keys| !keys.is_empty()).map(|keys| format!("{{ {} }}", keys.join(", ")))
    }

    /// The members of an interface or object type: the required ones, then those that an intent names.
    /// Of an alias without members, those of the first type in it that has some, over at most `names` names.
    fn keys_of(&self, ty: DefinitionId, names: usize) -> Vec<String> {
        let kind = self.index.definition(ty).kind;
        if !matches!(kind, DefinitionKind::Interface | DefinitionKind::TypeAlias) {
            return Vec::new();
        }
        let definition = self.index.definition(ty);
        let text = definition.annotation.as_deref().unwrap_or_default();
        // The members of a conditional type belong to one of its branches, and a long type may be one.
        let may_be_conditional = text.contains(" extends ") || text.is_empty() && names < MAX_NAMES;
        if kind == DefinitionKind::TypeAlias && may_be_conditional {
            return self.asked_first(keys_of_first_branch(text));
        }
        if definition.members.is_empty() {
            // `type Source = Options | Options[]`. If a function comes first, code passes a function.
            let Some(names) = names.checked_sub(1) else { return Vec::new() };
            let types = own_types(text).filter_map(|name| type_named(&self.index, definition, name));
            let objects = types.take_while(|ty| !self.is_function_type(*ty));
            return objects.map(|ty| self.keys_of(ty, names)).find(|keys| !keys.is_empty()).unwrap_or_default();
        }
        let is_optional = |id: &DefinitionId| self.index.definition(*id).modifiers.is_optional;
        let relevance = |id: &DefinitionId| {
            let intent = self.overrides.intent.as_ref();
            intent.map_or(0.0, |intent| intent.relevance(&self.index.definition(*id).name))
        };
        let mut members: Vec<DefinitionId> = members_given(&self.index, ty).collect();
        members.shared_sort_by(|a, b| {
            let uses = |id: &DefinitionId| Reverse(self.index.definition(*id).ranking_uses());
            let by_relevance = relevance(b).total_cmp(&relevance(a));
            is_optional(a).cmp(&is_optional(b)).then(by_relevance).then(uses(a).cmp(&uses(b))).then(a.cmp(b))
        });
        let count = members.len();
        let mut keys: Vec<String> = members.into_iter().take(MAX_MEMBERS).map(|id| self.key(id)).collect();
        keys.extend((keys.len() < count).then(|| HIDDEN_SIGN.to_owned()));
        keys
    }

    /// The first keys of an object, those that an intent names before the others.
    fn asked_first(&self, mut keys: Vec<String>) -> Vec<String> {
        if let Some(intent) = &self.overrides.intent {
            let mut ranked: Vec<(f32, String)> = keys.into_iter().map(|key| (intent.relevance(&key), key)).collect();
            ranked.shared_sort_by(|(a, _), (b, _)| b.total_cmp(a));
            keys = ranked.into_iter().map(|(_, key)| key).collect();
        }
        let hides = keys.len() > MAX_MEMBERS;
        keys.truncate(MAX_MEMBERS);
        keys.extend(hides.then(|| HIDDEN_SIGN.to_owned()));
        keys
    }

    /// True for the name of a function type.
    fn is_function_type(&self, ty: DefinitionId) -> bool {
        let ty = self.index.definition(ty);
        ty.signature.is_some() || ty.annotation.as_deref().is_some_and(|text| text.contains("=>"))
    }

    /// `seconds?`, `run(job)`, `mode?: 'a' | 'b'`
    fn key(&self, id: DefinitionId) -> String {
        let member = self.index.definition(id);
        let mark = if member.modifiers.is_optional { "?" } else { "" };
        let arguments = member.signature.as_ref().map(|signature| {
            let own = signature.parameters.iter().filter(|parameter| parameter.object.is_none());
            let texts: Vec<String> = own.map(|parameter| argument_text(parameter, member.language)).collect();
            format!("({})", texts.join(", "))
        });
        let annotation = member.annotation.as_deref().filter(|_| arguments.is_none());
        let strings = annotation.map(|annotation| literals(&self.index, member, annotation)).unwrap_or_default();
        let strings = self.shortened_choice(strings);
        let inner = annotation.and_then(object_in).map(|object| self.asked_first(keys_of_object(object, false)));
        let inner = inner.filter(|keys| !keys.is_empty()).map(|keys| format!("{{ {} }}", keys.join(", ")));
        let value = strings.or(inner).map(|value| format!(": {value}")).unwrap_or_default();
        sanitized(&format!("{}{mark}{}{value}", member.name, arguments.unwrap_or_default()))
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

/// The text behind the first bracket of the object type in an annotation, alone or beside other types:
/// `rounds: number }` of `number | { rounds: number }`. `None` if its members are left out.
fn object_in(annotation: &str) -> Option<&str> {
    let mut parts = alternatives(annotation).map(str::trim).filter(|_| !annotation.contains("=> "));
    let object = annotation.strip_prefix("{ ").or_else(|| parts.find_map(|part| part.strip_prefix("{ ")));
    object.filter(|_| !annotation.contains(ELIDED_OBJECT))
}

/// The keys of the first branch of a conditional type, if the branch is an object type: `value`, `label?` of
/// `T extends string ? { value: T; label?: string } : { … }`.
fn keys_of_first_branch(text: &str) -> Vec<String> {
    text.split_once(" ? { ").map(|(_, branch)| keys_of_object(branch, false)).unwrap_or_default()
}

/// The keys of an object type, of which `object` is the text behind its first bracket: `a`, `b?`, `run(job)`. `is_deep`
/// says whether a key with an object type of its own is written with the keys of that one: `size: { width, height }`.
fn keys_of_object(object: &str, is_deep: bool) -> Vec<String> {
    let mut keys = Vec::new();
    for member in members_of_object(object) {
        let name = member.split([':', '(']).next().unwrap_or_default().trim();
        let name = name.strip_prefix("readonly ").unwrap_or(name);
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '?'));
        if name.is_empty() || !is_name(name) {
            continue;
        }
        let ty = member[name.len()..].trim_start_matches(':').trim_start();
        let inner = ty.strip_prefix("{ ").filter(|_| is_deep).map(|ty| keys_of_object(ty, false)).unwrap_or_default();
        let parameters = ty.strip_prefix('(').filter(|ty| ty.contains("=>")).and_then(|ty| ty.split_once(')'));
        let parameters = parameters.map(|(inside, _)| inside.split(", ").map(|it| it.split(':').next().unwrap_or(it)));
        let is_choice = ty.len() <= LONGEST_STRINGS && ty.split('|').all(|part| part.trim().starts_with(['"', '\'']));
        keys.push(sanitized(&match (parameters, inner.is_empty()) {
            (Some(parameters), _) => format!("{name}({})", parameters.collect::<Vec<_>>().join(", ")),
            (None, false) => format!("{name}: {{ {} }}", inner.join(", ")),
            (None, true) if is_choice => format!("{name}: {ty}"),
            (None, true) => name.to_owned(),
        }));
    }
    keys
}

/// The members of an object type, of which `object` is the text behind its first bracket.
fn members_of_object(object: &str) -> Vec<&str> {
    let (mut depth, mut start, mut members) = (0_usize, 0, Vec::new());
    for (at, c) in object.char_indices() {
        match c {
            '}' if depth == 0 => {
                members.push(object[start..at].trim());
                break;
            }
            ';' if depth == 0 => {
                members.push(object[start..at].trim());
                start = at + 1;
            }
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_object_types_are_found() {
        let keys = |text: &str| keys_of_object(text, true).join(", ");
        assert_eq!(keys("a: string; b?: { c: number; d?: X }; e: (x: X, y: Y) => void }"), "a, b?: { c, d? }, e(x, y)");
        assert_eq!(keys("run(job: Job): void; readonly id: string; [key: string]: T }"), "run, id");
        assert_eq!(keys(" }"), "");
        assert_eq!(keys("a: ((("), "");
        let many: Vec<String> = (0..20).map(|at| format!("k{at}: T; ")).collect();
        assert_eq!(keys(&format!("{}}}", many.concat())).matches(", ").count(), 19);
        assert_eq!(keys("a?; mode: 'x' | \"y\"; other: 'x' | Y; }"), "a?, mode: 'x' | \"y\", other");
        let branches = "T extends P ? { value: T; label?: string } : { value: T; label: string }";
        assert_eq!(keys_of_first_branch(branches), ["value", "label?"]);
        assert_eq!(keys_of_first_branch("T extends P ? A : B"), [""; 0]);
    }
}
