//! Overload resolution.

use smallvec::SmallVec;

use super::{applicability::Fit, callables::CallableSignature, overload_tables::OverloadTable};
use crate::limits::MAX_OVERLOADS;
use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef},
    types::{InternedType, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{Arg, CallExprId, Expr, ExprId, Keyword, Param, TypeNode};

impl Linker<'_> {
    /// The position of the signature that a call takes: the first one that accepts its arguments. Signatures with a
    /// parameter of a literal type come before the others. If none accepts the arguments, it is the first one that may
    /// accept them; else the first one that accepts their number; else 0. At most [`MAX_OVERLOADS`] signatures are
    /// compared, beside those that a table rules out.
    pub(in crate::typescript) fn resolve_overload(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        signatures: &[CallableSignature],
        table: Option<&OverloadTable>,
    ) -> usize {
        if signatures.len() == 1 {
            return 0;
        }
        let row = self.program.facts(file).site(site);
        let accepts_count = |linker: &mut Self, signature: CallableSignature| {
            linker.accepts_argument_count(signature, &row.arguments)
                && linker.accepts_type_argument_count(signature, row.type_args.len())
        };
        let mut matching: SmallVec<[(usize, bool); 8]> = SmallVec::new();
        let candidates = table.map(|table| self.overload_candidates(table, file, &row.arguments));
        let mut compare = |linker: &mut Self, at: usize| {
            if accepts_count(linker, signatures[at]) {
                matching.push((at, linker.has_literal_parameter(signatures[at].def)));
            }
        };
        match candidates {
            Some(candidates) => candidates.into_iter().take(MAX_OVERLOADS).for_each(|at| compare(self, at)),
            None => (0..signatures.len()).for_each(|at| compare(self, at)),
        }
        let mut undecided: Option<usize> = None;
        for is_specialized in [true, false] {
            for &(at, _) in matching.iter().filter(|(_, has_literal)| *has_literal == is_specialized) {
                match self.signature_fit(file, site, signatures[at]) {
                    Fit::Accepted => return at,
                    Fit::Undecided => undecided = Some(undecided.map_or(at, |other| other.min(at))),
                    Fit::Refused => {}
                }
            }
        }
        // None of the signatures that a table rules out accepts the arguments, but one may be the first.
        let first = |linker: &mut Self| match table {
            Some(_) => (0..signatures.len().min(MAX_OVERLOADS)).find(|at| accepts_count(linker, signatures[*at])),
            None => matching.first().map(|(at, _)| *at),
        };
        undecided.or_else(|| first(self)).unwrap_or(0)
    }

    /// Whether the type of a parameter is a single literal, which makes the signature a specialized one.
    fn has_literal_parameter(&self, def: GlobalDef) -> bool {
        let facts = self.program.facts(self.program.file_of(def));
        let is_literal = |param: &Param| {
            let annotation = param.annotation.as_ref().map(|(ty, _)| facts.ty(*ty));
            matches!(
                annotation,
                Some(TypeNode::String(_) | TypeNode::Number(_) | TypeNode::Bool(_) | TypeNode::Keyword(Keyword::Null))
            )
        };
        self.program.function(def).is_some_and(|function| function.params.iter().any(is_literal))
    }

    /// True if a signature accepts the number of the type arguments that a call writes. A call may write none.
    fn accepts_type_argument_count(&self, signature: CallableSignature, written: usize) -> bool {
        let params = self.own_type_params(signature);
        let required = params.iter().filter(|param| self.program.type_param(**param).1.default.is_none()).count();
        written == 0 || (required..=params.len()).contains(&written)
    }

    /// True if a signature accepts the number of the arguments. A spread may pass any number.
    pub(in crate::typescript) fn accepts_argument_count(
        &mut self,
        signature: CallableSignature,
        arguments: &[Arg],
    ) -> bool {
        let Some(function) = self.program.function(signature.def) else { return true };
        let required = function.params.iter().filter(|p| !p.is_optional && p.default.is_none() && !p.is_rest).count();
        let (min, max) = match function.params.last() {
            Some(last) if last.is_rest => self.rest_arity(signature, required),
            _ => (required, function.params.len()),
        };
        arguments.iter().any(|a| a.is_spread) || (min..=max).contains(&arguments.len())
    }

    /// The least and the greatest number of arguments that a signature with a rest parameter accepts. A rest parameter
    /// of a tuple type accepts as many as the tuple has elements.
    fn rest_arity(&mut self, signature: CallableSignature, required: usize) -> (usize, usize) {
        let Some(function) = self.program.function(signature.def) else { return (0, usize::MAX) };
        let rest = function.params.len() - 1;
        let generic = self.parameter_type(signature.def, rest as u16);
        let ty = self.substitute(generic, signature.substitution);
        match self.types.kind(ty) {
            TypeKind::Tuple(items, false) => (required + items.len(), rest + items.len()),
            TypeKind::Tuple(items, true) => (required + items.len().saturating_sub(1), usize::MAX),
            TypeKind::VariadicTuple(items) => {
                let is_spread = |item: &&InternedType| matches!(self.types.kind(**item), TypeKind::Spread(_));
                (required + items.len() - items.iter().filter(is_spread).count(), usize::MAX)
            }
            _ => (required, usize::MAX),
        }
    }

    /// Whether a function expression requires no more parameters than the expected function type passes to it.
    pub(super) fn accepts_parameter_count(&mut self, file: FileIndex, value: ExprId, expected: InternedType) -> bool {
        let Expr::Function(def) = self.program.facts(file).expr(value) else { return true };
        let signatures = self.signatures(expected, false);
        let Some(signature) = signatures.first() else { return true };
        let Some(expected) = self.program.function(signature.def) else { return true };
        let Some(actual) = self.program.facts(file).def(def).function() else { return true };
        let required = actual.params.iter().filter(|p| !p.is_optional && p.default.is_none() && !p.is_rest).count();
        expected.params.last().is_some_and(|p| p.is_rest) || required <= expected.params.len()
    }

    /// True for primitives, tuples, arrays, promises and enums, which certainly cannot be called.
    pub(super) fn is_not_callable(&self, ty: InternedType) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        match self.types.kind(ty) {
            TypeKind::String
            | TypeKind::Number
            | TypeKind::Boolean
            | TypeKind::BigInt
            | TypeKind::StringLiteral(_)
            | TypeKind::Template(_)
            | TypeKind::StringMapping(..)
            | TypeKind::NumberLiteral(_)
            | TypeKind::BooleanLiteral(_)
            | TypeKind::UniqueSymbol(_)
            | TypeKind::Nullish
            | TypeKind::EnumObject(_)
            | TypeKind::EnumMember(..)
            | TypeKind::Tuple(..)
            | TypeKind::VariadicTuple(_) => true,
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
