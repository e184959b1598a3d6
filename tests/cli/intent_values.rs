//! `--export --intent`: what gives the values that a call needs.

use crate::program::{Project, command, is_python, outcome};

/// The stub of a symbol for an intent, in 200 tokens.
fn stub(project: &Project, symbol: &str, intent: &str) -> String {
    let line = ["--export", "--symbol", symbol, "--max-tokens", "200", "--intent", intent];
    outcome(command(line).arg(project.path())).success()
}

#[test]
fn a_class_that_the_intent_names_is_shown_where_its_base_is_expected() {
    let library = "from abc import ABC, abstractmethod\n\n\nclass Timing(ABC):\n    @abstractmethod\n    \
                   def after(self, moment): ...\n\n\n\
                   class Once(Timing):\n    def __init__(self, moment): ...\n    def after(self, moment): ...\n\n\n\
                   class Weekly(Timing):\n    \
                   def __init__(self, *, on_weekdays=None, hour=0, minute=0, zone=None): ...\n    \
                   def after(self, moment): ...\n\n\n\
                   class Yearly(Timing):\n    def __init__(self, month): ...\n    def after(self, moment): ...\n\n\n\
                   class Plan:\n    def add(self, job, timing: Timing, *, name=None): ...\n";
    let program = "from plans import Once, Plan\nplan = Plan()\nplan.add(print, Once(1))\nplan.add(print, Once(2))\n";
    let project = Project::with("plans.py", library).and("app.py", program);
    // The words of the intent are values: a weekday, a time and a zone.
    let adding = stub(&project, "Plan.add", "add a job for each Monday at 18:30, Berlin time");
    let weekly = "# timing: Weekly(on_weekdays=..., hour=..., minute=..., zone=...)\n";
    assert!(adding.contains(weekly) && adding.contains("import Weekly\n"), "{adding}");
    assert!(is_python(&adding), "{adding}");
    let other = stub(&project, "Plan.add", "add a job under a name");
    assert!(other.contains("timing: Once(moment)") && !other.contains("Weekly("), "{other}");
}

#[test]
fn functions_and_constants_that_give_a_value_are_shown() {
    let library = "export interface Store { read(key: string): string; }\n\
                   export type Table = Record<string, (key: string) => void>;\n\
                   export function memoryStore(options?: { entryLimit?: number }): Store { return null as any; }\n\
                   export function fileStore(folder: string): Store { return null as any; }\n\
                   export const nodeTable: Table = {};\n\
                   export class Cache {\n  constructor(options?: { store?: Store; table?: Table; name?: string }) {}\n}\n";
    let program = "import { Cache, memoryStore } from './cache';\nnew Cache({ store: memoryStore() });\nnew Cache();\n";
    let project = Project::with("cache.ts", library).and("app.ts", program);
    let cache = stub(&project, "Cache", "a cache with a store in memory of at most 500 entries, the limit");
    assert!(
        cache.contains("store: memoryStore(options?: { entryLimit?: number })") && !cache.contains("fileStore"),
        "{cache}"
    );
    let cache = stub(&project, "Cache", "a cache with the table of node");
    assert!(cache.contains("table: nodeTable") && !cache.contains("table receives"), "{cache}");
}

#[test]
fn a_function_that_parses_a_date_is_not_how_a_date_is_made() {
    let library = "from datetime import datetime\n\n\ndef to_date(text: str) -> datetime: ...\n\n\n\
                   def submit(datetime: datetime, job): ...\n";
    let program = "from jobs import submit\nsubmit(a, b)\n";
    let project = Project::with("jobs.py", library).and("app.py", program);
    let submit = stub(&project, "jobs.submit", "submit a job on a date given as text");
    assert!(!submit.contains("to_date"), "{submit}");
}

