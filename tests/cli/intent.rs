//! `--export --intent`: stubs for what somebody wants to do.

use crate::program::{Project, command, is_python, outcome, run_on};

#[test]
fn an_intent_shows_the_arguments_that_its_words_name() {
    let options: Vec<String> = (0..30).map(|at| format!("option_number_{at}=None")).collect();
    let library = format!("def send(url, {}, retry_count=3, use_proxy=False): ...\n", options.join(", "));
    let project =
        Project::with("net.py", &library).and("app.py", "from net import send\nsend('a', option_number_1=1)\n");
    let stub = |intent: &[&str]| {
        let line = ["--export", "--symbol", "send", "--max-tokens", "90"].into_iter().chain(intent.iter().copied());
        outcome(command(line).arg(project.path())).success()
    };
    let (plain, retrying) = (stub(&[]), stub(&["--intent", "try again at most three times: retries"]));
    assert!(plain.starts_with("# from net import send: 100% of 1 call\n") && !plain.contains("retry_count"), "{plain}");
    assert!(retrying.contains("option_number_1=") && retrying.contains("retry_count="), "{retrying}");
    assert_eq!(stub(&["--intent", "the of"]), plain);
    let usage = run_on("--intent retry", project.path()).usage_error();
    assert!(usage.contains("--export"), "{usage}");
}

#[test]
fn a_stub_for_an_intent_says_how_values_are_made_and_which_keywords_are_passed_on() {
    let library = "class Letter:\n    def __init__(self, text, author, stamp=None): ...\n\n\
                   class Sender:\n    def __init__(self, host, retry_count=3, use_proxy=False): ...\n\n\
                   class Quick(Sender):\n    def __init__(self, *args, **kwargs):\n        super().__init__(*args, **kwargs)\n\n\
                   def deliver(letter: Letter, twice=False): ...\n";
    let project = Project::with("post/__init__.py", "from post.inner import Letter, Quick, deliver\n")
        .and("post/inner.py", library)
        .and("app.py", "from post import deliver\ndeliver(open('a'))\n");
    let stub = |symbol: &str, intent: &[&str]| {
        let line = ["--export", "--symbol", symbol, "--max-tokens", "200"].into_iter().chain(intent.iter().copied());
        outcome(command(line).arg(project.path())).success()
    };
    let delivering = stub("post.deliver", &["--intent", "deliver a letter"]);
    assert!(
        delivering.contains("# letter: Letter(text, author, stamp=...)\n# from post import Letter\n"),
        "{delivering}"
    );
    assert!(is_python(&delivering), "{delivering}");
    let quick = stub("post.Quick", &["--intent", "send without retries"]);
    assert!(quick.contains("kwargs: retry_count=, host=, use_proxy="), "{quick}");
    // Who says no intent gets no text that only a reader with an intent needs.
    assert!(!stub("post.deliver", &[]).contains("Letter(text"));
    assert!(!stub("post.Quick", &[]).contains("kwargs: "));
}

