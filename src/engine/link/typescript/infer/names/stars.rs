//! The graph of `export *`: for each file, the names that it exports through others, with the file that declares each.
//!
//! Files that re-export each other, directly or through others, export the same names, so names are collected for each
//! strongly connected component of the graph. A chain of barrels is followed to a limited length. Both keep the work in
//! proportion to the number of `export *` statements and of names.

use rustc_hash::{FxHashMap, FxHashSet};

use super::resolved_names::ResolvedModule;
use crate::typescript::{
    infer::Linker,
    program::{FileIndex, InternedName, ProgramFacts},
};
use apidisc_facts::syntax::typescript::facts::ExportKind;

/// The greatest number of `export *` between a file and the declaration of a name that it exports, where files of one
/// component count as one.
pub(super) const MAX_STARS: u32 = 32;

/// The declaration of a name that a file exports through `export *`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum StarExport {
    /// No file exports the name.
    None,
    /// One file exports the name by itself.
    One(FileIndex),
    /// Several files do, or a module outside the sources may do: the order of the statements decides.
    Several,
}

/// The graph of `export *`, whose nodes are files, with the exported names of each strongly connected component that
/// has been requested.
#[derive(Debug, Default)]
pub(in super::super) struct StarGraph {
    /// For each file: the target files of its `export *` statements, in source order.
    targets: Vec<Vec<FileIndex>>,
    /// For each file: whether it has an `export *` of a module that is not a file, or an export assignment.
    is_open: Vec<bool>,
    component_of: Vec<u32>,
    components: Vec<Vec<FileIndex>>,
    /// For each component: the exports of its files; `None` before the first request.
    exports: Vec<Option<ComponentExports>>,
}

/// The names that the files of a component export, through `export *` or by themselves.
#[derive(Debug, Default)]
struct ComponentExports {
    /// The number of files that are reached.
    files: usize,
    /// Whether a file is reached that is open: see [`StarGraph::is_open`].
    is_open: bool,
    /// Whether files beyond [`MAX_STARS`] are not reached.
    is_cut: bool,
    names: FxHashMap<InternedName, StarExport>,
}

impl StarGraph {
    /// The target files of the `export *` statements of a file, in source order.
    pub(super) fn targets(&self, file: FileIndex) -> &[FileIndex] {
        &self.targets[file.index()]
    }

    /// Whether a file has an `export *` of a module that is not a file, or an export assignment.
    pub(super) fn is_open(&self, file: FileIndex) -> bool {
        self.is_open[file.index()]
    }

    /// The declaration of a name that a file or the files that it reaches export.
    pub(super) fn find(&mut self, program: &ProgramFacts<'_>, file: FileIndex, name: InternedName) -> StarExport {
        let exports = self.exports_of(program, file);
        if exports.is_open {
            return StarExport::Several;
        }
        exports.names.get(&name).copied().unwrap_or(StarExport::None)
    }

    /// The number of files whose names a file may export, with itself.
    pub(in super::super) fn reach(&mut self, program: &ProgramFacts<'_>, file: FileIndex) -> usize {
        self.exports_of(program, file).files
    }

    /// Whether a chain of `export *` that begins at a file is longer than [`MAX_STARS`].
    pub(super) fn is_cut(&mut self, program: &ProgramFacts<'_>, file: FileIndex) -> bool {
        self.exports_of(program, file).is_cut
    }

    fn exports_of(&mut self, program: &ProgramFacts<'_>, file: FileIndex) -> &ComponentExports {
        let component = self.component_of[file.index()] as usize;
        if self.exports[component].is_none() {
            self.exports[component] = Some(self.collect(program, component));
        }
        self.exports[component].get_or_insert_default()
    }

    /// Collects the names of the files that are reached from a component.
    fn collect(&self, program: &ProgramFacts<'_>, component: usize) -> ComponentExports {
        let mut all = ComponentExports::default();
        let mut seen = FxHashSet::from_iter([component]);
        let mut level = vec![component];
        for _ in 0..=MAX_STARS {
            let mut next = Vec::new();
            for file in level.iter().flat_map(|component| &self.components[*component]) {
                all.files += 1;
                all.is_open |= self.is_open[file.index()];
                for name in program.exported_names(*file) {
                    let found = all.names.entry(name).or_insert(StarExport::One(*file));
                    if *found != StarExport::One(*file) {
                        *found = StarExport::Several;
                    }
                }
                let below = self.targets[file.index()].iter().map(|target| self.component_of[target.index()] as usize);
                next.extend(below.filter(|component| seen.insert(*component)));
            }
            level = next;
        }
        all.is_cut = !level.is_empty();
        all
    }
}

impl Linker<'_> {
    /// Resolves the `export *` statements of all files.
    pub(in super::super) fn star_graph(&mut self) -> StarGraph {
        let count = self.program.file_count();
        let mut graph =
            StarGraph { targets: vec![Vec::new(); count], is_open: vec![false; count], ..Default::default() };
        for i in 0..count {
            let file = FileIndex::new(i);
            for export in &self.program.facts(file).exports {
                match export.kind {
                    ExportKind::Star(specifier) => match self.resolve_module(file, specifier) {
                        ResolvedModule::File(target) => graph.targets[i].push(target),
                        ResolvedModule::AmbientModule(_) | ResolvedModule::External => graph.is_open[i] = true,
                        ResolvedModule::Missing => {}
                    },
                    ExportKind::Assign(_) => graph.is_open[i] = true,
                    _ => {}
                }
            }
        }
        graph.component_of = strongly_connected(&graph.targets);
        let components = graph.component_of.iter().max().map_or(0, |last| *last as usize + 1);
        graph.components = vec![Vec::new(); components];
        for (i, component) in graph.component_of.iter().enumerate() {
            graph.components[*component as usize].push(FileIndex::new(i));
        }
        graph.exports.resize_with(components, || None);
        graph
    }
}

/// The strongly connected component of each node, by Tarjan's algorithm with an explicit stack.
fn strongly_connected(targets: &[Vec<FileIndex>]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let count = targets.len();
    let (mut order, mut low, mut component) = (vec![NONE; count], vec![NONE; count], vec![NONE; count]);
    let (mut visited, mut components) = (0, 0);
    let (mut open, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    for root in 0..count {
        if order[root] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some(&(node, edge)) = path.last() {
            if edge == 0 {
                (order[node], low[node]) = (visited, visited);
                visited += 1;
                open.push(node);
            }
            if let Some(target) = targets[node].get(edge).map(|target| target.index()) {
                if let Some((_, edge)) = path.last_mut() {
                    *edge += 1;
                }
                if order[target] == NONE {
                    path.push((target, 0));
                } else if component[target] == NONE {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_cycle_are_one_component() {
        let targets = |lists: &[&[usize]]| -> Vec<Vec<FileIndex>> {
            lists.iter().map(|list| list.iter().map(|i| FileIndex::new(*i)).collect()).collect()
        };
        let of = strongly_connected(&targets(&[&[1], &[2, 3], &[0], &[4], &[4], &[0, 0]]));
        assert!(of[0] == of[1] && of[1] == of[2]);
        let others: FxHashSet<u32> = [of[0], of[3], of[4], of[5]].into_iter().collect();
        assert_eq!(others.len(), 4);
    }
}
