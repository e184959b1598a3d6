//! A definition: what can be called or read, with its signature and place.

use compact_str::CompactString;

use super::{DefinitionId, FileId, ModuleId};
use crate::engine::usage::Usage;

/// A function, method, class, property or constant.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Fully qualified name: the module's and every named container's, such as
    /// `google.adk.agents.llm_agent.LlmAgent`.
    pub fqn: CompactString,
    /// The shortest public name that leads here; equal to `fqn` where there is no other.
    pub alias: CompactString,
    /// Every other name that leads here through re-exports and assignments, sorted.
    pub aliases: Vec<CompactString>,
    /// The last part of `fqn`.
    pub name: CompactString,
    /// What it is.
    pub kind: DefinitionKind,
    /// The language it is written in.
    pub language: Language,
    /// The module whose file holds it.
    pub module: ModuleId,
    /// The class or function that it is nested in.
    pub parent: Option<DefinitionId>,
    /// What is directly inside it, in source order: methods, properties, attributes, nested classes.
    pub members: Vec<DefinitionId>,
    /// Where it stands.
    pub place: Place,
    /// The first paragraph of its docstring on one line, control characters removed.
    pub summary: Option<CompactString>,
    /// The bases of a class as written, such as `BaseAgent` or `Generic[T]`.
    pub bases: Vec<CompactString>,
    /// Its decorators as written, without `@`.
    pub decorators: Vec<CompactString>,
    /// What a call passes; of a class, its effective constructor's. `None` where it is not callable, or
    /// where the constructor is inherited from outside the sources and so is not known.
    pub signature: Option<Signature>,
    /// The type of a property, attribute or constant, as written.
    pub annotation: Option<CompactString>,
    /// The value of a constant or attribute as written, where it is short.
    pub value: Option<CompactString>,
    /// Reachable by public names: no part of some name of it begins with `_`, and it is not nested in a
    /// function.
    pub is_public: bool,
    /// How it is called.
    pub usage: Usage,
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
        }
    }

    /// True where call sites of it are counted.
    pub fn is_callable(self) -> bool {
        !matches!(self, Self::Property | Self::Attribute | Self::Constant)
    }
}

impl Definition {
    /// True for a name under which it is offered: its own, or one in a package above `module`, where it stands. What
    /// other modules import for themselves are names of it too, but nobody should import it from there.
    pub(crate) fn is_at_home(&self, name: &str, module: &str) -> bool {
        let depth = self.fqn.matches('.').count().saturating_sub(module.matches('.').count());
        let place = name.rsplitn(depth + 1, '.').last().unwrap_or_default();
        module.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// A source language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// `.py`, `.pyi` and the code cells of `.ipynb`.
    #[default]
    Python,
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Parameters in declaration order.
    pub parameters: Vec<Parameter>,
    /// The annotation of what it returns, as written.
    pub returns: Option<CompactString>,
    /// An `async def`.
    pub is_async: bool,
    /// The signature is put together from fields (dataclass, pydantic, …), not written as `def`.
    pub is_synthesized: bool,
    /// The name of the receiver parameter as written (`self`, `cls`), where there is one.
    pub receiver: Option<CompactString>,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, without stars.
    pub name: CompactString,
    /// How it can be passed.
    pub kind: ParameterKind,
    /// Its annotation as written, white space folded.
    pub annotation: Option<CompactString>,
    /// Its default as written, white space folded; `...` where it is long or not written plainly.
    pub default: Option<CompactString>,
    /// A call that leaves it out is an error: taken from the signature, never from frequencies.
    pub required: bool,
    /// For a field, the class that declares it where that is a base.
    pub inherited_from: Option<DefinitionId>,
}

/// How a parameter can be passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
}

impl Parameter {
    /// Its name as call sites and people know it: `*args`, `**kwargs`, or the plain name.
    pub fn label(&self) -> CompactString {
        match self.kind {
            ParameterKind::VarPositional => compact_str::format_compact!("*{}", self.name),
            ParameterKind::VarKeyword => compact_str::format_compact!("**{}", self.name),
            _ => self.name.clone(),
        }
    }

    /// True for `*args` and `**kwargs`.
    pub fn is_variadic(&self) -> bool {
        matches!(self.kind, ParameterKind::VarPositional | ParameterKind::VarKeyword)
    }
}
