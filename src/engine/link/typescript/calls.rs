//! Calls: what the type parameters of the signature that is meant stand for, and what it gives.

use smallvec::SmallVec;

use super::{
    callables::Signature,
    infer::Linker,
    program::{FileIndex, GlobalTypeParam},
    types::{Bindings, Env, Key, Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{Arg, CallExprId, CallExprKind, Expr, ExprId, ExpressionContext};

impl Linker<'_> {
    /// The signature that a call means and what its type parameters stand for, from the arguments before `stop` where
    /// they need a context of their own.
    pub(super) fn chosen(&mut self, file: FileIndex, site: CallExprId, stop: u16) -> Option<(Signature, Env)> {
        let row = self.program.facts(file).site(site);
        let is_new =
            row.kind == CallExprKind::New || matches!(self.program.facts(file).expr(row.callee), Expr::Super(_));
        let callee = self.expr(file, row.callee);
        let mut signatures = self.signatures(callee, is_new);
        if row.kind == CallExprKind::Jsx && signatures.is_empty() {
            signatures = self.signatures(callee, true);
        }
        if signatures.is_empty() {
            return None;
        }
        if let Some(known) = self.calls.get(&(file, site, stop)) {
            let (at, env) = (*known)?;
            return Some((*signatures.get(at as usize)?, env));
        }
        // Asked again while it is found, nothing is known of the parameters.
        self.calls.insert((file, site, stop), Some((0, Env::EMPTY)));
        let at = self.choose(file, &row.arguments, &signatures);
        let signature = signatures[at];
        let env = self.instantiate(file, site, signature, stop);
        self.calls.insert((file, site, stop), Some((at as u16, env)));
        Some((signature, env))
    }

    /// What the type parameters of a signature stand for in a call.
    fn instantiate(&mut self, file: FileIndex, site: CallExprId, signature: Signature, stop: u16) -> Env {
        let row = self.program.facts(file).site(site);
        let owner = signature.class.unwrap_or(signature.def);
        let home = self.program.file_of(owner);
        let params = self.program.def(owner).type_params();
        if params.is_empty() {
            return signature.env;
        }
        let targets: SmallVec<[GlobalTypeParam; 4]> =
            params.iter().map(|param| self.program.global_param(home, *param)).collect();
        let mut found = Bindings::new();
        if !row.type_args.is_empty() {
            let args = self.type_args(file, &row.type_args);
            found.extend(targets.iter().zip(args).map(|(param, ty)| (Key::Param(*param), ty)));
        }
        let is_given = found.len() == targets.len();
        if !is_given {
            self.infer_from_arguments(file, &row.arguments, signature, &targets, stop, &mut found);
            if found.len() < targets.len() {
                self.infer_from_context(file, row.expr, signature, &targets, &mut found);
            }
        }
        let given: Tys = targets
            .iter()
            .map(|param| found.iter().find(|(key, _)| *key == Key::Param(*param)).map_or(Ty::NEVER, |(_, ty)| *ty))
            .collect();
        let mut bindings = self.types.env(signature.env).clone();
        for (at, param) in targets.iter().enumerate() {
            let ty = if given[at] == Ty::NEVER { self.left_out(*param, &bindings) } else { given[at] };
            bindings.push((Key::Param(*param), ty));
        }
        self.types.add_env(bindings)
    }

    /// What a type parameter stands for that nothing tells: its default, else its constraint.
    fn left_out(&mut self, param: GlobalTypeParam, before: &Bindings) -> Ty {
        let (home, row) = self.program.type_param(param);
        let Some(ty) = row.default.or(row.constraint) else { return Ty::UNKNOWN };
        let raw = self.annotation(home, ty);
        let env = self.types.add_env(before.clone());
        self.substitute(raw, env)
    }

    fn infer_from_arguments(
        &mut self,
        file: FileIndex,
        arguments: &[Arg],
        signature: Signature,
        targets: &[GlobalTypeParam],
        stop: u16,
        found: &mut Bindings,
    ) {
        for sensitive in [false, true] {
            for (i, argument) in arguments.iter().enumerate() {
                if argument.is_spread {
                    break;
                }
                if self.is_context_sensitive(file, argument.value, 0) != sensitive || (sensitive && i >= stop as usize)
                {
                    continue;
                }
                let Some(raw) = self.parameter_for(signature.def, i) else { break };
                if !self.types.is_open(raw) {
                    continue;
                }
                let pattern = self.substitute(raw, signature.env);
                let given = self.expr(file, argument.value);
                self.unify(pattern, given, targets, found, 0);
            }
        }
    }

    fn infer_from_context(
        &mut self,
        file: FileIndex,
        expr: ExprId,
        signature: Signature,
        targets: &[GlobalTypeParam],
        found: &mut Bindings,
    ) {
        if self.program.facts(file).context(expr) == ExpressionContext::None {
            return;
        }
        let expected = self.context_of(file, expr);
        if !expected.is_known() {
            return;
        }
        let raw = match signature.class {
            Some(class) => match self.program.entity_of(class) {
                Some(entity) => {
                    let args = self.own_args(entity);
                    self.types.add(Type::Named(entity, args))
                }
                None => return,
            },
            None => match self.program.function(signature.def).and_then(|f| f.returns.as_ref()) {
                Some(_) => self.returned(signature.def),
                None => return,
            },
        };
        let pattern = self.substitute(raw, signature.env);
        self.unify(pattern, expected, targets, found, 0);
    }

    /// The type of a call's result.
    pub(super) fn call(&mut self, file: FileIndex, site: CallExprId) -> Ty {
        let facts = self.program.facts(file);
        let row = facts.site(site);
        let callee = self.expr(file, row.callee);
        if row.kind == CallExprKind::Jsx {
            return Ty::EXTERNAL;
        }
        if !callee.is_known() {
            return callee;
        }
        if matches!(facts.expr(row.callee), Expr::Super(_)) {
            return Ty::NOTHING;
        }
        let parts = self.types.parts(callee);
        // Each of several functions gives a result of its own.
        if row.kind != CallExprKind::New && parts.len() > 1 && parts.len() <= 8 {
            let mut results = Tys::new();
            for part in parts {
                for signature in self.signatures(part, false).into_iter().take(1) {
                    let env = self.instantiate(file, site, signature, u16::MAX);
                    let raw = self.returned(signature.def);
                    results.push(self.substitute(raw, env));
                }
            }
            return if results.is_empty() { Ty::ANY } else { self.types.union(results) };
        }
        let Some((signature, env)) = self.chosen(file, site, u16::MAX) else { return Ty::ANY };
        if let Some(class) = signature.class {
            let home = self.program.file_of(class);
            let params = self.program.def(class).type_params();
            let lookup = |linker: &Self, param| {
                linker.types.lookup(env, Key::Param(linker.program.global_param(home, param))).unwrap_or(Ty::ANY)
            };
            let args: Tys = params.iter().map(|param| lookup(self, *param)).collect();
            let value = self.types.add(Type::Class(class, signature.env));
            return self.instance_of(value, &args);
        }
        let raw = self.returned(signature.def);
        let result = self.substitute(raw, env);
        match *self.types.get(result) {
            Type::Predicate(..) => Ty::BOOLEAN,
            _ => result,
        }
    }
}
