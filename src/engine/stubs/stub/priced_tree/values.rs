//! The comment above a definition that says what callers pass for parameters: members of enums, constants, classes that
//! values are made with, the literals of a union, the keys of dicts, and keywords that `**kwargs` passes on. Below it
//! stand what the call gives to the code around it (see [`given`](super::given)), and the imports of these enums,
//! constants and classes.

use super::{PricedTree, dict_keys::keys_of_dicts, made_outside::values_made_outside};
use crate::exports::class_named;
use crate::stub::{import_line::import_of, text::sanitized};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterKind, ParameterSet};
use apidisc_indexing::{
    index::{Definition, Scope},
    snippet::ExampleImport,
};

/// The greatest number of values of one parameter.
const MAX_VALUES: usize = 4;
/// The greatest number of parameters of a definition of which each may be what an intent is about.
const FEW_PARAMETERS: usize = 8;
/// The least number of calls that show how the values of a parameter are made.
const MANY_CALLS: u32 = 5;
/// The least relevance of a value that an intent names clearly: one word.
const RELEVANCE_OF_A_NAMED_VALUE: f32 = 1.0;
/// The length of the texts of one parameter, in bytes, behind which no further value is written.
pub(super) const MAX_TEXT: usize = 60;
/// The same for a reader with an intent.
const MAX_TEXT_FOR_AN_INTENT: usize = 120;

/// What callers pass for the parameters of one definition, by position. Parameters of which there is nothing to say are
/// left out.
#[derive(Debug, Default)]
pub(crate) struct NodeValues(Vec<(usize, ParameterValues)>);

/// What callers pass for one parameter.
#[derive(Debug, Default)]
pub(crate) struct ParameterValues {
    pub(super) text: String,
    /// The enums, constants and classes in the text.
    pub(super) named: Vec<DefinitionId>,
    /// The import statements of the classes of other packages in the text.
    pub(super) imports: Vec<String>,
    /// True if an intent names one of the values.
    pub(crate) is_asked: bool,
    /// How many words of an intent the text has, each by how well it occurs.
    pub(crate) relevance: f32,
    /// True for strings of which nothing says that they are all that may be passed.
    pub(crate) is_free_text: bool,
    /// True if the text says what a callback receives or what a call returns.
    pub(crate) is_given: bool,
}

/// A value of a parameter.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value {
    pub(super) text: String,
    /// The enum, constant or class that the text names, if it is known.
    pub(super) named: Option<DefinitionId>,
}

/// The members of one enum, or another value.
struct ValueGroup<'v> {
    /// The name of the enum; empty for another value.
    owner: &'v str,
    members: Vec<&'v str>,
    named: Option<DefinitionId>,
}

impl ParameterValues {
    /// The length of the text in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }
}

impl NodeValues {
    /// The parameters of which there is something to say, by position.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &ParameterValues)> {
        self.0.iter().map(|(position, values)| (*position, values))
    }
}

impl PricedTree {
    /// What callers pass for the parameters of a node, and what a call gives to the code around it.
    pub(super) fn node_values(&self, node: usize) -> NodeValues {
        let Some((id, definition)) = self.definition(node) else { return NodeValues::default() };
        let count = definition.signature.as_ref().map_or(0, |signature| signature.parameters.len());
        let of_parameters = (0..=count).map(|position| {
            let values = || self.values(id, definition, position);
            // Functions that return a callback say more than what it receives.
            let returned_callback = || {
                let made = self.made_for(definition, position, true);
                (position < count && !made.is_empty())
                    .then(|| self.with_relevance(joined(&made, MAX_TEXT_FOR_AN_INTENT)))
            };
            let given = self.given(id, definition, position);
            let values = match given.map(|given| returned_callback().map_or(given, |returned| (returned, false))) {
                None => values(),
                Some((given, false)) => given,
                Some((given, true)) => {
                    let values = values();
                    if values.text.is_empty() || values.is_free_text { given } else { values }
                }
            };
            (position, values)
        });
        // The position of the result is the one behind the parameters, then come who takes the result and what gives
        // the object of a method.
        let passed_to = self.passed_to(id).map(|values| (count + 1, values));
        let got_from = self.got_from(id, definition).map(|values| (count + 2, values));
        let is_handed_over = passed_to.is_some() && definition.kind != DefinitionKind::Class;
        let says_nothing =
            |(at, values): &(usize, ParameterValues)| values.text.is_empty() || is_handed_over && *at == count;
        let of_parameters = of_parameters.filter(|values| !says_nothing(values));
        NodeValues(of_parameters.chain(passed_to).chain(got_from).collect())
    }

