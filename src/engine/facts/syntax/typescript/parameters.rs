//! Parameters of functions, with destructuring patterns.

use arcstr::ArcStr;
use smallvec::SmallVec;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    context::ExportModifier,
    documented_types::Documented,
    facts::{Access, Decl, DefId, ExpressionContext, Function, NameId, Param, TypeId, TypeNode, ValueSource},
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::{Lowering, index_u16},
    patterns::PatternBinding,
    text,
};
use crate::syntax::{
    MAX_PARAMETERS,
    tree::{field_of, line_of},
};
use apidisc_base::diagnostic::Problem;

impl Lowering<'_> {
    /// Lowers the parameter `x` of `x => y`.
    pub(super) fn bare_parameter(&mut self, node: Node, def: DefId, function: &mut Function) {
        let name = self.name_of(node);
        self.declare(self.frame.scope, name, Decl::Parameter(def, 0));
        let mut param = Param { name: Some(name), ..blank_parameter(line_of(node)) };
        self.annotate_by_comment(def, 0, &mut param);
        function.params.push(param);
    }

    /// Lowers the parameter list at the cursor.
    pub(super) fn parameters(&mut self, cursor: &mut TreeCursor, def: DefId, function: &mut Function) {
        self.named_children(cursor, |this, cursor, kind| {
            if matches!(kind, NodeKind::RequiredParameter | NodeKind::OptionalParameter) {
                this.parameter(cursor, kind, def, function);
            }
        });
    }

    fn parameter(&mut self, cursor: &mut TreeCursor, kind: NodeKind, def: DefId, function: &mut Function) {
        let fields = &self.grammar.fields;
        let Some(at) = index_u16(function.params.len()).filter(|at| usize::from(*at) < MAX_PARAMETERS) else {
            self.record_problem(Problem::TooComplex, line_of(cursor.node()));
            return;
        };
        let mut param =
            Param { is_optional: kind == NodeKind::OptionalParameter, ..blank_parameter(line_of(cursor.node())) };
        let mut this_type = None;
        let mut is_this = false;
        self.children(cursor, |this, cursor, child| {
            let field = field_of(cursor);
            match child {
                SyntaxKind::Token(TokenKind::Readonly) => {
                    param.field = param.field.or(Some(Access::Public));
                    param.is_readonly = true;
                }
                SyntaxKind::Node(NodeKind::AccessibilityModifier) => {
                    param.field = Some(this.access_modifier(cursor.node()));
                }
                SyntaxKind::Node(NodeKind::Decorator) => {
                    param.decorators.extend(this.decorator(cursor).map(|(expr, _)| expr));
                }
                SyntaxKind::Node(NodeKind::This) if field == fields.pattern => is_this = true,
                SyntaxKind::Node(pattern) if field == fields.pattern || field == fields.name => {
                    param.line = line_of(cursor.node());
                    this.parameter_pattern(cursor, pattern, &mut param);
                }
                SyntaxKind::Node(_) if field == fields.ty && is_this => this_type = Some(this.annotation(cursor).0),
                SyntaxKind::Node(_) if field == fields.ty => param.annotation = Some(this.annotation(cursor)),
                SyntaxKind::Node(_) if field == fields.value => {
                    let place = Self::place_of_field(param.name);
                    let value = this.at_place(Some(place), |this| this.expr(cursor));
                    this.record_context(value, ExpressionContext::Default(def, at));
                    param.default = Some((value, this.texts.keep(&text::default(this.text(cursor.node())))));
                }
                _ => {}
            }
        });
        if is_this {
            function.this_type = this_type;
            return;
        }
        self.annotate_by_comment(def, at, &mut param);
        let annotation = param.annotation.as_ref().map(|(ty, _)| *ty);
        if let Some(name) = param.name {
            self.declare(self.frame.scope, name, Decl::Parameter(def, at));
        } else {
            self.declare_parameter_pattern(cursor, def, at, annotation);
        }
        function.params.push(param);
    }

    /// Gives a parameter without annotation the type that the comment of its function gives it.
    fn annotate_by_comment(&mut self, def: DefId, at: u16, param: &mut Param) {
        if param.annotation.is_some() || self.frame.documented.is_empty() {
            return;
        }
        let Some(((ty, text), is_optional)) = self.documented_parameter(at, param) else { return };
        let ty = if param.is_rest { self.add_type(TypeNode::Array(ty)) } else { ty };
        let text = if param.is_rest { self.texts.keep(&format!("{text}[]")) } else { text };
        param.annotation = Some((ty, text));
        param.is_optional |= is_optional && !param.is_rest;
        self.pending.documented.push(Documented::Parameter(def, at));
    }

    /// Sets the name or the pattern of a parameter.
    fn parameter_pattern(&mut self, cursor: &mut TreeCursor, kind: NodeKind, param: &mut Param) {
        match kind {
            NodeKind::RestPattern => {
                param.is_rest = true;
                self.first_named_child(cursor, |this, cursor, inner| this.parameter_pattern(cursor, inner, param));
            }
            NodeKind::ObjectPattern | NodeKind::ArrayPattern => {
                param.is_array_pattern = kind == NodeKind::ArrayPattern;
                param.pattern = Some(self.texts.keep(&text::annotation(self.text(cursor.node()))));
                if kind == NodeKind::ObjectPattern {
                    param.properties = self.destructured_properties(cursor.node());
                }
            }
            _ => param.name = Some(self.name_of(cursor.node())),
        }
    }

    /// The names of the properties that an object pattern destructures, with the texts of their defaults.
    fn destructured_properties(&mut self, pattern: Node) -> ThinVec<(NameId, Option<ArcStr>)> {
        let fields = &self.grammar.fields;
        let mut walk = pattern.walk();
        let mut properties = ThinVec::new();
        for part in pattern.named_children(&mut walk) {
            let (name, default) = match self.kind(part) {
                SyntaxKind::Node(NodeKind::ShorthandPropertyIdentifierPattern) => (Some(part), None),
                SyntaxKind::Node(NodeKind::ObjectAssignmentPattern) => {
                    (part.child_by_field_id(fields.left), part.child_by_field_id(fields.right))
                }
                SyntaxKind::Node(NodeKind::PairPattern) => {
                    let value = part.child_by_field_id(fields.value);
                    let value = value.filter(|value| self.is_node(*value, NodeKind::AssignmentPattern));
                    let key = part.child_by_field_id(fields.key);
                    let key = key.filter(|key| !self.is_node(*key, NodeKind::ComputedPropertyName));
                    (key, value.and_then(|value| value.child_by_field_id(fields.right)))
                }
                _ => (None, None),
            };
            if let Some(name) = name {
                let name = self.intern(&text::name_value(self.text(name)));
                properties.push((name, default.map(|default| self.texts.keep(&text::default(self.text(default))))));
            }
        }
        properties
    }

    /// Declares the names of a destructured parameter.
    fn declare_parameter_pattern(&mut self, cursor: &mut TreeCursor, def: DefId, at: u16, ty: Option<TypeId>) {
        let binding = PatternBinding {
            annotation: ty,
            source: ValueSource::Parameter(def, at),
            is_const: false,
            scope: self.frame.scope,
            exporting: ExportModifier::No,
        };
        let fields = &self.grammar.fields;
        self.fields(cursor, |this, cursor, kind, field| {
            if field != fields.pattern && field != fields.name {
                return;
            }
            if kind == NodeKind::RestPattern {
                this.first_named_child(cursor, |this, cursor, _| {
                    this.declare_pattern(cursor, &binding, &mut SmallVec::new());
                });
            } else {
                this.declare_pattern(cursor, &binding, &mut SmallVec::new());
            }
        });
    }
}

/// A parameter without a name, pattern or modifier.
pub(super) fn blank_parameter(line: u32) -> Param {
    Param {
        name: None,
        is_array_pattern: false,
        properties: ThinVec::new(),
        pattern: None,
        is_rest: false,
        is_optional: false,
        field: None,
        is_readonly: false,
        annotation: None,
        default: None,
        decorators: ThinVec::new(),
        line,
    }
}
