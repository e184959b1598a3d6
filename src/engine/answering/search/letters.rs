//! Bit masks of the letters in a text: a cheap test that rejects most names before they are matched.

/// The mask of a text that is not ASCII: such a text is never rejected, because `nucleo` ignores accents.
pub(super) const NOT_ASCII: u64 = u64::MAX;
/// The bit of a character after which nucleo adds a larger bonus for the beginning of a word.
pub(super) const STRONG_DELIMITER: u64 = 1 << 37;

/// The mask of an ASCII text: one bit for each letter, digit and underscore in it, ignoring case, and
/// [`STRONG_DELIMITER`]. [`NOT_ASCII`] for other texts.
pub(super) fn letter_mask(text: &str) -> u64 {
    if !text.is_ascii() {
        return NOT_ASCII;
    }
    text.bytes().fold(0, |mask, byte| mask | letter_bit(byte))
}

/// The bit of a byte.
pub(super) fn letter_bit(byte: u8) -> u64 {
    match byte.to_ascii_lowercase() {
        byte @ b'a'..=b'z' => 1 << (byte - b'a'),
        byte @ b'0'..=b'9' => 1 << (26 + byte - b'0'),
        b'_' => 1 << 36,
        b'/' | b',' | b':' | b';' | b'|' | b' ' | b'\t' => STRONG_DELIMITER,
        _ => 0,
    }
}
