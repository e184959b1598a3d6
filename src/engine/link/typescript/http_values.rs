//! The values of arguments of HTTP calls, and the clients and routers that expressions are.

use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;

use super::{
    infer::Linker,
    program::{FileIndex, GlobalDef},
    resolved_names::{ResolvedModule, ResolvedName},
};
use crate::{
    link::http::{self, Object, Passed, Text, Value, concatenated},
    syntax::typescript::facts::{
        CallExprId, Decl, Expr, ExprId, ImportId, ImportKind, MemberKind, NameId, PatternStep, SymbolId, TypeId,
        TypeNode, ValueSource,
    },
};

/// The greatest number of constants, literals and calls that lead to one value.
const MAX_STEPS: u32 = 10;
/// The greatest number of entries of an object literal that are read.
const MAX_ENTRIES: usize = 64;

/// The specifiers of packages by the files of the sources that they name.
pub(super) type EntryNames = FxHashMap<FileIndex, CompactString>;

/// A function, client or router from outside a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    /// A name of a package or of the platform: `axios#create`, `#fetch`.
    Outside(CompactString),
    /// What a call or a type of such a name gives.
    Made {
        /// The name that is called, or that names the type.
        path: CompactString,
        /// The call; `None` if only the type is known.
        made: Option<(FileIndex, CallExprId)>,
        /// The path below which its routes lie: `basePath` of Hono.
        prefix: Text,
    },
}

