//! Properties in which a constructor stores its arguments: `instance.done` is `finish` after
//! `const instance = new Task(finish)`, if `constructor(done) { this.done = done; }` is the only assignment to the
//! property.

use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef},
    types::{InternedType, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{
    CallExprId, CallExprKind, Decl, Expr, ExprId, MemberKind, NameId, ValueSource,
};

impl Linker<'_> {
    /// The type of `object.name`, where `name` stores a parameter of the constructor: the type of the argument that the
    /// construction of `object` passes. `ty` is the union of the types that all constructions pass.
    pub(in super::super) fn stored_argument(
        &mut self,
        file: FileIndex,
        object: ExprId,
        name: NameId,
        ty: InternedType,
    ) -> Option<InternedType> {
        let site = self.construction(file, object)?;
        let construction = self.program.facts(file).site(site);
        let callee = self.expr_type(file, construction.callee);
        let TypeKind::ClassConstructor(class, _) = *self.types.kind(callee) else { return None };
        let name = self.program.name(file, name);
        let member = self.member_index(class, name, false)?;
        let at = usize::from(self.stored_parameter(class, member)?);
        if !self.assigned_to_instances(class, name).is_empty() {
            return None;
        }
        let arguments = construction.arguments.get(..=at)?;
        if arguments.iter().any(|argument| argument.is_spread) {
            return None;
        }
        let argument = self.expr_type(file, arguments[at].value);
        self.types.constituents(ty).contains(&argument).then_some(argument)
    }

    /// The expression `new C(…)` that an expression is, or that initialises the constant which the expression names.
    fn construction(&self, file: FileIndex, object: ExprId) -> Option<CallExprId> {
        let facts = self.program.facts(file);
        let object = match facts.expr(self.program.without_guards_and_assertions(file, object)) {
            Expr::Name { symbol: Some(symbol), .. } => facts.symbol(symbol).decls.iter().find_map(|decl| {
                let Decl::Variable(variable) = *decl else { return None };
                let row = &facts.variables[variable.index()];
                match row.source {
                    ValueSource::Value(value) if row.is_const && row.path.is_empty() => Some(facts.expr(value)),
                    _ => None,
                }
            })?,
            other => other,
        };
        match object {
            Expr::Call(site) if facts.site(site).kind == CallExprKind::New => Some(site),
            _ => None,
        }
    }

    /// The position of the constructor's parameter that is the only value of a field without a declared type.
    fn stored_parameter(&mut self, class: GlobalDef, member: u16) -> Option<u16> {
        let constructor = self.constructor(class)?;
        let file = self.program.file_of(class);
        let facts = self.program.facts(file);
        let member = &self.program.members(class)[usize::from(member)];
        let MemberKind::Property { annotation: None, value: Some((value, _)), parameter: None } = member.kind else {
            return None;
        };
        let Expr::Name { symbol: Some(symbol), .. } = facts.expr(value) else { return None };
        match facts.symbol(symbol).decls[..] {
            [Decl::Parameter(function, at)] if self.program.global_def(file, function) == constructor => Some(at),
            _ => None,
        }
    }
}
