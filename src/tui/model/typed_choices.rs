//! Commands with an argument, as they are typed into the palette: `budget 1500`, `theme nord`, `open httpx.Client`.

use super::{PickerAction, PickerChoice, settings::in_words};
use apidisc::strategy::Strategy;

/// The first word of each command, its argument and a description.
const COMMANDS: [(&str, &str, &str); 5] = [
    ("budget", "TOKENS", "a token budget, such as 1500"),
    ("threshold", "PERCENT", "show what that share of calls passes, such as 20"),
    ("coverage", "PERCENT", "cover that share of calls, such as 95"),
    ("theme", "NAME", "put on a theme, such as nord"),
    ("open", "NAME", "go to what the finder finds first"),
];

/// A choice for each command, which types its first word.
pub(super) fn commands() -> impl Iterator<Item = PickerChoice> {
    COMMANDS.into_iter().map(|(word, argument, help)| PickerChoice {
        pick: PickerAction::Type(format!("{word} ")),
        name: format!("{word} {argument}"),
        help: help.to_owned(),
        note: String::new(),
    })
}

/// The choices for a typed command with an argument; empty if the text is not a command with a valid argument.
pub(super) fn choices(typed: &str, themes: &[String]) -> Vec<PickerChoice> {
    let Some((word, argument)) = typed.trim().split_once(' ') else { return Vec::new() };
    let argument = argument.trim();
    let choice =
        |pick, help: String| PickerChoice { pick, name: format!("{word} {argument}"), help, note: String::new() };
    let strategy = match word {
        "budget" => budget(argument).map(|max_tokens| Strategy::TokenBudget { max_tokens }),
        "threshold" => share(argument).map(|min_frequency| Strategy::Threshold { min_frequency }),
        "coverage" => share(argument).map(|target| Strategy::Coverage { target }),
        "theme" => {
            let begins = |name: &&String| name.to_lowercase().starts_with(&argument.to_lowercase());
            let theme = |name: &String| PickerChoice {
                name: format!("theme {name}"),
                ..choice(PickerAction::Theme(name.clone()), String::new())
            };
            return themes.iter().filter(begins).map(theme).collect();
        }
        "open" => return vec![choice(PickerAction::Open(argument.to_owned()), "the best match".to_owned())],
        _ => None,
    };
    strategy.map(|strategy| choice(PickerAction::Strategy(strategy), in_words(strategy))).into_iter().collect()
}

fn budget(text: &str) -> Option<usize> {
    text.replace([',', '_'], "").parse::<u32>().ok().filter(|tokens| *tokens > 0).map(|tokens| tokens as usize)
}

/// A share in whole percent, as a fraction.
fn share(text: &str) -> Option<f64> {
    let percent = text.trim_end_matches('%').parse::<u8>().ok().filter(|percent| *percent <= 100)?;
    Some(f64::from(percent) / 100.0)
}
