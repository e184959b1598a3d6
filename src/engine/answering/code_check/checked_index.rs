//! The values that code reaches through an index, and the names of modules.

use std::{cell::RefCell, ops::ControlFlow, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Mistake, MistakeKind,
    value::{Instance, NameLookup, Value},
    words::{has_any, has_word},
};
use crate::answers::ReadSource;
use apidisc_base::{
    language::{Language, QualifiedName},
    nesting,
};
use apidisc_facts::{
    program::{DefinitionId, DefinitionKind, FileId, ModuleId},
    source::Origin,
    syntax::{
        python::{
            self,
            facts::{Binding, BindingKind},
        },
        typescript::{self, Dialect, facts::ExportKind},
    },
};
use apidisc_indexing::index::{Definition, File, Index};

/// The greatest number of modules that a search visits through star imports.
const MAX_STARS: usize = 20;
/// Code by which a Python module can have names that its text does not contain.
const DYNAMIC: [&str; 6] = ["__getattr__", "globals(", "setattr(", "exec(", "sys.modules", "vars("];
/// Code by which a Python module may hold other values at run time than those that its text binds.
const REBINDING: [&str; 3] = ["globals()[", "globals().update(", "sys.modules[__name__]"];

/// An index, and the texts of its files.
pub(super) struct CheckedIndex<'a> {
    pub(super) index: &'a Index,
    read: &'a ReadSource<'a>,
    texts: RefCell<FxHashMap<FileId, Option<Rc<str>>>>,
    /// The classes that names in Python modules mean. A module is parsed once for each name.
    classes: RefCell<FxHashMap<(ModuleId, String), Option<DefinitionId>>>,
}

impl<'a> CheckedIndex<'a> {
    pub(super) fn new(index: &'a Index, read: &'a ReadSource<'a>) -> Self {
        Self { index, read, texts: RefCell::default(), classes: RefCell::default() }
    }

    /// The text of a file; `None` if it cannot be read.
    pub(super) fn text(&self, file: FileId) -> Option<Rc<str>> {
        if let Some(text) = self.texts.borrow().get(&file) {
            return text.clone();
        }
        let path = &self.index.files.get(file.index())?.path;
        let text = (self.read)(path).map(|text| Rc::from(text.source));
        self.texts.borrow_mut().insert(file, text.clone());
        text
    }

    /// The module of the library that code of a language imports by this name. In TypeScript, a path in the sources is
    /// no such name: another package may have it.
    pub(super) fn module(&self, name: &str, language: Language) -> Option<ModuleId> {
        let id = *self.index.module_names.get(name)?;
        let is_imported = language == Language::Python || self.index.import_names.contains(name);
        let is_library = |file: &File| file.is_library() && file.language == language;
        let file = self.index.module(id).file.map(|file| self.index.file(file));
        (is_imported && file.is_none_or(is_library)).then_some(id)
    }

    /// The value of an attribute.
    pub(super) fn member(&self, value: &Value, name: &str) -> NameLookup {
        let Some(_level) = nesting::descend() else { return NameLookup::Undecided };
        match value {
            Value::Module(module) => self.module_member(*module, name),
            Value::Definition(id, _) if self.has_static_members(*id) => {
                match self.class_member(Instance { class: *id, is_exact: true }, name) {
                    NameLookup::Value(Value::Definition(method, _)) if self.takes_object(method) => {
                        NameLookup::Value(Value::Definition(method, None))
                    }
                    found => found,
                }
            }
            Value::Instance(instance) => self.class_member(*instance, name),
            Value::Union(values) => NameLookup::in_any(values.iter().map(|value| self.member(value, name))),
            Value::Definition(..) | Value::Awaitable(_) | Value::Unknown => NameLookup::Undecided,
        }
    }

    /// True for a method whose first argument is the object if it is called through its class.
    pub(super) fn takes_object(&self, id: DefinitionId) -> bool {
        self.index.definition(id).kind == DefinitionKind::Method
    }

    fn has_static_members(&self, id: DefinitionId) -> bool {
        matches!(self.index.definition(id).kind, DefinitionKind::Class | DefinitionKind::Enum)
    }

