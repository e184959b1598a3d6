//! Modules that several sources have: each module of an index has a name of its own.
//!
//! A module has the name that it has in its own source. If an earlier source has a module of that name, the module of
//! the later source is named `SOURCE:MODULE`, such as `my-fork:httpx` or `other-app:src/index`. All modules of a group
//! are renamed together:
//!
//! - in library code in Python, the outermost package with an `__init__` file, else the module alone;
//! - in other Python code, such as tests, the folder at the root of the source;
//! - in TypeScript, whose modules are named by paths, all modules of the source.
//!
//! An npm package is named with [`NPM`] if the program or an installed package of Python has a module of its name:
//! `npm:redis/index`. Its definitions keep the names by which they are imported, `redis#createClient`.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use apidisc_base::{
    diagnostic::{Diagnostic, Problem},
    language::{Language, typescript::module_of_path},
};
use apidisc_facts::source::{NOT_INSTALLED, Origin, Roots};
use apidisc_link::{
    linked::{Content, LinkedProgram},
    python::LinkFile,
    typescript::SourceFile,
};

use crate::packages::NPM;

/// Names the modules of TypeScript files. `python` are the files of Python, whose modules have their names.
pub(super) fn name_typescript(roots: &Roots, python: &[LinkFile], files: &mut [SourceFile]) {
    let others = python.iter().filter_map(|file| file.module.split('.').next());
    let own = files.iter().filter(|file| !file.is_installed && file.content == Content::Code);
    let own = own.filter_map(|file| module_of_path(roots.split(&file.path).1).split('/').next());
    let taken: FxHashSet<CompactString> = others.chain(own).map(CompactString::from).collect();
    // The first source with a folder or file of this name at its root.
    let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
    let top = |path: &str| roots.split(path).1.split('/').next().map_or(0, str::len);
    for file in files.iter() {
        let (folder, inner) = roots.split(&file.path);
        let source = roots.position(&file.path);
        let owner = owners.entry(&inner[..top(&file.path)]).or_insert(source);
        *owner = source.min(*owner);
        debug_assert!(file.path.starts_with(folder));
    }
    let is_later = |file: &SourceFile| {
        let inner = roots.split(&file.path).1;
        owners.get(&inner[..top(&file.path)]).is_some_and(|owner| *owner < roots.position(&file.path))
    };
    let are_later: Vec<bool> = files.iter().map(is_later).collect();
    let is_renamed = |at: &usize| are_later[*at] && !files[*at].is_installed;
    let later: FxHashSet<usize> =
        (0..files.len()).filter(is_renamed).map(|at| roots.position(&files[at].path)).collect();
    for file in files.iter_mut() {
        let inner = roots.split(&file.path).1;
        // The module of a document has the path of the document.
        let module = if file.content == Content::Document { inner } else { module_of_path(inner) };
        let typed = if file.is_installed { typed_module(module) } else { None };
        let module = typed.as_deref().unwrap_or(module);
        let source = roots.position(&file.path);
        file.module = if file.is_installed && taken.contains(first_part(module)) {
            format_compact!("{NPM}{module}")
        } else if later.contains(&source) && !file.is_installed {
            format_compact!("{}:{module}", roots.get(source).folder)
        } else {
            module.into()
        };
    }
}

/// Names the modules of npm packages that cannot be read, like those that can: see [`NPM`]. Both programs are linked.
pub(super) fn name_absent(python: &LinkedProgram, typescript: &mut LinkedProgram) {
    let taken: FxHashSet<&str> = python.files.iter().filter_map(|file| file.module.split('.').next()).collect();
    let is_renamed = |path: &str, module: &str| path.starts_with(NOT_INSTALLED) && taken.contains(first_part(module));
    let renamed: Vec<bool> = typescript.files.iter().map(|file| is_renamed(&file.path, &file.module)).collect();
    for (file, _) in typescript.files.iter_mut().zip(&renamed).filter(|(_, is_renamed)| **is_renamed) {
        file.module = format_compact!("{NPM}{}", file.module);
    }
    let names = typescript.files.iter().zip(&renamed).filter(|(_, is_renamed)| **is_renamed);
    let names: FxHashSet<CompactString> = names.map(|(file, _)| file.module.clone()).collect();
    for (_, module) in &mut typescript.packages {
        let name = format_compact!("{NPM}{module}");
        if names.contains(&name) {
            *module = name;
        }
    }
    for definition in typescript.definitions.iter_mut().filter(|definition| renamed[definition.file]) {
        let fqn = format_compact!("{NPM}{}", definition.fqn);
        definition.aliases.push(std::mem::replace(&mut definition.fqn, fqn));
    }
}

/// The module whose types a module of `@types` declares: `@types/scope__name/index` declares `@scope/name/index`.
fn typed_module(module: &str) -> Option<CompactString> {
    let rest = module.strip_prefix("@types/")?;
    let (name, below) = rest.split_once('/').unwrap_or((rest, ""));
    Some(match name.split_once("__") {
        Some((scope, name)) => format_compact!("@{scope}/{name}/{below}"),
        None => rest.into(),
    })
}

/// The first part of the name of a TypeScript module.
fn first_part(module: &str) -> &str {
    module.split('/').next().unwrap_or(module)
}

/// Renames Python modules whose names an earlier source has, too. Returns a diagnostic for each group of library code.
pub(super) fn rename_python(roots: &Roots, files: &mut [LinkFile]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    if roots.is_single() {
        return diagnostics;
    }
    let packages: FxHashSet<(usize, CompactString)> = files
        .iter()
        .filter(|file| file.path.ends_with("/__init__.py") || file.path.ends_with("/__init__.pyi"))
        .map(|file| (roots.position(&file.path), file.module.clone()))
        .collect();
    let groups: Vec<CompactString> = files.iter().map(|file| group(roots, &packages, file).into()).collect();
    let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
    for (file, group) in files.iter().zip(&groups) {
        let source = roots.position(&file.path);
        let owner = owners.entry(group).or_insert(source);
        *owner = source.min(*owner);
    }
    let mut reported: FxHashSet<(usize, &str)> = FxHashSet::default();
    for (file, group) in files.iter_mut().zip(&groups) {
        let source = roots.position(&file.path);
        let owner = owners.get(group.as_str()).copied().unwrap_or(source);
        if owner == source {
            continue;
        }
        let folder = &roots.get(source).folder;
        file.module = format_compact!("{folder}:{}", file.module);
        let is_library = file.origin == Origin::Src && !file.is_auxiliary && file.content == Content::Code;
        if is_library && reported.insert((source, group)) {
            let first = &roots.get(owner).folder;
            let message =
                format!("{first} defines {group}, too: what is imported is that one, and this is {folder}:{group}");
            diagnostics.push(Diagnostic { path: file.path.clone(), problem: Problem::Source, message });
        }
    }
    diagnostics
}

/// The part of a module's name that is the group of the module.
fn group<'f>(roots: &Roots, packages: &FxHashSet<(usize, CompactString)>, file: &'f LinkFile) -> &'f str {
    let module = file.module.as_str();
    // Examples in docstrings belong to the group of their module.
    let origin = match file.content {
        Content::Examples => Language::Python.origin(roots.split(&file.path).1),
        Content::Code | Content::Document => file.origin,
    };
    if origin != Origin::Src {
        return module.split('.').next().unwrap_or(module);
    }
    let source = roots.position(&file.path);
    let is_package = |end: usize| packages.contains(&(source, CompactString::from(&module[..end])));
    let ends = module.match_indices('.').map(|(at, _)| at);
    ends.into_iter().find(|&end| is_package(end)).map_or(module, |end| &module[..end])
}
