//! The types of TypeScript: handles of the [`TypeInterner`] and the structures that
//! the handles refer to.
//!
//! An object type is identified by the definition that declares it, together with the type arguments of the type
//! parameters in scope there. Recursive types are therefore finite.

mod interner;
mod substitution_table;
mod variable_set;

use smallvec::SmallVec;

use super::program::{AmbientModuleId, FileIndex, GlobalDef, GlobalSymbol, GlobalTypeParam, InternedName};
use apidisc_base::ids::id;
use apidisc_facts::syntax::typescript::facts::TypeId;

pub(super) use interner::{OpenUnion, TypeInterner};

id! {
    /// A type in the [`TypeInterner`]. Equal types have equal handles.
    pub(super) struct InternedType;
    /// Interned [`TypeBindings`]: the types that replace type variables.
    pub(super) struct Substitution;
}

/// Several types: type arguments, tuple elements, or the constituents of a union or intersection.
pub(super) type InternedTypes = SmallVec<[InternedType; 2]>;

/// The structure of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum TypeKind {
    /// `any`, and every type that could not be inferred.
    Any,
    /// A type declared outside the sources, about which nothing else is known.
    External,
    /// `unknown`
    Unknown,
    /// `never`
    Never,
    /// `null`, `undefined` or `void`.
    Nullish,
    String,
    Number,
    Boolean,
    BigInt,
    Symbol,
    /// `object`
    Object,
    StringLiteral(InternedName),
    NumberLiteral(InternedName),
    BooleanLiteral(bool),
    /// `unique symbol`: the type of a constant that holds a symbol, with the name of the properties that it names.
    UniqueSymbol(InternedName),
    /// A type reference: a class, interface or enum used as a type, with its type arguments.
    Reference(GlobalSymbol, InternedTypes),
    /// The type of the enum member `E.A`.
    EnumMember(GlobalSymbol, InternedName),
    /// The type of an object literal, of a type literal, or of the attributes of a JSX element.
    Anonymous(GlobalDef, Substitution),
    /// A class used as a value: `typeof C`.
    ClassConstructor(GlobalDef, Substitution),
    /// A function. An overloaded function is represented by its implementation, or by its first overload.
    Function(GlobalDef, Substitution),
    /// An enum used as a value.
    EnumObject(GlobalSymbol),
    /// A namespace used as a value.
    NamespaceObject(GlobalSymbol),
    /// The module namespace object of a file: `import * as x`.
    ModuleNamespace(FileIndex),
    /// The module namespace object of an ambient module (`declare module "name"`).
    AmbientModuleNamespace(AmbientModuleId),
    /// The element types of a tuple. If the flag is set, the last one is a rest element.
    Tuple(InternedTypes, bool),
    /// The elements of a tuple type, some of which are [`Self::Spread`]: `[A, ...T]` with a type parameter `T`, or
    /// `[...A[], B]`.
    VariadicTuple(InternedTypes),
    /// `...T` in a [`Self::VariadicTuple`].
    Spread(InternedType),
    Union(InternedTypes),
    Intersection(InternedTypes),
    TypeParameter(GlobalTypeParam),
    /// The polymorphic `this` type of a class or interface.
    This(GlobalSymbol),
    /// `keyof T`, deferred because `T` is not known yet.
    KeyOf(InternedType),
    /// The indexed-access type `T[K]`, deferred because `T` or `K` is not known yet.
    IndexedAccess(InternedType, InternedType),
    /// A mapped type: its type node, and the substitution for the type parameters in scope there.
    Mapped(FileIndex, TypeId, Substitution),
    /// The source of a homomorphic mapped type, inferred from an argument: for the mapped type
    /// `{ [K in keyof S]: Reducer<S[K]> }`, the source is `S`. The first type is that of the argument, the second one
    /// is the mapped type.
    ReverseMapped(InternedType, InternedType),
    /// A conditional type, deferred because the checked type is not known yet.
    Conditional(FileIndex, TypeId, Substitution),
    /// A template literal type with its parts, in which texts are string literals. It is deferred if a part is, and
    /// stands for the strings of a pattern otherwise: `` `on${string}` ``.
    Template(InternedTypes),
    /// `Capitalize<T>` and its like, deferred because `T` is not known yet.
    StringMapping(StringMapping, InternedType),
    /// The type predicate `x is T` of a type guard: the name of the parameter (none for `this is T`), and `T`. It
    /// behaves like `boolean` otherwise.
    Predicate(Option<InternedName>, InternedType),
}

/// A type of the platform that maps strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum StringMapping {
    Uppercase,
    Lowercase,
    Capitalize,
    Uncapitalize,
}

impl StringMapping {
    /// The mappings with their names.
    pub(super) const ALL: [(Self, &str); 4] = [
        (Self::Uppercase, "Uppercase"),
        (Self::Lowercase, "Lowercase"),
        (Self::Capitalize, "Capitalize"),
        (Self::Uncapitalize, "Uncapitalize"),
    ];

    /// True if the mapping changes the first character alone.
    pub(super) fn is_of_first_character(self) -> bool {
        matches!(self, Self::Capitalize | Self::Uncapitalize)
    }

    pub(super) fn apply(self, text: &str) -> String {
        let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
        match self {
            Self::Uppercase => text.to_uppercase(),
            Self::Lowercase => text.to_lowercase(),
            Self::Capitalize => first.to_uppercase() + rest,
            Self::Uncapitalize => first.to_lowercase() + rest,
        }
    }
}

// The interner adds these types first, in this order.
impl InternedType {
    pub(super) const ANY: Self = Self::new(0);
    pub(super) const EXTERNAL: Self = Self::new(1);
    pub(super) const NEVER: Self = Self::new(2);
    pub(super) const NULLISH: Self = Self::new(3);
    pub(super) const STRING: Self = Self::new(4);
    pub(super) const NUMBER: Self = Self::new(5);
    pub(super) const BOOLEAN: Self = Self::new(6);
    pub(super) const BIGINT: Self = Self::new(7);
    pub(super) const UNKNOWN: Self = Self::new(8);
    pub(super) const OBJECT: Self = Self::new(9);
    pub(super) const SYMBOL: Self = Self::new(10);

    /// True unless the type is `any` or external.
    pub(super) fn is_known(self) -> bool {
        self != Self::ANY && self != Self::EXTERNAL
    }
}

impl Substitution {
    pub(super) const EMPTY: Self = Self::new(0);
}

/// A variable in a generic type, which a substitution replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum TypeVariable {
    Parameter(GlobalTypeParam),
    /// The polymorphic `this` type.
    This,
}

/// Type variables with the types that replace them.
pub(super) type TypeBindings = SmallVec<[(TypeVariable, InternedType); 4]>;
