//! Call sites with their candidates as rows, and their arguments bound to parameters.

use crate::linked::shared_text;
use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    bind::{bind, with_parameters_of},
    called_constants::has_parameters_of,
    passed_keys::passed_keys,
    receiver_values::receiver_links,
    resolve::ResolvedCall,
    result_uses::ResultUses,
};
use crate::linked::{DefinitionRow, LinkedCall, LinkedDefinition, SharedParts};
use crate::typescript::{
    program::{FileIndex, ProgramFacts},
    rows::DefinitionRows,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    program::{Argument, ArgumentKind, OverloadChoice, ReceiverLink, UnresolvedReason},
    syntax::typescript::facts::{CallExprId, CallExprKind, Expr, ExprId, FileFacts},
};

/// The calls of a file in the order of the text: that of [`LinkedFile::calls`](crate::linked::LinkedFile::calls).
pub(in crate::typescript) fn call_order(facts: &FileFacts) -> Vec<CallExprId> {
    let mut order: Vec<CallExprId> = (0..facts.calls.len()).map(CallExprId::new).collect();
    order.retain(|site| facts.site(*site).line > 0);
    order.shared_sort_by_key(|site| (facts.site(*site).line, facts.site(*site).col));
    order
}

/// Writes the calls of the index.
pub(in crate::typescript) struct CallLinker<'p, 'f> {
    pub(in crate::typescript) program: &'p ProgramFacts<'f>,
    pub(in crate::typescript) rows: &'p DefinitionRows,
    pub(in crate::typescript) definitions: &'p [LinkedDefinition],
}

impl CallLinker<'_, '_> {
    /// The calls of a file in the order of the text, each with the overload that it takes, and with the members
    /// that the code around it takes of its result.
    pub(in crate::typescript) fn linked_calls(
        &self,
        file: FileIndex,
        resolved: &[ResolvedCall],
        overloads: &FxHashMap<usize, u16>,
        results: &ResultUses,
    ) -> Vec<LinkedCall> {
        let facts = self.program.facts(file);
        let order = call_order(facts);
        let links = receiver_links(facts, &order);
        let mut shared = SharedParts::default();
        let linked = |(&site, receiver_link): (&CallExprId, ReceiverLink)| {
            let overload = overloads.get(&site.index()).copied();
            let mut call = self.linked_call(file, site, &resolved[site.index()], overload);
            self.add_made_values(facts, &facts.site(site).arguments, resolved, Arc::make_mut(&mut call.arguments));
            let arguments = shared.arguments(&call.arguments);
            let unknown_method = call.unknown_method.take().map(|name| shared.name(&name));
            let overload = overload.map(OverloadChoice::Taken);
            let callee = call.candidates.first().filter(|_| call.candidates.len() == 1);
            let signature = callee.and_then(|row| self.definitions[row.index()].signature.as_ref());
            let result = results.get(&site).zip(signature);
            let taken = result.and_then(|(result, signature)| result.taken_members(facts, signature));
            LinkedCall { overload, taken: taken.map(Box::new), receiver_link, arguments, unknown_method, ..call }
        };
        order.iter().zip(links).map(linked).collect()
    }

