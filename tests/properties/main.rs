//! What holds for every index and every budget.

#[path = "../support/chance.rs"]
mod chance;
#[path = "../support/sample.rs"]
mod sample;
#[path = "../fuzz/targets.rs"]
mod targets;
#[path = "../support/tools.rs"]
mod tools;
#[path = "../support/typescript.rs"]
mod typescript;

mod call_evidence;
mod compiler;
mod declarations;
mod declared;
mod generated;
mod linking;
mod literal;
mod metadata;
mod objects;
mod profile;
mod program;
mod recount;
mod seeds;
mod stub;
mod substance;
mod texts;
mod tune;
mod typescript_stub;
