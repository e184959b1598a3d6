//! A linked program to an [`Index`].

use std::iter;

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    CallId, Definition, DefinitionId, DefinitionKind, File, FileId, Index, Language, Module, ModuleId, Place,
    Signature, SourceMeta,
};
use crate::engine::{
    diagnostic::Diagnostic,
    link::{Callable, Candidate, ClassId, FieldRef, GlobalDef, LinkFile, Linked, Linker, bind},
    source::module_above,
    usage::{self, Argument, CallSite, Caller, Ledger, Origin, Resolution, Why},
};

/// Links `files`, sorted by path, and counts.
pub(crate) fn assemble(sources: Vec<SourceMeta>, files: &[LinkFile], mut diagnostics: Vec<Diagnostic>) -> Index {
    let mut linker = Linker::for_files(files);
    let linked = linker.link();
    diagnostics.sort();
    diagnostics.dedup();
    let mut assembly = Assembly::new(files, linker, linked);
    assembly.number_definitions();
    assembly.build_modules();
    assembly.build_definitions();
    assembly.build_calls();
    assembly.count();
    let mut index = assembly.index;
    index.sources = sources;
    index.diagnostics = diagnostics;
    index
}

/// What becomes a definition.
#[derive(Clone, Copy, Debug)]
enum Row {
    Def(GlobalDef),
    Field(FieldRef),
}

struct Assembly<'f> {
    files: &'f [LinkFile],
    linker: Linker<'f>,
    linked: Linked,
    rows: Vec<(FileId, Row)>,
    ids: FxHashMap<GlobalDef, DefinitionId>,
    /// Calls on receivers of unknown type, by the method's name.
    unknown_receivers: FxHashMap<CompactString, u32>,
    index: Index,
}

impl<'f> Assembly<'f> {
    fn new(files: &'f [LinkFile], linker: Linker<'f>, linked: Linked) -> Self {
        Self {
            files,
            linker,
            linked,
            rows: Vec::new(),
            ids: FxHashMap::default(),
            unknown_receivers: FxHashMap::default(),
            index: Index::default(),
        }
    }

    /// Gives every definition its place: by file, then by line.
    fn number_definitions(&mut self) {
        let mut rows = Vec::new();
        let mut repeated = Vec::new();
        for (i, _) in self.files.iter().enumerate() {
            let mut here: Vec<(u32, Row)> = self
                .linker
                .primaries_of(i)
                .into_iter()
                .filter(|&(def, primary)| {
                    if primary != def {
                        repeated.push((def, primary));
                    }
                    primary == def
                })
                .map(|(def, _)| (self.linker.line(def), Row::Def(def)))
                .chain(self.linked.fields[i].iter().map(|&field| (self.linker.field(field).line, Row::Field(field))))
                .collect();
            here.sort_by_key(|(line, _)| *line);
            rows.extend(here.into_iter().map(|(_, row)| (FileId::new(i), row)));
        }
        for (at, (_, row)) in rows.iter().enumerate() {
            if let Row::Def(def) = row {
                self.ids.insert(*def, DefinitionId::new(at));
            }
        }
        // Overloads, setters and definitions on other branches are the one that stands for them all.
        for (def, primary) in repeated {
            if let Some(&id) = self.ids.get(&primary) {
                self.ids.insert(def, id);
            }
        }
        self.rows = rows;
    }

    /// Builds the tree of modules from the names of the files'.
    fn build_modules(&mut self) {
        let mut names: Vec<CompactString> = Vec::new();
        for file in self.files {
            names.extend(iter::successors(Some(&*file.module), |name| module_above(name)).map(CompactString::new));
        }
        names.sort_unstable();
        names.dedup();
        let index = &mut self.index;
        for (i, fqn) in names.iter().enumerate() {
            index.module_names.insert(fqn.clone(), ModuleId::new(i));
        }
        index.modules = names
            .into_iter()
            .map(|fqn| {
                let parent = module_above(&fqn).and_then(|above| index.module_names.get(above).copied());
                Module {
                    fqn,
                    parent,
                    children: Vec::new(),
                    file: None,
                    is_package: false,
                    definitions: Vec::new(),
                    exports: Vec::new(),
                    total_calls: 0,
                }
            })
            .collect();
        for i in 0..index.modules.len() {
            if let Some(parent) = index.modules[i].parent {
                index.modules[parent.index()].children.push(ModuleId::new(i));
                index.modules[parent.index()].is_package = true;
            }
        }
        for (i, file) in self.files.iter().enumerate() {
            let id = index.module_names[&file.module];
            let module = &mut index.modules[id.index()];
            // Of a module and its `.pyi` the module itself is shown.
            if module.file.is_none() || !file.path.ends_with(".pyi") {
                module.file = Some(FileId::new(i));
            }
            module.is_package |= file.path.ends_with("/__init__.py");
            let mut exports: Vec<(CompactString, DefinitionId)> = self.linked.exports[i]
                .iter()
                .filter_map(|(name, def)| Some((name.clone(), *self.ids.get(def)?)))
                .collect();
            module.exports.append(&mut exports);
            module.exports.sort();
            module.exports.dedup_by(|a, b| a.0 == b.0);
            index.files.push(File {
                path: file.path.clone(),
                origin: file.origin,
                language: Language::Python,
                module: id,
            });
        }
    }

