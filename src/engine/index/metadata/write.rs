//! Writes an index as the text of `api_metadata.yaml`.

use std::cmp::Reverse;

use arcstr::ArcStr;
use compact_str::CompactString;
use indexmap::IndexMap;

use super::{
    arguments::{self, text},
    document::{MetadataCounts, MetadataDocument, MetadataEntry, MetadataHeader, MetadataSource, SCHEMA},
    usage::{argument_sets, co_occurrence, ledger, origins},
    vocabulary::MetadataModifier,
};
use crate::{
    index::{Definition, Index},
    program::{DefinitionId, DefinitionKind},
    source::Origin,
    tokens::Encoding,
    usage::Ledger,
};

/// The options for writing the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetadataOptions {
    /// Definitions with fewer calls have no entry, unless an entry names them as types.
    pub min_usage_threshold: u32,
    /// The tokenizer that `$meta` names.
    pub encoding: Encoding,
}

impl Default for MetadataOptions {
    fn default() -> Self {
        Self { min_usage_threshold: 2, encoding: Encoding::default() }
    }
}

/// The text of the file: `$meta`, then all entries, most called first. The same index gives the same bytes.
///
/// # Errors
/// If the text cannot be serialized. No index is known for which this happens.
pub fn write(index: &Index, options: &MetadataOptions) -> Result<String, serde_yaml::Error> {
    let mut ids: Vec<DefinitionId> = index
        .definitions_with_ids()
        .filter(|(_, d)| d.kind.is_callable() && d.usage.total_calls >= options.min_usage_threshold.max(1))
        .map(|(id, _)| id)
        .collect();
    ids.sort_by(|&a, &b| {
        let (a, b) = (index.definition(a), index.definition(b));
        (Reverse(a.usage.total_calls), &a.fqn, a.place.line).cmp(&(Reverse(b.usage.total_calls), &b.fqn, b.place.line))
    });
    let mut has_entry = vec![false; index.definitions.len()];
    let mut entries: IndexMap<CompactString, MetadataEntry> = IndexMap::new();
    for id in ids {
        // Of several definitions with the same FQN, the most called one comes first and gets the entry.
        reserve_entry(index, id, &mut has_entry, &mut entries);
    }
    for id in named_types(index, &has_entry) {
        reserve_entry(index, id, &mut has_entry, &mut entries);
    }
    let writer = EntryWriter { index, has_entry: &has_entry };
    for (id, definition) in index.definitions_with_ids().filter(|(id, _)| has_entry[id.index()]) {
        entries.insert(CompactString::new(&definition.fqn), writer.entry(id));
    }
    let header = header(index, *options, &entries);
    serde_yaml::to_string(&MetadataDocument { meta: Some(header), entries })
}

/// Reserves an empty entry for a definition, unless another definition with the same FQN has one.
fn reserve_entry(
    index: &Index,
    id: DefinitionId,
    has_entry: &mut [bool],
    entries: &mut IndexMap<CompactString, MetadataEntry>,
) {
    let fqn = index.definition(id).fqn.as_str();
    if !entries.contains_key(fqn) {
        has_entry[id.index()] = true;
        entries.insert(fqn.into(), MetadataEntry::default());
    }
}

/// The types that have no entry although a definition with an entry names them, directly or through other types. They
/// are sorted by FQN. Stubs show these types.
fn named_types(index: &Index, has_entry: &[bool]) -> Vec<DefinitionId> {
    let mut visited = vec![false; index.definitions.len()];
    let mut types = Vec::new();
    let mut worklist: Vec<DefinitionId> =
        index.definitions_with_ids().map(|(id, _)| id).filter(|id| has_entry[id.index()]).collect();
    while let Some(id) = worklist.pop() {
        if std::mem::replace(&mut visited[id.index()], true) {
            continue;
        }
        let definition = index.definition(id);
        let named = definition.type_names.iter().filter_map(|(_, id)| *id);
        types.extend(named.clone().filter(|id| !has_entry[id.index()] && !visited[id.index()]));
        worklist.extend(named.chain(definition.members.iter().copied().filter(|&m| index.definition(m).is_public)));
    }
    types.sort_by_key(|&id| (&index.definition(id).fqn, id));
    types.dedup();
    types
}

fn header(index: &Index, options: MetadataOptions, entries: &IndexMap<CompactString, MetadataEntry>) -> MetadataHeader {
    let Ledger { resolved, ambiguous, spread, unknown_receiver, unknown_name, dynamic, too_complex, external } =
        index.ledger;
    let definitions = index.definitions.len() as u32;
    MetadataHeader {
        schema: SCHEMA,
        generator: concat!("apidisc-tui ", env!("CARGO_PKG_VERSION")).to_owned(),
        sources: index
            .sources
            .iter()
            .map(|s| MetadataSource { url: s.url.clone(), commit: s.commit.clone() })
            .collect(),
        tokenizer: options.encoding.name().to_owned(),
        min_usage_threshold: options.min_usage_threshold,
        counts: MetadataCounts {
            files: index.files.len() as u32,
            modules: index.modules.len() as u32,
            definitions,
            left_out: definitions - entries.len() as u32,
            calls: index.ledger.total(),
            resolved,
            ambiguous,
            spread,
            unknown_receiver,
            unknown_name,
            dynamic,
            too_complex,
            external,
        },
        packages: packages(index, entries),
    }
}

