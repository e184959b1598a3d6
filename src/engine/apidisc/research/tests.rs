//! Contexts of questions about a small library.

use std::sync::Arc;

use super::*;
use apidisc_answering::answers::SymbolTable;
use apidisc_base::control::Control;
use apidisc_facts::source::{Source as Sources, reread};
use apidisc_indexing::indexer;

const LIBRARY: &str = r#"
class Client:
    """Sends requests."""

    def __init__(self, base_url, retries=0):
        """
        Args:
            retries: How often a failed request is repeated.
        """

    def stream(self, path, *, chunk_size=None):
        """Streams the body of a response in pieces."""

def colour(name):
    """The colour of a name."""
"#;

const PROGRAM: &str = r#"
from library import Client

def download():
    client = Client("https://a.b", retries=3)
    client.stream("/big", chunk_size=10)
"#;

const GUIDE: &str = "# Guide\n\n## Streaming responses\n\nCall `Client.stream`:\n\n```python\nClient('x').stream('/')\n```\n\n## Unrelated\n";

struct Asked {
    sources: Sources,
    corpus: Corpus,
}

impl Asked {
    fn new() -> Self {
        let files = [("library.py", LIBRARY), ("a.py", PROGRAM), ("b.py", PROGRAM), ("guide.md", GUIDE)];
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        Self::of(Sources::Memory { name: "m".to_owned(), files })
    }

    fn of(sources: Sources) -> Self {
        let index = indexer::build(&sources, &mut |_| Control::Continue).expect("a source").expect("an index");
        let corpus = Corpus::new(Arc::new(SymbolTable::new(Arc::new(index))), &|path| reread(&sources, path));
        Self { sources, corpus }
    }

    fn ask(&self, question: &str, max_tokens: i64) -> Result<Answer<Research>, AnswerError> {
        let read = |path: &str| reread(&self.sources, path);
        let context = Context::new(self.corpus.symbols(), &read);
        research(&context, &self.corpus, None, &Question { question: question.to_owned(), max_tokens, package: None })
    }
}

#[test]
fn a_member_has_the_words_of_its_class() {
    let library = "class Session:\n    def commit(self): ...\n\n\nclass SessionMaker:\n    \
                   def __init__(self, session=None, expire_on_commit=True): ...\n";
    let program = "from lib import Session, SessionMaker\nSession().commit()\nSession().commit()\n\
                   SessionMaker(expire_on_commit=False)\n";
    let files = [("lib.py", library), ("app.py", program)];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into()));
    let asked = Asked::of(Sources::Memory { name: "m".to_owned(), files: files.into_iter().collect() });
    let answer = asked.ask("commit a session", 600).expect("a context");
    assert_eq!(answer.data.parts.first().map(|part| &*part.name), Some("lib.Session.commit"), "{}", answer.text);
}

#[test]
fn the_line_of_a_candidate_names_keys_of_options() {
    let library = "export interface Options {\n\
                   retries?: number; timeout?: number; verbose?: boolean; cache?: Map<string, string> }\n\
                   export function fetchPage(url: string, options?: Options) {}\n\
                   export function fetchImage(url: string, options?: Options) {}\n";
    let program = "import { fetchPage, fetchImage } from './lib';\nfetchPage(a);\nfetchPage(b);\nfetchImage(a);\n";
    let asked = Asked::of(memory(&[("lib.ts", library), ("app.ts", program)]));
    let answer = asked.ask("fetch a page with three retries", 290).expect("a context");
    let line = "fetchImage(url, options?: { retries, ... })";
    assert!(answer.text.contains(line), "{line} is not in\n{}", answer.text);
}

#[test]
fn a_context_has_stubs_recipes_and_sections_with_their_sources() {
    let answer = Asked::new().ask("How do I stream a response?", 2_000).expect("a context");
    let kinds: Vec<ResultType> = answer.data.parts.iter().map(|part| part.kind).collect();
    for kind in [ResultType::Symbol, ResultType::Recipe, ResultType::Doc] {
        assert!(kinds.contains(&kind), "{kinds:?}\n{}", answer.text);
    }
    for expected in
        ["chunk_size", "(library.py:11)", "Streaming responses (guide.md:3)", "Client('x').stream('/')", DATA_NOTE]
    {
        assert!(answer.text.contains(expected), "{expected} is not in\n{}", answer.text);
    }
    // The section ends before the next one, and what does not concern the question is left out.
    assert!(!answer.text.contains("## Unrelated") && !answer.text.contains("def colour"), "{}", answer.text);
}

