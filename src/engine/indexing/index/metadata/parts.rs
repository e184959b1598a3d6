//! The definitions of an index, source by source: written as texts, and joined into one index.
//!
//! A part has the content of a file that [`super::write`] writes of one source with the threshold 0, without uses.
//! Definitions of other sources are named by their FQNs, which are resolved when the parts are joined.

use std::collections::BTreeSet;

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{
    contents,
    document::{MetadataCounts, MetadataEntry, MetadataHeader, SCHEMA},
    index_builder::{MetadataIndexBuilder, language},
    write,
};
use crate::index::{Index, IndexSizes};
use apidisc_base::{
    diagnostic::{Diagnostic, LimitCounts},
    language::QualifiedName,
    sort::SharedSort as _,
};
use apidisc_facts::{
    program::{DefinitionId, FileId, ModuleId},
    source::{Contents, Roots},
};

/// The facts of a source as a whole: its modules, contents and counts.
#[derive(Debug)]
pub(crate) struct PartHeader(MetadataHeader);

/// A source with its definitions.
#[derive(Debug)]
pub(crate) struct Part {
    /// The facts of the source as a whole.
    pub(crate) header: PartHeader,
    /// The entries of the definitions, in any order.
    pub(crate) entries: Vec<PartEntry>,
}

/// The entry of a definition. It may contain definitions that are declared inside of it.
#[derive(Debug)]
pub(crate) struct PartEntry {
    fqn: CompactString,
    entry: MetadataEntry,
}

impl PartHeader {
    /// The header of the source at a position in [`Index::sources`].
    pub(crate) fn of(index: &Index, source: u32) -> Self {
        let is_of = |file: Option<FileId>| file.is_some_and(|file| index.file(file).source == source);
        let roots = Roots::of_names(index.sources.iter().map(|source| source.name.clone()));
        let is_own = |path: &str| roots.position(path) == source as usize;
        let files: FxHashSet<_> =
            index.files.iter().filter(|file| file.source == source).map(|file| &file.path).collect();
        let definitions: Vec<_> =
            index.definitions.iter().filter(|definition| is_of(Some(definition.place.file))).collect();
        let own_modules = index.modules.iter().enumerate().filter(|(_, module)| is_of(module.file));
        let own_modules = own_modules.map(|(at, _)| ModuleId::new(at));
        let mut modules = BTreeSet::new();
        for module in own_modules.chain(definitions.iter().map(|definition| definition.module)) {
            let mut next = Some(module);
            while let Some(module) = next.filter(|&module| modules.insert(module)) {
                next = index.module(module).parent;
            }
        }
        let diagnostics: Vec<Diagnostic> =
            index.diagnostics.iter().filter(|diagnostic| is_own(&diagnostic.path)).cloned().collect();
        let own_contents = index.contents.files().iter().filter(|(path, _)| is_own(path)).cloned().collect();
        Self(MetadataHeader {
            schema: SCHEMA,
            sources: index.sources.get(source as usize).map(Into::into).into_iter().collect(),
            counts: MetadataCounts {
                files: files.len() as u32,
                definitions: definitions.len() as u32,
                ..MetadataCounts::default()
            },
            limits: LimitCounts::of(&diagnostics),
            contents: contents::folders(&Contents::new(own_contents)),
            packages: write::packages(index, &modules),
            modules: modules.iter().map(|&id| write::module(index, id)).collect(),
            ..MetadataHeader::default()
        })
    }

    /// The header as JSON.
    ///
    /// # Errors
    /// If it cannot be serialized. No index is known for which this happens.
    pub(crate) fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&self.0)
    }

    /// Reads the text that [`Self::to_json`] wrote.
    ///
    /// # Errors
    /// If the text has another form.
    pub(crate) fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Self)
    }

    /// The name of the source; empty if it was indexed alone.
    pub(crate) fn name(&self) -> &str {
        self.0.sources.first().map_or("", |source| &source.name)
    }
}

impl PartEntry {
    /// Reads the entry of a definition that [`entries`] wrote.
    ///
    /// # Errors
    /// If the text has another form.
    pub(crate) fn from_json(fqn: &str, entry: &str) -> Result<Self, serde_json::Error> {
        Ok(Self { fqn: fqn.into(), entry: serde_json::from_str(entry)? })
    }
}

/// The definitions of an index that have entries of their own, each with its entry as JSON.
///
/// # Errors
/// If an entry cannot be serialized. No index is known for which this happens.
pub(crate) fn entries(index: &Index) -> Result<Vec<(DefinitionId, String)>, serde_json::Error> {
    let entries = write::entries(index);
    entries.into_iter().map(|(id, entry)| Ok((id, serde_json::to_string(&entry)?))).collect()
}

/// The index of all parts, without uses. The parts must be ordered by the paths of their files.
///
/// # Errors
/// A message that names the module or definition which cannot be added.
pub(crate) fn join(parts: Vec<Part>) -> Result<Index, String> {
    let mut builder = MetadataIndexBuilder::default();
    let mut whole = MetadataHeader { schema: SCHEMA, ..MetadataHeader::default() };
    for Part { header: PartHeader(header), mut entries } in parts {
        for (fqn, module) in &header.modules {
            builder.add_module(fqn, module).map_err(|why| format!("`{}` {why}", fqn.escape_debug()))?;
        }
        // Classes are added before their members.
        entries.shared_sort_by_key(|PartEntry { fqn, entry }| QualifiedName::new(fqn, language(fqn, entry)).depth());
        for PartEntry { fqn, entry } in &entries {
            builder.add(fqn, entry).map_err(|why| format!("`{}` {why}", fqn.escape_debug()))?;
        }
        let MetadataHeader { sources, counts, limits, packages, contents, .. } = header;
        whole.sources.extend(sources);
        whole.counts.files += counts.files;
        whole.counts.definitions += counts.definitions;
        whole.limits += limits;
        for (name, module) in packages {
            whole.packages.entry(name).or_insert(module);
        }
        whole.contents.extend(contents);
    }
    let (files, definitions) = (whole.counts.files, whole.counts.definitions);
    let mut index = builder.finish(Some(whole));
    index.written_sizes = Some(IndexSizes { files, modules: index.modules.len() as u32, definitions });
    Ok(index)
}
