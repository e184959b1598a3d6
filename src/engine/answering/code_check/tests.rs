//! Answers about small libraries, with names that the libraries have and names that they do not have.

use std::sync::Arc;

use super::*;
use crate::answers::SymbolTable;
use apidisc_base::control::Control;
use apidisc_facts::source::{Source, reread};
use apidisc_indexing::indexer;

/// The findings of a check of Markdown against these files.
fn findings(files: &[(&str, &str)], answer: &str) -> Vec<String> {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let symbols = SymbolTable::new(Arc::new(index));
    let read = |path: &str| reread(&source, path);
    let mistakes = check_code(&Context::new(&symbols, &read), answer);
    mistakes.iter().map(|it| format!("{}: {}", it.line, it.words())).collect()
}

const CLIENT: &str = r#"
import json
from dataclasses import dataclass
from typing import Any
from outside import Base

LIMIT = 3
_made = json.loads("{}")

@dataclass
class Response:
    status: int

    def text(self) -> str:
        return ""

class Client:
    def __init__(self, base_url, *, retries=0):
        self.open = True

    def __enter__(self):
        return self

    def get(self, path, timeout=None) -> Response: ...

    async def fetch(self, path) -> Response: ...

    def send(self, path, **options): ...

class Special(Client):
    def stream(self): ...

class Foreign(Base):
    def get(self, path): ...

def connect(url) -> Client: ...

@outside
def wrapped(url): ...
"#;

fn python(code: &str) -> Vec<String> {
    let library = [
        ("library/__init__.py", "from .client import *\nfrom .client import Client\n"),
        ("library/client.py", CLIENT),
        ("library/sync.py", "from library.client import Client as C\ndef open_client() -> C: ...\n"),
    ];
    findings(&library, &format!("```python\n{code}\n```\n"))
}

const NOTHING: [&str; 0] = [];

#[test]
fn code_that_uses_what_the_sources_have_has_no_findings() {
    let code = "import json, library.client as c\nfrom library import Client, Response, connect, LIMIT, Any\n\
                with Client('x', retries=LIMIT) as client:\n    response = client.get('/', timeout=3)\n    \
                print(response.status, response.text().upper(), client.open, client.send('/', anything=1))\n\
                c.Special('x').get('/').text()\nconnect('u').get('/')\nfrom library.sync import open_client\nopen_client().get('/')\njson.nothing()\nclient.__class__.x\n";
    assert_eq!(python(code), NOTHING);
}

#[test]
fn names_of_modules_that_are_not_there_are_found() {
    let code = "from library import Client, Session\nimport library.sessions\nfrom library.client import retry\n\
                import library.client as c\nc.Missing()\nc.LIMIT\n";
    let expected = [
        "2: `library` has no `Session`",
        "3: `library` has no `sessions`",
        "4: `library.client` has no `retry`",
        "6: `library.client` has no `Missing`",
    ];
    assert_eq!(python(code), expected);
}

#[test]
fn attributes_and_parameters_of_known_classes_are_checked() {
    let code = "import library\nclient = library.Client('x', timeout=3)\nclient.post('/')\n\
                client.get('/', retries=2, timeout=1).json()\nlibrary.Client.delete\n\
                with library.Client('x') as c:\n    c.put\nfrom library.sync import open_client\nopen_client().patch()\nasync def f(c: library.Client):\n    (await c.fetch('/')).body\n";
    let expected = [
        "3: `library.Client` has no parameter `timeout`",
        "4: `library.Client` has no attribute `post`",
        "5: `library.Response` has no attribute `json`",
        "5: `library.Client.get` has no parameter `retries`",
        "6: `library.Client` has no attribute `delete`",
        "8: `library.Client` has no attribute `put`",
        "10: `library.Client` has no attribute `patch`",
        "12: `library.Response` has no attribute `body`",
    ];
    assert_eq!(python(code), expected);
}

#[test]
fn nothing_is_said_of_what_the_sources_do_not_decide() {
    // A base, a decorator and a value from outside; `**options`; a class below the declared one; a name that is bound
    // twice; modules that builds write.
    let code = "import library, random, library._version\nfrom library.client import Foreign, wrapped\nfrom elsewhere import Client\n\
                Foreign().post(a=1)\nwrapped(url='', more=1)\nClient().post()\nlibrary.connect('u').stream()\n\
                library.Client('x').send('/', more=1)\nx = library.Client('x')\nif random:\n    x = random.choice([1])\n\
                x.post()\nlibrary.Client('x').fetch('/').body\nlibrary.client._made.x\ndef g(c):\n    c.post()\n";
    assert_eq!(python(code), NOTHING);
}

