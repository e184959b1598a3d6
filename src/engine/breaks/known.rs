//! Findings that are known from an earlier report, so that a check fails for new ones only.

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::report::{Finding, Report, Verdict};

/// The findings of an earlier report.
#[derive(Clone, Debug, Default)]
pub struct KnownFindings {
    /// The lines of the findings of each kind in each file, in order.
    lines: FxHashMap<Kind, Vec<u32>>,
}

/// What two findings have in common that are the same one after other lines were added or taken away.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
struct Kind {
    path: String,
    symbol: String,
    verdict: Verdict,
    rule: Option<String>,
    param: Option<String>,
}

/// A finding in a file.
#[derive(Deserialize)]
struct Written {
    line: u32,
    #[serde(flatten)]
    kind: Kind,
}

/// A report in a file.
#[derive(Deserialize)]
struct WrittenReport {
    calls: Vec<Written>,
}

impl KnownFindings {
    /// Reads a report: an object with `calls`, or one finding a line.
    ///
    /// # Errors
    /// Why the text is no report.
    pub fn read(text: &str) -> Result<Self, String> {
        let whole = serde_json::from_str::<WrittenReport>(text).map(|report| report.calls);
        let by_line = || text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str).collect();
        let written: Vec<Written> = whole.or_else(|_| by_line()).map_err(|error| error.to_string())?;
        let mut known = Self::default();
        for Written { line, kind } in written {
            known.lines.entry(kind).or_default().push(line);
        }
        Ok(known)
    }

    /// Takes the known findings out of a report, and returns their number. As many of a kind in a file are known as
    /// the earlier report has; those on the same lines first.
    pub fn take_out_of(&self, report: &mut Report) -> usize {
        let mut left = self.lines.clone();
        let mut is_known = vec![false; report.findings.len()];
        for is_same_line in [true, false] {
            for (finding, is_known) in report.findings.iter().zip(&mut is_known).filter(|(_, known)| !**known) {
                let Some(lines) = left.get_mut(&Kind::of(finding)) else { continue };
                let at = if is_same_line { lines.iter().position(|line| *line == finding.line) } else { Some(0) };
                if let Some(at) = at.filter(|at| *at < lines.len() && finding.verdict != Verdict::Ok) {
                    lines.remove(at);
                    *is_known = true;
                }
            }
        }
        let mut known = is_known.iter();
        report.findings.retain(|_| !known.next().copied().unwrap_or_default());
        is_known.iter().filter(|known| **known).count()
    }
}

impl Kind {
    fn of(finding: &Finding) -> Self {
        Self {
            path: finding.path.clone(),
            symbol: finding.symbol.clone(),
            verdict: finding.verdict,
            rule: finding.rule.map(|rule| rule.word().to_owned()),
            param: finding.param.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: u32, symbol: &str) -> Finding {
        Finding::new("a.py", line, 0, symbol, Verdict::Break)
    }

    #[test]
    fn a_known_finding_may_move() {
        let written = "{\"path\": \"a.py\", \"line\": 3, \"symbol\": \"kit.go\", \"verdict\": \"break\"}\n";
        let lines = KnownFindings::read(written).unwrap();
        let whole = KnownFindings::read(&format!("{{\"from\": null, \"calls\": [{written}]}}")).unwrap();
        for known in [lines, whole] {
            let mut report =
                Report { findings: vec![finding(1, "kit.go"), finding(3, "kit.go"), finding(3, "kit.come")] };
            assert_eq!(known.take_out_of(&mut report), 1);
            assert_eq!(report.findings, [finding(1, "kit.go"), finding(3, "kit.come")]);
            let mut report = Report { findings: vec![finding(9, "kit.go")] };
            assert_eq!(known.take_out_of(&mut report), 1);
        }
        assert!(KnownFindings::read("no report").is_err());
    }
}
