//! `ask`: answers a question about the sources, with a model or without.

use std::{path::PathBuf, sync::Arc};

use apidisc::{
    answers::{Answer, Context, SymbolTable},
    code_check::Mistake,
    control::Control,
    http::UsedApis,
    research::{Question, Research, research},
    source::{Source, reread_allowing},
    unprintable::escaped_text,
};
use apidisc_agents::{
    Memory,
    research::{Citation, IndexedCode, ReadPackages, Researched},
};
use serde::Serialize;

use super::{
    AskedPackage, Input, check_index, docs,
    input::NOTHING_FOUND,
    interrupt,
    model::{ModelOptions, Steps, print_prompt},
    note, output,
    terminal_text::write_json,
};
use crate::{
    cache::{Cache, Corpora},
    packages::{PackageIndex, environments},
};

/// Answers a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The question, and the budget of its context.
    pub question: Question,
    /// The input.
    pub input: Input,
    /// The folder or file with API documents; `None` for those of the sources.
    pub docs: Option<PathBuf>,
    /// The packages that the question may be about.
    pub package: AskedPackage,
    /// The files of secrets that the model may read, as they were named.
    pub allowed: Vec<String>,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The model and the limits of its run; `None` to print the context alone, as without a configured model.
    pub model: Option<ModelOptions>,
    /// Print JSON instead of text.
    pub json: bool,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

/// The object that is printed as JSON without a model.
#[derive(Serialize)]
struct ContextObject<'a> {
    question: &'a str,
    context: &'a str,
    #[serde(flatten)]
    answer: &'a Answer<Research>,
}

/// The object that is printed as JSON after an answer of a model.
#[derive(Serialize)]
struct AnswerObject<'a> {
    question: &'a str,
    answer: &'a str,
    ending: &'a apidisc_agents::Ending,
    sources: &'a [Citation],
    mistakes: &'a [Mistake],
    prompt_tokens: u64,
    reply_tokens: u64,
}

impl Ask {
    /// Indexes the input, asks and prints.
    ///
    /// # Errors
    /// For an empty question, if nothing can be indexed, and if the model gives no answer.
    pub fn run(&self) -> anyhow::Result<()> {
        self.input.check_order(&self.question.question)?;
        // The model is opened before the sources are indexed, so that its errors are reported at once.
        let model = self
            .model
            .as_ref()
            .filter(|options| options.is_configured())
            .map(|options| Ok::<_, anyhow::Error>((options, options.open()?)))
            .transpose()?;
        let mut question = self.question.clone();
        let (index, source) = match self.package.read(&self.input, self.cache.as_ref(), self.verbose)? {
            Some((read, package)) => {
                question.package = Some(package);
                (read.index, Some(read.source))
            }
            None => self.input.load_with_source(self.cache.as_ref())?,
        };
        if self.input.is_empty(&index) {
            anyhow::bail!(NOTHING_FOUND);
        }
        let index = Arc::new(index);
        let symbols = Arc::new(SymbolTable::new(Arc::clone(&index)));
        let corpora = Corpora { cache: self.cache.clone(), ..Corpora::default() };
        let corpus = match &source {
            Some(source) => corpora.get(source, &symbols),
            None => corpora.make(&symbols, &|_| None),
        };
        // Documents and their uses belong to the code.
        let documents = match question.package {
            Some(_) => None,
            None => docs::documents(self.docs.as_deref(), source.as_ref())?,
        };
        let documents = documents.unwrap_or_default();
        let apis = UsedApis::new(documents, &index);
        let indexed = source.clone();
        let allowed = self.input.allowed_files(&self.allowed);
        let read =
            move |path: &str| source.as_ref().and_then(|source: &Source| reread_allowing(source, path, &allowed));
        match model {
            None => {
                let context = Context::new(corpus.symbols(), &read);
                self.print_context(&research(&context, &corpus, apis.non_empty(), &question)?)?;
            }
            Some((options, model)) => {
                let mut sources = IndexedCode::new(Arc::new(corpus), Arc::new(read)).with_apis(apis);
                sources = match (question.package.clone(), indexed.clone()) {
                    (Some(package), _) => sources.about_package(package),
                    (None, Some(source)) => sources.with_packages(self.packages(source)),
                    (None, None) => sources,
                };
                if let Some(source) = indexed {
                    sources = sources.with_freshness(check_index::of_answers(source, &index));
                }
                let mut agent = sources.agent(model);
                options.apply(&mut agent);
                let input = sources.input(&question.question, question.max_tokens)?;
                if options.dry_run {
                    return print_prompt(&agent, &input);
                }
                interrupt::listen();
                let mut steps = Steps::new(!self.json);
                let researched = sources.ask(&mut agent, &input, Memory::new(), &mut steps);
                options.keep(&researched.run)?;
                self.print_answer(&researched, &steps)?;
            }
        }
        self.input.report(&index, self.verbose)
    }

