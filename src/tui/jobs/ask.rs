//! Answers a question about the index: with a language model, or by retrieval alone.

use std::sync::Arc;

use apidisc::{
    Strategy, StubRequest,
    answers::Context,
    delivery::Format,
    discover::Corpus,
    index::{Index, Scope},
    program::DefinitionId,
    research::{Question, research},
    source::{self, Source},
    unprintable::escaped_line,
};
use apidisc_agents::{
    Ending, Event, Memory, Observer, ReplyPiece,
    research::{Citation, IndexedCode, ReadFile, ReadPackages, Researched},
    steps::{RunStep, Watch},
};

use super::NewestCorpora;
use crate::tui::{
    highlight::Highlighter,
    model::{
        ApiCatalog, Catalog,
        agents::arguments_in_words,
        ask::{AnswerSource, Answered, AskNews, AskStep, Conversation, Turn, definition_at, markdown, shown_text},
    },
    options::Assistant,
    theme::SyntaxRuns,
};

/// The tokens of the context that retrieval finds for a question.
const CONTEXT_TOKENS: i64 = 2_000;
/// The greatest number of these tokens that the stub of the question's subject uses, when no model reads the context.
const SUBJECT_TOKENS: i64 = 500;
/// The greatest number of lines of code in an answer that are coloured.
const MAX_COLOURED_LINES: usize = 2_000;
/// The greatest length of a line of code that is coloured, in bytes.
const MAX_COLOURED_BYTES: usize = 2_000;

/// A question. The next one replaces it.
#[derive(Debug)]
pub struct AskJob {
    /// The number of the request; the answers contain it.
    pub ticket: u64,
    /// The question as it was typed.
    pub question: String,
    /// The name of the definition or module that the question is about; empty for the whole repository.
    pub about: String,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The index of the packages that the code uses, if it was read and `catalog` is that of the code.
    pub packages: Option<Arc<Catalog>>,
    /// The API documents; `None` if there are none.
    pub api: Option<Arc<ApiCatalog>>,
    /// The earlier questions and answers of the conversation.
    pub memory: Memory,
    /// True if the model has seen nothing of the sources yet, so that it gets the context of the question at once.
    pub wants_context: bool,
}

/// Sends the steps as they happen, and the answer at the end. `sources` finds the source from which the files of an
/// index are read. Without a language model, or if the
/// model gives no reply, the answer is the context of the question. `is_stopped` ends the run before its next step, and
/// within a reply. `now` is the present time in milliseconds since 1970.
pub fn ask(
    assistant: Option<&Assistant>,
    corpora: &NewestCorpora,
    sources: &dyn Fn(&Index) -> Option<Source>,
    job: &AskJob,
    now: u64,
    is_stopped: &dyn Fn() -> bool,
    send: &mut dyn FnMut(AskNews),
) {
    let source = sources(&job.catalog.index);
    let corpus = corpora.corpus(&job.catalog, source.as_ref());
    let read: Arc<ReadFile> = Arc::new(move |path: &str| source::reread(source.as_ref()?, path));
    let packages = job.packages.clone().map(|catalog| -> Box<ReadPackages> {
        let (corpora, source) = (corpora.clone(), sources(&catalog.index));
        Box::new(move || {
            let corpus = corpora.corpus(&catalog, source.as_ref());
            let source = source.clone();
            Ok(IndexedCode::new(corpus, Arc::new(move |path: &str| source::reread(source.as_ref()?, path))))
        })
    });
    let asked = AskedQuestion { job, corpus, read };
    let mut answered = match assistant.map(|assistant| asked.by_model(assistant, packages, is_stopped, send)) {
        None => asked.by_retrieval(None),
        Some(Ok(answered)) => answered,
        Some(Err(why)) => asked.by_retrieval(Some(why)),
    };
    answered.colours = colours(&answered.text);
    answered.time = now;
    send(AskNews::Answered { ticket: job.ticket, answered: Box::new(answered) });
}

/// A question with the sources of its answer.
struct AskedQuestion<'a> {
    job: &'a AskJob,
    corpus: Arc<Corpus>,
    read: Arc<ReadFile>,
}

