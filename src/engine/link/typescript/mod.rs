//! Linking of TypeScript: module resolution, name resolution, type inference, and the resolution of call sites.
//!
//! A folder may use those that stand before it in the table. Inference says what names and types are. What stands after
//! inference are its readers, which inference does not know: each is a struct of its own that holds the `Linker`, or
//! only the facts of the program, and writes one part of the linked program.
//!
//! | folder | purpose |
//! | --- | --- |
//! | `source_file` | the files that are linked |
//! | `declarations` | the platform, and packages that pass types of the sources through |
//! | `modules` | import specifiers to files |
//! | `program` | the facts of all files under program-wide ids |
//! | `types` | types, substitutions, and their interner |
//! | `infer` | the core: names, and the types of everything, computed on demand. Its first page says which file may call which |
//! | `callees` | what calls call, and what callees take |
//! | `rows` | the declarations that become definitions of the index, their keys and aliases |
//! | `call_sites` | call sites to definitions, arguments to parameters |
//! | `needs` | what a file needs of the modules that it imports, before anything is linked |
//! | `reads` | property reads to definitions |
//! | `describe` | the texts, signatures, base types and visibility of each definition |
//! | `explain` | how single calls are resolved, in words |
//! | `http` | requests of clients, and routes of servers |
//!
//! `tests/arch/typescript.rs` holds the folders to this order.

mod call_sites;
mod callees;
mod declarations;
mod describe;
mod explain;
mod http;
mod infer;
mod modules;
pub mod needs;
mod other_uses;
mod program;
mod reads;
mod rows;
mod source_file;
#[cfg(test)]
mod tests;
mod types;

use std::sync::OnceLock;

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::linked::{Content, DefinitionRow, LinkedFile, LinkedProgram};
use crate::{explanation::AskedCalls, project_file::ProjectFile};
use apidisc_base::{control::StepCounter, language::Language};
use apidisc_facts::{
    source::{Origin, Roots},
    syntax::typescript::{
        self,
        facts::{CallExprKind, FileFacts, ImportKind},
    },
};
use call_sites::{
    CallLinker, CallResolver, ResultUses, called_values, describe_holding_constants, mark_omitted_parameters,
    name_passed_arguments, name_passed_properties, name_taken_members, name_wrapped_functions, reached_definitions,
    redirect_calls, result_uses,
};
use describe::{Describer, Visibility, members_for_subclasses};
use http::HttpReader;
use infer::{FileExports, Linker};
use modules::{ModuleResolver, WrittenImport};
use other_uses::{UseResolver, function_names};
use program::{FileIndex, ProgramFacts};
use reads::{ReadResolver, attribute_names};
use rows::{DeclarationFinder, DefinitionRows, RowCollector, name_default_exports};

pub use modules::InstalledModules;
pub use source_file::SourceFile;

/// The facts of the declarations of the platform.
fn platform() -> &'static FileFacts {
    static FACTS: OnceLock<FileFacts> = OnceLock::new();
    FACTS.get_or_init(|| typescript::read(declarations::PLATFORM, typescript::Dialect::TypeScript, true))
}

/// Links `files`, which have the names of their modules. The `project` files configure module resolution. Both are
/// sorted by path. `installed` says which files of installed packages are imported. The `asked` calls are explained.
/// The result is empty if `steps` was cancelled.
pub fn link(
    files: &[SourceFile],
    project: &[ProjectFile],
    roots: &Roots,
    installed: &InstalledModules,
    steps: StepCounter,
    asked: Option<&AskedCalls>,
) -> LinkedProgram {
    if files.is_empty() {
        return LinkedProgram::default();
    }
    let paths: Vec<CompactString> = files.iter().map(SourceFile::import_path).collect();
    let paths: Vec<&str> = paths.iter().map(CompactString::as_str).collect();
    let configuration: Vec<(&str, &str)> = project
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .filter(|(path, _)| Language::of_project_file(path) == Some(Language::TypeScript))
        .collect();
    let resolver = ModuleResolver::new(&paths, &configuration, roots).with_installed(installed, &paths);
    let facts = files.iter().map(|file| &file.facts).chain(std::iter::once(platform())).collect();
    let source = |file: &SourceFile| (!file.is_installed).then(|| roots.position(&file.path));
    let mut program = ProgramFacts::new(facts, files.iter().map(source).collect());
    program.separate_ambient_modules(|file| {
        let file = files.get(file.index()).filter(|file| !file.is_installed)?;
        resolver.package_folder(&file.path)
    });
    for (at, pair) in files.windows(2).enumerate() {
        if pair[1].content == Content::Examples && pair[0].path == pair[1].path {
            program.add_names_of_examples(FileIndex::new(at + 1), FileIndex::new(at));
        }
    }
    link_files(&mut Linker::new(program, resolver, steps), files, asked)
}

