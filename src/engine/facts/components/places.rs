//! The facts of the program that is written for a component, at their places in the file of the component.

use crate::{
    documents::Place,
    syntax::typescript::facts::{DefBody, FileFacts, Member, NameId},
};
use apidisc_base::diagnostic::LineRange;

use super::{props::COMPONENT, vue_options::OPTIONS};

/// Moves all facts from the lines of the program to their places. Calls and reads that the file does not contain get
/// the line 0, or are removed.
pub(super) fn placed(mut facts: FileFacts, places: &[Place]) -> FileFacts {
    let place = |line: u32| places.get(line.wrapping_sub(1) as usize).copied().unwrap_or(Place { line: 0, column: 0 });
    let declared = |line: &mut u32| *line = place(*line).line.max(1);
    let used = |line: &mut u32, col: &mut u32| {
        let place = place(*line);
        *line = place.line;
        *col += place.column;
    };
    let members = |members: &mut [Member]| members.iter_mut().for_each(|member| declared(&mut member.line));
    for def in &mut facts.definitions {
        declared(&mut def.line);
        declared(&mut def.end_line);
        def.end_line = def.end_line.max(def.line);
        match &mut def.body {
            DefBody::Function(function) => function.params.iter_mut().for_each(|param| declared(&mut param.line)),
            DefBody::Class(class) => members(&mut class.members),
            DefBody::Interface(interface) => members(&mut interface.members),
            DefBody::Object(list) | DefBody::TypeLiteral(list) => members(list),
            DefBody::Enum(declaration) => declaration.members.iter_mut().for_each(|(_, line, _)| declared(line)),
            DefBody::TypeAlias(_) | DefBody::Namespace => {}
        }
    }
    facts.variables.iter_mut().for_each(|variable| declared(&mut variable.line));
    facts.imports.iter_mut().for_each(|import| declared(&mut import.line));
    facts.exports.iter_mut().for_each(|export| declared(&mut export.line));
    facts.calls.iter_mut().for_each(|call| used(&mut call.line, &mut call.col));
    facts.reads.iter_mut().for_each(|read| used(&mut read.line, &mut read.col));
    facts.reads.retain(|read| read.line > 0);
    for (_, lines) in &mut facts.problems {
        let (first, last) = (place(lines.first).line.max(1), place(lines.last).line.max(1));
        *lines = LineRange { first: first.min(last), last: first.max(last) };
    }
    facts.is_module = true;
    facts.component = facts.names.iter().position(|name| name == COMPONENT).map(NameId::new);
    if let Some(options) = facts.names.iter_mut().find(|name| *name == OPTIONS) {
        *options = "default".into();
    }
    facts
}
