//! What calls of Python's own library give, where they pass a type of the sources through.

use super::{
    infer::Linker,
    program::Symbol,
    results::Passed,
    types::{Ty, Type},
};

impl Linker<'_> {
    /// The result of calling something from outside.
    pub(super) fn outside_result(&mut self, path: Symbol, passed: Option<Passed>) -> Ty {
        let text = self.program.symbols.text(path).to_owned();
        let args = self.positional(passed);
        let first = args.first().copied().unwrap_or_default();
        match text.as_str() {
            "typing.cast" | "typing_extensions.cast" => match passed.and_then(|p| Some((p, p.arguments.first()?))) {
                Some((passed, target)) => self.annotation(passed.file, target.value),
                None => Ty::UNKNOWN,
            },
            "typing.NewType" | "typing_extensions.NewType" => {
                let class = args.get(1).copied().unwrap_or_default();
                let instance = self.instantiated(class);
                self.outside_class("typing.NewType", &[instance])
            }
            "copy.copy" | "copy.deepcopy" | "dataclasses.replace" | "copy.replace" | "typing.assert_type" => first,
            "list"
            | "set"
            | "frozenset"
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
                let item = self.iterated(item);
                let path = match text.as_str() {
                    "sorted" | "list" | "collections.deque" => "list",
                    "set" => "set",
                    "frozenset" => "frozenset",
                    "tuple" => "tuple",
                    _ => "Iterable",
                };
                self.outside_instance(path, &[item])
            }
            "next" => {
                let item = self.iterated(first);
                let default = args.get(1).copied().unwrap_or_default();
                self.types.union([item, default])
            }
            "anext" => {
                let item = self.async_iterated(first);
                self.outside_instance("Awaitable", &[item])
            }
            "enumerate" => {
                let item = self.iterated(first);
                let number = self.outside_instance("int", &[]);
                let pair = self.types.add(Type::Tuple([number, item].into()));
                self.outside_instance("Iterable", &[pair])
            }
            "zip" | "itertools.zip_longest" | "itertools.product" => {
                let items: Vec<Ty> = args.iter().map(|&arg| self.iterated(arg)).collect();
                let row = self.types.add(Type::Tuple(items.into()));
                self.outside_instance("Iterable", &[row])
            }
            "itertools.chain" => {
                let items: Vec<Ty> = args.iter().map(|&arg| self.iterated(arg)).collect();
                let item = self.types.union(items);
                self.outside_instance("Iterable", &[item])
            }
            "filter" => {
                let item = self.iterated(args.get(1).copied().unwrap_or_default());
                self.outside_instance("Iterable", &[item])
            }
            "map" => {
                let item = self.called(first);
                self.outside_instance("Iterable", &[item])
            }
            "max" | "min" => match args.len() {
                1 => self.iterated(first),
                _ => self.types.union(args),
            },
            "dict" | "collections.OrderedDict" => match self.types.get(first) {
                Type::OutsideInstance(path, _) if self.program.symbols.text(*path) == "dict" => first,
                _ => self.outside_instance("dict", &[]),
            },
            "collections.defaultdict" => {
                let value = self.called(first);
                self.outside_instance("dict", &[Ty::UNKNOWN, value])
            }
            "type" if args.len() == 1 => self.each_part(first, |this, part| match this.types.get(part).clone() {
                Type::Instance(class, args) => this.types.add(Type::Class(class, args)),
                Type::OutsideInstance(path, _) => this.types.add(Type::Outside(path)),
                _ => Ty::UNKNOWN,
            }),
            "getattr" | "vars" | "globals" | "locals" | "eval" => Ty::UNKNOWN,
            "asyncio.run" | "anyio.run" | "trio.run" => self.awaited(first),
            "asyncio.create_task" | "asyncio.ensure_future" | "asyncio.wait_for" | "asyncio.shield" => {
                let item = self.awaited(first);
                self.outside_instance("Awaitable", &[item])
            }
            "asyncio.gather" => {
                let items: Vec<Ty> = args.iter().map(|&arg| self.awaited(arg)).collect();
                let row = if items.is_empty() {
                    self.outside_instance("list", &[])
                } else {
                    self.types.add(Type::Tuple(items.into()))
                };
                self.outside_instance("Awaitable", &[row])
            }
            "contextlib.nullcontext" | "contextlib.closing" => self.outside_instance("ContextManager", &[first]),
            "contextlib.aclosing" => self.outside_instance("AsyncContextManager", &[first]),
            "str" | "repr" | "input" | "format" | "ascii" | "chr" => self.outside_instance("str", &[]),
            "len" | "int" | "ord" | "hash" | "id" | "round" => self.outside_instance("int", &[]),
            "isinstance" | "issubclass" | "callable" | "hasattr" | "bool" | "any" | "all" => {
                self.outside_instance("bool", &[])
            }
            _ => {
                let name = text.rsplit('.').next().unwrap_or(&text);
                let is_class = name.starts_with(|c: char| c.is_uppercase());
                if is_class || matches!(name, "bytes" | "bytearray" | "float" | "object" | "memoryview") {
                    self.types.add(Type::OutsideInstance(path, self.types.none()))
                } else {
                    Ty::EXTERNAL
                }
            }
        }
    }

    /// The result of a method of something from outside.
    pub(super) fn outside_method_result(&mut self, name: Symbol, receiver: Ty, passed: Option<Passed>) -> Ty {
        let method = self.program.symbols.text(name).to_owned();
        let (path, args) = match self.types.get(receiver).clone() {
            Type::OutsideInstance(path, args) => (self.program.symbols.text(path).to_owned(), args.to_vec()),
            Type::Tuple(_) => ("tuple".to_owned(), Vec::new()),
            _ => return Ty::EXTERNAL,
        };
        let given = self.positional(passed);
        let first = given.first().copied().unwrap_or_default();
        match (path.as_str(), method.as_str(), &args[..]) {
            ("dict", "get" | "pop", &[_, value]) => {
                let default = match given.get(1) {
                    Some(&default) => default,
                    None if method == "get" => Ty::NONE,
                    None => Ty::UNKNOWN,
                };
                self.types.union([value, default])
            }
            ("dict", "setdefault", &[_, value]) => value,
            ("dict", "values", &[_, value]) => self.outside_instance("Iterable", &[value]),
            ("dict", "keys", &[key, _]) => self.outside_instance("Iterable", &[key]),
            ("dict", "items", &[key, value]) => {
                let pair = self.types.add(Type::Tuple([key, value].into()));
                self.outside_instance("Iterable", &[pair])
            }
            ("dict", "popitem", &[key, value]) => self.types.add(Type::Tuple([key, value].into())),
            ("dict" | "list" | "set", "copy", _)
            | ("set" | "frozenset", "union" | "difference" | "intersection" | "symmetric_difference", _) => receiver,
            ("dict", "get" | "pop" | "setdefault" | "values" | "keys" | "items" | "popitem", _)
            | ("list" | "set", "pop" | "popleft", []) => Ty::UNKNOWN,
            ("list" | "set", "pop" | "popleft", &[item]) => item,
            ("Iterable" | "Generator", "__next__" | "send", [item, ..]) => *item,
            ("AsyncIterable", "__anext__" | "asend", [item, ..]) => {
                let item = *item;
                self.outside_instance("Awaitable", &[item])
            }
            ("ContextManager", "__enter__", &[item]) => item,
            ("AsyncContextManager", "__aenter__", &[item]) => self.outside_instance("Awaitable", &[item]),
            ("Awaitable" | "asyncio.Task" | "asyncio.Future", "result", &[item]) => item,
            (_, "enter_context", _) => self.entered(first, "__enter__"),
            (_, "enter_async_context", _) => {
                let item = self.entered(first, "__aenter__");
                self.outside_instance("Awaitable", &[item])
            }
            (_, "run_until_complete", _) => self.awaited(first),
            (_, "create_task", _) => {
                let item = self.awaited(first);
                self.outside_instance("Awaitable", &[item])
            }
            ("str", "split" | "splitlines" | "rsplit", _) => {
                let item = self.outside_instance("str", &[]);
                self.outside_instance("list", &[item])
            }
            (
                "str",
                "strip" | "lower" | "upper" | "format" | "join" | "replace" | "lstrip" | "rstrip" | "title"
                | "removeprefix" | "removesuffix" | "capitalize",
                _,
            ) => receiver,
            _ => Ty::EXTERNAL,
        }
    }
}
