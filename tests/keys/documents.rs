//! API documents: their rows, texts, pages and problems, and how they are read again.

use std::sync::Arc;

use apidisc::{
    answers::SymbolTable,
    discover::{Corpus, Discover, DiscoverResult, Searched, discover},
    http::{ApiUses, UsedApis, find_operation, find_part, operation_stub, part_text},
    openapi::{ApiDocuments, ApiIndex, Chunks},
    source::Source,
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};
use apidisc_tui::tui::{
    geometry::Pane,
    input::{Mouse, MouseAction},
    layout,
    message::Message,
    model::{Location, MeaningTarget, Overlay},
    session::Session,
};

use crate::{
    pages::{assert_contains, to_row},
    support::{
        ads::{self, explorer, in_document},
        drive::Explorer,
        station,
    },
};

/// The name of the selected part.
fn part(explorer: &Explorer) -> String {
    explorer.model.part().map_or(String::new(), |part| part.name())
}

/// The text of the stub pane.
fn stub(explorer: &Explorer) -> &str {
    &explorer.model.preview.stub().expect("a text").delivery.text
}

/// The stub that the command line prints.
fn exported(symbol: &str, max_tokens: Option<usize>) -> String {
    let source = ads::source(ads::DOCUMENT);
    let (documents, index) = (ApiDocuments::read(&source).unwrap(), ads::index(&source));
    let uses = ApiUses::new(&documents, &index);
    let id = find_operation(&documents, symbol).unwrap();
    let tokenizer = Tokenizer::load(Encoding::default());
    operation_stub(&documents, id, Some((&index, &uses)), max_tokens, &tokenizer).unwrap().text
}

#[test]
fn operations_are_symbols_whose_text_is_that_of_the_export() {
    let mut explorer = in_document(120, 40);
    assert_eq!((part(&explorer).as_str(), explorer.model.focus), ("POST /campaigns", Pane::Symbols));
    assert_eq!(stub(&explorer), exported("POST /campaigns", Some(1000)));
    // The budget is that of the strategy in force, and other strategies show everything.
    explorer.keys("{");
    assert_eq!(stub(&explorer), exported("POST /campaigns", Some(500)));
    explorer.keys("{{-");
    let Strategy::TokenBudget { max_tokens } = explorer.model.settings.strategy else { panic!("no budget") };
    assert!(max_tokens < 149, "the whole needs 149 tokens");
    assert_eq!(stub(&explorer), exported("POST /campaigns", Some(max_tokens)));
    explorer.keys("y");
    let copied = format!("copied {}", exported("POST /campaigns", Some(max_tokens)));
    assert_eq!(explorer.performed.last(), Some(&copied));
    explorer.keys("sss");
    assert_eq!(stub(&explorer), exported("POST /campaigns", None));
    explorer.keys("w");
    let Some(Overlay::Write(prompt)) = &explorer.model.overlay else { panic!("no prompt") };
    assert_eq!(
        prompt.command,
        "apidisc-tui --export --docs ~/src/station --symbol 'POST /campaigns' --strategy exhaustive ~/src/station"
    );
    // A budget that is too small names the one that is large enough.
    explorer.keys("<Esc>s");
    explorer.keys("{{{{{{{{{");
    assert!(explorer.text().contains("POST /campaigns needs "), "{}", explorer.text());
}

#[test]
fn the_text_of_a_schema_is_that_of_the_export() {
    let mut explorer = in_document(120, 40);
    explorer.keys("/NewCampaign<Enter>w");
    let Some(Overlay::Write(prompt)) = &explorer.model.overlay else { panic!("no prompt") };
    assert_eq!(
        prompt.command,
        "apidisc-tui --export --docs ~/src/station --symbol NewCampaign --strategy exhaustive ~/src/station"
    );
    assert_eq!(prompt.suggestion, "NewCampaign.json");
    let documents = ApiDocuments::read(&ads::source(ads::DOCUMENT)).unwrap();
    let chunks = Chunks::new(&documents);
    let at = find_part(&chunks, "NewCampaign").unwrap();
    let text = part_text(&documents, &chunks, at, None, &Tokenizer::load(Encoding::default())).unwrap().text;
    assert_eq!(stub(&explorer), text);
    // What the document says of the API as a whole has no name: its id is unique.
    explorer.keys("<Esc><Esc>hw");
    let Some(Overlay::Write(prompt)) = &explorer.model.overlay else { panic!("no prompt") };
    assert!(prompt.command.contains("--symbol openapi.yaml:info "), "{}", prompt.command);
}

