//! What linking hands on: rows of this folder's tables to those that every language has.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use rayon::prelude::*;
use smallvec::SmallVec;

use super::{
    aliases::ModuleExports,
    answers::{Analysis, FieldRef},
    bind::bind,
    infer::Linker,
    program::{ClassId, GlobalDef, LinkFile},
    resolve::ResolvedCall,
    signatures::CallableSignature,
};
use crate::{
    language::Language,
    link::linked::{DefinitionRow, LinkedCall, LinkedDefinition, LinkedFile, LinkedProgram},
    program::{Argument, DefinitionKind, Modifiers, UnresolvedReason},
    syntax::python::facts::Site,
};

/// Links `files`, which are sorted by path.
pub(crate) fn link(files: &[LinkFile]) -> LinkedProgram {
    let mut linker = Linker::for_files(files);
    let answers = linker.analyze();
    let mut hand_over = Emitter { files, rows: vec![None; answers.fqns.len()], linker, answers, items: Vec::new() };
    hand_over.number();
    let files = hand_over.files();
    LinkedProgram { files, definitions: hand_over.definitions(), packages: Vec::new(), diagnostics: Vec::new() }
}

/// What becomes a definition of its own.
#[derive(Clone, Copy, Debug)]
enum DefinitionSource {
    Def(GlobalDef),
    Field(FieldRef),
}

/// What is handed on of one definition alone.
#[derive(Default)]
struct OwnedParts {
    callable: CallableSignature,
    aliases: Vec<CompactString>,
    ancestors: Vec<DefinitionRow>,
}

struct Emitter<'f> {
    files: &'f [LinkFile],
    linker: Linker<'f>,
    answers: Analysis,
    /// In the order of rows, with their files.
    items: Vec<(usize, DefinitionSource)>,
    /// By [`GlobalDef`]; none for lambdas.
    rows: Vec<Option<DefinitionRow>>,
}

