//! Types of TypeScript, interned: equal types have equal ids.
//!
//! Objects are named by what declares them and carry the arguments of the type parameters in sight, so that a
//! recursive type is finite. `null` and `undefined` are left out of unions: they tell nothing of what can be
//! called.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::program::{EntityId, FileIndex, GlobalDef, GlobalTypeParam, Name};
use crate::{ids::id, syntax::typescript::facts::TypeId};

id! {
    /// A type.
    pub(super) struct Ty;
    /// What type parameters stand for.
    pub(super) struct Env;
}

pub(super) type Tys = SmallVec<[Ty; 2]>;

/// Types nest no deeper; what would is not known.
const MAX_DEPTH: u8 = 12;

/// Alternatives that are kept of a union.
const MAX_UNION: usize = 48;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Type {
    /// Not known.
    Any,
    /// Something from outside the sources, of which nothing more is known.
    External,
    Unknown,
    Never,
    /// `null`, `undefined`, `void`.
    Nothing,
    String,
    Number,
    Boolean,
    BigInt,
    Symbol,
    /// `object`
    Object,
    StringLiteral(Name),
    NumberLiteral(Name),
    BooleanLiteral(bool),
    /// A class, interface or enum as a type, with the arguments of its type parameters.
    Named(EntityId, Tys),
    /// `E.A`
    EnumMember(EntityId, Name),
    /// An object literal, type literal, or the attributes of an element.
    Literal(GlobalDef, Env),
    /// A class as a value.
    Class(GlobalDef, Env),
    /// A function; of an overloaded one, the implementation or the first overload.
    Function(GlobalDef, Env),
    /// An enum as a value.
    Enum(EntityId),
    /// A namespace as a value.
    Namespace(EntityId),
    /// A file as a value: `import * as x`.
    Module(FileIndex),
    /// A `declare module` as a value.
    AmbientModule(Name),
    /// A tuple; the last element is repeated where it is a rest.
    Tuple(Tys, bool),
    Union(Tys),
    Intersection(Tys),
    Param(GlobalTypeParam),
    /// The `this` of a class or interface.
    This(EntityId),
    KeyOf(Ty),
    /// `T[K]` that could not be looked up yet.
    Indexed(Ty, Ty),
    /// A mapped type: where it stands, and what its parameters stand for.
    Mapped(FileIndex, TypeId, Env),
    /// A conditional type whose test cannot be decided yet.
    Conditional(FileIndex, TypeId, Env),
    /// `x is T`: the parameter's name, and `T`. A boolean otherwise.
    Predicate(Option<Name>, Ty),
}

impl Ty {
    pub(super) const ANY: Self = Self::new(0);
    pub(super) const EXTERNAL: Self = Self::new(1);
    pub(super) const NEVER: Self = Self::new(2);
    pub(super) const NOTHING: Self = Self::new(3);
    pub(super) const STRING: Self = Self::new(4);
    pub(super) const NUMBER: Self = Self::new(5);
    pub(super) const BOOLEAN: Self = Self::new(6);
    pub(super) const BIGINT: Self = Self::new(7);
    pub(super) const UNKNOWN: Self = Self::new(8);
    pub(super) const OBJECT: Self = Self::new(9);
    pub(super) const SYMBOL: Self = Self::new(10);

    /// Neither known nor from outside.
    pub(super) fn is_known(self) -> bool {
        self != Self::ANY && self != Self::EXTERNAL
    }
}

impl Env {
    pub(super) const EMPTY: Self = Self::new(0);
}

/// A row of an environment: a type parameter, or the `this` of a class, with what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    Param(GlobalTypeParam),
    This,
}

pub(super) type Bindings = SmallVec<[(Key, Ty); 4]>;

#[derive(Debug)]
pub(super) struct Types {
    rows: Vec<Type>,
    depths: Vec<u8>,
    /// Whether a type parameter, `this` or something not decided occurs in it.
    open: Vec<bool>,
    ids: FxHashMap<Type, Ty>,
    envs: Vec<Bindings>,
    env_depths: Vec<u8>,
    env_ids: FxHashMap<Bindings, Env>,
}

impl Types {
    pub(super) fn new() -> Self {
        let mut types = Self {
            rows: Vec::new(),
            depths: Vec::new(),
            open: Vec::new(),
            ids: FxHashMap::default(),
            envs: vec![Bindings::new()],
            env_depths: vec![0],
            env_ids: FxHashMap::default(),
        };
        types.env_ids.insert(Bindings::new(), Env::EMPTY);
        for row in [
            Type::Any,
            Type::External,
            Type::Never,
            Type::Nothing,
            Type::String,
            Type::Number,
            Type::Boolean,
            Type::BigInt,
            Type::Unknown,
            Type::Object,
            Type::Symbol,
        ] {
            types.add(row);
        }
        types
    }

    #[inline]
    pub(super) fn get(&self, ty: Ty) -> &Type {
        &self.rows[ty.index()]
    }

