//! The types in TypeScript stubs: what a stub names and does not declare is imported under its real name, and return
//! types without an annotation are written where the sources leave no doubt.

use std::sync::Arc;

use apidisc::{
    delivery::{Format, Packer},
    index::{Index, Scope},
    strategy::Strategy,
    stub::{Docs, Style},
    tokens::{Encoding, Tokenizer},
};

use crate::{built, compiler::assert_compiles};

fn stub(index: &Arc<Index>, scope: Scope, strategy: &Strategy) -> String {
    let packer = Packer::new(index, scope, &Tokenizer::load(Encoding::O200kBase)).expect("something public");
    packer.deliver(strategy, Format::Stub).expect("it fits").text
}

/// The stub of the module `src/lib` with these further files, without the comments on calls.
pub(crate) fn stub_of(lib: &str, others: &[(&str, &str)]) -> String {
    let files: Vec<(&str, &str)> = [("src/lib.ts", lib)].into_iter().chain(others.iter().copied()).collect();
    let index = built::index(files);
    let scope = index.scope(Some("src/lib"), None).expect("a module");
    // The largest budget that leaves out the types which are named only.
    let text = stub(&index, scope, &Strategy::Threshold { min_frequency: 0.0 });
    assert_compiles(std::slice::from_ref(&text));
    text.lines().map(|line| line.split(" // ").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

pub(crate) fn assert_lines(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|written| written.trim_start() == *line), "{line}\n\n{text}");
    }
}

#[test]
fn types_from_elsewhere_are_imported_as_the_sources_import_them() {
    let lib = "
        import React, { type ReactNode } from 'react';
        import * as http from 'node:http';
        import type { Generated as Made } from './generated/types';
        import type Knex from '@acme/knex';
        import { Options } from './options';
        export function show(a: ReactNode, b: React.Ref<string>, c: http.Server): Knex { return a as any; }
        export function make(m: Made, o: Options): Options { return o; }
    ";
    let text = stub_of(lib, &[("src/options.ts", "export class Options { constructor(public a: string) {} }\n")]);
    assert_lines(
        &text,
        &[
            "import type * as http from \"node:http\";",
            "import type Knex from \"@acme/knex\";",
            "import type React from \"react\";",
            "import type { Generated } from \"src/generated/types\";",
            "import type { Options } from \"src/options\";",
            "import type { ReactNode } from \"react\";",
            "export declare function make(m: Generated, o: Options): Options;",
            "export declare function show(a: ReactNode, b: React.Ref<string>, c: http.Server): Knex;",
        ],
    );
    assert!(!text.contains("= any"), "{text}");
}

#[test]
fn a_name_that_is_taken_is_reached_through_the_namespace_of_its_module() {
    let other = "export class Options { constructor(public a: string) {} }\n";
    let lib = "
        import type { Options as Outer, Signal as Incoming } from '@acme/core';
        import * as first from './first';
        import * as second from './second';
        export function Signal(a: Incoming): void {}
        export function join(a: first.Options, b: second.Options, c: Outer): void {}
    ";
    let text = stub_of(lib, &[("src/first.ts", other), ("src/second.ts", other)]);
    assert_lines(
        &text,
        &[
            "import type * as core from \"@acme/core\";",
            "import type * as second from \"src/second\";",
            "import type { Options } from \"src/first\";",
            "export declare function Signal(a: core.Signal): void;",
            "export declare function join(a: Options, b: second.Options, c: core.Options): void;",
        ],
    );
}

#[test]
fn a_type_that_no_module_exports_is_declared_and_literal_unions_are_written_out() {
    let lib = "
        import type { Level } from './level';
        class Hidden { constructor(public a: string) {} }
        export function open(level: Level): Hidden { return new Hidden('a'); }
    ";
    let text = stub_of(lib, &[("src/level.ts", "export type Level = 'debug' | 'info';\n")]);
    assert_lines(
        &text,
        &[
            "export declare function open(level: Level): Hidden;",
            "type Hidden = any;",
            "type Level = 'debug' | 'info';",
        ],
    );
    assert!(!text.contains("import type"), "{text}");
}

