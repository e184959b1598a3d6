//! The classes and constants of callers' values: which one a name means, and whether and how code makes a value with a
//! class.

use std::cmp::Reverse;

use super::PricedTree;
use crate::exports::{exported_around, is_marker, separator};
use crate::stub::{argument_text, display, text::sanitized, wording::HIDDEN_SIGN};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, ParameterKind};
use apidisc_indexing::index::{Definition, File};
use arcstr::ArcStr;
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest number of arguments in a text that says how a value is made.
pub(super) const MAX_ARGUMENTS: usize = 6;
/// The relevance of a keyword that callers pass, beside that of the words of an intent in its name.
const RELEVANCE_OF_A_PASSED_KEYWORD: f32 = 0.3;

impl PricedTree {
    /// How a value is made with a class or function, with the required parameters, then those that an intent names and
    /// those in the value `passed` that a caller writes, then others if there are few, or none of those:
    /// `Message(name, args=..., ...)`. A constant is its name.
    pub(super) fn made(&self, id: DefinitionId, passed: &str) -> String {
        self.made_with(id, passed, true)
    }

    /// As [`Self::made`]. `has_usual_keys` says whether an object of which the intent names no key has the most passed
    /// ones.
    pub(super) fn made_with(&self, id: DefinitionId, passed: &str, has_usual_keys: bool) -> String {
        let definition = self.index.definition(id);
        let name = display::written_name(&self.index, id);
        if definition.kind == DefinitionKind::Constant && definition.signature.is_none() {
            return sanitized(&name);
        }
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        // Properties of objects and the keywords of `**kwargs` are part of the parameter that receives them.
        let own = parameters.iter().filter(|parameter| parameter.object.is_none());
        let required = own.clone().filter(|parameter| parameter.required && !parameter.is_variadic());
        let passed = keywords_of(passed);
        let relevance = |parameter: &Parameter| {
            let by_intent = self.overrides.intent.as_ref().map_or(0.0, |intent| intent.relevance(&parameter.name));
            let is_passed = passed.contains(&parameter.name.as_str());
            by_intent + if is_passed { RELEVANCE_OF_A_PASSED_KEYWORD } else { 0.0 }
        };
        let is_optional = |parameter: &&Parameter| !parameter.required && !parameter.is_variadic();
        let mut named: Vec<&Parameter> = own.clone().filter(is_optional).filter(|it| relevance(it) > 0.0).collect();
        named.shared_sort_by(|a, b| relevance(b).total_cmp(&relevance(a)));
        // Few parameters are all shown.
        let shows_others =
            own.clone().count() <= MAX_ARGUMENTS || named.is_empty() && required.clone().next().is_none();
        let others = own.clone().filter(is_optional).filter(|it| shows_others && relevance(it) <= 0.0);
        let shown = required.chain(named).chain(others).take(MAX_ARGUMENTS);
        let mut texts: Vec<String> =
            shown.map(|parameter| self.argument_with_keys(definition, parameter, has_usual_keys)).collect();
        texts.extend((texts.len() < own.count()).then(|| HIDDEN_SIGN.to_owned()));
        let is_class = definition.kind == DefinitionKind::Class;
        let new = if is_class && definition.language == Language::TypeScript { "new " } else { "" };
        sanitized(&format!("{new}{name}({})", texts.join(", ")))
    }

    /// An argument, with the keys of an object that an intent names: `options?: { limit?, ... }`.
    fn argument_with_keys(&self, definition: &Definition, parameter: &Parameter, has_usual_keys: bool) -> String {
        let text = argument_text(parameter, definition.language);
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let is_same = |other: &Parameter| other.object.is_none() && other.name == parameter.name;
        let at = parameters.iter().position(is_same);
        let is_key = |key: &Parameter| key.object.map(usize::from) == at && key.kind == ParameterKind::Property;
        let uses = |position: usize| definition.usage.parameters.get(position).map_or(0, |usage| usage.count);
        let mut keys: Vec<(usize, &Parameter)> = parameters.iter().enumerate().filter(|(_, key)| is_key(key)).collect();
        keys.shared_sort_by_key(|(position, _)| Reverse(uses(*position)));
        let keys: Vec<&Parameter> = keys.into_iter().map(|(_, key)| key).collect();
        let intent = self.overrides.intent.as_ref();
        let is_relevant = |key: &Parameter| intent.is_some_and(|it| it.relevance(&key.name) > 0.0);
        let is_few = keys.len() <= MAX_ARGUMENTS;
        let shows_all = has_usual_keys && (is_few || !keys.iter().any(|key| is_relevant(key)));
        let is_named = |key: &&&Parameter| shows_all || key.required || is_relevant(key);
        let mut named: Vec<String> = keys
            .iter()
            .filter(is_named)
            .take(MAX_ARGUMENTS)
            .map(|key| argument_text(key, definition.language))
            .collect();
        if let Some(keys) =
            at.filter(|_| keys.is_empty() && has_usual_keys).and_then(|at| self.keys_of_options(definition, at))
        {
            return format!("{text}: {}", keys.text);
        }
        if definition.language == Language::Python || named.is_empty() {
            return text;
        }
        named.extend((named.len() < keys.len()).then(|| HIDDEN_SIGN.to_owned()));
        format!("{text}: {{ {} }}", named.join(", "))
    }

