//! The page of questions: typing, asking, stopping, following the answer, going to its sources.

use std::sync::Arc;

use tui_input::InputRequest;

use super::{filter::edit_request, history, page, toast};
use crate::tui::{
    command::{Command, CommandContext},
    effect::{AskRequest, Effect},
    geometry,
    input::KeyPress,
    jobs::AskJob,
    model::{
        Front, Model, Tone, Topic,
        ask::{
            Answered, AskNews, AskPage, AskRowBody, Conversation, Turn, definition_at, file_and_line, markdown, name_of,
        },
        page::PageSubject,
    },
};
use apidisc::unprintable::escaped_line;

/// The greatest length of an answer on the page, in bytes. The rest of a longer answer is not shown.
const MAX_ANSWER: usize = 1 << 20;

/// Opens the page to ask about the selected row. If the page is in front, begins a new conversation about the same
/// subject, unless a question is being answered.
pub(super) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.front() == Front::Ask {
        if model.ask.running.is_none() {
            model.ask.begin_anew();
            effects.push(Effect::Ask(AskRequest::List));
        }
        return;
    }
    let about = selected(model);
    if let Some(catalog) = model.catalog.clone() {
        history::record_present(model, &catalog);
    }
    (model.page, model.tuning, model.agents) = (None, None, None);
    let ask = &mut model.ask;
    ask.about = about;
    ask.is_open = true;
    ask.is_typing = ask.running.is_none();
    if ask.conversation.turns.is_empty() {
        effects.push(Effect::Ask(AskRequest::List));
    }
}

/// The name of the selection: on a page its topic, else the selected row of the panes.
fn selected(model: &Model) -> String {
    let Some(catalog) = &model.catalog else { return String::new() };
    let of_page = model.page.as_ref().map(|page| page.subject.topic());
    let of_panes = || page::selected(model).or_else(|| model.scope().map(Topic::from));
    of_page.or_else(of_panes).map_or(String::new(), |topic| escaped_line(&name_of(catalog, topic)).into())
}

/// True while a question is typed.
pub(super) fn is_typing(model: &Model) -> bool {
    model.ask.is_open && model.page.is_none() && model.ask.is_typing
}

/// Handles a key while a question is typed.
pub(super) fn type_key(model: &mut Model, key: KeyPress, effects: &mut Vec<Effect>) {
    if let Some(command) = model.keymap.lookup(CommandContext::Typing, key) {
        return type_command(model, command, effects);
    }
    let Some(request) = edit_request(key) else { return };
    let ask = &mut model.ask;
    if ask.input.value().is_empty() && request == InputRequest::DeletePrevChar {
        // The question is about the whole repository.
        ask.about.clear();
    } else {
        ask.input.handle(request);
    }
}

/// Runs a command while a question is typed.
pub(super) fn type_command(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let screenful = screenful(model);
    let ask = &mut model.ask;
    match command {
        Command::Accept if ask.input.value().trim().is_empty() => {
            ask.is_typing = ask.rows.is_empty();
            if ask.is_chosen && (ask.selected_past().is_some() || ask.selected_source().is_some()) {
                follow(model, effects);
            }
        }
        Command::Accept => send(model, effects),
        Command::Cancel if ask.running.is_some() => effects.push(Effect::Ask(AskRequest::Stop)),
        Command::Cancel if !ask.input.value().is_empty() => ask.input.clear(),
        Command::Cancel if ask.conversation.turns.is_empty() => ask.is_open = false,
        Command::Cancel => ask.is_typing = false,
        Command::NextMatch => ask.step(1),
        Command::PreviousMatch => ask.step(-1),
        Command::NextMatches => ask.step(screenful),
        Command::PreviousMatches => ask.step(-screenful),
        _ => {}
    }
}

