//! The signatures of constants and fields that a call makes from a function:
//! `const one = wrap((id: string) => new Api())`.
//!
//! A wrapper declares what it takes over. `<A extends unknown[], R>(f: (...a: A) => R): (...a: A) => R` returns a
//! function with the parameters and the result of `f`, and so does `<F>(f: F): (...a: Parameters<F>) => ReturnType<F>`.
//! The compiler shows such a function with the names of the parameters of `f`.

use crate::linked::shared_text;
use compact_str::{CompactString, format_compact};

use super::Describer;
use crate::linked::{LinkedParameter, LinkedSignature};
use crate::typescript::{
    program::{FileIndex, GlobalDef, GlobalTypeParam},
    types::TypeKind,
};
use apidisc_base::nesting;
use apidisc_facts::syntax::{
    MAX_PARAMETERS,
    typescript::facts::{CallExprKind, Expr, ExprId, TypeId, TypeNode},
};

/// A function that is passed to a wrapper.
struct WrappedFunction {
    def: GlobalDef,
    /// The number of its first parameters that callers of the wrapped function do not pass.
    skipped: usize,
    /// The type parameter of the wrapper for the type of the function, if there is one.
    whole: Option<GlobalTypeParam>,
    /// The type parameter of the wrapper for the result of the function, if there is one.
    result: Option<GlobalTypeParam>,
}

impl Describer<'_, '_> {
    /// Replaces the rest parameter and the result of `signature`, which describes the function type `of`, by those of
    /// the function that is passed to the call `value`.
    pub(super) fn take_over_wrapped(
        &mut self,
        file: FileIndex,
        value: ExprId,
        of: GlobalDef,
        signature: &mut LinkedSignature,
    ) {
        let Some(wrapped) = self.wrapped_function(file, value, of) else { return };
        let Some(rest) = signature.parameters.iter().position(LinkedParameter::is_variadic) else { return };
        signature.parameters.truncate(rest);
        let inner = self.linked_signature(wrapped.def, &[]);
        // The new position of each parameter.
        let mut moved: Vec<Option<u16>> = vec![None; inner.parameters.len()];
        let mut top_level = 0;
        for (at, parameter) in inner.parameters.iter().enumerate() {
            let within = parameter.within.and_then(|object| moved.get(usize::from(object)).copied().flatten());
            top_level += usize::from(parameter.within.is_none());
            let is_skipped = if parameter.within.is_some() { within.is_none() } else { top_level <= wrapped.skipped };
            if is_skipped {
                continue;
            }
            if signature.parameters.len() < MAX_PARAMETERS {
                moved[at] = Some(signature.parameters.len() as u16);
                signature.parameters.push(LinkedParameter { within, ..parameter.clone() });
            }
        }
        if signature.type_parameters.is_none() {
            signature.type_parameters = inner.type_parameters;
        }
        self.add_type_names_of_function(wrapped.def);
        let returns = self.linker.program.function(of).and_then(|function| function.returns.as_ref());
        if let Some((node, _)) = returns {
            let declaring = self.linker.program.file_of(of);
            if self.names_result(declaring, *node, &wrapped) {
                signature.returns = None;
                signature.inferred_returns = self.result_text(declaring, *node, &wrapped).map(shared_text);
            }
        }
    }

