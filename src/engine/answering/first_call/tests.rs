//! First calls as they would be copied.

use super::first_call;
use apidisc_base::control::Control;
use apidisc_facts::source::{self, Source};
use apidisc_indexing::indexer;

/// The first call of the definition called `fqn` in a program of some files: its lines, and the names that the reader
/// provides on a line of their own.
#[track_caller]
fn check(files: &[(&str, &str)], fqn: &str, expected: &[&str]) {
    check_with(files, fqn, expected, true);
}

/// [`check`]. Without sources, as for an index that was read from a file, the code is that of the typical call.
#[track_caller]
fn check_with(files: &[(&str, &str)], fqn: &str, expected: &[&str], has_sources: bool) {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
    let id = index.definition_of(fqn).expect("the definition");
    let read = |path: &str| source::reread(&source, path).filter(|_| has_sources);
    let found = first_call(&index, id, &index.typical_calls(id), &read);
    let provided = Some(found.you_provide.join(" ")).filter(|names| !names.is_empty());
    let lines = [found.imports, found.setup, found.call].concat();
    let lines: Vec<String> = lines.into_iter().chain(provided.map(|names| format!("({names})"))).collect();
    assert_eq!(lines, expected);
}

#[test]
fn a_variable_that_is_only_declared_is_made_by_its_class() {
    let files = [
        ("model.ts", "export class Model {\n  toggle(id: number) {}\n}\n"),
        (
            "model.spec.ts",
            "import { Model } from './model'\n\ndescribe('toggle', () => {\n  let model: Model\n  \
             beforeEach(() => {\n    model = new Model()\n  })\n  it('works', () => {\n    \
             model.toggle(7)\n  })\n})\n",
        ),
    ];
    let expected = ["import { Model } from \"./model\"", "const model = new Model()", "model.toggle(7)"];
    check(&files, "model#Model.toggle", &expected);
}

#[test]
fn dots_in_place_of_a_value_are_left_to_the_reader() {
    let files = [
        ("shop.py", "class Cart:\n    def __init__(self, owner): ...\n"),
        ("README.md", "```python\nfrom shop import Cart\n\nowner = ...\ncart = Cart(owner)\n```\n"),
    ];
    check(&files, "shop.Cart", &["from shop import Cart", "cart = Cart(owner)", "(owner)"]);
}

#[test]
fn code_that_calls_the_base_class_is_no_program() {
    let files = [
        ("mail.py", "def pack(state, level): ...\n"),
        (
            "box.py",
            "from mail import pack\n\nclass Box(dict):\n    def save(self):\n        \
             state = super().save()\n        pack(state, 3)\n",
        ),
    ];
    check(&files, "mail.pack", &["from mail import pack", "pack(state, level)", "(state level)"]);
}

#[test]
fn the_annotations_of_a_decorated_function_are_imported() {
    let files = [
        ("web.py", "def route(path): ...\n"),
        (
            "app.py",
            &("from kit import Query\nfrom web import route\n\n@route('/a')\ndef page(query: Query) -> Query:\n"
                .to_owned()
                + &"    print(query)\n".repeat(20)),
        ),
    ];
    let expected = [
        "from web import route",
        "from kit import Query",
        "@route('/a')",
        "def page(query: Query) -> Query:",
        "    ...",
    ];
    check(&files, "web.route", &expected);
}

#[test]
fn the_children_of_a_long_element_are_left_to_the_reader() {
    let children = "      <p>\n        {texts.one}\n      </p>\n".repeat(4);
    let page = format!(
        "import {{ Card }} from './card'\n\nexport function Page({{ texts }}) {{\n  return (\n    \
         <Card title=\"news\">\n{children}    </Card>\n  )\n}}\n"
    );
    let files = [
        ("card.tsx", "export function Card(props: { title: string; children: any }) {\n  return <div />\n}\n"),
        ("page.tsx", &page),
    ];
    let expected =
        ["import { Card } from \"./card\"", "<Card title=\"news\">", "    {children}", "</Card>", "(children)"];
    check(&files, "card#Card", &expected);
}

