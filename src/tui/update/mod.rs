//! What a message does to the model. No input, output or clock: work outside is returned as effects.

mod browse;
mod filter;
mod index;
mod mouse;
mod overlay;
mod reconcile;
mod take;
mod tune;

use super::{
    command::{Command, Context, lookup},
    effect::Effect,
    input::Key,
    layout::Size,
    message::Message,
    model::{Exhaustive, Model, Overlay, Page, Toast, Tone},
};

/// Changes the model and says what else has to be done.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    apply(model, message, &mut effects);
    reconcile::reconcile(model, &mut effects);
    take::follow(model);
    take::finish(model, &mut effects);
    effects
}

fn apply(model: &mut Model, message: Message, effects: &mut Vec<Effect>) {
    match message {
        Message::Key(key) => press(model, key, effects),
        Message::Paste(text) => paste(model, &text),
        Message::Mouse(mouse) => mouse::mouse(model, mouse),
        Message::Resize(columns, rows) => model.size = Size { columns, rows },
        Message::Walked(files) => index::parsed(model, 0, files, 0),
        Message::Parsed { done, total, calls } => index::parsed(model, done, total, calls),
        Message::Indexed(catalog) => index::indexed(model, &catalog, effects),
        Message::NotIndexed(why) => index::not_indexed(model, why),
        Message::Matched { pane, ticket, matches } => filter::matched(model, pane, ticket, matches),
        Message::Delivered { ticket, request, result } => take::delivered(model, ticket, request, result),
        Message::Measured { generation, scope, encoding, tokens } => {
            model.preview.exhaustive = Some(Exhaustive { generation, scope, encoding, tokens });
        }
        Message::Highlighted { ticket, first, lines } => take::highlighted(model, ticket, first, lines),
        Message::Copied { tokens, result } => take::copied(model, tokens, result, effects),
        Message::Written { path, outcome } => take::written(model, &path, outcome, effects),
        Message::Edited(result) => {
            if let Err(why) = result {
                toast(model, Tone::Error, why, effects);
            }
        }
        Message::ToastExpired(ticket) => model.toast = model.toast.take().filter(|toast| toast.ticket != ticket),
        Message::WorkerFailed(what) => {
            toast(model, Tone::Error, format!("a bug of apidisc-tui: {what}"), effects);
        }
    }
}

fn press(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    if lookup(Context::Everywhere, key) == Some(Command::Interrupt) {
        effects.push(Effect::Quit);
    } else if model.overlay.is_some() {
        overlay::press(model, key, effects);
    } else if let Some(pane) = model.editing {
        filter::press(model, pane, key);
    } else if let Some(command) = lookup(Context::Browse, key) {
        run(model, command, effects);
    }
}

/// Does what a command says in the panes.
fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Quit | Command::Interrupt => effects.push(Effect::Quit),
        Command::Help => model.overlay = Some(Overlay::Page { page: Page::Help, line: 0 }),
        Command::Ledger => model.overlay = Some(Overlay::Page { page: Page::Ledger, line: 0 }),
        Command::NextTheme => {
            model.theme = model.theme.next();
            toast(model, Tone::Note, format!("theme {}", model.theme.name), effects);
        }
        Command::Filter => filter::begin(model),
        Command::Clear => filter::clear(model, model.focus),
        Command::NextStrategy
        | Command::PreviousStrategy
        | Command::Raise
        | Command::Lower
        | Command::RaiseFar
        | Command::LowerFar
        | Command::NextEncoding
        | Command::Private => tune::run(model, command, effects),
        Command::Copy | Command::Write | Command::Edit => take::run(model, command, effects),
        Command::AcceptFilter | Command::CancelFilter | Command::NextMatch | Command::PreviousMatch => {}
        _ => browse::run(model, command, effects),
    }
}

fn paste(model: &mut Model, text: &str) {
    let line: String = text.chars().filter(|c| !c.is_control()).collect();
    if let Some(Overlay::Write(prompt)) = &mut model.overlay {
        overlay::insert(prompt, &line);
    } else if let Some(pane) = model.editing {
        filter::insert(model, pane, &line);
    }
}

/// Says something in the footer for a while.
fn toast(model: &mut Model, tone: Tone, text: String, effects: &mut Vec<Effect>) {
    let ticket = model.next_ticket();
    model.toast = Some(Toast { text, tone, ticket });
    effects.push(Effect::Expire(ticket));
}
