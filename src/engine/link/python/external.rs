//! Types of calls and attributes from outside the sources. They matter where a result contains a type of the sources,
//! such as `sorted(agents)`. Most follow from declaration files (see `platform`); here are those that no declaration
//! can express.

use super::{
    attributes::is_model_factory,
    calls::PassedArguments,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    partial_objects::PARTIAL,
    program::{ClassId, GlobalDef, GlobalName},
    types::{Type, TypeId, TypeList},
};
use apidisc_facts::{
    program::ArgumentKind,
    syntax::python::facts::{Arg, Expr, ExprId},
};

impl Linker<'_> {
    /// The type of a call of a function or class from outside the sources. `path` is its dotted path.
    pub(super) fn external_call_type(&mut self, path: GlobalName, passed: Option<PassedArguments>) -> TypeId {
        let special = self.special_call_type(path, passed);
        if let Some(known) = special.or_else(|| self.declared_call_type(path, passed)) {
            return known;
        }
        let text = self.program.interner.text(path);
        let name = text.rsplit('.').next().unwrap_or(text);
        // By convention (PEP 8), only classes have names that begin with a capital letter.
        if name.starts_with(char::is_uppercase) {
            self.types.add(Type::ExternalInstance(path, self.types.no_arguments()))
        } else {
            TypeId::EXTERNAL
        }
    }

    /// The type of a call whose result no declaration can express. `None` for any other function or class.
    fn special_call_type(&mut self, path: GlobalName, passed: Option<PassedArguments>) -> Option<TypeId> {
        let text = self.program.interner.text(path);
        Some(match text {
            // The first argument is an annotation, which may be a string.
            "typing.cast" | "typing_extensions.cast" => match passed.and_then(|p| Some((p, p.arguments.first()?))) {
                Some((passed, target)) => self.annotation_type(passed.file, target.value),
                None => TypeId::UNKNOWN,
            },
            // Calls that declare classes.
            "typing.NewType" | "typing_extensions.NewType" => {
                let class = self.positional_types(passed).get(1).copied().unwrap_or_default();
                let instance = self.instance_of_class(class);
                self.external_class("typing.NewType", &[instance])
            }
            "typing.NamedTuple"
            | "typing_extensions.NamedTuple"
            | "typing.TypedDict"
            | "typing_extensions.TypedDict"
            | "collections.namedtuple" => {
                let text = text.to_owned();
                return self.declared_record(&text, passed);
            }
            // Reading an attribute with such a value calls or binds the function: see `built_in_descriptor`.
            "property" | "classmethod" | "functools.cached_property" | "functools.partialmethod" => {
                let path = text.to_owned();
                let getter = passed.and_then(|passed| self.keyword_argument(passed, "fget"));
                let function = match (getter, passed) {
                    (Some(getter), Some(passed)) => self.expr_type(passed.file, getter),
                    _ => self.positional_types(passed).first().copied().unwrap_or_default(),
                };
                self.external_instance(&path, &[function])
            }
            // The result is the class of a value, or an instance of a class that is a value.
            "type" => {
                let &[value] = &self.positional_types(passed)[..] else { return self.made_class(passed?) };
                self.map_union(value, |this, part| match this.types.get(part).clone() {
                    Type::Instance(class, args) => this.types.add(Type::Class(class, args)),
                    Type::ExternalInstance(path, _) => this.types.add(Type::ExternalName(path)),
                    _ => TypeId::UNKNOWN,
                })
            }
            "importlib.import_module" | "pytest.importorskip" => {
                let passed = passed?;
                let facts = self.program.facts(passed.file);
                let Expr::Str(Some(module)) = facts.expr(passed.arguments.first()?.value) else { return None };
                let module = self.module_named(passed.file, facts.name(module))?;
                self.types.add(Type::Module(module))
            }
            "object.__new__" => {
                let class = self.positional_types(passed).first().copied().unwrap_or_default();
                self.instance_of_class(class)
            }
            // The value of the attribute is unknown; a missing attribute yields the default.
            "getattr" => match self.positional_types(passed).get(2) {
                Some(&default) if default != TypeId::NONE && self.is_defined_in_sources(default) => {
                    self.types.union([TypeId::EXTERNAL, default])
                }
                _ => TypeId::UNKNOWN,
            },
            // Several classes with different constructors count as `dict`.
            "dict" => {
                let args = self.positional_types(passed);
                self.dict_call_type(&args, passed)
            }
            // The condition narrows the items.
            "filter" => {
                let &[condition, items, ..] = &self.positional_types(passed)[..] else { return None };
                let item = self.iteration_type(items);
                let item = self.accepted_by(condition, item);
                self.external_instance("Iterable", &[item])
            }
            // The iterator that `__iter__` returns may be an instance of a class of the sources, with methods of its
            // own.
            "iter" => {
                let &[value] = &self.positional_types(passed)[..] else { return None };
                if !matches!(self.types.get(value), Type::Instance(..)) {
                    return None;
                }
                let iter = self.program.interner.intern("__iter__");
                let method = self.attribute_type(value, iter);
                let iterator = self.call_type(method);
                if !matches!(self.types.get(iterator), Type::Instance(..)) {
                    return None;
                }
                iterator
            }
            // The items of the rows have the types of the arguments, however many these are.
            "zip" | "itertools.zip_longest" | "itertools.product" => {
                let args = self.positional_types(passed);
                let items: Vec<TypeId> = args.iter().map(|&arg| self.iteration_type(arg)).collect();
                let row = self.types.add(Type::Tuple(items.into()));
                self.external_instance("Iterable", &[row])
            }
            "asyncio.gather" => self.gathered_type(passed),
            PARTIAL => return self.partial_object(passed),
            _ => return None,
        })
    }

    /// The type of `asyncio.gather(first, second)` and `asyncio.gather(*all)`.
    fn gathered_type(&mut self, passed: Option<PassedArguments>) -> TypeId {
        let args = self.positional_types(passed);
        let items: Vec<TypeId> = args.iter().map(|&arg| self.awaited_type(arg)).collect();
        let spread = passed.and_then(|p| Some((p.file, p.arguments.first()?)));
        let row = if let Some((file, Arg { kind: ArgumentKind::Star, value, .. })) = spread {
            let items = self.expr_type(file, *value);
            let item = self.iteration_type(items);
            let item = self.awaited_type(item);
            self.external_instance("list", &[item])
        } else if items.is_empty() {
            self.external_instance("list", &[])
        } else {
            self.types.add(Type::Tuple(items.into()))
        };
        self.external_instance("Awaitable", &[row])
    }

    /// The type of a call of a declared function, class or class method. `None` if no declaration file declares it.
    pub(super) fn declared_call_type(&mut self, path: GlobalName, passed: Option<PassedArguments>) -> Option<TypeId> {
        let def = self.program.declarations.get(path)?;
        if let Some(class) = self.program.class_of(def) {
            return Some(self.declared_instance(class, passed));
        }
        let callee = match self.program.owner(def) {
            Some(owner) => {
                let class = self.path_of_class(owner)?;
                let receiver = self.types.add(Type::ExternalName(class));
                self.types.add(Type::Method(def, receiver))
            }
            None => self.types.add(Type::Function(def)),
        };
        Some(self.call_type_with(callee, passed))
    }

    /// The function or method of a declaration file that a callee from outside the sources stands for, and whether its
    /// receiver is bound.
    pub(super) fn library_function(&mut self, callee: TypeId) -> Option<(GlobalDef, bool)> {
        match *self.types.get(callee) {
            Type::ExternalName(path) => {
                let def = self.program.declarations.get(path)?;
                self.program.function(def).map(|_| (def, self.program.owner(def).is_some()))
            }
            Type::ExternalMethod(name, receiver) => {
                let (class, _) = self.library_class(receiver)?;
                match self.lookup_member(class, name) {
                    MemberLookup::Found(ClassMember::Function { def, .. }) => Some((def, true)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The type of a call of a declared class: what its `__new__` returns, else an instance.
    fn declared_instance(&mut self, class: ClassId, passed: Option<PassedArguments>) -> TypeId {
        let Some(path) = self.path_of_class(class) else { return TypeId::EXTERNAL };
        let new = self.program.interner.intern("__new__");
        if let MemberLookup::Found(ClassMember::Function { def, .. }) = self.lookup_member(class, new) {
            let receiver = self.types.add(Type::ExternalName(path));
            let callee = self.types.add(Type::Method(def, receiver));
            return self.call_type_with(callee, passed);
        }
        let init = self.program.interner.intern("__init__");
        let arguments = match self.lookup_member(class, init) {
            MemberLookup::Found(_) => self.inferred_type_arguments(class, passed),
            _ => Vec::new(),
        };
        self.types.add(Type::ExternalInstance(path, arguments.into()))
    }

    fn path_of_class(&self, class: ClassId) -> Option<GlobalName> {
        self.program.declarations.path_of(self.program.class_def(class))
    }

    /// The value of a keyword argument.
    fn keyword_argument(&self, passed: PassedArguments, name: &str) -> Option<ExprId> {
        let facts = self.program.facts(passed.file);
        let is_named = |argument: &&Arg| argument.keyword.is_some_and(|keyword| facts.name(keyword) == name);
        passed.arguments.iter().find(is_named).map(|argument| argument.value)
    }

    /// The type of an attribute of an instance of a class from outside the sources.
    pub(super) fn external_attribute_type(&mut self, name: GlobalName, receiver: TypeId) -> TypeId {
        if let Some(field) = self.declared_attribute(receiver, name) {
            return field;
        }
        if let Some((class, arguments)) = self.library_class(receiver)
            && let MemberLookup::Found(ClassMember::Value { owner, ty, .. }) = self.lookup_member(class, name)
            && !self.is_without_arguments(class, &arguments)
        {
            let map = self.arguments_of(class, &arguments, owner);
            return self.substitute(ty, &map);
        }
        self.types.add(Type::ExternalMethod(name, receiver))
    }

    /// True for a generic class without arguments for its type parameters: the types of its parts are not known.
    fn is_without_arguments(&mut self, class: ClassId, arguments: &TypeList) -> bool {
        let parameters = self.type_parameters(class);
        parameters.iter().skip(arguments.len()).any(|&parameter| !self.has_default(parameter))
    }

    /// The type of a call of a method on an instance of a class from outside the sources.
    pub(super) fn external_method_call_type(
        &mut self,
        name: GlobalName,
        receiver: TypeId,
        passed: Option<PassedArguments>,
    ) -> TypeId {
        let method = self.program.interner.text(name);
        match *self.types.get(receiver) {
            Type::Instance(..) if matches!(method, "_replace" | "getChild" | "model_copy" | "copy") => return receiver,
            Type::Class(..) if method == "_make" || is_model_factory(method) => {
                return self.instance_of_class(receiver);
            }
            // The parser of a subcommand has the class of the main parser, unless `parser_class` is passed.
            Type::Instance(..) if method == "add_subparsers" => {
                let has_class = passed.is_some_and(|passed| self.keyword_argument(passed, "parser_class").is_some());
                return if has_class {
                    TypeId::EXTERNAL
                } else {
                    self.external_instance("argparse._SubParsersAction", &[receiver])
                };
            }
            Type::Instance(class, _) if method == "get" => return self.typed_dict_get(class, passed),
            _ => {}
        }
        let known = self.method_of_record(name, receiver, passed);
        known.or_else(|| self.declared_method_call_type(name, receiver, passed)).unwrap_or(TypeId::EXTERNAL)
    }

    /// The type of a call of a method on an instance of a named tuple or typed dict that a call declares.
    fn method_of_record(
        &mut self,
        name: GlobalName,
        receiver: TypeId,
        passed: Option<PassedArguments>,
    ) -> Option<TypeId> {
        let Type::ExternalInstance(path, args) = self.types.get(receiver) else { return None };
        match (self.program.interner.text(*path), self.program.interner.text(name)) {
            _ if args.is_empty() => None,
            ("typing.NamedTuple", "_replace") => Some(receiver),
            ("typing.TypedDict", "get") => {
                let passed = passed?;
                let item = self.declared_item(receiver, passed.file, passed.arguments.first()?.value)?;
                let default = self.positional_types(Some(passed)).get(1).copied().unwrap_or(TypeId::NONE);
                Some(self.types.union([item, default]))
            }
            _ => None,
        }
    }

    /// The type of a call of a method that a declaration file declares. `None` if none declares it.
    fn declared_method_call_type(
        &mut self,
        name: GlobalName,
        receiver: TypeId,
        passed: Option<PassedArguments>,
    ) -> Option<TypeId> {
        let (class, arguments) = self.library_class(receiver)?;
        let MemberLookup::Found(ClassMember::Function { owner, def }) = self.lookup_member(class, name) else {
            return None;
        };
        if self.is_without_arguments(class, &arguments) {
            let returned = self.return_type(def);
            let mut variables = Vec::new();
            self.collect_variables(returned, &mut variables);
            let of_class = self.type_parameters(owner);
            if variables.iter().any(|variable| of_class.contains(variable)) {
                // The items of a container that begins empty are unknown.
                let class = self.program.name_of(self.program.class_def(class));
                return matches!(class, "dict" | "list" | "set").then_some(TypeId::UNKNOWN);
            }
        }
        let callee = self.types.add(Type::Method(def, receiver));
        Some(self.call_type_with(callee, passed))
    }
}
