//! The bundled demo project: a small Python library that shows every kind of thing the explorer can show.

use crate::engine::source::Source;

/// Every file of `assets/demo`, by path.
const FILES: &[(&str, &[u8])] = &[];

/// The demo project as a source in memory.
pub fn source() -> Source {
    let files = FILES.iter().map(|&(path, content)| (path.to_owned(), content.into())).collect();
    Source::Memory { name: "demo".to_owned(), files }
}
