//! Axes of Python programs.

use std::fmt::Write as _;

use crate::work::{Files, assert_linear};

/// Asserts that the work grows as the number of repetitions in one file: `head`, then `level` for each level from 1
/// with `{i}`, `{p}` (the level before) and `{h}` (half of the level) replaced, then `tail` with `{i}` replaced by the
/// last level.
fn assert_linear_levels(size: usize, head: &str, level: &str, tail: &str) {
    assert_linear(size, |size| vec![("a.py".to_owned(), levels(size, head, level, tail))]);
}

fn levels(size: usize, head: &str, level: &str, tail: &str) -> String {
    let mut text = format!("{head}\n");
    for i in 1..=size {
        let level = level.replace("{i}", &i.to_string()).replace("{p}", &(i - 1).to_string());
        let _ = writeln!(text, "{}", level.replace("{h}", &(i / 2).to_string()));
    }
    text + &tail.replace("{i}", &size.to_string()) + "\n"
}

macro_rules! linear {
    ($($name:ident($size:expr): $head:expr, $level:expr, $tail:expr;)+) => {
        $(#[test]
        fn $name() {
            assert_linear_levels($size, $head, $level, $tail);
        })+
    };
}

linear! {
    functions_that_call_the_one_before(1_000): "def f0(): return 1", "def f{i}(): return f{p}()", "f{i}().m()";
    functions_that_return_the_call_of_a_later_one(1_000): "", "def f{p}(): return f{i}()", "def f{i}(): return 1\nf0().m()";
    a_chain_of_classes(1_000): "class C0:\n    def m(self): ...", "class C{i}(C{p}): ...", "C{i}().m()\nC{i}(a=1)";
    a_chain_of_classes_base_last(1_000): "", "class C{p}(C{i}): ...", "class C{i}:\n    def m(self): ...\nC0().m()";
    a_chain_of_classes_with_methods(500): "class C0:\n    def m0(self): ...",
        "class C{i}(C{p}):\n    def m{i}(self): return self.m{p}()", "C{i}().m0()\nC{i}().nothing()";
    a_chain_of_constructors(500): "class C0:\n    def __init__(self, a0, **kw): ...",
        "class C{i}(C{p}):\n    def __init__(self, a{i}, **kw): super().__init__(a{p}=a{i}, **kw)", "C{i}(a{i}=1)";
    a_chain_of_inherited_constructors(500): "class C0:\n    def __init__(self, a, b=1): ...", "class C{i}(C{p}): x = 1\nC{i}(1, b=2)", "";
    a_chain_of_dataclasses(250): "from dataclasses import dataclass\n@dataclass\nclass C0:\n    a0: int",
        "@dataclass\nclass C{i}(C{p}):\n    a{i}: int = 1", "C{i}(1, a1=2)";
    a_chain_of_models(250): "from pydantic import BaseModel\nclass C0(BaseModel):\n    a0: int",
        "class C{i}(C{p}):\n    a{i}: int = 1", "C{i}(a1=2)";
    a_chain_of_generic_classes(600): "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass C0(Generic[T]):\n    def m(self) -> T: ...",
        "class C{i}(C{p}[T]): ...", "C{i}[int]().m()";
    diamonds(300): "class C0:\n    def m(self): ...", "class A{i}(C{p}): ...\nclass B{i}(C{p}): ...\nclass C{i}(A{i}, B{i}): ...", "C{i}().m()";
    subclasses_of_one_class(500): "class C0:\n    def __init__(self, a): ...\n    def m(self): ...",
        "class C{i}(C0):\n    def k(self): self.m()\nC{i}(1).m()", "";
    subclasses_of_two_classes(500): "class A:\n    def __init__(self, a): ...\nclass B:\n    def m(self): ...",
        "class C{i}(A, B):\n    def k(self): self.m()\nC{i}(1).m()", "";
    a_deep_chain_of_attributes(1_000): "class C0:\n    def m(self): ...", "class C{i}:\n    x = C{p}()", "C{i}().x.x.x.x.x.x.x.x.m()";
    a_chain_of_calls(1_000): "class A:\n    def m(self): return self\nx0 = A()", "x{i} = x{p}.m()", "x{i}.m()";
    unions(300): "class C0:\n    def m(self): ...\nx = C0()", "class C{i}:\n    def m(self): ...\nif x: x = C{i}()\nx.m()", "x.m()";
    a_long_union(500): "class C0: ...\nx: (C0", "    | C0", ") = C0()\nx.m()";
    overloads(400): "from typing import overload\nclass A: ...",
        "@overload\ndef f(a: int, b{i}: int) -> A: ...\nf(1, b{i}=2).m()", "def f(a, **kw): ...\nf(1).m()";
    functions_of_one_name(300): "import x", "if x.a{i}:\n    def f(a{i}): return 1\nf(1)", "f(2)";
    functions_of_one_name_that_take_no_argument(300): "import x", "if x.a{i}:\n    def f(): return 1\nf(b{i}=1)", "f(2)";
    branches_with_narrowing(150): "class C0: ...\ndef f(x):\n    if x: pass",
        "    elif isinstance(x, C{h}): x.m()\n", "\n\nclass C1: ...\nf(1)";
    tests_of_one_name_that_is_passed(300): "def f(): ...\ndef g(h):\n    def i(): ...", "    if i is None: pass\n    r(i)", "r(f)";
    tests_of_a_module_name_that_is_passed(300): "def f(): ...\nfor x in y:", "    if f: r(f)\n    if f is None: pass", "r(f)";
    early_returns_with_narrowing(300): "class C0:\n    def m(self): ...\ndef f(x: C0):", "    if x is None: return\n    x.m()", "f(C0())";
    assignments_to_one_name(500): "class A:\n    def m(self): return self\nx = A()", "x = x.m()", "x.m()\ndef f(): x.m()";
    conditional_assignments_to_one_name(300): "class A:\n    def m(self): return self\nx = A()", "if x.m(): x = x.m()", "x.m()";
    assignments_to_one_attribute(300): "class A:\n    def m(self): return self", "    def s{i}(self): self.x = A(); self.x.m()", "A().x.m()";
    augmented_assignments(2_000): "x = []", "x += [{i}]", "x.m()\ndef f(): x.m()";
    decorators_of_one_function(800): "def d(f):\n    def w(*a): return f(*a)\n    return w\nx = 1", "@d", "def f(): ...\nf()";
    decorators_that_decorate(500): "def d0(f): return f", "@d{p}\ndef d{i}(f): return f", "@d{i}\ndef f(): ...\nf()";
    calls_of_one_function(2_000): "def f(a, b=1): ...", "f({i}, b={p})", "";
    reads_of_a_long_tuple(300): "class A:\n    def m(self): ...\nt = (A(),", "  A(),", "A())\nfor a in t: a.m()";
    parameters_of_one_function(500): "def f(a0", "    , a{i}=1", "): ...\nf(a1=2)";
    attributes_of_one_class(500): "class A:\n    def m(self): ...", "    a{i}: int = 1\n    def m{i}(self): self.a{i}.m(); self.m{p}()", "A().m1()";
}

