//! Definitions: functions, classes, interfaces, type aliases, enums, namespaces, object literals and type literals.

use arcstr::ArcStr;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use thin_vec::ThinVec;

use crate::documentation::Documentation;

use super::{DefId, ExprId, GuardId, NameId, ScopeId, TypeId, TypeParamId};

/// A definition: a construct with a body that declares names or members.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Def {
    /// The name of the definition:
    /// - the declared name, if there is one;
    /// - `default` for an unnamed default export;
    /// - `constructor` for a constructor;
    /// - else the name of the variable, property, member or assignment that directly holds the definition. Parentheses,
    ///   `as`, `satisfies` and `!` in between are ignored.
    ///
    /// `None` for an anonymous definition.
    pub name: Option<NameId>,
    /// The line of the name, else of the start of the definition, from 1.
    pub line: u32,
    /// The last line, from 1.
    pub end_line: u32,
    /// The innermost enclosing definition, which may be anonymous.
    pub outer: Option<DefId>,
    /// The scope of its body; the enclosing scope if it has none of its own.
    pub scope: ScopeId,
    /// The expression of a function expression, class expression or object literal.
    pub expr: Option<ExprId>,
    /// Decorators in source order: the expression, and its text without `@`.
    pub decorators: ThinVec<(ExprId, ArcStr)>,
    /// The first paragraph of the JSDoc comment on one line.
    pub summary: Option<ArcStr>,
    /// The documentation in the comment beside the summary.
    pub documentation: Option<Box<Documentation>>,
    /// An ambient declaration: with `declare`, in a declaration file, or in an ambient namespace or module.
    pub is_ambient: bool,
    /// The facts that depend on the kind of definition.
    pub body: DefBody,
}

/// The facts that depend on the kind of a definition.
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
    /// `namespace`, `module`, `declare module "…"`, `declare global`. Its declarations are in its scope.
    Namespace,
    /// An object literal, or the attributes of a JSX element. The content between the tags of a JSX element is the
    /// property `children`.
    Object(ThinVec<Member>),
    /// `{ … }` as a type.
    TypeLiteral(ThinVec<Member>),
}

/// A function, method, accessor, constructor, signature or function type.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub struct Function {
    /// The kind of function.
    pub kind: FunctionKind,
    /// Type parameters.
    pub type_params: SmallVec<[TypeParamId; 1]>,
    /// Parameters in order; a `this` parameter is left out.
    pub params: ThinVec<Param>,
    /// The annotation of a `this` parameter.
    pub this_type: Option<TypeId>,
    /// The return type annotation, with its text.
    pub returns: Option<(TypeId, ArcStr)>,
    /// The values of the `return` statements; for an arrow function without braces, the expression.
    pub return_values: ThinVec<ExprId>,
    /// The values of the `yield` expressions; `yield* x` is an [`super::Expr::Spread`].
    pub yields: ThinVec<ExprId>,
    /// Written with `async`.
    pub is_async: bool,
    /// Written with `*`.
    pub is_generator: bool,
    /// The function has a body. Without one it is an overload signature, an ambient or abstract function, or a type.
    pub has_body: bool,
    /// The end of the body or a `return` without a value is reachable.
    pub falls_through: bool,
    /// If the whole body is a test of a parameter: the position of the parameter, and the guard that holds if the
    /// function returns true. A type predicate is inferred for such a function (TypeScript 5.5).
    pub tested: Option<(u16, GuardId)>,
    /// The members that assignments give the function and the instances that `new` makes of it: `this.x = v`,
    /// `F.prototype.x = v`, `F.x = v`. `None` for a function that makes no instances.
    pub class: Option<Box<Class>>,
    /// The file gives the prototype of the function members or a parent, so that the function is written for `new`.
    pub has_prototype: bool,
}

/// The kind of a function.
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
#[allow(clippy::struct_excessive_bools, reason = "each is a modifier of its own")]
pub struct Param {
    /// The name; `None` for a destructuring pattern.
    pub name: Option<NameId>,
    /// The parameter is an array pattern `[…]`.
    pub is_array_pattern: bool,
    /// For an object pattern, the names of the destructured properties in order, with the texts of their defaults. A
    /// rest element adds nothing.
    pub properties: ThinVec<(NameId, Option<ArcStr>)>,
    /// The text of the destructuring pattern.
    pub pattern: Option<ArcStr>,
    /// `...x`
    pub is_rest: bool,
    /// `x?`
    pub is_optional: bool,
    /// The access of a parameter property (`private x`, `readonly x` in a constructor), which also declares a field.
    pub field: Option<Access>,
    /// `readonly x`
    pub is_readonly: bool,
    /// The annotation, with its text.
    pub annotation: Option<(TypeId, ArcStr)>,
    /// The default, with its text.
    pub default: Option<(ExprId, ArcStr)>,
    /// Decorators: `@Inject() x`.
    pub decorators: ThinVec<ExprId>,
    /// The line of the parameter, from 1.
    pub line: u32,
}

