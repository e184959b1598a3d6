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
fn annotations_of_typescript() {
    let code = "export interface Reading { at: Date }\nexport class Wet implements Reading { at = new Date() }\n\
                export function load(path: string): Promise<Reading> { throw path }\n\
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
    let code = "class Reading: ...\nclass Series: ...\ndef gather(reading: Reading, n=1) -> Series: ...\n\
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
    // Filters stay filters, and a signature of code is searched by its words.
    assert_eq!(found("kind:function Reading -> Series"), ("gather".to_owned(), "kind:function".to_owned()));
    assert_eq!(found("takes:Reading -> Series.").0, "gather");
    for words in ["def f(x: int) -> str", "what it is: a client", ""] {
        assert_eq!(found(words), (String::new(), words.to_owned()));
    }
    assert_eq!([found("takes:").0, found("takes:Nothing").0, found("kind:class").1], ["", "", "kind:class"]);
}
