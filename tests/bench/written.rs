//! How often a context has every name that a call needs, as a table.
//!
//! `cargo bench --bench written -- FOLDER…` samples calls that the tests of a folder make of its public definitions.
//! The file of a call is held out, as `--evaluate` holds files out, and the names of callers are not searched. The
//! intent of a call is the text around it: the words of the name of the test, its documentation, the comment above the
//! call, and the words of the values that the call passes. Two contexts are judged:
//!
//! | context | tokens |
//! | --- | --- |
//! | `ask` without a model | 600 |
//! | the stub of the called definition for the intent | 200 |
//!
//! A call has four kinds of names, and a column counts the calls of which the context has the kinds so far:
//!
//! | column | names |
//! | --- | --- |
//! | callee | the called name, or another public name of it, in a part of the context |
//! | parameters | those that the call passes, in a part with the callee |
//! | inner | members of enums that the call passes, classes that its arguments are made with, the parameters of these |
//! | import | a statement that brings the callee and these classes in |
//!
//! `--list` prints what each context lacks.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    path::PathBuf,
    sync::Arc,
};

use apidisc::{
    answers::{Context, SymbolTable},
    control::Control,
    delivery::StubRequest,
    discover::{Corpus, CorpusParts},
    hash::Fnv,
    index::{CallEvidence, Index},
    indexer,
    language::Language,
    program::{CallId, DefinitionId, DefinitionKind, FileId, ParameterSet},
    research::{Question, research},
    source::{self, Origin, Source, SourceText},
    strategy::Strategy,
    stub::exported_by,
};

/// The number of parts into which the files are divided. One part is held out at a time.
const FOLDS: u64 = 5;
/// The most calls of a folder.
const CALLS: usize = 60;
/// The most calls of one definition.
const CALLS_OF_A_DEFINITION: usize = 3;
/// The fewest words of an intent.
const LEAST_WORDS: usize = 4;
const TOKENS_OF_A_CONTEXT: i64 = 600;
const TOKENS_OF_A_STUB: usize = 200;

/// The kinds of names, in the order of the columns.
const KINDS: [&str; 4] = ["callee", "parameters", "inner", "import"];

/// The number of calls whose context has all names of the kinds up to each of [`KINDS`].
type Counts = [usize; KINDS.len()];

/// A held-out call.
struct HeldOut {
    callee: DefinitionId,
    call: CallId,
    intent: String,
    /// The names of the passed parameters.
    parameters: Vec<String>,
    /// The names in the values.
    inner: BTreeSet<String>,
    /// The definitions that the code of the call imports.
    imported: BTreeSet<DefinitionId>,
}

fn main() {
    let has = |name: &str| env::args().any(|argument| argument == name);
    let lists = has("--list");
    let columns = KINDS.join(" | ");
    println!("| repository | calls | ask, {TOKENS_OF_A_CONTEXT}: {columns} | stub, {TOKENS_OF_A_STUB}: {columns} |");
    println!("| --- | --- | {} |", ["---"; 2 * KINDS.len()].join(" | "));
    let mut all = (0, [Counts::default(); 2]);
    for folder in env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        let (calls, counts) = measure(PathBuf::from(&folder), lists);
        print_row(folder.rsplit('/').next().unwrap_or_default(), calls, &counts);
        all.0 += calls;
        for (sum, count) in all.1.iter_mut().flatten().zip(counts.into_iter().flatten()) {
            *sum += count;
        }
    }
    print_row("all", all.0, &all.1);
}

fn print_row(name: &str, calls: usize, counts: &[Counts; 2]) {
    let cell = |count: &usize| format!("{count} {:.0}%", 100.0 * *count as f64 / calls.max(1) as f64);
    let cells: Vec<String> = counts.iter().flatten().map(cell).collect();
    println!("| {name} | {calls} | {} |", cells.join(" | "));
}