#[test]
fn a_stub_for_an_intent_says_what_the_types_of_parameters_allow() {
    let python = "from enum import Enum\nfrom typing import Literal, Optional\n\n\nclass Rule(Enum):\n    KEEP = 1\n    \
                  DROP = 2\n\n\n\
                  def relate(name: str, rule: Rule, mode: Optional[Literal['read', 'write']] = None, note: str = ''): ...\n";
    // The other members of an enum follow those that callers pass.
    let passing = "from lib import Rule, relate\nrelate('a', Rule.DROP)\n";
    let project = Project::with("lib.py", python).and("app.py", passing);
    let line = ["--export", "--symbol", "relate", "--max-tokens", "200", "--intent", "relate by a rule"];
    let asked = outcome(command(line).arg(project.path())).success();
    assert!(asked.contains("rule: Rule (DROP, KEEP)"), "{asked}");
    let program = "from lib import relate\nrelate('a', 'WABOOM', note='x')\nrelate('b', 'WABOOM', note='x')\n\
                   relate('c', 'OTHER', note='y')\n";
    let project = Project::with("lib.py", python).and("app.py", program);
    let stub = |intent: &[&str]| {
        let line = ["--export", "--symbol", "relate", "--max-tokens", "200"].into_iter().chain(intent.iter().copied());
        outcome(command(line).arg(project.path())).success()
    };
    let asked = stub(&["--intent", "relate two names in a mode by a rule"]);
    assert!(asked.contains("rule: Rule (KEEP, DROP)") && asked.contains("mode: 'read', 'write'"), "{asked}");
    assert!(!asked.contains("rule: \"") && is_python(&asked), "{asked}");
    assert!(stub(&[]).contains("rule: \"OTHER\", \"WABOOM\""));

    let typescript = "export type Access = 'read only' | 'read write';\n\
                      export function open(path: string, access: Access, level?: 'low' | 'high' | null) {}\nopen('a', x);\n";
    let project = Project::with("files.ts", typescript);
    let line = ["--export", "--symbol", "open", "--max-tokens", "200", "--intent", "open with an access and a level"];
    let asked = outcome(command(line).arg(project.path())).success();
    assert!(asked.contains("access: 'read only', 'read write'") && asked.contains("level: 'low', 'high'"), "{asked}");
}

#[test]
fn a_class_is_shown_by_the_member_whose_parameters_have_most_of_the_words() {
    let numbers = || (0..12).map(|at: usize| at.to_string());
    let others: Vec<String> =
        numbers().map(|at| format!("    def step_{at}(self, first, second, third=None): ...\n")).collect();
    let others = others.concat();
    let library = format!(
        "from enum import Enum\n\n\nclass Policy(Enum):\n    KEEP = 1\n    REPLACE = 2\n\n\n\
         class Event(Enum):\n    WORKER_STARTUP = 1\n    WORKER_SHUTDOWN = 2\n\n\n\
         class Plan:\n{others}    def add(self, job, trigger, *, id: str = '', jitter: float = 0, policy: Policy = \
         Policy.KEEP) -> str:\n        \"\"\"Adds a job.\n\n        :param job: the job\n        \
         :param jitter: the most seconds of random delay\n        \"\"\"\n\n    \
         def on(self, *events: Event) -> None: ...\n"
    );
    let calls: Vec<String> = numbers().map(|at| format!("plan.step_{at}(1, 2)\nplan.step_{at}(1, 2)\n")).collect();
    let calls = calls.concat();
    let program = format!("from plans import Plan\nplan = Plan()\n{calls}plan.add(1, 2)\nplan.on()\n");
    let project = Project::with("plans.py", &library).and("app.py", &program);
    let stub = |intent: &str| {
        let line = ["--export", "--symbol", "Plan", "--max-tokens", "260", "--intent", intent];
        outcome(command(line).arg(project.path())).success()
    };
    let adding = stub("add a job with a random delay, replacing the one with the same id");
    // The member in its types, the parameter of the words with its unit, and the members of its enum.
    assert!(
        adding.contains("def add(self, job, trigger, *, id: str = '', jitter: float = 0, policy: Policy ="),
        "{adding}"
    );
    assert!(adding.contains("jitter: the most seconds of random delay\n"), "{adding}");
    assert!(!adding.contains("job: the job"), "{adding}");
    assert!(adding.contains("policy: Policy (REPLACE, KEEP)\n") && adding.contains("import Policy\n"), "{adding}");
    assert!(is_python(&adding), "{adding}");
    // Without documentation nothing is said of values.
    let plain = ["--export", "--symbol", "Plan", "--max-tokens", "260", "--docs", "none", "--intent", "replacing"];
    let plain = outcome(command(plain).arg(project.path())).success();
    assert!(plain.contains("policy") && !plain.contains("Policy (KEEP"), "{plain}");
    // The words of what a member always takes count for the member.
    let hooking = stub("run code at the shutdown of a worker");
    assert!(hooking.contains("events: Event (WORKER_SHUTDOWN, WORKER_STARTUP)\n"), "{hooking}");
    assert!(!hooking.contains("jitter"), "{hooking}");
}

