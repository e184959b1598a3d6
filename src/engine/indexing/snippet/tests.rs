//! Examples of calls, as they would be copied.

use super::{CodeText, ExampleImport, QuotedCode, documentation, example};
use apidisc_base::language::Language;
use apidisc_facts::source::SourceText;

/// The example of the call whose callee's name begins at the mark `‸`: its imports, its lines, and the names that come
/// from elsewhere.
#[track_caller]
fn check(path: &str, language: Language, code: &str, expected: &str) {
    let name = code.find('‸').expect("a mark");
    let found = example(&code.replace('‸', ""), path, language, name).expect("an example");
    let mut lines = ExampleImport::lines(&found.imports, language);
    lines.extend(found.lines);
    for (word, names) in [("given", &found.given), ("unbound", &found.unbound)] {
        lines.extend((!names.is_empty()).then(|| format!("({word}: {})", names.join(" "))));
    }
    assert_eq!(lines.join("\n"), expected.trim_matches('\n'));
}

#[track_caller]
fn python(code: &str, expected: &str) {
    check("a.py", Language::Python, code, expected);
}

#[track_caller]
fn typescript(code: &str, expected: &str) {
    check("a.ts", Language::TypeScript, code, expected);
}

#[test]
fn an_example_binds_the_names_of_the_call() {
    python(
        "import os\nimport httpx\nfrom a import b as c, d\n\nurl = c('x')\nother = 1\nclient = httpx.Client()\nr = client.‸get(url)\n",
        "import httpx\nfrom a import b as c\nurl = c('x')\nclient = httpx.Client()\nr = client.get(url)",
    );
    typescript(
        "import { z } from 'zod';\nimport fs from 'fs';\nconst shape = { a: z.string() };\nexport const s = z.‸object(shape).strict();\n",
        "import { z } from \"zod\"\nconst shape = { a: z.string() };\nexport const s = z.object(shape).strict();",
    );
    typescript(
        "const { program: p, a } = require('commander');\np.‸option('-x');\n",
        "import { program as p } from \"commander\"\np.option('-x');",
    );
}

#[test]
fn the_nearest_binding_before_the_call_counts() {
    python("x = 1\nx = 2\n‸f(x)\nx = 3\n", "x = 2\nf(x)\n(unbound: f)");
    python("a, b = 1, 2\nc.x = 3\n‸f(a, b, c)\n", "a, b = 1, 2\nf(a, b, c)\n(unbound: f c)");
}

#[test]
fn a_with_statement_around_the_call_stays_around_it() {
    python(
        "import m\ndef test():\n    with m.open('a') as f, lock:\n        n = 1\n        print(n)\n        f.‸write(n)\n",
        "import m\nwith m.open('a') as f, lock:\n    n = 1\n    f.write(n)\n(unbound: lock)",
    );
}

#[test]
fn only_the_call_is_shown_of_a_statement_about_something_else() {
    python("from m import f\ndef test():\n    assert ‸f(1) == 2\n", "from m import f\nf(1)");
    python("async def g(c):\n    return await c.‸get(1)\n", "await c.get(1)\n(given: c)");
    typescript(
        "import { f } from 'm';\ntest('x', () => { expect(‸f(1)).toBe(2) });\n",
        "import { f } from \"m\"\nf(1)",
    );
}

#[test]
fn a_decorator_is_shown_with_the_decorated_definition() {
    python(
        "import click\n\n@click.‸command()\n@click.option('--n', default=1)\ndef hello(n):\n    click.echo(n)\n",
        "import click\n@click.command()\n@click.option('--n', default=1)\ndef hello(n):\n    click.echo(n)",
    );
    let body = "    pass\n".repeat(30);
    python(&format!("import a\n@a.‸b()\ndef f():\n{body}"), "import a\n@a.b()\ndef f():\n    ...");
}

