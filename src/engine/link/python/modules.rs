//! The module tree, and the resolution of imports.
//!
//! The tree follows paths, not dotted names: a repository may hold several packages, several `src` folders, and
//! namespace packages, which are folders without `__init__.py` (PEP 420). `import_roots` says where names begin.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    import_roots::ProjectRoots,
    program::{FileIndex, LinkFile, ModuleNodeId},
    standard_library,
};
use crate::{linked::Content, project_file::ProjectFile};
use apidisc_base::{nesting, sort::SharedSort as _};
use apidisc_facts::source::{Origin, Roots};

/// A file or folder that an import may resolve to.
#[derive(Debug, Default)]
pub(crate) struct ModuleNode {
    /// The path without the file extension; for a package, the path of the folder.
    pub(crate) path: CompactString,
    /// The `.py` file; `None` for a namespace package.
    pub(crate) file: Option<FileIndex>,
    /// The `.pyi` stub (PEP 484, PEP 561), beside or instead of the `.py` file.
    pub(crate) stub: Option<FileIndex>,
    /// True for a folder.
    pub(crate) is_folder: bool,
    /// True for library code, which other sources can import.
    is_library: bool,
    /// Modules and folders directly below.
    children: Vec<ModuleNodeId>,
}

/// All modules of the program.
#[derive(Debug, Default)]
pub(crate) struct ModuleTree {
    nodes: Vec<ModuleNode>,
    by_path: FxHashMap<CompactString, ModuleNodeId>,
    file_nodes: Vec<ModuleNodeId>,
    /// The roots of the sources.
    sources: Roots,
    /// Per source, the folders that absolute imports of each of its files start from: the source's root, and folders
    /// `src` and `site-packages` that are not packages.
    roots: Vec<Vec<CompactString>>,
    /// Per name of a top-level package, the folders that contain a package of that name.
    packages: FxHashMap<CompactString, SmallVec<[CompactString; 1]>>,
    /// Per name of a top-level namespace package with library code (PEP 420), the folders that contain a portion of it,
    /// if there are several: each is the root of a distribution.
    namespaces: FxHashMap<CompactString, SmallVec<[CompactString; 1]>>,
    /// The folders that project files name.
    projects: ProjectRoots,
    /// Per name of a package or namespace package in an import root that a project file names, these roots.
    in_projects: FxHashMap<CompactString, SmallVec<[CompactString; 1]>>,
}

impl ModuleTree {
    pub(crate) fn new(files: &[LinkFile], project: &[ProjectFile], sources: &Roots) -> Self {
        let roots = sources.iter().map(|root| vec![root.folder.clone()]).collect();
        let mut modules = Self { roots, sources: sources.clone(), ..Self::default() };
        for (i, file) in files.iter().enumerate() {
            match file.content {
                Content::Code => {}
                // Examples resolve imports as the module that contains them does.
                Content::Examples => {
                    let of_module = modules.file_nodes.last().copied();
                    modules.file_nodes.push(of_module.unwrap_or_else(|| ModuleNodeId::new(0)));
                    continue;
                }
                // No code can import a document.
                Content::Document => {
                    let id = ModuleNodeId::new(modules.nodes.len());
                    modules.nodes.push(ModuleNode { path: file.path.clone(), ..ModuleNode::default() });
                    modules.file_nodes.push(id);
                    continue;
                }
            }
            let path = file.import_path();
            let stem = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
            let is_package = stem.ends_with("/__init__");
            let path = stem.strip_suffix("/__init__").unwrap_or(stem);
            let id = modules.node(path);
            let node = &mut modules.nodes[id.index()];
            node.is_folder |= is_package;
            node.is_library |= file.origin == Origin::Src;
            let slot = if file.path.ends_with(".pyi") { &mut node.stub } else { &mut node.file };
            // A package takes precedence over a module of the same name, whichever path is sorted first.
            if slot.is_none() || is_package {
                *slot = Some(FileIndex::new(i));
            }
            modules.file_nodes.push(id);
        }
        modules.find_project_roots(project);
        modules.find_roots();
        modules
    }

    /// Returns the node of a path. Creates it if needed, with the nodes of all folders above.
    fn node(&mut self, path: &str) -> ModuleNodeId {
        if let Some(&id) = self.by_path.get(path) {
            return id;
        }
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        let parent = folders.fold(None, |parent, folder| Some(self.node_below(parent, folder)));
        self.node_below(parent, path)
    }

    /// Returns the node of a path. Creates it if needed, below the node of its folder.
    fn node_below(&mut self, parent: Option<ModuleNodeId>, path: &str) -> ModuleNodeId {
        if let Some(&id) = self.by_path.get(path) {
            return id;
        }
        let id = ModuleNodeId::new(self.nodes.len());
        if let Some(parent) = parent {
            let parent = &mut self.nodes[parent.index()];
            parent.is_folder = true;
            parent.children.push(id);
        }
        self.nodes.push(ModuleNode { path: CompactString::new(path), ..ModuleNode::default() });
        self.by_path.insert(CompactString::new(path), id);
        id
    }

