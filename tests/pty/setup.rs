//! `setup` asks on a terminal before it writes.

use crate::terminal::Terminal;

#[test]
fn a_person_is_asked_before_files_are_written() {
    let script = "cd $(mktemp -d); $BINARY setup gemini --project --write; echo files: $(ls -A)";
    for (answer, files) in [("n\r", "files:\n"), ("\r", "files:\n"), ("y\r", "files: .gemini\n")] {
        let terminal = &mut Terminal::shell(120, 40, script);
        terminal.wait_for("Change these 2 files? [y/N]");
        terminal.send(answer);
        terminal.wait_for("files:");
        assert!(format!("{}\n", terminal.text().trim_end()).ends_with(files), "{}", terminal.text());
    }
}
