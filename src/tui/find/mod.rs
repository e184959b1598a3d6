//! Finding anything by its name: what is typed, what it is looked for in, what matches. Pure; the runtime calls it
//! away from the drawing thread.

mod haystack;
mod names;
mod needle;
mod query;

pub use haystack::{Found, Haystack, Hit, Watch};
pub use query::{FILTERS, Query};
