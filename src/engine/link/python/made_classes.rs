//! Classes without a name of their own that a call of `type` makes: `type("B", (Item,), {})`, returned or called at
//! once. A call whose result a statement binds to a name is a class statement already in the facts of its file.
//!
//! The class itself is no definition of the sources. A call of it counts for the base, whose constructor and members it
//! has.

use super::{
    calls::PassedArguments,
    linker::Linker,
    members::MemberLookup,
    program::{ClassId, FileIndex},
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::ArgumentKind,
    syntax::python::facts::{Expr, ExprId},
};

/// The greatest number of names in the body of such a class.
const MAX_NAMES: usize = 64;

impl Linker<'_> {
    /// The type of a call of `type` with three arguments: the class of the instances of the only base. `None` unless
    /// the names in the body are written in the call, and the base has none of them.
    pub(super) fn made_class(&mut self, passed: PassedArguments) -> Option<TypeId> {
        let [_, bases, body] = passed.arguments else { return None };
        if passed.arguments.iter().any(|argument| argument.kind != ArgumentKind::Positional) {
            return None;
        }
        let bases = self.expr_type(passed.file, bases.value);
        let Type::Tuple(bases) = self.types.get(bases) else { return None };
        let &[base] = &bases[..] else { return None };
        // The type of a parameter may become known later.
        if base.is_unknown() {
            return Some(base);
        }
        for part in self.types.parts(base).to_vec() {
            let Type::Class(class, _) = *self.types.get(part) else { return None };
            if !self.has_none_of(class, passed.file, body.value) {
                return None;
            }
        }
        let instance = self.instance_of_class(base);
        Some(self.external_instance("type", &[instance]))
    }

    /// Whether a class has none of the names in a dictionary display.
    fn has_none_of(&mut self, class: ClassId, file: FileIndex, body: ExprId) -> bool {
        let facts = self.program.facts(file);
        let Expr::Dict(items) = facts.expr(body) else { return false };
        let items = facts.list(items);
        let is_written = items.len() <= 2 * MAX_NAMES && facts.spreads_of(body).is_none_or(<[ExprId]>::is_empty);
        is_written
            && items.iter().step_by(2).all(|key| match facts.expr(*key) {
                Expr::Str(Some(name)) => {
                    let is_constructor = matches!(facts.name(name), "__init__" | "__new__");
                    let name = self.program.global_name(file, name);
                    !is_constructor && !matches!(self.lookup_member(class, name), MemberLookup::Found(_))
                }
                _ => false,
            })
    }
}