/// The import names of packages with which the alias of an entry begins, each with the FQN of the package's module.
fn packages(index: &Index, entries: &IndexMap<CompactString, MetadataEntry>) -> IndexMap<CompactString, CompactString> {
    let names = entries.values().filter_map(|entry| entry.alias.as_ref()?.split_once('#'));
    let modules = names.filter_map(|(name, _)| Some((name, index.module_names.get(name)?)));
    let fqns = modules.map(|(name, &id)| (CompactString::new(name), index.module(id).fqn.clone()));
    let mut packages: IndexMap<_, _> = fqns.filter(|(name, fqn)| name != fqn).collect();
    packages.sort_keys();
    packages
}

/// Writes the entries of definitions.
struct EntryWriter<'a> {
    index: &'a Index,
    /// Per definition, whether it has an entry.
    has_entry: &'a [bool],
}

impl EntryWriter<'_> {
    /// The type names of a definition, each with its FQN if the sources define it.
    fn types(&self, definition: &Definition) -> IndexMap<CompactString, Option<CompactString>> {
        let fqn = |id: DefinitionId| CompactString::new(&self.index.definition(id).fqn);
        definition.type_names.iter().map(|(name, id)| (CompactString::new(name), id.map(fqn))).collect()
    }

    /// The entry of a definition at the top level of the file.
    fn entry(&self, id: DefinitionId) -> MetadataEntry {
        let definition = self.index.definition(id);
        let mut entry = self.member(definition);
        entry.usage_rank = definition.usage.rank;
        entry.module = Some(self.index.module(definition.module).fqn.clone());
        if let Some(file) = self.index.files.get(definition.place.file.index()) {
            entry.file = Some(file.path.clone());
            entry.defined_in = (file.origin != Origin::Src).then(|| file.origin.word().into());
        }
        let mut parent = definition.parent;
        while let Some(id) = parent {
            let around = self.index.definition(id);
            if !self.has_entry[id.index()] {
                let (kind, bases, public) = (Some(around.kind.into()), texts(&around.bases), public_flag(around));
                let (alias, aliases) = names(around);
                let inner = MetadataEntry { kind, alias, aliases, public, bases, ..MetadataEntry::default() };
                entry.within.insert(CompactString::new(&around.fqn), inner);
            }
            parent = around.parent;
        }
        entry.within.reverse();
        entry
    }

    /// The entry of a definition inside the entry of its parent.
    fn member(&self, definition: &Definition) -> MetadataEntry {
        let usage = &definition.usage;
        let (alias, aliases) = names(definition);
        let mut entry = MetadataEntry {
            total_calls: usage.total_calls,
            kind: Some(definition.kind.into()),
            alias,
            aliases,
            public: public_flag(definition),
            line: definition.place.line,
            end_line: definition.place.end_line,
            summary: text(definition.summary.as_ref()),
            bases: texts(&definition.bases),
            decorators: texts(&definition.decorators),
            annotation: text(definition.annotation.as_ref()),
            value: text(definition.value.as_ref()),
            origins: origins(usage),
            ledger: ledger(&usage.ledger),
            language: definition.language.into(),
            modifiers: MetadataModifier::list(definition.modifiers),
            type_parameters: text(definition.type_parameters.as_ref()),
            overloads: definition.overloads.iter().map(arguments::overload).collect(),
            types: self.types(definition),
            ..MetadataEntry::default()
        };
        if let Some(signature) = &definition.signature {
            let keys = arguments::keys(signature);
            let arguments = arguments::arguments(signature, &keys, usage);
            *(if definition.kind == DefinitionKind::Class { &mut entry.init_args } else { &mut entry.args }) =
                Some(arguments);
            entry.receiver = text(signature.receiver.as_ref());
            entry.returns = text(signature.returns.as_ref());
            entry.is_async = signature.is_async;
            entry.is_synthesized = signature.is_synthesized;
            entry.call_type_parameters = text(signature.type_parameters.as_ref());
            entry.argument_sets = argument_sets(&keys, usage);
            entry.co_occurrence = co_occurrence(&keys, usage);
        } else {
            entry.argument_sets = argument_sets(&[], usage);
        }
        for &member in &definition.members {
            let inner = self.index.definition(member);
            if !self.has_entry[member.index()] && inner.is_public && !entry.members.contains_key(inner.name.as_str()) {
                entry.members.insert(CompactString::new(&inner.name), self.member(inner));
            }
        }
        entry
    }
}

/// The alias if it is not the FQN, and all aliases.
fn names(definition: &Definition) -> (Option<CompactString>, Vec<CompactString>) {
    let alias = Some(&definition.alias).filter(|alias| **alias != definition.fqn);
    (text(alias), texts(&definition.aliases))
}

fn texts(texts: &[ArcStr]) -> Vec<CompactString> {
    texts.iter().map(CompactString::new).collect()
}

/// The value of the key `public`.
fn public_flag(definition: &Definition) -> Option<bool> {
    (!definition.is_public).then_some(false)
}
