//! Substitution of type variables: the instantiation of generic types.

use crate::memo::MemoSlot;
use crate::typescript::{
    infer::{Linker, budget::ComputedType},
    program::{FileIndex, GlobalDef, GlobalTypeParam, TypeParamsInScope},
    types::{InternedType, InternedTypes, Substitution, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{ScopeId, TypeNode};

impl Linker<'_> {
    /// Replaces the type variables of a type. If the result depends on itself, it is `any`.
    pub(in crate::typescript) fn substitute(&mut self, ty: InternedType, substitution: Substitution) -> InternedType {
        if !self.types.may_change(substitution, ty) {
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
                linker.find_substitute(ty, substitution)
            },
        );
        if is_computed {
            self.budget.end_computation(key, cuts);
        } else {
            self.budget.use_computed(key);
        }
        result
    }

    /// Replaces the type variables in the parts of a type that is no type variable itself. The parts of a recursive
    /// conditional or mapped type may grow with each level, so that no level repeats another:
    /// `type Path<T, P extends string> = T extends object ? Path<T["a"], `${P}.a`> : P`.
    fn find_substitute(&mut self, ty: InternedType, substitution: Substitution) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
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

    pub(in super::super) fn substitute_all(
        &mut self,
        all: &[InternedType],
        substitution: Substitution,
    ) -> InternedTypes {
        all.iter().map(|ty| self.substitute(*ty, substitution)).collect()
    }

    /// Composes two substitutions for the definition `def`: applies `outer` to the types in `inner`, and adds those
    /// bindings of `outer` whose type variables `inner` does not bind and `def` can use. Other bindings of `outer` are
    /// dropped.
    fn compose(&mut self, def: GlobalDef, inner: Substitution, outer: Substitution) -> Substitution {
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
            if self.types.lookup(inner, key).is_none()
                && let Some(ty) = self.types.lookup(outer, key)
            {
                bindings.push((key, ty));
                is_changed = true;
            }
        }
        if self.types.lookup(inner, TypeVariable::This).is_none()
            && let Some(ty) = self.types.lookup(outer, TypeVariable::This)
            && def.is_some_and(|def| self.program.type_variable_scopes.has_this(def))
        {
            bindings.push((TypeVariable::This, ty));
            is_changed = true;
        }
        if is_changed { self.types.intern_substitution(bindings) } else { inner }
    }

    /// The bindings of `inner` with `outer` applied to their types, and whether that changes any of them.
    fn substituted_bindings(&mut self, inner: Substitution, outer: Substitution) -> (TypeBindings, bool) {
        let mut bindings = TypeBindings::from_slice(self.types.bindings(inner));
        let mut is_changed = false;
        for (_, ty) in &mut bindings {
            let generic = std::mem::replace(ty, self.substitute(*ty, outer));
            is_changed |= generic != *ty;
        }
        (bindings, is_changed)
    }

    /// Whether operations on a type are deferred until its type variables are replaced.
    pub(in super::super) fn is_deferred(&self, ty: InternedType) -> bool {
        let Some(_level) = self.descend() else { return true };
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
