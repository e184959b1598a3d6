//! Arguments that are made in the call: the class that makes the value and the keywords that it gets, or the keys of a
//! dict. What classes of other packages make has the imports of these classes.

use arcstr::ArcStr;

use super::{emit::Emitter, resolve::ResolvedCall, standard_library::is_standard_library};
use apidisc_base::nesting;
use apidisc_facts::{
    program::{ArgumentKind, DefinitionKind, with_imports},
    syntax::python::facts::{Arg, BindingKind, Expr, ExprId, FileFacts},
};

/// The greatest length of a text, in bytes. A longer one has no keywords.
const MAX_TEXT: usize = 60;

/// The greatest length of the text of a value that classes of other packages make, in bytes. A longer one has no values
/// inside.
const MAX_MADE_OUTSIDE: usize = 100;
/// The greatest number of classes inside each other.
const MAX_CLASSES: usize = 3;

/// The greatest length of the text of a dict, in bytes. Further keys are left out.
const MAX_DICT: usize = 120;
/// The greatest length of a key, in bytes. A longer one is data.
const MAX_KEY: usize = 30;

/// `{"a": ..., "b": ...}` for an argument that is a dict display or a call of `dict` with keywords: its keys that are
/// short strings, in the order of the code. `None` for any other argument, and without such a key.
fn dict_keys(facts: &FileFacts, argument: &Arg) -> Option<ArcStr> {
    let keys: Vec<&str> = match facts.expr(argument.value) {
        Expr::Dict(items) => {
            let keys = facts.list(items).iter().step_by(2);
            let names = keys.filter_map(|key| match facts.expr(*key) {
                Expr::Str(name) => name,
                _ => None,
            });
            names.map(|name| facts.name(name)).collect()
        }
        Expr::Call(call) if facts.is_named(facts.calls[call.index()].callee, "dict") => {
            let arguments = facts.calls[call.index()].arguments.iter();
            arguments.filter_map(|argument| argument.keyword).map(|name| facts.name(name)).collect()
        }
        _ => return None,
    };
    let mut text = String::from("{");
    for key in keys {
        let is_plain = !key.is_empty() && !key.contains(|c: char| c.is_control() || "\"\\,{}".contains(c));
        if is_plain && key.len() <= MAX_KEY && text.len() + key.len() <= MAX_DICT {
            let comma = if text.len() > 1 { ", " } else { "" };
            text.extend([comma, "\"", key, "\": ..."]);
        }
    }
    (text.len() > 1).then(|| (text + "}").into())
}

impl Emitter<'_> {
    /// `After(attempts=...)` for an argument that is a call of one public class of the sources, `{"a": ...}` for a
    /// dict. `resolved` are the calls of the file.
    pub(super) fn made_value(&self, file: usize, argument: &Arg, resolved: &[ResolvedCall]) -> Option<ArcStr> {
        let made = self.made_by_class(file, argument, resolved);
        let facts = &self.files[file].facts;
        made.or_else(|| dict_keys(facts, argument)).or_else(|| {
            let made = |depth| MadeOutside { facts, resolved, depth, imports: Vec::new() }.text(argument.value);
            made(MAX_CLASSES).filter(|text| text.len() <= MAX_MADE_OUTSIDE).or_else(|| made(1)).map(ArcStr::from)
        })
    }

    fn made_by_class(&self, file: usize, argument: &Arg, resolved: &[ResolvedCall]) -> Option<ArcStr> {
        let facts = &self.files[file].facts;
        let Expr::Call(call) = facts.expr(argument.value) else { return None };
        let (site, resolved) = (&facts.calls[call.index()], resolved.get(call.index())?);
        let rows = self.candidate_rows(resolved);
        let [row] = rows[..] else { return None };
        let name = self.fqn(row).rsplit('.').next()?;
        let (def, _) = self.callee(resolved, row)?;
        if self.linker.kind(def) != DefinitionKind::Class || name.starts_with('_') {
            return None;
        }
        let mut texts: Vec<String> = Vec::new();
        for argument in &site.arguments {
            match (argument.kind, argument.keyword) {
                (ArgumentKind::Keyword, Some(keyword)) => texts.push(format!("{}=...", facts.name(keyword))),
                _ if texts.is_empty() => texts.push("...".to_owned()),
                _ => {}
            }
        }
        let whole = format!("{name}({})", texts.join(", "));
        Some(if whole.len() <= MAX_TEXT { whole.into() } else { format!("{name}(...)").into() })
    }
}

