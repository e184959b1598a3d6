//! The items of array literals by their positions, as later assignments and calls of `slice` change them.

use std::ops::Range;

use crate::typescript::{
    infer::members::AssignedProperties,
    program::{FileIndex, ProgramFacts},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{Arg, Decl, Expr, ExprId, FileFacts, ValueSource};

/// The greatest nesting of calls of `slice`.
const MAX_SLICES: u32 = 8;

impl AssignedProperties {
    /// The value of the item `at` of a variable that holds an array literal: the last one that is assigned above
    /// `object`, else that of the literal. `None` if the item is not known.
    pub(super) fn item_of_literal(
        &self,
        program: &ProgramFacts<'_>,
        file: FileIndex,
        object: ExprId,
        at: u16,
    ) -> Option<ExprId> {
        self.item_within_slices(program, file, object, at, 0)
    }

    /// See [`Self::item_of_literal`]. `depth` is the number of slices around `object`.
    fn item_within_slices(
        &self,
        program: &ProgramFacts<'_>,
        file: FileIndex,
        object: ExprId,
        at: u16,
        depth: u32,
    ) -> Option<ExprId> {
        let _level = nesting::descend()?;
        let facts = program.facts(file);
        if let Some((of, bounds)) = slice_of(facts, object).filter(|_| depth < MAX_SLICES) {
            let at = bounds.start.checked_add(at).filter(|at| bounds.contains(at))?;
            return self.item_within_slices(program, file, of, at, depth + 1);
        }
        let Expr::Name { symbol: Some(symbol), .. } = facts.expr(object) else { return None };
        let variable = facts.symbol(symbol).decls.iter().find_map(|decl| match *decl {
            Decl::Variable(variable) => Some(&facts.variables[variable.index()]),
            _ => None,
        })?;
        let ValueSource::Value(literal) = variable.source else { return None };
        if !variable.path.is_empty() || variable.annotation.is_some() {
            return None;
        }
        let assigned = self.items.get(&(file, symbol)).map_or(&[][..], |items| items);
        if assigned.iter().any(|(position, _)| position.is_none()) {
            return None;
        }
        let above = assigned.iter().rev().find(|(position, value)| *position == Some(at) && *value < object);
        above.map(|(_, value)| *value).or_else(|| literal_item(facts, literal, at)).or_else(|| {
            slice_of(facts, literal)?;
            self.item_within_slices(program, file, literal, at, depth + 1)
        })
    }
}

/// The array and the positions of `array.slice(start, end)`, where the arguments are written as whole numbers.
fn slice_of(facts: &FileFacts, expr: ExprId) -> Option<(ExprId, Range<u16>)> {
    let Expr::Call(site) = facts.expr(expr) else { return None };
    let call = facts.site(site);
    let Expr::Property { object, name, .. } = facts.expr(call.callee) else { return None };
    let bound = |argument: &Arg| argument.literal.as_ref().and_then(|text| text.parse().ok());
    let bounds = match &call.arguments[..] {
        [] => 0..u16::MAX,
        [start] => bound(start)?..u16::MAX,
        [start, end] => bound(start)?..bound(end)?,
        _ => return None,
    };
    (facts.name(name) == "slice").then_some((object, bounds))
}

/// The item `at` of an array literal; `None` for any other expression, and behind a spread.
pub(super) fn literal_item(facts: &FileFacts, literal: ExprId, at: u16) -> Option<ExprId> {
    let Expr::Array(list) = facts.expr(literal) else { return None };
    let items = facts.list(list).get(..=usize::from(at))?;
    let has_spread = items.iter().any(|item| matches!(facts.expr(*item), Expr::Spread(_)));
    items.last().copied().filter(|_| !has_spread)
}
