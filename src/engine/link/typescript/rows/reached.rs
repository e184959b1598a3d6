//! The definitions of installed packages that a program reaches: only these become rows.

use rustc_hash::FxHashSet;

use crate::typescript::{
    call_sites::ResolvedCall,
    callees::CalledValue,
    program::{FileIndex, GlobalDef, InternedName, ProgramFacts},
    source_file::SourceFile,
};
use apidisc_facts::syntax::typescript::facts::{Expr, Function, FunctionKind, PatternStep, VariableId};

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
    /// What the calls of a program reach.
    pub(in crate::typescript) fn new(
        program: &ProgramFacts<'_>,
        files: &[SourceFile],
        resolved: &[Vec<ResolvedCall>],
    ) -> Self {
        let mut reached = Self::default();
        if !files.iter().any(|file| file.is_installed) {
            return reached;
        }
        reached.installed = files.iter().map(|file| file.is_installed).collect();
        for call in resolved.iter().flatten() {
            call.candidates.iter().chain(&call.receiver).for_each(|def| reached.add(program, *def));
            for &candidate in &call.candidates {
                let is_signature = program.function(candidate).is_some_and(is_signature);
                if is_signature && reached.is_installed(program.file_of(candidate)) {
                    reached.signatures.push(candidate);
                }
            }
            for value in call.value.iter().chain(&call.instance) {
                match *value {
                    CalledValue::Variable(file, variable) => {
                        reached.constants.insert((file, variable));
                    }
                    CalledValue::Member(holder, _) => reached.add(program, holder),
                }
            }
        }
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

    /// Adds a definition of an installed package, with its merged declarations and the definitions around it.
    fn add(&mut self, program: &ProgramFacts<'_>, def: GlobalDef) {
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

fn is_signature(function: &Function) -> bool {
    matches!(function.kind, FunctionKind::CallSignature | FunctionKind::ConstructSignature)
}
