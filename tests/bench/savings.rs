//! The tokens that agents save: the seed's four scenarios and held-out calls, as tables.
//!
//! `cargo bench --bench savings -- FOLDER…` prints a row for each folder. Each scenario is played for a sample of calls
//! of the folder. Nothing that is asked knows the file of the call: it is held out, as `--evaluate` holds files out.
//!
//! | scenario | read as whole files | asked for |
//! | --- | --- | --- |
//! | symbol lookup | all files of the callee's package | `search_symbols`, `get_symbols` |
//! | symbol lookup in a file | the file that defines the callee | the same |
//! | module exploration | all files of the callee's package | `get_repo_overview`, `get_module_help` |
//! | file reference | the file of the call | what `route` gathers for `Fix PATH:LINE` |
//! | typical task | the callee's package, and the file of the call | the answers of the three scenarios above, but for the overview |
//!
//! A held-out call is possible from its context if the callee is among the hits of the search, and every argument of
//! the call is in what is asked for next. The query is the name of the callee as code writes it, with its class if it
//! has one; a second search has the bare name. All limits and budgets are the defaults.

use std::{collections::HashMap, env, path::PathBuf, sync::Arc};

use apidisc::{
    answers::{self, Context, GetRepoOverview, GetSymbols, SearchSymbols, SymbolHits, SymbolTable},
    control::Control,
    delivery::StubRequest,
    hash::Fnv,
    index::{CallEvidence, Index},
    indexer,
    program::{DefinitionId, FileId, ModuleId},
    route::{Router, gather},
    source::{self, Origin, Source},
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};

/// The number of parts into which the files are divided. One part is held out at a time.
const FOLDS: u64 = 5;
/// The most calls of a folder.
const CALLS: usize = 300;
/// The default budget of `get_module_help`.
const HELP: usize = 1_000;
/// The budget of what `route` gathers, which is that of `route --run`.
const ROUTE: usize = 4_000;

/// The scenarios, with the savings that the seed states.
const SCENARIOS: [(&str, &str); 5] = [
    ("typical task", "seed 73%"),
    ("symbol lookup", "seed 86%"),
    ("symbol lookup in a file", "none"),
    ("module exploration", "seed 76%"),
    ("file reference", "seed 91%"),
];

/// Sums over the calls of a folder.
#[derive(Default)]
struct Sums {
    calls: usize,
    /// For each scenario, the tokens of whole files and those of the answers.
    tokens: [(usize, usize); 5],
    /// The callee is among the hits.
    found: usize,
    /// The callee is among the hits for its bare name.
    found_by_bare_name: usize,
    /// Every argument is in the answer of `get_symbols`.
    described: usize,
    /// Every argument is in the stub of the callee's class, or of the callee if it is in no class.
    helped: usize,
    /// Every argument is in the stub of the callee's module.
    helped_by_module: usize,
    /// The callee is found and described.
    possible: usize,
    /// Why calls are not possible, with an example each.
    missing: HashMap<&'static str, (usize, String)>,
}

/// A folder and its index without the uses of some files.
struct Asked<'a> {
    source: &'a Source,
    whole: &'a Index,
    index: Arc<Index>,
    symbols: SymbolTable,
    tokenizer: Arc<Tokenizer>,
}

fn main() {
    let folders: Vec<PathBuf> =
        env::args_os().skip(1).filter(|word| !word.to_string_lossy().starts_with("--")).map(PathBuf::from).collect();
    println!("| repository | calls | {} |", SCENARIOS.map(|(name, seed)| format!("{name} ({seed})")).join(" | "));
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let sums: Vec<(String, Sums)> = folders.into_iter().map(measure).collect();
    println!(
        "\n| repository | found | by its bare name | arguments: get_symbols | help of the class | help of the module | possible |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (name, sums) in &sums {
        let shares =
            [sums.found, sums.found_by_bare_name, sums.described, sums.helped, sums.helped_by_module, sums.possible];
        let shares = shares.map(|part| format!("{:.1}%", 100.0 * part as f64 / sums.calls.max(1) as f64));
        println!("| {name} | {} |", shares.join(" | "));
    }
    for (name, sums) in &sums {
        let mut missing: Vec<_> = sums.missing.iter().collect();
        missing.sort_by_key(|(why, (count, _))| (std::cmp::Reverse(*count), **why));
        for (why, (count, example)) in missing {
            println!("{name}: {count} × {why}, such as {example}");
        }
    }
}

