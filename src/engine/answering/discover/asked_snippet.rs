//! The line of code in a result that has the parameters which the intent names, if the typical call lacks some of them.

use super::{Corpus, DiscoverResult};
use crate::first_call::call_line;
use apidisc_base::unprintable::escaped_line;
use apidisc_stubs::intent::{Asked, IntentWords};
use apidisc_tokens::{Encoding, Tokenizer};

/// The budget of which the named parameters use a share, in tokens.
const BUDGET: usize = 150;
/// The greatest number of optional parameters in the line that the intent does not name.
const MAX_OTHERS: usize = 4;

/// Adds to the code of a symbol how it is called with the parameters that the intent names.
pub(super) fn add_asked(corpus: &Corpus, intent: &IntentWords, result: &mut DiscoverResult) {
    let index = corpus.index();
    let Some(id) = corpus.symbols().known(&result.id) else { return };
    let definition = index.definition(id);
    let Some(signature) = definition.signature.as_ref().filter(|_| definition.kind.is_callable()) else { return };
    let tokenizer = Tokenizer::load(Encoding::default());
    let Some(asked) = Asked::parameters(index, id, intent, BUDGET, &tokenizer) else { return };
    let code = result.code_snippet.as_deref().unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let has = |name: &str| code.split(|c: char| !is_part(c)).any(|word| word == name);
    let names = asked.parameters.iter().filter_map(|at| signature.parameters.get(at)).map(|parameter| &parameter.name);
    let mut names = names.chain(asked.passed_on.iter().filter_map(|at| signature.passed_on.get(at)));
    if names.all(|name| has(name)) {
        return;
    }
    let line = escaped_line(&call_line(index, id, Some(&asked), MAX_OTHERS)).into_owned();
    result.code_snippet = Some(if code.is_empty() { line } else { format!("{code}\n{line}") });
}