fn measure(folder: PathBuf, lists: bool) -> (usize, [Counts; 2]) {
    let source = Source::Folder(folder);
    let whole = indexer::build(&source, &mut |_| Control::Continue).expect("the folder is there").expect("an index");
    let read = |path: &str| source::reread(&source, path);
    let calls = sample(&whole, &read);
    let mut counts = [Counts::default(); 2];
    for fold in 0..FOLDS {
        let is_held_out = |file: FileId| self::fold(&whole.file(file).path) == fold;
        let index = Arc::new(whole.recounted(|file| u32::from(!is_held_out(file))).expect("call sites"));
        let symbols = Arc::new(SymbolTable::new(Arc::clone(&index)));
        let parts = CorpusParts { callers: false, ..CorpusParts::default() };
        let corpus = Corpus::with(symbols, &read, parts);
        let context = Context::new(corpus.symbols(), &read);
        for held_out in calls.iter().filter(|held_out| is_held_out(whole.call(held_out.call).file)) {
            let question =
                Question { question: held_out.intent.clone(), max_tokens: TOKENS_OF_A_CONTEXT, package: None };
            let answer = research(&context, &corpus, None, &question).expect("a context");
            // The first line repeats the question.
            let asked = answer.text.split_once('\n').map_or("", |(_, rest)| rest);
            let stub = stub(&index, held_out);
            for ((text, counts), name) in [asked, &stub].into_iter().zip(&mut counts).zip(["ask", "stub"]) {
                let missing = held_out.missing(&index, text);
                for (kind, count) in counts.iter_mut().enumerate() {
                    *count += usize::from(missing.first().is_none_or(|(first, _)| *first > kind));
                }
                if lists && !missing.is_empty() {
                    print_missing(&index, held_out, name, &missing, text);
                }
            }
        }
    }
    (calls.len(), counts)
}

fn print_missing(index: &Index, held_out: &HeldOut, context: &str, missing: &[(usize, String)], text: &str) {
    let call = index.call(held_out.call);
    let names: Vec<String> = missing.iter().map(|(kind, name)| format!("{} {name}", KINDS[*kind])).collect();
    println!(
        "\n{context} lacks {} of {} ({}:{})\n{}\n{text}",
        names.join(", "),
        index.definition(held_out.callee).fqn,
        index.file(call.file).path,
        call.line,
        held_out.intent,
    );
}

/// The stub of the called definition for the intent.
fn stub(index: &Arc<Index>, held_out: &HeldOut) -> String {
    let request = StubRequest {
        symbol: Some(index.definition(held_out.callee).fqn.to_string()),
        intent: Some(held_out.intent.clone()),
        strategy: Strategy::TokenBudget { max_tokens: TOKENS_OF_A_STUB },
        ..StubRequest::default()
    };
    request.deliver(index).map_or_else(|_| String::new(), |delivery| delivery.text)
}

/// Calls of public definitions of the sources in tests, whose arguments are all known: every n-th one.
fn sample(index: &Index, read: &dyn Fn(&str) -> Option<SourceText>) -> Vec<HeldOut> {
    let mut texts: BTreeMap<FileId, Option<SourceText>> = BTreeMap::new();
    let mut found = Vec::new();
    for callee in (0..index.definitions.len()).map(DefinitionId::new) {
        let definition = index.definition(callee);
        let is_api = definition.is_public
            && definition.kind.is_callable()
            && !definition.name.starts_with('_')
            && index.file(definition.place.file).is_library();
        if !is_api {
            continue;
        }
        let of_tests = |call: &CallEvidence| {
            call.origin == Origin::Tests
                && !call.open
                && call.unknown.iter().next().is_none()
                && !call.passed.is_empty()
        };
        let calls: Vec<CallEvidence> = index.call_evidence(callee).into_iter().filter(of_tests).collect();
        let step = calls.len().div_ceil(CALLS_OF_A_DEFINITION).max(1);
        for evidence in calls.into_iter().step_by(step) {
            let file = index.call(evidence.call).file;
            let text = texts.entry(file).or_insert_with(|| read(&index.file(file).path));
            let Some(text) = text else { continue };
            found.extend(held_out(index, &text.source, callee, &evidence));
        }
    }
    let step = found.len().div_ceil(CALLS).max(1);
    found.into_iter().step_by(step).collect()
}

