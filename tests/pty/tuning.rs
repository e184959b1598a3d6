//! Tuning for a deployment: moving along the curve, then saving a profile that is replayed.

use std::{fs, path::Path};

use crate::{printed, terminal::Terminal};

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_profile_saved_on_the_curve_is_replayed_to_the_byte() {
    let root = tempfile::tempdir().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo"), root.path());
    let path = root.path().to_str().unwrap();
    let mut terminal = Terminal::open(120, 40, &[path], &[]);
    terminal.wait_for(" resolved");
    terminal.send("\t/station");
    terminal.wait_for("Stub · Station ");
    terminal.send("\ru");
    // The page shows the whole curve, the changes of a notch, and the measured coverage.
    terminal.wait_for("target");
    terminal.wait_for("← less: budget 900");
    terminal.wait_for("of calls it was not cut from");
    terminal.send("\x1b[D\x1b[D\x1b[D");
    terminal.wait_for("← less: budget 600");
    terminal.send("\t");
    terminal.wait_for("budget 700: ");
    terminal.send("P\x15agents\r");
    terminal.wait_for("saved as");
    terminal.send("\r\x1b");
    terminal.wait_for("Stub · Station ");
    terminal.send("q");
    terminal.assert_given_back(0);
    let replayed = printed(&["--export", path, "--profile", "agents"]);
    assert_eq!(replayed, printed(&["--export", path, "--symbol", "windvane.Station", "--max-tokens", "700"]));
    assert!(printed(&["--check", path, "--profile", "agents"]).contains("of 700 tokens"));
}
