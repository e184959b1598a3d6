//! The members of classes.

use super::{
    checked_index::CheckedIndex,
    value::{Instance, NameLookup, Value},
    words::{has_any, has_index_signature, has_word, lines},
};
use apidisc_base::language::{
    Language, QualifiedName,
    typescript::{is_function_member, is_object_member},
};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::Definition;

/// Bases of Python from outside the sources that add no public member.
const EMPTY_BASES: [&str; 4] = ["object", "Generic", "Protocol", "ABC"];
/// Decorators of classes that add no public member.
const PLAIN_DECORATORS: [&str; 5] = ["dataclass", "final", "runtime_checkable", "total_ordering", "deprecated"];
/// Code by which an object can have members that the text of its class does not contain.
const DYNAMIC: [&str; 8] =
    ["__getattr", "setattr(", "__dict__", "vars(", "Proxy", "Object.assign", "defineProper", "this["];
impl CheckedIndex<'_> {
    /// The value of an attribute of an object, or of its class.
    pub(super) fn class_member(&self, instance: Instance, name: &str) -> NameLookup {
        let is_named = |&member: &DefinitionId| *self.index.definition(member).name == *name;
        if let Some(member) = self.chain(instance.class).find_map(|class| self.index.members_of(class).find(is_named)) {
            return NameLookup::Value(self.value_of_member(member, instance));
        }
        // `mro` is an attribute of every class of Python.
        let is_universal =
            name.starts_with("__") || name == "mro" || is_object_member(name) || is_function_member(name);
        if is_universal || !self.is_closed(instance.class) || self.chain(instance.class).any(|c| self.writes(c, name)) {
            return NameLookup::Undecided;
        }
        // A derived class may have the attribute.
        if !instance.is_exact
            && self.derived_classes(instance.class).any(|class| self.index.members_of(class).any(|m| is_named(&m)))
        {
            return NameLookup::Undecided;
        }
        NameLookup::Missing
    }

    /// A class and its ancestors.
    pub(super) fn chain(&self, class: DefinitionId) -> impl Iterator<Item = DefinitionId> {
        [class].into_iter().chain(self.index.definition(class).ancestors.iter().copied())
    }

    /// The classes derived from a class.
    pub(super) fn derived_classes(&self, class: DefinitionId) -> impl Iterator<Item = DefinitionId> {
        let is_below = move |definition: &Definition| definition.ancestors.contains(&class);
        self.index.definitions_with_ids().filter(move |(_, definition)| is_below(definition)).map(|(id, _)| id)
    }

    fn value_of_member(&self, member: DefinitionId, instance: Instance) -> Value {
        let definition = self.index.definition(member);
        match definition.kind {
            DefinitionKind::Property if !definition.decorators.iter().all(|text| text == "property") => Value::Unknown,
            DefinitionKind::Property | DefinitionKind::Attribute => {
                self.annotated(member, definition.annotation.as_deref(), Some(instance))
            }
            _ => Value::Definition(member, Some(instance)),
        }
    }

    /// True if the sources contain everything that gives a class its members.
    pub(super) fn is_closed(&self, class: DefinitionId) -> bool {
        self.chain(class).all(|id| {
            let definition = self.index.definition(id);
            let is_base_known = |base: &str| self.is_base_known(class, definition.language, base);
            let is_plain = |decorator: &str| PLAIN_DECORATORS.contains(&last_name(decorator));
            definition.bases.iter().all(|base| is_base_known(base))
                && definition.decorators.iter().all(|decorator| is_plain(decorator))
                && self.is_only(id)
                && self.body(id, |text| {
                    let has_own_metaclass = has_word(text, "metaclass") && !has_word(text, "ABCMeta");
                    let is_open = definition.language == Language::TypeScript && has_index_signature(text);
                    !has_any(text, &DYNAMIC) && !has_own_metaclass && !is_open
                })
        })
    }

    fn is_base_known(&self, class: DefinitionId, language: Language, base: &str) -> bool {
        let name = last_name(base);
        let is_named = |id: &DefinitionId| self.index.definition(*id).last_names().any(|last| last == name);
        language == Language::Python && EMPTY_BASES.contains(&name)
            || self.index.definition(class).ancestors.iter().any(is_named)
    }

    /// True if no other definition has the FQN: branches of an `if` may define a name twice, and interfaces merge.
    pub(super) fn is_only(&self, id: DefinitionId) -> bool {
        let fqn = &self.index.definition(id).fqn;
        let id = self.index.declaration(id);
        self.index.definitions_with_ids().all(|(other, definition)| other == id || definition.fqn != *fqn)
    }

    /// True if the text of a class contains the name, or if its file may give the class the member: `Class.name = …`.
    fn writes(&self, class: DefinitionId, name: &str) -> bool {
        let definition = self.index.definition(class);
        let assigned = format!("{}.{name}", definition.name);
        let may_assign = |text: &str| has_any(text, &[assigned.as_str(), "setattr(", ".prototype"]);
        !self.body(class, |text| !has_word(text, name))
            || self.text(definition.place.file).is_none_or(|text| may_assign(&text))
    }

    /// The result of a test of the text of a definition; false if the text cannot be read.
    pub(super) fn body(&self, id: DefinitionId, test: impl FnOnce(&str) -> bool) -> bool {
        let place = self.index.definition(id).place;
        self.text(place.file).is_some_and(|text| test(lines(&text, place.line, place.end_line)))
    }
}

/// `Base` in `a.Base[T]`, `Base<T>` and `base(1)`.
pub(super) fn last_name(text: &str) -> &str {
    let end = text.find(['[', '<', '(']).unwrap_or(text.len());
    text[..end].trim().rsplit(QualifiedName::SEPARATORS).next().unwrap_or_default()
}
