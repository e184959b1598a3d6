//! What is said of the values of one parameter: what callers pass, what the type allows, and what makes a value. Each
//! step adds what it knows, or takes the place of what says less.

use std::borrow::Cow;

use compact_str::CompactString;

use super::{
    PricedTree,
    dict_keys::keys_of_dicts,
    made_outside::values_made_outside,
    made_values::takes_class,
    option_keys::KeyText,
    value_texts::{Value, class_of_value, is_made, is_member, is_string, joined},
    values::ParameterValues,
};
use crate::exports::{class_named, classes_in};
use crate::stub::text::sanitized;
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, ParameterKind};
use apidisc_indexing::index::{Definition, Scope};
use rustc_hash::FxHashSet;

/// The greatest number of values that callers pass.
const MAX_VALUES: usize = 4;
/// The greatest number of parameters of a definition of which each may be what an intent is about.
const FEW_PARAMETERS: usize = 8;
/// The least number of calls that show how the values of a parameter are made.
const MANY_CALLS: u32 = 5;
/// The least relevance of a value that an intent names clearly: one word.
const RELEVANCE_OF_A_NAMED_VALUE: f32 = 1.0;

/// A parameter of which the values are said.
struct SaidParameter<'t> {
    id: DefinitionId,
    definition: &'t Definition,
    position: usize,
    parameter: &'t Parameter,
    /// What callers pass, with the number of calls; the most frequent value first.
    passed: Cow<'t, [(CompactString, u32)]>,
    /// True if an intent names the parameter.
    is_asked: bool,
    /// True if a call for the intent may pass it: it is required or named, or one of few.
    may_be_passed: bool,
}

/// What is known of the values of a parameter so far.
#[derive(Default)]
struct Known {
    values: Vec<Value>,
    /// True for strings of which nothing says that they are all that may be passed.
    is_free_text: bool,
    /// True if the values are in the order in which they are said.
    is_ordered: bool,
    /// The keys of an object that code writes, which are said before what makes one.
    keys: Option<Value>,
}

impl Known {
    fn says_nothing(&self) -> bool {
        self.values.is_empty() || self.is_free_text
    }
}

impl PricedTree {
    /// What callers pass for a parameter, the shortest first: `Corner (ROUND, SHARP)`, `After(attempts=...)`. With an
    /// intent, the values that it names come first, and two things are added: all members or strings that the type
    /// allows, unless callers pass members of an enum; and how to make a value, if the type is a class or an options
    /// object.
    pub(super) fn values(&self, id: DefinitionId, definition: &Definition, position: usize) -> ParameterValues {
        let signature = definition.signature.as_ref();
        let Some(parameter) = signature.and_then(|signature| signature.parameters.get(position)) else {
            return ParameterValues::default();
        };
        if parameter.kind == ParameterKind::VarKeyword {
            return self.values_of_keywords(id, definition, position);
        }
        let is_asked = self.overrides.of(id).is_some_and(|overrides| overrides.asked.contains(position));
        let may_be_passed = parameter.required || is_asked || self.is_requested_with_few_parameters(id, definition);
        let passed = self.passed_values(definition, position);
        let of = SaidParameter { id, definition, position, parameter, passed, is_asked, may_be_passed };
        let mut known = self.said(&of);
        if self.overrides.has_intent() {
            self.add_allowed(&of, &mut known);
            self.add_strings_of_namesakes(&of, &mut known);
        }
        let made = self.made_by_program(&of);
        if made.is_empty()
            && known.says_nothing()
            && let Some(made) = self.made_outside(&of)
        {
            return made;
        }
        self.add_made(&of, made, &mut known);
        let Known { mut values, is_free_text, is_ordered, keys } = known;
        if !is_ordered {
            sort_by_length(&mut values);
        }
        self.put_named_first(&mut values);
        self.leave_out_others(&mut values);
        let mut seen: FxHashSet<String> = FxHashSet::default();
        values.retain(|value| seen.insert(value.text.clone()));
        values.splice(0..0, keys);
        self.with_relevance(ParameterValues { is_free_text, ..joined(&values, self.overrides.has_intent()) })
    }

    /// What callers pass to `**kwargs`: keywords. If none is known and there is an intent, the functions and classes
    /// that make its values.
    fn values_of_keywords(&self, id: DefinitionId, definition: &Definition, position: usize) -> ParameterValues {
        let passed_on = self.passed_on(id, definition);
        if !passed_on.text.is_empty() || !self.overrides.has_intent() {
            return passed_on;
        }
        let spread = self.spread_keywords(definition);
        if !spread.is_empty() {
            return self.with_relevance(ParameterValues { text: spread, ..ParameterValues::default() });
        }
        self.with_relevance(joined(&self.made_for(definition, position, true), true))
    }

