//! API documents: they are read behind the first screen and again when they change, and their stubs are those of the
//! command line.

use std::{fs, path::Path};

use crate::{OVER_SSH, printed, terminal::Terminal};

const DOCUMENT: &str = "openapi: 3.1.0
info: {title: Pets}
paths:
  /pets:
    post:
      summary: Add a pet
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string}, age: {type: integer}}}
";

fn repository(document: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join(document), DOCUMENT).unwrap();
    let code = "import httpx\n\ndef add(name):\n    httpx.post('https://pets.example.org/pets', json={'name': name})\n";
    fs::write(root.path().join("client.py"), code).unwrap();
    root
}

fn open(root: &Path, options: &[&str]) -> Terminal {
    // The row of the packages would come below the documents.
    let arguments = [options, &["--no-deps", root.to_str().unwrap()]].concat();
    let terminal = Terminal::open(120, 40, &arguments, &[OVER_SSH]);
    terminal.wait_for("pets.yaml");
    terminal
}

/// Goes to the only document, which is the last row, and to its first operation.
fn go_to_operation(terminal: &mut Terminal) {
    terminal.send("G");
    terminal.wait_for("Stub · Pets: info");
    terminal.send("\r");
    terminal.wait_for("Stub · POST /pets");
}

#[test]
fn a_document_is_read_again_when_it_changes_and_its_stub_is_that_of_the_command_line() {
    let root = repository("pets.yaml");
    let mut terminal = open(root.path(), &[]);
    go_to_operation(&mut terminal);
    terminal.wait_for("POST /pets: Add a pet");
    let changed = DOCUMENT.replace("Add a pet", "Add one more").replace("paths:", "paths:\n  /owners: {get: {}}");
    fs::write(root.path().join("pets.yaml"), changed).unwrap();
    terminal.wait_for("GET /owners");
    terminal.wait_for("POST /pets: Add one more");
    terminal.send("y");
    terminal.wait_for("copied");
    let path = root.path().to_str().unwrap();
    assert_eq!(terminal.copied(), printed(&["--export", "--docs", path, "--symbol", "POST /pets", path]));
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn the_command_line_names_documents_elsewhere() {
    let (code, documents) = (repository("ignored.yaml"), repository("pets.yaml"));
    let file = documents.path().join("pets.yaml");
    let mut terminal = open(code.path(), &["--docs", file.to_str().unwrap()]);
    assert!(!terminal.text().contains("ignored.yaml"), "{}", terminal.text());
    go_to_operation(&mut terminal);
    // A key reads them again.
    fs::write(&file, DOCUMENT.replace("Add a pet", "Add one more")).unwrap();
    terminal.send("R");
    terminal.wait_for("POST /pets: Add one more");
    terminal.send("q");
    terminal.assert_given_back(0);
}
