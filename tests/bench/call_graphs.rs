//! How many edges of small call graphs, written by hand, the index has: precision and recall, by group of cases.
//!
//! `cargo bench --bench call_graphs -- FOLDER…` reads folders of cases as `PyCG` (`micro-benchmark/snippets`) and
//! SWARM-CG (`benchmarks/javascript/swarm_js`) have them: each case is a folder with code and a `callgraph.json`, which
//! maps the name of a caller to the names of the functions that it calls. `--disagreements` lists the other edges.
//!
//! The index counts the calls that are written. So an edge counts if its callee is a named definition of the case, and
//! if the case can write its call. These edges do not count:
//!
//! - to anonymous functions, and to functions outside the case;
//! - to classes that the case raises (`raise A`) without a call, under their names or under variables that hold them;
//!   to functions in `f` that `@f()` applies; and to methods that the language calls, such as `__iter__`;
//! - in cases that have `map` or `eval` make the calls.
//!
//! A call in an anonymous function counts as a call of the function around it. The call of a class is an edge to the
//! constructor that runs, which may be inherited; without a written constructor there is no edge.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

use apidisc::{
    control::Control,
    index::{Definition, Index},
    indexer,
    language::Language,
    program::{CallSite, DefinitionKind},
    source::Source,
};

/// The names of callers, each with the names of the functions that it calls.
type CallGraph = BTreeMap<String, Vec<String>>;
/// From the caller to the callee, by their names.
type Edge = (String, String);

#[derive(Default)]
struct Counts {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
    }

    fn print(&self, name: &str) {
        let Self { right, wrong, missed } = *self;
        let share = |of: usize| if of == 0 { 1.0 } else { right as f64 / of as f64 };
        let (precision, recall) = (share(right + wrong), share(right + missed));
        println!("| {name} | {} | {right} | {wrong} | {missed} | {precision:.3} | {recall:.3} |", right + missed);
    }
}

fn main() {
    let lists = env::args().any(|argument| argument == "--disagreements");
    for folder in env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        measure(Path::new(&folder), lists);
    }
}

fn measure(folder: &Path, lists: bool) {
    println!("| cases | edges | right | wrong | missed | precision | recall |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let mut groups: BTreeMap<String, Counts> = BTreeMap::new();
    let mut disagreements = Vec::new();
    for case in cases(folder) {
        let group = case.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let (counts, mut others) = compare(&case);
        groups.entry(group).or_default().add(&counts);
        disagreements.append(&mut others);
    }
    let mut all = Counts::default();
    for (group, counts) in &groups {
        counts.print(group);
        all.add(counts);
    }
    all.print("all");
    if lists {
        for line in disagreements {
            println!("{line}");
        }
    }
}

/// The folders below `folder` that have an expected call graph, sorted.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        if folder.join("callgraph.json").is_file() {
            found.push(folder.clone());
        }
        let entries = fs::read_dir(&folder).expect("a folder of cases").filter_map(Result::ok);
        open.extend(entries.map(|entry| entry.path()).filter(|path| path.is_dir()));
    }
    found.sort();
    found
}

/// Compares the edges of a case, and says those on which the index and the expected graph differ.
fn compare(case: &Path) -> (Counts, Vec<String>) {
    let text = fs::read_to_string(case.join("callgraph.json")).expect("a call graph");
    let graph: CallGraph = serde_json::from_str(&text).expect("callers with their callees");
    let built = indexer::build(&Source::Folder(case.to_path_buf()), &mut |_| Control::Continue);
    let code = Code::new(case, &graph, built.expect("the folder is there").expect("nobody cancels"));
    if code.hides_calls {
        return (Counts::default(), Vec::new());
    }

    let edges = graph.iter().flat_map(|(caller, callees)| {
        let caller = caller.split(".<").next().unwrap_or(caller);
        callees.iter().map(|callee| (caller.to_owned(), callee.clone()))
    });
    let counting = |(caller, callee): &Edge| code.counts(caller) && code.counts(callee);
    let expected: BTreeSet<Edge> = edges.filter(counting).collect();
    let found = code.index.calls.iter().flat_map(|call| code.edges(call, &graph));
    let found: BTreeSet<Edge> = found.filter(counting).collect();

    let wrong = found.difference(&expected).map(|edge| ("wrong", edge));
    let missed = expected.difference(&found).map(|edge| ("missed", edge));
    let counts = Counts {
        right: expected.intersection(&found).count(),
        wrong: wrong.clone().count(),
        missed: missed.clone().count(),
    };
    let say = |(how, (from, to)): (&str, &Edge)| format!("{how}: {}: {from} -> {to}", case.display());
    (counts, wrong.chain(missed).map(say).collect())
}

/// The code of a case: its index, and the text of its files.
struct Code {
    index: Index,
    /// The beginning of names in a case that is a package, if its call graph leaves it out: the name of the folder with
    /// a dot.
    package: Option<String>,
    /// The lines of the files, each file beginning at index 1, by the path from the folder of the case.
    lines: BTreeMap<String, Vec<String>>,
    /// The definitions that an edge can end at, by their names.
    named: BTreeSet<String>,
    /// The last parts of the names of raised classes without a call.
    raised: BTreeSet<String>,
    /// The last parts of the names of decorators with a call. The results of these calls are applied.
    called_as_decorators: BTreeSet<String>,
    /// The case calls functions through `map` or `eval`.
    hides_calls: bool,
}

