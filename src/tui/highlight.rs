//! Syntax highlighting of source text by the grammars of syntect. Highlighting is too slow for the drawing thread.

use std::{ops::Range, sync::LazyLock};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use super::{
    model::{StubText, tuning::StubComparison},
    theme::{SyntaxRole, SyntaxRun, SyntaxRuns},
};

/// Scopes of the grammars, each with its role; if several match, the first one counts.
const SCOPES: [(&str, SyntaxRole); 24] = [
    ("comment", SyntaxRole::Comment),
    ("punctuation.definition.comment", SyntaxRole::Comment),
    ("punctuation.definition.string", SyntaxRole::String),
    ("string", SyntaxRole::String),
    ("constant.numeric", SyntaxRole::Number),
    ("constant.character.escape", SyntaxRole::Constant),
    ("constant", SyntaxRole::Constant),
    ("keyword.operator", SyntaxRole::Operator),
    ("keyword", SyntaxRole::Keyword),
    ("storage", SyntaxRole::Keyword),
    ("entity.name.class", SyntaxRole::Type),
    ("entity.other.inherited-class", SyntaxRole::Type),
    ("entity.name.function", SyntaxRole::Function),
    ("support.function.magic", SyntaxRole::Function),
    ("support.type", SyntaxRole::Type),
    ("support.class", SyntaxRole::Type),
    ("support.function.builtin", SyntaxRole::Type),
    ("variable.parameter", SyntaxRole::Parameter),
    ("variable.language", SyntaxRole::Parameter),
    ("variable.annotation", SyntaxRole::Decorator),
    ("punctuation.definition.annotation", SyntaxRole::Decorator),
    ("meta.annotation", SyntaxRole::Decorator),
    ("punctuation.separator.annotation.return", SyntaxRole::Operator),
    ("punctuation", SyntaxRole::Punctuation),
];

/// The greatest number of lines before the first wanted line that are searched for the beginning of a definition.
const LOOK_BACK: usize = 200;
/// The greatest number of lines of a compared stub that are coloured. Users do not read beyond this line.
const MAX_LINES: usize = 4_000;

/// The grammars.
pub struct Highlighter {
    grammars: SyntaxSet,
    scopes: Vec<(Scope, SyntaxRole)>,
}

impl Highlighter {
    /// The highlighter that all threads share. The first call takes some milliseconds.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Highlighter> = LazyLock::new(|| {
            let scopes = SCOPES.iter().filter_map(|(name, syntax)| Some((Scope::new(name).ok()?, *syntax)));
            Highlighter { grammars: grammars(), scopes: scopes.collect() }
        });
        &SHARED
    }

    /// The syntax runs of some lines of a stub, one item a line.
    pub fn lines(&self, stub: &StubText, lines: Range<usize>) -> Vec<SyntaxRuns> {
        let line = |number| stub.line(number);
        self.runs(stub.extension, line, lines)
    }

    /// Colours the present stub of a comparison. The other stub needs no colours: the lines that only it has are dim.
    pub fn colour(&self, comparison: &mut StubComparison) {
        let lines = &comparison.after.lines;
        let extension = comparison.after.language.extension();
        comparison.after.runs = self.runs(extension, |line| lines[line].as_str(), 0..lines.len().min(MAX_LINES));
    }

    /// The syntax runs of some lines of a text, one item a line. The file extension `extension` selects the grammar.
    pub fn runs<'t>(&self, extension: &str, line: impl Fn(usize) -> &'t str, lines: Range<usize>) -> Vec<SyntaxRuns> {
        let grammar = self.grammars.find_syntax_by_extension(extension).filter(|_| !lines.is_empty());
        let Some(grammar) = grammar else { return Vec::new() };
        let mut state = ParseState::new(grammar);
        let mut stack = ScopeStack::new();
        let mut out = Vec::with_capacity(lines.len());
        let mut text = String::new();
        for number in initial_line(&line, lines.start)..lines.end {
            text.clear();
            text.push_str(line(number));
            text.push('\n');
            let operations = state.parse_line(&text, &self.grammars).unwrap_or_default();
            let mut runs = SyntaxRuns::new();
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

    fn push(&self, runs: &mut SyntaxRuns, end: usize, stack: &ScopeStack) {
        if runs.last().map_or(0, |run| run.end) >= end {
            return;
        }
        let syntax = self.syntax(stack);
        match runs.last_mut() {
            Some(run) if run.role == syntax => run.end = end,
            _ => runs.push(SyntaxRun { end, role: syntax }),
        }
    }

    /// The role of the innermost scope that has one.
    fn syntax(&self, stack: &ScopeStack) -> SyntaxRole {
        let entry = |scope: &Scope| self.scopes.iter().find(|(known, _)| known.is_prefix_of(*scope));
        stack.scopes.iter().rev().find_map(entry).map_or(SyntaxRole::Plain, |(_, syntax)| *syntax)
    }
}

/// The grammars that are part of the program: those of what it shows, see `tests/cli/grammars.rs`.
fn grammars() -> SyntaxSet {
    let dump = include_bytes!("highlight/grammars.dump");
    syntect::dumps::from_uncompressed_data(dump).expect("a test has read the file")
}

/// The nearest line at or before `at` at which the grammar is probably in its initial state: one that begins with a
/// letter or `@`. In sources, but not in stubs, such a line may be inside a string. Without such a line, the search
/// ends `LOOK_BACK` lines above `at`.
fn initial_line<'t>(line: &impl Fn(usize) -> &'t str, at: usize) -> usize {
    let starts = |number: &usize| line(*number).starts_with(|c: char| c.is_ascii_alphabetic() || c == '@');
    (at.saturating_sub(LOOK_BACK)..=at).rev().find(starts).unwrap_or(at.saturating_sub(LOOK_BACK))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a line, each with its role.
    fn words(extension: &str, line: &str) -> Vec<(String, SyntaxRole)> {
        let runs = Highlighter::shared().runs(extension, |_| line, 0..1).remove(0);
        let mut start = 0;
        let word = |run: SyntaxRun| {
            let text = line[start..run.end].trim().to_owned();
            start = run.end;
            (text, run.role)
        };
        runs.into_iter().map(word).filter(|(text, _)| !text.is_empty()).collect()
    }

    #[test]
    fn a_stub_is_coloured_by_the_grammar_of_its_language() {
        let is_comment =
            |words: &[(String, SyntaxRole)]| words.iter().all(|(_, syntax)| *syntax == SyntaxRole::Comment);
        assert!(is_comment(&words("ts", "// packages/http: 2 of 4 symbols, 92% of 12 calls")));
        assert!(is_comment(&words("py", "# station: 2 of 4 symbols, 92% of 12 calls")));
        let [first, ..] = &words("ts", "interface Options {")[..] else { panic!("no words") };
        assert_eq!(first, &("interface".to_owned(), SyntaxRole::Keyword));
    }
}
