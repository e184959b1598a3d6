//! `breaks` for packages of Python: a case for each rule. A case is a text with the module `kit` of the old version,
//! the one of the new version, and the program; each line of the program that says something ends with what is said
//! of it.

use serde_json::Value;

use crate::program::{Project, command, outcome};

/// Checks a case. A part begins with a line of dashes and the path of a file: `old/…`, `new/…` or `app.py`. What is
/// expected of a line stands behind `#:`, as verdict, rule, parameter and replacement; `-` is none.
fn check(case: &str) {
    let site = "lib/python3.12/site-packages";
    let mut project = Project::empty();
    for (version, folder) in [("1.0", "old"), ("2.0", "new")] {
        let path = format!("{folder}/{site}/kit-{version}.dist-info/METADATA");
        project = project.and(&path, format!("Name: kit\nVersion: {version}\n"));
    }
    let mut expected = Vec::new();
    for part in case.split("---- ").skip(1) {
        let (path, text) = part.split_once('\n').expect("a text below the path");
        let path = match path.split_once('/') {
            Some((version, inner)) => format!("{version}/{site}/{inner}"),
            None => format!("app/{path}"),
        };
        project = project.and(&path, text);
        let said = text.lines().enumerate().filter_map(|(at, line)| Some((at + 1, line.split_once("#: ")?.1)));
        expected.extend(said.filter(|_| path.starts_with("app/")).map(|(line, said)| format!("{line} {said}")));
    }
    let mut command = command(["breaks", "--no-cache", "--package", "kit", "--format", "jsonl", "--env"]);
    command.arg(project.join("old")).arg("--to").arg(project.join("new")).arg(project.join("app"));
    let found = outcome(&mut command).success();
    let rows = found.lines().filter_map(|line| {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| row[name].as_str().unwrap_or("-").to_owned();
        let is_told = !matches!(row["verdict"].as_str(), Some("ok" | "unknown"));
        let said = [text("verdict"), text("rule"), text("param"), text("now")].join(" ");
        is_told.then(|| format!("{} {said}", row["line"]))
    });
    assert_eq!(rows.collect::<Vec<_>>(), expected, "{found}");
}

#[test]
fn names_of_modules_are_looked_for_wherever_they_are_written() {
    check(
        "---- old/kit/__init__.py
from elsewhere import far
from .near import renamed as old_name
LIMIT = 1
KEPT = 2
class Error(Exception): ...
---- old/kit/near.py
def renamed(a): ...
---- old/kit/lost/__init__.py
---- old/kit/lost/deep.py
def f(): ...
class Moved: ...
---- new/kit/__init__.py
from .near import renamed
from .near import Moved
KEPT = 2
class Error(Exception): ...
---- new/kit/near.py
def renamed(a): ...
class Moved: ...
---- app.py
import kit
from kit import far  #: break removed-symbol - elsewhere.far
from kit.lost.deep import f  #: break removed-symbol - -
from kit.lost.deep import Moved  #: break removed-symbol - kit.Moved
print(kit.LIMIT)  #: break removed-symbol - -
print(kit.KEPT)
try:
    kit.old_name(1)  #: break removed-symbol - kit.renamed
except kit.Error:
    pass
",
    );
}

