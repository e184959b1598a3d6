//! The interner of types and substitutions, and the construction of unions and intersections.

use std::{hash::BuildHasher, sync::Arc};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::smallvec;

use super::{
    InternedType, InternedTypes, Substitution, TypeBindings, TypeKind, TypeVariable,
    substitution_table::{SubstitutionTable, TypeBinding},
    variable_set::VariableSet,
};
use crate::typescript::program::{GlobalDef, GlobalTypeParam, TypeParamsInScope, TypeVariableScopes};
use apidisc_base::nesting;

/// The greatest nesting depth of a type. Type arguments that would make a type deeper become `any`, as does any other
/// type that would be deeper.
const MAX_DEPTH: u8 = 12;

/// The greatest number of type variables that a type binds. A type that would bind more becomes `any`.
const MAX_BINDINGS: usize = 64;

/// The greatest number of constituents of a union. A larger union becomes `any`.
const MAX_UNION: usize = 256;

/// The greatest number of constituents of an intersection. A larger intersection becomes `any`.
const MAX_INTERSECTION: usize = 256;

/// Interns types and substitutions. Equal types get equal handles, and so do equal substitutions.
#[derive(Debug)]
pub(in crate::typescript) struct TypeInterner {
    /// The types; the index of a type is its handle.
    kinds: Vec<TypeKind>,
    handles: HashTable<InternedType>,
    depths: Vec<u8>,
    /// For each type: the free type variables, those that a substitution may replace.
    free: Vec<VariableSet>,
    substitutions: SubstitutionTable,
    scopes: Arc<TypeVariableScopes>,
}

/// The types that were added to an unfinished union.
#[derive(Debug, Default)]
pub(in crate::typescript) struct OpenUnion {
    /// The constituents, at most one more than [`MAX_UNION`].
    constituents: InternedTypes,
    has_nullish: bool,
    has_any: bool,
    has_external: bool,
}

impl OpenUnion {
    fn add(&mut self, ty: InternedType) {
        if !self.is_too_large() && !self.constituents.contains(&ty) {
            self.constituents.push(ty);
        }
    }

    /// True if the union has too many constituents, so that it is `any` if no external type is added.
    pub(in crate::typescript) fn is_too_large(&self) -> bool {
        self.constituents.len() > MAX_UNION
    }
}

impl TypeInterner {
    /// An interner for the types of definitions whose type variables `scopes` lists.
    pub(in crate::typescript) fn new(scopes: Arc<TypeVariableScopes>) -> Self {
        let mut types = Self {
            kinds: Vec::new(),
            handles: HashTable::new(),
            depths: Vec::new(),
            free: Vec::new(),
            substitutions: SubstitutionTable::new(),
            scopes,
        };
        for kind in [
            TypeKind::Any,
            TypeKind::External,
            TypeKind::Never,
            TypeKind::Nullish,
            TypeKind::String,
            TypeKind::Number,
            TypeKind::Boolean,
            TypeKind::BigInt,
            TypeKind::Unknown,
            TypeKind::Object,
            TypeKind::Symbol,
        ] {
            types.intern(kind);
        }
        types
    }

    #[inline]
    pub(in crate::typescript) fn kind(&self, ty: InternedType) -> &TypeKind {
        &self.kinds[ty.index()]
    }

    /// The bindings of a substitution, sorted by variable.
    #[inline]
    pub(in crate::typescript) fn bindings(&self, substitution: Substitution) -> &[TypeBinding] {
        self.substitutions.bindings(substitution)
    }

    /// True if a substitution may change the type.
    #[inline]
    pub(in crate::typescript) fn is_generic(&self, ty: InternedType) -> bool {
        !self.free[ty.index()].is_empty()
    }

    /// False if a substitution certainly leaves the type as it is: it binds no free type variable of the type.
    #[inline]
    pub(in crate::typescript) fn may_change(&self, substitution: Substitution, ty: InternedType) -> bool {
        self.substitutions.bound(substitution).may_intersect(self.free[ty.index()])
    }

    /// Interns a type. A type that is nested too deeply or binds too many type variables becomes `any`.
    pub(in crate::typescript) fn intern(&mut self, kind: TypeKind) -> InternedType {
        self.intern_with(kind, |_, _| VariableSet::EMPTY)
    }

    /// Interns a conditional or mapped type. `params` are the type parameters in scope around it, and `def` is the
    /// innermost definition around it.
    pub(in crate::typescript) fn intern_in_scope(
        &mut self,
        kind: TypeKind,
        scope: impl FnOnce() -> (TypeParamsInScope, Option<GlobalDef>),
    ) -> InternedType {
        self.intern_with(kind, |types, substitution| {
            let (params, def) = scope();
            types.unbound(&params, def, substitution)
        })
    }

