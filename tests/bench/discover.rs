//! How well `discover` finds what a question asks for, as tables.
//!
//! `cargo bench --bench discover -- FOLDER…` prints a row for each kind of questions, with a cell for each way of
//! ranking. The questions are not written for this purpose: they are texts of the repositories themselves, which the
//! search does not see:
//!
//! | questions | text | answer | held out |
//! | --- | --- | --- | --- |
//! | docstrings | the first sentence of the documentation of a public definition of the library | the definition | the first sentences of all documentation |
//! | headings | the heading of a section of a document, in at least two words | the symbols that the code below it calls | all documents, and their calls |
//! | tests | the words of the name of a test | the public definitions of the library that the test calls, if there are at most three | the names of all callers, and the calls of tests |
//!
//! A question that says the name of its answer as one word is left out: a search for names answers it. A result counts
//! as the answer if it is the symbol, or the class around it, or if it lists the symbol among the first three members
//! of a class. The intervals are those of 95% of 1,000 bootstrap samples of the questions.
//!
//! `--questions FILE` writes a line of JSON for each question: `repository`, `kind`, `text`, and `candidates`, each
//! with `fqn`, `text` and `is_answer`: the first candidates of the best ranking, and the answers.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    io::Write,
    path::PathBuf,
    sync::Arc,
};

use apidisc::{
    answers::SymbolTable,
    control::Control,
    discover::{Corpus, CorpusParts, ScoreWeights, rank_symbols},
    index::Index,
    indexer,
    program::{DefinitionId, DefinitionKind, FileId},
    source::{self, Origin, Source},
};
use serde_json::json;

/// The most questions of a kind from one repository.
const QUESTIONS: usize = 150;
/// The depth to which an answer is searched for.
const DEPTH: usize = 100;
/// The number of further members of a class that a result lists.
const LISTED: usize = 3;
/// The number of candidates of a question that are written.
const WRITTEN: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Docstring,
    Heading,
    Test,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Docstring, Self::Heading, Self::Test];

    fn word(self) -> &'static str {
        match self {
            Self::Docstring => "docstrings",
            Self::Heading => "headings",
            Self::Test => "tests",
        }
    }

    /// The contents that are searched: all but those from which the questions of this kind are made.
    fn held_out(self) -> CorpusParts {
        let all = CorpusParts { recipes: false, ..CorpusParts::default() };
        match self {
            Self::Docstring => CorpusParts { first_sentences: false, ..all },
            Self::Heading => CorpusParts { sections: false, ..all },
            Self::Test => CorpusParts { callers: false, ..all },
        }
    }

    /// The index without the calls that the questions are made of: the ranking knows how much a symbol is used.
    fn counted(self, index: &Arc<Index>) -> Arc<Index> {
        let is_counted = |file: FileId| match self {
            Self::Docstring => true,
            Self::Heading => !index.file(file).is_document(),
            Self::Test => index.file(file).origin != Origin::Tests,
        };
        match self {
            Self::Docstring => Arc::clone(index),
            _ => Arc::new(index.recounted(|file| u32::from(is_counted(file))).expect("call sites")),
        }
    }
}

struct Question {
    text: String,
    answers: BTreeSet<DefinitionId>,
}

/// A way of ranking: what it searches, and by which weights.
struct Way {
    name: &'static str,
    contents: fn(CorpusParts) -> CorpusParts,
    weights: ScoreWeights,
}

fn ways() -> [Way; 5] {
    let plain = ScoreWeights {
        similarity: 0.0,
        exact: 0.0,
        kind: 0.0,
        prior: 0.0,
        prior_of_match: 0.0,
        private: 1.0,
        member: 0.0,
        groups: false,
        coverage: 0.0,
        ..ScoreWeights::default()
    };
    let names_only = |_| CorpusParts {
        declarations: false,
        first_sentences: false,
        callers: false,
        sections: false,
        recipes: false,
    };
    [
        Way { name: "names only", contents: names_only, weights: plain },
        Way { name: "BM25F", contents: |contents| contents, weights: plain },
        Way {
            name: "BM25F with prior",
            contents: |contents| contents,
            weights: ScoreWeights {
                prior: ScoreWeights::default().prior,
                prior_of_match: ScoreWeights::default().prior_of_match,
                ..plain
            },
        },
        Way {
            name: "all but similarity",
            contents: |contents| contents,
            weights: ScoreWeights { similarity: 0.0, ..ScoreWeights::default() },
        },
        Way { name: "all", contents: |contents| contents, weights: ScoreWeights::default() },
    ]
}

