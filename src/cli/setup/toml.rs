//! A server in a client's file in TOML. Everything else of the file stays as it is.
//!
//! A table is added as text and removed as text. What comes out is parsed and compared, so that a file of another form
//! gives an error and is never damaged.

use std::ops::Range;

use toml::{Table, Value};

/// The table of all servers.
const SERVERS: &str = "mcp_servers";

/// The file with the server `name`, whose table is `table` as text. A table that is there is replaced where it stands.
///
/// # Errors
/// If the file is not TOML, or if its servers are not written as tables. The message is one line.
pub(super) fn with(text: &str, name: &str, table: &str) -> Result<String, String> {
    let mut expected = parse(text)?;
    let entry = parse(table)?[SERVERS][name].clone();
    let servers = expected.entry(SERVERS).or_insert_with(|| Value::Table(Table::new()));
    servers.as_table_mut().ok_or_else(|| format!("`{SERVERS}` is no table"))?.insert(name.to_owned(), entry);
    let table = if text.contains("\r\n") { table.replace('\n', "\r\n") } else { table.to_owned() };
    let found = tables(text, name);
    let changed = if let Some(first) = found.first() {
        let kept = cut(text, &found);
        format!("{}{table}{}", &kept[..first.start], &kept[first.start..])
    } else {
        let line = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { line };
        let gap = if text.trim().is_empty() { "" } else { line };
        format!("{text}{end}{gap}{table}")
    };
    checked(changed, &expected)
}

/// The file without the server `name`.
///
/// # Errors
/// As those of [`with`].
pub(super) fn without(text: &str, name: &str) -> Result<String, String> {
    let mut expected = parse(text)?;
    if let Some(servers) = expected.get_mut(SERVERS).and_then(Value::as_table_mut) {
        servers.remove(name);
        if servers.is_empty() {
            expected.remove(SERVERS);
        }
    }
    let found = tables(text, name);
    let mut changed = cut(text, &found);
    // The blank line that came with a table at the end of the file.
    if found.last().is_some_and(|last| last.end == text.len()) {
        let line = if changed.ends_with("\r\n") { 2 } else { 1 };
        let before = &changed[..changed.len().saturating_sub(line)];
        if before.is_empty() || before.ends_with('\n') {
            changed.truncate(before.len());
        }
    }
    checked(changed, &expected)
}

/// The table of the server `name`, as a value of JSON.
///
/// # Errors
/// If the file is not TOML.
pub(super) fn entry(text: &str, name: &str) -> Result<Option<serde_json::Value>, String> {
    let table = parse(text)?;
    let entry = table.get(SERVERS).and_then(|servers| servers.get(name));
    Ok(entry.map(|entry| serde_json::to_value(entry).unwrap_or_default()))
}

fn parse(text: &str) -> Result<Table, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count()) + 1;
        format!("line {line}: {}", error.message().trim())
    })
}

/// The text, if it says what is expected.
fn checked(text: String, expected: &Table) -> Result<String, String> {
    let other_form = || format!("its `{SERVERS}` are not written as tables of their own");
    let mut found = parse(&text).map_err(|_| other_form())?;
    // An empty table that is written out is the same as none.
    if found.get(SERVERS).and_then(Value::as_table).is_some_and(Table::is_empty) && !expected.contains_key(SERVERS) {
        found.remove(SERVERS);
    }
    if found == *expected { Ok(text) } else { Err(other_form()) }
}

/// The bytes of each table of the server `name` and of the tables below it, from the line of its header to its last
/// line that is neither blank nor a comment.
fn tables(text: &str, name: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut is_in_table = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if let Some(header) = header(line) {
            is_in_table = header.starts_with(&[SERVERS.to_owned(), name.to_owned()]);
            if is_in_table {
                found.push(at..end);
            }
        } else if is_in_table
            && !line.trim().is_empty()
            && !line.trim_start().starts_with('#')
            && let Some(table) = found.last_mut()
        {
            table.end = end;
        }
        at = end;
    }
    found
}

/// The parts of the name in a line that is the header of a table.
fn header(line: &str) -> Option<Vec<String>> {
    let name = line.trim().strip_prefix('[')?;
    let name = name.strip_prefix('[').unwrap_or(name).split(']').next()?;
    Some(name.split('.').map(|part| part.trim().trim_matches(['"', '\'']).to_owned()).collect())
}

/// The text without some ranges of its bytes, which are in order.
fn cut(text: &str, ranges: &[Range<usize>]) -> String {
    let mut kept = String::new();
    let mut at = 0;
    for range in ranges {
        kept += &text[at..range.start];
        at = range.end;
    }
    kept + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "[mcp_servers.apidisc]\ncommand = \"apidisc-tui\"\nargs = [\"serve\"]\n";

    fn added(text: &str) -> String {
        with(text, "apidisc", TABLE).unwrap()
    }

    #[test]
    fn a_table_is_added_at_the_end_and_taken_back() {
        for text in [
            "",
            "model = \"o\" # mine\n",
            "model = \"o\"\n\n[mcp_servers.other]\ncommand = \"x\"\nenv = { A = \"[b]\" }\n",
            "[profiles.a]\r\nx = 1\r\n",
        ] {
            let with = added(text);
            assert!(with.starts_with(text), "{with}");
            assert!(entry(&with, "apidisc").unwrap().is_some());
            assert_eq!(without(&with, "apidisc").unwrap(), text, "{with:?}");
            assert_eq!(added(&with), with, "a second time changes nothing");
        }
        assert_eq!(added("a = 1"), format!("a = 1\n\n{TABLE}"));
    }

    #[test]
    fn a_table_is_replaced_where_it_stands_with_what_is_below_it() {
        let text = "[mcp_servers.apidisc]\ncommand = \"old\"\n\n[mcp_servers.\"apidisc\".env]\nA = \"1\"\n\n\
                    # mine\n[mcp_servers.z]\ncommand = \"z\"\n";
        let text = added(text);
        assert!(text.starts_with(TABLE) && text.ends_with("[mcp_servers.z]\ncommand = \"z\"\n"), "{text}");
        assert!(!text.contains("old") && !text.contains("env"));
    }

    #[test]
    fn a_file_in_another_form_is_an_error_and_no_damage() {
        for (text, said) in [
            ("a = ", "line 1"),
            ("a = 1\nb = [\n", "line "),
            ("mcp_servers = { other = { command = \"x\" } }\n", "not written as tables"),
            ("mcp_servers = 3\n", "is no table"),
            ("[mcp_servers]\napidisc = { command = \"x\" }\n", "not written as tables"),
        ] {
            let message = with(text, "apidisc", TABLE).unwrap_err();
            assert!(message.contains(said) && !message.contains('\n'), "{text}: {message}");
        }
        // A line of a string looks like a header.
        let text = "a = \"\"\"\n[mcp_servers.apidisc]\n\"\"\"\n";
        assert!(with(text, "apidisc", TABLE).is_err());
        assert_eq!(entry(text, "apidisc"), Ok(None));
    }
}
