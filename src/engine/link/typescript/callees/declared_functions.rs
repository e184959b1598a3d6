//! The functions, classes and object literals that declarations hold as their values.

use super::Callees;
use crate::typescript::{
    program::{FileIndex, GlobalDef},
    types::TypeKind,
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{DefBody, Expr, ExprId, MemberKind, ValueSource, VariableId};

impl Callees<'_, '_> {
    /// The function that is the value of a callee's declaration, such as the arrow function of
    /// `const f: Handler = (x) => …`. A type annotation is ignored.
    pub(in crate::typescript) fn declared_function(&mut self, file: FileIndex, callee: ExprId) -> Option<GlobalDef> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        match facts.expr(callee) {
            Expr::Name { .. } => {
                let (declaring_file, variable) = self.linker.called_constant(file, callee)?;
                self.function_of_variable(declaring_file, variable)
            }
            Expr::Property { object, name, .. } => {
                // `import * as m`, then `m.f()`
                if let Some((declaring_file, variable)) = self.linker.called_constant(file, callee) {
                    return self.function_of_variable(declaring_file, variable);
                }
                let receiver = self.linker.receiver_type(file, object);
                let name = self.linker.program.name(file, name);
                // `const m: typeof import("m")`
                if let TypeKind::ModuleNamespace(module) = *self.linker.types.kind(receiver) {
                    let export = self.linker.resolve_export(module, name)?;
                    let (declaring_file, variable) = self.linker.variable_of(export)?;
                    return self.function_of_variable(declaring_file, variable);
                }
                let (def, at) = self.linker.find_property(receiver, name)?.member?;
                let declaring_file = self.linker.program.file_of(def);
                let MemberKind::Property { value: Some((value, _)), .. } =
                    self.linker.program.members(def)[at as usize].kind
                else {
                    return None;
                };
                let is_object = matches!(self.linker.program.def(def).body, DefBody::Object(_));
                match self.linker.program.facts(declaring_file).expr(value) {
                    // `{ f }` and `{ g: f }`
                    Expr::Name { .. } if is_object => self.declared_function(declaring_file, value),
                    _ => self.linker.program.held_function(declaring_file, value),
                }
            }
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) | Expr::Satisfies(inner, _) => {
                self.declared_function(file, inner)
            }
            _ => None,
        }
    }

    /// The function that a variable is declared with.
    fn function_of_variable(&self, file: FileIndex, variable: VariableId) -> Option<GlobalDef> {
        let row = &self.linker.program.facts(file).variables[variable.index()];
        match row.source {
            ValueSource::Value(value) if row.path.is_empty() => self.linker.program.held_function(file, value),
            _ => None,
        }
    }
}
