//! The types of the parameters of lambdas. They come from the `Callable` type that a lambda is declared or passed as,
//! or from the items that a function of the standard library passes to the lambda.

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
    program::{ArgumentKind, BoundParameter},
    syntax::python::facts::{Arg, BindingKind, CallExpr, Expr, ExprId, Param},
};

impl Linker<'_> {
    /// Collects the types of the parameters of lambdas that are assigned to a name with a declared type, or are the
    /// default of an annotated parameter.
    pub(super) fn collect_declared_lambdas(&mut self, passed: &mut PassedTypes) {
        for (i, file) in self.program.files.iter().enumerate() {
            for binding in &file.facts.bindings {
                let declared = match &binding.kind {
                    BindingKind::Assign { value: Some(value), annotation: Some(annotation), unpack, .. }
                        if unpack.is_empty() =>
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
        let Some(signature) = callable.signature.as_ref().filter(|s| !s.is_synthesized && !s.is_incomplete) else {
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

    /// Collects the types of the parameters of lambdas that a function of the standard library calls with items.
    pub(super) fn collect_item_lambdas(
        &mut self,
        file: FileIndex,
        site: &CallExpr,
        callee: TypeId,
        passed: &mut PassedTypes,
    ) {
        let facts = self.program.facts(file);
        let lambda_of = |argument: &Arg| match facts.expr(argument.value) {
            Expr::Lambda(lambda) => Some(self.program.global_def(file, lambda)),
            _ => None,
        };
        let is_key = |argument: &&Arg| argument.keyword.is_some_and(|keyword| facts.name(keyword) == "key");
        let key = site.arguments.iter().find(is_key).and_then(lambda_of);
        let first = site.arguments.first().filter(|argument| argument.kind == ArgumentKind::Positional);
        let first_lambda = first.and_then(lambda_of);
        let second = site.arguments.get(1).filter(|argument| argument.kind == ArgumentKind::Positional);
        let second_lambda = second.and_then(lambda_of);
        if key.or(first_lambda).or(second_lambda).is_none() {
            return;
        }
        let values: SmallVec<[ExprId; 4]> = site
            .arguments
            .iter()
            .take_while(|argument| argument.kind == ArgumentKind::Positional)
            .map(|argument| argument.value)
            .collect();
        let mut found: SmallVec<[(GlobalDef, usize, TypeId); 2]> = SmallVec::new();
        match *self.types.get(callee) {
            Type::ExternalName(path) => match (self.program.interner.text(path), key, first_lambda, &values[..]) {
                ("sorted" | "min" | "max" | "itertools.groupby", Some(key), _, &[items])
                | ("heapq.nlargest" | "heapq.nsmallest", Some(key), _, &[_, items]) => {
                    let items = self.expr_type(file, items);
                    found.push((key, 0, self.iteration_type(items)));
                }
                ("min" | "max", Some(key), _, [_, _, ..]) => {
                    let types: Vec<TypeId> = values.iter().map(|&value| self.expr_type(file, value)).collect();
                    found.push((key, 0, self.types.union(types)));
                }
                ("itertools.groupby" | "itertools.accumulate", None, _, &[items, _]) => {
                    if let Some(lambda) = second_lambda {
                        let items = self.expr_type(file, items);
                        let item = self.iteration_type(items);
                        found.push((lambda, 0, item));
                        if self.program.interner.text(path) == "itertools.accumulate" {
                            found.push((lambda, 1, item));
                        }
                    }
                }
                ("functools.reduce", _, Some(lambda), [_, items, initial @ ..]) => {
                    let items = self.expr_type(file, *items);
                    let item = self.iteration_type(items);
                    found.push((lambda, 1, item));
                    let first = initial.first().map_or(item, |&initial| self.expr_type(file, initial));
                    found.push((lambda, 0, first));
                }
                ("filter" | "map" | "itertools.takewhile" | "itertools.dropwhile", _, Some(lambda), [_, rest @ ..]) => {
                    for (position, &items) in rest.iter().enumerate() {
                        let items = self.expr_type(file, items);
                        found.push((lambda, position, self.iteration_type(items)));
                    }
                }
                _ => {}
            },
            Type::ExternalMethod(name, list) if self.program.interner.text(name) == "sort" => {
                if let Some(key) = key {
                    found.push((key, 0, self.iteration_type(list)));
                }
            }
            _ => {}
        }
        for (lambda, position, ty) in found {
            if !ty.is_unknown() && self.is_untyped_parameter(lambda, position) {
                passed.entry((lambda, position)).or_default().add(ty);
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
                if self.is_untyped_parameter(lambda, position) {
                    argument_types.entry((lambda, position)).or_default().add(ty);
                }
            }
        }
    }
}
