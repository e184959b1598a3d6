//! The reducer: applies a message to the model, and returns the work for the runtime as effects. It performs no input
//! or output and reads no clock.

mod agents;
mod api;
mod ask;
mod browse;
mod commands;
mod delivery;
mod filter;
mod finder;
mod first_call;
mod history;
mod index;
mod ledger;
mod mouse;
mod origins;
mod overlay;
mod packages;
mod page;
mod picker;
mod profile;
mod reconcile;
mod reveal;
mod settings;
mod start;
mod text_overlay;
mod tuning;
mod upgrade;

use super::{
    command::Command,
    effect::Effect,
    geometry::ScreenSize,
    input::{Mouse, MouseAction},
    jobs::Answer,
    message::Message,
    model::{ExhaustiveSize, Model, Toast, Tone},
};

/// Applies a message, then the keys that waited for it; returns the effects.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    process(model, message, &mut effects);
    while let Some(key) = model.pending_keys.pop_front() {
        process(model, Message::Key(key), &mut effects);
    }
    effects
}

/// Applies one message, then updates everything that depends on the change.
fn process(model: &mut Model, message: Message, effects: &mut Vec<Effect>) {
    apply(model, message, effects);
    reconcile::reconcile(model, effects);
    delivery::refresh_write_prompt(model);
    delivery::run_deferred(model, effects);
}

fn apply(model: &mut Model, message: Message, effects: &mut Vec<Effect>) {
    // After the first action of the user, the location of the last session is no longer restored.
    if let Message::Key(_)
    | Message::Paste(_)
    | Message::Mouse(Mouse { action: MouseAction::Press | MouseAction::DoublePress, .. }) = message
    {
        model.resume = None;
    }
    match message {
        Message::Key(key) => commands::press(model, key, effects),
        Message::Paste(text) => commands::paste(model, &text),
        Message::Mouse(mouse) => mouse::mouse(model, mouse, effects),
        Message::Resize(columns, rows) => model.size = ScreenSize { columns, rows },
        progress @ (Message::Fetching(_)
        | Message::Walked(_)
        | Message::Parsed { .. }
        | Message::Linking
        | Message::Stopped { .. }
        | Message::Unchanged) => index::progressed(model, progress, effects),
        Message::FilesReread { files, gone } => index::reread(model, files, gone, effects),
        Message::NotWatched(why) => {
            let again =
                model.keymap.first(Command::Reindex).map_or(String::new(), |key| format!("; {key} reads them again"));
            toast(model, Tone::Error, format!("changes of files are not noticed: {why}{again}"), effects);
        }
        Message::Indexed(catalog) => index::indexed(model, catalog, effects),
        Message::PackagesRead(read) => packages::read(model, read, effects),
        Message::Explained { ticket, result } => ledger::explained(model, ticket, result),
        Message::VersionsListed { typed, places } => upgrade::listed(model, &typed, places),
        Message::UpgradeRead { question, read } => upgrade::read(model, &question, read, effects),
        Message::NotIndexed(why) => index::not_indexed(model, why),
        Message::Answered(answer) => answered(model, answer, effects),
        Message::DocumentsRead(documents) => api::read(model, documents, effects),
        Message::DocumentsChanged => api::request_again(model, effects),
        Message::DocumentsNotRead(why) => api::not_read(model, &why, effects),
        Message::ProfilesRead(profiles) => profile::read(model, profiles),
        Message::Saved { name, outcome } => profile::saved(model, &name, outcome),
        Message::RequestsRead { news, now } => agents::read(model, news, now),
        Message::Ask(news) => ask::news(model, news, effects),
        Message::Copied { description, result } => delivery::copied(model, &description, result, effects),
        Message::Written { path, outcome } => delivery::written(model, &path, outcome, effects),
        Message::Edited(result) => {
            if let Err(why) = result {
                toast(model, Tone::Error, why, effects);
            }
        }
        Message::ToastExpired(ticket) => model.toast = model.toast.take().filter(|toast| toast.ticket != ticket),
        Message::Complaints(complaints) => complain(model, complaints, effects),
        Message::WorkerFailed(what) => {
            toast(model, Tone::Error, format!("a bug of apidisc-tui: {what}"), effects);
        }
    }
}

/// Takes over an answer of a background job. An answer to a request that a newer one has replaced is dropped.
fn answered(model: &mut Model, answer: Answer, effects: &mut Vec<Effect>) {
    match answer {
        Answer::Delivered { ticket, request, result } => delivery::delivered(model, ticket, request, result),
        Answer::Measured { generation, scope, encoding, tokens } => {
            model.preview.exhaustive = Some(ExhaustiveSize { generation, scope, encoding, tokens });
        }
        Answer::Counted { ticket, result } => origins::counted(model, ticket, result, effects),
        answer @ (Answer::Traced { .. }
        | Answer::NeighboursPriced { .. }
        | Answer::Compared { .. }
        | Answer::HeldOut { .. }) => tuning::answered(model, answer),
        Answer::Matched { pane, ticket, matches } => filter::matched(model, pane, ticket, matches),
        Answer::Found { ticket, hits, is_complete } => finder::found(model, ticket, hits, is_complete, effects),
        Answer::FoundByMeaning { ticket, hits } => finder::found_by_meaning(model, ticket, hits),
        Answer::PartDelivered { ticket, request, result } => api::delivered(model, ticket, request, result),
        Answer::ArgumentsRead { ticket, arguments } => api::arguments_read(model, ticket, &arguments),
        Answer::Highlighted { ticket, first, lines } => delivery::highlighted(model, ticket, first, lines),
        Answer::ExcerptRead { ticket, result } => page::excerpt_read(model, ticket, result),
        Answer::FilesDated { ticket, changed, beyond_limit } => {
            page::files_dated(model, ticket, changed, beyond_limit);
        }
        Answer::CardRead { ticket, card } => first_call::card_read(model, ticket, *card, effects),
        Answer::OverviewRead { ticket, text } => start::read(model, ticket, text),
        Answer::CallsCounted { ticket, rows } => ledger::counted(model, ticket, rows),
        Answer::CallsRead { generation, call_lines } => model.call_lines.insert(generation, call_lines),
    }
}

/// Shows the first complaint, and keeps all of them.
fn complain(model: &mut Model, complaints: Vec<String>, effects: &mut Vec<Effect>) {
    let more = match complaints.len() {
        0 | 1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    if let Some(first) = complaints.first() {
        toast(model, Tone::Error, format!("{first}{more}"), effects);
    }
    model.complaints = complaints;
}

/// Shows a message in the footer until it expires.
fn toast(model: &mut Model, tone: Tone, text: String, effects: &mut Vec<Effect>) {
    let ticket = model.next_ticket();
    model.toast = Some(Toast { text, tone, ticket });
    effects.push(Effect::ExpireToast(ticket));
}
