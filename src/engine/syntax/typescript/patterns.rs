//! Declared names and patterns of them.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    facts::{Decl, NameId, PatternStep, ScopeId, TypeId, ValueSource, Variable, VariableId},
    frame::Exporting,
    kinds::{Kind, Named, Token},
    lower::{Lowering, line_of, nth},
};

/// Where the value of a pattern comes from, and where its names go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) annotation: Option<TypeId>,
    pub(super) source: ValueSource,
    pub(super) is_const: bool,
    pub(super) scope: ScopeId,
    pub(super) exporting: Exporting,
}

type Steps = SmallVec<[PatternStep; 1]>;

impl Lowering<'_> {
    /// Declares a variable.
    pub(super) fn declare_variable(&mut self, name: NameId, line: u32, origin: &Origin, path: Steps) -> VariableId {
        let id = VariableId::new(self.facts.variables.len());
        let Origin { annotation, source, is_const, scope, exporting } = *origin;
        self.facts.variables.push(Variable {
            name,
            line,
            is_const,
            annotation,
            annotation_text: None,
            value_text: None,
            source,
            path,
            assigned: Vec::new(),
        });
        self.declare_exported(scope, name, Decl::Variable(id), exporting, line);
        id
    }

    /// Declares the names of the pattern at the cursor. `steps` lead to it.
    pub(super) fn declare_pattern(&mut self, cursor: &mut TreeCursor, origin: &Origin, steps: &mut Steps) {
        let node = cursor.node();
        let before = steps.len();
        self.deeper(node, |this| match this.kind(node) {
            Kind::Node(Named::Identifier | Named::ShorthandPropertyIdentifierPattern) => {
                let name = this.name_of(node);
                this.declare_variable(name, line_of(node), origin, steps.clone());
            }
            Kind::Node(Named::ObjectPattern) => {
                this.nodes(cursor, |this, cursor, kind| {
                    this.property_pattern(cursor, kind, origin, steps);
                    steps.truncate(before);
                });
            }
            Kind::Node(Named::ArrayPattern) => this.array_pattern(cursor, origin, steps),
            Kind::Node(Named::AssignmentPattern) => this.defaulted(cursor, origin, steps),
            Kind::Node(Named::Undefined) => {}
            _ => {
                this.expr(cursor);
            }
        });
        steps.truncate(before);
    }

    fn array_pattern(&mut self, cursor: &mut TreeCursor, origin: &Origin, steps: &mut Steps) {
        let before = steps.len();
        let mut at = 0;
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Token(Token::Comma) => at += 1,
            Kind::Node(kind) => {
                if let Some(at) = nth(at) {
                    if kind == Named::RestPattern {
                        steps.push(PatternStep::RestElements(at));
                        this.first(cursor, |this, cursor, _| this.declare_pattern(cursor, origin, steps));
                    } else {
                        steps.push(PatternStep::Element(at));
                        this.declare_pattern(cursor, origin, steps);
                    }
                    steps.truncate(before);
                }
            }
            _ => {}
        });
    }

    fn property_pattern(&mut self, cursor: &mut TreeCursor, kind: Named, origin: &Origin, steps: &mut Steps) {
        let fields = &self.grammar.fields;
        match kind {
            Named::ShorthandPropertyIdentifierPattern => {
                let name = self.name_of(cursor.node());
                steps.push(PatternStep::Property(name));
                self.declare_pattern(cursor, origin, steps);
            }
            Named::ObjectAssignmentPattern => {
                if let Some(left) = cursor.node().child_by_field_id(fields.left)
                    && self.is(left, Named::ShorthandPropertyIdentifierPattern)
                {
                    let name = self.name_of(left);
                    steps.push(PatternStep::Property(name));
                }
                self.defaulted(cursor, origin, steps);
            }
            Named::PairPattern => self.fields(cursor, |this, cursor, _, field| {
                if field == fields.key {
                    let name = this.property_name(cursor);
                    steps.push(name.map_or(PatternStep::Computed, PatternStep::Property));
                } else if field == fields.value {
                    this.declare_pattern(cursor, origin, steps);
                }
            }),
            Named::RestPattern => {
                steps.push(PatternStep::RestProperties);
                self.first(cursor, |this, cursor, _| this.declare_pattern(cursor, origin, steps));
            }
            _ => {}
        }
    }

    /// `pattern = value`
    fn defaulted(&mut self, cursor: &mut TreeCursor, origin: &Origin, steps: &mut Steps) {
        let fields = &self.grammar.fields;
        self.field(cursor, fields.right, |this, cursor, _| {
            let value = this.expr(cursor);
            steps.push(PatternStep::Default(value));
        });
        self.field(cursor, fields.left, |this, cursor, _| this.declare_pattern(cursor, origin, steps));
    }
}