#[test]
fn a_field_is_shown_in_its_class() {
    python(
        "from attrs import define, field\n\n@define\nclass A:\n    x: int = ‸field(default=1)\n",
        "from attrs import define, field\n@define\nclass A:\n    x: int = field(default=1)",
    );
}

#[test]
fn names_that_functions_around_the_call_bind_are_listed() {
    python(
        "def g(url, *, c):\n    def h():\n        return c.‸get(url, k=k)\n",
        "c.get(url, k=k)\n(given: c url)\n(unbound: k)",
    );
    python("class A:\n    def g(self):\n        self.‸h(1)\n", "self.h(1)\n(given: self)");
    typescript("const g = ({ a }, b) => h(() => a.‸f(b, c => c));\n", "a.f(b, c => c)\n(given: a b)");
    typescript("for (const x of [1]) {\n  x.‸f();\n}\n", "x.f();\n(given: x)");
}

#[test]
fn names_that_the_piece_binds_itself_are_not_looked_for() {
    python("‸f([x for x in y], lambda z: z, k=v)\n", "f([x for x in y], lambda z: z, k=v)\n(unbound: f y v)");
    typescript(
        "‸create((set, { get }) => ({ a: 1, inc() { set(get) } }))\n",
        "create((set, { get }) => ({ a: 1, inc() { set(get) } }))\n(unbound: create)",
    );
}

#[test]
fn elements_are_calls() {
    check(
        "a.tsx",
        Language::TypeScript,
        "import { Button } from './b';\nconst A = () => { return <div><‸Button kind=\"x\"><b/></Button></div> };\n",
        "import { Button } from \"./b\"\n<Button kind=\"x\"><b/></Button>",
    );
}

#[test]
fn hard_code_is_left_out() {
    assert_eq!(example("x = 1\n", "a.py", Language::Python, 0), None);
    assert_eq!(example("", "a.py", Language::Python, 9), None);
    assert_eq!(example(&"f(".repeat(50_000), "a.py", Language::Python, 0), None);
    let deep = format!("{}{}\n", "f(".repeat(900), ")".repeat(900));
    assert_eq!(example(&deep, "a.py", Language::Python, 0).map(|found| found.lines.len()), Some(1));
    let long = format!("x = [\n{}]\nf(x)\n", "1,\n".repeat(99));
    let found = example(&long, "a.py", Language::Python, long.len() - 5).expect("an example");
    assert_eq!((found.lines, found.unbound), (vec!["f(x)".to_owned()], vec!["f".into(), "x".into()]));
}

#[test]
fn code_in_documents_leans_on_the_blocks_before_it() {
    let page = "# T\n\n```python\nimport m\n```\n\ntext\n\n```python\n>>> m.f(1)\n```\n";
    let quoted = QuotedCode::new("a.md", page, Language::Python);
    let place = quoted.offset(10, 6).expect("a block");
    assert_eq!((quoted.text.as_str(), &quoted.text[place..=place]), ("import m\nm.f(1)\n", "f"));
    assert_eq!(quoted.offset(7, 0), None);
    let docstring = "def f():\n    '''F.\n\n    >>> f()\n    '''\n";
    let quoted = QuotedCode::new("a.py", docstring, Language::Python);
    assert_eq!((quoted.text.as_str(), quoted.offset(4, 8)), ("f()\n", Some(0)));
}