    /// The enums, constants and made values that callers pass, strings that are a choice, and the keys of dicts.
    fn said(&self, of: &SaidParameter<'_>) -> Known {
        let (passed, has_intent) = (&of.passed[..], self.overrides.has_intent());
        let strings = passed.iter().filter(|(value, _)| is_string(value)).count();
        // Few different strings, of which one is passed repeatedly, are probably options (a `Literal` type). Other
        // strings are free text.
        let has_union =
            strings > 1 && strings < MAX_VALUES && passed.iter().any(|(value, count)| *count > 1 && is_string(value));
        let says_strings = of.is_asked || has_union && !has_intent;
        let is_named =
            |value: &str| (is_member(value) || is_made(value)) && !self.is_not_of_library(class_of_value(value));
        let is_said = |value: &str| is_named(value) || says_strings && is_string(value);
        let said = passed.iter().filter_map(|(value, _)| {
            if is_said(value) {
                Some(self.passed_value(of.definition, value))
            } else {
                self.passed_constant(of.definition, value)
            }
        });
        let mut values: Vec<Value> = said.collect();
        self.put_named_first(&mut values);
        values.truncate(MAX_VALUES);
        let is_python = of.definition.language == Language::Python;
        let objects = is_python.then(|| self.keys_passed(of.definition, of.position, of.is_asked)).flatten();
        let keys = objects.or_else(|| keys_of_dicts(passed, of.is_asked));
        values.extend(keys.map(|text| Value::unnamed(sanitized(&text))));
        let is_free_text = !values.is_empty() && values.iter().all(|value| is_string(&value.text));
        Known { values, is_free_text, ..Known::default() }
    }

    /// Adds what the type allows, which says more than the strings and constants that some callers pass.
    fn add_allowed(&self, of: &SaidParameter<'_>, known: &mut Known) {
        let allowed = self.allowed_values(of.definition, of.position, of.is_asked, &of.passed);
        let passes_members = known.values.iter().any(|value| self.is_of_enum(value));
        if !allowed.is_empty() && !passes_members {
            *known = Known { values: allowed, is_ordered: true, ..Known::default() };
        } else if of.may_be_passed {
            let of_enum = known.values.iter().find_map(|value| self.enum_of(value)).map(|id| self.members_of(id));
            let strings = || self.strings_among(of.definition, of.position);
            let others = if allowed.is_empty() { of_enum.unwrap_or_else(strings) } else { allowed };
            let others: Vec<Value> = others.into_iter().filter(|value| !known.values.contains(value)).collect();
            known.is_free_text &= others.is_empty();
            if passes_members {
                // Of many members, those that callers pass come first.
                sort_by_length(&mut known.values);
                known.is_ordered = true;
            }
            known.values.extend(others);
        }
    }

    /// Adds the strings of parameters with the same name, unless there are other values than strings.
    fn add_strings_of_namesakes(&self, of: &SaidParameter<'_>, known: &mut Known) {
        if of.may_be_passed && known.values.iter().all(|value| is_string(&value.text)) {
            let others = self.strings_of_namesakes(of.definition, of.position);
            known.is_free_text |= known.values.is_empty() && !others.is_empty();
            known.values.extend(others);
        }
    }

    /// Adds what the program has to make a value; without it, and where nothing else is said, the keys of options.
    fn add_made(&self, of: &SaidParameter<'_>, made: Vec<Value>, known: &mut Known) {
        if !known.says_nothing() {
            let is_new = |made: &Value| known.values.iter().all(|value| value.named != made.named);
            let new: Vec<Value> = made.into_iter().filter(is_new).collect();
            known.is_ordered &= new.is_empty();
            known.values.extend(new);
        } else if !made.is_empty() {
            // Code may write the object instead.
            let may_be_written = of.may_be_passed && self.takes_data(of.definition, of.position);
            let keys = if may_be_written { self.options_of(of) } else { None };
            *known = Known { values: made, keys: keys.map(Value::of_keys), ..Known::default() };
        } else if let Some(intent) = &self.overrides.intent
            && (of.may_be_passed || self.scope == Scope::Definition(of.id))
            && let Some(options) = self.options_of(of)
            // The intent may name a key of the object instead of the parameter.
            && (of.may_be_passed || intent.relevance(&options.text) >= RELEVANCE_OF_A_NAMED_VALUE)
        {
            *known = Known { values: vec![Value::of_keys(options)], ..Known::default() };
        }
    }