    /// The lines that say what callers pass for these parameters, and the imports of what they name; empty if there is
    /// nothing to say.
    pub(super) fn values_lines(&self, node: usize, values: &NodeValues, positions: &ParameterSet) -> String {
        let Some((id, definition)) = self.definition(node) else { return String::new() };
        let shown: Vec<_> = values.iter().filter(|(position, _)| positions.contains(*position)).collect();
        if shown.is_empty() {
            return String::new();
        }
        let name = |position: usize| {
            let parameter = definition.signature.as_ref()?.parameters.get(position)?;
            Some(sanitized(&parameter.name))
        };
        let (given, passed): (Vec<_>, Vec<_>) = shown.iter().partition(|(_, values)| values.is_given);
        let passed = passed.into_iter().filter_map(|(at, values)| Some(format!("{}: {}", name(at)?, values.text)));
        let passed: Vec<String> = passed.collect();
        let given = given.into_iter().map(|(at, values)| match name(at) {
            Some(name) => format!("{name} {}", values.text),
            None => values.text.clone(),
        });
        let begin = format!("{}{} ", " ".repeat(self.nodes[node].indent), self.comment_prefix());
        let mut text = String::new();
        for line in Some(passed.join("; ")).filter(|line| !line.is_empty()).into_iter().chain(given) {
            text.extend([&begin, &*line, "\n"]);
        }
        // The title of a definition's stub has its own import; a module's stub has the imports of its members.
        if matches!(self.scope, Scope::Definition(_)) {
            let own = import_of(&self.index, id);
            let mut imports: Vec<ExampleImport> = Vec::new();
            for import in shown.iter().flat_map(|(_, values)| &values.named).filter_map(|&id| self.import(id)) {
                if Some(&import) != own.as_ref() && !imports.contains(&import) {
                    imports.push(import);
                }
            }
            let mut lines = ExampleImport::lines(&imports, definition.language);
            for line in shown.iter().flat_map(|(_, values)| &values.imports) {
                if !lines.contains(line) {
                    lines.push(line.clone());
                }
            }
            for line in lines {
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

    /// What callers pass for a parameter, the shortest first: `Corner (ROUND, SHARP)`, `After(attempts=...)`. For a
    /// reader with an intent: what the intent names first; all that an enum or a type of strings allows, unless callers
    /// pass members of the enum; and how the value of a parameter is made whose type is a class or has options.
    fn values(&self, id: DefinitionId, definition: &Definition, position: usize) -> ParameterValues {
        let Some(parameter) = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position))
        else {
            return ParameterValues::default();
        };
        if parameter.kind == ParameterKind::VarKeyword {
            let passed_on = self.passed_on(id, definition);
            if !passed_on.text.is_empty() || !self.overrides.has_intent() {
                return passed_on;
            }
            return self.with_relevance(joined(&self.made_for(definition, position, true), MAX_TEXT_FOR_AN_INTENT));
        }
        let has_intent = self.overrides.has_intent();
        let is_asked = self.overrides.of(id).is_some_and(|overrides| overrides.asked.contains(position));
        let passed = definition.usage.parameters.get(position).map_or(&[][..], |usage| &usage.values);
        let strings = passed.iter().filter(|(value, _)| is_string(value)).count();
        // Few different strings, of which one is passed repeatedly, are probably options (a `Literal` type). Other
        // strings are free text.
        let has_union =
            strings > 1 && strings < MAX_VALUES && passed.iter().any(|(value, count)| *count > 1 && is_string(value));
        let says_strings = is_asked || has_union && !has_intent;
        let is_named =
            |value: &str| (is_member(value) || is_made(value)) && !self.is_not_of_library(class_of_value(value));
        let is_said = |value: &str| is_named(value) || says_strings && is_string(value);
        let said = passed.iter().filter_map(|(value, _)| {
            if is_said(value) {
                Some(self.passed_value(definition, value))
            } else {
                self.passed_constant(definition, value)
            }
        });
        let mut values: Vec<Value> = said.collect();
        self.put_named_first(&mut values);
        values.truncate(MAX_VALUES);
        values.extend(keys_of_dicts(passed, is_asked).map(|text| Value { text: sanitized(&text), named: None }));
        let mut is_free_text = !values.is_empty() && values.iter().all(|value| is_string(&value.text));
        let may_be_passed = parameter.required || is_asked || self.is_requested_with_few_parameters(id, definition);
        if has_intent {
            let allowed = self.allowed_values(definition, position, is_asked);
            let passes_members = values.iter().any(|value| self.is_of_enum(value));
            if !allowed.is_empty() && !passes_members {
                // What a type allows says more than the strings and constants that some callers pass.
                (values, is_free_text) = (allowed, false);
            } else if may_be_passed {
                let others: Vec<Value> = allowed.into_iter().filter(|value| !values.contains(value)).collect();
                values.extend(others);
            }
        }
        if has_intent && may_be_passed && values.iter().all(|value| is_string(&value.text)) {
            let others = self.strings_of_namesakes(definition, position);
            is_free_text |= values.is_empty() && !others.is_empty();
            values.extend(others);
        }
        let made = self.made_by_program(id, definition, position, may_be_passed);
        let says_nothing = values.is_empty() || is_free_text;
        if made.is_empty() && says_nothing && has_intent {
            let count = definition.usage.parameters.get(position).map_or(0, |usage| usage.count);
            if let Some(made) = values_made_outside(passed, count) {
                return made;
            }
        }
        if !says_nothing {
            let is_new = |made: &Value| values.iter().all(|value| value.named != made.named);
            let new: Vec<Value> = made.into_iter().filter(is_new).collect();
            values.extend(new);
        } else if !made.is_empty() {
            (values, is_free_text) = (made, false);
        } else if has_intent && may_be_passed {
            // A required object that is no option comes from elsewhere, such as an event. The options of a constructor
            // and the elements of a list are made where the call is.
            let is_option = is_asked
                || !parameter.required
                || holds_several(parameter.type_text().unwrap_or_default())
                || parameter.object.is_some()
                || definition.kind == DefinitionKind::Class;
            let keys = || self.keys_of_options(definition, position).filter(|_| is_option);
            if let Some(options) = keys().map(|text| Value { text, named: None }) {
                (values, is_free_text) = (vec![options], false);
            }
        }
        values.shared_sort_by(|a, b| (a.text.len(), a).cmp(&(b.text.len(), b)));
        self.put_named_first(&mut values);
        self.leave_out_others(&mut values);
        values.dedup_by(|a, b| a.text == b.text);
        let longest = if has_intent { MAX_TEXT_FOR_AN_INTENT } else { MAX_TEXT };
        self.with_relevance(ParameterValues { is_free_text, ..joined(&values, longest) })
    }

    /// What the program has to make a value of a parameter, for a reader with an intent: see [`Self::made_for`]. Of a
    /// parameter that nothing says is passed, only for the requested definition.
    fn made_by_program(
        &self,
        id: DefinitionId,
        definition: &Definition,
        position: usize,
        may_be_passed: bool,
    ) -> Vec<Value> {
        let is_requested = self.scope == Scope::Definition(id);
        if !self.overrides.has_intent() || !may_be_passed && !is_requested {
            return Vec::new();
        }
        let usage = definition.usage.parameters.get(position);
        let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(position));
        let ty = parameter.and_then(|parameter| parameter.type_text()).unwrap_or_default();
        // Many calls of which none makes a value pass callbacks, if the type allows them.
        let is_callback = (ty.contains("Callable") || ty.contains("=>"))
            && usage.is_some_and(|usage| usage.count >= MANY_CALLS)
            && !usage.is_some_and(|usage| usage.values.iter().any(|(value, _)| self.is_made_with_class(value)));
        self.made_for(definition, position, may_be_passed && !is_callback)
    }

