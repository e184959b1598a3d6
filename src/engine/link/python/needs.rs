//! The names of other modules that a file needs: what has to be read of libraries so that the calls of a program can be
//! resolved. All answers are made of the facts of single files, before anything is linked.
//!
//! A need is a dotted path, such as `flask.app.Flask`: a module, or a name in it. `m.*` needs every name of `m`.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{program::LinkFile, standard_library::is_builtin};
use apidisc_base::nesting;
use apidisc_facts::syntax::python::facts::{
    BindingId, BindingKind, Class, DefBody, DefId, Expr, ExprId, FileFacts, Function, NameId, ScopeId,
};

/// The scope of a module.
const MODULE: ScopeId = ScopeId::new(0);

/// The attributes that a program reads and the methods that it calls, by name. Of the members of a library's class only
/// these are followed.
#[derive(Debug, Default)]
pub struct UsedAttributes(FxHashSet<CompactString>);

impl UsedAttributes {
    /// Adds the attributes that a file names.
    pub fn add(&mut self, file: &LinkFile) {
        for expr in &file.facts.exprs {
            if let Expr::Attribute { name, .. } = expr {
                let name = file.facts.name(*name);
                if !self.0.contains(name) {
                    self.0.insert(name.into());
                }
            }
        }
    }

    /// True if the program may use a member of this name. Syntax uses the members that the language names itself.
    fn contains(&self, name: &str) -> bool {
        (name.starts_with("__") && name.ends_with("__")) || self.0.contains(name)
    }
}

/// The modules that a file imports by absolute names, by the first part of their names.
pub fn imported_modules(file: &LinkFile) -> FxHashSet<CompactString> {
    let first = |module: NameId| file.facts.name(module).split('.').next().map(CompactString::new);
    let imported = file.facts.bindings.iter().filter_map(|binding| match binding.kind {
        BindingKind::Import { module, .. }
        | BindingKind::ImportFrom { module, level: 0, .. }
        | BindingKind::ImportStar { module, level: 0 } => first(module),
        _ => None,
    });
    imported.filter(|name| !name.is_empty()).collect()
}

/// What a file of the program needs of the modules that it imports.
pub fn imports(file: &LinkFile) -> FxHashSet<CompactString> {
    let reader = Reader::new(file);
    let mut needs = FxHashSet::default();
    for binding in &file.facts.bindings {
        match &binding.kind {
            BindingKind::ImportStar { module, level } => {
                needs.extend(reader.absolute(*module, *level).map(|module| format_compact!("{module}.*")));
            }
            kind => needs.extend(reader.imported(kind)),
        }
    }
    // `import a.b` binds `a`; the attributes that are read say what is needed of it.
    for at in 0..file.facts.exprs.len() {
        needs.extend(reader.imported_path(ExprId::new(at)));
    }
    needs
}

/// Whether a module binds a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleName {
    /// The module binds the name.
    Bound,
    /// The module does not bind the name, and has a function `__getattr__`, which may serve it (PEP 562).
    Served,
    /// The module does not bind the name itself. It has `from m import *` of these modules, which may bind the name.
    Starred(Vec<CompactString>),
    /// The module does not bind the name.
    Unbound,
}

/// Whether a module binds a name.
pub fn module_name(file: &LinkFile, name: &str) -> ModuleName {
    let of_module = || file.facts.bindings.iter().filter(|binding| binding.scope == MODULE);
    let binds = |name: &str| of_module().any(|binding| file.facts.name(binding.name) == name);
    if binds(name) {
        return ModuleName::Bound;
    }
    if binds("__getattr__") {
        return ModuleName::Served;
    }
    let reader = Reader::new(file);
    let starred: Vec<CompactString> = of_module()
        .filter_map(|binding| match binding.kind {
            BindingKind::ImportStar { module, level } => reader.absolute(module, level),
            _ => None,
        })
        .collect();
    if starred.is_empty() { ModuleName::Unbound } else { ModuleName::Starred(starred) }
}

