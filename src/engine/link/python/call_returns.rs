//! The type of one call of a function without an annotated return type: returned values that depend on parameters are
//! inferred from the arguments of that call.
//!
//! ```python
//! def checked(deferred):
//!     return deferred.addCallback(check)
//! ```
//!
//! By contrast, `propagation` gives a parameter the types of its arguments in all calls.

use arcstr::ArcStr;
use smallvec::SmallVec;

use super::{
    calls::PassedArguments,
    linker::Linker,
    program::{FileIndex, GlobalDef},
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::{ArgumentKind, ParameterKind},
    syntax::python::facts::{Arg, BindingId, BindingKind, DefId, Expr, ExprId, Extraction},
};

/// The greatest number of `return` statements of a function whose values are inferred for one call.
const MAX_RETURNS: usize = 8;
/// The greatest number of attributes, calls and variables between a returned value and a parameter.
const MAX_STEPS: u8 = 8;
/// The greatest number of assignments to a variable that are considered.
const MAX_BINDINGS: usize = 4;
/// The greatest nesting of functions whose results are inferred for one call.
const MAX_CALLS: u8 = 3;

/// The call whose result is inferred.
#[derive(Clone, Copy)]
struct CallContext<'a> {
    /// The called function.
    def: GlobalDef,
    /// The file of the called function.
    file: FileIndex,
    /// True if the receiver is not among the arguments.
    is_bound: bool,
    passed: PassedArguments<'a>,
}

