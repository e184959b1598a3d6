//! The facts of a source as rows.

use arcstr::ArcStr;
use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    index::{
        Definition, Index, UsedAs,
        metadata::{PartHeader, entries, keys},
    },
    usage::{CallReader, Ledger, canonical_literal},
};
use apidisc_facts::{
    program::{
        CallId, CallSite, DefinitionId, FileId, OtherUse, OverloadChoice, ParameterSet, ReadId, Resolution,
        TakenMembers,
    },
    source::Origin,
};

/// The name of a definition, unique among the definitions of all sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionName<'a> {
    /// The FQN.
    pub fqn: &'a str,
    /// The name of the source that defines it.
    pub source: &'a str,
    /// The number of definitions with this FQN that precede the definition in its source, by path and line.
    pub number: u32,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct DefinitionFact<'a> {
    /// The name.
    pub name: DefinitionName<'a>,
    /// The shortest public name.
    pub alias: &'a str,
    /// The kind, as [`apidisc_facts::program::DefinitionKind::word`] names it.
    pub kind: &'static str,
    /// True for a part of the public API.
    pub is_public: bool,
    /// The path in the index.
    pub path: &'a str,
    /// The line of the name, from 1.
    pub line: u32,
    /// The keys of the parameters, in the order of the signature.
    pub parameters: Vec<CompactString>,
    /// The keys of the parameters that every call has to pass.
    pub required: Vec<CompactString>,
    /// The whole declaration as JSON: the entry of `api_metadata.yaml`, without uses. `None` if the entry of the
    /// surrounding class contains the declaration.
    pub entry: Option<String>,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub struct CallFact<'a> {
    /// The path in the index.
    pub path: &'a str,
    /// The line of the callee's name, from 1.
    pub line: u32,
    /// The column, from 0, in UTF-8 bytes.
    pub col: u32,
    /// The part of the repository.
    pub origin: Origin,
    /// The FQN of the function around the call, or of the module.
    pub caller: &'a str,
    /// The form of the callee, as [`apidisc_facts::program::CallForm::word`] names it.
    pub form: &'a str,
    /// `resolved`, `ambiguous`, or why the call is unresolved.
    pub resolution: &'a str,
    /// The definition that a resolved call counts for.
    pub callee: Option<DefinitionName<'a>>,
    /// The public name of that definition.
    pub alias: Option<&'a str>,
    /// The FQN of the class whose inherited member the call also counts for, or of the constant that holds the callee.
    pub class: Option<&'a str>,
    /// The FQN of the constant by which the call reaches the callee: see [`Index::reached_through`].
    pub through: Option<&'a str>,
    /// True if the call has a spread.
    pub spread: bool,
    /// True if the call may pass more than is visible: see [`crate::usage::ArgumentSet::open`].
    pub open: bool,
    /// True if the code around the call expects that it fails. A parameter that only such calls pass counts as never
    /// passed, unless it is required.
    pub expects_error: bool,
    /// The overload that the call takes.
    pub overload: Option<Overload>,
    /// Whether it is known which members of the result the code around the call takes.
    pub members_known: MembersKnown,
}

/// Whether it is known which members of its result the code around a call takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MembersKnown {
    /// Nothing is known of them.
    #[default]
    No,
    /// It takes the known ones, and may take others.
    InPart,
    /// It takes the known ones and no others.
    Yes,
}

/// The overload that a call takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overload {
    /// The position among the overloads.
    pub position: u16,
    /// True if no other overload may accept the arguments.
    pub is_certain: bool,
}

/// A literal that a call passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal<'a> {
    /// The key of the parameter.
    pub parameter: &'a str,
    /// The literal in its canonical spelling: see [`crate::usage::canonical_literal`].
    pub text: CompactString,
}

/// A call with the parameters and literals that it passes. Parameters have the keys of `api_metadata.yaml`.
#[derive(Clone, Debug)]
pub struct CallRow<'a> {
    /// The call.
    pub call: CallFact<'a>,
    /// The parameters that are passed.
    pub params: Vec<&'a str>,
    /// The parameters that are passed by position: a part of `params`.
    pub positional: Vec<&'a str>,
    /// The parameters that the call may pass in a way that is not visible.
    pub unknown: Vec<&'a str>,
    /// The literals that are passed.
    pub literals: Vec<Literal<'a>>,
    /// The names of the members of the result that the code around the call takes.
    pub members: Vec<&'a str>,
    /// The FQNs of the public classes that inherit the called member from a public base, and on which the call is made:
    /// the class of the receiver and those between it and the base.
    pub on_classes: Vec<&'a str>,
}

