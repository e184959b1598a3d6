//! Declared variables and destructuring patterns.

use smallvec::SmallVec;
use thin_vec::ThinVec;
use tree_sitter::TreeCursor;

use super::{
    context::ExportModifier,
    facts::{Decl, NameId, PatternStep, ScopeId, TypeId, ValueSource, Variable, VariableId},
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::{Lowering, index_u16},
};
use crate::syntax::tree::line_of;

/// The properties that all names of a declared pattern share.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternBinding {
    /// The annotation of the whole pattern.
    pub(super) annotation: Option<TypeId>,
    /// The origin of the value of the whole pattern.
    pub(super) source: ValueSource,
    pub(super) is_const: bool,
    /// The scope in which the names are declared.
    pub(super) scope: ScopeId,
    pub(super) exporting: ExportModifier,
}

/// The steps from the value of the whole pattern to the value of one of its names.
type PatternPath = SmallVec<[PatternStep; 1]>;

impl Lowering<'_> {
    /// Declares a variable.
    pub(super) fn declare_variable(
        &mut self,
        name: NameId,
        line: u32,
        binding: &PatternBinding,
        path: PatternPath,
    ) -> VariableId {
        let id = VariableId::new(self.facts.variables.len());
        let PatternBinding { annotation, source, is_const, scope, exporting } = *binding;
        self.facts.variables.push(Variable {
            name,
            line,
            is_const,
            annotation,
            annotation_text: None,
            value_text: None,
            source,
            path,
            assigned: ThinVec::new(),
        });
        self.declare_exported(scope, name, Decl::Variable(id), exporting, line);
        id
    }

    /// Declares the names of the pattern at the cursor. `path` is the path from the whole pattern to the pattern at the
    /// cursor.
    pub(super) fn declare_pattern(
        &mut self,
        cursor: &mut TreeCursor,
        binding: &PatternBinding,
        path: &mut PatternPath,
    ) {
        let node = cursor.node();
        let before = path.len();
        self.descend(node, |this| match this.kind(node) {
            SyntaxKind::Node(NodeKind::Identifier | NodeKind::ShorthandPropertyIdentifierPattern) => {
                let name = this.name_of(node);
                this.declare_variable(name, line_of(node), binding, path.clone());
            }
            SyntaxKind::Node(NodeKind::ObjectPattern) => {
                this.named_children(cursor, |this, cursor, kind| {
                    this.property_pattern(cursor, kind, binding, path);
                    path.truncate(before);
                });
            }
            SyntaxKind::Node(NodeKind::ArrayPattern) => this.array_pattern(cursor, binding, path),
            SyntaxKind::Node(NodeKind::AssignmentPattern) => this.pattern_with_default(cursor, binding, path),
            SyntaxKind::Node(NodeKind::Undefined) => {}
            _ => {
                this.expr(cursor);
            }
        });
        path.truncate(before);
    }

    fn array_pattern(&mut self, cursor: &mut TreeCursor, binding: &PatternBinding, path: &mut PatternPath) {
        let before = path.len();
        let mut at = 0;
        self.children(cursor, |this, cursor, kind| match kind {
            SyntaxKind::Token(TokenKind::Comma) => at += 1,
            SyntaxKind::Node(kind) => {
                if let Some(at) = index_u16(at) {
                    if kind == NodeKind::RestPattern {
                        path.push(PatternStep::RestElements(at));
                        this.first_named_child(cursor, |this, cursor, _| this.declare_pattern(cursor, binding, path));
                    } else {
                        path.push(PatternStep::Element(at));
                        this.declare_pattern(cursor, binding, path);
                    }
                    path.truncate(before);
                }
            }
            _ => {}
        });
    }

    fn property_pattern(
        &mut self,
        cursor: &mut TreeCursor,
        kind: NodeKind,
        binding: &PatternBinding,
        path: &mut PatternPath,
    ) {
        let fields = &self.grammar.fields;
        let (first, step) = (self.facts.variables.len(), path.len());
        match kind {
            NodeKind::ShorthandPropertyIdentifierPattern => {
                let name = self.name_of(cursor.node());
                path.push(PatternStep::Property(name));
                self.declare_pattern(cursor, binding, path);
                self.add_pattern_read(cursor.node(), first, step);
            }
            NodeKind::ObjectAssignmentPattern => {
                if let Some(left) = cursor.node().child_by_field_id(fields.left)
                    && self.is_node(left, NodeKind::ShorthandPropertyIdentifierPattern)
                {
                    let name = self.name_of(left);
                    path.push(PatternStep::Property(name));
                    self.pattern_with_default(cursor, binding, path);
                    self.add_pattern_read(left, first, step);
                } else {
                    self.pattern_with_default(cursor, binding, path);
                }
            }
            NodeKind::PairPattern => {
                let mut key = None;
                self.fields(cursor, |this, cursor, _, field| {
                    if field == fields.key {
                        let name = this.property_name(cursor);
                        key = name.map(|_| cursor.node());
                        path.push(name.map_or(PatternStep::Computed, PatternStep::Property));
                    } else if field == fields.value {
                        this.declare_pattern(cursor, binding, path);
                    }
                });
                if let Some(key) = key {
                    self.add_pattern_read(key, first, step);
                }
            }
            NodeKind::RestPattern => {
                path.push(PatternStep::RestProperties);
                self.first_named_child(cursor, |this, cursor, _| this.declare_pattern(cursor, binding, path));
            }
            _ => {}
        }
    }

    /// Declares the names of `pattern = default`.
    fn pattern_with_default(&mut self, cursor: &mut TreeCursor, binding: &PatternBinding, path: &mut PatternPath) {
        let fields = &self.grammar.fields;
        self.field(cursor, fields.right, |this, cursor, _| {
            let value = this.expr(cursor);
            path.push(PatternStep::Default(value));
        });
        self.field(cursor, fields.left, |this, cursor, _| this.declare_pattern(cursor, binding, path));
    }
}
