//! Programs of a few files, and the recipes that are mined from them.

use super::*;
use apidisc_base::control::Control;
use apidisc_facts::source::{self, Source};
use apidisc_indexing::indexer;

fn source(files: &[(&str, &str)]) -> Source {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    Source::Memory { name: "m".to_owned(), files }
}

fn index_of(source: &Source) -> Index {
    indexer::build(source, &mut |_| Control::Continue).expect("files").expect("an index")
}

/// Each recipe of a program as its name, uses, files and expected failures.
fn mined(files: &[(&str, &str)]) -> Vec<String> {
    let shown = |recipe: &Recipe| {
        let Recipe { name, usage_count, files, expected_failures, .. } = recipe;
        format!("{name}: {usage_count} in {files}, {expected_failures} fail")
    };
    recipes(&index_of(&source(files))).iter().map(shown).collect()
}

/// The code of the recipe with a name.
fn code(files: &[(&str, &str)], name: &str) -> String {
    let source = source(files);
    let index = index_of(&source);
    let recipes = recipes(&index);
    let recipe = recipes.iter().find(|recipe| recipe.name == name).expect("the recipe");
    snippet(&index, recipe, &|path| source::reread(&source, path)).expect("code").code
}

const LIBRARY: (&str, &str) = (
    "lib.py",
    "class Reply:\n    def raise_for_status(self): ...\n    def json(self): ...\n\
     class Client:\n    def __init__(self, base='', timeout=1): ...\n    def __enter__(self) -> 'Client': ...\n    \
     def get(self, url, params=None) -> Reply: ...\n    def close(self): ...\n",
);

/// The recipes of the library above, used in these files after an import of it.
fn of_apps(apps: &[(&str, &str)]) -> Vec<String> {
    let apps: Vec<(&str, String)> =
        apps.iter().map(|(path, body)| (*path, format!("import pytest\nfrom lib import Client\n{body}"))).collect();
    let files: Vec<(&str, &str)> = apps.iter().map(|(path, text)| (*path, text.as_str())).chain([LIBRARY]).collect();
    mined(&files)
}

#[test]
fn an_argument_set_of_two_files_is_a_recipe() {
    let call = "Client(base='/', timeout=3)\n";
    assert_eq!(of_apps(&[("a.py", call), ("b.py", call)]), ["Client(base, timeout): 2 in 2, 0 fail"]);
    // One file may repeat itself, and a call without optional arguments says no more than the signature.
    assert!(of_apps(&[("a.py", &call.repeat(3))]).is_empty());
    assert!(of_apps(&[("a.py", "Client()\n"), ("b.py", "Client()\n")]).is_empty());
    // The example in a docstring stands in the same file.
    let example = format!("{call}\ndef f():\n    '''\n    >>> Client(base='/', timeout=3)\n    '''\n");
    assert!(of_apps(&[("a.py", &example)]).is_empty());
    // A spread may pass anything.
    assert!(of_apps(&[("a.py", "Client(timeout=1, **more)\n"), ("b.py", "Client(timeout=1, **more)\n")]).is_empty());
}

#[test]
fn calls_on_one_value_are_a_sequence() {
    let assigned = "def f(url):\n    client = Client()\n    reply = client.get(url)\n    reply.raise_for_status()\n";
    let with = "def f(url):\n    with Client() as c:\n        c.get(url).raise_for_status()\n";
    let name = "Client → Client.get → Reply.raise_for_status: 2 in 2, 0 fail";
    assert_eq!(of_apps(&[("a.py", assigned), ("b.py", with)]), [name]);
    // Two clients are two values.
    let other = "def f(url):\n    Client().get(url)\n    Client().close()\n";
    assert_eq!(
        of_apps(&[("a.py", other), ("b.py", other)]),
        ["Client → Client.close: 2 in 2, 0 fail", "Client → Client.get: 2 in 2, 0 fail"]
    );
}

