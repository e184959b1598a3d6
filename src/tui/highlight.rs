//! Colours of source text: a pure function that the runtime calls away from the drawing thread.

use std::{ops::Range, sync::LazyLock};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use super::model::{Document, Run, Runs, Syntax, tuning::Cuts};

/// Scopes of a grammar and what they are here; of several that fit the first one counts.
const SCOPES: [(&str, Syntax); 24] = [
    ("comment", Syntax::Comment),
    ("punctuation.definition.comment", Syntax::Comment),
    ("punctuation.definition.string", Syntax::String),
    ("string", Syntax::String),
    ("constant.numeric", Syntax::Number),
    ("constant.character.escape", Syntax::Constant),
    ("constant", Syntax::Constant),
    ("keyword.operator", Syntax::Operator),
    ("keyword", Syntax::Keyword),
    ("storage", Syntax::Keyword),
    ("entity.name.class", Syntax::Type),
    ("entity.other.inherited-class", Syntax::Type),
    ("entity.name.function", Syntax::Function),
    ("support.function.magic", Syntax::Function),
    ("support.type", Syntax::Type),
    ("support.class", Syntax::Type),
    ("support.function.builtin", Syntax::Type),
    ("variable.parameter", Syntax::Parameter),
    ("variable.language", Syntax::Parameter),
    ("variable.annotation", Syntax::Decorator),
    ("punctuation.definition.annotation", Syntax::Decorator),
    ("meta.annotation", Syntax::Decorator),
    ("punctuation.separator.annotation.return", Syntax::Operator),
    ("punctuation", Syntax::Punctuation),
];

/// So far back a line is looked for at which a definition begins.
const LOOK_BACK: usize = 200;
/// So many lines of a stub are coloured where all of it is; the rest is read by nobody.
const MOST_LINES: usize = 4_000;

/// Knows the grammars.
pub struct Highlighter {
    grammars: SyntaxSet,
    scopes: Vec<(Scope, Syntax)>,
}

impl Highlighter {
    /// The one that all threads share. Making it takes some milliseconds: ask for it off the drawing thread.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Highlighter> = LazyLock::new(|| {
            let scopes = SCOPES.iter().filter_map(|(name, syntax)| Some((Scope::new(name).ok()?, *syntax)));
            Highlighter { grammars: two_face::syntax::extra_newlines(), scopes: scopes.collect() }
        });
        &SHARED
    }

    /// The runs of those lines, a row a line.
    pub fn lines(&self, document: &Document, lines: Range<usize>) -> Vec<Runs> {
        let line = |number| document.line(number);
        self.runs(document.delivery.language.extension(), line, lines)
    }

    /// Colours what is left of a stub. What was cut is struck, and needs none.
    pub fn colour(&self, cuts: &mut Cuts) {
        let lines = &cuts.after.lines;
        let extension = cuts.after.language.extension();
        cuts.after.runs = self.runs(extension, |line| lines[line].as_str(), 0..lines.len().min(MOST_LINES));
    }

    /// The runs of those lines of a text, whose file has that extension.
    pub fn runs<'t>(&self, extension: &str, line: impl Fn(usize) -> &'t str, lines: Range<usize>) -> Vec<Runs> {
        let Some(grammar) = self.grammars.find_syntax_by_extension(extension) else { return Vec::new() };
        let mut state = ParseState::new(grammar);
        let mut stack = ScopeStack::new();
        let mut out = Vec::with_capacity(lines.len());
        let mut text = String::new();
        for number in beginning(&line, lines.start)..lines.end {
            text.clear();
            text.push_str(line(number));
            text.push('\n');
            let operations = state.parse_line(&text, &self.grammars).unwrap_or_default();
            let mut runs = Runs::new();
            for (at, operation) in operations {
                self.push(&mut runs, at.min(text.len() - 1), &stack);
                if stack.apply(&operation).is_err() {
                    stack = ScopeStack::new();
                }
            }
            self.push(&mut runs, text.len() - 1, &stack);
            if number >= lines.start {
                out.push(runs);
            }
        }
        out
    }

    fn push(&self, runs: &mut Runs, end: usize, stack: &ScopeStack) {
        if runs.last().map_or(0, |run| run.end) >= end {
            return;
        }
        let syntax = self.syntax(stack);
        match runs.last_mut() {
            Some(run) if run.syntax == syntax => run.end = end,
            _ => runs.push(Run { end, syntax }),
        }
    }

    /// The innermost scope that means something decides.
    fn syntax(&self, stack: &ScopeStack) -> Syntax {
        let meaning = |scope: &Scope| self.scopes.iter().find(|(known, _)| known.is_prefix_of(*scope));
        stack.scopes.iter().rev().find_map(meaning).map_or(Syntax::Plain, |(_, syntax)| *syntax)
    }
}

/// The nearest line before the one at `at` at which the grammar's state is the initial one: stubs have no string of
/// several lines, so that every definition at the left edge is such a line; in sources most of them are.
fn beginning<'t>(line: &impl Fn(usize) -> &'t str, at: usize) -> usize {
    let starts = |number: &usize| line(*number).starts_with(|c: char| c.is_ascii_alphabetic() || c == '@');
    (at.saturating_sub(LOOK_BACK)..=at).rev().find(starts).unwrap_or(at.saturating_sub(LOOK_BACK))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the words of a line are.
    fn words(extension: &str, line: &str) -> Vec<(String, Syntax)> {
        let runs = Highlighter::shared().runs(extension, |_| line, 0..1).remove(0);
        let mut start = 0;
        let word = |run: Run| {
            let text = line[start..run.end].trim().to_owned();
            start = run.end;
            (text, run.syntax)
        };
        runs.into_iter().map(word).filter(|(text, _)| !text.is_empty()).collect()
    }

    #[test]
    fn a_stub_is_coloured_by_the_grammar_of_its_language() {
        let is_comment = |words: &[(String, Syntax)]| words.iter().all(|(_, syntax)| *syntax == Syntax::Comment);
        assert!(is_comment(&words("ts", "// packages/http: 2 of 4 symbols, 92% of 12 calls")));
        assert!(is_comment(&words("py", "# station: 2 of 4 symbols, 92% of 12 calls")));
        let [first, ..] = &words("ts", "interface Options {")[..] else { panic!("no words") };
        assert_eq!(first, &("interface".to_owned(), Syntax::Keyword));
    }
}
