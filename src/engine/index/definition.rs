//! A definition: what can be called or read, with its signature and place.

use std::sync::Arc;

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use thin_vec::ThinVec;

use super::{DefinitionId, FileId, ModuleId};
use crate::usage::{ParameterSet, Usage};

/// A function, method, class, property or constant.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Fully qualified name: the module's and every named container's, such as
    /// `google.adk.agents.llm_agent.LlmAgent`.
    pub fqn: ArcStr,
    /// The shortest public name that leads here; equal to `fqn` where there is no other.
    pub alias: ArcStr,
    /// Every other name that leads here through re-exports and assignments, sorted.
    pub aliases: ThinVec<ArcStr>,
    /// The last part of `fqn`.
    pub name: ArcStr,
    /// What it is.
    pub kind: DefinitionKind,
    /// The language it is written in.
    pub language: Language,
    /// The module whose file holds it.
    pub module: ModuleId,
    /// The class or function that it is nested in.
    pub parent: Option<DefinitionId>,
    /// What is directly inside it, in source order: methods, properties, attributes, nested classes.
    pub members: ThinVec<DefinitionId>,
    /// Where it stands.
    pub place: Place,
    /// The first paragraph of its docstring on one line, control characters removed.
    pub summary: Option<ArcStr>,
    /// The bases of a class as written, such as `BaseAgent` or `Generic[T]`.
    pub bases: ThinVec<ArcStr>,
    /// The classes of the sources that a class inherits from, in the order in which members are looked up.
    pub ancestors: ThinVec<DefinitionId>,
    /// Its decorators as written, without `@`.
    pub decorators: ThinVec<ArcStr>,
    /// What a call passes; of a class, its effective constructor's. `None` where it is not callable, or
    /// where the constructor is inherited from outside the sources and so is not known. Equal ones are kept once.
    pub signature: Option<Arc<Signature>>,
    /// The type of a property, attribute or constant, as written.
    pub annotation: Option<ArcStr>,
    /// The value of a constant or attribute as written, where it is short.
    pub value: Option<ArcStr>,
    /// Of an overloaded function, what callers see; `signature` is the implementation's.
    pub overloads: ThinVec<Signature>,
    /// Type parameters of a class, interface or type alias as written, such as `T extends object`.
    pub type_parameters: Option<ArcStr>,
    /// Words before its name.
    pub modifiers: Modifiers,
    /// Names of types in its texts, with the definition that each means where that is in the sources. Type parameters,
    /// and what every file knows without an import, are not among them.
    pub type_names: ThinVec<(ArcStr, Option<DefinitionId>)>,
    /// Reachable by public names: no part of some name of it begins with `_`, and it is not nested in a
    /// function.
    pub is_public: bool,
    /// How it is called. What is said of all that nobody calls is kept once.
    pub usage: Arc<Usage>,
}

impl Definition {
    /// How it is called, to be changed: a copy of what others share.
    pub fn usage_mut(&mut self) -> &mut Usage {
        Arc::make_mut(&mut self.usage)
    }

    /// Its signature, to be changed: a copy of what others share.
    pub fn signature_mut(&mut self) -> Option<&mut Signature> {
        self.signature.as_mut().map(Arc::make_mut)
    }
}

/// What a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefinitionKind {
    /// A class.
    Class,
    /// A function at module level or nested in a function.
    Function,
    /// A function in a class that takes the instance.
    Method,
    /// A method that takes the class.
    ClassMethod,
    /// A method that takes neither.
    StaticMethod,
    /// A method read as an attribute.
    Property,
    /// A field or attribute of a class.
    Attribute,
    /// A name at module level that holds a value.
    Constant,
    /// An interface.
    Interface,
    /// `type X = …`
    TypeAlias,
    /// An enum; its members are attributes.
    Enum,
    /// A namespace.
    Namespace,
}

/// Words before a name, or the sign after it, that change what can be done with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word of its own")]
pub struct Modifiers {
    /// `x?`: of a property or method.
    pub is_optional: bool,
    /// `readonly`
    pub is_readonly: bool,
    /// `static`: of a property; a static method has a kind of its own.
    pub is_static: bool,
    /// `abstract`
    pub is_abstract: bool,
}

impl DefinitionKind {
    /// The word for it on screens and in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Function => "function",
            Self::Method => "method",
            Self::ClassMethod => "classmethod",
            Self::StaticMethod => "staticmethod",
            Self::Property => "property",
            Self::Attribute => "attribute",
            Self::Constant => "constant",
            Self::Interface => "interface",
            Self::TypeAlias => "type",
            Self::Enum => "enum",
            Self::Namespace => "namespace",
        }
    }

    /// True where call sites of it are counted.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Class | Self::Function | Self::Method | Self::ClassMethod | Self::StaticMethod)
    }
}

/// A source language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// `.py`, `.pyi` and the code cells of `.ipynb`.
    #[default]
    Python,
    /// TypeScript and JavaScript.
    TypeScript,
}

impl Language {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
        }
    }

    /// The word for it after the fence of a code block.
    pub fn fence(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::TypeScript => "typescript",
        }
    }

    /// How files of it end, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Python => "py",
            Self::TypeScript => "ts",
        }
    }
}

/// Where a definition stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its file.
    pub file: FileId,
    /// The line of its name, from 1.
    pub line: u32,
    /// The last line of its body, from 1.
    pub end_line: u32,
}

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
