//! Parses a text as the value of an API document or of a part of one.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    pointer,
    read::{self, ReadText, Syntax},
    value::Value,
    version::{Version, VersionError},
};

/// The greatest number of duplicate keys that are reported one by one for a file.
const MAX_DUPLICATES: usize = 5;

/// The content of a file.
pub(super) struct Parsed {
    pub(super) value: Value,
    /// The version, if the file is a document.
    pub(super) version: Result<Version, VersionError>,
    /// The keys that stand several times in one object, with the line of each repetition.
    pub(super) duplicates: Vec<(CompactString, u32)>,
    /// The pointers of the schemas with an `$anchor` or `$dynamicAnchor`, by their anchors.
    pub(super) anchors: FxHashMap<CompactString, String>,
}

/// Parses the text of a file.
///
/// # Errors
/// One line that says why the text cannot be parsed.
pub(super) fn parse(path: &str, text: &str) -> Result<Parsed, String> {
    let ReadText { value, duplicates } = read::read(text, Syntax::of(path))?;
    let version = Version::of(&value);
    let mut anchors = FxHashMap::default();
    let has = |key: &str| memchr::memmem::find(text.as_bytes(), key.as_bytes()).is_some();
    if has("$anchor") || has("$dynamicAnchor") {
        add_anchors(&value, &mut String::new(), &mut anchors);
    }
    Ok(Parsed { value, version, duplicates, anchors })
}

/// True for a text that may be an API document: one of its keys is `openapi` or `swagger`, at the beginning of a line
/// or in quotes.
pub(super) fn may_be_document(text: &str) -> bool {
    ["openapi", "swagger"].into_iter().any(|key| {
        memchr::memmem::find_iter(text.as_bytes(), key).any(|at| {
            let (before, after) = (text[..at].chars().next_back(), &text[at + key.len()..]);
            let after = match before {
                Some(quote @ ('"' | '\'')) => after.strip_prefix(quote),
                None | Some('\n' | '\r' | '\u{feff}') => Some(after),
                _ => None,
            };
            after.is_some_and(|after| after.trim_start().starts_with(':'))
        })
    })
}

/// A line for each duplicate key, up to a limit, and one for the others.
pub(super) fn duplicate_problems(duplicates: &[(CompactString, u32)]) -> Vec<String> {
    let said = duplicates.iter().take(MAX_DUPLICATES);
    let said = said.map(|(key, line)| {
        let key = apidisc_base::unprintable::escaped_line(key);
        format!("line {line}: the key `{key}` stands twice in one object; its last value counts")
    });
    let more = duplicates.len().saturating_sub(MAX_DUPLICATES);
    said.chain((more > 0).then(|| format!("{more} more keys stand twice in one object"))).collect()
}

fn add_anchors(value: &Value, at: &mut String, anchors: &mut FxHashMap<CompactString, String>) {
    let len = at.len();
    for (position, item) in value.items().iter().enumerate() {
        pointer::push(at, &position.to_string());
        add_anchors(item, at, anchors);
        at.truncate(len);
    }
    for entry in value.entries() {
        match (&*entry.key, &entry.value) {
            ("$anchor" | "$dynamicAnchor", Value::Text(anchor)) => {
                anchors.entry(anchor.clone()).or_insert_with(|| at.clone());
            }
            (key, value) => {
                pointer::push(at, key);
                add_anchors(value, at, anchors);
                at.truncate(len);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{may_be_document, parse};

    #[test]
    fn documents_are_recognised_by_a_key() {
        for text in
            ["openapi: 3.0.0", "a: 1\nswagger : '2.0'", "{\"x\":{}, \"openapi\" : \"3.1.0\"}", "'openapi': 3.1.0"]
        {
            assert!(may_be_document(text), "{text}");
        }
        for text in ["my-openapi: 3", "  openapi-x: 3", "{\"openapi-types\": 1}", "x: openapi", "# openapi: 3"] {
            assert!(!may_be_document(text), "{text}");
        }
    }

    #[test]
    fn versions_are_told_apart() {
        for (text, version) in [
            ("openapi: 3.0.4", "OpenAPI 3.0"),
            ("openapi: 3.1", "OpenAPI 3.1"),
            ("openapi: '3.2.0-rc1'", "OpenAPI 3.2"),
            ("swagger: 2.0", "Swagger 2.0"),
            ("swagger: 2", "Swagger 2.0"),
        ] {
            let parsed = parse("a.yml", text).expect("a value");
            assert_eq!(parsed.version.expect("a version").to_string(), version, "{text}");
        }
        for (text, is_unsupported) in
            [("openapi: 4.0.0", true), ("swagger: '1.2'", true), ("a: 1", false), ("[]", false)]
        {
            let error = parse("a.yml", text).expect("a value").version.expect_err("no version");
            assert_eq!(error.is_unsupported(), is_unsupported, "{text}");
        }
    }

    #[test]
    fn anchors_have_pointers() {
        let anchors =
            parse("a.yml", "x:\n  a/b: {$anchor: here}\n  c: [{$dynamicAnchor: there}]").expect("a value").anchors;
        assert_eq!((&*anchors["here"], &*anchors["there"]), ("/x/a~1b", "/x/c/0"));
    }
}
