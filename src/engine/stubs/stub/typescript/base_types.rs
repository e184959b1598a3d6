//! The type parameters of the base that declares an inherited member. In a derived type, the arguments that its
//! heritage clause passes to the base are written in their place: in `class Emitter<E> extends Base<Listener<E>>`, the
//! `L` of `Base<L>` is `Listener<E>`.

use super::{
    declaration::DeclarationWriter,
    generics::{TypeParameter, TypeParameterList},
    heritage::{MAX_ANCESTORS, base_definition},
    types::{TypeScope, printed_arguments},
};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::Definition;

impl DeclarationWriter<'_> {
    /// The type parameters of `base`, with the arguments that `holder` or a type between the two passes for them. Empty
    /// if no argument is known.
    pub(super) fn type_parameters_of_base(&self, holder: DefinitionId, base: DefinitionId) -> Vec<TypeParameter> {
        let mut known = vec![(holder, self.own_parameters(self.index.definition(holder)))];
        let mut next = 0;
        while next < known.len() && known.len() <= MAX_ANCESTORS {
            let (derived, parameters) = (self.index.definition(known[next].0), known[next].1.clone());
            next += 1;
            for clause in &derived.bases {
                let Some(id) = base_definition(derived, clause) else { continue };
                if known.iter().any(|(known, _)| *known == id) {
                    continue;
                }
                let scope = self.scope_of(derived, &parameters);
                let arguments = printed_arguments(clause, scope).unwrap_or_default();
                let declared = self.own_parameters(self.index.definition(id));
                let passed = declared.into_iter().zip(arguments).map(|(parameter, argument)| TypeParameter {
                    argument: Some(argument),
                    ..TypeParameter::new(&parameter.name)
                });
                let passed: Vec<TypeParameter> = passed.collect();
                if id == base {
                    return passed;
                }
                known.push((id, passed));
            }
        }
        Vec::new()
    }

    fn own_parameters(&self, definition: &Definition) -> Vec<TypeParameter> {
        let kind = self.list_kind(definition.kind);
        TypeParameterList::new(definition.type_parameters.as_deref(), self.scope_of(definition, &[]), kind).parameters
    }

    /// The scope of the texts of another type.
    fn scope_of<'w>(&'w self, definition: &'w Definition, type_parameters: &'w [TypeParameter]) -> TypeScope<'w> {
        TypeScope {
            type_names: &definition.type_names,
            type_imports: &definition.type_imports,
            type_parameters,
            allows_this: false,
            ..self.type_scope(&[])
        }
    }
}
