//! The members of the object that a function returns, with the share of the calls that take each: which of them a stub
//! shows, and in which order.

use super::{
    text::{PassedShare, group_digits, sanitized},
    wording::HIDDEN_SIGN,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{ResultShape, ReturnedMember, ReturnedObject};
use apidisc_indexing::usage::{MemberUsage, Usage};

/// The greatest number of members on lines of their own. Members that no call takes are shown only up to `MAX_UNTAKEN`
/// lines.
const MAX_LINES: usize = 24;
const MAX_UNTAKEN: usize = 8;
/// The greatest number of members on one line.
const MAX_INLINE: usize = 6;
/// A member that fewer than one call in `RARE` takes is left out of a type on one line.
const RARE: u32 = 5;

/// A member with its counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedMember<'a> {
    pub(super) member: &'a ReturnedMember,
    usage: MemberUsage,
}

impl<'a> CountedMember<'a> {
    /// The members of an object in their order.
    pub(super) fn all(object: &'a ReturnedObject, usage: &'a Usage) -> impl Iterator<Item = Self> + 'a {
        let usage_of = |at: usize| usage.taken.get(at).copied().unwrap_or_default();
        object.members.iter().enumerate().map(move |(at, member)| Self { member, usage: usage_of(at) })
    }

    /// The share of the calls that take the member; `None` if no call does.
    pub(super) fn share(self) -> Option<PassedShare> {
        PassedShare::new(self.usage.count, self.usage.known)
    }

    /// `80%`, or `3 of 1,204 calls`; `None` if no call takes the member.
    pub(super) fn share_text(self) -> Option<String> {
        let share = self.share()?;
        Some(share.percent().map_or_else(|| share.of_calls("call"), |percent| format!("{percent}%")))
    }
}

/// The members of an object that can be written, those that most calls take first.
#[derive(Debug)]
pub(super) struct CountedMembers<'a> {
    members: Vec<CountedMember<'a>>,
    /// True if it is known of some call which members it takes.
    is_known: bool,
}

impl<'a> CountedMembers<'a> {
    /// The members for which `is_written` is true. Members with equal shares stay in their order.
    pub(super) fn new(
        object: &'a ReturnedObject,
        usage: &'a Usage,
        is_written: impl Fn(&ReturnedMember) -> bool,
    ) -> Self {
        let written = CountedMember::all(object, usage).filter(|counted| is_written(counted.member));
        let mut members: Vec<CountedMember<'a>> = written.collect();
        let share = |usage: MemberUsage| f64::from(usage.count) / f64::from(usage.known.max(1));
        members.shared_sort_by(|a, b| share(b.usage).total_cmp(&share(a.usage)));
        let is_known = members.iter().any(|member| member.usage.known > 0);
        Self { members, is_known }
    }

    /// True if no member can be written.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// All members.
    pub(super) fn members(&self) -> &[CountedMember<'a>] {
        &self.members
    }

    /// The members that are shown on lines of their own.
    pub(super) fn shown(&self) -> &[CountedMember<'a>] {
        let taken = self.members.iter().filter(|member| member.usage.count > 0).count();
        let lines = if self.is_known { taken.max(MAX_UNTAKEN) } else { MAX_LINES };
        &self.members[..self.members.len().min(lines).min(MAX_LINES)]
    }

    /// `... + 3 rare members hidden`, for the members without a line. `noun` is the word for a member.
    pub(super) fn hidden_note(&self, noun: &str) -> Option<String> {
        let hidden = self.members.len() - self.shown().len();
        let plural = if hidden == 1 { "" } else { "s" };
        let rare = if self.is_known { "rare " } else { "" };
        (hidden > 0).then(|| format!("... + {} {rare}{noun}{plural} hidden", group_digits(hidden as u32)))
    }

    /// The positions in [`Self::members`] of the members that are shown on one line: those that many calls take.
    pub(super) fn frequent(&self) -> Vec<usize> {
        let is_frequent = |at: &usize| {
            let MemberUsage { count, known } = self.members[*at].usage;
            !self.is_known || u64::from(count) * u64::from(RARE) >= u64::from(known.max(1))
        };
        (0..self.members.len()).filter(is_frequent).take(MAX_INLINE).collect()
    }
}

/// The items of a tuple with their names and shares, in their order: `count 100%, [1] 25%`. `None` if nothing is known
/// of them, and for an object that is no tuple.
pub(super) fn items_of_tuple(object: &ReturnedObject, usage: &Usage) -> Option<String> {
    if object.shape == ResultShape::Object {
        return None;
    }
    let items: Vec<CountedMember<'_>> = CountedMember::all(object, usage).collect();
    if items.iter().all(|item| item.member.label().is_none() && item.share().is_none()) {
        return None;
    }
    let text = |(at, item): (usize, &CountedMember<'_>)| {
        let position = format!("[{at}]");
        let name = match item.member.label().map(sanitized) {
            Some(label) if object.shape == ResultShape::NamedTuple => format!(".{label}"),
            Some(label) => label,
            None => position,
        };
        item.share().map_or_else(|| name.clone(), |share| share.after_name(&name, ""))
    };
    let mut texts: Vec<String> = items.iter().enumerate().take(MAX_INLINE).map(text).collect();
    texts.extend((items.len() > MAX_INLINE).then(|| HIDDEN_SIGN.to_owned()));
    Some(texts.join(", "))
}
