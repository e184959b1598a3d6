//! Other names of known decorators: `from dataclasses import dataclass as dc`, `readonly = property`,
//! `frozen = partial(dataclass, frozen=True)`, also if another file of the sources defines the name; and decorators
//! that are written as a `partial` of a known one.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    modules::ModuleTree,
    names::MODULE,
    program::{FileIndex, LinkFile, decorator_name},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::python::facts::{
    BindingKind, CallExprId, DefId, Expr, ExprId, Extraction, FileFacts, NameId, ScopeId,
};

/// The decorators whose other names are known.
const DECORATORS: &[&str] = &[
    "property",
    "cached_property",
    "classmethod",
    "staticmethod",
    "abstractmethod",
    "overload",
    "contextmanager",
    "asynccontextmanager",
    "dataclass",
    "dataclass_transform",
    "define",
];

/// The decorators that give a class a constructor. An identity function of the sources may have such a name.
const CLASS_DECORATORS: &[&str] = &["dataclass", "define", "mutable", "frozen", "attrs"];

/// The name in the alias of an identity function: a function of the sources that returns its argument and does nothing
/// else. No decorator has this name.
const IDENTITY: &str = "";

/// The greatest number of imports, from file to file, through which the name of a decorator is followed.
const MAX_IMPORTS: usize = 3;

/// A known decorator under another name, such as `frozen = partial(dataclass, frozen=True)`, or an identity function
/// that is used as a decorator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecoratorAlias {
    /// The name of the decorator; [`IDENTITY`] for an identity function.
    pub(crate) name: &'static str,
    /// The call that gives the decorator its arguments: `partial(dataclass, frozen=True)` or `dataclass(frozen=True)`.
    pub(crate) options: Option<(FileIndex, CallExprId)>,
}

/// The other names of decorators in the module scopes of all files.
#[derive(Debug, Default)]
pub(crate) struct DecoratorAliases {
    by_file: FxHashMap<FileIndex, FxHashMap<CompactString, DecoratorAlias>>,
}

impl DecoratorAliases {
    pub(crate) fn new(files: &[LinkFile], modules: &ModuleTree) -> Self {
        let mut aliases = Self::default();
        for (i, file) in files.iter().enumerate() {
            aliases.add_own(FileIndex::new(i), &file.facts);
        }
        for _ in 0..MAX_IMPORTS {
            if !aliases.add_imported(files, modules) {
                break;
            }
        }
        aliases.add_attributes(files, modules);
        for (i, file) in files.iter().enumerate() {
            aliases.add_partial_decorators(FileIndex::new(i), &file.facts);
        }
        aliases
    }

    /// Adds the names that decorators read from an imported module: `@util.readonly`.
    fn add_attributes(&mut self, files: &[LinkFile], modules: &ModuleTree) {
        if self.by_file.is_empty() {
            return;
        }
        let mut added = Vec::new();
        for (i, file) in files.iter().enumerate() {
            let (index, facts) = (FileIndex::new(i), &file.facts);
            let decorators = facts.definitions.iter().flat_map(|def| &def.decorators);
            for &(expr, _) in decorators {
                let Expr::Attribute { value, name, .. } = facts.expr(expr) else { continue };
                let Expr::Name { name: module, .. } = facts.expr(value) else { continue };
                let Some(from) = imported_module(index, file, modules, facts.name(module)) else { continue };
                if let Some(alias) = self.get(from, facts.name(name)) {
                    added.push((index, format_compact!("{}.{}", facts.name(module), facts.name(name)), alias));
                }
            }
        }
        for (file, text, alias) in added {
            self.by_file.entry(file).or_default().insert(text, alias);
        }
    }

    /// The alias that the text of a decorator names; `None` if the text names none.
    pub(crate) fn get(&self, file: FileIndex, text: &str) -> Option<DecoratorAlias> {
        let names = self.by_file.get(&file)?;
        let name = text.split('(').next().unwrap_or(text).trim();
        let call = || names.get(text).filter(|_| name.len() < text.len());
        call().or_else(|| names.get(name)).copied()
    }