#[test]
fn the_result_of_a_function_is_opened_before_what_it_takes() {
    let members = |prefix: &str| {
        let lines: Vec<String> = (0..9).map(|at| format!("  {prefix}Member{at}: string;\n")).collect();
        lines.concat()
    };
    let library = format!(
        "export interface Request {{\n{}}}\nexport interface Stream {{\n  push(text: string): void;\n{}}}\n\
         export function stream(request: Request): Stream {{ return null as any; }}\n",
        members("request"),
        members("stream"),
    );
    let project =
        Project::with("net.ts", &library).and("app.ts", "import { stream } from './net';\nstream(JSON.parse('1'));\n");
    let stub = |intent: &[&str]| {
        let line = ["--export", "--symbol", "stream", "--max-tokens", "110"].into_iter().chain(intent.iter().copied());
        outcome(command(line).arg(project.path())).success()
    };
    let pushing = stub(&["--intent", "push text to a stream"]);
    assert!(pushing.contains("push(text: string): void;") && !pushing.contains("requestMember0"), "{pushing}");
    assert!(stub(&[]).contains("requestMember0"));
}

#[test]
fn a_made_value_has_what_its_class_requires_as_code_passes_it() {
    let library = "from abc import ABCMeta, abstractmethod\n\n\n\
                   class Stamp:\n    def __init__(self, price, *, country, **others): ...\n\n\n\
                   class Base(metaclass=ABCMeta):\n    @abstractmethod\n    def run(self): ...\n\n\n\
                   class Half(Base):\n    def __init__(self, half): ...\n\n\n\
                   class Whole(Half):\n    def run(self): ...\n\n\n\
                   def send(stamp: Stamp): ...\ndef work(by: Base): ...\ndef rest(by: Half): ...\ndef end(by: Whole): ...\n";
    let program =
        "from post import end, rest, send, work\nsend(open('a'))\nwork(open('a'))\nrest(open('a'))\nend(open('a'))\n";
    let project = Project::with("post.py", library).and("app.py", program);
    let stub = |project: &Project, symbol: &str| {
        let line = ["--export", "--symbol", symbol, "--max-tokens", "200", "--intent", "send it, work, rest, end"];
        outcome(command(line).arg(project.path())).success()
    };
    let sending = stub(&project, "post.send");
    assert!(sending.contains("# stamp: Stamp(price, country=..., ...)\n"), "{sending}");
    // Nobody can make a value of an abstract class, nor of a class that leaves an abstract method out.
    for (symbol, made) in [("post.work", "Base("), ("post.rest", "Half(")] {
        let stub = stub(&project, symbol);
        assert!(!stub.contains(made), "{stub}");
    }
    let ending = stub(&project, "post.end");
    assert!(ending.contains("# by: Whole(half)\n"), "{ending}");
    let library = "export class Client { constructor(options: { url: string }) {} }\n\
                   export function send(client: Client) { return 1; }\n";
    let project =
        Project::with("net.ts", library).and("app.ts", "import { send } from './net';\nsend(JSON.parse('1'));\n");
    let sending = stub(&project, "send");
    assert!(sending.contains("new Client(options: { url: string })\n"), "{sending}");
}

/// The stub of a symbol of one file for an intent, in 220 tokens.
fn asked(path: &str, library: &str, symbol: &str, intent: &str) -> String {
    let project = Project::with(path, library);
    let line = ["--export", "--symbol", symbol, "--max-tokens", "220", "--intent", intent];
    outcome(command(line).arg(project.path())).success()
}

