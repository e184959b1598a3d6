//! The values of arguments of HTTP calls, as far as literals and constants show them.

use compact_str::CompactString;

use super::{
    limits::MAX_INHERITED,
    linker::Linker,
    names::MODULE,
    program::{ClassId, FileIndex, GlobalDef, ModuleNodeId},
    types::Type,
};
use crate::http::{Object, PassedArgument, Text, Value, concatenated, formatted};
use apidisc_facts::{
    program::ArgumentKind,
    syntax::python::facts::{
        BinaryOperator, BindingId, BindingKind, CallExprId, Expr, ExprId, Extraction, NameId, ScopeId, ScopeKind,
    },
};

/// The greatest number of names, literals and calls that are followed from an expression to its value.
const MAX_STEPS: u32 = 8;
/// The greatest number of entries of a dictionary that are read.
const MAX_ENTRIES: usize = 64;

/// An expression of the program.
pub(super) type GlobalExpr = (FileIndex, ExprId);

impl Linker<'_> {
    /// The arguments of a call with their values.
    pub(super) fn passed_values(&mut self, file: FileIndex, site: CallExprId) -> Vec<PassedArgument> {
        let site = &self.program.facts(file).calls[site.index()];
        let facts = self.program.facts(file);
        let around = site.caller.map(|def| self.program.global_def(file, def));
        let mut passed = Vec::with_capacity(site.arguments.len());
        for argument in &site.arguments {
            passed.push(PassedArgument {
                keyword: argument.keyword.map(|keyword| facts.name(keyword).into()),
                is_spread: matches!(argument.kind, ArgumentKind::Star | ArgumentKind::DoubleStar),
                value: self.literal_value((file, argument.value), around, 0),
            });
        }
        passed
    }

    /// The value of an expression. `around` is the function that contains the expression: a read of one of its
    /// parameters gives [`Value::Parameter`].
    pub(super) fn literal_value(&mut self, (file, expr): GlobalExpr, around: Option<GlobalDef>, depth: u32) -> Value {
        if depth > MAX_STEPS {
            return Value::Unknown;
        }
        let Some(_level) = self.descend() else { return Value::Unknown };
        let facts = self.program.facts(file);
        let value = |this: &mut Self, expr| this.literal_value((file, expr), around, depth + 1);
        if let Some(pieces) = facts.kept_text(expr) {
            return Value::Text(Text::of_pieces(pieces, |inserted| value(self, inserted)));
        }
        match facts.expr(expr) {
            Expr::Str(Some(text)) => Value::Text(Text::literal(facts.name(text))),
            Expr::None => Value::Nothing,
            Expr::Dict(list) => {
                let mut object = Object { is_open: facts.spreads_of(expr).is_some(), ..Object::default() };
                for pair in facts.list(list).chunks_exact(2).take(MAX_ENTRIES) {
                    match value(self, pair[0]).known_text() {
                        Some(name) => object.entries.push((name, value(self, pair[1]))),
                        None => object.is_open = true,
                    }
                }
                Value::Object(object)
            }
            Expr::List(list) | Expr::Tuple(list) => match facts.list(list).first() {
                Some(&first) => Value::List(Box::new(value(self, first))),
                None => Value::Nothing,
            },
            Expr::ListComprehension(item) => Value::List(Box::new(value(self, item))),
            Expr::Binary { operator, left, right } if operator != BinaryOperator::Or => {
                let text = concatenated(value(self, left).into_text(), value(self, right).into_text());
                if text.is_written() { Value::Text(text) } else { Value::Unknown }
            }
            // `os.environ.get("URL") or "https://…"`
            Expr::Boolean { is_or: true, left, right } => match value(self, left) {
                Value::Unknown | Value::Nothing => value(self, right),
                left => left,
            },
            Expr::Conditional(first, second) => match (value(self, first), value(self, second)) {
                (first, second) if first == second => first,
                (Value::Nothing, other) | (other, Value::Nothing) => other,
                _ => Value::Unknown,
            },
            Expr::Call(site) => self.value_of_call(file, site, around, depth),
            Expr::Name { name, scope, reaching } => {
                let bindings = self.bindings_of_read(file, scope, name, facts.reaching(reaching));
                if let [only] = bindings[..]
                    && let BindingKind::Parameter(def, position) = facts.bindings[only.index()].kind
                {
                    let is_own = around == Some(self.program.global_def(file, def));
                    let position = u16::try_from(position).ok().filter(|_| is_own);
                    return position.map_or(Value::Unknown, Value::Parameter);
                }
                match self.origin((file, expr), depth) {
                    Some(origin) if origin != (file, expr) => self.literal_value(origin, around, depth + 1),
                    _ => Value::Unknown,
                }
            }
            Expr::Attribute { .. } => match self.origin((file, expr), depth) {
                Some(origin) if origin != (file, expr) => self.literal_value(origin, None, depth + 1),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    /// The value of a call of a function that is known to keep or to join texts, or that the sources define.
    fn value_of_call(&mut self, file: FileIndex, id: CallExprId, around: Option<GlobalDef>, depth: u32) -> Value {
        let facts = self.program.facts(file);
        let site = &facts.calls[id.index()];
        let value = |this: &mut Self, expr| this.literal_value((file, expr), around, depth + 1);
        let positional = |at: usize| site.arguments.get(at).filter(|a| a.kind == ArgumentKind::Positional);
        let (receiver, name) = match facts.expr(site.callee) {
            Expr::Attribute { value, name, .. } => (Some(value), facts.name(name)),
            Expr::Name { name, .. } => (None, facts.name(name)),
            _ => return Value::Unknown,
        };
        match (receiver, name) {
            (Some(receiver), "format") => Value::Text(formatted(&value(self, receiver).into_text())),
            (Some(receiver), "rstrip" | "strip" | "lstrip" | "lower") => value(self, receiver),
            (Some(_), "dumps") => positional(0).map_or(Value::Unknown, |argument| value(self, argument.value)),
            // `os.environ.get("URL", "https://…")`, `os.getenv("URL", "https://…")`
            (_, "getenv" | "get") => match positional(1).map(|argument| value(self, argument.value)) {
                Some(Value::Text(text)) => Value::Text(text),
                _ => self.returned_value(file, id, around, depth),
            },
            (_, "urljoin") => {
                let [base, path] = [0, 1].map(|at| positional(at).map_or(Value::Unknown, |a| value(self, a.value)));
                Value::Text(crate::http::joined(base.into_text(), path.into_text()))
            }
            (None, "dict") => {
                let mut object = Object::default();
                for argument in &site.arguments {
                    match argument.keyword {
                        Some(keyword) => {
                            object.entries.push((CompactString::new(facts.name(keyword)), value(self, argument.value)));
                        }
                        None => object.is_open = true,
                    }
                }
                Value::Object(object)
            }
            _ => self.returned_value(file, id, around, depth),
        }
    }

    /// The value of a call of a function of the sources that returns only one value.
    fn returned_value(&mut self, file: FileIndex, site: CallExprId, around: Option<GlobalDef>, depth: u32) -> Value {
        let facts = self.program.facts(file);
        let site = &facts.calls[site.index()];
        let callee = self.expr_type(file, site.callee);
        let (function, skipped) = match *self.types.get(callee) {
            Type::Function(def) => (def, 0),
            Type::Method(def, _) => (def, usize::from(!self.program.is_decorated(def, &["staticmethod"]))),
            _ => return Value::Unknown,
        };
        let Some(&[value]) = self.program.function(function).map(|function| &function.return_values[..]) else {
            return Value::Unknown;
        };
        let value = self.literal_value((self.program.file_of(function), value), Some(function), depth + 1);
        let mut passed = Vec::with_capacity(site.arguments.len());
        for argument in &site.arguments {
            passed.push(PassedArgument {
                keyword: argument.keyword.map(|keyword| facts.name(keyword).into()),
                is_spread: matches!(argument.kind, ArgumentKind::Star | ArgumentKind::DoubleStar),
                value: self.literal_value((file, argument.value), around, depth + 1),
            });
        }
        let values = self.parameter_values(function, skipped, &passed);
        value.with_arguments(&|at| values.get(usize::from(at)).cloned().unwrap_or_default())
    }

    /// The expression that an expression gets its value from. Names, imports and attributes are followed to the only
    /// value that they are bound to; `None` if there are several. Any other expression is its own origin.
    pub(super) fn origin(&mut self, (file, expr): GlobalExpr, depth: u32) -> Option<GlobalExpr> {
        if depth > MAX_STEPS {
            return None;
        }
        let _level = self.descend()?;
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::Name { name, scope, reaching } => {
                let bindings = self.bindings_of_read(file, scope, name, facts.reaching(reaching));
                self.origin_of_bindings(file, &bindings, depth)
            }
            Expr::Await(inner) => self.origin((file, inner), depth + 1),
            Expr::Attribute { value, name, reaching } => {
                let reached = facts.reaching(reaching).to_vec();
                if !reached.is_empty() {
                    return self.origin_of_bindings(file, &reached, depth);
                }
                let name = self.program.global_name(file, name);
                let receiver = self.expr_type(file, value);
                let own = match *self.types.get(receiver) {
                    Type::Module(node) => return self.origin_in_module(node, name, depth),
                    Type::Instance(class, _) | Type::Class(class, _) => class,
                    _ => return None,
                };
                // A parameter may be an instance of a subclass, which has a value of its own.
                if self.reads_parameter(file, value) && self.is_overridden(own, name) {
                    return None;
                }
                let mro = self.mro(own);
                let classes: Vec<ClassId> = self.mro_table.classes(mro).take(MAX_INHERITED).collect();
                classes.into_iter().find_map(|class| {
                    let (file, def, _) = self.program.class_facts(class);
                    let assigned: Vec<BindingId> = self.program.attribute_assigns(class, name).collect();
                    let declared = self.program.bindings(file, def.scope, name);
                    let bindings = if assigned.is_empty() { declared.to_vec() } else { assigned };
                    self.origin_of_bindings(file, &bindings, depth)
                })
            }
            _ => Some((file, expr)),
        }
    }

    /// True if an expression reads a parameter.
    fn reads_parameter(&self, file: FileIndex, expr: ExprId) -> bool {
        let facts = self.program.facts(file);
        let Expr::Name { name, scope, reaching } = facts.expr(expr) else { return false };
        let bindings = self.bindings_of_read(file, scope, name, facts.reaching(reaching));
        bindings.iter().any(|binding| matches!(facts.bindings[binding.index()].kind, BindingKind::Parameter(..)))
    }

    /// The bindings that may give a read name its value.
    fn bindings_of_read(
        &self,
        file: FileIndex,
        scope: ScopeId,
        name: NameId,
        reaching: &[BindingId],
    ) -> Vec<BindingId> {
        if !reaching.is_empty() {
            return reaching.to_vec();
        }
        let facts = self.program.facts(file);
        let mut next = Some(scope);
        while let Some(current) = next {
            let row = &facts.scopes[current.index()];
            let bindings = facts.bindings_of(current, name);
            if !bindings.is_empty() && (row.kind != ScopeKind::Class || current == scope) {
                return bindings.to_vec();
            }
            next = row.parent;
        }
        Vec::new()
    }

    fn origin_in_module(
        &mut self,
        node: ModuleNodeId,
        name: super::program::GlobalName,
        depth: u32,
    ) -> Option<GlobalExpr> {
        let _level = self.descend()?;
        let file = self.program.modules.get(node).file?;
        let bindings = self.program.bindings(file, ScopeId::new(MODULE), name).to_vec();
        self.origin_of_bindings(file, &bindings, depth)
    }

    /// The origin of a name with these bindings; `None` if there are several.
    fn origin_of_bindings(&mut self, file: FileIndex, bindings: &[BindingId], depth: u32) -> Option<GlobalExpr> {
        let facts = self.program.facts(file);
        let is_declaration = |binding: &BindingId| {
            matches!(facts.bindings[binding.index()].kind, BindingKind::Assign { value: None, .. })
        };
        let mut values = bindings.iter().filter(|binding| !is_declaration(binding));
        let (Some(only), None) = (values.next(), values.next()) else { return None };
        match &facts.bindings[only.index()].kind {
            BindingKind::Assign { value: Some(value), unpack, extraction, .. }
                if unpack.is_none()
                    && matches!(extraction, Extraction::Value | Extraction::Enter | Extraction::AsyncEnter) =>
            {
                self.origin((file, *value), depth + 1)
            }
            BindingKind::ImportFrom { module, level, name } => {
                let node = self.imported_module(file, *level, *module)?;
                let name = self.program.global_name(file, *name);
                self.origin_in_module(node, name, depth + 1)
            }
            BindingKind::Narrow { before, .. } => self.origin((file, *before), depth + 1),
            BindingKind::Parameter(def, position) => {
                let def = self.program.global_def(file, *def);
                let fixture = self.requested_fixture(def, *position as usize)?;
                let function = self.program.function(fixture)?;
                let value = *function.yields.first().or(function.return_values.first())?;
                self.origin((self.program.file_of(fixture), value), depth + 1)
            }
            _ => None,
        }
    }
}
