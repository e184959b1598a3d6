//! `--export`: the stub without a screen.

use serde_json::{Value, json};

use crate::program::{Project, command, is_python, outcome, run, run_on};

#[test]
fn a_stub_is_valid_python_and_shows_the_most_called() {
    let stub = run("--export --demo").success();
    assert!(stub.contains("class Station"), "{stub}");
    assert!(stub.ends_with('\n') && !stub.ends_with("\n\n"), "{stub:?}");
    assert!(is_python(&stub));
    assert!(is_python(&run("--export --demo --strategy exhaustive").success()));
}

#[test]
fn the_envelope_holds_the_same_stub() {
    let stub = run("--export --demo --symbol Station --strategy threshold").success();
    let markdown = run("--export --demo --symbol Station --strategy threshold --format markdown").success();
    assert!(markdown.contains(&format!("```python\n{stub}```")), "{markdown}");

    let json = run("--export --demo --symbol Station --strategy threshold --format json").success();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["stub"], stub);

    let yaml = run("--export --demo --symbol Station --strategy threshold --format yaml").success();
    let yaml: Value = serde_yaml::from_str(&yaml).unwrap();
    assert_eq!(yaml, json);
}

#[test]
fn json_contains_the_settings_of_the_stub() {
    let line = "--export --demo --symbol Station --max-tokens 400 --wording full --encoding cl100k_base --format json";
    let object: Value = serde_json::from_str(&run(line).success()).unwrap();
    let keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    for key in ["stub", "tokens", "max_tokens", "strategy", "wording", "docs", "encoding", "coverage", "symbols"] {
        assert!(keys.contains(&key), "{keys:?} lacks {key}");
    }
    assert_eq!(object["max_tokens"], 400);
    assert!(object["tokens"].as_u64().unwrap() <= 400);
    assert_eq!((&object["encoding"], &object["wording"]), (&Value::from("cl100k_base"), &Value::from("full")));
    assert_eq!((&object["symbols"][0]["wording"], &object["docs"]), (&Value::from("full"), &Value::from("summary")));
    let station = &object["symbols"][0];
    assert_eq!(station["fqn"], "windvane.station.Station");
    assert_eq!(station["alias"], "windvane.Station");
    assert_eq!(station["first_call"]["imports"], json!(["from windvane import Station, Thermometer"]));
    assert_eq!(station["kind"], "class");
    assert!(station["total_calls"].as_u64().unwrap() >= 40, "{station}");
    assert_eq!(station["shown"][0], "name");
    assert!(station["hidden"].as_array().unwrap().contains(&Value::from("locale")), "{station}");
    assert!(object["stub"].as_str().unwrap().contains(station["text"].as_str().unwrap().trim_end()));
}

#[test]
fn names_are_found_by_alias_and_by_suffix() {
    let full = run("--export --demo --symbol windvane.station.Station").success();
    for line in [
        "--export --demo --symbol Station",
        "--export --demo --symbol windvane.Station",
        "--export --demo --symbol WeatherStation",
        "--export --demo --module windvane.station --symbol Station",
        "--export --demo --module windvane --symbol Station",
    ] {
        assert_eq!(run(line).success(), full, "{line}");
    }
    let module = run("--export --demo --module windvane.units").success();
    assert_eq!(run("--export --demo --module units").success(), module);
    assert!(module.contains("def convert("), "{module}");
}

#[test]
fn an_unknown_name_is_answered_with_the_most_similar() {
    let message = run("--export --demo --symbol Staton").failure();
    assert!(message.contains("`Staton`") && message.contains("Station"), "{message}");
    let message = run("--export --demo --module windvane.unit").failure();
    assert!(message.contains("windvane.units"), "{message}");
}

#[test]
fn an_ambiguous_name_is_answered_with_unambiguous_names() {
    let calls = "Field(1)\n".repeat(5);
    let project = Project::with("pkg/__init__.py", "from pkg.deep.core import Field\n")
        .and("pkg/deep/__init__.py", "")
        .and("pkg/deep/core.py", "class Field:\n    def __init__(self, a): ...\n")
        .and("pkg/old/__init__.py", "")
        .and("pkg/old/fields.py", format!("class Field:\n    def __init__(self, b): ...\n\n\n{calls}"));
    let export = |symbol: &str| outcome(command(["--export", "--symbol", symbol]).arg(project.path()));
    let message = export("Field").failure();
    assert!(message.contains("could be pkg.Field, pkg.old.fields.Field; "), "{message}");
    assert!(export("pkg.Field").success().contains("def __init__(self, a)"), "the name leads on");
}

