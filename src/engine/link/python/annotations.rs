//! Annotations (PEP 484). The type of the annotation's expression is inferred like that of any other expression. The
//! result is a class, and the annotated value is an instance of that class.

use super::{
    calls::PassedArguments,
    linker::Linker,
    literal_items::{position, range},
    names::MODULE,
    program::{FileIndex, GlobalBinding},
    standard_library,
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::ArgumentKind,
    syntax::python::facts::{Arg, BindingId, BindingKind, Expr, ExprId, ScopeId},
};

impl Linker<'_> {
    /// The type of a value with this annotation.
    pub(crate) fn annotation_type(&mut self, file: FileIndex, expr: ExprId) -> TypeId {
        let class = self.type_expr(file, expr);
        let instance = self.instance_of_class(class);
        self.map_union(instance, Self::with_defaults)
    }

    /// The type of a type expression: a class, or a union of classes.
    pub(super) fn type_expr(&mut self, file: FileIndex, expr: ExprId) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        match self.program.facts(file).expr(expr) {
            // A forward reference outside of annotation syntax, for example `Optional["Agent"]` in a type alias.
            Expr::Str(Some(name)) => self.lookup_name(file, ScopeId::new(MODULE), name),
            _ => self.expr_type(file, expr),
        }
    }

    /// The type of an instance of a class. Special forms are resolved: `type[C]`, `NewType`, `tuple[T, ...]`, `Self`.
    pub(crate) fn instance_of_class(&mut self, class: TypeId) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        match self.types.get(class).clone() {
            Type::Class(class, args) => self.types.add(Type::Instance(class, args)),
            Type::Union(parts) => {
                let parts: Vec<TypeId> = parts.iter().map(|&part| self.instance_of_class(part)).collect();
                self.types.union(parts)
            }
            Type::ExternalName(path) => match self.program.interner.text(path) {
                "typing.Any"
                | "typing_extensions.Any"
                | "object"
                | "typing.ClassVar"
                | "typing.Final"
                | "typing.TypeAlias"
                | "typing_extensions.TypeAlias"
                | "typing.NoReturn"
                | "typing.Never"
                | "typing_extensions.Final"
                | "typing_extensions.ClassVar" => TypeId::UNKNOWN,
                name if is_self(name) => self.external_instance("typing.Self", &[]),
                _ => self.types.add(Type::ExternalInstance(path, self.types.no_arguments())),
            },
            Type::ExternalClass(path, args) => match (self.program.interner.text(path), &args[..]) {
                ("type", &[class]) => match self.types.get(class) {
                    // The class is known only after the type variable has been substituted.
                    Type::Variable(_) => self.types.add(Type::ExternalInstance(path, args)),
                    // The same holds for `type[Self]` and the receiver.
                    Type::ExternalName(name) if is_self(self.program.interner.text(*name)) => {
                        let receiver = self.external_instance("typing.Self", &[]);
                        self.types.add(Type::ExternalInstance(path, [receiver].into()))
                    }
                    _ => class,
                },
                ("typing.NewType", &[instance]) => instance,
                ("tuple", [item, rest]) if *rest == TypeId::EXTERNAL => self.external_instance("tuple", &[*item]),
                ("tuple", _) => self.types.add(Type::Tuple(args)),
                _ => self.types.add(Type::ExternalInstance(path, args)),
            },
            Type::None | Type::Variable(_) | Type::External | Type::TooComplex => class,
            _ => TypeId::UNKNOWN,
        }
    }

    /// The type of `value[index]`, where `value` is a class or an instance.
    pub(super) fn subscript_type(&mut self, file: FileIndex, value: ExprId, index: ExprId) -> TypeId {
        let receiver = self.expr_type(file, value);
        if let Some(alias) = self.generic_alias(file, value) {
            let args = self.type_arguments(file, index);
            let map = alias.into_iter().zip(args).collect();
            return self.substitute(receiver, &map);
        }
        if matches!(self.types.get(receiver), Type::Variable(_) | Type::Union(_))
            && self.types.has_variable(receiver)
            && self.may_name_alias(file, value)
        {
            return self.subscripted_alias(file, receiver, index);
        }
        self.map_union(receiver, |this, part| this.subscript_part(file, part, index))
    }

    /// Whether an expression may name an alias of a type: a global variable or an import, in this module or in another
    /// one.
    fn may_name_alias(&mut self, file: FileIndex, value: ExprId) -> bool {
        let facts = self.program.facts(file);
        match facts.expr(value) {
            Expr::Name { name, scope, reaching } => {
                let is_alias = |binding: &BindingId| {
                    let kind = &facts.bindings[binding.index()].kind;
                    matches!(kind, BindingKind::ImportFrom { .. } | BindingKind::Assign { .. })
                };
                let bindings = match facts.reaching(reaching) {
                    [] => facts.bindings_of(ScopeId::new(MODULE), name),
                    reaching if scope.index() == MODULE => reaching,
                    // A local variable is a value of the type of the variable.
                    _ => return false,
                };
                !bindings.is_empty() && bindings.iter().all(is_alias)
            }
            Expr::Attribute { value, .. } => {
                let module = self.expr_type(file, value);
                matches!(self.types.get(module), Type::Module(_))
            }
            _ => false,
        }
    }

    /// The type of a subscripted alias of a type variable or union: `Body[C]` for `Body = Annotated[T, …]`, `Maybe[C]`
    /// for `Maybe = Optional[T]`. The type arguments replace the variables in the order of their first use (PEP 484).
    fn subscripted_alias(&mut self, file: FileIndex, alias: TypeId, index: ExprId) -> TypeId {
        let mut variables = Vec::new();
        self.collect_variables(alias, &mut variables);
        let items = self.index_items(file, index);
        let map = variables.iter().copied().zip(self.type_arguments(file, index)).collect();
        self.map_union(alias, |this, part| match *this.types.get(part) {
            // A variable that is a part by itself stands for a class, not for an instance.
            Type::Variable(variable) => {
                let at = variables.iter().position(|other| *other == variable);
                at.and_then(|at| items.get(at)).map_or(part, |&item| this.type_expr(file, item))
            }
            Type::None => part,
            _ => this.substitute(part, &map),
        })
    }

    /// The type parameters of the alias that an expression names: `type Pair[T] = tuple[T, T]` (PEP 695).
    fn generic_alias(&self, file: FileIndex, value: ExprId) -> Option<Vec<GlobalBinding>> {
        let facts = self.program.facts(file);
        let Expr::Name { name, reaching, .. } = facts.expr(value) else { return None };
        let bindings = match facts.reaching(reaching) {
            [] => facts.bindings_of(ScopeId::new(MODULE), name),
            reaching => reaching,
        };
        let &[binding] = bindings else { return None };
        match &facts.bindings[binding.index()].kind {
            BindingKind::TypeAlias { parameters, .. } if !parameters.is_empty() => {
                Some(parameters.iter().map(|&binding| GlobalBinding { file, binding }).collect())
            }
            _ => None,
        }
    }

    pub(super) fn subscript_part(&mut self, file: FileIndex, receiver: TypeId, index: ExprId) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        let facts = self.program.facts(file);
        match self.types.get(receiver).clone() {
            // A generic alias, whose type arguments replace its variables in the order of their first use (PEP 484).
            Type::Class(..) | Type::ExternalClass(..) if self.types.has_variable(receiver) => {
                let mut variables = Vec::new();
                self.collect_variables(receiver, &mut variables);
                let map = variables.into_iter().zip(self.type_arguments(file, index)).collect();
                self.substitute(receiver, &map)
            }
            Type::Class(class, _) => {
                if self.is_enum(class) {
                    return self.types.instance(class);
                }
                let name = self.program.interner.intern("__getitem__");
                let by_metaclass = self.metaclass_member(class, name, receiver);
                if let Type::Method(..) = self.types.get(by_metaclass) {
                    return self.call_type(by_metaclass);
                }
                let args = self.type_arguments(file, index);
                let args = self.with_variadic_argument(class, args).into();
                let args = self.with_default_arguments(class, args);
                self.types.add(Type::Class(class, args))
            }
            Type::ExternalName(path) => {
                let path = self.program.interner.text(path).to_owned();
                self.special_form(file, &path, index)
            }
            Type::Tuple(items) => {
                match facts.expr(index) {
                    Expr::Range(start, stop) => {
                        let items = items[range(start, stop, items.len())].into();
                        return self.types.add(Type::Tuple(items));
                    }
                    Expr::Slice => {
                        let item = self.types.union(items.iter().copied());
                        return self.external_instance("tuple", &[item]);
                    }
                    Expr::Position(at) => {
                        if let Some(&item) = position(at, items.len()).and_then(|at| items.get(at)) {
                            return item;
                        }
                    }
                    _ => {}
                }
                self.types.union(items.iter().copied())
            }
            Type::ExternalInstance(path, args) => {
                let sliced = matches!(facts.expr(index), Expr::Slice | Expr::Range(..));
                match (self.program.interner.text(path), &args[..]) {
                    ("list" | "tuple" | "Iterable", [_]) if sliced => receiver,
                    ("list" | "tuple" | "Iterable", &[item]) => item,
                    ("dict", &[_, value]) => value,
                    ("str" | "bytes", _) => receiver,
                    ("list" | "tuple" | "dict" | "Iterable", _) => TypeId::UNKNOWN,
                    _ => match self.declared_tuple(receiver) {
                        Some(tuple) => self.subscript_part(file, tuple, index),
                        None => self.declared_item(receiver, file, index).unwrap_or(TypeId::EXTERNAL),
                    },
                }
            }
            Type::Instance(class, _) => {
                if let Some(tuple) = self.tuple_of_instance(receiver) {
                    return self.subscript_part(file, tuple, index);
                }
                if let Some(item) = self.typed_dict_item(class, file, index) {
                    return item;
                }
                let name = self.program.interner.intern("__getitem__");
                let method = self.attribute_type(receiver, name);
                let argument = Arg { kind: ArgumentKind::Positional, keyword: None, value: index, literal: None };
                let passed = PassedArguments { file, arguments: &[argument], types: &[], decorated_function: None };
                self.map_union(method, |this, part| {
                    let method = match *this.types.get(part) {
                        Type::Method(def, _) => Some(def),
                        _ => None,
                    };
                    // If the overload is not known, the return type is that of the implementation, which covers all
                    // overloads.
                    let is_unsure = method.is_some_and(|def| this.is_overload_unsure(def, true, passed));
                    this.call_type_with(part, Some(passed).filter(|_| !is_unsure))
                })
            }
            Type::External => TypeId::EXTERNAL,
            _ => TypeId::UNKNOWN,
        }
    }

    /// The type arguments in an index. The type argument `C` is the type of an instance of the class `C`.
    fn type_arguments(&mut self, file: FileIndex, index: ExprId) -> Vec<TypeId> {
        self.index_items(file, index).into_iter().map(|item| self.annotation_type(file, item)).collect()
    }

    fn index_items(&self, file: FileIndex, index: ExprId) -> Vec<ExprId> {
        let facts = self.program.facts(file);
        match facts.expr(index) {
            Expr::Tuple(list) => facts.list(list).to_vec(),
            _ => vec![index],
        }
    }

    /// The type of a subscripted special form, for example `Optional[…]`. Any other external generic keeps its type
    /// arguments.
    fn special_form(&mut self, file: FileIndex, path: &str, index: ExprId) -> TypeId {
        // `items` may be empty: `Optional[()]` is valid syntax, although type checkers reject it.
        let items = self.index_items(file, index);
        let first = |linker: &mut Self| items.first().map_or(TypeId::UNKNOWN, |&item| linker.type_expr(file, item));
        let name = path.strip_prefix("typing.").or_else(|| path.strip_prefix("typing_extensions.")).unwrap_or(path);
        match name {
            "Optional" => {
                let inner = first(self);
                self.types.union([inner, TypeId::NONE])
            }
            "Union" => {
                let parts: Vec<TypeId> = items.iter().map(|&item| self.type_expr(file, item)).collect();
                self.types.union(parts)
            }
            "Annotated"
            | "ClassVar"
            | "Final"
            | "Required"
            | "NotRequired"
            | "ReadOnly"
            | "InitVar"
            | "dataclasses.InitVar" => first(self),
            "Unpack" => {
                let inner = first(self);
                self.unpacked(inner).unwrap_or(inner)
            }
            // `Literal[None]` is `None` (PEP 586).
            "Literal" if items.iter().any(|&item| self.program.facts(file).expr(item) == Expr::None) => {
                let other = if items.len() > 1 { self.external_name(path) } else { TypeId::UNKNOWN };
                self.types.union([other, TypeId::NONE])
            }
            "Literal" | "Concatenate" => self.external_name(path),
            "TypeGuard" | "TypeIs" => {
                let narrowed = items.first().map_or(TypeId::UNKNOWN, |&item| self.annotation_type(file, item));
                self.external_class(path, &[narrowed])
            }
            "Callable" => {
                let result = items.last().map_or(TypeId::UNKNOWN, |&item| self.annotation_type(file, item));
                // The result comes first, then the parameters, if they are listed.
                let mut parts = vec![result];
                if let [parameters, _] = items[..] {
                    let facts = self.program.facts(file);
                    let parameters = match facts.expr(parameters) {
                        Expr::List(list) => facts.list(list),
                        // `Concatenate[X, P]` (PEP 612): the last item stands for any further parameters.
                        Expr::Subscript { value, index, .. } if facts.is_named(value, "Concatenate") => {
                            match facts.expr(index) {
                                Expr::Tuple(list) => facts.list(list).split_last().map_or(&[][..], |(_, first)| first),
                                _ => &[],
                            }
                        }
                        _ => &[],
                    };
                    parts.extend(parameters.iter().map(|&parameter| self.annotation_type(file, parameter)));
                }
                self.external_class("Callable", &parts)
            }
            "type" => {
                let class = first(self);
                self.external_class("type", &[class])
            }
            _ => {
                let args: Vec<TypeId> = items.iter().map(|&item| self.annotation_type(file, item)).collect();
                // Of the three type arguments of `Coroutine`, the last one is the awaited type.
                let args = if name == "Awaitable" { args.last().copied().into_iter().collect() } else { args };
                self.external_class(standard_library::canonical(path), &args)
            }
        }
    }

    pub(super) fn external_class(&mut self, path: &str, args: &[TypeId]) -> TypeId {
        let path = self.program.interner.intern(path);
        self.types.add(Type::ExternalClass(path, args.into()))
    }
}

/// True for the path of `Self` (PEP 673).
fn is_self(path: &str) -> bool {
    matches!(path, "typing.Self" | "typing_extensions.Self")
}