#[test]
fn inline_calls_are_checked_with_the_names_of_the_blocks() {
    let library = [("library.py", CLIENT)];
    let answer = "Call `client.get('/', retries=2)` or `Client(…, timeout=3)`, not `client.get(`, `get()` or `f(x)`.\n\n\
                  ```python\nfrom library import Client\nclient = Client('x')\n```\n";
    let expected =
        ["1: `library.Client.get` has no parameter `retries`", "1: `library.Client` has no parameter `timeout`"];
    assert_eq!(findings(&library, answer), expected);
    // Without a block, the name of one definition is known.
    assert_eq!(findings(&library, "`Client('x').post()`"), ["1: `library.Client` has no attribute `post`"]);
}

#[test]
fn broken_code_is_left_out_block_by_block() {
    let library = [("library.py", CLIENT)];
    let answer = "```python\nfrom library import Client\n```\n```python\nClient('x').post((\n```\n\
                  ```python\nClient('x').put()\n```\n```ruby\nClient.nothing\n```\n";
    assert_eq!(findings(&library, answer), ["8: `library.Client` has no attribute `put`"]);
}

const SERVER: &str = r#"
export interface Options { port?: number; host?: string }
export interface Open { [key: string]: unknown }
export class Server {
  constructor(options: Options) {}
  listen(options: { backlog?: number }): Server { return this }
  async close(open: Open): Promise<Server> { return this }
}
export class Extended extends Outside { }
export function serve(options?: Options): Server { return new Server(options) }
export const version = "1"
"#;

fn typescript(code: &str) -> Vec<String> {
    let package = r#"{ "name": "web", "main": "src/index.ts" }"#;
    let files = [("package.json", package), ("src/index.ts", "export * from './server'\n"), ("src/server.ts", SERVER)];
    findings(&files, &format!("```ts\n{code}\n```\n"))
}

#[test]
fn typescript_that_uses_what_the_sources_have_has_no_findings() {
    let code = "import { Server, serve, version, Extended, type Options } from 'web'\nimport x from 'elsewhere'\n\
                const server = new Server({ port: 1, ...x })\nserver.listen({ backlog: 1 }).close({ anything: 1 })\n\
                new Extended().anything({ a: 1 })\nx.y.z({ a: 1 })\nserver.toString()\nserve().listen({})\n";
    assert_eq!(typescript(code), NOTHING);
}

#[test]
fn names_that_typescript_sources_do_not_have_are_found() {
    let code = "import { Server, Router, serve } from 'web'\nimport * as web from 'web'\n\
                const server = new Server({ prot: 1 })\nserver.start()\nserver.listen({ timeout: 1 })\n\
                web.stop()\nserve({ tls: true }).restart()\n";
    let expected = [
        "2: `web` has no `Router`",
        "4: `web#Server` has no parameter `prot`",
        "5: `web#Server` has no attribute `start`",
        "6: `web#Server.listen` has no parameter `timeout`",
        "7: `web` has no `stop`",
        "8: `web#Server` has no attribute `restart`",
        "8: `web#serve` has no parameter `tls`",
    ];
    assert_eq!(typescript(code), expected);
}

const SHAPES: &str = r#"
from __future__ import annotations
from typing import Awaitable, Optional, Union

class Circle:
    radius: int
    def area(self, unit="m") -> int: ...

class Square:
    side: int
    def area(self, unit="m") -> int: ...
    def split(self, parts, /, *, keep=False) -> list: ...

class Box:
    def __init__(self, width, height=1, *, colour): ...

def find(name) -> Circle | Square | None: ...
def first(name) -> Optional[Square]: ...
def later(name) -> Awaitable[Circle]: ...
async def load(name: str, *, retries: int = 0) -> Union[Circle, "Square"]: ...
def many(*names, sep): ...
"#;

fn shapes(code: &str) -> Vec<String> {
    findings(&[("shapes.py", SHAPES)], &format!("```python\nfrom shapes import *\nimport shapes\n{code}\n```\n"))
}

#[test]
fn a_value_of_several_types_has_what_one_of_them_has() {
    let right = "a = shapes.find('x')\na.radius\na.side\na.split(2)\nshapes.first('x').side\nb = shapes.Circle()\n\
                 if a:\n    b = shapes.Square()\nb.side\n(shapes.Circle() if a else shapes.Square()).radius\n\
                 def f(c: shapes.Circle | None, d: shapes.Optional[shapes.Square]):\n    c.radius\n    d.side\n";
    assert_eq!(shapes(right), NOTHING);
    let wrong = "a = shapes.find('x')\na.depth\na.area('m', 'n')\nshapes.first('x').radius\nb = shapes.Circle()\n\
                 if a:\n    b = shapes.Square()\nb.depth\ndef f(c: shapes.Circle | shapes.Square | None):\n    c.depth\n";
    let expected = [
        "5: `shapes.Circle | shapes.Square` has no attribute `depth`",
        "6: `shapes.Circle.area | shapes.Square.area` takes 1 argument by position, not 2",
        "7: `shapes.Square` has no attribute `radius`",
        "11: `shapes.Circle | shapes.Square` has no attribute `depth`",
        "13: `shapes.Circle | shapes.Square` has no attribute `depth`",
    ];
    assert_eq!(shapes(wrong), expected);
}

