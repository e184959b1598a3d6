//! Functions, methods, accessors, constructors and function types.

use smallvec::SmallVec;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    comment_types::TagKind,
    conditions::NarrowingCondition,
    context::{DocRange, FunctionFrame, InferredName},
    documented_types::Documented,
    facts::{
        Access, Decl, DefBody, DefId, Expr, ExprId, ExpressionContext, Function, FunctionKind, GuardId, MentionPlace,
        NameId, NarrowingTest, ScopeKind,
    },
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::{Lowering, index_u16},
    objects::PropertyName,
};
use crate::syntax::tree::{field_of, line_of};

/// The properties of a function that its context determines.
#[derive(Debug)]
pub(super) struct FunctionHeader<'t> {
    pub(super) kind: FunctionKind,
    pub(super) name: Option<NameId>,
    /// The name of a function expression, which is declared in the scope of the function.
    pub(super) inner_name: Option<NameId>,
    /// The line of the name.
    pub(super) line: Option<u32>,
    pub(super) doc: Option<DocRange>,
    /// The class whose base class `super` refers to.
    pub(super) class: Option<DefId>,
    pub(super) decorators: Vec<Node<'t>>,
}

impl Default for FunctionHeader<'_> {
    fn default() -> Self {
        Self {
            kind: FunctionKind::Method,
            name: None,
            inner_name: None,
            line: None,
            doc: None,
            class: None,
            decorators: Vec::new(),
        }
    }
}

impl<'s> Lowering<'s> {
    /// Lowers the function expression or arrow function at the cursor.
    pub(super) fn function_expression(
        &mut self,
        cursor: &mut TreeCursor,
        kind: NodeKind,
        inferred: InferredName,
    ) -> ExprId {
        let name_node = cursor.node().child_by_field_id(self.grammar.fields.name);
        let own_name = name_node.map(|node| self.name_of(node));
        let is_arrow = kind == NodeKind::ArrowFunction;
        let header = FunctionHeader {
            kind: if is_arrow { FunctionKind::Arrow } else { FunctionKind::Expression },
            name: if inferred.is_member { inferred.name.or(own_name) } else { own_name.or(inferred.name) },
            inner_name: own_name,
            line: name_node.map(line_of),
            doc: inferred.doc,
            class: self.frame.class.filter(|_| is_arrow),
            decorators: Vec::new(),
        };
        let def = self.function(cursor, &header);
        self.facts.definitions[def.index()].expr.unwrap_or_else(|| self.add_expr(Expr::Unknown))
    }

    /// Lowers the method, accessor or constructor at the cursor. Returns its definition, its name and the line of the
    /// name.
    pub(super) fn method(&mut self, cursor: &mut TreeCursor, header: FunctionHeader<'_>) -> (DefId, PropertyName, u32) {
        let fields = &self.grammar.fields;
        let mut kind = header.kind;
        let (mut name, mut line) = (PropertyName::default(), line_of(cursor.node()));
        let mut is_iterator = false;
        self.children(cursor, |this, cursor, child| match child {
            SyntaxKind::Token(TokenKind::Get) => kind = FunctionKind::Getter,
            SyntaxKind::Token(TokenKind::Set) => kind = FunctionKind::Setter,
            SyntaxKind::Node(_) if cursor.field_id().is_some_and(|id| id.get() == fields.name) => {
                line = line_of(cursor.node());
                is_iterator = matches!(this.text(cursor.node()), "[Symbol.iterator]" | "[Symbol.asyncIterator]");
                name = this.maybe_computed_name(cursor);
            }
            _ => {}
        });
        let def = self.function(cursor, &FunctionHeader { kind, name: name.text, line: Some(line), ..header });
        if is_iterator {
            self.facts.iterator_methods.push(def);
        }
        (def, name, line)
    }

    /// Lowers the function at the cursor, except for its name.
    pub(super) fn function(&mut self, cursor: &mut TreeCursor, header: &FunctionHeader) -> DefId {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let (kind, inner_name, class) = (header.kind, header.inner_name, header.class);
        let has_body = node.child_by_field_id(fields.body).is_some();
        let def = self.add_function(node, header);
        let mut function = Function {
            kind,
            type_params: SmallVec::new(),
            params: ThinVec::new(),
            this_type: None,
            returns: None,
            return_values: ThinVec::new(),
            yields: ThinVec::new(),
            is_async: false,
            is_generator: false,
            has_body,
            falls_through: false,
            tested: None,
            class: None,
            has_prototype: false,
        };
        let is_closure = matches!(
            kind,
            FunctionKind::Expression
                | FunctionKind::Arrow
                | FunctionKind::Method
                | FunctionKind::Getter
                | FunctionKind::Setter
        );
        let enclosing = self.enter_function(is_closure);
        let place = self.mention_place.take();
        let outer = self.enter_function_frame(def, kind, class, has_body);
        self.frame.documented = self.documented_parameters(header.doc);
        function.type_params = self.documented_type_params(header.doc);
        let signature = self.signature.take();
        let mut tests_parameter = false;
        self.children(cursor, |this, cursor, child| {
            let field = field_of(cursor);
            match child {
                SyntaxKind::Token(TokenKind::Async) => function.is_async = true,
                SyntaxKind::Token(TokenKind::Asterisk) => function.is_generator = true,
                SyntaxKind::Node(node_kind) => {
                    if field == fields.type_parameters {
                        function.type_params = this.type_parameters(cursor);
                    } else if field == fields.parameters {
                        this.parameters(cursor, def, &mut function);
                    } else if field == fields.parameter {
                        this.bare_parameter(cursor.node(), def, &mut function);
                    } else if field == fields.return_type || field == fields.ty {
                        function.returns = Some(this.annotation(cursor));
                    } else if field == fields.body {
                        tests_parameter =
                            node_kind != NodeKind::StatementBlock || cursor.node().named_child_count() == 1;
                        this.function_body(cursor, node_kind, def);
                    }
                }
                _ => {}
            }
        });
        self.signature = signature;
        if let Some(name) = inner_name
            && !self.symbols.contains_key(&(self.frame.scope, name))
        {
            self.declare(self.frame.scope, name, Decl::Def(def));
        }
        if function.returns.is_none() && kind != FunctionKind::Constructor {
            function.returns = self.documented_type(header.doc, TagKind::Returns);
            self.pending.documented.extend(function.returns.as_ref().map(|_| Documented::Returns(def)));
        }
        self.mention_place = place;
        let done = std::mem::replace(&mut self.frame, outer);
        if tests_parameter && done.returns.len() == 1 && function.returns.is_none() {
            function.tested = self.tested_parameter(&function, &done.returned_condition);
        }
        function.return_values = done.returns.into();
        function.yields = done.yields.into();
        function.falls_through = has_body && (done.reachable || done.bare_return);
        self.facts.definitions[def.index()].body = DefBody::Function(Box::new(function));
        self.leave_function(&enclosing);
        def
    }

