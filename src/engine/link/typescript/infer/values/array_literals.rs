//! Array literals, tuples, and element access.

use crate::typescript::{
    infer::Linker,
    program::FileIndex,
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{CallExprId, CallExprKind, Expr, ExprId, ExpressionContext};

/// The greatest number of type parameters that constrain one another.
const MAX_CONSTRAINTS: u32 = 4;

impl Linker<'_> {
    /// Whether a type is that of `[]`: an array of `never`.
    pub(super) fn is_empty_array(&self, ty: InternedType) -> bool {
        matches!(self.types.kind(ty), TypeKind::Reference(symbol, args)
            if Some(*symbol) == self.well_known.array && args.first() == Some(&InternedType::NEVER))
    }

    /// Whether a type is `T[]` or `readonly T[]`.
    pub(in super::super) fn is_array(&self, ty: InternedType) -> bool {
        matches!(self.types.kind(ty), TypeKind::Reference(symbol, _)
            if Some(*symbol) == self.well_known.array || Some(*symbol) == self.well_known.readonly_array)
    }

    pub(super) fn array_literal_type(&mut self, file: FileIndex, expr: ExprId) -> InternedType {
        let facts = self.program.facts(file);
        let Expr::Array(list) = facts.expr(expr) else { return InternedType::ANY };
        let values = facts.list(list);
        let has_spread = values.iter().any(|value| matches!(facts.expr(*value), Expr::Spread(_)));
        // The literal is a tuple if its contextual type is one.
        if !has_spread && !values.is_empty() && values.len() <= 8 && self.expects_tuple(file, expr) {
            let items: InternedTypes = values.iter().map(|value| self.expr_type(file, *value)).collect();
            return self.types.intern(TypeKind::Tuple(items, false));
        }
        let mut elements = InternedTypes::new();
        // The elements of a long array are assumed to have the same types, so only the first ones are inferred.
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
            ExpressionContext::None | ExpressionContext::Callee(_) => false,
            ExpressionContext::Return(def) => {
                let def = self.program.global_def(file, def);
                // Without an annotated return type, `return [a, b]` is an array. (`as const` makes a tuple in any
                // case.)
                self.program.function(def).is_some_and(|f| f.returns.is_some()) && self.context_is_tuple(file, expr)
            }
            _ => self.context_is_tuple(file, expr),
        }
    }

    fn context_is_tuple(&mut self, file: FileIndex, expr: ExprId) -> bool {
        // The type arguments of a call depend on the literal, so the parameter is taken as it is declared.
        let expected = match self.program.facts(file).context(expr) {
            ExpressionContext::Argument(site, at) => self.declared_parameter_type(file, site, at),
            _ => None,
        };
        let expected = expected.unwrap_or_else(|| self.contextual_type(file, expr));
        self.is_tuple_like(expected, 0)
    }

    /// Whether an array literal is a tuple where `expected` is the declared type: a tuple, a type parameter with a
    /// tuple in its constraint, such as `T extends unknown[] | []`, or a type that maps the elements of one.
    fn is_tuple_like(&mut self, expected: InternedType, depth: u32) -> bool {
        let Some(_level) = self.descend() else { return false };
        self.types.constituents(expected).into_iter().any(|constituent| match *self.types.kind(constituent) {
            TypeKind::Tuple(..) | TypeKind::VariadicTuple(_) => true,
            TypeKind::TypeParameter(_) if depth < MAX_CONSTRAINTS => {
                self.constraint(constituent).is_some_and(|constraint| self.is_tuple_like(constraint, depth + 1))
            }
            TypeKind::Mapped(file, id, _) => self.mapped_type_parameter(file, id).is_some(),
            _ => false,
        })
    }

    /// The type of the parameter that an argument is bound to in the first signature of the callee, without type
    /// arguments of the call; `None` if it is not known, or if the type parameters of the signature do not occur in it.
    fn declared_parameter_type(&mut self, file: FileIndex, site: CallExprId, at: u16) -> Option<InternedType> {
        let row = self.program.facts(file).site(site);
        if row.kind == CallExprKind::Jsx {
            return None;
        }
        let callee = self.expr_type(file, row.callee);
        let signature = self.signatures(callee, row.kind == CallExprKind::New).first().copied()?;
        let generic = self.signature_parameter_type(signature, usize::from(at))?;
        self.types.is_generic(generic).then_some(generic)
    }

    /// The type of `x as const`: an array literal becomes a tuple.
    pub(super) fn const_assertion_type(&mut self, file: FileIndex, value: ExprId) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        let facts = self.program.facts(file);
        let Expr::Array(list) = facts.expr(value) else { return self.expr_type(file, value) };
        let values = facts.list(list);
        if values.len() > 64 || values.iter().any(|value| matches!(facts.expr(*value), Expr::Spread(_))) {
            return self.expr_type(file, value);
        }
        let items: InternedTypes = values.iter().map(|value| self.const_assertion_type(file, *value)).collect();
        self.types.intern(TypeKind::Tuple(items, false))
    }

    /// The type of `object[at]`: of an array literal, or of a tuple, that of the item.
    pub(super) fn item_type(&mut self, file: FileIndex, object: ExprId, at: u16) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        if let Some(value) = self.assigned.item_of_literal(&self.program, file, object, at) {
            return self.expr_type(file, value);
        }
        let of = self.expr_type(file, object);
        match self.types.kind(of).clone() {
            TypeKind::Tuple(items, has_rest) if !has_rest && usize::from(at) < items.len() => items[usize::from(at)],
            TypeKind::VariadicTuple(items) => self.variadic_item(&items, usize::from(at)),
            TypeKind::Anonymous(..) => {
                let name = self.program.names.intern(&at.to_string());
                match self.find_property(of, name).filter(|found| found.member.is_some()) {
                    Some(found) => found.ty,
                    None => self.element_access_type(file, object, None),
                }
            }
            TypeKind::Mapped(..) => match self.item_of_mapped(of, at) {
                Some(found) => found,
                None => self.element_access_type(file, object, None),
            },
            TypeKind::Union(constituents) => match self.items_of_tuples(&constituents, usize::from(at)) {
                Some(items) => self.types.union(items),
                None => self.element_access_type(file, object, None),
            },
            _ => self.element_access_type(file, object, None),
        }
    }

    /// The items at a position of some tuples; `None` if one of the types is no tuple with such an item.
    fn items_of_tuples(&self, tuples: &[InternedType], at: usize) -> Option<InternedTypes> {
        let item = |tuple: &InternedType| match self.types.kind(*tuple) {
            TypeKind::Tuple(items, false) => items.get(at).copied(),
            _ => None,
        };
        tuples.iter().map(item).collect()
    }

    /// The item at a position of a mapped type that maps the elements of a tuple; `None` if it is not known.
    pub(super) fn item_of_mapped(&mut self, mapped: InternedType, at: u16) -> Option<InternedType> {
        let name = self.program.names.intern(&at.to_string());
        self.property_type(mapped, name).filter(|found| found.is_known())
    }

    /// The value of a constant that is a whole number, such as `first` in `list[first]`.
    fn constant_index(&mut self, file: FileIndex, index: ExprId) -> Option<u16> {
        let (declaring_file, variable) = self.called_constant(file, index)?;
        let row = &self.program.facts(declaring_file).variables[variable.index()];
        let text = row.value_text.as_ref().filter(|_| row.is_const && row.path.is_empty())?;
        text.parse().ok()
    }

    /// The type of `object[key]` for a literal key, where `of` is the type of `object`.
    fn type_at_literal(
        &mut self,
        file: FileIndex,
        object: ExprId,
        of: InternedType,
        key: InternedType,
    ) -> InternedType {
        let (TypeKind::StringLiteral(name) | TypeKind::NumberLiteral(name)) = *self.types.kind(key) else {
            return InternedType::ANY;
        };
        match self.program.names.text(name).parse() {
            Ok(at) => self.item_type(file, object, at),
            Err(_) => self.property_type(of, name).unwrap_or(InternedType::ANY),
        }
    }

    pub(super) fn element_access_type(
        &mut self,
        file: FileIndex,
        object: ExprId,
        index: Option<ExprId>,
    ) -> InternedType {
        let of = self.expr_type(file, object);
        if !of.is_known() {
            return of;
        }
        let key = index.map_or(InternedType::NUMBER, |index| self.expr_type(file, index));
        if key == InternedType::NUMBER
            && let Some(at) = index.and_then(|index| self.constant_index(file, index))
        {
            return self.item_type(file, object, at);
        }
        if matches!(key, InternedType::NUMBER | InternedType::STRING)
            && let Some(keys) = index.and_then(|index| self.passed_keys(file, index))
        {
            let found: InternedTypes =
                keys.into_iter().map(|key| self.type_at_literal(file, object, of, key)).collect();
            if !found.contains(&InternedType::ANY) {
                return self.types.union(found);
            }
        }
        match *self.types.kind(key) {
            TypeKind::StringLiteral(name) | TypeKind::NumberLiteral(name) | TypeKind::UniqueSymbol(name) => {
                if let Some(ty) = self.property_type(of, name) {
                    return ty;
                }
            }
            TypeKind::EnumMember(symbol, member) => {
                let name = self.property_of_enum_member(symbol, member).unwrap_or(member);
                if let Some(ty) = self.property_type(of, name).or_else(|| self.property_type(of, member)) {
                    return ty;
                }
            }
            TypeKind::Union(_) | TypeKind::TypeParameter(_) | TypeKind::KeyOf(_) => {
                let keys = if self.is_deferred(key) { self.constraint(key).unwrap_or(key) } else { key };
                let literals = self.types.constituents(keys);
                if literals
                    .iter()
                    .all(|key| matches!(self.types.kind(*key), TypeKind::StringLiteral(_) | TypeKind::UniqueSymbol(_)))
                {
                    return self.indexed_access(of, keys);
                }
            }
            _ => {}
        }
        if let TypeKind::Tuple(items, has_rest) = self.types.kind(of).clone() {
            return match index.map(|index| self.program.facts(file).expr(index)) {
                None | Some(Expr::Number) if items.len() == 1 && !has_rest => items[0],
                _ => self.types.union(items),
            };
        }
        if let TypeKind::VariadicTuple(items) = self.types.kind(of).clone() {
            return self.variadic_element_type(&items);
        }
        if matches!(self.types.kind(of), TypeKind::Union(_)) {
            let constituents = self.types.constituents(of);
            let all: InternedTypes =
                constituents.iter().map(|constituent| self.index_signature_type(*constituent)).collect();
            return self.types.union(all);
        }
        self.index_signature_type(of)
    }
}
