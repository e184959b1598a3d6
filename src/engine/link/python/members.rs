//! Attributes: what `receiver.name` is.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{
    classes::Ancestor,
    infer::Linker,
    program::{ClassId, FileIndex, GlobalDef, GlobalName},
    types::{Type, TypeId, TypeList},
};
use crate::{
    link::memo::MemoRequest,
    syntax::python::facts::{BindingId, BindingKind},
};

/// A member as its class declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClassMember {
    /// A function in the class body.
    Function { owner: ClassId, def: GlobalDef },
    /// A function that is read as an attribute.
    Property { owner: ClassId, def: GlobalDef },
    /// Anything else, by its type.
    Value { owner: ClassId, ty: TypeId },
}

/// What looking a member up came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberLookup {
    Found(ClassMember),
    /// The sources do not declare it, but a base from outside may.
    External,
    Missing,
}

impl Linker<'_> {
    /// The member of a class or of what it inherits from.
    pub(super) fn lookup_member(&mut self, class: ClassId, name: GlobalName) -> MemberLookup {
        let depth = self.recursion.depth();
        match self.members.slot((class, name)).request(depth) {
            MemoRequest::Computed(lookup) => return lookup,
            MemoRequest::InProgress { depth } => {
                self.recursion.note_cycle(depth);
                return MemberLookup::Missing;
            }
            MemoRequest::Started => {}
        }
        let mro = self.mro(class);
        let lookup = self.lookup_member_in(&mro, name);
        let is_final = self.recursion.is_outside_cycles(depth);
        let slot = self.members.slot((class, name));
        if is_final {
            slot.keep(lookup);
        } else {
            slot.clear();
        }
        lookup
    }

    pub(super) fn lookup_member_in(&mut self, mro: &[Ancestor], name: GlobalName) -> MemberLookup {
        let mut outside = false;
        for (i, ancestor) in mro.iter().enumerate() {
            match ancestor {
                Ancestor::Class(class, _) => {
                    if let Some(member) = self.own_member(*class, name, &mro[i + 1..]) {
                        return MemberLookup::Found(member);
                    }
                }
                Ancestor::External(path) => {
                    outside |= !matches!(
                        self.program.interner.text(*path),
                        "abc.ABC" | "typing.Protocol" | "typing_extensions.Protocol" | "typing.Generic"
                    );
                }
                Ancestor::Unknown(_) => outside = true,
            }
        }
        if outside { MemberLookup::External } else { MemberLookup::Missing }
    }

    /// What the class's own body and methods give a name.
    fn own_member(&mut self, class: ClassId, name: GlobalName, rest: &[Ancestor]) -> Option<ClassMember> {
        let (file, def, _) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let bindings = self.program.bindings(file, def.scope, name);
        if let Some(&last) = bindings.last()
            && let BindingKind::Def(function) = facts.bindings[last.index()].kind
        {
            let function = self.program.global(file, function);
            if self.program.function(function).is_some() {
                return Some(self.method_member(class, file, bindings, function));
            }
        }
        let assigned = self.program.attribute_assigns(class, name);
        let all: SmallVec<[BindingId; 8]> = bindings.iter().copied().chain(assigned).collect();
        if all.is_empty() {
            return None;
        }
        let mut ty = self.declared_type(file, &all);
        let is_declared = all
            .iter()
            .any(|b| matches!(facts.bindings[b.index()].kind, BindingKind::Assign { annotation: Some(_), .. }));
        // `push = press` in the body is a method like the one that it names.
        if !is_declared
            && all.len() == bindings.len()
            && let Type::Function(def) = *self.types.get(ty)
            && self.program.owner(def).is_some()
        {
            return Some(ClassMember::Function { owner: class, def });
        }
        if !is_declared && let Some(inherited) = self.inherited_declaration(rest, name) {
            ty = inherited;
        }
        if !bindings.is_empty() && self.is_enum(class) && !matches!(self.types.get(ty), Type::Function(_)) {
            ty = self.types.instance(class);
        }
        Some(ClassMember::Value { owner: class, ty })
    }

    /// The annotation that a base gives a name which a class only assigns.
    fn inherited_declaration(&mut self, rest: &[Ancestor], name: GlobalName) -> Option<TypeId> {
        for ancestor in rest {
            let Ancestor::Class(class, _) = ancestor else { continue };
            let (file, def, _) = self.program.class_facts(*class);
            let facts = self.program.facts(file);
            let bindings = self.program.bindings(file, def.scope, name);
            if let Some(BindingKind::Def(last)) = bindings.last().map(|b| facts.bindings[b.index()].kind.clone()) {
                let last = self.program.global(file, last);
                let ClassMember::Property { def, .. } = self.method_member(*class, file, bindings, last) else {
                    return None;
                };
                let is_annotated = self.program.function(def).is_some_and(|f| f.returns.is_some());
                return if is_annotated { Some(self.return_type(def)) } else { None };
            }
            let all: SmallVec<[BindingId; 8]> = self
                .program
                .bindings(file, def.scope, name)
                .iter()
                .copied()
                .chain(self.program.attribute_assigns(*class, name))
                .collect();
            let is_declared = all
                .iter()
                .any(|b| matches!(facts.bindings[b.index()].kind, BindingKind::Assign { annotation: Some(_), .. }));
            if is_declared {
                let ty = self.declared_type(file, &all);
                return (ty != TypeId::UNKNOWN).then_some(ty);
            }
        }
        None
    }

    fn method_member(
        &mut self,
        class: ClassId,
        file: FileIndex,
        bindings: &[BindingId],
        last: GlobalDef,
    ) -> ClassMember {
        let facts = self.program.facts(file);
        // Of a property's getter, setter and deleter the getter says what it is.
        for &binding in bindings {
            let BindingKind::Def(def) = facts.bindings[binding.index()].kind else { continue };
            let def = self.program.global(file, def);
            if self.program.is_property(def) {
                return ClassMember::Property { owner: class, def };
            }
        }
        ClassMember::Function { owner: class, def: last }
    }

    /// `receiver.name`
    pub(crate) fn attribute_type(&mut self, receiver: TypeId, name: GlobalName) -> TypeId {
        self.map_union(receiver, |this, part| this.attribute_of_part(part, name))
    }

    fn attribute_of_part(&mut self, receiver: TypeId, name: GlobalName) -> TypeId {
        match self.types.get(receiver).clone() {
            Type::Module(node) => match self.module_attribute(node, name) {
                Some(ty) => ty,
                None if self.program.modules.get(node).file.is_none() => {
                    // A namespace package may have parts outside.
                    let module = self.program.modules.get(node).path.replace('/', ".");
                    let path = format!("{module}.{}", self.program.interner.text(name));
                    self.external_name(&path)
                }
                None => TypeId::UNKNOWN,
            },
            Type::ExternalName(path) | Type::ExternalClass(path, _) => {
                let path = compact_str::format_compact!(
                    "{}.{}",
                    self.program.interner.text(path),
                    self.program.interner.text(name)
                );
                self.external_name(&path)
            }
            Type::ExternalInstance(path, args) if self.program.interner.text(path) == "type" && args.len() == 1 => {
                let class = self.class_of_instance(args[0]);
                if class == receiver { TypeId::UNKNOWN } else { self.attribute_type(class, name) }
            }
            Type::ExternalInstance(..) | Type::Tuple(_) => self.types.add(Type::ExternalMethod(name, receiver)),
            Type::ExternalMethod(..) | Type::External => TypeId::EXTERNAL,
            Type::Class(class, args) => match self.lookup_member(class, name) {
                MemberLookup::Found(member) => self.member_type(member, class, &args, receiver, true),
                MemberLookup::External => TypeId::EXTERNAL,
                MemberLookup::Missing => self.metaclass_member(class, name, receiver),
            },
            Type::Instance(class, args) => match self.lookup_member(class, name) {
                MemberLookup::Found(member) => self.member_type(member, class, &args, receiver, false),
                _ if self.program.interner.text(name) == "__class__" => self.types.add(Type::Class(class, args)),
                MemberLookup::External => TypeId::EXTERNAL,
                MemberLookup::Missing => self.getattr_type(class, receiver),
            },
            Type::Super(class, inner) => self.super_member(class, inner, name),
            Type::Variable(variable) => {
                let bound = self.type_variable_bound(variable);
                if bound == TypeId::UNKNOWN { TypeId::UNKNOWN } else { self.attribute_type(bound, name) }
            }
            Type::Function(def) => {
                let decorated = self.decorated_type(def);
                if decorated == receiver { TypeId::EXTERNAL } else { self.attribute_type(decorated, name) }
            }
            Type::Method(def, _) => {
                let decorated = self.decorated_type(def);
                let is_instance = matches!(self.types.get(decorated), Type::Instance(..));
                if is_instance { self.attribute_type(decorated, name) } else { TypeId::EXTERNAL }
            }
            Type::None | Type::Unknown | Type::Union(_) => TypeId::UNKNOWN,
        }
    }

    /// What `__getattr__` gives for a name that no class declares.
    fn getattr_type(&mut self, class: ClassId, receiver: TypeId) -> TypeId {
        let name = self.program.interner.intern("__getattr__");
        match self.lookup_member(class, name) {
            MemberLookup::Found(ClassMember::Function { .. }) => {
                let method = self.attribute_type(receiver, name);
                self.call_type(method)
            }
            _ => TypeId::UNKNOWN,
        }
    }

    /// The class that an instance is of; of a type variable its bound's.
    pub(super) fn class_of_instance(&mut self, instance: TypeId) -> TypeId {
        self.map_union(instance, |this, part| match this.types.get(part).clone() {
            Type::Instance(class, args) => this.types.add(Type::Class(class, args)),
            Type::ExternalInstance(path, _) => this.types.add(Type::ExternalName(path)),
            Type::Variable(variable) => {
                let bound = this.type_variable_bound(variable);
                if matches!(this.types.get(bound), Type::Variable(_)) {
                    TypeId::UNKNOWN
                } else {
                    this.class_of_instance(bound)
                }
            }
            _ => TypeId::UNKNOWN,
        })
    }

    fn metaclass_member(&mut self, class: ClassId, name: GlobalName, receiver: TypeId) -> TypeId {
        let mro = self.mro(class);
        for ancestor in mro.iter() {
            let Ancestor::Class(class, _) = ancestor else { continue };
            let (file, _, body) = self.program.class_facts(*class);
            let facts = self.program.facts(file);
            let Some((_, meta)) = body.keywords.iter().find(|(k, _)| facts.name(*k) == "metaclass") else { continue };
            let meta = self.expr_type(file, *meta);
            if let Type::Class(meta, args) = self.types.get(meta).clone()
                && let MemberLookup::Found(member) = self.lookup_member(meta, name)
            {
                return self.member_type(member, meta, &args, receiver, false);
            }
            return TypeId::EXTERNAL;
        }
        // Every class has `mro`, `__subclasses__` and so on.
        TypeId::UNKNOWN
    }

    fn super_member(&mut self, class: ClassId, receiver: TypeId, name: GlobalName) -> TypeId {
        let base = match self.types.get(receiver) {
            Type::Instance(c, _) | Type::Class(c, _) => *c,
            _ => class,
        };
        let mut mro = self.mro(base);
        let at = |mro: &Arc<[Ancestor]>| mro.iter().position(|a| matches!(a, Ancestor::Class(c, _) if *c == class));
        let after = if let Some(at) = at(&mro) {
            at + 1
        } else {
            mro = self.mro(class);
            1
        };
        match self.lookup_member_in(&mro[after.min(mro.len())..], name) {
            MemberLookup::Found(member) => {
                let on_class = matches!(self.types.get(receiver), Type::Class(..));
                let none = self.types.no_arguments();
                self.member_type(member, base, &none, receiver, on_class)
            }
            MemberLookup::External | MemberLookup::Missing => TypeId::EXTERNAL,
        }
    }

    /// A member as it is read through a class or an instance.
    fn member_type(
        &mut self,
        member: ClassMember,
        class: ClassId,
        args: &TypeList,
        receiver: TypeId,
        on_class: bool,
    ) -> TypeId {
        match member {
            ClassMember::Function { def, .. } => {
                let is_static = self.program.is_decorated(def, &["staticmethod"]);
                let name = self.program.name_of(def);
                let on_its_class = self.program.is_decorated(def, &["classmethod"])
                    || matches!(name, "__init_subclass__" | "__class_getitem__");
                if is_static || name == "__new__" || (on_class && !on_its_class) {
                    return self.types.add(Type::Function(def));
                }
                if let Some(value) = self.method_descriptor_value(def) {
                    return value;
                }
                self.types.add(Type::Method(def, receiver))
            }
            ClassMember::Property { owner, def } => {
                if on_class {
                    return TypeId::EXTERNAL;
                }
                let ty = self.return_type(def);
                let map = self.arguments_of(class, args, owner);
                let ty = self.substitute(ty, &map);
                self.bind_self_type(ty, receiver)
            }
            ClassMember::Value { owner, ty } => {
                let map = self.arguments_of(class, args, owner);
                let ty = self.substitute(ty, &map);
                let ty = self.bind_self_type(ty, receiver);
                self.map_union(ty, Self::descriptor_get)
            }
        }
    }

    /// A value with `__get__` is read as what that returns.
    fn descriptor_get(&mut self, value: TypeId) -> TypeId {
        let Type::Instance(class, _) = *self.types.get(value) else { return value };
        let get = self.program.interner.intern("__get__");
        match self.lookup_member(class, get) {
            MemberLookup::Found(ClassMember::Function { .. }) => {
                let method = self.attribute_type(value, get);
                self.call_type(method)
            }
            _ => value,
        }
    }

    /// What a method is read as whose decorator makes a descriptor of it.
    fn method_descriptor_value(&mut self, def: GlobalDef) -> Option<TypeId> {
        if self.program.def(def).decorators.is_empty() {
            return None;
        }
        let decorated = self.decorated_type(def);
        let Type::Instance(class, _) = *self.types.get(decorated) else { return None };
        let get = self.program.interner.intern("__get__");
        let call = self.program.interner.intern("__call__");
        let has = |this: &mut Self, name| matches!(this.lookup_member(class, name), MemberLookup::Found(_));
        (has(self, get) && !has(self, call)).then(|| self.descriptor_get(decorated))
    }

    /// True where a class is an `enum`.
    pub(crate) fn is_enum(&mut self, class: ClassId) -> bool {
        self.mro(class).iter().any(|a| match a {
            Ancestor::External(path) => matches!(
                self.program.interner.text(*path),
                "enum.Enum" | "enum.IntEnum" | "enum.StrEnum" | "enum.Flag" | "enum.IntFlag"
            ),
            _ => false,
        })
    }

    /// The annotation that the overridden method of a base gives a parameter.
    pub(super) fn inherited_parameter_type(
        &mut self,
        owner: ClassId,
        def: GlobalDef,
        position: usize,
    ) -> Option<TypeId> {
        let name = self.program.interner.intern(self.program.name_of(def));
        let wanted = &self.program.function(def)?.parameters[position];
        let wanted_name = self.program.facts(self.program.file_of(def)).name(wanted.name);
        let mro = self.mro(owner);
        for ancestor in mro.iter().skip(1) {
            let Ancestor::Class(base, _) = ancestor else { continue };
            let (file, row, _) = self.program.class_facts(*base);
            let facts = self.program.facts(file);
            let Some(&last) = self.program.bindings(file, row.scope, name).last() else { continue };
            let BindingKind::Def(overridden) = facts.bindings[last.index()].kind else { return None };
            let parameters = &facts.def(overridden).function()?.parameters;
            let same =
                parameters.get(position).filter(|p| facts.name(p.name) == wanted_name && p.kind == wanted.kind)?;
            let (annotation, _) = same.annotation.as_ref()?;
            let ty = self.annotation_type(file, *annotation);
            return (ty != TypeId::UNKNOWN).then_some(ty);
        }
        None
    }
}