/// The names of other modules that a file writes, as dotted paths, each with the line: those that statements
/// `from m import name` import by absolute names, and those that it reads of imported modules, `m.name`. Callees are
/// left out.
pub fn written_names(file: &LinkFile) -> Vec<(u32, CompactString)> {
    let reader = Reader::new(file);
    let imported = file.facts.bindings.iter().filter_map(|binding| match binding.kind {
        BindingKind::ImportFrom { module, level: 0, name } => {
            let (module, name) = (file.facts.name(module), file.facts.name(name));
            Some((binding.line, format_compact!("{module}.{name}")))
        }
        _ => None,
    });
    let read = file.facts.reads.iter().filter_map(|read| Some((read.line, reader.imported_path(read.expr)?)));
    imported.chain(read).collect()
}

/// What the callees of calls name from outside of their file: the dotted path of an imported name, or nothing for a
/// built-in name. Each with the line (from 1) and the column (from 0, in bytes) of the call, sorted.
pub fn called_paths(file: &LinkFile) -> Vec<((u32, u32), CompactString)> {
    let reader = Reader::new(file);
    let mut called = Vec::new();
    for call in &file.facts.calls {
        let path = match file.facts.expr(call.callee) {
            Expr::Name { name, .. } => {
                let bindings = reader.bindings_of(call.callee);
                let is_builtin = bindings.is_empty() && is_builtin(file.facts.name(name));
                let imported = |id: &BindingId| reader.imported(&file.facts.bindings[id.index()].kind);
                bindings.iter().find_map(imported).or_else(|| is_builtin.then(CompactString::default))
            }
            _ => reader.imported_path(call.callee),
        };
        called.extend(path.map(|path| ((call.line, call.col), path)));
    }
    called.sort_unstable();
    called.shrink_to_fit();
    called
}

/// A file of a library, of which names are followed one by one.
#[derive(Debug, Default)]
pub struct FollowedNames {
    names: FxHashSet<CompactString>,
    definitions: FxHashSet<DefId>,
    bindings: FxHashSet<BindingId>,
}

impl FollowedNames {
    /// What names of the module need of other modules: what they are imported from, the bases and decorators of
    /// classes, the results of functions and of those methods that `used` names.
    pub fn follow(&mut self, file: &LinkFile, names: &[CompactString], used: &UsedAttributes) -> Vec<CompactString> {
        let new: Vec<&CompactString> = names.iter().filter(|name| self.names.insert((*name).clone())).collect();
        if new.is_empty() {
            return Vec::new();
        }
        let reader = Reader::new(file);
        let names = file.facts.names.iter().enumerate().map(|(at, name)| (name.as_str(), NameId::new(at)));
        let names = names.collect();
        let mut follower = Follower { reader: &reader, names, followed: self, used, needs: Vec::new() };
        for name in new {
            if name == "*" {
                let of_module = |at: &usize| file.facts.bindings[*at].scope == MODULE;
                (0..file.facts.bindings.len()).filter(of_module).for_each(|at| follower.binding(BindingId::new(at)));
            } else {
                follower.module_name(name);
            }
        }
        follower.needs
    }
}

/// Reads the imports of a file.
struct Reader<'f> {
    facts: &'f FileFacts,
    /// The dotted name of the package from which relative imports start.
    package: &'f str,
}

impl<'f> Reader<'f> {
    fn new(file: &'f LinkFile) -> Self {
        let is_package = file.path.ends_with("/__init__.py") || file.path.ends_with("/__init__.pyi");
        let package = if is_package { &*file.module } else { file.module.rsplit_once('.').map_or("", |(up, _)| up) };
        Self { facts: &file.facts, package }
    }

    /// The absolute name of an imported module; `None` for a relative import that leads out of the top package.
    fn absolute(&self, module: NameId, level: u32) -> Option<CompactString> {
        let module = self.facts.name(module);
        if level == 0 {
            return Some(module.into());
        }
        let mut package = self.package;
        for _ in 1..level {
            package = package.rsplit_once('.')?.0;
        }
        match (package, module) {
            ("", _) => None,
            (package, "") => Some(package.into()),
            (package, module) => Some(format_compact!("{package}.{module}")),
        }
    }

