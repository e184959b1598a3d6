//! Signatures synthesized from the fields of a class: `dataclass` (PEP 557), attrs, pydantic, `NamedTuple`, `TypedDict`
//! (PEP 589).

use arcstr::ArcStr;
use compact_str::CompactString;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::{
    linker::Linker,
    program::{ClassId, FileIndex, Program},
    signatures::CallableSignature,
};
use crate::linked::{LinkedParameter, LinkedSignature};
use apidisc_facts::{
    program::ParameterKind,
    syntax::{
        MAX_PARAMETERS,
        python::facts::{Arg, CallExpr, Expr, ExprId, Field},
    },
};

/// The rules by which fields become parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstructorStyle {
    Dataclass,
    Attrs,
    Pydantic,
    /// Before version 2 of pydantic: a field whose type takes `None` need not be passed.
    EarlyPydantic,
    NamedTuple,
    TypedDict,
}

impl ConstructorStyle {
    fn is_pydantic(self) -> bool {
        matches!(self, Self::Pydantic | Self::EarlyPydantic)
    }
}

/// Decorators whose arguments `kw_only` and `init` are read.
const CONFIGURABLE_DECORATORS: &[&str] = &["dataclass", "define", "frozen", "mutable", "s"];

impl Linker<'_> {
    /// The constructor's signature, synthesized from the fields of the classes in `chain`. Bases precede subclasses.
    pub(super) fn field_constructor(
        &mut self,
        class: ClassId,
        chain: &[ClassId],
        style: ConstructorStyle,
    ) -> CallableSignature {
        let mut fields: IndexMap<CompactString, (LinkedParameter, ClassId)> = IndexMap::new();
        let mut keywords = rustc_hash::FxHashMap::default();
        for &owner in chain {
            let (file, _, body) = self.program.class_facts(owner);
            let all_keyword_only = self.decorator_flag(owner, "kw_only") == Some(true);
            let is_total = !self.is_total_false(owner);
            let mut after_kw_only = false;
            let is_mixin = style.is_pydantic() && !self.is_pydantic_model(owner);
            for field in &body.fields {
                let reader = FieldReader { program: &self.program, file, field };
                if reader.annotation_is("KW_ONLY") {
                    after_kw_only = true;
                    continue;
                }
                let Some(mut parameter) = reader.parameter(style, is_total) else { continue };
                if all_keyword_only || after_kw_only || reader.boolean_keyword("kw_only") == Some(true) {
                    parameter.kind = ParameterKind::KeywordOnly;
                }
                // The bare annotation of a class that is no model keeps the default of the model's field.
                let is_bare = field.value.is_none() && fields.get(&parameter.name).is_some_and(|(p, _)| !p.required);
                if is_mixin && is_bare {
                    continue;
                }
                for alias in reader.aliases(style) {
                    keywords.insert(alias, parameter.name.clone());
                }
                fields.insert(parameter.name.clone(), (parameter, owner));
            }
        }
        // Keyword-only fields come last, as in the synthesized `__init__`.
        let (standard, keyword_only): (Vec<_>, Vec<_>) =
            fields.into_values().partition(|(p, _)| p.kind != ParameterKind::KeywordOnly);
        let (parameters, owners): (Vec<LinkedParameter>, Vec<ClassId>) =
            standard.into_iter().chain(keyword_only).unzip();
        let positions: FxHashMap<&str, usize> =
            parameters.iter().take(MAX_PARAMETERS).enumerate().map(|(at, p)| (p.name.as_str(), at)).collect();
        let keywords = keywords
            .into_iter()
            .filter_map(|(alias, name)| Some((alias, *positions.get(name.as_str())? as u16)))
            .collect();
        let declared_by = owners.into_iter().map(|owner| (owner != class).then_some(owner)).collect();
        let signature = LinkedSignature {
            parameters,
            is_synthesized: true,
            receiver: Some(arcstr::literal!("self")),
            ..LinkedSignature::default()
        };
        CallableSignature {
            signature: Some(Box::new(signature)),
            keywords,
            declared_by,
            ..CallableSignature::default()
        }
    }

    fn is_pydantic_model(&mut self, class: ClassId) -> bool {
        let mro = self.mro(class);
        let node = self.mro_table.get(mro);
        node.is_pydantic() || node.is_pydantic_source()
    }

    /// True for `class T(TypedDict, total=False)`.
    fn is_total_false(&self, class: ClassId) -> bool {
        let (file, _, body) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        // The facts do not record whether the boolean is `True` or `False`. `False` is assumed, because `True` is the
        // default and need not be written.
        body.keywords.iter().any(|(k, v)| facts.name(*k) == "total" && facts.expr(*v) == Expr::Bool)
    }

    /// The value of a boolean keyword argument of the class decorator: `@dataclass(key=True)`.
    pub(super) fn decorator_flag(&self, class: ClassId, key: &str) -> Option<bool> {
        let def = self.program.class_def(class);
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        for (decorator, text) in &self.program.def(def).decorators {
            let alias = self.program.decorator_aliases.get(file, text);
            let is_configurable = CONFIGURABLE_DECORATORS.contains(&self.program.decorator_aliases.name(file, text));
            if let Expr::Call(site) = facts.expr(*decorator)
                && is_configurable
                && let Some(value) = keyword_literal(&self.program, file, &facts.calls[site.index()], key)
            {
                return Some(value == "True");
            }
            if let Some((file, site)) = alias.and_then(|alias| alias.options)
                && let Some(value) =
                    keyword_literal(&self.program, file, &self.program.facts(file).calls[site.index()], key)
            {
                return Some(value == "True");
            }
        }
        None
    }
}

