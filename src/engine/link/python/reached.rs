//! The definitions of installed packages that a program reaches: only these are emitted.

use rustc_hash::FxHashSet;

use super::{
    analysis::Analysis,
    linker::Linker,
    program::{ClassId, GlobalDef, GlobalName},
    reads::AttributeDefinition,
};

/// What the program reaches of installed packages.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Functions and classes: those that are called, the classes around them, and the ancestors of classes.
    pub(super) definitions: FxHashSet<GlobalDef>,
    /// The attributes that are read.
    pub(super) fields: FxHashSet<(ClassId, GlobalName)>,
}

impl Linker<'_> {
    /// What the calls and reads of the program reach, and the installed ancestors of its own classes.
    pub(super) fn reached(&mut self, analysis: &Analysis) -> Reached {
        let mut reached = Reached::default();
        if !self.program.files.iter().any(|file| file.is_installed) {
            return reached;
        }
        let mut open: Vec<GlobalDef> = Vec::new();
        for (file, resolved) in self.program.files.iter().zip(&analysis.resolved) {
            for (site, call) in file.facts.calls.iter().zip(resolved) {
                for candidate in &call.candidates {
                    open.push(candidate.def);
                    open.extend(candidate.receiver.map(|class| self.class_def(class)));
                    if site.syntax.names_constructor {
                        open.extend(analysis.callables[candidate.def.index()].constructor);
                    }
                }
            }
        }
        for read in analysis.reads.iter().flatten() {
            match read.attribute {
                AttributeDefinition::Property(def) => open.push(def),
                AttributeDefinition::Field(class, name) => {
                    reached.fields.insert((class, name));
                    open.push(self.class_def(class));
                }
            }
            open.extend(read.receiver.map(|class| self.class_def(class)));
        }
        let own = (0..self.program.def_count()).map(GlobalDef::new);
        open.extend(own.filter(|&def| !self.is_installed(def) && self.program.class_of(def).is_some()));
        while let Some(def) = open.pop() {
            if !reached.definitions.insert(def) {
                continue;
            }
            open.extend(self.ancestors(def).into_iter().filter(|&ancestor| self.is_installed(ancestor)));
            open.extend(analysis.parents[def.index()]);
        }
        reached
    }

    fn is_installed(&self, def: GlobalDef) -> bool {
        self.program.files[self.program.file_of(def).index()].is_installed
    }
}
