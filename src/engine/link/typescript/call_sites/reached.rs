//! What the calls of a program reach of installed packages.

use super::resolve::ResolvedCall;
use crate::typescript::{program::ProgramFacts, rows::ReachedDefinitions, source_file::SourceFile};

/// What is called, with the classes of receivers.
pub(in crate::typescript) fn reached_definitions(
    program: &ProgramFacts<'_>,
    files: &[SourceFile],
    resolved: &[Vec<ResolvedCall>],
) -> ReachedDefinitions {
    let mut reached = ReachedDefinitions::new(program, files);
    if reached.is_without_packages() {
        return reached;
    }
    for call in resolved.iter().flatten() {
        call.candidates.iter().chain(&call.receiver).chain(&call.signature).for_each(|def| reached.add(program, *def));
        call.value.iter().chain(&call.instance).for_each(|value| reached.add_value(program, *value));
    }
    reached
}
