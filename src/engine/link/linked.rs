//! The result of linking, the same for every language: definitions, the public names of modules, calls with their
//! arguments bound to parameters, and reads of attributes.

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    diagnostic::Diagnostic,
    documentation::Documentation,
    ids::id,
    language::Language,
    program::{
        Argument, CallForm, DefinitionKind, HttpRequest, Modifiers, OverloadChoice, ParameterKind, ReceiverLink,
        UnresolvedReason,
    },
    source::Origin,
};

id! {
    /// A row of [`LinkedProgram::definitions`].
    pub(crate) struct DefinitionRow;
}

/// A linked program of one language, or of several after [`merge`](super::merge).
#[derive(Debug, Default)]
pub(crate) struct LinkedProgram {
    /// Sorted by path.
    pub(crate) files: Vec<LinkedFile>,
    /// Sorted by file, then by line.
    pub(crate) definitions: Vec<LinkedDefinition>,
    /// Names by which files import modules, each with the name of the module. In TypeScript, import specifiers that are
    /// not paths: `@acme/http/server` with `packages/http/src/server`. In Python, names that begin at a package whose
    /// folder lies in a folder that is no package: `app.core` with `backend.app.core`, if `backend` has no
    /// `__init__.py` and files import `app`.
    pub(crate) packages: Vec<(CompactString, CompactString)>,
    /// The qualified names under which examples and documentation import or read definitions, each with the number of
    /// files that use the name.
    pub(crate) used_names: FxHashMap<CompactString, u32>,
    /// Problems in the configuration files of projects and packages.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The kind of code that a file contributes to a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub(crate) enum Content {
    /// The code of a module.
    #[default]
    Code,
    /// The examples in the docstrings, other strings or comments of a module. They use the module's names. The file of
    /// the module has the same path and comes directly before.
    Examples,
    /// The code that a document quotes.
    Document,
}

impl Content {
    /// True for quoted code: its calls are counted, but no other code can use what it defines, so it has no definitions
    /// and exports nothing.
    pub(crate) fn is_quoted(self) -> bool {
        self != Self::Code
    }
}

/// A file with its public names, its calls and its reads.
#[derive(Debug)]
pub(crate) struct LinkedFile {
    /// The path from the source's root.
    pub(crate) path: CompactString,
    pub(crate) language: Language,
    pub(crate) content: Content,
    /// The part of the repository that the file and its calls belong to.
    pub(crate) origin: Origin,
    /// True for a file that users do not import from: see [`crate::language::is_auxiliary`]; in TypeScript also for a
    /// file of a package that is not published. A definition in such a file belongs to the public API only if a file of
    /// the library re-exports it.
    pub(crate) is_auxiliary: bool,
    /// True for a file of a TypeScript package that users cannot import, since the `exports` of the package leave it
    /// out.
    pub(crate) is_internal: bool,
    /// The name of its module: separated by dots in Python, by slashes in TypeScript.
    pub(crate) module: CompactString,
    /// The public names, declared or re-exported, sorted by name.
    pub(crate) exports: Vec<(CompactString, DefinitionRow)>,
    /// Sorted by line and column.
    pub(crate) calls: Vec<LinkedCall>,
    /// The reads that resolve to one attribute or property. Sorted by line and column.
    pub(crate) reads: Vec<LinkedRead>,
    /// The calls that send HTTP requests. Sorted by line and column.
    pub(crate) requests: Vec<LinkedRequest>,
    /// The routes of servers. Sorted by line.
    pub(crate) routes: Vec<LinkedRoute>,
}

/// A definition: function, method, class, property, attribute or constant.
#[derive(Debug)]
pub(crate) struct LinkedDefinition {
    /// A row of [`LinkedProgram::files`].
    pub(crate) file: usize,
    pub(crate) fqn: CompactString,
    pub(crate) name: CompactString,
    /// Further qualified names that resolve to the definition, sorted.
    pub(crate) aliases: Vec<CompactString>,
    pub(crate) kind: DefinitionKind,
    pub(crate) parent: Option<DefinitionRow>,
    /// The line of its name, from 1.
    pub(crate) line: u32,
    /// The last line, from 1.
    pub(crate) end_line: u32,
    pub(crate) summary: Option<CompactString>,
    pub(crate) documentation: Option<Arc<Documentation>>,
    pub(crate) bases: Vec<CompactString>,
    /// For a class, the ancestors that the sources define, in method resolution order.
    pub(crate) ancestors: Vec<DefinitionRow>,
    pub(crate) decorators: Vec<CompactString>,
    pub(crate) signature: Option<LinkedSignature>,
    /// The overloads of an overloaded function, which callers see; the implementation is in `signature`.
    pub(crate) overloads: Vec<LinkedSignature>,
    /// One item per parameter of a synthesized signature: the base class or interface that declares the parameter, or
    /// `None` if no base declares it.
    pub(crate) declared_by: Vec<Option<DefinitionRow>>,
    pub(crate) annotation: Option<CompactString>,
    pub(crate) value: Option<CompactString>,
    /// Type parameters of a class, interface or type alias, as written.
    pub(crate) type_parameters: Option<CompactString>,
    pub(crate) modifiers: Modifiers,
    /// Names of types in its signature and annotations, each with the definition that it resolves to in the sources, if
    /// any. Global names of the platform are left out.
    pub(crate) type_names: Vec<(CompactString, Option<DefinitionRow>)>,
    /// The first parts of names in `type_names` that are imported from outside the sources, each with the module and
    /// the imported name: `react#ReactNode`.
    pub(crate) type_imports: Vec<(CompactString, CompactString)>,
    /// True if the definition is exported and not a private member. `None` if the index decides by the name, as in
    /// Python.
    pub(crate) is_public: Option<bool>,
    /// True for a member that is public if a public class has it: not `private`, `protected` or `#name`. `None` if the
    /// index decides by the name, as in Python.
    pub(crate) is_public_member: Option<bool>,
}

