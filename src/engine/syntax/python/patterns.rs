//! Targets of assignments, loops and `with`; patterns of `match` (PEP 634).

use compact_str::CompactString;
use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    bindings::AccessPath,
    facts::{
        AttributeAssign, BindingKind, DefBody, Expr, ExprId, Extraction, Field, NameId, NarrowingTest, UnpackStep,
    },
    grammar::NodeKind,
    lower::Lowering,
};
use crate::syntax::tree::line_of;

/// The value that is assigned to a target: an expression, and how the value is taken out of it.
#[derive(Clone, Debug)]
pub(super) struct AssignedValue {
    pub(super) value: Option<ExprId>,
    pub(super) annotation: Option<ExprId>,
    /// The source text of the annotation of an attribute.
    pub(super) annotation_text: Option<CompactString>,
    pub(super) extraction: Extraction,
    pub(super) unpack: SmallVec<[UnpackStep; 1]>,
}

impl AssignedValue {
    pub(super) fn value(value: ExprId) -> Self {
        Self {
            value: Some(value),
            annotation: None,
            annotation_text: None,
            extraction: Extraction::Value,
            unpack: SmallVec::new(),
        }
    }

    pub(super) fn extracted(value: ExprId, extraction: Extraction) -> Self {
        Self { extraction, ..Self::value(value) }
    }

    pub(super) fn iteration(value: ExprId, is_async: bool) -> Self {
        Self::extracted(value, if is_async { Extraction::AsyncIteration } else { Extraction::Iteration })
    }

    /// The part of this value that `step` selects when the value is unpacked.
    fn unpacked(&self, step: UnpackStep) -> Self {
        let mut inner = self.clone();
        inner.unpack.push(step);
        inner
    }

    pub(super) fn binding(&self) -> BindingKind {
        BindingKind::Assign {
            value: self.value,
            annotation: self.annotation,
            unpack: self.unpack.clone(),
            extraction: self.extraction,
        }
    }
}

