//! Pages: their rows, the links of rows, and the history.

use apidisc_tui::tui::{
    geometry::{self, Pane},
    input::{Mouse, MouseAction},
    jobs::Answer,
    layout,
    message::Message,
    model::page::{ItemBody, PageItem, SourcePlace},
};

use crate::support::{drive::Explorer, station};

pub(crate) fn demo() -> Explorer {
    Explorer::demo(120, 40)
}

/// The rows of the page that is open, as text.
pub(crate) fn rows(explorer: &Explorer) -> Vec<String> {
    let page = explorer.model.page.as_ref().expect("a page is open");
    let text = |item: &PageItem| match &item.body {
        ItemBody::Blank => String::new(),
        ItemBody::Heading(text, note) => format!("## {text} ({note})"),
        ItemBody::Text(pieces) => pieces.iter().map(|(text, _)| text.as_str()).collect(),
        ItemBody::Share(share) => {
            let note = share.note.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{}: {} of {} {note}", share.name.trim(), share.part, share.whole).trim_end().to_owned()
        }
        ItemBody::Recipe(recipe) => format!("{} of {} {}", recipe.part, recipe.whole, recipe.name),
        ItemBody::Further(pieces) | ItemBody::Detail(pieces) => pieces.iter().map(|(text, _)| text.as_str()).collect(),
        ItemBody::Name(name) => format!("{} {} {}", name.name, name.uses, name.note),
        ItemBody::Call(call) => format!("{} {}", call.place, call.passed),
        ItemBody::Code(text, _) => format!("| {text}"),
    };
    page.items.iter().map(text).collect()
}

#[track_caller]
pub(crate) fn assert_contains(explorer: &Explorer, expected: &str) {
    let rows = rows(explorer);
    assert!(rows.iter().any(|row| row == expected), "`{expected}` is not among\n{}", rows.join("\n"));
}

/// Moves to the first row that begins with a text.
#[track_caller]
pub(crate) fn to_row(explorer: &mut Explorer, begins: &str) {
    let at = rows(explorer).iter().position(|row| row.starts_with(begins));
    let at = at.unwrap_or_else(|| panic!("`{begins}` is not among\n{}", rows(explorer).join("\n")));
    explorer.keys("g");
    for _ in 0..200 {
        if explorer.model.page.as_ref().expect("a page").cursor.selected == at {
            return;
        }
        explorer.keys("j");
    }
    panic!("`{begins}` cannot be selected");
}

#[test]
fn the_page_of_a_class_is_complete() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter><Enter>");
    let screen = explorer.text();
    assert!(screen.contains("class Station") && screen.contains("Page  Recipes  Calls"), "{screen}");
    assert_contains(&explorer, "A weather station: sensors in one place, read together.");
    assert_contains(&explorer, "name: 43 of 43 str");
    assert_contains(&explorer, "sensors: 36 of 41");
    assert_contains(&explorer, "Iterable[Sensor] = ()");
    assert_contains(&explorer, "\"evening\" 2×, \"old\" 2×, \"airfield\" 1×, \"balcony\" 1×");
    // A short call with the most common argument set of documents and examples, with what it imports.
    assert_contains(&explorer, "## First call (14% of 43 calls pass just these)");
    assert_contains(&explorer, "| from windvane import Station, Thermometer, Hygrometer");
    assert_contains(&explorer, "| station = Station(\"evening\", ");
    assert_contains(&explorer, "|     sensors=[Thermometer(\"air\"), Hygrometer(\"damp\")])");
    // The first call is selected, and its source is shown.
    let page = explorer.model.page.as_ref().unwrap();
    assert!(matches!(&page.selected().unwrap().body, ItemBody::Code(text, _) if text.starts_with("station = ")));
    // Members, most called first.
    let rows = rows(&explorer);
    let members = rows.iter().position(|row| row.starts_with("## Members")).unwrap();
    assert!(rows[members + 1].starts_with("observe 2"), "{}", rows[members + 1]);
}

#[test]
fn the_share_of_the_first_call_has_the_weights_of_all_numbers_of_the_page() {
    let mut explorer = demo();
    explorer.keys("Wjj++<Esc>fstation kind:class<Enter><Enter>");
    let rows = rows(&explorer);
    assert!(rows.iter().any(|row| row == "name: 61 of 61 str"), "the weights count:\n{}", rows.join("\n"));
    let first = rows.iter().find(|row| row.starts_with("## First call")).expect("a first call");
    assert!(first.ends_with("% of 61 calls pass just these)"), "{first}");
}

