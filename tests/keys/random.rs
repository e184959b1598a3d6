//! Random commands at random sizes: nothing panics, a visible pane has the focus, and the stub on the screen is the one
//! that the engine delivers for the present settings.

use std::{
    fs,
    process::Command,
    sync::{Arc, LazyLock},
};

use apidisc::{
    control::Control,
    delivery::profile::Profile,
    index::Index,
    indexer::build,
    program::DefinitionKind,
    source::{Origin, Source},
};
use apidisc_tui::tui::{
    command::COMMANDS,
    geometry::Pane,
    input::{Code, KeyPress, Mouse, MouseAction},
    layout,
    message::Message,
};
use proptest::{prelude::*, test_runner::TestCaseResult};

use crate::chance::cases;

use crate::support::{
    Builder, ads,
    drive::{Explorer, indexed_demo},
    fill, packages, station,
};

/// Sequences that random single keys seldom form.
const PHRASES: &[&str] = &[
    "fstation<Enter>",
    "fkind:param lat<Enter>",
    "fagent<Enter><Enter>",
    "d",
    "uK",
    "u<Tab>",
    "u<Left><Left>",
    "P<C-u>there<Enter>",
    "P<C-u>agents<Enter><Enter>",
    "w<C-u>there<Enter>",
    "W+j <Esc>",
    "2",
    ":strategy<Enter>",
    ":tune<Enter>",
    "Tlat<Enter>",
    "?/notch<Enter>",
    "/e<Enter>",
    "<Tab><Tab>p",
    "<Tab>jb",
    "ma",
    "'a",
    "{{{",
    "G<Enter>",
    "G<Enter>jjj<Enter>",
    "G<Enter>l/a<Enter>",
    "Gd",
    "jjjj<Enter>[",
    "D",
    "DG<Enter>",
    "flib:cli<Enter>",
    "<C-a>how?<Enter>",
    "<C-a>how?<Enter><Tab><Enter>",
];

