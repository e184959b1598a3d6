//! The parameters of a callable, and the value that it returns.

use super::{
    classes::last_name,
    known::{Found, Instance, Known, Value},
    words::{has_any, has_word},
};
use crate::{
    index::Definition,
    language::Language,
    program::{DefinitionId, DefinitionKind, Parameter, ParameterKind, Signature},
};

/// Decorators that keep the written parameters and the written result of a function.
const PLAIN_DECORATORS: [&str; 8] =
    ["staticmethod", "classmethod", "abstractmethod", "override", "final", "deprecated", "overload", "property"];

impl Known<'_> {
    /// The value that a call returns.
    pub(super) fn result(&self, callee: Value, is_awaited: bool) -> Value {
        let Value::Definition(id, receiver) = callee else { return Value::Unknown };
        let definition = self.index.definition(id);
        if definition.kind == DefinitionKind::Class {
            let is_plain = !is_awaited && !self.has_own_construction(id);
            return if is_plain { Value::Instance(Instance { class: id, is_exact: true }) } else { Value::Unknown };
        }
        let Some(signature) = &definition.signature else { return Value::Unknown };
        let is_certain = self.is_plain(id) && definition.overloads.is_empty() && signature.is_async == is_awaited;
        if !is_certain {
            return Value::Unknown;
        }
        let text = signature.returns.as_deref().or(signature.inferred_returns.as_deref());
        let text = match text.and_then(|text| text.strip_prefix("Promise<")?.strip_suffix('>')) {
            Some(awaited) if is_awaited => Some(awaited),
            _ => text,
        };
        self.annotated(id, text, receiver)
    }

    /// The value of `with x as y`, where `x` is the object. `enter` is the name of the method.
    pub(super) fn entered(&self, object: Value, enter: &str, is_awaited: bool) -> Value {
        let Value::Definition(id, Some(instance)) = self.member(object, enter).value() else { return Value::Unknown };
        // Type variables stand for the object, too: `def __enter__(self: T) -> T: … return self`.
        let returns_itself = self.is_plain(id)
            && self.body(id, |text| text.matches("return ").count() == 1 && has_any(text, &["return self\n"]));
        if returns_itself {
            Value::Instance(instance)
        } else {
            self.result(Value::Definition(id, Some(instance)), is_awaited)
        }
    }

    /// The value of an annotation in a definition. `receiver` is the object through which the definition is reached.
    pub(super) fn annotated(&self, id: DefinitionId, annotation: Option<&str>, receiver: Option<Instance>) -> Value {
        let Some(text) = annotation else { return Value::Unknown };
        let text = text.trim().trim_matches(['"', '\'']);
        if matches!(text, "Self" | "typing.Self" | "this") {
            return receiver.map_or(Value::Unknown, Value::Instance);
        }
        let name = match text.find(['[', '<']) {
            Some(end) if is_arguments(&text[end..]) => &text[..end],
            _ => text,
        };
        let definition = self.index.definition(id);
        let class = match definition.language {
            Language::Python => self.python_class(definition.module, name),
            Language::TypeScript => {
                definition.type_names.iter().find(|(known, _)| known == name).and_then(|(_, id)| *id)
            }
        };
        let is_class = |id: &DefinitionId| {
            matches!(self.index.definition(*id).kind, DefinitionKind::Class | DefinitionKind::Interface)
        };
        match class.filter(is_class) {
            Some(class) => Value::Instance(Instance { class, is_exact: false }),
            None => Value::Unknown,
        }
    }

    /// Whether a callee has a parameter of this name.
    pub(super) fn parameter(&self, callee: Value, name: &str) -> Found {
        let Some((_, definition, signature)) = self.certain_callee(callee) else { return Found::Untold };
        let signatures = || [signature].into_iter().chain(&definition.overloads);
        let parameters = || signatures().flat_map(|signature| &signature.parameters);
        let takes = |parameter: &Parameter| {
            let is_named = matches!(parameter.kind, ParameterKind::Standard | ParameterKind::KeywordOnly);
            parameter.kind == ParameterKind::VarKeyword || is_named && *parameter.name == *name
        };
        if signatures().any(|signature| signature.is_incomplete) || parameters().any(takes) {
            return Found::Untold;
        }
        Found::Missing
    }

    /// Whether the object parameter at a position has a property of this name.
    pub(super) fn property(&self, callee: Value, position: usize, name: &str) -> Found {
        let Some((id, definition, signature)) = self.certain_callee(callee) else { return Found::Untold };
        let top = signature.parameters.iter().enumerate().filter(|(_, parameter)| parameter.object.is_none());
        let Some((at, parameter)) = top.clone().nth(position) else { return Found::Untold };
        let is_variadic = top.take(position + 1).any(|(_, parameter)| parameter.is_variadic());
        if is_variadic || signature.is_incomplete || !definition.overloads.is_empty() {
            return Found::Untold;
        }
        let is_property = |p: &Parameter| p.object == u16::try_from(at).ok() && *p.name == *name;
        if signature.parameters.iter().any(is_property) {
            return Found::Untold;
        }
        let Some(annotation) = parameter.annotation.as_deref() else { return Found::Untold };
        let annotation = annotation.trim().trim_end_matches("| undefined").trim();
        if is_closed_object(annotation) {
            return if has_word(annotation, name) { Found::Untold } else { Found::Missing };
        }
        match self.annotated(id, Some(annotation), None) {
            Value::Instance(instance) if annotation == last_name(annotation) => self.class_member(instance, name),
            _ => Found::Untold,
        }
    }

    /// The callee with its signature, if the sources decide which parameters it takes.
    fn certain_callee(&self, callee: Value) -> Option<(DefinitionId, &Definition, &Signature)> {
        let Value::Definition(id, receiver) = callee else { return None };
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
        let is_overridden = |instance: Instance| !instance.is_exact && self.below(instance.class).any(overrides);
        (is_certain && !receiver.is_some_and(is_overridden)).then_some((id, definition, signature))
    }

    /// True for a class whose objects are made by more than its constructor.
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

/// `[T]`, `<T>`
fn is_arguments(text: &str) -> bool {
    text.starts_with('[') && text.ends_with(']') || text.starts_with('<') && text.ends_with('>')
}

/// `{ a?: string; b: number }`, which has no other properties.
fn is_closed_object(annotation: &str) -> bool {
    annotation.starts_with('{') && annotation.ends_with('}') && !has_any(annotation, &["[", "&", "|", "..."])
}
