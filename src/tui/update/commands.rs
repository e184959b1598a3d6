//! Handles keys, pasted text and the commands that keys, buttons and the palette run.

use super::{
    agents, ask, browse, complain, filter, finder, history, index, ledger, origins, overlay, packages, page, profile,
    settings, toast, tuning, upgrade,
};
use crate::tui::{
    arrangement::Axis,
    command::{Command, CommandContext},
    effect::Effect,
    input::KeyPress,
    layout,
    model::{AwaitedLetter, Front, Model, Overlay, Picker, TextKind, TextOverlay, Tone},
};
use apidisc::source::Origin;

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

/// Runs a command. Each command has one owner, which its arm calls.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match command {
        // What is in front moves in its own rows, and acts on its own selection.
        Command::Up
        | Command::Down
        | Command::Left
        | Command::Right
        | Command::NextPane
        | Command::PreviousPane
        | Command::PageUp
        | Command::PageDown
        | Command::First
        | Command::Last
        | Command::Toggle
        | Command::Enter
        | Command::Page
        | Command::Calls
        | Command::Recipes
        | Command::Order
        | Command::Filter
        | Command::Clear
        | Command::Private
        | Command::Pin
        | Command::Ban
        | Command::Copy
        | Command::CopyCall
        | Command::Write
        | Command::Edit
        | Command::Stop
        | Command::Quit => run_in_front(model, command, effects),
        Command::Back => history::back(model, effects),
        Command::Forward => history::forward(model, effects),
        Command::Packages => packages::turn_over(model, effects),
        Command::Upgrade => upgrade::ask(model, effects),
        Command::NextBreak => upgrade::next(model, effects),
        Command::Mark => model.awaited_letter = Some(AwaitedLetter::Mark),
        Command::Jump => model.awaited_letter = Some(AwaitedLetter::Jump),
        Command::Find => finder::open(model),
        Command::Ask => ask::open(model, effects),
        Command::Agents => agents::toggle(model),
        Command::Tune => tuning::toggle(model, effects),
        Command::Knee => tuning::set_knee_budget(model, effects),
        Command::Compare => tuning::choose_baseline(model, effects),
        Command::SaveProfile => profile::open(model, effects),
        Command::NextStrategy => model.settings.cycle_strategy(true),
        Command::PreviousStrategy => model.settings.cycle_strategy(false),
        Command::Raise => settings::notch(model, true, false, effects),
        Command::Lower => settings::notch(model, false, false, effects),
        Command::RaiseFar => settings::notch(model, true, true, effects),
        Command::LowerFar => settings::notch(model, false, true, effects),
        Command::NextWording => model.settings.wording = model.settings.wording.next(),
        Command::Readable => model.is_stub_readable ^= true,
        Command::NoQuestion => model.overrides = std::mem::take(&mut model.overrides).with_question(None),
        Command::NextDocs => model.settings.docs = model.settings.docs.next(),
        Command::NextEncoding => model.settings.cycle_encoding(),
        Command::Origins => origins::open(model),
        Command::CountSrc => origins::switch_origin(model, Origin::Src, effects),
        Command::CountTests => origins::switch_origin(model, Origin::Tests, effects),
        Command::CountExamples => origins::switch_origin(model, Origin::Examples, effects),
        Command::CountDocs => origins::switch_origin(model, Origin::Docs, effects),
        Command::Reindex => index::reindex(model, effects),
        Command::Around => index::switch_around(model, effects),
        Command::Help => open_text(model, TextKind::Help),
        Command::Ledger => ledger::open(model, effects),
        Command::Legend => open_text(model, TextKind::Legend),
        Command::Problems => open_text(model, TextKind::Problems),
        Command::Palette => {
            model.overlay = Some(Overlay::Picker(Picker::commands(model)));
            effects.push(Effect::ReadProfiles);
        }
        Command::NextTheme => next_theme(model, effects),
        Command::Themes => model.overlay = Some(Overlay::Picker(Picker::themes(&model.themes, &model.theme))),
        Command::Zoom => match &mut model.page {
            Some(page) => page.source_view.is_zoomed ^= !page.subject.area(model.size).detail.is_empty(),
            None => model.arrangement.is_zoomed = !model.arrangement.is_zoomed,
        },
        Command::Wrap => model.wraps_source ^= true,
        Command::Wider => resize(model, Axis::Width, true),
        Command::Narrower => resize(model, Axis::Width, false),
        Command::Taller => resize(model, Axis::Height, true),
        Command::Shorter => resize(model, Axis::Height, false),
        Command::ResetPanes => model.arrangement.reset(),
        Command::Forget => settings::forget(model, effects),
        Command::Mouse => toggle_mouse(model, effects),
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Interrupt => effects.push(Effect::Quit),
        // The text fields run these while text is typed.
        Command::Accept
        | Command::Cancel
        | Command::NextMatch
        | Command::PreviousMatch
        | Command::NextMatches
        | Command::PreviousMatches => {}
    }
}

/// Runs a command on what is in front.
fn run_in_front(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match model.front() {
        Front::Panes => browse::run(model, command, effects),
        Front::Page => page::run(model, command, effects),
        Front::Agents => agents::run(model, command, effects),
        Front::Ask => ask::run(model, command, effects),
        Front::Tuning => tuning::run(model, command, effects),
    }
}

fn open_text(model: &mut Model, kind: TextKind) {
    model.overlay = Some(Overlay::Text(TextOverlay::new(kind)));
}

/// Gives the mouse to the terminal, or takes it back.
fn toggle_mouse(model: &mut Model, effects: &mut Vec<Effect>) {
    model.is_mouse_captured = !model.is_mouse_captured;
    let back = model.keymap.first(Command::Mouse).map_or(String::new(), |key| format!("; {key} takes it back"));
    let what = if model.is_mouse_captured {
        "the mouse is for the panes".to_owned()
    } else {
        format!("the mouse selects text{back}")
    };
    toast(model, Tone::Note, what, effects);
}

fn resize(model: &mut Model, axis: Axis, is_larger: bool) {
    if let Some(areas) = layout::areas(model) {
        model.arrangement.resize(&areas.frames, model.focus, axis, is_larger);
    }
}

fn next_theme(model: &mut Model, effects: &mut Vec<Effect>) {
    let next = model.themes.after(&model.theme.name);
    apply_theme(model, &next, effects);
    model.chosen_theme = Some(next.clone());
    toast(model, Tone::Note, format!("theme {next}"), effects);
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
