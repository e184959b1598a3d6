//! Functions, classes, interfaces, types, enums, namespaces and object literals as facts.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{DefId, ExprId, NameId, ScopeId, TypeId, TypeParamId};

/// Anything with a body of its own that can hold names or members.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Def {
    /// The name that it goes by: its own, or that of the variable, property, member or assignment that holds it
    /// directly (through parentheses, `as`, `satisfies`, `!`); `default` for an unnamed default export;
    /// `constructor` for a constructor. None where it is anonymous.
    pub name: Option<NameId>,
    /// The line of its name, else of its start, from 1.
    pub line: u32,
    /// Its last line, from 1.
    pub end_line: u32,
    /// The definition that it stands in, anonymous ones included.
    pub outer: Option<DefId>,
    /// The scope that it opens; that which it stands in where it opens none.
    pub scope: ScopeId,
    /// The expression that it is, for function and class expressions and object literals.
    pub expr: Option<ExprId>,
    /// Decorators in source order: the expression, and its text without `@`.
    pub decorators: Vec<(ExprId, CompactString)>,
    /// The first paragraph of its JSDoc on one line.
    pub summary: Option<CompactString>,
    /// `declare`, in a `.d.ts` file, or in an ambient namespace or module.
    pub is_ambient: bool,
    /// The rest of it.
    pub body: DefBody,
}

/// What the kinds of definitions have of their own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum DefBody {
    /// A function, method, accessor, constructor, or the signature of one.
    Function(Box<Function>),
    /// A class.
    Class(Box<Class>),
    /// An interface.
    Interface(Box<Interface>),
    /// `type X = …`
    TypeAlias(Box<TypeAlias>),
    /// An enum.
    Enum(Enum),
    /// `namespace`, `module`, `declare module "…"`, `declare global`; what it declares is in its scope.
    Namespace,
    /// An object literal, or the attributes of a JSX element: `children` stands for what is between its tags.
    Object(Vec<Member>),
    /// `{ … }` as a type.
    TypeLiteral(Vec<Member>),
}

/// The rest of a function.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Function {
    /// What it is.
    pub kind: FunctionKind,
    /// Type parameters.
    pub type_params: SmallVec<[TypeParamId; 1]>,
    /// Parameters in order; a `this` parameter is left out.
    pub params: Vec<Param>,
    /// The annotation of a `this` parameter.
    pub this_type: Option<TypeId>,
    /// The annotation of what it returns, with its text.
    pub returns: Option<(TypeId, CompactString)>,
    /// Values of its `return` statements; of an arrow function without braces, its expression.
    pub return_values: Vec<ExprId>,
    /// Values of its `yield`s; `yield* x` is kept as [`super::Expr::Spread`].
    pub yields: Vec<ExprId>,
    /// Written with `async`.
    pub is_async: bool,
    /// Written with `*`.
    pub is_generator: bool,
    /// It has a body.
    pub has_body: bool,
    /// The end of its body is reached, or a `return` has no value.
    pub falls_through: bool,
}

/// What a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FunctionKind {
    /// `function f() {}`
    Declaration,
    /// `function () {}` as a value.
    Expression,
    /// `() => x`
    Arrow,
    /// A method of a class or object, or the signature of one.
    Method,
    /// `get x() {}`
    Getter,
    /// `set x(v) {}`
    Setter,
    /// `constructor() {}`
    Constructor,
    /// `(x: T): R` in an interface or type literal.
    CallSignature,
    /// `new (x: T): R`
    ConstructSignature,
    /// `(x: T) => R` as a type.
    Type,
    /// `new (x: T) => R` as a type.
    ConstructorType,
}

/// One parameter as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Its name; none where it is destructured.
    pub name: Option<NameId>,
    /// `[…]` rather than `{…}`, where it is destructured.
    pub is_array_pattern: bool,
    /// Of a destructured one, the property names taken, in order, with the text of their defaults; of `{ ...rest }`
    /// nothing.
    pub properties: Vec<(NameId, Option<CompactString>)>,
    /// Its text, where it is destructured.
    pub pattern: Option<CompactString>,
    /// `...x`
    pub is_rest: bool,
    /// `x?`
    pub is_optional: bool,
    /// `private x`, `readonly x` and the like in a constructor: it is a field, too.
    pub field: Option<Access>,
    /// Its annotation, with its text.
    pub annotation: Option<(TypeId, CompactString)>,
    /// Its default, with its text.
    pub default: Option<(ExprId, CompactString)>,
    /// Decorators: `@Inject() x`.
    pub decorators: Vec<ExprId>,
    /// Its line, from 1.
    pub line: u32,
}