#[test]
fn a_place_in_a_document_is_restored_with_the_session() {
    let mut explorer = in_document(120, 40);
    explorer.keys("/NewCampaign<Enter><Esc><Enter>");
    let location = Session::of(&explorer.model).location;
    assert!(location.as_ref().is_some_and(Location::is_in_documents));
    let reopened = |document: &str| {
        let mut next = Explorer::new(120, 40);
        let session = Session::parse(&Session::of(&explorer.model).to_toml("/home/x/ads")).unwrap();
        next.model.restore_session(session, &Explorer::options());
        let source = ads::source(document);
        let index = ads::index(&source);
        next.source = Some(source);
        next.index(index);
        next
    };
    let next = reopened(ads::DOCUMENT);
    assert_eq!((Session::of(&next.model).location, next.text()), (location, explorer.text()));
    // Of a schema that is gone, the document is left.
    let gone = reopened(&ads::DOCUMENT.replace("NewCampaign", "Draft"));
    assert_eq!((gone.model.page.is_none(), gone.model.document().is_some()), (true, true));
}

#[test]
fn the_finder_has_the_order_of_discover() {
    let mut explorer = explorer(120, 40);
    explorer.finds_by_meaning = true;
    let source = ads::source(ads::DOCUMENT);
    let (documents, index) = (ApiIndex::read(&source).unwrap(), Arc::new(ads::index(&source)));
    let api = UsedApis::new(documents, &index);
    let open = |path: &str| apidisc::source::reread(&source, path);
    let corpus = Corpus::new(Arc::new(SymbolTable::new(Arc::clone(&index))), &open);
    for intent in ["create a campaign", "campaign", "read a campaign by its id"] {
        let request = Discover { intent: intent.to_owned(), ..Discover::default() };
        let searched = Searched { corpus: &corpus, external: Some(&api) };
        let found = discover(searched, &open, &request).unwrap().results;
        assert!(found.iter().any(DiscoverResult::is_of_api) && found.iter().any(|found| !found.is_of_api()));
        explorer.keys(&format!("f{intent}"));
        let Some(Overlay::Find(finder)) = &explorer.model.overlay else { panic!("the finder is closed") };
        let names: Vec<&str> = finder.meaning.iter().map(|hit| hit.name.as_str()).collect();
        // The finder does not repeat what is among the names above.
        let expected: Vec<&str> =
            found.iter().map(|found| found.name.as_str()).filter(|name| names.contains(name)).collect();
        assert_eq!(names[..expected.len()], expected, "{intent}");
        assert!(names.contains(&"POST /campaigns"), "{names:?}");
        explorer.keys("<Esc>");
    }
}

#[test]
fn operations_come_by_their_calls_then_schemas() {
    let explorer = in_document(120, 40);
    let api = explorer.model.api.catalog.as_ref().unwrap();
    let names: Vec<String> = explorer.model.api.parts.rows.iter().map(|row| api.name(row.at)).collect();
    let expected =
        ["POST /campaigns", "GET /campaigns/{id}", "GET /reports", "NewCampaign", "Tag", "Campaign"].map(str::to_owned);
    assert_eq!(names, expected);
    assert_eq!(api.modules[0].calls, 5);
    let text = explorer.text();
    assert!(text.contains("openapi.yaml") && text.contains("Create a campaign"), "{text}");
    // Nothing of a document reaches the terminal as it is.
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
}

#[test]
fn arguments_have_bars_and_the_foot_says_more() {
    let mut explorer = in_document(120, 40);
    explorer.keys("l");
    let row = |explorer: &Explorer, name: &str| {
        let arguments = explorer.model.api.arguments.items.as_ref().unwrap();
        arguments.iter().find(|argument| argument.path == name).map(|a| (a.count, a.known)).unwrap()
    };
    assert_eq!(row(&explorer, "tags"), (2, Some(3)));
    assert_eq!(row(&explorer, "dry_run"), (1, Some(4)));
    assert!(explorer.text().contains("67%"), "{}", explorer.text());
    explorer.keys("/dry<Enter>");
    assert!(explorer.text().contains("in query · passed in 1 of 4 calls"), "{}", explorer.text());
    assert!(explorer.text().contains("Check only."), "{}", explorer.text());
    // The properties of a schema are listed, without bars.
    explorer.keys("<Esc>hG");
    assert_eq!(part(&explorer), "Campaign");
    let paths: Vec<String> =
        explorer.model.api.arguments.items.as_ref().unwrap().iter().map(|argument| argument.path.clone()).collect();
    assert!(paths.contains(&"created".to_owned()) && paths.contains(&"budget.amount".to_owned()), "{paths:?}");
    assert!(stub(&explorer).contains("\"allOf\": ["), "{}", stub(&explorer));
}

