//! The facts of one TypeScript or JavaScript file: everything that linking needs, in tables.
//!
//! Names are interned per file. Reads of names are resolved to symbols of the file (hoisting included), and a read is
//! wrapped in the type guards that hold at its position, so that linking never walks statements. Types are kept as they
//! are written.

mod definition;
mod expr;
mod holders;
mod mention;
mod module;
mod read;
mod symbol;
mod types;

use arcstr::ArcStr;
use compact_str::CompactString;
use serde::{Deserialize, Serialize};

pub use definition::{
    Access, Class, Def, DefBody, Enum, Function, FunctionKind, Interface, Member, MemberKind, Param, TypeAlias,
    TypeParam,
};
pub use expr::{Arg, CallExpr, CallExprKind, Expr, ExprList, ExpressionContext, Guard, NarrowingTest, PassedProperty};
pub use mention::{Holder, Mention, MentionPlace, MentionedName, PassedAs};
pub use module::{AmbientModule, Export, ExportKind, Import, ImportKind};
pub use read::{PropertyRead, ReadPlace};
pub use symbol::{AddedItem, Decl, LexicalScope, PatternStep, ScopeKind, Symbol, ValueSource, Variable};
pub use types::{Keyword, OptionalityModifier, TupleElement, TypeList, TypeNode};

pub use crate::syntax::names::NameId;
use crate::syntax::texts::{self, KeptText, TextPiece};
use apidisc_base::{
    diagnostic::{LineRange, Problem},
    ids::id,
};

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

/// The facts of one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub struct FileFacts {
    /// Interned names.
    pub names: Vec<CompactString>,
    /// Scopes; the first is that of the file.
    pub scopes: Vec<LexicalScope>,
    /// One symbol for each declared name of each scope, in the order of first declaration. See
    /// [`LexicalScope::symbols`].
    pub symbols: Vec<Symbol>,
    /// Functions, classes, interfaces, type aliases, enums, namespaces, object literals and type literals, outer
    /// before inner.
    pub definitions: Vec<Def>,
    /// Variables and destructured names.
    pub variables: Vec<Variable>,
    /// Imported names.
    pub imports: Vec<Import>,
    /// Exports in source order.
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
    /// Call expressions, including those whose callee has no name token. A call follows the calls in its callee and
    /// precedes the calls in its arguments.
    pub calls: Vec<CallExpr>,
    /// Reads of properties. The callee of a call is among them; linking decides whether it is a call or a read.
    pub reads: Vec<PropertyRead>,
    /// Names that may name definitions outside of calls, in the order of lowering.
    pub mentions: Vec<Mention>,
    /// The type guards of [`Expr::Narrowed`].
    pub guards: Vec<Guard>,
    /// The positions from which functions, object literals, array literals, calls with a function as an argument, and
    /// expressions that may contain one of these get a contextual type. Sorted by expression. See
    /// [`FileFacts::context`].
    pub contexts: Vec<(ExprId, ExpressionContext)>,
    /// The assignments `object.name = value` and `object[0] = value` to a name, its `prototype`, `module.exports` or,
    /// in JavaScript, `this`: the assigned expression, and the value.
    pub assigned_properties: Vec<(ExprId, ExprId)>,
    /// The values that are added to arrays which variables are declared with as `[]`, sorted by variable. At most eight
    /// are kept for each.
    pub added_items: Vec<AddedItem>,
    /// The decorators of fields: the class, the name of the field, and the text without `@`. Sorted by class and name.
    pub field_decorators: Vec<(DefId, NameId, ArcStr)>,
    /// The methods that are called `[Symbol.iterator]` or `[Symbol.asyncIterator]`.
    pub iterator_methods: Vec<DefId>,
    /// The file has an import or export, assigns to `module.exports`, or, in JavaScript, calls `require`: its top-level
    /// names are not global.
    pub is_module: bool,
    /// In the facts of a component, the name of the function that stands for it, which the name of the file replaces.
    pub component: Option<NameId>,
    /// In the facts of a component, that its scripts are TypeScript.
    pub has_typed_scripts: bool,
    /// The annotations of the file stand in JSDoc comments.
    pub has_comment_types: bool,
    /// The file is a declaration file (`.d.ts`): everything in it is ambient.
    pub is_declaration: bool,
    /// The blocks `declare module "name" { … }`.
    pub ambient_modules: Vec<AmbientModule>,
    /// The namespaces with the declarations of `declare global { … }`.
    pub global_augmentations: Vec<DefId>,
    /// The global name of the module: `export as namespace React`.
    pub global_name: Option<NameId>,
    /// The texts of template strings that may be paths, URLs or names in a request, in the order of expressions.
    pub texts: Vec<KeptText<ExprId>>,
    /// The problems of the file, with their lines: every range of lines with syntax errors, and the first problem of
    /// each other kind.
    pub problems: Vec<(Problem, LineRange)>,
}

