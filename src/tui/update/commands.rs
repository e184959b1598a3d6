//! Handles keys, pasted text and the commands that keys, buttons and the palette run.

use super::{
    agents, ask, browse, complain, delivery, filter, finder, first_call, history, index, origins, overlay, page,
    profile, settings, toast, tuning,
};
use crate::tui::{
    arrangement::Axis,
    command::{Command, CommandContext},
    effect::Effect,
    input::KeyPress,
    layout,
    model::{AwaitedLetter, Model, Overlay, Picker, TextKind, TextOverlay, Tone},
};

/// Handles a key: runs its command, or inserts its character into the text field.
pub(super) fn press(model: &mut Model, key: KeyPress, effects: &mut Vec<Effect>) {
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
pub(super) fn run_clicked(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match (model.editing, command.entry().context) {
        (_, CommandContext::Typing) if page::typing(model).is_some() => page::type_command(model, command),
        (_, CommandContext::Typing) if ask::is_typing(model) => ask::type_command(model, command, effects),
        (Some(pane), CommandContext::Typing) => filter::run(model, pane, command),
        (_, CommandContext::Typing) => {}
        _ => run(model, command, effects),
    }
}

/// Runs a command of the panes or of the open page.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
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
pub(super) fn apply_theme(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    match model.themes.load(name) {
        Ok((theme, complaints)) => {
            model.theme = theme;
            complain(model, complaints.iter().map(ToString::to_string).collect(), effects);
        }
        Err(why) => toast(model, Tone::Error, why.to_string(), effects),
    }
}

/// Inserts pasted text where text is being typed.
pub(super) fn paste(model: &mut Model, text: &str) {
    let line: String = text.chars().filter(|c| !c.is_control()).collect();
    if model.overlay.is_some() {
        overlay::insert(model, &line);
    } else if let Some(page) = page::typing(model) {
        page.filter.input.insert(&line);
    } else if ask::is_typing(model) {
        model.ask.input.insert(&line);
    } else if let Some(pane) = model.editing {
        filter::insert(model, pane, &line);
    }
}