    /// The name of the decorator with this text; see [`decorator_name`].
    pub(crate) fn name<'t>(&self, file: FileIndex, text: &'t str) -> &'t str {
        if let Some(alias) = self.get(file, text) {
            return alias.name;
        }
        // A known decorator that has another name than the text is a variant.
        let own = decorator_name(text);
        variant(own).unwrap_or(own)
    }

    /// Adds the names that a file itself defines.
    fn add_own(&mut self, file: FileIndex, facts: &FileFacts) {
        for &binding in facts.bindings_in(ScopeId::new(MODULE)) {
            let binding = &facts.bindings[binding.index()];
            let found = match &binding.kind {
                BindingKind::ImportFrom { name, .. } if *name != binding.name => {
                    known(facts.name(*name)).map(|name| DecoratorAlias { name, options: None })
                }
                BindingKind::Assign { value: Some(value), unpack, extraction: Extraction::Value, .. }
                    if unpack.is_none() =>
                {
                    self.of_value(file, facts, *value)
                }
                BindingKind::Def(_) if CLASS_DECORATORS.contains(&facts.name(binding.name)) => {
                    identity(facts, binding.name)
                }
                BindingKind::Def(def) if makes_data_classes(facts, *def) => {
                    Some(DecoratorAlias { name: "dataclass", options: None })
                }
                _ => None,
            };
            let text = facts.name(binding.name);
            let is_def = matches!(binding.kind, BindingKind::Def(_));
            if let Some(found) = found
                && (found.name == IDENTITY || (known(text).is_none() && (is_def || !defines(facts, text))))
            {
                self.by_file.entry(file).or_default().insert(text.into(), found);
            }
        }
    }

    /// Adds the decorators that are written as a `partial` of a known one: `@partial(dataclass, frozen=True)`.
    fn add_partial_decorators(&mut self, file: FileIndex, facts: &FileFacts) {
        for (decorator, text) in facts.definitions.iter().flat_map(|def| &def.decorators) {
            let Expr::Call(id) = facts.expr(*decorator) else { continue };
            if facts.is_named(facts.calls[id.index()].callee, "partial")
                && let Some(alias) = self.of_value(file, facts, *decorator)
            {
                self.by_file.entry(file).or_default().insert(text.as_str().into(), alias);
            }
        }
    }

    /// The alias of a name to which a value is assigned: a known decorator, a `partial` of one, or an identity
    /// function.
    fn of_value(&self, file: FileIndex, facts: &FileFacts, value: ExprId) -> Option<DecoratorAlias> {
        let _level = nesting::descend()?;
        match facts.expr(value) {
            Expr::Name { name, .. } => {
                let text = facts.name(name);
                let own = known(text).map(|name| DecoratorAlias { name, options: None });
                own.or_else(|| self.get(file, text)).or_else(|| identity(facts, name))
            }
            Expr::Attribute { name, .. } => known(facts.name(name)).map(|name| DecoratorAlias { name, options: None }),
            Expr::Call(id) => {
                let site = &facts.calls[id.index()];
                let is_partial = facts.is_named(site.callee, "partial");
                let decorator = if is_partial { site.arguments.first()?.value } else { site.callee };
                let has_target = site.arguments.iter().skip(usize::from(is_partial)).any(|a| a.keyword.is_none());
                let found = self.of_value(file, facts, decorator).filter(|_| !has_target)?;
                // A property with arguments is no decorator.
                let is_class_decorator = matches!(found.name, "dataclass" | "define" | IDENTITY);
                is_class_decorator.then_some(DecoratorAlias { options: Some((file, id)), ..found })
            }
            _ => None,
        }
    }

    /// Adds the names that files import from each other. Returns false if there are none.
    fn add_imported(&mut self, files: &[LinkFile], modules: &ModuleTree) -> bool {
        let names: FxHashSet<CompactString> = self.by_file.values().flat_map(|names| names.keys().cloned()).collect();
        if names.is_empty() {
            return false;
        }
        let mut added = Vec::new();
        for (i, file) in files.iter().enumerate() {
            let (index, facts) = (FileIndex::new(i), &file.facts);
            for &binding in facts.bindings_in(ScopeId::new(MODULE)) {
                let binding = &facts.bindings[binding.index()];
                let BindingKind::ImportFrom { module, level, name } = binding.kind else { continue };
                let (original, text) = (facts.name(name), facts.name(binding.name));
                if !names.contains(original) || self.get(index, text).is_some() {
                    continue;
                }
                let dotted = facts.name(module);
                let node = match level {
                    0 => modules.resolve_absolute(file, dotted),
                    _ => modules.resolve_relative(index, level, dotted),
                };
                let from = node.and_then(|node| modules.get(node).file);
                if let Some(alias) = from.and_then(|from| self.get(from, original))
                    && (alias.name == IDENTITY || known(text).is_none())
                {
                    added.push((index, CompactString::new(text), alias));
                }
            }
        }
        let is_any = !added.is_empty();
        for (file, name, alias) in added {
            self.by_file.entry(file).or_default().insert(name, alias);
        }
        is_any
    }
}

