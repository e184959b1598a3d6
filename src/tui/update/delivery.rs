//! Receives the stub, and runs the commands that copy it, write it, or open the selected definition in an editor.
//! Copying and writing wait for the stub of the present settings; opening waits only while a match may change the
//! selection.

use std::sync::Arc;

use compact_str::CompactString;

use super::{api, page, profile, toast};
use crate::tui::{
    effect::Effect,
    geometry::Pane,
    message::WriteOutcome,
    model::{
        AfterDelivery, ApiPart, Catalog, Cursor, Model, Overlay, PreviewRequest, ShownStub, StubPaneRequest, StubText,
        TextField, Tone, WritePrompt, page::SourcePlace,
    },
    theme::SyntaxRuns,
    widgets::grouped,
};
use apidisc::{
    delivery::DeliveryError,
    http::{find_operation, find_part},
    index::Scope,
    program::ModuleId,
    strategy::Strategy,
    stub::{Docs, Wording},
    tokens::Encoding,
    unprintable::shell_word,
};

/// The option for a text that is not cut to the default budget.
const EXHAUSTIVE_OPTION: &str = " --strategy exhaustive";

/// Copies the stub, once it is that of the present settings.
pub(super) fn copy(model: &mut Model) {
    model.preview.after_delivery = Some(AfterDelivery::Copy);
}

/// Opens the prompt for the path to write the stub to.
pub(super) fn ask_for_path(model: &mut Model) {
    if let Some(prompt) = prompt(model) {
        model.overlay = Some(Overlay::Write(prompt));
    }
}

/// Opens the selected definition in the editor, once no match can change the selection.
pub(super) fn edit(model: &mut Model, effects: &mut Vec<Effect>) {
    if is_match_pending(model) {
        model.preview.after_delivery = Some(AfterDelivery::Edit);
    } else {
        edit_selected(model, effects);
    }
}

/// The prompt for the path of a stub: a suggested path, and the command line that prints the same stub.
fn prompt(model: &Model) -> Option<WritePrompt> {
    let catalog = model.catalog.as_ref()?;
    if let Some(part) = model.part() {
        return Some(part_prompt(model, &part));
    }
    let scope = model.scope()?;
    let name = match scope {
        Scope::Repository => "api".to_owned(),
        Scope::Module(id) => catalog.index.module(id).fqn.to_string(),
        Scope::Definition(id) => catalog.label(id, false),
    };
    let name: String = name.chars().filter(|c| c.is_alphanumeric() || ['.', '_', '-', '/'].contains(c)).collect();
    let ending = catalog.language(scope).stub_extension();
    let suggestion = format!("{}.{ending}", name.replace('/', "-"));
    Some(WritePrompt {
        input: TextField::new(&suggestion),
        suggestion,
        command: export_command(model, scope).unwrap_or_default(),
        is_confirming: false,
    })
}

/// The prompt for the path of the text of a part of API documents.
fn part_prompt(model: &Model, part: &ApiPart) -> WritePrompt {
    let is_operation = part.api.operation_id(part.at).is_some();
    let name: String = part.name().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let name = name.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let suggestion = format!("{name}.{}", if is_operation { "d.ts" } else { "json" });
    let command = part_command(model, part).unwrap_or_default();
    WritePrompt { input: TextField::new(&suggestion), suggestion, command, is_confirming: false }
}

/// The command line that prints the text of a part; `None` if the source of the documents is neither a file nor a
/// folder.
fn part_command(model: &Model, part: &ApiPart) -> Option<String> {
    let index = &part.api.apis.documents;
    let named = match &model.api.named {
        Some(named) => shell_word(named).into_owned(),
        None if model.argument.starts_with("--") || model.argument.contains(" --rev ") => return None,
        None => model.argument.clone(),
    };
    // Another document may have a part of this name: ids are unique.
    let (symbol, number) = if let Some(id) = part.api.operation_id(part.at) {
        let title = id.of(&index.api).1.title();
        let is_found = find_operation(&index.api, &title) == Ok(id);
        let number = match model.settings.strategy {
            strategy if strategy == Strategy::default() => String::new(),
            Strategy::TokenBudget { max_tokens } => format!(" --max-tokens {max_tokens}"),
            _ => EXHAUSTIVE_OPTION.to_owned(),
        };
        (if is_found { title } else { part.id().to_owned() }, number)
    } else {
        let title = &part.chunk().title;
        let is_found = find_operation(&index.api, title).is_err() && find_part(&index.chunks, title) == Some(part.at);
        (if is_found { title.clone() } else { part.id().to_owned() }, EXHAUSTIVE_OPTION.to_owned())
    };
    let (symbol, encoding) = (shell_word(&symbol), encoding_option(model));
    Some(format!("apidisc-tui --export --docs {named} --symbol {symbol}{number}{encoding} {}", model.argument))
}

/// The option of the tokenizer; empty for the default.
fn encoding_option(model: &Model) -> String {
    match model.settings.encoding {
        encoding if encoding == Encoding::default() => String::new(),
        encoding => format!(" --encoding {}", encoding.name()),
    }
}

