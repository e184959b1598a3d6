//! Types of values, in as much detail as the resolution of calls needs. Types are interned, so that equal types have
//! equal ids.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use super::program::{ClassId, GlobalBinding, GlobalDef, GlobalName, ModuleNodeId};

/// An interned [`Type`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(u32);

/// Type arguments, tuple items or union parts.
pub(crate) type TypeList = Arc<[TypeId]>;

/// The type of a value, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// Nothing is known.
    Unknown,
    /// Nothing is known, because the type is too large or takes too many steps to infer.
    TooComplex,
    /// A value from outside the sources. Nothing more is known about it.
    External,
    /// `None`
    None,
    /// A module or namespace package of the sources.
    Module(ModuleNodeId),
    /// A module, class or function from outside the sources, by its dotted path.
    ExternalName(GlobalName),
    /// A generic class from outside the sources with its type arguments, for example `list[Agent]` as an expression
    /// (PEP 585).
    ExternalClass(GlobalName, TypeList),
    /// A method of an instance from outside the sources: the method's name, and the instance's type.
    ExternalMethod(GlobalName, TypeId),
    /// An instance of a class from outside the sources: the class's dotted path, and the type arguments.
    ExternalInstance(GlobalName, TypeList),
    /// A class of the sources as a value, with its type arguments.
    Class(ClassId, TypeList),
    /// An instance of a class of the sources.
    Instance(ClassId, TypeList),
    /// A function of the sources.
    Function(GlobalDef),
    /// A bound method of the sources: its function, and the receiver's type.
    Method(GlobalDef, TypeId),
    /// A tuple, by the types of its items.
    Tuple(TypeList),
    /// A union: two or more parts in the order in which they were found. Parts are never unions.
    Union(TypeList),
    /// A type variable, identified by its binding `T = TypeVar("T")`.
    Variable(GlobalBinding),
    /// The result of `super()` in a class: the class, and the receiver's type.
    Super(ClassId, TypeId),
}

/// The greatest number of parts of a union. A union with more parts is the unknown type. The union of all messages of a
/// protocol, which libraries declare as one alias, has about sixty.
const MAX_UNION: usize = 96;
/// The number of parts that most unions do not exceed. To compare so few with each other is faster than to hash them.
const FEW_PARTS: usize = 16;

/// The greatest nesting of a type. A type that nests deeper is [`Type::TooComplex`].
const MAX_DEPTH: u16 = 32;

/// The greatest size of a type: the number of types that its text would name. Equal parts are stored once, but count as
/// often as they occur. A larger type is [`Type::TooComplex`].
const MAX_SIZE: u32 = 1 << 14;

/// Properties of a type that the interner computes once, so that no query has to visit the parts of the type.
#[derive(Clone, Copy, Debug)]
struct TypeTraits {
    depth: u16,
    size: u32,
    has_variable: bool,
    has_self_type: bool,
    has_unknown: bool,
}

/// Interner of types.
#[derive(Debug)]
pub(crate) struct TypeInterner {
    /// The types; the index of a type is its id.
    rows: IndexSet<Type, FxBuildHasher>,
    traits: Vec<TypeTraits>,
    empty: TypeList,
    /// The name `typing.Self`.
    self_type: GlobalName,
}

impl TypeId {
    pub(crate) const UNKNOWN: Self = Self(0);
    pub(crate) const EXTERNAL: Self = Self(1);
    pub(crate) const NONE: Self = Self(2);
    pub(crate) const TOO_COMPLEX: Self = Self(3);

    /// True if nothing is known of the type.
    #[inline]
    pub(crate) fn is_unknown(self) -> bool {
        self == Self::UNKNOWN || self == Self::TOO_COMPLEX
    }
}

impl TypeInterner {
    /// An interner with the fixed types. `self_type` is the name `typing.Self`.
    pub(crate) fn new(self_type: GlobalName) -> Self {
        let (rows, traits) = (IndexSet::default(), Vec::new());
        let mut types = Self { rows, traits, empty: Arc::from([]), self_type };
        for fixed in [Type::Unknown, Type::External, Type::None, Type::TooComplex] {
            types.add(fixed);
        }
        types
    }

    /// Interns a type. A type that is too deep or too large becomes [`TypeId::TOO_COMPLEX`].
    pub(crate) fn add(&mut self, ty: Type) -> TypeId {
        let id = |row| TypeId(u32::try_from(row).expect("fewer than 2^32 types"));
        if let Some(row) = self.rows.get_index_of(&ty) {
            return id(row);
        }
        let traits = self.traits_of(&ty);
        if traits.depth > MAX_DEPTH || traits.size > MAX_SIZE {
            return TypeId::TOO_COMPLEX;
        }
        self.traits.push(traits);
        id(self.rows.insert_full(ty).0)
    }

