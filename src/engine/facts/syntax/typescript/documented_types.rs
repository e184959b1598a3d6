//! Annotations that JavaScript gives in JSDoc comments.
//!
//! A type name that the sources do not declare carries no information, except generic types of the platform such as
//! `Map<K, V>`: the parameter then counts as one without annotation, so that its type may be inferred.

use arcstr::ArcStr;
use memchr::memmem;
use tree_sitter::Node;

use super::{
    comment_types::TagKind,
    context::DocRange,
    documented_shapes::DocumentedProperty,
    facts::{DefBody, DefId, Keyword, Member, MemberKind, NameId, Param, TypeId, TypeNode, VariableId},
    lower::Lowering,
    text,
};
use apidisc_base::nesting;

/// A type with its text.
pub(super) type Annotation = (TypeId, ArcStr);

/// A parameter that a comment describes.
#[derive(Clone, Debug)]
pub(super) struct DocumentedParameter<'t> {
    pub(super) name: NameId,
    pub(super) ty: Option<Node<'t>>,
    pub(super) is_optional: bool,
    pub(super) line: u32,
    /// The properties of the parameter, or of its elements: `options.name`, `items[].name`.
    pub(super) properties: Vec<DocumentedProperty<'t>>,
}

/// The declaration that has an annotation from a comment.
#[derive(Clone, Copy, Debug)]
pub(super) enum Documented {
    Parameter(DefId, u16),
    Returns(DefId),
    Variable(VariableId),
    /// The fields of a class.
    Fields(DefId),
}

/// The greatest length of a comment that casts a value, in bytes.
const MAX_CAST: usize = 4_096;

/// The generic types of the platform that a type may name without being declared in the sources.
const PLATFORM: [&str; 20] = [
    "Array",
    "AsyncIterable",
    "Awaited",
    "Generator",
    "InstanceType",
    "Iterable",
    "Map",
    "NonNullable",
    "Omit",
    "Parameters",
    "Partial",
    "Pick",
    "Promise",
    "Readonly",
    "ReadonlyArray",
    "Record",
    "Required",
    "ReturnType",
    "Set",
    "WeakMap",
];