#[test]
fn a_parameter_and_a_variable_of_the_module_hold_a_value() {
    let parameter = "def f(client: Client):\n    client.get('/')\n    client.close()\n";
    assert_eq!(of_apps(&[("a.py", parameter), ("b.py", parameter)]), ["Client.get → Client.close: 2 in 2, 0 fail"]);
    let module = "client = Client()\ndef f():\n    client.get('/').json()\n";
    assert_eq!(of_apps(&[("a.py", module), ("b.py", module)]), ["Client → Client.get → Reply.json: 2 in 2, 0 fail"]);
    // On two branches the variable may hold either value.
    let branches = "if x:\n    client = Client()\nelse:\n    client = Client()\nclient.close()\n";
    assert!(of_apps(&[("a.py", branches), ("b.py", branches)]).is_empty());
}

#[test]
fn a_repeated_call_is_one_step_and_a_frequent_part_has_a_recipe_of_its_own() {
    let twice = "c = Client()\nc.get('/a')\nc.get('/b').json()\n";
    assert_eq!(of_apps(&[("a.py", twice), ("b.py", twice)]), ["Client → Client.get → Reply.json: 2 in 2, 0 fail"]);
    let short = "Client().get('/')\n";
    assert_eq!(
        of_apps(&[("a.py", twice), ("b.py", twice), ("c.py", short), ("d.py", short)]),
        ["Client → Client.get: 4 in 4, 0 fail", "Client → Client.get → Reply.json: 2 in 2, 0 fail"]
    );
}

#[test]
fn a_recipe_that_differs_little_has_another_one_that_stands_for_it() {
    let apps = |bodies: &[&str]| {
        let files =
            bodies.iter().enumerate().map(|(at, body)| (format!("{at}.py"), format!("from lib import Client\n{body}")));
        let files: Vec<(String, String)> = files.collect();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain([LIBRARY]).collect();
        let variants = |recipe: &Recipe| (recipe.name.clone(), recipe.usage_count, recipe.variants);
        recipes(&index_of(&source(&files))).iter().map(variants).collect::<Vec<_>>()
    };
    // Calls in another order.
    let forth = "def f(c: Client):\n    c.get('/')\n    c.close()\n";
    let back = "def f(c: Client):\n    c.close()\n    c.get('/')\n";
    assert_eq!(apps(&[forth, forth, forth, back, back]), [("Client.get → Client.close".to_owned(), 3, 1)]);
    // The same calls after that which makes the value.
    let made = "def f():\n    c = Client()\n    c.get('/')\n    c.close()\n";
    let found = apps(&[forth, forth, forth, made, made]);
    assert_eq!(found.first(), Some(&("Client.get → Client.close".to_owned(), 5, 1)));
    assert!(found.iter().all(|(name, ..)| name != "Client → Client.get → Client.close"), "{found:?}");
    // The one call of a sequence, with the same argument each time.
    let timed = "Client(timeout=1).get('/')\n";
    assert_eq!(apps(&[timed, timed]), [("Client → Client.get".to_owned(), 2, 1)]);
    // Fewer uses of the sequence than of the call are another way of calling.
    let alone = "Client(timeout=1)\n";
    let found = apps(&[timed, timed, alone, alone]);
    assert_eq!(found, [("Client(timeout)".to_owned(), 4, 0), ("Client → Client.get".to_owned(), 2, 0)]);
    // An argument that few calls pass.
    let many = alone.repeat(40);
    let rare = "Client(timeout=1, base='/')\n".repeat(3);
    assert_eq!(apps(&[&many, &many, &rare, &rare]), [("Client(timeout)".to_owned(), 80, 1)]);
    let often = "Client(timeout=1, base='/')\n".repeat(6);
    assert_eq!(apps(&[&many, &many, &often, &often]).len(), 2);
}

