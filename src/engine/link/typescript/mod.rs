//! Facts of TypeScript to a program: modules, names, classes, types, calls, binding.
//!
//! | module | what it is for |
//! | --- | --- |
//! | `modules` | what the specifier of an import means |
//! | `program` | the tables: files, definitions and names under global ids |
//! | `entities` | names to what they mean, through imports and exports |
//! | `types`, `infer` | types, and questions about them with their answers |
//! | `annotations`, `substitute`, `mapped` | types as written to types |
//! | `values`, `variables`, `members`, `heritage`, `elements`, `narrow` | values to types |
//! | `callables`, `choose`, `calls`, `parameters`, `results`, `contexts` | calls: which signature, what it takes and gives |
//! | `unify`, `inferred`, `assignable` | types against types |
//! | `resolve`, `bind` | call sites to definitions, arguments to parameters |
//! | `rows`, `describe`, `signatures`, `type_names`, `names`, `publish` | what is handed on to the index |

mod annotations;
mod assignable;
mod bind;
mod callables;
mod calls;
mod choose;
mod contexts;
mod describe;
mod elements;
mod entities;
mod heritage;
mod infer;
mod inferred;
mod mapped;
mod members;
mod modules;
mod names;
mod narrow;
mod parameters;
mod program;
mod publish;
mod resolve;
mod results;
mod rows;
mod signatures;
mod substitute;
mod type_names;
mod types;
mod unify;
mod values;
mod variables;

use std::sync::OnceLock;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::linked::{DefinitionRow, LinkedCall, LinkedFile, LinkedProgram};
use crate::{
    language::Language,
    language::{Origin, typescript::module_of_path},
    program::UnresolvedReason,
    syntax::typescript::{
        self,
        facts::{Expr, ExprId, FileFacts, FunctionKind, SiteId, SiteKind},
    },
};
use infer::Linker;
use modules::Resolver;
use program::{FileIndex, GlobalDef, Program};
use resolve::Resolved;
use rows::Rows;

/// One file with its facts.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct SourceFile {
    /// From the source's root.
    pub(crate) path: CompactString,
    /// What its calls stand for.
    pub(crate) origin: Origin,
    /// Its facts.
    pub(crate) facts: FileFacts,
}

/// A `package.json`, `tsconfig*.json` or `jsconfig*.json`, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProjectFile {
    /// From the source's root.
    pub(crate) path: CompactString,
    /// Its text; nothing is promised of its syntax.
    pub(crate) text: String,
}

/// The part of the platform, and of React, that hands values on: what calls of it give leads back into the sources.
const PLATFORM: &str = include_str!("platform.d.ts");

fn platform() -> &'static FileFacts {
    static FACTS: OnceLock<FileFacts> = OnceLock::new();
    FACTS.get_or_init(|| typescript::read(PLATFORM, typescript::Dialect::TypeScript, true))
}

/// Links `files`, sorted by path, as the `project` files say, which are sorted by path too. The module of a file is
/// [`crate::language::typescript::module_of_path`].
pub(crate) fn link(files: &[SourceFile], project: &[ProjectFile]) -> LinkedProgram {
    if files.is_empty() {
        return LinkedProgram::default();
    }
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let configuration: Vec<(&str, &str)> = project.iter().map(|p| (p.path.as_str(), p.text.as_str())).collect();
    let resolver = Resolver::new(&paths, &configuration);
    let facts = files.iter().map(|file| &file.facts).chain(std::iter::once(platform())).collect();
    let mut linker = Linker::new(Program::new(facts), resolver);
    linker.link(files)
}

