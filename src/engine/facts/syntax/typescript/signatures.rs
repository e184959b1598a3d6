//! Interfaces, type aliases, type literals, their members, type parameters and annotations.

use arcstr::ArcStr;
use smallvec::SmallVec;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    context::{DocRange, ExportModifier, InferredName},
    facts::{
        Decl, DefBody, DefId, FunctionKind, Interface, Member, MemberKind, MentionPlace, NameId, ScopeId, ScopeKind,
        TypeAlias, TypeId, TypeNode, TypeParam, TypeParamId,
    },
    functions::FunctionHeader,
    grammar::{NodeKind, SyntaxKind},
    lower::Lowering,
    objects::{PropertyName, plain_property},
    text,
};
use crate::syntax::tree::line_of;

impl Lowering<'_> {
    pub(super) fn interface(&mut self, cursor: &mut TreeCursor, exporting: ExportModifier, doc: Option<DocRange>) {
        let fields = &self.grammar.fields;
        let Some((name, def)) = self.add_type_definition(cursor.node(), DefBody::Interface(Box::default()), doc) else {
            return;
        };
        self.declare_def(name, def, exporting);
        let mut interface = Interface::default();
        let this_type = self.this_type.replace(def);
        self.in_type_definition(cursor.node(), def, |this| {
            this.fields(cursor, |this, cursor, kind, field| {
                if field == fields.type_parameters {
                    interface.type_params = this.type_parameters(cursor);
                } else if kind == NodeKind::ExtendsTypeClause {
                    this.named_children(cursor, |this, cursor, _| {
                        let source = this.texts.keep(&text::annotation(this.text(cursor.node())));
                        let base = this.at_place(Some(MentionPlace::Base), |this| this.ty(cursor));
                        interface.extends.push((base, source));
                    });
                } else if field == fields.body {
                    interface.members = this.type_members(cursor);
                }
            });
        });
        self.this_type = this_type;
        self.facts.definitions[def.index()].body = DefBody::Interface(Box::new(interface));
    }

    pub(super) fn type_alias(&mut self, cursor: &mut TreeCursor, exporting: ExportModifier, doc: Option<DocRange>) {
        let fields = &self.grammar.fields;
        let Some((name, def)) = self.add_type_definition(cursor.node(), DefBody::Namespace, doc) else { return };
        self.declare_def(name, def, exporting);
        let mut type_params = SmallVec::new();
        let mut value = (self.add_type(TypeNode::Unknown), ArcStr::new());
        self.in_type_definition(cursor.node(), def, |this| {
            this.fields(cursor, |this, cursor, _, field| {
                if field == fields.type_parameters {
                    type_params = this.type_parameters(cursor);
                } else if field == fields.value {
                    value = this.annotation(cursor);
                }
            });
        });
        let (ty, text) = value;
        let alias = TypeAlias { type_params, ty, text };
        self.facts.definitions[def.index()].body = DefBody::TypeAlias(Box::new(alias));
    }

    fn add_type_definition(&mut self, node: Node, body: DefBody, doc: Option<DocRange>) -> Option<(NameId, DefId)> {
        let name_node = node.child_by_field_id(self.grammar.fields.name)?;
        let name = self.name_of(name_node);
        let def = self.add_def(node, InferredName { name: Some(name), doc, is_member: false }, body);
        self.facts.definitions[def.index()].line = line_of(name_node);
        Some((name, def))
    }

    /// Runs `f` in the definition of a type. A type with type parameters has a scope of its own.
    fn in_type_definition(&mut self, node: Node, def: DefId, f: impl FnOnce(&mut Self)) {
        let signature = self.signature.take();
        self.in_definition(def, |this| {
            if node.child_by_field_id(this.grammar.fields.type_parameters).is_some() {
                this.in_new_scope(ScopeKind::Type, |this| {
                    this.facts.definitions[def.index()].scope = this.frame.scope;
                    f(this);
                });
            } else {
                f(this);
            }
        });
        self.signature = signature;
    }

    /// Lowers `{ … }` as a type.
    pub(super) fn type_literal(&mut self, cursor: &mut TreeCursor) -> DefId {
        let inferred = InferredName::named(self.signature);
        let def = self.add_def(cursor.node(), inferred, DefBody::TypeLiteral(ThinVec::new()));
        let signature = self.signature.take();
        let members = self.in_definition(def, |this| this.type_members(cursor));
        self.signature = signature;
        self.facts.definitions[def.index()].body = DefBody::TypeLiteral(members);
        def
    }

    fn type_members(&mut self, cursor: &mut TreeCursor) -> ThinVec<Member> {
        let mut members = ThinVec::new();
        self.documented_children(cursor, |this, cursor, kind| {
            if let SyntaxKind::Node(kind) = kind {
                members.extend(this.type_member(cursor, kind));
            }
        });
        members
    }

    fn type_member(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> Option<Member> {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let doc = self.doc.take();
        let header = |kind| FunctionHeader { kind, doc, ..FunctionHeader::default() };
        let plain = match kind {
            NodeKind::PropertySignature => {
                let (mut name, mut line, mut annotation) = (PropertyName::default(), line_of(node), None);
                self.fields(cursor, |this, cursor, _, field| {
                    if field == fields.name {
                        line = line_of(cursor.node());
                        name = this.maybe_computed_name(cursor);
                    } else if field == fields.ty {
                        annotation = Some(this.member_annotation(cursor, name.text, true));
                    }
                });
                let kind = MemberKind::Property { annotation, value: None, parameter: None };
                Member { kind, computed_name: name.computed, ..plain_property(name.text, line, None) }
            }
            NodeKind::MethodSignature => {
                let (def, name, line) = self.method(cursor, header(FunctionKind::Method));
                let (kind, computed_name) = (MemberKind::Function(def), name.computed);
                Member { computed_name, kind, ..plain_property(name.text, line, None) }
            }
            NodeKind::CallSignature => {
                let def = self.function(cursor, &header(FunctionKind::CallSignature));
                Member { kind: MemberKind::Function(def), ..plain_property(None, line_of(node), None) }
            }
            NodeKind::ConstructSignature => {
                let def = self.function(cursor, &header(FunctionKind::ConstructSignature));
                Member { kind: MemberKind::Function(def), ..plain_property(None, line_of(node), None) }
            }
            NodeKind::IndexSignature => self.index_signature(cursor)?,
            _ => return None,
        };
        Some(self.with_modifiers(node, plain, doc))
    }

    /// Lowers `[key: K]: V`.
    pub(super) fn index_signature(&mut self, cursor: &mut TreeCursor) -> Option<Member> {
        let fields = &self.grammar.fields;
        let line = line_of(cursor.node());
        let (mut key, mut value) = (None, None);
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.index_type {
                key = Some(this.ty(cursor));
            } else if field == fields.ty {
                value = Some(this.annotation(cursor).0);
            }
        });
        let kind = MemberKind::Index { key: key?, value: value? };
        Some(Member { kind, ..plain_property(None, line, None) })
    }

    /// Lowers the annotation of a member. Some definitions in the annotation take the name of the member:
    /// - in a property signature, the outermost definitions;
    /// - in a class field, only a function type that is the whole annotation.
    pub(super) fn member_annotation(
        &mut self,
        cursor: &mut TreeCursor,
        name: Option<NameId>,
        is_signature: bool,
    ) -> (TypeId, ArcStr) {
        let gives_name = is_signature || self.annotates_function(cursor.node());
        let outer = std::mem::replace(&mut self.signature, name.filter(|_| gives_name));
        let annotation = self.annotation(cursor);
        self.signature = outer;
        annotation
    }

    /// True if the whole annotation is a function type.
    fn annotates_function(&self, annotation: Node) -> bool {
        let mut node = annotation;
        while let SyntaxKind::Node(NodeKind::TypeAnnotation | NodeKind::ParenthesizedType) = self.kind(node) {
            match node.named_child(0) {
                Some(inner) => node = inner,
                None => return false,
            }
        }
        self.is_node(node, NodeKind::FunctionType)
    }

    /// Lowers the type parameters at the cursor and declares them in the current scope.
    pub(super) fn type_parameters(&mut self, cursor: &mut TreeCursor) -> SmallVec<[TypeParamId; 1]> {
        let fields = &self.grammar.fields;
        let mut params = SmallVec::new();
        self.named_children(cursor, |this, cursor, kind| {
            if kind == NodeKind::Error {
                this.rename_last_parameter(cursor.node(), &params);
            }
            if kind != NodeKind::TypeParameter {
                return;
            }
            let mut source = this.texts.keep(&text::annotation(this.text(cursor.node())));
            let (mut name, mut constraint, mut default) = (None, None, None);
            this.fields(cursor, |this, cursor, kind, field| {
                if field == fields.name && name.is_none() {
                    name = Some(this.name_of(cursor.node()));
                } else if kind == NodeKind::Error {
                    name = this.name_after_variance(cursor.node()).or(name);
                } else if field == fields.constraint {
                    constraint = Some(this.annotation(cursor).0);
                } else if field == fields.value {
                    default = Some(this.annotation(cursor).0);
                }
            });
            for variance in ["in ", "out "] {
                if let Some(rest) = source.strip_prefix(variance) {
                    source = this.texts.keep(rest);
                }
            }
            if let Some(name) = name {
                let param = TypeParam { name, constraint, default, text: source };
                params.push(this.type_parameter(this.frame.scope, param));
            }
        });
        params
    }

    /// The name of a type parameter after a variance annotation (`in`, `out`). The grammar does not know variance
    /// annotations, so the annotation or the name is in the ERROR node `error`. `None` if the name is not in `error`.
    fn name_after_variance(&mut self, error: Node) -> Option<NameId> {
        let word = self.text(error).split_whitespace().last()?;
        (!matches!(word, "in" | "out")).then(|| self.intern(word))
    }

    /// Corrects the name of the last type parameter if the grammar has parsed its variance annotation `in` as its name.
    fn rename_last_parameter(&mut self, error: Node, params: &[TypeParamId]) {
        let (Some(name), Some(&last)) = (self.name_after_variance(error), params.last()) else { return };
        let text = self.texts.keep(self.facts.name(name));
        let row = &mut self.facts.type_params[last.index()];
        (row.name, row.text) = (name, text);
        self.declare(self.frame.scope, name, Decl::TypeParam(last));
    }

    /// Adds a type parameter and declares it in `scope`.
    pub(super) fn type_parameter(&mut self, scope: ScopeId, param: TypeParam) -> TypeParamId {
        let id = TypeParamId::new(self.facts.type_params.len());
        let name = param.name;
        self.facts.type_params.push(param);
        self.declare(scope, name, Decl::TypeParam(id));
        id
    }

    /// Lowers the type in an annotation, constraint or default. Returns the type with its text.
    pub(super) fn annotation(&mut self, cursor: &mut TreeCursor) -> (TypeId, ArcStr) {
        let is_wrapper = matches!(
            self.kind(cursor.node()),
            SyntaxKind::Node(
                NodeKind::TypeAnnotation
                    | NodeKind::AssertsAnnotation
                    | NodeKind::TypePredicateAnnotation
                    | NodeKind::AddingTypeAnnotation
                    | NodeKind::OmittingTypeAnnotation
                    | NodeKind::OptingTypeAnnotation
                    | NodeKind::Constraint
                    | NodeKind::DefaultType
            )
        );
        if is_wrapper {
            let inner = self.first_named_child(cursor, |this, cursor, _| this.annotation(cursor));
            return inner.unwrap_or_else(|| (self.add_type(TypeNode::Unknown), ArcStr::new()));
        }
        let source = self.texts.keep(&text::annotation(self.text(cursor.node())));
        (self.ty(cursor), source)
    }
}
