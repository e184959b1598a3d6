//! The changes of a public API, whether or not anybody uses what changed.

use std::ptr;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::{
    arguments::changed_default,
    edits::Edits,
    removed::Removed,
    replacement,
    report::{Report, Rule, Verdict},
    version::Version,
    versions::{UseVerdict, Versions, public_name},
};
use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, ParameterKind, Signature};
use apidisc_indexing::index::{Definition, Index};

/// A change of a public API that some use would meet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ApiChange {
    /// What the change does to a use that meets it.
    pub verdict: Verdict,
    /// The rule by which the change was found.
    pub rule: Rule,
    /// The name of the definition in the old version.
    pub symbol: String,
    /// The parameter, if the change is about one.
    pub param: Option<String>,
    /// What to write instead.
    pub now: Option<String>,
}

/// The changes from one version of a whole API to the next, sorted: names that are gone, parameters, deprecations. A
/// class that is gone takes its members along, and an inherited member belongs to the class that declares it.
///
/// Types are not compared: the same type has many spellings.
pub fn api_changes(before: &Version<'_>, after: &Version<'_>, edits: &Edits<'_>) -> Vec<ApiChange> {
    let versions = Versions::new(before, after);
    let removed = Removed::new(&versions, edits);
    let index = before.index;
    let mut changes = Vec::new();
    for (id, definition) in index.definitions_with_ids() {
        let path = index.file(definition.place.file).path.as_str();
        if !is_met(index, definition) || edits.is_user(path) {
            continue;
        }
        match versions.found_in_new(definition) {
            Some(new) => of_definition(&versions, (id, new), &mut changes),
            None => changes.extend(gone(&versions, &removed, definition)),
        }
    }
    changes.sort();
    changes.dedup();
    changes
}

/// The changes that no finding of a report is about.
#[must_use]
pub fn unmet(mut changes: Vec<ApiChange>, report: &Report) -> Vec<ApiChange> {
    let met = report.findings.iter().filter(|finding| finding.rule.is_some());
    let met: FxHashSet<_> = met.map(|finding| (finding.symbol.as_str(), finding.param.as_deref())).collect();
    changes.retain(|change| !met.contains(&(change.symbol.as_str(), change.param.as_deref())));
    changes
}

/// True for a definition that code outside can name: it is public, in no function, and if the code is an npm package,
/// the package exports the definition.
fn is_met(index: &Index, definition: &Definition) -> bool {
    use DefinitionKind::{Class, Enum, Interface, Namespace, TypeAlias};

    let in_class = |id: DefinitionId| {
        let parent = index.definition(id);
        matches!(parent.kind, Class | Interface | TypeAlias | Enum | Namespace) && parent.is_public
    };
    let is_package = definition.language == Language::TypeScript && !index.import_names.is_empty();
    let module = public_name(definition).split('#').next().unwrap_or_default();
    definition.is_public
        // The class has the signature of its constructor.
        && !matches!(definition.name.as_str(), "__init__" | "constructor")
        && definition.parent.is_none_or(in_class)
        && (!is_package || index.import_names.contains(module))
}

/// The change by which a definition has no name any longer.
fn gone(versions: &Versions<'_>, removed: &Removed<'_>, definition: &Definition) -> Option<ApiChange> {
    let index = versions.before.index;
    let verdict = match definition.parent.map(|id| index.definition(id)) {
        Some(class) => versions.gone_member(versions.found_in_new(class)?, definition),
        None => removed.verdict(definition),
    };
    let UseVerdict::Found(found) = verdict else { return None };
    let symbol = public_name(definition).to_owned();
    Some(ApiChange { verdict: found.verdict, rule: found.rule, symbol, param: found.param, now: found.now })
}

