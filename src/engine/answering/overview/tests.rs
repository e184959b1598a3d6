//! Tests of overviews: quoted texts without marks, and the parts of an overview.

use std::sync::Arc;

use super::{prose::paragraphs, *};
use crate::types::TypeTable;
use apidisc_base::control::Control;
use apidisc_facts::{
    documents::Format,
    source::{Source, reread},
};
use apidisc_indexing::indexer;

fn overview_of(files: &[(&str, &str)], module: Option<&str>) -> (Arc<Index>, Overview) {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = Arc::new(indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index"));
    let scope = index.scope(module, None).expect("the module");
    let overview = overview(&index, scope, &TypeTable::new(&index), &|path| reread(&source, path));
    (index, overview)
}

const LIBRARY: &[(&str, &str)] = &[
    (
        "README.md",
        "# Windvane [![build](b.svg)](https://ci)\n\n<p align=\"center\">logo</p>\n\nReads **weather stations** of \
         many [makers](https://m), and keeps what `they` say.\n\n```python\nfrom windvane import Station\n\nStation(1)\
         .read()\n```\n",
    ),
    ("CHANGELOG.md", "# Changes\n\nAll notable changes.\n\n## 2.1\n\n- Adds `Station.read`.\n\n## 2.0\n\n- Old.\n"),
    (
        "windvane/__init__.py",
        "\"\"\"The stations, and all that the *package* reads of them.\"\"\"\nfrom .station import Station, Reading, \
         gather, old\n",
    ),
    (
        "windvane/station.py",
        "from warnings import deprecated\nclass Reading:\n    def show(self): ...\nclass Station:\n    def __init__(\
         self, n): ...\n    def read(self) -> Reading: ...\ndef gather(reading: Reading) -> Station: ...\n\
         @deprecated(\"use gather\")\ndef old(): ...\n",
    ),
    (
        "windvane/tool.py",
        "from .station import Station\ndef main():\n    Station(3)\nif __name__ == '__main__': main()\n",
    ),
    ("examples/a.py", "from windvane import Station, gather\ngather(Station(2).read()).read().show()\n"),
];

#[test]
fn an_overview_says_what_a_reader_should_see_first() {
    let (index, overview) = overview_of(LIBRARY, None);
    let name = |id: &DefinitionId| index.definition(*id).alias.to_string();
    let summary = overview.summary.expect("a summary");
    assert_eq!(
        (summary.path.as_str(), summary.lines.join("|").as_str()),
        ("README.md", "Reads weather stations of many makers, and keeps what they say.")
    );
    let example = overview.example.expect("an example");
    assert_eq!(
        (example.place.as_deref(), example.lines.join("|").as_str()),
        (Some("README.md:8"), "from windvane import Station||Station(1).read()")
    );
    let starts: Vec<String> = overview
        .entry_points
        .iter()
        .map(|entry| format!("{}: {}", entry.id.as_ref().map(name).unwrap_or_default(), entry.why(&index)))
        .collect();
    assert_eq!(
        starts,
        [
            "windvane.Station: the first call in 1 of 2 examples and documents",
            "windvane.gather: the first call in 1 of 2 examples and documents",
            "windvane.tool.main: run by windvane/tool.py"
        ]
    );
    let related = |ids: &[DefinitionId]| ids.iter().map(name).collect::<Vec<_>>().join(" ");
    let concepts: Vec<String> = overview
        .concepts
        .iter()
        .map(|concept| {
            let (made, passed) = (related(&concept.made_by), related(&concept.passed_to));
            format!("{} {} <- {made} -> {passed}", name(&concept.id), concept.uses)
        })
        .collect();
    assert_eq!(
        concepts,
        [
            "windvane.Station 6 <- windvane.gather -> ",
            "windvane.Reading 1 <- windvane.Station.read -> windvane.gather",
            "windvane.gather 1 <-  -> ",
            "windvane.tool.main 1 <-  -> ",
        ]
    );
    assert_eq!(related(&overview.deprecated), "windvane.old");
    let changes = overview.changes.expect("changes");
    assert_eq!(changes.lines, ["2.1", "Adds Station.read."]);
}

#[test]
fn a_package_is_summed_up_by_its_own_documentation() {
    let (_, overview) = overview_of(LIBRARY, Some("windvane"));
    let summary = overview.summary.expect("a summary");
    assert_eq!(
        (summary.path.as_str(), summary.lines.join("|").as_str()),
        ("windvane/__init__.py", "The stations, and all that the package reads of them.")
    );
    assert_eq!(overview.changes, None);
    let comment = "/**\n * Everything that sends a request over the network.\n */\n\nexport function send() {}\n";
    let licence = "/**\n * Copyright of a person who has a licence to give.\n */\n\nexport function take() {}\n";
    let of = "/** Sends one request to the network and then returns. */\nexport function put() {}\n";
    let files = &[("a.ts", comment), ("b.ts", licence), ("c.ts", of)];
    let summary = |module| overview_of(files, Some(module)).1.summary.map(|summary| summary.lines.join("|"));
    assert_eq!(summary("a").as_deref(), Some("Everything that sends a request over the network."));
    assert_eq!([summary("b"), summary("c")], [None, None]);
}

#[test]
fn paragraphs_have_no_marks() {
    let text = "Title\n=====\n\n.. image:: a.svg\n\n* a list item that is long enough to be read as a paragraph\n\n\
                The **first** paragraph of_the text_ has `code` and\n[![badge](x)](y) a [link](z) in its two lines.\n\n    \
                code that is indented and long enough to be one\n\nThe second one says something of its own, too.\n";
    assert_eq!(
        paragraphs(text, Format::ReStructuredText, 2),
        [
            "The first paragraph of_the text_ has code and a link in its two lines.",
            "The second one says something of its own, too."
        ]
    );
    for text in ["", "[", "![", "[a](", "[a][", "<", "<a", "_", "__", "*", "`", "<!--", "a_b_c", "](", "[[[]"] {
        paragraphs(&text.repeat(40), Format::Markdown, 2);
    }
}

#[test]
fn what_starts_a_program_is_listed_first() {
    let files = &[
        ("pyproject.toml", "[project.scripts]\nwind = \"windvane.tool:main\"\n[tool.x]\ny = \"a:b\"\n"),
        ("package.json", "{\"scripts\": {\"start\": \"next start\", \"dev\": \"next dev\"}}"),
        ("next.config.ts", "export default {}\n"),
        ("src/app/(main)/items/[id]/page.tsx", "export default function Page() { return null }\n"),
        ("windvane/__init__.py", ""),
        ("windvane/__main__.py", "from .tool import main\nmain()\n"),
        ("windvane/tool.py", "def main(): ...\n"),
    ];
    let (index, overview) = overview_of(files, None);
    let own = |id: DefinitionId| index.definition(id).alias.to_string();
    let named = |entry: &EntryPoint| entry.name(&index).or(entry.id.map(own)).unwrap_or_default();
    let starts: Vec<String> =
        overview.entry_points.iter().map(|entry| format!("{}: {}", named(entry), entry.why(&index))).collect();
    assert_eq!(
        starts,
        [
            "windvane.tool.main: the command wind",
            "npm start: runs next start",
            "npm run dev: runs next dev",
            "python -m windvane: windvane/__main__.py",
            "/items/{id}: the only page or route of Next.js",
        ]
    );
}

#[test]
fn a_sentence_in_html_is_a_summary() {
    let readme = "<p align=\"center\">\n  <img src=\"https://a.b/c.png\"\n   alt=\"Logo of the tool\">\n</p>\n\n\
                  <p align=\"center\">\n  <i>Windvane is a small tool that reads the weather.</i>\n</p>\n\n\
                  <p><a href=\"x\">Documentation</a> • <a href=\"y\">Examples of all kinds.</a></p>\n\n\
                  ## Start\n\nRun it by hand with the usual tools.\n";
    assert_eq!(paragraphs(readme, Format::Markdown, 2), ["Windvane is a small tool that reads the weather."]);
}

#[test]
fn notes_lose_their_kind_and_lists_their_introduction() {
    let readme = "# H3\n\nA framework that serves web pages over HTTP in any runtime.\n\n\
                  > [!NOTE]\n> You are reading about the second version.\n";
    assert_eq!(
        paragraphs(readme, Format::Markdown, 2),
        ["A framework that serves web pages over HTTP in any runtime.", "You are reading about the second version."]
    );
    let readme = "# Board\n\nA forum software that is written in Python and Flask.\n\n\
                  The following features are there:\n\n* topics\n";
    assert_eq!(paragraphs(readme, Format::Markdown, 2), ["A forum software that is written in Python and Flask."]);
}

#[test]
fn a_title_is_no_summary() {
    let readme = "Arrow: better dates and times for Python\n=======================================\n\n\
                  .. image:: a.svg\n   :alt: build\n\n**Arrow** is a library that offers dates.\n\n\
                  Why use Arrow over the built-in modules of Python?\n--------\n";
    assert_eq!(paragraphs(readme, Format::ReStructuredText, 2), ["Arrow is a library that offers dates."]);
}
