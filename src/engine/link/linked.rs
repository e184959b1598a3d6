//! The result of linking, the same for every language: definitions, the public names of modules, calls with their
//! arguments bound to parameters, and reads of attributes.

use std::sync::Arc;

use arcstr::ArcStr;
use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use thin_vec::ThinVec;

use crate::explanation::CallExplanation;
use apidisc_base::{diagnostic::Diagnostic, ids::id, language::Language};
use apidisc_facts::{
    documentation::Documentation,
    program::{
        Argument, CallForm, CallSyntax, DefinitionKind, HttpRequest, Modifiers, OverloadChoice, ParameterKind,
        PassedKeys, ReceiverLink, ReturnedObject, TakenMembers, UnresolvedReason, UseKind,
    },
    source::Origin,
};

id! {
    /// A row of [`LinkedProgram::definitions`].
    pub struct DefinitionRow;
}

/// A linked program of one language, or of several after [`merge`](super::merge).
#[derive(Debug, Default)]
pub struct LinkedProgram {
    /// Sorted by path.
    pub files: Vec<LinkedFile>,
    /// Sorted by file, then by line.
    pub definitions: Vec<LinkedDefinition>,
    /// Names by which files import modules, each with the name of the module. In TypeScript, import specifiers that are
    /// not paths: `@acme/http/server` with `packages/http/src/server`, `@/hooks` with `src/hooks`.
    /// In Python, names that begin at an import root: `app.core` with `backend.app.core`, if files import `app.core` or
    /// a project file says that packages are in `backend`.
    pub packages: Vec<(CompactString, CompactString)>,
    /// The qualified names under which files import or read definitions, each with the number of files that use the
    /// name. In Python those of examples and documentation, in TypeScript those of applications and of packages that
    /// are never published.
    pub used_names: FxHashMap<CompactString, u32>,
    /// Problems in the configuration files of projects and packages.
    pub diagnostics: Vec<Diagnostic>,
    /// How the calls were resolved that were asked for.
    pub explanations: Vec<CallExplanation>,
}

/// The kind of code that a file contributes to a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Content {
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
    pub fn is_quoted(self) -> bool {
        self != Self::Code
    }
}

/// A file with its public names, its calls and its reads.
#[derive(Debug)]
pub struct LinkedFile {
    /// The path from the source's root.
    pub path: CompactString,
    /// The language of the program that the file belongs to.
    pub language: Language,
    /// The kind of code: a file of code, quoted code of a documentation comment, or a document.
    pub content: Content,
    /// The part of the repository that the file and its calls belong to.
    pub origin: Origin,
    /// True for a file that users do not import from: see [`apidisc_base::language::is_auxiliary`]; in TypeScript also
    /// for a file of a package that is not published. A definition in such a file belongs to the public API only if a
    /// file of the library re-exports it.
    pub is_auxiliary: bool,
    /// True for vendored and generated code, scripts and settings of tools, which
    /// [`apidisc_base::language::is_auxiliary`] tells by their paths. [`Self::is_auxiliary`] is true for them, too.
    pub is_apart: bool,
    /// True for a file of a TypeScript package that users cannot import, since the `exports` of the package leave it
    /// out.
    pub is_internal: bool,
    /// The name of its module: separated by dots in Python, by slashes in TypeScript.
    pub module: CompactString,
    /// The public names, declared or re-exported, sorted by name.
    pub exports: Vec<(CompactString, DefinitionRow)>,
    /// Sorted by line and column.
    pub calls: Vec<LinkedCall>,
    /// The reads that resolve to one attribute or property. Sorted by line and column.
    pub reads: Vec<LinkedRead>,
    /// The uses that are neither calls nor reads. Sorted by line and column.
    pub uses: Vec<LinkedUse>,
    /// The calls that send HTTP requests. Sorted by line and column.
    pub requests: Vec<LinkedRequest>,
    /// The routes of servers. Sorted by line.
    pub routes: Vec<LinkedRoute>,
}

