//! Emits the result of linking: converts the tables of this folder to a [`LinkedProgram`].

use arcstr::ArcStr;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::{
    aliases::ModuleExports,
    analysis::{Analysis, FieldRef},
    bind::{ReceiverPassing, bind, bind_without_signature},
    explain,
    linker::Linker,
    module_constants::{HeldValue, ModuleConstant},
    other_uses::ResolvedMention,
    passed_keys::passed_keys,
    program::{ClassId, FileIndex, GlobalDef, GlobalName, LinkFile},
    protected::mark_protected,
    reached::Reached,
    reads::{AttributeDefinition, ResolvedRead},
    receiver_values::receiver_links,
    resolve::ResolvedCall,
    signatures::CallableSignature,
};
use crate::explanation::AskedCalls;
use crate::linked::{DefinitionRow, LinkedCall, LinkedFile, LinkedProgram, LinkedRead, SharedParts};
use crate::project_file::ProjectFile;
use apidisc_base::{control::StepCounter, language::Language, sort::SharedSort as _};
use apidisc_facts::{
    documents::Place,
    program::{Argument, BoundParameter, ReceiverLink, UnresolvedReason},
    source::Roots,
    syntax::python::facts::{CallExpr, CallExprId, FileFacts},
};

/// Links `files`, which are sorted by path; `roots` are those of the sources. The `project` files say where packages
/// are. The `asked` calls are explained. The result is empty if `steps` was cancelled.
pub fn link(
    files: &[LinkFile],
    project: &[ProjectFile],
    roots: &Roots,
    steps: StepCounter,
    asked: Option<&AskedCalls>,
) -> LinkedProgram {
    let mut linker = Linker::for_files(files, project, roots, steps);
    let analysis = linker.analyze();
    if linker.steps.is_cancelled() {
        return LinkedProgram::default();
    }
    let mut diagnostics = linker.hierarchy_diagnostics();
    diagnostics.extend(linker.limits.diagnostics(|file| Some(&files.get(file)?.path)));
    let used_names = linker.used_names();
    let explain = |asked| explain::explain(&mut linker, asked, &analysis.resolved, &analysis.fqns);
    let explanations = asked.map(explain).unwrap_or_default();
    let mut emitter = Emitter {
        files,
        rows: vec![None; analysis.fqns.len()],
        repeated: FxHashMap::default(),
        field_rows: FxHashMap::default(),
        constant_rows: FxHashMap::default(),
        linker,
        analysis,
        sources: Vec::new(),
        ancestors: Vec::new(),
    };
    emitter.assign_rows();
    emitter.name_keywords();
    emitter.find_ancestors();
    emitter.linker.forget_types();
    let files = emitter.emit_files();
    let packages = std::mem::take(&mut emitter.analysis.import_names);
    let mut definitions = emitter.emit_definitions();
    mark_protected(&mut definitions, &files);
    LinkedProgram { files, definitions, packages, used_names, diagnostics, explanations }
}

/// The facts that a linked definition is made from.
#[derive(Clone, Copy, Debug)]
pub(super) enum DefinitionSource {
    Def(GlobalDef),
    Field(FieldRef),
}

pub(super) struct Emitter<'f> {
    pub(super) files: &'f [LinkFile],
    pub(super) linker: Linker<'f>,
    pub(super) analysis: Analysis,
    /// File and facts of each definition, in the order of definition rows.
    pub(super) sources: Vec<(usize, DefinitionSource)>,
    /// The ancestors of each definition that is a class, in the order of definition rows.
    pub(super) ancestors: Vec<ThinVec<DefinitionRow>>,
    /// Definition rows by [`GlobalDef`]; `None` for lambdas.
    rows: Vec<Option<DefinitionRow>>,
    /// For each row of several definitions: the definitions other than the primary one, without overloads.
    pub(super) repeated: FxHashMap<DefinitionRow, Vec<GlobalDef>>,
    /// Definition rows of attributes.
    field_rows: FxHashMap<(ClassId, GlobalName), DefinitionRow>,
    /// Definition rows of constants.
    pub(super) constant_rows: FxHashMap<ModuleConstant, DefinitionRow>,
}

