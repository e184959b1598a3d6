//! A call of TypeScript under the signatures of two versions. A call is fine if one of the signatures takes it.

use std::cell::LazyCell;

use apidisc_facts::program::{Argument, CallForm, DefinitionId, Parameter, ParameterKind, PropertyArgument, Signature};
use apidisc_indexing::index::Definition;
use apidisc_words::words;

use crate::{
    declarations::Declarations,
    forms::Form,
    properties::Properties,
    replacement,
    report::{Rule, Verdict, Violation},
    type_text,
    types::{Scope, Types},
};

/// The attributes of an element that its component need not declare.
const ATTRIBUTES: [&str; 2] = ["key", "ref"];

/// A call as one version resolves it.
pub(crate) struct TypedCall<'v> {
    types: Types<'v>,
    id: DefinitionId,
    definition: &'v Definition,
    arguments: &'v [Argument],
    forms: &'v [Form],
    is_element: bool,
}

/// Why a signature does not take a call.
struct Refusal {
    rule: Rule,
    /// The position of the argument, or of the missing one.
    at: usize,
    /// The name of the property, or of the parameter of this signature.
    name: Option<String>,
}

impl<'v> TypedCall<'v> {
    pub(crate) fn new(
        declarations: &'v Declarations<'v>,
        id: DefinitionId,
        form: CallForm,
        arguments: &'v [Argument],
        forms: &'v [Form],
    ) -> Self {
        let index = declarations.version.index;
        let definition = index.definition(id);
        let types = Types::new(declarations, &index.file(definition.place.file).path);
        let is_element = form == CallForm::Jsx;
        Self { types, id, definition, arguments, forms, is_element }
    }

