//! Makes unprintable characters of source text visible.

use crate::unprintable::is_unprintable;

/// The text with escapes in place of control characters and bidirectional controls. Line breaks and tabs stay.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) && c != '\n' && c != '\t' {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}
