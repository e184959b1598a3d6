//! Arguments and properties that are made in the call: the class that makes the value, and the properties that its
//! first argument gets. What classes of other packages make has the imports of these classes.

use arcstr::ArcStr;

use super::{linked_calls::CallLinker, resolve::ResolvedCall};
use apidisc_facts::{
    program::{Argument, DefinitionKind, with_imports},
    syntax::typescript::facts::{Arg, CallExprKind, Decl, Expr, ExprId, FileFacts, ImportKind, MemberKind},
};

/// The greatest length of a text, in bytes. A longer one has no properties.
const MAX_TEXT: usize = 60;

impl CallLinker<'_, '_> {
    /// Gives arguments without a literal the text of the value that they make. `arguments` belong to the last
    /// expressions of `written`. `resolved` are the calls of the file.
    pub(super) fn add_made_values(
        &self,
        facts: &FileFacts,
        written: &[Arg],
        resolved: &[ResolvedCall],
        arguments: &mut [Argument],
    ) {
        let first = written.len().saturating_sub(arguments.len());
        for (argument, bound) in written[first..].iter().zip(arguments) {
            if argument.is_spread {
                continue;
            }
            let Some(keys) = bound.keys.as_deref_mut() else {
                bound.value = bound.value.take().or_else(|| self.made_value(facts, argument.value, resolved));
                continue;
            };
            let Expr::Object(object) = facts.expr(without_casts(facts, argument.value)) else { continue };
            for (member, key) in facts.def(object).members().iter().zip(keys) {
                if let (None, MemberKind::Property { value: Some((value, _)), .. }) = (&key.value, &member.kind) {
                    key.value = self.made_value(facts, *value, resolved);
                }
            }
        }
    }

    /// `new After({ attempts: ... })` for an expression that makes a value of one class of the sources.
    fn made_value(&self, facts: &FileFacts, value: ExprId, resolved: &[ResolvedCall]) -> Option<ArcStr> {
        let Expr::Call(site) = facts.expr(without_casts(facts, value)) else { return None };
        let call = facts.site(site);
        if call.kind != CallExprKind::New {
            return None;
        }
        let (name, import) = match resolved.get(site.index())?.candidates[..] {
            [class] => {
                let class = &self.definitions[self.rows.of_def.get(&class)?.index()];
                (Some(class.name.as_str()).filter(|_| class.kind == DefinitionKind::Class)?, None)
            }
            [] => {
                let (name, import) = import_from_outside(facts, call.callee)?;
                (name, Some(import))
            }
            _ => return None,
        };
        let name = Some(name).filter(|name| !name.starts_with('_'))?;
        let arguments = call.arguments.iter().enumerate().map(|(at, argument)| match &argument.keys {
            Some(keys) if at == 0 && !keys.is_empty() => {
                let keys = keys.iter().map(|key| match facts.name(key.name) {
                    "..." => "...".to_owned(),
                    name => format!("{name}: ..."),
                });
                format!("{{ {} }}", keys.collect::<Vec<_>>().join(", "))
            }
            _ => "...".to_owned(),
        });
        let whole = format!("new {name}({})", arguments.collect::<Vec<_>>().join(", "));
        let text = if whole.len() <= MAX_TEXT { whole } else { format!("new {name}(...)") };
        Some(import.map_or(text.clone(), |import| with_imports(&text, &[import])).into())
    }
}

/// The name of a callee that the file imports from another package, with its import.
fn import_from_outside(facts: &FileFacts, callee: ExprId) -> Option<(&str, String)> {
    let Expr::Name { name, symbol: Some(symbol) } = facts.expr(callee) else { return None };
    let [Decl::Import(import)] = facts.symbol(symbol).decls[..] else { return None };
    let (import, local) = (&facts.imports[import.index()], facts.name(name));
    let module = facts.name(import.specifier);
    if import.is_type
        || module.starts_with(['.', '/', '~', '#', '@']) && !is_scoped(module)
        || module.starts_with("node:")
    {
        return None;
    }
    let names = match import.kind {
        ImportKind::Named(name) => match facts.name(name) {
            "default" => local.to_owned(),
            name if name == local => format!("{{ {local} }}"),
            name => format!("{{ {name} as {local} }}"),
        },
        _ => return None,
    };
    Some((local, format!("import {names} from \"{module}\"")))
}

/// True for the specifier of a package with a scope: `@scope/name`. `@/name` is a path of the program.
fn is_scoped(specifier: &str) -> bool {
    specifier.strip_prefix('@').is_some_and(|rest| rest.contains('/') && !rest.starts_with('/'))
}

/// The expression inside of parentheses, casts and `!`.
fn without_casts(facts: &FileFacts, mut expr: ExprId) -> ExprId {
    while let Expr::As(inner, _) | Expr::Satisfies(inner, _) | Expr::AsConst(inner) | Expr::NonNull(inner) =
        facts.expr(expr)
    {
        expr = inner;
    }
    expr
}
