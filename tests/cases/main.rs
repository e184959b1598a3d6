//! Literate cases: Markdown pages that say what calls resolve to and where their arguments land.
//!
//! Every `## ` heading of a page opens a case. Its fenced `python`, `ts`, `tsx`, `js` and `json` blocks are its
//! files: the block's title, as in ```` ```python title="pkg/a.py" ````, is the path (`main.py`, `main.ts`, … where
//! there is none). A comment at the end of a line says what the calls of that line come to, in the order of their
//! columns:
//!
//! ```text
//! Agent("x", model="m")  #: main.Agent(name, model)
//! f(g())                 #: main.f(a), main.g()
//! unknown.run(1)         #: ? unknown_receiver
//! x.m()                  #: main.A.m() | main.B.m()
//!
//! open(url, { retries: 3 }); //: main#open(url, options{retries})
//! <Button kind="x" />        {/*: main#Button({kind}) */}
//! ```
//!
//! `~` stands for an argument whose parameter is not known. Braces hold the properties of an object literal: `~name`
//! is none of its parameter's, `...` a spread, `[]` a computed name. A parameter that is taken apart has no name but
//! the braces. Lines without such a comment are not compared.
//!
//! `//>` says what can be passed to the definitions of a line: `url, options?, options.retries = 3`.

mod page;
mod told;

use std::{borrow::Cow, fmt::Write as _, path::Path};

use apidisc::{control::Control, indexer::build, source::Source};
use page::{Case, Says};

#[test]
fn python_pages_tell_the_truth() {
    pages_tell_the_truth("python");
}

#[test]
fn typescript_pages_tell_the_truth() {
    pages_tell_the_truth("typescript");
}

fn pages_tell_the_truth(language: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(language);
    let mut pages: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of the pages")
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    assert!(!pages.is_empty(), "no pages in {}", folder.display());
    let mut wrong = String::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        let cases = page::cases(&text);
        assert!(!cases.is_empty(), "{name} has no case");
        for case in cases {
            let checked = check(&name, &case, &mut wrong);
            assert!(checked > 0, "{name} ({}): no line says what it comes to", case.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Compares every line of a case that says something; returns how many did.
fn check(page: &str, case: &Case, wrong: &mut String) -> usize {
    let files = case.files.iter().map(|file| (file.path.clone(), Cow::Owned(file.text.clone().into_bytes())));
    let source = Source::Memory { name: case.name.clone(), files: files.collect() };
    let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled");
    let mut checked = 0;
    for file in &case.files {
        for (i, line) in file.text.lines().enumerate() {
            let Some(says) = page::says(&file.path, line) else { continue };
            checked += 1;
            let line = i + 1;
            let (expected, found) = match says {
                Says::Calls(expected) => (expected, told::calls(&index, &file.path, line)),
                Says::Takes(expected) => (expected, told::definitions(&index, &file.path, line)),
            };
            // A line that says nothing is one that was forgotten.
            if found != expected || expected.is_empty() {
                let at = file.page_line + line;
                let _ = writeln!(wrong, "{page}:{at} ({})\n  says  {expected}\n  finds {found}", case.name);
            }
        }
    }
    checked
}
