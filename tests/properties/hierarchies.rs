//! Generated class hierarchies, and the demo: whatever is exported and called can be shown. Every call on an exported
//! class is counted once, whichever base declares the method, and the stub of everything covers it.

use std::{fmt::Write, sync::Arc};

use apidisc::{
    control::Control,
    delivery::{Delivery, Format, Packer},
    index::{Definition, Index, Scope},
    indexer::build,
    program::DefinitionId,
    source::Source,
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};
use proptest::{collection::vec, prelude::*, strategy::Strategy as _};

use crate::{built, chance::cases};

const METHODS: usize = 3;

/// A class, whose base precedes it.
#[derive(Clone, Debug)]
struct Class {
    is_exported: bool,
    base: Option<usize>,
    /// For each method, true if the class declares it.
    methods: [bool; METHODS],
}

/// Classes, and calls of a method on a new instance of a class.
#[derive(Clone, Debug)]
struct Hierarchy {
    classes: Vec<Class>,
    calls: Vec<(usize, usize)>,
}

fn hierarchy() -> impl proptest::strategy::Strategy<Value = Hierarchy> {
    let class = (any::<bool>(), any::<Option<prop::sample::Index>>(), any::<[bool; METHODS]>());
    let call = (any::<prop::sample::Index>(), 0..METHODS);
    (vec(class, 1..7), vec(call, 1..10)).prop_map(|(classes, calls)| {
        let classes: Vec<Class> = classes
            .into_iter()
            .enumerate()
            .map(|(at, (is_exported, base, methods))| {
                let base = base.filter(|_| at > 0).map(|base| base.index(at));
                Class { is_exported, base, methods }
            })
            .collect();
        let calls = calls.into_iter().map(|(class, method)| (class.index(classes.len()), method));
        let mut hierarchy = Hierarchy { calls: calls.collect(), classes };
        let Hierarchy { calls, classes } = &mut hierarchy;
        calls.retain(|&(class, method)| classes[class].is_exported && declares(classes, class, method));
        hierarchy
    })
}

/// True if a class or one of its bases declares a method.
fn declares(classes: &[Class], class: usize, method: usize) -> bool {
    std::iter::successors(Some(class), |&at| classes[at].base).any(|at| classes[at].methods[method])
}

impl Hierarchy {
    fn name(&self, class: usize) -> String {
        format!("{}K{class}", if self.classes[class].is_exported { "" } else { "_" })
    }