    /// What a binding imports.
    fn imported(&self, kind: &BindingKind) -> Option<CompactString> {
        match kind {
            BindingKind::Import { module, .. } => Some(self.facts.name(*module).into()),
            BindingKind::ImportFrom { module, level, name } => {
                let module = self.absolute(*module, *level)?;
                Some(format_compact!("{module}.{}", self.facts.name(*name)))
            }
            _ => None,
        }
    }

    /// The path that `a.b.c` names if `a` is imported; `None` for any other expression.
    fn imported_path(&self, expr: ExprId) -> Option<CompactString> {
        let Expr::Attribute { value, name, .. } = self.facts.expr(expr) else { return None };
        let _level = nesting::descend()?;
        let base = match self.facts.expr(value) {
            Expr::Name { .. } => {
                self.bindings_of(value).iter().find_map(|binding| match &self.facts.bindings[binding.index()].kind {
                    BindingKind::Import { module, whole: false } => {
                        self.facts.name(*module).split('.').next().map(CompactString::new)
                    }
                    kind => self.imported(kind),
                })?
            }
            Expr::Attribute { .. } => self.imported_path(value)?,
            _ => return None,
        };
        Some(format_compact!("{base}.{}", self.facts.name(name)))
    }

    /// The bindings that may give a name its value.
    fn bindings_of(&self, expr: ExprId) -> &'f [BindingId] {
        let Expr::Name { name, scope, reaching } = self.facts.expr(expr) else { return &[] };
        let reaching = self.facts.reaching(reaching);
        if !reaching.is_empty() {
            return reaching;
        }
        self.facts.scopes_binding(scope, name).next().map_or(&[], |(_, bindings)| bindings)
    }
}

/// Follows names of one file.
struct Follower<'r, 'f> {
    reader: &'r Reader<'f>,
    /// The names of the file by their texts.
    names: FxHashMap<&'f str, NameId>,
    followed: &'r mut FollowedNames,
    used: &'r UsedAttributes,
    needs: Vec<CompactString>,
}

impl Follower<'_, '_> {
    /// Follows a name of the module. A name that the module does not bind may come from a star import.
    fn module_name(&mut self, name: &str) {
        let facts = self.reader.facts;
        let bindings = self.names.get(name).map_or(&[][..], |&name| facts.bindings_of(MODULE, name));
        if !bindings.is_empty() {
            for &binding in bindings {
                self.binding(binding);
            }
            return;
        }
        for binding in &facts.bindings {
            if let BindingKind::ImportStar { module, level } = &binding.kind {
                let module = self.reader.absolute(*module, *level);
                self.needs.extend(module.map(|module| format_compact!("{module}.{name}")));
            }
        }
    }

    fn binding(&mut self, id: BindingId) {
        let Some(_level) = nesting::descend() else { return };
        if !self.followed.bindings.insert(id) {
            return;
        }
        match &self.reader.facts.bindings[id.index()].kind {
            kind @ (BindingKind::Import { .. } | BindingKind::ImportFrom { .. }) => {
                self.needs.extend(self.reader.imported(kind));
            }
            BindingKind::Def(def) => self.definition(*def),
            BindingKind::Assign { annotation: Some(annotation), .. } => self.expr(*annotation),
            BindingKind::Assign { value: Some(value), .. } => self.expr(*value),
            BindingKind::TypeAlias { value, .. } => self.expr(*value),
            BindingKind::TypeParameter { bound: Some(bound), .. } => self.expr(*bound),
            _ => {}
        }
    }

    fn definition(&mut self, id: DefId) {
        if !self.followed.definitions.insert(id) {
            return;
        }
        let def = self.reader.facts.def(id);
        for (decorator, _) in &def.decorators {
            self.expr(*decorator);
        }
        for parameter in &def.type_parameters {
            self.binding(*parameter);
        }
        match &def.body {
            DefBody::Function(function) => {
                self.result(function);
                self.forwards(id);
            }
            DefBody::Class(class) => self.class(id, class, def.scope),
        }
    }