impl Lowering<'_> {
    /// Binds the names and attributes of the target at the cursor to the assigned value.
    pub(super) fn bind_target(&mut self, cursor: &mut TreeCursor, assigned: &AssignedValue) {
        let node = cursor.node();
        let kind = self.kind(node);
        match kind {
            NodeKind::Identifier => {
                let name = self.intern(self.text(node));
                self.bind(name, line_of(node), assigned.binding());
                self.record_unpacked_field(name, line_of(node), assigned);
            }
            NodeKind::Attribute => {
                let (expr, _) = self.lower_attribute_target(cursor);
                self.bind_attribute_target(expr, line_of(node), assigned);
            }
            NodeKind::Subscript => {
                let expr = self.lower_expr(cursor);
                self.bind_item(expr, line_of(node), assigned.binding());
            }
            NodeKind::TuplePattern
            | NodeKind::ListPattern
            | NodeKind::PatternList
            | NodeKind::Tuple
            | NodeKind::List
            | NodeKind::ExpressionList => {
                self.descend(node, |this| {
                    let mut position = 0u16;
                    let mut after_star = false;
                    this.children(cursor, |this, cursor, kind| {
                        let step = match kind {
                            NodeKind::Token | NodeKind::Comment => return,
                            NodeKind::ListSplatPattern | NodeKind::ListSplat => {
                                after_star = true;
                                UnpackStep::Rest
                            }
                            // Items after a star (PEP 3132) count from the right, so their position is unknown.
                            _ if after_star => UnpackStep::Item(u16::MAX),
                            _ => UnpackStep::Item(position),
                        };
                        position = position.saturating_add(1);
                        this.bind_target(cursor, &assigned.unpacked(step));
                    });
                });
            }
            NodeKind::ListSplatPattern
            | NodeKind::ListSplat
            | NodeKind::ParenthesizedExpression
            | NodeKind::AsPatternTarget => {
                self.descend(node, |this| {
                    this.children(cursor, |this, cursor, kind| {
                        if !kind.is_token_or_comment() {
                            this.bind_target(cursor, assigned);
                        }
                    });
                });
            }
            _ => {
                self.lower_expr(cursor);
            }
        }
    }

    /// Records the attribute that `a, b = v` directly in a class body declares. A comprehension in the body has a scope
    /// of its own, and declares none.
    fn record_unpacked_field(&mut self, name: NameId, line: u32, assigned: &AssignedValue) {
        let Some(def) = self.flow.def.filter(|_| !assigned.unpack.is_empty()) else { return };
        let def = &mut self.facts.definitions[def.index()];
        if let DefBody::Class(class) = &mut def.body
            && def.scope == self.flow.scope
        {
            class.fields.push(Field { name, line, annotation: None, value: None });
        }
    }

    fn bind_attribute_target(&mut self, expr: ExprId, line: u32, assigned: &AssignedValue) {
        let Some(path) = self.access_path(expr) else { return };
        let binding = self.bind_path(path, line, assigned.binding());
        let (Expr::Attribute { value, name, .. }, Some(method)) = (self.facts.expr(expr), self.flow.def) else {
            return;
        };
        let is_receiver = self.flow.receiver == Some(path.root);
        if is_receiver && matches!(self.facts.expr(value), Expr::Name { .. }) {
            let annotation = assigned.annotation_text.clone();
            self.facts.attribute_assigns.push(AttributeAssign { method, name, line, binding, annotation });
        }
    }

    /// Binds the captures of the `case` pattern at the cursor. Returns the class of a class pattern, and a tuple of the
    /// classes if all alternatives of an or-pattern are class patterns.
    pub(super) fn bind_case_pattern(&mut self, cursor: &mut TreeCursor) -> Option<ExprId> {
        let node = cursor.node();
        let kind = self.kind(node);
        self.descend(node, |this| match kind {
            NodeKind::CasePattern => {
                let mut class = None;
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        class = this.bind_case_pattern(cursor);
                    }
                });
                class
            }
            NodeKind::AsPattern => {
                let mut class = None;
                this.children(cursor, |this, cursor, kind| match kind {
                    NodeKind::Token | NodeKind::Comment => {}
                    NodeKind::Identifier => {
                        let node = cursor.node();
                        let name = this.intern(this.text(node));
                        match class {
                            Some(class) => this.bind_capture(name, line_of(node), class),
                            None => {
                                this.bind(name, line_of(node), BindingKind::Unknown);
                            }
                        }
                    }
                    _ => class = this.bind_case_pattern(cursor),
                });
                class
            }
            NodeKind::ClassPattern => {
                let mut class = None;
                this.children(cursor, |this, cursor, kind| match kind {
                    NodeKind::DottedName if class.is_none() => class = Some(this.read_dotted_name(cursor)),
                    NodeKind::Token | NodeKind::Comment => {}
                    _ => {
                        this.bind_case_pattern(cursor);
                    }
                });
                class
            }
            NodeKind::DottedName => {
                let text = this.text(node);
                if text.contains('.') {
                    let expr = this.read_dotted_name(cursor);
                    this.record_dotted_read(expr, node);
                } else if text != "_" {
                    let name = this.intern(text);
                    this.bind(name, line_of(node), BindingKind::Unknown);
                }
                None
            }
            NodeKind::UnionPattern => {
                let mut classes: SmallVec<[ExprId; 4]> = SmallVec::new();
                let mut all = true;
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        match this.bind_case_pattern(cursor) {
                            Some(class) => classes.push(class),
                            None => all = false,
                        }
                    }
                });
                (all && !classes.is_empty()).then(|| {
                    let list = this.add_list(&classes);
                    this.add_expr(Expr::Tuple(list))
                })
            }
            NodeKind::SplatPattern => {
                this.children(cursor, |this, cursor, kind| {
                    if kind == NodeKind::Identifier {
                        let node = cursor.node();
                        let name = this.intern(this.text(node));
                        this.bind(name, line_of(node), BindingKind::Unknown);
                    }
                });
                None
            }
            NodeKind::KeywordPattern => {
                let mut first = true;
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() && !std::mem::take(&mut first) {
                        this.bind_case_pattern(cursor);
                    }
                });
                None
            }
            _ => {
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        this.bind_case_pattern(cursor);
                    }
                });
                None
            }
        })
        .flatten()
    }

    fn bind_capture(&mut self, name: NameId, line: u32, class: ExprId) {
        self.bind(name, line, BindingKind::Unknown);
        let before = self.read_name(name);
        let path = AccessPath { root: name, name };
        self.bind_path(
            path,
            line,
            BindingKind::Narrow { before, test: NarrowingTest::Instance(class), positive: true },
        );
    }

    /// Records that the value pattern `a.b.c` reads its last name.
    fn record_dotted_read(&mut self, expr: ExprId, node: Node) {
        let token = node.named_child_count().checked_sub(1).and_then(|last| node.named_child(last as u32));
        if matches!(self.facts.expr(expr), Expr::Attribute { .. }) {
            self.record_read(expr, token);
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

#[cfg(test)]
mod tests {
    use crate::syntax::python;

    #[test]
    fn the_variables_of_a_comprehension_are_no_attributes() {
        let source = "class C:\n    A, B = 1, 2\n    NAMES = {v: k for k, v in PAIRS}\n    for c, d in PAIRS: pass\n";
        let facts = python::read(source);
        let class = facts.definitions[0].class().expect("a class");
        let fields: Vec<&str> = class.fields.iter().map(|field| facts.name(field.name)).collect();
        assert_eq!(fields, ["A", "B", "NAMES", "c", "d"]);
    }
}
