//! How early `discover` finds what a question of a user asks for, as a table.
//!
//! `cargo bench --bench asked -- FOLDER QUESTIONS…` asks the questions of a file (`tests/bench/questions`) about the
//! repository in the folder before it. Each question was written, together with its answers, before the first search.
//! A line of a file is an object:
//!
//! | key | content |
//! | --- | --- |
//! | `question` | the text |
//! | `symbols`, `or` | the FQNs, or ends of FQNs, of the definitions that answer the question; each of them is an answer |
//! | `documents` | the pages of documentation that answer it, each with its heading behind `#` if the page has several |
//! | `commit` | the commit of the repository that was read |
//!
//! A column has three shares of questions: those whose answer is the first result, among the first three, and among the
//! first ten. `name`: the result is an answer. `class`: the result is an answer, its class, or a member of the same
//! class. Both search for symbols alone, `all` counts classes among results of all types, and `documents` counts
//! sections of an answering page among documents.
//!
//! `--list` prints the first results of the questions whose first result is no answer.

use std::{env, fs, path::PathBuf, sync::Arc};

use apidisc::{
    answers::{ReadSource, SymbolTable},
    control::Control,
    discover::{Corpus, Discover, DiscoverResult, Filter, ResultType, TypeFilter, discover},
    index::{Definition, Index},
    indexer,
    program::DefinitionId,
    source::{Source, reread},
};
use serde::Deserialize;

/// The numbers of first results that are looked at.
const DEPTHS: [usize; 3] = [1, 3, 10];

#[derive(Deserialize)]
struct Asked {
    question: String,
    symbols: Vec<String>,
    #[serde(default)]
    or: Vec<String>,
    #[serde(default)]
    documents: Vec<String>,
}

/// The ranks of the first answers, from 1; `None` if the first results have none.
type Ranks = Vec<Option<usize>>;

/// The ranks of the answers to the questions of a file, by column.
#[derive(Default)]
struct Row {
    name: Ranks,
    class: Ranks,
    all: Ranks,
    documents: Ranks,
}

fn main() {
    let mut folder: Option<PathBuf> = None;
    let lists = env::args().any(|argument| argument == "--list");
    let mut whole = Row::default();
    println!("| questions | number | name | class | all | documents |\n| --- | --- | --- | --- | --- | --- |");
    // `cargo bench` passes options of its own.
    for argument in env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        let path = PathBuf::from(&argument);
        if path.is_dir() {
            folder = Some(path);
            continue;
        }
        let folder = folder.as_ref().expect("a folder precedes each file of questions");
        let lines = fs::read_to_string(&path).expect("questions");
        let asked: Vec<Asked> = lines.lines().map(|line| serde_json::from_str(line).expect("a question")).collect();
        let row = ask_all(&Source::Folder(folder.clone()), &asked, lists);
        row.print(&path.file_stem().unwrap_or_default().to_string_lossy());
        whole.name.extend(row.name);
        whole.class.extend(row.class);
        whole.all.extend(row.all);
        whole.documents.extend(row.documents);
    }
    whole.print("all");
}

impl Row {
    fn print(&self, name: &str) {
        let columns = [&self.name, &self.class, &self.all, &self.documents].map(|ranks| shares(ranks)).join(" | ");
        println!("| {name} | {} | {columns} |", self.name.len());
    }
}

/// The shares of ranks up to each depth.
fn shares(ranks: &[Option<usize>]) -> String {
    let share = |depth: usize| {
        let count = ranks.iter().filter(|rank| rank.is_some_and(|rank| rank <= depth)).count();
        format!("{:.3}", count as f64 / ranks.len().max(1) as f64)
    };
    DEPTHS.map(share).join(" ")
}

