//! Items of instances of `NamedTuple` classes: `x, y = point`, `point[0]`.

use super::{
    limits::MAX_INHERITED,
    linker::Linker,
    members::MemberLookup,
    types::{Type, TypeId},
};

impl Linker<'_> {
    /// The tuple type of an instance of a `NamedTuple` class. `None` for any other type, and for a class that overrides
    /// how items are read.
    pub(super) fn tuple_of_instance(&mut self, instance: TypeId) -> Option<TypeId> {
        let Type::Instance(class, args) = self.types.get(instance).clone() else { return None };
        let mro = self.mro(class);
        if !self.mro_table.get(mro).is_named_tuple() {
            return None;
        }
        for method in ["__iter__", "__getitem__"] {
            let method = self.program.interner.intern(method);
            if matches!(self.lookup_member(class, method), MemberLookup::Found(_)) {
                return None;
            }
        }
        let owner =
            self.mro_table.classes(mro).take(MAX_INHERITED).find(|&class| self.has_base(class, &["NamedTuple"]))?;
        let (file, _, body) = self.program.class_facts(owner);
        let annotations = body.fields.iter().filter_map(|field| field.annotation.as_ref());
        let items: Vec<TypeId> = annotations.map(|(annotation, _)| self.annotation_type(file, *annotation)).collect();
        let tuple = self.types.add(Type::Tuple(items.into()));
        let map = self.arguments_of(class, &args, owner);
        Some(self.substitute(tuple, &map))
    }
}
