//! Every page at three sizes, in a dark and in a light theme.

use apidisc::diagnostic::{Diagnostic, Problem};
use apidisc_tui::tui::{message::Message, theme::ColourDepth};

use crate::support::{Builder, drive::Explorer, dump, packages, station};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];
const THEMES: [&str; 2] = ["dark", "light"];

/// The content of the explorer.
#[derive(Clone, Copy)]
enum ScreenContent {
    /// The demo, whose sources the pages show.
    Demo,
    /// An index made by hand, with every kind of definition.
    Station,
    /// `Station` with files that could not be read in full, and with a mistake in the configuration.
    Problems,
    /// An empty index.
    Empty,
    /// No index yet.
    NoIndex,
}

/// The name of each snapshot, its content, and the keys that open the page.
const PAGES: &[(&str, ScreenContent, &str)] = &[
    ("unread", ScreenContent::NoIndex, ""),
    ("nothing", ScreenContent::Empty, ""),
    ("browse", ScreenContent::Station, ""),
    ("symbols", ScreenContent::Station, "<Tab> j"),
    ("arguments", ScreenContent::Station, "<Tab><Tab>jj"),
    ("browse_demo", ScreenContent::Demo, "<Tab>"),
    ("find", ScreenContent::Station, "f"),
    ("find_agent", ScreenContent::Station, "fagent"),
    ("class", ScreenContent::Demo, "fstation kind:class<Enter><Enter>"),
    ("recipes", ScreenContent::Demo, "fstation kind:class<Enter>r"),
    ("calls", ScreenContent::Demo, "fstation kind:class<Enter>c"),
    ("calls_narrowed", ScreenContent::Demo, "fstation kind:class<Enter>c/hygro"),
    ("uses", ScreenContent::Demo, "freading kind:class<Enter>c<Tab>"),
    ("uses_none", ScreenContent::Station, "funused kind:func<Enter>c<Tab>"),
    ("argument", ScreenContent::Demo, "fstation(latitude<Enter>"),
    ("module", ScreenContent::Demo, "fwindvane.sensors kind:module<Enter>d"),
    ("subclasses", ScreenContent::Demo, "fbasesensor kind:class<Enter><Enter>G"),
    ("function", ScreenContent::Demo, "fopen_store kind:function<Enter><Enter>"),
    ("not_called", ScreenContent::Station, "funused kind:func<Enter><Enter>"),
    ("tune_curve", ScreenContent::Demo, "fwindvane.sensors kind:module<Enter>u"),
    ("tune_cuts", ScreenContent::Demo, "fwindvane.sensors kind:module<Enter>u<Tab>"),
    ("save_profile", ScreenContent::Demo, "fwindvane.sensors kind:module<Enter>uP"),
    ("origins", ScreenContent::Demo, "2W++"),
    ("write", ScreenContent::Demo, "fstation kind:class<Enter>w"),
    ("help", ScreenContent::Station, "?"),
    ("palette", ScreenContent::Station, ":"),
    ("ledger", ScreenContent::Station, "i"),
    ("problems", ScreenContent::Problems, "!"),
    ("no_problems", ScreenContent::Station, "!"),
];

fn opened(content: ScreenContent, theme: &str, (columns, rows): (u16, u16)) -> Explorer {
    let mut explorer = Explorer::with_theme(columns, rows, theme, ColourDepth::True);
    explorer.is_canned = true;
    match content {
        ScreenContent::Demo => {
            explorer.open_demo();
        }
        ScreenContent::Station => {
            explorer.index(station().build(true));
        }
        ScreenContent::Problems => {
            let mut index = station().build(true);
            let row = |path: &str, problem, message: &str| Diagnostic {
                path: path.into(),
                problem,
                message: message.to_owned(),
            };
            index.diagnostics = vec![
                row("station/legacy.py", Problem::Syntax, "line 12: parts of it are no valid syntax"),
                row("station/vendor/bundle.js", Problem::Minified, "written by a minifier"),
                row("tests/データ.py", Problem::Encoding, "not UTF-8; read with replacement characters"),
            ];
            explorer.index(index);
            let mistake = "/home/ada/.config/apidisc-tui/config.toml:3: there is no command `qiut`; did you mean quit?";
            explorer.send(Message::Complaints(vec![mistake.to_owned()]));
        }
        ScreenContent::Empty => {
            explorer.is_canned = false;
            explorer.index(Builder::default().build(true));
        }
        ScreenContent::NoIndex => {}
    }
    explorer
}

#[test]
fn every_page_at_every_size_in_both_themes() {
    for &(name, content, keys) in PAGES {
        for (columns, rows) in SIZES {
            let screens = THEMES.map(|theme| {
                let mut explorer = opened(content, theme, (columns, rows));
                // A toast would cover the hints in the footer.
                explorer.keys(keys).model.toast = None;
                explorer.draw()
            });
            let screens: Vec<_> = THEMES.into_iter().zip(&screens).collect();
            insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), dump::in_themes(&screens));
        }
    }
}

/// The list of themes begins at the theme in use, so the text differs by theme and each theme has its own snapshot.
#[test]
fn choosing_a_theme_at_every_size() {
    for theme in THEMES {
        for (columns, rows) in SIZES {
            let mut explorer = opened(ScreenContent::Station, theme, (columns, rows));
            explorer.keys("T");
            insta::assert_snapshot!(format!("themes_{theme}_{columns}x{rows}"), dump::styled(&explorer.draw()));
        }
    }
}

#[test]
fn the_packages_that_the_code_uses() {
    let mut explorer = Explorer::new(110, 24);
    explorer.index(packages::program());
    packages::read(&mut explorer, packages::packages());
    insta::assert_snapshot!("packages_row_110x24", dump::styled(&explorer.draw()));
    explorer.keys("D<Down>");
    insta::assert_snapshot!("packages_110x24", dump::styled(&explorer.draw()));
    explorer.keys("<Up>d");
    insta::assert_snapshot!("packages_page_110x24", dump::styled(&explorer.draw()));
}
