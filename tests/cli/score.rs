//! Coverage agrees with an independent scorer, `score.py`, which parses the text of a stub and knows nothing else of
//! it.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::{
    program::{Project, outcome, run_on},
    tools,
};

/// The ways to cut a stub. The first shows everything.
const CUTS: [&str; 9] = [
    "--strategy exhaustive",
    "--strategy exhaustive --wording calls",
    "--strategy exhaustive --wording lean",
    "--strategy threshold --wording full",
    "--strategy coverage --target 0.6",
    "--max-tokens 150",
    "--max-tokens 300",
    "--max-tokens 300 --wording full",
    "--max-tokens 600",
];

/// Asserts that the scorer finds as many covered and known calls in the stubs of a scope as the program says.
fn assert_agrees(folder: &Path, scope: &str) {
    if tools::is_missing(&tools::PYTHON) {
        return;
    }
    let (mut stubs, mut said) = (Vec::new(), Vec::new());
    for cut in CUTS {
        let stub = run_on(&format!("--export --format json {cut} {scope}"), folder).success();
        let stub: Value = serde_json::from_str(&stub).unwrap();
        let title = stub["stub"].as_str().unwrap().lines().next().unwrap();
        let subject = title.trim_start_matches("# ").trim_start_matches("from ");
        let subject = subject.split([':', ',', ' ']).next().unwrap().to_owned();
        let symbols = stub["symbols"].as_array().unwrap();
        let names: serde_json::Map<String, Value> = symbols
            .iter()
            .map(|symbol| (symbol["alias"].as_str().unwrap().to_owned(), symbol["fqn"].clone()))
            .collect();
        said.push((cut, json!([stub["covered_calls"], stub["known_calls"]])));
        stubs.push(json!({ "text": stub["stub"], "subject": subject, "names": names }));
    }
    let scratch = tempfile::tempdir().unwrap();
    let [stub_file, row_file] = ["stubs.json", "rows.jsonl"].map(|name| scratch.path().join(name));
    fs::write(&stub_file, serde_json::to_vec(&stubs).unwrap()).unwrap();
    fs::write(&row_file, run_on("calls --format jsonl", folder).success()).unwrap();
    let scorer = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/score.py");
    let mut python = tools::PYTHON.command();
    python.arg(scorer).arg(folder).arg(stub_file).stdin(fs::File::open(row_file).unwrap());
    let scores: Vec<Value> = serde_json::from_str(&outcome(&mut python).success()).unwrap();
    assert_eq!(scores.len(), said.len());
    for ((cut, said), score) in said.iter().zip(&scores) {
        assert_eq!(said, score, "covered and known calls: {scope} {cut}");
    }
    let [covered, known] = [&scores[6][0], &scores[6][1]].map(|number| number.as_u64().unwrap());
    assert!(0 < covered && covered <= known, "{scores:?}");
}

#[test]
fn the_demo_is_covered_as_its_texts_say() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo");
    for scope in ["--module windvane.station", "--module windvane.transport", "--symbol Station", "--symbol Series"] {
        assert_agrees(&demo, scope);
    }
}

#[test]
fn keywords_overloads_and_classes_on_one_line_are_covered_as_their_texts_say() {
    let library = "\
from typing import overload

class Box:
    def __init__(self, a, b=1, *, c=2):
        self.a = a
        self.b = b

class Plain:
    def __init__(self, width, height=3): ...

class Tool:
    name: str
    size = 3
    def run(self, x, *args, deep=False): ...
    @staticmethod
    def make(kind): ...
    @classmethod
    def load(cls, path, mode='r'): ...

def option(*names, default=None, **attributes): ...

@overload
def get(key: str) -> str: ...
@overload
def get(key: str, other: int, **more) -> int: ...
def get(key, other=None, **more): ...
";
    let uses = "\
from kit import Box, Plain, Tool, option, get
Box(1); Box(1, 2); Box(1, c=3); Box(1, c=4); Box(*[1])
Plain(1); Plain(1); Plain(1, 2)
Tool().run(1); Tool().run(1, 2, 3); Tool().run(1, deep=True); Tool.make('a'); Tool.load('b'); Tool.load('b', mode='w')
print(Tool().name, Tool().name, Tool().size)
option('-a'); option('-a', type=int); option('-b', '-c', type=str, help='x'); option('-d', default=1, hidden=True)
get('a'); get('a'); get('b', 2); get('b', 2, strict=True)
";
    let project = Project::with("kit.py", library).and("use.py", uses).and("test_use.py", uses);
    for scope in ["", "--module kit"] {
        assert_agrees(project.path(), scope);
    }
}

/// A signature that no call passes anything to has no comment to continue.
#[test]
fn keywords_are_a_comment_where_nothing_else_is_said() {
    let library = "\
from typing import overload
@overload
def make(name: str, first: int, second: int, third: int, **options: int) -> int: ...
@overload
def make(name: int, first: int, second: int, third: int, **options: int) -> str: ...
def make(name, first, second, third, **options): ...
";
    let project = Project::with("kit.py", library).and("use.py", "from kit import make\nmake('a', 1, 2, 3, size=1)\n");
    let text = run_on("--export --strategy exhaustive --wording full", project.path()).success();
    assert!(text.contains("size 1×") && !text.contains("size 0×") && !text.contains(",:"), "{text}");
}
