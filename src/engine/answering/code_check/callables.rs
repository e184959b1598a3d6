//! The parameters of a callable, and the value that it returns.

use super::{
    annotations::LiteralType,
    checked_index::CheckedIndex,
    classes::last_name,
    value::{Instance, NameLookup, Value},
    words::{has_any, has_index_signature, has_word},
};
use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, ParameterKind, Signature};
use apidisc_indexing::index::Definition;

/// Decorators that keep the written parameters and the written result of a function.
const PLAIN_DECORATORS: [&str; 8] =
    ["staticmethod", "classmethod", "abstractmethod", "override", "final", "deprecated", "overload", "property"];

impl CheckedIndex<'_> {
    /// The value that a call returns.
    pub(super) fn result(&self, callee: &Value) -> Value {
        Value::one_of(callee.members().iter().map(|callee| self.result_of_one(callee)))
    }

    fn result_of_one(&self, callee: &Value) -> Value {
        let &Value::Definition(id, receiver) = callee else { return Value::Unknown };
        let definition = self.index.definition(id);
        if definition.kind == DefinitionKind::Class {
            let is_plain = !self.has_own_construction(id);
            return if is_plain { Value::Instance(Instance { class: id, is_exact: true }) } else { Value::Unknown };
        }
        let Some(signature) = &definition.signature else { return Value::Unknown };
        if !self.is_plain(id) || !definition.overloads.is_empty() {
            return Value::Unknown;
        }
        // Python's inferred results are names of the standard library (`Generator`), which the file of the definition
        // may not import; TypeScript's are names of that file.
        let inferred = signature.inferred_returns.as_deref().filter(|_| definition.language == Language::TypeScript);
        let text = signature.returns.as_deref().or(inferred);
        match self.annotated(id, text, receiver) {
            Value::Unknown => Value::Unknown,
            // TypeScript writes the promise of an async function, Python does not.
            value @ Value::Awaitable(_) if definition.language == Language::TypeScript => value,
            value if signature.is_async => Value::Awaitable(value.into()),
            value => value,
        }
    }

    /// The value of `with x as y`, where `x` is the object. `enter` is the name of the method.
    pub(super) fn entered(&self, object: &Value, enter: &str, is_async: bool) -> Value {
        let enter = self.member(object, enter).value();
        if let Value::Definition(id, Some(instance)) = enter {
            // Type variables stand for the object, too: `def __enter__(self: T) -> T: … return self`.
            let returns_itself = self.is_plain(id)
                && self.body(id, |text| text.matches("return ").count() == 1 && has_any(text, &["return self\n"]));
            if returns_itself {
                return Value::Instance(instance);
            }
        }
        let result = self.result(&enter);
        if is_async { result.awaited() } else { result }
    }

    /// Whether a callee has a parameter of this name.
    pub(super) fn parameter(&self, callee: &Value, name: &str) -> NameLookup {
        NameLookup::in_any(callee.members().iter().map(|callee| self.parameter_of_one(callee, name)))
    }

    fn parameter_of_one(&self, callee: &Value, name: &str) -> NameLookup {
        let Some((_, definition, signature)) = self.certain_callee(callee) else { return NameLookup::Undecided };
        let signatures = || [signature].into_iter().chain(&definition.overloads);
        let parameters = || signatures().flat_map(|signature| &signature.parameters);
        let takes = |parameter: &Parameter| {
            let is_named = matches!(parameter.kind, ParameterKind::Standard | ParameterKind::KeywordOnly);
            parameter.kind == ParameterKind::VarKeyword || is_named && *parameter.name == *name
        };
        if signatures().any(|signature| signature.is_incomplete) || parameters().any(takes) {
            return NameLookup::Undecided;
        }
        NameLookup::Missing
    }

    /// Whether the object parameter at a position has a property of this name.
    pub(super) fn property(&self, callee: &Value, position: usize, name: &str) -> NameLookup {
        NameLookup::in_any(callee.members().iter().map(|callee| self.property_of_one(callee, position, name)))
    }

    fn property_of_one(&self, callee: &Value, position: usize, name: &str) -> NameLookup {
        let Some((id, definition, signature)) = self.certain_callee(callee) else { return NameLookup::Undecided };
        // Callers see the overloads in place of the implementation.
        if definition.overloads.is_empty() {
            return self.property_in(id, signature, position, name);
        }
        // An overload with fewer parameters cannot accept the call.
        let reaches = |overload: &&Signature| {
            let top = || overload.parameters.iter().filter(|parameter| parameter.object.is_none());
            top().count() > position || top().any(Parameter::is_variadic)
        };
        let overloads: Vec<&Signature> = definition.overloads.iter().filter(reaches).collect();
        if overloads.is_empty() {
            return NameLookup::Undecided;
        }
        NameLookup::in_any(overloads.into_iter().map(|overload| self.property_in(id, overload, position, name)))
    }

    fn property_in(&self, id: DefinitionId, signature: &Signature, position: usize, name: &str) -> NameLookup {
        let top = signature.parameters.iter().enumerate().filter(|(_, parameter)| parameter.object.is_none());
        let Some((at, parameter)) = top.clone().nth(position) else { return NameLookup::Undecided };
        let is_variadic = top.take(position + 1).any(|(_, parameter)| parameter.is_variadic());
        let is_property = |p: &Parameter| p.object == u16::try_from(at).ok() && *p.name == *name;
        if is_variadic || signature.is_incomplete || signature.parameters.iter().any(is_property) {
            return NameLookup::Undecided;
        }
        let types = parameter.annotation.as_deref().and_then(|annotation| self.literal_types(id, annotation));
        let Some(types) = types.filter(|types| !types.is_empty()) else { return NameLookup::Undecided };
        NameLookup::in_any(types.into_iter().map(|of| match of {
            LiteralType::Definition(class) => self.class_member(Instance { class, is_exact: false }, name),
            LiteralType::Written(text) => {
                let is_open = has_any(&text, &["..."]) || has_index_signature(&text) || has_word(&text, name);
                if is_open { NameLookup::Undecided } else { NameLookup::Missing }
            }
        }))
    }

    /// The callee with its signature, if the sources decide which parameters it takes.
    pub(super) fn certain_callee(&self, callee: &Value) -> Option<(DefinitionId, &Definition, &Signature)> {
        let &Value::Definition(id, receiver) = callee else { return None };
        let definition = self.index.definition(id);
        let signature = definition.signature.as_deref()?;
        let is_certain = match definition.kind {
            DefinitionKind::Class => {
                let is_written = |id: DefinitionId| self.is_plain(id) && self.index.definition(id).overloads.is_empty();
                let mut constructors = self.members_named(id, &["__init__", "constructor"]);
                self.is_closed(id) && !self.has_own_construction(id) && constructors.all(is_written)
            }
            _ => self.is_plain(id) && self.is_only(id),
        };
        let overrides = |class: DefinitionId| {
            self.index.members_of(class).any(|member| self.index.definition(member).name == definition.name)
        };
        let is_overridden =
            |instance: Instance| !instance.is_exact && self.derived_classes(instance.class).any(overrides);
        (is_certain && !receiver.is_some_and(is_overridden)).then_some((id, definition, signature))
    }

    /// True for a class with a `__new__`, which may make objects of other classes and with other parameters than
    /// `__init__`.
    fn has_own_construction(&self, class: DefinitionId) -> bool {
        self.members_named(class, &["__new__"]).next().is_some()
    }

    /// The members of a class and of its ancestors with one of these names.
    fn members_named(&self, class: DefinitionId, names: &[&str]) -> impl Iterator<Item = DefinitionId> {
        let members = self.chain(class).flat_map(move |class| self.index.members_of(class));
        members.filter(move |member| names.contains(&&*self.index.definition(*member).name))
    }

    /// True for a function or method of which no decorator may change the signature.
    fn is_plain(&self, id: DefinitionId) -> bool {
        let definition = self.index.definition(id);
        let is_function = matches!(
            definition.kind,
            DefinitionKind::Function
                | DefinitionKind::Method
                | DefinitionKind::ClassMethod
                | DefinitionKind::StaticMethod
                | DefinitionKind::Property
        );
        is_function && definition.decorators.iter().all(|decorator| PLAIN_DECORATORS.contains(&last_name(decorator)))
    }
}