    /// The keys of the object that a call passes: those of its type, or those that callers write.
    fn options_of(&self, of: &SaidParameter<'_>) -> Option<KeyText> {
        // A required object that holds no options, such as an event, exists before the call, so its keys are not said.
        // The options of a constructor, the elements of a list, and objects that callers write are made in the call.
        let is_option = of.is_asked
            || !of.parameter.required
            || holds_several(of.parameter.type_text().unwrap_or_default())
            || of.parameter.object.is_some()
            || of.definition.kind == DefinitionKind::Class;
        let is_typescript = of.definition.language == Language::TypeScript;
        let passed = is_typescript.then(|| self.keys_passed(of.definition, of.position, of.is_asked)).flatten();
        let declared = self.keys_of_options(of.definition, of.position).filter(|_| is_option || passed.is_some());
        declared.or_else(|| passed.map(|text| KeyText { text: sanitized(&text), ..KeyText::default() }))
    }

    /// How callers make a value with classes of other packages.
    fn made_outside(&self, of: &SaidParameter<'_>) -> Option<ParameterValues> {
        let count = of.definition.usage.parameters.get(of.position).map_or(0, |usage| usage.count);
        values_made_outside(&of.passed, count).filter(|_| self.overrides.has_intent())
    }

    /// What the program has to make a value of a parameter, for a reader with an intent: see [`Self::made_for`]. Of a
    /// parameter that nothing says is passed, only for the requested definition.
    fn made_by_program(&self, of: &SaidParameter<'_>) -> Vec<Value> {
        let is_requested = self.scope == Scope::Definition(of.id);
        let ty = of.parameter.type_text().unwrap_or_default();
        let takes_class = of.definition.language == Language::Python && takes_class(ty);
        if !self.overrides.has_intent() || takes_class || !of.may_be_passed && !is_requested {
            return Vec::new();
        }
        let usage = of.definition.usage.parameters.get(of.position);
        // Many calls of which none makes a value pass callbacks, if the type allows them.
        let is_callback = (ty.contains("Callable") || ty.contains("=>"))
            && usage.is_some_and(|usage| usage.count >= MANY_CALLS)
            && !of.passed.iter().any(|(value, _)| self.is_made_with_class(value));
        self.made_for(of.definition, of.position, of.may_be_passed && !is_callback)
    }

    /// True for a value that a class of the library makes.
    fn is_made_with_class(&self, value: &str) -> bool {
        is_made(value) && self.only_class(class_of_value(value)).is_some()
    }

    /// Values with their relevance for the intent.
    pub(super) fn with_relevance(&self, values: ParameterValues) -> ParameterValues {
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

    /// Leaves out values of classes that an intent does not name, if it names the first value.
    fn leave_out_others(&self, values: &mut Vec<Value>) {
        let Some(intent) = &self.overrides.intent else { return };
        let relevance = |value: &Value| intent.relevance(&value.text);
        if values.first().is_some_and(|first| is_made(&first.text) && relevance(first) >= RELEVANCE_OF_A_NAMED_VALUE) {
            let is_class = |value: &Value| value.named.is_none_or(|id| self.is_class(id));
            values.retain(|value| !is_made(&value.text) || relevance(value) > 0.0 || !is_class(value));
        }
    }

    fn is_class(&self, id: DefinitionId) -> bool {
        self.index.definition(id).kind == DefinitionKind::Class
    }

    fn is_of_enum(&self, value: &Value) -> bool {
        value.named.is_some_and(|id| self.index.is_enum(id))
    }

    /// The enum whose member a value is, or whose members the constant holds that the value names.
    fn enum_of(&self, value: &Value) -> Option<DefinitionId> {
        let named = value.named.filter(|id| !self.index.is_enum(*id)).map(|id| self.index.definition(id));
        let Some(constant) = named else { return value.named };
        let annotation = constant.annotation.as_deref().filter(|_| constant.kind == DefinitionKind::Constant)?;
        classes_in(&self.index, constant, annotation).find(|id| self.index.is_enum(*id))
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
        Value::new(made.unwrap_or(text), class)
    }

    /// A constant of the library that callers pass.
    fn passed_constant(&self, definition: &Definition, value: &str) -> Option<Value> {
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if !value.starts_with(|c: char| c.is_ascii_uppercase()) || !value.chars().all(is_name) {
            return None;
        }
        let named = self.constant_named(definition, value)?;
        Some(Value::new(sanitized(value), Some(named)))
    }
}

/// Puts the shortest values first.
fn sort_by_length(values: &mut [Value]) {
    values.shared_sort_by(|a, b| (a.text.len(), a).cmp(&(b.text.len(), b)));
}

/// True for the type of a list or record of TypeScript.
fn holds_several(annotation: &str) -> bool {
    annotation.ends_with("[]")
        || ["Array<", "ReadonlyArray<", "Record<"].iter().any(|name| annotation.starts_with(name))
}
