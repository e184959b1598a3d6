//! Sources to an [`Index`](crate::index::Index): read, parse, link, count.

mod assemble;
mod builder;
mod interner;
mod packed;
mod parse;
mod parsed_file;

pub use builder::{BuildError, Builder, Built, Progress, build};
