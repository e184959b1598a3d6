//! The pictures of the README and of the pages in `docs` equal the screenshots of the program.

use std::{fs, path::Path, process::Command};

use crate::program::Project;

/// To update the pictures: `UPDATE_PICTURES=1 cargo test --test cli pictures`
#[test]
fn the_pictures_of_the_documents_are_up_to_date() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let drawn = Project::empty();
    let folder = if std::env::var_os("UPDATE_PICTURES").is_some() { &assets } else { drawn.path() };
    let mut script = Command::new("sh");
    script.arg(assets.join("pictures.sh")).arg(folder).env("APIDISC", env!("CARGO_BIN_EXE_apidisc-tui"));
    let output = script.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let docs = fs::read_dir(assets.with_file_name("docs")).unwrap().map(|entry| entry.unwrap().path());
    let docs = docs.filter(|page| page.extension().is_some_and(|ending| ending == "md"));
    let pages = docs.chain([assets.with_file_name("README.md")]);
    let text: String = pages.map(|page| fs::read_to_string(page).unwrap()).collect();
    let mut pictures = 0;
    for picture in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if picture.extension().is_some_and(|extension| extension == "svg") {
            pictures += 1;
            let name = picture.file_name().unwrap().to_str().unwrap();
            assert!(text.contains(&format!("assets/{name})")), "no page shows {name}");
            let is_same = fs::read(&picture).ok() == fs::read(assets.join(name)).ok();
            assert!(is_same, "{name} has changed; look at it: UPDATE_PICTURES=1 cargo test --test cli pictures");
        }
    }
    assert!(pictures > 0, "the script draws nothing");
}
