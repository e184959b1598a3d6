//! The size of circles of calls: functions that call each other can only be understood together, so the linkers keep
//! such circles small. All calls count, also those inside the levels of recursion that bound them.

use std::collections::BTreeSet;

use crate::{
    call_graph::{CallGraph, Calls, Function},
    sources::{File, below},
};

/// The folders of the linkers.
const FOLDERS: &[&str] = &["src/engine/link/python", "src/engine/link/typescript"];

/// The greatest number of lines of the functions of one circle.
const MOST_LINES: usize = 6_000;

/// A circle of calls: functions of which each reaches every other one.
struct Circle {
    functions: usize,
    /// The lines of the functions.
    lines: usize,
    /// The number of files that hold a function of the circle, and the lines of these files.
    files: usize,
    lines_of_files: usize,
}

/// The circles of calls in a folder, the largest one first.
fn circles_of(files: &[File]) -> Vec<Circle> {
    let graph = CallGraph::read(files, Calls::All);
    let circle = |members: Vec<usize>| {
        let functions = || members.iter().map(|at| &graph.functions[*at]);
        let paths: BTreeSet<&str> = functions().map(Function::path).collect();
        let of_circle = files.iter().filter(|file| paths.contains(file.path.as_str()));
        Circle {
            functions: members.len(),
            lines: functions().map(Function::lines).sum(),
            files: paths.len(),
            lines_of_files: of_circle.map(|file| file.text.lines().count()).sum(),
        }
    };
    let mut found: Vec<Circle> = circles(&graph).into_iter().map(circle).collect();
    found.sort_by_key(|circle| std::cmp::Reverse(circle.lines));
    found
}

#[test]
fn no_circle_of_calls_is_large() {
    for folder in FOLDERS {
        for circle in circles_of(&below(folder)).iter().filter(|circle| circle.functions > 1).take(5) {
            let Circle { functions, lines, files, lines_of_files } = circle;
            let said = format!(
                "{folder}: a circle of {functions} functions has {lines} lines; its {files} files have {lines_of_files}"
            );
            println!("{said}");
            assert!(*lines <= MOST_LINES, "{said}, more than {MOST_LINES}");
        }
    }
}

#[test]
fn circles_are_measured_with_the_calls_inside_levels() {
    let text = "impl Linker {\n    fn f(&mut self) {\n        self.nested(|linker| linker.g())\n    }\n\n    \
                fn g(&mut self) { self.f() }\n\n    fn h(&mut self) {\n        self.f()\n    }\n}\n";
    let found = circles_of(&[File::new("src/a.rs", text)]);
    let [Circle { functions: 2, lines: 4, files: 1, lines_of_files: 11 }] = found[..] else {
        panic!("{} circles", found.len());
    };
}

/// The strongly connected components of a graph that have a cycle: Tarjan's algorithm.
pub(crate) fn circles(graph: &CallGraph) -> Vec<Vec<usize>> {
    let unseen = usize::MAX;
    let count = graph.functions.len();
    let mut search =
        Search { graph, index: vec![unseen; count], low: vec![unseen; count], open: vec![], found: vec![] };
    for at in 0..count {
        if search.index[at] == unseen {
            search.visit(at, &mut 0);
        }
    }
    search.found
}

struct Search<'g> {
    graph: &'g CallGraph,
    /// The position in the order of visits.
    index: Vec<usize>,
    /// The least position that is reached.
    low: Vec<usize>,
    open: Vec<usize>,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, at: usize, visited: &mut usize) {
        *visited += 1;
        (self.index[at], self.low[at]) = (*visited, *visited);
        self.open.push(at);
        for &to in &self.graph.calls[at] {
            if self.index[to] == usize::MAX {
                self.visit(to, visited);
                self.low[at] = self.low[at].min(self.low[to]);
            } else if self.open.contains(&to) {
                self.low[at] = self.low[at].min(self.index[to]);
            }
        }
        if self.low[at] == self.index[at]
            && let Some(start) = self.open.iter().position(|open| *open == at)
        {
            let component = self.open.split_off(start);
            if component.len() > 1 || self.graph.calls[at].contains(&at) {
                self.found.push(component);
            }
        }
    }
}
