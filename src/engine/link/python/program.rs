//! The tables of a program: the facts of all files under ids that are unique in the program.

use std::{borrow::Cow, ops::Range};

use compact_str::CompactString;
use indexmap::IndexSet;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{
    declarations::Declarations,
    decorator_aliases::DecoratorAliases,
    imported_modules::ImportedModules,
    modules::ModuleTree,
    platform::{DeclarationFile, Platform},
    stub_files::StubFiles,
};
use crate::{linked::Content, project_file::ProjectFile};
use apidisc_base::ids::id;
use apidisc_facts::{
    documents::Place,
    source::{Origin, Roots},
    syntax::python::facts::{BindingId, Class, Def, DefBody, DefId, FileFacts, Function, NameId, ScopeId, ScopeKind},
};

id! {
    /// A file of the program.
    pub(crate) struct FileIndex;
    /// A node of the module tree.
    pub(crate) struct ModuleNodeId;
    /// A class of the program.
    pub(crate) struct ClassId;
    /// An interned string: equal strings have equal ids in all files.
    pub(crate) struct GlobalName;
    /// A function, lambda or class of the program.
    pub(crate) struct GlobalDef;
}

/// A binding of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GlobalBinding {
    pub(crate) file: FileIndex,
    pub(crate) binding: BindingId,
}

/// A file with its facts.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct LinkFile {
    /// The path from the source's root.
    #[serde(skip)]
    pub path: CompactString,
    /// The dotted module name.
    #[serde(skip)]
    pub module: CompactString,
    /// The folder from which absolute imports start.
    #[serde(skip)]
    pub root: ImportRoot,
    /// The part of the repository that the file and its calls belong to.
    #[serde(skip)]
    pub origin: Origin,
    /// See [`apidisc_base::language::is_auxiliary`].
    #[serde(skip)]
    pub is_auxiliary: bool,
    /// True for a file of an installed package: its calls and reads are not counted, and of its definitions only those
    /// are emitted that the program reaches.
    #[serde(skip)]
    pub is_installed: bool,
    /// The kind of code: a file of code, quoted code of a documentation comment, or a document.
    pub content: Content,
    /// For a notebook and for quoted code: the place of each line of the code in the file. `None` for other files.
    pub places: Option<Vec<Place>>,
    /// The facts of the file.
    pub facts: FileFacts,
}

/// The folder from which absolute imports start, in relation to the path of a file.
#[derive(Clone, Debug, Default)]
pub struct ImportRoot {
    /// The number of bytes of the path that name the folder of the source, with its slash; 0 if there is one source.
    pub folder: u32,
    /// The path of the source's root from the folder that imports start from; empty unless the root is inside a
    /// package.
    pub enclosing: CompactString,
}

impl LinkFile {
    /// A file with its facts only. The caller sets the path, the module name, the import root and the origin.
    pub fn new(content: Content, facts: FileFacts) -> Self {
        Self {
            path: CompactString::default(),
            module: CompactString::default(),
            root: ImportRoot::default(),
            origin: Origin::default(),
            is_auxiliary: false,
            is_installed: false,
            content,
            places: None,
            facts,
        }
    }

    /// The path of the file from the folder that imports start from, preceded by the folder of its source if there are
    /// several sources.
    pub fn import_path(&self) -> Cow<'_, str> {
        if self.root.enclosing.is_empty() {
            Cow::Borrowed(&self.path)
        } else {
            let (folder, inner) = self.path.split_at(self.root.folder as usize);
            Cow::Owned(format!("{folder}{}/{inner}", self.root.enclosing))
        }
    }
}

/// Interner of the names of all files.
#[derive(Debug, Default)]
pub(crate) struct GlobalNameInterner {
    /// The names; the index of a name is its handle.
    texts: IndexSet<CompactString, FxBuildHasher>,
}

impl GlobalNameInterner {
    pub(crate) fn intern(&mut self, text: &str) -> GlobalName {
        let known = self.texts.get_index_of(text);
        GlobalName::new(known.unwrap_or_else(|| self.texts.insert_full(CompactString::new(text)).0))
    }

    /// Interns the names of a file, in the order of their ids.
    fn intern_all(&mut self, facts: &FileFacts) -> Vec<GlobalName> {
        facts.names.iter().map(|name| self.intern(name)).collect()
    }

