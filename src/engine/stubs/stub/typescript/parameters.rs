//! The texts and comments of the parameters of a TypeScript signature and of the properties of its object parameters.
//!
//! An object parameter takes an object, and calls are counted for each of its properties as for a parameter.

use super::{
    identifiers::{is_value_name, property_name},
    types::{PrintedType, TypeScope, TypeShape, can_be_spread},
    values::{default_note, type_or_any},
};
use crate::stub::{
    node_text::{PricedLines, TypeReference},
    renderer::Indentation,
    text::PassedShare,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{Parameter, ParameterKind, Signature};
use apidisc_indexing::usage::Usage;

/// An argument is rare if fewer than 1 in `RARE` calls pass it.
const RARE: u32 = 5;

/// A parameter, or a property of an object parameter.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "four independent facts")]
pub(super) struct PrintedParameter {
    /// For a property, the position of its object parameter.
    pub(super) within: Option<usize>,
    pub(super) is_rest: bool,
    pub(super) required: bool,
    /// True if few calls are known to pass the parameter; see [`RARE`].
    pub(super) is_rare: bool,
    /// True if the parameter can be written. A property cannot be written if its name is invalid or repeated, if it is
    /// nested too deeply, or if its object parameter cannot be written or is a rest parameter.
    pub(super) is_showable: bool,
    /// `timeout?: `
    pub(super) name: String,
    pub(super) ty: PrintedType,
    /// For an object parameter, the members of its union type that are primitive, `string | `, or the alias of a union
    /// that takes more than objects, `Duration | `.
    pub(super) other_types: PrintedType,
    /// `timeout in 25%`, for the comment of a signature that is written on one line.
    pub(super) share_note: Option<String>,
    /// ` // 25%, default 30`, for a parameter on its own line.
    comment: String,
    /// The positions of its properties: required ones first, then by descending frequency.
    pub(super) properties: Vec<usize>,
    margin: String,
    /// The line of the parameter if none of its properties is shown.
    pub(super) line: PricedLines,
    /// The lines around its properties.
    pub(super) opening_line: PricedLines,
    pub(super) closing_line: PricedLines,
}

impl PrintedParameter {
    /// `name?: Type`; for an object parameter with known properties `name?: object`.
    pub(super) fn text(&self) -> String {
        if self.properties.is_empty() {
            format!("{}{}", self.name, self.ty.text)
        } else {
            format!("{}{}object", self.name, self.other_types.text)
        }
    }

    /// The types that the text of the parameter names, without those of its properties.
    pub(super) fn references(&self) -> &[TypeReference] {
        if self.properties.is_empty() { &self.ty.references } else { &self.other_types.references }
    }

    fn set_lines(&mut self) {
        let (margin, comment) = (&self.margin, &self.comment);
        let sign = if self.within.is_some() { ";" } else { "," };
        let line = format!("{margin}{}{sign}{comment}\n", self.text());
        let opening_line = format!("{margin}{}{}{{{comment}\n", self.name, self.other_types.text);
        self.line = PricedLines::new(line);
        if !self.properties.is_empty() {
            self.opening_line = PricedLines::new(opening_line);
            self.closing_line = PricedLines::new(format!("{margin}}}{sign}\n"));
        }
    }
}

/// The parameters of a signature and the properties of its object parameters, by position. `destructured_name` is the
/// name for a destructured object. `indent` is the indentation of the signature.
pub(super) fn printed_parameters(
    signature: &Signature,
    usage: &Usage,
    scope: TypeScope<'_>,
    destructured_name: &str,
    indent: Indentation,
) -> Vec<PrintedParameter> {
    let parameters = &signature.parameters;
    let mut printed: Vec<PrintedParameter> = Vec::with_capacity(parameters.len());
    let last = parameters.iter().rposition(|parameter| parameter.object.is_none());
    for (position, parameter) in parameters.iter().enumerate() {
        let within = parameter.object.map(usize::from).filter(|&object| object < position);
        let depth = std::iter::successors(within, |&object| printed[object].within).count();
        let is_rest = parameter.kind == ParameterKind::VarPositional && last == Some(position);
        // An optional parameter before a required one cannot be left out: callers pass `undefined`.
        let has_required = |later: &[Parameter]| later.iter().any(|p| p.required && p.object.is_none());
        let is_before_required = within.is_none() && !parameter.required && has_required(&parameters[position + 1..]);
        let name = if within.is_some() {
            property_name(&parameter.name)
        } else {
            Some(unique_name(parameter, destructured_name, &printed))
        };
        let is_showable = name.is_some()
            && depth < 8
            && within.is_none_or(|object| {
                let holder = &printed[object];
                holder.is_showable
                    && !holder.is_rest
                    && !holder.properties.iter().any(|&p| parameters[p].name == parameter.name)
            });
        // `this` cannot be used in an object type.
        let scope = TypeScope { allows_this: scope.allows_this && within.is_none(), ..scope };
        let mut ty = type_or_any(parameter.annotation.as_deref(), parameter.default.as_deref(), scope);
        if is_rest && !can_be_spread(&ty.text, ty.shape) {
            ty = PrintedType { text: "any[]".to_owned(), shape: TypeShape::Array, ..PrintedType::default() };
        }
        let undefined = if is_before_required && !is_rest { "undefined" } else { "" };
        let mark = if parameter.required || is_rest || is_before_required { "" } else { "?" };
        let (comment, share_note, is_rare) =
            usage_notes(parameter, name.as_deref().unwrap_or_default(), position, usage);
        let dots = if is_rest { "..." } else { "" };
        let name = format!("{dots}{}{mark}: ", name.unwrap_or_default());
        if let Some(object) = within.filter(|_| is_showable) {
            printed[object].properties.push(position);
        }
        printed.push(PrintedParameter {
            within,
            is_rest,
            required: parameter.required,
            is_rare,
            is_showable,
            name,
            other_types: non_object_types(&ty, undefined, scope),
            ty: with_undefined(ty, undefined),
            share_note,
            comment,
            properties: Vec::new(),
            margin: " ".repeat(indent.columns + indent.step * (depth + 1)),
            line: PricedLines::default(),
            opening_line: PricedLines::default(),
            closing_line: PricedLines::default(),
        });
    }
    let order = |&a: &usize, &b: &usize| {
        let frequency = by_frequency(usage, a, b);
        parameters[b].required.cmp(&parameters[a].required).then(frequency).then(a.cmp(&b))
    };
    for parameter in &mut printed {
        parameter.properties.shared_sort_by(order);
        parameter.set_lines();
    }
    printed
}

/// Orders two parameters by descending frequency.
fn by_frequency(usage: &Usage, a: usize, b: usize) -> std::cmp::Ordering {
    let share = |position: usize| {
        let (count, unknown) = usage.parameters.get(position).map_or((0, 0), |p| (u64::from(p.count), p.unknown));
        (count, u64::from(usage.total_calls.saturating_sub(unknown)).max(1))
    };
    let ((count_a, known_a), (count_b, known_b)) = (share(a), share(b));
    (count_b * known_a).cmp(&(count_a * known_b))
}

/// A valid name that no other parameter has. It may differ from the name in the sources, because callers do not use the
/// names of parameters.
fn unique_name(parameter: &Parameter, destructured_name: &str, printed: &[PrintedParameter]) -> String {
    let wanted = match parameter.name.as_str() {
        "{}" => destructured_name,
        "[]" => "items",
        name if is_value_name(name) => name,
        _ => "arg",
    };
    let is_taken = |name: &str| {
        let parameters = printed.iter().filter(|p| p.within.is_none());
        parameters.into_iter().any(|p| p.name.trim_start_matches("...").trim_end_matches([':', '?', ' ']) == name)
    };
    let mut name = wanted.to_owned();
    let mut number = 1;
    while is_taken(&name) {
        number += 1;
        name = format!("{wanted}{number}");
    }
    name
}

/// The comment of a parameter on its own line, its note for a signature on one line, and whether the parameter is known
/// to be rare.
fn usage_notes(parameter: &Parameter, name: &str, position: usize, usage: &Usage) -> (String, Option<String>, bool) {
    let (count, unknown) = usage.parameters.get(position).map_or((0, usage.total_calls), |p| (p.count, p.unknown));
    let known = usage.total_calls.saturating_sub(unknown);
    let share = PassedShare::new(count, known).filter(|_| !parameter.required);
    let mut notes: Vec<String> = Vec::new();
    notes.extend(
        share.map(|share| share.percent().map_or_else(|| share.of_calls("call"), |percent| format!("{percent}%"))),
    );
    if known == 0 && usage.total_calls > 0 && !parameter.required {
        notes.push("passed through spreads".to_owned());
    }
    let default = parameter.default.as_deref().and_then(default_note);
    notes.extend(default.map(|default| format!("default {default}")));
    let comment = if notes.is_empty() { String::new() } else { format!(" // {}", notes.join(", ")) };
    let name = name.trim_matches('"');
    let share_note = share.map(|share| share.after_name(name, " in"));
    let is_rare = known > 0 && !parameter.required && u64::from(count) * u64::from(RARE) < u64::from(known);
    (comment, share_note, is_rare)
}

/// `ty` with ` | undefined` appended, unless `ty` already includes it. The argument `undefined` is either the text
/// `undefined` or empty; if it is empty, `ty` is returned unchanged.
fn with_undefined(ty: PrintedType, undefined: &str) -> PrintedType {
    let includes_undefined = ty.shape == TypeShape::Any || ty.text.split(" | ").any(|part| part == undefined);
    if undefined.is_empty() || includes_undefined {
        return ty;
    }
    let needs_brackets = ty.text.contains("=>") || ty.text.contains(" extends ") || ty.text.contains(" is ");
    let text = if needs_brackets { format!("({})", ty.text) } else { ty.text };
    PrintedType { text: format!("{text} | {undefined}"), ..ty }
}

/// The members of the union type `ty` that are certainly primitive types, each followed by ` | `. The argument
/// `undefined` is appended as a further member, unless it is empty or among the others. The alias of a union stands for
/// its members.
fn non_object_types(ty: &PrintedType, undefined: &str, scope: TypeScope<'_>) -> PrintedType {
    // The last reference is that of the type itself, after those of its type arguments.
    let alias = ty.references.last().filter(|_| ty.shape == TypeShape::Definition);
    if alias.is_some_and(|alias| scope.names.named_type(alias.ty).takes_other_than_objects) {
        let ty = with_undefined(ty.clone(), undefined);
        return PrintedType { text: format!("{} | ", ty.text), ..ty };
    }
    let is_primitive = |part: &&str| {
        matches!(*part, "string" | "number" | "boolean" | "bigint" | "symbol" | "null" | "undefined" | "true" | "false")
            || part.starts_with(['"', '\'']) && part.len() > 1 && part.ends_with(['"', '\''])
    };
    let is_union = !ty.text.contains(['(', '{', '<', '[', '=']);
    let mut parts: Vec<&str> = ty.text.split(" | ").filter(|_| is_union).filter(is_primitive).collect();
    if !undefined.is_empty() && !parts.contains(&undefined) {
        parts.push(undefined);
    }
    let mut text = String::new();
    for part in &parts {
        text.extend([part, " | "]);
    }
    PrintedType { text, ..PrintedType::default() }
}