/// A definition: function, method, class, property, attribute or constant.
#[derive(Debug)]
pub struct LinkedDefinition {
    /// A row of [`LinkedProgram::files`].
    pub file: usize,
    /// The qualified name.
    pub fqn: CompactString,
    /// The last part of the qualified name.
    pub name: CompactString,
    /// Further qualified names that resolve to the definition, sorted.
    pub aliases: ThinVec<CompactString>,
    /// What is defined.
    pub kind: DefinitionKind,
    /// The class, function or object that the definition is a member of.
    pub parent: Option<DefinitionRow>,
    /// The line of its name, from 1.
    pub line: u32,
    /// The last line, from 1.
    pub end_line: u32,
    /// The first sentence of its documentation.
    pub summary: Option<ArcStr>,
    /// What its documentation says of parameters, results and errors.
    pub documentation: Option<Arc<Documentation>>,
    /// The base types of a class, as written.
    pub bases: ThinVec<ArcStr>,
    /// For a class, the ancestors that the sources define, in method resolution order.
    pub ancestors: ThinVec<DefinitionRow>,
    /// The decorators, as written without `@`.
    pub decorators: ThinVec<ArcStr>,
    /// The parameters and the result of a function; of a class, those of its constructor.
    pub signature: Option<Box<LinkedSignature>>,
    /// The overloads of an overloaded function, which callers see; the implementation is in `signature`.
    pub overloads: ThinVec<LinkedSignature>,
    /// One item per parameter of a synthesized signature: the base class or interface that declares the parameter, or
    /// `None` if no base declares it.
    pub declared_by: ThinVec<Option<DefinitionRow>>,
    /// The declared type of an attribute or constant, as written.
    pub annotation: Option<ArcStr>,
    /// The assigned value, as written, if it is short.
    pub value: Option<ArcStr>,
    /// Type parameters of a class, interface or type alias, as written.
    pub type_parameters: Option<ArcStr>,
    /// What the declaration says of it: abstract, static, read-only and so on.
    pub modifiers: Modifiers,
    /// Names of types in its signature and annotations, each with the definition that it resolves to in the sources, if
    /// any. Global names of the platform are left out.
    pub type_names: ThinVec<(CompactString, Option<DefinitionRow>)>,
    /// The first parts of names in `type_names` that are imported from outside the sources, each with the module and
    /// the imported name: `react#ReactNode`.
    pub type_imports: ThinVec<(CompactString, CompactString)>,
    /// For a constant with the function type of an interface or object type: the definition of that type, if it has a
    /// row.
    pub signature_of: Option<DefinitionRow>,
    /// True if the definition is exported and not a private member. `None` if the index decides by the name, as in
    /// Python.
    pub is_public: Option<bool>,
    /// True for a member that is public if a public class has it: not `private`, `protected` or `#name`. `None` if the
    /// index decides by the name, as in Python.
    pub is_public_member: Option<bool>,
}

impl LinkedDefinition {
    /// A definition of one line. All fields that no argument sets are empty.
    pub fn new(file: usize, fqn: CompactString, name: CompactString, kind: DefinitionKind, line: u32) -> Self {
        Self {
            file,
            fqn,
            name,
            aliases: ThinVec::new(),
            kind,
            parent: None,
            line,
            end_line: line,
            summary: None,
            documentation: None,
            bases: ThinVec::new(),
            ancestors: ThinVec::new(),
            decorators: ThinVec::new(),
            signature: None,
            overloads: ThinVec::new(),
            declared_by: ThinVec::new(),
            annotation: None,
            value: None,
            type_parameters: None,
            modifiers: Modifiers::default(),
            type_names: ThinVec::new(),
            type_imports: ThinVec::new(),
            signature_of: None,
            is_public: None,
            is_public_member: None,
        }
    }
}