/// Updates the open prompt if a new match or index has changed the scope of the stub.
pub(super) fn refresh_write_prompt(model: &mut Model) {
    let Some(Overlay::Write(_)) = model.overlay else { return };
    let Some(new) = prompt(model) else { return };
    let Some(Overlay::Write(old)) = &mut model.overlay else { return };
    if old.command != new.command || old.suggestion != new.suggestion {
        let input = std::mem::take(&mut old.input);
        let is_own = input.value() == old.suggestion;
        *old = WritePrompt { input: if is_own { new.input.clone() } else { input }, ..new };
    }
}

/// The command line that prints the stub; `None` for a stub of all packages.
fn export_command(model: &Model, scope: Scope) -> Option<String> {
    let index = &model.catalog.as_ref()?.index;
    let package = if index.is_of_packages() { Some(index.package_of(scope)?) } else { None };
    let is_whole = |module: ModuleId| package.is_some_and(|package| index.main_module(package) == Some(module));
    let scope = match scope {
        Scope::Repository => String::new(),
        Scope::Module(id) if is_whole(id) => String::new(),
        Scope::Module(id) => format!(" --module {}", index.module(id).fqn),
        Scope::Definition(id) => format!(" --symbol {}", index.definition(id).fqn),
    };
    let package = package.map_or_else(String::new, |of| format!(" --package {}", shell_word(&of.label())));
    let strategy = match model.settings.strategy {
        strategy if strategy == Strategy::default() => String::new(),
        Strategy::TokenBudget { max_tokens } => format!(" --max-tokens {max_tokens}"),
        Strategy::Threshold { min_frequency } => format!(" --min-frequency {min_frequency}"),
        Strategy::Coverage { target } => format!(" --target {target}"),
        Strategy::Exhaustive => format!(" --strategy {}", Strategy::Exhaustive.name()),
    };
    let wording = match model.settings.wording {
        wording if wording == Wording::default() => String::new(),
        wording => format!(" --wording {}", wording.name()),
    };
    let docs = match model.settings.docs {
        docs if docs == Docs::default() => String::new(),
        docs => format!(" --docs {}", docs.name()),
    };
    let encoding = encoding_option(model);
    let overrides = model.overrides.all();
    let pins = overrides.pinned.iter().map(|target| format!(" --pin {}", shell_word(&target.to_string())));
    let bans = overrides.banned.iter().map(|target| format!(" --ban {}", shell_word(&target.to_string())));
    let intent = model.overrides.question().map(|question| format!(" --intent {}", shell_word(question)));
    let overrides: String = pins.chain(bans).chain(intent).collect();
    let weights = match &model.settings.weights {
        weights if weights.are_default() => String::new(),
        weights => format!(" --weights {weights}"),
    };
    Some(format!(
        "apidisc-tui --export {}{package}{scope}{strategy}{overrides}{weights}{wording}{docs}{encoding}",
        model.argument
    ))
}

pub(super) fn write(model: &mut Model, path: String, overwrite: bool, effects: &mut Vec<Effect>) {
    if overwrite
        && is_up_to_date(model)
        && let Some(stub) = model.preview.stub()
    {
        effects.push(Effect::Write { path, stub: Arc::clone(stub), overwrite });
        return;
    }
    model.preview.after_delivery = Some(AfterDelivery::Write(path));
}

fn edit_selected(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    if let Some(part) = model.part() {
        return effects.push(api::edit(&catalog, &part));
    }
    let shows = model.definition().map(SourcePlace::Definition);
    edit_place(model, &catalog, shows, effects);
}

/// Opens a place in the editor.
pub(super) fn edit_place(
    model: &mut Model,
    catalog: &Arc<Catalog>,
    shows: Option<SourcePlace>,
    effects: &mut Vec<Effect>,
) {
    let Some((file, line)) = shows.and_then(|shows| shows.place(catalog)) else {
        return toast(model, Tone::Note, "no definition is selected".to_owned(), effects);
    };
    if catalog.index.files.get(file.index()).is_none() {
        let why = "the index does not say where it stands".to_owned();
        return toast(model, Tone::Note, why, effects);
    }
    effects.push(Effect::Edit { catalog: Arc::clone(catalog), file, line });
}

/// True while the matches of a changed filter are pending, which will change the selection.
pub(super) fn is_match_pending(model: &Model) -> bool {
    let is_awaited = |pane| model.filter(pane).is_on() && model.filter(pane).is_fresh;
    model.catalog.is_some() && (is_awaited(Pane::Modules) || is_awaited(Pane::Symbols))
}

/// True if the stub belongs to the present settings, and no pending match, index or count will change it.
fn is_up_to_date(model: &Model) -> bool {
    model.preview.is_current() && !is_match_pending(model) && model.counting.is_none()
}

