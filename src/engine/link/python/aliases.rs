//! Public names of definitions: exports of modules, qualified names, aliases.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    linker::Linker,
    names::MODULE,
    program::{FileIndex, GlobalDef, GlobalName, ModuleNodeId},
    types::{Type, TypeId},
};
use crate::limits::LinkLimit;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    source::Origin,
    syntax::python::facts::{BindingKind, Expr, NameId, ScopeId},
};

/// The greatest number of star imports through which a package exports a name.
const MAX_STARS: usize = 8;

/// The public names of a module, with the definitions that they resolve to.
pub(crate) type ModuleExports = Vec<(CompactString, GlobalDef)>;

impl Linker<'_> {
    /// Per file, the public names of its module, sorted by name.
    pub(crate) fn exports(&mut self) -> Vec<ModuleExports> {
        (0..self.program.files.len()).map(|i| self.exports_of(FileIndex::new(i))).collect()
    }

    fn exports_of(&mut self, file: FileIndex) -> ModuleExports {
        if self.program.files[file.index()].content.is_quoted() {
            return ModuleExports::new();
        }
        let node = self.program.modules.node_of_file(file);
        let mut names = self.public_names(file);
        names.shared_sort_by(|a, b| self.program.interner.text(*a).cmp(self.program.interner.text(*b)));
        names.dedup();
        let origin = self.program.files[file.index()].origin;
        let mut exports = ModuleExports::new();
        for name in names {
            let def = self.exported_definition(node, name);
            self.note_limits(file, 0);
            let Some(def) = def else { continue };
            let def_origin = self.program.files[self.program.file_of(def).index()].origin;
            // A module that is not library code exports only definitions of its own origin, so that a test that
            // imports a class does not create an alias of the class.
            if origin == Origin::Src || def_origin == origin {
                exports.push((CompactString::new(self.program.interner.text(name)), def));
            }
        }
        exports
    }

    /// The class or function that a name of a module resolves to.
    fn exported_definition(&mut self, node: ModuleNodeId, name: GlobalName) -> Option<GlobalDef> {
        self.begin_query();
        let ty: TypeId = self.module_attribute(node, name)?;
        match *self.types.get(ty) {
            Type::Class(class, _) => Some(self.program.class_def(class)),
            Type::Function(def) if !self.program.function(def).is_some_and(|f| f.is_lambda) => Some(def),
            _ => None,
        }
    }

    /// The public names of a module, with those of the modules that it star-imports, through at most [`MAX_STARS`] star
    /// imports.
    fn public_names(&mut self, file: FileIndex) -> Vec<GlobalName> {
        let mut names = Vec::new();
        let mut seen = FxHashSet::from_iter([file]);
        let mut level = vec![file];
        for _ in 0..=MAX_STARS {
            let mut next = Vec::new();
            for file in level {
                self.collect_public_names(file, &mut names, &mut next);
            }
            next.retain(|file| seen.insert(*file));
            level = next;
        }
        if !level.is_empty() {
            self.limits.note(file.index(), LinkLimit::StarImports(MAX_STARS), 0);
        }
        names
    }

    /// Collects the public names of a module, and the modules that it star-imports. If the module has `__all__`, its
    /// public names are those in the list. Without `__all__`, or if the list is not fully known, the public names also
    /// include the module's own definitions and aliases (`x = y`), and in a package's `__init__` file the names that
    /// the file imports from the sources; names that start with `_` are left out of these.
    fn collect_public_names(&self, file: FileIndex, names: &mut Vec<GlobalName>, starred: &mut Vec<FileIndex>) {
        let facts = self.program.facts(file);
        if let Some(all) = &facts.all {
            names.extend(all.iter().map(|&name| self.program.global_name(file, name)));
            if !facts.is_all_open {
                return;
            }
        }
        let is_listed = |name: NameId| facts.all.as_ref().is_some_and(|all| all.contains(&name));
        let is_package = self.program.modules.is_package_file(file);
        for &id in facts.bindings_in(ScopeId::new(MODULE)) {
            let binding = &facts.bindings[id.index()];
            let text = facts.name(binding.name);
            let is_exported = match &binding.kind {
                BindingKind::Def(_) => true,
                BindingKind::Assign { value: Some(value), .. } => {
                    matches!(facts.expr(*value), Expr::Name { .. } | Expr::Attribute { .. } | Expr::Subscript { .. })
                }
                BindingKind::ImportFrom { level, module, .. } => {
                    is_package && self.imported_module(file, *level, *module).is_some()
                }
                BindingKind::ImportStar { level, module } if is_package => {
                    if let Some(node) = self.imported_module(file, *level, *module) {
                        let row = self.program.modules.get(node);
                        starred.extend(row.file.or(row.stub));
                    }
                    false
                }
                _ => false,
            };
            if is_exported && !text.starts_with('_') && !is_listed(binding.name) {
                names.push(self.program.global_name(file, binding.name));
            }
        }
    }

    /// The fully qualified name of every definition.
    pub(crate) fn fqns(&self) -> Vec<CompactString> {
        let mut fqns: Vec<CompactString> = Vec::with_capacity(self.program.def_count());
        for i in 0..self.program.def_count() {
            let def = GlobalDef::new(i);
            let name = self.program.name_of(def);
            // Outer definitions precede inner ones, so `fqns` already contains the name of the parent.
            let parent = self.named_parent(def);
            let fqn = match parent {
                Some(parent) if parent.index() < i => format_compact!("{}.{name}", fqns[parent.index()]),
                _ => format_compact!("{}.{name}", self.program.files[self.program.file_of(def).index()].module),
            };
            fqns.push(fqn);
        }
        fqns
    }

    /// The innermost function or class around a definition; lambdas are skipped.
    pub(crate) fn named_parent(&self, def: GlobalDef) -> Option<GlobalDef> {
        let mut at = self.program.parent(def);
        while let Some(parent) = at {
            if !self.program.function(parent).is_some_and(|f| f.is_lambda) {
                return Some(parent);
            }
            at = self.program.parent(parent);
        }
        None
    }

    /// The aliases of definitions, sorted: the qualified names under which modules export a definition, other than its
    /// fully qualified name.
    pub(crate) fn aliases(
        &self,
        exports: &[ModuleExports],
        fqns: &[CompactString],
        import_names: &[(CompactString, CompactString)],
    ) -> FxHashMap<GlobalDef, Vec<CompactString>> {
        let mut aliases: FxHashMap<GlobalDef, Vec<CompactString>> = FxHashMap::default();
        let import_names: FxHashMap<&str, &CompactString> =
            import_names.iter().map(|(name, module)| (module.as_str(), name)).collect();
        for (file, exports) in self.program.files.iter().zip(exports) {
            for module in std::iter::once(&file.module).chain(import_names.get(file.module.as_str()).copied()) {
                for (name, def) in exports {
                    let alias = format_compact!("{module}.{name}");
                    if alias != fqns[def.index()] {
                        aliases.entry(*def).or_default().push(alias);
                    }
                }
            }
        }
        for names in aliases.values_mut() {
            names.sort_unstable();
            names.dedup();
        }
        aliases
    }
}
