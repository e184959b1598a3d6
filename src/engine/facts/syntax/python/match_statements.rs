//! The statement `match` (PEP 634).

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    bindings::AccessPath,
    facts::{BindingKind, Expr, ExprId, NarrowingTest},
    flow::BranchChanges,
    grammar::NodeKind,
    lower::Lowering,
    patterns::AssignedValue,
};
use crate::syntax::tree::{field_of, for_each_child};

/// The value that the patterns of a `match` statement are matched against.
struct Subject {
    value: AssignedValue,
    /// The expression that the patterns narrow, if it has an access path.
    narrowed: Option<(AccessPath, ExprId)>,
}

impl Lowering<'_> {
    pub(super) fn lower_match(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut subjects: SmallVec<[ExprId; 2]> = SmallVec::new();
        self.field(cursor, fields.subject, |this, cursor, _| subjects.push(this.lower_expr(cursor)));
        let subject = if let [only] = subjects[..] {
            only
        } else {
            let list = self.add_list(&subjects);
            self.add_expr(Expr::Tuple(list))
        };
        let narrowed = self.access_path(subject).map(|path| (path, subject));
        let subject = Subject { value: AssignedValue::value(subject), narrowed };
        let start = self.flow.snapshot();
        let mut branches = Vec::new();
        self.field(cursor, fields.body, |this, cursor, _| {
            this.children(cursor, |this, cursor, kind| {
                if kind == NodeKind::CaseClause {
                    let class = this.lower_case(cursor, &subject, &mut branches);
                    if let (Some((path, before)), Some(class)) = (subject.narrowed, class) {
                        let test = NarrowingTest::Instance(class);
                        this.bind_path(path, 0, BindingKind::Narrow { before, test, positive: false });
                    }
                }
            });
        });
        branches.push(self.flow.rollback(start));
        self.flow.join(&mut self.facts, &branches);
    }

    /// Lowers a `case`. Returns the class of its pattern if the case matches every instance of the class.
    fn lower_case(
        &mut self,
        cursor: &mut TreeCursor,
        subject: &Subject,
        branches: &mut Vec<BranchChanges>,
    ) -> Option<ExprId> {
        let fields = &self.grammar.fields;
        let start = self.flow.snapshot();
        let mut class = None;
        let mut matches_all_instances = true;
        // `case p, q:` is a sequence pattern without brackets.
        let mut is_sequence = false;
        for_each_child(cursor, |cursor| is_sequence |= self.text(cursor.node()) == ",");
        if is_sequence {
            self.bind_sequence_pattern(cursor, &subject.value);
        }
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            if kind == NodeKind::CasePattern && !is_sequence {
                matches_all_instances &= this.text(cursor.node()).ends_with("()");
                class = this.bind_case_pattern(cursor, &subject.value);
                if let (Some((path, before)), Some(class)) = (subject.narrowed, class) {
                    let test = NarrowingTest::Instance(class);
                    this.bind_path(path, 0, BindingKind::Narrow { before, test, positive: true });
                }
            } else if field == fields.guard {
                matches_all_instances = false;
                this.lower_guard(cursor);
            } else if field == fields.consequence {
                this.lower_block(cursor);
            }
        });
        branches.push(self.flow.rollback(start));
        class.filter(|_| matches_all_instances)
    }

    /// Lowers the condition after a pattern, which narrows the block of the case.
    fn lower_guard(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| {
            if !kind.is_token_or_comment() {
                let (_, condition) = this.lower_condition(cursor);
                this.assume(&condition, true);
            }
        });
    }
}
