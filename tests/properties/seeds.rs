//! Runs every fuzz target once on its seeds, and checks that every target has a program and seeds.

use std::{collections::BTreeSet, fs, path::PathBuf};

use crate::targets::TARGETS;

fn fuzz(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz").join(path)
}

/// The file names in a folder, without extensions.
fn names(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(fuzz(folder)).expect("the folder is there");
    let stem = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    entries.map(|entry| stem(entry.expect("an entry").path())).collect()
}

#[test]
fn every_target_accepts_its_seeds() {
    for (name, run) in TARGETS {
        let files = fs::read_dir(fuzz("seeds").join(name)).expect("the target has seeds");
        let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        assert!(files.len() >= 3, "{name} has too few seeds");
        for file in files {
            // Shown when the target fails.
            println!("{}", file.display());
            run(&fs::read(file).expect("it can be read"));
        }
    }
}

#[test]
fn every_target_accepts_empty_and_malformed_input() {
    for (_, run) in TARGETS {
        run(b"");
        run(b"\0\xff\xfe\r\n\x1b[31m{[(<\"'`=== ");
    }
}

#[test]
fn every_target_has_a_program_and_seeds() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(targets.len(), TARGETS.len());
    assert_eq!(names("fuzz_targets"), targets);
    assert_eq!(names("seeds"), targets);
    let manifest = fs::read_to_string(fuzz("Cargo.toml")).expect("the manifest");
    for name in targets {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name} is not in Cargo.toml");
    }
}
