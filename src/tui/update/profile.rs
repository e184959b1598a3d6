//! Saves the present stub request as a profile, which `--profile` replays, and opens saved profiles.

use super::{filter::edit_request, history, reveal, toast, tuning};
use crate::tui::{
    command::Command,
    effect::Effect,
    input::KeyPress,
    message::SaveOutcome,
    model::{
        ActiveOverrides, AfterDelivery, Model, Overlay, SavePrompt, SavedProfile, Saving, Settings, StubText,
        TextField, Tone,
    },
};
use apidisc::{delivery::profile::Profile, index::Scope, packages::Dependency};

/// Opens the prompt for a name.
pub(super) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.shows_packages() && model.stub_request().is_some_and(|request| request.package.is_none()) {
        let what = "a profile is of one package: select one, or a part of it";
        return toast(model, Tone::Note, what.to_owned(), effects);
    }
    if tuning::is_stub_of_code(model, effects)
        && let Some(name) = suggestion(model)
    {
        model.overlay = Some(Overlay::Save(SavePrompt { input: TextField::new(&name), state: Saving::Typing }));
    }
}

/// The suggested name: the last part of the name of the stub's scope.
fn suggestion(model: &Model) -> Option<String> {
    let index = &model.catalog.as_ref()?.index;
    let name = match model.scope()? {
        Scope::Repository => "api",
        Scope::Module(id) => index.module(id).fqn.as_str(),
        Scope::Definition(id) => index.definition(id).name.as_str(),
    };
    let word = name.rsplit(['.', '/']).find(|part| !part.is_empty()).unwrap_or("api");
    let word: String = word.chars().filter(|c| is_plain(*c)).collect::<String>().to_lowercase();
    let word = word.trim_start_matches(['_', '-', '.']);
    Some(if word.is_empty() { "api".to_owned() } else { word.to_owned() })
}

/// Stores the profiles of the repository, and lists them in the open picker.
pub(super) fn read(model: &mut Model, profiles: Vec<SavedProfile>) {
    if model.profiles == profiles {
        return;
    }
    model.profiles = profiles;
    if let Some(Overlay::Picker(picker)) = &model.overlay
        && let Some(again) = picker.again(model)
    {
        model.overlay = Some(Overlay::Picker(again));
    }
}

/// Puts the request of a profile in force: its scope, its setting, its pins and bans, and its weights.
pub(super) fn replay(model: &mut Model, profile: SavedProfile, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let mut request = match profile.request {
        Ok(request) => *request,
        Err(why) => return toast(model, Tone::Error, format!("profile {}: {why}", profile.name), effects),
    };
    if request.package.is_some() != catalog.index.is_of_packages() {
        let side = if request.package.is_some() { "a package" } else { "the code" };
        let key = model.keymap.first(Command::Packages).map_or(String::new(), |key| format!("; {key} shows it"));
        return toast(model, Tone::Note, format!("profile {} is of {side}{key}", profile.name), effects);
    }
    if let Some(name) = &request.package {
        let packages = catalog.index.packages.as_deref().unwrap_or_default();
        let module = Dependency::find(packages, name)
            .and_then(|package| catalog.index.module_of_package(package, request.module.as_deref()));
        match module {
            Ok(module) => request.module = Some(module),
            Err(why) => return toast(model, Tone::Error, format!("profile {}: {why}", profile.name), effects),
        }
    }
    let scope = match catalog.index.scope_meant(request.module.as_deref(), request.symbol.as_deref()) {
        Ok((scope, _)) => scope,
        Err(why) => return toast(model, Tone::Error, format!("profile {}: {why}", profile.name), effects),
    };
    history::record_present(model, &catalog);
    (model.page, model.tuning, model.agents) = (None, None, None);
    model.ask.is_open = false;
    reveal::show(model, &catalog, scope.into());
    let style = request.style();
    model.settings = Settings::new(request.strategy, request.encoding, request.weights).with_style(style);
    model.overrides = ActiveOverrides::new(request.overrides).with_question(request.intent.as_deref());
    toast(model, Tone::Note, format!("profile {}: {}", profile.name, model.settings.describe()), effects);
}

pub(super) fn press(model: &mut Model, key: KeyPress, command: Option<Command>) {
    let Some(Overlay::Save(prompt)) = &mut model.overlay else { return };
    match command {
        Some(Command::Cancel) => model.overlay = None,
        Some(Command::Accept) => accept(model),
        // The profile is saved: its name is no longer typed.
        _ if matches!(prompt.state, Saving::Done(_)) => model.overlay = None,
        _ => {
            if let Some(request) = edit_request(key) {
                prompt.input.handle(request);
                prompt.state = Saving::Typing;
            }
        }
    }
}

/// Saves under the typed name; closes the prompt if the profile is saved already.
pub(super) fn accept(model: &mut Model) {
    let Some(Overlay::Save(prompt)) = &mut model.overlay else { return };
    let name = prompt.input.value().trim().to_owned();
    match &prompt.state {
        Saving::Done(_) => model.overlay = None,
        state => {
            let overwrite = matches!(state, Saving::Exists(_));
            match problem(&name) {
                Some(why) => prompt.state = Saving::Refused(why.to_owned()),
                None => model.preview.after_delivery = Some(AfterDelivery::Save(name, overwrite)),
            }
        }
    }
}

/// The reason why `--profile` could not find a profile of this name.
fn problem(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("a profile needs a name")
    } else if !name.chars().all(is_plain) {
        Some("a name has letters, digits and . _ - only")
    } else if !name.starts_with(char::is_alphanumeric) {
        Some("a name begins with a letter or a digit")
    } else if name.to_ascii_lowercase().ends_with(".toml") {
        Some("a name is without .toml, which is added")
    } else {
        None
    }
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "._-".contains(c)
}

/// Saves a profile of `stub`, the stub of the present settings.
pub(super) fn save(model: &Model, name: String, overwrite: bool, stub: &StubText, effects: &mut Vec<Effect>) {
    let (Some(catalog), Some(request)) = (&model.catalog, model.stub_request()) else { return };
    let text = Profile::new(request, &stub.delivery, &catalog.index).text(&name);
    effects.push(Effect::Save { name, text, overwrite });
}

/// Shows the outcome, if the prompt still has that name.
pub(super) fn saved(model: &mut Model, name: &str, outcome: SaveOutcome) {
    let Some(Overlay::Save(prompt)) = &mut model.overlay else { return };
    if prompt.input.value().trim() == name {
        prompt.state = match outcome {
            SaveOutcome::Done(path) => Saving::Done(path),
            SaveOutcome::Exists(path) => Saving::Exists(path),
            SaveOutcome::Failed(why) => Saving::Refused(why),
        };
    }
}