#[test]
fn a_method_says_which_attribute_holds_its_object() {
    let library = "export class Labels {\n  put(key: string, labels: string[]) {}\n}\n\
                   export class Cache {\n  readonly labels: Labels = new Labels();\n}\n";
    let program = "import { Cache } from './cache';\nconst cache = new Cache();\n\
                   cache.labels.put('a', []);\ncache.labels.put('b', []);\ncache.labels.put('c', []);\n";
    let project = Project::with("cache.ts", library).and("app.ts", program);
    let put = stub(&project, "Labels.put", "attach a key to labels");
    assert!(put.contains("// got from: Cache.labels\n"), "{put}");
    let line = ["--export", "--symbol", "Labels.put", "--max-tokens", "200"];
    assert!(!outcome(command(line).arg(project.path())).success().contains("got from"));
}

#[test]
fn strings_of_parameters_of_the_same_name_are_shared() {
    let library =
        "def run(job, *, runner: str = ''): ...\ndef define(job, *, runner: str = '', notes: str = ''): ...\n";
    let program = "from jobs import define, run\nrun(print, runner='process_crew')\nrun(print, runner='thread_crew')\n\
                   define(print, notes='x')\n";
    let project = Project::with("jobs.py", library).and("app.py", program);
    let defining = stub(&project, "jobs.define", "define a job whose runner is a pool of processes");
    assert!(defining.contains("runner: \"process_crew\"") && !defining.contains("thread_crew"), "{defining}");
}

#[test]
fn the_elements_of_lists_and_records_have_their_keys() {
    let library = "export type Choice<V> = V extends string ? { value: V; label?: string } : { value: V; label: string };\n\
                   export type Job = { title: string; run: (note: string) => void; enabled?: boolean };\n\
                   export function pick<V>(options: { question: string; choices: Record<string, Choice<V>[]> }) {}\n\
                   export function work(jobs: Job[]) {}\n";
    let program = "import { pick, work } from './lib';\npick({ question: 'a', choices: {} });\nwork([]);\n";
    let project = Project::with("lib.ts", library).and("app.ts", program);
    let pick = stub(&project, "pick", "pick one of the choices in groups");
    assert!(pick.contains("choices: { value, label? }"), "{pick}");
    let work = stub(&project, "work", "do several jobs");
    assert!(work.contains("jobs: { title, run(note), enabled? }") && !work.contains("jobs receives"), "{work}");
}

#[test]
fn the_name_of_a_constructor_means_its_class() {
    let project = Project::with("lib.ts", "export class Depot {\n  constructor(pool: string) {}\n}\n");
    let depot = stub(&project, "lib#Depot.constructor", "a depot on a pool");
    assert!(depot.contains("constructor(pool: string)"), "{depot}");
}

#[test]
fn keys_that_calls_pass_through_a_variable_are_shown() {
    let library = "def interview(queries, **settings): ...\ndef connect(options, retries=0, mode='plain'): ...\n";
    let program = "from forms import connect, interview\n\n\
                   queries = [{'kind': 'text', 'tag': 'a'}, {'kind': 'choice', 'tag': 'b', 'only_if': print}]\n\
                   interview(queries)\ninterview(queries, theme='dark')\n\n\n\
                   def main():\n    options = {'host': 'here', 'port': 1}\n    connect(options)\n    \
                   more = dict(mode='quick')\n    connect(options, **more)\n    other = {'mode': 'quick'}\n    \
                   connect(options, **other)\n    changed = {'lost': 1}\n    changed = load()\n    connect(changed)\n";
    let project = Project::with("forms.py", library).and("app.py", program);
    let interview = stub(&project, "forms.interview", "ask two queries in a form");
    assert!(
        interview
            .contains("# queries: [{\"kind\": \"text\" | \"choice\", \"tag\": \"a\" | \"b\", \"only_if\": ...}]\n"),
        "{interview}"
    );
    let connect = stub(&project, "forms.connect", "connect with a mode");
    assert!(connect.contains("options: {\"host\": \"here\", \"port\": ...}"), "{connect}");
    assert!(connect.contains("mode: \"quick\"") && !connect.contains("lost"), "{connect}");
    assert!(is_python(&connect) && is_python(&interview), "{connect}{interview}");
    let line = ["--export", "--symbol", "forms.connect", "--max-tokens", "200"];
    assert!(!outcome(command(line).arg(project.path())).success().contains("host"));
}

