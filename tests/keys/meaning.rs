//! The finder below the names: what is found by meaning, and the page of a recipe.

use apidisc::{control::Control, indexer, source::Source};
use apidisc_tui::tui::{
    geometry,
    input::{Mouse, MouseAction},
    jobs::Answer,
    message::Message,
    model::{Finder, MeaningTarget, Overlay, page::PageSubject},
};

use crate::support::drive::Explorer;

const LIBRARY: &str = "class Reply:
    \"\"\"What a server says.\"\"\"
    def raise_for_status(self):
        \"\"\"Raise an error unless the server agreed.\"\"\"
class Client:
    \"\"\"Talks to a server.\"\"\"
    def __init__(self, base=''): ...
    def get(self, url) -> Reply:
        \"\"\"Download a page.\"\"\"
";
const APP: &str = "from lib import Client
def load(url):
    client = Client()
    reply = client.get(url)
    reply.raise_for_status()
";
const CODE: &str = "from lib import Client\nclient = Client()\nreply = client.get(url)\nreply.raise_for_status()\n";
const RECIPE: &str = "Client → Client.get → Reply.raise_for_status";

fn explorer() -> Explorer {
    let files = [("lib.py", LIBRARY), ("a.py", APP), ("b.py", APP)];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).to_vec();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).unwrap().unwrap();
    let mut explorer = Explorer::new(120, 40);
    (explorer.source, explorer.finds_by_meaning) = (Some(source), true);
    explorer.index(index);
    explorer
}

fn finder(explorer: &Explorer) -> &Finder {
    let Some(Overlay::Find(finder)) = &explorer.model.overlay else { panic!("the finder is closed") };
    finder
}

fn by_meaning(explorer: &Explorer) -> Vec<&str> {
    finder(explorer).meaning.iter().map(|hit| hit.name.as_str()).collect()
}

/// Selects the recipe in the finder.
fn select_recipe(explorer: &mut Explorer) {
    let row = by_meaning(explorer).iter().position(|name| *name == RECIPE).expect("the recipe is found");
    let names = finder(explorer).hits.len();
    explorer.keys(&"<Down>".repeat(names + row));
    assert!(matches!(finder(explorer).selected_meaning().unwrap().target, MeaningTarget::Recipe(_)));
}

fn is_recipe(explorer: &Explorer) -> bool {
    matches!(explorer.model.page.as_ref().map(|page| &page.subject), Some(PageSubject::Recipe(_)))
}

#[test]
fn what_no_name_has_is_found_by_its_meaning() {
    let mut explorer = explorer();
    explorer.keys("fdownload a page");
    assert!(finder(&explorer).hits.is_empty());
    assert!(by_meaning(&explorer).contains(&"lib.Client.get"), "{:?}", by_meaning(&explorer));
    let text = explorer.text();
    assert!(text.contains("nothing has that name") && text.contains("By meaning"), "{text}");
    explorer.keys("<Enter>");
    assert!(explorer.model.overlay.is_none() && explorer.text().contains("Stub for “download a page” · "));
}

#[test]
fn names_come_first_and_are_not_repeated() {
    let mut explorer = explorer();
    explorer.keys("fclient");
    assert_eq!(finder(&explorer).selected().unwrap().full_name, "lib.Client");
    assert!(!by_meaning(&explorer).contains(&"lib.Client"), "{:?}", by_meaning(&explorer));
    assert!(by_meaning(&explorer).contains(&RECIPE), "{:?}", by_meaning(&explorer));
    // Filters ask for names, and so do fewer letters than a word has.
    for query in ["client kind:class", "cl", ""] {
        explorer.keys("<Esc>f").keys(query);
        assert!(by_meaning(&explorer).is_empty(), "{query}");
    }
}

#[test]
fn the_answer_to_an_older_query_is_dropped() {
    let mut explorer = explorer();
    explorer.keys("fdownload");
    let hits = finder(&explorer).meaning.clone();
    let ticket = finder(&explorer).ticket;
    explorer.keys("<C-u>client kind:class");
    explorer.send(Message::Answered(Answer::FoundByMeaning { ticket, hits: hits.clone() }));
    assert!(!hits.is_empty() && by_meaning(&explorer).is_empty());
    // An answer that comes after the finder is closed changes nothing.
    explorer.keys("<Esc>").send(Message::Answered(Answer::FoundByMeaning { ticket, hits }));
    assert!(explorer.model.overlay.is_none());
}

