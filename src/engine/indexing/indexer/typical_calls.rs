//! Quotes a typical call of each public definition: the text of the call in the sources, on one line.
//!
//! Facts of files have no texts, so the files of the chosen calls are read once more. A file that has changed since it
//! was parsed is left out.

use std::{ops::Range, sync::Arc};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    index::{Definition, Index, Teaching},
    snippet::{self, CodeText, Completeness, QuotedCall},
};
use apidisc_base::{control::StepCounter, language::Language};
use apidisc_facts::{
    program::{CallId, DefinitionId, DefinitionKind, FileId},
    source::{self, Contents, Origin, Source},
};

/// The definition whose typical call is looked for, and the class on which the calls are made; `None` for all calls of
/// the definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Callee {
    id: DefinitionId,
    class: Option<DefinitionId>,
}

/// The calls of a callee that can be quoted, best first.
type Quotable = (Callee, Vec<CallId>);
/// The chosen call of each callee, with its quote.
type Quotes = FxHashMap<Callee, (CallId, QuotedCall)>;

/// Sets the typical call of every public definition that has one, and of members of public bases on the classes that
/// inherit them. Stops if `steps` is cancelled.
pub(super) fn quote_typical_calls(index: &mut Index, source: &Source, contents: &Contents, steps: &StepCounter) {
    let is_called = |definition: &Definition| definition.is_public && definition.usage.total_calls > 0;
    let ids: Vec<DefinitionId> =
        index.every_definition().filter(|(_, definition)| is_called(definition)).map(|(id, _)| id).collect();
    let open: Vec<Quotable> =
        ids.into_par_iter().map(|id| (Callee { id, class: None }, index.quotable_calls(id))).collect();
    let quotes = best_quotes(index, source, contents, open, steps);
    let on_classes = best_quotes(index, source, contents, quotable_on_classes(index, &quotes), steps);
    for (Callee { id, .. }, (_, quote)) in quotes {
        index.set_typical_call(id, quote.line.into());
    }
    let with_class =
        |(callee, (_, quote)): (Callee, (CallId, QuotedCall))| Some(((callee.class?, callee.id), quote.line.into()));
    index.typical_calls_on_classes = Arc::new(on_classes.into_iter().filter_map(with_class).collect());
}

/// The best call of each public definition in documents, examples and tests. Calls in the package's own code are left
/// out, because they show how the package works and not how it is used. Stops if `steps` is cancelled.
pub(super) fn quote_for_readers(
    index: &Index,
    source: &Source,
    contents: &Contents,
    steps: &StepCounter,
) -> Vec<(DefinitionId, CallId, String)> {
    let is_for_readers = |call: &&CallId| index.file(index.call(**call).file).origin != Origin::Src;
    let open = |(id, definition): (DefinitionId, &Definition)| {
        let calls: Vec<CallId> = definition.usage.calls.iter().filter(is_for_readers).copied().collect();
        let is_shown = definition.is_public && definition.deprecation().is_none() && !calls.is_empty();
        is_shown.then(|| (Callee { id, class: None }, index.quotable_calls_of(id, &calls)))
    };
    let open: Vec<Quotable> = index.every_definition().filter_map(open).collect();
    let quotes = best_quotes(index, source, contents, open, steps);
    quotes.into_iter().map(|(callee, (call, quote))| (callee.id, call, quote.line)).collect()
}

/// The calls of members of public bases on each class that inherits them, where the call in `quotes` is made on another
/// class.
fn quotable_on_classes(index: &Index, quotes: &Quotes) -> Vec<Quotable> {
    let is_on_class = |class: DefinitionId, id: DefinitionId| {
        let (call, _) = quotes.get(&Callee { id, class: None })?;
        let call = index.call(*call);
        Some(index.classes_of_use(id, index.inherited_callee(call), call.receiver).any(|of_call| of_call == class))
    };
    let calls = index.calls_on_classes().into_par_iter();
    calls
        .filter(|((class, id), _)| is_on_class(*class, *id) == Some(false))
        .map(|((class, id), calls)| (Callee { id, class: Some(class) }, index.quotable_calls_of(id, &calls)))
        .collect()
}

