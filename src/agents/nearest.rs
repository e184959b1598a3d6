//! The known name that is most similar to a misspelled name.

use apidisc::index;

/// The name among `names` that is most similar to `name`; `None` if none is similar.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let found = index::nearest(name, names.map(|name| (name, 0)));
    found.first().map(ToString::to_string)
}