#[test]
fn keys_of_constants_and_spreads_are_shown_in_typescript() {
    let library = "export function draw(options: any) {}\n\
                   export interface Options { mode?: string; size?: number }\n\
                   export function paint(options: Options) {}\nexport function store(key: string, value: any) {}\n";
    let program = "import { draw, paint, store } from './lib';\n\
                   const options = { shape: 'round', size: 3 };\ndraw(options);\ndraw({ ...options, colour: 'red' });\n\
                   const settings = { mode: 'quick' } as const;\npaint(settings);\npaint({ size: 1 });\n\
                   store('a', { red: 1 });\nstore('b', { name: 2 });\nstore('c', { other: 2 });\nstore('d', 4);\n";
    let project = Project::with("lib.ts", library).and("app.ts", program);
    let draw = stub(&project, "draw", "draw a figure");
    assert!(draw.contains("// options: { shape: \"round\", size, colour: \"red\" }\n"), "{draw}");
    let paint = stub(&project, "paint", "paint in a mode");
    assert!(paint.contains("// mode: \"quick\"\n"), "{paint}");
    // Objects without a common key are data.
    let store = stub(&project, "store", "store a value");
    assert!(!store.contains("// value"), "{store}");
}

#[test]
fn a_type_variable_means_its_bound() {
    let library = "from typing import Literal, TypeVar\n\n\nclass Notice:\n    def __init__(self, title): ...\n\n\n\
                   class Alarm(Notice):\n    def __init__(self, level): ...\n\n\n\
                   class Farewell(Notice):\n    def __init__(self, guest): ...\n\n\n\
                   T_Notice = TypeVar('T_Notice', bound=Notice)\nMode = TypeVar('Mode', bound=Literal['loud', 'quiet'])\n\n\n\
                   def listen(kind: type[T_Notice], *, mode: Mode = ...): ...\n\n\n\
                   def publish[N: Notice](notice: N): ...\n";
    let program = "from board.lib import Alarm, listen, publish\nlisten(Alarm)\npublish(Alarm(1))\n";
    let project = Project::with("board/lib.py", library).and("board/__init__.py", "").and("app.py", program);
    let listen = stub(&project, "board.lib.listen", "listen for a farewell in quiet mode");
    assert!(listen.contains("kind: Farewell, Alarm, Notice"), "{listen}");
    assert!(listen.contains("mode: 'quiet', 'loud'") && listen.contains("import Farewell, Alarm, Notice"), "{listen}");
    let publish = stub(&project, "board.lib.publish", "publish a farewell to a guest");
    assert!(publish.contains("notice: Farewell(guest)"), "{publish}");
}

