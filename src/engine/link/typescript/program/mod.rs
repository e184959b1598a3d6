//! The facts of all files under program-wide ids, with declaration merging, global names and exports.

mod ambient_modules;
mod functions;
mod held_values;
mod member_positions;
mod name_interner;
mod names;
mod type_param_scopes;

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use ambient_modules::AmbientModules;
use apidisc_base::ids::id;
use apidisc_facts::syntax::typescript::facts::{
    Decl, Def, DefBody, DefId, Export, ExportKind, FileFacts, Function, Member, NameId, ScopeId, ScopeKind, Symbol,
    SymbolId, TypeParam, TypeParamId,
};
use member_positions::MemberPositions;
use name_interner::GlobalNameInterner;

pub(super) use ambient_modules::{AmbientBlock, AmbientModuleId};
pub(super) use name_interner::InternedName;
pub(super) use names::is_identifier;
pub(super) use type_param_scopes::{TypeParamsInScope, TypeVariableScopes};

id! {
    /// A file of the program. The last one describes the platform.
    pub(super) struct FileIndex;
    /// A definition of the program.
    pub(super) struct GlobalDef;
    /// A type parameter of the program.
    pub(super) struct GlobalTypeParam;
    /// A symbol of the program. Symbols of different files that are merged (global declarations) have the same id.
    pub(super) struct GlobalSymbol;
}

/// One declaration of a symbol, with its file.
pub(super) type GlobalDeclaration = (FileIndex, Decl);

#[derive(Debug)]
pub(super) struct ProgramFacts<'f> {
    files: Vec<&'f FileFacts>,
    pub(super) names: GlobalNameInterner,
    /// For each file: the interned form of each of its names.
    file_names: Vec<Vec<InternedName>>,
    /// For each file: the number of definitions in all files before it. `param_bases` and `symbol_bases` count type
    /// parameters and symbols in the same way.
    def_bases: Vec<u32>,
    def_files: Vec<FileIndex>,
    param_bases: Vec<u32>,
    param_files: Vec<FileIndex>,
    symbol_bases: Vec<u32>,
    symbol_files: Vec<FileIndex>,
    /// For each file but the platform: the position of its source. `None` for a file whose global names are known in
    /// every source.
    sources: Vec<Option<usize>>,
    /// The symbols in the global scope of each source.
    globals: FxHashMap<(usize, InternedName), GlobalSymbol>,
    /// The modules that have a global name: `export as namespace React`.
    named_modules: FxHashMap<InternedName, FileIndex>,
    /// For each file of examples, the symbols that its module declares at the top level.
    names_of_examples: FxHashMap<(FileIndex, InternedName), GlobalSymbol>,
    /// Each group of merged symbols, by its first symbol.
    pub(super) merged: FxHashMap<GlobalSymbol, Vec<GlobalSymbol>>,
    /// For every other symbol of a group: the first symbol of the group.
    merged_into: FxHashMap<GlobalSymbol, GlobalSymbol>,
    pub(super) ambient_modules: AmbientModules<'f>,
    /// For each file: its exports by name, as positions in its facts.
    exports: Vec<FxHashMap<InternedName, u32>>,
    /// The positions of the members of each declaration that has many.
    member_positions: FxHashMap<GlobalDef, MemberPositions>,
    /// The type variables in scope inside each definition.
    pub(super) type_variable_scopes: Arc<TypeVariableScopes>,
    /// The functions that calls with `new` call.
    constructed: FxHashSet<GlobalDef>,
    /// The names of the constants that hold anonymous functions which wrappers return.
    names_of_wrapped: FxHashMap<GlobalDef, NameId>,
}

