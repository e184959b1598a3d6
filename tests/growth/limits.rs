//! Limits that a program reaches: each is reported, in the ledger or as a diagnostic that names the file and the limit.

use apidisc::{
    control::Control,
    diagnostic::{LimitCounts, Problem},
    index::{
        Index,
        metadata::{MetadataOptions, read, write},
    },
    indexer::build,
};

use crate::work::{Files, alone, source};

fn index(files: Files) -> Index {
    build(&source(files), &mut |_| Control::Continue).expect("a source").expect("not cancelled")
}

/// The messages of the diagnostics that call a file too complex.
fn said(index: &Index, path: &str) -> Vec<String> {
    let of_file = |d: &&apidisc::diagnostic::Diagnostic| d.problem == Problem::TooComplex && d.path == path;
    index.diagnostics.iter().filter(of_file).map(|d| d.message.clone()).collect()
}

/// Modules of TypeScript, each with an export of the one after it; the last one declares `f`.
fn modules_of(size: usize, export: &str) -> Files {
    let text = |i: usize| match i + 1 {
        next if next < size => format!("export {export} from './m{next}'\n"),
        _ => "export function f(a: number) {}\n".to_owned(),
    };
    let mut files: Files = (0..size).map(|i| (format!("m{i}.ts"), text(i))).collect();
    files[0].1 += "import { f } from './m1'\nf(1)\n";
    files
}

#[test]
fn a_long_chain_of_star_exports() {
    let _alone = alone();
    let index = index(modules_of(36, "*"));
    assert!(said(&index, "m0.ts")[0].contains("export * is longer than 32"), "{:?}", index.diagnostics);
    assert_eq!(said(&index, "m10.ts"), [""; 0]);
}

#[test]
fn a_long_chain_of_re_exports() {
    let _alone = alone();
    let index = index(modules_of(2_000, "{ f }"));
    assert!(index.diagnostics.iter().any(|d| d.message.contains("nested deeper than 1500")), "{:?}", index.diagnostics);
}

#[test]
fn a_long_chain_of_star_imports() {
    let _alone = alone();
    let text = |i: usize| format!("from p.q{} import *\n", i + 1);
    let mut files: Files = (0..12).map(|i| (format!("p/q{i}/__init__.py"), text(i))).collect();
    files.push(("p/q12/__init__.py".to_owned(), "def f(a): ...\n".to_owned()));
    let index = index(files);
    assert!(said(&index, "p/q0/__init__.py")[0].contains("star imports is longer than 8"), "{:?}", index.diagnostics);
    assert_eq!(said(&index, "p/q8/__init__.py"), [""; 0]);
}

#[test]
fn packages_that_star_import_each_other() {
    let _alone = alone();
    let size = 14;
    let text = |i: usize| {
        let stars = (0..size).filter(|j| *j != i).map(|j| format!("from p{j} import *\n")).collect::<Vec<_>>().concat();
        format!("{stars}def f{i}(a): ...\n")
    };
    let index = index((0..size).map(|i| (format!("p{i}/__init__.py"), text(i))).collect());
    assert_eq!(index.modules[0].exports.len(), size);
}

#[test]
fn deep_inference_is_too_complex() {
    let _alone = alone();
    let function = |i: usize| format!("function f{i}() {{ return f{}(); }}\n", i + 1);
    let text: String = (0..1_500).map(function).collect();
    let text = format!("{text}class A {{ m() {{}} }}\nfunction f1500() {{ return new A(); }}\nf0().m();\n");
    let deep = index(vec![("a.ts".to_owned(), text)]);
    assert_eq!((deep.ledger.too_complex, deep.ledger.unknown_receiver), (1, 0), "{:?}", deep.ledger);
}

#[test]
fn more_parameters_than_positions() {
    let _alone = alone();
    let list = |text: fn(usize) -> String| (0..4_200).map(text).collect::<Vec<_>>().join(",\n");
    let python = format!("def f({}): ...\nf(p1=2)\n", list(|i| format!("p{i}=1")));
    let typescript = format!("export function f({}) {{}}\nf(1)\n", list(|i| format!("p{i}?: number")));
    let index = index(vec![("a.py".to_owned(), python), ("b.ts".to_owned(), typescript)]);
    for (definition, path) in index.definitions.iter().zip(["a.py", "b.ts"]) {
        let parameters = definition.signature.as_ref().expect("a function").parameters.len();
        assert_eq!((parameters, definition.usage.total_calls), (4_096, 1));
        assert!(said(&index, path)[0].contains("more than 4096 parameters"), "{:?}", index.diagnostics);
    }
}

