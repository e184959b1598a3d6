//! The mistakes in the code of an answer: the message for the model, and the marks.

use std::fmt::Write as _;

use apidisc::{
    answers::Context,
    code_check::{Mistake, signature},
    documents::{MarkdownLine, markdown_lines},
};

/// The greatest number of mistakes in a message.
const MAX_MISTAKES: usize = 10;
/// The greatest number of tokens of one signature.
const SIGNATURE: usize = 300;

/// The message that asks the model for another answer: the mistakes in the code, and the signatures or members that the
/// sources have instead.
pub(super) fn message(context: &Context<'_>, mistakes: &[Mistake]) -> String {
    let mut text = "The code in your answer does not fit the sources:\n".to_owned();
    let mut owners: Vec<&Mistake> = Vec::new();
    for name in mistakes.iter().take(MAX_MISTAKES) {
        let _ = writeln!(text, "- line {}: {}", name.line, name.words());
        let is_known = |other: &&Mistake| other.definition.is_some() && other.definition == name.definition;
        if !owners.iter().any(is_known) {
            owners.push(name);
        }
    }
    text += "\nThis is what the sources have:\n<tool_result tool=\"code_check\">\n";
    for owner in owners {
        text += &signature(context, owner, SIGNATURE).replace("</tool_result", "<\\/tool_result");
    }
    text + "</tool_result>\n\nWrite the whole answer again, only with names and parameters that exist."
}

/// The answer with a line for each mistake: below the block of code that has it, or below the line of inline code.
pub(super) fn marked(answer: &str, mistakes: &[Mistake]) -> String {
    let mut marked = String::with_capacity(answer.len());
    let mut waiting = mistakes.iter().peekable();
    for ((number, line), kind) in (1..).zip(answer.split_inclusive('\n')).zip(markdown_lines(answer)) {
        marked += line;
        let is_in_block = matches!(kind, MarkdownLine::Opening(_) | MarkdownLine::Code(_));
        while let Some(name) = waiting.next_if(|name| !is_in_block && name.line <= number) {
            mark(&mut marked, name);
        }
    }
    waiting.for_each(|name| mark(&mut marked, name));
    marked
}

fn mark(text: &mut String, name: &Mistake) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let _ = writeln!(text, "(wrong by the sources: {})", name.words());
}
