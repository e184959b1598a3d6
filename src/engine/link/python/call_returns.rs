//! What a function without annotations returns to one call: the values that depend on its parameters, with the types of
//! the arguments of that call.
//!
//! ```python
//! def checked(deferred):
//!     return deferred.addCallback(check)
//! ```
//!
//! The types of all calls that reach a parameter are collected in `propagation`; here a call is told from the others.

use super::{
    calls::PassedArguments,
    linker::Linker,
    program::{FileIndex, GlobalDef},
    types::TypeId,
};
use crate::{
    program::{ArgumentKind, ParameterKind},
    syntax::python::facts::{BindingKind, Expr, ExprId, Extraction},
};

/// The greatest number of `return` statements of a function whose values are inferred for one call.
const MAX_RETURNS: usize = 8;
/// The greatest number of attributes, calls and variables between a returned value and a parameter.
const MAX_STEPS: u8 = 8;
/// The greatest nesting of functions whose results are inferred for one call.
const MAX_CALLS: u8 = 3;

/// A call of a function.
#[derive(Clone, Copy)]
struct Called<'a> {
    def: GlobalDef,
    /// The file of the function.
    file: FileIndex,
    /// True if the receiver is not among the arguments.
    is_bound: bool,
    passed: PassedArguments<'a>,
}

impl Linker<'_> {
    /// The type of the result of a call, if the function returns values that depend on its parameters and the arguments
    /// give them types. `None` if its return type says all that is known.
    pub(super) fn return_type_of_call(
        &mut self,
        def: GlobalDef,
        is_bound: bool,
        passed: Option<PassedArguments>,
    ) -> Option<TypeId> {
        let passed = passed.filter(|passed| passed.decorated_function.is_none())?;
        let function = self.program.function(def)?;
        let is_inferred = function.returns.is_none() && !function.is_generator && !function.is_async;
        let values = &function.return_values;
        if !is_inferred || values.is_empty() || values.len() > MAX_RETURNS || self.call_depth >= MAX_CALLS {
            return None;
        }
        if !(0..function.parameters.len()).any(|position| self.is_untyped_parameter(def, position)) {
            return None;
        }
        let called = Called { def, file: self.program.file_of(def), is_bound, passed };
        let mut depends = false;
        let mut parts = Vec::new();
        self.call_depth += 1;
        for &value in values {
            let ty = self.value_in_call(called, value, MAX_STEPS);
            depends |= ty.is_some();
            parts.push(match ty {
                Some(ty) => ty,
                None => self.return_value_type(called.file, def, value),
            });
        }
        self.call_depth -= 1;
        if function.falls_through && !function.is_lambda {
            parts.push(TypeId::NONE);
        }
        depends.then(|| self.types.union(parts))
    }

    /// The type of a value in a function during a call; `None` for a value that does not depend on a parameter, or on one
    /// whose argument has no known type.
    fn value_in_call(&mut self, called: Called, value: ExprId, steps: u8) -> Option<TypeId> {
        let steps = steps.checked_sub(1)?;
        let facts = self.program.facts(called.file);
        match facts.expr(value) {
            Expr::Name { reaching, .. } => {
                let &[binding] = facts.reaching(reaching) else { return None };
                match &facts.bindings[binding.index()].kind {
                    &BindingKind::Parameter(def, position)
                        if self.program.global_def(called.file, def) == called.def =>
                    {
                        self.argument_type(called, position as usize)
                    }
                    BindingKind::Assign { value: Some(value), annotation: None, unpack, extraction }
                        if unpack.is_empty() && *extraction == Extraction::Value =>
                    {
                        self.value_in_call(called, *value, steps)
                    }
                    _ => None,
                }
            }
            Expr::Attribute { value, name, reaching } if reaching.is_empty() => {
                let receiver = self.value_in_call(called, value, steps)?;
                let name = self.program.global_name(called.file, name);
                Some(self.attribute_type(receiver, name))
            }
            Expr::Call(site) => {
                let site = &facts.calls[site.index()];
                let callee = self.value_in_call(called, site.callee, steps)?;
                let passed =
                    PassedArguments { file: called.file, arguments: &site.arguments, decorated_function: None };
                Some(
                    self.map_union(callee, |this, part| {
                        this.nested_type(|this| this.call_type_with(part, Some(passed)))
                    }),
                )
            }
            _ => None,
        }
    }

    /// The type of the argument that a call passes to a parameter without a type. `None` if it passes none, or spreads
    /// its arguments.
    fn argument_type(&mut self, called: Called, position: usize) -> Option<TypeId> {
        if !self.is_untyped_parameter(called.def, position) {
            return None;
        }
        let parameter = self.program.function(called.def)?.parameters.get(position)?;
        let name = self.program.global_name(called.file, parameter.name);
        let arguments = called.passed.arguments;
        if arguments.iter().any(|argument| matches!(argument.kind, ArgumentKind::Star | ArgumentKind::DoubleStar)) {
            return None;
        }
        let is_named = |keyword| self.program.global_name(called.passed.file, keyword) == name;
        let named = arguments.iter().find(|argument| argument.keyword.is_some_and(is_named));
        let is_positional = matches!(parameter.kind, ParameterKind::PositionalOnly | ParameterKind::Standard);
        let positional = || {
            let position = position.checked_sub(usize::from(called.is_bound)).filter(|_| is_positional)?;
            arguments.get(position).filter(|argument| argument.kind == ArgumentKind::Positional)
        };
        let argument = named.or_else(positional)?;
        let ty = self.expr_type(called.passed.file, argument.value);
        self.is_defined_in_sources(ty).then_some(ty)
    }
}
