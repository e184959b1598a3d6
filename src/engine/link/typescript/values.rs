//! Expressions to types.

use super::{
    entities::Meaning,
    infer::Linker,
    program::{FileIndex, GlobalDef},
    types::{Env, Key, Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{
    DefBody, DefId, Expr, ExprId, ExpressionContext, FunctionKind, MemberKind, ValueSource,
};

impl Linker<'_> {
    pub(super) fn value_of_expr(&mut self, file: FileIndex, expr: ExprId) -> Ty {
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::Unknown => Ty::ANY,
            Expr::Undefined | Expr::Null => Ty::NOTHING,
            Expr::Bool(value) => self.types.add(Type::BooleanLiteral(value)),
            Expr::Number => Ty::NUMBER,
            Expr::Test => Ty::BOOLEAN,
            Expr::BigInt => Ty::BIGINT,
            Expr::String(None) => Ty::STRING,
            Expr::String(Some(text)) => {
                let name = self.program.name(file, text);
                self.literal(name)
            }
            Expr::RegExp => self.platform_named("RegExp"),
            Expr::Plus(a, b) => {
                let (a, b) = (self.expr(file, a), self.expr(file, b));
                if self.widened(a) == Ty::NUMBER && self.widened(b) == Ty::NUMBER { Ty::NUMBER } else { Ty::STRING }
            }
            Expr::Name { name, symbol } => {
                let meaning = if let Some(symbol) = symbol {
                    self.meaning(file, symbol)
                } else {
                    let name = self.program.name(file, name);
                    self.global_meaning(name)
                };
                self.value(meaning)
            }
            Expr::This(def) => match def {
                Some(def) => self.this_value(self.program.global(file, def)),
                None => Ty::ANY,
            },
            Expr::Super(class) => match class {
                Some(class) => self.super_value(self.program.global(file, class)),
                None => Ty::ANY,
            },
            Expr::Property { object, name, .. } => {
                let receiver = self.receiver(file, object);
                let name = self.program.name(file, name);
                self.property(receiver, name).unwrap_or(Ty::ANY)
            }
            Expr::Index { object, index } => self.index(file, object, index),
            Expr::Call(site) => self.call(file, site),
            Expr::Element => Ty::EXTERNAL,
            Expr::Array(_) => self.array(file, expr),
            Expr::Object(def) => {
                let def = self.program.global(file, def);
                self.types.add(Type::Literal(def, Env::EMPTY))
            }
            Expr::Function(def) => {
                let def = self.program.global(file, def);
                self.types.add(Type::Function(def, Env::EMPTY))
            }
            Expr::Class(def) => {
                let def = self.program.global(file, def);
                self.types.add(Type::Class(def, Env::EMPTY))
            }
            Expr::Await(value) => {
                let ty = self.expr(file, value);
                self.awaited(ty)
            }
            Expr::Either(a, b) | Expr::Or(a, b) | Expr::Nullish(a, b) => {
                let a = self.expr(file, a);
                let b = self.expr(file, b);
                // `x || []` is what `x` is.
                if self.is_empty_array(b) && a.is_known() && a != Ty::NOTHING {
                    return a;
                }
                if self.is_empty_array(a) && b.is_known() {
                    return b;
                }
                self.types.union([a, b])
            }
            // What is falsy on the left cannot be called.
            Expr::And(_, b) => self.expr(file, b),
            Expr::As(value, ty) => self.cast(file, value, ty),
            Expr::AsConst(value) => self.constant(file, value),
            Expr::Satisfies(value, _) | Expr::NonNull(value) => self.expr(file, value),
            Expr::Spread(value) => self.expr(file, value),
            Expr::Instantiated(value, args) => self.instantiated(file, value, args),
            Expr::Narrowed(value, guard) => {
                let ty = self.expr(file, value);
                self.narrowed(file, ty, guard)
            }
            Expr::Import(specifier) => {
                let meaning = self.imported_module(file, specifier);
                let module = self.value(meaning);
                self.platform_type(self.known.promise, &[module])
            }
            Expr::Require(specifier) => {
                let meaning = self.required_module(file, specifier);
                self.value(meaning)
            }
        }
    }

    fn platform_named(&mut self, text: &str) -> Ty {
        let entity = self.program.names.get(text).and_then(|name| self.program.global_entity(name));
        self.platform_type(entity, &[])
    }

    /// The type of `[]`, whose elements nothing tells.
    pub(super) fn is_empty_array(&self, ty: Ty) -> bool {
        matches!(self.types.get(ty), Type::Named(entity, args)
            if Some(*entity) == self.known.array && args.first() == Some(&Ty::NEVER))
    }

    fn array(&mut self, file: FileIndex, expr: ExprId) -> Ty {
        let facts = self.program.facts(file);
        let Expr::Array(list) = facts.expr(expr) else { return Ty::ANY };
        let values = facts.list(list);
        let has_spread = values.iter().any(|value| matches!(facts.expr(*value), Expr::Spread(_)));
        // A tuple where one is expected, or may be taken apart as one.
        if !has_spread && !values.is_empty() && values.len() <= 8 && self.expects_tuple(file, expr) {
            let items: Tys = values.iter().map(|value| self.expr(file, *value)).collect();
            return self.types.add(Type::Tuple(items, false));
        }
        let mut elements = Tys::new();
        // A long table repeats itself.
        for value in values.iter().take(48) {
            let ty = if let Expr::Spread(inner) = facts.expr(*value) {
                let inner = self.expr(file, inner);
                self.element_of(inner)
            } else {
                let ty = self.expr(file, *value);
                self.widened(ty)
            };
            if !elements.contains(&ty) {
                elements.push(ty);
            }
        }
        if elements.is_empty() {
            let expected = self.context_of(file, expr);
            if expected.is_known() && self.known.array.is_some_and(|array| self.as_entity(expected, array, 0).is_some())
            {
                return expected;
            }
        }
        let element = self.types.union(elements);
        self.platform_type(self.known.array, &[element])
    }

    fn expects_tuple(&mut self, file: FileIndex, expr: ExprId) -> bool {
        match self.program.facts(file).context(expr) {
            ExpressionContext::None => false,
            ExpressionContext::Return(def) => {
                let def = self.program.global(file, def);
                // `return [state, setState] as const` is one anyway; a hook that says nothing returns an array.
                self.program.function(def).is_some_and(|f| f.returns.is_some()) && self.context_is_tuple(file, expr)
            }
            _ => self.context_is_tuple(file, expr),
        }
    }

    fn context_is_tuple(&mut self, file: FileIndex, expr: ExprId) -> bool {
        let expected = self.context_of(file, expr);
        self.types.parts(expected).iter().any(|part| match self.types.get(*part) {
            Type::Tuple(..) => true,
            Type::Param(param) => {
                let (_, row) = self.program.type_param(*param);
                row.constraint.is_some()
            }
            _ => false,
        })
    }

    /// `x as const`: an array is a tuple.
    fn constant(&mut self, file: FileIndex, value: ExprId) -> Ty {
        let facts = self.program.facts(file);
        let Expr::Array(list) = facts.expr(value) else { return self.expr(file, value) };
        let values = facts.list(list);
        if values.len() > 64 || values.iter().any(|value| matches!(facts.expr(*value), Expr::Spread(_))) {
            return self.expr(file, value);
        }
        let items: Tys = values.iter().map(|value| self.constant(file, *value)).collect();
        self.types.add(Type::Tuple(items, false))
    }

    fn index(&mut self, file: FileIndex, object: ExprId, index: ExprId) -> Ty {
        let of = self.expr(file, object);
        if !of.is_known() {
            return of;
        }
        let key = self.expr(file, index);
        match *self.types.get(key) {
            Type::StringLiteral(name) | Type::NumberLiteral(name) => {
                if let Some(ty) = self.property(of, name) {
                    return ty;
                }
            }
            Type::EnumMember(_, name) => {
                if let Some(ty) = self.property(of, name) {
                    return ty;
                }
            }
            Type::Union(_) | Type::Param(_) | Type::KeyOf(_) => {
                let keys = if self.is_undecided(key) { self.constraint(key).unwrap_or(key) } else { key };
                let literals = self.types.parts(keys);
                if literals.iter().all(|part| matches!(self.types.get(*part), Type::StringLiteral(_))) {
                    return self.indexed(of, keys);
                }
            }
            _ => {}
        }
        if let Type::Tuple(items, has_rest) = self.types.get(of).clone() {
            return match self.program.facts(file).expr(index) {
                Expr::Number if items.len() == 1 && !has_rest => items[0],
                _ => self.types.union(items),
            };
        }
        if matches!(self.types.get(of), Type::Union(_)) {
            let parts = self.types.parts(of);
            let all: Tys = parts.iter().map(|part| self.index_signature(*part)).collect();
            return self.types.union(all);
        }
        self.index_signature(of)
    }

    /// `f<T>` without a call.
    fn instantiated(&mut self, file: FileIndex, value: ExprId, args: crate::syntax::typescript::facts::TypeId) -> Ty {
        let ty = self.expr(file, value);
        let said = self.annotation(file, args);
        let Type::Tuple(args, _) = self.types.get(said).clone() else { return ty };
        match *self.types.get(ty) {
            Type::Function(def, env) | Type::Class(def, env) => {
                let home = self.program.file_of(def);
                let params = self.program.def(def).type_params();
                let mut bindings = self.types.env(env).clone();
                let rows = params.iter().zip(args);
                bindings.extend(rows.map(|(p, ty)| (Key::Param(self.program.global_param(home, *p)), ty)));
                let env = self.types.add_env(bindings);
                self.substitute(ty, env)
            }
            _ => ty,
        }
    }

    /// `this` inside a function, or in a class's own initialisers.
    fn this_value(&mut self, def: GlobalDef) -> Ty {
        let file = self.program.file_of(def);
        let row = self.program.def(def);
        let Some(function) = row.function() else { return self.this_of(def) };
        if let Some(this) = function.this_type {
            return self.annotation(file, this);
        }
        if function.kind != FunctionKind::Arrow
            && let Some(this) = self.expected_this(def)
        {
            return this;
        }
        let Some(outer) = row.outer else { return Ty::ANY };
        let holder = self.program.facts(file).def(outer);
        let local = self.program.local(def);
        let global = self.program.global(file, outer);
        match &holder.body {
            DefBody::Class(class) => {
                let is_static = class
                    .members
                    .iter()
                    .find(|member| holds(file_def(&member.kind, self, file), local))
                    .is_some_and(|member| member.is_static);
                if is_static {
                    return self.types.add(Type::Class(global, Env::EMPTY));
                }
                self.this_of(global)
            }
            DefBody::Object(_) => {
                // What is expected of the object may say more than it says itself.
                let expected = holder.expr.map_or(Ty::ANY, |expr| self.context_of(file, expr));
                if expected.is_known() { expected } else { self.this_of(global) }
            }
            _ => Ty::ANY,
        }
    }

    /// What a property is read of: of `super`, the base's instance; in a static method the base itself.
    fn receiver(&mut self, file: FileIndex, object: ExprId) -> Ty {
        let ty = self.expr(file, object);
        if !matches!(self.program.facts(file).expr(object), Expr::Super(_)) {
            return ty;
        }
        let instance = self.instance_of(ty, &[]);
        self.types.intersection([instance, ty])
    }

    /// `super`: the base as a class.
    fn super_value(&mut self, class: GlobalDef) -> Ty {
        let file = self.program.file_of(class);
        let Some((base, ..)) = self.program.def(class).class().and_then(|c| c.extends.as_ref()) else {
            return Ty::ANY;
        };
        self.expr(file, *base)
    }

    /// The function that a callee's own declaration holds: `const f: Handler = (x) => …`.
    pub(super) fn declared_function(&mut self, file: FileIndex, callee: ExprId) -> Option<GlobalDef> {
        let facts = self.program.facts(file);
        match facts.expr(callee) {
            Expr::Name { symbol: Some(symbol), .. } => {
                let Meaning::Entity(entity) = self.meaning(file, symbol) else { return None };
                let (home, row) = self.program.symbol(entity);
                row.decls.iter().find_map(|decl| match decl {
                    crate::syntax::typescript::facts::Decl::Variable(variable) => {
                        let row = &self.program.facts(home).variables[variable.index()];
                        match row.source {
                            ValueSource::Value(value) if row.path.is_empty() => self.held_function(home, value),
                            _ => None,
                        }
                    }
                    _ => None,
                })
            }
            Expr::Property { object, name, .. } => {
                let receiver = self.receiver(file, object);
                let name = self.program.name(file, name);
                let (def, at) = self.find_property(receiver, name)?.member?;
                let home = self.program.file_of(def);
                match &self.program.members(def)[at as usize].kind {
                    MemberKind::Property { value: Some((value, _)), .. } => self.held_function(home, *value),
                    _ => None,
                }
            }
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) | Expr::Satisfies(inner, _) => {
                self.declared_function(file, inner)
            }
            _ => None,
        }
    }

    fn held_function(&self, file: FileIndex, value: ExprId) -> Option<GlobalDef> {
        match self.program.facts(file).expr(value) {
            Expr::Function(def) => Some(self.program.global(file, def)),
            Expr::As(inner, _) | Expr::Satisfies(inner, _) | Expr::NonNull(inner) | Expr::AsConst(inner) => {
                self.held_function(file, inner)
            }
            _ => None,
        }
    }
}

/// The function that a member is or holds.
fn file_def(kind: &MemberKind, linker: &Linker<'_>, file: FileIndex) -> Option<DefId> {
    match kind {
        MemberKind::Function(function) => Some(*function),
        MemberKind::Property { value: Some((value, _)), .. } => match linker.program.facts(file).expr(*value) {
            Expr::Function(def) => Some(def),
            _ => None,
        },
        _ => None,
    }
}

fn holds(held: Option<DefId>, def: DefId) -> bool {
    held == Some(def)
}