    /// The handle of a name that a file has.
    pub(super) fn known(&self, text: &str) -> Option<GlobalName> {
        self.texts.get_index_of(text).map(GlobalName::new)
    }

    /// True if a file has the name.
    fn contains(&self, text: &str) -> bool {
        self.texts.contains(text)
    }

    #[inline]
    pub(crate) fn text(&self, global_name: GlobalName) -> &str {
        &self.texts[global_name.index()]
    }
}

/// All files, with ids for their definitions, classes and names that are unique in the program. Behind the files of the
/// sources come the declaration files of libraries: the ids of their definitions and classes are the greatest.
#[derive(Debug)]
pub(crate) struct Program<'f> {
    /// The files of the sources.
    pub(crate) files: &'f [LinkFile],
    /// The facts of each file: those of the sources, then the declaration files.
    facts: Vec<&'f FileFacts>,
    /// What the declaration files declare.
    pub(super) declarations: Declarations,
    pub(crate) interner: GlobalNameInterner,
    /// Per file, the interned string of each of its names.
    pub(crate) file_names: Vec<Vec<GlobalName>>,
    /// Per file, the global id of its first definition.
    first_defs: Vec<u32>,
    /// Per definition, its file.
    def_files: Vec<FileIndex>,
    /// Per definition, its class id if it is a class.
    class_ids: Vec<Option<ClassId>>,
    /// The definition of each class.
    classes: Vec<GlobalDef>,
    /// The numbers of definitions and of classes that the sources have.
    source_defs: usize,
    source_classes: usize,
    /// Per file, the names that its module scope and class scopes bind, each with its id within the file.
    scope_names: Vec<FxHashMap<(ScopeId, GlobalName), NameId>>,
    pub(crate) modules: ModuleTree,
    pub(super) imported_modules: ImportedModules,
    pub(crate) decorator_aliases: DecoratorAliases,
    /// What the stubs beside modules declare for them.
    pub(super) stub_files: StubFiles,
    /// Bindings of `self.name = …` and `self.name += [v]` in the methods of a class, by class and attribute name.
    attribute_assigns: FxHashMap<(ClassId, GlobalName), Vec<BindingId>>,
}

impl<'f> Program<'f> {
    pub(crate) fn new(files: &'f [LinkFile], project: &[ProjectFile], roots: &Roots) -> Self {
        let mut facts: Vec<&FileFacts> = files.iter().map(|file| &file.facts).collect();
        let mut declared: Vec<&DeclarationFile> = Vec::new();
        let intern = || {
            let mut interner = GlobalNameInterner::default();
            let mut names: Vec<Vec<GlobalName>> = facts.iter().map(|facts| interner.intern_all(facts)).collect();
            let mut platform = Platform::new();
            // A declaration file may name further modules.
            while !files.is_empty() {
                let used = platform.take_named(|name| interner.contains(name));
                if used.is_empty() {
                    break;
                }
                names.extend(used.iter().map(|file| interner.intern_all(&file.facts)));
                facts.extend(used.iter().map(|file| &file.facts));
                declared.extend(used);
            }
            (interner, names)
        };
        let (modules, (interner, names)) = rayon::join(|| ModuleTree::new(files, project, roots), intern);
        let scope_names = facts.par_iter().zip(&names).map(|(facts, names)| scope_names(facts, names)).collect();
        let mut program = Self {
            files,
            declarations: Declarations::default(),
            interner,
            file_names: names,
            first_defs: Vec::with_capacity(facts.len()),
            def_files: Vec::new(),
            class_ids: Vec::new(),
            classes: Vec::new(),
            source_defs: 0,
            source_classes: 0,
            scope_names,
            decorator_aliases: DecoratorAliases::new(files, &modules),
            stub_files: StubFiles::default(),
            imported_modules: ImportedModules::new(files, &modules),
            modules,
            attribute_assigns: FxHashMap::default(),
            facts,
        };
        program.add_definitions(0..files.len());
        (program.source_defs, program.source_classes) = (program.def_files.len(), program.classes.len());
        program.stub_files = StubFiles::new(&program);
        program.add_definitions(files.len()..program.facts.len());
        program.find_attribute_assigns();
        program.declarations = Declarations::new(&mut program, &declared);
        program
    }

