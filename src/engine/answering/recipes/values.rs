//! Groups the calls of a function by their receivers. A call on the result of a call belongs to the group
//! of that call, so that `Client().get(url).json()` is one group.

use std::collections::BTreeMap;

use apidisc_facts::program::{CallId, DefinitionId, FileId, ReceiverValue};
use apidisc_indexing::index::Index;

/// The greatest number of calls on one value in one function.
const MAX_CALLS: usize = 48;

/// A call on a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueCall {
    pub(super) call: CallId,
    pub(super) definition: DefinitionId,
    /// Where its receiver comes from.
    pub(super) receiver: Option<ReceiverValue>,
}

/// The calls of a file on each value that more than one call of a function uses, in the order of the text. The call
/// that makes the value comes first, even if it stands outside of the function. Calls on `self` or `this` are left out,
/// because they are implementation details of a class.
pub(super) fn calls_on_values(
    index: &Index,
    file: FileId,
    is_shown: impl Fn(DefinitionId) -> bool,
) -> Vec<Vec<ValueCall>> {
    let sites = index.calls_of_file(file);
    let start = sites.start;
    let mut roots: Vec<usize> = Vec::with_capacity(sites.len());
    let mut groups: BTreeMap<(usize, Option<DefinitionId>), Vec<ValueCall>> = BTreeMap::new();
    let value_call = |at: usize| {
        let id = CallId::new(at);
        let site = index.call(id);
        let definition = site.resolution.definition().filter(|_| !site.is_on_own_object())?;
        let definition =
            [index.inherited_callee(site), Some(definition)].into_iter().flatten().find(|id| is_shown(*id))?;
        Some(ValueCall { call: id, definition, receiver: index.calls.receiver_value(id) })
    };
    for at in sites {
        let root = match index.calls.receiver_value(CallId::new(at)) {
            Some(ReceiverValue::ResultOf(earlier) | ReceiverValue::SharedWith(earlier)) => {
                earlier.index().checked_sub(start).and_then(|at| roots.get(at)).copied().unwrap_or(at)
            }
            None => at,
        };
        roots.push(root);
        if root == at {
            continue;
        }
        let Some(call) = value_call(at) else { continue };
        let calls = groups
            .entry((root, index.call(call.call).caller))
            .or_insert_with(|| value_call(root).into_iter().collect());
        if calls.len() < MAX_CALLS {
            calls.push(call);
        }
    }
    groups.into_values().filter(|calls| calls.len() > 1).collect()
}
