//! The declaration files of one version: their facts, each file read once, and the names that stand in them.
//!
//! The index has the definitions that the program reaches. What a type declares beside them is in these files.

use std::{cell::RefCell, rc::Rc};

use apidisc_base::{language::is_declaration_file, nesting};
use apidisc_facts::{
    program::DefinitionId,
    syntax::typescript::{
        self, Dialect,
        facts::{Decl, ExportKind, FileFacts, ImportKind, ScopeId, SymbolId, TypeParamId},
    },
};
use apidisc_indexing::packages::InstalledModule;
use apidisc_link::typescript::needs::{ExportedName, exported_name};
use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::version::Version;

/// The greatest number of modules in which one name is looked for.
const MAX_MODULES: usize = 200;

/// A file of declarations.
pub(crate) struct File {
    /// Its path in the index.
    pub(crate) path: String,
    pub(crate) facts: FileFacts,
}

/// What a name in a file stands for.
pub(crate) enum Found {
    /// A type parameter.
    Parameter(Rc<File>, TypeParamId),
    /// A name that a file declares.
    Declared(Rc<File>, SymbolId),
    /// A name that a scope has, of which the declaration was not found.
    Elsewhere,
}

/// The declaration files of one version.
pub(crate) struct Declarations<'v> {
    pub(crate) version: &'v Version<'v>,
    files: RefCell<FxHashMap<String, Option<Rc<File>>>>,
    /// The paths of the files of packages that were read.
    paths: FxHashSet<&'v str>,
}

impl<'v> Declarations<'v> {
    pub(crate) fn new(version: &'v Version<'v>) -> Self {
        let paths = version.libraries.node.files.iter().map(|(path, _)| path.as_str()).collect();
        Self { version, files: RefCell::default(), paths }
    }

    /// The file at a path of the index.
    pub(crate) fn file(&self, path: &str) -> Option<Rc<File>> {
        if let Some(known) = self.files.borrow().get(path) {
            return known.clone();
        }
        let text = (self.version.read)(path);
        let file = text.map(|text| {
            let facts = typescript::read(&text, Dialect::of_path(path), is_declaration_file(path));
            Rc::new(File { path: path.to_owned(), facts })
        });
        self.files.borrow_mut().insert(path.to_owned(), file.clone());
        file
    }

    /// The file of a definition, and the scope of its body.
    pub(crate) fn place(&self, id: DefinitionId) -> Option<(Rc<File>, ScopeId)> {
        let index = self.version.index;
        let definition = index.definition(id);
        let file = self.file(&index.file(definition.place.file).path)?;
        let facts = &file.facts;
        let mut on_line = facts.definitions.iter().filter(|def| def.line == definition.place.line);
        let is_named = |name| facts.name(name) == definition.name.as_str();
        let scope = on_line.find(|def| def.name.is_some_and(is_named)).map_or(facts.file_scope(), |def| def.scope);
        Some((file, scope))
    }

    /// The symbol that is declared on a line of a file under `name`, or that the file exports under it. A line of one
    /// declaration needs no name.
    pub(crate) fn symbol_at(&self, path: &str, line: u32, name: &str) -> Option<(Rc<File>, SymbolId)> {
        let file = self.file(path)?;
        let facts = &file.facts;
        let is_here = |decl: &Decl| match decl {
            Decl::Def(def) => facts.def(*def).line == line,
            Decl::Variable(variable) => facts.variables[variable.index()].line == line,
            _ => false,
        };
        let on_line = (0..facts.symbols.len()).map(SymbolId::new);
        let on_line: Vec<SymbolId> = on_line.filter(|id| facts.symbol(*id).decls.iter().any(is_here)).collect();
        let named = on_line.iter().find(|id| facts.name(facts.symbol(**id).name) == name);
        let exported = || {
            let mut exports = facts.exports.iter().filter(|export| facts.name(export.name) == name);
            exports.find_map(|export| match export.kind {
                ExportKind::Symbol(id) => on_line.iter().find(|known| **known == id),
                _ => None,
            })
        };
        // What a declaration declares inside of it has an inner scope.
        let only = || {
            let first = on_line.first()?;
            let is_beside = |id: &&SymbolId| facts.symbol(**id).scope == facts.symbol(*first).scope;
            (on_line.iter().filter(is_beside).count() == 1).then_some(first)
        };
        let id = match (named, exported()) {
            // The file declares the name, and exports another declaration under it.
            (Some(named), Some(exported)) if named != exported => return None,
            (named, exported) => *named.or(exported).or_else(only)?,
        };
        Some((Rc::clone(&file), id))
    }

