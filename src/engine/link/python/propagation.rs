//! Interprocedural propagation: types of parameters without annotations, inferred from the arguments of all calls of
//! their function.
//!
//! A parameter gets a type only if all its arguments are known: no call of the function spreads its arguments, and
//! every argument has a type that the sources define. Applications of decorators are not calls: the calls of the
//! wrapper are counted instead.

use rustc_hash::FxHashMap;

use super::{
    bind::bind,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    program::{FileIndex, GlobalDef},
    resolve::ResolvedCall,
    signatures::CallableSignature,
    types::{Type, TypeId},
};
use crate::{
    program::{ArgumentKind, BoundParameter},
    syntax::python::facts::{BindingKind, CallExpr, Expr},
};

/// Types by function and position of the parameter, the receiver included.
type ParameterTypes = FxHashMap<(GlobalDef, usize), TypeId>;

/// The types of the arguments that calls pass, by function and position of the parameter.
pub(super) type PassedTypes = FxHashMap<(GlobalDef, usize), Vec<TypeId>>;

impl Linker<'_> {
    /// Propagates the types of the arguments of the calls `sites` to parameters, beside those in `passed`, and forgets the
    /// types that depend on them. Returns false if nothing new was propagated.
    pub(super) fn propagate_arguments(
        &mut self,
        sites: &[(usize, usize)],
        resolved: &[Vec<ResolvedCall>],
        callables: &[CallableSignature],
        passed: &mut PassedTypes,
    ) -> bool {
        if passed.is_empty() {
            self.collect_declared_lambdas(passed);
        }
        for &(i, at) in sites {
            let (file, site) = (FileIndex::new(i), &self.program.files[i].facts.calls[at]);
            for candidate in &resolved[i][at].candidates {
                let callable = &callables[candidate.def.index()];
                let explicit_receiver = candidate.explicit_receiver;
                self.collect_argument_types(file, site, candidate.def, callable, explicit_receiver, passed);
                self.collect_lambda_types(file, site, candidate.def, callable, explicit_receiver, passed);
            }
        }
        let mut parameter_types = ParameterTypes::default();
        for (&parameter, types) in &*passed {
            if !types.is_empty() && types.iter().all(|&part| self.is_defined_in_sources(part)) {
                parameter_types.insert(parameter, self.types.union(types.iter().copied()));
            }
        }
        if parameter_types == self.propagated_types {
            return false;
        }
        self.propagated_types = parameter_types;
        self.forget_unknown();
        true
    }

    /// Collects the types of the parameters of lambdas that are assigned to a name with a declared type.
    fn collect_declared_lambdas(&mut self, passed: &mut PassedTypes) {
        for (i, file) in self.program.files.iter().enumerate() {
            for binding in &file.facts.bindings {
                if let BindingKind::Assign { value: Some(value), annotation: Some(annotation), unpack, .. } =
                    &binding.kind
                    && unpack.is_empty()
                    && let Expr::Lambda(lambda) = file.facts.expr(*value)
                {
                    self.begin_question();
                    let declared = self.annotation_type(FileIndex::new(i), *annotation);
                    let lambda = self.program.global_def(FileIndex::new(i), lambda);
                    self.add_lambda_types(lambda, declared, passed);
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
        explicit_receiver: bool,
        argument_types: &mut PassedTypes,
    ) {
        let Some(signature) = callable.signature.as_ref().filter(|s| !s.is_synthesized && !s.is_incomplete) else {
            return;
        };
        let Some(function) = self.called_function(def) else { return };
        if !self.has_untyped_parameter(function) {
            return;
        }
        let shift = usize::from(signature.receiver.is_some());
        let is_spread = site.arguments.iter().any(|a| matches!(a.kind, ArgumentKind::Star | ArgumentKind::DoubleStar));
        if is_spread {
            for position in 0..signature.parameters.len() {
                argument_types.entry((function, position + shift)).or_default().push(TypeId::UNKNOWN);
            }
            return;
        }
        let bounds = bind(self.program.facts(file), &site.arguments, callable, explicit_receiver);
        for (argument, bound) in site.arguments.iter().zip(bounds) {
            if let BoundParameter::Parameter(position) = bound {
                let parameter = (function, position as usize + shift);
                if self.is_untyped_parameter(parameter.0, parameter.1) {
                    self.begin_question();
                    let ty = self.expr_type(file, argument.value);
                    let seen = argument_types.entry(parameter).or_default();
                    if !seen.contains(&ty) {
                        seen.push(ty);
                    }
                }
            }
        }
    }

    /// Collects the types of the parameters of lambdas that a call passes: those of the `Callable` that annotates the
    /// parameter.
    fn collect_lambda_types(
        &mut self,
        file: FileIndex,
        site: &CallExpr,
        def: GlobalDef,
        callable: &CallableSignature,
        explicit_receiver: bool,
        argument_types: &mut PassedTypes,
    ) {
        let facts = self.program.facts(file);
        let is_lambda = |value| matches!(facts.expr(value), Expr::Lambda(_));
        if !site.arguments.iter().any(|argument| is_lambda(argument.value)) {
            return;
        }
        let Some(signature) = callable.signature.as_ref().filter(|s| !s.is_synthesized && !s.is_incomplete) else {
            return;
        };
        let Some(function) = self.called_function(def) else { return };
        let shift = usize::from(signature.receiver.is_some());
        let bounds = bind(facts, &site.arguments, callable, explicit_receiver);
        for (argument, bound) in site.arguments.iter().zip(bounds) {
            let (Expr::Lambda(lambda), BoundParameter::Parameter(position)) = (facts.expr(argument.value), bound)
            else {
                continue;
            };
            let parameters = self.program.function(function).map_or(&[][..], |function| &function.parameters);
            let annotation = parameters.get(usize::from(position) + shift).and_then(|p| p.annotation.as_ref());
            if let Some((annotation, _)) = annotation {
                self.begin_question();
                let declared = self.annotation_type(self.program.file_of(function), *annotation);
                let lambda = self.program.global_def(file, lambda);
                self.add_lambda_types(lambda, declared, argument_types);
            }
        }
    }

    /// Adds the types of the parameters of a lambda whose declared type is a `Callable`, or a union with one.
    fn add_lambda_types(&mut self, lambda: GlobalDef, declared: TypeId, argument_types: &mut PassedTypes) {
        for part in self.types.parts(declared).iter() {
            let Type::ExternalInstance(path, parts) = self.types.get(*part).clone() else { continue };
            if self.program.interner.text(path) != "Callable" {
                continue;
            }
            for (position, &ty) in parts.iter().skip(1).enumerate() {
                let seen = argument_types.entry((lambda, position)).or_default();
                if self.is_untyped_parameter(lambda, position) && !seen.contains(&ty) {
                    seen.push(ty);
                }
            }
        }
    }

    /// The function that a call of a definition runs: `__init__` for a class.
    fn called_function(&mut self, def: GlobalDef) -> Option<GlobalDef> {
        let Some(class) = self.program.class_of(def) else { return Some(def) };
        let init = self.program.interner.intern("__init__");
        match self.lookup_member(class, init) {
            MemberLookup::Found(ClassMember::Function { def, .. }) => Some(def),
            _ => None,
        }
    }

    fn has_untyped_parameter(&self, def: GlobalDef) -> bool {
        self.program
            .function(def)
            .is_some_and(|f| (0..f.parameters.len()).any(|position| self.is_untyped_parameter(def, position)))
    }

    /// True for a parameter without annotation and default: its type can be inferred from calls only.
    fn is_untyped_parameter(&self, def: GlobalDef, position: usize) -> bool {
        let is_receiver =
            position == 0 && self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod"]);
        self.program
            .function(def)
            .and_then(|f| f.parameters.get(position))
            .is_some_and(|p| p.annotation.is_none() && p.default.is_none() && !is_receiver)
    }

    /// True if the type is defined by the sources.
    fn is_defined_in_sources(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Function(_) | Type::Method(..) | Type::Class(..) | Type::Instance(..) | Type::None => true,
            Type::Union(parts) => parts.iter().all(|&part| self.is_defined_in_sources(part)),
            _ => false,
        }
    }
}