#[test]
fn inherited_members_and_subclasses_are_there() {
    let mut explorer = demo();
    explorer.keys("fthermometer kind:class<Enter><Enter>");
    let rows_of = rows(&explorer);
    assert!(rows_of.iter().any(|row| row.ends_with("from BaseSensor")), "{}", rows_of.join("\n"));
    explorer.keys("<Esc>fbasesensor kind:class<Enter><Enter>");
    assert_contains(&explorer, "## Subclasses (5)");
    to_row(&mut explorer, "Thermometer");
    explorer.keys("<Enter>");
    assert!(explorer.text().contains("class Thermometer"), "{}", explorer.text());
}

#[test]
fn the_page_of_an_argument_counts_everything() {
    let mut explorer = demo();
    explorer.keys("fstation.observe(times<Enter>");
    let screen = explorer.text();
    assert!(screen.contains("argument Station.observe(times)"), "{screen}");
    let all = rows(&explorer).join("\n");
    assert!(all.contains("passed ") && all.contains("## Values") && all.contains("## Where the calls stand"), "{all}");
    assert!(all.contains("left out: 1"), "the default is relied on:\n{all}");
    // The row of a value links to the calls that pass it; every one of them is listed.
    to_row(&mut explorer, "3: ");
    let row = rows(&explorer)[explorer.model.page.as_ref().unwrap().cursor.selected].clone();
    let calls: usize = row["3: ".len()..].split(' ').next().unwrap().parse().unwrap();
    explorer.keys("<Enter>");
    let found = rows(&explorer);
    let head = if calls == 1 { "1 call" } else { &format!("{calls} calls") };
    assert_eq!(found[0], format!("{head} that pass 3 for times"));
    assert_eq!(found.iter().filter(|row| row.contains(".py:") || row.contains(".ipynb:")).count(), calls);
}

#[test]
fn arguments_that_are_passed_together_are_ranked_by_their_lift() {
    let mut explorer = demo();
    explorer.keys("fstation(latitude<Enter>");
    let all = rows(&explorer);
    let together = all.iter().position(|row| row.starts_with("## Passed together with")).unwrap();
    // All calls that pass one of the two parameters pass the other.
    assert!(all[together + 1].starts_with("longitude: "), "{}", all[together + 1]);
    let lift: f64 = all[together + 1].rsplit('×').next().unwrap().parse().unwrap();
    assert!(lift > 2.0, "{}", all[together + 1]);
    let without = all.iter().position(|row| row.starts_with("## Passed rather without"));
    if let Some(without) = without {
        let lift: f64 = all[without + 1].rsplit('×').next().unwrap().parse().unwrap();
        assert!(lift <= 1.0, "{}", all[without + 1]);
    }
}

#[test]
fn calls_are_real_and_open_in_the_editor() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>c");
    assert_eq!(rows(&explorer)[0], "43 calls");
    // Each call is shown in its source, with the call marked.
    let page = explorer.model.page.as_ref().unwrap();
    let excerpt = page.source_view.shown.as_ref().unwrap().as_ref().unwrap();
    let line = &excerpt.lines[excerpt.focus.start];
    assert!(line.contains("Station("), "{line}");
    let place = format!("{}:{}", excerpt.path, excerpt.first as usize + excerpt.focus.start);
    explorer.keys("o");
    assert_eq!(explorer.performed, [format!("opened {place}")]);
    // Ordered by path, below the names of the files.
    explorer.keys("OO");
    let files: Vec<String> = rows(&explorer).into_iter().filter(|row| row.starts_with("## ")).collect();
    assert!(files.is_sorted() && files.len() > 5, "{files:?}");
}

#[test]
fn the_row_of_a_call_shows_its_source() {
    let mut explorer = Explorer::demo(160, 40);
    explorer.is_slow = true;
    explorer.keys("fstation kind:class").settle().keys("<Enter>c");
    // Until the source is read, the row shows the data of the index, which keeps only literal values.
    assert!(explorer.text().contains("sensors=…"), "{}", explorer.text());
    explorer.settle();
    assert!(!explorer.text().contains("sensors=…"), "{}", explorer.text());
    let page = explorer.model.page.as_ref().unwrap();
    let calls = page.items.iter().filter_map(|item| match &item.body {
        ItemBody::Call(call) => explorer.model.call_lines.get(call.call),
        _ => None,
    });
    let said: Vec<&str> = calls.map(|call_line| call_line.text.as_str()).collect();
    let is_call = |text: &&str| ["Station(", "WeatherStation(", "cls("].iter().any(|name| text.starts_with(name));
    assert!(said.len() > 20 && said.iter().all(|text| is_call(text) && text.ends_with(')')), "{said:?}");
    // Calls of another index are read again.
    explorer.is_slow = false;
    explorer.open_demo();
    assert!(!explorer.text().contains("sensors=…"), "{}", explorer.text());
}