#[test]
fn more_overloads_than_are_listed() {
    let _alone = alone();
    let overloads: Vec<String> = (0..140).map(|i| format!("export function f(a: 'k{i}'): {i};\n")).collect();
    let overloads = overloads.concat();
    let text =
        format!("{overloads}export function f(a: string, b = 1): number {{ return 1; }}\nf('k3');\nf('k139');\n");
    let index = index(vec![("a.ts".to_owned(), text)]);
    assert!(said(&index, "a.ts")[0].contains("more than 128 overloads"), "{:?}", index.diagnostics);
    let usage = &index.definitions[0].usage;
    assert_eq!((index.definitions[0].overloads.len(), usage.overloads.len(), usage.total_calls), (128, 128, 2));
    // Only the overload that a call takes counts parameters.
    let counted: Vec<usize> = (0..128).filter(|&at| !usage.overloads[at].parameters.is_empty()).collect();
    assert_eq!((counted, usage.overloads[3].calls, usage.overloads[3].parameters.len()), (vec![3], 1, 2));
}

/// Of many overloads that differ in a string, each call is compared with those of its string.
#[test]
fn the_last_of_many_overloads_of_a_string() {
    let _alone = alone();
    let overloads = |i| format!("  on(event: 'e{i}', listener: (value: C{i}) => void): C{i};\n");
    let class = |i| format!("export class C{i} {{ run(n: number) {{}} }}\n");
    let classes: String = (0..300).map(class).collect();
    let overloads: String = (0..300).map(overloads).collect();
    let text = format!(
        "{classes}interface Emitter {{\n  on(event: number): void;\n{overloads}  on(event: symbol): void;\n}}\n\
         export declare const emitter: Emitter;\nemitter.on('e299', value => value.run(1)).run(2);\n\
         emitter.on('e7', value => value.run(1));\n"
    );
    let index = index(vec![("a.ts".to_owned(), text)]);
    let runs = index.definitions.iter().filter(|definition| definition.name == "run");
    let called: Vec<usize> = runs.enumerate().filter(|(_, run)| run.usage.total_calls > 0).map(|(at, _)| at).collect();
    assert_eq!((called, index.ledger.unknown_receiver), (vec![7, 299], 0), "{:?}", index.diagnostics);
}

#[test]
fn folders_nested_deeper_than_are_read() {
    let _alone = alone();
    let file = |folders: usize| (format!("{}m.py", "p/".repeat(folders)), "def f(): ...\n".to_owned());
    let index = index(vec![file(1), file(128), file(129)]);
    let said = index.diagnostics.iter().map(|diagnostic| (diagnostic.problem, diagnostic.message.clone()));
    let message = "folders are nested deeper than 128; what is in deeper folders is not read".to_owned();
    assert_eq!((index.definitions.len(), said.collect::<Vec<_>>()), (2, vec![(Problem::TooDeep, message)]));
}

#[test]
fn more_members_than_positions() {
    let _alone = alone();
    let members = (0..65_600).map(|i| format!("m{i}:1\n")).collect::<Vec<_>>().concat();
    let text = format!("interface I {{ {members} }}\ndeclare const i: I\n");
    let index = index(vec![("a.ts".to_owned(), text)]);
    assert!(said(&index, "a.ts")[0].contains("65535 members"), "{:?}", index.diagnostics);
    let members = index.definitions[0].members.len();
    assert_eq!(members, 65_535);
}

#[test]
fn an_index_file_counts_the_limits() {
    let _alone = alone();
    let built = index(modules_of(36, "*"));
    let options = MetadataOptions { min_usage_threshold: 0, ..MetadataOptions::default() };
    let text = write(&built, &options).expect("a text");
    let read = read(&text).expect("our own file");
    assert_eq!(read.limits(), LimitCounts { too_complex: 3, ..LimitCounts::default() });
    assert_eq!((read.limits(), write(&read, &options).expect("a text")), (built.limits(), text));
}

