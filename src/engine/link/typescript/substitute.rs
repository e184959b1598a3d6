//! Substitution of type variables (instantiation of generic types), and conditional types.

use smallvec::SmallVec;

use super::{
    budget::ComputedType,
    infer::Linker,
    program::{FileIndex, GlobalDef, GlobalTypeParam},
    type_param_scopes::TypeParamsInScope,
    types::{InternedType, InternedTypes, Substitution, TypeBindings, TypeKind, TypeVariable},
};
use crate::{
    link::memo::MemoSlot,
    syntax::typescript::facts::{ScopeId, TypeId, TypeNode},
};

/// The greatest number of conditional types in one another of which a constraint is found.
const MAX_CONDITIONS: u32 = 6;

impl Linker<'_> {
    /// Replaces the type variables of a type. If the result depends on itself, it is `any`.
    pub(super) fn substitute(&mut self, ty: InternedType, substitution: Substitution) -> InternedType {
        if substitution == Substitution::EMPTY || !self.types.is_generic(ty) {
            return ty;
        }
        // A type variable alone is looked up, which is cheaper than to find the answer in the memo.
        let variable = match *self.types.kind(ty) {
            TypeKind::TypeParameter(param) => Some(TypeVariable::Parameter(param)),
            TypeKind::This(_) => Some(TypeVariable::This),
            _ => None,
        };
        if let Some(variable) = variable {
            return self.types.lookup(substitution, variable).unwrap_or(ty);
        }
        if self.budget.is_exhausted() {
            return InternedType::ANY;
        }
        let key = ComputedType::Substituted(ty, substitution);
        let mut is_computed = false;
        let cuts = self.budget.cuts();
        let result = MemoSlot::get_or_compute(
            self,
            |linker| linker.substituted.slot((ty, substitution)),
            |_| InternedType::ANY,
            |linker| {
                is_computed = true;
                if linker.budget.step() { linker.find_substitute(ty, substitution) } else { InternedType::ANY }
            },
        );
        if is_computed {
            self.budget.end_computation(key, cuts);
        } else {
            self.budget.use_computed(key);
        }
        result
    }

    /// Replaces the type variables in the parts of a type that is no type variable itself.
    fn find_substitute(&mut self, ty: InternedType, substitution: Substitution) -> InternedType {
        match self.types.kind(ty).clone() {
            TypeKind::Reference(symbol, generic) => {
                let args = self.substitute_all(&generic, substitution);
                if args == generic {
                    return ty;
                }
                self.types.intern(TypeKind::Reference(symbol, args))
            }
            TypeKind::Tuple(items, rest) => {
                let items = self.substitute_all(&items, substitution);
                self.types.intern(TypeKind::Tuple(items, rest))
            }
            TypeKind::VariadicTuple(items) => {
                let items = self.substitute_all(&items, substitution);
                self.tuple_type(items)
            }
            TypeKind::Spread(of) => {
                let of = self.substitute(of, substitution);
                self.types.intern(TypeKind::Spread(of))
            }
            TypeKind::Union(constituents) => {
                let constituents = self.substitute_all(&constituents, substitution);
                self.types.union(constituents)
            }
            TypeKind::Intersection(constituents) => {
                let constituents = self.substitute_all(&constituents, substitution);
                self.intersect(&constituents)
            }
            TypeKind::Anonymous(def, inner) => {
                let substitution = self.compose(def, inner, substitution);
                self.types.intern(TypeKind::Anonymous(def, substitution))
            }
            TypeKind::Function(def, inner) => {
                let substitution = self.compose(def, inner, substitution);
                self.types.intern(TypeKind::Function(def, substitution))
            }
            TypeKind::ClassConstructor(def, inner) => {
                let substitution = self.compose(def, inner, substitution);
                self.types.intern(TypeKind::ClassConstructor(def, substitution))
            }
            TypeKind::KeyOf(of) => {
                let of = self.substitute(of, substitution);
                self.keyof_type(of)
            }
            TypeKind::IndexedAccess(of, index) => {
                let of = self.substitute(of, substitution);
                let index = self.substitute(index, substitution);
                self.indexed_access(of, index)
            }
            TypeKind::Template(parts) => {
                let parts = self.substitute_all(&parts, substitution);
                self.template_type(parts)
            }
            TypeKind::StringMapping(mapping, of) => {
                let of = self.substitute(of, substitution);
                self.mapped_string(mapping, of)
            }
            TypeKind::Mapped(file, id, inner) => {
                let TypeNode::Mapped { scope, .. } = *self.program.facts(file).ty(id) else { return InternedType::ANY };
                let substitution = self.compose_type(file, scope, inner, substitution);
                self.mapped_type(file, id, substitution)
            }
            TypeKind::ReverseMapped(source, mapped) => {
                let source = self.substitute(source, substitution);
                self.types.intern(TypeKind::ReverseMapped(source, mapped))
            }
            TypeKind::Conditional(file, id, inner) => {
                let TypeNode::Conditional { scope, .. } = *self.program.facts(file).ty(id) else {
                    return InternedType::ANY;
                };
                let substitution = self.compose_type(file, scope, inner, substitution);
                self.conditional_type(file, id, substitution)
            }
            TypeKind::Predicate(param, of) => {
                let of = self.substitute(of, substitution);
                self.types.intern(TypeKind::Predicate(param, of))
            }
            _ => ty,
        }
    }

    pub(super) fn substitute_all(&mut self, all: &[InternedType], substitution: Substitution) -> InternedTypes {
        all.iter().map(|ty| self.substitute(*ty, substitution)).collect()
    }

    /// Composes two substitutions for the definition `def`: applies `outer` to the types in `inner`, and adds those
    /// bindings of `outer` whose type variables `inner` does not bind and `def` can use. Other bindings of `outer` are
    /// dropped.
    pub(super) fn compose(&mut self, def: GlobalDef, inner: Substitution, outer: Substitution) -> Substitution {
        let visible: TypeParamsInScope = self.program.type_params_in_scope(def).into();
        self.compose_visible(&visible, Some(def), inner, outer)
    }

    /// Composes two substitutions like [`Self::compose`] for the conditional or mapped type that opens `scope`.
    fn compose_type(
        &mut self,
        file: FileIndex,
        scope: ScopeId,
        inner: Substitution,
        outer: Substitution,
    ) -> Substitution {
        let (visible, def) = self.program.type_params_around_type(file, scope);
        self.compose_visible(&visible, def, inner, outer)
    }

    /// Composes two substitutions, and adds those bindings of `outer` whose type variables `inner` does not bind and
    /// that are `visible`, or that are the `this` type of a class or interface around `def`.
    fn compose_visible(
        &mut self,
        visible: &[GlobalTypeParam],
        def: Option<GlobalDef>,
        inner: Substitution,
        outer: Substitution,
    ) -> Substitution {
        let (mut bindings, mut is_changed) = self.substituted_bindings(inner, outer);
        for &param in visible {
            let key = TypeVariable::Parameter(param);
            if bindings.iter().all(|(k, _)| *k != key)
                && let Some(ty) = self.types.lookup(outer, key)
            {
                bindings.push((key, ty));
                is_changed = true;
            }
        }
        if bindings.iter().all(|(k, _)| *k != TypeVariable::This)
            && let Some(ty) = self.types.lookup(outer, TypeVariable::This)
            && def.is_some_and(|def| self.may_use_this(def))
        {
            bindings.push((TypeVariable::This, ty));
            is_changed = true;
        }
        if is_changed { self.types.intern_substitution(bindings) } else { inner }
    }

    /// The bindings of `inner` with `outer` applied to their types, and whether that changes any of them.
    fn substituted_bindings(&mut self, inner: Substitution, outer: Substitution) -> (TypeBindings, bool) {
        let mut bindings = self.types.bindings(inner).clone();
        let mut is_changed = false;
        for (_, ty) in &mut bindings {
            let generic = std::mem::replace(ty, self.substitute(*ty, outer));
            is_changed |= generic != *ty;
        }
        (bindings, is_changed)
    }

    /// Resolves a conditional type, or defers it while the checked type depends on type variables.
    pub(super) fn conditional_type(&mut self, file: FileIndex, id: TypeId, substitution: Substitution) -> InternedType {
        let facts = self.program.facts(file);
        let TypeNode::Conditional { check, extends, .. } = *facts.ty(id) else {
            return InternedType::ANY;
        };
        let generic = self.type_from_node(file, check);
        let checked = self.substitute(generic, substitution);
        let generic = self.type_from_node(file, extends);
        let pattern = self.substitute(generic, substitution);
        if self.is_deferred(checked)
            || self.is_deferred_tuple(checked)
            || self.is_deferred_pattern(pattern, &self.infer_type_params(file, extends))
        {
            return self.types.intern(TypeKind::Conditional(file, id, substitution));
        }
        self.conditional_of(file, id, substitution, checked)
    }

    /// The constraint of a deferred conditional type; `None` if there is none.
    ///
    /// - For a checked tuple, such as `[T] extends [never] ? A : B`, it is the type as if `T` were known to be a variable.
    /// - For a checked indexed access or intersection, such as `ReturnType<this["m"]>`, it is the type with the constraint
    ///   of the checked type.
    /// - If only the type after `extends` is not known, such as in `string extends T ? A : B`, it is the union of the
    ///   branches.
    pub(super) fn constrained_conditional(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
        depth: u32,
    ) -> Option<InternedType> {
        if depth > MAX_CONDITIONS || !self.budget.step() {
            return None;
        }
        let TypeNode::Conditional { check, positive, negative, .. } = *self.program.facts(file).ty(id) else {
            return None;
        };
        let generic = self.type_from_node(file, check);
        let checked = self.substitute(generic, substitution);
        if self.is_deferred_tuple(checked) {
            return Some(self.conditional_of(file, id, substitution, checked));
        }
        if !self.is_deferred(checked) {
            let mut branches = InternedTypes::new();
            for branch in [positive, negative] {
                let generic = self.type_from_node(file, branch);
                let branch = self.substitute(generic, substitution);
                branches.push(match *self.types.kind(branch) {
                    TypeKind::Conditional(file, id, inner) => {
                        self.constrained_conditional(file, id, inner, depth + 1)?
                    }
                    _ => branch,
                });
            }
            return Some(self.types.union(branches)).filter(|union| !self.is_deferred(*union));
        }
        let checked = match self.types.kind(checked).clone() {
            TypeKind::IndexedAccess(..) => self.constraint(checked)?,
            TypeKind::Intersection(constituents) => {
                let mut known = InternedTypes::new();
                for constituent in constituents {
                    known.push(if self.is_deferred(constituent) { self.constraint(constituent)? } else { constituent });
                }
                self.intersect(&known)
            }
            _ => return None,
        };
        (!self.is_deferred(checked)).then(|| self.conditional_of(file, id, substitution, checked))
    }

    /// A conditional type whose checked type is `checked`.
    fn conditional_of(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
        checked: InternedType,
    ) -> InternedType {
        let TypeNode::Conditional { check, extends, positive, negative, .. } = *self.program.facts(file).ty(id) else {
            return InternedType::ANY;
        };
        let generic = self.type_from_node(file, check);
        if checked == InternedType::ANY || checked == InternedType::EXTERNAL {
            return checked;
        }
        let is_any = self.is_intersection_with_any(file, extends, substitution);
        let pattern = self.type_from_node(file, extends);
        let pattern = self.substitute(pattern, substitution);
        // A conditional type whose checked type is a naked type parameter distributes over unions, of which `never` is the
        // empty one.
        let constituents = if matches!(self.types.kind(generic), TypeKind::TypeParameter(_)) {
            if checked == InternedType::NEVER {
                return checked;
            }
            self.types.constituents(checked)
        } else {
            SmallVec::from_slice(&[checked])
        };
        let mut results = InternedTypes::new();
        for constituent in constituents {
            let mut bindings = self.types.bindings(substitution).clone();
            // In the branches, the type parameter is bound to the constituent.
            if let TypeKind::TypeParameter(param) = *self.types.kind(generic) {
                bindings.retain(|(key, _)| *key != TypeVariable::Parameter(param));
                bindings.push((TypeVariable::Parameter(param), constituent));
            }
            let infer_params = self.infer_type_params(file, extends);
            let mut inferences = TypeBindings::new();
            let is_assignable = is_any || self.is_assignable(constituent, pattern);
            let branch = if is_assignable {
                self.unify(pattern, constituent, &infer_params, &mut inferences);
                for &param in &infer_params {
                    let key = TypeVariable::Parameter(param);
                    let ty = inferences.iter().find(|(k, _)| *k == key).map_or(InternedType::UNKNOWN, |(_, ty)| *ty);
                    bindings.retain(|(k, _)| *k != key);
                    bindings.push((key, ty));
                }
                positive
            } else {
                negative
            };
            let substitution = self.types.intern_substitution(bindings);
            let ty = self.type_from_node(file, branch);
            results.push(self.substitute(ty, substitution));
        }
        self.types.union(results)
    }

    /// Whether the type after `extends` depends on type variables beside those that `infer` declares: `string extends T`.
    fn is_deferred_pattern(&self, pattern: InternedType, inferred: &[GlobalTypeParam]) -> bool {
        match self.types.kind(pattern) {
            TypeKind::TypeParameter(param) => !inferred.contains(param),
            TypeKind::Union(constituents) | TypeKind::Intersection(constituents) => {
                constituents.iter().any(|constituent| self.is_deferred_pattern(*constituent, inferred))
            }
            TypeKind::Conditional(..) | TypeKind::IndexedAccess(..) | TypeKind::KeyOf(_) => true,
            _ => false,
        }
    }

    /// True for `1 & T` if `T` is not known: it is then taken for `any`, by which `0 extends 1 & T` tells `any` from other
    /// types. Elsewhere an intersection with a type that is not known has the properties of the known ones.
    fn is_intersection_with_any(&mut self, file: FileIndex, id: TypeId, substitution: Substitution) -> bool {
        let facts = self.program.facts(file);
        let TypeNode::Intersection(list) = *facts.ty(id) else { return false };
        facts.type_list(list).iter().any(|part| {
            let generic = self.type_from_node(file, *part);
            !self.substitute(generic, substitution).is_known()
        })
    }

    fn is_deferred_tuple(&self, ty: InternedType) -> bool {
        matches!(self.types.kind(ty), TypeKind::Tuple(items, _) if items.iter().any(|item| self.is_deferred(*item)))
    }

    /// Whether operations on a type are deferred until its type variables are replaced.
    pub(super) fn is_deferred(&self, ty: InternedType) -> bool {
        match self.types.kind(ty) {
            TypeKind::TypeParameter(_)
            | TypeKind::Conditional(..)
            | TypeKind::IndexedAccess(..)
            | TypeKind::StringMapping(..)
            | TypeKind::This(_) => true,
            TypeKind::Template(_) => self.types.is_generic(ty),
            TypeKind::Spread(of) => self.is_deferred(*of),
            TypeKind::Union(constituents)
            | TypeKind::Intersection(constituents)
            | TypeKind::VariadicTuple(constituents) => {
                constituents.iter().any(|constituent| self.is_deferred(*constituent))
            }
            _ => false,
        }
    }
}
