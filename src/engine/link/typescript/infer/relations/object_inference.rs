//! Inference of type arguments from object literals with context-sensitive members.

use crate::memo::MemoSlot;
use crate::typescript::{
    infer::{
        Linker,
        signatures::{CallableSignature, InferenceStop},
    },
    program::{FileIndex, GlobalTypeParam},
    types::{InternedType, TypeBindings, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{CallExprId, DefId, Expr, ExprId, ExpressionContext, MemberKind};

/// The greatest nesting depth of object and array literals whose members are unified.
const MAX_DEPTH: u32 = 4;

/// The greatest number of elements of an array literal whose members are unified.
const MAX_ELEMENTS: usize = 8;

/// The greatest position of a member that takes types from context-sensitive members before it.
const MAX_MEMBERS: u16 = 16;

/// The greatest nesting of object literals in which a member takes its type from earlier members.
const MAX_LITERALS: u32 = 2;

/// A member of an object literal: the literal, and the position of the member.
pub(in super::super) type ObjectMember = (DefId, u16);

/// The inference of type arguments from the members of an object literal.
pub(in super::super) struct MemberInference<'p> {
    file: FileIndex,
    /// The type parameters to infer.
    type_params: &'p [GlobalTypeParam],
    /// The first member that takes no part if it is context-sensitive.
    stop: Option<ObjectMember>,
    /// True once the inference has reached the member `stop`; true from the beginning if `stop` is `None`.
    is_stopped: bool,
}

impl<'p> MemberInference<'p> {
    pub(in super::super) fn new(
        file: FileIndex,
        stop: Option<ObjectMember>,
        type_params: &'p [GlobalTypeParam],
    ) -> Self {
        Self { file, type_params, stop, is_stopped: stop.is_none() }
    }
}

impl Linker<'_> {
    /// Unifies members of an object literal with the properties of `pattern`: first those that are not
    /// context-sensitive, then the context-sensitive ones before the stop. In `f({ data: new A(), map: (value) =>
    /// value.b, done: (b) => … })` the type of `data` gives `value` its type, and the result of `map` gives `b` its
    /// type. The object literals of an array literal are used in the same way.
    pub(in super::super) fn infer_from_members(
        &mut self,
        value: ExprId,
        pattern: InternedType,
        members: &mut MemberInference<'_>,
        inferences: &mut TypeBindings,
        depth: u32,
    ) {
        let file = members.file;
        let facts = self.program.facts(file);
        if depth > MAX_DEPTH || !self.types.is_generic(pattern) {
            return;
        }
        let Some(_level) = self.descend() else { return };
        if let Expr::Array(list) = facts.expr(value) {
            let pattern = self.element_type(pattern);
            for element in facts.list(list).iter().take(MAX_ELEMENTS) {
                self.infer_from_members(*element, pattern, members, inferences, depth + 1);
            }
        }
        let Expr::Object(object) = facts.expr(value) else { return };
        let object_type = self.expr_type(file, value);
        for sensitive in [false, true] {
            for (at, member) in facts.def(object).members().iter().enumerate() {
                members.is_stopped |= sensitive && members.stop == Some((object, at as u16));
                let Some(name) = member.name.map(|name| self.program.name(file, name)) else { continue };
                let nested = match &member.kind {
                    MemberKind::Property { value: Some((value, _)), .. } => Some(*value),
                    MemberKind::Function(_) => None,
                    _ => continue,
                };
                if self.is_member_context_sensitive(file, &member.kind, 0) != sensitive {
                    continue;
                }
                let Some(expected) = self.property_type(pattern, name) else { continue };
                let literal = nested.filter(|nested| matches!(facts.expr(*nested), Expr::Object(_) | Expr::Array(_)));
                if sensitive && let Some(nested) = nested {
                    self.infer_from_object(file, nested, expected, members.type_params, inferences);
                    self.infer_from_members(nested, expected, members, inferences, depth + 1);
                }
                let takes_part = !sensitive || !members.is_stopped && literal.is_none();
                if takes_part
                    && self.types.is_generic(expected)
                    && let Some(actual) = self.property_type(object_type, name)
                {
                    self.unify(expected, actual, members.type_params, inferences);
                }
            }
        }
    }

    /// The contextual type of an object literal for the type of `member`: one of its members, or a member of an object
    /// literal inside it. If the literal is passed to a generic function, the type arguments of the call are inferred
    /// from the context-sensitive members before that member, too.
    pub(in super::super) fn contextual_type_before(
        &mut self,
        file: FileIndex,
        literal: ExprId,
        member: ObjectMember,
    ) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        if !self.follows_sensitive_member(file, member, 0) {
            return self.contextual_type(file, literal);
        }
        match self.program.facts(file).context(literal) {
            ExpressionContext::Property(object, at) => self.contextual_property_type(file, object, at, member),
            ExpressionContext::Argument(site, at) => {
                let before = self.contextual_type_of_argument(file, site, at, member);
                before.unwrap_or_else(|| self.contextual_type(file, literal))
            }
            _ => self.contextual_type(file, literal),
        }
    }

    /// Whether a member of an object literal that is passed to a function has context-sensitive members before it, in
    /// its object literal or in one around it.
    fn follows_sensitive_member(&self, file: FileIndex, (object, at): ObjectMember, depth: u32) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        let facts = self.program.facts(file);
        let Some(expr) = facts.def(object).expr.filter(|_| at <= MAX_MEMBERS && depth < MAX_LITERALS) else {
            return false;
        };
        let context = facts.context(expr);
        match context {
            ExpressionContext::Argument(..) | ExpressionContext::Property(..) => {}
            _ => return false,
        }
        if let ExpressionContext::Property(outer, outer_at) = context
            && self.follows_sensitive_member(file, (outer, outer_at), depth + 1)
        {
            return true;
        }
        let before = facts.def(object).members().iter().take(usize::from(at));
        before.into_iter().any(|member| self.is_member_context_sensitive(file, &member.kind, 0))
    }

    /// The contextual type of an object literal that is an argument of a generic function, for the type of `member`.
    fn contextual_type_of_argument(
        &mut self,
        file: FileIndex,
        site: CallExprId,
        at: u16,
        member: ObjectMember,
    ) -> Option<InternedType> {
        let (signature, substitution) = self.resolved_signature(file, site, at)?;
        if self.own_type_params(signature).is_empty() {
            return None;
        }
        let substitution = MemoSlot::get_or_compute(
            self,
            |linker| linker.substitutions_before_members.slot((file, member)),
            |_| substitution,
            |linker| linker.instantiate_signature(file, site, signature, InferenceStop::before_member(at, member)),
        );
        self.signature_parameter_type(CallableSignature { substitution, ..signature }, usize::from(at))
    }

    /// Infers an unconstrained type parameter as the type of a context-sensitive object literal: `M` of
    /// `{ methods: M & ThisType<D & M> }`. A constrained one stays open, since its constraint types the members.
    fn infer_from_object(
        &mut self,
        file: FileIndex,
        value: ExprId,
        expected: InternedType,
        type_params: &[GlobalTypeParam],
        inferences: &mut TypeBindings,
    ) {
        let is_object = matches!(self.program.facts(file).expr(value), Expr::Object(_));
        let TypeKind::Intersection(constituents) = self.types.kind(expected).clone() else { return };
        for constituent in constituents {
            if let TypeKind::TypeParameter(param) = *self.types.kind(constituent)
                && is_object
                && type_params.contains(&param)
                && self.program.type_param(param).1.constraint.is_none()
            {
                let actual = self.expr_type(file, value);
                self.unify(constituent, actual, type_params, inferences);
            }
        }
    }
}
