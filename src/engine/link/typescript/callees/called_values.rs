//! Values that are called through the name that declares them: constants, fields and properties whose type has call
//! signatures, or else construct signatures; and those that code calls although their type is not known.
//!
//! `get!: Handle` in a class, where `interface Handle { (path: string): this }`, holds a function that may be unknown.
//! The field is described as a method with the call signatures of its type, and its calls count for it. The callee of
//! such a call is not certain: see `Modifiers::is_constant`. A field whose type also declares properties, or has other
//! alternatives than a function, stays a field: a method could not be written in its place.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Callees;
use crate::typescript::{
    program::{FileIndex, GlobalDef},
    types::InternedType,
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    Expr, ExprId, Member, MemberKind, NameId, PatternStep, TypeId, TypeNode, VariableId,
};

/// The declaration whose value a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::typescript) enum CalledValue {
    /// A variable.
    Variable(FileIndex, VariableId),
    /// A field or property: the declaration that holds it, and its position among the members.
    Member(GlobalDef, u16),
}

/// How a value is called.
#[derive(Clone, Debug, Default)]
pub(in crate::typescript) struct ValueCalls {
    /// True if every call is `new value(…)`.
    pub(in crate::typescript) is_new: bool,
    /// True if an element of JSX names the value.
    pub(in crate::typescript) is_component: bool,
    /// The positions at which calls pass object literals.
    pub(in crate::typescript) objects: SmallVec<[u16; 2]>,
    /// The definition that the value holds.
    pub(in crate::typescript) held: Option<GlobalDef>,
}

/// The constants, fields and properties that calls call.
pub(in crate::typescript) type CalledValues = FxHashMap<CalledValue, ValueCalls>;

impl Callees<'_, '_> {
    /// The declaration that a callee names: a constant (`persist`, `middleware.persist`), or a member (`app.get`, or
    /// `get` after `const { get } = app`).
    pub(in crate::typescript) fn called_value(&mut self, file: FileIndex, callee: ExprId) -> Option<CalledValue> {
        if let Some((file, variable)) = self.linker.called_constant(file, callee) {
            let member = self.destructured_member(file, variable);
            return Some(member.unwrap_or(CalledValue::Variable(file, variable)));
        }
        let facts = self.linker.program.facts(file);
        match facts.expr(self.linker.program.without_guards_and_assertions(file, callee)) {
            Expr::Property { object, name, .. } => {
                let receiver = self.linker.receiver_type(file, object);
                self.called_member(receiver, file, name)
            }
            _ => None,
        }
    }

    /// The member that a variable takes its value from: `get` in `const { get } = app`.
    fn destructured_member(&mut self, file: FileIndex, variable: VariableId) -> Option<CalledValue> {
        let path = &self.linker.program.facts(file).variables[variable.index()].path;
        let (&PatternStep::Property(name), at) = (path.last()?, path.len() - 1) else { return None };
        let receiver = self.linker.destructured_type(file, variable, at as u16);
        self.called_member(receiver, file, name)
    }

    fn called_member(&mut self, receiver: InternedType, file: FileIndex, name: NameId) -> Option<CalledValue> {
        let name = self.linker.program.name(file, name);
        let (holder, at) = self.linker.find_property(receiver, name)?.member?;
        let is_property =
            matches!(self.linker.program.members(holder)[usize::from(at)].kind, MemberKind::Property { .. });
        is_property.then_some(CalledValue::Member(holder, at))
    }

    /// The signatures of a value; see [`Self::own_signatures`].
    pub(in crate::typescript) fn value_signatures(&mut self, value: CalledValue) -> SmallVec<[GlobalDef; 2]> {
        match value {
            CalledValue::Variable(file, variable) => self.constant_signatures(file, variable),
            CalledValue::Member(holder, at) => self.member_signatures(holder, at),
        }
    }

    /// The signatures of the type of a field or property. Empty if the type, without `undefined` and `null`, is not a
    /// single function type, or if the functions have properties.
    pub(in crate::typescript) fn member_signatures(&mut self, holder: GlobalDef, at: u16) -> SmallVec<[GlobalDef; 2]> {
        let member = &self.linker.program.members(holder)[usize::from(at)];
        if self.is_certainly_not_callable(holder, member) {
            return SmallVec::new();
        }
        let ty = self.linker.member_type(holder, at);
        let mut constituents = self.linker.types.constituents(ty);
        constituents.retain(|part| *part != InternedType::NULLISH);
        let [function] = constituents[..] else { return SmallVec::new() };
        let signatures = self.own_signatures(function);
        let mut properties = Vec::new();
        if !signatures.is_empty() {
            self.collect_properties(function, &mut properties, 0);
        }
        if properties.is_empty() { signatures } else { SmallVec::new() }
    }

    /// Whether the text alone shows that the values of a property are no functions. This answer needs no inference.
    fn is_certainly_not_callable(&self, holder: GlobalDef, member: &Member) -> bool {
        let facts = self.linker.program.facts(self.linker.program.file_of(holder));
        match &member.kind {
            MemberKind::Property { annotation: Some((ty, _)), .. } => self.is_plain_type(holder, *ty),
            MemberKind::Property { value: Some((value, _)), .. } => {
                !matches!(facts.expr(*value), Expr::Call(_) | Expr::Name { .. } | Expr::Property { .. } | Expr::As(..))
            }
            // The type of a parameter property is that of the parameter.
            MemberKind::Property { parameter, .. } => parameter.is_none(),
            _ => true,
        }
    }

    /// Whether a type node is a keyword, a literal, an array or a tuple, or a union of these.
    fn is_plain_type(&self, holder: GlobalDef, ty: TypeId) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        let facts = self.linker.program.facts(self.linker.program.file_of(holder));
        match facts.ty(ty) {
            TypeNode::Union(list) => facts.type_list(*list).iter().all(|ty| self.is_plain_type(holder, *ty)),
            TypeNode::Keyword(_)
            | TypeNode::String(_)
            | TypeNode::Number(_)
            | TypeNode::Bool(_)
            | TypeNode::Template(_)
            | TypeNode::Array(_)
            | TypeNode::Tuple(_)
            | TypeNode::KeyOf(_) => true,
            _ => false,
        }
    }
}
