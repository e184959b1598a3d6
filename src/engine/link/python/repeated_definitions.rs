//! Several definitions of one name, on branches or one after the other. They share the row of one of them, but a call
//! passes the parameters of the definition that it reaches.

use compact_str::format_compact;
use smallvec::SmallVec;

use super::{
    bind::bind,
    emit::Emitter,
    program::{FileIndex, GlobalDef},
    resolve::ResolvedCall,
    signatures::CallableSignature,
};
use crate::linked::{DefinitionRow, LinkedSignature};
use apidisc_facts::{
    program::{ArgumentKind, BoundParameter, ParameterKind},
    syntax::python::facts::CallExpr,
};

/// The greatest number of definitions of one name that the arguments of a call are bound to.
const MAX_TRIED: usize = 16;

/// The parameters that the arguments of a call are bound to, as positions in the signature of a definition row.
pub(super) struct BoundCall {
    pub(super) row: DefinitionRow,
    pub(super) bounds: Vec<BoundParameter>,
}

impl Emitter<'_> {
    /// Binds the arguments of a call to parameters. Of several definitions with the name of `row`, the first one that
    /// accepts the arguments is taken; definitions that reach the call are tried first. A parameter that the signature
    /// of the row lacks is bound by its name.
    pub(super) fn bind_call(
        &self,
        file: FileIndex,
        site: &CallExpr,
        resolved: &ResolvedCall,
        row: DefinitionRow,
    ) -> Option<BoundCall> {
        let facts = self.linker.program.facts(file);
        let (primary, passing) = self.callee(resolved, row)?;
        let bind_to = |def: GlobalDef| {
            let callable = &self.analysis.callables[def.index()];
            (def, bind(facts, &site.arguments, callable, passing))
        };
        let takes = |(def, bounds): &(GlobalDef, Vec<BoundParameter>)| {
            takes_arguments(site, &self.analysis.callables[def.index()], bounds)
        };
        let repeated = self.repeated.get(&row).map_or(&[][..], |repeated| repeated);
        let reached = self.reached_definitions(resolved, row);
        // Of several definitions that the call may reach, the primary one is preferred.
        let first = if reached.is_empty() || reached.contains(&primary) { primary } else { reached[0] };
        let (def, bounds) = if repeated.is_empty() && reached.len() < 2 {
            bind_to(first)
        } else {
            let all = [first].into_iter().chain(reached).chain([primary]).chain(repeated.iter().copied());
            all.take(MAX_TRIED).map(bind_to).find(takes).unwrap_or_else(|| bind_to(first))
        };
        let own_row = self.row(def).unwrap_or(row);
        if def == primary || own_row != row {
            return Some(BoundCall { row: own_row, bounds });
        }
        let signature = |def: GlobalDef| self.analysis.callables[def.index()].signature.as_ref();
        let (Some(from), Some(to)) = (signature(def), signature(primary)) else {
            return Some(BoundCall { row, bounds: bind_to(primary).1 });
        };
        let bounds = bounds.into_iter().map(|bound| rebound(bound, from, to)).collect();
        Some(BoundCall { row, bounds })
    }

    /// The definitions with the name of `row` that reach the call. Overloads are left out: their implementation
    /// represents them.
    fn reached_definitions(&self, resolved: &ResolvedCall, row: DefinitionRow) -> SmallVec<[GlobalDef; 2]> {
        let is_of_row = |def: GlobalDef| {
            self.row(def).is_some_and(|own| own == row || self.fqn(own) == self.fqn(row))
                && !self.linker.program.is_decorated(def, &["overload"])
        };
        resolved.candidates.iter().map(|candidate| candidate.def).filter(|def| is_of_row(*def)).collect()
    }
}

/// Whether a callable takes the arguments of a call: each has a parameter, and no required parameter is missing.
fn takes_arguments(site: &CallExpr, callable: &CallableSignature, bounds: &[BoundParameter]) -> bool {
    let Some(signature) = &callable.signature else { return false };
    let is_spread = |kind| matches!(kind, ArgumentKind::Star | ArgumentKind::DoubleStar);
    let has_spread = site.arguments.iter().any(|argument| is_spread(argument.kind));
    let is_bound =
        |(kind, bound): (ArgumentKind, &BoundParameter)| is_spread(kind) || *bound != BoundParameter::Unknown;
    let is_passed = |position: usize| {
        bounds.iter().any(|bound| matches!(bound, BoundParameter::Parameter(at) if usize::from(*at) == position))
    };
    has_spread
        || site.arguments.iter().map(|argument| argument.kind).zip(bounds).all(is_bound)
            && signature.parameters.iter().enumerate().all(|(at, parameter)| !parameter.required || is_passed(at))
}

/// A parameter of the signature `from` in the signature `to`: the parameter of the same name, or the name alone.
fn rebound(bound: BoundParameter, from: &LinkedSignature, to: &LinkedSignature) -> BoundParameter {
    let BoundParameter::Parameter(position) = bound else { return bound };
    let Some(parameter) = from.parameters.get(usize::from(position)) else { return BoundParameter::Unknown };
    let same = to.parameters.iter().position(|other| {
        other.name == parameter.name
            && (!other.is_variadic() && !parameter.is_variadic() || other.kind == parameter.kind)
    });
    if let Some(position) = same {
        return BoundParameter::Parameter(position as u16);
    }
    let stars = match parameter.kind {
        ParameterKind::VarPositional => "*",
        ParameterKind::VarKeyword => "**",
        _ => "",
    };
    BoundParameter::Named(format_compact!("{stars}{}", parameter.name).as_str().into())
}