impl<'f> ProgramFacts<'f> {
    /// `files` are the facts of all files sorted by path, then those of the platform. `sources` are the positions of
    /// their sources: each source is a program of its own to the language, so it has a global scope of its own. The
    /// global names of a file without a source, such as one of an installed package, are known in all of them.
    pub(super) fn new(files: Vec<&'f FileFacts>, sources: Vec<Option<usize>>) -> Self {
        let mut program = Self {
            names: GlobalNameInterner::default(),
            file_names: Vec::with_capacity(files.len()),
            def_bases: Vec::with_capacity(files.len()),
            def_files: Vec::new(),
            param_bases: Vec::with_capacity(files.len()),
            param_files: Vec::new(),
            symbol_bases: Vec::with_capacity(files.len()),
            symbol_files: Vec::new(),
            sources,
            globals: FxHashMap::default(),
            named_modules: FxHashMap::default(),
            names_of_examples: FxHashMap::default(),
            merged: FxHashMap::default(),
            merged_into: FxHashMap::default(),
            ambient_modules: AmbientModules::default(),
            exports: Vec::with_capacity(files.len()),
            member_positions: FxHashMap::default(),
            type_variable_scopes: Arc::default(),
            constructed: FxHashSet::default(),
            names_of_wrapped: FxHashMap::default(),
            files,
        };
        for i in 0..program.files.len() {
            program.add_file(FileIndex::new(i));
        }
        program.ambient_modules.find_patterns(&program.names);
        program.collect_globals();
        program.collect_type_variable_scopes();
        program
    }

    /// Lets an import mean the ambient module that its own package declares. `folder` returns the folder of a file's
    /// package.
    pub(super) fn separate_ambient_modules(&mut self, folder: impl Fn(FileIndex) -> Option<CompactString>) {
        self.ambient_modules.separate(folder);
    }

    fn add_file(&mut self, file: FileIndex) {
        let facts = self.files[file.index()];
        let names: Vec<InternedName> = facts.names.iter().map(|name| self.names.intern(name)).collect();
        self.def_bases.push(self.def_files.len() as u32);
        self.def_files.extend(std::iter::repeat_n(file, facts.definitions.len()));
        for (at, def) in facts.definitions.iter().enumerate() {
            if let Some(positions) = MemberPositions::new(facts, def.members()) {
                self.member_positions.insert(self.global_def(file, DefId::new(at)), positions);
            }
        }
        self.param_bases.push(self.param_files.len() as u32);
        self.param_files.extend(std::iter::repeat_n(file, facts.type_params.len()));
        self.symbol_bases.push(self.symbol_files.len() as u32);
        self.symbol_files.extend(std::iter::repeat_n(file, facts.symbols.len()));
        let mut exports = FxHashMap::default();
        for (at, export) in facts.exports.iter().enumerate() {
            exports.entry(names[export.name.index()]).or_insert(at as u32);
        }
        for module in &facts.ambient_modules {
            self.ambient_modules.add(names[module.name.index()], (file, module));
        }
        self.exports.push(exports);
        self.file_names.push(names);
    }

    /// Fills the global scope with the top-level declarations of scripts (files that are not modules) and the
    /// declarations in `declare global`. The platform is the last file, so that the first declaration of a merged
    /// symbol comes from the sources if they declare it. It is part of every source.
    fn collect_globals(&mut self) {
        let count = self.sources.iter().flatten().max().map_or(1, |last| last + 1);
        for i in 0..self.files.len() {
            let file = FileIndex::new(i);
            let facts = self.files[i];
            if let Some(name) = facts.global_name {
                let name = self.name(file, name);
                self.named_modules.entry(name).or_insert(file);
            }
            let sources = self.sources.get(i).copied().flatten().map_or(0..count, |source| source..source + 1);
            let mut scopes: SmallVec<[ScopeId; 2]> = SmallVec::new();
            if !facts.is_module {
                scopes.push(ScopeId::new(0));
            }
            scopes.extend(facts.global_augmentations.iter().map(|def| facts.def(*def).scope));
            for scope in scopes {
                let Some(row) = facts.scopes.get(scope.index()) else { continue };
                for &(name, symbol) in &row.symbols {
                    let name = self.name(file, name);
                    let symbol = self.unmerged_symbol(file, symbol);
                    for source in sources.clone() {
                        self.add_global(source, name, symbol);
                    }
                }
            }
        }
    }