    fn build_definitions(&mut self) {
        for at in 0..self.rows.len() {
            let (file, row) = self.rows[at];
            let definition = match row {
                Row::Def(def) => self.definition(file, def),
                Row::Field(field) => self.field_definition(file, field),
            };
            self.index.definitions.push(definition);
        }
        // What holds a definition may stand after it: the last of several classes of one name holds the
        // members of all.
        for at in 0..self.index.definitions.len() {
            let id = DefinitionId::new(at);
            if let Some(parent) = self.index.definitions[at].parent {
                self.index.definitions[parent.index()].members.push(id);
            } else {
                let module = self.index.definitions[at].module;
                self.index.modules[module.index()].definitions.push(id);
            }
        }
        self.name_definitions();
    }

    fn place(&self, file: FileId, line: u32, end_line: u32) -> Place {
        let lines = self.files[file.index()].lines.as_deref();
        Place { file, line: line_in_file(lines, line), end_line: line_in_file(lines, end_line) }
    }

    fn definition(&mut self, file: FileId, def: GlobalDef) -> Definition {
        let row = self.linker.def(def);
        let parent = self.linked.parents[def.index()].and_then(|parent| self.ids.get(&parent).copied());
        let callable = &self.linked.callables[def.index()];
        let mut signature = callable.signature.clone();
        if let Some(signature) = &mut signature {
            for (parameter, by) in signature.parameters.iter_mut().zip(&callable.declared_by) {
                parameter.inherited_from = by.and_then(|class| self.class_definition(class));
            }
        }
        let fqn = self.linked.fqns[def.index()].clone();
        Definition {
            name: CompactString::new(fqn.rsplit('.').next().unwrap_or(&fqn)),
            alias: fqn.clone(),
            aliases: self.linked.aliases.get(&def).cloned().unwrap_or_default(),
            fqn,
            kind: self.linker.kind(def),
            language: Language::Python,
            module: self.index.files[file.index()].module,
            parent,
            members: Vec::new(),
            place: self.place(file, row.line, row.end_line),
            summary: row.summary.clone(),
            bases: row.class().map(|c| c.bases.iter().map(|(_, text)| text.clone()).collect()).unwrap_or_default(),
            decorators: row.decorators.iter().map(|(_, text)| text.clone()).filter(|t| !t.is_empty()).collect(),
            annotation: None,
            value: None,
            is_public: false,
            signature,
            usage: usage::Usage::default(),
        }
    }

    fn field_definition(&mut self, file: FileId, field: FieldRef) -> Definition {
        let parent = field.class.and_then(|class| self.class_definition(class));
        let row = self.linker.field(field);
        let name = CompactString::new(self.linker.field_name(field));
        let scope = match field.class {
            Some(class) => self.linked.fqns[self.linker.class_def(class).index()].clone(),
            None => self.files[file.index()].module.clone(),
        };
        let fqn = format_compact!("{scope}.{name}");
        let text =
            |source: &Option<(_, CompactString)>| source.as_ref().map(|(_, t)| t.clone()).filter(|t| !t.is_empty());
        Definition {
            alias: fqn.clone(),
            aliases: Vec::new(),
            fqn,
            name,
            kind: if parent.is_some() { DefinitionKind::Attribute } else { DefinitionKind::Constant },
            language: Language::Python,
            module: self.index.files[file.index()].module,
            parent,
            members: Vec::new(),
            place: self.place(file, row.line, row.line),
            summary: None,
            bases: Vec::new(),
            decorators: Vec::new(),
            signature: None,
            annotation: text(&row.annotation),
            value: text(&row.value),
            is_public: false,
            usage: usage::Usage::default(),
        }
    }

