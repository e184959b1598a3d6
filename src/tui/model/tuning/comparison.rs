//! Two stubs compared line by line: another one, and the present one.

use std::sync::Arc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::tui::{model::Catalog, theme::SyntaxRuns};
use apidisc::{
    delivery::{Delivery, Difference, StubRequest, difference},
    index::Index,
    language::Language,
};

/// The stub with which the present one is compared.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// Its name on the screen.
    pub name: String,
    /// The request for the stub; `None` for the exhaustive stub of the present scope, without pins and bans.
    pub request: Option<Box<StubRequest>>,
    /// The index with another version of the packages, from which the stub is made; `None` for the present index.
    pub other: Option<Arc<Catalog>>,
}

impl PartialEq for Baseline {
    fn eq(&self, other: &Self) -> bool {
        let generation = |baseline: &Self| baseline.other.as_ref().map(|catalog| catalog.generation);
        self.name == other.name && self.request == other.request && generation(self) == generation(other)
    }
}

impl Default for Baseline {
    fn default() -> Self {
        Self { name: "exhaustive".to_owned(), request: None, other: None }
    }
}

/// Both stubs and their alignment.
#[derive(Clone, Debug, PartialEq)]
pub struct StubComparison {
    /// The stub with which the present one is compared.
    pub before: ComparedStub,
    /// The present stub.
    pub after: ComparedStub,
    /// The rows in two columns. In a stub a comment stands for hidden lines; it is beside the last of them.
    pub beside: Vec<ComparisonRow>,
    /// The rows in one column.
    pub merged: Vec<ComparisonRow>,
}

/// One of the stubs.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedStub {
    /// Its lines.
    pub lines: Vec<String>,
    /// The syntax runs of its lines, as far as they are known.
    pub runs: Vec<SyntaxRuns>,
    /// Its language.
    pub language: Language,
    /// The tokens of its delivery.
    pub tokens: usize,
    /// The numbers of members, arguments and uses that this stub has and the other one lacks; `None` between stubs of
    /// different indexes.
    pub surplus: Option<Surplus>,
}

/// The numbers of members, arguments and uses that one of two stubs has and the other one lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Surplus {
    /// Members that only this stub shows.
    pub members: usize,
    /// Arguments, of members that both show, that only this stub shows.
    pub arguments: usize,
    /// Calls that can be written from this stub alone.
    pub calls: u32,
}

impl From<Difference> for Surplus {
    fn from(difference: Difference) -> Self {
        Self { members: difference.members.len(), arguments: difference.arguments.len(), calls: difference.calls }
    }
}

/// The relation between the lines of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are equal.
    Same,
    /// Both lines declare the same name, with different text.
    Changed,
    /// The lines are unrelated, or the row has only one line.
    Apart,
}

/// A row of the comparison: a line of one stub, or a line of each stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparisonRow {
    /// The line of the other stub.
    pub before: Option<usize>,
    /// The line of the present stub.
    pub after: Option<usize>,
    /// The relation between the lines. In one column a changed line has a row for each stub.
    pub relation: Relation,
}

impl ComparedStub {
    /// A stub without syntax runs.
    pub fn new(text: &str, language: Language, tokens: usize) -> Self {
        Self {
            lines: text.lines().map(str::to_owned).collect(),
            runs: Vec::new(),
            language,
            tokens,
            surplus: Some(Surplus::default()),
        }
    }
}

impl StubComparison {
    /// Compares two stubs of one index. This takes longer than a delivery, so it runs on a worker.
    pub fn of(index: &Index, before: &Delivery, after: &Delivery) -> Self {
        let side = |one: &Delivery, other: &Delivery| ComparedStub {
            surplus: Some(difference(index, one, other).into()),
            ..ComparedStub::new(&one.text, one.language, one.tokens)
        };
        Self::between(side(before, after), side(after, before))
    }

    /// Compares stubs of two indexes, which have no ids in common to count what only one of them shows.
    pub fn of_versions(before: &Delivery, after: &Delivery) -> Self {
        let side =
            |one: &Delivery| ComparedStub { surplus: None, ..ComparedStub::new(&one.text, one.language, one.tokens) };
        Self::between(side(before), side(after))
    }

    /// Aligns two stubs by a patience diff, and the lines that differ by the names that they declare.
    pub fn between(before: ComparedStub, after: ComparedStub) -> Self {
        let mut comparison = Self { before, after, beside: Vec::new(), merged: Vec::new() };
        let ops = capture_diff_slices(Algorithm::Patience, &comparison.before.lines, &comparison.after.lines);
        for op in ops {
            let (old, new) = (op.old_range(), op.new_range());
            if let DiffOp::Equal { .. } = op {
                let same = old.zip(new).map(|(before, after)| pair(before, after, Relation::Same));
                comparison.beside.extend(same.clone());
                comparison.merged.extend(same);
                continue;
            }
            // The first lines are the titles. Other lines without a name equal no line of the other stub.
            let key = |line: &str, side: char, at: usize| match declared_name(line) {
                Some(name) => format!("={name}"),
                None if at == 0 => "=".to_owned(),
                None => format!("{side}{at}"),
            };
            let old_keys: Vec<String> = old.clone().map(|at| key(&comparison.before.lines[at], '-', at)).collect();
            let new_keys: Vec<String> = new.clone().map(|at| key(&comparison.after.lines[at], '+', at)).collect();
            for inner in capture_diff_slices(Algorithm::Patience, &old_keys, &new_keys) {
                let shifted = |range: std::ops::Range<usize>, by: usize| range.start + by..range.end + by;
                let (old, new) = (shifted(inner.old_range(), old.start), shifted(inner.new_range(), new.start));
                if let DiffOp::Equal { .. } = inner {
                    comparison.changed(old, new);
                } else {
                    comparison.apart(old, new);
                }
            }
        }
        comparison
    }

