//! The configurations that apply to the imports of a file: the nearest one first, then those of outer folders.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    build_outputs::FileLocator,
    inheritance::InheritedOptions,
    path::{child, folders_around, join, name_of, within},
    pattern_table::{PatternTable, substitute_star},
    tsconfig::{ConfigOption, OptionValue, TsConfig, config_path, is_config},
};
use apidisc_base::sort::SharedSort as _;

/// The greatest number of configurations that are kept for one folder, in each of the two lists of [`FolderSettings`].
const MAX_PER_FOLDER: usize = 64;

/// The options of one configuration that concern imports, inherited options included.
#[derive(Debug, Default)]
pub(super) struct ImportSettings {
    /// The folder of the configuration.
    folder: CompactString,
    base_url: Option<CompactString>,
    /// The position of the configuration that declares `paths`, and the folder that the targets are relative to.
    paths: Option<(usize, CompactString)>,
    pub(super) root_dirs: Vec<CompactString>,
    /// The folders and files that the configuration covers, by `include` and `files`.
    covered: Vec<CompactString>,
}

/// The import settings of all configurations that have any.
#[derive(Debug, Default)]
pub(super) struct ImportSettingsTable {
    configs: Vec<TsConfig>,
    all: Vec<ImportSettings>,
    by_folder: FxHashMap<CompactString, FolderSettings>,
}

/// The import settings that apply to the files of one folder, as positions in [`ImportSettingsTable::all`].
#[derive(Debug, Default)]
struct FolderSettings {
    /// The settings of configurations in this folder.
    own: SmallVec<[usize; 1]>,
    /// The settings of configurations that cover files of this folder, but are neither in this folder nor above it.
    others: Vec<usize>,
}

/// A path that a bare specifier may resolve to.
#[derive(Debug)]
pub(super) struct MappedPath {
    pub(super) path: CompactString,
    /// True if the path comes from a pattern of `paths` other than `*` and is not inside `node_modules`. The specifier
    /// then never names a package outside the sources.
    pub(super) is_alias: bool,
}

impl ImportSettingsTable {
    pub(super) fn new(configs: Vec<TsConfig>, inherited: &[InheritedOptions]) -> Self {
        let mut table = Self::default();
        let mut order: Vec<usize> = (0..configs.len()).filter(|&id| is_config(&configs[id].path)).collect();
        order.shared_sort_by_key(|&id| precedence(name_of(&configs[id].path)));
        let mut elsewhere = Vec::new();
        for id in order {
            let Some(settings) = import_settings(&configs, &inherited[id], configs[id].folder()) else { continue };
            let at = table.all.len();
            for covered in &settings.covered {
                if within(covered, &settings.folder).is_none() {
                    elsewhere.push((covered.clone(), at));
                }
            }
            let own = &mut table.by_folder.entry(settings.folder.clone()).or_default().own;
            if own.len() < MAX_PER_FOLDER {
                own.push(at);
            }
            table.all.push(settings);
        }
        for (folder, at) in elsewhere {
            let others = &mut table.by_folder.entry(folder).or_default().others;
            if others.len() < MAX_PER_FOLDER {
                others.push(at);
            }
        }
        table.configs = configs;
        table
    }

    /// The settings that apply to a file, those of the nearest folder first. Within one folder, the settings that cover
    /// the file come first.
    pub(super) fn applying_to<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a ImportSettings> {
        folders_around(file).filter_map(|folder| self.by_folder.get(folder)).flat_map(move |folder| {
            let is_only = folder.own.len() == 1 && folder.others.is_empty();
            let covers = move |at: &&usize| is_only || self.all[**at].covers(file);
            let covering = folder.own.iter().chain(&folder.others).filter(covers);
            let not_covering = folder.own.iter().filter(move |at| !covers(at));
            covering.chain(not_covering).map(|&at| &self.all[at])
        })
    }

