//! The text of `api_metadata.yaml` to an index: our own form, and the seed document's bare one.

use std::{cmp::Reverse, sync::Arc};

use arcstr::ArcStr;
use compact_str::CompactString;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use super::{
    arguments,
    document::{self, Argument, Arguments, Document, Entry, Kind, Meta, Modifier, SCHEMA, Set},
};
use crate::{
    index::{Definition, File, Index, Module},
    language::{Language, QualifiedName},
    program::{DefinitionId, DefinitionKind, FileId, Modifiers, ModuleId, ParameterSet, Place},
    source::{Origin, SourceMeta},
    usage::{ArgumentSet, Ledger, ParameterUsage, Usage},
};

/// No file of real calls holds more; sums stay within their types.
const MOST_CALLS: u64 = 1_000_000_000;
/// Parts of a name, classes within classes: real ones have a handful.
const DEEPEST: usize = 64;

/// Why a file is no `api_metadata.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// It is not YAML, or something in it is of another type than it should be.
    #[error("{}{message}; mend it, or write the file anew with `apidisc-tui index PATH -o FILE`", line_number(*.line))]
    Malformed {
        /// The line, from 1, where it is known.
        line: Option<usize>,
        /// What is wrong, without control characters.
        message: String,
    },
    /// It was written by a later version.
    #[error(
        "the file has schema {found}, this version reads {SCHEMA}; write it anew with `apidisc-tui index PATH -o FILE`"
    )]
    Schema {
        /// What the file says.
        found: u32,
    },
}

fn line_number(line: Option<usize>) -> String {
    line.map(|line| format!("line {line}: ")).unwrap_or_default()
}

/// The index that a file holds. It has no call sites, and nothing that was called too seldom for an entry.
///
/// # Errors
/// [`MetadataError`] with the line and what is wrong.
pub fn read(text: &str) -> Result<Index, MetadataError> {
    let document: Document = serde_yaml::from_str(text).map_err(|error| {
        let line = error.location().map(|place| place.line());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        MetadataError::Malformed {
            line,
            message: message.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"),
        }
    })?;
    if let Some(Meta { schema, .. }) = document.meta
        && schema > SCHEMA
    {
        return Err(MetadataError::Schema { found: schema });
    }
    let mut reader = Reader::default();
    // Classes come before what stands in them.
    let mut entries: Vec<(&CompactString, &Entry)> = document.entries.iter().collect();
    entries.sort_by_key(|(fqn, entry)| QualifiedName::new(fqn, language(fqn, entry)).depth());
    for (fqn, entry) in entries {
        reader.add(fqn, entry).map_err(|message| {
            let key = format!("{fqn}:");
            let line = text.lines().position(|line| line.starts_with(&key)).map(|at| at + 1);
            MetadataError::Malformed { line, message: format!("`{}` {message}", fqn.escape_debug()) }
        })?;
    }
    Ok(reader.finish(document.meta.unwrap_or_default()))
}

#[derive(Default)]
struct Reader {
    index: Index,
    definitions: FxHashMap<CompactString, DefinitionId>,
    files: FxHashMap<CompactString, FileId>,
    /// What the names of types in each definition's texts mean.
    types: FxHashMap<DefinitionId, IndexMap<CompactString, Option<CompactString>>>,
    calls: u64,
}

impl Reader {
    fn add(&mut self, fqn: &CompactString, entry: &Entry) -> Result<DefinitionId, String> {
        let language = language(fqn, entry);
        if fqn.is_empty() || fqn.ends_with('.') || QualifiedName::new(fqn, language).depth() > DEEPEST {
            return Err("is no dotted name".to_owned());
        }
        let (above, name) = QualifiedName::new(fqn, language).container_and_name();
        let module_name = match &entry.module {
            Some(module) if above == module || QualifiedName::new(above, language).is_below(module) => module.as_str(),
            Some(module) => return Err(format!("is not in its module `{}`", module.escape_debug())),
            // The bare form: what stands above is a class where the file has it, a module otherwise.
            None => self.definitions.get(above).map_or(above, |&class| {
                let module = self.index.definition(class).module;
                &self.index.modules[module.index()].fqn
            }),
        }
        .to_owned();
        let module = self.module(&module_name, language);
        let file = self.file(entry, module, language)?;
        let parent =
            if above == module_name { None } else { self.class_above(above, &module_name, module, file, entry) };
        self.define(fqn.clone(), name, module, file, parent, entry)
    }

    /// The class or function that a definition stands in; one without an entry is made from what is known.
    fn class_above(
        &mut self,
        fqn: &str,
        module_name: &str,
        module: ModuleId,
        file: FileId,
        entry: &Entry,
    ) -> Option<DefinitionId> {
        if let Some(&id) = self.definitions.get(fqn) {
            return Some(id);
        }
        let around = entry.within.get(fqn)?;
        let (above, name) = QualifiedName::new(fqn, language(fqn, entry)).container_and_name();
        if above.is_empty() {
            return None;
        }
        let parent =
            if above == module_name { None } else { self.class_above(above, module_name, module, file, entry) };
        self.define(fqn.into(), name, module, file, parent, around).ok()
    }

