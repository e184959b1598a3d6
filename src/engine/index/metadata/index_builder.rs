//! Builds an index from the entries of a metadata file.
//!
//! The "bare form" is a file whose entries have only the four keys of the seed document. What the other keys would say,
//! such as the kind and the module of a definition, is then derived.

use std::{cmp::Reverse, sync::Arc};

use arcstr::ArcStr;
use compact_str::CompactString;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use super::{
    arguments,
    document::{MetadataEntry, MetadataHeader},
    usage::usage,
    vocabulary::{MetadataLanguage, MetadataModifier},
};
use crate::{
    index::{Definition, File, Index, Module, counts},
    language::{Language, QualifiedName},
    program::{DefinitionId, DefinitionKind, DefinitionPlace, FileId, ModuleId},
    source::{Origin, SourceMeta},
    usage::Ledger,
};

/// The largest sum of all `total_calls`. The limit keeps sums from overflowing, and no real file exceeds it.
const MAX_CALLS: u64 = 1_000_000_000;
/// The maximum number of parts of a dotted name. The limit bounds the recursion over nested definitions; real names
/// have a handful of parts.
const MAX_DEPTH: usize = 64;

/// Builds an index entry by entry. The caller adds the entry of a class or function before the entries of the
/// definitions inside it.
#[derive(Default)]
pub(super) struct MetadataIndexBuilder {
    index: Index,
    /// Definitions by FQN.
    definitions: FxHashMap<CompactString, DefinitionId>,
    /// Files by path.
    files: FxHashMap<CompactString, FileId>,
    /// Per definition, the FQNs of its type names. They are resolved when all definitions are known.
    type_fqns: FxHashMap<DefinitionId, IndexMap<CompactString, Option<CompactString>>>,
    /// The sum of all `total_calls`.
    calls: u64,
}

impl MetadataIndexBuilder {
    /// Adds the definition of an entry, its members, and its containers that have no entry of their own.
    ///
    /// # Errors
    /// The entry is invalid. The message lacks its subject, which the caller adds: the FQN. An example is "is no dotted
    /// name".
    pub(super) fn add(&mut self, fqn: &CompactString, entry: &MetadataEntry) -> Result<DefinitionId, String> {
        let language = language(fqn, entry);
        if fqn.is_empty() || fqn.ends_with('.') || QualifiedName::new(fqn, language).depth() > MAX_DEPTH {
            return Err("is no dotted name".to_owned());
        }
        let (container, name) = QualifiedName::new(fqn, language).container_and_name();
        let module_name = match &entry.module {
            Some(module) if container == module || QualifiedName::new(container, language).is_below(module) => {
                module.as_str()
            }
            Some(module) => return Err(format!("is not in its module `{}`", module.escape_debug())),
            // In the bare form, which does not name modules, a container without an entry is a module.
            None => self.definitions.get(container).map_or(container, |&class| {
                let module = self.index.definition(class).module;
                &self.index.modules[module.index()].fqn
            }),
        }
        .to_owned();
        let module = self.module(&module_name, language);
        let file = self.file(entry, module, language)?;
        let parent =
            if container == module_name { None } else { self.parent(container, &module_name, module, file, entry) };
        self.define(fqn.clone(), name, module, file, parent, entry)
    }

    /// The class or function `fqn` that contains the definition of `entry`. If this container has no entry of its own,
    /// it is defined from `entry.within`. `None` if nothing is known about it.
    fn parent(
        &mut self,
        fqn: &str,
        module_name: &str,
        module: ModuleId,
        file: FileId,
        entry: &MetadataEntry,
    ) -> Option<DefinitionId> {
        if let Some(&id) = self.definitions.get(fqn) {
            return Some(id);
        }
        let parent_entry = entry.within.get(fqn)?;
        let (container, name) = QualifiedName::new(fqn, language(fqn, entry)).container_and_name();
        if container.is_empty() {
            return None;
        }
        let parent =
            if container == module_name { None } else { self.parent(container, module_name, module, file, entry) };
        self.define(fqn.into(), name, module, file, parent, parent_entry).ok()
    }

