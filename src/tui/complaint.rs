//! A mistake in a file that the explorer reads: `config.toml`, a theme or a saved session.

use std::{borrow::Cow, fmt, ops::Range};

use super::widgets::{sanitized, truncate};

/// A mistake with the place where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The name of the file as shown on the screen.
    pub file: String,
    /// The line, from 1; 0 if the mistake concerns the file as a whole.
    pub line: usize,
    /// The description of the mistake, and a remedy.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = tidy(&self.message);
        match self.line {
            0 => write!(f, "{}: {message}", self.file),
            line => write!(f, "{}:{line}: {message}", self.file),
        }
    }
}

/// The maximum width of a quotation from a file, in cells. Without it, an unclosed string would be quoted to the end of
/// the file.
const MAX_QUOTE_WIDTH: usize = 40;

/// Puts a message on one line and truncates its quotations between backticks.
fn tidy(message: &str) -> String {
    let sanitized = sanitized(message);
    let parts = sanitized.split('`').enumerate();
    let shortened = |(at, part)| if at % 2 == 1 { truncate(part, MAX_QUOTE_WIDTH) } else { Cow::Borrowed(part) };
    parts.map(shortened).collect::<Vec<_>>().join("`")
}

/// The line on which a byte range of a file begins, from 1.
pub(super) fn line(text: &str, span: &Range<usize>) -> usize {
    1 + text.get(..span.start).map_or(0, |before| before.matches('\n').count())
}
