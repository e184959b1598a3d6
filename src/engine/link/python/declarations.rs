//! What the declaration files of libraries declare, by dotted path.
//!
//! A function or class of a declaration file never appears in the index. Its name has the type of any other name from
//! outside the sources, [`Type::ExternalName`] with its dotted path, in the declaration file too. Only inference looks
//! the path up here, and infers the result of a call from the declared function as from a function of the sources.

use compact_str::format_compact;
use rustc_hash::FxHashMap;

use super::{
    linker::Linker,
    names::MODULE,
    platform::DeclarationFile,
    program::{ClassId, FileIndex, GlobalDef, GlobalName, Program},
    standard_library::canonical,
    types::{Type, TypeId, TypeList},
};
use apidisc_facts::syntax::python::facts::{BindingKind, Expr, ScopeId};

/// The functions and classes of declaration files.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    /// By dotted path, a function or class of a module, or a class method. Of overloads, the first one.
    by_path: FxHashMap<GlobalName, GlobalDef>,
    /// The dotted path of each function and class of a module.
    paths: FxHashMap<GlobalDef, GlobalName>,
}

impl Declarations {
    /// The declarations of `declared`, which are the last files of the program.
    pub(super) fn new(program: &mut Program, declared: &[&DeclarationFile]) -> Self {
        let mut declarations = Self::default();
        // Names that stand for others: the path of each, and the path of what it stands for.
        let mut aliases: Vec<(GlobalName, GlobalName)> = Vec::new();
        for (at, DeclarationFile { module, facts }) in declared.iter().enumerate() {
            let file = FileIndex::new(program.files.len() + at);
            for &binding in facts.bindings_in(ScopeId::new(MODULE)) {
                let binding = &facts.bindings[binding.index()];
                let path_of = |name: &str| format_compact!("{module}.{name}");
                let path = program.interner.intern(canonical(&path_of(facts.name(binding.name))));
                match &binding.kind {
                    BindingKind::Def(def) => {
                        let def = program.global_def(file, *def);
                        declarations.by_path.entry(path).or_insert(def);
                        declarations.paths.insert(def, path);
                        declarations.add_class_methods(program, def, path);
                    }
                    BindingKind::ImportFrom { module, level: 0, name } => {
                        let target = format_compact!("{}.{}", facts.name(*module), facts.name(*name));
                        aliases.push((path, program.interner.intern(canonical(&target))));
                    }
                    BindingKind::Assign { value: Some(value), .. } => {
                        if let Expr::Name { name, .. } = facts.expr(*value) {
                            let target = path_of(facts.name(name));
                            aliases.push((path, program.interner.intern(canonical(&target))));
                        }
                    }
                    _ => {}
                }
            }
        }
        for (path, target) in aliases {
            if let Some(&def) = declarations.by_path.get(&target) {
                declarations.by_path.entry(path).or_insert(def);
            }
        }
        declarations
    }

    /// Adds the class methods of a class, which are called by a path such as `dict.fromkeys`.
    fn add_class_methods(&mut self, program: &mut Program, class: GlobalDef, path: GlobalName) {
        if program.class_of(class).is_none() {
            return;
        }
        let file = program.file_of(class);
        let facts = program.facts(file);
        for &binding in facts.bindings_in(program.def(class).scope) {
            let binding = &facts.bindings[binding.index()];
            let BindingKind::Def(def) = binding.kind else { continue };
            let def = program.global_def(file, def);
            if program.is_decorated(def, &["classmethod"]) {
                let path = format_compact!("{}.{}", program.interner.text(path), facts.name(binding.name));
                self.by_path.entry(program.interner.intern(&path)).or_insert(def);
            }
        }
    }

    /// The function, class or class method that a dotted path names.
    pub(super) fn get(&self, path: GlobalName) -> Option<GlobalDef> {
        self.by_path.get(&path).copied()
    }

    /// The dotted path of a function or class of a module; `None` for any other definition.
    pub(super) fn path_of(&self, def: GlobalDef) -> Option<GlobalName> {
        self.paths.get(&def).copied()
    }
}

impl Linker<'_> {
    /// The declared class that a type from outside the sources names, or that it is an instance of, with the type
    /// arguments.
    pub(super) fn library_class(&self, ty: TypeId) -> Option<(ClassId, TypeList)> {
        let (path, arguments) = match self.types.get(ty) {
            Type::ExternalName(path) => (path, self.types.no_arguments()),
            Type::ExternalClass(path, arguments) | Type::ExternalInstance(path, arguments) => (path, arguments.clone()),
            _ => return None,
        };
        let class = self.program.class_of(self.program.declarations.get(*path)?)?;
        Some((class, arguments))
    }
}