/// Links the files of a program, and explains the `asked` calls. The result is empty if linking was cancelled.
fn link_files(linker: &mut Linker<'_>, files: &[SourceFile], asked: Option<&AskedCalls>) -> LinkedProgram {
    name_wrapped_functions(linker, files);
    let Some(mut resolved) = (CallResolver { linker, files }).resolve_all() else { return LinkedProgram::default() };
    let calls = files.iter().zip(&resolved).flat_map(|(file, resolved)| file.facts.calls.iter().zip(resolved));
    let constructed = calls.filter(|(call, _)| call.kind == CallExprKind::New);
    linker.program.add_constructed(constructed.flat_map(|(_, resolved)| resolved.candidates.iter().copied()));
    let called = called_values(files, &resolved);
    let reached = reached_definitions(&linker.program, files, &resolved);
    let mut rows = RowCollector { program: &linker.program, called: &called, reached: &reached }.definition_rows(files);
    let installed = linker.resolver.installed_entries();
    let imported_packages: FxHashSet<usize> = installed.iter().map(|(_, file)| *file).collect();
    let is_read = |i: usize| !files[i].is_installed || imported_packages.contains(&i);
    let mut exports_of =
        |i: usize| if is_read(i) { linker.file_exports(FileIndex::new(i)) } else { FileExports::default() };
    let exports: Vec<_> = (0..files.len()).map(&mut exports_of).collect();
    let imported: FxHashSet<&str> = written_imports(files).map(|import| import.specifier).collect();
    let entries = linker.resolver.entries(&imported);
    let closed_packages = linker.resolver.closed_packages(&entries);
    let finder = DeclarationFinder {
        program: &linker.program,
        resolver: &linker.resolver,
        files,
        rows: &rows,
        exports: &exports,
    };
    let declared = finder.declared_rows(&entries);
    redirect_calls(&mut resolved, &declared, &rows);
    declared.redirect_names(&mut rows);
    let mut calls = CallResolver { linker, files };
    let objects = calls.object_parameters(&resolved);
    let taken = calls.taken_overloads(&resolved, &rows, &declared);
    let attribute_names = attribute_names(&linker.program, &rows);
    let modules: Vec<CompactString> = files.iter().map(|file| file.module.clone()).collect();
    let mut definitions = Describer::new(linker, &rows, &modules, &objects, &called).describe_all();
    name_passed_arguments(files, &resolved, &rows, &mut definitions);
    name_passed_properties(linker, files, &resolved, &rows, &mut definitions);
    let uses = |file: &SourceFile| if file.is_installed { ResultUses::default() } else { result_uses(&file.facts) };
    let results: Vec<ResultUses> = files.iter().map(uses).collect();
    name_taken_members(files, &resolved, &results, &rows, &mut definitions);
    describe_holding_constants(&called, &rows, &mut definitions);
    name_default_exports(linker, files, &rows, &mut definitions);
    let fqns: Vec<CompactString> = definitions.iter().map(|d| d.fqn.clone()).collect();
    let mut names = linker.resolver.written_paths(written_imports(files), &entries, &imported, |file| {
        files[file].content == Content::Code && files[file].origin == Origin::Src
    });
    let used_names = used_names(linker, files, &entries, names.iter().chain(&installed));
    let folder = |file: usize| linker.resolver.package_folder(linker.resolver.path(file));
    let applications: FxHashSet<Option<CompactString>> = names.iter().map(|&(_, file)| folder(file)).collect();
    names.extend(entries.iter().filter(|(_, file)| !applications.contains(&folder(*file))).cloned());
    names.extend(installed.iter().cloned());
    for (row, names) in rows.aliases(&linker.program, &exports, &modules, &fqns, &names) {
        definitions[row.index()].aliases = names.into();
    }
    let (mut routes, mut requests) =
        HttpReader::new(linker, &rows, entries.iter().chain(&installed)).routes_and_requests(&resolved);
    let mut exported: FxHashSet<u32> = FxHashSet::default();
    let mut linked_files = Vec::with_capacity(files.len());
    let function_names = function_names(linker, &rows);
    let mut reader = ReadResolver::new(linker, &rows, &definitions, attribute_names);
    for (i, file) in files.iter().enumerate() {
        let index = FileIndex::new(i);
        let mut reads = if file.is_installed { Vec::new() } else { reader.linked_reads(index, &resolved[i]) };
        declared.redirect_reads(&mut reads);
        let linker = reader.linker();
        let exports = exported_rows(&linker.program, &exports[i], &rows);
        exported.extend(exports.iter().map(|(_, row)| row.index() as u32));
        let calls = CallLinker { program: &linker.program, rows: &rows, definitions: &definitions };
        let calls = if file.is_installed {
            Vec::new()
        } else {
            calls.linked_calls(index, &resolved[i], &taken[i], &results[i])
        };
        let mut users = UseResolver { linker, rows: &rows, definitions: &definitions, names: &function_names };
        let mut uses = if file.is_installed { Vec::new() } else { users.linked_uses(index, &calls) };
        declared.redirect_uses(&mut uses);
        linked_files.push(LinkedFile {
            path: file.path.clone(),
            language: Language::TypeScript,
            content: file.content,
            origin: file.origin,
            is_auxiliary: file.is_auxiliary || linker.resolver.is_unpublished(&file.path),
            is_apart: file.is_auxiliary,
            is_internal: linker.resolver.is_internal(i, &closed_packages),
            module: modules[i].clone(),
            exports,
            calls,
            reads,
            uses,
            requests: if file.is_installed { Vec::new() } else { std::mem::take(&mut requests[i]) },
            routes: if file.is_installed { Vec::new() } else { std::mem::take(&mut routes[i]) },
        });
    }
    if linker.budget.is_cancelled() {
        return LinkedProgram::default();
    }
    let visibility = Visibility {
        program: &linker.program,
        rows: &rows,
        exported: &exported,
        declared: &declared,
        for_subclasses: &members_for_subclasses(&definitions, &linked_files),
    };
    visibility.mark_public(&mut definitions);
    mark_omitted_parameters(&mut definitions, files, &linked_files);
    // If the entry point of a package is an `index` file, the module of the package is the folder of that file.
    let module_of_package = |file: usize| modules[file].strip_suffix("/index").unwrap_or(&modules[file]).into();
    let packages = names.into_iter().map(|(name, file)| (name, module_of_package(file))).collect();
    let mut diagnostics = linker.resolver.diagnostics().to_vec();
    // Nobody can mend what is too complex in a package.
    let path = |file: usize| files.get(file).filter(|file| !file.is_installed).map(|file| &file.path);
    diagnostics.extend(linker.limits.diagnostics(path));
    let named = explain::NamedProgram { files, rows: &rows, definitions: &definitions };
    let explain = |asked| explain::explain(linker, asked, &resolved, &named);
    let explanations = asked.map(explain).unwrap_or_default();
    LinkedProgram { files: linked_files, definitions, packages, used_names, diagnostics, explanations }
}