    /// True if a class is the only public class of its name that takes the keywords of a value: `After(attempts=...)`.
    pub(super) fn is_the_only_one(&self, class: DefinitionId, name: &str, value: &str) -> bool {
        let keywords = keywords_of(value);
        let takes_all = |id: &DefinitionId| {
            self.index.definition(*id).signature.as_ref().is_none_or(|signature| {
                let parameters = &signature.parameters;
                parameters.iter().any(|parameter| parameter.kind == ParameterKind::VarKeyword)
                    || keywords.iter().all(|keyword| parameters.iter().any(|parameter| parameter.name == *keyword))
            })
        };
        let mut taking = self.public_of_kind(DefinitionKind::Class, name).filter(takes_all);
        taking.next() == Some(class) && taking.next().is_none()
    }

    /// The constant of the library around a definition that a name means: what a package around the definition exports,
    /// else the only public constant of the name in the outermost package around it.
    pub(super) fn constant_named(&self, definition: &Definition, name: &str) -> Option<DefinitionId> {
        let is_constant = |id: &DefinitionId| {
            let constant = self.index.definition(*id);
            constant.kind == DefinitionKind::Constant && constant.is_public && !self.holds_a_marker(constant)
        };
        let outermost = |definition: &Definition| {
            let module = &self.index.module(definition.module).fqn;
            module.split_once(separator(definition.language)).map_or(&**module, |(package, _)| package)
        };
        exported_around(&self.index, definition, name).filter(is_constant).or_else(|| {
            let is_near = |id: &DefinitionId| outermost(self.index.definition(*id)) == outermost(definition);
            let mut near = self.public_of_kind(DefinitionKind::Constant, name).filter(is_near);
            near.next().filter(|_| near.next().is_none())
        })
    }

    /// True for a constant that stands for the absence of a value: a bare object, or an instance of a marker class.
    fn holds_a_marker(&self, constant: &Definition) -> bool {
        let Some(class) = constant.value.as_deref().and_then(|value| value.strip_suffix("()")) else { return false };
        let is_marked = |id: DefinitionId| is_marker(&self.index, id);
        class == "object" || class.starts_with('_') || self.public_of_kind(DefinitionKind::Class, class).any(is_marked)
    }

    /// True if only code outside of the library has a class of this name.
    pub(super) fn is_not_of_library(&self, class: &str) -> bool {
        let names = self.not_of_library.get_or_init(|| {
            let classes = self.index.definitions.iter().filter(|definition| definition.kind == DefinitionKind::Class);
            let (library, others): (Vec<&Definition>, Vec<&Definition>) =
                classes.partition(|class| self.index.files.get(class.place.file.index()).is_none_or(File::is_library));
            let library: FxHashSet<&ArcStr> = library.into_iter().map(|class| &class.name).collect();
            others.into_iter().map(|class| &class.name).filter(|name| !library.contains(*name)).cloned().collect()
        });
        names.contains(class)
    }

    /// The only public class of a name.
    pub(super) fn only_class(&self, name: &str) -> Option<DefinitionId> {
        let mut classes = self.public_of_kind(DefinitionKind::Class, name);
        classes.next().filter(|_| classes.next().is_none())
    }

    /// The public classes or constants whose names have this last part.
    fn public_of_kind(&self, kind: DefinitionKind, name: &str) -> impl Iterator<Item = DefinitionId> {
        let named = self.named.get_or_init(|| {
            let mut named: FxHashMap<ArcStr, Vec<DefinitionId>> = FxHashMap::default();
            for (id, definition) in self.index.definitions_with_ids() {
                if matches!(definition.kind, DefinitionKind::Class | DefinitionKind::Constant) && definition.is_public {
                    named.entry(definition.name.clone()).or_default().push(id);
                }
            }
            named
        });
        let ids = named.get(name).map_or(&[][..], Vec::as_slice).iter().copied();
        ids.filter(move |id| self.index.definition(*id).kind == kind)
    }
}

/// The keywords in the text of a value that a class makes: `attempts` of `After(attempts=...)`.
fn keywords_of(value: &str) -> Vec<&str> {
    let arguments = value.split_once('(').map_or("", |(_, arguments)| arguments.trim_end_matches(')'));
    arguments.split(", ").filter_map(|argument| argument.strip_suffix("=...")).collect()
}
