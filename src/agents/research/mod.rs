//! The research agent: answers a question about indexed code, with the places that the answer comes from.
//!
//! The question is asked together with its route ([`apidisc::route`]) and the context that retrieval alone finds
//! ([`apidisc::research`](mod@apidisc::research)). The model may read more with the tools of [`IndexedCode`]. Every
//! source that the answer names, a place like `[path:line]` or the id of a chunk of an API document, is checked against
//! what was really read, and its code against the index ([`apidisc::code_check`]): mistakes are sent back to the model
//! once, then marked.
//!
//! | file | content |
//! | --- | --- |
//! | `tools` | the tools of the engine as tools of an agent |
//! | `citations` | the sources that an answer names, and whether they were read |
//! | `code` | the mistakes in the code of an answer |

mod citations;
mod code;
#[cfg(test)]
mod tests;
mod tools;

use std::{
    fmt::Write as _,
    sync::{Arc, OnceLock},
    time::Instant,
};

use apidisc::{
    answers::{AnswerError, Context, ReadSource},
    code_check::{Mistake, check_code},
    discover::Corpus,
    http::UsedApis,
    research::{Question, research},
    route::RoutingDecision,
    source::SourceText,
    unprintable::{escaped_json, escaped_line},
};

use crate::{
    agent::{Agent, Observer, Run},
    goal::Goal,
    memory::Memory,
    model::{Model, TokenUse},
    registry::Registry,
};

pub use citations::Citation;

/// The tag of the tools that read an index.
pub const INDEX: &str = "index";

/// The tools of the research agent. The other tools give the same facts in another form; they are left out because the
/// description of each tool is in every prompt.
const TOOLS: [&str; 12] = [
    "discover",
    "search_symbols",
    "get_module_help",
    "get_symbols",
    "get_symbol",
    "list_symbols",
    "get_symbol_source",
    "get_repo_overview",
    "search_chunks",
    "get_chunks",
    "list_dependencies",
    "check_index",
];

/// Reads a file of the sources by its path in the index.
pub type ReadFile = dyn Fn(&str) -> Option<SourceText> + Send + Sync;

/// Indexed code that questions are about.
#[derive(Clone)]
pub struct IndexedCode {
    corpus: Arc<Corpus>,
    read: Arc<ReadFile>,
    apis: UsedApis,
    freshness: Option<Arc<CheckFreshness>>,
    packages: Option<Arc<PackageCode>>,
    package: Option<String>,
}

/// Checks whether an index is stale. The input is the greatest age in seconds, and whether a stale index is made anew;
/// the output is the answer of `check_index`.
pub type CheckFreshness = dyn Fn(u64, bool) -> Result<serde_json::Value, String> + Send + Sync;

/// Reads the packages that code uses: an index of packages, and how its files are read.
pub type ReadPackages = dyn Fn() -> Result<IndexedCode, String> + Send + Sync;

/// The packages that code uses.
struct PackageCode {
    read: Box<ReadPackages>,
    code: OnceLock<Result<IndexedCode, String>>,
}

impl PackageCode {
    /// The packages, which are read now if they have not been read.
    fn code(&self) -> &Result<IndexedCode, String> {
        self.code.get_or_init(|| (self.read)())
    }