/// The specifiers that files write, file by file.
fn written_imports(files: &[SourceFile]) -> impl Iterator<Item = WrittenImport<'_>> {
    files.iter().enumerate().filter(|(_, file)| !file.is_installed).flat_map(|(from, file)| {
        file.facts.imports.iter().map(move |row| WrittenImport { from, specifier: file.facts.name(row.specifier) })
    })
}

/// The names under which files import exports of applications, of packages that are never published and of installed
/// packages, each with the number of files. `entries` are the specifiers of packages, `written` those of applications
/// and installed packages, with their files.
fn used_names<'a>(
    linker: &Linker<'_>,
    files: &[SourceFile],
    entries: &'a [(CompactString, usize)],
    written: impl Iterator<Item = &'a (CompactString, usize)>,
) -> FxHashMap<CompactString, u32> {
    let of_packages = entries.iter().filter(|(_, file)| linker.resolver.is_unpublished(linker.resolver.path(*file)));
    let counted: FxHashSet<&str> = of_packages.chain(written).map(|(specifier, _)| specifier.as_str()).collect();
    let mut used: FxHashMap<CompactString, u32> = FxHashMap::default();
    for file in files.iter().filter(|file| !file.is_installed) {
        for row in &file.facts.imports {
            let specifier = file.facts.name(row.specifier);
            if let ImportKind::Named(name) = row.kind
                && counted.contains(specifier)
            {
                *used.entry(format_compact!("{specifier}#{}", file.facts.name(name))).or_default() += 1;
            }
        }
    }
    used
}

/// The rows that a file exports, with the names under which it exports them.
fn exported_rows(
    program: &ProgramFacts<'_>,
    exports: &FileExports,
    rows: &DefinitionRows,
) -> Vec<(CompactString, DefinitionRow)> {
    let row =
        |&(name, resolved)| Some((CompactString::new(program.names.text(name)), rows.of_name(program, resolved)?));
    exports.iter().filter_map(row).collect()
}
