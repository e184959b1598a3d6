//! An index to the text of `api_metadata.yaml`.

use std::cmp::Reverse;

use arcstr::ArcStr;
use compact_str::CompactString;
use indexmap::IndexMap;

use super::{
    arguments::{self, text},
    document::{self, Counts, Document, Entry, Kind, Meta, Modifier, SCHEMA, Set, Source},
};
use crate::{
    index::{Definition, Index},
    language::Language,
    program::{DefinitionId, DefinitionKind, Modifiers},
    source::Origin,
    tokens::Encoding,
    usage::{Ledger, Usage},
};

/// That many pairs are written of one definition.
const PAIRS: usize = 24;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetadataOptions {
    /// Definitions with fewer calls have no entry.
    pub min_usage_threshold: u32,
    /// The tokenizer that the file names.
    pub encoding: Encoding,
}

impl Default for MetadataOptions {
    fn default() -> Self {
        Self { min_usage_threshold: 2, encoding: Encoding::default() }
    }
}

/// The text of the file: `$meta`, then every entry, most called first. The same index gives the same bytes.
///
/// # Errors
/// Where the text cannot be made; a sound index gives no reason.
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
    let mut entries: IndexMap<CompactString, Entry> = IndexMap::new();
    for id in ids {
        // Of several definitions under one name the most called one is kept.
        claim(index, id, &mut has_entry, &mut entries);
    }
    for id in types_of(index, &has_entry) {
        claim(index, id, &mut has_entry, &mut entries);
    }
    for (id, definition) in index.definitions_with_ids().filter(|(id, _)| has_entry[id.index()]) {
        entries.insert(CompactString::new(&definition.fqn), Writer { index, has_entry: &has_entry }.entry(id));
    }
    let meta = meta(index, *options, &entries);
    serde_yaml::to_string(&Document { meta: Some(meta), entries })
}

/// Gives a definition an entry, unless another of its name has one.
fn claim(index: &Index, id: DefinitionId, has_entry: &mut [bool], entries: &mut IndexMap<CompactString, Entry>) {
    let fqn = index.definition(id).fqn.as_str();
    if !entries.contains_key(fqn) {
        has_entry[id.index()] = true;
        entries.insert(fqn.into(), Entry::default());
    }
}

/// The types that definitions with an entry name, and those that these name in turn, by FQN: stubs need them.
fn types_of(index: &Index, has_entry: &[bool]) -> Vec<DefinitionId> {
    let mut seen = vec![false; index.definitions.len()];
    let mut types = Vec::new();
    let mut open: Vec<DefinitionId> =
        index.definitions_with_ids().map(|(id, _)| id).filter(|id| has_entry[id.index()]).collect();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        let definition = index.definition(id);
        let named = definition.type_names.iter().filter_map(|(_, id)| *id);
        types.extend(named.clone().filter(|id| !has_entry[id.index()] && !seen[id.index()]));
        open.extend(named.chain(definition.members.iter().copied().filter(|&m| index.definition(m).is_public)));
    }
    types.sort_by_key(|&id| (&index.definition(id).fqn, id));
    types.dedup();
    types
}

fn meta(index: &Index, options: MetadataOptions, entries: &IndexMap<CompactString, Entry>) -> Meta {
    let Ledger { resolved, ambiguous, spread, unknown_receiver, unknown_name, dynamic, external } = index.ledger;
    let definitions = index.definitions.len() as u32;
    Meta {
        schema: SCHEMA,
        generator: concat!("apidisc-tui ", env!("CARGO_PKG_VERSION")).to_owned(),
        sources: index.sources.iter().map(|s| Source { url: s.url.clone(), commit: s.commit.clone() }).collect(),
        tokenizer: options.encoding.name().to_owned(),
        min_usage_threshold: options.min_usage_threshold,
        counts: Counts {
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
            external,
        },
        packages: packages(index, entries),
    }
}

/// The packages whose names the entries are shown by.
fn packages(index: &Index, entries: &IndexMap<CompactString, Entry>) -> IndexMap<CompactString, CompactString> {
    let names = entries.values().filter_map(|entry| entry.alias.as_ref()?.split_once('#'));
    let modules = names.filter_map(|(name, _)| Some((name, index.module_names.get(name)?)));
    let places = modules.map(|(name, &id)| (CompactString::new(name), index.module(id).fqn.clone()));
    let mut packages: IndexMap<_, _> = places.filter(|(name, fqn)| name != fqn).collect();
    packages.sort_keys();
    packages
}

struct Writer<'a> {
    index: &'a Index,
    has_entry: &'a [bool],
}

