//! What the declarations of a stub say of members, results and types.

use crate::program::{Project, call_rows as rows, is_python, outcome, run_on};

/// The stub of a module with everything in full.
fn whole(project: &Project, module: &str) -> String {
    let line = format!("--export --strategy exhaustive --wording full --module {module}");
    run_on(&line, project.path()).success()
}

#[test]
fn a_generator_is_no_coroutine() {
    let python = "from contextlib import asynccontextmanager\nfrom typing import AsyncIterator\n\n\nclass Feed:\n    \
                  async def events(self, n: int) -> AsyncIterator[int]:\n        yield n\n\n    \
                  async def close(self): ...\n\n\ndef numbers():\n    yield 1\n\n\nasync def ticks():\n    yield 1\n\n\n\
                  @asynccontextmanager\nasync def opened():\n    yield 1\n\n\n@traced\ndef wrapped():\n    yield 1\n";
    let typescript = "export async function* lines(path: string) { yield path; }\n\
                      export function* words() { yield Promise.resolve(new Word()); yield null; }\n\
                      export class Word { async *parts() { yield unknown(); } }\n\
                      export const tools = { async *run() { yield 1; } };\n";
    let project = Project::with("feed.py", python).and("lines.ts", typescript);
    let stub = whole(&project, "feed");
    for line in [
        "    def events(self, n: int) -> AsyncIterator[int]: ...\n",
        "    async def close(self): ...\n",
        "def numbers() -> Generator: ...\n",
        "\ndef ticks() -> AsyncGenerator: ...\n",
        "@asynccontextmanager\ndef opened() -> AsyncGenerator: ...\n",
        "def wrapped(): ...\n",
    ] {
        assert!(stub.contains(line), "{line} {stub}");
    }
    assert!(is_python(&stub));
    let short = run_on("--export --wording calls --module feed", project.path()).success();
    assert!(short.contains(" def events(self, n): ... # async for\n"), "{short}");
    assert!(short.contains("def opened(): ...\n"), "{short}");
    let stub = whole(&project, "lines");
    for line in [
        "export declare function lines(path: string): AsyncGenerator<string>;\n",
        "export declare function words(): Generator<any>;\n",
        "  parts(): AsyncGenerator<any>;\n",
        "  run(): AsyncGenerator<number>;\n",
    ] {
        assert!(stub.contains(line), "{line} {stub}");
    }
}

#[test]
fn what_authors_of_subclasses_use_is_declared() {
    let base = "export abstract class Integration {\n  protected constructor(protected readonly url: string) {}\n  \
                protected secret(kind: string): string { return kind; }\n  protected own() { return this.own(); }\n  \
                protected abstract test(input: { fetch: string }): Promise<boolean>;\n  abstract title(): string;\n  \
                private hidden() {}\n}\n";
    let derived = "import { Integration } from './base';\nexport class Plex extends Integration {\n  \
                   title() { return this.secret('key') + this.url; }\n  async test() { return true; }\n}\n";
    let project = Project::with("base.ts", base).and("plex.ts", derived);
    let stub = whole(&project, "base");
    for line in [
        "  protected secret(kind: string): string; // 1 call\n",
        "  protected readonly url: string;\n",
        "  protected test(input: { fetch: string }): Promise<boolean>; // abstract\n",
        "  title(): string; // abstract\n",
    ] {
        assert!(stub.contains(line), "{line} {stub}");
    }
    assert!(!stub.contains("own") && !stub.contains("hidden"), "{stub}");
    let title = run_on("--export --symbol Integration", project.path()).success();
    assert!(title.starts_with("// import { Integration } from \"base\": 100% of 1 call and 1 read\n"), "{title}");
}

#[test]
fn a_type_that_is_not_exported_is_written_out() {
    let code = "interface Config { url: string; port?: number }\n\
                export function load(config: Config, more: Config[]): Config { return config; }\n";
    let project = Project::with("load.ts", code);
    let stub = run_on("--export --wording full --module load", project.path()).success();
    assert!(stub.contains("interface Config {\n  url: string;\n  port?: number;\n}\n"), "{stub}");
}

#[test]
fn a_destructured_property_of_a_type_from_outside_is_declared() {
    let code = "import type { Outside } from 'outside';\nexport interface Own { title: string }\n\
                export function Panel({ title, height = 2, wide }: Own & Outside) { return title; }\n";
    let project = Project::with("panel.tsx", code)
        .and("use.tsx", "import { Panel } from './panel';\nconst a = <Panel title=\"a\" height={2} extra />;\n");
    let stub = whole(&project, "panel");
    let props =
        "    title: string;\n    height?: number; // 100%, default 2\n    extra?: any; // 100%\n    wide?: any;\n";
    assert!(stub.contains(props) && stub.contains("100% of 1 call"), "{stub}");
}

