//! The types of the parameters of lambdas. They come from the `Callable` type that a lambda is declared or passed as,
//! which declaration files of libraries give too.

use smallvec::SmallVec;

use super::{
    bind::{ReceiverPassing, bind},
    calls::PassedArguments,
    linker::Linker,
    program::{FileIndex, GlobalDef},
    propagation::PassedTypes,
    signatures::CallableSignature,
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::BoundParameter,
    syntax::python::facts::{BindingKind, CallExpr, Expr, Param},
};

impl Linker<'_> {
    /// Collects the types of the parameters of lambdas that are assigned to a name with a declared type, or are the
    /// default of an annotated parameter.
    pub(super) fn collect_declared_lambdas(&mut self, passed: &mut PassedTypes) {
        for (i, file) in self.program.files.iter().enumerate() {
            for binding in &file.facts.bindings {
                let declared = match &binding.kind {
                    BindingKind::Assign { value: Some(value), annotation: Some(annotation), unpack, .. }
                        if unpack.is_none() =>
                    {
                        Some((*value, *annotation))
                    }
                    BindingKind::Parameter(def, position) => {
                        let function = file.facts.def(*def).function();
                        let parameter = function.and_then(|function| function.parameters.get(*position as usize));
                        let parts = |p: &Param| Some((p.default.as_ref()?.0, p.annotation.as_ref()?.0));
                        parameter.and_then(parts)
                    }
                    _ => None,
                };
                if let Some((value, annotation)) = declared
                    && let Expr::Lambda(lambda) = file.facts.expr(value)
                {
                    self.begin_query();
                    let declared = self.annotation_type(FileIndex::new(i), annotation);
                    let lambda = self.program.global_def(FileIndex::new(i), lambda);
                    self.add_lambda_types(lambda, declared, passed);
                }
            }
        }
    }

    /// Collects the types of the parameters of lambdas that a call passes: those of the `Callable` that annotates the
    /// parameter.
    pub(super) fn collect_lambda_types(
        &mut self,
        file: FileIndex,
        site: &CallExpr,
        def: GlobalDef,
        callable: &CallableSignature,
        passing: ReceiverPassing,
        argument_types: &mut PassedTypes,
    ) {
        let facts = self.program.facts(file);
        let is_lambda = |value| matches!(facts.expr(value), Expr::Lambda(_));
        if !site.arguments.iter().any(|argument| is_lambda(argument.value)) {
            return;
        }
        let Some(signature) =
            callable.signature.as_ref().filter(|s| !s.is_synthesized && !s.is_incomplete && callable.supplied == 0)
        else {
            return;
        };
        let Some(function) = self.called_function(def) else { return };
        let shift = usize::from(signature.receiver.is_some());
        let bounds = bind(facts, &site.arguments, callable, passing);
        for (argument, bound) in site.arguments.iter().zip(bounds) {
            let (Expr::Lambda(lambda), BoundParameter::Parameter(position)) = (facts.expr(argument.value), bound)
            else {
                continue;
            };
            let parameters = self.program.function(function).map_or(&[][..], |function| &function.parameters);
            let annotation = parameters.get(usize::from(position) + shift).and_then(|p| p.annotation.as_ref());
            if let Some((annotation, _)) = annotation {
                self.begin_query();
                let mut declared = self.annotation_type(self.program.file_of(function), *annotation);
                if self.types.has_variable(declared) {
                    let passed =
                        PassedArguments { file, arguments: &site.arguments, types: &[], decorated_function: None };
                    let is_bound = match passing {
                        ReceiverPassing::Implicit => shift > 0,
                        ReceiverPassing::Argument => false,
                        ReceiverPassing::FirstParameter => true,
                    };
                    let callee = self.expr_type(file, site.callee);
                    let map = self.type_arguments_of_call(callee, function, is_bound, passed);
                    declared = self.substitute(declared, &map);
                }
                let lambda = self.program.global_def(file, lambda);
                self.add_lambda_types(lambda, declared, argument_types);
            }
        }
    }

    /// Collects the types of the parameters of lambdas that a call passes to a function or method of a declaration
    /// file.
    pub(super) fn collect_library_lambdas(
        &mut self,
        file: FileIndex,
        site: &CallExpr,
        callee: TypeId,
        argument_types: &mut PassedTypes,
    ) {
        let facts = self.program.facts(file);
        if !site.arguments.iter().any(|argument| matches!(facts.expr(argument.value), Expr::Lambda(_))) {
            return;
        }
        let Some((def, is_bound)) = self.library_function(callee) else { return };
        let passed = PassedArguments { file, arguments: &site.arguments, types: &[], decorated_function: None };
        let def = self.select_overload(def, is_bound, Some(passed));
        let declaration = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return };
        let mut map = self.type_arguments_of_call(callee, def, is_bound, passed);
        let matched = self.matched_parameters(def, is_bound, passed);
        for (argument, position) in site.arguments.iter().zip(matched) {
            let (Expr::Lambda(lambda), Some(position)) = (facts.expr(argument.value), position) else { continue };
            let Some((annotation, _)) = function.parameters[position].annotation.as_ref() else { continue };
            let declared = self.annotation_type(declaration, *annotation);
            self.bind_unknown(declared, &mut map);
            let declared = self.substitute(declared, &map);
            let lambda = self.program.global_def(file, lambda);
            for (position, ty) in self.lambda_parameters(lambda, declared) {
                if !ty.is_unknown() {
                    argument_types.entry((lambda, position)).or_default().add(ty);
                }
            }
        }
    }

    /// Adds the types of the parameters of a lambda whose declared type is a `Callable`, or a union with one.
    fn add_lambda_types(&mut self, lambda: GlobalDef, declared: TypeId, argument_types: &mut PassedTypes) {
        for (position, ty) in self.lambda_parameters(lambda, declared) {
            argument_types.entry((lambda, position)).or_default().add(ty);
        }
    }

    /// The types that the `Callable` types in a declared type give the parameters of a lambda, by position.
    fn lambda_parameters(&self, lambda: GlobalDef, declared: TypeId) -> SmallVec<[(usize, TypeId); 2]> {
        let mut found = SmallVec::new();
        for &part in self.types.parts(declared).iter() {
            let Type::ExternalInstance(path, parts) = self.types.get(part) else { continue };
            if self.program.interner.text(*path) == "Callable" {
                let parameters = parts.iter().skip(1).copied().enumerate();
                found.extend(parameters.filter(|&(position, _)| self.is_untyped_parameter(lambda, position)));
            }
        }
        found
    }
}
