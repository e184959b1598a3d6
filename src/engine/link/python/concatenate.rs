//! Parameters that a decorator supplies: `Callable[Concatenate[Context, P], R] -> Callable[P, R]` takes the first
//! parameter away; and parameters that it adds: `Callable[P, R] -> Callable[Concatenate[Context, P], R]` (PEP 612).

use std::{cmp::Ordering, ops::Range};

use super::{
    linker::Linker,
    program::{FileIndex, GlobalDef},
    signatures::CallableSignature,
    types::Type,
};
use crate::linked::LinkedParameter;
use apidisc_facts::{
    program::{ParameterKind, nameless_parameter},
    syntax::python::facts::{Expr, ExprId, FileFacts},
};

/// What a decorator does with the first parameters of a function.
enum ChangedParameters {
    /// It supplies the parameters at these positions.
    Supplied(Range<usize>),
    /// It adds this number of parameters after the first `at` ones. They have types, but no names.
    Added { at: usize, count: usize },
    /// It changes them in another way.
    Unknown,
}

impl Linker<'_> {
    /// Takes the parameters out of the signature of a function that its decorators supply, and adds those that they
    /// add, named as type checkers name them. If a decorator changes the first parameters in another way, the signature
    /// is not known.
    pub(super) fn remove_supplied(&mut self, def: GlobalDef, callable: &mut CallableSignature) {
        let file = self.program.file_of(def);
        if self.program.function(def).is_none() || !callable.overloads.is_empty() {
            return;
        }
        for (decorator, _) in self.program.def(def).decorators.iter().rev() {
            let decorator = self.expr_type(file, *decorator);
            let Type::Function(decorator) = *self.types.get(decorator) else { continue };
            let Some(change) = self.change_of_parameters(decorator) else { continue };
            let Some(signature) = &mut callable.signature else { return };
            let receivers = usize::from(signature.receiver.is_some());
            match change {
                ChangedParameters::Supplied(Range { start, end })
                    if start >= receivers && end - receivers <= signature.parameters.len() =>
                {
                    let supplied = start - receivers..end - receivers;
                    // `*args` takes what the decorator supplies, too.
                    if signature.parameters[supplied.clone()].iter().all(|parameter| !parameter.is_variadic()) {
                        signature.parameters.drain(supplied);
                        callable.supplied += end - start;
                    }
                }
                ChangedParameters::Added { at, count } if at == receivers => {
                    let added = (0..count).map(|position| LinkedParameter {
                        required: true,
                        ..LinkedParameter::undeclared(nameless_parameter(position), ParameterKind::PositionalOnly, None)
                    });
                    signature.parameters.splice(0..0, added);
                    callable.supplied += count;
                }
                _ => *callable = CallableSignature::unknown_function(),
            }
        }
    }

    /// What a decorator does with the first parameters of a function; `None` if it does not change them.
    fn change_of_parameters(&mut self, decorator: GlobalDef) -> Option<ChangedParameters> {
        let file = self.program.file_of(decorator);
        let facts = self.program.facts(file);
        let function = self.program.function(decorator)?;
        let (parameter, _) = function.parameters.first()?.annotation.as_ref()?;
        let (returns, _) = function.returns.as_ref()?;
        let taken = first_parameters(facts, *parameter)?;
        let given = first_parameters(facts, *returns)?;
        if !taken.iter().zip(&given).all(|(a, b)| self.are_equal(file, *a, *b)) {
            return Some(ChangedParameters::Unknown);
        }
        match given.len().cmp(&taken.len()) {
            Ordering::Less => Some(ChangedParameters::Supplied(given.len()..taken.len())),
            Ordering::Equal => None,
            Ordering::Greater => Some(ChangedParameters::Added { at: taken.len(), count: given.len() - taken.len() }),
        }
    }

    fn are_equal(&mut self, file: FileIndex, a: ExprId, b: ExprId) -> bool {
        let (a, b) = (self.annotation_type(file, a), self.annotation_type(file, b));
        a == b && !a.is_unknown()
    }
}

/// The types before the parameters in `Callable[Concatenate[X, P], R]`: none in `Callable[P, R]`. `None` for any other
/// annotation.
fn first_parameters(facts: &FileFacts, annotation: ExprId) -> Option<Vec<ExprId>> {
    let Expr::Subscript { value, index, .. } = facts.expr(annotation) else { return None };
    let Expr::Tuple(parts) = facts.expr(index) else { return None };
    if !facts.is_named(value, "Callable") {
        return None;
    }
    let &[parameters, _] = facts.list(parts) else { return None };
    match facts.expr(parameters) {
        Expr::Name { .. } => Some(Vec::new()),
        Expr::Subscript { value, index, .. } if facts.is_named(value, "Concatenate") => match facts.expr(index) {
            Expr::Tuple(items) => facts.list(items).split_last().map(|(_, first)| first.to_vec()),
            _ => None,
        },
        _ => None,
    }
}