/// One type parameter as written; also the key of a mapped type and what `infer` names.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeParam {
    /// Its name.
    pub name: NameId,
    /// `extends T`; of a mapped type's key, what it runs over.
    pub constraint: Option<TypeId>,
    /// `= T`
    pub default: Option<TypeId>,
    /// Its text, such as `T extends object = {}`.
    pub text: CompactString,
}

/// The rest of a class.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Class {
    /// Type parameters.
    pub type_params: SmallVec<[TypeParamId; 1]>,
    /// The expression after `extends`, its type arguments, and its text with them.
    pub extends: Option<(ExprId, Vec<TypeId>, CompactString)>,
    /// The types after `implements`, with their text.
    pub implements: Vec<(TypeId, CompactString)>,
    /// Its members in source order; parameter properties come after them.
    pub members: Vec<Member>,
    /// Written with `abstract`.
    pub is_abstract: bool,
}

/// The rest of an interface.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Interface {
    /// Type parameters.
    pub type_params: SmallVec<[TypeParamId; 1]>,
    /// The types after `extends`, with their text.
    pub extends: Vec<(TypeId, CompactString)>,
    /// Its members in source order.
    pub members: Vec<Member>,
}

/// The rest of a type alias.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeAlias {
    /// Type parameters.
    pub type_params: SmallVec<[TypeParamId; 1]>,
    /// What it stands for.
    pub ty: TypeId,
    /// The text of that.
    pub text: CompactString,
}

/// The rest of an enum.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Enum {
    /// Its members in source order: name, line, value with its text.
    #[allow(clippy::type_complexity, reason = "it reads as what it says")]
    pub members: Vec<(NameId, u32, Option<(ExprId, CompactString)>)>,
    /// `const enum`
    pub is_const: bool,
}

/// A member of a class, interface, type literal or object literal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Member {
    /// Its name without quotes, `#` included; none where it is computed, or where the kind has none.
    pub name: Option<NameId>,
    /// The line of its name, from 1.
    pub line: u32,
    /// `static`
    pub is_static: bool,
    /// `x?`
    pub is_optional: bool,
    /// `readonly`
    pub is_readonly: bool,
    /// `abstract`
    pub is_abstract: bool,
    /// Who may use it.
    pub access: Access,
    /// The first paragraph of its JSDoc on one line.
    pub summary: Option<CompactString>,
    /// What it is.
    pub kind: MemberKind,
}

/// What a member is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum MemberKind {
    /// A field, a property signature, a property of an object literal or a JSX attribute; also a parameter property.
    Property {
        /// Its annotation, with its text.
        annotation: Option<(TypeId, CompactString)>,
        /// Its value, with its text where that is short.
        value: Option<(ExprId, CompactString)>,
        /// For a parameter property: which parameter of which constructor.
        parameter: Option<(DefId, u16)>,
    },
    /// A method, accessor, constructor, call or construct signature.
    Function(DefId),
    /// `[key: K]: V`
    Index {
        /// Its key.
        key: TypeId,
        /// Its value.
        value: TypeId,
    },
    /// `...x` in an object literal or among JSX attributes.
    Spread(ExprId),
}

/// Who may use a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// Anybody.
    #[default]
    Public,
    /// Subclasses.
    Protected,
    /// The class.
    Private,
}

impl Def {
    /// The function's part.
    pub fn function(&self) -> Option<&Function> {
        match &self.body {
            DefBody::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The class's part.
    pub fn class(&self) -> Option<&Class> {
        match &self.body {
            DefBody::Class(class) => Some(class),
            _ => None,
        }
    }

    /// The members of a class, interface, type literal or object literal.
    pub fn members(&self) -> &[Member] {
        match &self.body {
            DefBody::Class(class) => &class.members,
            DefBody::Interface(interface) => &interface.members,
            DefBody::Object(members) | DefBody::TypeLiteral(members) => members,
            _ => &[],
        }
    }

    /// The type parameters of a function, class, interface or alias.
    pub fn type_params(&self) -> &[TypeParamId] {
        match &self.body {
            DefBody::Function(function) => &function.type_params,
            DefBody::Class(class) => &class.type_params,
            DefBody::Interface(interface) => &interface.type_params,
            DefBody::TypeAlias(alias) => &alias.type_params,
            _ => &[],
        }
    }
}
