//! What another version of a package breaks: the list of versions, the page, the marks in the panes.

use apidisc_tui::tui::{message::Message, model::VersionPlace};

use crate::support::{
    drive::Explorer,
    dump,
    packages::{compared, packages, program, read},
};

fn explorer(theme: &str, (columns, rows): (u16, u16)) -> Explorer {
    let mut explorer = Explorer::with_theme(columns, rows, theme, apidisc_tui::tui::theme::ColourDepth::True);
    explorer.is_canned = true;
    explorer.index(program());
    read(&mut explorer, packages());
    explorer.keys("DjB");
    explorer
}

#[test]
fn the_versions_beside_the_code() {
    let mut explorer = explorer("dark", (100, 24));
    let place = |path: &str, what, is_folder| VersionPlace { path: path.to_owned(), what, is_folder };
    let places = vec![
        place("code/.venv-new", "environment or folder of packages", false),
        place("kit-3.0.whl", "archive", false),
    ];
    explorer.send(Message::VersionsListed { typed: String::new(), places });
    insta::assert_snapshot!("versions", dump::styled(&explorer.draw()));
}

#[test]
fn what_breaks_with_its_places_and_its_marks() {
    for (theme, size) in [("dark", (80, 24)), ("dark", (130, 36)), ("light", (130, 36))] {
        let mut explorer = explorer(theme, size);
        explorer.keys("kit-3.0.whl<Enter>");
        compared(&mut explorer, "kit-3.0.whl");
        explorer.keys("n");
        let name = format!("{theme}_{}x{}", size.0, size.1);
        insta::assert_snapshot!(format!("page_{name}"), dump::styled(&explorer.draw()));
        explorer.keys("<Enter>");
        insta::assert_snapshot!(format!("symbol_{name}"), dump::styled(&explorer.draw()));
        explorer.keys("qfclient kind:class<Enter><Tab>");
        insta::assert_snapshot!(format!("panes_{name}"), dump::styled(&explorer.draw()));
    }
}
