//! Targets of assignments, loops and `with`.

use arcstr::ArcStr;
use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    facts::{
        AttributeAddition, AttributeAssign, BindingId, BindingKind, ClassAssign, DefBody, Expr, ExprId, Extraction,
        Field, NameId, UnpackStep, UnpackingId,
    },
    grammar::NodeKind,
    lower::Lowering,
};
use crate::syntax::tree::{for_each_child, line_of};

/// The value that is assigned to a target: an expression, and how the value is taken out of it.
#[derive(Clone, Debug)]
pub(super) struct AssignedValue {
    pub(super) value: Option<ExprId>,
    pub(super) annotation: Option<ExprId>,
    /// The source text of the annotation of an attribute.
    pub(super) annotation_text: Option<ArcStr>,
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

    /// The part of this value that `step` selects when the value is unpacked or matched.
    pub(super) fn unpacked(&self, step: UnpackStep) -> Self {
        let mut inner = self.clone();
        inner.unpack.push(step);
        inner
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
                let kind = self.assignment(assigned);
                self.bind(name, line_of(node), kind);
                self.record_unpacked_field(name, line_of(node), assigned);
            }
            NodeKind::Attribute => {
                let (expr, _) = self.lower_attribute_target(cursor);
                self.bind_attribute_target(expr, line_of(node), assigned);
            }
            NodeKind::Subscript => {
                let expr = self.lower_expr(cursor);
                let kind = self.assignment(assigned);
                self.bind_item(expr, line_of(node), kind);
            }
            NodeKind::TuplePattern
            | NodeKind::ListPattern
            | NodeKind::PatternList
            | NodeKind::Tuple
            | NodeKind::List
            | NodeKind::ExpressionList => {
                self.descend(node, |this| {
                    let mut targets = 0u16;
                    let mut star = None;
                    for_each_child(cursor, |cursor| match this.kind(cursor.node()) {
                        NodeKind::Token | NodeKind::Comment => {}
                        kind => {
                            if matches!(kind, NodeKind::ListSplatPattern | NodeKind::ListSplat) {
                                star = star.or(Some(targets));
                            }
                            targets = targets.saturating_add(1);
                        }
                    });
                    let mut position = 0u16;
                    this.children(cursor, |this, cursor, kind| {
                        if kind.is_token_or_comment() {
                            return;
                        }
                        let step = UnpackStep::to_target(position, targets, star);
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

    /// The binding that gives a target a value.
    pub(super) fn assignment(&mut self, assigned: &AssignedValue) -> BindingKind {
        let unpack = (!assigned.unpack.is_empty()).then(|| {
            self.facts.unpackings.push(Box::from(&assigned.unpack[..]));
            UnpackingId::new(self.facts.unpackings.len() - 1)
        });
        let AssignedValue { value, annotation, extraction, .. } = *assigned;
        BindingKind::Assign { value, annotation, unpack, extraction }
    }

    fn bind_attribute_target(&mut self, expr: ExprId, line: u32, assigned: &AssignedValue) {
        let Some(path) = self.access_path(expr) else { return };
        let kind = self.assignment(assigned);
        let binding = self.bind_path(path, line, kind);
        let Expr::Attribute { value, name, .. } = self.facts.expr(expr) else { return };
        let Some(method) = self.flow.def else {
            self.record_class_assign(value, name, binding);
            return;
        };
        let is_receiver = self.flow.receiver == Some(path.root);
        if is_receiver && matches!(self.facts.expr(value), Expr::Name { .. }) {
            let annotation = assigned.annotation_text.clone();
            self.facts.attribute_assigns.push(AttributeAssign { method, name, line, binding, annotation });
        }
    }

    /// Records the items that `self.x += [v]` adds to an attribute of the receiver.
    pub(super) fn add_to_attribute(&mut self, attribute: ExprId, line: u32, value: ExprId) {
        let Expr::Attribute { value: receiver, name, reaching: before } = self.facts.expr(attribute) else { return };
        if !matches!(self.facts.expr(value), Expr::List(_) | Expr::Tuple(_) | Expr::Set(_)) {
            return;
        }
        if let Some(path) = self.access_path(attribute)
            && let Some(method) = self.flow.def
            && self.flow.receiver == Some(path.root)
            && matches!(self.facts.expr(receiver), Expr::Name { .. })
        {
            let kind = BindingKind::Augmented { before, value };
            // Without an assignment in the method, a read gives all items of the attribute, not only the added ones.
            let binding = match self.facts.reaching(before) {
                [] => self.record_binding(path.name, line, kind),
                _ => self.bind_path(path, line, kind),
            };
            self.facts.attribute_additions.push(AttributeAddition { method, name, binding });
        }
    }

    /// Records an assignment of the module to the attribute of a class.
    fn record_class_assign(&mut self, class: ExprId, name: NameId, binding: BindingId) {
        let Expr::Name { reaching, .. } = self.facts.expr(class) else { return };
        let &[bound] = self.facts.reaching(reaching) else { return };
        if let BindingKind::Def(class) = self.facts.bindings[bound.index()].kind
            && self.facts.def(class).class().is_some()
        {
            self.facts.class_assigns.push(ClassAssign { class, name, binding });
        }
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