    /// True for a value that a class of the library makes.
    fn is_made_with_class(&self, value: &str) -> bool {
        is_made(value) && self.only_class(class_of_value(value)).is_some()
    }

    /// Values with their relevance for the intent.
    fn with_relevance(&self, values: ParameterValues) -> ParameterValues {
        let intent = self.overrides.intent.as_ref().filter(|_| !values.is_free_text);
        let relevance = intent.map_or(0.0, |intent| intent.relevance(&values.text));
        ParameterValues { relevance, ..values }
    }

    /// True for the requested definition if it has few parameters: any of them may be what an intent is about.
    pub(super) fn is_requested_with_few_parameters(&self, id: DefinitionId, definition: &Definition) -> bool {
        let signature = definition.signature.as_ref().filter(|_| self.scope == Scope::Definition(id));
        signature.is_some_and(|signature| signature.parameters.len() <= FEW_PARAMETERS)
    }

    /// Puts the values in which words of the intent occur before the others, most words first. Otherwise the order
    /// stays.
    pub(super) fn put_named_first(&self, values: &mut Vec<Value>) {
        let Some(intent) = &self.overrides.intent else { return };
        let mut ranked: Vec<(f32, Value)> =
            std::mem::take(values).into_iter().map(|value| (intent.relevance(&value.text), value)).collect();
        ranked.shared_sort_by(|(a, _), (b, _)| b.total_cmp(a));
        values.extend(ranked.into_iter().map(|(_, value)| value));
    }

