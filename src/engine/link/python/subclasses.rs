//! Attributes that only subclasses set: a base class reads `self.client`, which each subclass assigns. Methods are no
//! attributes: the callee of `self.m()` is never an override.

use rustc_hash::FxHashMap;

use super::{
    limits::MAX_ANCESTORS,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    program::{ClassId, GlobalName},
    types::TypeId,
};

/// The greatest number of subclasses whose attributes are read through a base.
const MAX_SUBCLASSES: usize = 16;

impl Linker<'_> {
    /// The type of the attribute `name` that subclasses of a class set, but not the class: the union of the types in
    /// the subclasses. Unknown if there are many subclasses.
    pub(super) fn attribute_of_subclasses(&mut self, class: ClassId, name: GlobalName) -> TypeId {
        if self.program.interner.text(name).starts_with("__") {
            return TypeId::UNKNOWN;
        }
        let subclasses = self.subclasses_of(class);
        if subclasses.len() > MAX_SUBCLASSES {
            return TypeId::UNKNOWN;
        }
        let mut parts = Vec::new();
        for subclass in subclasses {
            if matches!(self.lookup_member(subclass, name), MemberLookup::Found(ClassMember::Value { .. })) {
                let receiver = self.types.instance(subclass);
                parts.push(self.attribute_type(receiver, name));
            }
        }
        self.types.union(parts)
    }

    /// True if a subclass of a class declares or assigns the attribute `name`, or may do so because there are many
    /// subclasses.
    pub(super) fn is_overridden(&mut self, class: ClassId, name: GlobalName) -> bool {
        let subclasses = self.subclasses_of(class);
        subclasses.len() > MAX_SUBCLASSES
            || subclasses.into_iter().any(|subclass| {
                let (file, def, _) = self.program.class_facts(subclass);
                !self.program.bindings(file, def.scope, name).is_empty()
                    || self.program.attribute_assigns(subclass, name).next().is_some()
            })
    }

    /// The first subclasses of a class, at most `MAX_SUBCLASSES + 1`.
    fn subclasses_of(&mut self, class: ClassId) -> Vec<ClassId> {
        if self.subclasses.is_none() {
            self.subclasses = Some(self.find_subclasses());
        }
        self.subclasses.as_ref().and_then(|known| known.get(&class)).cloned().unwrap_or_default()
    }

    /// The subclasses of every class, in the order of the classes. Only the nearest [`MAX_ANCESTORS`] ancestors of a
    /// class count it as a subclass, and only the first `MAX_SUBCLASSES + 1` subclasses are kept.
    fn find_subclasses(&mut self) -> FxHashMap<ClassId, Vec<ClassId>> {
        let mut subclasses: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
        for at in 0..self.program.class_count() {
            let class = ClassId::new(at);
            let mro = self.mro(class);
            for ancestor in self.mro_table.classes(mro).skip(1).take(MAX_ANCESTORS) {
                let known = subclasses.entry(ancestor).or_default();
                if known.len() <= MAX_SUBCLASSES {
                    known.push(class);
                }
            }
        }
        subclasses
    }
}
