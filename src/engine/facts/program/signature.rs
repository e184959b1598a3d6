//! Signatures: the parameters that a call can pass.

use std::{cmp::Reverse, sync::Arc};

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};

use super::{DefinitionId, ParameterSet, ReturnedObject};

/// The greatest number of keywords of one `**kwargs` that become parameters. The keywords that most calls pass are
/// chosen.
const MAX_KEYWORDS: usize = 64;

/// The keywords that become parameters, each of `calls` with the number of calls that pass it: at most
/// `MAX_KEYWORDS`, most passed first.
pub fn most_passed(calls: impl IntoIterator<Item = (CompactString, u32)>) -> Vec<CompactString> {
    let mut calls: Vec<(CompactString, u32)> = calls.into_iter().collect();
    calls.sort_unstable_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
    calls.into_iter().take(MAX_KEYWORDS).map(|(name, _)| name).collect()
}

/// The parameters and the return type of a callable. The receiver (`self`, `cls`) is no parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Parameters in declaration order; the properties of an object parameter follow that parameter. The keywords that
    /// calls pass to `**kwargs` come last, most passed first; they are properties of `**kwargs`.
    pub parameters: Box<[Parameter]>,
    /// The annotation of the return type, as written.
    pub returns: Option<ArcStr>,
    /// The return type of a function without an annotation: in TypeScript, if the expressions that it returns determine
    /// the type; in Python, `Generator` or `AsyncGenerator` for a function with `yield`, and the type of a tuple or
    /// dict.
    pub inferred_returns: Option<ArcStr>,
    /// The members of the object that a function returns, after the call is awaited if [`Self::is_async`]. `None` if
    /// the function returns something else, if nothing is known of the members, or if a declared type has them.
    pub result: Option<Arc<ReturnedObject>>,
    /// True if a call has to be awaited: for `async def` and `async function` without `yield`. A call of an
    /// asynchronous generator returns the generator itself.
    pub is_async: bool,
    /// True for a constructor synthesized from fields (dataclass, pydantic, …) instead of written as `def`.
    pub is_synthesized: bool,
    /// The name of the receiver parameter as written (`self`, `cls`); `None` for a callable without a receiver. In an
    /// overload with its annotation (`self: Box[int]`), if the annotation distinguishes the overload from others.
    pub receiver: Option<ArcStr>,
    /// The callable's own type parameters as written, such as `T extends object`. `index::Definition` has
    /// those of a class.
    pub type_parameters: Option<ArcStr>,
    /// True if the sources do not declare all parameters, because a base, a decorator or a metaclass from outside the
    /// sources decides them. `*args` and `**kwargs` then represent the unknown parameters. A TypeScript constructor of
    /// unknown signature has a parameter for each argument that calls pass: `args[0]`, `args[1]` and so on.
    pub is_incomplete: bool,
    /// The keywords that `**kwargs` passes on to parameters of other callables and that no call passes, in the order in
    /// which those declare them.
    pub passed_on: Box<[ArcStr]>,
    /// The deprecation message of an overload, which may be empty. `None` if the overload is not deprecated, or if all
    /// overloads are.
    pub deprecated: Option<ArcStr>,
}

impl Signature {
    /// The display name of the parameter at `position`: `name`, `*args`, `**kwargs`, `options.timeout` for a property
    /// of the object parameter `options`, `{timeout}` for a property of a destructured object without a name, and
    /// `timeout` for a keyword that `**kwargs` receives. Empty if there is no parameter at `position`.
    pub fn label(&self, position: usize) -> CompactString {
        let Some(parameter) = self.parameters.get(position) else { return CompactString::default() };
        match self.object_of(position) {
            Some(object) if self.parameters[object].kind == ParameterKind::VarKeyword => {
                CompactString::new(&parameter.name)
            }
            Some(object) if self.parameters[object].name == "{}" => format_compact!("{{{}}}", parameter.name),
            Some(object) => format_compact!("{}.{}", self.label(object), parameter.name),
            None => parameter.label(),
        }
    }

    /// The label as people read it: a destructured object without a name is `options`, as in stubs, and a destructured
    /// array `items`; a property of such an object has its own name alone.
    pub fn shown_label(&self, position: usize) -> CompactString {
        let Some(parameter) = self.parameters.get(position) else { return CompactString::default() };
        match self.object_of(position) {
            Some(object) if self.parameters[object].name == "{}" && self.object_of(object).is_none() => {
                CompactString::new(&parameter.name)
            }
            Some(object) if self.parameters[object].kind != ParameterKind::VarKeyword => {
                format_compact!("{}.{}", self.shown_label(object), parameter.name)
            }
            Some(_) => self.label(position),
            None => match parameter.name.as_str() {
                "{}" => CompactString::const_new("options"),
                "[]" => CompactString::const_new("items"),
                _ => parameter.label(),
            },
        }
    }