impl<'s> Lowering<'s> {
    /// The parameters that a comment describes.
    pub(super) fn documented_parameters(&mut self, doc: Option<DocRange>) -> Vec<DocumentedParameter<'s>> {
        let Some(doc) = doc.filter(|_| !self.comment_types.is_empty()) else { return Vec::new() };
        let tags: Vec<_> = self.comment_types.of_comment(doc).collect();
        self.parameters_of_tags(&tags)
    }

    /// The annotation that the comment of the current function gives its parameter at position `at`, and whether the
    /// parameter is optional. A destructured parameter has no name, so its position counts, unless the comment
    /// describes one of the destructured properties there.
    pub(super) fn documented_parameter(&mut self, at: u16, param: &Param) -> Option<(Annotation, bool)> {
        let parameters = &self.frame.documented;
        let is_property = |name: NameId| param.properties.iter().any(|(property, _)| *property == name);
        let found = match param.name {
            Some(name) => parameters.iter().find(|parameter| parameter.name == name)?,
            None => parameters.get(usize::from(at)).filter(|parameter| !is_property(parameter.name))?,
        };
        let found = found.clone();
        let annotation = self.type_of_documented(found.ty, &found.properties, found.line)?;
        Some((annotation, found.is_optional))
    }

    /// The annotation that the tag of this kind in a comment gives.
    pub(super) fn documented_type(&mut self, doc: Option<DocRange>, kind: TagKind) -> Option<Annotation> {
        let doc = doc.filter(|_| !self.comment_types.is_empty())?;
        let (_, ty) = self.comment_types.of_comment(doc).find(|(tag, _)| tag.kind == kind)?;
        Some(self.type_in_comment(ty?))
    }

    /// The type of a cast, `/** @type {T} */ (x)`, whose parenthesis is `node`.
    pub(super) fn documented_cast(&mut self, node: Node) -> Option<TypeId> {
        if self.comment_types.is_empty() {
            return None;
        }
        let before = self.source[..node.start_byte()].trim_end();
        let inside = before.strip_suffix("*/")?.as_bytes();
        // The comment begins at the last `/*`. The search is bounded, because a regular expression may end like a
        // comment.
        let from = inside.len().saturating_sub(MAX_CAST);
        let start = from + memmem::rfind(&inside[from..], b"/*")?;
        if !inside[start..].starts_with(b"/**") {
            return None;
        }
        let doc = (start as u32, before.len() as u32);
        self.documented_type(Some(doc), TagKind::Type).map(|(ty, _)| ty)
    }

    pub(super) fn type_in_comment(&mut self, node: Node<'s>) -> Annotation {
        let source = std::mem::replace(&mut self.source, self.comment_types.text);
        let annotation = (self.ty(&mut node.walk()), self.texts.keep(&text::annotation(self.text(node))));
        self.source = source;
        annotation
    }

    /// Declares the names that comments import: `@import { T } from "module"`. Such an import makes no module of a
    /// file.
    pub(super) fn declare_documented_imports(&mut self) {
        let imports: Vec<_> = self.comment_types.all().filter(|(tag, _)| tag.kind == TagKind::Import).collect();
        let is_module = self.facts.is_module;
        for node in imports.into_iter().filter_map(|(_, node)| node) {
            let source = std::mem::replace(&mut self.source, self.comment_types.text);
            self.import_statement(&mut node.walk());
            self.source = source;
        }
        self.facts.is_module = is_module;
    }

    /// Removes the annotations from comments whose types are not informative. All names have to be resolved before.
    pub(super) fn drop_unknown_annotations(&mut self) {
        for documented in std::mem::take(&mut self.pending.documented) {
            let annotation = match documented {
                Documented::Fields(class) => {
                    self.drop_unknown_fields(class);
                    continue;
                }
                Documented::Parameter(def, at) => {
                    let function = self.facts.definitions[def.index()].function();
                    let parameter = function.and_then(|function| function.params.get(usize::from(at)));
                    parameter.and_then(|parameter| parameter.annotation.as_ref()).map(|(ty, _)| *ty)
                }
                Documented::Returns(def) => {
                    let function = self.facts.definitions[def.index()].function();
                    function.and_then(|function| function.returns.as_ref()).map(|(ty, _)| *ty)
                }
                Documented::Variable(variable) => self.facts.variables[variable.index()].annotation,
            };
            let Some(ty) = annotation else { continue };
            if self.is_informative(ty) {
                if let Documented::Returns(def) = documented {
                    let ty = self.without_primitives(ty);
                    if let DefBody::Function(function) = &mut self.facts.definitions[def.index()].body
                        && let Some((returned, _)) = &mut function.returns
                    {
                        *returned = ty;
                    }
                }
                continue;
            }
            match documented {
                Documented::Fields(_) => {}
                Documented::Variable(variable) => self.facts.variables[variable.index()].annotation = None,
                Documented::Parameter(def, at) => {
                    if let DefBody::Function(function) = &mut self.facts.definitions[def.index()].body {
                        function.params[usize::from(at)].annotation = None;
                    }
                }
                Documented::Returns(def) => {
                    if let DefBody::Function(function) = &mut self.facts.definitions[def.index()].body {
                        function.returns = None;
                    }
                }
            }
        }
    }

    fn drop_unknown_fields(&mut self, class: DefId) {
        let annotation = |member: &Member| match &member.kind {
            MemberKind::Property { annotation: Some((ty, _)), .. } => Some(*ty),
            _ => None,
        };
        let members = self.facts.def(class).members();
        let unknown: Vec<usize> = (0..members.len())
            .filter(|at| annotation(&members[*at]).is_some_and(|ty| !self.is_informative(ty)))
            .collect();
        if let DefBody::Class(class) = &mut self.facts.definitions[class.index()].body {
            for at in unknown {
                if let MemberKind::Property { annotation, .. } = &mut class.members[at].kind {
                    *annotation = None;
                }
            }
        }
    }

    /// A union without its primitive types, if it has others. A method that sets or gets a value, by its arguments,
    /// returns `this` or that value: `@returns {string | Command}`. Only one of them has methods of the sources.
    fn without_primitives(&mut self, ty: TypeId) -> TypeId {
        let TypeNode::Union(list) = *self.facts.ty(ty) else { return ty };
        let parts = self.facts.type_list(list).to_vec();
        let is_other = |part: &TypeId| !matches!(self.facts.ty(*part), TypeNode::Keyword(_));
        let others: Vec<TypeId> = parts.iter().copied().filter(is_other).collect();
        match others[..] {
            [] => ty,
            [one] => one,
            _ if others.len() == parts.len() => ty,
            _ => {
                let list = self.add_type_list(&others);
                self.add_type(TypeNode::Union(list))
            }
        }
    }

    /// True if a type is known and more specific than `any`, `unknown` or `object`.
    fn is_informative(&self, ty: TypeId) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        match self.facts.ty(ty) {
            TypeNode::Unknown | TypeNode::Keyword(Keyword::Any | Keyword::Unknown | Keyword::Object) => false,
            TypeNode::Ref { symbol: Some(_), .. } => true,
            TypeNode::Ref { symbol: None, path, args, .. } => {
                let is_platform = matches!(path[..], [name] if PLATFORM.contains(&self.facts.name(name)));
                is_platform && !self.facts.type_list(*args).is_empty()
            }
            TypeNode::Array(item) => self.is_informative(*item),
            TypeNode::Union(list) | TypeNode::Intersection(list) => {
                self.facts.type_list(*list).iter().all(|ty| self.is_informative(*ty))
            }
            _ => true,
        }
    }
}
