//! What holds for every index and every budget.

#[path = "../support/chance.rs"]
mod chance;
#[path = "../support/sample.rs"]
mod sample;
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
mod stub;
mod texts;
mod tune;
mod typescript_stub;