/// The known decorator of this name.
fn known(name: &str) -> Option<&'static str> {
    let exact = DECORATORS.iter().copied().find(|decorator| *decorator == name);
    exact.or_else(|| variant(name))
}

/// The decorator of which a name names a variant. Libraries call variants of `functools.cached_property` after it:
/// `propcache.under_cached_property`, `sqlalchemy.util.ro_cached_property`.
fn variant(name: &str) -> Option<&'static str> {
    name.ends_with("_cached_property").then_some("cached_property")
}

/// The file of the module that the module scope of a file imports under a name.
fn imported_module(index: FileIndex, file: &LinkFile, modules: &ModuleTree, name: &str) -> Option<FileIndex> {
    let facts = &file.facts;
    let node = facts.bindings_in(ScopeId::new(MODULE)).iter().find_map(|binding| {
        let binding = &facts.bindings[binding.index()];
        if facts.name(binding.name) != name {
            return None;
        }
        match binding.kind {
            BindingKind::ImportFrom { module, level, name } => {
                let package = match level {
                    0 => modules.resolve_absolute(file, facts.name(module)),
                    _ => modules.resolve_relative(index, level, facts.name(module)),
                };
                modules.child(package?, facts.name(name))
            }
            BindingKind::Import { module, .. } => modules.resolve_absolute(file, facts.name(module)),
            _ => None,
        }
    });
    modules.get(node?).file
}

/// Whether the module defines a function or class of this name.
fn defines(facts: &FileFacts, name: &str) -> bool {
    facts.bindings_in(ScopeId::new(MODULE)).iter().any(|binding| {
        let binding = &facts.bindings[binding.index()];
        matches!(binding.kind, BindingKind::Def(_)) && facts.name(binding.name) == name
    })
}

/// True for a function that makes data classes of the classes that it decorates: it is marked by `dataclass_transform`,
/// whatever its annotations are (PEP 681), or returns `dataclass(cls)` for its first parameter.
fn makes_data_classes(facts: &FileFacts, def: DefId) -> bool {
    let def = facts.def(def);
    let Some(function) = def.function() else { return false };
    let is_transform = |text: &str| decorator_name(text) == "dataclass_transform";
    let is_data_class = |value: &ExprId| match facts.expr(*value) {
        Expr::Call(site) => {
            let site = &facts.calls[site.index()];
            let first = site.arguments.first().and_then(|argument| facts.only_binding(argument.value));
            facts.is_named(site.callee, "dataclass") && matches!(first, Some(BindingKind::Parameter(_, 0)))
        }
        _ => false,
    };
    let returns_one = !function.return_values.is_empty() && !function.falls_through;
    def.decorators.iter().any(|(_, text)| is_transform(text))
        || returns_one && def.decorators.is_empty() && function.return_values.iter().all(is_data_class)
}

/// The alias of an identity function: the module binds `name` once, to a function that returns its argument and does
/// nothing else. Such a function is no known decorator, even if it has the name of one.
fn identity(facts: &FileFacts, name: NameId) -> Option<DecoratorAlias> {
    let &[binding] = facts.bindings_of(ScopeId::new(MODULE), name) else { return None };
    let BindingKind::Def(def) = facts.bindings[binding.index()].kind else { return None };
    let def = facts.def(def);
    let function = def.function().filter(|function| !function.falls_through && !function.return_values.is_empty())?;
    let is_argument = |value: &ExprId| match facts.expr(*value) {
        Expr::Name { reaching, .. } => match *facts.reaching(reaching) {
            [binding] => matches!(facts.bindings[binding.index()].kind, BindingKind::Parameter(_, 0)),
            _ => false,
        },
        _ => false,
    };
    // A call, or an assignment to an attribute of the argument, may change the argument.
    let changes_nothing = facts.bindings_in(def.scope).len() == function.parameters.len()
        && !facts.calls.iter().any(|call| call.scope == def.scope);
    let is_identity = def.decorators.is_empty() && changes_nothing && function.return_values.iter().all(is_argument);
    is_identity.then_some(DecoratorAlias { name: IDENTITY, options: None })
}