#[test]
fn a_page_walks_the_references_both_ways() {
    let mut explorer = in_document(120, 40);
    explorer.keys("<Enter>");
    for row in ["## Used (4 calls)", "## Calls (4)", "## Refers to (3)"] {
        assert_contains(&explorer, row);
    }
    assert_contains(&explorer, "handler server.create_campaign  server.py:6");
    // The page begins with the place in the document, and shows the part beside it.
    assert!(explorer.text().contains("openapi.yaml:paths/campaigns/post"), "{}", explorer.text());
    explorer.keys("o");
    assert_eq!(explorer.performed.last().unwrap(), "opened openapi.yaml:6");
    // A call opens where it stands.
    to_row(&mut explorer, "caller.py:7");
    explorer.keys("o");
    assert_eq!(explorer.performed.last().unwrap(), "opened caller.py:7");
    assert!(explorer.text().contains("requests.post"), "{}", explorer.text());
    to_row(&mut explorer, "handler");
    explorer.keys("o");
    assert_eq!(explorer.performed.last().unwrap(), "opened server.py:7");
    to_row(&mut explorer, "S NewCampaign");
    assert!(explorer.text().contains("\"What a customer asks for.\""), "{}", explorer.text());
    explorer.keys("o");
    assert_eq!(explorer.performed.last().unwrap(), "opened openapi.yaml:29");
    explorer.keys("<Enter>");
    assert_eq!(part(&explorer), "NewCampaign");
    assert_contains(&explorer, "O POST /campaigns  4 calls · Create a campaign");
    to_row(&mut explorer, "S Campaign");
    explorer.keys("<Enter>");
    // The schema refers to itself: the circle ends where it began.
    assert_eq!((part(&explorer).as_str(), stub(&explorer).contains("allOf")), ("Campaign", true));
    to_row(&mut explorer, "S NewCampaign");
    explorer.keys("<Enter>[[[");
    assert_eq!(part(&explorer), "POST /campaigns");
    assert!(explorer.model.page.is_some());
    // The panes show what the page was about.
    explorer.keys("]]<Esc>");
    assert_eq!((part(&explorer).as_str(), explorer.model.focus), ("Campaign", Pane::Symbols));
    // The page of the handler is one of code, and `[` comes back to the document.
    explorer.keys("g<Enter>");
    to_row(&mut explorer, "handler");
    explorer.keys("<Enter>");
    assert!(explorer.model.part().is_none() && explorer.model.definition().is_some());
    explorer.keys("[");
    assert_eq!(part(&explorer), "POST /campaigns");
}

#[test]
fn the_page_of_a_document_lists_its_parts() {
    let mut explorer = explorer(120, 40);
    explorer.keys("Gd");
    assert_contains(&explorer, "## Operations (3)");
    assert_contains(&explorer, "## Schemas (3)");
    assert!(stub(&explorer).contains("\"description\": \"Campaigns and what they cost.\""), "{}", stub(&explorer));
}

#[test]
fn filters_find_documents_parts_and_arguments() {
    let mut explorer = explorer(120, 40);
    explorer.keys("/openapi<Enter>");
    assert_eq!((explorer.model.modules.rows.len(), explorer.model.modules.documents.len()), (0, 1));
    // A part is found by its name, its summary and its operation id.
    explorer.keys("<Enter>/campaign create<Enter>");
    assert_eq!((part(&explorer).as_str(), explorer.model.api.parts.rows.len()), ("POST /campaigns", 1));
    explorer.keys("<Esc>/listReports<Enter>");
    assert_eq!(part(&explorer), "GET /reports");
    explorer.keys("<Esc>");
    assert_eq!((part(&explorer).as_str(), explorer.model.api.parts.rows.len()), ("GET /reports", 6));
}