impl Writer<'_> {
    fn types(&self, definition: &Definition) -> IndexMap<CompactString, Option<CompactString>> {
        let fqn = |id: DefinitionId| CompactString::new(&self.index.definition(id).fqn);
        definition.type_names.iter().map(|(name, id)| (CompactString::new(name), id.map(fqn))).collect()
    }

    fn entry(&self, id: DefinitionId) -> Entry {
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
                let (kind, bases, public) = (Some(kind(around.kind)), texts(&around.bases), named_public(around));
                let (alias, aliases) = names(around);
                let inner = Entry { kind, alias, aliases, public, bases, ..Entry::default() };
                entry.within.insert(CompactString::new(&around.fqn), inner);
            }
            parent = around.parent;
        }
        entry.within.reverse();
        entry
    }

    /// What is written of a definition with or without an entry of its own.
    fn member(&self, definition: &Definition) -> Entry {
        let usage = &definition.usage;
        let (alias, aliases) = names(definition);
        let mut entry = Entry {
            total_calls: usage.total_calls,
            kind: Some(kind(definition.kind)),
            alias,
            aliases,
            public: named_public(definition),
            line: definition.place.line,
            end_line: definition.place.end_line,
            summary: text(definition.summary.as_ref()),
            bases: texts(&definition.bases),
            decorators: texts(&definition.decorators),
            annotation: text(definition.annotation.as_ref()),
            value: text(definition.value.as_ref()),
            origins: origins(usage),
            ledger: ledger(&usage.ledger),
            language: match definition.language {
                Language::Python => document::Language::Python,
                Language::TypeScript => document::Language::TypeScript,
            },
            modifiers: modifiers(definition.modifiers),
            type_parameters: text(definition.type_parameters.as_ref()),
            overloads: definition.overloads.iter().map(arguments::overload).collect(),
            types: self.types(definition),
            ..Entry::default()
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
            entry.argument_sets = unbound_sets(usage);
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

fn names(definition: &Definition) -> (Option<CompactString>, Vec<CompactString>) {
    let alias = Some(&definition.alias).filter(|alias| **alias != definition.fqn);
    (text(alias), texts(&definition.aliases))
}

fn texts(texts: &[ArcStr]) -> Vec<CompactString> {
    texts.iter().map(CompactString::new).collect()
}

fn named_public(definition: &Definition) -> Option<bool> {
    (!definition.is_public).then_some(false)
}

fn kind(kind: DefinitionKind) -> Kind {
    match kind {
        DefinitionKind::Class => Kind::Class,
        DefinitionKind::Function => Kind::Function,
        DefinitionKind::Method => Kind::Method,
        DefinitionKind::ClassMethod => Kind::ClassMethod,
        DefinitionKind::StaticMethod => Kind::StaticMethod,
        DefinitionKind::Property => Kind::Property,
        DefinitionKind::Attribute => Kind::Attribute,
        DefinitionKind::Constant => Kind::Constant,
        DefinitionKind::Interface => Kind::Interface,
        DefinitionKind::TypeAlias => Kind::TypeAlias,
        DefinitionKind::Enum => Kind::Enum,
        DefinitionKind::Namespace => Kind::Namespace,
    }
}

fn modifiers(modifiers: Modifiers) -> Vec<Modifier> {
    let words = [
        (modifiers.is_optional, Modifier::Optional),
        (modifiers.is_readonly, Modifier::Readonly),
        (modifiers.is_static, Modifier::Static),
        (modifiers.is_abstract, Modifier::Abstract),
    ];
    words.into_iter().filter(|&(is_there, _)| is_there).map(|(_, word)| word).collect()
}

fn argument_sets(keys: &[CompactString], usage: &Usage) -> Vec<Set> {
    let name = |position: usize| keys.get(position).cloned();
    let sets = usage.argument_sets.iter();
    sets.map(|set| Set { args: set.parameters.iter().filter_map(name).collect(), calls: set.calls, open: set.open })
        .collect()
}

/// Without a signature nothing is bound: only whether something was passed is known.
fn unbound_sets(usage: &Usage) -> Vec<Set> {
    usage.argument_sets.iter().map(|set| Set { args: Vec::new(), calls: set.calls, open: set.open }).collect()
}

fn co_occurrence(keys: &[CompactString], usage: &Usage) -> Vec<Set> {
    let mut pairs = Vec::new();
    let passed: Vec<usize> = (0..usage.parameters.len()).filter(|&i| usage.parameters[i].count > 0).collect();
    for (i, &a) in passed.iter().enumerate() {
        for &b in &passed[i + 1..] {
            let calls = usage.co_occurrence(a, b);
            if let (Some(first), Some(second), 1..) = (keys.get(a), keys.get(b), calls) {
                pairs.push(Set { args: vec![first.clone(), second.clone()], calls, open: false });
            }
        }
    }
    pairs.sort_by(|a, b| (Reverse(a.calls), &a.args).cmp(&(Reverse(b.calls), &b.args)));
    pairs.truncate(PAIRS);
    pairs
}

fn origins(usage: &Usage) -> IndexMap<CompactString, u32> {
    let rows = Origin::ALL.into_iter().zip(usage.origins);
    rows.filter(|&(_, calls)| calls > 0).map(|(origin, calls)| (origin.word().into(), calls)).collect()
}

fn ledger(ledger: &Ledger) -> IndexMap<CompactString, u32> {
    let rows = [
        ("resolved", ledger.resolved),
        ("ambiguous", ledger.ambiguous),
        ("spread", ledger.spread),
        ("unknown_receiver", ledger.unknown_receiver),
    ];
    rows.into_iter().filter(|&(_, calls)| calls > 0).map(|(word, calls)| (word.into(), calls)).collect()
}
