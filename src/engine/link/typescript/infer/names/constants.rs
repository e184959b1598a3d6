//! The constants that names denote.

use crate::typescript::{
    infer::{Linker, names::ResolvedName},
    program::FileIndex,
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{Decl, Expr, ExprId, NameId, PatternStep, ValueSource, VariableId};

/// The greatest number of parts of a callee such as `a.b.f` that names a constant.
const MAX_PARTS: u32 = 4;

impl Linker<'_> {
    /// The variable that a callee names directly or through namespaces: `persist`, `middleware.persist`.
    pub(in crate::typescript) fn called_constant(
        &mut self,
        file: FileIndex,
        callee: ExprId,
    ) -> Option<(FileIndex, VariableId)> {
        let mut named = self.constant_of_name(file, callee)?;
        // A constant whose value is the name of another constant is an alias of that constant, unless it is annotated.
        // So is one that takes the other from a module: `const { … } = require(…)`.
        for _ in 0..MAX_PARTS {
            let (file, variable) = named;
            let row = &self.program.facts(file).variables[variable.index()];
            let ValueSource::Value(value) = row.source else { break };
            if !row.is_const || row.annotation.is_some() {
                break;
            }
            let next = match row.path[..] {
                [] => self.constant_of_name(file, value),
                [PatternStep::Property(name)] => self.constant_of_module(file, value, name),
                _ => None,
            };
            let Some(next) = next else { break };
            named = next;
        }
        Some(named)
    }

    /// The variable that a name or a property of a namespace denotes.
    fn constant_of_name(&mut self, file: FileIndex, name: ExprId) -> Option<(FileIndex, VariableId)> {
        let resolved = self.named_value(file, name, 0)?;
        self.variable_of(resolved)
    }

    /// The variable that the module or namespace `value` exports under a name.
    fn constant_of_module(&mut self, file: FileIndex, value: ExprId, name: NameId) -> Option<(FileIndex, VariableId)> {
        let module = match self.program.facts(file).expr(value) {
            Expr::Require(specifier) => self.resolve_require(file, specifier),
            _ => self.named_value(file, value, 0)?,
        };
        let export = self.resolve_member(module, self.program.name(file, name))?;
        self.variable_of(export)
    }

    /// The variable that a name resolves to.
    pub(in crate::typescript) fn variable_of(&self, resolved: ResolvedName) -> Option<(FileIndex, VariableId)> {
        let ResolvedName::Symbol(symbol) = resolved else { return None };
        let (file, symbol) = self.program.symbol(symbol);
        symbol.decls.iter().find_map(|decl| match decl {
            Decl::Variable(variable) => Some((file, *variable)),
            _ => None,
        })
    }

    /// The resolution of an expression that consists of names: `f`, `namespace.f`.
    pub(in crate::typescript) fn named_value(
        &mut self,
        file: FileIndex,
        value: ExprId,
        depth: u32,
    ) -> Option<ResolvedName> {
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
}
