//! The object that a function returns, as an object type: the members that calls take come first, with the share of
//! calls that take them.
//!
//! ```ts
//! export function useMessages(): {
//!   formatMessage: (id: string) => string; // 80%
//!   labels: any; // 71%
//!   // ... + 3 rare members hidden
//! }; // 232 calls
//! ```

use super::{
    identifiers::property_name,
    types::{PrintedType, TypeScope, type_text},
    values::any,
};
use crate::stub::{
    node_text::{PricedLines, TypeReference},
    renderer::Indentation,
    text::{PassedShare, group_digits},
    wording::HIDDEN_SIGN,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{ReturnedMember, Signature};
use apidisc_indexing::usage::{MemberUsage, Usage};

/// The greatest number of members on lines of their own. Members that no call takes are shown only up to `MAX_UNTAKEN`
/// lines.
const MAX_LINES: usize = 24;
const MAX_UNTAKEN: usize = 8;
/// The greatest number of members of an object type on one line.
const MAX_INLINE: usize = 6;
/// A member that fewer than one call in `RARE` takes is left out of an object type on one line.
const RARE: u32 = 5;

/// The printed result of a function.
#[derive(Debug)]
pub(super) struct PrintedResult {
    /// `Promise<{`, after the sign of the return type.
    pub(super) opening: &'static str,
    /// The lines between the braces.
    pub(super) lines: PricedLines,
    /// `}>`
    pub(super) closing: String,
    /// The type on one line, with the members that many calls take.
    pub(super) inline: String,
    /// The shares of the members on one line: `returns open 80%`, and `...` if others are hidden.
    pub(super) shares: Vec<String>,
    /// The types that the members name.
    pub(super) references: Vec<TypeReference>,
}

/// A member with its counts.
struct PrintedMember {
    /// `open?: () => void`
    text: String,
    name: String,
    references: Vec<TypeReference>,
    usage: MemberUsage,
}

impl PrintedResult {
    /// The result of a signature; `None` if the members of its result are not known.
    pub(super) fn new(signature: &Signature, usage: &Usage, scope: TypeScope<'_>, indent: Indentation) -> Option<Self> {
        let object = signature.result.as_ref()?;
        let member = |(at, member): (usize, &ReturnedMember)| {
            let usage = usage.taken.get(at).copied().unwrap_or_default();
            printed_member(member, usage, scope)
        };
        let mut members: Vec<PrintedMember> = object.members.iter().enumerate().filter_map(member).collect();
        if members.is_empty() {
            return None;
        }
        // Members with equal shares stay in the order of the source.
        members.shared_sort_by(|a, b| share_order(a.usage).total_cmp(&share_order(b.usage)));
        let is_known = members.iter().any(|member| member.usage.known > 0);
        let taken = members.iter().filter(|member| member.usage.count > 0).count();
        let lines = if is_known { taken.max(MAX_UNTAKEN) } else { MAX_LINES };
        let shown = &members[..members.len().min(lines).min(MAX_LINES)];
        let margin = " ".repeat(indent.columns + indent.step);
        let mut text = String::new();
        let mut add = |line: &str| text.extend([&margin, line, "\n"]);
        for member in shown {
            let share = share(member.usage).map_or_else(String::new, |share| {
                format!(
                    " // {}",
                    share.percent().map_or_else(|| share.of_calls("call"), |percent| format!("{percent}%"))
                )
            });
            add(&format!("{};{share}", member.text));
        }
        if object.is_open {
            add("[name: string]: any;");
        }
        let hidden = members.len() - shown.len();
        if hidden > 0 {
            let noun = if hidden == 1 { "member" } else { "members" };
            let rare = if is_known { "rare " } else { "" };
            add(&format!("// ... + {} {rare}{noun} hidden", group_digits(hidden as u32)));
        }
        let is_frequent = |member: &&PrintedMember| {
            !is_known || u64::from(member.usage.count) * u64::from(RARE) >= u64::from(member.usage.known.max(1))
        };
        let frequent: Vec<&PrintedMember> = members.iter().filter(is_frequent).take(MAX_INLINE).collect();
        let mut shares: Vec<String> =
            (frequent.iter()).filter_map(|member| Some(share(member.usage)?.after_name(&member.name, ""))).collect();
        if frequent.len() < members.len() {
            shares.push(HIDDEN_SIGN.to_owned());
        }
        let (opening, after) = if signature.is_async { ("Promise<{", ">") } else { ("{", "") };
        let otherwise = object.otherwise.as_ref().map_or_else(String::new, |otherwise| format!(" | {otherwise}"));
        let closing = format!("}}{otherwise}{after}");
        let mut inner: Vec<&str> = frequent.iter().map(|member| member.text.as_str()).collect();
        if object.is_open || frequent.is_empty() {
            inner.push("[name: string]: any");
        }
        Some(Self {
            inline: format!("{opening} {} {closing}", inner.join("; ")),
            opening,
            closing,
            lines: PricedLines::new(text),
            shares,
            references: members.into_iter().flat_map(|member| member.references).collect(),
        })
    }
}

/// `None` if the name cannot be written.
fn printed_member(member: &ReturnedMember, usage: MemberUsage, scope: TypeScope<'_>) -> Option<PrintedMember> {
    let name = property_name(&member.name)?;
    let ty = member.annotation.as_deref().and_then(|text| type_text(text, scope)).unwrap_or_else(any);
    let PrintedType { text, references, .. } = ty;
    let mark = if member.is_optional { "?" } else { "" };
    let text = format!("{name}{mark}: {text}");
    Some(PrintedMember { text, name: name.trim_matches('"').to_owned(), references, usage })
}

/// The share of the calls that take a member; `None` if no call does.
fn share(usage: MemberUsage) -> Option<PassedShare> {
    PassedShare::new(usage.count, usage.known)
}

/// Orders members by descending share.
fn share_order(usage: MemberUsage) -> f64 {
    -(f64::from(usage.count) / f64::from(usage.known.max(1)))
}
