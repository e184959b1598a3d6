//! The types of expressions.

use crate::typescript::{
    infer::{Linker, names::ResolvedName},
    program::{FileIndex, InternedName},
    types::{InternedType, Substitution, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{Decl, DefBody, Expr, ExprId, TypeId};

impl Linker<'_> {
    /// Computes the type of an expression: see [`Self::expr_type`].
    pub(in super::super) fn find_expr_type(&mut self, file: FileIndex, expr: ExprId) -> InternedType {
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
            Expr::Name { symbol: None, .. } | Expr::Property { .. } if self.is_own_exports(file, expr) => {
                let resolved = self.export_assignment(file).unwrap_or(ResolvedName::File(file));
                self.type_of_name(resolved)
            }
            Expr::Name { name, symbol } => {
                let resolved = if let Some(symbol) = symbol {
                    self.resolve_symbol(file, symbol)
                } else {
                    let name = self.program.name(file, name);
                    self.resolve_global(file, name)
                };
                self.type_of_name(resolved)
            }
            Expr::This(def) => match def {
                Some(def) => self.this_expr_type(self.program.global_def(file, def)),
                None => InternedType::ANY,
            },
            Expr::Super(class) => match class {
                Some(class) => self.super_expr_type(self.program.global_def(file, class)),
                None => InternedType::ANY,
            },
            Expr::Property { object, name: property, .. } => {
                let name = self.program.name(file, property);
                if let Some(ty) = self.reassigned_property(file, object, name) {
                    return ty;
                }
                let receiver = self.receiver_type(file, object);
                let ty = match facts.expr(object) {
                    // The `this` type of what `super` has is that of the class itself.
                    Expr::Super(Some(class)) => {
                        let this = self.this_type(self.program.global_def(file, class));
                        self.find_property_of(receiver, name, this).map(|found| found.ty)
                    }
                    _ => self.property_type(receiver, name),
                };
                let ty = ty.unwrap_or(InternedType::ANY);
                match *self.types.kind(ty) {
                    TypeKind::External => self.property_of_global_object(file, receiver, name).unwrap_or(ty),
                    TypeKind::Union(_) => self.stored_argument(file, object, property, ty).unwrap_or(ty),
                    _ => ty,
                }
            }
            Expr::Index { object, index } => self.element_access_type(file, object, Some(index)),
            Expr::Item { object, at } => self.item_type(file, object, at),
            Expr::Delegated(value) => {
                let ty = self.expr_type(file, value);
                self.delegated_type(ty)
            }
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
                // `x || []` has the type of `x`.
                if self.is_empty_array(b) && a.is_known() && a != InternedType::NULLISH {
                    return a;
                }
                if self.is_empty_array(a) && b.is_known() {
                    return b;
                }
                self.types.union([a, b])
            }
            // A falsy left operand cannot be called, so it is ignored.
            Expr::And(_, b) => self.expr_type(file, b),
            Expr::As(_, ty) => self.type_from_node(file, ty),
            Expr::AsConst(value) => self.const_assertion_type(file, value),
            Expr::Satisfies(value, _) | Expr::NonNull(value) => self.expr_type(file, value),
            Expr::Spread(value) => self.expr_type(file, value),
            Expr::Instantiated(value, args) => self.instantiation_expression_type(file, value, args),
            Expr::Narrowed(value, guard) => {
                let ty = match facts.expr(value) {
                    // A global that the file itself assigns is not declared outside.
                    Expr::Name { symbol: None, .. } if self.is_assignment(file, guard) => InternedType::ANY,
                    _ => self.expr_type(file, value),
                };
                self.narrow(file, ty, guard)
            }
            Expr::Import(specifier) => {
                let resolved = self.resolve_namespace_import(file, specifier);
                let module = self.type_of_name(resolved);
                self.platform_type(self.well_known.promise, &[module])
            }
            Expr::Require(specifier) => {
                let resolved = self.resolve_require(file, specifier);
                self.type_of_name(resolved)
            }
            Expr::Namespace(specifier) => {
                let resolved = self.resolve_namespace_import(file, specifier);
                self.type_of_name(resolved)
            }
        }
    }

    /// The type of a global variable or function that is read as a property of the global object: `window.name`.
    /// Constants and classes are no properties of it.
    fn property_of_global_object(
        &mut self,
        file: FileIndex,
        receiver: InternedType,
        name: InternedName,
    ) -> Option<InternedType> {
        let TypeKind::Reference(symbol, _) = *self.types.kind(receiver) else { return None };
        if Some(symbol) != self.well_known.window {
            return None;
        }
        let resolved = self.resolve_global(file, name);
        let ResolvedName::Symbol(symbol) = resolved else { return None };
        let is_property = self.program.declarations(symbol).into_iter().all(|(file, decl)| match decl {
            Decl::Variable(variable) => !self.program.facts(file).variables[variable.index()].is_const,
            Decl::Def(def) => !matches!(self.program.facts(file).def(def).body, DefBody::Class(_)),
            _ => false,
        });
        is_property.then(|| self.type_of_name(resolved))
    }

    /// Whether an expression is `exports` or `module.exports` of a module that exports by assignments.
    fn is_own_exports(&self, file: FileIndex, expr: ExprId) -> bool {
        let facts = self.program.facts(file);
        facts.is_module && !facts.exports.is_empty() && facts.is_exports(expr)
    }

    fn platform_type_named(&mut self, text: &str) -> InternedType {
        let symbol =
            self.program.names.find(text).and_then(|name| self.program.find_global(self.program.platform(), name));
        self.platform_type(symbol, &[])
    }

    /// The type of an instantiation expression: `f<T>` without a call.
    fn instantiation_expression_type(&mut self, file: FileIndex, value: ExprId, args: TypeId) -> InternedType {
        let ty = self.expr_type(file, value);
        let annotated = self.type_from_node(file, args);
        let TypeKind::Tuple(args, _) = self.types.kind(annotated).clone() else { return ty };
        match *self.types.kind(ty) {
            TypeKind::Function(def, substitution) | TypeKind::ClassConstructor(def, substitution) => {
                let declaring_file = self.program.file_of(def);
                let params = self.program.def(def).type_params();
                let mut bindings = TypeBindings::from_slice(self.types.bindings(substitution));
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
}
