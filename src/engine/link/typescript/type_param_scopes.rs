//! The type parameters that are in scope in a definition or in a type.

use smallvec::SmallVec;

use super::program::{FileIndex, GlobalDef, GlobalTypeParam, ProgramFacts};
use crate::syntax::typescript::facts::{Decl, ScopeId, ScopeKind};

/// Type parameters in scope, outermost first.
pub(super) type TypeParamsInScope = SmallVec<[GlobalTypeParam; 2]>;

impl ProgramFacts<'_> {
    /// Finds the type parameters in scope inside each definition.
    pub(super) fn collect_type_params_in_scope(&mut self) {
        for def in (0..self.def_count()).map(GlobalDef::new) {
            let file = self.file_of(def);
            let row = self.def(def);
            let mut visible =
                self.type_params_around(file, row.scope, row.outer.map(|outer| self.global_def(file, outer)));
            for param in row.type_params().iter().map(|param| self.global_param(file, *param)) {
                if !visible.contains(&param) {
                    visible.push(param);
                }
            }
            if !visible.is_empty() {
                self.type_params_in_scope.insert(def, visible);
            }
        }
    }

    /// The type parameters in scope inside a definition.
    pub(super) fn type_params_in_scope(&self, def: GlobalDef) -> &[GlobalTypeParam] {
        self.type_params_in_scope.get(&def).map_or(&[], |visible| visible)
    }

    /// The type parameters in scope around the conditional or mapped type that opens `scope`, and the innermost
    /// definition around it. The type parameters that the type itself declares are left out.
    pub(super) fn type_params_around_type(
        &self,
        file: FileIndex,
        scope: ScopeId,
    ) -> (TypeParamsInScope, Option<GlobalDef>) {
        let row = &self.facts(file).scopes[scope.index()];
        let def = row.def.map(|def| self.global_def(file, def));
        let visible = row.parent.map(|parent| self.type_params_around(file, parent, def));
        (visible.unwrap_or_default(), def)
    }

    /// The type parameters in scope inside `outer`, and those that types declare between its scope and `scope`: the
    /// names after `infer` and the keys of mapped types.
    fn type_params_around(&self, file: FileIndex, scope: ScopeId, outer: Option<GlobalDef>) -> TypeParamsInScope {
        let facts = self.facts(file);
        let mut visible: TypeParamsInScope =
            outer.map(|outer| self.type_params_in_scope(outer).into()).unwrap_or_default();
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