/// The rank of the first answer to a question in each way of ranking, from 1; 0 if it is not among the first results.
type Ranks = Vec<usize>;

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let at = words.iter().position(|word| word == "--questions");
    let file = at.and_then(|at| words.get(at + 1));
    let mut out = file.map(|file| fs::File::create(file).expect("the file of questions"));
    let is_folder = |(place, word): &(usize, &String)| !word.starts_with("--") && at.is_none_or(|at| *place != at + 1);
    let folders: Vec<PathBuf> = words.iter().enumerate().filter(is_folder).map(|(_, word)| word.into()).collect();
    println!("| repository | questions | number | {} |", ways().map(|way| way.name).join(" | "));
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut sums: [Vec<Ranks>; 3] = [const { Vec::new() }; 3];
    for folder in folders {
        let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        for (kind, ranks) in measure(folder, &name, out.as_mut()) {
            print_row(&name, kind, &ranks);
            sums[kind as usize].extend(ranks);
        }
    }
    for kind in Kind::ALL {
        print_row("all", kind, &sums[kind as usize]);
    }
}

fn measure(folder: PathBuf, name: &str, mut out: Option<&mut fs::File>) -> Vec<(Kind, Vec<Ranks>)> {
    let source = Source::Folder(folder);
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("the folder is there").expect("an index");
    let whole_index = Arc::new(index);
    let read = |path: &str| source::reread(&source, path);
    let whole = Corpus::new(Arc::new(SymbolTable::new(Arc::clone(&whole_index))), &read);
    Kind::ALL
        .map(|kind| {
            let questions = sample(match kind {
                Kind::Docstring => of_docstrings(&whole_index),
                Kind::Heading => of_headings(&whole_index, &whole),
                Kind::Test => of_tests(&whole_index),
            });
            let symbols = Arc::new(SymbolTable::new(kind.counted(&whole_index)));
            let ways = ways();
            let mut ranks = vec![vec![0; ways.len()]; questions.len()];
            for (at, way) in ways.iter().enumerate() {
                let corpus = Corpus::with(Arc::clone(&symbols), &read, (way.contents)(kind.held_out()));
                for (question, ranks) in questions.iter().zip(&mut ranks) {
                    let found = rank_symbols(&corpus, &question.text, &way.weights);
                    let is_answer = |ids: &Vec<DefinitionId>| {
                        ids.iter().take(1 + LISTED).any(|id| question.is_answer(symbols.index(), *id))
                    };
                    ranks[at] = found.iter().take(DEPTH).position(is_answer).map_or(0, |place| place + 1);
                    if let Some(out) = out.as_mut().filter(|_| at + 1 == ways.len()) {
                        write(out, symbols.index(), name, kind, question, &found);
                    }
                }
            }
            (kind, ranks)
        })
        .into()
}

impl Question {
    /// True for an answer, and for the class around it.
    fn is_answer(&self, index: &Index, id: DefinitionId) -> bool {
        self.answers.contains(&id) || self.answers.iter().any(|answer| index.definition(*answer).parent == Some(id))
    }
}

/// The first sentences of documentation, each with its definition.
fn of_docstrings(index: &Index) -> Vec<Question> {
    let ask = |(id, definition): (DefinitionId, &apidisc::index::Definition)| {
        let summary = definition.summary.as_deref().filter(|_| is_api(index, id))?;
        let sentence = summary.split(". ").next()?;
        let is_question = sentence.split_whitespace().count() >= 4 && !says_name(sentence, &definition.name);
        is_question.then(|| Question { text: sentence.to_owned(), answers: [id].into() })
    };
    index.definitions_with_ids().filter_map(ask).collect()
}

/// The headings of sections whose code calls definitions of the library.
fn of_headings(index: &Index, corpus: &Corpus) -> Vec<Question> {
    let ask = |(heading, ids): (String, Vec<DefinitionId>)| {
        let answers: BTreeSet<DefinitionId> = ids.into_iter().filter(|id| is_api(index, *id)).collect();
        let is_question = heading.split_whitespace().count() >= 2
            && !answers.is_empty()
            && !answers.iter().any(|id| says_name(&heading, &index.definition(*id).name));
        is_question.then_some(Question { text: heading, answers })
    };
    corpus.sections_with_calls().filter_map(ask).collect()
}

