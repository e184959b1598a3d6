//! Which of several signatures a call means.

use smallvec::SmallVec;

use super::{
    callables::CallableSignature,
    infer::Linker,
    program::FileIndex,
    types::{InternedType, TypeKind},
};
use crate::syntax::typescript::facts::{Arg, Expr, ExprId};

impl Linker<'_> {
    /// The first signature that the arguments may fit.
    pub(super) fn resolve_overload(
        &mut self,
        file: FileIndex,
        arguments: &[Arg],
        signatures: &[CallableSignature],
    ) -> usize {
        if signatures.len() == 1 {
            return 0;
        }
        let spread = arguments.iter().any(|a| a.is_spread);
        let mut fitting: SmallVec<[usize; 4]> = SmallVec::new();
        for (at, signature) in signatures.iter().enumerate() {
            let Some(function) = self.program.function(signature.def) else {
                fitting.push(at);
                continue;
            };
            let required =
                function.params.iter().filter(|p| !p.is_optional && p.default.is_none() && !p.is_rest).count();
            let (least, most) = match function.params.last() {
                Some(last) if last.is_rest => self.rest_arity(*signature, required),
                _ => (required, function.params.len()),
            };
            let actual = arguments.len();
            if spread || (actual >= least && actual <= most) {
                fitting.push(at);
            }
        }
        for &at in &fitting {
            let signature = signatures[at];
            let mut may_fit = true;
            for (i, argument) in arguments.iter().enumerate() {
                if argument.is_spread {
                    break;
                }
                let is_function = matches!(self.program.facts(file).expr(argument.value), Expr::Function(_));
                let Some(generic) = self.argument_parameter_type(signature.def, i) else { break };
                let expected = self.substitute(generic, signature.substitution);
                if is_function {
                    // A function fits where something can be called, whatever it takes.
                    may_fit &=
                        !self.is_not_callable(expected) && self.accepts_parameter_count(file, argument.value, expected);
                } else {
                    let actual = self.expr_type(file, argument.value);
                    may_fit &= self.may_be_assignable(actual, expected);
                }
                if !may_fit {
                    break;
                }
            }
            if may_fit {
                return at;
            }
        }
        fitting.first().copied().unwrap_or(0)
    }

    /// How few and how many arguments a signature with a rest parameter takes: that of a tuple has its length.
    pub(super) fn rest_arity(&mut self, signature: CallableSignature, required: usize) -> (usize, usize) {
        let Some(function) = self.program.function(signature.def) else { return (0, usize::MAX) };
        let rest = function.params.len() - 1;
        let generic = self.parameter_type(signature.def, rest as u16);
        let ty = self.substitute(generic, signature.substitution);
        match self.types.kind(ty) {
            TypeKind::Tuple(items, false) => (required + items.len(), rest + items.len()),
            TypeKind::Tuple(items, true) => (required + items.len() - 1, usize::MAX),
            _ => (required, usize::MAX),
        }
    }

    /// Whether a function expression takes no more parameters than what is expected gives it.
    pub(super) fn accepts_parameter_count(&mut self, file: FileIndex, value: ExprId, expected: InternedType) -> bool {
        let Expr::Function(def) = self.program.facts(file).expr(value) else { return true };
        let signatures = self.signatures(expected, false);
        let Some(signature) = signatures.first() else { return true };
        let Some(expected) = self.program.function(signature.def) else { return true };
        let Some(actual) = self.program.facts(file).def(def).function() else { return true };
        let required = actual.params.iter().filter(|p| !p.is_optional && p.default.is_none() && !p.is_rest).count();
        expected.params.last().is_some_and(|p| p.is_rest) || required <= expected.params.len()
    }

    /// A primitive, or something else that is no function.
    pub(super) fn is_not_callable(&self, ty: InternedType) -> bool {
        match self.types.kind(ty) {
            TypeKind::String
            | TypeKind::Number
            | TypeKind::Boolean
            | TypeKind::BigInt
            | TypeKind::StringLiteral(_)
            | TypeKind::NumberLiteral(_)
            | TypeKind::BooleanLiteral(_)
            | TypeKind::Nullish
            | TypeKind::EnumObject(_)
            | TypeKind::EnumMember(..)
            | TypeKind::Tuple(..) => true,
            TypeKind::Union(constituents) => constituents.iter().all(|constituent| self.is_not_callable(*constituent)),
            TypeKind::Reference(symbol, _) => {
                Some(*symbol) == self.well_known.array
                    || Some(*symbol) == self.well_known.readonly_array
                    || Some(*symbol) == self.well_known.promise
                    || self.is_enum(*symbol)
            }
            _ => false,
        }
    }
}
