//! What a TypeScript type takes, as far as the texts of declarations decide it.
//!
//! The declarations of a package are texts with names; the files that were read declare these names. An answer is given
//! only where every name that it depends on is known.

use std::{cell::Cell, rc::Rc};

use apidisc_base::nesting;
use apidisc_facts::{
    program::DefinitionId,
    syntax::typescript::facts::{Decl, Def, DefBody, ScopeId, SymbolId, TypeNode},
};
use apidisc_indexing::packages::InstalledModule;
use rustc_hash::FxHashMap;

use crate::{
    declarations::{Declarations, File, Found},
    forms::{Form, Taken},
    properties::{Properties, Property, add, add_members, add_written, united},
    type_text::{self, Mapped},
};

/// The greatest number of types that one question looks at.
const MAX_STEPS: u32 = 2_000;
/// Generic types of the platform whose values are objects with some properties of their argument.
const WRAPPERS: [&str; 5] = ["Partial", "Required", "Readonly", "NonNullable", "NoInfer"];
/// Classes of the platform whose values constructors make. An object literal may still have the same members, so only
/// other literals are refused.
const MADE: [&str; 16] = [
    "Date",
    "Promise",
    "PromiseLike",
    "Map",
    "Set",
    "WeakMap",
    "WeakSet",
    "URL",
    "ArrayBuffer",
    "Uint8Array",
    "Uint16Array",
    "Uint32Array",
    "Int8Array",
    "Int16Array",
    "Int32Array",
    "DataView",
];

/// Members that strings, arrays, functions, regular expressions or promises have as well.
const SHARED_MEMBERS: [&str; 9] = ["length", "then", "toString", "valueOf", "name", "call", "apply", "test", "exec"];

/// The types of one version.
pub(crate) struct Types<'v> {
    declarations: &'v Declarations<'v>,
    /// The package that declares the called function. Its types are assumed to be complete; any file may add members to
    /// types of other packages.
    home: Option<String>,
    steps: Cell<u32>,
}

/// Where a text of a type stands: the file and the scope, and what type parameters stand for.
#[derive(Clone)]
pub(crate) struct Scope {
    /// `None` if the file cannot be read.
    place: Option<(Rc<File>, ScopeId)>,
    /// The type parameters of the signature.
    parameters: Option<String>,
    bound: Rc<FxHashMap<String, (String, Scope)>>,
}

/// What a name in a type stands for.
enum Named {
    /// A type argument, in its own scope.
    Bound(String, Scope),
    /// A type parameter, with its constraint.
    Parameter(Option<String>),
    Defined(Rc<File>, SymbolId),
    /// No scope has the name, so that the platform may declare it.
    Global,
    Unknown,
}

impl<'v> Types<'v> {
    /// The types of a version, for calls of what the file at `path` declares.
    pub(crate) fn new(declarations: &'v Declarations<'v>, path: &str) -> Self {
        let home = InstalledModule::of_file(path).map(|module| module.name().to_owned());
        Self { declarations, home, steps: Cell::new(0) }
    }

    /// Where the types of a definition stand. `parameters` are the type parameters of its signature.
    pub(crate) fn scope(&self, definition: DefinitionId, parameters: Option<&str>) -> Scope {
        let place = self.declarations.place(definition);
        Scope { place, parameters: parameters.map(str::to_owned), bound: Rc::default() }
    }

    /// The properties of the values that a symbol stands for: a constant with an annotation, a class, a type.
    pub(crate) fn properties_of(&self, file: &Rc<File>, symbol: SymbolId) -> Properties {
        let facts = &file.facts;
        let scope = Scope {
            place: Some((Rc::clone(file), facts.symbol(symbol).scope)),
            parameters: None,
            bound: Rc::default(),
        };
        // A name may be a type and a constant, which makes the values of the type.
        let decls = &facts.symbol(symbol).decls;
        let is_type = decls.iter().any(|decl| matches!(decl, Decl::Def(_)));
        let annotated = decls.iter().filter(|_| !is_type).find_map(|decl| match decl {
            Decl::Variable(variable) => facts.variables[variable.index()].annotation_text.clone(),
            _ => None,
        });
        if let Some(text) = annotated {
            return self.properties(&text, &scope);
        }
        let mut found = Properties::default();
        self.add_symbol(file, symbol, &scope, &mut found);
        found
    }

    /// True if another question may be asked.
    fn step(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() < MAX_STEPS
    }

