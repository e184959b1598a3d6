//! Checks that the TypeScript compiler accepts every stub.
//!
//! `APIDISC_TSC` is the path of the compiler's script, `node_modules/typescript/bin/tsc`; `.ci/run` installs one.
//! `APIDISC_REPOSITORIES` is a list of folders, separated as in `PATH`. The stubs of their repositories, of their
//! modules and of some definitions are checked too. The default is the bundled demo.

use std::{collections::BTreeMap, env, ffi::OsString, fs, path::Path, process::Command, sync::Arc};

use apidisc::{
    control::Control,
    delivery::Packer,
    index::{Index, Scope},
    indexer,
    language::Language,
    program::{DefinitionId, ModuleId},
    source::Source,
    stub::{Docs, Style, Wording},
    tokens::{Encoding, Tokenizer},
};
use proptest::{
    strategy::{Strategy as _, ValueTree},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use crate::{
    import_shim::shim,
    tools, typescript_index,
    typescript_stub::{packers, stubs},
};

/// The number of stubs in one run of the compiler.
const STUBS_PER_RUN: usize = 4_000;

#[test]
fn the_compiler_accepts_every_stub() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::default());
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let cases = env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40);
    let mut texts: Vec<String> = Vec::new();
    let random = (0..cases).map(|_| typescript_index::index().new_tree(&mut runner).expect("a value").current());
    for index in [crate::typescript::http().build()].into_iter().chain(random) {
        texts.extend(packers(&index).iter().flat_map(stubs_in_every_style));
    }
    assert_compiles(&texts);
}

#[test]
fn the_compiler_accepts_the_stubs_of_repositories() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo").into_os_string();
    let folders = env::var_os("APIDISC_REPOSITORIES").unwrap_or(demo);
    for folder in env::split_paths(&folders) {
        let built = indexer::build(&Source::Folder(folder.clone()), &mut |_| Control::Continue);
        let index = Arc::new(built.expect("it is there").expect("nobody cancels"));
        let scopes = scopes(&index);
        let tokenizer = Tokenizer::load(Encoding::O200kBase);
        let packers = scopes.iter().filter_map(|&scope| Packer::new(&index, scope, &tokenizer).ok());
        let mut texts: Vec<String> = packers.flat_map(|packer| stubs_in_every_style(&packer)).collect();
        texts.retain(|text| text.starts_with("//"));
        texts.sort_unstable();
        texts.dedup();
        println!("{}: {} stubs", folder.display(), texts.len());
        assert_compiles(&texts);
    }
}

/// The texts of the stubs of every strategy in every style.
fn stubs_in_every_style(packer: &Packer) -> Vec<String> {
    let styles = Wording::ALL.into_iter().zip([Docs::Full, Docs::Summary, Docs::None].into_iter().cycle());
    styles.flat_map(|(wording, docs)| stubs(packer, Style { wording, docs })).map(|delivery| delivery.text).collect()
}

/// The repository, every module with TypeScript, and every tenth public definition.
fn scopes(index: &Index) -> Vec<Scope> {
    let is_typescript =
        |id: &ModuleId| index.module(*id).file.is_none_or(|file| index.file(file).language == Language::TypeScript);
    let modules = (0..index.modules.len()).map(ModuleId::new).filter(is_typescript).map(Scope::Module);
    let definitions = (0..index.definitions.len()).map(DefinitionId::new).filter(|&id| index.definition(id).is_public);
    [Scope::Repository].into_iter().chain(modules).chain(definitions.step_by(10).map(Scope::Definition)).collect()
}

/// The path of the compiler's script; `None`, with a report, if it is missing.
fn compiler() -> Option<OsString> {
    let script = env::var_os("APIDISC_TSC").filter(|_| !tools::is_missing(&tools::NODE));
    script.or_else(|| {
        tools::report("the TypeScript compiler (APIDISC_TSC)", "run .ci/run, or npm install typescript@5.9.3");
        None
    })
}

/// Asserts that the compiler accepts every text as a declaration file beside declarations of what the texts import.
/// Skipped without the compiler. Call shapes have no types, which the option `noImplicitAny` refuses.
pub(crate) fn assert_compiles(texts: &[String]) {
    let (shapes, typed): (Vec<String>, Vec<String>) =
        texts.iter().cloned().partition(|text| text.contains("// names alone"));
    assert!(!texts.is_empty(), "no stub to check");
    for (texts, no_implicit_any) in [(shapes, "false"), (typed, "true")] {
        if !texts.is_empty() {
            assert_compiles_with(&texts, no_implicit_any);
        }
    }
}

fn assert_compiles_with(texts: &[String], no_implicit_any: &str) {
    let Some(compiler) = compiler() else { return };
    for texts in texts.chunks(STUBS_PER_RUN) {
        let folder = tempfile::tempdir().expect("a folder");
        for (number, text) in texts.iter().enumerate() {
            fs::write(folder.path().join(format!("{number}.d.ts")), text).expect("it is written");
        }
        fs::write(folder.path().join("shim.d.ts"), shim(texts)).expect("it is written");
        let output = Command::new("node")
            .arg(&compiler)
            .args([
                "--noEmit",
                "--strict",
                "--noImplicitAny",
                no_implicit_any,
                "--target",
                "esnext",
                "--moduleDetection",
                "force",
            ])
            .args((0..texts.len()).map(|number| format!("{number}.d.ts")).chain(["shim.d.ts".to_owned()]))
            .current_dir(folder.path())
            .output()
            .expect("node runs");
        let errors = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", errors_with_excerpts(&errors, folder.path()));
    }
}

/// A few errors of each kind, with the lines around their positions.
fn errors_with_excerpts(errors: &str, folder: &Path) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut text = format!("{} errors\n", errors.lines().count());
    for line in errors.lines() {
        let mut parts = line.splitn(3, ['(', ',']);
        let (Some(name), Some(Ok(number))) = (parts.next(), parts.next().map(str::parse::<usize>)) else { continue };
        let seen = kinds.entry(line.split(": ").nth(1).unwrap_or_default()).or_default();
        *seen += 1;
        if *seen <= 4 {
            let stub = fs::read_to_string(folder.join(name)).unwrap_or_default();
            let lines: Vec<&str> = stub.lines().skip(number.saturating_sub(4)).take(6).collect();
            text.extend([line, "\n", &lines.join("\n"), "\n\n"]);
        }
    }
    format!("{text}{kinds:?}")
}
