//! Interprocedural propagation: types of parameters without annotations, inferred from the arguments of all calls of
//! their function.
//!
//! A parameter gets a type only if all its arguments are known: no call of the function spreads its arguments, and
//! every argument has a type that the sources define. A decorator receives the function or class that it decorates, or
//! the result of the decorator below it.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    bind::{ReceiverPassing, bind},
    linker::Linker,
    members::{ClassMember, MemberLookup},
    program::{FileIndex, GlobalDef},
    resolve::ResolvedCall,
    signatures::CallableSignature,
    types::{Type, TypeId},
};
use crate::linked::LinkedSignature;
use apidisc_base::nesting;
use apidisc_facts::{
    program::{ArgumentKind, BoundParameter},
    syntax::python::facts::{Arg, BindingKind, CallExpr, Expr, ExprId, Param},
};

/// A function and the position of a parameter, the receiver included.
type ParameterKey = (GlobalDef, usize);

/// The arguments that calls pass to each parameter, in the order in which the parameters are found.
pub(super) type PassedTypes = IndexMap<ParameterKey, PassedValues, FxBuildHasher>;

/// The arguments that calls pass to one parameter.
#[derive(Debug, Default)]
pub(super) struct PassedValues {
    /// The types of the arguments.
    types: SmallVec<[TypeId; 2]>,
    /// The type of the default, if a call does not pass the parameter.
    default: Option<TypeId>,
    /// Arguments whose types are not known yet: they may depend on the type of another parameter.
    pending: IndexSet<(FileIndex, ExprId), FxBuildHasher>,
    /// The first dict literal that is passed, directly or by a name.
    literal: Option<(FileIndex, ExprId)>,
    /// True if an argument is not `literal`.
    has_other: bool,
    /// True if a call may pass a value that is not visible, as with `*args`, or a default of unknown type applies.
    is_open: bool,
}

impl PassedValues {
    pub(super) fn add(&mut self, ty: TypeId) {
        if !self.types.contains(&ty) {
            self.types.push(ty);
        }
    }

    fn add_literal(&mut self, literal: (FileIndex, ExprId)) {
        self.has_other |= *self.literal.get_or_insert(literal) != literal;
    }
}