    /// Adds or completes the definition `fqn`, and adds its members.
    fn define(
        &mut self,
        fqn: CompactString,
        name: &str,
        module: ModuleId,
        file: FileId,
        parent: Option<DefinitionId>,
        entry: &MetadataEntry,
    ) -> Result<DefinitionId, String> {
        let kind = kind(entry, parent.is_some());
        let arguments = entry.init_args.as_ref().or(entry.args.as_ref());
        let usage = usage(entry, arguments)?;
        self.calls += u64::from(usage.total_calls);
        if self.calls > MAX_CALLS {
            return Err("brings the file above a billion calls".to_owned());
        }
        // The definition exists already if another entry describes it in `members` or `within`. This entry replaces
        // everything but its members.
        let id = self.definitions.get(&fqn).copied().unwrap_or_else(|| DefinitionId::new(self.index.definitions.len()));
        let language = language(&fqn, entry);
        let is_named_public = !QualifiedName::new(&fqn, language).identifiers().any(|part| part.starts_with('_'));
        let definition = Definition {
            alias: entry.alias.as_ref().unwrap_or(&fqn).as_str().into(),
            aliases: texts(&entry.aliases),
            name: name.into(),
            kind,
            language,
            module,
            parent,
            members: ThinVec::new(),
            place: DefinitionPlace { file, line: entry.line, end_line: entry.end_line.max(entry.line) },
            summary: entry.summary.as_deref().map(ArcStr::from),
            bases: texts(&entry.bases),
            ancestors: ThinVec::new(),
            decorators: texts(&entry.decorators),
            signature: arguments.map(|args| arguments::signature(entry, args, kind).map(Arc::new)).transpose()?,
            annotation: entry.annotation.as_deref().map(ArcStr::from),
            value: entry.value.as_deref().map(ArcStr::from),
            overloads: entry.overloads.iter().map(arguments::overload_signature).collect::<Result<_, _>>()?,
            type_parameters: entry.type_parameters.as_deref().map(ArcStr::from),
            modifiers: MetadataModifier::modifiers(&entry.modifiers),
            // Set by `finish`.
            type_names: ThinVec::new(),
            is_public: entry.public.unwrap_or(entry.kind.is_some() || is_named_public),
            usage: Arc::new(usage),
            fqn: fqn.as_str().into(),
        };
        self.definitions.insert(fqn, id);
        self.type_fqns.insert(id, entry.types.clone());
        if id.index() < self.index.definitions.len() {
            let incomplete = &mut self.index.definitions[id.index()];
            let members = std::mem::take(&mut incomplete.members);
            *incomplete = Definition { members, ..definition };
        } else {
            self.index.definitions.push(definition);
            match parent {
                Some(parent) => self.index.definitions[parent.index()].members.push(id),
                None => self.index.modules[module.index()].definitions.push(id),
            }
        }
        for (name, member) in &entry.members {
            let fqn = compact_str::format_compact!("{}.{name}", self.index.definition(id).fqn);
            if QualifiedName::new(&fqn, language).depth() > MAX_DEPTH {
                return Err("holds classes within classes without end".to_owned());
            }
            self.define(fqn, name, module, file, Some(id), member)?;
        }
        Ok(id)
    }

    /// The module `fqn`. A new module is added, with the packages above it.
    fn module(&mut self, fqn: &str, language: Language) -> ModuleId {
        if let Some(&id) = self.index.module_names.get(fqn) {
            return id;
        }
        let parent = language.parent_module(fqn).map(|parent| self.module(parent, language));
        let id = ModuleId::new(self.index.modules.len());
        self.index.modules.push(Module {
            fqn: fqn.into(),
            parent,
            children: Vec::new(),
            file: None,
            is_package: false,
            definitions: Vec::new(),
            exports: Vec::new(),
            total_calls: 0,
        });
        if let Some(parent) = parent {
            let parent = &mut self.index.modules[parent.index()];
            parent.children.push(id);
            parent.is_package = true;
        }
        self.index.module_names.insert(fqn.into(), id);
        id
    }

    /// The file of an entry. A new file is added.
    fn file(&mut self, entry: &MetadataEntry, module: ModuleId, language: Language) -> Result<FileId, String> {
        let origin = match &entry.defined_in {
            None => Origin::Src,
            Some(word) => Origin::ALL.into_iter().find(|origin| origin.word() == *word).ok_or_else(|| {
                format!("is defined in `{}`, which is none of src, tests, examples, docs", word.escape_debug())
            })?,
        };
        let path = entry.file.clone().unwrap_or_default();
        let next = FileId::new(self.index.files.len());
        let id = *self.files.entry(path.clone()).or_insert(next);
        if id == next {
            self.index.files.push(File { path, origin, language, module });
        }
        Ok(id)
    }