#[test]
fn a_chain_of_star_imports() {
    assert_linear(150, |size| star_imports(size, size - 1));
}

#[test]
fn a_cycle_of_star_imports() {
    assert_linear(150, |size| star_imports(size, size));
}

/// Modules of which the first `stars` star-import the next one, the last one the first.
fn star_imports(size: usize, stars: usize) -> Files {
    let module = |i: usize| {
        let next = (i + 1) % size;
        let star = if i < stars { format!("from pkg.m{next} import *\n") } else { String::new() };
        (format!("pkg/m{i}.py"), format!("{star}def _f{i}(): ...\n_f{i}()\n"))
    };
    (0..size).map(module).chain([("pkg/__init__.py".to_owned(), String::new())]).collect()
}

#[test]
fn a_chain_of_modules() {
    assert_linear(200, |size| {
        let module = |i: usize| {
            let import = if i == 0 { "def f(): ...".to_owned() } else { format!("from pkg.m{:05} import f", i - 1) };
            (format!("pkg/m{i:05}.py"), format!("{import}\nf()\n"))
        };
        (0..size).map(module).collect()
    });
}

/// A function of as many parameters as `size`, whose body is a condition on all of them and a call for each.
fn condition(size: usize, operand: impl Fn(usize) -> String, operator: &str, after: &str) -> Files {
    let list = |text: &dyn Fn(usize) -> String, between: &str| (0..size).map(text).collect::<Vec<_>>().join(between);
    let parameters = list(&|i| format!("x{i}: A | None"), ", ");
    let calls = list(&|i| format!("        x{i}.m({i})\n"), "");
    let condition = list(&operand, operator);
    let head = "class A:\n    def m(self, a): ...\n";
    vec![("a.py".to_owned(), format!("{head}def f({parameters}):\n    if {condition}:\n        {after}\n{calls}"))]
}

