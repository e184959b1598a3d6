//! What is written of one parameter, or of one property of a parameter that is an object.

use super::{
    fragments::{default_note, type_or_any},
    name::{is_name, property},
    types::{Printed, Shape, World, can_be_spread},
};
use crate::{
    program::{Parameter, ParameterKind, Signature},
    stub::{
        needs::Need,
        pieces::Piece,
        text::{counted, grouped},
    },
    usage::{Usage, percent},
};

/// An argument is rare when fewer calls than one in that many pass it.
const RARE: u32 = 5;

/// One row of a signature.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "four facts, every mix of them occurs")]
pub(super) struct Row {
    /// The position of the object that it is a property of.
    pub(super) within: Option<usize>,
    pub(super) is_rest: bool,
    pub(super) required: bool,
    /// Known to be passed by few calls only.
    pub(super) is_rare: bool,
    /// False where its name cannot be written.
    pub(super) showable: bool,
    /// `timeout?: `
    pub(super) name: String,
    pub(super) ty: Printed,
    /// Of an object, what its type is beside one: `string | `.
    pub(super) beside: Printed,
    /// `timeout in 25%`
    pub(super) share: Option<String>,
    /// `25%, default 30`, as a comment.
    note: String,
    /// Properties, those first that must be given, then by frequency.
    pub(super) properties: Vec<usize>,
    margin: String,
    /// The line of what is no object, or none of whose properties is shown.
    pub(super) line: Piece,
    /// The first and the last line around properties.
    pub(super) open: Piece,
    pub(super) close: Piece,
}

impl Row {
    /// `name?: Type`, with nothing said of the properties of an object.
    pub(super) fn text(&self) -> String {
        if self.properties.is_empty() {
            format!("{}{}", self.name, self.ty.text)
        } else {
            format!("{}{}object", self.name, self.beside.text)
        }
    }

    /// The types that it names: an object that is written out names those beside it.
    pub(super) fn needs(&self) -> &[Need] {
        if self.properties.is_empty() { &self.ty.needs } else { &self.beside.needs }
    }

    fn set_lines(&mut self) {
        let (margin, note) = (&self.margin, &self.note);
        let sign = if self.within.is_some() { ";" } else { "," };
        let line = format!("{margin}{}{sign}{note}\n", self.text());
        let open = format!("{margin}{}{}{{{note}\n", self.name, self.beside.text);
        self.line = Piece::new(line);
        if !self.properties.is_empty() {
            self.open = Piece::new(open);
            self.close = Piece::new(format!("{margin}}}{sign}\n"));
        }
    }
}

/// The rows of a signature; `object_name` is what a destructured parameter is called.
pub(super) fn rows(
    signature: &Signature,
    usage: &Usage,
    world: World<'_>,
    object_name: &str,
    indent: usize,
) -> Vec<Row> {
    let parameters = &signature.parameters;
    let mut rows: Vec<Row> = Vec::with_capacity(parameters.len());
    let last = parameters.iter().rposition(|parameter| parameter.object.is_none());
    for (position, parameter) in parameters.iter().enumerate() {
        let within = parameter.object.map(usize::from).filter(|&object| object < position);
        let depth = std::iter::successors(within, |&object| rows[object].within).count();
        let is_rest = parameter.kind == ParameterKind::VarPositional && last == Some(position);
        // One that is left out though a later one must be given is given as `undefined`.
        let must_be_given = |rest: &[Parameter]| rest.iter().any(|later| later.required && later.object.is_none());
        let is_before_required = within.is_none() && !parameter.required && must_be_given(&parameters[position + 1..]);
        let name =
            if within.is_some() { property(&parameter.name) } else { Some(free_name(parameter, object_name, &rows)) };
        let showable = name.is_some()
            && depth < 8
            && within.is_none_or(|object| {
                let holder = &rows[object];
                holder.showable
                    && !holder.is_rest
                    && !holder.properties.iter().any(|&p| parameters[p].name == parameter.name)
            });
        // What is written in braces has no `this`.
        let world = World { has_this: world.has_this && within.is_none(), ..world };
        let mut ty = type_or_any(parameter.annotation.as_deref(), parameter.default.as_deref(), world);
        if is_rest && !can_be_spread(&ty.text, ty.shape) {
            ty = Printed { text: "any[]".to_owned(), shape: Shape::Array, ..Printed::default() };
        }
        let undefined = if is_before_required && !is_rest { "undefined" } else { "" };
        let mark = if parameter.required || is_rest || is_before_required { "" } else { "?" };
        let (note, share, is_rare) = usage_of(parameter, name.as_deref().unwrap_or_default(), position, usage);
        let dots = if is_rest { "..." } else { "" };
        let name = format!("{dots}{}{mark}: ", name.unwrap_or_default());
        if let Some(object) = within.filter(|_| showable) {
            rows[object].properties.push(position);
        }
        rows.push(Row {
            within,
            is_rest,
            required: parameter.required,
            is_rare,
            showable,
            name,
            beside: beside(&ty, undefined),
            ty: with_undefined(ty, undefined),
            share,
            note,
            properties: Vec::new(),
            margin: " ".repeat(indent + 2 * (depth + 1)),
            line: Piece::default(),
            open: Piece::default(),
            close: Piece::default(),
        });
    }
    let order = |&a: &usize, &b: &usize| {
        let frequency = by_frequency(usage, a, b);
        parameters[b].required.cmp(&parameters[a].required).then(frequency).then(a.cmp(&b))
    };
    for row in &mut rows {
        row.properties.sort_by(order);
        row.set_lines();
    }
    rows
}

