//! Tests of the relations between definitions and types.

use std::sync::Arc;

use super::*;
use apidisc_base::control::Control;
use apidisc_facts::source::Source;
use apidisc_indexing::indexer;

fn related(files: &[(&str, &str)], type_name: &str) -> Vec<String> {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = Arc::new(indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index"));
    let table = TypeTable::new(&index);
    let id = index.definition_of(type_name).expect("the type");
    TypeRole::ALL
        .iter()
        .map(|role| {
            let names: Vec<_> = table.of(*role, id).iter().map(|id| index.definition(*id).name.to_string()).collect();
            format!("{}: {}", role.word(), names.join(" "))
        })
        .collect()
}

#[test]
fn annotations_and_values_of_python() {
    let code = r#"
from typing import Callable
class Reading: ...
class Wet(Reading): ...
class Fault(Exception): ...
class Station:
    def read(self): ...
    def find(self): return Station()
def load(path) -> list[Reading]:
    """Loads.

    Raises:
        Fault: if the file is broken.
    """
def listen(to: Callable[[Reading], None]) -> Callable[[Reading], Station]: ...
def show(reading: Reading | None, name: "str"): ...
def made(): return Station()
def check(fault):
    if fault: raise Fault("broken")
    raise fault
made().read()
"#;
    let files = &[("m.py", code)];
    assert_eq!(related(files, "m.Reading"), ["makes: load", "takes: show", "is: Wet", "raises: "]);
    assert_eq!(related(files, "m.Station"), ["makes: made listen", "takes: ", "is: ", "raises: "]);
    assert_eq!(related(files, "m.Fault"), ["makes: ", "takes: ", "is: ", "raises: load check"]);
}

#[test]
fn annotations_of_python_that_name_imported_classes() {
    let models = "class Link: ...\nclass Tag: ...\n";
    let services = r#"
from __future__ import annotations
from typing import TYPE_CHECKING, Optional
from app import models
from app.models import Link
if TYPE_CHECKING:
    from app.models import Tag
def save(link: Link, tags: list[Tag]) -> Link: ...
def find(link: "Link") -> models.Link: ...
def label(tag: Optional["Tag"], name: str): ...
def drop(tag: models.Tag | None): ...
def count() -> int:
    seen: Link = Link()
    return 1
class Shelf:
    def put(self, link: Link | None): ...
@overload
def real(of: Proxy[T]) -> Link: ...
@overload
def real(of: T) -> T: ...
def real(of): return of
"#;
    let other = "class Link: ...\ndef keep(link: Link): ...\n";
    let files =
        &[("app/__init__.py", ""), ("app/models.py", models), ("app/services.py", services), ("app/other.py", other)];
    assert_eq!(related(files, "app.models.Link"), ["makes: save find", "takes: save find put", "is: ", "raises: "]);
    assert_eq!(related(files, "app.models.Tag"), ["makes: ", "takes: save label drop", "is: ", "raises: "]);
}

#[test]
fn annotations_of_typescript() {
    let code = "export interface Reading { at: Date }\nexport class Wet implements Reading { at = new Date() }\n\
                export function load(path: string): Promise<Reading> { throw path }\n\
                export function isReading(x: unknown): x is Reading { return true }\n\
                export function check(x: unknown): asserts x is Reading {}\n\
                export function later(path: string): (on: Reading) => void { throw path }\n\
                export function show(...readings: Reading[]): void {}\n\
                export function on(call: (reading: Reading) => void): void {}\n\
                export function other(reading: ReadingList): void {}\nexport type ReadingList = string[];\n\
                export class Fault extends Error {}\nexport function stop() { throw new Fault() }\n";
    assert_eq!(related(&[("m.ts", code)], "m#Fault")[3], "raises: stop");
    assert_eq!(related(&[("m.ts", code)], "m#Reading"), ["makes: load", "takes: show", "is: Wet", "raises: "]);
}

#[test]
fn queries_name_what_a_function_takes_and_makes() {
    let code = "from web import http\nclass Reading: ...\nclass Series: ...\n\
                def view(request: http.Request, next: \"Path\") -> Answer: ...\ndef gather(reading: Reading, n=1) -> Series: ...\n\
                def split(series: Series) -> Reading: ...\ndef load() -> Series: ...\n";
    let files = vec![("m.py".to_owned(), code.as_bytes().to_vec().into())];
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let table = TypeTable::new(&index);
    let found = |typed: &str| {
        let (query, words) = TypeQuery::parse(typed);
        let mut names: Vec<String> = query
            .matches(&index, &table)
            .map_or_else(Vec::new, |ids| ids.into_iter().map(|id| index.definition(id).name.to_string()).collect());
        names.sort();
        (names.join(" "), words)
    };
    assert_eq!(found("Reading -> Series"), ("gather".to_owned(), String::new()));
    assert_eq!(found("-> series").0, "gather load");
    assert_eq!(found("makes:Ser fast"), ("gather load".to_owned(), "fast".to_owned()));
    assert_eq!(found("takes:Series makes:Reading").0, "split");
    // Annotations may name what the sources do not define.
    assert_eq!(["takes:Request", "Request -> Answer", "takes:Path"].map(|typed| found(typed).0), ["view"; 3]);
    assert_eq!(["takes:Req", "takes:request", "makes:Request"].map(|typed| found(typed).0), [""; 3]);
    // Filters stay filters, and a signature of code is searched by its words.
    assert_eq!(found("kind:function Reading -> Series"), ("gather".to_owned(), "kind:function".to_owned()));
    assert_eq!(found("takes:Reading -> Series.").0, "gather");
    for words in ["def f(x: int) -> str", "what it is: a client", ""] {
        assert_eq!(found(words), (String::new(), words.to_owned()));
    }
    assert_eq!([found("takes:").0, found("takes:Nothing").0, found("kind:class").1], ["", "", "kind:class"]);
}
