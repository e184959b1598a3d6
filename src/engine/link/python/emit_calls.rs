//! Emits the members that the code around calls takes of their results.

use super::{
    emit::{DefinitionSource, Emitter},
    result_uses::result_uses,
};
use crate::linked::{DefinitionRow, LinkedCall, LinkedSignature};
use apidisc_facts::syntax::python::facts::{CallExprId, FileFacts};

impl Emitter<'_> {
    /// Adds the members that the code around each call takes of its result. `sites` are those of `calls`.
    pub(super) fn add_taken_members(&self, facts: &FileFacts, sites: &[CallExprId], calls: &mut [LinkedCall]) {
        let result_of = |call: &LinkedCall| match call.candidates[..] {
            [row] => self.signature_with_result(row),
            _ => None,
        };
        let of_sites = sites.iter().zip(calls.iter());
        let wanted = of_sites.filter(|(_, call)| result_of(call).is_some()).map(|(site, _)| *site).collect();
        let uses = result_uses(facts, &wanted);
        for (site, call) in sites.iter().zip(calls) {
            call.taken = match (uses.get(site), result_of(call)) {
                (Some(result), Some(signature)) => result.taken_members(facts, signature).map(Box::new),
                _ => None,
            };
        }
    }

    /// The signature of the definition at `row`, if the members of its result are known.
    fn signature_with_result(&self, row: DefinitionRow) -> Option<&LinkedSignature> {
        let DefinitionSource::Def(def) = self.sources[row.index()].1 else { return None };
        self.analysis.callables[def.index()].signature.as_deref().filter(|signature| signature.result.is_some())
    }
}