    /// Finds the packages in the import roots that project files name. Namespace packages count if they have library
    /// code. A source whose root is inside a package is no project.
    fn find_project_roots(&mut self, project: &[ProjectFile]) {
        let is_project = |file: &&ProjectFile| self.sources.get(self.sources.position(&file.path)).enclosing.is_empty();
        let project: Vec<ProjectFile> = project.iter().filter(is_project).cloned().collect();
        let is_folder =
            |path: &str| path.is_empty() || self.by_path.get(path).is_some_and(|&id| self.get(id).is_folder);
        self.projects = ProjectRoots::new(&project, is_folder);
        let (mut in_projects, mut namespaces) = (FxHashMap::default(), FxHashMap::default());
        for root in self.projects.roots() {
            let Some(node) = self.by_path.get(root.as_str()) else { continue };
            for &id in &self.get(*node).children {
                let package = self.get(id);
                if !package.is_folder || !self.is_or_has_library(id) {
                    continue;
                }
                let name = package.path.rsplit('/').next().unwrap_or_default();
                let add = |to: &mut FxHashMap<CompactString, SmallVec<[CompactString; 1]>>| {
                    let roots = to.entry(CompactString::new(name)).or_default();
                    if !roots.contains(root) {
                        roots.push(root.clone());
                    }
                };
                add(&mut in_projects);
                if !self.has_file(id) {
                    add(&mut namespaces);
                }
            }
        }
        (self.in_projects, self.namespaces) = (in_projects, namespaces);
    }

    fn find_roots(&mut self) {
        let is_package = |node: &ModuleNode| node.is_folder && (node.file.is_some() || node.stub.is_some());
        for node in &self.nodes {
            let (folder, name) = node.path.rsplit_once('/').unwrap_or(("", &node.path));
            if matches!(name, "src" | "site-packages") && !is_package(node) {
                self.roots[self.sources.position(&node.path)].push(node.path.clone());
            }
            let parent_is_package = self.by_path.get(folder).is_some_and(|id| is_package(&self.nodes[id.index()]));
            if is_package(node) && !parent_is_package {
                self.packages.entry(CompactString::new(name)).or_default().push(CompactString::new(folder));
            }
            let is_namespace = node.is_folder && !is_package(node) && !parent_is_package;
            let has_package = |id: &ModuleNodeId| is_package(&self.nodes[id.index()]);
            if is_namespace && node.children.iter().any(has_package) && self.has_library(node) {
                // The portion may be nested: `google/cloud/storage`.
                let mut portion = node;
                loop {
                    let (folder, name) = portion.path.rsplit_once('/').unwrap_or(("", &portion.path));
                    let folders = self.namespaces.entry(CompactString::new(name)).or_default();
                    if !folders.iter().any(|known| known == folder) {
                        folders.push(CompactString::new(folder));
                    }
                    match self.by_path.get(folder) {
                        Some(parent) if self.nodes[parent.index()].children.len() == 1 => {
                            portion = &self.nodes[parent.index()];
                        }
                        _ => break,
                    }
                }
            }
        }
        self.namespaces.retain(|_, folders| folders.len() > 1);
        self.roots.iter_mut().for_each(|roots| roots.sort());
    }

    /// The folders that project files name.
    pub(super) fn projects(&self) -> &ProjectRoots {
        &self.projects
    }

    /// True for the folder of a package with an `__init__` file.
    pub(super) fn is_package(&self, folder: &str) -> bool {
        self.by_path.get(folder).is_some_and(|&id| self.get(id).is_folder && self.has_file(id))
    }

    /// True for a module or package with a file.
    pub(super) fn has_file(&self, node: ModuleNodeId) -> bool {
        let node = self.get(node);
        node.file.is_some() || node.stub.is_some()
    }

    pub(crate) fn get(&self, node: ModuleNodeId) -> &ModuleNode {
        &self.nodes[node.index()]
    }

    /// The path of a module or folder in its own source.
    pub(crate) fn path_in_source(&self, node: ModuleNodeId) -> &str {
        self.sources.split(&self.get(node).path).1
    }

    pub(crate) fn node_of_file(&self, file: FileIndex) -> ModuleNodeId {
        self.file_nodes[file.index()]
    }

    /// True if the file is the `__init__` of a package.
    pub(crate) fn is_package_file(&self, file: FileIndex) -> bool {
        self.get(self.node_of_file(file)).is_folder
    }

    /// The modules and folders directly below a node.
    pub(crate) fn children(&self, node: ModuleNodeId) -> &[ModuleNodeId] {
        &self.get(node).children
    }