impl Linker<'_> {
    fn link(&mut self, files: &[SourceFile]) -> LinkedProgram {
        let mut resolved: Vec<Vec<Resolved>> = Vec::with_capacity(files.len());
        for (i, file) in files.iter().enumerate() {
            let sites = 0..file.facts.calls.len();
            resolved.push(sites.map(|site| self.resolve(FileIndex::new(i), SiteId::new(site))).collect());
        }
        let objects = self.object_parameters(files, &resolved);
        let rows = self.rows();
        let modules: Vec<CompactString> = files.iter().map(|f| CompactString::new(module_of_path(&f.path))).collect();
        let mut definitions: Vec<_> =
            (0..rows.all.len()).map(|at| self.describe(at, &rows, &modules, &objects)).collect();
        let fqns: Vec<CompactString> = definitions.iter().map(|d| d.fqn.clone()).collect();
        let offered: Vec<_> = (0..files.len()).map(|i| self.offered(FileIndex::new(i))).collect();
        let entries = self.resolver.entries();
        for (row, names) in self.aliases(&offered, &modules, &rows.of_target, &fqns, &entries) {
            definitions[row as usize].aliases = names;
        }
        let mut exported: FxHashSet<u32> = FxHashSet::default();
        let mut linked_files = Vec::with_capacity(files.len());
        for (i, file) in files.iter().enumerate() {
            let mut exports = Vec::new();
            for &(name, meaning) in &offered[i] {
                if let Some(&row) = self.definition_of(meaning).and_then(|target| rows.of_target.get(&target)) {
                    exported.insert(row);
                    exports.push((CompactString::new(self.program.names.text(name)), DefinitionRow::new(row as usize)));
                }
            }
            let mut calls: Vec<LinkedCall> = (0..file.facts.calls.len())
                .filter(|site| file.facts.calls[*site].line > 0)
                .map(|site| self.linked_call(i, SiteId::new(site), &resolved[i][site], &rows, &definitions))
                .collect();
            calls.sort_by_key(|call| (call.line, call.col));
            linked_files.push(LinkedFile {
                path: file.path.clone(),
                language: Language::TypeScript,
                origin: file.origin,
                module: modules[i].clone(),
                exports,
                calls,
            });
        }
        self.publish(&mut definitions, &rows, &exported);
        // A package whose entry is an `index` file is the folder of that.
        let place = |file: usize| modules[file].strip_suffix("/index").unwrap_or(&modules[file]).into();
        let packages = entries.into_iter().map(|(name, file)| (name, place(file))).collect();
        let diagnostics = self.resolver.diagnostics().to_vec();
        LinkedProgram { files: linked_files, definitions, packages, diagnostics }
    }

    /// The parameters that calls give object literals, by the function that they are of.
    fn object_parameters(
        &mut self,
        files: &[SourceFile],
        resolved: &[Vec<Resolved>],
    ) -> FxHashMap<GlobalDef, SmallVec<[u16; 2]>> {
        let mut objects: FxHashMap<GlobalDef, SmallVec<[u16; 2]>> = FxHashMap::default();
        for (file, resolved) in files.iter().zip(resolved) {
            for (site, resolved) in file.facts.calls.iter().zip(resolved) {
                let Some(&candidate) = resolved.candidates.first() else { continue };
                let Some(bound) = self.bound_to(candidate) else { continue };
                for (at, argument) in site.arguments.iter().enumerate() {
                    if argument.is_spread {
                        break;
                    }
                    let takes = |f: &typescript::facts::Function| f.params.get(at).is_some_and(|p| !p.is_rest);
                    if argument.keys.is_some() && self.program.function(bound).is_some_and(takes) {
                        let places = objects.entry(bound).or_default();
                        if !places.contains(&(at as u16)) {
                            places.push(at as u16);
                        }
                    }
                }
            }
        }
        objects
    }

    /// The function whose parameters take the arguments: of a class its constructor.
    fn bound_to(&mut self, candidate: GlobalDef) -> Option<GlobalDef> {
        if self.program.function(candidate).is_some() { Some(candidate) } else { self.constructor(candidate) }
    }

    fn linked_call(
        &self,
        file: usize,
        site: SiteId,
        resolved: &Resolved,
        rows: &Rows,
        definitions: &[super::linked::LinkedDefinition],
    ) -> LinkedCall {
        let index = FileIndex::new(file);
        let facts = self.program.facts(index);
        let row = facts.site(site);
        let mut candidates: SmallVec<[DefinitionRow; 1]> = SmallVec::new();
        for candidate in &resolved.candidates {
            if let Some(&row) = rows.of_def.get(candidate)
                && !candidates.contains(&row)
            {
                candidates.push(row);
            }
        }
        let signature = candidates.first().and_then(|row| definitions[row.index()].signature.as_ref());
        // A tagged template hands its strings on as one argument that nobody writes.
        let arguments = bind::bind(facts, &row.arguments, signature);
        let arguments = match row.kind {
            SiteKind::Template if !arguments.is_empty() => arguments.into_vec().split_off(1).into_boxed_slice(),
            _ => arguments,
        };
        let is_unknown = candidates.is_empty() && resolved.why == UnresolvedReason::UnknownReceiver;
        LinkedCall {
            line: row.line,
            col: row.col,
            caller: row.caller.and_then(|def| self.caller(self.program.global(index, def), rows)),
            candidates,
            why: resolved.why,
            form: row.form,
            arguments,
            unknown_method: is_unknown.then(|| self.method_name(index, row.callee)).flatten(),
        }
    }

    /// The row of a caller: of a constructor its class.
    fn caller(&self, def: GlobalDef, rows: &Rows) -> Option<DefinitionRow> {
        let is_constructor = self.program.function(def).is_some_and(|f| f.kind == FunctionKind::Constructor);
        if is_constructor { self.row_around(def, rows) } else { rows.of_def.get(&def).copied() }
    }

    fn method_name(&self, file: FileIndex, callee: ExprId) -> Option<CompactString> {
        let facts = self.program.facts(file);
        match facts.expr(callee) {
            Expr::Property { name, .. } => Some(CompactString::new(facts.name(name))),
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) => self.method_name(file, inner),
            _ => None,
        }
    }
}