    fn signatures(&self) -> impl Iterator<Item = &'v Signature> {
        let single = self.definition.signature.as_deref().filter(|_| self.definition.overloads.is_empty());
        self.definition.overloads.iter().chain(single)
    }

    fn scope(&self, signature: &Signature) -> Scope {
        self.types.scope(self.id, signature.type_parameters.as_deref())
    }

    /// Why a signature does not take the call; nothing if it does, or if that is not known.
    fn refusals(&self, signature: &Signature) -> Vec<Refusal> {
        if signature.is_incomplete {
            return Vec::new();
        }
        let mut found = Vec::new();
        let positional = positional(signature);
        let rest = positional.iter().position(|(_, parameter)| parameter.is_variadic());
        let scope = self.scope(signature);
        for (at, (argument, form)) in self.arguments.iter().zip(self.forms).enumerate() {
            if argument.kind.is_spread() {
                return found;
            }
            if rest.is_some_and(|rest| at >= rest) {
                continue;
            }
            let Some(&(position, parameter)) = positional.get(at) else {
                found.push(Refusal { rule: Rule::RemovedParameter, at, name: None });
                break;
            };
            let annotation = parameter.annotation.as_deref();
            let accepts = |text| self.types.accepts(text, &scope, form);
            if annotation.and_then(accepts) == Some(false) {
                let name = Some(parameter.name.to_string());
                found.push(Refusal { rule: Rule::LiteralNotAccepted, at, name });
            } else if let Some(keys) = &argument.keys {
                self.properties((signature, &scope), (position, parameter), at, keys, &mut found);
            }
        }
        let takes_nothing =
            |parameter: &Parameter| may_be_left_out(parameter.annotation.as_deref().unwrap_or_default());
        let missing = positional.iter().skip(self.arguments.len());
        let missing = missing.filter(|(_, parameter)| parameter.required && !parameter.is_variadic());
        found.extend(missing.filter(|(_, parameter)| !takes_nothing(parameter)).map(|(_, parameter)| Refusal {
            rule: Rule::RequiredParameter,
            at: self.arguments.len(),
            name: Some(parameter.name.to_string()),
        }));
        found
    }

    /// The properties of an object literal that its type does not have, those that it lacks, and those whose literal
    /// value it does not take.
    fn properties(
        &self,
        (signature, scope): (&Signature, &Scope),
        (position, parameter): (usize, &Parameter),
        at: usize,
        keys: &[PropertyArgument],
        found: &mut Vec<Refusal>,
    ) {
        let declared: Vec<&Parameter> = properties_of(signature, position).collect();
        let annotation = parameter.annotation.as_deref();
        let written =
            LazyCell::new(|| annotation.map_or_else(Properties::open, |text| self.types.properties(text, scope)));
        for key in keys.iter().filter(|key| !key.hides_name()) {
            let refused = |rule| Refusal { rule, at, name: Some(key.name.to_string()) };
            let Some(property) = declared.iter().find(|property| property.name == key.name) else {
                let is_free = self.is_element && (ATTRIBUTES.contains(&key.name.as_str()) || key.name.contains('-'));
                if !is_free && !written.is_open && !written.names.contains_key(key.name.as_str()) {
                    found.push(refused(Rule::RemovedParameter));
                }
                continue;
            };
            let value = key.value.as_deref().map_or(Form::Other, form_of);
            let is_taken = |text: &str| self.types.accepts(text, scope, &value);
            // The names in the type of a property stand in another scope than those of the signature.
            let literals = property.annotation.as_deref().filter(|text| type_text::is_literals(text));
            if literals.and_then(is_taken) == Some(false) {
                found.push(refused(Rule::LiteralNotAccepted));
            }
        }
        if keys.iter().any(PropertyArgument::hides_name) {
            return;
        }
        let is_passed = |name: &str| keys.iter().any(|key| key.name == name);
        for property in declared.iter().filter(|property| property.required && !is_passed(&property.name)) {
            let known = written.names.get(property.name.as_str());
            let is_always = known.is_some_and(|known| known.is_required);
            let is_content = self.is_element && property.name == "children";
            if is_always && !is_content {
                let name = Some(property.name.to_string());
                found.push(Refusal { rule: Rule::RequiredParameter, at, name });
            }
        }
    }

    /// The first signature that takes the call; one that is deprecated only if no other one does. If none does, all
    /// signatures with their refusals.
    fn taking(&self) -> Result<&'v Signature, Vec<(&'v Signature, Vec<Refusal>)>> {
        let mut refused = Vec::new();
        let mut deprecated = None;
        for signature in self.signatures() {
            if deprecated.is_some() && signature.deprecated.is_some() {
                continue;
            }
            let refusals = self.refusals(signature);
            if !refusals.is_empty() {
                refused.push((signature, refusals));
            } else if signature.deprecated.is_some() {
                deprecated = Some(signature);
            } else {
                return Ok(signature);
            }
        }
        deprecated.ok_or(refused)
    }

    /// The names of the properties that an argument may have under any signature.
    fn property_names(&self, at: usize) -> Vec<String> {
        let mut names = Vec::new();
        for signature in self.signatures() {
            let Some(&(position, parameter)) = positional(signature).get(at) else { continue };
            names.extend(properties_of(signature, position).map(|property| property.name.to_string()));
            if let Some(text) = parameter.annotation.as_deref() {
                names.extend(self.types.properties(text, &self.scope(signature)).names.into_keys());
            }
        }
        names
    }

    /// The first passed property that is deprecated, with the message.
    fn deprecated_property(&self, signature: &Signature) -> Option<(String, String)> {
        let positional = positional(signature);
        self.arguments.iter().zip(&positional).find_map(|(argument, (_, parameter))| {
            let keys = argument.keys.as_deref()?;
            let properties = self.types.properties(parameter.annotation.as_deref()?, &self.scope(signature));
            keys.iter().find_map(|key| {
                let message = properties.names.get(key.name.as_str())?.deprecation.clone()?;
                Some((key.name.to_string(), message))
            })
        })
    }
}

/// What the new version does to a call, if both versions show it. `texts` are those of the definitions and their files,
/// in which the name of what is gone may have a message.
pub(crate) fn violation(before: &TypedCall<'_>, after: &TypedCall<'_>, texts: &[&str]) -> Option<Violation> {
    let refused = match after.taking() {
        Ok(signature) => return deprecation(after, signature),
        Err(refused) => refused,
    };
    let old = before.taking().ok()?;
    let (signature, refusals) = refused.into_iter().min_by_key(|(_, refusals)| refusals.len())?;
    let Refusal { rule, at, name } = refusals.into_iter().next()?;
    let old_parameter = positional(old).get(at).map(|(_, parameter)| *parameter);
    let is_key = name.as_deref().is_some_and(|name| {
        let keys = before.arguments.get(at).and_then(|argument| argument.keys.as_deref());
        keys.is_some_and(|keys| keys.iter().any(|key| key.name == name))
    });
    let found = |rule, param: Option<String>, now| Some(Violation { verdict: Verdict::Break, rule, param, now });
    if rule == Rule::RequiredParameter {
        return found(rule, name, None);
    }
    if is_key {
        let name = name?;
        // What the old types do not show was never known to be a property.
        let old_names = before.property_names(at);
        if !old_names.contains(&name) {
            return None;
        }
        let new_names = after.property_names(at);
        let now = (rule == Rule::RemovedParameter).then(|| property_instead(&name, &old_names, &new_names, texts));
        return found(rule, Some(name), now.flatten());
    }
    let old_parameter = old_parameter?;
    // A value that stood by itself may be a property of an object now.
    let objects = positional(signature).into_iter().enumerate();
    let inside = objects.filter(|(at, _)| after.property_names(*at).iter().any(|name| *name == *old_parameter.name));
    let now = inside.map(|(_, (_, parameter))| format!("{}.{}", parameter.name, old_parameter.name)).next();
    let has_moved = now.is_some() || name.as_deref().is_some_and(|name| name != old_parameter.name.as_str());
    let rule = if rule == Rule::LiteralNotAccepted && has_moved { Rule::MovedPosition } else { rule };
    found(rule, Some(old_parameter.name.to_string()), now)
}