#[test]
fn of_several_definitions_with_a_name_the_one_used_most_by_far_is_taken_and_said() {
    let used = |times: usize| {
        Project::with("pkg/fields.py", "class Field:\n    def process(self, data): ...\n\n\nField().process(1)\n").and(
            "pkg/forms.py",
            format!(
                "class Form:\n    def process(self, form): ...\n\n\nform = Form()\n{}",
                "form.process(1)\n".repeat(times)
            ),
        )
    };
    let export = |project: &Project| outcome(command(["--export", "--symbol", "process"]).arg(project.path()));
    let taken = export(&used(4));
    let said = "`process` is taken for pkg.forms.Form.process, used 4 times; others: pkg.fields.Field.process";
    assert!(taken.stderr.contains(said), "{}", taken.stderr);
    assert!(taken.success().contains("from pkg.forms import Form: process"));
    let message = export(&used(3)).failure();
    assert!(message.contains("could be pkg.forms.Form.process, pkg.fields.Field.process; "), "{message}");
}

#[test]
fn what_nobody_uses_makes_no_name_ambiguous() {
    let project = Project::with("pkg/core.py", "class Field:\n    def __init__(self, a): ...\n\n\nField(1)\n")
        .and("extra/shim.py", "class Field:\n    def __init__(self, b): ...\n");
    let stub = |option: &str| outcome(command(["--export", option, "Field"]).arg(project.path())).success();
    assert!(stub("--symbol").contains("def __init__(self, a)"));
    // Where a module is expected, too.
    assert_eq!(stub("--module"), stub("--symbol"));
}

#[test]
fn a_class_constructed_by_new_shows_new() {
    let project = Project::with(
        "shapes.py",
        "class Point(tuple):\n    def __new__(cls, x, y=0): ...\n\n\nclass Dot(Point): ...\n\n\nPoint(1)\nDot(1)\n",
    );
    let stub = run_on("--export --module shapes", project.path()).success();
    assert_eq!(stub.matches("    def __new__(\n        cls,\n        x,  # REQUIRED\n").count(), 2, "{stub}");
    assert!(!stub.contains("__init__") && !stub.contains("None"), "{stub}");
}

#[test]
fn a_budget_that_is_too_small_names_the_smallest() {
    let message = run("--export --demo --symbol Station --max-tokens 5").failure();
    let smallest: usize = message.rsplit("--max-tokens ").next().unwrap().parse().unwrap();
    let fits = format!("--export --demo --symbol Station --max-tokens {smallest}");
    assert!(run(&fits).success().contains("def Station("));
    let too_small = format!("--export --demo --symbol Station --max-tokens {}", smallest - 1);
    run(&too_small).failure();
}

#[test]
fn the_output_is_the_same_every_time() {
    let line = "--export --demo --max-tokens 700 --format json";
    let first = run(line).success();
    assert!((0..3).all(|_| run(line).success() == first));
}

#[test]
fn each_symbol_of_json_has_its_first_call() {
    let library =
        "class Client:\n    def __init__(self, url): ...\n    def get(self, path): ...\n    def drop(self): ...\n";
    let project = Project::with("web.py", library)
        .and("app.py", "from web import Client\n\n\ndef load(path):\n    client = Client('a')\n    client.get(path)\n");
    let export = |rest: &str| -> Value {
        serde_json::from_str(&run_on(&format!("--export --symbol Client {rest}"), project.path()).success()).unwrap()
    };
    let object = export("--strategy exhaustive --format json");
    let first = |name: &str| {
        let symbols = object["symbols"].as_array().unwrap();
        let found = symbols.iter().find(|symbol| symbol["fqn"] == name).unwrap();
        let first = &found["first_call"];
        ["imports", "setup", "call", "you_provide", "place"].map(|key| first[key].clone())
    };
    let import = json!(["from web import Client"]);
    let made = json!(["client = Client('a')"]);
    let get = [import.clone(), made.clone(), json!(["client.get(path)"]), json!(["path"]), json!("app.py:6")];
    assert_eq!(first("web.Client.get"), get);
    let nothing = json!([]);
    assert_eq!(
        first("web.Client"),
        [import.clone(), nothing.clone(), made.clone(), nothing.clone(), json!("app.py:5")]
    );
    assert_eq!(first("web.Client.drop"), [import, made, json!(["client.drop()"]), nothing, Value::Null]);
    // Only the symbols of the stub are asked for.
    let few = export("--max-tokens 40 --format json");
    assert!(few["symbols"].as_array().unwrap().iter().all(|symbol| symbol["fqn"] != "web.Client.drop"), "{few}");
}

