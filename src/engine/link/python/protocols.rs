//! The protocols of the language: iteration (PEP 234, PEP 525), awaiting (PEP 492), context managers (PEP 343).

use super::{
    linker::Linker,
    program::FileIndex,
    types::{Type, TypeId},
};
use crate::http::is_client_class;
use apidisc_facts::syntax::python::facts::DefId;

impl Linker<'_> {
    /// The type of the items that an iteration over a value gives.
    pub(super) fn iteration_type(&mut self, ty: TypeId) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        self.map_union(ty, |this, part| match this.types.get(part).clone() {
            Type::Tuple(items) => this.types.union(items.iter().copied()),
            Type::ExternalInstance(path, args) => match (this.program.interner.text(path), &args[..]) {
                ("list" | "set" | "frozenset" | "tuple" | "Iterable" | "Generator" | "dict", [item, ..]) => *item,
                ("str", _) => part,
                _ => match this.declared_tuple(part) {
                    Some(tuple) => this.iteration_type(tuple),
                    None => TypeId::EXTERNAL,
                },
            },
            Type::Instance(..) => {
                if let Some(tuple) = this.tuple_of_instance(part) {
                    return this.iteration_type(tuple);
                }
                let iter = this.program.interner.intern("__iter__");
                let method = this.attribute_type(part, iter);
                let iterator = this.call_type(method);
                match this.types.get(iterator) {
                    Type::Instance(..) => {
                        let next = this.program.interner.intern("__next__");
                        let method = this.attribute_type(iterator, next);
                        this.call_type(method)
                    }
                    Type::ExternalInstance(..) => this.nested_type(|this| this.iteration_type(iterator)),
                    _ => TypeId::UNKNOWN,
                }
            }
            Type::Class(class, _) if this.is_enum(class) => this.types.instance(class),
            Type::Class(class, _) => {
                let iter = this.program.interner.intern("__iter__");
                let method = this.metaclass_member(class, iter, part);
                let iterator = this.call_type(method);
                this.nested_type(|this| this.iteration_type(iterator))
            }
            Type::External => TypeId::EXTERNAL,
            _ => TypeId::UNKNOWN,
        })
    }

    pub(super) fn async_iteration_type(&mut self, ty: TypeId) -> TypeId {
        self.map_union(ty, |this, part| match this.types.get(part).clone() {
            Type::ExternalInstance(path, args) => match (this.program.interner.text(path), &args[..]) {
                ("AsyncIterable", [item, ..]) => *item,
                _ => TypeId::EXTERNAL,
            },
            Type::Instance(..) => {
                let iter = this.program.interner.intern("__aiter__");
                let method = this.attribute_type(part, iter);
                let iterator = this.call_type(method);
                match this.types.get(iterator) {
                    Type::Instance(..) => {
                        let next = this.program.interner.intern("__anext__");
                        let method = this.attribute_type(iterator, next);
                        let item = this.call_type(method);
                        this.awaited_type(item)
                    }
                    Type::ExternalInstance(..) => this.nested_type(|this| this.async_iteration_type(iterator)),
                    _ => TypeId::UNKNOWN,
                }
            }
            Type::External => TypeId::EXTERNAL,
            _ => TypeId::UNKNOWN,
        })
    }

    /// The type that a generator, synchronous or asynchronous, yields.
    pub(super) fn any_iteration_type(&mut self, ty: TypeId) -> TypeId {
        let item = self.iteration_type(ty);
        if item.is_unknown() || item == TypeId::EXTERNAL { self.async_iteration_type(ty) } else { item }
    }

    /// The type of the value of `yield x` in a generator function: the send type, which is the second type argument of
    /// the annotated return type (`Generator[Y, S, R]`).
    pub(super) fn sent_type(&mut self, file: FileIndex, generator: DefId) -> TypeId {
        let function = self.program.facts(file).def(generator).function();
        let Some((annotation, _)) = function.and_then(|function| function.returns.as_ref()) else {
            return TypeId::UNKNOWN;
        };
        let declared = self.annotation_type(file, *annotation);
        match self.types.get(declared).clone() {
            Type::ExternalInstance(path, args) => match (self.program.interner.text(path), &args[..]) {
                ("Generator" | "AsyncIterable", [_, sent, ..]) => *sent,
                _ => TypeId::UNKNOWN,
            },
            _ => TypeId::UNKNOWN,
        }
    }

    /// The type of the value of `yield from generator`: the return type of the generator (PEP 380).
    pub(super) fn delegated_type(&mut self, generator: TypeId) -> TypeId {
        self.map_union(generator, |this, part| match this.types.get(part).clone() {
            Type::ExternalInstance(path, args) => match (this.program.interner.text(path), &args[..]) {
                ("Generator", &[_, _, result]) => result,
                // A generator function without `return`, and `Generator[Y]` (PEP 696).
                ("Generator", [_]) => TypeId::NONE,
                // A function that `types.coroutine` decorates may delegate to a coroutine.
                ("Awaitable" | "asyncio.Future" | "asyncio.Task", &[result]) => result,
                ("list" | "set" | "frozenset" | "tuple" | "dict" | "str", _) => TypeId::NONE,
                _ => TypeId::EXTERNAL,
            },
            Type::Tuple(_) => TypeId::NONE,
            Type::Instance(..) => {
                let iter = this.program.interner.intern("__iter__");
                let method = this.attribute_type(part, iter);
                let iterator = this.call_type(method);
                match this.types.get(iterator) {
                    Type::ExternalInstance(..) => this.nested_type(|this| this.delegated_type(iterator)),
                    _ => TypeId::UNKNOWN,
                }
            }
            Type::External => TypeId::EXTERNAL,
            _ => TypeId::UNKNOWN,
        })
    }

    /// The type of `await value`.
    pub(super) fn awaited_type(&mut self, ty: TypeId) -> TypeId {
        let Some(_level) = self.descend() else { return TypeId::TOO_COMPLEX };
        self.map_union(ty, |this, part| match this.types.get(part).clone() {
            Type::ExternalInstance(path, args) => match (this.program.interner.text(path), &args[..]) {
                ("Awaitable" | "asyncio.Future" | "asyncio.Task" | "twisted.internet.defer.Deferred", &[item]) => item,
                _ => TypeId::EXTERNAL,
            },
            Type::External => TypeId::EXTERNAL,
            Type::Instance(..) => {
                let name = this.program.interner.intern("__await__");
                let method = this.attribute_type(part, name);
                let generator = this.call_type(method);
                match this.types.get(generator).clone() {
                    Type::ExternalInstance(_, args) if args.len() == 3 => args[2],
                    _ => TypeId::UNKNOWN,
                }
            }
            _ => TypeId::UNKNOWN,
        })
    }

    /// The type of `await value` if the value is an awaitable; otherwise its type, unchanged.
    pub(super) fn awaited_if_awaitable(&mut self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::ExternalInstance(path, _) if self.program.interner.text(*path) == "Awaitable" => {
                self.awaited_type(ty)
            }
            _ => ty,
        }
    }

    /// The type of `x` in `with value as x`. `method` is `__enter__`, or `__aenter__` for `async with`.
    pub(super) fn enter_type(&mut self, ty: TypeId, method: &str) -> TypeId {
        let is_async = method == "__aenter__";
        self.map_union(ty, |this, part| match this.types.get(part).clone() {
            Type::ExternalInstance(path, args) => match (this.program.interner.text(path), &args[..]) {
                ("ContextManager", [item, ..]) if !is_async => *item,
                ("AsyncContextManager", [item, ..]) if is_async => *item,
                (text, _) if is_client_class(text) => part,
                _ => {
                    let name = this.program.interner.intern(method);
                    let entered = this.external_method_call_type(name, part, None);
                    if is_async { this.awaited_type(entered) } else { entered }
                }
            },
            Type::Instance(..) => {
                let name = this.program.interner.intern(method);
                let entered = this.attribute_type(part, name);
                if entered == TypeId::EXTERNAL {
                    // The `__enter__` of a base from outside the sources is assumed to return the receiver.
                    return part;
                }
                let result = this.call_type(entered);
                if is_async { this.awaited_type(result) } else { result }
            }
            Type::External => TypeId::EXTERNAL,
            _ => TypeId::UNKNOWN,
        })
    }
}