#[test]
fn a_typed_dict_declares_its_keys_in_their_order() {
    let code = "from typing import NotRequired, TypedDict\n\n\nclass Query(TypedDict):\n    zone: str\n    \
                age: NotRequired[int]\n\n\nclass Options(TypedDict, total=False):\n    wide: bool\n    deep: str\n\n\n\
                class More(Options):\n    last: int\n\n\nOptions(deep='a')\nOptions()\n";
    let project = Project::with("query.py", code);
    let stub = whole(&project, "query");
    for body in [
        "class Query(TypedDict):\n    zone: str\n    age: NotRequired[int]\n",
        "class Options(TypedDict, total=False):\n    wide: bool\n    deep: str  # used in 50% of 2 calls\n",
        "class More(Options):\n    wide: NotRequired[bool]\n    deep: NotRequired[str]\n    last: int\n",
    ] {
        assert!(stub.contains(body), "{body} {stub}");
    }
    assert!(is_python(&stub));
    let short = run_on("--export --wording calls --strategy exhaustive --symbol Query", project.path()).success();
    assert!(short.contains("def Query(*, zone, age=...): ...\n"), "{short}");
}

#[test]
fn a_decorator_that_registers_a_function_is_named() {
    let code = "@router.get('/items/{id}', response_model=Item)\ndef item(id: int): ...\n\n\nclass Item(Model):\n    \
                name: str\n\n    @field_validator('name', mode='before')\n    @classmethod\n    def check(cls, name): ...\n\n    \
                @cached\n    def size(self): ...\n\n\n@app.task('a', bind=True)\n\
                @click.option('--size')\n@mock.patch('a.b')\ndef task(): ...\n\n\n\
                @app.route('/a', methods=['PUT'])\n@app.command()\ndef put(): ...\n";
    let project = Project::with("items.py", code);
    let stub = whole(&project, "items");
    assert!(stub.contains("@router.get('/items/{id}')\ndef item(id: int): ...\n"), "{stub}");
    assert!(
        stub.contains("    @field_validator('name', mode='before')\n    @classmethod\n    def check(cls, name)"),
        "{stub}"
    );
    let short = run_on("--export --strategy exhaustive --wording calls --module items", project.path()).success();
    for stub in [&stub, &short] {
        assert!(stub.contains("\n@app.task('a')\ndef task(): ...\n"), "{stub}");
        assert!(stub.contains("\n@app.route('/a', methods=['PUT'])\ndef put(): ...\n"), "{stub}");
        assert!(["@cached", "@click", "@mock", "@app.command"].iter().all(|other| !stub.contains(other)), "{stub}");
    }
}

#[test]
fn a_long_constructor_that_nobody_calls_is_one_line() {
    let fields = |count: usize| (0..count).map(|at| format!("    field{at}: str\n")).collect::<Vec<_>>().concat();
    let python = format!(
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Wide:\n{}    size: int = 1\n\n\n@dataclass\n\
         class Small:\n{}\n\ndef shown(wide: Wide): ...\n\n\nshown(1)\n",
        fields(13),
        fields(12)
    );
    let parameters: Vec<String> = (0..13).map(|at| format!("field{at}: string")).collect();
    let typescript = format!("export class Tall {{\n  constructor({}) {{}}\n}}\n", parameters.join(", "));
    let project = Project::with("wide.py", &python).and("tall.ts", &typescript);
    let export = |line: &str| run_on(&format!("--export --strategy exhaustive {line}"), project.path()).success();
    let short = export("--wording calls --module wide");
    let line = "...  # constructor not called; 13 required fields: field0, field1, field2, ...\n";
    assert!(short.contains(&format!("class Wide:\n {line}")), "{short}");
    assert!(short.contains("def __init__(self, field0, field1,") && is_python(&short), "{short}");
    let tall = export("--wording calls --module tall");
    assert!(tall.contains("// constructor not called; 13 required fields: field0, field1, field2, ...\n"), "{tall}");
    for whole in [export("--wording full --module wide"), export("--wording calls --symbol Wide")] {
        assert!(whole.contains("field12") && !whole.contains("not called"), "{whole}");
    }
    let called = Project::with("wide.py", format!("{python}Wide(1)\n"));
    let called = run_on("--export --strategy exhaustive --wording calls --module wide", called.path()).success();
    assert!(called.contains("field12") && !called.contains("not called"), "{called}");
}

