//! The research agent: answers a question about indexed code, with the places that the answer comes from.
//!
//! The question is asked together with the context that retrieval alone finds
//! ([`apidisc::research`](mod@apidisc::research)). The model may read more with the tools of [`Sources`]. Every place that
//! the answer names as `[path:line]` is checked against what was really read.
//!
//! | file | content |
//! | --- | --- |
//! | `tools` | the functions of the engine as tools |
//! | `citations` | the places in an answer, and whether they were read |

mod citations;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::Arc;

use apidisc::{
    answers::{AnswerError, Context, ReadSource},
    discover::Corpus,
    research::{Question, research},
    source::SourceText,
};

use crate::{
    agent::{Agent, Observer, Run},
    goal::Goal,
    memory::Memory,
    model::Model,
    registry::Registry,
};

pub use citations::Citation;

/// The tag of the tools that read an index.
pub const INDEX: &str = "index";

/// Reads a file of the sources by its path in the index.
pub type ReadFile = dyn Fn(&str) -> Option<SourceText> + Send + Sync;

/// Indexed code that questions are about.
#[derive(Clone)]
pub struct Sources {
    corpus: Arc<Corpus>,
    read: Arc<ReadFile>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Researched {
    /// The answer. Places that were not read are marked in it.
    pub answer: String,
    /// The places that the answer names, in the order of the text, each once.
    pub citations: Vec<Citation>,
    /// The run.
    pub run: Run,
}

impl Sources {
    /// The sources of a corpus. `read` reads the files of its index.
    pub fn new(corpus: Arc<Corpus>, read: Arc<ReadFile>) -> Self {
        Self { corpus, read }
    }

    /// The functions of the engine as tools: `discover`, `get_module_help`, `get_symbols` and `get_symbol_source`.
    pub fn tools(&self) -> Registry {
        let mut registry = Registry::new();
        for tool in tools::all(self) {
            // The names are valid and different.
            let _ = registry.register(tool);
        }
        registry
    }

    /// An agent that answers questions.
    pub fn agent(&self, model: Box<dyn Model>) -> Agent {
        let goals = vec![
            Goal::new(
                1,
                "Answer",
                "Answer the question about the code with a short explanation and code that works. Use only symbols and \
                 parameters that you have seen in a result; where a stub shows how often calls pass an argument, write \
                 what callers usually write. If the context below the question is not enough, call tools.",
            ),
            Goal::new(
                2,
                "Name the sources",
                "End each claim with the place that it comes from, as [path:line], copied from a result. Say what you \
                 could not find.",
            ),
        ];
        Agent::new(goals, self.tools(), model)
    }

    /// The question with the context that retrieval alone finds in at most `max_tokens` tokens.
    ///
    /// # Errors
    /// [`AnswerError`] for an empty question and for a budget out of range.
    pub fn input(&self, question: &str, max_tokens: i64) -> Result<String, AnswerError> {
        let question = Question { question: question.to_owned(), max_tokens };
        let context = self.with_context(|context| research(context, &self.corpus, &question))?;
        let data = context.text.replace("</tool_result", "<\\/tool_result");
        Ok(format!("{}\n\n<tool_result tool=\"research\">\n{data}</tool_result>", question.question))
    }

    /// Runs an agent of [`Self::agent`] with an input of [`Self::input`], and checks the places that the answer names.
    pub fn ask(&self, agent: &mut Agent, input: &str, memory: Memory, observer: &mut dyn Observer) -> Researched {
        let run = agent.run(input, memory, observer);
        let (answer, citations) = citations::checked(&run.answer, &run.memory);
        Researched { answer, citations, run }
    }

    fn with_context<T>(&self, function: impl FnOnce(&Context<'_>) -> T) -> T {
        let read: &ReadSource<'_> = &*self.read;
        function(&Context::new(self.corpus.symbols(), read))
    }
}
