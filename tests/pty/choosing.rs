//! The user's key bindings, and lists to choose from: themes, commands, the help.

use std::fs;

use crate::{demo, terminal::Terminal};

#[test]
#[cfg(target_os = "linux")]
fn valid_bindings_apply_beside_an_invalid_one() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("apidisc-tui");
    fs::create_dir(&config).unwrap();
    let text = "theme = \"nord\"\n[keys]\nhelp = [\"H\", \"f2\"]\nqiut = \"Q\"\nledger = \"ctrl-l\"\n";
    fs::write(config.join("config.toml"), text).unwrap();
    let environment = [("XDG_CONFIG_HOME", folder.path().to_str().unwrap())];
    let mut terminal = Terminal::open(200, 60, &["--demo"], &environment);
    terminal.wait_for("config.toml:4: there is no command `qiut`; did you mean quit?");
    terminal.wait_for(" resolved");
    // The valid entries of the file apply, and the help shows them.
    terminal.send("\x0c");
    terminal.wait_for("one definition of this code");
    terminal.send("\x1b");
    terminal.wait_until_gone("one definition of this code");
    terminal.send("?i");
    terminal.send("H");
    terminal.wait_for("one row up");
    terminal.send("/this help");
    terminal.wait_until_gone("one row up");
    terminal.wait_for("H F2 ");
    terminal.send("\r");
    terminal.wait_for("/ filters");
    terminal.send("q");
    terminal.wait_until_gone("H F2 ");
    terminal.send("!");
    terminal.wait_for("Problems");
    terminal.wait_for("did you mean quit?");
    terminal.send("qq");
    terminal.assert_given_back(0);
}

#[test]
fn a_theme_is_previewed_and_chosen() {
    let mut terminal = demo(100, 30, &[]);
    let dark = terminal.background();
    terminal.send("T");
    terminal.wait_for("Themes");
    terminal.send("latte");
    terminal.wait_for("> latte");
    terminal.wait_until_background(|colour| colour != dark);
    // Closing the list without a choice restores the old theme.
    terminal.send("\x1b");
    terminal.wait_until_gone("Themes");
    terminal.wait_until_background(|colour| colour == dark);
    terminal.send("T");
    terminal.click("solarized-light");
    terminal.wait_for("theme = \"solarized-light\" in config.toml keeps it");
    let light = terminal.background();
    assert_ne!(light, dark);
    terminal.send("Tlatte\r");
    terminal.wait_for("theme = \"latte\" in config.toml keeps it");
    assert!(![light, dark].contains(&terminal.background()));
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_command_is_found_by_its_name() {
    let mut terminal = demo(100, 30, &[]);
    terminal.send(":");
    terminal.wait_for("one row up");
    terminal.send("strategy");
    terminal.wait_until_gone("one row up");
    terminal.send("\r");
    terminal.wait_for_footer("threshold 20%");
    terminal.click(": commands");
    terminal.wait_for("one row up");
    terminal.send("ledger");
    // Until the whole word is read, the row may still move.
    terminal.wait_for("> ledger");
    terminal.wait_until_gone("one row up");
    terminal.click("what was counted, and what could not be");
    terminal.wait_for("one definition of this code");
    terminal.send("\x1b");
    terminal.wait_until_gone("one definition of this code");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn the_help_is_filtered() {
    let mut terminal = demo(100, 30, &[]);
    terminal.wait_for_footer(" Enter open");
    terminal.send("?");
    terminal.wait_for("one row up");
    terminal.send("/notch");
    terminal.wait_until_gone("one row up");
    terminal.wait_for("raise the budget, threshold or target by a notch");
    terminal.send("\x1b");
    terminal.wait_for("one row up");
    terminal.send("q");
    terminal.wait_until_gone("one row up");
    terminal.send("q");
    terminal.assert_given_back(0);
}
