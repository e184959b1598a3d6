//! Types that compute types: mapped, conditional, template literal and `infer` types, type predicates, `typeof` and
//! `import(…)`.

use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{Keyword, NameId, OptionalityModifier, ScopeKind, TypeId, TypeList, TypeNode, TypeParam},
    grammar::{NodeKind, SyntaxKind},
    lower::Lowering,
    text,
    types::DottedName,
};

impl Lowering<'_> {
    /// The `[K in C]` clause, if an object type is a mapped type.
    pub(super) fn mapped_clause<'t>(&self, object: Node<'t>) -> Option<Node<'t>> {
        let mut walk = object.walk();
        let only = object.named_children(&mut walk).find(|part| self.kind(*part) != SyntaxKind::Comment)?;
        if !self.is_node(only, NodeKind::IndexSignature) {
            return None;
        }
        let mut walk = only.walk();
        only.named_children(&mut walk).find(|part| self.is_node(*part, NodeKind::MappedTypeClause))
    }

    pub(super) fn mapped_type(&mut self, cursor: &mut TreeCursor) -> Option<TypeNode> {
        let fields = &self.grammar.fields;
        let (mut key, mut renamed, mut value, mut optional) = (None, None, None, OptionalityModifier::Kept);
        self.fields(cursor, |this, cursor, kind, field| {
            if kind == NodeKind::MappedTypeClause {
                let source = this.texts.keep(&text::annotation(this.text(cursor.node())));
                let (mut name, mut constraint) = (None, None);
                this.fields(cursor, |this, cursor, _, field| {
                    if field == fields.name {
                        name = Some(this.name_of(cursor.node()));
                    } else if field == fields.ty {
                        constraint = Some(this.ty(cursor));
                        let param =
                            name.map(|name| TypeParam { name, constraint, default: None, text: source.clone() });
                        key = param.map(|param| this.type_parameter(this.frame.scope, param));
                    } else if field == fields.alias {
                        renamed = Some(this.ty(cursor));
                    }
                });
            } else if field == fields.ty {
                optional = match kind {
                    NodeKind::OptingTypeAnnotation | NodeKind::AddingTypeAnnotation => OptionalityModifier::Added,
                    NodeKind::OmittingTypeAnnotation => OptionalityModifier::Removed,
                    _ => OptionalityModifier::Kept,
                };
                value = Some(this.annotation(cursor).0);
            }
        });
        Some(TypeNode::Mapped { key: key?, renamed, value, optional, scope: self.frame.scope })
    }

    pub(super) fn conditional_type(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let (scope, parts) = self.in_new_scope(ScopeKind::Type, |this| {
            let scope = this.frame.scope;
            let outer = std::mem::replace(&mut this.infer_scope, scope);
            let parts = this.child_types(cursor);
            this.infer_scope = outer;
            (scope, parts)
        });
        match parts[..] {
            [check, extends, positive, negative] => TypeNode::Conditional { check, extends, positive, negative, scope },
            _ => TypeNode::Unknown,
        }
    }

    /// Lowers `infer T` or `infer T extends C`.
    pub(super) fn infer_type(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let source =
            self.texts.keep(&text::annotation(self.text(cursor.node()).trim_start_matches("infer").trim_start()));
        let (mut name, mut constraint) = (None, None);
        self.named_children(cursor, |this, cursor, _| {
            if name.is_none() {
                name = Some(this.name_of(cursor.node()));
            } else {
                constraint = Some(this.ty(cursor));
            }
        });
        match name {
            Some(name) => {
                let param = TypeParam { name, constraint, default: None, text: source };
                TypeNode::Infer(self.type_parameter(self.infer_scope, param))
            }
            None => TypeNode::Unknown,
        }
    }

    /// Lowers `` `get${K}` ``.
    pub(super) fn template_type(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let (source, template) = (self.source, cursor.node());
        let mut parts: SmallVec<[TypeId; 4]> = SmallVec::new();
        // Behind the opening quote.
        let mut at = template.start_byte() + 1;
        self.named_children(cursor, |this, cursor, kind| {
            if kind == NodeKind::TemplateType {
                let range = cursor.node().byte_range();
                this.add_template_text(source.get(at..range.start), &mut parts);
                parts.push(this.inner_type(cursor));
                at = range.end;
            }
        });
        self.add_template_text(source.get(at..template.end_byte().saturating_sub(1)), &mut parts);
        TypeNode::Template(self.add_type_list(&parts))
    }

    fn add_template_text(&mut self, text: Option<&str>, parts: &mut SmallVec<[TypeId; 4]>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            let name = self.intern(text);
            parts.push(self.add_type(TypeNode::String(name)));
        }
    }

    /// Lowers the type predicate `x is T`, `asserts x is T` or `asserts x`.
    pub(super) fn predicate_type(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> TypeNode {
        let fields = &self.grammar.fields;
        let asserts = kind == NodeKind::Asserts;
        let (mut param, mut ty) = (None, None);
        self.fields(cursor, |this, cursor, kind, field| match kind {
            NodeKind::TypePredicate => {
                if let TypeNode::Predicate { param: inner, ty: of, .. } = this.predicate_type(cursor, kind) {
                    (param, ty) = (inner, of);
                }
            }
            NodeKind::This => {}
            _ if field == fields.ty => ty = Some(this.ty(cursor)),
            _ => param = Some(this.name_of(cursor.node())),
        });
        TypeNode::Predicate { param, ty, asserts }
    }

    /// Lowers `typeof x.y` or `typeof import("m")`.
    pub(super) fn type_query(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let ty = self.first_named_child(cursor, |this, cursor, kind| {
            if this.begins_with_import(cursor.node()) {
                return this.import_type(cursor, true);
            }
            if kind == NodeKind::CallExpression {
                TypeNode::Unknown
            } else if this.text(cursor.node()) == "undefined" {
                TypeNode::Keyword(Keyword::Undefined)
            } else {
                // A type query evaluates nothing, so it reads no property.
                let reads = this.facts.reads.len();
                let value = this.expr(cursor);
                this.facts.reads.truncate(reads);
                TypeNode::TypeOf(value)
            }
        });
        ty.unwrap_or(TypeNode::Unknown)
    }

    /// True for `import("m")` and for member accesses that begin with `import("m")`.
    pub(super) fn begins_with_import(&self, node: Node) -> bool {
        let mut at = Some(node);
        while let Some(node) = at {
            if self.is_node(node, NodeKind::Import) || text::imported_module(self.text(node)).is_some() {
                return true;
            }
            at = node.child(0);
        }
        false
    }

    /// Lowers `import("m").A.B`.
    pub(super) fn import_type(&mut self, cursor: &mut TreeCursor, is_value: bool) -> TypeNode {
        let mut path = DottedName::new();
        let mut args = TypeList::default();
        match self.import_type_specifier(cursor, &mut path, &mut args) {
            Some(specifier) => TypeNode::Import { specifier, path, args, is_value },
            None => TypeNode::Unknown,
        }
    }

    /// The module of an import type. Adds the names and type arguments after the module to `path` and `args`.
    fn import_type_specifier(
        &mut self,
        cursor: &mut TreeCursor,
        path: &mut DottedName,
        args: &mut TypeList,
    ) -> Option<NameId> {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        if self.is_node(node, NodeKind::Identifier) || self.is_node(node, NodeKind::TypeIdentifier) {
            return text::imported_module(self.text(node)).map(|module| self.intern(module));
        }
        let mut specifier = None;
        self.descend(node, |this| {
            this.fields(cursor, |this, cursor, kind, field| match kind {
                NodeKind::MemberExpression
                | NodeKind::CallExpression
                | NodeKind::Identifier
                | NodeKind::NestedTypeIdentifier
                | NodeKind::NestedIdentifier => {
                    specifier = this.import_type_specifier(cursor, path, args);
                }
                NodeKind::PropertyIdentifier | NodeKind::TypeIdentifier => path.push(this.name_of(cursor.node())),
                NodeKind::Arguments if field == fields.arguments => {
                    let module = this.first_named_child(cursor, |this, cursor, kind| {
                        (kind == NodeKind::String).then(|| this.intern(text::unquoted(this.text(cursor.node()))))
                    });
                    specifier = module.flatten();
                }
                NodeKind::TypeArguments => {
                    let types = this.type_arguments(cursor);
                    *args = this.add_type_list(&types);
                }
                _ => {}
            });
        });
        specifier
    }
}
