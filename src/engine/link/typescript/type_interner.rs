//! The interner of types and substitutions, and the construction of unions and intersections.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::smallvec;

use super::types::{InternedType, InternedTypes, Substitution, TypeBindings, TypeKind, TypeVariable};

/// The greatest nesting depth of a type. Type arguments that would make a type deeper become `any`, as does any other type
/// that would be deeper.
const MAX_DEPTH: u8 = 12;

/// The greatest number of type variables that a type binds. A type that would bind more becomes `any`.
const MAX_BINDINGS: usize = 64;

/// The greatest number of constituents of a union. A larger union becomes `any`.
const MAX_UNION: usize = 256;

/// The greatest number of constituents of an intersection. A larger intersection becomes `any`.
const MAX_INTERSECTION: usize = 256;

/// Interns types and substitutions. Equal types get equal handles, and so do equal substitutions.
#[derive(Debug)]
pub(super) struct TypeInterner {
    /// The types; the index of a type is its handle.
    kinds: IndexSet<TypeKind, FxBuildHasher>,
    depths: Vec<u8>,
    /// For each type: whether a type parameter, `this` or a deferred type may occur in it.
    generic: Vec<bool>,
    /// The substitutions; the index of a substitution is its handle. The bindings of each are sorted by variable.
    substitutions: IndexSet<TypeBindings, FxBuildHasher>,
    substitution_depths: Vec<u8>,
}