#[test]
fn rest_parameters_and_calls_on_the_own_object_make_no_recipe() {
    let library = (
        "lib.py",
        "class A:\n    def f(self, *parts, deep=1): ...\n    def g(self):\n        self.f(deep=2)\n        self.f(deep=2)\n",
    );
    let all = "from lib import A\ndef h(a: A):\n    a.f(1, 2)\n";
    assert!(mined(&[library, ("a.py", all), ("b.py", all)]).is_empty());
    let more = "from lib import A\nclass B(A):\n    def g(self):\n        self.f(deep=1)\n";
    assert!(mined(&[library, ("a.py", more), ("b.py", more)]).is_empty());
    // A class of a user calls an inherited method.
    let examples = [library, ("examples/a.py", more), ("examples/b.py", more)];
    assert_eq!(mined(&examples), ["A.f(deep): 2 in 2, 0 fail"]);
}

#[test]
fn calls_that_are_expected_to_fail_count_against_a_recipe() {
    let call = "Client(timeout=0)\n";
    let raises = "with pytest.raises(ValueError):\n    Client(timeout=-1)\n";
    assert_eq!(of_apps(&[("a.py", call), ("test_b.py", raises)]), ["Client(timeout): 2 in 2, 1 fail"]);
    let lambda = "pytest.raises(ValueError, lambda: Client(timeout=-1))\n";
    let unittest = "def f(self):\n    with self.assertRaises(ValueError), open(x):\n        Client(timeout=-1)\n";
    assert_eq!(of_apps(&[("test_a.py", lambda), ("test_b.py", unittest)]), ["Client(timeout): 2 in 2, 2 fail"]);
    // The first argument is the error, and other arguments than lambdas are evaluated before it is expected.
    for works in [
        "pytest.raises(Client(timeout=1))\n",
        "with pytest.raises(E, match=Client(timeout=1)):\n    pass\n",
        "pytest.raises(E, f, Client(timeout=1))\n",
    ] {
        assert_eq!(of_apps(&[("test_a.py", works), ("b.py", call)]), ["Client(timeout): 2 in 2, 0 fail"], "{works}");
    }
    // A call after the block, and a call in a block that only suppresses errors, is not expected to fail.
    let after = "with pytest.raises(ValueError):\n    pass\nClient(timeout=1)\n";
    let suppressed = "import contextlib\nwith contextlib.suppress(ValueError):\n    Client(timeout=1)\n";
    assert_eq!(of_apps(&[("test_a.py", after), ("b.py", suppressed)]), ["Client(timeout): 2 in 2, 0 fail"]);
}

#[test]
fn uses_that_are_expected_to_fail_or_deprecated_are_no_successes() {
    let library = ("lib.py", "def f(a=1): ...\ndef g(a=1):\n    \"\"\"Old.\n\n    .. deprecated:: 2\n    \"\"\"\n");
    let app = ("app.py", "from lib import f, g\nf(a=1)\nf(a=2)\nf(a=3)\ng(a=1)\n");
    let test = ("test_a.py", "import pytest\nfrom lib import f, g\ng(a=2)\nwith pytest.raises(E):\n    f(a='')\n");
    let index = index_of(&source(&[library, app, test]));
    let of_uses = |recipe: &Recipe| (recipe.name.clone(), recipe.successes(), recipe.usage_count);
    let successes: Vec<_> = recipes(&index).iter().map(of_uses).collect();
    assert_eq!(successes, [("f(a)".to_owned(), 3, 4), ("g(a)".to_owned(), 0, 2)]);
}

const MODULE: (&str, &str) = (
    "lib.ts",
    "export class Reply { json() {} }\nexport class Client {\n  constructor(options?: { base?: string }) {}\n  \
     async get(url: string): Promise<Reply> { return new Reply() }\n  close() {}\n}\n\
     export class Text { min(n: number): Text { return this } max(n: number): Text { return this } }\n\
     export function text(): Text { return new Text() }\n",
);

/// The recipes of the module above, used in these files after an import of it.
fn of_modules(apps: &[(&str, &str)]) -> Vec<String> {
    let import = "import { Client, text } from './lib'\n";
    let apps: Vec<(&str, String)> = apps.iter().map(|(path, body)| (*path, format!("{import}{body}"))).collect();
    let files: Vec<(&str, &str)> = apps.iter().map(|(path, text)| (*path, text.as_str())).chain([MODULE]).collect();
    mined(&files)
}

