//! Tables of what each folder may name, and the check that holds the sources against them.
//!
//! A table is an allow-list: a folder that it does not know, a use that it does not allow and an allowance that nothing
//! uses are failures alike. Its layers are in topological order, so that no circle can be written down.

use std::{collections::BTreeSet, fs, path::Path};

use crate::sources::{File, below, is_at_or_below};

/// A folder or file at the top of a table's folder, and everything that it may name.
#[derive(Clone, Copy)]
pub(crate) struct Layer {
    /// The name of the folder, or of the file without `.rs`.
    pub(crate) name: &'static str,
    /// The other layers that it may use.
    pub(crate) uses: &'static [&'static str],
    /// What it may name outside the table: paths of crates, of `std` (beyond [`PURE`]) and of the package. A path
    /// allows everything below it.
    pub(crate) outside: &'static [&'static str],
}

/// The layers of one folder, each after those that it uses.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    /// From the repository's root, such as `src/engine`.
    pub(crate) folder: &'static str,
    /// The path of the folder's module: `crate`, or `crate::tui`.
    pub(crate) module: &'static str,
    /// The layer that holds the items of the folder's own module: `lib`, or `mod`.
    pub(crate) root: &'static str,
    /// The folder of the `Cargo.toml` whose crates may be named.
    pub(crate) package: &'static str,
    /// The crates that every layer may name: those that hold data, not those that do something.
    pub(crate) common: &'static [&'static str],
    /// In topological order.
    pub(crate) layers: &'static [Layer],
}

/// The value of [`Layer::outside`] for a layer that has a table of its own: that table lists what each part of the
/// layer may name.
pub(crate) const BY_ITS_OWN_TABLE: &[&str] = &["*"];

/// The parts of `std` that compute and do nothing else: no files, no processes, no clock, no threads of their own.
const PURE: &[&str] = &[
    "std::any",
    "std::array",
    "std::borrow",
    "std::cell",
    "std::cmp",
    "std::collections",
    "std::convert",
    "std::error",
    "std::ffi::OsStr",
    "std::ffi::OsString",
    "std::fmt",
    "std::future",
    "std::hash",
    "std::iter",
    "std::mem",
    "std::num",
    "std::ops",
    "std::path::Component",
    "std::path::Path",
    "std::path::PathBuf",
    "std::pin",
    "std::rc",
    "std::slice",
    "std::str",
    "std::string",
    "std::sync",
    "std::task",
    "std::time::Duration",
    "std::vec",
];

/// Everything in which the sources and the table differ, a line each.
pub(crate) fn differences(table: &Table) -> Vec<String> {
    let is_test = |file: &File| file.path.ends_with("/tests.rs") || file.path.contains("/tests/");
    let is_inside = |file: &File| table.layer_of(&file.path).is_some() && !is_test(file);
    differences_of(table, &below(table.folder).into_iter().filter(is_inside).collect::<Vec<_>>())
}

/// Everything in which these files and the table differ, a line each.
pub(crate) fn differences_of(table: &Table, files: &[File]) -> Vec<String> {
    let crates = dependencies(table.package);
    let names: BTreeSet<&str> = files.iter().filter_map(|file| table.layer_of(&file.path)).collect();
    let mut used = BTreeSet::new();
    let mut found = table.disorder();
    for name in &names {
        if table.layer(name).is_none() {
            found.push(format!("{}/{name}: new folder or file: say what it may use", table.folder));
        }
    }
    for file in files {
        let Some(layer) = table.layer_of(&file.path).and_then(|name| table.layer(name)) else { continue };
        for path in &file.paths {
            let named = table.named(layer, path, &names, &crates);
            let allowance = match &named {
                Named::Layer(name) => layer.uses.iter().find(|allowed| *allowed == name),
                Named::Outside(path) => {
                    let is_allowed = |allowed: &&&str| **allowed == "*" || is_at_or_below(path, allowed);
                    layer.outside.iter().chain(table.common).find(is_allowed)
                }
                Named::Nothing => continue,
            };
            match (allowance, named) {
                (Some(allowance), _) => _ = used.insert((layer.name, *allowance)),
                (None, Named::Layer(name)) => {
                    found.push(format!("{}: `{}` may not use `{name}`, but names {path}", file.path, layer.name));
                }
                (None, _) => found.push(format!("{}: `{}` may not name {path}", file.path, layer.name)),
            }
        }
    }
    for layer in table.layers {
        if !names.contains(layer.name) {
            found.push(format!("{}/{} is gone: take it out of the table", table.folder, layer.name));
            continue;
        }
        for allowance in layer.uses.iter().chain(layer.outside).filter(|name| !used.contains(&(layer.name, **name))) {
            found.push(format!("`{}` does not use {allowance}: take it out of the table", layer.name));
        }
    }
    for name in table.common.iter().filter(|name| !used.iter().any(|(_, allowance)| allowance == *name)) {
        found.push(format!("no layer uses {name}: take it out of the table"));
    }
    found
}