    /// The call site `site` of a file, with its candidates as rows and its arguments bound to parameters. `overload` is
    /// the overload that the call takes, if it is known.
    pub(in crate::typescript) fn linked_call(
        &self,
        file: FileIndex,
        site: CallExprId,
        resolved: &ResolvedCall,
        overload: Option<u16>,
    ) -> LinkedCall {
        let (rows, definitions) = (self.rows, self.definitions);
        let facts = self.program.facts(file);
        let row = facts.site(site);
        let mut candidates: SmallVec<[DefinitionRow; 1]> = SmallVec::new();
        for candidate in &resolved.candidates {
            // A class without a name has a row for the classes that inherit from it, but code cannot name it.
            let is_nameless_class = self.program.def(*candidate).name.is_none() && self.program.is_class(*candidate);
            if let Some(&row) = rows.of_def.get(candidate)
                && !is_nameless_class
                && !candidates.contains(&row)
            {
                candidates.push(row);
            }
        }
        let value = resolved.value.and_then(|value| rows.of_value(value));
        let constant = value.filter(|row| definitions[row.index()].modifiers.is_constant);
        let is_constant_called = candidates.is_empty();
        candidates.extend(constant.filter(|_| is_constant_called));
        let declaring = candidates.first().and_then(|row| definitions[row.index()].parent);
        let class = resolved.receiver.and_then(|class| rows.of_def.get(&class).copied());
        let class = class.filter(|class| declaring.is_some_and(|declaring| declaring != *class));
        let named = resolved.instance.and_then(|value| rows.of_value(value));
        let instance = named
            .filter(|row| declaring.is_some_and(|declaring| definitions[row.index()].ancestors.contains(&declaring)));
        // A call counts for the constant, too, if it is bound to the same parameters.
        let counts = |row: &DefinitionRow| {
            let callee = candidates.first().filter(|_| !candidates.contains(row));
            callee.is_some_and(|callee| has_parameters_of(&definitions[row.index()], &definitions[callee.index()]))
        };
        let receiver = constant.filter(counts).or(instance).or(class);
        let callee = candidates.first().map(|row| &definitions[row.index()]);
        let signature = callee.and_then(|callee| callee.signature.as_deref());
        // Without an implementation, the parameters of a call are those of the overload.
        let declared = callee.filter(|callee| callee.modifiers.is_declared);
        let taken = declared.zip(overload).and_then(|(callee, at)| callee.overloads.get(usize::from(at)));
        // The first argument of a tagged template, the array of its strings, is not written as an argument.
        let arguments = match signature.zip(taken) {
            Some((signature, taken)) => {
                let arguments = bind(facts, &row.arguments, Some(taken), resolved.bound);
                with_parameters_of(arguments, taken, signature)
            }
            None => bind(facts, &row.arguments, signature, resolved.bound),
        };
        let arguments = match row.kind {
            CallExprKind::Template if !arguments.is_empty() => arguments.into_vec().split_off(1).into_boxed_slice(),
            CallExprKind::BareDecorator => {
                let decorated = |argument: Argument| Argument { kind: ArgumentKind::Decorated, ..argument };
                arguments.into_iter().map(decorated).collect()
            }
            _ => arguments,
        };
        let is_unknown = candidates.is_empty() && resolved.why == UnresolvedReason::UnknownReceiver;
        // The definitions in quoted code are outside the sources.
        let is_own = candidates.is_empty() && !resolved.candidates.is_empty();
        let why = if is_own { UnresolvedReason::External } else { resolved.why };
        let is_known = !candidates.is_empty() && row.kind != CallExprKind::Template;
        let passed = if is_known { passed_keys(facts, &row.arguments) } else { Vec::new() };
        LinkedCall {
            line: row.line,
            col: row.col,
            caller: row.caller.and_then(|def| rows.caller(self.program, self.program.global_def(file, def))),
            may_be_outside: resolved.may_be_other && candidates.len() == 1,
            receiver,
            through: named.filter(|_| candidates.is_empty()),
            candidates,
            overload: None,
            taken: None,
            passed_keys: passed.into(),
            why,
            syntax: row.syntax,
            receiver_link: ReceiverLink::default(),
            arguments: arguments.into(),
            unknown_method: is_unknown.then(|| self.method_name(file, row.callee)).flatten().map(shared_text),
        }
    }

    /// The name of the called property; `None` if the callee is not a property access.
    fn method_name(&self, file: FileIndex, callee: ExprId) -> Option<CompactString> {
        let facts = self.program.facts(file);
        let mut callee = callee;
        loop {
            match facts.expr(callee) {
                Expr::Property { name, .. } => return Some(CompactString::new(facts.name(name))),
                Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) => callee = inner,
                _ => return None,
            }
        }
    }
}
