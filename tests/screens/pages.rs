//! Every page at three sizes, in a dark and in a light theme.

use apidisc::diagnostic::{Diagnostic, Problem};
use apidisc_tui::tui::{message::Message, theme::ColourDepth};

use crate::support::{Builder, drive::Explorer, dump, station};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];
const THEMES: [&str; 2] = ["dark", "light"];

/// The content of the explorer.
#[derive(Clone, Copy)]
enum On {
    /// The demo, whose sources the pages show.
    Demo,
    /// An index made by hand, with every kind of definition.
    Station,
    /// `Station` with files that could not be read in full, and with a mistake in the configuration.
    Problems,
    /// An empty index.
    Nothing,
    /// No index yet.
    Unread,
}

/// The name of each snapshot, its content, and the keys that open the page.
const PAGES: &[(&str, On, &str)] = &[
    ("unread", On::Unread, ""),
    ("nothing", On::Nothing, ""),
    ("browse", On::Station, ""),
    ("symbols", On::Station, "<Tab> j"),
    ("arguments", On::Station, "<Tab><Tab>jj"),
    ("browse_demo", On::Demo, "<Tab>"),
    ("find", On::Station, "f"),
    ("find_agent", On::Station, "fagent"),
    ("class", On::Demo, "fstation kind:class<Enter><Enter>"),
    ("recipes", On::Demo, "fstation kind:class<Enter>r"),
    ("calls", On::Demo, "fstation kind:class<Enter>c"),
    ("calls_narrowed", On::Demo, "fstation kind:class<Enter>c/hygro"),
    ("argument", On::Demo, "fstation(latitude<Enter><Enter>"),
    ("module", On::Demo, "fwindvane.sensors kind:module<Enter>d"),
    ("subclasses", On::Demo, "fbasesensor kind:class<Enter><Enter>G"),
    ("function", On::Demo, "fopen_store kind:function<Enter><Enter>"),
    ("not_called", On::Station, "funused kind:func<Enter><Enter>"),
    ("tune_curve", On::Demo, "fwindvane.sensors kind:module<Enter>u"),
    ("tune_cuts", On::Demo, "fwindvane.sensors kind:module<Enter>u<Tab>"),
    ("save_profile", On::Demo, "fwindvane.sensors kind:module<Enter>uP"),
    ("origins", On::Demo, "2W++"),
    ("write", On::Demo, "fstation kind:class<Enter>w"),
    ("help", On::Station, "?"),
    ("palette", On::Station, ":"),
    ("ledger", On::Station, "i"),
    ("problems", On::Problems, "!"),
    ("no_problems", On::Station, "!"),
];

fn opened(on: On, theme: &str, (columns, rows): (u16, u16)) -> Explorer {
    let mut explorer = Explorer::with_theme(columns, rows, theme, ColourDepth::True);
    explorer.is_canned = true;
    match on {
        On::Demo => {
            explorer.open_demo();
        }
        On::Station => {
            explorer.index(station().build(true));
        }
        On::Problems => {
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
        On::Nothing => {
            explorer.is_canned = false;
            explorer.index(Builder::default().build(true));
        }
        On::Unread => {}
    }
    explorer
}

#[test]
fn every_page_at_every_size_in_both_themes() {
    for &(name, on, keys) in PAGES {
        for (columns, rows) in SIZES {
            let screens = THEMES.map(|theme| {
                let mut explorer = opened(on, theme, (columns, rows));
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
            let mut explorer = opened(On::Station, theme, (columns, rows));
            explorer.keys("T");
            insta::assert_snapshot!(format!("themes_{theme}_{columns}x{rows}"), dump::styled(&explorer.draw()));
        }
    }
}