/// What a path means to a table.
enum Named {
    /// Another layer of the table.
    Layer(String),
    /// Something outside the table that must be allowed.
    Outside(String),
    /// The layer itself, a local name, or what everybody may name.
    Nothing,
}

impl Table {
    /// The layer of that name.
    pub(crate) fn layer(&self, name: &str) -> Option<&'static Layer> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// The layer that a file belongs to; none where the file belongs to another package.
    fn layer_of<'a>(&self, path: &'a str) -> Option<&'a str> {
        let inner = path.strip_prefix(self.folder)?.strip_prefix('/')?;
        let name = inner.split('/').next().unwrap_or(inner);
        let is_package = self.folder == "src" && matches!(name, "engine" | "agents");
        (!is_package).then(|| name.trim_end_matches(".rs"))
    }

    /// A line for each layer that may use a layer which does not precede it in the table. Without such lines the table
    /// has no cycle.
    fn disorder(&self) -> Vec<String> {
        let mut before = BTreeSet::new();
        let mut found = Vec::new();
        for layer in self.layers {
            for name in layer.uses.iter().filter(|name| !before.contains(*name)) {
                found.push(format!("the table is not in topological order: `{}` uses `{name}`", layer.name));
            }
            before.insert(layer.name);
        }
        found
    }

    fn named(&self, layer: &Layer, path: &str, names: &BTreeSet<&str>, crates: &BTreeSet<String>) -> Named {
        // ratatui re-exports crossterm: a path through the re-export is a path of crossterm.
        let path = path.trim_start_matches("::");
        let path = path.strip_prefix("ratatui::").filter(|path| path.starts_with("crossterm")).unwrap_or(path);
        let first = path.split("::").next().unwrap_or(path);
        let is_root = matches!(layer.name, "lib" | "main" | "mod");
        // The binary sees the library by its name; a root file sees the modules below it without a prefix.
        let inner = path.strip_prefix("apidisc_tui").filter(|_| self.module == "crate");
        let inner = inner.or_else(|| path.strip_prefix(self.module));
        let inner = inner.or_else(|| (is_root && names.contains(first)).then_some(path));
        match inner {
            Some(inner) if inner.is_empty() || inner.starts_with("::") || inner == path => {
                let name = inner.trim_start_matches("::").split("::").next().unwrap_or_default();
                let name = if names.contains(name) { name } else { self.root };
                if name == layer.name { Named::Nothing } else { Named::Layer(name.to_owned()) }
            }
            _ if matches!(first, "std" | "core" | "alloc") => {
                let path = path.replacen(first, "std", 1);
                let is_pure = PURE.iter().any(|pure| is_at_or_below(&path, pure));
                if is_pure { Named::Nothing } else { Named::Outside(path) }
            }
            _ if first == "crate" || crates.contains(first) => Named::Outside(path.to_owned()),
            _ => Named::Nothing,
        }
    }
}