    /// The value of a name in a module.
    pub(super) fn module_member(&self, id: ModuleId, name: &str) -> NameLookup {
        let module = self.index.module(id);
        let exported = module.exports.iter().find(|(exported, _)| exported == name).map(|(_, id)| *id);
        let defined = || module.definitions.iter().copied().find(|&id| *self.index.definition(id).name == *name);
        if let Some(id) = exported.or_else(defined) {
            return if self.may_rebind(id, module.file) {
                NameLookup::Undecided
            } else {
                NameLookup::Value(self.value_of(id))
            };
        }
        let child = module.children.iter().find(|&&child| {
            let fqn = self.index.module(child).fqn.as_str();
            fqn.strip_prefix(module.fqn.as_str()).is_some_and(|rest| rest.trim_start_matches(['.', '/']) == name)
        });
        if let Some(&child) = child {
            return NameLookup::Value(Value::Module(child));
        }
        if self.may_hold(id, name, &mut FxHashSet::default()) { NameLookup::Undecided } else { NameLookup::Missing }
    }

    /// The value of a definition to which a name refers.
    pub(super) fn value_of(&self, id: DefinitionId) -> Value {
        match self.index.definition(id).kind {
            DefinitionKind::Constant | DefinitionKind::Attribute | DefinitionKind::Property => {
                self.annotated(id, self.index.definition(id).annotation.as_deref(), None)
            }
            _ => Value::Definition(id, None),
        }
    }

    /// True for a Python module that may hold another value at run time than the definition.
    fn may_rebind(&self, id: DefinitionId, module: Option<FileId>) -> bool {
        let text =
            module.filter(|_| self.index.definition(id).language == Language::Python).and_then(|it| self.text(it));
        text.is_some_and(|text| has_any(&text, &REBINDING))
    }

    /// False only if the text of the module shows that the module does not have the name.
    fn may_hold(&self, id: ModuleId, name: &str, seen: &mut FxHashSet<ModuleId>) -> bool {
        let Some(_level) = nesting::descend() else { return true };
        if !seen.insert(id) {
            return false;
        }
        let Some(file) = self.index.module(id).file else { return true };
        let Some(text) = self.text(file) else { return true };
        if seen.len() > MAX_STARS || has_word(&text, name) {
            return true;
        }
        let path = &self.index.file(file).path;
        let stars = match self.index.file(file).language {
            Language::Python if has_any(&text, &DYNAMIC) => return true,
            Language::Python if has_any(&text, &["import *", "import\t*"]) => self.python_stars(id, &text),
            Language::TypeScript if has_any(&text, &["export *", "module.exports", "export =", "declare module"]) => {
                self.typescript_stars(path, &text)
            }
            Language::Python | Language::TypeScript => Some(Vec::new()),
        };
        stars.is_none_or(|stars| stars.into_iter().any(|star| self.may_hold(star, name, seen)))
    }

    /// The modules that a Python module imports with `*`; `None` if one of them is not in the index.
    fn python_stars(&self, id: ModuleId, text: &str) -> Option<Vec<ModuleId>> {
        let facts = python::read_valid(text, &mut || ControlFlow::Continue(()))?;
        let star = |binding: &Binding| match binding.kind {
            BindingKind::ImportStar { module, level } => Some(self.imported(id, facts.name(module), level)),
            _ => None,
        };
        facts.bindings.iter().filter_map(star).collect()
    }

    /// The class to which a name at the top level of a Python module refers.
    pub(super) fn python_class(&self, id: ModuleId, name: &str) -> Option<DefinitionId> {
        let key = (id, name.to_owned());
        if let Some(class) = self.classes.borrow().get(&key) {
            return *class;
        }
        // This entry ends the recursion for a module that imports the name from itself.
        self.classes.borrow_mut().insert(key.clone(), None);
        let class = self.read_python_class(id, name);
        self.classes.borrow_mut().insert(key, class);
        class
    }

    fn read_python_class(&self, id: ModuleId, name: &str) -> Option<DefinitionId> {
        let _level = nesting::descend()?;
        let module = self.index.module(id);
        let mut definitions = module.definitions.iter().copied();
        definitions.find(|&id| *self.index.definition(id).name == *name).or_else(|| {
            let text = self.text(module.file?)?;
            let facts = python::read_valid(&text, &mut || ControlFlow::Continue(()))?;
            let import = |binding: &Binding| match binding.kind {
                BindingKind::ImportFrom { module, level, name: imported } if facts.name(binding.name) == name => {
                    Some((self.imported(id, facts.name(module), level)?, facts.name(imported)))
                }
                _ => None,
            };
            let (module, imported) = facts.bindings.iter().find_map(import)?;
            match self.module_member(module, imported).value() {
                Value::Definition(id, None) => Some(id),
                _ => None,
            }
        })
    }