#[test]
fn constraints_and_operators_say_what_is_allowed() {
    let library = "export interface Events { opened: () => void; closed: () => void }\n\
                   export type Mode = 'fast' | 'slow' | 'off';\nexport interface Options { retries: number; wait?: number }\n\
                   export function on<K extends keyof Events>(event: K, listener: Events[K]) {}\n\
                   export class Bus<E extends Events> {\n  emit<K extends keyof E>(event: K) {}\n}\n\
                   export function run(mode: Exclude<Mode, 'off'>, keep: Omit<Options, 'wait'> | 'none') {}\n\
                   export function open<T extends Options>(options?: T) {}\n\
                   export type Shape = { kind: 'circle'; radius: number } | { kind: 'square' | 'cube'; side: number };\n\
                   export function draw(shape: Shape) {}\n";
    let program = "import { Bus, draw, on, open, run } from './lib';\non(a, b);\ndraw({ kind: 'circle', radius: 1 });\nnew Bus().emit(a);\nrun(a, b);\nopen(a);\n";
    let project = Project::with("lib.ts", library).and("app.ts", program);
    let on = stub(&project, "on", "listen to an event that is closed");
    assert!(on.contains("// event: \"closed\", \"opened\"\n"), "{on}");
    let emit = stub(&project, "Bus.emit", "emit an event");
    assert!(emit.contains("// event: \"opened\", \"closed\"\n"), "{emit}");
    let run = stub(&project, "run", "run in a mode");
    assert!(run.contains("mode: \"fast\", \"slow\"") && run.contains("keep: \"none\""), "{run}");
    assert!(!run.contains("'wait'\n") && !run.contains("\"off\""), "{run}");
    let open = stub(&project, "open", "open with options");
    assert!(open.contains("options: { retries, wait? }"), "{open}");
    let draw = stub(&project, "draw", "draw a square kind of shape");
    assert!(draw.contains("kind: \"square\", \"circle\", \"cube\""), "{draw}");
}

#[test]
fn a_choice_that_does_not_fit_is_cut() {
    let modes: Vec<String> = (0..14).map(|at| format!("'mode_number_{at}'")).collect();
    let library = format!("from typing import Literal\n\n\ndef run(mode: Literal[{}]): ...\n", modes.join(", "));
    let program = "from lib import run\nrun('mode_number_7')\nrun('mode_number_7')\nrun('mode_number_3')\n";
    let project = Project::with("lib.py", &library).and("app.py", program);
    let at = |tokens: &str| {
        let line = ["--export", "--symbol", "lib.run", "--max-tokens", tokens, "--intent", "run in mode number 12"];
        outcome(command(line).arg(project.path())).success()
    };
    let run = at("90");
    assert!(run.contains("# mode: 'mode_number_12', 'mode_number_7', ") && run.contains(", ...\n"), "{run}");
}

#[test]
fn a_computed_type_has_the_keys_of_its_branches() {
    let library = "interface WideOptions { overflow?: 'fold' | 'clip'; wipeAtEnd?: boolean; indent?: number }\n\
                   interface PlainOptions { clock?: boolean }\n\
                   export class Wide { static tuning: WideOptions = {} }\n\
                   export class Plain { static tuning: PlainOptions = {} }\n\
                   export type Kind = 'wide' | 'plain' | typeof Plain;\n\
                   export type ClassOf<T extends Kind> =\n  T extends 'wide' ? typeof Wide : T extends 'plain' ? typeof Plain : T;\n\
                   export type TuningOf<T extends Kind> = T extends Kind ? ClassOf<T>['tuning'] : never;\n\
                   export interface Base { loud?: boolean; abreast?: number; again?: number | { rounds: number }; title: string }\n\
                   export interface Inner extends Omit<Base, 'loud'> { deep?: boolean }\n\
                   export class Board<K extends Kind = 'wide'> {\n  \
                   constructor(steps: string[], options?: { kind?: K; tuning?: TuningOf<K> }) {}\n  \
                   branch(options?: Inner): void {}\n}\n";
    let program = "import { Board } from './lib';\nnew Board(['a'], { kind: 'wide' });\nnew Board(['b']).branch();\n";
    let project = Project::with("lib.ts", library).and("app.ts", program);
    let board = stub(&project, "Board", "a board of a kind that is wiped at its end, and clipped on overflow");
    let keys = "tuning: { wipeAtEnd?, overflow?: 'fold' | 'clip', indent? } for \"wide\"";
    assert!(board.contains(keys) && board.contains("\"wide\", \"plain\""), "{board}");
    let branch = stub(&project, "Board.branch", "two at a time");
    assert!(branch.contains("// options: { title, deep?, abreast?, again?: { rounds } }\n"), "{branch}");
}