impl Linker<'_> {
    /// Propagates the types of the arguments of the calls `sites` to parameters, beside those in `passed`, and forgets
    /// the types that depend on them. Returns false if nothing new was propagated.
    pub(super) fn propagate_arguments(
        &mut self,
        sites: &[(usize, usize)],
        resolved: &[Vec<ResolvedCall>],
        callables: &[CallableSignature],
        passed: &mut PassedTypes,
    ) -> bool {
        if passed.is_empty() {
            self.unused_defaults.clear();
            self.collect_declared_lambdas(passed);
            self.collect_decorated(passed);
        }
        for &(i, at) in sites {
            let (file, site) = (FileIndex::new(i), &self.program.files[i].facts.calls[at]);
            for candidate in &resolved[i][at].candidates {
                let callable = &callables[candidate.def.index()];
                let passing = candidate.passing;
                self.collect_argument_types(file, site, candidate.def, callable, passing, passed);
                self.collect_lambda_types(file, site, candidate.def, callable, passing, passed);
            }
            // Lambdas are never candidates, so the callee may be a lambda.
            if resolved[i][at].candidates.is_empty() {
                self.begin_query();
                let callee = self.expr_type(file, site.callee);
                self.collect_library_lambdas(file, site, callee, passed);
                self.collect_held_types(file, site, callables, passed);
                for &part in self.types.parts(callee).iter() {
                    if let Type::Function(lambda) = *self.types.get(part) {
                        let (callable, passing) = (&callables[lambda.index()], ReceiverPassing::Implicit);
                        self.collect_argument_types(file, site, lambda, callable, passing, passed);
                    }
                }
            }
        }
        let (types, literals) = self.known_parameters(passed);
        if self.has_propagated && types == self.propagated_types && literals == self.passed_literals {
            return false;
        }
        self.has_propagated = true;
        self.propagated_types = types;
        self.passed_literals = literals;
        self.forget_unknown();
        true
    }

    /// Returns two tables by parameter: the union of the types of its arguments, if the sources define all of these
    /// types; and the dict literal that it receives, if all calls pass the same one.
    fn known_parameters(
        &mut self,
        passed: &mut PassedTypes,
    ) -> (FxHashMap<ParameterKey, TypeId>, FxHashMap<ParameterKey, (FileIndex, ExprId)>) {
        let (mut types, mut literals) = (FxHashMap::default(), FxHashMap::default());
        for (&parameter, values) in passed.iter_mut().filter(|(_, values)| !values.is_open) {
            for (file, argument) in std::mem::take(&mut values.pending) {
                self.begin_query();
                match self.expr_type(file, argument) {
                    ty if ty.is_unknown() => _ = values.pending.insert((file, argument)),
                    ty => values.add(ty),
                }
            }
            if let (Some(literal), false) = (values.literal, values.has_other) {
                literals.insert(parameter, literal);
            }
            let is_known = values.pending.is_empty() && values.types.iter().any(|&ty| ty != TypeId::NONE);
            // The items that a function of the standard library passes to a lambda may be tuples: those of `d.items()`.
            let is_lambda = self.program.function(parameter.0).is_some_and(|function| function.is_lambda);
            let is_defined = |ty: TypeId| self.is_defined_in_sources(ty) || is_lambda && self.is_tuple_of_sources(ty);
            if is_known && values.types.iter().all(|&part| is_defined(part)) {
                // The default is what the function is written for.
                let all = values.default.into_iter().chain(values.types.iter().copied());
                types.insert(parameter, self.types.union(all));
            }
        }
        (types, literals)
    }

    /// Collects the types of the functions and classes that decorators receive, as types of the first parameters of the
    /// decorators.
    fn collect_decorated(&mut self, passed: &mut PassedTypes) {
        for def in (0..self.program.def_count()).map(GlobalDef::new) {
            if self.program.def(def).decorators.is_empty() {
                continue;
            }
            self.begin_query();
            for (decorator, decorated) in self.applied_decorators(def).0 {
                let (function, position) = match *self.types.get(decorator) {
                    Type::Function(function) => (function, 0),
                    Type::Method(function, _) => (function, 1),
                    Type::Class(class, _) => match self.called_function(self.program.class_def(class)) {
                        Some(function) => (function, 1),
                        None => continue,
                    },
                    _ => continue,
                };
                if self.is_untyped_parameter(function, position) {
                    let values = passed.entry((function, position)).or_default();
                    values.add(decorated);
                    values.has_other = true;
                }
            }
        }
    }

    /// Collects the types of a call's arguments for parameters without a type.
    fn collect_argument_types(
        &mut self,
        file: FileIndex,
        site: &CallExpr,
        def: GlobalDef,
        callable: &CallableSignature,
        passing: ReceiverPassing,
        argument_types: &mut PassedTypes,
    ) {
        let Some((function, signature)) = self.untyped_function(def, callable) else { return };
        let shift = usize::from(signature.receiver.is_some());
        // The receiver is not among the arguments.
        if passing == ReceiverPassing::FirstParameter {
            argument_types.entry((function, 0)).or_default().is_open = true;
        }
        let is_spread = site.arguments.iter().any(|a| matches!(a.kind, ArgumentKind::Star | ArgumentKind::DoubleStar));
        if is_spread {
            for position in 0..signature.parameters.len() {
                argument_types.entry((function, position + shift)).or_default().is_open = true;
            }
            return;
        }
        let bounds = bind(self.program.facts(file), &site.arguments, callable, passing);
        self.collect_defaults(function, shift, signature.parameters.len(), &bounds, argument_types);
        self.collect_bound_types(file, &site.arguments, &bounds, (function, shift), argument_types);
    }

    /// The function with the parameters of a signature, if some of them have no type.
    fn untyped_function<'c>(
        &mut self,
        def: GlobalDef,
        callable: &'c CallableSignature,
    ) -> Option<(GlobalDef, &'c LinkedSignature)> {
        let is_plain = |s: &&LinkedSignature| !s.is_synthesized && !s.is_incomplete && callable.supplied == 0;
        let signature = callable.signature.as_deref().filter(is_plain)?;
        let function = self.called_function(def)?;
        self.has_untyped_parameter(function).then_some((function, signature))
    }

    /// Collects the types of the arguments that a new object of `functools.partial` holds: `partial(f, 1)`.
    fn collect_held_types(
        &mut self,
        file: FileIndex,
        site: &CallExpr,
        callables: &[CallableSignature],
        argument_types: &mut PassedTypes,
    ) {
        let held = site.arguments.get(1..).unwrap_or_default();
        for candidate in self.partial_candidates(file, site) {
            let callable = &callables[candidate.def.index()];
            let Some((function, signature)) = self.untyped_function(candidate.def, callable) else { continue };
            let shift = usize::from(signature.receiver.is_some());
            let bounds = bind(self.program.facts(file), held, callable, candidate.passing);
            self.collect_bound_types(file, held, &bounds, (function, shift), argument_types);
        }
    }

    /// Collects the types of arguments that are bound to the parameters of a function, whose signature leaves out the
    /// first `shift` ones.
    fn collect_bound_types(
        &mut self,
        file: FileIndex,
        arguments: &[Arg],
        bounds: &[BoundParameter],
        (function, shift): (GlobalDef, usize),
        argument_types: &mut PassedTypes,
    ) {
        for (argument, bound) in arguments.iter().zip(bounds) {
            // The types of decorated definitions are collected on their own.
            let is_decorated = argument.kind == ArgumentKind::Decorated;
            if let (BoundParameter::Parameter(position), false) = (bound, is_decorated) {
                let parameter = (function, usize::from(*position) + shift);
                if self.is_untyped_parameter(parameter.0, parameter.1) {
                    self.begin_query();
                    let ty = self.expr_type(file, argument.value);
                    let literal = self.argument_literal(file, argument.value);
                    let is_itself = self.is_parameter(file, argument.value, parameter);
                    let values = argument_types.entry(parameter).or_default();
                    match literal {
                        Some(literal) => values.add_literal(literal),
                        None => values.has_other = true,
                    }
                    if !ty.is_unknown() {
                        values.add(ty);
                    } else if !is_itself {
                        values.pending.insert((file, argument.value));
                    }
                }
            }
        }
    }

    /// Adds the types of the defaults of the parameters that a call does not pass. Each default is added once.
    fn collect_defaults(
        &mut self,
        function: GlobalDef,
        shift: usize,
        parameters: usize,
        bounds: &[BoundParameter],
        argument_types: &mut PassedTypes,
    ) {
        let Some(facts) = self.program.function(function) else { return };
        let file = self.program.file_of(function);
        let default_at = |position: usize| facts.parameters.get(position + shift)?.default.as_ref();
        let known = self.unused_defaults.remove(&(function, shift));
        let mut left = known.unwrap_or_else(|| {
            let is_untyped = |&position: &usize| {
                default_at(position).is_some() && self.is_untyped_parameter(function, position + shift)
            };
            (0..parameters).filter(is_untyped).collect()
        });
        if !left.is_empty() {
            let position_of = |bound: &BoundParameter| match bound {
                BoundParameter::Parameter(position) => Some(usize::from(*position)),
                _ => None,
            };
            let passed: FxHashSet<usize> = bounds.iter().filter_map(position_of).collect();
            left.retain(|position| {
                let Some((default, _)) = default_at(*position).filter(|_| !passed.contains(position)) else {
                    return true;
                };
                self.begin_query();
                let ty = self.expr_type(file, *default);
                let values = argument_types.entry((function, position + shift)).or_default();
                values.has_other = true;
                if ty.is_unknown() {
                    values.is_open = true;
                } else {
                    values.default = Some(ty);
                    values.add(ty);
                }
                false
            });
        }
        self.unused_defaults.insert((function, shift), left);
    }

    /// The function that a call of a definition runs: `__init__` for a class.
    pub(super) fn called_function(&mut self, def: GlobalDef) -> Option<GlobalDef> {
        let Some(class) = self.program.class_of(def) else { return Some(def) };
        let init = self.program.interner.intern("__init__");
        match self.lookup_member(class, init) {
            MemberLookup::Found(ClassMember::Function { def, .. }) => self.program.owner(def).map(|_| def),
            _ => None,
        }
    }

    fn has_untyped_parameter(&self, def: GlobalDef) -> bool {
        self.program
            .function(def)
            .is_some_and(|f| (0..f.parameters.len()).any(|position| self.is_untyped_parameter(def, position)))
    }

    /// True if the expression reads the parameter itself, not reassigned: a recursive call that passes the parameter on
    /// adds no type.
    fn is_parameter(&self, file: FileIndex, expr: ExprId, (def, position): ParameterKey) -> bool {
        let facts = self.program.facts(file);
        let Expr::Name { reaching, .. } = facts.expr(expr) else { return false };
        let &[binding] = facts.reaching(reaching) else { return false };
        match facts.bindings[binding.index()].kind {
            BindingKind::Parameter(function, at) => {
                self.program.global_def(file, function) == def && at as usize == position
            }
            _ => false,
        }
    }

    /// True for a parameter, other than the receiver, whose type is inferred from calls: it has no annotation, and no
    /// default that fixes the type (see [`Self::has_open_default`]).
    pub(super) fn is_untyped_parameter(&self, def: GlobalDef, position: usize) -> bool {
        let is_receiver =
            position == 0 && self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod"]);
        self.program.function(def).and_then(|f| f.parameters.get(position)).is_some_and(|p| {
            p.annotation.is_none() && !is_receiver && self.has_open_default(p, self.program.file_of(def))
        })
    }

    /// True if a parameter has no default, or a default from which the type of the other arguments does not follow:
    /// `None`, a name, an attribute or a lambda.
    pub(super) fn has_open_default(&self, parameter: &Param, file: FileIndex) -> bool {
        let Some((default, _)) = parameter.default else { return true };
        let facts = self.program.facts(file);
        matches!(facts.expr(default), Expr::None | Expr::Name { .. } | Expr::Attribute { .. } | Expr::Lambda(_))
    }

    /// True for a tuple with an item whose type the sources define.
    fn is_tuple_of_sources(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Tuple(items) => items.iter().any(|&item| self.is_defined_in_sources(item) && item != TypeId::NONE),
            _ => false,
        }
    }

    /// True if the type is defined by the sources.
    pub(super) fn is_defined_in_sources(&self, ty: TypeId) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        match self.types.get(ty) {
            Type::Function(_) | Type::Method(..) | Type::Class(..) | Type::Instance(..) | Type::None => true,
            Type::Union(parts) => parts.iter().all(|&part| self.is_defined_in_sources(part)),
            Type::ExternalInstance(..) => self.behind_partial(ty).is_some(),
            _ => false,
        }
    }
}