    fn add_global(&mut self, source: usize, name: InternedName, symbol: GlobalSymbol) {
        match self.globals.get(&(source, name)) {
            // Scripts that each declare a function or class of this name do not run together.
            Some(&first) if self.is_implemented(first) && self.is_implemented(symbol) => {}
            Some(&first) => self.merge(first, symbol),
            None => {
                self.globals.insert((source, name), symbol);
            }
        }
    }

    /// True for a symbol that is a function with a body, or a class, and nothing else.
    fn is_implemented(&self, symbol: GlobalSymbol) -> bool {
        let is_implementation = |&(file, decl): &GlobalDeclaration| match decl {
            Decl::Def(def) => match &self.facts(file).def(def).body {
                DefBody::Function(function) => function.has_body,
                DefBody::Class(_) => !self.facts(file).def(def).is_ambient,
                _ => false,
            },
            _ => false,
        };
        self.declarations(symbol).iter().all(is_implementation)
    }

    /// Adds the declarations of a symbol to those of another one, with whose id it is known from then on. Symbols that
    /// were merged with `added` before come along.
    pub(super) fn merge(&mut self, first: GlobalSymbol, added: GlobalSymbol) {
        if first == added {
            return;
        }
        let group = self.merged.remove(&added).unwrap_or_else(|| vec![added]);
        for &symbol in &group {
            self.merged_into.insert(symbol, first);
        }
        self.merged.entry(first).or_insert_with(|| vec![first]).extend(group);
    }

    /// True if a definition stands in `declare module "name" { … }` of a module, which adds to another module.
    pub(super) fn is_augmentation(&self, def: GlobalDef) -> bool {
        let file = self.file_of(def);
        let facts = self.facts(file);
        let is_augmented = |outer: DefId| facts.ambient_modules.iter().any(|module| module.namespace == outer);
        facts.is_module && self.def(def).outer.is_some_and(is_augmented)
    }

    pub(super) fn def_count(&self) -> usize {
        self.def_files.len()
    }

    pub(super) fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The file that describes the platform.
    pub(super) fn platform(&self) -> FileIndex {
        FileIndex::new(self.files.len() - 1)
    }

