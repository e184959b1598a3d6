//! The comment above a definition that says what callers pass for parameters: members of enums, classes that values are
//! made with, the literals of a union, and keywords that `**kwargs` passes on. Below it stand the imports of these
//! enums and classes.

use super::PricedTree;
use crate::stub::{
    display,
    import_line::{exported_by, import_of},
    text::sanitized,
};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterKind, ParameterSet};
use apidisc_indexing::{
    index::{Definition, Scope},
    snippet::ExampleImport,
};
use arcstr::ArcStr;

/// The greatest number of values of one parameter.
const MAX_VALUES: usize = 4;
/// The greatest number of members of an enum that no caller passes.
const MAX_MEMBERS: usize = 6;
/// The greatest number of arguments in a text that says how a value is made.
const MAX_ARGUMENTS: usize = 6;
/// The length of the texts of one parameter, in bytes, behind which no further value is written.
const MAX_TEXT: usize = 60;

/// What callers pass for the parameters of one definition, by position. Parameters of which there is nothing to say are
/// left out.
#[derive(Debug, Default)]
pub(crate) struct NodeValues(Vec<(usize, ParameterValues)>);

/// What callers pass for one parameter.
#[derive(Debug, Default)]
pub(crate) struct ParameterValues {
    text: String,
    /// The enums and classes in the text.
    classes: Vec<DefinitionId>,
    /// True if an intent names one of the values.
    pub(crate) is_asked: bool,
}

impl NodeValues {
    /// The parameters of which there is something to say, by position.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &ParameterValues)> {
        self.0.iter().map(|(position, values)| (*position, values))
    }
}

impl PricedTree {
    /// What callers pass for the parameters of a node.
    pub(super) fn node_values(&self, node: usize) -> NodeValues {
        let Some((id, definition)) = self.definition(node) else { return NodeValues::default() };
        let count = definition.signature.as_ref().map_or(0, |signature| signature.parameters.len());
        let all = (0..count).map(|position| (position, self.values(id, definition, position)));
        NodeValues(all.filter(|(_, values)| !values.text.is_empty()).collect())
    }

    /// The lines that say what callers pass for these parameters, and the imports of what they name; empty if there is
    /// nothing to say.
    pub(super) fn values_lines(&self, node: usize, values: &NodeValues, positions: &ParameterSet) -> String {
        let Some((id, definition)) = self.definition(node) else { return String::new() };
        let shown: Vec<_> = values.iter().filter(|(position, _)| positions.contains(*position)).collect();
        let said: Vec<String> = shown
            .iter()
            .filter_map(|(position, values)| {
                let name = &definition.signature.as_ref()?.parameters.get(*position)?.name;
                Some(format!("{}: {}", sanitized(name), values.text))
            })
            .collect();
        if said.is_empty() {
            return String::new();
        }
        let begin = format!("{}{} ", " ".repeat(self.nodes[node].indent), self.comment_prefix());
        let mut text = format!("{begin}{}\n", said.join("; "));
        // The title of a definition's stub has its own import; a module's stub has the imports of its members.
        if matches!(self.scope, Scope::Definition(_)) {
            let own = import_of(&self.index, id);
            let mut imports: Vec<ExampleImport> = Vec::new();
            for import in shown.iter().flat_map(|(_, values)| &values.classes).filter_map(|&id| self.import(id)) {
                if Some(&import) != own.as_ref() && !imports.contains(&import) {
                    imports.push(import);
                }
            }
            for line in ExampleImport::lines(&imports, definition.language) {
                text.extend([&begin, &*sanitized(&line), "\n"]);
            }
        }
        text
    }

    fn import(&self, id: DefinitionId) -> Option<ExampleImport> {
        let mut import = import_of(&self.index, id)?;
        import.module = sanitized(&import.module);
        Some(import)
    }

