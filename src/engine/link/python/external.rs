//! Types of calls of the standard library and of pytest. They matter where a result contains a type of the sources,
//! such as `sorted(agents)`.

use super::{
    calls::PassedArguments,
    linker::Linker,
    program::GlobalName,
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::ArgumentKind,
    syntax::python::facts::{Arg, ExprId},
};

impl Linker<'_> {
    /// The type of a call of a function or class from outside the sources. `path` is its dotted path.
    pub(super) fn external_call_type(&mut self, path: GlobalName, passed: Option<PassedArguments>) -> TypeId {
        let text = self.program.interner.text(path).to_owned();
        let args = self.positional_types(passed);
        let first = args.first().copied().unwrap_or_default();
        match text.as_str() {
            "typing.cast" | "typing_extensions.cast" => match passed.and_then(|p| Some((p, p.arguments.first()?))) {
                Some((passed, target)) => self.annotation_type(passed.file, target.value),
                None => TypeId::UNKNOWN,
            },
            "typing.NewType" | "typing_extensions.NewType" => {
                let class = args.get(1).copied().unwrap_or_default();
                let instance = self.instance_of_class(class);
                self.external_class("typing.NewType", &[instance])
            }
            "object.__new__" => self.instance_of_class(first),
            "staticmethod" => self.external_instance("staticmethod", &[first]),
            "copy.copy"
            | "copy.deepcopy"
            | "dataclasses.replace"
            | "copy.replace"
            | "attr.evolve"
            | "attrs.evolve"
            | "typing.assert_type" => first,
            "contextvars.ContextVar" => {
                let default = passed.and_then(|passed| Some((passed.file, self.keyword_argument(passed, "default")?)));
                let item = default.map(|(file, default)| self.expr_type(file, default));
                self.external_instance("contextvars.ContextVar", item.as_slice())
            }
            // The iterator that `__iter__` returns may be an instance of a class of the sources, with methods of its
            // own.
            "iter" if matches!(self.types.get(first), Type::Instance(..)) && args.len() == 1 => {
                let iter = self.program.interner.intern("__iter__");
                let method = self.attribute_type(first, iter);
                let iterator = self.call_type(method);
                if matches!(self.types.get(iterator), Type::Instance(..)) {
                    return iterator;
                }
                let item = self.iteration_type(first);
                self.external_instance("Iterable", &[item])
            }
            "list"
            | "set"
            | "frozenset"
            | "weakref.WeakSet"
            | "collections.deque"
            | "sorted"
            | "reversed"
            | "iter"
            | "tuple"
            | "itertools.islice"
            | "itertools.cycle"
            | "itertools.takewhile"
            | "itertools.dropwhile" => {
                let item = match text.as_str() {
                    "itertools.takewhile" | "itertools.dropwhile" => args.get(1).copied().unwrap_or_default(),
                    _ => first,
                };
                let item = self.iteration_type(item);
                let path = match text.as_str() {
                    "sorted" | "list" | "collections.deque" => "list",
                    "set" | "weakref.WeakSet" => "set",
                    "frozenset" => "frozenset",
                    "tuple" => "tuple",
                    _ => "Iterable",
                };
                self.external_instance(path, &[item])
            }
            "next" => {
                let item = self.iteration_type(first);
                let default = args.get(1).copied().unwrap_or_default();
                self.types.union([item, default])
            }
            "anext" => {
                let item = self.async_iteration_type(first);
                self.external_instance("Awaitable", &[item])
            }
            "enumerate" => {
                let item = self.iteration_type(first);
                let number = self.external_instance("int", &[]);
                let pair = self.types.add(Type::Tuple([number, item].into()));
                self.external_instance("Iterable", &[pair])
            }
            "zip" | "itertools.zip_longest" | "itertools.product" => {
                let items: Vec<TypeId> = args.iter().map(|&arg| self.iteration_type(arg)).collect();
                let row = self.types.add(Type::Tuple(items.into()));
                self.external_instance("Iterable", &[row])
            }
            "itertools.chain" => {
                let items: Vec<TypeId> = args.iter().map(|&arg| self.iteration_type(arg)).collect();
                let item = self.types.union(items);
                self.external_instance("Iterable", &[item])
            }
            "filter" => {
                let item = self.iteration_type(args.get(1).copied().unwrap_or_default());
                let item = self.accepted_by(first, item);
                self.external_instance("Iterable", &[item])
            }
            "map" => {
                let item = self.call_type(first);
                self.external_instance("Iterable", &[item])
            }
            "max" | "min" => match args.len() {
                1 => self.iteration_type(first),
                _ => self.types.union(args),
            },
            "dict" => self.dict_call_type(&args, passed),
            "type" if args.len() == 1 => self.map_union(first, |this, part| match this.types.get(part).clone() {
                Type::Instance(class, args) => this.types.add(Type::Class(class, args)),
                Type::ExternalInstance(path, _) => this.types.add(Type::ExternalName(path)),
                _ => TypeId::UNKNOWN,
            }),
            // The value of the attribute is unknown; a missing attribute yields the default.
            "getattr" => match args.get(2) {
                Some(&default) if default != TypeId::NONE && self.is_defined_in_sources(default) => {
                    self.types.union([TypeId::EXTERNAL, default])
                }
                _ => TypeId::UNKNOWN,
            },
            "functools.cache" | "functools.lru_cache" if !args.is_empty() => {
                let result = self.call_type(first);
                self.external_instance("Callable", &[result])
            }
            "functools.lru_cache" => self.external_name("functools.cache"),
            "vars" | "globals" | "locals" | "eval" => TypeId::UNKNOWN,
            "requests.session" | "requests.sessions.session" => self.external_instance("requests.Session", &[]),
            "asyncio.run" | "anyio.run" | "trio.run" => self.awaited_type(first),
            "asyncio.create_task" | "asyncio.ensure_future" | "asyncio.wait_for" | "asyncio.shield" => {
                let item = self.awaited_type(first);
                self.external_instance("Awaitable", &[item])
            }
            "weakref.ref" | "weakref.ReferenceType" | "weakref.WeakMethod" => {
                self.external_instance("weakref.ref", &[first])
            }
            "asyncio.gather" => {
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
            "contextlib.nullcontext" | "contextlib.closing" => self.external_instance("ContextManager", &[first]),
            "contextlib.aclosing" => self.external_instance("AsyncContextManager", &[first]),
            "pytest.raises" | "_pytest.python_api.raises" | "_pytest.raises.raises" => {
                let caught = self.caught_exception(first);
                let info = self.external_instance("pytest.ExceptionInfo", &[caught]);
                // `pytest.raises(E, function, …)` calls the function at once.
                if args.len() > 1 { info } else { self.external_instance("ContextManager", &[info]) }
            }
            "str" | "repr" | "input" | "format" | "ascii" | "chr" => self.external_instance("str", &[]),
            "len" | "int" | "ord" | "hash" | "id" | "round" => self.external_instance("int", &[]),
            "isinstance" | "issubclass" | "callable" | "hasattr" | "bool" | "any" | "all" => {
                self.external_instance("bool", &[])
            }
            "functools.partial" => {
                let result = self.call_type(first);
                self.external_instance("Callable", &[result])
            }
            _ => {
                let known = self.item_call_type(&text, &args);
                let known = known.or_else(|| self.task_call_type(&text, &args));
                if let Some(known) = known.or_else(|| self.declared_record(&text, passed)) {
                    return known;
                }
                let name = text.rsplit('.').next().unwrap_or(&text);
                let is_class = name.starts_with(|c: char| c.is_uppercase());
                if is_class || matches!(name, "bytes" | "bytearray" | "float" | "object" | "memoryview") {
                    self.types.add(Type::ExternalInstance(path, self.types.no_arguments()))
                } else {
                    TypeId::EXTERNAL
                }
            }
        }
    }

    /// The value of a keyword argument.
    fn keyword_argument(&self, passed: PassedArguments, name: &str) -> Option<ExprId> {
        let facts = self.program.facts(passed.file);
        let is_named = |argument: &&Arg| argument.keyword.is_some_and(|keyword| facts.name(keyword) == name);
        passed.arguments.iter().find(is_named).map(|argument| argument.value)
    }

    /// The type of the exception that `pytest.raises` catches, by the type of its first argument: a class or a tuple of
    /// classes.
    fn caught_exception(&mut self, expected: TypeId) -> TypeId {
        let classes = match self.types.get(expected).clone() {
            Type::Tuple(classes) => self.types.union(classes.iter().copied()),
            _ => expected,
        };
        let exception = self.instance_of_class(classes);
        if exception.is_unknown() { TypeId::EXTERNAL } else { exception }
    }

    /// The type of an attribute of an instance of a class from outside the sources.
    pub(super) fn external_attribute_type(&mut self, name: GlobalName, receiver: TypeId) -> TypeId {
        if let Some(field) = self.declared_attribute(receiver, name) {
            return field;
        }
        if let Type::ExternalInstance(path, args) = self.types.get(receiver) {
            match (self.program.interner.text(*path), self.program.interner.text(name), &args[..]) {
                ("pytest.ExceptionInfo", "value", &[exception]) => return exception,
                ("ExceptionGroup" | "BaseExceptionGroup", "exceptions", &[exception]) => {
                    return self.external_instance("tuple", &[exception]);
                }
                _ => {}
            }
        }
        self.types.add(Type::ExternalMethod(name, receiver))
    }

    /// The type of a call of a method on an instance of a class from outside the sources.
    pub(super) fn external_method_call_type(
        &mut self,
        name: GlobalName,
        receiver: TypeId,
        passed: Option<PassedArguments>,
    ) -> TypeId {
        let method = self.program.interner.text(name).to_owned();
        let (path, args) = match self.types.get(receiver).clone() {
            Type::ExternalInstance(path, args) => (self.program.interner.text(path).to_owned(), args.to_vec()),
            Type::Tuple(_) => ("tuple".to_owned(), Vec::new()),
            Type::Instance(..) if matches!(method.as_str(), "_replace" | "getChild") => return receiver,
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
            _ => return TypeId::EXTERNAL,
        };
        let argument_types = self.positional_types(passed);
        let first = argument_types.first().copied().unwrap_or_default();
        match (path.as_str(), method.as_str(), &args[..]) {
            ("dict", "get" | "pop", &[_, value]) => {
                let default = match argument_types.get(1) {
                    Some(&default) => default,
                    None if method == "get" => TypeId::NONE,
                    None => TypeId::UNKNOWN,
                };
                self.types.union([value, default])
            }
            ("typing.NamedTuple", "_replace", [_, ..]) => receiver,
            ("argparse._SubParsersAction", "add_parser", &[parser]) => parser,
            ("typing.TypedDict", "get", [_, ..]) => {
                let key = passed.and_then(|passed| Some((passed.file, passed.arguments.first()?.value)));
                let item = key.and_then(|(file, key)| self.declared_item(receiver, file, key));
                let default = argument_types.get(1).copied().unwrap_or(TypeId::NONE);
                item.map_or(TypeId::EXTERNAL, |item| self.types.union([item, default]))
            }
            ("dict", "setdefault", &[_, value]) => value,
            ("dict", "values", &[_, value]) => self.external_instance("Iterable", &[value]),
            ("dict", "keys", &[key, _]) => self.external_instance("Iterable", &[key]),
            ("dict", "items", &[key, value]) => {
                let pair = self.types.add(Type::Tuple([key, value].into()));
                self.external_instance("Iterable", &[pair])
            }
            ("dict", "__getitem__", &[_, item])
            | ("list" | "tuple" | "Iterable", "__getitem__", &[item])
            | ("contextvars.ContextVar" | "queue.Queue" | "queue.LifoQueue" | "queue.SimpleQueue", "get", &[item])
            | ("asyncio.Queue" | "queue.Queue" | "queue.LifoQueue" | "queue.SimpleQueue", "get_nowait", &[item]) => {
                item
            }
            ("asyncio.Queue", "get", &[item]) => self.external_instance("Awaitable", &[item]),
            ("dict" | "list" | "set" | "frozenset" | "tuple" | "Iterable", "__iter__", &[item, ..]) => {
                self.external_instance("Iterable", &[item])
            }
            ("dict", "popitem", &[key, value]) => self.types.add(Type::Tuple([key, value].into())),
            ("dict" | "list" | "set", "copy", _)
            | ("set" | "frozenset", "union" | "difference" | "intersection" | "symmetric_difference", _) => receiver,
            ("dict", "get" | "pop" | "setdefault" | "values" | "keys" | "items" | "popitem", _)
            | ("list" | "set", "pop" | "popleft", []) => TypeId::UNKNOWN,
            ("list" | "set", "pop" | "popleft", &[item]) => item,
            ("Iterable" | "Generator", "__next__" | "send", [item, ..]) => *item,
            ("AsyncIterable", "__anext__" | "asend", [item, ..]) => {
                let item = *item;
                self.external_instance("Awaitable", &[item])
            }
            ("ExceptionGroup" | "BaseExceptionGroup", "subgroup", &[_]) => self.types.union([receiver, TypeId::NONE]),
            ("ExceptionGroup" | "BaseExceptionGroup", "split", &[_]) => {
                let part = self.types.union([receiver, TypeId::NONE]);
                self.types.add(Type::Tuple([part, part].into()))
            }
            ("ContextManager", "__enter__", &[item]) => item,
            ("AsyncContextManager", "__aenter__", &[item]) => self.external_instance("Awaitable", &[item]),
            ("Awaitable" | "asyncio.Task" | "asyncio.Future", "result", &[item]) => item,
            ("Awaitable" | "asyncio.Task" | "asyncio.Future", "__await__", &[item]) => {
                self.external_instance("Generator", &[TypeId::UNKNOWN, TypeId::UNKNOWN, item])
            }
            ("AsyncIterable", "__aiter__", [_, ..]) => receiver,
            ("flask.Flask" | "flask.app.Flask", "test_client", _) => {
                self.external_instance("flask.testing.FlaskClient", &[])
            }
            (_, "enter_context", _) => self.enter_type(first, "__enter__"),
            (_, "enter_async_context", _) => {
                let item = self.enter_type(first, "__aenter__");
                self.external_instance("Awaitable", &[item])
            }
            ("str", "split" | "splitlines" | "rsplit", _) => {
                let item = self.external_instance("str", &[]);
                self.external_instance("list", &[item])
            }
            (
                "str",
                "strip" | "lower" | "upper" | "format" | "join" | "replace" | "lstrip" | "rstrip" | "title"
                | "removeprefix" | "removesuffix" | "capitalize",
                _,
            ) => receiver,
            // `Counter.most_common`
            ("dict", "most_common", &[key, _]) => {
                let count = self.external_instance("int", &[]);
                let pair = self.types.add(Type::Tuple([key, count].into()));
                self.external_instance("list", &[pair])
            }
            _ => self.task_method_call_type(&path, &method, &argument_types).unwrap_or(TypeId::EXTERNAL),
        }
    }
}