impl Linker<'_> {
    /// The arguments of a call with their values.
    pub(super) fn passed_values(&mut self, file: FileIndex, site: CallExprId) -> Vec<Passed> {
        let row = self.program.facts(file).site(site);
        let around = row.caller.map(|def| self.program.global_def(file, def));
        let passed = row.arguments.iter().map(|argument| Passed {
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
        if depth > MAX_STEPS || !self.budget.step() {
            return Value::Unknown;
        }
        let facts = self.program.facts(file);
        let value = |this: &mut Self, expr| this.literal_value(file, expr, around, depth + 1);
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
            // `url.href`, `ROUTES.users`
            Expr::Property { object, name, .. } => match (value(self, object), facts.name(name)) {
                (Value::Text(text), "href") => Value::Text(text),
                (object, name) => object.entry(name).cloned().unwrap_or_default(),
            },
            _ => Value::Unknown,
        }
    }

    /// The value of a constant, or of a parameter of `around`.
    fn value_of_symbol(&mut self, file: FileIndex, symbol: SymbolId, around: Option<GlobalDef>, depth: u32) -> Value {
        match self.resolve_symbol(file, symbol) {
            ResolvedName::Symbol(symbol) => {
                let (file, row) = self.program.symbol(symbol);
                let [decl] = row.decls[..] else { return Value::Unknown };
                match decl {
                    Decl::Parameter(def, at) if around == Some(self.program.global_def(file, def)) => {
                        Value::Parameter(at)
                    }
                    Decl::Variable(variable) => {
                        let variable = &self.program.facts(file).variables[variable.index()];
                        match (variable.source, &variable.assigned[..]) {
                            (ValueSource::Value(value), []) if variable.path.is_empty() => {
                                self.literal_value(file, value, around, depth + 1)
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

    /// The value of a call of a function that is known to keep or to join texts.
    fn value_of_call(&mut self, file: FileIndex, site: CallExprId, around: Option<GlobalDef>, depth: u32) -> Value {
        let facts = self.program.facts(file);
        let row = facts.site(site);
        let argument = |this: &mut Self, at: usize| {
            let argument = row.arguments.get(at).filter(|argument| !argument.is_spread);
            argument.map_or(Value::Nothing, |argument| this.literal_value(file, argument.value, around, depth + 1))
        };
        match facts.expr(row.callee) {
            Expr::Property { object, name, .. } => match facts.name(name) {
                "stringify" => argument(self, 0),
                "toString" | "trim" => self.literal_value(file, object, around, depth + 1),
                _ => Value::Unknown,
            },
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

    /// The library object that an expression stands for: a name that another package exports, or the object that a call of
    /// such a name returns.
    pub(super) fn thing(&mut self, file: FileIndex, expr: ExprId, entries: &EntryNames, depth: u32) -> Option<Thing> {
        if depth > MAX_STEPS || !self.budget.step() {
            return None;
        }
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::Name { symbol: None, name } => {
                let resolved = self.resolve_global(file, self.program.name(file, name));
                let is_outside = match resolved {
                    ResolvedName::External => true,
                    ResolvedName::Symbol(symbol) => self.program.symbol(symbol).0 == self.program.platform(),
                    _ => false,
                };
                is_outside.then(|| Thing::Outside(format_compact!("#{}", facts.name(name))))
            }
            Expr::Name { symbol: Some(symbol), .. } => self.thing_of_symbol(file, symbol, entries, depth),
            Expr::Require(specifier) => self.module_name(file, specifier, entries).map(Thing::Outside),
            Expr::Property { object, name, .. } => {
                if let Expr::This(Some(def)) = facts.expr(object) {
                    return self.thing_of_field(file, self.program.global_def(file, def), name, entries, depth);
                }
                match self.thing(file, object, entries, depth + 1)? {
                    Thing::Outside(path) => Some(Thing::Outside(member(&path, facts.name(name)))),
                    Thing::Made { .. } => None,
                }
            }
            Expr::Call(site) => self.thing_of_call(file, site, entries, depth),
            Expr::Await(inner)
            | Expr::As(inner, _)
            | Expr::Satisfies(inner, _)
            | Expr::NonNull(inner)
            | Expr::Narrowed(inner, _) => self.thing(file, inner, entries, depth + 1),
            _ => None,
        }
    }

    /// What a call gives. A method of a router gives the router, so that routes can be chained.
    fn thing_of_call(&mut self, file: FileIndex, site: CallExprId, entries: &EntryNames, depth: u32) -> Option<Thing> {
        let facts = self.program.facts(file);
        let callee = facts.site(site).callee;
        if let Expr::Property { object, name, .. } = facts.expr(callee)
            && let Some(Thing::Made { path, made, prefix }) = self.thing(file, object, entries, depth + 1)
        {
            let prefix = match facts.name(name) {
                "basePath" => {
                    let below = self.passed_values(file, site).into_iter().next()?.value.into_text();
                    http::joined(prefix, below)
                }
                "extend" | "create" | "use" | "on" | "all" | "register" => prefix,
                name if http::METHODS.contains(&name) && http::is_typescript_router(&path) => prefix,
                _ => return None,
            };
            let is_new = matches!(facts.name(name), "extend" | "create");
            return Some(Thing::Made { path, made: if is_new { Some((file, site)) } else { made }, prefix });
        }
        match self.thing(file, callee, entries, depth + 1)? {
            Thing::Outside(path) => Some(Thing::Made { path, made: Some((file, site)), prefix: Text::default() }),
            Thing::Made { .. } => None,
        }
    }

    fn thing_of_symbol(
        &mut self,
        file: FileIndex,
        symbol: SymbolId,
        entries: &EntryNames,
        depth: u32,
    ) -> Option<Thing> {
        let row = self.program.facts(file).symbol(symbol);
        if let [Decl::Import(import)] = row.decls[..]
            && let Some(path) = self.imported_path(file, import, entries)
        {
            return Some(Thing::Outside(path));
        }
        match self.resolve_symbol(file, symbol) {
            ResolvedName::Symbol(symbol) => {
                let (declaring, row) = self.program.symbol(symbol);
                if row.decls.iter().any(|decl| matches!(decl, Decl::Import(_))) {
                    return None;
                }
                row.decls.iter().find_map(|decl| self.thing_of_declaration(declaring, *decl, entries, depth))
            }
            ResolvedName::Expression(file, value) => self.thing(file, value, entries, depth + 1),
            _ => None,
        }
    }

    fn thing_of_declaration(&mut self, file: FileIndex, decl: Decl, entries: &EntryNames, depth: u32) -> Option<Thing> {
        let facts = self.program.facts(file);
        match decl {
            Decl::Variable(variable) => {
                let variable = &facts.variables[variable.index()];
                let value = match variable.source {
                    ValueSource::Value(value) => Some(value),
                    _ => None,
                };
                let typed = variable.annotation.filter(|_| variable.path.is_empty());
                // `let app; beforeEach(() => { app = express() })`
                let values = value.into_iter().chain(variable.assigned.iter().copied());
                let thing = values.into_iter().find_map(|value| self.thing(file, value, entries, depth + 1));
                let thing = thing.or_else(|| self.thing_of_type(file, typed?, entries))?;
                match (&variable.path[..], thing) {
                    ([], thing) => Some(thing),
                    ([PatternStep::Property(name)], Thing::Outside(path)) => {
                        Some(Thing::Outside(member(&path, facts.name(*name))))
                    }
                    _ => None,
                }
            }
            Decl::Parameter(def, at) => {
                let annotation = facts.def(def).function()?.params.get(usize::from(at))?.annotation.as_ref()?.0;
                self.thing_of_type(file, annotation, entries)
            }
            // A class of a library that is among the sources.
            Decl::Def(def) => {
                let row = facts.def(def);
                let (Some(_), Some(name)) = (row.class(), row.name) else { return None };
                let package = self.resolver.package_name(file.index())?;
                Some(Thing::Outside(format_compact!("{package}#{}", facts.name(name))))
            }
            _ => None,
        }
    }

    /// What the field `name` of the class around `def` holds.
    fn thing_of_field(
        &mut self,
        file: FileIndex,
        def: GlobalDef,
        name: NameId,
        entries: &EntryNames,
        depth: u32,
    ) -> Option<Thing> {
        let facts = self.program.facts(file);
        let class = if self.program.def(def).class().is_some() { def } else { self.program.outer(def)? };
        let member = self.program.members(class).iter().find(|member| member.name == Some(name))?;
        let MemberKind::Property { annotation, value, parameter } = &member.kind else { return None };
        let value = value.as_ref().and_then(|(value, _)| self.thing(file, *value, entries, depth + 1));
        let of_parameter = |(def, at): (_, u16)| {
            facts.def(def).function()?.params.get(usize::from(at))?.annotation.as_ref().map(|(ty, _)| *ty)
        };
        let typed = annotation.as_ref().map(|(ty, _)| *ty).or_else(|| of_parameter((*parameter)?));
        value.or_else(|| self.thing_of_type(file, typed?, entries))
    }

    /// What the values of a type are, if it is a client or router from outside.
    fn thing_of_type(&mut self, file: FileIndex, ty: TypeId, entries: &EntryNames) -> Option<Thing> {
        let facts = self.program.facts(file);
        let TypeNode::Ref { symbol: Some(symbol), path, .. } = facts.ty(ty) else { return None };
        let [Decl::Import(import)] = facts.symbol(*symbol).decls[..] else { return None };
        let mut named = self.imported_path(file, import, entries)?;
        for name in path.iter().skip(1) {
            named = member(&named, facts.name(*name));
        }
        let is_known = http::is_maker(&named) || http::is_typescript_router(&named);
        is_known.then(|| Thing::Made { path: named, made: None, prefix: Text::default() })
    }

    /// The name that an import takes from a package; `None` for a name of the sources.
    fn imported_path(&mut self, file: FileIndex, import: ImportId, entries: &EntryNames) -> Option<CompactString> {
        let facts = self.program.facts(file);
        let row = &facts.imports[import.index()];
        let module = match row.kind {
            ImportKind::Named(_) | ImportKind::Namespace | ImportKind::Required => {
                self.module_name(file, row.specifier, entries)?
            }
            ImportKind::Entity | ImportKind::Local(_) => return None,
        };
        Some(match row.kind {
            ImportKind::Named(name) if facts.name(name) != "default" => member(&module, facts.name(name)),
            _ => module,
        })
    }

    /// The name of a package that a specifier names, also if the package is among the sources.
    fn module_name(&mut self, file: FileIndex, specifier: NameId, entries: &EntryNames) -> Option<CompactString> {
        match self.resolve_module(file, specifier) {
            ResolvedModule::External => Some(self.program.facts(file).name(specifier).into()),
            ResolvedModule::File(target) => entries.get(&target).cloned(),
            ResolvedModule::AmbientModule(_) | ResolvedModule::Missing => None,
        }
    }
}

/// The path of a member of a name: `axios#create` of `axios`, `#window.fetch` of `#window`.
fn member(path: &str, name: &str) -> CompactString {
    let separator = if path.contains('#') { '.' } else { '#' };
    if name == "default" { path.into() } else { format_compact!("{path}{separator}{name}") }
}