/// Reads the declaration of one field.
struct FieldReader<'p, 'f> {
    program: &'p Program<'f>,
    file: FileIndex,
    field: &'f Field,
}

impl<'f> FieldReader<'_, 'f> {
    /// True if the annotation's outermost name is `name`, with or without qualifiers and type arguments.
    fn annotation_is(&self, name: &str) -> bool {
        let Some((_, text)) = &self.field.annotation else { return false };
        let text = text.trim_matches(['"', '\'']);
        let head = text.split('[').next().unwrap_or(text).trim();
        head.rsplit('.').next() == Some(name)
    }

    /// True for an annotation that names `None` as one of the types, or any type.
    fn takes_none(&self) -> bool {
        let Some((_, text)) = &self.field.annotation else { return false };
        let mut types = text.split(['|', '[', ']', ',', '"', '\'']).map(str::trim);
        let is_union = text.contains('|') || self.annotation_is("Union");
        self.annotation_is("Optional") || self.annotation_is("Any") || (is_union && types.any(|ty| ty == "None"))
    }

    fn call(&self, expr: ExprId) -> Option<&'f CallExpr> {
        let facts = self.program.facts(self.file);
        match facts.expr(expr) {
            Expr::Call(site) => Some(&facts.calls[site.index()]),
            _ => None,
        }
    }

    /// Calls in the value and in `Annotated[…]` (PEP 593), such as `field(…)` and `Field(…)`.
    fn calls(&self) -> Vec<&'f CallExpr> {
        let facts = self.program.facts(self.file);
        let mut calls: Vec<&CallExpr> = self.field.value.iter().filter_map(|(value, _)| self.call(*value)).collect();
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

    /// The value of a boolean keyword argument of `field(…)`.
    fn boolean_keyword(&self, key: &str) -> Option<bool> {
        let site = self.field.value.as_ref().and_then(|(value, _)| self.call(*value))?;
        keyword_literal(self.program, self.file, site, key).map(|text| text == "True")
    }

    fn has_keyword(&self, key: &str) -> bool {
        self.calls().into_iter().any(|site| keyword_argument(self.program, self.file, site, key).is_some())
    }

    /// True if the value is a field specifier (PEP 681): `field(…)`, `Field(…)`, `attr.ib(…)`.
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

    /// The constructor parameter for the field; `None` if the constructor does not take the field.
    fn parameter(&self, style: ConstructorStyle, is_total: bool) -> Option<LinkedParameter> {
        let name = self.program.facts(self.file).name(self.field.name);
        let is_annotated = self.field.annotation.is_some();
        let by_value = style == ConstructorStyle::Attrs && self.is_specifier();
        if !is_annotated && !by_value {
            return None;
        }
        if self.annotation_is("ClassVar") || self.boolean_keyword("init") == Some(false) {
            return None;
        }
        if style.is_pydantic() && (name.starts_with('_') || name == "model_config") {
            return None;
        }
        let name = match style {
            ConstructorStyle::Attrs => {
                self.attrs_alias().unwrap_or_else(|| CompactString::new(name.trim_start_matches('_')))
            }
            _ => CompactString::new(name),
        };
        let (required, default) = self.required_and_default(style, is_total);
        let by_keyword = style.is_pydantic() || style == ConstructorStyle::TypedDict;
        Some(LinkedParameter {
            name,
            kind: if by_keyword { ParameterKind::KeywordOnly } else { ParameterKind::Standard },
            annotation: self.field.annotation.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty()),
            meaning: None,
            default,
            required,
            within: None,
            summary: None,
        })
    }

    fn attrs_alias(&self) -> Option<CompactString> {
        let site = self.field.value.as_ref().and_then(|(value, _)| self.call(*value))?;
        keyword_literal(self.program, self.file, site, "alias").map(unquoted)
    }

    /// Returns whether the field is required, and the text of its default.
    fn required_and_default(&self, style: ConstructorStyle, is_total: bool) -> (bool, Option<ArcStr>) {
        let facts = self.program.facts(self.file);
        let ellipsis = || Some(arcstr::literal!("..."));
        let literal = |argument: &Arg| facts.literal(argument).cloned().or_else(ellipsis);
        if style == ConstructorStyle::TypedDict {
            let required = (is_total || self.annotation_is("Required")) && !self.annotation_is("NotRequired");
            return (required, if required { None } else { ellipsis() });
        }
        let factories = ["default_factory", "factory"];
        if factories.iter().any(|key| self.has_keyword(key)) {
            return (false, ellipsis());
        }
        for site in self.calls() {
            if let Some(default) = keyword_argument(self.program, self.file, site, "default") {
                let required = facts.expr(default.value) == Expr::Ellipsis;
                return (required, literal(default).filter(|_| !required));
            }
        }
        match &self.field.value {
            None if style == ConstructorStyle::EarlyPydantic && self.takes_none() => {
                (false, Some(arcstr::literal!("None")))
            }
            None => (true, None),
            Some((value, _)) if facts.expr(*value) == Expr::Ellipsis => (true, None),
            Some((value, _)) if self.is_specifier() => {
                // The first positional argument of pydantic's `Field(…)` is the default.
                let first = self.call(*value).and_then(|site| site.arguments.first()).filter(|a| a.keyword.is_none());
                match first {
                    Some(first) if style.is_pydantic() && facts.expr(first.value) != Expr::Ellipsis => {
                        (false, literal(first))
                    }
                    _ => (true, None),
                }
            }
            Some((_, text)) => (false, Some(text.clone()).filter(|t| !t.is_empty()).or_else(ellipsis)),
        }
    }

    /// The aliases of a pydantic field, which the constructor accepts as keywords in place of the field's name.
    fn aliases(&self, style: ConstructorStyle) -> Vec<CompactString> {
        if !style.is_pydantic() {
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

fn keyword_argument<'f>(program: &Program<'f>, file: FileIndex, site: &'f CallExpr, key: &str) -> Option<&'f Arg> {
    let facts = program.facts(file);
    site.arguments.iter().find(|a| a.keyword.is_some_and(|k| facts.name(k) == key))
}

fn keyword_literal<'f>(program: &Program<'f>, file: FileIndex, site: &'f CallExpr, key: &str) -> Option<&'f str> {
    program.facts(file).literal(keyword_argument(program, file, site, key)?).map(ArcStr::as_str)
}

fn unquoted(literal: &str) -> CompactString {
    CompactString::new(literal.trim_matches(['"', '\'']))
}
