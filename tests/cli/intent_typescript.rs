//! `--export --intent`: what a call needs in TypeScript.

use crate::program::{Project, command, outcome};

/// The stub of a symbol for an intent, in 200 tokens.
fn stub(project: &Project, symbol: &str, intent: &str) -> String {
    let line = ["--export", "--symbol", symbol, "--max-tokens", "200", "--intent", intent];
    outcome(command(line).arg(project.path())).success()
}

/// Rules that functions make, which return what extends a rule.
const RULES: &str = "export interface Rule<T> { check(value: T): boolean }\n\
    export interface ChainRule<T> extends Rule<T> {\n  once(): this;\n  every(seconds: number): this;\n  note(text: string): this;\n}\n\
    export interface Closing<T> extends Rule<T> { onClose(run: () => void): this }\n\
    export interface RuleData { label?: string; weight?: number }\n\
    export function forClass<T>(type: new () => T, options?: { label?: string }): ChainRule<T> & Closing<T> { return null as any }\n\
    export function forCall<T>(call: () => T, options?: { label?: string }): ChainRule<T> & Closing<T> { return null as any }\n\
    export function plainData(): RuleData { return {} }\n\
    export function nameOf(rule: Parameters<Shelf['put']>[0]): Rule<string> { return null as any }\n\
    export function makeShelf(): Shelf { return new Shelf() }\n\
    export class Shelf {\n  put<T>(name: string, rule: Rule<T>): void {}\n  describe(data: RuleData): void {}\n}\n";

#[test]
fn functions_that_return_a_subtype_make_a_value() {
    let program = "import { Shelf, forCall, forClass, makeShelf, nameOf, plainData } from './rules';\nconst shelf = new Shelf();\n\
                   shelf.put('a', forClass(Date).once());\nshelf.put('b', forClass(Date));\nshelf.put('c', forCall(() => 1).every(2));\n\
                   shelf.describe({ label: 'x' });\nplainData();\nnameOf('a');\nmakeShelf();\n";
    let project = Project::with("rules.ts", RULES).and("app.ts", program);
    let put = stub(&project, "Shelf.put", "put the thing in");
    assert!(put.contains("// rule: forCall(call, options?), forClass(type, options?: { label?: string })\n"), "{put}");
    assert!(put.contains("() returns ChainRule: once(), every(seconds), note(text)\n"), "{put}");
    assert!(put.contains("import { forCall, forClass } from "), "{put}");
    // Code writes an object without methods itself.
    let describe = stub(&project, "Shelf.describe", "describe the thing");
    assert!(!describe.contains("plainData"), "{describe}");
    // The type of a parameter of a method is another type.
    let name = stub(&project, "nameOf", "the name of the thing");
    assert!(!name.contains("makeShelf"), "{name}");
    let line = ["--export", "--symbol", "Shelf.put", "--max-tokens", "200"];
    assert!(!outcome(command(line).arg(project.path())).success().contains("forCall"));
}

#[test]
fn a_fluent_result_has_the_methods_that_code_chains() {
    let program = "import { forClass } from './rules';\nforClass(Date).once().every(3);\nforClass(Map).every(4);\n";
    let project = Project::with("rules.ts", RULES).and("app.ts", program);
    let class = stub(&project, "forClass", "a rule for a class which is checked once");
    assert!(class.contains("// returns ChainRule: check(value), once(), every(seconds), note(text)\n"), "{class}");
    // Nobody chains methods here.
    let project =
        Project::with("rules.ts", RULES).and("app.ts", "import { forClass } from './rules';\nforClass(Date);\n");
    let class = stub(&project, "forClass", "a rule for a class which is checked once");
    assert!(!class.contains("// returns ChainRule"), "{class}");
}

/// A board whose options depend on its kind.
const BOARD: &str = "export type Clock = Field;\n\
    export interface Field { content: string | (() => string); shown?: boolean; colour?: string; args?: string[]; more?: number }\n\
    export const UTC_CLOCK: Clock = { content: 'x' };\n\
    interface WideOptions { overflow?: 'fold' | 'clip'; wipe?: boolean; indent?: number }\n\
    interface PlainOptions { clock?: Clock; again?: { rounds: number; pause?: number } }\n\
    export class Wide { static tuning: WideOptions = {} }\nexport class Plain { static tuning: PlainOptions = {} }\n\
    export type Kind = 'wide' | 'plain' | typeof Plain;\n\
    export type ClassOf<T extends Kind> = T extends 'wide' ? typeof Wide : T extends 'plain' ? typeof Plain : T;\n\
    export class Board<K extends Kind = 'wide'> {\n  \
    constructor(steps: string[], options?: { kind?: K; tuning?: ClassOf<K>['tuning'] }) {}\n  \
    frame(options?: Frame) {}\n}\n\
    export interface Frame { lead?: Field; trail?: Field[]; width?: number }\n";

#[test]
fn the_keys_are_those_that_a_string_selects() {
    let program = "import { Board } from './lib';\nnew Board(['a'], { kind: 'plain' });\nnew Board(['b']);\n";
    let project = Project::with("lib.ts", BOARD).and("app.ts", program);
    let wide = stub(&project, "Board", "a board that is clipped on overflow");
    assert!(
        wide.contains("tuning: { overflow?: 'fold' | 'clip', wipe?, indent? } for \"wide\", not for \"plain\""),
        "{wide}"
    );
    let plain = stub(&project, "Board", "a plain board with a clock");
    let keys = "tuning: { clock?: UTC_CLOCK | { content, ... }, again?: { rounds, pause? } } for \"plain\"";
    assert!(plain.contains(keys) && plain.contains("UTC_CLOCK } from") && !plain.contains("wipe"), "{plain}");
    // What calls pass decides without words.
    let other = stub(&project, "Board", "the tuning of a board");
    assert!(other.contains("for \"plain\"") && !other.contains("wipe"), "{other}");
}

#[test]
fn a_named_key_has_the_keys_that_its_object_needs() {
    let program = "import { Board } from './lib';\nnew Board(['a']).frame();\n";
    let project = Project::with("lib.ts", BOARD).and("app.ts", program);
    let frame = stub(&project, "Board.frame", "a frame with a lead");
    assert!(frame.contains("options: { lead?: UTC_CLOCK | { content, ... }, trail?, width? }"), "{frame}");
}

#[test]
fn the_members_that_calls_pass_come_before_the_others() {
    let library = "export enum Level { A = 'a', BB = 'b', CCC = 'c', DDDD = 'd', EEEEE = 'e' }\n\
                   export const LOUD: Level[] = [Level.EEEEE];\n\
                   export function log<L extends string>(level: L, text: string) {}\n\
                   export function open(levels: string[]) {}\n";
    let program =
        "import { LOUD, Level, log, open } from './lib';\nlog(Level.DDDD, 'x');\nlog(Level.CCC, 'y');\nopen(LOUD);\n";
    let project = Project::with("lib.ts", library).and("app.ts", program);
    let log = stub(&project, "log", "write a text");
    assert!(log.contains("// level: Level (CCC, DDDD, A, BB, EEEEE)"), "{log}");
    let open = stub(&project, "open", "open with the levels");
    assert!(open.contains("LOUD") && open.contains("Level (A, BB, CCC, DDDD, EEEEE)"), "{open}");
}