    /// The module or folder `name` directly below a node.
    pub(crate) fn child(&self, node: ModuleNodeId, name: &str) -> Option<ModuleNodeId> {
        let node = self.get(node);
        if !node.is_folder {
            return None;
        }
        let own = self.by_path.get(join(&node.path, name).as_str()).copied();
        own.or_else(|| if node.file.is_none() { self.child_of_portion(&node.path, name) } else { None })
            .or_else(|| if node.file.is_none() { self.child_of_distribution(&node.path, name) } else { None })
    }

    /// The module or folder `name` in a portion of a namespace package (PEP 420) that belongs to another distribution
    /// of the same source. `path` is the path of a portion in one distribution, or in an import root without library
    /// modules, such as a folder of test helpers.
    fn child_of_distribution(&self, path: &str, name: &str) -> Option<ModuleNodeId> {
        let roots = &self.roots[self.sources.position(path)];
        let mut end = path.len();
        loop {
            let (folder, top) = path[..end].rsplit_once('/').unwrap_or(("", &path[..end]));
            let folders = self.namespaces.get(top).filter(|folders| {
                folders.iter().any(|known| known == folder) || roots.iter().any(|root| root == folder)
            });
            let below = join(&path[end - top.len()..], name);
            let mut others = folders.into_iter().flatten().filter(|other| self.sources.are_together(other, path));
            if let Some(id) = others.find_map(|other| self.by_path.get(join(other, &below).as_str())) {
                return Some(*id);
            }
            end = folder.len();
            if end == 0 {
                return None;
            }
        }
    }

    /// The module or folder `name` in the portion of a namespace package (PEP 420) that another source has. `path` is
    /// the path of the portion that the importing source has.
    fn child_of_portion(&self, path: &str, name: &str) -> Option<ModuleNodeId> {
        if self.sources.is_single() {
            return None;
        }
        let source = self.sources.position(path);
        let below = self.roots[source].iter().filter_map(|root| path.strip_prefix(&**root)?.strip_prefix('/'));
        let below = join(below.min_by_key(|below| below.len())?, name);
        self.find_in_other_sources(source, |root| join(root, &below))
    }

    /// The library module at the path that `path_below` returns for an import root of another source than `source`. The
    /// sources come in the order in which they were given.
    fn find_in_other_sources(&self, source: usize, path_below: impl Fn(&str) -> CompactString) -> Option<ModuleNodeId> {
        let others = self.roots.iter().enumerate().filter(|(other, _)| *other != source);
        let mut found = others.flat_map(|(_, roots)| roots).filter_map(|root| self.by_path.get(&path_below(root)));
        found.find(|id| self.can_be_imported(**id)).copied()
    }

    /// True for a module or folder that another source can import: library code, and all that is installed.
    fn can_be_imported(&self, node: ModuleNodeId) -> bool {
        self.sources.is_installed(&self.get(node).path) || self.is_or_has_library(node)
    }

    /// True for a library module, and for a folder that contains one.
    fn is_or_has_library(&self, node: ModuleNodeId) -> bool {
        self.has_library(self.get(node))
    }

