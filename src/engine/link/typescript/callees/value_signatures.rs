//! The signatures of constants and of types.

use smallvec::SmallVec;

use super::Callees;
use crate::typescript::{
    program::{FileIndex, GlobalDef},
    types::InternedType,
};
use apidisc_facts::syntax::typescript::facts::{Decl, Expr, FunctionKind, TypeId, ValueSource, VariableId};

impl Callees<'_, '_> {
    /// The call signatures of the type that the declaration of a constant gives the function expression which it holds:
    /// by an annotation, or by a type assertion around the expression. Empty if there is none, or if the type is
    /// declared outside the sources.
    pub(in crate::typescript) fn declared_signatures(&mut self, function: GlobalDef) -> SmallVec<[GlobalDef; 2]> {
        let Some((file, node)) = self.declared_type(function) else { return SmallVec::new() };
        let ty = self.linker.type_from_node(file, node);
        self.own_signatures(ty)
    }

    /// The annotation of the constant that holds a function expression, or the type of the assertion around it.
    fn declared_type(&self, function: GlobalDef) -> Option<(FileIndex, TypeId)> {
        let file = self.linker.program.file_of(function);
        let facts = self.linker.program.facts(file);
        let (expr, name) = (self.linker.program.def(function).expr?, self.linker.program.def(function).name?);
        let symbol = facts.symbol_in(facts.file_scope(), name)?;
        facts.symbol(symbol).decls.iter().find_map(|decl| {
            let Decl::Variable(variable) = decl else { return None };
            let row = &facts.variables[variable.index()];
            let ValueSource::Value(value) = row.source else { return None };
            let asserted = match facts.expr(value) {
                Expr::As(_, node) => Some(node),
                _ => None,
            };
            let is_held = row.path.is_empty() && self.linker.program.held_value(file, value) == Some(expr);
            row.annotation.or(asserted).filter(|_| is_held).map(|node| (file, node))
        })
    }

    /// The signatures of a constant's type; see [`Self::own_signatures`]. Empty if the type is not known, is no
    /// function type, or is declared outside the sources.
    pub(in crate::typescript) fn constant_signatures(
        &mut self,
        file: FileIndex,
        constant: VariableId,
    ) -> SmallVec<[GlobalDef; 2]> {
        let ty = self.linker.variable_type(file, constant);
        self.own_signatures(ty)
    }

    /// The call signatures of a type, or its construct signatures if it has none. Empty if one of them is declared
    /// outside the sources, or by a class.
    pub(super) fn own_signatures(&mut self, ty: InternedType) -> SmallVec<[GlobalDef; 2]> {
        let mut signatures = self.linker.signatures(ty, false);
        if signatures.is_empty() {
            signatures = self.linker.signatures(ty, true);
            if !signatures.iter().all(|signature| self.is_construct_signature(signature.def)) {
                return SmallVec::new();
            }
        }
        if signatures.iter().any(|signature| self.linker.program.is_platform(signature.def)) {
            return SmallVec::new();
        }
        signatures.into_iter().map(|signature| signature.def).collect()
    }

    /// Whether a function is a construct signature: `new (x: number): T`, or the type `new (x: number) => T`.
    pub(in crate::typescript) fn is_construct_signature(&self, def: GlobalDef) -> bool {
        let kind = self.linker.program.function(def).map(|function| function.kind);
        matches!(kind, Some(FunctionKind::ConstructSignature | FunctionKind::ConstructorType))
    }
}
