//! `discover`, and the two deprecated tools that it replaces.

use apidisc_answering::discover::{self, Discover, ExternalEntries, Filter, MAX_RESULTS, Searched, TypeFilter};
use apidisc_apis::http::UsedApis;

use super::{
    CheckedCall, Kind, Parameter, Tool, ToolAnswer,
    packages::{OF_PACKAGE, PACKAGE},
    problem, symbols,
};

/// The default budget of an answer, in tokens.
const BUDGET: u64 = 800;

const INTENT: Parameter =
    Parameter::required("intent", Kind::Text, "What to do, in words; or makes:T, raises:T, A -> B")
        .or(&["query", "task", "text", "name", "q"]);
const LIMIT: Parameter =
    Parameter::optional("limit", Kind::Number { least: 1, most: MAX_RESULTS as u64, default: 10 }, "The most results")
        .or(&["max_results"]);
const MIN_SCORE: Parameter = Parameter::optional("min_score", Kind::Share, "The least score").or(&["minScore"]);
pub(super) const RELATED: Parameter =
    Parameter::optional("include_related", Kind::Flag, "Add what is called before and after").or(&["related"]);

pub(super) const DISCOVER: Tool = Tool {
    name: "discover",
    title: "Find by intent",
    description: "Where no name is known yet: finds what does something, such as 'retry with backoff': symbols, \
                  recipes (usual calls with their code), sections of documents, API operations, best first.",
    parameters: &[
        INTENT,
        Parameter::optional("type", Kind::Word(words), "Only this type").or(&["kind", "filter_type"]),
        MIN_SCORE,
        LIMIT,
        OF_PACKAGE,
        RELATED,
        symbols::budget(BUDGET),
    ],
    is_usual: true,
    answer: |call| {
        let word = call.arguments.text("type").unwrap_or_default();
        answer(call, TypeFilter::ALL.into_iter().find(|wanted| wanted.word() == word).unwrap_or_default())
    },
};

/// The tools that `discover` replaces. Their answers say so.
pub(super) static DEPRECATED: &[Tool] = &[
    Tool {
        name: "search_tools",
        title: "Find symbols by intent",
        description: "Deprecated: discover with type symbol. The next version does not have this tool.",
        parameters: &[INTENT, LIMIT, RELATED],
        is_usual: false,
        answer: |call| answer(call, TypeFilter::Symbol).map(|answer| with_notice(answer, "search_tools", "symbol")),
    },
    Tool {
        name: "search_capabilities",
        title: "Find recipes by intent",
        description: "Deprecated: discover with type recipe. The next version does not have this tool.",
        parameters: &[INTENT, LIMIT, RELATED],
        is_usual: false,
        answer: |call| {
            answer(call, TypeFilter::Recipe).map(|answer| with_notice(answer, "search_capabilities", "recipe"))
        },
    },
];

/// The words for the types of results.
fn words() -> Vec<&'static str> {
    TypeFilter::ALL.map(TypeFilter::word).to_vec()
}

fn answer(call: &CheckedCall<'_>, wanted: TypeFilter) -> Result<ToolAnswer, String> {
    let arguments = call.arguments;
    let request = Discover {
        intent: arguments.text("intent").unwrap_or_default().to_owned(),
        filter: Filter { kind: wanted, min_score: arguments.share("min_score").unwrap_or_default() },
        limit: i64::try_from(arguments.number("limit")).unwrap_or(i64::MAX),
        include_related: arguments.flag("include_related"),
        package: arguments.text(PACKAGE).filter(|name| !name.is_empty()).map(str::to_owned),
    };
    let max_tokens = i64::try_from(arguments.given_number("max_tokens").unwrap_or(BUDGET as usize)).unwrap_or(i64::MAX);
    // If the documents cannot be read, the answer has the symbols alone.
    let apis = call.data.apis().ok();
    let external = apis.as_ref().and_then(UsedApis::non_empty).map(|apis| apis as &dyn ExternalEntries);
    let searched = Searched { corpus: call.data.corpus(), external };
    let answer = discover::answer(&call.context, searched, &request, max_tokens);
    let apidisc_answering::answers::Answer { text, tokens, data, .. } =
        answer.map_err(|error| problem::of_answer(&error))?;
    let names = data.results.into_iter().map(|found| found.name).collect();
    Ok(ToolAnswer { text, tokens: Some(tokens), names, ..ToolAnswer::default() })
}

/// The answer below a line that says what replaces the tool. The tokens are counted anew.
fn with_notice(answer: ToolAnswer, deprecated: &str, kind: &str) -> ToolAnswer {
    let text = format!("{deprecated} is deprecated: discover with type {kind} answers the same.\n{}", answer.text);
    ToolAnswer { text, tokens: None, ..answer }
}