fn ask_all(source: &Source, asked: &[Asked], lists: bool) -> Row {
    let index = indexer::build(source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let read = |path: &str| reread(source, path);
    let corpus = Corpus::new(Arc::new(SymbolTable::new(Arc::new(index))), &read);
    let mut row = Row::default();
    for asked in asked {
        let wanted: Vec<DefinitionId> =
            asked.symbols.iter().chain(&asked.or).flat_map(|name| with_name(corpus.symbols().index(), name)).collect();
        if wanted.is_empty() {
            eprintln!("unknown: {:?}", asked.symbols);
        }
        let symbols = results(&corpus, &read, &asked.question, TypeFilter::Symbol);
        let name = rank(&symbols, |found| found_symbol(&corpus, found).is_some_and(|id| wanted.contains(&id)));
        let is_class = |found: &DiscoverResult| {
            found_symbol(&corpus, found).is_some_and(|id| wanted.iter().any(|it| are_of_a_class(&corpus, *it, id)))
        };
        if lists && name != Some(1) {
            let shown: Vec<String> = symbols.iter().take(5).map(|f| format!("{} {}", f.name, f.score)).collect();
            println!("{:?} wants {}, rank {name:?}: {}", asked.question, asked.symbols[0], shown.join(", "));
        }
        row.name.push(name);
        row.class.push(rank(&symbols, is_class));
        let all = results(&corpus, &read, &asked.question, TypeFilter::All);
        row.all.push(rank(&all, is_class));
        if !asked.documents.is_empty() {
            let found = results(&corpus, &read, &asked.question, TypeFilter::Doc);
            let documents = rank(&found, |found| asked.documents.iter().any(|page| is_page(found, page)));
            if lists && documents.is_none_or(|rank| rank > 3) {
                let shown: Vec<String> =
                    found.iter().take(3).map(|found| format!("{} {}", found.id, found.name)).collect();
                println!("{:?} wants {:?}, rank {documents:?}: {}", asked.question, asked.documents, shown.join(", "));
            }
            row.documents.push(documents);
        }
    }
    row
}

fn results(corpus: &Corpus, read: &ReadSource<'_>, question: &str, kind: TypeFilter) -> Vec<DiscoverResult> {
    let filter = Filter { kind, ..Filter::default() };
    let request = Discover { intent: question.to_owned(), filter, ..Discover::default() };
    discover(corpus, read, &request).expect("results").results
}

/// The place of the first result that is an answer, from 1.
fn rank(results: &[DiscoverResult], is_answer: impl FnMut(&DiscoverResult) -> bool) -> Option<usize> {
    results.iter().position(is_answer).map(|at| at + 1)
}

fn found_symbol(corpus: &Corpus, found: &DiscoverResult) -> Option<DefinitionId> {
    (found.kind == ResultType::Symbol).then(|| corpus.symbols().find(&found.id).ok()).flatten()
}

/// The definitions whose FQN or alias ends with a name.
fn with_name<'a>(index: &'a Index, name: &'a str) -> impl Iterator<Item = DefinitionId> + 'a {
    let has_end = move |full: &str| {
        full.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '/', ':', '#']))
    };
    let is_named = move |definition: &Definition| {
        has_end(&definition.fqn) || has_end(&definition.alias) || definition.aliases.iter().any(|alias| has_end(alias))
    };
    index.definitions_with_ids().filter(move |(_, definition)| is_named(definition)).map(|(id, _)| id)
}

/// True for a definition and itself, its class, its members, and the other members of its class.
fn are_of_a_class(corpus: &Corpus, one: DefinitionId, other: DefinitionId) -> bool {
    let class = |id| corpus.symbols().index().definition(id).parent.unwrap_or(id);
    class(one) == class(other)
}

/// True for a section of a page, `path` or `path#heading`.
fn is_page(found: &DiscoverResult, page: &str) -> bool {
    let (path, heading) = page.split_once('#').map_or((page, None), |(path, heading)| (path, Some(heading)));
    let is_heading = |heading: &str| found.name == heading || found.name.ends_with(&format!(": {heading}"));
    found.path.as_deref() == Some(path) && heading.is_none_or(is_heading)
}