impl FileFacts {
    /// Frees the unused capacity of the tables.
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
        self.reads.shrink_to_fit();
        self.mentions.shrink_to_fit();
        self.guards.shrink_to_fit();
        self.contexts.shrink_to_fit();
        self.assigned_properties.shrink_to_fit();
        self.field_decorators.shrink_to_fit();
        self.iterator_methods.shrink_to_fit();
        self.texts.shrink_to_fit();
        for scope in &mut self.scopes {
            scope.symbols.shrink_to_fit();
        }
    }

    /// The text of a name.
    #[inline]
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.index()]
    }

    /// The expression with this id.
    #[inline]
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// The expressions of a list.
    #[inline]
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.lists[list.range()]
    }

    /// The decorators of a field of a class, without `@`, in source order.
    pub fn decorators_of_field(&self, class: DefId, name: NameId) -> impl Iterator<Item = &ArcStr> {
        let first = self.field_decorators.partition_point(|(of, field, _)| (*of, *field) < (class, name));
        let of_field =
            self.field_decorators[first..].iter().take_while(move |(of, field, _)| (*of, *field) == (class, name));
        of_field.map(|(_, _, text)| text)
    }

    /// The pieces of a template string, if its text is kept in [`Self::texts`].
    pub fn kept_text(&self, expr: ExprId) -> Option<&[TextPiece<ExprId>]> {
        texts::pieces_of(&self.texts, expr)
    }

    /// The type with this id.
    #[inline]
    pub fn ty(&self, id: TypeId) -> &TypeNode {
        &self.types[id.index()]
    }

    /// The types of a list.
    #[inline]
    pub fn type_list(&self, list: TypeList) -> &[TypeId] {
        &self.type_lists[list.range()]
    }

    /// Whether a type is written as a union with `null`, `undefined` or `void`.
    pub fn is_declared_nullish(&self, id: TypeId) -> bool {
        let is_nullish =
            |ty: &TypeId| matches!(self.ty(*ty), TypeNode::Keyword(Keyword::Undefined | Keyword::Null | Keyword::Void));
        matches!(self.ty(id), TypeNode::Union(list) if self.type_list(*list).iter().any(is_nullish))
    }

    /// The definition with this id.
    #[inline]
    pub fn def(&self, id: DefId) -> &Def {
        &self.definitions[id.index()]
    }

    /// The symbol with this id.
    #[inline]
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The call expression with this id.
    #[inline]
    pub fn site(&self, id: CallExprId) -> &CallExpr {
        &self.calls[id.index()]
    }

    /// The position from which an expression gets a contextual type.
    pub fn context(&self, expr: ExprId) -> ExpressionContext {
        self.contexts.binary_search_by_key(&expr, |(e, _)| *e).map_or(ExpressionContext::None, |at| self.contexts[at].1)
    }

    /// The scope of the file itself.
    pub fn file_scope(&self) -> ScopeId {
        ScopeId::new(0)
    }

    /// The symbol that a scope itself declares for a name. Enclosing scopes are not searched.
    pub fn symbol_in(&self, scope: ScopeId, name: NameId) -> Option<SymbolId> {
        let symbols = &self.scopes[scope.index()].symbols;
        symbols.binary_search_by_key(&name, |(n, _)| *n).ok().map(|at| symbols[at].1)
    }
}
