//! Folds the facts of many sources into one index.

use std::sync::Arc;

use arcstr::ArcStr;
use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    keywords::KeywordCounts,
    rows::{
        AMBIGUOUS, CallRow, DefinitionName, LedgerFact, MembersKnown, Overload, ReadFact, UNKNOWN_RECEIVER, numbers,
        parameter_keys,
    },
};
use crate::{
    index::{
        Definition, Index,
        counts::{UnknownReceiverCalls, UnusedUsages, set_usages},
        metadata::{Part, PartEntry, PartHeader, join},
        source_usages::SourceUsages,
    },
    usage::{self, Ledger, PassedArguments, Usage, UsageCounter, worth_of_reads},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    program::{CallId, DefinitionId, FileId, OverloadChoice, ParameterSet, TakenMembers},
    source::{Origin, Roots},
};

/// The error of a fold. Its message is one line with a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// The header or an entry of a source has a form that this version of the program does not read.
    #[error("the facts of `{source_name}` cannot be read: {why}; make them anew with `apidisc-tui facts`")]
    Form {
        /// The name of the source.
        source_name: String,
        /// The problem, without control characters.
        why: String,
    },
    /// A source was indexed alone, so it has no name, but there are other sources.
    #[error(
        "a source was indexed alone, without a name; list all sources in one file and make their facts with --config"
    )]
    Nameless,
    /// A call, a read or the ledger names a definition of a source without facts.
    #[error("calls name definitions of `{0}`, of which there are no facts; make them with `apidisc-tui facts`")]
    MissingSource(String),
    /// The ledger of a source has a number that this version of the program does not know.
    #[error("the ledger has the unknown number `{0}`; make the facts anew with `apidisc-tui facts`")]
    UnknownNumber(String),
    /// Two parts contain the same source, at different commits.
    #[error("there are facts of two commits of `{0}`; remove those of one")]
    TwoCommits(String),
}

/// The definitions of a source, added one after the other.
#[derive(Debug)]
pub struct FoldPart {
    /// The name of the source in facts.
    source: CompactString,
    part: Part,
}

impl FoldPart {
    /// A part without definitions. `header` is the text of [`Facts::header`](super::Facts::header).
    ///
    /// # Errors
    /// [`FoldError::Form`].
    pub fn new(source: &str, header: &str) -> Result<Self, FoldError> {
        let header = PartHeader::from_json(header).map_err(|why| form(source, &why.to_string()))?;
        Ok(Self { source: source.into(), part: Part { header, entries: Vec::new() } })
    }

    /// The folder of the source in paths of the index; empty if it was indexed alone.
    pub fn folder(&self) -> &str {
        self.part.header.name()
    }

    /// Adds a definition with its entry: see [`DefinitionFact::entry`](super::DefinitionFact::entry).
    ///
    /// # Errors
    /// [`FoldError::Form`].
    pub fn add(&mut self, fqn: &str, entry: &str) -> Result<(), FoldError> {
        let entry = PartEntry::from_json(fqn, entry).map_err(|why| form(&self.source, &why.to_string()))?;
        self.part.entries.push(entry);
        Ok(())
    }
}

fn form(source: &str, why: &str) -> FoldError {
    FoldError::Form { source_name: source.escape_debug().to_string(), why: why.escape_debug().to_string() }
}

/// A fold: an index of all definitions, and the counts of the calls and reads that have been added.
pub struct Fold {
    pub(super) index: Index,
    /// The keywords that calls pass beyond the declared parameters, until [`Fold::name_keywords`] adds them to the
    /// signatures.
    pub(super) keywords: FxHashMap<DefinitionId, KeywordCounts>,
    /// The definitions of each FQN: for each the position of its source, its number and its id.
    by_name: FxHashMap<ArcStr, Vec<(u32, u32, DefinitionId)>>,
    sources: FxHashMap<CompactString, u32>,
    counters: FxHashMap<DefinitionId, DefinitionCounter>,
    /// The counters of members of public bases on classes that inherit them, by class and declaration.
    on_classes: FxHashMap<(DefinitionId, DefinitionId), DefinitionCounter>,
    ambiguous: FxHashMap<DefinitionId, u32>,
    unknown_receiver_calls: UnknownReceiverCalls,
    roots: Roots,
    place: LastUse,
    lost: u32,
}

/// The index of all facts.
#[derive(Debug)]
pub struct Folded {
    /// The index. It has no call sites, like an index that was read from a file, and no typical calls.
    pub index: Index,
    /// The number of uses that are not counted because their definition does not exist: the source of the use was
    /// linked with another commit of the source that defines it.
    pub lost: u32,
}

