//! The values of arguments of HTTP calls, as far as literals and constants show them.

use compact_str::CompactString;

use super::HttpReader;
use crate::http::{self, Object, PassedArgument, Text, Value, concatenated};
use crate::typescript::{
    infer::ResolvedName,
    program::{FileIndex, GlobalDef},
};
use apidisc_facts::syntax::typescript::facts::{
    CallExprId, Decl, Expr, ExprId, MemberKind, NameId, SymbolId, ValueSource,
};

/// The greatest number of constants, literals and calls that lead to one value.
const MAX_STEPS: u32 = 10;
/// The greatest number of entries of an object literal that are read.
const MAX_ENTRIES: usize = 64;

impl HttpReader<'_, '_> {
    /// The arguments of a call with their values.
    pub(super) fn passed_values(&mut self, file: FileIndex, site: CallExprId) -> Vec<PassedArgument> {
        let row = self.linker.program.facts(file).site(site);
        let around = row.caller.map(|def| self.linker.program.global_def(file, def));
        let passed = row.arguments.iter().map(|argument| PassedArgument {
            keyword: None,
            is_spread: argument.is_spread,
            value: self.literal_value(file, argument.value, around, 0),
        });
        passed.collect()
    }

    /// The value of an expression. `around` is the function around it, whose parameters stay parameters.
    pub(super) fn literal_value(
        &mut self,
        file: FileIndex,
        expr: ExprId,
        around: Option<GlobalDef>,
        depth: u32,
    ) -> Value {
        if depth > MAX_STEPS {
            return Value::Unknown;
        }
        let Some(_level) = self.linker.descend() else { return Value::Unknown };
        let facts = self.linker.program.facts(file);
        let value = |reader: &mut Self, expr| reader.literal_value(file, expr, around, depth + 1);
        if let Some(pieces) = facts.kept_text(expr) {
            return Value::Text(Text::of_pieces(pieces, |inserted| value(self, inserted)));
        }
        match facts.expr(expr) {
            Expr::String(Some(text)) => Value::Text(Text::literal(facts.name(text))),
            Expr::Undefined | Expr::Null => Value::Nothing,
            Expr::Plus(left, right) => {
                let text = concatenated(value(self, left).into_text(), value(self, right).into_text());
                if text.is_written() { Value::Text(text) } else { Value::Unknown }
            }
            Expr::Object(def) => {
                let mut object = Object::default();
                for member in facts.def(def).members().iter().take(MAX_ENTRIES) {
                    match (&member.kind, member.name) {
                        (MemberKind::Property { value: Some((inner, _)), .. }, Some(name)) => {
                            object.entries.push((facts.name(name).into(), value(self, *inner)));
                        }
                        (MemberKind::Spread(inner), _) => match value(self, *inner) {
                            Value::Object(spread) => {
                                object.entries.extend(spread.entries);
                                object.is_open |= spread.is_open;
                            }
                            _ => object.is_open = true,
                        },
                        (MemberKind::Function(_), Some(_)) => {}
                        _ => object.is_open = true,
                    }
                }
                Value::Object(object)
            }
            Expr::Array(list) => match facts.list(list).first() {
                Some(&first) => Value::List(Box::new(value(self, first))),
                None => Value::Nothing,
            },
            Expr::Or(left, right) | Expr::Nullish(left, right) => match value(self, left) {
                Value::Unknown | Value::Nothing => value(self, right),
                left => left,
            },
            Expr::And(_, right) => value(self, right),
            Expr::Either(first, second) => match (value(self, first), value(self, second)) {
                (first, second) if first == second => first,
                (Value::Nothing, other) | (other, Value::Nothing) => other,
                _ => Value::Unknown,
            },
            Expr::As(inner, _)
            | Expr::AsConst(inner)
            | Expr::Satisfies(inner, _)
            | Expr::NonNull(inner)
            | Expr::Narrowed(inner, _) => value(self, inner),
            Expr::Call(site) => self.value_of_call(file, site, around, depth),
            Expr::Name { symbol: Some(symbol), .. } => self.value_of_symbol(file, symbol, around, depth),
            Expr::Property { object, name, .. } => {
                if let Expr::This(Some(def)) = facts.expr(object) {
                    return self.value_of_field(self.linker.program.global_def(file, def), name, depth);
                }
                // `url.href`, `ROUTES.users`
                let known = match (value(self, object), facts.name(name)) {
                    (Value::Text(text), "href" | "pathname") => Value::Text(text),
                    (object, name) => object.entry(name).cloned().unwrap_or_default(),
                };
                if known != Value::Unknown {
                    return known;
                }
                // `import * as routes from "./routes"`
                match self.linker.named_value(file, expr, 0).and_then(|named| self.constant(named)) {
                    Some((file, value)) => self.literal_value(file, value, None, depth + 1),
                    None => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }

    /// The value of a constant, or of a parameter of `around`.
    fn value_of_symbol(&mut self, file: FileIndex, symbol: SymbolId, around: Option<GlobalDef>, depth: u32) -> Value {
        match self.linker.resolve_symbol(file, symbol) {
            ResolvedName::Symbol(symbol) => {
                let (file, row) = self.linker.program.symbol(symbol);
                let [decl] = row.decls[..] else { return Value::Unknown };
                match decl {
                    Decl::Parameter(def, at) if around == Some(self.linker.program.global_def(file, def)) => {
                        Value::Parameter(at)
                    }
                    Decl::Variable(variable) => {
                        let variable = &self.linker.program.facts(file).variables[variable.index()];
                        let is_const = variable.is_const;
                        match (variable.source, &variable.assigned[..]) {
                            (ValueSource::Value(value), []) if variable.path.is_empty() => {
                                let value = self.literal_value(file, value, around, depth + 1);
                                // `let id = ""` waits for its value.
                                let waits = !is_const && matches!(&value, Value::Text(text) if !text.is_written());
                                if waits { Value::Unknown } else { value }
                            }
                            (_, &[value]) if variable.path.is_empty() => {
                                self.literal_value(file, value, around, depth + 1)
                            }
                            _ => Value::Unknown,
                        }
                    }
                    _ => Value::Unknown,
                }
            }
            ResolvedName::Expression(file, value) => self.literal_value(file, value, None, depth + 1),
            _ => Value::Unknown,
        }
    }

    /// The value with which the field `name` of the class around `def` is declared.
    fn value_of_field(&mut self, def: GlobalDef, name: NameId, depth: u32) -> Value {
        let class =
            if self.linker.program.def(def).class().is_some() { Some(def) } else { self.linker.program.outer(def) };
        let Some(class) = class else { return Value::Unknown };
        let member = self.linker.program.members(class).iter().find(|member| member.name == Some(name));
        match member.map(|member| &member.kind) {
            Some(MemberKind::Property { value: Some((value, _)), .. }) => {
                let value = *value;
                self.literal_value(self.linker.program.file_of(class), value, None, depth + 1)
            }
            _ => Value::Unknown,
        }
    }

    /// The value of a call of a function of the sources that returns only one value.
    fn returned_value(&mut self, file: FileIndex, site: CallExprId, around: Option<GlobalDef>, depth: u32) -> Value {
        let row = self.linker.program.facts(file).site(site);
        let Some(named) = self.linker.named_value(file, row.callee, 0) else { return Value::Unknown };
        let Some(function) = self.function_of_resolved(named) else { return Value::Unknown };
        let Some(&[value]) = self.linker.program.function(function).map(|function| &function.return_values[..]) else {
            return Value::Unknown;
        };
        let value = self.literal_value(self.linker.program.file_of(function), value, Some(function), depth + 1);
        let passed: Vec<PassedArgument> = row
            .arguments
            .iter()
            .map(|argument| PassedArgument {
                keyword: None,
                is_spread: argument.is_spread,
                value: self.literal_value(file, argument.value, around, depth + 1),
            })
            .collect();
        let values = self.parameter_values(function, &passed);
        value.with_arguments(&|at| values.get(usize::from(at)).cloned().unwrap_or_default())
    }

    /// The value of a call of a function that is known to keep or to join texts, or that the sources define.
    fn value_of_call(&mut self, file: FileIndex, site: CallExprId, around: Option<GlobalDef>, depth: u32) -> Value {
        let facts = self.linker.program.facts(file);
        let row = facts.site(site);
        let argument = |reader: &mut Self, at: usize| {
            let argument = row.arguments.get(at).filter(|argument| !argument.is_spread);
            argument.map_or(Value::Nothing, |argument| reader.literal_value(file, argument.value, around, depth + 1))
        };
        match facts.expr(row.callee) {
            Expr::Property { object, name, .. } => match facts.name(name) {
                "stringify" => argument(self, 0),
                "toString" | "trim" => self.literal_value(file, object, around, depth + 1),
                _ => self.returned_value(file, site, around, depth),
            },
            Expr::Name { symbol: Some(_), .. } => self.returned_value(file, site, around, depth),
            Expr::Name { symbol: None, name } => match facts.name(name) {
                "URLSearchParams" => argument(self, 0),
                "URL" => match [argument(self, 0), argument(self, 1)] {
                    [path, Value::Nothing] => path,
                    [path, base] => Value::Text(http::joined(base.into_text(), path.into_text())),
                },
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    /// The expression whose value an expression has: names, imports and `require` are followed to the constants that
    /// they are bound to. An expression that is none of these is its own origin.
    pub(super) fn value_origin(&mut self, file: FileIndex, expr: ExprId) -> (FileIndex, ExprId) {
        let mut origin = (file, expr);
        for _ in 0..MAX_STEPS {
            let (file, expr) = origin;
            let next = match self.linker.program.facts(file).expr(expr) {
                Expr::Await(inner)
                | Expr::As(inner, _)
                | Expr::AsConst(inner)
                | Expr::Satisfies(inner, _)
                | Expr::NonNull(inner)
                | Expr::Narrowed(inner, _) => Some((file, inner)),
                _ => self.resolved_value(file, expr).and_then(|named| self.constant(named)),
            };
            let Some(next) = next.filter(|next| *next != origin) else { break };
            origin = next;
        }
        origin
    }

    /// Resolves a property of a module or of a constant object.
    pub(super) fn resolved_property(&mut self, file: FileIndex, object: ExprId, name: NameId) -> Option<ResolvedName> {
        let name = self.linker.program.name(file, name);
        let parent = if let Some(ResolvedName::File(module)) = self.resolved_value(file, object) {
            ResolvedName::File(module)
        } else {
            let (file, object) = self.value_origin(file, object);
            self.resolved_value(file, object).unwrap_or(ResolvedName::Expression(file, object))
        };
        self.linker.resolve_member(parent, name)
    }

    /// Resolves a name, a property of a module, `require("…")` or `import("…")`.
    pub(super) fn resolved_value(&mut self, file: FileIndex, expr: ExprId) -> Option<ResolvedName> {
        match self.linker.program.facts(file).expr(expr) {
            Expr::Require(specifier) => Some(self.linker.resolve_require(file, specifier)),
            Expr::Import(specifier) => {
                let default = self.linker.program.names.find("default")?;
                Some(self.linker.resolve_imported_name(file, specifier, default))
            }
            _ => self.linker.named_value(file, expr, 0),
        }
    }

    /// The value of the entry `name` of an object literal.
    pub(super) fn option(&mut self, file: FileIndex, options: ExprId, name: &str) -> Option<(FileIndex, ExprId)> {
        let (file, options) = self.value_origin(file, options);
        let facts = self.linker.program.facts(file);
        let Expr::Object(def) = facts.expr(options) else { return None };
        let member = facts.def(def).members().iter().find(|m| m.name.is_some_and(|own| facts.name(own) == name))?;
        match &member.kind {
            MemberKind::Property { value: Some((value, _)), .. } => Some((file, *value)),
            _ => None,
        }
    }

    /// The expression that a constant holds.
    pub(super) fn constant(&self, named: ResolvedName) -> Option<(FileIndex, ExprId)> {
        match named {
            ResolvedName::Expression(file, value) => Some((file, value)),
            ResolvedName::Symbol(symbol) => {
                let (file, row) = self.linker.program.symbol(symbol);
                let [Decl::Variable(variable)] = row.decls[..] else { return None };
                let variable = &self.linker.program.facts(file).variables[variable.index()];
                match variable.source {
                    ValueSource::Value(value) if variable.path.is_empty() => Some((file, value)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The known texts of a list, or the only text that an expression is.
    pub(super) fn listed_texts(&mut self, file: FileIndex, expr: ExprId) -> Vec<CompactString> {
        let (file, value) = self.value_origin(file, expr);
        let facts = self.linker.program.facts(file);
        let items = match facts.expr(value) {
            Expr::Array(list) => facts.list(list),
            _ => &[value],
        };
        let texts = items.iter().take(MAX_ENTRIES);
        texts.filter_map(|item| self.literal_value(file, *item, None, 0).known_text()).collect()
    }
}
