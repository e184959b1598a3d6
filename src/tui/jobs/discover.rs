//! Finds the definitions, recipes and documents that serve an intent.

use std::sync::{Arc, Mutex, PoisonError};

use apidisc::{
    answers::SymbolTable,
    discover::{self, Corpus, Discover, DiscoverResult, ExternalEntries, ResultType, Searched},
    search::Query,
    source::{self, Source},
};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::{
    cache::Corpora,
    tui::{
        highlight::Highlighter,
        model::{ApiCatalog, ApiPart, Catalog, MeaningHit, MeaningTarget, RecipeText},
        sources::OpenFile,
    },
};

/// The greatest number of results that the finder shows below the names.
const LIMIT: i64 = 12;
/// The least number of letters of a query that is searched by meaning.
const MIN_LETTERS: usize = 3;

/// A request for the definitions, recipes and documents that serve an intent. A newer job replaces this one, unless it
/// has begun.
#[derive(Clone, Debug)]
pub struct DiscoverJob {
    /// The number of the request; the search for names with the same query has the same number. The answer contains it.
    pub ticket: u64,
    /// The query as it was typed.
    pub typed: String,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The API documents, if there are any.
    pub api: Option<Arc<ApiCatalog>>,
}

/// Keeps the corpora of the newest index of the code and of the newest index of packages between two searches. Clones
/// share them.
#[derive(Clone, Default)]
pub struct NewestCorpora {
    corpora: Corpora,
    of_code: Arc<Mutex<Option<NumberedCorpus>>>,
    of_packages: Arc<Mutex<Option<NumberedCorpus>>>,
}

/// A corpus with the generation of its index.
type NumberedCorpus = (u64, Arc<Corpus>);

impl NewestCorpora {
    /// Has no corpus yet; `corpora` makes them.
    pub fn new(corpora: Corpora) -> Self {
        Self { corpora, of_code: Arc::default(), of_packages: Arc::default() }
    }

    /// The place of the corpus of an index.
    fn place(&self, is_of_packages: bool) -> &Mutex<Option<NumberedCorpus>> {
        if is_of_packages { &self.of_packages } else { &self.of_code }
    }

    /// Forgets the corpus of an older index of the same side. A corpus holds its index in memory.
    fn forget_older(&self, is_of_packages: bool, generation: u64) {
        let mut newest = self.place(is_of_packages).lock().unwrap_or_else(PoisonError::into_inner);
        newest.take_if(|(of, _)| *of != generation);
    }

    /// The corpus of an index. Builds the corpus unless the last search of this side was in the same index. A second
    /// thread waits until the corpus is built.
    pub(super) fn corpus(&self, catalog: &Catalog, source: Option<&Source>) -> Arc<Corpus> {
        let mut newest = self.place(catalog.index.is_of_packages()).lock().unwrap_or_else(PoisonError::into_inner);
        let known = newest.take_if(|(generation, _)| *generation == catalog.generation);
        *newest = None;
        let make = || {
            let symbols = Arc::new(SymbolTable::new(Arc::clone(&catalog.index)));
            let corpus = match source {
                Some(source) => self.corpora.get(source, &symbols),
                None => self.corpora.make(&symbols, &|_| None),
            };
            (catalog.generation, Arc::new(corpus))
        };
        Arc::clone(&newest.insert(known.unwrap_or_else(make)).1)
    }
}

/// A request to forget the corpus of the old index of the code, or of packages, when there is a new one.
#[derive(Clone, Copy, Debug)]
pub struct ForgetCorpusJob {
    /// True for an index of packages.
    pub is_of_packages: bool,
    /// The generation of the new index.
    pub generation: u64,
}

impl BackgroundJob for ForgetCorpusJob {
    fn lane(&self) -> Lane {
        Lane::Discover
    }

    fn slot(&self) -> Option<usize> {
        None
    }

    /// Has no answer.
    fn run(&self, tools: &JobTools, _: &mut dyn JobHost) {
        tools.corpora.forget_older(self.is_of_packages, self.generation);
    }
}

impl BackgroundJob for DiscoverJob {
    fn lane(&self) -> Lane {
        Lane::Discover
    }

    /// Answers with [`Answer::FoundByMeaning`]. A query with filters asks for names alone, so that its answer is empty.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let source = (tools.sources)(&self.catalog.index);
        let source = source.as_ref();
        let open: &OpenFile<'_> = &|path: &str| source::reread(source?, path);
        let letters = self.typed.chars().filter(|c| c.is_alphabetic()).count();
        let mut hits = Vec::new();
        if letters >= MIN_LETTERS && !Query::parse(&self.typed).has_filters() {
            let corpus = &*tools.corpora.corpus(&self.catalog, source);
            let request = Discover { intent: self.typed.clone(), limit: LIMIT, ..Discover::default() };
            let external = self.api.as_ref().map(|api| &api.apis as &dyn ExternalEntries);
            let searched = Searched { corpus, external };
            // An error gives no results, and no message: the search is an addition to the search for names.
            let found = discover::discover(searched, open, &request).map(|found| found.results).unwrap_or_default();
            hits.extend(found.into_iter().filter_map(|found| hit(corpus, open, self, found)));
        }
        host.send(Answer::FoundByMeaning { ticket: self.ticket, hits });
    }
}

/// A result as a row of the finder; `None` for a section that leads to no definition.
fn hit(corpus: &Corpus, open: &OpenFile<'_>, job: &DiscoverJob, found: DiscoverResult) -> Option<MeaningHit> {
    if found.is_of_api() {
        return part(job.api.as_ref()?, &found.id);
    }
    let DiscoverResult { name, description, usage_count, .. } = found;
    let target = match found.kind {
        ResultType::Symbol => MeaningTarget::Definition(corpus.symbols().find(&found.id).ok()?),
        ResultType::Doc => MeaningTarget::Section(corpus.symbols().find(found.symbols.first()?).ok()?),
        ResultType::Recipe => MeaningTarget::Recipe(Arc::new(recipe_text(corpus, open, job, &found.id)?)),
    };
    let note = match found.kind {
        ResultType::Doc => found.path.unwrap_or_default(),
        ResultType::Symbol | ResultType::Recipe => description,
    };
    Some(MeaningHit { target, name, note, uses: usage_count.unwrap_or_default() })
}

/// An operation, webhook or schema as a row of the finder; `None` if no document lists it.
fn part(api: &Arc<ApiCatalog>, id: &str) -> Option<MeaningHit> {
    let at = api.apis.documents.chunks.find(id).filter(|at| api.home(*at).is_some())?;
    let target = MeaningTarget::Part(ApiPart { api: Arc::clone(api), at });
    Some(MeaningHit { target, name: api.name(at), note: api.note(at), uses: api.calls(at) })
}

fn recipe_text(corpus: &Corpus, open: &OpenFile<'_>, job: &DiscoverJob, id: &str) -> Option<RecipeText> {
    let recipe = corpus.recipe(id)?;
    let index = &job.catalog.index;
    let snippet = corpus.recipe_code(id, open).cloned();
    let (code, imports, missing, shown) = snippet
        .map(|snippet| (snippet.code, snippet.imports, snippet.missing, snippet.place.calls))
        .unwrap_or_default();
    let lines: Vec<&str> = code.lines().collect();
    let extension = index.definition(*recipe.symbols.first()?).language.extension();
    let runs = Highlighter::shared().runs(extension, |line| lines[line], 0..lines.len());
    let lines = lines.iter().map(|line| (*line).to_owned()).zip(runs).collect();
    Some(RecipeText { generation: job.catalog.generation, recipe, lines, imports, missing, shown })
}
