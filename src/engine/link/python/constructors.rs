//! The effective constructor of a class: `__init__` or `__new__` through the order of its ancestors, or
//! what dataclass, pydantic, attrs, `NamedTuple` and `TypedDict` make of its fields.

use compact_str::CompactString;
use indexmap::IndexMap;

use super::{
    classes::Ancestor,
    infer::Linker,
    program::{ClassId, FileIndex, GlobalDef, Program, decorator_name},
    signatures::CallableSignature,
};
use crate::{
    link::linked::{LinkedParameter, LinkedSignature},
    program::ParameterKind,
    syntax::python::facts::{BindingKind, Expr, ExprId, Field, Site},
};

/// Whose rules turn fields into parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConstructorStyle {
    Dataclass,
    Attrs,
    Pydantic,
    NamedTuple,
    TypedDict,
}

const PYDANTIC_BASES: &[&str] = &["BaseModel", "BaseSettings", "RootModel", "GenericModel", "SQLModel"];
const DATACLASS_DECORATORS: &[&str] = &["dataclass", "define", "mutable", "frozen", "attrs", "dataclass_transform"];
/// Decorators whose `kw_only=True` and `init=False` are read.
const CONFIGURED: &[&str] = &["dataclass", "define", "frozen", "mutable", "s"];

