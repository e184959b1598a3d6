//! Small things that views are made of. They know cells, text and styles, not the model.

mod ascii;
mod bar;
mod frame;
mod number;
mod row;
mod text;

pub use ascii::plain;
pub use bar::bar;
pub use frame::{Frame, scroll_mark};
pub use number::{date, grouped, short};
pub use row::{Row, put};
pub use text::{inert, tail, truncate, width, wrap};