impl TypeInterner {
    pub(super) fn new() -> Self {
        let mut types = Self {
            kinds: IndexSet::default(),
            depths: Vec::new(),
            generic: Vec::new(),
            // The empty substitution.
            substitutions: [TypeBindings::new()].into_iter().collect(),
            substitution_depths: vec![0],
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
    pub(super) fn kind(&self, ty: InternedType) -> &TypeKind {
        &self.kinds[ty.index()]
    }

    #[inline]
    pub(super) fn bindings(&self, substitution: Substitution) -> &TypeBindings {
        &self.substitutions[substitution.index()]
    }

    /// True if a substitution may change the type.
    #[inline]
    pub(super) fn is_generic(&self, ty: InternedType) -> bool {
        self.generic[ty.index()]
    }

    /// Interns a type. A type that is nested too deeply or binds too many type variables becomes `any`.
    pub(super) fn intern(&mut self, kind: TypeKind) -> InternedType {
        let mut kind = kind;
        self.limit_arguments(&mut kind);
        if let Some(at) = self.kinds.get_index_of(&kind) {
            return InternedType::new(at);
        }
        let deepest = |types: &[InternedType]| types.iter().map(|t| self.depths[t.index()]).max().unwrap_or(0);
        let any_generic = |types: &[InternedType]| types.iter().any(|t| self.generic[t.index()]);
        let (depth, generic) = match &kind {
            TypeKind::Reference(_, args) => (1 + deepest(args), any_generic(args)),
            TypeKind::Tuple(args, _)
            | TypeKind::VariadicTuple(args)
            | TypeKind::Union(args)
            | TypeKind::Template(args) => (1 + deepest(args), any_generic(args)),
            // Intersections are flat, so that they add no depth.
            TypeKind::Intersection(args) => (deepest(args), any_generic(args)),
            // The members of these types may mention every type parameter in scope, whether bound or not.
            TypeKind::Anonymous(_, substitution)
            | TypeKind::Function(_, substitution)
            | TypeKind::ClassConstructor(_, substitution)
            | TypeKind::Mapped(_, _, substitution)
            | TypeKind::Conditional(_, _, substitution) => {
                if self.bindings(*substitution).len() > MAX_BINDINGS {
                    return InternedType::ANY;
                }
                (1 + self.substitution_depths[substitution.index()], true)
            }
            TypeKind::KeyOf(of)
            | TypeKind::Spread(of)
            | TypeKind::Predicate(_, of)
            | TypeKind::StringMapping(_, of) => (1 + deepest(&[*of]), any_generic(&[*of])),
            TypeKind::ReverseMapped(source, mapped) => (1 + deepest(&[*source, *mapped]), any_generic(&[*source])),
            TypeKind::IndexedAccess(a, b) => (1 + deepest(&[*a, *b]), any_generic(&[*a, *b])),
            TypeKind::TypeParameter(_) | TypeKind::This(_) => (0, true),
            _ => (0, false),
        };
        if depth > MAX_DEPTH {
            return InternedType::ANY;
        }
        let (at, _) = self.kinds.insert_full(kind);
        self.depths.push(depth);
        self.generic.push(generic);
        InternedType::new(at)
    }

    /// Replaces the type arguments that would make a type too deep by `any`. The type itself stays known: a class with its
    /// properties, a function with its parameters.
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
                if self.substitution_depths[substitution.index()] >= MAX_DEPTH =>
            {
                let mut bindings = self.bindings(*substitution).clone();
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

    /// A class or interface without its deepest type arguments, so that other types may contain it; `any` for other types.
    fn without_deep_arguments(&mut self, ty: InternedType) -> InternedType {
        let TypeKind::Reference(symbol, mut args) = self.kind(ty).clone() else { return InternedType::ANY };
        for arg in args.iter_mut().filter(|arg| self.depths[arg.index()] + 1 >= MAX_DEPTH) {
            *arg = InternedType::ANY;
        }
        self.intern(TypeKind::Reference(symbol, args))
    }

    pub(super) fn intern_substitution(&mut self, mut bindings: TypeBindings) -> Substitution {
        bindings.sort_unstable();
        bindings.dedup_by_key(|(variable, _)| *variable);
        let (at, is_new) = self.substitutions.insert_full(bindings);
        if is_new {
            let bindings = &self.substitutions[at];
            let depth = bindings.iter().map(|(_, t)| self.depths[t.index()]).max().unwrap_or(0);
            self.substitution_depths.push(depth);
        }
        Substitution::new(at)
    }

    /// The type that a substitution binds to a type variable; `None` if it does not bind the variable.
    #[inline]
    pub(super) fn lookup(&self, substitution: Substitution, variable: TypeVariable) -> Option<InternedType> {
        let bindings = &self.substitutions[substitution.index()];
        bindings.iter().find(|(bound, _)| *bound == variable).map(|(_, ty)| *ty)
    }

    /// The constituents of a union; for any other type, the type alone.
    pub(super) fn constituents(&self, ty: InternedType) -> InternedTypes {
        if let TypeKind::Union(constituents) = self.kind(ty) { constituents.clone() } else { smallvec![ty] }
    }

    /// The union of `types`, without duplicates, in order of first appearance.
    ///
    /// - `any` absorbs all others, as in TypeScript. Since a type that could not be inferred is `any` too, a call on
    ///   `A | Missing` stays unresolved, although `A` is known.
    /// - Otherwise an external type absorbs all others.
    /// - `null`, `undefined` and `void` are dropped next to other types (like TypeScript without `strictNullChecks`):
    ///   they do not change what can be called.
    pub(super) fn union(&mut self, types: impl IntoIterator<Item = InternedType>) -> InternedType {
        let mut constituents: InternedTypes = InternedTypes::new();
        let mut has_nullish = false;
        let mut has_any = false;
        let mut has_external = false;
        for ty in types {
            match self.kind(ty) {
                TypeKind::Never => {}
                TypeKind::Nullish => has_nullish = true,
                TypeKind::Any => has_any = true,
                TypeKind::External => has_external = true,
                TypeKind::Union(inner) => {
                    for &constituent in &inner.clone() {
                        if !constituents.contains(&constituent) {
                            constituents.push(constituent);
                        }
                    }
                }
                _ => {
                    if !constituents.contains(&ty) {
                        constituents.push(ty);
                    }
                }
            }
        }
        if has_any {
            return InternedType::ANY;
        }
        if has_external {
            return InternedType::EXTERNAL;
        }
        if constituents.len() > MAX_UNION {
            return InternedType::ANY;
        }
        match constituents[..] {
            [] if has_nullish => InternedType::NULLISH,
            [] => InternedType::NEVER,
            [one] => one,
            _ => self.intern(TypeKind::Union(constituents)),
        }
    }

    /// The intersection of `types`, without duplicates, in order of first appearance. `never` absorbs all others.
    pub(super) fn intersection(&mut self, types: impl IntoIterator<Item = InternedType>) -> InternedType {
        let mut constituents: InternedTypes = InternedTypes::new();
        for ty in types {
            match self.kind(ty) {
                TypeKind::Unknown => {}
                TypeKind::Never => return InternedType::NEVER,
                TypeKind::Intersection(inner) => {
                    for &constituent in &inner.clone() {
                        if !constituents.contains(&constituent) {
                            constituents.push(constituent);
                        }
                    }
                }
                _ => {
                    if !constituents.contains(&ty) {
                        constituents.push(ty);
                    }
                }
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
