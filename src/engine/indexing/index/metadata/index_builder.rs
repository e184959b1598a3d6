//! Builds an index from the entries of a metadata file.
//!
//! In the bare form, entries have only the keys `usage_rank`, `total_calls`, `init_args` and `args`. This module
//! derives from them the values of the other keys, such as the kind and the module of a definition.

use std::{cmp::Reverse, sync::Arc};

use arcstr::ArcStr;
use compact_str::CompactString;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use super::{
    arguments,
    by_source::HeaderSources,
    contents,
    document::{MetadataCounts, MetadataEntry, MetadataHeader, MetadataModule},
    inherited::{self, InheritedMemberEntry},
    limits::FileSums,
    sort::{sort_definitions, sort_modules},
    usage::usage,
    vocabulary::{MetadataLanguage, MetadataModifier},
};
use crate::{
    index::{Definition, File, Index, IndexSizes, Module, counts, source_usages::UsagesBySource},
    usage::{Ledger, Usage, Weights},
};
use apidisc_base::language::{Language, QualifiedName};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    documentation::Documentation,
    program::{DefinitionId, DefinitionKind, DefinitionPlace, FileId, ModuleId},
    source::{Origin, Roots, SourceMeta},
};

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
    /// Files by path and language. A document with code in two languages is two files.
    files: FxHashMap<(CompactString, Language), FileId>,
    /// Per definition, the FQNs of its type names. They are resolved when all definitions are known.
    type_fqns: Vec<IndexMap<CompactString, Option<CompactString>>>,
    /// Per definition, the FQNs of its ancestors. They are resolved when all definitions are known.
    ancestor_fqns: Vec<Vec<CompactString>>,
    inherited: Vec<InheritedMemberEntry>,
    /// The members of public bases that code uses on the classes.
    used_of_bases: Vec<InheritedMemberEntry>,
    /// Per definition, its place among the definitions of its line.
    orders: Vec<u32>,
    /// The sources, if the file names the source of each use.
    sources: Option<HeaderSources>,
    /// Per definition, its usages in the sources.
    parts: Vec<UsagesBySource>,
    sums: FileSums,
}

/// The module, the file and the parent of a definition.
#[derive(Clone, Copy)]
struct Surroundings {
    module: ModuleId,
    file: FileId,
    parent: Option<DefinitionId>,
}

impl MetadataIndexBuilder {
    /// A builder for the entries of a file with this header, whose counts have these weights.
    pub(super) fn new(header: Option<&MetadataHeader>, weights: &Weights) -> Self {
        Self { sources: header.and_then(|header| HeaderSources::new(header, weights)), ..Self::default() }
    }

    /// Adds the modules of the header.
    ///
    /// # Errors
    /// The predicate of a message whose subject is the FQN.
    pub(super) fn add_module(&mut self, fqn: &CompactString, module: &MetadataModule) -> Result<(), String> {
        let language = module.language.into();
        if QualifiedName::new(fqn, language).depth() > MAX_DEPTH {
            return Err("is nested too deep for a module".to_owned());
        }
        let id = self.module(fqn, language);
        if let Some(path) = &module.file {
            let origin = origin(module.origin.as_ref())?;
            let file = File {
                path: path.clone(),
                source: 0,
                origin,
                is_auxiliary: module.auxiliary,
                is_apart: false,
                is_internal: module.internal,
                language,
                module: id,
            };
            self.index.modules[id.index()].file = Some(self.file(file));
        }
        Ok(())
    }

