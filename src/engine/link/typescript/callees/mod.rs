//! What calls call, and what callees take: the value that a callee names, its signatures and overloads, and the
//! properties of the objects that it takes.
//!
//! Inference needs none of these answers; the readers of call sites, declarations and HTTP share them.

mod called_values;
mod declared_functions;
mod object_properties;
mod overloads;
mod value_signatures;

use super::{
    infer::Linker,
    program::GlobalDef,
    types::{InternedType, TypeKind},
};

pub(super) use called_values::CalledValue;
pub(super) use object_properties::{MAX_PROPERTIES, ObjectProperty};

/// Answers what calls call.
pub(super) struct Callees<'l, 'f> {
    linker: &'l mut Linker<'f>,
}

impl<'l, 'f> Callees<'l, 'f> {
    pub(super) fn of(linker: &'l mut Linker<'f>) -> Self {
        Self { linker }
    }
}

impl Callees<'_, '_> {
    /// The class or interface of the values of a type; the first one of a union.
    pub(super) fn class_of_type(&mut self, ty: InternedType) -> Option<GlobalDef> {
        let ty = self.linker.constraint(ty).unwrap_or(ty);
        self.linker.types.constituents(ty).into_iter().find_map(|part| match *self.linker.types.kind(part) {
            TypeKind::Reference(symbol, _) | TypeKind::This(symbol) => {
                self.linker.program.definitions(symbol).first().copied()
            }
            TypeKind::ClassConstructor(def, _) => Some(def),
            TypeKind::Anonymous(def, _) | TypeKind::Function(def, _) => {
                self.linker.program.def(def).class().is_some().then_some(def)
            }
            _ => None,
        })
    }
}