/// The source and file of the last use. Consecutive uses with equal paths and origins belong to one file.
#[derive(Default)]
struct LastUse {
    path: CompactString,
    origin: Option<Origin>,
    /// The position of the source in [`Index::sources`].
    source: u32,
    /// The number of the file.
    file: usize,
    /// The number of uses so far.
    uses: usize,
}

/// The counts of the uses of one definition or inherited member, on all classes or on one class.
struct DefinitionCounter {
    /// The positions of parameters by their keys.
    keys: FxHashMap<CompactString, usize>,
    /// The positions of the members of the result by their names.
    members: FxHashMap<ArcStr, usize>,
    /// The number of overloads.
    overloads: usize,
    /// The usages in the sources whose uses have all been added.
    done: Vec<(u32, Usage)>,
    source: u32,
    present: SourceCounter,
}

/// The counts of one definition or inherited member in one source.
struct SourceCounter {
    calls: UsageCounter,
    reads: u32,
    read_origins: [u32; 4],
    /// The reads in each file.
    files: Vec<u32>,
    last_file: Option<usize>,
}

impl Fold {
    /// Starts a fold with the definitions of all sources.
    ///
    /// # Errors
    /// [`FoldError`] if the parts do not fit together.
    pub fn new(mut parts: Vec<FoldPart>) -> Result<Self, FoldError> {
        // Files of an index are ordered by path, and paths begin with the name of the source.
        parts.sort_by_cached_key(|part| format!("{}/", part.folder()));
        if parts.len() > 1 && parts.iter().any(|part| part.folder().is_empty()) {
            return Err(FoldError::Nameless);
        }
        if let Some(pair) = parts.windows(2).find(|pair| pair[0].source == pair[1].source) {
            return Err(FoldError::TwoCommits(pair[0].source.escape_debug().to_string()));
        }
        let roots = Roots::of_names(parts.iter().map(|part| part.folder().into()));
        let sources = parts.iter().zip(0..).map(|(part, at)| (part.source.clone(), at)).collect();
        let index = join(parts.into_iter().map(|part| part.part).collect()).map_err(|why| form("a source", &why))?;
        let mut by_name: FxHashMap<ArcStr, Vec<(u32, u32, DefinitionId)>> = FxHashMap::default();
        for ((id, definition), number) in index.definitions_with_ids().zip(numbers(&index)) {
            let source = index.file(definition.place.file).source;
            by_name.entry(definition.fqn.clone()).or_default().push((source, number, id));
        }
        Ok(Self {
            index,
            keywords: FxHashMap::default(),
            by_name,
            sources,
            counters: FxHashMap::default(),
            on_classes: FxHashMap::default(),
            ambiguous: FxHashMap::default(),
            unknown_receiver_calls: UnknownReceiverCalls::default(),
            roots,
            place: LastUse::default(),
            lost: 0,
        })
    }

    pub(super) fn find(&mut self, name: DefinitionName<'_>) -> Result<Option<DefinitionId>, FoldError> {
        let missing = || FoldError::MissingSource(name.source.escape_debug().to_string());
        let source = *self.sources.get(name.source).ok_or_else(missing)?;
        let same = self.by_name.get(name.fqn).into_iter().flatten();
        let found = same.filter(|(of, ..)| *of == source).find(|(_, number, _)| *number == name.number);
        Ok(found.map(|(.., id)| *id))
    }

    /// The inherited member of the class with the FQN `class` whose declaration is `declaration`.
    fn inherited(&self, declaration: DefinitionId, class: &str) -> Option<DefinitionId> {
        let classes = self.by_name.get(class)?.iter().map(|(.., id)| *id);
        classes
            .flat_map(|class| self.index.inherited_members(class))
            .find(|&id| self.index.declaration(id) == declaration)
    }

    /// The called constant with this FQN.
    fn called_constant(&self, fqn: &str) -> Option<DefinitionId> {
        let mut constants = self.by_name.get(fqn)?.iter().map(|(.., id)| *id);
        constants.find(|id| self.index.definition(*id).modifiers.is_constant)
    }

    /// The class with this FQN; if several classes have the FQN, preferably one that derives from the class of
    /// `declaration`.
    fn class_with(&self, declaration: DefinitionId, fqn: &str) -> Option<DefinitionId> {
        let base = self.index.definition(declaration).parent?;
        let derives = |class: &DefinitionId| self.index.definition(*class).ancestors.contains(&base);
        self.by_name.get(fqn)?.iter().map(|(.., id)| *id).min_by_key(|class| !derives(class))
    }

