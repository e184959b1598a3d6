//! Items of instances of `NamedTuple` classes (`x, y = point`, `point[0]`) and of `TypedDict` classes
//! (`movie["title"]`, PEP 589).

use smallvec::SmallVec;

use super::{
    calls::PassedArguments,
    limits::MAX_INHERITED,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    program::{ClassId, FileIndex},
    types::{Type, TypeId, TypeList},
};
use apidisc_facts::syntax::python::facts::{Expr, ExprId};

impl Linker<'_> {
    /// The tuple type of an instance of a `NamedTuple` class, or of a class that extends `tuple[A, B]`. `None` for any
    /// other type, and for a class that overrides `__iter__` or `__getitem__`.
    pub(super) fn tuple_of_instance(&mut self, instance: TypeId) -> Option<TypeId> {
        let Type::Instance(class, args) = self.types.get(instance).clone() else {
            return self.declared_tuple(instance);
        };
        let mro = self.mro(class);
        let node = self.mro_table.get(mro);
        if !node.is_named_tuple() && !node.is_tuple() {
            return None;
        }
        for method in ["__iter__", "__getitem__"] {
            let method = self.program.interner.intern(method);
            if matches!(self.lookup_member(class, method), MemberLookup::Found(_)) {
                return None;
            }
        }
        if !self.mro_table.get(mro).is_named_tuple() {
            return self.tuple_base(class, &args);
        }
        if let Some((file, base)) = self.named_tuple_base(class) {
            let instance = self.annotation_type(file, base);
            return self.declared_tuple(instance);
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

    /// The tuple type `tuple[A, B]` that a class extends, with the type arguments of an instance.
    fn tuple_base(&mut self, class: ClassId, args: &TypeList) -> Option<TypeId> {
        let mro = self.mro(class);
        let classes: SmallVec<[ClassId; 8]> = self.mro_table.classes(mro).take(MAX_INHERITED).collect();
        for owner in classes {
            let (file, _, body) = self.program.class_facts(owner);
            for (base, _) in &body.bases {
                if !matches!(self.program.facts(file).expr(*base), Expr::Subscript { .. }) {
                    continue;
                }
                let base = self.annotation_type(file, *base);
                if matches!(self.types.get(base), Type::Tuple(_)) {
                    let map = self.arguments_of(class, args, owner);
                    return Some(self.substitute(base, &map));
                }
            }
        }
        None
    }

    /// The type of the item with the key `index` of an instance of a `TypedDict` class. `None` for any other class, a
    /// key that is not constant, and a key that the class does not declare.
    pub(super) fn typed_dict_item(&mut self, class: ClassId, file: FileIndex, index: ExprId) -> Option<TypeId> {
        let Expr::Str(Some(key)) = self.program.facts(file).expr(index) else { return None };
        let mro = self.mro(class);
        if !self.mro_table.get(mro).is_typed_dict() {
            return None;
        }
        let key = self.program.global_name(file, key);
        match self.lookup_member(class, key) {
            MemberLookup::Found(ClassMember::Value { ty, .. }) => Some(ty),
            _ => None,
        }
    }

    /// The type of a call of `get` of an instance of a `TypedDict` class.
    pub(super) fn typed_dict_get(&mut self, class: ClassId, passed: Option<PassedArguments>) -> TypeId {
        let Some(passed) = passed else { return TypeId::EXTERNAL };
        let Some(key) = passed.arguments.first() else { return TypeId::EXTERNAL };
        let Some(item) = self.typed_dict_item(class, passed.file, key.value) else { return TypeId::EXTERNAL };
        let default = match passed.arguments.get(1) {
            Some(default) => self.expr_type(passed.file, default.value),
            None => TypeId::NONE,
        };
        self.types.union([item, default])
    }
}