#[test]
fn return_types_are_written_where_the_sources_leave_no_doubt() {
    let lib = "
        export class Client {
            chain() { return this; }
            static of() { return new Client(); }
            async close() { await 0; }
        }
        export class Box<T> { constructor(public value: T) {} }
        export function nothing() { nothing; }
        export async function later() { return new Client(); }
        export async function twice() { return later(); }
        export async function awaited() { const c = await later(); return c; }
        export const count = (a: number[]) => a.length * 2;
        export function mode(b: boolean) { return b ? 'on' : 'off'; }
        export function label() { return 'a'; }
        export function test(a: string) { return a === '' || !a; }
        export function find(a: Client | undefined) { return a; }
        export function maybe(b: boolean) { if (b) { return new Client(); } }
        export function nullable(b: boolean) { return b ? new Client() : null; }
        export function given<T extends Client>(a: T) { return a; }
        export function boxed() { return new Box(1); }
        export function length(a?: Client) { return a?.chain(); }
        export function looked(map: Map<string, Client>) { return map.get('a'); }
        export function thrown() { throw new Error('a'); }
        export function parsed(text: string) { return JSON.parse(text); }
        export function added(a: unknown, b: unknown) { return (a as any) + (b as any); }
        export function annotated(a: 'x' | 'y') { return a ?? null; }
    ";
    assert_lines(
        &stub_of(lib, &[]),
        &[
            "chain(): this;",
            "static of(): Client;",
            "close(): Promise<void>;",
            "export declare function nothing(): void;",
            "export declare function later(): Promise<Client>;",
            "export declare function twice(): Promise<Client>;",
            "export declare function awaited(): Promise<Client>;",
            "export declare function count(a: number[]): number;",
            "export declare function mode(b: boolean): \"on\" | \"off\";",
            "export declare function label(): string;",
            "export declare function test(a: string): boolean;",
            "export declare function find(a: Client | undefined): Client | undefined;",
            "export declare function maybe(b: boolean): Client | undefined;",
            "export declare function nullable(b: boolean): Client | null;",
            "export declare function given<T extends Client>(a: T): T;",
            "export declare function boxed(): Box<number>;",
            // The whole type of these is not known.
            "export declare function length(a?: Client): any;",
            "export declare function looked(map: Map<string, Client>): any;",
            "export declare function thrown(): any;",
            "export declare function parsed(text: string): any;",
            "export declare function added(a: unknown, b: unknown): any;",
            "export declare function annotated(a: 'x' | 'y'): \"x\" | \"y\" | null;",
        ],
    );
}

#[test]
fn indexed_accesses_are_written_as_the_declared_types_of_the_members() {
    let lib = "
        import { Settings } from './settings';
        export interface Request<P extends string, I> { path: P; input: I }
        export class Context<P extends string, I extends { out?: {} }> {
            get request(): Request<P, I['out']> { return null as any; }
            zoom!: Settings['zoom'];
        }
        export function setZoom(zoom: Settings['zoom'], unit?: Settings['view']['unit'] | null): Settings['levels'] {
            return null as any;
        }
        export function step(by: Settings['levels'][], save: Settings['save']): void {}
        export type Level = Settings['level'];
    ";
    let settings = "
        export type Zoom = { value: number };
        export interface View { unit: 'px' | 'em' }
        export interface Settings { zoom: Zoom; view: View; levels: string[]; level?: Zoom; save(at: Zoom): void }
    ";
    let text = stub_of(lib, &[("src/settings.ts", settings)]);
    assert_lines(
        &text,
        &[
            "readonly request: Request<P, any>;",
            "zoom: Zoom;",
            "export declare function setZoom(zoom: Zoom, unit?: \"px\" | \"em\" | null): string[];",
            "export declare function step(by: string[][], save: (at: Zoom) => void): void;",
            "export type Level = Zoom | undefined;",
        ],
    );
}

#[test]
fn an_indexed_access_of_a_generic_type_is_not_written_as_the_type_of_its_member() {
    let lib = "
        interface Box<T> { held: T }
        export function open<U>(held: Box<U>['held']): void {}
    ";
    assert_lines(&stub_of(lib, &[]), &["export declare function open<U>(held: any): void;"]);
}

#[test]
fn decorators_have_the_types_of_the_standard_library() {
    let lib = "
        export function Column(): PropertyDecorator { return () => {}; }
        export function Entity(): ClassDecorator & MethodDecorator { return (() => {}) as any; }
        export function bound(value: Function, context: ClassMethodDecoratorContext<unknown>): void {}
    ";
    let lines = [
        "export declare function Column(): PropertyDecorator;",
        "export declare function Entity(): ClassDecorator & MethodDecorator;",
        "export declare function bound(value: Function, context: ClassMethodDecoratorContext<unknown>): void;",
    ];
    assert_lines(&stub_of(lib, &[]), &lines);
}

#[test]
fn interfaces_and_fields_are_written_with_their_call_signatures() {
    let lib = "
        export interface Handle<E> {
            (handler: (value: E) => void): App<E>;
            (path: string, handler: (value: E) => void): App<E>;
        }
        export interface Named { (at: number): string; label: string }
        export class App<E> {
            get!: Handle<E>;
            label?: Named;
        }
        declare const app: App<number>;
        app.get('/', (value) => {});
    ";
    let index = built::index([("src/lib.ts", lib)]);
    let text = stub(&index, index.scope(Some("src/lib"), None).expect("a module"), &Strategy::Exhaustive);
    assert_compiles(std::slice::from_ref(&text));
    let lines: Vec<&str> = text.lines().map(|line| line.split(" // ").next().unwrap_or_default()).collect();
    let lines = lines.join("\n");
    assert_lines(
        &lines,
        &[
            "(handler: (value: E) => void): App<E>;",
            "(path: string, handler: (value: E) => void): App<E>;",
            "(at: number): string;",
            "get(path: string, handler: (value: E) => void): App<E>;",
            "get(handler: (value: E) => void): App<E>;",
            "label?: Named;",
        ],
    );
}

