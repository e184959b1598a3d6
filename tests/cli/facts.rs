//! `facts`, and `index --facts`: partitions are deterministic, kept, made anew where they are not whole, and add up to
//! the index of all sources together.

use std::{fs, path::Path};

use crate::program::{Outcome, Project, command, outcome};

const KIT: &str = "\
import elsewhere
from typing import overload
from pydantic import BaseModel
class _Base:
    def send(self, data, *, retries=3, **headers): ...
    @property
    def state(self): return 1
class Client(_Base):
    def __init__(self, url, *, token=None, **options):
        self.url = url
    def get(self, path, params=None): ...
class Special(Client): pass
class Narrow(Special): pass
def fetch(url, mode='fast'): return Client(url).get('/')
@overload
def draw(shape: int, **style) -> int: ...
@overload
def draw(shape: str, **style) -> str: ...
def draw(shape, **style): return shape
draw(1, colour='red', width=2)
draw('x', colour='blue', width=1)
def plugin(cls): return cls
@plugin
class Outside: pass
class Open(BaseModel, elsewhere.Mixin):
    id: int
";

/// A module that calls the library; `name` is a keyword and `more` a literal that others do not pass.
fn app(name: &str, more: &str) -> String {
    let lines = [
        "from kit import Client, Narrow, Open, Outside, Special, draw, fetch",
        "def run(opts, x):",
        &format!("    c = Client('u', token={more})"),
        "    c.send(1, retries=2); c.get(*opts); c.get('/p', **opts)",
        "    print(c.state, c.url, c.state)",
        "    x.get('a'); x.other(); fetch(mode='slow', url=x)",
        &format!(
            "    draw(1, {name}=1, width=2, shade=3); draw('x', shade=4); Client('v', {name}=1, proxy=2).send(1, data_{name}=1)"
        ),
        "    Outside(1, proxy=2); Open(id=1, more=2); Open(id=2, less=2)",
        &format!("    Special('u').get('/p'); s = Narrow('u', token={more}); s.get('/q', params=s.url); print(s.url)"),
        "    print(Special('w').url)",
        "run({}, fetch('x'))",
    ];
    lines.join("\n") + "\n"
}

/// A library, two applications, and a list of all of them in the order of their names.
fn three() -> Project {
    let project = Project::with("kit/kit/__init__.py", KIT);
    for (name, more) in [("app1", "1"), ("app2", "'t'")] {
        fs::create_dir_all(project.join(name)).unwrap();
        fs::write(project.join(name).join(format!("{name}_main.py")), app(name, more)).unwrap();
    }
    let component =
        "export interface Options { size?: number }\nexport function draw(o: Options) {}\ndraw({ size: 1 });\n";
    fs::write(project.join("app2/view.ts"), component).unwrap();
    let list = "sources:\n  - url: app1\n  - url: app2\n  - url: kit\n";
    fs::write(project.join("sources.yaml"), list).unwrap();
    project
}

fn run_in(project: &Project, line: &str) -> Outcome {
    outcome(command(line.split_whitespace()).current_dir(project.join("")))
}

/// The message of a run of `facts` that succeeds.
fn facts(project: &Project, line: &str) -> String {
    let Outcome { code, stdout, stderr } = run_in(project, &format!("facts --config sources.yaml {line}"));
    assert_eq!((code, stdout.as_str()), (Some(0), ""), "{stderr}");
    stderr
}

fn bytes(project: &Project, path: &str) -> Vec<u8> {
    fs::read(project.join(path)).unwrap()
}

/// The lines of an index without typical calls: facts hold no code.
fn without_typical_calls(index: &str) -> String {
    index.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("typical_call: ")).collect()
}

#[test]
fn the_fold_of_all_partitions_is_the_index_of_all_sources() {
    let project = three();
    facts(&project, "-o together");
    facts(&project, "-o apart --library kit");
    for threshold in ["0", "2"] {
        let index = |from: &str| run_in(&project, &format!("index {from} --min-usage-threshold {threshold} -o -"));
        let all = index("--config sources.yaml").success();
        assert!(all.contains("kit.Client.get:"), "{all}");
        assert!(all.contains("used_of_bases:"), "{all}");
        let all = without_typical_calls(&all);
        assert_eq!(index("--facts together").success(), all);
        assert_eq!(index("--facts apart").success(), all);
    }
}

