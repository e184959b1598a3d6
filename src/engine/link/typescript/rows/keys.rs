//! The keys under which rows are found.

use crate::typescript::{
    infer::ResolvedName,
    program::{GlobalDef, GlobalSymbol, ProgramFacts},
};
use apidisc_facts::syntax::typescript::facts::{DefBody, Expr, FunctionKind};

/// The key under which [`super::DefinitionRows`] finds a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::typescript) enum DefinitionKey {
    /// All declarations of a symbol.
    Symbol(GlobalSymbol),
    /// A definition that no scope declares, such as a method or an arrow function.
    Def(GlobalDef),
}

impl DefinitionKey {
    /// The key of a definition: its symbol if a scope declares it, else the definition itself.
    pub(in crate::typescript) fn of(program: &ProgramFacts<'_>, def: GlobalDef) -> Self {
        let body = &program.def(def).body;
        let is_declared = match body {
            DefBody::Function(function) => function.kind == FunctionKind::Declaration,
            DefBody::Object(_) | DefBody::TypeLiteral(_) => false,
            _ => true,
        };
        match program.symbol_of(def) {
            Some(symbol) if is_declared => Self::Symbol(symbol),
            _ => Self::Def(def),
        }
    }

    /// The key of the definition that a name resolves to; `None` for modules and for values that are not definitions.
    pub(in crate::typescript) fn of_name(program: &ProgramFacts<'_>, resolved: ResolvedName) -> Option<Self> {
        match resolved {
            ResolvedName::Symbol(symbol) => Some(Self::Symbol(symbol)),
            ResolvedName::Expression(file, value) => match program.facts(file).expr(value) {
                Expr::Function(def) | Expr::Class(def) | Expr::Object(def) => {
                    Some(Self::Def(program.global_def(file, def)))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
