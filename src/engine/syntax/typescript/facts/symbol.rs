//! Scopes, and what their names mean.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{DefId, ExprId, ImportId, NameId, ScopeId, SymbolId, TypeId, TypeParamId, VariableId};

/// A region in which names are declared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scope {
    /// What opens it.
    pub kind: ScopeKind,
    /// The scope around it; none for the file's.
    pub parent: Option<ScopeId>,
    /// The innermost definition that it belongs to; none at the top level.
    pub def: Option<DefId>,
    /// Its names, sorted by their ids.
    pub symbols: Vec<(NameId, SymbolId)>,
}

/// What opens a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    /// The file.
    File,
    /// A function: its parameters, type parameters and the `var`s of its body.
    Function,
    /// A class: its type parameters, and its own name where it is an expression.
    Class,
    /// `{ … }`, `for`, `catch`, `switch`.
    Block,
    /// `namespace`, `declare module`, `declare global`.
    Namespace,
    /// The type parameters of an interface or alias, of a mapped type, what `infer` names.
    Type,
}

/// A name of a scope, with everything that declares it there: interfaces and namespaces merge, functions are
/// overloaded, and a name may be a value and a type at once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name.
    pub name: NameId,
    /// Where it is declared.
    pub scope: ScopeId,
    /// Everything that declares it, in source order.
    pub decls: SmallVec<[Decl; 1]>,
    /// `export` stands before a declaration of it, or it is exported by name in its scope. In a namespace that is
    /// ambient everything is.
    pub is_exported: bool,
}

/// One declaration of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decl {
    /// A function declaration (one of its overloads), class, interface, type alias, enum or namespace; also
    /// the name of a function or class expression inside it.
    Def(DefId),
    /// A variable, destructured name, caught error, or destructured parameter.
    Variable(VariableId),
    /// A plain parameter: which one of which function.
    Parameter(DefId, u16),
    /// An imported name.
    Import(ImportId),
    /// A type parameter, the name of a mapped type's key, `infer T`.
    TypeParam(TypeParamId),
}

/// A variable or destructured name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: NameId,
    /// The line of its name, from 1.
    pub line: u32,
    /// Declared with `const`.
    pub is_const: bool,
    /// The annotation of the whole pattern.
    pub annotation: Option<TypeId>,
    /// Its text, where the name is the whole pattern.
    pub annotation_text: Option<CompactString>,
    /// The text of its initialiser where that is short, and the name is the whole pattern.
    pub value_text: Option<CompactString>,
    /// Where the value of the whole pattern comes from.
    pub source: ValueSource,
    /// The way from that value to this name, outermost step first; empty where the name is the pattern.
    pub path: SmallVec<[PatternStep; 1]>,
    /// Values that are assigned to the name later, in source order; at most eight are kept, and only where there
    /// is neither annotation nor initialiser, or where that is `null`, `undefined` or `[]`.
    pub assigned: Vec<ExprId>,
}

/// Where the value of a pattern comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueSource {
    /// An initialiser.
    Value(ExprId),
    /// An element of it: `for (const x of v)`.
    ElementOf(ExprId),
    /// An element that is awaited: `for await (const x of v)`.
    AwaitedElementOf(ExprId),
    /// A key: `for (const x in v)`.
    KeyOf(ExprId),
    /// A parameter of a function.
    Parameter(DefId, u16),
    /// `catch (x)`.
    Caught,
    /// Nothing.
    None,
}

/// One step into a destructured value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PatternStep {
    /// `{ name }`, `{ name: … }`
    Property(NameId),
    /// `[ , x ]`: the n-th element.
    Element(u16),
    /// `{ ...x }`
    RestProperties,
    /// `[ ...x ]` from the n-th element on.
    RestElements(u16),
    /// `= value` behind the pattern or name: what it is where the value is undefined.
    Default(ExprId),
    /// `{ [key]: x }`
    Computed,
}