#[test]
fn operands_of_and_that_each_narrow_a_name() {
    assert_linear(100, |size| condition(size, |i| format!("x{i} is not None"), " and ", "pass"));
}

#[test]
fn operands_of_or_that_each_narrow_a_name() {
    assert_linear(100, |size| condition(size, |i| format!("x{i} is None"), " or ", "return"));
}

#[test]
fn operands_that_mix_and_or_and_not() {
    assert_linear(100, |size| condition(size, |i| format!("(x{i} and not x0 or x0 and not x{i})"), " and ", "pass"));
}

#[test]
fn and_inside_or_inside_and() {
    assert_linear(50, |size| {
        let right = |text: String, i: usize| format!("(x{i} and ({text} or x{}))", i / 2);
        let nested = (0..size).fold("x0".to_owned(), right);
        let left = |text: String, i: usize| format!("((x{i} is None or {text}) and x{})", i / 2);
        let nested = format!("{nested} and {}", (0..size).fold("x0".to_owned(), left));
        condition(size, |i| if i == 0 { nested.clone() } else { format!("x{i}") }, " and ", "pass")
    });
}

/// Conditions that narrow nothing are no less nested.
#[test]
fn calls_in_and_inside_or_inside_and() {
    assert_linear(50, |size| {
        let nested = (0..size).fold("g(0)".to_owned(), |text, i| format!("(({text} and g({i})) or g({i}))"));
        condition(size, |i| if i == 0 { nested.clone() } else { format!("x{i}") }, " and ", "pass")
    });
}

#[test]
fn keywords_of_one_call() {
    assert_linear(400, |size| {
        let list = |text: fn(usize) -> String| (0..size).map(text).collect::<Vec<_>>().join(", ");
        let text = format!("def f({}): ...\nf({})\n", list(|i| format!("p{i}=None")), list(|i| format!("p{i}={i}")));
        vec![("a.py".to_owned(), text)]
    });
}

#[test]
fn functions_that_pass_keywords_on_to_one_with_many_parameters() {
    assert_linear(200, |size| {
        let parameters: Vec<String> = (0..size).map(|i| format!("the_parameter_with_the_number_{i}=None")).collect();
        let mut text = format!("def g({}): ...\n", parameters.join(", "));
        for i in 0..size {
            let _ = writeln!(text, "def f{i}(**kw): g(**kw)");
        }
        vec![("a.py".to_owned(), text)]
    });
}

#[test]
fn packages_inside_each_other() {
    assert_linear(200, |size| {
        let package = |i: usize| {
            let folder = "p/".repeat(i + 1);
            [
                (format!("{folder}__init__.py"), "from .p import f\nf(1)\n".to_owned()),
                (format!("{folder}m.py"), "from . import f\ndef g(a): f(a)\ng(1)\n".to_owned()),
            ]
        };
        (0..size).flat_map(package).collect()
    });
}