impl LinkedDefinition {
    /// A definition of one line. All fields that no argument sets are empty.
    pub(crate) fn new(file: usize, fqn: CompactString, name: CompactString, kind: DefinitionKind, line: u32) -> Self {
        Self {
            file,
            fqn,
            name,
            aliases: Vec::new(),
            kind,
            parent: None,
            line,
            end_line: line,
            summary: None,
            documentation: None,
            bases: Vec::new(),
            ancestors: Vec::new(),
            decorators: Vec::new(),
            signature: None,
            overloads: Vec::new(),
            declared_by: Vec::new(),
            annotation: None,
            value: None,
            type_parameters: None,
            modifiers: Modifiers::default(),
            type_names: Vec::new(),
            type_imports: Vec::new(),
            is_public: None,
            is_public_member: None,
        }
    }
}

/// The signature of a definition before interning: see [`crate::program::Signature`].
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkedSignature {
    pub(crate) parameters: Vec<LinkedParameter>,
    pub(crate) returns: Option<CompactString>,
    pub(crate) inferred_returns: Option<CompactString>,
    pub(crate) is_async: bool,
    pub(crate) is_synthesized: bool,
    pub(crate) receiver: Option<CompactString>,
    pub(crate) type_parameters: Option<CompactString>,
    pub(crate) is_incomplete: bool,
    pub(crate) deprecated: Option<CompactString>,
}

/// A parameter before interning: see [`crate::program::Parameter`].
#[derive(Clone, Debug)]
pub(crate) struct LinkedParameter {
    pub(crate) name: CompactString,
    pub(crate) kind: ParameterKind,
    pub(crate) annotation: Option<CompactString>,
    pub(crate) default: Option<CompactString>,
    pub(crate) required: bool,
    pub(crate) within: Option<u16>,
    /// The documentation of a property, from the type that declares it.
    pub(crate) summary: Option<CompactString>,
}

impl LinkedParameter {
    /// A parameter that calls pass but that no signature declares. `within` is the position of the parameter that
    /// receives its value, such as `**kwargs`.
    pub(crate) fn undeclared(name: CompactString, kind: ParameterKind, within: Option<u16>) -> Self {
        Self { name, kind, annotation: None, default: None, required: false, within, summary: None }
    }

    /// True for `*args` and `**kwargs`.
    pub(crate) fn is_variadic(&self) -> bool {
        self.kind.is_variadic()
    }
}

/// A call site with its candidates and bound arguments.
#[derive(Debug)]
pub(crate) struct LinkedCall {
    /// The line of the callee's name, from 1.
    pub(crate) line: u32,
    /// The column of the callee's name, from 0, in bytes.
    pub(crate) col: u32,
    /// The innermost function that contains the call; `None` outside of functions.
    pub(crate) caller: Option<DefinitionRow>,
    /// The definitions that the call may resolve to. Arguments are bound to the signature of the first one.
    pub(crate) candidates: SmallVec<[DefinitionRow; 1]>,
    /// True if the callee may also come from outside the sources: `f = own if flag else external.f`.
    pub(crate) may_be_outside: bool,
    /// The class of the receiver, if it inherits the called method.
    pub(crate) receiver: Option<DefinitionRow>,
    /// The overload of the only candidate that the call takes, by its position in [`LinkedDefinition::overloads`].
    pub(crate) overload: Option<OverloadChoice>,
    /// Why `candidates` is empty; meaningless if it is not.
    pub(crate) why: UnresolvedReason,
    pub(crate) form: CallForm,
    /// True if the code around the call expects that it fails.
    pub(crate) expects_error: bool,
    /// The value of the receiver, by positions in [`LinkedFile::calls`].
    pub(crate) receiver_link: ReceiverLink,
    pub(crate) arguments: Box<[Argument]>,
    /// The name of the called method, if the call is unresolved because the receiver's type is unknown.
    pub(crate) unknown_method: Option<CompactString>,
}

/// A read of an attribute: see [`crate::program::ReadSite`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkedRead {
    pub(crate) line: u32,
    pub(crate) col: u32,
    pub(crate) reader: Option<DefinitionRow>,
    pub(crate) attribute: DefinitionRow,
    /// The class of the receiver, if it inherits the attribute.
    pub(crate) receiver: Option<DefinitionRow>,
    pub(crate) form: CallForm,
}

/// A call that sends an HTTP request: see [`crate::program::HttpCall`].
#[derive(Debug)]
pub(crate) struct LinkedRequest {
    pub(crate) line: u32,
    pub(crate) col: u32,
    pub(crate) caller: Option<DefinitionRow>,
    pub(crate) request: HttpRequest,
}

/// A route of a server: see [`crate::program::HttpRoute`].
#[derive(Debug)]
pub(crate) struct LinkedRoute {
    pub(crate) line: u32,
    pub(crate) method: Option<CompactString>,
    pub(crate) path: CompactString,
    pub(crate) handler: Option<DefinitionRow>,
}
