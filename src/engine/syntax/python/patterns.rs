//! Targets of assignments, loops and `with`; patterns of `match`.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    facts::{AttributeAssign, BindingKind, Expr, ExprId, Test, UnpackStep, Via},
    kinds::Kind,
    lower::{Key, Lowering, line_of},
};

/// What a target is given.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) value: Option<ExprId>,
    pub(super) annotation: Option<ExprId>,
    pub(super) via: Via,
    pub(super) path: SmallVec<[UnpackStep; 1]>,
}

impl Target {
    pub(super) fn value(value: ExprId) -> Self {
        Self { value: Some(value), annotation: None, via: Via::Value, path: SmallVec::new() }
    }

    pub(super) fn via(value: ExprId, via: Via) -> Self {
        Self { via, ..Self::value(value) }
    }

    pub(super) fn iteration(value: ExprId, is_async: bool) -> Self {
        Self::via(value, if is_async { Via::AsyncIteration } else { Via::Iteration })
    }

    fn step(&self, step: UnpackStep) -> Self {
        let mut inner = self.clone();
        inner.path.push(step);
        inner
    }

    pub(super) fn binding(&self) -> BindingKind {
        BindingKind::Assign { value: self.value, annotation: self.annotation, path: self.path.clone(), via: self.via }
    }
}

impl Lowering<'_> {
    /// Binds what the pattern at the cursor names.
    pub(super) fn target(&mut self, cursor: &mut TreeCursor, target: &Target) {
        let node = cursor.node();
        let kind = self.kind(node);
        match kind {
            Kind::Identifier => {
                let name = self.intern(self.text(node));
                self.bind(name, line_of(node), target.binding());
            }
            Kind::Attribute => {
                let expr = self.expr(cursor);
                self.attribute_target(expr, line_of(node), target);
            }
            Kind::TuplePattern
            | Kind::ListPattern
            | Kind::PatternList
            | Kind::Tuple
            | Kind::List
            | Kind::ExpressionList => {
                self.deeper(node, |this| {
                    let mut position = 0u16;
                    let mut after_star = false;
                    this.children(cursor, |this, cursor, kind| {
                        let step = match kind {
                            Kind::Token | Kind::Comment => return,
                            Kind::ListSplatPattern | Kind::ListSplat => {
                                after_star = true;
                                UnpackStep::Rest
                            }
                            // What follows a star counts from the right: its place is not known here.
                            _ if after_star => UnpackStep::Item(u16::MAX),
                            _ => UnpackStep::Item(position),
                        };
                        position = position.saturating_add(1);
                        this.target(cursor, &target.step(step));
                    });
                });
            }
            Kind::ListSplatPattern | Kind::ListSplat | Kind::ParenthesizedExpression | Kind::AsPatternTarget => {
                self.deeper(node, |this| {
                    this.children(cursor, |this, cursor, kind| {
                        if !matches!(kind, Kind::Token | Kind::Comment) {
                            this.target(cursor, target);
                        }
                    });
                });
            }
            _ => {
                self.expr(cursor);
            }
        }
    }

    fn attribute_target(&mut self, expr: ExprId, line: u32, target: &Target) {
        let Some(key) = self.key(expr) else { return };
        let binding = self.bind_key(key, line, target.binding());
        let (Expr::Attribute { value, name, .. }, Some(method)) = (self.facts.expr(expr), self.frame.def) else {
            return;
        };
        let is_receiver = self.frame.receiver == Some(key.root);
        if is_receiver && matches!(self.facts.expr(value), Expr::Name { .. }) {
            self.facts.attribute_assigns.push(AttributeAssign { method, name, line, binding });
        }
    }

    /// Binds the captures of the `case` pattern at the cursor, and returns the class that it matches.
    pub(super) fn case_pattern(&mut self, cursor: &mut TreeCursor) -> Option<ExprId> {
        let node = cursor.node();
        let kind = self.kind(node);
        self.deeper(node, |this| match kind {
            Kind::CasePattern => {
                let mut class = None;
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) {
                        class = this.case_pattern(cursor);
                    }
                });
                class
            }
            Kind::AsPattern => {
                let mut class = None;
                this.children(cursor, |this, cursor, kind| match kind {
                    Kind::Token | Kind::Comment => {}
                    Kind::Identifier => {
                        let node = cursor.node();
                        let name = this.intern(this.text(node));
                        match class {
                            Some(class) => this.bind_instance(name, line_of(node), class),
                            None => {
                                this.bind(name, line_of(node), BindingKind::Unknown);
                            }
                        }
                    }
                    _ => class = this.case_pattern(cursor),
                });
                class
            }
            Kind::ClassPattern => {
                let mut class = None;
                this.children(cursor, |this, cursor, kind| match kind {
                    Kind::DottedName if class.is_none() => class = Some(this.dotted_read(cursor)),
                    Kind::Token | Kind::Comment => {}
                    _ => {
                        this.case_pattern(cursor);
                    }
                });
                class
            }
            Kind::DottedName => {
                let text = this.text(node);
                if !text.contains('.') && text != "_" {
                    let name = this.intern(text);
                    this.bind(name, line_of(node), BindingKind::Unknown);
                }
                None
            }
            Kind::UnionPattern => {
                let mut classes: SmallVec<[ExprId; 4]> = SmallVec::new();
                let mut all = true;
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) {
                        match this.case_pattern(cursor) {
                            Some(class) => classes.push(class),
                            None => all = false,
                        }
                    }
                });
                (all && !classes.is_empty()).then(|| {
                    let list = this.add_list(&classes);
                    this.add(Expr::Tuple(list))
                })
            }
            Kind::SplatPattern => {
                this.children(cursor, |this, cursor, kind| {
                    if kind == Kind::Identifier {
                        let node = cursor.node();
                        let name = this.intern(this.text(node));
                        this.bind(name, line_of(node), BindingKind::Unknown);
                    }
                });
                None
            }
            Kind::KeywordPattern => {
                let mut first = true;
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) && !std::mem::take(&mut first) {
                        this.case_pattern(cursor);
                    }
                });
                None
            }
            _ => {
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) {
                        this.case_pattern(cursor);
                    }
                });
                None
            }
        })
        .flatten()
    }

    fn bind_instance(&mut self, name: super::facts::NameId, line: u32, class: ExprId) {
        self.bind(name, line, BindingKind::Unknown);
        let before = self.read(name);
        let key = Key { root: name, whole: name };
        self.bind_key(key, line, BindingKind::Narrow { before, test: Test::Instance(class), positive: true });
    }

    /// A dotted name at the cursor, read as an expression.
    pub(super) fn dotted_read(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut expr = None;
        self.children(cursor, |this, cursor, kind| {
            if kind == Kind::Identifier {
                let text = this.text(cursor.node());
                let name = this.intern(text);
                expr = Some(match expr {
                    None => this.read(name),
                    Some(value) => this.attribute_of(value, name),
                });
            }
        });
        expr.unwrap_or_else(|| self.unknown())
    }
}
