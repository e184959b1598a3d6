//! Building blocks of the views. They depend on cells, text and styles, not on the model.

mod ascii;
mod bar;
mod frame;
mod number;
mod row;
mod text;

pub use ascii::to_ascii;
pub use bar::bar;
pub use frame::{Border, scroll_mark};
pub use number::{date, grouped, percentage, share_text, short};
pub use row::{RowPainter, put};
pub use text::{break_line, sanitized, tail, truncate, width, wrap, wrap_all};