    /// Adds a definition and the definitions in its entry.
    ///
    /// # Errors
    /// The predicate of a message whose subject is the FQN, such as "is no dotted name".
    pub(super) fn add(&mut self, fqn: &CompactString, entry: &MetadataEntry) -> Result<(), String> {
        let language = language(fqn, entry);
        if fqn.is_empty() || fqn.ends_with('.') || QualifiedName::new(fqn, language).depth() > MAX_DEPTH {
            return Err("is no dotted name".to_owned());
        }
        let container = QualifiedName::new(fqn, language).container_and_name().0;
        if entry.kind.is_none() && entry.module.is_none() {
            self.add_implied_classes(container, language)?;
        }
        let module_name = match &entry.module {
            // A definition whose name has one part is in the module without a name, and so are its members.
            Some(module)
                if module.is_empty()
                    || container == module
                    || QualifiedName::new(container, language).is_below(module) =>
            {
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
        let file = self.entry_file(entry, module, language)?;
        let parent = if container == module_name || entry.nested == Some(false) {
            None
        } else {
            self.definitions.get(container).copied()
        };
        let id = self.define(fqn.clone(), Surroundings { module, file, parent }, entry)?;
        self.definitions.insert(fqn.clone(), id);
        Ok(())
    }

    /// Adds the classes around a definition of the bare form that have no entries of their own. The name of a class
    /// begins with a capital, that of a module does not (PEP 8).
    fn add_implied_classes(&mut self, container: &str, language: Language) -> Result<(), String> {
        let mut missing = Vec::new();
        let mut at = container;
        loop {
            let (outer, name) = QualifiedName::new(at, language).container_and_name();
            let is_class = !outer.is_empty() && name.starts_with(char::is_uppercase);
            if !is_class || self.definitions.contains_key(at) {
                break;
            }
            missing.push(at);
            at = outer;
        }
        let class =
            MetadataEntry { kind: Some(DefinitionKind::Class), language: language.into(), ..MetadataEntry::default() };
        missing.into_iter().rev().try_for_each(|fqn| self.add(&fqn.into(), &class))
    }

    /// Adds the definition `fqn`, its members, and the further definitions with its FQN.
    fn define(
        &mut self,
        fqn: CompactString,
        surroundings: Surroundings,
        entry: &MetadataEntry,
    ) -> Result<DefinitionId, String> {
        self.sums.add(entry)?;
        let arguments = entry.init_args.as_ref().or(entry.args.as_ref());
        let usage = usage(entry, arguments)?;
        let parts = self.sources.as_ref().map(|sources| sources.read(entry, arguments)).transpose()?;
        self.parts.push(parts.unwrap_or_default());
        let definition = definition(&fqn, surroundings, entry, usage)?;
        let Surroundings { module, parent, .. } = surroundings;
        let (id, language) = (DefinitionId::new(self.index.definitions.len()), definition.language);
        self.index.definitions.push(definition);
        self.type_fqns.push(entry.types.clone());
        self.ancestor_fqns.push(entry.ancestors.clone());
        for member in &entry.inherited {
            self.sums.add(member)?;
            self.inherited.extend(inherited::read(id, member, self.sources.as_ref())?);
        }
        for member in &entry.used_of_bases {
            self.sums.add(member)?;
            self.used_of_bases.extend(inherited::read(id, member, None)?);
        }
        self.orders.push(entry.order);
        match parent {
            Some(parent) => self.index.definitions[parent.index()].members.push(id),
            None => self.index.modules[module.index()].definitions.push(id),
        }
        for (name, member) in &entry.members {
            let derived = || QualifiedName::join(&fqn, name, language);
            let inner_fqn = member.fqn.clone().unwrap_or_else(derived);
            if QualifiedName::new(&inner_fqn, language).depth() > MAX_DEPTH {
                return Err("holds classes within classes without end".to_owned());
            }
            let surroundings = self.member_surroundings(Surroundings { parent: Some(id), ..surroundings }, member)?;
            self.define(inner_fqn, surroundings, member)?;
        }
        for further in &entry.also {
            let surroundings = self.member_surroundings(surroundings, further)?;
            self.define(further.fqn.clone().unwrap_or_else(|| fqn.clone()), surroundings, further)?;
        }
        self.definitions.entry(fqn).or_insert(id);
        Ok(id)
    }

    /// The module and file of a definition whose entry is inside the entry of its parent: those of the parent, unless
    /// the entry names others. `surroundings` are those of the parent.
    fn member_surroundings(
        &mut self,
        surroundings: Surroundings,
        entry: &MetadataEntry,
    ) -> Result<Surroundings, String> {
        let Some(module) = &entry.module else { return Ok(surroundings) };
        let language = entry.language.into();
        if QualifiedName::new(module, language).depth() > MAX_DEPTH {
            return Err("has a member whose module is nested too deep".to_owned());
        }
        let module = self.module(module, language);
        Ok(Surroundings { module, file: self.entry_file(entry, module, language)?, ..surroundings })
    }

    /// The module `fqn`, which is added with the packages above it if it is new.
    fn module(&mut self, fqn: &str, language: Language) -> ModuleId {
        if let Some(&id) = self.index.module_names.get(fqn) {
            return id;
        }
        let parent = language.parent_module(fqn).map(|parent| self.module(parent, language));
        let id = ModuleId::new(self.index.modules.len());
        self.index.modules.push(Module::new(fqn.into(), parent));
        if let Some(parent) = parent {
            let parent = &mut self.index.modules[parent.index()];
            parent.children.push(id);
            parent.is_package = true;
        }
        self.index.module_names.insert(fqn.into(), id);
        id
    }

    /// The file of an entry, which is added if it is new.
    fn entry_file(&mut self, entry: &MetadataEntry, module: ModuleId, language: Language) -> Result<FileId, String> {
        let origin = origin(entry.defined_in.as_ref())?;
        let path = entry.file.clone().unwrap_or_default();
        let (is_auxiliary, is_internal) = (entry.auxiliary, entry.internal);
        let file = File { path, source: 0, origin, is_auxiliary, is_apart: false, is_internal, language, module };
        Ok(self.file(file))
    }

    /// The id of a file, which is added if no file of its language has its path.
    fn file(&mut self, file: File) -> FileId {
        let next = FileId::new(self.index.files.len());
        let id = *self.files.entry((file.path.clone(), file.language)).or_insert(next);
        if id == next {
            self.index.files.push(file);
        }
        id
    }

    /// Resolves the type names and ancestors of all definitions, which sorting has moved to `positions`, and adds what
    /// classes inherit. Returns the usages in sources of the inherited members.
    fn resolve_references(&mut self, positions: &[usize]) -> Vec<UsagesBySource> {
        let mut with_fqn: FxHashMap<&str, Vec<DefinitionId>> = FxHashMap::default();
        for (id, definition) in self.index.definitions_with_ids() {
            with_fqn.entry(&definition.fqn).or_default().push(id);
        }
        let resolve = |fqn: &CompactString| match self.definitions.get(fqn) {
            Some(id) => Some(DefinitionId::new(positions[id.index()])),
            None => numbered_fqn(fqn).and_then(|(fqn, at)| with_fqn.get(fqn)?.get(at).copied()),
        };
        let resolved = self.type_fqns.iter().map(|fqns| {
            let names = fqns.iter().map(|(name, fqn)| (name.as_str().into(), fqn.as_ref().and_then(resolve)));
            names.collect()
        });
        let resolved: Vec<ThinVec<_>> = resolved.collect();
        let ancestors: Vec<ThinVec<_>> =
            self.ancestor_fqns.iter().map(|fqns| fqns.iter().filter_map(resolve).collect()).collect();
        let declared = |members: Vec<InheritedMemberEntry>| -> Vec<(InheritedMemberEntry, DefinitionId)> {
            let declared = |member: InheritedMemberEntry| Some((resolve(&member.declaration)?, member));
            members.into_iter().filter_map(declared).map(|(declaration, member)| (member, declaration)).collect()
        };
        let inherited = declared(std::mem::take(&mut self.inherited));
        let used_of_bases = declared(std::mem::take(&mut self.used_of_bases));
        for (position, type_names) in positions.iter().zip(resolved) {
            self.index.definitions[*position].type_names = type_names;
        }
        for (position, ancestors) in positions.iter().zip(ancestors) {
            self.index.definitions[*position].ancestors = ancestors;
        }
        let new_id = |id: DefinitionId| DefinitionId::new(positions[id.index()]);
        inherited::add_used_of_bases(&mut self.index, used_of_bases, new_id);
        inherited::add(&mut self.index, inherited, new_id)
    }

    /// The index, with everything that is derived from all entries.
    pub(super) fn finish(mut self, header: Option<MetadataHeader>) -> Index {
        sort_modules(&mut self.index);
        let positions = sort_definitions(&mut self.index, &self.orders);
        let parts_of_inherited = self.resolve_references(&positions);
        let index = &mut self.index;
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
        let MetadataHeader { counts: numbers, sources, contents: folders, packages, .. } = match header {
            Some(header) => {
                let MetadataCounts { files, modules, definitions, .. } = header.counts;
                index.written_sizes = Some(IndexSizes { files, modules, definitions });
                index.written_threshold = Some(header.min_usage_threshold);
                index.written_limits = Some(header.limits);
                header
            }
            None => MetadataHeader::default(),
        };
        for (name, module) in packages {
            if let Some(&id) = index.module_names.get(&module) {
                index.add_import_name(name, id);
            }
        }
        index.contents = Arc::new(contents::contents(&folders));
        counts::total_modules(index);
        add_missing_ranks(index);
        index.sources = sources.into_iter().map(SourceMeta::from).collect();
        let roots = Roots::of_names(index.sources.iter().map(|source| source.name.clone()));
        for file in &mut index.files {
            file.source = roots.position(&file.path) as u32;
        }
        index.ledger = Ledger {
            resolved: numbers.resolved,
            ambiguous: numbers.ambiguous,
            spread: numbers.spread,
            unknown_receiver: numbers.unknown_receiver,
            unknown_name: numbers.unknown_name,
            dynamic: numbers.dynamic,
            too_complex: numbers.too_complex,
            external: numbers.external,
        };
        index.complete = true;
        if self.sources.is_some() {
            let mut parts = vec![UsagesBySource::default(); positions.len()];
            positions.iter().zip(self.parts).for_each(|(position, own)| parts[*position] = own);
            let usages = HeaderSources::usages(index, parts.into_iter().chain(parts_of_inherited));
            index.source_usages = Some(Arc::new(usages));
        }
        self.index
    }
}

/// The definition `fqn` that an entry describes, without its members, its ancestors and the names of its types.
fn definition(
    fqn: &CompactString,
    surroundings: Surroundings,
    entry: &MetadataEntry,
    usage: Usage,
) -> Result<Definition, String> {
    let Surroundings { module, file, parent } = surroundings;
    let kind = kind(entry, parent.is_some());
    let arguments = entry.init_args.as_ref().or(entry.args.as_ref());
    let language = language(fqn, entry);
    let qualified = QualifiedName::new(fqn, language);
    let is_named_public = !qualified.identifiers().any(|part| part.starts_with('_'));
    Ok(Definition {
        alias: entry.alias.as_ref().unwrap_or(fqn).as_str().into(),
        aliases: texts(&entry.aliases),
        name: entry.name.as_deref().unwrap_or_else(|| qualified.container_and_name().1).into(),
        kind,
        language,
        module,
        parent,
        members: ThinVec::new(),
        place: DefinitionPlace { file, line: entry.line, end_line: entry.end_line.max(entry.line) },
        summary: entry.summary.as_deref().map(ArcStr::from),
        documentation: entry.documentation.as_ref().map(|object| Arc::new(Documentation::from(object))),
        bases: texts(&entry.bases),
        ancestors: ThinVec::new(),
        decorators: texts(&entry.decorators),
        signature: arguments.map(|args| arguments::signature(entry, args, kind, language).map(Arc::new)).transpose()?,
        annotation: entry.annotation.as_deref().map(ArcStr::from),
        value: entry.value.as_deref().map(ArcStr::from),
        overloads: entry.overloads.iter().map(arguments::overload_signature).collect::<Result<_, _>>()?,
        type_parameters: entry.type_parameters.as_deref().map(ArcStr::from),
        modifiers: MetadataModifier::modifiers(&entry.modifiers),
        // Set by `finish`.
        type_names: ThinVec::new(),
        type_imports: entry
            .type_imports
            .iter()
            .map(|(n, source)| (n.as_str().into(), source.as_str().into()))
            .collect(),
        signature_of: None,
        is_public: entry.public.unwrap_or(entry.kind.is_some() || is_named_public),
        typical_call: entry.typical_call.as_deref().map(ArcStr::from),
        used_members: entry.used_members.iter().map(|(name, uses)| (name.as_str().into(), *uses)).collect(),
        usage: Arc::new(usage),
        fqn: fqn.as_str().into(),
    })
}

/// `a.B` and 1 for `a.B (2)`, the reference to the second definition with the FQN `a.B`.
fn numbered_fqn(text: &str) -> Option<(&str, usize)> {
    let (fqn, number) = text.strip_suffix(')')?.rsplit_once(" (")?;
    Some((fqn, number.parse::<usize>().ok()?.checked_sub(1)?))
}

/// The origin that a word of the file names; `src` without a word.
fn origin(word: Option<&CompactString>) -> Result<Origin, String> {
    let Some(word) = word else { return Ok(Origin::Src) };
    Origin::ALL
        .into_iter()
        .find(|origin| origin.word() == *word)
        .ok_or_else(|| format!("is defined in `{}`, which is none of src, tests, examples, docs", word.escape_debug()))
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

/// Ranks the used definitions whose entries have no `usage_rank`.
fn add_missing_ranks(index: &mut Index) {
    let mut ranked: Vec<usize> =
        (0..index.definitions.len()).filter(|&i| index.definitions[i].usage.uses() > 0).collect();
    ranked.shared_sort_by_key(|&i| (Reverse(index.definitions[i].usage.uses()), index.definitions[i].fqn.clone()));
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
        Some(kind) => kind,
        None if entry.init_args.is_some() => DefinitionKind::Class,
        None if has_parent => DefinitionKind::Method,
        None => DefinitionKind::Function,
    }
}