    /// Completes the index when all entries are known: resolves type names, sorts members, and adds exports, import
    /// names, totals and ranks.
    pub(super) fn finish(mut self, header: MetadataHeader) -> Index {
        for (id, fqns) in std::mem::take(&mut self.type_fqns) {
            let resolve = |fqn: CompactString| self.definitions.get(&fqn).copied();
            let names = fqns.into_iter().map(|(name, fqn)| (name.as_str().into(), fqn.and_then(resolve)));
            self.index.definitions[id.index()].type_names = names.collect();
        }
        let index = &mut self.index;
        for module in &mut index.modules {
            module.definitions.sort();
        }
        for definition in 0..index.definitions.len() {
            let mut members = std::mem::take(&mut index.definitions[definition].members);
            members.sort_by_key(|&member| index.definition(member).place.line);
            index.definitions[definition].members = members;
        }
        for i in 0..index.definitions.len() {
            let id = DefinitionId::new(i);
            let names: Vec<ArcStr> = index.definition_names(id).cloned().collect();
            for name in names {
                let (module, last) = QualifiedName::new(&name, index.definitions[i].language).container_and_name();
                let is_exported = index.definitions[i].is_public && index.definitions[i].parent.is_none();
                if let (Some(module), true) = (index.module_names.get(module), is_exported) {
                    index.modules[module.index()].exports.push((last.into(), id));
                }
            }
        }
        for module in &mut index.modules {
            module.exports.sort();
            module.exports.dedup();
        }
        for (name, module) in header.packages {
            if let Some(&id) = index.module_names.get(&module) {
                index.module_names.entry(name).or_insert(id);
            }
        }
        counts::total_modules(index);
        add_missing_ranks(index);
        let counts = header.counts;
        index.sources =
            header.sources.into_iter().map(|source| SourceMeta { url: source.url, commit: source.commit }).collect();
        index.ledger = Ledger {
            resolved: counts.resolved,
            ambiguous: counts.ambiguous,
            spread: counts.spread,
            unknown_receiver: counts.unknown_receiver,
            unknown_name: counts.unknown_name,
            dynamic: counts.dynamic,
            too_complex: counts.too_complex,
            external: counts.external,
        };
        index.complete = true;
        self.index
    }
}

fn texts(texts: &[CompactString]) -> ThinVec<ArcStr> {
    texts.iter().map(|text| ArcStr::from(text.as_str())).collect()
}

/// The language of an entry. In the bare form, which has no `language`, the separators of the FQN determine it.
pub(super) fn language(fqn: &str, entry: &MetadataEntry) -> Language {
    match entry.language {
        MetadataLanguage::TypeScript => Language::TypeScript,
        MetadataLanguage::Python if entry.kind.is_none() => Language::of_qualified_name(fqn),
        MetadataLanguage::Python => Language::Python,
    }
}

/// Ranks the called definitions whose entries have no `usage_rank`.
fn add_missing_ranks(index: &mut Index) {
    let mut ranked: Vec<usize> =
        (0..index.definitions.len()).filter(|&i| index.definitions[i].usage.total_calls > 0).collect();
    ranked.sort_by_key(|&i| (Reverse(index.definitions[i].usage.total_calls), index.definitions[i].fqn.clone()));
    for (rank, i) in ranked.into_iter().enumerate() {
        if index.definitions[i].usage.rank == 0 {
            index.definitions[i].usage_mut().rank = rank as u32 + 1;
        }
    }
}

/// The kind of an entry. In the bare form, which has no `kind`, an entry with `init_args` is a class, any other entry
/// with a parent is a method, and the rest are functions.
fn kind(entry: &MetadataEntry, has_parent: bool) -> DefinitionKind {
    match entry.kind {
        Some(kind) => kind.into(),
        None if entry.init_args.is_some() => DefinitionKind::Class,
        None if has_parent => DefinitionKind::Method,
        None => DefinitionKind::Function,
    }
}