    /// The paths that a bare specifier may resolve to: the targets of `paths`, the most specific pattern first, and
    /// last the path relative to `baseUrl`.
    pub(super) fn mapped_paths<'a>(
        &'a self,
        settings: &'a ImportSettings,
        specifier: &'a str,
    ) -> impl Iterator<Item = MappedPath> {
        let paths = settings.paths.iter().filter_map(|(id, base)| Some((self.paths(*id)?, base)));
        let mapped = paths.flat_map(move |(patterns, base)| {
            patterns.matching(specifier).flat_map(move |(star, targets)| {
                targets.iter().filter_map(move |target| {
                    let path = config_path(base, &settings.folder, &substitute_star(target, star)?)?;
                    let is_alias = star != specifier && !path.contains("node_modules");
                    Some(MappedPath { path, is_alias })
                })
            })
        });
        let based = settings.base_url.iter().filter_map(|base| join(base, specifier));
        let based = based.map(|path| MappedPath { path, is_alias: false });
        mapped.chain(based)
    }

    /// The file that `paths` or `baseUrl` map a specifier to for the files of a folder.
    pub(super) fn mapped_file(&self, folder: &str, specifier: &str, sources: &FileLocator) -> Option<usize> {
        let file = child(folder, "package.json");
        let mut paths = self.applying_to(&file).flat_map(|settings| self.mapped_paths(settings, specifier));
        paths.find_map(|mapped| sources.locate(&mapped.path))
    }

    /// The patterns of `paths` without a star, each with the paths that it maps to. Inherited `paths` are left out.
    pub(super) fn mapped_names(&self) -> impl Iterator<Item = (&str, CompactString)> {
        self.all.iter().filter_map(|settings| Some((settings, settings.paths.as_ref()?))).flat_map(
            |(settings, (id, base))| {
                let is_own = self.configs[*id].folder() == settings.folder;
                let patterns = self.paths(*id).filter(|_| is_own);
                patterns.into_iter().flat_map(PatternTable::exact).flat_map(move |(name, targets)| {
                    targets.iter().filter_map(move |t| Some((name.as_str(), config_path(base, &settings.folder, t)?)))
                })
            },
        )
    }

    fn paths(&self, id: usize) -> Option<&PatternTable<Vec<CompactString>>> {
        match self.configs[id].option(ConfigOption::Paths) {
            Some(OptionValue::Paths(patterns)) => Some(patterns),
            _ => None,
        }
    }
}

impl ImportSettings {
    fn covers(&self, file: &str) -> bool {
        self.covered.iter().any(|covered| within(file, covered).is_some())
    }
}

/// A sort key: `tsconfig` files precede `jsconfig` files. Of each kind, `tsconfig.json` or `jsconfig.json` precedes its
/// variants, for example `tsconfig.build.json`.
fn precedence(name: &str) -> (bool, bool) {
    (name.starts_with("jsconfig"), name != "tsconfig.json" && name != "jsconfig.json")
}

/// The import settings of one configuration; `None` if it sets no option that concerns imports.
fn import_settings(configs: &[TsConfig], inherited: &InheritedOptions, folder: &str) -> Option<ImportSettings> {
    let base_url = path_option(configs, inherited, folder, ConfigOption::BaseUrl);
    let paths = match inherited.get(ConfigOption::Paths, configs) {
        Some((id, OptionValue::Paths(patterns))) if !patterns.is_empty() => {
            Some((id, base_url.clone().unwrap_or_else(|| CompactString::from(configs[id].folder()))))
        }
        _ => None,
    };
    let root_dirs = path_list_option(configs, inherited, folder, ConfigOption::RootDirs).unwrap_or_default();
    if base_url.is_none() && paths.is_none() && root_dirs.is_empty() {
        return None;
    }
    let covered = covered_paths(configs, inherited, folder);
    Some(ImportSettings { folder: CompactString::from(folder), base_url, paths, root_dirs, covered })
}

/// The folders and files that a configuration covers: the paths of `files` and `include`. A path with a wildcard is cut
/// to the folder before the wildcard. Without `files` and `include`, the configuration covers its own folder.
pub(super) fn covered_paths(configs: &[TsConfig], inherited: &InheritedOptions, folder: &str) -> Vec<CompactString> {
    let files = path_list_option(configs, inherited, folder, ConfigOption::Files);
    let included = path_list_option(configs, inherited, folder, ConfigOption::Include);
    if files.is_none() && included.is_none() {
        return vec![CompactString::from(folder)];
    }
    let mut covered: Vec<_> = files.into_iter().flatten().chain(included.into_iter().flatten()).collect();
    for path in &mut covered {
        if let Some(wildcard) = path.find(['*', '?']) {
            let folder_length = path[..wildcard].rfind('/').unwrap_or(0);
            path.truncate(folder_length);
        }
    }
    covered.sort_unstable();
    covered.dedup();
    covered
}

/// The value of an option that is a path, relative to the source's root.
pub(super) fn path_option(
    configs: &[TsConfig],
    inherited: &InheritedOptions,
    folder: &str,
    option: ConfigOption,
) -> Option<CompactString> {
    match inherited.get(option, configs)? {
        (id, OptionValue::Path(path)) => config_path(configs[id].folder(), folder, path),
        _ => None,
    }
}

/// The value of an option that is a list of paths, relative to the source's root.
fn path_list_option(
    configs: &[TsConfig],
    inherited: &InheritedOptions,
    folder: &str,
    option: ConfigOption,
) -> Option<Vec<CompactString>> {
    match inherited.get(option, configs)? {
        (id, OptionValue::PathList(paths)) => {
            Some(paths.iter().filter_map(|path| config_path(configs[id].folder(), folder, path)).collect())
        }
        _ => None,
    }
}
