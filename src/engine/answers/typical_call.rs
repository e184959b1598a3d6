//! A call of a symbol, as the sources write it.

use serde::Serialize;

use super::{Context, quoted::visible};
use crate::{
    program::{CallId, DefinitionId},
    snippet::{self, Example},
    source::SourceText,
};

/// The greatest number of calls that are read.
const MOST_READ: usize = 12;
/// The longest call that is quoted, in bytes.
const LONGEST: usize = 600;

/// A call as the sources write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypicalCall {
    /// The path and the line.
    pub place: String,
    /// The call.
    pub code: String,
}

/// The shortest of the calls that show best how a symbol is called; `None` if there is none, or none that can be read.
pub(super) fn typical_call(context: &Context<'_>, id: DefinitionId) -> Option<TypicalCall> {
    let index = context.symbols.index();
    let mut best: Option<TypicalCall> = None;
    let mut open: Option<(&str, Option<SourceText>)> = None;
    for call in index.typical_calls(id).into_iter().take(MOST_READ) {
        let site = index.call(call);
        let path = index.file(site.file).path.as_str();
        if open.as_ref().is_none_or(|(other, _)| *other != path) {
            open = Some((path, (context.read)(path)));
        }
        let Some((_, Some(text))) = &open else { continue };
        let Some(example) = example(context, call, text) else { continue };
        let code = visible(&example.call.join("\n"));
        let is_better = best.as_ref().is_none_or(|best| code.len() < best.code.len());
        if is_better && !code.is_empty() && code.len() <= LONGEST {
            best = Some(TypicalCall { place: format!("{path}:{}", site.line), code });
        }
    }
    best
}

fn example(context: &Context<'_>, call: CallId, text: &SourceText) -> Option<Example> {
    let index = context.symbols.index();
    let site = index.call(call);
    let file = index.file(site.file);
    let own = || {
        let name = offset(text, site.line, site.col)?;
        snippet::example(&text.source, &file.path, file.language, name)
    };
    let quoted = || {
        let (code, name) = snippet::quoted_code(&file.path, &text.source, file.language, site.line, site.col)?;
        snippet::example(&code, &file.path, file.language, name)
    };
    if file.is_document() { quoted() } else { own().or_else(quoted) }
}

/// The byte in the text of a line of the file (from 1) and a column (from 0, in bytes).
fn offset(text: &SourceText, line: u32, column: u32) -> Option<usize> {
    let line = match &text.lines {
        Some(lines) => lines.iter().position(|at| *at == line)?,
        None => line.checked_sub(1)? as usize,
    };
    let start = if line == 0 { 0 } else { text.source.match_indices('\n').nth(line - 1)?.0 + 1 };
    let length = text.source[start..].find('\n').unwrap_or(text.source.len() - start);
    (column as usize <= length).then_some(start + column as usize)
}
