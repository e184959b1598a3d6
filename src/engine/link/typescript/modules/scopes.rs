//! Which configurations say what an import in a file means: the nearest first, then those further out.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    inherit::Inherited,
    path::{folders_around, join, name_of, within},
    patterns::{Patterns, fill},
    tsconfig::{Config, Key, Setting, is_config, place},
};

/// No folder has more configurations than this.
const MOST_HERE: usize = 64;

/// What one configuration says, inherited settings included.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Where it stands.
    folder: CompactString,
    base_url: Option<CompactString>,
    /// The configuration that declares its `paths`, and the folder that they start from.
    paths: Option<(usize, CompactString)>,
    pub(super) root_dirs: Vec<CompactString>,
    /// The folders and files that it is about.
    about: Vec<CompactString>,
}

/// All configurations that say something of imports.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    configs: Vec<Config>,
    all: Vec<Scope>,
    by_folder: FxHashMap<CompactString, Here>,
}

/// The scopes of a folder.
#[derive(Debug, Default)]
struct Here {
    /// Those that stand in it.
    own: SmallVec<[usize; 1]>,
    /// Those that stand elsewhere but are about files in it.
    others: Vec<usize>,
}

/// A path that a bare specifier may mean.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) path: CompactString,
    /// A pattern that is not about everything says so, and does not lead to installed packages.
    pub(super) is_alias: bool,
}

impl Scopes {
    pub(super) fn new(configs: Vec<Config>, inherited: &[Inherited]) -> Self {
        let mut scopes = Self::default();
        let mut order: Vec<usize> = (0..configs.len()).filter(|&id| is_config(&configs[id].path)).collect();
        order.sort_by_key(|&id| rank(name_of(&configs[id].path)));
        let mut elsewhere = Vec::new();
        for id in order {
            let Some(scope) = scope(&configs, &inherited[id], configs[id].folder()) else { continue };
            let at = scopes.all.len();
            for about in &scope.about {
                if within(about, &scope.folder).is_none() {
                    elsewhere.push((about.clone(), at));
                }
            }
            let own = &mut scopes.by_folder.entry(scope.folder.clone()).or_default().own;
            if own.len() < MOST_HERE {
                own.push(at);
            }
            scopes.all.push(scope);
        }
        for (folder, at) in elsewhere {
            let others = &mut scopes.by_folder.entry(folder).or_default().others;
            if others.len() < MOST_HERE {
                others.push(at);
            }
        }
        scopes.configs = configs;
        scopes
    }

    /// Those that apply to a file. In a folder with several, those that say that they are about the file come first.
    pub(super) fn around<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a Scope> {
        folders_around(file).filter_map(|folder| self.by_folder.get(folder)).flat_map(move |here| {
            let is_only = here.own.len() == 1 && here.others.is_empty();
            let is_about = move |at: &&usize| is_only || self.all[**at].is_about(file);
            let about = here.own.iter().chain(&here.others).filter(is_about);
            let rest = here.own.iter().filter(move |at| !is_about(at));
            about.chain(rest).map(|&at| &self.all[at])
        })
    }

    /// The paths that a bare specifier may mean, the closest pattern first, then `baseUrl`.
    pub(super) fn candidates<'a>(&'a self, scope: &'a Scope, specifier: &'a str) -> impl Iterator<Item = Candidate> {
        let paths = scope.paths.iter().filter_map(|(id, base)| Some((self.paths(*id)?, base)));
        let mapped = paths.flat_map(move |(patterns, base)| {
            patterns.matching(specifier).flat_map(move |(star, targets)| {
                targets.iter().filter_map(move |target| {
                    let path = place(base, &scope.folder, &fill(target, star)?)?;
                    let is_alias = star != specifier && !path.contains("node_modules");
                    Some(Candidate { path, is_alias })
                })
            })
        });
        let based = scope.base_url.iter().filter_map(|base| join(base, specifier));
        let based = based.map(|path| Candidate { path, is_alias: false });
        mapped.chain(based)
    }

    /// The names without a star that `paths` give to files, with the paths that they may mean.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, CompactString)> {
        self.all.iter().filter_map(|scope| Some((scope, scope.paths.as_ref()?))).flat_map(|(scope, (id, base))| {
            let own = self.configs[*id].folder() == scope.folder;
            let patterns = self.paths(*id).filter(|_| own);
            patterns.into_iter().flat_map(Patterns::exact).flat_map(move |(name, targets)| {
                targets.iter().filter_map(move |t| Some((name.as_str(), place(base, &scope.folder, t)?)))
            })
        })
    }

    fn paths(&self, id: usize) -> Option<&Patterns<Vec<CompactString>>> {
        match self.configs[id].setting(Key::Paths) {
            Some(Setting::Paths(patterns)) => Some(patterns),
            _ => None,
        }
    }
}

impl Scope {
    fn is_about(&self, file: &str) -> bool {
        self.about.iter().any(|about| within(file, about).is_some())
    }
}

/// `tsconfig.json` before its variants, TypeScript before JavaScript.
fn rank(name: &str) -> (bool, bool) {
    (name.starts_with("jsconfig"), name != "tsconfig.json" && name != "jsconfig.json")
}

/// None where a configuration says nothing of imports.
fn scope(configs: &[Config], inherited: &Inherited, folder: &str) -> Option<Scope> {
    let base_url = path(configs, inherited, folder, Key::BaseUrl);
    let paths = match inherited.get(Key::Paths, configs) {
        Some((id, Setting::Paths(patterns))) if !patterns.is_empty() => {
            Some((id, base_url.clone().unwrap_or_else(|| CompactString::from(configs[id].folder()))))
        }
        _ => None,
    };
    let root_dirs = folders(configs, inherited, folder, Key::RootDirs).unwrap_or_default();
    if base_url.is_none() && paths.is_none() && root_dirs.is_empty() {
        return None;
    }
    let about = about(configs, inherited, folder);
    Some(Scope { folder: CompactString::from(folder), base_url, paths, root_dirs, about })
}

/// The folders and files that a configuration is about: what stands before the wildcards of `include`, and `files`.
pub(super) fn about(configs: &[Config], inherited: &Inherited, folder: &str) -> Vec<CompactString> {
    let files = folders(configs, inherited, folder, Key::Files);
    let included = folders(configs, inherited, folder, Key::Include);
    if files.is_none() && included.is_none() {
        return vec![CompactString::from(folder)];
    }
    let mut about: Vec<_> = files.into_iter().flatten().chain(included.into_iter().flatten()).collect();
    for path in &mut about {
        if let Some(wildcard) = path.find(['*', '?']) {
            let fixed = path[..wildcard].rfind('/').unwrap_or(0);
            path.truncate(fixed);
        }
    }
    about.sort_unstable();
    about.dedup();
    about
}

/// A setting that is a path, from the source's root.
pub(super) fn path(configs: &[Config], inherited: &Inherited, folder: &str, key: Key) -> Option<CompactString> {
    match inherited.get(key, configs)? {
        (id, Setting::Text(path)) => place(configs[id].folder(), folder, path),
        _ => None,
    }
}

/// A setting that is a list of paths, from the source's root.
fn folders(configs: &[Config], inherited: &Inherited, folder: &str, key: Key) -> Option<Vec<CompactString>> {
    match inherited.get(key, configs)? {
        (id, Setting::Folders(paths)) => {
            Some(paths.iter().filter_map(|path| place(configs[id].folder(), folder, path)).collect())
        }
        _ => None,
    }
}