/// A random event.
#[derive(Debug)]
enum Event {
    Message(Message),
    /// Keys, as [`Explorer::keys`] reads them.
    Keys(&'static str),
    /// A new index.
    Index(u8),
    /// The packages that the code uses are read.
    UsedPackages,
    /// API documents that are read again: those of the sample, others, or none.
    Documents(u8),
}

/// Every key of every command in the table.
fn keys() -> Vec<KeyPress> {
    COMMANDS.iter().flat_map(|entry| entry.keys).copied().collect()
}

fn event() -> impl Strategy<Value = Event> {
    let typed = prop_oneof![
        6 => prop::sample::select("xz0.ä日\u{202e}kind:".chars().map(Code::Char).collect::<Vec<_>>()),
        1 => prop::sample::select(vec![Code::Backspace, Code::Delete]),
    ];
    let modified = (typed, prop::bool::weighted(0.05), prop::bool::weighted(0.05));
    let modified = modified.prop_map(|(code, ctrl, alt)| KeyPress { code, ctrl, alt });
    let key = prop_oneof![8 => prop::sample::select(keys()), 1 => modified];
    let action = prop::sample::select(vec![
        MouseAction::Press,
        MouseAction::DoublePress,
        MouseAction::Drag,
        MouseAction::Release,
        MouseAction::WheelUp,
        MouseAction::WheelDown,
        MouseAction::WheelLeft,
        MouseAction::WheelRight,
    ]);
    let mouse =
        (action, 0..130u16, 0..50u16).prop_map(|(action, column, row)| Message::Mouse(Mouse { action, column, row }));
    prop_oneof![
        20 => key.prop_map(|key| Event::Message(Message::Key(key))),
        3 => mouse.prop_map(Event::Message),
        4 => prop::sample::select(PHRASES).prop_map(Event::Keys),
        1 => (0..260u16, 0..70u16).prop_map(|(columns, rows)| Event::Message(Message::Resize(columns, rows))),
        1 => ".{0,6}".prop_map(|text| Event::Message(Message::Paste(text))),
        1 => (0..6u8).prop_map(Event::Index),
        1 => (0..3u8).prop_map(Event::Documents),
        1 => Just(()).prop_map(|()| Event::UsedPackages),
    ]
}

/// Indexes with nothing in common, to detect state that is kept by id across indexes. Some are partial, one is empty.
fn index(number: u8) -> Index {
    match number {
        0 | 1 => indexed_demo(),
        2 | 3 => station().build(number == 2),
        4 => {
            let mut builder = Builder::default();
            let first = builder.module("a", Origin::Src, false);
            builder.define(first, None, DefinitionKind::Function, "first", 9_000, &[]);
            fill(builder).build(true)
        }
        _ => Builder::default().build(true),
    }
}

/// API documents with nothing in common.
fn documents(number: u8) -> Source {
    let document = match number {
        0 => ads::DOCUMENT.to_owned(),
        1 => "openapi: 3.0.0\ninfo: {title: B}\npaths: {/b: {put: {parameters: [{name: q, in: query}]}}}\n".to_owned(),
        _ => String::new(),
    };
    ads::source(&document)
}

/// Checks that every selection is in its list, and that a visible pane has the focus if panes are on the screen.
fn check_state(explorer: &Explorer) -> TestCaseResult {
    let buffer = explorer.draw();
    let model = &explorer.model;
    for (selected, len) in [
        (model.modules.state.cursor.selected, model.modules.len()),
        (model.api.parts.state.cursor.selected, model.api.parts.rows.len()),
        (model.api.arguments.state.cursor.selected, model.api.arguments.rows.len()),
        (model.symbols.state.cursor.selected, model.symbols.rows.len()),
        (model.arguments.state.cursor.selected, model.arguments.rows.len()),
        (model.ask.cursor.selected, model.ask.rows.len()),
    ] {
        prop_assert!(selected < len.max(1));
    }
    let Some(areas) = layout::areas(model) else { return Ok(()) };
    prop_assert!(!areas.pane(model.focus).frame.is_empty(), "{:?} has the focus unseen", model.focus);
    let has_panes = model.page.is_none() && model.tuning.is_none() && model.agents.is_none() && !model.ask.is_open;
    if has_panes && model.overlay.is_none() {
        let roles = &model.theme.roles;
        for pane in Pane::ALL {
            let frame = areas.pane(pane).frame;
            if !frame.is_empty() {
                let border = if pane == model.focus { roles.border_focused } else { roles.border };
                prop_assert_eq!(buffer[(frame.x, frame.y)].fg, border.fg.unwrap_or_default(), "{:?}", pane);
            }
        }
    }
    Ok(())
}

/// Checks that the stub is the one that the engine delivers for the present settings, once no answer is outstanding.
fn check_against_engine(explorer: &Explorer, index: &Arc<Index>) -> TestCaseResult {
    let model = &explorer.model;
    let (Some(catalog), Some(request)) = (&model.catalog, model.stub_request()) else { return Ok(()) };
    prop_assert!(model.preview.is_current(), "what waits for nothing shows what is selected");
    prop_assert_eq!(&catalog.index.weights, &model.settings.weights);
    if explorer.is_delivering && !catalog.index.is_of_packages() {
        let shown = model.preview.shown.as_ref().map(|shown| shown.result.clone());
        let shown = shown.map(|result| result.map(|stub| stub.delivery.text.clone()));
        let delivered = request.deliver(index).map(|delivery| delivery.text);
        prop_assert_eq!(
            shown.map(|result| result.map_err(|why| why.to_string())),
            Some(delivered.map_err(|why| why.to_string())),
            "for {:?}",
            request
        );
    }
    Ok(())
}

/// Checks that the stub equals the output of the program for a profile of the present settings; `index` is the index of
/// the demo.
fn check_against_export(explorer: &Explorer, index: &Arc<Index>) -> TestCaseResult {
    let model = &explorer.model;
    let Some(request) = model.stub_request() else { return Ok(()) };
    // Settings without a stub cannot be saved as a profile.
    let Ok(delivery) = request.deliver(index) else { return Ok(()) };
    let shown = model.preview.shown.as_ref().and_then(|shown| shown.result.as_ref().ok());
    let shown = shown.map(|stub| stub.delivery.text.as_str());
    let folder = tempfile::tempdir().unwrap();
    let profile = folder.path().join("agents.toml");
    fs::write(&profile, Profile::new(request, &delivery, index).text("agents")).unwrap();
    let mut export = Command::new(env!("CARGO_BIN_EXE_apidisc-tui"));
    let printed = export.args(["--export", "--demo", "--profile"]).arg(&profile).output().unwrap();
    let profile = fs::read_to_string(&profile).unwrap();
    let said = String::from_utf8_lossy(&printed.stderr);
    prop_assert_eq!(shown, Some(&*String::from_utf8_lossy(&printed.stdout)), "{}\n{}", profile, said);
    Ok(())
}

/// The index of the whole demo, which the command line exports from.
static DEMO: LazyLock<Arc<Index>> = LazyLock::new(|| {
    let built = build(&apidisc_tui::demo::source(), &mut |_| Control::Continue);
    Arc::new(built.unwrap().unwrap())
});

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn the_stub_equals_the_export(events in prop::collection::vec(event(), 1..40)) {
        let mut explorer = Explorer::new(100, 30);
        (explorer.is_canned, explorer.is_delivering) = (true, true);
        let demo = Arc::clone(&DEMO);
        explorer.index(Index::clone(&demo));
        for event in events {
            match event {
                Event::Message(message) => explorer.send(message),
                Event::Keys(keys) => explorer.keys(keys),
                Event::Index(_) | Event::Documents(_) | Event::UsedPackages => explorer.index(Index::clone(&demo)),
            };
        }
        explorer.settle();
        check_against_export(&explorer, &demo)?;
    }
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn nothing_breaks_the_explorer(
        events in prop::collection::vec(event(), 1..60),
        begins_with in prop::option::weighted(0.8, 0..6u8),
        is_slow in any::<bool>(),
        is_delivering in prop::bool::weighted(0.4),
        has_documents in any::<bool>(),
    ) {
        let mut explorer = Explorer::new(100, 30);
        explorer.is_slow = is_slow;
        explorer.is_canned = true;
        explorer.is_delivering = is_delivering;
        explorer.documents = has_documents.then(|| documents(0));
        let mut newest = Arc::new(Index::default());
        for event in begins_with.map(Event::Index).into_iter().chain(events) {
            match event {
                Event::Message(message) => {
                    explorer.send(message);
                }
                Event::Keys(keys) => {
                    explorer.keys(keys);
                }
                Event::Index(number) => {
                    newest = Arc::new(index(number));
                    explorer.index(Index::clone(&newest));
                }
                Event::UsedPackages => packages::read(&mut explorer, packages::packages()),
                Event::Documents(number) => {
                    explorer.documents = explorer.documents.take().map(|_| documents(number));
                    explorer.send(Message::Unchanged);
                }
            }
            check_state(&explorer)?;
        }
        explorer.settle();
        check_state(&explorer)?;
        check_against_engine(&explorer, &newest)?;
    }
}
