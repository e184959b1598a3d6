//! Statements: their bindings and their effect on the flow.

use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{BindingKind, DefBody, Expr, ExprId, Extraction, Function, MentionPlace, NameId},
    grammar::NodeKind,
    lower::Lowering,
    patterns::AssignedValue,
    text,
    type_aliases::{bound_of_type_variable, is_type},
};
use crate::syntax::tree::line_of;
use apidisc_base::nesting;

/// The string literals in an expression that is a list of names, such as the value of `__all__`.
#[derive(Default)]
struct StringList {
    names: Vec<NameId>,
    /// True if the expression is a list, tuple or set literal, or a sum that begins with one.
    has_literal: bool,
    /// True if the expression has items that are not string literals.
    is_open: bool,
}

impl Lowering<'_> {
    /// Lowers all statements in the node at the cursor, which is a module, a block or an error node.
    pub(super) fn lower_block(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| this.lower_statement(cursor, kind));
    }

    fn lower_statement(&mut self, cursor: &mut TreeCursor, kind: NodeKind) {
        let node = cursor.node();
        let is_branching = matches!(
            kind,
            NodeKind::IfStatement
                | NodeKind::WhileStatement
                | NodeKind::ForStatement
                | NodeKind::TryStatement
                | NodeKind::MatchStatement
        );
        self.flow.branches += u32::from(is_branching);
        self.descend(node, |this| match kind {
            NodeKind::Token | NodeKind::Comment | NodeKind::PassStatement => {}
            NodeKind::ExpressionStatement => this.lower_expression_statement(cursor),
            NodeKind::ImportStatement => this.lower_import(cursor),
            NodeKind::ImportFrom => this.lower_import_from(cursor),
            NodeKind::FutureImport => {}
            NodeKind::FunctionDefinition | NodeKind::ClassDefinition => {
                this.lower_definition(cursor, kind, ThinVec::new(), this.facts.mentions.len());
            }
            NodeKind::DecoratedDefinition => this.lower_decorated(cursor),
            NodeKind::ReturnStatement => this.lower_return(cursor),
            NodeKind::RaiseStatement => {
                this.lower_raise(cursor);
                this.flow.reachable = false;
            }
            NodeKind::BreakStatement => this.flow.jump(true),
            NodeKind::ContinueStatement => this.flow.jump(false),
            NodeKind::IfStatement => this.lower_if(cursor),
            NodeKind::WhileStatement => this.lower_while(cursor),
            NodeKind::ForStatement => this.lower_for(cursor),
            NodeKind::TryStatement => this.lower_try(cursor),
            NodeKind::WithStatement => this.lower_with(cursor),
            NodeKind::MatchStatement => this.lower_match(cursor),
            NodeKind::AssertStatement => this.lower_assert(cursor),
            NodeKind::DeleteStatement => this.lower_delete(cursor),
            NodeKind::GlobalStatement | NodeKind::NonlocalStatement => {
                this.declare_outer_names(cursor, kind == NodeKind::GlobalStatement);
            }
            NodeKind::TypeAliasStatement => this.lower_type_alias(cursor),
            // Broken syntax: lower the statements that the parser recovered.
            NodeKind::Error | NodeKind::Block => this.lower_block(cursor),
            _ => {
                this.lower_expr(cursor);
            }
        });
        self.flow.branches -= u32::from(is_branching);
    }

    fn lower_expression_statement(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Assignment => {
                this.lower_assignment(cursor);
            }
            NodeKind::AugmentedAssignment => this.lower_augmented_assignment(cursor),
            NodeKind::Token | NodeKind::Comment => {}
            _ => {
                let expr = this.lower_expr(cursor);
                this.extend_dunder_all(expr);
                this.bind_changed_items(expr, line_of(cursor.node()));
                if this.never_returns(expr) {
                    this.flow.reachable = false;
                }
            }
        });
    }

    /// True for calls that do not return, such as `sys.exit()`.
    fn never_returns(&self, expr: ExprId) -> bool {
        let Expr::Call(site) = self.facts.expr(expr) else { return false };
        match self.facts.expr(self.facts.calls[site.index()].callee) {
            Expr::Name { name, reaching, .. } => {
                reaching.is_empty() && matches!(self.facts.name(name), "exit" | "quit")
            }
            Expr::Attribute { value, name, .. } => match self.facts.expr(value) {
                Expr::Name { name: root, .. } => matches!(
                    (self.facts.name(root), self.facts.name(name)),
                    ("sys", "exit") | ("os", "_exit" | "abort") | ("pytest", "fail" | "skip" | "exit" | "xfail")
                ),
                _ => false,
            },
            _ => false,
        }
    }

    /// Lowers the assignment at the cursor and returns its value. `a = b = v` is an assignment nested in another one.
    fn lower_assignment(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mut left = None;
        let mut annotation = None;
        let mut annotation_text = "";
        let mut value = None;
        let mut value_text = "";
        let mut constant = None;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.left {
                left = Some((cursor.node(), kind));
            } else if field == fields.ty {
                annotation_text = this.text(cursor.node());
                annotation = Some(this.lower_annotation(cursor));
            } else if field == fields.right {
                value_text = this.text(cursor.node());
                let outer = this.mention_place;
                this.mention_place = Some(this.place_of_value(left.map(|(node, _)| node)));
                value = Some(match kind {
                    NodeKind::Assignment => this.lower_assignment(cursor),
                    NodeKind::AugmentedAssignment => {
                        this.lower_augmented_assignment(cursor);
                        this.unknown()
                    }
                    _ if annotation_text.ends_with("TypeAlias") => this.lower_annotation(cursor),
                    // The name of an integer may be an index.
                    NodeKind::Integer if matches!(left, Some((_, NodeKind::Identifier))) => {
                        let index = value_text.parse().map(Expr::Position);
                        this.add_expr(index.unwrap_or(Expr::Int))
                    }
                    _ if may_be_static(kind, value_text) => {
                        let (value, condition) = this.lower_condition(cursor);
                        constant = condition.constant();
                        value
                    }
                    _ => this.lower_expr(cursor),
                });
                this.mention_place = outer;
                if kind == NodeKind::Subscript
                    && let Some(value) = value
                {
                    this.parse_quoted_alias(value);
                }
            }
        });
        let declared = annotation.map(|annotation| (annotation, annotation_text));
        if annotation.is_none()
            && value.is_some()
            && matches!(left, Some((_, NodeKind::Identifier | NodeKind::Attribute)))
            && let Some((ty, text)) = self.type_comment_after(cursor.node().end_byte())
        {
            (annotation, annotation_text) = (Some(ty), text);
        }
        let assigned = AssignedValue {
            value,
            annotation,
            annotation_text: annotation.map(|_| self.kept_text(&text::annotation(annotation_text))),
            extraction: Extraction::Value,
            unpack: smallvec::SmallVec::new(),
        };
        match left {
            Some((node, NodeKind::Identifier)) => {
                let text = self.text(node);
                let call = cursor.node().child_by_field_id(fields.right).filter(|_| declared.is_none());
                if let (Some(value), Some(call)) = (value, call.filter(|call| self.kind(*call) == NodeKind::Call))
                    && self.bind_made_class(node, value, call)
                {
                    return value;
                }
                let name = self.intern(text);
                // A type comment declares no field of a data class: it does not exist at run time.
                self.record_field(name, line_of(node), declared, value.map(|v| (v, value_text)));
                if annotation_text.ends_with("TypeAlias") || declared.is_none() && is_type(value_text) {
                    self.record_type_alias(name, value_text, &[]);
                } else if let Some(bound) = bound_of_type_variable(value_text) {
                    self.record_type_alias(name, &bound, &[]);
                }
                if text == "__all__" {
                    self.set_dunder_all(value);
                }
                self.note_static_name(name, constant);
                let kind = self.assignment(&assigned);
                self.bind(name, line_of(node), kind);
            }
            // Any other target is lowered after the value.
            _ => self.field(cursor, fields.left, |this, cursor, _| this.bind_target(cursor, &assigned)),
        }
        value.unwrap_or_else(|| self.unknown())
    }

    fn lower_augmented_assignment(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let place = self.place_of_value(cursor.node().child_by_field_id(fields.left));
        let value = self.at_place(Some(place), |this| this.lower_field(cursor, fields.right));
        let value = value.unwrap_or_else(|| self.unknown());
        self.field(cursor, fields.left, |this, cursor, kind| {
            let node = cursor.node();
            let left = this.lower_expr(cursor);
            if kind == NodeKind::Attribute {
                this.add_to_attribute(left, line_of(node), value);
            }
            if kind != NodeKind::Identifier {
                return;
            }
            let name = this.intern(this.text(node));
            if this.text(node) == "__all__" {
                this.add_to_dunder_all(value);
            }
            let Expr::Name { reaching, .. } = this.facts.expr(left) else { return };
            this.bind(name, line_of(node), BindingKind::Augmented { before: reaching, value });
        });
    }

    /// Adds the names of `__all__.extend([...])` and `__all__.append("x")`.
    fn extend_dunder_all(&mut self, expr: ExprId) {
        let Expr::Call(site) = self.facts.expr(expr) else { return };
        let site = &self.facts.calls[site.index()];
        let Expr::Attribute { value, name, .. } = self.facts.expr(site.callee) else { return };
        let [argument] = &site.arguments[..] else { return };
        let argument = argument.value;
        if !self.facts.is_named(value, "__all__") {
            return;
        }
        match (self.facts.name(name), self.facts.expr(argument)) {
            ("extend", _) => self.add_to_dunder_all(argument),
            ("append", Expr::Str(Some(name))) => self.facts.all.get_or_insert_default().push(name),
            _ => {}
        }
    }

    /// Sets the names of `__all__` to those in the assigned value.
    fn set_dunder_all(&mut self, value: Option<ExprId>) {
        let list = value.map(|value| self.string_list(value)).filter(|list| list.has_literal);
        self.facts.is_all_open = list.as_ref().is_some_and(|list| list.is_open);
        self.facts.all = list.map(|list| list.names);
    }

    /// Adds the strings in a list to the names of `__all__`.
    fn add_to_dunder_all(&mut self, value: ExprId) {
        let list = self.string_list(value);
        if list.has_literal {
            self.facts.all.get_or_insert_default().extend(list.names);
        }
        self.facts.is_all_open |= list.is_open && self.facts.all.is_some();
    }

    /// The strings in a list, tuple or set literal, or in a sum that begins with one.
    fn string_list(&self, expr: ExprId) -> StringList {
        let Some(_level) = nesting::descend() else { return StringList::default() };
        match self.facts.expr(expr) {
            Expr::List(list) | Expr::Tuple(list) | Expr::Set(list) => {
                let items = self.facts.list(list);
                let string = |item: &ExprId| match self.facts.expr(*item) {
                    Expr::Str(name) => name,
                    _ => None,
                };
                let names: Vec<NameId> = items.iter().filter_map(string).collect();
                StringList { is_open: names.len() < items.len(), names, has_literal: true }
            }
            Expr::Binary { left, right, .. } => {
                let mut list = self.string_list(left);
                let more = self.string_list(right);
                list.names.extend(more.names);
                list.is_open |= more.is_open;
                list
            }
            _ => StringList { is_open: true, ..StringList::default() },
        }
    }

    /// Lowers `raise error from cause` at the cursor.
    fn lower_raise(&mut self, cursor: &mut TreeCursor) {
        let mut place = Some(MentionPlace::Raised);
        self.children(cursor, |this, cursor, kind| {
            if !kind.is_token_or_comment() {
                this.at_place(place.take(), |this| this.lower_expr(cursor));
            }
        });
    }

    fn lower_return(&mut self, cursor: &mut TreeCursor) {
        let mut value = self.add_expr(Expr::None);
        self.children(cursor, |this, cursor, kind| {
            if !kind.is_token_or_comment() {
                value = this.at_place(Some(MentionPlace::Returned), |this| this.lower_expr(cursor));
            }
        });
        let reachable = self.flow.reachable;
        if let Some(function) = self.enclosing_function()
            && reachable
        {
            function.return_values.push(value);
        }
        self.flow.reachable = false;
    }

    /// The function whose body is being lowered; `None` in a class body and at module level.
    pub(super) fn enclosing_function(&mut self) -> Option<&mut Function> {
        let def = self.flow.def?;
        match &mut self.facts.definitions[def.index()].body {
            DefBody::Function(function) => Some(function),
            DefBody::Class(_) => None,
        }
    }

    fn lower_assert(&mut self, cursor: &mut TreeCursor) {
        let mut first = true;
        self.children(cursor, |this, cursor, kind| {
            if kind.is_token_or_comment() {
                return;
            }
            if std::mem::take(&mut first) {
                let (_, condition) = this.lower_condition(cursor);
                this.assume(&condition, true);
            } else {
                this.lower_expr(cursor);
            }
        });
    }

    fn lower_delete(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| {
            let node = cursor.node();
            match kind {
                NodeKind::Token | NodeKind::Comment => {}
                NodeKind::Identifier => {
                    let name = this.intern(this.text(node));
                    this.bind(name, line_of(node), BindingKind::Unknown);
                }
                NodeKind::Attribute => {
                    this.lower_attribute_target(cursor);
                }
                NodeKind::Subscript => {
                    let item = this.lower_expr(cursor);
                    this.bind_item(item, line_of(node), BindingKind::Unknown);
                }
                NodeKind::ExpressionList => {
                    this.descend(node, |this| this.lower_delete(cursor));
                }
                _ => {
                    this.lower_expr(cursor);
                }
            }
        });
    }

    fn declare_outer_names(&mut self, cursor: &mut TreeCursor, global: bool) {
        self.children(cursor, |this, cursor, kind| {
            if kind == NodeKind::Identifier {
                let node = cursor.node();
                let name = this.intern(this.text(node));
                this.bind(name, line_of(node), BindingKind::OuterScope { global });
                this.flow.unset(name);
            }
        });
    }

    /// The arguments of `type` in `type(a).x = v`, which the grammar takes for a type alias. `left` is the part between
    /// `type` and `=`.
    fn arguments_of_type<'t>(&self, left: Node<'t>) -> Option<Node<'t>> {
        let mut node = left.named_child(0).filter(|node| self.kind(*node) == NodeKind::Attribute)?;
        while self.kind(node) == NodeKind::Attribute {
            node = node.child_by_field_id(self.grammar.fields.object)?;
        }
        matches!(self.kind(node), NodeKind::ParenthesizedExpression | NodeKind::Tuple).then_some(node)
    }

    fn lower_type_alias(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let enclosing = self.flow.scope;
        let left = cursor.node().child_by_field_id(fields.left);
        if let Some(arguments) = left.and_then(|left| self.arguments_of_type(left)) {
            self.lower_field(cursor, fields.right);
            let name = cursor.node().child(0);
            self.lower_call_of_type(&mut arguments.walk(), name);
            return;
        }
        // The grammar parses `X[T]` as a generic type with the type arguments `[T]`.
        let head = left.and_then(|left| left.named_child(0)).filter(|head| self.kind(*head) == NodeKind::GenericType);
        let list = head.and_then(|head| {
            let mut cursor = head.walk();
            head.named_children(&mut cursor).find(|child| self.kind(*child) == NodeKind::TypeParameter)
        });
        let parameters = self.lower_type_parameters(list);
        let mut value = None;
        self.field(cursor, fields.right, |this, cursor, _| value = Some(this.lower_annotation(cursor)));
        let value = value.unwrap_or_else(|| self.unknown());
        self.flow.scope = enclosing;
        if let Some(left) = left {
            let text = self.text(left);
            let name = self.intern(text.split('[').next().unwrap_or(text).trim());
            let right = cursor.node().child_by_field_id(fields.right);
            self.record_type_alias(name, right.map_or("", |right| self.text(right)), &parameters);
            self.bind(name, line_of(left), BindingKind::TypeAlias { value, parameters });
        }
    }
}

/// True for a value that may be a condition with a known value: a comparison, or `sys.platform.startswith("win")`.
fn may_be_static(kind: NodeKind, text: &str) -> bool {
    match kind {
        NodeKind::ComparisonOperator | NodeKind::NotOperator => true,
        NodeKind::Call => text.starts_with("sys.platform."),
        _ => false,
    }
}