fn measure(folder: PathBuf) -> (String, Sums) {
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let source = Source::Folder(folder);
    let whole = indexer::build(&source, &mut |_| Control::Continue).expect("the folder is there").expect("an index");
    let calls = sample(&whole);
    let mut sums = Sums { calls: calls.len(), ..Sums::default() };
    for held_out in 0..FOLDS {
        let is_held_out = |file: FileId| fold(&whole.file(file).path) == held_out;
        let index = Arc::new(whole.recounted(|file| u32::from(!is_held_out(file))).expect("call sites"));
        let asked = Asked {
            source: &source,
            whole: &whole,
            symbols: SymbolTable::new(Arc::clone(&index)),
            index,
            tokenizer: Tokenizer::load(Encoding::default()),
        };
        for (callee, evidence) in calls.iter().filter(|(_, evidence)| is_held_out(whole.call(evidence.call).file)) {
            asked.ask(*callee, evidence, &mut sums);
        }
    }
    let cells = sums.tokens.map(|(naive, ours)| {
        let (naive, ours) = (naive / sums.calls.max(1), ours / sums.calls.max(1));
        format!("{naive} → {ours}, {:.0}%", 100.0 - 100.0 * ours as f64 / naive.max(1) as f64)
    });
    println!("| {name} | {} | {} |", sums.calls, cells.join(" | "));
    (name, sums)
}

/// Calls of public definitions of the sources, whose arguments are all known: every n-th one.
fn sample(index: &Index) -> Vec<(DefinitionId, CallEvidence)> {
    let definitions = (0..index.definitions.len()).map(DefinitionId::new);
    let is_api = |id: &DefinitionId| {
        let definition = index.definition(*id);
        definition.is_public && index.file(definition.place.file).origin == Origin::Src
    };
    let calls = definitions.filter(is_api).flat_map(|id| index.call_evidence(id).into_iter().map(move |c| (id, c)));
    let known: Vec<_> = calls.filter(|(_, call)| !call.open && call.unknown.iter().next().is_none()).collect();
    let step = known.len().div_ceil(CALLS).max(1);
    known.into_iter().step_by(step).collect()
}

/// The part to which a file belongs.
fn fold(path: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.add(path);
    (hash.value() >> 32) % FOLDS
}

