//! Adds remedies to errors of usage.

use clap::{
    CommandFactory as _,
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::{CommandLine, wrong_usage};

/// Adds a remedy to an error that has none.
pub(super) fn with_remedy(mut error: clap::Error) -> clap::Error {
    // clap reports a second path as an unknown command.
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && error.kind() == ErrorKind::ArgumentConflict
        && CommandLine::command().find_subcommand(word).is_none()
    {
        let message = format!("one PATH at a time: `{}` is a second one; leave it out", word.escape_debug());
        return wrong_usage(ErrorKind::TooManyValues, message);
    }
    let tip = match error.kind() {
        ErrorKind::ArgumentConflict if is_repeated(&error) => "give it once",
        ErrorKind::ArgumentConflict => "leave one of them out",
        ErrorKind::MissingRequiredArgument => "add it, or leave out what needs it",
        ErrorKind::TooManyValues => "leave what is too much out",
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() && !names_an_option(&error) => {
            "leave it out"
        }
        ErrorKind::InvalidValue if is_empty(&error) => "write a value behind it",
        _ => return error,
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    error
}

/// True if an option is repeated that may be given only once.
fn is_repeated(error: &clap::Error) -> bool {
    match (error.get(ContextKind::InvalidArg), error.get(ContextKind::PriorArg)) {
        (Some(ContextValue::String(again)), Some(ContextValue::String(prior))) => again == prior,
        _ => false,
    }
}

fn names_an_option(error: &clap::Error) -> bool {
    matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(word)) if word.starts_with('-'))
}

fn is_empty(error: &clap::Error) -> bool {
    matches!(error.get(ContextKind::InvalidValue), Some(ContextValue::String(value)) if value.is_empty())
}