#[test]
fn a_type_alias_of_a_long_object_that_can_be_called_is_written_with_its_call_signatures() {
    let members: Vec<String> = (0..20).map(|at| format!("setting_number_{at}: Record<string, string[]>;")).collect();
    let members = members.join("\n");
    let lib = format!(
        "export type Fetch = {{
            (url: string, retries?: number): string;
            get(path: string): Fetch;
            {members}
        }};
        declare const fetched: Fetch;
        fetched.get('/');"
    );
    let index = built::index([("src/lib.ts", lib.as_str())]);
    let text = stub(&index, index.scope(Some("src/lib"), None).expect("a module"), &Strategy::Exhaustive);
    assert_compiles(std::slice::from_ref(&text));
    let lines: Vec<&str> = text.lines().map(|line| line.split(" // ").next().unwrap_or_default()).collect();
    assert_lines(
        &lines.join("\n"),
        &["export type Fetch = {", "(url: string, retries?: number): string;", "get(path: string): Fetch;"],
    );
}

#[test]
fn values_with_construct_signatures_are_written_with_new() {
    let lib = "
        export class Agent { run(task: string): void {} }
        export interface AgentConstructor { new (name: string): Agent; new (name: string, retries: number): Agent }
        export declare const Known: AgentConstructor;
        export declare var Old: { new <T>(size: T): Agent; prototype: Agent };
        export class Registry { agent?: new (name: string) => Agent; static Kind: { new (kind: string): Agent } }
    ";
    let text = stub_of(lib, &[("src/main.ts", "import { Known } from './lib';\nnew Known('a', 1);\n")]);
    assert_lines(
        &text,
        &[
            "export declare const Known: {",
            "new (name: string, retries: number): Agent;",
            "export declare const Old: {",
            "new <T>(size: T): Agent;",
            "agent?: {",
            "static Kind: {",
            "new (kind: string): Agent;",
        ],
    );
}

#[test]
fn a_declaration_file_and_its_javascript_are_one_definition() {
    let index = built::index([
        ("package.json", "{\"name\": \"flags\", \"main\": \"index.js\", \"types\": \"typings/index.d.ts\"}"),
        ("typings/index.d.ts", "export class Command { run(): this; }\nexport const program: Command;\n"),
        ("lib/command.js", "export class Command { run() { return this; } _own() {} }\n"),
        (
            "index.js",
            "import { Command } from './lib/command.js';\nexport const program = new Command();\nexport { Command };\n",
        ),
        ("tests/a.test.js", "import { Command, program } from '../index.js';\nnew Command().run();\nprogram.run();\n"),
    ]);
    let scope = index.scope(None, Some("Command")).expect("one class");
    assert!(matches!(scope, Scope::Definition(id) if index.definition(id).fqn == "typings/index#Command"));
    let text = stub(&index, Scope::Repository, &Strategy::Exhaustive);
    assert_compiles(std::slice::from_ref(&text));
    assert!(text.contains("run(): this; // 2 calls") && !text.contains("program2"), "{text}");
}

#[test]
fn constants_have_the_classes_of_their_values_and_annotations() {
    let lib = "
        import { Other } from './other';
        export class Store<T> { constructor(public first: T) {} }
        class Hidden { go(): void {} }
        export class Pair<A extends object, B> { make(): A { return null as any; } }
        export const store = new Store(1);
        export const pair = new Pair();
        export const other = new Other();
        export const Alias: typeof Store = Store;
        export const Second = Other;
        export const Third: typeof Hidden = Hidden;
        export const level = 'info';
        export const part: typeof store = store;
        export function make(kind: typeof Other | (typeof Hidden)[]) { return Other; }
        export function built<T extends abstract new () => any>(of: InstanceType<typeof Other>): void {}
    ";
    let text = stub_of(lib, &[("src/other.ts", "export class Other { run(): void {} }\n")]);
    assert_lines(
        &text,
        &[
            "import type { Other } from \"src/other\";",
            "export declare const store: Store<number>;",
            "export declare const pair: Pair<any, any>;",
            "export declare const other: Other;",
            "export declare const Alias: typeof Store;",
            "export declare const Second: typeof Other;",
            "export declare const Third: typeof Hidden;",
            "export declare const level: 'info';",
            // The stub may leave out the constant `store`.
            "export declare const part: Store<number>;",
            "export declare function make(kind: typeof Other | (typeof Hidden)[]): typeof Other;",
            "export declare function built<T extends abstract new () => any>(of: any): void;",
            "declare class Hidden {}",
        ],
    );
}

