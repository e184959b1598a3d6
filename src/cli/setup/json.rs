//! A server in a client's file in JSON, which may have comments. Everything else of the file stays as it is.

use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstObject, CstRootNode},
};
use serde_json::{Value, json};

/// The file with the entry `name` below `key`.
///
/// # Errors
/// If the file is not JSON, or if a part of it has another form. The message says where, on one line.
pub(super) fn with(text: &str, key: &str, name: &str, entry: &Value) -> Result<String, String> {
    let (mark, text) = split_mark(text);
    if text.trim().is_empty() {
        return Ok(format!("{mark}{:#}\n", json!({ key: { name: entry } })));
    }
    let root = parse(text)?;
    let object = root.object_value().ok_or("it holds no object")?;
    let servers = match servers(&object, key)? {
        Some(servers) => servers,
        None => object.object_value_or_create(key).ok_or_else(|| no_object(key))?,
    };
    match servers.get(name) {
        Some(property) => property.set_value(input(entry)),
        None => _ = servers.append(name, input(entry)),
    }
    Ok(format!("{mark}{root}"))
}

/// The file without the entry `name` below `key`. The object below `key` goes with its last entry if `drop_empty` is
/// true.
///
/// # Errors
/// As those of [`with`].
pub(super) fn without(text: &str, key: &str, name: &str, drop_empty: bool) -> Result<String, String> {
    let (mark, rest) = split_mark(text);
    let root = parse(rest)?;
    if let Some(object) = root.object_value()
        && let Some(servers) = servers(&object, key)?
        && let Some(entry) = servers.get(name)
    {
        entry.remove();
        if drop_empty
            && servers.properties().is_empty()
            && let Some(property) = object.get(key)
        {
            property.remove();
        }
    }
    Ok(format!("{mark}{root}"))
}

/// True if the file has an object below `key`.
pub(super) fn has(text: &str, key: &str) -> bool {
    let object = parse(split_mark(text).1).ok().and_then(|root| root.object_value());
    object.is_some_and(|object| object.get(key).is_some())
}

/// The entry `name` below `key`.
///
/// # Errors
/// As those of [`with`].
pub(super) fn entry(text: &str, key: &str, name: &str) -> Result<Option<Value>, String> {
    let (_, text) = split_mark(text);
    if text.trim().is_empty() {
        return Ok(None);
    }
    let root = parse(text)?;
    let Some(object) = root.object_value() else { return Ok(None) };
    Ok(servers(&object, key)?.and_then(|servers| servers.get(name)?.to_serde_value()))
}

/// True if the file holds an object without entries, and no comment.
pub(super) fn is_empty(text: &str) -> bool {
    text.split_whitespace().collect::<String>() == "{}"
}

/// The object below `key`; `None` if there is none.
fn servers(object: &CstObject, key: &str) -> Result<Option<CstObject>, String> {
    let is_key = |property: &&jsonc_parser::cst::CstObjectProp| property.decoded_name().is_some_and(|name| name == key);
    let properties = object.properties();
    let mut found = properties.iter().filter(is_key);
    let Some(property) = found.next() else { return Ok(None) };
    if found.next().is_some() {
        return Err(format!("`{key}` stands in it twice"));
    }
    property.object_value().map(Some).ok_or_else(|| no_object(key))
}

fn no_object(key: &str) -> String {
    format!("`{key}` is no object")
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &options).map_err(|error| error.to_string())
}

/// The byte order mark at the beginning of a file, and the rest.
fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { 3 } else { 0 })
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(values) => {
            CstInputValue::Object(values.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = r#"// My settings
{
  "theme": "One Dark", // the good one
  "context_servers": {
    /* of work */
    "other": { "command": "other", "args": ["a",  "b"] },
  },
  "tab_size": 2,
}
"#;

    fn added(text: &str) -> String {
        with(text, "context_servers", "apidisc", &json!({"command": "apidisc-tui", "args": ["serve"]})).unwrap()
    }

    #[test]
    fn comments_order_and_form_stay() {
        let text = added(SETTINGS);
        for line in SETTINGS.lines() {
            assert!(text.lines().any(|found| found == line), "{line} is lost:\n{text}");
        }
        let lines: Vec<&str> = text.lines().filter(|line| !SETTINGS.lines().any(|old| old == *line)).collect();
        assert_eq!(
            lines,
            ["    \"apidisc\": {", "      \"command\": \"apidisc-tui\",", "      \"args\": [\"serve\"],", "    },"],
            "{text}"
        );
        assert_eq!(without(&text, "context_servers", "apidisc", true).unwrap(), SETTINGS);
    }

    #[test]
    fn files_of_every_form_get_the_entry_and_lose_it() {
        let expected = json!({"command": "apidisc-tui", "args": ["serve"]});
        for text in [
            "{}",
            "{\n}\n",
            "{\"a\": 1}",
            "{\n\t\"a\": [1, 2]\n}\n",
            "{\"context_servers\": {}}",
            "{\"context_servers\":{\"o\":{}},\"b\":2}",
            "{\r\n  \"a\": 1\r\n}\r\n",
            "\u{feff}{\"a\": \"\u{1f980}\"}\n",
            "// nothing yet\n{}\n",
        ] {
            let with = added(text);
            assert_eq!(entry(&with, "context_servers", "apidisc"), Ok(Some(expected.clone())), "{with}");
            assert_eq!(with.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
            let without = without(&with, "context_servers", "apidisc", true).unwrap();
            assert_eq!(entry(&without, "context_servers", "apidisc"), Ok(None), "{without}");
            let had = |part: &str| !text.contains(part) || without.contains(part);
            assert!(had("\"a\"") && had("\"b\"") && had("\"o\"") && had("nothing yet"), "{text:?} became {without:?}");
            assert_eq!(added(&with), with, "a second time changes nothing");
        }
        assert_eq!(added(""), format!("{:#}\n", json!({"context_servers": {"apidisc": expected}})));
    }

    #[test]
    fn an_entry_is_replaced_where_it_stands() {
        let text = "{\"context_servers\": {\"apidisc\": {\"command\": \"old\"}, \"z\": {}}}";
        let text = added(text);
        assert!(text.find("apidisc-tui").unwrap() < text.find("\"z\"").unwrap(), "{text}");
        assert!(!text.contains("old"));
    }

    #[test]
    fn what_is_no_such_file_is_an_error() {
        let entry = json!({});
        for (text, said) in [
            ("{\"a\": }", "line 1"),
            ("[1]", "no object"),
            ("{\"k\": 3}", "`k` is no object"),
            ("{\"k\": {}, \"k\": {}}", "twice"),
            ("{'k': {}}", "line 1"),
        ] {
            let message = with(text, "k", "n", &entry).unwrap_err();
            assert!(message.contains(said) && !message.contains('\n'), "{text}: {message}");
        }
        assert!(with(&"[".repeat(100_000), "k", "n", &entry).is_err());
    }
}
