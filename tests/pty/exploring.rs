//! Finding a definition, reading its pages, and going back.

use std::{fs, path::Path};

use crate::{OVER_SSH, demo, printed, terminal::Terminal};

/// An editor command that writes its arguments and the text of the edited file into the file `record`, and ends after a
/// typed line. It clears the screen, so that the next run can be waited for.
fn recorder(record: &Path) -> String {
    let record = record.display();
    let script = format!("printf \"%s\\n\" \"$@\" >{record}; cat \"$2\" >>{record}; echo EDITING; read line");
    format!("sh -c '{script}; printf \"\\033[2J\"' vi")
}

/// Opens the selected row in the editor of [`recorder`]; returns the line, the path, and the text of the file.
fn open_in_editor(terminal: &mut Terminal, record: &Path) -> (usize, String, String) {
    terminal.send("o");
    terminal.wait_for("EDITING");
    let text = fs::read_to_string(record).unwrap();
    terminal.send("\r");
    terminal.wait_for("Esc close");
    let (line, rest) = text.split_once('\n').unwrap();
    let (path, source) = rest.split_once('\n').unwrap();
    (line.strip_prefix('+').unwrap().parse().unwrap(), path.to_owned(), source.to_owned())
}

#[test]
fn a_hit_is_opened_and_the_history_leads_back() {
    let mut terminal = demo(120, 40, &[]);
    terminal.wait_for("Stub · everything");
    terminal.send("f");
    terminal.wait_for("go there");
    terminal.send("statio kind:cl");
    terminal.wait_for_marked("Statio");
    terminal.send("\r");
    terminal.wait_until_gone("go there");
    terminal.wait_for("Stub · Station ");
    terminal.send("\r");
    terminal.wait_for("First call");
    terminal.wait_for("Recipes  ");
    // Switch to the next tab, go back to the panes, then to the location before.
    terminal.send("\t");
    terminal.wait_for("name, sensors, store");
    terminal.send("[");
    terminal.wait_until_gone("Enter follow");
    terminal.wait_for("Stub · Station ");
    terminal.send("[");
    terminal.wait_for("Stub · everything");
    terminal.send("]");
    terminal.wait_for("Stub · Station ");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_first_call_is_copied_and_two_settings_are_compared() {
    let mut terminal = demo(120, 40, &[OVER_SSH, ("TMUX", "")]);
    terminal.find("station kind:class", "class Station");
    terminal.wait_for("Stub · Station ");
    terminal.send("Y");
    terminal.wait_for("copied import and call by OSC 52");
    let copied = terminal.clipboard().unwrap();
    let lines: Vec<&str> = copied.lines().collect();
    assert!(lines[0].starts_with("from windvane import ") && lines[2].contains("Station("), "{copied}");
    terminal.send("L");
    terminal.wait_for("an argument that every call must pass");
    terminal.send("q");
    terminal.wait_until_gone("an argument that every call must pass");
    terminal.send("C");
    terminal.wait_for("Compare with");
    terminal.send("budget 500\r");
    terminal.wait_for("budget 500: ");
    terminal.wait_for(" more");
    terminal.send("\x03");
    terminal.assert_given_back(0);
}

#[test]
fn the_calls_of_an_argument_open_in_the_editor() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record");
    let mut terminal = demo(120, 40, &[("VISUAL", &recorder(&file))]);
    terminal.find("station(latitude", "passed 13 of 43, 30%");
    terminal.wait_for("How it is passed");
    terminal.send("c");
    terminal.wait_for("13 calls that pass latitude");
    // Every row is a real call: the editor gets its file and line.
    for _ in 0..2 {
        let (line, path, source) = open_in_editor(&mut terminal, &file);
        let at = source.lines().nth(line - 1).unwrap();
        assert!(at.contains("Station("), "{path}:{line} is `{at}`");
        terminal.send("j");
    }
    // Go from the calls back to the page of the argument.
    terminal.send("d");
    terminal.wait_for("How it is passed");
    terminal.send("q");
    terminal.wait_until_gone("Enter follow");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_page_survives_changes_of_the_window_size() {
    let mut terminal = demo(120, 40, &[]);
    terminal.find("station kind:class", "class Station");
    terminal.wait_for("Stub · Station ");
    terminal.send("\r");
    terminal.wait_for("First call");
    terminal.resize(48, 14);
    terminal.wait_for_footer("Esc close");
    terminal.wait_for("class Station");
    terminal.send("jj\r");
    terminal.resize(40, 12);
    terminal.wait_for("the window is too small");
    terminal.wait_for("40×12; 48×14 is needed");
    terminal.resize(120, 40);
    terminal.wait_for_footer("Esc close");
    // The keys pressed in the small window had their effect.
    terminal.send("[");
    terminal.wait_for("First call");
    terminal.send("q");
    terminal.wait_until_gone("Esc close");
    terminal.wait_for("Stub · Station ");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn an_index_file_is_explored_like_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("api_metadata.yaml");
    let index = file.to_str().unwrap();
    printed(&["index", "--demo", "--min-usage-threshold", "0", "-o", index]);
    let mut terminal = Terminal::open(120, 40, &["--index", index], &[OVER_SSH]);
    terminal.wait_for(" resolved");
    terminal.wait_for("tokens ");
    assert_eq!(terminal.copied(), printed(&["--export", "--index", index]));
    terminal.find("station kind:class", "class Station");
    terminal.wait_for("Stub · Station ");
    let stub = printed(&["--export", "--index", index, "--symbol", "windvane.Station"]);
    assert_eq!(terminal.copied(), stub);
    terminal.send("\r");
    terminal.wait_for("Recipes  ");
    terminal.send("R");
    terminal.wait_for("this index was read from a file");
    terminal.send("\x03");
    terminal.assert_given_back(0);
}

#[test]
#[cfg(unix)]
fn the_editor_gets_an_absolute_path_of_the_source_whatever_an_index_file_names() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let source = root.join("-c:!x");
    fs::create_dir(&source).unwrap();
    fs::write(source.join("a.py"), "def first(a): ...\nfirst(1)\n").unwrap();
    fs::write(root.join("outside.py"), "").unwrap();
    let index = root.join("index.yaml");
    printed(&["index", source.to_str().unwrap(), "--min-usage-threshold", "0", "-o", index.to_str().unwrap()]);
    let made = fs::read_to_string(&index).unwrap();
    let record = root.join("record");
    fs::write(root.join("editor"), format!("VISUAL={:?}; export VISUAL", recorder(&record)).replace('$', "\\$"))
        .unwrap();
    let script = format!("cd {}; . ./editor; exec $BINARY --index index.yaml --symbol first", root.display());
    // The folder is named by a relative path that looks like an option.
    let relative = made.replace(source.to_str().unwrap(), "'-c:!x'");
    assert_ne!(relative, made);
    for (file, is_inside) in [("a.py", true), ("../outside.py", false), ("-c:!x", false)] {
        fs::write(&index, relative.replace("file: a.py", &format!("file: {file:?}"))).unwrap();
        let mut terminal = Terminal::shell(120, 30, &script);
        terminal.wait_for("Stub · first");
        terminal.send("o");
        if is_inside {
            terminal.wait_for("EDITING");
            let text = fs::read_to_string(&record).unwrap();
            fs::remove_file(&record).unwrap();
            let expected = format!("+1\n{}\ndef first", source.join("a.py").display());
            assert!(text.starts_with(&expected), "{text}");
            terminal.send("\r");
        } else {
            terminal.wait_for("is n");
            assert!(!record.exists());
        }
        terminal.wait_for("Stub · first");
        terminal.send("q");
        terminal.assert_given_back(0);
    }
}