#[test]
fn a_stub_for_an_intent_says_what_a_call_gives_to_the_code_around_it() {
    let library = "export class Column {\n  notNull(): this { return this; }\n  references(ref: string): this { return this; }\n}\n\
                   type Build = (column: Column) => Column;\n\
                   export class Table {\n  add(name: string, build?: Build): this { return this; }\n}\n\
                   export class Stream {\n  push(text: string): void {}\n  closed = false;\n}\n\
                   export function open(url: string): Promise<Stream> { return null as any; }\n\
                   export function on(name: string, run: (this: Table, code: number, text?: string) => void) {}\n";
    let adding = asked("db.ts", library, "Table", "add a column that references another table");
    assert!(adding.contains("// build receives (column: Column): references(ref), notNull()\n"), "{adding}");
    let pushing = asked("db.ts", library, "open", "open a stream and push text");
    assert!(pushing.contains("// returns Stream: push(text), closed\n"), "{pushing}");
    // `this` is no argument, and types outside of the sources have no members to name.
    let hooking = asked("db.ts", library, "on", "run code on an exit");
    assert!(hooking.contains("// run receives (code: number, text?: string)\n"), "{hooking}");

    let library = "from typing import Callable, Protocol\n\n\nclass Token:\n    value: str\n\n\n\
                   class Dispatch(Protocol):\n    def __call__(self, command, *, bound): ...\n\n\n\
                   class Converter:\n    def loads(self, data): ...\n\n\n\
                   def convert(text: str, by: Callable[[Token, dict[str, int]], str], run: Dispatch) -> Converter: ...\n";
    let converting = asked("lib.py", library, "convert", "convert a text and load the data");
    assert!(converting.contains("# by receives (Token, dict[str, int]): value\n"), "{converting}");
    assert!(converting.contains("# run receives (command, bound)\n"), "{converting}");
    assert!(converting.contains("# returns Converter: loads(data)\n") && is_python(&converting), "{converting}");
}

#[test]
fn a_stub_for_an_intent_opens_the_options_inside_of_options() {
    let library = "export interface Resume { enabled: boolean; seconds?: number }\n\
                   export interface Group<T> { condition(value: T): boolean; path?: string }\n\
                   type Policy = 'standard' | 'short' | 'strict_fifo' | (string & {});\n\
                   type Value<T, A extends any[]> = T | ((...args: A) => T);\n\
                   interface Options {\n  groups: [Group<string>, ...Group<string>[]];\n  resume?: Resume;\n  policy?: Policy;\n  \
                   limit?: Value<number, [name: string, count: number]>;\n}\n\
                   export function publish(options: Options) {}\npublish({ groups: [] });\n";
    let stub = asked("bus.ts", library, "publish", "resume after a break, in a strict order, within a limit");
    assert!(stub.contains("groups: { condition(value), path? }"), "{stub}");
    assert!(stub.contains("resume: { enabled, seconds? }"), "{stub}");
    assert!(stub.contains("policy: 'strict_fifo', "), "{stub}");
    assert!(stub.contains("// limit receives (name: string, count: number)\n"), "{stub}");
}

#[test]
fn values_are_those_of_the_library_that_an_intent_names() {
    let library = "class Limit:\n    def __init__(self, *, low=None, high=None): ...\n\n\n\
                   class Exact:\n    def __init__(self, value=None): ...\n\n\n\
                   def check(name: str, rule=None, mode='a'): ...\n";
    let calls = "from lib import Exact, Limit, check\n\n\nclass Fake: ...\n\n\n\
                 check('a', rule=Fake())\ncheck('a', rule=Fake())\ncheck('b', rule=Exact(value=1))\n\
                 check('c', rule=Limit(low=1), mode='x')\ncheck('c', rule=Limit(low=1), mode='x')\ncheck('c', mode='y')\n";
    let project = Project::with("lib.py", library).and("tests/test_lib.py", calls);
    let stub = |intent: &[&str]| {
        let line = ["--export", "--symbol", "check", "--max-tokens", "220"].into_iter().chain(intent.iter().copied());
        outcome(command(line).arg(project.path())).success()
    };
    let limiting = stub(&["--intent", "a rule with a limit"]);
    // The intent names one of the classes, so the other one is left out.
    assert!(limiting.contains("rule: Limit(low=..., high=...)\n"), "{limiting}");
    assert!(!limiting.contains("mode: \"x\""), "{limiting}");
    let plain = stub(&[]);
    assert!(plain.contains("mode: \"x\", \"y\"") && !plain.contains("rule: Fake"), "{plain}");
}

