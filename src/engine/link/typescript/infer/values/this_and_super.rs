//! `this` and `super` as expressions, and the receivers of properties.

use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef},
    types::{InternedType, Substitution, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{DefBody, DefId, Expr, ExprId, FunctionKind, MemberKind};

/// The greatest number of object literals around one another in whose contextual types `ThisType` is looked for.
const MAX_NESTED_OBJECTS: usize = 4;

impl Linker<'_> {
    /// The type of `this` inside a function, or in the field initialisers of a class.
    pub(super) fn this_expr_type(&mut self, def: GlobalDef) -> InternedType {
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
        if function.kind != FunctionKind::Arrow
            && let Some(this) = self.assigned_this(def)
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
                    .find(|member| self.member_function(file, &member.kind) == Some(local))
                    .is_some_and(|member| member.is_static);
                if is_static {
                    return self.types.intern(TypeKind::ClassConstructor(global, Substitution::EMPTY));
                }
                self.this_type(global)
            }
            DefBody::Object(_) => {
                if let Some(this) = self.marked_this_type(file, outer) {
                    return this;
                }
                // The contextual type of the object literal may declare more members than the literal has.
                let expected = holder.expr.map_or(InternedType::ANY, |expr| self.contextual_type(file, expr));
                let is_known = expected.is_known() && !self.has_index_signature_alone(expected);
                if is_known { expected } else { self.this_type(global) }
            }
            _ => InternedType::ANY,
        }
    }

    /// The `T` of the `ThisType<T>` in the contextual type of an object literal, or of an object literal around it.
    fn marked_this_type(&mut self, file: FileIndex, object: DefId) -> Option<InternedType> {
        let marker = self.well_known.this_type?;
        let facts = self.program.facts(file);
        let mut at = Some(object);
        for _ in 0..MAX_NESTED_OBJECTS {
            let object = facts.def(at?);
            let DefBody::Object(_) = object.body else { return None };
            let expected = self.contextual_type(file, object.expr?);
            if let TypeKind::Intersection(constituents) = self.types.kind(expected).clone() {
                for constituent in constituents {
                    if let TypeKind::Reference(symbol, args) = self.types.kind(constituent)
                        && *symbol == marker
                    {
                        return args.first().copied().filter(|this| this.is_known());
                    }
                }
            }
            at = object.outer;
        }
        None
    }

    /// The type of the receiver of a property. For `super` it is the intersection of the base class and its instance
    /// type, since `super` means the base class in static methods and its instance elsewhere.
    pub(in crate::typescript) fn receiver_type(&mut self, file: FileIndex, object: ExprId) -> InternedType {
        let ty = self.expr_type(file, object);
        if !matches!(self.program.facts(file).expr(object), Expr::Super(_)) {
            return ty;
        }
        let instance = self.instance_type(ty, &[]);
        self.types.intersection([instance, ty])
    }

    /// The type of `super`: the base class as a value.
    pub(super) fn super_expr_type(&mut self, class: GlobalDef) -> InternedType {
        let file = self.program.file_of(class);
        let Some((base, ..)) = self.program.def(class).class().and_then(|c| c.extends.as_ref()) else {
            return InternedType::ANY;
        };
        self.expr_type(file, *base)
    }

    /// The function of a method, or the function that is the value of a property.
    pub(in super::super) fn member_function(&self, file: FileIndex, kind: &MemberKind) -> Option<DefId> {
        match kind {
            MemberKind::Function(function) => Some(*function),
            MemberKind::Property { value: Some((value, _)), .. } => match self.program.facts(file).expr(*value) {
                Expr::Function(def) => Some(def),
                _ => None,
            },
            _ => None,
        }
    }
}