    /// What a name stands for in a scope of a file: `A`, `A.B`. `None` if no scope has the name.
    pub(crate) fn find(&self, file: &Rc<File>, scope: ScopeId, name: &str) -> Option<Found> {
        let facts = &file.facts;
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        let rest: Vec<&str> = rest.split('.').filter(|name| !name.is_empty()).collect();
        let mut scope = Some(scope);
        while let Some(at) = scope {
            let row = &facts.scopes[at.index()];
            if let Some((_, symbol)) = row.symbols.iter().find(|(known, _)| facts.name(*known) == first) {
                return Some(self.of_symbol(file, *symbol, &rest, &mut 0).unwrap_or(Found::Elsewhere));
            }
            scope = row.parent;
        }
        None
    }

    fn of_symbol(&self, file: &Rc<File>, id: SymbolId, rest: &[&str], steps: &mut usize) -> Option<Found> {
        let _level = nesting::descend()?;
        let facts = &file.facts;
        let symbol = facts.symbol(id);
        for decl in &symbol.decls {
            match decl {
                Decl::TypeParam(param) => return Some(Found::Parameter(Rc::clone(file), *param)),
                Decl::Import(import) => {
                    let row = &facts.imports[import.index()];
                    let specifier = facts.name(row.specifier);
                    return match row.kind {
                        ImportKind::Named(name) => {
                            let path: Vec<&str> =
                                std::iter::once(facts.name(name)).chain(rest.iter().copied()).collect();
                            self.exported(file, specifier, &path, steps)
                        }
                        ImportKind::Namespace | ImportKind::Required => self.exported(file, specifier, rest, steps),
                        ImportKind::Entity | ImportKind::Local(_) => None,
                    };
                }
                _ => {}
            }
        }
        let Some((&name, rest)) = rest.split_first() else { return Some(Found::Declared(Rc::clone(file), id)) };
        let inner = symbol.decls.iter().find_map(|decl| {
            let Decl::Def(def) = decl else { return None };
            let symbols = &facts.scopes[facts.def(*def).scope.index()].symbols;
            symbols.iter().find(|(known, _)| facts.name(*known) == name).map(|(_, symbol)| *symbol)
        });
        self.of_symbol(file, inner?, rest, steps)
    }

    /// What the names of `path` stand for in the module that `specifier` names.
    fn exported(&self, from: &File, specifier: &str, path: &[&str], steps: &mut usize) -> Option<Found> {
        let _level = nesting::descend()?;
        *steps += 1;
        if *steps > MAX_MODULES {
            return None;
        }
        let file = self.file(&self.resolve(&from.path, specifier)?)?;
        match exported_name(&file.facts, specifier, path) {
            ExportedName::Declared(line) => {
                let (file, symbol) = self.symbol_at(&file.path, line, path.last().copied().unwrap_or_default())?;
                Some(Found::Declared(file, symbol))
            }
            ExportedName::Elsewhere(module, names) => {
                let names: Vec<&str> = names.iter().map(CompactString::as_str).collect();
                self.exported(&file, &module, &names, steps)
            }
            ExportedName::Starred(modules) => {
                modules.iter().find_map(|module| self.exported(&file, module, path, steps))
            }
            _ => None,
        }
    }

    /// The file that was read for a specifier in a file of a package: a relative path, or the name of another package.
    fn resolve(&self, from: &str, specifier: &str) -> Option<String> {
        if !specifier.starts_with('.') {
            let package = InstalledModule::of_file(from)?.name();
            let target = self.version.libraries.node.between.get(package)?.get(specifier)?;
            return Some(target.to_string());
        }
        let mut parts: Vec<&str> = from.rsplit_once('/')?.0.split('/').collect();
        for part in specifier.split('/') {
            match part {
                "." | "" => {}
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        let endings = [("mjs", ".d.mts"), ("cjs", ".d.cts"), ("js", ".d.ts"), ("jsx", ".d.ts")];
        let coded = path.rsplit_once('.').and_then(|(stem, ending)| {
            let (_, declared) = endings.iter().find(|(code, _)| *code == ending)?;
            Some(format!("{stem}{declared}"))
        });
        let plain = [".d.ts", ".d.mts", ".d.cts", ".ts", "/index.d.ts", "/index.d.mts", "/index.ts"];
        let plain = plain.iter().map(|ending| format!("{path}{ending}"));
        coded.into_iter().chain([path.clone()]).chain(plain).find(|path| self.paths.contains(path.as_str()))
    }
}
