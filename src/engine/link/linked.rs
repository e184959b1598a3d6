//! What linking hands on, whatever the language: definitions, what modules offer, and calls with their arguments
//! bound.

use compact_str::CompactString;
use smallvec::SmallVec;

use crate::{
    diagnostic::Diagnostic,
    ids::id,
    language::Language,
    program::{Argument, CallForm, DefinitionKind, Modifiers, ParameterKind, UnresolvedReason},
    source::Origin,
};

id! {
    /// A row of [`LinkedProgram::definitions`].
    pub(crate) struct DefinitionRow;
}

/// A linked program of one language.
#[derive(Debug, Default)]
pub(crate) struct LinkedProgram {
    /// By path.
    pub(crate) files: Vec<LinkedFile>,
    /// By file, then by line.
    pub(crate) definitions: Vec<LinkedDefinition>,
    /// Names that packages are imported by: `@acme/http` with the folder of the package, `@acme/http/server` with the
    /// module that it leads to. None in Python, where packages are folders.
    pub(crate) packages: Vec<(CompactString, CompactString)>,
    /// What is wrong with the files that say how a project hangs together.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// One file.
#[derive(Debug)]
pub(crate) struct LinkedFile {
    /// From the source's root.
    pub(crate) path: CompactString,
    pub(crate) language: Language,
    /// What its calls stand for.
    pub(crate) origin: Origin,
    /// The name of its module.
    pub(crate) module: CompactString,
    /// Public names that it offers, its own and re-exported ones, by name.
    pub(crate) exports: Vec<(CompactString, DefinitionRow)>,
    /// By line and column.
    pub(crate) calls: Vec<LinkedCall>,
}

/// One definition.
#[derive(Debug)]
pub(crate) struct LinkedDefinition {
    /// A row of [`LinkedProgram::files`].
    pub(crate) file: usize,
    pub(crate) fqn: CompactString,
    pub(crate) name: CompactString,
    /// Further names that lead to it, sorted.
    pub(crate) aliases: Vec<CompactString>,
    pub(crate) kind: DefinitionKind,
    pub(crate) parent: Option<DefinitionRow>,
    /// From 1.
    pub(crate) line: u32,
    /// From 1.
    pub(crate) end_line: u32,
    pub(crate) summary: Option<CompactString>,
    pub(crate) bases: Vec<CompactString>,
    /// The classes of the sources that a class inherits from, nearest first: the order in which members are looked up.
    pub(crate) ancestors: Vec<DefinitionRow>,
    pub(crate) decorators: Vec<CompactString>,
    pub(crate) signature: Option<LinkedSignature>,
    /// Of an overloaded function, what callers see; the implementation is in `signature`.
    pub(crate) overloads: Vec<LinkedSignature>,
    /// The class or interface that declares each parameter of a synthesized signature, where that is a base.
    pub(crate) declared_by: Vec<Option<DefinitionRow>>,
    pub(crate) annotation: Option<CompactString>,
    pub(crate) value: Option<CompactString>,
    /// Type parameters of a class, interface or type alias as written.
    pub(crate) type_parameters: Option<CompactString>,
    pub(crate) modifiers: Modifiers,
    /// Names of types in its texts, with the definition that each means where that is in the sources. What every file
    /// knows without an import is not among them.
    pub(crate) type_names: Vec<(CompactString, Option<DefinitionRow>)>,
    /// Offered to others: exported, and no private member. `None` where the index decides by names, as in Python.
    pub(crate) is_public: Option<bool>,
}

/// What a call can pass, while it is put together: see [`crate::program::Signature`].
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkedSignature {
    pub(crate) parameters: Vec<LinkedParameter>,
    pub(crate) returns: Option<CompactString>,
    pub(crate) is_async: bool,
    pub(crate) is_synthesized: bool,
    pub(crate) receiver: Option<CompactString>,
    pub(crate) type_parameters: Option<CompactString>,
}

/// One parameter: see [`crate::program::Parameter`].
#[derive(Clone, Debug)]
pub(crate) struct LinkedParameter {
    pub(crate) name: CompactString,
    pub(crate) kind: ParameterKind,
    pub(crate) annotation: Option<CompactString>,
    pub(crate) default: Option<CompactString>,
    pub(crate) required: bool,
    pub(crate) within: Option<u16>,
}

impl LinkedParameter {
    /// True for `*args` and `**kwargs`.
    pub(crate) fn is_variadic(&self) -> bool {
        matches!(self.kind, ParameterKind::VarPositional | ParameterKind::VarKeyword)
    }
}

/// One call.
#[derive(Debug)]
pub(crate) struct LinkedCall {
    /// From 1.
    pub(crate) line: u32,
    /// From 0, in bytes.
    pub(crate) col: u32,
    /// The function it stands in; none for the module.
    pub(crate) caller: Option<DefinitionRow>,
    /// What it may mean; the first one's signature is the one that the arguments are bound to.
    pub(crate) candidates: SmallVec<[DefinitionRow; 1]>,
    /// UnresolvedReason there is none.
    pub(crate) why: UnresolvedReason,
    pub(crate) form: CallForm,
    pub(crate) arguments: Box<[Argument]>,
    /// The method's name, where the receiver's type is not known.
    pub(crate) unknown_method: Option<CompactString>,
}