/// The signature of a definition before interning: see [`apidisc_facts::program::Signature`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkedSignature {
    /// The parameters in their order.
    pub parameters: Vec<LinkedParameter>,
    /// The declared type of the result, as written.
    pub returns: Option<ArcStr>,
    /// The inferred type of the result, if none is declared.
    pub inferred_returns: Option<ArcStr>,
    /// The object that the function returns, if its type is not declared.
    pub result: Option<Arc<ReturnedObject>>,
    /// True for `async` functions that are no generators.
    pub is_async: bool,
    /// True if no code declares the signature: the constructor of a data class.
    pub is_synthesized: bool,
    /// The parameter that the receiver is bound to: `self`, `cls`, `this`.
    pub receiver: Option<ArcStr>,
    /// The type parameters, as written.
    pub type_parameters: Option<ArcStr>,
    /// True if calls may pass parameters that are not listed.
    pub is_incomplete: bool,
    /// The keywords that `**kwargs` passes on to other callables and that no call passes.
    pub passed_on: ThinVec<CompactString>,
    /// What the declaration says about its deprecation; an empty text if it says nothing more.
    pub deprecated: Option<ArcStr>,
}

/// A parameter before interning: see [`apidisc_facts::program::Parameter`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedParameter {
    /// The name that callers use.
    pub name: CompactString,
    /// How it is passed.
    pub kind: ParameterKind,
    /// The declared type, as written.
    pub annotation: Option<ArcStr>,
    /// What the declared type means: see [`apidisc_facts::program::Parameter::meaning`].
    pub meaning: Option<ArcStr>,
    /// The default value, as written.
    pub default: Option<ArcStr>,
    /// True if every call has to pass it.
    pub required: bool,
    /// The position of the parameter whose value contains it: a property of an object, a name in `**kwargs`.
    pub within: Option<u16>,
    /// The documentation of a property, from the type that declares it.
    pub summary: Option<ArcStr>,
}

impl LinkedParameter {
    /// A parameter that calls pass but that no signature declares. `within` is the position of the parameter that
    /// receives its value, such as `**kwargs`.
    pub fn undeclared(name: CompactString, kind: ParameterKind, within: Option<u16>) -> Self {
        Self { name, kind, annotation: None, meaning: None, default: None, required: false, within, summary: None }
    }

    /// True for `*args` and `**kwargs`.
    pub(crate) fn is_variadic(&self) -> bool {
        self.kind.is_variadic()
    }
}

/// A text of a linked program that linking has composed.
pub(crate) fn shared_text(text: impl AsRef<str>) -> ArcStr {
    ArcStr::from(text.as_ref())
}

/// A call site with its candidates and bound arguments.
#[derive(Debug)]
pub struct LinkedCall {
    /// The line of the callee's name, from 1.
    pub line: u32,
    /// The column of the callee's name, from 0, in bytes.
    pub col: u32,
    /// The innermost function that contains the call; `None` outside of functions.
    pub caller: Option<DefinitionRow>,
    /// The definitions that the call may resolve to. Arguments are bound to the signature of the first one.
    pub candidates: SmallVec<[DefinitionRow; 1]>,
    /// True if the callee may also come from outside the sources: `f = own if flag else external.f`.
    pub may_be_outside: bool,
    /// The class of the receiver, if it inherits the called method.
    pub receiver: Option<DefinitionRow>,
    /// The constant of a module that the call uses: the instance whose method is called, or the called constant itself.
    pub through: Option<DefinitionRow>,
    /// The overload of the only candidate that the call takes, by its position in [`LinkedDefinition::overloads`].
    pub overload: Option<OverloadChoice>,
    /// The members that the code around the call takes of the object that its only candidate returns.
    pub taken: Option<Box<TakenMembers>>,
    /// The keys of the objects that the call passes, as far as [`Argument::keys`] does not say them.
    pub passed_keys: ThinVec<PassedKeys>,
    /// Why `candidates` is empty; meaningless if it is not.
    pub why: UnresolvedReason,
    /// How the call is written.
    pub syntax: CallSyntax,
    /// The value of the receiver, by positions in [`LinkedFile::calls`].
    pub receiver_link: ReceiverLink,
    /// The arguments, bound to the parameters of the first candidate. Calls of a file share equal lists.
    pub arguments: Arc<[Argument]>,
    /// The name of the called method, if the call is unresolved because the receiver's type is unknown.
    pub unknown_method: Option<ArcStr>,
}

