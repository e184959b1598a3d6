//! Whether the arguments of a call may be passed to the parameters of a signature.

use smallvec::SmallVec;

use super::{callables::CallableSignature, calls::InferenceStop};
use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef, GlobalTypeParam},
    types::{InternedType, Substitution, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{CallExprId, Expr, ExprId, TypeNode};

/// The greatest nesting of unions, constraints and branches of conditional types that one comparison follows.
const MAX_DEPTH: u32 = 8;

/// Whether an argument may be passed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// Passing the argument is a type error.
    Refused,
    /// The type of the argument or of the parameter is not known well enough.
    Undecided,
    Accepted,
}

/// An argument: a function expression, whose parameters get their types from the parameter that it is passed for, or a
/// value of a type.
#[derive(Clone, Copy, Debug)]
enum ArgumentValue {
    Function(FileIndex, ExprId),
    Value(InternedType),
}

impl Linker<'_> {
    /// Whether a signature accepts the types of the arguments of a call. Their number is not compared.
    pub(super) fn signature_fit(&mut self, file: FileIndex, site: CallExprId, signature: CallableSignature) -> Fit {
        let row = self.program.facts(file).site(site);
        let explicit = self.explicit_substitution(file, site, signature);
        let mut all = Fit::Accepted;
        for (at, argument) in row.arguments.iter().enumerate().take_while(|(_, argument)| !argument.is_spread) {
            let Some(generic) = self.argument_parameter_type(signature.def, at) else { break };
            let expected = self.substitute(generic, explicit);
            let passed = match self.program.facts(file).expr(argument.value) {
                Expr::Function(_) => ArgumentValue::Function(file, argument.value),
                _ => ArgumentValue::Value(self.expr_type(file, argument.value)),
            };
            let mut fit = self.fit(passed, expected, 0);
            if fit == Fit::Undecided && self.is_decided_by_inference(file, site, signature, passed, generic, expected) {
                fit = Fit::Accepted;
            }
            all = all.min(fit);
            if all == Fit::Refused {
                break;
            }
        }
        all
    }

    /// Whether the type arguments that the call infers decide a parameter's type, such as the branch of a conditional
    /// type, and the decided type accepts the argument.
    fn is_decided_by_inference(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        signature: CallableSignature,
        passed: ArgumentValue,
        generic: InternedType,
        expected: InternedType,
    ) -> bool {
        if !self.is_deferred(expected) {
            return false;
        }
        // No argument that takes its type from a parameter takes part: it is the parameter's type that is asked for.
        let inferred = self.instantiate_signature(file, site, signature, InferenceStop::before_argument(0));
        let decided = self.substitute(generic, inferred);
        decided.is_known() && self.fit(passed, decided, 0) == Fit::Accepted
    }

    /// The substitution of a signature with the type arguments that a call writes.
    fn explicit_substitution(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        signature: CallableSignature,
    ) -> Substitution {
        let row = self.program.facts(file).site(site);
        if row.type_args.is_empty() {
            return signature.substitution;
        }
        let args = self.type_arguments(file, &row.type_args);
        let mut bindings = TypeBindings::from_slice(self.types.bindings(signature.substitution));
        for (param, ty) in self.own_type_params(signature).into_iter().zip(args) {
            bindings.push((TypeVariable::Parameter(param), ty));
        }
        self.types.intern_substitution(bindings)
    }

    /// The type parameters that a call of a signature infers: those of the function, or of the class that `new`
    /// instantiates.
    pub(in super::super) fn own_type_params(&self, signature: CallableSignature) -> SmallVec<[GlobalTypeParam; 4]> {
        let owner = signature.class.unwrap_or(signature.def);
        let file = self.program.file_of(owner);
        self.program.def(owner).type_params().iter().map(|param| self.program.global_param(file, *param)).collect()
    }

    /// Whether an argument may be passed for a parameter of the type `expected`.
    fn fit(&mut self, passed: ArgumentValue, expected: InternedType, depth: u32) -> Fit {
        if depth > MAX_DEPTH {
            return Fit::Undecided;
        }
        let Some(_level) = self.descend() else { return Fit::Undecided };
        let depth = depth + 1;
        match self.types.kind(expected).clone() {
            TypeKind::Any | TypeKind::Unknown | TypeKind::External => Fit::Accepted,
            TypeKind::Never => match passed {
                ArgumentValue::Value(InternedType::NEVER) => Fit::Accepted,
                _ => Fit::Refused,
            },
            TypeKind::TypeParameter(_) => match self.constraint(expected) {
                Some(constraint) => self.fit(passed, constraint, depth),
                None => Fit::Accepted,
            },
            TypeKind::IndexedAccess(..) => match self.constraint(expected) {
                Some(constraint) => self.fit(passed, constraint, depth).min(Fit::Undecided),
                None => Fit::Undecided,
            },
            // The condition is not decided, so an argument that fits a branch may be accepted.
            TypeKind::Conditional(file, id, substitution) => {
                let TypeNode::Conditional { positive, negative, .. } = *self.program.facts(file).ty(id) else {
                    return Fit::Undecided;
                };
                let mut fit = Fit::Refused;
                for branch in [positive, negative] {
                    let generic = self.type_from_node(file, branch);
                    let branch = self.substitute(generic, substitution);
                    fit = fit.max(self.fit(passed, branch, depth));
                }
                fit.min(Fit::Undecided)
            }
            TypeKind::Union(parts) => match passed {
                // Each alternative of the argument may fit another part.
                ArgumentValue::Value(actual) if self.is_deferred(expected) => {
                    let alternatives = self.types.constituents(actual).into_iter();
                    let fit = |actual| self.best_fit(ArgumentValue::Value(actual), &parts, depth);
                    alternatives.map(fit).min().unwrap_or(Fit::Undecided)
                }
                ArgumentValue::Value(actual) => self.value_fit(actual, expected),
                ArgumentValue::Function(..) => self.best_fit(passed, &parts, depth),
            },
            _ => match passed {
                ArgumentValue::Value(actual) => self.value_fit(actual, expected),
                ArgumentValue::Function(file, value) => self.function_fit(file, value, expected),
            },
        }
    }

    fn best_fit(&mut self, passed: ArgumentValue, parts: &[InternedType], depth: u32) -> Fit {
        parts.iter().map(|part| self.fit(passed, *part, depth)).max().unwrap_or(Fit::Refused)
    }

    fn value_fit(&mut self, actual: InternedType, expected: InternedType) -> Fit {
        if !actual.is_known() {
            return Fit::Undecided;
        }
        match self.is_assignable(actual, expected) {
            true => Fit::Accepted,
            // Whether the sources are checked for `null` and `undefined` is not known.
            false if actual == InternedType::NULLISH => Fit::Undecided,
            false => Fit::Refused,
        }
    }

    /// Whether a function expression may be passed. It is accepted for any function type that passes enough arguments,
    /// regardless of the types of its parameters.
    fn function_fit(&mut self, file: FileIndex, value: ExprId, expected: InternedType) -> Fit {
        if self.is_not_callable(expected) {
            return Fit::Refused;
        }
        let is_function =
            |kind: &TypeKind, function| matches!(kind, TypeKind::Reference(symbol, _) if Some(*symbol) == function);
        if is_function(self.types.kind(expected), self.well_known.function) {
            return Fit::Accepted;
        }
        let Some(signature) = self.signatures(expected, false).first().copied() else {
            // An object type whose required properties a function has, such as one with optional properties only.
            let actual = self.expr_type(file, value);
            return if self.may_be_assignable(actual, expected) { Fit::Undecided } else { Fit::Refused };
        };
        if !self.accepts_parameter_count(file, value, expected) {
            return Fit::Refused;
        }
        let facts = self.program.facts(file);
        let actual = match facts.expr(value) {
            Expr::Function(def) => facts.def(def).function(),
            _ => None,
        };
        match actual {
            Some(actual) if self.returns_predicate(signature.def) => match &actual.returns {
                Some((ty, _)) if matches!(facts.ty(*ty), TypeNode::Predicate { .. }) => Fit::Accepted,
                Some(_) => Fit::Refused,
                // A type predicate is inferred (TypeScript 5.5).
                None if actual.tested.is_some() => Fit::Accepted,
                None => Fit::Undecided,
            },
            _ => Fit::Accepted,
        }
    }

    /// Whether the result of a signature is a type predicate: `value is T`.
    fn returns_predicate(&self, signature: GlobalDef) -> bool {
        let facts = self.program.facts(self.program.file_of(signature));
        let returns = self.program.function(signature).and_then(|function| function.returns.as_ref());
        returns.is_some_and(|(ty, _)| matches!(facts.ty(*ty), TypeNode::Predicate { asserts: false, .. }))
    }
}
