//! Writes an index as the text of `api_metadata.yaml`.

use std::{collections::BTreeSet, sync::Arc};

use arcstr::ArcStr;
use compact_str::CompactString;
use indexmap::{IndexMap, map::Entry};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    arguments::{self, text},
    by_source, contents,
    document::{
        MetadataCounts, MetadataDocument, MetadataEntry, MetadataHeader, MetadataModule, MetadataSource, SCHEMA,
    },
    inherited,
    results::{self, MetadataResult},
    selection::{MetadataPlace, MetadataSelection},
    usage::{add_overload_counts, argument_sets, co_occurrence, ledger, origins, written_worth},
    vocabulary::MetadataModifier,
};
use crate::{
    index::{Definition, Index, IndexSizes, source_usages::SourceUsages},
    usage::{Ledger, Usage},
};
use apidisc_base::{
    language::{Language, QualifiedName},
    unprintable::to_escaped_yaml,
};
use apidisc_facts::{
    documentation::DocumentationObject,
    program::{DefinitionId, DefinitionKind, FileId, ModuleId},
    source::Origin,
};
use apidisc_tokens::Encoding;

/// The options for writing the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetadataOptions {
    /// Definitions with fewer uses are left out, unless the stub of another definition depends on them. 0 writes every
    /// definition, used or not, public or not.
    pub min_usage_threshold: u32,
    /// The tokenizer that `$meta` names.
    pub encoding: Encoding,
}

impl Default for MetadataOptions {
    fn default() -> Self {
        Self { min_usage_threshold: 2, encoding: Encoding::default() }
    }
}

/// The number of entries that are serialized together. A tree of serialized values takes many times the memory of its
/// text, so few entries at a time are such a tree.
const ENTRIES_AT_A_TIME: usize = 64;

/// The text of the file: `$meta`, then all entries, most used first, then `$end`. The same index gives the same bytes.
///
/// # Errors
/// If the text cannot be serialized. No index is known for which this happens.
pub fn write(index: &Index, options: &MetadataOptions) -> Result<String, serde_yaml::Error> {
    let selection = MetadataSelection::new(index, options.min_usage_threshold);
    let ids = selection.entries();
    let writer = EntryWriter::new(index, &selection, index.usages_by_source());
    let header = header(index, *options, &selection, ids.len());
    let header = to_escaped_yaml(&MetadataDocument { meta: Some(header), ..MetadataDocument::default() })?;
    let entry = |&id: &DefinitionId| (CompactString::new(&index.definition(id).fqn), writer.entry(id));
    // YAML writes a mapping as its entries, one after the other, so parts of the mapping can be written apart.
    let entries = |ids: &[DefinitionId]| {
        to_escaped_yaml(&MetadataDocument { entries: ids.iter().map(entry).collect(), ..MetadataDocument::default() })
    };
    let entries: Vec<String> = ids.par_chunks(ENTRIES_AT_A_TIME).map(entries).collect::<Result<_, _>>()?;
    let end = to_escaped_yaml(&MetadataDocument { end: Some(ids.len() as u32), ..MetadataDocument::default() })?;
    Ok([header, entries.concat(), end].concat())
}

/// The entries of all definitions that have one in a file with the threshold 0, most used first, without `by_source`.
pub(super) fn entries(index: &Index) -> Vec<(DefinitionId, MetadataEntry)> {
    let selection = MetadataSelection::new(index, 0);
    let writer = EntryWriter::new(index, &selection, None);
    selection.entries().into_iter().map(|id| (id, writer.entry(id))).collect()
}

/// Per definition, the number of written definitions before it on the same line of the same file.
fn orders(index: &Index, selection: &MetadataSelection<'_>) -> Vec<u32> {
    let mut orders = vec![0; index.definitions.len()];
    let mut counts: FxHashMap<(FileId, u32), u32> = FxHashMap::default();
    for id in selection.written() {
        let place = index.definition(id).place;
        let count = counts.entry((place.file, place.line)).or_default();
        orders[id.index()] = *count;
        *count += 1;
    }
    orders
}

