//! The name that was probably meant.

/// The least similarity of two names of which one may be a slip of the other.
const SIMILAR: f64 = 0.8;

/// The name among `names` that is most like `name`; `None` if none is like it.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let similarity = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let similar = names.map(|other| (similarity(other), other)).filter(|(similarity, _)| *similarity >= SIMILAR);
    similar.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, other)| other)
}
