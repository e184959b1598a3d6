//! Writes and reads what a class inherits: its ancestors, and the usage of the members that it inherits from bases that
//! are not public.

use arcstr::ArcStr;
use compact_str::CompactString;

use super::{
    arguments,
    by_source::{self, ReadSources},
    document::MetadataEntry,
    selection::MetadataSelection,
    usage::{add_overload_counts, argument_sets, ledger, origins, usage},
};
use crate::{
    index::{
        Index,
        counts::UnusedUsages,
        inherited::{MAX_PER_DEFINITION, inherited_member},
        source_usages::{SourceUsages, UsagesBySource},
    },
    program::DefinitionId,
    usage::Usage,
};

/// The usage of the members that a class inherits from bases that are not public, each with its declaration.
pub(super) fn entries(
    index: &Index,
    class: DefinitionId,
    selection: &MetadataSelection<'_>,
    sources: Option<&SourceUsages>,
) -> Vec<MetadataEntry> {
    let entry = |id: DefinitionId| {
        let definition = index.definition(id);
        let usage = &definition.usage;
        let mut entry = MetadataEntry {
            declaration: Some(selection.reference(index.declaration(id))),
            total_calls: usage.total_calls,
            total_reads: usage.total_reads,
            typical_call: arguments::text(definition.typical_call.as_ref()),
            origins: origins(usage),
            ledger: ledger(&usage.ledger),
            ..MetadataEntry::default()
        };
        let keys = definition.signature.as_deref().map_or_else(Vec::new, arguments::keys);
        entry.by_source = by_source::entries(index, sources, id, &keys);
        if usage.uses() > 0 || !entry.by_source.is_empty() {
            entry.args = definition.signature.as_deref().map(|s| arguments::arguments(s, &keys, usage));
            entry.argument_sets = argument_sets(&keys, usage);
            entry.overloads = definition.overloads.iter().map(arguments::overload).collect();
            add_overload_counts(&mut entry.overloads, &keys, usage);
        }
        entry
    };
    index.inherited_members(class).map(entry).collect()
}

/// A member that a class inherits, as a file describes it.
pub(super) struct ReadMember {
    pub(super) class: DefinitionId,
    /// The text that means the declaration: see [`MetadataSelection::reference`].
    pub(super) declaration: CompactString,
    typical_call: Option<ArcStr>,
    usage: Usage,
    /// See [`ReadSources::read`].
    parts: UsagesBySource,
}

/// The inherited member that an entry of the class describes; `None` if it names no declaration.
///
/// # Errors
/// The predicate of a message whose subject is the class.
pub(super) fn read(
    class: DefinitionId,
    entry: &MetadataEntry,
    sources: Option<&ReadSources>,
) -> Result<Option<ReadMember>, String> {
    let Some(declaration) = entry.declaration.clone() else { return Ok(None) };
    let typical_call = entry.typical_call.as_deref().map(ArcStr::from);
    let usage = usage(entry, entry.args.as_ref())?;
    let parts = sources.map(|sources| sources.read(entry, entry.args.as_ref())).transpose()?.unwrap_or_default();
    Ok(Some(ReadMember { class, declaration, typical_call, usage, parts }))
}

/// Adds inherited members, each with its declaration, to an index whose definitions are complete. `new_id` gives the id
/// of a class after sorting. A member is left out if the parameters of its declaration are not those of the file, or if
/// the index has the greatest number of inherited members already. Returns the usages in sources of the members that
/// were added.
pub(super) fn add(
    index: &mut Index,
    members: Vec<(ReadMember, DefinitionId)>,
    new_id: impl Fn(DefinitionId) -> DefinitionId,
) -> Vec<UsagesBySource> {
    let most = MAX_PER_DEFINITION * index.definitions.len();
    let (mut found, mut unused) = (Vec::new(), UnusedUsages::default());
    for (ReadMember { class, typical_call, usage, parts, .. }, declaration) in members.into_iter().take(most) {
        let class = new_id(class);
        let mut member = inherited_member(index.definition(class), class, index.definition(declaration));
        member.typical_call = typical_call;
        let parameters = member.signature.as_ref().map_or(0, |signature| signature.parameters.len());
        let is_used = usage.uses() > 0;
        let fits = usage.parameters.len() == parameters && usage.overloads.len() == member.overloads.len();
        if !fits && (is_used || !parts.is_empty()) {
            continue;
        }
        member.usage = if is_used { usage.into() } else { unused.of(&member, usage.ledger, usage.origins) };
        found.push(((class, declaration, member), parts));
    }
    found.sort_by_key(|&((class, ..), _)| class);
    let (members, parts) = found.into_iter().unzip();
    index.add_inherited(members);
    parts
}