#[test]
fn overloads_that_differ_in_the_receiver_alone_are_one() {
    let code = "from typing import overload\n\n\nclass Box:\n    @overload\n    def get(self: 'Box[int]', a): ...\n    \
                @overload\n    def get(self: 'Box[str]', a): ...\n    @overload\n    def get(self, a): ...\n    \
                def get(self, a): ...\n\n\nBox().get(1)\nBox().get(2)\n";
    let project = Project::with("box.py", code);
    let stub = whole(&project, "box");
    assert!(stub.contains("    def get(self, a): ...  # 2 calls\n") && !stub.contains("overload"), "{stub}");
    assert!(stub.starts_with("# box: 1 of 1 symbol, 100% of 4 calls\n"), "{stub}");
}

#[test]
fn lean_signatures_keep_none_in_a_type() {
    let project = Project::with("run.py", "def run(when: int | None = None): ...\n\n\nrun(when=1)\n");
    let stub = run_on("--export --wording lean --module run", project.path()).success();
    assert!(stub.contains("def run(when: int | None = None): ... # 1 call: when 100%\n"), "{stub}");
}

#[test]
fn titles_say_what_their_share_is_of() {
    let code = "class Base:\n    def __init__(self, a): ...\n\n\nclass Sub(Base): ...\n\n\ndef send(a, b=1): ...\n\n\n\
                LIMIT = 3\n\n\nclass Lone:\n    def vanish(self): ...\n";
    let uses = "from kit import Sub, send\n\n\ndef f(options, thing):\n    send(1)\n    send(*options)\n    Sub(1)\n    \
                thing.vanish()\n";
    let project = Project::with("kit.py", code).and("use.py", uses);
    let title = |symbol: &str| {
        let stub = run_on(&format!("--export --symbol {symbol}"), project.path()).success();
        stub.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(title("send"), "# from kit import send: 100% of 1 known call of 2");
    assert_eq!(title("Base"), "# from kit import Base: no calls, 1 call makes a subclass");
    assert_eq!(title("Lone"), "# from kit import Lone: no known calls");
    assert_eq!(title("LIMIT"), "# from kit import LIMIT: uses not counted");
    assert_eq!(title("f"), "# from use import f: no calls");
    let exported =
        outcome(crate::program::command(["--export", "--symbol", "send", "--wording", "full"]).arg(project.path()));
    assert!(exported.success().contains("def send(a, b=1): ...  # 2 calls\n"));
}

#[test]
fn whole_documentation_has_the_text_after_the_first_paragraph() {
    let code = "def run(a):\n    \"\"\"Runs.\n\n    It blocks\n    until it is done.\n\n    Args:\n        a: One. Two.\n    \"\"\"\n";
    let project = Project::with("run.py", code).and(
        "run.ts",
        "/**\n * Runs.\n *\n * It blocks.\n *\n * @param a One.\n */\nexport function run(a: number) {}\n",
    );
    let stub =
        |options: &str| run_on(&format!("--export --module run --wording full {options}"), project.path()).success();
    let python = run_on("--export --symbol run.run --docs full --wording full", project.path()).success();
    assert!(
        python.contains(
            "    \"\"\"Runs.\n    It blocks until it is done.\n    Args:\n        a: One. Two.\n    \"\"\"\n"
        ),
        "{python}"
    );
    assert!(!stub("").contains("blocks"));
    let typescript = run_on("--export --symbol run#run --docs full --wording full", project.path()).success();
    assert!(typescript.contains("/** Runs.\n * It blocks.\n * @param a One.\n */\n"), "{typescript}");
}

#[test]
fn a_parameter_with_the_default_none_accepts_none() {
    let code = "from typing import Any, Callable, Optional, Union\n\n\ndef at(when: date = None, name: 'str' = None, \
                n: Optional[int] = None, run: Callable[[int], None] = None, u: Union[int, None] = None, \
                x: Any = None, y: int | None = None, z: int = 1): ...\n";
    let stub = whole(&Project::with("at.py", code), "at");
    for line in [
        "when: date | None = None",
        "name: 'str | None' = None",
        "n: Optional[int] = None",
        "run: Callable[[int], None] | None = None",
        "u: Union[int, None] = None",
        "x: Any = None",
        "y: int | None = None",
        "z: int = 1",
    ] {
        assert!(stub.contains(line), "{line} {stub}");
    }
    assert!(is_python(&stub));
}

#[test]
fn overloads_by_the_type_of_the_receiver_say_it() {
    let code = "from typing import Generic, TypeVar, overload\n\nT = TypeVar('T')\n\n\nclass Box(Generic[T]):\n    \
                @overload\n    def total(self: 'Box[int]') -> int: ...\n    @overload\n    \
                def total(self: 'Box[str]') -> str: ...\n    def total(self): ...\n    \
                @overload\n    def get(self, at: int) -> T: ...\n    @overload\n    \
                def get(self, at: slice) -> list[T]: ...\n    def get(self, at): ...\n";
    let stub = whole(&Project::with("box.py", code), "box");
    for line in
        ["def total(self: 'Box[int]') -> int: ...", "def total(self: 'Box[str]') -> str: ...", "def get(self, at: int)"]
    {
        assert!(stub.contains(line), "{line} {stub}");
    }
    assert!(is_python(&stub));
    let short = run_on("--export --wording calls --module box", Project::with("box.py", code).path()).success();
    assert!(short.contains(" def total(self): ...\n"), "{short}");
}

/// The underscore alone does not say it.
#[test]
fn methods_that_subclasses_call_are_declared_in_the_stub_of_the_class() {
    let code = "class Base:\n    def run(self): self._own()\n    def _load(self, path): ...\n    \
                def _own(self): ...\n\n\nclass File(Base):\n    def open(self): self._load('a')\n\n\nFile().open()\n";
    let project = Project::with("base.py", code);
    let stub = run_on("--export --wording full --symbol Base", project.path()).success();
    assert!(stub.contains("    def _load(self, path): ...  # 1 call\n") && !stub.contains("_own"), "{stub}");
    assert!(!whole(&project, "base").contains("_load"));
}

#[test]
fn attributes_that_subclasses_use_are_declared_in_the_stub_of_the_class() {
    let code = "class Base:\n    _kinds: list[str] = []\n    _limit = 3\n    _unused = 1\n\n    \
                def __init__(self, size: int):\n        self._size = size\n        self._own = 1\n\n    \
                def run(self): return self._own\n\n\nclass File(Base):\n    def open(self):\n        self._limit = 4\n        \
                return self._kinds[self._size]\n\n\nFile(1).open()\n";
    let project = Project::with("base.py", code);
    let stub = run_on("--export --strategy exhaustive --wording full --symbol Base", project.path()).success();
    for line in ["    _kinds: list[str]", "    _size: int", "    _limit"] {
        assert!(stub.contains(line), "{line} {stub}");
    }
    assert!(!stub.contains("_own") && !stub.contains("_unused"), "{stub}");
    assert!(!whole(&project, "base").contains("_size"));
}

/// An element whose tag is a property that an interface of a package declares.
#[test]
fn elements_count_for_the_components_that_packages_declare() {
    let code = "import { createScope, memo } from 'view';\nconst Scope = createScope(1);\n\
                function Inner(props: { id: number }) { return <Scope.Provider value={2} depth={1} />; }\n\
                export default memo(Inner);\n";
    let declarations = "interface Exotic<P> { (props: P): any; readonly kind: symbol }\n\
                        export interface Scope<T> { Provider: Exotic<{ value: T; depth?: number }>; name?: string }\n\
                        export declare function createScope<T>(value: T): Scope<T>;\n\
                        export declare function memo<P>(component: (props: P) => any): Exotic<P>;\n";
    let project = Project::with("src/inner.tsx", code)
        .and("src/main.tsx", "import Row from './inner';\nconst row = <Row id={1} />;\n")
        .and("node_modules/view/package.json", r#"{"version": "1.0.0", "types": "index.d.ts"}"#)
        .and("node_modules/view/index.d.ts", declarations);
    let expected = [
        "view#createScope (value) view",
        "view#Scope.Provider (props) view",
        "view#memo (component) view",
        "? dynamic (props) -",
    ];
    assert_eq!(rows("", &project), expected);
    let all = run_on("calls", project.path()).success();
    assert!(all.lines().last().is_some_and(|row| row.contains(r#""through":"src/inner#default""#)), "{all}");
    let stub = run_on("--export --wording full --package view", project.path()).success();
    assert!(stub.contains("Provider(props: { value: T; depth?: number })"), "{stub}");
}