/// The crates that a package's manifest names, as the code spells them. The compiler makes sure that the package names
/// no other crate.
fn dependencies(package: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(package).join("Cargo.toml");
    let manifest: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let tables =
        [&manifest].into_iter().chain(targets.into_iter().flat_map(|t| t.values().filter_map(|t| t.as_table())));
    let lists = tables.flat_map(|table| ["dependencies", "build-dependencies"].map(|key| table.get(key)));
    let names = lists.flatten().filter_map(toml::Value::as_table).flat_map(toml::Table::keys);
    let names: BTreeSet<String> = names.map(|name| name.replace('-', "_")).collect();
    assert!(!names.is_empty(), "{package}/Cargo.toml names no crate");
    names
}

/// The differences between a table of these layers and these files, each given by its path and text.
#[cfg(test)]
fn differences_with(layers: &'static [Layer], files: &[(&str, &str)]) -> Vec<String> {
    let table = Table { folder: "src", module: "crate", root: "lib", package: ".", common: &["serde"], layers };
    let files: Vec<File> = files.iter().map(|(path, text)| File::new(path, text)).collect();
    differences_of(&table, &files)
}

#[test]
fn the_check_has_teeth() {
    const A: Layer = Layer { name: "a", uses: &[], outside: &[] };
    const B: Layer = Layer { name: "b", uses: &["a"], outside: &["std::fs", "crossterm::event::KeyCode"] };
    const GOOD: [(&str, &str); 2] = [
        ("src/a.rs", "//! crate::b, std::net\nuse serde::Serialize;\nuse std::{fmt, sync::Arc};"),
        ("src/b/c.rs", "use super::super::a::A;\nuse std::fs;\nuse ratatui::crossterm::event::KeyCode;"),
    ];
    let with = |path, text| differences_with(&[A, B], &[GOOD[0], GOOD[1], (path, text)]);
    assert_eq!(with("src/b/mod.rs", "use self::c;\nlet x = crate::a::A;"), [""; 0]);

    let new = with("src/new/mod.rs", "");
    assert_eq!(new, ["src/new: new folder or file: say what it may use"]);
    for (bad, named) in [
        ("use crate::b::B;", "crate::b::B"),
        ("use super::super::b::{self, B};", "crate::b"),
        ("let b = crate::b::B::new();", "crate::b::B::new"),
        ("use apidisc_tui::b;", "apidisc_tui::b"),
        ("#[cfg(test)]\nmod tests { use std::fs; }\nuse crate::{b as other};", "crate::b"),
    ] {
        let expected = format!("src/a/d.rs: `a` may not use `b`, but names {named}");
        assert!(with("src/a/d.rs", bad).contains(&expected), "{bad}: {:?}", with("src/a/d.rs", bad));
    }
    for (bad, named) in [
        ("use std::{fmt, net::TcpStream};", "std::net::TcpStream"),
        ("use std::time;", "std::time"),
        ("let now = core::time::Instant::now();", "core::time::Instant::now"),
        ("use tokio;", "tokio"),
        ("let paths = ::ignore::WalkBuilder::new(folder);", "ignore::WalkBuilder::new"),
        ("use ratatui::{crossterm::terminal, layout::Rect};", "ratatui::crossterm::terminal"),
        ("use crossterm::event;", "crossterm::event"),
    ] {
        let expected = format!("src/a/d.rs: `a` may not name {named}");
        assert!(with("src/a/d.rs", bad).contains(&expected), "{bad}: {:?}", with("src/a/d.rs", bad));
    }
    let hidden = with("src/a/d.rs", "use crate as package;");
    assert_eq!(hidden, ["src/a/d.rs: `a` may not use `lib`, but names crate"]);

    let unused =
        differences_with(&[A, B], &[("src/a.rs", "use serde::Serialize;"), ("src/b.rs", "use std::fs::File;")]);
    assert_eq!(
        unused,
        [
            "`b` does not use a: take it out of the table",
            "`b` does not use crossterm::event::KeyCode: take it out of the table"
        ]
    );
    assert_eq!(differences_with(&[A], &[("src/a.rs", "")]), ["no layer uses serde: take it out of the table"]);
    assert!(differences_with(&[A, B], &GOOD[..1]).contains(&"src/b is gone: take it out of the table".to_owned()));
    let circle = differences_with(&[B, A], &GOOD);
    assert_eq!(circle, ["the table is not in topological order: `b` uses `a`"]);
}
