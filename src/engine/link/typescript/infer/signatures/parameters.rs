//! The types of parameters: by annotation, by contextual typing, or by default value.

use super::callables::CallableSignature;
use crate::typescript::{
    infer::{Linker, TypeQuery},
    program::{FileIndex, GlobalDef},
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    DefBody, Expr, ExprId, ExpressionContext, FunctionKind, Member, MemberKind,
};

impl Linker<'_> {
    /// The type of the parameter that the n-th argument is bound to; `None` if there are fewer parameters.
    pub(in super::super) fn argument_parameter_type(&mut self, def: GlobalDef, at: usize) -> Option<InternedType> {
        let function = self.program.function(def)?;
        let rest = function.params.iter().position(|p| p.is_rest);
        match rest {
            Some(rest) if at >= rest => {
                let ty = self.parameter_type(def, rest as u16);
                self.rest_item(ty, at - rest)
            }
            _ if at < function.params.len() => Some(self.parameter_type(def, at as u16)),
            _ => None,
        }
    }

    /// The type of the parameter of a signature that the n-th argument is bound to; `None` if there are fewer
    /// parameters. The type of a rest parameter may be a type parameter, so type arguments are substituted before its
    /// element is taken.
    pub(in crate::typescript) fn signature_parameter_type(
        &mut self,
        signature: CallableSignature,
        at: usize,
    ) -> Option<InternedType> {
        let function = self.program.function(signature.def)?;
        let Some(rest) = function.params.iter().position(|p| p.is_rest).filter(|rest| at >= *rest) else {
            let generic = self.argument_parameter_type(signature.def, at)?;
            return Some(self.substitute(generic, signature.substitution));
        };
        let generic = self.parameter_type(signature.def, rest as u16);
        let ty = self.substitute(generic, signature.substitution);
        self.rest_item(ty, at - rest)
    }

    /// The type of the n-th argument that a rest parameter of type `rest` takes; `None` for an empty tuple.
    fn rest_item(&mut self, rest: InternedType, at: usize) -> Option<InternedType> {
        match self.types.kind(rest).clone() {
            TypeKind::Tuple(items, _) => items.get(at).or(items.last()).copied(),
            TypeKind::VariadicTuple(items) => Some(self.variadic_item(&items, at)),
            _ => Some(self.element_type(rest)),
        }
    }

    /// True if an argument is context-sensitive: its type depends on its contextual type.
    pub(super) fn is_context_sensitive(&self, file: FileIndex, value: ExprId, depth: u32) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        if depth > 6 {
            return false;
        }
        let facts = self.program.facts(file);
        match facts.expr(value) {
            Expr::Function(def) => facts.def(def).function().is_some_and(|function| {
                function.kind != FunctionKind::Getter
                    && (function.params.iter().any(|p| p.annotation.is_none() && p.default.is_none())
                        || (function.kind == FunctionKind::Arrow
                            && function
                                .return_values
                                .first()
                                .is_some_and(|v| self.is_context_sensitive(file, *v, depth + 1))))
            }),
            Expr::Object(def) => facts
                .def(def)
                .members()
                .iter()
                .any(|member| self.is_member_context_sensitive(file, &member.kind, depth)),
            Expr::Array(list) => {
                facts.list(list).iter().take(8).any(|value| self.is_context_sensitive(file, *value, depth + 1))
            }
            Expr::Either(a, b) | Expr::Or(a, b) | Expr::Nullish(a, b) | Expr::And(a, b) => {
                self.is_context_sensitive(file, a, depth + 1) || self.is_context_sensitive(file, b, depth + 1)
            }
            _ => false,
        }
    }

    /// True if the type of a member of an object literal at the nesting depth `depth` depends on its contextual type.
    pub(in super::super) fn is_member_context_sensitive(
        &self,
        file: FileIndex,
        member: &MemberKind,
        depth: u32,
    ) -> bool {
        match member {
            MemberKind::Property { value: Some((value, _)), .. } => self.is_context_sensitive(file, *value, depth + 1),
            MemberKind::Function(function) => {
                self.program.facts(file).def(*function).function().is_some_and(|function| {
                    function.params.iter().any(|p| p.annotation.is_none() && p.default.is_none())
                })
            }
            _ => false,
        }
    }

    /// The type of a parameter: by annotation, by contextual typing, or by default value.
    pub(in crate::typescript) fn parameter_type(&mut self, def: GlobalDef, at: u16) -> InternedType {
        self.query(TypeQuery::Parameter(def, at), |linker| linker.find_parameter_type(def, at))
    }

    fn find_parameter_type(&mut self, def: GlobalDef, at: u16) -> InternedType {
        let file = self.program.file_of(def);
        let Some(param) = self.program.function(def).and_then(|f| f.params.get(at as usize)) else {
            return InternedType::ANY;
        };
        if let Some((ty, _)) = &param.annotation {
            let annotated = self.type_from_node(file, *ty);
            if annotated.is_known() || param.default.is_none() {
                return annotated;
            }
        }
        let expected = match self.argument_of_called_function(def, at) {
            Some(argument) => argument,
            None => self.contextual_parameter_type(def, at),
        };
        if expected.is_known() {
            return expected;
        }
        let passed = self.passed_types.get(&(def, at)).copied();
        if let Some((value, _)) = &param.default {
            let ty = self.expr_type(file, *value);
            let ty = self.widened_literal_type(ty);
            return match passed {
                Some(passed) if self.is_function_value(ty) => {
                    let applies = passed.is_omitted.then_some(ty);
                    self.types.union(applies.into_iter().chain([passed.ty]).collect::<InternedTypes>())
                }
                _ => ty,
            };
        }
        if let Some(passed) = passed.filter(|_| expected == InternedType::ANY) {
            return passed.ty;
        }
        expected
    }

    /// The type of the argument for a parameter of an immediately invoked function expression:
    /// `((client) => …)(new Client())`.
    fn argument_of_called_function(&mut self, def: GlobalDef, at: u16) -> Option<InternedType> {
        let (file, row) = (self.program.file_of(def), self.program.def(def));
        let facts = self.program.facts(file);
        let ExpressionContext::Callee(site) = facts.context(row.expr?) else { return None };
        let arguments = facts.site(site).arguments.get(..=usize::from(at))?;
        let is_certain = arguments.iter().all(|argument| !argument.is_spread);
        let is_rest = row.function()?.params.get(usize::from(at))?.is_rest;
        let argument = arguments.last().filter(|_| is_certain && !is_rest)?;
        let ty = self.expr_type(file, argument.value);
        Some(self.widened_literal_type(ty))
    }

    /// The contextual type of a function expression, arrow function or method of an object literal.
    pub(in super::super) fn contextual_function_type(&mut self, def: GlobalDef) -> InternedType {
        let file = self.program.file_of(def);
        let row = self.program.def(def);
        let Some(function) = row.function() else { return InternedType::ANY };
        match (row.expr, function.kind) {
            (Some(expr), FunctionKind::Arrow | FunctionKind::Expression) => match self.contextual_type(file, expr) {
                InternedType::EXTERNAL => self.known_contextual_type(file, expr),
                expected => expected,
            },
            (_, FunctionKind::Method) => match row.outer.map(|outer| self.program.facts(file).def(outer)) {
                // The contextual type of a method is a property of the contextual type of its object literal.
                Some(outer) if matches!(outer.body, DefBody::Object(_)) => {
                    let method = self.program.local_def(def);
                    let is_method = |member: &Member| matches!(member.kind, MemberKind::Function(f) if f == method);
                    let at = outer.members().iter().position(is_method);
                    match (row.outer, at.and_then(|at| u16::try_from(at).ok())) {
                        (Some(object), Some(at)) => {
                            match self.contextual_property_type(file, object, at, (object, at)) {
                                InternedType::EXTERNAL => self.known_contextual_property_type(file, object, at),
                                expected => expected,
                            }
                        }
                        _ => InternedType::ANY,
                    }
                }
                _ => InternedType::ANY,
            },
            _ => InternedType::ANY,
        }
    }

    /// The type of `this` in a function, by the `this` parameter of its contextual type.
    pub(in super::super) fn contextual_this_type(&mut self, def: GlobalDef) -> Option<InternedType> {
        let expected = self.contextual_function_type(def);
        if !expected.is_known() {
            return None;
        }
        let signature = self.signatures(expected, false).first().copied()?;
        let this = self.program.function(signature.def)?.this_type?;
        let generic = self.type_from_node(self.program.file_of(signature.def), this);
        Some(self.substitute(generic, signature.substitution))
    }

    /// The type of a parameter by the contextual type of its function.
    fn contextual_parameter_type(&mut self, def: GlobalDef, at: u16) -> InternedType {
        let Some(function) = self.program.function(def) else { return InternedType::ANY };
        let expected = self.contextual_function_type(def);
        if !expected.is_known() {
            return expected;
        }
        let is_rest = function.params[at as usize].is_rest;
        let mut all = InternedTypes::new();
        for signature in self.signatures(expected, false) {
            let ty = if is_rest {
                let rest = self.program.function(signature.def).and_then(|f| f.params.get(at as usize));
                match rest {
                    Some(rest) if rest.is_rest => {
                        let generic = self.parameter_type(signature.def, at);
                        Some(self.substitute(generic, signature.substitution))
                    }
                    _ => None,
                }
            } else {
                self.signature_parameter_type(signature, at as usize)
            };
            all.extend(ty);
            // Of overloads, only the first signature counts. Of a union, the signatures of all constituents count.
            if all.len() == 1 && !matches!(self.types.kind(expected), TypeKind::Union(_)) {
                break;
            }
        }
        if all.is_empty() { InternedType::ANY } else { self.types.union(all) }
    }

    /// Widens literal types, as for a variable that may be reassigned: `"a"` to `string`.
    pub(in crate::typescript) fn widened_literal_type(&mut self, ty: InternedType) -> InternedType {
        let Some(_level) = nesting::descend() else { return ty };
        match self.types.kind(ty).clone() {
            TypeKind::StringLiteral(_) => InternedType::STRING,
            TypeKind::NumberLiteral(_) => InternedType::NUMBER,
            TypeKind::BooleanLiteral(_) => InternedType::BOOLEAN,
            TypeKind::UniqueSymbol(_) => InternedType::SYMBOL,
            TypeKind::Union(constituents) => {
                let all: InternedTypes =
                    constituents.iter().map(|constituent| self.widened_literal_type(*constituent)).collect();
                self.types.union(all)
            }
            _ => ty,
        }
    }
}
