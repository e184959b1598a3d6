//! Functions of every kind: their heads, parameters and bodies.

use compact_str::CompactString;
use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{
        Access, ExpressionContext, Decl, DefBody, DefId, Expr, ExprId, Function, FunctionKind, NameId, Param, ScopeKind, TypeId,
        ValueSource,
    },
    context::{DocRange, ExportModifier, FunctionFrame, InferredName},
    grammar::{SyntaxKind, NodeKind, TokenKind},
    lower::{Lowering, line_of, index_u16},
    patterns::Origin,
    text,
};

/// What is known of a function before it is read.
#[derive(Debug)]
pub(super) struct FunctionHeader<'t> {
    pub(super) kind: FunctionKind,
    pub(super) name: Option<NameId>,
    /// Its own name, which is declared inside it.
    pub(super) inner_name: Option<NameId>,
    /// The line of its name.
    pub(super) line: Option<u32>,
    pub(super) doc: Option<DocRange>,
    /// The class whose members `super` leads past in it.
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

impl Lowering<'_> {
    /// A function expression or arrow function.
    pub(super) fn function_expression(&mut self, cursor: &mut TreeCursor, kind: NodeKind, inferred: InferredName) -> ExprId {
        let own = cursor.node().child_by_field_id(self.grammar.fields.name);
        let own_name = own.map(|node| self.name_of(node));
        let is_arrow = kind == NodeKind::ArrowFunction;
        let head = FunctionHeader {
            kind: if is_arrow { FunctionKind::Arrow } else { FunctionKind::Expression },
            name: own_name.or(inferred.name),
            inner_name: own_name,
            line: own.map(line_of),
            doc: inferred.doc,
            class: self.frame.class.filter(|_| is_arrow),
            decorators: Vec::new(),
        };
        let def = self.function(cursor, &head);
        self.facts.definitions[def.index()].expr.unwrap_or_else(|| self.add_expr(Expr::Unknown))
    }

    /// The method, accessor or constructor at the cursor, with its name and that name's line.
    pub(super) fn method(&mut self, cursor: &mut TreeCursor, head: FunctionHeader<'_>) -> (DefId, Option<NameId>, u32) {
        let fields = &self.grammar.fields;
        let mut kind = head.kind;
        let (mut name, mut line) = (None, line_of(cursor.node()));
        self.children(cursor, |this, cursor, child| match child {
            SyntaxKind::Token(TokenKind::Get) => kind = FunctionKind::Getter,
            SyntaxKind::Token(TokenKind::Set) => kind = FunctionKind::Setter,
            SyntaxKind::Node(_) if cursor.field_id().is_some_and(|id| id.get() == fields.name) => {
                line = line_of(cursor.node());
                name = this.property_name(cursor);
            }
            _ => {}
        });
        let def = self.function(cursor, &FunctionHeader { kind, name, line: Some(line), ..head });
        (def, name, line)
    }

    /// The function at the cursor; its name has been read.
    pub(super) fn function(&mut self, cursor: &mut TreeCursor, head: &FunctionHeader) -> DefId {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let (kind, inner_name, class) = (head.kind, head.inner_name, head.class);
        let has_body = node.child_by_field_id(fields.body).is_some();
        let def = self.add_function(node, head);
        let mut function = Function {
            kind,
            type_params: SmallVec::new(),
            params: Vec::new(),
            this_type: None,
            returns: None,
            return_values: Vec::new(),
            yields: Vec::new(),
            is_async: false,
            is_generator: false,
            has_body,
            falls_through: false,
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
        let outer = self.enter_function_frame(def, kind, class, has_body);
        let signature = self.signature.take();
        self.children(cursor, |this, cursor, child| {
            let field = cursor.field_id().map_or(0, std::num::NonZero::get);
            match child {
                SyntaxKind::Token(TokenKind::Async) => function.is_async = true,
                SyntaxKind::Token(TokenKind::Asterisk) => function.is_generator = true,
                SyntaxKind::Node(named) => {
                    if field == fields.type_parameters {
                        function.type_params = this.type_parameters(cursor);
                    } else if field == fields.parameters {
                        this.parameters(cursor, def, &mut function);
                    } else if field == fields.parameter {
                        this.bare_parameter(cursor.node(), def, &mut function);
                    } else if field == fields.return_type || field == fields.ty {
                        function.returns = Some(this.annotation(cursor));
                    } else if field == fields.body {
                        this.function_body(cursor, named, def);
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
        let done = std::mem::replace(&mut self.frame, outer);
        function.return_values = done.returns;
        function.yields = done.yields;
        function.falls_through = has_body && (done.reachable || done.bare_return);
        self.facts.definitions[def.index()].body = DefBody::Function(Box::new(function));
        self.leave_function(&enclosing);
        def
    }

    fn add_function(&mut self, node: Node, head: &FunctionHeader) -> DefId {
        // What it is is told when it has been read.
        let body = DefBody::Namespace;
        let def = self.add_def(node, InferredName { name: head.name, doc: head.doc }, body);
        let is_value = matches!(head.kind, FunctionKind::Expression | FunctionKind::Arrow);
        let expr = is_value.then(|| self.add_expr(Expr::Function(def)));
        let row = &mut self.facts.definitions[def.index()];
        row.expr = expr;
        row.line = head.line.unwrap_or(row.line);
        self.decorators(&head.decorators, def);
        def
    }

    /// Enters a function, and returns the frame around it.
    fn enter_function_frame(&mut self, def: DefId, kind: FunctionKind, class: Option<DefId>, has_body: bool) -> FunctionFrame {
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
            class,
            is_ambient: self.frame.is_ambient,
            reachable: true,
            bare_return: false,
            returns: Vec::new(),
            yields: Vec::new(),
            breaks: Vec::new(),
        };
        std::mem::replace(&mut self.frame, frame)
    }

    fn function_body(&mut self, cursor: &mut TreeCursor, kind: NodeKind, def: DefId) {
        if kind == NodeKind::StatementBlock {
            self.statements(cursor);
        } else {
            let value = self.expr(cursor);
            self.record_context(value, ExpressionContext::Return(def));
            self.frame.returns.push(value);
            self.frame.reachable = false;
        }
    }

    /// `x` of `x => y`
    fn bare_parameter(&mut self, node: Node, def: DefId, function: &mut Function) {
        let name = self.name_of(node);
        self.declare(self.frame.scope, name, Decl::Parameter(def, 0));
        function.params.push(Param { name: Some(name), ..parameter(line_of(node)) });
    }

    fn parameters(&mut self, cursor: &mut TreeCursor, def: DefId, function: &mut Function) {
        self.named_children(cursor, |this, cursor, kind| {
            if matches!(kind, NodeKind::RequiredParameter | NodeKind::OptionalParameter) {
                this.parameter(cursor, kind, def, function);
            }
        });
    }

    fn parameter(&mut self, cursor: &mut TreeCursor, kind: NodeKind, def: DefId, function: &mut Function) {
        let fields = &self.grammar.fields;
        let Some(at) = index_u16(function.params.len()) else { return };
        let mut param = Param { is_optional: kind == NodeKind::OptionalParameter, ..parameter(line_of(cursor.node())) };
        let mut this_type = None;
        let mut is_this = false;
        self.children(cursor, |this, cursor, child| {
            let field = cursor.field_id().map_or(0, std::num::NonZero::get);
            match child {
                SyntaxKind::Token(TokenKind::Readonly) => param.field = param.field.or(Some(Access::Public)),
                SyntaxKind::Node(NodeKind::AccessibilityModifier) => param.field = Some(this.access_modifier(cursor.node())),
                SyntaxKind::Node(NodeKind::Decorator) => param.decorators.extend(this.decorator(cursor).map(|(expr, _)| expr)),
                SyntaxKind::Node(NodeKind::This) if field == fields.pattern => is_this = true,
                SyntaxKind::Node(pattern) if field == fields.pattern || field == fields.name => {
                    param.line = line_of(cursor.node());
                    this.parameter_pattern(cursor, pattern, &mut param);
                }
                SyntaxKind::Node(_) if field == fields.ty && is_this => this_type = Some(this.annotation(cursor).0),
                SyntaxKind::Node(_) if field == fields.ty => param.annotation = Some(this.annotation(cursor)),
                SyntaxKind::Node(_) if field == fields.value => {
                    let value = this.expr(cursor);
                    this.record_context(value, ExpressionContext::Default(def, at));
                    param.default = Some((value, text::default(this.text(cursor.node()))));
                }
                _ => {}
            }
        });
        if is_this {
            function.this_type = this_type;
            return;
        }
        let annotation = param.annotation.as_ref().map(|(ty, _)| *ty);
        if let Some(name) = param.name {
            self.declare(self.frame.scope, name, Decl::Parameter(def, at));
        } else {
            self.declare_parameter_pattern(cursor, def, at, annotation);
        }
        function.params.push(param);
    }

    fn parameter_pattern(&mut self, cursor: &mut TreeCursor, kind: NodeKind, param: &mut Param) {
        match kind {
            NodeKind::RestPattern => {
                param.is_rest = true;
                self.first_named_child(cursor, |this, cursor, inner| this.parameter_pattern(cursor, inner, param));
            }
            NodeKind::ObjectPattern | NodeKind::ArrayPattern => {
                param.is_array_pattern = kind == NodeKind::ArrayPattern;
                param.pattern = Some(text::annotation(self.text(cursor.node())));
                if kind == NodeKind::ObjectPattern {
                    param.properties = self.destructured_properties(cursor.node());
                }
            }
            _ => param.name = Some(self.name_of(cursor.node())),
        }
    }

    /// The property names that an object pattern takes, with the text of their defaults.
    fn destructured_properties(&mut self, pattern: Node) -> Vec<(NameId, Option<CompactString>)> {
        let fields = &self.grammar.fields;
        let mut walk = pattern.walk();
        let mut taken = Vec::new();
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
                let name = self.intern(text::unquoted(self.text(name)));
                taken.push((name, default.map(|default| text::default(self.text(default)))));
            }
        }
        taken
    }

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
                this.first_named_child(cursor, |this, cursor, _| this.declare_pattern(cursor, &binding, &mut SmallVec::new()));
            } else {
                this.declare_pattern(cursor, &binding, &mut SmallVec::new());
            }
        });
    }

    pub(super) fn access_modifier(&self, modifier: Node) -> Access {
        match self.text(modifier) {
            "private" => Access::Private,
            "protected" => Access::Protected,
            _ => Access::Public,
        }
    }
}

fn parameter(line: u32) -> Param {
    Param {
        name: None,
        is_array_pattern: false,
        properties: Vec::new(),
        pattern: None,
        is_rest: false,
        is_optional: false,
        field: None,
        annotation: None,
        default: None,
        decorators: Vec::new(),
        line,
    }
}
