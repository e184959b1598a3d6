//! Contextual typing: the type that is expected of an expression by its position.

use crate::typescript::{
    infer::{Linker, TypeQuery, relations::ObjectMember, signatures::CallableSignature},
    program::{FileIndex, GlobalDef, InternedName},
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{CallExprKind, DefId, Expr, ExprId, ExpressionContext, MemberKind};

impl Linker<'_> {
    /// The contextual type of an expression; `any` if it has none.
    pub(in super::super) fn contextual_type(&mut self, file: FileIndex, expr: ExprId) -> InternedType {
        let context = self.program.facts(file).context(expr);
        if context == ExpressionContext::None {
            return InternedType::ANY;
        }
        self.query(TypeQuery::Contextual(file, expr), |linker| linker.find_contextual_type(file, context))
    }

    fn find_contextual_type(&mut self, file: FileIndex, context: ExpressionContext) -> InternedType {
        let facts = self.program.facts(file);
        match context {
            ExpressionContext::None | ExpressionContext::Callee(_) => InternedType::ANY,
            ExpressionContext::Typed(ty) => self.type_from_node(file, ty),
            ExpressionContext::Same(outer) => {
                let expected = self.contextual_type(file, outer);
                match facts.expr(outer) {
                    Expr::Await(_) => expected,
                    Expr::Or(left, _) | Expr::Nullish(left, _) if !expected.is_known() => self.expr_type(file, left),
                    _ => expected,
                }
            }
            ExpressionContext::Argument(site, at) => {
                let row = facts.site(site);
                if row.kind == CallExprKind::Jsx && !self.is_generic_component(file, row.callee) {
                    return self.component_props(file, row.callee);
                }
                let callee = self.expr_type(file, row.callee);
                if !callee.is_known() {
                    return callee;
                }
                let Some((signature, substitution)) = self.resolved_signature(file, site, at) else {
                    return InternedType::ANY;
                };
                let signature = CallableSignature { substitution, ..signature };
                self.signature_parameter_type(signature, at as usize).unwrap_or(InternedType::ANY)
            }
            ExpressionContext::Property(object, at) => self.contextual_property_type(file, object, at, (object, at)),
            ExpressionContext::Element(array, at) => {
                let expected = self.contextual_type(file, array);
                self.contextual_element_type(expected, usize::from(at))
            }
            ExpressionContext::Return(def) => self.contextual_return_type(self.program.global_def(file, def)),
            ExpressionContext::Default(def, at) => {
                let function = self.program.global_def(file, def);
                let row = self.program.function(function).and_then(|f| f.params.get(at as usize));
                match row.and_then(|p| p.annotation.as_ref()) {
                    Some((ty, _)) => self.type_from_node(file, *ty),
                    None => InternedType::ANY,
                }
            }
            ExpressionContext::Assigned(target) => self.expr_type(file, target),
        }
    }

    /// The contextual type of the element at a position of an array literal of which `expected` is expected. Of a union
    /// only the constituents count whose elements are known: an array literal is an array in `Options | Options[]`.
    fn contextual_element_type(&mut self, expected: InternedType, at: usize) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        match self.types.kind(expected).clone() {
            TypeKind::Tuple(items, _) if at < items.len() => items[at],
            TypeKind::VariadicTuple(items) => self.variadic_item(&items, at),
            TypeKind::Union(constituents) => {
                let all: InternedTypes =
                    constituents.iter().map(|constituent| self.contextual_element_type(*constituent, at)).collect();
                let known: InternedTypes = all.iter().copied().filter(|ty| ty.is_known()).collect();
                self.types.union(if known.is_empty() { all } else { known })
            }
            _ => self.element_type(expected),
        }
    }

    /// The contextual type of a member of an object literal, for the type of `inner`: that member, or a member of an
    /// object literal inside it.
    pub(in super::super) fn contextual_property_type(
        &mut self,
        file: FileIndex,
        object: DefId,
        at: u16,
        inner: ObjectMember,
    ) -> InternedType {
        let facts = self.program.facts(file);
        let Some(expr) = facts.def(object).expr else { return InternedType::ANY };
        let Some(member) = facts.def(object).members().get(usize::from(at)) else { return InternedType::ANY };
        let expected = self.contextual_type_before(file, expr, inner);
        if !expected.is_known() || matches!(member.kind, MemberKind::Spread(_)) {
            return expected;
        }
        match self.member_name(self.program.global_def(file, object), usize::from(at)) {
            Some(name) => {
                let narrowed = self.discriminate_contextual_union(file, object, expected);
                let narrowed = self.constituents_with_property(narrowed, name);
                self.property_type(narrowed, name).unwrap_or(InternedType::ANY)
            }
            None => self.index_signature_type(expected),
        }
    }

    /// A contextual union without the constituents that are known to lack the property `name`, such as `boolean` in
    /// `boolean | Options`. Their undeclared properties are external, for the description of the platform is
    /// incomplete.
    fn constituents_with_property(&mut self, expected: InternedType, name: InternedName) -> InternedType {
        let TypeKind::Union(constituents) = self.types.kind(expected).clone() else { return expected };
        let lacks_itself = |linker: &mut Self, ty: InternedType| {
            linker.is_primitive(ty)
                || linker.lacks_property(ty, name)
                    && linker
                        .find_property(ty, name)
                        .is_none_or(|found| found.member.is_none() && found.ty == InternedType::EXTERNAL)
        };
        let lacks = |linker: &mut Self, ty: InternedType| {
            let TypeKind::Intersection(parts) = linker.types.kind(ty) else { return lacks_itself(linker, ty) };
            let parts = parts.clone();
            parts.into_iter().all(|part| lacks_itself(linker, part) || linker.find_property(part, name).is_none())
        };
        let remaining: InternedTypes = constituents.iter().copied().filter(|ty| !lacks(self, *ty)).collect();
        if remaining.is_empty() { expected } else { self.types.union(remaining) }
    }

    /// Narrows a contextual union by the literal properties of an object literal (a discriminated union).
    fn discriminate_contextual_union(
        &mut self,
        file: FileIndex,
        object: DefId,
        expected: InternedType,
    ) -> InternedType {
        let constituents = self.types.constituents(expected);
        if constituents.len() < 2 {
            return expected;
        }
        let facts = self.program.facts(file);
        let mut remaining: InternedTypes = constituents;
        for member in facts.def(object).members() {
            let (Some(name), MemberKind::Property { value: Some((value, _)), .. }) = (member.name, &member.kind) else {
                continue;
            };
            if !matches!(facts.expr(*value), Expr::String(Some(_)) | Expr::Bool(_)) {
                continue;
            }
            let actual = self.expr_type(file, *value);
            let name = self.program.name(file, name);
            let accepts_value =
                |linker: &mut Self, constituent: InternedType| match linker.property_type(constituent, name) {
                    Some(expected) => linker.may_be_assignable(actual, expected),
                    None => false,
                };
            let matching: InternedTypes =
                remaining.iter().copied().filter(|constituent| accepts_value(self, *constituent)).collect();
            if !matching.is_empty() {
                remaining = matching;
            }
        }
        self.types.union(remaining)
    }

    /// The contextual type of a function's return values: by its annotation, else by the contextual type of the
    /// function.
    fn contextual_return_type(&mut self, def: GlobalDef) -> InternedType {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return InternedType::ANY };
        let annotated = if let Some((ty, _)) = &function.returns {
            self.type_from_node(file, *ty)
        } else {
            let expected = self.contextual_function_type(def);
            let signatures = self.signatures(expected, false);
            let Some(signature) = signatures.first().copied() else { return InternedType::ANY };
            let generic = self.return_type(signature.def);
            self.substitute(generic, signature.substitution)
        };
        if function.is_async {
            return self.awaited_type(annotated);
        }
        if function.is_generator {
            return self.element_type(annotated);
        }
        annotated
    }

    /// Whether a component is a function with type parameters, which its attributes decide.
    fn is_generic_component(&mut self, file: FileIndex, component: ExprId) -> bool {
        let component = self.expr_type(file, component);
        let signature = self.signatures(component, false).first().copied();
        signature.is_some_and(|signature| !self.own_type_params(signature).is_empty())
    }

    /// The type of the props of a component: the first parameter of a function, or the `props` of a
    /// class's instances.
    fn component_props(&mut self, file: FileIndex, component: ExprId) -> InternedType {
        let component = self.expr_type(file, component);
        if !component.is_known() {
            return component;
        }
        if let Some(signature) = self.signatures(component, false).first().copied() {
            return self.signature_parameter_type(signature, 0).unwrap_or(InternedType::ANY);
        }
        let instance = self.instance_type(component, &[]);
        let props = self.well_known.props;
        let inherited = self.property_type(instance, props).unwrap_or(InternedType::ANY);
        if inherited.is_known() {
            return inherited;
        }
        // The base class is not known, but the constructor declares what it takes.
        let constructor = self.signatures(component, true).first().copied();
        constructor.and_then(|signature| self.signature_parameter_type(signature, 0)).unwrap_or(inherited)
    }
}
