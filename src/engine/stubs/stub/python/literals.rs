//! The literals of the expression recogniser: strings and numbers.

use super::{expression::ExpressionParser, identifiers::is_name_start};
use apidisc_base::unprintable::is_unprintable;

impl ExpressionParser<'_> {
    /// Consumes adjacent string literals: either all of them are bytes literals, or all are text literals. Returns
    /// false if there are none, or if they are not allowed.
    pub(super) fn string_literals(&mut self) -> bool {
        let mut bytes = None;
        loop {
            let prefix = self.peek_word();
            let Some(quote) = self.rest[prefix.len()..].chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                return bytes.is_some();
            };
            let is_bytes = match prefix.to_ascii_lowercase().as_str() {
                "" | "r" | "u" => false,
                "b" | "br" | "rb" => true,
                _ => return false,
            };
            if *bytes.get_or_insert(is_bytes) != is_bytes {
                return false;
            }
            let is_raw = prefix.contains(['r', 'R']);
            if !self.quoted_string(prefix.len(), quote, is_bytes, is_raw) {
                return false;
            }
        }
    }

    /// Consumes one string literal between single-character quotes. `prefix` is the length of its prefix in bytes.
    /// Escapes whose value Python checks (`\x`, `\u`, `\N`) are refused.
    fn quoted_string(&mut self, prefix: usize, quote: char, is_bytes: bool, is_raw: bool) -> bool {
        let body = &self.rest[prefix + 1..];
        let mut chars = body.char_indices();
        while let Some((at, c)) = chars.next() {
            if c == quote {
                // Three quotes begin a triple-quoted string, which is refused.
                if at == 0 && body[1..].starts_with(quote) {
                    return false;
                }
                self.rest = &body[at + 1..];
                self.skip_blanks();
                return true;
            }
            if is_bytes && !c.is_ascii() || is_unprintable(c) {
                return false;
            }
            if c == '\\' {
                match chars.next() {
                    Some((_, '\\' | '\'' | '"' | 'n' | 'r' | 't' | 'f' | 'v' | 'a' | 'b')) => {}
                    Some((_, next)) if is_raw && !is_unprintable(next) && (!is_bytes || next.is_ascii()) => {}
                    _ => return false,
                }
            }
        }
        false
    }

    pub(super) fn number(&mut self) -> bool {
        let end =
            self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(self.rest.len());
        let (mut text, mut after) = self.rest.split_at(end);
        // In `1e-5` the sign is part of the number.
        if text.ends_with(['e', 'E'])
            && !text.starts_with("0x")
            && !text.starts_with("0X")
            && after.starts_with(['+', '-'])
        {
            let digits = after[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len() - 1);
            if digits == 0 {
                return false;
            }
            (text, after) = self.rest.split_at(end + 1 + digits);
        }
        if !is_number(text) || after.starts_with(is_name_start) {
            return false;
        }
        self.rest = after;
        self.skip_blanks();
        true
    }
}

/// True for a Python numeric literal, without its sign.
fn is_number(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let digits = |text: &str, radix: u32| {
        text.split('_').all(|part| !part.is_empty() && part.chars().all(|c| c.is_digit(radix)))
    };
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = text.strip_prefix(prefix) {
            return digits(rest, radix);
        }
    }
    let (real, imaginary) = text.strip_suffix('j').map_or((text.as_str(), false), |real| (real, true));
    let (mantissa, exponent) = real.split_once('e').map_or((real, None), |(m, e)| (m, Some(e)));
    if exponent.is_some_and(|e| !digits(e.trim_start_matches(['+', '-']), 10)) {
        return false;
    }
    match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole, 10) && (fraction.is_empty() || digits(fraction, 10)),
        None if exponent.is_some() || imaginary => digits(mantissa, 10),
        None => digits(mantissa, 10) && (!mantissa.starts_with('0') || mantissa.chars().all(|c| c == '0' || c == '_')),
    }
}
