//! The engine: its folders in the order of the data flow, and nothing of a screen, a process, a network or a clock.

use crate::{
    engine_breaks::BREAKS,
    engine_lower::{BASE, ENVIRONMENT, FACTS, INDEXING, LINK, TOKENS, WORDS},
    engine_upper::{ANSWERING, APIDISC, APIS, STUBS},
    layers::{Table, differences, differences_of},
    sources::{File, below, check, is_at_or_below},
};

/// The packages of the engine, each after those that it uses: bytes → facts of one file → linked program → usage →
/// index → strategy → stub. The compiler keeps this order, and refuses faces and crates that a manifest does not name.
const PACKAGES: &[&Table] =
    &[&BASE, &ENVIRONMENT, &TOKENS, &WORDS, &FACTS, &LINK, &INDEXING, &STUBS, &ANSWERING, &APIS, &BREAKS, &APIDISC];

/// The paths that no row of the table may allow: screens, terminals, processes, networks, clocks, asynchronous
/// runtimes, standard input and output.
const NEVER: &[&str] = &[
    "arboard",
    "clap",
    "crossterm",
    "ratatui",
    "std::env",
    "std::io::stderr",
    "std::io::stdin",
    "std::io::stdout",
    "std::net",
    "std::process",
    "std::time::Instant",
    "std::time::SystemTime",
    "tokio",
];

/// The words that no file of the engine may contain: macros that print, and names of [`NEVER`] that a glob import could
/// bring in without a path.
const NEVER_AS_A_WORD: &[&str] = &[
    "Command",
    "Instant",
    "SystemTime",
    "TcpStream",
    "UdpSocket",
    "dbg",
    "eprint",
    "eprintln",
    "print",
    "println",
    "stderr",
    "stdin",
    "stdout",
];

/// The build scripts. Cargo reads their standard output.
const BUILD_SCRIPTS: &[&str] =
    &["src/engine/answering/build.rs", "src/engine/sources/lib.rs", "src/engine/tokens/build.rs"];

/// The message about a file that names one of [`NEVER_AS_A_WORD`], but for the build scripts.
fn says_something(file: &File) -> Option<String> {
    let found = file.says(NEVER_AS_A_WORD).filter(|_| !BUILD_SCRIPTS.contains(&file.path.as_str()))?;
    Some(format!("the engine knows no face, process, network or clock, but names {found}"))
}

#[test]
fn each_folder_uses_only_what_the_table_allows() {
    let of_package = |package: &&'static Table| {
        differences(package).into_iter().map(|difference| format!("{}: {difference}", package.folder))
    };
    let found: Vec<String> = PACKAGES.iter().flat_map(of_package).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_table_allows_no_face_and_no_clock() {
    let layers = PACKAGES.iter().flat_map(|package| package.layers.iter().map(|layer| (layer, package.common)));
    for (layer, common) in layers.filter(|(layer, _)| layer.name != "build") {
        for allowed in layer.outside.iter().chain(common) {
            let is_too_much = |never: &&&str| is_at_or_below(allowed, never) || is_at_or_below(never, allowed);
            // `std::io` is allowed for its errors; `NEVER_AS_A_WORD` makes sure that nobody reads or prints.
            let found = NEVER.iter().find(is_too_much).filter(|_| *allowed != "std::io");
            assert_eq!(found, None, "{}", layer.name);
        }
    }
}

#[test]
fn the_engine_says_nothing() {
    check(&below("src/engine"), says_something);
}

/// For every two folders of a package of which the first may not use the second, a file that breaks the rule.
#[test]
fn every_row_has_teeth() {
    let mut refused = 0;
    for package in PACKAGES {
        let pairs = package.layers.iter().flat_map(|layer| package.layers.iter().map(move |other| (layer, other)));
        for (layer, other) in pairs.filter(|(layer, other)| layer.name != other.name) {
            if layer.uses.contains(&other.name) || layer.name == "lib" || other.name == "lib" {
                continue;
            }
            let here = format!("{}/{}/new.rs", package.folder, layer.name);
            let there = File::new(&format!("{}/{}/mod.rs", package.folder, other.name), "");
            let found = differences_of(package, &[File::new(&here, &format!("use crate::{}::X;", other.name)), there]);
            assert!(found.iter().any(|line| line.starts_with(&here)), "{} uses {}", layer.name, other.name);
            refused += 1;
        }
    }
    assert!(refused > 100, "{refused}");
}

/// The package that counts calls, for examples.
fn indexing() -> &'static Table {
    PACKAGES.iter().find(|package| package.folder == "src/engine/indexing").expect("a package")
}

#[test]
fn the_rules_have_teeth() {
    for bad in [
        "use std::{fmt, process::Command};",
        "use std::net::TcpStream;",
        "use std::time::Instant;",
        "use std::io::{self, stdout};",
        "use rayon::prelude::*; use lz4_flex::compress;",
    ] {
        let found = differences_of(indexing(), &[File::new("src/engine/indexing/usage/new.rs", bad)]);
        assert!(found.iter().any(|line| line.starts_with("src/engine/indexing/usage/new.rs")), "{bad}");
    }
    for bad in ["let now = Instant::now();", "println!(\"{}\", 1);", "io::stdout().flush()", "Command::new(\"sh\")"] {
        assert!(says_something(&File::new("src/engine/source/new.rs", bad)).is_some(), "{bad}");
    }
    let good = "//! No println!, no stdout.\nuse std::{fmt, sync::Arc};\nuse super::text;\nlet s = \"Instant\";";
    assert_eq!(says_something(&File::new("src/engine/indexing/usage/new.rs", good)), None);
    let found = differences_of(indexing(), &[File::new("src/engine/indexing/usage/new.rs", good)]);
    assert!(!found.iter().any(|line| line.starts_with("src/engine/indexing/usage/new.rs")), "{found:?}");
}