    #[inline]
    pub(super) fn env(&self, env: Env) -> &Bindings {
        &self.envs[env.index()]
    }

    /// Whether substituting anything can change it.
    #[inline]
    pub(super) fn is_open(&self, ty: Ty) -> bool {
        self.open[ty.index()]
    }

    pub(super) fn add(&mut self, row: Type) -> Ty {
        if let Some(&ty) = self.ids.get(&row) {
            return ty;
        }
        let deepest = |tys: &[Ty]| tys.iter().map(|t| self.depths[t.index()]).max().unwrap_or(0);
        let any_open = |tys: &[Ty]| tys.iter().any(|t| self.open[t.index()]);
        let env_open = |env: Env| self.envs[env.index()].iter().any(|(_, t)| self.open[t.index()]);
        let (depth, open) = match &row {
            Type::Named(_, args) => (1 + deepest(args), any_open(args)),
            Type::Tuple(args, _) | Type::Union(args) | Type::Intersection(args) => (1 + deepest(args), any_open(args)),
            // What they mean depends on every parameter in sight, bound already or not.
            Type::Literal(_, env) | Type::Function(_, env) | Type::Class(_, env) => {
                (1 + self.env_depths[env.index()], true)
            }
            Type::Mapped(_, _, env) | Type::Conditional(_, _, env) => (1 + self.env_depths[env.index()], true),
            Type::KeyOf(of) => (1 + deepest(&[*of]), any_open(&[*of])),
            Type::Predicate(_, of) => (1 + deepest(&[*of]), any_open(&[*of])),
            Type::Indexed(a, b) => (1 + deepest(&[*a, *b]), any_open(&[*a, *b])),
            Type::Param(_) | Type::This(_) => (0, true),
            _ => (0, false),
        };
        let _ = env_open;
        if depth > MAX_DEPTH {
            return Ty::ANY;
        }
        let ty = Ty::new(self.rows.len());
        self.rows.push(row.clone());
        self.depths.push(depth);
        self.open.push(open);
        self.ids.insert(row, ty);
        ty
    }

    pub(super) fn add_env(&mut self, mut bindings: Bindings) -> Env {
        bindings.sort_unstable();
        bindings.dedup_by_key(|(key, _)| *key);
        if let Some(&env) = self.env_ids.get(&bindings) {
            return env;
        }
        let depth = bindings.iter().map(|(_, t)| self.depths[t.index()]).max().unwrap_or(0);
        let env = Env::new(self.envs.len());
        self.envs.push(bindings.clone());
        self.env_depths.push(depth);
        self.env_ids.insert(bindings, env);
        env
    }

    /// What a parameter stands for.
    #[inline]
    pub(super) fn lookup(&self, env: Env, key: Key) -> Option<Ty> {
        let rows = &self.envs[env.index()];
        rows.iter().find(|(k, _)| *k == key).map(|(_, ty)| *ty)
    }

    /// The alternatives of a type.
    pub(super) fn parts(&self, ty: Ty) -> Tys {
        if let Type::Union(parts) = self.get(ty) { parts.clone() } else { smallvec![ty] }
    }

    /// Alternatives as one type, each once, in order. What is not known swallows nothing: a call may be resolved by
    /// the others.
    pub(super) fn union(&mut self, all: impl IntoIterator<Item = Ty>) -> Ty {
        let mut parts: Tys = Tys::new();
        let mut saw_nothing = false;
        let mut saw_any = false;
        let mut saw_external = false;
        for ty in all {
            match self.get(ty) {
                Type::Never => {}
                Type::Nothing => saw_nothing = true,
                Type::Any => saw_any = true,
                Type::External => saw_external = true,
                Type::Union(inner) => {
                    for &part in &inner.clone() {
                        if !parts.contains(&part) {
                            parts.push(part);
                        }
                    }
                }
                _ => {
                    if !parts.contains(&ty) {
                        parts.push(ty);
                    }
                }
            }
        }
        if saw_any {
            return Ty::ANY;
        }
        if saw_external {
            return Ty::EXTERNAL;
        }
        if parts.len() > MAX_UNION {
            return Ty::ANY;
        }
        match parts[..] {
            [] if saw_nothing => Ty::NOTHING,
            [] => Ty::NEVER,
            [one] => one,
            _ => self.add(Type::Union(parts)),
        }
    }

    /// Types that hold at once.
    pub(super) fn intersection(&mut self, all: impl IntoIterator<Item = Ty>) -> Ty {
        let mut parts: Tys = Tys::new();
        for ty in all {
            match self.get(ty) {
                Type::Unknown => {}
                Type::Never => return Ty::NEVER,
                Type::Intersection(inner) => {
                    for &part in &inner.clone() {
                        if !parts.contains(&part) {
                            parts.push(part);
                        }
                    }
                }
                _ => {
                    if !parts.contains(&ty) {
                        parts.push(ty);
                    }
                }
            }
        }
        match parts[..] {
            [] => Ty::UNKNOWN,
            [one] => one,
            _ => self.add(Type::Intersection(parts)),
        }
    }
}