    fn python(&self) -> [(&'static str, String); 2] {
        let mut code = String::new();
        for (at, class) in self.classes.iter().enumerate() {
            let base = class.base.map_or_else(String::new, |base| format!("({})", self.name(base)));
            let _ = writeln!(code, "class {}{base}:\n    pass", self.name(at));
            for method in (0..METHODS).filter(|&method| class.methods[method]) {
                let _ = writeln!(code, "    def m{method}(self, x): ...");
            }
        }
        let mut tests = String::from("import api\n");
        for &(class, method) in &self.calls {
            let _ = writeln!(tests, "api.{}().m{method}(1)", self.name(class));
        }
        [("api.py", code), ("tests/test_api.py", tests)]
    }

    fn typescript(&self) -> [(&'static str, String); 2] {
        let mut code = String::new();
        for (at, class) in self.classes.iter().enumerate() {
            let export = if class.is_exported { "export " } else { "" };
            let base = class.base.map_or_else(String::new, |base| format!(" extends {}", self.name(base)));
            let _ = writeln!(code, "{export}class {}{base} {{", self.name(at));
            for method in (0..METHODS).filter(|&method| class.methods[method]) {
                let _ = writeln!(code, "  m{method}(x: number): void {{}}");
            }
            code.push_str("}\n");
        }
        let mut tests = String::from("import * as api from './api';\n");
        for &(class, method) in &self.calls {
            let _ = writeln!(tests, "new api.{}().m{method}(1);", self.name(class));
        }
        [("src/api.ts", code), ("src/api.test.ts", tests)]
    }
}

fn index_of(files: &[(&'static str, String); 2]) -> Arc<Index> {
    built::index(files.iter().map(|(path, text)| (*path, text.as_str())))
}

fn exhaustive(index: &Arc<Index>, scope: Scope) -> Option<Delivery> {
    let packer = Packer::new(index, scope, &Tokenizer::load(Encoding::O200kBase)).ok()?;
    packer.deliver(&Strategy::Exhaustive, Format::Stub).ok()
}

/// True for a definition that is below those of a scope.
fn is_within(index: &Index, members: &[DefinitionId], id: DefinitionId) -> bool {
    let outwards = std::iter::successors(Some(id), |&at| index.definition(at).parent);
    outwards.last().is_some_and(|outermost| members.contains(&outermost))
}

/// The calls into public definitions below those of a scope, in the language of a delivery.
fn public_calls(index: &Index, members: &[DefinitionId], delivery: &Delivery) -> u32 {
    let found = index.every_definition().filter(|&(id, definition)| {
        definition.is_public && definition.language == delivery.language && is_within(index, members, id)
    });
    found.map(|(_, definition)| definition.usage.total_calls).sum()
}

/// The calls of functions that the types of shown aliases and properties describe, all of whose arguments are known.
fn described_calls(index: &Index, delivery: &Delivery) -> u32 {
    let is_shown = |id: DefinitionId| delivery.symbols.iter().any(|symbol| symbol.id == id);
    let is_described = |definition: &Definition| {
        let mut above = std::iter::successors(definition.parent, |&id| index.definition(id).parent);
        above.any(|id| is_shown(id) && index.definition(id).annotation.is_some())
    };
    let described = index.every_definition().filter(|&(id, d)| d.is_public && !is_shown(id) && is_described(d));
    described.flat_map(|(_, d)| d.usage.argument_sets.iter().filter(|set| !set.open)).map(|set| set.calls).sum()
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn every_call_on_an_exported_class_is_counted_once_and_covered(hierarchy in hierarchy()) {
        for files in [hierarchy.python(), hierarchy.typescript()] {
            let text = files[0].1.clone();
            let index = index_of(&files);
            // A call of a method on a new instance is two calls.
            let expected = 2 * hierarchy.calls.len() as u32;
            let Some(delivery) = exhaustive(&index, Scope::Repository) else {
                prop_assert_eq!(expected, 0);
                continue;
            };
            prop_assert_eq!(delivery.known_calls, expected, "{}\n{}", text, delivery.text);
            prop_assert_eq!(delivery.covered_calls, expected, "{}\n{}", text, delivery.text);
        }
    }
}

#[test]
fn the_demo_shows_every_call_into_its_public_api_or_says_which_it_does_not() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo");
    let index = Arc::new(build(&Source::Folder(folder.into()), &mut |_| Control::Continue).unwrap().unwrap());
    let modules = index.modules.iter().enumerate().map(|(at, _)| Scope::Module(apidisc::program::ModuleId::new(at)));
    let mut checked = 0;
    for scope in [Scope::Repository].into_iter().chain(modules) {
        let Some(delivery) = exhaustive(&index, scope) else { continue };
        let members = index.members(scope);
        // A type that the stub declares because it is named may stand outside of the scope.
        let shown = delivery.symbols.iter().filter(|symbol| is_within(&index, &members, symbol.id));
        let shown: u32 = shown.map(|symbol| index.usage(symbol.id).total_calls).sum();
        let public = public_calls(&index, &members, &delivery);
        let within = described_calls(&index, &delivery);
        let said: u32 = delivery.not_shown.iter().map(|unshown| unshown.uses.calls).sum();
        assert_eq!(shown + within + said, public, "{scope:?}\n{}", delivery.text);
        assert_eq!(delivery.covered_calls, delivery.known_calls, "{scope:?}\n{}", delivery.text);
        checked += public;
    }
    assert!(checked > 0);
}

#[test]
fn a_stub_of_everything_says_which_calls_it_does_not_show() {
    let python = index_of(&[
        ("api.py", "class A:\n    def __new__(cls, *x): ...\n    def __init__(self, x): ...\nclass B(A):\n    def __new__(cls):\n        super().__new__(cls, 1)\n".into()),
        ("tests/test_api.py", "import api\napi.B()\n".into()),
    ]);
    let stub = exhaustive(&python, Scope::Repository).expect("a stub").text;
    assert!(stub.ends_with("\n# not shown: 1 call of constructors by their own names\n"), "{stub}");
    let typescript = |argument: &str| {
        let library = format!(
            "export type Options = {{ done(x: number): void }};\n\
             export function run(o: Options, all: [number]) {{ o.done({argument}); }}\n"
        );
        let test = "import { run } from './api';\nrun({ done() {} }, [1]);\n";
        let index = index_of(&[("src/api.ts", library), ("src/api.test.ts", test.into())]);
        exhaustive(&index, Scope::Repository).expect("a stub").text
    };
    // The type describes the function, so a call whose arguments are known is covered.
    let stub = typescript("1");
    assert!(stub.contains("100% of 2 calls") && !stub.contains("not shown"), "{stub}");
    let stub = typescript("...all");
    assert!(stub.contains("100% of 1 call"), "{stub}");
    assert!(stub.ends_with("\n// not shown: 1 call of properties within options and type aliases\n"), "{stub}");
}