impl Emitter<'_> {
    /// Gives every definition its row: by file, then by line.
    fn number(&mut self) {
        let mut repeated = Vec::new();
        let linker = &self.linker;
        let primaries: Vec<_> = (0..self.files.len()).into_par_iter().map(|file| linker.primaries_of(file)).collect();
        for (file, primaries) in primaries.into_iter().enumerate() {
            let mut here: Vec<(u32, DefinitionSource)> = Vec::new();
            for (def, primary) in primaries {
                if primary == def {
                    here.push((self.linker.line(def), DefinitionSource::Def(def)));
                } else {
                    repeated.push((def, primary));
                }
            }
            let fields = self.answers.fields[file].iter();
            here.extend(fields.map(|&field| (self.linker.field(field).line, DefinitionSource::Field(field))));
            here.sort_by_key(|(line, _)| *line);
            for (_, item) in here {
                if let DefinitionSource::Def(def) = item {
                    self.rows[def.index()] = Some(DefinitionRow::new(self.items.len()));
                }
                self.items.push((file, item));
            }
        }
        // Overloads, setters and definitions on other branches are the one that stands for them all.
        for (def, primary) in repeated {
            if let Some(row) = self.rows[primary.index()] {
                self.rows[def.index()] = Some(row);
            }
        }
    }

    fn row(&self, def: GlobalDef) -> Option<DefinitionRow> {
        self.rows[def.index()]
    }

    fn class_row(&self, class: ClassId) -> Option<DefinitionRow> {
        self.row(self.linker.class_def(class))
    }

    /// All answers are there: each file is on its own now.
    fn files(&mut self) -> Vec<LinkedFile> {
        let exports = std::mem::take(&mut self.answers.exports);
        let resolved = std::mem::take(&mut self.answers.resolved);
        let answers = exports.into_par_iter().zip(resolved).enumerate();
        answers.map(|(at, (exports, resolved))| self.file(at, exports, &resolved)).collect()
    }

    fn file(&self, at: usize, exports: ModuleExports, resolved: &[ResolvedCall]) -> LinkedFile {
        let file = &self.files[at];
        let sites = file.facts.calls.iter().zip(resolved).filter(|(site, _)| site.line > 0);
        let mut calls: Vec<LinkedCall> = sites.map(|(site, resolved)| self.call(at, site, resolved)).collect();
        calls.sort_by_key(|call| (call.line, call.col));
        LinkedFile {
            path: file.path.clone(),
            language: Language::Python,
            origin: file.origin,
            module: file.module.clone(),
            exports: exports.into_iter().filter_map(|(name, def)| Some((name, self.row(def)?))).collect(),
            calls,
        }
    }

    fn call(&self, file: usize, site: &Site, resolved: &ResolvedCall) -> LinkedCall {
        let LinkFile { facts, lines, .. } = &self.files[file];
        let candidates = self.distinct(resolved.candidates.iter().filter_map(|c| self.row(c.def)));
        let outside = CallableSignature::default();
        let mut explicit_receiver = false;
        let mut callable = &outside;
        if let Some(&meant) = candidates.first()
            && let DefinitionSource::Def(def) = self.items[meant.index()].1
        {
            callable = &self.answers.callables[def.index()];
            let candidate = resolved.candidates.iter().find(|c| self.row(c.def) == Some(meant));
            explicit_receiver = candidate.is_some_and(|c| c.explicit_receiver);
        }
        let bounds = bind(facts, &site.arguments, callable, explicit_receiver);
        let arguments = site.arguments.iter().zip(bounds).map(|(argument, bound)| Argument {
            bound,
            kind: argument.kind,
            value: argument.literal.as_deref().map(ArcStr::from),
            keys: None,
        });
        let is_method = candidates.is_empty() && resolved.why == UnresolvedReason::UnknownReceiver;
        LinkedCall {
            line: line_in_file(lines.as_deref(), site.line),
            col: site.col,
            caller: site.caller.and_then(|def| self.row(self.linker.global_def(file, def))),
            candidates,
            why: resolved.why,
            form: site.form,
            arguments: arguments.collect(),
            unknown_method: is_method.then(|| facts.attribute_name(site.callee)).flatten().map(CompactString::new),
        }
    }

    /// Definitions of one name on several branches are one definition: the last of them.
    fn distinct(&self, candidates: impl Iterator<Item = DefinitionRow>) -> SmallVec<[DefinitionRow; 1]> {
        let mut distinct: SmallVec<[DefinitionRow; 1]> = SmallVec::new();
        for row in candidates {
            match distinct.iter_mut().find(|other| **other == row || self.fqn(**other) == self.fqn(row)) {
                Some(other) => *other = (*other).max(row),
                None => distinct.push(row),
            }
        }
        distinct
    }

    /// The name of a function or class; of nothing else.
    fn fqn(&self, row: DefinitionRow) -> &str {
        match self.items[row.index()].1 {
            DefinitionSource::Def(def) => &self.answers.fqns[def.index()],
            DefinitionSource::Field(_) => "",
        }
    }

    fn definitions(mut self) -> Vec<LinkedDefinition> {
        let items = std::mem::take(&mut self.items);
        let own: Vec<OwnedParts> = items.iter().map(|&(_, item)| self.own(item)).collect();
        let definition = |((file, item), own)| match item {
            DefinitionSource::Def(def) => self.definition(file, def, own),
            DefinitionSource::Field(field) => self.field(file, field),
        };
        items.into_par_iter().zip(own).map(definition).collect()
    }

    /// Takes what only one definition has.
    fn own(&mut self, item: DefinitionSource) -> OwnedParts {
        let DefinitionSource::Def(def) = item else { return OwnedParts::default() };
        let mut ancestors: Vec<DefinitionRow> =
            self.linker.ancestors(def).into_iter().filter_map(|def| self.row(def)).collect();
        ancestors.dedup();
        OwnedParts {
            callable: std::mem::take(&mut self.answers.callables[def.index()]),
            aliases: self.answers.aliases.remove(&def).unwrap_or_default(),
            ancestors,
        }
    }

    fn definition(&self, file: usize, def: GlobalDef, own: OwnedParts) -> LinkedDefinition {
        let OwnedParts { callable, aliases, ancestors } = own;
        let facts = self.linker.def(def);
        let lines = self.files[file].lines.as_deref();
        let fqn = self.answers.fqns[def.index()].clone();
        LinkedDefinition {
            file,
            name: CompactString::new(fqn.rsplit('.').next().unwrap_or(&fqn)),
            fqn,
            aliases,
            kind: self.linker.kind(def),
            parent: self.answers.parents[def.index()].and_then(|parent| self.row(parent)),
            line: line_in_file(lines, facts.line),
            end_line: line_in_file(lines, facts.end_line),
            summary: facts.summary.clone(),
            bases: facts.class().map(|c| c.bases.iter().map(|(_, text)| text.clone()).collect()).unwrap_or_default(),
            ancestors,
            decorators: facts.decorators.iter().map(|(_, text)| text.clone()).filter(|t| !t.is_empty()).collect(),
            signature: callable.signature,
            overloads: Vec::new(),
            declared_by: callable.declared_by.iter().map(|by| self.class_row((*by)?)).collect(),
            annotation: None,
            value: None,
            type_names: Vec::new(),
            type_parameters: None,
            modifiers: Modifiers::default(),
            is_public: None,
        }
    }

    fn field(&self, file: usize, field: FieldRef) -> LinkedDefinition {
        let facts = self.linker.field(field);
        let name = CompactString::new(self.linker.field_name(field));
        let scope = match field.class {
            Some(class) => &self.answers.fqns[self.linker.class_def(class).index()],
            None => &self.files[file].module,
        };
        let parent = field.class.and_then(|class| self.class_row(class));
        let line = line_in_file(self.files[file].lines.as_deref(), facts.line);
        let text =
            |source: &Option<(_, CompactString)>| source.as_ref().map(|(_, t)| t.clone()).filter(|t| !t.is_empty());
        LinkedDefinition {
            file,
            fqn: format_compact!("{scope}.{name}"),
            name,
            aliases: Vec::new(),
            kind: if parent.is_some() { DefinitionKind::Attribute } else { DefinitionKind::Constant },
            parent,
            line,
            end_line: line,
            summary: None,
            bases: Vec::new(),
            ancestors: Vec::new(),
            decorators: Vec::new(),
            signature: None,
            overloads: Vec::new(),
            declared_by: Vec::new(),
            annotation: text(&facts.annotation),
            value: text(&facts.value),
            type_names: Vec::new(),
            type_parameters: None,
            modifiers: Modifiers::default(),
            is_public: None,
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
