//! Links the small binary of a release with folding of equal functions, where the linker is known to do it: the one
//! that Rust brings for this target. Generic code that is compiled for many types is often equal.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    // Only the profile `dist` optimises this package for size.
    if is("TARGET", "x86_64-unknown-linux-gnu") && is("OPT_LEVEL", "s") {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}