#[test]
fn a_stub_for_an_intent_names_the_keys_that_kwargs_take() {
    let library = "from typing import TypedDict, Unpack\n\n\nclass Options(TypedDict, total=False):\n    \
                   lock: str\n    start_at: int\n    priority: int\n\n\n\
                   class Query:\n    def where(self, column): ...\n\n    def order_by(self, column, ascending=True): ...\n\n\n\
                   class Task:\n    def configure(self, **options: Unpack[Options]) -> Query: ...\n";
    let calls = "from lib import Task\nTask().configure(lock='a')\nTask().configure(lock='b')\n";
    let project = Project::with("lib.py", library).and("app.py", calls);
    let line = ["--export", "--symbol", "configure", "--max-tokens", "220", "--intent", "start a task at noon"];
    let stub = outcome(command(line).arg(project.path())).success();
    assert!(stub.contains("options: start_at=, priority=") && is_python(&stub), "{stub}");
    assert!(stub.contains("# returns Query: where(column), order_by(column, ...)\n"), "{stub}");
}

#[test]
fn a_stub_for_an_intent_says_who_takes_the_result() {
    let library = "from typing import Iterable\n\n\nclass Rule:\n    def apply(self): ...\n\n\n\
                   class Report:\n    def show(self): ...\n\n\n\
                   class Reader:\n    def __init__(self, *, rules: Iterable[Rule] = ()): ...\n\n\n\
                   def show_all(report: Report): ...\n\n\n\
                   def without_spaces(name: str) -> Rule: ...\n\n\ndef summary(name: str) -> Report: ...\n";
    let program = "from lib import Reader, without_spaces, summary, show_all\n\n\
                   Reader(rules=[without_spaces('a')])\nsummary('a').show()\nsummary('b').show()\nshow_all(summary('c'))\n";
    let project = Project::with("lib.py", library).and("app.py", program);
    let stub = |symbol: &str, intent: &[&str]| {
        let line = ["--export", "--symbol", symbol, "--max-tokens", "200"].into_iter().chain(intent.iter().copied());
        outcome(command(line).arg(project.path())).success()
    };
    let rule = stub("without_spaces", &["--intent", "remove spaces"]);
    assert!(rule.contains("# passed to: Reader(rules=[...])\n# from lib import Reader\n"), "{rule}");
    assert!(is_python(&rule) && !rule.contains("returns Rule"), "{rule}");
    // Code uses the members of a report more than it passes reports.
    let report = stub("summary", &["--intent", "make a summary"]);
    assert!(!report.contains("passed to") && report.contains("# returns Report: show()"), "{report}");
    assert!(!stub("without_spaces", &[]).contains("passed to"));

    let typescript = "export interface Store { read(): string }\nexport class Files implements Store { read() { return ''; } }\n\
                      export class App { constructor(options: { store?: Store }) {} }\nnew App({ store: new Files() });\n";
    let project = Project::with("app.ts", typescript);
    let line = ["--export", "--symbol", "Files", "--max-tokens", "200", "--intent", "keep it in files"];
    let files = outcome(command(line).arg(project.path())).success();
    assert!(files.contains("// passed to: new App({ store })"), "{files}");
}

