//! Scopes, symbols and variables.

use arcstr::ArcStr;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::{DefId, ExprId, ImportId, NameId, ScopeId, SymbolId, TypeId, TypeParamId, VariableId};

/// A lexical scope.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LexicalScope {
    /// The construct that opens the scope.
    pub kind: ScopeKind,
    /// The enclosing scope; `None` for that of the file.
    pub parent: Option<ScopeId>,
    /// The innermost enclosing definition; `None` at the top level.
    pub def: Option<DefId>,
    /// The symbols of the scope with their names, sorted by name id.
    pub symbols: ThinVec<(NameId, SymbolId)>,
}

/// The construct that opens a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    /// The file.
    File,
    /// A function, with its parameters, type parameters and the `var` declarations of its body.
    Function,
    /// A class, with its type parameters, and its name if it is a class expression.
    Class,
    /// `{ … }`, `for`, `catch`, `switch`.
    Block,
    /// `namespace`, `declare module`, `declare global`.
    Namespace,
    /// An interface or type alias with type parameters, a mapped type with its key, or a conditional type with the type
    /// parameters that `infer` declares in it.
    Type,
}

/// A name of a scope, with all its declarations there: interfaces and namespaces merge, functions have overloads, and a
/// name may be a value and a type at the same time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name.
    pub name: NameId,
    /// The scope of the declarations.
    pub scope: ScopeId,
    /// The declarations in source order.
    pub decls: SmallVec<[Decl; 1]>,
    /// True if a declaration has the modifier `export`, or if `export { … }` or `export default` names the symbol. In
    /// an ambient namespace, every declaration is exported.
    pub is_exported: bool,
}

/// One declaration of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decl {
    /// A function declaration (one of its overloads), class, interface, type alias, enum or namespace; also the name of
    /// a function or class expression, in the scope of that expression.
    Def(DefId),
    /// A variable, destructured name, caught error, or destructured parameter.
    Variable(VariableId),
    /// A parameter that is not destructured: the function and the index.
    Parameter(DefId, u16),
    /// An imported name.
    Import(ImportId),
    /// A type parameter, the key `K` of a mapped type, or the `T` of `infer T`.
    TypeParam(TypeParamId),
}

/// A variable or destructured name. In `const { a, b: [c] } = v`, the whole pattern is `{ a, b: [c] }`, which declares
/// the names `a` and `c`. In `const x = v`, the name `x` is the whole pattern.
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
    /// The text of the annotation, if the name is the whole pattern.
    pub annotation_text: Option<ArcStr>,
    /// The text of the initialiser, if it is short and the name is the whole pattern.
    pub value_text: Option<ArcStr>,
    /// The origin of the value of the whole pattern.
    pub source: ValueSource,
    /// The steps from that value to this name, outermost first; empty if the name is the whole pattern.
    pub path: SmallVec<[PatternStep; 1]>,
    /// Values that are assigned to the name later, in source order. At most eight are kept, and only if there is no
    /// annotation and no initialiser other than `null`, `undefined`, `[]` or an expression that may be a function.
    pub assigned: ThinVec<ExprId>,
}

/// A value that is added to an array which a variable is declared with as `[]`, without an annotation:
/// `list.push(value)`, `list[at] = value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedItem {
    /// The variable.
    pub variable: VariableId,
    /// The value.
    pub value: ExprId,
    /// The items of the value are added: `list.push(...value)`.
    pub is_spread: bool,
}

/// The origin of the value of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueSource {
    /// An initialiser.
    Value(ExprId),
    /// An element of an iterable: `for (const x of v)`.
    ElementOf(ExprId),
    /// An awaited element: `for await (const x of v)`.
    AwaitedElementOf(ExprId),
    /// A key: `for (const x in v)`.
    KeyOf(ExprId),
    /// A parameter of a function.
    Parameter(DefId, u16),
    /// `catch (x)`.
    Caught,
    /// There is no value.
    None,
}

/// One step into a destructured value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PatternStep {
    /// `{ name }`, `{ name: … }`
    Property(NameId),
    /// `[ , x ]`: the element with this index, from 0.
    Element(u16),
    /// `{ ...x }`
    RestProperties,
    /// `[ ...x ]`: the elements from this index on.
    RestElements(u16),
    /// `= default` after a pattern or name: the value if the step before yields `undefined`.
    Default(ExprId),
    /// `{ [key]: x }`
    Computed,
}
