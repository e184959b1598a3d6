//! Call sites and their arguments.

use compact_str::CompactString;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{Arg, Context, Expr, ExprId, Key, Member, MemberKind, Site, SiteId, SiteKind, TypeId},
    frame::Words,
    kinds::{Kind, Named},
    lower::{Lowering, nth},
    text,
};
use crate::program::CallForm;

/// Functions that go on only where their first argument is true.
fn is_assertion(name: &str) -> bool {
    matches!(name, "assert" | "invariant")
}

impl Lowering<'_> {
    /// A call, a tagged template, `import(…)` or `require(…)`.
    pub(super) fn call(&mut self, cursor: &mut TreeCursor) -> ExprId {
        self.call_of_kind(cursor, SiteKind::Call)
    }

    pub(super) fn call_of_kind(&mut self, cursor: &mut TreeCursor, kind: SiteKind) -> ExprId {
        let fields = &self.grammar.fields;
        let mut site = None;
        let mut type_args = Vec::new();
        let mut is_import = false;
        let mut prefix = None;
        let mut arguments = Vec::new();
        self.fields(cursor, |this, cursor, named, field| {
            if field == fields.function {
                if named == Named::Import {
                    is_import = true;
                } else {
                    site = this.prefixed_site(cursor, named, kind, &mut prefix);
                }
            } else if field == fields.type_arguments {
                type_args = this.type_arguments(cursor);
            } else if field == fields.arguments {
                if named == Named::TemplateString {
                    if let Some(site) = site {
                        this.facts.calls[site.index()].kind = SiteKind::Template;
                        this.facts.calls[site.index()].form = CallForm::Template;
                    }
                    arguments = this.template_arguments(cursor);
                } else {
                    arguments = this.arguments(cursor, site);
                }
            }
        });
        let first = arguments.first().map(|first| self.facts.expr(first.value));
        match site {
            Some(site) => {
                let expr = self.end_site(site, type_args, arguments);
                self.require(site, expr, first);
                match prefix {
                    Some(Named::AwaitExpression) => self.add(Expr::Await(expr)),
                    Some(_) => self.add(Expr::Unknown),
                    None => expr,
                }
            }
            None => match first {
                Some(Expr::String(Some(name))) if is_import => self.add(Expr::Import(name)),
                _ => self.add(Expr::Unknown),
            },
        }
    }

    /// Begins the site of a call. The grammar reads `await f<T>(x)` and `!f!(x)` as calls of `await f` and `!f`:
    /// the prefix belongs to the call.
    fn prefixed_site(
        &mut self,
        cursor: &mut TreeCursor,
        named: Named,
        kind: SiteKind,
        prefix: &mut Option<Named>,
    ) -> Option<SiteId> {
        let is_prefix = |named| matches!(named, Kind::Node(Named::AwaitExpression | Named::UnaryExpression));
        let inner = cursor.node().named_child(0).map(|inner| self.kind(inner));
        let is_misread =
            is_prefix(Kind::Node(named)) || named == Named::NonNullExpression && inner.is_some_and(is_prefix);
        if !is_misread {
            return Some(self.begin_site(cursor, kind));
        }
        *prefix = prefix.or(Some(named));
        if named == Named::AwaitExpression {
            *prefix = Some(named);
        }
        let node = cursor.node();
        self.deeper(node, |this| {
            this.first(cursor, |this, cursor, named| this.prefixed_site(cursor, named, kind, prefix))
        })??
    }

    /// `require("m")` is no call of the program's, unless the file declares a `require`.
    fn require(&mut self, site: SiteId, expr: ExprId, first: Option<Expr>) {
        let call = self.facts.site(site);
        if let (Expr::Name { name, .. }, Some(Expr::String(Some(module))), [_]) =
            (self.facts.expr(call.callee), first, &call.arguments[..])
            && name == Words::require()
        {
            self.pending.required.push((site, expr, module));
        }
    }

    /// `new C(x)`, `new C`
    pub(super) fn new_expression(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mut site = None;
        let mut type_args = Vec::new();
        let mut arguments = Vec::new();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.constructor {
                site = Some(this.begin_site(cursor, SiteKind::New));
            } else if field == fields.type_arguments {
                type_args = this.type_arguments(cursor);
            } else if field == fields.arguments {
                arguments = this.arguments(cursor, site);
            }
        });
        match site {
            Some(site) => self.end_site(site, type_args, arguments),
            None => self.add(Expr::Unknown),
        }
    }

    /// Lowers the callee at the cursor, and begins a site of it.
    pub(super) fn begin_site(&mut self, cursor: &mut TreeCursor, kind: SiteKind) -> SiteId {
        let node = cursor.node();
        let callee = self.expr(cursor);
        let form = match kind {
            SiteKind::New => CallForm::New,
            SiteKind::Template => CallForm::Template,
            SiteKind::Jsx => CallForm::Jsx,
            SiteKind::Decorator => CallForm::Decorator,
            SiteKind::Call => self.form(node),
        };
        let (line, col) = self.name_token(node).map_or((0, 0), |token| {
            let at = token.start_position();
            (at.row as u32 + 1, at.column as u32)
        });
        let id = SiteId::new(self.facts.calls.len());
        self.facts.calls.push(Site {
            callee,
            expr: callee,
            kind,
            line,
            col,
            form,
            caller: self.frame.caller,
            type_args: Vec::new(),
            arguments: Box::default(),
        });
        id
    }

    /// Ends a site: the expression that the call is.
    pub(super) fn end_site(&mut self, site: SiteId, type_args: Vec<TypeId>, arguments: Vec<Arg>) -> ExprId {
        for (at, argument) in arguments.iter().enumerate() {
            if let Some(at) = nth(at).filter(|_| !argument.is_spread) {
                self.expect(argument.value, Context::Argument(site, at));
            }
        }
        let expr = self.add(Expr::Call(site));
        let call = &mut self.facts.calls[site.index()];
        (call.expr, call.type_args, call.arguments) = (expr, type_args, arguments.into_boxed_slice());
        expr
    }

    /// The arguments of the argument list at the cursor.
    fn arguments(&mut self, cursor: &mut TreeCursor, site: Option<SiteId>) -> Vec<Arg> {
        let asserts = site.is_some_and(|site| self.asserted(self.facts.site(site).callee, is_assertion));
        let mut arguments = Vec::new();
        self.nodes(cursor, |this, cursor, kind| {
            if kind == Named::SpreadElement {
                let value = this.first(cursor, |this, cursor, _| this.expr(cursor));
                let value = value.unwrap_or_else(|| this.add(Expr::Unknown));
                arguments.push(Arg { value, is_spread: true, keys: None, literal: None });
                return;
            }
            let value = if asserts && arguments.is_empty() {
                let (value, condition) = this.condition(cursor);
                this.pending.asserted = site.map(|site| (site, condition));
                value
            } else {
                this.expr(cursor)
            };
            let literal = this.literal(cursor.node());
            let keys = this.keys(value);
            arguments.push(Arg { value, is_spread: false, keys, literal });
        });
        arguments
    }

    /// The values of a tagged template, after its strings.
    fn template_arguments(&mut self, cursor: &mut TreeCursor) -> Vec<Arg> {
        let strings = self.add(Expr::String(None));
        let values = self.substitutions(cursor);
        let argument = |value| Arg { value, is_spread: false, keys: None, literal: None };
        std::iter::once(strings).chain(values).map(argument).collect()
    }

    /// True for a callee whose name is such a word.
    pub(super) fn asserted(&self, callee: ExprId, is_word: impl Fn(&str) -> bool) -> bool {
        match self.facts.expr(self.unwrapped(callee)) {
            Expr::Name { name, .. } | Expr::Property { name, .. } => is_word(self.facts.name(name)),
            _ => false,
        }
    }

    /// The property names of an argument that is an object literal.
    pub(super) fn keys(&self, value: ExprId) -> Option<Vec<Key>> {
        let mut at = value;
        let def = loop {
            match self.facts.expr(at) {
                Expr::As(inner, _) | Expr::Satisfies(inner, _) | Expr::AsConst(inner) | Expr::NonNull(inner) => {
                    at = inner;
                }
                Expr::Object(def) => break def,
                _ => return None,
            }
        };
        let key = |member: &Member| match &member.kind {
            MemberKind::Spread(_) => Key { name: Words::spread(), literal: None },
            MemberKind::Property { value: Some((_, text)), .. } => {
                let literal = text::is_literal(text).then(|| text::literal(text)).flatten();
                Key { name: member.name.unwrap_or(Words::computed()), literal }
            }
            _ => Key { name: member.name.unwrap_or(Words::computed()), literal: None },
        };
        Some(self.facts.def(def).members().iter().map(key).collect())
    }

    fn literal(&self, node: Node) -> Option<CompactString> {
        let is_literal = match self.kind(node) {
            Kind::Node(Named::String | Named::Number | Named::True | Named::False | Named::Null | Named::Undefined) => {
                true
            }
            Kind::Node(Named::UnaryExpression) => text::is_literal(self.text(node)),
            _ => false,
        };
        if is_literal { text::literal(self.text(node)) } else { None }
    }

    /// The callee's last name token.
    fn name_token<'t>(&self, callee: Node<'t>) -> Option<Node<'t>> {
        let mut node = callee;
        loop {
            node = match self.kind(node) {
                Kind::Node(Named::Identifier | Named::Super | Named::This) => return Some(node),
                Kind::Node(Named::MemberExpression | Named::NestedIdentifier) => {
                    return node.child_by_field_id(self.grammar.fields.property);
                }
                Kind::Node(Named::SubscriptExpression) => node.child_by_field_id(self.grammar.fields.object)?,
                _ => self.inside(node)?,
            }
        }
    }

    /// What parentheses, casts and type arguments stand around.
    fn inside<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let is_last = match self.kind(node) {
            Kind::Node(
                Named::ParenthesizedExpression
                | Named::AsExpression
                | Named::SatisfiesExpression
                | Named::NonNullExpression
                | Named::InstantiationExpression,
            ) => false,
            Kind::Node(Named::TypeAssertion) => true,
            _ => return None,
        };
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor).filter(|part| self.kind(*part) != Kind::Comment);
        if is_last { parts.last() } else { parts.next() }
    }

    fn form(&self, callee: Node) -> CallForm {
        let mut node = callee;
        while let Some(inner) = self.inside(node) {
            node = inner;
        }
        match self.kind(node) {
            Kind::Node(Named::Identifier | Named::This) => CallForm::Name,
            Kind::Node(Named::Super) => CallForm::Super,
            Kind::Node(Named::SubscriptExpression) => CallForm::Subscript,
            Kind::Node(Named::MemberExpression) => {
                let mut object = node.child_by_field_id(self.grammar.fields.object);
                while let Some(inner) = object.and_then(|object| self.inside(object)) {
                    object = Some(inner);
                }
                match object.map(|object| self.kind(object)) {
                    Some(Kind::Node(Named::This)) => CallForm::SelfAttribute,
                    Some(Kind::Node(Named::Super)) => CallForm::SuperAttribute,
                    Some(Kind::Node(Named::Identifier)) => CallForm::Attribute,
                    Some(Kind::Node(Named::MemberExpression)) => CallForm::Chain,
                    Some(Kind::Node(Named::CallExpression | Named::AwaitExpression | Named::NewExpression)) => {
                        CallForm::CallAttribute
                    }
                    _ => CallForm::OtherAttribute,
                }
            }
            _ => CallForm::OtherAttribute,
        }
    }
}