/// Each extension of an editor adds its commands to an interface, and a command can be called without the name of its
/// extension.
#[test]
fn the_commands_of_many_extensions_are_found() {
    let _alone = alone();
    let extension = |i| format!("export interface Commands<R> {{ e{i}: {{ run{i}: (n: number) => R }} }}\n");
    let extensions: String = (0..150).map(extension).collect();
    let text = extensions
        + "type ToIntersection<U> = (U extends any ? (k: U) => void : never) extends (k: infer I) => void ? I : never;\n\
           type All<R> = ToIntersection<Commands<R>[keyof Commands<R>]>;\n\
           type Chain = { [K in keyof All<any>]: All<Chain>[K] };\n\
           declare const chain: Chain;\n\
           chain.run0(1).run149(2);\n";
    let index = index(vec![("a.ts".to_owned(), text)]);
    let called = index.definitions.iter().filter(|definition| definition.usage.total_calls == 1);
    let names: Vec<&str> = called.map(|definition| definition.name.as_str()).collect();
    assert_eq!(names, ["run0", "run149"]);
}

/// A class whose constructor assigns an attribute that has 60 values, each of which has 60 values, and so on.
fn attribute_of(levels: usize) -> Index {
    let level = |level: usize| {
        let before = level.checked_sub(1).map_or("1".to_owned(), |before| format!("v{before}"));
        (0..60).map(|i| format!("        if k == {i}: v{level} = {before}\n")).collect::<Vec<String>>().concat()
    };
    let text: String = (0..levels).map(level).collect();
    let text = format!("class C:\n    def __init__(self, k):\n{text}        self.x = v{}\n", levels - 1);
    index(vec![("a.py".to_owned(), text)])
}

#[test]
fn an_attribute_whose_type_takes_too_many_steps_has_none() {
    let _alone = alone();
    for (levels, expected) in [(2, Some("int")), (5, None)] {
        let index = attribute_of(levels);
        let attribute = index.definitions.iter().find(|definition| definition.name == "x").expect("an attribute");
        assert_eq!(attribute.annotation.as_deref(), expected);
    }
}

/// The base of `D` takes more than half of the steps of a question, and so does the type of `other(1)`.
#[test]
fn a_base_is_found_whatever_else_a_question_takes() {
    let _alone = alone();
    let list = |item: &str| format!("[{}]", [item; 32].join(","));
    let values = format!("    if k: return {}\n", list(&list(&list("A")))).repeat(5);
    let text = format!(
        "class A:\n    def run(self, n): ...\ndef pick(k):\n{values}def other(k):\n{values}\
         class D(pick(1)[0][0][0]): ...\ndef use(d: D):\n    (other(1) or d).run(1)\n    d.run(2)\n"
    );
    let index = index(vec![("a.py".to_owned(), text)]);
    let run = index.definitions.iter().find(|definition| definition.name == "run").expect("a method");
    assert_eq!((run.usage.total_calls, index.ledger.too_complex), (2, 0), "{:?}", index.diagnostics);
}

#[test]
fn star_imports_are_followed_through_hundreds_of_modules_and_cycles() {
    let _alone = alone();
    let stars: Vec<String> = (0..400).map(|i| format!("from .m{i} import *\n")).collect();
    let uses = "from kit import Model0, Model7, Model399, hidden\nModel0(1)\nModel7(1)\nModel399(1)\nhidden()\n";
    let mut files: Files = vec![
        ("kit/__init__.py".to_owned(), "from .models import *\n".to_owned()),
        ("kit/models/__init__.py".to_owned(), stars.concat()),
        ("use.py".to_owned(), uses.to_owned()),
    ];
    for i in 0..400 {
        // Each module star-imports the next one, and the last one the first.
        let text = format!("from ..m{} import *\nfrom .body import *\n", (i + 1) % 400);
        files.push((format!("kit/models/m{i}/__init__.py"), text));
        let body =
            format!("__all__ = ['Model{i}']\nclass Model{i}:\n    def __init__(self, a): ...\ndef hidden(): ...\n");
        files.push((format!("kit/models/m{i}/body.py"), body));
    }
    let index = index(files);
    for (name, calls) in [("Model0", 1), ("Model7", 1), ("Model399", 1), ("hidden", 0)] {
        let found = index.definitions.iter().filter(|definition| definition.name.as_str() == name);
        assert_eq!(found.map(|definition| definition.usage.total_calls).sum::<u32>(), calls, "{name}");
    }
}
