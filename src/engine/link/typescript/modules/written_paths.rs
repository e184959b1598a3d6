//! The specifiers under which the files of an application import each other.
//!
//! A package has names by which others import it; see [`super::entries`]. An application has none: its files import
//! each other by relative paths, or by specifiers that `paths` and `baseUrl` of a configuration, or `imports` of a
//! `package.json`, map to files: `@/components/hooks`. Such a specifier is the name of the file. A file that is
//! imported by relative paths alone has the name that the application would write for it.
//!
//! A package is an application if its `package.json` names no entry point and no file imports it by its name.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    ModuleResolution, ModuleResolver,
    build_outputs::without_extension,
    path::{is_relative, within},
};
use apidisc_base::language::typescript::module_of_path;

/// A specifier that a file writes.
pub(crate) struct WrittenImport<'a> {
    /// The position of the importing file.
    pub(crate) from: usize,
    pub(crate) specifier: &'a str,
}

/// The start of specifiers and the folder that it stands for, `@` and `src` for `@/*` and `src/*`.
type Prefix = (CompactString, CompactString);

/// The folder of an application.
type Application = CompactString;

/// The specifiers of files of applications, with the positions of the files, sorted. A specifier that means several
/// files, as `@/app` in two applications, is left out. `entries` are those of packages, `imported` the specifiers that
/// files import. Names are made for the files for which `is_named` returns true.
pub(super) fn written_paths<'a>(
    resolver: &ModuleResolver,
    imports: impl Iterator<Item = WrittenImport<'a>>,
    entries: &[(CompactString, usize)],
    imported: &FxHashSet<&str>,
    is_named: impl Fn(usize) -> bool,
) -> Vec<(CompactString, usize)> {
    let is_package =
        |(name, file): &&(CompactString, usize)| imported.contains(name.as_str()) || resolver.names_entries(*file);
    let application_of = |file: usize| resolver.package_folder(resolver.path(file)).unwrap_or_default();
    let packages: FxHashSet<Application> =
        entries.iter().filter(is_package).map(|&(_, file)| application_of(file)).collect();
    let mut written: Vec<(CompactString, usize)> = Vec::new();
    let mut prefixes: FxHashMap<Application, FxHashMap<Prefix, u32>> = FxHashMap::default();
    let mut seen: FxHashSet<(Application, &str)> = FxHashSet::default();
    let mut importing: Option<(usize, Application)> = None;
    for WrittenImport { from, specifier } in imports {
        if is_relative(specifier) || specifier.starts_with('/') {
            continue;
        }
        if importing.as_ref().is_none_or(|(file, _)| *file != from) {
            importing = Some((from, application_of(from)));
        }
        let Some((_, application)) = importing.as_ref().filter(|(_, application)| !packages.contains(application))
        else {
            continue;
        };
        if !seen.insert((application.clone(), specifier)) {
            continue;
        }
        let ModuleResolution::File(file) = resolver.resolve(from, specifier) else { continue };
        if application_of(file) != *application || entries.binary_search_by(|(name, _)| (**name).cmp(specifier)).is_ok()
        {
            continue;
        }
        if let Some(prefix) = prefix(specifier, module_of(resolver.path(file))) {
            *prefixes.entry(application.clone()).or_default().entry(prefix).or_default() += 1;
        }
        written.push((specifier.into(), file));
    }
    let known: FxHashSet<usize> = written.iter().map(|&(_, file)| file).collect();
    if !prefixes.is_empty() {
        for file in (0..resolver.file_count()).filter(|&file| is_named(file) && !known.contains(&file)) {
            let name = prefixes.get(&application_of(file)).and_then(|prefixes| specifier_of(resolver, file, prefixes));
            written.extend(name.map(|name| (name, file)));
        }
    }
    written.sort();
    written.dedup();
    let unique = written.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1);
    unique.flatten().cloned().collect()
}

/// The module of a file as specifiers write it: an `index` file stands for its folder.
fn module_of(path: &str) -> &str {
    let module = module_of_path(path);
    module.strip_suffix("/index").unwrap_or(module)
}

/// What a specifier and the module of its file begin with, before the parts that are the same in both. `None` if no
/// part is.
fn prefix(specifier: &str, module: &str) -> Option<Prefix> {
    let specifier = without_extension(specifier);
    let specifier = specifier.strip_suffix("/index").unwrap_or(specifier);
    let same = specifier.rsplit('/').zip(module.rsplit('/')).take_while(|(a, b)| a == b);
    let length = same.map(|(part, _)| part.len() + 1).sum::<usize>().checked_sub(1).filter(|&length| length > 0)?;
    let start = |path: &str| CompactString::from(path[..path.len() - length].trim_end_matches('/'));
    Some((start(specifier), start(module)))
}

/// The specifier that an application would write for a file: by the prefix that it uses most.
fn specifier_of(resolver: &ModuleResolver, file: usize, prefixes: &FxHashMap<Prefix, u32>) -> Option<CompactString> {
    let module = module_of(resolver.path(file));
    let around = prefixes.iter().filter_map(|(prefix, count)| Some((prefix, count, within(module, &prefix.1)?)));
    let ((start, _), _, below) = around.max_by_key(|(prefix, count, _)| (**count, prefix.1.len(), *prefix))?;
    let name = match (start.is_empty(), below.is_empty()) {
        (_, true) => return None,
        (true, false) => CompactString::from(below),
        (false, false) => format_compact!("{start}/{below}"),
    };
    (resolver.resolve(file, &name) == ModuleResolution::File(file)).then_some(name)
}
