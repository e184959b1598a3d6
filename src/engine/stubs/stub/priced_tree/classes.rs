//! The classes and constants of callers' values: which one a name means, and whether and how code makes a value with a
//! class.

use super::PricedTree;
use crate::exports::{classes_in, exported_around, is_marker, separator};
use crate::stub::{argument_text, display, text::sanitized};
use apidisc_base::{language::Language, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, ParameterKind};
use apidisc_indexing::index::{Definition, File};
use arcstr::ArcStr;
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest number of arguments in a text that says how a value is made.
pub(super) const MAX_ARGUMENTS: usize = 6;

impl PricedTree {
    /// How a value of a class is made: `Message(name, args=..., ...)`, with the required parameters, then those that an
    /// intent names, then others if there are few, or none of those.
    pub(super) fn made(&self, class: DefinitionId) -> String {
        let definition = self.index.definition(class);
        let name = display::written_name(&self.index, class);
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        // Properties of objects and the keywords of `**kwargs` are part of the parameter that receives them.
        let own = parameters.iter().filter(|parameter| parameter.object.is_none());
        let required = own.clone().filter(|parameter| parameter.required && !parameter.is_variadic());
        let language = definition.language;
        let relevance = |parameter: &Parameter| {
            self.overrides.intent.as_ref().map_or(0.0, |intent| intent.relevance(&parameter.name))
        };
        let is_optional = |parameter: &&Parameter| !parameter.required && !parameter.is_variadic();
        let mut named: Vec<&Parameter> = own.clone().filter(is_optional).filter(|it| relevance(it) > 0.0).collect();
        named.shared_sort_by(|a, b| relevance(b).total_cmp(&relevance(a)));
        // Few parameters are all shown.
        let shows_others =
            own.clone().count() <= MAX_ARGUMENTS || named.is_empty() && required.clone().next().is_none();
        let others = own.clone().filter(is_optional).filter(|it| shows_others && relevance(it) <= 0.0);
        let shown = required.chain(named).chain(others);
        let mut texts: Vec<String> =
            shown.take(MAX_ARGUMENTS).map(|parameter| argument_text(parameter, language)).collect();
        texts.extend((texts.len() < own.count()).then(|| "...".to_owned()));
        let new = if language == Language::TypeScript { "new " } else { "" };
        sanitized(&format!("{new}{name}({})", texts.join(", ")))
    }

    /// True for a class whose parameters are all written where a value is made.
    pub(super) fn has_few_parameters(&self, class: DefinitionId) -> bool {
        let signature = self.index.definition(class).signature.as_ref();
        signature.is_some_and(|signature| signature.parameters.len() <= MAX_ARGUMENTS)
    }

    /// The first class in an annotation that code can make a value with, or the one that an intent names.
    pub(super) fn class_of(&self, definition: &Definition, annotation: &str) -> Option<DefinitionId> {
        self.first_made(classes_in(&self.index, definition, annotation))
    }

    fn first_made(&self, classes: impl Iterator<Item = DefinitionId>) -> Option<DefinitionId> {
        let mut classes: Vec<DefinitionId> = classes.filter(|id| self.can_be_made(*id)).collect();
        if let Some(intent) = &self.overrides.intent {
            let relevance = |id: &DefinitionId| intent.relevance(&self.index.definition(*id).name);
            classes.shared_sort_by(|a, b| relevance(b).total_cmp(&relevance(a)));
        }
        classes.first().copied()
    }

    /// As [`Self::class_of`], of the classes whose names no other public class has.
    pub(super) fn only_class_of(&self, ty: &str) -> Option<DefinitionId> {
        let names = ty.split(|c: char| !c.is_alphanumeric() && c != '_');
        self.first_made(names.filter_map(|name| self.only_class(name)))
    }

    /// True for a public class of the library that is neither abstract nor an enum.
    fn can_be_made(&self, id: DefinitionId) -> bool {
        let class = self.index.definition(id);
        let is_abstract = |base: &ArcStr| {
            let base = base.strip_prefix("metaclass=").unwrap_or(base);
            let base = base.split('[').next().unwrap_or_default();
            matches!(base.rsplit('.').next(), Some("ABC" | "ABCMeta" | "Protocol"))
        };
        class.kind == DefinitionKind::Class
            && class.is_public
            && class.signature.is_some()
            && !class.modifiers.is_abstract
            && !class.bases.iter().any(is_abstract)
            && !self.index.is_enum(id)
            && !self.has_abstract_methods(class)
    }

    /// True for a Python class that declares an abstract method, or inherits one that nothing overrides.
    fn has_abstract_methods(&self, class: &Definition) -> bool {
        let is_abstract =
            |decorator: &ArcStr| decorator.rsplit('.').next().is_some_and(|name| name.starts_with("abstract"));
        let ancestors = class.ancestors.iter().map(|id| self.index.definition(*id));
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        std::iter::once(class).chain(ancestors).any(|owner| {
            let members: Vec<&Definition> = owner.members.iter().map(|id| self.index.definition(*id)).collect();
            let is_left = |member: &&Definition| {
                !seen.contains(member.name.as_str()) && member.decorators.iter().any(is_abstract)
            };
            let has_abstract = members.iter().any(is_left);
            seen.extend(members.iter().map(|member| member.name.as_str()));
            has_abstract
        })
    }

    /// True if a class is the only public class of its name that takes the keywords of a value: `After(attempts=...)`.
    pub(super) fn is_the_only_one(&self, class: DefinitionId, name: &str, value: &str) -> bool {
        let arguments = value.split_once('(').map_or("", |(_, arguments)| arguments.trim_end_matches(')'));
        let keywords: Vec<&str> = arguments.split(", ").filter_map(|argument| argument.strip_suffix("=...")).collect();
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