/// What a version says of the signature that takes a call, and of the properties that the call passes.
fn deprecation(call: &TypedCall<'_>, signature: &Signature) -> Option<Violation> {
    let advised = |name: &str, message: &str| replacement::advised(&format!("{name} {message}"), name).next();
    if let Some(message) = signature.deprecated.as_deref() {
        let now = advised(&call.definition.name, message);
        return Some(Violation { verdict: Verdict::Deprecated, rule: Rule::DeprecatedSymbol, param: None, now });
    }
    let (name, message) = call.deprecated_property(signature)?;
    let now = advised(&name, &message);
    Some(Violation { verdict: Verdict::Deprecated, rule: Rule::DeprecatedParameter, param: Some(name), now })
}

/// The property that took the place of one that is gone: the one that a message names, else the only new one that
/// shares a word with it.
fn property_instead(name: &str, old: &[String], new: &[String], texts: &[&str]) -> Option<String> {
    let mut advised = texts.iter().flat_map(|text| replacement::advised(text, name));
    if let Some(advised) = advised.find(|advised| new.contains(advised)) {
        return Some(advised);
    }
    let words = long_words(name);
    let mut like: Vec<&String> = new.iter().filter(|new| !old.contains(new)).collect();
    like.retain(|new| long_words(new).iter().any(|word| words.contains(word)));
    like.dedup();
    match like[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// The words of a name that have more than two letters.
fn long_words(name: &str) -> Vec<String> {
    words(name).filter(|word| word.len() > 2).collect()
}

/// The parameters that take arguments, each with its position in the signature.
fn positional(signature: &Signature) -> Vec<(usize, &Parameter)> {
    let parameters = signature.parameters.iter().enumerate();
    parameters.filter(|(_, parameter)| parameter.kind != ParameterKind::Property).collect()
}

/// The properties of the parameter at a position.
fn properties_of(signature: &Signature, position: usize) -> impl Iterator<Item = &Parameter> {
    signature.parameters.iter().filter(move |parameter| parameter.object.map(usize::from) == Some(position))
}

/// True for the type of a parameter that a call may leave out.
fn may_be_left_out(text: &str) -> bool {
    let alternatives = type_text::split(type_text::bare(text), &['|']);
    alternatives.iter().any(|part| matches!(*part, "void" | "any" | "unknown"))
}

/// The form of a literal that is written as text.
fn form_of(text: &str) -> Form {
    match text {
        "true" | "false" => Form::Bool,
        "null" => Form::Null,
        "undefined" => Form::Undefined,
        _ => match type_text::quoted(text) {
            Some(inner) => Form::String(Some(inner.to_owned())),
            None if text.strip_prefix('-').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit()) => Form::Number,
            None => Form::Other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_type_that_takes_nothing_lets_a_call_leave_out_its_parameter() {
        assert_eq!(["void", "A | void", "(any)", "unknown"].map(may_be_left_out), [true; 4]);
        assert_eq!(["(cb: A) => void", "A<any>", "A | (() => void)", ""].map(may_be_left_out), [false; 4]);
    }

    #[test]
    fn a_number_may_have_a_sign() {
        assert_eq!(["1", "-1", "-x"].map(form_of), [Form::Number, Form::Number, Form::Other]);
    }

    #[test]
    fn a_property_that_shares_a_word_takes_the_place_of_one_that_is_gone() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let instead =
            |name, old: &[&str], new: &[&str], text| property_instead(name, &names(old), &names(new), &[text]);
        let (old, new) = (["cacheTime", "retry"], ["gcTime", "retry"]);
        assert_eq!(instead("cacheTime", &old, &new, "").as_deref(), Some("gcTime"));
        assert_eq!(
            instead("cacheTime", &old, &["retry", "later"], "'cacheTime' is gone, use 'later'").as_deref(),
            Some("later")
        );
        assert_eq!(instead("cacheTime", &old, &["aTime", "bTime"], ""), None);
    }
}
