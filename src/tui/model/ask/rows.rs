//! The rows of a conversation: its texts, wrapped to the width of the screen.

use std::ops::Range;

use super::{
    Turn,
    markdown::{self, AnswerLine},
};
use crate::tui::widgets::{break_line, wrap_all};

/// Text is never wrapped into pieces narrower than this, in cells.
const MIN_WIDTH: usize = 16;
/// Text is not wrapped into lines longer than this, in cells. Longer ones are hard to read.
const MAX_WIDTH: usize = 110;

/// A row of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskRow {
    /// The position of the question that the row belongs to.
    pub turn: usize,
    /// The content.
    pub body: AskRowBody,
}

/// The content of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskRowBody {
    /// Nothing.
    Blank,
    /// A line of the question.
    Question(String),
    /// A call of a tool, by its position in [`Turn::steps`].
    RunStep(usize),
    /// A line of a heading of the answer.
    Heading(String),
    /// A line of text.
    Text {
        /// The line.
        text: String,
        /// True if the line begins within code in backticks.
        is_in_code: bool,
    },
    /// A part of a line of code.
    Code {
        /// The block, counted from 0.
        block: usize,
        /// The position of the line among all lines of code of the answer.
        line: usize,
        /// The position of the part in the line, in bytes.
        part: Range<usize>,
        /// The part.
        text: String,
    },
    /// The heading of the sources.
    Sources,
    /// A source, by its position in [`Turn::sources`].
    Source(usize),
    /// A line of the note.
    Note(String),
    /// The heading of earlier conversations.
    PastHeading,
    /// An earlier conversation, by its position in the list.
    Past(usize),
}

/// The rows of a question in an area that is `width` cells wide.
pub(super) fn rows(turn: &Turn, width: u16) -> Vec<AskRowBody> {
    let width = usize::from(width).saturating_sub(3).clamp(MIN_WIDTH, MAX_WIDTH);
    let mut rows: Vec<AskRowBody> = Vec::new();
    rows.extend(wrap_all(&turn.question, width).into_iter().map(AskRowBody::Question));
    rows.extend((0..turn.steps.len()).map(AskRowBody::RunStep));
    answer(&turn.answer, width, &mut rows);
    sources(turn, &mut rows);
    if !turn.note.is_empty() {
        rows.push(AskRowBody::Blank);
        rows.extend(wrap_all(&turn.note, width).into_iter().map(AskRowBody::Note));
    }
    rows
}

fn sources(turn: &Turn, rows: &mut Vec<AskRowBody>) {
    if !turn.sources.is_empty() {
        rows.extend([AskRowBody::Blank, AskRowBody::Sources]);
        rows.extend((0..turn.sources.len()).map(AskRowBody::Source));
    }
}

fn answer(text: &str, width: usize, rows: &mut Vec<AskRowBody>) {
    if !text.is_empty() {
        rows.push(AskRowBody::Blank);
    }
    let mut code_lines = 0;
    for line in markdown::lines(text) {
        match line {
            AnswerLine::Heading(heading) => {
                rows.extend(wrap_all(heading, width).into_iter().map(AskRowBody::Heading));
            }
            AnswerLine::Text("") => rows.push(AskRowBody::Blank),
            AnswerLine::Text(text) => paragraph(text, width, rows),
            AnswerLine::Code { block, text } => {
                let parts = break_line(text, width.saturating_sub(2));
                rows.extend(parts.into_iter().map(|part| {
                    let text = text[part.clone()].to_owned();
                    AskRowBody::Code { block, line: code_lines, part, text }
                }));
                code_lines += 1;
            }
        }
    }
}

/// Wraps a line of text. The lines below the first one of an item of a list are indented.
fn paragraph(text: &str, width: usize, rows: &mut Vec<AskRowBody>) {
    let content = text.trim_start();
    let marker = ["- ", "* ", "+ "].into_iter().find(|marker| content.starts_with(marker)).unwrap_or_default();
    let indent = " ".repeat((text.len() - content.len()).min(width / 3));
    let room = width.saturating_sub(indent.len() + marker.len()).max(MIN_WIDTH);
    let mut is_in_code = false;
    for (position, line) in wrap_all(&content[marker.len()..], room).into_iter().enumerate() {
        let before = if position == 0 { marker } else { &"  "[..marker.len()] };
        let begins_in_code = is_in_code;
        is_in_code ^= line.matches('`').count() % 2 == 1;
        rows.push(AskRowBody::Text { text: format!("{indent}{before}{line}"), is_in_code: begins_in_code });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(row: &AskRowBody) -> String {
        match row {
            AskRowBody::Text { text, is_in_code } => format!("{text}{}", if *is_in_code { " (in code)" } else { "" }),
            AskRowBody::Code { line, text, .. } => format!("{line}: {text}"),
            AskRowBody::Question(text) | AskRowBody::Heading(text) | AskRowBody::Note(text) => text.clone(),
            other => format!("{other:?}"),
        }
    }

    fn texts(answer: &str, width: u16) -> Vec<String> {
        let turn = Turn { question: "How?".to_owned(), answer: answer.to_owned(), ..Turn::default() };
        rows(&turn, width).iter().skip(2).map(text).collect()
    }

    #[test]
    fn items_hang_and_code_in_backticks_goes_on() {
        assert_eq!(
            texts("- call `client.stream` with `timeout = 5 seconds` here", 28),
            ["- call `client.stream`", "  with `timeout = 5", "  seconds` here (in code)"]
        );
    }

    #[test]
    fn no_text_is_cut() {
        assert_eq!(texts("日本語日本語日本語日本語", 19), ["日本語日本語日本", "語日本語"]);
        assert_eq!(texts("- 日本語日本語日本語日本", 21), ["- 日本語日本語日本", "  語日本"]);
        let code = "```\nabcdefghijklmnopqrstuvw\n\nx\n```";
        assert_eq!(texts(code, 19), ["0: abcdefghijklmn", "0: opqrstuvw", "1: ", "2: x"]);
    }
}
