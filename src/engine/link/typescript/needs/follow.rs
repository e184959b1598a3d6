//! Follows names through the declarations of one file of a package.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{ModuleNeed, NeededNames, UsedNames, export_of, used_of};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    Access, AmbientModule, Decl, Def, DefBody, DefId, Export, ExportKind, Expr, ExprId, FileFacts, Function, ImportId,
    ImportKind, Member, MemberKind, NameId, ScopeId, SymbolId, TypeId, TypeNode, TypeParamId, ValueSource, VariableId,
};

/// The greatest number of alternatives of a union that are followed.
const MAX_ALTERNATIVES: usize = 24;

/// The names and declarations of a file that have been followed.
#[derive(Debug, Default)]
pub struct FollowedFile {
    names: FxHashSet<CompactString>,
    symbols: FxHashSet<SymbolId>,
    variables: FxHashSet<VariableId>,
    type_params: FxHashSet<TypeParamId>,
    definitions: FxHashSet<DefId>,
    /// The members that have been followed, by the declaration that holds them and their position.
    members: FxHashSet<(DefId, usize)>,
    /// The declarations of which used members are followed: classes, interfaces, object types.
    holders: Vec<DefId>,
    /// The namespaces of which used names are followed, by their scopes.
    namespaces: FxHashSet<ScopeId>,
    /// The used exports of the file are followed.
    follows_exports: bool,
    /// The number of used names when the file was followed last.
    used: usize,
}

impl FollowedFile {
    /// What `needed` names of a module need of other modules. `specifier` is the module: the file itself, or a module
    /// that a script declares by this name. Adds to `used` the names of members that types name.
    pub fn follow(
        &mut self,
        facts: &FileFacts,
        specifier: &str,
        needed: &[NeededNames],
        used: &mut UsedNames,
    ) -> Vec<ModuleNeed> {
        // Any file may name the exports of a module with a global name.
        self.follows_exports |= facts.global_name.is_some();
        let mut follower = Follower { facts, followed: self, used, needs: Vec::new() };
        let declared: Vec<&AmbientModule> =
            facts.ambient_modules.iter().filter(|module| facts.name(module.name) == specifier).collect();
        for names in needed {
            match names {
                NeededNames::Export(name) | NeededNames::Starred(name) => {
                    if follower.followed.names.insert(name.clone()) {
                        follower.export(name, &declared);
                    }
                }
                NeededNames::Global(name) => follower.global(name),
                NeededNames::Used => {
                    follower.followed.follows_exports = true;
                    for module in &declared {
                        follower.namespace(module.namespace);
                    }
                }
            }
        }
        follower.used_exports();
        follower.follow_used();
        std::mem::take(&mut follower.needs)
    }

    /// What names that were added to `used` since the last call need.
    pub fn follow_again(&mut self, facts: &FileFacts, used: &mut UsedNames) -> Vec<ModuleNeed> {
        if self.used == used.len() {
            return Vec::new();
        }
        let mut follower = Follower { facts, followed: self, used, needs: Vec::new() };
        follower.used_exports();
        follower.follow_used();
        std::mem::take(&mut follower.needs)
    }
}

struct Follower<'f, 'u> {
    facts: &'f FileFacts,
    followed: &'u mut FollowedFile,
    used: &'u mut UsedNames,
    needs: Vec<ModuleNeed>,
}