    /// The module that an import in a Python module names, with its leading dots (PEP 328).
    fn imported(&self, from: ModuleId, name: &str, level: u32) -> Option<ModuleId> {
        let from = self.index.module(from);
        // One dot is the package of the module.
        let mut package = from.fqn.as_str();
        for _ in 0..(level as usize).saturating_sub(usize::from(from.is_package)) {
            package = package.rsplit_once('.').map_or("", |(package, _)| package);
        }
        let name = match (level, name) {
            (0, name) => name.to_owned(),
            (_, "") => package.to_owned(),
            (_, name) => format!("{package}.{name}"),
        };
        self.index.module_names.get(name.as_str()).copied()
    }

    /// The modules whose exports a TypeScript module exports; `None` if one of them is not in the index.
    fn typescript_stars(&self, path: &str, text: &str) -> Option<Vec<ModuleId>> {
        if has_any(text, &["module.exports", "export =", "declare module"]) {
            return None;
        }
        let facts = typescript::read_valid(text, Dialect::of_path(path), &mut || ControlFlow::Continue(()))?;
        let mut stars = Vec::new();
        for export in &facts.exports {
            let ExportKind::Star(specifier) = export.kind else { continue };
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            stars.push(self.module_at(folder, facts.name(specifier))?);
        }
        Some(stars)
    }

    /// The module that a relative specifier names in a file of a folder.
    fn module_at(&self, folder: &str, specifier: &str) -> Option<ModuleId> {
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in specifier.strip_prefix('.').map(|_| specifier.split('/'))? {
            match part {
                "." => {}
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        let stem =
            [".js", ".mjs", ".ts", ".jsx", ".tsx"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(&path);
        let is_named = |file: &&File| {
            let file = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
            file == stem || file.strip_suffix("/index") == Some(stem)
        };
        let file = self.index.files.iter().filter(|file| !file.is_document()).find(is_named)?;
        Some(file.module)
    }

    /// The only public class or function of the library with this name. `None` if any other definition of the language
    /// has the name.
    pub(super) fn only_public(&self, name: &str, language: Language) -> Option<DefinitionId> {
        let has_name = |definition: &Definition| {
            definition.language == language && definition.last_names().any(|last| last == name)
        };
        let mut named = self.index.definitions_with_ids().filter(|(_, definition)| has_name(definition));
        let (id, definition) = named.next()?;
        let is_offered = definition.is_public && definition.parent.is_none() && definition.kind.is_callable();
        let is_library = self.index.files.get(definition.place.file.index()).is_some_and(|f| f.origin == Origin::Src);
        (is_offered && is_library && named.next().is_none()).then_some(id)
    }

    /// A mistake in the use of the owner; `None` if the owner is no module, class or callable.
    pub(super) fn mistake(&self, line: u32, kind: MistakeKind, name: &str, owner: &Value) -> Option<Mistake> {
        let names: Option<Vec<String>> = owner.members().iter().map(|value| self.name_of(value)).collect();
        let definition = match owner.members().first()? {
            Value::Definition(id, _) => Some(*id),
            Value::Instance(object) => Some(object.class),
            _ => None,
        };
        Some(Mistake { line, kind, name: name.to_owned(), owner: names?.join(" | "), definition })
    }

    fn name_of(&self, value: &Value) -> Option<String> {
        Some(match value {
            Value::Module(id) => self.import_name(*id).to_owned(),
            Value::Definition(id, None) => self.index.definition(*id).alias.to_string(),
            // A method has the name of the class of its object.
            Value::Definition(id, Some(object)) => {
                let (class, method) = (self.index.definition(object.class), self.index.definition(*id));
                QualifiedName::join(&class.alias, &method.name, method.language).to_string()
            }
            Value::Instance(object) => self.index.definition(object.class).alias.to_string(),
            Value::Union(_) | Value::Awaitable(_) | Value::Unknown => return None,
        })
    }

    /// The shortest name by which code imports a module.
    fn import_name(&self, id: ModuleId) -> &str {
        let names = self.index.import_names.iter().filter(|name| self.index.module_names.get(*name) == Some(&id));
        names.min_by_key(|name| (name.len(), name.as_str())).unwrap_or(&self.index.module(id).fqn)
    }
}
