//! Types of the results of operators: the return types of the methods that implement the operators, reflected methods
//! of the right operand included.

use super::{
    calls::PassedArguments,
    linker::Linker,
    program::{ClassId, FileIndex},
    types::{Type, TypeId},
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::ArgumentKind,
    syntax::python::facts::{Arg, BinaryOperator, ExprId, UnaryOperator},
};

impl Linker<'_> {
    /// The type of `left operator right`. If the class of the left operand is outside the sources and the right operand
    /// has no method for the operator, the result has the type of the left operand.
    pub(super) fn binary_operation_type(
        &mut self,
        file: FileIndex,
        operator: BinaryOperator,
        left_expr: ExprId,
        right_expr: ExprId,
    ) -> TypeId {
        if operator.is_comparison() {
            return self.comparison_type(file, operator, left_expr, right_expr);
        }
        let left = self.operand_type(file, left_expr);
        let right = self.operand_type(file, right_expr);
        if operator == BinaryOperator::Or && (self.is_class_expression(left) || self.is_class_expression(right)) {
            return self.types.union([left, right]);
        }
        let (method, reflected) = operator.methods();
        if self.is_proper_subclass(right, left)
            && let Some(result) = self.operator_result(file, right, reflected, left_expr)
        {
            return result;
        }
        match self.types.get(left).clone() {
            Type::Instance(class, _) => {
                let result = self.operator_result(file, left, method, right_expr);
                let result = result.or_else(|| self.operator_result(file, right, reflected, left_expr));
                // `|` on members of a `Flag` gives another one.
                let is_flag = self.is_enum(class);
                result.unwrap_or(if is_flag { left } else { TypeId::UNKNOWN })
            }
            Type::Class(class, _) if operator != BinaryOperator::Or => {
                let name = self.program.interner.intern(method);
                let method = self.metaclass_member(class, name, left);
                self.call_type(method)
            }
            Type::ExternalInstance(..) | Type::Tuple(_) => {
                self.operator_result(file, right, reflected, left_expr).unwrap_or(left)
            }
            Type::External | Type::ExternalName(_) => TypeId::EXTERNAL,
            Type::TooComplex => left,
            _ => TypeId::UNKNOWN,
        }
    }

    /// The type of a comparison: the return type of an operand's method, else `bool`. The left operand's method comes
    /// first, unless the class of the right operand is a proper subclass of the class of the left one.
    fn comparison_type(
        &mut self,
        file: FileIndex,
        operator: BinaryOperator,
        left_expr: ExprId,
        right_expr: ExprId,
    ) -> TypeId {
        let left = self.operand_type(file, left_expr);
        let right = self.operand_type(file, right_expr);
        let (method, reflected) = operator.methods();
        let mut found = None;
        if self.is_proper_subclass(right, left) {
            found = self.operator_result(file, right, reflected, left_expr);
        }
        let found = found.or_else(|| self.operator_result(file, left, method, right_expr));
        found
            .or_else(|| self.operator_result(file, right, reflected, left_expr))
            .unwrap_or_else(|| self.external_instance("bool", &[]))
    }

    /// The type of `operator value`.
    pub(super) fn unary_operation_type(&mut self, file: FileIndex, operator: UnaryOperator, value: ExprId) -> TypeId {
        let ty = self.operand_type(file, value);
        self.map_union(ty, |this, part| {
            if !matches!(this.types.get(part), Type::Instance(..)) {
                return part;
            }
            let name = this.program.interner.intern(operator.method());
            let method = this.attribute_type(part, name);
            if matches!(this.types.get(method), Type::Method(..)) { this.call_type(method) } else { TypeId::UNKNOWN }
        })
    }

    /// The type of an operand: for a function, what its decorators turn it into, as in `@Condition`,
    /// `def is_open(): …`.
    fn operand_type(&mut self, file: FileIndex, operand: ExprId) -> TypeId {
        let ty = self.expr_type(file, operand);
        match *self.types.get(ty) {
            Type::Function(def) => self.decorated_type(def),
            _ => ty,
        }
    }

    /// The return type of the operator method `method` of the instance `of`. `None` if the class of the instance is
    /// outside the sources or has no such method.
    fn operator_result(&mut self, file: FileIndex, of: TypeId, method: &str, argument: ExprId) -> Option<TypeId> {
        if !matches!(self.types.get(of), Type::Instance(..)) {
            return None;
        }
        let name = self.program.interner.intern(method);
        let method = self.attribute_type(of, name);
        if !matches!(self.types.get(method), Type::Method(..)) {
            return None;
        }
        let argument = Arg { kind: ArgumentKind::Positional, keyword: None, value: argument, literal: None };
        let passed = PassedArguments { file, arguments: &[argument], types: &[], decorated_function: None };
        Some(self.call_type_with(method, Some(passed)))
    }

    /// True for an instance of a proper subclass of the class of `base`, whose reflected methods come first.
    fn is_proper_subclass(&mut self, ty: TypeId, base: TypeId) -> bool {
        let (&Type::Instance(class, _), &Type::Instance(base, _)) = (self.types.get(ty), self.types.get(base)) else {
            return false;
        };
        class != base && self.has_ancestor(class, base)
    }

    fn has_ancestor(&mut self, class: ClassId, base: ClassId) -> bool {
        let mro = self.mro(class);
        self.mro_table.classes(mro).any(|ancestor| ancestor == base)
    }

    /// True if `|` on the type makes a union type (PEP 604) rather than an arithmetic result.
    fn is_class_expression(&self, ty: TypeId) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        match self.types.get(ty) {
            Type::Class(..) | Type::ExternalName(_) | Type::ExternalClass(..) | Type::None | Type::Variable(_) => true,
            Type::Union(parts) => parts.iter().all(|&part| self.is_class_expression(part)),
            _ => false,
        }
    }
}
