//! Attributes: what `receiver.name` is.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{
    classes::Ancestor,
    infer::Linker,
    program::{ClassId, FileIndex, GlobalDef, Symbol},
    types::{Ty, Type, Tys},
};
use crate::{
    link::memo::MemoRequest,
    syntax::python::facts::{BindingId, BindingKind},
};

/// A member as its class declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// A function in the class body.
    Function { owner: ClassId, def: GlobalDef },
    /// A function that is read as an attribute.
    Property { owner: ClassId, def: GlobalDef },
    /// Anything else, by its type.
    Value { owner: ClassId, ty: Ty },
}

/// What looking a member up came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    Found(Member),
    /// The sources do not declare it, but a base from outside may.
    Outside,
    Missing,
}

impl Linker<'_> {
    /// The member of a class or of what it inherits from.
    pub(super) fn member(&mut self, class: ClassId, name: Symbol) -> Lookup {
        let depth = self.recursion.depth();
        match self.members.slot((class, name)).request(depth) {
            MemoRequest::Computed(lookup) => return lookup,
            MemoRequest::InProgress { depth } => {
                self.recursion.note_cycle(depth);
                return Lookup::Missing;
            }
            MemoRequest::Started => {}
        }
        let mro = self.mro(class);
        let lookup = self.member_in(&mro, name);
        let is_final = self.recursion.is_outside_cycles(depth);
        let slot = self.members.slot((class, name));
        if is_final {
            slot.keep(lookup);
        } else {
            slot.clear();
        }
        lookup
    }

    pub(super) fn member_in(&mut self, mro: &[Ancestor], name: Symbol) -> Lookup {
        let mut outside = false;
        for (i, ancestor) in mro.iter().enumerate() {
            match ancestor {
                Ancestor::Class(class, _) => {
                    if let Some(member) = self.own_member(*class, name, &mro[i + 1..]) {
                        return Lookup::Found(member);
                    }
                }
                Ancestor::Outside(path) => {
                    outside |= !matches!(
                        self.program.symbols.text(*path),
                        "abc.ABC" | "typing.Protocol" | "typing_extensions.Protocol" | "typing.Generic"
                    );
                }
                Ancestor::Unknown(_) => outside = true,
            }
        }
        if outside { Lookup::Outside } else { Lookup::Missing }
    }

    /// What the class's own body and methods give a name.
    fn own_member(&mut self, class: ClassId, name: Symbol, rest: &[Ancestor]) -> Option<Member> {
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
        let mut ty = self.declared(file, &all);
        let is_declared = all
            .iter()
            .any(|b| matches!(facts.bindings[b.index()].kind, BindingKind::Assign { annotation: Some(_), .. }));
        // `push = press` in the body is a method like the one that it names.
        if !is_declared
            && all.len() == bindings.len()
            && let Type::Function(def) = *self.types.get(ty)
            && self.program.owner(def).is_some()
        {
            return Some(Member::Function { owner: class, def });
        }
        if !is_declared && let Some(inherited) = self.declared_above(rest, name) {
            ty = inherited;
        }
        if !bindings.is_empty() && self.is_enum(class) && !matches!(self.types.get(ty), Type::Function(_)) {
            ty = self.types.instance(class);
        }
        Some(Member::Value { owner: class, ty })
    }

    /// The annotation that a base gives a name which a class only assigns.
    fn declared_above(&mut self, rest: &[Ancestor], name: Symbol) -> Option<Ty> {
        for ancestor in rest {
            let Ancestor::Class(class, _) = ancestor else { continue };
            let (file, def, _) = self.program.class_facts(*class);
            let facts = self.program.facts(file);
            let bindings = self.program.bindings(file, def.scope, name);
            if let Some(BindingKind::Def(last)) = bindings.last().map(|b| facts.bindings[b.index()].kind.clone()) {
                let last = self.program.global(file, last);
                let Member::Property { def, .. } = self.method_member(*class, file, bindings, last) else {
                    return None;
                };
                let is_annotated = self.program.function(def).is_some_and(|f| f.returns.is_some());
                return if is_annotated { Some(self.returned(def)) } else { None };
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
                let ty = self.declared(file, &all);
                return (ty != Ty::UNKNOWN).then_some(ty);
            }
        }
        None
    }

    fn method_member(&mut self, class: ClassId, file: FileIndex, bindings: &[BindingId], last: GlobalDef) -> Member {
        let facts = self.program.facts(file);
        // Of a property's getter, setter and deleter the getter says what it is.
        for &binding in bindings {
            let BindingKind::Def(def) = facts.bindings[binding.index()].kind else { continue };
            let def = self.program.global(file, def);
            if self.program.is_property(def) {
                return Member::Property { owner: class, def };
            }
        }
        Member::Function { owner: class, def: last }
    }

    /// `receiver.name`
    pub(crate) fn attribute(&mut self, receiver: Ty, name: Symbol) -> Ty {
        self.each_part(receiver, |this, part| this.attribute_of(part, name))
    }

    fn attribute_of(&mut self, receiver: Ty, name: Symbol) -> Ty {
        match self.types.get(receiver).clone() {
            Type::Module(node) => match self.module_attribute(node, name) {
                Some(ty) => ty,
                None if self.program.modules.get(node).file.is_none() => {
                    // A namespace package may have parts outside.
                    let module = self.program.modules.get(node).path.replace('/', ".");
                    let path = format!("{module}.{}", self.program.symbols.text(name));
                    self.outside(&path)
                }
                None => Ty::UNKNOWN,
            },
            Type::Outside(path) | Type::OutsideClass(path, _) => {
                let path = compact_str::format_compact!(
                    "{}.{}",
                    self.program.symbols.text(path),
                    self.program.symbols.text(name)
                );
                self.outside(&path)
            }
            Type::OutsideInstance(path, args) if self.program.symbols.text(path) == "type" && args.len() == 1 => {
                let class = self.class_of_instance(args[0]);
                if class == receiver { Ty::UNKNOWN } else { self.attribute(class, name) }
            }
            Type::OutsideInstance(..) | Type::Tuple(_) => self.types.add(Type::OutsideMethod(name, receiver)),
            Type::OutsideMethod(..) | Type::External => Ty::EXTERNAL,
            Type::Class(class, args) => match self.member(class, name) {
                Lookup::Found(member) => self.read_member(member, class, &args, receiver, true),
                Lookup::Outside => Ty::EXTERNAL,
                Lookup::Missing => self.metaclass_member(class, name, receiver),
            },
            Type::Instance(class, args) => match self.member(class, name) {
                Lookup::Found(member) => self.read_member(member, class, &args, receiver, false),
                _ if self.program.symbols.text(name) == "__class__" => self.types.add(Type::Class(class, args)),
                Lookup::Outside => Ty::EXTERNAL,
                Lookup::Missing => self.computed_attribute(class, receiver),
            },
            Type::Super(class, inner) => self.super_member(class, inner, name),
            Type::Variable(variable) => {
                let bound = self.type_variable_bound(variable);
                if bound == Ty::UNKNOWN { Ty::UNKNOWN } else { self.attribute(bound, name) }
            }
            Type::Function(def) => {
                let decorated = self.decorated(def);
                if decorated == receiver { Ty::EXTERNAL } else { self.attribute(decorated, name) }
            }
            Type::Method(def, _) => {
                let decorated = self.decorated(def);
                let is_instance = matches!(self.types.get(decorated), Type::Instance(..));
                if is_instance { self.attribute(decorated, name) } else { Ty::EXTERNAL }
            }
            Type::None | Type::Unknown | Type::Union(_) => Ty::UNKNOWN,
        }
    }

    /// What `__getattr__` gives for a name that no class declares.
    fn computed_attribute(&mut self, class: ClassId, receiver: Ty) -> Ty {
        let name = self.program.symbols.intern("__getattr__");
        match self.member(class, name) {
            Lookup::Found(Member::Function { .. }) => {
                let method = self.attribute(receiver, name);
                self.called(method)
            }
            _ => Ty::UNKNOWN,
        }
    }

    /// The class that an instance is of; of a type variable its bound's.
    pub(super) fn class_of_instance(&mut self, instance: Ty) -> Ty {
        self.each_part(instance, |this, part| match this.types.get(part).clone() {
            Type::Instance(class, args) => this.types.add(Type::Class(class, args)),
            Type::OutsideInstance(path, _) => this.types.add(Type::Outside(path)),
            Type::Variable(variable) => {
                let bound = this.type_variable_bound(variable);
                if matches!(this.types.get(bound), Type::Variable(_)) {
                    Ty::UNKNOWN
                } else {
                    this.class_of_instance(bound)
                }
            }
            _ => Ty::UNKNOWN,
        })
    }

    fn metaclass_member(&mut self, class: ClassId, name: Symbol, receiver: Ty) -> Ty {
        let mro = self.mro(class);
        for ancestor in mro.iter() {
            let Ancestor::Class(class, _) = ancestor else { continue };
            let (file, _, body) = self.program.class_facts(*class);
            let facts = self.program.facts(file);
            let Some((_, meta)) = body.keywords.iter().find(|(k, _)| facts.name(*k) == "metaclass") else { continue };
            let meta = self.expr(file, *meta);
            if let Type::Class(meta, args) = self.types.get(meta).clone()
                && let Lookup::Found(member) = self.member(meta, name)
            {
                return self.read_member(member, meta, &args, receiver, false);
            }
            return Ty::EXTERNAL;
        }
        // Every class has `mro`, `__subclasses__` and so on.
        Ty::UNKNOWN
    }

    fn super_member(&mut self, class: ClassId, receiver: Ty, name: Symbol) -> Ty {
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
        match self.member_in(&mro[after.min(mro.len())..], name) {
            Lookup::Found(member) => {
                let on_class = matches!(self.types.get(receiver), Type::Class(..));
                let none = self.types.none();
                self.read_member(member, base, &none, receiver, on_class)
            }
            Lookup::Outside | Lookup::Missing => Ty::EXTERNAL,
        }
    }

    /// A member as it is read through a class or an instance.
    fn read_member(&mut self, member: Member, class: ClassId, args: &Tys, receiver: Ty, on_class: bool) -> Ty {
        match member {
            Member::Function { def, .. } => {
                let is_static = self.program.is_decorated(def, &["staticmethod"]);
                let name = self.program.name_of(def);
                let on_its_class = self.program.is_decorated(def, &["classmethod"])
                    || matches!(name, "__init_subclass__" | "__class_getitem__");
                if is_static || name == "__new__" || (on_class && !on_its_class) {
                    return self.types.add(Type::Function(def));
                }
                if let Some(value) = self.descriptor_value(def) {
                    return value;
                }
                self.types.add(Type::Method(def, receiver))
            }
            Member::Property { owner, def } => {
                if on_class {
                    return Ty::EXTERNAL;
                }
                let ty = self.returned(def);
                let map = self.arguments_of(class, args, owner);
                let ty = self.substituted(ty, &map);
                self.with_self(ty, receiver)
            }
            Member::Value { owner, ty } => {
                let map = self.arguments_of(class, args, owner);
                let ty = self.substituted(ty, &map);
                let ty = self.with_self(ty, receiver);
                self.each_part(ty, super::infer::Linker::bound_value)
            }
        }
    }

    /// A value with `__get__` is read as what that returns.
    fn bound_value(&mut self, value: Ty) -> Ty {
        let Type::Instance(class, _) = *self.types.get(value) else { return value };
        let get = self.program.symbols.intern("__get__");
        match self.member(class, get) {
            Lookup::Found(Member::Function { .. }) => {
                let method = self.attribute(value, get);
                self.called(method)
            }
            _ => value,
        }
    }

    /// What a method is read as whose decorator makes a descriptor of it.
    fn descriptor_value(&mut self, def: GlobalDef) -> Option<Ty> {
        if self.program.def(def).decorators.is_empty() {
            return None;
        }
        let decorated = self.decorated(def);
        let Type::Instance(class, _) = *self.types.get(decorated) else { return None };
        let get = self.program.symbols.intern("__get__");
        let call = self.program.symbols.intern("__call__");
        let has = |this: &mut Self, name| matches!(this.member(class, name), Lookup::Found(_));
        (has(self, get) && !has(self, call)).then(|| self.bound_value(decorated))
    }

    /// True where a class is an `enum`.
    pub(crate) fn is_enum(&mut self, class: ClassId) -> bool {
        self.mro(class).iter().any(|a| match a {
            Ancestor::Outside(path) => matches!(
                self.program.symbols.text(*path),
                "enum.Enum" | "enum.IntEnum" | "enum.StrEnum" | "enum.Flag" | "enum.IntFlag"
            ),
            _ => false,
        })
    }

    /// The annotation that the overridden method of a base gives a parameter.
    pub(super) fn inherited_parameter(&mut self, owner: ClassId, def: GlobalDef, position: usize) -> Option<Ty> {
        let name = self.program.symbols.intern(self.program.name_of(def));
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
            let ty = self.annotation(file, *annotation);
            return (ty != Ty::UNKNOWN).then_some(ty);
        }
        None
    }
}