/// The quotes of the callees in `open`. The calls of a callee are tried in order until one fits on a line. If none
/// fits, the quote is a call whose values are left out, else the first call, cut.
///
/// Most callees need their first call alone. For the others several calls are quoted at a time, because reading a file
/// again costs more than a quote that nobody needs.
fn best_quotes(
    index: &Index,
    source: &Source,
    contents: &Contents,
    mut open: Vec<Quotable>,
    steps: &StepCounter,
) -> Quotes {
    let mut quotes = Quotes::default();
    let mut attempts = 0..1;
    loop {
        open.retain(|(callee, calls)| attempts.start < calls.len() && !is_whole(&quotes, *callee));
        if open.is_empty() || steps.is_cancelled() {
            break;
        }
        let mut found = quotes_of_calls(index, source, contents, &open, &attempts, steps);
        for (callee, calls) in &open {
            for &call in tried(calls, &attempts) {
                if !is_whole(&quotes, *callee)
                    && let Some(quote) = found.remove(&(*callee, call))
                {
                    add_quote(index, &mut quotes, *callee, (call, quote));
                }
            }
        }
        attempts = attempts.end..attempts.end * 4;
    }
    quotes
}

/// The calls of a callee at the positions `attempts`.
fn tried<'c>(calls: &'c [CallId], attempts: &Range<usize>) -> &'c [CallId] {
    calls.get(attempts.start..attempts.end.min(calls.len())).unwrap_or_default()
}

/// True if the quote of a callee is a whole call, so that no other call is tried.
fn is_whole(quotes: &Quotes, callee: Callee) -> bool {
    quotes.get(&callee).is_some_and(|(_, quote)| quote.completeness == Completeness::Whole)
}

/// The quotes of the calls at the positions `attempts` of each callee, as far as the calls can be quoted. Each file is
/// read once. Incomplete if `steps` is cancelled.
fn quotes_of_calls(
    index: &Index,
    source: &Source,
    contents: &Contents,
    open: &[Quotable],
    attempts: &Range<usize>,
    steps: &StepCounter,
) -> FxHashMap<(Callee, CallId), QuotedCall> {
    let calls = open.iter().flat_map(|(callee, calls)| tried(calls, attempts).iter().map(move |call| (*callee, *call)));
    let mut wanted: Vec<(FileId, CallId, Callee)> =
        calls.map(|(callee, call)| (index.call(call).file, call, callee)).collect();
    wanted.sort_unstable();
    let of_files: Vec<_> = wanted.chunk_by(|a, b| a.0 == b.0).collect();
    let quotes = of_files
        .into_par_iter()
        .filter(|_| !steps.is_cancelled())
        .flat_map_iter(|calls| quotes_of_file(index, source, contents, calls));
    quotes.map(|(callee, call, quote)| ((callee, call), quote)).collect()
}

/// Keeps the quote of a call if it is the first of its callee, or shows more than the one that is known. A complete
/// quote replaces a quote without values only if both calls pass the same parameters.
fn add_quote(index: &Index, quotes: &mut Quotes, callee: Callee, (call, quote): (CallId, QuotedCall)) {
    let Some((known_call, known)) = quotes.get(&callee) else {
        quotes.insert(callee, (call, quote));
        return;
    };
    let is_other = known.completeness == Completeness::Elided && !passes_the_same(index, callee.id, *known_call, call);
    if quote.completeness < known.completeness && !is_other {
        quotes.insert(callee, (call, quote));
    }
}

/// True if two calls of a definition pass the same parameters.
fn passes_the_same(index: &Index, id: DefinitionId, a: CallId, b: CallId) -> bool {
    let set_of = index.argument_sets_of(index.definition(id));
    set_of(a) == set_of(b)
}

/// The quotes of calls in one file, each with the callee whose typical call it may become.
fn quotes_of_file(
    index: &Index,
    source: &Source,
    contents: &Contents,
    calls: &[(FileId, CallId, Callee)],
) -> Vec<(Callee, CallId, QuotedCall)> {
    let Some(&(file, ..)) = calls.first() else { return Vec::new() };
    let Some(text) = read_code(index, source, contents, file) else { return Vec::new() };
    let language = index.file(file).language;
    let quote = |&(_, call, callee): &(FileId, CallId, Callee)| {
        let site = index.call(call);
        let name = text.offset(site.line, site.col)?;
        let mut quote = quoted(text.code(), name, language, index.definition(callee.id))?;
        // A reader of documentation or an example knows the object whose members the call names.
        if quote.names_own_object && index.teaching(site) != Teaching::Example {
            quote.call.completeness = Completeness::Cut;
        }
        Some((callee, call, quote.call))
    };
    calls.iter().filter_map(quote).collect()
}

