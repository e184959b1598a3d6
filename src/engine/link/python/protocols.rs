//! Iterating, awaiting, entering: what the protocols of the language take out of a value.

use super::{
    infer::Linker,
    known,
    types::{Ty, Type},
};

impl Linker<'_> {
    /// What iterating over a value gives.
    pub(super) fn iterated(&mut self, ty: Ty) -> Ty {
        self.each_part(ty, |this, part| match this.types.get(part).clone() {
            Type::Tuple(items) => this.types.union(items.iter().copied()),
            Type::OutsideInstance(path, args) => match (this.program.symbols.text(path), &args[..]) {
                ("list" | "set" | "frozenset" | "tuple" | "Iterable" | "Generator" | "dict", [item, ..]) => *item,
                ("str", _) => part,
                _ => Ty::EXTERNAL,
            },
            Type::Instance(..) => {
                let iter = this.program.symbols.intern("__iter__");
                let method = this.attribute(part, iter);
                let iterator = this.called(method);
                match this.types.get(iterator) {
                    Type::Instance(..) => {
                        let next = this.program.symbols.intern("__next__");
                        let method = this.attribute(iterator, next);
                        this.called(method)
                    }
                    Type::OutsideInstance(..) => this.nested(|this| this.iterated(iterator)),
                    _ => Ty::UNKNOWN,
                }
            }
            Type::Class(class, _) if this.is_enum(class) => this.types.instance(class),
            Type::External => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        })
    }

    pub(super) fn async_iterated(&mut self, ty: Ty) -> Ty {
        self.each_part(ty, |this, part| match this.types.get(part).clone() {
            Type::OutsideInstance(path, args) => match (this.program.symbols.text(path), &args[..]) {
                ("AsyncIterable", [item, ..]) => *item,
                _ => Ty::EXTERNAL,
            },
            Type::Instance(..) => {
                let iter = this.program.symbols.intern("__aiter__");
                let method = this.attribute(part, iter);
                let iterator = this.called(method);
                match this.types.get(iterator) {
                    Type::Instance(..) => {
                        let next = this.program.symbols.intern("__anext__");
                        let method = this.attribute(iterator, next);
                        let item = this.called(method);
                        this.awaited(item)
                    }
                    Type::OutsideInstance(..) => this.nested(|this| this.async_iterated(iterator)),
                    _ => Ty::UNKNOWN,
                }
            }
            Type::External => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        })
    }

    /// What a generator of either kind yields.
    pub(super) fn iterated_any(&mut self, ty: Ty) -> Ty {
        let item = self.iterated(ty);
        if matches!(item, Ty::UNKNOWN | Ty::EXTERNAL) { self.async_iterated(ty) } else { item }
    }

    /// What awaiting a value gives.
    pub(super) fn awaited(&mut self, ty: Ty) -> Ty {
        self.each_part(ty, |this, part| match this.types.get(part).clone() {
            Type::OutsideInstance(path, args) => match (this.program.symbols.text(path), &args[..]) {
                ("Awaitable" | "asyncio.Future" | "asyncio.Task", &[item]) => item,
                _ => Ty::EXTERNAL,
            },
            Type::External => Ty::EXTERNAL,
            Type::Instance(..) => {
                let name = this.program.symbols.intern("__await__");
                let method = this.attribute(part, name);
                let generator = this.called(method);
                match this.types.get(generator).clone() {
                    Type::OutsideInstance(_, args) if args.len() == 3 => args[2],
                    _ => Ty::UNKNOWN,
                }
            }
            _ => Ty::UNKNOWN,
        })
    }

    /// Awaited where it can be, else itself.
    pub(super) fn awaited_any(&mut self, ty: Ty) -> Ty {
        match self.types.get(ty) {
            Type::OutsideInstance(path, _) if self.program.symbols.text(*path) == "Awaitable" => self.awaited(ty),
            _ => ty,
        }
    }

    /// What `with value as x` binds.
    pub(super) fn entered(&mut self, ty: Ty, method: &str) -> Ty {
        let is_async = method == "__aenter__";
        self.each_part(ty, |this, part| match this.types.get(part).clone() {
            Type::OutsideInstance(path, args) => match (this.program.symbols.text(path), &args[..]) {
                ("ContextManager", [item, ..]) if !is_async => *item,
                ("AsyncContextManager", [item, ..]) if is_async => *item,
                (text, _) if is_self_entering(text) => part,
                _ => Ty::EXTERNAL,
            },
            Type::Instance(..) => {
                let name = this.program.symbols.intern(method);
                let entered = this.attribute(part, name);
                if entered == Ty::EXTERNAL {
                    // A base from outside enters: by far most return themselves.
                    return part;
                }
                let result = this.called(entered);
                if is_async { this.awaited(result) } else { result }
            }
            Type::External => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        })
    }
}

fn is_self_entering(path: &str) -> bool {
    path.ends_with("ExitStack") || known::canonical(path) == "contextlib.ExitStack"
}
