//! Tuning: for every choice on the screen, `--export` prints the same bytes with the matching options.

use std::{fs, path::Path, process::Command};

use crate::{OVER_SSH, demo, printed, terminal::Terminal};

/// A small library with several kinds of calls.
fn library() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let kit = "class Client:\n    def __init__(self, url, *, timeout=30, retries=3, proxy=None, headers=None): ...\n    \
               def get(self, path, *, cache=True, follow=False): ...\n";
    let mut calls = "from kit import Client\n".to_owned();
    for (arguments, times) in [("timeout=1", 9), ("timeout=1, retries=2", 5), ("proxy='p'", 2), ("headers={}", 1)] {
        calls.push_str(&format!("Client('a', {arguments}).get('x', cache=False)\n").repeat(times));
    }
    fs::write(root.path().join("kit.py"), kit).unwrap();
    fs::write(root.path().join("use.py"), calls).unwrap();
    root
}

/// The command that a prompt shows, joined from several lines.
fn command(screen: &str) -> String {
    let lines: Vec<&str> = screen.lines().collect();
    let first = lines.iter().position(|line| line.contains("apidisc-tui --export")).unwrap();
    let column = lines[first].split_once("apidisc-tui").unwrap().0.chars().count();
    let piece = |line: &&str| line.chars().skip(column).take_while(|c| *c != '│').collect::<String>().trim().to_owned();
    let pieces: Vec<String> = lines[first..].iter().map(piece).take_while(|piece| !piece.is_empty()).collect();
    pieces.join(" ")
}

fn path(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

#[test]
fn pins_and_bans_give_the_bytes_of_their_options() {
    let mut terminal = demo(120, 40, &[OVER_SSH]);
    terminal.find("station(owner", "Station(owner)");
    terminal.send("q"); // Closes the page of the argument.
    terminal.wait_for("Stub · Station ");
    terminal.send("p");
    terminal.wait_for("Station(owner) is pinned");
    terminal.find("station(latitude", "Station(latitude)");
    terminal.send("q");
    terminal.wait_for("Stub · Station ");
    terminal.send("b");
    terminal.wait_for("Station(latitude) is banned");
    terminal.send("s");
    terminal.wait_for("threshold 20%");
    let stub = terminal.copied();
    assert!(stub.contains("owner: str | None =") && !stub.contains("latitude: float | None ="), "{stub}");
    let options = ["--min-frequency", "0.2", "--pin", "windvane.Station(owner)", "--ban", "windvane.Station(latitude)"];
    let options = [&["--export", "--demo", "--symbol", "windvane.Station"], &options[..]].concat();
    assert_eq!(stub, printed(&options));
    // After the overrides are removed, the stub is as before.
    terminal.send("b");
    terminal.wait_for("Station(latitude) is as the strategy says again");
    assert_eq!(terminal.copied(), printed(&options[..options.len() - 2]));
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_profile_from_the_curve_is_replayed_and_checked() {
    let root = library();
    let folder = path(root.path());
    let mut terminal = Terminal::open(120, 40, &["--max-tokens", "80", folder], &[OVER_SSH]);
    terminal.wait_for(" resolved");
    terminal.find("client kind:class", "class Client");
    terminal.wait_for("Stub · Client ");
    terminal.send("u");
    terminal.wait_for("tune Client");
    terminal.wait_for("← less: budget 70");
    terminal.send("\x1b[C");
    terminal.wait_for_footer("budget 90");
    terminal.wait_for("← less: budget 80");
    terminal.wait_for("→ more: budget 100");
    terminal.send("l");
    terminal.wait_for_footer("budget 100");
    terminal.send("P");
    terminal.wait_for("Save a profile");
    terminal.send("\x15agents");
    terminal.wait_for("--profile agents");
    terminal.send("\r");
    terminal.wait_for("saved as ");
    terminal.send("\r");
    terminal.wait_until_gone("Save a profile");
    let stub = terminal.copied();
    assert_eq!(stub, printed(&["--export", folder, "--profile", "agents"]));
    assert_eq!(stub, printed(&["--export", folder, "--symbol", "kit.Client", "--max-tokens", "100"]));
    let checked = printed(&["--check", folder, "--profile", "agents"]);
    assert!(checked.starts_with("profile agents: ") && checked.contains(" of 100 tokens"), "{checked}");
    // The profile is not replaced without a confirmation.
    terminal.send("lP");
    terminal.wait_for("Save a profile");
    terminal.send("\x15agents\r");
    terminal.wait_for("is there already");
    assert_eq!(printed(&["--export", folder, "--profile", "agents"]), stub);
    terminal.send("\r");
    terminal.wait_for("saved as ");
    terminal.send("\r");
    terminal.wait_until_gone("Save a profile");
    assert_eq!(terminal.copied(), printed(&["--export", folder, "--profile", "agents"]));
    terminal.send("q");
    terminal.wait_until_gone("tune Client");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn weights_of_origins_give_the_bytes_of_their_option() {
    let mut terminal = demo(120, 40, &[OVER_SSH]);
    terminal.find("station kind:class", "class Station");
    terminal.wait_for("Stub · Station ");
    terminal.send("2");
    terminal.wait_for("without tests");
    let export = ["--export", "--demo", "--symbol", "windvane.Station", "--weights"];
    assert_eq!(terminal.copied(), printed(&[&export[..], &["tests=0"]].concat()));
    terminal.send("W");
    terminal.wait_for("where calls stand");
    terminal.send("jj++");
    terminal.wait_for("examples x3, without tests");
    terminal.send("q");
    terminal.wait_until_gone("where calls stand");
    let stub = terminal.copied();
    assert_eq!(stub, printed(&[&export[..], &["tests=0,examples=3"]].concat()));
    assert_ne!(stub, printed(&export[..4]));
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn the_command_in_the_prompt_prints_the_written_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it's here.pyi");
    let mut terminal = demo(140, 40, &[]);
    terminal.find("station(tags", "Station(tags)");
    terminal.send("q");
    terminal.wait_for("Stub · Station ");
    terminal.send("p---2");
    terminal.wait_for("without tests");
    terminal.wait_for_footer("budget 700");
    terminal.send("w");
    terminal.wait_for("apidisc-tui --export");
    let command = command(&terminal.text());
    terminal.send("\x15");
    terminal.send(file.to_str().unwrap());
    terminal.send("\r");
    terminal.wait_for("wrote ");
    let folder_of_binary = Path::new(env!("CARGO_BIN_EXE_apidisc-tui")).parent().unwrap();
    let paths = format!("{}:{}", folder_of_binary.display(), std::env::var("PATH").unwrap());
    let output =
        Command::new("sh").args(["-c", &command]).env("PATH", paths).env("APIDISC_CACHE", "off").output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.contains("tags:"), "{written}");
    assert_eq!(written, String::from_utf8(output.stdout).unwrap(), "{command}");
    terminal.send("q");
    terminal.assert_given_back(0);
}
