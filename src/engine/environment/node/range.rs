//! Ranges of versions, as `package.json` files write them: `^1.2.0 || >=3 <5`.

/// A version without its tags.
type Numbers = [u64; 3];

/// The characters of the signs before a version.
const SIGNS: [char; 5] = ['^', '~', '>', '<', '='];

/// True if a range holds a version. Tags such as `-beta.1` are left out of the comparison. A range of another kind,
/// such as the address of an archive, holds none.
pub(super) fn holds(range: &str, version: &str) -> bool {
    let Some((version, _)) = numbers(version) else { return false };
    range.split("||").any(|range| {
        if let Some((low, high)) = range.split_once(" - ") {
            return numbers(low).is_some_and(|(low, _)| version >= low) && is_at_most(version, high);
        }
        comparisons(range).iter().all(|part| is_met(part, version))
    })
}

/// The comparisons of a range, each without spaces: `>= 1.2 <2` has `>=1.2` and `<2`.
fn comparisons(range: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in range.split_whitespace() {
        if let Some(sign) = parts.last_mut().filter(|last| last.trim_start_matches(SIGNS).is_empty()) {
            sign.push_str(part);
        } else {
            parts.push(part.to_owned());
        }
    }
    parts
}

fn is_at_most(version: Numbers, high: &str) -> bool {
    numbers(high).is_some_and(|(high, given)| version[..given] <= high[..given])
}

fn is_met(part: &str, version: Numbers) -> bool {
    let rest = part.trim_start_matches(SIGNS);
    let sign = &part[..part.len() - rest.len()];
    let rest = rest.trim_start_matches('v');
    if matches!(rest, "" | "*" | "x" | "X") {
        return true;
    }
    let Some((wanted, given)) = numbers(rest) else { return false };
    match sign {
        ">=" => version >= wanted,
        ">" => version[..given] > wanted[..given],
        "<" => version < wanted,
        "<=" => version[..given] <= wanted[..given],
        "^" => {
            // The first number that is not zero stays.
            let fixed = wanted.iter().position(|number| *number > 0).map_or(given, |at| at + 1).min(given.max(1));
            version >= wanted && version[..fixed] == wanted[..fixed]
        }
        "~" | "~>" => version >= wanted && version[..given.min(2)] == wanted[..given.min(2)],
        _ => version[..given] == wanted[..given],
    }
}

/// The numbers of a version, and how many of them are written.
fn numbers(text: &str) -> Option<(Numbers, usize)> {
    let text = text.trim().trim_start_matches('v').split(['-', '+']).next()?;
    let mut numbers = Numbers::default();
    let mut given = 0;
    for part in text.split('.').take(3) {
        if matches!(part, "x" | "X" | "*") {
            break;
        }
        numbers[given] = part.parse().ok()?;
        given += 1;
    }
    (given > 0).then_some((numbers, given))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_versions() {
        let ranges = [
            ("^1.2.0", "1.9.3"),
            ("^0.2.1", "0.2.9"),
            ("~1.2", "1.2.7"),
            (">=16 <20", "18.2.0"),
            ("1.x || 2", "2.4.0"),
            ("*", "7.0.0"),
            (">= 1.2.0", "1.3.0"),
            ("1.2.0 - 2", "2.9.0"),
            ("5.62.0", "5.62.0"),
            ("^18", "18.3.1"),
            ("^19.0.0-rc || ^18.0.0", "18.3.1"),
            ("", "1.0.0"),
            (">=  1.2", "1.3.0"),
            ("^v1.2", "1.3.0"),
            ("~>1.2", "1.2.7"),
            ("<=v2", "1.3.0"),
        ];
        for (range, version) in ranges {
            assert!(holds(range, version), "{range} {version}");
        }
        let others = [
            ("^1.2.0", "2.0.0"),
            ("^0.2.1", "0.3.0"),
            ("~1.2", "1.3.0"),
            (">=16 <18", "18.2.0"),
            ("5.62.0", "4.36.1"),
            ("npm:other@1", "1.0.0"),
            ("^1", ""),
            (">  1.2", "1.2.0"),
            ("<=v2", "3.0.0"),
        ];
        for (range, version) in others {
            assert!(!holds(range, version), "{range} {version}");
        }
    }
}
