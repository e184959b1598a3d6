//! Inference of type arguments from the arguments that a rest parameter takes.

use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef, GlobalTypeParam},
    types::{InternedType, InternedTypes, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::Arg;

impl Linker<'_> {
    /// The type parameter that is the type of the rest parameter at position `at`: `T` of `...parts: T`.
    pub(super) fn rest_type_parameter(
        &mut self,
        def: GlobalDef,
        at: usize,
        type_params: &[GlobalTypeParam],
    ) -> Option<GlobalTypeParam> {
        let parameter = self.program.function(def)?.params.get(at).filter(|parameter| parameter.is_rest)?;
        parameter.annotation.as_ref()?;
        let ty = self.parameter_type(def, at as u16);
        match *self.types.kind(ty) {
            TypeKind::TypeParameter(param) if type_params.contains(&param) => Some(param),
            _ => None,
        }
    }

    /// The type of the rest parameter at position `at`, if it is a type that maps or spreads the elements of a type
    /// parameter: `...parts: { [K in keyof T]: Box<T[K]> }`.
    pub(super) fn rest_list(&mut self, def: GlobalDef, at: usize) -> Option<InternedType> {
        self.program.function(def)?.params.get(at).filter(|parameter| parameter.is_rest)?;
        let ty = self.parameter_type(def, at as u16);
        let is_list = match *self.types.kind(ty) {
            TypeKind::VariadicTuple(_) => true,
            TypeKind::Mapped(file, id, _) => self.mapped_type_parameter(file, id).is_some(),
            _ => false,
        };
        is_list.then_some(ty)
    }

    /// The tuple of the types of arguments up to the first spread. In place of an argument that is context-sensitive
    /// there is `never`, from which nothing is inferred.
    pub(super) fn tuple_of_arguments(&mut self, file: FileIndex, arguments: &[Arg]) -> InternedType {
        let mut items = InternedTypes::new();
        for argument in arguments.iter().take_while(|argument| !argument.is_spread) {
            let is_sensitive = self.is_context_sensitive(file, argument.value, 0);
            items.push(if is_sensitive { InternedType::NEVER } else { self.expr_type(file, argument.value) });
        }
        self.types.intern(TypeKind::Tuple(items, false))
    }

    /// The type of the parameter that the argument at position `at` of `count` arguments is bound to. It differs from
    /// [`Self::argument_parameter_type`] behind a spread in the type of a rest parameter: `...all: [...T, Done]`.
    pub(super) fn parameter_type_of_argument(
        &mut self,
        def: GlobalDef,
        at: usize,
        count: usize,
    ) -> Option<InternedType> {
        let params = &self.program.function(def)?.params;
        if let Some(rest) = params.len().checked_sub(1).filter(|rest| at >= *rest && params[*rest].is_rest) {
            let ty = self.parameter_type(def, rest as u16);
            if let TypeKind::VariadicTuple(items) = self.types.kind(ty)
                && let Some(from_end) = (items.len() + at).checked_sub(count).filter(|from_end| *from_end < items.len())
                && items[from_end..].iter().all(|item| !matches!(self.types.kind(*item), TypeKind::Spread(_)))
            {
                return Some(items[from_end]);
            }
        }
        self.argument_parameter_type(def, at)
    }

    /// Infers the type parameter of a rest parameter as the tuple of the types of the remaining arguments.
    pub(super) fn infer_rest(
        &mut self,
        file: FileIndex,
        arguments: &[Arg],
        rest: GlobalTypeParam,
        inferences: &mut TypeBindings,
    ) {
        let key = TypeVariable::Parameter(rest);
        if arguments.iter().any(|argument| argument.is_spread) || inferences.iter().any(|(k, _)| *k == key) {
            return;
        }
        let items: InternedTypes = arguments.iter().map(|argument| self.expr_type(file, argument.value)).collect();
        let tuple = self.types.intern(TypeKind::Tuple(items, false));
        inferences.push((key, tuple));
    }
}
