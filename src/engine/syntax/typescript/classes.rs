//! Classes and their members.

use compact_str::CompactString;
use rustc_hash::FxHashSet;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{
        Access, Class, Context, Decl, DefBody, DefId, Expr, ExprId, FunctionKind, Member, MemberKind, NameId, ScopeKind,
    },
    frame::{Doc, Exporting, Holder},
    functions::Head,
    kinds::{Kind, Named, Token},
    lower::{Lowering, line_of, nth},
    objects::property,
    text,
};

impl Lowering<'_> {
    pub(super) fn class_declaration(
        &mut self,
        cursor: &mut TreeCursor,
        exporting: Exporting,
        doc: Option<Doc>,
        decorators: &[Node],
    ) {
        let Some(name_node) = cursor.node().child_by_field_id(self.grammar.fields.name) else { return };
        let name = self.name_of(name_node);
        let holder = Holder { name: Some(name), doc };
        if let Some(def) = self.class(cursor, holder, decorators, line_of(name_node), None) {
            self.declare_def(name, def, exporting);
        }
    }

    pub(super) fn class_expression(&mut self, cursor: &mut TreeCursor, holder: Holder) -> ExprId {
        let node = cursor.node();
        let own = node.child_by_field_id(self.grammar.fields.name);
        let own_name = own.map(|node| self.name_of(node));
        let line = line_of(own.unwrap_or(node));
        let holder = Holder { name: own_name.or(holder.name), ..holder };
        let Some(def) = self.class(cursor, holder, &[], line, own_name) else { return self.add(Expr::Unknown) };
        let expr = self.add(Expr::Class(def));
        self.facts.definitions[def.index()].expr = Some(expr);
        expr
    }

    /// The class at the cursor. It takes the room of three levels of nesting.
    fn class(
        &mut self,
        cursor: &mut TreeCursor,
        holder: Holder,
        decorators: &[Node],
        line: u32,
        inner_name: Option<NameId>,
    ) -> Option<DefId> {
        let node = cursor.node();
        self.deeper(node, |this| this.deeper(node, |this| this.class_at(cursor, holder, decorators, line, inner_name)))?
    }

    fn class_at(
        &mut self,
        cursor: &mut TreeCursor,
        holder: Holder,
        decorators: &[Node],
        line: u32,
        inner_name: Option<NameId>,
    ) -> DefId {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let mut decorators = decorators.to_vec();
        self.field(cursor, fields.decorator, |_, cursor, _| decorators.push(cursor.node()));
        let def = self.add_def(node, holder, DefBody::Class(Box::default()));
        let scope = self.within(def, |this| this.add_scope(ScopeKind::Class));
        let row = &mut self.facts.definitions[def.index()];
        (row.line, row.scope) = (line, scope);
        self.decorators(&decorators, def);
        let outer = (self.frame.scope, self.frame.def, self.frame.this, self.frame.class);
        let outer_types = (self.signature.take(), self.this_type.replace(def));
        self.frame.scope = scope;
        self.frame.def = Some(def);
        let first_field = self.pending.fields.len();
        let mut class = Class { is_abstract: self.has_token(node, Token::Abstract), ..Class::default() };
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.type_parameters {
                class.type_params = this.type_parameters(cursor);
            } else if kind == Named::ClassHeritage {
                this.heritage(cursor, &mut class);
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
        (self.signature, self.this_type) = outer_types;
        self.add_assigned_fields(first_field, &mut class);
        self.facts.definitions[def.index()].body = DefBody::Class(Box::new(class));
        def
    }

    fn heritage(&mut self, cursor: &mut TreeCursor, class: &mut Class) {
        let fields = &self.grammar.fields;
        self.nodes(cursor, |this, cursor, kind| match kind {
            Named::ExtendsClause => this.fields(cursor, |this, cursor, _, field| {
                if field == fields.value && class.extends.is_none() {
                    let source = text::annotation(this.text(cursor.node()));
                    let base = this.expr(cursor);
                    class.extends = Some((base, Vec::new(), source));
                } else if field == fields.value {
                    this.expr(cursor);
                } else if field == fields.type_arguments {
                    let arguments = this.type_arguments(cursor);
                    let source = text::annotation(this.text(cursor.node()));
                    if let Some((_, kept, text)) = &mut class.extends {
                        *kept = arguments;
                        text.push_str(&source);
                    }
                }
            }),
            Named::ImplementsClause => this.nodes(cursor, |this, cursor, _| {
                let source = text::annotation(this.text(cursor.node()));
                class.implements.push((this.ty(cursor), source));
            }),
            _ => {}
        });
    }

    fn class_body(&mut self, cursor: &mut TreeCursor, class: &mut Class) {
        let mut decorators = Vec::new();
        let mut fields = Vec::new();
        self.documented(cursor, |this, cursor, kind| {
            let Kind::Node(kind) = kind else { return };
            match kind {
                Named::Decorator => decorators.push(cursor.node()),
                Named::ClassStaticBlock => this.static_block(cursor),
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

    fn class_member(&mut self, cursor: &mut TreeCursor, kind: Named, decorators: Vec<Node>) -> Option<Member> {
        let node = cursor.node();
        let doc = self.doc.take();
        match kind {
            Named::MethodDefinition | Named::MethodSignature | Named::AbstractMethodSignature => {
                let head =
                    Head { kind: self.method_kind(node), doc, class: self.frame.class, decorators, ..Head::default() };
                let (def, name, line) = self.method(cursor, head);
                let plain = Member { kind: MemberKind::Function(def), ..property(name, line, None) };
                Some(self.modified(node, plain, doc))
            }
            Named::PublicFieldDefinition => Some(self.class_field(cursor, doc)),
            Named::IndexSignature => self.index_signature(cursor),
            _ => {
                self.statement(cursor, kind);
                None
            }
        }
    }

    fn method_kind(&self, method: Node) -> FunctionKind {
        let is_constructor = method
            .child_by_field_id(self.grammar.fields.name)
            .is_some_and(|name| self.text(name) == "constructor" && self.is(name, Named::PropertyIdentifier));
        let is_plain = !self.has_token(method, Token::Static);
        if is_constructor && is_plain { FunctionKind::Constructor } else { FunctionKind::Method }
    }

    fn class_field(&mut self, cursor: &mut TreeCursor, doc: Option<Doc>) -> Member {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let (mut name, mut line) = (None, line_of(node));
        let (mut annotation, mut value) = (None, None);
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.decorator {
                this.decorator(cursor);
            } else if field == fields.name {
                line = line_of(cursor.node());
                name = this.property_name(cursor);
            } else if field == fields.ty {
                annotation = Some(this.member_annotation(cursor, name, false));
            } else if field == fields.value {
                let expr = this.named(cursor, Holder { name, doc });
                if let Some((ty, _)) = annotation {
                    this.expect(expr, Context::Typed(ty));
                }
                value = Some((expr, this.short_text(cursor.node())));
            }
        });
        let kind = MemberKind::Property { annotation, value, parameter: None };
        self.modified(node, Member { kind, ..property(name, line, None) }, doc)
    }

    /// A member with what the words before its name say.
    pub(super) fn modified(&mut self, node: Node, plain: Member, doc: Option<Doc>) -> Member {
        let mut member = Member { summary: self.summary(doc), ..plain };
        if member.name.is_some_and(|name| self.facts.name(name).starts_with('#')) {
            member.access = Access::Private;
        }
        let mut walk = node.walk();
        for child in node.children(&mut walk) {
            match self.kind(child) {
                Kind::Token(Token::Static) => member.is_static = true,
                Kind::Token(Token::Readonly) => member.is_readonly = true,
                Kind::Token(Token::Abstract) => member.is_abstract = true,
                Kind::Token(Token::Question) => member.is_optional = true,
                Kind::Node(Named::AccessibilityModifier) => member.access = self.access(child),
                _ => {}
            }
        }
        member
    }

    /// `constructor(private x: T)`
    fn parameter_fields(&self, def: DefId, fields: &mut Vec<Member>) {
        let Some(function) = self.facts.def(def).function() else { return };
        if function.kind != FunctionKind::Constructor {
            return;
        }
        for (at, param) in function.params.iter().enumerate() {
            if let (Some(access), Some(at)) = (param.field, nth(at)) {
                let kind = MemberKind::Property {
                    annotation: param.annotation.clone(),
                    value: None,
                    parameter: Some((def, at)),
                };
                let is_optional = param.is_optional;
                fields.push(Member { is_optional, access, kind, ..property(param.name, param.line, None) });
            }
        }
    }

    fn static_block(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let (mark, var_scope) = (self.mark(), self.frame.var_scope);
        self.scoped(ScopeKind::Block, |this| {
            this.frame.var_scope = this.frame.scope;
            this.field(cursor, fields.body, |this, cursor, _| this.statements(cursor));
        });
        self.frame.var_scope = var_scope;
        self.leave_and_meet(&mark);
    }

    /// What methods of a JavaScript class assign to `this`, as fields. Those of classes inside it have been taken.
    fn add_assigned_fields(&mut self, first: usize, class: &mut Class) {
        if self.pending.fields.len() == first {
            return;
        }
        let statics: FxHashSet<DefId> = class
            .members
            .iter()
            .filter(|member| member.is_static)
            .filter_map(|member| if let MemberKind::Function(def) = member.kind { Some(def) } else { None })
            .collect();
        let mut taken: FxHashSet<NameId> = class.members.iter().filter_map(|member| member.name).collect();
        let mut added = Vec::new();
        for field in self.pending.fields.drain(first..) {
            if !statics.contains(&field.method) && taken.insert(field.name) {
                added.push(property(Some(field.name), field.line, Some((field.value, CompactString::default()))));
            }
        }
        class.members.append(&mut added);
    }
}
