//! Declarations of variables, functions and enums, their exports and decorators.

use arcstr::ArcStr;
use smallvec::SmallVec;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    comment_types::TagKind,
    conditions::NarrowingCondition,
    context::{DocRange, ExportModifier, InferredName, WellKnownNames},
    documented_types::Documented,
    facts::{
        CallExprKind, Decl, DefBody, DefId, Enum, ExportKind, Expr, ExprId, ExpressionContext, FunctionKind, NameId,
        ScopeId, ScopeKind, SymbolId, ValueSource,
    },
    functions::FunctionHeader,
    grammar::{NodeKind, TokenKind},
    lower::Lowering,
    patterns::PatternBinding,
    text,
};
use crate::syntax::tree::line_of;

impl Lowering<'_> {
    /// Lowers the declaration at the cursor.
    pub(super) fn declaration(&mut self, cursor: &mut TreeCursor, kind: NodeKind) {
        let doc = self.doc.take();
        let exporting = std::mem::take(&mut self.exporting);
        match kind {
            NodeKind::LexicalDeclaration | NodeKind::VariableDeclaration => {
                self.variable_declaration(cursor, kind, exporting, doc);
            }
            NodeKind::FunctionDeclaration | NodeKind::GeneratorFunctionDeclaration | NodeKind::FunctionSignature => {
                self.function_declaration(cursor, exporting, doc);
            }
            NodeKind::ClassDeclaration | NodeKind::AbstractClassDeclaration => {
                self.class_declaration(cursor, exporting, doc, &[]);
            }
            NodeKind::InterfaceDeclaration => self.interface(cursor, exporting, doc),
            NodeKind::TypeAliasDeclaration => self.type_alias(cursor, exporting, doc),
            NodeKind::EnumDeclaration => self.enum_declaration(cursor, exporting, doc),
            NodeKind::Module | NodeKind::InternalModule => self.namespace(cursor, exporting),
            NodeKind::AmbientDeclaration => {
                self.exporting = exporting;
                self.doc = doc;
                self.ambient_declaration(cursor);
            }
            NodeKind::ImportAlias => self.import_alias(cursor, exporting),
            _ => {}
        }
    }

    /// Declares a name, and exports it if it has an `export` modifier or is in an ambient namespace.
    pub(super) fn declare_exported(
        &mut self,
        scope: ScopeId,
        name: NameId,
        decl: Decl,
        exporting: ExportModifier,
        line: u32,
    ) -> SymbolId {
        let symbol = self.declare(scope, name, decl);
        let kind = self.facts.scopes[scope.index()].kind;
        let is_ambient = kind == ScopeKind::Namespace && self.frame.is_ambient;
        if exporting == ExportModifier::No && !is_ambient {
            return symbol;
        }
        let row = &mut self.facts.symbols[symbol.index()];
        let is_new = !std::mem::replace(&mut row.is_exported, true);
        match exporting {
            ExportModifier::Default if is_new => {
                self.add_export(WellKnownNames::default(), ExportKind::Symbol(symbol), line);
            }
            _ if kind == ScopeKind::File && is_new => self.add_export(name, ExportKind::Symbol(symbol), line),
            _ => {}
        }
        symbol
    }

    /// Declares a definition in the current scope.
    pub(super) fn declare_def(&mut self, name: NameId, def: DefId, exporting: ExportModifier) {
        let line = self.facts.def(def).line;
        self.declare_exported(self.frame.scope, name, Decl::Def(def), exporting, line);
    }

    fn function_declaration(&mut self, cursor: &mut TreeCursor, exporting: ExportModifier, doc: Option<DocRange>) {
        let Some(name_node) = cursor.node().child_by_field_id(self.grammar.fields.name) else { return };
        let name = self.name_of(name_node);
        let header = FunctionHeader {
            kind: FunctionKind::Declaration,
            name: Some(name),
            line: Some(line_of(name_node)),
            doc,
            ..FunctionHeader::default()
        };
        let def = self.function(cursor, &header);
        self.declare_def(name, def, exporting);
    }

    /// Lowers `const a = 1, b = 2`.
    fn variable_declaration(
        &mut self,
        cursor: &mut TreeCursor,
        kind: NodeKind,
        exporting: ExportModifier,
        doc: Option<DocRange>,
    ) {
        let is_var = kind == NodeKind::VariableDeclaration;
        let is_const = !is_var && self.has_token(cursor.node(), TokenKind::Const);
        let binding = PatternBinding {
            annotation: None,
            source: ValueSource::None,
            is_const,
            scope: if is_var { self.frame.var_scope } else { self.frame.scope },
            exporting,
        };
        self.named_children(cursor, |this, cursor, kind| {
            if kind == NodeKind::VariableDeclarator {
                this.variable_declarator(cursor, binding, doc);
            }
        });
    }

    fn variable_declarator(&mut self, cursor: &mut TreeCursor, binding: PatternBinding, doc: Option<DocRange>) {
        let fields = &self.grammar.fields;
        let mut binding = binding;
        let mut single_name = None;
        let (mut annotation_text, mut value_text) = (None, None);
        let mut inferred = InferredName::default();
        let mut condition = NarrowingCondition::Unknown;
        let mut is_documented = false;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.name && kind == NodeKind::Identifier {
                let name = this.name_of(cursor.node());
                single_name = Some((name, line_of(cursor.node())));
                inferred = InferredName { name: Some(name), doc, is_member: false };
            } else if field == fields.ty {
                let (ty, text) = this.annotation(cursor);
                binding.annotation = Some(ty);
                annotation_text = Some(text);
            } else if field == fields.value {
                let value;
                let place = single_name.map(|(name, _)| Self::place_of_field(Some(name)));
                (value, condition) =
                    this.at_place(place, |this| this.initialiser(cursor, kind, inferred, binding.is_const));
                binding.source = ValueSource::Value(value);
                if binding.annotation.is_none()
                    && let Some((ty, text)) = this.documented_type(doc, TagKind::Type)
                {
                    (binding.annotation, annotation_text) = (Some(ty), Some(text));
                    is_documented = true;
                }
                value_text = Some(this.short_text(cursor.node())).filter(|text| !text.is_empty());
                if let Some(ty) = binding.annotation {
                    this.record_context(value, ExpressionContext::Typed(ty));
                }
            }
        });
        match single_name {
            Some((name, line)) => {
                let variable = self.declare_variable(name, line, &binding, SmallVec::new());
                let row = &mut self.facts.variables[variable.index()];
                (row.annotation_text, row.value_text) = (annotation_text, value_text);
                self.pending.documented.extend(is_documented.then_some(Documented::Variable(variable)));
                self.assume_initialised(name, &binding);
                if binding.is_const {
                    self.record_constant_condition(name, condition);
                }
            }
            None => self.field(cursor, fields.name, |this, cursor, _| {
                this.declare_pattern(cursor, &binding, &mut SmallVec::new());
            }),
        }
    }

    /// Lowers the initialiser of a variable. For a constant, also returns the condition that it holds.
    fn initialiser(
        &mut self,
        cursor: &mut TreeCursor,
        kind: NodeKind,
        inferred: InferredName,
        is_const: bool,
    ) -> (ExprId, NarrowingCondition) {
        if is_const && matches!(kind, NodeKind::BinaryExpression | NodeKind::UnaryExpression) {
            return self.condition(cursor);
        }
        let value = self.named_expr(cursor, inferred);
        let is_call = is_const && matches!(self.facts.expr(value), Expr::Call(_));
        (value, if is_call { self.truthiness(value) } else { NarrowingCondition::Unknown })
    }

    /// Adds the fact that a variable which may be assigned to later has its initialiser, if that may be a function.
    fn assume_initialised(&mut self, name: NameId, binding: &PatternBinding) {
        let ValueSource::Value(value) = binding.source else { return };
        let may_be_function = matches!(
            self.facts.expr(self.without_guards(value)),
            Expr::Name { .. } | Expr::Property { .. } | Expr::Item { .. } | Expr::Function(_) | Expr::Class(_)
        );
        if !binding.is_const && binding.annotation.is_none() && may_be_function {
            let target = self.read(name);
            self.invalidate(target);
            self.assume_assigned(target, value);
        }
    }

    fn enum_declaration(&mut self, cursor: &mut TreeCursor, exporting: ExportModifier, doc: Option<DocRange>) {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let Some(name_node) = node.child_by_field_id(fields.name) else { return };
        let name = self.name_of(name_node);
        let inferred = InferredName { name: Some(name), doc, is_member: false };
        let def = self.add_def(node, inferred, DefBody::Enum(Enum::default()));
        self.facts.definitions[def.index()].line = line_of(name_node);
        self.declare_def(name, def, exporting);
        let is_const = self.has_token(node, TokenKind::Const);
        let mut members = ThinVec::new();
        self.in_definition(def, |this| {
            this.field(cursor, fields.body, |this, cursor, _| {
                this.named_children(cursor, |this, cursor, kind| {
                    let line = line_of(cursor.node());
                    if kind != NodeKind::EnumAssignment {
                        members.extend(this.property_name(cursor).map(|name| (name, line, None)));
                        return;
                    }
                    let (mut name, mut value) = (None, None);
                    this.fields(cursor, |this, cursor, _, field| {
                        if field == fields.name {
                            name = this.property_name(cursor);
                        } else if field == fields.value {
                            let expr = this.named_expr(cursor, InferredName::default());
                            value = Some((expr, this.texts.keep(&text::default(this.text(cursor.node())))));
                        }
                    });
                    members.extend(name.map(|name| (name, line, value)));
                });
            });
        });
        self.facts.definitions[def.index()].body = DefBody::Enum(Enum { members, is_const });
    }

    /// Lowers the decorators of a definition. Definitions in decorators are nested in the decorated definition, but
    /// names are resolved in the enclosing scope.
    pub(super) fn decorators(&mut self, nodes: &[Node], def: DefId) {
        let first = self.facts.mentions.len();
        self.in_definition(def, |this| {
            for node in nodes {
                let decorator = this.descend(*node, |this| this.decorator(&mut node.walk())).flatten();
                this.facts.definitions[def.index()].decorators.extend(decorator);
            }
        });
        self.set_decorated(first, def);
    }

    /// Lowers the decorator at the cursor. Returns its expression, and its text without `@`. Calls in a decorator have
    /// no caller.
    pub(super) fn decorator(&mut self, cursor: &mut TreeCursor) -> Option<(ExprId, ArcStr)> {
        let caller = self.frame.caller.take();
        let decorator = self.first_named_child(cursor, |this, cursor, kind| {
            let source = this.texts.keep(&text::annotation(this.text(cursor.node())));
            let expr = if kind == NodeKind::CallExpression {
                this.call_of_kind(cursor, CallExprKind::Decorator)
            } else {
                this.bare_decorator(cursor)
            };
            (expr, source)
        });
        self.frame.caller = caller;
        decorator
    }
}