impl Asked<'_> {
    fn ask(&self, callee: DefinitionId, evidence: &CallEvidence, sums: &mut Sums) {
        let index = &*self.index;
        let definition = index.definition(callee);
        let read = |path: &str| source::reread(self.source, path);
        let context = Context::new(&self.symbols, &read);
        let call = index.call(evidence.call);
        let parent = definition.parent.map(|id| index.definition(id));

        let query = match parent {
            Some(parent) => format!("{}.{}", parent.name, definition.name),
            None => definition.name.to_string(),
        };
        let search = |query: &str| {
            let request = SearchSymbols { query: query.to_owned(), ..Default::default() };
            answers::search_symbols(&context, &request).expect("hits")
        };
        let (search, bare) = (search(&query), search(&definition.name));
        let hashes = vec![definition.fqn.to_string()];
        let symbols = answers::get_symbols(&context, &GetSymbols { hashes, ..Default::default() }).expect("a symbol");
        let overview = answers::get_repo_overview(&context, &GetRepoOverview::default()).expect("an overview");
        let module = index.module(definition.module);
        let by_module = self.help(&module.fqn, callee, evidence);
        let by_class = self.help(&parent.map_or(definition, |parent| parent).fqn, callee, evidence);
        let place = format!("Fix {}:{}", index.file(call.file).path, call.line);
        let decision = Router { context: Some(context), ..Router::default() }.route(&place);
        let file = gather(&context, &decision, ROUTE).expect("lines of a file").tokens;

        let package = self.package(definition.module);
        let [defining, calling] = [definition.place.file, call.file].map(|file| self.file(file));
        let lookup = search.tokens + symbols.tokens;
        let rows = [
            (package + calling, lookup + by_module.0 + file),
            (package, lookup),
            (defining, lookup),
            (package, overview.tokens + by_module.0),
            (calling, file),
        ];
        for (sum, (naive, ours)) in sums.tokens.iter_mut().zip(rows) {
            (sum.0, sum.1) = (sum.0 + naive, sum.1 + ours);
        }
        let is_in = |hits: &SymbolHits| hits.hits.iter().any(|hit| hit.fqn == *definition.fqn);
        let is_found = is_in(&search.data);
        sums.found_by_bare_name += usize::from(is_in(&bare.data));
        let names = definition.signature.as_ref().map_or_else(Vec::new, |signature| {
            evidence.passed.iter().filter_map(|at| Some(signature.parameters.get(at)?.name.as_str())).collect()
        });
        // A parameter that is a pattern has no name; it is passed by its position.
        let is_name = |name: &&&str| name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
        let described = names.iter().filter(is_name).find(|name| !holds_word(&symbols.text, name));
        sums.found += usize::from(is_found);
        sums.described += usize::from(described.is_none());
        sums.helped += usize::from(by_class.1);
        sums.helped_by_module += usize::from(by_module.1);
        sums.possible += usize::from(is_found && described.is_none());
        let mut miss = |why, example: String| sums.missing.entry(why).or_insert((0, example)).0 += 1;
        if !is_found {
            miss("not among the hits", definition.fqn.to_string());
        }
        if let Some(name) = described {
            miss("an argument that get_symbols leaves out", format!("{name} of {}", definition.fqn));
        }
    }

    /// The tokens of the stub of a module or class, and whether a call can be written from it.
    fn help(&self, name: &str, callee: DefinitionId, evidence: &CallEvidence) -> (usize, bool) {
        let strategy = Strategy::TokenBudget { max_tokens: HELP };
        let is_module = self.index.modules.iter().any(|module| module.fqn == name);
        let (module, symbol) = if is_module { (Some(name.to_owned()), None) } else { (None, Some(name.to_owned())) };
        let request = StubRequest { module, symbol, strategy, ..StubRequest::default() };
        let Ok(delivery) = request.deliver(&self.index) else { return (0, false) };
        let symbol = delivery.symbols.iter().find(|symbol| symbol.id == callee);
        let visible = symbol.and_then(|symbol| symbol.visible.as_ref());
        let parameters = self.index.definition(callee).signature.as_ref().map_or(0, |s| s.parameters.len());
        let passed = || evidence.passed.iter().filter(|at| *at < parameters);
        (delivery.tokens, visible.is_some_and(|visible| passed().all(|at| visible.contains(at))))
    }

    /// The tokens of all files of the package of a module.
    fn package(&self, module: ModuleId) -> usize {
        let here = self.whole.module(module);
        let package = if here.is_package { module } else { here.parent.unwrap_or(module) };
        let modules = std::iter::once(package).chain(self.whole.module(package).children.iter().copied());
        modules.filter_map(|module| self.whole.module(module).file).map(|file| self.file(file)).sum()
    }

    fn file(&self, file: FileId) -> usize {
        let text = source::reread(self.source, &self.whole.file(file).path);
        text.map_or(0, |text| self.tokenizer.count(&text.source))
    }
}

/// True if a text holds a name that is not part of a longer name.
fn holds_word(text: &str, name: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$');
    text.match_indices(name)
        .any(|(at, _)| !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next()))
}
