//! Patterns of `case` (PEP 634), and the names that they capture.

use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{Expr, ExprId, MentionPlace, NameId, UnpackStep},
    grammar::NodeKind,
    lower::Lowering,
    patterns::AssignedValue,
};
use crate::syntax::tree::{field_of, for_each_child, line_of, position_of};

impl Lowering<'_> {
    /// Binds the captures of the pattern at the cursor, which is matched against `subject`. Returns the class of a
    /// class pattern, and a tuple of the classes if all alternatives of an or-pattern are class patterns.
    pub(super) fn bind_case_pattern(&mut self, cursor: &mut TreeCursor, subject: &AssignedValue) -> Option<ExprId> {
        let node = cursor.node();
        let kind = self.kind(node);
        self.descend(node, |this| match kind {
            NodeKind::CasePattern => {
                let mut class = None;
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        class = this.bind_case_pattern(cursor, subject);
                    }
                });
                class
            }
            NodeKind::AsPattern => this.bind_as_pattern(cursor, subject),
            NodeKind::ClassPattern => this.bind_class_pattern(cursor, subject),
            NodeKind::UnionPattern => this.bind_union_pattern(cursor, subject),
            NodeKind::DottedName => {
                this.bind_dotted_name(cursor, subject);
                None
            }
            NodeKind::SplatPattern => {
                this.children(cursor, |this, cursor, kind| {
                    if kind == NodeKind::Identifier {
                        this.bind_capture(cursor.node(), subject);
                    }
                });
                None
            }
            NodeKind::KeywordPattern => {
                let mut class = None;
                let mut is_name = true;
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() && !std::mem::take(&mut is_name) {
                        class = this.bind_case_pattern(cursor, subject);
                    }
                });
                class
            }
            NodeKind::DictPattern => {
                this.bind_mapping_pattern(cursor, subject);
                None
            }
            NodeKind::ListPattern => {
                this.bind_sequence_pattern(cursor, subject);
                None
            }
            NodeKind::TuplePattern => {
                let mut is_sequence = false;
                for_each_child(cursor, |cursor| is_sequence |= this.text(cursor.node()) == ",");
                if is_sequence || node.named_child_count() == 0 {
                    this.bind_sequence_pattern(cursor, subject);
                    return None;
                }
                // `(p)` is the pattern `p`.
                let mut class = None;
                this.children(cursor, |this, cursor, kind| {
                    if kind == NodeKind::CasePattern {
                        class = this.bind_case_pattern(cursor, subject);
                    }
                });
                class
            }
            _ => {
                this.lower_children(cursor);
                None
            }
        })
        .flatten()
    }

    /// Binds `p as name`. Returns the class of `p`.
    fn bind_as_pattern(&mut self, cursor: &mut TreeCursor, subject: &AssignedValue) -> Option<ExprId> {
        let mut class = None;
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Token | NodeKind::Comment => {}
            NodeKind::Identifier => match class {
                Some(class) => this.bind_capture(cursor.node(), &subject.unpacked(UnpackStep::Instance(class))),
                None => this.bind_capture(cursor.node(), subject),
            },
            _ => class = this.bind_case_pattern(cursor, subject),
        });
        class
    }

    /// Binds the captures of `C(p, a=q)`. Returns `C`.
    fn bind_class_pattern(&mut self, cursor: &mut TreeCursor, subject: &AssignedValue) -> Option<ExprId> {
        let mut matched: Option<(ExprId, AssignedValue)> = None;
        let mut position = 0u16;
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Token | NodeKind::Comment => {}
            NodeKind::DottedName if matched.is_none() => {
                let class = this.read_dotted_name(cursor);
                this.record_mention(class, position_of(last_name(cursor.node())), MentionPlace::Compared);
                matched = Some((class, subject.unpacked(UnpackStep::Instance(class))));
            }
            _ => {
                let Some((_, instance)) = &matched else { return };
                let step = if let Some(name) = this.keyword_of(cursor.node()) {
                    UnpackStep::Attribute(name)
                } else {
                    position = position.saturating_add(1);
                    UnpackStep::MatchArgument(position - 1)
                };
                let argument = instance.unpacked(step);
                this.bind_case_pattern(cursor, &argument);
            }
        });
        matched.map(|(class, _)| class)
    }

    /// The name in the pattern `name=p` of a class pattern. The grammar parses `name=p as x` as `(name=p) as x`.
    fn keyword_of(&mut self, pattern: Node) -> Option<NameId> {
        let mut inner = pattern;
        while matches!(self.kind(inner), NodeKind::CasePattern | NodeKind::AsPattern) {
            inner = inner.named_child(0)?;
        }
        let name = inner.named_child(0).filter(|_| self.kind(inner) == NodeKind::KeywordPattern)?;
        Some(self.intern(self.text(name)))
    }

    /// Binds the captures of `p | q`, each of which may give a name its value. Returns a tuple of the classes if all
    /// alternatives are class patterns.
    fn bind_union_pattern(&mut self, cursor: &mut TreeCursor, subject: &AssignedValue) -> Option<ExprId> {
        let mut classes: SmallVec<[ExprId; 4]> = SmallVec::new();
        let mut all = true;
        let start = self.flow.snapshot();
        let mut branches = Vec::new();
        self.children(cursor, |this, cursor, kind| {
            if !kind.is_token_or_comment() {
                match this.bind_case_pattern(cursor, subject) {
                    Some(class) => classes.push(class),
                    None => all = false,
                }
                branches.push(this.flow.rollback(start));
            }
        });
        self.flow.join(&mut self.facts, &branches);
        (all && !classes.is_empty()).then(|| {
            let list = self.add_list(&classes);
            self.add_expr(Expr::Tuple(list))
        })
    }

    /// Binds the captures of the patterns below the node at the cursor, which match the items of `subject`: `[p, *q]`,
    /// `(p, q)`, `case p, q:`.
    pub(super) fn bind_sequence_pattern(&mut self, cursor: &mut TreeCursor, subject: &AssignedValue) {
        let mut patterns = 0u16;
        let mut star = None;
        for_each_child(cursor, |cursor| {
            let node = cursor.node();
            if self.kind(node) == NodeKind::CasePattern {
                let inner = node.named_child(0);
                if inner.is_some_and(|inner| self.kind(inner) == NodeKind::SplatPattern) {
                    star = star.or(Some(patterns));
                }
                patterns = patterns.saturating_add(1);
            }
        });
        let is_open = star.is_some();
        let len = patterns.saturating_sub(u16::from(is_open));
        let sequence = subject.unpacked(UnpackStep::Sequence { len, is_open });
        let mut position = 0u16;
        self.children(cursor, |this, cursor, kind| {
            if kind == NodeKind::CasePattern {
                let item = sequence.unpacked(UnpackStep::to_target(position, patterns, star));
                position = position.saturating_add(1);
                this.bind_case_pattern(cursor, &item);
            }
        });
    }

    /// Binds the captures of `{key: p, **rest}`.
    fn bind_mapping_pattern(&mut self, cursor: &mut TreeCursor, subject: &AssignedValue) {
        let fields = &self.grammar.fields;
        let mut value = None;
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            if field == fields.key && !kind.is_token_or_comment() {
                let key = match kind {
                    NodeKind::DottedName => this.read_dotted_name(cursor),
                    _ => this.lower_expr(cursor),
                };
                value = Some(subject.unpacked(UnpackStep::Key(key)));
            } else if field == fields.value
                && let Some(value) = &value
            {
                this.bind_case_pattern(cursor, value);
            } else if kind == NodeKind::SplatPattern {
                this.bind_case_pattern(cursor, &subject.unpacked(UnpackStep::OtherKeys));
            }
        });
    }

    /// Reads the value pattern `a.b`, or binds the capture pattern `a`. The wildcard `_` binds nothing.
    fn bind_dotted_name(&mut self, cursor: &mut TreeCursor, subject: &AssignedValue) {
        let node = cursor.node();
        let text = self.text(node);
        if text.contains('.') {
            let expr = self.read_dotted_name(cursor);
            self.record_dotted_read(expr, node);
            self.record_mention(expr, position_of(last_name(node)), MentionPlace::Compared);
        } else if text != "_" {
            self.bind_capture(node, subject);
        }
    }

    /// Binds the name at a node to the part of the subject that its pattern matches.
    fn bind_capture(&mut self, node: Node, matched: &AssignedValue) {
        let name = self.intern(self.text(node));
        let kind = self.assignment(matched);
        self.bind(name, line_of(node), kind);
    }

    /// Records that the value pattern `a.b.c` reads its last name.
    fn record_dotted_read(&mut self, expr: ExprId, node: Node) {
        if matches!(self.facts.expr(expr), Expr::Attribute { .. }) {
            self.record_read(expr, last_name(node));
        }
    }

    /// Lowers the dotted name at the cursor as an expression.
    pub(super) fn read_dotted_name(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut expr = None;
        self.children(cursor, |this, cursor, kind| {
            if kind == NodeKind::Identifier {
                let text = this.text(cursor.node());
                let name = this.intern(text);
                expr = Some(match expr {
                    None => this.read_name(name),
                    Some(value) => this.read_attribute(value, name),
                });
            }
        });
        expr.unwrap_or_else(|| self.unknown())
    }
}

/// The last name of a dotted name.
fn last_name(dotted: Node) -> Option<Node> {
    dotted.named_child(dotted.named_child_count().saturating_sub(1) as u32).or(Some(dotted))
}
