//! The prompt for a profile's name, with the command lines that replay and check the profile.

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Position},
};

use super::{clear, header::fitting, typed};
use crate::tui::{
    command::Command,
    layout,
    model::{Model, SavePrompt, Saving},
    widgets::{Border, RowPainter, wrap},
};

pub(super) fn draw(model: &Model, prompt: &SavePrompt, buffer: &mut Buffer) -> Position {
    let roles = &model.theme.roles;
    let key = |command| model.keymap.first(command).unwrap_or_default();
    let frame = layout::save_prompt(model);
    clear(model, frame, buffer);
    Border { line: roles.border_focused, background: roles.background }.draw(frame, buffer);
    let mut top = Border::top(frame, buffer);
    top.right(&format!(" {} closes ", key(Command::Cancel)), roles.dim);
    let scope = model.subject_name().map_or(String::new(), |name| format!(" of {name}"));
    let titles = [format!(" Save a profile{scope} under the name "), format!(" Save a profile{scope} ")];
    let title = fitting(&titles, usize::from(top.room()));
    top.left(if title.is_empty() { &titles[1] } else { title }, roles.title_focused);
    let body = frame.inner(Margin::new(2, 1));
    let cursor = typed(&mut RowPainter::new(buffer, body, 0), &prompt.input, roles.text);
    let enter = key(Command::Accept);
    let (text, style) = match &prompt.state {
        Saving::Typing => (format!("{enter} saves strategy, number, weights, pins and bans"), roles.dim),
        Saving::Refused(why) => (why.clone(), roles.error),
        Saving::Exists(path) => (format!("{path} is there already; {enter} replaces it"), roles.error),
        Saving::Done(path) => (format!("saved as {path}"), roles.success),
    };
    RowPainter::new(buffer, body, 1).left(&text, style);
    RowPainter::new(buffer, body, 3).left("replayed to the byte, and checked:", roles.dim);
    let room = usize::from(body.width);
    let commands = model.profile_commands();
    let lines = commands.iter().flat_map(|command| wrap(command, room));
    for (line, text) in (4..).zip(lines) {
        RowPainter::new(buffer, body, line).left(&text, roles.text);
    }
    cursor
}