/// Runs the command that waits for the stub, once the stub is up to date.
pub(super) fn run_deferred(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.preview.after_delivery.is_none() || !is_up_to_date(model) {
        return;
    }
    let Some(then) = model.preview.after_delivery.take() else { return };
    match (then, model.preview.shown.as_ref().map(|shown| shown.result.clone())) {
        (AfterDelivery::Edit, _) => edit_selected(model, effects),
        (AfterDelivery::OpenPage, _) => {
            page::open_selected(model);
            if let Some(catalog) = model.catalog.clone() {
                page::reconcile(model, &catalog, effects);
            }
        }
        (AfterDelivery::Copy, Some(Ok(stub))) => effects.push(Effect::Copy {
            text: stub.delivery.text.clone(),
            description: format!("{} tokens", grouped(stub.delivery.tokens)),
        }),
        (AfterDelivery::Write(path), Some(Ok(stub))) => {
            effects.push(Effect::Write { path, stub, overwrite: false });
        }
        (AfterDelivery::Save(name, overwrite), Some(Ok(stub))) => {
            profile::save(model, name, overwrite, &stub, effects);
        }
        (_, Some(Err(why))) => {
            model.overlay = None;
            toast(model, Tone::Error, why.to_string(), effects);
        }
        (_, None) => {}
    }
}

/// Stores a stub, unless a newer one is pending.
pub(super) fn delivered(
    model: &mut Model,
    ticket: u64,
    request: PreviewRequest,
    result: Result<Arc<StubText>, DeliveryError>,
) {
    if is_awaited(model, ticket, StubPaneRequest::Stub(request)) {
        let subject = model.catalog.as_ref().and_then(|catalog| ShownStub::subject_of(&catalog.index, request.scope));
        store(model, ticket, StubPaneRequest::Stub(request), subject, result);
    }
}

/// True if `ticket` belongs to the newest request: then the ids in the answer are ids of the present index.
pub(super) fn is_awaited(model: &Model, ticket: u64, request: StubPaneRequest) -> bool {
    model.preview.ticket == ticket && model.preview.wanted == Some(request)
}

/// Stores the text that answers the newest request. `subject` is the name of the definition, module or
/// part of API documents that the text describes.
pub(super) fn store(
    model: &mut Model,
    ticket: u64,
    request: StubPaneRequest,
    subject: Option<CompactString>,
    result: Result<Arc<StubText>, DeliveryError>,
) {
    let title = model.subject_name();
    let preview = &mut model.preview;
    let mut lines = result.as_ref().map_or(0, |stub| stub.lines.len());
    let mut runs = vec![None; lines];
    if let Some(shown) = preview.shown.take() {
        if shown.subject != subject {
            (preview.cursor, preview.first_column) = (Cursor::default(), 0);
        }
        if let (Ok(new), Ok(old)) = (&result, &shown.result) {
            runs = carry_over(new, old, shown.runs);
        } else if result.is_err() {
            lines = 0;
        }
    }
    preview.cursor.offset = preview.cursor.offset.min(lines.saturating_sub(1));
    preview.shown = Some(ShownStub { request, subject, title, result, runs, asked: 0..0, ticket });
}

/// The syntax runs for `new`: lines at the beginning or end that are equal in both texts keep the runs of `old`, so
/// that the stub does not flicker when the budget changes.
fn carry_over(new: &StubText, old: &StubText, mut runs: Vec<Option<SyntaxRuns>>) -> Vec<Option<SyntaxRuns>> {
    let (len, old_len) = (new.lines.len(), old.lines.len());
    let mut out = vec![None; len];
    let same = len.min(old_len);
    let head = (0..same).take_while(|&line| new.line(line) == old.line(line)).count();
    let tail = (1..=same - head).take_while(|&back| new.line(len - back) == old.line(old_len - back)).count();
    for line in 0..head {
        out[line] = runs[line].take();
    }
    for back in 1..=tail {
        out[len - back] = runs[old_len - back].take();
    }
    out
}

pub(super) fn highlighted(model: &mut Model, ticket: u64, first: usize, lines: Vec<SyntaxRuns>) {
    if let Some(shown) = model.preview.shown.as_mut().filter(|shown| shown.ticket == ticket) {
        for (slot, runs) in shown.runs.iter_mut().skip(first).zip(lines) {
            *slot = Some(runs);
        }
    }
}

pub(super) fn copied(model: &mut Model, description: &str, result: Result<String, String>, effects: &mut Vec<Effect>) {
    match result {
        Ok(way) => toast(model, Tone::Success, format!("copied {description} by {way}"), effects),
        Err(why) => toast(model, Tone::Error, format!("not copied: {why}"), effects),
    }
}

pub(super) fn written(model: &mut Model, path: &str, outcome: WriteOutcome, effects: &mut Vec<Effect>) {
    match outcome {
        WriteOutcome::Done(bytes) => {
            model.overlay = None;
            toast(model, Tone::Success, format!("wrote {} bytes to {path}", grouped(bytes)), effects);
        }
        WriteOutcome::Exists => {
            if let Some(Overlay::Write(prompt)) = &mut model.overlay {
                prompt.is_confirming = prompt.input.value().trim() == path;
            }
        }
        WriteOutcome::Failed(why) => toast(model, Tone::Error, why, effects),
    }
}