#[test]
fn every_call_of_the_demo_is_found_in_its_source() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>cg");
    for _ in 0..43 {
        explorer.keys("j");
        let page = explorer.model.page.as_ref().unwrap();
        assert!(matches!(page.selected().unwrap().shows, Some(SourcePlace::Call(_))));
        let excerpt = page.source_view.shown.as_ref().unwrap().as_ref().unwrap();
        let (first, last) = (&excerpt.lines[excerpt.focus.start], &excerpt.lines[excerpt.focus.end - 1]);
        let (from, to) = excerpt.columns;
        assert!(first[from..].contains("Station") || first[from..].starts_with("cls("), "{first}");
        assert!(last[..to].ends_with(')'), "{last}");
    }
}

#[test]
fn recipes_add_up() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>r");
    let all = rows(&explorer);
    assert!(all[0].ends_with(" ways to call it in 43 calls"), "{}", all[0]);
    let parts = all.iter().filter_map(|row| row.split_once(" of 43 ")?.0.parse::<u32>().ok());
    assert_eq!(parts.sum::<u32>(), 43);
    to_row(&mut explorer, "5 of 43 name, sensors, store");
    explorer.keys("<Enter>");
    assert_eq!(rows(&explorer)[0], "5 calls that pass name, sensors, store and nothing else");
}

#[test]
fn the_page_of_a_module_lists_definitions_without_calls() {
    let mut explorer = demo();
    explorer.keys("fwindvane.units kind:module<Enter>d");
    let all = rows(&explorer).join("\n");
    assert!(all.starts_with("module windvane.units") && all.contains("public definitions"), "{all}");
    explorer.keys("<Esc>gd");
    assert!(rows(&explorer).join("\n").contains("## Never used"));
}

#[test]
fn a_class_that_only_its_subclasses_and_members_use_is_in_use() {
    let mut explorer = demo();
    explorer.keys("fwindvane.sensors.base kind:module<Enter>d");
    let all = rows(&explorer);
    let at = |begins: &str| all.iter().position(|row| row.starts_with(begins));
    let sensor = at("BaseSensor").unwrap_or_else(|| panic!("no row of the class:\n{}", all.join("\n")));
    assert!(at("## Nobody calls").is_none_or(|unused| sensor < unused), "{}", all.join("\n"));
}

#[test]
fn a_module_below_a_package_is_shown_in_its_source() {
    let mut explorer = demo();
    explorer.keys("fwindvane kind:package<Enter>d");
    to_row(&mut explorer, "windvane.sensors ");
    let page = explorer.model.page.as_ref().unwrap();
    let excerpt = page.source_view.shown.as_ref().expect("it is read").as_ref().unwrap();
    assert!(excerpt.path.contains("windvane/sensors") && excerpt.first == 1, "{excerpt:?}");
    explorer.keys("o");
    assert!(explorer.performed.last().is_some_and(|taken| taken.ends_with(":1")), "{:?}", explorer.performed);
}

#[test]
fn a_recipe_is_shown_in_full() {
    let mut explorer = Explorer::demo(120, 60);
    explorer.keys("fstation kind:class<Enter>r");
    let page = explorer.model.page.as_ref().unwrap();
    let recipes = page.items.iter().filter_map(|item| match &item.body {
        ItemBody::Recipe(recipe) => Some(recipe.name.clone()),
        _ => None,
    });
    let text: String = explorer.text().split_whitespace().collect::<Vec<_>>().join(" ");
    let (all, seen): (Vec<String>, Vec<bool>) =
        recipes.map(|name| (name.clone(), name.split([',', '+']).all(|part| text.contains(part.trim())))).unzip();
    assert!(all.iter().any(|name| name.len() > 40) && seen.iter().all(|seen| *seen), "{all:?}");
    // Only rows of source text are cut off.
    let list = geometry::page(explorer.model.size).list;
    let cut = explorer.text().lines().any(|line| line.chars().take(usize::from(list.right())).any(|c| c == '…'));
    assert!(!cut, "{}", explorer.text());
}