fn header(
    index: &Index,
    options: MetadataOptions,
    selection: &MetadataSelection<'_>,
    entries: usize,
) -> MetadataHeader {
    let Ledger { resolved, ambiguous, spread, unknown_receiver, unknown_name, dynamic, too_complex, external } =
        index.ledger;
    let IndexSizes { files, modules, definitions } = index.sizes();
    let written_modules = written_modules(index, options.min_usage_threshold, selection);
    MetadataHeader {
        schema: SCHEMA,
        generator: concat!("apidisc-tui ", env!("CARGO_PKG_VERSION")).to_owned(),
        sources: index.sources.iter().map(MetadataSource::from).collect(),
        weights: (!index.weights.are_default()).then(|| index.weights.to_string()),
        tokenizer: options.encoding.name().to_owned(),
        min_usage_threshold: options.min_usage_threshold,
        counts: MetadataCounts {
            files,
            modules,
            definitions,
            left_out: definitions.saturating_sub(entries as u32),
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
        limits: index.limits(),
        contents: contents::folders(&index.contents),
        packages: packages(index, &written_modules),
        modules: written_modules.into_iter().map(|id| module(index, id)).collect(),
    }
}

/// The modules of the written definitions, with the packages above them; all modules if the threshold is 0.
fn written_modules(index: &Index, threshold: u32, selection: &MetadataSelection<'_>) -> BTreeSet<ModuleId> {
    if threshold == 0 {
        return (0..index.modules.len()).map(ModuleId::new).collect();
    }
    let mut modules = BTreeSet::new();
    for id in selection.written() {
        let mut next = Some(index.definition(id).module);
        while let Some(module) = next.filter(|&module| modules.insert(module)) {
            next = index.module(module).parent;
        }
    }
    modules
}

pub(super) fn module(index: &Index, id: ModuleId) -> (CompactString, MetadataModule) {
    let module = index.module(id);
    let file = module.file.map(|file| index.file(file));
    let definition = module.definitions.first().map(|&id| index.definition(id).language);
    let language = file.map(|file| file.language).or(definition);
    let language = language.unwrap_or_else(|| Language::of_qualified_name(&module.fqn)).into();
    let origin = file.filter(|file| file.origin != Origin::Src).map(|file| file.origin.word().into());
    let auxiliary = file.is_some_and(|file| file.is_auxiliary);
    let internal = file.is_some_and(|file| file.is_internal);
    let path = file.map(|file| file.path.clone());
    (module.fqn.clone(), MetadataModule { file: path, origin, auxiliary, internal, language })
}

/// The import names of packages, each with the FQN of the package's module, if this is one of `modules`.
pub(super) fn packages(index: &Index, modules: &BTreeSet<ModuleId>) -> IndexMap<CompactString, CompactString> {
    let named = index.import_names.iter().map(|name| (name, index.module_names[name]));
    let written = named.filter(|(_, id)| modules.contains(id));
    let mut packages: IndexMap<_, _> = written.map(|(name, id)| (name.clone(), index.module(id).fqn.clone())).collect();
    packages.sort_keys();
    packages
}

/// Writes the entries of definitions.
struct EntryWriter<'a> {
    index: &'a Index,
    selection: &'a MetadataSelection<'a>,
    /// Per definition, the value of `order`.
    orders: Vec<u32>,
    /// For each FQN, the definitions in the `also` list.
    further: FxHashMap<&'a str, Vec<DefinitionId>>,
    sources: Option<Arc<SourceUsages>>,
    /// For each class, the members of its public bases that are used on it, with their usage there.
    used_of_bases: FxHashMap<DefinitionId, Vec<(DefinitionId, Arc<Usage>)>>,
}

impl<'a> EntryWriter<'a> {
    /// A writer of the selected definitions. Without `sources` the entries do not name the source of each use.
    fn new(index: &'a Index, selection: &'a MetadataSelection<'a>, sources: Option<Arc<SourceUsages>>) -> Self {
        let (orders, further) = (orders(index, selection), selection.further_definitions());
        let mut used_of_bases: FxHashMap<DefinitionId, Vec<(DefinitionId, Arc<Usage>)>> = FxHashMap::default();
        for ((class, declaration), usage) in index.usages_on_classes() {
            used_of_bases.entry(class).or_default().push((declaration, usage));
        }
        Self { index, selection, orders, further, sources, used_of_bases }
    }

    /// The type names of a definition, each with its FQN if the sources define it.
    fn types(&self, definition: &Definition) -> IndexMap<CompactString, Option<CompactString>> {
        let reference = |id| self.selection.reference(id);
        definition.type_names.iter().map(|(name, id)| (CompactString::new(name), id.map(reference))).collect()
    }

    /// The entry of a definition at the top level of the file.
    fn entry(&self, id: DefinitionId) -> MetadataEntry {
        let mut entry = self.located(id);
        let further = self.further.get(self.index.definition(id).fqn.as_str());
        entry.also = further.into_iter().flatten().map(|&id| self.located(id)).collect();
        entry
    }

    /// The entry of a definition, with its module and file.
    fn located(&self, id: DefinitionId) -> MetadataEntry {
        let definition = self.index.definition(id);
        let mut entry = self.member(id);
        entry.module = Some(self.index.module(definition.module).fqn.clone());
        if let Some(file) = self.index.files.get(definition.place.file.index()) {
            entry.file = Some(file.path.clone());
            entry.defined_in = (file.origin != Origin::Src).then(|| file.origin.word().into());
            entry.auxiliary = file.is_auxiliary;
            entry.internal = file.is_internal;
        }
        entry
    }