impl AskedQuestion<'_> {
    /// The context of the question: the stub of its subject, and the parts that its words find. `ending` is the reason
    /// for which no model answers.
    fn by_retrieval(&self, ending: Option<String>) -> Answered {
        let subject = self.subject();
        let max_tokens = if subject.is_some() { CONTEXT_TOKENS - SUBJECT_TOKENS } else { CONTEXT_TOKENS };
        let question = Question { question: self.job.question.clone(), max_tokens, package: None };
        let memory = self.job.memory.clone();
        let context = Context::new(self.corpus.symbols(), &*self.read);
        let apis = self.job.api.as_ref().map(|api| &api.apis);
        let found = match research(&context, &self.corpus, apis, &question) {
            Ok(found) => found,
            Err(why) => {
                let ending = ending.or_else(|| Some(escaped_line(&why.to_string()).into()));
                return Answered { ending, memory, ..Answered::default() };
            }
        };
        // The lines above the first part are for agents; without a part, they say that nothing was found.
        let mut text = shown_text(found.text.split_once("\n\n").map_or(found.text.as_str(), |(_, parts)| parts).trim());
        let parts = found.data.parts.iter().filter(|part| !part.source.is_empty());
        let mut sources: Vec<AnswerSource> = parts.map(|part| answer_source(&part.source, &part.name, true)).collect();
        let mut tokens = found.tokens as u64;
        if let Some(subject) = subject.filter(|subject| sources.iter().all(|other| other.place != subject.source.place))
        {
            text = format!("{}\n\n{text}", subject.text);
            sources.insert(0, subject.source);
            tokens += subject.tokens;
        }
        Answered { text, sources, ending, tokens, memory, ..Answered::default() }
    }

    /// The stub of the definition that the question is about. `None` for a module: the words of the question find its
    /// members.
    fn subject(&self) -> Option<Subject> {
        let name = self.job.about.split('(').next()?;
        let index = &self.job.catalog.index;
        let Ok(Scope::Definition(id)) = index.scope(None, Some(name)) else { return None };
        let definition = index.definition(id);
        let strategy = Strategy::TokenBudget { max_tokens: usize::try_from(SUBJECT_TOKENS).ok()? };
        let request =
            StubRequest { symbol: Some(name.to_owned()), strategy, format: Format::Stub, ..StubRequest::default() };
        let delivery = request.deliver(index).ok()?;
        let place = format!("{}:{}", index.files.get(definition.place.file.index())?.path, definition.place.line);
        let text = shown_text(delivery.text.trim());
        let text = format!("## {name} ({place})\n```{}\n{text}\n```", definition.language.extension());
        Some(Subject { text, tokens: delivery.tokens as u64, source: answer_source(&place, name, true) })
    }

    /// The answer of a model, or the reason for which the model gives no answer.
    fn by_model(
        &self,
        assistant: &Assistant,
        packages: Option<Box<ReadPackages>>,
        is_stopped: &dyn Fn() -> bool,
        send: &mut dyn FnMut(AskNews),
    ) -> Result<Answered, String> {
        let mut sources = IndexedCode::new(Arc::clone(&self.corpus), Arc::clone(&self.read));
        if let Some(api) = &self.job.api {
            sources = sources.with_apis(api.apis.clone());
        }
        if let Some(packages) = packages {
            sources = sources.with_packages(packages);
        }
        let mut agent = sources.agent((assistant.open)().map_err(|why| escaped_line(&why).into_owned())?);
        agent.limits = assistant.limits;
        let mut input = self.job.question.clone();
        if self.job.wants_context {
            input = sources.input(&input, CONTEXT_TOKENS).map_err(|why| why.to_string())?;
        }
        if !self.job.about.is_empty() {
            input = format!("{input}\n\nThe question is about `{}`.", self.job.about);
        }
        let mut watcher = Watcher { ticket: self.job.ticket, watch: Watch::default(), is_stopped, send };
        let researched = sources.ask(&mut agent, &input, self.job.memory.clone(), &mut watcher);
        // Mistakes in its code are marked in the answer.
        let Researched { answer, citations, run, mistakes: _ } = researched;
        let ending = (!run.ending.is_answer()).then(|| escaped_line(&run.ending.words()).into_owned());
        if let (Ending::Failed(_), Some(why)) = (&run.ending, &ending) {
            return Err(why.clone());
        }
        let catalog = &self.job.catalog;
        let alias = |id: DefinitionId| catalog.index.definition(id).alias.to_string();
        let name = |place: &str| definition_at(catalog, place).map_or_else(String::new, alias);
        let source = |cited: &Citation| match &cited.place {
            // A chunk is shown by the place where it stands.
            Some(place) if *place != cited.source => answer_source(place, &cited.source, cited.was_read),
            Some(place) => answer_source(place, &name(place), cited.was_read),
            None => answer_source(&cited.source, "", cited.was_read),
        };
        let sources = citations.iter().map(source);
        Ok(Answered {
            text: shown_text(answer.trim()),
            sources: sources.collect(),
            ending,
            tokens: run.tokens.total(),
            memory: run.memory,
            ..Answered::default()
        })
    }
}