#[test]
fn a_stub_for_an_intent_opens_the_options_of_a_union() {
    let typescript = "export type Mode = 'skip' | 'fail';\n\
                      export type Globs = { glob: string; again?: Mode };\n\
                      export type Source<T> = Globs | Array<string> | ((context: T) => string[]);\n\
                      export type Step<T> = (context: T) => void;\nexport interface Steps<T> { step(): Step<T> }\n\
                      export type Work<T> = Step<T> | Steps<T>;\n\
                      export class Runner<T> { constructor(options: { source: Source<T>, work?: Work<T> }) {} }\n\
                      new Runner({ source: given });\n";
    let project = Project::with("runner.ts", typescript);
    let line = ["--export", "--symbol", "Runner", "--max-tokens", "200", "--intent", "run the files of a folder"];
    let asked = outcome(command(line).arg(project.path())).success();
    assert!(asked.contains("// source: { glob, again?: 'skip' | 'fail' }"), "{asked}");
    assert!(!asked.contains("step()"), "{asked}");
}

#[test]
fn a_stub_for_an_intent_sees_through_names_of_types_in_python() {
    let types = "from typing import Annotated, Callable, Literal, TypeAlias, TypeVar\n\n\n\
                 class Request:\n    path: str\n    def body(self): ...\n\n\n\
                 class Template:\n    def __init__(self, text, name=None): ...\n\n\n\
                 T = TypeVar('T')\nHandler = Callable[[Request], None]\nListener = Callable[[T, int], None]\n\
                 Mode: TypeAlias = Literal['read', 'write']\n_Level = Literal['low', 'high']\n\
                 Source = str | Template | Callable[[], str]\nMaybe = T | None\nTree = dict[str, 'Tree'] | Mode\n\
                 Named = Annotated[Mode, 'the Mode of it']\ntype Shape[A, B] = Callable[[B, A], None]\n";
    let core = "from typing import TYPE_CHECKING, Optional\nfrom . import types\nfrom .types import *\n\n\
                if TYPE_CHECKING:\n    from .types import Listener, Request, Shape, Source, _Level as Level\n\n\
                def serve(handler: Handler | None, *, mode: Optional[Mode] = None): ...\n\
                def load(source: Source, level: Level): ...\n\
                def listen(on: 'Listener[Request]', shape: Shape[str, types.Request], kind: types.Maybe[Mode]): ...\n\
                def grow(tree: Tree, named: types.Named, other: Unknown, text: str): ...\n";
    let project = Project::with("lib/__init__.py", "from .core import serve, load, listen, grow\n")
        .and("lib/types.py", types)
        .and("lib/core.py", core)
        .and(
            "app.py",
            "from lib import serve, load, listen, grow\nserve(f); load(a, b); listen(a, b, c); grow(a, b)\n",
        );
    let stub = |symbol: &str, intent: &[&str]| {
        let line = ["--export", "--symbol", symbol, "--max-tokens", "200"].into_iter().chain(intent.iter().copied());
        outcome(command(line).arg(project.path())).success()
    };
    let asked = |symbol: &str| stub(symbol, &["--intent", "serve a tree in a mode"]);
    let serving = asked("lib.serve");
    assert!(serving.contains("mode: 'read', 'write'") && serving.contains("handler receives (Request): "), "{serving}");
    // The annotations stay as they are written.
    assert!(serving.contains("handler: Handler | None") && is_python(&serving), "{serving}");
    let loading = asked("lib.load");
    assert!(loading.contains("source: Template(text, name=...); level: 'low', 'high'\n"), "{loading}");
    assert!(loading.contains("# from lib.types import Template\n"), "{loading}");
    let listening = asked("lib.listen");
    assert!(listening.contains("on receives (Request, int): "), "{listening}");
    assert!(listening.contains("shape receives (types.Request, str)"), "{listening}");
    assert!(listening.contains("kind: 'read', 'write'"), "{listening}");
    // A type that names itself ends, and metadata of `Annotated` is no type.
    let growing = asked("lib.grow");
    assert!(growing.contains("named: 'read', 'write'"), "{growing}");
    assert!(!growing.contains("other: ") || growing.contains("other: Unknown"), "{growing}");
    assert!(!stub("lib.serve", &[]).contains("'write'"));
}