/// Writes values that classes of other packages make: `types.Content(role=..., parts=[types.Part(text=...)])`.
struct MadeOutside<'f> {
    facts: &'f FileFacts,
    /// The calls of the file.
    resolved: &'f [ResolvedCall],
    /// The greatest number of classes inside each other.
    depth: usize,
    imports: Vec<String>,
}

impl MadeOutside<'_> {
    /// The text of a value with its imports. `None` if no class of another package makes it.
    fn text(mut self, value: ExprId) -> Option<String> {
        let text = self.made(value, self.depth)?;
        Some(with_imports(&text, &self.imports))
    }

    fn made(&mut self, value: ExprId, depth: usize) -> Option<String> {
        let _level = nesting::descend()?;
        let facts = self.facts;
        let Expr::Call(call) = facts.expr(value) else { return None };
        let is_own = !self.resolved.get(call.index())?.candidates.is_empty();
        if depth == 0 || is_own {
            return None;
        }
        let site = &facts.calls[call.index()];
        let name = self.imported_class(site.callee)?;
        let mut texts: Vec<String> = Vec::new();
        for argument in &site.arguments {
            let inner = self.inner(argument.value, depth - 1);
            match (argument.kind, argument.keyword) {
                (ArgumentKind::Keyword, Some(keyword)) => texts.push(format!("{}={inner}", facts.name(keyword))),
                _ if texts.is_empty() => texts.push(inner),
                _ => {}
            }
        }
        Some(format!("{name}({})", texts.join(", ")))
    }

    /// A value inside of another one, or a list with one in it; `...` if no class of another package makes it.
    fn inner(&mut self, value: ExprId, depth: usize) -> String {
        let made = match self.facts.expr(value) {
            Expr::List(items) => {
                let first = self.facts.list(items).first().copied();
                first.and_then(|first| self.made(first, depth)).map(|made| format!("[{made}]"))
            }
            _ => self.made(value, depth),
        };
        made.unwrap_or_else(|| "...".to_owned())
    }

    /// The dotted name of a class that the file imports from another package than the standard library.
    fn imported_class(&mut self, callee: ExprId) -> Option<String> {
        let facts = self.facts;
        let (mut at, mut names) = (callee, Vec::new());
        while let Expr::Attribute { value, name, .. } = facts.expr(at) {
            names.push(facts.name(name));
            at = value;
        }
        let Expr::Name { name, scope, reaching } = facts.expr(at) else { return None };
        names.push(facts.name(name));
        let class = *names.first()?;
        if !class.starts_with(char::is_uppercase) || !class.contains(char::is_lowercase) || class.contains("Mock") {
            return None;
        }
        let mut bindings = facts.reaching(reaching);
        if bindings.is_empty() {
            bindings = facts.scopes_binding(scope, name).next()?.1;
        }
        let local = facts.name(name);
        let (module, import) = match facts.bindings[bindings.first()?.index()].kind {
            BindingKind::ImportFrom { level: 0, module, name } => {
                let (module, name) = (facts.name(module), facts.name(name));
                let renamed = if name == local { String::new() } else { format!(" as {local}") };
                (module, format!("from {module} import {name}{renamed}"))
            }
            BindingKind::Import { module, whole } => {
                let module = facts.name(module);
                let renamed = if whole && module != local { format!(" as {local}") } else { String::new() };
                (module, format!("import {module}{renamed}"))
            }
            _ => return None,
        };
        if is_standard_library(module.split('.').next().unwrap_or_default()) {
            return None;
        }
        if !self.imports.contains(&import) {
            self.imports.push(import);
        }
        names.reverse();
        Some(names.join("."))
    }
}
