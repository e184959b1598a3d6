//! The types of expressions, variables and symbols; contextual typing and narrowing; the values that names denote.

mod array_literals;
mod contextual;
mod expressions;
mod growing_arrays;
mod known_constituents;
mod literal_items;
mod narrow;
mod narrow_by_type;
mod symbol_types;
mod this_and_super;
mod variables;
