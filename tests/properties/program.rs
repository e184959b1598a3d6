//! Generates small random Python programs: files that import each other, circular inheritance, calls of every form.

use std::fmt::Write as _;

use proptest::{collection::vec, prelude::*, sample::select};

/// The files of a program, in several layouts, with the names of their modules.
const FILES: [(&str, &str); 6] = [
    ("m0.py", "m0"),
    ("pkg/__init__.py", "pkg"),
    ("pkg/m1.py", "pkg.m1"),
    ("pkg/sub/m2.py", "pkg.sub.m2"),
    ("src/m3.py", "m3"),
    ("tests/test_m4.py", "tests.test_m4"),
];

const NAMES: [&str; 10] = ["f", "g", "h", "A", "B", "C", "x", "y", "self", "cls"];
const ATTRIBUTES: [&str; 6] = ["m", "n", "x", "A", "f", "m1"];
/// Callees that are often defined, so that many calls resolve.
const CALLEES: [&str; 10] = ["f", "g", "A", "B", "C", "x.m", "y.m", "self.m", "super().n", "pkg.m1.A"];
const PARAMETERS: [&str; 5] = ["a", "b", "c", "x", "y"];

/// The optional beginning of a file. With it many calls resolve, and some are ambiguous.
const PRELUDE: &str = "\
class A:
    def m(self, a, b=None): ...
    @classmethod
    def n(cls, *, x=1): ...
class B(A):
    def m(self, *args, **kwargs): ...
def f(a, /, b=None, *, c=2): ...
y = A() if x else B()
y.m(1, *x)
";

/// The text of every comment in a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comments(pub(crate) &'static str);

/// A program: for each file of [`FILES`], its statements, and true if [`PRELUDE`] precedes them.
#[derive(Clone, Debug)]
pub(crate) struct Program(Vec<(bool, Vec<Statement>)>);

#[derive(Clone, Debug)]
enum Statement {
    /// One line, without its indentation.
    Line(String),
    /// A compound statement: for each block, the lines that open it and its body.
    Blocks(Vec<(String, Vec<Statement>)>),
}

impl Program {
    /// The paths and texts of the files.
    pub(crate) fn files(&self, comments: Comments) -> Vec<(String, String)> {
        let bodies = self.0.iter().map(|(has_prelude, statements)| {
            let prelude = if *has_prelude { PRELUDE } else { "" };
            let mut text = format!("{prelude}# {}\n", comments.0);
            render(statements, 0, comments, &mut text);
            text
        });
        FILES.iter().map(|(path, _)| (*path).to_owned()).zip(bodies).collect()
    }
}

fn render(statements: &[Statement], depth: usize, comments: Comments, text: &mut String) {
    let indent = "    ".repeat(depth);
    if statements.is_empty() {
        let _ = writeln!(text, "{indent}pass");
    }
    for statement in statements {
        match statement {
            Statement::Line(line) => {
                let _ = writeln!(text, "{indent}{line}  # {}", comments.0);
            }
            Statement::Blocks(blocks) => {
                for (head, body) in blocks {
                    for line in head.lines() {
                        let _ = writeln!(text, "{indent}{line}  # {}", comments.0);
                    }
                    render(body, depth + 1, comments, text);
                }
            }
        }
    }
}

pub(crate) fn program() -> impl Strategy<Value = Program> {
    vec((any::<bool>(), vec(statement(), 0..9)), FILES.len()).prop_map(Program)
}

fn name() -> impl Strategy<Value = String> {
    select(&NAMES[..]).prop_map(str::to_owned)
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => name(),
        2 => select(vec!["(1)", "None", "'s'", "[]", "{}", "super()", "(lambda: f)", "unknown"]).prop_map(str::to_owned),
        1 => select(&FILES[..]).prop_map(|(_, module)| module.to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            6 => (inner.clone(), vec(argument(inner.clone()), 0..4)).prop_map(|(f, args)| format!("{f}({})", args.join(", "))),
            4 => (inner.clone(), select(&ATTRIBUTES[..])).prop_map(|(value, name)| format!("{value}.{name}")),
            1 => pair.clone().prop_map(|(a, b)| format!("({a} or {b})")),
            1 => pair.clone().prop_map(|(a, b)| format!("({a} if {b} else {a})")),
            1 => pair.clone().prop_map(|(a, b)| format!("({a}, {b})")),
            1 => pair.clone().prop_map(|(a, b)| format!("[{a} for x in {b} if isinstance(x, A)]")),
            1 => pair.clone().prop_map(|(a, b)| format!("{{{a}: {b}}}")),
            1 => pair.clone().prop_map(|(a, b)| format!("{a}[{b}]")),
            1 => pair.clone().prop_map(|(a, b)| format!("({a} | {b})")),
            1 => inner.clone().prop_map(|a| format!("(await {a})")),
            1 => inner.clone().prop_map(|a| format!("(y := {a})")),
            1 => inner.clone().prop_map(|a| format!("(lambda x: {a})")),
            1 => name().prop_map(|a| format!("f'{{{a}(1)!r:>{{{a}}}}}'")),
        ]
    })
}