    /// Whether the type `text` takes a value of a form; `None` if that is not known.
    pub(crate) fn accepts(&self, text: &str, scope: &Scope, form: &Form) -> Option<bool> {
        let _level = nesting::descend()?;
        let text = type_text::bare(text);
        if !self.step() || *form == Form::Other {
            return None;
        }
        if type_text::is_function(text) {
            return Some(*form == Form::Function);
        }
        if type_text::is_computed(text) {
            return None;
        }
        let alternatives = type_text::split(text, &['|']);
        if alternatives.len() > 1 {
            let answers: Vec<_> = alternatives.iter().map(|text| self.accepts(text, scope, form)).collect();
            return any(&answers);
        }
        let parts = type_text::split(text, &['&']);
        if parts.len() > 1 {
            let answers = parts.iter().map(|text| self.accepts(text, scope, form));
            return answers.into_iter().any(|answer| answer == Some(false)).then_some(false);
        }
        match form.taken_by(text) {
            Taken::Known(is_taken) => return Some(is_taken),
            Taken::Unknown => return None,
            Taken::Named => {}
        }
        let (name, arguments) = type_text::reference(text)?;
        match self.named(name, scope) {
            Named::Bound(text, scope) => self.accepts(&text, &scope, form),
            Named::Parameter(Some(constraint)) => {
                self.accepts(&constraint, scope, form).filter(|is_accepted| !is_accepted)
            }
            Named::Parameter(None) => None,
            Named::Defined(file, symbol) => self.symbol_accepts(&file, symbol, &arguments, scope, form),
            Named::Global if MADE.contains(&name) => (*form != Form::Object).then_some(false),
            Named::Global if ["Omit", "Pick"].contains(&name) || WRAPPERS.contains(&name) => {
                let inner = arguments.first()?;
                self.accepts(inner, scope, form).filter(|is_accepted| !is_accepted)
            }
            Named::Global | Named::Unknown => None,
        }
    }

    fn symbol_accepts(
        &self,
        file: &Rc<File>,
        symbol: SymbolId,
        arguments: &[&str],
        scope: &Scope,
        form: &Form,
    ) -> Option<bool> {
        let _level = nesting::descend()?;
        let facts = &file.facts;
        let inner = inner_scope(file, symbol, arguments, scope);
        for decl in &facts.symbol(symbol).decls {
            let Decl::Def(def) = decl else { continue };
            match &facts.def(*def).body {
                DefBody::TypeAlias(alias) if !matches!(facts.ty(alias.ty), TypeNode::Literal(_)) => {
                    return self.accepts(&alias.text, &inner, form);
                }
                DefBody::TypeAlias(_) | DefBody::Interface(_) | DefBody::Class(_) => {
                    return self.object_accepts(file, symbol, &inner, form);
                }
                DefBody::Enum(_) => return (*form != Form::Number).then_some(false),
                _ => {}
            }
        }
        None
    }

    /// Whether a type with members takes a value. An object may have the members. A value of another form lacks them,
    /// unless the type can be called, has a shared member, or demands nothing but methods: a string has `includes`.
    fn object_accepts(&self, file: &Rc<File>, symbol: SymbolId, scope: &Scope, form: &Form) -> Option<bool> {
        if *form == Form::Object {
            return None;
        }
        let mut properties = Properties::default();
        self.add_symbol(file, symbol, scope, &mut properties);
        let is_known = !properties.is_open && !properties.names.is_empty();
        (is_known && !may_fit_other_values(&properties)).then_some(false)
    }

    /// The properties that objects of the type `text` may have.
    pub(crate) fn properties(&self, text: &str, scope: &Scope) -> Properties {
        let Some(_level) = nesting::descend().filter(|_| self.step()) else { return Properties::open() };
        let text = type_text::bare(text);
        if type_text::is_function(text) {
            return Properties { is_callable: true, ..Properties::default() };
        }
        if is_no_object(text) {
            return Properties::default();
        }
        if type_text::is_computed(text) {
            return Properties::open();
        }
        let alternatives = type_text::split(text, &['|']);
        if alternatives.len() > 1 {
            let objects = alternatives.iter().filter(|text| !is_no_object(type_text::bare(text)));
            return united(objects.map(|text| self.properties(text, scope)));
        }
        let mut found = Properties::default();
        let parts = type_text::split(text, &['&']);
        if parts.len() > 1 {
            for part in parts {
                add(&mut found, self.properties(part, scope));
            }
            return found;
        }
        if let Some(mapped) = type_text::mapped(text) {
            return self.mapped_properties(&mapped, scope);
        }
        if text.starts_with('{') {
            add_written(text, &mut found);
            return found;
        }
        let Some((name, arguments)) = type_text::reference(text) else { return Properties::open() };
        match self.named(name, scope) {
            Named::Bound(text, scope) => self.properties(&text, &scope),
            Named::Parameter(_) => Properties::open(),
            Named::Defined(file, symbol) => {
                let scope = inner_scope(&file, symbol, &arguments, scope);
                self.add_symbol(&file, symbol, &scope, &mut found);
                found
            }
            Named::Global => self.platform_properties(name, &arguments, scope),
            Named::Unknown => Properties::open(),
        }
    }

