//! Overloads: what callers see of a function is not the signature that its calls are bound to.
//!
//! Arguments are bound by position, so that a parameter of an overload is visible where that of the signature at its
//! position is. What an overload requires is written in any case.

use super::{
    callable::returns,
    generics::{Bound, TypeParameters},
    heads::Writer,
    rows::{Row, rows},
    types::can_be_spread,
};
use crate::{
    program::{DefinitionKind, ParameterSet, Signature},
    stub::needs::Need,
    usage::Usage,
};

/// One overload.
#[derive(Debug)]
pub(super) struct Overload {
    opening: String,
    closing: String,
    items: Vec<Item>,
    fixed_needs: Vec<Need>,
}

/// A parameter of an overload.
#[derive(Debug)]
struct Item {
    text: String,
    required: bool,
    needs: Vec<Need>,
    /// The position of the signature's parameter at its place.
    position: Option<usize>,
}

impl Overload {
    /// More say little that these do not.
    pub(super) const MOST: usize = 4;

    /// The overload as it is written, without its end of line.
    pub(super) fn text(&self, visible: &ParameterSet) -> String {
        let items: Vec<&str> = self.shown(visible).iter().map(|item| item.text.as_str()).collect();
        format!("{}({}){}", self.opening, items.join(", "), self.closing)
    }

    /// The types that it names.
    pub(super) fn needs(&self, visible: &ParameterSet) -> impl Iterator<Item = Need> + '_ {
        self.fixed_needs.iter().copied().chain(self.shown(visible).iter().flat_map(|item| item.needs.iter().copied()))
    }

    /// Parameters up to the last that must be written.
    fn shown(&self, visible: &ParameterSet) -> &[Item] {
        let must_stay = |item: &Item| item.required || item.position.is_some_and(|at| visible.contains(at));
        &self.items[..self.items.iter().rposition(must_stay).map_or(0, |last| last + 1)]
    }
}

/// The overloads of what `writer` writes; `implementation` are the rows that its calls are bound to.
pub(super) fn overloads(writer: &Writer<'_>, callee: &str, around: &[Bound], implementation: &[Row]) -> Vec<Overload> {
    let is_constructor = writer.definition.kind == DefinitionKind::Class;
    let positions: Vec<usize> =
        (0..implementation.len()).filter(|&position| implementation[position].within.is_none()).collect();
    let overload = |signature: &Signature| {
        let own = TypeParameters::new(signature.type_parameters.as_deref(), writer.world(around), false);
        let own = if is_constructor { TypeParameters::default() } else { own };
        let bound: Vec<Bound> = around.iter().chain(&own.bound).cloned().collect();
        let world = writer.world(&bound);
        let plain = Signature {
            parameters: signature.parameters.iter().filter(|p| p.object.is_none()).cloned().collect(),
            ..signature.clone()
        };
        let rows = rows(&plain, &Usage::default(), world, writer.object_name(), 0);
        let returned = returns(&plain, &rows, world);
        let last = positions.last().copied().filter(|&last| implementation[last].is_rest);
        let items = rows.iter().enumerate().map(|(at, row)| Item {
            text: row.text(),
            required: row.required && !row.is_rest,
            needs: row.needs().to_vec(),
            position: positions.get(at).copied().or(last),
        });
        let items = items.collect();
        debug_assert!(rows.iter().all(|row| !row.is_rest || can_be_spread(&row.ty.text, row.ty.shape)));
        Overload {
            opening: format!("{callee}{}", own.printed.text),
            closing: if is_constructor { ";".to_owned() } else { format!(": {};", returned.text) },
            items,
            fixed_needs: own.printed.needs.into_iter().chain(returned.needs).collect(),
        }
    };
    writer.definition.overloads.iter().map(overload).collect()
}