#[test]
fn the_section_that_answers_comes_first_and_whole() {
    let demo = Sources::Folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../assets/demo").into());
    let asked = Asked::of(demo);
    let question = "an evening on the balcony";
    let answer = asked.ask(question, 1_200).expect("a context");
    let first = answer.data.parts.first().expect("a part");
    assert_eq!((first.kind, first.source.as_str()), (ResultType::Doc, "README.md:1"), "{}", answer.text);
    for line in ["A kit for small weather stations", "print(balcony.observe().latest)", "const wall = <Board client"] {
        assert!(answer.text.contains(line), "{line} is not in\n{}", answer.text);
    }
}

#[test]
fn the_best_symbol_of_a_search_is_in_the_context() {
    let asked = Asked::of(Sources::Folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../assets/demo").into()));
    let read = |path: &str| reread(&asked.sources, path);
    for question in ["keep readings in a database", "convert a temperature", "warn when the wind is too strong"] {
        let filter = Filter { kind: TypeFilter::Symbol, ..Filter::default() };
        let request = Discover { intent: question.to_owned(), filter, ..Discover::default() };
        let found = discover_briefly(&asked.corpus, &read, &request).expect("results").results;
        let best = &found.first().expect("a result").name;
        let answer = asked.ask(question, 800).expect("a context");
        assert!(answer.data.parts.iter().any(|part| part.name == *best), "{best} is not in\n{}", answer.text);
    }
}

#[test]
fn the_part_of_the_sources_that_a_question_names_comes_first() {
    use apidisc_answering::route::RouteType::{DirectFile, KeywordSearch, OverviewOnly, SymbolSearch};
    let asked = Asked::new();
    let first = |question: &str| {
        let answer = asked.ask(question, 1_000).expect("a context").data;
        (answer.parts.first().map(|part| part.name.clone()).unwrap_or_default(), answer.route.map(|it| it.route_type))
    };
    assert_eq!(first("Why does a.py:4 do so?"), ("a.py".to_owned(), Some(DirectFile)));
    assert_eq!(first("Does colour() stream a response?"), ("library.colour".to_owned(), Some(SymbolSearch)));
    assert_eq!(first("Does shade() stream a response?").1, Some(KeywordSearch));
    assert_eq!(first("Why?"), ("Overview".to_owned(), Some(OverviewOnly)));
}

#[test]
fn a_word_of_plain_language_is_no_name() {
    let library = "class Note:\n    \"\"\"A note.\"\"\"\n    def type(self): ...\n\n\
                   def subclasses(data):\n    \"\"\"The right subclass by a field in the data.\"\"\"\n";
    let asked = Asked::of(memory(&[("library.py", library)]));
    let first = |question: &str| asked.ask(question, 600).expect("a context").data.parts[0].name.clone();
    assert_eq!(first("find the right subclass by a \"type\" field in the data"), "library.subclasses");
    assert_eq!(first("find the right subclass by a field in the data with `type`"), "library.Note.type");
    assert_eq!(first("find the right subclass by a field in the data with type()"), "library.Note.type");
}

#[test]
fn what_users_cannot_import_stands_back() {
    let library =
        "class _UploadFile:\n    \"\"\"Uploads a file.\"\"\"\n\ndef upload(file):\n    \"\"\"Uploads a file.\"\"\"\n";
    let cli = "def upload_file(file):\n    \"\"\"Uploads a file.\"\"\"\n\nupload_file('a')\n";
    let test = "from library import upload\n\ndef test_it():\n    upload('a')\n";
    let files = [("library.py", library), ("cli/main.py", cli), ("tests/test_library.py", test)];
    let asked = Asked::of(memory(&files));
    let parts = asked.ask("upload a file", 1_000).expect("a context").data.parts;
    assert_eq!(parts[0].name, "library.upload", "{parts:?}");
}

#[test]
fn a_context_keeps_its_budget_and_says_what_has_no_room() {
    let asked = Asked::new();
    let tokenizer = Tokenizer::load(apidisc_tokens::Encoding::default());
    let mut parts = Vec::new();
    for max_tokens in [60, 100, 200, 400, 800, 1_600] {
        let answer = asked.ask("How do I stream a response?", max_tokens).expect("a context");
        assert_eq!(answer.tokens, tokenizer.count(&answer.text));
        assert!(answer.tokens <= max_tokens as usize, "{} of {max_tokens}", answer.tokens);
        parts.push(answer.data.parts.len());
        assert!(max_tokens > 60 || !answer.data.left_out.is_empty());
    }
    assert!(parts.is_sorted() && parts[0] < parts[5], "{parts:?}");
}

#[test]
fn wrong_questions_are_errors() {
    let asked = Asked::new();
    assert!(asked.ask("  ", 2_000).is_err());
    assert!(asked.ask("stream", 0).is_err());
    assert!(matches!(asked.ask("stream", 3), Err(AnswerError::BudgetTooSmall { max_tokens: 3, .. })));
}

#[test]
fn a_definition_is_shown_once() {
    let answer = Asked::new().ask("Client with retries", 4_000).expect("a context");
    assert_eq!(answer.text.matches("def stream").count(), 1, "{}", answer.text);
}

#[test]
fn abbreviations_of_the_question_find_names() {
    let library = "class Jwt:\n    def check(self, secret): ...\n\nclass Web:\n    def tokens(self): ...\n";
    let files = [("auth.py".to_owned(), library.as_bytes().to_vec().into())].into_iter().collect();
    let sources = Sources::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&sources, &mut |_| Control::Continue).expect("a source").expect("an index");
    let expanded = |question| question_words::with_abbreviations(&index, question);
    assert_eq!(expanded("Check JSON web tokens"), "Check JSON web tokens jwt");
    // Common words are not abbreviated, and an abbreviation is added only if a name of the index has it.
    assert_eq!(expanded("just a wish to have good web pages"), "just a wish to have good web pages");
}