/// The quote of a call.
struct Quote {
    call: QuotedCall,
    /// See [`names_own_object`].
    names_own_object: bool,
}

/// The quote of the call whose callee's name begins at byte `name`. `None` for a call that is not quoted:
///
/// - a callee without an argument list, unless it is a whole decorator, as in `@app.task`;
/// - a call that only passes variables, or members of its own object, with the names of parameters: it shows no more
///   than the signature;
/// - a call with statements that only line breaks separate, so that they cannot be written on one line;
/// - a call with an object literal that holds nothing but a comment.
fn quoted(code: &str, name: usize, language: Language, callee: &Definition) -> Option<Quote> {
    let range = snippet::call_range(code, name, language)?;
    let passed = name + snippet::name_length(&code[name..]);
    let passed = snippet::one_line(code.get(passed..range.end)?, language);
    let is_bare_decorator =
        || code[range.clone()].starts_with('@') && !code[range.end..].starts_with(|c: char| !c.is_whitespace());
    if passed.is_empty() && !is_bare_decorator() {
        return None;
    }
    let parameters = callee.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
    let repeats_name = |argument: &str| {
        let (name, value) = argument.split_once('=').map_or((None, argument), |(name, value)| (Some(name), value));
        let value = ["self.", "this.", "cls."].iter().find_map(|own| value.strip_prefix(own)).unwrap_or(value);
        name.is_none_or(|name| name == value) && parameters.iter().any(|parameter| parameter.name == value)
    };
    let arguments = passed.strip_prefix('(').and_then(|passed| passed.strip_suffix(')'));
    if arguments.is_some_and(|arguments| arguments.split(", ").all(repeats_name)) {
        return None;
    }
    if snippet::joins_statements(&code[range.clone()], language) {
        return None;
    }
    let statement = snippet::statement_around(code, &range, language);
    let lacks_receiver = range.start == name && code[..name].trim_end().ends_with('.');
    let mut quote = snippet::quoted_call(code, range, name, language);
    let called = &code[name..name + snippet::name_length(&code[name..])];
    let shown = quote.line.split_once(&format!("{called}(")).and_then(|(_, shown)| shown.strip_suffix(", ..."));
    if quote.completeness == Completeness::Cut && shown.is_some_and(|shown| shown.split(", ").all(repeats_name)) {
        return None;
    }
    if lacks_receiver || hides_name(called, callee) {
        quote.completeness = Completeness::Cut;
    }
    if let Some((before, after)) = statement.filter(|_| !lacks_receiver && !quote.line.ends_with(" ...")) {
        let line = format!("{before}{}{after}", quote.line);
        if snippet::shortened(&line) == line {
            quote.line = line;
        }
    }
    let names_own_object = names_own_object(&passed);
    Some(Quote { call: quote, names_own_object }).filter(|quote| !quote.call.line.contains("{ }"))
}

/// True if the arguments of a call name `self`, `this` or `cls`, whose members a reader of the quote does not know.
fn names_own_object(passed: &str) -> bool {
    let mut words = passed.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| matches!(word, "self" | "this" | "cls"))
}

/// True if a function or class is called neither by its own name nor by its alias, for example through a variable: a
/// reader of the quote does not see which definition is called.
fn hides_name(called: &str, callee: &Definition) -> bool {
    let has_name = matches!(callee.kind, DefinitionKind::Function | DefinitionKind::Class) && !callee.is_nameless();
    let is_alias = callee.alias.rsplit(['.', '#']).next() == Some(called);
    has_name && callee.name != called && !is_alias
}

