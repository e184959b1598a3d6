//! The parameters of a Python signature: their texts, their comments, and the order in which they are written.

use super::{expression::plain_expression, identifiers::is_name};
use crate::stub::{
    call_shape::ShapeParameter,
    node_text::PricedLines,
    text::{PassedShare, pluralized},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{Parameter, ParameterKind, ParameterSet, Signature};
use apidisc_indexing::usage::Usage;

/// An argument is rare if fewer than 1 in `RARE` calls pass it.
const RARE: u32 = 5;

/// The length in bytes up to which a lean signature writes a default out.
const MAX_LEAN_DEFAULT: usize = 12;

/// The text of one parameter.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "five independent facts")]
pub(super) struct PrintedParameter {
    pub(super) kind: ParameterKind,
    pub(super) required: bool,
    /// True if the parameter is optional and known to be rare; see [`RARE`].
    pub(super) is_rare: bool,
    /// False if the name of the parameter cannot be written.
    pub(super) is_showable: bool,
    /// True if its line in a signature on several lines has a comment.
    pub(super) has_comment: bool,
    /// True if the comment contains the number of calls.
    pub(super) names_calls: bool,
    /// The share of calls that pass the parameter, for the comment of a signature on one line.
    share: Option<PassedShare>,
    /// The number of calls that pass the parameter.
    pub(super) count: u32,
    /// Length of `name` in bytes, with its stars.
    name_len: u32,
    /// Length of the annotation in bytes; 0 without one.
    annotation_len: u32,
    /// Length of `name: Type = default` in bytes.
    text_len: u32,
    /// The line of the parameter, with its comment, in a signature on several lines.
    pub(super) line: PricedLines,
}

impl PrintedParameter {
    /// The parameter at `position` of a signature.
    pub(super) fn new(signature: &Signature, position: usize, is_showable: bool, usage: &Usage, margin: &str) -> Self {
        let parameter = &signature.parameters[position];
        let stars = match parameter.kind {
            ParameterKind::VarPositional => "*",
            ParameterKind::VarKeyword => "**",
            _ => "",
        };
        let mut line = [margin, stars, &parameter.name].concat();
        let name_len = line.len() - margin.len();
        let annotation = parameter.annotation.as_deref().and_then(plain_expression);
        let annotation = annotation.map(|text| match parameter.default.as_deref() {
            Some("None") if !accepts_none(text) => with_none(text),
            _ => text.to_owned(),
        });
        if let Some(annotation) = &annotation {
            line.extend([": ", annotation]);
        }
        if !parameter.required && !parameter.is_variadic() {
            let sign = if annotation.is_some() { " = " } else { "=" };
            line.extend([sign, parameter.default.as_deref().and_then(plain_expression).unwrap_or("...")]);
        }
        let text_len = line.len() - margin.len();
        let (count, unknown) = usage.parameters.get(position).map_or((0, usage.total_calls), |p| (p.count, p.unknown));
        let known = usage.total_calls.saturating_sub(unknown);
        let share = PassedShare::new(count, known);
        let (note, names_calls) = match share {
            _ if signature.is_incomplete && parameter.is_variadic() => (Some("not known".to_owned()), false),
            _ if parameter.required => (Some("REQUIRED".to_owned()), false),
            // A call with a spread may pass the argument unseen: it is no part of the share, so the numbers of calls
            // differ.
            Some(share) if unknown > 0 => (Some(format!("used in {}", share.of_calls("known call"))), true),
            Some(share) => (Some(format!("used in {}", share.of_calls("call"))), true),
            None if known == 0 && usage.total_calls > 0 => {
                (Some(format!("{} through spreads", pluralized(usage.total_calls, "call"))), true)
            }
            None => (None, false),
        };
        line.push(',');
        let has_comment = note.is_some();
        if let Some(note) = note {
            line.extend(["  # ", &note]);
        }
        line.push('\n');
        Self {
            kind: parameter.kind,
            required: parameter.required,
            is_rare: known > 0 && !parameter.required && u64::from(count) * u64::from(RARE) < u64::from(known),
            is_showable,
            has_comment,
            names_calls,
            share: share.filter(|_| !parameter.required),
            count,
            name_len: name_len as u32,
            annotation_len: annotation.map_or(0, |text| text.len()) as u32,
            text_len: text_len as u32,
            line: PricedLines::new(line),
        }
    }

    /// `name: Type = default`. The line is indented by `margin` columns.
    pub(super) fn text(&self, margin: usize) -> &str {
        &self.line.text[margin..margin + self.text_len as usize]
    }

    /// The frequency of the parameter, such as `timeout in 25%`. `None` if the parameter is required or never passed.
    pub(super) fn share_note(&self, margin: usize) -> Option<String> {
        self.share_after(margin, " in")
    }

    /// The frequency for a lean signature, such as `timeout 25%`.
    pub(super) fn lean_share(&self, margin: usize) -> Option<String> {
        self.share_after(margin, "")
    }

    fn share_after(&self, margin: usize, word: &str) -> Option<String> {
        let name = self.name(margin).trim_start_matches('*');
        self.share.map(|share| share.after_name(name, word))
    }

    /// The name with its stars.
    fn name(&self, margin: usize) -> &str {
        &self.text(margin)[..self.name_len as usize]
    }

    /// True if the parameter is written with a default.
    fn has_default(&self) -> bool {
        !self.required && !self.kind.is_variadic()
    }

    /// `name`, `name=...`, `*name`
    pub(super) fn shape(&self, margin: usize) -> ShapeParameter {
        ShapeParameter {
            name: self.name(margin).to_owned(),
            is_optional: self.has_default(),
            is_rest: self.kind.is_variadic(),
            properties: Vec::new(),
        }
    }

    /// `name: Type = default` with `...` for a long default.
    pub(super) fn lean_text(&self, margin: usize) -> String {
        let (name, rest) = self.text(margin).split_at(self.name_len as usize);
        let (annotation, rest) = match self.annotation_len as usize {
            0 => ("", rest),
            len => (&rest[2..2 + len], &rest[2 + len..]),
        };
        let default = rest.trim_start_matches([' ', '=']);
        let mut text = name.to_owned();
        if !annotation.is_empty() {
            text.extend([": ", annotation]);
        }
        if self.has_default() {
            let sign = if annotation.is_empty() { "=" } else { " = " };
            text.extend([sign, if default.len() <= MAX_LEAN_DEFAULT { default } else { "..." }]);
        }
        text
    }
}

/// The positions of the parameters that can be written: each name is a valid identifier and unique, and the positional
/// parameters are in an order that Python accepts.
pub(super) fn showable_positions(parameters: &[Parameter], receiver: Option<&str>) -> ParameterSet {
    use ParameterKind::{PositionalOnly, Standard, VarKeyword, VarPositional};
    let mut set = ParameterSet::new();
    let mut names: Vec<&str> = receiver.into_iter().collect();
    let (mut is_positional_complete, mut has_optional, mut has_args, mut has_kwargs) = (true, false, false, false);
    for (position, parameter) in parameters.iter().enumerate() {
        let is_positional = matches!(parameter.kind, PositionalOnly | Standard);
        if parameter.kind == ParameterKind::Property {
            // A keyword that `**kwargs` receives is written in the comment of `**kwargs`.
            let has_receiver = parameter.object.is_some_and(|receiver| set.contains(receiver.into()));
            if has_receiver && is_name(&parameter.name) {
                set.insert(position);
            }
            continue;
        }
        let is_writable = is_name(&parameter.name) && !names.contains(&parameter.name.as_str());
        let is_in_order = !(is_positional && has_optional && parameter.required);
        let is_accepted = match parameter.kind {
            PositionalOnly => is_positional_complete && is_in_order,
            VarPositional => is_positional_complete && !std::mem::replace(&mut has_args, true),
            VarKeyword => !std::mem::replace(&mut has_kwargs, true),
            _ => true,
        };
        is_positional_complete &= !is_positional || is_writable && is_in_order;
        has_optional |= is_positional && !parameter.required;
        if is_writable && is_accepted {
            names.push(&parameter.name);
            set.insert(position);
        }
    }
    set
}

/// Positions of parameters in the order in which keyword parameters are written: required ones first, then by
/// descending frequency, ties by name.
pub(super) fn keyword_order(parameters: &[Parameter], usage: &Usage) -> Vec<usize> {
    let total_calls = usage.total_calls;
    let share = |position: usize| {
        let usage = usage.parameters.get(position);
        let (count, unknown) = usage.map_or((0, 0), |p| (u64::from(p.count), p.unknown));
        (count, u64::from(total_calls.saturating_sub(unknown)).max(1))
    };
    let mut order: Vec<usize> = (0..parameters.len()).collect();
    order.shared_sort_by(|&a, &b| {
        let ((count_a, known_a), (count_b, known_b)) = (share(a), share(b));
        let frequency = (count_b * known_a).cmp(&(count_a * known_b));
        let name = parameters[a].name.cmp(&parameters[b].name);
        parameters[b].required.cmp(&parameters[a].required).then(frequency).then(name)
    });
    order
}

/// The name of the receiver, and its text with the annotation that an overload has: `self: Box[int]`.
pub(super) fn written_receiver(signature: &Signature) -> Option<(&str, String)> {
    let written = signature.receiver.as_deref()?;
    let (name, annotation) = written.split_once(": ").unwrap_or((written, ""));
    let text = plain_expression(annotation).map_or_else(|| name.to_owned(), |text| format!("{name}: {text}"));
    is_name(name).then_some((name, text))
}

/// Whether an annotation says itself that it accepts `None`, or anything.
fn accepts_none(annotation: &str) -> bool {
    let text = annotation.trim_matches(['"', '\'', ' ']);
    let mut depth = 0_usize;
    let alternatives = text.split(|c| {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '|' && depth == 0
    });
    let mut names = alternatives.map(|text| text.trim().split_once('[').unwrap_or((text.trim(), "")));
    let has_none = |inner: &str| inner.split([',', '[', ']', '|', ' ']).any(|word| word == "None");
    names.any(|(name, inner)| match name.rsplit('.').next().unwrap_or_default() {
        "None" | "Any" | "object" | "Optional" => true,
        "Union" | "Literal" | "Annotated" => has_none(inner) || inner.contains("Optional"),
        _ => false,
    })
}

/// An annotation that accepts `None` too. Since 2018, PEP 484 no longer takes this from the default.
fn with_none(annotation: &str) -> String {
    let quote = annotation.chars().next().filter(|c| matches!(c, '"' | '\''));
    let quoted = quote.and_then(|quote| annotation.strip_prefix(quote)?.strip_suffix(quote));
    match (quote, quoted) {
        (Some(quote), Some(inner)) if !inner.contains(quote) => format!("{quote}{inner} | None{quote}"),
        _ => format!("{annotation} | None"),
    }
}
