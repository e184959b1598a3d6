//! What reading an attribute gives if the value of the attribute is computed: `property(f)` and similar objects of the
//! standard library, and the values of enum members.

use super::{
    linker::Linker,
    members::MemberLookup,
    program::{ClassId, FileIndex, GlobalName},
    types::{Type, TypeId},
};
use apidisc_facts::syntax::python::facts::{BindingKind, Expr, ExprId, Extraction};

/// The greatest number of members of an enum whose values are joined.
const MAX_MEMBERS: usize = 32;

impl Linker<'_> {
    /// The type that reading an attribute gives if its value in a class body is `property(f)`, `cached_property(f)`,
    /// `classmethod(f)` or `partialmethod(f, …)`. `None` for any other value.
    pub(super) fn built_in_descriptor(&mut self, value: TypeId, receiver: TypeId, on_class: bool) -> Option<TypeId> {
        let Type::ExternalInstance(path, args) = self.types.get(value) else { return None };
        let &[function] = &args[..] else { return None };
        match self.program.interner.text(*path) {
            "property" | "functools.cached_property" => {
                if on_class {
                    return Some(TypeId::EXTERNAL);
                }
                let getter = self.bound_function(function, receiver);
                Some(self.call_type(getter))
            }
            "classmethod" => {
                let class = if on_class { receiver } else { self.class_of_instance(receiver) };
                Some(self.bound_function(function, class))
            }
            // The first arguments are bound: a call shows only the others.
            "functools.partialmethod" => {
                let method = self.bound_function(function, receiver);
                let result = self.call_type(method);
                Some(self.external_instance("Callable", &[result]))
            }
            _ => None,
        }
    }

    /// A function as a method of `receiver`.
    fn bound_function(&mut self, function: TypeId, receiver: TypeId) -> TypeId {
        match *self.types.get(function) {
            Type::Function(def) => self.types.add(Type::Method(def, receiver)),
            _ => function,
        }
    }

    /// The type of `member.value`, where `member` has the type `receiver`: that of the value which the enum assigns to
    /// the member (typing specification, "Enumerations"). If the member is not known, it is the union of the values of
    /// all members. `None` if the receiver is no enum, if the enum computes its values, and if no value has a type of
    /// the sources.
    pub(super) fn enum_value_type(
        &mut self,
        file: FileIndex,
        member: ExprId,
        attribute: &str,
        receiver: TypeId,
    ) -> Option<TypeId> {
        if !matches!(attribute, "value" | "_value_") {
            return None;
        }
        let Type::Instance(class, _) = *self.types.get(receiver) else { return None };
        if !self.is_enum(class) {
            return None;
        }
        for name in [attribute, "__new__"] {
            let name = self.program.interner.intern(name);
            if matches!(self.lookup_member(class, name), MemberLookup::Found(_)) {
                return None;
            }
        }
        let value = if let Some(member) = self.named_member(file, member, class) {
            self.value_in_body(class, member)?
        } else {
            let (file, _, body) = self.program.class_facts(class);
            let names = body.fields.iter().filter(|field| field.annotation.is_none()).map(|field| field.name);
            let names: Vec<GlobalName> =
                names.take(MAX_MEMBERS).map(|name| self.program.global_name(file, name)).collect();
            let values: Option<Vec<TypeId>> = names.into_iter().map(|name| self.value_in_body(class, name)).collect();
            self.types.union(values?)
        };
        self.is_defined_in_sources(value).then_some(value).filter(|&value| value != TypeId::NONE)
    }

    /// The member that `E.A` or `E["A"]` names.
    fn named_member(&mut self, file: FileIndex, member: ExprId, class: ClassId) -> Option<GlobalName> {
        let facts = self.program.facts(file);
        let (owner, name) = match facts.expr(member) {
            Expr::Attribute { value, name, .. } => (value, name),
            Expr::Subscript { value, index, .. } => match facts.expr(index) {
                Expr::Str(Some(name)) => (value, name),
                _ => return None,
            },
            _ => return None,
        };
        let owner = self.expr_type(file, owner);
        matches!(*self.types.get(owner), Type::Class(owner, _) if owner == class)
            .then(|| self.program.global_name(file, name))
    }

    /// The type of the value that the body of an enum assigns to a name.
    fn value_in_body(&mut self, class: ClassId, name: GlobalName) -> Option<TypeId> {
        let (file, def, _) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let &[binding] = self.program.bindings(file, def.scope, name) else { return None };
        let BindingKind::Assign { value: Some(value), annotation: None, unpack, extraction: Extraction::Value } =
            &facts.bindings[binding.index()].kind
        else {
            return None;
        };
        if !unpack.is_none() {
            return None;
        }
        Some(self.expr_type(file, *value)).filter(|ty| !ty.is_unknown())
    }
}