impl Emitter<'_> {
    /// Assigns definition rows: sorted by file, then by line.
    fn assign_rows(&mut self) {
        let mut repeated = Vec::new();
        let reached = self.linker.reached(&self.analysis);
        let linker = &self.linker;
        let primaries: Vec<_> = (0..self.files.len()).into_par_iter().map(|file| linker.primaries_of(file)).collect();
        for (file, primaries) in primaries.into_iter().enumerate() {
            if self.files[file].content.is_quoted() {
                continue;
            }
            let mut in_file: Vec<(u32, DefinitionSource)> = Vec::new();
            let is_installed = self.files[file].is_installed;
            for (def, primary) in primaries {
                if is_installed && !reached.definitions.contains(&primary) {
                    continue;
                }
                if primary == def {
                    in_file.push((self.linker.line(def), DefinitionSource::Def(def)));
                } else {
                    repeated.push((def, primary));
                }
            }
            let is_reached = |field: &&FieldRef| !is_installed || self.is_reached_field(field, &reached);
            let fields = self.analysis.fields[file].iter().filter(is_reached);
            in_file.extend(fields.map(|&field| (self.linker.field(field).line, DefinitionSource::Field(field))));
            in_file.shared_sort_by_key(|(line, _)| *line);
            for (_, source) in in_file {
                let row = DefinitionRow::new(self.sources.len());
                match source {
                    DefinitionSource::Def(def) => self.rows[def.index()] = Some(row),
                    DefinitionSource::Field(field) => {
                        let name = self.linker.field(field).name;
                        if let Some(class) = field.class {
                            let name = self.linker.program.global_name(field.file, name);
                            self.field_rows.insert((class, name), row);
                        } else {
                            self.constant_rows.insert((field.file, name), row);
                        }
                    }
                }
                self.sources.push((file, source));
            }
        }
        // Overloads, setters and definitions on other branches share the row of their primary definition.
        for (def, primary) in repeated {
            if let Some(row) = self.rows[primary.index()] {
                self.rows[def.index()] = Some(row);
                if !self.linker.program.is_decorated(def, &["overload"]) {
                    self.repeated.entry(row).or_default().push(def);
                }
            }
        }
    }

    /// True for an attribute of an installed class that the program reads.
    fn is_reached_field(&self, field: &FieldRef, reached: &Reached) -> bool {
        let name = self.linker.program.global_name(field.file, self.linker.field(*field).name);
        field.class.is_some_and(|class| reached.fields.contains(&(class, name)))
    }

    pub(super) fn row(&self, def: GlobalDef) -> Option<DefinitionRow> {
        self.rows[def.index()]
    }

    pub(super) fn class_row(&self, class: ClassId) -> Option<DefinitionRow> {
        self.row(self.linker.class_def(class))
    }

    /// Emits all files, in parallel because the analysis is complete.
    fn emit_files(&mut self) -> Vec<LinkedFile> {
        let exports = std::mem::take(&mut self.analysis.exports);
        let resolved = std::mem::take(&mut self.analysis.resolved);
        let reads = std::mem::take(&mut self.analysis.reads);
        let mentions = std::mem::take(&mut self.analysis.mentions);
        let results = exports.into_par_iter().zip(resolved).zip(reads).zip(mentions).enumerate();
        let emit =
            |(index, (((exports, resolved), reads), mentions)): (usize, (((_, Vec<_>), Vec<_>), Vec<_>))| LinkedFile {
                reads: self.emit_reads(index, &reads),
                requests: self.emit_requests(index),
                routes: self.emit_routes(index),
                ..self.emit_file(index, exports, &resolved, &mentions)
            };
        results.map(emit).collect()
    }

    fn emit_file(
        &self,
        index: usize,
        exports: ModuleExports,
        resolved: &[ResolvedCall],
        mentions: &[ResolvedMention],
    ) -> LinkedFile {
        let file = &self.files[index];
        let taken = &self.analysis.taken[index];
        // The calls take much memory, so their sites are sorted before they are made.
        let mut order: Vec<CallExprId> = (0..resolved.len()).map(CallExprId::new).collect();
        order.shared_sort_by_key(|site| place_of_call(file, &file.facts.calls[site.index()]));
        let mut shared = SharedParts::default();
        let call = |(site, receiver_link): (&CallExprId, ReceiverLink)| {
            let call = self.emit_call(index, site.index(), resolved, &mut shared);
            LinkedCall { overload: taken.get(&site.index()).copied(), receiver_link, ..call }
        };
        let mut calls: Vec<LinkedCall> = order.iter().zip(receiver_links(&file.facts, &order)).map(call).collect();
        self.add_taken_members(&file.facts, &order, &mut calls);
        LinkedFile {
            path: file.path.clone(),
            language: Language::Python,
            content: file.content,
            origin: file.origin,
            is_auxiliary: file.is_auxiliary,
            is_apart: file.is_auxiliary,
            is_internal: false,
            module: file.module.clone(),
            exports: exports.into_iter().filter_map(|(name, def)| Some((name, self.row(def)?))).collect(),
            uses: self.emit_uses(index, mentions, &order, &calls),
            calls,
            reads: Vec::new(),
            requests: Vec::new(),
            routes: Vec::new(),
        }
    }

    fn emit_reads(&self, file: usize, resolved: &[ResolvedRead]) -> Vec<LinkedRead> {
        let LinkFile { facts, places, .. } = &self.files[file];
        let emit = |read: &ResolvedRead| {
            let (attribute, declaring) = match read.attribute {
                AttributeDefinition::Property(def) => (self.row(def)?, self.linker.program.owner(def)),
                AttributeDefinition::Field(class, name) => (*self.field_rows.get(&(class, name))?, Some(class)),
            };
            let receiver = read.receiver.filter(|receiver| Some(*receiver) != declaring);
            let place = place_in_file(places.as_deref(), read.line);
            Some(LinkedRead {
                line: place.line,
                col: place.column + read.col,
                reader: read.reader.and_then(|def| self.row(self.linker.global_def(file, def))),
                attribute,
                receiver: receiver.and_then(|class| self.class_row(class)),
                through: read.through.and_then(|constant| self.constant_rows.get(&constant).copied()),
                form: facts.form(read.expr),
            })
        };
        let mut reads: Vec<LinkedRead> = resolved.iter().filter_map(emit).collect();
        reads.shared_sort_by_key(|read| (read.line, read.col));
        // The callee of `(x.f)()` is both a callee and a read.
        reads.dedup_by_key(|read| (read.line, read.col));
        reads
    }

    fn emit_call(&self, file: usize, at: usize, all: &[ResolvedCall], shared: &mut SharedParts) -> LinkedCall {
        let resolved = &all[at];
        let LinkFile { facts, .. } = &self.files[file];
        let site = &facts.calls[at];
        let mut candidates = self.candidate_rows(resolved);
        let bound = candidates.first().and_then(|&first| self.bind_call(FileIndex::new(file), site, resolved, first));
        let constant = self.analysis.constants.calls[file].get(&at);
        let mut through = constant.and_then(|constant| self.constant_rows.get(constant).copied());
        let unknown = constant.and_then(|constant| match self.analysis.constants.held.get(constant) {
            Some(HeldValue::Unknown(callable)) if candidates.is_empty() => Some(callable),
            _ => None,
        });
        let bounds = if let (Some(bound), Some(first)) = (bound, candidates.first_mut()) {
            *first = bound.row;
            bound.bounds
        } else if let (Some(callable), Some(row)) = (unknown, through.take_if(|_| unknown.is_some())) {
            candidates.push(row);
            bind(facts, &site.arguments, callable, ReceiverPassing::Implicit)
        } else {
            site.arguments.iter().map(|argument| bind_without_signature(facts, argument)).collect()
        };
        let receiver = match candidates[..] {
            [only] => self.inheriting_receiver(resolved, only),
            _ => None,
        };
        let forwarded = match candidates.first() {
            Some(&row) => self.forwarded_names(facts, site, row, &bounds),
            None => Vec::new(),
        };
        let mut forwarded = forwarded.into_iter();
        let arguments = site.arguments.iter().zip(bounds).map(|(argument, bound)| Argument {
            bound,
            forwarded: forwarded.next().flatten(),
            kind: argument.kind,
            value: facts.literal(argument).cloned().or_else(|| self.made_value(file, argument, all)),
            keys: None,
        });
        // Definitions in quoted code have no rows: a call that can only reach such definitions counts as a call of a
        // definition outside the sources.
        let is_own = candidates.is_empty() && !resolved.candidates.is_empty();
        let why = if is_own { UnresolvedReason::External } else { resolved.unresolved_reason };
        let is_method = candidates.is_empty() && why == UnresolvedReason::UnknownReceiver;
        let unknown_method = is_method.then(|| facts.attribute_name(site.callee)).flatten();
        let (line, col) = place_of_call(&self.files[file], site);
        let has_candidates = !candidates.is_empty();
        LinkedCall {
            line,
            col,
            caller: site.caller.and_then(|def| self.row(self.linker.global_def(file, def))),
            candidates,
            may_be_outside: resolved.may_be_outside,
            receiver,
            through,
            overload: None,
            taken: None,
            passed_keys: if has_candidates { passed_keys(facts, &site.arguments) } else { ThinVec::new() },
            why,
            syntax: site.syntax,
            receiver_link: ReceiverLink::default(),
            arguments: shared.arguments(&arguments.collect::<SmallVec<[Argument; 4]>>()),
            unknown_method: unknown_method.map(|name| shared.name(name)),
        }
    }

    /// The parameters of other functions to which the definition at `row` passes on the arguments of a call.
    fn forwarded_names(
        &self,
        facts: &FileFacts,
        site: &CallExpr,
        row: DefinitionRow,
        bounds: &[BoundParameter],
    ) -> Vec<Option<ArcStr>> {
        let DefinitionSource::Def(def) = self.sources[row.index()].1 else { return Vec::new() };
        let CallableSignature { signature, forwarded, .. } = &self.analysis.callables[def.index()];
        match (signature, forwarded) {
            (Some(signature), Some(forwarded)) => forwarded.names(facts, &site.arguments, bounds, signature),
            _ => Vec::new(),
        }
    }

    pub(super) fn candidate_rows(&self, resolved: &ResolvedCall) -> SmallVec<[DefinitionRow; 1]> {
        self.distinct_rows(resolved.candidates.iter().filter_map(|c| self.row(c.def)))
    }

    /// The function or class at a candidate's row, and how the call passes its receiver.
    pub(super) fn callee(&self, resolved: &ResolvedCall, row: DefinitionRow) -> Option<(GlobalDef, ReceiverPassing)> {
        let DefinitionSource::Def(def) = self.sources[row.index()].1 else { return None };
        let candidate = resolved.candidates.iter().find(|c| self.row(c.def) == Some(row));
        Some((def, candidate.map_or(ReceiverPassing::Implicit, |c| c.passing)))
    }

    /// The class of the receiver, if it inherits the called method, which is at `row`.
    fn inheriting_receiver(&self, resolved: &ResolvedCall, row: DefinitionRow) -> Option<DefinitionRow> {
        let candidate = resolved.candidates.iter().find(|c| self.row(c.def) == Some(row))?;
        let receiver = self.class_row(candidate.receiver?)?;
        let declaring = self.analysis.parents[candidate.def.index()].and_then(|parent| self.row(parent));
        (declaring != Some(receiver)).then_some(receiver)
    }

    /// Candidates without duplicates. Definitions of one name on several branches are one definition: the last one.
    fn distinct_rows(&self, candidates: impl Iterator<Item = DefinitionRow>) -> SmallVec<[DefinitionRow; 1]> {
        let mut distinct: SmallVec<[DefinitionRow; 1]> = SmallVec::new();
        for row in candidates {
            match distinct.iter_mut().find(|other| **other == row || self.fqn(**other) == self.fqn(row)) {
                Some(other) => *other = (*other).max(row),
                None => distinct.push(row),
            }
        }
        distinct
    }

    /// The fully qualified name of a function or class; empty for a field.
    pub(super) fn fqn(&self, row: DefinitionRow) -> &str {
        match self.sources[row.index()].1 {
            DefinitionSource::Def(def) => &self.analysis.fqns[def.index()],
            DefinitionSource::Field(_) => "",
        }
    }

    /// Sets the ancestors of all classes.
    fn find_ancestors(&mut self) {
        let of_source = |&(_, source): &(usize, DefinitionSource)| {
            let DefinitionSource::Def(def) = source else { return ThinVec::new() };
            let ancestors = self.linker.ancestors(def);
            let mut rows: ThinVec<DefinitionRow> =
                ancestors.into_iter().filter_map(|def| self.rows[def.index()]).collect();
            rows.dedup();
            rows.shrink_to_fit();
            rows
        };
        self.ancestors = self.sources.iter().map(of_source).collect();
    }
}

/// The line and the column of a call in its file.
fn place_of_call(file: &LinkFile, site: &CallExpr) -> (u32, u32) {
    let place = place_in_file(file.places.as_deref(), site.line);
    (place.line, place.column + site.col)
}

/// The place in the file of a line of the facts. The two differ in notebooks and in quoted code.
pub(super) fn place_in_file(places: Option<&[Place]>, line: u32) -> Place {
    let place = places.and_then(|places| places.get(line.saturating_sub(1) as usize).or(places.last()));
    place.copied().unwrap_or(Place { line, column: 0 })
}
