//! The page of an argument: how it is passed, its values, the arguments passed with it, and the origins of the calls.

use std::cmp::Reverse;

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{CallQuery, ItemBody, PageItem, ShareRow, SourcePlace, TextRole, words};
use crate::tui::{
    model::{Catalog, Topic},
    widgets::share_text,
};
use apidisc::{
    index::{CallEvidence, CallFilter, Definition},
    program::{DefinitionId, Parameter, Signature},
    source::Origin,
    usage::{Weights, canonical_literal},
};

/// The greatest number of values that are listed.
const MAX_VALUES: usize = 30;

/// The parameter that the page is about.
struct ArgumentPage<'a> {
    id: DefinitionId,
    definition: &'a Definition,
    signature: &'a Signature,
    parameter: &'a Parameter,
    position: usize,
    /// The calls of the definition, most typical first.
    evidence: &'a [CallEvidence],
    /// The weights of origins.
    weights: &'a Weights,
}

pub(super) fn about(catalog: &Catalog, id: DefinitionId, position: usize, evidence: &[CallEvidence]) -> Vec<PageItem> {
    let definition = catalog.index.definition(id);
    let Some(signature) = &definition.signature else { return Vec::new() };
    let Some(parameter) = signature.parameters.get(position) else { return Vec::new() };
    let weights = &catalog.index.weights;
    let page = ArgumentPage { id, definition, signature, parameter, position, evidence, weights };
    let mut items = page.head(catalog);
    page.ways(&mut items);
    page.values(&mut items);
    page.together(&mut items);
    page.origins(&mut items);
    items
}

