//! The bound on recursion: in the folders listed here, a function that may come back to itself begins a level
//! (`src/engine/base/nesting.rs`). So no code, however its types and names lead back to themselves, overflows the
//! stack.

use crate::{
    call_graph::{CallGraph, Calls},
    circles::circles,
    sources::{File, below},
};

/// The folders whose functions follow what the sources say. Functions of different folders do not call each other both
/// ways, as the order of the layers guarantees.
const FOLDERS: &[&str] = &[
    "src/engine/answering/code_check",
    "src/engine/apis/http",
    "src/engine/link/http",
    "src/engine/link/python",
    "src/engine/link/typescript",
    "src/engine/indexing/snippet",
    "src/engine/facts/syntax/python",
    "src/engine/facts/syntax/typescript",
];

/// The groups of functions that may come back to themselves without a level in between.
fn unbounded(files: &[File]) -> Vec<String> {
    let graph = CallGraph::read(files, Calls::OutsideLevels);
    let labels = |cycle: Vec<usize>| {
        let mut labels: Vec<String> = cycle.into_iter().map(|at| graph.functions[at].label()).collect();
        labels.sort();
        labels.join(", ")
    };
    circles(&graph).into_iter().map(labels).collect()
}

#[test]
fn a_function_that_may_come_back_to_itself_begins_a_level() {
    let found: Vec<String> = FOLDERS.iter().flat_map(|folder| unbounded(&below(folder))).collect();
    assert!(found.is_empty(), "without a level of `nesting` in between:\n{}", found.join("\n"));
}

/// The names of the functions that come back to themselves, in a file of that text.
fn names(text: &str) -> Vec<String> {
    let found = unbounded(&[File::new("src/a.rs", text)]);
    found.iter().map(|cycle| cycle.replace(" in src/a.rs", "")).collect()
}

#[test]
fn recursion_without_a_level_is_found() {
    assert_eq!(names("fn f() { g() } fn g() { h(1, |x| f()) } fn h() {}"), ["f, g"]);
    assert_eq!(names("impl Tree { fn f(&self) { self.g() } fn g(&self) { x.map(Self::f) } }"), ["Tree::f, Tree::g"]);
    assert_eq!(names("struct Tree { all: Vec<Tree> } impl Tree { fn f(&self) { self.all[0].f() } }"), ["Tree::f"]);
    assert_eq!(names("struct Tree { leaf: Leaf } impl Tree { fn f(&self) { self.leaf.f() } }"), [""; 0]);
    let both = "impl Tree { fn f(&self, leaf: &Leaf) { leaf.g() } } impl Leaf { fn g(&self, tree: Tree) { tree.f() } }";
    assert_eq!(names(both), ["Leaf::g, Tree::f"]);
    assert_eq!(names("fn f(x: u8) { assert!(matches!(f(x), Some(_))) }"), ["f"]);
    assert_eq!(names("impl Reader { fn f(&mut self) { let g = |reader: &mut Self| reader.f(); } }"), ["Reader::f"]);
    assert_eq!(names("impl Reader { fn of() -> Self {} fn f(&self) { Reader::of().f() } }"), ["Reader::f"]);
    assert_eq!(names("fn f(g: u8) { use_it(g) } fn g() { f(1) }"), [""; 0]);
    let importing = [
        File::new("src/a.rs", "use super::b::g; fn f() { g() }"),
        File::new("src/b.rs", "use super::a::f; fn g() { f() }"),
    ];
    assert_eq!(unbounded(&importing), ["f in src/a.rs, g in src/b.rs"]);
}

#[test]
fn a_level_bounds_what_comes_after_it() {
    let level = "let Some(_level) = nesting::descend() else { return };";
    assert_eq!(names(&format!("fn f() {{ {level} f() }}")), [""; 0]);
    assert_eq!(names(&format!("fn f() {{ f(); {level} }}")), ["f"]);
    assert_eq!(names("impl Linker { fn f(&mut self) { self.nested(|linker| linker.f()) } }"), [""; 0]);
    assert_eq!(names("impl Linker { fn f(&mut self) { self.other(|linker| linker.f()) } }"), ["Linker::f"]);
}