#[test]
fn awaited_values_are_followed_through_names() {
    let code = "async def f():\n    task = shapes.load('x')\n    shape = await task\n    shape.radius\n    shape.depth\n    \
                (await shapes.later('x')).side\n    task.cancel()\n    shapes.later('x').add_done_callback(f)\n";
    let expected =
        ["8: `shapes.Circle | shapes.Square` has no attribute `depth`", "9: `shapes.Circle` has no attribute `side`"];
    assert_eq!(shapes(code), expected);
}

#[test]
fn arguments_fit_the_parameters() {
    let right = "shapes.Box(1, colour='red')\nshapes.Box(width=1, colour='red')\nshapes.Box(*sizes, colour='red')\n\
                 shapes.Box(1, **options)\nshapes.Box(...)\nshapes.find('x', ...)\nshapes.many('a', 'b', 'c', sep=1)\n\
                 shapes.Square.split(shapes.Square(), 2)\nshapes.Square().split(2, keep=True)\n";
    assert_eq!(shapes(right), NOTHING);
    let wrong = "shapes.Box(1, 2, 3, colour='red')\nshapes.Box(1)\nshapes.Box(1, width=2, colour='red')\nshapes.find()\n\
                 shapes.many('a')\nshapes.Square().split()\n";
    let expected = [
        "4: `shapes.Box` takes 2 arguments by position, not 3",
        "5: `shapes.Box` needs `colour`",
        "6: `shapes.Box` gets `width` by position and by name",
        "7: `shapes.find` needs `name`",
        "8: `shapes.many` needs `sep`",
        "9: `shapes.Square.split` needs `parts`",
    ];
    assert_eq!(shapes(wrong), expected);
    // Inline code may be the mere name of a call.
    let inline = "Call `shapes.find()` or `shapes.Box(1, 2, 3, 4)`, not `shapes.Box(size=1)`.\n";
    assert_eq!(
        findings(&[("shapes.py", SHAPES)], &format!("{inline}```python\nimport shapes\n```\n")),
        ["1: `shapes.Box` has no parameter `size`"]
    );
}

const OPTIONS: &str = r"
export interface Base { port?: number }
export type Tls = { cert?: string, key?: string }
export type Both = Base & Tls & { name?: string }
export type Open = Base & { [key: string]: unknown }
export type Mapped = { [K in 'a' | 'b']?: number }
export class Left { left(): void {} }
export class Right { right(): void {} }
export function serve(options: Both, ready?: () => void): Promise<Left> { throw options }
export function open(options: Open): void {}
export function map(options: Mapped): void {}
export function either(options: Base | Tls | string): Left | Right | undefined { throw options }
export function part(options: Partial<Omit<Tls, 'key'>>): void {}
export function pick(value: string): void
export function pick(value: string, options: Tls): void
export function pick(value: string, options?: Tls): void {}
export function nothing(value: void): void {}
export async function later(): Promise<Right | null> { return null }
";

fn options(code: &str) -> Vec<String> {
    let package = r#"{ "name": "web", "main": "index.ts" }"#;
    let files = [("package.json", package), ("index.ts", OPTIONS)];
    findings(&files, &format!("```ts\nimport * as web from 'web'\n{code}\n```\n"))
}

#[test]
fn properties_of_closed_types_are_checked() {
    let right = "web.serve({ port: 1, cert: 'c', name: 'n' })\nweb.open({ anything: 1 })\nweb.map({ a: 1, c: 2 })\n\
                 web.either({ port: 1 })\nweb.either('x')\nweb.either({ key: 'k' })?.left()\nweb.part({ cert: 'c' })\n\
                 web.pick('x', { key: 'k' })\nweb.nothing()\nweb.serve(...all)\n\
                 async function f() { (await web.serve({})).left(); (await web.later())?.right() }";
    assert_eq!(options(right), NOTHING);
    let wrong = "web.serve({ prot: 1 })\nweb.either({ size: 1 })\nweb.part({ name: 'n' })\nweb.pick('x', { size: 1 })\n\
                 web.serve()\nweb.pick('x', {}, 1)\nweb.either({})?.middle()\n\
                 async function f() { (await web.serve({})).right() }";
    let expected = [
        "3: `web#serve` has no parameter `prot`",
        "4: `web#either` has no parameter `size`",
        "5: `web#part` has no parameter `name`",
        "6: `web#pick` has no parameter `size`",
        "7: `web#serve` needs `options`",
        "8: `web#pick` takes 1 argument by position, not 3",
        "9: `web#Left | web#Right` has no attribute `middle`",
        "10: `web#Left` has no attribute `right`",
    ];
    assert_eq!(options(wrong), expected);
}

