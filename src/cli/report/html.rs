//! HTML that is written piece by piece. Text of a repository is hostile: it only comes in through functions that
//! escape.

use apidisc::unprintable::escaped_text;

/// A page that is being written.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Adds markup of the program itself.
    pub(super) fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds a text, or the value of an attribute between double quotes.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for character in escaped_text(text).chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                _ => self.0.push(character),
            }
        }
        self
    }

    /// Adds an element that holds a text.
    pub(super) fn element(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.markup("<").markup(name).markup(">").text(text).markup("</").markup(name).markup(">")
    }

    /// Adds a block of code.
    pub(super) fn code_block<'l>(&mut self, lines: impl Iterator<Item = &'l str>) -> &mut Self {
        self.markup("<pre><code>");
        for (at, line) in lines.enumerate() {
            if at > 0 {
                self.markup("\n");
            }
            self.text(line);
        }
        self.markup("</code></pre>\n")
    }

    /// The number of bytes so far.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The page.
    pub(super) fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_repository_is_no_markup() {
        let mut html = Html::default();
        html.markup("<a title=\"").text("\"><script>'&\u{1b}[31m").markup("\">").element("code", "</code>");
        let expected = "<a title=\"&quot;&gt;&lt;script&gt;&#39;&amp;\\u{1b}[31m\"><code>&lt;/code&gt;</code>";
        assert_eq!(html.into_string(), expected);
    }
}
