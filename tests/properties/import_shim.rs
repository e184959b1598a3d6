//! Ambient modules for the imports of stubs: they declare every imported name as `any`, so that the compiler can check
//! a stub without the packages that it imports from.

use std::{collections::BTreeMap, fmt::Write};

/// A name that stubs import or reach through an imported one.
#[derive(Debug, Default)]
struct Names(BTreeMap<String, Names>);

impl Names {
    fn add(&mut self, path: &[&str]) {
        if let [first, rest @ ..] = path {
            self.0.entry((*first).to_owned()).or_default().add(rest);
        }
    }

    /// Declares the names as types, and as values if no further name is reached through them.
    fn write(&self, number: &mut usize, out: &mut String) {
        const PARAMETERS: &str = "<A = any, B = any, C = any, D = any, E = any, F = any, G = any, H = any>";
        for (name, inner) in &self.0 {
            *number += 1;
            let local = format!("_{number}");
            writeln!(out, "type {local}{PARAMETERS} = any;").expect("a string");
            if inner.0.is_empty() {
                writeln!(out, "const {local}: any;").expect("a string");
            } else {
                writeln!(out, "namespace {local} {{").expect("a string");
                inner.write(number, out);
                writeln!(out, "}}").expect("a string");
            }
            writeln!(out, "export {{ {local} as {name} }};").expect("a string");
        }
    }
}

/// The declarations of every module from which one of the stubs imports.
pub(crate) fn shim(stubs: &[String]) -> String {
    let mut modules: BTreeMap<&str, Names> = BTreeMap::new();
    for stub in stubs {
        for line in stub.lines().filter_map(|line| line.strip_prefix("import type ")) {
            let (clause, module) = line.rsplit_once(" from ").expect("a module");
            let names = modules.entry(module.trim_matches(['"', ';'])).or_default();
            if let Some(list) = clause.strip_prefix("{ ").and_then(|list| list.strip_suffix(" }")) {
                for name in list.split(", ") {
                    names.add(&[name]);
                    paths_below(stub, name).for_each(|path| names.add(&[&[name], &path[..]].concat()));
                }
            } else if let Some(local) = clause.strip_prefix("* as ") {
                paths_below(stub, local).for_each(|path| names.add(&path));
            } else {
                names.add(&["default"]);
                paths_below(stub, clause).for_each(|path| names.add(&[&["default"], &path[..]].concat()));
            }
        }
    }
    let mut text = String::new();
    let mut number = 0;
    for (module, names) in modules {
        writeln!(text, "declare module \"{module}\" {{").expect("a string");
        names.write(&mut number, &mut text);
        writeln!(text, "}}").expect("a string");
    }
    text
}

/// The paths that a text reaches through a name: `core.Doc` for `zod.core.Doc` and the name `zod`.
fn paths_below<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Vec<&'t str>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    text.match_indices(name).filter_map(move |(at, _)| {
        let is_start = !text[..at].ends_with(|c| is_part(c) || c == '.');
        let rest = text[at + name.len()..].strip_prefix('.').filter(|rest| is_start && rest.starts_with(is_part))?;
        let path = rest.split(|c| !is_part(c) && c != '.').next().unwrap_or_default();
        Some(path.trim_end_matches('.').split('.').collect())
    })
}