    fn define(
        &mut self,
        fqn: CompactString,
        name: &str,
        module: ModuleId,
        file: FileId,
        parent: Option<DefinitionId>,
        entry: &Entry,
    ) -> Result<DefinitionId, String> {
        let kind = kind(entry, parent.is_some());
        let arguments = entry.init_args.as_ref().or(entry.args.as_ref());
        let usage = usage(entry, arguments)?;
        self.calls += u64::from(usage.total_calls);
        if self.calls > MOST_CALLS {
            return Err("brings the file above a billion calls".to_owned());
        }
        // A class that was made for its members is completed when its own entry comes.
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
            place: Place { file, line: entry.line, end_line: entry.end_line.max(entry.line) },
            summary: entry.summary.as_deref().map(ArcStr::from),
            bases: texts(&entry.bases),
            ancestors: ThinVec::new(),
            decorators: texts(&entry.decorators),
            signature: arguments.map(|args| arguments::signature(entry, args, kind).map(Arc::new)).transpose()?,
            annotation: entry.annotation.as_deref().map(ArcStr::from),
            value: entry.value.as_deref().map(ArcStr::from),
            overloads: entry.overloads.iter().map(arguments::overload_signature).collect::<Result<_, _>>()?,
            type_parameters: entry.type_parameters.as_deref().map(ArcStr::from),
            modifiers: modifiers(&entry.modifiers),
            // When every definition is known.
            type_names: ThinVec::new(),
            is_public: entry.public.unwrap_or(entry.kind.is_some() || is_named_public),
            usage: Arc::new(usage),
            fqn: fqn.as_str().into(),
        };
        self.definitions.insert(fqn, id);
        self.types.insert(id, entry.types.clone());
        if id.index() < self.index.definitions.len() {
            let made = &mut self.index.definitions[id.index()];
            let members = std::mem::take(&mut made.members);
            *made = Definition { members, ..definition };
        } else {
            self.index.definitions.push(definition);
            match parent {
                Some(parent) => self.index.definitions[parent.index()].members.push(id),
                None => self.index.modules[module.index()].definitions.push(id),
            }
        }
        for (name, member) in &entry.members {
            let fqn = compact_str::format_compact!("{}.{name}", self.index.definition(id).fqn);
            if QualifiedName::new(&fqn, language).depth() > DEEPEST {
                return Err("holds classes within classes without end".to_owned());
            }
            self.define(fqn, name, module, file, Some(id), member)?;
        }
        Ok(id)
    }

    fn module(&mut self, fqn: &str, language: Language) -> ModuleId {
        if let Some(&id) = self.index.module_names.get(fqn) {
            return id;
        }
        let parent = language.parent_module(fqn).map(|above| self.module(above, language));
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

    fn file(&mut self, entry: &Entry, module: ModuleId, language: Language) -> Result<FileId, String> {
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

    fn finish(mut self, meta: Meta) -> Index {
        for (id, types) in std::mem::take(&mut self.types) {
            let meant = |fqn: CompactString| self.definitions.get(&fqn).copied();
            let types = types.into_iter().map(|(name, fqn)| (name.as_str().into(), fqn.and_then(meant)));
            self.index.definitions[id.index()].type_names = types.collect();
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
            let (mut at, calls) = (Some(index.definitions[i].module), index.definitions[i].usage.total_calls);
            while let Some(module) = at {
                index.modules[module.index()].total_calls += calls;
                at = index.modules[module.index()].parent;
            }
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
        for (name, module) in meta.packages {
            if let Some(&id) = index.module_names.get(&module) {
                index.module_names.entry(name).or_insert(id);
            }
        }
        rank(index);
        let counts = meta.counts;
        index.sources =
            meta.sources.into_iter().map(|source| SourceMeta { url: source.url, commit: source.commit }).collect();
        index.ledger = Ledger {
            resolved: counts.resolved,
            ambiguous: counts.ambiguous,
            spread: counts.spread,
            unknown_receiver: counts.unknown_receiver,
            unknown_name: counts.unknown_name,
            dynamic: counts.dynamic,
            external: counts.external,
        };
        index.complete = true;
        self.index
    }
}

fn texts(texts: &[CompactString]) -> ThinVec<ArcStr> {
    texts.iter().map(|text| ArcStr::from(text.as_str())).collect()
}

/// What the entry says; the bare form says it by its name.
fn language(fqn: &str, entry: &Entry) -> Language {
    match entry.language {
        document::Language::TypeScript => Language::TypeScript,
        document::Language::Python if entry.kind.is_none() => Language::of_qualified_name(fqn),
        document::Language::Python => Language::Python,
    }
}

/// The bare form may leave ranks out.
fn rank(index: &mut Index) {
    let mut unranked: Vec<usize> =
        (0..index.definitions.len()).filter(|&i| index.definitions[i].usage.total_calls > 0).collect();
    unranked.sort_by_key(|&i| (Reverse(index.definitions[i].usage.total_calls), index.definitions[i].fqn.clone()));
    for (rank, i) in unranked.into_iter().enumerate() {
        if index.definitions[i].usage.rank == 0 {
            index.definitions[i].usage_mut().rank = rank as u32 + 1;
        }
    }
}

fn kind(entry: &Entry, in_class: bool) -> DefinitionKind {
    match entry.kind {
        Some(Kind::Class) => DefinitionKind::Class,
        Some(Kind::Method) => DefinitionKind::Method,
        Some(Kind::ClassMethod) => DefinitionKind::ClassMethod,
        Some(Kind::StaticMethod) => DefinitionKind::StaticMethod,
        Some(Kind::Property) => DefinitionKind::Property,
        Some(Kind::Attribute) => DefinitionKind::Attribute,
        Some(Kind::Constant) => DefinitionKind::Constant,
        Some(Kind::Interface) => DefinitionKind::Interface,
        Some(Kind::TypeAlias) => DefinitionKind::TypeAlias,
        Some(Kind::Enum) => DefinitionKind::Enum,
        Some(Kind::Namespace) => DefinitionKind::Namespace,
        None if entry.init_args.is_some() => DefinitionKind::Class,
        None if in_class => DefinitionKind::Method,
        Some(Kind::Function) | None => DefinitionKind::Function,
    }
}

fn modifiers(words: &[Modifier]) -> Modifiers {
    let has = |word| words.contains(&word);
    Modifiers {
        is_optional: has(Modifier::Optional),
        is_readonly: has(Modifier::Readonly),
        is_static: has(Modifier::Static),
        is_abstract: has(Modifier::Abstract),
    }
}

fn usage(entry: &Entry, arguments: Option<&Arguments>) -> Result<Usage, String> {
    let total_calls = entry.total_calls;
    let empty = Arguments::new();
    let arguments = arguments.unwrap_or(&empty);
    let parameters: Result<Vec<ParameterUsage>, String> =
        arguments.iter().map(|(name, argument)| parameter_usage(name, argument, total_calls)).collect();
    let argument_sets: Result<Vec<ArgumentSet>, String> =
        entry.argument_sets.iter().map(|set| argument_set(set, arguments)).collect();
    let argument_sets = argument_sets?;
    if argument_sets.iter().map(|set| u64::from(set.calls)).sum::<u64>() > u64::from(total_calls) {
        return Err("has argument sets of more calls than `total_calls`".to_owned());
    }
    let count = |word: &str| entry.ledger.get(word).copied().unwrap_or_default();
    Ok(Usage {
        total_calls,
        rank: entry.usage_rank,
        parameters: parameters?,
        argument_sets,
        origins: Origin::ALL.map(|origin| entry.origins.get(origin.word()).copied().unwrap_or_default()),
        ledger: Ledger {
            resolved: if entry.ledger.is_empty() { total_calls } else { count("resolved") },
            ambiguous: count("ambiguous"),
            spread: count("spread"),
            unknown_receiver: count("unknown_receiver"),
            ..Ledger::default()
        },
        calls: Vec::new(),
    })
}

fn parameter_usage(name: &str, argument: &Argument, total_calls: u32) -> Result<ParameterUsage, String> {
    let name = name.escape_debug();
    let freq = argument.freq.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&freq) {
        return Err(format!("has `freq: {freq}` for `{name}`; it is a share between 0 and 1"));
    }
    let count = argument.count.unwrap_or_else(|| (freq * f64::from(total_calls)).round() as u32);
    // Where only the share is left out, nothing is known of the argument.
    let unknown = if argument.count.is_none() && argument.freq.is_none() { total_calls } else { argument.unknown };
    if count.checked_add(unknown).is_none_or(|sum| sum > total_calls) {
        return Err(format!("counts more calls for `{name}` than `total_calls`"));
    }
    let values = argument.values.iter().map(|(text, &calls)| (text.clone(), calls)).collect();
    Ok(ParameterUsage { count, unknown, positional: argument.positional, values })
}

fn argument_set(set: &Set, arguments: &Arguments) -> Result<ArgumentSet, String> {
    let positions = set.args.iter().map(|name| {
        arguments
            .get_index_of(name)
            .ok_or_else(|| format!("has an argument set with `{}`, which is no argument", name.escape_debug()))
    });
    let parameters: Result<ParameterSet, String> =
        positions.collect::<Result<Vec<usize>, String>>().map(|p| p.into_iter().collect());
    Ok(ArgumentSet { parameters: parameters?, open: set.open, calls: set.calls })
}