    /// Gives the definitions and classes of files their ids.
    fn add_definitions(&mut self, files: Range<usize>) {
        for file in files {
            self.first_defs.push(self.def_files.len() as u32);
            for def in &self.facts[file].definitions {
                let id = GlobalDef::new(self.def_files.len());
                self.def_files.push(FileIndex::new(file));
                self.class_ids.push(def.class().map(|_| {
                    self.classes.push(id);
                    ClassId::new(self.classes.len() - 1)
                }));
            }
        }
    }

    fn find_attribute_assigns(&mut self) {
        for (i, file) in self.files.iter().enumerate() {
            let index = FileIndex::new(i);
            for assign in &file.facts.attribute_assigns {
                if let Some(class) = self.owner(self.global_def(index, assign.method)) {
                    let name = self.global_name(index, assign.name);
                    self.attribute_assigns.entry((class, name)).or_default().push(assign.binding);
                }
            }
            // `self.name += [v]` counts only if the class itself assigns the attribute: otherwise the other items are
            // not known.
            for addition in &file.facts.attribute_additions {
                if let Some(class) = self.owner(self.global_def(index, addition.method)) {
                    let name = self.global_name(index, addition.name);
                    if let Some(assigns) = self.attribute_assigns.get_mut(&(class, name)) {
                        assigns.push(addition.binding);
                    }
                }
            }
            for assign in &file.facts.class_assigns {
                if let Some(class) = self.class_of(self.global_def(index, assign.class)) {
                    let name = self.global_name(index, assign.name);
                    self.attribute_assigns.entry((class, name)).or_default().push(assign.binding);
                }
            }
        }
    }