#[test]
fn the_facts_of_one_folder_give_its_index() {
    let project = three();
    for (from, name) in [("--demo", "demo"), ("app2", "app2")] {
        assert_eq!(run_in(&project, &format!("facts {from} -o {name}-facts")).success(), "");
        let index = run_in(&project, &format!("index {from} -o -")).success();
        let folded = run_in(&project, &format!("index -o - --facts {name}-facts")).success();
        assert!(folded == without_typical_calls(&index), "{from}");
    }
}

#[test]
fn partitions_that_are_whole_are_kept_and_others_are_made_anew() {
    let project = three();
    let (calls, ledger) = ("out/calls/source=app1/files.parquet", "out/ledger/source=app1/files.parquet");
    assert!(facts(&project, "-o out --library kit").contains("3 partitions written, 0 kept"));
    let first = bytes(&project, calls);
    assert!(facts(&project, "-o out --library kit").contains("0 partitions written, 3 kept"));
    // A run that was killed leaves no ledger; a disk may cut a file.
    fs::remove_file(project.join(ledger)).unwrap();
    assert!(facts(&project, "-o out --library kit").contains("1 partition written, 2 kept"));
    fs::write(project.join(calls), &first[..first.len() / 2]).unwrap();
    assert!(facts(&project, "-o out --library kit").contains("1 partition written, 2 kept"));
    assert_eq!(bytes(&project, calls), first);
    fs::write(project.join("app1/app1_main.py"), app("app1", "2")).unwrap();
    assert!(facts(&project, "-o out --library kit").contains("1 partition written, 2 kept"));
    assert_ne!(bytes(&project, calls), first);
    // A library concerns everything that was linked with it.
    fs::write(project.join("kit/kit/__init__.py"), KIT.replace("'fast'", "'quick'")).unwrap();
    assert!(facts(&project, "-o out --library kit").contains("3 partitions written, 0 kept"));
}

#[test]
fn facts_do_not_go_into_a_folder_of_facts() {
    let project = three();
    facts(&project, "-o out");
    for inner in ["out/calls", "out/more/facts"] {
        let message = run_in(&project, &format!("facts app1 -o {inner}")).failure();
        assert!(message.contains(&format!("{inner} lies in ")) && message.contains("a folder of facts"), "{message}");
    }
    assert!(facts(&project, "-o out").contains("0 partitions written, 3 kept"));
}

#[test]
fn facts_that_cannot_be_folded_say_why() {
    let project = three();
    let fold = || run_in(&project, "index -o - --facts out").failure();
    assert!(fold().contains("name a folder that `apidisc-tui facts` wrote"), "{}", fold());
    facts(&project, "-o out");
    let calls = project.join("out/calls/source=app1/files.parquet");
    let whole = fs::read(&calls).unwrap();
    let cut = |at: usize| fs::write(&calls, &whole[..at]).unwrap();
    for at in [0, 3, whole.len() / 2, whole.len() - 1] {
        cut(at);
        assert!(fold().contains("source=app1/files.parquet") && fold().contains("make the facts anew"), "{}", fold());
    }
    // Bytes that were changed are an error, or a change that the format does not notice: never a panic.
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut changed = whole.clone();
        changed[at] ^= 0x5a;
        fs::write(&calls, changed).unwrap();
        let Outcome { code, stderr, .. } = run_in(&project, "index -o - --facts out");
        assert!(matches!(code, Some(0 | 1)) && !stderr.contains("panicked"), "byte {at}: {stderr}");
    }
    fs::write(&calls, &whole).unwrap();
    copy(&project.join("out/ledger/source=app1/files.parquet"), &project.join("out/ledger/source=app1/0a.parquet"));
    copy(
        &project.join("out/definitions/source=app1/files.parquet"),
        &project.join("out/definitions/source=app1/0a.parquet"),
    );
    assert!(fold().contains("there are facts of two commits of `app1`"), "{}", fold());
    fs::remove_file(project.join("out/ledger/source=app1/0a.parquet")).unwrap();
    fs::remove_dir_all(project.join("out/ledger/source=kit")).unwrap();
    assert!(fold().contains("of which there are no facts"), "{}", fold());
}

fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

#[test]
fn a_library_has_to_be_a_source_of_the_list() {
    let project = three();
    let unknown = run_in(&project, "facts --config sources.yaml --library kti -o out").failure();
    assert_eq!(unknown, "there is no source called `kti`; --library names one of the list");
    assert!(run_in(&project, "facts app1 --library kit -o out").failure().contains("give one with --config FILE"));
}