/// The changes of a definition that both versions have.
fn of_definition(versions: &Versions<'_>, (old, new): (DefinitionId, DefinitionId), changes: &mut Vec<ApiChange>) {
    let old = versions.before.index.definition(old);
    let new_index = versions.after.index;
    let new = new_index.definition(new);
    let symbol = public_name(old);
    let mut add = |verdict, rule, param: Option<&str>, now| {
        let param = param.map(str::to_owned);
        changes.push(ApiChange { verdict, rule, symbol: symbol.to_owned(), param, now });
    };
    if old.deprecation().is_none()
        && let Some(message) = new.deprecation()
    {
        let container = symbol.rsplit_once(['.', '#']).map_or("", |(container, _)| container);
        let is_there = |name: &String| {
            let beside = ['.', '#'].map(|separator| format!("{container}{separator}{name}"));
            versions.new.find(name).is_some() || beside.iter().any(|name| versions.new.find(name).is_some())
        };
        let now = replacement::recommended(message).filter(is_there);
        add(Verdict::Deprecated, Rule::DeprecatedSymbol, None, now);
    }
    let (Some(before), Some(after)) = (&old.signature, &new.signature) else { return };
    // Which overload of the new version stands for which of the old one is known only of a call.
    let is_one = old.overloads.is_empty() && new.overloads.is_empty();
    if !is_one || before.is_incomplete || after.is_incomplete || before == after {
        return;
    }
    let signatures = Signatures { before, after };
    match old.language {
        Language::Python => signatures.of_python(&mut add),
        Language::TypeScript => {
            // JavaScript does not declare what is required.
            let path = new_index.file(new.place.file).path.as_str();
            let is_declared = [".ts", ".tsx", ".mts", ".cts"].iter().any(|ending| path.ends_with(ending));
            signatures.of_typescript(is_declared, &mut add);
        }
    }
}

/// The signatures of a definition in two versions.
struct Signatures<'s> {
    before: &'s Signature,
    after: &'s Signature,
}

type Add<'a> = dyn FnMut(Verdict, Rule, Option<&str>, Option<String>) + 'a;

impl Signatures<'_> {
    fn of_python(&self, add: &mut Add<'_>) {
        let Self { before, after } = *self;
        let required = if before.is_synthesized && after.is_synthesized {
            Rule::FieldBecameRequired
        } else {
            Rule::RequiredParameter
        };
        let kwargs = |signature: &Signature| signature.parameters.iter().any(|p| p.kind == ParameterKind::VarKeyword);
        let args = |signature: &Signature| signature.parameters.iter().any(|p| p.kind == ParameterKind::VarPositional);
        let (old_by_place, new_by_place) = (by_place(before), by_place(after));
        let mut has_moved = false;
        for old in named(before) {
            let name = Some(old.name.as_str());
            let place = old_by_place.iter().position(|parameter| parameter.name == old.name);
            let Some(new) = named(after).find(|new| new.name == old.name) else {
                let at_place = place.and_then(|place| new_by_place.get(place));
                if old.kind == ParameterKind::PositionalOnly && (at_place.is_some() || args(after)) {
                    continue;
                }
                let now = replacement::renamed(old, before, after);
                let (verdict, rule) = if kwargs(after) {
                    (Verdict::Silent, Rule::SwallowedByKwargs)
                } else {
                    (Verdict::Break, Rule::RemovedParameter)
                };
                add(verdict, rule, name, now);
                continue;
            };
            let new_place = new_by_place.iter().position(|parameter| parameter.name == new.name);
            match (place, new_place) {
                (Some(_), None) => add(Verdict::Break, Rule::KeywordOnly, name, Some(format!("{}=", old.name))),
                // All that stand behind the first one have moved with it.
                (Some(old), Some(new)) if old != new && !has_moved => {
                    has_moved = true;
                    add(Verdict::Silent, Rule::MovedPosition, name, None);
                }
                _ => {}
            }
            if new.required && !old.required {
                add(Verdict::Break, required, name, None);
            }
            if let Some(value) = changed_default(old, new) {
                add(Verdict::Silent, Rule::ChangedDefault, name, Some(value.to_owned()));
            }
        }
        let is_new = |new: &&Parameter| named(before).all(|old| old.name != new.name);
        for new in named(after).filter(is_new).filter(|new| new.required) {
            let place = new_by_place.iter().position(|parameter| parameter.name == new.name);
            // A parameter that has another name now is found above.
            let is_renamed = place.and_then(|place| old_by_place.get(place)).is_some_and(|old| old.required);
            if !is_renamed {
                add(Verdict::Break, required, Some(new.name.as_str()), None);
            }
        }
        if kwargs(before) && !kwargs(after) {
            add(Verdict::Break, Rule::RemovedKwargs, None, None);
        }
    }

    /// Parameters are passed by their places, properties by their names.
    fn of_typescript(&self, is_declared: bool, add: &mut Add<'_>) {
        let Self { before, after } = *self;
        let (old_by_place, new_by_place) = (by_place(before), by_place(after));
        let takes_rest = after.parameters.iter().any(|parameter| parameter.kind == ParameterKind::VarPositional);
        for old in old_by_place.iter().skip(new_by_place.len()).filter(|_| !takes_rest) {
            add(Verdict::Break, Rule::RemovedParameter, Some(old.name.as_str()), None);
        }
        for (place, new) in new_by_place.iter().enumerate().filter(|(_, new)| is_declared && new.required) {
            if old_by_place.get(place).is_none_or(|old| !old.required) {
                add(Verdict::Break, Rule::RequiredParameter, Some(new.name.as_str()), None);
            }
        }
        for (old, new) in old_by_place.iter().zip(&new_by_place) {
            let (old_keys, new_keys) = (properties(before, old), properties(after, new));
            if old_keys.is_empty() || new_keys.is_empty() {
                continue;
            }
            let is_in = |key: &Parameter, keys: &[&Parameter]| keys.iter().any(|other| other.name == key.name);
            for key in old_keys.iter().filter(|key| !is_in(key, &new_keys)) {
                add(Verdict::Break, Rule::RemovedParameter, Some(key.name.as_str()), None);
            }
            for key in new_keys.iter().filter(|key| is_declared && old.required && key.required) {
                if !old_keys.iter().any(|old| old.name == key.name && old.required) {
                    add(Verdict::Break, Rule::RequiredParameter, Some(key.name.as_str()), None);
                }
            }
        }
    }
}

