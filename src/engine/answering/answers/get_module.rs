//! `get_module`: the part of a module that fits into a budget, and the tokens of narrower answers.

use serde::Serialize;

use super::{
    Answer, AnswerError, Context, GetModule, GetSymbol, ListSymbols, get_symbol, list_symbols, request::budget,
};
use apidisc_indexing::index::{LookupError, Scope};
use apidisc_stubs::{
    delivery::{Format, Packer, RequestError},
    strategy::Strategy,
};
use apidisc_tokens::Tokenizer;

/// The greatest number of attempts to fit the stub and the line before it into the budget.
const MAX_ATTEMPTS: usize = 4;

/// The answer of [`get_module`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModuleAnswer {
    /// The FQN of the module.
    pub module: String,
    /// The stub of the part of the module that fits.
    pub stub: String,
    /// The number of public symbols that the stub does not show.
    pub hidden: usize,
    /// The tokens of the first page of `list_symbols` of the module.
    pub list_tokens: usize,
    /// The tokens of `get_symbol` of the module's most used symbol; `None` for a module without one.
    pub symbol_tokens: Option<usize>,
}

/// The stub of a module. The line before it has the number of symbols that are not shown, and the tokens of the
/// narrower answers of `list_symbols` and `get_symbol`.
///
/// # Errors
/// [`AnswerError`] for an unknown module, and for a budget that is too small.
pub fn get_module(context: &Context<'_>, request: &GetModule) -> Result<Answer<ModuleAnswer>, AnswerError> {
    let max_tokens = budget(request.max_tokens)?;
    let index = context.symbols.index();
    let id = match index.scope(Some(&request.module), None)? {
        Scope::Module(id) => id,
        // The name is that of a definition: the module with the definition is the nearest.
        Scope::Definition(id) => {
            let file = index.files.get(index.definition(id).place.file.index());
            let nearest = file.map(|file| index.module(file.module).fqn.clone()).into_iter().collect();
            return Err(LookupError::Unknown { what: "module", name: request.module.clone(), nearest }.into());
        }
        Scope::Repository => return Err(AnswerError::WrongFields("module is empty; it names a module")),
    };
    let module = index.module(id).fqn.to_string();
    let tokenizer = Tokenizer::load(context.encoding);
    let packer = Packer::new(index, Scope::Module(id), &tokenizer).map_err(RequestError::from)?;
    let list = list_symbols(context, &ListSymbols { module: Some(module.clone()), ..ListSymbols::default() })?;
    let most_used = list.data.symbols.first().map(|symbol| symbol.hash.clone());
    let whole = |hash| GetSymbol { hash, again: true, ..GetSymbol::default() };
    let symbol = most_used.map(|hash| get_symbol(context, &whole(hash))).transpose()?;
    let (list_tokens, symbol_tokens) = (list.tokens, symbol.map(|symbol| symbol.tokens));
    let narrower = |hidden: usize| {
        let hidden = match hidden {
            0 => String::new(),
            1 => "1 symbol has no room; ".to_owned(),
            _ => format!("{hidden} symbols have no room; "),
        };
        let symbol = symbol_tokens.map_or_else(String::new, |tokens| format!(", get_symbol of one about {tokens}"));
        format!("{hidden}narrower: list_symbols takes {list_tokens} tokens{symbol}\n")
    };
    let mut room = max_tokens.saturating_sub(tokenizer.count(&narrower(999)));
    let mut smallest = 0;
    for _ in 0..MAX_ATTEMPTS {
        let delivery = packer.deliver(&Strategy::TokenBudget { max_tokens: room.max(1) }, Format::Markdown);
        let Ok(delivery) = delivery else { break };
        let text = narrower(delivery.hidden_members) + &delivery.text;
        let tokens = tokenizer.count(&text);
        if tokens <= max_tokens {
            let stub = delivery.stub().to_owned();
            let data = ModuleAnswer { module, stub, hidden: delivery.hidden_members, list_tokens, symbol_tokens };
            return Ok(Answer { text, tokens, data, delivered: Vec::new() });
        }
        smallest = tokens;
        room = room.saturating_sub(tokens - max_tokens);
    }
    let needed = tokenizer.count(&narrower(999)) + packer.smallest_budget(Format::Markdown) + 8;
    Err(AnswerError::BudgetTooSmall { smallest: smallest.max(needed), max_tokens })
}
