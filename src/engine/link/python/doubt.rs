//! Doubts about constructors: metaclasses, decorators and bases that may decide the parameters of a class without a
//! constructor in the sources.

use super::{
    limits::MAX_FIELD_CLASSES,
    linker::Linker,
    mro_table::{Ancestor, MroId},
    program::{ClassId, FileIndex, decorator_name},
    standard_library::is_standard_library,
    types::{Type, TypeId},
};
use apidisc_facts::syntax::python::facts::{Expr, ExprId};

/// Class decorators that leave the constructor as it is.
const HARMLESS_DECORATORS: &[&str] =
    &["final", "runtime_checkable", "total_ordering", "unique", "verify", "deprecated", "disjoint_base"];

/// How certain it is that a class without a constructor in the sources takes no arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ConstructorDoubt {
    /// The class takes no arguments.
    None,
    /// A decorator or metaclass of the sources may add parameters. A call that passes arguments shows that parameters
    /// were added.
    UntilArgumentsArePassed,
    /// A decorator or metaclass from outside the sources, or an assignment, decides the parameters.
    Certain,
}

impl Linker<'_> {
    /// The doubt about a class that has neither `__init__` nor `__new__` in the sources.
    pub(super) fn constructor_doubt(&mut self, mro: MroId) -> ConstructorDoubt {
        let classes: Vec<ClassId> = self.mro_table.classes(mro).take(MAX_FIELD_CLASSES).collect();
        classes.into_iter().map(|class| self.own_doubt(class)).max().unwrap_or(ConstructorDoubt::None)
    }

    fn own_doubt(&mut self, class: ClassId) -> ConstructorDoubt {
        let (file, def, body) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let assigns_constructor = ["__init__", "__new__"].into_iter().any(|name| {
            let name = self.program.interner.intern(name);
            !self.program.bindings(file, def.scope, name).is_empty()
        });
        if assigns_constructor {
            return ConstructorDoubt::Certain;
        }
        let metaclass = body.keywords.iter().find(|(keyword, _)| facts.name(*keyword) == "metaclass");
        let metaclass = metaclass.map_or(ConstructorDoubt::None, |&(_, value)| self.doubt_about(file, value));
        let decorators = &self.program.def(self.program.class_def(class)).decorators;
        let doubtful = decorators.iter().filter(|(_, text)| !HARMLESS_DECORATORS.contains(&decorator_name(text)));
        doubtful.map(|&(decorator, _)| self.doubt_about(file, decorator)).fold(metaclass, Ord::max)
    }

    /// The doubt that a decorator or metaclass raises. Decorators and metaclasses of the standard library and of pytest
    /// raise none.
    fn doubt_about(&mut self, file: FileIndex, value: ExprId) -> ConstructorDoubt {
        let facts = self.program.facts(file);
        let callee = match facts.expr(value) {
            Expr::Call(site) => facts.calls[site.index()].callee,
            _ => value,
        };
        let ty = self.expr_type(file, callee);
        match *self.types.get(ty) {
            Type::ExternalName(path) if is_harmless_module(self.program.interner.text(path)) => ConstructorDoubt::None,
            Type::ExternalName(_) | Type::External | Type::ExternalMethod(..) | Type::ExternalInstance(..) => {
                ConstructorDoubt::Certain
            }
            _ if ty == TypeId::NONE => ConstructorDoubt::None,
            _ => ConstructorDoubt::UntilArgumentsArePassed,
        }
    }

    /// True if an ancestor of a class from outside the sources may add fields to the constructor.
    pub(super) fn inherits_unknown_fields(&self, mro: MroId) -> bool {
        self.mro_table.iter(mro).take(MAX_FIELD_CLASSES).any(|ancestor| match ancestor {
            Ancestor::Class(..) => false,
            Ancestor::External(path) => !is_harmless_module(self.program.interner.text(*path)),
            Ancestor::Unknown(_) => true,
        })
    }
}

/// True for a dotted path of a built-in, of the standard library or of pytest. No decorator, metaclass or base with
/// such a path adds parameters to a constructor, except those for which the linker has rules, such as `dataclass`.
fn is_harmless_module(path: &str) -> bool {
    match path.split_once('.') {
        None => true,
        Some((module, _)) => is_standard_library(module) || matches!(module, "typing_extensions" | "pytest"),
    }
}