fn argument(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (0..7_u32, select(&PARAMETERS[..]), value).prop_map(|(shape, name, value)| match shape {
        0..3 => value,
        3..5 => format!("{name}={value}"),
        5 => format!("*{value}"),
        _ => format!("**{value}"),
    })
}

fn annotation() -> impl Strategy<Value = String> {
    let leaf = select(vec!["A", "B", "'A'", "int", "None", "T", "Self", "pkg.m1.A"]).prop_map(str::to_owned);
    leaf.prop_recursive(2, 6, 2, |inner| {
        let generic = select(vec!["list", "Optional", "type", "Iterator", "Awaitable", "B", "Annotated"]);
        prop_oneof![
            (generic, inner.clone()).prop_map(|(name, a)| format!("{name}[{a}]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("dict[{a}, {b}]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("Union[{a}, {b}]")),
            inner.prop_map(|a| format!("'list[{}]'", a.replace('\'', "\""))),
        ]
    })
}

fn parameters() -> impl Strategy<Value = String> {
    let annotated =
        (annotation(), any::<bool>()).prop_map(|(a, with)| if with { format!(": {a}") } else { String::new() });
    let plain = vec(annotated, 0..4);
    (plain, any::<bool>(), any::<bool>(), 0..3_u32, any::<bool>()).prop_map(
        |(annotations, method, only, star, named)| {
            let mut parts: Vec<String> = if method { vec!["self".into()] } else { Vec::new() };
            let count = annotations.len();
            for (i, (annotation, name)) in annotations.iter().zip(PARAMETERS).enumerate() {
                if i + 1 == count && star == 1 {
                    parts.push("*".into());
                }
                let default = if i > 0 { " = None" } else { "" };
                parts.push(format!("{name}{annotation}{default}"));
                if only && i == 0 {
                    parts.push("/".into());
                }
            }
            if star == 2 {
                parts.push("*args".into());
            }
            if named {
                parts.push("**kwargs".into());
            }
            parts.join(", ")
        },
    )
}

fn import() -> impl Strategy<Value = String> {
    (0..7_u32, select(&FILES[..]), name(), name()).prop_map(|(shape, (_, module), name, other)| match shape {
        0 => format!("import {module}"),
        1 => format!("import {module} as {other}"),
        2 => format!("from {module} import *"),
        3 => format!("from . import {name}"),
        4 => format!("from ..m1 import {name} as {other}"),
        _ => format!("from {module} import {name} as {other}"),
    })
}

fn line() -> impl Strategy<Value = String> {
    let e = expression;
    prop_oneof![
        4 => e(),
        6 => (select(&CALLEES[..]), vec(argument(e()), 0..4)).prop_map(|(f, args)| format!("{f}({})", args.join(", "))),
        3 => (name(), select(&CALLEES[..]), select(&CALLEES[..])).prop_map(|(name, a, b)| format!("{name} = {a}() if x else {b}(1)")),
        4 => (name(), e()).prop_map(|(name, value)| format!("{name} = {value}")),
        2 => (name(), annotation(), e()).prop_map(|(name, ty, value)| format!("{name}: {ty} = {value}")),
        2 => (name(), e()).prop_map(|(name, value)| format!("self.{name} = {value}")),
        1 => (name(), name(), e()).prop_map(|(a, b, value)| format!("{a}, *{b} = {value}")),
        1 => (name(), e()).prop_map(|(name, value)| format!("{name} += {value}")),
        2 => e().prop_map(|value| format!("return {value}")),
        1 => e().prop_map(|value| format!("yield {value}")),
        1 => e().prop_map(|value| format!("raise {value}")),
        1 => (e(), name()).prop_map(|(value, name)| format!("assert isinstance({name}, {value})")),
        1 => select(vec!["global x", "nonlocal y", "break", "continue", "del x", "T = TypeVar('T', bound='A')", "__all__ = ['f', 'A']"])
            .prop_map(str::to_owned),
        3 => import(),
    ]
}

fn decorator() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => select(vec!["@property", "@staticmethod", "@classmethod", "@overload", "@contextmanager", "@pytest.fixture"])
            .prop_map(str::to_owned),
        2 => select(vec!["@dataclass", "@dataclass(kw_only=True)", "@define", "@wraps(f)"]).prop_map(str::to_owned),
        1 => name().prop_map(|name| format!("@{name}")),
        1 => expression().prop_map(|e| format!("@{e}")),
    ]
}