/// A read of an attribute.
#[derive(Clone, Debug)]
pub struct ReadFact<'a> {
    /// The path in the index.
    pub path: &'a str,
    /// The line of the attribute's name, from 1.
    pub line: u32,
    /// The column, from 0, in UTF-8 bytes.
    pub col: u32,
    /// The part of the repository.
    pub origin: Origin,
    /// The FQN of the function around the read, or of the module.
    pub reader: &'a str,
    /// The attribute.
    pub attribute: DefinitionName<'a>,
    /// The FQN of the class whose inherited attribute the read also counts for.
    pub class: Option<&'a str>,
    /// The FQN of the constant whose value has the attribute.
    pub through: Option<&'a str>,
    /// True for the first read of the attribute in a function or module body: only this read is counted.
    pub counts: bool,
    /// True for the first read of the inherited attribute in a function or module body: only this read is counted.
    pub counts_for_class: bool,
    /// The FQNs of the public classes that inherit the attribute from a public base, and for which this is the first
    /// read of the attribute in a function or module body.
    pub on_classes: Vec<&'a str>,
}

/// A use that is neither a call nor a read: see [`apidisc_facts::program::OtherUse`].
#[derive(Clone, Debug)]
pub struct UseFact<'a> {
    /// The path in the index.
    pub path: &'a str,
    /// The line of the name, from 1.
    pub line: u32,
    /// The column, from 0, in UTF-8 bytes.
    pub col: u32,
    /// The part of the repository.
    pub origin: Origin,
    /// The FQN of the function or class around the use, or of the module.
    pub user: &'a str,
    /// The definition that is named.
    pub definition: DefinitionName<'a>,
    /// What the code does with it, as [`apidisc_facts::program::UseKind::word`] names it.
    pub kind: &'static str,
    /// What takes, holds or is decorated by the definition, with the parameter and the key.
    pub used_as: UsedAs<'a>,
}

/// A number of the ledger: the sum of a field, or the part of the field for one method or candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerFact<'a> {
    /// The name of the field of [`Ledger`].
    pub what: &'a str,
    /// The name of the called method, in a part of `unknown_receiver`.
    pub method: Option<&'a str>,
    /// The candidate, in a part of `ambiguous`. A call is in the part of each of its candidates.
    pub candidate: Option<DefinitionName<'a>>,
    /// The number of calls.
    pub calls: u32,
}

/// The names of the members of the result of a call that the code around the call takes.
fn taken_members<'a>(callee: Option<&'a Definition>, taken: Option<&TakenMembers>) -> Vec<&'a str> {
    let result = callee.and_then(|callee| callee.signature.as_ref()?.result.as_ref());
    let member = |at: usize| Some(result?.members.get(at)?.name.as_str());
    taken.into_iter().flat_map(|taken| taken.members.iter()).filter_map(member).collect()
}

/// The facts of an index. They count every call once, whatever the weights of the index.
pub struct Facts<'a> {
    index: &'a Index,
    /// The name of a source that was indexed alone.
    alone: &'a str,
    /// Per definition, the number in its name.
    numbers: Vec<u32>,
    /// The entries of definitions, for those that have one.
    entries: FxHashMap<DefinitionId, String>,
}

impl<'a> Facts<'a> {
    /// The facts of an index that was made from sources. `alone` is the name of a source that was indexed alone, since
    /// such a source has no name in the index.
    ///
    /// # Errors
    /// An error if a declaration cannot be serialized, which happens for no known index.
    pub fn new(index: &'a Index, alone: &'a str) -> Result<Self, serde_json::Error> {
        let entries = entries(&index.without_uses())?.into_iter().collect();
        Ok(Self { index, alone, numbers: numbers(index), entries })
    }