/// A call with its intent and its names. `None` if too few words stand around it, or if it is not written as a call.
fn held_out(index: &Index, text: &str, callee: DefinitionId, evidence: &CallEvidence) -> Option<HeldOut> {
    let call = index.call(evidence.call);
    let (before, code) = text_of_call(text, call.line, call.col)?;
    let caller = call.caller.map(|caller| index.definition(caller));
    let mut said: Vec<&str> = Vec::new();
    if let Some(caller) = caller {
        said.push(caller.name.trim_start_matches("test"));
        said.extend(caller.summary.as_deref());
    }
    let comments: Vec<&str> = before.lines().rev().skip(1).map(str::trim).take_while(|line| is_comment(line)).collect();
    said.extend(comments.into_iter().rev());
    said.extend(evidence.values.iter().map(|(_, value)| value.as_str()));
    let words: Vec<String> = said.into_iter().flat_map(words).collect();
    if words.len() < LEAST_WORDS {
        return None;
    }
    let parameters = names(index, callee, &evidence.passed);
    let mut inner = BTreeSet::new();
    let mut imported: BTreeSet<DefinitionId> = BTreeSet::new();
    imported.extend(import_for(index, callee));
    for (_, value) in &evidence.values {
        // `Color.RED`. The calls in the arguments are read below.
        let is_name = value.contains('.') && value.split('.').all(is_identifier);
        inner.extend(is_name.then(|| value.split('.').map(str::to_owned)).into_iter().flatten());
    }
    let start = (call.line as usize, call.col as usize);
    let last = code.rsplit('\n').next().map_or(0, str::len);
    let lines = code.matches('\n').count();
    let end = (start.0 + lines, if lines == 0 { start.1 + last } else { last });
    for (id, nested) in index.calls.iter().enumerate().filter(|(_, nested)| nested.file == call.file) {
        let at = (nested.line as usize, nested.col as usize);
        let is_within = at > start && at < end;
        let class = nested.resolution.definition().filter(|id| {
            let definition = index.definition(*id);
            definition.kind == DefinitionKind::Class
                && definition.is_public
                && index.file(definition.place.file).is_library()
        });
        if let Some(class) = class.filter(|_| is_within) {
            inner.insert(index.definition(class).name.to_string());
            imported.extend(import_for(index, class));
            let of_call = |evidence: &CallEvidence| evidence.call == CallId::new(id);
            if let Some(evidence) = index.call_evidence(class).into_iter().find(of_call) {
                inner.extend(names(index, class, &evidence.passed));
            }
        }
    }
    Some(HeldOut { callee, call: evidence.call, intent: words.join(" "), parameters, inner, imported })
}