    /// The position of the object parameter that the property at `position` belongs to; `None` for other parameters. An
    /// object that is not at an earlier position than its property is ignored, so walks from properties to objects
    /// terminate.
    fn object_of(&self, position: usize) -> Option<usize> {
        self.parameters[position].object.map(usize::from).filter(|&object| object < position)
    }

    /// The position of the `**kwargs` to which the keyword at `position` belongs. `None` for a declared parameter, for
    /// a property of an object, and for a position beyond the last parameter.
    pub fn receiver_of_keyword(&self, position: usize) -> Option<usize> {
        self.parameters.get(position)?;
        self.object_of(position).filter(|&object| self.parameters[object].kind == ParameterKind::VarKeyword)
    }

    /// The position of a keyword that `**kwargs` receives.
    pub fn keyword(&self, name: &str) -> Option<usize> {
        let is_keyword = |&at: &usize| self.parameters[at].name == name && self.receiver_of_keyword(at).is_some();
        (0..self.parameters.len()).find(is_keyword)
    }

    /// The name by which `calls` reports the parameter at `position`: the parameter's label; for a keyword, the
    /// `**kwargs` that receives the keyword. An argument for a parameter that is not declared has the name of its
    /// keyword, or no name. A parameter that a decorator adds has no name.
    pub fn reported_name(&self, position: usize) -> Option<CompactString> {
        let is_variadic = self.parameters.get(position).is_some_and(Parameter::is_variadic);
        match self.receiver_of_keyword(position) {
            Some(receiver) if !self.is_incomplete => Some(self.label(receiver)),
            _ if self.is_incomplete && (is_variadic || self.is_unknown_parameter(position)) => None,
            _ if self.is_nameless(position) => None,
            _ => Some(self.label(position)),
        }
    }

    /// True for a parameter that a decorator adds, which has a name of [`nameless_parameter`].
    fn is_nameless(&self, position: usize) -> bool {
        self.parameters.get(position).is_some_and(|parameter| {
            let number = parameter.name.strip_prefix(NAMELESS).unwrap_or_default();
            parameter.kind == ParameterKind::PositionalOnly
                && !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    }

    /// True for a parameter with the name of [`unknown_parameter`].
    fn is_unknown_parameter(&self, position: usize) -> bool {
        let parameter = self.parameters.get(position).filter(|parameter| parameter.object.is_none());
        parameter.is_some_and(|parameter| parameter.name.starts_with("args["))
    }

    /// True if every call must pass the parameter at `position`: the parameter and all objects around it are required.
    /// A required property of an optional object may be left out together with the object.
    pub fn is_always_required(&self, position: usize) -> bool {
        std::iter::successors(Some(position), |&at| self.object_of(at)).all(|at| self.parameters[at].required)
    }

    /// The smallest superset of `set` that contains the object of each of its properties, and the required properties
    /// of each of its objects. Only such a set can be rendered as a signature.
    pub fn close_over_objects(&self, set: ParameterSet) -> ParameterSet {
        if self.parameters.iter().all(|parameter| parameter.object.is_none()) {
            return set;
        }
        let mut closed = set.clone();
        for position in set.iter().filter(|&position| position < self.parameters.len()) {
            let objects = std::iter::successors(self.object_of(position), |&object| self.object_of(object));
            objects.for_each(|object| closed.insert(object));
        }
        // An object precedes its properties, so one pass also adds the required properties of objects that it adds.
        for position in (0..self.parameters.len()).filter(|&position| self.parameters[position].required) {
            if self.object_of(position).is_some_and(|object| closed.contains(object)) {
                closed.insert(position);
            }
        }
        closed
    }
}

/// How the names of parameters without a name begin, in Python; type checkers use the same names.
const NAMELESS: &str = "__p";

/// The name of the parameter without a name at `position`, of those that a decorator adds: it can be passed by position
/// alone.
pub fn nameless_parameter(position: usize) -> CompactString {
    format_compact!("{NAMELESS}{position}")
}

/// The name of the parameter for the argument at `position` of a TypeScript constructor of unknown signature:
/// `args[0]`. No declared parameter has such a name.
pub fn unknown_parameter(position: usize) -> CompactString {
    format_compact!("args[{position}]")
}

/// One parameter of a signature, or one property of an object parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// The parameter's name, without stars; `{}` for a destructured object.
    pub name: ArcStr,
    /// How the parameter can be passed.
    pub kind: ParameterKind,
    /// The annotation as written, with white space folded.
    pub annotation: Option<ArcStr>,
    /// The annotation with types in the place of their names, in Python: `Callable[[Request], Response]` for `Handler`,
    /// and `T` for `Annotated[T, …]`. `None` if that is what the annotation says. In TypeScript such names are
    /// definitions. Index files do not keep it.
    pub meaning: Option<ArcStr>,
    /// The default as written, with white space folded; `...` for a long or computed default.
    pub default: Option<ArcStr>,
    /// True if a call without this parameter is an error. Taken from the signature, never from frequencies. JavaScript
    /// does not declare which parameters are required: there, a parameter is required if no call leaves it out.
    pub required: bool,
    /// The base class that declares the field behind a synthesized parameter; `None` if the class itself declares it.
    pub inherited_from: Option<DefinitionId>,
    /// For a property of an object parameter: the position of the object in [`Signature::parameters`], which is less
    /// than the property's own position. The object may itself be a property.
    pub object: Option<u16>,
}

/// How a parameter can be passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum ParameterKind {
    /// Before `/`.
    PositionalOnly,
    /// By position or by name.
    Standard,
    /// `*args`.
    VarPositional,
    /// After `*`.
    KeywordOnly,
    /// `**kwargs`.
    VarKeyword,
    /// A property of an object parameter, passed in an object literal, or a keyword that calls pass to `**kwargs`;
    /// [`Parameter::object`] is the object or `**kwargs`.
    Property,
}

