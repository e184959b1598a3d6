//! Classes and their members.

use arcstr::ArcStr;
use rustc_hash::FxHashSet;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    Dialect,
    assignments::AssignedField,
    comment_types::TagKind,
    context::{DocRange, ExportModifier, InferredName},
    documented_types::Documented,
    facts::{
        Access, Class, Decl, DefBody, DefId, Expr, ExprId, ExpressionContext, FunctionKind, Member, MemberKind,
        MentionPlace, NameId, ScopeKind, TypeNode,
    },
    functions::FunctionHeader,
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::{Lowering, index_u16},
    objects::{PropertyName, plain_property},
    text,
};
use crate::syntax::tree::line_of;

impl Lowering<'_> {
    pub(super) fn class_declaration(
        &mut self,
        cursor: &mut TreeCursor,
        exporting: ExportModifier,
        doc: Option<DocRange>,
        decorators: &[Node],
    ) {
        let Some(name_node) = cursor.node().child_by_field_id(self.grammar.fields.name) else { return };
        let name = self.name_of(name_node);
        let inferred = InferredName { name: Some(name), doc, is_member: false };
        if let Some(def) = self.class(cursor, inferred, decorators, line_of(name_node), None) {
            self.declare_def(name, def, exporting);
        }
    }

    pub(super) fn class_expression(&mut self, cursor: &mut TreeCursor, inferred: InferredName) -> ExprId {
        let node = cursor.node();
        let name_node = node.child_by_field_id(self.grammar.fields.name);
        let own_name = name_node.map(|node| self.name_of(node));
        let line = line_of(name_node.unwrap_or(node));
        let inferred = InferredName { name: own_name.or(inferred.name), ..inferred };
        let Some(def) = self.class(cursor, inferred, &[], line, own_name) else { return self.add_expr(Expr::Unknown) };
        let expr = self.add_expr(Expr::Class(def));
        self.facts.definitions[def.index()].expr = Some(expr);
        expr
    }

    /// Lowers the class at the cursor. A class counts as three levels of nesting, one of them in the caller, because
    /// lowering it takes more stack than lowering another node.
    fn class(
        &mut self,
        cursor: &mut TreeCursor,
        inferred: InferredName,
        decorators: &[Node],
        line: u32,
        inner_name: Option<NameId>,
    ) -> Option<DefId> {
        let node = cursor.node();
        self.descend(node, |this| {
            this.descend(node, |this| this.class_unchecked(cursor, inferred, decorators, line, inner_name))
        })?
    }

    fn class_unchecked(
        &mut self,
        cursor: &mut TreeCursor,
        inferred: InferredName,
        decorators: &[Node],
        line: u32,
        inner_name: Option<NameId>,
    ) -> DefId {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let mut decorators = decorators.to_vec();
        self.field(cursor, fields.decorator, |_, cursor, _| decorators.push(cursor.node()));
        let def = self.add_def(node, inferred, DefBody::Class(Box::default()));
        let scope = self.in_definition(def, |this| this.add_scope(ScopeKind::Class));
        let row = &mut self.facts.definitions[def.index()];
        (row.line, row.scope) = (line, scope);
        self.decorators(&decorators, def);
        let outer = (self.frame.scope, self.frame.def, self.frame.this, self.frame.class);
        let this_was_class = std::mem::take(&mut self.frame.this_is_class);
        let outer_types = (self.signature.take(), self.this_type.replace(def));
        self.frame.scope = scope;
        self.frame.def = Some(def);
        let place = self.mention_place.take();
        let first_field = self.pending.assigned_fields.len();
        let is_abstract = self.has_token(node, TokenKind::Abstract);
        let mut class =
            Class { is_abstract, type_params: self.documented_type_params(inferred.doc), ..Class::default() };
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.type_parameters {
                class.type_params = this.type_parameters(cursor);
            } else if kind == NodeKind::ClassHeritage {
                this.class_heritage(cursor, &mut class);
                this.add_documented_arguments(inferred.doc, &mut class);
            } else if field == fields.body {
                this.frame.this = Some(def);
                this.frame.class = Some(def);
                this.class_body(cursor, &mut class);
            }
        });
        if let Some(name) = inner_name
            && !self.symbols.contains_key(&(scope, name))
        {
            self.declare(scope, name, Decl::Def(def));
        }
        (self.frame.scope, self.frame.def, self.frame.this, self.frame.class) = outer;
        self.frame.this_is_class = this_was_class;
        self.mention_place = place;
        (self.signature, self.this_type) = outer_types;
        self.add_assigned_fields(def, first_field, &mut class);
        if !self.comment_types.is_empty() {
            self.pending.documented.push(Documented::Fields(def));
        }
        self.facts.definitions[def.index()].body = DefBody::Class(Box::new(class));
        def
    }

    /// Gives the base class the type arguments in the JSDoc comment of the class: `@extends {Base<T>}`.
    fn add_documented_arguments(&mut self, doc: Option<DocRange>, class: &mut Class) {
        let Some((_, arguments, _)) = class.extends.as_mut().filter(|(_, written, _)| written.is_empty()) else {
            return;
        };
        if let Some((ty, _)) = self.documented_type(doc, TagKind::Base)
            && let TypeNode::Ref { args, .. } = *self.facts.ty(ty)
        {
            *arguments = self.facts.type_list(args).into();
        }
    }

    fn class_heritage(&mut self, cursor: &mut TreeCursor, class: &mut Class) {
        let fields = &self.grammar.fields;
        self.named_children(cursor, |this, cursor, kind| match kind {
            NodeKind::ExtendsClause => this.fields(cursor, |this, cursor, _, field| {
                if field == fields.value && class.extends.is_none() {
                    let source = this.texts.keep(&text::annotation(this.text(cursor.node())));
                    let base = this.at_place(Some(MentionPlace::Base), |this| this.expr(cursor));
                    class.extends = Some((base, ThinVec::new(), source));
                } else if field == fields.value {
                    this.expr(cursor);
                } else if field == fields.type_arguments {
                    let arguments = this.type_arguments(cursor);
                    let source = this.texts.keep(&text::annotation(this.text(cursor.node())));
                    if let Some((_, kept, text)) = &mut class.extends {
                        *kept = arguments;
                        *text = this.texts.keep(&format!("{text}{source}"));
                    }
                }
            }),
            NodeKind::ImplementsClause => this.named_children(cursor, |this, cursor, _| {
                let source = this.texts.keep(&text::annotation(this.text(cursor.node())));
                let base = this.at_place(Some(MentionPlace::Base), |this| this.ty(cursor));
                class.implements.push((base, source));
            }),
            _ => {}
        });
    }

    fn class_body(&mut self, cursor: &mut TreeCursor, class: &mut Class) {
        let mut decorators = Vec::new();
        let mut fields = ThinVec::new();
        self.documented_children(cursor, |this, cursor, kind| {
            let SyntaxKind::Node(kind) = kind else { return };
            match kind {
                NodeKind::Decorator => decorators.push(cursor.node()),
                NodeKind::ClassStaticBlock => this.static_block(cursor),
                _ => {
                    let decorators = std::mem::take(&mut decorators);
                    let member = this.class_member(cursor, kind, decorators);
                    if let Some(MemberKind::Function(def)) = member.as_ref().map(|member| &member.kind) {
                        this.parameter_fields(*def, &mut fields);
                    }
                    class.members.extend(member);
                }
            }
        });
        class.members.append(&mut fields);
    }

    fn class_member(&mut self, cursor: &mut TreeCursor, kind: NodeKind, decorators: Vec<Node>) -> Option<Member> {
        let node = cursor.node();
        let doc = self.doc.take();
        match kind {
            NodeKind::MethodDefinition | NodeKind::MethodSignature | NodeKind::AbstractMethodSignature => {
                let header = FunctionHeader {
                    kind: self.method_kind(node),
                    doc,
                    class: self.frame.class,
                    decorators,
                    ..FunctionHeader::default()
                };
                let (def, name, line) = self.method(cursor, header);
                let (kind, computed_name) = (MemberKind::Function(def), name.computed);
                let plain = Member { computed_name, kind, ..plain_property(name.text, line, None) };
                Some(self.with_modifiers(node, plain, doc))
            }
            NodeKind::PublicFieldDefinition => Some(self.class_field(cursor, doc)),
            NodeKind::IndexSignature => self.index_signature(cursor),
            _ => {
                self.statement(cursor, kind);
                None
            }
        }
    }

    fn method_kind(&self, method: Node) -> FunctionKind {
        let is_constructor = method
            .child_by_field_id(self.grammar.fields.name)
            .is_some_and(|name| self.text(name) == "constructor" && self.is_node(name, NodeKind::PropertyIdentifier));
        let is_plain = !self.has_token(method, TokenKind::Static);
        if is_constructor && is_plain { FunctionKind::Constructor } else { FunctionKind::Method }
    }

    fn class_field(&mut self, cursor: &mut TreeCursor, doc: Option<DocRange>) -> Member {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let (mut name, mut line) = (PropertyName::default(), line_of(node));
        let (mut annotation, mut value) = (None, None);
        let is_static = self.has_token(node, TokenKind::Static);
        let mut decorators = Vec::new();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.decorator {
                decorators.extend(this.decorator(cursor));
            } else if field == fields.name {
                line = line_of(cursor.node());
                name = this.maybe_computed_name(cursor);
            } else if field == fields.ty {
                annotation = Some(this.member_annotation(cursor, name.text, false));
            } else if field == fields.value {
                this.frame.this_is_class = is_static;
                let (inferred, place) = (InferredName::of_member(name.text, doc), Self::place_of_field(name.text));
                let expr = this.at_place(Some(place), |this| this.named_expr(cursor, inferred));
                this.frame.this_is_class = false;
                if let Some((ty, _)) = annotation {
                    this.record_context(expr, ExpressionContext::Typed(ty));
                }
                value = Some((expr, this.short_text(cursor.node())));
            }
        });
        let texts = decorators.into_iter().map(|(_, text)| text).filter(|text| !text.is_empty());
        if let (Some(class), Some(name)) = (self.frame.class, name.text) {
            self.facts.field_decorators.extend(texts.map(|text| (class, name, text)));
        }
        let annotation = annotation.or_else(|| self.documented_type(doc, TagKind::Type));
        let kind = MemberKind::Property { annotation, value, parameter: None };
        let computed_name = name.computed;
        self.with_modifiers(node, Member { computed_name, kind, ..plain_property(name.text, line, None) }, doc)
    }

    /// A member with its modifiers, access and summary.
    pub(super) fn with_modifiers(&mut self, node: Node, plain: Member, doc: Option<DocRange>) -> Member {
        let mut member = Member { summary: self.summary(doc), documentation: self.documentation(doc), ..plain };
        if member.name.is_some_and(|name| self.facts.name(name).starts_with('#')) {
            member.access = Access::Private;
        }
        let mut walk = node.walk();
        for child in node.children(&mut walk) {
            match self.kind(child) {
                SyntaxKind::Token(TokenKind::Static) => member.is_static = true,
                SyntaxKind::Token(TokenKind::Readonly) => member.is_readonly = true,
                SyntaxKind::Token(TokenKind::Abstract) => member.is_abstract = true,
                SyntaxKind::Token(TokenKind::Question) => member.is_optional = true,
                SyntaxKind::Node(NodeKind::AccessibilityModifier) => member.access = self.access_modifier(child),
                _ => {}
            }
        }
        member
    }

    /// Adds the parameter properties of a constructor: `constructor(private x: T)`.
    fn parameter_fields(&self, def: DefId, fields: &mut ThinVec<Member>) {
        let Some(function) = self.facts.def(def).function() else { return };
        if function.kind != FunctionKind::Constructor {
            return;
        }
        for (at, param) in function.params.iter().enumerate() {
            if let (Some(access), Some(at)) = (param.field, index_u16(at)) {
                let kind = MemberKind::Property {
                    annotation: param.annotation.clone(),
                    value: None,
                    parameter: Some((def, at)),
                };
                let (is_optional, is_readonly) = (param.is_optional, param.is_readonly);
                fields.push(Member {
                    is_optional,
                    is_readonly,
                    access,
                    kind,
                    ..plain_property(param.name, param.line, None)
                });
            }
        }
    }

    fn static_block(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let (start, var_scope) = (self.start_branch(), self.frame.var_scope);
        self.in_new_scope(ScopeKind::Block, |this| {
            this.frame.var_scope = this.frame.scope;
            this.frame.this_is_class = true;
            this.field(cursor, fields.body, |this, cursor, _| this.statements(cursor));
            this.frame.this_is_class = false;
        });
        self.frame.var_scope = var_scope;
        self.end_branch_and_join(&start);
    }

    /// Adds the fields that methods of a JavaScript class assign to `this`, and gives declared fields without a type
    /// the values that are assigned to them. These are the pending fields from index `first` on: the fields of nested
    /// classes are no longer pending. A function that is such a field is a method of the class `def`, with the name of
    /// the field.
    fn add_assigned_fields(&mut self, def: DefId, first: usize, class: &mut Class) {
        if self.pending.assigned_fields.len() == first {
            return;
        }
        let statics: FxHashSet<DefId> = class
            .members
            .iter()
            .filter(|member| member.is_static)
            .filter_map(|member| if let MemberKind::Function(def) = member.kind { Some(def) } else { None })
            .collect();
        // A declared field without a type and a value has the types of the values assigned to the field.
        let is_untyped = |member: &&Member| {
            !member.is_static
                && matches!(member.kind, MemberKind::Property { annotation: None, value: None, parameter: None })
        };
        let untyped: FxHashSet<NameId> =
            class.members.iter().filter(is_untyped).filter_map(|member| member.name).collect();
        let declared: FxHashSet<NameId> = class.members.iter().filter_map(|member| member.name).collect();
        let is_script = self.dialect == Dialect::JavaScript;
        let mut added: ThinVec<Member> = ThinVec::new();
        let assigned: Vec<AssignedField> = self.pending.assigned_fields.drain(first..).collect();
        for field in assigned {
            let is_new = is_script && !declared.contains(&field.name);
            if statics.contains(&field.method) || !is_new && !untyped.contains(&field.name) {
                continue;
            }
            match added.iter_mut().find(|member| member.name == Some(field.name)) {
                Some(Member { kind: MemberKind::Property { value: Some((value, _)), .. }, .. }) => {
                    *value = self.either_field_value(*value, field.value);
                }
                Some(_) => {}
                None => {
                    let value = Some((field.value, ArcStr::new()));
                    let mut member = plain_property(Some(field.name), field.line, value);
                    if let MemberKind::Property { annotation, .. } = &mut member.kind {
                        *annotation = field.annotation;
                    }
                    added.push(member);
                }
            }
        }
        for field in &added {
            if let MemberKind::Property { value: Some((value, _)), .. } = field.kind
                && let Expr::Function(function) = self.facts.expr(value)
            {
                let row = &mut self.facts.definitions[function.index()];
                (row.outer, row.name) = (Some(def), field.name.or(row.name));
            }
        }
        for member in &mut class.members {
            if is_untyped(&&*member)
                && let Some(at) = added.iter().position(|field| field.name == member.name)
            {
                member.kind = added.remove(at).kind;
            }
        }
        class.members.append(&mut added);
    }

    /// The value of a field that two assignments give: the second one if the first is nothing, both if they may be
    /// functions, else the first.
    fn either_field_value(&mut self, first: ExprId, second: ExprId) -> ExprId {
        let may_be_function = |expr: ExprId| {
            matches!(
                self.facts.expr(self.without_guards(expr)),
                Expr::Name { .. } | Expr::Property { .. } | Expr::Function(_) | Expr::Either(..)
            )
        };
        match self.facts.expr(first) {
            Expr::Null | Expr::Undefined => second,
            _ if may_be_function(first) && may_be_function(second) => self.add_expr(Expr::Either(first, second)),
            _ => first,
        }
    }
}
