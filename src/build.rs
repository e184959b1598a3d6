//! Says how the binary is built, for `--version --verbose`, and links the small binary of a release with folding of
//! equal functions, where the linker is known to do it: the one that Rust brings for this target. Generic code that is
//! compiled for many types is often equal.

use std::{env, path::Path, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    // Only the profile `dist` optimises this package for size.
    if is("TARGET", "x86_64-unknown-linux-gnu") && is("OPT_LEVEL", "s") {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
    println!("cargo::rustc-env=APIDISC_TARGET={}", env::var("TARGET").unwrap_or_default());
    println!("cargo::rustc-env=APIDISC_PROFILE={}", profile());
    println!("cargo::rustc-env=APIDISC_BUILT_FROM={}", commit().unwrap_or_default());
}

/// The profile of the build, such as `dist`: the folder of the target folder in which the build is. cargo's variable
/// `PROFILE` knows two profiles only.
fn profile() -> String {
    let folder = env::var("OUT_DIR").unwrap_or_default();
    // OUT_DIR is PROFILE/build/PACKAGE/out.
    let build = Path::new(&folder).ancestors().find(|folder| folder.ends_with("build"));
    let name = build.and_then(Path::parent).and_then(Path::file_name).and_then(|name| name.to_str());
    name.filter(|name| !name.is_empty()).map_or_else(|| env::var("PROFILE").unwrap_or_default(), str::to_owned)
}

/// The commit that the sources are of: the one that the environment names, that a package of cargo names, or that git
/// has checked out. A development build does not ask git, since each commit would build the package anew.
fn commit() -> Option<String> {
    println!("cargo::rerun-if-env-changed=APIDISC_COMMIT");
    let named = env::var("APIDISC_COMMIT").ok().filter(|commit| is_commit(commit));
    let is_development = env::var("OPT_LEVEL").is_ok_and(|level| level == "0");
    named.or_else(packaged).or_else(|| if is_development { None } else { checked_out() })
}

/// The commit that cargo has written into a package.
fn packaged() -> Option<String> {
    // A package of a registry never changes, so cargo need not watch the file.
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    text.split('"').find(|word| is_commit(word)).map(str::to_owned)
}

/// The commit that git has checked out here. A repository above this folder, such as one of a home folder, is another.
fn checked_out() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
    };
    // The branch moves with each commit, HEAD with each change of the branch.
    for name in ["HEAD".to_owned(), git(&["rev-parse", "--symbolic-full-name", "HEAD"])?] {
        let file = git(&["rev-parse", "--git-path", &name])?;
        if Path::new(&file).exists() {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    git(&["rev-parse", "HEAD"]).filter(|commit| is_commit(commit))
}

fn is_commit(word: &str) -> bool {
    word.len() == 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}
