//! Panes, overlays and the mouse.

use std::time::Duration;

use apidisc::strategy::Strategy;
use apidisc_tui::tui::{
    command::Command,
    geometry::Pane,
    input::{Mouse, MouseAction},
    layout,
    message::Message,
    model::{Around, FetchProgress, Overlay, StartTarget},
};

use crate::support::{drive::Explorer, station};

fn explorer() -> Explorer {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(true));
    explorer
}

/// The name of the selected symbol.
fn symbol(explorer: &Explorer) -> String {
    let catalog = explorer.model.catalog.as_ref().unwrap();
    explorer.model.definition().map_or(String::new(), |id| catalog.index.definition(id).name.to_string())
}

#[test]
fn the_source_that_git_clones_is_shown_with_its_step_and_the_time() {
    let fetching = |columns: u16, source: (&str, &str), more: usize| {
        let others = (0..more).map(|at| (format!("https://example.org/{at}"), String::new()));
        let sources = [(source.0.to_owned(), source.1.to_owned())].into_iter().chain(others).collect();
        let mut explorer = Explorer::new(columns, 24);
        explorer.send(Message::Fetching(Some(FetchProgress { sources, elapsed: Duration::from_millis(12_900) })));
        let first = explorer.text().lines().next().unwrap().trim().to_owned();
        (first, explorer)
    };
    let step = ("https://example.org/a/kit", "Receiving objects: 42%");
    let (line, mut explorer) = fetching(160, step, 2);
    assert!(line.ends_with("cloning https://example.org/a/kit: Receiving objects: 42% · 12 s · 2 more"), "{line}");
    // An index of the other sources does not hide it; the end does.
    explorer.index(station().build(true));
    assert!(explorer.text().contains("12 s · 2 more"), "{}", explorer.text());
    explorer.send(Message::Fetching(None));
    assert!(!explorer.text().contains("cloning"), "{}", explorer.text());
    assert!(fetching(160, (step.0, ""), 0).0.ends_with("cloning https://example.org/a/kit · 12 s"));
    assert!(
        fetching(80, step, 0).0.ends_with("cloning kit: Receiving objects: 42% · 12 s"),
        "{}",
        fetching(80, step, 0).0
    );
    assert!(fetching(66, step, 0).0.ends_with("cloning kit · 12 s"), "{}", fetching(66, step, 0).0);
    // No control character of git or of a URL reaches the terminal.
    let (line, _) = fetching(160, ("https://example.org/\u{1b}[2Jkit", "\u{7}50%\u{9b}31m"), 0);
    assert!(line.contains("50%") && !line.chars().any(char::is_control), "{line:?}");
}

#[test]
fn the_module_of_the_command_line_may_come_with_a_source_that_is_cloned() {
    let mut explorer = Explorer::new(120, 40);
    explorer.model.start_target = Some(StartTarget { module: Some("missing".to_owned()), symbol: None });
    let sources = vec![("https://example.org/a".to_owned(), String::new())];
    explorer.send(Message::Fetching(Some(FetchProgress { sources, elapsed: Duration::ZERO })));
    explorer.index(station().build(true));
    assert!(explorer.model.start_target.is_some() && explorer.model.toast.is_none());
    explorer.send(Message::Fetching(None));
    explorer.index(station().build(true));
    assert!(explorer.model.start_target.is_none() && explorer.text().contains("missing"), "{}", explorer.text());
}

#[test]
fn the_mouse_selects_opens_and_scrolls() {
    let mut explorer = explorer();
    let areas = layout::areas(&explorer.model).unwrap();
    let at = |pane: Pane, row: u16| {
        let body = areas.pane(pane).body;
        (body.x + 4, body.y + row)
    };
    let mut mouse = |action, (column, row)| {
        explorer.send(Message::Mouse(Mouse { action, column, row }));
    };
    mouse(MouseAction::Press, at(Pane::Symbols, 0));
    mouse(MouseAction::Press, at(Pane::Symbols, 1));
    mouse(MouseAction::WheelDown, at(Pane::Preview, 1));
    assert_eq!(explorer.model.focus, Pane::Symbols);
    assert_eq!(explorer.model.symbols.rows.len(), 10, "the first press opened the class that was selected");
    assert_eq!(symbol(&explorer), "run");
}

