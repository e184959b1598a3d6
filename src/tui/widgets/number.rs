//! Numbers as people read them.

/// `12402` as `12,402`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// At most five cells: `812`, `9,999`, `12.4k`, `124k`, `1.2M`.
pub fn short(number: usize) -> String {
    match number {
        0..10_000 => grouped(number),
        10_000..100_000 => format!("{}.{}k", number / 1_000, number % 1_000 / 100),
        100_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..100_000_000 => format!("{}.{}M", number / 1_000_000, number % 1_000_000 / 100_000),
        _ => format!("{}M", number / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn short_numbers_stay_short() {
        for (number, text) in
            [(9_999, "9,999"), (12_402, "12.4k"), (124_020, "124k"), (1_240_000, "1.2M"), (99_999, "99.9k")]
        {
            assert_eq!(short(number), text);
            assert!(short(number).len() <= 5);
        }
    }
}