    /// The packages, if they were read.
    fn known(&self) -> Option<&Result<IndexedCode, String>> {
        self.code.get()
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Researched {
    /// The answer. Sources that were not read and mistakes in its code are marked in it.
    pub answer: String,
    /// The sources that the answer names, in the order of the text, each once.
    pub citations: Vec<Citation>,
    /// The mistakes in the code of the answer.
    pub mistakes: Vec<Mistake>,
    /// The run. If the model was asked to correct its answer, the run contains both answers.
    pub run: Run,
}

impl IndexedCode {
    /// The sources of a corpus. `read` reads the files of its index.
    pub fn new(corpus: Arc<Corpus>, read: Arc<ReadFile>) -> Self {
        Self { corpus, read, apis: UsedApis::default(), freshness: None, packages: None, package: None }
    }

    /// The sources with API documents.
    #[must_use]
    pub fn with_apis(self, apis: UsedApis) -> Self {
        Self { apis, ..self }
    }

    /// The sources with a way to check whether their index is stale, which brings the tool `check_index`.
    #[must_use]
    pub fn with_freshness(self, check: Arc<CheckFreshness>) -> Self {
        Self { freshness: Some(check), ..self }
    }

    /// The sources with the installed packages that they use, which `read` reads at the first question about them. They
    /// bring the tool `list_dependencies`.
    #[must_use]
    pub fn with_packages(self, read: Box<ReadPackages>) -> Self {
        Self { packages: Some(Arc::new(PackageCode { read, code: OnceLock::new() })), ..self }
    }

    /// The sources, of whose index of packages only one package is asked about, by its label.
    #[must_use]
    pub fn about_package(self, label: String) -> Self {
        Self { package: Some(label), ..self }
    }

    /// True if something is known of installed packages.
    fn has_packages(&self) -> bool {
        self.packages.is_some() || self.corpus.symbols().index().is_of_packages()
    }

    /// The API documents of the sources.
    pub fn apis(&self) -> Option<&UsedApis> {
        self.apis.non_empty()
    }

    /// The tools of the engine ([`apidisc::tools`]), the same that a server offers; `search_chunks` and `get_chunks`
    /// among them if there are API documents.
    pub fn tools(&self) -> Registry {
        let mut registry = Registry::new();
        for tool in tools::all(self) {
            // The names are valid and different.
            let _ = registry.register(tool);
        }
        registry
    }

    /// An agent that answers questions, with the tools that this takes.
    pub fn agent(&self, model: Box<dyn Model>) -> Agent {
        let goals = vec![
            Goal::new(
                1,
                "Answer",
                "Answer the question about the code with a short explanation and code that works. Use only symbols and \
                 parameters that you have seen in a result; where a stub shows how often calls pass an argument, write \
                 what callers usually write. If the context below the question is not enough, call tools. What the code \
                 imports from an installed package is shown by its full name, or with the argument package.",
            ),
            Goal::new(
                2,
                "Name the sources",
                "End each claim with the place that it comes from, as [path:line] or [id of a chunk], copied from a \
                 result. Say what you could not find.",
            ),
        ];
        Agent::new(goals, self.tools().with_names(&TOOLS), model)
    }

    /// The question with its route, and with the context that retrieval alone finds in at most `max_tokens` tokens. The
    /// route names the tools that tell more, with their arguments; it takes about 100 tokens.
    ///
    /// # Errors
    /// [`AnswerError`] for an empty question and for a budget out of range.
    pub fn input(&self, question: &str, max_tokens: i64) -> Result<String, AnswerError> {
        let question = Question { question: question.to_owned(), max_tokens, package: self.package.clone() };
        let found = self.with_context(|context| research(context, &self.corpus, self.apis.non_empty(), &question))?;
        let route = found.data.route.as_ref().map(route_in_words).unwrap_or_default();
        let results = [("route", route), ("research", found.text)];
        let results = results.map(|(tool, text)| {
            let data = text.replace("</tool_result", "<\\/tool_result");
            format!("\n\n<tool_result tool=\"{tool}\">\n{data}</tool_result>")
        });
        Ok(question.question + &results.concat())
    }

    /// Runs an agent of [`Self::agent`] with an input of [`Self::input`], and checks the sources and the code of the
    /// answer. If the code has mistakes, the model is asked once for another answer.
    pub fn ask(&self, agent: &mut Agent, input: &str, memory: Memory, observer: &mut dyn Observer) -> Researched {
        let start = Instant::now();
        let mut run = agent.run(input, memory, observer);
        let mut mistakes = self.mistakes(&run);
        if !mistakes.is_empty() {
            let message = self.with_context(|context| code::message(context, &mistakes));
            let limits = agent.limits;
            agent.limits.time = limits.time.map(|time| time.saturating_sub(start.elapsed()));
            agent.limits.tokens = limits.tokens.map(|tokens| tokens.saturating_sub(run.tokens.total()));
            let corrected = agent.run(&message, run.memory.clone(), observer);
            agent.limits = limits;
            run = continued(run, corrected);
            mistakes = self.mistakes(&run);
        }
        let marked = code::marked(&run.answer, &mistakes);
        let (answer, citations) = citations::checked(&marked, &run.memory, &self.apis.documents);
        Researched { answer, citations, mistakes, run }
    }

    /// The mistakes in the code of an answer; none for a run without an answer.
    fn mistakes(&self, run: &Run) -> Vec<Mistake> {
        if !run.ending.is_answer() {
            return Vec::new();
        }
        self.with_context(|context| check_code(context, &run.answer))
    }

    fn with_context<T>(&self, function: impl FnOnce(&Context<'_>) -> T) -> T {
        let read: &ReadSource<'_> = &*self.read;
        function(&Context::new(self.corpus.symbols(), read))
    }
}

/// The route of a question, and the calls of the agent's tools that belong to it, one on a line.
fn route_in_words(decision: &RoutingDecision) -> String {
    let mut text = format!("{}\nIts calls, in this order:\n", escaped_line(&decision.reasoning));
    for call in decision.arguments.iter().filter(|call| TOOLS.contains(&call.tool)) {
        let arguments = serde_json::Value::Object(call.arguments.clone()).to_string();
        let _ = writeln!(text, "{} {}", call.tool, escaped_json(arguments));
    }
    text
}

/// Merges two runs. The answer is the answer of the second run, if it has an answer.
fn continued(first: Run, second: Run) -> Run {
    let (mut transcript, tokens) = (first.transcript, first.tokens);
    transcript.events.extend(second.transcript.events);
    let tokens = TokenUse { prompt: tokens.prompt + second.tokens.prompt, reply: tokens.reply + second.tokens.reply };
    let (answer, ending) =
        if second.ending.is_answer() { (second.answer, second.ending) } else { (first.answer, first.ending) };
    Run { answer, ending, memory: second.memory, transcript, tokens }
}
