//! Indexes of files in memory.

use std::{borrow::Cow, sync::Arc};

use apidisc::{control::Control, index::Index, indexer::build, source::Source};

/// The index of a source with the name `lib`, made of files, each with its path and its text.
pub(crate) fn index<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Arc<Index> {
    let files = files.into_iter().map(|(path, text)| (path.to_owned(), Cow::Owned(text.as_bytes().to_vec()))).collect();
    let source = Source::Memory { name: "lib".to_owned(), files };
    Arc::new(build(&source, &mut |_| Control::Continue).expect("a source").expect("an index"))
}
