//! A report in SARIF 2.1.0, which code scanning services read.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write},
};

use serde_json::{Value, json};

use super::{super::terminal_text::write_json, Answer};
use apidisc::{
    breaks::report::{Finding, Rule, Verdict},
    hash::ContentHash,
    source::{Source, reread},
    unprintable::escaped_line,
};

/// The schema of the format.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The number of hexadecimal digits of a fingerprint.
const FINGERPRINT: usize = 16;

/// Writes a result for each finding that breaks, means something else or is deprecated. The numbers of all uses are
/// properties of the run, so that those of which nothing can be said are counted.
pub(super) fn write(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let report = &answer.report;
    let title = escaped_line(&answer.title);
    let mut rules: Vec<(Rule, Value)> = Vec::new();
    let mut files = FileTexts { files: &answer.before.files, last: None };
    let mut seen = BTreeMap::<String, u32>::new();
    let mut results = Vec::new();
    for finding in &report.findings {
        let (Some(rule), Some(level)) = (finding.rule, level(finding.verdict)) else { continue };
        let at = rules.iter().position(|(known, _)| *known == rule).unwrap_or_else(|| {
            rules.push((rule, described(rule)));
            rules.len() - 1
        });
        let line = files.line(finding);
        let column = line.get(..finding.col as usize).map_or(1, |before| before.chars().count() + 1);
        let fingerprint = fingerprint(finding, rule, &line);
        let number = seen.entry(fingerprint.clone()).or_default();
        *number += 1;
        results.push(json!({
            "ruleId": rule.word(),
            "ruleIndex": at,
            "level": level,
            "message": { "text": message(finding, &title) },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(&finding.path), "uriBaseId": "%SRCROOT%" },
                "region": { "startLine": finding.line, "startColumn": column },
            } }],
            "partialFingerprints": { "primaryLocationLineHash": format!("{fingerprint}:{number}") },
        }));
    }
    let rules: Vec<Value> = rules.into_iter().map(|(_, described)| described).collect();
    let count = |verdict| report.count(verdict);
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "apidisc-tui",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {
                "compared": title,
                "uses": report.findings.len() + answer.left_out,
                "known": answer.left_out,
                "break": count(Verdict::Break),
                "silent": count(Verdict::Silent),
                "deprecated": count(Verdict::Deprecated),
                "moved": count(Verdict::Moved),
                "unknown": count(Verdict::Unknown),
            },
        }],
    });
    write_json(out, &log)?;
    out.write_all(b"\n")
}

/// The level of the results with a verdict; `None` if there are none.
fn level(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Break => Some("error"),
        Verdict::Silent => Some("warning"),
        Verdict::Deprecated => Some("note"),
        Verdict::Moved | Verdict::Unknown | Verdict::Ok => None,
    }
}

fn described(rule: Rule) -> Value {
    json!({
        "id": rule.word(),
        "name": rule.word(),
        "shortDescription": { "text": rule.meaning() },
        "fullDescription": { "text": rule.meaning() },
        "help": { "text": format!("{} {}", rule.meaning(), rule.remedy()) },
    })
}

/// What is said of a use, as a sentence.
fn message(finding: &Finding, title: &str) -> String {
    let mut text = format!("{title}: {}", escaped_line(&finding.symbol));
    if let Some(param) = &finding.param {
        let _ = write!(text, "({})", escaped_line(param));
    }
    if let Some(rule) = finding.rule {
        let _ = write!(text, ": {}", rule.meaning());
    }
    if let Some(now) = &finding.now {
        let _ = write!(text, " Now: {}.", escaped_line(now));
    }
    text
}

/// A text that a use keeps while other lines are added or taken away.
fn fingerprint(finding: &Finding, rule: Rule, line: &str) -> String {
    let param = finding.param.as_deref().unwrap_or_default();
    let parts = [rule.word(), &finding.symbol, param, &finding.path, line.trim()];
    let mut hash = ContentHash::of_parts(&parts.map(str::as_bytes)).to_string();
    hash.truncate(FINGERPRINT);
    hash
}

/// A path as a relative URI reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            byte => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

/// Lines of the files of the program, of which the last is kept, since findings are sorted by path.
struct FileTexts<'a> {
    files: &'a Source,
    last: Option<(String, Vec<String>)>,
}

impl FileTexts<'_> {
    /// The line of a finding; empty if it cannot be read.
    fn line(&mut self, finding: &Finding) -> String {
        if self.last.as_ref().is_none_or(|(path, _)| *path != finding.path) {
            let text = reread(self.files, &finding.path).map(|text| text.source).unwrap_or_default();
            self.last = Some((finding.path.clone(), text.lines().map(str::to_owned).collect()));
        }
        let lines = self.last.as_ref().map(|(_, lines)| lines.as_slice()).unwrap_or_default();
        lines.get((finding.line as usize).saturating_sub(1)).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(uri("src/my app/é#1.py"), "src/my%20app/%C3%A9%231.py");
    }
}
