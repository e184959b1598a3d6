//! Shortens the escape sequences (SGR) of the sixteen basic colours. crossterm writes these colours as indices into the
//! palette of 256 colours. Terminals with only sixteen colours misread such a sequence as other attributes, such as
//! blinking.

/// Replaces the long form of the basic colours, such as `38;5;1`, by the short form `31`; nothing else changes.
pub(super) fn shortened(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(2).position(|pair| pair == b"\x1b[") {
        let (before, sequence) = rest.split_at(at + 2);
        out.extend_from_slice(before);
        let end = sequence.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';')).unwrap_or(sequence.len());
        let (parameters, after) = sequence.split_at(end);
        if after.first() == Some(&b'm') && parameters.windows(4).any(|part| part == b"8;5;") {
            shorten(parameters, &mut out);
        } else {
            out.extend_from_slice(parameters);
        }
        rest = after;
    }
    out.extend_from_slice(rest);
    out
}

fn shorten(parameters: &[u8], out: &mut Vec<u8>) {
    let mut words = parameters.split(|byte| *byte == b';').peekable();
    let mut is_first = true;
    let mut put = |word: &[u8]| {
        if !std::mem::take(&mut is_first) {
            out.push(b';');
        }
        out.extend_from_slice(word);
    };
    while let Some(word) = words.next() {
        let base = match word {
            b"38" => 30,
            b"48" => 40,
            _ => 0,
        };
        if base == 0 || words.peek() != Some(&&b"5"[..]) {
            put(word);
            continue;
        }
        let (five, index) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        match std::str::from_utf8(index).ok().and_then(|index| index.parse::<u8>().ok()) {
            Some(index @ 0..8) => put((base + index).to_string().as_bytes()),
            Some(index @ 8..16) => put((base + 60 + index - 8).to_string().as_bytes()),
            _ => [word, five, index].into_iter().for_each(&mut put),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(written: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&shortened(written.as_bytes())), expected);
    }

    #[test]
    fn the_sixteen_colours_get_their_short_codes() {
        check("a\x1b[38;5;1mb\x1b[48;5;12mc", "a\x1b[31mb\x1b[104mc");
        check("\x1b[38;5;15;48;5;0m", "\x1b[97;40m");
        check("\x1b[0;38;5;8;1m日", "\x1b[0;90;1m日");
    }

    #[test]
    fn nothing_else_changes() {
        for same in
            ["38;5;1m", "\x1b[38;5;111m", "\x1b[38;2;8;5;1m", "\x1b[58;5;1m", "\x1b[5;1H8;5;1m", "\x1b[38;5", "\x1b["]
        {
            check(same, same);
        }
    }
}