    /// Reads the packages that the code uses, for the tools of the model.
    fn packages(&self, source: Source) -> Box<ReadPackages> {
        let (environment, cache) = (self.package.environment.clone(), self.cache.clone());
        let allowed = self.input.allowed_files(&self.allowed);
        Box::new(move || {
            let read = PackageIndex::read(&source, cache.as_ref(), &environment, &mut |_| Control::Continue);
            let PackageIndex { index, source, .. } = read?.ok_or_else(|| environments::why_none(&environment))?;
            let symbols = Arc::new(SymbolTable::new(Arc::new(index)));
            let corpus = Corpora { cache: cache.clone(), ..Corpora::default() }.get(&source, &symbols);
            let allowed = allowed.clone();
            Ok(IndexedCode::new(Arc::new(corpus), Arc::new(move |path: &str| reread_allowing(&source, path, &allowed))))
        })
    }

    fn print_context(&self, answer: &Answer<Research>) -> anyhow::Result<()> {
        output::write(None, |out| {
            if !self.json {
                return out.write_all(answer.text.as_bytes());
            }
            write_json(out, &ContextObject { question: &self.question.question, context: &answer.text, answer })?;
            out.write_all(b"\n")
        })
    }

    fn print_answer(&self, researched: &Researched, steps: &Steps) -> anyhow::Result<()> {
        let run = &researched.run;
        if !run.ending.is_answer() {
            note(&run.ending.words());
        }
        if run.ending.is_answer() && researched.citations.iter().all(|citation| !citation.was_read) {
            note("the answer names no source that was read");
        }
        // A terminal shows the answer as it came, without marks.
        if run.ending.is_answer() && steps.has_printed(&run.answer) {
            for citation in researched.citations.iter().filter(|citation| !citation.was_read) {
                note(&format!("{} was not read", citation.source));
            }
            for mistake in &researched.mistakes {
                note(&format!("line {} is wrong by the sources: {}", mistake.line, mistake.words()));
            }
            return Ok(());
        }
        note_marks(researched);
        output::write(None, |out| {
            if !self.json {
                return writeln!(out, "{}", escaped_text(researched.answer.trim_end()));
            }
            let object = AnswerObject {
                question: &self.question.question,
                answer: &researched.answer,
                ending: &run.ending,
                sources: &researched.citations,
                mistakes: &researched.mistakes,
                prompt_tokens: run.tokens.prompt,
                reply_tokens: run.tokens.reply,
            };
            write_json(out, &object)?;
            out.write_all(b"\n")
        })?;
        if run.ending.is_answer() { Ok(()) } else { Err(anyhow::anyhow!("there is no answer")) }
    }
}

/// Says how many marks an answer has.
fn note_marks(Researched { citations, mistakes, .. }: &Researched) {
    let unread = citations.iter().filter(|citation| !citation.was_read).count();
    if unread > 0 {
        note(&format!("{unread} of {} sources in the answer were not read, and are marked", citations.len()));
    }
    if !mistakes.is_empty() {
        let (noun, are) = if mistakes.len() == 1 { ("mistake", "is") } else { ("mistakes", "are") };
        note(&format!("{} {noun} in its code {are} marked", mistakes.len()));
    }
}