/// The definition that code imports to call another one: the outermost one around a class or function; `None` for a
/// member that is called on a value.
fn import_for(index: &Index, id: DefinitionId) -> Option<DefinitionId> {
    let definition = index.definition(id);
    if definition.parent.is_some() && definition.kind != DefinitionKind::Class {
        return None;
    }
    std::iter::successors(Some(id), |&id| index.definition(id).parent).last()
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The names of parameters that code can write.
fn names(index: &Index, id: DefinitionId, passed: &ParameterSet) -> Vec<String> {
    let Some(signature) = index.definition(id).signature.as_ref() else { return Vec::new() };
    let parameters = passed.iter().filter_map(|at| signature.parameters.get(at));
    let is_name = |name: &str| name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    let named = parameters.filter(|parameter| !parameter.is_variadic() && is_name(&parameter.name));
    named.map(|parameter| parameter.name.to_string()).collect()
}

/// The text before a call in its file, up to the line break before its line and one more, and the text of the call from
/// its name to its closing parenthesis.
fn text_of_call(text: &str, line: u32, col: u32) -> Option<(&str, &str)> {
    let start_of_line: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let start = start_of_line + col as usize;
    let rest = text.get(start..)?;
    let opening = rest.find('(')?;
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in rest.char_indices().skip_while(|(at, _)| *at < opening) {
        match (c, quote) {
            ('\'' | '"' | '`', None) => quote = Some(c),
            (_, Some(open)) if c == open => quote = None,
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && quote.is_none() {
            return Some((&text[..start], &rest[..=at]));
        }
    }
    None
}

fn is_comment(line: &str) -> bool {
    line.starts_with('#') || line.starts_with("//")
}

/// The words of a name or text, in lower case.
fn words(text: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut before = ' ';
    for c in text.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.push(c);
        before = c;
    }
    let words = spaced.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

impl HeldOut {
    /// The names that a context does not have, each with its kind, in the order of the kinds.
    fn missing(&self, index: &Index, text: &str) -> Vec<(usize, String)> {
        let definition = index.definition(self.callee);
        let holds_callee = |part: &&str| definition.last_names().any(|name| holds_word(part, name));
        let parts: Vec<&str> = text.split("\n## ").collect();
        let with_callee: Vec<&str> = parts.iter().copied().filter(holds_callee).collect();
        let mut missing: Vec<(usize, String)> = Vec::new();
        if with_callee.is_empty() {
            missing.push((0, definition.name.to_string()));
        }
        let lacks = |part: &&str| self.parameters.iter().filter(|name| !holds_word(part, name)).count();
        if let Some(best) = with_callee.iter().min_by_key(|part| lacks(part)) {
            missing.extend(self.parameters.iter().filter(|name| !holds_word(best, name)).map(|name| (1, name.clone())));
        }
        missing.extend(self.inner.iter().filter(|name| !holds_word(text, name)).map(|name| (2, name.clone())));
        let imports = imports(text, definition.language);
        // Branches may define a name several times.
        let is_same = |other: DefinitionId, id: DefinitionId| index.definition(other).fqn == index.definition(id).fqn;
        let is_imported = |id: DefinitionId| {
            let mut exported = imports.iter().filter_map(|(module, name)| exported_by(index, module, name));
            exported.any(|other| is_same(other, id))
        };
        let not_imported = self.imported.iter().filter(|id| !is_imported(**id));
        missing.extend(not_imported.map(|id| (3, index.definition(*id).alias.to_string())));
        missing
    }
}

/// The module and name of each import that a text has, in code or in a comment.
fn imports(text: &str, language: Language) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let (module, names) = match language {
            Language::Python => {
                let Some((module, names)) = line.split_once("from ").and_then(|(_, rest)| rest.split_once(" import "))
                else {
                    continue;
                };
                (module.to_owned(), names)
            }
            Language::TypeScript => {
                let Some((names, rest)) = line.split_once("import ").and_then(|(_, rest)| rest.split_once(" from "))
                else {
                    continue;
                };
                let quoted = rest.split(['"', '\'']).nth(1).unwrap_or_default();
                (quoted.to_owned(), names)
            }
        };
        let name = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').to_owned();
        found.extend(
            names
                .split([',', ' ', ':', ';'])
                .map(name)
                .filter(|name| !name.is_empty())
                .map(|name| (module.clone(), name)),
        );
    }
    found
}

/// The part to which a file belongs.
fn fold(path: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.add(path);
    (hash.value() >> 32) % FOLDS
}

/// True if a text holds a name that is not part of a longer name.
fn holds_word(text: &str, name: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$');
    text.match_indices(name)
        .any(|(at, _)| !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next()))
}