#[test]
fn an_export_of_a_folder_prints_nothing_on_stderr() {
    let project = Project::with("kit/core.py", "def build(name, size=1):\n    return name\n\n\nbuild('a')\n");
    let outcome = run_on("--export --symbol build", project.path());
    assert_eq!(outcome.stderr, "");
    let stub = outcome.success();
    assert!(stub.contains("def build(") && is_python(&stub), "{stub}");
}

#[test]
fn a_share_below_a_percent_is_printed_in_calls() {
    let calls = "f(1)\n".repeat(300);
    let project = Project::with("kit.py", format!("def f(a, *, b=1): ...\n\n\n{calls}f(1, b=2)\n"));
    let stub = run_on("--export", project.path()).success();
    assert!(stub.contains("# 301 calls, b in 1 call\n"), "{stub}");
}

#[test]
fn an_import_for_own_use_is_no_public_alias() {
    let project = Project::with("kit/__init__.py", "from kit.core.shapes import Circle\n")
        .and("kit/core/__init__.py", "")
        .and("kit/core/shapes.py", "class Circle:\n    def __init__(self, r): ...\n\n\ndef area(circle): ...\n")
        .and("kit/app/__init__.py", "from kit.core.shapes import area\n\narea(1)\narea(2)\n");
    let area = run_on("--export --symbol area", project.path()).success();
    assert!(area.starts_with("# from kit.core.shapes import area: "), "{area}");
    let circle = run_on("--export --symbol Circle", project.path()).success();
    assert!(circle.starts_with("# from kit import Circle: "), "{circle}");
    assert_eq!(run_on("--export --symbol kit.app.area", project.path()).success(), area);
}

#[test]
fn call_shapes_list_attributes_and_write_classes_on_one_line() {
    let library = "\
class Box:
    def __init__(self, a, *, b=1): ...

class parts:
    def __init__(self, count): ...

def Q(text): ...

class Tool:
    name: str
    size: int
    LIMIT = 3
    def run(self, deep=False): ...
    @property
    def state(self) -> str: ...
";
    let uses = "\
from kit import Box, Q, Tool, parts
Box(1); Box(1, b=2); parts(1); Q('a'); Tool().run(); print(Tool().name, Tool().state, Tool().LIMIT)
";
    let typescript = "\
export class Table { constructor(name: string, options?: { schema?: string }) {} }
interface Closeable { close(): void }
declare class Base<T> { base: T }
export class Column<T extends string = 'text', U = Table> extends Base<T> implements Closeable {
  type?: string; width = 3;
  parse(text: string): void {}
  close(): void {}
}
export function find(): Table; export function find(name: string): Table;
export function find(name?: string): Table { return new Table(name ?? '', { schema: 'x' }); }
const table = new Table('a'); find(); find('a');
const column = new Column(); column.parse(column.type ?? ''); column.close(); console.log(column.width);
";
    for (path, text, expected) in [
        (
            "kit.py",
            library,
            "\
# names alone; def Name: class; more hidden
class Tool:
 def __init__(self): ...
 def run(self): ...
 LIMIT = 3
 state = name = ...

def Box(a, *, b=...): ...
def Q(text): ... # function
def parts(count): ... # class
",
        ),
        (
            "kit.ts",
            typescript,
            "\
// names alone; more hidden
export class Table { constructor(name, options?: { schema? }); }
export function find(name?);

export class Column<T = any, U = any> { // extends Base
 constructor();
 close();
 parse(text);
 type?; width;
}
",
        ),
    ] {
        let project = Project::with(path, text).and("use.py", if path == "kit.py" { uses } else { "" });
        let stub = run_on("--export --module kit --strategy threshold --wording calls", project.path()).success();
        assert_eq!(stub.split_once('\n').unwrap().1, expected, "{stub}");
    }
}