    /// The properties of `{ [K in KEYS]: T }`.
    fn mapped_properties(&self, mapped: &Mapped<'_>, scope: &Scope) -> Properties {
        let mut found = Properties::default();
        if let Some(of) = mapped.keys.strip_prefix("keyof ") {
            found = self.properties(of, scope);
            found.is_callable = false;
        } else if let Some(keys) = self.keys(mapped.keys, scope) {
            let property = Property { is_required: true, is_method: false, deprecation: None };
            found.names.extend(keys.into_iter().map(|key| (key, property.clone())));
        } else {
            found.is_open = true;
        }
        if let Some(is_required) = mapped.is_required {
            found.names.values_mut().for_each(|property| property.is_required = is_required);
        }
        found
    }

    /// The properties of `Omit<T, K>` and other generic types of the platform.
    fn platform_properties(&self, name: &str, arguments: &[&str], scope: &Scope) -> Properties {
        let Some(inner) = arguments.first() else { return Properties::open() };
        let mut found = Properties::open();
        if WRAPPERS.contains(&name) || ["Omit", "Pick"].contains(&name) {
            found = self.properties(inner, scope);
        }
        match name {
            "Partial" => found.names.values_mut().for_each(|property| property.is_required = false),
            "Required" => found.names.values_mut().for_each(|property| property.is_required = true),
            "Omit" | "Pick" => {
                let keys = arguments.get(1).and_then(|keys| self.keys(keys, scope));
                match keys {
                    Some(keys) if name == "Omit" => found.names.retain(|name, _| !keys.contains(name)),
                    Some(keys) => found.names.retain(|name, _| keys.contains(name)),
                    None => found.names.values_mut().for_each(|property| property.is_required = false),
                }
            }
            _ => {}
        }
        found
    }

    /// The strings of a union of literals.
    fn keys(&self, text: &str, scope: &Scope) -> Option<Vec<String>> {
        let _level = nesting::descend().filter(|_| self.step())?;
        let mut keys = Vec::new();
        for part in type_text::split(type_text::bare(text), &['|']) {
            if let Some(key) = type_text::quoted(part) {
                keys.push(key.to_owned());
                continue;
            }
            let (name, arguments) = type_text::reference(part)?;
            match self.named(name, scope) {
                Named::Bound(text, scope) => keys.extend(self.keys(&text, &scope)?),
                Named::Defined(file, symbol) => {
                    let scope = inner_scope(&file, symbol, &arguments, scope);
                    let alias = file.facts.symbol(symbol).decls.iter().find_map(|decl| match decl {
                        Decl::Def(def) => match &file.facts.def(*def).body {
                            DefBody::TypeAlias(alias) => Some(&alias.text),
                            _ => None,
                        },
                        _ => None,
                    });
                    keys.extend(self.keys(alias?, &scope)?);
                }
                Named::Parameter(_) | Named::Global | Named::Unknown => return None,
            }
        }
        Some(keys)
    }

    /// Adds the properties of a type that a file declares, of all its declarations there.
    fn add_symbol(&self, file: &Rc<File>, symbol: SymbolId, scope: &Scope, found: &mut Properties) {
        let Some(_level) = nesting::descend().filter(|_| self.step()) else {
            found.is_open = true;
            return;
        };
        // Any file may add members to a type of a package that the program imports.
        let module = InstalledModule::of_file(&file.path).map(InstalledModule::name);
        found.is_open |= module != self.home.as_deref() && module.is_some_and(|module| self.is_imported(module));
        let facts = &file.facts;
        let mut is_type = false;
        for decl in &facts.symbol(symbol).decls {
            let Decl::Def(def) = decl else { continue };
            let row = facts.def(*def);
            let mut bases: Vec<&str> = Vec::new();
            match &row.body {
                DefBody::Interface(interface) => bases.extend(interface.extends.iter().map(|(_, text)| text.as_str())),
                DefBody::Class(class) => bases.extend(class.extends.iter().map(|(.., text)| text.as_str())),
                DefBody::TypeAlias(alias) => match facts.ty(alias.ty) {
                    TypeNode::Literal(def) => add_members(facts, facts.def(*def).members(), found),
                    _ => add(found, self.properties(&alias.text, scope)),
                },
                _ => continue,
            }
            is_type = true;
            add_members(facts, row.members(), found);
            for base in bases {
                let of_base = self.properties(base, scope);
                // A member of the type hides that of its base.
                for (name, property) in of_base.names {
                    found.names.entry(name).or_insert(property);
                }
                found.is_open |= of_base.is_open;
                found.is_callable |= of_base.is_callable;
            }
        }
        found.is_open |= !is_type;
    }