    /// Adds a call. The calls of a source must be added in the order in which [`Facts::calls`](super::Facts::calls)
    /// visits them, and the sources in the order of their folders, each followed by `/`.
    ///
    /// # Errors
    /// [`FoldError::MissingSource`].
    pub fn add_call(&mut self, row: &CallRow<'_>) -> Result<(), FoldError> {
        let Some(callee) = row.call.callee else { return Ok(()) };
        let Some(id) = self.find(callee)? else {
            self.lost += 1;
            return Ok(());
        };
        self.enter(row.call.path, row.call.origin);
        let (file, call) = (FileId::new(self.place.file), CallId::new(self.place.uses));
        let also = |fqn: &str| self.inherited(id, fqn).or_else(|| self.called_constant(fqn));
        let also = row.call.class.and_then(also);
        let classes: Vec<DefinitionId> = row.on_classes.iter().filter_map(|fqn| self.class_with(id, fqn)).collect();
        let on_classes = classes.into_iter().map(|class| (id, Some(class)));
        for (id, class) in [id].into_iter().chain(also).map(|id| (id, None)).chain(on_classes) {
            let counter = self.counter(id, class);
            let position = |key: &str| counter.keys.get(key).copied();
            let set = |keys: &[&str]| keys.iter().filter_map(|key| position(key)).collect::<ParameterSet>();
            let literals =
                row.literals.iter().filter_map(|literal| Some((position(literal.parameter)?, literal.text.as_str())));
            let choice = row.call.overload.filter(|overload| usize::from(overload.position) < counter.overloads);
            let taken = counter.taken(row);
            let passed = PassedArguments {
                passed: set(&row.params),
                positional: set(&row.positional),
                unknown: set(&row.unknown),
                literals: literals.collect(),
                // The call was linked with another commit of the definition if it passes an unknown parameter.
                open: row.call.open || row.params.iter().any(|key| position(key).is_none()),
                spread: row.call.spread,
                expects_error: row.call.expects_error,
                taken: taken.as_ref(),
                choice: choice.map(|Overload { position, is_certain }| {
                    if is_certain { OverloadChoice::Taken(position) } else { OverloadChoice::Open(position) }
                }),
            };
            counter.present.calls.add(&passed, call, file, row.call.origin as usize);
        }
        Ok(())
    }

    /// Adds a read. The reads of a source must be added in the order of [`Facts::reads`](super::Facts::reads), and the
    /// sources in the same order as for [`Self::add_call`].
    ///
    /// # Errors
    /// [`FoldError::MissingSource`].
    pub fn add_read(&mut self, read: &ReadFact<'_>) -> Result<(), FoldError> {
        let Some(id) = self.find(read.attribute)? else {
            self.lost += 1;
            return Ok(());
        };
        self.enter(read.path, read.origin);
        let file = self.place.file;
        let also = read.class.and_then(|class| self.inherited(id, class));
        let counted = [Some(id).filter(|_| read.counts), also.filter(|_| read.counts_for_class)];
        let classes: Vec<DefinitionId> = read.on_classes.iter().filter_map(|fqn| self.class_with(id, fqn)).collect();
        let on_classes = classes.into_iter().map(|class| (id, Some(class)));
        for (id, class) in counted.into_iter().flatten().map(|id| (id, None)).chain(on_classes) {
            let counter = &mut self.counter(id, class).present;
            counter.reads += 1;
            counter.read_origins[read.origin as usize] += 1;
            match counter.files.last_mut().filter(|_| counter.last_file == Some(file)) {
                Some(reads) => *reads += 1,
                None => counter.files.push(1),
            }
            counter.last_file = Some(file);
        }
        Ok(())
    }

    /// Adds a row of the ledger of the source with the name `source`.
    ///
    /// # Errors
    /// [`FoldError::MissingSource`] and [`FoldError::UnknownNumber`].
    pub fn add_ledger(&mut self, source: &str, row: &LedgerFact<'_>) -> Result<(), FoldError> {
        match (row.method, row.candidate) {
            (None, None) => {
                let unknown = || FoldError::UnknownNumber(row.what.escape_debug().to_string());
                *self.index.ledger.number_mut(row.what).ok_or_else(unknown)? += row.calls;
            }
            (Some(method), _) if row.what == UNKNOWN_RECEIVER => {
                let source = self.sources.get(source).copied().unwrap_or_default();
                self.unknown_receiver_calls.add(method, source, row.calls);
            }
            (_, Some(candidate)) if row.what == AMBIGUOUS => {
                if let Some(id) = self.find(candidate)? {
                    *self.ambiguous.entry(id).or_default() += row.calls;
                }
            }
            _ => return Err(FoldError::UnknownNumber(row.what.escape_debug().to_string())),
        }
        Ok(())
    }

    /// Sets the source and file of the next use.
    fn enter(&mut self, path: &str, origin: Origin) {
        let place = &mut self.place;
        if place.path != path || place.origin != Some(origin) {
            place.source = self.roots.position(path) as u32;
            (place.path, place.origin) = (path.into(), Some(origin));
            place.file += 1;
        }
        place.uses += 1;
    }

