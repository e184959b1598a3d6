//! The members that classes leave to their subclasses: those with a name such as `_load` that a subclass uses.
//!
//! A leading underscore says that a member is not for users of a class (PEP 8), but not whether it is for authors of
//! subclasses. The subclasses of the program say that.

use rustc_hash::FxHashSet;

use super::hidden_fields::is_hidden;
use crate::linked::{DefinitionRow, LinkedDefinition, LinkedFile};
use apidisc_facts::program::DefinitionKind;

/// The greatest number of definitions around a definition that are visited.
const MAX_PARENTS: usize = 64;

/// Marks the members with a leading underscore that a subclass of their class calls or reads, and the attributes of
/// [`super::hidden_fields`].
pub(super) fn mark_protected(definitions: &mut [LinkedDefinition], files: &[LinkedFile]) {
    let mut members: FxHashSet<DefinitionRow> = FxHashSet::default();
    for file in files {
        let called = file.calls.iter().filter_map(|call| Some((call.caller?, *call.candidates.first()?)));
        let read = file.reads.iter().filter_map(|read| Some((read.reader?, read.attribute)));
        let used = called.chain(read).filter(|&(user, member)| is_used_by_subclass(definitions, user, member));
        members.extend(used.map(|(_, member)| member));
    }
    for definition in definitions.iter_mut() {
        let is_member = definition.kind == DefinitionKind::Attribute && definition.parent.is_some();
        definition.modifiers.is_protected |= is_member && is_hidden(&definition.name);
    }
    for member in members {
        definitions[member.index()].modifiers.is_protected = true;
    }
}

/// Whether `user` is a method of a subclass, or inside one, and `member` a member with a leading underscore of a base.
fn is_used_by_subclass(definitions: &[LinkedDefinition], user: DefinitionRow, member: DefinitionRow) -> bool {
    let used = &definitions[member.index()];
    let Some(base) = used.parent.filter(|_| is_hidden(&used.name)) else { return false };
    let around = std::iter::successors(Some(user), |row| definitions[row.index()].parent);
    let mut classes = around.take(MAX_PARENTS).map(|row| &definitions[row.index()]);
    classes.find(|row| row.kind == DefinitionKind::Class).is_some_and(|class| class.ancestors.contains(&base))
}
