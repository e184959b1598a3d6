//! The name that was probably meant.

use apidisc::index;

/// The name among `names` that `name` probably stands for; `None` if none is like it.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let found = index::nearest(name, names.map(|name| (name, 0)));
    found.first().map(ToString::to_string)
}
