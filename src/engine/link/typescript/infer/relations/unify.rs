//! Inference from arguments: unification of parameter types with argument types (TypeScript's `inferTypes`).

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::typescript::{
    infer::{Linker, signatures::CallableSignature},
    program::{GlobalDef, GlobalTypeParam, InternedName},
    types::{InternedType, InternedTypes, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::TypeNode;

/// The greatest nesting depth of a pattern that is unified.
const MAX_DEPTH: u32 = 10;

/// The greatest number of parameters of a function that are unified.
const MAX_PARAMETERS: usize = 8;

/// The greatest number of properties of an object type that are unified.
const MAX_PROPERTIES: usize = 40;

/// The state of one inference.
pub(in super::super) struct Inference<'p> {
    /// The type parameters to infer.
    type_params: &'p [GlobalTypeParam],
    /// The types that were inferred.
    bindings: TypeBindings,
    /// `T[K]` of a type that maps the elements of `T`, while `T` is inferred from the elements of a tuple or array,
    /// with the type that was inferred for it.
    pub(in super::super) element: Option<(InternedType, Option<InternedType>)>,
    /// The pairs of a pattern and a type whose structures were unified, each with the least depth. Unifying a pair
    /// again at no less depth infers nothing new.
    unified: FxHashMap<(InternedType, InternedType), u32>,
}

impl<'p> Inference<'p> {
    pub(in super::super) fn new(type_params: &'p [GlobalTypeParam], bindings: TypeBindings) -> Self {
        Self { type_params, bindings, element: None, unified: FxHashMap::default() }
    }
}

impl Linker<'_> {
    /// Infers the type parameters `type_params` of `pattern` by unifying it with `actual`, and adds the results to
    /// `inferences`. The first informative inference of a type parameter counts; `any`, `unknown`, `never`, nullish and
    /// external types are not informative. Inferences that differ only in their literals are widened.
    pub(in super::super) fn unify(
        &mut self,
        pattern: InternedType,
        actual: InternedType,
        type_params: &[GlobalTypeParam],
        inferences: &mut TypeBindings,
    ) {
        let mut inference = Inference::new(type_params, std::mem::take(inferences));
        self.unify_at(pattern, actual, &mut inference, 0);
        *inferences = inference.bindings;
    }

    /// Continues an inference with a part of the pattern at the nesting depth `depth`.
    pub(super) fn unify_at(
        &mut self,
        pattern: InternedType,
        actual: InternedType,
        inference: &mut Inference<'_>,
        depth: u32,
    ) {
        if depth > MAX_DEPTH || pattern == actual || !self.types.is_generic(pattern) {
            return;
        }
        let Some(_level) = self.descend() else { return };
        let depth = depth + 1;
        match self.types.kind(pattern).clone() {
            TypeKind::TypeParameter(param) if inference.type_params.contains(&param) => {
                self.infer_type_param(param, actual, &mut inference.bindings);
            }
            TypeKind::IndexedAccess(..) => {
                if let Some((element, found)) = &mut inference.element
                    && *element == pattern
                {
                    found.get_or_insert(actual);
                }
            }
            TypeKind::Reference(symbol, args) => {
                if !actual.is_known() {
                    for arg in args {
                        self.unify_at(arg, actual, inference, depth);
                    }
                    return;
                }
                for constituent in self.types.constituents(actual) {
                    match self.type_arguments_as(constituent, symbol, 0) {
                        Some(actual_part) => {
                            for (arg, actual_part) in args.iter().zip(actual_part) {
                                self.unify_at(*arg, actual_part, inference, depth);
                            }
                        }
                        None => self.unify_structure(pattern, constituent, inference, depth),
                    }
                }
            }
            TypeKind::Tuple(items, _) => {
                // The elements of an array of pairs are a union of tuples: `new Map([["a", x], ["b", y]])`.
                let constituents = self.types.constituents(actual);
                for (at, item) in items.into_iter().enumerate() {
                    let mut parts = InternedTypes::new();
                    for constituent in &constituents {
                        match self.types.kind(*constituent) {
                            TypeKind::Tuple(actual_parts, _) => parts.extend(actual_parts.get(at).copied()),
                            _ => parts.push(self.element_type(*constituent)),
                        }
                    }
                    if !parts.is_empty() {
                        let actual_part = self.types.union(parts);
                        self.unify_at(item, actual_part, inference, depth);
                    }
                }
            }
            TypeKind::VariadicTuple(items) => match self.types.kind(actual).clone() {
                TypeKind::Tuple(actual_part, has_rest) => {
                    let pairs = self.variadic_pairs(&items, &actual_part, has_rest);
                    for (item, actual_part) in pairs.unwrap_or_default() {
                        self.unify_at(item, actual_part, inference, depth);
                    }
                }
                TypeKind::VariadicTuple(actual_part) if actual_part.len() == items.len() => {
                    for (item, actual_part) in items.iter().zip(actual_part) {
                        self.unify_at(*item, actual_part, inference, depth);
                    }
                }
                _ => {
                    for item in items {
                        let actual_part = match self.types.kind(item) {
                            TypeKind::Spread(_) => actual,
                            _ => self.element_type(actual),
                        };
                        self.unify_at(item, actual_part, inference, depth);
                    }
                }
            },
            TypeKind::Spread(of) => {
                let actual_part = match *self.types.kind(actual) {
                    TypeKind::Spread(actual_part) => actual_part,
                    _ => actual,
                };
                self.unify_at(of, actual_part, inference, depth);
            }
            TypeKind::Function(def, _) => match self.types.kind(actual).clone() {
                TypeKind::Union(functions) if !self.returns_generic(def) => {
                    self.unify_with_functions(pattern, &functions, inference, depth);
                }
                _ => self.unify_structure(pattern, actual, inference, depth),
            },
            TypeKind::Anonymous(..) => self.unify_structure(pattern, actual, inference, depth),
            TypeKind::Union(constituents) => self.unify_union(&constituents, actual, inference, depth),
            TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    self.unify_at(constituent, actual, inference, depth);
                }
            }
            TypeKind::Mapped(file, id, substitution) => {
                let facts = self.program.facts(file);
                let TypeNode::Mapped { key, value, .. } = *facts.ty(id) else { return };
                let Some(constraint) = facts.type_params[key.index()].constraint else { return };
                // A homomorphic mapped type, such as `Partial<T>`: `T` is inferred from the whole type.
                if let TypeNode::KeyOf(of) = *facts.ty(constraint) {
                    let generic = self.type_from_node(file, of);
                    let of = self.substitute(generic, substitution);
                    if let Some(TypeNode::Indexed(..)) = value.map(|value| facts.ty(value)) {
                        self.unify_at(of, actual, inference, depth);
                    } else if let TypeKind::TypeParameter(param) = *self.types.kind(of)
                        && inference.type_params.contains(&param)
                    {
                        let of = self.infer_mapped_type(pattern, actual, inference, depth);
                        self.infer_type_param(param, of.unwrap_or(actual), &mut inference.bindings);
                    }
                    return;
                }
                let generic = self.type_from_node(file, constraint);
                let keys = self.substitute(generic, substitution);
                let actual_part = self.keyof_type(actual);
                self.unify_at(keys, actual_part, inference, depth);
                if let Some(value) = value {
                    let generic = self.type_from_node(file, value);
                    let pattern = self.substitute(generic, substitution);
                    let actual_part = self.index_signature_type(actual);
                    self.unify_at(pattern, actual_part, inference, depth);
                }
            }
            TypeKind::Template(parts) => {
                for (part, actual_part) in self.template_matches(&parts, actual) {
                    self.unify_at(part, actual_part, inference, depth);
                }
            }
            TypeKind::Predicate(_, of) => {
                if let TypeKind::Predicate(_, actual_part) = *self.types.kind(actual) {
                    self.unify_at(of, actual_part, inference, depth);
                }
            }
            // The condition is not decided, so both branches are unified.
            TypeKind::Conditional(file, id, substitution) => {
                let TypeNode::Conditional { positive, negative, .. } = *self.program.facts(file).ty(id) else { return };
                for branch in [positive, negative] {
                    let generic = self.type_from_node(file, branch);
                    let pattern = self.substitute(generic, substitution);
                    self.unify_at(pattern, actual, inference, depth);
                }
            }
            _ => {}
        }
    }

    fn infer_type_param(&mut self, param: GlobalTypeParam, actual: InternedType, inferences: &mut TypeBindings) {
        let key = TypeVariable::Parameter(param);
        let Some(row) = inferences.iter().position(|(k, _)| *k == key) else {
            if actual != InternedType::NEVER {
                inferences.push((key, actual));
            }
            return;
        };
        let before = inferences[row].1;
        let is_informative = |ty: InternedType| {
            !matches!(
                ty,
                InternedType::ANY
                    | InternedType::EXTERNAL
                    | InternedType::NULLISH
                    | InternedType::UNKNOWN
                    | InternedType::NEVER
            )
        };
        if !is_informative(before) && is_informative(actual) {
            inferences[row].1 = actual;
        } else if is_informative(before)
            && is_informative(actual)
            && before != actual
            && self.widened_literal_type(before) == self.widened_literal_type(actual)
        {
            inferences[row].1 = self.widened_literal_type(before);
        }
    }

    /// Unifies with a union such as `T | Promise<T>`, `T | undefined` or `T | T[]`. Constituents of `actual` that match
    /// a structured constituent of the pattern are not unified with the naked type parameter.
    fn unify_union(
        &mut self,
        constituents: &[InternedType],
        actual: InternedType,
        inference: &mut Inference<'_>,
        depth: u32,
    ) {
        let is_naked = |linker: &Self, constituent: InternedType| match linker.types.kind(constituent) {
            TypeKind::TypeParameter(param) => inference.type_params.contains(param),
            _ => false,
        };
        let naked: InternedTypes =
            constituents.iter().copied().filter(|constituent| is_naked(self, *constituent)).collect();
        let structured: InternedTypes =
            constituents.iter().copied().filter(|constituent| !is_naked(self, *constituent)).collect();
        if !actual.is_known() {
            for constituent in naked.iter().chain(&structured) {
                self.unify_at(*constituent, actual, inference, depth);
            }
            return;
        }
        let mut remaining = InternedTypes::new();
        for actual_part in self.types.constituents(actual) {
            let mut is_matched = false;
            for &constituent in &structured {
                if self.matches_structure(constituent, actual_part) {
                    self.unify_at(constituent, actual_part, inference, depth);
                    is_matched = true;
                }
            }
            if is_matched {
                continue;
            }
            // Without a naked type parameter, each constituent may be meant: `Type<T> | AbstractType<T>`.
            if naked.is_empty() && !self.is_primitive(actual_part) {
                for &constituent in &structured {
                    self.unify_at(constituent, actual_part, inference, depth);
                }
            }
            remaining.push(actual_part);
        }
        if !remaining.is_empty() {
            let remaining = self.types.union(remaining);
            for constituent in naked {
                self.unify_at(constituent, remaining, inference, depth);
            }
        }
    }

    /// A generic signature with the type arguments that a function type expects of it: `<T>(x: T) => T[]` where
    /// `(x: A) => B` is expected takes `A` for `T`, as far as `A` is inferred.
    fn instantiate_in_context(
        &mut self,
        actual: CallableSignature,
        expected: CallableSignature,
        inferences: &TypeBindings,
        depth: u32,
    ) -> CallableSignature {
        let own = self.own_type_params(actual);
        if own.is_empty() {
            return actual;
        }
        let mut inference = Inference::new(&own, TypeBindings::new());
        let inferred = self.types.intern_substitution(inferences.clone());
        let count = self.program.function(actual.def).map_or(0, |function| function.params.len());
        for at in 0..count.min(MAX_PARAMETERS) {
            let Some(given) = self.signature_parameter_type(expected, at) else { break };
            let given = self.substitute(given, inferred);
            if let Some(pattern) = self.signature_parameter_type(actual, at).filter(|_| given.is_known()) {
                self.unify_at(pattern, given, &mut inference, depth);
            }
        }
        let mut found = inference.bindings;
        // A type parameter that nothing decides stands for all types that it allows, as in `ReturnType<<T>() => T>`.
        for param in own {
            let key = TypeVariable::Parameter(param);
            if found.iter().all(|(known, _)| *known != key) {
                let ty = self.types.intern(TypeKind::TypeParameter(param));
                let constraint = self.constraint(ty).filter(|constraint| !self.types.is_generic(*constraint));
                found.push((key, constraint.unwrap_or(InternedType::UNKNOWN)));
            }
        }
        found.extend(self.types.bindings(actual.substitution).iter().copied());
        CallableSignature { substitution: self.types.intern_substitution(found), ..actual }
    }

    fn returns_generic(&mut self, function: GlobalDef) -> bool {
        let returned = self.return_type(function);
        self.types.is_generic(returned)
    }

    /// Unifies a function type with several functions. Type parameters that occur only in the types of parameters are
    /// inferred as the intersection of the parameter types of the functions (contravariant inference).
    fn unify_with_functions(
        &mut self,
        pattern: InternedType,
        functions: &[InternedType],
        inference: &mut Inference<'_>,
        depth: u32,
    ) {
        let mut found: SmallVec<[(TypeVariable, InternedTypes); 2]> = SmallVec::new();
        for function in functions {
            let mut own = Inference::new(inference.type_params, TypeBindings::new());
            self.unify_structure(pattern, *function, &mut own, depth);
            for (key, ty) in own.bindings {
                match found.iter_mut().find(|(k, _)| *k == key) {
                    Some((_, all)) => all.push(ty),
                    None => found.push((key, InternedTypes::from_slice(&[ty]))),
                }
            }
        }
        for (key, all) in found {
            if inference.bindings.iter().all(|(k, _)| *k != key) {
                let ty = self.intersect(&all);
                inference.bindings.push((key, ty));
            }
        }
    }

    /// Whether a type matches the outer structure of a pattern.
    fn matches_structure(&mut self, pattern: InternedType, actual: InternedType) -> bool {
        match self.types.kind(pattern).clone() {
            TypeKind::Reference(symbol, _) => self.type_arguments_as(actual, symbol, 0).is_some(),
            TypeKind::Function(..) => {
                let is_constructor = self.signatures(pattern, false).is_empty();
                !self.signatures(actual, is_constructor).is_empty()
            }
            TypeKind::Tuple(..) | TypeKind::VariadicTuple(_) => matches!(self.types.kind(actual), TypeKind::Tuple(..)),
            TypeKind::Anonymous(..) | TypeKind::Intersection(_) => {
                matches!(
                    self.types.kind(actual),
                    TypeKind::Anonymous(..)
                        | TypeKind::Reference(..)
                        | TypeKind::Intersection(_)
                        | TypeKind::Mapped(..)
                ) && self.is_assignable(actual, pattern)
            }
            _ => pattern == actual,
        }
    }

    /// Unifies signatures, index signatures and properties.
    fn unify_structure(
        &mut self,
        pattern: InternedType,
        actual: InternedType,
        inference: &mut Inference<'_>,
        depth: u32,
    ) {
        let least = inference.unified.entry((pattern, actual)).or_insert(u32::MAX);
        if *least <= depth {
            return;
        }
        *least = depth;
        for is_new in [false, true] {
            let expected = self.signatures(pattern, is_new);
            let Some(expected) = expected.first().copied() else { continue };
            if !actual.is_known() {
                let generic = self.return_type(expected.def);
                let result = self.substitute(generic, expected.substitution);
                self.unify_at(result, actual, inference, depth);
                continue;
            }
            let actual_part = self.signatures(actual, is_new);
            // As in TypeScript, the last overload counts: it is usually the most general.
            let Some(actual_part) = actual_part.last().copied() else { continue };
            if let Some(class) = actual_part.class {
                let value = self.types.intern(TypeKind::ClassConstructor(class, actual_part.substitution));
                let instance = self.instance_type(value, &[]);
                let generic = self.return_type(expected.def);
                let result = self.substitute(generic, expected.substitution);
                self.unify_at(result, instance, inference, depth);
                continue;
            }
            let count = self.program.function(expected.def).map_or(0, |f| f.params.len());
            let is_rest = |at: usize| {
                self.program.function(expected.def).is_some_and(|f| f.params.get(at).is_some_and(|p| p.is_rest))
            };
            let rest = (0..count).find(|at| is_rest(*at));
            for at in 0..count.min(MAX_PARAMETERS) {
                let Some(function) = self.program.function(actual_part.def) else { break };
                if Some(at) == rest {
                    // `(...args: A) => R`: `A` is the tuple of the remaining parameters.
                    // A rest parameter stays, however many parameters come before that of the pattern.
                    let has_rest = function.params.last().is_some_and(|p| p.is_rest);
                    let first = at.min(function.params.len() - usize::from(has_rest));
                    let remaining: InternedTypes = (first..function.params.len())
                        .map(|i| {
                            let generic = self.parameter_type(actual_part.def, i as u16);
                            let ty = self.substitute(generic, actual_part.substitution);
                            if function.params[i].is_rest { self.types.intern(TypeKind::Spread(ty)) } else { ty }
                        })
                        .collect();
                    let tuple = self.tuple_type(remaining);
                    let pattern = self.parameter_type(expected.def, at as u16);
                    let pattern = self.substitute(pattern, expected.substitution);
                    self.unify_at(pattern, tuple, inference, depth);
                    break;
                }
                // The type of an unannotated parameter comes from the pattern (contextual typing), not vice versa.
                if function.params.get(at).is_none_or(|p| p.annotation.is_none()) {
                    continue;
                }
                let (Some(a), Some(b)) =
                    (self.argument_parameter_type(expected.def, at), self.argument_parameter_type(actual_part.def, at))
                else {
                    break;
                };
                let a = self.substitute(a, expected.substitution);
                let b = self.substitute(b, actual_part.substitution);
                self.unify_at(a, b, inference, depth);
            }
            let generic = self.return_type(expected.def);
            let wanted_result = self.substitute(generic, expected.substitution);
            if self.types.is_generic(wanted_result) {
                let actual_part = self.instantiate_in_context(actual_part, expected, &inference.bindings, depth);
                let generic = self.return_type(actual_part.def);
                let result = self.substitute(generic, actual_part.substitution);
                self.unify_at(wanted_result, result, inference, depth);
            }
        }
        if depth > 6 {
            return;
        }
        let value = match *self.types.kind(pattern) {
            TypeKind::Anonymous(def, substitution) => {
                self.declared_index_type(def).map(|value| self.substitute(value, substitution))
            }
            _ => None,
        };
        if let Some(value) = value {
            let actual_part = self.index_signature_type(actual);
            self.unify_at(value, actual_part, inference, depth);
        }
        let Some(names) = self.property_names(pattern, 0) else { return };
        for name in names.into_iter().take(MAX_PROPERTIES) {
            let Some(expected) = self.property_type(pattern, name) else { continue };
            if !self.types.is_generic(expected) {
                continue;
            }
            // Of the platform only a part is described, so that a function or string may have any further property.
            let is_external = matches!(self.types.kind(actual), TypeKind::External);
            if let Some(found) = self.find_property(actual, name)
                && (found.member.is_some() || found.ty != InternedType::EXTERNAL || is_external)
            {
                self.unify_at(expected, found.ty, inference, depth);
            }
        }
    }

    /// The string literal type of a name.
    pub(in super::super) fn string_literal_type(&mut self, name: InternedName) -> InternedType {
        self.types.intern(TypeKind::StringLiteral(name))
    }
}
