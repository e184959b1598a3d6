//! The packages that the code uses, from their row in the tree to their source.

use std::{fs, path::Path};

use crate::{printed, terminal::Terminal};

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_library_is_shown_as_the_code_uses_it() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    write(
        folder.path(),
        "code/app.py",
        "from kit import Client\n\n\ndef own(): ...\n\n\nClient('x', timeout=3).get('/')\nown()\n",
    );
    write(folder.path(), "code/.venv/pyvenv.cfg", "version = 3.12\n");
    let library = "# The library.\n\n\nclass Client:\n    def __init__(self, address, timeout=1, proxy=None): ...\n\n    \
                   def get(self, path): ...\n";
    write(folder.path(), "code/.venv/lib/python3.12/site-packages/kit.py", library);
    let code = folder.path().join("code");
    let code = code.to_str().unwrap();
    let editor = format!("sh -c 'cat \"$2\" >{0}.part; mv {0}.part {0}; echo EDITING' vi", record.display());
    let mut terminal = Terminal::open(120, 30, &[code], &[("VISUAL", &editor)]);
    terminal.wait_for("1 package (D)");
    terminal.send("D");
    terminal.wait_for("all packages");
    terminal.wait_for(".venv of the project");
    terminal.send("j");
    terminal.wait_for("Stub · kit ");
    // The file has the bytes that the command line prints.
    let file = folder.path().join("kit.pyi");
    terminal.send("w");
    terminal.wait_for("--package kit");
    terminal.send("\x15");
    terminal.send(file.to_str().unwrap());
    terminal.send("\r");
    terminal.wait_for("wrote ");
    assert_eq!(fs::read_to_string(&file).unwrap(), printed(&["--export", code, "--package", "kit"]));
    terminal.send("\to");
    terminal.wait_for("Stub · Client ");
    for _ in 0..100 {
        if record.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(fs::read_to_string(&record).unwrap(), library);
    terminal.send("D");
    terminal.wait_for("1 package (D)");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn an_upgrade_is_compared_and_its_breaks_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let code = "from kit import Client\n\n\nClient('x', timeout=3).get('/')\n";
    write(folder.path(), "code/app.py", code);
    for (environment, parameter) in [(".venv", "timeout"), (".venv-new", "wait")] {
        write(folder.path(), &format!("code/{environment}/pyvenv.cfg"), "version = 3.12\n");
        let library = format!(
            "class Client:\n    def __init__(self, address, {parameter}=1): ...\n    def get(self, path): ...\n"
        );
        write(folder.path(), &format!("code/{environment}/lib/python3.12/site-packages/kit.py"), &library);
    }
    let path = folder.path().join("code");
    let editor = format!("sh -c 'cat \"$2\" >{0}.part; mv {0}.part {0}; echo EDITING' vi", record.display());
    let mut terminal = Terminal::open(140, 40, &[path.to_str().unwrap()], &[("VISUAL", &editor)]);
    terminal.wait_for("1 package (D)");
    terminal.send("D");
    terminal.wait_for("all packages");
    terminal.send("jB");
    // The environment that is not in use stands in the list.
    terminal.wait_for(".venv-new");
    terminal.send("new\r");
    terminal.wait_for("removed-parameter");
    terminal.wait_for("1 of 2 uses of kit still work");
    terminal.send("no");
    for _ in 0..100 {
        if record.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(fs::read_to_string(&record).unwrap(), code);
    terminal.send("qq");
    terminal.assert_given_back(0);
}
