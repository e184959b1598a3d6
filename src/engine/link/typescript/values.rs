//! Expressions to types.

use super::{
    infer::Linker,
    program::{FileIndex, GlobalDef},
    resolved_names::ResolvedName,
    types::{InternedType, InternedTypes, Substitution, TypeKind, TypeVariable},
};
use crate::syntax::typescript::facts::{Context, DefBody, DefId, Expr, ExprId, FunctionKind, MemberKind, ValueSource};

impl Linker<'_> {
    pub(super) fn find_expr_type(&mut self, file: FileIndex, expr: ExprId) -> InternedType {
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::Unknown => InternedType::ANY,
            Expr::Undefined | Expr::Null => InternedType::NULLISH,
            Expr::Bool(value) => self.types.intern(TypeKind::BooleanLiteral(value)),
            Expr::Number => InternedType::NUMBER,
            Expr::Test => InternedType::BOOLEAN,
            Expr::BigInt => InternedType::BIGINT,
            Expr::String(None) => InternedType::STRING,
            Expr::String(Some(text)) => {
                let name = self.program.name(file, text);
                self.string_literal_type(name)
            }
            Expr::RegExp => self.platform_type_named("RegExp"),
            Expr::Plus(a, b) => {
                let (a, b) = (self.expr_type(file, a), self.expr_type(file, b));
                if self.widened_literal_type(a) == InternedType::NUMBER
                    && self.widened_literal_type(b) == InternedType::NUMBER
                {
                    InternedType::NUMBER
                } else {
                    InternedType::STRING
                }
            }
            Expr::Name { name, symbol } => {
                let meaning = if let Some(symbol) = symbol {
                    self.resolve_symbol(file, symbol)
                } else {
                    let name = self.program.name(file, name);
                    self.resolve_global(name)
                };
                self.type_of_name(meaning)
            }
            Expr::This(def) => match def {
                Some(def) => self.this_expr_type(self.program.global_def(file, def)),
                None => InternedType::ANY,
            },
            Expr::Super(class) => match class {
                Some(class) => self.super_expr_type(self.program.global_def(file, class)),
                None => InternedType::ANY,
            },
            Expr::Property { object, name, .. } => {
                let receiver = self.receiver_type(file, object);
                let name = self.program.name(file, name);
                self.property_type(receiver, name).unwrap_or(InternedType::ANY)
            }
            Expr::Index { object, index } => self.element_access_type(file, object, index),
            Expr::Call(site) => self.call_result(file, site),
            Expr::Element => InternedType::EXTERNAL,
            Expr::Array(_) => self.array_literal_type(file, expr),
            Expr::Object(def) => {
                let def = self.program.global_def(file, def);
                self.types.intern(TypeKind::Anonymous(def, Substitution::EMPTY))
            }
            Expr::Function(def) => {
                let def = self.program.global_def(file, def);
                self.types.intern(TypeKind::Function(def, Substitution::EMPTY))
            }
            Expr::Class(def) => {
                let def = self.program.global_def(file, def);
                self.types.intern(TypeKind::ClassConstructor(def, Substitution::EMPTY))
            }
            Expr::Await(value) => {
                let ty = self.expr_type(file, value);
                self.awaited_type(ty)
            }
            Expr::Either(a, b) | Expr::Or(a, b) | Expr::Nullish(a, b) => {
                let a = self.expr_type(file, a);
                let b = self.expr_type(file, b);
                // `x || []` is what `x` is.
                if self.is_empty_array(b) && a.is_known() && a != InternedType::NULLISH {
                    return a;
                }
                if self.is_empty_array(a) && b.is_known() {
                    return b;
                }
                self.types.union([a, b])
            }
            // What is falsy on the left cannot be called.
            Expr::And(_, b) => self.expr_type(file, b),
            Expr::As(value, ty) => self.assertion_type(file, value, ty),
            Expr::AsConst(value) => self.const_assertion_type(file, value),
            Expr::Satisfies(value, _) | Expr::NonNull(value) => self.expr_type(file, value),
            Expr::Spread(value) => self.expr_type(file, value),
            Expr::Instantiated(value, args) => self.instantiation_expression_type(file, value, args),
            Expr::Narrowed(value, guard) => {
                let ty = self.expr_type(file, value);
                self.narrow(file, ty, guard)
            }
            Expr::Import(specifier) => {
                let meaning = self.resolve_namespace_import(file, specifier);
                let module = self.type_of_name(meaning);
                self.platform_type(self.well_known.promise, &[module])
            }
            Expr::Require(specifier) => {
                let meaning = self.resolve_require(file, specifier);
                self.type_of_name(meaning)
            }
        }
    }

    fn platform_type_named(&mut self, text: &str) -> InternedType {
        let symbol = self.program.names.find(text).and_then(|name| self.program.find_global(name));
        self.platform_type(symbol, &[])
    }

    /// The type of `[]`, whose elements nothing tells.
    pub(super) fn is_empty_array(&self, ty: InternedType) -> bool {
        matches!(self.types.kind(ty), TypeKind::Reference(symbol, args)
            if Some(*symbol) == self.well_known.array && args.first() == Some(&InternedType::NEVER))
    }

    fn array_literal_type(&mut self, file: FileIndex, expr: ExprId) -> InternedType {
        let facts = self.program.facts(file);
        let Expr::Array(list) = facts.expr(expr) else { return InternedType::ANY };
        let values = facts.list(list);
        let has_spread = values.iter().any(|value| matches!(facts.expr(*value), Expr::Spread(_)));
        // A tuple where one is expected, or may be taken apart as one.
        if !has_spread && !values.is_empty() && values.len() <= 8 && self.expects_tuple(file, expr) {
            let items: InternedTypes = values.iter().map(|value| self.expr_type(file, *value)).collect();
            return self.types.intern(TypeKind::Tuple(items, false));
        }
        let mut elements = InternedTypes::new();
        // A long table repeats itself.
        for value in values.iter().take(48) {
            let ty = if let Expr::Spread(inner) = facts.expr(*value) {
                let inner = self.expr_type(file, inner);
                self.element_type(inner)
            } else {
                let ty = self.expr_type(file, *value);
                self.widened_literal_type(ty)
            };
            if !elements.contains(&ty) {
                elements.push(ty);
            }
        }
        if elements.is_empty() {
            let expected = self.contextual_type(file, expr);
            if expected.is_known()
                && self.well_known.array.is_some_and(|array| self.type_arguments_as(expected, array, 0).is_some())
            {
                return expected;
            }
        }
        let element = self.types.union(elements);
        self.platform_type(self.well_known.array, &[element])
    }

    fn expects_tuple(&mut self, file: FileIndex, expr: ExprId) -> bool {
        match self.program.facts(file).context(expr) {
            Context::None => false,
            Context::Return(def) => {
                let def = self.program.global_def(file, def);
                // `return [state, setState] as const` is one anyway; a hook that says nothing returns an array.
                self.program.function(def).is_some_and(|f| f.returns.is_some()) && self.context_is_tuple(file, expr)
            }
            _ => self.context_is_tuple(file, expr),
        }
    }

    fn context_is_tuple(&mut self, file: FileIndex, expr: ExprId) -> bool {
        let expected = self.contextual_type(file, expr);
        self.types.constituents(expected).iter().any(|constituent| match self.types.kind(*constituent) {
            TypeKind::Tuple(..) => true,
            TypeKind::TypeParameter(param) => {
                let (_, row) = self.program.type_param(*param);
                row.constraint.is_some()
            }
            _ => false,
        })
    }

    /// `x as const`: an array is a tuple.
    fn const_assertion_type(&mut self, file: FileIndex, value: ExprId) -> InternedType {
        let facts = self.program.facts(file);
        let Expr::Array(list) = facts.expr(value) else { return self.expr_type(file, value) };
        let values = facts.list(list);
        if values.len() > 64 || values.iter().any(|value| matches!(facts.expr(*value), Expr::Spread(_))) {
            return self.expr_type(file, value);
        }
        let items: InternedTypes = values.iter().map(|value| self.const_assertion_type(file, *value)).collect();
        self.types.intern(TypeKind::Tuple(items, false))
    }

    fn element_access_type(&mut self, file: FileIndex, object: ExprId, index: ExprId) -> InternedType {
        let of = self.expr_type(file, object);
        if !of.is_known() {
            return of;
        }
        let key = self.expr_type(file, index);
        match *self.types.kind(key) {
            TypeKind::StringLiteral(name) | TypeKind::NumberLiteral(name) => {
                if let Some(ty) = self.property_type(of, name) {
                    return ty;
                }
            }
            TypeKind::EnumMember(_, name) => {
                if let Some(ty) = self.property_type(of, name) {
                    return ty;
                }
            }
            TypeKind::Union(_) | TypeKind::TypeParameter(_) | TypeKind::KeyOf(_) => {
                let keys = if self.is_deferred(key) { self.constraint(key).unwrap_or(key) } else { key };
                let literals = self.types.constituents(keys);
                if literals
                    .iter()
                    .all(|constituent| matches!(self.types.kind(*constituent), TypeKind::StringLiteral(_)))
                {
                    return self.indexed_access(of, keys);
                }
            }
            _ => {}
        }
        if let TypeKind::Tuple(items, has_rest) = self.types.kind(of).clone() {
            return match self.program.facts(file).expr(index) {
                Expr::Number if items.len() == 1 && !has_rest => items[0],
                _ => self.types.union(items),
            };
        }
        if matches!(self.types.kind(of), TypeKind::Union(_)) {
            let constituents = self.types.constituents(of);
            let all: InternedTypes =
                constituents.iter().map(|constituent| self.index_signature_type(*constituent)).collect();
            return self.types.union(all);
        }
        self.index_signature_type(of)
    }

    /// `f<T>` without a call.
    fn instantiation_expression_type(
        &mut self,
        file: FileIndex,
        value: ExprId,
        args: crate::syntax::typescript::facts::TypeId,
    ) -> InternedType {
        let ty = self.expr_type(file, value);
        let annotated = self.type_from_node(file, args);
        let TypeKind::Tuple(args, _) = self.types.kind(annotated).clone() else { return ty };
        match *self.types.kind(ty) {
            TypeKind::Function(def, substitution) | TypeKind::ClassConstructor(def, substitution) => {
                let declaring_file = self.program.file_of(def);
                let params = self.program.def(def).type_params();
                let mut bindings = self.types.bindings(substitution).clone();
                let rows = params.iter().zip(args);
                bindings.extend(
                    rows.map(|(p, ty)| (TypeVariable::Parameter(self.program.global_param(declaring_file, *p)), ty)),
                );
                let substitution = self.types.intern_substitution(bindings);
                self.substitute(ty, substitution)
            }
            _ => ty,
        }
    }

    /// `this` inside a function, or in a class's own initialisers.
    fn this_expr_type(&mut self, def: GlobalDef) -> InternedType {
        let file = self.program.file_of(def);
        let row = self.program.def(def);
        let Some(function) = row.function() else { return self.this_type(def) };
        if let Some(this) = function.this_type {
            return self.type_from_node(file, this);
        }
        if function.kind != FunctionKind::Arrow
            && let Some(this) = self.contextual_this_type(def)
        {
            return this;
        }
        let Some(outer) = row.outer else { return InternedType::ANY };
        let holder = self.program.facts(file).def(outer);
        let local = self.program.local_def(def);
        let global = self.program.global_def(file, outer);
        match &holder.body {
            DefBody::Class(class) => {
                let is_static = class
                    .members
                    .iter()
                    .find(|member| holds(file_def(&member.kind, self, file), local))
                    .is_some_and(|member| member.is_static);
                if is_static {
                    return self.types.intern(TypeKind::ClassConstructor(global, Substitution::EMPTY));
                }
                self.this_type(global)
            }
            DefBody::Object(_) => {
                // What is expected of the object may say more than it says itself.
                let expected = holder.expr.map_or(InternedType::ANY, |expr| self.contextual_type(file, expr));
                if expected.is_known() { expected } else { self.this_type(global) }
            }
            _ => InternedType::ANY,
        }
    }

    /// What a property is read of: of `super`, the base's instance; in a static method the base itself.
    fn receiver_type(&mut self, file: FileIndex, object: ExprId) -> InternedType {
        let ty = self.expr_type(file, object);
        if !matches!(self.program.facts(file).expr(object), Expr::Super(_)) {
            return ty;
        }
        let instance = self.instance_type(ty, &[]);
        self.types.intersection([instance, ty])
    }

    /// `super`: the base as a class.
    fn super_expr_type(&mut self, class: GlobalDef) -> InternedType {
        let file = self.program.file_of(class);
        let Some((base, ..)) = self.program.def(class).class().and_then(|c| c.extends.as_ref()) else {
            return InternedType::ANY;
        };
        self.expr_type(file, *base)
    }

    /// The function that a callee's own declaration holds: `const f: Handler = (x) => …`.
    pub(super) fn declared_function(&mut self, file: FileIndex, callee: ExprId) -> Option<GlobalDef> {
        let facts = self.program.facts(file);
        match facts.expr(callee) {
            Expr::Name { symbol: Some(symbol), .. } => {
                let ResolvedName::Symbol(symbol) = self.resolve_symbol(file, symbol) else { return None };
                let (declaring_file, row) = self.program.symbol(symbol);
                row.decls.iter().find_map(|decl| match decl {
                    crate::syntax::typescript::facts::Decl::Variable(variable) => {
                        let row = &self.program.facts(declaring_file).variables[variable.index()];
                        match row.source {
                            ValueSource::Value(value) if row.path.is_empty() => {
                                self.held_function(declaring_file, value)
                            }
                            _ => None,
                        }
                    }
                    _ => None,
                })
            }
            Expr::Property { object, name, .. } => {
                let receiver = self.receiver_type(file, object);
                let name = self.program.name(file, name);
                let (def, at) = self.find_property(receiver, name)?.member?;
                let declaring_file = self.program.file_of(def);
                match &self.program.members(def)[at as usize].kind {
                    MemberKind::Property { value: Some((value, _)), .. } => self.held_function(declaring_file, *value),
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
            Expr::Function(def) => Some(self.program.global_def(file, def)),
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