impl ArgumentPage<'_> {
    fn head(&self, catalog: &Catalog) -> Vec<PageItem> {
        let mut head = vec![(self.signature.shown_label(self.position).to_string(), TextRole::Text)];
        if let Some(annotation) = &self.parameter.annotation {
            head.push((format!(": {annotation}"), TextRole::Dim));
        }
        if let Some(default) = &self.parameter.default {
            head.push((" = ".to_owned(), TextRole::Dim));
            head.push((default.to_string(), TextRole::Value));
        }
        if self.parameter.required {
            head.push(("  required".to_owned(), TextRole::Required));
        }
        let kind = self.definition.kind;
        let mut of = vec![
            ("of ".to_owned(), TextRole::Dim),
            (kind.word().to_owned(), TextRole::Kind(kind)),
            (format!(" {}", catalog.label(self.id, false)), TextRole::Text),
        ];
        if let Some(base) = self.parameter.inherited_from {
            of.push((format!(", from {}", catalog.label(base, false)), TextRole::Dim));
        }
        let of = PageItem::new(ItemBody::Text(of))
            .link_to(Topic::Definition(self.id))
            .shows(SourcePlace::Definition(self.id));
        let mut items = vec![PageItem::new(ItemBody::Text(head)), of];
        items.extend(self.definition.parameter_documentation(self.position).map(PageItem::dim));
        items.push(PageItem::dim(words::passed(&self.definition.usage, self.position)));
        items
    }

    /// A row that links to the calls that a filter accepts, and shows the most typical of them.
    fn row(&self, share: ShareRow, filter: CallFilter) -> PageItem {
        let shown = self.evidence.iter().find(|call| filter.matches(call));
        let item = PageItem::share(share);
        match shown {
            Some(call) => item.calls(CallQuery { definition: self.id, filter }).shows(SourcePlace::Call(call.call)),
            None => item,
        }
    }

    fn only(&self) -> u16 {
        self.position as u16
    }

    /// The section of the ways to pass the argument: by name, by position, left out, unknown.
    fn ways(&self, items: &mut Vec<PageItem>) {
        let usage = &self.definition.usage;
        let Some(row) = usage.parameters.get(self.position).filter(|_| usage.total_calls > 0) else { return };
        let (_, known) = usage.passed_and_known(self.position);
        let left_out = match &self.parameter.default {
            Some(default) => format!("left out: {default}"),
            None => "left out".to_owned(),
        };
        let omitting = CallFilter { omitting: [self.position].into_iter().collect(), ..CallFilter::default() };
        items.extend([PageItem::blank(), PageItem::heading("How it is passed", format!("in {}", words::calls(known)))]);
        let share =
            |name: &str, part: u32, whole: u32| ShareRow { name: name.to_owned(), part, whole, ..ShareRow::default() };
        let way = match (row.count, row.positional) {
            (0, _) => "",
            (_, 0) => "all by name",
            (all, by_position) if by_position == all => "all by position",
            _ => "",
        };
        let passed = ShareRow { note: way.to_owned(), ..share("passed", row.count, known) };
        items.push(self.row(passed, CallFilter::passing(self.position)));
        if row.positional > 0 && row.positional < row.count {
            let by_position = CallFilter { positional: Some(self.only()), ..CallFilter::default() };
            let by_name = CallFilter { keyword: Some(self.only()), ..CallFilter::default() };
            items.push(self.row(share("  by position", row.positional, known), by_position));
            items.push(self.row(share("  by name", row.count.saturating_sub(row.positional), known), by_name));
        }
        if !self.parameter.required {
            let note = if self.parameter.default.is_some() { "rely on the default" } else { "" }.to_owned();
            let left_out = ShareRow { note, ..share(&left_out, known.saturating_sub(row.count), known) };
            items.push(self.row(left_out, omitting));
        }
        if row.unknown > 0 {
            let filter = CallFilter { unknown: Some(self.only()), ..CallFilter::default() };
            let note = "may pass it in a spread".to_owned();
            let name = "not known".to_owned();
            let share = ShareRow {
                name,
                role: TextRole::Unknown,
                part: row.unknown,
                whole: usage.total_calls,
                note,
                ..ShareRow::default()
            };
            items.push(self.row(share, filter));
        }
    }

    /// The section of values: short literals, and the number of calls that pass other expressions.
    fn values(&self, items: &mut Vec<PageItem>) {
        let Some(row) = self.definition.usage.parameters.get(self.position).filter(|row| row.count > 0) else { return };
        let mut values: Vec<(CompactString, u32)> = if self.evidence.is_empty() {
            row.values.clone()
        } else {
            let mut counts: FxHashMap<CompactString, u32> = FxHashMap::default();
            for call in self.evidence {
                let own = call.values.iter().filter(|(at, _)| usize::from(*at) == self.position);
                for (_, value) in own {
                    *counts.entry(value.clone()).or_default() += u32::from(self.weights.of(call.origin));
                }
            }
            counts.into_iter().collect()
        };
        values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let literal: u32 = values.iter().map(|(_, calls)| calls).sum();
        let further = values.len().saturating_sub(MAX_VALUES);
        let note = match values.len() {
            0 => "no short literals".to_owned(),
            n => words::counted(n, "short literal", "short literals"),
        };
        items.extend([PageItem::blank(), PageItem::heading("Values", note)]);
        for (value, calls) in values.into_iter().take(MAX_VALUES) {
            let is_default = self.parameter.default.as_deref().map(canonical_literal).as_ref() == Some(&value);
            let note = if is_default { "the default".to_owned() } else { String::new() };
            let filter = CallFilter { value: Some((self.only(), value.clone())), ..CallFilter::default() };
            let share = ShareRow {
                name: value.to_string(),
                role: TextRole::Value,
                part: calls,
                whole: row.count,
                note,
                ..ShareRow::default()
            };
            items.push(self.row(share, filter));
        }
        if further > 0 {
            items.push(PageItem::dim(format!("  … and {}", words::counted(further, "rarer one", "rarer ones"))));
        }
        if let Some(other) = row.count.checked_sub(literal).filter(|other| *other > 0) {
            let name = "anything else".to_owned();
            items.push(PageItem::share(ShareRow {
                name,
                role: TextRole::Dim,
                part: other,
                whole: row.count,
                ..ShareRow::default()
            }));
        }
    }

    /// The sections of parameters that the calls with this parameter pass more often, or less often, than the calls
    /// without it. Calls that may pass more arguments than are seen do not count.
    fn together(&self, items: &mut Vec<PageItem>) {
        let sets = || self.definition.usage.argument_sets.iter().filter(|set| !set.open);
        let count = |holds: &dyn Fn(usize) -> bool, other: Option<usize>| -> u32 {
            let fits = sets().filter(|set| holds(usize::from(set.parameters.contains(self.position))));
            fits.filter(|set| other.is_none_or(|other| set.parameters.contains(other))).map(|set| set.calls).sum()
        };
        let (with, without) = (count(&|is| is == 1, None), count(&|is| is == 0, None));
        if with == 0 {
            return;
        }
        let parameters = &self.signature.parameters;
        let mut rows: Vec<(f64, usize, u32, u32)> = (0..parameters.len())
            .filter(|other| *other != self.position && !parameters[*other].required)
            .map(|other| {
                let (both, alone) = (count(&|is| is == 1, Some(other)), count(&|is| is == 0, Some(other)));
                let share = |part: u32, whole: u32| if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) };
                (share(both, with) - share(alone, without), other, both, alone)
            })
            .filter(|(_, _, both, alone)| *both + *alone > 0)
            .collect();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0).then(Reverse(b.2).cmp(&Reverse(a.2)).reverse()).then(a.1.cmp(&b.1)));
        let (likes, dislikes): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(difference, ..)| *difference >= 0.0);
        let mut section = |title: &str, rows: Vec<(f64, usize, u32, u32)>| {
            if rows.is_empty() {
                return;
            }
            items.extend([PageItem::blank(), PageItem::heading(title, "with it, without it, lift")]);
            for (_, other, both, alone) in rows {
                let rest = share_text(alone, without).unwrap_or_else(|| "–".to_owned());
                // Lift: the frequency among the calls that pass this parameter, divided by the frequency among all
                // calls.
                let lift = f64::from(both) * f64::from(with + without) / f64::from(with) / f64::from(both + alone);
                let note = format!("{rest:>4}   ×{lift:.1}");
                let name = self.signature.shown_label(other).to_string();
                let share = ShareRow { name, part: both, whole: with, note, ..ShareRow::default() };
                let filter =
                    CallFilter { passing: [self.position, other].into_iter().collect(), ..CallFilter::default() };
                items.push(self.row(share, filter).link_to(Topic::Argument(self.id, other as u16)));
            }
        };
        section("Passed together with", likes);
        let mut dislikes = dislikes;
        dislikes.reverse();
        section("Passed rather without", dislikes);
    }

    /// The section of origins.
    fn origins(&self, items: &mut Vec<PageItem>) {
        let origins = Origin::ALL.into_iter().map(|origin| {
            let here = || self.evidence.iter().filter(move |call| call.origin == origin);
            let passed = here().filter(|call| call.passed.contains(self.position)).count() as u32;
            let known = here().filter(|call| !call.unknown.contains(self.position)).count() as u32;
            (origin, passed, known)
        });
        let origins: Vec<_> = origins.filter(|(_, _, known)| *known > 0).collect();
        if origins.is_empty() {
            return;
        }
        items.extend([PageItem::blank(), PageItem::heading("Where the calls stand", "shares of the calls there")]);
        for (origin, part, whole) in origins {
            let note = format!("of {}", words::calls(whole));
            let share = ShareRow { name: origin.word().to_owned(), part, whole, note, ..ShareRow::default() };
            items.push(self.row(share, CallFilter { origin: Some(origin), ..CallFilter::passing(self.position) }));
        }
    }
}