    fn traits_of(&self, ty: &Type) -> TypeTraits {
        let receiver: &[TypeId];
        let parts = match ty {
            Type::Union(parts)
            | Type::Tuple(parts)
            | Type::ExternalClass(_, parts)
            | Type::ExternalInstance(_, parts)
            | Type::Class(_, parts)
            | Type::Instance(_, parts) => parts,
            Type::ExternalMethod(_, ty) | Type::Method(_, ty) | Type::Super(_, ty) => {
                receiver = std::slice::from_ref(ty);
                receiver
            }
            _ => &[],
        };
        let is_bound = matches!(ty, Type::ExternalMethod(..) | Type::Method(..) | Type::Super(..));
        let mut traits = TypeTraits {
            depth: 0,
            size: 1,
            has_variable: matches!(ty, Type::Variable(_)),
            has_self_type: matches!(ty, Type::ExternalInstance(path, _) if *path == self.self_type),
            has_unknown: matches!(ty, Type::Unknown | Type::TooComplex),
        };
        for part in parts {
            let part = self.traits[part.0 as usize];
            traits.depth = traits.depth.max(part.depth + 1);
            traits.size = traits.size.saturating_add(part.size);
            // The type of a bound method's receiver is not searched: its variables are bound.
            traits.has_variable |= part.has_variable && !is_bound;
            traits.has_self_type |= part.has_self_type && !is_bound;
            traits.has_unknown |= part.has_unknown;
        }
        traits
    }

    /// True if a type variable occurs in the type. The type of a bound method's receiver is not searched.
    #[inline]
    pub(crate) fn has_variable(&self, ty: TypeId) -> bool {
        self.traits[ty.0 as usize].has_variable
    }

    /// True if an unknown type occurs in the type, or in the receiver of a bound method.
    #[inline]
    pub(crate) fn has_unknown(&self, ty: TypeId) -> bool {
        self.traits[ty.0 as usize].has_unknown
    }

    /// True if `Self` (PEP 673) occurs in the type. The type of a bound method's receiver is not searched.
    #[inline]
    pub(crate) fn has_self_type(&self, ty: TypeId) -> bool {
        self.traits[ty.0 as usize].has_self_type
    }

    #[inline]
    pub(crate) fn get(&self, ty: TypeId) -> &Type {
        &self.rows[ty.0 as usize]
    }

    /// The empty list of type arguments.
    pub(crate) fn no_arguments(&self) -> TypeList {
        Arc::clone(&self.empty)
    }

    pub(crate) fn instance(&mut self, class: ClassId) -> TypeId {
        let none = self.no_arguments();
        self.add(Type::Instance(class, none))
    }

    pub(crate) fn class(&mut self, class: ClassId) -> TypeId {
        let none = self.no_arguments();
        self.add(Type::Class(class, none))
    }

    /// The union of `parts`. Unknown and too complex parts are dropped if another part is known, so that calls are
    /// resolved by the known parts.
    pub(crate) fn union(&mut self, parts: impl IntoIterator<Item = TypeId>) -> TypeId {
        let mut flat: SmallVec<[TypeId; FEW_PARTS]> = SmallVec::new();
        let mut unknown = TypeId::UNKNOWN;
        for part in parts {
            match self.get(part) {
                Type::Unknown => {}
                Type::TooComplex => unknown = part,
                Type::Union(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        leave_out_repeated(&mut flat);
        match flat[..] {
            [] => unknown,
            [one] => one,
            _ if flat.len() > MAX_UNION => TypeId::UNKNOWN,
            _ => self.add(Type::Union(flat[..].into())),
        }
    }

    /// The parts of a union; for any other type, the type itself.
    pub(crate) fn parts(&self, ty: TypeId) -> TypeList {
        match self.get(ty) {
            Type::Union(parts) => Arc::clone(parts),
            _ => Arc::from([ty]),
        }
    }
}

/// Leaves out the types that occur before.
fn leave_out_repeated(types: &mut SmallVec<[TypeId; FEW_PARTS]>) {
    if types.len() > FEW_PARTS {
        let mut seen = FxHashSet::default();
        types.retain(|ty| seen.insert(*ty));
        return;
    }
    let mut kept = 0;
    for at in 0..types.len() {
        let ty = types[at];
        if !types[..kept].contains(&ty) {
            types[kept] = ty;
            kept += 1;
        }
    }
    types.truncate(kept);
}
