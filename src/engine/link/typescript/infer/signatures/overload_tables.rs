//! Tables of callees with many signatures.
//!
//! A call compares its arguments with one signature after the other. The signatures of event emitters and factories
//! differ in a string that a parameter requires: `on(event: "open", …)`, `on(event: "close", …)`. Of those, only the
//! ones with the string that a call passes are compared, however many there are.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::callables::CallableSignature;
use crate::limits::{LinkLimit, MAX_OVERLOADS};
use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef, InternedName},
    types::InternedType,
};
use apidisc_facts::syntax::typescript::facts::{Arg, Expr, TypeNode};

/// A callee with more signatures has a table.
const MANY_SIGNATURES: usize = 16;

/// The number of parameters among which the one that requires a string is looked for.
const MAX_POSITION: usize = 2;

/// The signatures of a callee that has many.
#[derive(Debug)]
pub(in crate::typescript) struct OverloadTable {
    signatures: SmallVec<[CallableSignature; 2]>,
    /// The position of the parameter that requires a string in most signatures.
    parameter: usize,
    /// The positions of the signatures whose parameter requires a string, by the string.
    by_string: FxHashMap<InternedName, SmallVec<[u32; 1]>>,
    /// The positions of the other signatures.
    others: Vec<u32>,
}

/// The signatures of a callee.
#[derive(Debug)]
pub(super) enum CalleeSignatures {
    Few(SmallVec<[CallableSignature; 2]>),
    Many(Arc<OverloadTable>),
}

impl CalleeSignatures {
    pub(in super::super) fn all(&self) -> &[CallableSignature] {
        match self {
            Self::Few(signatures) => signatures,
            Self::Many(table) => &table.signatures,
        }
    }

    pub(in super::super) fn table(&self) -> Option<&OverloadTable> {
        match self {
            Self::Few(_) => None,
            Self::Many(table) => Some(table),
        }
    }
}

impl OverloadTable {
    /// The positions of the signatures that a call may take, in order. `string` is the string that it passes for the
    /// parameter that most signatures have a string for.
    fn candidates(&self, string: Option<InternedName>) -> Vec<usize> {
        let Some(string) = string else { return (0..self.signatures.len()).collect() };
        let named = self.by_string.get(&string).into_iter().flatten();
        let mut candidates: Vec<usize> = self.others.iter().chain(named).map(|at| *at as usize).collect();
        candidates.sort_unstable();
        candidates
    }
}

impl Linker<'_> {
    /// The signatures of a callee, as [`Self::signatures`] finds them, with a table if there are many.
    pub(super) fn signatures_of_callee(&mut self, callee: InternedType, is_new: bool) -> CalleeSignatures {
        if !self.overload_tables.is_empty()
            && let Some(table) = self.overload_tables.get(&(callee, is_new))
        {
            return CalleeSignatures::Many(Arc::clone(table));
        }
        let signatures = self.signatures(callee, is_new);
        if signatures.len() <= MANY_SIGNATURES || self.budget.is_exhausted() {
            return CalleeSignatures::Few(signatures);
        }
        if signatures.len() > MAX_OVERLOADS {
            self.note_limit(signatures[0].def, LinkLimit::Overloads(MAX_OVERLOADS));
        }
        let table = Arc::new(self.overload_table(signatures));
        self.overload_tables.insert((callee, is_new), Arc::clone(&table));
        CalleeSignatures::Many(table)
    }

    fn overload_table(&self, signatures: SmallVec<[CallableSignature; 2]>) -> OverloadTable {
        let string_at = |at: usize, parameter| self.required_string(signatures[at].def, parameter);
        let count = |parameter: &usize| (0..signatures.len()).filter(|at| string_at(*at, *parameter).is_some()).count();
        let parameter = (0..MAX_POSITION).rev().max_by_key(count).unwrap_or(0);
        let mut by_string: FxHashMap<InternedName, SmallVec<[u32; 1]>> = FxHashMap::default();
        let mut others = Vec::new();
        for at in 0..signatures.len() {
            match string_at(at, parameter) {
                Some(string) => by_string.entry(string).or_default().push(at as u32),
                None => others.push(at as u32),
            }
        }
        OverloadTable { signatures, parameter, by_string, others }
    }

    /// The string that a parameter of a function requires.
    fn required_string(&self, def: GlobalDef, parameter: usize) -> Option<InternedName> {
        let file = self.program.file_of(def);
        let parameter = self.program.function(def)?.params.get(parameter).filter(|parameter| !parameter.is_rest)?;
        match *self.program.facts(file).ty(parameter.annotation.as_ref()?.0) {
            TypeNode::String(text) => Some(self.program.name(file, text)),
            _ => None,
        }
    }

    /// The positions of the signatures of a table that a call may take, in order.
    pub(super) fn overload_candidates(&self, table: &OverloadTable, file: FileIndex, arguments: &[Arg]) -> Vec<usize> {
        let before = arguments.iter().take(table.parameter + 1);
        let argument =
            arguments.get(table.parameter).filter(|_| before.into_iter().all(|argument| !argument.is_spread));
        let string = match argument.map(|argument| self.program.facts(file).expr(argument.value)) {
            Some(Expr::String(Some(text))) => Some(self.program.name(file, text)),
            _ => None,
        };
        table.candidates(string)
    }
}