#[test]
fn a_double_click_opens() {
    let mut explorer = explorer();
    let body = layout::areas(&explorer.model).unwrap().pane(Pane::Symbols).body;
    for action in [MouseAction::Press, MouseAction::DoublePress] {
        explorer.send(Message::Mouse(Mouse { action, column: body.x + 4, row: body.y + 1 }));
    }
    let page = explorer.model.page.as_ref().expect("the page of the symbol is open");
    assert_eq!(page.subject.definition(), explorer.model.definition());
    assert_eq!(symbol(&explorer), "fetch");
}

#[test]
fn the_palette_can_be_clicked() {
    let mut explorer = explorer();
    explorer.keys(":next-theme");
    let before = explorer.model.theme.name.clone();
    let Some(Overlay::Picker(picker)) = &explorer.model.overlay else { panic!("no palette") };
    let body = layout::picker(explorer.model.size, picker).body;
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: body.x + 4, row: body.y }));
    assert_ne!(explorer.model.theme.name, before);
}

/// Clicks on the hint of a command in the footer.
fn click(explorer: &mut Explorer, command: Command) {
    let areas = layout::areas(&explorer.model).unwrap();
    let footer = areas.footer(&explorer.model);
    let area = footer.hints.iter().find(|hint| hint.command == command).unwrap().area;
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: area.x, row: area.y }));
}

#[test]
fn commands_in_the_footer_can_be_clicked() {
    let mut explorer = explorer();
    // The stub is tuned where it has the focus.
    explorer.keys("<BackTab>");
    click(&mut explorer, Command::Lower);
    assert_eq!(explorer.model.settings.strategy, Strategy::TokenBudget { max_tokens: 900 });
    explorer.keys("<Tab>");
    click(&mut explorer, Command::Filter);
    explorer.keys("agents");
    click(&mut explorer, Command::Accept);
    assert_eq!((explorer.model.editing, explorer.model.modules.rows.len()), (None, 2));
    // The palette lists every command that has no button of its own.
    click(&mut explorer, Command::Palette);
    assert!(matches!(explorer.model.overlay, Some(Overlay::Picker(_))));
    // Overlays have a footer too.
    click(&mut explorer, Command::Cancel);
    assert!(explorer.model.overlay.is_none());
    explorer.keys("ffetch");
    click(&mut explorer, Command::Accept);
    assert!(explorer.model.overlay.is_none() && explorer.text().contains("function fetch"), "{}", explorer.text());
    explorer.keys("?");
    click(&mut explorer, Command::PageDown);
    assert!(matches!(explorer.model.overlay, Some(Overlay::Text(_))));
    click(&mut explorer, Command::Clear);
    assert!(explorer.model.overlay.is_none());
}

#[test]
fn the_mouse_can_be_left_to_the_terminal() {
    let mut explorer = explorer();
    explorer.keys("M");
    assert!(!explorer.model.is_mouse_captured && explorer.text().contains("mouse off"), "{}", explorer.text());
    explorer.keys("M");
    assert!(explorer.model.is_mouse_captured && !explorer.text().contains("mouse off"));
}

#[test]
fn overlays_are_closed_by_a_click_beside_them() {
    let mut explorer = explorer();
    for keys in ["?", "!", ":", "w"] {
        explorer.keys(keys);
        let inside = Mouse { action: MouseAction::Press, column: 60, row: 19 };
        explorer.send(Message::Mouse(if keys == ":" {
            Mouse { action: MouseAction::WheelUp, ..inside }
        } else {
            inside
        }));
        assert!(explorer.model.overlay.is_some(), "{keys}");
        explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: 1, row: 38 }));
        assert!(explorer.model.overlay.is_none(), "{keys}");
    }
}

/// A pane's extent: columns and rows.
fn extent(explorer: &Explorer, pane: Pane) -> (u16, u16) {
    let frame = layout::areas(&explorer.model).unwrap().pane(pane).frame;
    (frame.width, frame.height)
}