#[test]
fn the_numbers_of_the_ledger_lead_to_calls_that_are_explained() {
    let mut terminal = demo(120, 40, &[]);
    terminal.send("i");
    terminal.wait_for("call sites in");
    terminal.wait_for("one definition of this code");
    terminal.send("\x1b[B\r");
    terminal.wait_for("Calls of something outside");
    terminal.wait_for("toISOString()");
    terminal.send("\r");
    terminal.wait_for("Step by step");
    terminal.wait_for("→ ");
    // Back through both pages.
    terminal.send("[");
    terminal.wait_until_gone("Step by step");
    terminal.send("[");
    terminal.wait_for("one definition of this code");
    terminal.send("q");
    terminal.wait_for("Stub · everything");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn the_first_symbol_of_the_start_page_is_copied() {
    let mut terminal = demo(120, 40, &[OVER_SSH, ("TMUX", "")]);
    terminal.wait_for("Stub · everything");
    terminal.send("d");
    terminal.wait_for("Concepts");
    terminal.send("jj\r");
    terminal.wait_for("class Station");
    terminal.wait_for("First call");
    terminal.send("Y");
    let copied = terminal.copied();
    assert!(copied.starts_with("from windvane"), "{copied}");
    terminal.send("qq");
    terminal.assert_given_back(0);
}
