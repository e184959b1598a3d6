//! Calls of parameters: the callees of a parameter without annotation are the functions that callers pass for it.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::resolve::{CallResolver, ResolvedCall};
use crate::typescript::{
    program::{FileIndex, GlobalDef},
    types::TypeKind,
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::UnresolvedReason,
    syntax::typescript::facts::{CallExprId, Decl, Expr, ExprId},
};

/// The greatest number of functions that pass a function on before one calls it.
const MAX_LEVELS: usize = 3;

/// The greatest number of functions that a parameter may stand for.
const MAX_FUNCTIONS: usize = 8;

/// A parameter: its function and its position.
type ParameterRef = (GlobalDef, u16);

/// The arguments for one parameter in the known calls of its function: functions, and parameters of the callers.
#[derive(Debug, Default)]
struct FunctionArguments {
    functions: SmallVec<[GlobalDef; 2]>,
    /// The parameters of callers that are passed on.
    parameters: SmallVec<[ParameterRef; 1]>,
    /// True if an argument may be anything but a named function of the sources, a parameter of the caller, `undefined`
    /// or `null`.
    is_open: bool,
}

impl CallResolver<'_, '_> {
    /// Resolves the calls of parameters for which all known callers pass functions of the sources by name. Such a call
    /// may itself pass functions, which are resolved then.
    pub(in crate::typescript) fn resolve_passed_functions(&mut self, resolved: &mut [Vec<ResolvedCall>]) {
        for _ in 0..MAX_LEVELS {
            if !self.resolve_called_parameters(resolved) {
                break;
            }
        }
    }

    /// Resolves calls of parameters. True if a call was resolved.
    fn resolve_called_parameters(&mut self, resolved: &mut [Vec<ResolvedCall>]) -> bool {
        let called = self.called_parameters(resolved);
        let mut passed: FxHashMap<ParameterRef, FunctionArguments> = FxHashMap::default();
        let mut wanted: FxHashSet<ParameterRef> = called.iter().map(|(parameter, ..)| *parameter).collect();
        for _ in 0..MAX_LEVELS {
            if wanted.is_empty() {
                break;
            }
            self.collect_passed(resolved, &wanted, &mut passed);
            let next = wanted.iter().filter_map(|parameter| passed.get(parameter)).flat_map(|p| p.parameters.clone());
            wanted = next.filter(|parameter| !passed.contains_key(parameter)).collect();
        }
        let mut is_resolved = false;
        for (parameter, file, site) in called {
            let mut functions = SmallVec::new();
            if is_closed(parameter, &passed, &mut functions, MAX_LEVELS) && !functions.is_empty() {
                resolved[file.index()][site.index()].candidates = functions;
                is_resolved = true;
            }
        }
        is_resolved
    }

    /// The unresolved calls of parameters that have no annotation but one in a comment.
    fn called_parameters(&self, resolved: &[Vec<ResolvedCall>]) -> Vec<(ParameterRef, FileIndex, CallExprId)> {
        let mut called = Vec::new();
        for (i, (file, resolved)) in self.files.iter().zip(resolved).enumerate() {
            for (at, (site, resolved)) in file.facts.calls.iter().zip(resolved).enumerate() {
                if resolved.candidates.is_empty()
                    && resolved.value.is_none()
                    && resolved.why == UnresolvedReason::Dynamic
                    && let Some(parameter) = self.named_parameter(FileIndex::new(i), site.callee)
                {
                    called.push((parameter, FileIndex::new(i), CallExprId::new(at)));
                }
            }
        }
        called
    }

    /// The parameter that an expression names, if it has no annotation but one in a comment.
    fn named_parameter(&self, file: FileIndex, expr: ExprId) -> Option<ParameterRef> {
        let facts = self.linker.program.facts(file);
        let Expr::Name { symbol: Some(symbol), .. } =
            facts.expr(self.linker.program.without_guards_and_assertions(file, expr))
        else {
            return None;
        };
        let [Decl::Parameter(def, at)] = facts.symbol(symbol).decls[..] else { return None };
        let parameter = facts.def(def).function()?.params.get(usize::from(at))?;
        // The type in a JSDoc comment does not say which function is passed.
        let is_untyped = parameter.annotation.is_none() || facts.has_comment_types;
        let is_plain = is_untyped && !parameter.is_rest && parameter.default.is_none();
        is_plain.then(|| (self.linker.program.global_def(file, def), at))
    }

    /// Adds the arguments of all calls for the parameters in `wanted`.
    fn collect_passed(
        &mut self,
        resolved: &[Vec<ResolvedCall>],
        wanted: &FxHashSet<ParameterRef>,
        passed: &mut FxHashMap<ParameterRef, FunctionArguments>,
    ) {
        let mut positions: FxHashMap<GlobalDef, SmallVec<[u16; 2]>> = FxHashMap::default();
        for &(function, at) in wanted {
            positions.entry(function).or_default().push(at);
        }
        for (i, (file, resolved)) in self.files.iter().zip(resolved).enumerate() {
            for (site, resolved) in file.facts.calls.iter().zip(resolved) {
                for &callee in &resolved.candidates {
                    let spread = site.arguments.iter().position(|argument| argument.is_spread);
                    for &at in positions.get(&callee).into_iter().flatten() {
                        let is_spread = spread.is_some_and(|spread| usize::from(at) >= spread);
                        let argument = site.arguments.get(usize::from(at)).filter(|_| !is_spread);
                        let passed = passed.entry((callee, at)).or_default();
                        match argument {
                            Some(argument) => self.add_passed(FileIndex::new(i), argument.value, passed),
                            None => passed.is_open |= is_spread,
                        }
                    }
                }
            }
        }
    }

    fn add_passed(&mut self, file: FileIndex, value: ExprId, passed: &mut FunctionArguments) {
        if let Some(parameter) = self.named_parameter(file, value) {
            if !passed.parameters.contains(&parameter) {
                passed.parameters.push(parameter);
            }
            return;
        }
        self.linker.budget.begin_query();
        let ty = self.linker.expr_type(file, value);
        match *self.linker.types.kind(ty) {
            TypeKind::Function(def, _)
                if self.linker.program.name_of(def).is_some()
                    && !self.linker.program.is_platform(def)
                    && self.linker.program.function(def).is_some_and(|function| function.has_body) =>
            {
                if !passed.functions.contains(&def) {
                    passed.functions.push(def);
                }
            }
            TypeKind::Nullish => {}
            _ => passed.is_open = true,
        }
    }
}

/// Adds the functions that callers pass for a parameter to `functions`. False if an argument may be another value, or
/// if there are too many functions.
fn is_closed(
    parameter: ParameterRef,
    passed: &FxHashMap<ParameterRef, FunctionArguments>,
    functions: &mut SmallVec<[GlobalDef; 1]>,
    levels: usize,
) -> bool {
    let Some(_level) = nesting::descend() else { return false };
    let Some(own) = passed.get(&parameter).filter(|own| !own.is_open && levels > 0) else { return false };
    for function in &own.functions {
        if !functions.contains(function) {
            functions.push(*function);
        }
    }
    functions.len() <= MAX_FUNCTIONS
        && own.parameters.iter().all(|outer| is_closed(*outer, passed, functions, levels - 1))
}