    #[inline]
    pub(super) fn facts(&self, file: FileIndex) -> &'f FileFacts {
        self.files[file.index()]
    }

    #[inline]
    pub(super) fn name(&self, file: FileIndex, name: NameId) -> InternedName {
        self.file_names[file.index()][name.index()]
    }

    #[inline]
    pub(super) fn global_def(&self, file: FileIndex, def: DefId) -> GlobalDef {
        GlobalDef::new(self.def_bases[file.index()] as usize + def.index())
    }

    #[inline]
    pub(super) fn file_of(&self, def: GlobalDef) -> FileIndex {
        self.def_files[def.index()]
    }

    #[inline]
    pub(super) fn local_def(&self, def: GlobalDef) -> DefId {
        DefId::new(def.index() - self.def_bases[self.file_of(def).index()] as usize)
    }

    #[inline]
    pub(super) fn def(&self, def: GlobalDef) -> &'f Def {
        self.facts(self.file_of(def)).def(self.local_def(def))
    }

    pub(super) fn function(&self, def: GlobalDef) -> Option<&'f Function> {
        self.def(def).function()
    }

    pub(super) fn members(&self, def: GlobalDef) -> &'f [Member] {
        self.def(def).members()
    }

    /// The positions of the members of a declaration of a file; `None` if it has few.
    pub(super) fn member_positions(&self, file: FileIndex, def: DefId) -> Option<&MemberPositions> {
        self.member_positions.get(&self.global_def(file, def))
    }

    pub(super) fn outer(&self, def: GlobalDef) -> Option<GlobalDef> {
        self.def(def).outer.map(|outer| self.global_def(self.file_of(def), outer))
    }

    /// Makes known which definitions calls with `new` call.
    pub(super) fn add_constructed(&mut self, defs: impl IntoIterator<Item = GlobalDef>) {
        self.constructed.extend(defs);
    }

    /// Whether a definition is a class: one that is declared as a class, or a function with instances that has a
    /// prototype or that code calls with `new`.
    pub(super) fn is_class(&self, def: GlobalDef) -> bool {
        match &self.def(def).body {
            DefBody::Class(_) => true,
            DefBody::Function(function) => {
                function.class.is_some() && (function.has_prototype || self.constructed.contains(&def))
            }
            _ => false,
        }
    }

    pub(super) fn is_platform(&self, def: GlobalDef) -> bool {
        self.file_of(def) == self.platform()
    }

    pub(super) fn global_param(&self, file: FileIndex, param: TypeParamId) -> GlobalTypeParam {
        GlobalTypeParam::new(self.param_bases[file.index()] as usize + param.index())
    }

    pub(super) fn type_param(&self, param: GlobalTypeParam) -> (FileIndex, &'f TypeParam) {
        let file = self.param_files[param.index()];
        let local = param.index() - self.param_bases[file.index()] as usize;
        (file, &self.facts(file).type_params[local])
    }

    fn unmerged_symbol(&self, file: FileIndex, symbol: SymbolId) -> GlobalSymbol {
        GlobalSymbol::new(self.symbol_bases[file.index()] as usize + symbol.index())
    }

    /// The program-wide id of a file's symbol.
    pub(super) fn global_symbol(&self, file: FileIndex, symbol: SymbolId) -> GlobalSymbol {
        let symbol = self.unmerged_symbol(file, symbol);
        self.merged_into.get(&symbol).copied().unwrap_or(symbol)
    }

    pub(super) fn symbol(&self, symbol: GlobalSymbol) -> (FileIndex, &'f Symbol) {
        let file = self.symbol_files[symbol.index()];
        let local = symbol.index() - self.symbol_bases[file.index()] as usize;
        (file, &self.facts(file).symbols[local])
    }

    /// All declarations of a symbol, in all files.
    pub(super) fn declarations(&self, symbol: GlobalSymbol) -> SmallVec<[GlobalDeclaration; 2]> {
        let one = |symbol: GlobalSymbol| {
            let (file, symbol) = self.symbol(symbol);
            symbol.decls.iter().map(move |decl| (file, *decl))
        };
        match self.merged.get(&symbol) {
            Some(all) => all.iter().flat_map(|e| one(*e)).collect(),
            None => one(symbol).collect(),
        }
    }

    /// The definitions among the declarations of a symbol.
    pub(super) fn definitions(&self, symbol: GlobalSymbol) -> SmallVec<[GlobalDef; 2]> {
        self.declarations(symbol)
            .into_iter()
            .filter_map(|(file, decl)| match decl {
                Decl::Def(def) => Some(self.global_def(file, def)),
                _ => None,
            })
            .collect()
    }

    /// Makes the names of a module known in a file of examples.
    pub(super) fn add_names_of_examples(&mut self, examples: FileIndex, module: FileIndex) {
        let facts = self.files[module.index()];
        for &(name, symbol) in &facts.scopes[facts.file_scope().index()].symbols {
            let key = (examples, self.name(module, name));
            self.names_of_examples.insert(key, self.global_symbol(module, symbol));
        }
    }

    /// The symbol that `name` has in a file of examples through its module.
    pub(super) fn name_of_examples(&self, examples: FileIndex, name: InternedName) -> Option<GlobalSymbol> {
        self.names_of_examples.get(&(examples, name)).copied()
    }

    /// The symbol `name` in the global scope of a file.
    pub(super) fn find_global(&self, file: FileIndex, name: InternedName) -> Option<GlobalSymbol> {
        let source = self.sources.get(file.index()).copied().flatten().unwrap_or_default();
        self.globals.get(&(source, name)).copied()
    }

    /// The module with a global name.
    pub(super) fn named_module(&self, name: InternedName) -> Option<FileIndex> {
        self.named_modules.get(&name).copied()
    }

    /// The symbol that a definition declares; `None` if no scope has it, as with methods.
    pub(super) fn symbol_of(&self, def: GlobalDef) -> Option<GlobalSymbol> {
        let file = self.file_of(def);
        let facts = self.facts(file);
        let row = self.def(def);
        let local = self.local_def(def);
        let name = row.name?;
        let mut scope = Some(row.scope);
        // The name of a class or function expression is in its own scope, that of a declaration in an enclosing scope.
        for _ in 0..3 {
            let at = scope?;
            if let Some(symbol) = facts.symbol_in(at, name)
                && declares(&facts.symbol(symbol).decls, local)
            {
                return Some(self.global_symbol(file, symbol));
            }
            scope = facts.scopes[at.index()].parent;
        }
        None
    }

    /// The export `name` of a file. `export *` is not followed.
    pub(super) fn export(&self, file: FileIndex, name: InternedName) -> Option<&'f Export> {
        let at = *self.exports[file.index()].get(&name)?;
        Some(&self.facts(file).exports[at as usize])
    }

    /// The names of the exports of a file. `export *` is not followed, and an export assignment has no name.
    pub(super) fn exported_names(&self, file: FileIndex) -> impl Iterator<Item = InternedName> {
        let facts = self.facts(file);
        let named =
            facts.exports.iter().filter(|export| !matches!(export.kind, ExportKind::Star(_) | ExportKind::Assign(_)));
        named.map(move |export| self.name(file, export.name))
    }

    /// The symbol that a namespace exports as `name`; `None` if the definition is not a namespace.
    pub(super) fn namespace_member(&self, def: GlobalDef, name: InternedName) -> Option<GlobalSymbol> {
        let file = self.file_of(def);
        let (_, symbol) = *self.namespace_symbols(def).iter().find(|(n, _)| self.name(file, *n) == name)?;
        self.facts(file).symbol(symbol).is_exported.then(|| self.global_symbol(file, symbol))
    }

    /// The names that the namespaces of a symbol export.
    pub(super) fn namespace_exports(&self, symbol: GlobalSymbol) -> Vec<InternedName> {
        let mut names = Vec::new();
        for def in self.definitions(symbol) {
            let file = self.file_of(def);
            let exported = |(_, symbol): &&(NameId, SymbolId)| self.facts(file).symbol(*symbol).is_exported;
            names.extend(self.namespace_symbols(def).iter().filter(exported).map(|(name, _)| self.name(file, *name)));
        }
        names
    }

    /// The symbols of a namespace with their names; empty if the definition is not a namespace.
    pub(super) fn namespace_symbols(&self, def: GlobalDef) -> &'f [(NameId, SymbolId)] {
        let row = self.def(def);
        let scope = &self.facts(self.file_of(def)).scopes[row.scope.index()];
        let is_namespace = matches!(row.body, DefBody::Namespace) && scope.kind == ScopeKind::Namespace;
        if is_namespace { &scope.symbols } else { &[] }
    }
}

/// Whether a definition is among declarations. Definitions are mostly in source order, so that a binary search finds
/// the definition in a long list; otherwise the whole list is compared.
fn declares(decls: &[Decl], def: DefId) -> bool {
    let order = |decl: &Decl| match decl {
        Decl::Def(other) => other.cmp(&def),
        _ => std::cmp::Ordering::Less,
    };
    (decls.len() > 16 && decls.binary_search_by(order).is_ok()) || decls.contains(&Decl::Def(def))
}
