//! The comment above a definition that says what callers pass for parameters: members of enums, classes that values are
//! made with, and the literals of a union.

use super::PricedTree;
use crate::stub::{display, text::sanitized};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterSet};
use apidisc_indexing::index::Definition;

/// The greatest number of values of one parameter.
const MAX_VALUES: usize = 4;
/// The greatest number of members of an enum that no caller passes.
const MAX_MEMBERS: usize = 6;
/// The length of the texts of one parameter, in bytes, behind which no further value is written.
const MAX_TEXT: usize = 60;

impl PricedTree {
    /// The line that says what callers pass for these parameters; empty if there is nothing to say.
    pub(crate) fn values_line(&self, node: usize, positions: &ParameterSet) -> String {
        let Some((id, definition)) = self.definition(node) else { return String::new() };
        let said = |position: usize| {
            let name = &definition.signature.as_ref()?.parameters.get(position)?.name;
            let values = self.values(id, definition, position);
            (!values.is_empty()).then(|| format!("{}: {values}", sanitized(name)))
        };
        let said: Vec<String> = positions.iter().filter_map(said).collect();
        if said.is_empty() {
            return String::new();
        }
        format!("{}{} {}\n", " ".repeat(self.nodes[node].indent), self.comment_prefix(), said.join("; "))
    }

    /// True if there is something to say of a parameter.
    pub(crate) fn has_values(&self, node: usize, position: usize) -> bool {
        self.definition(node).is_some_and(|(id, definition)| !self.values(id, definition, position).is_empty())
    }

    /// What callers pass for a parameter, the shortest first: `Corner (ROUND, SHARP)`, `After(attempts=...)`. Of a
    /// parameter that an intent names and nobody passes: the members of its enum.
    fn values(&self, id: DefinitionId, definition: &Definition, position: usize) -> String {
        let is_asked = self.overrides.of(id).is_some_and(|overrides| overrides.asked.contains(position));
        let passed = definition.usage.parameters.get(position).map_or(&[][..], |usage| &usage.values);
        let strings = passed.iter().filter(|(value, _)| is_string(value)).count();
        // Few different strings, of which one is passed repeatedly, are probably options (a `Literal` type). Other
        // strings are free text.
        let has_union =
            strings > 1 && strings < MAX_VALUES && passed.iter().any(|(value, count)| *count > 1 && is_string(value));
        let is_said = |value: &str| is_member(value) || is_made(value) || (is_asked || has_union) && is_string(value);
        let mut values: Vec<String> =
            passed.iter().map(|(value, _)| value.as_str()).filter(|value| is_said(value)).map(sanitized).collect();
        values.truncate(MAX_VALUES);
        if values.is_empty() && is_asked {
            values = self.members_of_enum(definition, position);
        }
        values.shared_sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        joined(&values)
    }

    /// The members of the enum that is the type of a parameter, with its name.
    fn members_of_enum(&self, definition: &Definition, position: usize) -> Vec<String> {
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let Some(annotation) = parameter.and_then(|parameter| parameter.annotation.as_deref()) else {
            return Vec::new();
        };
        let is_named = |name: &str| {
            annotation.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$')).any(|word| word == name)
        };
        let mut named = definition.type_names.iter().filter(|(name, _)| is_named(name)).filter_map(|(_, id)| *id);
        let Some(id) = named.find(|id| self.index.definition(*id).kind == DefinitionKind::Enum) else {
            return Vec::new();
        };
        let name = display::written_name(&self.index, id);
        let members = self.index.definition(id).members.iter().map(|member| self.index.definition(*member));
        let members =
            members.filter(|member| member.kind == DefinitionKind::Attribute && !member.name.starts_with('_'));
        members.take(MAX_MEMBERS).map(|member| sanitized(&format!("{name}.{}", member.name))).collect()
    }
}

/// Values in one text, in which the members of an enum follow its name. Further values are left out of a long text.
fn joined(values: &[String]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for value in values {
        let (owner, last) = value.rsplit_once('.').filter(|_| is_member(value)).unwrap_or(("", value));
        match groups.iter_mut().find(|(other, _)| !owner.is_empty() && *other == owner) {
            Some((_, members)) => members.push(last),
            None => groups.push((owner, vec![last])),
        }
    }
    let mut text = String::new();
    for (owner, members) in groups {
        let group = match (owner, &members[..]) {
            ("", [value]) => (*value).to_owned(),
            (owner, [member]) => format!("{owner}.{member}"),
            (owner, members) => format!("{owner} ({})", members.join(", ")),
        };
        if !text.is_empty() && text.len() + group.len() > MAX_TEXT {
            break;
        }
        text.extend([if text.is_empty() { "" } else { ", " }, &group]);
    }
    text
}

/// True for the member of an enum or another named value of a class or module: `Corner.ROUND`.
fn is_member(value: &str) -> bool {
    let is_name = value.starts_with(|c: char| c.is_alphabetic() || c == '_') && !value.contains(['"', '\'']);
    value.contains('.') && is_name && !is_made(value)
}

/// True for a value that a class makes: `After(attempts=...)`.
fn is_made(value: &str) -> bool {
    value.ends_with(')')
}

fn is_string(value: &str) -> bool {
    value.len() > 2 && value.starts_with(['"', '\''])
}
