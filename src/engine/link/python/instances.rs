//! The result of a call of a class: an instance of the class, unless `__new__` returns another one (the typing
//! specification, "Constructors").

use smallvec::SmallVec;

use super::{
    limits::MAX_INHERITED,
    linker::Linker,
    program::{ClassId, FileIndex, GlobalDef},
    types::{Type, TypeId},
};
use apidisc_facts::syntax::python::facts::{Expr, ExprId};

/// The greatest number of `return` statements of a `__new__` that are considered.
const MAX_RETURNS: usize = 16;

impl Linker<'_> {
    /// The type of a call of `class` whose `__new__` returns an instance of another class. `None` if the type is
    /// unknown, or if the call returns an instance of `class`.
    pub(super) fn result_of_new(&mut self, class: ClassId) -> Option<TypeId> {
        let mro = self.mro(class);
        let (owner, new) = self.inherited_new(mro)?;
        // Type checkers synthesize a `__new__` for a data class, which hides an inherited `__new__`.
        let between: SmallVec<[ClassId; 4]> =
            self.mro_table.classes(mro).take_while(|&c| c != owner).take(MAX_INHERITED).collect();
        if between.into_iter().any(|class| self.dataclass_style(class).is_some()) {
            return None;
        }
        let instance = self.types.instance(class);
        let is_annotated = self.program.function(new)?.returns.is_some();
        let result = if is_annotated {
            let declared = self.return_type(new);
            self.bind_self_type(declared, instance)
        } else {
            self.inferred_result_of_new(new, class, instance)?
        };
        let parts = self.types.parts(result);
        let is_known = parts.iter().all(|&part| matches!(self.types.get(part), Type::Instance(..)));
        let is_made = |this: &mut Self, part| match *this.types.get(part) {
            Type::Instance(made, _) => this.inherits(made, class),
            _ => true,
        };
        let is_other = parts.iter().any(|&part| !is_made(self, part));
        (is_known && is_other && !self.types.has_variable(result)).then_some(result)
    }

    /// The type of a call of `class` by an annotated `__call__` of the metaclass. `None` if the type is an instance of
    /// `class` or of a base or subclass of `class`, or is unknown.
    pub(super) fn result_of_metaclass(&mut self, class: ClassId) -> Option<TypeId> {
        let (name, receiver) = (self.program.interner.intern("__call__"), self.types.class(class));
        let method = self.metaclass_member(class, name, receiver);
        let Type::Method(call, _) = *self.types.get(method) else { return None };
        self.program.function(call)?.returns.as_ref()?;
        let result = self.return_type(call);
        let parts = self.types.parts(result);
        let is_other = |this: &mut Self, part| match *this.types.get(part) {
            Type::Instance(made, _) => !this.inherits(made, class) && !this.inherits(class, made),
            _ => false,
        };
        (!self.types.has_variable(result) && parts.iter().all(|&part| is_other(self, part))).then_some(result)
    }

    /// The union of the types that a `__new__` without annotation returns. `None` if one of the types is unknown, or is
    /// `instance`: then the call returns `instance`. An instance of an ancestor of the class counts as `instance`,
    /// because inference takes `cls` for the class that defines the method, unless the value comes from an attribute
    /// with a declared type.
    fn inferred_result_of_new(&mut self, new: GlobalDef, class: ClassId, instance: TypeId) -> Option<TypeId> {
        let file = self.program.file_of(new);
        let function = self.program.function(new).filter(|function| !function.falls_through)?;
        let mut results = Vec::new();
        for &value in function.return_values.iter().take(MAX_RETURNS) {
            let returned = self.return_value_type(file, new, value);
            let returned = self.bind_self_type(returned, instance);
            let is_declared = self.is_declared(file, value);
            for &part in self.types.parts(returned).iter() {
                let Type::Instance(made, _) = *self.types.get(part) else { return None };
                if self.inherits(class, made) && !is_declared {
                    return None;
                }
            }
            results.push(returned);
        }
        Some(self.types.union(results))
    }

    /// True for an attribute with a declared type, and for an item of one: `cls._known[key]` with
    /// `_known: dict[str, Base]`.
    fn is_declared(&mut self, file: FileIndex, value: ExprId) -> bool {
        let Some(_level) = self.descend() else { return false };
        let facts = self.program.facts(file);
        match facts.expr(value) {
            Expr::Subscript { value, .. } => self.is_declared(file, value),
            Expr::Attribute { value, name, .. } => {
                let receiver = self.expr_type(file, value);
                let (Type::Class(class, _) | Type::Instance(class, _)) = *self.types.get(receiver) else {
                    return false;
                };
                let name = self.program.global_name(file, name);
                let mro = self.mro(class);
                self.inherited_declaration(Some(mro), name).is_some()
            }
            _ => false,
        }
    }
}
