//! Resolution of the names that a module exports: its own exports, re-exports, `export *` and `export =`.

use super::{
    resolved_names::{ResolvedModule, ResolvedName},
    stars::StarExport,
};
use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef, InternedName},
};
use crate::{limits::LinkLimit, memo::MemoSlot};
use apidisc_base::nesting::{self, Level};
use apidisc_facts::syntax::typescript::facts::{
    Decl, DefBody, ExportKind, Expr, ExprId, PatternStep, SymbolId, ValueSource,
};

impl Linker<'_> {
    /// The resolution of the export assignment of a file: `export = …`, `module.exports = …`.
    pub(in crate::typescript) fn export_assignment(&mut self, file: FileIndex) -> Option<ResolvedName> {
        self.assigned_export(file)?;
        // Modules that assign each other, `module.exports = require("./other")`, export nothing.
        MemoSlot::get_or_compute(
            self,
            |linker| linker.export_assignments.slot(file),
            |_| None,
            |linker| linker.find_export_assignment(file),
        )
    }

    fn find_export_assignment(&mut self, file: FileIndex) -> Option<ResolvedName> {
        let value = self.assigned_export(file)?;
        let _level = self.descend_in_exports(file)?;
        Some(self.resolve_expression(file, value))
    }

    /// Begins a level of recursion in the resolution of an export of `file`. `None` if that would be too deep, which is
    /// noted: the export is not found.
    ///
    /// The resolution of names takes no steps of a query: each name is resolved once, for all queries.
    pub(super) fn descend_in_exports(&mut self, file: FileIndex) -> Option<Level> {
        let level = nesting::descend();
        if level.is_none() {
            self.limits.note(file.index(), LinkLimit::Exports(nesting::MAX_LEVELS), 0);
        }
        level
    }

    /// The file whose exports a file takes as its own: `module.exports = require("./other")`.
    pub(super) fn file_of_exports(&mut self, file: FileIndex) -> Option<FileIndex> {
        let value = self.assigned_export(file)?;
        let Expr::Require(specifier) = self.program.facts(file).expr(value) else { return None };
        match self.resolve_module(file, specifier) {
            ResolvedModule::File(target) => Some(target),
            _ => None,
        }
    }

    /// The value of the export assignment of a file.
    fn assigned_export(&self, file: FileIndex) -> Option<ExprId> {
        self.program.facts(file).exports.iter().find_map(|export| match export.kind {
            ExportKind::Assign(value) => Some(value),
            _ => None,
        })
    }

    /// The resolution of an exported expression: that of the name if the expression is a name, that of the module if
    /// the expression is a call of `require`, and that of the export if it is an export of such a module.
    pub(super) fn resolve_expression(&mut self, file: FileIndex, value: ExprId) -> ResolvedName {
        let Some(_level) = self.descend_in_exports(file) else { return ResolvedName::Missing };
        let facts = self.program.facts(file);
        let found = match facts.expr(value) {
            Expr::Name { symbol: Some(symbol), .. } => {
                let destructured = self.destructured_export(file, symbol);
                Some(destructured.unwrap_or_else(|| self.resolve_symbol(file, self.program.named_value(file, symbol))))
            }
            Expr::Require(specifier) => Some(self.resolve_require(file, specifier)),
            Expr::Namespace(specifier) => Some(self.resolve_namespace_import(file, specifier)),
            Expr::Property { object, name, .. } => {
                let name = self.program.name(file, name);
                let holder = match self.required_module(file, object) {
                    Some(module) => Some(module),
                    None => self.named_namespace(file, object),
                };
                holder.and_then(|holder| self.resolve_member(holder, name))
            }
            _ => None,
        };
        found.unwrap_or(ResolvedName::Expression(file, value))
    }

    /// The module that an expression names: `require("./m")`, a variable with this value, or an import of a namespace.
    fn required_module(&mut self, file: FileIndex, object: ExprId) -> Option<ResolvedName> {
        let facts = self.program.facts(file);
        let object = facts.without_guards(object);
        let value = match facts.expr(object) {
            Expr::Name { symbol: Some(symbol), .. } => match facts.symbol(symbol).decls[..] {
                [Decl::Variable(variable)] => {
                    let row = &facts.variables[variable.index()];
                    let ValueSource::Value(value) = row.source else { return None };
                    Some(value).filter(|_| row.path.is_empty() && row.assigned.is_empty())?
                }
                [Decl::Import(_)] => {
                    let resolved = self.resolve_symbol(file, symbol);
                    return matches!(resolved, ResolvedName::File(_) | ResolvedName::AmbientModule(_))
                        .then_some(resolved);
                }
                _ => return None,
            },
            _ if facts.is_module && facts.is_exports(object) => return Some(ResolvedName::File(file)),
            _ => object,
        };
        match facts.expr(value) {
            Expr::Require(specifier) => Some(self.resolve_require(file, specifier)),
            Expr::Namespace(specifier) => Some(self.resolve_namespace_import(file, specifier)),
            _ => None,
        }
    }

    /// The namespace that an expression names: `N` and `N.Inner` in `export = N.Inner.value`.
    fn named_namespace(&mut self, file: FileIndex, object: ExprId) -> Option<ResolvedName> {
        let _level = self.descend_in_exports(file)?;
        let resolved = match self.program.facts(file).expr(object) {
            Expr::Name { symbol: Some(symbol), .. } => self.resolve_symbol(file, symbol),
            Expr::Name { symbol: None, name } => {
                let name = self.program.name(file, name);
                self.resolve_global(file, name)
            }
            Expr::Property { object, name, .. } => {
                let holder = self.named_namespace(file, object)?;
                let name = self.program.name(file, name);
                self.resolve_member(holder, name)?
            }
            _ => return None,
        };
        let ResolvedName::Symbol(symbol) = resolved else { return None };
        let is_namespace = |def: &GlobalDef| matches!(self.program.def(*def).body, DefBody::Namespace);
        self.program.definitions(symbol).iter().any(is_namespace).then_some(resolved)
    }

    /// The export that a variable takes from a module: `go` after `const { go } = require("./m")`.
    fn destructured_export(&mut self, file: FileIndex, symbol: SymbolId) -> Option<ResolvedName> {
        let facts = self.program.facts(file);
        let [Decl::Variable(variable)] = facts.symbol(symbol).decls[..] else { return None };
        let row = &facts.variables[variable.index()];
        let (&[PatternStep::Property(name)], ValueSource::Value(value)) = (&row.path[..], row.source) else {
            return None;
        };
        let Expr::Require(specifier) = facts.expr(value) else { return None };
        let name = self.program.name(file, name);
        let module = self.resolve_require(file, specifier);
        self.resolve_member(module, name)
    }

    /// The resolution of the export `name` of a module.
    pub(super) fn resolve_export_of(&mut self, module: ResolvedModule, name: InternedName) -> ResolvedName {
        match module {
            ResolvedModule::File(file) => self.resolve_export(file, name).unwrap_or(ResolvedName::Missing),
            ResolvedModule::AmbientModule(module) => self.resolve_in_ambient_module(module, name),
            ResolvedModule::External => ResolvedName::External,
            ResolvedModule::Missing => ResolvedName::Missing,
        }
    }

    /// The resolution of the export `name` of a file, with re-exports followed. `None` if there is no such export, and
    /// inside a cycle of re-exports.
    pub(in crate::typescript) fn resolve_export(
        &mut self,
        file: FileIndex,
        name: InternedName,
    ) -> Option<ResolvedName> {
        let _level = self.descend_in_exports(file)?;
        MemoSlot::get_or_compute(
            self,
            |linker| linker.resolved_exports.slot((file, name)),
            |_| None,
            |linker| linker.find_export(file, name),
        )
    }

    /// Finds the export `name` of a file: first in its own exports, then by `export *`, then in its export assignment.
    fn find_export(&mut self, file: FileIndex, name: InternedName) -> Option<ResolvedName> {
        let facts = self.program.facts(file);
        if name != self.well_known.empty
            && let Some(export) = self.program.export(file, name)
        {
            return Some(match export.kind {
                ExportKind::Symbol(symbol) => self.resolve_symbol(file, symbol),
                ExportKind::Value(value) => self.resolve_expression(file, value),
                ExportKind::From(specifier, original) => {
                    let original = self.program.name(file, original);
                    self.resolve_imported_name(file, specifier, original)
                }
                ExportKind::Namespace(specifier) => self.resolve_namespace_import(file, specifier),
                ExportKind::Star(_) | ExportKind::Assign(_) => return None,
            });
        }
        if !self.stars.is_open(file) && self.stars.targets(file).is_empty() {
            return None;
        }
        let declaration =
            if name == self.well_known.default { StarExport::None } else { self.stars.find(&self.program, file, name) };
        if let StarExport::One(owner) = declaration {
            return self.resolve_export(owner, name);
        }
        if declaration == StarExport::Several {
            let mut outside = None;
            for export in &facts.exports {
                let ExportKind::Star(specifier) = export.kind else { continue };
                match self.resolve_module(file, specifier) {
                    ResolvedModule::File(target) => {
                        if let Some(resolved) = self.resolve_export(target, name) {
                            return Some(resolved);
                        }
                    }
                    ResolvedModule::AmbientModule(module) => {
                        let resolved = self.resolve_in_ambient_module(module, name);
                        if resolved != ResolvedName::External {
                            return Some(resolved);
                        }
                    }
                    ResolvedModule::External => outside = Some(ResolvedName::External),
                    ResolvedModule::Missing => {}
                }
            }
            if outside.is_some() {
                return outside;
            }
        }
        if let Some(other) = self.file_of_exports(file)
            && let Some(found) = self.resolve_export(other, name)
        {
            return Some(found);
        }
        let assigned = self.export_assignment(file)?;
        if name == self.well_known.default {
            return Some(assigned);
        }
        self.resolve_member(assigned, name)
    }
}
