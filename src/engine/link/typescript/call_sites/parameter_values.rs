//! Parameters of JavaScript functions: a parameter without annotation has the types of its arguments in all known
//! calls. A parameter with an argument of unknown type stays unknown. Calls in tests do not count for functions outside
//! tests.

use rustc_hash::FxHashMap;

use super::resolve::{CallResolver, ResolvedCall};
use crate::typescript::{
    callees::Callees,
    infer::PassedType,
    program::{FileIndex, GlobalDef},
    source_file::SourceFile,
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_base::language::Origin;
use apidisc_facts::{
    program::UnresolvedReason,
    syntax::typescript::facts::{Arg, CallExprId, Expr},
};

/// The greatest number of functions that a value is passed through.
const MAX_ROUNDS: usize = 3;

/// The greatest number of types of one parameter.
const MAX_TYPES: usize = 4;

/// The arguments for one parameter in the known calls of its function.
#[derive(Debug, Default)]
struct ParameterArguments {
    types: InternedTypes,
    /// True if an argument is unknown, if the arguments have more than [`MAX_TYPES`] types, or if they have several
    /// types and one argument is an anonymous function.
    is_open: bool,
    /// True if a call passes no argument, so that the default applies.
    is_omitted: bool,
    /// The types of the arguments, as literal types where the arguments are literals.
    keys: InternedTypes,
}

impl CallResolver<'_, '_> {
    /// Infers the parameters of JavaScript functions from their calls, and resolves the calls that depend on them.
    pub(in crate::typescript) fn resolve_with_passed_values(&mut self, resolved: &mut [Vec<ResolvedCall>]) {
        let scripts: Vec<bool> = self.files.iter().map(SourceFile::is_javascript).collect();
        if !scripts.contains(&true) {
            return;
        }
        for _ in 0..MAX_ROUNDS {
            if !self.collect_passed_values(&scripts, resolved) {
                break;
            }
            let has_default = |&(function, at): &(GlobalDef, u16)| {
                let parameter = self.linker.program.function(function).and_then(|row| row.params.get(usize::from(at)));
                let value = parameter.and_then(|parameter| parameter.default.as_ref()).map(|(value, _)| *value);
                let facts = self.linker.program.facts(self.linker.program.file_of(function));
                value.is_some_and(|value| matches!(facts.expr(value), Expr::Name { .. } | Expr::Function(_)))
            };
            let has_defaults = self.linker.passed_types.keys().any(has_default);
            self.linker.forget_types(&scripts);
            for (i, calls) in resolved.iter_mut().enumerate().filter(|(i, _)| scripts[*i]) {
                for (site, call) in calls.iter_mut().enumerate() {
                    // A default that never applies may have resolved a call before, and a key that is never passed may
                    // have added a candidate.
                    if is_open(call) || has_defaults || call.candidates.len() > 1 {
                        *call = self.resolve_call(FileIndex::new(i), CallExprId::new(site));
                    }
                }
            }
        }
    }

    /// Collects the types of parameters. True if the type of one was not known before.
    fn collect_passed_values(&mut self, scripts: &[bool], resolved: &[Vec<ResolvedCall>]) -> bool {
        let mut passed: FxHashMap<(GlobalDef, u16), ParameterArguments> = FxHashMap::default();
        for (i, (file, resolved)) in self.files.iter().zip(resolved).enumerate() {
            for (site, resolved) in file.facts.calls.iter().zip(resolved) {
                for &candidate in &resolved.candidates {
                    let Some(function) = Callees::of(self.linker).bound_function(candidate) else { continue };
                    let declaring_file = self.linker.program.file_of(function).index();
                    // Tests pass stand-ins to the functions that they test.
                    let is_test_of_other = file.origin == Origin::Tests
                        && self.files.get(declaring_file).is_none_or(|declaring| declaring.origin != Origin::Tests);
                    if !scripts.get(declaring_file).copied().unwrap_or_default()
                        || is_test_of_other
                        || resolved.bound > 0
                    {
                        continue;
                    }
                    self.add_passed_values(FileIndex::new(i), &site.arguments, function, &mut passed);
                }
            }
        }
        let mut is_new = false;
        for (parameter, ParameterArguments { types, is_open, is_omitted, mut keys }) in passed {
            if is_open || types.is_empty() {
                continue;
            }
            let ty = self.linker.types.union(types);
            if is_omitted {
                keys.extend(self.default_of_parameter(parameter));
            }
            let is_literal = |ty: &InternedType| {
                matches!(self.linker.types.kind(*ty), TypeKind::StringLiteral(_) | TypeKind::NumberLiteral(_))
            };
            let are_literals = keys.len() <= MAX_TYPES && keys.iter().all(is_literal);
            let keys = if are_literals { self.linker.types.union(keys) } else { InternedType::ANY };
            let known = self.linker.passed_types.insert(parameter, PassedType { ty, is_omitted, keys });
            is_new |= known.is_none();
        }
        is_new
    }

    fn add_passed_values(
        &mut self,
        file: FileIndex,
        arguments: &[Arg],
        function: GlobalDef,
        passed: &mut FxHashMap<(GlobalDef, u16), ParameterArguments>,
    ) {
        let Some(row) = self.linker.program.function(function).filter(|row| row.has_body) else { return };
        let spread = arguments.iter().position(|argument| argument.is_spread).unwrap_or(usize::MAX);
        for (at, parameter) in row.params.iter().enumerate().take(usize::from(u16::MAX)) {
            if parameter.annotation.is_some() || parameter.is_rest {
                continue;
            }
            let entry = passed.entry((function, at as u16)).or_default();
            let Some(argument) = arguments.get(at).filter(|_| at < spread) else {
                entry.is_omitted = true;
                entry.is_open |= at >= spread;
                continue;
            };
            if entry.is_open {
                continue;
            }
            self.linker.budget.begin_query();
            let ty = self.linker.expr_type(file, argument.value);
            if ty == InternedType::NULLISH {
                continue;
            }
            let key = self.literal_key(ty, argument.literal.as_deref());
            if entry.keys.len() <= MAX_TYPES && !entry.keys.contains(&key) {
                entry.keys.push(key);
            }
            let ty = self.linker.widened_literal_type(ty);
            if !entry.types.contains(&ty) {
                entry.types.push(ty);
            }
            let is_unknown = !ty.is_known() || matches!(ty, InternedType::UNKNOWN | InternedType::NEVER);
            // A call of a value that may be an anonymous function has no single definition.
            let has_anonymous = entry.types.len() > 1 && entry.types.iter().any(|ty| self.is_anonymous_function(*ty));
            entry.is_open = is_unknown || has_anonymous || entry.types.len() > MAX_TYPES;
        }
    }

    /// The type of an argument, as a literal type if its text is a whole number.
    fn literal_key(&mut self, ty: InternedType, text: Option<&str>) -> InternedType {
        match text.filter(|text| ty == InternedType::NUMBER && text.parse::<u16>().is_ok()) {
            Some(text) => {
                let name = self.linker.program.names.intern(text);
                self.linker.types.intern(TypeKind::NumberLiteral(name))
            }
            None => ty,
        }
    }

    /// The type of a parameter's default, if it has one.
    fn default_of_parameter(&mut self, (function, at): (GlobalDef, u16)) -> Option<InternedType> {
        let (value, text) = self.linker.program.function(function)?.params.get(usize::from(at))?.default.as_ref()?;
        self.linker.budget.begin_query();
        let ty = self.linker.expr_type(self.linker.program.file_of(function), *value);
        Some(self.literal_key(ty, Some(text)))
    }

    fn is_anonymous_function(&self, ty: InternedType) -> bool {
        matches!(*self.linker.types.kind(ty), TypeKind::Function(def, _) if self.linker.program.name_of(def).is_none())
    }
}

/// Whether a call may have a callee that is not known yet.
fn is_open(call: &ResolvedCall) -> bool {
    call.candidates.is_empty()
        && call.value.is_none()
        && matches!(call.why, UnresolvedReason::UnknownReceiver | UnresolvedReason::Dynamic)
}