    /// Follows the result of a function: as declared, else what its body returns.
    fn result(&mut self, function: &Function) {
        match &function.returns {
            Some((returns, _)) => self.expr(*returns),
            None => function.return_values.iter().chain(&function.yields).for_each(|&value| self.expr(value)),
        }
    }

    /// Follows the callees to which a function passes on its `*args` and `**kwargs`: their parameters are those of the
    /// function.
    fn forwards(&mut self, function: DefId) {
        let facts = self.reader.facts;
        for forward in facts.forwards_of(function) {
            self.expr(facts.calls[forward.call.index()].callee);
        }
    }

    fn class(&mut self, id: DefId, class: &Class, scope: ScopeId) {
        let facts = self.reader.facts;
        class.bases.iter().for_each(|(base, _)| self.expr(*base));
        class.keywords.iter().for_each(|(_, value)| self.expr(*value));
        let members = facts.scopes[scope.index()].bindings.clone();
        for at in members.start as usize..members.end as usize {
            if self.used.contains(facts.name(facts.scope_binding_names[at])) {
                self.binding(facts.scope_bindings[at]);
            }
        }
        for assign in &facts.attribute_assigns {
            let is_own = facts.def(assign.method).outer == scope && facts.scopes[scope.index()].def == Some(id);
            if is_own && self.used.contains(facts.name(assign.name)) {
                self.binding(assign.binding);
            }
        }
    }

    /// Follows the names in an expression whose type is needed.
    fn expr(&mut self, expr: ExprId) {
        let Some(_level) = nesting::descend() else { return };
        let facts = self.reader.facts;
        match facts.expr(expr) {
            Expr::Name { .. } => {
                let bindings = self.reader.bindings_of(expr);
                for &binding in bindings {
                    self.binding(binding);
                }
                if let Expr::Name { name, .. } = facts.expr(expr)
                    && bindings.is_empty()
                {
                    self.module_name(facts.name(name));
                }
            }
            Expr::Attribute { value, .. } => match self.reader.imported_path(expr) {
                Some(path) => self.needs.push(path),
                None => self.expr(value),
            },
            Expr::Call(call) => {
                let call = &facts.calls[call.index()];
                self.expr(call.callee);
                // `TypeVar("T", bound=C)`, `NewType("N", C)`, `cast(C, x)`.
                call.arguments.iter().for_each(|argument| self.expr(argument.value));
            }
            Expr::Subscript { value, index, .. } => {
                self.expr(value);
                self.expr(index);
            }
            Expr::Str(Some(text)) => self.quoted(facts.name(text)),
            Expr::Tuple(items) | Expr::List(items) | Expr::Set(items) | Expr::Dict(items) => {
                facts.list(items).iter().for_each(|&item| self.expr(item));
            }
            Expr::Binary { left, right, .. } | Expr::Boolean { left, right, .. } | Expr::Conditional(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Await(value) | Expr::Starred(value) | Expr::Delegated(value) | Expr::Generator(value) => {
                self.expr(value);
            }
            Expr::ListComprehension(value) | Expr::SetComprehension(value) => self.expr(value),
            _ => {}
        }
    }

    /// Follows the names in a quoted annotation.
    fn quoted(&mut self, text: &str) {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        for path in text.split(|c| !is_part(c)).filter(|path| !path.is_empty()) {
            let (first, rest) = path.split_once('.').unwrap_or((path, ""));
            let facts = self.reader.facts;
            let bindings = self.names.get(first).map_or(&[][..], |&name| facts.bindings_of(MODULE, name));
            let imported =
                bindings.iter().find_map(|binding| self.reader.imported(&facts.bindings[binding.index()].kind));
            match imported {
                Some(module) if !rest.is_empty() => self.needs.push(format_compact!("{module}.{rest}")),
                _ => self.module_name(first),
            }
        }
    }
}