#[test]
fn a_member_of_a_class_may_come_from_a_metaclass() {
    check(
        "---- old/kit/__init__.py
class Meta(type):
    @property
    def OLD(cls):
        warn(\"Using 'Retry.OLD' is deprecated. Use 'Retry.NEW' instead\", DeprecationWarning)
        return cls.NEW
@add_metaclass(Meta)
class Retry(object):
    NEW = 1
---- new/kit/__init__.py
class Retry:
    NEW = 1
---- app.py
from kit import Retry
print(Retry.OLD)  #: break removed-symbol - NEW
print(Retry.NEW)
",
    );
}

#[test]
fn a_class_that_a_call_makes_inherits_as_others_do() {
    check(
        "---- old/kit/__init__.py
class Base:
    def __init__(self, **data): ...
    @classmethod
    def parse(cls, text): ...
    def save(self): ...
---- new/kit/__init__.py
from typing_extensions import deprecated
class Base:
    def __init__(self, **data): ...
    @classmethod
    @deprecated('Use `read`.')
    def parse(cls, text): ...
---- app.py
from kit import Base
Made = type('Made', (Base,), {'__annotations__': {'a': int}, 'a': 1})
Made.parse('x')  #: deprecated deprecated-symbol - read
Made(a=1).save()  #: break removed-symbol - -
",
    );
}

#[test]
fn code_warns_of_functions_and_arguments() {
    check(
        "---- old/kit/__init__.py
def whole(a): return a
def renamed(a): return a
def branch(a=None, b=None, c=None): return a
def rest(a=1, **options): return a
def marked(a=1, b=2): return a
class Client:
    def __init__(self, loop=None, name=None): ...
class Near(Client): ...
---- new/kit/__init__.py
import warnings
from typing import Annotated
from typing_extensions import deprecated
def whole(a):
    result = a
    warnings.warn('whole() is deprecated in favor of part().', FutureWarning)
    return result
@deprecated_function(reason=\"Use 'named' instead.\")
def renamed(a): return a
@deprecate_kwarg('c', 'd')
def branch(a=None, b: Annotated[int, deprecated('Use `d` instead.')] = None, c=None, d=None):
    if a is not None:
        warnings.warn('a is deprecated, use d instead', DeprecationWarning)
    return d
def rest(a=1, **options):
    old = options.pop('old', None)
    if old is not None:
        warnings.warn(\"'old' is deprecated\", DeprecationWarning)
    return a
def marked(a='deprecated', b=2): return b
class Client:
    def __init__(self, loop=None, name=None):
        if loop:
            warnings.warn('The loop is deprecated.', DeprecationWarning)
class Near(Client): ...
---- app.py
import kit
kit.whole(1)  #: deprecated deprecated-symbol - part
kit.renamed(1)  #: deprecated deprecated-symbol - named
kit.branch(a=1)  #: deprecated deprecated-parameter a d
kit.branch(a=None)
kit.branch(b=1)  #: deprecated deprecated-parameter b d
kit.branch(c=1)  #: deprecated deprecated-parameter c -
kit.rest(old=1)  #: deprecated deprecated-parameter old -
kit.rest(other=1)
kit.marked(2)  #: deprecated deprecated-parameter a -
kit.marked(b=2)
kit.Near(loop=1, name=2)  #: deprecated deprecated-parameter loop -
kit.Near(loop=None)
",
    );
}

#[test]
fn code_refuses_arguments_or_fails() {
    check(
        "---- old/kit/__init__.py
def connect(auto=False, mode='r'): return auto
def select(*columns, **options): return columns
def mapper(a): return a
def late(a): raise NotImplementedError
def checked(a):
    if a is None:
        raise TypeError
---- new/kit/__init__.py
def connect(auto=False, mode='r'):
    if auto:
        raise ValueError('auto=True is no longer supported')
    if mode not in ('r', 'w'):
        raise ValueError
    return auto
def select(*columns, **options):
    options.pop('stream', None)
    if options:
        raise no_options()
    return columns
def mapper(a):
    raise InvalidRequest(\"The 'mapper' function is removed. Use the 'map_all' function instead.\")
def late(a): raise NotImplementedError
def checked(a):
    if a is None:
        raise TypeError
---- app.py
import kit
kit.connect(auto=True)  #: break narrowed-type auto -
kit.connect(auto=False)
kit.connect(mode='w')
kit.select(1, where=2)  #: break swallowed-by-kwargs where -
kit.select(1, stream=True)
kit.mapper(1)  #: break removed-symbol - map_all
kit.late(1)
kit.checked(None)
",
    );
}

#[test]
fn modules_warn_of_themselves_and_of_their_names() {
    check(
        "---- old/kit/__init__.py
class Old: ...
class New: ...
---- old/kit/wsgi.py
class App: ...
---- new/kit/__init__.py
from .tools import deprecated
class Old: ...
class New: ...
deprecated(Old, __name__, 'Old is deprecated. Use `New`.', name='Old')
---- new/kit/tools.py
def deprecated(*a, **b): ...
---- new/kit/wsgi.py
import warnings
warnings.warn('kit.wsgi is deprecated, use `asgi` instead', DeprecationWarning)
class App: ...
---- app.py
from kit import New
from kit import Old  #: deprecated deprecated-symbol - New
from kit.wsgi import App  #: deprecated deprecated-symbol - asgi
",
    );
}

#[test]
fn a_member_that_the_new_class_binds_is_not_gone() {
    check(
        "---- old/kit/__init__.py
class Client:
    def get(self): ...
    def put(self): ...
    def post(self): ...
    def call(self): ...
---- new/kit/__init__.py
class Client:
    def __init__(self):
        self.get = make()
    put, other = make_all()
    def call(self): ...
setattr(Client, 'call', 1)
---- app.py
from kit import Client
client = Client()
client.get()
client.put()
client.post()  #: break removed-symbol - -
client.call()
",
    );
}