/// The more frequent one first.
fn by_frequency(usage: &Usage, a: usize, b: usize) -> std::cmp::Ordering {
    let share = |position: usize| {
        let row = usage.parameters.get(position);
        let (count, unknown) = row.map_or((0, 0), |row| (u64::from(row.count), row.unknown));
        (count, u64::from(usage.total_calls.saturating_sub(unknown)).max(1))
    };
    let ((count_a, known_a), (count_b, known_b)) = (share(a), share(b));
    (count_b * known_a).cmp(&(count_a * known_b))
}

/// The name of a parameter, or one in its place: names of parameters are for readers alone.
fn free_name(parameter: &Parameter, object_name: &str, rows: &[Row]) -> String {
    let wanted = match parameter.name.as_str() {
        "{}" => object_name,
        "[]" => "items",
        name if is_name(name) => name,
        _ => "arg",
    };
    let is_taken = |name: &str| {
        let names = rows.iter().filter(|row| row.within.is_none());
        names.into_iter().any(|row| row.name.trim_start_matches("...").trim_end_matches([':', '?', ' ']) == name)
    };
    let mut name = wanted.to_owned();
    let mut number = 1;
    while is_taken(&name) {
        number += 1;
        name = format!("{wanted}{number}");
    }
    name
}

/// What the comment of a line says, what one line for all says, and whether it is known to be rare.
fn usage_of(parameter: &Parameter, name: &str, position: usize, usage: &Usage) -> (String, Option<String>, bool) {
    let (count, unknown) = usage.parameters.get(position).map_or((0, usage.total_calls), |p| (p.count, p.unknown));
    let known = usage.total_calls.saturating_sub(unknown);
    let share = percent(count, known).filter(|_| count > 0 && !parameter.required);
    let mut notes: Vec<String> = Vec::new();
    notes.extend(share.map(|share| match share {
        0 => format!("{} of {}", grouped(count), counted(known, "call")),
        share => format!("{share}%"),
    }));
    if known == 0 && usage.total_calls > 0 && !parameter.required {
        notes.push("passed through spreads".to_owned());
    }
    let default = parameter.default.as_deref().and_then(default_note);
    notes.extend(default.map(|default| format!("default {default}")));
    let note = if notes.is_empty() { String::new() } else { format!(" // {}", notes.join(", ")) };
    let name = name.trim_matches('"');
    let share = share.map(|share| match share {
        0 => format!("{name} in {}", counted(count, "call")),
        share => format!("{name} in {share}%"),
    });
    let is_rare = known > 0 && !parameter.required && u64::from(count) * u64::from(RARE) < u64::from(known);
    (note, share, is_rare)
}

fn with_undefined(ty: Printed, undefined: &str) -> Printed {
    let says_so = ty.shape == Shape::Any || ty.text.split(" | ").any(|part| part == undefined);
    if undefined.is_empty() || says_so {
        return ty;
    }
    let needs_brackets = ty.text.contains("=>") || ty.text.contains(" extends ") || ty.text.contains(" is ");
    let text = if needs_brackets { format!("({})", ty.text) } else { ty.text };
    Printed { text: format!("{text} | {undefined}"), ..ty }
}

/// Of a union, the parts that are certainly no objects with properties of their own; with ` | ` at the end.
fn beside(ty: &Printed, undefined: &str) -> Printed {
    let is_beside = |part: &&str| {
        matches!(*part, "string" | "number" | "boolean" | "bigint" | "symbol" | "null" | "undefined" | "true" | "false")
            || part.starts_with(['"', '\'']) && part.len() > 1 && part.ends_with(['"', '\''])
    };
    let is_union = !ty.text.contains(['(', '{', '<', '[', '=']);
    let mut parts: Vec<&str> = ty.text.split(" | ").filter(|_| is_union).filter(is_beside).collect();
    if !undefined.is_empty() && !parts.contains(&undefined) {
        parts.push(undefined);
    }
    let mut text = String::new();
    for part in &parts {
        text.extend([part, " | "]);
    }
    Printed { text, ..Printed::default() }
}