/// A type parameter as written; also the key of a mapped type and the name after `infer`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeParam {
    /// Its name.
    pub name: NameId,
    /// `extends T`; for the key of a mapped type, the type of the keys.
    pub constraint: Option<TypeId>,
    /// `= T`
    pub default: Option<TypeId>,
    /// The text, such as `T extends object = {}`.
    pub text: ArcStr,
}

/// A class.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Class {
    /// Type parameters.
    pub type_params: SmallVec<[TypeParamId; 1]>,
    /// The expression after `extends`, its type arguments, and the text of both.
    pub extends: Option<(ExprId, ThinVec<TypeId>, ArcStr)>,
    /// The types after `implements`, with their text.
    pub implements: ThinVec<(TypeId, ArcStr)>,
    /// Its members in source order; parameter properties and members that assignments add come after them.
    pub members: ThinVec<Member>,
    /// Written with `abstract`.
    pub is_abstract: bool,
    /// The objects that `C.prototype = object` makes prototypes, if they are no object literals.
    pub prototypes: ThinVec<ExprId>,
    /// The objects whose properties `Object.assign(C.prototype, object)` adds to the prototype, the last one first.
    pub mixins: ThinVec<ExprId>,
}

/// An interface.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Interface {
    /// Type parameters.
    pub type_params: SmallVec<[TypeParamId; 1]>,
    /// The types after `extends`, with their text.
    pub extends: ThinVec<(TypeId, ArcStr)>,
    /// Its members in source order.
    pub members: ThinVec<Member>,
}

/// A type alias.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeAlias {
    /// Type parameters.
    pub type_params: SmallVec<[TypeParamId; 1]>,
    /// The aliased type.
    pub ty: TypeId,
    /// The text of the aliased type.
    pub text: ArcStr,
}

/// An enum.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Enum {
    /// The members in source order: name, line, and value with its text.
    #[allow(clippy::type_complexity, reason = "a type alias would not be shorter")]
    pub members: ThinVec<(NameId, u32, Option<(ExprId, ArcStr)>)>,
    /// `const enum`
    pub is_const: bool,
}

/// A member of a class, interface, type literal or object literal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub struct Member {
    /// The name without quotes, with the `#` of a private name; `None` for a computed name and for a member without a
    /// name.
    pub name: Option<NameId>,
    /// The expression in the brackets of a computed name.
    pub computed_name: Option<ExprId>,
    /// The line of the name, from 1.
    pub line: u32,
    /// `static`
    pub is_static: bool,
    /// `x?`
    pub is_optional: bool,
    /// `readonly`
    pub is_readonly: bool,
    /// `abstract`
    pub is_abstract: bool,
    /// The access modifier.
    pub access: Access,
    /// The first paragraph of the JSDoc comment on one line.
    pub summary: Option<ArcStr>,
    /// The documentation in the comment beside the summary.
    pub documentation: Option<Box<Documentation>>,
    /// The kind of member.
    pub kind: MemberKind,
}

/// The kind of a member.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum MemberKind {
    /// A field, a property signature, a property of an object literal or a JSX attribute; also a parameter property.
    Property {
        /// The annotation, with its text.
        annotation: Option<(TypeId, ArcStr)>,
        /// The value, with its text. The text of a long value is empty.
        value: Option<(ExprId, ArcStr)>,
        /// For a parameter property: the constructor and the index of the parameter.
        parameter: Option<(DefId, u16)>,
    },
    /// A method, accessor, constructor, call or construct signature.
    Function(DefId),
    /// `[key: K]: V`
    Index {
        /// The type of the key.
        key: TypeId,
        /// The type of the value.
        value: TypeId,
    },
    /// `...x` in an object literal or among JSX attributes.
    Spread(ExprId),
}

/// The access modifier of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// `public`, the default.
    #[default]
    Public,
    /// `protected`
    Protected,
    /// `private`, or a name with `#`.
    Private,
}

impl Def {
    /// The function, if the definition is one.
    pub fn function(&self) -> Option<&Function> {
        match &self.body {
            DefBody::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The class, if the definition is one, or a function with members.
    pub fn class(&self) -> Option<&Class> {
        match &self.body {
            DefBody::Class(class) => Some(class),
            DefBody::Function(function) => function.class.as_deref(),
            _ => None,
        }
    }

    /// The members of a class, interface, type literal or object literal, and of a function that has instances.
    pub fn members(&self) -> &[Member] {
        match &self.body {
            DefBody::Class(class) => &class.members,
            DefBody::Function(function) => function.class.as_ref().map_or(&[], |class| &class.members),
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