    fn class_definition(&self, class: ClassId) -> Option<DefinitionId> {
        self.ids.get(&self.linker.class_def(class)).copied()
    }

    /// Members are known by their class's further names too; then each gets its shortest public one.
    fn name_definitions(&mut self) {
        for at in self.outer_first() {
            if let Some(parent) = self.index.definitions[at].parent {
                let parent = &self.index.definitions[parent.index()];
                let in_class = parent.kind == DefinitionKind::Class;
                let names: Vec<CompactString> = if in_class { parent.aliases.clone() } else { Vec::new() };
                let parent_is_public = in_class && parent.is_public;
                let definition = &mut self.index.definitions[at];
                definition.aliases.extend(names.iter().map(|n| format_compact!("{n}.{}", definition.name)));
                definition.is_public = parent_is_public && is_public_part(&definition.name);
            } else {
                let definition = &mut self.index.definitions[at];
                definition.is_public = std::iter::once(&definition.fqn)
                    .chain(&definition.aliases)
                    .any(|name| name.split('.').all(is_public_part));
            }
            let definition = &self.index.definitions[at];
            let home = &self.index.modules[definition.module.index()].fqn;
            let key = |name: &CompactString| {
                let is_private = !name.split('.').all(is_public_part);
                (is_private, !definition.is_at_home(name, home), name.split('.').count(), name.len(), name.clone())
            };
            let shortest = std::iter::once(&definition.fqn).chain(&definition.aliases).min_by_key(|n| key(n));
            if let Some(shortest) = shortest.cloned() {
                self.index.definitions[at].alias = shortest;
            }
        }
        let index = &mut self.index;
        // A definition's own name comes before another's alias; of equal names the first in order.
        for (i, definition) in index.definitions.iter().enumerate() {
            index.names.entry(definition.fqn.clone()).or_insert(DefinitionId::new(i));
        }
        for (i, definition) in index.definitions.iter().enumerate() {
            for alias in &definition.aliases {
                index.names.entry(alias.clone()).or_insert(DefinitionId::new(i));
            }
        }
    }

    /// Positions of definitions, each after what holds it.
    fn outer_first(&self) -> Vec<usize> {
        let definitions = &self.index.definitions;
        let depth =
            |at: usize| std::iter::successors(definitions[at].parent, |p| definitions[p.index()].parent).count();
        let mut order: Vec<usize> = (0..definitions.len()).collect();
        order.sort_by_cached_key(|&at| depth(at));
        order
    }

    fn build_calls(&mut self) {
        for (i, file) in self.files.iter().enumerate() {
            let module = self.index.files[i].module;
            let mut here: Vec<CallSite> = Vec::new();
            for (site, resolved) in file.facts.calls.iter().zip(&self.linked.resolved[i]) {
                if site.line == 0 {
                    continue;
                }
                let candidates: Vec<DefinitionId> =
                    resolved.candidates.iter().filter_map(|c| self.ids.get(&c.def).copied()).collect();
                let resolution = match candidates[..] {
                    [] => Resolution::Unresolved(resolved.why),
                    [one] => Resolution::Resolved(one),
                    _ => self.ambiguous(&candidates),
                };
                let bounds = match self.bound_to(&resolution) {
                    Some(def) => {
                        let meant = |c: &&Candidate| self.ids.get(&c.def) == self.ids.get(&def);
                        let explicit_receiver =
                            resolved.candidates.iter().find(meant).is_some_and(|c| c.explicit_receiver);
                        bind(&file.facts, &site.arguments, &self.linked.callables[def.index()], explicit_receiver)
                    }
                    None => bind(&file.facts, &site.arguments, &Callable::default(), false),
                };
                let caller = site
                    .caller
                    .and_then(|def| self.ids.get(&self.linker.global_def(i, def)).copied())
                    .map_or(Caller::Module(module), Caller::Definition);
                if let Resolution::Unresolved(Why::UnknownReceiver) = resolution
                    && let Some(name) = file.facts.attribute_name(site.callee)
                {
                    *self.unknown_receivers.entry(CompactString::new(name)).or_default() += 1;
                }
                here.push(CallSite {
                    file: FileId::new(i),
                    line: line_in_file(file.lines.as_deref(), site.line),
                    col: site.col,
                    caller,
                    resolution,
                    form: site.form,
                    arguments: site
                        .arguments
                        .iter()
                        .zip(bounds)
                        .map(|(argument, bound)| Argument {
                            bound,
                            kind: argument.kind,
                            value: argument.literal.clone(),
                        })
                        .collect(),
                });
            }
            here.sort_by_key(|call| (call.line, call.col));
            self.index.calls.append(&mut here);
        }
    }

