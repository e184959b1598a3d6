//! The overloads of functions, and the one that a call takes.

use smallvec::SmallVec;

use super::Callees;
use crate::limits::{LinkLimit, MAX_OVERLOADS};
use crate::typescript::{
    infer::CallableSignature,
    program::{FileIndex, GlobalDef},
    types::Substitution,
};
use apidisc_facts::syntax::typescript::facts::{CallExprId, FunctionKind};

impl Callees<'_, '_> {
    /// The overload that a call takes, by its position in `overloads`. `None` if there are fewer than two, or if none
    /// accepts the number of the arguments.
    pub(in crate::typescript) fn taken_overload(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        overloads: &[GlobalDef],
    ) -> Option<u16> {
        if overloads.len() < 2 {
            return None;
        }
        self.linker.budget.begin_query();
        let (signature, _) = self.linker.resolved_signature(file, site, u16::MAX)?;
        let at = overloads.iter().position(|&overload| overload == signature.def)?;
        let arguments = &self.linker.program.facts(file).site(site).arguments;
        self.linker.accepts_argument_count(signature, arguments).then_some(at as u16)
    }

    /// The overload that a call of another declaration of the same function would take, by its position in `overloads`.
    pub(in crate::typescript) fn accepting_overload(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        overloads: &[GlobalDef],
    ) -> Option<u16> {
        if overloads.len() < 2 {
            return None;
        }
        self.linker.budget.begin_query();
        let signature = |&def: &GlobalDef| CallableSignature { def, substitution: Substitution::EMPTY, class: None };
        let signatures: SmallVec<[CallableSignature; 4]> = overloads.iter().map(signature).collect();
        let at = self.linker.resolve_overload(file, site, &signatures, None);
        let arguments = &self.linker.program.facts(file).site(site).arguments;
        self.linker.accepts_argument_count(signatures[at], arguments).then_some(at as u16)
    }

    /// The overloads that the index lists for a function or class, in source order; empty if it is not overloaded, at
    /// most [`MAX_OVERLOADS`].
    pub(in crate::typescript) fn listed_overloads(&mut self, callee: GlobalDef) -> SmallVec<[GlobalDef; 2]> {
        let function = match self.linker.program.function(callee) {
            Some(_) => Some(callee),
            None => self.linker.constructor(callee),
        };
        let Some(function) = function else { return SmallVec::new() };
        if let Some(signatures) = self.signatures_beside(function) {
            return signatures;
        }
        let all = self.linker.program.declarations_of_function(function);
        if all.len() < 2 {
            return Some(self.declared_signatures(function)).filter(|declared| declared.len() > 1).unwrap_or_default();
        }
        let is_overload = |def: &GlobalDef| self.linker.program.function(*def).is_some_and(|f| !f.has_body);
        let mut overloads = all.into_iter().filter(is_overload);
        let listed = overloads.by_ref().take(MAX_OVERLOADS).collect();
        if overloads.next().is_some() {
            self.linker.note_limit(callee, LinkLimit::Overloads(MAX_OVERLOADS));
        }
        listed
    }

    /// The call or construct signatures of the interface or object type around a signature. `None` for any other
    /// function.
    fn signatures_beside(&mut self, function: GlobalDef) -> Option<SmallVec<[GlobalDef; 2]>> {
        let is_new = match self.linker.program.function(function)?.kind {
            FunctionKind::CallSignature => false,
            FunctionKind::ConstructSignature => true,
            _ => return None,
        };
        let holder = self.linker.program.outer(function)?;
        let mut signatures = SmallVec::new();
        self.linker.add_member_signatures(holder, Substitution::EMPTY, is_new, &mut signatures);
        Some(signatures.into_iter().map(|signature| signature.def).collect())
    }

    /// Whether a function or class accepts the number of the arguments of a call.
    pub(in crate::typescript) fn accepts_call(
        &mut self,
        candidate: GlobalDef,
        file: FileIndex,
        site: CallExprId,
    ) -> bool {
        let Some(function) = self.bound_function(candidate) else { return true };
        let arguments = &self.linker.program.facts(file).site(site).arguments;
        self.linker.overloads(function).into_iter().any(|def| {
            let signature = CallableSignature { def, substitution: Substitution::EMPTY, class: None };
            self.linker.accepts_argument_count(signature, arguments)
        })
    }

    /// The function to whose parameters arguments are bound: the candidate itself, or its constructor if it is a class.
    pub(in crate::typescript) fn bound_function(&mut self, candidate: GlobalDef) -> Option<GlobalDef> {
        if self.linker.program.function(candidate).is_some() {
            Some(candidate)
        } else {
            self.linker.constructor(candidate)
        }
    }
}