    /// Adds lines that declare the same names.
    fn changed(&mut self, old: std::ops::Range<usize>, new: std::ops::Range<usize>) {
        for (before, after) in old.zip(new) {
            self.beside.push(pair(before, after, Relation::Changed));
            let row = pair(before, after, Relation::Changed);
            self.merged.extend([ComparisonRow { after: None, ..row }, ComparisonRow { before: None, ..row }]);
        }
    }

    /// Adds lines that only one of the stubs has.
    fn apart(&mut self, old: std::ops::Range<usize>, new: std::ops::Range<usize>) {
        let row = |before, after| ComparisonRow { before, after, relation: Relation::Apart };
        self.merged.extend(old.clone().map(|line| row(Some(line), None)));
        self.merged.extend(new.clone().map(|line| row(None, Some(line))));
        let height = old.len().max(new.len());
        // The last row of the group contains the last line of each range.
        let at = |range: &std::ops::Range<usize>, row: usize| {
            (row + range.len()).checked_sub(height).map(|at| range.start + at)
        };
        self.beside.extend((0..height).map(|line| row(at(&old, line), at(&new, line))));
    }

    /// The rows, in two columns or in one.
    pub fn rows(&self, is_beside: bool) -> &[ComparisonRow] {
        if is_beside { &self.beside } else { &self.merged }
    }
}

fn pair(before: usize, after: usize, relation: Relation) -> ComparisonRow {
    ComparisonRow { before: Some(before), after: Some(after), relation }
}

/// The name that a line of a stub declares: `get` in `    def get(self, url): ...`, `timeout` in `  timeout?: number;`.
/// `None` for a comment and for a line without a name.
fn declared_name(line: &str) -> Option<&str> {
    const KEYWORDS: [&str; 14] = [
        "abstract",
        "async",
        "class",
        "const",
        "declare",
        "def",
        "enum",
        "export",
        "function",
        "interface",
        "namespace",
        "readonly",
        "static",
        "type",
    ];
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut rest = line.trim_start().trim_start_matches('*');
    loop {
        let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let behind = rest[name.len()..].trim_start();
        // A keyword is a name if no name follows: `type: str`.
        if KEYWORDS.contains(&name) && behind.starts_with(is_part) {
            rest = behind;
            continue;
        }
        return (!name.is_empty()).then_some(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_lines_are_in_one_row() {
        let side = |text: &str| ComparedStub::new(text, Language::Python, 0);
        let comparison = StubComparison::between(side("a\nb\nc\nd"), side("a\n# 2 hidden\nd"));
        let rows = |rows: &[ComparisonRow]| rows.iter().map(|line| (line.before, line.after)).collect::<Vec<_>>();
        assert_eq!(
            rows(&comparison.merged),
            [(Some(0), Some(0)), (Some(1), None), (Some(2), None), (None, Some(1)), (Some(3), Some(2))]
        );
        assert_eq!(
            rows(&comparison.beside),
            [(Some(0), Some(0)), (Some(1), None), (Some(2), Some(1)), (Some(3), Some(2))]
        );
        assert!(comparison.beside.iter().all(|row| row.relation != Relation::Changed));
    }

    #[test]
    fn a_line_in_other_words_is_beside_its_other_form() {
        let side = |text: &str| ComparedStub::new(text, Language::Python, 0);
        let before = "class A:\n    async def get(\n        url: str,\n        timeout: float = 5.0,  # 3%\n    ): ...\n    def put(self): ...";
        let after = "class A:\n    async def get(self, url): ... # ...\n    def post(self): ...";
        let comparison = StubComparison::between(side(before), side(after));
        let rows: Vec<_> = comparison.beside.iter().map(|line| (line.before, line.after, line.relation)).collect();
        assert_eq!(
            rows,
            [
                (Some(0), Some(0), Relation::Same),
                (Some(1), Some(1), Relation::Changed),
                (Some(2), None, Relation::Apart),
                (Some(3), None, Relation::Apart),
                (Some(4), None, Relation::Apart),
                (Some(5), Some(2), Relation::Apart),
            ]
        );
        let merged = comparison.merged.iter().filter(|row| row.relation == Relation::Changed).count();
        assert_eq!(merged, 2);
    }

    #[test]
    fn names_that_lines_declare() {
        for (line, name) in [
            ("    def get(self): ...", Some("get")),
            ("        **kwargs: str,", Some("kwargs")),
            ("export declare function open(a): void;", Some("open")),
            ("  readonly a?: string;", Some("a")),
            ("  type: string;", Some("type")),
            ("    # 3 hidden", None),
            ("}", None),
            ("", None),
        ] {
            assert_eq!(declared_name(line), name, "{line}");
        }
    }
}