#[test]
fn parameters_that_the_question_names_are_shown() {
    let parameters: Vec<String> = (0..40).map(|at| format!("option_number_{at}=None")).collect();
    let library = format!("def send(url, {}, retry_count=3):\n    pass\n", parameters.join(", "));
    let program = "from net import send\nsend('a', option_number_1=1)\nsend('b', option_number_2=1)\n";
    let files = [("net.py", library.as_str()), ("main.py", program)];
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let asked = Asked::of(Sources::Memory { name: "m".to_owned(), files });
    let question = "How do I send with another count of retries?";
    assert!(asked.ask(question, 200).expect("a context").text.contains("retry_count"));
    assert!(!asked.ask("How do I send it twice?", 200).expect("a context").text.contains("retry_count"));
}

#[test]
fn recipes_and_sections_have_a_share_of_their_own() {
    // Many symbols match as well as the section does.
    let classes: Vec<String> = (0..40)
        .map(|at| format!("class Upload{at}:\n    \"\"\"Uploads a file.\"\"\"\n    def upload_file(self, path): ...\n"))
        .collect();
    let library = classes.concat();
    let guide = "# Guide\n\n## Upload a file\n\nOpen the file, and call `Upload7`.\n";
    let files = [("library.py", library.as_str()), ("guide.md", guide)];
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let asked = Asked::of(Sources::Memory { name: "m".to_owned(), files });
    for max_tokens in [600, 1_200] {
        let answer = asked.ask("How do I upload a file?", max_tokens).expect("a context");
        assert!(answer.text.contains("Open the file, and call `Upload7`."), "{}", answer.text);
    }
}

#[test]
fn definitions_that_documents_call_come_before_private_ones() {
    let library =
        "class _UploadFile:\n    \"\"\"Upload of a file.\"\"\"\n\ndef send(data): ...\n\ndef colour(name): ...\n";
    let guide =
        "# Guide\n\n## Forms\n\nTo upload a file:\n\n```python\nfrom library import send\nsend(open('a'))\n```\n";
    let files = [("library.py", library), ("guide.md", guide)];
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let asked = Asked::of(Sources::Memory { name: "m".to_owned(), files });
    let parts = asked.ask("How do I upload a file?", 2_000).expect("a context").data.parts;
    let place = |name: &str| parts.iter().position(|part| part.name.ends_with(name));
    let (send, inner) = (place("send").expect("the called function"), place("_UploadFile"));
    assert!(inner.is_none_or(|inner| send < inner), "{parts:?}");
    assert_eq!(place("colour"), None);
}

/// Sources with files in memory.
fn memory(files: &[(&str, &str)]) -> Sources {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    Sources::Memory { name: "m".to_owned(), files }
}

