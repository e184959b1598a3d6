//! The ancestors of classes and interfaces, and the signatures of constructors.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{infer::Linker, program::GlobalDef, rows::DefinitionRows, types::TypeKind};
use crate::link::{
    limits::LinkLimit,
    linked::{DefinitionRow, LinkedSignature},
};

/// The greatest number of ancestors that are listed. The lists of a long chain of classes would otherwise take memory
/// that grows with the square of its length.
const MAX_ANCESTORS: usize = 100;

impl Linker<'_> {
    /// The classes and interfaces that a class or interface inherits from, in breadth-first order; at most
    /// [`MAX_ANCESTORS`].
    pub(super) fn ancestors(&mut self, class: GlobalDef, rows: &DefinitionRows) -> Vec<DefinitionRow> {
        let mut all = Vec::new();
        let mut seen = FxHashSet::default();
        let mut listed = FxHashSet::default();
        let mut queue = std::collections::VecDeque::from([class]);
        while let Some(at) = queue.pop_front() {
            for base in self.base_types(at) {
                let TypeKind::Reference(symbol, _) = *self.types.kind(base) else { continue };
                for def in self.program.definitions(symbol) {
                    if self.program.is_platform(def) || !seen.insert(def) {
                        continue;
                    }
                    if let Some(&row) = rows.of_def.get(&def)
                        && listed.insert(row)
                    {
                        if all.len() == MAX_ANCESTORS {
                            self.note_limit(class, LinkLimit::Ancestors(MAX_ANCESTORS));
                            return all;
                        }
                        all.push(row);
                    }
                    queue.push_back(def);
                }
            }
        }
        all
    }

    /// Notes that a definition reaches a limit.
    pub(super) fn note_limit(&mut self, def: GlobalDef, limit: LinkLimit) {
        let line = self.program.def(def).line;
        self.limits.note(self.program.file_of(def).index(), limit, line);
    }

    /// The constructor that the arguments of `new` are bound to.
    pub(super) fn constructor(&mut self, class: GlobalDef) -> Option<GlobalDef> {
        let first = self.constructors(class, 0).first().copied()?;
        Some(self.implementation(first)).filter(|def| !self.program.is_platform(*def))
    }

    /// The signature of a class, which is that of its constructor. It has no parameters if no class in the inheritance
    /// chain declares a constructor. `None` if a base class outside the sources may declare one.
    pub(super) fn constructor_signature(
        &mut self,
        class: GlobalDef,
        objects: &FxHashMap<GlobalDef, SmallVec<[u16; 2]>>,
    ) -> Option<LinkedSignature> {
        if let Some(constructor) = self.constructor(class) {
            let chosen = objects.get(&constructor).cloned().unwrap_or_default();
            return Some(self.linked_signature(constructor, &chosen));
        }
        let mut at = class;
        for _ in 0..16 {
            let file = self.program.file_of(at);
            let Some((base, ..)) = self.program.def(at).class().and_then(|c| c.extends.as_ref()) else {
                return Some(LinkedSignature::default());
            };
            let base = self.expr_type(file, *base);
            let TypeKind::ClassConstructor(next, _) = *self.types.kind(base) else { return None };
            if self.program.is_platform(next) {
                return None;
            }
            at = next;
        }
        None
    }
}
