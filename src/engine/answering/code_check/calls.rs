//! The arguments of a call: whether their number and names fit the parameters.

use super::{MistakeKind, checked_index::CheckedIndex, value::Value};
use apidisc_base::language::Language;
use apidisc_facts::program::{Parameter, ParameterKind, Signature};
use apidisc_indexing::index::Definition;

/// Endings of files whose functions take any number of arguments.
const JAVASCRIPT: [&str; 4] = [".js", ".jsx", ".mjs", ".cjs"];
/// Types of parameters that a call may leave out without a mark at the parameter.
const OMITTABLE: [&str; 3] = ["void", "any", "unknown"];

/// The arguments of a call without spreads by position.
pub(super) struct CallArguments<'c> {
    /// The number of arguments by position.
    pub(super) positional: usize,
    /// The keywords.
    pub(super) keywords: Vec<&'c str>,
    /// True for a call that may pass more keywords: `**more`.
    pub(super) has_more: bool,
}

/// A mistake in the arguments of a call: [`Mistake::kind`](super::Mistake::kind) and
/// [`Mistake::name`](super::Mistake::name).
type ArgumentMistake = (MistakeKind, String);

impl CheckedIndex<'_> {
    /// The mistake in the arguments of a call of `callee`. `None` if the arguments fit the parameters, or if the
    /// sources do not determine whether they fit. If the callee has several values or overloads, the arguments must fit
    /// none of them.
    pub(super) fn argument_mistake(&self, callee: &Value, passed: &CallArguments<'_>) -> Option<ArgumentMistake> {
        let mistakes: Option<Vec<ArgumentMistake>> =
            callee.members().iter().map(|callee| self.argument_mistake_of_one(callee, passed)).collect();
        mistakes?.into_iter().next()
    }

    fn argument_mistake_of_one(&self, callee: &Value, passed: &CallArguments<'_>) -> Option<ArgumentMistake> {
        let (id, definition, signature) = self.certain_callee(callee)?;
        let is_through_class = matches!(callee, Value::Definition(_, None)) && self.takes_object(id);
        if is_through_class || definition.language == Language::TypeScript && self.is_javascript(definition) {
            return None;
        }
        let first = argument_mistake(definition, signature, passed);
        if definition.overloads.is_empty() {
            return first;
        }
        let mistakes: Option<Vec<ArgumentMistake>> =
            definition.overloads.iter().map(|overload| argument_mistake(definition, overload, passed)).collect();
        mistakes.filter(|_| first.is_some())?.into_iter().next()
    }

    fn is_javascript(&self, definition: &Definition) -> bool {
        let path = self.index.files.get(definition.place.file.index()).map_or("", |file| &file.path);
        JAVASCRIPT.iter().any(|ending| path.ends_with(ending))
    }
}

fn argument_mistake(
    definition: &Definition,
    signature: &Signature,
    passed: &CallArguments<'_>,
) -> Option<ArgumentMistake> {
    if signature.is_incomplete {
        return None;
    }
    // Properties of objects are no parameters of their own.
    let parameters: Vec<&Parameter> = signature.parameters.iter().filter(|p| p.object.is_none()).collect();
    let is_by_position = |p: &&&Parameter| matches!(p.kind, ParameterKind::PositionalOnly | ParameterKind::Standard);
    let most = parameters.iter().filter(is_by_position).count();
    let has_rest = parameters.iter().any(|p| p.kind == ParameterKind::VarPositional);
    if passed.positional > most && !has_rest {
        let plural = if most == 1 { "" } else { "s" };
        return Some((MistakeKind::TooMany, format!("{most} argument{plural} by position, not {}", passed.positional)));
    }
    let mut by_position = parameters.iter().filter(is_by_position);
    let given: Vec<&&Parameter> = by_position.by_ref().take(passed.positional).collect();
    let is_twice = |p: &&&&Parameter| p.kind == ParameterKind::Standard && passed.keywords.contains(&&*p.name);
    if let Some(twice) = given.iter().find(is_twice) {
        return Some((MistakeKind::Twice, twice.name.to_string()));
    }
    let later = by_position.chain(parameters.iter().filter(|p| p.kind == ParameterKind::KeywordOnly));
    let is_missing =
        |p: &&&Parameter| p.required && !passed.keywords.contains(&&*p.name) && !may_be_left_out(definition, p);
    let missing = later.filter(|_| !passed.has_more).find(is_missing)?;
    Some((MistakeKind::Missing, missing.name.to_string()))
}

/// True for a parameter of TypeScript whose type may be `void`, with which a call may leave it out.
fn may_be_left_out(definition: &Definition, parameter: &Parameter) -> bool {
    let is_known = |name: &str| definition.type_names.iter().any(|(known, _)| known == name);
    let may_be_void = |word: &str| OMITTABLE.contains(&word) || word.len() <= 2 && !is_known(word);
    let annotation = parameter.annotation.as_deref().unwrap_or("any");
    let mut words = annotation.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
    definition.language == Language::TypeScript && words.any(|word| !word.is_empty() && may_be_void(word))
}