    /// The index of all facts.
    pub fn finish(self) -> Folded {
        let Self { mut index, mut counters, on_classes, ambiguous, unknown_receiver_calls, lost, .. } = self;
        let mut unused = UnusedUsages::default();
        let mut by_source = (index.sources.len() > 1).then(SourceUsages::default);
        let (mut usages, mut inherited): (Vec<Arc<Usage>>, Vec<Arc<Usage>>) = (Vec::new(), Vec::new());
        for (id, definition) in index.every_definition() {
            let declaration = index.declaration(id);
            let ledger = Ledger {
                ambiguous: ambiguous.get(&declaration).copied().unwrap_or_default(),
                unknown_receiver: unknown_receiver_calls.of(index.definition(declaration)),
                ..Ledger::default()
            };
            let usage = match counters.remove(&id) {
                None => unused.of(definition, ledger, [0; 4]),
                Some(counter) => {
                    let parts = counter.finish();
                    let mut usage = usage::sum(parts.iter().map(|(_, part)| (1, part)));
                    (usage.ledger.ambiguous, usage.ledger.unknown_receiver) =
                        (ledger.ambiguous, ledger.unknown_receiver);
                    if let Some(by_source) = &mut by_source {
                        by_source.add(id, parts);
                    }
                    Arc::new(usage)
                }
            };
            if id == declaration { usages.push(usage) } else { inherited.push(usage) }
        }
        set_usages(&mut index, usages, inherited);
        index.source_usages = by_source.map(Arc::new);
        let usages = index.within_limit(on_classes.into_iter().collect()).into_iter().map(|((class, id), counter)| {
            let mut usage = usage::sum(counter.finish().iter().map(|(_, part)| (1, part)));
            let ledger = &index.usage(id).ledger;
            (usage.ledger.ambiguous, usage.ledger.unknown_receiver) = (ledger.ambiguous, ledger.unknown_receiver);
            ((class, id), Arc::new(usage))
        });
        index.usages_on_classes = Some(Arc::new(usages.collect()));
        Folded { index, lost }
    }

    /// The counter of a definition, or of its uses on one class, switched to the present source: the next uses count
    /// for that source.
    fn counter(&mut self, id: DefinitionId, class: Option<DefinitionId>) -> &mut DefinitionCounter {
        let (definition, source) = (self.index.definition(id), self.place.source);
        let new = || DefinitionCounter::new(definition, source);
        let counter = match class {
            None => self.counters.entry(id).or_insert_with(new),
            Some(class) => self.on_classes.entry((class, id)).or_insert_with(new),
        };
        counter.enter(source, definition);
        counter
    }
}

impl DefinitionCounter {
    fn new(definition: &Definition, source: u32) -> Self {
        let keys = parameter_keys(definition).into_iter().zip(0..).collect();
        let (overloads, present) = (definition.overloads.len(), SourceCounter::new(definition));
        let result = definition.signature.as_ref().and_then(|signature| signature.result.as_ref());
        let names = result.into_iter().flat_map(|result| &result.members).map(|member| member.name.clone());
        Self { keys, members: names.zip(0..).collect(), overloads, done: Vec::new(), source, present }
    }

    /// The members of the result that the code around a call takes.
    fn taken(&self, row: &CallRow<'_>) -> Option<TakenMembers> {
        let members = row.members.iter().filter_map(|name| self.members.get(*name).copied()).collect();
        let is_open = row.call.members_known == MembersKnown::InPart;
        (row.call.members_known != MembersKnown::No).then_some(TakenMembers { members, is_open })
    }

    fn enter(&mut self, source: u32, definition: &Definition) {
        if self.source != source {
            let new = SourceCounter::new(definition);
            let present = std::mem::replace(&mut self.present, new);
            self.done.push((std::mem::replace(&mut self.source, source), present.finish()));
        }
    }

    /// The usages in the sources, ordered by source.
    fn finish(mut self) -> Vec<(u32, Usage)> {
        self.done.push((self.source, self.present.finish()));
        self.done.shared_sort_by_key(|(source, _)| *source);
        self.done
    }
}

impl SourceCounter {
    fn new(definition: &Definition) -> Self {
        let signature = definition.signature.as_deref();
        Self {
            calls: UsageCounter::new(signature, definition.overloads.len(), ParameterSet::new()),
            reads: 0,
            read_origins: [0; 4],
            files: Vec::new(),
            last_file: None,
        }
    }

    fn finish(self) -> Usage {
        let mut usage = self.calls.finish();
        usage.total_reads = self.reads;
        usage.worth_of_reads = worth_of_reads(self.files.into_iter().map(|reads| (reads, 1)));
        usage.origins.iter_mut().zip(self.read_origins).for_each(|(sum, reads)| *sum += reads);
        usage
    }
}
