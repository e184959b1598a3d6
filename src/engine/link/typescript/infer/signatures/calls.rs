//! Calls: the resolved signature, inference of its type arguments, and the type of the result.

use smallvec::SmallVec;

use super::callables::CallableSignature;
use crate::memo::MemoSlot;
use crate::typescript::{
    infer::{
        Linker,
        relations::{MemberInference, ObjectMember},
    },
    program::{FileIndex, GlobalDef, GlobalTypeParam},
    types::{InternedType, InternedTypes, Substitution, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{Arg, CallExprId, CallExprKind, Decl, Expr, ExprId, ExpressionContext};

/// The parts of the arguments of a call after which context-sensitive parts take no part in the inference of its type
/// arguments. Parts that are not context-sensitive always take part.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct InferenceStop {
    /// The position of the first argument that takes no part.
    argument: u16,
    /// In the object literal at `argument`, or in an object literal nested in it: the first member that takes no part
    /// if it is context-sensitive. If it is `None`, no context-sensitive member of the argument takes part.
    member: Option<ObjectMember>,
}

impl InferenceStop {
    /// The end of the arguments: all take part.
    pub(super) const END: Self = Self::before_argument(u16::MAX);

    pub(super) const fn before_argument(argument: u16) -> Self {
        Self { argument, member: None }
    }

    pub(in super::super) const fn before_member(argument: u16, member: ObjectMember) -> Self {
        Self { argument, member: Some(member) }
    }
}

impl Linker<'_> {
    /// The signature that overload resolution chooses for a call, with its type arguments.
    ///
    /// A context-sensitive argument takes part in the inference only if its position is less than `stop`; other
    /// arguments always take part, and so do those members of an object literal at `stop` that are not
    /// context-sensitive. To find the contextual type of an argument, `stop` is its position; otherwise it is
    /// `u16::MAX`.
    pub(in crate::typescript) fn resolved_signature(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        stop: u16,
    ) -> Option<(CallableSignature, Substitution)> {
        let row = self.program.facts(file).site(site);
        let is_new =
            row.kind == CallExprKind::New || matches!(self.program.facts(file).expr(row.callee), Expr::Super(_));
        let callee = self.expr_type(file, row.callee);
        let mut of_callee = self.signatures_of_callee(callee, is_new);
        if row.kind == CallExprKind::Jsx && of_callee.all().is_empty() {
            of_callee = self.signatures_of_callee(callee, true);
        }
        let signatures = of_callee.all();
        if signatures.is_empty() {
            return None;
        }
        let (at, substitution) = MemoSlot::get_or_compute(
            self,
            |linker| linker.resolved_signatures.slot((file, site, stop)),
            |_| (0, Substitution::EMPTY),
            |linker| {
                let at = linker.resolve_overload(file, site, signatures, of_callee.table());
                (
                    at as u16,
                    linker.instantiate_signature(file, site, signatures[at], InferenceStop::before_argument(stop)),
                )
            },
        );
        Some((*signatures.get(at as usize)?, substitution))
    }

    /// The type arguments of a signature in a call: explicit ones, else inferred from the arguments, then from the
    /// contextual type.
    pub(in super::super) fn instantiate_signature(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        signature: CallableSignature,
        stop: InferenceStop,
    ) -> Substitution {
        let row = self.program.facts(file).site(site);
        let type_params = self.own_type_params(signature);
        if type_params.is_empty() {
            return signature.substitution;
        }
        let mut inferences = TypeBindings::new();
        if !row.type_args.is_empty() {
            let args = self.type_arguments(file, &row.type_args);
            inferences.extend(type_params.iter().zip(args).map(|(param, ty)| (TypeVariable::Parameter(*param), ty)));
        }
        // Beside explicit type arguments, those that are left out are the defaults.
        let has_default = |param: &GlobalTypeParam| self.program.type_param(*param).1.default.is_some();
        let is_explicit = inferences.len() == type_params.len()
            || !row.type_args.is_empty() && type_params.iter().skip(row.type_args.len()).all(has_default);
        if !is_explicit {
            self.infer_from_receiver(file, row.callee, signature, &type_params, &mut inferences);
            self.infer_from_arguments(file, &row.arguments, signature, &type_params, stop, &mut inferences);
            if inferences.len() < type_params.len() {
                self.infer_from_context(file, row.expr, signature, &type_params, &mut inferences);
            }
        }
        let inferred: InternedTypes = type_params
            .iter()
            .map(|param| {
                inferences
                    .iter()
                    .find(|(key, _)| *key == TypeVariable::Parameter(*param))
                    .map_or(InternedType::NEVER, |(_, ty)| *ty)
            })
            .collect();
        let mut bindings = TypeBindings::from_slice(self.types.bindings(signature.substitution));
        for (at, param) in type_params.iter().enumerate() {
            let ty = if inferred[at] == InternedType::NEVER {
                self.fallback_type_argument(*param, &bindings)
            } else {
                inferred[at]
            };
            bindings.push((TypeVariable::Parameter(*param), ty));
        }
        self.types.intern_substitution(bindings)
    }

    /// The type argument of a type parameter without any inference: its default, else its constraint, else `unknown`.
    pub(super) fn fallback_type_argument(&mut self, param: GlobalTypeParam, before: &TypeBindings) -> InternedType {
        let (declaring_file, row) = self.program.type_param(param);
        let Some(ty) = row.default.or(row.constraint) else { return InternedType::UNKNOWN };
        let generic = self.type_from_node(declaring_file, ty);
        let substitution = self.types.intern_substitution(before.clone());
        self.substitute(generic, substitution)
    }

    /// Infers type parameters from the receiver of a call, if the signature declares the type of `this`.
    fn infer_from_receiver(
        &mut self,
        file: FileIndex,
        callee: ExprId,
        signature: CallableSignature,
        type_params: &[GlobalTypeParam],
        inferences: &mut TypeBindings,
    ) {
        let Some(this) = self.program.function(signature.def).and_then(|function| function.this_type) else { return };
        let callee = self.program.without_guards_and_assertions(file, callee);
        let Expr::Property { object, .. } = self.program.facts(file).expr(callee) else { return };
        let generic = self.type_from_node(self.program.file_of(signature.def), this);
        let pattern = self.substitute(generic, signature.substitution);
        if !self.types.is_generic(pattern) {
            return;
        }
        let receiver = self.receiver_type(file, object);
        self.unify(pattern, receiver, type_params, inferences);
    }

    /// Infers type parameters from the arguments of a call.
    fn infer_from_arguments(
        &mut self,
        file: FileIndex,
        arguments: &[Arg],
        signature: CallableSignature,
        type_params: &[GlobalTypeParam],
        stop: InferenceStop,
        inferences: &mut TypeBindings,
    ) {
        // As in TypeScript, context-sensitive arguments are used after all others.
        for sensitive in [false, true] {
            for (i, argument) in arguments.iter().enumerate() {
                if argument.is_spread {
                    break;
                }
                let is_stop = i == usize::from(stop.argument);
                if self.is_context_sensitive(file, argument.value, 0) != sensitive
                    || (sensitive && i > usize::from(stop.argument))
                {
                    continue;
                }
                if !sensitive && let Some(rest) = self.rest_type_parameter(signature.def, i, type_params) {
                    self.infer_rest(file, &arguments[i..], rest, inferences);
                    break;
                }
                if !sensitive && let Some(rest) = self.rest_list(signature.def, i) {
                    let rest = self.substitute(rest, signature.substitution);
                    let actual = self.tuple_of_arguments(file, &arguments[i..]);
                    self.unify(rest, actual, type_params, inferences);
                    break;
                }
                // What a call returns may depend on its contextual type, which does not depend on the call.
                if is_stop && self.is_call(file, argument.value) {
                    continue;
                }
                let Some(generic) = self.parameter_type_of_argument(signature.def, i, arguments.len()) else { break };
                if !self.types.is_generic(generic) {
                    continue;
                }
                let pattern = self.substitute(generic, signature.substitution);
                if sensitive && is_stop {
                    let mut members = MemberInference::new(file, stop.member, type_params);
                    self.infer_from_members(argument.value, pattern, &mut members, inferences, 0);
                    continue;
                }
                let actual = self.expr_type(file, argument.value);
                self.unify(pattern, actual, type_params, inferences);
            }
        }
    }

    /// True for a call, also below `await`, casts and `!`.
    fn is_call(&self, file: FileIndex, value: ExprId) -> bool {
        let mut at = self.program.without_guards_and_assertions(file, value);
        while let Expr::Await(inner) = self.program.facts(file).expr(at) {
            at = self.program.without_guards_and_assertions(file, inner);
        }
        matches!(self.program.facts(file).expr(at), Expr::Call(_))
    }

    /// Infers type parameters from the contextual type of a call's result (TypeScript's return type inference). A type
    /// parameter with a default keeps it, because the contextual type may itself depend on type parameters of an outer
    /// call that are not inferred yet.
    fn infer_from_context(
        &mut self,
        file: FileIndex,
        expr: ExprId,
        signature: CallableSignature,
        type_params: &[GlobalTypeParam],
        inferences: &mut TypeBindings,
    ) {
        if self.program.facts(file).context(expr) == ExpressionContext::None {
            return;
        }
        let expected = self.contextual_type(file, expr);
        if !expected.is_known() {
            return;
        }
        let generic = match signature.class {
            Some(class) => match self.program.symbol_of(class) {
                Some(symbol) => {
                    let args = self.own_type_arguments(symbol);
                    self.types.intern(TypeKind::Reference(symbol, args))
                }
                None => return,
            },
            None => match self.program.function(signature.def).and_then(|f| f.returns.as_ref()) {
                Some(_) => self.return_type(signature.def),
                None => return,
            },
        };
        let pattern = self.substitute(generic, signature.substitution);
        let has_default = |param: &GlobalTypeParam| self.program.type_param(*param).1.default.is_some();
        let without_default: SmallVec<[GlobalTypeParam; 4]> =
            type_params.iter().copied().filter(|param| !has_default(param)).collect();
        self.unify(pattern, expected, &without_default, inferences);
    }

    /// The type of the argument that a function without annotations returns: `f(x)` for `function f(a) { return a; }`.
    fn returned_argument(&mut self, file: FileIndex, site: CallExprId, def: GlobalDef) -> Option<InternedType> {
        let declaring_file = self.program.file_of(def);
        let function = self.program.function(def)?;
        let [returned] = function.return_values[..] else { return None };
        let facts = self.program.facts(declaring_file);
        let Expr::Name { symbol: Some(symbol), .. } = facts.expr(returned) else { return None };
        let [Decl::Parameter(owner, at)] = facts.symbol(symbol).decls[..] else { return None };
        let is_own = self.program.global_def(declaring_file, owner) == def;
        let parameter = function.params.get(usize::from(at))?;
        let is_plain = parameter.annotation.is_none() && !parameter.is_rest && parameter.default.is_none();
        if !is_own || !is_plain || function.is_async || function.is_generator || function.returns.is_some() {
            return None;
        }
        let arguments = &self.program.facts(file).site(site).arguments;
        let argument = arguments.get(usize::from(at))?;
        let is_known = arguments[..=usize::from(at)].iter().all(|argument| !argument.is_spread);
        is_known.then(|| self.expr_type(file, argument.value))
    }

    /// The type of the result of a call.
    pub(in super::super) fn call_result(&mut self, file: FileIndex, site: CallExprId) -> InternedType {
        let facts = self.program.facts(file);
        let row = facts.site(site);
        let callee = self.expr_type(file, row.callee);
        if row.kind == CallExprKind::Jsx {
            return InternedType::EXTERNAL;
        }
        if let Some(result) = self.function_method_result(file, row) {
            return result;
        }
        if callee == InternedType::ANY
            && let Some((function, _)) = self.bound_callee(file, row.callee)
            && let TypeKind::Function(def, substitution) = *self.types.kind(function)
            && self.program.def(def).type_params().is_empty()
        {
            let generic = self.return_type(def);
            return self.substitute(generic, substitution);
        }
        if !callee.is_known() {
            return callee;
        }
        if matches!(facts.expr(row.callee), Expr::Super(_)) {
            return InternedType::NULLISH;
        }
        if let TypeKind::Function(def, _) = *self.types.kind(callee)
            && row.kind == CallExprKind::New
            && let Some(instance) = self.instance_of_function(def)
        {
            return instance;
        }
        let constituents = self.types.constituents(callee);
        // The result of a call on a union of functions is the union of their results.
        if row.kind != CallExprKind::New && constituents.len() > 1 && constituents.len() <= 8 {
            let mut results = InternedTypes::new();
            for constituent in constituents {
                for signature in self.signatures(constituent, false).into_iter().take(1) {
                    let substitution = self.instantiate_signature(file, site, signature, InferenceStop::END);
                    let generic = self.return_type(signature.def);
                    results.push(self.substitute(generic, substitution));
                }
            }
            return if results.is_empty() { InternedType::ANY } else { self.types.union(results) };
        }
        let Some((signature, substitution)) = self.resolved_signature(file, site, u16::MAX) else {
            return InternedType::ANY;
        };
        if let Some(class) = signature.class {
            let declaring_file = self.program.file_of(class);
            let params = self.program.def(class).type_params();
            let lookup = |linker: &Self, param| {
                linker
                    .types
                    .lookup(substitution, TypeVariable::Parameter(linker.program.global_param(declaring_file, param)))
                    .unwrap_or(InternedType::ANY)
            };
            let args: InternedTypes = params.iter().map(|param| lookup(self, *param)).collect();
            let value = self.types.intern(TypeKind::ClassConstructor(class, signature.substitution));
            return self.instance_type(value, &args);
        }
        let generic = self.return_type(signature.def);
        let result = self.substitute(generic, substitution);
        if result == InternedType::ANY
            && let Some(passed) = self.returned_argument(file, site, signature.def)
        {
            return passed;
        }
        match *self.types.kind(result) {
            TypeKind::Predicate(..) => InternedType::BOOLEAN,
            _ => result,
        }
    }
}