impl LinkedCall {
    /// The definition that the call certainly calls.
    pub fn resolved(&self) -> Option<DefinitionRow> {
        match self.candidates[..] {
            [row] if !self.may_be_outside => Some(row),
            _ => None,
        }
    }
}

/// The parts that calls of a file share: most calls pass what another call passes.
#[derive(Debug, Default)]
pub(crate) struct SharedParts {
    arguments: FxHashSet<Arc<[Argument]>>,
    names: FxHashSet<ArcStr>,
}

impl SharedParts {
    /// The list that equals `arguments`.
    pub(crate) fn arguments(&mut self, arguments: &[Argument]) -> Arc<[Argument]> {
        if let Some(known) = self.arguments.get(arguments) {
            return Arc::clone(known);
        }
        let list = Arc::from(arguments);
        self.arguments.insert(Arc::clone(&list));
        list
    }

    /// The name that equals `name`.
    pub(crate) fn name(&mut self, name: &str) -> ArcStr {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let name = ArcStr::from(name);
        self.names.insert(name.clone());
        name
    }
}

/// A read of an attribute: see [`apidisc_facts::program::ReadSite`].
#[derive(Clone, Copy, Debug)]
pub struct LinkedRead {
    /// The line of the name, from 1.
    pub line: u32,
    /// The column of the name, from 0, in bytes.
    pub col: u32,
    /// The innermost function that contains the read.
    pub reader: Option<DefinitionRow>,
    /// The attribute or property that is read.
    pub attribute: DefinitionRow,
    /// The class of the receiver, if it inherits the attribute.
    pub receiver: Option<DefinitionRow>,
    /// The constant of a module whose attribute is read.
    pub through: Option<DefinitionRow>,
    /// How the read is written.
    pub form: CallForm,
}

/// A use that is neither a call nor a read: see [`apidisc_facts::program::OtherUse`].
#[derive(Clone, Debug)]
pub struct LinkedUse {
    /// The line of the name, from 1.
    pub line: u32,
    /// The column of the name, from 0, in bytes.
    pub col: u32,
    /// The innermost function or class around the use, or the definition in whose head it stands.
    pub user: Option<DefinitionRow>,
    /// The definition that is named.
    pub definition: DefinitionRow,
    /// What the code does with it.
    pub kind: UseKind,
    /// The argument that it is, or that is a literal with it.
    pub argument: Option<PassedArgument>,
    /// The decorated definition.
    pub to: Option<DefinitionRow>,
    /// The text of the called function, if the call is not resolved; the name of an intrinsic JSX element; the name of
    /// what holds the definition.
    pub name: Option<CompactString>,
    /// The key under which it is held; the property of an object, or the attribute, that it is passed as.
    pub key: Option<CompactString>,
}

impl LinkedUse {
    /// A use at a line and column. All fields that no argument sets are empty.
    pub(crate) fn new((line, col): (u32, u32), user: Option<DefinitionRow>, definition: DefinitionRow) -> Self {
        let kind = UseKind::Passed;
        Self { line, col, user, definition, kind, argument: None, to: None, name: None, key: None }
    }
}

/// An argument of a call in the same file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedArgument {
    /// The call, by its position in [`LinkedFile::calls`].
    pub call: u32,
    /// The position among its arguments.
    pub argument: u16,
}

/// A call that sends an HTTP request: see [`apidisc_facts::program::HttpCall`].
#[derive(Debug)]
pub struct LinkedRequest {
    /// The line of the call, from 1.
    pub line: u32,
    /// The column of the call, from 0, in bytes.
    pub col: u32,
    /// The innermost function that contains the call.
    pub caller: Option<DefinitionRow>,
    /// What is sent.
    pub request: HttpRequest,
}

/// A route of a server: see [`apidisc_facts::program::HttpRoute`].
#[derive(Debug)]
pub struct LinkedRoute {
    /// The line of the route, from 1.
    pub line: u32,
    /// The HTTP method; `None` if the route takes every method.
    pub method: Option<CompactString>,
    /// The path with its parameters.
    pub path: CompactString,
    /// The function that answers.
    pub handler: Option<DefinitionRow>,
}