#[test]
fn a_pane_can_be_zoomed_and_resized() {
    let mut explorer = explorer();
    let (width, height) = extent(&explorer, Pane::Modules);
    explorer.keys("z");
    assert_eq!(extent(&explorer, Pane::Modules), (120, 38));
    assert!(explorer.text().contains("zoomed") && !explorer.text().contains("Symbols"), "{}", explorer.text());
    // The next pane is zoomed too; keys that change sizes do nothing then.
    explorer.keys("<Tab>><Tab>)");
    assert!(explorer.text().contains("Arguments") && !explorer.text().contains("Modules"));
    explorer.keys("z<BackTab><BackTab>>>(");
    assert_eq!(extent(&explorer, Pane::Modules), (width + 8, height));
    explorer.keys("Z");
    assert_eq!(extent(&explorer, Pane::Modules), (width, height));
}

#[test]
fn borders_are_dragged() {
    let mut explorer = explorer();
    let mouse = |explorer: &mut Explorer, action, column, row| {
        explorer.send(Message::Mouse(Mouse { action, column, row }));
    };
    let (width, _) = extent(&explorer, Pane::Modules);
    mouse(&mut explorer, MouseAction::Press, width, 9);
    mouse(&mut explorer, MouseAction::Drag, width + 10, 20);
    mouse(&mut explorer, MouseAction::Release, width + 10, 20);
    assert_eq!(extent(&explorer, Pane::Modules).0, width + 10);
    // A press beside a border drags nothing.
    mouse(&mut explorer, MouseAction::Press, 3, 4);
    mouse(&mut explorer, MouseAction::Drag, 30, 4);
    assert_eq!(extent(&explorer, Pane::Modules).0, width + 10);
}

#[test]
fn names_of_every_kind_are_drawn_on_every_screen_at_every_size() {
    let names = ["n".repeat(10_000), "名".repeat(5_000), "\u{200b}".repeat(3_000), "e\u{301}".repeat(3_000)];
    let right_to_left = "\u{202e}\u{5d0}\u{5d1}".repeat(1_000);
    let mut builder = station();
    let deep = (0..300).map(|at| format!("m{at}")).collect::<Vec<_>>().join(".");
    for name in names.iter().chain([&right_to_left]) {
        let module = builder.module(&format!("{deep}.{name}"), apidisc::source::Origin::Src, false);
        builder.define(module, None, apidisc::program::DefinitionKind::Function, name, 10_000, &[]);
    }
    let index = builder.build(true);
    let screens = [
        "",
        "<Enter>",
        "<Tab>",
        "<Tab>j<Enter>",
        "<Tab>jc",
        "<Tab>jjd",
        "fn<Enter>",
        "?",
        "!",
        "i",
        ":",
        "o",
        "P",
        "T",
    ];
    for keys in screens {
        let mut explorer = Explorer::new(120, 40);
        explorer.index(index.clone());
        explorer.keys(keys);
        for (columns, rows) in [(1, 1), (2, 3), (19, 6), (40, 12), (81, 24)] {
            explorer.send(Message::Resize(columns, rows)).draw();
            explorer.keys("jj").draw();
        }
    }
}

#[test]
fn the_repository_around_what_is_opened_is_counted_on_request() {
    let mut explorer = explorer();
    explorer.keys("U");
    assert!(explorer.text().contains("no repository is known around what is opened"), "{}", explorer.text());
    explorer.model.around = Some(Around {
        name: "balcony".to_owned(),
        path: "src/windvane/station.py".to_owned(),
        is_counted: false,
        other: "/code/balcony".to_owned(),
        is_sought: false,
    });
    explorer.keys("U");
    assert_eq!(explorer.performed, ["indexed all around"]);
    explorer.index(station().build(true));
    let first = explorer.text().lines().next().unwrap().to_owned();
    assert!(first.contains("/code/balcony") && first.contains("with those of all of balcony (U)"), "{first}");
    explorer.keys("U");
    assert_eq!(explorer.performed[1], "indexed it alone");
    explorer.index(station().build(true));
    assert!(explorer.text().contains("of it alone (U)"), "{}", explorer.text());
}
