//! Named tuples and typed dicts that a call declares: `NamedTuple("P", [("x", int)])`, `TypedDict("T", {"a": int})`
//! (PEP 484, PEP 589).
//!
//! Such a class is a class from outside the sources. Its type arguments are the names and the types of its fields in
//! alternation.

use super::{
    calls::PassedArguments,
    linker::Linker,
    program::{FileIndex, GlobalName},
    types::{Type, TypeId},
};
use crate::syntax::python::facts::{Expr, ExprId};

const NAMED_TUPLE: &str = "typing.NamedTuple";
const TYPED_DICT: &str = "typing.TypedDict";

/// The greatest number of fields of a declared class. Further ones are left out.
const MAX_FIELDS: usize = 64;

impl Linker<'_> {
    /// The class that a call of the function `path` declares. `None` for any other function, and if the fields are no
    /// display.
    pub(super) fn declared_record(&mut self, path: &str, passed: Option<PassedArguments>) -> Option<TypeId> {
        let path = match path.rsplit_once('.') {
            Some(("typing" | "typing_extensions", "NamedTuple")) => NAMED_TUPLE,
            Some(("typing" | "typing_extensions", "TypedDict")) => TYPED_DICT,
            _ => return None,
        };
        let passed = passed?;
        let facts = self.program.facts(passed.file);
        let fields: Vec<(ExprId, ExprId)> = match facts.expr(passed.arguments.get(1)?.value) {
            Expr::Dict(pairs) if path == TYPED_DICT => {
                facts.list(pairs).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
            }
            Expr::List(fields) | Expr::Tuple(fields) if path == NAMED_TUPLE => {
                let pair = |&field: &ExprId| match facts.expr(field) {
                    Expr::Tuple(pair) => match *facts.list(pair) {
                        [name, annotation] => Some((name, annotation)),
                        _ => None,
                    },
                    _ => None,
                };
                facts.list(fields).iter().map(pair).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let mut args = Vec::with_capacity(2 * fields.len());
        for (name, annotation) in fields.into_iter().take(MAX_FIELDS) {
            let Expr::Str(Some(name)) = facts.expr(name) else { return None };
            let name = self.program.global_name(passed.file, name);
            args.push(self.types.add(Type::ExternalName(name)));
            args.push(self.annotation_type(passed.file, annotation));
        }
        Some(self.external_class(path, &args))
    }

    /// The type of the field `name` of an instance of a named tuple that a call declares.
    pub(super) fn declared_attribute(&self, instance: TypeId, name: GlobalName) -> Option<TypeId> {
        self.declared_field(instance, NAMED_TUPLE, name)
    }

    /// The type of the item with the key `index` of an instance of a typed dict that a call declares.
    pub(super) fn declared_item(&self, instance: TypeId, file: FileIndex, index: ExprId) -> Option<TypeId> {
        let Expr::Str(Some(key)) = self.program.facts(file).expr(index) else { return None };
        self.declared_field(instance, TYPED_DICT, self.program.global_name(file, key))
    }

    fn declared_field(&self, instance: TypeId, path: &str, name: GlobalName) -> Option<TypeId> {
        let fields = self.declared_fields(instance, path)?;
        let is_named = |field: &&[TypeId]| *self.types.get(field[0]) == Type::ExternalName(name);
        fields.chunks_exact(2).find(is_named).map(|field| field[1])
    }

    /// The tuple type of an instance of a named tuple that a call declares.
    pub(super) fn declared_tuple(&mut self, instance: TypeId) -> Option<TypeId> {
        let items = self.declared_fields(instance, NAMED_TUPLE)?.iter().skip(1).step_by(2).copied().collect();
        Some(self.types.add(Type::Tuple(items)))
    }

    /// The names and types of the fields of an instance of a declared class, in alternation.
    fn declared_fields(&self, instance: TypeId, path: &str) -> Option<&[TypeId]> {
        match self.types.get(instance) {
            Type::ExternalInstance(class, fields) => {
                (!fields.is_empty() && self.program.interner.text(*class) == path).then_some(&fields[..])
            }
            _ => None,
        }
    }
}
