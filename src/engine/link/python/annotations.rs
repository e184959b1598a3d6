//! Annotations: a type expression is evaluated like any other and then taken as an instance of what it
//! names.

use super::{
    infer::Linker,
    known,
    names::MODULE,
    program::FileIndex,
    types::{Ty, Type},
};
use crate::syntax::python::facts::{Expr, ExprId, ScopeId};

impl Linker<'_> {
    /// The type of a value that is annotated so.
    pub(crate) fn annotation(&mut self, file: FileIndex, expr: ExprId) -> Ty {
        let class = self.type_expr(file, expr);
        self.instantiated(class)
    }

    /// A type expression as the class, or the union of classes, that it names.
    fn type_expr(&mut self, file: FileIndex, expr: ExprId) -> Ty {
        match self.program.facts(file).expr(expr) {
            // A forward reference outside of annotation syntax, such as `Optional["Agent"]` in an alias.
            Expr::Str(Some(name)) => self.lookup(file, ScopeId::new(MODULE), name),
            _ => self.expr(file, expr),
        }
    }

    /// An instance of what a class expression names.
    pub(crate) fn instantiated(&mut self, class: Ty) -> Ty {
        match self.types.get(class).clone() {
            Type::Class(class, args) => self.types.add(Type::Instance(class, args)),
            Type::Union(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|&part| self.instantiated(part)).collect();
                self.types.union(parts)
            }
            Type::Outside(path) => match self.program.symbols.text(path) {
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
                | "typing_extensions.ClassVar" => Ty::UNKNOWN,
                "typing_extensions.Self" => self.outside_instance("typing.Self", &[]),
                _ => self.types.add(Type::OutsideInstance(path, self.types.none())),
            },
            Type::OutsideClass(path, args) => match (self.program.symbols.text(path), &args[..]) {
                ("type", &[class]) => match self.types.get(class) {
                    // The class of a type variable is only known once the variable is.
                    Type::Variable(_) => self.types.add(Type::OutsideInstance(path, args)),
                    _ => class,
                },
                ("typing.NewType", &[instance]) => instance,
                ("tuple", [item, rest]) if *rest == Ty::EXTERNAL => self.outside_instance("tuple", &[*item]),
                ("tuple", _) => self.types.add(Type::Tuple(args)),
                _ => self.types.add(Type::OutsideInstance(path, args)),
            },
            Type::None | Type::Variable(_) | Type::External => class,
            _ => Ty::UNKNOWN,
        }
    }

    /// `value[index]`, of a class or of a value.
    pub(super) fn subscript(&mut self, file: FileIndex, value: ExprId, index: ExprId) -> Ty {
        let receiver = self.expr(file, value);
        self.each_part(receiver, |this, part| this.subscript_of(file, part, index))
    }

    fn subscript_of(&mut self, file: FileIndex, receiver: Ty, index: ExprId) -> Ty {
        let facts = self.program.facts(file);
        match self.types.get(receiver).clone() {
            Type::Class(class, _) => {
                if matches!(facts.expr(index), Expr::Str(_)) && self.is_enum(class) {
                    return self.types.instance(class);
                }
                let args = self.type_arguments(file, index);
                self.types.add(Type::Class(class, args.into()))
            }
            Type::Outside(path) => {
                let path = self.program.symbols.text(path).to_owned();
                self.special_form(file, &path, index)
            }
            Type::Tuple(items) => {
                if facts.expr(index) == Expr::Slice {
                    let item = self.types.union(items.iter().copied());
                    return self.outside_instance("tuple", &[item]);
                }
                self.types.union(items.iter().copied())
            }
            Type::OutsideInstance(path, args) => {
                let sliced = facts.expr(index) == Expr::Slice;
                match (self.program.symbols.text(path), &args[..]) {
                    ("list" | "tuple" | "Iterable", [_]) if sliced => receiver,
                    ("list" | "tuple" | "Iterable", &[item]) => item,
                    ("dict", &[_, value]) => value,
                    ("str" | "bytes", _) => receiver,
                    ("list" | "tuple" | "dict" | "Iterable", _) => Ty::UNKNOWN,
                    _ => Ty::EXTERNAL,
                }
            }
            Type::Instance(..) => {
                let name = self.program.symbols.intern("__getitem__");
                let method = self.attribute(receiver, name);
                self.called(method)
            }
            Type::External => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        }
    }

    /// The type arguments in an index, as instances.
    fn type_arguments(&mut self, file: FileIndex, index: ExprId) -> Vec<Ty> {
        self.index_items(file, index).into_iter().map(|item| self.annotation(file, item)).collect()
    }

    fn index_items(&self, file: FileIndex, index: ExprId) -> Vec<ExprId> {
        let facts = self.program.facts(file);
        match facts.expr(index) {
            Expr::Tuple(list) => facts.list(list).to_vec(),
            _ => vec![index],
        }
    }

    /// `Optional[…]` and its like; any other generic from outside keeps its arguments.
    fn special_form(&mut self, file: FileIndex, path: &str, index: ExprId) -> Ty {
        let items = self.index_items(file, index);
        let name = path.strip_prefix("typing.").or_else(|| path.strip_prefix("typing_extensions.")).unwrap_or(path);
        match name {
            "Optional" => {
                let inner = self.type_expr(file, items[0]);
                self.types.union([inner, Ty::NONE])
            }
            "Union" => {
                let parts: Vec<Ty> = items.iter().map(|&item| self.type_expr(file, item)).collect();
                self.types.union(parts)
            }
            "Annotated"
            | "ClassVar"
            | "Final"
            | "Required"
            | "NotRequired"
            | "ReadOnly"
            | "InitVar"
            | "dataclasses.InitVar"
            | "Unpack" => self.type_expr(file, items[0]),
            "Literal" | "Concatenate" | "TypeGuard" | "TypeIs" => self.outside(path),
            "Callable" => {
                let result = items.last().map_or(Ty::UNKNOWN, |&item| self.annotation(file, item));
                self.outside_class("Callable", &[result])
            }
            "type" => {
                let class = self.type_expr(file, items[0]);
                self.outside_class("type", &[class])
            }
            _ => {
                let args: Vec<Ty> = items.iter().map(|&item| self.annotation(file, item)).collect();
                // Of what a coroutine yields, is sent and returns, only the last is awaited.
                let args = if name == "Awaitable" { args[args.len() - 1..].to_vec() } else { args };
                self.outside_class(known::canonical(path), &args)
            }
        }
    }

    pub(super) fn outside_class(&mut self, path: &str, args: &[Ty]) -> Ty {
        let path = self.program.symbols.intern(path);
        self.types.add(Type::OutsideClass(path, args.into()))
    }
}
