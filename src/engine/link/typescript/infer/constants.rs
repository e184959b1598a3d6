//! The constants that names denote, and the signatures of values: constants, fields and properties with a function
//! type.

use smallvec::SmallVec;

use super::super::{
    program::{FileIndex, GlobalDef},
    types::InternedType,
};
use super::{Linker, resolved_names::ResolvedName};
use crate::{
    nesting,
    syntax::typescript::facts::{Decl, Expr, ExprId, FunctionKind, TypeId, ValueSource, VariableId},
};

/// The greatest number of parts of a callee such as `a.b.f` that names a constant.
const MAX_PARTS: u32 = 4;

impl Linker<'_> {
    /// The variable that a callee names directly or through namespaces: `persist`, `middleware.persist`.
    pub(super) fn called_constant(&mut self, file: FileIndex, callee: ExprId) -> Option<(FileIndex, VariableId)> {
        let mut named = self.constant_of_name(file, callee)?;
        // A constant whose value is the name of another constant is an alias of that constant, unless it is annotated
        // or destructured (`const { … } = …`).
        for _ in 0..MAX_PARTS {
            let (file, variable) = named;
            let row = &self.program.facts(file).variables[variable.index()];
            let ValueSource::Value(value) = row.source else { break };
            if !row.is_const || row.annotation.is_some() || !row.path.is_empty() {
                break;
            }
            let Some(next) = self.constant_of_name(file, value) else { break };
            named = next;
        }
        Some(named)
    }

    /// The variable that a name or a property of a namespace denotes.
    fn constant_of_name(&mut self, file: FileIndex, name: ExprId) -> Option<(FileIndex, VariableId)> {
        let resolved = self.named_value(file, name, 0)?;
        self.variable_of(resolved)
    }

    /// The variable that a name resolves to.
    pub(super) fn variable_of(&self, resolved: ResolvedName) -> Option<(FileIndex, VariableId)> {
        let ResolvedName::Symbol(symbol) = resolved else { return None };
        let (file, symbol) = self.program.symbol(symbol);
        symbol.decls.iter().find_map(|decl| match decl {
            Decl::Variable(variable) => Some((file, *variable)),
            _ => None,
        })
    }

    /// The resolution of an expression that consists of names: `f`, `namespace.f`.
    pub(in super::super) fn named_value(&mut self, file: FileIndex, value: ExprId, depth: u32) -> Option<ResolvedName> {
        let _level = nesting::descend()?;
        match self.program.facts(file).expr(value) {
            Expr::Name { symbol: Some(symbol), .. } => Some(self.resolve_symbol(file, symbol)),
            Expr::Property { object, name, .. } if depth < MAX_PARTS => {
                let parent = self.named_value(file, object, depth + 1)?;
                self.resolve_member(parent, self.program.name(file, name))
            }
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) if depth < MAX_PARTS => {
                self.named_value(file, inner, depth + 1)
            }
            _ => None,
        }
    }

    /// The call signatures of the type that the declaration of a constant gives the function expression which it holds:
    /// by an annotation, or by a type assertion around the expression. Empty if there is none, or if the type is
    /// declared outside the sources.
    pub(in super::super) fn declared_signatures(&mut self, function: GlobalDef) -> SmallVec<[GlobalDef; 2]> {
        let Some((file, node)) = self.declared_type(function) else { return SmallVec::new() };
        let ty = self.type_from_node(file, node);
        self.own_signatures(ty)
    }

    /// The annotation of the constant that holds a function expression, or the type of the assertion around it.
    fn declared_type(&self, function: GlobalDef) -> Option<(FileIndex, TypeId)> {
        let file = self.program.file_of(function);
        let facts = self.program.facts(file);
        let (expr, name) = (self.program.def(function).expr?, self.program.def(function).name?);
        let symbol = facts.symbol_in(facts.file_scope(), name)?;
        facts.symbol(symbol).decls.iter().find_map(|decl| {
            let Decl::Variable(variable) = decl else { return None };
            let row = &facts.variables[variable.index()];
            let ValueSource::Value(value) = row.source else { return None };
            let asserted = match facts.expr(value) {
                Expr::As(_, node) => Some(node),
                _ => None,
            };
            let is_held = row.path.is_empty() && self.program.held_value(file, value) == Some(expr);
            row.annotation.or(asserted).filter(|_| is_held).map(|node| (file, node))
        })
    }

    /// The signatures of a constant's type; see [`Self::own_signatures`]. Empty if the type is not known, is no function
    /// type, or is declared outside the sources.
    pub(in super::super) fn constant_signatures(
        &mut self,
        file: FileIndex,
        constant: VariableId,
    ) -> SmallVec<[GlobalDef; 2]> {
        let ty = self.variable_type(file, constant);
        self.own_signatures(ty)
    }

    /// The call signatures of a type, or its construct signatures if it has none. Empty if one of them is declared outside
    /// the sources, or by a class.
    pub(super) fn own_signatures(&mut self, ty: InternedType) -> SmallVec<[GlobalDef; 2]> {
        let mut signatures = self.signatures(ty, false);
        if signatures.is_empty() {
            signatures = self.signatures(ty, true);
            if !signatures.iter().all(|signature| self.is_construct_signature(signature.def)) {
                return SmallVec::new();
            }
        }
        if signatures.iter().any(|signature| self.program.is_platform(signature.def)) {
            return SmallVec::new();
        }
        signatures.into_iter().map(|signature| signature.def).collect()
    }

    /// Whether a function is a construct signature: `new (x: number): T`, or the type `new (x: number) => T`.
    pub(in super::super) fn is_construct_signature(&self, def: GlobalDef) -> bool {
        let kind = self.program.function(def).map(|function| function.kind);
        matches!(kind, Some(FunctionKind::ConstructSignature | FunctionKind::ConstructorType))
    }
}
