//! Classes whose many required fields nobody passes: in a stub with short forms one line stands for the constructor.

use super::{
    renderer::Indentation,
    text::{pluralized, sanitized},
};
use apidisc_facts::program::DefinitionKind;
use apidisc_indexing::index::Definition;

/// The greatest number of required fields that a constructor which nobody calls keeps.
const MAX_FIELDS: usize = 12;
/// The number of fields that the line names.
const NAMED: usize = 3;

/// The comment that stands for the constructor of a class which no code calls and which has more than 12 required
/// fields: `constructor not called; 86 required fields: name, size, color, ...`. `None` for other definitions, for one
/// that the stub is about (`is_wanted`), and in a stub with everything in full.
pub(super) fn uncalled_constructor(definition: &Definition, indent: Indentation, is_wanted: bool) -> Option<String> {
    let is_uncalled = definition.kind == DefinitionKind::Class && definition.usage.total_calls == 0;
    let signature = definition.signature.as_deref().filter(|_| is_uncalled && !is_wanted && indent.is_narrow())?;
    let required = || (0..signature.parameters.len()).filter(|&at| signature.is_always_required(at));
    let count = required().count();
    (count > MAX_FIELDS).then(|| {
        let names: Vec<String> = required().take(NAMED).map(|at| sanitized(&signature.label(at))).collect();
        let fields = pluralized(count as u32, "required field");
        format!("constructor not called; {fields}: {}, ...", names.join(", "))
    })
}