impl<'f> Follower<'f, '_> {
    /// Follows an export. A name that the file does not export itself may come from `export *`.
    fn export(&mut self, name: &str, declared: &[&'f AmbientModule]) {
        let facts = self.facts;
        let exports = facts.exports.iter().chain(declared.iter().flat_map(|module| &module.exports));
        let mut is_found = false;
        for export in exports.clone().filter(|export| facts.name(export.name) == name) {
            is_found |= !matches!(export.kind, ExportKind::Star(_));
            self.exported(export);
        }
        for module in declared {
            let scope = &facts.scopes[facts.def(module.namespace).scope.index()];
            for &(_, symbol) in scope.symbols.iter().filter(|(symbol, _)| facts.name(*symbol) == name) {
                is_found = true;
                self.symbol(symbol, &[]);
            }
        }
        if is_found {
            return;
        }
        for export in exports {
            match export.kind {
                ExportKind::Star(module) => {
                    let names = NeededNames::Starred(name.into());
                    self.needs.push(ModuleNeed { specifier: facts.name(module).into(), names });
                }
                // The names of a module with `export = x` are members of `x`.
                ExportKind::Assign(value) => {
                    self.used.add(name);
                    self.expr(value, &[]);
                }
                _ => {}
            }
        }
    }

    /// Follows a global name, if the file declares it.
    fn global(&mut self, name: &str) {
        let facts = self.facts;
        let of_file = (!facts.is_module).then(|| facts.file_scope());
        let declared = facts.global_augmentations.iter().map(|def| facts.def(*def).scope);
        for scope in of_file.into_iter().chain(declared) {
            let symbols = &facts.scopes[scope.index()].symbols;
            for &(_, symbol) in symbols.iter().filter(|(symbol, _)| facts.name(*symbol) == name) {
                self.symbol(symbol, &[]);
            }
        }
    }

    /// Follows the exports whose names are used, if the module is imported as a namespace.
    fn used_exports(&mut self) {
        if !self.followed.follows_exports {
            return;
        }
        for export in &self.facts.exports {
            let name = self.facts.name(export.name);
            let is_wanted = match export.kind {
                ExportKind::Star(_) | ExportKind::Assign(_) => {
                    self.followed.names.insert(format!("*{}", export.line).into())
                }
                _ => self.used.contains(name) && self.followed.names.insert(name.into()),
            };
            if is_wanted {
                self.exported(export);
            }
        }
    }

    fn exported(&mut self, export: &Export) {
        match export.kind {
            ExportKind::Symbol(symbol) => self.symbol(symbol, &[]),
            ExportKind::Value(value) | ExportKind::Assign(value) => self.expr(value, &[]),
            ExportKind::From(module, name) => self.needs.push(export_of(self.facts, module, name)),
            ExportKind::Star(module) | ExportKind::Namespace(module) => self.needs.push(used_of(self.facts, module)),
        }
    }

    /// Follows the used members of all classes, interfaces and namespaces, until no more names are used.
    fn follow_used(&mut self) {
        loop {
            let (used, holders, namespaces) =
                (self.used.len(), self.followed.holders.len(), self.followed.namespaces.len());
            for at in 0..holders {
                self.used_members(self.followed.holders[at]);
            }
            let mut scopes: Vec<ScopeId> = self.followed.namespaces.iter().copied().collect();
            scopes.sort_unstable();
            for scope in scopes {
                let facts = self.facts;
                for &(name, symbol) in &facts.scopes[scope.index()].symbols {
                    if self.used.contains(facts.name(name)) {
                        self.symbol(symbol, &[]);
                    }
                }
            }
            let is_done = (used, holders, namespaces)
                == (self.used.len(), self.followed.holders.len(), self.followed.namespaces.len());
            if is_done {
                break;
            }
        }
        self.followed.used = self.used.len();
    }

    /// Follows a symbol; `path` are the names after it, as in `symbol.a.b`.
    fn symbol(&mut self, id: SymbolId, path: &[NameId]) {
        let Some(_level) = nesting::descend() else { return };
        if path.is_empty() && !self.followed.symbols.insert(id) {
            return;
        }
        for decl in &self.facts.symbol(id).decls {
            match *decl {
                Decl::Import(import) => self.import(import, path),
                Decl::Def(def) => match (&self.facts.def(def).body, path) {
                    (DefBody::Namespace, [first, rest @ ..]) => {
                        if let Some(inner) = self.facts.symbol_in(self.facts.def(def).scope, *first) {
                            self.symbol(inner, rest);
                        }
                    }
                    (DefBody::Namespace, []) => self.namespace(def),
                    _ => self.definition(def),
                },
                Decl::Variable(variable) => self.variable(variable),
                Decl::TypeParam(param) => self.type_param(param),
                Decl::Parameter(..) => {}
            }
        }
        for name in path {
            self.used.add(self.facts.name(*name));
        }
    }

    fn import(&mut self, import: ImportId, path: &[NameId]) {
        let row = &self.facts.imports[import.index()];
        match row.kind {
            ImportKind::Named(name) => self.needs.push(export_of(self.facts, row.specifier, name)),
            ImportKind::Namespace | ImportKind::Required => self.needs.push(match path {
                [first, ..] => export_of(self.facts, row.specifier, *first),
                [] => used_of(self.facts, row.specifier),
            }),
            ImportKind::Entity => {
                let [first, rest @ ..] = &row.path[..] else { return };
                let path: Vec<NameId> = rest.iter().chain(path).copied().collect();
                let (first, mut scope) = (*first, Some(self.scope_of_import(import)));
                while let Some(at) = scope {
                    if let Some(symbol) = self.facts.symbol_in(at, first) {
                        self.symbol(symbol, &path);
                        break;
                    }
                    scope = self.facts.scopes[at.index()].parent;
                }
            }
            ImportKind::Local(symbol) => self.symbol(symbol, path),
        }
    }

    /// The scope that declares an import.
    fn scope_of_import(&self, import: ImportId) -> ScopeId {
        let declares = |decl: &Decl| matches!(decl, Decl::Import(other) if *other == import);
        let symbol = self.facts.symbols.iter().find(|symbol| symbol.decls.iter().any(declares));
        symbol.map_or_else(|| self.facts.file_scope(), |symbol| symbol.scope)
    }

    fn namespace(&mut self, def: DefId) {
        self.followed.namespaces.insert(self.facts.def(def).scope);
    }

    fn variable(&mut self, variable: VariableId) {
        if !self.followed.variables.insert(variable) {
            return;
        }
        let row = &self.facts.variables[variable.index()];
        match (row.annotation, row.source) {
            (Some(annotation), _) => self.ty(annotation),
            (None, ValueSource::Value(value)) => self.expr(value, &[]),
            _ => {}
        }
    }

    fn definition(&mut self, id: DefId) {
        let Some(_level) = nesting::descend() else { return };
        if !self.followed.definitions.insert(id) {
            return;
        }
        let facts = self.facts;
        let def = facts.def(id);
        def.type_params().iter().for_each(|param| self.type_param(*param));
        match &def.body {
            DefBody::Function(function) => self.function(function),
            DefBody::Class(class) => {
                if let Some((base, arguments, _)) = &class.extends {
                    self.expr(*base, &[]);
                    self.types(arguments);
                }
                self.holder(id);
            }
            DefBody::Interface(interface) => {
                interface.extends.iter().for_each(|(base, _)| self.ty(*base));
                self.holder(id);
            }
            DefBody::TypeAlias(alias) => self.ty(alias.ty),
            DefBody::Object(_) | DefBody::TypeLiteral(_) => self.holder(id),
            DefBody::Enum(_) | DefBody::Namespace => {}
        }
    }

    fn holder(&mut self, id: DefId) {
        self.followed.holders.push(id);
        self.used_members(id);
    }

    /// Follows the members of a declaration whose names are used, and those without a name.
    fn used_members(&mut self, id: DefId) {
        let facts = self.facts;
        for (at, member) in facts.def(id).members().iter().enumerate() {
            if self.is_used(facts.def(id), member) && self.followed.members.insert((id, at)) {
                self.member(member);
            }
        }
    }

    fn is_used(&self, holder: &Def, member: &Member) -> bool {
        let is_object = matches!(holder.body, DefBody::Object(_));
        let is_named = member.name.is_some_and(|name| {
            let name = self.facts.name(name);
            name == "constructor" || self.used.contains(name)
        });
        member.access != Access::Private && (is_object || is_named || member.name.is_none())
    }

    fn member(&mut self, member: &Member) {
        match &member.kind {
            MemberKind::Property { annotation: Some((ty, _)), .. } => self.ty(*ty),
            MemberKind::Property { value: Some((value, _)), .. } | MemberKind::Spread(value) => self.expr(*value, &[]),
            MemberKind::Property { .. } => {}
            MemberKind::Function(def) => self.definition(*def),
            MemberKind::Index { value, .. } => self.ty(*value),
        }
    }

    fn function(&mut self, function: &Function) {
        for param in &function.params {
            param.annotation.iter().for_each(|(ty, _)| self.ty(*ty));
        }
        function.this_type.iter().for_each(|ty| self.ty(*ty));
        match &function.returns {
            Some((returns, _)) => self.ty(*returns),
            None => function.return_values.iter().for_each(|value| self.expr(*value, &[])),
        }
    }

    fn type_param(&mut self, param: TypeParamId) {
        if !self.followed.type_params.insert(param) {
            return;
        }
        let row = &self.facts.type_params[param.index()];
        row.constraint.iter().chain(&row.default).for_each(|ty| self.ty(*ty));
    }

    fn types(&mut self, list: &[TypeId]) {
        for ty in list {
            self.ty(*ty);
        }
    }

    fn ty(&mut self, id: TypeId) {
        let Some(_level) = nesting::descend() else { return };
        let facts = self.facts;
        match facts.ty(id) {
            TypeNode::Ref { symbol, path, args, .. } => {
                if let Some(symbol) = symbol {
                    self.symbol(*symbol, &path[1..]);
                }
                self.types(facts.type_list(*args));
            }
            TypeNode::Import { specifier, path, args, .. } => {
                self.needs.push(match path.first() {
                    Some(name) => export_of(facts, *specifier, *name),
                    None => used_of(facts, *specifier),
                });
                path.iter().skip(1).for_each(|name| self.used.add(facts.name(*name)));
                self.types(facts.type_list(*args));
            }
            // So many alternatives, such as all requests of a service, have no member that code can use.
            TypeNode::Union(list) if facts.type_list(*list).len() > MAX_ALTERNATIVES => {}
            TypeNode::Template(list) | TypeNode::Union(list) | TypeNode::Intersection(list) => {
                self.types(facts.type_list(*list));
            }
            TypeNode::Array(ty) | TypeNode::KeyOf(ty) | TypeNode::Operator(ty) => self.ty(*ty),
            TypeNode::Tuple(elements) => elements.iter().for_each(|element| self.ty(element.ty)),
            TypeNode::Function(def) | TypeNode::Literal(def) => self.definition(*def),
            TypeNode::TypeOf(value) => self.expr(*value, &[]),
            TypeNode::Indexed(object, key) => {
                self.names_of(*key);
                self.ty(*object);
                self.ty(*key);
            }
            TypeNode::Conditional { check, extends, positive, negative, .. } => {
                if let TypeNode::Literal(def) = facts.ty(*extends) {
                    let names = facts.def(*def).members().iter().filter_map(|member| member.name);
                    names.for_each(|name| self.used.add(facts.name(name)));
                }
                self.types(&[*check, *extends, *positive, *negative]);
            }
            TypeNode::Infer(param) => self.type_param(*param),
            TypeNode::Mapped { key, renamed, value, .. } => {
                self.type_param(*key);
                renamed.iter().chain(value).for_each(|ty| self.ty(*ty));
            }
            TypeNode::Predicate { ty, .. } => ty.iter().for_each(|ty| self.ty(*ty)),
            _ => {}
        }
    }

    /// Adds the names that an index type names, as in `T["a" | "b"]`.
    fn names_of(&mut self, key: TypeId) {
        let Some(_level) = nesting::descend() else { return };
        match self.facts.ty(key) {
            TypeNode::String(name) => self.used.add(self.facts.name(*name)),
            TypeNode::Union(list) => self.facts.type_list(*list).iter().for_each(|key| self.names_of(*key)),
            _ => {}
        }
    }

    /// Follows the names in an expression whose type is needed; `path` are the properties read of it.
    fn expr(&mut self, id: ExprId, path: &[NameId]) {
        let Some(_level) = nesting::descend() else { return };
        let facts = self.facts;
        match facts.expr(id) {
            Expr::Name { symbol: Some(symbol), .. } => self.symbol(symbol, path),
            Expr::Property { object, name, .. } => {
                let path: Vec<NameId> = std::iter::once(name).chain(path.iter().copied()).collect();
                self.expr(object, &path);
            }
            Expr::Import(module) | Expr::Require(module) | Expr::Namespace(module) => {
                self.needs.push(match path.first() {
                    Some(name) => export_of(facts, module, *name),
                    None => used_of(facts, module),
                });
            }
            Expr::Call(call) => {
                let site = facts.site(call);
                self.expr(site.callee, &[]);
                self.types(&site.type_args);
                site.arguments.iter().for_each(|argument| self.expr(argument.value, &[]));
            }
            Expr::Function(def) | Expr::Object(def) | Expr::Class(def) => self.definition(def),
            Expr::As(value, ty) | Expr::Satisfies(value, ty) | Expr::Instantiated(value, ty) => {
                self.expr(value, path);
                self.ty(ty);
            }
            Expr::Await(value)
            | Expr::AsConst(value)
            | Expr::NonNull(value)
            | Expr::Spread(value)
            | Expr::Narrowed(value, _) => self.expr(value, path),
            Expr::Either(a, b) | Expr::Or(a, b) | Expr::And(a, b) | Expr::Nullish(a, b) => {
                self.expr(a, path);
                self.expr(b, path);
            }
            Expr::Array(items) => facts.list(items).iter().for_each(|item| self.expr(*item, &[])),
            _ => {}
        }
    }
}