impl Linker<'_> {
    /// The type of a call of a function without an annotated return type, if a returned value depends on a parameter
    /// whose argument has a type of the sources. `None` for any other call: its type is the return type of the
    /// function.
    pub(super) fn return_type_of_call(
        &mut self,
        def: GlobalDef,
        is_bound: bool,
        passed: Option<PassedArguments>,
    ) -> Option<TypeId> {
        let passed = passed.filter(|passed| passed.decorated_function.is_none())?;
        let function = self.program.function(def)?;
        let is_declared = function.returns.is_some() || self.declared_result(def).is_some();
        let is_inferred = !is_declared && !function.is_generator && !function.is_async;
        let values = &function.return_values;
        if !is_inferred || values.is_empty() || values.len() > MAX_RETURNS || self.call_depth >= MAX_CALLS {
            return None;
        }
        if !(0..function.parameters.len()).any(|position| self.is_untyped_parameter(def, position)) {
            return None;
        }
        let call = CallContext { def, file: self.program.file_of(def), is_bound, passed };
        let mut depends = false;
        let mut parts = Vec::new();
        self.call_depth += 1;
        for &value in values {
            let ty = self.value_in_call(call, value, MAX_STEPS);
            depends |= ty.is_some();
            parts.push(match ty {
                Some(ty) => ty,
                None => self.return_value_type(call.file, def, value),
            });
        }
        self.call_depth -= 1;
        if function.falls_through && !function.is_lambda {
            parts.push(TypeId::NONE);
        }
        depends.then(|| self.types.union(parts))
    }

    /// The type of an expression of the called function during the call. `None` if the expression depends on no
    /// parameter, or on a parameter whose argument has no type of the sources.
    fn value_in_call(&mut self, call: CallContext, value: ExprId, steps: u8) -> Option<TypeId> {
        let _level = self.descend()?;
        let steps = steps.checked_sub(1)?;
        let facts = self.program.facts(call.file);
        match facts.expr(value) {
            Expr::Name { reaching, .. } => {
                let bindings = facts.reaching(reaching);
                if let &[binding] = bindings {
                    return self.binding_in_call(call, binding, steps);
                }
                if bindings.is_empty() || bindings.len() > MAX_BINDINGS {
                    return None;
                }
                let parts: Option<SmallVec<[TypeId; MAX_BINDINGS]>> =
                    bindings.iter().map(|&binding| self.binding_in_call(call, binding, steps)).collect();
                parts.map(|parts| self.types.union(parts))
            }
            Expr::Attribute { value, name, reaching } if reaching.is_empty() => {
                let receiver = self.value_in_call(call, value, steps)?;
                let name = self.program.global_name(call.file, name);
                Some(self.attribute_type(receiver, name))
            }
            Expr::Call(site) => {
                let site = &facts.calls[site.index()];
                let callee = self.value_in_call(call, site.callee, steps);
                let arguments: &[Arg] = &site.arguments;
                let types: SmallVec<[Option<TypeId>; 4]> =
                    arguments.iter().map(|argument| self.value_in_call(call, argument.value, steps)).collect();
                let callee = match callee {
                    Some(callee) => callee,
                    None if types.iter().all(Option::is_none) => return None,
                    None => self.declared_function(call.file, site.callee)?,
                };
                let passed = PassedArguments { file: call.file, arguments, types: &types, decorated_function: None };
                Some(
                    self.map_union(callee, |this, part| {
                        this.nested_type(|this| this.call_type_with(part, Some(passed)))
                    }),
                )
            }
            _ => None,
        }
    }

    /// The type of a callee that is a function with an annotated return type: its result depends on the arguments only
    /// as the annotations say.
    fn declared_function(&mut self, file: FileIndex, callee: ExprId) -> Option<TypeId> {
        let callee = self.expr_type(file, callee);
        let (Type::Function(def) | Type::Method(def, _)) = *self.types.get(callee) else { return None };
        self.program.function(def).is_some_and(|function| function.returns.is_some()).then_some(callee)
    }

    /// The type that a binding of the called function gives its name during the call, as [`Self::value_in_call`].
    fn binding_in_call(&mut self, call: CallContext, binding: BindingId, steps: u8) -> Option<TypeId> {
        match &self.program.facts(call.file).bindings[binding.index()].kind {
            &BindingKind::Parameter(def, position) if self.program.global_def(call.file, def) == call.def => {
                self.argument_type(call, position as usize)
            }
            BindingKind::Assign { value: Some(value), annotation: None, unpack, extraction }
                if unpack.is_none() && *extraction == Extraction::Value =>
            {
                self.value_in_call(call, *value, steps)
            }
            &BindingKind::Def(inner) => self.wrapped_function(call, inner, steps),
            _ => None,
        }
    }

    /// The function that the call passes to a wrapper: the argument for `f` if the called function defines `inner` with
    /// the decorator `@wraps(f)`. By that decorator the wrapper has the signature of the function.
    fn wrapped_function(&mut self, call: CallContext, inner: DefId, steps: u8) -> Option<TypeId> {
        let facts = self.program.facts(call.file);
        let wraps = |(_, text): &&(ExprId, ArcStr)| self.program.decorator_aliases.name(call.file, text) == "wraps";
        let (decorator, _) = facts.def(inner).decorators.iter().find(wraps)?;
        let Expr::Call(site) = facts.expr(*decorator) else { return None };
        let [wrapped] = &facts.calls[site.index()].arguments[..] else { return None };
        let function = self.value_in_call(call, wrapped.value, steps)?;
        matches!(self.types.get(function), Type::Function(_) | Type::Method(..)).then_some(function)
    }

    /// The type of the argument that the call passes to a parameter without a type. `None` if the call passes no
    /// argument for the parameter, or spreads arguments before it, or if the argument has no type of the sources.
    fn argument_type(&mut self, call: CallContext, position: usize) -> Option<TypeId> {
        if !self.is_untyped_parameter(call.def, position) {
            return None;
        }
        let parameter = self.program.function(call.def)?.parameters.get(position)?;
        let name = self.program.global_name(call.file, parameter.name);
        let arguments = call.passed.arguments;
        let is_named = |keyword| self.program.global_name(call.passed.file, keyword) == name;
        let named = arguments.iter().position(|argument| argument.keyword.is_some_and(is_named));
        let is_positional = matches!(parameter.kind, ParameterKind::PositionalOnly | ParameterKind::Standard);
        // The positions after `*args` are not known.
        let positional = || {
            let position = position.checked_sub(usize::from(call.is_bound)).filter(|_| is_positional)?;
            let before = arguments.get(..=position)?;
            before.iter().all(|argument| argument.kind == ArgumentKind::Positional).then_some(position)
        };
        let argument = named.or_else(positional)?;
        let ty = self.passed_type(call.passed, argument);
        self.is_defined_in_sources(ty).then_some(ty)
    }
}