    fn has_library(&self, node: &ModuleNode) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        if node.file.is_some() || node.stub.is_some() {
            return node.is_library;
        }
        node.children.iter().any(|child| self.is_or_has_library(*child))
    }

    /// Resolves `from module import …` in the file with an index; `level` is the number of leading dots.
    pub(super) fn resolve(&self, from: &LinkFile, file: FileIndex, level: u32, dotted: &str) -> Option<ModuleNodeId> {
        if level == 0 { self.resolve_absolute(from, dotted) } else { self.resolve_relative(file, level, dotted) }
    }

    /// Resolves `import dotted` in a file.
    pub(crate) fn resolve_absolute(&self, from: &LinkFile, dotted: &str) -> Option<ModuleNodeId> {
        let from = from.import_path();
        let source = self.sources.position(&from);
        let relative_path = path_of(dotted);
        let top = dotted.split('.').next().unwrap_or(dotted);
        let mut namespace = None;
        let mut find = |base: &str| -> Option<ModuleNodeId> {
            let id = *self.by_path.get(join(base, &relative_path).as_str())?;
            let node = self.get(id);
            if node.file.is_some() || node.stub.is_some() {
                return Some(id);
            }
            namespace.get_or_insert(id);
            None
        };
        // Roots that contain the file come before other roots; of each, the nearest come first.
        let mut enclosing: SmallVec<[&CompactString; 4]> = SmallVec::new();
        let mut others: SmallVec<[&CompactString; 4]> = SmallVec::new();
        for root in &self.roots[source] {
            let contains_file = root.is_empty() || from.strip_prefix(&**root).is_some_and(|rest| rest.starts_with('/'));
            if contains_file { enclosing.push(root) } else { others.push(root) }
        }
        enclosing.shared_sort_by_key(|root| std::cmp::Reverse(root.len()));
        others.shared_sort_by_key(|root| std::cmp::Reverse(common_prefix_len(root, &from)));
        for root in enclosing.iter().chain(&others) {
            if let Some(id) = find(root) {
                return Some(id);
            }
        }
        if standard_library::is_standard_library(top) {
            return None;
        }
        // The folder of a script is on `sys.path`; test runners and tools add the folders above.
        let mut folder = &*from;
        while let Some((up, _)) = folder.rsplit_once('/') {
            folder = up;
            if let Some(id) = find(folder) {
                return Some(id);
            }
        }
        let in_projects = self.in_projects.get(top).into_iter().flatten();
        for folder in self.nearest_first(in_projects, &from) {
            if let Some(id) = find(folder) {
                return Some(id);
            }
        }
        for path in self.projects.paths_of(&relative_path) {
            let named = self.by_path.get(path.as_str()).copied();
            if let Some(id) = named.filter(|&id| self.has_file(id) && self.sources.are_together(&path, &from)) {
                return Some(id);
            }
        }
        let packages = || self.packages.get(top).into_iter().flatten();
        let own = packages().filter(|folder| self.sources.are_together(folder, &from));
        let nearest = own.max_by_key(|f| (common_prefix_len(f, &from), std::cmp::Reverse((*f).clone())));
        if let Some(id) = nearest.and_then(|folder| find(folder)) {
            return Some(id);
        }
        let portions = self.namespaces.get(top).into_iter().flatten();
        for folder in self.nearest_first(portions, &from) {
            if let Some(id) = find(folder) {
                return Some(id);
            }
        }
        self.resolve_in_other_sources(source, &relative_path, packages()).or(namespace)
    }

    /// The folders of the source of a file, those that share the most folders with the file first.
    fn nearest_first<'m>(
        &self,
        folders: impl Iterator<Item = &'m CompactString>,
        from: &str,
    ) -> SmallVec<[&'m CompactString; 4]> {
        let mut folders: SmallVec<[&CompactString; 4]> =
            folders.filter(|folder| self.sources.are_together(folder, from)).collect();
        folders.shared_sort_by_key(|folder| std::cmp::Reverse(common_prefix_len(folder, from)));
        folders
    }

    /// Resolves an absolute import for which `source` has no module. `packages` are the folders that contain a package
    /// of the imported name.
    fn resolve_in_other_sources<'m>(
        &'m self,
        source: usize,
        relative_path: &str,
        packages: impl Iterator<Item = &'m CompactString>,
    ) -> Option<ModuleNodeId> {
        if self.sources.is_single() {
            return None;
        }
        let at_root = || self.find_in_other_sources(source, |root| join(root, relative_path));
        // A source may hold several distributions, each in a folder of its own.
        let mut folders: Vec<&CompactString> = packages.filter(|f| self.sources.position(f) != source).collect();
        folders.shared_sort_by_key(|folder| (self.sources.position(folder), folder.split('/').count()));
        let in_folder = || {
            let mut found = folders.iter().filter_map(|f| self.by_path.get(join(f, relative_path).as_str()));
            found.find(|id| self.can_be_imported(**id)).copied()
        };
        at_root().or_else(in_folder)
    }

    /// Resolves `from ..dotted import name` in a file. `level` is the number of leading dots (PEP 328).
    pub(crate) fn resolve_relative(&self, from: FileIndex, level: u32, dotted: &str) -> Option<ModuleNodeId> {
        let importer = self.get(self.node_of_file(from));
        let mut folder = &*importer.path;
        let levels_up = if importer.is_folder { level.saturating_sub(1) } else { level };
        for _ in 0..levels_up {
            folder = folder.rsplit_once('/').map_or("", |(up, _)| up);
        }
        let relative_path = path_of(dotted);
        let path = if relative_path.is_empty() { CompactString::new(folder) } else { join(folder, &relative_path) };
        // A relative import that leads out of the source does not resolve, even if the index has another source there.
        let is_inside = self.sources.are_together(&path, &importer.path);
        self.by_path.get(&path).copied().filter(|_| is_inside)
    }
}

fn join(base: &str, relative_path: &str) -> CompactString {
    let mut path = CompactString::with_capacity(base.len() + 1 + relative_path.len());
    if !base.is_empty() {
        path.push_str(base);
        path.push('/');
    }
    path.push_str(relative_path);
    path
}

/// `a.b.c` as `a/b/c`.
fn path_of(dotted: &str) -> CompactString {
    dotted.chars().map(|c| if c == '.' { '/' } else { c }).collect()
}

/// The number of leading folders that two paths share.
fn common_prefix_len(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(x, y)| x == y).count()
}