#[test]
fn a_type_that_shares_its_name_with_a_constant_has_its_name_and_its_strings() {
    let library = "export const Mode = { Fast: 'fast', Slow: 'slow' } as const;\n\
                   export type Mode = (typeof Mode)[keyof typeof Mode];\nexport const levels = { low: 1, high: 2 };\n\
                   export type Level = keyof typeof levels;\n\
                   export function run(path: string, mode: Mode, level?: Level): Mode { return mode; }\n\
                   export function modes() { return { mode: pick() as Mode, all: [] as Mode[] }; }\n";
    let project =
        Project::with("lib.ts", library).and("app.ts", "import { run } from './lib';\nrun('a', b); run(c, d);\n");
    let stub = |symbol: &str| {
        let line = ["--export", "--symbol", symbol, "--max-tokens", "200", "--intent", "run in a mode on a level"];
        outcome(command(line).arg(project.path())).success()
    };
    let running = stub("run");
    assert!(running.contains("// mode: \"fast\", \"slow\"; level: \"low\", \"high\"\n"), "{running}");
    assert!(running.contains("mode: Mode,") && running.contains("): Mode;"), "{running}");
    assert!(running.contains("type Mode = \"fast\" | \"slow\";\n"), "{running}");
    let returned = stub("modes");
    assert!(returned.contains("mode: Mode;") && returned.contains("all: Mode[];"), "{returned}");
}

#[test]
fn a_stub_for_an_intent_says_which_classes_of_other_packages_callers_make_values_with() {
    let library = "def run(new_message, *, session=None, clock=None, double=None): ...\n";
    let call = |role: &str| {
        format!(
            "run(types.Content(role={role}, parts=[types.Part(text='a')]), session=Session(Store('x')), clock=Path('a'))\n"
        )
    };
    let program = format!(
        "import vendor.store as kept\nfrom pathlib import Path\nfrom unittest.mock import MagicMock\nfrom vendor import types\n\
         from vendor.sessions import Session, Store as Kept\nfrom lib import run\n\n{}{}run(kept.Once(a=1), double=MagicMock())\n\
         run(x, double=MagicMock())\n",
        call("'a'").replace("Store(", "Kept("),
        call("'b'").replace("Store(", "Kept("),
    );
    let project = Project::with("lib.py", library).and("app.py", &program);
    let stub = |intent: &[&str]| {
        let line = ["--export", "--symbol", "run", "--max-tokens", "200"].into_iter().chain(intent.iter().copied());
        outcome(command(line).arg(project.path())).success()
    };
    let asked = stub(&["--intent", "run with a message"]);
    assert!(asked.contains("new_message: types.Content(role=..., parts=[types.Part(text=...)])"), "{asked}");
    assert!(asked.contains("# from vendor import types\n"), "{asked}");
    assert!(asked.contains("session: Session(Kept(...))"), "{asked}");
    assert!(
        asked.contains("# from vendor.sessions import Session\n# from vendor.sessions import Store as Kept\n"),
        "{asked}"
    );
    // What one call of several makes, the standard library and test doubles say nothing.
    assert!(!asked.contains("Once") && !asked.contains("clock: ") && !asked.contains("Mock"), "{asked}");
    assert!(is_python(&asked), "{asked}");
    assert!(!stub(&[]).contains("types.Part"));

    let library = "export interface Options { transport: unknown; name?: string }\n\
                   export class Client { constructor(options: Options) {} }\nexport function use(client: unknown) {}\n";
    let program = "import { Client } from './lib';\nimport { Stdio as Pipe } from '@vendor/stdio';\n\
                   new Client({ transport: new Pipe({ command: 'a' }) });\nnew Client({ transport: new Pipe({ command: b }) });\n";
    let project = Project::with("lib.ts", library).and("app.ts", program);
    let line = ["--export", "--symbol", "Client", "--max-tokens", "200", "--intent", "connect a client to a command"];
    let asked = outcome(command(line).arg(project.path())).success();
    assert!(asked.contains("transport: new Pipe({ command: ... })\n"), "{asked}");
    assert!(asked.contains("// import { Stdio as Pipe } from \"@vendor/stdio\"\n"), "{asked}");
}