fn statement() -> impl Strategy<Value = Statement> {
    line().prop_map(Statement::Line).prop_recursive(3, 24, 4, |inner| {
        let body = || vec(inner.clone(), 0..4);
        let block = |head: String, body| Statement::Blocks(vec![(head, body)]);
        let function = (decorators(), name(), parameters(), annotation(), any::<(bool, bool)>(), body());
        let class = (decorators(), select(vec!["A", "B", "C"]), vec(base(), 0..3), body());
        let methods = vec((select(vec!["m", "n", "__init__", "__call__", "__enter__"]), parameters(), line()), 1..4);
        let useful = (select(vec!["A", "B", "C"]), select(vec!["", "A", "B", "pkg.m1.A", "m0.B"]), methods);
        prop_oneof![
            6 => useful.prop_map(|(name, base, methods)| {
                let method = |(name, parameters, line)| {
                    Statement::Blocks(vec![(format!("def {name}({parameters}):"), vec![Statement::Line(line)])])
                };
                Statement::Blocks(vec![(format!("class {name}({base}):"), methods.into_iter().map(method).collect())])
            }),
            6 => function.prop_map(|(decorators, name, parameters, returns, (is_async, annotated), body)| {
                let start = if is_async { "async def" } else { "def" };
                let returns = if annotated { format!(" -> {returns}") } else { String::new() };
                decorate(decorators, format!("{start} {name}({parameters}){returns}:"), body)
            }),
            6 => class.prop_map(|(decorators, name, bases, body)| {
                decorate(decorators, format!("class {name}({}):", bases.join(", ")), body)
            }),
            2 => (expression(), body(), body()).prop_map(|(test, yes, no)| {
                Statement::Blocks(vec![(format!("if {test}:"), yes), ("else:".into(), no)])
            }),
            1 => (name(), expression(), body()).prop_map(move |(name, class, body)| {
                block(format!("if isinstance({name}, {class}):"), body)
            }),
            1 => (name(), body()).prop_map(move |(name, body)| block(format!("while {name} is not None:"), body)),
            1 => (name(), expression(), body()).prop_map(move |(name, items, body)| block(format!("for {name} in {items}:"), body)),
            1 => (name(), expression(), body()).prop_map(move |(name, value, body)| block(format!("with {value} as {name}:"), body)),
            1 => (name(), name(), body(), body()).prop_map(|(class, name, body, handler)| {
                Statement::Blocks(vec![("try:".into(), body), (format!("except {class} as {name}:"), handler)])
            }),
            1 => (name(), name(), body()).prop_map(|(name, class, body)| {
                let case = Statement::Blocks(vec![(format!("case {class}(x=y):"), body)]);
                Statement::Blocks(vec![(format!("match {name}:"), vec![case])])
            }),
        ]
    })
}

fn base() -> impl Strategy<Value = String> {
    let bases = ["A", "B", "C", "Generic[T]", "BaseModel", "Enum", "NamedTuple", "metaclass=B", "pkg.m1.A", "list[A]"];
    select(bases.to_vec()).prop_map(str::to_owned)
}

fn decorators() -> impl Strategy<Value = Vec<String>> {
    vec(decorator(), 0..2)
}

fn decorate(decorators: Vec<String>, head: String, body: Vec<Statement>) -> Statement {
    // The lines that open the block include the decorators.
    Statement::Blocks(vec![(decorators.into_iter().chain([head]).collect::<Vec<_>>().join("\n"), body)])
}
