//! Literate cases: Markdown pages that say what calls resolve to and where their arguments land.
//!
//! Every `## ` heading of a page opens a case. Its fenced `python` blocks are its files: the block's title,
//! as in ```` ```python title="pkg/a.py" ````, is the path (`main.py` where there is none). A comment at the
//! end of a line says what the calls of that line come to, in the order of their columns:
//!
//! ```text
//! Agent("x", model="m")  #: main.Agent(name, model)
//! f(g())                 #: main.f(a), main.g()
//! unknown.run(1)         #: ? unknown_receiver
//! x.m()                  #: main.A.m() | main.B.m()
//! ```
//!
//! `~` stands for an argument whose parameter is not known. Lines without such a comment are not compared.

use std::{borrow::Cow, fmt::Write as _, path::Path};

use apidisc::engine::{
    index::{Control, DefinitionId, Index, build},
    source::Source,
    usage::{Bound, CallSite, Resolution},
};

/// A case as a page tells it.
struct Case {
    name: String,
    /// Path, source, and the page's line that the source begins after.
    files: Vec<(String, String, usize)>,
}

#[test]
fn pages_tell_the_truth() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut pages: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of the pages")
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    assert!(!pages.is_empty(), "no pages in {}", folder.display());
    let mut wrong = String::new();
    let mut checked = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        for case in cases(&text) {
            checked += check(&name, &case, &mut wrong);
        }
    }
    assert!(checked > 0, "no line of any page says what it comes to");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Compares every line of a case that says something; returns how many did.
fn check(page: &str, case: &Case, wrong: &mut String) -> usize {
    let files = case.files.iter().map(|(path, source, _)| (path.clone(), Cow::Owned(source.clone().into_bytes())));
    let source = Source::Memory { name: case.name.clone(), files: files.collect() };
    let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled");
    let mut checked = 0;
    for (path, source, page_line) in &case.files {
        for (i, line) in source.lines().enumerate() {
            let Some((_, expected)) = line.split_once("#: ") else { continue };
            checked += 1;
            let found: Vec<String> = index
                .calls
                .iter()
                .filter(|call| index.file(call.file).path == *path && call.line as usize == i + 1)
                .map(|call| describe(&index, call))
                .collect();
            let found = found.join(", ");
            if found != expected.trim() {
                let at = page_line + i + 1;
                let _ = writeln!(wrong, "{page}:{at} ({})\n  says  {}\n  finds {found}", case.name, expected.trim());
            }
        }
    }
    checked
}

/// A call as the pages write it.
fn describe(index: &Index, call: &CallSite) -> String {
    let one = |id: DefinitionId, is_first: bool| {
        let definition = index.definition(id);
        let arguments: Vec<String> = call
            .arguments
            .iter()
            .map(|argument| match &argument.bound {
                Bound::Parameter(place) => {
                    let parameters = definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
                    parameters.get(*place as usize).map_or("~".into(), |p| p.label().to_string())
                }
                Bound::Named(name) | Bound::Receiver(name) => name.to_string(),
                Bound::Unknown => "~".into(),
            })
            .collect();
        // Arguments are bound to the first of several candidates.
        if is_first { format!("{}({})", definition.fqn, arguments.join(", ")) } else { definition.fqn.to_string() }
    };
    match &call.resolution {
        Resolution::Resolved(id) => one(*id, true),
        Resolution::Ambiguous(ids) => {
            ids.iter().enumerate().map(|(i, id)| one(*id, i == 0)).collect::<Vec<_>>().join(" | ")
        }
        Resolution::Unresolved(why) => format!("? {}", why.word()),
    }
}

/// The cases of a page.
fn cases(page: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(name) = line.strip_prefix("## ") {
            cases.push(Case { name: name.to_owned(), files: Vec::new() });
        } else if let Some(info) = line.strip_prefix("```python") {
            let path = info.split('"').nth(1).unwrap_or("main.py").to_owned();
            let source: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            let case = cases.last_mut().expect("a heading before the first block");
            case.files.push((path, source.join("\n") + "\n", at + 1));
        }
    }
    cases
}
