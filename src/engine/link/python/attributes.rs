//! Types of attribute reads: `receiver.name`.

use compact_str::CompactString;
use smallvec::SmallVec;

use super::{
    limits::MAX_INHERITED,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    mro_table::{Ancestor, MroId},
    program::{ClassId, GlobalDef, GlobalName, ModuleNodeId},
    types::{Type, TypeId, TypeList},
};
use apidisc_facts::syntax::python::facts::Expr;

/// The model of pydantic that holds one value of any type, its attribute `root`.
const ROOT_MODEL: &str = "pydantic.RootModel";

impl Linker<'_> {
    /// The type of `receiver.name`.
    pub(crate) fn attribute_type(&mut self, receiver: TypeId, name: GlobalName) -> TypeId {
        self.map_union(receiver, |this, part| this.attribute_of_part(part, name))
    }

    fn attribute_of_part(&mut self, receiver: TypeId, name: GlobalName) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        match self.types.get(receiver).clone() {
            Type::Module(node) => match self.module_attribute(node, name) {
                Some(ty) => ty,
                None if self.program.modules.get(node).file.is_none() => {
                    // A namespace package may have portions outside the sources (PEP 420).
                    let module = self.program.modules.path_in_source(node).replace('/', ".");
                    let path = format!("{module}.{}", self.program.interner.text(name));
                    self.external_name(&path)
                }
                None => self.module_getattr(node, name),
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
            Type::ExternalInstance(path, args) if self.is_root_of(path, name) && args.len() == 1 => args[0],
            Type::ExternalInstance(..) | Type::Tuple(_) => self.external_attribute_type(name, receiver),
            Type::ExternalMethod(..) | Type::External => TypeId::EXTERNAL,
            Type::Class(class, _) if self.program.interner.text(name) == "__members__" && self.is_enum(class) => {
                let (key, member) = (self.external_instance("str", &[]), self.types.instance(class));
                self.external_instance("dict", &[key, member])
            }
            Type::Class(class, args) => match self.lookup_member(class, name) {
                MemberLookup::Found(member) => self.member_type(member, class, &args, receiver, true),
                MemberLookup::External if self.is_known_factory(class, name) => {
                    self.types.add(Type::ExternalMethod(name, receiver))
                }
                MemberLookup::External => TypeId::EXTERNAL,
                // Classes find `__new__` in `object` before they look at their metaclass.
                MemberLookup::Missing if self.program.interner.text(name) == "__new__" => {
                    self.external_name("object.__new__")
                }
                MemberLookup::Missing => self.metaclass_member(class, name, receiver),
            },
            Type::Instance(class, args) => match self.lookup_member(class, name) {
                MemberLookup::Found(member) => self.member_type(member, class, &args, receiver, false),
                _ if self.program.interner.text(name) == "__class__" => self.types.add(Type::Class(class, args)),
                MemberLookup::External if self.is_known_method(class, name) => {
                    self.types.add(Type::ExternalMethod(name, receiver))
                }
                MemberLookup::External => match self.container_base(class, &args, name) {
                    Some(container) => self.types.add(Type::ExternalMethod(name, container)),
                    None => self.attribute_of_external_base(class, &args, name),
                },
                MemberLookup::Missing => match self.getattr_type(class, receiver) {
                    TypeId::UNKNOWN => self.attribute_of_subclasses(class, name),
                    found => found,
                },
            },
            Type::Super(class, inner) => self.super_member(class, inner, name),
            Type::Variable(variable) => {
                let bound = self.type_variable_bound(variable);
                if bound.is_unknown() { bound } else { self.attribute_type(bound, name) }
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
            Type::TooComplex => receiver,
            Type::None | Type::Unknown | Type::Union(_) => TypeId::UNKNOWN,
        }
    }

    /// The first base from outside the sources with type arguments that a class extends and whose path `is_searched`
    /// accepts: `dict[str, Agent]` of `class Agents(dict[str, Agent])`. `args` replace the type variables of the class.
    fn subscripted_base(
        &mut self,
        class: ClassId,
        args: &TypeList,
        is_searched: impl Fn(&str) -> bool,
    ) -> Option<TypeId> {
        let mro = self.mro(class);
        let classes: SmallVec<[ClassId; 8]> = self.mro_table.classes(mro).take(MAX_INHERITED).collect();
        for ancestor in classes {
            let (file, _, body) = self.program.class_facts(ancestor);
            let facts = self.program.facts(file);
            for (base, _) in &body.bases {
                if !matches!(facts.expr(*base), Expr::Subscript { .. }) {
                    continue;
                }
                let base = self.annotation_type(file, *base);
                let Type::ExternalInstance(path, items) = self.types.get(base) else { continue };
                if !items.is_empty() && is_searched(self.program.interner.text(*path)) {
                    let map = self.arguments_of(class, args, ancestor);
                    return Some(self.substitute(base, &map));
                }
            }
        }
        None
    }

    /// The container from outside the sources, with its item types, that a class extends: `dict[str, Agent]`.
    /// `method` is the method that it has to provide.
    fn container_base(&mut self, class: ClassId, args: &TypeList, method: GlobalName) -> Option<TypeId> {
        let method = CompactString::from(self.program.interner.text(method));
        self.subscripted_base(class, args, |path| provides(path, &method))
    }

    /// The type of an attribute that a class inherits from a base outside the sources.
    fn attribute_of_external_base(&mut self, class: ClassId, args: &TypeList, name: GlobalName) -> TypeId {
        let root = self.root_of_model(class, args, name);
        root.or_else(|| self.inherited_declared_attribute(class, name)).unwrap_or(TypeId::EXTERNAL)
    }

    /// The type of the attribute `root` of a class that extends `RootModel[T]` of pydantic: `T`. `None` for any other
    /// attribute and class.
    fn root_of_model(&mut self, class: ClassId, args: &TypeList, name: GlobalName) -> Option<TypeId> {
        if self.program.interner.text(name) != "root" {
            return None;
        }
        let model = self.subscripted_base(class, args, |path| path == ROOT_MODEL)?;
        match self.types.get(model) {
            Type::ExternalInstance(_, parts) if parts.len() == 1 => Some(parts[0]),
            _ => None,
        }
    }

    /// True for the attribute `root` of the class `RootModel` of pydantic.
    fn is_root_of(&self, class: GlobalName, name: GlobalName) -> bool {
        self.program.interner.text(name) == "root" && self.program.interner.text(class) == ROOT_MODEL
    }

    /// True for a method of a `NamedTuple` or `TypedDict` class, or of a subclass of `argparse.ArgumentParser` or
    /// `logging.Logger`, whose result follows from the class.
    fn is_known_method(&mut self, class: ClassId, name: GlobalName) -> bool {
        let mro = self.mro(class);
        let node = self.mro_table.get(mro);
        match self.program.interner.text(name) {
            "add_subparsers" => {
                let parser = self.program.interner.intern("argparse.ArgumentParser");
                self.inherits_external(class, parser)
            }
            // Children have the type of the logger (`Self` in the stubs of the standard library).
            "getChild" => {
                let logger = self.program.interner.intern("logging.Logger");
                self.inherits_external(class, logger)
            }
            "_replace" => node.is_named_tuple(),
            "model_copy" | "copy" => node.is_pydantic(),
            "get" => node.is_typed_dict(),
            _ => false,
        }
    }

    /// The type that `__getattribute__` or `__getattr__` of the class of `receiver` returns for a name that no class
    /// declares (data model, "Customizing attribute access").
    fn getattr_type(&mut self, class: ClassId, receiver: TypeId) -> TypeId {
        for name in ["__getattribute__", "__getattr__"] {
            let name = self.program.interner.intern(name);
            if let MemberLookup::Found(ClassMember::Function { def, .. }) = self.lookup_member(class, name) {
                let method = self.types.add(Type::Method(def, receiver));
                let ty = self.call_type(method);
                if !ty.is_unknown() {
                    return ty;
                }
            }
        }
        TypeId::UNKNOWN
    }

    /// The type that the function `__getattr__` of a module returns for a name that the module does not bind (PEP 562).
    pub(super) fn module_getattr(&mut self, node: ModuleNodeId, name: GlobalName) -> TypeId {
        let getattr = self.program.interner.intern("__getattr__");
        if name == getattr {
            return TypeId::UNKNOWN;
        }
        match self.module_attribute(node, getattr) {
            Some(function) if matches!(self.types.get(function), Type::Function(_)) => self.call_type(function),
            _ => TypeId::UNKNOWN,
        }
    }

    /// True for a class method from outside the sources that makes an instance of the class: a factory of pydantic's
    /// models, or `_make` of a named tuple.
    fn is_known_factory(&mut self, class: ClassId, name: GlobalName) -> bool {
        let mro = self.mro(class);
        let node = self.mro_table.get(mro);
        match self.program.interner.text(name) {
            "_make" => node.is_named_tuple(),
            name => node.is_pydantic() && is_model_factory(name),
        }
    }

    /// The class of an instance; for a type variable, the class of its bound.
    pub(super) fn class_of_instance(&mut self, instance: TypeId) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
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

    pub(super) fn metaclass_member(&mut self, class: ClassId, name: GlobalName, receiver: TypeId) -> TypeId {
        let mro = self.mro(class);
        let classes: Vec<ClassId> = self.mro_table.classes(mro).take(MAX_INHERITED).collect();
        for class in classes {
            let (file, _, body) = self.program.class_facts(class);
            let facts = self.program.facts(file);
            let Some((_, meta)) = body.keywords.iter().find(|(k, _)| facts.name(*k) == "metaclass") else { continue };
            let meta = self.expr_type(file, *meta);
            let Type::Class(meta, args) = self.types.get(meta).clone() else { return TypeId::EXTERNAL };
            if let MemberLookup::Found(member) = self.lookup_member(meta, name) {
                return self.member_type(member, meta, &args, receiver, false);
            }
            return match self.getattr_type(meta, receiver) {
                TypeId::UNKNOWN => TypeId::EXTERNAL,
                found => found,
            };
        }
        // Members of `type`, such as `__subclasses__`, are not modelled.
        TypeId::UNKNOWN
    }

    /// The class whose method resolution order `super()` in `class` searches: that of the receiver, if it is known.
    fn searched_class(&self, class: ClassId, receiver: TypeId) -> ClassId {
        match *self.types.get(receiver) {
            Type::Instance(class, _) | Type::Class(class, _) => class,
            _ => class,
        }
    }

    /// Looks up the member that `super()` in `class` finds.
    pub(super) fn lookup_above(&mut self, class: ClassId, receiver: TypeId, name: GlobalName) -> MemberLookup {
        let base = self.searched_class(class, receiver);
        let mro = self.mro(base);
        let is_class = |id: &MroId| matches!(self.mro_table.get(*id).ancestor, Ancestor::Class(c, _) if c == class);
        let found = self.mro_table.ids(mro).find(is_class);
        let position = found.unwrap_or_else(|| self.mro(class));
        self.lookup_member_in(self.mro_table.get(position).rest, name)
    }

    fn super_member(&mut self, class: ClassId, receiver: TypeId, name: GlobalName) -> TypeId {
        let base = self.searched_class(class, receiver);
        match self.lookup_above(class, receiver, name) {
            MemberLookup::Found(member) => {
                let on_class = matches!(self.types.get(receiver), Type::Class(..));
                let none = self.types.no_arguments();
                self.member_type(member, base, &none, receiver, on_class)
            }
            _ if self.program.interner.text(name) == "__new__" => self.external_name("object.__new__"),
            MemberLookup::External | MemberLookup::Missing => TypeId::EXTERNAL,
        }
    }

    /// The type of a member that is read through a class (`on_class`) or an instance.
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
                if let Some(value) = self.method_descriptor_value(def, (!on_class).then_some(receiver)) {
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
            ClassMember::Value { owner, ty, in_body } => {
                let map = self.arguments_of(class, args, owner);
                let ty = self.substitute(ty, &map);
                let ty = self.bind_self_type(ty, receiver);
                if !in_body {
                    return ty;
                }
                let instance = (!on_class).then_some(receiver);
                self.map_union(ty, |this, part| match this.built_in_descriptor(part, receiver, on_class) {
                    Some(value) => value,
                    None => this.descriptor_get(part, instance),
                })
            }
        }
    }

    /// The type that reading an attribute of `instance`, or of a class if it is `None`, gives if the attribute's value
    /// has the type `value`: the return type of `__get__` if `value` is a descriptor, else `value` itself.
    fn descriptor_get(&mut self, value: TypeId, instance: Option<TypeId>) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        if let Some(function) = self.static_function(value) {
            return function;
        }
        let Type::Instance(class, args) = self.types.get(value).clone() else { return value };
        let get = self.program.interner.intern("__get__");
        match self.lookup_member(class, get) {
            MemberLookup::Found(ClassMember::Function { owner, def }) => {
                let overload = self.overloads(def).into_iter().find(|&def| self.takes_instance(def, instance));
                if let Some(overload) = overload {
                    let map = self.arguments_of(class, &args, owner);
                    let ty = self.return_type(overload);
                    let ty = self.substitute(ty, &map);
                    return self.bind_self_type(ty, value);
                }
                let method = self.attribute_type(value, get);
                self.call_type(method)
            }
            _ => value,
        }
    }

    /// The function of a value `staticmethod(function)`, which is what reading an attribute of that value gives.
    pub(super) fn static_function(&self, value: TypeId) -> Option<TypeId> {
        let Type::ExternalInstance(path, args) = self.types.get(value) else { return None };
        (self.program.interner.text(*path) == "staticmethod").then(|| args.first().copied()).flatten()
    }

    /// True if an overload of `__get__` may be called with `instance`; reading an attribute of a class passes Python's
    /// `None` (descriptor protocol).
    fn takes_instance(&mut self, overload: GlobalDef, instance: Option<TypeId>) -> bool {
        let parameter = self.program.function(overload).and_then(|function| function.parameters.get(1));
        let Some((annotation, _)) = parameter.and_then(|p| p.annotation.as_ref()) else { return true };
        let declared = self.annotation_type(self.program.file_of(overload), *annotation);
        let class_of = |ty| match *self.types.get(ty) {
            Type::Instance(class, _) => Some(class),
            _ => None,
        };
        let class = instance.and_then(class_of);
        self.types.parts(declared).iter().any(|&part| match *self.types.get(part) {
            Type::None => instance.is_none(),
            Type::Instance(wanted, _) => match class {
                Some(class) => self.inherits(class, wanted),
                None => instance.is_some(),
            },
            _ => true,
        })
    }

    /// The type that reading a method gives if its decorators turn it into a descriptor that cannot be called; `None`
    /// for any other method.
    fn method_descriptor_value(&mut self, def: GlobalDef, instance: Option<TypeId>) -> Option<TypeId> {
        if self.program.def(def).decorators.is_empty() {
            return None;
        }
        let decorated = self.decorated_type(def);
        let Type::Instance(class, _) = *self.types.get(decorated) else { return None };
        let get = self.program.interner.intern("__get__");
        let call = self.program.interner.intern("__call__");
        let has = |this: &mut Self, name| matches!(this.lookup_member(class, name), MemberLookup::Found(_));
        (has(self, get) && !has(self, call)).then(|| self.descriptor_get(decorated, instance))
    }
}

/// True for the class methods by which pydantic makes a model from data.
pub(super) fn is_model_factory(method: &str) -> bool {
    matches!(
        method,
        "model_validate"
            | "model_validate_json"
            | "model_validate_strings"
            | "model_construct"
            | "parse_obj"
            | "parse_raw"
            | "parse_file"
            | "from_orm"
            | "construct"
    )
}

/// True if the generic base `path` from outside the sources provides the method `name` with a type that its type
/// arguments determine.
fn provides(path: &str, name: &str) -> bool {
    match path {
        "dict" | "list" | "set" | "frozenset" | "tuple" | "Iterable" => true,
        "Awaitable" => name == "__await__",
        "AsyncIterable" => matches!(name, "__aiter__" | "__anext__"),
        "ContextManager" => name == "__enter__",
        "AsyncContextManager" => name == "__aenter__",
        _ => false,
    }
}
