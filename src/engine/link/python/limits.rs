//! Limits on deep class hierarchies, and the diagnostics that name them. They keep the work and the index linear in the
//! number of classes.

use super::{
    linker::Linker,
    program::{ClassId, FileIndex},
};
use apidisc_base::diagnostic::{Diagnostic, Problem};

/// The greatest number of ancestors that are listed for a class.
pub(super) const MAX_ANCESTORS: usize = 256;

/// The greatest number of classes whose fields become parameters of one synthesized constructor.
pub(super) const MAX_FIELD_CLASSES: usize = 64;

/// The greatest number of ancestors that are searched for a declaration which a class overrides.
pub(super) const MAX_INHERITED: usize = 256;

/// The greatest number of ancestors that a method resolution order copies because it cannot share them. The rest of a
/// longer order is unknown.
pub(super) const MAX_COPIED: usize = 512;

impl Linker<'_> {
    /// A diagnostic for each file with a class that has [`MAX_FIELD_CLASSES`] or more ancestors. It names the class
    /// with the most ancestors.
    pub(super) fn hierarchy_diagnostics(&mut self) -> Vec<Diagnostic> {
        let mut deepest: Vec<Option<(usize, ClassId)>> = vec![None; self.program.files.len()];
        for at in 0..self.program.class_count() {
            let class = ClassId::new(at);
            let mro = self.mro(class);
            let ancestors = self.mro_table.get(mro).len() - 1;
            let file = self.program.file_of(self.program.class_def(class));
            let deepest = &mut deepest[file.index()];
            if ancestors >= MAX_FIELD_CLASSES && deepest.is_none_or(|(most, _)| ancestors > most) {
                *deepest = Some((ancestors, class));
            }
        }
        let diagnostic = |(file, deepest): (usize, Option<(usize, ClassId)>)| {
            let (ancestors, class) = deepest?;
            let def = self.program.class_def(class);
            let message = format!(
                "line {}: {} has {ancestors} ancestors; the fields of the nearest {MAX_FIELD_CLASSES} classes are \
                 parameters, and the nearest {MAX_ANCESTORS} ancestors are listed",
                self.program.def(def).line,
                self.program.name_of(def),
            );
            let path = self.program.files[FileIndex::new(file).index()].path.clone();
            Some(Diagnostic { path, problem: Problem::TooComplex, message })
        };
        deepest.into_iter().enumerate().filter_map(diagnostic).collect()
    }
}