/// Reads the code of a file of the index. `None` if the file has changed since it was parsed.
fn read_code(index: &Index, source: &Source, contents: &Contents, id: FileId) -> Option<CodeText> {
    let file = index.file(id);
    let text = source::reread_unchanged(source, &file.path, contents.of_file(&file.path)?)?;
    Some(CodeText::new(&file.path, text, file.language, index.is_quoted_code(id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        index::metadata::{self, MetadataOptions},
        indexer,
    };
    use apidisc_base::control::Control;

    /// The typical call of the definition with a name in a program of some files.
    fn typical(files: &[(&str, &str)], fqn: &str) -> Option<String> {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        let (_, definition) = index.every_definition().find(|(_, d)| d.fqn == fqn).expect("the definition");
        definition.typical_call.as_ref().map(ToString::to_string)
    }

    /// The typical call of `lib.Client.get` in a program with these files.
    fn of_get(files: &[(&str, &str)]) -> Option<String> {
        let library = ("lib.py", "class Client:\n    def get(self, url, retries=1, hook=None): ...\n");
        typical(&[files, &[library]].concat(), "lib.Client.get")
    }

    /// The typical call of `lib.Client.get` in a program with these statements in a file.
    fn of_statements(statements: &str) -> Option<String> {
        of_get(&[("app.py", &format!("from lib import Client\n{statements}\n"))])
    }

    #[test]
    fn documents_come_before_sources_and_these_before_tests() {
        let call = |argument: &str| format!("from lib import Client\nclient = Client()\nclient.get({argument})\n");
        let (test, source) = (call("'/test'"), call("'/source'"));
        let page = format!("```python\n{}```\n", call("\n    '/page',  # why\n"));
        let docstring = "'''\n>>> from lib import Client\n>>> Client().get(\n...     '/doc')\n'''\n";
        assert_eq!(of_get(&[]), None);
        let test = ("tests/test_a.py", &*test);
        assert_eq!(of_get(&[test]).as_deref(), Some("client.get('/test')"));
        let source = ("app.py", &*source);
        assert_eq!(of_get(&[test, source]).as_deref(), Some("client.get('/source')"));
        assert_eq!(of_get(&[test, source, ("a.md", &page)]).as_deref(), Some("client.get('/page')"));
        assert_eq!(of_get(&[test, source, ("b.py", docstring)]).as_deref(), Some("Client().get('/doc')"));
    }

    #[test]
    fn a_call_of_a_mock_is_quoted_only_if_there_is_no_other() {
        let call = |url: &str| format!("from lib import Client\nClient().get('{url}')\n");
        let (mock, test) = (call("mock"), call("test"));
        let mock = ("examples/mock_server.py", &*mock);
        assert_eq!(of_get(&[mock]).as_deref(), Some("Client().get('mock')"));
        assert_eq!(of_get(&[mock, ("tests/test_a.py", &test)]).as_deref(), Some("Client().get('test')"));
    }

    #[test]
    fn calls_that_repeat_the_signature_or_pass_nothing_are_not_quoted() {
        assert_eq!(of_statements("Client().get(url)"), None);
        assert_eq!(of_statements("Client().get(url, hook=hook)"), None);
        let own = "class Mine:\n    def run(self):\n        Client().get(self.url, hook=self.hook)";
        assert_eq!(of_statements(own), None);
        let others = "Client().get(url)\nClient().get(url)\nClient().get('/', 2)";
        assert_eq!(of_statements(others).as_deref(), Some("Client().get('/', 2)"));
        let bare = format!("{}Client().get('/')", "Client().get()\n".repeat(4));
        assert_eq!(of_statements(&bare), None);
        assert_eq!(of_statements("Client().get(address)").as_deref(), Some("Client().get(address)"));
        let calls = "def f(): ...\nf()\n";
        assert_eq!(typical(&[("lib.py", calls)], "lib.f"), None);
    }

    #[test]
    fn a_call_that_names_members_of_its_own_object_is_quoted_from_documents_alone() {
        let method =
            "from lib import Client\nclass Mine:\n    def run(self):\n        Client().get('/a', hook=self.log)\n";
        let plain = "from lib import Client\nClient().get(find_url(), hook=log)\n";
        let page = format!("```python\n{method}```\n");
        assert_eq!(of_get(&[("app.py", method)]).as_deref(), Some("Client().get('/a', hook=self.log)"));
        assert_eq!(
            of_get(&[("app.py", method), ("b.py", plain)]).as_deref(),
            Some("Client().get(find_url(), hook=log)")
        );
        let quote = of_get(&[("b.md", &page), ("b.py", plain)]);
        assert_eq!(quote.as_deref(), Some("Client().get('/a', hook=self.log)"));
    }

    #[test]
    fn the_more_frequent_form_of_a_decorator_is_quoted() {
        let library = "def task(fn=None, *, retry=0): ...\n";
        let bare = "@task\ndef f(): ...\n".repeat(3);
        let called = "@task(retry=3)\ndef g(): ...\n";
        let of_task = |uses: &str| typical(&[("lib.py", &format!("{library}{uses}"))], "lib.task");
        assert_eq!(of_task(&format!("{called}{bare}")).as_deref(), Some("@task"));
        assert_eq!(of_task(&called.repeat(4)).as_deref(), Some("@task(retry=3)"));
    }

    #[test]
    fn a_call_by_another_name_is_quoted_only_if_there_is_no_other() {
        let of_client = |app: &str| {
            let library = ("lib.py", "class Client:\n    def __init__(self, url, retries=1): ...\n");
            typical(&[library, ("app.py", app)], "lib.Client")
        };
        let through_variable = "from lib import Client\nmade = Client\nmade(address)\nmade(server.url)\n";
        assert_eq!(of_client(through_variable).as_deref(), Some("made(address)"));
        let by_name = format!("{through_variable}Client(find_url(), 2)\n");
        assert_eq!(of_client(&by_name).as_deref(), Some("Client(find_url(), 2)"));
        let package = ("kit/__init__.py", "from kit.lib import LocalClient as Client\n");
        let library = ("kit/lib.py", "class LocalClient:\n    def __init__(self, url): ...\n");
        let uses = ("app.py", "import kit\nmade = kit.Client\nmade('/')\nkit.Client(find_url())\n");
        let quote = typical(&[package, library, uses], "kit.lib.LocalClient");
        assert_eq!(quote.as_deref(), Some("kit.Client(find_url())"));
    }

    #[test]
    fn long_calls_are_cut_if_there_is_no_short_one() {
        let long = format!("Client().get({}'')", "'word' + ".repeat(30));
        assert!(of_statements(&long).is_some_and(|call| call.ends_with(" ...") && call.len() <= 100));
        assert_eq!(of_statements(&format!("{long}\nClient().get(path)")).as_deref(), Some("Client().get(path)"));
    }

    #[test]
    fn values_are_left_out_of_a_long_call_only_if_no_short_one_passes_the_same_arguments() {
        let long = format!("Client().get('/', retries=sum([{}]))", "1, ".repeat(60));
        let elided = "Client().get('/', retries=sum(...))";
        assert_eq!(of_statements(&long).as_deref(), Some(elided));
        assert_eq!(of_statements(&format!("{long}\n{long}\nClient().get('/a')")).as_deref(), Some(elided));
        let short = "Client().get(path, retries=count)";
        assert_eq!(of_statements(&format!("{long}\n{short}")).as_deref(), Some(short));
        let many = format!("{}{short}", format!("{long}\n").repeat(5));
        assert_eq!(of_statements(&many).as_deref(), Some(short));
    }

    #[test]
    fn a_call_through_super_is_quoted_last_and_a_special_method_never() {
        let through_super =
            "from lib import Client\nclass Mine(Client):\n    def get(self):\n        super().get('/')\n";
        let test = "from lib import Client\nClient().get(url())\n";
        assert_eq!(of_get(&[("app.py", through_super)]).as_deref(), Some("super().get('/')"));
        let both = [("app.py", through_super), ("tests/test_a.py", test)];
        assert_eq!(of_get(&both).as_deref(), Some("Client().get(url())"));
        let library = "class A:\n    def __exit__(self, kind): ...\n";
        let app = "from lib import A\nclass B(A):\n    def __exit__(self, kind):\n        super().__exit__(None)\n";
        assert_eq!(typical(&[("lib.py", library), ("app.py", app)], "lib.A.__exit__"), None);
    }

    #[test]
    fn tests_are_quoted_with_literals_rather_than_fixtures() {
        let fixture = "def test_a(client, server):\n    Client().get(server.url)\n    Client().get(server.url)\n";
        let test = format!("from lib import Client\n{fixture}    Client().get('/', retries=2)\n");
        assert_eq!(of_get(&[("tests/test_a.py", &test)]).as_deref(), Some("Client().get('/', retries=2)"));
        // In the library's own code the arguments that most calls pass are quoted.
        assert_eq!(of_get(&[("app.py", &test)]).as_deref(), Some("Client().get(server.url)"));
    }

    #[test]
    fn calls_that_only_pass_on_arguments_are_not_quoted() {
        assert_eq!(of_statements("Client().get(*args, **kwargs)"), None);
        let both = "Client().get(*args)\nClient().get(*args)\nClient().get(*args, hook=log)";
        assert_eq!(of_statements(both).as_deref(), Some("Client().get(*args, hook=log)"));
        let names: Vec<String> = (0..6).map(|i| format!("{}_{i}", "parameter".repeat(3))).collect();
        let library = format!("class Client:\n    def get(self, {}, hook): ...\n", names.join(", "));
        let passed: Vec<String> = names.iter().map(|name| format!("{name}={name}")).collect();
        let app = format!("from lib import Client\nClient().get({}, hook=log)\n", passed.join(", "));
        assert_eq!(typical(&[("lib.py", &library), ("app.py", &app)], "lib.Client.get"), None);
    }

    #[test]
    fn a_value_that_says_nothing_is_quoted_last() {
        let test = |statements: &str| format!("from lib import Client\n{statements}");
        let empty = test("Client().get(None)\nClient().get('')\nClient().get('/', 2)\n");
        assert_eq!(of_get(&[("tests/test_a.py", &empty)]).as_deref(), Some("Client().get('/', 2)"));
        let alone = test("Client().get(None)\n");
        assert_eq!(of_get(&[("tests/test_a.py", &alone)]).as_deref(), Some("Client().get(None)"));
    }

    #[test]
    fn a_quote_names_the_receiver_if_it_can() {
        let lines = "(Client()\n    .get('/a'))\nClient().get(path)";
        assert_eq!(of_statements(lines).as_deref(), Some("Client().get(path)"));
        let alias = "client = Client()\nget = client.get\nget('/a')\nclient.get(path)";
        assert_eq!(of_statements(alias).as_deref(), Some("client.get(path)"));
    }

    #[test]
    fn typescript_keeps_receivers_and_new() {
        let library = ("lib.ts", "export class Repo { constructor(name: string) {}\n  find(o: { id?: number }) {} }\n");
        let app =
            "import { Repo } from './lib';\nconst repo = new Repo('users');\nrepo\n  .find({\n    id: 1,\n  });\n";
        let of = |fqn: &str| typical(&[library, ("app.ts", app)], fqn);
        assert_eq!(of("lib#Repo.find").as_deref(), Some("repo.find({ id: 1 })"));
        assert_eq!(of("lib#Repo").as_deref(), Some("new Repo('users')"));
    }

    #[test]
    fn a_member_of_a_public_base_is_quoted_with_a_call_on_the_class() {
        let library = "class Base:\n    def go(self, to): ...\nclass A(Base): ...\nclass B(Base): ...\n";
        let app = "from lib import A, B\nA().go(1)\nB().go(2)\nB().go(2, *rest)\n";
        let files = [("lib.py", library), ("app.py", app)];
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        let options = MetadataOptions { min_usage_threshold: 0, ..MetadataOptions::default() };
        let read = metadata::read(&metadata::write(&index, &options).expect("text")).expect("an index");
        for index in [index, read] {
            let of = |class: &str| {
                let class = index.definition_of(class).expect("the class");
                let (member, usage) = index.used_members_of_public_bases(class).pop().expect("the member");
                index.member_on_class(member, class, usage).typical_call.expect("a call").to_string()
            };
            assert_eq!(of("lib.A"), "A().go(1)");
            assert_eq!(of("lib.B"), "B().go(2)");
        }
    }

    #[test]
    fn a_member_of_a_private_base_has_the_calls_of_the_class() {
        let library = "class _Base:\n    def go(self, to): ...\nclass A(_Base): ...\nclass B(_Base): ...\n";
        let app = "from lib import A, B\nA().go(1)\nB().go(2)\nB().go(2)\n";
        let of = |fqn: &str| typical(&[("lib.py", library), ("app.py", app)], fqn);
        assert_eq!(of("lib.A.go").as_deref(), Some("A().go(1)"));
        assert_eq!(of("lib.B.go").as_deref(), Some("B().go(2)"));
    }
}
