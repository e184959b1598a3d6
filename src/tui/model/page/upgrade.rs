//! The page of an upgrade: what the other version of a package breaks, with the places; and the section about it on the
//! page of a definition.

use std::collections::BTreeSet;

use super::{ItemBody, PageItem, SourcePlace, TextRole, calls, card};
use crate::tui::{
    model::{Catalog, Topic, UpgradeMarks},
    widgets::{self, grouped},
};
use apidisc::{
    breaks::{
        groups::Group,
        report::{Finding, Report, Verdict},
    },
    program::DefinitionId,
};

/// The greatest number of places of a finding on the page of a definition.
const MAX_PLACES: usize = 50;

/// All rows of the page.
pub(super) fn items(catalog: &Catalog, marks: Option<&UpgradeMarks>, width: u16) -> Vec<PageItem> {
    let Some(marks) = marks else { return vec![PageItem::dim("no other version of a package is compared")] };
    let read = &marks.read;
    let mut items = vec![
        PageItem::new(ItemBody::Text(vec![(read.title.clone(), TextRole::Text)])),
        PageItem::dim(read.summary.clone()),
    ];
    items.extend(card::wrapped(&verdicts(&read.report), width).map(PageItem::dim));
    for group in read.report.groups() {
        items.push(PageItem::blank());
        let [verdict, symbol, rest] = statement(group.first);
        let fits = width_of(&[&verdict, &symbol, &rest]) + 2 <= usize::from(width);
        let mut pieces = vec![(verdict, role(group.first.verdict)), (symbol, TextRole::Name)];
        // What is said of a long name stands below it.
        if fits {
            pieces.push((rest, TextRole::Dim));
            items.push(PageItem::new(ItemBody::Text(pieces)));
        } else {
            items.push(PageItem::new(ItemBody::Text(pieces)));
            items.extend(card::wrapped(rest.trim_start(), width).map(PageItem::dim));
        }
        said(catalog, marks, &group, usize::MAX, width, &mut items);
    }
    items
}

/// The verdicts that the report has, with their numbers of uses and with what each one means.
fn verdicts(report: &Report) -> String {
    let found: BTreeSet<Verdict> = report.findings.iter().map(|finding| finding.verdict).collect();
    let words = found.into_iter().filter_map(|verdict| {
        let meaning = match verdict {
            Verdict::Break => "fails",
            Verdict::Silent => "runs, and does something else",
            Verdict::Deprecated => "works, and is deprecated",
            Verdict::Moved => "works, since the use was moved along",
            Verdict::Unknown => "cannot be told",
            Verdict::Ok => return None,
        };
        Some(format!("{} {}: {meaning}", grouped(report.count(verdict)), verdict.word()))
    });
    words.collect::<Vec<_>>().join(" · ")
}

/// The cells that texts need in a row.
fn width_of(texts: &[&str]) -> usize {
    texts.iter().map(|text| widgets::width(text)).sum()
}

/// The section of a definition: what the other version says of its uses.
pub(super) fn section(
    catalog: &Catalog,
    marks: Option<&UpgradeMarks>,
    id: DefinitionId,
    width: u16,
    items: &mut Vec<PageItem>,
) {
    let Some(marks) = marks else { return };
    let groups = marks.groups_of(id);
    if groups.is_empty() {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Upgrade", marks.read.title.clone())]);
    for group in groups {
        let [verdict, _, rest] = statement(group.first);
        items.push(PageItem::new(ItemBody::Text(vec![(verdict, role(group.first.verdict)), (rest, TextRole::Text)])));
        said(catalog, marks, &group, MAX_PLACES, width, items);
    }
}

/// Verdict, symbol, and the rest of what is said of a use.
fn statement(finding: &Finding) -> [String; 3] {
    let text = finding.statement();
    let mut parts = text.splitn(3, "  ").map(str::to_owned);
    let verdict = parts.next().unwrap_or_default();
    let symbol = parts.next().map(|symbol| format!("  {symbol}"));
    let rest = parts.next().map(|rest| format!("  {rest}"));
    [verdict, symbol.unwrap_or_default(), rest.unwrap_or_default()]
}

fn role(verdict: Verdict) -> TextRole {
    match verdict {
        Verdict::Break => TextRole::Required,
        Verdict::Silent | Verdict::Deprecated => TextRole::Unknown,
        Verdict::Moved | Verdict::Unknown | Verdict::Ok => TextRole::Dim,
    }
}

/// The signatures and the places of a group.
fn said(
    catalog: &Catalog,
    marks: &UpgradeMarks,
    group: &Group<'_>,
    most: usize,
    width: u16,
    items: &mut Vec<PageItem>,
) {
    for signature in group.signature_lines() {
        items.extend(card::wrapped(&signature, width).map(PageItem::dim));
    }
    let topic = marks.definition(group.first).map(Topic::Definition);
    for finding in group.findings.iter().take(most) {
        let place = marks.place(finding);
        let callee = marks.definition(finding);
        let item = if let (Some(SourcePlace::Call(call)), Some(callee)) = (place, callee) {
            calls::row(&catalog.index, catalog.index.definition(callee), call)
        } else {
            let text = format!("  {}:{}", finding.path, finding.line);
            let item = PageItem::new(ItemBody::Text(vec![(text, TextRole::Text)]));
            match place {
                Some(place) => item.shows(place),
                None => item,
            }
        };
        items.push(match topic {
            Some(topic) => item.link_to(topic),
            None => item,
        });
    }
    let rest = group.findings.len().saturating_sub(most);
    if rest > 0 {
        items.push(PageItem::dim(format!("… {} more", grouped(rest))));
    }
}
