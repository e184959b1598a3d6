//! What decorators make of functions.

use super::{
    infer::Linker,
    program::{FileIndex, GlobalDef, decorator_name},
    results::Passed,
    types::{Ty, Type},
};
use crate::program::ParameterKind;

/// Decorators that leave what is called, and how, as it is.
const TRANSPARENT: &[&str] = &[
    "abstractmethod",
    "abstractclassmethod",
    "abstractstaticmethod",
    "asynccontextmanager",
    "cache",
    "classmethod",
    "contextmanager",
    "deprecated",
    "final",
    "fixture",
    "lru_cache",
    "no_type_check",
    "overload",
    "override",
    "property",
    "staticmethod",
    "wraps",
];

impl Linker<'_> {
    /// What a decorated function's name stands for as a value; the function itself where its decorators keep it.
    pub(super) fn decorated(&mut self, def: GlobalDef) -> Ty {
        match self.request(|this| &mut this.decorated[def.index()]) {
            Some(Ty::UNKNOWN) => self.types.add(Type::Function(def)),
            Some(ty) => ty,
            None => self.compute(|this| &mut this.decorated[def.index()], |this| this.find_decorated(def)),
        }
    }

    fn find_decorated(&mut self, def: GlobalDef) -> Ty {
        let file = self.program.file_of(def);
        let own = self.types.add(Type::Function(def));
        let mut ty = own;
        for (decorator, text) in self.program.def(def).decorators.iter().rev() {
            if TRANSPARENT.contains(&decorator_name(text)) || text.starts_with("pytest.") {
                continue;
            }
            let decorator = self.expr(file, *decorator);
            let after = self.each_part(decorator, |this, part| this.applied(part, ty));
            if after != Ty::UNKNOWN {
                ty = after;
            }
        }
        ty
    }

    /// What a decorator makes of a function; unknown where it keeps it.
    fn applied(&mut self, decorator: Ty, function: Ty) -> Ty {
        let file = FileIndex::new(0);
        let passed = Some(Passed { file, arguments: &[], extra: Some(function) });
        let result = match self.types.get(decorator).clone() {
            Type::Function(_) | Type::Method(..) | Type::Instance(..) => self.called_with(decorator, passed),
            Type::Class(..) => return self.called_with(decorator, None),
            Type::Outside(path) => {
                let name = self.program.symbols.text(path);
                return if name.starts_with("pytest.") || name.starts_with("typing") {
                    Ty::UNKNOWN
                } else {
                    Ty::EXTERNAL
                };
            }
            Type::OutsideInstance(path, args) => match (self.program.symbols.text(path), &args[..]) {
                ("Callable", &[result]) => result,
                _ => return Ty::EXTERNAL,
            },
            Type::External | Type::OutsideMethod(..) => return Ty::EXTERNAL,
            _ => return Ty::UNKNOWN,
        };
        match self.types.get(result).clone() {
            // A wrapper that takes anything is taken to pass everything on.
            Type::Function(inner) if self.passes_everything(inner) => Ty::UNKNOWN,
            Type::Instance(..) | Type::Function(_) => result,
            _ => Ty::UNKNOWN,
        }
    }

    fn passes_everything(&self, def: GlobalDef) -> bool {
        self.program.is_decorated(def, &["wraps", "update_wrapper"])
            || self.program.function(def).is_some_and(|f| {
                f.parameters.iter().any(|p| p.kind == ParameterKind::VarPositional && p.annotation.is_none())
                    || f.parameters.iter().any(|p| p.kind == ParameterKind::VarKeyword)
            })
    }
}