impl Code {
    fn new(case: &Path, graph: &CallGraph, index: Index) -> Self {
        let read = |path: &str| fs::read_to_string(case.join(path)).unwrap_or_default();
        let texts: BTreeMap<String, String> = index.files.iter().map(|f| (f.path.to_string(), read(&f.path))).collect();
        let lines = |text: &String| text.lines().map(str::to_owned).collect();
        let mut code = Self {
            lines: texts.iter().map(|(path, text)| (path.clone(), lines(text))).collect(),
            named: BTreeSet::new(),
            raised: BTreeSet::new(),
            called_as_decorators: BTreeSet::new(),
            hides_calls: texts.values().any(|text| ["map(", "eval("].iter().any(|call| text.contains(call))),
            package: case
                .file_name()
                .map(|name| format!("{}.", name.display()))
                .filter(|package| !graph.keys().any(|name| name.starts_with(package))),
            index,
        };
        let lines = || code.lines.values().flatten().map(|line| line.trim());
        let with_call = lines().filter_map(|line| line.strip_prefix('@')?.split_once('('));
        code.called_as_decorators = with_call.map(|(called, _)| last_part(called).to_owned()).collect();
        for raised in lines().filter_map(|line| line.strip_prefix("raise ")).filter(|raised| !raised.contains('(')) {
            let values = lines().filter_map(|line| line.strip_prefix(raised)?.strip_prefix(" = "));
            code.raised.extend(values.chain([raised]).map(|name| last_part(name).to_owned()));
        }
        let named = code.index.definitions_with_ids().filter(|(_, definition)| !code.is_anonymous(definition));
        let named = named.map(|(_, definition)| code.dotted(&definition.fqn));
        let modules = code.index.modules.iter().map(|module| code.dotted(&module.fqn));
        code.named = named.chain(modules).collect();
        code
    }

    /// The name as call graphs write it: with a dot between module and definition, and the module of an index file by
    /// the name of its folder.
    fn dotted(&self, fqn: &str) -> String {
        let name = fqn.replace("/index#", "#").replace(['#', '/'], ".");
        let inner = self.package.as_deref().and_then(|package| name.strip_prefix(package));
        inner.map(str::to_owned).unwrap_or(name)
    }

    /// The name of the constructor that a class declares.
    fn constructor_of(&self, class: &Definition) -> String {
        let constructor = match class.language {
            Language::Python => "__init__",
            Language::TypeScript => "constructor",
        };
        format!("{}.{constructor}", self.dotted(&class.fqn))
    }

    /// True for a function without a name of its own, which a variable or property holds.
    fn is_anonymous(&self, definition: &Definition) -> bool {
        let path = &self.index.file(definition.place.file).path;
        let line = self.lines.get(&**path).and_then(|lines| lines.get(definition.place.line as usize - 1));
        line.is_some_and(|line| line.contains("=>") || line.contains("lambda"))
    }

    /// True for the name of a definition of the case that a call of a name can reach.
    fn counts(&self, name: &str) -> bool {
        let definition = constructed(name).unwrap_or(name);
        let last = last_part(definition);
        let is_called_by_the_language = last.starts_with("__") && last.ends_with("__");
        let around = definition.rsplit('.').nth(1).unwrap_or_default();
        let is_applied = self.raised.contains(last) || self.called_as_decorators.contains(around);
        self.named.contains(definition) && !is_called_by_the_language && !is_applied
    }

    /// The edges of a call: one for each definition that it may call.
    fn edges(&self, call: &CallSite, graph: &CallGraph) -> Vec<Edge> {
        let index = &self.index;
        let around = std::iter::successors(call.caller, |&id| index.definition(id).parent);
        let caller = around.map(|id| index.definition(id)).find(|definition| !self.is_anonymous(definition));
        let caller = match caller {
            Some(class) if class.kind == DefinitionKind::Class => self.constructor_of(class),
            Some(function) => self.dotted(&function.fqn),
            None => self.dotted(&index.module(index.file(call.file).module).fqn),
        };
        let callees = index.calls.candidates(call).iter().map(|id| index.definition(*id));
        let callees = callees.filter_map(|callee| match callee.kind {
            DefinitionKind::Class => {
                let ancestors = callee.ancestors.iter().map(|id| index.definition(*id));
                let written =
                    |name: &String| graph.contains_key(name) || graph.values().flatten().any(|callee| callee == name);
                std::iter::once(callee).chain(ancestors).map(|class| self.constructor_of(class)).find(written)
            }
            _ => Some(self.dotted(&callee.fqn)),
        });
        callees.map(|callee| (caller.clone(), callee)).collect()
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The class of the constructor with this name.
fn constructed(name: &str) -> Option<&str> {
    name.strip_suffix(".__init__").or_else(|| name.strip_suffix(".constructor"))
}