/// Sends the typed question.
fn send(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone().filter(|catalog| catalog.index.complete) else {
        return toast(model, Tone::Note, "questions can be asked once everything is indexed".to_owned(), effects);
    };
    if model.ask.running.is_some() {
        return toast(model, Tone::Note, "the last question is still being answered".to_owned(), effects);
    }
    let ticket = model.next_ticket();
    let ask = &mut model.ask;
    let question = escaped_line(ask.input.value().trim()).into_owned();
    ask.input.clear();
    ask.is_typing = false;
    ask.is_chosen = false;
    ask.is_stale = true;
    ask.running = Some(ticket);
    let (about, memory) = (ask.about.clone(), ask.memory.clone());
    let wants_context = !ask.has_context();
    let api = model.api.catalog.clone();
    let packages = model.packages.read().filter(|_| model.packages.code.is_none());
    let packages = packages.map(|used| Arc::clone(&used.catalog));
    ask.conversation.turns.push(Turn { question: question.clone(), about: about.clone(), ..Turn::default() });
    let job = AskJob { ticket, question, about, catalog, packages, api, memory, wants_context };
    effects.push(Effect::Ask(AskRequest::Run(job)));
}

/// Runs a command on the page, which is in front.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let screenful = screenful(model);
    let ask = &mut model.ask;
    match command {
        Command::Up => ask.step(-1),
        Command::Down => ask.step(1),
        Command::PageUp => ask.step(-screenful),
        Command::PageDown | Command::Toggle => ask.step(screenful),
        Command::First => ask.step(isize::MIN),
        Command::Last => ask.step(isize::MAX),
        Command::NextPane => ask.step_source(true),
        Command::PreviousPane => ask.step_source(false),
        Command::Enter | Command::Page | Command::Right => follow(model, effects),
        Command::Edit => edit(model, effects),
        Command::Filter => ask.is_typing = true,
        Command::Copy => copy(ask, effects),
        Command::Stop | Command::Clear | Command::Quit if ask.running.is_some() => {
            effects.push(Effect::Ask(AskRequest::Stop));
        }
        Command::Clear | Command::Quit | Command::Left => ask.is_open = false,
        // The other commands act on the panes, which the page covers.
        _ => {}
    }
}

fn screenful(model: &Model) -> isize {
    isize::try_from(geometry::ask(model.size).list.height.max(2) - 1).unwrap_or(1)
}

/// Goes to the selected source, or opens the selected conversation. On any other row, the next question is typed.
pub(super) fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(past) = model.ask.selected_past() {
        return effects.push(Effect::Ask(AskRequest::Open(past.started)));
    }
    let (Some(catalog), Some(source)) = (model.catalog.clone(), model.ask.selected_source()) else {
        model.ask.is_typing = true;
        return;
    };
    match definition_at(&catalog, &source.place) {
        Some(id) => {
            let turn = model.ask.selected().and_then(|row| model.ask.conversation.turns.get(row.turn));
            let question = turn.map(|turn| turn.question.clone());
            model.overrides = std::mem::take(&mut model.overrides).with_question(question.as_deref());
            page::open(model, &catalog, PageSubject::About(Topic::Definition(id)));
        }
        None => edit(model, effects),
    }
}

/// Opens the selected source in the editor.
fn edit(model: &mut Model, effects: &mut Vec<Effect>) {
    let (Some(catalog), Some(source)) = (model.catalog.clone(), model.ask.selected_source()) else { return };
    if let Some((file, line)) = file_and_line(&catalog, &source.place) {
        effects.push(Effect::Edit { catalog, file, line });
    } else {
        let why = format!("{} is not in the index", source.place);
        toast(model, Tone::Note, why, effects);
    }
}

/// Copies the selected block of code, or else the answer.
fn copy(ask: &AskPage, effects: &mut Vec<Effect>) {
    let row = ask.selected().filter(|_| ask.is_chosen);
    let turn = row.map_or_else(|| ask.last(), |row| ask.conversation.turns.get(row.turn));
    let Some(turn) = turn.filter(|turn| !turn.answer.is_empty()) else { return };
    let blocks = markdown::code_blocks(&turn.answer);
    let block = row.and_then(|row| match row.body {
        AskRowBody::Code { block, .. } => blocks.get(block),
        _ => None,
    });
    let (text, what) = match block {
        Some(block) => (block.lines.join("\n") + "\n", "the code"),
        None => (turn.answer.clone() + "\n", "the answer"),
    };
    effects.push(Effect::Copy { text, description: what.to_owned() });
}

