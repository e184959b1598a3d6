//! Verifies the limits of a profile, and names the definitions that have changed since it was saved.

use super::{Profile, SavedStub, fingerprint, floored};
use crate::{
    delivery::{Delivery, DeliveryError, RequestError},
    stub::uses_in_words,
};
use apidisc_indexing::index::{Index, Scope};

/// The largest number of changed definitions that are named.
const MAX_NAMED: usize = 3;

impl Profile {
    /// Checks the result of the request. Returns one line: the size and coverage of the stub, and the definitions that
    /// have changed since the profile was saved.
    ///
    /// # Errors
    /// If there is no stub, or if the stub breaks a limit. The message is one line: the reason, and the definitions
    /// that have changed since the profile was saved.
    pub fn check(&self, index: &Index, result: &Result<Delivery, RequestError>) -> Result<String, String> {
        let changes = self.saved.as_ref().map(|saved| changes(saved, index)).unwrap_or_default();
        let with_changes = |line: String| if changes.is_empty() { line } else { format!("{line}; {changes}") };
        match result {
            Err(error) => {
                let why = match error {
                    RequestError::Delivery(DeliveryError::BudgetTooSmall { name, smallest, max_tokens }) => {
                        format!("{name} needs {smallest} tokens in its shortest form now, more than its {max_tokens}")
                    }
                    other => other.to_string(),
                };
                Err(with_changes(why))
            }
            Ok(delivery) => match self.broken_limit(delivery) {
                Some(why) => Err(with_changes(why)),
                None => Ok(with_changes(summary(delivery))),
            },
        }
    }

    /// The first limit that a delivery breaks, as a message.
    fn broken_limit(&self, delivery: &Delivery) -> Option<String> {
        let saved_value =
            |text: Option<String>| text.map(|text| format!(" ({text} when it was saved)")).unwrap_or_default();
        let saved = self.saved.as_ref();
        if let Some(most) = self.limits.max_tokens.filter(|&most| delivery.tokens > most) {
            let was = saved_value(saved.map(|saved| saved.tokens.to_string()));
            return Some(format!("the stub takes {} tokens{was}, more than the {most} of [check]", delivery.tokens));
        }
        let least = self.limits.min_coverage?;
        let was = saved_value(saved.and_then(|saved| saved.coverage).map(percent));
        match delivery.coverage() {
            None if least > 0.0 => Some(format!("no use of it is known any more{was}")),
            Some(share) if share < least => {
                let (share, uses, least) = (percent(share), uses_in_words(delivery.known()), percent(least));
                Some(format!("the stub covers {share} of {uses}{was}, less than the {least} of [check]"))
            }
            _ => None,
        }
    }
}

/// The size and coverage of a delivery.
fn summary(delivery: &Delivery) -> String {
    let tokens = match delivery.max_tokens {
        Some(most) => format!("{} of {most} tokens", delivery.tokens),
        None => format!("{} tokens", delivery.tokens),
    };
    match delivery.coverage() {
        Some(share) => format!("{tokens}, {} of {}", percent(share), uses_in_words(delivery.known())),
        None => format!("{tokens}, no use is known"),
    }
}

/// A percentage with one decimal place, rounded down.
fn percent(share: f64) -> String {
    format!("{:.1}%", floored(share) * 100.0)
}

/// The definitions whose signatures have changed or that are gone since the profile was saved, such as
/// `changed since it was saved: LlmAgent, Runner.run; gone: App`. Empty if there are none.
fn changes(saved: &SavedStub, index: &Index) -> String {
    let (mut changed, mut gone) = (Vec::new(), Vec::new());
    for (fqn, old) in &saved.symbols {
        match index.scope(None, Some(fqn)) {
            Ok(Scope::Definition(id)) if index.definition(id).fqn == **fqn => {
                let definition = index.definition(id);
                if fingerprint(definition) != *old {
                    changed.push(definition.alias.as_str());
                }
            }
            _ => gone.push(fqn.as_str()),
        }
    }
    let list = |what: &str, names: &[&str]| {
        let more = names.len().saturating_sub(MAX_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = names.iter().take(MAX_NAMED).copied().collect::<Vec<_>>().join(", ");
        (!names.is_empty()).then(|| format!("{what}: {names}{more}"))
    };
    [list("changed since it was saved", &changed), list("gone", &gone)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("; ")
}
