//! The calls with which functions pass on the arguments that their own `*args` and `**kwargs` receive.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    facts::{Arg, BindingId, BindingKind, CallExpr, CallExprId, DefId, Expr, ExprId, FileFacts, Forward, NameId},
    lower::Lowering,
};
use crate::program::{ArgumentKind, ParameterKind};

/// What a function does with the dict of its `**kwargs`.
#[derive(Default)]
struct KeywordChanges {
    /// The keys that it takes out or sets.
    taken: FxHashSet<NameId>,
    /// True if it may take out or set any key.
    is_open: bool,
}

impl Lowering<'_> {
    /// Records the calls with which functions pass on their `*args` and `**kwargs` as they are. A name that is bound
    /// again, and a dict whose keys may all have changed, is not passed on as it is.
    pub(super) fn record_forwards(&mut self) {
        let facts = &self.facts;
        let mut forwards: Vec<Forward> = Vec::new();
        for (at, call) in facts.calls.iter().enumerate() {
            let spreads = call.arguments.iter().filter(|argument| argument.kind.is_spread());
            for argument in spreads {
                let wanted = match argument.kind {
                    ArgumentKind::Star => ParameterKind::VarPositional,
                    _ => ParameterKind::VarKeyword,
                };
                let Some((function, _)) = variadic(facts, argument.value).filter(|(_, kind)| *kind == wanted) else {
                    continue;
                };
                let call = CallExprId::new(at);
                let positional = wanted == ParameterKind::VarPositional;
                match forwards.last_mut().filter(|last| last.call == call && last.function == function) {
                    Some(last) if positional => last.positional = true,
                    Some(last) => last.keywords = true,
                    None => forwards.push(Forward { function, call, positional, keywords: !positional }),
                }
            }
        }
        let functions: FxHashSet<DefId> =
            forwards.iter().filter(|forward| forward.keywords).map(|forward| forward.function).collect();
        let mut taken = Vec::new();
        if !functions.is_empty() {
            let changes = self.keyword_changes(&functions);
            for forward in &mut forwards {
                forward.keywords &= changes.get(&forward.function).is_none_or(|changes| !changes.is_open);
            }
            for (function, changes) in changes {
                taken.extend(changes.taken.into_iter().map(|key| (function, key)));
            }
        }
        forwards.retain(|forward| forward.positional || forward.keywords);
        forwards.sort_by_key(|forward| forward.function);
        taken.sort_unstable();
        (self.facts.forwards, self.facts.taken_keywords) = (forwards, taken);
    }

    /// What functions do with the dicts of their `**kwargs`.
    fn keyword_changes(&self, functions: &FxHashSet<DefId>) -> FxHashMap<DefId, KeywordChanges> {
        let facts = &self.facts;
        let mut changes: FxHashMap<DefId, KeywordChanges> = FxHashMap::default();
        let dict_of = |expr: ExprId| {
            let (function, kind) = variadic(facts, expr)?;
            (kind == ParameterKind::VarKeyword && functions.contains(&function)).then_some(function)
        };
        for call in &facts.calls {
            if let Expr::Attribute { value, name, .. } = facts.expr(call.callee)
                && let Some(function) = dict_of(value)
            {
                changes.entry(function).or_default().add_method(facts, facts.name(name), call);
            }
            // A function that gets the dict itself may change it; a built-in function does not.
            let passed = call.arguments.iter().filter(|argument| !argument.kind.is_spread());
            for function in passed.filter_map(|argument| dict_of(argument.value)) {
                changes.entry(function).or_default().is_open |= !is_builtin(facts, call.callee);
            }
        }
        // `kwargs["key"] = value` and `del kwargs["key"]`: the path of the item is `kwargs.["key"]`. A key that is set
        // on a branch alone may still be passed on.
        for (at, binding) in facts.bindings.iter().enumerate() {
            let text = facts.name(binding.name);
            let Some((root, key)) = text.split_once(".[\"") else { continue };
            let Some(key) = key.strip_suffix("\"]") else { continue };
            let is_conditional = self.conditional_items.contains(&BindingId::new(at));
            match binding.kind {
                BindingKind::Narrow { .. } => continue,
                BindingKind::Assign { .. } if is_conditional => continue,
                _ => {}
            }
            let (Some(root), Some(key)) = (self.known_name(root), self.known_name(key)) else { continue };
            let scopes = facts.scopes_binding(binding.scope, root).next();
            let Some((_, &[parameter])) = scopes else { continue };
            if let BindingKind::Parameter(function, _) = facts.bindings[parameter.index()].kind
                && functions.contains(&function)
            {
                changes.entry(function).or_default().taken.insert(key);
            }
        }
        changes
    }
}

impl KeywordChanges {
    /// Adds the call of a method of the dict.
    fn add_method(&mut self, facts: &FileFacts, method: &str, call: &CallExpr) {
        match method {
            "pop" => match call.arguments.first().map(|argument| facts.expr(argument.value)) {
                Some(Expr::Str(Some(key))) => drop(self.taken.insert(key)),
                _ => self.is_open = true,
            },
            // The keys that a statement names are bindings of items.
            "update" => {
                let is_known = |argument: &Arg| match facts.expr(argument.value) {
                    _ if argument.keyword.is_some() => true,
                    Expr::Dict(items) => {
                        let mut keys = facts.list(items).iter().step_by(2).map(|&key| facts.expr(key));
                        facts.spreads_of(argument.value).is_none() && keys.all(|key| matches!(key, Expr::Str(Some(_))))
                    }
                    _ => false,
                };
                self.is_open |= !call.arguments.iter().all(is_known);
            }
            "clear" | "popitem" => self.is_open = true,
            _ => {}
        }
    }
}

/// The function whose `*args` or `**kwargs` an expression reads, and the kind of that parameter. `None` for another
/// expression, and for a name that is bound again.
fn variadic(facts: &FileFacts, expr: ExprId) -> Option<(DefId, ParameterKind)> {
    let Expr::Name { name, scope, reaching } = facts.expr(expr) else { return None };
    let binding = match facts.reaching(reaching) {
        [] => match facts.scopes_binding(scope, name).next()? {
            (_, &[binding]) => &facts.bindings[binding.index()].kind,
            _ => return None,
        },
        _ => facts.only_binding(expr)?,
    };
    let BindingKind::Parameter(function, position) = *binding else { return None };
    let kind = facts.def(function).function()?.parameters.get(position as usize)?.kind;
    kind.is_variadic().then_some((function, kind))
}

/// True for a name that the file does not bind.
fn is_builtin(facts: &FileFacts, callee: ExprId) -> bool {
    let Expr::Name { name, scope, .. } = facts.expr(callee) else { return false };
    facts.scopes_binding(scope, name).next().is_none()
}
