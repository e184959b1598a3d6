//! Conditional types: `C extends E ? A : B`.

use smallvec::SmallVec;

use crate::typescript::{
    infer::{Linker, names::ResolvedName},
    program::{FileIndex, GlobalTypeParam},
    types::{InternedType, InternedTypes, OpenUnion, Substitution, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{Decl, DefBody, SymbolId, TypeId, TypeNode};

/// The greatest nesting of conditional types whose constraint is computed, and of unions and type aliases after
/// `extends`.
const MAX_CONDITIONS: u32 = 6;

impl Linker<'_> {
    /// Resolves a conditional type, or defers it while the checked type depends on type variables.
    pub(super) fn conditional_type(&mut self, file: FileIndex, id: TypeId, substitution: Substitution) -> InternedType {
        let facts = self.program.facts(file);
        let TypeNode::Conditional { check, extends, scope, .. } = *facts.ty(id) else {
            return InternedType::ANY;
        };
        let generic = self.type_from_node(file, check);
        let checked = self.substitute(generic, substitution);
        let generic = self.type_from_node(file, extends);
        let pattern = self.substitute(generic, substitution);
        if self.is_deferred(checked)
            || matches!(self.types.kind(checked), TypeKind::KeyOf(_))
            || self.is_deferred_tuple(checked)
            || self.is_deferred_pattern(pattern, &self.infer_type_params(file, extends))
        {
            let program = &self.program;
            let kind = TypeKind::Conditional(file, id, substitution);
            return self.types.intern_in_scope(kind, || program.type_params_around_type(file, scope));
        }
        self.conditional_of(file, id, substitution, checked)
    }

    /// The constraint of a deferred conditional type; `None` if there is none.
    ///
    /// - For a checked tuple, such as `[T] extends [never] ? A : B`, it is the type as if `T` were known to be a
    ///   variable.
    /// - For a checked type parameter, indexed access, conditional type or intersection, such as
    ///   `ReturnType<this["m"]>`, it is the type with the constraint of the checked type.
    /// - If the checked type has no constraint, or if only the type after `extends` is not known, such as in
    ///   `string extends T ? A : B`, it is the union of the branches.
    pub(in super::super) fn constrained_conditional(
        &mut self,
        file: FileIndex,
        id: TypeId,
        substitution: Substitution,
        depth: u32,
    ) -> Option<InternedType> {
        if depth > MAX_CONDITIONS {
            return None;
        }
        let _level = self.descend()?;
        let TypeNode::Conditional { check, positive, negative, .. } = *self.program.facts(file).ty(id) else {
            return None;
        };
        let generic = self.type_from_node(file, check);
        let checked = self.substitute(generic, substitution);
        if self.is_deferred_tuple(checked) {
            return Some(self.conditional_of(file, id, substitution, checked));
        }
        let constraint = match *self.types.kind(checked) {
            TypeKind::TypeParameter(_) => self.constraint(checked),
            _ => None,
        };
        let has_no_constraint = matches!(self.types.kind(checked), TypeKind::TypeParameter(_))
            && constraint.is_none_or(|constraint| !constraint.is_known() || self.is_deferred(constraint));
        if !self.is_deferred(checked) || has_no_constraint {
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
            TypeKind::TypeParameter(_) => constraint?,
            TypeKind::IndexedAccess(..) => self.constraint(checked)?,
            TypeKind::Conditional(file, id, inner) => self.constrained_conditional(file, id, inner, depth + 1)?,
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
        let is_any = self.is_intersection_with_any(file, extends, substitution);
        let pattern = self.type_from_node(file, extends);
        let pattern = self.substitute(pattern, substitution);
        if checked == InternedType::EXTERNAL && pattern != InternedType::NEVER {
            return checked;
        }
        // A conditional type whose checked type is a naked type parameter distributes over unions, of which `never` is
        // the empty one.
        let constituents = if matches!(self.types.kind(generic), TypeKind::TypeParameter(_)) {
            if checked == InternedType::NEVER {
                return checked;
            }
            self.types.constituents(checked)
        } else {
            SmallVec::from_slice(&[checked])
        };
        let mut results = OpenUnion::default();
        for constituent in constituents {
            // The product of several unions is not computed further than necessary.
            if results.is_too_large() {
                break;
            }
            let mut bindings = TypeBindings::from_slice(self.types.bindings(substitution));
            // In the branches, the type parameter is bound to the constituent.
            if let TypeKind::TypeParameter(param) = *self.types.kind(generic) {
                bindings.retain(|(key, _)| *key != TypeVariable::Parameter(param));
                bindings.push((TypeVariable::Parameter(param), constituent));
            }
            let infer_params = self.infer_type_params(file, extends);
            let mut inferences = TypeBindings::new();
            let pattern = self.with_nullish_arguments(file, extends, pattern, constituent);
            let is_assignable =
                is_any || !self.is_external_for_never(constituent, pattern) && self.is_assignable(constituent, pattern);
            // A checked `any` yields both branches, unless the test holds for all types.
            let is_any_checked = constituent == InternedType::ANY
                && !matches!(self.types.kind(pattern), TypeKind::Any | TypeKind::Unknown | TypeKind::TypeParameter(_));
            if is_any_checked {
                bindings.extend(infer_params.iter().map(|param| (TypeVariable::Parameter(*param), InternedType::ANY)));
            }
            let is_undecided = is_assignable
                && (pattern == InternedType::EXTERNAL && !self.extends_known_part(file, extends, constituent, 0)
                    || self.depends_on_external(constituent, pattern));
            if is_any_checked || is_undecided {
                // The condition is not decided, so both branches are possible.
                let inner = self.types.intern_substitution(bindings);
                for branch in [positive, negative] {
                    let ty = self.type_from_node(file, branch);
                    let result = self.substitute(ty, inner);
                    self.types.add_to_union(&mut results, result);
                }
                continue;
            }
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
            let result = self.substitute(ty, substitution);
            self.types.add_to_union(&mut results, result);
        }
        self.types.finish_union(results)
    }

    /// Whether an external type is tested for `never`: nothing is known of an external type but that it has values.
    fn is_external_for_never(&self, checked: InternedType, pattern: InternedType) -> bool {
        let Some(_level) = self.descend() else { return false };
        match (self.types.kind(checked), self.types.kind(pattern)) {
            (TypeKind::External, TypeKind::Never) => true,
            (TypeKind::Intersection(constituents), TypeKind::Never) => constituents.contains(&InternedType::EXTERNAL),
            (TypeKind::Tuple(checked, _), TypeKind::Tuple(pattern, _)) => {
                checked.iter().zip(pattern).any(|(checked, pattern)| self.is_external_for_never(*checked, *pattern))
            }
            _ => false,
        }
    }

    /// Whether the test of `checked` against `pattern` depends on an external type: `[External] extends [A]`.
    fn depends_on_external(&self, checked: InternedType, pattern: InternedType) -> bool {
        let Some(_level) = self.descend() else { return false };
        match (self.types.kind(checked), self.types.kind(pattern)) {
            (TypeKind::Tuple(checked, _), TypeKind::Tuple(pattern, _)) => checked.iter().zip(pattern).any(|(a, b)| {
                let is_open = !b.is_known()
                    || matches!(self.types.kind(*b), TypeKind::Unknown | TypeKind::Never | TypeKind::TypeParameter(_));
                *a == InternedType::EXTERNAL && !is_open || self.depends_on_external(*a, *b)
            }),
            (TypeKind::Intersection(constituents), _) => {
                constituents.contains(&InternedType::EXTERNAL)
                    && pattern != InternedType::NEVER
                    && self.is_primitive(pattern)
            }
            _ => false,
        }
    }

    /// The type after `extends` with those type arguments as `undefined` that are declared as `X | undefined` and for
    /// which `checked` has `undefined`. Unions do not contain `undefined`, so only the declaration tells that it is
    /// allowed.
    fn with_nullish_arguments(
        &mut self,
        file: FileIndex,
        node: TypeId,
        pattern: InternedType,
        checked: InternedType,
    ) -> InternedType {
        let TypeNode::Ref { args, .. } = self.program.facts(file).ty(node) else { return pattern };
        let TypeKind::Reference(symbol, _) = *self.types.kind(pattern) else { return pattern };
        let has_nullish = |linker: &Self, ty| match linker.types.kind(ty) {
            TypeKind::Reference(_, args) => args.contains(&InternedType::NULLISH),
            _ => false,
        };
        if args.range().is_empty() || !has_nullish(self, checked) {
            return pattern;
        }
        let Some(given) = self.type_arguments_as(checked, symbol, 0) else { return pattern };
        let facts = self.program.facts(file);
        let TypeKind::Reference(symbol, mut expected) = self.types.kind(pattern).clone() else { return pattern };
        for ((expected, given), node) in expected.iter_mut().zip(given).zip(facts.type_list(*args)) {
            if given == InternedType::NULLISH && facts.is_declared_nullish(*node) {
                *expected = given;
            }
        }
        self.types.intern(TypeKind::Reference(symbol, expected))
    }

    /// Whether `ty` is assignable to a known constituent of the type after `extends`, if that type as a whole is
    /// unknown. The constituents are those of a union, or of a type alias of a union.
    fn extends_known_part(&mut self, file: FileIndex, node: TypeId, ty: InternedType, depth: u32) -> bool {
        let Some(_level) = self.descend() else { return false };
        if depth > MAX_CONDITIONS {
            return false;
        }
        match self.program.facts(file).ty(node) {
            TypeNode::Union(list) => {
                let parts = self.program.facts(file).type_list(*list);
                parts.iter().any(|part| self.extends_known_part(file, *part, ty, depth + 1))
            }
            TypeNode::Ref { symbol: Some(symbol), path, args, .. } if path.len() == 1 && args.range().is_empty() => {
                match self.alias_of(file, *symbol) {
                    Some((file, node)) => self.extends_known_part(file, node, ty, depth + 1),
                    None => self.is_known_base(file, node, ty),
                }
            }
            _ => self.is_known_base(file, node, ty),
        }
    }

    /// Whether a type node denotes a known type that `ty` is assignable to.
    fn is_known_base(&mut self, file: FileIndex, node: TypeId, ty: InternedType) -> bool {
        let base = self.type_from_node(file, node);
        base.is_known() && self.is_assignable(ty, base)
    }

    /// The type node that a type alias without type parameters denotes.
    fn alias_of(&mut self, file: FileIndex, symbol: SymbolId) -> Option<(FileIndex, TypeId)> {
        let ResolvedName::Symbol(symbol) = self.resolve_symbol(file, symbol) else { return None };
        let (file, symbol) = self.program.symbol(symbol);
        symbol.decls.iter().find_map(|decl| match decl {
            Decl::Def(def) => match &self.program.facts(file).def(*def).body {
                DefBody::TypeAlias(alias) if alias.type_params.is_empty() => Some((file, alias.ty)),
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether the type after `extends` depends on type variables beside those that `infer` declares:
    /// `string extends T`.
    fn is_deferred_pattern(&self, pattern: InternedType, inferred: &[GlobalTypeParam]) -> bool {
        let Some(_level) = self.descend() else { return false };
        match self.types.kind(pattern) {
            TypeKind::TypeParameter(param) => !inferred.contains(param),
            TypeKind::Union(constituents) | TypeKind::Intersection(constituents) => {
                constituents.iter().any(|constituent| self.is_deferred_pattern(*constituent, inferred))
            }
            TypeKind::Conditional(..) | TypeKind::IndexedAccess(..) | TypeKind::KeyOf(_) => true,
            _ => false,
        }
    }

    /// True for an intersection such as `1 & T` whose constituent `T` is unknown. Such a `T` counts as `any` here,
    /// because the idiom `0 extends 1 & T` tests for `any`. Elsewhere an intersection with an unknown constituent has
    /// the properties of its known constituents.
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
}
