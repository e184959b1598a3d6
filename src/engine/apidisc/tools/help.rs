//! `get_module_help`: a delivered stub, with the same bytes as `--export`.

use std::str::FromStr;

use apidisc_answering::first_call::FirstCalls;
use apidisc_stubs::{
    delivery::{Delivery, Format, StubRequest},
    strategy::Strategy,
    stub::{Docs, Wording},
};
use apidisc_tokens::Encoding;

use super::{Arguments, CheckedCall, Kind, MAX_TOKENS, Parameter, Tool, ToolAnswer, count, packages::OF_PACKAGE};

/// The budget of a stub if none is given.
pub const USUAL_BUDGET: usize = 1000;

const STRATEGIES: Kind = Kind::Word(|| {
    let threshold = Strategy::Threshold { min_frequency: Strategy::DEFAULT_MIN_FREQUENCY };
    let coverage = Strategy::Coverage { target: Strategy::DEFAULT_TARGET };
    let budget = Strategy::TokenBudget { max_tokens: USUAL_BUDGET };
    [budget, threshold, coverage, Strategy::Exhaustive].map(Strategy::name).to_vec()
});
const WORDINGS: Kind = Kind::Word(|| Wording::ALL.map(Wording::name).to_vec());
const DOCS: Kind = Kind::Word(|| Docs::ALL.map(Docs::name).to_vec());
const FORMATS: Kind = Kind::Word(|| Format::ALL.map(Format::name).to_vec());
const ENCODINGS: Kind = Kind::Word(|| Encoding::ALL.map(Encoding::name).to_vec());

pub(super) const GET_MODULE_HELP: Tool = Tool {
    name: "get_module_help",
    title: "Help of a module or symbol",
    description: "Before a module or class is used or extended: its signatures as a stub (.pyi or .d.ts), cut to \
                  what its callers pass, most used first, with shares. Without a name: of the whole repository.",
    parameters: &[
        Parameter::optional("module_name", Kind::Text, "A module or class: full name, alias or unique ending")
            .or(&["name", "query", "id", "module", "path", "fqn"]),
        Parameter::optional("target_symbol", Kind::Text, "A class, function or method in it").or(&[
            "symbol",
            "symbol_name",
            "target_name",
        ]),
        OF_PACKAGE,
        Parameter::optional("intent", Kind::Text, "What your code should do, in words: what they name is shown").or(&[
            "task",
            "question",
            "description",
        ]),
        Parameter::optional(
            "max_tokens",
            Kind::Number { least: 1, most: MAX_TOKENS as u64, default: USUAL_BUDGET as u64 },
            "The budget of strategy token-budget",
        )
        .or(&["budget", "tokens", "limit"]),
        Parameter::optional(
            "strategy",
            STRATEGIES,
            "token-budget (default); threshold: what min_frequency of the calls pass; coverage: what makes target of \
             the calls possible; exhaustive: all",
        ),
        Parameter::optional("min_frequency", Kind::Share, "For threshold; 0.2 by default"),
        Parameter::optional("target", Kind::Share, "For coverage; 0.95 by default"),
        Parameter::optional("wording", WORDINGS, "How much of each member is written; auto by default"),
        Parameter::optional("docs", DOCS, "How much documentation; summary by default"),
        Parameter::optional("format", FORMATS, "The envelope; stub by default"),
        Parameter::optional("encoding", ENCODINGS, "The tokenizer that counts; o200k_base by default"),
    ],
    is_usual: true,
    answer,
};

fn answer(call: &CheckedCall<'_>) -> Result<ToolAnswer, String> {
    let request = request(call.arguments)?;
    let delivery = with_first_calls(call, call.data.deliver(&request)?, request.format);
    // In an envelope, `tokens` of the delivery counts the stub alone, so the tokens of the text are counted again.
    let tokens = delivery.enclosed.is_none().then_some(delivery.tokens);
    let tokens = tokens.filter(|_| request.encoding == StubRequest::default().encoding);
    let index = call.context.symbols.index();
    let names = delivery.symbols.iter().map(|symbol| index.definition(symbol.id).fqn.to_string()).collect();
    Ok(ToolAnswer { text: delivery.text, tokens, names, ..ToolAnswer::default() })
}

/// A delivery with the first calls of its symbols, unless they make the text larger than an answer may be.
fn with_first_calls(call: &CheckedCall<'_>, delivery: Delivery, format: Format) -> Delivery {
    if matches!(format, Format::Stub | Format::Markdown) {
        return delivery;
    }
    let index = call.context.symbols.index();
    let mut first_calls = FirstCalls::new(index, call.context.read);
    let mut whole = delivery.clone();
    whole.add_first_calls(index, format, |id| first_calls.of(id));
    if count(&whole.text) > MAX_TOKENS { delivery } else { whole }
}

/// The request that the arguments describe. Defaults, and the strategy that a parameter implies, are those of
/// `--export`. A parameter of another strategy than the selected one is ignored.
fn request(arguments: &Arguments) -> Result<StubRequest, String> {
    let name = |parameter| arguments.text(parameter).filter(|name| !name.is_empty()).map(str::to_owned);
    let (budget, min_frequency, target) =
        (arguments.given_number("max_tokens"), arguments.share("min_frequency"), arguments.share("target"));
    let implied = match (budget, min_frequency, target) {
        (None, Some(_), _) => "threshold",
        (None, None, Some(_)) => "coverage",
        _ => "token-budget",
    };
    let strategy = match arguments.text("strategy").unwrap_or(implied) {
        "threshold" => Strategy::Threshold { min_frequency: min_frequency.unwrap_or(Strategy::DEFAULT_MIN_FREQUENCY) },
        "coverage" => Strategy::Coverage { target: target.unwrap_or(Strategy::DEFAULT_TARGET) },
        "exhaustive" => Strategy::Exhaustive,
        _ => Strategy::TokenBudget { max_tokens: arguments.number("max_tokens") },
    };
    let word = |parameter| arguments.text(parameter);
    Ok(StubRequest {
        module: name("module_name"),
        symbol: name("target_symbol"),
        intent: name("intent"),
        strategy,
        wording: parsed(word("wording"))?,
        docs: parsed(word("docs"))?,
        encoding: parsed(word("encoding"))?,
        format: Format::ALL.into_iter().find(|format| Some(format.name()) == word("format")).unwrap_or_default(),
        ..StubRequest::default()
    })
}

/// The value that a word names; the default without a word.
fn parsed<T: FromStr<Err: ToString> + Default>(word: Option<&str>) -> Result<T, String> {
    word.map_or_else(|| Ok(T::default()), |word| word.parse().map_err(|error: T::Err| error.to_string()))
}