#[test]
fn the_best_symbol_of_a_search_has_a_section_and_a_class_and_its_members_are_one() {
    let asked = Asked::of(Sources::Folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../assets/demo").into()));
    let read = |path: &str| reread(&asked.sources, path);
    let index = asked.corpus.symbols().index();
    for question in ["keep readings in a database", "convert a temperature", "warn when the wind is too strong"] {
        let filter = Filter { kind: TypeFilter::Symbol, ..Filter::default() };
        let request = Discover { intent: question.to_owned(), filter, ..Discover::default() };
        let found = discover_briefly(&asked.corpus, &read, &request).expect("results").results;
        let text = asked.ask(question, 800).expect("a context").text;
        let (text, _) = text.split_once("## Other candidates").unwrap_or((&text, ""));
        let has_section = |found: &DiscoverResult| text.contains(&format!("\n## {} (", found.name));
        assert!(has_section(&found[0]), "{} has no section in\n{text}", found[0].name);
        let mut owners = FxHashSet::default();
        for result in found.iter().filter(|found| has_section(found)) {
            let id = asked.corpus.symbols().known(&result.id).expect("a definition");
            assert!(owners.insert(index.definition(id).parent.unwrap_or(id)), "{} in\n{text}", result.name);
        }
    }
}

#[test]
fn the_definition_whose_parameters_a_question_names_comes_first() {
    let library = "def send(message):\n    \"\"\"Sends a message.\"\"\"\n\n\
                   def post(message, retry_count=3, timeout=None):\n    \"\"\"Sends a message to all.\"\"\"\n";
    let program = "from library import post, send\n\nsend('a')\nsend('b')\nsend('c')\npost('d')\n";
    let asked = Asked::of(memory(&[("library.py", library), ("main.py", program)]));
    let first = |question: &str| asked.ask(question, 600).expect("a context").data.parts[0].name.clone();
    assert_eq!(first("send a message"), "library.send");
    assert_eq!(first("send a message with a timeout, and count the retries"), "library.post");
}

#[test]
fn members_of_a_class_that_a_question_names_are_one_section() {
    let library = "class Response:\n    \"\"\"A response.\"\"\"\n    def read_raw_lines(self, limit=None):\n        \"\"\"Reads raw lines.\"\"\"\n    \
                   def raw_lines_read(self, limit=None):\n        \"\"\"Reads raw lines.\"\"\"\n    def close(self): ...\n";
    let asked = Asked::of(memory(&[("library.py", library)]));
    let text = asked.ask("read raw lines", 600).expect("a context").text;
    assert_eq!(text.matches("\n## ").count(), 1, "{text}");
    assert_eq!(text.matches("class Response").count(), 1, "{text}");
    for member in ["def read_raw_lines(", "def raw_lines_read("] {
        assert!(text.contains(member), "{text}");
    }
}

#[test]
fn candidates_have_a_line_each_below_their_imports() {
    let function = |at: usize| {
        format!("def read_raw_lines_{at}(path, limit=None):\n    \"\"\"Reads raw lines of kind {at}. Fast.\"\"\"\n\n")
    };
    let library: String = (0..30).map(function).collect();
    let class = "class ReadRawLines:\n    \"\"\"Raw lines that are read.\"\"\"\n    def __init__(self, raw): ...\n";
    let other = format!("def read_raw_lines_0(path):\n    \"\"\"Reads raw lines.\"\"\"\n\n{class}");
    let test = "from library import read_raw_lines_3\n\ndef test_read_raw_lines():\n    read_raw_lines_3('a')\n";
    let files = [("library.py", library.as_str()), ("other.py", other.as_str()), ("tests/test_library.py", test)];
    let asked = Asked::of(memory(&files));
    let tokenizer = Tokenizer::load(apidisc_tokens::Encoding::default());
    for max_tokens in [400, 600, 1_200] {
        let text = asked.ask("read raw lines", max_tokens).expect("a context").text;
        let (_, candidates) = text.split_once("\n## Other candidates").unwrap_or_else(|| panic!("none in {text}"));
        assert!(tokenizer.count(candidates) <= TOKENS_OF_CANDIDATES, "{text}");
        assert!(candidates.contains("from library import read_raw_lines_"), "{text}");
        assert!(!candidates.contains("__init__"), "{text}");
        let mut callees: Vec<&str> =
            candidates.lines().filter_map(|line| line.split_once('(')).map(|it| it.0).collect();
        let count = callees.len();
        callees.sort_unstable();
        callees.dedup();
        assert!(count >= 5 && callees.len() == count, "{text}");
        // What has no room for a line has an import.
        let imported = candidates.lines().filter(|line| line.starts_with("from ")).flat_map(|line| line.split(','));
        assert!(imported.count() > count, "{text}");
        assert!(!text.contains("test_read_raw_lines"), "{text}");
    }
    let about_tests = asked.ask("which tests read raw lines", 600).expect("a context").text;
    assert!(about_tests.contains("test_read_raw_lines"), "{about_tests}");
}

#[test]
fn a_class_says_how_its_instances_get_into_a_program() {
    let library = "class Retry:\n    \"\"\"Repeats failed jobs.\"\"\"\n    def __init__(self, count=1): ...\n\n\
                   class Progress:\n    \"\"\"How far a job is.\"\"\"\n    def report(self, percent): ...\n\n\
                   class Archive:\n    \"\"\"Old rows of a model.\"\"\"\n    def rows(self): ...\n\n\
                   class Broker:\n    def with_middlewares(self, *middlewares): ...\n\n\
                   def depends(): ...\n";
    let program = "from library import Archive, Broker, Progress, Retry, depends\n\n\
                   Broker().with_middlewares(Retry(count=3))\n\n\
                   def work(progress: Progress = depends()): ...\n\n\
                   class Row:\n    class Meta:\n        manager = Archive()\n";
    let asked = Asked::of(memory(&[("library.py", library), ("main.py", program)]));
    for (question, said) in [
        ("repeat failed jobs", "# passed to: Broker.with_middlewares(*middlewares)"),
        ("how far a job is", "# default of a parameter: progress: Progress = depends()"),
        ("old rows of a model", "# set as: Meta.manager"),
    ] {
        let text = asked.ask(question, 600).expect("a context").text;
        assert!(text.contains(said), "{said} is not in\n{text}");
    }
}

#[test]
fn a_variable_in_backticks_stands_for_its_class() {
    let library = "class Box:\n    def close(self): ...\n    def add(self, letter): ...\n\n\
                   class Door:\n    def close(self): ...\n    def lock(self): ...\n\n\
                   class Post:\n    mailer: Box\n    def close(self): ...\n\n\
                   def send(mailer: Box): ...\n";
    let program = "from library import Box, Door\nDoor().close()\nDoor().lock()\nDoor().close()\nBox().add(1)\n";
    let asked = Asked::of(memory(&[("library.py", library), ("main.py", program)]));
    let best = |question: &str| asked.ask(question, 600).expect("a context").data.parts[0].name.clone();
    assert_eq!(best("close something"), "library.Door.close");
    assert_eq!(best("With `mailer`, close what is open"), "library.Box.close");
    // The name of a function of the library is no variable.
    assert_eq!(best("With `send`, close what is open"), "library.send");
}

#[test]
fn a_section_without_room_for_its_text_is_left_out_and_equal_code_is_shown_once() {
    let long = "All that there is to say of colours. ".repeat(60);
    let guide = format!("# Guide\n\n## Mix the colours of paint\n\n{long}\n");
    let library =
        "class Paint:\n    \"\"\"Colours of paint.\"\"\"\n    def mix(self, colour): ...\n    def dry(self): ...\n";
    let program = |name: &str| {
        format!(
            "from library import Paint\n\ndef {name}():\n    paint = Paint()\n    paint.mix('red')\n    paint.dry()\n"
        )
    };
    let (first, second) = (program("first"), program("second"));
    let files = [("library.py", library), ("guide.md", &guide), ("a.py", &first), ("b.py", &second)];
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let asked = Asked::of(Sources::Memory { name: "m".to_owned(), files });
    for max_tokens in [150, 300, 600, 1_200] {
        let text = asked.ask("mix the colours of paint", max_tokens).expect("a context").text;
        assert!(!text.contains("```text\n## Mix the colours of paint\n```"), "{text}");
        let codes: Vec<&str> = text.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        let repeated = codes.iter().enumerate().find(|(at, code)| codes[..*at].contains(code));
        assert_eq!(repeated, None, "{text}");
    }
    let whole = asked.ask("mix the colours of paint", 4_400).expect("a context").text;
    assert!(whole.contains("All that there is to say of colours."), "{whole}");
}

#[test]
fn a_recipe_is_left_out_only_if_another_one_has_the_same_code() {
    let asked = Asked::new();
    let read = |path: &str| reread(&asked.sources, path);
    let context = Context::new(asked.corpus.symbols(), &read);
    let filter = Filter { kind: TypeFilter::Recipe, ..Filter::default() };
    let request = Discover { intent: "stream a response".into(), filter, limit: 10, ..Discover::default() };
    let recipes = discover_briefly(&asked.corpus, &read, &request).expect("recipes").results;
    let words = QuestionWords::new("stream a response");
    let callables = names::Callables::new(context.symbols.index(), &asked.corpus);
    let found = [Vec::new(), recipes, Vec::new()];
    let found = found::ranked(&context, &callables, &words, &Variables::default(), found);
    let recipe = found.iter().find(|found| found.kind == ResultType::Recipe).expect("a recipe");
    let code = recipe.code.clone().expect("code");
    let mut gathered = ContextBuilder {
        context: &context,
        corpus: &asked.corpus,
        words,
        // The code is a part of other code.
        text: format!("re{code}\n"),
        tokens: 0,
        max_tokens: 2_000,
        tokenizer: &Tokenizer::load(context.encoding),
        data: Research::default(),
        definitions: 0,
        shown: FxHashSet::default(),
        recipes: FxHashSet::default(),
    };
    for _ in 0..2 {
        gathered.add_result(recipe, 1_000);
        assert_eq!((gathered.data.parts.len(), gathered.data.left_out.len()), (1, 0), "{}", gathered.text);
    }
}

#[test]
fn a_section_without_text_is_no_part_and_not_left_out() {
    let section = |text: &str| {
        let guide = format!("# Guide\n\n## Mix the colours of paint\n\n{text}\n");
        let files = [("library.py", LIBRARY), ("guide.md", &guide)];
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let asked = Asked::of(Sources::Memory { name: "m".to_owned(), files });
        asked.ask("mix the colours of paint", 2_000).expect("a context").data
    };
    let is_named = |name: &String| name.contains("Mix the colours");
    let whole = section(&"All that there is to say of colours. ".repeat(60));
    assert!(whole.parts.iter().any(|part| is_named(&part.name)), "{whole:?}");
    let pages = format!(".. toctree::\n   :maxdepth: 2\n\n{}", "   colours\n".repeat(60));
    let columns = format!("| {} |\n| --- |\n", "Colour of paint | ".repeat(60));
    for text in [String::new(), "-".repeat(600), pages, columns] {
        let empty = section(&text);
        assert!(!empty.left_out.iter().any(is_named), "{empty:?}");
        assert!(!empty.parts.iter().any(|part| is_named(&part.name)), "{empty:?}");
    }
}

/// A library whose names share no word with the questions about it.
const TOOLS: &str = r"
class Basket:
    def __init__(self, label=None, lid=False, colour=None, weight=0): ...
    def stow(self, thing): ...
    def draw(self, thing): ...
    def forgo(self): ...
    def _inner(self): ...

def weave(pattern): ...
def polish(basket): ...
";

#[test]
fn the_names_of_the_rest_of_the_api_stand_below_the_candidates() {
    let program = "from tools import Basket, weave\nfor i in range(3):\n    basket = Basket(label='a')\n    \
                   basket.stow(1)\n    basket.draw(1)\n    basket.draw(2)\nBasket(lid=True)\nweave('x')\n";
    let files = [("tools.py", TOOLS), ("tests/test_tools.py", program)];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into()));
    let asked = Asked::of(Sources::Memory { name: "m".to_owned(), files: files.into_iter().collect() });
    let answer = asked.ask("stow a thing and polish", 600).expect("a context");
    // Members that users call come first; private ones and those that are shown are left out.
    assert!(answer.text.contains("\nBasket.draw(thing)\n# Basket: forgo\n"), "{}", answer.text);
    assert!(answer.text.contains("\n# functions and classes: weave\n"), "{}", answer.text);
    // The class that most calls go to has its parameters.
    assert!(answer.text.contains("\nBasket(label=..., lid=..."), "{}", answer.text);
    for max_tokens in [120, 200, 300, 450] {
        let answer = asked.ask("stow a thing and polish", max_tokens).expect("a context");
        assert!(answer.tokens <= max_tokens as usize, "{}", answer.text);
    }
}
