//! Arguments that are made in the call: the class that makes the value, and the keywords that it gets.

use arcstr::ArcStr;

use super::{emit::Emitter, resolve::ResolvedCall};
use apidisc_facts::{
    program::{ArgumentKind, DefinitionKind},
    syntax::python::facts::{Arg, Expr},
};

/// The greatest length of a text, in bytes. A longer one has no keywords.
const MAX_TEXT: usize = 60;

impl Emitter<'_> {
    /// `After(attempts=...)` for an argument that is a call of one public class of the sources. `resolved` are the
    /// calls of the file.
    pub(super) fn made_value(&self, file: usize, argument: &Arg, resolved: &[ResolvedCall]) -> Option<ArcStr> {
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
