//! Rows of JSON Lines. Commands print hundreds of thousands of them, so an object is written field by field, without a
//! serializer.

use std::fmt::Write as _;

use apidisc::unprintable::push_json_string;

/// An object of JSON on one line, in which unprintable characters are escaped. Its fields have the order in which they
/// are added.
#[derive(Debug, Default)]
pub(super) struct JsonRow {
    text: String,
}

impl JsonRow {
    /// Begins an object: a new row, or one in a list of [`Self::list`].
    pub(super) fn begin(&mut self) {
        self.text.push('{');
    }

    /// Adds a text; `null` for `None`.
    pub(super) fn text(&mut self, key: &'static str, value: Option<&str>) {
        self.key(key);
        match value {
            Some(value) => push_json_string(&mut self.text, value),
            None => self.text.push_str("null"),
        }
    }

    /// Adds a text, if there is one.
    pub(super) fn optional_text(&mut self, key: &'static str, value: Option<&str>) {
        if value.is_some() {
            self.text(key, value);
        }
    }

    /// Adds a number; `null` for `None`.
    pub(super) fn number(&mut self, key: &'static str, value: Option<u32>) {
        self.key(key);
        // A text takes every number.
        let _ = match value {
            Some(value) => write!(self.text, "{value}"),
            None => self.text.write_str("null"),
        };
    }

    /// Adds a list of texts.
    pub(super) fn texts<'t>(&mut self, key: &'static str, values: impl IntoIterator<Item = &'t str>) {
        self.list(key, values, |row, value| push_json_string(&mut row.text, value));
    }

    /// Adds a list, of which `write` writes each element.
    pub(super) fn list<T>(
        &mut self,
        key: &'static str,
        values: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.key(key);
        self.text.push('[');
        for (at, value) in values.into_iter().enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            write(self, value);
        }
        self.text.push(']');
    }

    /// Ends an object that [`Self::begin`] began.
    pub(super) fn end(&mut self) {
        self.text.push('}');
    }

    /// The line of the row, with its end. The next row begins with an empty line.
    pub(super) fn take_line(&mut self, write: impl FnOnce(&[u8]) -> std::io::Result<()>) -> std::io::Result<()> {
        self.text.push('\n');
        let written = write(self.text.as_bytes());
        self.text.clear();
        written
    }

    /// Adds the key of a field. Keys have no characters that need an escape.
    fn key(&mut self, key: &'static str) {
        if !self.text.ends_with('{') {
            self.text.push(',');
        }
        self.text.push('"');
        self.text.push_str(key);
        self.text.push_str("\":");
    }
}

#[cfg(test)]
mod tests {
    use super::JsonRow;

    #[test]
    fn a_row_is_an_object_on_one_line() {
        let mut row = JsonRow::default();
        for text in ["{", "a \"b\"\u{202e}"] {
            row.begin();
            row.text("text", Some(text));
            row.text("none", None);
            row.optional_text("left_out", None);
            row.number("number", Some(12));
            row.number("no_number", None);
            row.texts("texts", ["x", "y"]);
            row.list("objects", [1, 2], |row, number| {
                row.begin();
                row.number("n", Some(number));
                row.end();
            });
            row.list("empty", [0; 0], |_, _| {});
            row.end();
            let mut line = Vec::new();
            row.take_line(|bytes| {
                line.extend_from_slice(bytes);
                Ok(())
            })
            .unwrap();
            let value = serde_json::json!({
                "text": text, "none": null, "number": 12, "no_number": null,
                "texts": ["x", "y"], "objects": [{ "n": 1 }, { "n": 2 }], "empty": [],
            });
            let line = String::from_utf8(line).unwrap();
            assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap(), value);
            assert!(line.ends_with("}\n") && !line.contains('\u{202e}') && line.starts_with("{\"text\":"), "{line}");
        }
    }
}