impl Linker<'_> {
    /// What calls of a class are bound to.
    pub(super) fn constructor(&mut self, class: ClassId) -> CallableSignature {
        let mro = self.mro(class);
        let own: Vec<ClassId> = mro
            .iter()
            .filter_map(|a| match a {
                Ancestor::Class(c, _) => Some(*c),
                _ => None,
            })
            .collect();
        let outside: Vec<String> = mro
            .iter()
            .filter_map(|a| match a {
                Ancestor::External(path) => Some(self.program.interner.text(*path).to_owned()),
                _ => None,
            })
            .collect();
        let inherits = |names: &[&str]| outside.iter().any(|path| names.contains(&path.as_str()));
        if inherits(&["typing.NamedTuple", "typing_extensions.NamedTuple"]) && self.method(class, "__new__").is_none() {
            let owner = own.iter().copied().find(|&c| self.has_base(c, &["NamedTuple"])).unwrap_or(class);
            return self.field_constructor(class, &[owner], ConstructorStyle::NamedTuple);
        }
        if inherits(&["typing.TypedDict", "typing_extensions.TypedDict"]) {
            let chain: Vec<ClassId> = own.iter().rev().copied().collect();
            return self.field_constructor(class, &chain, ConstructorStyle::TypedDict);
        }
        let is_pydantic = outside.iter().any(|p| is_pydantic_path(p))
            || own.iter().any(|&c| self.has_base(c, PYDANTIC_BASES))
            || own.iter().skip(1).any(|&c| self.is_pydantic_source_class(c));
        let is_enum = self.is_enum(class);
        for (at, ancestor) in mro.iter().enumerate() {
            match ancestor {
                Ancestor::Class(ancestor, _) => {
                    let ancestor = *ancestor;
                    if is_pydantic && ancestor != class && self.is_pydantic_source_class(ancestor) {
                        return self.pydantic_constructor(class, &own, false);
                    }
                    if let Some(init) = self.method(ancestor, "__init__") {
                        return self.method_constructor(class, ancestor, init);
                    }
                    if let Some(style) = self.dataclass_style(ancestor) {
                        if self.decorator_flag(ancestor, "init") == Some(false) {
                            continue;
                        }
                        let below: Vec<ClassId> = mro[at..]
                            .iter()
                            .rev()
                            .filter_map(|a| match a {
                                Ancestor::Class(c, _) if self.dataclass_style(*c).is_some() => Some(*c),
                                _ => None,
                            })
                            .collect();
                        return self.field_constructor(class, &below, style);
                    }
                }
                Ancestor::External(path) => {
                    let path = self.program.interner.text(*path);
                    let module = path.split('.').next().unwrap_or(path);
                    if matches!(path, "abc.ABC" | "typing.Generic" | "typing.Protocol" | "typing_extensions.Protocol") {
                        continue;
                    }
                    let is_plain = module == path || matches!(module, "typing" | "enum");
                    if is_pydantic && !is_plain {
                        let open = !is_pydantic_path(path);
                        return self.pydantic_constructor(class, &own, open);
                    }
                    return self.external_constructor(class, &own, is_enum);
                }
                Ancestor::Unknown(_) => {
                    if is_pydantic {
                        return self.pydantic_constructor(class, &own, true);
                    }
                    return self.external_constructor(class, &own, is_enum);
                }
            }
        }
        if let Some((owner, new)) = own.iter().find_map(|&c| Some((c, self.method(c, "__new__")?))) {
            return self.method_constructor(class, owner, new);
        }
        if own.iter().any(|&c| self.is_transformed(c)) {
            let chain: Vec<ClassId> = own.iter().rev().copied().collect();
            return self.field_constructor(class, &chain, ConstructorStyle::Dataclass);
        }
        if is_pydantic {
            return self.pydantic_constructor(class, &own, false);
        }
        CallableSignature { signature: Some(LinkedSignature::default()), ..CallableSignature::default() }
    }

    /// A class whose constructor comes from outside.
    fn external_constructor(&mut self, class: ClassId, own: &[ClassId], is_enum: bool) -> CallableSignature {
        if is_enum {
            let value = LinkedParameter {
                name: CompactString::const_new("value"),
                kind: ParameterKind::Standard,
                annotation: None,
                default: None,
                required: true,
                within: None,
            };
            let signature =
                LinkedSignature { parameters: vec![value], is_synthesized: true, ..LinkedSignature::default() };
            return CallableSignature { signature: Some(signature), ..CallableSignature::default() };
        }
        match own.iter().find_map(|&c| Some((c, self.method(c, "__new__")?))) {
            Some((owner, new)) => self.method_constructor(class, owner, new),
            None => CallableSignature::default(),
        }
    }

    fn method_constructor(&mut self, class: ClassId, owner: ClassId, method: GlobalDef) -> CallableSignature {
        let signature = self.signature_of(method, true);
        let by = (owner != class).then_some(owner);
        let declared_by = vec![by; signature.parameters.len()];
        CallableSignature { signature: Some(signature), declared_by, ..CallableSignature::default() }
    }

    fn pydantic_constructor(&mut self, class: ClassId, own: &[ClassId], open: bool) -> CallableSignature {
        let chain: Vec<ClassId> = own.iter().rev().copied().filter(|&c| !self.is_pydantic_source_class(c)).collect();
        if chain.iter().any(|&c| self.has_base(c, &["RootModel"])) {
            let root = LinkedParameter {
                name: CompactString::const_new("root"),
                kind: ParameterKind::Standard,
                annotation: None,
                default: None,
                required: true,
                within: None,
            };
            let signature =
                LinkedSignature { parameters: vec![root], is_synthesized: true, ..LinkedSignature::default() };
            return CallableSignature {
                signature: Some(signature),
                takes_camel_case: true,
                ..CallableSignature::default()
            };
        }
        let mut callable = self.field_constructor(class, &chain, ConstructorStyle::Pydantic);
        callable.takes_camel_case = true;
        callable.takes_any_keyword = open;
        callable
    }

    /// The signature that the fields of `chain`, base first, make.
    fn field_constructor(&mut self, class: ClassId, chain: &[ClassId], style: ConstructorStyle) -> CallableSignature {
        let mut fields: IndexMap<CompactString, (LinkedParameter, ClassId)> = IndexMap::new();
        let mut keywords = rustc_hash::FxHashMap::default();
        for &owner in chain {
            let (file, _, body) = self.program.class_facts(owner);
            let all_keyword = self.decorator_flag(owner, "kw_only") == Some(true);
            let is_total = !self.is_partial(owner);
            let mut rest_keyword = false;
            for field in &body.fields {
                let reader = FieldReader { program: &self.program, file, field };
                if reader.is("KW_ONLY") {
                    rest_keyword = true;
                    continue;
                }
                let Some(mut parameter) = reader.parameter(style, is_total) else { continue };
                if all_keyword || rest_keyword || reader.flag("kw_only") == Some(true) {
                    parameter.kind = ParameterKind::KeywordOnly;
                }
                for alias in reader.aliases(style) {
                    keywords.insert(alias, parameter.name.clone());
                }
                fields.insert(parameter.name.clone(), (parameter, owner));
            }
        }
        // Keyword-only fields come last, as in the signature that is made of them.
        let (standard, keyword): (Vec<_>, Vec<_>) =
            fields.into_values().partition(|(p, _)| p.kind != ParameterKind::KeywordOnly);
        let (parameters, owners): (Vec<LinkedParameter>, Vec<ClassId>) = standard.into_iter().chain(keyword).unzip();
        let keywords = keywords
            .into_iter()
            .filter_map(|(alias, name)| {
                let position = parameters.iter().position(|p| p.name == name)?;
                Some((alias, position as u16))
            })
            .collect();
        let declared_by = owners.into_iter().map(|owner| (owner != class).then_some(owner)).collect();
        let signature = LinkedSignature {
            parameters,
            is_synthesized: true,
            receiver: Some(CompactString::const_new("self")),
            ..LinkedSignature::default()
        };
        CallableSignature { signature: Some(signature), keywords, declared_by, ..CallableSignature::default() }
    }

    /// A method in the class's own body; of overloads the implementation.
    pub(super) fn method(&mut self, class: ClassId, name: &str) -> Option<GlobalDef> {
        let global_name = self.program.interner.intern(name);
        let (file, def, _) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let functions: Vec<GlobalDef> = self
            .program
            .bindings(file, def.scope, global_name)
            .iter()
            .filter_map(|b| match facts.bindings[b.index()].kind {
                BindingKind::Def(def) => Some(self.program.global(file, def)),
                _ => None,
            })
            .filter(|&def| self.program.function(def).is_some())
            .collect();
        let implementation = functions.iter().rev().find(|&&def| !self.program.is_decorated(def, &["overload"]));
        implementation.or(functions.first()).copied()
    }

    /// True where a base is written as one of `names`, with whatever stands before the last dot.
    fn has_base(&self, class: ClassId, names: &[&str]) -> bool {
        let (_, _, body) = self.program.class_facts(class);
        body.bases.iter().any(|(_, text)| {
            let head = text.split('[').next().unwrap_or(text);
            names.contains(&head.rsplit('.').next().unwrap_or(head))
        })
    }

    /// True for pydantic's own models, where pydantic itself is indexed.
    fn is_pydantic_source_class(&self, class: ClassId) -> bool {
        let def = self.program.class_def(class);
        let module = &self.program.files[self.program.file_of(def).index()].module;
        module.starts_with("pydantic.") && PYDANTIC_BASES.contains(&self.program.name_of(def))
    }

    fn dataclass_style(&self, class: ClassId) -> Option<ConstructorStyle> {
        let decorators = &self.program.def(self.program.class_def(class)).decorators;
        let paths = || decorators.iter().map(|(_, text)| text.split('(').next().unwrap_or(text).trim());
        let is_dataclass = |path: &str| {
            DATACLASS_DECORATORS.contains(&decorator_name(path)) || matches!(path, "attr.s" | "attr.dataclass")
        };
        let is_attrs = |path: &str| {
            matches!(path, "attr" | "attrs")
                || path.starts_with("attr.")
                || path.starts_with("attrs.")
                || matches!(decorator_name(path), "define" | "mutable" | "frozen")
        };
        paths()
            .any(is_dataclass)
            .then(|| if paths().any(is_attrs) { ConstructorStyle::Attrs } else { ConstructorStyle::Dataclass })
    }

    /// `dataclass_transform` on the class or its metaclass.
    fn is_transformed(&mut self, class: ClassId) -> bool {
        if self.program.is_decorated(self.program.class_def(class), &["dataclass_transform"]) {
            return true;
        }
        let (file, _, body) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let Some((_, meta)) = body.keywords.iter().find(|(k, _)| facts.name(*k) == "metaclass") else { return false };
        let meta = self.expr_type(file, *meta);
        match *self.types.get(meta) {
            super::types::Type::Class(meta, _) => {
                self.program.is_decorated(self.program.class_def(meta), &["dataclass_transform"])
            }
            _ => false,
        }
    }

    /// `@dataclass(key=True)`
    fn decorator_flag(&self, class: ClassId, key: &str) -> Option<bool> {
        let def = self.program.class_def(class);
        let facts = self.program.facts(self.program.file_of(def));
        for (decorator, text) in &self.program.def(def).decorators {
            if let Expr::Call(site) = facts.expr(*decorator)
                && CONFIGURED.contains(&decorator_name(text))
                && let Some(value) =
                    keyword_literal(&self.program, self.program.file_of(def), &facts.calls[site.index()], key)
            {
                return Some(value == "True");
            }
        }
        None
    }

    /// `class T(TypedDict, total=False)`
    fn is_partial(&self, class: ClassId) -> bool {
        let (file, _, body) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        // A class keyword's literal is not kept; of booleans only `total=False` is ever written.
        body.keywords.iter().any(|(k, v)| facts.name(*k) == "total" && facts.expr(*v) == Expr::Bool)
    }
}