#[test]
fn a_page_can_be_filtered() {
    let mut explorer = Explorer::demo(160, 40);
    explorer.keys("fstation kind:class<Enter>c/hygrometer");
    let calls = |explorer: &Explorer| -> Vec<String> {
        let page = explorer.model.page.as_ref().unwrap();
        let calls = page.items.iter().filter_map(|item| match &item.body {
            ItemBody::Call(call) => explorer.model.call_lines.get(call.call).map(|call_line| call_line.text.clone()),
            _ => None,
        });
        calls.collect()
    };
    // The filter matches the source of calls, not only the data of the index; headings stay.
    let found = calls(&explorer);
    assert!(!found.is_empty() && found.len() < 43, "{found:?}");
    assert!(found.iter().all(|call| call.contains("Hygrometer")), "{found:?}");
    assert!(explorer.text().contains(" /hygrometer ") && explorer.text().contains(" of 44 "));
    assert!(headings(&explorer).len() < 44 && explorer.model.page.as_ref().unwrap().selected().is_some());
    // Words match in any order, also in the path.
    explorer.keys("<C-u>tests store=");
    let found = calls(&explorer);
    assert!(found.len() > 1 && found.iter().all(|call| call.contains("store=")), "{found:?}");
    // An accepted filter stays until Esc removes it; the next Esc closes the page.
    explorer.keys("<Enter>j");
    assert_eq!(calls(&explorer), found);
    explorer.keys("<Esc>");
    assert_eq!(calls(&explorer).len(), 43);
    explorer.keys("/nothing_says_that");
    assert!(explorer.text().contains("no row holds that"), "{}", explorer.text());
    explorer.keys("<Esc><Esc>");
    assert!(explorer.model.page.is_none());
    // A page of another kind can be filtered too, also by pasted text.
    explorer.keys("d/").send(Message::Paste("latit".to_owned()));
    let rows = rows(&explorer);
    assert!(rows.iter().any(|row| row.starts_with("latitude: ")), "{rows:?}");
    assert!(!rows.iter().any(|row| row.starts_with("sensors: ")), "{rows:?}");
}

#[test]
fn the_history_goes_back_and_forward() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter><Enter>");
    to_row(&mut explorer, "sensors: ");
    let here = explorer.model.page.as_ref().unwrap().cursor.selected;
    explorer.keys("<Enter>");
    assert!(explorer.text().contains("argument Station(sensors)"));
    explorer.keys("c");
    assert!(explorer.text().contains("calls that pass sensors"));
    explorer.keys("[");
    assert!(explorer.text().contains("argument Station(sensors)"));
    explorer.keys("<A-Left>");
    assert!(explorer.text().contains("class Station"));
    assert_eq!(explorer.model.page.as_ref().unwrap().cursor.selected, here, "the row is the same");
    explorer.keys("]]");
    assert!(explorer.text().contains("calls that pass sensors"));
    // The first place in the history is the panes.
    explorer.keys("[[[[");
    assert!(explorer.model.page.is_none());
    assert_eq!(explorer.model.focus, Pane::Modules);
    explorer.keys("[[[");
    assert!(explorer.model.page.is_none());
}

#[test]
fn marks_can_be_opened_from_anywhere() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>rma");
    assert!(explorer.text().contains("a marks Station"), "{}", explorer.text());
    explorer.keys("<Esc>fthermometer<Enter>'a");
    assert!(explorer.text().contains("ways to call it in 43 calls"), "{}", explorer.text());
    // A letter without a mark and a key that is no letter have no effect.
    explorer.keys("'z");
    assert!(explorer.text().contains("nothing is marked with z"));
    explorer.keys("m<Esc>");
    assert!(explorer.model.page.is_some(), "Esc ends the wait for a letter, nothing else");
    explorer.keys("q");
    assert!(explorer.model.page.is_none() && !explorer.has_quit);
}

#[test]
fn switching_tabs_leaves_no_history() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter><Enter><Tab>");
    assert!(explorer.text().contains("ways to call it"));
    explorer.keys("<Tab><Tab><BackTab>");
    assert_eq!(rows(&explorer)[0], "43 calls");
    explorer.keys("[");
    assert!(explorer.model.page.is_none());
}

#[test]
fn a_page_takes_clicks_and_the_wheel() {
    let mut explorer = Explorer::demo(160, 40);
    explorer.keys("fstation kind:class<Enter><Enter>");
    let area = geometry::page(explorer.model.size);
    let mut mouse = |action, column, row| {
        explorer.send(Message::Mouse(Mouse { action, column, row }));
    };
    mouse(MouseAction::WheelDown, area.list.x, area.list.y);
    mouse(MouseAction::WheelUp, area.list.x, area.list.y);
    let at = rows(&explorer).iter().position(|row| row.starts_with("sensors: ")).unwrap() as u16;
    for _ in 0..2 {
        let row = area.list.y + at;
        explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: area.list.x + 5, row }));
    }
    assert!(explorer.text().contains("argument Station(sensors)"), "{}", explorer.text());
    let page = explorer.model.page.as_ref().unwrap();
    let (_, word, tab) = layout::page_tabs(&explorer.model, page).pop().unwrap();
    assert_eq!(word, "Calls");
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: tab.x + 1, row: tab.y }));
    assert!(rows(&explorer)[0].ends_with("calls that pass sensors"));
    let (column, row) = (area.frame.right() - 5, area.frame.y);
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column, row }));
    assert!(explorer.model.page.is_none());
}