    /// The facts of a source as a whole, as JSON: its modules, contents and counts.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn header(&self, source: u32) -> Result<String, serde_json::Error> {
        PartHeader::of(self.index, source).to_json()
    }

    fn name(&self, id: DefinitionId) -> DefinitionName<'a> {
        let definition = self.index.definition(id);
        let source = self.index.file(definition.place.file).source as usize;
        let source = self.index.sources.get(source).map(|source| source.name.as_str());
        let source = source.filter(|name| !name.is_empty()).unwrap_or(self.alone);
        DefinitionName { fqn: &definition.fqn, source, number: self.numbers[id.index()] }
    }

    /// The definitions of a source, by path and line.
    pub fn definitions(&self, source: u32) -> impl Iterator<Item = DefinitionFact<'a>> {
        let ids = (0..self.index.definitions.len()).map(DefinitionId::new);
        ids.filter(move |&id| self.source_of(self.index.definition(id).place.file) == source).map(move |id| {
            let definition = self.index.definition(id);
            let keys = parameter_keys(definition);
            let parameters = definition.signature.iter().flat_map(|signature| signature.parameters.iter());
            let required = parameters.zip(&keys).filter(|(parameter, _)| parameter.required);
            DefinitionFact {
                name: self.name(id),
                alias: &definition.alias,
                kind: definition.kind.word(),
                is_public: definition.is_public,
                path: &self.index.file(definition.place.file).path,
                line: definition.place.line,
                required: required.map(|(_, key)| key.clone()).collect(),
                parameters: keys,
                entry: self.entries.get(&id).cloned(),
            }
        })
    }

    /// Calls `visit` for every call site of a source, in the order of callee, path, line and column.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn calls<E>(&self, source: u32, mut visit: impl FnMut(&CallRow<'_>) -> Result<(), E>) -> Result<(), E> {
        let index = self.index;
        let ids = (0..index.calls.len()).map(CallId::new);
        let mut ids: Vec<CallId> = ids.filter(|&id| self.source_of(index.call(id).file) == source).collect();
        let callee = |id: CallId| index.call(id).resolution.definition();
        ids.sort_by_cached_key(|&id| (callee(id).map(|id| self.name(id)), resolution(index.call(id)), id));
        for group in ids.chunk_by(|&a, &b| callee(a) == callee(b)) {
            let Some(&first) = group.first() else { continue };
            let definition = callee(first).map(|id| index.definition(id));
            let keys = definition.map(parameter_keys).unwrap_or_default();
            let reader = definition
                .map(|definition| CallReader::new(definition.signature.as_deref(), definition.overloads.len()));
            for &id in group {
                let passed = reader.as_ref().map(|reader| reader.read(&index.calls, id)).unwrap_or_default();
                let named = |set: &ParameterSet| set.iter().filter_map(|at| Some(keys.get(at)?.as_str())).collect();
                let literal = |(at, text): &(usize, &str)| {
                    Some(Literal { parameter: keys.get(*at)?, text: canonical_literal(text) })
                };
                let overload = passed.choice.map(|choice| match choice {
                    OverloadChoice::Taken(position) => Overload { position, is_certain: true },
                    OverloadChoice::Open(position) => Overload { position, is_certain: false },
                });
                let members_known = match passed.taken {
                    None => MembersKnown::No,
                    Some(taken) if taken.is_open => MembersKnown::InPart,
                    Some(_) => MembersKnown::Yes,
                };
                visit(&CallRow {
                    call: CallFact {
                        spread: passed.spread,
                        open: passed.open,
                        overload,
                        members_known,
                        ..self.call(index.call(id))
                    },
                    members: taken_members(definition, passed.taken),
                    params: named(&passed.passed),
                    positional: named(&passed.positional),
                    unknown: named(&passed.unknown),
                    literals: passed.literals.iter().filter_map(literal).collect(),
                    on_classes: self.classes_of_call(index.call(id)),
                })?;
            }
        }
        Ok(())
    }

    fn call(&self, call: &CallSite) -> CallFact<'a> {
        let index = self.index;
        let file = index.file(call.file);
        let callee = call.resolution.definition();
        let class = index.inherited_callee(call).and_then(|id| index.definition(id).parent);
        let class = class.or_else(|| index.called_constant(call));
        let name = |id: DefinitionId| index.definition(id).fqn.as_str();
        CallFact {
            path: &file.path,
            line: call.line,
            col: call.col,
            origin: file.origin,
            caller: self.surroundings(call.file, call.caller),
            form: call.syntax.form.word(),
            resolution: resolution(call),
            callee: callee.map(|id| self.name(id)),
            alias: callee.map(|id| index.definition(id).alias.as_str()),
            class: class.map(name),
            through: index.reached_through(call).map(name),
            spread: false,
            open: false,
            expects_error: call.syntax.expects_error,
            overload: None,
            members_known: MembersKnown::No,
        }
    }

    fn classes_of_call(&self, call: &CallSite) -> Vec<&'a str> {
        let index = self.index;
        let Some(declaration) = call.resolution.definition() else { return Vec::new() };
        let classes = index.classes_of_use(declaration, index.inherited_callee(call), call.receiver);
        classes.map(|class| index.definition(class).fqn.as_str()).collect()
    }

    /// The reads of a source: by attribute, then by path, line and column.
    pub fn reads(&self, source: u32) -> impl Iterator<Item = ReadFact<'a>> {
        let index = self.index;
        let ids = (0..index.reads.len()).map(ReadId::new);
        let mut ids: Vec<ReadId> = ids.filter(|&id| self.source_of(index.read(id).file) == source).collect();
        ids.sort_by_cached_key(|&id| (self.name(index.read(id).attribute), id));
        let mut readers = FxHashSet::default();
        let mut readers_on_class = FxHashSet::default();
        ids.into_iter().map(move |id| {
            let read = index.read(id);
            let file = index.file(read.file);
            let inherited = index.inherited_attribute(read);
            let class = inherited.and_then(|id| index.definition(id).parent);
            let name = |id: DefinitionId| index.definition(id).fqn.as_str();
            let classes = index.classes_of_use(read.attribute, inherited, read.receiver);
            let first = classes.filter(|&c| readers_on_class.insert((read.file, read.reader, c, read.attribute)));
            ReadFact {
                path: &file.path,
                line: read.line,
                col: read.col,
                origin: file.origin,
                reader: self.surroundings(read.file, read.reader),
                attribute: self.name(read.attribute),
                class: class.map(name),
                through: read.through.map(name),
                counts: readers.insert((read.file, read.reader, read.attribute)),
                counts_for_class: inherited.is_some_and(|id| readers.insert((read.file, read.reader, id))),
                on_classes: first.map(|class| index.definition(class).fqn.as_str()).collect(),
            }
        })
    }

    /// The uses of a source that are neither calls nor reads: by definition, then by path, line and column.
    pub fn uses(&self, source: u32) -> impl Iterator<Item = UseFact<'a>> {
        let index = self.index;
        let all = index.other_uses.all().iter();
        let mut uses: Vec<&'a OtherUse> = all.filter(|found| self.source_of(found.file) == source).collect();
        uses.sort_by_cached_key(|found| self.name(found.definition));
        uses.into_iter().map(move |found| {
            let file = index.file(found.file);
            UseFact {
                path: &file.path,
                line: found.line,
                col: found.col,
                origin: file.origin,
                user: self.surroundings(found.file, found.user),
                definition: self.name(found.definition),
                kind: found.kind.word(),
                used_as: index.used_as(found),
            }
        })
    }

    /// The ledger of a source: its sums, then the calls on receivers of unknown type by method, and the ambiguous calls
    /// by candidate.
    pub fn ledger(&self, source: u32) -> Vec<LedgerFact<'a>> {
        let index = self.index;
        let (mut sum, mut candidates) = (Ledger::default(), FxHashMap::<DefinitionId, u32>::default());
        for call in index.calls.iter().filter(|call| self.source_of(call.file) == source) {
            sum.add(&index.calls, call);
            if let Resolution::Ambiguous(_) = call.resolution {
                index.calls.candidates(call).iter().for_each(|&id| *candidates.entry(id).or_default() += 1);
            }
        }
        let row = |(what, calls)| LedgerFact { what, method: None, candidate: None, calls };
        let mut rows: Vec<LedgerFact<'a>> = sum.numbers().into_iter().map(row).collect();
        rows.extend(index.unknown_receiver_calls.of_source(source).into_iter().map(|(name, calls)| LedgerFact {
            what: UNKNOWN_RECEIVER,
            method: Some(name),
            candidate: None,
            calls,
        }));
        let mut candidates: Vec<_> = candidates.into_iter().map(|(id, calls)| (self.name(id), calls)).collect();
        candidates.sort_unstable();
        rows.extend(candidates.into_iter().map(|(name, calls)| LedgerFact {
            what: AMBIGUOUS,
            method: None,
            candidate: Some(name),
            calls,
        }));
        rows
    }

    fn source_of(&self, file: FileId) -> u32 {
        self.index.file(file).source
    }

    /// The FQN of the function around a site, or of the module.
    fn surroundings(&self, file: FileId, function: Option<DefinitionId>) -> &'a str {
        match function {
            Some(id) => &self.index.definition(id).fqn,
            None => &self.index.module(self.index.file(file).module).fqn,
        }
    }
}

pub(super) const AMBIGUOUS: &str = "ambiguous";
pub(super) const UNKNOWN_RECEIVER: &str = "unknown_receiver";

/// Per definition, how many definitions of its source with its FQN precede it.
pub(super) fn numbers(index: &Index) -> Vec<u32> {
    let mut counts: FxHashMap<(u32, &ArcStr), u32> = FxHashMap::default();
    let number = |definition: &'_ Definition| index.file(definition.place.file).source;
    let mut numbers = Vec::with_capacity(index.definitions.len());
    for definition in &index.definitions {
        let count = counts.entry((number(definition), &definition.fqn)).or_default();
        numbers.push(*count);
        *count += 1;
    }
    numbers
}

/// The keys of a definition's parameters.
pub(super) fn parameter_keys(definition: &Definition) -> Vec<CompactString> {
    definition.signature.as_deref().map(keys).unwrap_or_default()
}

/// The word for the resolution of a call.
fn resolution(call: &CallSite) -> &'static str {
    match call.resolution {
        Resolution::Resolved(_) => "resolved",
        Resolution::Ambiguous(_) => AMBIGUOUS,
        Resolution::Unresolved(why) => why.word(),
    }
}
