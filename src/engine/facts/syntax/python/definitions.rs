//! Functions, lambdas and classes.

use arcstr::ArcStr;
use compact_str::format_compact;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{
        Binding, BindingId, BindingKind, Class, Def, DefBody, DefId, ExprId, Field, Function, MentionPlace, NameId,
        Param, ScopeId, ScopeKind,
    },
    flow::FlowState,
    grammar::NodeKind,
    lower::Lowering,
    text,
    type_aliases::types_of_bound,
    type_comments::split_types,
};
use crate::{
    documentation::Documentation,
    program::{ArgumentKind, ParameterKind},
    syntax::{MAX_PARAMETERS, tree::line_of},
};
use apidisc_base::diagnostic::Problem;

/// The name and the place of a class that no class statement defines.
#[derive(Clone, Copy)]
pub(super) struct ClassParts {
    pub(super) name: NameId,
    pub(super) line: u32,
    pub(super) end_line: u32,
}

impl<'s> Lowering<'s> {
    pub(super) fn lower_decorated(&mut self, cursor: &mut TreeCursor) {
        let first_mention = self.facts.mentions.len();
        let mut decorators = ThinVec::new();
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Decorator => this.children(cursor, |this, cursor, kind| {
                if kind.is_token_or_comment() {
                    return;
                }
                let source = this.decorator_text(cursor.node());
                let expr = match kind {
                    NodeKind::Call => this.lower_call(cursor, true),
                    _ => this.lower_bare_decorator(cursor, kind),
                };
                decorators.push((expr, source));
            }),
            NodeKind::FunctionDefinition | NodeKind::ClassDefinition => {
                this.lower_definition(cursor, kind, std::mem::take(&mut decorators), first_mention);
            }
            _ => {}
        });
    }

    /// The text of a decorator. A call whose arguments cannot be written on one line is written as `name(...)`.
    fn decorator_text(&mut self, decorator: Node) -> ArcStr {
        let text = text::annotation(self.text(decorator));
        let callee = decorator.child_by_field_id(self.grammar.fields.function).filter(|_| text.is_empty());
        let callee = callee.map(|callee| text::annotation(self.text(callee))).filter(|callee| !callee.is_empty());
        self.kept_text(&callee.map_or(text, |callee| format_compact!("{callee}(...)")))
    }

    /// Lowers the function or class at the cursor. The mentions since `first_mention` are in its decorators.
    pub(super) fn lower_definition(
        &mut self,
        cursor: &mut TreeCursor,
        kind: NodeKind,
        decorators: ThinVec<(ExprId, ArcStr)>,
        first_mention: usize,
    ) {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let Some(name_node) = node.child_by_field_id(fields.name) else { return };
        let name = self.intern(self.text(name_node));
        let enclosing = self.flow.scope;
        let head = self.facts.mentions.len();
        let type_parameters = self.lower_type_parameters(node.child_by_field_id(fields.type_parameters));
        let body = if kind == NodeKind::ClassDefinition {
            DefBody::Class(self.lower_class_head(cursor))
        } else {
            let mut function = self.lower_function_head(cursor);
            function.is_async = self.text(node).starts_with("async");
            if let Some(body) = node.child_by_field_id(fields.body) {
                let last = [fields.return_type, fields.parameters].into_iter().find_map(|f| node.child_by_field_id(f));
                let end = last.map_or(node.start_byte(), |last| last.end_byte());
                let is_method = self.facts.scopes[enclosing.index()].kind == ScopeKind::Class;
                self.add_signature_comment(&mut function, end, body, is_method);
            }
            DefBody::Function(function)
        };
        let is_class = kind == NodeKind::ClassDefinition;
        let decorator_texts: Vec<ArcStr> = decorators.iter().map(|(_, text)| text.clone()).collect();
        let scope_kind = if is_class { ScopeKind::Class } else { ScopeKind::Function };
        let def = self.add_def(
            scope_kind,
            Def {
                name,
                line: line_of(name_node),
                end_line: node.end_position().row as u32 + 1,
                scope: ScopeId::new(0),
                outer: enclosing,
                type_parameters,
                decorators,
                summary: None,
                documentation: None,
                body,
            },
        );
        self.flow.scope = enclosing;
        self.set_user_of_head(first_mention, head, def);
        self.bind(name, line_of(name_node), BindingKind::Def(def));
        let caller = if is_class { self.flow.caller } else { Some(def) };
        self.enter_body(def, caller);
        if !is_class {
            self.bind_parameters(def, enclosing);
        }
        self.field(cursor, fields.body, |this, cursor, _| {
            let docstring = this.docstring(cursor.node());
            let summary = docstring.and_then(text::summary).map(|summary| ArcStr::from(summary.as_str()));
            let documentation = this.documentation(node, cursor.node(), docstring, &decorator_texts);
            let declared = this.is_declaration_only(cursor.node());
            this.lower_block(cursor);
            let reachable = this.flow.reachable;
            let def = &mut this.facts.definitions[def.index()];
            def.summary = summary;
            add_documentation(&mut def.documentation, documentation);
            if let DefBody::Function(function) = &mut def.body {
                function.falls_through = reachable;
                function.is_declared = declared;
            }
        });
        self.leave_body();
        if matches!(self.facts.name(name), "__init__" | "__new__")
            && let Some(outer) = self.flow.def
        {
            self.document_class(outer, def);
        }
    }

    /// Adds the documentation of a constructor to that of its class. Does nothing if `outer`, the definition around the
    /// function, is no class.
    fn document_class(&mut self, outer: DefId, constructor: DefId) {
        let constructor = self.facts.def(constructor);
        let mut documentation = constructor.documentation.clone();
        if let Some(documentation) = &mut documentation {
            // A constructor returns nothing that a caller sees: a call of the class gives the instance.
            documentation.returns = None;
            // A deprecated overload is one of several ways to make an instance.
            if constructor.decorators.iter().any(|(decorator, _)| self.facts.is_named(*decorator, "overload")) {
                documentation.deprecated = None;
            }
        }
        let class = &mut self.facts.definitions[outer.index()];
        if matches!(class.body, DefBody::Class(_)) {
            add_documentation(&mut class.documentation, documentation.filter(|it| !it.is_empty()));
        }
    }

    fn add_def(&mut self, scope_kind: ScopeKind, def: Def) -> DefId {
        let id = DefId::new(self.facts.definitions.len());
        let scope = self.add_scope(scope_kind, Some(id));
        self.facts.definitions.push(Def { scope, ..def });
        id
    }

    /// Adds a class and binds its name. `body` adds the names of its body.
    pub(super) fn add_class(&mut self, parts: ClassParts, class: Class, body: impl FnOnce(&mut Self)) {
        let ClassParts { name, line, end_line } = parts;
        let def = Def {
            name,
            line,
            end_line,
            scope: ScopeId::new(0),
            outer: self.flow.scope,
            type_parameters: ThinVec::new(),
            decorators: ThinVec::new(),
            summary: None,
            documentation: None,
            body: DefBody::Class(class),
        };
        let def = self.add_def(ScopeKind::Class, def);
        self.bind(name, line, BindingKind::Def(def));
        self.enter_body(def, self.flow.caller);
        body(self);
        self.leave_body();
    }

    fn enter_body(&mut self, def: DefId, caller: Option<DefId>) {
        let scope = self.facts.def(def).scope;
        let annotation = std::mem::take(&mut self.in_annotation);
        debug_assert!(!annotation, "no definition is inside an annotation");
        let inner = FlowState::new(scope, Some(def), caller, self.facts.bindings.len());
        self.outer_flows.push(std::mem::replace(&mut self.flow, inner));
    }

    /// Begins the part of a comprehension in a class body that does not see the names of the class.
    pub(super) fn enter_comprehension(&mut self, scope: ScopeId) {
        let inner = FlowState::new(scope, self.flow.def, self.flow.caller, self.facts.bindings.len());
        self.outer_flows.push(std::mem::replace(&mut self.flow, inner));
    }

    pub(super) fn leave_body(&mut self) {
        if let Some(outer) = self.outer_flows.pop() {
            self.flow = outer;
        }
    }

    fn bind_parameters(&mut self, def: DefId, outer: ScopeId) {
        let parameters: Vec<NameId> = match self.facts.def(def).function() {
            Some(function) => function.parameters.iter().map(|p| p.name).collect(),
            None => Vec::new(),
        };
        let is_method = self.facts.scopes[outer.index()].kind == ScopeKind::Class;
        let is_static = self.facts.def(def).decorators.iter().any(|(_, text)| text == "staticmethod");
        if is_method && !is_static {
            self.flow.receiver = parameters.first().copied();
        }
        let line = self.facts.def(def).line;
        for (position, name) in parameters.into_iter().enumerate() {
            self.bind(name, line, BindingKind::Parameter(def, position as u32));
        }
    }

    /// Lowers the list of type parameters of a function, class or alias (PEP 695), which open a scope around its head
    /// and body. The caller leaves that scope.
    pub(super) fn lower_type_parameters(&mut self, list: Option<Node>) -> ThinVec<BindingId> {
        let Some(list) = list else { return ThinVec::new() };
        self.flow.scope = self.add_scope(ScopeKind::Function, None);
        let mut bindings = ThinVec::new();
        // The grammar does not know defaults (PEP 696).
        let text: String = self.text(list).lines().map(|line| line.split('#').next().unwrap_or(line)).collect();
        let inner = text.trim().trim_start_matches('[');
        let inner = inner.strip_suffix(']').unwrap_or(inner);
        for text in split_types(inner).into_iter().take(MAX_PARAMETERS) {
            // `T: bound`, `T: (A, B)`, `*Ts`, `**P`, each perhaps with a default.
            let is_variadic = text.starts_with('*') && !text.starts_with("**");
            let text = text.trim_start_matches('*').trim_start();
            let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
            let (name, rest) = text.split_at(end);
            let (bound, default) = match rest.split_once('=') {
                Some((bound, default)) => (bound, Some(default.trim())),
                None => (rest, None),
            };
            let bound = bound.trim_start().strip_prefix(':').map(str::trim);
            let parameter = BindingId::new(self.facts.bindings.len());
            if let Some(bound) = bound.map(types_of_bound).filter(|bound| !bound.is_empty()) {
                let bound = self.kept_text(&text::annotation(&bound));
                self.facts.bounds.push((parameter, bound));
            }
            let bound = bound.map(|bound| match bound.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
                Some(constraints) => self.parse_constraints(constraints),
                None => self.parse_forward_reference(bound),
            });
            let default = default.map(|default| self.parse_forward_reference(default));
            let (scope, name, line) = (self.flow.scope, self.intern(name), line_of(list));
            bindings.push(parameter);
            let kind = BindingKind::TypeParameter { bound, default, is_variadic };
            self.facts.bindings.push(Binding { scope, name, line, kind, is_fallback: false });
            // Bindings of the enclosing scope do not reach the reads of the type parameter.
            self.flow.unset(name);
        }
        bindings
    }

    fn lower_class_head(&mut self, cursor: &mut TreeCursor) -> Class {
        let mut class = Class::default();
        self.field(cursor, self.grammar.fields.superclasses, |this, cursor, _| {
            let texts: Vec<Node> = cursor.node().named_children(&mut cursor.node().walk()).collect();
            let arguments = this.lower_arguments(cursor, None, false);
            let texts: Vec<Node> = texts.into_iter().filter(|n| this.kind(*n) != NodeKind::Comment).collect();
            for (argument, node) in arguments.into_iter().zip(texts) {
                match (argument.kind, argument.keyword) {
                    (ArgumentKind::Positional, _) => {
                        this.parse_quoted_type_arguments(argument.value);
                        let text = this.kept_text(&text::annotation(this.text(node)));
                        class.bases.push((argument.value, text));
                    }
                    (ArgumentKind::Keyword, Some(name)) => class.keywords.push((name, argument.value)),
                    _ => {}
                }
            }
        });
        class
    }

    fn lower_function_head(&mut self, cursor: &mut TreeCursor) -> Function {
        let fields = &self.grammar.fields;
        let mut function = Function::default();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.parameters {
                function.parameters = this.lower_parameters(cursor);
            } else if field == fields.return_type {
                let source = this.kept_text(&text::annotation(this.text(cursor.node())));
                function.returns = Some((this.lower_annotation(cursor), source));
            }
        });
        function
    }

    fn lower_parameters(&mut self, cursor: &mut TreeCursor) -> ThinVec<Param> {
        let fields = &self.grammar.fields;
        let mut parameters: ThinVec<Param> = ThinVec::new();
        let mut next_kind = ParameterKind::Standard;
        self.children(cursor, |this, cursor, kind| {
            let node = cursor.node();
            let mut parameter_kind = next_kind;
            let mut name = None;
            let mut annotation = None;
            let mut default = None;
            match kind {
                NodeKind::Token | NodeKind::Comment => return,
                NodeKind::PositionalSeparator => {
                    for parameter in &mut parameters {
                        parameter.kind = ParameterKind::PositionalOnly;
                    }
                    return;
                }
                NodeKind::KeywordSeparator => {
                    next_kind = ParameterKind::KeywordOnly;
                    return;
                }
                NodeKind::Identifier => name = Some(this.text(node)),
                NodeKind::ListSplatPattern | NodeKind::DictionarySplatPattern => {
                    (parameter_kind, name) = this.starred_parameter(node);
                }
                NodeKind::TypedParameter | NodeKind::DefaultParameter | NodeKind::TypedDefaultParameter => {
                    this.children(cursor, |this, cursor, kind| {
                        let node = cursor.node();
                        let field = cursor.field_id().map_or(0, std::num::NonZero::get);
                        if field == fields.ty {
                            let source = this.kept_text(&text::annotation(this.text(node)));
                            annotation = Some((this.lower_annotation(cursor), source));
                        } else if field == fields.value {
                            let source = this.kept_text(&text::default(this.text(node)));
                            let place = name.map(|name| this.place_of_default(name));
                            default = Some((this.at_place(place, |this| this.lower_expr(cursor)), source));
                        } else if matches!(kind, NodeKind::ListSplatPattern | NodeKind::DictionarySplatPattern) {
                            (parameter_kind, name) = this.starred_parameter(node);
                        } else if kind == NodeKind::Identifier {
                            name = Some(this.text(node));
                        }
                    });
                }
                _ => {}
            }
            if parameter_kind == ParameterKind::VarPositional {
                next_kind = ParameterKind::KeywordOnly;
            }
            if parameters.len() == MAX_PARAMETERS {
                this.record_problem(Problem::TooComplex, line_of(node));
            } else if let Some(name) = name {
                let name = this.intern(name);
                parameters.push(Param { name, kind: parameter_kind, annotation, default });
            }
        });
        parameters
    }

    fn starred_parameter(&self, node: Node) -> (ParameterKind, Option<&'s str>) {
        let kind = match self.kind(node) {
            NodeKind::DictionarySplatPattern => ParameterKind::VarKeyword,
            _ => ParameterKind::VarPositional,
        };
        (kind, node.named_child(0).map(|n| self.text(n)))
    }

    pub(super) fn lower_lambda(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let mut function = Function { is_lambda: true, ..Function::default() };
        self.field(cursor, fields.parameters, |this, cursor, _| function.parameters = this.lower_parameters(cursor));
        let def = self.add_def(
            ScopeKind::Function,
            Def {
                name: NameId::new(0),
                line: line_of(node),
                end_line: node.end_position().row as u32 + 1,
                scope: ScopeId::new(0),
                outer: self.flow.scope,
                type_parameters: ThinVec::new(),
                decorators: ThinVec::new(),
                summary: None,
                documentation: None,
                body: DefBody::Function(function),
            },
        );
        let caller = self.flow.caller;
        let annotation = std::mem::take(&mut self.in_annotation);
        let enclosing = self.flow.scope;
        self.enter_body(def, caller);
        self.bind_parameters(def, enclosing);
        self.flow.receiver = None;
        let value = self.at_place(Some(MentionPlace::Returned), |this| this.lower_field(cursor, fields.body));
        let value = value.unwrap_or_else(|| self.unknown());
        if let Some(function) = self.enclosing_function() {
            function.return_values.push(value);
        }
        self.leave_body();
        self.in_annotation = annotation;
        self.add_expr(super::facts::Expr::Lambda(def))
    }

    /// Adds a field of the current class, or a constant of the module. Adds nothing inside a function, and no constant
    /// whose name begins with `_`.
    pub(super) fn record_field(
        &mut self,
        name: NameId,
        line: u32,
        annotation: Option<(ExprId, &str)>,
        value: Option<(ExprId, &str)>,
    ) {
        let is_module = self.flow.def.is_none();
        if is_module && self.facts.name(name).starts_with('_') {
            return;
        }
        let field = Field {
            name,
            line,
            annotation: annotation.map(|(expr, source)| (expr, self.kept_text(&text::annotation(source)))),
            value: value.map(|(expr, source)| (expr, self.kept_text(&text::default(source)))),
        };
        match self.flow.def {
            None => self.facts.constants.push(field),
            Some(def) => {
                if let DefBody::Class(class) = &mut self.facts.definitions[def.index()].body {
                    class.fields.push(field);
                }
            }
        }
    }

    /// The literal of the docstring of a body.
    pub(super) fn docstring(&self, body: Node) -> Option<&str> {
        let mut cursor = body.walk();
        let first = body.named_children(&mut cursor).find(|n| self.kind(*n) != NodeKind::Comment)?;
        let string = first.named_child(0).filter(|_| self.kind(first) == NodeKind::ExpressionStatement)?;
        (self.kind(string) == NodeKind::String).then(|| self.text(string))
    }

    /// True for a body that contains only `...`, strings, comments and `raise` statements.
    fn is_declaration_only(&self, body: Node) -> bool {
        let mut cursor = body.walk();
        body.named_children(&mut cursor).all(|statement| match self.kind(statement) {
            NodeKind::Comment | NodeKind::RaiseStatement => true,
            NodeKind::ExpressionStatement => {
                statement.named_child(0).is_some_and(|n| matches!(self.kind(n), NodeKind::String | NodeKind::Ellipsis))
            }
            _ => false,
        })
    }
}

/// Adds documentation to the known documentation of the same definition. The added texts come first.
fn add_documentation(known: &mut Option<Box<Documentation>>, first: Option<Box<Documentation>>) {
    if let Some(mut first) = first {
        if let Some(known) = known.take() {
            first.add(*known);
        }
        *known = Some(first);
    }
}