#[test]
fn a_new_index_keeps_the_page() {
    let mut explorer = demo();
    explorer.keys("fstation(sensors<Enter>c");
    let before = rows(&explorer);
    let again = apidisc::index::Index::clone(&explorer.model.catalog.as_ref().unwrap().index);
    explorer.index(again);
    assert_eq!(rows(&explorer), before);
    // If the subject of the page no longer exists, the panes are shown.
    explorer.index(station().build(true));
    assert!(explorer.model.page.is_none());
}

#[test]
fn without_call_sites_a_page_says_so() {
    let mut explorer = Explorer::new(100, 30);
    explorer.index(station().build(true)).keys("<Tab>c");
    assert!(explorer.text().contains("the index was read from a file"), "{}", explorer.text());
}

#[test]
fn sources_that_are_missing_or_changed_are_reported_on_the_page() {
    let mut explorer = demo();
    explorer.source = Some(apidisc::source::Source::Memory { name: "gone".to_owned(), files: Vec::new() });
    explorer.keys("fstation kind:class<Enter>c");
    assert!(explorer.text().contains("is not there any more"), "{}", explorer.text());
    let files = apidisc_tui::demo::source();
    let apidisc::source::Source::Memory { files, .. } = files else { panic!("the demo is in memory") };
    let files = files.into_iter().map(|(path, _)| (path, b"x = 1\n\xff\n".as_slice().into())).collect();
    explorer.source = Some(apidisc::source::Source::Memory { name: "changed".to_owned(), files });
    explorer.keys("<Esc>dGcjjjjj").draw();
    assert!(explorer.text().contains("has changed since it was indexed"), "{}", explorer.text());
}

/// The headings of the page that is open.
fn headings(explorer: &Explorer) -> Vec<String> {
    let rows = rows(explorer).into_iter();
    rows.filter_map(|row| Some(row.strip_prefix("## ")?.to_owned())).collect()
}

#[test]
fn call_sites_have_three_orders() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>c");
    let typical = headings(&explorer);
    explorer.keys("O");
    assert!(rows(&explorer)[0].ends_with(", the newest first"));
    // By day, the newest first, calls without a date last.
    let newest = headings(&explorer);
    // The newest call is selected first.
    let selected = explorer.model.page.as_ref().unwrap().cursor.selected;
    assert!(rows(&explorer)[selected].starts_with("tests/test_station.py:"), "{:?}", rows(&explorer)[selected]);
    assert!(selected < 5);
    let (last, days) = newest.split_last().unwrap();
    assert!(days.len() > 2 && days.is_sorted_by(|a, b| a > b), "{days:?}");
    assert!(days[0].starts_with("1970-01-") && last.starts_with("age not known ("), "{newest:?}");
    explorer.keys("O");
    assert!(rows(&explorer)[0].ends_with(", by path"));
    let by_path = headings(&explorer);
    assert!(by_path.is_sorted() && by_path[0].starts_with("docs/"), "{by_path:?}");
    explorer.keys("O");
    assert_eq!(headings(&explorer), typical);
}

#[test]
fn files_are_dated_once_an_index() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>c");
    explorer.is_slow = true;
    explorer.keys("O");
    assert_contains(&explorer, "looking up when files were changed last…");
    explorer.settle();
    let ticket = explorer.model.page.as_ref().unwrap().dates_ticket;
    explorer.keys("jj").settle();
    assert_eq!(explorer.model.page.as_ref().unwrap().dates_ticket, ticket);
    explorer.is_slow = false;
    explorer.open_demo();
    assert!(explorer.model.page.as_ref().unwrap().dates_ticket > ticket);
    assert!(rows(&explorer)[0].ends_with(", the newest first"));
}

#[test]
fn files_whose_date_is_beyond_the_limit_of_the_history_are_named_among_the_problems() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>cO");
    let ticket = explorer.model.page.as_ref().expect("a page").dates_ticket;
    explorer.send(Message::Answered(Answer::FilesDated {
        ticket,
        changed: std::sync::Arc::default(),
        beyond_limit: 1234,
    }));
    explorer.keys("!");
    assert!(explorer.text().contains("1,234 of the files last shown by date have no date"), "{}", explorer.text());
}
