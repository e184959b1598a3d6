//! Names to what they mean: through imports, exports, namespaces and globals.

use super::{
    infer::{Linker, Question},
    modules::Resolution,
    program::{EntityId, FileIndex, Name},
    types::{Env, Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{
    Decl, DefBody, ExportKind, Expr, ExprId, ImportId, ImportKind, NameId, SymbolId, TypeParamId,
};

/// What a name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    /// Something declared.
    Entity(EntityId),
    /// A whole file.
    File(FileIndex),
    /// A `declare module`.
    Ambient(Name),
    /// A value without a name: `export default …`.
    Value(FileIndex, ExprId),
    /// Something outside the sources.
    External,
    /// Nothing.
    Missing,
}

/// What a specifier leads to.
#[derive(Clone, Copy, Debug)]
enum Module {
    File(FileIndex),
    Ambient(Name),
    External,
    Missing,
}

impl Linker<'_> {
    /// What a file's symbol means, imports followed.
    pub(super) fn meaning(&mut self, file: FileIndex, symbol: SymbolId) -> Meaning {
        let entity = self.program.entity(file, symbol);
        self.meaning_of(entity)
    }

    pub(super) fn meaning_of(&mut self, entity: EntityId) -> Meaning {
        let (file, symbol) = self.program.symbol(entity);
        let import = symbol.decls.iter().find_map(|decl| match decl {
            Decl::Import(import) => Some(*import),
            _ => None,
        });
        match import {
            Some(import) if symbol.decls.len() == 1 => self.import(file, import),
            _ => Meaning::Entity(entity),
        }
    }

    /// What a name means that is not declared in its file.
    pub(super) fn global_meaning(&mut self, name: Name) -> Meaning {
        match self.program.global_entity(name) {
            Some(entity) => self.meaning_of(entity),
            None => Meaning::External,
        }
    }

    fn module(&mut self, file: FileIndex, specifier: NameId) -> Module {
        if file == self.program.platform() {
            return Module::External;
        }
        let text = self.program.facts(file).name(specifier);
        match self.resolver.resolve(file.index(), text) {
            Resolution::File(target) => Module::File(FileIndex::new(target)),
            resolution => {
                let name = self.program.name(file, specifier);
                match (self.program.ambient(name), resolution) {
                    (Some(_), _) => Module::Ambient(name),
                    (None, Resolution::Outside) => Module::External,
                    (None, _) => Module::Missing,
                }
            }
        }
    }

    fn whole(module: Module) -> Meaning {
        match module {
            Module::File(file) => Meaning::File(file),
            Module::Ambient(name) => Meaning::Ambient(name),
            Module::External => Meaning::External,
            Module::Missing => Meaning::Missing,
        }
    }

    fn import(&mut self, file: FileIndex, import: ImportId) -> Meaning {
        let key = (file, import.index() as u32);
        if let Some(&meaning) = self.imported.get(&key) {
            return meaning;
        }
        // A circle of imports leads nowhere.
        self.imported.insert(key, Meaning::Missing);
        let row = &self.program.facts(file).imports[import.index()];
        let meaning = match row.kind {
            ImportKind::Named(name) => {
                let module = self.module(file, row.specifier);
                let name = self.program.name(file, name);
                self.named(module, name)
            }
            ImportKind::Namespace => {
                let module = self.module(file, row.specifier);
                Self::whole(module)
            }
            ImportKind::Required => {
                let module = self.module(file, row.specifier);
                self.required(module)
            }
            ImportKind::Entity => self.entity_path(file, import),
        };
        self.imported.insert(key, meaning);
        meaning
    }

    /// What `specifier` offers under `name`, as a file sees it.
    pub(super) fn imported_name(&mut self, file: FileIndex, specifier: NameId, name: Name) -> Meaning {
        let module = self.module(file, specifier);
        self.named(module, name)
    }

    /// The module that `specifier` means, as a value.
    pub(super) fn imported_module(&mut self, file: FileIndex, specifier: NameId) -> Meaning {
        let module = self.module(file, specifier);
        Self::whole(module)
    }

    /// What `require` gives: what the module assigns to its exports, else its namespace.
    pub(super) fn required_module(&mut self, file: FileIndex, specifier: NameId) -> Meaning {
        let module = self.module(file, specifier);
        self.required(module)
    }

    fn required(&mut self, module: Module) -> Meaning {
        match module {
            Module::File(target) => self.assigned(target).unwrap_or(Meaning::File(target)),
            other => Self::whole(other),
        }
    }

    /// `export =` of a file.
    pub(super) fn assigned(&mut self, file: FileIndex) -> Option<Meaning> {
        let facts = self.program.facts(file);
        let value = facts.exports.iter().find_map(|export| match export.kind {
            ExportKind::Assign(value) => Some(value),
            _ => None,
        })?;
        Some(self.meaning_of_value(file, value))
    }

    fn meaning_of_value(&mut self, file: FileIndex, value: ExprId) -> Meaning {
        match self.program.facts(file).expr(value) {
            Expr::Name { symbol: Some(symbol), .. } => self.meaning(file, symbol),
            _ => Meaning::Value(file, value),
        }
    }

    fn named(&mut self, module: Module, name: Name) -> Meaning {
        match module {
            Module::File(file) => self.exported(file, name).unwrap_or(Meaning::Missing),
            Module::Ambient(module) => self.in_ambient(module, name),
            Module::External => Meaning::External,
            Module::Missing => Meaning::Missing,
        }
    }

    pub(super) fn in_ambient(&mut self, module: Name, name: Name) -> Meaning {
        let defs = self.program.ambient(module).map(<[_]>::to_vec).unwrap_or_default();
        for def in defs {
            if let Some(entity) = self.program.in_namespace(def, name) {
                return self.meaning_of(entity);
            }
        }
        if name == self.known.default { Meaning::Ambient(module) } else { Meaning::External }
    }

    /// What a file offers under a name, through re-exports.
    pub(super) fn exported(&mut self, file: FileIndex, name: Name) -> Option<Meaning> {
        if let Some(&meaning) = self.exported.get(&(file, name)) {
            return meaning;
        }
        // A circle of re-exports adds nothing.
        self.exported.insert((file, name), None);
        let meaning = self.find_export(file, name);
        self.exported.insert((file, name), meaning);
        meaning
    }

    fn find_export(&mut self, file: FileIndex, name: Name) -> Option<Meaning> {
        let facts = self.program.facts(file);
        if name != self.known.empty
            && let Some(export) = self.program.export(file, name)
        {
            return Some(match export.kind {
                ExportKind::Symbol(symbol) => self.meaning(file, symbol),
                ExportKind::Value(value) => self.meaning_of_value(file, value),
                ExportKind::From(specifier, there) => {
                    let there = self.program.name(file, there);
                    self.imported_name(file, specifier, there)
                }
                ExportKind::Namespace(specifier) => self.imported_module(file, specifier),
                ExportKind::Star(_) | ExportKind::Assign(_) => return None,
            });
        }
        if name != self.known.default {
            let mut outside = None;
            for export in &facts.exports {
                let ExportKind::Star(specifier) = export.kind else { continue };
                match self.module(file, specifier) {
                    Module::File(target) => {
                        if let Some(meaning) = self.exported(target, name) {
                            return Some(meaning);
                        }
                    }
                    Module::Ambient(module) => {
                        let meaning = self.in_ambient(module, name);
                        if meaning != Meaning::External {
                            return Some(meaning);
                        }
                    }
                    Module::External => outside = Some(Meaning::External),
                    Module::Missing => {}
                }
            }
            if outside.is_some() {
                return outside;
            }
        }
        let assigned = self.assigned(file)?;
        if name == self.known.default {
            return Some(assigned);
        }
        self.member_meaning(assigned, name)
    }

    /// What `meaning.name` means, for a namespace, a module, or an object literal that is exported.
    pub(super) fn member_meaning(&mut self, meaning: Meaning, name: Name) -> Option<Meaning> {
        match meaning {
            Meaning::Entity(entity) => {
                for def in self.program.defs(entity) {
                    if let Some(found) = self.program.in_namespace(def, name) {
                        return Some(self.meaning_of(found));
                    }
                }
                None
            }
            Meaning::File(file) => self.exported(file, name),
            Meaning::Ambient(module) => Some(self.in_ambient(module, name)),
            Meaning::Value(file, value) => {
                let Expr::Object(def) = self.program.facts(file).expr(value) else { return None };
                let members = self.program.facts(file).def(def).members();
                let member = members.iter().find(|m| m.name.is_some_and(|n| self.program.name(file, n) == name))?;
                match &member.kind {
                    crate::syntax::typescript::facts::MemberKind::Property { value: Some((value, _)), .. } => {
                        Some(self.meaning_of_value(file, *value))
                    }
                    _ => None,
                }
            }
            Meaning::External => Some(Meaning::External),
            Meaning::Missing => None,
        }
    }

    fn entity_path(&mut self, file: FileIndex, import: ImportId) -> Meaning {
        let facts = self.program.facts(file);
        let Some((first, rest)) = facts.imports[import.index()].path.split_first() else { return Meaning::Missing };
        let mut scope = Some(crate::syntax::typescript::facts::ScopeId::new(0));
        let mut meaning = Meaning::Missing;
        while let Some(at) = scope {
            if let Some(symbol) = facts.symbol_in(at, *first) {
                meaning = self.meaning(file, symbol);
                break;
            }
            scope = facts.scopes[at.index()].parent;
        }
        if meaning == Meaning::Missing {
            let name = self.program.name(file, *first);
            meaning = self.global_meaning(name);
        }
        for part in rest {
            let name = self.program.name(file, *part);
            let Some(next) = self.member_meaning(meaning, name) else { return Meaning::Missing };
            meaning = next;
        }
        meaning
    }

    /// The type of what a name means, read as a value.
    pub(super) fn value(&mut self, meaning: Meaning) -> Ty {
        match meaning {
            Meaning::Entity(entity) => self.ask(Question::Entity(entity), |linker| linker.entity_value(entity)),
            Meaning::File(file) => self.types.add(Type::Module(file)),
            Meaning::Ambient(name) => self.types.add(Type::AmbientModule(name)),
            Meaning::Value(file, expr) => self.expr(file, expr),
            Meaning::External => Ty::EXTERNAL,
            Meaning::Missing => Ty::ANY,
        }
    }

    fn entity_value(&mut self, entity: EntityId) -> Ty {
        let decls = self.program.decls(entity);
        let mut namespace = false;
        let mut function = None;
        let mut variables: Tys = Tys::new();
        for &(file, decl) in &decls {
            match decl {
                Decl::Def(local) => {
                    let def = self.program.global(file, local);
                    match self.program.def(def).body {
                        DefBody::Class(_) => return self.types.add(Type::Class(def, Env::EMPTY)),
                        DefBody::Function(ref body)
                            // The implementation stands for its overloads.
                            if (function.is_none() || body.has_body) => {
                                function = Some(def);
                            }
                        DefBody::Enum(_) => return self.types.add(Type::Enum(entity)),
                        DefBody::Namespace => namespace = true,
                        _ => {}
                    }
                }
                Decl::Variable(variable) => {
                    let ty =
                        self.ask(Question::Variable(file, variable), |linker| linker.variable_value(file, variable));
                    variables.push(ty);
                }
                Decl::Parameter(function, at) => {
                    let def = self.program.global(file, function);
                    let ty = self.parameter(def, at);
                    variables.push(ty);
                }
                Decl::Import(_) | Decl::TypeParam(_) => {}
            }
        }
        if let Some(def) = function {
            return self.types.add(Type::Function(def, Env::EMPTY));
        }
        match variables.first() {
            // The first that is known: `var` may be declared again.
            Some(first) => variables.iter().copied().find(|ty| ty.is_known()).unwrap_or(*first),
            None if namespace => self.types.add(Type::Namespace(entity)),
            None => Ty::ANY,
        }
    }

    /// The type that a name means, read as a type, with its arguments.
    pub(super) fn named_type(&mut self, meaning: Meaning, args: &[Ty]) -> Ty {
        match meaning {
            Meaning::Entity(entity) => self.entity_type(entity, args),
            Meaning::External => Ty::EXTERNAL,
            Meaning::Value(file, expr) => {
                let class = self.expr(file, expr);
                self.instance_of(class, args)
            }
            Meaning::File(_) | Meaning::Ambient(_) | Meaning::Missing => Ty::ANY,
        }
    }

    fn entity_type(&mut self, entity: EntityId, args: &[Ty]) -> Ty {
        for (file, decl) in self.program.decls(entity) {
            match decl {
                Decl::TypeParam(param) => {
                    let param = self.program.global_param(file, param);
                    return self.types.add(Type::Param(param));
                }
                Decl::Def(local) => {
                    let def = self.program.global(file, local);
                    match &self.program.def(def).body {
                        DefBody::Class(_) | DefBody::Interface(_) => {
                            let params = self.program.def(def).type_params();
                            let args = self.completed(file, params, args);
                            return self.types.add(Type::Named(entity, args));
                        }
                        DefBody::Enum(_) => return self.types.add(Type::Named(entity, Tys::new())),
                        DefBody::TypeAlias(alias) => {
                            let raw = self.ask(Question::Alias(entity), |linker| linker.annotation(file, alias.ty));
                            if alias.type_params.is_empty() {
                                return raw;
                            }
                            let args = self.completed(file, &alias.type_params, args);
                            let keys = alias.type_params.iter().map(|p| self.program.global_param(file, *p));
                            let bindings =
                                keys.zip(args).map(|(param, arg)| (super::types::Key::Param(param), arg)).collect();
                            let env = self.types.add_env(bindings);
                            return self.substitute(raw, env);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        Ty::ANY
    }

    /// Type arguments, those left out by their defaults.
    pub(super) fn completed(&mut self, file: FileIndex, params: &[TypeParamId], args: &[Ty]) -> Tys {
        let mut all: Tys = args.iter().copied().take(params.len()).collect();
        for at in all.len()..params.len() {
            let row = &self.program.facts(file).type_params[params[at].index()];
            let ty = match row.default {
                Some(default) => {
                    let raw = self.annotation(file, default);
                    let bound = params.iter().zip(&all);
                    let bindings = bound
                        .map(|(p, ty)| (super::types::Key::Param(self.program.global_param(file, *p)), *ty))
                        .collect();
                    let env = self.types.add_env(bindings);
                    self.substitute(raw, env)
                }
                None => Ty::ANY,
            };
            all.push(ty);
        }
        all
    }
}