    /// Interns a type. For a conditional or mapped type, `unbound` finds the type variables in scope that its
    /// substitution does not bind.
    fn intern_with(
        &mut self,
        mut kind: TypeKind,
        unbound: impl FnOnce(&Self, Substitution) -> VariableSet,
    ) -> InternedType {
        self.limit_arguments(&mut kind);
        let hash = FxBuildHasher.hash_one(&kind);
        if let Some(known) = self.handles.find(hash, |at| self.kinds[at.index()] == kind) {
            return *known;
        }
        let deepest = |types: &[InternedType]| types.iter().map(|t| self.depths[t.index()]).max().unwrap_or(0);
        let all_free = |types: &[InternedType]| types.iter().map(|t| self.free[t.index()]).collect();
        let (depth, free) = match &kind {
            TypeKind::Reference(_, args) => (1 + deepest(args), all_free(args)),
            TypeKind::Tuple(args, _)
            | TypeKind::VariadicTuple(args)
            | TypeKind::Union(args)
            | TypeKind::Template(args) => (1 + deepest(args), all_free(args)),
            // Intersections are flat, so that they add no depth.
            TypeKind::Intersection(args) => (deepest(args), all_free(args)),
            // The members of these types may mention every type variable in scope.
            TypeKind::Anonymous(_, substitution)
            | TypeKind::Function(_, substitution)
            | TypeKind::ClassConstructor(_, substitution)
            | TypeKind::Mapped(_, _, substitution)
            | TypeKind::Conditional(_, _, substitution) => {
                let bindings = self.bindings(*substitution);
                if bindings.len() > MAX_BINDINGS {
                    return InternedType::ANY;
                }
                let mut free: VariableSet = bindings.iter().map(|(_, ty)| self.free[ty.index()]).collect();
                free.add(match &kind {
                    TypeKind::Anonymous(def, _) | TypeKind::Function(def, _) | TypeKind::ClassConstructor(def, _) => {
                        self.unbound(self.scopes.params(*def), Some(*def), *substitution)
                    }
                    _ => unbound(self, *substitution),
                });
                (1 + self.substitutions.depth(*substitution), free)
            }
            TypeKind::KeyOf(of)
            | TypeKind::Spread(of)
            | TypeKind::Predicate(_, of)
            | TypeKind::StringMapping(_, of) => (1 + deepest(&[*of]), all_free(&[*of])),
            TypeKind::ReverseMapped(source, mapped) => (1 + deepest(&[*source, *mapped]), all_free(&[*source])),
            TypeKind::IndexedAccess(a, b) => (1 + deepest(&[*a, *b]), all_free(&[*a, *b])),
            TypeKind::TypeParameter(param) => (0, VariableSet::of(TypeVariable::Parameter(*param))),
            TypeKind::This(_) => (0, VariableSet::of(TypeVariable::This)),
            _ => (0, VariableSet::EMPTY),
        };
        if depth > MAX_DEPTH {
            return InternedType::ANY;
        }
        let handle = InternedType::new(self.kinds.len());
        self.kinds.push(kind);
        self.depths.push(depth);
        self.free.push(free);
        let kinds = &self.kinds;
        self.handles.insert_unique(hash, handle, |at| FxBuildHasher.hash_one(&kinds[at.index()]));
        handle
    }

    /// Those of the type parameters `params`, and of the `this` type of a class around `def`, that a substitution does
    /// not bind.
    fn unbound(&self, params: &[GlobalTypeParam], def: Option<GlobalDef>, substitution: Substitution) -> VariableSet {
        let this = def.filter(|def| self.scopes.has_this(*def)).map(|_| TypeVariable::This);
        let variables = params.iter().map(|param| TypeVariable::Parameter(*param)).chain(this);
        let unbound = variables.filter(|variable| self.lookup(substitution, *variable).is_none());
        unbound.map(VariableSet::of).collect()
    }

    /// Replaces the type arguments that would make a type too deep by `any`. The type itself stays known: a class with
    /// its properties, a function with its parameters.
    fn limit_arguments(&mut self, kind: &mut TypeKind) {
        let is_too_deep = |types: &Self, ty: InternedType| types.depths[ty.index()] >= MAX_DEPTH;
        match kind {
            TypeKind::Reference(_, args) | TypeKind::Tuple(args, _) => {
                for arg in args.iter_mut().filter(|arg| is_too_deep(self, **arg)) {
                    *arg = InternedType::ANY;
                }
            }
            TypeKind::Anonymous(_, substitution)
            | TypeKind::Function(_, substitution)
            | TypeKind::ClassConstructor(_, substitution)
                if self.substitutions.depth(*substitution) >= MAX_DEPTH =>
            {
                let mut bindings = TypeBindings::from_slice(self.bindings(*substitution));
                for (variable, ty) in &mut bindings {
                    if is_too_deep(self, *ty) {
                        // A method that returns `this` goes on with the same class.
                        let is_this = *variable == TypeVariable::This;
                        *ty = if is_this { self.without_deep_arguments(*ty) } else { InternedType::ANY };
                    }
                }
                *substitution = self.intern_substitution(bindings);
            }
            _ => {}
        }
    }