    /// The definition whose signature the arguments are bound to: what a call is counted for is not always
    /// the definition that was found, which another of its name may stand for.
    fn bound_to(&self, resolution: &Resolution) -> Option<GlobalDef> {
        let id = match resolution {
            Resolution::Resolved(id) => *id,
            Resolution::Ambiguous(ids) => *ids.first()?,
            Resolution::Unresolved(_) => return None,
        };
        match self.rows[id.index()].1 {
            Row::Def(def) => Some(def),
            Row::Field(_) => None,
        }
    }

    /// Definitions of one name on several branches are one definition: the last of them.
    fn ambiguous(&self, candidates: &[DefinitionId]) -> Resolution {
        let fqn = |id: &DefinitionId| &self.index.definitions[id.index()].fqn;
        let mut seen = FxHashSet::default();
        let mut distinct: smallvec::SmallVec<[DefinitionId; 2]> = smallvec::SmallVec::new();
        for id in candidates {
            if seen.insert(fqn(id)) {
                distinct.push(*id);
            } else if let Some(other) = distinct.iter_mut().find(|other| fqn(other) == fqn(id)) {
                *other = (*other).max(*id);
            }
        }
        match distinct[..] {
            [one] => Resolution::Resolved(one),
            _ => Resolution::Ambiguous(distinct),
        }
    }

    fn count(&mut self) {
        let index = &mut self.index;
        let mut calls: Vec<Vec<CallId>> = vec![Vec::new(); index.definitions.len()];
        let mut ambiguous = vec![0u32; index.definitions.len()];
        let mut ledger = Ledger::default();
        for (i, call) in index.calls.iter().enumerate() {
            ledger.add(call);
            match &call.resolution {
                Resolution::Resolved(id) => calls[id.index()].push(CallId::new(i)),
                Resolution::Ambiguous(ids) => ids.iter().for_each(|id| ambiguous[id.index()] += 1),
                Resolution::Unresolved(_) => {}
            }
        }
        index.ledger = ledger;
        let files = &index.files;
        let origin = |call: &CallSite| {
            let origin = files[call.file.index()].origin;
            Origin::ALL.iter().position(|o| *o == origin).unwrap_or(0)
        };
        for (i, own) in calls.into_iter().enumerate() {
            let definition = &mut index.definitions[i];
            let signature: Option<&Signature> = definition.signature.as_ref();
            let all = &index.calls;
            let mut usage = usage::count(signature, own.into_iter().map(|id| (id, &all[id.index()])), origin);
            usage.ledger.ambiguous = ambiguous[i];
            if definition.kind.is_callable() && definition.kind != DefinitionKind::Function {
                let unknown = self.unknown_receivers.get(&definition.name);
                usage.ledger.unknown_receiver = unknown.copied().unwrap_or_default();
            }
            definition.usage = usage;
        }
        let mut ranked: Vec<usize> = (0..index.definitions.len())
            .filter(|&i| index.definitions[i].kind.is_callable() && index.definitions[i].usage.total_calls > 0)
            .collect();
        ranked.sort_by(|&a, &b| {
            let (a, b) = (&index.definitions[a], &index.definitions[b]);
            b.usage.total_calls.cmp(&a.usage.total_calls).then_with(|| a.fqn.cmp(&b.fqn))
        });
        for (rank, i) in ranked.into_iter().enumerate() {
            index.definitions[i].usage.rank = rank as u32 + 1;
        }
        for definition in &index.definitions {
            let mut at = Some(definition.module);
            while let Some(module) = at {
                let row = &mut index.modules[module.index()];
                row.total_calls += definition.usage.total_calls;
                at = row.parent;
            }
        }
    }
}

/// The line of the file that a line of its text stands in.
fn line_in_file(lines: Option<&[u32]>, line: u32) -> u32 {
    match lines {
        Some(lines) => lines.get(line.saturating_sub(1) as usize).or(lines.last()).copied().unwrap_or(line),
        None => line,
    }
}

/// True for a part of a name that is meant for others: no leading `_`, but for `__init__` and its like. Before the
/// dot of a hidden folder, which nobody imports from, the part is empty.
fn is_public_part(part: &str) -> bool {
    !part.is_empty() && !part.starts_with('_') || (part.len() > 4 && part.starts_with("__") && part.ends_with("__"))
}
