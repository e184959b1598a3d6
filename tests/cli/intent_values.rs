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