/// Handles an event of the run, or of the list of conversations.
pub(super) fn news(model: &mut Model, news: AskNews, effects: &mut Vec<Effect>) {
    let ask = &mut model.ask;
    ask.is_stale = true;
    match news {
        AskNews::Prompted { ticket, number, tokens } => {
            if let Some(turn) = ask.running(ticket) {
                // A reply that is followed by another one is no answer.
                turn.answer.clear();
                ask.asked = Some((number, tokens));
            }
        }
        AskNews::Text { ticket, text } => {
            if let Some(turn) = ask.running(ticket).filter(|turn| turn.answer.len() + text.len() <= MAX_ANSWER) {
                turn.answer += &text;
            }
        }
        AskNews::TextDiscarded { ticket } => {
            if let Some(turn) = ask.running(ticket) {
                turn.answer.clear();
            }
        }
        AskNews::Called { ticket, step } => {
            if let Some(turn) = ask.running(ticket) {
                turn.steps.push(step);
            }
        }
        AskNews::Returned { ticket, tokens, error } => {
            if let Some(step) = ask.running(ticket).and_then(|turn| turn.steps.last_mut()) {
                (step.tokens, step.error) = (Some(tokens), error);
            }
        }
        AskNews::Answered { ticket, answered } => self::answered(model, ticket, *answered, effects),
        AskNews::Listed(past, now) => (ask.past, ask.now) = (past, now),
        AskNews::Opened(_) if !ask.conversation.turns.is_empty() => {}
        AskNews::Opened(Some(conversation)) => opened(ask, *conversation),
        AskNews::Opened(None) => toast(model, Tone::Note, "the conversation is not kept any more".to_owned(), effects),
    }
}

/// Ends the run, and keeps the conversation.
fn answered(model: &mut Model, ticket: u64, answered: Answered, effects: &mut Vec<Effect>) {
    let ask = &mut model.ask;
    let assistant = ask.assistant.clone();
    let Some(turn) = ask.running(ticket) else { return };
    let Answered { text, colours, sources, ending, time, tokens, memory } = answered;
    // If an answer was interrupted, the part that has arrived is kept: it is more useful than the context that
    // retrieval found.
    if ending.is_none() || turn.answer.is_empty() {
        (turn.answer, turn.colours, turn.sources) = (text, colours, sources);
    }
    turn.note = match (ending, assistant) {
        (Some(why), _) => why,
        (None, Some(name)) => format!("{name}, {} steps, {} tokens", turn.steps.len(), grouped(tokens)),
        (None, None) => {
            format!(
                "{} tokens, found without a model; APIDISC_MODEL=PROVIDER:NAME or [ask] in config.toml names one",
                grouped(tokens)
            )
        }
    };
    (ask.running, ask.asked) = (None, None);
    ask.memory = memory;
    if ask.conversation.started == 0 {
        ask.conversation.started = time;
    }
    effects.push(Effect::Ask(AskRequest::Keep(Box::new(ask.conversation.clone()))));
}

fn grouped(tokens: u64) -> String {
    crate::tui::widgets::grouped(usize::try_from(tokens).unwrap_or(usize::MAX))
}

/// Shows an earlier conversation, which the next question continues.
fn opened(ask: &mut AskPage, conversation: Conversation) {
    ask.memory = conversation.memory();
    ask.conversation = conversation;
    (ask.is_typing, ask.is_chosen) = (false, false);
}

/// Makes the rows.
pub(super) fn reconcile(model: &mut Model) {
    if model.ask.is_open {
        let list = geometry::ask(model.size).list;
        model.ask.make(list.width, list.height.into());
    }
}