#[test]
fn typescript_has_values_and_chains() {
    let assigned = "async function f() {\n  const client = new Client()\n  const reply = await client.get('/')\n  \
                    reply!.json()\n}\n";
    let name = "Client → Client.get → Reply.json: 2 in 2, 0 fail";
    assert_eq!(of_modules(&[("a.ts", assigned), ("b.ts", assigned)]), [name]);
    let chain = "text().min(1).max(2)\n";
    let name = "text → Text.min → Text.max: 2 in 2, 0 fail";
    assert_eq!(of_modules(&[("a.ts", chain), ("b.ts", chain)]), [name]);
    let parameter = "export function f(client: Client) { client.get('/'); client.close() }\n";
    let name = "Client.get → Client.close: 2 in 2, 0 fail";
    assert_eq!(of_modules(&[("a.ts", parameter), ("b.ts", parameter)]), [name]);
    // A variable may be assigned to again.
    let variable = "let client = new Client()\nclient = other\nclient.close()\n";
    assert!(of_modules(&[("a.ts", variable), ("b.ts", variable)]).is_empty());
}

#[test]
fn typescript_tests_expect_errors() {
    let option = "new Client({ base: '/' })\n";
    let fails = |test: &str| {
        let found = of_modules(&[("a.ts", option), ("b.test.ts", test)]);
        found.iter().map(|recipe| recipe.contains("1 fail")).collect::<Vec<_>>()
    };
    for test in [
        "expect(() => new Client({ base: '' })).toThrow()\n",
        "expect(() => { new Client({ base: '' }) }).to.throw(Error)\n",
        "await expect(Promise.resolve(new Client({ base: '' }))).rejects.toThrowError('x')\n",
        "assert.throws(() => new Client({ base: '' }), /x/)\n",
        "t.rejects(async () => new Client({ base: '' }))\n",
    ] {
        assert_eq!(fails(test), [true], "{test}");
    }
    for test in [
        "expect(() => new Client({ base: '' })).not.toThrow()\n",
        "expect(new Client({ base: '' })).toBe(1)\n",
        "promise.throws(() => new Client({ base: '' }))\n",
        "expect(() => f()).toThrow()\nnew Client({ base: '' })\n",
        "assert.throws(() => f(), new Client({ base: '/' }))\n",
        "await assert.rejects(f(), { cause: new Client({ base: '/' }) })\n",
        "assertThrows(f, new Client({ base: '/' }))\n",
        "expect(() => f()).toThrow(new Client({ base: '/' }))\n",
        "await expect(f()).rejects.toThrow(new Client({ base: '/' }))\n",
    ] {
        assert_eq!(fails(test), [false], "{test}");
    }
}

#[test]
fn the_code_of_a_recipe_has_its_imports_and_statements() {
    let test = "from lib import Client\ndef test_it(url):\n    client = Client()\n    reply = client.get(url)\n    \
                assert reply.raise_for_status() is None\n";
    let with = "from lib import Client\ndef f():\n    with Client() as client:\n        client.get('/')\\\n            \
                .raise_for_status()\n";
    let name = "Client → Client.get → Reply.raise_for_status";
    let of_test = code(&[LIBRARY, ("test_a.py", test), ("test_b.py", test)], name);
    let lines = "from lib import Client\nclient = Client()\nreply = client.get(url)\nreply.raise_for_status()";
    assert_eq!(of_test, lines);
    // The library's own code teaches better than its tests.
    let with = with.replace("\\\n            ", "");
    let of_with = code(&[LIBRARY, ("test_a.py", test), ("b.py", &with)], name);
    assert_eq!(of_with, "from lib import Client\nwith Client() as client:\n    client.get('/').raise_for_status()");
}

