//! The attributes with a leading underscore that become definitions: those that subclasses use.
//!
//! Such a name says that an attribute is not for users of a class (PEP 8). Most of them are used by their class alone,
//! so only those have a row that methods of subclasses in the sources read or assign.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{
    limits::MAX_INHERITED,
    linker::Linker,
    program::{ClassId, FileIndex, GlobalName},
};
use apidisc_facts::syntax::python::facts::{DefId, Expr, ExprId};

/// Attributes by class and name.
pub(super) type HiddenFields = FxHashSet<(ClassId, GlobalName)>;

/// True for a name such as `_size`.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('_') && !name.starts_with("__") && name.len() > 1
}

impl Linker<'_> {
    /// The attributes with a leading underscore that methods of subclasses use on their receiver, by the classes that
    /// declare or assign them.
    pub(super) fn hidden_fields(&mut self) -> HiddenFields {
        let mut used: IndexSet<(ClassId, GlobalName), FxBuildHasher> = IndexSet::default();
        for at in 0..self.program.files.len() {
            let file = FileIndex::new(at);
            let facts = self.program.facts(file);
            let read = facts.reads.iter().filter_map(|read| Some((read.expr, read.reader?)));
            let called = facts.calls.iter().filter_map(|call| Some((call.callee, call.caller?)));
            let named = read.chain(called).filter_map(|(expr, reader)| self.name_on_receiver(file, expr, reader));
            used.extend(named);
            for assign in facts.attribute_assigns.iter().filter(|assign| is_hidden(facts.name(assign.name))) {
                let class = self.program.owner(self.program.global_def(file, assign.method));
                used.extend(class.map(|class| (class, self.program.global_name(file, assign.name))));
            }
        }
        let mut hidden = HiddenFields::default();
        for (class, name) in used {
            let mro = self.mro(class);
            for base in self.mro_table.classes(mro).skip(1).take(MAX_INHERITED) {
                let (file, def, _) = self.program.class_facts(base);
                let is_declared = !self.program.bindings(file, def.scope, name).is_empty();
                if is_declared || self.program.attribute_assigns(base, name).next().is_some() {
                    hidden.insert((base, name));
                }
            }
        }
        hidden
    }

    /// The class of the method `reader` and the name `_x`, if an expression is `self._x` in it.
    fn name_on_receiver(&self, file: FileIndex, expr: ExprId, reader: DefId) -> Option<(ClassId, GlobalName)> {
        let facts = self.program.facts(file);
        let Expr::Attribute { value, name, .. } = facts.expr(expr) else { return None };
        if !is_hidden(facts.name(name)) {
            return None;
        }
        let receiver = facts.def(reader).function()?.parameters.first()?.name;
        let class = self.program.owner(self.program.global_def(file, reader))?;
        let is_receiver = matches!(facts.expr(value), Expr::Name { name, .. } if name == receiver);
        is_receiver.then(|| (class, self.program.global_name(file, name)))
    }
}