    /// A class or interface without its deepest type arguments, so that other types may contain it; `any` for other
    /// types.
    fn without_deep_arguments(&mut self, ty: InternedType) -> InternedType {
        let Some(_level) = nesting::descend() else { return InternedType::ANY };
        let TypeKind::Reference(symbol, mut args) = self.kind(ty).clone() else { return InternedType::ANY };
        for arg in args.iter_mut().filter(|arg| self.depths[arg.index()] + 1 >= MAX_DEPTH) {
            *arg = InternedType::ANY;
        }
        self.intern(TypeKind::Reference(symbol, args))
    }

    /// Interns bindings in any order. Of several bindings of a variable, the one with the oldest type counts.
    pub(in crate::typescript) fn intern_substitution(&mut self, mut bindings: TypeBindings) -> Substitution {
        bindings.sort_unstable();
        bindings.dedup_by_key(|(variable, _)| *variable);
        let depths = &self.depths;
        self.substitutions.intern(&bindings, |ty| depths[ty.index()])
    }

    /// The type that a substitution binds to a type variable; `None` if it does not bind the variable.
    #[inline]
    pub(in crate::typescript) fn lookup(
        &self,
        substitution: Substitution,
        variable: TypeVariable,
    ) -> Option<InternedType> {
        let bindings = self.bindings(substitution);
        let at = bindings.binary_search_by_key(&variable, |(bound, _)| *bound).ok()?;
        Some(bindings[at].1)
    }

    /// The constituents of a union; for any other type, the type alone.
    pub(in crate::typescript) fn constituents(&self, ty: InternedType) -> InternedTypes {
        if let TypeKind::Union(constituents) = self.kind(ty) { constituents.clone() } else { smallvec![ty] }
    }

    /// The union of `types`, without duplicates, in order of first appearance.
    ///
    /// - `any` absorbs all others, as in TypeScript. Since a type that could not be inferred is `any` too, a call on
    ///   `A | Missing` stays unresolved, although `A` is known.
    /// - Otherwise an external type absorbs all others.
    /// - `null`, `undefined` and `void` are dropped next to other types (like TypeScript without `strictNullChecks`):
    ///   they do not change what can be called.
    pub(in crate::typescript) fn union(&mut self, types: impl IntoIterator<Item = InternedType>) -> InternedType {
        let mut union = OpenUnion::default();
        types.into_iter().for_each(|ty| self.add_to_union(&mut union, ty));
        self.finish_union(union)
    }

    /// Adds a type to an unfinished union.
    pub(in crate::typescript) fn add_to_union(&self, union: &mut OpenUnion, ty: InternedType) {
        match self.kind(ty) {
            TypeKind::Never => {}
            TypeKind::Nullish => union.has_nullish = true,
            TypeKind::Any => union.has_any = true,
            TypeKind::External => union.has_external = true,
            TypeKind::Union(inner) => inner.iter().for_each(|constituent| union.add(*constituent)),
            _ => union.add(ty),
        }
    }

    /// The union of the types that were added.
    pub(in crate::typescript) fn finish_union(&mut self, union: OpenUnion) -> InternedType {
        if union.has_any {
            return InternedType::ANY;
        }
        if union.has_external {
            return InternedType::EXTERNAL;
        }
        if union.is_too_large() {
            return InternedType::ANY;
        }
        match union.constituents[..] {
            [] if union.has_nullish => InternedType::NULLISH,
            [] => InternedType::NEVER,
            [one] => one,
            _ => self.intern(TypeKind::Union(union.constituents)),
        }
    }

    /// The intersection of `types`, without duplicates, in order of first appearance. `never` absorbs all others.
    pub(in crate::typescript) fn intersection(
        &mut self,
        types: impl IntoIterator<Item = InternedType>,
    ) -> InternedType {
        let mut constituents: InternedTypes = InternedTypes::new();
        let mut add = |ty| {
            if constituents.len() <= MAX_INTERSECTION && !constituents.contains(&ty) {
                constituents.push(ty);
            }
        };
        for ty in types {
            match self.kind(ty) {
                TypeKind::Unknown => {}
                TypeKind::Never => return InternedType::NEVER,
                TypeKind::Intersection(inner) => inner.iter().for_each(|constituent| add(*constituent)),
                _ => add(ty),
            }
        }
        if constituents.len() > MAX_INTERSECTION {
            return InternedType::ANY;
        }
        match constituents[..] {
            [] => InternedType::UNKNOWN,
            [one] => one,
            _ => self.intern(TypeKind::Intersection(constituents)),
        }
    }
}