    /// The entry of a definition inside the entry of its parent, from which it has its module and file.
    fn member(&self, id: DefinitionId) -> MetadataEntry {
        let definition = self.index.definition(id);
        let usage = &definition.usage;
        let (alias, aliases) = names(definition);
        let (container, last) = QualifiedName::new(&definition.fqn, definition.language).container_and_name();
        let is_outside = definition.parent.is_none() && container != self.index.module(definition.module).fqn;
        let mut entry = MetadataEntry {
            usage_rank: usage.rank,
            total_calls: usage.total_calls,
            total_reads: usage.total_reads,
            worth_of_reads: written_worth(usage.worth_of_reads, usage.total_reads),
            kind: Some(definition.kind),
            name: (last != definition.name).then(|| CompactString::new(&definition.name)),
            nested: is_outside.then_some(false),
            order: self.orders[id.index()],
            alias,
            aliases,
            public: public_flag(definition),
            line: definition.place.line,
            end_line: definition.place.end_line,
            summary: text(definition.summary.as_ref()),
            documentation: definition.documentation.as_deref().map(DocumentationObject::from),
            typical_call: text(definition.typical_call.as_ref()),
            bases: texts(&definition.bases),
            ancestors: definition.ancestors.iter().map(|&id| self.selection.reference(id)).collect(),
            decorators: texts(&definition.decorators),
            annotation: text(definition.annotation.as_ref()),
            value: text(definition.value.as_ref()),
            used_members: definition.used_members.iter().map(|(name, uses)| (name.as_str().into(), *uses)).collect(),
            taken: results::taken(usage),
            origins: origins(usage),
            ledger: ledger(&usage.ledger),
            language: definition.language.into(),
            modifiers: MetadataModifier::list(definition.modifiers),
            type_parameters: text(definition.type_parameters.as_ref()),
            overloads: definition.overloads.iter().map(arguments::overload).collect(),
            types: self.types(definition),
            type_imports: definition
                .type_imports
                .iter()
                .map(|(n, source)| (n.as_str().into(), source.as_str().into()))
                .collect(),
            ..MetadataEntry::default()
        };
        if let Some(signature) = &definition.signature {
            let keys = arguments::keys(signature);
            let arguments = arguments::arguments(signature, &keys, usage);
            *(if definition.kind == DefinitionKind::Class { &mut entry.init_args } else { &mut entry.args }) =
                Some(arguments);
            entry.receiver = text(signature.receiver.as_ref());
            entry.returns = text(signature.returns.as_ref());
            entry.inferred_returns = text(signature.inferred_returns.as_ref());
            entry.result = signature.result.as_deref().map(MetadataResult::from);
            entry.passed_on = signature.passed_on.iter().map(|name| name.as_str().into()).collect();
            entry.is_async = signature.is_async;
            entry.is_synthesized = signature.is_synthesized;
            entry.is_incomplete = signature.is_incomplete;
            entry.call_type_parameters = text(signature.type_parameters.as_ref());
            entry.argument_sets = argument_sets(&keys, usage);
            entry.by_source = by_source::entries(self.index, self.sources.as_deref(), id, &keys);
            entry.co_occurrence = co_occurrence(&keys, usage);
            add_overload_counts(&mut entry.overloads, &keys, usage);
        } else {
            entry.argument_sets = argument_sets(&[], usage);
            entry.by_source = by_source::entries(self.index, self.sources.as_deref(), id, &[]);
        }
        self.add_members(definition, &mut entry);
        entry.inherited = inherited::entries(self.index, id, self.selection, self.sources.as_deref());
        let used_of_bases = self.used_of_bases.get(&id).map_or(&[][..], Vec::as_slice);
        entry.used_of_bases = inherited::used_of_bases(self.index, id, used_of_bases, self.selection);
        entry
    }

    /// Adds the members without an entry of their own to the entry of their parent.
    fn add_members(&self, definition: &Definition, entry: &mut MetadataEntry) {
        for &member in &definition.members {
            if self.selection.place(member) != MetadataPlace::Member {
                continue;
            }
            let inner = self.index.definition(member);
            let is_elsewhere = (inner.place.file, inner.module) != (definition.place.file, definition.module);
            let mut written = if is_elsewhere { self.located(member) } else { self.member(member) };
            let derived = QualifiedName::join(&definition.fqn, &inner.name, definition.language);
            written.fqn = (derived != inner.fqn.as_str()).then(|| CompactString::new(&inner.fqn));
            match entry.members.entry(CompactString::new(&inner.name)) {
                Entry::Occupied(mut first) => first.get_mut().also.push(written),
                Entry::Vacant(first) => {
                    first.insert(written);
                }
            }
        }
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
