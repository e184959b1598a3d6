//! An index to the text of `api_metadata.yaml`.

use std::cmp::Reverse;

use compact_str::CompactString;
use indexmap::IndexMap;

use super::document::{Argument, ArgumentKind, Arguments, Counts, Document, Entry, Kind, Meta, SCHEMA, Set, Source};
use crate::engine::{
    index::{Definition, DefinitionId, DefinitionKind, Index, ParameterKind, Signature},
    tokens::Encoding,
    usage::{Ledger, Origin, Usage},
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
        let fqn = index.definition(id).fqn.clone();
        if !entries.contains_key(&fqn) {
            has_entry[id.index()] = true;
            entries.insert(fqn, Entry::default());
        }
    }
    for (id, definition) in index.definitions_with_ids().filter(|(id, _)| has_entry[id.index()]) {
        entries.insert(definition.fqn.clone(), Writer { index, has_entry: &has_entry }.entry(id));
    }
    let meta = meta(index, *options, entries.len());
    serde_yaml::to_string(&Document { meta: Some(meta), entries })
}

fn meta(index: &Index, options: MetadataOptions, entries: usize) -> Meta {
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
            left_out: definitions - entries as u32,
            calls: index.ledger.total(),
            resolved,
            ambiguous,
            spread,
            unknown_receiver,
            unknown_name,
            dynamic,
            external,
        },
    }
}

struct Writer<'a> {
    index: &'a Index,
    has_entry: &'a [bool],
}

impl Writer<'_> {
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
                let (kind, bases, public) = (Some(kind(around.kind)), around.bases.clone(), named_public(around));
                let (alias, aliases) = names(around);
                let inner = Entry { kind, alias, aliases, public, bases, ..Entry::default() };
                entry.within.insert(around.fqn.clone(), inner);
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
            summary: definition.summary.clone(),
            bases: definition.bases.clone(),
            decorators: definition.decorators.clone(),
            annotation: definition.annotation.clone(),
            value: definition.value.clone(),
            origins: origins(usage),
            ledger: ledger(&usage.ledger),
            ..Entry::default()
        };
        if let Some(signature) = &definition.signature {
            let arguments = arguments(signature, usage);
            *(if definition.kind == DefinitionKind::Class { &mut entry.init_args } else { &mut entry.args }) =
                Some(arguments);
            entry.receiver.clone_from(&signature.receiver);
            entry.returns.clone_from(&signature.returns);
            entry.is_async = signature.is_async;
            entry.is_synthesized = signature.is_synthesized;
            entry.argument_sets = argument_sets(signature, usage);
            entry.co_occurrence = co_occurrence(signature, usage);
        } else {
            entry.argument_sets = unbound_sets(usage);
        }
        for &member in &definition.members {
            let inner = self.index.definition(member);
            if !self.has_entry[member.index()] && inner.is_public && !entry.members.contains_key(&inner.name) {
                entry.members.insert(inner.name.clone(), self.member(inner));
            }
        }
        entry
    }
}

fn names(definition: &Definition) -> (Option<CompactString>, Vec<CompactString>) {
    ((definition.alias != definition.fqn).then(|| definition.alias.clone()), definition.aliases.clone())
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
    }
}

fn arguments(signature: &Signature, usage: &Usage) -> Arguments {
    let mut arguments = Arguments::new();
    for (position, parameter) in signature.parameters.iter().enumerate() {
        let row = usage.parameters.get(position).cloned().unwrap_or_default();
        let argument = Argument {
            required: parameter.required,
            freq: usage.frequency(position).map(|share| (share * 1e4).round() / 1e4),
            count: Some(row.count),
            unknown: row.unknown,
            positional: row.positional,
            kind: Some(match parameter.kind {
                ParameterKind::PositionalOnly => ArgumentKind::PositionalOnly,
                ParameterKind::Standard => ArgumentKind::Standard,
                ParameterKind::VarPositional => ArgumentKind::VarPositional,
                ParameterKind::KeywordOnly => ArgumentKind::KeywordOnly,
                ParameterKind::VarKeyword => ArgumentKind::VarKeyword,
            }),
            annotation: parameter.annotation.clone(),
            default: parameter.default.clone(),
            values: row.values.iter().cloned().collect(),
        };
        // A name that stands in a signature twice is not Python; the first is kept.
        arguments.entry(parameter.name.clone()).or_insert(argument);
    }
    arguments
}

fn argument_sets(signature: &Signature, usage: &Usage) -> Vec<Set> {
    let name = |position: usize| signature.parameters.get(position).map(|p| p.name.clone());
    let sets = usage.argument_sets.iter();
    sets.map(|set| Set { args: set.parameters.iter().filter_map(name).collect(), calls: set.calls, open: set.open })
        .collect()
}

/// Without a signature nothing is bound: only whether something was passed is known.
fn unbound_sets(usage: &Usage) -> Vec<Set> {
    usage.argument_sets.iter().map(|set| Set { args: Vec::new(), calls: set.calls, open: set.open }).collect()
}

fn co_occurrence(signature: &Signature, usage: &Usage) -> Vec<Set> {
    let mut pairs = Vec::new();
    let passed: Vec<usize> = (0..usage.parameters.len()).filter(|&i| usage.parameters[i].count > 0).collect();
    for (i, &a) in passed.iter().enumerate() {
        for &b in &passed[i + 1..] {
            let calls = usage.together(a, b);
            if let (Some(first), Some(second), 1..) = (signature.parameters.get(a), signature.parameters.get(b), calls)
            {
                pairs.push(Set { args: vec![first.name.clone(), second.name.clone()], calls, open: false });
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
