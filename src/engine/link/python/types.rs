//! Types of values, in as much detail as the resolution of calls needs. Types are interned, so that equal types have
//! equal ids.

use std::sync::Arc;

use rustc_hash::FxHashMap;

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

/// The greatest number of parts of a union. A union with more parts is the unknown type.
const MAX_UNION: usize = 12;

/// Interner of types.
#[derive(Debug)]
pub(crate) struct TypeInterner {
    rows: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    empty: TypeList,
}

impl TypeId {
    pub(crate) const UNKNOWN: Self = Self(0);
    pub(crate) const EXTERNAL: Self = Self(1);
    pub(crate) const NONE: Self = Self(2);
}

impl TypeInterner {
    pub(crate) fn new() -> Self {
        let mut types = Self { rows: Vec::new(), ids: FxHashMap::default(), empty: Arc::from([]) };
        for fixed in [Type::Unknown, Type::External, Type::None] {
            types.add(fixed);
        }
        types
    }

    pub(crate) fn add(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(u32::try_from(self.rows.len()).expect("fewer than 2^32 types"));
        self.rows.push(ty.clone());
        self.ids.insert(ty, id);
        id
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

    /// The union of `parts`. Unknown parts are dropped if another part is known, so that calls are resolved by the
    /// known parts.
    pub(crate) fn union(&mut self, parts: impl IntoIterator<Item = TypeId>) -> TypeId {
        let mut flat: Vec<TypeId> = Vec::new();
        for part in parts {
            match self.get(part) {
                Type::Unknown => {}
                Type::Union(inner) => flat.extend_from_slice(&inner.clone()),
                _ => flat.push(part),
            }
        }
        if flat.len() > 1 {
            let mut seen = rustc_hash::FxHashSet::default();
            flat.retain(|ty| seen.insert(*ty));
        }
        match flat[..] {
            [] => TypeId::UNKNOWN,
            [one] => one,
            _ if flat.len() > MAX_UNION => TypeId::UNKNOWN,
            _ => self.add(Type::Union(flat.into())),
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
