//! Which of several signatures a call means.

use smallvec::SmallVec;

use super::{
    callables::Signature,
    infer::Linker,
    program::FileIndex,
    types::{Ty, Type},
};
use crate::syntax::typescript::facts::{Arg, Expr, ExprId};

impl Linker<'_> {
    /// The first signature that the arguments may fit.
    pub(super) fn choose(&mut self, file: FileIndex, arguments: &[Arg], signatures: &[Signature]) -> usize {
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
            let given = arguments.len();
            if spread || (given >= least && given <= most) {
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
                let Some(raw) = self.parameter_for(signature.def, i) else { break };
                let wanted = self.substitute(raw, signature.env);
                if is_function {
                    // A function fits where something can be called, whatever it takes.
                    may_fit &= !self.is_plain(wanted) && self.takes_as_many(file, argument.value, wanted);
                } else {
                    let given = self.expr(file, argument.value);
                    may_fit &= self.may_be(given, wanted);
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
    pub(super) fn rest_arity(&mut self, signature: Signature, required: usize) -> (usize, usize) {
        let Some(function) = self.program.function(signature.def) else { return (0, usize::MAX) };
        let rest = function.params.len() - 1;
        let raw = self.parameter(signature.def, rest as u16);
        let ty = self.substitute(raw, signature.env);
        match self.types.get(ty) {
            Type::Tuple(items, false) => (required + items.len(), rest + items.len()),
            Type::Tuple(items, true) => (required + items.len() - 1, usize::MAX),
            _ => (required, usize::MAX),
        }
    }

    /// Whether a function expression takes no more parameters than what is expected gives it.
    pub(super) fn takes_as_many(&mut self, file: FileIndex, value: ExprId, wanted: Ty) -> bool {
        let Expr::Function(def) = self.program.facts(file).expr(value) else { return true };
        let signatures = self.signatures(wanted, false);
        let Some(signature) = signatures.first() else { return true };
        let Some(expected) = self.program.function(signature.def) else { return true };
        let Some(given) = self.program.facts(file).def(def).function() else { return true };
        let required = given.params.iter().filter(|p| !p.is_optional && p.default.is_none() && !p.is_rest).count();
        expected.params.last().is_some_and(|p| p.is_rest) || required <= expected.params.len()
    }

    /// A primitive, or something else that is no function.
    pub(super) fn is_plain(&self, ty: Ty) -> bool {
        match self.types.get(ty) {
            Type::String
            | Type::Number
            | Type::Boolean
            | Type::BigInt
            | Type::StringLiteral(_)
            | Type::NumberLiteral(_)
            | Type::BooleanLiteral(_)
            | Type::Nothing
            | Type::Enum(_)
            | Type::EnumMember(..)
            | Type::Tuple(..) => true,
            Type::Union(parts) => parts.iter().all(|part| self.is_plain(*part)),
            Type::Named(entity, _) => {
                Some(*entity) == self.known.array
                    || Some(*entity) == self.known.readonly_array
                    || Some(*entity) == self.known.promise
                    || self.is_enum(*entity)
            }
            _ => false,
        }
    }
}
