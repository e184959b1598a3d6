//! Functions, lambdas and classes.

use compact_str::CompactString;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{BindingKind, Class, Def, DefBody, DefId, ExprId, Field, Function, NameId, Param, ScopeId, ScopeKind},
    flow::Frame,
    kinds::Kind,
    lower::{Lowering, line_of},
    text,
};
use crate::program::{ArgumentKind, ParameterKind};

impl<'s> Lowering<'s> {
    pub(super) fn decorated(&mut self, cursor: &mut TreeCursor) {
        let mut decorators = Vec::new();
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Decorator => this.children(cursor, |this, cursor, kind| {
                if matches!(kind, Kind::Token | Kind::Comment) {
                    return;
                }
                let source = text::annotation(this.text(cursor.node()));
                let expr = if kind == Kind::Call { this.call(cursor, true) } else { this.expr(cursor) };
                decorators.push((expr, source));
            }),
            Kind::FunctionDefinition | Kind::ClassDefinition => {
                this.definition(cursor, kind, std::mem::take(&mut decorators));
            }
            _ => {}
        });
    }

    /// Lowers the function or class at the cursor.
    pub(super) fn definition(&mut self, cursor: &mut TreeCursor, kind: Kind, decorators: Vec<(ExprId, CompactString)>) {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let Some(name_node) = node.child_by_field_id(fields.name) else { return };
        let name = self.intern(self.text(name_node));
        let body = if kind == Kind::ClassDefinition {
            DefBody::Class(self.class_head(cursor))
        } else {
            let mut function = self.function_head(cursor);
            function.is_async = node.child(0).is_some_and(|n| self.text(n) == "async");
            DefBody::Function(function)
        };
        let is_class = kind == Kind::ClassDefinition;
        let scope_kind = if is_class { ScopeKind::Class } else { ScopeKind::Function };
        let def = self.add_def(
            scope_kind,
            Def {
                name,
                line: line_of(name_node),
                end_line: node.end_position().row as u32 + 1,
                scope: ScopeId::new(0),
                outer: self.frame.scope,
                decorators,
                summary: None,
                body,
            },
        );
        self.bind(name, line_of(name_node), BindingKind::Def(def));
        let caller = if is_class { self.frame.caller } else { Some(def) };
        let outer = self.enter(def, caller);
        if !is_class {
            self.bind_parameters(def, outer.scope);
        }
        self.field(cursor, fields.body, |this, cursor, _| {
            let summary = this.docstring(cursor.node());
            let declared = this.only_declares(cursor.node());
            this.block(cursor);
            let reachable = this.frame.reachable;
            let def = &mut this.facts.definitions[def.index()];
            def.summary = summary;
            if let DefBody::Function(function) = &mut def.body {
                function.falls_through = reachable;
                function.is_declared = declared;
            }
        });
        self.frame = outer;
    }

    fn add_def(&mut self, scope_kind: ScopeKind, def: Def) -> DefId {
        let id = DefId::new(self.facts.definitions.len());
        let scope = self.add_scope(scope_kind, Some(id));
        self.facts.definitions.push(Def { scope, ..def });
        id
    }

    fn enter(&mut self, def: DefId, caller: Option<DefId>) -> Frame {
        let scope = self.facts.def(def).scope;
        let annotation = std::mem::take(&mut self.in_annotation);
        debug_assert!(!annotation, "no definition stands in an annotation");
        std::mem::replace(&mut self.frame, Frame::new(scope, Some(def), caller))
    }

    fn bind_parameters(&mut self, def: DefId, outer: ScopeId) {
        let parameters: Vec<NameId> = match self.facts.def(def).function() {
            Some(function) => function.parameters.iter().map(|p| p.name).collect(),
            None => Vec::new(),
        };
        let is_method = self.facts.scopes[outer.index()].kind == ScopeKind::Class;
        let is_static = self.facts.def(def).decorators.iter().any(|(_, text)| text == "staticmethod");
        if is_method && !is_static {
            self.frame.receiver = parameters.first().copied();
        }
        let line = self.facts.def(def).line;
        for (position, name) in parameters.into_iter().enumerate() {
            self.bind(name, line, BindingKind::Parameter(def, position as u32));
        }
    }

    fn class_head(&mut self, cursor: &mut TreeCursor) -> Class {
        let mut class = Class::default();
        self.field(cursor, self.grammar.fields.superclasses, |this, cursor, _| {
            let texts: Vec<Node> = cursor.node().named_children(&mut cursor.node().walk()).collect();
            let arguments = this.arguments(cursor);
            let texts = texts.into_iter().filter(|n| this.kind(*n) != Kind::Comment);
            for (argument, node) in arguments.into_iter().zip(texts) {
                match (argument.kind, argument.keyword) {
                    (ArgumentKind::Positional, _) => {
                        class.bases.push((argument.value, text::annotation(this.text(node))));
                    }
                    (ArgumentKind::Keyword, Some(name)) => class.keywords.push((name, argument.value)),
                    _ => {}
                }
            }
        });
        class
    }

    fn function_head(&mut self, cursor: &mut TreeCursor) -> Function {
        let fields = &self.grammar.fields;
        let mut function = Function::default();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.parameters {
                function.parameters = this.parameters(cursor);
            } else if field == fields.return_type {
                let source = text::annotation(this.text(cursor.node()));
                function.returns = Some((this.annotation(cursor), source));
            }
        });
        function
    }

    fn parameters(&mut self, cursor: &mut TreeCursor) -> Vec<Param> {
        let fields = &self.grammar.fields;
        let mut parameters: Vec<Param> = Vec::new();
        let mut kind_now = ParameterKind::Standard;
        self.children(cursor, |this, cursor, kind| {
            let node = cursor.node();
            let mut kind_here = kind_now;
            let mut name = None;
            let mut annotation = None;
            let mut default = None;
            match kind {
                Kind::Token | Kind::Comment => return,
                Kind::PositionalSeparator => {
                    for parameter in &mut parameters {
                        parameter.kind = ParameterKind::PositionalOnly;
                    }
                    return;
                }
                Kind::KeywordSeparator => {
                    kind_now = ParameterKind::KeywordOnly;
                    return;
                }
                Kind::Identifier => name = Some(this.text(node)),
                Kind::ListSplatPattern | Kind::DictionarySplatPattern => {
                    (kind_here, name) = this.starred(node);
                }
                Kind::TypedParameter | Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                    this.children(cursor, |this, cursor, kind| {
                        let node = cursor.node();
                        let field = cursor.field_id().map_or(0, std::num::NonZero::get);
                        if field == fields.ty {
                            let source = text::annotation(this.text(node));
                            annotation = Some((this.annotation(cursor), source));
                        } else if field == fields.value {
                            let source = text::default(this.text(node));
                            default = Some((this.expr(cursor), source));
                        } else if matches!(kind, Kind::ListSplatPattern | Kind::DictionarySplatPattern) {
                            (kind_here, name) = this.starred(node);
                        } else if kind == Kind::Identifier {
                            name = Some(this.text(node));
                        }
                    });
                }
                _ => {}
            }
            if kind_here == ParameterKind::VarPositional {
                kind_now = ParameterKind::KeywordOnly;
            }
            if let Some(name) = name {
                let name = this.intern(name);
                parameters.push(Param { name, kind: kind_here, annotation, default });
            }
        });
        parameters
    }

    fn starred(&self, node: Node) -> (ParameterKind, Option<&'s str>) {
        let kind = match self.kind(node) {
            Kind::DictionarySplatPattern => ParameterKind::VarKeyword,
            _ => ParameterKind::VarPositional,
        };
        (kind, node.named_child(0).map(|n| self.text(n)))
    }

    pub(super) fn lambda(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let mut function = Function { is_lambda: true, ..Function::default() };
        self.field(cursor, fields.parameters, |this, cursor, _| function.parameters = this.parameters(cursor));
        let def = self.add_def(
            ScopeKind::Function,
            Def {
                name: NameId::new(0),
                line: line_of(node),
                end_line: node.end_position().row as u32 + 1,
                scope: ScopeId::new(0),
                outer: self.frame.scope,
                decorators: Vec::new(),
                summary: None,
                body: DefBody::Function(function),
            },
        );
        let caller = self.frame.caller;
        let annotation = std::mem::take(&mut self.in_annotation);
        let outer = self.enter(def, caller);
        self.bind_parameters(def, outer.scope);
        self.frame.receiver = None;
        let value = self.field_expr(cursor, fields.body).unwrap_or_else(|| self.unknown());
        if let Some(function) = self.enclosing_function() {
            function.return_values.push(value);
        }
        self.frame = outer;
        self.in_annotation = annotation;
        self.add(super::facts::Expr::Lambda(def))
    }

    /// Notes a field where a class body or module is being read.
    pub(super) fn field_of(
        &mut self,
        name: NameId,
        line: u32,
        annotation: Option<(ExprId, &str)>,
        value: Option<(ExprId, &str)>,
    ) {
        let is_module = self.frame.def.is_none();
        if is_module && self.facts.name(name).starts_with('_') {
            return;
        }
        let field = Field {
            name,
            line,
            annotation: annotation.map(|(expr, source)| (expr, text::annotation(source))),
            value: value.map(|(expr, source)| (expr, text::default(source))),
        };
        match self.frame.def {
            None => self.facts.constants.push(field),
            Some(def) => {
                if let DefBody::Class(class) = &mut self.facts.definitions[def.index()].body {
                    class.fields.push(field);
                }
            }
        }
    }

    fn docstring(&self, body: Node) -> Option<CompactString> {
        let mut cursor = body.walk();
        let first = body.named_children(&mut cursor).find(|n| self.kind(*n) != Kind::Comment)?;
        let string = first.named_child(0).filter(|_| self.kind(first) == Kind::ExpressionStatement)?;
        if self.kind(string) == Kind::String { text::summary(self.text(string)) } else { None }
    }

    /// True for bodies of `...`, a docstring, or a `raise` alone.
    fn only_declares(&self, body: Node) -> bool {
        let mut cursor = body.walk();
        body.named_children(&mut cursor).all(|statement| match self.kind(statement) {
            Kind::Comment | Kind::RaiseStatement => true,
            Kind::ExpressionStatement => {
                statement.named_child(0).is_some_and(|n| matches!(self.kind(n), Kind::String | Kind::Ellipsis))
            }
            _ => false,
        })
    }
}