/// The parameters that have a name of their own: without `*args`, `**kwargs` and properties.
fn named(signature: &Signature) -> impl Iterator<Item = &Parameter> {
    signature.parameters.iter().filter(|parameter| parameter.object.is_none() && !parameter.kind.is_variadic())
}

/// The parameters that can be passed by position, in their order.
fn by_place(signature: &Signature) -> Vec<&Parameter> {
    let is_positional = |kind| matches!(kind, ParameterKind::PositionalOnly | ParameterKind::Standard);
    named(signature).filter(|parameter| is_positional(parameter.kind)).collect()
}

/// The properties of an object parameter.
fn properties<'s>(signature: &'s Signature, of: &Parameter) -> Vec<&'s Parameter> {
    let place = signature.parameters.iter().position(|parameter| ptr::eq(parameter, of));
    let is_of = |parameter: &&Parameter| parameter.object.is_some() && parameter.object.map(usize::from) == place;
    signature.parameters.iter().filter(is_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters as Python writes them, without annotations.
    fn signature(text: &str) -> Signature {
        let mut kind = ParameterKind::Standard;
        let mut parameters = Vec::new();
        for part in text.split(", ").filter(|part| !part.is_empty()) {
            let (name, default) = part.split_once('=').map_or((part, None), |(name, default)| (name, Some(default)));
            let (name, own) = match name {
                "*" => {
                    kind = ParameterKind::KeywordOnly;
                    continue;
                }
                name if name.starts_with("**") => (&name[2..], ParameterKind::VarKeyword),
                name => (name, kind),
            };
            let required = default.is_none() && !own.is_variadic();
            let default = default.map(Into::into);
            parameters.push(Parameter { default, required, ..Parameter::optional(name.into(), own, None) });
        }
        Signature { parameters: parameters.into(), ..Signature::default() }
    }

    fn python(before: &str, after: &str) -> String {
        let (before, after) = (signature(before), signature(after));
        let mut found = Vec::new();
        Signatures { before: &before, after: &after }.of_python(&mut |_, rule, param, now| {
            let now = now.map(|now| format!(" → {now}")).unwrap_or_default();
            found.push(format!("{rule} {}{now}", param.unwrap_or_default()));
        });
        found.join("; ")
    }

    #[test]
    fn parameters_of_python_are_compared_by_name_and_place() {
        assert_eq!(python("a, b=1", "a, b=1, c=2"), "");
        assert_eq!(python("a, b", "a"), "removed-parameter b");
        assert_eq!(python("a, timeout_s=None", "a, timeout=None"), "removed-parameter timeout_s → timeout");
        assert_eq!(python("a, b", "a, **rest"), "swallowed-by-kwargs b");
        assert_eq!(python("a, b=1", "a, *, b=1"), "keyword-only b → b=");
        assert_eq!(python("a, b, c", "a, x=1, b=1, c=1"), "moved-position b");
        assert_eq!(python("a, b=1", "a, b"), "required-parameter b");
        assert_eq!(python("a", "a, *, b"), "required-parameter b");
        assert_eq!(python("a=1, b='x'", "a=2, b=\"x\""), "changed-default a → 2");
        assert_eq!(python("a, **rest", "a"), "removed-kwargs ");
    }
}
