//! What a value may be: types as far as they decide a call, interned so that comparing is cheap.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::program::{ClassId, GlobalBinding, GlobalDef, GlobalName, ModuleNodeId};

/// An interned [`Type`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(u32);

/// Type arguments.
pub(crate) type TypeList = Arc<[TypeId]>;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// Nothing is known.
    Unknown,
    /// From outside the sources, and nothing more is known.
    External,
    /// `None`
    None,
    /// A module or namespace of the sources.
    Module(ModuleNodeId),
    /// Something from outside, by its dotted path: a module, class or function, not an instance.
    ExternalName(GlobalName),
    /// A generic class from outside itself with its type arguments, such as `list[Agent]`.
    ExternalClass(GlobalName, TypeList),
    /// A method of an instance of such a class: its name, and the instance.
    ExternalMethod(GlobalName, TypeId),
    /// An instance of a class from outside, with type arguments.
    ExternalInstance(GlobalName, TypeList),
    /// A class of the sources itself.
    Class(ClassId, TypeList),
    /// An instance of it.
    Instance(ClassId, TypeList),
    /// A function.
    Function(GlobalDef),
    /// A function bound to its receiver.
    Method(GlobalDef, TypeId),
    /// A tuple of known items.
    Tuple(TypeList),
    /// One of several, in the order in which they were found; never nested, never fewer than two.
    Union(TypeList),
    /// A type variable, by the binding that makes it.
    Variable(GlobalBinding),
    /// `super()` in that class, with its receiver.
    Super(ClassId, TypeId),
}

/// More possible types than this are not told apart.
const MAX_UNION: usize = 12;

/// The table of types.
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

    /// No type arguments.
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

    /// One of `parts`. Unknown parts are left out where something is known: what is known of a value is
    /// what its calls are resolved by.
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

    /// The parts of a union; of anything else itself.
    pub(crate) fn parts(&self, ty: TypeId) -> TypeList {
        match self.get(ty) {
            Type::Union(parts) => Arc::clone(parts),
            _ => Arc::from([ty]),
        }
    }
}
