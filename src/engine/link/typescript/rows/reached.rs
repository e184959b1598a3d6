//! The definitions of installed packages that a program reaches: only these become rows.

use rustc_hash::FxHashSet;

use crate::typescript::{
    callees::CalledValue,
    program::{FileIndex, GlobalDef, InternedName, ProgramFacts},
    source_file::SourceFile,
};
use apidisc_facts::syntax::typescript::facts::{Expr, FunctionKind, PatternStep, VariableId};

/// What a program reaches of installed packages.
#[derive(Debug, Default)]
pub(in crate::typescript) struct ReachedDefinitions {
    /// For each file: whether it belongs to an installed package. Empty if there are no packages.
    installed: Vec<bool>,
    /// What is called, with the classes of receivers and the definitions around.
    definitions: FxHashSet<GlobalDef>,
    /// The call signatures of interfaces and object types that are called.
    signatures: Vec<GlobalDef>,
    /// The constants whose values are called.
    constants: FxHashSet<(FileIndex, VariableId)>,
    /// The names of the properties that the program reads.
    read: FxHashSet<InternedName>,
}

impl ReachedDefinitions {
    /// Nothing but the names of the properties that the files of the program read.
    pub(in crate::typescript) fn new(program: &ProgramFacts<'_>, files: &[SourceFile]) -> Self {
        let mut reached = Self::default();
        if !files.iter().any(|file| file.is_installed) {
            return reached;
        }
        reached.installed = files.iter().map(|file| file.is_installed).collect();
        for (at, file) in files.iter().enumerate().filter(|(_, file)| !file.is_installed) {
            let facts = &file.facts;
            let properties = facts.exprs.iter().filter_map(|expr| match expr {
                Expr::Property { name, .. } => Some(*name),
                _ => None,
            });
            let destructured =
                facts.variables.iter().flat_map(|variable| &variable.path).filter_map(|step| match step {
                    PatternStep::Property(name) => Some(*name),
                    _ => None,
                });
            let names = properties.chain(destructured);
            reached.read.extend(names.map(|name| program.name(FileIndex::new(at), name)));
        }
        reached
    }

    /// True if the program uses no installed packages.
    pub(in crate::typescript) fn is_without_packages(&self) -> bool {
        self.installed.is_empty()
    }

    /// Adds what a call calls, or the class of its receiver: a definition, with its merged declarations and the
    /// definitions around it. Definitions of the program itself are no part of this.
    pub(in crate::typescript) fn add(&mut self, program: &ProgramFacts<'_>, def: GlobalDef) {
        let is_signature = program.function(def).is_some_and(|function| {
            matches!(function.kind, FunctionKind::CallSignature | FunctionKind::ConstructSignature | FunctionKind::Type)
        });
        if is_signature && self.is_installed(program.file_of(def)) && !self.definitions.contains(&def) {
            self.signatures.push(def);
        }
        let mut at = Some(def);
        while let Some(def) = at {
            if !self.is_installed(program.file_of(def)) || !self.definitions.insert(def) {
                break;
            }
            if let Some(symbol) = program.symbol_of(def) {
                self.definitions.extend(program.definitions(symbol));
            }
            at = program.outer(def);
        }
    }

    /// Adds a value that is called, or on which a member is called.
    pub(in crate::typescript) fn add_value(&mut self, program: &ProgramFacts<'_>, value: CalledValue) {
        match value {
            CalledValue::Variable(file, variable) => {
                self.constants.insert((file, variable));
            }
            CalledValue::Member(holder, _) => self.add(program, holder),
        }
    }

    /// The call signatures of interfaces and object types that are called. Each has the row of the definition around.
    pub(super) fn signatures(&self) -> &[GlobalDef] {
        &self.signatures
    }

    fn is_installed(&self, file: FileIndex) -> bool {
        self.installed.get(file.index()).copied().unwrap_or_default()
    }

    /// Whether a definition may have a row.
    pub(super) fn has_row(&self, program: &ProgramFacts<'_>, def: GlobalDef) -> bool {
        !self.is_installed(program.file_of(def)) || self.definitions.contains(&def)
    }

    /// Whether a member named `name` of a declaration with a row may have a row of its own.
    pub(super) fn has_member_row(&self, holder: FileIndex, name: InternedName) -> bool {
        !self.is_installed(holder) || self.read.contains(&name)
    }

    /// Whether a constant of an installed package has a row; `None` for a constant of the program.
    pub(super) fn of_constant(&self, file: FileIndex, variable: VariableId) -> Option<bool> {
        self.is_installed(file).then(|| self.constants.contains(&(file, variable)))
    }
}
