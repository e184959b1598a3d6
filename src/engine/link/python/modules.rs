//! The tree of modules and the resolution of imports.
//!
//! The tree follows paths, not names: a repository may hold several packages, several `src` folders, and
//! folders without `__init__` that are packages all the same.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    known,
    program::{FileIndex, LinkFile, ModuleNodeId},
};

/// A file or folder that an import may mean.
#[derive(Debug, Default)]
pub(crate) struct ModuleNode {
    /// Its path without ending; of a package, the folder.
    pub(crate) path: CompactString,
    /// Its source; none for a folder without `__init__`.
    pub(crate) file: Option<FileIndex>,
    /// Its `.pyi`, beside or instead of its source.
    pub(crate) stub: Option<FileIndex>,
    /// True for a folder.
    pub(crate) is_folder: bool,
    /// What is directly below it.
    children: Vec<ModuleNodeId>,
}

/// All modules of the program.
#[derive(Debug, Default)]
pub(crate) struct ModuleTree {
    nodes: Vec<ModuleNode>,
    by_path: FxHashMap<CompactString, ModuleNodeId>,
    file_nodes: Vec<ModuleNodeId>,
    /// Folders that imports start from for everybody: the root, `src` folders that are no package.
    roots: Vec<CompactString>,
    /// Name of a top-level package to the folders that hold one of that name.
    packages: FxHashMap<CompactString, SmallVec<[CompactString; 1]>>,
}

impl ModuleTree {
    pub(crate) fn new(files: &[LinkFile]) -> Self {
        let mut modules = Self { roots: vec![CompactString::default()], ..Self::default() };
        for (i, file) in files.iter().enumerate() {
            let stem = file.path.rsplit_once('.').map_or(&*file.path, |(stem, _)| stem);
            let is_package = stem.ends_with("/__init__");
            let path = stem.strip_suffix("/__init__").unwrap_or(stem);
            let id = modules.node(path);
            let node = &mut modules.nodes[id.index()];
            node.is_folder |= is_package;
            let slot = if file.path.ends_with(".pyi") { &mut node.stub } else { &mut node.file };
            // A package hides a module of the same name, and comes after it in the order of paths or before.
            if slot.is_none() || is_package {
                *slot = Some(FileIndex::new(i));
            }
            modules.file_nodes.push(id);
        }
        modules.find_roots();
        modules
    }

    /// The node of a path, made with the folders above it.
    fn node(&mut self, path: &str) -> ModuleNodeId {
        if let Some(&id) = self.by_path.get(path) {
            return id;
        }
        let parent = path.rsplit_once('/').map(|(folder, _)| self.node(folder));
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

    fn find_roots(&mut self) {
        let is_package = |node: &ModuleNode| node.is_folder && (node.file.is_some() || node.stub.is_some());
        for node in &self.nodes {
            let (folder, name) = node.path.rsplit_once('/').unwrap_or(("", &node.path));
            if name == "src" && !is_package(node) {
                self.roots.push(node.path.clone());
            }
            let parent_is_package = self.by_path.get(folder).is_some_and(|id| is_package(&self.nodes[id.index()]));
            if is_package(node) && !parent_is_package {
                self.packages.entry(CompactString::new(name)).or_default().push(CompactString::new(folder));
            }
        }
        self.roots.sort();
    }

    pub(crate) fn get(&self, node: ModuleNodeId) -> &ModuleNode {
        &self.nodes[node.index()]
    }

    pub(crate) fn of_file(&self, file: FileIndex) -> ModuleNodeId {
        self.file_nodes[file.index()]
    }

    /// True where `__init__` makes a folder a package.
    pub(crate) fn is_package_file(&self, file: FileIndex) -> bool {
        self.get(self.of_file(file)).is_folder
    }

    /// What is directly below a node.
    pub(crate) fn children(&self, node: ModuleNodeId) -> &[ModuleNodeId] {
        &self.get(node).children
    }

    /// What is called `name` directly below a node.
    pub(crate) fn child(&self, node: ModuleNodeId, name: &str) -> Option<ModuleNodeId> {
        let node = self.get(node);
        if !node.is_folder {
            return None;
        }
        self.by_path.get(join(&node.path, name).as_str()).copied()
    }

    /// What `import dotted` means in a file.
    pub(crate) fn absolute(&self, from: &LinkFile, dotted: &str) -> Option<ModuleNodeId> {
        let below = path_of(dotted);
        let top = dotted.split('.').next().unwrap_or(dotted);
        let mut namespace = None;
        let mut look = |base: &str| -> Option<ModuleNodeId> {
            let id = *self.by_path.get(join(base, &below).as_str())?;
            let node = self.get(id);
            if node.file.is_some() || node.stub.is_some() {
                return Some(id);
            }
            namespace.get_or_insert(id);
            None
        };
        // The roots that lie around the file come first, the nearest first.
        let mut around: SmallVec<[&CompactString; 4]> = SmallVec::new();
        let mut others: SmallVec<[&CompactString; 4]> = SmallVec::new();
        for root in &self.roots {
            let holds = root.is_empty() || from.path.strip_prefix(&**root).is_some_and(|rest| rest.starts_with('/'));
            if holds { around.push(root) } else { others.push(root) }
        }
        around.sort_by_key(|root| std::cmp::Reverse(root.len()));
        others.sort_by_key(|root| std::cmp::Reverse(common(root, &from.path)));
        for root in around.iter().chain(&others) {
            if let Some(id) = look(root) {
                return Some(id);
            }
        }
        if known::is_standard_library(top) {
            return None;
        }
        // A script's own folder is on its path, and so are those that test runners and tools add.
        let mut folder = &*from.path;
        while let Some((up, _)) = folder.rsplit_once('/') {
            folder = up;
            if let Some(id) = look(folder) {
                return Some(id);
            }
        }
        if let Some(folders) = self.packages.get(top) {
            let nearest = folders.iter().max_by_key(|f| (common(f, &from.path), std::cmp::Reverse((*f).clone())));
            if let Some(id) = nearest.and_then(|folder| look(folder)) {
                return Some(id);
            }
        }
        namespace
    }

    /// What `from ..dotted import` means in a file.
    pub(crate) fn relative(&self, from: FileIndex, level: u32, dotted: &str) -> Option<ModuleNodeId> {
        let own = self.get(self.of_file(from));
        let mut folder = &*own.path;
        let ups = if own.is_folder { level.saturating_sub(1) } else { level };
        for _ in 0..ups {
            folder = folder.rsplit_once('/').map_or("", |(up, _)| up);
        }
        let below = path_of(dotted);
        let path = if below.is_empty() { CompactString::new(folder) } else { join(folder, &below) };
        self.by_path.get(&path).copied()
    }
}

fn join(base: &str, below: &str) -> CompactString {
    let mut path = CompactString::with_capacity(base.len() + 1 + below.len());
    if !base.is_empty() {
        path.push_str(base);
        path.push('/');
    }
    path.push_str(below);
    path
}

/// `a.b.c` as `a/b/c`.
fn path_of(dotted: &str) -> CompactString {
    dotted.chars().map(|c| if c == '.' { '/' } else { c }).collect()
}

/// How many leading folders two paths share.
fn common(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(x, y)| x == y).count()
}