#[test]
fn a_recipe_has_a_page_that_copies_its_code() {
    let mut explorer = explorer();
    explorer.keys("fdownload a page");
    select_recipe(&mut explorer);
    assert!(explorer.text().contains("reply.raise_for_status()"), "{}", explorer.text());
    explorer.keys("<Enter>");
    assert!(is_recipe(&explorer));
    let text = explorer.text();
    for part in [
        "recipe Client → Client.get",
        "2 uses in 2 files, 100% of them meant to work",
        "What it calls",
        "a.py:5",
        "b.py:5",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    explorer.keys("Y");
    assert_eq!(explorer.performed.last().map(String::as_str), Some(&*format!("copied {CODE}")));
    // What the recipe calls is a step away, and back.
    explorer.keys("dc");
    assert!(!is_recipe(&explorer));
    explorer.keys("[[");
    assert!(is_recipe(&explorer), "{:?}", explorer.model.page.as_ref().map(|page| &page.subject));
}

#[test]
fn in_a_new_index_the_page_of_a_recipe_is_about_what_it_calls() {
    let mut explorer = explorer();
    explorer.keys("fdownload a page");
    select_recipe(&mut explorer);
    explorer.keys("<Enter>");
    let source = explorer.source.clone().unwrap();
    explorer.index(indexer::build(&source, &mut |_| Control::Continue).unwrap().unwrap());
    assert!(!is_recipe(&explorer) && explorer.model.page.is_some());
}

#[test]
fn a_click_takes_a_row_by_meaning() {
    let mut explorer = explorer();
    explorer.keys("fdownload a page");
    let row = by_meaning(&explorer).iter().position(|name| *name == RECIPE).expect("the recipe is found");
    let list = geometry::finder(explorer.model.size).list;
    let rows = geometry::finder_rows(list, 0, finder(&explorer).meaning.len());
    let at = Mouse { action: MouseAction::Press, column: rows.meaning.x + 3, row: rows.meaning.y + row as u16 };
    explorer.send(Message::Mouse(at));
    assert!(is_recipe(&explorer));
}

#[test]
fn the_list_has_room_for_both_in_every_window() {
    for (columns, rows) in [(40, 10), (60, 12), (80, 24), (200, 60)] {
        let list = geometry::finder(geometry::ScreenSize { columns, rows }).list;
        for (names, meaning) in [(0, 1), (3, 12), (1000, 12), (1000, 0)] {
            let found = geometry::finder_rows(list, names, meaning);
            assert!(found.names.height > 0 && found.meaning.bottom() <= list.bottom(), "{columns}x{rows}");
            assert_eq!(found.meaning.height > 0, meaning > 0 && list.height >= 4, "{columns}x{rows}");
            assert!(found.meaning.height == 0 || found.meaning.y == found.names.bottom() + 1);
        }
    }
}

#[test]
fn the_stub_of_a_hit_by_meaning_is_ranked_for_the_question() {
    let options: Vec<String> = (0..250).map(|at| format!("option_number_{at}")).collect();
    let parameters = options.iter().map(|name| format!(", {name}=None")).collect::<Vec<_>>().concat();
    let library = format!("def fetch(url{parameters}, retry_count=0):\n    \"\"\"Download a page.\"\"\"\n");
    let calls = options.iter().map(|name| format!("fetch('/', {name}=1)\n")).collect::<Vec<_>>().concat();
    let app = format!("from net import fetch\n{calls}");
    let files = [("net.py", library), ("app.py", app)];
    let files = files.map(|(path, text)| (path.to_owned(), text.into_bytes().into())).to_vec();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).unwrap().unwrap();
    let mut explorer = Explorer::new(160, 50);
    (explorer.source, explorer.finds_by_meaning) = (Some(source), true);
    explorer.index(index);
    let stub = |explorer: &Explorer| explorer.model.preview.stub().expect("a stub").delivery.text.clone();
    explorer.keys("{{{fdownload a page and retry<Enter>");
    assert!(stub(&explorer).contains("retry_count"), "{}", stub(&explorer));
    assert!(explorer.text().contains("for “download a page and retry”"), "{}", explorer.text());
    let request = explorer.model.stub_request().expect("a request");
    assert_eq!(request.deliver(&explorer.model.catalog.as_ref().unwrap().index).unwrap().text, stub(&explorer));
    explorer.keys("X");
    assert!(!stub(&explorer).contains("retry_count") && !explorer.text().contains("for “"), "{}", explorer.text());
    // A hit by its name says nothing of parameters.
    explorer.keys("fdownload a page and retry<Enter>ffetch<Enter>");
    assert!(explorer.model.overrides.question().is_none());
}
