//! The facts of one TypeScript or JavaScript file: everything that linking asks for, in tables.
//!
//! Names are interned a file. A name that is read already says which of the file's symbols it means
//! (hoisting done), and a read that a test narrows is wrapped in the guard that holds there, so that
//! linking never walks statements. Types are kept as they are written.

mod definition;
mod expr;
mod module;
mod symbol;
mod types;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

pub use definition::{
    Access, Class, Def, DefBody, Enum, Function, FunctionKind, Interface, Member, MemberKind, Param, TypeAlias,
    TypeParam,
};
pub use expr::{Arg, ExpressionContext, Expr, ExprList, Guard, PassedProperty, CallExpr, CallExprKind, NarrowingTest};
pub use module::{Export, ExportKind, Import, ImportKind};
pub use symbol::{Decl, PatternStep, Scope, ScopeKind, Symbol, ValueSource, Variable};
pub use types::{Keyword, OptionalityModifier, TupleElement, TypeList, TypeNode};

pub use crate::syntax::names::NameId;
use crate::{diagnostic::Problem, ids::id};

id! {
    /// A row of [`FileFacts::scopes`].
    pub struct ScopeId;
    /// A row of [`FileFacts::symbols`].
    pub struct SymbolId;
    /// A row of [`FileFacts::definitions`].
    pub struct DefId;
    /// A row of [`FileFacts::variables`].
    pub struct VariableId;
    /// A row of [`FileFacts::imports`].
    pub struct ImportId;
    /// A row of [`FileFacts::exprs`].
    pub struct ExprId;
    /// A row of [`FileFacts::types`].
    pub struct TypeId;
    /// A row of [`FileFacts::calls`].
    pub struct CallExprId;
    /// A row of [`FileFacts::guards`].
    pub struct GuardId;
    /// A row of [`FileFacts::type_params`].
    pub struct TypeParamId;
}

/// Everything that one file says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FileFacts {
    /// Interned names.
    pub names: Vec<CompactString>,
    /// Scopes; the first is the file's.
    pub scopes: Vec<Scope>,
    /// Everything that a name can mean, a row a name and scope; sorted by nothing, see [`Scope::symbols`].
    pub symbols: Vec<Symbol>,
    /// Functions, classes, interfaces, type aliases, enums, namespaces, object literals and type literals, outer
    /// before inner.
    pub definitions: Vec<Def>,
    /// Variables and destructured names.
    pub variables: Vec<Variable>,
    /// Imported names.
    pub imports: Vec<Import>,
    /// What the file offers, in source order.
    pub exports: Vec<Export>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Lists of expressions that [`Expr`] refers to.
    pub lists: Vec<ExprId>,
    /// Types as written.
    pub types: Vec<TypeNode>,
    /// Lists of types that [`TypeNode`] refers to.
    pub type_lists: Vec<TypeId>,
    /// Type parameters.
    pub type_params: Vec<TypeParam>,
    /// Call sites in source order of their evaluation; also those without a name token.
    pub calls: Vec<CallExpr>,
    /// What tests tell of the expressions wrapped in [`Expr::Narrowed`].
    pub guards: Vec<Guard>,
    /// What is expected where functions, object literals, array literals, conditionals and the like stand,
    /// sorted by expression: see [`FileFacts::context`].
    pub contexts: Vec<(ExprId, ExpressionContext)>,
    /// It has an import or export (or assigns to `module.exports`): its top level is not global.
    pub is_module: bool,
    /// A `.d.ts` file: everything in it is declared, not defined.
    pub is_declaration: bool,
    /// Ambient modules: `declare module "name" { … }` with the namespace that holds what they declare.
    pub ambient_modules: Vec<(NameId, DefId)>,
    /// `declare global { … }`.
    pub global_augmentations: Vec<DefId>,
    /// Problems found, with the line of the first one of a kind.
    pub problems: Vec<(Problem, u32)>,
}

impl FileFacts {
    /// Gives back the room that the tables have grown into: they are kept as long as their file is followed.
    pub(crate) fn shrink(&mut self) {
        self.names.shrink_to_fit();
        self.scopes.shrink_to_fit();
        self.symbols.shrink_to_fit();
        self.definitions.shrink_to_fit();
        self.variables.shrink_to_fit();
        self.imports.shrink_to_fit();
        self.exports.shrink_to_fit();
        self.exprs.shrink_to_fit();
        self.lists.shrink_to_fit();
        self.types.shrink_to_fit();
        self.type_lists.shrink_to_fit();
        self.type_params.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.guards.shrink_to_fit();
        self.contexts.shrink_to_fit();
        for scope in &mut self.scopes {
            scope.symbols.shrink_to_fit();
        }
    }

    /// The text of a name.
    #[inline]
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.index()]
    }

    /// The expression of that id.
    #[inline]
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// The expressions of a list.
    #[inline]
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.lists[list.range()]
    }

    /// The type of that id.
    #[inline]
    pub fn ty(&self, id: TypeId) -> &TypeNode {
        &self.types[id.index()]
    }

    /// The types of a list.
    #[inline]
    pub fn type_list(&self, list: TypeList) -> &[TypeId] {
        &self.type_lists[list.range()]
    }

    /// The definition of that id.
    #[inline]
    pub fn def(&self, id: DefId) -> &Def {
        &self.definitions[id.index()]
    }

    /// The symbol of that id.
    #[inline]
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The call site of that id.
    #[inline]
    pub fn site(&self, id: CallExprId) -> &CallExpr {
        &self.calls[id.index()]
    }

    /// What is expected of an expression by the place that it stands in.
    pub fn context(&self, expr: ExprId) -> ExpressionContext {
        self.contexts.binary_search_by_key(&expr, |(e, _)| *e).map_or(ExpressionContext::None, |at| self.contexts[at].1)
    }

    /// The scope of the file itself.
    pub fn file_scope(&self) -> ScopeId {
        ScopeId::new(0)
    }

    /// The symbol of a name in a scope, not in the scopes around it.
    pub fn symbol_in(&self, scope: ScopeId, name: NameId) -> Option<SymbolId> {
        let symbols = &self.scopes[scope.index()].symbols;
        symbols.binary_search_by_key(&name, |(n, _)| *n).ok().map(|at| symbols[at].1)
    }
}