impl Parameter {
    /// An optional parameter without an annotation and a default. A property also has the position of its object.
    pub fn optional(name: ArcStr, kind: ParameterKind, object: Option<u16>) -> Self {
        Self {
            name,
            kind,
            annotation: None,
            meaning: None,
            default: None,
            required: false,
            inherited_from: None,
            object,
        }
    }

    /// The name, with the stars of `*args` and `**kwargs`.
    pub fn label(&self) -> CompactString {
        match self.kind {
            ParameterKind::VarPositional => format_compact!("*{}", self.name),
            ParameterKind::VarKeyword => format_compact!("**{}", self.name),
            _ => CompactString::new(&self.name),
        }
    }

    /// The type of its values: the annotation, in which types stand for their names where these are known.
    pub fn type_text(&self) -> Option<&str> {
        self.meaning.as_ref().or(self.annotation.as_ref()).map(ArcStr::as_str)
    }

    /// True for `*args` and `**kwargs`.
    pub fn is_variadic(&self) -> bool {
        self.kind.is_variadic()
    }
}

impl ParameterKind {
    /// True for `*args` and `**kwargs`.
    pub fn is_variadic(self) -> bool {
        matches!(self, Self::VarPositional | Self::VarKeyword)
    }
}

apidisc_base::packed::packed_structs! {
    Signature {
        parameters, returns, inferred_returns, result, is_async, is_synthesized, receiver, type_parameters,
        is_incomplete, passed_on, deprecated,
    }
    Parameter { name, kind, annotation, meaning, default, required, inherited_from, object }
}

apidisc_base::packed::packed_enums! {
    ParameterKind { PositionalOnly, Standard, VarPositional, KeywordOnly, VarKeyword, Property }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `open(url, options: { timeout, retry: { times } })`, where `options` and `retry` need `timeout` and `times`.
    fn signature(object_name: &str) -> Signature {
        let parameter = |name: &str, object: Option<u16>, required| {
            let kind = if object.is_some() { ParameterKind::Property } else { ParameterKind::Standard };
            Parameter { required, ..Parameter::optional(name.into(), kind, object) }
        };
        let parameters = Box::new([
            parameter("url", None, true),
            parameter(object_name, None, false),
            parameter("timeout", Some(1), true),
            parameter("retry", Some(1), false),
            parameter("times", Some(3), true),
        ]);
        Signature { parameters, ..Signature::default() }
    }

    #[test]
    fn labels_of_properties_name_their_objects() {
        let labels = |object| (0..5).map(|at| signature(object).label(at).to_string()).collect::<Vec<_>>();
        assert_eq!(labels("options"), ["url", "options", "options.timeout", "options.retry", "options.retry.times"]);
        assert_eq!(labels("{}"), ["url", "{}", "{timeout}", "{retry}", "{retry}.times"]);
        let shown = |object| (0..5).map(|at| signature(object).shown_label(at).to_string()).collect::<Vec<_>>();
        assert_eq!(shown("options"), labels("options"));
        assert_eq!(shown("{}"), ["url", "options", "timeout", "retry", "retry.times"]);
    }

    #[test]
    fn a_required_property_may_be_left_out_with_its_optional_object() {
        assert_eq!([0, 1, 2, 4].map(|at| signature("options").is_always_required(at)), [true, false, false, false]);
        let mut required = signature("options");
        required.parameters[1].required = true;
        assert_eq!([1, 2, 4].map(|at| required.is_always_required(at)), [true, true, false]);
    }

    #[test]
    fn closing_adds_objects_and_their_required_properties() {
        let closed = |set: &[usize]| -> Vec<usize> {
            signature("options").close_over_objects(set.iter().copied().collect()).iter().collect()
        };
        assert_eq!(closed(&[0]), [0]);
        assert_eq!(closed(&[1]), [1, 2]);
        assert_eq!(closed(&[3]), [1, 2, 3, 4]);
        assert_eq!(closed(&[4]), [1, 2, 3, 4]);
    }
}
