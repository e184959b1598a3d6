//! Resolution of names through imports, namespaces, ambient modules and globals.

use crate::memo::MemoSlot;
use crate::typescript::{
    infer::Linker,
    modules::ModuleResolution,
    program::{AmbientModuleId, FileIndex, GlobalSymbol, InternedName},
};
use apidisc_facts::syntax::typescript::facts::{
    Decl, Expr, ExprId, ImportId, ImportKind, MemberKind, NameId, ScopeId, SymbolId,
};

/// The resolution of a name, with imports and re-exports followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::typescript) enum ResolvedName {
    /// A symbol that the sources declare.
    Symbol(GlobalSymbol),
    /// The module namespace of a file.
    File(FileIndex),
    /// The module namespace of an ambient module (`declare module "name"`).
    AmbientModule(AmbientModuleId),
    /// An expression without a name of its own: `export default …`.
    Expression(FileIndex, ExprId),
    /// Something outside the sources.
    External,
    /// No declaration was found, although the sources should contain one.
    Missing,
}

/// The resolution of a module specifier.
#[derive(Clone, Copy, Debug)]
pub(in crate::typescript) enum ResolvedModule {
    File(FileIndex),
    AmbientModule(AmbientModuleId),
    External,
    Missing,
}

impl Linker<'_> {
    /// The resolution of a symbol of a file, with imports followed.
    pub(in crate::typescript) fn resolve_symbol(&mut self, file: FileIndex, symbol: SymbolId) -> ResolvedName {
        let symbol = self.program.global_symbol(file, symbol);
        self.resolve_alias(symbol)
    }

    /// The resolution of a symbol. An import alias has the resolution of the imported name.
    pub(in super::super) fn resolve_alias(&mut self, symbol: GlobalSymbol) -> ResolvedName {
        let (file, row) = self.program.symbol(symbol);
        let import = row.decls.iter().find_map(|decl| match decl {
            Decl::Import(import) => Some(*import),
            _ => None,
        });
        match import {
            Some(import) if row.decls.len() == 1 => self.resolve_import(file, import),
            _ => ResolvedName::Symbol(symbol),
        }
    }

    /// The resolution of a name that no scope of its file declares. In examples, the module may declare it.
    pub(in crate::typescript) fn resolve_global(&mut self, file: FileIndex, name: InternedName) -> ResolvedName {
        match self.program.name_of_examples(file, name).or_else(|| self.program.find_global(file, name)) {
            Some(symbol) => self.resolve_alias(symbol),
            None => match self.program.named_module(name) {
                Some(module) => self.module_as_required(ResolvedModule::File(module)),
                None => ResolvedName::External,
            },
        }
    }

    /// The resolution of a module specifier.
    pub(in crate::typescript) fn resolve_module(&mut self, file: FileIndex, specifier: NameId) -> ResolvedModule {
        let name = self.program.name(file, specifier);
        if file == self.program.platform() {
            return self.ambient_module(name, "").map_or(ResolvedModule::External, ResolvedModule::AmbientModule);
        }
        let text = self.program.facts(file).name(specifier);
        let ambient = || self.ambient_module(name, self.resolver.path(file.index()));
        match self.resolver.resolve(file.index(), text) {
            ModuleResolution::File(target) => {
                let target = FileIndex::new(target);
                // A script of a package declares the module by its name.
                let is_declared = |module: &AmbientModuleId| {
                    self.program.ambient_modules.blocks(*module).iter().any(|(block, _)| *block == target)
                };
                let declared = if self.program.facts(target).is_module { None } else { ambient().filter(is_declared) };
                declared.map_or(ResolvedModule::File(target), ResolvedModule::AmbientModule)
            }
            resolution => match (ambient(), resolution) {
                (Some(module), _) => ResolvedModule::AmbientModule(module),
                (None, ModuleResolution::Outside) => ResolvedModule::External,
                (None, _) => ResolvedModule::Missing,
            },
        }
    }

    /// The ambient module that a module specifier names in the file at `path`.
    fn ambient_module(&self, specifier: InternedName, path: &str) -> Option<AmbientModuleId> {
        self.program.ambient_modules.find(&self.program.names, specifier, path)
    }

    fn module_as_name(module: ResolvedModule) -> ResolvedName {
        match module {
            ResolvedModule::File(file) => ResolvedName::File(file),
            ResolvedModule::AmbientModule(name) => ResolvedName::AmbientModule(name),
            ResolvedModule::External => ResolvedName::External,
            ResolvedModule::Missing => ResolvedName::Missing,
        }
    }

    /// The resolution of an import; `Missing` inside a cycle of imports.
    fn resolve_import(&mut self, file: FileIndex, import: ImportId) -> ResolvedName {
        MemoSlot::get_or_compute(
            self,
            |linker| linker.resolved_imports.slot((file, import)),
            |_| ResolvedName::Missing,
            |linker| linker.find_import(file, import),
        )
    }

    fn find_import(&mut self, file: FileIndex, import: ImportId) -> ResolvedName {
        let Some(_level) = self.descend_in_exports(file) else { return ResolvedName::Missing };
        let row = &self.program.facts(file).imports[import.index()];
        match row.kind {
            ImportKind::Named(name) => {
                let module = self.resolve_module(file, row.specifier);
                let name = self.program.name(file, name);
                self.resolve_export_of(module, name)
            }
            ImportKind::Namespace => {
                let module = self.resolve_module(file, row.specifier);
                Self::module_as_name(module)
            }
            ImportKind::Required => {
                let module = self.resolve_module(file, row.specifier);
                self.module_as_required(module)
            }
            ImportKind::Entity => self.resolve_entity_name(file, import),
            ImportKind::Local(symbol) => self.resolve_symbol(file, symbol),
        }
    }

    /// The export `name` of the module `specifier`, imported into `file`.
    pub(in crate::typescript) fn resolve_imported_name(
        &mut self,
        file: FileIndex,
        specifier: NameId,
        name: InternedName,
    ) -> ResolvedName {
        let module = self.resolve_module(file, specifier);
        self.resolve_export_of(module, name)
    }

    /// The module namespace of `specifier`, imported into `file`.
    pub(in super::super) fn resolve_namespace_import(&mut self, file: FileIndex, specifier: NameId) -> ResolvedName {
        let module = self.resolve_module(file, specifier);
        Self::module_as_name(module)
    }

    /// The result of `require(specifier)`: the export assignment of the module, else its namespace.
    pub(in crate::typescript) fn resolve_require(&mut self, file: FileIndex, specifier: NameId) -> ResolvedName {
        let module = self.resolve_module(file, specifier);
        self.module_as_required(module)
    }

    fn module_as_required(&mut self, module: ResolvedModule) -> ResolvedName {
        match module {
            ResolvedModule::File(target) => self.export_assignment(target).unwrap_or(ResolvedName::File(target)),
            ResolvedModule::AmbientModule(name) => {
                self.assignment_of_ambient_module(name).unwrap_or(ResolvedName::AmbientModule(name))
            }
            other => Self::module_as_name(other),
        }
    }

    /// The resolution of `parent.name`, where `parent` is a namespace, a module, or an exported object literal.
    pub(in crate::typescript) fn resolve_member(
        &mut self,
        parent: ResolvedName,
        name: InternedName,
    ) -> Option<ResolvedName> {
        match parent {
            ResolvedName::Symbol(symbol) => {
                for def in self.program.definitions(symbol) {
                    if let Some(found) = self.program.namespace_member(def, name) {
                        return Some(self.resolve_alias(found));
                    }
                }
                None
            }
            ResolvedName::File(file) => self.resolve_export(file, name),
            ResolvedName::AmbientModule(module) => Some(self.resolve_in_ambient_module(module, name)),
            ResolvedName::Expression(file, value) => {
                let Expr::Object(def) = self.program.facts(file).expr(value) else { return None };
                let members = self.program.facts(file).def(def).members();
                let member = members.iter().find(|m| m.name.is_some_and(|n| self.program.name(file, n) == name))?;
                match &member.kind {
                    MemberKind::Property { value: Some((value, _)), .. } => Some(self.resolve_expression(file, *value)),
                    _ => None,
                }
            }
            ResolvedName::External => Some(ResolvedName::External),
            ResolvedName::Missing => None,
        }
    }

    /// The resolution of an import alias of a namespace member: `import x = A.B.C`.
    fn resolve_entity_name(&mut self, file: FileIndex, import: ImportId) -> ResolvedName {
        let facts = self.program.facts(file);
        let Some((first, rest)) = facts.imports[import.index()].path.split_first() else {
            return ResolvedName::Missing;
        };
        let mut scope = Some(ScopeId::new(0));
        let mut resolved = ResolvedName::Missing;
        while let Some(at) = scope {
            if let Some(symbol) = facts.symbol_in(at, *first) {
                resolved = self.resolve_symbol(file, symbol);
                break;
            }
            scope = facts.scopes[at.index()].parent;
        }
        if resolved == ResolvedName::Missing {
            let name = self.program.name(file, *first);
            resolved = self.resolve_global(file, name);
        }
        for segment in rest {
            let name = self.program.name(file, *segment);
            let Some(next) = self.resolve_member(resolved, name) else { return ResolvedName::Missing };
            resolved = next;
        }
        resolved
    }
}