#[test]
fn a_file_whose_ending_decides_its_module_is_imported_with_the_ending() {
    let files = [
        ("package.json", "{ \"name\": \"tools\", \"private\": true }"),
        ("build/lib.mts", "export function pack(level: number) {}\n"),
        ("build/main.mts", "import { pack } from './lib.mjs'\n\npack(9)\n"),
    ];
    check(&files, "build/lib#pack", &["import { pack } from \"./build/lib.mjs\"", "pack(9)"]);
}

#[test]
fn what_a_function_binds_by_long_code_is_not_imported_from_another_module() {
    let long = "      0,\n".repeat(12);
    let test = format!(
        "import {{ draw }} from './draw'\n\nit('draws', () => {{\n  const line = make([\n{long}  ])\n  draw(line)\n}})\n"
    );
    let files = [
        ("shapes/package.json", "{ \"name\": \"@acme/shapes\", \"main\": \"index.ts\" }"),
        ("shapes/index.ts", "export function line(a: number) {}\n"),
        ("draw.ts", "export function draw(shape: object) {}\n"),
        ("draw.spec.ts", &test),
    ];
    check(&files, "draw#draw", &["import { draw } from \"./draw\"", "draw(line)", "(line)"]);
}

#[test]
fn a_quoted_call_keeps_the_imports_of_its_arguments() {
    let library = "class Probe:\n    def __init__(self, pin): ...\n\nclass Mast:\n    def __init__(self, name): ...\n    \
                   def add(self, probe): ...\n";
    let files = [
        ("field.py", library),
        ("app.py", "from field import Mast, Probe\n\nmast = Mast('a')\nmast.add(Probe(pin=3))\n"),
    ];
    let expected = ["from field import Probe, Mast", "mast = Mast('a')", "mast.add(Probe(pin=3))"];
    check_with(&files, "field.Mast.add", &expected, false);
}

#[test]
fn code_of_earlier_versions_comes_last() {
    let files = [
        ("kit.py", "def cut(cloth, size): ...\n"),
        ("CHANGELOG.md", "```python\nfrom kit import cut\ncut('silk')\n```\n"),
        ("shop.py", "from kit import cut\n\ncut('linen', 40)\n"),
    ];
    check(&files, "kit.cut", &["from kit import cut", "cut('linen', 40)"]);
}

