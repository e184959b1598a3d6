//! What comments say of the result of a function: the members of a tuple or dict, with the share of the calls that take
//! each, and how it is iterated.
//!
//! ```python
//! def load(path: str) -> tuple[Config, list]: ...  # 12 calls, returns (config 100%, errors 25%)
//! def measure(path: str) -> dict: ...  # 40 calls
//!     # "mean": float, 80%
//!     # "max", 15%
//!     # ... + 3 rare keys hidden
//! ```

use super::declaration::decorator_name;
use crate::stub::{
    node_text::PricedLines,
    returned_members::{CountedMember, CountedMembers, items_of_tuple},
    text::sanitized,
    wording::HIDDEN_SIGN,
};
use apidisc_facts::program::{ResultShape, ReturnedMember, ReturnedObject, Signature};
use apidisc_indexing::{index::Definition, usage::Usage};

/// The longest key that is written, in bytes.
const MAX_KEY_LENGTH: usize = 60;

/// The printed result of a function.
#[derive(Debug)]
pub(super) struct PrintedResult {
    /// The members that many calls take, on one line: `returns (config 100%, errors 25%)`.
    pub(super) note: Option<String>,
    /// The keys of a dict on lines of their own.
    pub(super) lines: Option<PricedLines>,
}

impl PrintedResult {
    /// The result of a signature, for a body with this margin; `None` if the members of its result are not known.
    pub(super) fn new(signature: &Signature, usage: &Usage, margin: &str) -> Option<Self> {
        let object = signature.result.as_ref()?;
        match object.shape {
            ResultShape::Object => Self::of_dict(object, usage, margin),
            ResultShape::Tuple | ResultShape::NamedTuple => {
                let items = items_of_tuple(object, usage)?;
                Some(Self { note: Some(format!("returns ({items})")), lines: None })
            }
        }
    }

    fn of_dict(object: &ReturnedObject, usage: &Usage, margin: &str) -> Option<Self> {
        let is_written = |member: &ReturnedMember| (1..=MAX_KEY_LENGTH).contains(&member.name.len());
        let members = CountedMembers::new(object, usage, is_written);
        if members.is_empty() {
            return None;
        }
        let key = |member: CountedMember<'_>| format!("\"{}\"", sanitized(&member.member.name));
        let mut text = String::new();
        let mut add = |line: &str| text.extend([margin, "# ", line, "\n"]);
        for &member in members.shown() {
            let annotation = member.member.annotation.as_deref().map(|ty| format!(": {}", sanitized(ty)));
            let share = member.share_text().map(|share| format!(", {share}"));
            add(&[Some(key(member)), annotation, share].into_iter().flatten().collect::<String>());
        }
        match members.hidden_note("key") {
            Some(note) => add(&note),
            None if object.is_open => add(HIDDEN_SIGN),
            None => {}
        }
        let frequent = members.frequent();
        let short = |at: &usize| {
            let (name, share) = (key(members.members()[*at]), members.members()[*at].share());
            share.map_or_else(|| name.clone(), |share| share.after_name(&name, ""))
        };
        let mut shares: Vec<String> = frequent.iter().map(short).collect();
        if object.is_open || frequent.len() < members.members().len() {
            shares.push(HIDDEN_SIGN.to_owned());
        }
        let note = (!frequent.is_empty()).then(|| format!("returns {{{}}}", shares.join(", ")));
        Some(Self { note, lines: Some(PricedLines::new(text)) })
    }
}

/// True for a type whose values `async for` iterates: `AsyncIterator[int]`, `typing.AsyncGenerator[int, None]`.
pub(super) fn is_async_iterable(ty: &str) -> bool {
    let name = ty.split('[').next().unwrap_or_default().trim_matches(['"', '\'', ' ']);
    matches!(name.rsplit('.').next(), Some("AsyncGenerator" | "AsyncIterable" | "AsyncIterator"))
}

/// True for a generator that a decorator makes a context manager.
pub(super) fn is_context_manager(definition: &Definition) -> bool {
    definition.decorators.iter().any(|decorator| decorator_name(decorator).ends_with("contextmanager"))
}