    /// Bindings of `self.name = …` and `self.name += [v]` in the methods of a class, then of `C.name = …` in its
    /// module, in flow order.
    pub(crate) fn attribute_assigns(&self, class: ClassId, name: GlobalName) -> impl Iterator<Item = BindingId> + '_ {
        self.attribute_assigns.get(&(class, name)).into_iter().flatten().copied()
    }

    #[inline]
    pub(crate) fn facts(&self, file: FileIndex) -> &'f FileFacts {
        self.facts[file.index()]
    }

    /// The facts of each file, in the order of [`FileIndex`].
    pub(super) fn all_facts(&self) -> &[&'f FileFacts] {
        &self.facts
    }

    /// The file of the sources with an index; `None` for a declaration file of a library.
    pub(super) fn source_file(&self, file: FileIndex) -> Option<&'f LinkFile> {
        self.files.get(file.index())
    }

    /// True for a definition of a declaration file.
    pub(super) fn is_declared_by_library(&self, def: GlobalDef) -> bool {
        def.index() >= self.source_defs
    }

    #[inline]
    pub(crate) fn global_name(&self, file: FileIndex, name: NameId) -> GlobalName {
        self.file_names[file.index()][name.index()]
    }

    pub(crate) fn global_def(&self, file: FileIndex, def: DefId) -> GlobalDef {
        GlobalDef::new(self.first_defs[file.index()] as usize + def.index())
    }

    pub(crate) fn file_of(&self, def: GlobalDef) -> FileIndex {
        self.def_files[def.index()]
    }

    /// The id of a definition within its file.
    pub(crate) fn local_id(&self, def: GlobalDef) -> DefId {
        DefId::new(def.index() - self.first_defs[self.file_of(def).index()] as usize)
    }

    pub(crate) fn def(&self, def: GlobalDef) -> &'f Def {
        self.facts(self.file_of(def)).def(self.local_id(def))
    }

    /// The number of definitions of the sources, whose ids are the smallest.
    pub(crate) fn def_count(&self) -> usize {
        self.source_defs
    }

    /// The number of classes of the sources, whose ids are the smallest.
    pub(super) fn class_count(&self) -> usize {
        self.source_classes
    }

    /// The number of all definitions, those of declaration files included.
    pub(super) fn all_def_count(&self) -> usize {
        self.def_files.len()
    }

    /// The number of all classes, those of declaration files included.
    pub(super) fn all_class_count(&self) -> usize {
        self.classes.len()
    }

    pub(crate) fn function(&self, def: GlobalDef) -> Option<&'f Function> {
        self.def(def).function()
    }

    pub(crate) fn class_of(&self, def: GlobalDef) -> Option<ClassId> {
        self.class_ids[def.index()]
    }

    pub(crate) fn class_def(&self, class: ClassId) -> GlobalDef {
        self.classes[class.index()]
    }

    /// The file, the definition and the class body of a class.
    pub(crate) fn class_facts(&self, class: ClassId) -> (FileIndex, &'f Def, &'f Class) {
        let def = self.class_def(class);
        let facts = self.def(def);
        match &facts.body {
            DefBody::Class(body) => (self.file_of(def), facts, body),
            DefBody::Function(_) => unreachable!("only classes have a class id"),
        }
    }

    /// The id of a name within a file, if `scope` binds the name. `scope` is a module or class scope.
    pub(crate) fn bound_name(&self, file: FileIndex, scope: ScopeId, global_name: GlobalName) -> Option<NameId> {
        self.scope_names[file.index()].get(&(scope, global_name)).copied()
    }

    /// Bindings of a name in a module or class scope, in flow order.
    pub(crate) fn bindings(&self, file: FileIndex, scope: ScopeId, global_name: GlobalName) -> &'f [BindingId] {
        self.bound_name(file, scope, global_name).map_or(&[], |name| self.facts(file).bindings_of(scope, name))
    }

    /// The names that a module or class scope binds, in the order of their ids.
    pub(super) fn names_in(&self, file: FileIndex, scope: ScopeId) -> Vec<GlobalName> {
        let facts = self.facts(file);
        let bound = facts.bindings_in(scope).iter().map(|binding| facts.bindings[binding.index()].name);
        let mut names: Vec<GlobalName> = bound.map(|name| self.global_name(file, name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The class whose body directly contains a definition.
    pub(crate) fn owner(&self, def: GlobalDef) -> Option<ClassId> {
        let file = self.file_of(def);
        let facts = self.facts(file);
        let outer = &facts.scopes[self.def(def).outer.index()];
        match (outer.kind, outer.def) {
            (ScopeKind::Class, Some(class)) => self.class_of(self.global_def(file, class)),
            _ => None,
        }
    }

    /// The innermost definition around a definition.
    pub(crate) fn parent(&self, def: GlobalDef) -> Option<GlobalDef> {
        let file = self.file_of(def);
        let facts = self.facts(file);
        let mut scope = Some(self.def(def).outer);
        while let Some(id) = scope {
            let enclosing = &facts.scopes[id.index()];
            if let Some(def) = enclosing.def {
                return Some(self.global_def(file, def));
            }
            scope = enclosing.parent;
        }
        None
    }

    pub(crate) fn name_of(&self, def: GlobalDef) -> &'f str {
        let facts = self.def(def);
        if facts.function().is_some_and(|f| f.is_lambda) {
            "<lambda>"
        } else {
            self.facts(self.file_of(def)).name(facts.name)
        }
    }

    /// True for the getter of a property.
    pub(crate) fn is_property(&self, def: GlobalDef) -> bool {
        self.is_decorated(def, &["property", "cached_property", "abstractproperty"])
    }

    /// True if a definition has a decorator whose name is one of `names`. Qualifiers and arguments are ignored.
    pub(crate) fn is_decorated(&self, def: GlobalDef, names: &[&str]) -> bool {
        let file = self.file_of(def);
        self.def(def).decorators.iter().any(|(_, text)| names.contains(&self.decorator_aliases.name(file, text)))
    }
}

/// The names that the module scope and the class scopes of a file bind, each with its id within the file.
fn scope_names(facts: &FileFacts, names: &[GlobalName]) -> FxHashMap<(ScopeId, GlobalName), NameId> {
    let mut in_scopes = FxHashMap::default();
    for (s, scope) in facts.scopes.iter().enumerate() {
        if scope.kind == ScopeKind::Function {
            continue;
        }
        let scope = ScopeId::new(s);
        for &binding in facts.bindings_in(scope) {
            let name = facts.bindings[binding.index()].name;
            in_scopes.insert((scope, names[name.index()]), name);
        }
    }
    in_scopes
}

/// The last name of a decorator's text: `cached_property` for `functools.cached_property(…)`.
pub(crate) fn decorator_name(text: &str) -> &str {
    // Linking asks for it very often. The text is short.
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|byte| *byte == b'(').unwrap_or(bytes.len());
    let start = bytes[..end].iter().rposition(|byte| *byte == b'.').map_or(0, |dot| dot + 1);
    text[start..end].trim()
}
