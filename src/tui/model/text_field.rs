//! A line of text that the user types, such as a query.

use tui_input::{Input, InputRequest};

/// A line of text with a text cursor. It has at most [`Self::MAX`] characters: what is typed or pasted beyond is left
/// out, and [`Self::is_cut`] says so until the next change.
#[derive(Clone, Debug, Default)]
pub struct TextField {
    input: Input,
    is_cut: bool,
}

impl TextField {
    /// The greatest length, in characters.
    pub const MAX: usize = 4_000;

    /// A field with this text, and the cursor behind it.
    pub fn new(text: &str) -> Self {
        let mut field = Self::default();
        field.insert(text);
        field
    }

    /// The typed text.
    pub fn value(&self) -> &str {
        self.input.value()
    }

    /// The text with its cursor, to be drawn.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// True if the last characters that were typed or pasted did not fit.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Removes the text.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Edits the text, or moves the cursor.
    pub fn handle(&mut self, request: InputRequest) {
        match request {
            InputRequest::InsertChar(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            request => {
                self.is_cut = false;
                self.input.handle(request);
            }
        }
    }

    /// Inserts a text at the cursor, up to the limit.
    pub fn insert(&mut self, text: &str) {
        let present = self.value().chars().count();
        let room = Self::MAX.saturating_sub(present);
        let end = text.char_indices().nth(room).map(|(end, _)| end);
        self.is_cut = end.is_some();
        let fitting = &text[..end.unwrap_or(text.len())];
        if fitting.is_empty() {
            return;
        }
        let cursor = self.input.cursor();
        let at = self.value().char_indices().nth(cursor).map_or(self.value().len(), |(at, _)| at);
        let (before, after) = self.value().split_at(at);
        self.input = Input::new([before, fitting, after].concat()).with_cursor(cursor + fitting.chars().count());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_inserted_at_the_cursor_up_to_the_limit() {
        let mut field = TextField::new("ad");
        field.handle(InputRequest::GoToPrevChar);
        field.insert("bü");
        field.handle(InputRequest::InsertChar('c'));
        assert_eq!((field.value(), field.input().cursor()), ("abücd", 4));
        field.insert(&"日".repeat(200_000));
        assert_eq!((field.value().chars().count(), field.is_cut()), (TextField::MAX, true));
        assert!(field.value().ends_with('d'));
        field.handle(InputRequest::InsertChar('x'));
        assert!(field.is_cut() && !field.value().contains('x'));
        field.handle(InputRequest::DeletePrevChar);
        assert!(!field.is_cut());
        field.handle(InputRequest::InsertChar('x'));
        assert!(!field.is_cut() && field.value().contains('x'));
    }
}
