//! The stubs of operations of API documents, for the tools that describe symbols: `POST /campaigns` is a name like
//! others.

use apidisc_apis::{
    http::UsedApis,
    http::{OperationError, OperationId, OperationStub, find_operation, operation_stub},
};
use apidisc_tokens::{Encoding, Tokenizer};
use serde_json::Value;

use super::{CheckedCall, ToolAnswer, count};

/// The greatest number of tokens that joining two parts of an answer adds: those of the empty line between them, and of
/// the letters that no longer share a token.
const JOINT: usize = 3;

/// Answers for the names in the argument `names`. Stubs answer for the names of operations; `rest` answers a call with
/// the other names. The stubs and the rest share the budget in proportion to their numbers of names. One operation
/// alone is answered by the bytes of `--export --docs FILE --symbol NAME --max-tokens N`.
pub(super) fn beside_symbols(
    call: &CheckedCall<'_>,
    names: &'static str,
    rest: impl Fn(&CheckedCall<'_>) -> Result<ToolAnswer, String>,
) -> Result<ToolAnswer, String> {
    let all = call.arguments.texts(names);
    // Every operation has a slash in its path or chunk, or is called by its id; most symbols need no documents.
    let symbols = call.context.symbols;
    let may_be_operation = |name: &&str| name.contains(['/', ' ']) || symbols.meant(name).is_none();
    if !all.iter().any(may_be_operation) {
        return rest(call);
    }
    // Documents that cannot be read have no operation.
    let Ok(apis) = call.data.apis() else { return rest(call) };
    let found = |name: &str| find_operation(&apis.documents.api, name).ok();
    let (mut operations, mut others): (Vec<OperationId>, Vec<&str>) = (Vec::new(), Vec::new());
    for name in all {
        match found(name).filter(|_| may_be_operation(&name)) {
            Some(operation) => operations.push(operation),
            None => others.push(name),
        }
    }
    if operations.is_empty() {
        return rest(call);
    }
    let budget = call.arguments.number("max_tokens");
    let parts = operations.len() + usize::from(!others.is_empty());
    let mut left = budget.saturating_sub(JOINT * (parts - 1));
    let mut waiting = operations.len() + others.len();
    let mut answer = ToolAnswer::default();
    let mut texts: Vec<String> = Vec::new();
    for operation in operations {
        let stub = stub(call, &apis, operation, left / waiting)?;
        (left, waiting) = (left.saturating_sub(stub.tokens), waiting - 1);
        answer.names.push(stub.operation);
        texts.push(stub.text);
    }
    if !others.is_empty() {
        let names = (names, others.into());
        let arguments = call.arguments.with([names, ("max_tokens", Value::from(left))]);
        let mut of_symbols = rest(&CheckedCall { arguments: &arguments, ..*call })?;
        texts.push(std::mem::take(&mut of_symbols.text));
        of_symbols.names.splice(0..0, answer.names);
        answer = of_symbols;
    }
    answer.text = texts.join("\n");
    answer.tokens = Some(count(&answer.text));
    Ok(answer)
}

/// The stub of an operation within a budget.
fn stub(
    call: &CheckedCall<'_>,
    apis: &UsedApis,
    operation: OperationId,
    max_tokens: usize,
) -> Result<OperationStub, String> {
    let sources = Some((&**call.context.symbols.index(), &*apis.uses));
    let tokenizer = Tokenizer::load(Encoding::default());
    let stub = operation_stub(&apis.documents.api, operation, sources, Some(max_tokens), &tokenizer);
    stub.map_err(|OperationError::BudgetTooSmall { name, smallest, max_tokens }| {
        format!(
            "{name} needs {smallest} tokens in its shortest form, more than the {max_tokens} of max_tokens that are left \
             for it"
        )
    })
}
