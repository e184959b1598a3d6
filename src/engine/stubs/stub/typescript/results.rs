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
    returned_members::CountedMembers,
    wording::HIDDEN_SIGN,
};
use apidisc_facts::program::{ResultShape, ReturnedMember, Signature};
use apidisc_indexing::usage::Usage;

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

impl PrintedResult {
    /// The result of a signature; `None` if the members of its result are not known.
    pub(super) fn new(signature: &Signature, usage: &Usage, scope: TypeScope<'_>, indent: Indentation) -> Option<Self> {
        let object = signature.result.as_ref().filter(|object| object.shape == ResultShape::Object)?;
        let members = CountedMembers::new(object, usage, |member| property_name(&member.name).is_some());
        if members.is_empty() {
            return None;
        }
        let printed: Vec<PrintedType> =
            members.members().iter().map(|member| printed_member(member.member, scope)).collect();
        let margin = " ".repeat(indent.columns + indent.step);
        let mut text = String::new();
        let mut add = |line: &str| text.extend([&margin, line, "\n"]);
        for (member, printed) in members.shown().iter().zip(&printed) {
            let share = member.share_text().map_or_else(String::new, |share| format!(" // {share}"));
            add(&format!("{};{share}", printed.text));
        }
        if object.is_open {
            add("[name: string]: any;");
        }
        if let Some(note) = members.hidden_note("member") {
            add(&format!("// {note}"));
        }
        let frequent = members.frequent();
        let share = |at: &usize| {
            let member = members.members()[*at];
            Some(member.share()?.after_name(&member.member.name, ""))
        };
        let mut shares: Vec<String> = frequent.iter().filter_map(share).collect();
        if frequent.len() < members.members().len() {
            shares.push(HIDDEN_SIGN.to_owned());
        }
        let (opening, after) = if signature.is_async { ("Promise<{", ">") } else { ("{", "") };
        let otherwise = object.otherwise.as_ref().map_or_else(String::new, |otherwise| format!(" | {otherwise}"));
        let closing = format!("}}{otherwise}{after}");
        let mut inner: Vec<&str> = frequent.iter().map(|at| printed[*at].text.as_str()).collect();
        if object.is_open || frequent.is_empty() {
            inner.push("[name: string]: any");
        }
        Some(Self {
            inline: format!("{opening} {} {closing}", inner.join("; ")),
            opening,
            closing,
            lines: PricedLines::new(text),
            shares,
            references: printed.into_iter().flat_map(|printed| printed.references).collect(),
        })
    }
}

/// A member as it is written in an object type: `open?: () => void`.
fn printed_member(member: &ReturnedMember, scope: TypeScope<'_>) -> PrintedType {
    let name = property_name(&member.name).unwrap_or_default();
    let ty = member.annotation.as_deref().and_then(|text| type_text(text, scope)).unwrap_or_else(any);
    let mark = if member.is_optional { "?" } else { "" };
    PrintedType { text: format!("{name}{mark}: {}", ty.text), ..ty }
}
