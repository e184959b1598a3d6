//! Each package can be published alone: what its code takes in stands in its folder.

use std::path::{Component, Path, PathBuf};

use crate::sources::{File, below, check};

/// The beginnings of what takes another file in by its path from the file that names it.
const TAKES: [&str; 3] = ["include_str!(\"", "include_bytes!(\"", "#[path = \""];

/// The folder of the package that a file belongs to, from the root.
fn package(path: &Path) -> &Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    path.ancestors().skip(1).find(|folder| root.join(folder).join("Cargo.toml").exists()).unwrap_or(Path::new(""))
}

/// A path without `.` and `..`.
fn tidied(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut tidied, part| {
        match part {
            Component::ParentDir => _ = tidied.pop(),
            Component::CurDir => {}
            part => tidied.push(part),
        }
        tidied
    })
}

/// The first file outside of its package that the code of a file takes in. Tests are not published.
fn outside(file: &File) -> Option<String> {
    let path = Path::new(&file.path);
    if file.path.ends_with("/tests.rs") || file.path.contains("/tests/") {
        return None;
    }
    let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
    let taken = TAKES.iter().flat_map(|begin| code.split(begin).skip(1)).filter_map(|rest| rest.split('"').next());
    let mut places = taken.map(|taken| tidied(&path.with_file_name(taken)));
    let found = places.find(|place| {
        // The root package holds what its manifest includes.
        let folder = package(path);
        let is_root = folder == Path::new("");
        let is_included = ["src", "themes", "assets/demo"].iter().any(|folder| place.starts_with(folder));
        !place.starts_with(folder) || (is_root && !is_included)
    })?;
    Some(format!("takes in {}, which is not in its package", found.display()))
}

#[test]
fn every_package_holds_what_its_code_takes_in() {
    check(&below("src"), outside);
    let bad = File::new("src/engine/stubs/new.rs", "const A: &str = include_str!(\"../../../assets/a.txt\");");
    assert!(outside(&bad).is_some());
    let bad = File::new("src/cli/new.rs", "const A: &[u8] = include_bytes!(\"../../tests/a.txt\");");
    assert!(outside(&bad).is_some());
    let good = File::new("src/engine/stubs/stub/new.rs", "const A: &str = include_str!(\"../a.txt\");");
    assert_eq!(outside(&good), None);
}