    fn is_imported(&self, package: &str) -> bool {
        let imported = &self.declarations.version.libraries.node.imported;
        imported.binary_search_by(|(name, _)| name.as_str().cmp(package)).is_ok()
    }

    fn named(&self, name: &str, scope: &Scope) -> Named {
        if let Some((text, scope)) = scope.bound.get(name) {
            return Named::Bound(text.clone(), scope.clone());
        }
        let parameters = scope.parameters.as_deref().unwrap_or_default();
        let known = type_text::type_parameters(parameters).into_iter().find(|(known, _)| *known == name);
        if let Some((_, constraint)) = known {
            return Named::Parameter(constraint.map(str::to_owned));
        }
        let Some((file, at)) = &scope.place else { return Named::Unknown };
        match self.declarations.find(file, *at, name) {
            Some(Found::Parameter(file, param)) => {
                let text = &file.facts.type_params[param.index()].text;
                let (_, constraint) = type_text::type_parameters(text).first().copied().unwrap_or_default();
                Named::Parameter(constraint.map(str::to_owned))
            }
            Some(Found::Declared(file, symbol)) => Named::Defined(file, symbol),
            Some(Found::Elsewhere) => Named::Unknown,
            None => Named::Global,
        }
    }
}

/// The scope of a generic type whose parameters stand for `arguments`, which are written in `scope`.
fn inner_scope(file: &Rc<File>, symbol: SymbolId, arguments: &[&str], scope: &Scope) -> Scope {
    let facts = &file.facts;
    let def = facts.symbol(symbol).decls.iter().find_map(|decl| match decl {
        Decl::Def(def) if !matches!(facts.def(*def).body, DefBody::Namespace) => Some(facts.def(*def)),
        _ => None,
    });
    let parameters = def.map(Def::type_params).unwrap_or_default();
    let place = Some((Rc::clone(file), def.map_or_else(|| facts.file_scope(), |def| def.scope)));
    let mut bound = FxHashMap::default();
    for (at, param) in parameters.iter().map(|param| &facts.type_params[param.index()]).enumerate() {
        let name = facts.name(param.name).to_owned();
        if let Some(text) = arguments.get(at) {
            bound.insert(name, ((*text).to_owned(), scope.clone()));
        } else if let Some(default) = type_text::default_of(&param.text) {
            // A default may name the parameters before it.
            let scope = Scope { place: place.clone(), parameters: None, bound: Rc::new(bound.clone()) };
            bound.insert(name, (default.to_owned(), scope));
        }
    }
    Scope { place, parameters: None, bound: Rc::new(bound) }
}

/// True if a value that no object literal makes may have the properties of a type.
fn may_fit_other_values(properties: &Properties) -> bool {
    let has_shared = SHARED_MEMBERS.iter().any(|name| properties.names.contains_key(*name));
    let mut required = properties.names.values().filter(|property| property.is_required).peekable();
    let demands_only_methods = required.peek().is_some() && required.all(|property| property.is_method);
    properties.is_callable || has_shared || demands_only_methods
}

/// Whether one of several types takes a value.
fn any(answers: &[Option<bool>]) -> Option<bool> {
    if answers.contains(&Some(true)) {
        return Some(true);
    }
    answers.iter().all(|answer| *answer == Some(false)).then_some(false)
}

/// True for a type whose values no object literal makes.
fn is_no_object(text: &str) -> bool {
    let is_literal = || text.starts_with(['"', '\'', '`']) || text.starts_with(|c: char| c.is_ascii_digit());
    let names =
        ["string", "number", "boolean", "bigint", "symbol", "null", "undefined", "void", "never", "true", "false"];
    names.contains(&text)
        || is_literal()
        || text.ends_with("[]")
        || text.starts_with('[')
        || text.starts_with("readonly ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_that_demands_only_methods_may_take_other_values_than_objects() {
        let fits = |text: &str| {
            let mut properties = Properties::default();
            add_written(text, &mut properties);
            may_fit_other_values(&properties)
        };
        assert_eq!(
            ["{ includes(a: A): B }", "{ map: (a: A) => B; a?: A }", "{ length: number }"].map(fits),
            [true, true, true]
        );
        assert_eq!(["{ a: A; includes(a: A): B }", "{ a?: A; b?(): B }"].map(fits), [false, false]);
    }
}
