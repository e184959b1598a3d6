//! The names of functions that a wrapper returns to a constant of a function: `show` in
//! `const show = useCallback((text: string) => {}, [])`.
//!
//! The type of such a call is the very function that is passed, or one that the passed function returns, as with
//! `useMemo`. The function is then named and counted as if the constant held it without the wrapper. A constant of the
//! top level is a definition of its own, so that the function needs no name.

use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef},
    source_file::SourceFile,
    types::TypeKind,
};
use apidisc_facts::syntax::typescript::facts::{
    CallExprId, CallExprKind, DefBody, DefId, Expr, ExprId, FileFacts, ValueSource, Variable,
};

/// How many wrappers stand around a function: two in `useCallback(debounce(() => {}), [])`.
const MAX_WRAPPERS: usize = 4;

/// Names the anonymous functions that wrappers return to constants.
pub(in crate::typescript) fn name_wrapped_functions(linker: &mut Linker<'_>, files: &[SourceFile]) {
    for (at, source) in files.iter().enumerate().filter(|(_, file)| !file.is_installed) {
        let file = FileIndex::new(at);
        for variable in &source.facts.variables {
            if let Some(function) = wrapped_function(linker, file, &source.facts, variable) {
                linker.program.name_wrapped(function, variable.name);
            }
        }
    }
}

/// The anonymous function that is certainly the value of a constant, although a call returns it.
fn wrapped_function(
    linker: &mut Linker<'_>,
    file: FileIndex,
    facts: &FileFacts,
    variable: &Variable,
) -> Option<GlobalDef> {
    let ValueSource::Value(value) = variable.source else { return None };
    if !variable.is_const || variable.annotation.is_some() || !variable.path.is_empty() {
        return None;
    }
    let Expr::Call(call) = facts.expr(value) else { return None };
    let passed = passed_function(facts, call)?;
    let is_in_function = facts.def(passed).outer.is_some_and(|outer| facts.def(outer).function().is_some());
    if !is_in_function {
        return None;
    }
    linker.budget.begin_query();
    let ty = linker.expr_type(file, value);
    let TypeKind::Function(function, _) = *linker.types.kind(ty) else { return None };
    if linker.program.file_of(function) != file {
        return None;
    }
    let local = linker.program.local_def(function);
    let is_anonymous = facts.def(local).name.is_none();
    (is_anonymous && (local == passed || returns(facts, passed, local))).then_some(function)
}

/// The function that is the first argument of a call, or of a call that is the first argument.
fn passed_function(facts: &FileFacts, call: CallExprId) -> Option<DefId> {
    let mut call = call;
    for _ in 0..MAX_WRAPPERS {
        let site = facts.site(call);
        let first = site.arguments.first().filter(|argument| !argument.is_spread && site.kind == CallExprKind::Call)?;
        match facts.expr(first.value) {
            Expr::Function(function) => return Some(function),
            Expr::Call(inner) => call = inner,
            _ => return None,
        }
    }
    None
}

/// Whether a function returns a function expression.
fn returns(facts: &FileFacts, function: DefId, returned: DefId) -> bool {
    let is_returned = |value: &ExprId| matches!(facts.expr(*value), Expr::Function(def) if def == returned);
    match &facts.def(function).body {
        DefBody::Function(function) => function.return_values.iter().any(is_returned),
        _ => false,
    }
}