/// The names of tests, in words.
fn of_tests(index: &Index) -> Vec<Question> {
    let mut questions = Vec::new();
    let mut called: BTreeMap<DefinitionId, BTreeSet<DefinitionId>> = BTreeMap::new();
    for call in index.calls.iter() {
        if let (Some(caller), Some(callee)) = (call.caller, call.resolution.definition())
            && index.file(call.file).origin == Origin::Tests
            && is_api(index, callee)
        {
            called.entry(caller).or_default().insert(callee);
        }
    }
    for (test, answers) in called {
        let name = &index.definition(test).name;
        let Some(words) = name.strip_prefix("test_").map(|name| name.replace('_', " ")) else { continue };
        let says_answer = answers.iter().any(|id| says_name(&words, &index.definition(*id).name));
        if words.split(' ').count() >= 2 && answers.len() <= 3 && !says_answer {
            questions.push(Question { text: words, answers });
        }
    }
    questions
}

/// True for a public definition of the library that is more than an attribute.
fn is_api(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    let is_dunder = definition.name.starts_with("__");
    definition.is_public
        && !is_dunder
        && !matches!(definition.kind, DefinitionKind::Attribute)
        && index.file(definition.place.file).is_library()
}

/// True if a text says a name as one word, in any case.
fn says_name(text: &str, name: &str) -> bool {
    let is_word = |word: &str| word.eq_ignore_ascii_case(name);
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_word)
}

/// Every n-th question.
fn sample(questions: Vec<Question>) -> Vec<Question> {
    let step = questions.len().div_ceil(QUESTIONS).max(1);
    questions.into_iter().step_by(step).collect()
}

fn write(out: &mut fs::File, index: &Index, name: &str, kind: Kind, question: &Question, found: &[Vec<DefinitionId>]) {
    let first = found.iter().take(WRITTEN).flatten().copied();
    let mut ids: Vec<DefinitionId> = first.chain(question.answers.iter().copied()).collect();
    let mut seen = BTreeSet::new();
    ids.retain(|id| seen.insert(*id));
    let candidates: Vec<_> = ids
        .into_iter()
        .map(|id| {
            let definition = index.definition(id);
            let text = format!("{} {}", definition.alias, definition.summary.as_deref().unwrap_or_default());
            json!({"fqn": &*definition.fqn, "text": text, "is_answer": question.is_answer(index, id)})
        })
        .collect();
    let line = json!({"repository": name, "kind": kind.word(), "text": question.text, "candidates": candidates});
    writeln!(out, "{line}").expect("the file of questions");
}

/// `hit@1, hit@10, MRR` of each way, the last with its interval.
fn print_row(name: &str, kind: Kind, ranks: &[Ranks]) {
    let cell = |way: usize| {
        let of_way: Vec<usize> = ranks.iter().map(|ranks| ranks[way]).collect();
        let share = |most: usize| {
            of_way.iter().filter(|rank| (1..=most).contains(*rank)).count() as f64 / of_way.len().max(1) as f64
        };
        let (low, high) = interval(&of_way);
        format!("{:.2} {:.2} {:.3} [{low:.3}, {high:.3}]", share(1), share(10), reciprocal(of_way.iter().copied()))
    };
    let cells: Vec<String> = (0..ways().len()).map(cell).collect();
    println!("| {name} | {} | {} | {} |", kind.word(), ranks.len(), cells.join(" | "));
}

/// The mean reciprocal rank.
fn reciprocal(ranks: impl ExactSizeIterator<Item = usize>) -> f64 {
    let count = ranks.len().max(1) as f64;
    ranks.filter(|rank| *rank > 0).map(|rank| 1.0 / rank as f64).sum::<f64>() / count
}

/// The interval of 95% of the mean reciprocal rank, by the bootstrap.
fn interval(ranks: &[usize]) -> (f64, f64) {
    if ranks.is_empty() {
        return (0.0, 0.0);
    }
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut means: Vec<f64> = (0..1000)
        .map(|_| reciprocal((0..ranks.len()).map(|_| ranks[random(ranks.len())]).collect::<Vec<_>>().into_iter()))
        .collect();
    means.sort_by(f64::total_cmp);
    (means[25], means[974])
}
