//! Literate cases: Markdown pages with the expected result of linking. They state the definition that each call
//! resolves to, and the parameter that each argument is bound to.
//!
//! Every `## ` heading of a page opens a case. The fenced `python`, `ts`, `tsx`, `js`, `jsx`, `json`, `toml`, `ini`,
//! `vue`, `svelte` and `astro` blocks below it are its files. The title of a block, as in ```` ```python
//! title="pkg/a.py" ````, is the path of the file; a block without a title is `main.py`, `main.ts` and so on. Several
//! sources that are linked together are written `title="kit:pkg/a.py"`, with the name of the source first; they come
//! in the order of their first files. A comment at the end of a line states the expected calls of the line, in the
//! order of their columns:
//!
//! ```text
//! Agent("x", model="m")  #: main.Agent(name, model)
//! f(g())                 #: main.f(a), main.g()
//! unknown.run(1)         #: ? unknown_receiver
//! x.m()                  #: main.A.m() | main.B.m()
//! own_or_external()      #: main.own() | ?
//!
//! open(url, { retries: 3 }); //: main#open(url, options{retries})
//! <Button kind="x" />        {/*: main#Button({kind}) */}
//! <Button kind="x" />        <!--: main#Button({kind}) -->
//! ```
//!
//! `~` is an argument whose parameter is unknown. Braces contain the properties of an object literal: `~name` is a
//! property that the parameter's type does not declare, `...` is a spread, `[]` is a computed name. A destructured
//! parameter has no name before its braces. `@fn` is the object below a bare decorator, which the decorator is called
//! with: `@deco  #: main.deco(@fn)`. Lines without a comment of this form are not compared.
//!
//! A comment `#.` or `//.` states the attributes that the line reads, in the order of their columns, or `none`:
//!
//! ```text
//! response.status + response.size  #. main.Response.status, main.Response.size
//! response.status = 200            #. none
//! ```
//!
//! A comment `#%` or `//%` states the uses of the line that are neither calls nor reads, in the order of their columns,
//! or `none`. A use names its kind and the definition; then what takes or holds the definition, with the parameter in
//! parentheses and the key in brackets; last, after `by`, the function or class around the use:
//!
//! ```text
//! urlpatterns = [path("", index)]      #% passed main.index to path
//! HANDLERS = {"a": handle}             #% held main.handle to HANDLERS[a]
//! def run(error: Failure): ...         #% annotates main.Failure by main.run
//! ```
//!
//! A comment `#=` or `//=` states the attributes that are defined on the line, with their types and values, or `none`:
//! `self.name = name  #= name: str`.
//!
//! A comment `//@`, or `#@` in Python, states the HTTP requests that a line sends and the routes that it defines, or
//! `none`. Query parameters are behind `?`, properties of the body in braces, headers in brackets; `...` is what the
//! code does not show:
//!
//! ```text
//! client.post(f"/pets/{id}", json={"name": name, **rest})  #@ POST /pets/{} {name, ...}
//! @app.get("/pets/{id}")                                   #@ route GET /pets/{id} main.read_pet
//! ```
//!
//! A comment `//<`, or `#<` in Python, states the callers of the calls on a line: the functions around them, or the
//! module.
//!
//! A comment `//~`, or `#~` in Python, states the names under which the definitions of a line are shown, and from which
//! their imports are written.
//!
//! A comment `//>`, or `#>` in Python, states the parameters of the definitions on a line: `url, options?,
//! options.retries = 3`.

mod notation;
mod page;

use std::{borrow::Cow, fmt::Write as _, path::Path};

use apidisc_base::control::Control;
use apidisc_facts::source::{LinkedSources, NamedSource, Source};
use apidisc_indexing::indexer::build;
use page::{Case, Expectation};

#[test]
fn calls_resolve_as_the_python_pages_expect() {
    check_pages("python");
}

#[test]
fn calls_resolve_as_the_typescript_pages_expect() {
    check_pages("typescript");
}

/// Checks all pages of a language, and panics with a list of all lines that differ.
fn check_pages(language: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/cases").join(language);
    let mut pages: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of the pages")
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    assert!(!pages.is_empty(), "no pages in {}", folder.display());
    let mut differences = String::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        let cases = page::cases(&text);
        assert!(!cases.is_empty(), "{name} has no case");
        for case in cases {
            let checked = check(&name, &case, &mut differences);
            assert!(checked > 0, "{name} ({}): no line has an expectation", case.name);
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// Compares the lines of a case that have an expectation, and adds the lines that differ to `differences`. Returns the
/// number of compared lines.
fn check(page: &str, case: &Case, differences: &mut String) -> usize {
    let index = build(&source(case), &mut |_| Control::Continue).expect("a source").expect("not cancelled");
    let mut checked = 0;
    for file in &case.files {
        // In paths of the index, a source is a folder.
        let path = file.path.replace(':', "/");
        for (i, line) in file.text.lines().enumerate() {
            let Some(expectation) = page::expectation(&file.path, line) else { continue };
            checked += 1;
            let line = i + 1;
            let (expected, found) = match expectation {
                Expectation::Calls(expected) => (expected, notation::calls(&index, &path, line)),
                Expectation::Callers(expected) => (expected, notation::callers(&index, &path, line)),
                Expectation::Uses(expected) => (expected, notation::uses(&index, &path, line)),
                Expectation::Reads(expected) => (expected, notation::reads(&index, &path, line)),
                Expectation::Attributes(expected) => (expected, notation::attributes(&index, &path, line)),
                Expectation::Parameters(expected) => (expected, notation::parameters(&index, &path, line)),
                Expectation::Http(expected) => (expected, notation::http(&index, &path, line)),
                Expectation::Names(expected) => (expected, notation::names(&index, &path, line)),
            };
            // An empty expectation was left unfinished by mistake.
            if found != expected || expected.is_empty() {
                let page_line = file.line_offset + line;
                let _ = writeln!(
                    differences,
                    "{page}:{page_line} ({})\n  expected {expected}\n  found    {found}",
                    case.name
                );
            }
        }
    }
    checked
}

/// The paths and texts of the files of a source.
type MemoryFiles = Vec<(String, Cow<'static, [u8]>)>;

/// The files of a case as a source, or as several that are linked together.
fn source(case: &Case) -> Source {
    let mut sources: Vec<(&str, MemoryFiles)> = Vec::new();
    for file in &case.files {
        let (name, path) = file.path.split_once(':').unwrap_or(("", &file.path));
        let text = (path.to_owned(), Cow::Owned(file.text.clone().into_bytes()));
        match sources.iter_mut().find(|(known, _)| *known == name) {
            Some((_, files)) => files.push(text),
            None => sources.push((name, vec![text])),
        }
    }
    let memory = |name: &str, files| Source::Memory { name: name.to_owned(), files };
    if sources.len() == 1 {
        let (_, files) = sources.remove(0);
        return memory(&case.name, files);
    }
    let named = |(name, files): (&str, _)| NamedSource::new(name, memory(name, files));
    Source::Linked(LinkedSources::new(sources.into_iter().map(named).collect()))
}