/// The stub of a question's subject.
struct Subject {
    text: String,
    tokens: u64,
    source: AnswerSource,
}

fn answer_source(place: &str, name: &str, was_read: bool) -> AnswerSource {
    AnswerSource { place: escaped_line(place).into(), name: escaped_line(name).into(), was_read }
}

/// Colours the code of a conversation that was kept.
pub fn colour_conversation(mut conversation: Conversation) -> Conversation {
    let colour = |turn: &mut Turn| turn.colours = colours(&turn.answer);
    conversation.turns.iter_mut().for_each(colour);
    conversation
}

/// The colours of the lines of code in a text.
fn colours(text: &str) -> Vec<SyntaxRuns> {
    let mut colours: Vec<SyntaxRuns> = Vec::new();
    for block in markdown::code_blocks(text) {
        let count = block.lines.len();
        let is_short = block.lines.iter().all(|line| line.len() <= MAX_COLOURED_BYTES);
        let mut runs = Vec::new();
        if is_short && colours.len() + count <= MAX_COLOURED_LINES {
            runs = Highlighter::shared().runs(extension(block.language), |line| block.lines[line], 0..count);
        }
        // A language without a grammar has no colours.
        runs.resize(count, SyntaxRuns::new());
        colours.extend(runs);
    }
    colours
}

/// The file extension of a language, as answers name it.
fn extension(language: &str) -> &str {
    match language.to_ascii_lowercase().as_str() {
        "python" | "python3" | "pycon" => "py",
        "typescript" => "ts",
        "javascript" | "mjs" => "js",
        "bash" | "shell" | "console" => "sh",
        _ => language,
    }
}

/// Sends the steps of a run.
struct Watcher<'a> {
    ticket: u64,
    watch: Watch,
    is_stopped: &'a dyn Fn() -> bool,
    send: &'a mut dyn FnMut(AskNews),
}

impl Observer for Watcher<'_> {
    fn piece(&mut self, piece: ReplyPiece<'_>) {
        let (ticket, send) = (self.ticket, &mut *self.send);
        self.watch.piece(piece, &mut |step| send_step(ticket, step, send));
    }

    fn event(&mut self, event: &Event) {
        let (ticket, send) = (self.ticket, &mut *self.send);
        self.watch.event(event, &mut |step| send_step(ticket, step, send));
    }

    fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }
}

fn send_step(ticket: u64, step: RunStep<'_>, send: &mut dyn FnMut(AskNews)) {
    let news = match step {
        RunStep::Waiting => return,
        RunStep::Asked { number, tokens } => AskNews::Prompted { ticket, number, tokens },
        RunStep::Text(text) => AskNews::Text { ticket, text: shown_text(text) },
        RunStep::Remark | RunStep::Anew => AskNews::TextDiscarded { ticket },
        RunStep::Called(call) => {
            let question = call.arguments.as_object().map(arguments_in_words).unwrap_or_default();
            let (tool, question) = (escaped_line(&call.tool).into(), escaped_line(&question).into());
            AskNews::Called { ticket, step: AskStep { tool, question, ..AskStep::default() } }
        }
        RunStep::Returned { tokens, error } => {
            let error = error.map(|error| escaped_line(error).into());
            AskNews::Returned { ticket, tokens, error }
        }
    };
    send(news);
}