#[test]
fn a_private_module_that_is_named_alone_shows_what_it_defines() {
    let text = "def _inner(): ...\nclass Kit:\n    def turn(self, by): ...\n    def _grip(self): ...\ndef run(): ...\n";
    let private = Project::with("_kit.py", text);
    let stub = run_on("--export --strategy exhaustive", &private.join("_kit.py")).success();
    for shown in ["class Kit:", "def turn(self, by)", "def run()"] {
        assert!(stub.contains(shown), "{stub}");
    }
    assert!(!stub.contains("_inner") && !stub.contains("_grip"), "{stub}");
    // Beside a public module, a private one is no API.
    std::fs::write(private.join("lib.py"), "def call(): ...\n").unwrap();
    let stub = run_on("--export --strategy exhaustive", private.path()).success();
    assert!(stub.contains("def call()") && !stub.contains("def run()"), "{stub}");
}

#[test]
fn the_overview_says_what_to_see_first_and_keeps_its_budget() {
    let readme = "# Weather\n\nReads many weather stations at once, wherever they are.\n\n```python\n\
                  from weather import Station\nStation(1)\n```\n";
    let code = "class Station:\n    def __init__(self, number): ...\ndef gather(station: Station): ...\n\
                gather(Station(2))\n";
    let project = Project::with("weather.py", code).and("README.md", readme);
    let text = run_on("--export --overview", project.path()).success();
    for line in [
        "Reads many weather stations",
        "README.md:6:\n    from weather import Station",
        "weather.Station: the first call in 1 of 1",
        "passed to weather.gather",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let json = run_on("--export --overview --format json", project.path()).success();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["concepts"][0]["passed_to"], json!(["weather.gather"]));
    let short = run_on("--export --overview --max-tokens 60", project.path()).success();
    assert!(short.len() < text.len() && text.starts_with(short.lines().next().unwrap()), "{short}");
    let refused = run("--export --overview --demo --strategy coverage").usage_error();
    assert!(refused.contains("--overview takes --max-tokens"), "{refused}");
}

#[test]
fn a_stub_of_a_definition_says_what_callers_pass() {
    let library = "from enum import Enum\n\n\nclass Corner(Enum):\n    ROUND = 1\n    SHARP = 2\n\n\nclass After:\n    \
                   def __init__(self, attempts=1, delay=0): ...\n\n\ndef draw(size, corner=None, stop=None): ...\n";
    let program = "from shapes import After, Corner, draw\n\ndraw(1, corner=Corner.ROUND)\n\
                   draw(2, corner=Corner.SHARP, stop=After(attempts=3))\n";
    let project = Project::with("shapes.py", library).and("app.py", program);
    let stub = run_on("--export --symbol draw --max-tokens 150", project.path()).success();
    assert!(stub.contains("# corner: Corner (ROUND, SHARP); stop: After(attempts=...)\n"), "{stub}");
    assert!(is_python(&stub), "{stub}");
    let plain = run_on("--export --symbol draw --max-tokens 150 --docs none", project.path()).success();
    assert!(!plain.contains("SHARP"), "{plain}");
}

#[test]
fn a_stub_says_which_keys_of_dicts_callers_pass() {
    let library = "def connect(host, ssl=None, extra=None): ...\n";
    let program = "from net import connect\n\nconnect('a', ssl={'key': 1, 'cert': 2})\nconnect('b', ssl=dict(cert=3))\n\
                   connect('c', {'cert': 1, KEY: 2}, {'once': 1})\n";
    let project = Project::with("net.py", library).and("app.py", program);
    let stub = run_on("--export --symbol connect --max-tokens 150", project.path()).success();
    assert!(stub.contains("# ssl: {\"cert\": ...}\n") && !stub.contains("once\": ..."), "{stub}");
    assert!(is_python(&stub), "{stub}");
    let again = project.and("more.py", "from net import connect\nconnect('d', ssl={'key': 1, \"a'b,\": 2})\n");
    let stub = run_on("--export --symbol connect --max-tokens 150", again.path()).success();
    assert!(stub.contains("# ssl: {\"cert\": ..., \"key\": ...}\n"), "{stub}");
}

