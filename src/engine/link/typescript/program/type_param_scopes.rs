//! The type variables that are in scope in a definition or in a type.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{FileIndex, GlobalDef, GlobalTypeParam, ProgramFacts};
use apidisc_facts::syntax::typescript::facts::{Decl, DefBody, ScopeId, ScopeKind};

/// Type parameters in scope, outermost first.
pub(in crate::typescript) type TypeParamsInScope = SmallVec<[GlobalTypeParam; 2]>;

/// The number of enclosing definitions that are searched for a class or interface, the definition itself included.
const MAX_NESTING: usize = 16;

/// The type variables in scope inside each definition.
#[derive(Debug, Default)]
pub(in crate::typescript) struct TypeVariableScopes {
    /// The type parameters in scope inside the definitions that have any.
    params: FxHashMap<GlobalDef, TypeParamsInScope>,
    /// For each definition: whether it is, or is inside, a class or interface, whose `this` type it may mention.
    has_this: Vec<bool>,
}

impl TypeVariableScopes {
    /// The type parameters in scope inside a definition.
    #[inline]
    pub(in crate::typescript) fn params(&self, def: GlobalDef) -> &[GlobalTypeParam] {
        self.params.get(&def).map_or(&[], |visible| visible)
    }

    /// True if a definition is, or is inside, a class or interface, so that types in it may mention the `this` type.
    #[inline]
    pub(in crate::typescript) fn has_this(&self, def: GlobalDef) -> bool {
        self.has_this[def.index()]
    }
}

impl ProgramFacts<'_> {
    /// Finds the type variables in scope inside each definition.
    pub(super) fn collect_type_variable_scopes(&mut self) {
        let mut scopes = TypeVariableScopes::default();
        for def in (0..self.def_count()).map(GlobalDef::new) {
            let file = self.file_of(def);
            let row = self.def(def);
            let mut visible =
                self.type_params_around(&scopes, file, row.scope, row.outer.map(|outer| self.global_def(file, outer)));
            for param in row.type_params().iter().map(|param| self.global_param(file, *param)) {
                if !visible.contains(&param) {
                    visible.push(param);
                }
            }
            if !visible.is_empty() {
                scopes.params.insert(def, visible);
            }
            scopes.has_this.push(self.is_in_class(def));
        }
        self.type_variable_scopes = Arc::new(scopes);
    }

    /// True if a definition is, or is inside, a class or interface.
    fn is_in_class(&self, def: GlobalDef) -> bool {
        let is_class = |def: &GlobalDef| matches!(self.def(*def).body, DefBody::Class(_) | DefBody::Interface(_));
        std::iter::successors(Some(def), |def| self.outer(*def)).take(MAX_NESTING).any(|def| is_class(&def))
    }

    /// The type parameters in scope inside a definition.
    pub(in crate::typescript) fn type_params_in_scope(&self, def: GlobalDef) -> &[GlobalTypeParam] {
        self.type_variable_scopes.params(def)
    }

    /// The type parameters in scope around the conditional or mapped type that opens `scope`, and the innermost
    /// definition around it. The type parameters that the type itself declares are left out.
    pub(in crate::typescript) fn type_params_around_type(
        &self,
        file: FileIndex,
        scope: ScopeId,
    ) -> (TypeParamsInScope, Option<GlobalDef>) {
        let row = &self.facts(file).scopes[scope.index()];
        let def = row.def.map(|def| self.global_def(file, def));
        let visible = row.parent.map(|parent| self.type_params_around(&self.type_variable_scopes, file, parent, def));
        (visible.unwrap_or_default(), def)
    }

    /// The type parameters in scope inside `outer`, and those that types declare between its scope and `scope`: the
    /// names after `infer` and the keys of mapped types.
    fn type_params_around(
        &self,
        scopes: &TypeVariableScopes,
        file: FileIndex,
        scope: ScopeId,
        outer: Option<GlobalDef>,
    ) -> TypeParamsInScope {
        let facts = self.facts(file);
        let mut visible: TypeParamsInScope = outer.map(|outer| scopes.params(outer).into()).unwrap_or_default();
        let last = outer.map(|outer| self.def(outer).scope);
        let mut at = Some(scope);
        while let Some(here) = at.filter(|here| Some(*here) != last) {
            let row = &facts.scopes[here.index()];
            if row.kind == ScopeKind::Type {
                for (_, symbol) in &row.symbols {
                    for decl in &facts.symbol(*symbol).decls {
                        if let Decl::TypeParam(param) = decl {
                            visible.push(self.global_param(file, *param));
                        }
                    }
                }
            }
            at = row.parent;
        }
        visible
    }
}