    /// What callers pass for a parameter, the shortest first: `Corner (ROUND, SHARP)`, `After(attempts=...)`. Of a
    /// parameter that an intent names and nobody passes: the members of its enum. For a reader with an intent: how the
    /// value of a parameter is made whose type is a class.
    fn values(&self, id: DefinitionId, definition: &Definition, position: usize) -> ParameterValues {
        let Some(parameter) = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position))
        else {
            return ParameterValues::default();
        };
        if parameter.kind == ParameterKind::VarKeyword {
            return self.passed_on(id, definition);
        }
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
        let mut classes: Vec<DefinitionId> = Vec::new();
        for value in &mut values {
            let name = value.split(['.', '(']).next().unwrap_or_default();
            let Some(class) = self.class_named(definition, name).filter(|_| !is_string(value)) else { continue };
            if self.overrides.has_intent && value.ends_with("(...)") {
                *value = self.made(class);
            }
            classes.push(class);
        }
        if values.is_empty() && is_asked {
            values = self.members_of_enum(definition, position);
        }
        if values.is_empty() && self.overrides.has_intent && (parameter.required || is_asked) {
            let class = parameter.annotation.as_deref().and_then(|annotation| self.class_of(definition, annotation));
            values.extend(class.map(|class| self.made(class)));
            classes.extend(class);
        }
        values.shared_sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        values.dedup();
        ParameterValues { text: joined(&values), classes, is_asked: false }
    }

    /// The keywords that `**kwargs` takes and no counted call passes: those that an intent names, and for a function
    /// that declares no other name the first ones.
    fn passed_on(&self, id: DefinitionId, definition: &Definition) -> ParameterValues {
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
        let (asked, others): (Vec<_>, Vec<_>) = uncounted.chain(passed_on).partition(|(_, is_asked)| *is_asked);
        let declares_none =
            (0..signature.parameters.len()).all(|at| signature.parameters[at].is_variadic() || is_keyword(&at));
        let others = others.into_iter().filter(|_| declares_none && self.overrides.has_intent);
        let is_asked = !asked.is_empty();
        let left = MAX_ARGUMENTS.saturating_sub(asked.len());
        let names = asked.into_iter().chain(others.take(left)).map(|(name, _)| format!("{}=", sanitized(name)));
        ParameterValues { text: names.collect::<Vec<_>>().join(", "), classes: Vec::new(), is_asked }
    }

    /// How a value of a class is made: `Message(name, args, ...)`.
    fn made(&self, class: DefinitionId) -> String {
        let definition = self.index.definition(class);
        let name = display::written_name(&self.index, class);
        let signature = definition.signature.as_ref();
        let count = signature.map_or(0, |signature| signature.parameters.len());
        let is_required =
            |at: &usize| signature.is_some_and(|s| s.is_always_required(*at) && !s.parameters[*at].is_variadic());
        let required: Vec<usize> = (0..count).filter(is_required).collect();
        let shown = required.iter().take(MAX_ARGUMENTS).filter_map(|at| signature?.parameters.get(*at));
        let mut texts: Vec<String> = shown.map(|parameter| sanitized(&parameter.name)).collect();
        texts.extend((texts.len() < count).then(|| "...".to_owned()));
        let new = if definition.language == Language::TypeScript { "new " } else { "" };
        sanitized(&format!("{new}{name}({})", texts.join(", ")))
    }

    /// The first class in an annotation that code can make a value with.
    fn class_of(&self, definition: &Definition, annotation: &str) -> Option<DefinitionId> {
        let words = annotation.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$'));
        words.filter_map(|word| self.class_named(definition, word)).find(|id| self.can_be_made(*id))
    }

    /// True for a public class of the library that is not abstract.
    fn can_be_made(&self, id: DefinitionId) -> bool {
        let class = self.index.definition(id);
        let is_abstract = |base: &ArcStr| {
            matches!(base.rsplit('.').next(), Some("ABC" | "Protocol"))
                || base.split('[').next().is_some_and(|base| base.rsplit('.').next() == Some("Protocol"))
        };
        class.kind == DefinitionKind::Class
            && class.is_public
            && class.signature.is_some()
            && !class.modifiers.is_abstract
            && !class.bases.iter().any(is_abstract)
    }

    /// The public enum or class that a value in a call of a definition names: one of the types of the definition, or
    /// what a package around the definition exports under the name.
    fn class_named(&self, definition: &Definition, name: &str) -> Option<DefinitionId> {
        let own = definition.type_names.iter().find(|(other, _)| other == name).and_then(|(_, id)| *id);
        let exported = || {
            let module = &self.index.module(definition.module).fqn;
            let separator = if definition.language == Language::TypeScript { '/' } else { '.' };
            let packages =
                std::iter::successors(Some(module.as_str()), |module| Some(module.rsplit_once(separator)?.0));
            packages.into_iter().find_map(|module| exported_by(&self.index, module, name))
        };
        own.or_else(exported).filter(|id| {
            let class = self.index.definition(*id);
            class.is_public && matches!(class.kind, DefinitionKind::Class | DefinitionKind::Enum)
        })
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
