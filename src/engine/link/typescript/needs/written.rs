//! The names of other modules that a file writes, so that two versions of a package can be asked for each.

use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::super::source_file::SourceFile;
use apidisc_facts::syntax::typescript::facts::{
    Decl, ExportKind, Expr, ExprId, FileFacts, ImportId, ImportKind, NameId, PatternStep, ReadPlace, SymbolId,
    TypeNode, ValueSource,
};

/// The greatest number of names after a module that are followed.
const MAX_NAMES: usize = 16;

/// A name of another module that a file writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WrittenName {
    /// The module and the names after it: `zod#z.string`. A module alone has no names: `zod#`.
    pub name: CompactString,
    /// Where the name stands.
    pub place: WrittenPlace,
}

/// Where a file writes a name of another module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WrittenPlace {
    /// The name stands in an import or export statement that begins on this line, from 1.
    Import(u32),
    /// In an expression: the line (from 1) and the column (from 0, in bytes) of the last name.
    Expression(u32, u32),
    /// In a type, with this text, since the facts of types have no positions: `A.B`, `).B` for `import('m').B`, and
    /// none for `import('m')` alone.
    Type(CompactString),
}

/// The names of other modules that a file writes, sorted and without duplicates.
pub fn written_names(file: &SourceFile) -> Vec<WrittenName> {
    let facts = &file.facts;
    let mut names: Vec<WrittenName> = Vec::new();
    let mut add = |specifier: &str, path: &[&str], place| {
        if !specifier.is_empty() {
            names.push(WrittenName { name: full_name(specifier, path), place });
        }
    };
    for import in &facts.imports {
        let place = WrittenPlace::Import(import.line);
        match import.kind {
            ImportKind::Named(name) => add(facts.name(import.specifier), &[facts.name(name)], place),
            ImportKind::Namespace | ImportKind::Required => add(facts.name(import.specifier), &[], place),
            ImportKind::Entity | ImportKind::Local(_) => {}
        }
    }
    for export in &facts.exports {
        let place = WrittenPlace::Import(export.line);
        match export.kind {
            ExportKind::From(module, name) => add(facts.name(module), &[facts.name(name)], place),
            ExportKind::Star(module) | ExportKind::Namespace(module) => add(facts.name(module), &[], place),
            ExportKind::Symbol(_) | ExportKind::Value(_) | ExportKind::Assign(_) => {}
        }
    }
    let mut roots = Roots { facts, known: FxHashMap::default() };
    for read in &facts.reads {
        let place = WrittenPlace::Expression(read.line, read.col);
        let found = match read.place {
            ReadPlace::Access(expr) => roots.of_expr(expr),
            ReadPlace::Pattern(variable, 0) => {
                let row = &facts.variables[variable.index()];
                match (row.source, row.path.first()) {
                    (ValueSource::Value(value), Some(PatternStep::Property(name))) => {
                        roots.of_expr(value).map(|mut root| {
                            root.path.push(*name);
                            root
                        })
                    }
                    _ => None,
                }
            }
            ReadPlace::Pattern(..) => None,
        };
        if let Some(Root { specifier, path }) = found {
            let path: Vec<&str> = path.iter().map(|name| facts.name(*name)).collect();
            add(facts.name(specifier), &path, place);
        }
    }
    for node in &facts.types {
        match node {
            TypeNode::Ref { symbol: Some(symbol), path, .. } if path.len() > 1 => {
                let Some(import) = import_of(facts, *symbol) else { continue };
                let row = &facts.imports[import.index()];
                let imported = match row.kind {
                    ImportKind::Named(name) => Some(name),
                    ImportKind::Namespace | ImportKind::Required => None,
                    ImportKind::Entity | ImportKind::Local(_) => continue,
                };
                let written: Vec<&str> = path.iter().map(|name| facts.name(*name)).collect();
                let place = WrittenPlace::Type(written.join(".").into());
                let path: Vec<&str> = imported.iter().chain(&path[1..]).map(|name| facts.name(*name)).collect();
                add(facts.name(row.specifier), &path, place);
            }
            TypeNode::Import { specifier, path, .. } => {
                let path: Vec<&str> = path.iter().map(|name| facts.name(*name)).collect();
                let text = if path.is_empty() { String::new() } else { format!(").{}", path.join(".")) };
                let place = WrittenPlace::Type(text.into());
                add(facts.name(*specifier), &path, place);
            }
            _ => {}
        }
    }
    names.sort();
    names.dedup();
    names
}

fn full_name(specifier: &str, path: &[&str]) -> CompactString {
    format_compact!("{specifier}#{}", path.join("."))
}

/// The import that declares a symbol.
fn import_of(facts: &FileFacts, symbol: SymbolId) -> Option<ImportId> {
    facts.symbol(symbol).decls.iter().find_map(|decl| match decl {
        Decl::Import(import) => Some(*import),
        _ => None,
    })
}

/// The module in which a chain of properties begins, and the names after it, outermost first.
#[derive(Clone)]
struct Root {
    specifier: NameId,
    path: Vec<NameId>,
}

struct Roots<'f> {
    facts: &'f FileFacts,
    /// The answers for variables that hold a required module.
    known: FxHashMap<SymbolId, Option<Root>>,
}

impl Roots<'_> {
    fn of_expr(&mut self, expr: ExprId) -> Option<Root> {
        let mut inner = self.facts.without_guards(expr);
        let mut names: Vec<NameId> = Vec::new();
        while let Expr::Property { object, name, .. } = self.facts.expr(inner) {
            if names.len() == MAX_NAMES {
                return None;
            }
            names.push(name);
            inner = self.facts.without_guards(object);
        }
        let mut root = match self.facts.expr(inner) {
            Expr::Require(specifier) | Expr::Namespace(specifier) => Root { specifier, path: Vec::new() },
            Expr::Name { symbol: Some(symbol), .. } => self.of_symbol(symbol)?,
            _ => return None,
        };
        root.path.extend(names.into_iter().rev());
        Some(root)
    }

    fn of_symbol(&mut self, symbol: SymbolId) -> Option<Root> {
        if let Some(import) = import_of(self.facts, symbol) {
            let row = &self.facts.imports[import.index()];
            return match row.kind {
                ImportKind::Named(name) => Some(Root { specifier: row.specifier, path: vec![name] }),
                ImportKind::Namespace | ImportKind::Required => {
                    Some(Root { specifier: row.specifier, path: Vec::new() })
                }
                ImportKind::Entity | ImportKind::Local(_) => None,
            };
        }
        if let Some(known) = self.known.get(&symbol) {
            return known.clone();
        }
        let found = self.of_variable(symbol);
        self.known.insert(symbol, found.clone());
        found
    }

    /// `const x = require("m")`, `const { x } = require("m")`
    fn of_variable(&self, symbol: SymbolId) -> Option<Root> {
        let [Decl::Variable(variable)] = self.facts.symbol(symbol).decls[..] else { return None };
        let row = &self.facts.variables[variable.index()];
        let ValueSource::Value(value) = row.source else { return None };
        let Expr::Require(specifier) = self.facts.expr(self.facts.without_guards(value)) else { return None };
        let names = row.path.iter().map(|step| match step {
            PatternStep::Property(name) => Some(*name),
            _ => None,
        });
        Some(Root { specifier, path: names.collect::<Option<_>>()? })
    }
}
