//! Small Python programs whose types would grow exponentially if they were followed part by part.

use std::fmt::Write as _;

use crate::work::assert_bounded;

/// The number of doublings: followed part by part, a type would have 2^40 parts.
const LEVELS: usize = 40;

/// A program: `head`, then `level` for each level from 1 with `{i}` and `{p}` (the level before), then `tail` with
/// `{i}`.
fn program(head: &str, level: &str, tail: &str) -> String {
    let mut text = format!("{head}\n");
    for i in 1..=LEVELS {
        let _ = writeln!(text, "{}", level.replace("{i}", &i.to_string()).replace("{p}", &(i - 1).to_string()));
    }
    text + &tail.replace("{i}", &LEVELS.to_string()) + "\n"
}

macro_rules! bounded {
    ($($name:ident: $head:expr, $level:expr, $tail:expr;)+) => {
        $(#[test]
        fn $name() {
            assert_bounded(|| program($head, $level, $tail));
        })+
    };
}

const TYPING: &str = "from typing import Callable, Generic, TypeVar, Union\nT = TypeVar('T')\nU = TypeVar('U')\n";

bounded! {
    aliases_of_pairs: "T0 = int", "T{i} = tuple[T{p}, T{p}]",
        "def f() -> T{i}: ...\nx = f()\nx.m()\nfor a, b in x: a.m()\nisinstance(x, T{i})";
    aliases_of_dicts: "T0 = int", "T{i} = dict[T{p}, list[T{p}]]", "def f() -> T{i}: ...\nf().values().m()";
    aliases_of_unions: "T0 = int", "T{i} = list[T{p}] | set[T{p}]", "def f(x: T{i}): x.m()\nf(1)";
    aliases_of_callables: "from typing import Callable\nT0 = int", "T{i} = Callable[[T{p}], tuple[T{p}, T{p}]]",
        "def f() -> T{i}: ...\nf()()()[0]()[1]().m()";
    generic_aliases: &format!("{TYPING}class B(Generic[T, U]):\n    def m(self) -> tuple[T, U]: ...\nT0 = T"),
        "T{i} = B[T{p}, T{p}]", "def f(x: T) -> T{i}: ...\nf(1).m()[0].m()\nf(f(1)).m()";
    generic_parameters: &format!("{TYPING}T0 = T"), "T{i} = tuple[T{p}, T{p}]\nA{i} = tuple[T{p}, int]",
        "def f(x: T{i}) -> T{i}: ...\ndef g(x: T{i}, y: T{i}) -> T: ...\ny = f(f(f(f(1))))\ng(y, y).m()\ny.m()";
    functions_that_return_pairs: "def f0(): return 1", "def f{i}(): return f{p}(), f{p}()", "f{i}()[0].m()";
    functions_that_return_dicts: "def f0(): return 1", "def f{i}(): return {f{p}(): [f{p}()]}", "f{i}().items().m()";
    generic_bases: &format!("{TYPING}class C0(Generic[T]):\n    def m(self) -> T: ..."),
        "class C{i}(C{p}[tuple[T, T]], Generic[T]): ...", "C{i}().m().k()\nC{i}[int]().m()[0][0].k()";
    generic_bases_of_two: &format!("{TYPING}class C0(Generic[T, U]):\n    def m(self) -> T: ..."),
        "class C{i}(C{p}[tuple[T, U], tuple[U, T]], Generic[T, U]): ...", "C{i}[int, str]().m()[0][0].k()";
    pairs_of_itself_in_a_row: "x = 1", "x = (x, x)", "x.m()\nx[0].m()";
    pairs_of_itself_in_a_loop: "x = 1\nfor i in range(9):", "    x = (x, x)", "x.m()\nx[0].m()";
    lists_of_itself: "x = 1", "x = [x, {1: x}, {x}]", "x.pop().m()";
    nested_conditionals: "def f(a, b): ...\nx = y = 1", "x, y = ((x, y) if x else [y, x]), ((y, x) if y else {x: y})", "x.m()";
    isinstance_chains: "C0 = int\nx = f()", "C{i} = (C{p}, C{p})\nif isinstance(x, C{i}) or not isinstance(x, C{p}): x.m()", "x.m()";
    lambdas: "f0 = lambda: 1", "f{i} = lambda: (f{p}(), f{p}())", "f{i}()[0].m()\nf{i}().m()";
    comprehensions: "x0 = [1]", "x{i} = [(a, b) for a in x{p} for b in x{p}]", "x{i}[0].m()\nx{i}.m()";
    generators: "def g0(): yield 1", "def g{i}():\n    for a in g{p}(): yield a, a", "next(g{i}()).m()";
    coroutines: "async def g0(): return 1", "async def g{i}(): return await g{p}(), await g{p}()", "async def m(): (await g{i}()).m()";
    zips: "x0 = [1]", "x{i} = list(zip(x{p}, x{p}))", "x{i}[0].m()";
    self_types: "class A:\n    def f0(self): return self", "    def f{i}(self): return [self.f{p}(), {1: self.f{p}()}]", "A().f{i}().m()\nA().f{i}()[0].m()";
    identity_calls: &format!("{TYPING}def d(x: T) -> tuple[T, T]: ...\nx = 1"), "x = d(x)", "x.m()\nd(x)[0].m()";
    higher_order: &format!("{TYPING}def d(f: Callable[[], T]) -> Callable[[], tuple[T, T]]: ...\ndef f0(): return 1"),
        "f{i} = d(f{p})", "f{i}().m()\nf{i}()[0].m()";
    receivers_of_methods: &format!("{TYPING}class A(Generic[T]):\n    def d(self) -> 'A[tuple[T, T]]': ...\nx0 = A[int]()"),
        "x{i} = x{p}.d()", "x{i}.d()\nx{i}.d().nothing()";
    descriptors: "class D0:\n    def __get__(self, a, b): return 1",
        "class D{i}:\n    a = D{p}()\n    b = D{p}()\n    def __get__(self, a, b): return self.a, self.b", "D{i}().a.m()";
    operators: "class N0:\n    def __add__(self, o): return self, self",
        "class N{i}(N{p}):\n    def __add__(self, o): return N{p}() + o, N{p}() + o", "(N{i}() + 1).m()";
    callables_of_instances: "class C0:\n    def __call__(self): return 1",
        "class C{i}:\n    def __call__(self): return C{p}()(), C{p}()()", "C{i}()().m()";
    attribute_chains: "class A0: x = 1", "class A{i}:\n    x = A{p}()\n    y = A{p}()\n    def z(self): return self.x.z(), self.y.z()",
        "A{i}().z().m()";
    decorators: "def d(f):\n    def w(): return f(), f()\n    return w\ndef f0(): return 1",
        "@d\ndef f{i}(): return f{p}(), f{p}()", "f{i}().m()";
}