#[test]
fn a_stub_of_typescript_says_which_values_callers_make_and_which_constants_they_pass() {
    let library = "export const SHARP = 2;\nexport class After { constructor(options: { attempts?: number }) {} }\n\
                   export class Plain {}\nexport interface Pen { stop?: object; width?: number }\n\
                   export function draw(size: number, pen?: Pen, corner?: number, plain?: Plain) { return size; }\n";
    let program = "import { After, Plain, SHARP, draw } from './shapes';\nconst OWN = 3;\n\
                   draw(1, { stop: new After({ attempts: 3 }), width: 2 }, SHARP, new Plain());\n\
                   draw(2, {}, OWN);\nnew Map().set(1, new Date());\n";
    let project = Project::with("shapes.ts", library).and("app.ts", program);
    let stub = run_on("--export --symbol draw --max-tokens 300", project.path()).success();
    let said = "# stop: new After({ attempts: ... }); corner: SHARP; plain: new Plain()\n".replace('#', "//");
    assert!(stub.contains(&said), "{stub}");
    assert!(stub.contains("// import { After, SHARP, Plain } from"), "{stub}");
}

#[test]
fn a_stub_says_which_constants_callers_pass() {
    let library = "SHARP = 2\n_HIDDEN = 3\n\n\ndef draw(size, corner=None): ...\n";
    let program = "from shapes import SHARP, _HIDDEN, draw\nOWN = 3\n\n\
                   draw(1, corner=SHARP)\ndraw(2, corner=_HIDDEN)\ndraw(2, corner=OWN)\n";
    let project = Project::with("shapes.py", library).and("app.py", program);
    let stub = run_on("--export --symbol draw --max-tokens 150", project.path()).success();
    assert!(stub.contains("# corner: SHARP\n# from shapes import SHARP\n"), "{stub}");
}

#[test]
fn the_values_of_a_stub_have_the_imports_of_what_is_written_alone() {
    let shapes = "from enum import Enum\n\n\nclass Corner(Enum):\n    ROUND = 1\n    SHARP = 2\n\n\n\
                  class Timeout:\n    def __init__(self, seconds=1): ...\n\n\n\
                  class AVeryLongNameOfAClassForPens:\n    def __init__(self, thickness=1): ...\n\n\n\
                  class AnEvenLongerNameOfAClassForPens:\n    def __init__(self, thickness=1): ...\n\n\n\
                  def draw(size, corner: Corner = None): ...\n\n\n\
                  def wait(size, stop=None): ...\n\n\ndef write(size, pen=None): ...\n";
    let program = "import other\nfrom shapes import AVeryLongNameOfAClassForPens, AnEvenLongerNameOfAClassForPens, draw, wait, write\n\n\
                   draw(1)\nwait(1, stop=other.Timeout(minutes=2))\n\
                   write(1, pen=AVeryLongNameOfAClassForPens(thickness=2))\n\
                   write(1, pen=AnEvenLongerNameOfAClassForPens(thickness=2))\n";
    let project = Project::with("shapes.py", shapes)
        .and("other.py", "class Timeout:\n    def __init__(self, minutes=1): ...\n")
        .and("app.py", program);
    let stub = |symbol: &str, intent: &[&str]| {
        let line = ["--export", "--symbol", symbol, "--max-tokens", "300"].into_iter().chain(intent.iter().copied());
        outcome(command(line).arg(project.path())).success()
    };
    // Members that nobody passes are imported as well.
    let drawing = stub("draw", &["--intent", "draw a corner"]);
    assert!(drawing.contains("Corner (ROUND, SHARP)\n# from shapes import Corner\n"), "{drawing}");
    // A class of the package with the name of the class that is called is another one.
    let waiting = stub("wait", &[]);
    assert!(waiting.contains("stop: Timeout(minutes=...)") && !waiting.contains("import Timeout"), "{waiting}");
    // A value that the line leaves out needs no import.
    let writing = stub("write", &[]);
    assert!(writing.contains("# from shapes import AVeryLongNameOfAClassForPens\n"), "{writing}");
    assert!(!writing.contains("AnEvenLonger"), "{writing}");
}