#[test]
fn the_code_of_a_recipe_binds_its_names() {
    let library = ("kit/__init__.py", "from kit.client import Client\n");
    let inner = "class Client:\n    def __init__(self, base=None): ...\nclass Pool:\n    def open(self):\n        self.c = Client(base=1)\n";
    let client = ("kit/client.py", inner);
    // A document shows calls without their imports.
    let page = ("docs/a.md", "```python\nimport kit\n```\n\n```python\nkit.Client(base='/')\n```\n");
    let name = "Client(base)";
    assert_eq!(code(&[library, client, page], name), "import kit\nkit.Client(base='/')");
    // A test that binds its names is better to copy than the library's own call on its own object.
    let test = ("tests/test_a.py", "import kit.client\nimport kit\ndef test_a():\n    kit.Client(base='/')\n");
    assert_eq!(code(&[library, client, test], name), "import kit\nkit.Client(base='/')");
    let declared = "import { Client } from './lib'\nlet c: Client\nfunction f() {\n  c.get('/')\n  c.close()\n}\n";
    let bound =
        "import { Client } from './lib'\nconst client: Client = new Client()\nclient.get('/long')\nclient.close()\n";
    let code = code(&[MODULE, ("a.ts", declared), ("b.ts", bound)], "Client.get → Client.close");
    assert!(code.ends_with("const client: Client = new Client()\nclient.get('/long')\nclient.close()"), "{code}");
}

#[test]
fn a_call_on_the_parameter_of_a_callback_is_shown_with_the_callback() {
    let library = (
        "lib.ts",
        "export class Context { text(body: string, status?: number) {} }\nexport class App {\n  \
         get(path: string, handler: (c: Context) => void): App { return this }\n}\n",
    );
    let short = "import { App } from './lib'\nconst app = new App()\napp.get('/', (c) => {\n  c.text('a', 200)\n})\n";
    let shown = code(&[library, ("a.ts", short), ("b.ts", short)], "Context.text(body, status)");
    assert!(shown.ends_with("const app = new App()\napp.get('/', (c) => {\n  c.text('a', 200)\n})"), "{shown}");
}

#[test]
fn the_code_of_a_recipe_shows_no_character_without_a_shape() {
    let app = "from lib import Client\nClient(base='\u{202e}')\n";
    let shown = code(&[LIBRARY, ("a.py", app), ("b.py", app)], "Client(base)");
    assert_eq!(shown, "from lib import Client\nClient(base='\\u{202e}')");
}

#[test]
fn related_definitions_stand_before_and_after_in_several_functions() {
    let app = "from lib import Client\ndef f():\n    client = Client()\n    r = client.get('/')\n    r.json()\n    \
               client.close()\n";
    let index = index_of(&source(&[LIBRARY, ("a.py", app), ("b.py", app)]));
    let find = |fqn: &str| index.definitions_with_ids().find(|(_, d)| d.fqn == fqn).expect("the definition").0;
    let names = |ids: &[DefinitionId]| ids.iter().map(|&id| index.definition(id).name.to_string()).collect::<Vec<_>>();
    let CallsAround { often_before, often_after } = related(&index, find("lib.Client.get"));
    assert_eq!(
        (names(&often_before), names(&often_after)),
        (vec!["Client".into()], vec!["close".into(), "json".into()])
    );
    // One function is no habit.
    let index = index_of(&source(&[LIBRARY, ("a.py", app)]));
    assert_eq!(related(&index, find("lib.Client.get")), CallsAround::default());
}

#[test]
fn a_place_in_a_large_file_is_quoted_only_if_there_is_no_other() {
    let call = |name: &str| format!("from lib import Client\n\nClient(base='{name}', timeout=2)\n");
    let large = |name: &str| call(name) + &"x = 1  # long\n".repeat(6_000);
    let name = "Client(base, timeout)";
    let quoted = |a: &str, b: &str| code(&[LIBRARY, ("examples/a.py", a), ("examples/b.py", b)], name);
    assert!(quoted(&large("first"), &call("second")).contains("base='second'"));
    assert!(quoted(&call("first"), &large("second")).contains("base='first'"));
    assert!(quoted(&(large("first") + "y = 2\n"), &large("second")).contains("base='second'"));
}
