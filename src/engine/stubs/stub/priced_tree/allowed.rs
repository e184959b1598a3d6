//! What the types of parameters allow, for a reader with an intent: the members of an enum, and strings.

use std::cmp::Reverse;

use super::{PricedTree, value_texts::Value};
use crate::stub::{display, text::sanitized};
use crate::{
    exports::{classes_in, declaring},
    literals::{literals, literals_among},
};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::{index::Definition, usage::canonical_literal};
use compact_str::CompactString;

/// The greatest number of members of an enum or of strings that are looked at.
const MAX_CHOICES: usize = 64;

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
        let found = classes_in(&self.index, definition, annotation).find(|id| self.index.is_enum(*id));
        found.map(|id| self.members_of(id)).unwrap_or_default()
    }

    /// The members of an enum, with its name.
    pub(super) fn members_of(&self, id: DefinitionId) -> Vec<Value> {
        let name = display::written_name(&self.index, id);
        let members = self.index.definition(id).members.iter().map(|member| self.index.definition(*member));
        // An annotated attribute of an enum of Python is no member.
        let is_member = |member: &&Definition| {
            let may_be = member.language == Language::TypeScript || member.annotation.is_none();
            may_be && member.kind == DefinitionKind::Attribute && !member.name.starts_with('_')
        };
        let members = members.filter(is_member);
        let texts = members.map(|member| sanitized(&format!("{name}.{}", member.name)));
        self.most_relevant(texts.map(|text| Value::new(text, Some(id))).collect())
    }
}
