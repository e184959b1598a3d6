//! Arguments that are made in the call: the class that makes the value and the keywords that it gets, or the keys of a
//! dict.

use arcstr::ArcStr;

use super::{emit::Emitter, resolve::ResolvedCall};
use apidisc_facts::{
    program::{ArgumentKind, DefinitionKind},
    syntax::python::facts::{Arg, Expr, FileFacts},
};

/// The greatest length of a text, in bytes. A longer one has no keywords.
const MAX_TEXT: usize = 60;

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
        made.or_else(|| dict_keys(&self.files[file].facts, argument))
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
