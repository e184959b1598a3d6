//! Types that JSDoc comments define by several tags: `@typedef` with `@property`, `@callback` with `@param`, and
//! parameters with properties, `@param {T} options.name`.

use smallvec::SmallVec;
use thin_vec::ThinVec;
use tree_sitter::Node;

use super::{
    comment_types::{TagKind, TypeTag},
    context::{DocRange, ExportModifier, InferredName},
    documented_types::{Annotation, DocumentedParameter},
    facts::{
        Decl, DefBody, Function, FunctionKind, Member, MemberKind, NameId, Param, ScopeId, ScopeKind, TypeAlias,
        TypeNode, TypeParam, TypeParamId,
    },
    lower::Lowering,
    objects::plain_property,
    parameters::blank_parameter,
    text,
};

/// A property that a tag describes.
#[derive(Clone, Debug)]
pub(super) struct DocumentedProperty<'t> {
    name: NameId,
    ty: Option<Node<'t>>,
    is_optional: bool,
    line: u32,
}

/// A tag with the node of its type.
type TagWithType<'t> = (TypeTag, Option<Node<'t>>);

impl<'s> Lowering<'s> {
    /// The parameters that tags describe.
    pub(super) fn parameters_of_tags(&mut self, tags: &[TagWithType<'s>]) -> Vec<DocumentedParameter<'s>> {
        let mut parameters: Vec<DocumentedParameter<'s>> = Vec::new();
        for (tag, ty) in tags.iter().filter(|(tag, _)| tag.kind == TagKind::Parameter) {
            let (is_optional, line) = (tag.is_optional, tag.line);
            let name = &self.source[tag.name.clone()];
            let (name, property) = name.split_once('.').map_or((name, None), |(name, rest)| (name, Some(rest)));
            let name = name.strip_suffix("[]").unwrap_or(name);
            if name.is_empty() || property.is_some_and(|property| property.contains('.')) {
                continue;
            }
            let name = self.intern(name);
            let Some(property) = property else {
                parameters.push(DocumentedParameter { name, ty: *ty, is_optional, line, properties: Vec::new() });
                continue;
            };
            let property = DocumentedProperty { name: self.intern(property), ty: *ty, is_optional, line };
            // The properties of a parameter follow it.
            if let Some(parameter) = parameters.last_mut().filter(|parameter| parameter.name == name) {
                parameter.properties.push(property);
            }
        }
        parameters
    }

    /// The type of a parameter or alias that tags describe: `ty`, or the object type with `properties` if `ty` is only
    /// `object` or an array of it.
    pub(super) fn type_of_documented(
        &mut self,
        ty: Option<Node<'s>>,
        properties: &[DocumentedProperty<'s>],
        line: u32,
    ) -> Option<Annotation> {
        let written = ty.map(|ty| &self.comment_types.text[ty.byte_range()]);
        let is_array = matches!(written, Some("object[]" | "Object[]" | "Array<object>" | "Array<Object>"));
        let is_object = is_array || matches!(written, None | Some("object" | "Object"));
        if properties.is_empty() || !is_object {
            return ty.map(|ty| self.type_in_comment(ty));
        }
        let (object, text) = self.documented_object(properties, line);
        Some(if is_array {
            (self.add_type(TypeNode::Array(object)), self.texts.keep(&format!("({text})[]")))
        } else {
            (object, text)
        })
    }

    fn documented_object(&mut self, properties: &[DocumentedProperty<'s>], line: u32) -> Annotation {
        let end_line = properties.last().map_or(line, |property| property.line);
        let def = self.add_def_at(line, end_line, InferredName::named(None), DefBody::TypeLiteral(ThinVec::new()));
        let mut texts = Vec::with_capacity(properties.len());
        let members = self.in_definition(def, |this| {
            let member = |property: &DocumentedProperty<'s>| {
                let annotation = property.ty.map(|ty| this.type_in_comment(ty));
                texts.push(this.declaration_text(property.name, property.is_optional, annotation.as_ref()));
                Member {
                    is_optional: property.is_optional,
                    kind: MemberKind::Property { annotation, value: None, parameter: None },
                    ..plain_property(Some(property.name), property.line, None)
                }
            };
            properties.iter().map(member).collect()
        });
        self.facts.definitions[def.index()].body = DefBody::TypeLiteral(members);
        let ty = self.add_type(TypeNode::Literal(def));
        (ty, self.texts.keep(&text::annotation(&format!("{{ {} }}", texts.join("; ")))))
    }

    /// `name?: T`
    fn declaration_text(&self, name: NameId, is_optional: bool, annotation: Option<&Annotation>) -> String {
        let ty = annotation.map_or("any", |(_, text)| text.as_str());
        let mark = if is_optional { "?" } else { "" };
        format!("{}{mark}: {}", self.facts.name(name), if ty.is_empty() { "any" } else { ty })
    }

    /// Declares the type parameters that a comment gives a function or class in the current scope: `@template T`.
    pub(super) fn documented_type_params(&mut self, doc: Option<DocRange>) -> SmallVec<[TypeParamId; 1]> {
        let Some(doc) = doc.filter(|_| !self.comment_types.is_empty()) else { return SmallVec::new() };
        let tags: Vec<_> = self.comment_types.of_comment(doc).collect();
        self.type_params_of_tags(&tags)
    }

    fn type_params_of_tags(&mut self, tags: &[TagWithType<'s>]) -> SmallVec<[TypeParamId; 1]> {
        let mut params = SmallVec::new();
        for (tag, constraint) in tags.iter().filter(|(tag, _)| tag.kind == TagKind::Template) {
            let constraint = constraint.map(|constraint| self.type_in_comment(constraint));
            let names = &self.source[tag.name.clone()];
            for name in names.split(',').map(str::trim).filter(|name| !name.is_empty() && !name.contains('.')) {
                let text = match &constraint {
                    Some((_, text)) if !text.is_empty() => self.texts.keep(&format!("{name} extends {text}")),
                    _ => self.texts.keep(name),
                };
                let constraint = constraint.as_ref().map(|(ty, _)| *ty);
                let param = TypeParam { name: self.intern(name), constraint, default: None, text };
                params.push(self.type_parameter(self.frame.scope, param));
            }
        }
        params
    }

    /// Declares the aliases that comments define: `@typedef {T} Name`, `@typedef Name` with `@property`, and `@callback
    /// Name`. They are exported, as TypeScript has it. A name that the file declares otherwise stays what it is.
    pub(super) fn declare_documented_aliases(&mut self) {
        let tags: Vec<TagWithType<'s>> = self.comment_types.all().collect();
        let is_alias = |tag: &TypeTag| matches!(tag.kind, TagKind::Alias | TagKind::Callback);
        // The tags of an alias are those after it, and those before it that belong to no other alias.
        let mut first = 0;
        for (at, (tag, ty)) in tags.iter().enumerate() {
            if tags[first].0.comment != tag.comment {
                first = at;
            }
            if !is_alias(tag) {
                continue;
            }
            let ends = |(other, _): &TagWithType<'s>| other.comment != tag.comment || is_alias(other);
            let end = tags[at + 1..].iter().position(ends).map_or(tags.len(), |length| at + 1 + length);
            self.declare_documented_alias(tag, *ty, &tags[first..end]);
            first = end.min(tags.len() - 1);
        }
    }

    fn declare_documented_alias(&mut self, tag: &TypeTag, ty: Option<Node<'s>>, tags: &[TagWithType<'s>]) {
        let name = &self.source[tag.name.clone()];
        let is_described = tags.iter().any(|(tag, _)| tag.kind == TagKind::Property) || tag.kind == TagKind::Callback;
        if name.is_empty() || name.contains('.') || ty.is_none() && !is_described {
            return;
        }
        let name = self.intern(name);
        let scope = ScopeId::new(0);
        let is_variable = match self.symbols.get(&(scope, name)) {
            None => false,
            Some(symbol) => {
                let decls = &self.facts.symbol(*symbol).decls;
                if !decls.iter().all(|decl| matches!(decl, Decl::Variable(_))) {
                    return;
                }
                true
            }
        };
        let end_line = tags.last().map_or(tag.line, |(last, _)| last.line);
        let def = self.add_def_at(tag.line, end_line, InferredName::named(Some(name)), DefBody::Namespace);
        let alias = self.in_definition(def, |this| {
            this.in_new_scope(ScopeKind::Type, |this| {
                this.facts.definitions[def.index()].scope = this.frame.scope;
                let type_params = this.type_params_of_tags(tags);
                let described = if tag.kind == TagKind::Callback {
                    Some(this.documented_callback(tag.line, tags))
                } else {
                    let properties = this.properties_of_tags(tags);
                    this.type_of_documented(ty, &properties, tag.line)
                };
                described.map(|(ty, text)| TypeAlias { type_params, ty, text })
            })
        });
        let Some(alias) = alias else { return };
        self.facts.definitions[def.index()].body = DefBody::TypeAlias(Box::new(alias));
        self.declare_def(name, def, if is_variable { ExportModifier::No } else { ExportModifier::Named });
    }

    fn properties_of_tags(&mut self, tags: &[TagWithType<'s>]) -> Vec<DocumentedProperty<'s>> {
        let mut properties = Vec::new();
        for (tag, ty) in tags.iter().filter(|(tag, _)| tag.kind == TagKind::Property) {
            let name = &self.source[tag.name.clone()];
            if !name.is_empty() && !name.contains('.') {
                let name = self.intern(name);
                properties.push(DocumentedProperty { name, ty: *ty, is_optional: tag.is_optional, line: tag.line });
            }
        }
        properties
    }

    /// The function type that the tags after `@callback` describe.
    fn documented_callback(&mut self, line: u32, tags: &[TagWithType<'s>]) -> Annotation {
        let end_line = tags.last().map_or(line, |(last, _)| last.line);
        let def = self.add_def_at(line, end_line, InferredName::named(None), DefBody::Namespace);
        let parameters = self.parameters_of_tags(tags);
        let returned = tags.iter().find(|(tag, _)| tag.kind == TagKind::Returns).and_then(|(_, ty)| *ty);
        let mut texts = Vec::with_capacity(parameters.len());
        let (params, returns) = self.in_definition(def, |this| {
            let scope = this.add_scope(ScopeKind::Function);
            this.facts.definitions[def.index()].scope = scope;
            let param = |parameter: &DocumentedParameter<'s>| {
                let annotation = this.type_of_documented(parameter.ty, &parameter.properties, parameter.line);
                texts.push(this.declaration_text(parameter.name, parameter.is_optional, annotation.as_ref()));
                let (name, is_optional) = (Some(parameter.name), parameter.is_optional);
                Param { name, is_optional, annotation, ..blank_parameter(parameter.line) }
            };
            let params: ThinVec<Param> = parameters.iter().map(param).collect();
            (params, returned.map(|returned| this.type_in_comment(returned)))
        });
        let result = returns.as_ref().map_or("any", |(_, text)| text.as_str());
        let text = self.texts.keep(&text::annotation(&format!("({}) => {result}", texts.join(", "))));
        let function = Function {
            kind: FunctionKind::Type,
            type_params: SmallVec::new(),
            params,
            this_type: None,
            returns,
            return_values: ThinVec::new(),
            yields: ThinVec::new(),
            is_async: false,
            is_generator: false,
            has_body: false,
            falls_through: false,
            tested: None,
            class: None,
            has_prototype: false,
        };
        self.facts.definitions[def.index()].body = DefBody::Function(Box::new(function));
        (self.add_type(TypeNode::Function(def)), text)
    }
}