fn is_pydantic_path(path: &str) -> bool {
    ["pydantic.", "pydantic_settings.", "sqlmodel."].iter().any(|prefix| path.starts_with(prefix))
}

fn keyword<'f>(
    program: &Program<'f>,
    file: FileIndex,
    site: &'f Site,
    key: &str,
) -> Option<&'f crate::syntax::python::facts::Arg> {
    let facts = program.facts(file);
    site.arguments.iter().find(|a| a.keyword.is_some_and(|k| facts.name(k) == key))
}

fn keyword_literal<'f>(program: &Program<'f>, file: FileIndex, site: &'f Site, key: &str) -> Option<&'f str> {
    keyword(program, file, site, key)?.literal.as_deref()
}

/// Reads what one field of a class body says.
struct FieldReader<'p, 'f> {
    program: &'p Program<'f>,
    file: FileIndex,
    field: &'f Field,
}

impl<'f> FieldReader<'_, 'f> {
    /// True where the annotation is `name` or `….name[…]`.
    fn is(&self, name: &str) -> bool {
        let Some((_, text)) = &self.field.annotation else { return false };
        let text = text.trim_matches(['"', '\'']);
        let head = text.split('[').next().unwrap_or(text).trim();
        head.rsplit('.').next() == Some(name)
    }

    fn call(&self, expr: ExprId) -> Option<&'f Site> {
        let facts = self.program.facts(self.file);
        match facts.expr(expr) {
            Expr::Call(site) => Some(&facts.calls[site.index()]),
            _ => None,
        }
    }

    /// `field(…)`, `Field(…)`: as the value, or among `Annotated`'s arguments.
    fn calls(&self) -> Vec<&'f Site> {
        let facts = self.program.facts(self.file);
        let mut calls: Vec<&Site> = self.field.value.iter().filter_map(|(value, _)| self.call(*value)).collect();
        if let Some((annotation, _)) = &self.field.annotation {
            let mut open = vec![*annotation];
            while let Some(expr) = open.pop() {
                match facts.expr(expr) {
                    Expr::Subscript { index, .. } => open.push(index),
                    Expr::Tuple(list) => open.extend_from_slice(facts.list(list)),
                    Expr::Binary { left, right, .. } => open.extend([left, right]),
                    Expr::Call(site) => calls.push(&facts.calls[site.index()]),
                    _ => {}
                }
            }
        }
        calls
    }

    /// The literal of a keyword of `field(…)`.
    fn flag(&self, key: &str) -> Option<bool> {
        let site = self.field.value.as_ref().and_then(|(value, _)| self.call(*value))?;
        keyword_literal(self.program, self.file, site, key).map(|text| text == "True")
    }

    fn has(&self, key: &str) -> bool {
        self.calls().into_iter().any(|site| keyword(self.program, self.file, site, key).is_some())
    }

    /// True for `field(…)`, `Field(…)`, `attr.ib(…)` and the like.
    fn is_specifier(&self) -> bool {
        let facts = self.program.facts(self.file);
        let Some(site) = self.field.value.as_ref().and_then(|(value, _)| self.call(*value)) else { return false };
        match facts.expr(site.callee) {
            Expr::Name { name, .. } | Expr::Attribute { name, .. } => {
                matches!(facts.name(name), "field" | "Field" | "ib" | "attrib" | "PrivateAttr")
            }
            _ => false,
        }
    }

    /// The parameter that the field makes; `None` where it makes none.
    fn parameter(&self, style: ConstructorStyle, is_total: bool) -> Option<LinkedParameter> {
        let name = self.program.facts(self.file).name(self.field.name);
        let is_annotated = self.field.annotation.is_some();
        let by_value = style == ConstructorStyle::Attrs && self.is_specifier();
        if !is_annotated && !by_value {
            return None;
        }
        if self.is("ClassVar") || self.flag("init") == Some(false) {
            return None;
        }
        if style == ConstructorStyle::Pydantic && (name.starts_with('_') || name == "model_config") {
            return None;
        }
        let name = match style {
            ConstructorStyle::Attrs => {
                self.attrs_alias().unwrap_or_else(|| CompactString::new(name.trim_start_matches('_')))
            }
            _ => CompactString::new(name),
        };
        let (required, default) = self.default(style, is_total);
        let by_keyword = matches!(style, ConstructorStyle::Pydantic | ConstructorStyle::TypedDict);
        Some(LinkedParameter {
            name,
            kind: if by_keyword { ParameterKind::KeywordOnly } else { ParameterKind::Standard },
            annotation: self.field.annotation.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty()),
            default,
            required,
            within: None,
        })
    }

    fn attrs_alias(&self) -> Option<CompactString> {
        let site = self.field.value.as_ref().and_then(|(value, _)| self.call(*value))?;
        keyword_literal(self.program, self.file, site, "alias").map(unquoted)
    }

    /// Whether the field must be given, and its default as text.
    fn default(&self, style: ConstructorStyle, is_total: bool) -> (bool, Option<CompactString>) {
        let ellipsis = || Some(CompactString::const_new("..."));
        if style == ConstructorStyle::TypedDict {
            let required = (is_total || self.is("Required")) && !self.is("NotRequired");
            return (required, if required { None } else { ellipsis() });
        }
        let factories = ["default_factory", "factory"];
        if factories.iter().any(|key| self.has(key)) {
            return (false, ellipsis());
        }
        for site in self.calls() {
            if let Some(default) = keyword(self.program, self.file, site, "default") {
                let required = self.program.facts(self.file).expr(default.value) == Expr::Ellipsis;
                let text = default.literal.clone().or_else(ellipsis);
                return (required, text.filter(|_| !required));
            }
        }
        let facts = self.program.facts(self.file);
        match &self.field.value {
            None => (true, None),
            Some((value, _)) if facts.expr(*value) == Expr::Ellipsis => (true, None),
            Some((value, _)) if self.is_specifier() => {
                // pydantic's `Field(default, …)` gives the default by position.
                let first = self.call(*value).and_then(|site| site.arguments.first()).filter(|a| a.keyword.is_none());
                match first {
                    Some(first) if style == ConstructorStyle::Pydantic && facts.expr(first.value) != Expr::Ellipsis => {
                        (false, first.literal.clone().or_else(ellipsis))
                    }
                    _ => (true, None),
                }
            }
            Some((_, text)) => (false, Some(text.clone()).filter(|t| !t.is_empty()).or_else(ellipsis)),
        }
    }

    /// Further names that the field is passed by.
    fn aliases(&self, style: ConstructorStyle) -> Vec<CompactString> {
        if style != ConstructorStyle::Pydantic {
            return Vec::new();
        }
        let mut aliases = Vec::new();
        for site in self.calls() {
            for key in ["alias", "validation_alias"] {
                if let Some(text) = keyword_literal(self.program, self.file, site, key)
                    && text.starts_with(['"', '\''])
                {
                    aliases.push(unquoted(text));
                }
            }
        }
        aliases
    }
}

fn unquoted(literal: &str) -> CompactString {
    CompactString::new(literal.trim_matches(['"', '\'']))
}