#[test]
fn values_with_construct_signatures_keep_the_properties_that_code_uses() {
    let lib = "
        export interface Schema { parse(value: unknown): unknown }
        export interface Kind<T> { new (name: string): T; init(schema: T, name: string): void }
        export interface Quiet { new (name: string): Schema; unused: number }
        export declare const Text: Kind<Schema>;
        export declare const Plain: Quiet;
    ";
    let main = "import { Plain, Text } from './lib';\nText.init(new Text('a'), 'a');\nnew Plain('b');\n";
    let text = stub_of(lib, &[("src/main.ts", main)]);
    let after = |line: &str| text.split_once(line).and_then(|(_, rest)| rest.split_once("\n}")).map(|(_, rest)| rest);
    assert!(after("const Text: {").is_some_and(|rest| rest.starts_with(" & Kind<Schema>;")), "{text}");
    assert!(after("const Plain: {").is_some_and(|rest| rest.starts_with(';')), "{text}");
    assert_lines(&text, &["init(schema: T, name: string): void;"]);
}

#[test]
fn types_that_the_scope_names_have_their_summaries_if_there_is_room() {
    let lib = "
        import type { Retry } from './retry';
        /** Plans a request. It may fail. */
        export function plan(url: string): Retry { return null as any; }
    ";
    let retry = "
        /** How often a request is repeated. See also `plan`. */
        export interface Retry {
            /** The number of attempts. */
            times: number;
        }
    ";
    let main = "import { plan } from './lib';\nplan('a');\n";
    let index = built::index([("src/lib.ts", lib), ("src/retry.ts", retry), ("src/main.ts", main)]);
    let scope = index.scope(Some("src/lib"), None).expect("a module");
    let packer = Packer::new(&index, scope, &Tokenizer::load(Encoding::O200kBase)).expect("something public");
    let deliver = |max_tokens, docs| {
        let style = Style { docs, ..Style::default() };
        packer.deliver_in(style, &Strategy::TokenBudget { max_tokens }, Format::Stub).expect("it fits")
    };
    let full = deliver(400, Docs::Summary);
    assert_compiles(std::slice::from_ref(&full.text));
    let lines =
        ["/** Plans a request. */", "/** How often a request is repeated. */", "/** The number of attempts. */"];
    assert_lines(&full.text, &lines);
    assert!(!deliver(400, Docs::None).text.contains("/**"));
    // A summary is an addition like any other: a stub without room for it has none.
    let less = deliver(full.tokens - 1, Docs::Summary);
    assert!(less.tokens < full.tokens && less.text.matches("/**").count() < 3, "{}", less.text);
}

#[test]
fn an_object_beside_other_types_of_an_alias_keeps_the_alias() {
    let lib = "
        export interface Parts { seconds?: number; hours?: number }
        export type Input = number | `${number} seconds` | Parts;
        export type Objects = Parts | { days: number };
        export function wait(duration: Input): void {}
        export function rest(duration?: Objects): void {}
        wait({ seconds: 1 });
        wait('2 seconds');
        rest({ seconds: 1 });
    ";
    let text = stub_of(lib, &[]);
    let wait = "export declare function wait(duration: Input | { seconds?: number; hours?: number }): void;";
    assert_lines(&text, &[wait, "duration?: {"]);
}

#[test]
fn a_function_shows_what_the_type_of_its_result_inherits() {
    let lib = "
        export interface Matchers<R> { toBe(expected: unknown): R; never(): R }
        export interface Assertion<R> extends Matchers<R> { resolves: Promise<R> }
        export function expect(value: unknown): Assertion<void> { return null as any; }
        expect(1).toBe(1);
        expect(2).toBe(1);
    ";
    let index = built::index([("src/lib.ts", lib)]);
    let scope = index.scope(None, Some("expect")).expect("a function");
    let text = stub(&index, scope, &Strategy::TokenBudget { max_tokens: 300 });
    assert_compiles(std::slice::from_ref(&text));
    assert_lines(&text, &["toBe(expected: unknown): R; // 2 calls"]);
    // What nobody uses of the bases is left out.
    assert!(!text.contains("never"), "{text}");
    // The requested type inherits it where both are shown.
    let scope = index.scope(Some("src/lib"), None).expect("a module");
    let text = stub(&index, scope, &Strategy::Exhaustive);
    assert_compiles(std::slice::from_ref(&text));
    assert_eq!(text.matches("toBe(expected").count(), 1, "{text}");
}
