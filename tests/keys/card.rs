//! What a page says for the first call of a definition.

use apidisc::{control::Control, indexer, source::Source};

use crate::{
    pages::{assert_contains, demo, rows, to_row},
    support::{drive::Explorer, station},
};

#[test]
fn the_first_call_is_copied_with_its_import() {
    let code = "from windvane import Station, Thermometer, Hygrometer\n\nstation = Station(\"evening\", sensors=[Thermometer(\"air\"), Hygrometer(\"damp\")])\n";
    // From the panes, and from the page.
    for keys in ["fstation kind:class<Enter>Y", "fstation kind:class<Enter><Enter>Y", "fstation kind:class<Enter>rY"] {
        let mut explorer = demo();
        explorer.keys(keys);
        assert_eq!(explorer.performed.last().map(String::as_str), Some(&*format!("copied {code}")), "{keys}");
        let toast = explorer.model.toast.as_ref().map(|toast| toast.text.as_str());
        assert_eq!(toast, Some("copied import and call by OSC 52"), "{keys}");
    }
    let mut explorer = demo();
    explorer.keys("Y");
    assert!(explorer.performed.is_empty());
    assert_eq!(explorer.model.toast.as_ref().unwrap().text, "no definition is selected");
}

#[test]
fn the_first_call_makes_its_receiver() {
    let mut explorer = demo();
    explorer.keys("fstation.observe kind:method<Enter>Y");
    let copied = explorer.performed.last().unwrap();
    let lines: Vec<&str> = copied.lines().collect();
    assert!(lines[0].starts_with("copied from windvane import "), "{copied}");
    let receiver = lines[2].split(" = Station(").next().unwrap();
    assert_eq!(lines[3..], [format!("{receiver}.observe()")], "{copied}");
}

#[test]
fn without_sources_the_first_call_is_made_from_the_signature() {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(true)).keys("funused kind:func<Enter><Enter>");
    let rows = rows(&explorer);
    let heading = rows.iter().position(|row| row.starts_with("## First call")).unwrap();
    assert_eq!(rows[heading], "## First call (made from its signature)");
    assert!(rows[heading + 1].starts_with("| from ") && rows[heading + 3].starts_with("| unused("), "{rows:?}");
}

#[test]
fn an_index_from_a_file_has_the_call_that_stubs_quote() {
    let text = "class Kit:\n    def turn(self, by): ...\ndef run(a): ...\n";
    let uses = "from lib import Kit, run\nrun('x')\nkit = Kit()\nkit.turn(2)\n";
    let files = [("lib.py", text), ("app.py", uses)];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).to_vec();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).unwrap().unwrap();
    let options = apidisc::index::metadata::MetadataOptions { min_usage_threshold: 1, ..Default::default() };
    let written = apidisc::index::metadata::write(&index, &options).unwrap();
    let mut explorer = Explorer::new(120, 40);
    explorer.index(apidisc::index::metadata::read(&written).unwrap()).keys("frun kind:func<Enter><Enter>");
    let rows = rows(&explorer);
    let heading = rows.iter().position(|row| row.starts_with("## First call")).unwrap();
    assert_eq!(rows[heading], "## First call (quoted when it was indexed)");
    assert!(rows[heading + 1].starts_with("| from lib import run"), "{rows:?}");
    assert!(rows[heading + 3].starts_with("| run('x')"), "{rows:?}");
}

#[test]
fn what_people_use_of_the_result_is_there() {
    let mut explorer = demo();
    explorer.keys("fstation.observe kind:method<Enter><Enter>");
    let rows_of = rows(&explorer);
    let heading = rows_of.iter().position(|row| row.starts_with("## From the result (Series: ")).unwrap();
    assert!(rows_of[heading + 1].starts_with('.'), "{rows_of:?}");
    to_row(&mut explorer, &rows_of[heading + 1]);
    explorer.keys("<Enter>");
    assert!(explorer.text().contains("Series."), "{}", explorer.text());
}

#[test]
fn a_page_offers_calls_only_where_there_are_calls() {
    let mut explorer = Explorer::demo(160, 40);
    explorer.keys("fstation.name kind:attribute<Enter><Enter>");
    let footer = explorer.text().lines().last().unwrap().to_owned();
    assert!(explorer.text().contains("attribute Station.name"), "{}", explorer.text());
    assert!(footer.contains("source") && !footer.contains(" calls") && !footer.contains("next tab"), "{footer}");
    explorer.keys("<Esc>fstation.observe kind:method<Enter><Enter>");
    let footer = explorer.text().lines().last().unwrap().to_owned();
    assert!(footer.contains(" calls") && footer.contains("next tab"), "{footer}");
}

#[test]
fn a_long_documentation_is_unfolded() {
    let text = format!("def f(a):\n    \"\"\"Does.\n\n{}    \"\"\"\n\nf(1)\n", "    line\n".repeat(40));
    let source = Source::Memory { name: "m".to_owned(), files: vec![("m.py".to_owned(), text.into_bytes().into())] };
    let index = indexer::build(&source, &mut |_| Control::Continue).unwrap().unwrap();
    let mut explorer = Explorer::new(120, 40);
    explorer.source = Some(source);
    explorer.index(index).keys("ff kind:function<Enter><Enter>");
    let lines = |explorer: &Explorer| rows(explorer).iter().filter(|row| *row == "line").count();
    assert_eq!(lines(&explorer), 10);
    to_row(&mut explorer, "… 30 more lines");
    explorer.keys("<Enter>");
    assert_eq!(lines(&explorer), 40);
    to_row(&mut explorer, "… show the beginning alone");
    explorer.keys("<Enter>");
    assert_eq!(lines(&explorer), 10);
}

#[test]
fn a_type_that_is_cut_ends_with_an_ellipsis() {
    let members: Vec<String> = (0..12).map(|at| format!("'member-{at}'")).collect();
    let text =
        format!("from typing import Literal\n\ndef f(a: Literal[{}]): ...\n\nf('member-1')\n", members.join(", "));
    let source = Source::Memory { name: "m".to_owned(), files: vec![("m.py".to_owned(), text.into_bytes().into())] };
    let mut explorer = Explorer::new(120, 40);
    let index = indexer::build(&source, &mut |_| Control::Continue).unwrap().unwrap();
    explorer.source = Some(source);
    explorer.index(index).keys("ff kind:function<Enter><Enter>");
    assert!(explorer.text().contains("'member-5', 'member-6', …"), "{}", explorer.text());
}

#[test]
fn readers_in_documents_are_named_by_their_path() {
    let files = [
        ("m.py", "class C:\n    def __init__(self):\n        self.a = 1\n"),
        ("README.md", "```python\nfrom m import C\nprint(C().a)\n```\n"),
        ("docs/more.md", "```python\nfrom m import C\ndef g():\n    return C().a\n```\n"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into()));
    let source = Source::Memory { name: "m".to_owned(), files: files.into() };
    let index = indexer::build(&source, &mut |_| Control::Continue).unwrap().unwrap();
    let mut explorer = Explorer::new(120, 40);
    explorer.source = Some(source);
    explorer.index(index).keys("fC.a kind:attribute<Enter><Enter>");
    assert_contains(&explorer, "README.md:3");
    assert!(!explorer.text().contains("README_md"), "{}", explorer.text());
}