    fn add_function(&mut self, node: Node, header: &FunctionHeader) -> DefId {
        // A placeholder, until the whole function has been lowered.
        let body = DefBody::Namespace;
        let def = self.add_def(node, InferredName { name: header.name, doc: header.doc, is_member: false }, body);
        let is_value = matches!(header.kind, FunctionKind::Expression | FunctionKind::Arrow);
        let expr = is_value.then(|| self.add_expr(Expr::Function(def)));
        let row = &mut self.facts.definitions[def.index()];
        row.expr = expr;
        row.line = header.line.unwrap_or(row.line);
        self.decorators(&header.decorators, def);
        def
    }

    /// Replaces the current frame with that of a function, and returns the enclosing frame.
    fn enter_function_frame(
        &mut self,
        def: DefId,
        kind: FunctionKind,
        class: Option<DefId>,
        has_body: bool,
    ) -> FunctionFrame<'s> {
        let scope = self.in_definition(def, |this| this.add_scope(ScopeKind::Function));
        let row = &mut self.facts.definitions[def.index()];
        row.scope = scope;
        let is_caller = has_body && (row.name.is_some() || kind == FunctionKind::Constructor);
        let has_this = !matches!(kind, FunctionKind::Arrow | FunctionKind::Type | FunctionKind::ConstructorType);
        let frame = FunctionFrame {
            scope,
            var_scope: scope,
            def: Some(def),
            function: Some(def),
            caller: if is_caller { Some(def) } else { self.frame.caller },
            this: if has_this { Some(def) } else { self.frame.this },
            this_is_class: !has_this && self.frame.this_is_class,
            class,
            is_ambient: self.frame.is_ambient,
            reachable: true,
            bare_return: false,
            returns: Vec::new(),
            yields: Vec::new(),
            breaks: Vec::new(),
            returned_condition: NarrowingCondition::Unknown,
            documented: Vec::new(),
        };
        std::mem::replace(&mut self.frame, frame)
    }

    /// Lowers a block, or the expression of an arrow function, which is its return value.
    fn function_body(&mut self, cursor: &mut TreeCursor, kind: NodeKind, def: DefId) {
        if kind == NodeKind::StatementBlock {
            self.statements(cursor);
        } else {
            let value = self.returned_value(cursor, SyntaxKind::Node(kind));
            self.record_context(value, ExpressionContext::Return(def));
            self.frame.returns.push(value);
            self.frame.reachable = false;
        }
    }

    /// Lowers a returned expression, and records the condition that a binary expression forms.
    pub(super) fn returned_value(&mut self, cursor: &mut TreeCursor, kind: SyntaxKind) -> ExprId {
        let place = Some(MentionPlace::Returned);
        if !matches!(kind, SyntaxKind::Node(NodeKind::BinaryExpression)) {
            return self.at_place(place, |this| this.expr(cursor));
        }
        let (value, condition) = self.at_place(place, |this| this.condition(cursor));
        self.frame.returned_condition = condition;
        value
    }

    /// The parameter that a returned condition tests, with the guard that holds if the condition is true. Conjunctions
    /// and disjunctions are left out, because a type predicate has to hold both for the result true and for the result
    /// false.
    fn tested_parameter(&mut self, function: &Function, condition: &NarrowingCondition) -> Option<(u16, GuardId)> {
        let (tests, positive) = match condition {
            NarrowingCondition::Tests(tests) => (tests, true),
            NarrowingCondition::Not(inner) => match &**inner {
                NarrowingCondition::Tests(tests) => (tests, false),
                _ => return None,
            },
            _ => return None,
        };
        if function.is_async || function.is_generator {
            return None;
        }
        tests.iter().find_map(|&(tested, test)| {
            let Expr::Name { name, .. } = self.facts.expr(self.without_guards(tested)) else { return None };
            let at = function.params.iter().position(|parameter| parameter.name == Some(name) && !parameter.is_rest)?;
            let tells_type = matches!(
                test,
                NarrowingTest::Instanceof(_)
                    | NarrowingTest::Typeof(_)
                    | NarrowingTest::Equals(_)
                    | NarrowingTest::Discriminant(..)
            );
            let guard = tells_type.then(|| self.add_guard(test, positive))?;
            Some((index_u16(at)?, guard))
        })
    }

    /// The access that a `public`, `protected` or `private` modifier gives.
    pub(super) fn access_modifier(&self, modifier: Node) -> Access {
        match self.text(modifier) {
            "private" => Access::Private,
            "protected" => Access::Protected,
            _ => Access::Public,
        }
    }
}