#[test]
fn documentation_is_read_as_it_is_written() {
    let python =
        |code: &str, line| documentation(code, "a.py", Language::Python, line, "f").map(|lines| lines.join("|"));
    let function = "@d\ndef f():\n    \"\"\"Does.\n\n    Args:\n        a: One.\n    \"\"\"\n";
    assert_eq!(python(function, 2).as_deref(), Some("Does.||Args:|    a: One."));
    let class = "class f:\n    def g(self): 'No.'\n    def __init__(self):\n        'Makes.'\n";
    assert_eq!(python(class, 1).as_deref(), Some("Makes."));
    assert_eq!(python("class A:\n    f: int = 1\n    'One.'\n", 2).as_deref(), Some("One."));
    for other in [
        "def f():\n    return 'x'\n",
        "f = 1\n",
        "",
        "def g():\n    'x'\n",
        "class f:\n    def g(self):\n        'x'\n",
    ] {
        assert_eq!(python(other, 1), None, "{other}");
    }
    let typescript =
        |code: &str, line| documentation(code, "a.ts", Language::TypeScript, line, "f").map(|lines| lines.join("|"));
    assert_eq!(
        typescript("/**\n * Does.\n *\n *   more\n * @param a One.\n */\nexport const f = (a) => a;\n", 7).as_deref(),
        Some("Does.||  more|@param a One.")
    );
    assert_eq!(typescript("class A {\n  /** Does. */\n  @d()\n  async f() {}\n}\n", 4).as_deref(), Some("Does."));
    assert_eq!(typescript("/** Other. */\nfunction g() {}\nfunction f() {}\n", 3), None);
    assert_eq!(typescript("// no\nfunction f() {}\n", 2), None);
    let long = format!("def f():\n    \"\"\"{}\"\"\"\n", "word \n    ".repeat(100_000));
    assert_eq!(
        documentation(&long, "a.py", Language::Python, 1, "f").map(|lines| lines.len()),
        Some(super::docs::MAX_LINES)
    );
}

#[test]
fn guards_stay_between_a_binding_and_its_use() {
    typescript(
        "import { load } from 'x';\nconst job = load();\nif (!job) throw new Error('none');\njob.‸run(1);\n",
        "import { load } from \"x\"\nconst job = load();\nif (!job) throw new Error('none');\njob.run(1);",
    );
    python(
        "import x\njob = x.load()\nif job is None:\n    raise SystemExit(1)\nassert job.is_open\nother()\njob.‸run(1)\n",
        "import x\njob = x.load()\nif job is None:\n    raise SystemExit(1)\nassert job.is_open\njob.run(1)",
    );
}

/// A guard that ends a function is no part of an example, which stands outside of functions.
#[test]
fn guards_that_an_example_lacks_are_counted() {
    let unguarded = |path: &str, language: Language, code: &str| {
        let name = code.find('‸').expect("a mark");
        example(&code.replace('‸', ""), path, language, name).expect("an example").unguarded
    };
    let typescript = |code: &str| unguarded("a.ts", Language::TypeScript, code);
    assert_eq!(typescript("function f() { const job = load(); if (!job) return; job.‸run(1); }"), 1);
    assert_eq!(typescript("function f() { const job = load(); if (job) { job.‸run(1); } }"), 1);
    assert_eq!(typescript("function f() { const job = load(); if (other) return; job.‸run(1); }"), 0);
    let python = |code: &str| unguarded("a.py", Language::Python, code);
    assert_eq!(python("def f():\n    job = load()\n    if not job:\n        return\n    job.‸run(1)\n"), 1);
    assert_eq!(python("job = load()\nif job:\n    job.‸run(1)\n"), 1);
}

#[test]
fn a_default_is_evaluated_outside_of_its_function_and_a_parameter_is_bound_inside() {
    let named = |path: &str, language, code: &str| -> String {
        let text = SourceText { source: code.to_owned(), lines: None };
        let code = CodeText::new(path, text, language, false);
        ["a", "b", "c", "d", "e", "f"].into_iter().filter(|name| code.names_at_top(name)).collect()
    };
    let python = "def run(a, b: int = c, *d):\n    e = 1\nx.f = run(a=1)\n";
    assert_eq!(named("m.py", Language::Python, python), "c");
    let typescript = "const x = (a: number, b = c) => { let d = 1; };\nx.e = { f: 1 };\n";
    assert_eq!(named("m.ts", Language::TypeScript, typescript), "c");
}
