//! Finds the source of a build output: by `outDir` and `rootDir`, else by conventional names of folders.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    file_table::{FileMatch, FileTable, is_asset},
    import_settings::{covered_paths, path_option},
    inheritance::InheritedOptions,
    path::{child, folder_of, folders_around, join, within},
    tsconfig::{ConfigOption, TsConfig},
};

/// If an output folder has this number of source folders, those of further projects are ignored, because the source of
/// a file in such a folder would be ambiguous.
const MAX_ROOTS: usize = 16;

/// The usual names of the folder that a package is built from.
const SOURCE_FOLDERS: [&str; 3] = ["src", "source", "lib"];

/// Finds source files by their own paths and by the paths of their build outputs.
#[derive(Debug, Default)]
pub(super) struct FileLocator {
    pub(super) files: FileTable,
    /// For each output folder: the source folders that are compiled into it.
    outputs: FxHashMap<CompactString, SmallVec<[CompactString; 2]>>,
}

impl FileLocator {
    pub(super) fn new(files: FileTable, configs: &[TsConfig], inherited: &[InheritedOptions]) -> Self {
        let mut sources = Self { files, ..Self::default() };
        // The configurations that name an output folder themselves come first: one that inherits it, such as that of
        // the tests, often compiles nothing.
        let options = [ConfigOption::OutDir, ConfigOption::DeclarationDir];
        for (is_own, option) in [true, false].into_iter().flat_map(|is_own| options.map(|option| (is_own, option))) {
            for (id, (config, inherited)) in configs.iter().zip(inherited).enumerate() {
                let folder = config.folder();
                if inherited.get(option, configs).is_none_or(|(by, _)| (by == id) != is_own) {
                    continue;
                }
                let Some(out) = path_option(configs, inherited, folder, option) else { continue };
                let roots = sources.outputs.entry(out).or_default();
                if roots.len() >= MAX_ROOTS {
                    continue;
                }
                for root in source_roots(configs, inherited, folder) {
                    if !roots.contains(&root) {
                        roots.push(root);
                    }
                }
            }
        }
        sources
    }

    /// The file that a path resolves to. A source is preferred over its build output, TypeScript over JavaScript.
    pub(super) fn locate(&self, path: &str) -> Option<usize> {
        match self.files.find(path) {
            Some(found) if found.extension.is_typescript() && !found.extension.is_declaration() => Some(found.file),
            found => self.source_of_output(path).or(found).map(|found| found.file),
        }
    }

    /// The source of the build output at `path`, by `outDir` and `declarationDir` of all configurations.
    fn source_of_output(&self, path: &str) -> Option<FileMatch> {
        if self.outputs.is_empty() {
            return None;
        }
        // A declaration file is emitted beside a JavaScript file, whose extension determines the extension of the
        // source.
        let (stem, extension) = emitted_javascript(path).unwrap_or((path, ""));
        folders_around(path).find_map(|out| {
            let roots = self.outputs.get(out)?;
            let below = compact_str::format_compact!("{}{extension}", within(stem, out)?);
            roots.iter().find_map(|root| self.files.find_code(&join(root, &below)?))
        })
    }

    /// The file that an entry point of a package resolves to. If [`Self::locate`] finds no file, the entry point is
    /// taken for a build output, and [`Self::guess_source_of_output`] finds its source.
    pub(super) fn entry(&self, package: &str, target: &str) -> Option<usize> {
        if is_asset(target) {
            return None;
        }
        let path = join(package, target)?;
        self.locate(&path).or_else(|| self.guess_source_of_output(package, within(&path, package)?))
    }

    /// The source of the build output `output` of a package, by conventional names of folders alone. One, two and three
    /// leading folders are removed from `output`, and the rest is looked up in `src`, `source` and `lib`, and in the
    /// package's folder. If no file is found, the whole `output` is looked up in `src`.
    pub(super) fn guess_source_of_output(&self, package: &str, output: &str) -> Option<usize> {
        let stem = without_extension(output);
        let found = |below: &str| self.locate(&join(package, below)?);
        let mut rest = stem;
        for _ in 0..3 {
            let Some((_, below)) = rest.split_once('/') else { break };
            rest = below;
            let in_folder = |folder: &str| found(&child(folder, rest));
            if let Some(file) = SOURCE_FOLDERS.iter().find_map(|folder| in_folder(folder)).or_else(|| found(rest)) {
                return Some(file);
            }
        }
        found(&child("src", stem)).or_else(|| found(&child("source", stem)))
    }

    /// Folders that may hold the source of an entry point inside `folder`: `folder` itself, the source folders that are
    /// compiled into it, and folders in `src`, `source` and `lib`. [`Self::entry`] also looks in other folders.
    pub(super) fn folders(&self, package: &str, folder: &str) -> Vec<CompactString> {
        let Some(path) = join(package, folder) else { return Vec::new() };
        let mut folders = Vec::new();
        for out in std::iter::once(path.as_str()).chain(folders_around(&path)) {
            let roots = self.outputs.get(out).map_or(&[][..], SmallVec::as_slice);
            folders.extend(roots.iter().filter_map(|root| join(root, within(&path, out)?)));
        }
        let mut rest = within(&path, package).unwrap_or_default();
        for _ in 0..3 {
            rest = rest.split_once('/').map_or("", |(_, below)| below);
            for folder in SOURCE_FOLDERS {
                folders.extend(join(package, &child(folder, rest)));
            }
        }
        folders.insert(0, path);
        folders
    }
}

/// The source folders that a configuration in `folder` compiles into its `outDir`: its `rootDir` if it is set, else
/// both the common folder of all covered paths and `folder`.
fn source_roots(configs: &[TsConfig], inherited: &InheritedOptions, folder: &str) -> SmallVec<[CompactString; 2]> {
    if let Some(root) = path_option(configs, inherited, folder, ConfigOption::RootDir) {
        return SmallVec::from_iter([root]);
    }
    let covered = covered_paths(configs, inherited, folder);
    let common = covered.iter().map(CompactString::as_str).reduce(|a, b| common_folder(a, b));
    let mut roots = SmallVec::new();
    roots.extend(common.filter(|common| *common != folder).map(CompactString::from));
    roots.push(CompactString::from(folder));
    roots
}

/// The innermost folder that contains both paths.
fn common_folder<'a>(a: &'a str, b: &str) -> &'a str {
    let mut folder = a;
    while within(b, folder).is_none() {
        folder = folder_of(folder);
    }
    folder
}

/// The stem and the extension of the JavaScript file beside which a declaration file was emitted.
fn emitted_javascript(path: &str) -> Option<(&str, &str)> {
    let pairs = [(".d.ts", ".js"), (".d.mts", ".mjs"), (".d.cts", ".cjs")];
    pairs.into_iter().find_map(|(declaration, javascript)| Some((path.strip_suffix(declaration)?, javascript)))
}

/// A path without the extension of a source, a declaration file or a build output.
pub(super) fn without_extension(path: &str) -> &str {
    const EXTENSIONS: &[&str] =
        &[".d.ts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"];
    EXTENSIONS.iter().find_map(|extension| path.strip_suffix(extension)).unwrap_or(path)
}