#[test]
fn a_signature_shows_what_the_owner_really_has() {
    let files = [("library.py".to_owned(), CLIENT.as_bytes().to_vec().into())].into_iter().collect();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let symbols = SymbolTable::new(Arc::new(index));
    let read = |path: &str| reread(&source, path);
    let context = Context::new(&symbols, &read);
    let answer = "```python\nimport library\nlibrary.Client('x').get('/', retry=1)\nlibrary.Clint('x')\n```\n";
    let [parameter, name] = &check_code(&context, answer)[..] else { panic!() };
    assert!(signature(&context, parameter, 200).contains("timeout"));
    assert_eq!(signature(&context, name, 200), "The nearest names: Client\n");
}

#[test]
fn any_text_is_checked_in_bounded_time() {
    let library = [("library.py", CLIENT)];
    let deep = format!("```python\nx = Client('x')\n{}\n```", "x = x.get(x).get(x)\n".repeat(300));
    findings(&library, &deep);
    let branches = "if a:\n    x = x\nelse:\n    x = x.y(x)\n".repeat(200);
    findings(&library, &format!("```python\nfrom library import Client\nx = Client('x')\n{branches}\n```"));
    findings(&library, &"`".repeat(5_000));
    findings(&library, &format!("`{}`", "f(".repeat(150) + &")".repeat(150)));
}

#[test]
fn nothing_is_said_of_what_other_code_may_add_or_change() {
    let library = [(
        "library.py",
        "from outside import checked\n\nclass Patched:\n    def get(self): ...\n\nPatched.put = Patched.get\n\n\
         class Checked:\n    @checked\n    def __init__(self, url): ...\n",
    )];
    let code = "```python\nfrom library import Patched, Checked\nPatched().put()\nChecked(address='x')\n```\n";
    assert_eq!(findings(&library, code), NOTHING);
    // The path of a file in the sources is no package.
    let files = [("utils.ts", "export const a = 1\n"), ("main.ts", "import { a } from './utils'\n")];
    assert_eq!(findings(&files, "```ts\nimport { b } from 'utils'\nimport { c } from './utils'\n```\n"), NOTHING);
}

#[test]
fn a_name_that_several_blocks_bind_has_the_values_of_all_in_another_block() {
    let files = [
        ("package.json", r#"{"name": "z", "exports": {".": "./a.ts", "./mini": "./b.ts"}}"#),
        ("a.ts", "export function both() {}\nexport class Failure {}\n"),
        ("b.ts", "export function both() {}\n"),
        ("m.py", "def both(): ...\ndef one(): ...\n"),
        ("n.py", "def both(): ...\n"),
    ];
    let tabs = |last: &str| {
        findings(
            &files,
            &format!("```ts\nimport * as z from 'z'\nz.both()\n```\n```ts\nimport * as z from 'z/mini'\n{last}\n```\n"),
        )
    };
    // The block that imports the name means its own import.
    assert_eq!(tabs("z.Failure"), ["7: `z/mini` has no `Failure`"]);
    assert_eq!(tabs("z.both()\n```\n```ts\nz.Failure"), [""; 0]);
    assert_eq!(tabs("z.both()\n```\n```ts\nz.nothing"), ["10: `z | z/mini` has no `nothing`"]);
    let tabs = |last: &str| {
        findings(&files, &format!("```py\nimport m as z\nz.both()\n```\n```py\nimport n as z\n{last}\n```\n"))
    };
    assert_eq!(tabs("z.one()"), ["7: `n` has no `one`"]);
    assert_eq!(tabs("z.both()\n```\n```py\nz.one()"), [""; 0]);
    assert_eq!(tabs("z.both()\n```\n```py\nz.nothing()").len(), 1);
}

#[test]
fn a_module_that_sets_its_own_names_may_hold_other_values() {
    let files = [
        ("p/__init__.py", "from p.inner import report\nglobals()['report'] = None\n"),
        ("p/inner.py", "def report(app): ...\n"),
    ];
    assert_eq!(findings(&files, "```py\nimport p\np.report()\n```\n"), [""; 0]);
    let certain = [("p/__init__.py", "from p.inner import report\n"), files[1]];
    assert_eq!(findings(&certain, "```py\nimport p\np.report()\n```\n").len(), 1);
}