    /// The function whose parameters the rest parameter of the function type `of` stands for.
    fn wrapped_function(&mut self, file: FileIndex, value: ExprId, of: GlobalDef) -> Option<WrappedFunction> {
        let facts = self.linker.program.facts(file);
        let Expr::Call(site) = facts.expr(self.linker.program.without_assertions(file, value)) else { return None };
        let call = facts.site(site);
        if call.kind != CallExprKind::Call {
            return None;
        }
        let params = &self.linker.program.function(of)?.params;
        let last = params.len().checked_sub(1).filter(|last| params[*last].is_rest)?;
        let (rest_node, _) = params[last].annotation.as_ref()?;
        let declaring = self.linker.program.file_of(of);
        let rest = self.linker.parameter_type(of, last as u16);
        let of_parameters = self.argument_of_type(declaring, *rest_node, "Parameters");
        let (signature, _) = self.linker.resolved_signature(file, site, u16::MAX)?;
        for (at, argument) in call.arguments.iter().enumerate().take_while(|(_, argument)| !argument.is_spread) {
            let passed = self.linker.expr_type(file, argument.value);
            let TypeKind::Function(def, _) = *self.linker.types.kind(passed) else { continue };
            if self.linker.program.is_platform(def) || self.linker.program.function(signature.def)?.params.len() <= at {
                continue;
            }
            let parameter = self.linker.parameter_type(signature.def, at as u16);
            match *self.linker.types.kind(parameter) {
                TypeKind::TypeParameter(whole) if of_parameters == Some(whole) => {
                    return Some(WrappedFunction { def, skipped: 0, whole: Some(whole), result: None });
                }
                TypeKind::Function(expected, _) => {
                    let params = &self.linker.program.function(expected)?.params;
                    let Some(skipped) = params.len().checked_sub(1).filter(|last| params[*last].is_rest) else {
                        continue;
                    };
                    let taken = self.linker.parameter_type(expected, skipped as u16);
                    if taken != rest || !matches!(self.linker.types.kind(rest), TypeKind::TypeParameter(_)) {
                        continue;
                    }
                    let result = self.linker.return_type(expected);
                    let result = match *self.linker.types.kind(result) {
                        TypeKind::TypeParameter(result) => Some(result),
                        _ => None,
                    };
                    return Some(WrappedFunction { def, skipped, whole: None, result });
                }
                _ => {}
            }
        }
        None
    }

    /// The type parameter `F` of a type `Name<F>`.
    fn argument_of_type(&mut self, file: FileIndex, node: TypeId, name: &str) -> Option<GlobalTypeParam> {
        let argument = self.only_argument(file, node, name)?;
        let ty = self.linker.type_from_node(file, argument);
        match *self.linker.types.kind(ty) {
            TypeKind::TypeParameter(param) => Some(param),
            _ => None,
        }
    }

    /// The type argument of a global type `Name<T>`.
    fn only_argument(&self, file: FileIndex, node: TypeId, name: &str) -> Option<TypeId> {
        let facts = self.linker.program.facts(file);
        match facts.ty(node) {
            TypeNode::Ref { symbol: None, path, args, .. } => match (&path[..], facts.type_list(*args)) {
                (&[only], &[argument]) => Some(argument).filter(|_| facts.name(only) == name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a type node depends on the wrapped function.
    fn names_result(&mut self, file: FileIndex, node: TypeId, wrapped: &WrappedFunction) -> bool {
        let ty = self.linker.type_from_node(file, node);
        let is_result = matches!(*self.linker.types.kind(ty), TypeKind::TypeParameter(param)
            if Some(param) == wrapped.result || Some(param) == wrapped.whole);
        is_result || self.linker.types.is_generic(ty) || wrapped.whole.is_some()
    }

    /// The text of a type that depends on the result of the wrapped function: the result itself, `ReturnType<F>`,
    /// `Awaited<T>` or `Promise<T>` of one of these.
    fn result_text(&mut self, file: FileIndex, node: TypeId, wrapped: &WrappedFunction) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let ty = self.linker.type_from_node(file, node);
        let is_result = |param: Option<GlobalTypeParam>| param.is_some() && param == wrapped.result;
        let named = match *self.linker.types.kind(ty) {
            TypeKind::TypeParameter(param) => Some(param),
            _ => None,
        };
        let of_function = self.argument_of_type(file, node, "ReturnType");
        if is_result(named) || of_function.is_some() && of_function == wrapped.whole {
            let function = self.linker.program.function(wrapped.def)?;
            return match &function.returns {
                Some(returns) => {
                    Some(CompactString::new(self.annotation_text(self.linker.program.file_of(wrapped.def), returns)))
                }
                None => self.certain_return(wrapped.def),
            };
        }
        if let Some(argument) = self.only_argument(file, node, "Awaited") {
            let text = self.result_text(file, argument, wrapped)?;
            let inner = text.strip_prefix("Promise<").and_then(|inner| inner.strip_suffix('>'));
            return Some(inner.map_or_else(|| text.clone(), CompactString::new));
        }
        let argument = self.only_argument(file, node, "Promise")?;
        let text = self.result_text(file, argument, wrapped)?;
        Some(format_compact!("Promise<{text}>"))
    }
}