#[test]
fn a_namespace_import_names_the_module_that_offers_its_members() {
    let files = [
        ("package.json", r#"{"name": "jobs", "exports": {".": "./src/index.ts"}}"#),
        ("src/index.ts", "export * from './lib';\n"),
        (
            "src/lib.ts",
            "export class Job { run(n: number) {} }\nexport function load(id: string): Job { return new Job(); }\n",
        ),
        ("examples/a.ts", "import * as lib from '../src/lib';\nconst job = lib.load('a');\njob.run(1);\n"),
    ];
    let expected = ["import * as lib from \"jobs\"", "const job = lib.load('a');", "job.run(1);"];
    check(&files, "src/lib#Job.run", &expected);
    let files = [
        ("jobs/__init__.py", ""),
        ("jobs/core.py", "def load(id: str): ...\n"),
        ("jobs/run.py", "from . import core\n\ncore.load('a')\n"),
    ];
    check(&files, "jobs.core.load", &["from jobs import core", "core.load('a')"]);
}

#[test]
fn a_call_behind_a_guard_that_cannot_be_shown_comes_last() {
    let files = [
        (
            "jobs.py",
            "class Job:\n    def stop(self, now=False): ...\ndef load(id: str) -> Job | None: ...\ndef make() -> Job: ...\n",
        ),
        (
            "main.py",
            "import jobs\n\n\ndef a():\n    j = jobs.load('a')\n    if not j:\n        return\n    j.stop()\n\n\n\
             def b():\n    made_job = jobs.make()\n    made_job.stop(now=True)\n",
        ),
    ];
    check(&files, "jobs.Job.stop", &["import jobs", "made_job = jobs.make()", "made_job.stop(now=True)"]);
}

#[test]
fn code_that_hides_errors_from_type_checkers_comes_last() {
    let files = [
        ("shop.py", "class Item:\n    def __init__(self, name: str, size: int): ...\n"),
        (
            "tests/test_shop.py",
            "from shop import Item\n\ndef test_none():\n    Item(None, 1)  # type: ignore[arg-type]\n\n\
             def test_long():\n    Item('a long name', 100)\n",
        ),
    ];
    check(&files, "shop.Item", &["from shop import Item", "Item('a long name', 100)"]);
    let files = [
        ("shop.ts", "export function pack(name: string) {}\n"),
        (
            "shop.test.ts",
            "import { pack } from './shop'\n// @ts-expect-error\npack(1)\nexport const a = pack('a long name')\n",
        ),
    ];
    let expected = ["import { pack } from \"./shop\"", "export const a = pack('a long name')"];
    check(&files, "shop#pack", &expected);
}

#[test]
fn what_a_file_loads_by_its_path_is_loaded_from_the_root() {
    let files = [
        (".web/kit.ts", "export function load(what: () => unknown) {}\n"),
        (".web/plugins/map.ts", "export default 1\n"),
        (".web/main/start.ts", "import { load } from '../kit'\nload(() => import('../plugins/map.ts'))\n"),
    ];
    let expected = ["import { load } from \"./.web/kit\"", "load(() => import('./.web/plugins/map.ts'))"];
    check(&files, ".web/kit#load", &expected);
}

#[test]
fn a_value_that_a_condition_tests_may_be_missing() {
    let files = [
        (
            "store.ts",
            "export function find(id: number) { return null as string | null }\nexport function use(s: string) {}\n",
        ),
        (
            "app.ts",
            "import { find, use } from './store'\nexport function a(id: number) {\n  const s = find(1)\n  \
             return s && use(s)\n}\nexport const given = 'a long, long, long text'\nuse(given)\n",
        ),
    ];
    let expected = ["import { use } from \"./store\"", "export const given = 'a long, long, long text'", "use(given)"];
    check(&files, "store#use", &expected);
}

#[test]
fn a_guard_that_ends_the_process_is_kept() {
    let files = [
        ("store.py", "def find(key): ...\ndef use(value): ...\n"),
        (
            "app.py",
            "import sys\nfrom store import find, use\n\ndef main():\n    value = find('a')\n    if not value:\n        \
             sys.exit(1)\n    use(value)\n",
        ),
    ];
    let expected = [
        "from store import use, find",
        "import sys",
        "value = find('a')",
        "if not value:",
        "    sys.exit(1)",
        "use(value)",
    ];
    check(&files, "store.use", &expected);
}

#[test]
fn each_value_of_a_name_that_is_assigned_again_is_shown() {
    let files = [
        ("paths.py", "def clean(path): ...\ndef join(parts): ...\n"),
        (
            "app.py",
            "from paths import clean, join\n\ndef main():\n    path = clean('a/b')\n    parts = path.split('/')\n    \
             path = '/'.join(parts)\n    join(path)\n",
        ),
    ];
    let expected = [
        "from paths import join, clean",
        "path = clean('a/b')",
        "parts = path.split('/')",
        "path = '/'.join(parts)",
        "join(path)",
    ];
    check(&files, "paths.join", &expected);
}

#[test]
fn a_class_that_is_extended_more_often_than_called_is_extended() {
    let form = "class Form:\n    def validate(self): ...\n\n\nclass Text:\n    def __init__(self, label): ...\n";
    let document = "```python\nfrom forms import Form, Text\n\nclass Login(Form):\n    name = Text('Name')\n```\n";
    let tests = "from forms import Form\n\ndef test():\n    class F(Form):\n        pass\n    Form()\n";
    let files = [("forms.py", form), ("README.md", document), ("tests/test_forms.py", tests)];
    let expected = ["from forms import Form, Text", "class Login(Form):", "    name = Text('Name')"];
    check(&files, "forms.Form", &expected);
    let plain = [("forms.py", form), ("tests/test_forms.py", "from forms import Form\n\nForm()\n")];
    check(&plain, "forms.Form", &["from forms import Form", "Form()"]);
}

#[test]
fn an_abstract_class_of_typescript_is_extended() {
    let files = [
        ("job.ts", "export abstract class Job {\n  abstract run(): void\n}\n"),
        (
            "examples/mail.ts",
            "import { Job } from '../job'\n\nexport class Mail extends Job {\n  run() {\n    console.log(1)\n  }\n}\n",
        ),
    ];
    let expected = [
        "import { Job } from \"./job\"",
        "export class Mail extends Job {",
        "  run() {",
        "    console.log(1)",
        "  }",
        "}",
    ];
    check(&files, "job#Job", &expected);
}
