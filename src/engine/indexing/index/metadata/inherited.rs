//! Writes and reads the inheritance of a class: its ancestors, and the usage on the class of the members of its bases.

use std::sync::Arc;

use arcstr::ArcStr;
use compact_str::CompactString;

use super::{
    arguments,
    by_source::{self, HeaderSources},
    document::MetadataEntry,
    results,
    selection::{MetadataPlace, MetadataSelection},
    usage::{add_overload_counts, argument_sets, ledger, origins, usage},
};
use crate::{
    index::{
        Definition, Index,
        counts::UnusedUsages,
        inherited::{MAX_PER_DEFINITION, inherited_member},
        source_usages::{SourceUsages, UsagesBySource},
        usage_on_class::{TypicalCallsOnClasses, UsagesOnClasses},
    },
    usage::Usage,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::DefinitionId;

/// The usage of the members that a class inherits from bases that are not public, each with its declaration.
pub(super) fn entries(
    index: &Index,
    class: DefinitionId,
    selection: &MetadataSelection<'_>,
    sources: Option<&SourceUsages>,
) -> Vec<MetadataEntry> {
    let entry = |id: DefinitionId| {
        let definition = index.definition(id);
        let mut entry = MetadataEntry {
            declaration: Some(selection.reference(index.declaration(id))),
            typical_call: arguments::text(definition.typical_call.as_ref()),
            ..MetadataEntry::default()
        };
        let keys = definition.signature.as_deref().map_or_else(Vec::new, arguments::keys);
        entry.by_source = by_source::entries(index, sources, id, &keys);
        add_usage(&mut entry, definition, &definition.usage);
        entry
    };
    index.inherited_members(class).map(entry).collect()
}

/// The usage and the typical calls on a class of the members that it inherits from public bases, each with its
/// declaration.
pub(super) fn used_of_bases(
    index: &Index,
    class: DefinitionId,
    used: &[(DefinitionId, Arc<Usage>)],
    selection: &MetadataSelection<'_>,
) -> Vec<MetadataEntry> {
    let is_written = |(id, _): &&(DefinitionId, Arc<Usage>)| selection.place(*id) != MetadataPlace::Absent;
    let entry = |(id, usage): &(DefinitionId, Arc<Usage>)| {
        let mut entry = MetadataEntry {
            declaration: Some(selection.reference(*id)),
            typical_call: arguments::text(index.typical_calls_on_classes.get(&(class, *id))),
            ..MetadataEntry::default()
        };
        add_usage(&mut entry, index.definition(*id), usage);
        entry
    };
    used.iter().filter(is_written).map(entry).collect()
}

/// Writes a usage of a definition into an entry.
fn add_usage(entry: &mut MetadataEntry, definition: &Definition, usage: &Usage) {
    (entry.total_calls, entry.total_reads) = (usage.total_calls, usage.total_reads);
    (entry.origins, entry.ledger) = (origins(usage), ledger(&usage.ledger));
    if usage.uses() > 0 || !entry.by_source.is_empty() {
        let keys = definition.signature.as_deref().map_or_else(Vec::new, arguments::keys);
        entry.args = definition.signature.as_deref().map(|s| arguments::arguments(s, &keys, usage));
        entry.argument_sets = argument_sets(&keys, usage);
        entry.taken = results::taken(usage);
        entry.overloads = definition.overloads.iter().map(arguments::overload).collect();
        add_overload_counts(&mut entry.overloads, &keys, usage);
    }
}

/// A member that a class inherits, as a file describes it.
pub(super) struct InheritedMemberEntry {
    pub(super) class: DefinitionId,
    /// The reference to the declaration: see [`MetadataSelection::reference`].
    pub(super) declaration: CompactString,
    typical_call: Option<ArcStr>,
    usage: Usage,
    /// See [`HeaderSources::read`].
    parts: UsagesBySource,
}

/// The inherited member that an entry of the class describes; `None` if it names no declaration.
///
/// # Errors
/// The predicate of a message whose subject is the class.
pub(super) fn read(
    class: DefinitionId,
    entry: &MetadataEntry,
    sources: Option<&HeaderSources>,
) -> Result<Option<InheritedMemberEntry>, String> {
    let Some(declaration) = entry.declaration.clone() else { return Ok(None) };
    let typical_call = entry.typical_call.as_deref().map(ArcStr::from);
    let usage = usage(entry, entry.args.as_ref())?;
    let parts = sources.map(|sources| sources.read(entry, entry.args.as_ref())).transpose()?.unwrap_or_default();
    Ok(Some(InheritedMemberEntry { class, declaration, typical_call, usage, parts }))
}

/// Adds inherited members, each with its declaration, to an index whose definitions are complete. `new_id` gives the id
/// of a class after sorting. A member is left out if the parameters of its declaration are not those of the file, or if
/// the index has the greatest number of inherited members already. Returns the usages in sources of the members that
/// were added.
pub(super) fn add(
    index: &mut Index,
    members: Vec<(InheritedMemberEntry, DefinitionId)>,
    new_id: impl Fn(DefinitionId) -> DefinitionId,
) -> Vec<UsagesBySource> {
    let most = MAX_PER_DEFINITION * index.definitions.len();
    let (mut found, mut unused) = (Vec::new(), UnusedUsages::default());
    for (InheritedMemberEntry { class, typical_call, usage, parts, .. }, declaration) in members.into_iter().take(most)
    {
        let class = new_id(class);
        let mut member = inherited_member(index.definition(class), class, index.definition(declaration));
        member.typical_call = typical_call;
        let is_used = usage.uses() > 0;
        if !fits(&usage, &member) && (is_used || !parts.is_empty()) {
            continue;
        }
        member.usage = if is_used { usage.into() } else { unused.of(&member, usage.ledger, usage.origins) };
        found.push(((class, declaration, member), parts));
    }
    found.shared_sort_by_key(|&((class, ..), _)| class);
    let (members, parts) = found.into_iter().unzip();
    index.add_inherited(members);
    parts
}

/// Adds the usages and typical calls of members of public bases, each with its declaration, to an index whose
/// definitions are complete. Those whose parameters are not those of the declaration are left out.
pub(super) fn add_used_of_bases(
    index: &mut Index,
    members: Vec<(InheritedMemberEntry, DefinitionId)>,
    new_id: impl Fn(DefinitionId) -> DefinitionId,
) {
    let most = MAX_PER_DEFINITION * index.definitions.len();
    let members = members.into_iter().take(most);
    let known = members.filter(|(member, declaration)| fits(&member.usage, index.definition(*declaration)));
    let (mut usages, mut typical_calls) = (UsagesOnClasses::default(), TypicalCallsOnClasses::default());
    for (member, declaration) in known {
        let key = (new_id(member.class), declaration);
        typical_calls.extend(member.typical_call.map(|call| (key, call)));
        usages.insert(key, Arc::new(member.usage));
    }
    index.usages_on_classes = Some(Arc::new(usages));
    index.typical_calls_on_classes = Arc::new(typical_calls);
}

/// True if a usage has the parameters and overloads of a definition.
fn fits(usage: &Usage, definition: &Definition) -> bool {
    let parameters = definition.signature.as_ref().map_or(0, |signature| signature.parameters.len());
    usage.parameters.len() == parameters && usage.overloads.len() == definition.overloads.len()
}