#[test]
fn the_finder_finds_operations_and_schemas() {
    let mut explorer = explorer(120, 40);
    explorer.finds_by_meaning = true;
    explorer.keys("fPOST /campaigns");
    let Some(Overlay::Find(finder)) = &explorer.model.overlay else { panic!("the finder is closed") };
    let first = finder.meaning.iter().position(|hit| matches!(hit.target, MeaningTarget::Part(_))).expect("a part");
    assert_eq!(finder.meaning[first].name, "POST /campaigns");
    let below = finder.hits.len() + first;
    explorer.keys(&"<Down>".repeat(below));
    assert!(explorer.text().contains("Refers to"), "{}", explorer.text());
    explorer.keys("<Enter>");
    assert_eq!((part(&explorer).as_str(), explorer.model.focus), ("POST /campaigns", Pane::Symbols));
    explorer.keys("[");
    assert!(explorer.model.document().is_none());
}

#[test]
fn documents_are_read_again_and_selections_stay() {
    let mut explorer = in_document(120, 40);
    explorer.keys("j<Enter>");
    assert_eq!(part(&explorer), "GET /campaigns/{id}");
    // The code has not changed; the document has one more operation, and a broken reference.
    let document = ads::DOCUMENT.replace("  /reports:", "  /accounts:\n    get: {responses: {}}\n  /reports:");
    let document = document.replace("key: {type: string}", "key: {$ref: \"#/components/schemas/Nothing\"}");
    explorer.source = Some(ads::source(&document));
    explorer.send(Message::Unchanged);
    assert_eq!((part(&explorer).as_str(), explorer.model.page.is_some()), ("GET /campaigns/{id}", true));
    explorer.keys("<Esc>");
    assert_eq!((part(&explorer).as_str(), explorer.model.api.parts.rows.len()), ("GET /campaigns/{id}", 7));
    assert!(explorer.text().contains("1 problem (!)"), "{}", explorer.text());
    explorer.keys("!");
    assert!(explorer.text().contains("Nothing"), "{}", explorer.text());
    // A new index counts the calls again; one whose calls are only weighted otherwise reads no document.
    let calls = ads::CALLER.replace("    requests.get(f\"{BASE}/campaigns/{name}\")\n", "");
    let files = vec![
        ("caller.py".to_owned(), calls.into_bytes().into()),
        ("openapi.yaml".to_owned(), document.into_bytes().into()),
    ];
    let source = Source::Memory { name: "ads".to_owned(), files };
    let index = ads::index(&source);
    explorer.source = Some(source);
    explorer.keys("<Esc>").index(index);
    let api = explorer.model.api.catalog.clone().unwrap();
    assert_eq!((part(&explorer).as_str(), api.modules[0].calls), ("GET /campaigns/{id}", 4));
    // Without the document, the panes are those of the code.
    let files = vec![("caller.py".to_owned(), ads::CALLER.as_bytes().to_vec().into())];
    explorer.source = Some(Source::Memory { name: "ads".to_owned(), files });
    explorer.send(Message::Unchanged);
    assert!(explorer.model.document().is_none() && explorer.model.scope().is_some());
}

#[test]
fn documents_that_the_command_line_names_replace_those_of_the_sources() {
    let mut explorer = Explorer::new(120, 40);
    explorer.documents = Some(ads::source(ads::DOCUMENT));
    explorer.index(station().build(true));
    assert_eq!(explorer.model.modules.documents.len(), 1);
    // Nothing to read is said.
    let mut explorer = Explorer::new(120, 40);
    explorer.documents = Some(Source::Memory { name: "none".to_owned(), files: Vec::new() });
    explorer.index(station().build(true));
    let toast = explorer.model.toast.as_ref().expect("a toast");
    assert!(toast.text.contains("names no OpenAPI document"), "{}", toast.text);
}

#[test]
fn a_click_selects_a_part() {
    let mut explorer = in_document(120, 40);
    let body = layout::areas(&explorer.model).unwrap().pane(Pane::Symbols).body;
    let mut press = |action, row: u16| {
        explorer.send(Message::Mouse(Mouse { action, column: body.x + 4, row: body.y + row }));
    };
    press(MouseAction::Press, 3);
    press(MouseAction::Press, 3);
    assert_eq!(part(&explorer), "NewCampaign");
    // What belongs to stubs of code says so.
    explorer.keys("u");
    assert!(explorer.model.tuning.is_none() && explorer.model.toast.is_some());
}
