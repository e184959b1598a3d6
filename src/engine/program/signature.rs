//! What a call can pass: parameters in declaration order.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};

use super::{DefinitionId, ParameterSet};

/// What a call can pass. The receiver (`self`, `cls`) is no parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Parameters in declaration order.
    pub parameters: Box<[Parameter]>,
    /// The annotation of what it returns, as written.
    pub returns: Option<ArcStr>,
    /// An `async def`.
    pub is_async: bool,
    /// The signature is put together from fields (dataclass, pydantic, …), not written as `def`.
    pub is_synthesized: bool,
    /// The name of the receiver parameter as written (`self`, `cls`), where there is one.
    pub receiver: Option<ArcStr>,
    /// Its own type parameters as written, such as `T extends object`; those of a class are the definition's.
    pub type_parameters: Option<ArcStr>,
}

impl Signature {
    /// The name of a parameter as call sites and people know it: `*args`, `**kwargs`, of a property with the object
    /// before it, as `options.timeout`, or in braces where the object is destructured and has no name.
    pub fn label(&self, position: usize) -> CompactString {
        let Some(parameter) = self.parameters.get(position) else { return CompactString::default() };
        match parameter.within.map(usize::from).filter(|&object| object < position) {
            Some(object) if self.parameters[object].name == "{}" => format_compact!("{{{}}}", parameter.name),
            Some(object) => format_compact!("{}.{}", self.label(object), parameter.name),
            None => parameter.label(),
        }
    }

    /// True where no call can be written without a parameter: it is required, and the object that it belongs to, too.
    pub(crate) fn is_needed(&self, position: usize) -> bool {
        let object = |at: usize| self.parameters[at].within.map(usize::from).filter(|&object| object < at);
        std::iter::successors(Some(position), |&at| object(at)).all(|at| self.parameters[at].required)
    }

    /// The set with the objects of the properties in it, and what every object in it requires: a property never
    /// stands without its object.
    pub(crate) fn with_objects(&self, set: ParameterSet) -> ParameterSet {
        if self.parameters.iter().all(|parameter| parameter.within.is_none()) {
            return set;
        }
        let mut whole = set.clone();
        let within = |position: usize| self.parameters[position].within.map(usize::from);
        // Objects come before their properties.
        for position in (0..self.parameters.len()).rev().filter(|&position| set.contains(position)) {
            let objects = std::iter::successors(within(position), |&object| within(object));
            objects.for_each(|object| whole.insert(object));
        }
        for position in (0..self.parameters.len()).filter(|&position| self.parameters[position].required) {
            if within(position).is_some_and(|object| whole.contains(object)) {
                whole.insert(position);
            }
        }
        whole
    }
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// Its name, without stars.
    pub name: ArcStr,
    /// How it can be passed.
    pub kind: ParameterKind,
    /// Its annotation as written, white space folded.
    pub annotation: Option<ArcStr>,
    /// Its default as written, white space folded; `...` where it is long or not written plainly.
    pub default: Option<ArcStr>,
    /// A call that leaves it out is an error: taken from the signature, never from frequencies.
    pub required: bool,
    /// For a field, the class that declares it where that is a base.
    pub inherited_from: Option<DefinitionId>,
    /// For a property of a parameter that is an object, the position of that parameter, which comes before it.
    pub within: Option<u16>,
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
    /// A property of a parameter that is an object, given in an object literal.
    Property,
}

impl Parameter {
    fn label(&self) -> CompactString {
        match self.kind {
            ParameterKind::VarPositional => format_compact!("*{}", self.name),
            ParameterKind::VarKeyword => format_compact!("**{}", self.name),
            _ => CompactString::new(&self.name),
        }
    }

    /// True for `*args` and `**kwargs`.
    pub fn is_variadic(&self) -> bool {
        matches!(self.kind, ParameterKind::VarPositional | ParameterKind::VarKeyword)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `open(url, options: { timeout, retry: { times } })`, where `options` and `retry` need `timeout` and `times`.
    fn signature(object: &str) -> Signature {
        let parameter = |name: &str, within: Option<u16>, required| Parameter {
            name: name.into(),
            kind: if within.is_some() { ParameterKind::Property } else { ParameterKind::Standard },
            annotation: None,
            default: None,
            required,
            inherited_from: None,
            within,
        };
        let parameters = Box::new([
            parameter("url", None, true),
            parameter(object, None, false),
            parameter("timeout", Some(1), true),
            parameter("retry", Some(1), false),
            parameter("times", Some(3), true),
        ]);
        Signature { parameters, ..Signature::default() }
    }

    #[test]
    fn properties_are_known_by_their_objects() {
        let labels = |object| (0..5).map(|at| signature(object).label(at).to_string()).collect::<Vec<_>>();
        assert_eq!(labels("options"), ["url", "options", "options.timeout", "options.retry", "options.retry.times"]);
        assert_eq!(labels("{}"), ["url", "{}", "{timeout}", "{retry}", "{retry}.times"]);
    }

    #[test]
    fn a_property_that_its_object_needs_may_be_left_out_with_it() {
        assert_eq!([0, 1, 2, 4].map(|at| signature("options").is_needed(at)), [true, false, false, false]);
        let mut needed = signature("options");
        needed.parameters[1].required = true;
        assert_eq!([1, 2, 4].map(|at| needed.is_needed(at)), [true, true, false]);
    }

    #[test]
    fn a_property_stands_with_its_object_and_what_that_requires() {
        let closed = |set: &[usize]| -> Vec<usize> {
            signature("options").with_objects(set.iter().copied().collect()).iter().collect()
        };
        assert_eq!(closed(&[0]), [0]);
        assert_eq!(closed(&[1]), [1, 2]);
        assert_eq!(closed(&[3]), [1, 2, 3, 4]);
        assert_eq!(closed(&[4]), [1, 2, 3, 4]);
    }
}