    /// Leaves out made values that an intent does not name, if it names the first value.
    fn leave_out_others(&self, values: &mut Vec<Value>) {
        let Some(intent) = &self.overrides.intent else { return };
        let relevance = |value: &Value| intent.relevance(&value.text);
        if values.first().is_some_and(|first| is_made(&first.text) && relevance(first) >= RELEVANCE_OF_A_NAMED_VALUE) {
            values.retain(|value| !is_made(&value.text) || relevance(value) > 0.0);
        }
    }

    fn is_of_enum(&self, value: &Value) -> bool {
        value.named.is_some_and(|id| self.index.is_enum(id))
    }

    /// A value that callers pass, with its enum or class. For a reader with an intent, the arguments stand in it that
    /// the class requires.
    fn passed_value(&self, definition: &Definition, value: &str) -> Value {
        let text = sanitized(value);
        let name = class_of_value(&text);
        let named = class_named(&self.index, definition, name).or_else(|| self.only_class(name));
        let named = named.filter(|_| !is_string(value));
        let class = named.filter(|class| !is_made(value) || self.is_the_only_one(*class, name, value));
        let made = class.filter(|_| self.overrides.has_intent() && is_made(value));
        let made = made.map(|id| self.made(id, value));
        Value { text: made.unwrap_or(text), named: class }
    }

    /// A constant of the library that callers pass.
    fn passed_constant(&self, definition: &Definition, value: &str) -> Option<Value> {
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if !value.starts_with(|c: char| c.is_ascii_uppercase()) || !value.chars().all(is_name) {
            return None;
        }
        let named = self.constant_named(definition, value)?;
        Some(Value { text: sanitized(value), named: Some(named) })
    }
}

/// Values in one text, in which the members of an enum follow its name. Further values are left out of a long text.
fn joined(values: &[Value], longest: usize) -> ParameterValues {
    let mut groups: Vec<ValueGroup<'_>> = Vec::new();
    for Value { text, named } in values {
        let (owner, last) = text.rsplit_once('.').filter(|_| is_member(text)).unwrap_or(("", text));
        match groups.iter_mut().find(|group| !owner.is_empty() && group.owner == owner) {
            Some(group) => group.members.push(last),
            None => groups.push(ValueGroup { owner, members: vec![last], named: *named }),
        }
    }
    let mut joined = ParameterValues::default();
    for ValueGroup { owner, members, named } in groups {
        let group = match (owner, &members[..]) {
            ("", [value]) => (*value).to_owned(),
            (owner, [member]) => format!("{owner}.{member}"),
            (owner, members) => format!("{owner} ({})", members.join(", ")),
        };
        if !joined.text.is_empty() && joined.text.len() + group.len() > longest {
            break;
        }
        joined.text.extend([if joined.text.is_empty() { "" } else { ", " }, &group]);
        joined.named.extend(named);
    }
    joined
}

/// True for the type of a list or record of TypeScript.
fn holds_several(annotation: &str) -> bool {
    annotation.ends_with("[]")
        || ["Array<", "ReadonlyArray<", "Record<"].iter().any(|name| annotation.starts_with(name))
}

/// The name at the beginning of a value: `Corner` of `Corner.ROUND` and `new Corner(1)`.
fn class_of_value(value: &str) -> &str {
    value.strip_prefix("new ").unwrap_or(value).split(['.', '(']).next().unwrap_or_default()
}

/// True for the member of an enum or another named value of a class or module: `Corner.ROUND`.
fn is_member(value: &str) -> bool {
    let is_name = value.starts_with(|c: char| c.is_alphabetic() || c == '_') && !value.contains(['"', '\'']);
    value.contains('.') && is_name && !value.contains('(')
}

/// True for a value that a class makes: `After(attempts=...)`.
fn is_made(value: &str) -> bool {
    value.ends_with(')')
}

fn is_string(value: &str) -> bool {
    value.len() > 2 && value.starts_with(['"', '\''])
}
