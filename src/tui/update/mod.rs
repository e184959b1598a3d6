//! The reducer: applies a message to the model, and returns the work for the runtime as effects. It performs no input
//! or output and reads no clock.

mod agents;
mod api;
mod ask;
mod browse;
mod delivery;
mod filter;
mod finder;
mod first_call;
mod history;
mod index;
mod mouse;
mod origins;
mod overlay;
mod page;
mod picker;
mod profile;
mod reconcile;
mod reveal;
mod settings;
mod text_overlay;
mod tuning;

use std::time::Duration;

use super::{
    arrangement::Axis,
    command::{Command, CommandContext},
    effect::Effect,
    geometry::{self, ScreenSize},
    input::{KeyPress, Mouse, MouseAction},
    layout,
    message::Message,
    model::{
        AwaitedLetter, ExhaustiveSize, IndexingState, Model, Overlay, Picker, TextKind, TextOverlay, Toast, Tone,
        tuning::Tuning,
    },
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
    // After the first action of the user, the location of the last session is not restored any more.
    if let Message::Key(_)
    | Message::Paste(_)
    | Message::Mouse(Mouse { action: MouseAction::Press | MouseAction::DoublePress, .. }) = message
    {
        model.resume = None;
    }
    match message {
        Message::Key(key) => press(model, key, effects),
        Message::Paste(text) => paste(model, &text),
        Message::Mouse(mouse) => mouse::mouse(model, mouse, effects),
        Message::Resize(columns, rows) => model.size = ScreenSize { columns, rows },
        Message::Fetching(progress) => model.fetching = progress,
        Message::Walked(total) => {
            model.indexing = IndexingState::Parsing {
                done: 0,
                total,
                calls: 0,
                share: 0.0,
                elapsed: Duration::ZERO,
                is_linking: false,
            };
        }
        Message::Parsed { done, total, calls, share, elapsed } => {
            model.indexing = IndexingState::Parsing { done, total, calls, share, elapsed, is_linking: false };
        }
        Message::Linking => {
            if let IndexingState::Parsing { is_linking, .. } = &mut model.indexing {
                *is_linking = true;
            }
        }
        Message::Stopped { done, total } => model.indexing = IndexingState::Stopped { done, total },
        Message::Unchanged => {
            model.indexing = IndexingState::Done;
            api::request_again(model, effects);
        }
        Message::FilesReread { files, gone } => index::reread(model, files, gone, effects),
        Message::NotWatched(why) => {
            let again =
                model.keymap.first(Command::Reindex).map_or(String::new(), |key| format!("; {key} reads them again"));
            toast(model, Tone::Error, format!("changes of files are not noticed: {why}{again}"), effects);
        }
        Message::Indexed(catalog) => index::indexed(model, catalog, effects),
        Message::Counted { ticket, result } => origins::counted(model, ticket, result, effects),
        Message::NotIndexed(why) => index::not_indexed(model, why),
        Message::Matched { pane, ticket, matches } => filter::matched(model, pane, ticket, matches),
        Message::FoundByMeaning { ticket, hits } => finder::found_by_meaning(model, ticket, hits),
        Message::Found { ticket, hits, is_complete } => finder::found(model, ticket, hits, is_complete),
        Message::Delivered { ticket, request, result } => delivery::delivered(model, ticket, request, result),
        Message::DocumentsRead(documents) => api::read(model, documents, effects),
        Message::DocumentsChanged => api::request_again(model, effects),
        Message::DocumentsNotRead(why) => api::not_read(model, &why, effects),
        Message::PartDelivered { ticket, request, result } => api::delivered(model, ticket, request, result),
        Message::ArgumentsRead { ticket, arguments } => api::arguments_read(model, ticket, &arguments),
        Message::Measured { generation, scope, encoding, tokens } => {
            model.preview.exhaustive = Some(ExhaustiveSize { generation, scope, encoding, tokens });
        }
        Message::Traced { ticket, curve } => pass_to_tuning(model, |tuning| tuning.curve.accept(ticket, curve)),
        Message::NeighboursPriced { ticket, neighbours } => {
            pass_to_tuning(model, |tuning| tuning.neighbours.accept(ticket, *neighbours));
        }
        Message::Compared { ticket, comparison } => {
            let is_beside = geometry::tuning(model.size).is_beside;
            pass_to_tuning(model, |tuning| {
                tuning.compared(ticket, comparison.map(|comparison| *comparison), is_beside)
            });
        }
        Message::HeldOut { ticket, held_out } => {
            pass_to_tuning(model, |tuning| tuning.held_out.accept(ticket, held_out));
        }
        Message::ProfilesRead(profiles) => profile::read(model, profiles),
        Message::Saved { name, outcome } => profile::saved(model, &name, outcome),
        Message::Highlighted { ticket, first, lines } => delivery::highlighted(model, ticket, first, lines),
        Message::ExcerptRead { ticket, result } => page::excerpt_read(model, ticket, result),
        Message::CardRead { ticket, card } => first_call::card_read(model, ticket, *card, effects),
        Message::CallsRead { generation, call_lines } => model.call_lines.insert(generation, call_lines),
        Message::FilesDated { ticket, changed, beyond_limit } => {
            page::files_dated(model, ticket, changed, beyond_limit);
        }
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

/// Passes an answer to the tuning page, if the page is still open.
fn pass_to_tuning(model: &mut Model, take: impl FnOnce(&mut Tuning) -> bool) {
    if let Some(tuning) = &mut model.tuning {
        take(tuning);
    }
}

fn press(model: &mut Model, key: KeyPress, effects: &mut Vec<Effect>) {
    if let Some(command) = model.keymap.lookup(CommandContext::Everywhere, key) {
        run(model, command, effects);
    } else if let Some(awaits) = model.awaited_letter.take() {
        history::handle_letter(model, awaits, key, effects);
    } else if model.overlay.is_some() {
        overlay::press(model, key, effects);
    } else if page::typing(model).is_some() {
        page::type_key(model, key);
    } else if ask::is_typing(model) {
        ask::type_key(model, key, effects);
    } else if let Some(pane) = model.editing {
        filter::press(model, pane, key);
    } else if let Some(command) = model.keymap.lookup(CommandContext::Browse, key) {
        run(model, command, effects);
    }
}

/// Runs the command of a clicked button. A command of [`CommandContext::Typing`] applies to the filter that is being
/// typed; if there is none, the click does nothing.
fn run_clicked(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match (model.editing, command.entry().context) {
        (_, CommandContext::Typing) if page::typing(model).is_some() => page::type_command(model, command),
        (_, CommandContext::Typing) if ask::is_typing(model) => ask::type_command(model, command, effects),
        (Some(pane), CommandContext::Typing) => filter::run(model, pane, command),
        (_, CommandContext::Typing) => {}
        _ => run(model, command, effects),
    }
}

/// Runs a command of the panes or of the open page.
fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    if page::run(model, command, effects)
        || tuning::run(model, command, effects)
        || agents::run(model, command, effects)
        || ask::run(model, command, effects)
    {
        return;
    }
    match command {
        Command::Quit | Command::Interrupt => effects.push(Effect::Quit),
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Help => model.overlay = Some(Overlay::Text(TextOverlay::new(TextKind::Help))),
        Command::Ledger => model.overlay = Some(Overlay::Text(TextOverlay::new(TextKind::Ledger))),
        Command::Palette => {
            model.overlay = Some(Overlay::Picker(Picker::commands(model)));
            effects.push(Effect::ReadProfiles);
        }
        Command::Tune | Command::Compare | Command::SaveProfile if model.part().is_some() => {
            toast(model, Tone::Note, "that is for stubs of code; select a module of code".to_owned(), effects);
        }
        Command::Compare => tuning::choose_baseline(model, effects),
        Command::NextTheme => {
            let next = model.themes.after(&model.theme.name);
            apply_theme(model, &next, effects);
            model.chosen_theme = Some(next.clone());
            toast(model, Tone::Note, format!("theme {next}"), effects);
        }
        Command::Themes => model.overlay = Some(Overlay::Picker(Picker::themes(&model.themes, &model.theme))),
        Command::Find => finder::open(model),
        Command::Ask => ask::open(model, effects),
        Command::Page => page::open_selected(model),
        Command::Recipes | Command::Calls => page::open_related(model, command),
        Command::Tune => tuning::open(model),
        Command::Agents => agents::open(model),
        Command::Knee => toast(model, Tone::Note, "the knee is on the tuning page".to_owned(), effects),
        Command::SaveProfile => profile::open(model),
        Command::Back => history::back(model),
        Command::Forward => history::forward(model),
        Command::Mark => model.awaited_letter = Some(AwaitedLetter::Mark),
        Command::Jump => model.awaited_letter = Some(AwaitedLetter::Jump),
        Command::Zoom => model.arrangement.is_zoomed = !model.arrangement.is_zoomed,
        Command::Wider => resize(model, Axis::Width, true),
        Command::Narrower => resize(model, Axis::Width, false),
        Command::Taller => resize(model, Axis::Height, true),
        Command::Shorter => resize(model, Axis::Height, false),
        Command::ResetPanes => model.arrangement.reset(),
        Command::Mouse => {
            model.is_mouse_captured = !model.is_mouse_captured;
            effects.push(Effect::CaptureMouse(model.is_mouse_captured));
            let back = model.keymap.first(Command::Mouse).map_or(String::new(), |key| format!("; {key} takes it back"));
            let what = if model.is_mouse_captured {
                "the mouse is for the panes".to_owned()
            } else {
                format!("the mouse selects text{back}")
            };
            toast(model, Tone::Note, what, effects);
        }
        Command::Filter => filter::begin(model),
        Command::Clear if !model.filter(model.focus).is_on() && index::is_busy(model) => {
            effects.push(Effect::StopIndexing);
        }
        Command::Clear => filter::clear(model, model.focus),
        Command::Reindex | Command::Stop => index::run(model, command, effects),
        Command::Legend => model.overlay = Some(Overlay::Text(TextOverlay::new(TextKind::Legend))),
        Command::Problems => model.overlay = Some(Overlay::Text(TextOverlay::new(TextKind::Problems))),
        Command::NextStrategy
        | Command::PreviousStrategy
        | Command::Raise
        | Command::Lower
        | Command::RaiseFar
        | Command::LowerFar
        | Command::NextWording
        | Command::NextDocs
        | Command::NextEncoding
        | Command::Pin
        | Command::Ban
        | Command::Private => settings::run(model, command, effects),
        Command::Origins | Command::CountSrc | Command::CountTests | Command::CountExamples | Command::CountDocs => {
            origins::run(model, command, effects);
        }
        Command::Copy | Command::Write | Command::Edit => delivery::run(model, command, effects),
        Command::CopyCall => first_call::copy(model, effects),
        Command::Accept
        | Command::Cancel
        | Command::NextMatch
        | Command::PreviousMatch
        | Command::NextMatches
        | Command::PreviousMatches => {}
        _ => browse::run(model, command),
    }
}

fn resize(model: &mut Model, axis: Axis, is_larger: bool) {
    if let Some(areas) = layout::areas(model) {
        model.arrangement.resize(&areas.frames, model.focus, axis, is_larger);
    }
}

/// Applies a theme; reports a mistake in a user's theme.
fn apply_theme(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    match model.themes.load(name) {
        Ok((theme, complaints)) => {
            model.theme = theme;
            complain(model, complaints.iter().map(ToString::to_string).collect(), effects);
        }
        Err(why) => toast(model, Tone::Error, why.to_string(), effects),
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

fn paste(model: &mut Model, text: &str) {
    let line: String = text.chars().filter(|c| !c.is_control()).collect();
    if model.overlay.is_some() {
        overlay::insert(model, &line);
    } else if let Some(page) = page::typing(model) {
        page::insert(page, &line);
    } else if ask::is_typing(model) {
        ask::insert(model, &line);
    } else if let Some(pane) = model.editing {
        filter::insert(model, pane, &line);
    }
}

/// Shows a message in the footer until it expires.
fn toast(model: &mut Model, tone: Tone, text: String, effects: &mut Vec<Effect>) {
    let ticket = model.next_ticket();
    model.toast = Some(Toast { text, tone, ticket });
    effects.push(Effect::ExpireToast(ticket));
}
