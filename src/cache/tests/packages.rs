//! Sources that are cached together with the packages that they use.

use std::{fs, path::Path};

use apidisc::{
    control::Control,
    dependencies::dependencies,
    environment::python::EnvironmentSetting,
    indexer::{BuildOutcome, Builder},
    source::Source,
};

use super::{Run, Setup, answer, write};
use crate::{
    cache::{Cache, SourceCache},
    packages,
};

/// A program that uses a package of Python and one of npm, in a folder.
const WITH_PACKAGES: [(&str, &str); 6] = [
    ("app.py", "from kit import go\ngo(1, b=2)\n"),
    ("app.ts", "import { fly } from 'wing';\nfly('up', 1);\n"),
    (".venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.1\n"),
    (".venv/lib/python3.12/site-packages/kit/__init__.py", "def go(a, b=0): ...\n"),
    ("node_modules/wing/package.json", "{\"name\": \"wing\", \"version\": \"1.0.0\", \"types\": \"index.d.ts\"}"),
    ("node_modules/wing/index.d.ts", "export declare function fly(to: string, by?: number): void;\n"),
];

/// Indexes a folder together with the packages that it uses. The answer has their names and definitions, too.
fn run_with_packages(folder: &Path, cache: Option<&Cache>) -> Run {
    let source = Source::Folder(folder.to_owned());
    let mut builder = Builder::new(source.clone());
    builder.set_libraries(packages::settings(&source, &EnvironmentSetting::Auto));
    let kept = cache.and_then(|cache| cache.open_with_packages(&source));
    builder.set_store(kept.as_ref().map(SourceCache::store));
    let built = builder.build(&mut |_| Control::Continue).expect("a folder");
    let BuildOutcome::Index { index, .. } = built else { panic!("no index") };
    let (has_parsed, is_restored) = (builder.has_new_facts(), !builder.has_facts());
    if let Some(kept) = kept {
        kept.save(&mut builder, &index);
    }
    let libraries = builder.into_libraries().expect("packages were looked for");
    let used = dependencies(&index, &libraries);
    let read = (&libraries.python.files, &libraries.node.files, &index.sources);
    Run { answer: format!("{}\n{used:?}\n{read:?}", answer(&index)), has_parsed, is_restored }
}

#[test]
fn packages_that_were_read_are_not_parsed_again_until_they_change() {
    let setup = Setup::with(&WITH_PACKAGES);
    let folder = setup.source.path();
    let site = ".venv/lib/python3.12/site-packages";
    let with = || run_with_packages(folder, Some(&setup.cache));
    let without = || run_with_packages(folder, None);
    let [first, second] = [with(), with()];
    assert!(first.has_parsed && !first.is_restored && !second.has_parsed && second.is_restored);
    assert!(first.answer.contains("fly") && first.answer == without().answer && second.answer == first.answer);
    // An own file changes: its facts alone are new.
    write(folder, "app.py", "from kit import go\ngo(1)\n");
    let changed = with();
    assert!(changed.has_parsed && !changed.is_restored && changed.answer == without().answer);
    assert!(with().is_restored);
    // Whatever changes on the disk that the packages depend on, the answer is that of no cache.
    let changes: [(&str, &dyn Fn()); 7] = [
        ("a file of a package", &|| write(folder, &format!("{site}/kit/__init__.py"), "def go(a, c=0, b=0): ...\n")),
        ("a stub beside it", &|| write(folder, &format!("{site}/kit/__init__.pyi"), "def go(x, b=0): ...\n")),
        ("stubs of another distribution", &|| {
            write(folder, &format!("{site}/kit-stubs/__init__.pyi"), "def go(y, b=0): ...\n");
        }),
        ("an entry point", &|| {
            write(folder, "node_modules/wing/other.d.ts", "export declare function fly(up: string): void;\n");
            let text = "{\"name\": \"wing\", \"version\": \"1.0.0\", \"types\": \"other.d.ts\"}";
            write(folder, "node_modules/wing/package.json", text);
        }),
        ("another environment", &|| {
            write(folder, "pyproject.toml", "[tool.pyright]\nvenvPath = \".\"\nvenv = \"venv\"\n");
            write(folder, "venv/lib/python3.12/site-packages/kit.py", "def go(z): ...\n");
        }),
        ("a package leaves", &|| fs::remove_dir_all(folder.join("node_modules")).expect("it was there")),
        ("all leave", &|| fs::remove_dir_all(folder.join("venv")).expect("it was there")),
    ];
    for (what, change) in changes {
        assert!(with().is_restored, "before: {what}");
        change();
        let changed = with();
        assert!(!changed.is_restored, "{what}");
        assert_eq!(changed.answer, without().answer, "{what}");
    }
}

#[test]
fn a_source_is_kept_with_and_without_packages() {
    let setup = Setup::with(&WITH_PACKAGES);
    let folder = setup.source.path();
    run_with_packages(folder, Some(&setup.cache));
    // The source alone has facts already, and gets an index of its own.
    let first = setup.run();
    assert!(!first.has_parsed && !first.is_restored && first.answer == setup.without().answer);
    assert!(setup.run().is_restored && run_with_packages(folder, Some(&setup.cache)).is_restored);
    assert_eq!(setup.cache.size().packs, 2);
    // The facts of packages are found by content, for another project.
    let other = tempfile::tempdir().expect("a folder");
    for (path, text) in WITH_PACKAGES {
        write(other.path(), path, text);
    }
    let of_other = run_with_packages(other.path(), Some(&setup.cache));
    assert!(!of_other.has_parsed && !of_other.is_restored);
    assert_eq!(of_other.answer, run_with_packages(other.path(), None).answer);
}
