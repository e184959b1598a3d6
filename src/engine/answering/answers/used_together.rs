//! The symbols that several functions use together with a symbol, and the shortest function that has both.

use serde::Serialize;

use super::{Context, get_symbol_source::Numbered};
use crate::recipes::{How, Together, together};
use apidisc_base::unprintable::{escaped_line, escaped_text};
use apidisc_facts::program::DefinitionId;

/// The greatest number of lines of a function that is quoted.
const MAX_LINES: usize = 8;
/// The greatest number of characters of a function that is quoted.
const MAX_CHARS: usize = 400;

/// A symbol that several functions use together with another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UsedTogether {
    /// The name of the symbol.
    pub name: String,
    /// The number of functions that call both.
    pub functions: u32,
    /// How most of them use the two: `passed to`, `takes the result of`, `called on the result of` and so on.
    pub how: &'static str,
    /// True if more is known than that functions call both.
    #[serde(skip)]
    pub(super) is_connected: bool,
    /// The place of the shortest of these functions, `path:line`.
    pub place: String,
    /// The code of that function, if it is short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl UsedTogether {
    /// The symbols that several functions use together with a symbol, those of the most functions first.
    pub(super) fn of(context: &Context<'_>, id: DefinitionId) -> Vec<Self> {
        let index = context.symbols.index();
        let described = |found: Together| {
            let place = index.definition(found.shortest).place;
            let path = &index.files.get(place.file.index())?.path;
            Some(Self {
                name: context.symbols.name_of(found.definition).to_string(),
                functions: found.functions,
                how: found.how.words(),
                is_connected: found.how != How::Beside,
                place: format!("{path}:{}", place.line),
                code: short_code(context, path, (place.line, place.end_line)),
            })
        };
        together(index, id, context.read).into_iter().filter_map(described).collect()
    }

    /// The line that names the symbols: `Used together in functions: passed to web.serve 12, beside web.log 4`.
    pub(super) fn line(all: &[Self]) -> Option<String> {
        let words = |found: &Self| format!("{} {} {}", found.how, escaped_line(&found.name), found.functions);
        let words: Vec<String> = all.iter().map(words).collect();
        (!words.is_empty()).then(|| format!("Used together in functions: {}\n", words.join(", ")))
    }
}

/// The lines of a function without their common indentation; `None` if they are many or long.
fn short_code(context: &Context<'_>, path: &str, (first, last): (u32, u32)) -> Option<String> {
    if last.saturating_sub(first) as usize >= MAX_LINES {
        return None;
    }
    let rows = Numbered::read(context, path).ok()?.rows((first, last));
    let lines: Vec<&str> = rows.iter().filter_map(|(_, row)| row.split_once('\t')).map(|(_, line)| line).collect();
    let is_indentation = |c: char| c == ' ' || c == '\t';
    let full = lines.iter().filter(|line| !line.trim().is_empty());
    let indentation = full.map(|line| line.len() - line.trim_start_matches(is_indentation).len()).min()?;
    let code: String = lines.iter().map(|line| line.get(indentation..).unwrap_or("\n")).collect();
    (code.len() <= MAX_CHARS).then(|| escaped_text(&code))
}
